/*
 * Two poses, measured: nodes' local transforms, which are the animation's, morph weights, palette entries, and globals
 * that no entry speaks for.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "data/record/matching.h"
#include "compare/pose/pose_context.h"

static const double origin[3] = {0, 0, 0};

/* Products of huge numbers may overflow; nothing that is written holds an infinity. */
static double bounded(double value)
{
    return fabs(value) <= DBL_MAX ? value : DBL_MAX;
}

/* An item of the result. */
static void add_error(struct pose_context *c, const struct bone_result *error)
{
    c->out->items[c->out->count++] = *error;
    c->out->worst[error->stage] = worse(c->out->worst[error->stage], error->displacement);
}

static void add_difference(struct pose_context *c, const struct pose_difference *difference)
{
    c->differences = memory_room(c->differences, c->difference_count, sizeof *c->differences);
    c->differences[c->difference_count++] = *difference;
}

/* The most a map moves any of the points, and how else the two differ; `turned_...` are what degrees and scale are
 * taken of. */
static void measure_maps(const struct pose_context *c, const struct affine_d *was, const struct affine_d *now,
                         const double (*points)[3], int point_count, const double center[3],
                         const struct affine_d *turned_was, const struct affine_d *turned_now, struct bone_result *out)
{
    double distance = 0;
    for (int p = 0; p < point_count; p++)
        distance = worse(distance, affine_d_gap(was, now, points[p]));
    out->distance = bounded(distance);
    out->displacement = bounded(distance / c->radius);
    out->degrees = bounded(affine_d_degrees(turned_was, turned_now));
    out->translation = bounded(affine_d_gap(was, now, center));
    out->scale_percent = bounded(affine_d_scale_percent(turned_was, turned_now));
}

static struct match_list list_keys(const struct pose_snapshot *pose, enum difference_kind kind, struct arena *arena)
{
    if (kind == DIFFERS_MORPH)
        return MATCH_LIST(struct morph_weights_snapshot, pose->morphs, pose->morph_count, mesh, node, arena);
    return pose_names(pose, kind == DIFFERS_LOCAL ? POSE_NODES : POSE_PALETTE, arena);
}

/* Importers make a mesh of every material of a mesh, engines need not. */
bool pose_is_part_of(const char *part, const char *whole)
{
    size_t length = strlen(whole);
    if (strncmp(part, whole, length) != 0 || part[length] != '-' || part[length + 1] == '\0')
        return false;
    return part[length + 1 + strspn(part + length + 1, "0123456789")] == '\0';
}

/*
 * Where one side has parts of what is one mesh on the other, each part is held against the whole: several entries of a
 * side then have the same one of the other.
 */
static void match_parts(const struct pose_context *c, const struct match_list *list, const struct match_list *others,
                        int32_t *matched)
{
    struct name_index index = {0};
    struct finding finding = pose_finding(c, CODE_MESH_TAKEN, NULL);
    finding.benign = true;
    for (size_t i = 0; i < list->count; i++) {
        const struct match_key *mine = &list->keys[i];
        if (matched[i] != NO_INDEX)
            continue;
        index = index.items ? index : name_index_create(others, c->arena);
        for (int32_t k = name_find(&index, mine->name); k != NO_INDEX && matched[i] == NO_INDEX;
             k = name_find_after(&index, mine->name, (size_t)k)) {
            const char *its = others->keys[k].context;
            bool is_part = pose_is_part_of(mine->context, its);
            if (!is_part && !pose_is_part_of(its, mine->context))
                continue;
            matched[i] = k;
            finding.mesh = is_part ? mine->context : its;
            finding.part = is_part ? its : mine->context;
            findings_put(c->findings, &finding);
        }
    }
}

/* Matches the lists of list_keys(); says what only one side has. */
static struct matching match_sides(const struct pose_context *c, enum difference_kind kind)
{
    struct match_list golden = list_keys(c->golden, kind, c->arena), actual = list_keys(c->actual, kind, c->arena);
    struct matching matching;
    if (kind == DIFFERS_LOCAL)
        matching = match_nodes(&(struct node_list){&golden, c->golden_nodes.parents},
                               &(struct node_list){&actual, c->actual_nodes.parents}, NULL, c->arena);
    else
        matching = match_by_name(&golden, &actual, MATCH_NEED_CONTEXT, c->arena);
    if (kind == DIFFERS_ENTRY) {
        match_parts(c, &golden, &actual, matching.to_actual);
        match_parts(c, &actual, &golden, matching.to_golden);
    }
    pose_report_one_sided(c, kind, &golden, matching.to_actual, "missing");
    pose_report_one_sided(c, kind, &actual, matching.to_golden, "new");
    return matching;
}

