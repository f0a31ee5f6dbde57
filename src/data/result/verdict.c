#include "data/result/verdict.h"

#include <stdarg.h>
#include <string.h>

#include "base/names.h"
#include "base/sort.h"

const char *const stage_names[1 + STAGE_COUNT] = {"none", "import", "animate", "palette", "skin", "draw"};

const struct tolerance tolerance_defaults = {
#define ROW(member, type, key, standard, most, flags) .member = standard,
    TOLERANCES(ROW) PIXEL_TOLERANCES(ROW)
#undef ROW
};

const struct finding finding_none = {
    .stage = STAGE_NONE,
    .time = NAN,
    .displacement = NAN,
    .distance = NAN,
    .degrees = NAN,
    .translation = NAN,
    .scale_percent = NAN,
    .text = "",
    .measure = INFINITY,
    .explained = STAGE_NONE,
};

const char *const tolerance_key_names[TOLERANCE_COUNT] = {
    "none",
#define ROW(name, member, ...) #member,
    MEASURES(ROW)
#undef ROW
};

static const struct {
    enum stage stage;
    double sane;
    const char *risk, *differs;
} measures[TOLERANCE_COUNT] = {
    {STAGE_NONE},
#define ROW(name, member, stage, key, flags, sane, risk, differs) {STAGE_##stage, sane, risk, differs},
    MEASURES(ROW)
#undef ROW
};

enum stage tolerance_stage(enum tolerance_key key)
{
    return measures[key].stage;
}

const char *tolerance_differs(enum tolerance_key key)
{
    return measures[key].differs;
}

double tolerance_of(const struct tolerance *tolerance, enum tolerance_key key)
{
    const double limits[TOLERANCE_COUNT] = {
        0,
#define ROW(name, member, ...) tolerance->member,
        MEASURES(ROW)
#undef ROW
    };
    return limits[key];
}

double tolerance_most(enum tolerance_key key)
{
#define ROW(member, type, key, standard, most, flags) .member = most,
    static const struct tolerance largest = {TOLERANCES(ROW) PIXEL_TOLERANCES(ROW)};
#undef ROW
    return key == TOLERANCE_NONE ? 1 : tolerance_of(&largest, key);
}

const char *tolerance_risk(enum tolerance_key key, double tolerance)
{
    return tolerance > measures[key].sane ? measures[key].risk : NULL;
}

const char *stage_name(enum stage stage)
{
    return stage_names[1 + stage];
}

enum stage stage_find(const char *name)
{
    const char *const *found = NAMED(stage_names, 1 + STAGE_COUNT, name);
    return found ? (enum stage)(found - stage_names - 1) : STAGE_NONE;
}

static bool is_not_asked(const struct findings *findings, enum stage stage)
{
    return stage != STAGE_NONE && (findings->not_asked >> stage & 1);
}

/* The import is compared once: of two things that differ in the same way it has two findings. */
static bool is_found_again(const struct finding *before, const struct finding *now)
{
    return now->stage != STAGE_IMPORT && before->code == now->code && before->stage == now->stage &&
           before->benign == now->benign && names_equal(before->subject, now->subject) &&
           names_equal(before->mesh, now->mesh) && names_equal(before->part, now->part) &&
           names_equal(before->other, now->other);
}

struct finding *findings_put(struct findings *findings, const struct finding *finding)
{
    enum { MOST_SEARCHED = 1000 };
    if (is_not_asked(findings, finding->stage) && finding_code_kind(finding->code) != FINDING_VACUITY)
        return NULL;
    /* Figures that have a time are worth a finding at each. */
    size_t first = findings->count > MOST_SEARCHED ? findings->count - MOST_SEARCHED : 0;
    for (size_t i = first; i < findings->count && isnan(finding->displacement); i++)
        if (is_found_again(&findings->items[i], finding))
            return NULL;
    findings->items = arena_room(findings->arena, findings->items, findings->count, sizeof *findings->items);
    findings->items[findings->count] = *finding;
    return &findings->items[findings->count++];
}

void findings_add(struct findings *findings, const struct finding *finding, const char *format, ...)
{
    struct finding *added = findings_put(findings, finding);
    struct text text = {0};
    va_list args;
    if (!added)
        return;
    va_start(args, format);
    text_addv(&text, format, args);
    va_end(args);
    added->text = arena_text(findings->arena, &text);
}

void findings_add_fault(struct findings *findings, const struct import_fault *fault)
{
    if (is_not_asked(findings, STAGE_IMPORT))
        return;
    findings->faults = arena_room(findings->arena, findings->faults, findings->fault_count, sizeof *findings->faults);
    findings->faults[findings->fault_count++] = *fault;
}

