/* Bones of meshes: which, their offset matrices, their weights. */
#include <math.h>
#include <string.h>

#include "compare/import/import_offsets.h"
#include "compare/format_number.h"

/* One grouping each over all meshes. */
struct bone_groupings {
    const struct import_context *context;
    struct grouping gone, added, weights, exchanged, offsets, common_offsets, stand_ins, order;
};

/* A pair of meshes and their bones. */
struct bone_pair {
    struct bone_groupings *groupings;
    const struct mesh_snapshot *was;
    const struct mesh_snapshot *now;
    double mesh_scale;
    const struct mesh_placement *placement;
    struct matching bones;
};

static const char *formatted_of(const struct bone_pair *pair)
{
    return mesh_text(pair->groupings->context, pair->was);
}

static struct match_list list_bones(const struct mesh_snapshot *mesh, const struct renames *renames,
                                    struct arena *arena)
{
    struct match_list list = match_list_create(mesh->bone_count, arena);
    for (uint32_t i = 0; i < mesh->bone_count; i++)
        list.keys[i] = (struct match_key){renames ? renamed(renames, mesh->bones[i].bone) : mesh->bones[i].bone, NULL};
    return list;
}

static struct finding bone_finding(const struct bone_pair *pair, const char *bone)
{
    struct finding finding = import_finding(bone);
    finding.mesh = mesh_label(pair->groupings->context, pair->was);
    return finding;
}

/* ---- which bones ------------------------------------------------------------------------------------------------- */

/* True when one side binds none: there is nothing more to say then. */
static bool report_all_or_nothing(const struct bone_pair *pair)
{
    struct finding finding = bone_finding(pair, mesh_label(pair->groupings->context, pair->was));
    uint32_t before = pair->was->bone_count, after = pair->now->bone_count;
    if (before > 0 && after == 0)
        findings_add(pair->groupings->context->out, &finding, "mesh %s is rigid now: it lost %s%u bone%s",
                     formatted_of(pair), before == 1 ? "its " : "all its ", before, format_plural(before));
    if (before == 0 && after > 0)
        findings_add(pair->groupings->context->out, &finding, "mesh %s was rigid and is bound to %u bone%s now",
                     formatted_of(pair), after, format_plural(after));
    return before == 0 || after == 0;
}

static void report_which(const struct bone_pair *pair)
{
    const char *mesh = formatted_of(pair);
    for (uint32_t i = 0; i < pair->was->bone_count; i++) {
        struct finding finding = bone_finding(pair, pair->was->bones[i].bone);
        if (pair->bones.to_actual[i] == NO_INDEX)
            grouping_add(&pair->groupings->gone, &finding, NULL, "mesh %s no longer binds bone `%s`", mesh,
                         finding.subject);
    }
    for (uint32_t i = 0; i < pair->now->bone_count; i++) {
        struct finding finding = bone_finding(pair, pair->now->bones[i].bone);
        if (pair->bones.to_golden[i] == NO_INDEX)
            grouping_add(&pair->groupings->added, &finding, NULL, "mesh %s binds bone `%s` now", mesh, finding.subject);
    }
}

static void report_order_of_bones(const struct bone_pair *pair)
{
    size_t earlier, later;
    if (!matching_out_of_order(&pair->bones, &earlier, &later))
        return;
    struct finding finding = bone_finding(pair, pair->was->bones[later].bone);
    finding.benign = true;
    grouping_add(&pair->groupings->order, &finding, NULL,
                 "the bones of mesh %s come in another order: `%s` before `%s`", formatted_of(pair), finding.subject,
                 pair->was->bones[earlier].bone);
}

/* ---- weights ----------------------------------------------------------------------------------------------------- */

/* In scene units. Where the whole mesh went its bones' centres go with it: that is told of the mesh. */
static double centroid_moved(const struct bone_pair *pair, const struct bone_snapshot *was,
                             const struct bone_snapshot *now)
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)was->centroid[k];
        b[k] = (double)now->centroid[k];
    }
    if (pair->placement->holds_centres)
        placement_apply(&pair->placement->placement, a, a);
    return pair->mesh_scale * vector_distance(a, b);
}