static bool measure_global(const struct pose_context *c, size_t i, double points[6][3], struct bone_result *error)
{
    const struct pose_node_snapshot *was = &c->golden->nodes[i], *now = &c->actual->nodes[c->nodes[i].other];
    const struct affine_d *before = &c->golden_nodes.node_to_scene[i];
    const struct affine_d *after = &c->actual_nodes.node_to_scene[c->nodes[i].other];
    *error = (struct bone_result){.bone = was->name, .stage = STAGE_PALETTE};
    if (memcmp(was->node_to_scene, now->node_to_scene, sizeof(mat4)) == 0)
        return false;
    skeleton_probe_points(&c->golden_nodes, i, points);
    measure_maps(c, before, after, points, 6, origin, before, after, error);
    return true;
}

/* Returns what rounding to floats makes of the product of the node's parent's global and its own local transform, at
 * the size of both: a model that stands a hundred times larger is as much coarser. */
static double rounding_of(const struct skeleton *skeleton, size_t i, double points[6][3])
{
    const double zero[3] = {0, 0, 0};
    int32_t parent = skeleton->parents[i];
    double size = parent == NO_INDEX ? 0.0 : vector_distance(skeleton->node_to_scene[parent].column[3], zero);
    for (int p = 0; p < 6; p++) {
        double point[3];
        affine_d_point(&skeleton->node_to_scene[i], points[p], point);
        size = worse(size, vector_distance(point, zero));
    }
    return isfinite(size) ? 4.0 * (double)FLT_EPSILON * size : 0; /* what is no number is no rounding */
}

/* Returns how far the node's global is from its parent's times its own local transform, over its probe points. */
static double residual(const struct pose_snapshot *pose, const struct skeleton *skeleton, size_t i, double points[6][3])
{
    struct affine_d expected = affine_d_from_transform(&pose->nodes[i].local);
    int32_t parent = skeleton->parents[i];
    double worst = 0;
    if (parent != NO_INDEX)
        expected = affine_d_mul(&skeleton->node_to_scene[parent], &expected);
    for (int p = 0; p < 6; p++)
        worst = worse(worst, affine_d_gap(&expected, &skeleton->node_to_scene[i], points[p]));
    return worst;
}

/* Local transforms, and nodes whose global differs although their parent's and their local transform do not account for
 * it. */
static void measure_nodes(struct pose_context *c)
{
    struct matching matching = match_sides(c, DIFFERS_LOCAL);
    for (uint32_t i = 0; i < c->golden->node_count; i++) {
        struct node_state *node = &c->nodes[i];
        int32_t parent = c->golden_nodes.parents[i];
        double points[6][3];
        if (parent != NO_INDEX) {
            node->gap_above = c->nodes[parent].gap_above;
            node->residual_above = c->nodes[parent].residual_above;
            node->hangs_elsewhere = c->nodes[parent].hangs_elsewhere;
        }
        node->other = matching.to_actual[i];
        if (node->other == NO_INDEX)
            continue;
        node->hangs_elsewhere = node->hangs_elsewhere || pose_import_explains_parent(c, i, (uint32_t)node->other);
        const struct pose_node_snapshot *was = &c->golden->nodes[i], *now = &c->actual->nodes[node->other];
        struct pose_difference local = {
            DIFFERS_LOCAL, {.bone = was->name, .stage = STAGE_ANIMATE}, .was = i, .now = (uint32_t)node->other};
        struct pose_difference global = {DIFFERS_RESIDUAL, .was = i, .now = (uint32_t)node->other};
        if (memcmp(&was->local, &now->local, sizeof was->local) != 0) {
            struct affine_d around = parent == NO_INDEX ? affine_d_identity : c->golden_nodes.node_to_scene[parent];
            struct affine_d local_was = affine_d_from_transform(&was->local),
                            local_now = affine_d_from_transform(&now->local);
            struct affine_d before = affine_d_mul(&around, &local_was), after = affine_d_mul(&around, &local_now);
            skeleton_probe_points(&c->golden_nodes, i, points);
            measure_maps(c, &before, &after, points, 6, origin, &local_was, &local_now, &local.error);
            node->local_gap = local.measure = local.error.displacement;
            node->by_import = local.by_import = pose_import_explains_local(c, &local, &around, points);
            add_difference(c, &local);
        }
        add_error(c, &local.error);
        node->gap_above = worse(node->local_gap, node->gap_above);
        if (!measure_global(c, i, points, &global.error))
            continue;
        double off = residual(c->actual, &c->actual_nodes, global.now, points);
        double before = residual(c->golden, &c->golden_nodes, i, points);
        off = isfinite(before) ? off : before;
        if (off <= 2.0 * before + rounding_of(&c->actual_nodes, global.now, points) && isfinite(before))
            continue;
        global.measure = fmin(off / c->radius, global.error.displacement); /* both count */
        global.error.distance = bounded(off);
        global.error.displacement = bounded(off / c->radius);
        node->residual_above = worse(node->residual_above, global.measure);
        add_difference(c, &global);
    }
}

