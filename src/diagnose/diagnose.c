#include "diagnose/diagnose.h"

#include <math.h>
#include <string.h>

#include "diagnose/search.h"

enum { TELLING_TIMES = 16 };

static struct cause cause_of(const struct search *search, const struct trial *trial, uint32_t part)
{
    const struct scene *scene = search->input->scene;
    const struct guess *guess = &search->list.guesses[trial->guesses[part]];
    const struct cause_row *row = &cause_table[guess->cause];
    struct cause cause = {.id = row->id,
                          .stage = row->stage,
                          .sentence = row->sentence,
                          .remedy = row->remedy,
                          .kind = guess->kind,
                          .parameter = guess->parameter,
                          .detail = guess->detail};
    if (!trial->nodes[part])
        return cause;
    cause.bones = ARENA_NEW(search->arena, const char *, scene->node_count);
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (trial->nodes[part][n])
            cause.bones[cause.bone_count++] = scene->nodes[n].name;
    return cause;
}

struct explanation search_explain(const struct search *search, const struct trial *trial, bool is_full)
{
    const bool is_all = is_full && explains_all(search, &trial->score);
    struct explanation out = {.cause_count = trial->count,
                              .explains = is_all ? 1 : score_explains(&trial->score),
                              .residual = trial->score.worst,
                              .explained = trial->score.explained,
                              .broken = trial->score.broken};
    struct variant *variant = ARENA_NEW(search->arena, struct variant, 1);
    trial_variant(search, trial, variant);
    out.variant = variant;
    if (trial->count == 1 && search->scope == SCOPE_ALL) {
        struct trial *kept = ARENA_NEW(search->arena, struct trial, 1);
        *kept = *trial;
        out.search = search;
        out.trial = kept;
    }
    for (uint32_t i = 0; i < trial->count; i++) {
        const struct cause cause = cause_of(search, trial, i);
        uint32_t at = i;
        for (; at > 0 && out.causes[at - 1].stage > cause.stage; at--)
            out.causes[at] = out.causes[at - 1];
        out.causes[at] = cause;
    }
    if (is_full && !is_all)
        out.drift = find_drift(search, variant, &trial->score);
    return out;
}

/* A trial at another time of the clip: its guesses are the same rows of the list made for that time. */
static bool variant_then(const struct search *search, const struct guess_list *then, const struct trial *trial,
                         struct variant *out)
{
    struct search other = *search;
    for (uint32_t i = 0; i < trial->count; i++)
        if (trial->guesses[i] >= search->known)
            return false;
    other.list = *then;
    return trial_variant(&other, trial, out);
}

/* Says if the trial, with another guess in place of its own, makes what theirs has at another time. */
static bool agrees_then(const struct search *then, struct trial trial, const struct guess *guess)
{
    struct search other = *then;
    struct guess only = *guess;
    struct variant variant;
    other.list = (struct guess_list){&only, 1, 1, then->arena};
    trial.guesses[0] = 0;
    trial_variant(&other, &trial, &variant);
    const struct score score = evidence_score(then->evidence, then->replay, &variant, 1);
    return score.broken == 0 && score.explained == then->evidence->differ_count;
}

bool diagnosis_holds(const struct explanation *explanation, const struct diagnosis_input *then, struct arena *arena)
{
    const struct search *search = explanation->search;
    if (!search || !then->clip != !search->input->clip)
        return true;
    const struct guess *guesses = search->list.guesses;
    struct guess guess = guesses[explanation->trial->guesses[0]];
    const bool is_made = explanation->trial->guesses[0] >= search->known, is_time = guess.variant.at[SWITCH_TIME];
    const struct guess_list list = guesses_create(then, arena);
    struct search other = {.input = then, .arena = arena, .replay = replay_create(then, arena)};
    other.evidence = evidence_gather(then, other.replay, arena);
    if (is_made ? is_time && guess.cause != CAUSE_TIME_SHIFT : list.count != search->known)
        return true;
    if (is_made) {
        double *seconds = &guess.variant.number[SWITCH_TIME];
        if (is_time)
            *seconds = wrap_time(*seconds + then->time - search->input->time, then->clip->duration, WRAP_LOOP);
        return agrees_then(&other, *explanation->trial, &guess);
    }
    for (uint32_t i = 0; i < search->known; i++) /* rules that did the same may do otherwise then */
        if (guesses[i].cause == guess.cause &&
            memcmp(&guesses[i].variant, &guess.variant, sizeof guess.variant) == 0 &&
            agrees_then(&other, *explanation->trial, &list.guesses[i]))
            return true;
    return false;
}

