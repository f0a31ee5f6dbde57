/*
 * Skinned meshes of two poses: counts, boxes and centroids, and every vertex where both sides have them. What differs
 * is held against the palettes: by linearity the centroid of a skinned mesh is (1/n) sum_b(sum_b M_b centroid_b), with
 * what an import says of the bones b; that of a rigid one M (mean of the vertices + sum_t weight_t mean_t), with the
 * morph targets t.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "compare/match/placement.h"
#include "compare/pose/pose_context.h"
#include "data/vector.h"

/* The palette entries of one instance of a mesh. */
struct entries {
    const struct palette_snapshot **items;
    uint32_t count;
};

/* A skinned mesh of both sides. */
struct skin_pair {
    const struct pose_context *c;
    const struct skin_snapshot *was, *now;
    struct entries palette_was, palette_now;
    const struct mesh_snapshot *mesh_was, *mesh_now;            /* of the imports; NULL */
    const struct morph_weights_snapshot *morph_was, *morph_now; /* NULL */
    bool is_dual, is_morphed_otherwise;
    double moved, turned; /* what its palette entries do at most: by how much of the radius, by how many degrees */
};

/* The rank-th of `of` instances of the mesh: entries of instances stand in the order of the instances. */
static struct entries entries_of(const struct pose_snapshot *pose, const char *mesh, uint32_t rank, uint32_t of,
                                 struct arena *arena)
{
    struct entries entries = {0};
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < pose->palette_count; i++)
        count += strcmp(pose->palette[i].mesh, mesh) == 0;
    if (count % of != 0)
        return entries;
    entries.items = ARENA_NEW(arena, const struct palette_snapshot *, count / of);
    for (uint32_t i = 0; i < pose->palette_count; i++)
        if (strcmp(pose->palette[i].mesh, mesh) == 0 && at++ / (count / of) == rank)
            entries.items[entries.count++] = &pose->palette[i];
    return entries;
}

static uint32_t rank_of(const struct pose_snapshot *pose, const struct skin_snapshot *skin, uint32_t *of)
{
    uint32_t rank = 0;
    *of = 0;
    for (uint32_t i = 0; i < pose->skin_count; i++)
        if (strcmp(pose->skin[i].mesh, skin->mesh) == 0) {
            rank += &pose->skin[i] < skin;
            ++*of;
        }
    return rank;
}

static const struct morph_weights_snapshot *find_morph(const struct pose_snapshot *pose, const char *mesh,
                                                       uint32_t rank)
{
    for (uint32_t i = 0; i < pose->morph_count; i++)
        if (strcmp(pose->morphs[i].mesh, mesh) == 0 && rank-- == 0)
            return &pose->morphs[i];
    return NULL;
}

/* `label` is the mesh's name, numbered where several have it. */
static const struct mesh_snapshot *find_mesh(const struct import_snapshot *import, const char *const *labels,
                                             const char *label)
{
    const char *const *found = import ? NAMED(labels, import->mesh_count, label) : NULL;
    return found ? &import->meshes[found - labels] : NULL;
}

static struct skin_pair make_pair(const struct pose_context *c, const struct skin_snapshot *was,
                                  const struct skin_snapshot *now)
{
    struct skin_pair pair = {.c = c, .was = was, .now = now};
    uint32_t of, rank = rank_of(c->golden, was, &of);
    pair.palette_was = entries_of(c->golden, was->mesh, rank, of, c->arena);
    pair.morph_was = find_morph(c->golden, was->mesh, rank);
    rank = rank_of(c->actual, now, &of);
    pair.palette_now = entries_of(c->actual, now->mesh, rank, of, c->arena);
    pair.morph_now = find_morph(c->actual, now->mesh, rank);
    pair.is_morphed_otherwise =
        !pair.morph_was != !pair.morph_now ||
        (pair.morph_was && (pair.morph_was->count != pair.morph_now->count ||
                            (pair.morph_was->count > 0 && memcmp(pair.morph_was->weights, pair.morph_now->weights,
                                                                 pair.morph_was->count * sizeof(float)) != 0)));
    for (size_t i = 0; i < c->out->count; i++) {
        const struct bone_result *error = &c->out->items[i];
        if (error->stage == STAGE_PALETTE && error->mesh && strcmp(error->mesh, was->mesh) == 0) {
            pair.moved = worse(pair.moved, error->displacement);
            pair.turned = worse(pair.turned, error->degrees + fabs(error->scale_percent)); /* shears turn normals too */
        }
    }
    return pair;
}

