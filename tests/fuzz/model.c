/*
 * A model file of any format, imported in this process, posed and described. Assimp crashes on some: scripts/fuzz tells its
 * crashes from ours by their stacks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/record/bones.h"
#include "import/scene/convert.h"
#include "pipeline/pipeline.h"
#include "target.h"

static const char *file_name(const uint8_t *data, size_t size)
{
    static const struct {
        const char *magic, *name;
    } formats[] = {{"glTF", "m.glb"},      {"{", "m.gltf"},       {"Kaydara", "m.fbx"},  {"; FBX", "m.fbx"},
                   {"xof ", "m.x"},        {"<?xml", "m.dae"},    {"<COLLADA", "m.dae"}, {"MD5Version", "m.md5mesh"},
                   {"IDST", "m.mdl"},      {"IDPO", "m.mdl"},     {"INTERQUAKE", "m.iqm"}, {"BB3D", "m.b3d"},
                   {"MS3D000000", "m.ms3d"}, {"HIERARCHY", "m.bvh"}, {"version 1", "m.smd"}, {"BLENDER", "m.blend"},
                   {"FORM", "m.lwo"},      {"LWSC", "m.lws"},     {"3DMO", "m.m3d"},     {"#", "m.obj"}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (size >= strlen(formats[i].magic) && memcmp(data, formats[i].magic, strlen(formats[i].magic)) == 0)
            return formats[i].name;
    return NULL;
}

static void describe(struct pipeline *pipeline, double time)
{
    struct error err = {0};
    struct text text = {0};
    if (!pipeline_pose(pipeline, time, &err))
        return;
    const struct pose_record record = pipeline_record(pipeline);
    pipeline_skin(pipeline);
    pose_write_json(&record, &text);
    pose_write_text(&record, &text);
    pose_write_obj(&record, &text);
    text_release(&text);
}

/* The last clip, in one of the ways to play it. */
static void pose(struct scene *scene, size_t way)
{
    static const char *const options[][2] = {{"blend", "0:0.5"}, {"wrap", "clamp"}, {"in-place", "true"},
                                             {"skinning", "dual-quaternion"}, {"rate", "-2"}, {"space", "root"},
                                             {"times", "auto"}, {"add", "0:1@bind"}, {"transition", "0@0.1..0.2"}};
    struct error err = {0};
    struct settings settings;
    struct pipeline pipeline;
    char clip[16];
    settings_init(&settings);
    snprintf(clip, sizeof clip, "%u", (unsigned)(scene->clip_count ? scene->clip_count - 1 : 0));
    way %= sizeof options / sizeof options[0];
    settings.clip = scene->clip_count && way > 0 ? clip : NULL; /* a blend names its clips itself */
    settings_set(&settings, options[way][0], options[way][1], &err);
    if (pipeline_begin(&pipeline, scene, &settings, &err)) {
        static const double times[] = {-1, 0, 0.3, 1e9};
        size_t count = 0;
        free(pipeline_times(&pipeline, &count, &err));
        for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
            describe(&pipeline, times[i]);
        pipeline_end(&pipeline);
    }
    settings_release(&settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct import_options all = {.repairs = REPAIR_ALL, .surfaces = true, .tangents = true};
    struct error err = {0};
    struct text text = {0};
    jmp_buf exhausted;
    const char *name = file_name(data, size);
    if (!name)
        return -1;
    target_file(name, data, size);
    struct arena *arena = target_arena();
    target_exhausted = &exhausted;
    struct scene *scene = setjmp(exhausted) == 0 ? assimp_load(name, &all, arena, &err) : NULL;
    target_exhausted = NULL;
    if (scene && !error_is_set(&err)) {
        scene_write_json(scene, &text);
        scene_write_text(scene, &text);
        bones_write_json(scene, &text);
        pose(scene, size);
    }
    text_release(&text);
    arena_destroy(arena);
    return 0;
}
