#pragma once

/*
 * Snapshots made by hand, two equal ones at a time, so that a test changes one thing in the second. The rig:
 *
 *     rig
 *       hips           t (0, 1, 0)
 *         spine        t (0, 0.5, 0), 20 degrees about x
 *           hand.L     t (0.4, 0.2, 0), 30 degrees about z
 *           hand.R     t (-0.4, 0.2, 0), -30 degrees about z
 *
 * Mesh `body` is bound to all but `rig`; clips `walk` and `idle` move `hips` and `spine`. The body's bounds are a cube
 * around (0, 1, 0) whose half diagonal, the radius, is 1: a length is a displacement.
 */
#include "cmocka_setup.h"

#include "compare/compare.h"
#include "data/record/snapshot.h"
#include "data/result/verdict.h"

struct two_imports {
    struct arena *arena;
    union {
        struct { struct import_snapshot *golden, *actual; };
        struct import_snapshot *both[2];
    };
    struct findings findings;
};

static const double degree = 3.14159265358979323846 / 180.0;

/* A rotation about axis 0, 1 or 2. */
static inline void quaternion(int axis, double degrees, vec4 out)
{
    memset(out, 0, sizeof(vec4));
    out[axis] = (float)sin(0.5 * degrees * degree);
    out[3] = (float)cos(0.5 * degrees * degree);
}

static inline void scale_vector(float *vector, double by)
{
    for (int k = 0; k < 3; k++)
        vector[k] *= (float)by;
}

static inline void place(mat4 out, float x, float y, float z, int axis, double degrees)
{
    struct transform t = {{x, y, z}, {0, 0, 0, 1}, {1, 1, 1}};
    quaternion(axis, degrees, t.rotation);
    affine_from_transform(&t, out);
}

static inline struct node_snapshot *rig_nodes(struct arena *arena)
{
    struct node_snapshot *nodes = ARENA_NEW(arena, struct node_snapshot, 5);
    static const char *const names[] = {"rig", "hips", "spine", "hand.L", "hand.R"};
    static const char *const parents[] = {NULL, "rig", "hips", "spine", "spine"};
    for (int i = 0; i < 5; i++) {
        nodes[i].name = names[i];
        nodes[i].parent = parents[i];
        nodes[i].is_bone = i > 0;
    }
    place(nodes[0].local_to_parent, 0, 0, 0, 0, 0);
    place(nodes[1].local_to_parent, 0, 1, 0, 0, 0);
    place(nodes[2].local_to_parent, 0, 0.5f, 0, 0, 20);
    place(nodes[3].local_to_parent, 0.4f, 0.2f, 0, 2, 30);
    place(nodes[4].local_to_parent, -0.4f, 0.2f, 0, 2, -30);
    return nodes;
}

/* Where node `i` of the rig stands. */
static inline void rig_global(const struct node_snapshot *nodes, int i, mat4 out)
{
    static const int parents[] = {-1, 0, 1, 2, 2};
    memcpy(out, nodes[i].local_to_parent, sizeof(mat4));
    for (int p = parents[i]; p >= 0; p = parents[p])
        affine_mul(nodes[p].local_to_parent, out, out);
}

static inline struct mesh_snapshot *rig_mesh(struct arena *arena, const struct node_snapshot *nodes)
{
    static const uint32_t influences[] = {0, 1000, 800, 200};
    static const char *const hangs_on[] = {"rig"};
    const float side = (float)sqrt(1.0 / 3.0);
    struct mesh_snapshot *mesh = ARENA_NEW(arena, struct mesh_snapshot, 1);
    *mesh = (struct mesh_snapshot){.name = "body",
                                   .node_count = 1,
                                   .material = "skin",
                                   .vertices = 2000,
                                   .triangles = 3200,
                                   .has_uvs = true,
                                   .influence_slots = 4,
                                   .bone_count = 4,
                                   .min = {-side, 1 - side, -side},
                                   .max = {side, 1 + side, side}};
    mesh->nodes = ARENA_NEW(arena, const char *, 1);
    mesh->nodes[0] = hangs_on[0];
    mesh->influences = ARENA_NEW(arena, uint32_t, 4);
    memcpy(mesh->influences, influences, sizeof influences);
    mesh->bones = ARENA_NEW(arena, struct bone_snapshot, 4);
    for (int i = 0; i < 4; i++) {
        struct bone_snapshot *bone = &mesh->bones[i];
        mat4 global;
        rig_global(nodes, i + 1, global);
        bone->bone = nodes[i + 1].name;
        bone->weights = 900 - 100 * (uint32_t)i;
        bone->sum = 600.0f - 50.0f * (float)i;
        bone->influence_radius = 0.5f - 0.1f * (float)i;
        memcpy(bone->centroid, global[3], sizeof(vec3));
        affine_inverse(global, bone->mesh_to_bone);
    }
    return mesh;
}

static inline struct keys_snapshot rig_keys(uint32_t count, uint32_t width, float a, float b, float c, float d)
{
    return (struct keys_snapshot){
        .count = count,
        .first = 0,
        .last = 1,
        .interpolation = "linear",
        .width = width,
        .mean = {a, b, c, d},
        .rms = {fabsf(a) + 0.1f, fabsf(b) + 0.1f, fabsf(c) + 0.1f, width == 4 ? fabsf(d) + 0.1f : 0}};
}

