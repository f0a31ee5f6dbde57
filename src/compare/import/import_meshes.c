/* Meshes: counts, bounds, what they hang on; their bones are in import_bones.c. */
#include <math.h>
#include <string.h>

#include "compare/import/import_context.h"
#include "compare/format_number.h"

static struct match_list list_meshes(const struct import_snapshot *import, const struct renames *materials,
                                     const char *const *labels, struct arena *arena)
{
    static const struct renames none = {0};
    struct match_list list = match_list_create(import->mesh_count, arena);
    for (uint32_t i = 0; i < import->mesh_count; i++)
        list.keys[i] = (struct match_key){import->meshes[i].name,
                                          renamed(materials ? materials : &none, import->meshes[i].material),
                                          strcmp(labels[i], import->meshes[i].name) ? labels[i] : NULL};
    return list;
}

/* The farthest that a corner of the bounds moved, in scene units. */
static double bounds_moved(const struct import_context *c, size_t golden, size_t actual)
{
    struct box was = mesh_box(&c->golden->meshes[golden]), now = mesh_box(&c->actual->meshes[actual]);
    return c->mesh_scale[golden] * fmax(vector_distance(was.min, now.min), vector_distance(was.max, now.max));
}

static bool are_alike(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const struct mesh_snapshot *g = &c->golden->meshes[golden], *a = &c->actual->meshes[actual];
    return g->vertices == a->vertices && g->triangles == a->triangles && g->bone_count == a->bone_count &&
           bounds_moved(c, golden, actual) <= 1e-4 * c->radius;
}

void import_match_meshes(struct import_context *c)
{
    struct match_list golden = list_meshes(c->golden, &c->material_names, c->mesh_labels, c->arena);
    struct match_list actual = list_meshes(c->actual, NULL, c->actual_mesh_labels, c->arena);
    c->meshes = match_by_name(&golden, &actual, MATCH_PREFER_CONTEXT, c->arena);
    match_renamed(&c->meshes, are_alike, c);
    import_place_meshes(c);
}

/* ---- the kinds of findings --------------------------------------------------------------------------------------- */

/* One grouping each over all meshes. */
struct mesh_groupings {
    const struct import_context *context;
    struct grouping counts, uvs, targets, material, nodes, bounds, influences;
};

static struct mesh_groupings begin_groupings(const struct import_context *c)
{
    struct mesh_groupings groupings = {
        .context = c,
        .counts = grouping_begin(c->out, "counts of ", " meshes changed"),
        .uvs = grouping_begin(c->out, "texture coordinates of ", " meshes changed"),
        .targets = grouping_begin(c->out, "morph targets of ", " meshes changed"),
        .material = grouping_begin(c->out, "materials of ", " meshes changed"),
        .nodes = grouping_begin(c->out, "nodes of ", " meshes changed"),
        .bounds = grouping_begin(c->out, "bounds of ", " meshes changed"),
        .influences = grouping_begin(c->out, "influences in ", " meshes changed"),
    };
    struct grouping *all[] = {&groupings.counts, &groupings.uvs,    &groupings.targets,   &groupings.material,
                          &groupings.nodes,  &groupings.bounds, &groupings.influences};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        all[i]->names_meshes = true;
    return groupings;
}

static void end_groupings(struct mesh_groupings *groupings)
{
    struct grouping *all[] = {&groupings->counts, &groupings->uvs,    &groupings->targets,   &groupings->material,
                          &groupings->nodes,  &groupings->bounds, &groupings->influences};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        grouping_end(all[i]);
}

