#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file/file.h"
#include "base/slice.h"

/* A COLLADA file read a second time, beside Assimp: the tree of its elements, which keep their places in the text. */

struct dae_element {
    struct slice name, id;
    const char *begin, *inside, *close, *end; /* <name ...>, what follows it, </name>, what follows that */
    uint32_t parent, child, next, last;       /* indices of elements; 0: none, and as a parent the file */
};

struct dae_file {
    uint32_t count;
    struct dae_element *elements; /* in the file's order: of an element's subtree each begins before its end */
    uint32_t id_count;
    struct dae_id {
        struct slice id;
        uint32_t element;
    } * by_id;           /* sorted, then as in the file */
    const char *problem; /* why it is no XML that is read here, and there are no elements; NULL: it is */
};

/* dae_file_close() in any case; the blob must outlive the file. */
void dae_file_read(const struct blob *blob, struct dae_file *file);
void dae_file_close(struct dae_file *file);

/* The first child of that name, the next sibling of that name; 0: there is none. */
uint32_t dae_child(const struct dae_file *file, uint32_t element, const char *name);
uint32_t dae_next(const struct dae_file *file, uint32_t element, const char *name);

/* The next element of that name, at any depth; after 0 the first one. 0: there is none. */
uint32_t dae_following(const struct dae_file *file, uint32_t element, const char *name);

/* The element of that id, and the one that an attribute "#id" means: 0 when it is not in the file. Of several,
 * though ids are unique, it is the first that is a `name`. */
uint32_t dae_find(const struct dae_file *file, struct slice id, const char *name);
uint32_t dae_reference(const struct dae_file *file, uint32_t element, const char *attribute, const char *name);

/* The <input> of a semantic that an element has: what its `source` means. */
uint32_t dae_input(const struct dae_file *file, uint32_t element, const char *semantic);

bool dae_is(const struct dae_file *file, uint32_t element, const char *name);
bool dae_is_below(const struct dae_file *file, uint32_t element, uint32_t above); /* or the same */

/* The value of an attribute, and what is between an element's tags, as it stands. */
struct slice dae_attribute(const struct dae_file *file, uint32_t element, const char *name);
struct slice dae_inside(const struct dae_file *file, uint32_t element);

/* The next word of a text, which moves behind it; of no length at its end. */
struct slice dae_word(struct slice *text);

/* `count` numbers at the text, freed by the caller; NULL when there are fewer, or one is not finite. */
double *dae_numbers(const char *text, size_t count);

/* A <source>: the text of its array, and what its accessor says. */
struct dae_source {
    struct slice content;
    size_t count, stride, offset;
};
struct dae_source dae_source_of(const struct dae_file *file, uint32_t element);

/* All of a source's numbers, without those before its offset. Likewise. */
double *dae_source_numbers(const struct dae_source *source);
