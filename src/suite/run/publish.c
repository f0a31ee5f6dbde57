#define _XOPEN_SOURCE 700 /* open, write */

#include "suite/run/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "report/report.h"

/* A failing case needs some 20 lines: what comes after so many is in report.html. */
enum { DETAILS = 20 };

/* ---- files ----------------------------------------------------------------------------------------------------- */

static const char *const names[PUBLISH_COUNT] = {"results.json", "report.html", "junit.xml"};

static void make(const struct results *results, enum publish_format format, const char *folder, struct text *out)
{
    if (format == PUBLISH_JSON)
        results_write(results, out);
    else
        (format == PUBLISH_HTML ? report_html : report_junit)(results, folder, out);
}

bool publish_file(const struct results *results, enum publish_format format, const char *folder, const char *path,
                  struct error *err)
{
    struct text text = {0};
    make(results, format, folder, &text);
    bool good = (strcmp(path, "-") == 0 || file_make_parent(path, err)) && file_write(path, text.data, text.size, err);
    text_release(&text);
    return good;
}

static bool write_files(const struct results *results, const char *folder, struct error *err)
{
    bool good = folder_make(folder, err);
    for (int f = 0; good && f < PUBLISH_COUNT; f++) {
        struct text text = {0};
        make(results, (enum publish_format)f, folder, &text);
        good = file_write_below(folder, names[f], text.data, text.size, err);
        text_release(&text);
    }
    return good;
}

/* ---- stdout ---------------------------------------------------------------------------------------------------- */

/* Releases the text. */
static bool print(struct text *text, struct error *err)
{
    bool good = fwrite(text_string(text), 1, text->size, stdout) == text->size && fflush(stdout) == 0;
    int reason = errno;
    text_release(text);
    return good || error_set(err, "cannot write to stdout: %s", strerror(reason));
}

static bool print_text(const struct results *results, const char *folder, bool has_page,
                       const struct publish_options *publishing, struct error *err)
{
    struct text text = {0};
    const struct report_text_options options = {
        .folder = folder ? folder : "", .colour = publishing->colour, .has_lines = publishing->has_lines,
        .details = DETAILS};
    report_text(results, &options, &text);
    if (has_page) {
        text_add(&text, "report     ");
        path_join(folder, "report.html", &text);
        text_add(&text, "\n");
    }
    return print(&text, err);
}

/* ---- GitHub ---------------------------------------------------------------------------------------------------- */

/* The suite's path from the repository's root, which is what annotations want. */
static void add_github_path(const char *suite, struct text *out)
{
    const char *workspace = getenv("GITHUB_WORKSPACE");
    struct text folder = {0};
    struct error ignored = {0}; /* a workspace that is not there: the path stays as it was given */
    if (suite[0] == '/' || !workspace || !path_between(workspace, ".", &folder, &ignored) ||
        strncmp(text_string(&folder), "..", 2) == 0)
        path_join("", suite, out);
    else
        path_join(text_string(&folder), suite, out);
    text_release(&folder);
}

/* Other steps have written to the file before. */
static bool append(const char *path, const struct text *text, struct error *err)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    size_t done = 0;
    bool good = fd >= 0;
    while (good && done < text->size) {
        ssize_t n = write(fd, text->data + done, text->size - done);
        good = n >= 0 || errno == EINTR;
        done += n > 0 ? (size_t)n : 0;
    }
    int reason = errno;
    if (fd >= 0)
        close(fd);
    return good || error_set(err, "cannot write the summary to %s: %s", path, strerror(reason));
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
    bool good = !folder || write_files(results, folder, err);
    if (!options->quiet)
        good = print_text(results, folder, folder && good, options, err) && good;
    if (!options->local)
        good = publish_on_github(results, folder, err) && good;
    return good;
}