/* Weights are compared where both sides have any. A weight counts by how far it moves a vertex at most: by the target's
 * largest delta, scaled as the mesh's entries scale, where the import knows it, else by half the size of the mesh. */
static void measure_morphs(struct pose_context *c)
{
    if (c->golden->morph_count == 0 || c->actual->morph_count == 0)
        return;
    struct matching matching = match_sides(c, DIFFERS_MORPH);
    for (uint32_t i = 0; i < matching.golden_count; i++) {
        if (matching.to_actual[i] == NO_INDEX)
            continue;
        const struct morph_weights_snapshot *was = &c->golden->morphs[i];
        const struct morph_weights_snapshot *now = &c->actual->morphs[matching.to_actual[i]];
        struct finding finding = pose_finding(c, CODE_MORPH_COUNT, was->mesh);
        int32_t index = name_find(&c->meshes, was->mesh);
        const struct mesh_snapshot *mesh = index == NO_INDEX ? NULL : &c->import->meshes[index];
        double scale = 0, size = pose_skin_radius(c, was->mesh);
        for (uint32_t k = 0; mesh && k < c->golden->palette_count; k++) {
            struct affine_d mesh_to_scene = affine_d_from(c->golden->palette[k].mesh_to_scene);
            if (strcmp(c->golden->palette[k].mesh, was->mesh) == 0)
                scale = fmax(scale, affine_d_scale(&mesh_to_scene));
        }
        finding.mesh = was->mesh;
        finding.now = now->count;
        finding.was = was->count;
        if (was->count != now->count)
            findings_put(c->findings, &finding);
        for (uint32_t target = 0; target < was->count && target < now->count; target++) {
            struct bone_result error = {.bone = was->node, .mesh = was->mesh, .stage = STAGE_ANIMATE};
            error.distance = fabs((double)now->weights[target] - (double)was->weights[target]);
            if (error.distance == 0)
                continue;
            error.distance *= mesh && target < mesh->target_count
                                  ? (double)mesh->targets[target].largest * (scale > 0 ? scale : 1)
                              : size > 0 ? size : c->radius;
            error.distance = bounded(error.distance);
            error.displacement = bounded(error.distance / c->radius);
            c->out->worst[STAGE_ANIMATE] = worse(c->out->worst[STAGE_ANIMATE], error.displacement);
            struct pose_difference difference = {DIFFERS_MORPH, error, error.displacement, i,
                                                 (uint32_t)matching.to_actual[i], .target = target};
            difference.by_import = pose_import_explains_morph(c, &difference);
            add_difference(c, &difference);
        }
    }
}

/* The node of an entry of the golden: of several of its name the one whose global and offset give the entry. */
static int32_t find_entry_node(const struct pose_context *c, const struct palette_snapshot *entry, const vec4 *offset)
{
    const struct name_index *names = &c->golden_nodes.names;
    int32_t first = name_find(names, entry->bone), best = first;
    double least = INFINITY;
    if (!offset || first == NO_INDEX || name_find_after(names, entry->bone, (size_t)first) == NO_INDEX)
        return first;
    struct affine_d mesh_to_scene = affine_d_from(entry->mesh_to_scene), mesh_to_bone = affine_d_from(offset);
    for (int32_t i = first; i != NO_INDEX; i = name_find_after(names, entry->bone, (size_t)i)) {
        struct affine_d made = affine_d_mul(&c->golden_nodes.node_to_scene[i], &mesh_to_bone);
        double gap = affine_d_gap(&made, &mesh_to_scene, origin);
        for (int k = 0; k < 3; k++)
            gap = worse(gap, c->radius * vector_distance(made.column[k], mesh_to_scene.column[k]));
        best = gap < least ? i : best;
        least = fmin(least, gap);
    }
    return best;
}

