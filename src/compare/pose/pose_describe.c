/* From what was measured of two poses to findings: whose fault a difference is, and what it is. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "compare/match/matrix_change.h"
#include "compare/pose/pose_context.h"

/* A difference beyond the tolerance is the fault of one of these. */
enum cause {
    CAUSE_OWN,
    CAUSE_ANIMATION, /* of local transforms above, which are reported */
    CAUSE_GLOBAL,    /* of a global matrix above, which is reported */
    CAUSE_IMPORT,    /* of another offset matrix */
    CAUSE_SUM,       /* of local transforms above that are each within the tolerance and add up to more */
    CAUSE_COUNT
};

/* A finding to come: one difference, or all that have one cause. */
struct fault {
    const struct pose_difference *difference;
    enum cause cause;
    size_t count;   /* of differences; the worst is the one above */
    double measure;
    size_t order;   /* as found */
};

struct finding pose_finding(const struct pose_context *c, enum finding_code code, const char *subject)
{
    struct finding finding = finding_of(code);
    finding.subject = subject;
    finding.time = c->golden->time;
    return finding;
}

/* Reports things that only one side has: each, or one finding for many, those that the import brings about apart. */
void pose_report_one_sided(const struct pose_context *c, enum difference_kind kind, const struct match_list *list,
                           const int32_t *matched, const char *state)
{
    enum { MOST = 8, SHOWN = 3 };
    const enum finding_code code = kind == DIFFERS_ENTRY ? CODE_POSE_ENTRY :
                                   kind == DIFFERS_MORPH ? CODE_POSE_MORPH : CODE_POSE_NODE;
    for (int by_import = 0; by_import < 2; by_import++) {
        struct finding *findings = ARENA_NEW(c->arena, struct finding, list->count);
        const char **names = ARENA_NEW(c->arena, const char *, list->count);
        uint32_t count = 0;
        for (size_t i = 0; i < list->count; i++) {
            const char *name = list->keys[i].name, *context = list->keys[i].context;
            if (matched[i] != NO_INDEX || pose_import_explains_one_sided(c, kind, name, context) != by_import)
                continue;
            names[count] = name;
            findings[count] = pose_finding(c, code, name);
            findings[count].part = state;
            findings[count].mesh = kind == DIFFERS_ENTRY ? context : kind == DIFFERS_MORPH ? name : NULL;
            findings[count].other = kind == DIFFERS_MORPH ? context : NULL;
            findings[count++].explained = by_import ? STAGE_IMPORT : STAGE_NONE;
        }
        for (uint32_t i = 0; i < count && (i == 0 || count <= MOST); i++) {
            if (count > MOST) {
                findings[i].count = count;
                findings[i].also = names + 1;
                findings[i].also_count = SHOWN - 1;
            }
            findings_put(c->findings, &findings[i]);
        }
    }
}

static enum finding_why why_of(const struct affine_d *was, const struct affine_d *now, double length)
{
    const unsigned mistakes = matrix_mistakes(was, now, length);
    return matrix_mistake_of_most(&mistakes, 1);
}

/* Mistakes that have a name: a quaternion with its numbers at other places and with other signs, or all signs the
 * other way. */
static void describe_local(const struct pose_context *c, const struct pose_difference *d, struct finding *out)
{
    static const struct {
        int places[4];
        float signs[4];
        enum finding_why why;
    } mistakes[] = {
        {{0, 1, 2, 3}, {-1, -1, -1, 1}, WHY_ROTATION_INVERTED},
        {{3, 0, 1, 2}, {1, 1, 1, 1}, WHY_W_FIRST},
        {{1, 2, 3, 0}, {1, 1, 1, 1}, WHY_W_LAST},
    };
    const struct transform *was = &c->golden->nodes[d->was].local, *now = &c->actual->nodes[d->now].local;
    struct affine_d before = affine_d_from_transform(was), after = affine_d_from_transform(now);
    for (size_t i = 0; d->error.degrees > 0.1 && out->why == WHY_NONE && i < sizeof mistakes / sizeof mistakes[0];
         i++) {
        float same = 0, negated = 0;
        for (int k = 0; k < 4; k++) {
            float expected = mistakes[i].signs[k] * was->rotation[mistakes[i].places[k]];
            same = fmaxf(same, fabsf(now->rotation[k] - expected));
            negated = fmaxf(negated, fabsf(now->rotation[k] + expected));
        }
        if (fminf(same, negated) < 1e-4f)
            out->why = mistakes[i].why;
    }
    double ratio = matrix_translation_ratio(&before, &after, 1e-6 * c->radius);
    if (out->why == WHY_NONE && (ratio >= 1.5 || (ratio > 0 && ratio <= 1.0 / 1.5))) {
        out->why = WHY_LONGER;
        out->now = ratio;
    }
    out->axis = change_axis(&before, &after);
    out->reach = fmin(c->golden_nodes.influence_radius[d->was], DBL_MAX);
}

