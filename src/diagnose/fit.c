#include "diagnose/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/vector.h"

enum {
    FITTED_LEAST = 4, /* units: fewer are explained by a matrix and anything */
    FITTED_UNITS = 400,
    SAMPLED = 20,
    GRID = 240,
    CLIPS_MOST = 32,
    RATIO_ROUNDS = 4,
    FRAMES_MOST = 60, /* a second, of those that are seen in a time */
    LIMIT_LEAST = 3 /* bones: room for fewer would be too easily found */
};

static void choose(struct probes *probes, uint32_t unit)
{
    for (uint32_t i = 0; i < probes->count; i++)
        if (probes->units[i] == unit)
            return;
    if (probes->count < PROBES_MOST)
        probes->units[probes->count++] = unit;
}

/* Chooses among units [from, to): the first that differs, the worst, the least of them, the last, and one that
 * agrees. */
static void choose_in(const struct evidence *e, uint32_t from, uint32_t to, struct probes *probes)
{
    uint32_t first = to, worst = to, least = to, last = to, agrees = to;
    for (uint32_t i = from; i < to; i++) {
        const struct unit *unit = &e->units[i];
        if (!unit->is_finite)
            continue;
        if (!(unit->was > e->tolerance)) {
            agrees = i;
            continue;
        }
        first = first == to ? i : first;
        worst = worst == to || unit->was > e->units[worst].was ? i : worst;
        least = least == to || unit->was < e->units[least].was ? i : least;
        last = i;
    }
    const uint32_t chosen[] = {first, worst, last, least, agrees};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        if (chosen[i] < to)
            choose(probes, chosen[i]);
}

struct probes probes_choose(const struct evidence *e)
{
    struct probes probes = {0};
    choose_in(e, 0, e->bone_units, &probes);
    choose_in(e, e->bone_units, e->unit_count, &probes);
    return probes;
}

/* A thousandth of a frame, of 60 a second: less is rounding, and no cause. */
static const double TIME_LEAST = 1e-3 / 60;

/* Where a clip's time is right, a step of the grid from it costs less than this share of the mean. */
static const double VALLEY = 0.7;

/* A variant whose switch `at` has a time for its number. */
struct line {
    const struct evidence *evidence;
    struct replay *replay;
    const struct probes *probes;
    struct variant variant;
    enum pipeline_switch at;
};

/* Returns how far the probes are off at a time; what differs by more than the model's size is no worse than that. */
static double cost_at(struct line *line, double seconds)
{
    double cost = 0;
    line->variant.number[line->at] = seconds;
    replay_set(line->replay, &line->variant);
    for (uint32_t i = 0; i < line->probes->count; i++) {
        double gap = evidence_measure(line->evidence, line->replay, &line->evidence->units[line->probes->units[i]]);
        cost += fmin(gap < 0 ? 0 : gap, 2);
    }
    return cost;
}

/* The smallest between two times: golden section. */
static double refine(struct line *line, double low, double high)
{
    const double share = 0.6180339887498949;
    double a = high - share * (high - low), b = low + share * (high - low);
    double cost_a = cost_at(line, a), cost_b = cost_at(line, b);
    for (int i = 0; i < 48; i++) {
        if (cost_a <= cost_b) {
            high = b;
            b = a;
            cost_b = cost_a;
            a = high - share * (high - low);
            cost_a = cost_at(line, a);
        } else {
            low = a;
            a = b;
            cost_a = cost_b;
            b = low + share * (high - low);
            cost_b = cost_at(line, b);
        }
    }
    return cost_a <= cost_b ? a : b;
}

