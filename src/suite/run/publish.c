#include "suite/run/publish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "report/escape.h"
#include "report/report.h"

/* A failing case needs some 20 lines: what comes after so many is in report.html. */
enum { DETAILS = 20, MOST_BYTES = 1 << 30 };

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

/*
 * Where a pipeline says how its candidates are fetched and accepted, that is what a reader of the reports can type: with the case's
 * name in place of the command that would draw again.
 */
static void accept_by(const char *command, struct results *results)
{
    for (size_t i = 0; i < results->case_count; i++) {
        struct case_result *result = &results->cases[i];
        struct text line = {0};
        if (!result->accept)
            continue;
        text_addf(&line, "%s --filter ", command);
        escape_shell(result->name, &line);
        result->accept = arena_string(results->arena, text_string(&line));
        text_release(&line);
    }
}

bool publish(struct results *results, const char *folder, const struct publish_options *options, struct error *err)
{
    const char *accept = getenv("RIGPROOF_ACCEPT");
    if (accept && *accept)
        accept_by(accept, results);
    const struct report_text_options text_options = {
        .folder = folder ? folder : "", .colour = options->colour, .has_lines = options->has_lines, .details = DETAILS};
    struct text below = {0}, suite = {0}, text = {0};
    bool good = true;
    for (int f = 0; folder && good && f < PUBLISH_COUNT; f++)
        good = publish_file(results, (enum publish_format)f, folder, NULL, err);
    if (!options->quiet) {
        report_text(results, &text_options, &text);
        if (folder && good) {
            text_add(&text, "report     ");
            path_join(folder, names[PUBLISH_HTML], &text);
            text_add(&text, "\n");
        }
        good = print(&text, err) && good;
    }
    const char *actions = getenv("GITHUB_ACTIONS"), *summary = getenv("GITHUB_STEP_SUMMARY");
    const char *workspace = getenv("GITHUB_WORKSPACE");
    if (!options->local && actions && strcmp(actions, "true") == 0) { /* paths are from the repository's root */
        struct error ignored = {0}; /* a workspace that is not there: the path stays as it was given */
        bool is_below = results->suite[0] != '/' && workspace && path_between(workspace, ".", &below, &ignored) &&
                        strncmp(text_string(&below), "..", 2) != 0;
        path_join(is_below ? text_string(&below) : "", results->suite, &suite);
        report_github_annotations(results, text_string(&suite), &text);
        good = print(&text, err) && good;
    }
    if (!options->local && summary && *summary) {
        FILE *file = fopen(summary, "ae"); /* other steps have written to it before */
        report_github_summary(results, text_options.folder, accept && *accept ? accept : NULL, &text);
        bool written = file && fwrite(text_string(&text), 1, text.size, file) == text.size;
        written = file && fclose(file) == 0 && written;
        good = (written || error_set(err, "cannot write the summary to %s: %s", summary, strerror(errno))) && good;
    }
    text_release(&below);
    text_release(&suite);
    text_release(&text);
    return good;
}

bool merge_open(struct merge *merge, const char *const *paths, size_t count, struct error *err)
{
    merge->items = memory_new(count, sizeof *merge->items);
    merge->folders = memory_new(count, sizeof *merge->folders);
    merge->count = 0;
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        struct text folder = {0}, suite = {0}, first = {0}, narrow = {0};
        struct blob file;
        if (!file_read(paths[i], MOST_BYTES, &file, err))
            return false;
        bool is_narrow = merge->only && results_narrow(file.data, file.size, merge->only, &narrow);
        struct results *results = is_narrow ? results_read(narrow.data, narrow.size, paths[i], err)
                                            : results_read(file.data, file.size, paths[i], err);
        blob_release(&file);
        text_release(&narrow);
        if (!results)
            return false;
        path_folder(paths[i], &folder);
        merge->items[merge->count] = results;
        merge->folders[merge->count++] = arena_string(results->arena, text_string(&folder));
        path_join("", results->suite, &suite); /* "suite.yaml" and "./suite.yaml" are one */
        path_join("", merge->items[0]->suite, &first);
        if (strcmp(text_string(&suite), text_string(&first)) != 0)
            good = error_set(err, "%s is of the suite %s, not of %s: results of one suite can be merged", paths[i],
                             results->suite, merge->items[0]->suite);
        text_release(&folder);
        text_release(&suite);
        text_release(&first);
    }
    return good;
}

