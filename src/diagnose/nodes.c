/* Mistakes of some bones only: what is wrong with a bone itself, and not with those above it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/search.h"

enum { ORIGINS_MOST = 512, CHANNELS_MOST = 512, TIMED_MOST = 12, PASS_COUNT = 2 };

/* A bone that differs by more than its parent's global explains. */
struct origin {
    uint32_t unit;
    double was;
};

struct node_search {
    struct search *search;
    const struct evidence *evidence;
    struct matrix *parents[PASS_COUNT]; /* [node_count] globals that parents are taken to have, one guess after another */
    double noise;                       /* displacement that is nobody's mistake: drift of all bones */
    uint32_t origin_count;
    struct origin *origins;
    uint32_t form_count;
    float *gaps; /* [form_count x origin_count] displacement that a form leaves; INFINITY: it does not explain the origin */
};

static bool acts_on_nodes(const struct form *form)
{
    static const uint8_t whole[] = {SWITCH_LEFT, SWITCH_CONJUGATE, SWITCH_LOCAL_AXES, SWITCH_INDEX, SWITCH_NODES, SWITCH_PLACE};
    bool acts = false;
    for (size_t i = 0; i < sizeof whole; i++)
        if (form->way.at[whole[i]])
            return false;
    for (int at = 0; at < SWITCH_SKIN; at++)
        acts = acts || form->way.at[at];
    for (int at = SWITCH_SKIN; at < SWITCH_COUNT; at++)
        acts = acts && !form->way.at[at];
    return acts && !form->way.list;
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
        *out = scene->meshes[scene->instances[binding->instance].mesh].bone_count == 0 ? given->theirs
                                                                                      : matrix_mul(&given->theirs, &back);
        if (s->search->input->space == SPACE_ROOT) {
            const struct matrix *root = replay_rest(s->search->replay, 0);
            *out = matrix_mul(root, out);
        }
        return true;
    }
    return false;
}

/* First: theirs. Second: where the palette alone implies it, what the grandparent's and our own local make, as an entry may be
 * wrong while its bone is right. */
