/* One case for a terminal: a line, or all that helps to find out why it fails. */
#include <math.h>
#include <string.h>

#include "base/file/path.h"
#include "base/names.h"
#include "base/utf8.h"
#include "report/report.h"

enum { STAGE_COLUMN = 11, BONES_SHOWN = 5, FINDINGS_SHOWN = 5 };

void terminal_add(struct text *out, bool colour, enum style style, const char *value)
{
    static const char *const codes[] = {[STYLE_GOOD] = "32", [STYLE_BAD] = "1;31", [STYLE_WARN] = "33",
                                        [STYLE_INFO] = "36", [STYLE_DIM] = "2",    [STYLE_BOLD] = "1"};
    if (colour)
        text_addf(out, "\033[%sm", codes[style]);
    text_add_name(out, value);
    if (colour)
        text_add(out, "\033[0m");
}

const struct status_look status_looks[CASE_STATUS_COUNT] = {
    [CASE_PASS] = {"pass", STYLE_GOOD},   [CASE_DRIFT] = {"drift", STYLE_WARN},   [CASE_FAIL] = {"FAIL", STYLE_BAD},
    [CASE_MISSING] = {"MISSING", STYLE_BAD}, [CASE_ERROR] = {"ERROR", STYLE_BAD}, [CASE_CRASH] = {"CRASH", STYLE_BAD},
    [CASE_TIMEOUT] = {"TIMEOUT", STYLE_BAD}, [CASE_XFAIL] = {"xfail", STYLE_WARN}, [CASE_SKIP] = {"skip", STYLE_DIM},
    [CASE_UNEXPECTED_PASS] = {"XPASS", STYLE_BAD},
};

void terminal_add_fingerprint(const struct fingerprint *golden, const struct fingerprint *here, struct text *out)
{
    const char *name, *was, *now;
    if (golden->count == 0 || here->count == 0 || fingerprint_equal(golden, here))
        return;
    text_add(out, "  the golden was recorded with another setup:\n");
    for (uint32_t at = 0; fingerprint_next_difference(golden, here, &at, &name, &was, &now);)
        text_add_named(out, "    `%s`: golden %s, here %s\n", name, was ? was : "-", now ? now : "-");
}

static const char *culprit_summary(const struct case_result *result)
{
    return result->stage == STAGE_NONE ? NULL : result->stages[result->stage].summary;
}

bool report_is_partial(const struct case_result *result, bool has_reason)
{
    bool is_partial = false, is_compared = false;
    for (int i = 0; i < STAGE_COUNT; i++) {
        is_compared = is_compared || result->stages[i].state == STAGE_PASSED;
        const char *why = result->stages[i].summary;
        is_partial = is_partial || (result->stages[i].state == STAGE_NOT_COMPARED &&
                                    (!has_reason || (why && strcmp(why, stage_not_asked_for) != 0)));
    }
    for (size_t i = 0; i < result->finding_count; i++)
        is_partial = is_partial || finding_code_kind(result->findings[i].code) == FINDING_NOT_COMPARED;
    return is_partial && is_compared && result->status == CASE_PASS;
}

/* The stages in that state, of those not compared for that reason, or without one: "animate, palette"; their number. */
static int list_stages(const struct case_result *result, enum stage_state state, const char *why,
                       const char *last_comma, struct text *out)
{
    const char *names[STAGE_COUNT];
    int count = 0;
    for (int i = 0; i < STAGE_COUNT; i++) {
        const struct stage_result *stage = &result->stages[i];
        if (stage->state == state && (state == STAGE_PASSED || names_equal(stage->summary, why)))
            names[count++] = stage_name((enum stage)i);
    }
    for (int i = 0; i < count; i++)
        text_addf(out, "%s%s", i == 0 ? "" : i == count - 1 ? last_comma : ", ", names[i]);
    return count;
}

