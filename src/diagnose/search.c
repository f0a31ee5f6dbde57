/* Tries guesses alone, at some bones and in pairs, and keeps the best. */
#include "diagnose/search.h"

#include <math.h>
#include <string.h>

enum { PARTIAL_UNITS = 400, SOLVED_LEAST = 4 };

/* As a share of the radius: keys of 8 bits drift by less. */
static const double DRIFT_MOST = 5e-3;

double score_explains(const struct score *score)
{
    return score->was > 0 ? fmin(fmax(1 - score->left / score->was, 0), 0.9999) : 0;
}

bool explains_main(const struct score *score)
{
    return score->is_said && score->worse_off == 0 && score->worst <= DRIFT_MOST && score->was > 0 &&
           score->left <= 0.01 * score->was;
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
            found = found || search->list.guesses[a->guesses[i]].cause == search->list.guesses[b->guesses[k]].cause;
        same = found;
    }
    return same;
}

/* The mistakes of each node, where a guess acts at some of them only. */
static bool join_nodes(const struct search *search, const struct trial *trial, struct variant *out)
{
    const uint32_t nodes = search->input->scene->node_count;
    const struct variant **of_node = ARENA_NEW(search->arena, const struct variant *, nodes);
    for (uint32_t n = 0; n < nodes; n++)
        for (uint32_t i = 0; i < trial->count; i++) {
            const struct variant *variant = &search->list.guesses[trial->guesses[i]].variant;
            if (!trial->nodes[i] || !trial->nodes[i][n])
                continue;
            struct variant *joined = ARENA_NEW(search->arena, struct variant, 1);
            if (!variant_join(of_node[n] ? of_node[n] : out, variant, joined))
                return false;
            of_node[n] = joined;
        }
    out->of_node = of_node;
    return true;
}

bool trial_variant(const struct search *search, const struct trial *trial, struct variant *out)
{
    bool is_everywhere = true;
    *out = (struct variant){.list = NULL};
    for (uint32_t i = 0; i < trial->count; i++) {
        const struct variant so_far = *out;
        is_everywhere = is_everywhere && !trial->nodes[i];
        if (!trial->nodes[i] && !variant_join(&so_far, &search->list.guesses[trial->guesses[i]].variant, out))
            return false;
    }
    return is_everywhere || join_nodes(search, trial, out);
}

/* Something that explains it as well does less: without the file's own sums, or without a limit to small weights. */
static bool is_needless(const struct search *search, const struct trial *trial)
{
    struct variant variant, other;
    trial_variant(search, trial, &variant);
    bool is_large = variant.at[SWITCH_KEEP] == KEEP_LARGE || variant.at[SWITCH_KEEP] == KEEP_LARGE_RESCALED;
    for (uint32_t i = 0; i < search->full_count && (variant.at[SWITCH_SUMS] || is_large); i++) {
        bool is_within = true, does_less = true;
        trial_variant(search, &search->full[i], &other);
        if (is_large && other.at[SWITCH_KEEP] == variant.at[SWITCH_KEEP] - KEEP_LARGE + KEEP_FIRST_FOUR) {
            other.at[SWITCH_KEEP] = variant.at[SWITCH_KEEP];
            other.number[SWITCH_KEEP] = variant.number[SWITCH_KEEP];
        } else {
            does_less = memcmp(variant.at, other.at, sizeof variant.at) != 0;
        }
        for (int at = 0; at < SWITCH_COUNT; at++)
            is_within = is_within &&
                        (!other.at[at] || (other.at[at] == variant.at[at] && other.number[at] == variant.number[at]));
        if (is_within && does_less)
            return true;
    }
    return false;
}

/* There are 48 ways to turn axes: of one bone one of them fits too easily. */
static bool fits_too_easily(const struct search *search, const struct trial *trial)
{
    bool turns = false;
    for (uint32_t i = 0; i < trial->count; i++) {
        const enum cause_index cause = search->list.guesses[trial->guesses[i]].cause;
        turns = turns || cause == CAUSE_AXES_SWAPPED || cause == CAUSE_MIRRORED;
    }
    return turns && search->evidence->unit_count == 1;
}

