/* Mistakes of several stages, found one by one: each stage is explained from what theirs has of the stage before.
 * Locals that no mistake explains are explained component by component: rotations, then translations with them, then
 * all. */
#include <math.h>
#include <string.h>

#include "diagnose/search.h"

enum stage_kind {
    STAGE_LOCALS,
    STAGE_ROTATIONS,
    STAGE_TRANSLATIONS,
    STAGE_SCALES, /* of locals that are split: each with those before */
    STAGE_GLOBALS,
    STAGE_ENTRIES,
    STAGE_COUNT
};
enum { ALTERNATIVES_MOST = 6 };

/* As a share of the radius, and of the difference of the worst stage: a stage that is off by less drifts, and needs
 * no cause. */
/* the second: where a cause explains it exactly */
static const double DRIFT_ALONE = 1e-3, DRIFT_NAMED = 2e-4, DRIFT_SHARE = 0.05;

/* A stage that agrees has no explanation and no drift. */
struct stage {
    struct search *search;
    uint32_t count;
    struct explanation found[ALTERNATIVES_MOST];
    struct drift drift; /* of a stage that has no cause */
    bool is_split;      /* locals that their components explain */
};

struct stages {
    struct search *whole;
    struct given theirs; /* all that is given */
    struct stage at[STAGE_COUNT];
};

static void gather_theirs(struct stages *s)
{
    const struct evidence *e = s->whole->evidence;
    const struct scene *scene = s->whole->input->scene;
    struct arena *arena = s->whole->arena;
    const struct matrix **locals = ARENA_NEW(arena, const struct matrix *, scene->node_count);
    const struct matrix **globals = ARENA_NEW(arena, const struct matrix *, scene->node_count);
    for (uint32_t i = 0; i < e->bone_units; i++) {
        const struct unit *unit = &e->units[i];
        if (unit->is_finite && unit->local != NO_INDEX)
            locals[unit->node] = &e->locals[unit->local].theirs;
        if (unit->is_finite && unit->global != NO_INDEX)
            globals[unit->node] = &e->globals[unit->global].theirs;
    }
    s->theirs = (struct given){.locals = locals, .globals = globals};
}

static struct evidence *evidence_of(const struct stages *s, enum stage_kind kind, struct replay *replay)
{
    const struct evidence *whole = s->whole->evidence;
    struct arena *arena = s->whole->arena;
    if (kind == STAGE_ROTATIONS)
        return evidence_components(whole, 1u << COMPONENT_ROTATION, replay, arena);
    if (kind == STAGE_TRANSLATIONS)
        return evidence_components(whole, 1u << COMPONENT_ROTATION | 1u << COMPONENT_TRANSLATION, replay, arena);
    return evidence_only(whole,
                         kind == STAGE_GLOBALS   ? EVIDENCE_GLOBALS
                         : kind == STAGE_ENTRIES ? EVIDENCE_ENTRIES
                                                 : EVIDENCE_LOCALS,
                         replay, arena);
}

/* A search of one stage alone, from what theirs has of those before, on top of `base`, NULL: the right variant. */
static struct search *begin(const struct stages *s, enum stage_kind kind, bool is_from_theirs,
                            const struct variant *base)
{
    struct arena *arena = s->whole->arena;
    struct search *search = ARENA_NEW(arena, struct search, 1);
    struct diagnosis_input *input = ARENA_NEW(arena, struct diagnosis_input, 1);
    struct given given = {.locals = is_from_theirs && kind > STAGE_SCALES ? s->theirs.locals : NULL,
                          .globals = is_from_theirs && kind > STAGE_GLOBALS ? s->theirs.globals : NULL};
    *input = *s->whole->input;
    input->base = base;
    *search = (struct search){.scope = SCOPE_STAGE, .input = input, .arena = arena};
    search->replay = replay_create(input, arena);
    replay_give(search->replay, &given);
    search->evidence = evidence_of(s, kind, search->replay);
    for (uint32_t i = 0; i < search->evidence->unit_count; i++)
        search->worst = worse(search->worst, search->evidence->units[i].was);
    return search;
}

static bool is_exact(const struct search *search)
{
    return search->full_count > 0 && explains_all(search, &search->full[0].score);
}

static bool differs(const struct search *search)
{
    return search && search->worst > search->evidence->tolerance;
}

static void search_one(struct search *search)
{
    search_singles(search);
    search_rest(search);
}

/* Explains a stage by one mistake: from theirs, or else from the variant that explains the stages before, as entries of
 * another time are made of nodes that nobody gave, and locals with a shear are given without it. */
static void search_stage(const struct stages *s, struct stage *stage, enum stage_kind kind, const struct variant *base)
{
    search_one(stage->search);
    if (is_exact(stage->search) || kind < STAGE_GLOBALS)
        return;
    struct search *other = begin(s, kind, false, base);
    if (differs(other)) {
        search_one(other);
        if (!is_exact(other) && (stage->search->full_count > 0 || other->full_count == 0))
            return;
    }
    stage->search = other;
}

static void explain_stage(struct stage *stage, double worst)
{
    struct search *search = stage->search;
    if (!differs(search))
        return;
    for (uint32_t i = 0; i < search->full_count && stage->count < ALTERNATIVES_MOST; i++)
        stage->found[stage->count++] = search_explain(search, &search->full[i], true);
    const bool is_drift =
        stage->count > 0 && strcmp(stage->found[0].causes[0].id, cause_table[CAUSE_QUANTISED].id) == 0;
    const double most = is_exact(search) ? DRIFT_NAMED : DRIFT_ALONE;
    if (!is_drift && (search->worst > most || search->worst > DRIFT_SHARE * worst))
        return;
    stage->drift = (struct drift){.size = search->worst};
    if (stage->count > 0) {
        stage->drift.like = stage->found[0].causes[0].id;
        stage->drift.detail = stage->found[0].causes[0].detail;
    }
    stage->count = 0;
}

