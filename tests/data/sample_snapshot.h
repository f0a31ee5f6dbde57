#pragma once

/*
 * Snapshot made by hand that uses every member of the files, with strings that need escaping and numbers that are easily
 * lost: the ends of the range, the least, one that two roundings would change.
 */
#include <float.h>

#include "data/record/snapshot.h"

#define AWKWARD_3 FLT_MAX, -FLT_TRUE_MIN, 7.038531e-26f
#define AWKWARD_4 AWKWARD_3, 0.1f
// clang-format off
#define AWKWARD_MATRIX {{AWKWARD_3}, {1e-7f, -2, 16777216}, {-0.0f, 4, 5}, {AWKWARD_3, 1}}
#define AWKWARD_MAP 0.1f, UINT32_MAX, {-FLT_TRUE_MIN, FLT_MAX}, true, {7.038531e-26f, -1}, 0.3f
#define NULL_MATRIX {{0}, {0}, {0}, {0, 0, 0, 1}}

static const struct import_snapshot sample_import = {
    .model = "tiny.glb", .up = "-z", .unit_meters = 0.0254,
    .node_count = 3, .nodes = (struct node_snapshot[]){
        {"rig", NULL, false, AWKWARD_MATRIX},
        {"tip", "not there", true, NULL_MATRIX},
        {"tip", "rig", true, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0, 1}}}},
    .mesh_count = 2, .meshes = (struct mesh_snapshot[]){
        {"body", 2, (const char *[]){"rig", "rig"}, "clay", 3, 1, {-1, 0, -0.0f}, {1, 0, 2}, true, 2,
         3, (uint32_t[]){1, 0, 2},
         2, (struct bone_snapshot[]){
             {"H\xc3\xbc""fte\n\"\\", UINT32_MAX, 0.1f, {AWKWARD_3}, FLT_MAX, AWKWARD_MATRIX, true},
             {"tip", 0, 0, {0, 0, 0}, 0, NULL_MATRIX, false}},
         {3, {AWKWARD_4, 0, 1, -0.5f, 0, AWKWARD_4}}, {2, {AWKWARD_4, AWKWARD_4}}, {4, {0, 1, [15] = 0.25f}},
         {3, {AWKWARD_4, AWKWARD_4, 0, 1, 2, 3}}, {3, {AWKWARD_4, [11] = -1}}},
        {.name = "", .material = "clay", .morph_targets = 2, .target_count = 2, .targets = (struct target_snapshot[]){
           {"smile", -0.5f, 7, 1.0f / 3, {AWKWARD_3}, true, {AWKWARD_3}}, {.name = ""}}}},
    .material_count = 2, .materials = (struct material_snapshot[]){
        {"clay", {AWKWARD_4}, NULL, "opaque", 0, false},
        {"hair", {1, 1, 1, 0}, "hair.png", "mask", 0.3f, true, {"repeat", "mirror"}, true,
         2, (struct map_snapshot[]){
             {"normal", "hair_n.png", true, AWKWARD_MAP, {"clamp", "mirror"}, {"nearest", "linear"}}, {.name = "base colour"}},
         2, (struct factor_snapshot[]){{"emissive colour", 3, (float[]){AWKWARD_3}}, {"metallic factor", 1, (float[]){0.1f}}}}},
    .texture_count = 2, .textures = (struct texture_snapshot[]){
        {"hair.png", 1, 16384, true, true, {AWKWARD_4, [11] = 0.5f}},
        {"hair_n.png", .hash = "00ff00ff00ff00ff"}},
    .samples = 2,
    .clip_count = 2, .clips = (struct clip_snapshot[]){
        {"walk", 1.0 / 24, 0,
         2, (struct channel_snapshot[]){
             {"rig", true, true, {{2, -0.25, 1.0 / 3, "cubic", 3, {AWKWARD_3}, {1, 2, 3}, 2, (float[]){-0.25f, 0.1f}, 6,
                                   (float[]){AWKWARD_3, 1, 2, 3}},
                                  {1, 0, 0, "step", 4, {AWKWARD_4}, {AWKWARD_4}}}},
             {.node = "gone"}},
         3, (struct morph_snapshot[]){
             {"rig", 2, {2, 0, 1, "linear", 2, {0.5f, 1}, {0.25f, 1}, 0, NULL, 4, (float[]){AWKWARD_4}}},
             {"rig", 5, {2, 0, 1, "linear", 0, {0}, {0}}},
             {"rig", 0, {0}}}},
        {.name = "", .ticks_per_second = 1e300}},
    .camera_count = 2, .cameras = (struct camera_snapshot[]){{"a", NULL, 0.7f, 0}, {"b", "tip", 0, 1e-30f}},
    .repair_count = 1, .repairs = (struct note_snapshot[]){{"tick-rate", "one clip"}},
    .warning_count = 1, .warnings = (struct note_snapshot[]){{"texture", "no \"hair.png\""}},
};

static const struct pose_snapshot sample_pose = {
    .model = "tiny.glb", .clip = "rig|walk", .time = 1.0 / 3, .space = "root",
    .node_count = 2, .nodes = (struct pose_node_snapshot[]){
        {"rig", NULL, {{AWKWARD_3}, {AWKWARD_4}, {1, 1, 1}}, AWKWARD_MATRIX},
        {"tip", "rig", {{0}, {0, 0, 0, 1}, {0}}, NULL_MATRIX}},
    .palette_count = 1, .palette = (struct palette_snapshot[]){{"body", "tip", AWKWARD_MATRIX}},
    .morph_count = 2, .morphs = (struct morph_weights_snapshot[]){
        {"body", "tip", 3, (float[]){AWKWARD_3}}, {"hair", "tip", 0, NULL}},
    .skin_count = 1, .skin = (struct skin_snapshot[]){{"body", 3, {-FLT_MAX, 0, 0}, {FLT_MAX, 0, 0}, {AWKWARD_3}}},
};
// clang-format on

enum { SAMPLE_CAPACITY = 4 << 20 }; /* bytes of arena for reading either */

/* A file that can be made from its sample; `read` tells whether bytes are such a file and writes what it read. */
struct kind {
    const char *name;
    bool (*read)(const void *data, size_t size, struct arena *arena, struct error *err, struct text *again);
    void (*write)(struct text *out);
};

static inline bool read_import(const void *data, size_t size, struct arena *arena, struct error *err,
                               struct text *again)
{
    const struct import_snapshot *snapshot = import_snapshot_read(data, size, "import.json", arena, err);
    if (snapshot)
        import_snapshot_write(snapshot, again);
    return snapshot != NULL;
}

static inline bool read_pose(const void *data, size_t size, struct arena *arena, struct error *err, struct text *again)
{
    const struct pose_snapshot *snapshot = pose_snapshot_read(data, size, "pose.json", arena, err);
    if (snapshot)
        pose_snapshot_write(snapshot, again);
    return snapshot != NULL;
}

static inline void write_import(struct text *out)
{
    import_snapshot_write(&sample_import, out);
}

static inline void write_pose(struct text *out)
{
    pose_snapshot_write(&sample_pose, out);
}

static const struct kind import_kind = {"import.json", read_import, write_import};
static const struct kind pose_kind = {"pose.json", read_pose, write_pose};