static void describe_morph(const struct pose_context *c, const struct pose_difference *d, struct finding *out)
{
    int32_t index = name_find(&c->meshes, d->error.mesh);
    const struct mesh_snapshot *mesh = index == NO_INDEX ? NULL : &c->import->meshes[index];
    out->index = d->target;
    out->now = (double)c->actual->morphs[d->now].weights[d->target];
    out->was = (double)c->golden->morphs[d->was].weights[d->target];
    out->part = mesh && d->target < mesh->target_count ? mesh->targets[d->target].name : NULL;
}

/* Without a local transform nobody knows whether the global is its parent's times that. */
static void describe_global(const struct pose_context *c, const struct pose_difference *d, struct finding *out)
{
    if (d->kind != DIFFERS_RESIDUAL)
        return;
    if ((c->golden->nodes[d->was].left_out | c->actual->nodes[d->now].left_out) & POSE_LOCAL)
        out->code = CODE_GLOBAL;
    else
        out->why =
            why_of(&c->golden_nodes.node_to_scene[d->was], &c->actual_nodes.node_to_scene[d->now], 1e-4 * c->radius);
}

/* Mistakes that have a name: a pattern, or the matrix of exactly one other bone of the mesh. */
static void describe_entry(const struct pose_context *c, const struct pose_difference *d, struct finding *out)
{
    enum { MOST_SEARCHED = 1024 };
    struct entry_pair pair = pose_entry_pair(c, &c->golden->palette[d->was], &c->actual->palette[d->now]);
    uint32_t count = c->golden->palette_count < MOST_SEARCHED ? c->golden->palette_count : MOST_SEARCHED, found = 0;
    out->axis = change_axis(&d->from, &pair.mesh_now);
    out->reach = fmin(pair.influence_radius, DBL_MAX);
    out->part = d->beside ? "beside" : NULL;
    out->why = why_of(&d->from, &pair.mesh_now, 1e-4 * c->radius);
    for (uint32_t i = 0; i < count && (out->why == WHY_NONE || found > 0); i++) {
        const struct palette_snapshot *other = &c->golden->palette[i];
        struct affine_d matrix = affine_d_from(other->mesh_to_scene);
        if (other == pair.was || strcmp(other->mesh, pair.was->mesh) != 0 ||
            !affine_d_near(&matrix, &pair.mesh_now, 1e-4, 1e-4 * c->radius))
            continue;
        out->why = found++ == 0 ? WHY_OTHER_BONE : WHY_NONE;
        out->other = out->why == WHY_NONE ? NULL : other->bone;
    }
}

/* Returns the one that moved most of a node and those above it. */
static int32_t most_moved_above(const struct pose_context *c, int32_t node)
{
    int32_t most = node;
    for (int32_t above = most; above != NO_INDEX; above = c->golden_nodes.parents[above])
        if (c->nodes[above].local_gap > c->nodes[most].local_gap)
            most = above;
    return most;
}

/* The stage that explains a fault. */
static enum stage explain(const struct pose_context *c, const struct fault *fault)
{
    bool by_import = fault->difference->by_import || fault->cause == CAUSE_IMPORT;
    if (fault->cause == CAUSE_ANIMATION)
        return STAGE_ANIMATE;
    if (fault->cause == CAUSE_SUM)
        by_import = c->nodes[most_moved_above(c, fault->difference->node)].by_import;
    return by_import ? STAGE_IMPORT : STAGE_NONE;
}

/*
 * The cause of a difference, and what it is measured by: a bone that follows is off for what moved above it, as long as
 * that is beyond the tolerance. Entries and nodes are held against what is above them; the measures of both stages are
 * noted for whatever tolerance comes later.
 */
static bool find_cause(struct pose_context *c, const struct pose_difference *d, struct fault *out)
{
    bool has_node = d->kind == DIFFERS_GLOBAL || (d->kind == DIFFERS_ENTRY && d->follows);
    const struct node_state *node = !has_node ? NULL : &c->nodes[d->kind == DIFFERS_ENTRY ? d->node : (int32_t)d->was];
    double moved = node ? node->gap_above : 0, broken = node ? node->residual_above : 0;
    bool adds_up = d->kind == DIFFERS_ENTRY && moved > 0 && moved >= broken;
    enum tolerance_key key = d->error.stage == STAGE_ANIMATE ? TOLERANCE_LOCAL : TOLERANCE_SHELL;
    *out = (struct fault){.difference = d, .count = 1, .measure = d->measure};
    if (adds_up) {
        findings_measure(c->findings, TOLERANCE_SHELL, fmin(moved, d->measure));
        key = TOLERANCE_LOCAL;
    }
    if (!findings_measure(c->findings, key, d->measure))
        return false;
    bool is_moved = findings_measure(c->findings, TOLERANCE_LOCAL, moved);
    bool is_broken = findings_measure(c->findings, TOLERANCE_SHELL, broken);
    if (d->kind == DIFFERS_GLOBAL)
        return !is_moved && !is_broken && !node->hangs_elsewhere;
    if (is_moved)
        out->measure = adds_up ? fmin(moved, d->measure) : d->measure;
    out->cause = is_moved ? CAUSE_ANIMATION : is_broken ? CAUSE_GLOBAL : adds_up ? CAUSE_SUM : CAUSE_OWN;
    if (d->kind == DIFFERS_ENTRY && (d->by_import || (out->cause == CAUSE_OWN && node && node->hangs_elsewhere)))
        out->cause = CAUSE_IMPORT;
    return true;
}