static void guess_parents(struct node_search *s)
{
    const struct scene *scene = s->search->input->scene;
    const struct unit **units = ARENA_NEW(s->search->arena, const struct unit *, scene->node_count);
    for (uint32_t i = 0; i < s->evidence->bone_units; i++)
        units[s->evidence->units[i].node] = s->evidence->units[i].is_finite ? &s->evidence->units[i] : NULL;
    for (int pass = 0; pass < PASS_COUNT; pass++)
        s->parents[pass] = ARENA_NEW(s->search->arena, struct matrix, scene->node_count);
    replay_set(s->search->replay, &(struct way){.list = NULL});
    for (uint32_t n = 0; n < scene->node_count; n++) {
        const int32_t parent = scene->nodes[n].parent;
        const struct matrix *local = &replay_local(s->search->replay, n)->matrix;
        struct matrix plain = parent == NO_INDEX ? *local : matrix_mul(&s->parents[0][parent], local);
        s->parents[0][n] = s->parents[1][n] = plain;
        if (units[n] && implied_global(s, units[n], &s->parents[0][n]) && units[n]->global != NO_INDEX)
            s->parents[1][n] = s->parents[0][n];
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of each unit the smaller displacement of both guesses, by the way. */
static void measure_units(struct node_search *s, const struct way *way, const uint32_t *units, uint32_t count, double *gaps)
{
    for (int pass = 0; pass < PASS_COUNT; pass++) {
        replay_set(s->search->replay, way);
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
    measure_units(s, &(struct way){.list = NULL}, units, count, gaps);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = gaps[i] = fmin(gaps[i], e->units[units[i]].was);
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    s->noise = count > 0 ? fmax(e->tolerance + e->rounding, fmin(8 * sorted[count / 4], 2e-3)) : e->tolerance;
    s->origins = ARENA_NEW(s->search->arena, struct origin, count);
    for (uint32_t i = 0; i < count && s->origin_count < ORIGINS_MOST; i++)
        if (gaps[i] > s->noise)
            s->origins[s->origin_count++] = (struct origin){units[i], gaps[i]};
}

/* The channel of another bone, for each that has one. */
static void add_channels(struct search *search)
{
    const struct diagnosis_input *input = search->input;
    for (uint32_t i = 0; input->clip && i < input->clip->channel_count && i < CHANNELS_MOST; i++) {
        const int32_t node = input->clip->channels[i].node;
        if (node == NO_INDEX || search->list.count >= search->known + FITTED_MOST)
            continue;
        const char *detail = arena_printf(search->arena, "that of `%s`", input->scene->nodes[node].name);
        form_add(&search->list, CAUSE_CHANNEL_OTHER, detail, SWITCH_CHANNEL, CHANNEL_OF_NODE, node);
    }
}

/* A bone at another time than the others. */
static void add_times(struct node_search *s)
{
    struct search *search = s->search;
    const struct way right = {.list = NULL};
    for (uint32_t i = 0; search->input->clip && i < s->origin_count && i < TIMED_MOST; i++) {
        const struct probes probe = {1, {s->origins[i].unit}};
        double seconds;
        replay_force_parents(search->replay, s->parents[0]);
        const bool is_found = fit_time(s->evidence, search->replay, &probe, &right, search->input->clip, 120, &seconds);
        replay_force_parents(search->replay, NULL);
        if (!is_found || search->list.count >= search->known + FITTED_MOST)
            continue;
        const char *detail = time_detail(seconds, replay_seconds(search->replay), NULL, search->arena);
        form_tell(form_add(&search->list, CAUSE_STALE_BONE, detail, SWITCH_TIME, AT_SECONDS, seconds), PARAMETER_SECONDS,
                  seconds);
    }
}

static void measure_forms(struct node_search *s)
{
    const struct form_list *list = &s->search->list;
    uint32_t *units = ARENA_NEW(s->search->arena, uint32_t, s->origin_count);
    double *gaps = ARENA_NEW(s->search->arena, double, s->origin_count);
    s->form_count = list->count;
    s->gaps = ARENA_NEW(s->search->arena, float, (size_t)list->count * s->origin_count);
    for (uint32_t i = 0; i < s->origin_count; i++)
        units[i] = s->origins[i].unit;
    for (uint32_t f = 0; f < list->count; f++) {
        const bool acts = acts_on_nodes(&list->forms[f]);
        if (acts)
            measure_units(s, &list->forms[f].way, units, s->origin_count, gaps);
        for (uint32_t i = 0; i < s->origin_count; i++) {
            const double was = s->origins[i].was;
            const bool explains = acts && gaps[i] <= 0.1 * was && gaps[i] <= s->noise + 1e-6 * fmin(was, 1e3);
            s->gaps[(size_t)f * s->origin_count + i] = explains ? (float)gaps[i] : INFINITY;
        }
    }
}

/* How many of these origins a form explains, and how well: the worst of what it leaves. */
static uint32_t count_explained(const struct node_search *s, uint32_t form, const bool *of, double *worst)
{
    uint32_t count = 0;
    *worst = 0;
    for (uint32_t i = 0; i < s->origin_count; i++) {
        const double gap = (double)s->gaps[(size_t)form * s->origin_count + i];
        if (!of[i] || !(gap < INFINITY))
            continue;
        count++;
        *worst = fmax(*worst, gap);
    }
    return count;
}

/* The form that explains most of these origins, of equals the one that leaves much less, or else comes first. Of one cause, or of
 * CAUSE_COUNT: of any. */
static uint32_t best_form(const struct node_search *s, const bool *of, enum cause_index cause, uint32_t *most)
{
    uint32_t best = 0;
    double least = INFINITY, worst;
    *most = 0;
    for (uint32_t f = 0; f < s->form_count; f++) {
        if (cause != CAUSE_COUNT && s->search->list.forms[f].cause != cause)
            continue;
        const uint32_t count = count_explained(s, f, of, &worst);
        const bool is_closer = count == *most && count > 0 && worst < 0.25 * least && least > 0.1 * s->evidence->tolerance;
        if (count > *most || is_closer) {
            *most = count;
            best = f;
            least = worst;
        }
    }
    return best;
}

/* The forms that explain most, one after another, and of which origins. */
static bool choose_parts(struct node_search *s, struct trial *trial, const bool **parts)
{
    const uint32_t count = s->origin_count;
    bool *left = ARENA_NEW(s->search->arena, bool, count);
    uint32_t open = count, most;
    memset(left, 1, count);
    while (open > 0 && trial->count < PARTS_MOST) {
        const uint32_t best = best_form(s, left, CAUSE_COUNT, &most);
        if (most == 0)
            return false;
        bool *part = ARENA_NEW(s->search->arena, bool, count);
        bool *nodes = ARENA_NEW(s->search->arena, bool, s->search->input->scene->node_count);
        for (uint32_t i = 0; i < count; i++)
            if (left[i] && s->gaps[(size_t)best * count + i] < INFINITY) {
                part[i] = nodes[s->evidence->units[s->origins[i].unit].node] = true;
                left[i] = false;
            }
        open -= most;
        parts[trial->count] = part;
        trial->nodes[trial->count] = nodes;
        trial->forms[trial->count++] = best;
    }
    return open == 0;
}

/* What is left is drift: not more than a hundredth of the squares, and no bone is worse off. */
static void keep_if_explained(struct search *search, struct trial *trial)
{
    struct way way;
    if (search->full_count == FULL_MOST || !trial_way(search, trial, &way))
        return;
    trial->score = evidence_score(search->evidence, search->replay, &way, 1);
    if (explains_main(&trial->score))
        search->full[search->full_count++] = *trial;
}

void search_nodes(struct search *search)
{
    struct node_search s = {.search = search, .evidence = search->evidence};
    const bool *parts[PARTS_MOST];
    struct trial trial = {0};
    if (search->evidence->bone_units < 2)
        return;
    guess_parents(&s);
    find_origins(&s);
    if (s.origin_count == 0)
        return;
    add_channels(search);
    add_times(&s);
    measure_forms(&s);
    if (!choose_parts(&s, &trial, parts))
        return;
    keep_if_explained(search, &trial);
    for (uint32_t p = 0; p < trial.count && search->full_count > 0; p++)
        for (enum cause_index cause = 0; cause < CAUSE_COUNT; cause++) { /* what explains a part as well */
            uint32_t wanted = 0, most;
            struct trial equal = trial;
            equal.forms[p] = best_form(&s, parts[p], cause, &most);
            for (uint32_t i = 0; i < s.origin_count; i++)
                wanted += parts[p][i];
            if (most == wanted && cause != search->list.forms[trial.forms[p]].cause)
                keep_if_explained(search, &equal);
        }
}
