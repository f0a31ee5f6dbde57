#include "compare/judge.h"

#include <string.h>

#include "base/names.h"

static const struct finding *worst_of(const struct findings *findings, enum stage stage, bool benign)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].stage == stage && findings->items[i].benign == benign)
            return &findings->items[i];
    return NULL;
}

static void judge_stages(const struct findings *findings, const struct judge_facts *facts, struct case_result *result)
{
    for (int s = 0; s < STAGE_COUNT; s++) {
        const struct finding *worst = worst_of(findings, (enum stage)s, false);
        const struct finding *benign = worst_of(findings, (enum stage)s, true);
        struct stage_result *stage = &result->stages[s];
        stage->summary = worst ? worst->text : benign ? benign->text : NULL;
        if (worst)
            stage->state = s == (int)result->stage ? STAGE_DIFFERS : STAGE_EXPLAINED;
        else
            stage->state = facts->compared[s] ? STAGE_PASSED : STAGE_NOT_COMPARED;
    }
}

static bool pixels_drift(const struct case_result *result)
{
    for (uint32_t i = 0; i < result->time_count; i++)
        if (result->times[i].image.state == IMAGE_NOISE || result->times[i].image.state == IMAGE_TOLERATED)
            return true;
    return false;
}

static enum case_status status_of(const struct case_result *result, const struct judge_facts *facts)
{
    if (result->stage != STAGE_NONE)
        return facts->expect_fail ? CASE_XFAIL : CASE_FAIL;
    if (facts->mismatch)
        return CASE_FAIL;
    if (facts->missing)
        return CASE_MISSING;
    if (facts->expect_fail)
        return CASE_UNEXPECTED_PASS;
    return facts->fingerprint_differs && pixels_drift(result) ? CASE_DRIFT : CASE_PASS;
}

static int worst_level(const struct case_result *result)
{
    int worst = 0;
    for (uint32_t i = 0; i < result->time_count; i++)
        if (result->times[i].image.max_delta > worst)
            worst = result->times[i].image.max_delta;
    return worst;
}

/* Names of the entries that one fingerprint has and the other has not, or not so: "`mesa`, `llvm`". */
static void add_other_entries(const struct fingerprint *golden, const struct fingerprint *actual, struct text *out)
{
    for (uint32_t i = 0; i < golden->count; i++) {
        const char *now = fingerprint_find(actual, golden->entries[i].name);
        if (!now || strcmp(now, golden->entries[i].value) != 0)
            text_addf(out, "%s`%s`", out->size > 0 ? ", " : "", golden->entries[i].name);
    }
    for (uint32_t i = 0; i < actual->count; i++)
        if (!fingerprint_find(golden, actual->entries[i].name))
            text_addf(out, "%s`%s`", out->size > 0 ? ", " : "", actual->entries[i].name);
}

static const char *describe_drift(const struct findings *findings, const struct case_result *result)
{
    struct text other = {0};
    int level = worst_level(result);
    add_other_entries(&result->golden, &result->actual, &other);
    const char *text =
        arena_printf(findings->arena, "pixels differ by up to %d level%s, and it was recorded with another setup%s%s",
                     level, level == 1 ? "" : "s", other.size > 0 ? ": " : "", text_string(&other));
    text_release(&other);
    return text;
}

static const char *headline_of(const struct findings *findings, const struct judge_facts *facts,
                               const struct case_result *result)
{
    if (result->stage != STAGE_NONE)
        return worst_of(findings, result->stage, false)->text;
    if (result->status == CASE_MISSING)
        return facts->missing_what;
    if (result->status == CASE_FAIL)
        return arena_printf(findings->arena,
                            "%s of the golden does not match its hash in recorded.json: an `accept` was interrupted, or "
                            "the file was changed by hand; look at it and accept the case again",
                            facts->mismatch);
    if (result->status == CASE_UNEXPECTED_PASS)
        return "it passes, although the suite expects it to fail: take `expect: fail` out";
    if (result->status == CASE_DRIFT)
        return describe_drift(findings, result);
    return NULL;
}

/*
 * Behind the import's worst finding the repair that came or went, of the same mesh if there is one: "mesh `body`: 12
 * vertices lost their weights (repair `unweighted` is new: mesh "body": 12 of 40 vertices have no weights ...)".
 */