/*
 * Bone space to mesh space is the inverse of the offset matrix, which is that of the golden's palette matrix times the
 * bone's global where the import does not have it. In root space the root's matrix stands between. Where there is none,
 * or where the palette matrix shrinks to next to nothing (its inverse would make mountains of rounding), the points are
 * those of the mesh's box; the corners of a cube of half its size without an import.
 */
struct entry_pair pose_entry_pair(const struct pose_context *c, const struct palette_snapshot *was,
                                  const struct palette_snapshot *now)
{
    const vec4 *offset = radius_table_find_offset(&c->radii, was->bone, was->mesh);
    struct entry_pair pair = {
        .was = was,
        .node = find_entry_node(c, was, offset),
        .mesh_was = affine_d_from(was->mesh_to_scene),
        .mesh_now = affine_d_from(now->mesh_to_scene),
        .point_count = 6,
    };
    double size = pose_skin_radius(c, was->mesh);
    struct affine_d matrix = offset ? affine_d_from(offset) : pair.mesh_was, to_mesh, to_palette = affine_d_identity;
    if (pair.node != NO_INDEX && (offset || affine_d_scale(&matrix) > 1e-4) && affine_d_inverse(&matrix, &to_mesh)) {
        double own = radius_table_find(&c->radii, was->bone, was->mesh), points[6][3];
        double least = fmax(0.03 * c->radius, c->import ? 0.0 : size);
        if (!offset) {
            if (strcmp(c->golden->space, space_words[SPACE_ROOT]) == 0 && c->golden_nodes.count > 0)
                affine_d_inverse(&c->golden_nodes.node_to_scene[0], &to_palette);
            to_palette = affine_d_mul(&to_palette, &c->golden_nodes.node_to_scene[pair.node]);
            to_mesh = affine_d_mul(&to_mesh, &to_palette);
        }
        /* along its axes at its probe distance */
        skeleton_points(&c->golden_nodes, (size_t)pair.node, own, least, points);
        for (int i = 0; i < pair.point_count; i++)
            affine_d_point(&to_mesh, points[i], pair.points[i]);
        affine_d_point(&to_mesh, origin, pair.origin);
        pair.influence_radius = fmax(least, own * affine_d_scale(&c->golden_nodes.node_to_scene[pair.node]));
        return pair;
    }
    int32_t mesh = name_find(&c->meshes, was->mesh);
    pair.point_count = 8;
    pair.influence_radius = c->radius;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            double side = i >> k & 1 ? size : -size;
            if (mesh != NO_INDEX)
                side = (double)(i >> k & 1 ? c->import->meshes[mesh].max[k] : c->import->meshes[mesh].min[k]);
            pair.points[i][k] = side;
            pair.origin[k] += side / 8.0;
        }
    return pair;
}

/*
 * Computes what the actual's global matrix makes of the golden's entry: M = G_a G_g^-1 M_g, so that a fault above shows
 * as that above. In root space the root's rest transform stands before it. False: there is no telling.
 */
static bool expect_entry(const struct pose_context *c, const struct entry_pair *pair, int32_t other,
                         struct affine_d *expected)
{
    const struct import_snapshot *actual = c->actual_import ? c->actual_import : c->import;
    struct affine_d root_was = affine_d_identity, root_now = affine_d_identity, to_bone, to_root;
    if (strcmp(c->golden->space, space_words[SPACE_SCENE]) != 0) {
        if (!actual || c->import->node_count == 0 || actual->node_count == 0)
            return false;
        root_was = affine_d_from(c->import->nodes[0].local_to_parent);
        root_now = affine_d_from(actual->nodes[0].local_to_parent);
    }
    if (!affine_d_inverse(&root_now, &to_root) ||
        !affine_d_inverse(&c->golden_nodes.node_to_scene[pair->node], &to_bone))
        return false;
    const struct affine_d *const maps[] = {&root_was, &to_bone, &c->actual_nodes.node_to_scene[other], &to_root};
    *expected = pair->mesh_was;
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        *expected = affine_d_mul(maps[i], expected);
    return true;
}

