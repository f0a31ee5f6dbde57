#include <stdio.h>
#include <string.h>

#include "base/screen.h"
#include "cli/command.h"
#include "report/report.h"
#include "diff/diff.h"
#include "report/publish.h"

static struct diff_options options = {.rigproof = RIGPROOF_VERSION};
static struct settings settings, untouched;
static struct foreign_source raw = {.layout = -1};
static bool json;

static const struct setting diff_options[] = {
    {"output", "DIR", "write report.html, results.json, junit.xml and pictures of what differs", 0, &value_text,
     VALUE_OF(options.output), .letter = 'o'},
    {"json", NULL, "results.json on stdout", 0, &value_flag, VALUE_OF(json)},
    {"import", "D", "tolerated difference of the importer's numbers (default 1e-5)", 0, &value_number,
     VALUE_OF(options.tolerance.import), .most = 1},
    {"shell", "D",
     "tolerated displacement of a vertex that a bone can influence, as a share of the model's radius (default 1e-5)", 0,
     &value_number, VALUE_OF(options.tolerance.shell), .most = 1},
    {"agree", "D",
     "of models of different formats: tolerated distance of skinned points, as a share of the radius (default 1e-5)", 0,
     &value_number, VALUE_OF(options.tolerance.agree), .most = 1},
    {"delta", "LEVELS", "tolerated difference of a colour channel, 0 to 255 (default 8)", 0, &value_count,
     VALUE_OF(options.tolerance.pixel_delta), .most = 255},
    {"share", "S", "share of the foreground's pixels that may differ by more than --delta (default 0.0002)", 0,
     &value_number, VALUE_OF(options.tolerance.pixel_share), .most = 1},
    FOREIGN_OPTIONS(raw),
    COMMAND_QUIET_OPTION,
    COMMAND_LIMIT_OPTIONS,
};

static void init_diff(void)
{
    options.tolerance = tolerance_defaults;
    options.settings = &settings;
    memcpy(&untouched, &settings, sizeof settings); /* with what is between its members */
}

/* Pictures that differ are drawn in any case, and kept where somebody asks for them. */
static void say_where_pictures_are(const struct results *results, struct text *out)
{
    bool any = false;
    for (size_t i = 0; i < results->case_count; i++)
        for (uint32_t k = 0; k < results->cases[i].time_count; k++)
            any = any || results->cases[i].times[k].image.state == IMAGE_DIFFERS;
    text_add(out, any ? "pictures   -o DIR writes them, with report.html\n" : "");
}

static enum exit_code run_diff(const struct operands *operands, struct error *err)
{
    struct publish_options publishing = {.colour = log_has_colour(), .local = true};
    SCOPED(text) text = {0};
    options.figures = json || options.output;
    options.has_settings = memcmp(&untouched, &settings, sizeof settings) != 0;
    const char *b = operands->count > 1 ? operands->items[1] : NULL;
    if (!b && !raw.raw)
        error_set(err, "diff: B is missing; usage: rigproof diff A B");
    if (error_is_set(err) || !foreign_check_source(&raw, b, err))
        return EXIT_CODE_USAGE;
    struct results *results = diff_paths(operands->items[0], b, &raw, &options, err);
    if (!results)
        return EXIT_CODE_USAGE;
    publishing.quiet = json || (log_is_quiet && results_good(results));
    if (!publishing.quiet && !strstr(results->cases[0].name, " against ")) { /* the case does not name the golden */
        text_add_named(&text, "%s\n\n", results->suite);
        fputs(text_string(&text), stdout);
        text.size = 0;
    }
    if (options.output)
        publish(results, options.output, &publishing, err);
    if (json)
        results_write(results, &text);
    else if (!options.output && !publishing.quiet) {
        report_text(results, &(struct report_text_options){.folder = "", .colour = publishing.colour}, &text);
        say_where_pictures_are(results, &text);
    }
    if (json)
        fputs(text_string(&text), stdout);
    else
        terminal_print(text_string(&text), stdout);
    enum exit_code code = results_good(results) ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
    results_free(results);
    return code;
}

const struct command command_diff = {
    .name = "diff", .operands = "A B", .summary = "two models, PNGs, pose files, case folders or trees of goldens",
    .about = "Compares two models, two PNGs, two pose.json, two import.json, two case folders or two trees of goldens, "
             "and\nsays which stage moved first. A is the golden, B is tested against it. Of two models every clip is "
             "compared at\n--times auto unless options say which; of two formats (fbx, glb) the skinned vertices in "
             "metres, y up. A model and\na pose.json, or --raw in place of B: what another program makes of the model, "
             "with the cause of what differs.",
    COMMAND_OPTIONS(diff_options), .setting_groups = SETTING_IMPORT | SETTING_CLIP | SETTING_TIME | SETTING_DRAW,
    .settings = &settings, .operand_least = 1, .operand_most = 2, .is_limited = true, .init = init_diff,
    .run = run_diff,
};