/* Says if a guess leaves each bone somewhere on its way between two keys. */
static bool is_between_keys(const struct guess *guess)
{
    const uint8_t *at = guess->variant.at;
    return at[SWITCH_TIME] || at[SWITCH_EASE] || at[SWITCH_RESAMPLE] || at[SWITCH_CURVES] == CURVES_LINEAR_AS_STEP ||
           at[SWITCH_CURVES] == CURVES_NEAREST || at[SWITCH_CURVES] == CURVES_NEXT;
}

/* A place between keys is one number: of hundreds that are tried some lie near anything between them. What is left
 * has to be so much less than what there was, for each bone that is moved by itself, as there are places. */
bool search_is_chance(struct search *search, const struct trial *trial)
{
    uint32_t places = 0;
    bool is_place = false;
    for (uint32_t i = 0; i < trial->count; i++)
        is_place = is_place || is_between_keys(&search->list.guesses[trial->guesses[i]]);
    for (uint32_t i = 0; is_place && i < search->list.count; i++)
        places += is_between_keys(&search->list.guesses[i]);
    if (is_place && search->origins == 0)
        search->origins = search_count_origins(search);
    return is_place && pow(search->worst / trial->score.worst, search->origins) < places;
}

/* Keeps the guess that does best of the same causes. */
static void keep_full(struct search *search, const struct trial *trial)
{
    if (is_needless(search, trial) || fits_too_easily(search, trial) || search_is_chance(search, trial))
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
    if (score_explains(&trial->score) >= 0.01 &&
        (search->partial.count == 0 || trial->score.left < search->partial.score.left))
        search->partial = *trial;
}

/* Some time comes near to whatever a bone on a hinge does; one that was solved for, to what a few bones do. */
static bool is_near_by_itself(struct search *search, const struct trial *trial)
{
    if (!is_between_keys(&search->list.guesses[trial->guesses[0]]))
        return false;
    if (search->origins == 0)
        search->origins = search_count_origins(search);
    return search->origins < (trial->guesses[0] < search->known ? 2 : SOLVED_LEAST);
}

/* The best of each cause, the best one first. */
static void keep_main(struct search *search, const struct trial *trial)
{
    uint32_t at = 0, kept = 0;
    struct trial *mains = search->mains;
    if (fits_too_easily(search, trial) || search_is_chance(search, trial) || is_near_by_itself(search, trial))
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
    struct trial trial = {.count = 1, .guesses = {index}};
    const struct variant *variant = &search->list.guesses[index].variant;
    uint32_t stride = search->evidence->unit_count / PARTIAL_UNITS + 1;
    trial.score = evidence_score(search->evidence, search->replay, variant, stride);
    double change = fabs(trial.score.left - trial.score.was);
    search->is_inert[index] = trial.score.explained == 0 && trial.score.broken == 0 && change <= 1e-9 * trial.score.was;
    if (trial.score.is_full && stride > 1)
        trial.score = evidence_score(search->evidence, search->replay, variant, 1);
    if (explains_all(search, &trial.score))
        keep_full(search, &trial);
    else
        keep_partial(search, &trial);
    if (explains_main(&trial.score) && stride > 1)
        trial.score = evidence_score(search->evidence, search->replay, variant, 1);
    const struct guess *guess = &search->list.guesses[index];
    const double shrinks = variant->at[SWITCH_CONJUGATE] == UNIFORM || variant->at[SWITCH_LEFT] == UNIFORM
                               ? fmin(fabs(guess->parameter), 1)
                               : 1;
    if (guess->cause != CAUSE_IN_BYTES && explains_main(&trial.score) && trial.score.worst <= shrinks * DRIFT_MOST)
        keep_main(search, &trial);
}

