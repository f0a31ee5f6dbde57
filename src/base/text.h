#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* A growing text: every writer of a file or a report appends to one and writes it out once. */
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
void text_addv(struct text *text, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* The shortest decimal that reads back to the same float ("0.1", "1e-05"); -0 is written as 0. The value must be
 * finite: the caller has checked, because no file of ours holds NaN. */
void text_add_float(struct text *text, float value);

/* As above for double. */
void text_add_double(struct text *text, double value);

/* RFC 4648, padded, on one line. */
void text_add_base64(struct text *text, const void *bytes, size_t size);

/* Decodes text that may lack the padding into `out`, which has room for 3/4 of it. `is_of_file`: as model files have
 * it, with blanks in it or in the URL-safe alphabet, and what follows the padding ignored. False where it is none. */
bool base64_decode(const char *text, size_t size, bool is_of_file, void *out, size_t *out_size);

/* A time for names of files: 3 decimals, or as many as it has up to 6: "0.250", "0.041667"; never "-0.000". */
void text_add_seconds(struct text *text, double seconds);

/*
 * A name out of a file that others wrote, on one line, and no command for a terminal or a build server. Escaped as in
 * JSON: hidden characters ("\n", "\u202e"), the first colon of a "::" that begins it (GitHub), and the bracket of
 * "##[", "##vso[" (Azure Pipelines). What is not UTF-8 becomes U+FFFD. A backslash stays one: escaping twice changes
 * nothing.
 */
void text_add_name(struct text *text, const char *name);

/* As text_addf(), each %s as text_add_name() has it; besides there are %u and %zu alone. */
void text_add_named(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As text_add_name(), for a text of several lines, as a compiler prints them: line breaks and tabs stay. */
void text_add_lines(struct text *text, const char *lines);

/* As a JSON string in quotes: also what would be hidden or a command in a log is escaped. */
void text_add_quoted(struct text *text, const char *value);

/* A field of RFC 4180: one with a comma or a quote is quoted, quotes doubled. What a spreadsheet would take for a
 * formula gets a ' before it, by which they tell text. */
void text_add_csv(struct text *text, const char *value);

/* The text, never NULL. */
const char *text_string(const struct text *text);

/* A URI's text without its percent-encoding (%41 is A) and a NUL; returns the length. `out` has room for `text`. */
size_t decode_percent(const char *text, unsigned char *out);
