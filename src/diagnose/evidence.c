#include "diagnose/evidence.h"

#include <math.h>

#include "data/vector.h"

void evidence_points(const double center[3], double reach, double points[4][3])
{
    for (int p = 0; p < 4; p++)
        for (int k = 0; k < 3; k++)
            points[p][k] = center[k] + (p == k + 1 ? reach : 0);
}

/* The largest displacement of the points, of what is also large by its rounding. The last row counts as well, unless
 * theirs is twelve numbers, which have none. */
static double measure(const struct evidence *e, const struct matrix *theirs, const struct matrix *ours,
                      const double points[4][3], double scale)
{
    double worst = 0, largest = 0;
    int rows = theirs->at[0][3] == 0 && theirs->at[1][3] == 0 && theirs->at[2][3] == 0 && theirs->at[3][3] == 1 ? 3 : 4;
    for (int p = 0; p < 4; p++) {
        double gap = 0, size = 0;
        for (int r = 0; r < rows; r++) {
            double unit = r == 3 ? e->radius : scale, a = theirs->at[3][r], b = ours->at[3][r];
            for (int c = 0; c < 3; c++) {
                a += theirs->at[c][r] * points[p][c];
                b += ours->at[c][r] * points[p][c];
            }
            gap += (a - b) * (a - b) * unit * unit;
            size += a * a * unit * unit;
        }
        worst = worse(worst, gap);
        largest = fmax(largest, size);
    }
    double share = sqrt(worst) / fmax(e->radius, 0.02 * sqrt(largest));
    return fmin(worse(share, 0), 1e30);
}

/* Measures a local against the matrix placed as all is, or taken apart and put together again. Where locals do not
 * stand alone also against the matrix before that, and what translation, rotation and scale would make: a
 * decomposition hides how they were put together. */
static double measure_local(const struct evidence *e, struct replay *replay, const struct given_local *given)
{
    const struct local_parts *local = replay_local(replay, given->node);
    const struct matrix placed = replay_placed_local(replay, given->node);
    struct matrix guesses[4] = {placed, matrix_components(&placed, COMPONENTS_ALL)};
    int count = e->is_strict ? 2 : 4;
    double points[4][3], least = INFINITY;
    if (!e->is_strict) {
        struct transform parts;
        for (int i = 0; i < 4; i++)
            parts.rotation[i] = (float)local->rotation[i];
        for (int i = 0; i < 3; i++) {
            parts.translation[i] = (float)local->translation[i];
            parts.scale[i] = (float)local->scale[i];
        }
        guesses[2] = local->matrix;
        guesses[3] = transform_components(&parts, COMPONENTS_ALL);
    }
    evidence_points((const double[3]){0, 0, 0}, given->reach, points);
    for (int i = 0; i < count && least > 0.1 * e->tolerance; i++)
        least = fmin(least, measure(e, &given->theirs, &guesses[i], (const double(*)[3])points, given->scale));
    return least;
}

static double measure_skinned(const struct evidence *e, struct replay *replay, const struct given_vertex *given)
{
    double position[3], normal[3], gap[3], turned[3], size = vec3_length(given->position);
    if (!replay_vertex(replay, given->instance, given->vertex, position, normal))
        return -1;
    for (int k = 0; k < 3; k++) {
        gap[k] = given->position[k] - position[k];
        turned[k] = given->has_normal ? given->normal[k] - normal[k] : 0;
    }
    double apart = vec3d_length(gap) / fmax(e->radius, 0.02 * size), askew = 0.01 * vec3d_length(turned);
    return fmin(worse(apart, askew), 1e30);
}

static double measure_vertex(const struct evidence *e, struct replay *replay, const struct given_vertex *given)
{
    double gap = measure_skinned(e, replay, given);
    for (int i = 1; i < TIES_COUNT && gap > e->tolerance && replay_turn_ties(replay); i++)
        gap = fmin(gap, measure_skinned(e, replay, given));
    return gap;
}

double evidence_measure(const struct evidence *e, struct replay *replay, const struct unit *unit)
{
    double worst = -1;
    if (unit->local != NO_INDEX)
        worst = worse(worst, measure_local(e, replay, &e->locals[unit->local]));
    if (unit->global != NO_INDEX) {
        const struct given_matrix *given = &e->globals[unit->global];
        struct matrix ours = replay_global(replay, given->about);
        worst = worse(worst, measure(e, &given->theirs, &ours, (const double(*)[3])given->points, given->scale));
    }
    for (uint32_t i = 0; i < unit->entry_count; i++) {
        const struct given_matrix *given = &e->entries[unit->first_entry + i];
        struct matrix ours;
        if (!replay_entry(replay, given->about, &ours))
            return -1; /* half a bone that agrees is no bone that does */
        worst = worse(worst, measure(e, &given->theirs, &ours, (const double(*)[3])given->points, given->scale));
    }
    if (unit->vertex != NO_INDEX)
        worst = worse(worst, measure_vertex(e, replay, &e->vertices[unit->vertex]));
    return worst;
}

void evidence_by_stage(const struct evidence *e, struct replay *replay, double worst[CAUSE_STAGES])
{
    for (int i = 0; i < CAUSE_STAGES; i++)
        worst[i] = 0;
    replay_set(replay, &(struct variant){.list = NULL});
    for (uint32_t i = 0; i < e->unit_count; i++) {
        struct unit local = e->units[i], rest = local;
        if (!local.is_finite)
            continue;
        local.global = NO_INDEX;
        local.entry_count = 0;
        rest.local = NO_INDEX;
        worst[CAUSE_ANIMATE] = worse(worst[CAUSE_ANIMATE], evidence_measure(e, replay, &local));
        enum cause_stage stage = rest.vertex != NO_INDEX ? CAUSE_SKIN : CAUSE_PALETTE;
        worst[stage] = worse(worst[stage], evidence_measure(e, replay, &rest));
    }
}