/* `nearest`: what comes nearest where none is theirs to rounding; or NULL. */
static bool fit_line(struct line *line, double duration, uint32_t steps, double *seconds, double *nearest)
{
    double costs[GRID + 1], least = INFINITY;
    steps = steps < GRID ? steps : GRID;
    if (!(duration > 0))
        return false;
    double sum = 0;
    for (uint32_t i = 0; i <= steps; i++) {
        costs[i] = cost_at(line, duration * i / steps);
        sum += costs[i];
    }
    for (int round = 0; round < 3; round++) { /* the best valleys of the grid, one after another */
        uint32_t best = 0;
        for (uint32_t i = 1; i <= steps; i++)
            best = costs[i] < costs[best] ? i : best;
        if (!(costs[best] < 2 * line->probes->count) ||
            costs[best] > VALLEY * sum / (steps + 1)) /* no time is better than others */
            return false;
        double low = duration * (best > 0 ? best - 1 : 0) / steps;
        double high = duration * (best < steps ? best + 1 : steps) / steps;
        double found = refine(line, low, high);
        const double cost = cost_at(line, found);
        if (nearest && cost < least) {
            least = cost;
            *nearest = found;
        }
        if (evidence_probe(line->evidence, line->replay, &line->variant, line->probes->units, line->probes->count)) {
            *seconds = found;
            return true;
        }
        for (uint32_t i = best > 2 ? best - 2 : 0; i <= steps && i <= best + 2; i++)
            costs[i] = INFINITY;
    }
    return false;
}

bool fit_time(const struct evidence *e, struct replay *replay, const struct probes *probes,
              const struct variant *variant, const struct clip *clip, uint32_t steps, double *seconds, double *nearest)
{
    struct line line = {e, replay, probes, *variant, SWITCH_TIME};
    line.variant.at[SWITCH_TIME] = AT_SECONDS;
    return !variant->at[SWITCH_TIME] && fit_line(&line, clip->duration, steps, seconds, nearest);
}

/* Fits the time whose globals the parents have. */
static void fit_stale(const struct evidence *e, struct replay *replay, const struct probes *probes,
                      struct guess_list *list)
{
    struct line line = {e, replay, probes, {.list = NULL}, SWITCH_STALE};
    double seconds;
    for (unsigned rule = STALE_TIME; rule <= STALE_TWO && e->input->clip; rule++) {
        line.variant.at[SWITCH_STALE] = (uint8_t)rule;
        if (!fit_line(&line, e->input->clip->duration, GRID, &seconds, NULL))
            continue;
        const char *detail = rule == STALE_EACH ? arena_printf(list->arena, "%.4f s before, a generation", seconds)
                                                : arena_printf(list->arena, "that of %.4f s%s", seconds,
                                                               rule == STALE_TWO ? ", with none above it" : "");
        guess_set(guess_add(list, CAUSE_STALE_PARENT, detail, SWITCH_STALE, rule, seconds), PARAMETER_SECONDS, seconds);
    }
}

/* Returns where the last of a vertex's bones stands in a list. */
static uint32_t last_place(const struct replay *replay, const struct scene *scene, unsigned list,
                           const struct given_vertex *given)
{
    const struct instance *instance = &scene->instances[given->instance];
    const struct mesh *mesh = &scene->meshes[instance->mesh];
    uint32_t last = 0;
    for (uint32_t k = mesh->bone_count ? mesh->influence_first[given->vertex] : 0;
         mesh->bone_count && k < mesh->influence_first[given->vertex + 1]; k++) {
        uint32_t place = replay_place(replay, list, instance->first_binding + mesh->influences[k].bone);
        last = place > last ? place : last;
    }
    return last;
}

/* The number of the first bone that there is no room for: the least that differs; or, of vertices, the least of the
 * last bones of those that differ. */
static void fit_cut(const struct evidence *e, const struct replay *replay, const bool *differ,
                    struct guess_list *guesses)
{
    for (unsigned list = 0; list < LIST_COUNT; list++) {
        uint32_t least = UINT32_MAX;
        for (uint32_t i = 0; i < e->unit_count; i++) {
            const struct unit *unit = &e->units[i];
            const bool differs = differ[i];
            uint32_t last = least;
            for (uint32_t k = 0; k < unit->entry_count && differs; k++) {
                uint32_t place = replay_place(replay, list, e->entries[unit->first_entry + k].about);
                last = place < last ? place : last;
            }
            if (unit->vertex != NO_INDEX && differs)
                last = last_place(replay, e->input->scene, list, &e->vertices[unit->vertex]);
            least = last < least ? last : least;
        }
        if (least >= LIMIT_LEAST && least != UINT32_MAX)
            guess_add_cuts(guesses, list, least);
    }
}