/* "animate and palette agree; skin: not given by theirs; not compared: import, draw" */
static void add_compared(const struct case_result *result, struct text *out)
{
    enum { MOST = 3 }; /* of parts of stages */
    SCOPED(text) names = {0};
    text_add(out, list_stages(result, STAGE_PASSED, NULL, " and ", out) > 1 ? " agree" : " agrees");
    for (int i = 0; i < STAGE_COUNT; i++) {
        const char *why = result->stages[i].state == STAGE_NOT_COMPARED ? result->stages[i].summary : NULL;
        for (int k = 0; k < i && why; k++) /* said */
            if (result->stages[k].state == STAGE_NOT_COMPARED && names_equal(result->stages[k].summary, why))
                why = NULL;
        names.size = 0;
        if (why && list_stages(result, STAGE_NOT_COMPARED, why, ", ", &names) > 0)
            text_addf(out, "; %s: %s", text_string(&names), why);
    }
    names.size = 0;
    if (list_stages(result, STAGE_NOT_COMPARED, NULL, ", ", &names) > 0)
        text_addf(out, "; not compared: %s", text_string(&names));
    for (size_t i = 0, count = 0; i < result->finding_count && count <= MOST; i++)
        if (finding_code_kind(result->findings[i].code) == FINDING_NOT_COMPARED)
            text_addf(out, "; %s", count++ < MOST ? result->findings[i].text : "...");
}

void report_subject(const struct case_result *result, struct text *out)
{
    if (!result->subject)
        return;
    text_add_named(out, "subject %s", result->subject);
    for (size_t i = 0; i < result->finding_count; i++)
        if (finding_code_kind(result->findings[i].code) == FINDING_CONVENTION)
            text_add_named(out, "; %s", result->findings[i].text);
}

void report_case_sentence(const struct case_result *result, struct text *out)
{
    const char *says = result->status == CASE_UNEXPECTED_PASS ? "passes, although it is expected to fail"
                       : result->status == CASE_XFAIL         ? "fails as expected"
                       : result->status == CASE_SKIP          ? "skipped"
                                                              : NULL;
    if (says)
        text_addf(out, "%s%s%s", says, result->reason ? ": " : "", result->reason ? result->reason : "");
    else if (result->headline)
        text_add(out, result->headline);
    else if (culprit_summary(result))
        text_addf(out, "%s: %s", stage_name(result->stage), culprit_summary(result));
    else if (report_is_partial(result, false))
        add_compared(result, out);
    else if (result->status == CASE_PASS) /* of its times: beyond the clip's end, no longer those of `auto` */
        for (size_t i = 0, count = 0; i < result->finding_count; i++)
            if (result->findings[i].stage == STAGE_ANIMATE &&
                finding_code_kind(result->findings[i].code) == FINDING_DIFFERENCE && count++ == 0)
                text_add(out, result->findings[i].text);
}

/* Returns whether the stage differs on its own: the first that does, or another beside it. */
static bool is_culprit(const struct case_result *result, enum stage stage)
{
    return stage != STAGE_NONE && (stage == result->stage || result->stages[stage].state == STAGE_DIFFERS);
}

/* The finding by which the stage fails, or NULL: they come worst first. */
static const struct finding *find_worst(const struct case_result *result, enum stage stage)
{
    for (size_t i = 0; i < result->finding_count; i++)
        if (result->findings[i].stage == stage && !result->findings[i].benign)
            return &result->findings[i];
    return NULL;
}

/* The headline has what every culprit says, unless an error ended the run after that. */
static bool is_in_headline(const struct case_result *result, enum stage stage)
{
    const struct finding *worst = find_worst(result, stage);
    bool has_ended = case_status_broke(result->status) || (result->facts && result->facts->error);
    return is_culprit(result, stage) && (!has_ended || !worst || worst->code == CODE_STOPPED);
}

