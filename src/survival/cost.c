/* Plays the model and its altered models side by side. */
#include "survival/checks.h"

#include <math.h>
#include <string.h>

#include "animate/player.h"
#include "data/bounds.h"
#include "data/vector.h"
#include "palette/skin.h"

/* An altered model at one time. */
struct playback {
    const struct scene *scene;
    struct altered_model *altered;
    struct palette palette;
    struct skinned *skinned;
};

static struct playback playback_create(struct altered_model *altered, struct arena *arena)
{
    return (struct playback){altered->scene, altered, palette_create(altered->scene, arena),
                             skinned_create(altered->scene, arena)};
}

/* The model's own, with morph weights, which no altered model has others of. `clip`: NO_INDEX for the rest pose. */
struct morphing {
    struct player *player;
    struct pose pose;
};

static void morphing_begin(struct morphing *morphing, const struct scene *scene, int32_t clip, struct arena *arena)
{
    struct mix_part *part = ARENA_NEW(arena, struct mix_part, 1);
    part->clip = clip == NO_INDEX ? NULL : &scene->clips[clip];
    part->weight = 1;
    const struct clip_mix mix = {.part_count = 1, .parts = part, .wrap = WRAP_HOLD, .rate = 1};
    morphing->player = player_create(scene, &mix, arena);
    pose_reset(&morphing->pose, scene);
}

static void pose_model(struct playback *model, struct morphing *morphing, int32_t clip, double time)
{
    const struct palette *palette = &model->palette;
    player_sample(morphing->player, time, &morphing->pose);
    if (palette->weight_count > 0)
        memcpy(palette->morph_weights, morphing->pose.morph_weights, palette->weight_count * sizeof(float));
    altered_pose(model->altered, clip, time, palette->mesh_to_scene);
    skin_scene(model->scene, palette, model->skinned);
}

/* The bone with the largest weight, which comes first. */
static const char *bone_of(const struct scene *scene, uint32_t instance, uint32_t vertex)
{
    const struct mesh *mesh = &scene->meshes[scene->instances[instance].mesh];
    if (!mesh->influence_first)
        return scene->nodes[scene->instances[instance].node].name;
    const uint32_t first = mesh->influence_first[vertex];
    bool is_held = first < mesh->influence_first[vertex + 1];
    return is_held ? scene->nodes[mesh->bones[mesh->influences[first].bone].node].name : NULL;
}

/* Measures that differ by rounding alone count as equal: the first stays, which is then the same on every machine. */
static bool is_larger(double measure, double most)
{
    return measure > most * (1 + 1e-6);
}

/* Notes a larger displacement. A vertex of the model that is no number itself says nothing. */
static void compare_positions(const struct playback *model, const struct playback *other, const char *clip, double time,
                              struct cost *cost)
{
    for (uint32_t i = 0; i < model->scene->instance_count; i++)
        for (uint32_t v = 0; v < model->skinned[i].vertex_count; v++) {
            const float *a = model->skinned[i].positions[v], *b = other->skinned[i].positions[v];
            const double away[3] = {(double)b[0] - a[0], (double)b[1] - a[1], (double)b[2] - a[2]};
            const double distance = vec3_is_finite(b) ? vec3d_length(away) : (double)INFINITY;
            if (!is_larger(distance, cost->units) || !vec3_is_finite(a))
                continue;
            cost->units = distance;
            cost->clip = clip;
            cost->time = time;
            cost->bone = bone_of(model->scene, i, v);
        }
}

