#include "compare/compare.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/format_number.h"
#include "data/measure.h"

static struct finding *worst_of(const struct findings *findings, enum stage stage, bool benign)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].stage == stage && findings->items[i].benign == benign)
            return &findings->items[i];
    return NULL;
}

/* The worst of the first culprit, and what differs after it without following from it. */
static const char *name_culprits(const struct findings *findings, const struct case_result *result)
{
    const char *headline = result->stages[result->stage].summary;
    for (int s = result->stage + 1; s < STAGE_COUNT; s++)
        if (result->stages[s].state == STAGE_DIFFERS)
            headline = arena_printf(findings->arena, "%s; and on its own: %s: %s", headline, stage_name((enum stage)s),
                                    result->stages[s].summary);
    return headline;
}

/* The repair that came or went may be the reason of what the import's worst finding says: rather one of the same mesh, and
 * rather one that is new: " (repair `unweighted` is new: ...)". */
static const char *name_repairs(const struct findings *findings, const struct finding *worst)
{
    const struct finding *named = NULL;
    size_t count = 0;
    int best = -1;
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        if (finding_code_kind(finding->code) != FINDING_REPAIR)
            continue;
        bool is_of_mesh = worst->mesh && finding->mesh && strcmp(worst->mesh, finding->mesh) == 0;
        int fit = (is_of_mesh ? 2 : 0) + (finding->code != CODE_REPAIR_GONE);
        named = fit > best ? finding : named;
        best = fit > best ? fit : best;
        count++;
    }
    if (!named)
        return "";
    return arena_printf(findings->arena, count > 1 ? " (%s; %zu more came or went)" : " (%s)", named->text, count - 1);
}

/* Each stage by its worst finding, which is one of its own where it has any; that of the culprit with what may be its reason:
 * a repair, or a golden of two runs. */
static void judge_stages(const struct findings *findings, const struct judge_facts *facts, struct case_result *result)
{
    const char *mismatch = facts->mismatch ? arena_printf(findings->arena, "; %s of the golden does not match its hash in "
                                                          "recorded.json", facts->mismatch) : "";
    for (int s = 0; s < STAGE_COUNT; s++) {
        const struct finding *failing = worst_of(findings, (enum stage)s, false);
        const struct finding *first = failing ? failing : worst_of(findings, (enum stage)s, true);
        struct stage_result *stage = &result->stages[s];
        const char *why = facts->compared[s] ? NULL : facts->absent[s];
        *stage = (struct stage_result){facts->compared[s] ? STAGE_PASSED : STAGE_NOT_COMPARED,
                                       why ? why : first ? first->text : NULL};
        if (failing && failing->explained != STAGE_NONE)
            *stage = (struct stage_result){STAGE_EXPLAINED, failing->text, stage_name(failing->explained)};
        else if (failing)
            stage->state = failing->unverified ? STAGE_UNVERIFIED : STAGE_DIFFERS;
        if (failing && !why && s == (int)result->stage)
            stage->summary = arena_printf(findings->arena, "%s%s%s", stage->summary,
                                          s == STAGE_IMPORT ? name_repairs(findings, failing) : "", mismatch);
    }
}