/* Returns how far rounding alone moves a centroid. */
static double rounding_of(const struct skin_pair *pair, const struct skin_snapshot *skin)
{
    const vec3 zero = {0, 0, 0};
    return tolerance_defaults.shell * pair->c->radius + 1e-6 * point_distance(skin->centroid, zero);
}

/* The mean of a mesh's vertices with its morph targets, mesh space. False where the import does not say. */
static bool find_mean(const struct mesh_snapshot *mesh, const struct morph_weights_snapshot *morph, double mean[3])
{
    const double half_diagonal = point_distance(mesh->min, mesh->max) / 2;
    uint32_t targets = morph ? morph->count : 0;
    if (mesh->positions.width != 3 || mesh->morph_targets != targets || mesh->target_count != targets)
        return false;
    for (int k = 0; k < 3; k++) {
        mean[k] = ((double)mesh->min[k] + (double)mesh->max[k]) / 2 +
                  half_diagonal * (double)mesh->positions.moments[MOMENTS * k];
        for (uint32_t t = 0; t < targets; t++)
            mean[k] += (double)morph->weights[t] * (double)mesh->targets[t].mean[k];
    }
    return true;
}

/* Adds `share` of where a palette entry puts a point of mesh space. */
static void add_place(const struct palette_snapshot *entry, const double point[3], double share, double sum[3])
{
    struct affine_d matrix = affine_d_from(entry->mesh_to_scene);
    double place[3];
    affine_d_point(&matrix, point, place);
    for (int k = 0; k < 3; k++)
        sum[k] += share * place[k];
}

enum fit { FIT_UNKNOWN, FIT_GOOD, FIT_BAD };

/* Returns whether linear skinning of the import's mesh by these matrices gives that centroid. Not known of skinned
 * meshes with morph targets. */
static enum fit fit_of(const struct skin_pair *pair, const struct mesh_snapshot *mesh, const struct entries *entries,
                       const struct morph_weights_snapshot *morph, const struct skin_snapshot *skin)
{
    double centroid[3] = {0, 0, 0}, mean[3];
    bool is_rigid = mesh && mesh->bone_count == 0 && entries->count == 1;
    if (!mesh || mesh->vertices == 0 || mesh->vertices != skin->vertices ||
        (!is_rigid && (mesh->bone_count == 0 || mesh->bone_count != entries->count || morph)))
        return FIT_UNKNOWN;
    if (is_rigid && !find_mean(mesh, morph, mean))
        return FIT_UNKNOWN;
    if (is_rigid)
        add_place(entries->items[0], mean, 1, centroid);
    for (uint32_t b = 0; b < mesh->bone_count; b++) {
        const struct bone_snapshot *bone = &mesh->bones[b];
        uint32_t at = b; /* as a rule in the import's order */
        if (strcmp(entries->items[at]->bone, bone->bone) != 0)
            for (at = 0; at < entries->count && strcmp(entries->items[at]->bone, bone->bone) != 0;)
                at++;
        if (at == entries->count)
            return FIT_UNKNOWN;
        const double held[3] = {(double)bone->centroid[0], (double)bone->centroid[1], (double)bone->centroid[2]};
        add_place(entries->items[at], held, (double)bone->sum / mesh->vertices, centroid);
    }
    const double given[3] = {(double)skin->centroid[0], (double)skin->centroid[1], (double)skin->centroid[2]};
    return vector_distance(centroid, given) <= rounding_of(pair, skin) ? FIT_GOOD : FIT_BAD;
}

