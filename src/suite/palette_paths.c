#include "suite/palette_paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "data/affine.h"
#include "palette/dual_quaternion.h"
#include "palette/rounding.h"
#include "palette/skin.h"
#include "suite/crowd.h"

static const double FLOAT_LIMIT = 1e-5;

/* What the combinations of one time are held against. */
struct trial {
    struct pipeline *pipeline;
    struct renderer *renderer;
    struct gpu_model *model;
    struct shader_set *shaders;
    struct arena *arena;
    struct skinned *reference[SKINNING_COUNT]; /* [instance_count] by the CPU */
    struct skinned *captured;                  /* [instance_count] by the GPU */
    struct image picture[SKINNING_COUNT];      /* of the default */
    struct bounds bounds;                      /* of all times */
    double radius;
    double byte_rounding; /* how far bytes as weights may move a vertex, linear, in scene units */
    double rounding[PALETTE_FORMAT_COUNT]; /* how far floats may */
};

/* ---- limits -------------------------------------------------------------------------------------------------- */

/* Places that a vertex's bones take it to: the largest distance of two. */
static double widest(const mat4 *own, const struct influence *influences, uint32_t count, const vec3 position)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++) {
            vec3 a, b;
            double square = 0;
            affine_point(own[influences[i].bone], position, a);
            affine_point(own[influences[k].bone], position, b);
            for (int c = 0; c < 3; c++)
                square += ((double)a[c] - b[c]) * ((double)a[c] - b[c]);
            most = fmax(most, square);
        }
    return sqrt(most);
}

static double byte_rounding_of(const struct scene *scene, const struct palette *palette)
{
    double most = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        const mat4 *own = (const mat4 *)palette->mesh_to_scene + instance->first_binding;
        for (uint32_t v = 0; mesh->influence_first && v < mesh->vertex_count; v++) {
            uint32_t first = mesh->influence_first[v], count = mesh->influence_first[v + 1] - first;
            double across = widest(own, mesh->influences + first, count, mesh->positions[v]);
            most = fmax(most, count / 4.0 / 255.0 * across);
        }
    }
    return most;
}

static double limit_of(const struct trial *trial, const struct upload_format *upload_format)
{
    double bytes = upload_format->weights == WEIGHTS_UNORM8 ? trial->byte_rounding : 0;
    if (upload_format->skinning == SKINNING_DUAL_QUATERNION)
        bytes *= 2;
    return FLOAT_LIMIT + (trial->rounding[upload_format->format] + bytes) / trial->radius;
}

/* ---- one combination ----------------------------------------------------------------------------------------- */

static double farthest(const struct skinned *a, const struct skinned *b)
{
    double most = 0;
    for (uint32_t v = 0; v < a->vertex_count; v++) {
        double square = 0;
        for (int c = 0; c < 3; c++)
            square += pow((double)a->positions[v][c] - b->positions[v][c], 2);
        if (!(square <= most)) /* NaN too */
            most = square;
    }
    return sqrt(most);
}

static bool measure_vertices(const struct trial *trial, struct path_result *result, struct error *err)
{
    const struct scene *scene = trial->pipeline->scene;
    double limit = limit_of(trial, &result->upload_format), worst = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        if (!draw_capture(trial->renderer, trial->model, &trial->pipeline->palette, &trial->captured[i], err))
            return false;
        double off =
            farthest(&trial->reference[result->upload_format.skinning][i], &trial->captured[i]) / trial->radius;
        if (!(off <= worst))
            worst = off;
    }
    result->beyond = result->beyond || !(worst <= limit);
    if (result->limit == 0 || !(worst <= result->worst)) {
        result->worst = worst;
        result->limit = limit;
    }
    return true;
}

static unsigned long pixels_that_differ(const struct image *a, const struct image *b)
{
    unsigned long count = 0;
    for (size_t i = 0; i < (size_t)a->width * a->height; i++)
        count += memcmp(a->rgba + 4 * i, b->rgba + 4 * i, 4) != 0;
    return count;
}

static bool draw(const struct trial *trial, struct image *out, struct error *err)
{
    const struct pipeline *p = trial->pipeline;
    struct camera camera;
    if (!pipeline_camera(p, &trial->bounds, &p->settings->orbit, &camera, err))
        return false;
    struct frame_settings frame_settings = pipeline_frame_settings(p, &trial->bounds, &camera);
    return draw_frame(trial->renderer, trial->model, &p->palette, &p->pose, &frame_settings, out, err);
}

