#include "diagnose/diagnose.h"

#include <math.h>
#include <string.h>

#include "diagnose/search.h"

enum { PARTIAL_UNITS = 400, TELLING_TIMES = 16 };

/* As a share of the radius: keys of 8 bits drift by less. */
static const double DRIFT_MOST = 5e-3;

static double explains(const struct score *score)
{
    return score->was > 0 ? fmin(fmax(1 - score->left / score->was, 0), 0.9999) : 0;
}

bool explains_main(const struct score *score)
{
    return score->is_said && score->worse_off == 0 && score->worst <= DRIFT_MOST && score->left <= 0.01 * score->was;
}

/* To rounding: within the tolerance, and little of what there was, but for what floats lose. */
bool explains_all(const struct search *search, const struct score *score)
{
    return score->is_full && score->worst <= fmax(0.5 * search->evidence->tolerance, 0.1 * search->worst);
}

static bool same_causes(const struct search *search, const struct trial *a, const struct trial *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++) {
        bool found = false;
        for (uint32_t k = 0; k < b->count; k++)
            found = found || search->list.forms[a->forms[i]].cause == search->list.forms[b->forms[k]].cause;
        same = found;
    }
    return same;
}

/* The mistakes of each node, where a form acts at some of them only. */
static bool join_nodes(const struct search *search, const struct trial *trial, struct way *out)
{
    const uint32_t nodes = search->input->scene->node_count;
    const struct way **of_node = ARENA_NEW(search->arena, const struct way *, nodes);
    for (uint32_t n = 0; n < nodes; n++)
        for (uint32_t i = 0; i < trial->count; i++) {
            const struct way *way = &search->list.forms[trial->forms[i]].way;
            if (!trial->nodes[i] || !trial->nodes[i][n])
                continue;
            struct way *joined = ARENA_NEW(search->arena, struct way, 1);
            if (!way_join(of_node[n] ? of_node[n] : out, way, joined))
                return false;
            of_node[n] = joined;
        }
    out->of_node = of_node;
    return true;
}

bool trial_way(const struct search *search, const struct trial *trial, struct way *out)
{
    bool is_everywhere = true;
    *out = (struct way){.list = NULL};
    for (uint32_t i = 0; i < trial->count; i++) {
        const struct way so_far = *out;
        is_everywhere = is_everywhere && !trial->nodes[i];
        if (!trial->nodes[i] && !way_join(&so_far, &search->list.forms[trial->forms[i]].way, out))
            return false;
    }
    return is_everywhere || join_nodes(search, trial, out);
}

/* Something that explains it as well does less: without the file's own sums, or without a limit to small weights. */
static bool is_needless(const struct search *search, const struct trial *trial)
{
    struct way way, other;
    trial_way(search, trial, &way);
    bool is_large = way.at[SWITCH_KEEP] == KEEP_LARGE || way.at[SWITCH_KEEP] == KEEP_LARGE_RESCALED;
    for (uint32_t i = 0; i < search->full_count && (way.at[SWITCH_SUMS] || is_large); i++) {
        bool is_within = true, does_less = true;
        trial_way(search, &search->full[i], &other);
        if (is_large && other.at[SWITCH_KEEP] == way.at[SWITCH_KEEP] - KEEP_LARGE + KEEP_FIRST_FOUR) {
            other.at[SWITCH_KEEP] = way.at[SWITCH_KEEP];
            other.number[SWITCH_KEEP] = way.number[SWITCH_KEEP];
        } else {
            does_less = memcmp(way.at, other.at, sizeof way.at) != 0;
        }
        for (int at = 0; at < SWITCH_COUNT; at++)
            is_within =
                is_within && (!other.at[at] || (other.at[at] == way.at[at] && other.number[at] == way.number[at]));
        if (is_within && does_less)
            return true;
    }
    return false;
}

