/* From what was measured of two poses to findings: whose fault a difference is, and what it is in words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/format_number.h"
#include "compare/grouping.h"
#include "compare/match/matrix_change.h"
#include "compare/pose/pose_context.h"

/* Whose fault a difference beyond the tolerance is. */
enum cause {
    CAUSE_OWN,
    CAUSE_ANIMATION, /* of local transforms above, which are reported */
    CAUSE_GLOBAL,    /* of a global matrix above, which is reported */
    CAUSE_IMPORT,    /* of another offset matrix */
    CAUSE_SUM,       /* of local transforms above that are each within the tolerance and add up to more */
    CAUSE_COUNT
};

/* A sentence to come: one difference, or all that have one cause. */
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

/* "12.3 mm (0.9 % of the model's radius)" */
static const char *off_by(const struct pose_context *c, const struct bone_error *error)
{
    return arena_printf(c->arena, "%s (%s)", format_length(error->distance, c->unit_meters).text,
                        format_displacement(error->displacement).text);
}

static const char *changes(const struct pose_context *c, const struct bone_error *error, const char *axis,
                           double influence_radius)
{
    struct text text = {0};
    change_describe(error->degrees, axis, error->translation, error->scale_percent, influence_radius, error->distance,
                    c->unit_meters, &text);
    const char *copy = arena_string(c->arena, text_string(&text));
    text_release(&text);
    return copy;
}

void pose_report_one_sided(const struct pose_context *c, enum difference_kind kind, const struct match_list *list,
                           const int32_t *matched, const char *state)
{
    struct grouping grouping = grouping_begin(c->findings, "", "");
    const enum finding_code code = kind == DIFFERS_ENTRY ? CODE_POSE_ENTRY :
                                   kind == DIFFERS_MORPH ? CODE_POSE_MORPH : CODE_POSE_NODE;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->keys[i].name, *context = list->keys[i].context;
        struct finding finding = pose_finding(c, code, name);
        finding.part = state;
        if (matched[i] != NO_INDEX)
            continue;
        if (pose_import_explains_one_sided(c, kind, name, context))
            finding.explained = STAGE_IMPORT;
        if (kind == DIFFERS_ENTRY) {
            finding.mesh = context;
            grouping_add(&grouping, &finding, NULL, "the palette entry of `%s` (mesh %s) is %s", name,
                         format_mesh(context, c->arena), state);
        } else if (kind == DIFFERS_MORPH) {
            grouping_add(&grouping, &finding, NULL, "the morph weights of mesh %s on node `%s` are %s at %s",
                         format_mesh(name, c->arena), context, state, c->when);
        } else {
            grouping_add(&grouping, &finding, NULL, "node `%s` is %s", name, state);
        }
    }
    const char *mesh = kind == DIFFERS_ENTRY ? grouping_mesh(&grouping) : NULL;
    grouping.after = arena_printf(c->arena, " %s%s%s are %s",
                                  kind == DIFFERS_ENTRY   ? "palette entries"
                                  : kind == DIFFERS_MORPH ? "lists of morph weights"
                                                       : "nodes",
                                  mesh ? " of mesh " : "", mesh ? format_mesh(mesh, c->arena) : "", state);
    grouping_end(&grouping);
}

/* "local transform of `hips` is off by 3.2° and 1.1 cm at 0.250 s, which moves vertices that follow it by up to 12.3 mm
 * (...)", and mistakes that have a name: a quaternion with its numbers at other places and with other signs, or all signs
 * the other way. */