void report_case_stages(const struct case_result *result, const char *before, struct text *out)
{
    for (int s = 0; s < STAGE_COUNT; s++)
        if (is_culprit(result, (enum stage)s)) {
            text_addf(out, "%s%s", before, stage_name((enum stage)s));
            before = " and ";
        }
}

/* Status, name and what is to be said. */
static void add_head(const struct case_result *result, bool colour, bool bold, const char *before, struct text *out)
{
    SCOPED(text) sentence = {0};
    const struct status_look *look = &status_looks[result->status];
    terminal_add(out, colour, look->style, look->word);
    text_addf(out, "%*s", STATUS_COLUMN - (int)strlen(look->word), "");
    terminal_add(out, colour && bold, STYLE_BOLD, result->name);
    report_case_sentence(result, &sentence);
    text_add_named(out, "%s%s\n", sentence.size > 0 ? before : "", text_string(&sentence));
}

void report_case_line(const struct case_result *result, bool colour, struct text *out)
{
    add_head(result, colour, false, "  ", out);
}

/* Those that were not compared and have nothing to say are one line, where there are many. */
static void add_stages(const struct case_result *result, bool colour, struct text *out)
{
    enum { MANY = 3 };
    /* Not every case that fails at a stage was compared there. */
    const char *culprit = result->vacuous ? "tests nothing" : "DIFFERS";
    const struct finding *first = find_worst(result, result->stage); /* of an error mostly the error */
    if (result->status == CASE_ERROR && (!first || first->code == CODE_STOPPED))
        culprit = "FAILED";
    const struct status_look states[] = {
        [STAGE_NOT_COMPARED] = {"not compared", STYLE_DIM},
        [STAGE_PASSED] = {"agrees", STYLE_GOOD},
        [STAGE_DIFFERS] = {"DIFFERS", STYLE_BAD},
        [STAGE_EXPLAINED] = {"differs", STYLE_WARN},
        [STAGE_UNVERIFIED] = {"differs", STYLE_WARN},
    };
    SCOPED(text) silent = {0};
    text_add(&silent, "not compared: ");
    int count = list_stages(result, STAGE_NOT_COMPARED, NULL, ", ", &silent), compared = 0;
    for (int i = 0; i < STAGE_COUNT; i++)
        compared += result->stages[i].state != STAGE_NOT_COMPARED;
    for (int i = 0; i < STAGE_COUNT && compared > 0; i++) {
        const struct stage_result *stage = &result->stages[i];
        if (count >= MANY && stage->state == STAGE_NOT_COMPARED && !stage->summary)
            continue;
        text_addf(out, "  %-*s", STAGE_COLUMN, stage_name((enum stage)i));
        terminal_add(out, colour, states[stage->state].style,
                     i == (int)result->stage ? culprit : states[stage->state].word);
        if (stage->state == STAGE_EXPLAINED && result->stage != STAGE_NONE)
            text_addf(out, ", explained by %s", stage->by ? stage->by : stage_name(result->stage));
        if (stage->state == STAGE_UNVERIFIED)
            text_add(out, i == STAGE_DRAW
                              ? ", not known whether that follows (it cannot be drawn from the golden's numbers)"
                              : ", not known whether that follows");
        bool is_said = !stage->summary || is_in_headline(result, (enum stage)i);
        text_add_named(out, is_said ? "\n" : ": %s\n", stage->summary);
    }
    if (count >= MANY && compared > 0) {
        text_add(out, "  ");
        terminal_add(out, colour, STYLE_DIM, text_string(&silent));
        text_add(out, "\n");
    }
}