/* There are 48 ways to turn axes: of one bone one of them fits too easily. */
static bool is_guess(const struct search *search, const struct trial *trial)
{
    bool turns = false;
    for (uint32_t i = 0; i < trial->count; i++) {
        const enum cause_index cause = search->list.forms[trial->forms[i]].cause;
        turns = turns || cause == CAUSE_AXES_SWAPPED || cause == CAUSE_MIRRORED;
    }
    return turns && search->evidence->unit_count == 1;
}

/* Keeps the form that does best of the same causes. */
static void keep_full(struct search *search, const struct trial *trial)
{
    if (is_needless(search, trial) || is_guess(search, trial))
        return;
    for (uint32_t i = 0; i < search->full_count; i++)
        if (same_causes(search, &search->full[i], trial)) {
            if (trial->score.worst < 0.25 * search->full[i].score.worst && trial->score.worst > 2e-6)
                search->full[i] = *trial;
            return;
        }
    if (search->full_count < FULL_MOST)
        search->full[search->full_count++] = *trial;
}

static void keep_partial(struct search *search, const struct trial *trial)
{
    if (explains(&trial->score) >= 0.01 &&
        (search->partial.count == 0 || trial->score.left < search->partial.score.left))
        search->partial = *trial;
}

/* The best of each cause, the best one first. */
static void keep_main(struct search *search, const struct trial *trial)
{
    uint32_t at = 0, kept = 0;
    struct trial *mains = search->mains;
    if (is_guess(search, trial))
        return;
    for (uint32_t i = 0; i < search->main_count; i++) {
        if (mains[i].score.left <= trial->score.left && same_causes(search, &mains[i], trial))
            return;
        if (!same_causes(search, &mains[i], trial))
            mains[kept++] = mains[i];
    }
    search->main_count = kept < FULL_MOST ? kept : FULL_MOST - 1;
    while (at < search->main_count && mains[at].score.left <= trial->score.left)
        at++;
    memmove(&mains[at + 1], &mains[at], (search->main_count - at) * sizeof *mains);
    mains[at] = *trial;
    search->main_count++;
}

static void try_single(struct search *search, uint32_t index)
{
    struct trial trial = {.count = 1, .forms = {index}};
    const struct way *way = &search->list.forms[index].way;
    uint32_t stride = search->evidence->unit_count / PARTIAL_UNITS + 1;
    trial.score = evidence_score(search->evidence, search->replay, way, stride);
    double change = fabs(trial.score.left - trial.score.was);
    search->is_inert[index] = trial.score.explained == 0 && trial.score.broken == 0 && change <= 1e-9 * trial.score.was;
    if (trial.score.is_full && stride > 1)
        trial.score = evidence_score(search->evidence, search->replay, way, 1);
    if (explains_all(search, &trial.score))
        keep_full(search, &trial);
    else
        keep_partial(search, &trial);
    if (explains_main(&trial.score) && stride > 1)
        trial.score = evidence_score(search->evidence, search->replay, way, 1);
    const struct form *form = &search->list.forms[index];
    const double shrinks =
        way->at[SWITCH_CONJUGATE] == UNIFORM || way->at[SWITCH_LEFT] == UNIFORM ? fmin(fabs(form->parameter), 1) : 1;
    if (form->cause != CAUSE_IN_BYTES && explains_main(&trial.score) && trial.score.worst <= shrinks * DRIFT_MOST)
        keep_main(search, &trial);
}

static bool same_time(const struct form *a, const struct form *b)
{
    return a->way.at[SWITCH_TIME] && b->way.at[SWITCH_TIME] && !a->way.at[SWITCH_CLIP] && !b->way.at[SWITCH_CLIP] &&
           fabs(a->way.number[SWITCH_TIME] - b->way.number[SWITCH_TIME]) < 1e-9;
}

