/* One case for a terminal: a line, or all that helps to find out why it fails. */
#include <math.h>
#include <string.h>

#include "base/file/path.h"
#include "base/names.h"
#include "base/utf8.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/terminal.h"

enum { STATUS_COLUMN = 9, STAGE_COLUMN = 11, BONES_SHOWN = 5, FINDINGS_SHOWN = 5 };

/* ---- a line ---------------------------------------------------------------------------------------------------- */

static void add_status(const struct case_result *result, bool colour, struct text *out)
{
    const char *word = terminal_status(result->status);
    terminal_add(out, colour, terminal_status_style(result->status), word);
    for (size_t i = strlen(word); i < STATUS_COLUMN; i++)
        text_add(out, " ");
}

static const char *culprit_summary(const struct case_result *result)
{
    return result->stage == STAGE_NONE ? NULL : result->stages[result->stage].summary;
}

static void add_reason(const char *words, const char *reason, struct text *out)
{
    text_add(out, words);
    if (reason)
        text_addf(out, ": %s", reason);
}

void report_case_sentence(const struct case_result *result, struct text *out)
{
    const char *summary = culprit_summary(result);
    if (result->status == CASE_UNEXPECTED_PASS)
        add_reason("passes, although it is expected to fail", result->reason, out);
    else if (result->status == CASE_XFAIL)
        add_reason("fails as expected", result->reason, out);
    else if (result->status == CASE_SKIP)
        add_reason("skipped", result->reason, out);
    else if (result->headline)
        text_add(out, result->headline);
    else if (summary)
        text_addf(out, "%s: %s", stage_name(result->stage), summary);
}

static void add_sentence(const struct case_result *result, const char *before, struct text *out)
{
    struct text sentence = {0};
    report_case_sentence(result, &sentence);
    if (sentence.size > 0)
        text_add(out, before);
    text_add_name(out, text_string(&sentence));
    text_release(&sentence);
}

void report_case_line(const struct case_result *result, bool colour, struct text *out)
{
    add_status(result, colour, out);
    text_add_name(out, result->name);
    add_sentence(result, "  ", out);
    text_add(out, "\n");
}

/* ---- stages ---------------------------------------------------------------------------------------------------- */

static bool was_compared(const struct case_result *result)
{
    for (int i = 0; i < STAGE_COUNT; i++)
        if (result->stages[i].state != STAGE_NOT_COMPARED)
            return true;
    return false;
}

/* Not every case that fails at a stage was compared there. */
static const char *culprit_word(const struct case_result *result)
{
    return result->vacuous ? "tests nothing" : result->status == CASE_ERROR ? "FAILED" : "DIFFERS";
}

static void add_state(const struct case_result *result, enum stage_state state, bool colour, struct text *out)
{
    static const char *const words[] = {
        [STAGE_NOT_COMPARED] = "not compared", [STAGE_PASSED] = "agrees", [STAGE_EXPLAINED] = "differs",
    };
    static const enum style styles[] = {
        [STAGE_NOT_COMPARED] = STYLE_DIM, [STAGE_PASSED] = STYLE_GOOD, [STAGE_DIFFERS] = STYLE_BAD,
        [STAGE_EXPLAINED] = STYLE_WARN,
    };
    terminal_add(out, colour, styles[state], state == STAGE_DIFFERS ? culprit_word(result) : words[state]);
}

static void add_stage(const struct case_result *result, enum stage which, bool colour, struct text *out)
{
    const struct stage_result *stage = &result->stages[which];
    text_addf(out, "  %-*s", STAGE_COLUMN, stage_name(which));
    add_state(result, stage->state, colour, out);
    if (stage->state == STAGE_EXPLAINED && result->stage != STAGE_NONE)
        text_addf(out, ", explained by %s", stage_name(result->stage));
    bool is_said = stage->summary && result->headline && strcmp(stage->summary, result->headline) == 0;
    if (stage->summary && !is_said) {
        text_add(out, ": ");
        text_add_name(out, stage->summary);
    }
    text_add(out, "\n");
}

/* Those that were not compared and have nothing to say are one line, where there are many. */
static void add_stages(const struct case_result *result, bool colour, struct text *out)
{
    struct text rest = {0};
    size_t left_out = 0;
    for (int i = 0; i < STAGE_COUNT; i++)
        if (result->stages[i].state == STAGE_NOT_COMPARED && !result->stages[i].summary)
            text_addf(&rest, "%s%s", left_out++ ? ", " : "", stage_name((enum stage)i));
    for (int i = 0; i < STAGE_COUNT; i++)
        if (left_out < 3 || result->stages[i].state != STAGE_NOT_COMPARED || result->stages[i].summary)
            add_stage(result, (enum stage)i, colour, out);
    if (left_out >= 3) {
        text_add(out, "  ");
        terminal_add(out, colour, STYLE_DIM, "not compared: ");
        terminal_add(out, colour, STYLE_DIM, text_string(&rest));
        text_add(out, "\n");
    }
    text_release(&rest);
}