static bool measure_pixels(const struct trial *trial, struct path_result *result, struct error *err)
{
    struct image image;
    if (!draw(trial, &image, err))
        return false;
    result->pixels += pixels_that_differ(&image, &trial->picture[result->upload_format.skinning]);
    image_release(&image);
    return true;
}

/* What a combination cannot do is a usage error to those who ask for it alone. */
static bool try_combination(const struct trial *trial, struct path_result *result, struct error *err)
{
    struct error why = {0};
    if (!result->holds || (gpu_model_set_upload(trial->model, &result->upload_format, trial->shaders, &why) &&
                           measure_vertices(trial, result, &why) && measure_pixels(trial, result, &why)))
        return true;
    if (why.exit_code != EXIT_CODE_USAGE) {
        *err = why;
        return false;
    }
    result->holds = false;
    snprintf(result->why, sizeof result->why, "%s", why.text);
    return true;
}

/* ---- one time ------------------------------------------------------------------------------------------------ */

static void skin_on_cpu(struct trial *trial, struct joint *joints)
{
    const struct pipeline *p = trial->pipeline;
    struct bounds bounds = bounds_empty();
    skin_scene(p->scene, &p->palette, trial->reference[SKINNING_LINEAR]);
    skin_scene_dual_quaternion(p->scene, &p->palette, joints, trial->reference[SKINNING_DUAL_QUATERNION]);
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        bounds_add_points(&bounds, (const vec3 *)trial->reference[SKINNING_LINEAR][i].positions,
                          trial->reference[SKINNING_LINEAR][i].vertex_count);
    trial->radius = fmax((double)bounds_radius(&bounds), 1e-9);
    trial->byte_rounding = byte_rounding_of(p->scene, &p->palette);
    for (int f = 0; f < PALETTE_FORMAT_COUNT; f++)
        trial->rounding[f] = skin_rounding(p->scene, &p->palette, (enum palette_format)f);
}

static bool draw_defaults(struct trial *trial, struct error *err)
{
    for (int s = 0; s < SKINNING_COUNT; s++)
        if (!gpu_model_set_upload(trial->model, &(struct upload_format){.skinning = (enum skinning)s}, trial->shaders,
                                  err) ||
            !draw(trial, &trial->picture[s], err))
            return false;
    return true;
}

static bool try_time(struct trial *trial, struct joint *joints, double time, struct path_result *results,
                     struct error *err)
{
    bool good = pipeline_pose(trial->pipeline, time, err);
    if (good) {
        skin_on_cpu(trial, joints);
        good = draw_defaults(trial, err);
    }
    for (int i = 0; good && i < PATH_COMBINATIONS; i++)
        good = try_combination(trial, &results[i], err);
    for (int s = 0; s < SKINNING_COUNT; s++)
        image_release(&trial->picture[s]);
    return good;
}

/* ---- all ----------------------------------------------------------------------------------------------------- */

/* Skinning by skinning, the plainest first. */
static void list_combinations(struct path_result results[PATH_COMBINATIONS])
{
    for (int i = 0; i < PATH_COMBINATIONS; i++) {
        struct upload_format upload_format;
        int remainder = i;
        upload_format.format = (enum palette_format)(remainder % PALETTE_FORMAT_COUNT);
        remainder /= PALETTE_FORMAT_COUNT;
        upload_format.path = (enum palette_path)(remainder % PALETTE_PATH_COUNT);
        remainder /= PALETTE_PATH_COUNT;
        upload_format.weights = (enum weight_format)(remainder % WEIGHT_FORMAT_COUNT);
        upload_format.skinning = (enum skinning)(remainder / WEIGHT_FORMAT_COUNT);
        bool whole = upload_format.weights == WEIGHTS_FLOAT && upload_format.format != PALETTE_TRS;
        results[i] = (struct path_result){.upload_format = upload_format, .holds = true, .pixels_must_equal = whole};
    }
}

static size_t memory_for(const struct scene *scene)
{
    size_t vertices = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        vertices += scene->meshes[scene->instances[i].mesh].vertex_count;
    return ((size_t)1 << 20) + 3 * vertices * 32 + (size_t)scene->instance_count * 1024 +
           scene->binding_count * sizeof(struct joint);
}

static bool try_all(struct trial *trial, const double *times, size_t count, struct path_result *results,
                    struct error *err)
{
    const struct scene *scene = trial->pipeline->scene;
    struct joint *joints = ARENA_NEW(trial->arena, struct joint, scene->binding_count);
    trial->captured = skinned_create(scene, trial->arena);
    for (int s = 0; s < SKINNING_COUNT; s++)
        trial->reference[s] = skinned_create(scene, trial->arena);
    for (size_t i = 0; i < count; i++)
        if (!try_time(trial, joints, times[i], results, err))
            return false;
    return true;
}

