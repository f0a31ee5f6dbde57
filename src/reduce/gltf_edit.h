#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/arena.h"
#include "data/gltf_document.h"

/*
 * A glTF file taken apart, so that parts of it can be left out: its JSON without accessors, each channel with a sampler
 * of its own in place of its number, and the numbers of each accessor as stored. A member that names an accessor names
 * one of its own. Copies share numbers, which are never changed in place.
 */
struct gltf_edit {
    struct arena *arena; /* of the numbers; shared by copies */
    json_t *root;
    uint32_t column_count;
    struct gltf_column *columns; /* without targets and ranges */
    int32_t clip; /* animation that plays; -1: none */
};

/* Reads glTF or GLB with what is beside it. False with err set: anything else is refused by its name. */
bool gltf_edit_open(const char *path, struct arena *arena, struct gltf_edit *out, struct error *err);
struct gltf_edit gltf_edit_copy(const struct gltf_edit *edit);
void gltf_edit_release(struct gltf_edit *edit);

/* Takes nulls out of the JSON, and what the shown scene does not reach, and renumbers the rest, the clip too. */
void gltf_edit_prune(struct gltf_edit *edit);

/* Writes what was pruned as glTF with an embedded buffer of the numbers that it names. False, and nothing is written,
 * where it would not be legal: a skin has lost its joints or their common root. */
bool gltf_edit_write(const struct gltf_edit *edit, struct text *out);

/*
 * Calls `visit` for each value that a path leads to: names or their globs, parted by "/"; "*" is also an item of a
 * list, "**" any number of levels. What it returns takes the value's place: json_null() where it is left out, NULL
 * where it stays.
 */
#define EDIT_UNUSED __attribute__((unused))
typedef json_t *edit_visit(json_t *value, const char *key, void *context);
void edit_walk(json_t *value, const char *path, edit_visit *visit, void *context);
edit_visit edit_leave_out;

/* The data URI of a picture of one pixel. */
extern const char edit_smallest_image[];

/* Lists where accessors are named. */
extern const struct edit_accessors {
    const char *path;
    enum gltf_view_target target;
} edit_accessors[];
enum { EDIT_ACCESSORS = 6 };

/* The list of that name in an object; never NULL, empty where there is none (borrowed). */
json_t *edit_list(const json_t *object, const char *name);
uint32_t edit_count(const struct gltf_edit *edit, const char *list); /* of a list of the file */
/* A whole number below `most`, else -1. */
int32_t edit_index(const json_t *object, const char *name, uint32_t most);
/* The item of a list of the file whose number a member is, or NULL. */
json_t *edit_item(const struct gltf_edit *edit, const char *list, const json_t *owner, const char *key);

/* Keeps those of a list of the file for which `wanted` says so, and renumbers all that names them. */
void edit_keep_items(struct gltf_edit *edit, const char *list, const bool *wanted);

/* The numbers that a member names, or NULL; the second keeps the blocks of `each` elements for which [count / each]
 * `keeps` says so. */
struct gltf_column *edit_column(const struct gltf_edit *edit, const json_t *owner, const char *key);
void edit_keep(const struct gltf_edit *edit, struct gltf_column *column, const bool *keeps, uint32_t each);

/* Takes nodes out of all skins, in each of which one joint stays at least. */
void edit_remove_joints(struct gltf_edit *edit, const bool *removed);

enum { EDIT_SLOTS = 8 };
/* Influences become those of other joints, by place[joint_count] where it is given, a negative one of the first joint;
 * weights of dropped slots go to the first. Two of one joint become one, and a second set without weights goes. */
void edit_influences(struct gltf_edit *edit, json_t *attributes, const int32_t *place, uint32_t joint_count,
                     const bool dropped[EDIT_SLOTS]);

/* The things that a walk comes by, of which `count` from `first` on are left out; and by how many it came. */
struct cut {
    uint32_t first, count, at;
};

/* Kinds of things that can be left out or made simpler. A walk with an empty cut changes nothing, and counts them. */
enum { REDUCTIONS = 16 };
void reduction_walk(uint32_t reduction, struct gltf_edit *edit, struct cut *cut);
uint32_t reduction_count(uint32_t reduction, struct gltf_edit *edit);