static void try_pair(struct search *search, uint32_t a, uint32_t b)
{
    struct trial trial = {.count = 2, .forms = {a, b}};
    const struct probes *probes = &search->probes;
    struct way way;
    if (!trial_way(search, &trial, &way) ||
        !evidence_probe(search->evidence, search->replay, &way, probes->units, probes->count))
        return;
    trial.score = evidence_score(search->evidence, search->replay, &way, 1);
    if (!explains_all(search, &trial.score))
        return;
    keep_full(search, &trial);
    for (int i = 0; i < 2; i++) /* other rules that lead to the same time */
        for (uint32_t k = 0; k < search->known && search->list.forms[trial.forms[i]].way.at[SWITCH_TIME]; k++) {
            struct trial twin = trial;
            twin.forms[i] = k;
            if (same_time(&search->list.forms[k], &search->list.forms[trial.forms[i]]))
                keep_full(search, &twin);
        }
}

/* Returns whether an earlier form samples at the same time: one of them is enough to be tried. */
static bool is_repeated_time(const struct search *search, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (same_time(&search->list.forms[i], &search->list.forms[index]))
            return true;
    return false;
}

static bool is_shift(const struct form *form)
{
    return form->way.at[SWITCH_INDEX] && form->way.at[SWITCH_INDEX] != INDEX_LIST;
}

static void try_pairs(struct search *search, bool of_shifts)
{
    uint32_t *tried = ARENA_NEW(search->arena, uint32_t, search->list.count), count = 0;
    for (uint32_t i = 0; i < search->known; i++)
        if (!search->is_inert[i] && !search->list.forms[i].is_alone && !is_repeated_time(search, i))
            tried[count++] = i;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++)
            if (search->list.forms[tried[i]].cause != search->list.forms[tried[k]].cause &&
                (!of_shifts || is_shift(&search->list.forms[tried[i]]) || is_shift(&search->list.forms[tried[k]])))
                try_pair(search, tried[i], tried[k]);
}

/* A list of whose entry stands where explains much: a list that is only shifted, and something else besides, is
 * likelier. */
static void try_shifts(struct search *search)
{
    const struct trial listed = search->full[0];
    if (search->full_count > 1 || search->list.forms[listed.forms[0]].way.at[SWITCH_INDEX] != INDEX_LIST)
        return;
    search->full_count = 0;
    try_pairs(search, true);
    if (search->full_count == 0)
        search->full[search->full_count++] = listed;
}

/* One mistake, and a time that no rule leads to. */
static void try_with_times(struct search *search)
{
    const struct clip *clip = search->input->clip;
    struct probes few = search->probes;
    few.count = few.count < 3 ? few.count : 3;
    for (uint32_t i = 0; clip && i < search->known; i++) {
        struct form form = search->list.forms[i];
        double seconds;
        if (search->is_inert[i] || form.is_alone || form.way.at[SWITCH_TIME] || form.way.at[SWITCH_CLIP] ||
            form.way.at[SWITCH_LEFT] || form.way.at[SWITCH_CONJUGATE] ||
            !fit_time(search->evidence, search->replay, &few, &form.way, clip, 60, &seconds))
            continue;
        const char *detail = time_detail(seconds, replay_seconds(search->replay), NULL, search->arena);
        if (search->list.count == search->known + FITTED_MOST)
            return;
        form_tell(form_add(&search->list, CAUSE_TIME_SHIFT, detail, SWITCH_TIME, AT_SECONDS, seconds),
                  PARAMETER_SECONDS, seconds);
        try_pair(search, i, search->list.count - 1);
    }
}

/* Those that miss by much more than the best are not as good. */
static void drop_worse(struct search *search)
{
    double best = INFINITY;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < search->full_count; i++)
        best = fmin(best, search->full[i].score.worst);
    for (uint32_t i = 0; i < search->full_count; i++)
        if (search->full[i].score.worst <= fmax(4 * best, 2e-6))
            search->full[kept++] = search->full[i];
    search->full_count = kept;
}

