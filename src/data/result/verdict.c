#include "data/result/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const stage_names[STAGE_COUNT] = {"import", "animate", "palette", "skin", "draw"};

const struct tolerance tolerance_defaults = {
    .import = 1e-5,
    .shell = 1e-5,
    .skin = 1e-5,
    .agree = 1e-5,
    .pixel_delta = 8,
    .pixel_share = 0.0002,
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
};

const char *const tolerance_key_names[TOLERANCE_COUNT] = {"none", "import", "shell", "shell", "skin", "agree", "pixel_share"};

enum stage tolerance_stage(enum tolerance_key key)
{
    static const enum stage stages[TOLERANCE_COUNT] = {
        STAGE_NONE, STAGE_IMPORT, STAGE_ANIMATE, STAGE_PALETTE, STAGE_SKIN, STAGE_SKIN, STAGE_DRAW};
    return stages[key];
}

double tolerance_of(const struct tolerance *tolerance, enum tolerance_key key)
{
    const double limits[TOLERANCE_COUNT] = {
        0, tolerance->import, tolerance->shell, tolerance->shell, tolerance->skin, tolerance->agree, tolerance->pixel_share};
    return limits[key];
}

const char *stage_name(enum stage stage)
{
    return stage >= 0 && stage < STAGE_COUNT ? stage_names[stage] : "none";
}

enum stage stage_parse(const char *name)
{
    for (int i = 0; i < STAGE_COUNT; i++)
        if (strcmp(name, stage_names[i]) == 0)
            return (enum stage)i;
    return STAGE_NONE;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

/* Room for one more. What is outgrown stays in the arena: at most as much again as the list itself. */
static void reserve_one(struct findings *findings)
{
    if (findings->count < findings->capacity)
        return;
    size_t capacity = findings->capacity ? 2 * findings->capacity : 16;
    struct finding *items = ARENA_NEW(findings->arena, struct finding, capacity);
    if (findings->count > 0)
        memcpy(items, findings->items, findings->count * sizeof *items);
    findings->items = items;
    findings->capacity = capacity;
}

static char *print_text(struct arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0)
        return arena_string(arena, "");
    char *text = ARENA_NEW(arena, char, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, args);
    return text;
}

/* Whether it was said before. Of what has figures and a time each is worth its own. */
static bool is_said(const struct findings *findings, const struct finding *finding, const char *text)
{
    enum { MOST_SEARCHED = 1000 };
    size_t first = findings->count > MOST_SEARCHED ? findings->count - MOST_SEARCHED : 0;
    if (!isnan(finding->displacement))
        return false;
    for (size_t i = first; i < findings->count; i++) {
        const struct finding *before = &findings->items[i];
        if (before->stage == finding->stage && before->benign == finding->benign && strcmp(before->text, text) == 0)
            return true;
    }
    return false;
}

void findings_add(struct findings *findings, const struct finding *finding, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = print_text(findings->arena, format, args);
    va_end(args);
    if (is_said(findings, finding, text))
        return;
    reserve_one(findings);
    struct finding *added = &findings->items[findings->count++];
    *added = *finding;
    added->text = text;
}

bool findings_measure(struct findings *findings, enum tolerance_key key, double measure)
{
    const struct tolerance *tolerance = findings->tolerance ? findings->tolerance : &tolerance_defaults;
    if (isfinite(measure) && measure > findings->measured[key])
        findings->measured[key] = measure;
    return !(measure <= tolerance_of(tolerance, key));
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static int compare_displacements(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(b) - isnan(a);
    return (a < b) - (a > b);
}

/* Whether `a` comes after `b`; never for equals, which keeps their order. */
static bool comes_after(const struct finding *a, const struct finding *b)
{
    if (a->stage != b->stage)
        return a->stage > b->stage;
    if (a->benign != b->benign)
        return a->benign;
    if ((a->kind == FINDING_VACUITY) != (b->kind == FINDING_VACUITY))
        return a->kind == FINDING_VACUITY;
    return compare_displacements(a->displacement, b->displacement) > 0;
}

/* Merges the neighbours [from, middle) and [middle, to). */
static void merge(const struct finding *in, size_t from, size_t middle, size_t to, struct finding *out)
{
    size_t left = from, right = middle;
    for (size_t i = from; i < to; i++) {
        bool take_right = right < to && (left == middle || comes_after(&in[left], &in[right]));
        out[i] = take_right ? in[right++] : in[left++];
    }
}

void findings_sort(struct findings *findings)
{
    size_t n = findings->count;
    struct finding *items = findings->items;
    struct finding *spare = n > 1 ? ARENA_NEW(findings->arena, struct finding, n) : NULL;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            size_t middle = from + width < n ? from + width : n;
            merge(items, from, middle, middle + width < n ? middle + width : n, spare);
        }
        memcpy(items, spare, n * sizeof *items);
    }
}

enum stage findings_culprit(const struct findings *findings)
{
    enum stage culprit = STAGE_NONE;
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        if (finding->benign || finding->stage == STAGE_NONE)
            continue;
        if (culprit == STAGE_NONE || finding->stage < culprit)
            culprit = finding->stage;
    }
    return culprit;
}
