/* Bones of meshes: which, their weights; what happened to their offset matrices is in import_patterns.c. */
#include <math.h>
#include <string.h>

#include "compare/import/import_compare.h"

/* A pair of meshes and their bones. */
struct bone_pair {
    struct import_context *c;
    const struct mesh_snapshot *was;
    const struct mesh_snapshot *now;
    const char *label;
    double mesh_scale;
    const struct mesh_placement *placement;
    struct matching bones;
};

/* Measures how far what a bone holds is from what another held, in units of the tolerance. */
struct weights_change {
    double worst; /* INFINITY when their number differs */
    double sum;
    double centroid; /* a small sum makes it uncertain */
    double moved;    /* scene units: the weighted centre. Where the whole mesh went its bones' centres go with it: that
                      * is said of the mesh */
};

static struct weights_change measure_weights(const struct bone_pair *pair, const struct bone_snapshot *was,
                                             const struct bone_snapshot *now)
{
    const struct placement *placement = &pair->placement->placement;
    double a[3] = {was->centroid[0], was->centroid[1], was->centroid[2]}, size = 1.0;
    const double b[3] = {now->centroid[0], now->centroid[1], now->centroid[2]};
    double least = fmin(fabs((double)was->sum), fabs((double)now->sum));
    if (pair->placement->holds_centres) {
        placement_apply(placement, a, a);
        size = fmax(1.0, placement->scale);
    }
    double moved = pair->mesh_scale * vector_distance(a, b);
    double sum = fabs((double)now->sum - (double)was->sum) / fmax(1.0, fabs((double)was->sum));
    double centroid = least == 0 ? 0.0 : moved / (size * pair->c->radius * fmax(1.0, 1.0 / least));
    double worst = was->weights != now->weights ? INFINITY : worse(sum, centroid);
    return (struct weights_change){worst, sum, centroid, moved};
}

/* The one bone whose vertices this one holds now; NULL. */
static const struct bone_snapshot *find_holder(const struct bone_pair *pair, const struct bone_snapshot *now)
{
    enum { MOST_SEARCHED = 1024 };
    const struct bone_snapshot *found = NULL;
    for (uint32_t i = 0; i < pair->was->bone_count && pair->was->bone_count <= MOST_SEARCHED; i++) {
        const struct bone_snapshot *candidate = &pair->was->bones[i];
        if (candidate->weights == 0 || !(measure_weights(pair, candidate, now).worst <= 1e-4))
            continue;
        if (found)
            return NULL;
        found = candidate;
    }
    return found;
}

/* "190 vertices, were 41; total weight 12.5, was 30.1; weighted centre moved by 3 cm" */
static void say_weights(struct import_context *c, const struct finding *finding, const struct bone_snapshot *was,
                        const struct bone_snapshot *now, const bool differ[3], double moved)
{
    const bool is_one = now->weights == 1;
    const char *const phrases[3] = {
        is_one ? "{now} vertex, were {was}" : "{now} vertices, were {was}",
        differ[0] ? "total weight {now}, was {was}"
        : is_one  ? "total weight of its 1 vertex {now}, was {was}"
                  : arena_printf(c->arena, "total weight of its %u vertices {now}, was {was}", now->weights),
        "weighted centre moved by {now}",
    };
    const struct value values[3][2] = {{value_count(now->weights), value_count(was->weights)},
                                       {value_number((double)now->sum), value_number((double)was->sum)},
                                       {value_length(moved)}};
    import_change(c, CODE_BONE_WEIGHTS, finding, "", no_value, no_value);
    for (int i = 0; i < 3; i++)
        if (differ[i])
            import_change_also(c, phrases[i], values[i][0], values[i][1]);
}

static void compare_weights(const struct bone_pair *pair, const struct bone_snapshot *was,
                            const struct bone_snapshot *now)
{
    struct import_context *c = pair->c;
    struct finding finding = import_finding(was->bone, pair->label);
    struct weights_change change = measure_weights(pair, was, now);
    double more = fabs((double)now->weights - (double)was->weights) / fmax(1.0, pair->was->vertices);
    const bool differ[3] = {import_beyond_limit(c, &finding, TOLERANCE_INFLUENCES, more),
                            import_beyond(c, &finding, change.sum), import_beyond(c, &finding, change.centroid)};
    if (!differ[0] && !differ[1] && !differ[2])
        return;
    const struct bone_snapshot *other = find_holder(pair, now);
    bool is_empty = differ[0] && (was->weights == 0 || now->weights == 0);
    if (!is_empty) { /* where it held nothing there is no centre that moved */
        finding.distance = differ[2] ? change.moved : 0;
        finding.displacement = differ[2] ? change.moved / c->radius : 0;
    }
    if (!differ[0] || !import_beyond_limit(c, &finding, TOLERANCE_INFLUENCES, more))
        import_beyond(c, &finding, worse(change.sum, change.centroid));
    if (other && other != was)
        import_change(c, CODE_BONE_EXCHANGED, &finding, "", value_name(other->bone), no_value)->says.detail =
            "those of {now}";
    else if (is_empty)
        import_change(c, now->weights == 0 ? CODE_BONE_EMPTY : CODE_BONE_FILLED, &finding,
                      now->weights == 0 ? "holds no vertices any more, held {was}"
                                        : "holds {now} vertices now, held none",
                      value_count(now->weights), value_count(was->weights));
    else
        say_weights(c, &finding, was, now, differ, change.moved);
}

