#ifndef RIGPROOF_IMPORT_DAE_FILE_H
#define RIGPROOF_IMPORT_DAE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file/file.h"

/* A COLLADA file read a second time, beside Assimp: its tags, and what its animations and the transforms of its nodes are. */

/* A part of the file, not ended by a NUL. `data` is NULL where there is none. */
struct dae_text {
    const char *data;
    size_t length;
};

struct dae_tag {
    const char *begin, *end; /* with its brackets */
    struct dae_text name;
    bool closes; /* </name> */
    bool empty;  /* <name/> */
};

/* The next tag from `at` on; comments, CDATA, declarations are skipped. The file ends at its first NUL. */
bool dae_next_tag(const char *at, struct dae_tag *tag);
bool dae_tag_is(const struct dae_tag *tag, const char *name);

/* The value of an attribute as it stands. */
struct dae_text dae_attribute(const struct dae_tag *tag, const char *name);

enum dae_kind { DAE_SOURCE, DAE_SAMPLER, DAE_CHANNEL, DAE_TRANSLATE, DAE_ROTATE, DAE_SCALE, DAE_MATRIX, DAE_OTHER };

/* <sampler>'s <input>s by their semantic. */
enum dae_input { DAE_TIME, DAE_VALUE, DAE_INTERPOLATION, DAE_IN_TANGENT, DAE_OUT_TANGENT, DAE_INPUTS };

/* An element of <library_animations>, or what moves a node and is no number (DAE_OTHER: <skew>, <lookat>). */
struct dae_item {
    struct dae_text id; /* of a channel and a transform the node's */
    enum dae_kind kind;
    const char *at;                     /* the file's order */
    struct dae_text sid;                /* of a transform, and of the one that a channel moves */
    struct dae_text member;             /* of a channel: ".ANGLE", or empty: the whole transform */
    const char *content;                /* of a transform and of a source's array, up to the next '<' */
    size_t count, stride, offset;       /* of a source */
    struct dae_text inputs[DAE_INPUTS]; /* ids: of a sampler; of a channel the first is its sampler's */
};

struct dae_file {
    size_t count;
    struct dae_item *items; /* by id, then sources, samplers, channels by what they move, transforms as in the file */
};

void dae_file_read(const struct blob *blob, struct dae_file *file);
void dae_file_close(struct dae_file *file);

/* The items of that id; *count of them. */
const struct dae_item *dae_find(const struct dae_file *file, struct dae_text id, size_t *count);
const struct dae_item *dae_find_kind(const struct dae_file *file, struct dae_text id, enum dae_kind kind);

bool dae_text_is(struct dae_text text, const char *expected);
bool dae_texts_are_one(struct dae_text a, struct dae_text b);

/* `count` numbers at the text, freed by the caller; NULL when there are fewer, or one is not finite. */
double *dae_numbers(const char *text, size_t count);

/* All of a source's, without those before its offset. Likewise. */
double *dae_source_numbers(const struct dae_item *source);

#endif