/* Says of each unit if it differs when computed by the variant; NULL: by the right one. */
static const bool *find_differing(const struct evidence *e, struct replay *replay, const struct variant *variant,
                                  struct arena *arena)
{
    bool *differ = ARENA_NEW(arena, bool, e->unit_count);
    if (variant)
        replay_set(replay, variant);
    for (uint32_t i = 0; i < e->unit_count; i++)
        differ[i] = (variant ? evidence_measure(e, replay, &e->units[i]) : e->units[i].was) > e->tolerance;
    return differ;
}

/* The same time as a rate at which the clip plays, of a few rounds of a loop that whose rate is the simplest; and as
 * whole frames. */
static void add_ratio(const struct diagnosis_input *input, double seconds, struct guess_list *list)
{
    double best = INFINITY, ratio = 0;
    for (int round = 0; round < RATIO_ROUNDS && fabs(input->time) > 1e-6; round++) {
        const double rate = (seconds + round * input->clip->duration) / input->time;
        const double odd = fabs(rate * 20 - nearbyint(rate * 20)) + 0.01 * round;
        if (odd < best) {
            best = odd;
            ratio = rate;
        }
    }
    if (isinf(best))
        return;
    const double reference = wrap_time(input->time, input->clip->duration, input->wrap);
    const char *detail = time_detail(
        seconds, reference, arena_printf(list->arena, "%.6g times as fast", ratio), list->arena);
    guess_set(guess_add(list, CAUSE_TIME_SCALE, detail, SWITCH_TIME, AT_SECONDS, seconds), PARAMETER_FACTOR, ratio);
    for (int rate = 5; rate <= FRAMES_MOST; rate++) { /* whole frames of a rate, next to the time: the fewest */
        const double frames = seconds * rate;
        if (fabs(frames - nearbyint(frames)) > 2e-4 || fabs(seconds - reference) * rate > 1)
            continue;
        detail = time_detail(seconds, reference, arena_printf(list->arena, "%d frames a second", rate), list->arena);
        guess_set(guess_add(list, CAUSE_TIME_ROUNDED, detail, SWITCH_TIME, AT_SECONDS, seconds), PARAMETER_RATE, rate);
        return;
    }
}

static void fit_times(const struct evidence *e, struct replay *replay, const struct probes *probes,
                      struct guess_list *list)
{
    const struct diagnosis_input *input = e->input;
    const struct variant right = {.list = NULL};
    double seconds, reference = replay_seconds(replay), nearest = NAN;
    if (input->clip && !fit_time(e, replay, probes, &right, input->clip, GRID, &seconds, &nearest))
        seconds = nearest; /* what is left may be drift */
    if (input->clip && fabs(seconds - reference) >= TIME_LEAST) {
        const char *detail = time_detail(seconds, reference, NULL, list->arena);
        guess_set(guess_add(list, CAUSE_TIME_SHIFT, detail, SWITCH_TIME, AT_SECONDS, seconds), PARAMETER_SECONDS,
                  seconds);
        add_ratio(input, seconds, list);
    }
    for (uint32_t c = 0; c < input->scene->clip_count && c < CLIPS_MOST; c++) {
        const struct clip *clip = &input->scene->clips[c];
        struct variant other = {.list = NULL};
        other.at[SWITCH_CLIP] = CLIP_NUMBER;
        other.number[SWITCH_CLIP] = c;
        if (clip == input->clip || !fit_time(e, replay, probes, &other, clip, GRID / 2, &seconds, NULL))
            continue;
        const char *detail = arena_printf(list->arena, "`%s` at %.4f s", clip->name, seconds);
        struct guess *guess = guess_add(list, CAUSE_OTHER_CLIP, detail, SWITCH_CLIP, CLIP_NUMBER, c);
        guess->variant.at[SWITCH_TIME] = AT_SECONDS;
        guess->variant.number[SWITCH_TIME] = seconds;
        guess_set(guess, PARAMETER_SECONDS, seconds);
    }
}