/* Normals as the blended matrix turns them, w = 0, where it is right to take its inverse transpose. */
static void compare_normals(const struct playback *model, const char *clip, double time, struct cost *cost)
{
    const struct scene *scene = model->scene;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        const mat4 *own = (const mat4 *)model->palette.mesh_to_scene + scene->instances[i].first_binding;
        const float *weights = model->palette.morph_weights + scene->instances[i].first_weight;
        if (mesh->bone_count == 0 || (mesh->target_count > 0 && morph_is_active(mesh, weights)))
            continue;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            double turned[3] = {0}, right[3];
            for (uint32_t k = mesh->influence_first[v]; k < mesh->influence_first[v + 1]; k++)
                for (int r = 0; r < 3; r++)
                    for (int c = 0; c < 3; c++)
                        turned[r] += (double)mesh->influences[k].weight * own[mesh->influences[k].bone][c][r] *
                                     mesh->normals[v][c];
            for (int r = 0; r < 3; r++)
                right[r] = (double)model->skinned[i].normals[v][r];
            const double lengths = vec3d_length(turned) * vec3d_length(right);
            const double cosine = fmax(-1, fmin(1, vec3d_dot(turned, right) / lengths));
            const double degrees = lengths > 0 ? acos(cosine) * 57.29577951308232 : 0;
            if (!is_larger(degrees, cost->degrees))
                continue;
            cost->degrees = degrees;
            cost->clip = clip;
            cost->time = time;
            cost->bone = bone_of(scene, i, v);
        }
    }
}

static void measure_altered(const struct playback *model, struct playback *other, int32_t clip, double time,
                            struct cost *cost)
{
    const struct altered_model *altered = other->altered;
    const struct palette *palette = &other->palette;
    const char *name = clip == NO_INDEX ? NULL : model->scene->clips[clip].name;
    const size_t bytes = palette->weight_count * sizeof *palette->morph_weights;
    if (altered->change->at == SWITCH_NORMAL) {
        compare_normals(model, name, time, cost);
        return;
    }
    altered_pose(other->altered, clip, time, palette->mesh_to_scene);
    if (!altered->is_other &&
        memcmp(palette->mesh_to_scene, model->palette.mesh_to_scene, palette->count * sizeof(mat4)) == 0)
        return;
    if (bytes > 0 && altered->change->at == SWITCH_MORPH)
        memset(palette->morph_weights, 0, bytes);
    else if (bytes > 0)
        memcpy(palette->morph_weights, model->palette.morph_weights, bytes);
    skin_scene(other->scene, palette, other->skinned);
    compare_positions(model, other, name, time, cost);
}

static double radius_at_rest(struct playback *model, struct morphing *morphing, struct arena *arena)
{
    struct bounds bounds = bounds_empty();
    morphing_begin(morphing, model->scene, NO_INDEX, arena);
    pose_model(model, morphing, NO_INDEX, 0);
    for (uint32_t i = 0; i < model->scene->instance_count; i++)
        bounds_add_points(&bounds, (const vec3 *)model->skinned[i].positions, model->skinned[i].vertex_count);
    return bounds_is_empty(&bounds) ? 0 : (double)bounds_radius(&bounds);
}

static uint32_t count_parts(const struct scene *scene)
{
    const double most_vertices = 4e7; /* to skin of each altered model; most of them move few */
    double vertices = 1;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        vertices += scene->meshes[scene->instances[i].mesh].vertex_count;
    return (uint32_t)fmax(3, fmin(16, most_vertices / vertices / (1.0 + scene->clip_count)));
}

double measure_costs(const struct survival_input *input, struct altered_model *const *altered_models, uint32_t count,
                     struct arena *arena, struct cost *costs)
{
    const struct scene *scene = input->scene;
    struct playback model = playback_create(altered_create(input, NULL, arena), arena);
    struct playback *others = ARENA_NEW(arena, struct playback, count);
    struct morphing morphing = {.pose = pose_create(scene, arena)};
    const double radius = radius_at_rest(&model, &morphing, arena);
    const uint32_t parts = count_parts(scene);
    for (uint32_t k = 0; k < count; k++)
        others[k] = playback_create(altered_models[k], arena);
    for (int32_t c = scene->clip_count > 0 ? 0 : NO_INDEX; radius > 0 && count > 0 && c < (int32_t)scene->clip_count;
         c++) {
        const double duration = c == NO_INDEX ? 0 : scene->clips[c].duration;
        morphing_begin(&morphing, scene, c, arena);
        for (uint32_t i = 0; i < (duration > 0 ? parts + 2 : 1); i++) {
            const double time = i == 0 ? 0 : i == 1 ? duration : (i - 1.5) / parts * duration;
            pose_model(&model, &morphing, c, time);
            for (uint32_t k = 0; k < count; k++)
                measure_altered(&model, &others[k], c, time, &costs[k]);
        }
    }
    return radius;
}