/* The name comes last: it may be of any length. */
static void add_bone(const struct bone_result *bone, struct text *out)
{
    /* what rounding makes of a turned bone: percent; of its distance */
    const double least_scale = 1e-3, least_move = 1e-4;
    const struct {
        double value;
        const char *unit;
    } columns[] = {
        {100.0 * bone->displacement, " %"},
        {bone->distance, ""},
        {bone->degrees, "\xc2\xb0"},
        {bone->translation < least_move * bone->distance ? 0.0 : bone->translation, ""},
        {fabs(bone->scale_percent) < least_scale ? 0.0 : bone->scale_percent, " %"},
    };
    if (isnan(bone->time))
        text_add(out, "          -");
    else
        text_addf(out, "  %7.3f s", bone->time);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        enum { WIDTH = 12 };
        SCOPED(text) figure = {0};
        if (isnan(columns[i].value))
            text_add(&figure, "-");
        else
            text_addf(&figure, "%.3g%s", columns[i].value, columns[i].unit);
        text_addf(out, "%*s%s", WIDTH - (int)utf8_count(text_string(&figure)), "", text_string(&figure));
    }
    SCOPED(text) mesh = {0};
    if (bone->mesh)
        name_quote(bone->mesh, '`', &mesh);
    text_add_named(out, bone->mesh ? "  `%s` of %s\n" : "  `%s`\n", bone->bone, text_string(&mesh));
}

/* The table of the culprit's bones, as far as they are beyond the limit where that is known. Returns their number. */
static uint32_t add_bones(const struct case_result *result, bool colour, struct text *out)
{
    double limit = result->tolerance ? result->tolerance->shell : 0.0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->bone_count; i++) {
        const struct bone_result *bone = &result->bones[i];
        if (bone->stage != result->stage || bone->displacement <= limit)
            continue;
        if (count == 0) {
            text_add(out, "\n");
            terminal_add(
                out, colour, STYLE_DIM,
                "         at   of radius    distance      turned       moved      scaled  worst bones (lengths in "
                "scene units)");
            text_add(out, "\n");
        }
        if (count++ < BONES_SHOWN)
            add_bone(bone, out);
    }
    if (count > BONES_SHOWN)
        text_addf(out, "  and %u more\n", count - BONES_SHOWN);
    return count;
}

/* Adds the findings of culprits that are not said already: by the headline, or as a row of the table of bones. */
static void add_findings(const struct case_result *result, bool has_table, struct text *out)
{
    size_t shown = 0, more = has_table ? 0 : result->findings_left_out;
    for (size_t i = 0; i < result->finding_count; i++) {
        const struct finding *finding = &result->findings[i];
        bool is_of_stage = result->stage == STAGE_NONE || is_culprit(result, finding->stage);
        bool is_said = (finding == find_worst(result, finding->stage) &&
                        (finding->stage == result->stage || is_in_headline(result, finding->stage))) ||
                       (has_table && finding->stage == result->stage && !isnan(finding->displacement));
        if (finding->benign || finding->explained != STAGE_NONE || !is_of_stage || is_said)
            continue;
        if (shown == FINDINGS_SHOWN)
            more++;
        else
            text_add_named(out, shown++ == 0 ? "\n  - %s\n" : "  - %s\n", finding->text);
    }
    if (more > 0 && shown > 0)
        text_addf(out, "  and %zu more\n", more);
}

/* Returns how much a picture has to say: one that differs, more the more; one that is only shown, the farther off the
 * numbers are. */
static double weigh_picture(const struct time_result *time)
{
    const double *error = time->error;
    if (time->image.state == IMAGE_DIFFERS)
        return 1e9 + time->image.share;
    return time->image.state == IMAGE_SHOWN
               ? fmax(fmax(error[STAGE_ANIMATE], error[STAGE_PALETTE]), fmax(error[STAGE_SKIN], 0.0))
           : time->image.state == IMAGE_MISSING ? 0.0
                                                : NAN;
}

