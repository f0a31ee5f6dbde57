#include "compare/compare.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/measure.h"

static struct finding *worst_of(const struct findings *findings, enum stage stage, bool benign)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].stage == stage && findings->items[i].benign == benign)
            return &findings->items[i];
    return NULL;
}

/* Repairs that came or went may be the reason of what the import's worst finding says: rather one of the same
 * mesh, and rather one that is new. */
static void find_repairs(const struct findings *findings, struct verdict_findings *out)
{
    const struct finding *worst = out->worst[STAGE_IMPORT];
    int best = -1;
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->items[i];
        if (!worst || finding_code_kind(finding->code) != FINDING_REPAIR)
            continue;
        bool is_of_mesh = worst->mesh && finding->mesh && strcmp(worst->mesh, finding->mesh) == 0;
        int fit = (is_of_mesh ? 2 : 0) + (finding->code != CODE_REPAIR_GONE);
        const size_t most = sizeof out->repairs / sizeof out->repairs[0];
        struct finding *other = fit > best && best >= 0 ? out->repairs[0] : finding;
        out->repairs[0] = fit > best ? finding : out->repairs[0];
        if (best >= 0 && out->repair_count < most)
            out->repairs[out->repair_count] = other;
        best = fit > best ? fit : best;
        out->repair_count++;
    }
}

/* Each stage by its worst finding, which is one of its own where it has any. */
static void judge_stages(const struct findings *findings, const struct judge_facts *facts,
                         struct verdict_findings *about, struct case_result *result)
{
    for (int s = 0; s < STAGE_COUNT; s++) {
        struct finding *failing = worst_of(findings, (enum stage)s, false);
        struct stage_result *stage = &result->stages[s];
        about->worst[s] = failing ? failing : worst_of(findings, (enum stage)s, true);
        *stage = (struct stage_result){.state = facts->compared[s] ? STAGE_PASSED : STAGE_NOT_COMPARED};
        if (failing && failing->explained != STAGE_NONE)
            *stage = (struct stage_result){STAGE_EXPLAINED, .by = stage_name(failing->explained)};
        else if (failing)
            stage->state = failing->unverified ? STAGE_UNVERIFIED : STAGE_DIFFERS;
    }
}

static void decide(const struct judge_facts *facts, struct case_result *result)
{
    bool drifts = false;
    for (uint32_t i = 0; i < result->time_count; i++) {
        const struct image_result *image = &result->times[i].image;
        drifts = drifts || image->state == IMAGE_NOISE || image->state == IMAGE_TOLERATED;
    }
    result->status = CASE_PASS;
    if (facts->error || result->stage != STAGE_NONE)
        result->status = facts->expect_fail ? CASE_XFAIL : facts->error ? CASE_ERROR : CASE_FAIL;
    else if (facts->mismatch || facts->not_sampled)
        result->status = CASE_FAIL;
    else if (facts->missing_what)
        result->status = CASE_MISSING;
    else if (facts->expect_fail)
        result->status = CASE_UNEXPECTED_PASS;
    else if (facts->fingerprint_differs && drifts)
        result->status = CASE_DRIFT;
}

/* Notes measures; one that no key claims is noted at the stage's first. */
static void note_measures(const struct findings *findings, struct case_result *result)
{
    double *measured = result->measured;
    memcpy(measured, findings->measured, sizeof result->measured);
    measured[TOLERANCE_PIXEL_SHARE] = 0;
    for (uint32_t i = 0; i < result->time_count; i++) {
        const struct image_result *image = &result->times[i].image;
        bool is_other_size = image->state == IMAGE_DIFFERS && image->level_count == 0;
        double share = is_other_size ? INFINITY : image->state == IMAGE_NOISE ? 0 : image->share;
        measured[TOLERANCE_PIXEL_SHARE] = worse(measured[TOLERANCE_PIXEL_SHARE], share);
    }
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        enum tolerance_key key = finding->tolerance == TOLERANCE_NONE ? TOLERANCE_IMPORT : finding->tolerance;
        while (finding->tolerance == TOLERANCE_NONE && key + 1 < TOLERANCE_COUNT &&
               tolerance_stage(key) != finding->stage)
            key++;
        if (!finding->benign && finding->stage != STAGE_NONE && !isfinite(finding->measure))
            measured[key] = INFINITY;
    }
}

/* The least number of two digits that is no smaller, so that what is printed is enough. */
static double round_up(double value)
{
    char text[32];
    double step = pow(10, floor(log10(value)) - 1), rounded = ceil(value / step) * step;
    do {
        snprintf(text, sizeof text, "%.2g", rounded);
        rounded += step;
    } while (strtod(text, NULL) < value);
    return strtod(text, NULL);
}

