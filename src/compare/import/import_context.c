#include "compare/import/import_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "compare/format_number.h"
#include "compare/match/prefix.h"

/* ---- the golden's size ------------------------------------------------------------------------------------------- */

/* Where a mesh stands at rest: by its first bone, or by the node it hangs on. */
static struct affine_d mesh_to_scene(const struct skeleton *skeleton, const struct mesh_snapshot *mesh)
{
    const char *name = mesh->bone_count > 0 ? mesh->bones[0].bone : mesh->node_count > 0 ? mesh->nodes[0] : NULL;
    int32_t node = name_find(&skeleton->names, name);
    if (node == NO_INDEX)
        return affine_d_identity;
    if (mesh->bone_count == 0)
        return skeleton->node_to_scene[node];
    struct affine_d offset = affine_d_from(mesh->bones[0].mesh_to_bone);
    return affine_d_mul(&skeleton->node_to_scene[node], &offset);
}

struct box mesh_box(const struct mesh_snapshot *mesh)
{
    struct box box;
    for (int k = 0; k < 3; k++) {
        box.min[k] = (double)mesh->min[k];
        box.max[k] = (double)mesh->max[k];
    }
    return box;
}

static void add_mesh(struct box *box, const struct mesh_snapshot *mesh, const struct affine_d *to_scene)
{
    for (int corner = 0; mesh->vertices > 0 && corner < 8; corner++) {
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = (double)(corner >> k & 1 ? mesh->max[k] : mesh->min[k]);
        affine_d_point(to_scene, point, point);
        box_add(box, point);
    }
}

const char **import_label_meshes(const struct import_snapshot *import, struct arena *arena)
{
    const char **labels = ARENA_NEW(arena, const char *, import->mesh_count);
    for (uint32_t i = 0; i < import->mesh_count; i++)
        labels[i] = import->meshes[i].name;
    names_number(labels, import->mesh_count, arena);
    return labels;
}

static void measure(struct import_context *c)
{
    struct box meshes = box_empty, nodes = box_empty;
    c->mesh_scale = ARENA_NEW(c->arena, double, c->golden->mesh_count);
    for (uint32_t i = 0; i < c->golden->mesh_count; i++) {
        struct affine_d to_scene = mesh_to_scene(&c->golden_nodes, &c->golden->meshes[i]);
        c->mesh_scale[i] = affine_d_scale(&to_scene);
        add_mesh(&meshes, &c->golden->meshes[i], &to_scene);
    }
    for (uint32_t i = 0; i < c->golden->node_count; i++)
        box_add(&nodes, c->golden_nodes.node_to_scene[i].column[3]);
    c->radius = box_radius(&meshes);
    if (!(c->radius > 0))
        c->radius = box_radius(&nodes);
    if (!(c->radius > 0))
        c->radius = 1.0;
    skeleton_measure(&c->golden_nodes, 0.03 * c->radius);
}

struct import_context import_context_create(const struct import_snapshot *golden, const struct import_snapshot *actual,
                                            const struct tolerance *tolerance, struct findings *out)
{
    struct import_context c = {
        .golden = golden,
        .actual = actual,
        .tolerance = tolerance,
        .out = out,
        .arena = out->arena,
        .unit_meters = golden->unit_meters > 0 ? golden->unit_meters : 0.0,
        .mesh_labels = import_label_meshes(golden, out->arena),
        .actual_mesh_labels = import_label_meshes(actual, out->arena),
        .golden_nodes = skeleton_of_import(golden, out->arena),
        .actual_nodes = skeleton_of_import(actual, out->arena),
    };
    measure(&c);
    return c;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

struct rename {
    const char *was;
    const char *now;
};

static int compare_renames(const void *a, const void *b)
{
    return strcmp(((const struct rename *)a)->was, ((const struct rename *)b)->was);
}

struct renames renames_of(const struct matching *matching, const struct match_list *golden,
                          const struct match_list *actual, struct arena *arena)
{
    struct renames renames = {0, ARENA_NEW(arena, struct rename, golden->count)};
    for (size_t i = 0; i < golden->count; i++) {
        int32_t other = matching->to_actual[i];
        if (other != NO_INDEX && strcmp(golden->keys[i].name, actual->keys[other].name) != 0)
            renames.items[renames.count++] = (struct rename){golden->keys[i].name, actual->keys[other].name};
    }
    qsort(renames.items, renames.count, sizeof *renames.items, compare_renames);
    return renames;
}

const char *renamed(const struct renames *renames, const char *name)
{
    const struct rename wanted = {name, NULL};
    const struct rename *found = NULL;
    if (name && renames->count > 0)
        found = bsearch(&wanted, renames->items, renames->count, sizeof wanted, compare_renames);
    return found ? found->now : name;
}

bool same_name(const struct renames *renames, const char *golden, const char *actual)
{
    if (!golden || !actual)
        return golden == actual;
    return strcmp(golden, actual) == 0 || strcmp(renamed(renames, golden), actual) == 0;
}

const char *mesh_label(const struct import_context *c, const struct mesh_snapshot *golden)
{
    return c->mesh_labels[golden - c->golden->meshes];
}

const char *mesh_text(const struct import_context *c, const struct mesh_snapshot *golden)
{
    return format_mesh(mesh_label(c, golden), c->arena);
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

struct finding import_finding(const char *subject)
{
    struct finding finding = finding_none;
    finding.stage = STAGE_IMPORT;
    finding.subject = subject;
    return finding;
}

static bool list_has(const struct match_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->keys[i].name, name) == 0)
            return true;
    return false;
}

