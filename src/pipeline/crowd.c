#include "pipeline/pipeline.h"

#include <math.h>
#include <string.h>

#include "pipeline/view_values.h"

uint32_t crowd_size(const struct settings *settings)
{
    return settings->crowd[0] * settings->crowd[1];
}

double crowd_time(const struct pipeline *p, double time, uint32_t instance)
{
    const struct settings *s = p->settings;
    double phase = isnan(s->crowd_phase) ? pipeline_duration(p) / crowd_size(s) : s->crowd_phase;
    return instance == 0 ? time : time + instance * phase;
}

/* Finds how far it is from one instance to the next, by column and by row, and along which axes. Rows go away from the
 * front. `one` is placed. */
static void grid_of(const struct pipeline *p, const struct bounds *one, float step[2], int axes[2])
{
    static const int ground[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    bool empty = bounds_is_empty(one) || !(bounds_radius(one) > 0);
    for (int i = 0; i < 2; i++) {
        axes[i] = ground[p->up_axis][i];
        step[i] = empty ? 1 : one->max[axes[i]] - one->min[axes[i]];
    }
    float least = empty ? 1 : 0.5f * fmaxf(fmaxf(step[0], step[1]), bounds_radius(one));
    for (int i = 0; i < 2; i++)
        step[i] = 1.2f * fmaxf(step[i], least);
    if (p->up_axis != 2)
        step[1] = -step[1];
}

struct bounds crowd_bounds(const struct pipeline *p, const struct bounds *one)
{
    const struct bounds placed = place_bounds(p, one);
    struct bounds all = placed;
    float step[2];
    int axes[2];
    grid_of(p, &placed, step, axes);
    for (int i = 0; i < 2 && crowd_size(p->settings) > 0 && !bounds_is_empty(one); i++) {
        float reach = 0.5f * (float)(p->settings->crowd[i] - 1) * (step[i] < 0 ? -step[i] : step[i]);
        all.min[axes[i]] -= reach;
        all.max[axes[i]] += reach;
    }
    return all;
}

void crowd_cell(const struct pipeline *p, const struct bounds *one, uint32_t instance, vec3 out)
{
    const struct bounds placed = place_bounds(p, one);
    const uint32_t columns = p->settings->crowd[0];
    float step[2];
    int axes[2];
    memset(out, 0, sizeof(vec3));
    if (columns == 0)
        return;
    const uint32_t cell[2] = {instance % columns, instance / columns};
    grid_of(p, &placed, step, axes);
    for (int i = 0; i < 2; i++)
        out[axes[i]] = ((float)cell[i] - 0.5f * (float)(p->settings->crowd[i] - 1)) * step[i];
}

bool crowd_pose(struct posed_crowd *out, struct pipeline *p, double time, const struct bounds *one,
                const struct crowd_member *first, struct error *err)
{
    uint32_t count = crowd_size(p->settings);
    *out = (struct posed_crowd){.first = *first};
    out->members = &out->first;
    out->crowd = (struct crowd){0, out->members, time};
    out->first_palette = first->palette;
    out->palettes = &out->first_palette;
    if (count == 0 && !p->is_placed)
        return true;
    out->arena = create_large_arena();
    if (count == 0) {
        place_member(p, out->arena, &out->first);
        return true;
    }
    struct crowd_member *members = ARENA_NEW(out->arena, struct crowd_member, count);
    out->members = members;
    out->palettes = ARENA_NEW(out->arena, const struct palette *, count);
    out->crowd = (struct crowd){count, members, time};
    for (uint32_t k = count; k-- > 0;) {
        struct pose *pose = ARENA_NEW(out->arena, struct pose, 1);
        struct palette *palette = ARENA_NEW(out->arena, struct palette, 1);
        if (!pipeline_pose(p, crowd_time(p, time, k), err)) {
            crowd_release(out);
            return error_prefix(err, "--crowd: instance %u", k + 1);
        }
        *pose = pose_copy(&p->pose, p->scene, out->arena);
        *palette = palette_copy(&p->palette, p->scene, out->arena);
        members[k] = (struct crowd_member){.palette = palette, .pose = pose};
        out->palettes[k] = palette;
        if (p->is_placed)
            place_member(p, out->arena, &members[k]);
        crowd_cell(p, one, k, members[k].place);
    }
    return true;
}

void crowd_release(struct posed_crowd *crowd)
{
    arena_destroy(crowd->arena);
}

void crowd_skin(struct pipeline *p, const struct posed_crowd *crowd, uint32_t member, struct bounds *bounds)
{
    const struct crowd_member *of = &crowd->crowd.members[member];
    struct palette palette = p->palette;
    struct pose pose = p->pose;
    p->palette = *of->palette;
    p->pose = *of->pose;
    pipeline_skin(p);
    pipeline_add_bounds(p, bounds);
    p->palette = palette;
    p->pose = pose;
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        for (uint32_t v = 0; v < p->skinned[i].vertex_count; v++)
            for (int k = 0; k < 3; k++)
                p->skinned[i].positions[v][k] += of->place[k];
}

bool pipeline_draw(struct pipeline *p, struct renderer *renderer, struct gpu_model *model, double time,
                   const struct bounds *bounds, const struct camera *camera, struct image *out, struct error *err)
{
    struct frame_settings frame_settings = pipeline_frame_settings(p, bounds, camera);
    const struct crowd_member own = {.palette = &p->palette, .pose = &p->pose};
    struct posed_crowd crowd;
    if (!crowd_pose(&crowd, p, time, bounds, &own, err))
        return false;
    bool good = view_values_add(&crowd, p, time, &frame_settings, err) &&
                draw_crowd(renderer, model, &crowd.crowd, &frame_settings, out, err);
    crowd_release(&crowd);
    return good;
}
