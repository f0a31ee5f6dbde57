/* Mistakes of some bones only: what is wrong with a bone itself, and not with those above it. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "diagnose/search.h"

enum { ORIGINS_MOST = 512, CHANNELS_MOST = 512, TIMED_MOST = 12, PASS_COUNT = 2, SAMPLED_MOST = 24, LEADING = 8 };

/* A bone that differs by more than its parent's global explains. */
struct origin {
    uint32_t unit;
    double was;
};

struct node_search {
    struct search *search;
    const struct evidence *evidence;
    /* [node_count] globals that parents are taken to have, one guess after another */
    struct matrix *parents[PASS_COUNT];
    double noise; /* displacement that is nobody's mistake: drift of all bones */
    uint32_t origin_count;
    struct origin *origins;
    bool same_parents; /* both assumptions are one */
};

/* Bones with one mistake, and what explains each of them: the first is the best, the others are of other causes. */
struct part {
    uint32_t count;
    uint32_t *origins;
    uint32_t guess_count;
    uint32_t guesses[CAUSE_COUNT];
    bool *nodes; /* [node_count] */
};

/* Says if a guess may act on single nodes. In one stage alone other axes or units of a bone's global or entry are a
 * mistake like others; in all stages they would explain too much. */
static bool acts_on_nodes(enum search_scope scope, const struct guess *guess)
{
    static const uint8_t whole[] = {SWITCH_CONJUGATE, SWITCH_INDEX, SWITCH_NODES, SWITCH_PLACE, SWITCH_LEFT};
    bool acts = false;
    if (scope == SCOPE_STAGE && guess->variant.at[SWITCH_CONJUGATE] == UNIFORM)
        return true;
    for (size_t i = 0; i < (scope == SCOPE_STAGE ? sizeof whole - 1 : sizeof whole); i++)
        if (guess->variant.at[whole[i]])
            return false;
    for (int at = 0; at < SWITCH_SKIN; at++)
        acts = acts || guess->variant.at[at];
    for (int at = SWITCH_SKIN; at < SWITCH_COUNT; at++)
        acts = acts && !guess->variant.at[at];
    return acts && !guess->variant.list && !guess->variant.channels && guess->variant.at[SWITCH_LEFT] != LEFT_MATRIX;
}

/* The global that theirs gives a node or its first entry implies. */
static bool implied_global(const struct node_search *s, const struct unit *unit, struct matrix *out)
{
    const struct scene *scene = s->search->input->scene;
    if (unit->global != NO_INDEX) {
        *out = s->evidence->globals[unit->global].theirs;
        return true;
    }
    for (uint32_t i = 0; i < unit->entry_count; i++) {
        const struct given_matrix *given = &s->evidence->entries[unit->first_entry + i];
        const struct binding *binding = &scene->bindings[given->about];
        struct matrix offset = matrix_from(binding->mesh_to_bone), back = matrix_inverse(&offset);
        if (!isfinite(back.at[0][0]))
            continue;
        *out = scene->meshes[scene->instances[binding->instance].mesh].bone_count == 0
                   ? given->theirs
                   : matrix_mul(&given->theirs, &back);
        if (s->search->input->space == SPACE_ROOT) {
            const struct matrix *root = replay_rest(s->search->replay, 0);
            *out = matrix_mul(root, out);
        }
        return true;
    }
    return false;
}

/* First: theirs. Second: where the palette alone implies it, what the grandparent's and our own local make, as an
 * entry may be wrong while its bone is right. */
static void assume_parents(struct node_search *s)
{
    const struct scene *scene = s->search->input->scene;
    const struct unit **units = ARENA_NEW(s->search->arena, const struct unit *, scene->node_count);
    for (uint32_t i = 0; i < s->evidence->bone_units; i++)
        units[s->evidence->units[i].node] = s->evidence->units[i].is_finite ? &s->evidence->units[i] : NULL;
    for (int pass = 0; pass < PASS_COUNT; pass++)
        s->parents[pass] = ARENA_NEW(s->search->arena, struct matrix, scene->node_count);
    replay_set(s->search->replay, &(struct variant){.list = NULL});
    s->same_parents = true;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        const int32_t parent = scene->nodes[n].parent;
        const struct matrix *local = &replay_local(s->search->replay, n)->matrix;
        struct matrix plain = parent == NO_INDEX ? *local : matrix_mul(&s->parents[0][parent], local);
        s->parents[0][n] = s->parents[1][n] = plain;
        const bool is_implied = units[n] && implied_global(s, units[n], &s->parents[0][n]);
        if (is_implied && units[n]->global != NO_INDEX)
            s->parents[1][n] = s->parents[0][n];
        s->same_parents = s->same_parents && (!is_implied || units[n]->global != NO_INDEX);
    }
}

