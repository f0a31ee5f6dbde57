#ifndef RIGPROOF_DATA_POSE_PART_H
#define RIGPROOF_DATA_POSE_PART_H

#include <stdbool.h>
#include <stdint.h>

#include <cglm/types.h>

#include "data/scene/scene.h"

/* What of a pose is to be written: which stages, of which nodes, and whether with velocities. */

enum pose_stage {
    POSE_LOCAL = 1 << 0,   /* nodes, to their parents */
    POSE_GLOBAL = 1 << 1,  /* nodes, to the scene */
    POSE_PALETTE = 1 << 2, /* mesh space to scene space */
    POSE_SKIN = 1 << 3,    /* skinned vertices */
    POSE_NODES = POSE_LOCAL | POSE_GLOBAL,
    POSE_STAGES = POSE_LOCAL | POSE_GLOBAL | POSE_PALETTE | POSE_SKIN,
};

/* How a node moves, seen from its parent or from the scene. */
struct motion {
    vec3 linear;  /* units a second, of its origin */
    vec3 angular; /* degrees a second, about the axes of the parent or the scene */
};

struct pose_part {
    unsigned stages;             /* enum pose_stage */
    const bool *nodes;           /* [node_count] those that are wanted, with their palette entries; NULL: all */
    const struct motion *local;  /* [node_count]; NULL: no velocities */
    const struct motion *global; /* [node_count]; NULL: no velocities */
    bool vertices;               /* positions and normals with the stage skin */
};

/* Whether the part has that node, NULL being everything. */
static inline bool pose_part_has(const struct pose_part *part, uint32_t node)
{
    return !part || !part->nodes || part->nodes[node];
}

#endif