static bool have_equal_sums(const struct bone_snapshot *was, const struct bone_snapshot *now, double tolerance)
{
    return fabs((double)now->sum - (double)was->sum) <= tolerance * fmax(1.0, fabs((double)was->sum));
}

/* A small sum makes its centroid uncertain. */
static bool have_equal_centroids(const struct bone_pair *pair, const struct bone_snapshot *was,
                                 const struct bone_snapshot *now, double tolerance)
{
    const struct import_context *c = pair->groupings->context;
    double least = fmin(fabs((double)was->sum), fabs((double)now->sum));
    double size = pair->placement->holds_centres ? fmax(1.0, pair->placement->placement.scale) : 1.0;
    return least == 0 || centroid_moved(pair, was, now) <= tolerance * size * c->radius * fmax(1.0, 1.0 / least);
}

static bool hold_the_same(const struct bone_pair *pair, const struct bone_snapshot *was,
                          const struct bone_snapshot *now, double tolerance)
{
    return was->weights == now->weights && have_equal_sums(was, now, tolerance) &&
           have_equal_centroids(pair, was, now, tolerance);
}

/* "190 weights, were 41; sum of weights 12.5, was 30.1; weighted centre moved by 3 cm". */
static const char *describe_weights(const struct bone_pair *pair, const struct bone_snapshot *was,
                                    const struct bone_snapshot *now, struct finding *finding)
{
    const struct import_context *c = pair->groupings->context;
    double tolerance = c->tolerance->import;
    struct text text = {0};
    if (was->weights != now->weights)
        text_addf(&text, "%u weight%s, were %u", now->weights, format_plural(now->weights), was->weights);
    if (!have_equal_sums(was, now, tolerance)) {
        struct formatted_pair sum = format_numbers((double)now->sum, (double)was->sum);
        text_addf(&text, "%ssum of weights %s, was %s", text.size ? "; " : "", sum.now, sum.was);
    }
    finding->distance = finding->displacement = 0;
    if (!have_equal_centroids(pair, was, now, tolerance)) {
        finding->distance = centroid_moved(pair, was, now);
        finding->displacement = finding->distance / c->radius;
        text_addf(&text, "%sweighted centre moved by %s", text.size ? "; " : "",
                  format_length(finding->distance, c->unit_meters).text);
    }
    const char *copy = arena_string(c->arena, text_string(&text));
    text_release(&text);
    return copy;
}

/* The one other bone whose vertices this one holds now, or NULL. */
static const struct bone_snapshot *now_holds_those_of(const struct bone_pair *pair, const struct bone_snapshot *now)
{
    const struct bone_snapshot *found = NULL;
    for (uint32_t i = 0; i < pair->was->bone_count; i++) {
        if (pair->was->bones[i].weights == 0 || !hold_the_same(pair, &pair->was->bones[i], now, 1e-4))
            continue;
        if (found)
            return NULL;
        found = &pair->was->bones[i];
    }
    return found;
}

static void compare_weights(const struct bone_pair *pair, const struct bone_snapshot *was,
                            const struct bone_snapshot *now)
{
    enum { MOST_SEARCHED = 1024 };
    const struct import_context *c = pair->groupings->context;
    struct finding finding = bone_finding(pair, was->bone);
    if (hold_the_same(pair, was, now, c->tolerance->import))
        return;
    const char *detail = describe_weights(pair, was, now, &finding);
    const struct bone_snapshot *other = pair->was->bone_count <= MOST_SEARCHED ? now_holds_those_of(pair, now) : NULL;
    if (other && other != was)
        grouping_add(&pair->groupings->exchanged, &finding, arena_printf(c->arena, "those of `%s`", other->bone),
                 "bone `%s` (mesh %s) holds the vertices that `%s` held", was->bone, formatted_of(pair), other->bone);
    else
        grouping_add(&pair->groupings->weights, &finding, detail, "bone `%s` (mesh %s): %s", was->bone,
                     formatted_of(pair), detail);
}