static bool is_explained(const struct stage *stage)
{
    return !differs(stage->search) || stage->is_split || stage->count > 0 || stage->drift.size > 0;
}

static void add_drift(struct drift *sum, const struct drift *more)
{
    if (more->size > sum->size)
        *sum = *more;
}

/* Joins one explanation of each stage; a cause that two of them have counts once. */
static void join(const struct stages *s, const uint32_t which[STAGE_COUNT], struct explanation *out)
{
    struct variant *variant = ARENA_NEW(s->whole->arena, struct variant, 1);
    bool is_one_variant = true;
    *out = (struct explanation){.explains = 1};
    for (int at = 0; at < STAGE_COUNT; at++) {
        const struct stage *stage = &s->at[at];
        add_drift(&out->drift, &stage->drift);
        if (stage->count == 0)
            continue;
        const struct explanation *from = &stage->found[which[at]];
        const struct variant so_far = *variant;
        is_one_variant = is_one_variant && variant_join(&so_far, from->variant, variant);
        out->explains = fmin(out->explains, from->explains);
        out->residual = worse(out->residual, from->residual);
        out->explained = from->explained > out->explained ? from->explained : out->explained;
        out->broken = from->broken > out->broken ? from->broken : out->broken;
        add_drift(&out->drift, &from->drift);
        for (uint32_t i = 0; i < from->cause_count; i++)
            explanation_add(out, &from->causes[i]);
    }
    out->explains = out->drift.size > 0 ? fmin(out->explains, 0.9999) : out->explains;
    out->variant = is_one_variant ? variant : NULL;
}

/* Each from what theirs has of those before; what they differ by then. Returns the largest. */
static double begin_stages(struct stages *s)
{
    double worst = 0;
    for (int at = 0; at < STAGE_COUNT; at++) {
        if (at > STAGE_LOCALS && at < STAGE_GLOBALS)
            continue;
        s->at[at].search = begin(s, (enum stage_kind)at, true, NULL);
        worst = fmax(worst, s->at[at].search->worst);
    }
    return worst;
}

/* Returns what explained the stages before, with what explains this one exactly. */
static const struct variant *add_base(const struct stages *s, const struct stage *stage, const struct variant *base)
{
    struct variant *joined = ARENA_NEW(s->whole->arena, struct variant, 1), found;
    if (stage->search && is_exact(stage->search) && trial_variant(stage->search, &stage->search->full[0], &found) &&
        variant_join(base ? base : joined, &found, joined))
        return joined;
    return base;
}

/* Explains rotations by a mistake, then translations beside them by one that leaves the rotations as they are, then
 * scales. */
static void split_locals(struct stages *s, double worst)
{
    const struct variant *base = NULL;
    struct stage *locals = &s->at[STAGE_LOCALS];
    locals->is_split = true;
    for (int at = STAGE_ROTATIONS; at <= STAGE_SCALES; at++) {
        struct stage *stage = &s->at[at];
        stage->search = begin(s, (enum stage_kind)at, false, base);
        if (locals->is_split && differs(stage->search)) {
            search_stage(s, stage, (enum stage_kind)at, base);
            explain_stage(stage, worst);
            locals->is_split = is_exact(stage->search);
        }
        base = add_base(s, stage, base);
    }
    for (int at = STAGE_ROTATIONS; at <= STAGE_SCALES && !locals->is_split; at++)
        s->at[at] = (struct stage){.search = NULL};
}

/* False where a stage stays without a cause. */
static bool explain_stages(struct stages *s)
{
    const double worst = begin_stages(s);
    const struct variant *base = NULL;
    for (int at = 0; at < STAGE_COUNT; at++) {
        struct stage *stage = &s->at[at];
        const bool is_component = at > STAGE_LOCALS && at < STAGE_GLOBALS;
        if (!is_explained(stage) && !is_component) {
            search_stage(s, stage, (enum stage_kind)at, base);
            explain_stage(stage, worst);
        }
        if (at == STAGE_LOCALS && !is_explained(stage))
            split_locals(s, worst);
        if (!is_explained(stage) && !is_component) {
            search_pairs(stage->search);
            explain_stage(stage, worst);
        }
        if (!is_explained(stage))
            return false;
        base = stage->is_split ? base : add_base(s, stage, base);
    }
    return true;
}

uint32_t search_stages(struct search *search, struct explanation out[FULL_MOST])
{
    struct stages s = {.whole = search};
    const struct evidence *e = search->evidence;
    uint32_t rooms = 1, count = 0, named = 0;
    if ((e->local_count > 0) + (e->global_count > 0) + (e->entry_count > 0) < 2)
        return 0;
    gather_theirs(&s);
    if (!explain_stages(&s))
        return 0;
    for (int at = 0; at < STAGE_COUNT; at++) {
        named += s.at[at].count > 0;
        rooms *= s.at[at].count > 0 ? s.at[at].count : 1;
    }
    for (uint32_t i = 0; i < rooms && count < FULL_MOST && named > 0; i++) {
        uint32_t which[STAGE_COUNT], left = i;
        for (int at = STAGE_COUNT - 1; at >= 0; at--) {
            const uint32_t of = s.at[at].count > 0 ? s.at[at].count : 1;
            which[at] = left % of;
            left /= of;
        }
        join(&s, which, &out[count++]);
    }
    return count;
}