static struct finding mesh_finding(const struct mesh_groupings *groupings, const struct mesh_snapshot *golden)
{
    struct finding finding = import_finding(mesh_label(groupings->context, golden));
    finding.mesh = finding.subject;
    return finding;
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

static void compare_counts(struct mesh_groupings *groupings, const struct mesh_snapshot *was,
                           const struct mesh_snapshot *now)
{
    struct text text = {0};
    struct finding finding = mesh_finding(groupings, was);
    if (now->vertices != was->vertices)
        text_addf(&text, "%u vertices, were %u", now->vertices, was->vertices);
    if (now->triangles != was->triangles)
        text_addf(&text, "%s%u triangles, were %u", text.size ? "; " : "", now->triangles, was->triangles);
    if (text.size > 0)
        grouping_add(&groupings->counts, &finding, arena_string(groupings->context->arena, text_string(&text)),
                     "mesh %s: %s", mesh_text(groupings->context, was), text_string(&text));
    text_release(&text);
}

static void compare_parts(struct mesh_groupings *groupings, const struct mesh_snapshot *was,
                          const struct mesh_snapshot *now)
{
    struct arena *arena = groupings->context->arena;
    struct finding finding = mesh_finding(groupings, was);
    if (was->has_uvs != now->has_uvs)
        grouping_add(&groupings->uvs, &finding, now->has_uvs ? "there are some now" : "they are lost", "mesh %s %s",
                     mesh_text(groupings->context, was),
                     now->has_uvs ? "has texture coordinates now" : "lost its texture coordinates");
    if (was->morph_targets != now->morph_targets)
        grouping_add(&groupings->targets, &finding,
                     arena_printf(arena, "%u, were %u", now->morph_targets, was->morph_targets),
                     "mesh %s: %u morph target%s, were %u", mesh_text(groupings->context, was), now->morph_targets,
                     format_plural(now->morph_targets), was->morph_targets);
    if (!same_name(&groupings->context->material_names, was->material, now->material))
        grouping_add(&groupings->material, &finding,
                     arena_printf(arena, "`%s`, was `%s`", now->material, was->material),
                     "mesh %s has the material `%s` now, had `%s`", mesh_text(groupings->context, was), now->material,
                     was->material);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

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

static void compare_nodes(struct mesh_groupings *groupings, const struct mesh_snapshot *was,
                          const struct mesh_snapshot *now)
{
    const struct renames *renames = &groupings->context->node_names;
    struct finding finding = mesh_finding(groupings, was);
    bool equal = was->node_count == now->node_count;
    for (uint32_t i = 0; equal && i < was->node_count; i++)
        equal = hangs_on(now, NULL, renamed(renames, was->nodes[i])) && hangs_on(was, renames, now->nodes[i]);
    if (equal)
        return;
    struct text text = {0};
    add_names(&text, now->nodes, now->node_count);
    text_add(&text, " now, was on ");
    add_names(&text, was->nodes, was->node_count);
    grouping_add(&groupings->nodes, &finding, arena_string(groupings->context->arena, text_string(&text)),
                 "mesh %s hangs on %s", mesh_text(groupings->context, was), text_string(&text));
    text_release(&text);
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* "100 times larger", or NULL when the bounds did not change as a whole. */
static const char *describe_placement(const struct import_context *c, size_t golden)
{
    struct placement placement = c->placements[golden].placement;
    struct text text = {0};
    if (!c->placements[golden].found || placement_is_none(&placement))
        return NULL;
    for (int k = 0; k < 3; k++)
        placement.shift[k] *= c->mesh_scale[golden];
    placement_describe(&placement, c->unit_meters, &text);
    const char *copy = arena_string(c->arena, text_string(&text));
    text_release(&text);
    return copy;
}

static const char *describe_bounds(const struct import_context *c, size_t golden, size_t actual)
{
    const struct mesh_snapshot *g = &c->golden->meshes[golden], *a = &c->actual->meshes[actual];
    const char *was[2], *now[2];
    format_vectors(a->min, g->min, 3, c->arena, &now[0], &was[0]);
    format_vectors(a->max, g->max, 3, c->arena, &now[1], &was[1]);
    return arena_printf(c->arena, "%s to %s, were %s to %s", now[0], now[1], was[0], was[1]);
}

static void compare_bounds(struct mesh_groupings *groupings, size_t golden, size_t actual)
{
    const struct import_context *c = groupings->context;
    const struct mesh_snapshot *mesh = &c->golden->meshes[golden];
    struct finding finding = mesh_finding(groupings, mesh);
    finding.distance = bounds_moved(c, golden, actual);
    finding.displacement = finding.distance / c->radius;
    if (!(finding.displacement > c->tolerance->import))
        return;
    const char *placement = describe_placement(c, golden);
    if (placement)
        grouping_add(&groupings->bounds, &finding, placement, "mesh %s is %s", mesh_text(groupings->context, mesh),
                     placement);
    else
        grouping_add(&groupings->bounds, &finding,
                     arena_string(c->arena, format_length(finding.distance, c->unit_meters).text),
                     "bounds of mesh %s differ by %s: %s", mesh_text(groupings->context, mesh),
                     format_length(finding.distance, c->unit_meters).text, describe_bounds(c, golden, actual));
}

/* ---- influences -------------------------------------------------------------------------------------------------- */

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

/* The number of influences whose share of vertices changed most. */
static uint32_t most_changed(const struct mesh_snapshot *was, const struct mesh_snapshot *now, uint32_t slots)
{
    uint32_t which = 0;
    int64_t worst = 0;
    for (uint32_t i = 0; i < slots; i++) {
        int64_t change = (int64_t)vertices_with(now, i) - (int64_t)vertices_with(was, i);
        change = change < 0 ? -change : change;
        if (change > worst) {
            worst = change;
            which = i;
        }
    }
    return which;
}

/* Vertices that the file gives no weights, also where they are made to follow the mesh's node. */
static uint32_t weightless(const struct mesh_snapshot *mesh)
{
    uint32_t count = vertices_with(mesh, 0);
    for (uint32_t i = 0; i < mesh->bone_count; i++)
        count += mesh->bones[i].follows_mesh_node ? mesh->bones[i].weights : 0;
    return count;
}

static void compare_influences(struct mesh_groupings *groupings, const struct mesh_snapshot *was,
                               const struct mesh_snapshot *now)
{
    struct arena *arena = groupings->context->arena;
    struct finding finding = mesh_finding(groupings, was);
    uint32_t before = most_influences(was), after = most_influences(now), which;
    if (was->bone_count == 0 || now->bone_count == 0)
        return;
    uint32_t free_now = weightless(now), free_before = weightless(was);
    if (free_before == 0 && free_now > 0) {
        grouping_add(&groupings->influences, &finding, arena_printf(arena, "%u vertices lost their weights", free_now),
                     "mesh %s: %u vert%s lost %s weights", mesh_text(groupings->context, was), free_now,
                     free_now == 1 ? "ex" : "ices", free_now == 1 ? "its" : "their");
    } else if (free_now != free_before) {
        grouping_add(&groupings->influences, &finding,
                     arena_printf(arena, "%u vertices without any, were %u", free_now, free_before),
                     "mesh %s: %u vertices without any weight, were %u", mesh_text(groupings->context, was), free_now,
                     free_before);
    } else if (before != after) {
        grouping_add(&groupings->influences, &finding,
                     arena_printf(arena, "at most %u a vertex, were at most %u", after, before),
                     "vertices of mesh %s have at most %u influence%s, had at most %u",
                     mesh_text(groupings->context, was), after, format_plural(after), before);
    } else if (was->vertices == now->vertices && (which = most_changed(was, now, before + 1)) > 0) {
        uint32_t with_now = vertices_with(now, which), with_before = vertices_with(was, which);
        grouping_add(&groupings->influences, &finding,
                     arena_printf(arena, "%u vertices with %u, were %u", with_now, which, with_before),
                     "mesh %s: %u vertices with %u influence%s, were %u", mesh_text(groupings->context, was), with_now,
                     which, format_plural(which), with_before);
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

void import_compare_meshes(const struct import_context *c)
{
    struct match_list golden = list_meshes(c->golden, NULL, c->mesh_labels, c->arena);
    struct match_list actual = list_meshes(c->actual, NULL, c->actual_mesh_labels, c->arena);
    struct mesh_groupings groupings = begin_groupings(c);
    report_matching(c, &c->meshes, &golden, &actual, "mesh", "meshes");
    for (size_t i = 0; i < golden.count; i++) {
        int32_t other = c->meshes.to_actual[i];
        if (other == NO_INDEX)
            continue;
        const struct mesh_snapshot *was = &c->golden->meshes[i], *now = &c->actual->meshes[other];
        compare_counts(&groupings, was, now);
        compare_parts(&groupings, was, now);
        compare_nodes(&groupings, was, now);
        compare_bounds(&groupings, i, (size_t)other);
        compare_influences(&groupings, was, now);
    }
    end_groupings(&groupings);
    report_order(c, &c->meshes, &golden, "meshes");
}