static void name_repairs(struct findings *findings)
{
    struct finding *worst = &findings->items[0], *named = NULL;
    const char *mesh = worst->mesh ? name_quoted(worst->mesh, '"', findings->arena) : NULL;
    size_t count = 0;
    for (size_t i = 1; i < findings->count && findings->items[i].stage == STAGE_IMPORT; i++) {
        struct finding *finding = &findings->items[i];
        if (finding->kind != FINDING_REPAIR)
            continue;
        bool fits = mesh && strstr(finding->text, mesh) && !(named && strstr(named->text, mesh));
        named = count++ == 0 || fits ? finding : named;
    }
    if (!named)
        return;
    worst->text = arena_printf(findings->arena, count > 1 ? "%s (%s; %zu more came or went)" : "%s (%s)", worst->text,
                               named->text, count - 1);
    named->kind = FINDING_DIFFERENCE; /* said */
}

/* A golden of two runs may be why the stage differs. */
static void name_mismatch(struct findings *findings, const char *file, enum stage stage)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].stage == stage) {
            findings->items[i].text = arena_printf(
                findings->arena, "%s; %s of the golden does not match its hash in recorded.json", findings->items[i].text, file);
            return;
        }
}

/* What makes the case test nothing; it is the verdict only where nothing differs before it. */
static void judge_vacuity(const struct findings *findings, struct case_result *result)
{
    for (size_t i = 0; i < findings->count && !result->vacuity; i++)
        if (findings->items[i].kind == FINDING_VACUITY) {
            result->vacuity = findings->items[i].text;
            result->vacuous = &findings->items[i] == worst_of(findings, result->stage, false);
        }
}

void judge_case(struct findings *findings, const struct judge_facts *facts, struct case_result *result)
{
    findings_sort(findings);
    result->stage = findings_culprit(findings);
    if (result->stage == STAGE_IMPORT)
        name_repairs(findings);
    if (result->stage != STAGE_NONE && facts->mismatch)
        name_mismatch(findings, facts->mismatch, result->stage);
    judge_vacuity(findings, result);
    result->status = status_of(result, facts);
    judge_stages(findings, facts, result);
    result->headline = headline_of(findings, facts, result);
    result->finding_count = findings->count < RESULT_MAX_FINDINGS ? findings->count : RESULT_MAX_FINDINGS;
    result->findings = findings->items;
    result->findings_left_out = findings->count - result->finding_count;
}

static void add_bones(const struct image_result *image, struct text *text)
{
    enum { MOST = 4 };
    for (uint32_t i = 0; i < image->bone_count && i < MOST; i++)
        text_addf(text, "%s `%s`", i == 0 ? (image->bone_count > 1 ? "; bones" : "; bone") : ",", image->bones[i].bone);
    if (image->bone_count > MOST)
        text_addf(text, " and %u more", image->bone_count - MOST);
}

static void add_pixels(const struct time_result *frame, const struct finding *finding, struct findings *findings)
{
    const struct image_result *image = &frame->image;
    struct text bones = {0};
    add_bones(image, &bones);
    findings_add(findings, finding,
                 "frame %s: %.3g %% of the foreground differs (%u of %u px, by up to %d levels) in %ux%u at %u,%u%s",
                 frame->label, 100.0 * image->share, image->changed, image->foreground, image->max_delta, image->box[2],
                 image->box[3], image->box[0], image->box[1], text_string(&bones));
    text_release(&bones);
}

void judge_image(const struct time_result *frame, const struct image *golden, struct findings *findings)
{
    const struct image_result *image = &frame->image;
    struct finding finding = finding_none;
    if (image->state != IMAGE_DIFFERS)
        return;
    finding.stage = STAGE_DRAW;
    finding.time = frame->time;
    finding.displacement = image->share; /* what the frames of a case are sorted by */
    finding.subject = image->bone_count > 0 ? image->bones[0].bone : NULL;
    if (golden->width != image->width || golden->height != image->height)
        findings_add(findings, &finding, "frame %s is %ux%u, its golden %ux%u", frame->label, image->width, image->height,
                     golden->width, golden->height);
    else
        add_pixels(frame, &finding, findings);
}
