/* The one place where verdicts become sentences: those of their findings, and the headline. */
#include "report/sentences.h"

#include <string.h>

static const char *say(const struct case_result *result, struct finding *finding, struct arena *arena)
{
    if (finding && !*finding->text)
        finding->text = finding_sentence(finding, result, result->about->unit_meters, arena);
    return finding ? finding->text : NULL;
}

/* The repair of integers that Assimp takes for floats. */
static bool is_of_integers(const struct finding *repair)
{
    return repair->code == CODE_REPAIR_NEW && repair->subject && strcmp(repair->subject, "gltf-integers") == 0;
}

/* The repairs that came or went may be the reason of what the import's worst finding says: " (repair `unweighted` is
 * new: ...; `up-axis` is new too)". */
static const char *say_repairs(const struct case_result *result, struct arena *arena)
{
    const struct verdict_findings *about = result->about;
    const size_t most = sizeof about->repairs / sizeof about->repairs[0];
    const char *said = "";
    for (size_t i = 0; i < about->repair_count && i < most; i++) {
        struct finding *repair = about->repairs[i];
        if (is_of_integers(repair))
            continue;
        said = *said == '\0' ? arena_printf(arena, " (%s", say(result, repair, arena))
                             : arena_printf(arena, "%s; `%s` is %s", said, repair->subject,
                                            repair->code == CODE_REPAIR_GONE ? "no longer needed" : "new too");
    }
    return *said == '\0'                  ? ""
           : about->repair_count > most ? arena_printf(arena, "%s; and %zu more)", said, about->repair_count - most)
                                        : arena_printf(arena, "%s)", said);
}

/* A quantiser's work explains most of what follows. */
static const char *say_integers(const struct verdict_findings *about)
{
    const size_t most = sizeof about->repairs / sizeof about->repairs[0];
    for (size_t i = 0; i < about->repair_count && i < most; i++)
        if (is_of_integers(about->repairs[i]))
            return "the file's numbers are integers now (quantised); ";
    return "";
}

/* Each stage by its worst finding; that of the culprit with what may be its reason: a repair, or a golden of two
 * runs. */
static void say_stages(struct case_result *result, struct arena *arena)
{
    const struct judge_facts *facts = result->facts;
    for (int s = 0; s < STAGE_COUNT; s++) {
        struct stage_result *stage = &result->stages[s];
        const char *why = facts->compared[s] ? NULL : facts->absent[s];
        stage->summary = why ? why : say(result, result->about->worst[s], arena);
        if (s == (int)result->stage && !why)
            stage->summary =
                arena_printf(arena, "%s%s%s%s%s%s", s == STAGE_IMPORT ? say_integers(result->about) : "",
                             stage->summary, s == STAGE_IMPORT ? say_repairs(result, arena) : "",
                             facts->mismatch ? "; " : "", facts->mismatch ? facts->mismatch : "",
                             facts->mismatch ? " of the golden does not match its hash in recorded.json" : "");
    }
}

/* Says whether what differs can be seen: "; skin and pixels differ", "; nothing visible changed". */
static const char *say_visible(const struct case_result *result)
{
    enum { NOT_COMPARED, AGREES, DIFFERS };
    static const char *const says[3][3] = {
        {"", "; no pixel differs", "; pixels differ"},
        {"; the skin agrees", "; nothing visible changed", "; pixels differ, the skin does not"},
        {"; the skin differs", "; the skin differs, no pixel does", "; skin and pixels differ"},
    };
    const enum stage_state state = result->stages[STAGE_SKIN].state;
    int skin = state == STAGE_NOT_COMPARED ? NOT_COMPARED
               : state == STAGE_PASSED     ? AGREES
                                           : DIFFERS,
        pixels = NOT_COMPARED;
    for (uint32_t i = 0; i < result->time_count; i++) {
        const enum image_state image = result->times[i].image.state;
        const bool agrees = image == IMAGE_SAME || image == IMAGE_NOISE || image == IMAGE_TOLERATED;
        pixels = image == IMAGE_DIFFERS ? DIFFERS : agrees && pixels == NOT_COMPARED ? AGREES : pixels;
    }
    if (result->stage >= STAGE_SKIN) /* which the headline is about */
        skin = NOT_COMPARED;
    return result->vacuous || (result->stage == STAGE_DRAW && pixels == DIFFERS) ? "" : says[skin][pixels];
}

/* The worst of the first culprit, and what differs after it without following from it. */
static const char *say_culprits(const struct case_result *result, struct arena *arena)
{
    const char *headline = result->stages[result->stage].summary;
    for (int s = result->stage + 1; s < STAGE_COUNT; s++)
        if (result->stages[s].state == STAGE_DIFFERS)
            headline = arena_printf(arena, "%s; and on its own: %s: %s", headline, stage_name((enum stage)s),
                                    result->stages[s].summary);
    return arena_printf(arena, "%s%s", headline, say_visible(result));
}

