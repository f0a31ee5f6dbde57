#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "data/affine_d.h"

/*
 * The description of a model: from it both the glTF file (generate/gltf_write.h) and its poses (generate/truth.h) are
 * computed, each by itself. Numbers are doubles; rig_settle() rounds each to what the file can hold. Quaternions are
 * x, y, z, w. Nothing here calls a function of libm but sqrt(), so the same description gives the same bytes
 * everywhere.
 */

enum { RIG_NONE = -1, RIG_INFLUENCES = 8, RIG_TARGETS = 8, RIG_TIMES = 8 };

/* Says how a number is stored. Integers in vertex weights and in keys are normalised. */
enum rig_number { RIG_FLOAT, RIG_I8, RIG_U8, RIG_I16, RIG_U16, RIG_U32, RIG_NUMBERS };

enum rig_path { RIG_TRANSLATION, RIG_ROTATION, RIG_SCALE, RIG_WEIGHTS };
enum rig_curve { RIG_LINEAR, RIG_STEP, RIG_CUBIC };

struct rig_node {
    const char *name; /* NULL: it has none */
    int32_t parent;   /* smaller than its own index, or RIG_NONE */
    uint32_t place;   /* in the file's list of nodes */
    int32_t scene;    /* of a root: the scene that shows it, or RIG_NONE */
    double translation[3], rotation[4], scale[3];
    bool is_matrix; /* written as a matrix; never animated then */
    int32_t mesh, skin;
    uint32_t weight_count; /* of the node's own default weights of morph targets; 0: the mesh's count */
    double weights[RIG_TARGETS];
};

struct rig_skin {
    const char *name;
    uint32_t joint_count;
    uint32_t *joints;          /* nodes */
    struct affine_d *inverse_bind; /* NULL: the file gives none, and they are identities */
    int32_t skeleton;              /* node or RIG_NONE */
};

/* Its first position and normal are its own, the others what targets add to them. */
struct rig_vertex {
    double positions[1 + RIG_TARGETS][3], normals[1 + RIG_TARGETS][3], tangent[4];
    uint32_t joints[RIG_INFLUENCES]; /* places in skin.joints */
    double weights[RIG_INFLUENCES];
};

struct rig_mesh {
    const char *name;
    uint32_t vertex_count, index_count, target_count;
    struct rig_vertex *vertices;
    uint32_t *indices; /* index_count is 0: triangles of three vertices each in order */
    uint32_t sets;     /* of JOINTS and WEIGHTS: 0 (rigid), 1 or 2 */
    enum rig_number joint_number, weight_number, index_number, position_number; /* positions also of targets */
    bool has_normals, has_tangents, has_target_normals;
    bool is_interleaved, is_sparse, is_sparse_alone; /* positions: sparse over others; sparse without a buffer view */
    bool has_sparse_targets;                         /* positions of targets: sparse without a buffer view */
    bool has_offsets;                                /* accessors begin some bytes into their buffer views */
    uint32_t weight_count;                           /* default weights of targets that the mesh gives; 0: none */
    double weights[RIG_TARGETS];
};

struct rig_channel {
    uint32_t clip;
    int32_t node; /* RIG_NONE: the channel has no target node */
    enum rig_path path;
    enum rig_curve curve;
    enum rig_number number;
    uint32_t key_count, width; /* width: numbers of a value */
    double *times;             /* [key_count] seconds, ascending */
    /* [key_count][width], of RIG_CUBIC [key_count][3][width]: in-tangent, value, out-tangent */
    double *values;
    bool is_sparse;
};

struct rig {
    struct arena *arena;
    const char *name;
    uint32_t node_count, skin_count, mesh_count, channel_count, clip_count;
    struct rig_node *nodes;
    struct rig_skin *skins;
    struct rig_mesh *meshes;
    struct rig_channel *channels;
    const char **clips;  /* names; NULL: it has none */
    uint32_t scene_count;
    int32_t scene;       /* the file's default scene; RIG_NONE: not given, and the first is shown */
    int32_t shown_clip;  /* whose poses are asked for; RIG_NONE: the rest pose */
    uint32_t time_count; /* at which the rig shows its rule */
    double times[RIG_TIMES];
};

/* An empty rig with one scene. */
void rig_begin(struct rig *rig, const char *name, struct arena *arena);

/* A node with that translation, no rotation and no scale. Its index. */
uint32_t rig_add_node(struct rig *rig, const char *name, int32_t parent, double x, double y, double z);

/* Sets its rotation to the direction of that quaternion. */
void rig_turn(struct rig *rig, uint32_t node, double x, double y, double z, double w);

/* A clip; its index. */
uint32_t rig_add_clip(struct rig *rig, const char *name);

/* A channel of that clip; times and values are copied. A `width` of 0 is that of the path (3, 4 or 3). */
struct rig_channel *rig_add_channel(struct rig *rig, uint32_t clip, int32_t node, enum rig_path path,
                                    enum rig_curve curve, uint32_t key_count, const double *times, const double *values,
                                    uint32_t width);

/* Turns a node from its rest rotation by that quaternion and back a third of it, in keys at 0, 0.6 and 1 s. */
void rig_add_turn(struct rig *rig, uint32_t clip, uint32_t node, double x, double y, double z, double w);

/* Makes the positions of a skinned mesh smaller and its inverse bind matrices as much larger, so that normalised
 * numbers hold them. No other mesh may have that skin. */
void rig_quantise(struct rig *rig, uint32_t node, enum rig_number number);

/* An empty skin over joints that follow each other in the list of nodes; rig_bind() fills its inverse bind matrices. */
struct rig_skin *rig_add_skin(struct rig *rig, uint32_t first_joint, uint32_t joint_count);

/* Makes the present pose of the nodes the bind pose of the skin, for a mesh whose vertices are in the scene's space. */
void rig_bind(struct rig *rig, struct rig_skin *skin);

/* A tube of three vertices a ring around the skin's joints and one ring beyond the last, each ring held by two
 * joints. Its node hangs on `parent`. Returns the node. */
uint32_t rig_add_tube(struct rig *rig, const char *name, uint32_t skin, int32_t parent);

/* A rigid tetrahedron with normals. The mesh's index. */
uint32_t rig_add_solid(struct rig *rig, const char *name);

/* Adds `count` morph targets to a mesh, each of which moves all vertices another way. */
void rig_add_targets(struct rig *rig, uint32_t mesh, uint32_t count, bool normals);

void rig_set_times(struct rig *rig, uint32_t count, const double *times);

/* Makes what nearly all rules begin with: `root`, three joints below it and a tube around them; it shows the rest pose.
 * */
enum { ARM_ROOT, ARM_UPPER, ARM_LOWER, ARM_HAND, ARM_BODY };
void rig_add_arm(struct rig *rig);

/* Rounds every number to what its type holds and makes weights add up. To be called once, when all is described. */
void rig_settle(struct rig *rig);

/* The number that is stored for `value`. */
double rig_stored(double value, enum rig_number number);

/* Returns the local matrix of a node's present translation, rotation and scale; and the globals of all nodes:
 * [node_count], in the arena. */
struct affine_d rig_local(const struct rig_node *node);
struct affine_d rig_multiply(const struct affine_d *a, const struct affine_d *b); /* first b, then a */
struct affine_d *rig_globals(const struct rig *rig);
