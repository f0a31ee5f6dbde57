/* Meshes: what they hang on, where they are, how many influences their vertices have; their bones are in
 * import_bones.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format_number.h"
#include "compare/import/import_compare.h"

/* The farthest that a corner of the bounds moved, in scene units. */
static double bounds_moved(const struct import_context *c, size_t golden, size_t actual)
{
    const struct mesh_snapshot *was = &c->golden->meshes[golden], *now = &c->actual->meshes[actual];
    return c->mesh_scale[golden] * worse(point_distance(was->min, now->min), point_distance(was->max, now->max));
}

bool import_like_mesh(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const struct mesh_snapshot *g = &c->golden->meshes[golden], *a = &c->actual->meshes[actual];
    return g->vertices == a->vertices && g->triangles == a->triangles && g->bone_count == a->bone_count &&
           bounds_moved(c, golden, actual) <= 1e-4 * c->radius;
}

/* Says whether most weighted centres of bones are where the placement takes them. */
static bool holds_centres(const struct mesh_snapshot *was, const struct mesh_snapshot *now,
                          const struct matching *bones, const struct placement *placement)
{
    const struct box box = box_of(now->min, now->max);
    size_t there = 0, elsewhere = 0;
    for (size_t i = 0; i < bones->golden_count; i++) {
        if (bones->to_actual[i] == NO_INDEX)
            continue;
        const struct bone_snapshot *golden = &was->bones[i], *actual = &now->bones[bones->to_actual[i]];
        double from[3] = {golden->centroid[0], golden->centroid[1], golden->centroid[2]};
        const double to[3] = {actual->centroid[0], actual->centroid[1], actual->centroid[2]};
        placement_apply(placement, from, from);
        if (golden->sum > 0 && actual->sum > 0)
            *(vector_distance(from, to) <= 1e-3 * box_radius(&box) ? &there : &elsewhere) += 1;
    }
    return there > elsewhere;
}

/* Quantised vertices lie in a space of their own, which all offset matrices of the mesh undo. These give the placement,
 * and the bounds are there as far as whole numbers let them. */
static bool find_undone(const struct mesh_snapshot *was, const struct mesh_snapshot *now, const struct matching *bones,
                        struct placement *out)
{
    const struct box before = box_of(was->min, was->max), after = box_of(now->min, now->max);
    const double size = box_radius(&after), alike = 1e-4, rounded = 2e-3;
    struct affine_d space = affine_d_identity, inverse;
    bool is_one = false;
    for (size_t i = 0; i < bones->golden_count; i++) {
        if (bones->to_actual[i] == NO_INDEX)
            continue;
        const struct affine_d golden = affine_d_from(was->bones[i].mesh_to_bone);
        const struct affine_d actual = affine_d_from(now->bones[bones->to_actual[i]].mesh_to_bone);
        if (!affine_d_inverse(&actual, &inverse))
            return false;
        const struct affine_d own = affine_d_mul(&inverse, &golden);
        space = is_one ? space : own;
        is_one = true;
        *out = (struct placement){.scale = space.column[0][0],
                                  .shift = {space.column[3][0], space.column[3][1], space.column[3][2]}};
        for (int k = 0; k < 8; k++) {
            double corner[3], placed[3], theirs[3];
            box_corner(&before, k, corner);
            placement_apply(out, corner, placed);
            affine_d_point(&own, corner, theirs);
            if (!(vector_distance(placed, theirs) <= alike * size))
                return false;
        }
    }
    double ends[2][3];
    placement_apply(out, before.min, ends[0]);
    placement_apply(out, before.max, ends[1]);
    return is_one && fmax(fabs(out->scale - 1), vector_distance(out->shift, (const double[3]){0}) / size) > alike &&
           fmax(vector_distance(ends[0], after.min), vector_distance(ends[1], after.max)) <= rounded * size;
}

