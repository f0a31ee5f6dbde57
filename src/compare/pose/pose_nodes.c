/* Nodes of two poses: local transforms, which are the animation's, and globals, which are products of them. */
#include <math.h>
#include <string.h>

#include "compare/grouping.h"
#include "compare/match/matrix_change.h"
#include "compare/match/node_matching.h"
#include "compare/format_number.h"
#include "compare/pose/pose_context.h"

/* ---- which node is which ----------------------------------------------------------------------------------------- */

static struct match_list list_nodes(const struct pose_snapshot *pose, struct arena *arena)
{
    struct match_list list = match_list_create(pose->node_count, arena);
    for (uint32_t i = 0; i < pose->node_count; i++)
        list.keys[i] = (struct match_key){pose->nodes[i].name, pose->nodes[i].parent};
    return list;
}

static void report_one_sided(const struct pose_context *c, const struct match_list *list, const int32_t *matched,
                           const char *state)
{
    struct grouping grouping = grouping_begin(c->findings, "", arena_printf(c->arena, " nodes are %s", state));
    for (size_t i = 0; i < list->count; i++) {
        struct finding finding = pose_finding(c, STAGE_ANIMATE, list->keys[i].name);
        if (matched[i] == NO_INDEX)
            grouping_add(&grouping, &finding, NULL, "node `%s` is %s", finding.subject, state);
    }
    grouping_end(&grouping);
}

static void find_others(struct pose_context *c)
{
    struct match_list golden = list_nodes(c->golden, c->arena), actual = list_nodes(c->actual, c->arena);
    const struct node_list golden_nodes = {&golden, c->golden_nodes.parents};
    const struct node_list actual_nodes = {&actual, c->actual_nodes.parents};
    struct matching matching = match_nodes(&golden_nodes, &actual_nodes, NULL, c->arena);
    for (size_t i = 0; i < golden.count; i++)
        c->nodes[i].other = matching.to_actual[i];
    report_one_sided(c, &golden, matching.to_actual, "missing");
    report_one_sided(c, &actual, matching.to_golden, "new");
}

/* ---- local transforms -------------------------------------------------------------------------------------------- */

/* Whether `now` is `was` with its numbers at other places and with other signs, or all signs the other way. */
static bool is_rearranged(const vec4 was, const vec4 now, const int places[4], const float signs[4])
{
    float same = 0, negated = 0;
    for (int i = 0; i < 4; i++) {
        same = fmaxf(same, fabsf(now[i] - signs[i] * was[places[i]]));
        negated = fmaxf(negated, fabsf(now[i] + signs[i] * was[places[i]]));
    }
    return fminf(same, negated) < 1e-4f;
}

/* Mistakes that have a name. */
static const char *explain_local(const struct pose_context *c, const struct transform *was, const struct transform *now,
                                 double degrees)
{
    static const struct {
        int places[4];
        float signs[4];
        const char *says;
    } mistakes[] = {
        {{0, 1, 2, 3}, {-1, -1, -1, 1}, "; its rotation is inverted"},
        {{3, 0, 1, 2}, {1, 1, 1, 1}, "; its quaternion has w first"},
        {{1, 2, 3, 0}, {1, 1, 1, 1}, "; its quaternion has w last where it should be first"},
    };
    for (size_t i = 0; degrees > 0.1 && i < sizeof mistakes / sizeof mistakes[0]; i++)
        if (is_rearranged(was->rotation, now->rotation, mistakes[i].places, mistakes[i].signs))
            return mistakes[i].says;
    struct affine_d before = affine_d_from_transform(was), after = affine_d_from_transform(now);
    double ratio = matrix_translation_ratio(&before, &after, 1e-6 * c->radius);
    if (ratio >= 1.5 || (ratio > 0 && ratio <= 1.0 / 1.5))
        return arena_printf(c->arena, "; its translation is %s", format_factor(ratio, "longer", "shorter").text);
    return "";
}

/* "local transform of `hips` is off by 3.2° and 1.1 cm at 0.250 s, which moves what hangs on it by 12.3 mm (...)". */
static const char *describe_local(const struct pose_context *c, size_t i, const struct bone_error *error,
                                  const struct affine_d *was, const struct affine_d *now)
{
    struct text change = {0};
    change_describe(error->degrees, change_axis(was, now), error->translation, error->scale_percent,
                    c->golden_nodes.influence_radius[i], error->distance, c->unit_meters, &change);
    const char *text =
        arena_printf(c->arena, "local transform of `%s` is off by %s at %s, which moves what hangs on it by %s",
                     error->bone, text_string(&change), format_seconds(c->golden->time).text, pose_off_by(c, error));
    text_release(&change);
    return text;
}

static void compare_local(struct pose_context *c, size_t i, struct pose_faults *faults)
{
    const struct pose_node_snapshot *was = &c->golden->nodes[i], *now = &c->actual->nodes[c->nodes[i].other];
    struct bone_error error = {.bone = was->name, .stage = STAGE_ANIMATE};
    if (memcmp(&was->local, &now->local, sizeof was->local) == 0) {
        pose_add_error(c, &error);
        return;
    }
    int32_t parent = c->golden_nodes.parents[i];
    struct affine_d around = parent == NO_INDEX ? affine_d_identity : c->golden_nodes.node_to_scene[parent];
    struct affine_d local_was = affine_d_from_transform(&was->local), local_now = affine_d_from_transform(&now->local);
    struct affine_d before = affine_d_mul(&around, &local_was), after = affine_d_mul(&around, &local_now);
    double points[6][3], origin[3] = {0, 0, 0};
    skeleton_probe_points(&c->golden_nodes, i, points);
    for (int p = 0; p < 6; p++)
        error.distance = fmax(error.distance, affine_d_gap(&before, &after, points[p]));
    error.displacement = error.distance / c->radius;
    error.degrees = affine_d_degrees(&local_was, &local_now);
    error.translation = affine_d_gap(&before, &after, origin);
    error.scale_percent = affine_d_scale_percent(&local_was, &local_now);
    pose_add_error(c, &error);
    c->nodes[i].local_gap = error.displacement;
    if (!(error.displacement <= c->tolerance->shell)) {
        c->nodes[i].moved = true;
        pose_add_fault(c, faults, &error, describe_local(c, i, &error, &local_was, &local_now),
                       explain_local(c, &was->local, &now->local, error.degrees));
    }
}