/* Measures the smaller displacement by both assumptions about parents for each unit, by the variant. */
static void measure_units(struct node_search *s, const struct variant *variant, const uint32_t *units, uint32_t count,
                          double *gaps)
{
    for (int pass = 0; pass < (s->same_parents ? 1 : PASS_COUNT); pass++) {
        replay_set(s->search->replay, variant);
        replay_force_parents(s->search->replay, s->parents[pass]);
        for (uint32_t i = 0; i < count; i++) {
            double gap = evidence_measure(s->evidence, s->search->replay, &s->evidence->units[units[i]]);
            gap = gap < 0 ? INFINITY : gap;
            gaps[i] = pass == 0 ? gap : fmin(gap, gaps[i]);
        }
    }
    replay_force_parents(s->search->replay, NULL);
}

static void find_origins(struct node_search *s)
{
    const struct evidence *e = s->evidence;
    uint32_t *units = ARENA_NEW(s->search->arena, uint32_t, e->bone_units), count = 0;
    double *gaps = ARENA_NEW(s->search->arena, double, e->bone_units);
    double *sorted = ARENA_NEW(s->search->arena, double, e->bone_units);
    for (uint32_t i = 0; i < e->bone_units; i++)
        if (e->units[i].is_finite)
            units[count++] = i;
    measure_units(s, &(struct variant){.list = NULL}, units, count, gaps);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = gaps[i] = fmin(gaps[i], e->units[units[i]].was);
    sort_items(sorted, count, sizeof *sorted, compare_doubles);
    s->noise = count > 0 ? fmax(e->tolerance + e->rounding, fmin(8 * sorted[count / 4], 2e-3)) : e->tolerance;
    s->origins = ARENA_NEW(s->search->arena, struct origin, count);
    for (uint32_t i = 0; i < count && s->origin_count < ORIGINS_MOST; i++)
        if (gaps[i] > s->noise)
            s->origins[s->origin_count++] = (struct origin){units[i], gaps[i]};
}

/* These of another node may be played: its channel, that without what an importer may have put there, or all. */
static const struct play_rule {
    uint8_t of_one, of_list, filled;
    const char *detail;
} play_rules[] = {{CHANNEL_OF_NODE, CHANNEL_LIST, 0, ""},
                  {CHANNEL_OF_NODE, CHANNEL_LIST, FILLED_IGNORED, ", where the file has keys"},
                  {LOCAL_OF_NODE, LOCAL_LIST, 0, ", and the rest pose where nothing is keyed"}};
enum { PLAY_RULES = sizeof play_rules / sizeof *play_rules };

/* The channel of another bone, for each that has one. */
static void add_channels(struct search *search)
{
    const struct diagnosis_input *input = search->input;
    for (uint32_t i = 0; input->clip && i < input->clip->channel_count && i < CHANNELS_MOST; i++) {
        const int32_t node = input->clip->channels[i].node;
        for (int k = 0; k < PLAY_RULES && node != NO_INDEX && search->list.count < search->known + FITTED_MOST; k++) {
            const char *detail =
                arena_printf(search->arena, "that of `%s`%s", input->scene->nodes[node].name, play_rules[k].detail);
            guess_add(&search->list, CAUSE_CHANNEL_OTHER, detail, SWITCH_CHANNEL, play_rules[k].of_one, node)
                ->variant.at[SWITCH_FILLED] = play_rules[k].filled;
        }
    }
}

/* Keeps a trial that leaves drift alone: not more than a hundredth of the squares, and no bone is worse off. */
static void keep_if_explained(struct search *search, struct trial *trial)
{
    struct variant variant;
    if (search->full_count == FULL_MOST || !trial_variant(search, trial, &variant))
        return;
    trial->score = evidence_score(search->evidence, search->replay, &variant, 1);
    if (explains_main(&trial->score) && !search_is_chance(search, trial))
        search->full[search->full_count++] = *trial;
}

/* Takes the units that play a node's channel or local transform out of `units`: at most so many. Returns how many are
 * left. */