static struct cause cause_of(const struct search *search, const struct trial *trial, uint32_t part)
{
    const struct scene *scene = search->input->scene;
    const struct form *form = &search->list.forms[trial->forms[part]];
    const struct cause_row *row = &cause_table[form->cause];
    struct cause cause = {.id = row->id, .stage = row->stage, .sentence = row->sentence, .remedy = row->remedy,
                          .kind = form->kind, .parameter = form->parameter, .detail = form->detail};
    if (!trial->nodes[part])
        return cause;
    cause.bones = ARENA_NEW(search->arena, const char *, scene->node_count);
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (trial->nodes[part][n])
            cause.bones[cause.bone_count++] = scene->nodes[n].name;
    return cause;
}

static struct explanation explain(const struct search *search, const struct trial *trial, bool is_full)
{
    const bool is_all = is_full && explains_all(search, &trial->score);
    struct explanation out = {.cause_count = trial->count,
                              .explains = is_all ? 1 : explains(&trial->score),
                              .residual = trial->score.worst,
                              .explained = trial->score.explained,
                              .broken = trial->score.broken};
    struct way *way = ARENA_NEW(search->arena, struct way, 1);
    trial_way(search, trial, way);
    out.way = way;
    for (uint32_t i = 0; i < trial->count; i++) {
        const struct cause cause = cause_of(search, trial, i);
        uint32_t at = i;
        for (; at > 0 && out.causes[at - 1].stage > cause.stage; at--)
            out.causes[at] = out.causes[at - 1];
        out.causes[at] = cause;
    }
    if (is_full && !is_all)
        out.drift = find_drift(search, way, &trial->score);
    return out;
}

struct explanation search_explain(const struct search *search, const struct trial *trial)
{
    return explain(search, trial, true);
}

/* A trial at another time of the clip: its forms are the same rows of the list made for that time. */
static bool way_then(const struct search *search, const struct form_list *then, const struct trial *trial,
                     struct way *out)
{
    struct search other = *search;
    for (uint32_t i = 0; i < trial->count; i++)
        if (trial->forms[i] >= search->known)
            return false;
    other.list = *then;
    return trial_way(&other, trial, out);
}

static double find_telling_time(const struct search *search)
{
    const struct diagnosis_input *input = search->input;
    size_t room = evidence_number_count(search->evidence);
    double *a = ARENA_NEW(search->arena, double, room), *b = ARENA_NEW(search->arena, double, room), most = 0,
           tells = NAN;
    if (search->full_count < 2 || search->scope != SCOPE_ALL || !input->clip || !(input->clip->duration > 0))
        return NAN;
    for (int i = 1; i < TELLING_TIMES; i++) {
        struct diagnosis_input then = *input;
        then.time = round(input->clip->duration * (i + 0.37) / TELLING_TIMES * 1000) / 1000;
        struct way ways[2];
        struct form_list list = forms_create(&then, search->arena);
        struct replay *replay = replay_create(&then, search->arena);
        if (!way_then(search, &list, &search->full[0], &ways[0]) ||
            !way_then(search, &list, &search->full[1], &ways[1]))
            return NAN;
        size_t count = evidence_numbers(search->evidence, replay, &ways[0], search->evidence->unit_count / 100 + 1, a);
        evidence_numbers(search->evidence, replay, &ways[1], search->evidence->unit_count / 100 + 1, b);
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

/* Where nodes and palette are known, what only vertices show: also which entry they read, and how. */
static void keep_skin_forms(struct form_list *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        int at = 0;
        while (!list->forms[i].way.at[at])
            at++;
        if (at < SWITCH_PALETTE && at != SWITCH_LEFT)
            continue;
        list->forms[kept] = list->forms[i];
        /* the palette is right: to read it wrongly is one mistake */
        list->forms[kept++].is_alone |= at < SWITCH_SKIN && at != SWITCH_LEFT;
    }
    list->count = kept;
}

/* The best of those that leave little, and what is as good. */
static void keep_mains(struct search *search)
{
    for (uint32_t i = 0; i < search->main_count && search->full_count < FULL_MOST; i++)
        if (search->mains[i].score.left <= 1.5 * search->mains[0].score.left)
            search->full[search->full_count++] = search->mains[i];
}

static bool is_loose(const struct search *search, const struct trial *trial)
{
    bool is = false;
    for (uint32_t i = 0; i < trial->count; i++)
        is = is || search->list.forms[trial->forms[i]].is_loose;
    return is;
}

/* Bones one by one, where nothing explains all, or only what has numbers or lists enough to look like much else. */
static void try_nodes(struct search *search)
{
    struct trial loose[FULL_MOST];
    uint32_t count = search->full_count, exact = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_loose(search, &search->full[i]))
            return;
        loose[i] = search->full[i];
    }
    search->full_count = 0;
    search_nodes(search);
    for (uint32_t i = 0; i < search->full_count; i++)
        if (explains_all(search, &search->full[i].score) && (count == 0 || search->full[i].count == 1))
            search->full[exact++] = search->full[i];
    if (exact > 0 || count > 0 || search->main_count > 0)
        search->full_count = exact;
    for (uint32_t i = 0; i < count && search->full_count < FULL_MOST; i++)
        search->full[search->full_count++] = loose[i];
}