/* All that is given is linear in the factor, whatever else the variant does: two points of the line, and theirs beside
 * it. */
static void fit_factor(const struct evidence *e, struct replay *replay, const struct variant *base, uint32_t stride,
                       enum pipeline_switch at, unsigned value, const char *what, struct guess_list *list)
{
    size_t room = evidence_number_count(e, stride);
    double *theirs = ARENA_NEW(list->arena, double, room), *one = ARENA_NEW(list->arena, double, room);
    double *two = ARENA_NEW(list->arena, double, room), along = 0, square = 0;
    struct variant variant = *base;
    variant.at[at] = (uint8_t)value;
    variant.number[at] = 1;
    size_t count = evidence_numbers(e, replay, &variant, stride, one);
    variant.number[at] = 2;
    evidence_numbers(e, replay, &variant, stride, two);
    evidence_numbers(e, replay, NULL, stride, theirs);
    for (size_t i = 0; i < count; i++) {
        along += (theirs[i] - one[i]) * (two[i] - one[i]);
        square += (two[i] - one[i]) * (two[i] - one[i]);
    }
    double factor = 1 + along / square;
    if (!(square > 1e-12) || !isfinite(factor) || fabs(factor) < 1e-6 || fabs(factor) > 1e6)
        return;
    const char *detail = arena_printf(list->arena, "%s times %.6g", what, factor);
    guess_set(guess_add(list, CAUSE_UNIT_SCALE, detail, at, value, factor), PARAMETER_FACTOR, factor);
}

static const uint32_t columns[] = {0, 1, 2, 3}; /* of a matrix that is solved for */

/* Adds where both matrices put the points that are measured at. */
static void add_matrix(struct system *sum, const struct given_matrix *given, const struct matrix *ours)
{
    for (int p = 0; p < 4; p++) {
        double at[4] = {0, 0, 0, 1}, to[3];
        for (int r = 0; r < 3; r++) {
            at[r] = ours->at[3][r];
            to[r] = given->theirs.at[3][r];
            for (int c = 0; c < 3; c++) {
                at[r] += ours->at[c][r] * given->points[p][c];
                to[r] += given->theirs.at[c][r] * given->points[p][c];
            }
        }
        system_add(sum, 4, columns, at, to);
    }
}

/* Turns, moves and scales evenly, as a view or a world matrix does. */
static bool is_similarity(const struct matrix *m)
{
    const double square = vec3d_dot(m->at[0], m->at[0]);
    bool is = square > 1e-12;
    for (int i = 0; i < 3; i++) {
        is = is && fabs(vec3d_dot(m->at[i], m->at[i]) - square) <= 1e-3 * square;
        is = is && fabs(vec3d_dot(m->at[i], m->at[(i + 1) % 3])) <= 1e-3 * square;
    }
    return is;
}