/* Adds the pictures of the time whose picture says most. */
static void add_pictures(const struct case_result *result, const char *folder, struct text *out)
{
    const struct time_result *time = NULL;
    double most = -1.0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->time_count; i++) {
        const double weight = weigh_picture(&result->times[i]);
        count += !isnan(weight);
        if (weight > most) {
            most = weight;
            time = &result->times[i];
        }
    }
    if (!time)
        return;
    const struct image_result *image = &time->image;
    const struct {
        const char *what, *path;
    } files[] = {{image->state == IMAGE_SHOWN ? "reference" : "golden", image->golden},
                 {image->state == IMAGE_SHOWN && result->subject ? "subject" : "actual", image->actual},
                 {"difference", image->difference},
                 {"heat map", image->heat},
                 {"displaced", image->displacement},
                 {"new golden", image->candidate}};
    bool differs = image->state == IMAGE_DIFFERS, has_summary = result->stages[STAGE_DRAW].summary;
    text_add(out, "\n  picture");
    if (time->label[0] && !time->label[strspn(time->label, "-0123456789.")]) /* without a case it is a file's name */
        text_addf(out, " at %s s", time->label);
    if (count > 1)
        text_addf(out, " (the %s of %u)", most > 0 ? "worst" : "first", count);
    if (!differs)
        text_add(out, image->state == IMAGE_SHOWN ? ": not compared" : ": no golden");
    else if (!has_summary && image->changed == 0) /* of another size: there is nothing to count */
        text_addf(out, ": it is %u x %u, the golden is not", image->width, image->height);
    else if (!has_summary)
        text_addf(out, ": %u of %u pixels (%.3g %%) differ, by up to %d levels, in %u x %u at (%u, %u)", image->changed,
                  image->foreground, 100.0 * image->share, image->max_delta, image->box[2], image->box[3],
                  image->box[0], image->box[1]);
    for (uint32_t i = 0; differs && i < image->bone_count && i < 3; i++)
        text_add_named(out, "%s`%s` (%u)", i > 0 ? ", " : has_summary ? ", moved by " : "; moved by ",
                       image->bones[i].bone, image->bones[i].pixels);
    text_add(out, "\n");
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        SCOPED(text) joined = {0};
        if (!files[i].path)
            continue;
        path_join(folder, files[i].path, &joined);
        text_addf(out, "    %-12s", files[i].what);
        text_add_named(out, "%s\n", text_string(&joined));
    }
}

/* The names of a case's bones begin so; the page of results.json leaves it out in the same way. */
static struct name_prefix find_prefix(const struct case_result *result)
{
    struct name_prefix prefix = {0};
    for (uint32_t i = 0; i < result->bone_count; i++)
        name_prefix_add(&prefix, result->bones[i].bone);
    for (uint32_t t = 0; t < result->time_count; t++)
        for (uint32_t i = 0; i < result->times[t].image.bone_count; i++)
            name_prefix_add(&prefix, result->times[t].image.bones[i].bone);
    if (result->curve)
        name_prefix_add(&prefix, result->curve->bone);
    return prefix;
}

/* Adds lines with each `name` in them without the prefix, which is said where `lines` has a '\v'. */
static void add_without_prefix(const struct case_result *result, const struct text *lines, struct text *out)
{
    const struct name_prefix of = find_prefix(result);
    SCOPED(text) raw = {0}, said = {0};
    text_add_bytes(&raw, of.of, name_prefix_length(&of));
    text_add_name(&said, text_string(&raw)); /* escaped as the names are */
    const char *prefix = text_string(&said), *from = text_string(lines);
    for (const char *stop; (stop = strpbrk(from, "`\v")); from = stop + 1) {
        text_add_bytes(out, from, (size_t)(stop - from));
        if (*stop == '\v' && said.size > 0)
            text_addf(out, "  bones      without their \"%s\"\n", prefix);
        if (*stop == '\v')
            continue;
        text_add(out, "`");
        if (strncmp(stop + 1, prefix, said.size) == 0 && stop[1 + said.size] != '`')
            stop += said.size;
    }
    text_add(out, from);
}

void report_case_text(const struct case_result *result, const char *folder, bool colour, struct text *out)
{
    add_head(result, colour, true, ": ", out);
    report_case_body(result, folder, colour, out);
}

