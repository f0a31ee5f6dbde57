#define _POSIX_C_SOURCE 200809L /* isatty */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/path.h"
#include "base/log.h"
#include "cli/command.h"
#include "compare/compare.h"
#include "suite/file/suite_file.h"
#include "suite/run/merge.h"
#include "suite/run/publish.h"

/* What is to be written, and where. */
struct wish {
    const char *output; /* folder for all of it; NULL: none */
    const char *json;
    const char *html;
    const char *junit;
    const char *tolerance; /* judge again by the limits of this file; NULL: as the run did */
    bool quiet;
    bool annotate;
};

/* ---- other limits ---------------------------------------------------------------------------------------------- */

/* Limits that a file does not name. */
static const struct tolerance unnamed = {-1, -1, -1, -1, -1, -1};

static double chosen(double named, double own)
{
    return named < 0 ? own : named;
}

static struct tolerance combine(const struct tolerance *named, const struct tolerance *own)
{
    return (struct tolerance){
        .import = chosen(named->import, own->import),
        .shell = chosen(named->shell, own->shell),
        .skin = chosen(named->skin, own->skin),
        .agree = chosen(named->agree, own->agree),
        .pixel_delta = (int)chosen(named->pixel_delta, own->pixel_delta),
        .pixel_share = chosen(named->pixel_share, own->pixel_share),
    };
}

/* "under shell: 0.01 (limits.yaml)". */
static const char *describe(const struct tolerance *named, const char *path, struct arena *arena)
{
    const struct {
        const char *name;
        double value;
    } limits[] = {
        {"import", named->import},    {"shell", named->shell},
        {"skin", named->skin},        {"agree", named->agree},
        {"pixels.delta", named->pixel_delta}, {"pixels.share", named->pixel_share},
    };
    struct text text = {0};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].value >= 0)
            text_addf(&text, "%s%s: %g", text.size > 0 ? ", " : "under ", limits[i].name, limits[i].value);
    text_addf(&text, "%s(%s)", text.size > 0 ? " " : "", path);
    char *copy = arena_string(arena, text_string(&text));
    text_release(&text);
    return copy;
}

static bool judge(struct results *results, const char *path, struct error *err)
{
    struct tolerance named = unnamed;
    if (!suite_tolerance_read(path, &named, err))
        return false;
    for (size_t i = 0; i < results->case_count; i++) {
        struct case_result *result = &results->cases[i];
        struct tolerance *tolerance = ARENA_NEW(results->arena, struct tolerance, 1);
        *tolerance = combine(&named, result->tolerance ? result->tolerance : &tolerance_defaults);
        if (!judge_can_repeat(result))
            return error_set(err, "case `%s` cannot be judged again: it has no `measured` and no `facts`, which rigproof %s did "
                                  "not write; run `check` again", result->name, results->rigproof);
        judge_again(result, tolerance, results->arena);
    }
    results->judged = describe(&named, path, results->arena);
    return true;
}

/* The results relative to a folder, judged as wished. NULL with err set. */
static struct results *gather(const struct merge *merge, const struct wish *wish, const char *folder,
                              void (*warn)(const char *format, ...), struct error *err)
{
    struct results *results = merge_into(merge, folder, warn, err);
    if (!results || !wish->tolerance || judge(results, wish->tolerance, err))
        return results;
    results_free(results);
    return NULL;
}

/* ---- reports --------------------------------------------------------------------------------------------------- */

/* Pictures are named from where the file is: that is where the reader of it stands. */
static bool write_file(const struct merge *merge, const struct wish *wish, const char *path,
                       enum publish_format format, struct error *err)
{
    if (!path)
        return true;
    bool is_stdout = strcmp(path, "-") == 0;
    struct text folder = {0};
    path_folder(is_stdout ? "x" : path, &folder);
    struct results *results = is_stdout || file_make_parent(path, err)
                                  ? gather(merge, wish, text_string(&folder), NULL, err) : NULL;
    bool good = results && publish_file(results, format, text_string(&folder), path, err);
    results_free(results);
    text_release(&folder);
    return good;
}

/* The folder with everything, or only the text. */
static bool write_folder(const struct merge *merge, const struct wish *wish, bool *all_good, struct error *err)
{
    const struct publish_options options = {
        .colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), .quiet = wish->quiet, .local = !wish->annotate};
    struct text inside = {0};
    bool good = true;
    if (wish->output) {
        path_join(wish->output, "results.json", &inside);
        good = file_make_parent(text_string(&inside), err);
    }
    struct results *results = good ? gather(merge, wish, wish->output ? wish->output : ".", log_warning, err) : NULL;
    good = results && publish(results, wish->output, &options, err);
    *all_good = results && results_good(results) && merge_is_complete(merge);
    results_free(results);
    text_release(&inside);
    return good;
}

static bool writes_to_stdout(const struct wish *wish)
{
    const char *const paths[] = {wish->json, wish->html, wish->junit};
    for (size_t i = 0; i < 3; i++)
        if (paths[i] && strcmp(paths[i], "-") == 0)
            return true;
    return false;
}

static enum exit_code report(const struct merge *merge, struct wish *wish, struct error *err)
{
    bool all_good = false;
    wish->quiet = wish->quiet || writes_to_stdout(wish);
    bool good = write_folder(merge, wish, &all_good, err) && write_file(merge, wish, wish->json, PUBLISH_JSON, err) &&
                write_file(merge, wish, wish->html, PUBLISH_HTML, err) &&
                write_file(merge, wish, wish->junit, PUBLISH_JUNIT, err);
    return good && all_good ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

static struct wish wish;

static const struct setting options[] = {
    {"output", "DIR", "write results.json, report.html and junit.xml there", 0,
     &value_text, VALUE_OF(wish.output), .letter = 'o'},
    {"html", "FILE", "only the page, there (- is stdout)", 0, &value_text, VALUE_OF(wish.html)},
    {"junit", "FILE", "only JUnit XML, there", 0, &value_text, VALUE_OF(wish.junit)},
    {"json", "FILE", "only the results as one file, there", 0, &value_text, VALUE_OF(wish.json)},
    {"tolerance", "FILE", "judge the cases again by these limits, without running: YAML as below `tolerance` in a suite", 0,
     &value_text, VALUE_OF(wish.tolerance)},
    {"quiet", NULL, "no text on stdout", 0, &value_flag, VALUE_OF(wish.quiet), .letter = 'q'},
    {"annotate", NULL, "on GitHub: annotations and the step's summary, as check makes them", 0,
     &value_flag, VALUE_OF(wish.annotate)},
};

static enum exit_code run_report(const struct option_list *operands, struct error *err)
{
    struct merge merge = {0};
    enum exit_code code = EXIT_CODE_GOOD;
    if (merge_open(&merge, operands->items, operands->count, err))
        code = report(&merge, &wish, err);
    merge_release(&merge);
    return code;
}

const struct command command_report = {
    .name = "report", .operands = "RESULTS.json...",
    .summary = "the reports of a run anew, or of its shards together",
    .about = "Makes the reports anew from results.json. Several files are merged: the shards of one suite, or a run\n"
             "and what was repeated of it (a case in several files is taken from the last). Without -o the text alone.\n"
             "With --tolerance the cases are judged again by other limits; the exit code is that of the new verdicts.",
    COMMAND_OPTIONS(options),
    .operand_least = 1, .operand_most = OPTION_LIST_MOST,
    .run = run_report,
};
