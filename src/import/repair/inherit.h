#pragma once

#include "import/scene/convert.h"

/*
 * FBX' InheritType says how a model takes over the scale of its parent. With S_p the parent's scale and X what that one
 * took over, a model with translation T, rotation R and scale s is below its parent
 *   RSrs: T R s                as Assimp has all of them
 *   Rrs:  T S_p^-1 R (X s)     it leaves out its parent's scale
 *   RrSs: T S_p^-1 R (S_p s)   it takes it over axis by axis
 * (FBX SDK, FbxTransform::EInheritType; T is scaled by S_p in each of them). A node for S_p^-1 is put above the model,
 * or above its pivots that turn (inherit_nodes.c), and keys of clips follow the scales of the file (repair_inherit.c).
 */
enum inherit_type { RrSs, RSrs, Rrs };

/* A node that takes a parent's scale back, and the model below it. Scales are products of those of nodes. */
struct inherit {
    int32_t place; /* in Assimp's tree: the node is put above that one */
    uint32_t node, model;
    bool has_translation; /* the model itself has it, no pivot */
    uint32_t back_count, taken_count;
    uint32_t *back;  /* whose scales are taken back */
    uint32_t *taken; /* whose scales the model has besides its own */
};

/* Returns whether the node of that name is such a pivot: "Translation", "Scaling". */
bool is_pivot(const char *name, const char *which);