static void report_one_sided(const struct import_context *c, const struct match_list *list, const int32_t *matched,
                           const struct match_list *others, const char *noun, const char *nouns, const char *state)
{
    struct grouping grouping = grouping_begin(c->out, "", arena_printf(c->arena, " %s are %s", nouns, state));
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->keys[i].name, *label = list->keys[i].label;
        if (matched[i] != NO_INDEX)
            continue;
        struct finding finding = import_finding(label ? label : name);
        if (label)
            grouping_add(&grouping, &finding, NULL, "%s %s is %s", noun, format_mesh(label, c->arena), state);
        else if (grouping.count <= GROUPING_MOST && list_has(others, name))
            grouping_add(&grouping, &finding, NULL, "one more %s `%s` is %s", noun, name, state);
        else
            grouping_add(&grouping, &finding, NULL, "%s `%s` is %s", noun, name, state);
    }
    grouping_end(&grouping);
}

/* What all renames did to the beginnings of names: "gained the prefix `rig_`". NULL when it is not that simple. */
static const char *describe_prefixes(const struct renames *renames, struct arena *arena)
{
    struct prefix_change change;
    if (renames->count < 3 || !prefix_change_of(renames->items[0].was, renames->items[0].now, arena, &change))
        return NULL;
    for (size_t i = 1; i < renames->count; i++) {
        const char *expected = prefix_apply(&change, renames->items[i].was, arena);
        if (!expected || strcmp(expected, renames->items[i].now) != 0)
            return NULL;
    }
    if (!*change.was)
        return arena_printf(arena, "gained the prefix `%s`", change.now);
    if (!*change.now)
        return arena_printf(arena, "lost the prefix `%s`", change.was);
    return arena_printf(arena, "begin with `%s` now, not with `%s`", change.now, change.was);
}

void report_renames(const struct import_context *c, const struct renames *renames, const char *noun, const char *nouns)
{
    const char *prefixes = describe_prefixes(renames, c->arena);
    struct grouping grouping =
        grouping_begin(c->out, "the names of ", arena_printf(c->arena, " %s%s", nouns, prefixes ? "" : " changed"));
    grouping.details_are_predicates = prefixes != NULL;
    for (size_t i = 0; i < renames->count; i++) {
        const struct rename *r = &renames->items[i];
        struct finding finding = import_finding(r->was);
        const char *detail = prefixes ? prefixes : arena_printf(c->arena, "`%s` now", r->now);
        grouping_add(&grouping, &finding, detail, "%s `%s` is named `%s` now", noun, r->was, r->now);
    }
    grouping_end(&grouping);
}

void report_matching(const struct import_context *c, const struct matching *matching, const struct match_list *golden,
                   const struct match_list *actual, const char *noun, const char *nouns)
{
    struct renames renames = renames_of(matching, golden, actual, c->arena);
    report_one_sided(c, golden, matching->to_actual, actual, noun, nouns, "gone");
    report_one_sided(c, actual, matching->to_golden, golden, noun, nouns, "new");
    report_renames(c, &renames, noun, nouns);
}

void report_order(const struct import_context *c, const struct matching *matching, const struct match_list *golden,
                const char *nouns)
{
    size_t earlier, later;
    if (!matching_out_of_order(matching, &earlier, &later))
        return;
    struct finding finding = import_finding(golden->keys[later].name);
    finding.benign = true;
    findings_add(c->out, &finding, "the %s come in another order: `%s` before `%s`", nouns, golden->keys[later].name,
                 golden->keys[earlier].name);
}
