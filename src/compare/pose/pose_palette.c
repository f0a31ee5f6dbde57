/* Palette entries of two poses, measured. */
#include <math.h>
#include <string.h>

#include "compare/format_number.h"
#include "compare/pose/pose_context.h"

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

/* ---- the points of an entry -------------------------------------------------------------------------------------- */

/* Scene space to the palette's: the inverse of the root's matrix where that is root space. */
static struct affine_d scene_to_palette(const struct pose_context *c)
{
    struct affine_d inverse = affine_d_identity;
    if (strcmp(c->golden->space, space_words[SPACE_ROOT]) == 0 && c->golden_nodes.count > 0)
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

struct entry_pair pose_entry_pair(const struct pose_context *c, const struct palette_snapshot *was,
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

/* ---- one entry --------------------------------------------------------------------------------------------------- */

/*
 * Whether the entry is what the actual's global matrix makes of it, so that the fault is above: M_a = G_a G_g^-1 M_g, but
 * for a thousandth of what it is off, and for what passes by default. In root space the globals are not those of the
 * palette; there a fault above is taken as the reason.
 */
static bool follows_its_global(const struct pose_context *c, const struct entry_pair *pair, double distance)
{
    struct affine_d inverse;
    if (strcmp(c->golden->space, space_words[SPACE_SCENE]) != 0 ||
        !affine_d_inverse(&c->golden_nodes.node_to_scene[pair->node], &inverse))
        return true;
    const struct affine_d *after = &c->actual_nodes.node_to_scene[c->nodes[pair->node].other];
    struct affine_d change = affine_d_mul(after, &inverse), expected = affine_d_mul(&change, &pair->mesh_was);
    double gap = 0;
    for (int i = 0; i < pair->point_count; i++)
        gap = fmax(gap, affine_d_gap(&expected, &pair->mesh_now, pair->points[i]));
    return gap <= fmax(tolerance_defaults.shell * c->radius, 1e-3 * distance);
}

static void measure_entry(struct pose_context *c, uint32_t was, uint32_t now)
{
    const struct palette_snapshot *golden = &c->golden->palette[was], *actual = &c->actual->palette[now];
    struct pose_difference difference = {
        DIFFERS_ENTRY, {.bone = golden->bone, .mesh = golden->mesh, .stage = STAGE_PALETTE}, .was = was, .now = now};
    bool differs = memcmp(golden->mesh_to_scene, actual->mesh_to_scene, sizeof(mat4)) != 0;
    if (differs) {
        struct entry_pair pair = pose_entry_pair(c, golden, actual);
        pose_measure_maps(c, &pair.mesh_was, &pair.mesh_now, pair.points, pair.point_count, pair.origin, &pair.mesh_was,
                          &pair.mesh_now, &difference.error);
        difference.measure = difference.error.displacement;
        difference.node = pair.node;
        difference.follows = pair.node != NO_INDEX && c->nodes[pair.node].other != NO_INDEX &&
                             follows_its_global(c, &pair, difference.error.distance);
        pose_add_difference(c, &difference);
    }
    pose_add_error(c, &difference.error);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

void pose_measure_palette(struct pose_context *c)
{
    if (strcmp(c->golden->space, c->actual->space) != 0)
        return;
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
    pose_report_one_sided(c, DIFFERS_ENTRY, &golden, matching.to_actual, "missing");
    pose_report_one_sided(c, DIFFERS_ENTRY, &actual, matching.to_golden, "new");
    for (size_t i = 0; i < golden.count; i++)
        if (matching.to_actual[i] != NO_INDEX)
            measure_entry(c, (uint32_t)i, (uint32_t)matching.to_actual[i]);
    for (size_t i = 0; i < actual.count; i++)
        if (matching.to_golden[i] != NO_INDEX && matching.to_actual[matching.to_golden[i]] != (int32_t)i)
            measure_entry(c, (uint32_t)matching.to_golden[i], (uint32_t)i);
}
