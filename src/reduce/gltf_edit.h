#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/arena.h"
#include "data/gltf_document.h"

/*
 * A glTF file taken apart, so that parts of it can be left out: its JSON without accessors, and the numbers of each
 * accessor as stored. Copies share numbers, which are never changed in place.
 */
struct gltf_edit {
    struct arena *arena; /* of the numbers; shared by copies */
    json_t *root;
    uint32_t accessor_count;
    struct gltf_column *accessors; /* without targets and ranges */
    int32_t clip; /* animation that plays; -1: none */
};

/* Reads glTF or GLB with what is beside it. False with err set: anything else is refused by its name. */
bool gltf_edit_open(const char *path, struct arena *arena, struct gltf_edit *out, struct error *err);
struct gltf_edit gltf_edit_copy(const struct gltf_edit *edit);
void gltf_edit_release(struct gltf_edit *edit);

/* Takes what the shown scene does not reach out of the JSON and renumbers the rest, the clip too. */
void gltf_edit_prune(struct gltf_edit *edit);

/* Writes what was pruned as glTF with an embedded buffer of the accessors that it names. False, and nothing is written,
 * where it would not be legal: a skin has lost its joints or their common root. */
bool gltf_edit_write(const struct gltf_edit *edit, struct text *out);

/* The list of that name in an object; never NULL, empty where there is none (borrowed). */
json_t *edit_list(const json_t *object, const char *name);
/* A whole number below `most`, else -1. */
int32_t edit_index(const json_t *object, const char *name, uint32_t most);

/* The things that a walk comes by, of which `count` from `first` on are left out; and by how many it came. */
struct cut {
    uint32_t first, count, at;
};

/* Returns whether the next thing is left out. */
bool cut_takes_next(struct cut *cut);

/* Leaves items of a list out, unless fewer than `least` would stay. */
void edit_leave_out(json_t *owner, const char *key, uint32_t least, struct cut *cut);

/* Keeps those of the first `count` items of a list for which `keeps` says so; a list without any goes. */
void edit_keep_items(json_t *owner, const char *key, const bool *keeps, uint32_t count);

/* Takes the members that the glob matches out of an object and all objects below it. */
void edit_strip(json_t *value, const char *glob);

/* The data URI of a picture of one pixel. */
extern const char edit_smallest_image[];

/* The accessor that a member names, or NULL; the second gives one that several use to this one alone, to be changed. It
 * stays where it is until the next one is made. */
struct gltf_column *edit_values(const struct gltf_edit *edit, const json_t *owner, const char *key);
struct gltf_column *edit_own(struct gltf_edit *edit, json_t *owner, const char *key);

/* Keeps the blocks of `each` elements for which [count / each] `keeps` says so, as new numbers. */
void edit_keep(struct gltf_edit *edit, struct gltf_column *values, const bool *keeps, uint32_t each);

/* Kinds of things that can be left out or made simpler. A walk with an empty cut changes nothing, and counts them. */
typedef void reduction_walk(struct gltf_edit *edit, struct cut *cut);
enum { REDUCTIONS = 17 };
extern reduction_walk *const reductions[REDUCTIONS];
uint32_t reduction_count(reduction_walk *walk, struct gltf_edit *edit);

/* Those of meshes. */
reduction_walk walk_primitives, walk_attributes, walk_triangles, walk_targets;