static bool same_time(const struct guess *a, const struct guess *b)
{
    return a->variant.at[SWITCH_TIME] && b->variant.at[SWITCH_TIME] && !a->variant.at[SWITCH_CLIP] &&
           !b->variant.at[SWITCH_CLIP] && fabs(a->variant.number[SWITCH_TIME] - b->variant.number[SWITCH_TIME]) < 1e-9;
}

static void try_pair(struct search *search, uint32_t a, uint32_t b)
{
    struct trial trial = {.count = 2, .guesses = {a, b}};
    const struct probes *probes = &search->probes;
    struct variant variant;
    if (!trial_variant(search, &trial, &variant) ||
        !evidence_probe(search->evidence, search->replay, &variant, probes->units, probes->count))
        return;
    trial.score = evidence_score(search->evidence, search->replay, &variant, 1);
    if (!explains_all(search, &trial.score))
        return;
    keep_full(search, &trial);
    for (int i = 0; i < 2; i++) /* other rules that lead to the same time */
        for (uint32_t k = 0; k < search->known && search->list.guesses[trial.guesses[i]].variant.at[SWITCH_TIME]; k++) {
            struct trial same = trial;
            same.guesses[i] = k;
            if (same_time(&search->list.guesses[k], &search->list.guesses[trial.guesses[i]]))
                keep_full(search, &same);
        }
}

/* Returns whether an earlier guess samples at the same time: one of them is enough to be tried. */
static bool is_repeated_time(const struct search *search, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (same_time(&search->list.guesses[i], &search->list.guesses[index]))
            return true;
    return false;
}

static bool is_shift(const struct guess *guess)
{
    return guess->variant.at[SWITCH_INDEX] && guess->variant.at[SWITCH_INDEX] != INDEX_LIST;
}

/* A guess that changes nothing at this time may do so at another. */
static bool acts_beside(const struct search *search, uint32_t guess, uint32_t other)
{
    const uint8_t *at = search->list.guesses[other].variant.at;
    return !search->is_inert[guess] || at[SWITCH_TIME] || at[SWITCH_CLIP];
}

static void try_pairs(struct search *search, bool of_shifts)
{
    uint32_t *tried = ARENA_NEW(search->arena, uint32_t, search->list.count), count = 0;
    for (uint32_t i = 0; i < search->known; i++)
        if (!search->list.guesses[i].is_alone && !is_repeated_time(search, i))
            tried[count++] = i;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++)
            if (search->list.guesses[tried[i]].cause != search->list.guesses[tried[k]].cause &&
                acts_beside(search, tried[i], tried[k]) && acts_beside(search, tried[k], tried[i]) &&
                (!of_shifts || is_shift(&search->list.guesses[tried[i]]) || is_shift(&search->list.guesses[tried[k]])))
                try_pair(search, tried[i], tried[k]);
}

/* A list of whose entry stands where explains much: a list that is only shifted, and something else besides, is
 * likelier. */
static void try_shifts(struct search *search)
{
    const struct trial listed = search->full[0];
    if (search->full_count > 1 || search->list.guesses[listed.guesses[0]].variant.at[SWITCH_INDEX] != INDEX_LIST)
        return;
    search->full_count = 0;
    try_pairs(search, true);
    if (search->full_count == 0)
        search->full[search->full_count++] = listed;
}

/* One mistake, and a number or a matrix that theirs alone knows. */
static void try_with_fits(struct search *search)
{
    struct probes few = search->probes;
    few.count = few.count < 3 ? few.count : 3;
    for (uint32_t i = 0; i < search->known; i++) {
        const uint32_t count = search->list.count, found = search->full_count;
        if (search->is_inert[i] || search->list.guesses[i].is_alone || count + FITS_MOST > search->known + FITTED_MOST)
            continue;
        fit_beside(search->evidence, search->replay, &few, &search->list.guesses[i].variant, &search->list);
        for (uint32_t k = count; k < search->list.count; k++)
            try_pair(search, i, k);
        if (search->full_count == found)
            search->list.count = count;
    }
}

