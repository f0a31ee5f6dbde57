#pragma once

#include "data/scene/pose.h"

/*
 * The bind pose: where no vertex is deformed, because all palette entries of a mesh are one transform,
 *
 *     bone_to_scene(b) * mesh_to_bone(m, b) = mesh_to_scene(m)    for every bone b that holds vertices of mesh m.
 *
 * The rest pose, the nodes' own transforms, may be another: a file may be saved in the middle of a stride.
 *
 * Offset matrices fix how the bones of a mesh stand to each other, and bones that meshes share fix how these meshes do.
 * A group of meshes as a whole stands where its first mesh's node has it, or the node that its skeleton hangs on, or
 * the root: whichever is nearest to the rest pose, of equally near ones the first (formats differ in which they mean).
 * Where all of these are turned by more than 45 degrees, scaled by more than 5/4 or mirrored against the root bone,
 * that bone stays where the rest pose has it, and the mesh is not stretched with it. Nodes that no offset speaks of
 * keep their rest transforms to their parents. Morph weights are those at rest.
 */
struct bind_pose {
    struct pose pose;    /* with globals; the rest pose bit by bit where that is a bind pose */
    bool is_rest;        /* the rest pose deforms no vertex by more than BIND_TOLERANCE */
    double displacement; /* from one pose to the other: the largest of a vertex by a bone that holds it */
    uint32_t worst_node; /* that bone; 0 when nothing is displaced */
};

/* Displacements are shares of the model's radius at rest. */
#define BIND_TOLERANCE 1e-4

/*
 * The pose is in the arena. False with err set, which names meshes and bones, where offset matrices contradict each
 * other or have no inverse: then no pose leaves all vertices undeformed.
 */
bool bind_pose_solve(const struct scene *scene, struct arena *arena, struct bind_pose *out, struct error *err);
