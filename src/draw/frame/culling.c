#include "draw/renderer/frame_state.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "data/affine.h"

struct mesh_boxes mesh_boxes_create(const struct mesh *mesh)
{
    const float most_off = 2e-6f; /* of a sum of weights, which are floats */
    const bool is_rigid = !mesh->influence_first;
    struct mesh_boxes out = {.bones = memory_new(is_rigid ? 1 : mesh->bone_count, sizeof *out.bones),
                             .deltas = memory_new(mesh->target_count, sizeof *out.deltas),
                             .known = true};
    for (uint32_t b = 0; b < (is_rigid ? 1 : mesh->bone_count); b++)
        out.bones[b] = bounds_empty();
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        out.deltas[t] = bounds_empty();
        bounds_add_points(&out.deltas[t], (const vec3 *)mesh->targets[t].position_deltas, mesh->vertex_count);
    }
    if (is_rigid)
        bounds_add_points(out.bones, (const vec3 *)mesh->positions, mesh->vertex_count);
    for (uint32_t v = 0; !is_rigid && v < mesh->vertex_count && out.known; v++) {
        float sum = 0;
        for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++) {
            const struct influence *influence = &mesh->influences[i];
            sum += influence->weight;
            out.known = out.known && influence->weight >= 0;
            bounds_add_points(&out.bones[influence->bone], (const vec3 *)&mesh->positions[v], 1);
        }
        out.known = out.known && fabsf(sum - 1) <= most_off;
    }
    return out;
}

void mesh_boxes_release(struct mesh_boxes *boxes)
{
    free(boxes->bones);
    free(boxes->deltas);
    *boxes = (struct mesh_boxes){0};
}

static bool is_known(const struct frame *frame)
{
    const struct upload_format *format = &frame->model->upload_format;
    return !frame->renderer->draws_all && !frame->model->shaders && format->skinning == SKINNING_LINEAR &&
           format->format != PALETTE_TRS && format->weights == WEIGHTS_FLOAT;
}

/* The box as a matrix takes it, and moved; wider by what floats and sums of weights may be off. */
static struct bounds posed(const struct bounds *box, const vec4 *matrix, const float *place)
{
    struct bounds out = bounds_transformed(box, matrix);
    for (int k = 0; k < 3; k++) {
        float slack = 8e-6f * fmaxf(fabsf(out.min[k]), fabsf(out.max[k]));
        out.min[k] += (place ? place[k] : 0) - slack;
        out.max[k] += (place ? place[k] : 0) + slack;
    }
    return out;
}

/* Widens a part of the picture by what a box covers. False where it reaches behind the camera. */
static bool add_box(const struct frame *frame, const struct bounds *box, double least[2], double most[2])
{
    const double size[2] = {frame->frame_settings->width, frame->frame_settings->height};
    for (int corner = 0; corner < 8; corner++) {
        double clip[4];
        for (int r = 0; r < 4; r++) {
            clip[r] = (double)frame->scene_to_clip[3][r];
            for (int k = 0; k < 3; k++)
                clip[r] += (double)frame->scene_to_clip[k][r] * (double)(corner >> k & 1 ? box->max[k] : box->min[k]);
        }
        if (!(clip[3] > 1e-6) || !isfinite(clip[0]) || !isfinite(clip[1]))
            return false;
        for (int k = 0; k < 2; k++) {
            double pixel = (0.5 + (k == 0 ? 0.5 : -0.5) * clip[k] / clip[3]) * size[k];
            least[k] = fmin(least[k], pixel);
            most[k] = fmax(most[k], pixel);
        }
    }
    return true;
}