/* By how much of the radius other morph weights move a vertex at most, as far as the import says. */
static double find_morphed(const struct skin_pair *pair)
{
    double sum = 0, stretch = 0;
    if (!pair->mesh_was || !pair->morph_was || !pair->morph_now || pair->morph_was->count != pair->morph_now->count ||
        pair->morph_was->count != pair->mesh_was->target_count)
        return 0;
    for (uint32_t t = 0; t < pair->morph_was->count; t++)
        sum += fabs((double)pair->morph_now->weights[t] - (double)pair->morph_was->weights[t]) *
               (double)pair->mesh_was->targets[t].largest;
    for (uint32_t i = 0; i < pair->palette_now.count; i++)
        for (int k = 0; k < 3; k++)
            stretch = fmax(stretch, vec3_length(pair->palette_now.items[i]->mesh_to_scene[k]));
    return sum * stretch / pair->c->radius;
}

/* A mesh with one matrix is moved as a whole, which needs no import. */
static bool is_moved_as_whole(const struct skin_pair *pair)
{
    struct affine_d was = affine_d_from(pair->palette_was.items[0]->mesh_to_scene), to_mesh, change;
    struct affine_d now = affine_d_from(pair->palette_now.items[0]->mesh_to_scene);
    double from[3], to[3], given[3];
    for (int k = 0; k < 3; k++) {
        from[k] = (double)pair->was->centroid[k];
        given[k] = (double)pair->now->centroid[k];
    }
    if (!affine_d_inverse(&was, &to_mesh))
        return false;
    change = affine_d_mul(&now, &to_mesh);
    affine_d_point(&change, from, to);
    return vector_distance(to, given) <= rounding_of(pair, pair->now);
}

/*
 * A difference follows from the palette or the morph weights where the centroid is what theirs make of it, and no
 * vertex is farther off than they account for: of matrices twice what was measured of them, since that is at a few
 * points. It follows from the import where both sides are what their palettes make of their own imports. Where one of
 * them is and the other is not, they are skinned in different ways, or both by dual quaternions, which are linear
 * where nothing is bent. Where neither is (dual quaternions, morph targets), nothing is known. What follows is as
 * large as what brings it about: it passes with that.
 */
static void explain(const struct skin_pair *pair, double largest, double limit, struct finding *finding)
{
    bool is_whole = pair->palette_was.count == 1 && pair->palette_now.count == 1,
         has_other_import = pair->mesh_now != NULL;
    enum fit was = fit_of(pair, pair->mesh_was, &pair->palette_was, pair->morph_was, pair->was);
    enum fit by_old = fit_of(pair, pair->mesh_was, &pair->palette_now, pair->morph_now, pair->now);
    enum fit now =
        has_other_import ? fit_of(pair, pair->mesh_now, &pair->palette_now, pair->morph_now, pair->now) : by_old;
    /* Normals turn with morph targets, nobody knows how far. */
    double morphed = !pair->is_morphed_otherwise ? 0 : finding->degrees > 0 ? 180 : 1.001 * find_morphed(pair);
    bool follows =
        is_whole && !pair->is_morphed_otherwise ? is_moved_as_whole(pair) : was == FIT_GOOD && by_old == FIT_GOOD;
    if (follows && largest <= 2.0 * limit + morphed) {
        finding->explained = limit > 0 ? STAGE_PALETTE : STAGE_ANIMATE;
        finding->measure = fmin(finding->measure, pair->moved + morphed);
    } else if (has_other_import && was == FIT_GOOD && now == FIT_GOOD) {
        finding->explained = STAGE_IMPORT;
    } else {
        bool is_own = !pair->is_dual && ((was == FIT_GOOD && now == FIT_BAD) || (was == FIT_BAD && now == FIT_GOOD));
        bool is_open = pair->is_morphed_otherwise || pair->palette_was.count == 0 || pair->palette_now.count == 0 ||
                       (!is_whole && (was != FIT_GOOD || pair->is_dual) && (limit > 0 || has_other_import)) ||
                       pose_import_says_of(pair->c, FAULT_MESH, pair->was->mesh);
        finding->unverified = is_open && !is_own;
    }
}