static uint32_t take_players(struct node_search *s, const struct play_rule *rule, uint32_t node, uint32_t most,
                             uint32_t *units, uint32_t count, int32_t *played)
{
    struct variant variant = {.list = NULL};
    double gaps[ORIGINS_MOST];
    uint32_t kept = 0;
    variant.at[SWITCH_CHANNEL] = rule->of_one;
    variant.at[SWITCH_FILLED] = rule->filled;
    variant.number[SWITCH_CHANNEL] = node;
    measure_units(s, &variant, units, count, gaps);
    for (uint32_t i = 0; i < count; i++)
        if (gaps[i] <= s->noise && i - kept < most)
            played[s->evidence->units[units[i]].node] = (int32_t)node;
        else
            units[kept++] = units[i];
    return kept;
}

/* Finds for each of the first origins another node whose channel, or whose local transform, it plays. Each is played by
 * one, but that some of many bones may be alike; two bones play each other's. False where there is none for one of
 * them. */
static bool find_played(struct node_search *s, const struct play_rule *rule, uint32_t count, int32_t *played)
{
    const uint32_t nodes = s->search->input->scene->node_count;
    const struct unit *of = s->evidence->units;
    uint32_t units[ORIGINS_MOST], left = count;
    for (uint32_t i = 0; i < count; i++)
        units[i] = s->origins[i].unit;
    for (uint32_t n = 0; n < nodes; n++)
        played[n] = (int32_t)n;
    for (uint32_t most = 1; most == 1 || (most <= count / 4 && 2 * left <= count); most *= 4)
        for (uint32_t n = 0; n < nodes && n < CHANNELS_MOST && left > 0; n++)
            if (count > 2 || n == of[s->origins[0].unit].node || n == of[s->origins[1].unit].node)
                left = take_players(s, rule, n, most, units, left, played);
    return left == 0;
}

/* The channels or local transforms of other bones, in several at once: what is in `full` says less simply. */
static void try_played(struct node_search *s)
{
    struct search *search = s->search;
    int32_t *played = ARENA_NEW(search->arena, int32_t, search->input->scene->node_count);
    const uint32_t few = s->origin_count < SAMPLED_MOST ? s->origin_count : SAMPLED_MOST;
    for (int k = 0; k < PLAY_RULES && s->origin_count > 1 && search->input->clip; k++) {
        const struct play_rule *rule = &play_rules[k];
        if (!find_played(s, rule, few, played) || !find_played(s, rule, s->origin_count, played))
            continue;
        const char *detail =
            arena_printf(search->arena, "%u bones play others'%s", s->origin_count, rule->detail);
        struct trial trial = {.count = 1, .guesses = {search->list.count}};
        struct guess *guess =
            guess_add(&search->list, CAUSE_CHANNEL_OTHER, detail, SWITCH_CHANNEL, rule->of_list, 0);
        guess->variant.channels = played;
        guess->variant.at[SWITCH_FILLED] = rule->filled;
        guess->is_alone = true;
        guess_set(guess, PARAMETER_COUNT, s->origin_count);
        const uint32_t kept = search->full_count;
        search->full_count = 0;
        keep_if_explained(search, &trial);
        if (search->full_count > 0)
            return;
        search->full_count = kept;
    }
}

/* A bone at another time than the others. */
static void add_times(struct node_search *s)
{
    struct search *search = s->search;
    const struct variant right = {.list = NULL};
    for (uint32_t i = 0; search->input->clip && i < s->origin_count && i < TIMED_MOST; i++) {
        const struct probes probe = {1, {s->origins[i].unit}};
        double seconds;
        replay_force_parents(search->replay, s->parents[0]);
        const bool is_found = fit_time(s->evidence, search->replay, &probe, &right, search->input->clip, 120, &seconds,
                                       NULL);
        replay_force_parents(search->replay, NULL);
        if (!is_found || search->list.count >= search->known + FITTED_MOST)
            continue;
        const char *detail = time_detail(seconds, replay_seconds(search->replay), NULL, search->arena);
        static const enum cause_index causes[] = {CAUSE_STALE_BONE, CAUSE_TIME_SHIFT, CAUSE_TIME_SCALE};
        for (size_t k = 0; k < sizeof causes / sizeof *causes; k++)
            guess_set(guess_add(&search->list, causes[k], detail, SWITCH_TIME, AT_SECONDS, seconds), PARAMETER_SECONDS,
                      seconds);
    }
}