/* Chooses of the placements that the bounds allow one that most of the bones agree with; else the simplest. */
void import_place_meshes(struct import_context *c)
{
    const struct matching *meshes = &c->matched[NOUN_MESH];
    c->placements = ARENA_NEW(c->arena, struct mesh_placement, c->golden->mesh_count);
    for (size_t i = 0; i < meshes->golden_count; i++) {
        struct mesh_placement *best = &c->placements[i];
        const struct mesh_snapshot *was = &c->golden->meshes[i], *now = c->actual->meshes;
        if (meshes->to_actual[i] == NO_INDEX)
            continue;
        now += meshes->to_actual[i];
        if (memcmp(was->min, now->min, sizeof(vec3)) == 0 && memcmp(was->max, now->max, sizeof(vec3)) == 0)
            continue;
        const struct match_list bones_were = MATCH_NAMES(was->bones, was->bone_count, c->arena);
        const struct match_list bones_are = MATCH_NAMES(now->bones, now->bone_count, c->arena);
        const struct matching bones = import_match_by_node(c, &bones_were, &bones_are);
        const struct box before = box_of(was->min, was->max), after = box_of(now->min, now->max);
        if (find_undone(was, now, &bones, &best->placement)) {
            best->found = best->holds_centres = best->is_undone = true;
            continue;
        }
        for (int turn = 0; turn < TURN_COUNT; turn++) {
            struct mesh_placement found = {.found = true};
            if (!placement_of_boxes(&before, &after, turn, &found.placement))
                continue;
            found.holds_centres = holds_centres(was, now, &bones, &found.placement);
            bool is_simpler = placement_parts(&found.placement) < placement_parts(&best->placement);
            if (!best->found || found.holds_centres > best->holds_centres ||
                (found.holds_centres == best->holds_centres && is_simpler))
                *best = found;
        }
    }
}

/* "100 times larger", "turned 90.0° about x"; else what the bounds are. */
static void compare_bounds(struct import_context *c, size_t golden, size_t actual, struct finding finding)
{
    struct placement placement = c->placements[golden].placement;
    const struct mesh_snapshot *g = &c->golden->meshes[golden], *a = &c->actual->meshes[actual];
    const char *was[2], *now[2];
    struct text text = {0};
    if (!import_displaced(c, &finding, bounds_moved(c, golden, actual)))
        return;
    if (c->placements[golden].found && placement_parts(&placement) > 0) {
        for (int k = 0; k < 3; k++)
            placement.shift[k] *= c->mesh_scale[golden];
        placement_describe(&placement, c->unit_meters, &text);
        if (c->placements[golden].is_undone) {
            finding.distance = finding.displacement = 0;
            text_add(&text, ", which inverse bind matrices undo");
        }
        import_change(c, CODE_MESH_PLACED, &finding, "{by}", no_value, no_value)->says.by =
            value_words(arena_text(c->arena, &text));
        return;
    }
    format_vectors(a->min, g->min, 3, c->arena, &now[0], &was[0]);
    format_vectors(a->max, g->max, 3, c->arena, &now[1], &was[1]);
    struct change *change = import_change(c, CODE_MESH_BOUNDS, &finding, "{now}, were {was}",
                                          value_words(arena_printf(c->arena, "%s to %s", now[0], now[1])),
                                          value_words(arena_printf(c->arena, "%s to %s", was[0], was[1])));
    change->says.by = value_length(finding.distance);
    change->says.detail = "{by}";
}

/* Says whether two meshes hang on the same nodes, under the names of then or now, in any order. */
static bool hang_alike(const struct renames *renames, const struct mesh_snapshot *was, const struct mesh_snapshot *now)
{
    const uint32_t count = was->node_count;
    bool are_alike = count == now->node_count;
    for (uint32_t i = 0; i < count && are_alike; i++) {
        bool stays = false, is_old = false;
        for (uint32_t k = 0; k < count; k++) {
            stays = stays || same_name(renames, was->nodes[i], now->nodes[k]);
            is_old = is_old || same_name(renames, was->nodes[k], now->nodes[i]);
        }
        are_alike = stays && is_old;
    }
    return are_alike;
}

static struct value value_of_nodes(struct import_context *c, const struct mesh_snapshot *mesh)
{
    enum { MOST = 4 };
    const uint32_t count = mesh->node_count;
    struct text text = {0};
    text_add(&text, count == 0 ? "no node" : "");
    for (uint32_t i = 0; i < count && i < MOST; i++)
        text_addf(&text, "%s`%s`", i == 0 ? "" : i + 1 == count ? " and " : ", ", mesh->nodes[i]);
    if (count > MOST)
        text_addf(&text, " and %u more", count - MOST);
    return value_words(arena_text(c->arena, &text));
}

