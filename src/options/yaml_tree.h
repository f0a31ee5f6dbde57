#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/file/file.h"
#include "base/text.h"

/*
 * A YAML file as a tree of texts, lists and mappings that know their place in the file. Every scalar is text; what it
 * means is the reader's business. Aliases share the node of their anchor.
 *
 * Refused, with file, line and column: what is no YAML, no or more than one document, a key twice in a mapping, keys
 * that are not text, tags, the NUL character, and what is too large: 16 MiB of text, or what aliases make of less.
 */

enum tree_kind { TREE_TEXT, TREE_LIST, TREE_MAPPING };

struct tree_node {
    enum tree_kind kind;
    int line;   /* from 1 */
    int column; /* from 1, in characters */
    size_t weight;                        /* about its bytes in memory, aliases counted each time */
    const char *text;                     /* of a text */
    size_t count;                         /* elements of a list, pairs of a mapping */
    const struct tree_node *const *items; /* elements; of a mapping the values */
    const struct tree_node *const *keys;  /* of a mapping, in the file's order: texts */
};

struct tree {
    const char *path; /* as given, for messages */
    char hash[17];    /* bytes_hash() of the file */
    const struct tree_node *root;
};

/* The memory that a tree may take of the arena, and the weight of all nodes. With its place in a list and what the
 * arena rounds up a node takes at most three times its weight. */
enum { TREE_MOST_MEMORY = 640 << 20, TREE_MOST_WEIGHT = TREE_MOST_MEMORY / 3 };

/* Reads a file; the nodes are in the arena. False with err set (exit code 2). */
bool yaml_tree_read(struct tree *tree, const char *path, struct arena *arena, struct error *err);

/* The same of a file that is in memory; `path` is for messages. */
bool yaml_tree_parse(struct tree *tree, const char *path, const struct blob *file, struct arena *arena,
                     struct error *err);

/* The value of a key, or NULL; of its key node in `key` (may be NULL). */
const struct tree_node *tree_get(const struct tree_node *mapping, const char *name, const struct tree_node **key);

/* Appends a node without comments, layout and anchors: the same text for the same content. */
void tree_write(const struct tree_node *node, struct text *out);

/* Sets "path:line:column: " and the message, with exit code 2. Returns false. */
bool tree_error(const struct tree *tree, const struct tree_node *at, struct error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