/* Theirs are floats, which round relative to how far away they are; weights of 255 magnify what was rounded before.
 * Where our own is no number that grants nothing. */
static double limit_of(const struct evidence *e, const struct unit *unit)
{
    const double was = fmin(unit->was, 1e3);
    return e->tolerance + e->rounding + 1e-6 * was + 1e-5 * fmax(was - 1, 0);
}

struct score evidence_score(const struct evidence *e, struct replay *replay, const struct variant *variant,
                            uint32_t stride)
{
    struct score score = {.is_full = true};
    /* shifted in at an end: of few bones that is anything */
    uint32_t seen = 0, few = e->unit_count / stride, indexed = 0, unsaid = 0;
    replay_set(replay, variant);
    for (uint32_t i = 0; i < e->unit_count; i++) {
        const struct unit *unit = &e->units[i];
        bool is_looked_at = i % stride == 0 || (e->differ_count <= few && unit->was > e->tolerance);
        if (!unit->is_finite || !is_looked_at)
            continue;
        double now = evidence_measure(e, replay, unit);
        seen++;
        indexed += unit->entry_count > 0 || unit->vertex != NO_INDEX;
        unsaid += now < 0 && variant->at[SWITCH_INDEX];
        if (now < 0) { /* a bone that there is no room for has no entry: theirs has one */
            score.is_full = score.is_full && !(variant->at[SWITCH_CUT] && unit->was > e->tolerance);
            continue;
        }
        bool differed = unit->was > e->tolerance, differs = now > limit_of(e, unit);
        score.said++;
        if (differed || differs) { /* others' rounding is nobody's mistake */
            score.worst = worse(score.worst, now);
            score.was += unit->was * unit->was;
            score.left += fmin(now * now, 1e30);
        }
        score.explained += differed && !differs;
        score.broken += !differed && differs;
        score.worse_off += now > 1.05 * unit->was + limit_of(e, unit);
        score.is_full = score.is_full && !differs;
    }
    score.is_said = 2 * score.said >= seen && 4 * unsaid <= indexed;
    score.is_full = score.is_full && score.explained > 0 && score.is_said;
    return score;
}

bool evidence_probe(const struct evidence *e, struct replay *replay, const struct variant *variant,
                    const uint32_t *probes, uint32_t probe_count)
{
    replay_set(replay, variant);
    for (uint32_t i = 0; i < probe_count; i++)
        if (evidence_measure(e, replay, &e->units[probes[i]]) > limit_of(e, &e->units[probes[i]]))
            return false;
    return true;
}

size_t evidence_number_count(const struct evidence *e, uint32_t stride)
{
    size_t count = 0;
    for (uint32_t i = 0; i < e->unit_count; i += stride) {
        const struct unit *unit = &e->units[i];
        count += 16 * ((size_t)(unit->local != NO_INDEX) + (unit->global != NO_INDEX) + unit->entry_count) +
                 6 * (size_t)(unit->vertex != NO_INDEX);
    }
    return count;
}

static size_t put(const struct evidence *e, const struct matrix *m, double scale, double *out)
{
    for (int i = 0; i < 16; i++)
        out[i] = m->at[i / 4][i % 4] * (i >= 12 && i < 15 ? scale / e->radius : 1);
    return 16;
}

static size_t put_unit(const struct evidence *e, struct replay *replay, bool is_theirs, const struct unit *unit,
                       double *out)
{
    size_t n = 0;
    if (unit->local != NO_INDEX) {
        const struct given_local *given = &e->locals[unit->local];
        n += put(e, is_theirs ? &given->theirs : &replay_local(replay, given->node)->matrix, given->scale, out + n);
    }
    if (unit->global != NO_INDEX) {
        const struct given_matrix *given = &e->globals[unit->global];
        struct matrix m = is_theirs ? given->theirs : replay_global(replay, given->about);
        n += put(e, &m, 1, out + n);
    }
    for (uint32_t i = 0; i < unit->entry_count; i++) {
        const struct given_matrix *given = &e->entries[unit->first_entry + i];
        struct matrix m = given->theirs;
        if (!is_theirs && !replay_entry(replay, given->about, &m))
            m = given->theirs;
        n += put(e, &m, 1, out + n);
    }
    if (unit->vertex != NO_INDEX) {
        const struct given_vertex *given = &e->vertices[unit->vertex];
        double position[3], normal[3];
        bool is_said = !is_theirs && replay_vertex(replay, given->instance, given->vertex, position, normal);
        for (int k = 0; k < 3; k++) {
            out[n++] = (is_said ? position[k] : (double)given->position[k]) / e->radius;
            out[n++] = given->has_normal ? 0.01 * (is_said ? normal[k] : (double)given->normal[k]) : 0;
        }
    }
    return n;
}

size_t evidence_numbers(const struct evidence *e, struct replay *replay, const struct variant *variant, uint32_t stride,
                        double *out)
{
    size_t n = 0;
    if (variant)
        replay_set(replay, variant);
    for (uint32_t i = 0; i < e->unit_count; i += stride)
        if (e->units[i].is_finite)
            n += put_unit(e, replay, !variant, &e->units[i], out + n);
    return n;
}

double evidence_entry_gap(const struct evidence *e, uint32_t entry, const struct matrix *ours)
{
    const struct given_matrix *given = &e->entries[entry];
    return measure(e, &given->theirs, ours, (const double(*)[3])given->points, given->scale);
}