static uint32_t most_influences(const struct mesh_snapshot *mesh)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < mesh->influence_slots; i++)
        most = mesh->influences[i] > 0 ? i : most;
    return most;
}

static uint32_t vertices_with(const struct mesh_snapshot *mesh, uint32_t influences)
{
    return influences < mesh->influence_slots ? mesh->influences[influences] : 0;
}

/* Vertices that the file gives no weights, also where they are made to follow the mesh's node. */
static uint32_t weightless(const struct mesh_snapshot *mesh)
{
    uint32_t count = vertices_with(mesh, 0);
    for (uint32_t i = 0; i < mesh->bone_count; i++)
        count += mesh->bones[i].follows_mesh_node ? mesh->bones[i].weights : 0;
    return count;
}

/* The least share of vertices that must have got another number of influences. */
static double share_of_others(const struct mesh_snapshot *was, const struct mesh_snapshot *now)
{
    int64_t more = 0, fewer = 0;
    for (uint32_t i = 0; i < was->influence_slots || i < now->influence_slots; i++) {
        int64_t change = (int64_t)vertices_with(now, i) - (int64_t)vertices_with(was, i);
        *(change > 0 ? &more : &fewer) += llabs(change);
    }
    return (double)(more > fewer ? more : fewer) / fmax(1.0, was->vertices);
}

static void compare_influences(struct import_context *c, const struct mesh_snapshot *was,
                               const struct mesh_snapshot *now, struct finding finding)
{
    uint32_t before = most_influences(was), after = most_influences(now), which = 0;
    uint32_t free_now = weightless(now), free_before = weightless(was);
    struct import_change change = {.now = value_count(after), .was = value_count(before)};
    int64_t worst = 0;
    if (was->bone_count == 0 || now->bone_count == 0)
        return;
    for (uint32_t i = 0; i <= before; i++) { /* the number of influences whose share of vertices changed most */
        int64_t gap = llabs((int64_t)vertices_with(now, i) - (int64_t)vertices_with(was, i));
        which = gap > worst ? i : which;
        worst = gap > worst ? gap : worst;
    }
    if (free_now != free_before) {
        change.now = value_count(free_now);
        change.was = value_count(free_before);
        change.phrase = free_before > 0 ? "mesh {mesh}: {now} vertices without any weight, were {was}"
                        : free_now == 1 ? "mesh {mesh}: 1 vertex lost its weights"
                                        : "mesh {mesh}: {now} vertices lost their weights";
        change.detail =
            free_before > 0 ? "{now} vertices without any, were {was}" : "{now} vertices lost their weights";
    } else if (before != after) {
        change.phrase = "vertices of mesh {mesh} have at most {now} influence{s}, had at most {was}";
        change.detail = "at most {now} a vertex, were at most {was}";
    } else if (was->vertices == now->vertices && which > 0) {
        change.now = value_count(vertices_with(now, which));
        change.was = value_count(vertices_with(was, which));
        change.by = value_words(arena_printf(c->arena, "%u influence%s", which, format_plural(which)));
        change.phrase = "mesh {mesh}: {now} vertices with {by}, were {was}";
        change.detail = "{now} vertices with {by}, were {was}";
    }
    /* Without any weight a vertex is left behind: no limit allows one more. */
    if (!change.phrase || !import_beyond_limit(c, &finding, TOLERANCE_INFLUENCES,
                                               free_now != free_before ? INFINITY : share_of_others(was, now)))
        return;
    struct change *added = import_change(c, CODE_MESH_INFLUENCES, &finding, change.phrase, change.now, change.was);
    added->says.by = change.by;
    added->says.detail = change.detail;
}

void import_compare_mesh(struct import_context *c, size_t golden, size_t actual)
{
    const struct mesh_snapshot *was = &c->golden->meshes[golden], *now = &c->actual->meshes[actual];
    const char *label = mesh_label(c, was);
    const struct finding finding = import_finding(label, label);
    if (!hang_alike(&c->renames[NOUN_NODE], was, now))
        import_note(c, CODE_MESH_NODES, label, label, "{now} now, was on {was}", value_of_nodes(c, now),
                    value_of_nodes(c, was));
    compare_bounds(c, golden, actual, finding);
    compare_influences(c, was, now, finding);
    import_compare_bones(c, golden, actual);
    import_compare_attributes(c, golden, actual);
}