/* The offset of another bone, or the globals of another time, in the entries of a bone. */
static void add_entries(struct node_search *s)
{
    struct search *search = s->search;
    const struct scene *scene = search->input->scene;
    for (uint32_t i = 0; i < s->origin_count && i < TIMED_MOST; i++) {
        const struct unit *unit = &s->evidence->units[s->origins[i].unit];
        struct matrix global = replay_global(search->replay, unit->node);
        for (uint32_t b = 0; b < scene->binding_count && unit->entry_count > 0; b++) {
            const struct matrix offset = matrix_from(scene->bindings[b].mesh_to_bone);
            const struct matrix entry = matrix_mul(&global, &offset);
            if (scene->bindings[b].node == unit->node || search->list.count >= search->known + FITTED_MOST ||
                evidence_entry_gap(s->evidence, unit->first_entry, &entry) > s->noise)
                continue;
            const char *detail =
                arena_printf(search->arena, "that of `%s`", scene->nodes[scene->bindings[b].node].name);
            guess_add(&search->list, CAUSE_OFFSET_OTHER, detail, SWITCH_OFFSET_OF, OFFSET_NUMBER, b);
            break;
        }
    }
}

/* Says how a guess does on some origins: how many it explains, and the worst of what it leaves of these. */
struct guess_trial {
    uint32_t guess, explained;
    double worst;
};

/* `is_explained` may be NULL. */
static struct guess_trial try_guess(struct node_search *s, uint32_t guess, const uint32_t *origins, uint32_t count,
                                    bool *is_explained)
{
    struct guess_trial out = {.guess = guess};
    uint32_t units[ORIGINS_MOST] = {0};
    double gaps[ORIGINS_MOST] = {0};
    for (uint32_t i = 0; i < count; i++)
        units[i] = s->origins[origins[i]].unit;
    measure_units(s, &s->search->list.guesses[guess].variant, units, count, gaps);
    for (uint32_t i = 0; i < count; i++) {
        const double was = s->origins[origins[i]].was;
        const bool explains = gaps[i] <= 0.1 * was && gaps[i] <= s->noise + 1e-6 * fmin(was, 1e3);
        if (is_explained)
            is_explained[i] = explains;
        if (!explains)
            continue;
        out.explained++;
        out.worst = fmax(out.worst, gaps[i]);
    }
    return out;
}

/* More origins, or as many and much less left; else what comes first in the list is kept. */
static bool is_better(const struct node_search *s, const struct guess_trial *a, const struct guess_trial *b)
{
    if (a->explained != b->explained)
        return a->explained > b->explained;
    return a->explained > 0 && a->worst < 0.25 * b->worst && b->worst > 0.1 * s->evidence->tolerance;
}

static void keep_leading(const struct node_search *s, struct guess_trial leading[LEADING],
                         const struct guess_trial *trial)
{
    uint32_t at = LEADING;
    while (at > 0 && is_better(s, trial, &leading[at - 1]))
        at--;
    if (at == LEADING)
        return;
    memmove(&leading[at + 1], &leading[at], (LEADING - at - 1) * sizeof *leading);
    leading[at] = *trial;
}

/* Adds what explains the whole part as well, the best guess of each other cause. */
static void add_equals(struct node_search *s, const struct guess_trial *of_cause, struct part *part)
{
    const enum cause_index first = s->search->list.guesses[part->guesses[0]].cause;
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        if (of_cause[cause].explained == 0 || cause == (int)first)
            continue;
        const struct guess_trial whole = try_guess(s, of_cause[cause].guess, part->origins, part->count, NULL);
        if (whole.explained == part->count)
            part->guesses[part->guess_count++] = whole.guess;
    }
}

