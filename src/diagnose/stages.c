/* Mistakes of several stages, found one by one: each stage is explained from what theirs has of the stage before. */
#include <math.h>
#include <string.h>

#include "diagnose/search.h"

enum { STAGE_COUNT = EVIDENCE_ENTRIES + 1, ALTERNATIVES_MOST = 6 };

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

/* A search of one stage alone, on top of `base`, NULL: the right way. */
static struct search *begin(const struct stages *s, enum evidence_kind kind, const struct given *given,
                            const struct way *base)
{
    struct arena *arena = s->whole->arena;
    struct search *search = ARENA_NEW(arena, struct search, 1);
    struct diagnosis_input *input = ARENA_NEW(arena, struct diagnosis_input, 1);
    *input = *s->whole->input;
    input->base = base;
    *search = (struct search){.scope = SCOPE_STAGE, .input = input, .arena = arena};
    search->replay = replay_create(input, arena);
    replay_give(search->replay, given);
    search->evidence = evidence_only(s->whole->evidence, kind, search->replay, arena);
    for (uint32_t i = 0; i < search->evidence->unit_count; i++)
        search->worst = worse(search->worst, search->evidence->units[i].was);
    return search;
}

static bool is_exact(const struct search *search)
{
    return search->full_count > 0 && explains_all(search, &search->full[0].score);
}

/* Explains a stage by one mistake: from theirs, or else from the way that explains the stages before, as entries of
 * another time are made of nodes that nobody gave, and locals with a shear are given without it. */
static void search_stage(const struct stages *s, struct stage *stage, enum evidence_kind kind, const struct way *base)
{
    search_singles(stage->search);
    search_rest(stage->search);
    if (is_exact(stage->search) || kind == EVIDENCE_LOCALS)
        return;
    struct search *other = begin(s, kind, &(struct given){0}, base);
    if (other->worst > other->evidence->tolerance) {
        search_singles(other);
        search_rest(other);
        if (!is_exact(other) && (stage->search->full_count > 0 || other->full_count == 0))
            return;
    }
    stage->search = other;
}

static void explain_stage(struct stage *stage, double worst)
{
    struct search *search = stage->search;
    if (!(search->worst > search->evidence->tolerance))
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
    return !(stage->search->worst > stage->search->evidence->tolerance) || stage->count > 0 || stage->drift.size > 0;
}

static void add_drift(struct drift *sum, const struct drift *more)
{
    if (more->size > sum->size)
        *sum = *more;
}

/* Joins one explanation of each stage; a cause that two of them have counts once. */
static void join(const struct stages *s, const uint32_t which[STAGE_COUNT], struct explanation *out)
{
    struct way *way = ARENA_NEW(s->whole->arena, struct way, 1);
    bool is_one_way = true;
    *out = (struct explanation){.explains = 1};
    for (int at = 0; at < STAGE_COUNT; at++) {
        const struct stage *stage = &s->at[at];
        add_drift(&out->drift, &stage->drift);
        if (stage->count == 0)
            continue;
        const struct explanation *from = &stage->found[which[at]];
        const struct way so_far = *way;
        is_one_way = is_one_way && way_join(&so_far, from->way, way);
        out->explains = fmin(out->explains, from->explains);
        out->residual = worse(out->residual, from->residual);
        out->explained += from->explained;
        out->broken += from->broken;
        add_drift(&out->drift, &from->drift);
        for (uint32_t i = 0; i < from->cause_count; i++)
            explanation_add(out, &from->causes[i]);
    }
    out->explains = out->drift.size > 0 ? fmin(out->explains, 0.9999) : out->explains;
    out->way = is_one_way ? way : NULL;
}

/* Each from what theirs has of those before; what they differ by then. Returns the largest. */
static double begin_stages(struct stages *s)
{
    double worst = 0;
    for (int at = 0; at < STAGE_COUNT; at++) {
        struct given before = s->theirs;
        before.locals = at > EVIDENCE_LOCALS ? before.locals : NULL;
        before.globals = at > EVIDENCE_GLOBALS ? before.globals : NULL;
        s->at[at].search = begin(s, (enum evidence_kind)at, &before, NULL);
        worst = fmax(worst, s->at[at].search->worst);
    }
    return worst;
}

/* False where a stage stays without a cause. */
static bool explain_stages(struct stages *s)
{
    const double worst = begin_stages(s);
    const struct way *base = NULL;
    for (int at = 0; at < STAGE_COUNT; at++) {
        struct stage *stage = &s->at[at];
        if (!is_explained(stage)) {
            search_stage(s, stage, (enum evidence_kind)at, base);
            explain_stage(stage, worst);
        }
        if (!is_explained(stage)) {
            search_pairs(stage->search);
            explain_stage(stage, worst);
        }
        if (!is_explained(stage))
            return false;
        struct way *joined = ARENA_NEW(s->whole->arena, struct way, 1), found;
        if (is_exact(stage->search) && trial_way(stage->search, &stage->search->full[0], &found) &&
            way_join(base ? base : joined, &found, joined))
            base = joined;
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
