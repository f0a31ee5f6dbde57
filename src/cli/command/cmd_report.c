#define _POSIX_C_SOURCE 200809L /* isatty */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/path.h"
#include "base/log.h"
#include "cli/command.h"
#include "suite/run/merge.h"
#include "suite/run/publish.h"

/* What is to be written, and where. */
struct wish {
    const char *output; /* folder for all of it; NULL: none */
    const char *json;
    const char *html;
    const char *junit;
    bool quiet;
    bool annotate;
};

typedef bool (*write_one)(const struct results *results, const char *folder, const char *path, struct error *err);

static bool write_json(const struct results *results, const char *folder, const char *path, struct error *err)
{
    (void)folder;
    return publish_json(results, path, err);
}

/* Pictures are named from where the file is: that is where the reader of it stands. */
static bool write_file(const struct merge *merge, const char *path, write_one write, struct error *err)
{
    if (!path)
        return true;
    bool is_stdout = strcmp(path, "-") == 0;
    struct text folder = {0};
    path_folder(is_stdout ? "x" : path, &folder);
    struct results *results = is_stdout || file_make_parent(path, err)
                                  ? merge_into(merge, text_string(&folder), NULL, err) : NULL;
    bool good = results && write(results, text_string(&folder), path, err);
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
    struct results *results = good ? merge_into(merge, wish->output ? wish->output : ".", log_warning, err) : NULL;
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
    bool good = write_folder(merge, wish, &all_good, err) && write_file(merge, wish->json, write_json, err) &&
                write_file(merge, wish->html, publish_html, err) && write_file(merge, wish->junit, publish_junit, err);
    return good && all_good ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

static struct wish wish;

static const struct setting options[] = {
    {"output", "DIR", "write results.json, report.html and junit.xml there", 0,
     &value_text, VALUE_OF(wish.output), .letter = 'o'},
    {"html", "FILE", "only the page, there (- is stdout)", 0, &value_text, VALUE_OF(wish.html)},
    {"junit", "FILE", "only JUnit XML, there", 0, &value_text, VALUE_OF(wish.junit)},
    {"json", "FILE", "only the results as one file, there", 0, &value_text, VALUE_OF(wish.json)},
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
             "and what was repeated of it (a case in several files is taken from the last). Without -o the text alone.",
    COMMAND_OPTIONS(options),
    .operand_least = 1, .operand_most = OPTION_LIST_MOST,
    .run = run_report,
};
