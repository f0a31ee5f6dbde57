#pragma once

#include "data/affine_d.h"
#include "data/record/snapshot.h"

/* The nodes of a snapshot by index: where they stand, and how far from a node the vertices are that move with it. */
struct skeleton {
    size_t count;
    struct name_index names;
    int32_t *parents; /* < own index, or NO_INDEX */
    struct affine_d *node_to_scene;
    double *own_radius; /* node space: farthest vertex it holds as a bone, or corner of a mesh that hangs on it */
    double *influence_radius;     /* scene units: of what hangs on it, see skeleton_measure() */
};

/* Returns where the nodes of an import stand at rest: products of their local transforms. */
struct skeleton skeleton_of_import(const struct import_snapshot *import, struct arena *arena);

/* As the pose has it. own_radius is left 0. */
struct skeleton skeleton_of_pose(const struct pose_snapshot *pose, struct arena *arena);

/* influence_radius[i]: the largest, over node i and 1000 generations below, of the distance between the origins plus
 * that node's own radius times its scale; at least `least`. */
void skeleton_measure(struct skeleton *skeleton, double least);

/* Points along node i's axes, both ways, in its space: at `own`, or at what is `least` in the scene where that is
 * more. An axis scaled to less than a thousandth counts as unscaled: bones are hidden that way. */
void skeleton_points(const struct skeleton *skeleton, size_t i, double own, double least, double points[6][3]);

/* Those by which a change of the node's own transform is judged: at what hangs on it. */
void skeleton_probe_points(const struct skeleton *skeleton, size_t i, double points[6][3]);

/* [import->mesh_count] what meshes are called in fields and sentences: "body", "body #1" of several. */
const char **import_label_meshes(const struct import_snapshot *import, struct arena *arena);

/* The distances in import.json, sorted for finding. */
struct radius_table {
    size_t count;
    struct radius_row *rows;
};

struct radius_table radius_table_create(const struct import_snapshot *import, struct arena *arena);

/* The offset matrix of a bone of a mesh, the identity of a rigid mesh; NULL when that is not known. */
const vec4 *radius_table_find_offset(const struct radius_table *table, const char *bone, const char *mesh);

/* In bone space; the largest where several have these names. `mesh` NULL: of any mesh. 0 when none is known. */
double radius_table_find(const struct radius_table *table, const char *bone, const char *mesh);
