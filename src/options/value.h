#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"
#include "base/text.h"
#include "options/suite_paths.h"
#include "options/yaml_tree.h"

/*
 * Tables say what a command line or a suite file may hold: a row is one option or key, with its type, its limits and
 * where it goes. A type reads its values from both; a text of a command line is a node of a tree on its own.
 */
struct setting;

/* Says where values come from, for messages: "--size: ..." or "suite.yaml:5:9: size: ...". */
struct value_source {
    const struct tree *tree;         /* of a suite; NULL: a command line */
    const struct suite_paths *paths; /* of a suite: where its files may be */
    struct arena *arena;             /* of a suite: for texts that are made of its own */
    /* of a case: the first that value_absent() was told; NULL: what is not there is refused */
    const char **absent;
    const struct setting *row;       /* what is being read, */
    const char *key;                 /* for people: "size", "tolerance.pixels.delta" */
    struct error *err;
};

/* The forms that a type reads in a suite, as bits: for its JSON Schema. */
enum value_form {
    FORM_TEXT = 1 << 0, /* any scalar */
    FORM_FLAG = 1 << 1, FORM_NUMBER = 1 << 2, FORM_WHOLE = 1 << 3,
    FORM_WORD = 1 << 4,    /* of the row's */
    FORM_LIST = 1 << 5,    /* of these, or one alone */
    FORM_MAPPING = 1 << 6, /* by the row's fields, where it has any */
    FORM_REPEATED = 1 << 7, /* a command line may have several, which all count */
};

/* `target`: the member of source->row. False with the error set. */
struct value_type {
    bool (*read)(struct value_source *source, void *target, const struct tree_node *value);
    /* as in recorded.json; NULL: never */
    void (*write)(const struct setting *row, const void *target, struct text *out);
    unsigned form; /* enum value_form */
};

struct setting {
    const char *name;       /* "clip": --clip on a command line, `clip:` in a suite */
    const char *value_name; /* "NAME|INDEX"; NULL: a flag that takes no value */
    const char *help;       /* '\n' between its lines */
    unsigned group;         /* enum setting_group; 0: a command's own option */
    const struct value_type *type;
    size_t offset; /* of the member, in the struct whose row it is, */
    size_t size;
    void *variable; /* or the variable itself */

    char letter;              /* of a command's own option */
    double least, most;       /* of numbers */
    const char *const *words; /* [word_count] */
    size_t word_count;
    const int *values; /* of the words; NULL: their indices */
    const char *also;  /* a word beside them: word_count; no bits; for a number 0 */
    int kind;          /* what a type wants to know besides */
    const struct setting *fields; /* [field_count], of a mapping */
    size_t field_count;
    const char *not_in_suite; /* why a suite has no such key; NULL: it has */
    unsigned scope;           /* enum setting_scope: what depends on it */
    /* its place in recorded.json, from 1; 0: it is not there. From RECORDED_WHERE_GIVEN on not where default */
    int recorded;
};

/* For the end of a row: a member of a struct, a variable, an array of words, a table of fields. */
#define VALUE_IN(type, member) offsetof(type, member), sizeof(((type *)0)->member), NULL
#define VALUE_OF(variable) 0, sizeof(variable), &(variable)
#define VALUE_WORDS(array) .words = (array), .word_count = sizeof(array) / sizeof(array)[0]
#define VALUE_FIELDS(array) .fields = (array), .field_count = sizeof(array) / sizeof(array)[0]

enum { OPTION_LIST_MOST = 256 };
struct option_list {
    const char *items[OPTION_LIST_MOST];
    size_t count;
};

/* More about a type, in `kind`: a number's limits are for its magnitude; bits add to those that are there. */
enum { VALUE_EITHER_SIGN = 1, VALUE_BITS_ADD };

extern const struct value_type value_flag;   /* bool; true or false in a suite */
/* const char *, not empty, NUL-terminated where it stood; "none" where it is NULL */
extern const struct value_type value_text;
extern const struct value_type value_texts;  /* struct option_list *: may be given several times */
extern const struct value_type value_number; /* double or float, from least to most */
extern const struct value_type value_count;  /* a whole number: int, unsigned, size_t or long */
extern const struct value_type value_word;   /* enum, int or bool: one of the words */
extern const struct value_type value_bits;   /* unsigned: bit i for word i, of a list */
extern const struct value_type value_size;   /* uint32_t [2], each from least to most: WxH or [W, H] */
extern const struct value_type value_vector; /* float [N], each at most as large: X:Y:Z or [X, Y, Z], X:Y or [X, Y] */
extern const struct value_type value_colour; /* uint8_t [4]: RRGGBB or RRGGBBAA */
extern const struct value_type value_fields; /* a mapping by `fields`, whose members are in the row's */

/* Reads a value by its row into a member of `base`. False with source->err set. */
bool value_read(struct value_source *source, const struct setting *row, void *base, const struct tree_node *value);

/* The same for a mapping by these rows, whose members are in `target`; source->row is another afterwards. */
bool value_read_fields(struct value_source *source, const struct setting *fields, size_t count, void *target,
                       const struct tree_node *value);

/* Returns whether a command line may give it several times: otherwise a second value would replace the first. */
bool value_is_repeatable(const struct setting *row);

/* "PLACE: key: ...". Returns false. */
bool value_fail(struct value_source *source, const struct tree_node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A key that is not one of the rows'; the nearest is suggested. Returns false. */
bool value_unknown_key(struct value_source *source, const struct tree_node *key, const struct setting *rows,
                       size_t count);

/* One value with something in it; NULL with the error set. On a command line it may be empty. */
const char *value_string(struct value_source *source, const struct tree_node *value);

/* A mapping is wanted: false with the error set. */
bool value_is_mapping(struct value_source *source, const struct tree_node *value);

/* Reports a file that cannot be read: as the error of a suite's case, which is noted (true), else by value_fail(). */
bool value_absent(struct value_source *source, const struct tree_node *at, const char *why);

/* A file, in a suite in its tree -> what to open, which may be value_absent(). NULL with the error set. */
const char *value_file(struct value_source *source, const struct tree_node *at, const char *name);

/* The row of that name, `length` characters, or NULL. */
const struct setting *value_find(const struct setting *rows, size_t count, const char *name, size_t length);

/*
 * A name that is typed among other signs stands in double quotes where it holds one of them: "a,b=c". It ends at the
 * first quote behind which `sign` stands, or the text ends. Without quotes nothing: NULL.
 */
struct slice value_quoted_name(const char *text, size_t length, char sign);
void value_add_name(struct slice name, bool is_quoted, struct text *out);

/*
 * Walks over the elements of a list, or the one value that stands for a list of one, and in each over what `separator`
 * parts. An empty list is an error.
 */
struct value_walk {
    const struct tree_node *value;
    char separator;
    size_t item;
    const char *rest;
    const struct tree_node *at; /* where the part stands */
    struct slice part;
    bool failed; /* the error is set */
};
bool value_next(struct value_source *source, struct value_walk *walk);
