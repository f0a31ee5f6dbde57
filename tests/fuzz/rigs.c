/*
 * A random legal rig through the whole of rigproof in this process: imported, posed and skinned it is as the
 * specification demands, the vertex shader's vertices are the CPU's at all times, and its last pose drawn twice is the
 * same picture. Input: eight bytes of seed, one of size and form, one of what is mixed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "data/vector.h"
#include "draw/draw.h"
#include "generate/gltf_write.h"
#include "generate/random.h"
#include "generate/truth.h"
#include "import/import.h"
#include "palette/skin.h"
#include "pipeline/pipeline.h"
#include "target.h"

#define TRUTH_LIMIT 1e-5 /* of the truth's radius */
enum { INPUT_MOST = 10, WIDTH = 48, HEIGHT = 32 };

static struct rig rig;

static _Noreturn void found(double time, const char *what, const char *of)
{
    fprintf(stderr, "%s at %g s: %s `%s`\n", rig.name, time, what, of);
    abort();
}

static void require(bool good, const struct error *err)
{
    if (!good)
        found(0, "error", err->text);
}

/* The instance that a mesh of the truth is: of two of one name they come in one order. */
static const struct skinned *find_instance(const struct pipeline *p, const char *mesh, bool *used)
{
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        if (!used[i] && strcmp(p->scene->meshes[p->scene->instances[i].mesh].name, mesh) == 0) {
            used[i] = true;
            return &p->skinned[i];
        }
    return NULL;
}

static void require_truth(const struct pipeline *p)
{
    const struct pose_snapshot *truth = truth_pose(&rig, "m", rig.shown_clip, p->time);
    const double limit = TRUTH_LIMIT * pose_snapshot_radius(truth);
    bool *used = ARENA_NEW(rig.arena, bool, p->scene->instance_count);
    for (uint32_t s = 0; s < truth->skin_count; s++) {
        const struct skin_snapshot *skin = &truth->skin[s];
        const struct skinned *ours = find_instance(p, skin->mesh, used);
        if (!ours || ours->vertex_count != skin->vertices)
            found(p->time, "the import lacks vertices of mesh", skin->mesh);
        for (uint32_t v = 0; v < skin->vertices; v++)
            if (!((double)vec3_distance(ours->positions[v], skin->positions[v]) <= limit))
                found(p->time, "a vertex is not where the specification has it: mesh", skin->mesh);
    }
}

static void require_shader(const struct pipeline *p, struct renderer *renderer, struct gpu_model *gpu,
                           struct skinned *captured)
{
    const struct crowd_member own = {.palette = &p->palette, .pose = &p->pose};
    const struct crowd crowd = {.members = &own};
    const double rounding = skin_rounding(p->scene, &p->palette, p->settings->upload_format.format);
    struct findings findings = {.arena = rig.arena};
    struct bounds bounds = bounds_empty();
    struct error err = {0};
    pipeline_add_bounds(p, &bounds);
    for (uint32_t i = 0; i < p->scene->instance_count; i++) {
        require(draw_crowd_capture(renderer, gpu, &crowd, &captured[i], &err), &err);
        compare_skin(p->scene, &p->skinned[i], &captured[i], fmax((double)bounds_radius(&bounds), 1e-9), rounding,
                     p->time, &findings);
        if (findings.count > 0)
            found(p->time, "the shader's vertices are not the CPU's: mesh",
                  p->scene->meshes[p->scene->instances[i].mesh].name);
    }
}

static void require_picture(struct pipeline *p, struct renderer *renderer, struct gpu_model *gpu)
{
    struct image pictures[2] = {{0}};
    struct bounds bounds = bounds_empty();
    struct camera camera;
    struct error err = {0};
    pipeline_add_bounds(p, &bounds);
    require(pipeline_camera(p, &bounds, &p->settings->orbit, &camera, &err), &err);
    for (int i = 0; i < 2; i++)
        require(pipeline_draw(p, renderer, gpu, p->time, &bounds, &camera, &pictures[i], &err), &err);
    if (memcmp(pictures[0].rgba, pictures[1].rgba, (size_t)4 * WIDTH * HEIGHT) != 0)
        found(p->time, "a picture is another one the second time", "");
    for (int i = 0; i < 2; i++)
        image_release(&pictures[i]);
}

static void play(struct scene *scene)
{
    static struct renderer *renderer;
    struct error err = {0};
    struct settings settings;
    struct pipeline p;
    char clip[16];
    settings_init(&settings);
    snprintf(clip, sizeof clip, "%d", rig.shown_clip);
    settings.clip = clip;
    settings.wrap = WRAP_HOLD;
    settings.influences = 0;
    settings.width = WIDTH;
    settings.height = HEIGHT;
    if (!renderer)
        require((renderer = renderer_create(BACKEND_AUTO, &err)) != NULL, &err);
    require(pipeline_begin(&p, scene, &settings, &err), &err);
    struct gpu_model *gpu = gpu_model_create(renderer, scene, &err);
    require(gpu != NULL, &err);
    struct skinned *captured = skinned_create(scene, rig.arena);
    for (uint32_t i = 0; i < rig.time_count; i++) {
        require(pipeline_pose(&p, rig.times[i], &err), &err);
        pipeline_skin(&p);
        require_truth(&p);
        require_shader(&p, renderer, gpu, captured);
    }
    require_picture(&p, renderer, gpu);
    gpu_model_destroy(gpu);
    pipeline_end(&p);
    settings.clip = NULL;
    settings_release(&settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum rig_size sizes[] = {RIG_SMALL, RIG_MEDIUM, RIG_SMALL, RIG_MEDIUM};
    static const struct import_options options = {.repairs = REPAIR_ALL};
    uint8_t bytes[INPUT_MOST] = {0};
    struct error err = {0};
    struct text model = {0};
    uint64_t seed;
    if (size > INPUT_MOST)
        return -1;
    memcpy(bytes, data, size);
    memcpy(&seed, bytes, sizeof seed);
    const uint8_t form = bytes[8], mix = bytes[9];
    const uint32_t number = form >> 3 | (uint32_t)mix << 5; /* so that no two inputs give one rig */
    const enum rig_size large = form >= 0xFC ? RIG_LARGE : sizes[form >> 1 & 3];
    struct arena *arena = target_arena(), *scene_arena = target_arena();
    const char *called = arena_printf(arena, "seed %llu, number %u, %s", (unsigned long long)seed, number,
                                      rig_size_words[large]);
    rig_random(called, seed, number, large, mix & 1 ? RIG_MIX_ALL : mix >> 1 & RIG_MIX_ALL, arena, &rig);
    gltf_write(&rig, form & 1, &model);
    const char *name = form & 1 ? "m.glb" : "m.gltf";
    target_file(name, model.data, model.size);
    text_release(&model);
    struct scene *scene = assimp_load(name, &options, scene_arena, &err);
    require(scene && !error_is_set(&err), &err);
    play(scene);
    arena_destroy(scene_arena);
    arena_destroy(arena);
    return 0;
}