/* Says whether something fails that no tolerance allows. */
static bool find_hopeless(const struct findings *findings, const struct judge_facts *facts,
                          const struct case_result *result, struct verdict_findings *out)
{
    bool is_hopeless = facts->not_sampled || facts->missing_what || facts->mismatch;
    for (size_t i = findings->count; i-- > 0;)
        if (!findings->items[i].benign && !(findings->items[i].measure <= tolerance_most(findings->items[i].tolerance)))
            out->hopeless = &findings->items[i];
    for (int key = 0; key < TOLERANCE_COUNT; key++) /* of a finding that was left out of the results */
        is_hopeless = is_hopeless || isinf(result->measured[key]);
    return is_hopeless || out->hopeless;
}

/* The least share under which all pictures are tolerated. */
static double needed_share(const struct tolerance *now, const struct case_result *result)
{
    struct tolerance least = *now;
    for (uint32_t i = 0; i < result->time_count; i++) {
        struct image_result image = result->times[i].image;
        image.remaining = NULL; /* which stays as it was judged */
        if (image.state == IMAGE_DIFFERS && least.pixel_share == 0)
            least.pixel_share = 1e-6; /* a few pixels may always differ, unless none may */
        judge_picture(&least, &image);
        if (image.state == IMAGE_DIFFERS)
            least.pixel_share = round_up(image.share);
    }
    return least.pixel_share;
}

/* From which tolerances on the case would pass. */
static void find_needed(const struct findings *findings, const struct judge_facts *facts,
                        struct verdict_findings *about, struct case_result *result)
{
    const struct tolerance *now = result->tolerance ? result->tolerance : &tolerance_defaults;
    result->needed_count = 0;
    if ((result->status != CASE_FAIL && result->status != CASE_XFAIL) || facts->error || result->vacuous)
        return;
    about->is_hopeless = find_hopeless(findings, facts, result, about);
    if (about->is_hopeless)
        return;
    result->needed = ARENA_NEW(findings->arena, struct needed_tolerance, TOLERANCE_COUNT);
    for (enum tolerance_key key = TOLERANCE_IMPORT; key < TOLERANCE_COUNT; key++) {
        double least = key == TOLERANCE_PIXEL_SHARE ? needed_share(now, result) : result->measured[key];
        if (!(least > tolerance_of(now, key)))
            continue;
        least = key == TOLERANCE_KEYS ? least : round_up(least);
        result->needed[result->needed_count++] = (struct needed_tolerance){key, least, tolerance_risk(key, least)};
    }
}

void judge_case(struct findings *findings, const struct judge_facts *facts, struct case_result *result)
{
    struct verdict_findings *about = ARENA_NEW(findings->arena, struct verdict_findings, 1);
    result->facts = ARENA_COPY(findings->arena, struct judge_facts, facts);
    about->unit_meters = findings->unit_meters;
    result->about = about;
    findings_settle(findings);
    findings_sort(findings);
    note_measures(findings, result);
    result->stage = findings_culprit(findings);
    const struct finding *worst = worst_of(findings, result->stage, false);
    for (size_t i = 0; i < findings->count && !about->vacuity; i++)
        if (finding_code_kind(findings->items[i].code) == FINDING_VACUITY)
            about->vacuity = &findings->items[i];
    result->vacuous = about->vacuity && about->vacuity == worst; /* the verdict only where nothing differs before it */
    judge_stages(findings, facts, about, result);
    find_repairs(findings, about);
    decide(facts, result);
    find_needed(findings, facts, about, result);
    result->finding_count = findings->count < RESULT_MAX_FINDINGS ? findings->count : RESULT_MAX_FINDINGS;
    result->findings = findings->items;
    result->findings_left_out = findings->count - result->finding_count;
}

void judge_picture(const struct tolerance *tolerance, struct image_result *image)
{
    enum { NOISE_DELTA = 2 };     /* what fused multiply-adds and other rasterisers make of a channel */
    enum { LEAST_ALLOWANCE = 4 }; /* a share of a small figure would be less than one */
    if (image->state == IMAGE_NONE || image->state == IMAGE_MISSING || image->level_count == 0)
        return;
    if (image->remaining)
        judge_picture(tolerance, image->remaining);
    image->changed = 0;
    for (uint32_t i = 0; i < image->level_count; i++)
        image->changed += (int)image->levels[i].delta > tolerance->pixel_delta ? image->levels[i].count : 0;
    image->share = image->foreground > 0 ? (double)image->changed / image->foreground : 0;
    /* Whole pixels: 0.57 of 100 is 57, in spite of binary fractions. */
    double share = tolerance->pixel_share, allowed = fmax(floor(share * image->foreground + 1e-6), LEAST_ALLOWANCE);
    image->state = image->max_delta <= NOISE_DELTA                    ? IMAGE_NOISE
                   : image->changed <= (share > 0 ? allowed : 0) ? IMAGE_TOLERATED
                                                                      : IMAGE_DIFFERS;
}