static bool add_instance(const struct frame *frame, const struct crowd_member *member, uint32_t index, double least[2],
                         double most[2])
{
    const struct instance *instance = &frame->model->scene->instances[index];
    const struct gpu_mesh *gpu = &frame->model->meshes[instance->mesh];
    const struct palette *palette = member->palette;
    vec3 below = {0}, above = {0}; /* what morph targets move vertices by, at most */
    for (uint32_t t = 0; t < gpu->mesh->target_count; t++)
        for (int k = 0; k < 3; k++) {
            float weight = palette->morph_weights[instance->first_weight + t];
            float a = weight * gpu->boxes.deltas[t].min[k], b = weight * gpu->boxes.deltas[t].max[k];
            below[k] += fminf(fminf(a, b), 0);
            above[k] += fmaxf(fmaxf(a, b), 0);
        }
    bool known = gpu->boxes.known || gpu->mesh->triangle_count == 0;
    for (uint32_t b = 0; known && gpu->mesh->triangle_count > 0 && b < instance->binding_count; b++) {
        struct bounds box = gpu->boxes.bones[b];
        if (bounds_is_empty(&box))
            continue;
        for (int k = 0; k < 3; k++) {
            box.min[k] += below[k];
            box.max[k] += above[k];
        }
        box =
            posed(&box, palette->mesh_to_scene[instance->first_binding + b], frame->crowd.count ? member->place : NULL);
        known =
            affine_is_finite(palette->mesh_to_scene[instance->first_binding + b]) && add_box(frame, &box, least, most);
    }
    return known;
}

struct rectangle frame_scissor(const struct frame *frame)
{
    enum { MARGIN = 2 }; /* pixels: the GPU rounds otherwise, and a sample may lie outside of its pixel's middle */
    const struct frame_settings *settings = frame->frame_settings;
    const struct rectangle whole = {0, 0, settings->width, settings->height};
    const double size[2] = {whole.width, whole.height};
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    bool known = is_known(frame) && frame->primitives.count == 0;
    for (uint32_t m = 0; known && m < crowd_members(&frame->crowd); m++)
        for (uint32_t i = 0; known && i < frame->model->scene->instance_count; i++)
            known = add_instance(frame, &frame->crowd.members[m], i, least, most);
    if (known && frame->studio.ground) {
        struct bounds ground = bounds_empty();
        bounds_add_points(&ground, (const vec3 *)frame->studio.corners, 4);
        known = add_box(frame, &ground, least, most);
    }
    if (!known)
        return whole;
    for (int k = 0; k < 2; k++) {
        least[k] = fmin(fmax(floor(least[k]) - MARGIN, 0), size[k]);
        most[k] = fmax(fmin(ceil(most[k]) + MARGIN, size[k]), least[k]);
    }
    return (struct rectangle){(uint32_t)least[0], (uint32_t)least[1], (uint32_t)(most[0] - least[0]),
                              (uint32_t)(most[1] - least[1])};
}

/* The sign of a blended matrix's determinant, its size taken away: far enough from 0 that the GPU, which may fuse,
 * finds the same sign; else 0. */
static int side_of(double m[3][3])
{
    const double least = 1e-4;
    double size = 0;
    for (int i = 0; i < 9; i++) {
        const double each = fabs(m[i / 3][i % 3]);
        size = each > size ? each : size;
    }
    double by = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    by /= size * size * size;
    return by > least ? 1 : by < -least ? -1 : 0;
}

static int vertex_side(const struct mesh *mesh, const mat4 *matrices, uint32_t vertex)
{
    uint32_t count;
    const struct influence *influences = mesh_influences(mesh, vertex, &count);
    double sum[3][3] = {{0}};
    for (uint32_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++)
                sum[c][r] += (double)influences[i].weight * (double)matrices[influences[i].bone][c][r];
    return side_of(sum);
}

int frame_winding(const struct frame *frame, uint32_t index)
{
    const struct instance *instance = &frame->model->scene->instances[index];
    const struct mesh *mesh = &frame->model->scene->meshes[instance->mesh];
    int all = 0;
    for (uint32_t m = 0; is_known(frame) && m < crowd_members(&frame->crowd); m++) {
        const mat4 *matrices = (const mat4 *)frame->crowd.members[m].palette->mesh_to_scene + instance->first_binding;
        for (uint32_t v = 0; v < (mesh->influence_first ? mesh->vertex_count : 1); v++) {
            int side = vertex_side(mesh, matrices, v);
            if (side == 0 || (all != 0 && side != all))
                return 0;
            all = side;
        }
    }
    return all;
}
