#include "suite/run/publish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "report/report.h"

/* A failing case needs some 20 lines: what comes after so many is in report.html. */
enum { DETAILS = 20 };

static const char *const names[PUBLISH_COUNT] = {"results.json", "report.html", "junit.xml"};

/* Without a path it goes into the folder, by its own name. */
bool publish_file(const struct results *results, enum publish_format format, const char *folder, const char *path,
                  struct error *err)
{
    struct text text = {0};
    bool good;
    if (format == PUBLISH_JSON)
        results_write(results, &text);
    else
        (format == PUBLISH_HTML ? report_html : report_junit)(results, folder, &text);
    if (!path)
        good = folder_make(folder, err) && file_write_below(folder, names[format], text.data, text.size, err);
    else
        good = (strcmp(path, "-") == 0 || file_make_parent(path, err)) && file_write(path, text.data, text.size, err);
    text_release(&text);
    return good;
}

/* Releases the text. */
static bool print(struct text *text, struct error *err)
{
    bool good = fwrite(text_string(text), 1, text->size, stdout) == text->size && fflush(stdout) == 0;
    int reason = errno;
    text_release(text);
    return good || error_set(err, "cannot write to stdout: %s", strerror(reason));
}

/* The suite's path from the repository's root, which is what annotations want. */
static void add_github_path(const char *suite, struct text *out)
{
    const char *workspace = getenv("GITHUB_WORKSPACE");
    struct text folder = {0};
    struct error ignored = {0}; /* a workspace that is not there: the path stays as it was given */
    bool is_below = suite[0] != '/' && workspace && path_between(workspace, ".", &folder, &ignored) &&
                    strncmp(text_string(&folder), "..", 2) != 0;
    path_join(is_below ? text_string(&folder) : "", suite, out);
    text_release(&folder);
}

/* Other steps have written to the file before. */
static bool append(const char *path, const struct text *text, struct error *err)
{
    FILE *file = fopen(path, "ae");
    bool good = file && fwrite(text_string(text), 1, text->size, file) == text->size;
    good = file && fclose(file) == 0 && good;
    return good || error_set(err, "cannot write the summary to %s: %s", path, strerror(errno));
}

static bool publish_on_github(const struct results *results, const char *folder, struct error *err)
{
    const char *actions = getenv("GITHUB_ACTIONS"), *summary = getenv("GITHUB_STEP_SUMMARY");
    struct text suite = {0}, text = {0};
    bool good = true;
    if (actions && strcmp(actions, "true") == 0) {
        add_github_path(results->suite, &suite);
        report_github_annotations(results, text_string(&suite), &text);
        good = print(&text, err);
        text_release(&suite);
    }
    if (summary && *summary) {
        report_github_summary(results, folder ? folder : "", &text);
        good = append(summary, &text, err) && good;
        text_release(&text);
    }
    return good;
}

bool publish(const struct results *results, const char *folder, const struct publish_options *options,
             struct error *err)
{
    const struct report_text_options text_options = {
        .folder = folder ? folder : "", .colour = options->colour, .has_lines = options->has_lines, .details = DETAILS};
    bool good = true;
    for (int f = 0; folder && good && f < PUBLISH_COUNT; f++)
        good = publish_file(results, (enum publish_format)f, folder, NULL, err);
    if (!options->quiet) {
        struct text text = {0};
        report_text(results, &text_options, &text);
        if (folder && good) {
            text_add(&text, "report     ");
            path_join(folder, names[PUBLISH_HTML], &text);
            text_add(&text, "\n");
        }
        good = print(&text, err) && good;
    }
    if (!options->local)
        good = publish_on_github(results, folder, err) && good;
    return good;
}
