#pragma once

#include <stdbool.h>

/*
 * The caller owns the error struct, clears it once (`struct error err = {0};`) and passes it down.
 * A function that fails returns false (or NULL) and leaves one line that is complete enough to print:
 * what, which file, which bone, what to do. Nobody overwrites a message that is there already; a caller
 * that knows more puts it in front with error_prefix().
 */

/* Exit codes of every command (never a count). */
enum exit_code {
    EXIT_CODE_GOOD = 0,    /* all good */
    EXIT_CODE_DIFFERS = 1, /* something differs, is missing or failed */
    EXIT_CODE_USAGE = 2,   /* usage; an input of a single-model command could not be read, or it reached a limit */
    EXIT_CODE_NO_GL = 3,   /* no usable GL context */
    EXIT_CODE_SKIPPED = 77, /* of `report --case`: the case was skipped, in the way of automake and CTest */
};

enum { ERROR_SIZE = 1024 };

struct error {
    enum exit_code exit_code; /* EXIT_CODE_GOOD while nothing went wrong */
    char text[ERROR_SIZE];          /* one line, no newline, no "error:" in front */
};

/* Sets the message and the code to end the program with, unless set already. Returns false: `return error_set(...)`. */
bool error_set_code(struct error *err, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define error_set(err, ...) error_set_code((err), EXIT_CODE_USAGE, __VA_ARGS__)

/* Puts "prefix: " before the message there. Where both do not fit it is cut, to half the line. Returns false. */
bool error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For a call whose message nobody reads. */
#define ERROR_IGNORED (&(struct error){0})

/* True when a message is set. */
bool error_is_set(const struct error *err);