void judge_image(const struct time_result *times, uint32_t at, const struct image *golden, struct findings *findings)
{
    const struct image_result *image = &times[at].image;
    struct finding finding = finding_of(CODE_FRAME);
    if (image->state != IMAGE_DIFFERS)
        return;
    finding.time = times[at].time;
    finding.index = at;
    finding.displacement = image->share; /* what the frames of a case are sorted by */
    finding.subject = image->bone_count > 0 ? image->bones[0].bone : NULL;
    if (golden && (golden->width != image->width || golden->height != image->height)) {
        finding.code = CODE_FRAME_SIZE;
        finding.other = arena_printf(findings->arena, "%ux%u", golden->width, golden->height);
        findings_put(findings, &finding);
        return;
    }
    /* The part that is not explained counts, where that is known. */
    const struct image_result *rest = image->remaining ? image->remaining : image;
    bool is_own = rest == image || rest->state == IMAGE_DIFFERS;
    finding.explained = stage_find(image->explained);
    finding.unverified = image->explained && finding.explained == STAGE_NONE;
    if (rest != image && is_own)
        finding.explained = STAGE_NONE;
    rest = is_own ? rest : image;
    finding.subject = rest->bone_count > 0 ? rest->bones[0].bone : NULL;
    finding.displacement = rest->share;
    finding.tolerance = TOLERANCE_PIXEL_SHARE;
    finding.measure = image->share;
    findings_put(findings, &finding);
}

bool judge_can_repeat(const struct case_result *result)
{
    return result->facts || result->status == CASE_CRASH || result->status == CASE_TIMEOUT ||
           result->status == CASE_SKIP || result->status == CASE_ERROR;
}

/* Adds a measure beyond the tolerance that has no finding: it was within that of the run, or one of too many. */
static void add_measured(const struct case_result *result, enum tolerance_key key, struct findings *findings)
{
    static const enum finding_code codes[STAGE_COUNT] = {
        CODE_IMPORT_MEASURED, CODE_LOCAL_MEASURED, CODE_MATRICES_MEASURED, CODE_SKIN_MEASURED, CODE_DRAW_MEASURED};
    double measure = result->measured[key];
    struct finding finding = finding_of(codes[tolerance_stage(key)]);
    finding.part = tolerance_key_names[key];
    finding.index = key;
    finding.tolerance = isfinite(measure) ? key : TOLERANCE_NONE;
    finding.measure = measure;
    if (isfinite(measure) && finding.stage != STAGE_IMPORT) {
        finding.displacement = measure;
        /* what a skin's measure allows for rounding is in its error */
        for (uint32_t i = 0; i < result->time_count && key != TOLERANCE_FRAMING; i++)
            finding.displacement = fmax(finding.displacement, result->times[i].error[finding.stage]);
    }
    for (uint32_t i = 0; i < result->bone_count && !finding.subject; i++)
        if (result->bones[i].stage == finding.stage) {
            finding.subject = result->bones[i].bone;
            finding.mesh = result->bones[i].mesh;
            finding.time = result->bones[i].time;
        }
    findings_put(findings, &finding);
}

void judge_again(struct case_result *result, const struct tolerance *tolerance, struct arena *arena)
{
    struct findings findings = {.arena = arena, .tolerance = tolerance};
    size_t left_out = result->findings_left_out;
    if (!result->facts)
        return;
    result->tolerance = tolerance;
    memcpy(findings.measured, result->measured, sizeof findings.measured);
    for (size_t i = 0; i < result->finding_count; i++) {
        const struct finding *finding = &result->findings[i];
        if (finding->tolerance == TOLERANCE_PIXEL_SHARE)
            continue; /* made anew */
        if (finding->benign || !(finding->measure <= tolerance_of(tolerance, finding->tolerance)))
            findings_put(&findings, finding);
    }
    for (uint32_t i = 0; i < result->time_count; i++) {
        struct time_result *time = &result->times[i];
        judge_picture(tolerance, &time->image);
        if (time->image.level_count > 0) {
            time->error[STAGE_DRAW] = time->image.share;
            judge_image(result->times, i, NULL, &findings);
        }
    }
    for (enum tolerance_key key = TOLERANCE_IMPORT; key < TOLERANCE_COUNT; key++)
        if (result->measured[key] > (key == TOLERANCE_PIXEL_SHARE ? DBL_MAX : tolerance_of(tolerance, key)) &&
            !worst_of(&findings, tolerance_stage(key), false))
            add_measured(result, key, &findings);
    judge_case(&findings, result->facts, result);
    result->findings_left_out += left_out;
    if (!case_status_fails(result->status, true))
        result->accept = NULL;
}