static int worst_first(const void *a, const void *b)
{
    const struct fault *x = a, *y = b;
    double mine = x->difference->error.displacement, others = y->difference->error.displacement;
    if (mine != others)
        return mine < others ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Adds findings: the worst for themselves, the rest as one. */
static void report(struct pose_context *c, struct fault *faults, size_t count)
{
    enum { MOST = 16 };
    static const struct {
        enum finding_code code;
        void (*describe)(const struct pose_context *, const struct pose_difference *, struct finding *);
    } kinds[] = {
        [DIFFERS_LOCAL] = {CODE_LOCAL, describe_local},           [DIFFERS_MORPH] = {CODE_MORPH_WEIGHT, describe_morph},
        [DIFFERS_RESIDUAL] = {CODE_GLOBAL_BROKEN, describe_global}, [DIFFERS_ENTRY] = {CODE_ENTRY, describe_entry},
        [DIFFERS_GLOBAL] = {CODE_GLOBAL, describe_global},
    };
    sort_items(faults, count, sizeof *faults, worst_first);
    for (size_t i = 0; i < count; i++) {
        const struct fault *fault = &faults[i];
        const struct bone_result *error = &fault->difference->error;
        const bool is_own = fault->cause == CAUSE_OWN, is_rest = i == MOST && count > MOST + 1;
        struct finding finding = pose_finding(c, fault->cause == CAUSE_SUM ? CODE_LOCAL_SUM
                                                 : is_own                  ? kinds[fault->difference->kind].code
                                                                           : CODE_ENTRY_FOLLOWS, error->bone);
        finding.benign = fault->cause == CAUSE_GLOBAL;
        finding.mesh = error->mesh;
        finding.displacement = error->displacement;
        finding.distance = error->distance;
        finding.degrees = error->degrees;
        finding.translation = error->translation;
        finding.scale_percent = error->scale_percent;
        finding.tolerance = finding.stage == STAGE_ANIMATE ? TOLERANCE_LOCAL : TOLERANCE_SHELL;
        finding.measure = fault->measure;
        finding.explained = explain(c, fault);
        finding.unverified = is_own && fault->difference->unverified;
        finding.count = (uint32_t)(is_rest ? count - MOST : fault->count);
        if (is_own && !is_rest)
            kinds[fault->difference->kind].describe(c, fault->difference, &finding);
        if (fault->cause == CAUSE_SUM)
            finding.other = c->golden->nodes[most_moved_above(c, fault->difference->node)].name;
        findings_put(c->findings, &finding);
        if (is_rest)
            return;
    }
}

void pose_describe(struct pose_context *c)
{
    enum { LOCALS, MORPHS, MATRICES, KINDS, GROUPS = 2 * KINDS }; /* what the import explains is told apart */
    struct fault *groups[GROUPS], followers[CAUSE_COUNT] = {{0}}, fault;
    size_t counts[GROUPS] = {0}, last_entry = 0;
    for (int g = 0; g < GROUPS; g++)
        groups[g] = ARENA_NEW(c->arena, struct fault, c->difference_count + CAUSE_COUNT);
    for (size_t i = 0; i < c->difference_count; i++) {
        const struct pose_difference *d = &c->differences[i];
        int group = d->kind == DIFFERS_LOCAL ? LOCALS : d->kind == DIFFERS_MORPH ? MORPHS : MATRICES;
        group += d->by_import ? KINDS : 0;
        if (!find_cause(c, d, &fault))
            continue;
        if (d->kind == DIFFERS_RESIDUAL)
            c->out->worst[STAGE_PALETTE] = worse(c->out->worst[STAGE_PALETTE], d->error.displacement);
        last_entry = d->kind == DIFFERS_ENTRY ? i : last_entry;
        fault.order = CAUSE_COUNT * i;
        if (fault.cause == CAUSE_OWN) {
            groups[group][counts[group]++] = fault;
            continue;
        }
        struct fault *together = &followers[fault.cause]; /* those of one cause are one fault, the worst of them */
        fault.count = together->count + 1;
        fault.measure = worse(together->measure, fault.measure);
        if (fault.count > 1 && d->error.displacement <= together->difference->error.displacement)
            fault.difference = together->difference;
        *together = fault;
    }
    for (size_t cause = CAUSE_ANIMATION; cause < CAUSE_COUNT; cause++) {
        followers[cause].order = CAUSE_COUNT * last_entry + cause;
        if (followers[cause].count > 0)
            groups[MATRICES][counts[MATRICES]++] = followers[cause];
    }
    for (int g = 0; g < GROUPS; g++)
        report(c, groups[g], counts[g]);
}