static void compare_stand_in(const struct bone_pair *pair, const struct bone_snapshot *was,
                             const struct bone_snapshot *now)
{
    struct finding finding = bone_finding(pair, was->bone);
    if (was->follows_mesh_node != now->follows_mesh_node)
        grouping_add(&pair->groupings->stand_ins, &finding, NULL, "bone `%s` (mesh %s) is %s", was->bone,
                     formatted_of(pair),
                     now->follows_mesh_node ? "not in the file any more: it holds vertices without weights"
                                            : "in the file now: it held vertices without weights");
}

/* ---- offset matrices --------------------------------------------------------------------------------------------- */

/* The points by which a bone's matrix is judged, in mesh space: at its reach along its axes, which the golden's matrix
 * takes there; the corners of the mesh where that matrix is singular. */
static int judge_points(const struct bone_pair *pair, const struct affine_d *was, double influence_radius,
                        double points[8][3])
{
    struct affine_d bone_to_mesh;
    if (!affine_d_inverse(was, &bone_to_mesh)) {
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < 3; k++)
                points[i][k] = (double)(i >> k & 1 ? pair->was->max[k] : pair->was->min[k]);
        return 8;
    }
    for (int i = 0; i < 6; i++) {
        double point[3] = {0, 0, 0};
        point[i / 2] = i % 2 ? -influence_radius : influence_radius;
        affine_d_point(&bone_to_mesh, point, points[i]);
    }
    return 6;
}

static struct offset_change measure_offset(const struct bone_pair *pair, int32_t node, const struct bone_snapshot *was,
                                           const struct bone_snapshot *now)
{
    const struct import_context *c = pair->groupings->context;
    const struct affine_d *to_scene = node == NO_INDEX ? &affine_d_identity : &c->golden_nodes.node_to_scene[node];
    struct offset_change change = {
        .finding = bone_finding(pair, was->bone),
        .bone = was->bone,
        .was = affine_d_from(was->mesh_to_bone),
        .now = affine_d_from(now->mesh_to_bone),
        .bone_scale = affine_d_scale(to_scene),
    };
    double points[8][3], origin[3] = {0, 0, 0};
    if (!(change.bone_scale > 0))
        change.bone_scale = 1.0;
    change.influence_radius = fmax((double)was->influence_radius * change.bone_scale, 0.03 * c->radius);
    int count = judge_points(pair, &change.was, change.influence_radius / change.bone_scale, points);
    change.finding.distance = 0;
    for (int i = 0; i < count; i++)
        change.finding.distance =
            fmax(change.finding.distance, change.bone_scale * affine_d_gap(&change.was, &change.now, points[i]));
    change.finding.displacement = change.finding.distance / c->radius;
    change.finding.degrees = affine_d_degrees(&change.was, &change.now);
    change.finding.scale_percent = affine_d_scale_percent(&change.was, &change.now);
    if (count == 6) { /* where the bone's own origin goes */
        for (int k = 0; k < 3; k++)
            origin[k] = 0.5 * (points[0][k] + points[1][k]);
        change.finding.translation = change.bone_scale * affine_d_gap(&change.was, &change.now, origin);
    }
    return change;
}

