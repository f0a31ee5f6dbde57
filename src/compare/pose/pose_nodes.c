/* Nodes and morph weights of two poses, measured: local transforms, which are the animation's, and globals, their products. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "compare/format_number.h"
#include "compare/match/matching.h"
#include "compare/pose/pose_context.h"

/* ---- what is measured -------------------------------------------------------------------------------------------- */

static double finite(double value)
{
    return fabs(value) <= DBL_MAX ? value : DBL_MAX;
}

/* Products of huge numbers may overflow; nothing that is written holds an infinity. */
static struct bone_error finite_error(const struct bone_error *error)
{
    struct bone_error e = *error;
    e.displacement = finite(e.displacement);
    e.distance = finite(e.distance);
    e.degrees = finite(e.degrees);
    e.translation = finite(e.translation);
    e.scale_percent = finite(e.scale_percent);
    return e;
}

void pose_add_error(struct pose_context *c, const struct bone_error *error)
{
    struct bone_error e = finite_error(error);
    c->out->items[c->out->count++] = e;
    c->out->worst[e.stage] = fmax(c->out->worst[e.stage], e.displacement);
}

void pose_add_difference(struct pose_context *c, const struct pose_difference *difference)
{
    if (c->difference_count == c->difference_capacity) {
        size_t capacity = c->difference_capacity ? 2 * c->difference_capacity : 64;
        struct pose_difference *items = ARENA_NEW(c->arena, struct pose_difference, capacity);
        if (c->difference_count > 0)
            memcpy(items, c->differences, c->difference_count * sizeof *items);
        c->differences = items;
        c->difference_capacity = capacity;
    }
    struct pose_difference *added = &c->differences[c->difference_count++];
    *added = *difference;
    added->error = finite_error(&difference->error);
    added->measure = finite(difference->measure);
}

void pose_measure_maps(const struct pose_context *c, const struct affine_d *was, const struct affine_d *now,
                       const double (*points)[3], int point_count, const double origin[3],
                       const struct affine_d *turned_was, const struct affine_d *turned_now, struct bone_error *error)
{
    for (int p = 0; p < point_count; p++)
        error->distance = fmax(error->distance, affine_d_gap(was, now, points[p]));
    error->displacement = error->distance / c->radius;
    error->degrees = affine_d_degrees(turned_was, turned_now);
    error->translation = affine_d_gap(was, now, origin);
    error->scale_percent = affine_d_scale_percent(turned_was, turned_now);
}

/* ---- local transforms -------------------------------------------------------------------------------------------- */

static struct match_list list_nodes(const struct pose_snapshot *pose, struct arena *arena)
{
    struct match_list list = match_list_create(pose->node_count, arena);
    for (uint32_t i = 0; i < pose->node_count; i++)
        list.keys[i] = (struct match_key){pose->nodes[i].name, pose->nodes[i].parent};
    return list;
}

static void find_others(struct pose_context *c)
{
    struct match_list golden = list_nodes(c->golden, c->arena), actual = list_nodes(c->actual, c->arena);
    const struct node_list golden_nodes = {&golden, c->golden_nodes.parents};
    const struct node_list actual_nodes = {&actual, c->actual_nodes.parents};
    struct matching matching = match_nodes(&golden_nodes, &actual_nodes, NULL, c->arena);
    for (size_t i = 0; i < golden.count; i++)
        c->nodes[i].other = matching.to_actual[i];
    pose_report_one_sided(c, DIFFERS_LOCAL, &golden, matching.to_actual, "missing");
    pose_report_one_sided(c, DIFFERS_LOCAL, &actual, matching.to_golden, "new");
}