void report_case_brief(const struct case_result *result, const char *folder, bool colour, struct text *out)
{
    SCOPED(text) lines = {0};
    add_head(result, colour, true, ": ", out);
    text_add(&lines, "\v");
    add_stages(result, colour, &lines);
    add_pictures(result, folder, &lines);
    add_without_prefix(result, &lines, out);
}

void report_causes(const struct case_result *result, const char *indent, struct text *out)
{
    for (uint32_t i = 0; i < result->explanation_count; i++) {
        const struct case_explanation *explanation = &result->explanations[i];
        for (uint32_t k = 0; k < explanation->cause_count; k++) {
            const struct case_cause *cause = &explanation->causes[k];
            text_addf(out, "%s%-*s", indent, STAGE_COLUMN, k > 0 ? "and" : i > 0 ? "or" : "cause");
            text_add(out, result->explains_golden && k == 0 ? "the golden is this run but for " : "");
            text_add_named(out, cause->detail ? "%s (%s): %s; %s\n" : "%s (%s): %s\n", cause->id, cause->stage,
                           cause->sentence, cause->detail);
            if (result->explains_golden) /* who made a golden has nothing to mend */
                continue;
            text_addf(out, "%s%-*s", indent, STAGE_COLUMN, "");
            text_add_named(out, "%s\n", cause->remedy);
        }
        bool is_picture = strcmp(explanation->causes[0].stage, "draw") == 0;
        text_addf(out, "%s%-*sexplains all of it, to %.1g of %s\n", indent, STAGE_COLUMN, "", explanation->residual,
                  is_picture ? "full brightness" : "the model's radius");
    }
}

static void add_body(const struct case_result *result, const char *folder, bool colour, struct text *out)
{
    const struct {
        const char *what, *command;
    } commands[] = {{"repeat", result->repeat}, {"accept", result->accept}};
    if (result->model[0]) {
        text_add_named(out, "  model      %s", result->model);
        text_add_named(out, result->clip ? ", clip `%s`" : "", result->clip);
        if (result->time_count > 0)
            text_addf(out, ", %u time%s", result->time_count, result->time_count == 1 ? "" : "s");
        text_add_named(out, result->subject ? ", subject %s\n" : "\n", result->subject);
    }
    text_add(out, "\v");
    if (result->vacuous)
        text_add(out, "  As it is, this case tests nothing.\n");
    else if (result->vacuity)
        text_add_named(out, "  With this difference it tests nothing: %s\n", result->vacuity);
    add_stages(result, colour, out);
    for (size_t i = 0; i < result->finding_count; i++) /* which a stage that agrees has said */
        if (finding_code_kind(result->findings[i].code) == FINDING_CONVENTION &&
            result->stages[result->findings[i].stage].state != STAGE_PASSED)
            text_add_named(out, "  subject    %s\n", result->findings[i].text);
    report_causes(result, "  ", out);
    if (result->passes_from)
        text_add_named(out, "  tolerance  %s\n", result->passes_from);
    add_findings(result, add_bones(result, colour, out) > 0, out);
    add_pictures(result, folder, out);
    if (case_status_fails(result->status, true)) {
        SCOPED(text) setup = {0};
        terminal_add_fingerprint(&result->golden, &result->actual, &setup);
        if (setup.size > 0)
            text_addf(out, "\n%s", text_string(&setup));
    }
    if (result->repeat || result->accept)
        text_add(out, "\n");
    for (int i = 0; i < 2; i++)
        if (commands[i].command) {
            text_addf(out, "  %-*s", STAGE_COLUMN, commands[i].what);
            terminal_add(out, colour, STYLE_INFO, commands[i].command);
            text_add(out, "\n");
        }
}

void report_case_body(const struct case_result *result, const char *folder, bool colour, struct text *out)
{
    SCOPED(text) lines = {0};
    add_body(result, folder, colour, &lines);
    add_without_prefix(result, &lines, out);
}
