/*
 * Which bone is seen where, on the fixtures, against a plain rasteriser on the CPU: skinned vertices of the reference,
 * projected in double, the nearest triangle at every pixel's centre, the strongest bone of its last vertex.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_setup.h"
#include "suite/pipeline.h"

enum { WIDTH = 240, HEIGHT = 200, PIXELS = WIDTH * HEIGHT };

struct seen {
    double depth;
    uint32_t number;
};

/* ---- the rasteriser ---------------------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    double length = sqrt(dot(out, out));
    for (int i = 0; i < 3; i++)
        out[i] /= length;
}

/* Pixels right and down, and the depth, of a point before a perspective camera. */
static void project(const struct camera *camera, const float *point, double out[3])
{
    double forward[3], right[3], up[3], from[3], length = 0;
    for (int i = 0; i < 3; i++) {
        forward[i] = (double)camera->target[i] - camera->eye[i];
        from[i] = (double)point[i] - camera->eye[i];
        up[i] = camera->up[i];
        length += forward[i] * forward[i];
    }
    for (int i = 0; i < 3; i++)
        forward[i] /= sqrt(length);
    cross(forward, up, right);
    cross(right, forward, up);
    double scale = HEIGHT / 2.0 / (tan(camera->fov_y / 2.0) * dot(forward, from));
    out[0] = WIDTH / 2.0 + scale * dot(right, from);
    out[1] = HEIGHT / 2.0 - scale * dot(up, from);
    out[2] = dot(forward, from);
}

static double edge(const double *a, const double *b, double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static void rasterise(const double corner[3][3], bool two_sided, bool mirrored, uint32_t number, struct seen *seen)
{
    double area = edge(corner[0], corner[1], corner[2][0], corner[2][1]);
    bool front = (area < 0) != mirrored; /* y points down */
    if (area == 0 || (!front && !two_sided))
        return;
    int x0 = (int)fmax(0, fmin(corner[0][0], fmin(corner[1][0], corner[2][0])) - 1);
    int y0 = (int)fmax(0, fmin(corner[0][1], fmin(corner[1][1], corner[2][1])) - 1);
    int x1 = (int)fmin(WIDTH - 1, fmax(corner[0][0], fmax(corner[1][0], corner[2][0])) + 1);
    int y1 = (int)fmin(HEIGHT - 1, fmax(corner[0][1], fmax(corner[1][1], corner[2][1])) + 1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            double nearness = 0;
            bool inside = true;
            for (int k = 0; k < 3; k++) {
                double part = edge(corner[(k + 1) % 3], corner[(k + 2) % 3], x + 0.5, y + 0.5) / area;
                inside = inside && part >= 0;
                nearness += part / corner[k][2];
            }
            struct seen *s = &seen[y * WIDTH + x];
            if (inside && 1 / nearness < s->depth)
                *s = (struct seen){1 / nearness, number};
        }
}

/* 1 + the binding with the largest weight, the first of equals. */
static uint32_t strongest(const struct scene *scene, const struct instance *instance, uint32_t vertex)
{
    const struct mesh *mesh = &scene->meshes[instance->mesh];
    uint32_t number = mesh->influence_first ? 0 : instance->first_binding + 1;
    float most = 0;
    for (uint32_t i = 0; mesh->influence_first && i < mesh->influence_first[vertex + 1] - mesh->influence_first[vertex];
         i++) {
        const struct influence *influence = &mesh->influences[mesh->influence_first[vertex] + i];
        if (influence->weight > most) {
            most = influence->weight;
            number = 1 + instance->first_binding + influence->bone;
        }
    }
    return number;
}

static void rasterise_scene(const struct pipeline *p, const struct camera *camera, struct seen *seen)
{
    for (int i = 0; i < PIXELS; i++)
        seen[i] = (struct seen){INFINITY, 0};
    for (uint32_t i = 0; i < p->scene->instance_count; i++) {
        const struct instance *instance = &p->scene->instances[i];
        const struct mesh *mesh = &p->scene->meshes[instance->mesh];
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            const uint32_t *v = mesh->indices + 3 * (size_t)t;
            double corner[3][3];
            for (int k = 0; k < 3; k++)
                project(camera, p->skinned[i].positions[v[k]], corner[k]);
            uint32_t number = strongest(p->scene, instance, v[2]);
            bool mirrored = number && affine_determinant(p->palette.mesh_to_scene[number - 1]) < 0;
            rasterise(corner, p->scene->materials[mesh->material].two_sided, mirrored, number, seen);
        }
    }
}

