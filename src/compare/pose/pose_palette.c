/* Palette entries of two poses. */
#include <math.h>
#include <string.h>

#include "compare/grouping.h"
#include "compare/match/matrix_change.h"
#include "compare/format_number.h"
#include "compare/pose/pose_context.h"

/* An entry of both sides. */
struct entry_pair {
    const struct palette_snapshot *was;
    const struct palette_snapshot *now;
    int32_t node;            /* of the golden, or NO_INDEX */
    struct affine_d mesh_was; /* mesh space -> palette space */
    struct affine_d mesh_now;
    struct affine_d bone; /* the golden's: bone space -> palette space */
    double influence_radius;        /* palette space */
    int point_count;
    double points[8][3]; /* mesh space: what is judged by */
    double origin[3];    /* mesh space: of the bone */
};

/* Entries that are off because of something above them. */
struct followers {
    size_t count;
    struct bone_error worst;
};

enum reason {
    OF_ANIMATION, /* local transforms that are told */
    OF_SUM,       /* local transforms that are each within the limit and add up to more */
    OF_GLOBAL,    /* a global matrix that is told */
    REASON_COUNT
};

static void add_follower(struct followers *followers, const struct bone_error *error)
{
    if (followers->count++ == 0 || error->displacement > followers->worst.displacement)
        followers->worst = *error;
}

/* ---- which entry is which ---------------------------------------------------------------------------------------- */

static struct match_list list_entries(const struct pose_snapshot *pose, struct arena *arena)
{
    struct match_list list = match_list_create(pose->palette_count, arena);
    for (uint32_t i = 0; i < pose->palette_count; i++)
        list.keys[i] = (struct match_key){pose->palette[i].bone, pose->palette[i].mesh};
    return list;
}

/* "body-0" of "body": importers make a mesh of every material of a mesh, engines need not. */
static bool is_part_of(const char *part, const char *whole)
{
    size_t length = strlen(whole);
    if (strncmp(part, whole, length) != 0 || part[length] != '-' || part[length + 1] == '\0')
        return false;
    return part[length + 1 + strspn(part + length + 1, "0123456789")] == '\0';
}

/* The entry of this bone in a mesh that `key`'s is a part of, or that is a part of it. */
static int32_t find_part(const struct match_key *key, const struct match_list *others, const struct name_index *index)
{
    int32_t other = name_find(index, key->name);
    while (other != NO_INDEX && !is_part_of(key->context, others->keys[other].context) &&
           !is_part_of(others->keys[other].context, key->context))
        other = name_find_after(index, key->name, (size_t)other);
    return other;
}

/*
 * Where one side has parts of what is one mesh on the other, each part is held against the whole: several entries of a
 * side then have the same one of the other.
 */
static void match_parts(const struct pose_context *c, const struct match_list *list, const struct match_list *others,
                        int32_t *matched)
{
    struct name_index index = {0};
    struct finding finding = pose_finding(c, STAGE_PALETTE, NULL);
    finding.benign = true;
    for (size_t i = 0; i < list->count; i++) {
        if (matched[i] != NO_INDEX)
            continue;
        if (!index.items)
            index = name_index_create(others, c->arena);
        matched[i] = find_part(&list->keys[i], others, &index);
        if (matched[i] == NO_INDEX)
            continue;
        const char *mine = list->keys[i].context, *its = others->keys[matched[i]].context;
        bool mine_is_part = strlen(mine) > strlen(its);
        findings_add(c->findings, &finding, "mesh %s is taken for a part of mesh %s",
                     format_mesh(mine_is_part ? mine : its, c->arena),
                     format_mesh(mine_is_part ? its : mine, c->arena));
    }
}

static void report_one_sided(const struct pose_context *c, const struct match_list *list, const int32_t *matched,
                           const char *state)
{
    struct grouping grouping = grouping_begin(c->findings, "", "");
    for (size_t i = 0; i < list->count; i++) {
        struct finding finding = pose_finding(c, STAGE_PALETTE, list->keys[i].name);
        finding.mesh = list->keys[i].context;
        if (matched[i] == NO_INDEX)
            grouping_add(&grouping, &finding, NULL, "the palette entry of `%s` (mesh %s) is %s", finding.subject,
                     format_mesh(finding.mesh, c->arena), state);
    }
    const char *mesh = grouping_mesh(&grouping);
    grouping.after =
        mesh ? arena_printf(c->arena, " palette entries of mesh %s are %s", format_mesh(mesh, c->arena), state)
             : arena_printf(c->arena, " palette entries are %s", state);
    grouping_end(&grouping);
}