/* Those that miss by much more than the best are not as good. */
void search_drop_worse(struct search *search)
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

/* Keeps, where nodes and palette are known, what only vertices show: also which entry they read, and how. */
static void keep_skin_guesses(struct guess_list *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        int at = 0;
        while (!list->guesses[i].variant.at[at])
            at++;
        if (at < SWITCH_PALETTE && at != SWITCH_LEFT)
            continue;
        list->guesses[kept] = list->guesses[i];
        /* the palette is right: to read it wrongly is one mistake */
        list->guesses[kept++].is_alone |= at < SWITCH_SKIN && at != SWITCH_LEFT;
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
        is = is || search->list.guesses[trial->guesses[i]].is_loose;
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
    search->list = guesses_create(search->input, search->arena);
    if (search->scope == SCOPE_VERTICES)
        keep_skin_guesses(&search->list);
    search->known = search->list.count;
    search->probes = probes_choose(search->evidence);
    search->is_inert = ARENA_NEW(search->arena, bool, search->known + FITTED_MOST);
    for (uint32_t i = 0; i < search->list.count; i++)
        try_single(search, i);
    if (search->full_count > 0)
        return;
    fit_guesses(search->evidence, search->replay, &search->probes, search->scope == SCOPE_VERTICES, &search->list);
    for (uint32_t i = search->known; i < search->list.count; i++)
        try_single(search, i);
    if (search->full_count > 0)
        try_shifts(search);
}

void search_pairs(struct search *search)
{
    try_pairs(search, false);
    if (search->full_count == 0 && search->scope != SCOPE_VERTICES)
        try_with_fits(search);
}

/* Keys and times that are rounded or resampled drift: that is said beside a cause, and is none. */
static bool is_drift(enum cause_index cause)
{
    return cause == CAUSE_QUANTISED || cause == CAUSE_RESAMPLED || cause == CAUSE_TIME_ROUNDED;
}

/* A mistake may leave another one that does little: both are named where they are theirs to rounding. */
static void try_beside_mains(struct search *search)
{
    struct trial mains[FULL_MOST];
    const uint32_t count = search->full_count;
    memcpy(mains, search->full, sizeof mains);
    search->full_count = 0;
    for (uint32_t i = 0; i < count && !is_drift(search->list.guesses[mains[i].guesses[0]].cause); i++)
        for (uint32_t k = 0; k < search->known; k++) {
            const struct guess *guess = &search->list.guesses[k];
            if (!search->is_inert[k] && !is_drift(guess->cause) && k != mains[i].guesses[0] &&
                guess->cause != search->list.guesses[mains[i].guesses[0]].cause)
                try_pair(search, mains[i].guesses[0], k);
        }
    if (search->full_count > 0)
        return;
    memcpy(search->full, mains, sizeof mains);
    search->full_count = count;
}

/* Mistakes of some bones; one mistake and drift. */
void search_rest(struct search *search)
{
    if (search->scope == SCOPE_VERTICES)
        return; /* nothing drifts between a palette and its vertices */
    try_nodes(search);
    if (search->full_count > 0)
        return;
    keep_mains(search);
    try_beside_mains(search);
}

/* Keys that were rounded or resampled, or a second cause that does little. */
struct drift find_drift(const struct search *search, const struct variant *variant, const struct score *score)
{
    struct drift drift = {.size = score->worst};
    double least = fmin(fmax(search->evidence->tolerance, 0.2 * score->worst), 0.5 * score->worst);
    for (uint32_t f = 0; f < search->known && !variant->of_node; f++) {
        const struct guess *guess = &search->list.guesses[f];
        struct variant both;
        if (!variant_join(variant, &guess->variant, &both))
            continue;
        const struct score then = evidence_score(search->evidence, search->replay, &both, 1);
        if (then.said == score->said && then.worst < least) {
            least = then.worst;
            drift.like = cause_table[guess->cause].id;
            drift.detail = guess->detail;
        }
    }
    return drift;
}
