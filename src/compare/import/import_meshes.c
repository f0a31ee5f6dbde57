/* Meshes: what they hang on, where they are, how many influences their vertices have; their bones are in import_bones.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "compare/format_number.h"
#include "compare/import/import_compare.h"

static struct box mesh_box(const struct mesh_snapshot *mesh)
{
    struct box box;
    for (int k = 0; k < 3; k++) {
        box.min[k] = (double)mesh->min[k];
        box.max[k] = (double)mesh->max[k];
    }
    return box;
}

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

/* Whether most weighted centres of bones are where the placement takes them. */
static bool holds_centres(const struct mesh_snapshot *was, const struct mesh_snapshot *now,
                          const struct matching *bones, const struct placement *placement)
{
    struct box box = mesh_box(now);
    size_t there = 0, elsewhere = 0;
    for (size_t i = 0; i < bones->golden_count; i++) {
        double from[3], to[3];
        if (bones->to_actual[i] == NO_INDEX)
            continue;
        const struct bone_snapshot *golden = &was->bones[i], *actual = &now->bones[bones->to_actual[i]];
        for (int k = 0; k < 3; k++) {
            from[k] = (double)golden->centroid[k];
            to[k] = (double)actual->centroid[k];
        }
        placement_apply(placement, from, from);
        if (golden->sum > 0 && actual->sum > 0)
            *(vector_distance(from, to) <= 1e-3 * box_radius(&box) ? &there : &elsewhere) += 1;
    }
    return there > elsewhere;
}

/* Of the placements that the bounds allow, one that most of the bones agree with; else the simplest. */
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
        struct matching bones = import_match_by_node(c, was->bones, was->bone_count, now->bones, now->bone_count,
                                                     sizeof(struct bone_snapshot));
        struct box before = mesh_box(was), after = mesh_box(now);
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
        const char *says = import_text(c, &text);
        import_change(c, CODE_MESH_PLACED, &finding, says, says);
        return;
    }
    const char *distance = arena_string(c->arena, format_length(finding.distance, c->unit_meters).text);
    format_vectors(a->min, g->min, 3, c->arena, &now[0], &was[0]);
    format_vectors(a->max, g->max, 3, c->arena, &now[1], &was[1]);
    import_change(c, CODE_MESH_BOUNDS, &finding,
                  arena_printf(c->arena, "%s: %s to %s, were %s to %s", distance, now[0], now[1], was[0], was[1]),
                  distance);
}

/* Whether the mesh hangs on that node; of the golden's nodes the present name counts. */
static bool hangs_on(const struct mesh_snapshot *mesh, const struct renames *renames, const char *node)
{
    for (uint32_t i = 0; i < mesh->node_count; i++)
        if (strcmp(renames ? renamed(renames, mesh->nodes[i]) : mesh->nodes[i], node) == 0)
            return true;
    return false;
}

static void add_names(struct text *text, const char *const *names, uint32_t count)
{
    enum { MOST = 4 };
    if (count == 0)
        text_add(text, "no node");
    for (uint32_t i = 0; i < count && i < MOST; i++)
        text_addf(text, "%s`%s`", i == 0 ? "" : i + 1 == count ? " and " : ", ", names[i]);
    if (count > MOST)
        text_addf(text, " and %u more", count - MOST);
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
    const char *mesh = name_quoted(finding.mesh, '`', c->arena), *says = NULL, *detail = NULL;
    uint32_t before = most_influences(was), after = most_influences(now), which = 0;
    uint32_t free_now = weightless(now), free_before = weightless(was);
    int64_t worst = 0;
    if (was->bone_count == 0 || now->bone_count == 0)
        return;
    for (uint32_t i = 0; i <= before; i++) { /* the number of influences whose share of vertices changed most */
        int64_t change = llabs((int64_t)vertices_with(now, i) - (int64_t)vertices_with(was, i));
        which = change > worst ? i : which;
        worst = change > worst ? change : worst;
    }
    if (free_before == 0 && free_now > 0) {
        detail = arena_printf(c->arena, "%u vertices lost their weights", free_now);
        says = arena_printf(c->arena, "mesh %s: %s", mesh, free_now == 1 ? "1 vertex lost its weights" : detail);
    } else if (free_now != free_before) {
        detail = arena_printf(c->arena, "%u vertices without any, were %u", free_now, free_before);
        says = arena_printf(c->arena, "mesh %s: %u vertices without any weight, were %u", mesh, free_now, free_before);
    } else if (before != after) {
        detail = arena_printf(c->arena, "at most %u a vertex, were at most %u", after, before);
        says = arena_printf(c->arena, "vertices of mesh %s have at most %u influence%s, had at most %u", mesh, after,
                            format_plural(after), before);
    } else if (was->vertices == now->vertices && which > 0) {
        uint32_t with_now = vertices_with(now, which), with_before = vertices_with(was, which);
        detail = arena_printf(c->arena, "%u vertices with %u, were %u", with_now, which, with_before);
        says = arena_printf(c->arena, "mesh %s: %u vertices with %u influence%s, were %u", mesh, with_now, which,
                            format_plural(which), with_before);
    }
    /* Without any weight a vertex is left behind: no limit allows one more. */
    if (says && import_beyond_limit(c, &finding, TOLERANCE_INFLUENCES,
                                    free_now != free_before ? INFINITY : share_of_others(was, now)))
        import_change(c, CODE_MESH_INFLUENCES, &finding, says, detail);
}

void import_compare_mesh(struct import_context *c, size_t golden, size_t actual)
{
    const struct mesh_snapshot *was = &c->golden->meshes[golden], *now = &c->actual->meshes[actual];
    const char *label = mesh_label(c, was);
    const struct finding finding = import_finding(label, label);
    const struct renames *renames = &c->renames[NOUN_NODE];
    bool same_nodes = was->node_count == now->node_count;
    for (uint32_t i = 0; same_nodes && i < was->node_count; i++)
        same_nodes = hangs_on(now, NULL, renamed(renames, was->nodes[i])) && hangs_on(was, renames, now->nodes[i]);
    if (!same_nodes) {
        struct text text = {0};
        add_names(&text, now->nodes, now->node_count);
        text_add(&text, " now, was on ");
        add_names(&text, was->nodes, was->node_count);
        const char *says = import_text(c, &text);
        import_change(c, CODE_MESH_NODES, &finding, says, says);
    }
    compare_bounds(c, golden, actual, finding);
    compare_influences(c, was, now, finding);
    import_compare_bones(c, golden, actual);
    import_compare_attributes(c, golden, actual);
}