/* The guess that explains most of the origins that are left, by a sample first, and takes them out of these. */
static bool find_part(struct node_search *s, uint32_t *left, uint32_t *left_count, struct part *part)
{
    struct guess_trial leading[LEADING] = {{0}}, of_cause[CAUSE_COUNT] = {{0}}, best = {0};
    uint32_t sample[SAMPLED_MOST], sampled = *left_count < SAMPLED_MOST ? *left_count : SAMPLED_MOST, kept = 0;
    bool is_explained[ORIGINS_MOST];
    for (uint32_t i = 0; i < sampled; i++)
        sample[i] = left[(uint64_t)i * *left_count / sampled];
    for (uint32_t f = 0; f < s->search->list.count; f++) {
        const struct guess *guess = &s->search->list.guesses[f];
        if (!acts_on_nodes(s->search->scope, guess))
            continue;
        const struct guess_trial trial = try_guess(s, f, sample, sampled, NULL);
        keep_leading(s, leading, &trial);
        if (is_better(s, &trial, &of_cause[guess->cause]))
            of_cause[guess->cause] = trial;
    }
    for (int i = 0; i < LEADING && leading[i].explained > 0; i++) {
        const struct guess_trial whole = try_guess(s, leading[i].guess, left, *left_count, NULL);
        if (is_better(s, &whole, &best))
            best = whole;
    }
    if (best.explained == 0)
        return false;
    *part = (struct part){.origins = ARENA_NEW(s->search->arena, uint32_t, *left_count),
                          .nodes = ARENA_NEW(s->search->arena, bool, s->search->input->scene->node_count)};
    part->guesses[part->guess_count++] = best.guess;
    try_guess(s, best.guess, left, *left_count, is_explained);
    for (uint32_t i = 0; i < *left_count; i++)
        if (is_explained[i]) {
            part->origins[part->count++] = left[i];
            part->nodes[s->evidence->units[s->origins[left[i]].unit].node] = true;
        } else {
            left[kept++] = left[i];
        }
    *left_count = kept;
    add_equals(s, of_cause, part);
    return true;
}

/* A part of one bone that is explained by a time made for it: of several parts that is no evidence, for much lies on a
 * way between two keys. */
static bool has_made_time(const struct search *search, const struct trial *trial, const struct part *parts)
{
    bool has = false;
    for (uint32_t i = 0; i < trial->count && trial->count > 1; i++)
        has = has || (parts[i].count == 1 && trial->guesses[i] >= search->known &&
                      search->list.guesses[trial->guesses[i]].variant.at[SWITCH_TIME]);
    return has;
}

/* Parts of the origins with a mistake each. */
static void try_parts(struct node_search *s)
{
    struct search *search = s->search;
    struct part parts[PARTS_MOST];
    struct trial trial = {0};
    uint32_t *left = ARENA_NEW(search->arena, uint32_t, s->origin_count), left_count = s->origin_count;
    for (uint32_t i = 0; i < left_count; i++)
        left[i] = i;
    while (left_count > 0) {
        struct part *part = &parts[trial.count];
        if (trial.count == PARTS_MOST || !find_part(s, left, &left_count, part))
            return;
        if (s->search->list.guesses[part->guesses[0]].cause == CAUSE_QUANTISED && (trial.count > 0 || left_count > 0))
            continue; /* drift beside the others */
        trial.nodes[trial.count] = part->nodes;
        trial.guesses[trial.count++] = part->guesses[0];
    }
    if (trial.count > 2 && s->origin_count < 2 * trial.count) /* a mistake a bone explains anything */
        return;
    if (has_made_time(search, &trial, parts))
        return;
    keep_if_explained(search, &trial);
    for (uint32_t p = 0; p < trial.count && search->full_count > 0; p++)
        for (uint32_t i = 1; i < parts[p].guess_count; i++) {
            struct trial equal = trial;
            equal.guesses[p] = parts[p].guesses[i];
            keep_if_explained(search, &equal);
        }
}

uint32_t search_count_origins(struct search *search)
{
    struct node_search s = {.search = search, .evidence = search->evidence};
    if (search->evidence->bone_units < 2)
        return 1;
    assume_parents(&s);
    find_origins(&s);
    return s.origin_count > 0 ? s.origin_count : 1;
}

void search_nodes(struct search *search)
{
    struct node_search s = {.search = search, .evidence = search->evidence};
    if (search->evidence->bone_units == 0) /* what vertices make of a palette is shown by them again */
        s.evidence = evidence_solve(search->evidence, search->replay, search->arena);
    if (s.evidence->bone_units < 2)
        return;
    assume_parents(&s);
    find_origins(&s);
    if (s.origin_count == 0)
        return;
    add_channels(search);
    add_times(&s);
    if (search->scope == SCOPE_STAGE) {
        replay_set(search->replay, &(struct variant){.list = NULL});
        add_entries(&s);
    }
    try_parts(&s);
    if (search->full_count == 0 || search->full[0].count > 1)
        try_played(&s);
}