static struct finding finding_about(const struct skin_pair *pair, enum finding_code code)
{
    struct finding finding = pose_finding(pair->c, code, pair->was->mesh);
    finding.mesh = pair->was->mesh;
    return finding;
}

/* Adds a finding about points that are off by a distance, or, where that is 0, about normals that are turned. */
static void add_finding(const struct skin_pair *pair, struct finding *finding, double distance, double degrees)
{
    const double displacement = distance / pair->c->radius;
    finding->tolerance = TOLERANCE_SKINNED;
    finding->displacement = fmin(displacement, DBL_MAX);
    finding->distance = fmin(distance, DBL_MAX);
    finding->measure = displacement;
    if (degrees > 0) {
        finding->degrees = degrees;
        finding->measure = degrees / DEGREES_OF_TOLERANCE;
        explain(pair, degrees, pair->turned, finding);
    } else {
        explain(pair, displacement, pair->moved, finding);
    }
    if (findings_measure(pair->c->findings, TOLERANCE_SKINNED, finding->measure))
        findings_put(pair->c->findings, finding);
}

static void compare_boxes(const struct skin_pair *pair)
{
    const struct pose_context *c = pair->c;
    const struct skin_snapshot *was = pair->was, *now = pair->now;
    double box = 0, centroid = was->vertices == now->vertices ? point_distance(was->centroid, now->centroid) : 0;
    struct finding finding = finding_about(pair, CODE_SKIN_BOX);
    for (int k = 0; k < 3; k++)
        box = worse(box, worse(fabs((double)was->min[k] - (double)now->min[k]),
                             fabs((double)was->max[k] - (double)now->max[k])));
    double largest = worse(box, centroid);
    c->out->worst[STAGE_SKIN] = worse(c->out->worst[STAGE_SKIN], largest / c->radius);
    finding.part = centroid > box ? "centroid" : "box";
    if (largest != 0)
        add_finding(pair, &finding, largest, 0);
}

/* Returns how far two sets of points are apart, whatever the order and number of points; scene units. */
static double set_distance(const struct skin_pair *pair)
{
    const struct point_frame frame = {1.0, 1};
    const struct point_set was = {pair->was->positions, pair->was->position_count};
    const struct point_set now = {pair->now->positions, pair->now->position_count};
    struct findings ignored = {.arena = pair->c->arena};
    struct box box = box_empty;
    for (size_t i = 0; i < was.count; i++)
        box_add(&box, (const double[3]){(double)was.points[i][0], (double)was.points[i][1], (double)was.points[i][2]});
    return compare_points(&was, &frame, &now, &frame, pair->c->golden->time, &ignored) * fmax(box_radius(&box), 1e-9);
}

/* Every vertex by its number, or as sets where there are more of them on one side or only their order may differ.
 * Normals, by number, are unit vectors or zero. False where there are none to compare. */
static bool compare_vertices(const struct skin_pair *pair)
{
    const struct pose_context *c = pair->c;
    const struct skin_snapshot *was = pair->was, *now = pair->now;
    double largest = 0, turned = 0;
    uint32_t worst = 0, most_turned = 0;
    if (was->position_count == 0 || now->position_count == 0)
        return false;
    bool by_number = was->position_count == now->position_count;
    for (uint32_t v = 0; by_number && v < was->position_count; v++) {
        double gap = point_distance(was->positions[v], now->positions[v]);
        worst = gap <= largest ? worst : v;
        largest = worse(largest, gap);
    }
    if (!by_number || (!now->is_in_order && largest > tolerance_defaults.shell * c->radius)) {
        double apart = set_distance(pair);
        if (by_number && apart < 1e-3 * largest) {
            const struct finding finding = finding_about(pair, CODE_SKIN_ORDER);
            findings_put(c->findings, &finding);
            by_number = false;
        }
        largest = by_number ? largest : apart;
    }
    c->out->worst[STAGE_SKIN] = worse(c->out->worst[STAGE_SKIN], largest / c->radius);
    struct finding finding = finding_about(pair, CODE_SKIN_VERTEX);
    finding.index = by_number ? worst : 0;
    finding.of = by_number ? was->position_count : 0;
    for (uint32_t v = 0; by_number && v < was->position_count; v++)
        finding.count += point_distance(was->positions[v], now->positions[v]) > 0.1 * largest;
    if (largest > 0)
        add_finding(pair, &finding, largest, 0);
    for (uint32_t v = 0; by_number && v < was->normal_count && v < now->normal_count; v++) {
        double degrees = vector_degrees(was->normals[v], now->normals[v]);
        most_turned = degrees <= turned ? most_turned : v;
        turned = worse(turned, degrees);
    }
    finding = finding_about(pair, CODE_SKIN_NORMAL);
    finding.index = most_turned;
    if (turned > NORMAL_DEGREES)
        add_finding(pair, &finding, 0, turned);
    return true;
}

