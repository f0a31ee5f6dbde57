#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/text.h"

/*
 * A glTF file taken apart, so that parts of it can be left out: its JSON without accessors, and the numbers of each
 * accessor as stored. Copies share numbers, which are never changed in place.
 */
struct gltf_values {
    double *numbers; /* [count * width] */
    uint32_t count, width;
    int component; /* glTF's code: 5126 and so on */
    bool is_normalised;
};

struct gltf_edit {
    struct arena *arena; /* of the numbers; shared by copies */
    json_t *root;
    uint32_t accessor_count;
    struct gltf_values *accessors;
    int32_t clip; /* animation that plays; -1: none */
};

/* Reads glTF or GLB with what is beside it. False with err set: anything else is refused by its name. */
bool gltf_edit_open(const char *path, struct arena *arena, struct gltf_edit *out, struct error *err);
struct gltf_edit gltf_edit_copy(const struct gltf_edit *edit);
void gltf_edit_release(struct gltf_edit *edit);

/* Writes what the scene reaches, renumbered, as glTF with an embedded buffer; *clip becomes the animation's new
 * number. False, and nothing is written, where it would not be legal: a skin has lost its joints. */
bool gltf_edit_write(const struct gltf_edit *edit, int32_t *clip, struct text *out);

/* The list of that name in an object; never NULL, empty where there is none (borrowed). */
json_t *edit_list(const json_t *object, const char *name);
/* A whole number below `most`, else -1. */
int32_t edit_index(const json_t *object, const char *name, uint32_t most);

/* Kinds of things that can be left out or made simpler: how many there are, and without `count` of them from `first`
 * on. */
struct reduction {
    const char *name;
    uint32_t (*count)(const struct gltf_edit *edit);
    void (*leave_out)(struct gltf_edit *edit, uint32_t first, uint32_t count);
};
enum { REDUCTIONS = 14 };
extern const struct reduction reductions[REDUCTIONS];