static void measure_local(struct pose_context *c, size_t i)
{
    const struct pose_node_snapshot *was = &c->golden->nodes[i], *now = &c->actual->nodes[c->nodes[i].other];
    struct pose_difference difference = {DIFFERS_LOCAL, {.bone = was->name, .stage = STAGE_ANIMATE}, .was = (uint32_t)i};
    struct bone_error *error = &difference.error;
    if (memcmp(&was->local, &now->local, sizeof was->local) == 0) {
        pose_add_error(c, error);
        return;
    }
    const double origin[3] = {0, 0, 0};
    double points[6][3];
    int32_t parent = c->golden_nodes.parents[i];
    struct affine_d around = parent == NO_INDEX ? affine_d_identity : c->golden_nodes.node_to_scene[parent];
    struct affine_d local_was = affine_d_from_transform(&was->local), local_now = affine_d_from_transform(&now->local);
    struct affine_d before = affine_d_mul(&around, &local_was), after = affine_d_mul(&around, &local_now);
    skeleton_probe_points(&c->golden_nodes, i, points);
    pose_measure_maps(c, &before, &after, points, 6, origin, &local_was, &local_now, error);
    pose_add_error(c, error);
    c->nodes[i].local_gap = finite(error->displacement);
    difference.measure = error->displacement;
    difference.now = (uint32_t)c->nodes[i].other;
    pose_add_difference(c, &difference);
}

void pose_measure_locals(struct pose_context *c)
{
    find_others(c);
    for (size_t i = 0; i < c->golden_nodes.count; i++) {
        int32_t parent = c->golden_nodes.parents[i];
        if (c->nodes[i].other != NO_INDEX)
            measure_local(c, i);
        c->nodes[i].gap_above = fmax(c->nodes[i].local_gap, parent == NO_INDEX ? 0.0 : c->nodes[parent].gap_above);
    }
}

/* ---- globals ----------------------------------------------------------------------------------------------------- */

static bool measure_global(const struct pose_context *c, size_t i, double points[6][3], struct bone_error *error)
{
    const struct pose_node_snapshot *was = &c->golden->nodes[i], *now = &c->actual->nodes[c->nodes[i].other];
    const struct affine_d *before = &c->golden_nodes.node_to_scene[i];
    const struct affine_d *after = &c->actual_nodes.node_to_scene[c->nodes[i].other];
    const double origin[3] = {0, 0, 0};
    *error = (struct bone_error){.bone = was->name, .stage = STAGE_PALETTE};
    if (memcmp(was->node_to_scene, now->node_to_scene, sizeof(mat4)) == 0)
        return false;
    skeleton_probe_points(&c->golden_nodes, i, points);
    pose_measure_maps(c, before, after, points, 6, origin, before, after, error);
    return true;
}

/* How far the node's global is from its parent's times its own local transform, over its probe points. */
static double residual(const struct pose_snapshot *pose, const struct skeleton *skeleton, size_t i, double points[6][3])
{
    struct affine_d expected = affine_d_from_transform(&pose->nodes[i].local);
    int32_t parent = skeleton->parents[i];
    double worst = 0;
    if (parent != NO_INDEX)
        expected = affine_d_mul(&skeleton->node_to_scene[parent], &expected);
    for (int p = 0; p < 6; p++)
        worst = fmax(worst, affine_d_gap(&expected, &skeleton->node_to_scene[i], points[p]));
    return worst;
}

/* A node whose global differs although its parent's and its local transform do not account for it. */
static void measure_residual(struct pose_context *c, size_t i)
{
    double points[6][3];
    struct pose_difference difference = {DIFFERS_RESIDUAL, .was = (uint32_t)i};
    if (!measure_global(c, i, points, &difference.error))
        return;
    double now = residual(c->actual, &c->actual_nodes, (size_t)c->nodes[i].other, points);
    if (now <= 2.0 * residual(c->golden, &c->golden_nodes, i, points))
        return;
    difference.measure = fmin(now / c->radius, difference.error.displacement); /* both count */
    difference.error.distance = now;
    difference.error.displacement = now / c->radius;
    difference.now = (uint32_t)c->nodes[i].other;
    c->nodes[i].residual = finite(difference.measure);
    pose_add_difference(c, &difference);
}

void pose_measure_residuals(struct pose_context *c)
{
    for (size_t i = 0; i < c->golden_nodes.count; i++) {
        int32_t parent = c->golden_nodes.parents[i];
        if (c->nodes[i].other != NO_INDEX)
            measure_residual(c, i);
        c->nodes[i].residual_above = fmax(c->nodes[i].residual, parent == NO_INDEX ? 0.0 : c->nodes[parent].residual_above);
    }
}