static double find_telling_time(const struct search *search)
{
    const struct diagnosis_input *input = search->input;
    const uint32_t stride = search->evidence->unit_count / 100 + 1;
    size_t room = evidence_number_count(search->evidence, stride);
    double *a = ARENA_NEW(search->arena, double, room), *b = ARENA_NEW(search->arena, double, room), most = 0,
           tells = NAN;
    if (search->full_count < 2 || search->scope != SCOPE_ALL || !input->clip || !(input->clip->duration > 0))
        return NAN;
    for (int i = 1; i < TELLING_TIMES; i++) {
        struct diagnosis_input then = *input;
        then.time = round(input->clip->duration * (i + 0.37) / TELLING_TIMES * 1000) / 1000;
        struct variant variants[2];
        struct guess_list list = guesses_create(&then, search->arena);
        struct replay *replay = replay_create(&then, search->arena);
        if (!variant_then(search, &list, &search->full[0], &variants[0]) ||
            !variant_then(search, &list, &search->full[1], &variants[1]))
            return NAN;
        size_t count = evidence_numbers(search->evidence, replay, &variants[0], stride, a);
        evidence_numbers(search->evidence, replay, &variants[1], stride, b);
        double apart = 0;
        for (size_t k = 0; k < count; k++)
            apart = worse(apart, fabs(a[k] - b[k]));
        if (apart > 2 * most && apart > 10 * search->evidence->tolerance) {
            most = apart;
            tells = then.time;
        }
    }
    return tells;
}

/* Bones that differ below none that differs; the worst first. */
static void find_starts(const struct search *search, struct diagnosis *out)
{
    const struct scene *scene = search->input->scene;
    const struct evidence *e = search->evidence;
    double *was = ARENA_NEW(search->arena, double, scene->node_count), least[STARTS_MOST];
    for (uint32_t i = 0; i < e->bone_units; i++)
        was[e->units[i].node] = e->units[i].is_finite ? e->units[i].was : INFINITY;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        bool is_below = false;
        for (int32_t p = scene->nodes[n].parent; p != NO_INDEX && !is_below && was[n] > e->tolerance;
             p = scene->nodes[p].parent)
            is_below = was[p] > e->tolerance;
        if (!(was[n] > e->tolerance) || is_below)
            continue;
        uint32_t at = out->start_count < STARTS_MOST ? out->start_count++ : STARTS_MOST - 1;
        if (at == STARTS_MOST - 1 && out->starts[at] && least[at] >= was[n])
            continue;
        for (; at > 0 && least[at - 1] < was[n]; at--) {
            least[at] = least[at - 1];
            out->starts[at] = out->starts[at - 1];
        }
        least[at] = was[n];
        out->starts[at] = scene->nodes[n].name;
    }
}

static void count_units(const struct search *search, struct diagnosis *out)
{
    const struct evidence *e = search->evidence;
    double worst[CAUSE_STAGES];
    uint32_t from = 0, to = e->bone_units;
    evidence_by_stage(e, search->replay, worst);
    out->first = worst[CAUSE_ANIMATE] > e->tolerance   ? CAUSE_ANIMATE
                 : worst[CAUSE_PALETTE] > e->tolerance ? CAUSE_PALETTE
                                                       : CAUSE_SKIN;
    bool is_skin = e->bone_units == 0 || (out->first == CAUSE_SKIN && worst[CAUSE_SKIN] > e->tolerance);
    out->counts = is_skin ? "vertices" : "bones";
    if (is_skin) {
        from = e->bone_units;
        to = e->unit_count;
    }
    for (uint32_t i = from; i < to; i++) {
        out->compared++;
        out->differ += !e->units[i].is_finite || e->units[i].was > e->tolerance;
    }
    for (uint32_t i = 0; i < e->unit_count; i++)
        out->displacement = worse(out->displacement, e->units[i].was);
    out->is_finite = e->is_finite;
}

/* Vertices alone, made of theirs' palette where all of it is given. */
static void keep_vertices(struct search *search)
{
    const struct scene *scene = search->input->scene;
    const struct evidence *e = search->evidence;
    const struct matrix **entries = ARENA_NEW(search->arena, const struct matrix *, scene->binding_count);
    struct given given = {.entries = entries};
    uint32_t finite = 0;
    for (uint32_t i = 0; i < e->entry_count; i++) {
        entries[e->entries[i].about] = &e->entries[i].theirs;
        finite += isfinite(matrix_determinant(&e->entries[i].theirs));
    }
    if (search->input->skins_theirs && finite == scene->binding_count)
        replay_give(search->replay, &given);
    search->evidence = evidence_only(e, EVIDENCE_VERTICES, search->replay, search->arena);
}