/* ---- the comparison ---------------------------------------------------------------------------------------------- */

/* Pixels that differ must be few: those with an edge through their centre, which GL rounds to 1/256 of a pixel. */
static void compare(const char *name, const struct seen *seen, const uint32_t *numbers, uint32_t bindings)
{
    bool *found = calloc(bindings + 1u, sizeof *found);
    uint32_t differ = 0, held = 0, different = 0;
    assert_non_null(found);
    for (int i = 0; i < PIXELS; i++) {
        assert_true(numbers[i] <= bindings);
        differ += numbers[i] != seen[i].number;
        held += numbers[i] > 0;
        different += numbers[i] > 0 && !found[numbers[i]];
        found[numbers[i]] = true;
    }
    print_message("%-24s %5u pixels held by %3u bindings, %u differ\n", name, held, different, differ);
    assert_true(held > PIXELS / 50);
    if (differ > held / 200)
        fail_msg("%s: %u of %u pixels differ", name, differ, held);
    free(found);
}

static void draw_and_compare(struct pipeline *p, struct renderer *renderer, const char *name)
{
    static struct seen seen[PIXELS];
    static uint32_t numbers[PIXELS];
    struct error err = {0};
    struct bounds bounds;
    struct camera camera;
    struct gpu_model *model = gpu_model_create(renderer, p->scene, &err);
    double time = p->clip ? 0.4 * p->clip->duration : 0;
    assert_non_null(model);
    assert_true(pipeline_pose(p, time, &err));
    pipeline_skin(p);
    assert_true(pipeline_bounds(p, &time, 1, &bounds, &err));
    const struct orbit orbit = {.yaw = 35, .pitch = 15, .zoom = 1, .fov = 30};
    assert_true(pipeline_camera(p, &bounds, &orbit, &camera, &err));
    struct frame_settings frame_settings = pipeline_frame_settings(p, &bounds, &camera);
    if (!draw_bone_identity(renderer, model, &p->palette, &frame_settings, numbers, &err))
        fail_msg("%s", err.text);
    rasterise_scene(p, &camera, seen);
    compare(name, seen, numbers, p->scene->binding_count);
    gpu_model_destroy(model);
}

static void a_plain_rasteriser_agrees(void **state)
{
    static const char *const models[] = {"walker/walker.glb", "twins/twins.gltf", "crowd/crowd.glb",
                                         "strip/strip.gltf", "walker/walker.fbx"};
    static const uint32_t influences[] = {4, 8, 0};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++)
        for (size_t k = 0; k < 3; k++) {
            char path[512];
            struct error err = {0};
            struct settings settings;
            struct pipeline pipeline;
            settings_init(&settings);
            settings.influences = influences[k];
            settings.width = WIDTH;
            settings.height = HEIGHT;
            snprintf(path, sizeof path, "%s/%s", FIXTURES, models[m]);
            if (!pipeline_open(&pipeline, path, &settings, &err))
                fail_msg("%s", err.text);
            draw_and_compare(&pipeline, *state, models[m]);
            pipeline_close(&pipeline);
            settings_release(&settings);
        }
}

static int open_renderer(void **state)
{
    struct error err = {0};
    *state = renderer_create(BACKEND_AUTO, &err);
    return *state ? 0 : -1;
}

static int close_renderer(void **state)
{
    renderer_destroy(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_plain_rasteriser_agrees)};
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