static inline struct clip_snapshot *rig_clips(struct arena *arena)
{
    static const char *const names[] = {"walk", "idle"};
    static const char *const moved[] = {"hips", "spine"};
    struct clip_snapshot *clips = ARENA_NEW(arena, struct clip_snapshot, 2);
    for (int i = 0; i < 2; i++) {
        clips[i] = (struct clip_snapshot){.name = names[i], .duration = 1, .ticks_per_second = 25, .channel_count = 2};
        clips[i].channels = ARENA_NEW(arena, struct channel_snapshot, 2);
        for (int k = 0; k < 2; k++) {
            struct channel_snapshot *channel = &clips[i].channels[k];
            channel->node = moved[k];
            channel->keys[COMPONENT_TRANSLATION] = rig_keys(25, 3, 0, 1, 0.5f, 0);
            channel->keys[COMPONENT_ROTATION] = rig_keys(25 - (uint32_t)i, 4, 0.3f, 0.2f, 0.1f, 0.8f);
        }
    }
    return clips;
}

static inline struct import_snapshot *rig_import(struct arena *arena)
{
    static const struct material_snapshot skin = {"skin", {0.8f, 0.6f, 0.5f, 1}, "skin.png", "opaque", 0, false};
    static const struct texture_snapshot texture = {"skin.png", 64, 64, false};
    static const struct camera_snapshot camera = {"front", "rig", 0.5f, 0};
    static const struct note_snapshot repair = {"tick-rate", "clips play at 25 ticks per second"};
    struct import_snapshot *import = ARENA_NEW(arena, struct import_snapshot, 1);
    *import = (struct import_snapshot){.model = "rig.glb",
                                       .up = "y",
                                       .unit_meters = 1,
                                       .node_count = 5,
                                       .mesh_count = 1,
                                       .material_count = 1,
                                       .texture_count = 1,
                                       .clip_count = 2,
                                       .camera_count = 1,
                                       .repair_count = 1};
    import->nodes = rig_nodes(arena);
    import->meshes = rig_mesh(arena, import->nodes);
    import->clips = rig_clips(arena);
    import->materials = ARENA_NEW(arena, struct material_snapshot, 1);
    import->materials[0] = skin;
    import->textures = ARENA_NEW(arena, struct texture_snapshot, 1);
    import->textures[0] = texture;
    import->cameras = ARENA_NEW(arena, struct camera_snapshot, 1);
    import->cameras[0] = camera;
    import->repairs = ARENA_NEW(arena, struct note_snapshot, 1);
    import->repairs[0] = repair;
    return import;
}

/* Two rigs that share nothing. */
static inline struct two_imports two_rigs(void)
{
    struct arena *arena = arena_require((size_t)64 << 20);
    return (struct two_imports){arena, {{rig_import(arena), rig_import(arena)}}, {.arena = arena}};
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

/* Two poses of the rig at 0.25 s: hips at 40 degrees about y, the hands lifted. */
struct two_poses {
    struct arena *arena;
    struct import_snapshot *import, *actual_import; /* the second NULL: they are equal */
    union {
        struct { struct pose_snapshot *golden, *actual; };
        struct pose_snapshot *both[2];
    };
    struct findings findings;
    struct pose_errors errors;
};

/* Globals and palette from the local transforms. */
static inline void rig_solve(struct pose_snapshot *pose, const struct import_snapshot *import)
{
    static const int parents[] = {-1, 0, 1, 2, 2};
    for (int i = 0; i < 5; i++) {
        struct pose_node_snapshot *node = &pose->nodes[i];
        affine_from_transform(&node->local, node->node_to_scene);
        if (parents[i] >= 0)
            affine_mul(pose->nodes[parents[i]].node_to_scene, node->node_to_scene, node->node_to_scene);
        if (i > 0)
            affine_mul(node->node_to_scene, import->meshes[0].bones[i - 1].mesh_to_bone,
                       pose->palette[i - 1].mesh_to_scene);
    }
}

static inline struct pose_snapshot *rig_pose(struct arena *arena, const struct import_snapshot *import)
{
    struct pose_snapshot *pose = ARENA_NEW(arena, struct pose_snapshot, 1);
    *pose = (struct pose_snapshot){.model = "rig.glb",
                                   .clip = "walk",
                                   .time = 0.25,
                                   .space = "scene",
                                   .node_count = 5,
                                   .palette_count = 4,
                                   .skin_count = 1};
    pose->nodes = ARENA_NEW(arena, struct pose_node_snapshot, 5);
    pose->palette = ARENA_NEW(arena, struct palette_snapshot, 4);
    pose->skin = ARENA_NEW(arena, struct skin_snapshot, 1);
    for (int i = 0; i < 5; i++) {
        pose->nodes[i].name = import->nodes[i].name;
        pose->nodes[i].parent = import->nodes[i].parent;
        affine_to_transform(import->nodes[i].local_to_parent, &pose->nodes[i].local);
    }
    quaternion(1, 40, pose->nodes[1].local.rotation);
    quaternion(2, 75, pose->nodes[3].local.rotation);
    quaternion(2, -65, pose->nodes[4].local.rotation);
    for (int i = 0; i < 4; i++)
        pose->palette[i] = (struct palette_snapshot){.mesh = "body", .bone = pose->nodes[i + 1].name};
    pose->skin[0] = (struct skin_snapshot){.mesh = "body", .vertices = 2000};
    memcpy(pose->skin[0].min, import->meshes[0].min, sizeof(vec3));
    memcpy(pose->skin[0].max, import->meshes[0].max, sizeof(vec3));
    rig_solve(pose, import);
    return pose;
}

static inline struct two_poses two_rig_poses(void)
{
    struct arena *arena = arena_require((size_t)256 << 20);
    struct import_snapshot *import = rig_import(arena);
    return (struct two_poses){arena, import, NULL, {{rig_pose(arena, import), rig_pose(arena, import)}}, {.arena = arena}, {0}};
}