const char *findings_old_mesh(const struct findings *findings, const char *mesh)
{
    for (size_t i = 0; i < findings->fault_count; i++)
        if (findings->faults[i].now && strcmp(findings->faults[i].now, mesh) == 0)
            return findings->faults[i].name;
    return mesh;
}

bool findings_measure(struct findings *findings, enum tolerance_key key, double measure)
{
    const struct tolerance *tolerance = findings->tolerance ? findings->tolerance : &tolerance_defaults;
    if (is_not_asked(findings, tolerance_stage(key)))
        return false;
    if (isfinite(measure) && measure > findings->measured[key])
        findings->measured[key] = measure;
    return !(measure <= tolerance_of(tolerance, key));
}

/* The failing stage that explains a finding. Where a case leaves out the stage of the pose from which it follows, that
 * is the nearest one before it which fails: both follow from one pose. */
static enum stage explaining(const struct findings *findings, const bool fails[STAGE_COUNT],
                             const struct finding *finding)
{
    const enum stage by = finding->explained;
    const bool is_pose = by == STAGE_ANIMATE || by == STAGE_PALETTE;
    if (by < finding->stage && fails[by])
        return by;
    for (int s = (int)finding->stage - 1; s >= STAGE_ANIMATE && is_pose && is_not_asked(findings, by); s--)
        if (fails[s])
            return (enum stage)s;
    return STAGE_NONE;
}

void findings_settle(struct findings *findings)
{
    enum stage first = findings_culprit(findings);
    bool fails[STAGE_COUNT] = {false};
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].stage != STAGE_NONE && !findings->items[i].benign)
            fails[findings->items[i].stage] = true;
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->items[i];
        bool is_later = first != STAGE_NONE && finding->stage > first;
        finding->unverified = finding->unverified && is_later;
        if (finding_code_kind(finding->code) == FINDING_VACUITY)
            finding->explained = is_later ? first : STAGE_NONE;
        else if (finding->explained != STAGE_NONE)
            finding->explained = explaining(findings, fails, finding);
    }
}

/* Returns how much a finding tells of its stage: what fails of its own, what is not verified, what follows, what is
 * benign. */
static int rank(const struct finding *finding)
{
    return finding->benign ? 3 : finding->explained != STAGE_NONE ? 2 : finding->unverified ? 1 : 0;
}

/* Compares two places in the list; equals keep their order. */
static int by_weight(const void *x, const void *y)
{
    const struct finding *a = *(const struct finding *const *)x, *b = *(const struct finding *const *)y;
    if (a->stage != b->stage)
        return a->stage < b->stage ? -1 : 1;
    if (rank(a) != rank(b))
        return rank(a) - rank(b);
    const bool is_vacuity = finding_code_kind(a->code) == FINDING_VACUITY;
    if (is_vacuity != (finding_code_kind(b->code) == FINDING_VACUITY))
        return is_vacuity ? 1 : -1;
    if ((a->code == CODE_RENAMED) != (b->code == CODE_RENAMED))
        return a->code == CODE_RENAMED ? 1 : -1; /* a name explains nothing else */
    if (isnan(a->displacement) != isnan(b->displacement))
        return isnan(a->displacement) ? -1 : 1;
    if (a->displacement > b->displacement || a->displacement < b->displacement)
        return a->displacement > b->displacement ? -1 : 1;
    if (a->code == b->code && (a->measure > b->measure || a->measure < b->measure))
        return a->measure > b->measure ? -1 : 1;
    return (a > b) - (a < b);
}

void findings_sort(struct findings *findings)
{
    size_t n = findings->count;
    struct finding *sorted = ARENA_NEW(findings->arena, struct finding, n);
    const struct finding **order = ARENA_NEW(findings->arena, const struct finding *, n);
    for (size_t i = 0; i < n; i++)
        order[i] = &findings->items[i];
    sort_items(order, n, sizeof *order, by_weight);
    for (size_t i = 0; i < n; i++)
        sorted[i] = *order[i];
    if (n > 0)
        memcpy(findings->items, sorted, n * sizeof *sorted);
}

enum stage findings_culprit(const struct findings *findings)
{
    enum stage culprit = STAGE_NONE;
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        bool fails = !finding->benign && finding->stage != STAGE_NONE;
        if (fails && (culprit == STAGE_NONE || finding->stage < culprit))
            culprit = finding->stage;
    }
    return culprit;
}
