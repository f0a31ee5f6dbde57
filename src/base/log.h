#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Chatter goes to stderr; results go to stdout and are not this header's business. */

/* Notes, warnings and the bar are left out: what --quiet sets. */
extern bool log_is_quiet;

void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));    /* "text" */
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2))); /* "warning: text" */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));   /* "error: text" */

/* Says whether no process said the text since log_share(), forked after it: what several find is printed once. */
bool log_is_new(const char *text);
void log_share(void);

/* Results may have colours: stdout is a terminal, and NO_COLOR is not set. */
bool log_has_colour(void);

/* A bar on a terminal, nothing elsewhere. `done` of `total`; the line is cleared when done == total. */
void log_progress(const char *what, size_t done, size_t total);

/* Takes the bar away, if there is one: for who prints a line of their own on the same terminal. */
void log_progress_clear(void);