/* The matrix on the left of all that makes what the variant gives theirs, by least squares. */
static void fit_left(const struct evidence *e, struct replay *replay, const struct variant *base, uint32_t stride,
                     struct guess_list *list)
{
    double a[16] = {0}, b[4][3] = {{0}}, diagonal[4];
    struct system sum = {4, a, b, diagonal};
    if (e->unit_count < 2) /* of one it is anything */
        return;
    struct matrix *left = ARENA_NEW(list->arena, struct matrix, 1);
    replay_set(replay, base);
    for (uint32_t i = 0; i < e->unit_count; i += stride) {
        const struct unit *unit = &e->units[i];
        struct matrix ours;
        double position[3], normal[3];
        if (!unit->is_finite)
            continue;
        for (uint32_t k = 0; k < unit->entry_count; k++)
            if (replay_entry(replay, e->entries[unit->first_entry + k].about, &ours))
                add_matrix(&sum, &e->entries[unit->first_entry + k], &ours);
        if (unit->global != NO_INDEX) {
            ours = replay_global(replay, e->globals[unit->global].about);
            add_matrix(&sum, &e->globals[unit->global], &ours);
        }
        const struct given_vertex *vertex = unit->vertex == NO_INDEX ? NULL : &e->vertices[unit->vertex];
        if (vertex && replay_vertex(replay, vertex->instance, vertex->vertex, position, normal))
            system_add(
                &sum, 4, columns, (double[]){position[0], position[1], position[2], 1},
                (double[]){(double)vertex->position[0], (double)vertex->position[1], (double)vertex->position[2]});
    }
    system_solve(&sum);
    if (!(fmin(fmin(diagonal[0], diagonal[1]), fmin(diagonal[2], diagonal[3])) > 0))
        return;
    *left = matrix_identity;
    for (int c = 0; c < 4; c++)
        memcpy(left->at[c], b[c], sizeof b[c]);
    if (!is_similarity(left) || matrix_determinant(left) < 0) /* no view mirrors */
        return;
    struct guess *guess = guess_add(list, CAUSE_CAMERA, NULL, SWITCH_LEFT, LEFT_MATRIX, 0);
    guess->variant.left = left;
    guess->is_alone = guess->is_loose = true;
}

/* Lengths and places: four factors and a matrix, by so many units at most. */
static void fit_places(const struct evidence *e, struct replay *replay, const struct variant *variant, uint32_t most,
                       struct guess_list *list)
{
    static const struct {
        enum pipeline_switch at;
        unsigned value;
        const char *what;
    } factors[] = {{SWITCH_CONJUGATE, UNIFORM, "all lengths"},
                   {SWITCH_LEFT, UNIFORM, "a scale at the root"},
                   {SWITCH_KEY_SCALE, BY_FACTOR, "translation keys"},
                   {SWITCH_KEY_SCALE, REST_BY_FACTOR, "translations without keys"},
                   {SWITCH_OFFSET_SCALE, BY_FACTOR, "offset matrices"}};
    const uint32_t stride = e->unit_count / most + 1;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        fit_factor(e, replay, variant, stride, factors[i].at, factors[i].value, factors[i].what, list);
    fit_left(e, replay, variant, stride, list);
}

void fit_beside(const struct evidence *e, struct replay *replay, const struct probes *probes,
                const struct variant *variant, struct guess_list *list)
{
    const struct clip *clip = e->input->clip;
    double seconds;
    if (variant->at[SWITCH_LEFT] || variant->at[SWITCH_CONJUGATE])
        return;
    if (clip && !variant->at[SWITCH_CLIP] && fit_time(e, replay, probes, variant, clip, GRID / 4, &seconds, NULL))
        guess_set(guess_add(list, CAUSE_TIME_SHIFT, time_detail(seconds, replay_seconds(replay), NULL, list->arena),
                            SWITCH_TIME, AT_SECONDS, seconds),
                  PARAMETER_SECONDS, seconds);
    if (e->entry_count > 0 && e->unit_count <= FITTED_UNITS)
        fit_cut(e, replay, find_differing(e, replay, variant, list->arena), list);
    if (e->unit_count >= FITTED_LEAST)
        fit_places(e, replay, variant, SAMPLED, list);
}

void fit_guesses(const struct evidence *e, struct replay *replay, const struct probes *probes, bool of_vertices,
                 struct guess_list *list)
{
    fit_cut(e, replay, find_differing(e, replay, NULL, list->arena), list);
    if (e->entry_count == 0 && e->vertex_count > 0)
        fit_solved(e, replay, of_vertices, list);
    if (of_vertices)
        return;
    fit_places(e, replay, &(struct variant){.list = NULL}, FITTED_UNITS, list);
    fit_times(e, replay, probes, list);
    fit_stale(e, replay, probes, list);
    fit_list(e, replay, false, list);
    fit_list(e, replay, true, list);
}
