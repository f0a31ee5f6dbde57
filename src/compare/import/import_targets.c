/* Morph targets of meshes: names, what they move and how far. */
#include <math.h>
#include <string.h>

#include "compare/import/import_context.h"
#include "compare/format_number.h"

/* One grouping each over all targets of all meshes. */
struct target_groupings {
    const struct import_context *context;
    struct grouping names, moved, deltas, normals, weights;
};

/* What is compared of one target. */
struct pair {
    const char *mesh;
    uint32_t index;
    double scale; /* from mesh space to scene space */
    const struct target_snapshot *was;
    const struct target_snapshot *now;
};

static const char *name_of(const struct target_groupings *groupings, const struct pair *pair)
{
    return arena_printf(groupings->context->arena, "morph target %u (`%s`) of mesh %s", pair->index, pair->was->name,
                        format_mesh(pair->mesh, groupings->context->arena));
}

static struct finding target_finding(const struct pair *pair)
{
    struct finding finding = import_finding(pair->was->name);
    finding.mesh = pair->mesh;
    return finding;
}

/* How far the mean of the deltas went, in scene units. */
static double mean_moved(const struct pair *pair)
{
    double was[3], now[3];
    for (int k = 0; k < 3; k++) {
        was[k] = (double)pair->was->mean[k];
        now[k] = (double)pair->now->mean[k];
    }
    return pair->scale * vector_distance(was, now);
}

static void compare_deltas(struct target_groupings *groupings, const struct pair *pair)
{
    const struct import_context *c = groupings->context;
    struct finding finding = target_finding(pair);
    double longest_was = pair->scale * (double)pair->was->largest, longest_now = pair->scale * (double)pair->now->largest;
    double longer = fabs(longest_now - longest_was);
    finding.distance = fmax(longer, mean_moved(pair));
    finding.displacement = finding.distance / c->radius;
    if (finding.displacement <= c->tolerance->import)
        return;
    const char *was, *now;
    format_vectors(pair->now->mean, pair->was->mean, 3, c->arena, &now, &was);
    if (longer / c->radius > c->tolerance->import)
        grouping_add(&groupings->deltas, &finding, NULL, "%s moves vertices by up to %s, was %s",
                     name_of(groupings, pair), format_length(longest_now, c->unit_meters).text,
                     format_length(longest_was, c->unit_meters).text);
    else
        grouping_add(&groupings->deltas, &finding, NULL, "%s moves vertices by %s on average, was %s",
                     name_of(groupings, pair), now, was);
}

static void compare_normals(struct target_groupings *groupings, const struct pair *pair)
{
    struct finding finding = target_finding(pair);
    const char *was, *now;
    double worst = 0;
    if (pair->was->has_normals != pair->now->has_normals) {
        const char *detail = pair->now->has_normals ? "has normals now" : "lost its normals";
        grouping_add(&groupings->normals, &finding, detail, "%s %s", name_of(groupings, pair), detail);
        return;
    }
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, fabs((double)pair->now->normal[k] - (double)pair->was->normal[k]));
    if (worst <= groupings->context->tolerance->import)
        return;
    format_vectors(pair->now->normal, pair->was->normal, 3, groupings->context->arena, &now, &was);
    grouping_add(&groupings->normals, &finding, NULL, "%s changes normals by %s on average, was %s",
                 name_of(groupings, pair), now, was);
}

static void compare_target(struct target_groupings *groupings, const struct pair *pair)
{
    struct arena *arena = groupings->context->arena;
    struct finding finding = target_finding(pair);
    const struct target_snapshot *was = pair->was, *now = pair->now;
    if (strcmp(was->name, now->name) != 0)
        grouping_add(&groupings->names, &finding, arena_printf(arena, "`%s` now", now->name), "%s is `%s` now",
                     name_of(groupings, pair), now->name);
    if (was->moved != now->moved)
        grouping_add(&groupings->moved, &finding, arena_printf(arena, "%u, were %u", now->moved, was->moved),
                 "%s moves %u vertices, were %u", name_of(groupings, pair), now->moved, was->moved);
    if (fabs((double)was->weight - (double)now->weight) > groupings->context->tolerance->import) {
        struct formatted_pair pair_text = format_numbers((double)now->weight, (double)was->weight);
        grouping_add(&groupings->weights, &finding, NULL, "%s rests at weight %s, was %s", name_of(groupings, pair),
                     pair_text.now, pair_text.was);
    }
    compare_deltas(groupings, pair);
    compare_normals(groupings, pair);
}

/* By place: a pose has weights, not names. */
void import_compare_targets(const struct import_context *c)
{
    struct target_groupings groupings = {
        .context = c,
        .names = grouping_begin(c->out, "names of ", " morph targets changed"),
        .moved = grouping_begin(c->out, "vertices that ", " morph targets move changed"),
        .deltas = grouping_begin(c->out, "deltas of ", " morph targets changed"),
        .normals = grouping_begin(c->out, "normals of ", " morph targets changed"),
        .weights = grouping_begin(c->out, "resting weights of ", " morph targets changed"),
    };
    for (uint32_t m = 0; m < c->golden->mesh_count; m++) {
        int32_t other = c->meshes.to_actual[m];
        if (other == NO_INDEX)
            continue;
        const struct mesh_snapshot *was = &c->golden->meshes[m], *now = &c->actual->meshes[other];
        for (uint32_t t = 0; t < was->target_count && t < now->target_count; t++)
            compare_target(&groupings,
                           &(struct pair){mesh_label(c, was), t, c->mesh_scale[m], &was->targets[t], &now->targets[t]});
    }
    struct grouping *all[] = {&groupings.names, &groupings.moved, &groupings.deltas, &groupings.normals,
                              &groupings.weights};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        grouping_end(all[i]);
}
