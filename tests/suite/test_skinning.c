/* The GPU against the CPU on every fixture: what the vertex shader computes, captured, and the CPU reference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmocka_setup.h"
#include "suite/pipeline.h"

/* Displacement may be this much of the model's radius; normals, unit vectors, may differ by this much. */
static const double position_limit = 1e-5;
static const double normal_limit = 1e-4;

static const struct {
    const char *model;
    const char *clips_from;
} fixtures[] = {
    {FIXTURES "/walker/walker.glb", NULL},
    {FIXTURES "/walker/walker.fbx", NULL},
    {FIXTURES "/walker/walker.dae", NULL},
    {FIXTURES "/walker/walker-idle.dae", NULL},
    {FIXTURES "/walker/walker-wave.dae", NULL},
    {FIXTURES "/strip/strip.gltf", NULL},
    {FIXTURES "/strip/morph.gltf", NULL},
    {FIXTURES "/shapes/shapes.gltf", NULL},
    {FIXTURES "/crowd/crowd.glb", NULL},
    {FIXTURES "/twins/twins.gltf", NULL},
    {FIXTURES "/pieces/body.glb", FIXTURES "/pieces/steps.glb"},
    {FIXTURES "/ticks/ticks.x", NULL},
    {FIXTURES "/sheaf/sheaf.x", NULL},
    {FIXTURES "/surfaces/surfaces.gltf", NULL},
    {FIXTURES "/broken/unweighted.gltf", NULL},
    {FIXTURES "/broken/unnormalised-weights.gltf", NULL},
    {FIXTURES "/broken/weights-u8.gltf", NULL},
    {FIXTURES "/broken/weights-u16.gltf", NULL},
    {FIXTURES "/broken/rotation-i16.gltf", NULL},
    {FIXTURES "/broken/zero-duration.gltf", NULL},
    {FIXTURES "/broken/missing-texture.gltf", NULL},
    {FIXTURES "/broken/texture-outside.gltf", NULL},
    {FIXTURES "/broken/nan-weights.gltf", NULL},
    {FIXTURES "/broken/joint-out-of-range.gltf", NULL},
    {FIXTURES "/broken/index-out-of-range.gltf", NULL},
    {FIXTURES "/broken/deep-nodes.gltf", NULL},
};

static double distance(const float *a, const float *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sqrt(square);
}

/* A vertex whose normal is zero, or has lost its length in a flattening bone, has none to compare. */
static double normal_distance(const float *a, const float *b)
{
    static const vec3 zero = {0, 0, 0};
    return distance(a, zero) < 0.5 || distance(b, zero) < 0.5 ? 0.0 : distance(a, b);
}

struct worst {
    double position; /* of the radius */
    double normal;
    size_t vertices;
};

static void compare(const struct skinned *cpu, const struct skinned *gpu, float radius, struct worst *worst)
{
    for (uint32_t v = 0; v < cpu->vertex_count; v++) {
        double moved = distance(cpu->positions[v], gpu->positions[v]) / (double)radius;
        assert_true(isfinite(moved));
        worst->position = fmax(worst->position, moved);
        worst->normal = fmax(worst->normal, normal_distance(cpu->normals[v], gpu->normals[v]));
        worst->vertices++;
    }
}

static float radius_of(const struct pipeline *p)
{
    struct bounds bounds = bounds_empty();
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        bounds_add_points(&bounds, p->skinned[i].positions, p->skinned[i].vertex_count);
    return fmaxf(bounds_radius(&bounds), 1e-20f);
}

static void compare_times(struct pipeline *p, struct renderer *renderer, struct worst *worst)
{
    struct error err = {0};
    size_t count = 0;
    double *times = pipeline_times(p, &count, NULL, &err);
    struct skinned *captured = skinned_create(p->scene, p->arena);
    struct gpu_model *model = gpu_model_create(renderer, p->scene, &err);
    assert_non_null(times);
    assert_non_null(model);
    for (size_t t = 0; t < count; t++) {
        assert_true(pipeline_pose(p, times[t], &err));
        pipeline_skin(p);
        for (uint32_t i = 0; i < p->scene->instance_count; i++) {
            assert_true(draw_capture(renderer, model, &p->palette, &captured[i], &err));
            compare(&p->skinned[i], &captured[i], radius_of(p), worst);
        }
    }
    gpu_model_destroy(model);
    free(times);
}

/* Every clip, or the rest pose where there is none. */
static void compare_fixture(size_t fixture, uint32_t influences, struct renderer *renderer)
{
    struct worst worst = {0};
    uint32_t clips = 1;
    for (uint32_t clip = 0; clip < clips; clip++) {
        char number[16];
        struct error err = {0};
        struct settings settings;
        struct pipeline pipeline;
        settings_init(&settings);
        settings.influences = influences;
        settings.time_choice = TIMES_AUTO;
        settings.samples = 5;
        if (fixtures[fixture].clips_from)
            settings.clips_from[settings.clips_from_count++] = fixtures[fixture].clips_from;
        snprintf(number, sizeof number, "%u", clip);
        settings.clip = clip > 0 ? number : NULL;
        if (!pipeline_open(&pipeline, fixtures[fixture].model, &settings, &err))
            fail_msg("%s", err.text);
        clips = pipeline.scene->clip_count > 1 ? pipeline.scene->clip_count : 1;
        compare_times(&pipeline, renderer, &worst);
        pipeline_close(&pipeline);
        settings_release(&settings);
    }
    print_message("%-50s %7zu vertices, position %.1e of the radius, normal %.1e\n",
                  fixtures[fixture].model + sizeof FIXTURES, worst.vertices, worst.position, worst.normal);
    assert_true(worst.vertices > 0);
    assert_true(worst.position <= position_limit);
    assert_true(worst.normal <= normal_limit);
}

static void gpu_and_cpu_agree(void **state)
{
    static const uint32_t limits[] = {4, 8, 0};
    for (size_t i = 0; i < sizeof fixtures / sizeof fixtures[0]; i++)
        for (size_t k = 0; k < 3; k++)
            compare_fixture(i, limits[k], *state);
}

static int open_renderer(void **state)
{
    struct error err = {0};
    *state = renderer_create(BACKEND_AUTO, &err);
    if (!*state)
        print_error("%s\n", err.text);
    return *state ? 0 : -1;
}

static int close_renderer(void **state)
{
    renderer_destroy(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gpu_and_cpu_agree)};
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