/* The status, and the headline that says why. */
static void decide(const struct findings *findings, const struct judge_facts *facts, struct case_result *result)
{
    bool drifts = false;
    int level = 0;
    for (uint32_t i = 0; i < result->time_count; i++) {
        const struct image_result *image = &result->times[i].image;
        drifts = drifts || image->state == IMAGE_NOISE || image->state == IMAGE_TOLERATED;
        level = image->max_delta > level ? image->max_delta : level;
    }
    result->status = CASE_PASS;
    result->headline = NULL;
    if (facts->error || result->stage != STAGE_NONE) {
        result->status = facts->expect_fail ? CASE_XFAIL : facts->error ? CASE_ERROR : CASE_FAIL;
        result->headline = facts->error ? facts->error : name_culprits(findings, result);
    } else if (facts->mismatch) {
        result->status = CASE_FAIL;
        result->headline = arena_printf(findings->arena,
                                        "%s of the golden does not match its hash in recorded.json: an `accept` was "
                                        "interrupted, or the file was changed by hand; look at it and accept the case "
                                        "again",
                                        facts->mismatch);
    } else if (facts->not_sampled) {
        result->status = CASE_FAIL;
        result->headline = facts->not_sampled;
    } else if (facts->missing) {
        result->status = CASE_MISSING;
        result->headline = facts->missing_what;
    } else if (facts->expect_fail) {
        result->status = CASE_UNEXPECTED_PASS;
        result->headline = "the case passes, but the suite expects it to fail: remove `expect: fail`";
    } else if (facts->fingerprint_differs && drifts) {
        struct text other = {0}; /* "`mesa`, `llvm`" */
        const char *name, *was, *now;
        for (uint32_t at = 0; fingerprint_next_difference(&result->golden, &result->actual, &at, &name, &was, &now);)
            text_addf(&other, "%s`%s`", other.size > 0 ? ", " : ": ", name);
        result->status = CASE_DRIFT;
        result->headline =
            arena_printf(findings->arena, "pixels differ by up to %d level%s; the golden was recorded with another setup%s",
                         level, level == 1 ? "" : "s", text_string(&other));
        text_release(&other);
    }
    /* Of what differs at one time and was not compared at the others both count. */
    const char *const untested[] = {facts->not_sampled, facts->missing ? facts->missing_what : NULL};
    bool differs = !facts->error && (result->status == CASE_FAIL || result->status == CASE_XFAIL);
    bool is_said = result->stage == STAGE_NONE && !facts->mismatch; /* the headline is the first */
    for (int i = is_said; i < 2 && differs; i++)
        if (untested[i])
            result->headline = arena_printf(findings->arena, "%s; %s", result->headline, untested[i]);
}

/* What no key claims is noted at the stage's first. */
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
        while (finding->tolerance == TOLERANCE_NONE && key + 1 < TOLERANCE_COUNT && tolerance_stage(key) != finding->stage)
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