/* ---- the points of an entry -------------------------------------------------------------------------------------- */

/* Scene space to the palette's: the inverse of the root's matrix where that is root space. */
static struct affine_d scene_to_palette(const struct pose_context *c)
{
    struct affine_d inverse = affine_d_identity;
    if (strcmp(c->golden->space, palette_space_name(SPACE_ROOT)) == 0 && c->golden_nodes.count > 0)
        affine_d_inverse(&c->golden_nodes.node_to_scene[0], &inverse);
    return inverse;
}

/* Whether the matrix shrinks to next to nothing: its inverse would make mountains of rounding. */
static bool is_hidden(const struct affine_d *m)
{
    return !(affine_d_scale(m) > 1e-4);
}

/*
 * Bone space to mesh space: the inverse of the offset matrix, which is that of the golden's palette matrix times the
 * bone's global where the import does not have it. False when there is none.
 */
static bool bone_to_mesh(const struct pose_context *c, const struct entry_pair *pair, struct affine_d *out)
{
    const vec4 *offset = radius_table_find_offset(&c->radii, pair->was->bone, pair->was->mesh);
    struct affine_d matrix, palette = scene_to_palette(c);
    if (offset) {
        matrix = affine_d_from(offset);
        return affine_d_inverse(&matrix, out);
    }
    if (is_hidden(&pair->mesh_was) || !affine_d_inverse(&pair->mesh_was, &matrix))
        return false;
    palette = affine_d_mul(&palette, &c->golden_nodes.node_to_scene[pair->node]);
    *out = affine_d_mul(&matrix, &palette);
    return true;
}

/* Where that is not known, points of the mesh's box; the corners of a cube of half its size without an import. */
static void take_box_points(const struct pose_context *c, struct entry_pair *pair)
{
    int32_t mesh = name_find(&c->meshes, pair->was->mesh);
    double far = pose_skin_radius(c, pair->was->mesh);
    pair->point_count = 8;
    pair->influence_radius = c->radius;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            double side = i >> k & 1 ? far : -far;
            if (mesh != NO_INDEX)
                side = (double)(i >> k & 1 ? c->import->meshes[mesh].max[k] : c->import->meshes[mesh].min[k]);
            pair->points[i][k] = side;
            pair->origin[k] += side / 8.0;
        }
}

/* Points along the bone's axes at its probe distance, in mesh space. */
static void take_probe_points(const struct pose_context *c, struct entry_pair *pair, const struct affine_d *to_mesh)
{
    double own = radius_table_find(&c->radii, pair->was->bone, pair->was->mesh);
    double least = fmax(0.03 * c->radius, c->import ? 0.0 : pose_skin_radius(c, pair->was->mesh));
    const double origin[3] = {0, 0, 0};
    double points[6][3];
    skeleton_points(&c->golden_nodes, (size_t)pair->node, own, least, points);
    pair->point_count = 6;
    for (int i = 0; i < 6; i++)
        affine_d_point(to_mesh, points[i], pair->points[i]);
    affine_d_point(to_mesh, origin, pair->origin);
    pair->influence_radius = fmax(least, own * affine_d_scale(&c->golden_nodes.node_to_scene[pair->node]));
}

static struct entry_pair pair_of(const struct pose_context *c, const struct palette_snapshot *was,
                                 const struct palette_snapshot *now)
{
    struct entry_pair pair = {
        .was = was,
        .now = now,
        .node = name_find(&c->golden_nodes.names, was->bone),
        .mesh_was = affine_d_from(was->mesh_to_scene),
        .mesh_now = affine_d_from(now->mesh_to_scene),
    };
    struct affine_d to_mesh;
    if (pair.node != NO_INDEX && bone_to_mesh(c, &pair, &to_mesh))
        take_probe_points(c, &pair, &to_mesh);
    else
        take_box_points(c, &pair);
    return pair;
}

static double largest_gap(const struct entry_pair *pair, const struct affine_d *a, const struct affine_d *b)
{
    double gap = 0;
    for (int i = 0; i < pair->point_count; i++)
        gap = fmax(gap, affine_d_gap(a, b, pair->points[i]));
    return gap;
}