/* ---- bones and findings ---------------------------------------------------------------------------------------- */

/* Percent: what rounding makes of a turned bone is no change of scale. */
static const double LEAST_SCALE = 1e-3;

/* A figure that ends in the next column. */
static void add_column(double value, const char *unit, struct text *out)
{
    enum { WIDTH = 12 };
    struct text figure = {0};
    terminal_add_figure(&figure, value, unit);
    for (size_t i = utf8_count(text_string(&figure)); i < WIDTH; i++)
        text_add(out, " ");
    text_add(out, text_string(&figure));
    text_release(&figure);
}

/* The name comes last: it may be of any length. */
static void add_bone(const struct bone_result *bone, struct text *out)
{
    if (isnan(bone->time))
        text_addf(out, "  %9s", "-");
    else
        text_addf(out, "  %7.3f s", bone->time);
    add_column(100.0 * bone->displacement, " %", out);
    add_column(bone->distance, "", out);
    add_column(bone->degrees, "\xc2\xb0", out);
    add_column(bone->translation, "", out);
    add_column(fabs(bone->scale_percent) < LEAST_SCALE ? 0.0 : bone->scale_percent, " %", out);
    text_add(out, "  `");
    text_add_name(out, bone->bone);
    text_add(out, "`");
    if (bone->mesh) {
        struct text mesh = {0};
        name_quote(bone->mesh, '`', &mesh);
        text_add(out, " of ");
        text_add_name(out, text_string(&mesh));
        text_release(&mesh);
    }
    text_add(out, "\n");
}

/* Of the culprit, and beyond the limit where that is known. */
static bool is_in_table(const struct case_result *result, const struct bone_result *bone)
{
    double limit = result->tolerance ? result->tolerance->shell : 0.0;
    return bone->stage == result->stage && !(bone->displacement <= limit);
}

static uint32_t count_bones_in_table(const struct case_result *result)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->bone_count; i++)
        count += is_in_table(result, &result->bones[i]);
    return count;
}

static void add_bones(const struct case_result *result, bool colour, struct text *out)
{
    uint32_t shown = 0, count = count_bones_in_table(result);
    if (count == 0)
        return;
    text_add(out, "\n");
    terminal_add(out, colour, STYLE_DIM,
                 "         at   of radius    distance      turned       moved      scaled  worst bones (lengths in scene units)");
    text_add(out, "\n");
    for (uint32_t i = 0; i < result->bone_count && shown < BONES_SHOWN; i++)
        if (is_in_table(result, &result->bones[i])) {
            add_bone(&result->bones[i], out);
            shown++;
        }
    if (count > shown)
        text_addf(out, "  and %u more\n", count - shown);
}

/* What fails at the culprit and is not said already: by its summary, or as a row of the table of bones. */
static bool is_worth_a_line(const struct case_result *result, bool has_table, const struct finding *finding)
{
    const char *summary = culprit_summary(result);
    bool is_of_stage = result->stage == STAGE_NONE || finding->stage == result->stage;
    bool is_said = (summary && strcmp(finding->text, summary) == 0) || (has_table && !isnan(finding->displacement));
    return !finding->benign && is_of_stage && !is_said;
}

static void add_findings(const struct case_result *result, struct text *out)
{
    bool has_table = count_bones_in_table(result) > 0;
    size_t shown = 0, more = has_table ? 0 : result->findings_left_out;
    for (size_t i = 0; i < result->finding_count; i++) {
        if (!is_worth_a_line(result, has_table, &result->findings[i]))
            continue;
        if (shown == FINDINGS_SHOWN) {
            more++;
            continue;
        }
        text_add(out, shown++ == 0 ? "\n  - " : "  - ");
        text_add_name(out, result->findings[i].text);
        text_add(out, "\n");
    }
    if (more > 0 && shown > 0)
        text_addf(out, "  and %zu more\n", more);
}

/* ---- pictures -------------------------------------------------------------------------------------------------- */

/* The time whose picture says most: the one that differs most, else one without a golden. */
static const struct time_result *worst_picture(const struct case_result *result, uint32_t *count)
{
    const struct time_result *worst = NULL;
    *count = 0;
    for (uint32_t i = 0; i < result->time_count; i++) {
        const struct time_result *time = &result->times[i];
        if (time->image.state != IMAGE_DIFFERS && time->image.state != IMAGE_MISSING)
            continue;
        ++*count;
        bool is_worse = !worst || (time->image.state == IMAGE_DIFFERS && (worst->image.state != IMAGE_DIFFERS ||
                                                                          time->image.share > worst->image.share));
        worst = is_worse ? time : worst;
    }
    return worst;
}

