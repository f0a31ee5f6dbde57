#ifndef RIGPROOF_IMPORT_CONVERT_H
#define RIGPROOF_IMPORT_CONVERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <assimp/scene.h>

#include "base/error.h"
#include "data/scene/scene.h"
#include "import/import.h"

/*
 * aiScene -> struct scene, inside the child process. The order of things is kept, so that a repair can go
 * back to the source: scene->meshes[i] is mMeshes[i], scene->clips[i] is mAnimations[i], a clip's channels
 * are mChannels followed by those that repairs add, and the nodes are the aiNode tree in pre-order.
 *
 * Weights and keys are converted as they come, NaN included: finish_weights() and finish_clips() check them
 * once the glTF repairs had their chance to replace them.
 */

struct named_node {
    const char *name;
    uint32_t node;
};

struct conversion {
    struct scene *scene;
    const struct aiScene *source;
    uint32_t repairs; /* enum repair */
    uint32_t flags;   /* aiProcess_ bits that Assimp ran with */
    struct error *err;

    const struct aiNode **nodes;      /* [scene->node_count], in scene order */
    struct named_node *nodes_by_name; /* [scene->node_count], by name, then by node */
    int32_t *mesh_node;               /* [scene->mesh_count] the first node a mesh hangs on, or NO_INDEX */
    uint32_t *mesh_uv;                /* [scene->material_count] the UV set of the material's base texture */
};

/* The whole conversion. False with c->err set. */
bool convert_scene(struct conversion *c);

bool convert_nodes(struct conversion *c);
bool convert_materials(struct conversion *c);
bool convert_meshes(struct conversion *c);
bool convert_clips(struct conversion *c);
void convert_cameras(struct conversion *c);

/* The morph targets of a mesh, and the morph channels of a clip. */
bool convert_targets(struct conversion *c, struct mesh *mesh, const struct aiMesh *source);
bool convert_morph_channels(struct conversion *c, struct clip *clip, const struct aiAnimation *source,
                            double rate);

/* False with c->err set when the instances have too many morph weights. */
bool check_weights_of_pose(struct conversion *c);

/* Smooth normals, weighted by area, shared by vertices at the same place. Zero where there is no area. */
void compute_normals(struct mesh *mesh);

/* The texture that a material refers to by `name`: read once, a checker with a warning when it cannot be. */
int32_t convert_texture(struct conversion *c, const char *name);

/* Checks, merges and sorts the weights; repairs "normalise-weights" and "unweighted". */
bool finish_weights(struct conversion *c);

/* Checks and sorts the keys, makes rotations unit quaternions. */
bool finish_clips(struct conversion *c);

/* Repairs that only look at what was converted. */
void repair_fbx_root_axes(struct conversion *c);
void repair_fbx_offsets(struct conversion *c);
void repair_fbx_pivots(struct conversion *c);

/*
 * Seconds that a clip of a Half-Life MDL lasts: to its last key, where the duration is the number of frames in seconds (see
 * repair_mdl.c); else as it is.
 */
double mdl_duration(const struct clip *clip);
void repair_mdl_durations(struct conversion *c);

/* A node of Assimp's tree, and its parent's place among the others: NO_INDEX for the root. */
struct placed_node {
    const struct aiNode *node;
    int32_t parent;
};

/*
 * Puts bones of a Half-Life MDL below the parents that their mParent names, where Assimp before 5.4 lists all of them
 * below <MDL_bones> (see repair_mdl.c). `order` is the tree in pre-order, [count], and stays one. Returns how many nodes
 * moved; 0 leaves the order as it is, also when the parents form a cycle.
 */
uint32_t mdl_parents(struct placed_node *order, uint32_t count);

/* Makes the root's matrix the one that Assimp before 5.4 has. */
void repair_mdl_root_axes(struct conversion *c);

/* The curves between the keys of FBX clips: before the repairs of pivots, which add channels. */
void repair_fbx_curves(struct conversion *c);

/* Before the clips: what rests tells what a target without keys does. */
void repair_fbx_shapes(struct conversion *c);

/*
 * The node that a bone or a channel means by its name: the first in pre-order, as Assimp looks it up, or with
 * the repair "name-clash" the first without meshes. NO_INDEX when there is none.
 */
int32_t bind_node(struct conversion *c, const char *name);

/* The entries of nodes_by_name[] from the first whose name is not before `name`. */
uint32_t first_named(const struct conversion *c, const char *name);

/* Warnings about faults that cannot be repaired. */
void add_warnings(struct conversion *c);

/* Adds the warnings that only the file's own bytes give a sign of. */
void add_file_warnings(struct conversion *c);

/* ---- small conversions: conversion.c ----------------------------------------------------------------------------- */

/* A copy in the scene's arena. */
const char *copy_string(struct conversion *c, const struct aiString *string);
void copy_matrix(const struct aiMatrix4x4 *from, mat4 to);
/* IEC 61966-2-1. */
float srgb_to_linear(float s);

bool all_finite(const float *values, size_t count);
bool is_format(const struct conversion *c, const char *extension);
bool is_gltf(const struct conversion *c);

/* Zeroed heap memory for the time of the conversion: memory_new(). */
void *scratch_alloc(size_t count, size_t size);

/* The file's metadata as a number; false when it is not there or not a number. */
bool metadata_number(const struct aiScene *source, const char *key, double *value);

/* ---- library.c --------------------------------------------------------------------------------------------------- */

/* What import_check_library() decides on: aiQuatKey's size in the headers of the build and in the library, 0: unknown. */
bool library_check_key(size_t built_size, size_t found_size, struct error *err);

#endif
