#pragma once

#include "base/text.h"
#include "data/record/snapshot.h"

/* Says who holds what: the skeleton as a tree, with what each bone holds of each mesh, and the weights of each mesh. */

/* A palette entry as a node's hold on a mesh. Of a rigid mesh its node holds all, with weight 1. */
struct bone_hold {
    uint32_t palette;  /* its index in the palette */
    const char *mesh;
    const char *label; /* of the mesh, for people: numbered where several have its name */
    uint32_t vertices; /* with a weight of it */
    float sum;         /* of these weights */
    float largest;     /* of these weights */
    float share;       /* sum by the sum of all weights of the mesh: the shares of a mesh add up to 1 */
    float influence_radius; /* of the farthest vertex with a weight above 0, from the bone's origin in bone space */
};

/* A node of the skeleton: a bone, one with a palette entry, one above either, or an exporter's `..._end` of a bone. */
struct bone_row {
    uint32_t depth;   /* rows above it, parent by parent; 0: a root */
    const char *name;
    const char *parent; /* NULL: the root */
    bool is_bone;
    bool is_leaf;     /* a bone without bones below */
    bool is_end;      /* its name ends in `_end` */
    const char *color; /* "#rrggbb", what the view `bones` shows it in; NULL where it holds nothing */
    uint32_t hold_count;
    struct bone_hold *holds;
};

struct mesh_weights {
    const char *name;
    const char *label; /* as above */
    uint32_t vertices;
    uint32_t bones;          /* 0: a rigid mesh; the rest is then 0 */
    uint32_t influence_slots;
    const uint32_t *influences; /* [influence_slots] vertices with 0, 1, 2 ... influences, the 17th with 16 and more */
    uint32_t most_influences;   /* of a vertex */
    float least_sum;            /* of the weights of a vertex: 1 in a sound mesh */
    float largest_sum;
};

struct bone_account {
    const char *model;
    const char *assimp_version;
    uint32_t palette_count;
    uint32_t bone_count;
    uint32_t row_count;
    struct bone_row *rows; /* the tree, parents before children */
    uint32_t mesh_count;
    struct mesh_weights *meshes;
};

#define BONES_FORMAT "rigproof.bones/1"

/* In an arena of snapshot_bytes(). */
struct bone_account *bones_gather(const struct scene *scene, struct arena *arena);

/* "2 bones" and a line with how many vertices have how many influences, as count_influences() has it. */
void influences_write_text(uint32_t bones, const uint32_t *counts, uint32_t slots, struct text *out);

/* Writes what `inspect --bones` prints, and with --json. */
void bones_write_text(const struct scene *scene, struct text *out);
void bones_write_json(const struct scene *scene, struct text *out);