void search_singles(struct search *search)
{
    search->list = forms_create(search->input, search->arena);
    if (search->scope == SCOPE_VERTICES)
        keep_skin_forms(&search->list);
    search->known = search->list.count;
    search->probes = probes_choose(search->evidence);
    search->is_inert = ARENA_NEW(search->arena, bool, search->known + FITTED_MOST);
    for (uint32_t i = 0; i < search->list.count; i++)
        try_single(search, i);
    if (search->full_count > 0)
        return;
    fit_forms(search->evidence, search->replay, &search->probes, search->scope == SCOPE_VERTICES, &search->list);
    for (uint32_t i = search->known; i < search->list.count; i++)
        try_single(search, i);
    if (search->full_count > 0)
        try_shifts(search);
}

void search_pairs(struct search *search)
{
    try_pairs(search, false);
    if (search->full_count == 0 && search->scope != SCOPE_VERTICES)
        try_with_times(search);
}

/* Mistakes of some bones; one mistake and drift. */
void search_rest(struct search *search)
{
    if (search->scope == SCOPE_VERTICES)
        return; /* nothing drifts between a palette and its vertices */
    try_nodes(search);
    if (search->full_count == 0)
        keep_mains(search);
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

struct diagnosis *diagnose(const struct diagnosis_input *input, struct arena *arena)
{
    struct diagnosis *out = ARENA_NEW(arena, struct diagnosis, 1);
    struct search *search = ARENA_NEW(arena, struct search, 1);
    search->scope = input->base ? SCOPE_VERTICES : SCOPE_ALL;
    search->input = input;
    search->arena = arena;
    search->replay = replay_create(input, arena);
    search->evidence = evidence_gather(input, search->replay, arena);
    if (search->scope == SCOPE_VERTICES)
        keep_vertices(search);
    out->tells = NAN;
    count_units(search, out);
    search->worst = out->displacement;
    if (!(out->displacement > search->evidence->tolerance))
        return out;
    out->explanations = ARENA_NEW(arena, struct explanation, FULL_MOST + 1);
    search_singles(search);
    if (search->scope == SCOPE_ALL && search->full_count == 0)
        out->explanation_count = search_stages(search, out->explanations);
    if (out->explanation_count == 0)
        search_rest(search);
    if (out->explanation_count == 0 && search->full_count == 0)
        search_pairs(search);
    drop_worse(search);
    find_starts(search, out);
    for (uint32_t i = 0; i < search->full_count; i++)
        out->explanations[out->explanation_count++] = explain(search, &search->full[i], true);
    out->full_count = out->explanation_count;
    if (out->full_count == 0 && search->partial.count > 0)
        out->explanations[out->explanation_count++] = explain(search, &search->partial, false);
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
    if (room == 0)
        return all;
    *out = *all;
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
        to->explains = fmin(to->explains, more->explains);
        for (uint32_t k = 0; k < more->cause_count; k++)
            explanation_add(to, &more->causes[k]);
        to->residual = worse(to->residual, more->residual);
    }
    out->explanation_count = out->full_count;
    return out;
}