void merge_release(struct merge *merge)
{
    for (size_t i = 0; i < merge->count; i++)
        results_free(merge->items[i]);
    free(merge->items);
    free(merge->folders);
    *merge = (struct merge){0};
}

/* The case's times with paths of pictures as seen from `to`, not `from`: absolute folders. All else is shared. */
static struct case_result move_case(const struct case_result *result, const char *from, const char *to,
                                    struct arena *arena)
{
    struct case_result copy = *result;
    struct text whole = {0}, relative = {0};
    copy.times = ARENA_NEW(arena, struct time_result, result->time_count);
    for (uint32_t i = 0; i < result->time_count; i++) {
        struct image_result *image = &copy.times[i].image;
        const char **const paths[] = {&image->golden, &image->actual, &image->difference, &image->heat};
        copy.times[i] = result->times[i];
        for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++)
            if (*paths[k]) {
                whole.size = relative.size = 0;
                path_join(from, *paths[k], &whole);
                path_relative(to, text_string(&whole), &relative);
                *paths[k] = arena_string(arena, text_string(&relative));
            }
    }
    text_release(&whole);
    text_release(&relative);
    return copy;
}

/* Adds a name that the list does not have. */
static void add_name(const char **list, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i], name) == 0)
            return;
    list[(*count)++] = name;
}

static const char *shard_name(uint32_t shard, uint32_t of, struct arena *arena)
{
    return arena_printf(arena, "shard %u of %u", shard, of);
}

static int by_line(const void *a, const void *b)
{
    const struct case_result *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line) : strcmp(x->name, y->name);
}

/* Empty, with room for all. */
static struct results *create_for(const struct merge *merge, struct error *err)
{
    const struct results *first = merge->items[0];
    struct results *out = results_create(err);
    size_t cases = 0, obsolete = 0, not_run = 0, warnings = 0;
    if (!out)
        return NULL;
    for (size_t i = 0; i < merge->count; i++) {
        cases += merge->items[i]->case_count;
        obsolete += merge->items[i]->obsolete_count;
        not_run += merge->items[i]->not_run_count;
        warnings += merge->items[i]->shader_warning_count;
        out->strict = out->strict || merge->items[i]->strict;
        out->prune = out->prune ? out->prune : merge->items[i]->prune;
    }
    out->cases = ARENA_NEW(out->arena, struct case_result, cases);
    out->obsolete = ARENA_NEW(out->arena, const char *, obsolete);
    out->not_run = ARENA_NEW(out->arena, const char *, not_run);
    out->shader_warnings = ARENA_NEW(out->arena, const char *, warnings);
    out->rigproof = first->rigproof;
    out->suite = first->suite;
    out->goldens = first->goldens;
    out->suite_hash = first->suite_hash;
    out->overrides = first->overrides;
    for (size_t i = 1; i < merge->count; i++) /* of two suites it is nobody's */
        if (!out->suite_hash || !merge->items[i]->suite_hash || strcmp(out->suite_hash, merge->items[i]->suite_hash) != 0 ||
            !fingerprint_equal(&out->overrides, &merge->items[i]->overrides))
            out->suite_hash = NULL;
    for (size_t i = 0; i < merge->count && out->fingerprint.count == 0; i++) /* a shard without cases has none */
        out->fingerprint = merge->items[i]->fingerprint;
    if (merge->count == 1) {
        out->shard = first->shard;
        out->shard_count = first->shard_count;
    }
    return out;
}