/* ---- whose fault ------------------------------------------------------------------------------------------------- */

/*
 * Whether the entry is what the actual's global matrix makes of it, so that the fault is above: M_a = G_a G_g^-1 M_g.
 * In root space the globals are not those of the palette; there a fault above is taken as the reason.
 */
static bool follows_its_global(const struct pose_context *c, const struct entry_pair *pair, double gap)
{
    struct affine_d inverse;
    if (strcmp(c->golden->space, palette_space_name(SPACE_SCENE)) != 0 ||
        !affine_d_inverse(&c->golden_nodes.node_to_scene[pair->node], &inverse))
        return true;
    const struct affine_d *after = &c->actual_nodes.node_to_scene[c->nodes[pair->node].other];
    struct affine_d change = affine_d_mul(after, &inverse), expected = affine_d_mul(&change, &pair->mesh_was);
    return largest_gap(pair, &expected, &pair->mesh_now) <= fmax(c->tolerance->shell * c->radius, 1e-3 * gap);
}

/* The node at or above this one whose local transform is off most; NO_INDEX when none is off at all. */
static int32_t most_moved_above(const struct pose_context *c, int32_t node)
{
    int32_t most = NO_INDEX;
    for (int32_t above = node; above != NO_INDEX; above = c->golden_nodes.parents[above])
        if (c->nodes[above].local_gap > (most == NO_INDEX ? 0.0 : c->nodes[most].local_gap))
            most = above;
    return most;
}

/* Mistakes that have a name. */
static const char *explain(const struct pose_context *c, const struct entry_pair *pair)
{
    enum { MOST_SEARCHED = 1024 };
    const char *found = NULL;
    unsigned patterns = matrix_patterns(&pair->mesh_was, &pair->mesh_now, 1e-4 * c->radius);
    enum matrix_pattern pattern = matrix_pattern_of_most(&patterns, 1);
    if (pattern != MATRIX_PATTERN_COUNT)
        return arena_printf(c->arena, "; its matrix %s", matrix_pattern_says(pattern, false));
    for (uint32_t i = 0; i < c->golden->palette_count && i < MOST_SEARCHED; i++) {
        const struct palette_snapshot *other = &c->golden->palette[i];
        struct affine_d matrix = affine_d_from(other->mesh_to_scene);
        if (other == pair->was || strcmp(other->mesh, pair->was->mesh) != 0 ||
            !affine_d_near(&matrix, &pair->mesh_now, 1e-4, 1e-4 * c->radius))
            continue;
        if (found)
            return "";
        found = other->bone;
    }
    return found ? arena_printf(c->arena, "; it has the matrix of `%s`", found) : "";
}

/* ---- one entry --------------------------------------------------------------------------------------------------- */

/* "bone `hand.L` (mesh `body`) is off by 12.3 mm (0.9 % of the model's radius) at 0.250 s: 3.2° and 1.1 cm". */
static const char *describe_entry(const struct pose_context *c, const struct entry_pair *pair,
                                  const struct bone_error *error)
{
    struct text change = {0};
    change_describe(error->degrees, change_axis(&pair->mesh_was, &pair->mesh_now), error->translation,
                    error->scale_percent, pair->influence_radius, error->distance, c->unit_meters, &change);
    bool is_all = strcmp(text_string(&change), format_length(error->distance, c->unit_meters).text) == 0;
    const char *text =
        arena_printf(c->arena, "bone `%s` (mesh %s) is off by %s at %s%s%s", error->bone,
                     format_mesh(error->mesh, c->arena), pose_off_by(c, error), format_seconds(c->golden->time).text,
                     is_all ? "" : ": ", is_all ? "" : text_string(&change));
    text_release(&change);
    return text;
}