bool palette_paths_try(struct pipeline *pipeline, const double *times, size_t count,
                       struct path_result results[PATH_COMBINATIONS], struct error *err)
{
    struct trial trial = {.pipeline = pipeline};
    list_combinations(results);
    if (crowd_size(pipeline->settings) > 0)
        return error_set(err, "--palette all tries one instance in every way: take --crowd away");
    if (!pipeline_bounds(pipeline, times, count, &trial.bounds, err))
        return false;
    trial.arena = arena_create(memory_for(pipeline->scene), err);
    trial.renderer = trial.arena ? renderer_create(pipeline->settings->backend, err) : NULL;
    trial.model = trial.renderer ? gpu_model_create(trial.renderer, pipeline->scene, err) : NULL;
    bool good = trial.model && renderer_shaders(trial.renderer, pipeline->settings->shaders, &trial.shaders, err) &&
                try_all(&trial, times, count, results, err);
    gpu_model_destroy(trial.model);
    renderer_destroy(trial.renderer);
    arena_destroy(trial.arena);
    return good;
}

bool palette_path_fails(const struct path_result *result)
{
    return result->holds && (result->beyond || (result->pixels_must_equal && result->pixels > 0));
}

/* ---- the table ----------------------------------------------------------------------------------------------- */

/* "1.4e-07". */
static void format_share(double value, char out[static 24])
{
    if (!(value > 0) || !isfinite(value)) {
        snprintf(out, 24, "%s", value == 0 ? "0" : "not finite");
        return;
    }
    int exponent = (int)floor(log10(value));
    long tenths = lround(value / pow(10, exponent - 1));
    if (tenths == 100) {
        tenths = 10;
        exponent++;
    }
    snprintf(out, 24, "%ld.%lde%+03d", tenths / 10, tenths % 10, exponent);
}

/* The first result that says the same; reasons are footnotes by its number. */
static int first_with_reason(const struct path_result *results, int i)
{
    int first = 0;
    while (results[first].holds || strcmp(results[first].why, results[i].why) != 0)
        first++;
    return first;
}

static int footnote(const struct path_result *results, int i)
{
    int number = 0;
    for (int k = 0; k <= first_with_reason(results, i); k++)
        number += !results[k].holds && first_with_reason(results, k) == k;
    return number;
}

static void write_result(const struct path_result *results, int i, struct text *out)
{
    const struct path_result *r = &results[i];
    char worst[24], limit[24];
    text_addf(out, "%-7s  %-6s  %-6s  %-15s  ", palette_path_names[r->upload_format.path],
              palette_format_names[r->upload_format.format], weight_format_names[r->upload_format.weights],
              skinning_names[r->upload_format.skinning]);
    if (!r->holds) {
        text_addf(out, "cannot (%d)\n", footnote(results, i));
        return;
    }
    format_share(r->worst, worst);
    format_share(r->limit, limit);
    text_addf(out, "%-10s  %-8s  ", worst, limit);
    if (r->pixels == 0)
        text_add(out, "equal");
    else
        text_addf(out, "%lu differ", r->pixels);
    text_add(out, palette_path_fails(r) ? "  FAIL\n" : "\n");
}

void palette_paths_write(const struct pipeline *p, size_t times, const struct path_result *results, struct text *out)
{
    int good = 0, cannot = 0, failed = 0;
    text_add_name(out, path_base(p->scene->path));
    text_add(out, ", clip ");
    text_add_name(out, p->plays ? p->plays : "rest");
    text_addf(out, ", %zu time%s, %u bindings, %ux%u pixels\n\n", times, times == 1 ? "" : "s", p->scene->binding_count,
              p->settings->width, p->settings->height);
    text_add(out, "path     format  weights skinning         worst       limit     pixels\n");
    for (int i = 0; i < PATH_COMBINATIONS; i++) {
        write_result(results, i, out);
        cannot += !results[i].holds;
        failed += palette_path_fails(&results[i]);
        good += results[i].holds && !palette_path_fails(&results[i]);
    }
    text_add(out, "\n");
    for (int i = 0; i < PATH_COMBINATIONS; i++)
        if (!results[i].holds && first_with_reason(results, i) == i)
            text_addf(out, "(%d) %s\n", footnote(results, i), results[i].why);
    text_addf(out,
              "worst: farthest vertex from the CPU's, relative to the model's radius; pixels: against tbo mat3x4 float\n"
              "%d combinations: %d good, %d cannot hold the model, %d failed\n",
              PATH_COMBINATIONS, good, cannot, failed);
}
