/* Morph targets of meshes: names, what they move and how far. */
#include <math.h>
#include <string.h>

#include "compare/import_context.h"
#include "compare/phrase.h"

/* One fold each over all targets of all meshes. */
struct target_folds {
    const struct import_context *context;
    struct fold names, moved, deltas, normals, weights;
};

/* What is compared of one target. */
struct pair {
    const char *mesh;
    uint32_t index;
    double scale; /* from mesh space to scene space */
    const struct target_evidence *was;
    const struct target_evidence *now;
};

static const char *name_of(const struct target_folds *folds, const struct pair *pair)
{
    return arena_printf(folds->context->arena, "morph target %u (`%s`) of mesh %s", pair->index, pair->was->name,
                        phrase_mesh(pair->mesh, folds->context->arena));
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

static void compare_deltas(struct target_folds *folds, const struct pair *pair)
{
    const struct import_context *c = folds->context;
    struct finding finding = target_finding(pair);
    double longest_was = pair->scale * (double)pair->was->largest, longest_now = pair->scale * (double)pair->now->largest;
    double longer = fabs(longest_now - longest_was);
    finding.distance = fmax(longer, mean_moved(pair));
    finding.displacement = finding.distance / c->radius;
    if (finding.displacement <= c->tolerance->import)
        return;
    const char *was, *now;
    phrase_vectors(pair->now->mean, pair->was->mean, 3, c->arena, &now, &was);
    if (longer / c->radius > c->tolerance->import)
        fold_add(&folds->deltas, &finding, NULL, "%s moves vertices by up to %s, was %s", name_of(folds, pair),
                 phrase_length(longest_now, c->unit_meters).text, phrase_length(longest_was, c->unit_meters).text);
    else
        fold_add(&folds->deltas, &finding, NULL, "%s moves vertices by %s on average, was %s", name_of(folds, pair), now,
                 was);
}

static void compare_normals(struct target_folds *folds, const struct pair *pair)
{
    struct finding finding = target_finding(pair);
    const char *was, *now;
    double worst = 0;
    if (pair->was->has_normals != pair->now->has_normals) {
        const char *detail = pair->now->has_normals ? "has normals now" : "lost its normals";
        fold_add(&folds->normals, &finding, detail, "%s %s", name_of(folds, pair), detail);
        return;
    }
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, fabs((double)pair->now->normal[k] - (double)pair->was->normal[k]));
    if (worst <= folds->context->tolerance->import)
        return;
    phrase_vectors(pair->now->normal, pair->was->normal, 3, folds->context->arena, &now, &was);
    fold_add(&folds->normals, &finding, NULL, "%s changes normals by %s on average, was %s", name_of(folds, pair), now, was);
}

static void compare_target(struct target_folds *folds, const struct pair *pair)
{
    struct arena *arena = folds->context->arena;
    struct finding finding = target_finding(pair);
    const struct target_evidence *was = pair->was, *now = pair->now;
    if (strcmp(was->name, now->name) != 0)
        fold_add(&folds->names, &finding, arena_printf(arena, "`%s` now", now->name), "%s is `%s` now", name_of(folds, pair),
                 now->name);
    if (was->moved != now->moved)
        fold_add(&folds->moved, &finding, arena_printf(arena, "%u, were %u", now->moved, was->moved),
                 "%s moves %u vertices, were %u", name_of(folds, pair), now->moved, was->moved);
    if (fabs((double)was->weight - (double)now->weight) > folds->context->tolerance->import) {
        struct phrase_pair pair_text = phrase_numbers((double)now->weight, (double)was->weight);
        fold_add(&folds->weights, &finding, NULL, "%s rests at weight %s, was %s", name_of(folds, pair), pair_text.now,
                 pair_text.was);
    }
    compare_deltas(folds, pair);
    compare_normals(folds, pair);
}

/* By place: a pose has weights, not names. */
void import_compare_targets(const struct import_context *c)
{
    struct target_folds folds = {
        .context = c,
        .names = fold_begin(c->out, "names of ", " morph targets changed"),
        .moved = fold_begin(c->out, "vertices that ", " morph targets move changed"),
        .deltas = fold_begin(c->out, "deltas of ", " morph targets changed"),
        .normals = fold_begin(c->out, "normals of ", " morph targets changed"),
        .weights = fold_begin(c->out, "resting weights of ", " morph targets changed"),
    };
    for (uint32_t m = 0; m < c->golden->mesh_count; m++) {
        int32_t other = c->meshes.to_actual[m];
        if (other == NO_INDEX)
            continue;
        const struct mesh_evidence *was = &c->golden->meshes[m], *now = &c->actual->meshes[other];
        for (uint32_t t = 0; t < was->target_count && t < now->target_count; t++)
            compare_target(&folds, &(struct pair){mesh_label(c, was), t, c->mesh_scale[m], &was->targets[t], &now->targets[t]});
    }
    struct fold *all[] = {&folds.names, &folds.moved, &folds.deltas, &folds.normals, &folds.weights};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        fold_end(all[i]);
}