/* Measures how the offset matrix changed, by points in mesh space: at the bone's influence radius along its axes,
 * which the golden's matrix takes there; the corners of the mesh where that matrix is singular. */
static void measure_offset(const struct bone_pair *pair, const struct bone_snapshot *was,
                           const struct bone_snapshot *now, struct matrix_change *change)
{
    struct import_context *c = pair->c;
    int32_t node = name_find(&c->golden_nodes.names, was->bone);
    double points[8][3] = {{0}}, origin[3] = {0, 0, 0}, distance = 0;
    struct affine_d bone_to_mesh;
    double scale = node == NO_INDEX ? 1.0 : affine_d_scale(&c->golden_nodes.node_to_scene[node]);
    scale = scale > 0 ? scale : 1.0; /* bone space -> scene units */
    *change = (struct matrix_change){
        .finding = import_finding(was->bone, pair->label),
        .was = affine_d_from(was->mesh_to_bone),
        .now = affine_d_from(now->mesh_to_bone),
        .length = 1e-4 * c->radius / scale,
        .influence_radius = fmax((double)was->influence_radius * scale, 0.03 * c->radius),
        .said = pair->placement->is_undone || memcmp(was->mesh_to_bone, now->mesh_to_bone, sizeof(mat4)) == 0,
    };
    if (change->said)
        return;
    const struct box bounds = box_of(pair->was->min, pair->was->max);
    const bool has_inverse = affine_d_inverse(&change->was, &bone_to_mesh);
    for (int i = 0; i < 8 && !has_inverse; i++)
        box_corner(&bounds, i, points[i]);
    for (int i = 0; i < 6 && has_inverse; i++) {
        points[i][i / 2] = (i % 2 ? -1.0 : 1.0) * change->influence_radius / scale;
        affine_d_point(&bone_to_mesh, points[i], points[i]);
    }
    for (int i = 0; i < (has_inverse ? 6 : 8); i++)
        distance = worse(distance, scale * affine_d_gap(&change->was, &change->now, points[i]));
    change->finding.degrees = affine_d_degrees(&change->was, &change->now);
    change->finding.scale_percent = affine_d_scale_percent(&change->was, &change->now);
    if (has_inverse) {
        affine_d_point(&bone_to_mesh, origin, origin);
        change->finding.translation = scale * affine_d_gap(&change->was, &change->now, origin);
    }
    change->said = !import_displaced(c, &change->finding, distance);
}

void import_compare_bones(struct import_context *c, size_t golden, size_t actual)
{
    const struct mesh_snapshot *was = &c->golden->meshes[golden], *now = &c->actual->meshes[actual];
    struct bone_pair pair = {c, was, now, mesh_label(c, was), c->mesh_scale[golden], &c->placements[golden], {0}};
    uint32_t before = was->bone_count, after = now->bone_count;
    if (before == 0 || after == 0) {
        const char *phrase = before == 0   ? "was rigid and is bound to {now} bone{s} now"
                             : before == 1 ? "is rigid now: it lost its 1 bone"
                                           : "is rigid now: it lost all its {was} bones";
        if (before != after)
            import_note(c, CODE_BONES_ALL, pair.label, pair.label, phrase, value_count(after), value_count(before));
        return;
    }
    const struct match_list bones = MATCH_NAMES(was->bones, before, c->arena);
    const struct match_list others = MATCH_NAMES(now->bones, after, c->arena);
    pair.bones = import_match_by_node(c, &bones, &others);
    import_find_one_sided(c, &bones, &others, &pair.bones, CODE_BONE_GONE, CODE_BONE_NEW, pair.label);
    size_t earlier, later;
    if (matching_out_of_order(&pair.bones, &earlier, &later))
        import_note(c, CODE_BONES_ORDER, was->bones[later].bone, pair.label, "{now} before {was}",
                    value_name(was->bones[later].bone), value_name(was->bones[earlier].bone));
    struct matrix_changes changes = {.code = CODE_BONE_OFFSET,
                                     .items = ARENA_NEW(c->arena, struct matrix_change, before),
                                     .mesh_scale = pair.mesh_scale};
    for (uint32_t i = 0; i < before; i++) {
        const struct bone_snapshot *bone = &was->bones[i];
        struct finding finding = import_finding(bone->bone, pair.label);
        if (pair.bones.to_actual[i] == NO_INDEX)
            continue;
        const struct bone_snapshot *other = &now->bones[pair.bones.to_actual[i]];
        measure_offset(&pair, bone, other, &changes.items[changes.count++]);
        compare_weights(&pair, bone, other);
        import_compare_fields(c, "bones", bone, other, &finding, 0);
    }
    import_say_matrices(c, &changes);
}
