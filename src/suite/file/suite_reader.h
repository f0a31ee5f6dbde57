#ifndef RIGPROOF_SUITE_SUITE_READER_H
#define RIGPROOF_SUITE_SUITE_READER_H

#include "suite/file/suite_file.h"

/*
 * What the readers of a suite file share: suite_file.c reads the whole, suite_case.c a case. Each returns false with
 * source.err set: "file:line:column: key: what".
 */
struct suite_reader {
    struct suite *suite;
    struct tree tree;
    struct suite_paths paths;
    struct value_source source;
    const struct tree_node *defaults; /* a mapping; NULL: none */
    size_t time_count;                /* times that all cases list together */
    bool noted_instancing;            /* that the key does nothing: once a suite */
};

/* The keys of a case besides the settings: members of struct suite_case. */
enum { CASE_KEYS = 11, ONLY_OF_CASE = 1 /* `group`: makes no sense as a default */ };
extern const struct setting case_keys[CASE_KEYS];

/* Everything but `agrees_with`, whose form alone is checked. */
bool suite_read_case(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping);

/* Reads the defaults for their errors alone. */
bool suite_check_defaults(struct suite_reader *reader);

/* The key of a mapping that says which times to sample, but for `other`; NULL: none does. */
const struct tree_node *suite_time_key(const struct tree_node *mapping, const struct tree_node *other);

/* Counts the times that a case lists against the limit of a suite. */
bool suite_count_times(struct suite_reader *reader, const struct tree_node *at, size_t count);

#endif
