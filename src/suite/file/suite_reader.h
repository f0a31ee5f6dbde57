#ifndef RIGPROOF_SUITE_SUITE_READER_H
#define RIGPROOF_SUITE_SUITE_READER_H

#include "suite/file/suite_file.h"
#include "suite/file/suite_paths.h"
#include "suite/file/yaml_tree.h"

/*
 * What the readers of a suite file share: suite_file.c reads the whole, suite_case.c the keys of a case,
 * suite_setting.c those that are settings. Each returns false with reader->err set: "file:line:column: key: what".
 */
struct suite_reader {
    struct suite *suite;
    struct tree tree;
    struct suite_paths paths;
    const struct tree_node *defaults; /* a mapping; NULL: none */
    size_t time_count;                /* times that all cases list together */
    bool noted_instancing;            /* that the key does nothing: once a suite */
    struct error *err;
};

/* A number that a mapping may hold, or a mapping of such numbers in it. */
struct number_field {
    const char *name;
    double least, most;
    bool whole;
    double *target;
    const struct number_field *inside; /* [inside_count]; NULL: a number */
    size_t inside_count;
};

/* ---- suite_values.c: what any key may hold ---------------------------------------------------------------------- */

bool suite_fail(struct suite_reader *reader, const struct tree_node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "WHAT `name`; did you mean `x`?", or the list of what there is. Returns false. */
bool suite_fail_unknown(struct suite_reader *reader, const struct tree_node *at, const char *what, const char *name,
                        const char *const *names, size_t count);

/* One value with something in it; NULL with the error set. `key` is for the message. */
const char *suite_text(struct suite_reader *reader, const char *key, const struct tree_node *value);
bool suite_number(struct suite_reader *reader, const char *key, const struct tree_node *value,
                  const struct number_field *limits);
bool suite_bool(struct suite_reader *reader, const char *key, const struct tree_node *value, bool *out);
/* The position in a list of words, or -1. */
int suite_word(struct suite_reader *reader, const char *key, const struct tree_node *value, const char *const *words,
               size_t count);
bool suite_is_mapping(struct suite_reader *reader, const char *key, const struct tree_node *value);
/* A mapping of numbers; those that it does not hold stay as they are. */
bool suite_numbers(struct suite_reader *reader, const char *key, const struct tree_node *value,
                   const struct number_field *fields, size_t count);

/* The elements of a list, or the one value that stands for a list of one; empty lists are errors. */
struct value_list {
    size_t count;
    const struct tree_node *const *items;
};
bool suite_list_of(struct suite_reader *reader, const char *key, const struct tree_node *const *value,
                   struct value_list *out);

/* ---- suite_setting.c -------------------------------------------------------------------------------------------- */

/* A key that is a row of setting_table. */
bool suite_read_setting(struct suite_reader *reader, struct suite_case *test, const struct setting *setting,
                        const struct tree_node *value);

/* Whether it says which times to sample: of those keys a mapping may hold one. */
bool suite_is_time_key(const char *name);
bool suite_has_time_key(const struct tree_node *mapping);

/* Counts the times that a case lists against the limit of a suite. */
bool suite_count_times(struct suite_reader *reader, const struct tree_node *at, size_t count);

/* ---- suite_case.c ----------------------------------------------------------------------------------------------- */

/* Everything but `agrees_with`, whose form alone is checked. */
bool suite_read_case(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping);

/* Reads the defaults for their errors alone. */
bool suite_check_defaults(struct suite_reader *reader);

#endif
