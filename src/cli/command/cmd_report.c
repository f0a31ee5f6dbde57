#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/screen.h"
#include "cli/command.h"
#include "compare/compare.h"
#include "report/report.h"
#include "report/sentences.h"
#include "suite/suite_file.h"
#include "options/suite_paths.h"
#include "report/publish.h"

/* The files that are to be written, and their places. */
static struct {
    const char *output; /* folder for all of it; NULL: none */
    const char *json;
    const char *html;
    const char *junit;
    double viewer_size;
    const char *tolerance; /* judge again by the limits of this file; NULL: as the run did */
    const char *only;      /* the case that alone is wanted; NULL: all */
    bool annotate;
} wish = {.viewer_size = 1e-6 * VIEWER_BYTES};

/* A limit that the file names, noted as "under shell: 0.01"; else the case's own. */
static double choose(double named, double own, const char *name, struct text *words)
{
    if (named >= 0)
        text_addf(words, "%s%s: %g", words->size > 0 ? ", " : "under ", name, named);
    return named < 0 ? own : named;
}

static bool judge(struct results *results, const char *path, struct error *err)
{
#define ROW(member, ...) .member = -1,
    struct tolerance named = {TOLERANCES(ROW) PIXEL_TOLERANCES(ROW)}; /* not named */
#undef ROW
    struct text words = {0};
    bool good = suite_tolerance_read(path, &named, err);
    for (size_t i = 0; good && i < results->case_count; i++) {
        struct case_result *result = &results->cases[i];
        const struct tolerance *own = result->tolerance ? result->tolerance : &tolerance_defaults;
        struct tolerance *t = ARENA_NEW(results->arena, struct tolerance, 1);
        words.size = 0;
#define ROW(member, type, key, ...) t->member = (tolerance_##type)choose(named.member, own->member, key, &words);
        TOLERANCES(ROW)
#undef ROW
#define ROW(member, type, key, ...)                                                                                    \
    t->member = (tolerance_##type)choose(named.member, own->member, "pixels." key, &words);
        PIXEL_TOLERANCES(ROW)
#undef ROW
        good = judge_can_repeat(result);
        if (good) {
            judge_again(result, t, results->arena);
            report_say(result, results->arena);
        } else {
            error_set(err,
                      "case `%s` cannot be judged again: it has no `measured` and no `facts`, which rigproof %s did "
                      "not write; run `check` again",
                      result->name, results->rigproof);
        }
    }
    text_addf(&words, "%s(%s)", words.size > 0 ? " " : "", path);
    results->judged = arena_text(results->arena, &words);
    return good;
}

/* The case alone, as if the run had been of no other. */
static bool keep_case(struct results *results, const char *name, struct error *err)
{
    struct case_result *found = results_find(results, name);
    if (!found && NAMED(results->not_run, results->not_run_count, name))
        return error_set_code(err, EXIT_CODE_DIFFERS,
                              "case `%s` was not run: the run ended before, or its shard is missing", name);
    if (!found)
        return error_set(err, "the results have no case `%s`", name);
    results->cases = found;
    results->case_count = 1;
    results->not_run_count = results->obsolete_count = results->missing_count = results->shader_warning_count = 0;
    return true;
}

/* Prints a case as `check` said it, in full where it fails, and where the pages of the runs are. */
static void print_case(const struct results *results, const struct merge *merge, const char *folder, bool colour)
{
    const struct case_result *result = &results->cases[0];
    SCOPED(text) out = {0}, page = {0};
    if (case_status_fails(result->status, results->strict))
        report_case_text(result, folder, colour, &out);
    else
        report_case_line(result, colour, &out);
    for (size_t i = 0; i < merge->count; i++) {
        page.size = 0;
        path_join(merge->folders[i], "report.html", &page);
        if (results_find(merge->items[i], result->name) && file_exists(text_string(&page)))
            text_addf(&out, "  report     %s\n", text_string(&page));
    }
    terminal_print(text_string(&out), stdout);
}

/* The results relative to a folder, judged as wished. NULL with err set. */
static struct results *gather(const struct merge *merge, const char *folder,
                              void (*warn)(const char *format, ...), struct error *err)
{
    /* one case is good whatever others lack */
    struct results *results = merge_into(merge, folder, wish.only ? NULL : warn, err);
    if (results)
        results->viewer_bytes = wish.viewer_size > 0 ? (size_t)(1e6 * wish.viewer_size) : 1;
    const bool is_empty = results && results->case_count + results->not_run_count + results->missing_count == 0 &&
                          !error_set(err, "no case is in these results: nothing was tested");
    if (!results || (!is_empty && (!wish.only || keep_case(results, wish.only, err)) &&
                     (!wish.tolerance || judge(results, wish.tolerance, err))))
        return results;
    results_free(results);
    return NULL;
}

static const struct setting options[] = {
    {"output", "DIR", "write results.json, report.html and junit.xml there", 0, &value_text, VALUE_OF(wish.output),
     .letter = 'o'},
    {"html", "FILE", "only the page, there (- is stdout)", 0, &value_text, VALUE_OF(wish.html)},
    {"junit", "FILE", "only JUnit XML, there", 0, &value_text, VALUE_OF(wish.junit)},
    {"json", "FILE", "only the results as one file, there", 0, &value_text, VALUE_OF(wish.json)},
    {"tolerance", "FILE",
     "judge the cases again by these limits, without running: YAML as below `tolerance` in a suite", 0, &value_text,
     VALUE_OF(wish.tolerance)},
    {"case", "NAME", "that case alone, as check says it. The exit code is its own: 0, 1, or 77 where it was skipped", 0,
     &value_text, VALUE_OF(wish.only)},
    {"viewer-size", "MB", "of models of failing cases in the page, as check has it (default 20; 0: none)", 0,
     &value_number, VALUE_OF(wish.viewer_size), .most = 1000},
    COMMAND_QUIET_OPTION,
    {"annotate", NULL, "on GitHub: annotations and the step's summary, as check makes them", 0, &value_flag,
     VALUE_OF(wish.annotate)},
};

static void release_runs(struct operands *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        free((char *)runs->items[i]);
    free(runs->items);
}

/* A folder stands for the results.json in it; nothing for the last run's. To be released in any case. */
static bool find_runs(const struct operands *operands, struct operands *out, struct error *err)
{
    const char *const last[] = {RUN_FOLDER};
    const struct operands given = operands->count > 0 ? *operands : (struct operands){(const char **)last, 1};
    out->items = memory_new(given.count, sizeof *out->items);
    for (; out->count < given.count; out->count++) {
        SCOPED(text) path = {0};
        struct stat st;
        if (stat(given.items[out->count], &st) == 0 && S_ISDIR(st.st_mode))
            path_join(given.items[out->count], "results.json", &path);
        else
            text_add(&path, given.items[out->count]);
        out->items[out->count] = memory_string(text_string(&path));
    }
    if (operands->count == 0 && !file_exists(out->items[0]))
        return error_set(err, "report: there is no run in " RUN_FOLDER " here: `rigproof check` first, or name a "
                              "RESULTS.json");
    if (operands->count == 0)
        log_note("results: %s", out->items[0]);
    return true;
}

static enum exit_code run_report(const struct operands *operands, struct error *err)
{
    SCOPED(merge) merge = {.only = wish.only, .complete = true};
    SCOPED(text) folder = {0};
    struct operands found = {0};
    const struct {
        const char *path;
        enum publish_format format;
    } files[] = {{wish.json, PUBLISH_JSON}, {wish.html, PUBLISH_HTML}, {wish.junit, PUBLISH_JUNIT}};
    struct publish_options publishing = {.colour = log_has_colour(), .local = !wish.annotate};
    for (size_t i = 0; i < 3; i++)
        publishing.quiet = publishing.quiet || (files[i].path && strcmp(files[i].path, "-") == 0);
    for (size_t i = 0; i < 4; i++) { /* a link that a commit has put there leads out of the repository */
        const char *path = i < 3 ? files[i].path : wish.output;
        if (path && strcmp(path, "-") != 0 && !suite_paths_are_own(".", path, false, err)) {
            error_prefix(err, "cannot write to %s", path);
            return EXIT_CODE_USAGE;
        }
    }
    bool good = find_runs(operands, &found, err) && merge_open(&merge, found.items, found.count, err) &&
                (!wish.output || folder_make(wish.output, err));
    const char *seen_from = wish.output ? wish.output : good && wish.only ? merge.folders[0] : ".";
    struct results *results = good ? gather(&merge, seen_from, log_warning, err) : NULL;
    const bool all_good = results && results_good(results);
    publishing.quiet = publishing.quiet || (log_is_quiet && all_good);
    const bool prints_case = wish.only && !publishing.quiet;
    publishing.quiet = publishing.quiet || wish.only;
    good = results && publish(results, wish.output, &publishing, err);
    const bool is_skipped = good && wish.only && results->cases[0].status == CASE_SKIP;
    if (good && prints_case)
        print_case(results, &merge, seen_from, publishing.colour);
    results_free(results);
    for (size_t i = 0; good && i < 3; i++) { /* pictures are named from where the file is: there its reader stands */
        const char *path = files[i].path;
        bool is_stdout = path && strcmp(path, "-") == 0;
        if (!path)
            continue;
        folder.size = 0;
        path_folder(is_stdout ? "x" : path, &folder);
        results = is_stdout || file_make_parent(path, err) ? gather(&merge, text_string(&folder), NULL, err) : NULL;
        good = results && publish_file(results, files[i].format, text_string(&folder), path, err);
        results_free(results);
    }
    release_runs(&found);
    return !good || !all_good ? EXIT_CODE_DIFFERS : is_skipped ? EXIT_CODE_SKIPPED : EXIT_CODE_GOOD;
}

const struct command command_report = {
    .name = "report", .operands = "[RESULTS.json...]",
    .summary = "the reports of a run anew, or of its shards together",
    .about = "Makes the reports anew from results.json, or that of a folder (default out/check). Several files are "
             "merged: the shards of one suite, or a run\nand what was repeated of it (a case in several files is taken "
             "from the last). Without -o the text alone.\nAll shards of a run must be there: otherwise the exit code "
             "is 1, and what was not run is named.\nWith --tolerance the cases are judged again by other limits; the "
             "exit code is that of the new verdicts.",
    COMMAND_OPTIONS(options), .operand_most = SIZE_MAX, .run = run_report,
};