/* The first failure that no tolerance allows, "" where the headline begins with it; NULL: there is none. */
static const char *find_hopeless(const struct findings *findings, const struct judge_facts *facts,
                                 const struct case_result *result)
{
    const struct finding *worst = worst_of(findings, result->stage, false);
    const char *hopeless = facts->not_sampled ? facts->not_sampled : facts->missing ? facts->missing_what : NULL;
    if (facts->mismatch)
        hopeless = arena_printf(findings->arena, "%s of the golden does not match its hash", facts->mismatch);
    for (size_t i = findings->count; i-- > 0;)
        if (!findings->items[i].benign && !(findings->items[i].measure <= tolerance_most(findings->items[i].tolerance)))
            hopeless = &findings->items[i] == worst ? "" : findings->items[i].text;
    for (int key = 0; key < TOLERANCE_COUNT && !hopeless; key++) /* of a finding that was left out of the results */
        hopeless = isinf(result->measured[key]) ? "" : NULL;
    return hopeless && result->stage == STAGE_NONE ? "" : hopeless;
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

/* "shell: 0.0031 (animate, palette)": as a suite has it, each tolerance once, the widest. */
static void add_needed(const struct case_result *result, size_t at, struct text *out)
{
    const struct needed_tolerance *needed = &result->needed[at];
    const char *name = tolerance_key_names[needed->key];
    double least = needed->least;
    struct text stages = {0};
    for (size_t i = 0; i < result->needed_count; i++) {
        const struct needed_tolerance *other = &result->needed[i];
        if (strcmp(tolerance_key_names[other->key], name) != 0)
            continue;
        if (i < at) {
            text_release(&stages);
            return;
        }
        least = fmax(least, other->least);
        text_addf(&stages, "%s%s", stages.size > 0 ? ", " : "", stage_name(tolerance_stage(other->key)));
    }
    text_addf(out, "%s", out->size > 0 ? ", " : "");
    if (needed->key == TOLERANCE_PIXEL_SHARE)
        text_addf(out, "pixels: {share: %.2g}", least);
    else
        text_addf(out, needed->key == TOLERANCE_KEYS ? "%s: %.0f" : "%s: %.2g", name, least);
    text_addf(out, " (%s)", text_string(&stages));
    text_release(&stages);
}

/* From which tolerances on the case would pass, and what goes unseen under them. */
static void find_needed(const struct findings *findings, const struct judge_facts *facts, struct case_result *result)
{
    const struct tolerance *now = result->tolerance ? result->tolerance : &tolerance_defaults;
    struct text keys = {0}, risks = {0};
    result->passes_from = NULL;
    result->needed_count = 0;
    if ((result->status != CASE_FAIL && result->status != CASE_XFAIL) || facts->error || result->vacuous)
        return;
    const char *hopeless = find_hopeless(findings, facts, result);
    if (hopeless) {
        result->passes_from = arena_printf(findings->arena, "no tolerance lets it pass%s%s",
                                           *hopeless ? ": " : "", hopeless);
        return;
    }
    result->needed = ARENA_NEW(findings->arena, struct needed_tolerance, TOLERANCE_COUNT);
    for (enum tolerance_key key = TOLERANCE_IMPORT; key < TOLERANCE_COUNT; key++) {
        double least = key == TOLERANCE_PIXEL_SHARE ? needed_share(now, result) : result->measured[key];
        if (!(least > tolerance_of(now, key)))
            continue;
        least = key == TOLERANCE_KEYS ? least : round_up(least);
        result->needed[result->needed_count++] = (struct needed_tolerance){key, least, tolerance_risk(key, least)};
    }
    for (size_t i = 0; i < result->needed_count; i++) {
        const struct needed_tolerance *needed = &result->needed[i];
        add_needed(result, i, &keys);
        bool is_widest = needed->risk != NULL; /* of those that hide the same, which is said once */
        for (size_t k = 0; is_widest && k < result->needed_count; k++) {
            const struct needed_tolerance *other = &result->needed[k];
            bool is_alike = k != i && other->risk && strcmp(other->risk, needed->risk) == 0;
            is_widest = !is_alike || needed->least > other->least || (needed->least >= other->least && i < k);
        }
        if (is_widest)
            text_addf(&risks, "%s%.2g %s", risks.size > 0 ? ", " : "; look at it first: ", needed->least, needed->risk);
    }
    if (result->needed_count > 0)
        result->passes_from = arena_printf(findings->arena, "would pass from %s%s", text_string(&keys), text_string(&risks));
    text_release(&keys);
    text_release(&risks);
}

void judge_case(struct findings *findings, const struct judge_facts *facts, struct case_result *result)
{
    struct judge_facts *copy = ARENA_NEW(findings->arena, struct judge_facts, 1);
    *copy = *facts;
    result->facts = copy;
    findings_settle(findings);
    findings_sort(findings);
    note_measures(findings, result);
    result->stage = findings_culprit(findings);
    const struct finding *worst = worst_of(findings, result->stage, false);
    result->vacuity = NULL;
    result->vacuous = false;
    for (size_t i = 0; i < findings->count && !result->vacuity; i++)
        if (finding_code_kind(findings->items[i].code) == FINDING_VACUITY) {
            result->vacuity = findings->items[i].text;
            result->vacuous = &findings->items[i] == worst; /* the verdict only where nothing differs before it */
        }
    judge_stages(findings, facts, result);
    decide(findings, facts, result);
    find_needed(findings, facts, result);
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

void judge_image(const struct time_result *frame, const struct image *golden, struct findings *findings)
{
    const struct image_result *image = &frame->image;
    struct finding finding = finding_of(CODE_FRAME);
    if (image->state != IMAGE_DIFFERS)
        return;
    finding.time = frame->time;
    finding.displacement = image->share; /* what the frames of a case are sorted by */
    finding.subject = image->bone_count > 0 ? image->bones[0].bone : NULL;
    if (golden && (golden->width != image->width || golden->height != image->height)) {
        finding.code = CODE_FRAME_SIZE;
        findings_add(findings, &finding, "frame %s is %ux%u, its golden is %ux%u", frame->label, image->width, image->height,
                     golden->width, golden->height);
        return;
    }
    /* What remains without what is explained counts, where that is known. */
    const struct image_result *rest = image->remaining ? image->remaining : image;
    bool is_own = rest == image || rest->state == IMAGE_DIFFERS;
    finding.explained = stage_find(image->explained);
    finding.unverified = image->explained && finding.explained == STAGE_NONE;
    if (rest != image && is_own)
        finding.explained = STAGE_NONE;
    rest = is_own ? rest : image;
    enum { MOST_BONES = 4 };
    struct text bones = {0};
    for (uint32_t i = 0; i < rest->bone_count && i < MOST_BONES; i++)
        text_addf(&bones, "%s `%s`", i > 0 ? "," : rest->bone_count > 1 ? "; bones" : "; bone", rest->bones[i].bone);
    if (rest->bone_count > MOST_BONES)
        text_addf(&bones, " and %u more", rest->bone_count - MOST_BONES);
    finding.subject = rest->bone_count > 0 ? rest->bones[0].bone : NULL;
    finding.displacement = rest->share;
    finding.tolerance = TOLERANCE_PIXEL_SHARE;
    finding.measure = image->share;
    findings_add(findings, &finding,
                 "frame %s: %.3g %% of the foreground differs%s (%u of %u px, by up to %d levels) in %ux%u at %u,%u%s",
                 frame->label, 100.0 * rest->share, rest != image ? " beside what is explained" : "", rest->changed,
                 rest->foreground, rest->max_delta, rest->box[2], rest->box[3], rest->box[0], rest->box[1],
                 text_string(&bones));
    text_release(&bones);
}

bool judge_can_repeat(const struct case_result *result)
{
    return result->facts || result->status == CASE_CRASH || result->status == CASE_TIMEOUT ||
           result->status == CASE_SKIP || result->status == CASE_ERROR;
}

/* What is beyond the tolerance and has no finding: it was within that of the run, or one of too many. */
static void add_measured(const struct case_result *result, enum tolerance_key key, struct findings *findings)
{
    static const enum finding_code codes[STAGE_COUNT] = {CODE_IMPORT_MEASURED, CODE_LOCAL_MEASURED, CODE_MATRICES_MEASURED,
                                                         CODE_SKIN_MEASURED, CODE_DRAW_MEASURED};
    double measure = result->measured[key];
    struct finding finding = finding_of(codes[tolerance_stage(key)]);
    const char *how = " in a way that no tolerance allows", *where = "";
    finding.part = tolerance_key_names[key];
    finding.tolerance = isfinite(measure) ? key : TOLERANCE_NONE;
    finding.measure = measure;
    if (isfinite(measure) && finding.stage == STAGE_IMPORT) {
        how = arena_printf(findings->arena, " by up to %.2g", measure);
    } else if (isfinite(measure)) {
        finding.displacement = measure;
        for (uint32_t i = 0; i < result->time_count && key != TOLERANCE_FRAMING; i++) /* what a skin's measure allows for rounding is in its error */
            finding.displacement = fmax(finding.displacement, result->times[i].error[finding.stage]);
        how = arena_printf(findings->arena, " by up to %s", format_displacement(finding.displacement).text);
    }
    for (uint32_t i = 0; i < result->bone_count && !finding.subject; i++)
        if (result->bones[i].stage == finding.stage) {
            finding.subject = result->bones[i].bone;
            finding.mesh = result->bones[i].mesh;
            finding.time = result->bones[i].time;
            where = arena_printf(findings->arena, ", `%s` most at %s", finding.subject,
                                 format_seconds(finding.time).text);
        }
    findings_add(findings, &finding, "%s%s%s", tolerance_differs[key], how, where);
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
            findings_add(&findings, finding, "%s", finding->text);
    }
    for (uint32_t i = 0; i < result->time_count; i++) {
        struct time_result *time = &result->times[i];
        judge_picture(tolerance, &time->image);
        if (time->image.level_count > 0) {
            time->error[STAGE_DRAW] = time->image.share;
            judge_image(time, NULL, &findings);
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