/* Finds the order of vertices by the guess, or the right variant, that makes the same points. */
static bool search_order(struct search *search)
{
    const struct variant right = {.list = NULL};
    bool is = evidence_order(search->evidence, search->replay, &right, search->arena);
    const struct guess_list list = guesses_create(search->input, search->arena);
    for (uint32_t i = 0; i < list.count && search->evidence->is_unordered && !is; i++)
        is = evidence_order(search->evidence, search->replay, &list.guesses[i].variant, search->arena);
    return is;
}

/* False where nothing differs. */
static bool search_all(struct search *search, struct diagnosis *out)
{
    *out = (struct diagnosis){.tells = NAN, .explanations = out->explanations};
    count_units(search, out);
    search->worst = out->displacement;
    if (!(out->displacement > search->evidence->tolerance))
        return false;
    search_singles(search);
    if (search->scope == SCOPE_ALL && search->full_count == 0)
        out->explanation_count = search_stages(search, out->explanations);
    if (out->explanation_count == 0)
        search_rest(search);
    if (out->explanation_count == 0 && search->full_count == 0)
        search_pairs(search);
    search_drop_worse(search);
    return true;
}

struct diagnosis *diagnose(const struct diagnosis_input *asked, struct arena *arena)
{
    struct diagnosis_input *input = ARENA_NEW(arena, struct diagnosis_input, 1); /* outlives the caller's */
    *input = *asked;
    struct diagnosis *out = ARENA_NEW(arena, struct diagnosis, 1);
    struct search *search = ARENA_NEW(arena, struct search, 1);
    search->scope = input->base ? SCOPE_VERTICES : SCOPE_ALL;
    search->input = input;
    search->arena = arena;
    search->replay = replay_create(input, arena);
    search->evidence = evidence_gather(input, search->replay, arena);
    if (search->scope == SCOPE_VERTICES)
        keep_vertices(search);
    out->explanations = ARENA_NEW(arena, struct explanation, FULL_MOST + 1);
    if (!search_all(search, out))
        return out;
    if (out->explanation_count == 0 && search->full_count == 0 && search_order(search)) {
        search->main_count = search->partial.count = search->origins = 0;
        if (!search_all(search, out))
            return out;
    }
    find_starts(search, out);
    for (uint32_t i = 0; i < search->full_count; i++)
        out->explanations[out->explanation_count++] = search_explain(search, &search->full[i], true);
    out->full_count = out->explanation_count;
    if (out->full_count == 0 && search->partial.count > 0)
        out->explanations[out->explanation_count++] = search_explain(search, &search->partial, false);
    out->tells = find_telling_time(search);
    return out;
}

void explanation_add(struct explanation *explanation, const struct cause *cause)
{
    bool is_known = false;
    for (uint32_t i = 0; i < explanation->cause_count; i++)
        is_known = is_known || strcmp(explanation->causes[i].id, cause->id) == 0;
    if (!is_known && explanation->cause_count < CAUSES_MOST)
        explanation->causes[explanation->cause_count++] = *cause;
}

struct diagnosis *diagnosis_join(struct diagnosis *all, const struct diagnosis *skin, struct arena *arena)
{
    struct diagnosis *out = ARENA_NEW(arena, struct diagnosis, 1);
    uint32_t room = all->full_count * skin->full_count;
    *out = *all;
    if (room == 0) {
        out->unexplained_vertices = skin->differ;
        out->unexplained_displacement = skin->displacement;
        return out;
    }
    out->full_count = out->explanation_count = 0;
    out->explanations = ARENA_NEW(arena, struct explanation, room);
    for (uint32_t i = 0; i < room && out->full_count < FULL_MOST; i++) {
        struct explanation *to = &out->explanations[out->full_count++];
        const struct explanation *more = &skin->explanations[i % skin->full_count];
        *to = all->explanations[i / skin->full_count];
        if (to->cause_count == 1 &&
            strcmp(to->causes[0].id, cause_table[CAUSE_QUANTISED].id) == 0) { /* never beside a cause */
            to->drift = (struct drift){all->displacement, to->causes[0].id, to->causes[0].detail};
            to->cause_count = 0;
        }
        to->search = NULL;
        to->explains = fmin(to->explains, more->explains);
        for (uint32_t k = 0; k < more->cause_count; k++)
            explanation_add(to, &more->causes[k]);
        to->residual = worse(to->residual, more->residual);
    }
    out->explanation_count = out->full_count;
    return out;
}