static void compare_entry(struct pose_context *c, const struct palette_snapshot *was,
                          const struct palette_snapshot *now, struct pose_faults *faults, struct followers *followers)
{
    struct bone_error error = {.bone = was->bone, .mesh = was->mesh, .stage = STAGE_PALETTE};
    if (memcmp(was->mesh_to_scene, now->mesh_to_scene, sizeof(mat4)) == 0) {
        pose_add_error(c, &error);
        return;
    }
    struct entry_pair pair = pair_of(c, was, now);
    error.distance = largest_gap(&pair, &pair.mesh_was, &pair.mesh_now);
    error.displacement = error.distance / c->radius;
    error.degrees = affine_d_degrees(&pair.mesh_was, &pair.mesh_now);
    error.translation = affine_d_gap(&pair.mesh_was, &pair.mesh_now, pair.origin);
    error.scale_percent = affine_d_scale_percent(&pair.mesh_was, &pair.mesh_now);
    pose_add_error(c, &error);
    if (error.displacement <= c->tolerance->shell)
        return;
    bool above =
        pair.node != NO_INDEX && c->nodes[pair.node].other != NO_INDEX && follows_its_global(c, &pair, error.distance);
    if (above && c->nodes[pair.node].moved)
        add_follower(&followers[OF_ANIMATION], &error);
    else if (above && c->nodes[pair.node].broken)
        add_follower(&followers[OF_GLOBAL], &error);
    else if (above && most_moved_above(c, pair.node) != NO_INDEX)
        add_follower(&followers[OF_SUM], &error);
    else
        pose_add_fault(c, faults, &error, describe_entry(c, &pair, &error), explain(c, &pair));
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void report_followers(const struct pose_context *c, const struct followers *followers, bool benign,
                           struct pose_faults *faults)
{
    const struct bone_error *worst = &followers->worst;
    if (followers->count == 0)
        return;
    const char *off = pose_off_by(c, worst), *when = arena_string(c->arena, format_seconds(c->golden->time).text);
    const char *count = followers->count == 1 ? "" : arena_printf(c->arena, "%zu bones follow: ", followers->count);
    pose_add_fault(c, faults, worst,
                   arena_printf(c->arena, "%sbone `%s` (mesh %s) %s by %s at %s", count, worst->bone,
                                format_mesh(worst->mesh, c->arena),
                                followers->count == 1 ? "follows and is off" : "is off most,", off, when),
                   "");
    faults->items[faults->count - 1].benign = benign;
}

static void report_sum(const struct pose_context *c, const struct followers *followers, struct pose_faults *faults)
{
    struct bone_error error = followers->worst;
    if (followers->count == 0)
        return;
    int32_t most = most_moved_above(c, name_find(&c->golden_nodes.names, error.bone));
    error.stage = STAGE_ANIMATE;
    pose_add_fault(
        c, faults, &error,
        arena_printf(c->arena,
                     "local transforms at and above `%s`, each within the limit, add up: bone `%s` (mesh %s) is off "
                     "by %s at %s; `%s` does most",
                     error.bone, error.bone, format_mesh(error.mesh, c->arena), pose_off_by(c, &error),
                     format_seconds(c->golden->time).text, c->golden->nodes[most].name),
        "");
}

void pose_compare_palette(struct pose_context *c, struct pose_faults *faults)
{
    struct followers followers[REASON_COUNT] = {{0}};
    if (c->golden->palette_count == 0 || c->actual->palette_count == 0) {
        struct finding finding = pose_finding(c, STAGE_PALETTE, NULL);
        finding.benign = true;
        if (c->golden->palette_count + c->actual->palette_count > 0)
            findings_add(c->findings, &finding, "only %s has a palette: none is compared",
                         c->golden->palette_count > 0 ? "the golden" : "the actual pose");
        return;
    }
    struct match_list golden = list_entries(c->golden, c->arena), actual = list_entries(c->actual, c->arena);
    struct matching matching = match_by_name(&golden, &actual, MATCH_NEED_CONTEXT, c->arena);
    match_parts(c, &golden, &actual, matching.to_actual);
    match_parts(c, &actual, &golden, matching.to_golden);
    report_one_sided(c, &golden, matching.to_actual, "missing");
    report_one_sided(c, &actual, matching.to_golden, "new");
    for (size_t i = 0; i < golden.count; i++)
        if (matching.to_actual[i] != NO_INDEX)
            compare_entry(c, &c->golden->palette[i], &c->actual->palette[matching.to_actual[i]], faults, followers);
    for (size_t i = 0; i < actual.count; i++)
        if (matching.to_golden[i] != NO_INDEX && matching.to_actual[matching.to_golden[i]] != (int32_t)i)
            compare_entry(c, &c->golden->palette[matching.to_golden[i]], &c->actual->palette[i], faults, followers);
    report_followers(c, &followers[OF_ANIMATION], false, faults);
    report_followers(c, &followers[OF_GLOBAL], true, faults);
    report_sum(c, &followers[OF_SUM], faults);
}