void pose_compare_locals(struct pose_context *c)
{
    struct pose_faults faults = {0};
    find_others(c);
    for (size_t i = 0; i < c->golden_nodes.count; i++) {
        int32_t parent = c->golden_nodes.parents[i];
        if (c->nodes[i].other != NO_INDEX)
            compare_local(c, i, &faults);
        c->nodes[i].moved = c->nodes[i].moved || (parent != NO_INDEX && c->nodes[parent].moved);
    }
    pose_report_faults(c, &faults, "local transforms");
}

/* ---- globals ----------------------------------------------------------------------------------------------------- */

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

static struct bone_error global_error(const struct pose_context *c, size_t i)
{
    const struct pose_node_snapshot *was = &c->golden->nodes[i], *now = &c->actual->nodes[c->nodes[i].other];
    const struct affine_d *before = &c->golden_nodes.node_to_scene[i];
    const struct affine_d *after = &c->actual_nodes.node_to_scene[c->nodes[i].other];
    struct bone_error error = {.bone = was->name, .stage = STAGE_PALETTE};
    double points[6][3], origin[3] = {0, 0, 0};
    if (memcmp(was->node_to_scene, now->node_to_scene, sizeof(mat4)) == 0)
        return error;
    skeleton_probe_points(&c->golden_nodes, i, points);
    for (int p = 0; p < 6; p++)
        error.distance = fmax(error.distance, affine_d_gap(before, after, points[p]));
    error.displacement = error.distance / c->radius;
    error.degrees = affine_d_degrees(before, after);
    error.translation = affine_d_gap(before, after, origin);
    error.scale_percent = affine_d_scale_percent(before, after);
    return error;
}

static const char *describe_global(const struct pose_context *c, const struct bone_error *error, const char *says)
{
    return arena_printf(c->arena, "global matrix of node `%s` %s %s at %s", error->bone, says, pose_off_by(c, error),
                        format_seconds(c->golden->time).text);
}

/* Mistakes that have a name. */
static const char *explain_global(const struct pose_context *c, size_t i)
{
    const struct affine_d *was = &c->golden_nodes.node_to_scene[i];
    unsigned patterns = matrix_patterns(was, &c->actual_nodes.node_to_scene[c->nodes[i].other], 1e-4 * c->radius);
    enum matrix_pattern pattern = matrix_pattern_of_most(&patterns, 1);
    return pattern == MATRIX_PATTERN_COUNT ? "" : arena_printf(c->arena, "; it %s", matrix_pattern_says(pattern, false));
}

/* A node whose global differs although its parent's and its local transform do not account for it. */
static void find_broken(struct pose_context *c, size_t i, const struct bone_error *error, struct pose_faults *faults)
{
    double points[6][3];
    skeleton_probe_points(&c->golden_nodes, i, points);
    double now = residual(c->actual, &c->actual_nodes, (size_t)c->nodes[i].other, points);
    double was = residual(c->golden, &c->golden_nodes, i, points);
    if (!(now > c->tolerance->shell * c->radius) || now <= 2.0 * was)
        return;
    struct bone_error fault = *error;
    fault.distance = now;
    fault.displacement = now / c->radius;
    c->nodes[i].broken = true;
    c->out->worst[STAGE_PALETTE] = fmax(c->out->worst[STAGE_PALETTE], fault.displacement);
    pose_add_fault(c, faults, &fault,
                   describe_global(c, &fault, "is not its parent's times its local transform: it is off by"),
                   explain_global(c, i));
}

void pose_compare_globals(struct pose_context *c, struct pose_faults *faults)
{
    for (size_t i = 0; i < c->golden_nodes.count; i++) {
        int32_t parent = c->golden_nodes.parents[i];
        if (c->nodes[i].other != NO_INDEX) {
            struct bone_error error = global_error(c, i);
            c->nodes[i].global_gap = error.displacement;
            if (!(error.displacement <= c->tolerance->shell))
                find_broken(c, i, &error, faults);
        }
        c->nodes[i].broken = c->nodes[i].broken || (parent != NO_INDEX && c->nodes[parent].broken);
    }
}

/* Nodes that no palette entry speaks for. What follows from a node above is told there. */
void pose_add_globals(struct pose_context *c, struct pose_faults *faults)
{
    for (size_t i = 0; i < c->golden_nodes.count; i++) {
        const struct node_state *node = &c->nodes[i];
        if (node->has_entry || node->other == NO_INDEX)
            continue;
        struct bone_error error = global_error(c, i);
        pose_add_error(c, &error);
        if (!(error.displacement <= c->tolerance->shell) && !node->moved && !node->broken)
            pose_add_fault(c, faults, &error, describe_global(c, &error, "is off by"), "");
    }
}
