#pragma once

#include "animate/tracks.h"
#include "diagnose/causes.h"
#include "import/import.h"
#include "palette/palette_stage.h"
#include "palette/skin.h"
#include "scene_builder.h"

/* A scene, what the pipeline makes of a clip's time, and a diagnosis of what a test makes of that. */
struct bench {
    struct arena *arena;
    struct scene *scene;
    const struct clip *clip;
    struct pose pose;
    struct palette palette;
    struct skinned *skinned;
    struct pose_snapshot *theirs; /* to begin with the pipeline's, vertices and all */
    struct diagnosis_input input;
};

static inline struct bench bench_open(struct scene *scene, uint32_t clip, double time)
{
    struct bench b = {.arena = arena_require((size_t)1 << 34), .scene = scene};
    b.clip = clip < scene->clip_count ? &scene->clips[clip] : NULL;
    b.pose = pose_create(scene, b.arena);
    if (b.clip)
        tracks_sample(tracks_create(scene, b.clip, b.arena), wrap_time(time, b.clip->duration, WRAP_LOOP), &b.pose);
    palette_globals(scene, &b.pose);
    b.palette = palette_create(scene, b.arena);
    palette_compute(scene, &b.pose, SPACE_SCENE, &b.palette);
    b.skinned = skinned_create(scene, b.arena);
    skin_scene(scene, &b.palette, b.skinned);
    const struct pose_part part = {.stages = POSE_STAGES, .vertices = true};
    const struct pose_record record = {
        scene, b.clip ? b.clip->name : NULL, time, SPACE_SCENE, &b.pose, &b.palette, b.skinned, &part};
    b.theirs = pose_snapshot_gather(&record, b.arena);
    struct pose *pose = ARENA_NEW(b.arena, struct pose, 1);
    *pose = b.pose;
    b.input = (struct diagnosis_input){
        .scene = scene, .clip = b.clip, .time = time, .previous_time = NAN, .pose = pose, .theirs = b.theirs};
    return b;
}

static inline void bench_close(struct bench *b)
{
    arena_destroy(b->arena);
}
#define BENCH RELEASED_BY(bench_close) struct bench

/* Theirs as the variant has it. */
static inline void bench_replay(struct bench *b, const struct variant *variant)
{
    struct replay *replay = replay_create(&b->input, b->arena);
    replay_set(replay, variant);
    for (uint32_t n = 0; n < b->scene->node_count; n++) {
        struct matrix global = replay_global(replay, n);
        const struct local_parts *local = replay_local(replay, n);
        struct transform *to = &b->theirs->nodes[n].local;
        for (int i = 0; i < 16; i++)
            b->theirs->nodes[n].node_to_scene[i / 4][i % 4] = (float)global.at[i / 4][i % 4];
        for (int i = 0; i < 4; i++)
            to->rotation[i] = (float)local->rotation[i];
        for (int i = 0; i < 3; i++) {
            to->translation[i] = (float)local->translation[i];
            to->scale[i] = (float)local->scale[i];
        }
        if (!local->is_keyed) { /* the exact matrix may hold shear */
            mat4 rest;
            for (int i = 0; i < 16; i++)
                rest[i / 4][i % 4] = (float)local->matrix.at[i / 4][i % 4];
            affine_to_transform(rest, to);
        }
    }
    for (uint32_t i = 0; i < b->theirs->palette_count; i++) {
        struct matrix entry;
        if (replay_entry(replay, i, &entry))
            for (int k = 0; k < 16; k++)
                b->theirs->palette[i].mesh_to_scene[k / 4][k % 4] = (float)entry.at[k / 4][k % 4];
    }
    for (uint32_t i = 0; i < b->scene->instance_count; i++)
        for (uint32_t v = 0; v < b->skinned[i].vertex_count; v++) {
            double position[3], normal[3];
            if (replay_vertex(replay, i, v, position, normal))
                for (int k = 0; k < 3; k++) {
                    b->skinned[i].positions[v][k] = (float)position[k];
                    b->skinned[i].normals[v][k] = (float)normal[k];
                }
        }
}

static inline bool names_cause(const struct explanation *explanation, const char *id)
{
    for (uint32_t i = 0; i < explanation->cause_count; i++)
        if (strcmp(explanation->causes[i].id, id) == 0)
            return true;
    return false;
}

/* One of those that explain all names it. */
static inline bool is_named(const struct diagnosis *diagnosis, const char *id)
{
    for (uint32_t i = 0; i < diagnosis->full_count; i++)
        if (names_cause(&diagnosis->explanations[i], id))
            return true;
    return false;
}

/* Theirs has that palette. */
static inline void bench_palette(struct bench *b, const struct palette *palette)
{
    for (uint32_t i = 0; i < palette->count; i++)
        memcpy(b->theirs->palette[i].mesh_to_scene, palette->mesh_to_scene[i], sizeof(mat4));
}

/* Theirs' nodes stand where their local transforms have them. */
static inline void bench_globals(struct bench *b)
{
    for (uint32_t n = 0; n < b->scene->node_count; n++) {
        struct pose_node_snapshot *node = &b->theirs->nodes[n];
        affine_from_transform(&node->local, node->node_to_scene);
        if (b->scene->nodes[n].parent != NO_INDEX)
            affine_mul(b->theirs->nodes[b->scene->nodes[n].parent].node_to_scene, node->node_to_scene,
                       node->node_to_scene);
    }
}

/* A program's `walker`. */
#define GROUP_WALKER                                                                                                   \
    GROUP_VALUE(struct scene, walker, import_scene(FIXTURES "/walker/walker.glb", &import_defaults, ANY_ERROR),        \
                scene_free)
