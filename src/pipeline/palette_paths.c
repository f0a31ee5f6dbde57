#include "pipeline/palette_paths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "data/affine.h"
#include "data/vector.h"
#include "palette/dual_quaternion.h"
#include "palette/skin.h"

static const double FLOAT_LIMIT = 1e-5;

/* The reference that the combinations of one time are held against. */
struct trial {
    struct pipeline *pipeline;
    struct renderer *renderer;
    struct gpu_model *model;
    struct shader_set *shaders;
    struct skinned *reference[SKINNING_COUNT]; /* [instance_count] by the CPU */
    struct skinned *captured;                  /* [instance_count] by the GPU */
    struct joint *joints;                      /* for dual quaternions */
    struct image picture[SKINNING_COUNT];      /* of the default */
    struct bounds bounds;                      /* of all times */
    double radius;
    double byte_rounding; /* how far bytes as weights may move a vertex, linear, in scene units */
    double rounding[PALETTE_FORMAT_COUNT]; /* how far floats may */
};

static bool draw(const struct trial *trial, struct image *out, struct error *err)
{
    struct pipeline *p = trial->pipeline;
    struct camera camera;
    return pipeline_camera(p, &trial->bounds, &p->settings->orbit, &camera, err) &&
           pipeline_draw(p, trial->renderer, trial->model, p->time, &trial->bounds, &camera, out, err);
}

/* Runs a combination. One that cannot be done is a usage error to those who ask for it alone. A position that is no
 * number is the worst. */
static bool try_combination(const struct trial *trial, struct path_result *result, struct error *err)
{
    const struct scene *scene = trial->pipeline->scene;
    const struct crowd alone = {.members = &(struct crowd_member){.palette = &trial->pipeline->palette}};
    const struct upload_format *format = &result->upload_format;
    const struct image *picture = &trial->picture[format->skinning];
    bool is_float = format->weights == WEIGHTS_FLOAT && !gpu_model_rounds_weights(trial->model);
    double bytes = is_float ? 0 : trial->byte_rounding * (format->skinning == SKINNING_LINEAR ? 1 : 2);
    double limit = FLOAT_LIMIT + (trial->rounding[format->format] + bytes) / trial->radius, worst = 0;
    SCOPED(image) image = {0};
    struct error why = {0};
    if (!result->holds)
        return true;
    bool good = gpu_model_set_upload(trial->model, format, trial->shaders, &why);
    for (uint32_t i = 0; good && i < scene->instance_count; i++) {
        const struct skinned *cpu = &trial->reference[format->skinning][i], *gpu = &trial->captured[i];
        good = draw_crowd_capture(trial->renderer, trial->model, &alone, &trial->captured[i], &why);
        for (uint32_t v = 0; good && v < cpu->vertex_count; v++) {
            double off = vec3_distance(cpu->positions[v], gpu->positions[v]) / trial->radius;
            if (isnan(off) || off > worst)
                worst = off;
        }
    }
    if (good) {
        result->beyond = result->beyond || !(worst <= limit);
        if (result->limit == 0 || !(worst <= result->worst)) {
            result->worst = worst;
            result->limit = limit;
        }
        good = draw(trial, &image, &why);
    }
    for (size_t i = 0; good && i < (size_t)image.width * image.height; i++)
        result->pixels += memcmp(image.rgba + 4 * i, picture->rgba + 4 * i, 4) != 0;
    if (good)
        return true;
    if (why.exit_code != EXIT_CODE_USAGE) {
        *err = why;
        return false;
    }
    result->holds = false;
    snprintf(result->why, sizeof result->why, "%s", why.text);
    return true;
}

/* The CPU's vertices, what they may be off, and the pictures of the defaults. */
static bool prepare_time(struct trial *trial, double time, struct error *err)
{
    struct pipeline *p = trial->pipeline;
    const struct scene *scene = p->scene;
    struct skinned *linear = trial->reference[SKINNING_LINEAR];
    struct bounds bounds = bounds_empty();
    bool good = pipeline_pose(p, time, err);
    if (!good)
        return false;
    trial->byte_rounding = 0;
    skin_scene(p->scene, &p->palette, linear);
    skin_scene_dual_quaternion(p->scene, &p->palette, trial->joints, trial->reference[SKINNING_DUAL_QUATERNION]);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const mat4 *own = (const mat4 *)p->palette.mesh_to_scene + scene->instances[i].first_binding;
        bounds_add_points(&bounds, (const vec3 *)linear[i].positions, linear[i].vertex_count);
        const struct mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        for (uint32_t v = 0; mesh->influence_first && v < mesh->vertex_count; v++) {
            const struct influence *influences = mesh->influences + mesh->influence_first[v];
            uint32_t count = mesh->influence_first[v + 1] - mesh->influence_first[v];
            for (uint32_t k = 1; k < count; k++)
                for (uint32_t m = 0; m < k; m++) { /* two places that its bones take it to may be so far apart */
                    vec3 a, b;
                    affine_point(own[influences[k].bone], mesh->positions[v], a);
                    affine_point(own[influences[m].bone], mesh->positions[v], b);
                    trial->byte_rounding = fmax(trial->byte_rounding, count / 4.0 / 255.0 * vec3_distance(a, b));
                }
        }
    }
    trial->radius = fmax((double)bounds_radius(&bounds), 1e-9);
    for (int f = 0; f < PALETTE_FORMAT_COUNT; f++)
        trial->rounding[f] = skin_rounding(p->scene, &p->palette, (enum palette_format)f);
    for (int s = 0; good && s < SKINNING_COUNT; s++) {
        const struct upload_format standard = {.skinning = (enum skinning)s};
        good = gpu_model_set_upload(trial->model, &standard, trial->shaders, err) &&
               draw(trial, &trial->picture[s], err);
    }
    return good;
}