void pose_measure_globals(struct pose_context *c)
{
    for (size_t i = 0; i < c->golden_nodes.count; i++) {
        double points[6][3];
        struct pose_difference difference = {DIFFERS_GLOBAL, .was = (uint32_t)i};
        if (c->nodes[i].has_entry || c->nodes[i].other == NO_INDEX)
            continue;
        bool differs = measure_global(c, i, points, &difference.error);
        pose_add_error(c, &difference.error);
        difference.measure = difference.error.displacement;
        if (differs)
            pose_add_difference(c, &difference);
    }
}

/* ---- morph weights ----------------------------------------------------------------------------------------------- */

static struct match_list list_morphs(const struct pose_snapshot *pose, struct arena *arena)
{
    struct match_list list = match_list_create(pose->morph_count, arena);
    for (uint32_t i = 0; i < pose->morph_count; i++)
        list.keys[i] = (struct match_key){pose->morphs[i].mesh, pose->morphs[i].node};
    return list;
}

/* How far a weight of 1 moves a vertex at most: by the target's largest delta, scaled as the mesh's entries scale, where the
 * import knows it, else by half the size of the mesh. */
static double target_radius(const struct pose_context *c, const char *mesh, uint32_t target)
{
    int32_t index = name_find(&c->meshes, mesh);
    const struct mesh_snapshot *imported = index == NO_INDEX ? NULL : &c->import->meshes[index];
    double scale = 0, radius = pose_skin_radius(c, mesh);
    if (!imported || target >= imported->target_count)
        return radius > 0 ? radius : c->radius;
    for (uint32_t i = 0; i < c->golden->palette_count; i++) {
        const struct palette_snapshot *entry = &c->golden->palette[i];
        struct affine_d mesh_to_scene = affine_d_from(entry->mesh_to_scene);
        if (strcmp(entry->mesh, mesh) == 0)
            scale = fmax(scale, affine_d_scale(&mesh_to_scene));
    }
    return (double)imported->targets[target].largest * (scale > 0 ? scale : 1);
}

void pose_measure_morphs(struct pose_context *c)
{
    struct match_list golden = list_morphs(c->golden, c->arena), actual = list_morphs(c->actual, c->arena);
    if (golden.count == 0 || actual.count == 0)
        return;
    struct matching matching = match_by_name(&golden, &actual, MATCH_NEED_CONTEXT, c->arena);
    pose_report_one_sided(c, DIFFERS_MORPH, &golden, matching.to_actual, "missing");
    pose_report_one_sided(c, DIFFERS_MORPH, &actual, matching.to_golden, "new");
    for (uint32_t i = 0; i < golden.count; i++) {
        if (matching.to_actual[i] == NO_INDEX)
            continue;
        const struct morph_weights_snapshot *was = &c->golden->morphs[i];
        const struct morph_weights_snapshot *now = &c->actual->morphs[matching.to_actual[i]];
        struct finding finding = pose_finding(c, STAGE_ANIMATE, was->mesh);
        if (was->count != now->count)
            findings_add(c->findings, &finding, "mesh %s has %u morph weight%s at %s, had %u",
                         format_mesh(was->mesh, c->arena), now->count, format_plural(now->count),
                         format_seconds(c->golden->time).text, was->count);
        for (uint32_t target = 0; target < was->count && target < now->count; target++) {
            struct bone_error error = {.bone = was->node, .mesh = was->mesh, .stage = STAGE_ANIMATE};
            error.distance = fabs((double)now->weights[target] - (double)was->weights[target]);
            if (error.distance == 0)
                continue;
            error.distance *= target_radius(c, was->mesh, target);
            error.displacement = error.distance / c->radius;
            c->out->worst[STAGE_ANIMATE] = fmax(c->out->worst[STAGE_ANIMATE], error.displacement);
            pose_add_difference(c, &(struct pose_difference){DIFFERS_MORPH, error, error.displacement, i,
                                                             (uint32_t)matching.to_actual[i], .target = target});
        }
    }
}