static void compare_offsets(const struct bone_pair *pair)
{
    const struct import_context *c = pair->groupings->context;
    uint32_t most = pair->was->bone_count;
    struct affine_d *others = ARENA_NEW(c->arena, struct affine_d, most);
    const char **names = ARENA_NEW(c->arena, const char *, most);
    struct offset_changes changes = {.mesh = formatted_of(pair),
                                     .items = ARENA_NEW(c->arena, struct offset_change, most),
                                     .others = others,
                                     .names = names,
                                     .mesh_scale = pair->mesh_scale};
    for (uint32_t i = 0; i < most; i++) {
        const struct bone_snapshot *was = &pair->was->bones[i];
        int32_t other = pair->bones.to_actual[i];
        if (other == NO_INDEX)
            continue;
        const struct bone_snapshot *now = &pair->now->bones[other];
        others[changes.bones] = affine_d_from(was->mesh_to_bone);
        names[changes.bones++] = was->bone;
        if (memcmp(was->mesh_to_bone, now->mesh_to_bone, sizeof(mat4)) == 0)
            continue;
        changes.items[changes.count] = measure_offset(pair, name_find(&c->golden_nodes.names, was->bone), was, now);
        changes.count += changes.items[changes.count].finding.displacement > c->tolerance->import;
    }
    report_offsets(c, &changes, &pair->groupings->common_offsets, &pair->groupings->offsets);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void compare_bones_of(struct bone_groupings *groupings, size_t golden, size_t actual)
{
    const struct import_context *c = groupings->context;
    struct bone_pair pair = {groupings,
                             &c->golden->meshes[golden],
                             &c->actual->meshes[actual],
                             c->mesh_scale[golden],
                             &c->placements[golden],
                             {0}};
    if (report_all_or_nothing(&pair))
        return;
    struct match_list was = list_bones(pair.was, &c->node_names, c->arena), now = list_bones(pair.now, NULL, c->arena);
    pair.bones = match_by_name(&was, &now, MATCH_PREFER_CONTEXT, c->arena);
    report_which(&pair);
    compare_offsets(&pair);
    for (size_t i = 0; i < was.count; i++) {
        if (pair.bones.to_actual[i] == NO_INDEX)
            continue;
        compare_weights(&pair, &pair.was->bones[i], &pair.now->bones[pair.bones.to_actual[i]]);
        compare_stand_in(&pair, &pair.was->bones[i], &pair.now->bones[pair.bones.to_actual[i]]);
    }
    report_order_of_bones(&pair);
}

/* " bones of mesh `body` differ", without the mesh where there are several. */
static void end_grouping(struct grouping *grouping, const char *says)
{
    struct arena *arena = grouping->out->arena;
    const char *mesh = grouping_mesh(grouping);
    grouping->after = mesh ? arena_printf(arena, " bones of mesh %s %s", format_mesh(mesh, arena), says)
                           : arena_printf(arena, " bones %s", says);
    grouping_end(grouping);
}

void import_compare_bones(const struct import_context *c)
{
    struct bone_groupings groupings = {
        .context = c,
        .gone = grouping_begin(c->out, "", ""),
        .added = grouping_begin(c->out, "", ""),
        .weights = grouping_begin(c->out, "weights of ", ""),
        .exchanged = grouping_begin(c->out, "vertices of ", ""),
        .offsets = grouping_begin(c->out, "offset matrices of ", ""),
        .common_offsets = grouping_begin(c->out, "offset matrices of the bones of ", " meshes"),
        .stand_ins = grouping_begin(c->out, "", ""),
        .order = grouping_begin(c->out, "the bones of ", " meshes come in another order"),
    };
    groupings.common_offsets.names_meshes = true;
    groupings.common_offsets.details_are_predicates = true;
    groupings.order.names_meshes = true;
    for (size_t i = 0; i < c->meshes.golden_count; i++)
        if (c->meshes.to_actual[i] != NO_INDEX)
            compare_bones_of(&groupings, i, (size_t)c->meshes.to_actual[i]);
    end_grouping(&groupings.gone, "are no longer bound");
    end_grouping(&groupings.added, "are bound that were not");
    grouping_end(&groupings.common_offsets);
    end_grouping(&groupings.offsets, "differ");
    end_grouping(&groupings.exchanged, "are held by others");
    end_grouping(&groupings.weights, "differ");
    end_grouping(&groupings.stand_ins, "are in the file on one side only");
    grouping_end(&groupings.order);
}