/* Whether a file holds that shard of the run: it is its own, or one of all but those that it says are missing. */
static bool has_shard(const struct results *item, const char *shard, struct arena *arena)
{
    if (item->shard > 0)
        return strcmp(shard_name(item->shard, item->shard_count, arena), shard) == 0;
    for (size_t i = 0; i < item->missing_count; i++)
        if (strcmp(item->missing[i], shard) == 0)
            return false;
    return true;
}

/* The shards that none of the files has; of one shard alone nobody wants the others. */
static void find_missing_shards(const struct merge *merge, struct results *out)
{
    size_t most = 0;
    for (size_t i = 0; i < merge->count; i++)
        most += merge->items[i]->shard_count + merge->items[i]->missing_count;
    out->missing = ARENA_NEW(out->arena, const char *, most);
    for (size_t i = 0; i < merge->count && out->shard == 0; i++) {
        const struct results *item = merge->items[i];
        for (uint32_t k = 0; k < item->shard_count + item->missing_count; k++) {
            const char *shard = k < item->shard_count ? shard_name(k + 1, item->shard_count, out->arena)
                                                      : item->missing[k - item->shard_count];
            bool is_there = false;
            for (size_t m = 0; m < merge->count; m++)
                is_there = is_there || has_shard(merge->items[m], shard, out->arena);
            if (!is_there)
                add_name(out->missing, &out->missing_count, shard);
        }
    }
}

struct results *merge_into(const struct merge *merge, const char *folder, void (*warn)(const char *format, ...),
                           struct error *err)
{
    struct results *out = create_for(merge, err);
    struct text from = {0}, to = {0};
    bool good = out && path_real_folder(folder, &to, err);
    for (size_t i = 0; good && i < merge->count; i++) {
        from.size = 0;
        good = path_real_folder(merge->folders[i], &from, err);
        const struct results earlier = {.case_count = out->case_count, .cases = out->cases}, *item = merge->items[i];
        for (size_t k = 0; good && k < item->case_count; k++) { /* twice in this file stays twice */
            struct case_result *place = results_find(&earlier, item->cases[k].name);
            if (place && warn)
                warn("the case `%s` is in several files: the last one counts", item->cases[k].name);
            place = place ? place : &out->cases[out->case_count++];
            *place = move_case(&item->cases[k], text_string(&from), text_string(&to), out->arena);
        }
    }
    text_release(&from);
    text_release(&to);
    if (!good) {
        results_free(out);
        return NULL;
    }
    bool has_lines = merge->count > 1; /* the order of cases: that of the suite, where every case has a line of it */
    for (size_t i = 0; i < out->case_count; i++)
        has_lines = has_lines && out->cases[i].line > 0;
    if (has_lines && out->case_count > 1)
        qsort(out->cases, out->case_count, sizeof *out->cases, by_line);
    bool same_renderer = true;
    for (size_t i = 0; i < merge->count; i++) {
        const struct results *item = merge->items[i];
        same_renderer = same_renderer && (item->fingerprint.count == 0 ||
                                          fingerprint_equal(&out->fingerprint, &item->fingerprint));
        for (size_t k = 0; k < item->shader_warning_count; k++)
            add_name(out->shader_warnings, &out->shader_warning_count, item->shader_warnings[k]);
        for (size_t k = 0; k < item->obsolete_count; k++)
            add_name(out->obsolete, &out->obsolete_count, item->obsolete[k]);
        for (size_t k = 0; k < item->not_run_count; k++) /* unless another run has done it */
            if (!results_find(out, item->not_run[k]))
                add_name(out->not_run, &out->not_run_count, item->not_run[k]);
    }
    find_missing_shards(merge, out);
    for (size_t i = 0; warn && i < out->missing_count; i++)
        warn("%s is missing", out->missing[i]);
    if (warn && !same_renderer)
        warn("the runs were not on the same renderer; the report names that of the first");
    return out;
}