static void add_file(const char *what, const char *folder, const char *path, struct text *out)
{
    if (!path)
        return;
    struct text joined = {0};
    path_join(folder, path, &joined);
    text_addf(out, "    %-12s", what);
    text_add_name(out, text_string(&joined));
    text_add(out, "\n");
    text_release(&joined);
}

static void add_image_figures(const struct image_result *image, struct text *out)
{
    if (image->changed == 0) { /* of another size: there is nothing to count */
        text_addf(out, ": it is %u x %u, the golden is not", image->width, image->height);
        return;
    }
    text_addf(out, ": %u of %u pixels (%.3g %%) differ, by up to %d levels, in %u x %u at (%u, %u)", image->changed,
              image->foreground, 100.0 * image->share, image->max_delta, image->box[2], image->box[3], image->box[0],
              image->box[1]);
}

static void add_image_bones(const struct image_result *image, const char *before, struct text *out)
{
    for (uint32_t i = 0; i < image->bone_count && i < 3; i++) {
        text_addf(out, "%s`", i == 0 ? before : ", ");
        text_add_name(out, image->bones[i].bone);
        text_addf(out, "` (%u)", image->bones[i].pixels);
    }
}

/* The label of a picture that is of no case is its file's name. */
static bool is_seconds(const char *label)
{
    return label[0] != '\0' && label[strspn(label, "-0123456789.")] == '\0';
}

static void add_pictures(const struct case_result *result, const char *folder, struct text *out)
{
    uint32_t count;
    const struct time_result *time = worst_picture(result, &count);
    if (!time)
        return;
    text_add(out, "\n  picture");
    if (is_seconds(time->label))
        text_addf(out, " at %s s", time->label);
    if (count > 1)
        text_addf(out, " (the %s of %u)", time->image.state == IMAGE_DIFFERS ? "worst" : "first", count);
    if (time->image.state != IMAGE_DIFFERS)
        text_add(out, ": no golden");
    else if (!result->stages[STAGE_DRAW].summary) /* which tells them */
        add_image_figures(&time->image, out);
    if (time->image.state == IMAGE_DIFFERS)
        add_image_bones(&time->image, result->stages[STAGE_DRAW].summary ? ", moved by " : "; moved by ", out);
    text_add(out, "\n");
    add_file("golden", folder, time->image.golden, out);
    add_file("actual", folder, time->image.actual, out);
    add_file("difference", folder, time->image.difference, out);
    add_file("heat map", folder, time->image.heat, out);
}

/* ---- remainder -------------------------------------------------------------------------------------------------- */

static void add_head(const struct case_result *result, bool colour, struct text *out)
{
    add_status(result, colour, out);
    terminal_add(out, colour, STYLE_BOLD, result->name);
    add_sentence(result, ": ", out);
    text_add(out, "\n");
    if (result->model[0] == '\0')
        return;
    text_add(out, "  model      ");
    text_add_name(out, result->model);
    if (result->clip) {
        text_add(out, ", clip `");
        text_add_name(out, result->clip);
        text_add(out, "`");
    }
    if (result->time_count > 0)
        text_addf(out, ", %u time%s", result->time_count, result->time_count == 1 ? "" : "s");
    text_add(out, "\n");
}

static void add_setup(const struct case_result *result, struct text *out)
{
    struct text setup = {0};
    terminal_add_fingerprint(&result->golden, &result->actual, &setup);
    if (setup.size > 0)
        text_addf(out, "\n%s", text_string(&setup));
    text_release(&setup);
}

static void add_command(const char *what, const char *command, bool colour, struct text *out)
{
    if (!command)
        return;
    text_addf(out, "  %-*s", STAGE_COLUMN, what);
    terminal_add(out, colour, STYLE_INFO, command);
    text_add(out, "\n");
}

void report_case_text(const struct case_result *result, const char *folder, bool colour,
                      struct text *out)
{
    add_head(result, colour, out);
    if (result->vacuous)
        text_add(out, "  As it is, this case tests nothing.\n");
    else if (result->vacuity) {
        text_add(out, "  With this difference it tests nothing: ");
        text_add_name(out, result->vacuity);
        text_add(out, "\n");
    }
    if (was_compared(result))
        add_stages(result, colour, out);
    if (result->passes_from) {
        text_addf(out, "  %-*s", STAGE_COLUMN, "tolerance");
        text_add_name(out, result->passes_from);
        text_add(out, "\n");
    }
    add_bones(result, colour, out);
    add_findings(result, out);
    add_pictures(result, folder, out);
    if (case_status_fails(result->status, true))
        add_setup(result, out);
    if (result->repeat || result->accept)
        text_add(out, "\n");
    add_command("repeat", result->repeat, colour, out);
    add_command("accept", result->accept, colour, out);
}