static const char *describe_local(const struct pose_context *c, const struct pose_difference *d)
{
    static const struct {
        int places[4];
        float signs[4];
        const char *says;
    } mistakes[] = {
        {{0, 1, 2, 3}, {-1, -1, -1, 1}, "; its rotation is inverted"},
        {{3, 0, 1, 2}, {1, 1, 1, 1}, "; its quaternion has w first"},
        {{1, 2, 3, 0}, {1, 1, 1, 1}, "; its quaternion has w last where it should be first"},
    };
    const struct transform *was = &c->golden->nodes[d->was].local, *now = &c->actual->nodes[d->now].local;
    struct affine_d before = affine_d_from_transform(was), after = affine_d_from_transform(now);
    const char *why = NULL;
    for (size_t i = 0; d->error.degrees > 0.1 && !why && i < sizeof mistakes / sizeof mistakes[0]; i++) {
        float same = 0, negated = 0;
        for (int k = 0; k < 4; k++) {
            float expected = mistakes[i].signs[k] * was->rotation[mistakes[i].places[k]];
            same = fmaxf(same, fabsf(now->rotation[k] - expected));
            negated = fmaxf(negated, fabsf(now->rotation[k] + expected));
        }
        if (fminf(same, negated) < 1e-4f)
            why = mistakes[i].says;
    }
    double ratio = matrix_translation_ratio(&before, &after, 1e-6 * c->radius);
    if (!why && (ratio >= 1.5 || (ratio > 0 && ratio <= 1.0 / 1.5)))
        why = arena_printf(c->arena, "; its translation is %s", format_factor(ratio, "longer", "shorter").text);
    return arena_printf(
        c->arena, "local transform of `%s` is off by %s at %s, which moves vertices that follow it by up to %s%s",
        d->error.bone, changes(c, &d->error, change_axis(&before, &after), c->golden_nodes.influence_radius[d->was]),
        c->when, off_by(c, &d->error), why ? why : "");
}

static const char *describe_morph(const struct pose_context *c, const struct pose_difference *d)
{
    float was = c->golden->morphs[d->was].weights[d->target], now = c->actual->morphs[d->now].weights[d->target];
    struct formatted_pair pair = format_numbers((double)now, (double)was);
    int32_t index = name_find(&c->meshes, d->error.mesh);
    const struct mesh_snapshot *mesh = index == NO_INDEX ? NULL : &c->import->meshes[index];
    const char *name = mesh && d->target < mesh->target_count ? mesh->targets[d->target].name : "";
    const char *target = *name ? arena_printf(c->arena, " (`%s`)", name) : "";
    return arena_printf(c->arena, "morph weight %u%s of mesh %s is %s, was %s at %s, which moves vertices by %s",
                        d->target, target, format_mesh(d->error.mesh, c->arena), pair.now, pair.was, c->when,
                        off_by(c, &d->error));
}

static const char *describe_global(const struct pose_context *c, const struct pose_difference *d)
{
    const char *why = "", *says = "is off by";
    const bool has_local = !((c->golden->nodes[d->was].left_out | c->actual->nodes[d->now].left_out) & POSE_LOCAL);
    if (d->kind == DIFFERS_RESIDUAL && has_local) {
        unsigned patterns = matrix_patterns(&c->golden_nodes.node_to_scene[d->was],
                                            &c->actual_nodes.node_to_scene[d->now], 1e-4 * c->radius);
        enum matrix_pattern pattern = matrix_pattern_of_most(&patterns, 1);
        says = "is not its parent's times its local transform: it is off by";
        if (pattern != MATRIX_PATTERN_COUNT)
            why = arena_printf(c->arena, "; it %s", matrix_pattern_says(pattern, false));
    }
    return arena_printf(c->arena, "global matrix of node `%s` %s %s at %s%s", d->error.bone, says,
                        off_by(c, &d->error), c->when, why);
}

/* "bone `hand.L` (mesh `body`) is off by 12.3 mm (0.9 % of the model's radius) at 0.250 s: 3.2° and 1.1 cm", and
 * mistakes that have a name: a pattern, or the matrix of exactly one other bone of the mesh. */
static const char *describe_entry(const struct pose_context *c, const struct pose_difference *d)
{
    struct entry_pair pair = pose_entry_pair(c, &c->golden->palette[d->was], &c->actual->palette[d->now]);
    const char *change = changes(c, &d->error, change_axis(&d->from, &pair.mesh_now), pair.influence_radius);
    bool is_all = strcmp(change, format_length(d->error.distance, c->unit_meters).text) == 0;
    enum { MOST_SEARCHED = 1024 };
    const char *why = "";
    unsigned patterns = matrix_patterns(&d->from, &pair.mesh_now, 1e-4 * c->radius);
    enum matrix_pattern pattern = matrix_pattern_of_most(&patterns, 1);
    uint32_t count = c->golden->palette_count < MOST_SEARCHED ? c->golden->palette_count : MOST_SEARCHED, found = 0;
    if (pattern != MATRIX_PATTERN_COUNT)
        why = arena_printf(c->arena, "; its matrix %s", matrix_pattern_says(pattern, false));
    for (uint32_t i = 0; i < count && pattern == MATRIX_PATTERN_COUNT; i++) {
        const struct palette_snapshot *other = &c->golden->palette[i];
        struct affine_d matrix = affine_d_from(other->mesh_to_scene);
        if (other != pair.was && strcmp(other->mesh, pair.was->mesh) == 0 &&
            affine_d_near(&matrix, &pair.mesh_now, 1e-4, 1e-4 * c->radius))
            why = found++ == 0 ? arena_printf(c->arena, "; it has the matrix of `%s`", other->bone) : "";
    }
    return arena_printf(c->arena, "bone `%s` (mesh %s) is off by %s%s at %s%s%s%s", d->error.bone,
                        format_mesh(d->error.mesh, c->arena), off_by(c, &d->error),
                        d->beside ? " beside what its node moved" : "", c->when, is_all ? "" : ": ",
                        is_all ? "" : change, why);
}