static void compare_mesh(const struct skin_pair *pair)
{
    const struct skin_snapshot *was = pair->was, *now = pair->now;
    struct finding finding = finding_about(pair, CODE_SKIN_COUNT);
    finding.now = now->vertices;
    finding.was = was->vertices;
    finding.explained = STAGE_IMPORT; /* no other stage makes vertices */
    if (was->vertices != now->vertices)
        findings_put(pair->c->findings, &finding);
    if (!compare_vertices(pair) && was->vertices > 0 && now->vertices > 0)
        compare_boxes(pair);
    finding = finding_about(pair, CODE_SKIN_POSITIONS);
    finding.part = was->position_count ? "the golden" : "theirs";
    if (!was->position_count != !now->position_count)
        findings_put(pair->c->findings, &finding);
}

/* The instances that have no other side. Importers make several meshes of one with several materials, engines need
 * not. */
static void report_one_sided(const struct pose_context *c, const struct match_list *list,
                             const struct match_list *others, const int32_t *matched, const char *state)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->keys[i].name;
        bool is_part = false;
        if (matched[i] != NO_INDEX)
            continue;
        for (size_t k = 0; k < others->count && !is_part; k++)
            is_part = pose_is_part_of(name, others->keys[k].name) || pose_is_part_of(others->keys[k].name, name);
        struct finding finding = pose_finding(c, is_part ? CODE_SKIN_PARTS : CODE_SKIN_MESH, name);
        finding.explained = STAGE_PALETTE;
        finding.mesh = name;
        finding.part = is_part ? NULL : state;
        findings_put(c->findings, &finding);
    }
}

void compare_skinned(const struct pose_snapshot *golden, const struct pose_snapshot *actual,
                     const struct import_snapshot *import, const struct import_snapshot *actual_import, bool is_dual,
                     struct findings *findings, struct pose_errors *out)
{
    struct arena *arena = findings->arena;
    const struct pose_context c = pose_context_of(golden, actual, import, NULL, findings, out);
    const char **labels_was = import ? import_label_meshes(import, arena) : NULL;
    const char **labels_now = actual_import ? import_label_meshes(actual_import, arena) : NULL;
    const struct match_list was = pose_names(c.golden, POSE_SKIN, arena), now = pose_names(c.actual, POSE_SKIN, arena);
    const struct matching matching = match_by_name(&was, &now, MATCH_PREFER_CONTEXT, arena);
    report_one_sided(&c, &was, &now, matching.to_actual, "missing");
    report_one_sided(&c, &now, &was, matching.to_golden, "new");
    for (size_t i = 0; i < was.count; i++)
        if (matching.to_actual[i] != NO_INDEX) {
            struct skin_pair pair = make_pair(&c, &c.golden->skin[i], &c.actual->skin[matching.to_actual[i]]);
            pair.is_dual = is_dual;
            pair.mesh_was = find_mesh(import, labels_was, was.keys[i].name);
            pair.mesh_now = find_mesh(actual_import, labels_now, was.keys[i].name);
            compare_mesh(&pair);
        }
}
