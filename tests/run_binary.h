#pragma once

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "cmocka_setup.h"

/*
 * Runs rigproof as a user would, in a scratch folder of the test's own. Use scratch_enter and scratch_leave as setup
 * and teardown: the folder is the working directory in between, so that tests write relative paths; it and all outcomes
 * go away at the end.
 */

int scratch_enter(void **state);
int scratch_leave(void **state);

#define SCRATCH_TEST(name) TEST_WITH(name, scratch_enter, scratch_leave)

/* BEFORE_EACH { ... }: what every SCRATCH_TEST of the program finds in its folder. */
#define BEFORE_EACH                                                                                                    \
    static void before_each(void);                                                                                     \
    AT_START(name_before_each) { scratch_before = before_each; }                                                       \
    static void before_each(void)
extern void (*scratch_before)(void);

/* A run leaves this. */
struct outcome {
    int status;      /* exit code, or 128 + signal */
    char *out;       /* NUL-terminated */
    size_t out_size;
    char *err;
    size_t err_size;
    char *command;   /* as one line, for messages */
};

struct run_options {
    const char *const *environment; /* "NAME=value" or "NAME" (unset), NULL-terminated; NULL for none. CI and what GitHub
                                     * sets are not passed on otherwise */
    long file_size_limit;           /* writing more bytes to a file fails; 0: no limit */
    const char *output;             /* file to open as stdout; out is then empty */
    bool closed_output;             /* stdout is closed */
    unsigned user;                  /* run as this user when the tests run as root, 0: not */
};

/* A run that goes on while the test does something else: to be awaited, once. */
struct background {
    pid_t pid;
    FILE *out, *err; /* where it prints */
    char *command;
};

/* rigproof ARGUMENTS..., NULL-terminated. Ended after two minutes. The outcome lives until scratch_leave. */
struct background *rigproof_start(const struct run_options *options, const char *first, ...) __attribute__((sentinel));
const struct outcome *rigproof_await(struct background *run);
#define rigproof_with(...) rigproof_await(rigproof_start(__VA_ARGS__))
#define rigproof(...) rigproof_with(&(struct run_options){0}, __VA_ARGS__)

/* Waits for up to a minute until it has printed that on `stream`, its out or err, behind `*from`, which moves behind it. What was
 * printed in between; fails where it does not come. */
const char *rigproof_says(struct background *run, FILE *stream, size_t *from, const char *part);

/* All that it printed there by now. */
const char *rigproof_said(FILE *stream);

/* A run ended with that exit code; or besides with one line on stderr, "error: ...", and nothing on stdout. */
#define run_gives(status, outcome) require_status(outcome, status, __FILE__, __LINE__)
#define run_fails(status, outcome) require_error(outcome, status, __FILE__, __LINE__)
#define rigproof_gives(status, ...) run_gives(status, rigproof(__VA_ARGS__, NULL))
#define rigproof_fails(status, ...) run_fails(status, rigproof(__VA_ARGS__, NULL))
#define rigproof_good(...) rigproof_gives(0, __VA_ARGS__)
/* It ends with 2, and that is in its line. */
#define rigproof_refuses(part, ...) assert_contains(rigproof_fails(2, __VA_ARGS__)->err, part)

const struct outcome *require_status(const struct outcome *outcome, int status, const char *file, int line);
const struct outcome *require_error(const struct outcome *outcome, int status, const char *file, int line);

/* Fails unless `text` holds each of the parts, or none of them. */
void require_parts(const char *text, const char *const *parts, bool held, const char *file, int line);
#define assert_contains(text, ...) require_parts(text, (const char *const[]){__VA_ARGS__, NULL}, true, __FILE__, __LINE__)
#define assert_lacks(text, ...) require_parts(text, (const char *const[]){__VA_ARGS__, NULL}, false, __FILE__, __LINE__)

size_t count_lines(const char *text);

/* A number token in a text, JSON, CSV or OBJ that is not finite ("nan", "-inf"), or NULL. */
const char *find_not_finite(const char *text);

/* Fails unless the text is one JSON document of finite numbers. Here, because jansson.h and base/json.h do not mix. */
void require_json(const char *text, size_t size);
struct json_t *read_json(const char *text, size_t size); /* the same; the caller's */

/* Names in the scratch folder but ".", "..", as one line with blanks, sorted. */
const char *scratch_listing(void);

/* Memory of malloc() that is freed by scratch_leave; returned. Fails when it is NULL. */
void *keep(void *memory);

/* The scratch folder's path. */
const char *scratch_path(void);

/* As printf() has it; lives until scratch_leave. */
const char *at(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A whole file; lives until scratch_leave. Fails when there is none. */
char *slurp(const char *path, size_t *size);

/* A whole file, in folders that are made on the way. */
void spill(const char *path, const char *content);
void spill_bytes(const char *path, const void *bytes, size_t size);

/* A command line, as printf() has it. Fails unless it succeeds. */
void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool exists(const char *path);
void assert_same_files(const char *a, const char *b);
bool files_equal(const char *a, const char *b);

/* A German locale, the system's or made in the scratch folder: its decimal sign is a comma. `path` is the variable that says
 * where it lies. */
bool german_locale(char path[static 512]);