/*
 * An entry that is not what its node makes of it is two differences: one that follows from the node, where that moved,
 * and what is off beside it, which is the palette's own unless the import has another offset matrix there.
 */
static void measure_entry(struct pose_context *c, uint32_t was, uint32_t now)
{
    const struct palette_snapshot *golden = &c->golden->palette[was], *actual = &c->actual->palette[now];
    struct pose_difference difference = {
        DIFFERS_ENTRY, {.bone = golden->bone, .mesh = golden->mesh, .stage = STAGE_PALETTE}, .was = was, .now = now};
    if (memcmp(golden->mesh_to_scene, actual->mesh_to_scene, sizeof(mat4)) == 0) {
        add_error(c, &difference.error);
        return;
    }
    struct entry_pair pair = pose_entry_pair(c, golden, actual);
    int32_t other = pair.node == NO_INDEX ? NO_INDEX : c->nodes[pair.node].other;
    struct affine_d expected;
    double gap = 0, moved = 0;
    measure_maps(c, &pair.mesh_was, &pair.mesh_now, pair.points, pair.point_count, pair.origin, &pair.mesh_was,
                 &pair.mesh_now, &difference.error);
    add_error(c, &difference.error);
    difference.measure = difference.error.displacement;
    difference.node = pair.node;
    difference.from = pair.mesh_was;
    difference.follows = other != NO_INDEX;
    if (other != NO_INDEX && expect_entry(c, &pair, other, &expected)) {
        for (int i = 0; i < pair.point_count; i++) {
            gap = worse(gap, affine_d_gap(&expected, &pair.mesh_now, pair.points[i]));
            moved = worse(moved, affine_d_gap(&expected, &pair.mesh_was, pair.points[i]));
        }
        difference.follows = pose_follows(c, gap, moved);
    }
    if (other != NO_INDEX && !difference.follows && !pose_follows(c, moved, 0)) {
        struct pose_difference follower = difference;
        follower.follows = true;
        measure_maps(c, &pair.mesh_was, &expected, pair.points, pair.point_count, pair.origin, &pair.mesh_was,
                     &expected, &follower.error);
        measure_maps(c, &expected, &pair.mesh_now, pair.points, pair.point_count, pair.origin, &expected,
                     &pair.mesh_now, &difference.error);
        follower.measure = follower.error.displacement;
        difference.measure = difference.error.displacement;
        difference.from = expected;
        difference.beside = true;
        add_difference(c, &follower);
    }
    difference.by_import =
        !difference.follows && pose_import_explains_entry(c, &pair, actual, other, difference.error.distance);
    add_difference(c, &difference);
}

static void measure_palette(struct pose_context *c)
{
    if (strcmp(c->golden->space, c->actual->space) != 0)
        return;
    if (c->golden->palette_count == 0 || c->actual->palette_count == 0)
        return;
    struct matching matching = match_sides(c, DIFFERS_ENTRY);
    for (size_t i = 0; i < matching.golden_count; i++)
        if (matching.to_actual[i] != NO_INDEX)
            measure_entry(c, (uint32_t)i, (uint32_t)matching.to_actual[i]);
    for (size_t i = 0; i < matching.actual_count; i++)
        if (matching.to_golden[i] != NO_INDEX && matching.to_actual[matching.to_golden[i]] != (int32_t)i)
            measure_entry(c, (uint32_t)matching.to_golden[i], (uint32_t)i);
}

void pose_measure(struct pose_context *c)
{
    measure_nodes(c);
    measure_morphs(c);
    measure_palette(c);
    for (uint32_t i = 0; i < c->golden->node_count; i++) { /* globals of nodes without entry */
        double points[6][3];
        struct pose_difference difference = {DIFFERS_GLOBAL, .was = i};
        if (c->nodes[i].has_entry || c->nodes[i].other == NO_INDEX)
            continue;
        bool differs = measure_global(c, i, points, &difference.error);
        add_error(c, &difference.error);
        difference.measure = difference.error.displacement;
        if (differs)
            add_difference(c, &difference);
    }
}