/* Of a node and those above it. */
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

/* A fault that is not the difference's own: of transforms that add up to it, or of something above that is reported. */
static const char *describe_caused(const struct pose_context *c, const struct fault *fault)
{
    const struct bone_error *worst = &fault->difference->error;
    const char *mesh = format_mesh(worst->mesh, c->arena), *off = off_by(c, worst), *count = "";
    if (fault->cause == CAUSE_SUM)
        return arena_printf(c->arena,
                            "local transforms at and above `%s`, each within the tolerance, add up: bone `%s` (mesh %s) is "
                            "off by %s at %s; `%s` does most",
                            worst->bone, worst->bone, mesh, off, c->when,
                            c->golden->nodes[most_moved_above(c, fault->difference->node)].name);
    if (fault->count > 1)
        count = arena_printf(c->arena, "%zu bones follow: ", fault->count);
    return arena_printf(c->arena, "%sbone `%s` (mesh %s) %s by %s at %s", count, worst->bone, mesh,
                        fault->count == 1 ? "follows and is off" : "is off most,", off, c->when);
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

/* Adds findings: the worst in words, the rest as one. `nouns` names the rest. */
static void report(struct pose_context *c, struct fault *faults, size_t count, const char *nouns)
{
    static const char *(*const describers[])(const struct pose_context *, const struct pose_difference *) = {
        [DIFFERS_LOCAL] = describe_local, [DIFFERS_MORPH] = describe_morph,   [DIFFERS_RESIDUAL] = describe_global,
        [DIFFERS_ENTRY] = describe_entry, [DIFFERS_GLOBAL] = describe_global,
    };
    static const enum finding_code codes[] = {
        [DIFFERS_LOCAL] = CODE_LOCAL, [DIFFERS_MORPH] = CODE_MORPH_WEIGHT, [DIFFERS_RESIDUAL] = CODE_GLOBAL_BROKEN,
        [DIFFERS_ENTRY] = CODE_ENTRY, [DIFFERS_GLOBAL] = CODE_GLOBAL,
    };
    enum { MOST = 16 };
    qsort(faults, count, sizeof *faults, worst_first);
    for (size_t i = 0; i < count; i++) {
        const struct fault *fault = &faults[i];
        const struct bone_error *error = &fault->difference->error;
        struct finding finding = pose_finding(c, fault->cause == CAUSE_SUM   ? CODE_LOCAL_SUM
                                                 : fault->cause == CAUSE_OWN ? codes[fault->difference->kind]
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
        finding.unverified = fault->cause == CAUSE_OWN && fault->difference->unverified;
        if (i == MOST && count > MOST + 1) {
            findings_add(c->findings, &finding, "%zu more %s are off by up to %s at %s", count - MOST, nouns,
                         off_by(c, error), c->when);
            return;
        }
        findings_add(c->findings, &finding, "%s",
                     fault->cause == CAUSE_OWN ? describers[fault->difference->kind](c, fault->difference)
                                               : describe_caused(c, fault));
    }
}

void pose_describe(struct pose_context *c)
{
    enum { LOCALS, MORPHS, MATRICES, KINDS, GROUPS = 2 * KINDS }; /* what the import explains is told apart */
    static const char *const nouns[] = {"local transforms", "morph weights", "matrices"};
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
        report(c, groups[g], counts[g], nouns[g % KINDS]);
}