bool palette_paths_try(struct pipeline *pipeline, const double *times, size_t count,
                       struct path_result results[PATH_COMBINATIONS], struct error *err)
{
    struct trial trial = {.pipeline = pipeline};
    const struct scene *scene = pipeline->scene;
    if (crowd_size(pipeline->settings) > 0)
        return error_set(err, "--palette all tries one instance in every way: take --crowd away");
    for (unsigned i = 0; i < PATH_COMBINATIONS; i++) {
        const unsigned paths = PALETTE_FORMAT_COUNT * PALETTE_PATH_COUNT;
        const struct upload_format upload_format = {
            .format = (enum palette_format)(i % PALETTE_FORMAT_COUNT),
            .path = (enum palette_path)(i / PALETTE_FORMAT_COUNT % PALETTE_PATH_COUNT),
            .weights = (enum weight_format)(i / paths % WEIGHT_FORMAT_COUNT),
            .skinning = (enum skinning)(i / paths / WEIGHT_FORMAT_COUNT),
        };
        bool whole = upload_format.weights == WEIGHTS_FLOAT && upload_format.format != PALETTE_TRS;
        results[i] = (struct path_result){.upload_format = upload_format, .holds = true, .pixels_must_equal = whole};
    }
    if (!pipeline_bounds(pipeline, times, count, &trial.bounds, err))
        return false;
    trial.renderer = renderer_create(pipeline->settings->backend, err);
    trial.model = trial.renderer ? gpu_model_create(trial.renderer, scene, err) : NULL;
    bool good = trial.model && renderer_shaders(trial.renderer, pipeline->settings->shaders,
                                                &pipeline->settings->shader_map, &trial.shaders, err);
    trial.joints = ARENA_NEW(pipeline->arena, struct joint, scene->binding_count);
    trial.captured = skinned_create(scene, pipeline->arena);
    for (int s = 0; s < SKINNING_COUNT; s++)
        trial.reference[s] = skinned_create(scene, pipeline->arena);
    for (size_t t = 0; good && t < count; t++) {
        good = prepare_time(&trial, times[t], err);
        for (int i = 0; good && i < PATH_COMBINATIONS; i++)
            good = try_combination(&trial, &results[i], err);
        for (int s = 0; s < SKINNING_COUNT; s++)
            image_release(&trial.picture[s]);
    }
    gpu_model_destroy(trial.model);
    renderer_destroy(trial.renderer);
    return good;
}

bool palette_path_fails(const struct path_result *result)
{
    return result->holds && (result->beyond || (result->pixels_must_equal && result->pixels > 0));
}

/* Reasons why a combination does not hold are footnotes, each once. */
int palette_paths_write(const struct pipeline *p, size_t times, const struct path_result *results, struct text *out)
{
    const char *reasons[PATH_COMBINATIONS];
    int cannot = 0, failed = 0, reason_count = 0;
    text_add_name(out, path_base(p->scene->path));
    text_add(out, ", clip ");
    text_add_name(out, p->plays ? p->plays : "rest");
    text_addf(out, ", %zu time%s, %u bindings, %ux%u pixels\n\n", times, times == 1 ? "" : "s", p->scene->binding_count,
              p->settings->width, p->settings->height);
    text_add(out, "path     format  weights skinning         worst       limit     pixels\n");
    for (const struct path_result *r = results; r < results + PATH_COMBINATIONS; r++) {
        text_addf(out, "%-7s  %-6s  %-6s  %-15s  ", palette_path_names[r->upload_format.path],
                  palette_format_names[r->upload_format.format], weight_format_names[r->upload_format.weights],
                  skinning_names[r->upload_format.skinning]);
        if (!r->holds) {
            int reason = 0;
            while (reason < reason_count && strcmp(reasons[reason], r->why) != 0)
                reason++;
            if (reason == reason_count)
                reasons[reason_count++] = r->why;
            text_addf(out, "cannot (%d)\n", reason + 1);
            cannot++;
            continue;
        }
        if (r->worst > 0 && isfinite(r->worst))
            text_addf(out, "%-10.1e", r->worst);
        else
            text_addf(out, "%-10s", r->worst == 0 ? "0" : "not finite");
        text_addf(out, "  %-8.1e  ", r->limit);
        if (r->pixels == 0)
            text_add(out, "equal");
        else
            text_addf(out, "%lu differ", r->pixels);
        text_add(out, palette_path_fails(r) ? "  FAIL\n" : "\n");
        failed += palette_path_fails(r);
    }
    text_add(out, "\n");
    for (int i = 0; i < reason_count; i++)
        text_addf(out, "(%d) %s\n", i + 1, reasons[i]);
    text_addf(
        out,
        "worst: farthest vertex from the CPU's, relative to the model's radius; pixels: against tbo mat3x4 float\n"
        "%d combinations: %d good, %d cannot hold the model, %d failed\n",
        PATH_COMBINATIONS, PATH_COMBINATIONS - cannot - failed, cannot, failed);
    return failed;
}
