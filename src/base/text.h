#ifndef RIGPROOF_BASE_TEXT_H
#define RIGPROOF_BASE_TEXT_H

#include <stddef.h>

/* A growing text: every writer of a file or a report appends to one and writes it out once. Running out of memory
 * ends the process with a message; there is nothing useful to do after that. */
struct text {
    char *data; /* NUL-terminated once something was added; NULL before */
    size_t size; /* without the NUL */
    size_t capacity;
};

/* Frees the memory and leaves an empty text. */
void text_release(struct text *text);

void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const void *bytes, size_t size);
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The shortest decimal that reads back to the same float ("0.1", "1e-05"); -0 is written as 0. The value must be
 * finite: the caller has checked, because no file of ours holds NaN. */
void text_add_float(struct text *text, float value);

/* As above for double. */
void text_add_double(struct text *text, double value);

/* RFC 4648, padded, on one line. */
void text_add_base64(struct text *text, const void *bytes, size_t size);

/* A time for names of files: 3 decimals, or as many as it has up to 6: "0.250", "0.041667"; never "-0.000". */
void text_add_seconds(struct text *text, double seconds);

/*
 * What a model file calls a thing may hold line feeds and commands for a terminal: control characters become spaces, but for
 * `kept` ('\n' in a table, '\0' for none).
 */
void text_tame(char *string, char kept);

/* The text, never NULL. */
const char *text_string(const struct text *text);

#endif