static const char *say_drift(const struct case_result *result, struct arena *arena)
{
    SCOPED(text) other = {0}; /* "`mesa`, `llvm`" */
    const char *name, *was, *now;
    int level = 0;
    for (uint32_t i = 0; i < result->time_count; i++)
        level = result->times[i].image.max_delta > level ? result->times[i].image.max_delta : level;
    for (uint32_t at = 0; fingerprint_next_difference(&result->golden, &result->actual, &at, &name, &was, &now);)
        text_addf(&other, "%s`%s`", other.size > 0 ? ", " : ": ", name);
    return arena_printf(arena, "pixels differ by up to %d level%s; the golden was recorded with another setup%s", level,
                        level == 1 ? "" : "s", text_string(&other));
}

static const char *say_headline(const struct case_result *result, struct arena *arena)
{
    const struct judge_facts *facts = result->facts;
    const bool fails = result->status == CASE_FAIL || result->status == CASE_XFAIL;
    /* Stages that differ at one time and were not compared at the others count as both. */
    const char *const untested[] = {facts->not_sampled, facts->missing_what};
    const char *headline = NULL;
    int said = 0;
    if (facts->error)
        return facts->error;
    if (result->stage != STAGE_NONE)
        headline = say_culprits(result, arena);
    else if (fails && facts->mismatch)
        headline =
            arena_printf(arena,
                         "%s of the golden does not match its hash in recorded.json: an `accept` was interrupted, or "
                         "the file was changed by hand; look at it and accept the case again",
                         facts->mismatch);
    else if (fails || result->status == CASE_MISSING)
        headline = untested[said = untested[0] ? 0 : 1], said++;
    else if (result->status == CASE_UNEXPECTED_PASS)
        headline = "the case passes, but the suite expects it to fail: remove `expect: fail`";
    else if (result->status == CASE_DRIFT)
        headline = say_drift(result, arena);
    for (int i = said; i < 2 && fails; i++)
        if (untested[i])
            headline = arena_printf(arena, "%s; %s", headline, untested[i]);
    return headline;
}

/* "shell: 0.0031 (animate, palette)": as a suite has it, each tolerance once, the widest. */
static void add_needed(const struct case_result *result, size_t at, struct text *out)
{
    const struct needed_tolerance *needed = &result->needed[at];
    const char *name = tolerance_key_names[needed->key];
    double least = needed->least;
    SCOPED(text) stages = {0};
    for (size_t i = 0; i < result->needed_count; i++) {
        const struct needed_tolerance *other = &result->needed[i];
        if (strcmp(tolerance_key_names[other->key], name) != 0)
            continue;
        if (i < at)
            return;
        least = other->least > least ? other->least : least;
        text_addf(&stages, "%s%s", stages.size > 0 ? ", " : "", stage_name(tolerance_stage(other->key)));
    }
    text_addf(out, "%s", out->size > 0 ? ", " : "");
    if (needed->key == TOLERANCE_PIXEL_SHARE)
        text_addf(out, "pixels: {share: %.2g}", least);
    else
        text_addf(out, needed->key == TOLERANCE_KEYS ? "%s: %.0f" : "%s: %.2g", name, least);
    text_addf(out, " (%s)", text_string(&stages));
}

/* The first failure that no tolerance allows; NULL where the headline begins with it. */
static const char *say_hopeless(const struct case_result *result, struct arena *arena)
{
    const struct judge_facts *facts = result->facts;
    struct finding *hopeless = result->about->hopeless;
    if (result->stage == STAGE_NONE || (hopeless && hopeless == result->about->worst[result->stage]))
        return NULL;
    if (hopeless)
        return say(result, hopeless, arena);
    if (facts->mismatch)
        return arena_printf(arena, "%s of the golden does not match its hash", facts->mismatch);
    return facts->not_sampled ? facts->not_sampled : facts->missing_what;
}

/* From which tolerances on the case would pass, and what goes unseen under them. */
static const char *say_passes_from(const struct case_result *result, struct arena *arena)
{
    SCOPED(text) keys = {0}, risks = {0};
    const char *hopeless = result->about->is_hopeless ? say_hopeless(result, arena) : NULL, *says = NULL;
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
    if (result->about->is_hopeless)
        says = arena_printf(arena, "no tolerance lets it pass%s%s", hopeless ? ": " : "", hopeless ? hopeless : "");
    else if (result->needed_count > 0)
        says = arena_printf(arena, "would pass from %s%s", text_string(&keys), text_string(&risks));
    return says;
}

void report_say(struct case_result *result, struct arena *arena)
{
    if (!result->about || !result->facts)
        return;
    for (size_t i = 0; i < result->finding_count; i++)
        say(result, &result->findings[i], arena);
    say_stages(result, arena);
    result->vacuity = say(result, result->about->vacuity, arena);
    result->headline = say_headline(result, arena);
    result->passes_from = say_passes_from(result, arena);
}
