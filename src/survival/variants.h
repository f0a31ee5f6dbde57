#ifndef RIGPROOF_SURVIVAL_VARIANTS_H
#define RIGPROOF_SURVIVAL_VARIANTS_H

#include "data/pose/pose.h"
#include "survival/survival.h"

/*
 * A model as an engine has it: a copy of the scene of which one thing is other. Nodes, meshes, bones and channels are
 * copies, their arrays belong to the original until a function below replaces them.
 */
struct variant {
    struct scene scene;
    enum palette_space space;
    bool drops_morphs; /* else the original's morph weights, whatever moves them */
    bool wraps_end;    /* time = duration shows time 0: fmod() */
    bool blends_normals; /* degrees are measured: normals by the blended matrix */
};

/* What a row of the table of checks changes: false where this model has nothing of that, or it cannot be computed. `number`
 * is the row's. */
typedef bool variant_maker(const struct survival_input *input, int number, struct variant *variant);

/* Few need all of it. */
#define VARY(name) \
    bool name(__attribute__((unused)) const struct survival_input *input, __attribute__((unused)) int number, \
              struct variant *variant)

/* Which offset matrix a bone has in all meshes: LearnOpenGL keeps the first of its name, ogldev the last. */
enum { OFFSET_FIRST, OFFSET_LAST };
variant_maker vary_offsets;

/* Four influences of a vertex: */
enum {
    FOUR_FIRST,   /* that come, bone by bone; not rescaled */
    FOUR_ASSERTS, /* the same, and the fifth asserts */
    FOUR_OVER_01, /* of those above 0.1; not rescaled */
    FOUR_LARGEST, /* rescaled to the sum of all */
};
variant_maker vary_influences;
variant_maker vary_byte_weights; /* in bytes, divided by 255; `number`: divided by their sum */
variant_maker vary_weight_sums;  /* as the file has them */

variant_maker vary_tick_rate; /* truncated to a whole number */
variant_maker vary_no_ticks;  /* 0 ticks per second stay 0 */

/* Before the first key: */
enum {
    LATE_EXTRAPOLATES, /* the first pair goes on */
    LATE_IDENTITY,     /* from the identity at time 0 */
};
variant_maker vary_late_keys;

/* Of a component without keys: */
enum {
    ABSENT_IDENTITY,
    ABSENT_ZERO, /* of the translation alone: T's zero position */
};
variant_maker vary_absent_keys;
variant_maker vary_interpolation; /* linear through the importer's keys */
variant_maker vary_pivots;        /* $AssimpFbx$ nodes whose transforms the channels below hold too */
variant_maker vary_root;          /* multiplied by the inverse root transform */
variant_maker vary_morphs;
variant_maker vary_end;
variant_maker vary_normals;

/* All of Assimp's faults together: of a copy of the raw scene. A channel moves all nodes of its name, a bone follows: */
enum {
    IMPORT_FIRST_NAME, /* the first of them */
    IMPORT_LAST_NAME,
};
variant_maker vary_import;

/* Weights of a vertex add up to 1 within this. */
#define WEIGHT_SUM_TOLERANCE 1e-3
double weight_sum(const struct mesh *mesh, uint32_t vertex);

/* A bone of the file, not put there by a repair. */
static inline bool is_own_bone(const struct mesh *mesh, uint32_t bone)
{
    return !mesh->bones[bone].follows_mesh_node;
}

/* The warning that bones have no node of their name, or NULL. */
const char *find_lost_bones(const struct scene *scene);

/* Whether the raw scene's vertices, influences and channels can be held against the scene's one by one. */
bool raw_matches(const struct survival_input *input);

#endif
