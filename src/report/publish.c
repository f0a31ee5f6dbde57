#include "report/publish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "base/screen.h"
#include "report/escape.h"
#include "report/report.h"

/* A failing case needs some 20 lines: what comes after so many is in report.html. */
enum { DETAILS = 20, MOST_BYTES = 1 << 30 };

const char *const publish_names[PUBLISH_COUNT] = {"results.json", "report.html", "junit.xml"};

/* Without a path it goes into the folder, by its own name. */
bool publish_file(const struct results *results, enum publish_format format, const char *folder, const char *path,
                  struct error *err)
{
    SCOPED(text) text = {0};
    if (format == PUBLISH_JSON)
        results_write(results, &text);
    else if (format == PUBLISH_HTML)
        report_html(results, folder, NULL, &text);
    else
        report_junit(results, folder, &text);
    if (!path)
        return folder_make(folder, err) && file_write_below(folder, publish_names[format], text.data, text.size, err);
    return (strcmp(path, "-") == 0 || file_make_parent(path, err)) && file_write(path, text.data, text.size, err);
}

/* Releases the text. */
static bool print(struct text *text, struct error *err)
{
    bool good = terminal_print(text_string(text), stdout);
    int reason = errno;
    text_release(text);
    return good || error_set(err, "cannot write to stdout: %s", strerror(reason));
}

/*
 * Where a pipeline says how its candidates are fetched and accepted, that is what a reader of the reports can type:
 * with the case's name in place of the command that would draw again.
 */
static void accept_by(const char *command, const struct results *results)
{
    for (size_t i = 0; i < results->case_count; i++) {
        struct case_result *result = &results->cases[i];
        struct text line = {0};
        if (!result->accept)
            continue;
        text_addf(&line, "%s --filter ", command);
        escape_shell(result->name, &line);
        result->accept = arena_text(results->arena, &line);
    }
}

bool publish(const struct results *results, const char *folder, const struct publish_options *options,
             struct error *err)
{
    const char *accept = getenv("RIGPROOF_ACCEPT");
    if (accept && *accept)
        accept_by(accept, results);
    const struct report_text_options text_options = {
        .folder = folder ? folder : "", .colour = options->colour, .has_lines = options->has_lines, .details = DETAILS};
    SCOPED(text) below = {0}, suite = {0}, text = {0};
    bool good = true;
    for (int f = 0; folder && good && f < PUBLISH_COUNT; f++)
        good = publish_file(results, (enum publish_format)f, folder, NULL, err);
    if (!options->quiet) {
        report_text(results, &text_options, &text);
        if (folder && good) {
            text_add(&text, "report     ");
            path_join(folder, publish_names[PUBLISH_HTML], &text);
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
    return good;
}

bool merge_open(struct merge *merge, const char *const *paths, size_t count, struct error *err)
{
    merge->items = memory_new(count, sizeof *merge->items);
    merge->folders = memory_new(count, sizeof *merge->folders);
    merge->count = 0;
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        SCOPED(text) folder = {0}, suite = {0}, first = {0}, narrow = {0};
        SCOPED(blob) file = {0};
        if (!file_read(paths[i], MOST_BYTES, &file, err))
            return false;
        bool is_narrow = merge->only && results_narrow(file.data, file.size, merge->only, &narrow);
        struct results *results = is_narrow ? results_read(narrow.data, narrow.size, paths[i], err)
                                            : results_read(file.data, file.size, paths[i], err);
        if (!results)
            return false;
        path_folder(paths[i], &folder);
        merge->items[merge->count] = results;
        merge->folders[merge->count++] = arena_text(results->arena, &folder);
        path_join("", results->suite, &suite); /* "suite.yaml" and "./suite.yaml" are one */
        path_join("", merge->items[0]->suite, &first);
        if (strcmp(text_string(&suite), text_string(&first)) != 0)
            good = error_set(err, "%s is of the suite %s, not of %s: results of one suite can be merged", paths[i],
                             results->suite, merge->items[0]->suite);
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

/* A path as seen from `to`, not `from`: absolute folders. NULL stays. */
static const char *move_path(const char *path, const char *from, const char *to, struct arena *arena)
{
    SCOPED(text) whole = {0}, relative = {0};
    if (!path)
        return NULL;
    path_join(from, path, &whole);
    path_relative(to, text_string(&whole), &relative);
    return arena_text(arena, &relative);
}

/* The case with paths of pictures and of its model's page as seen from `to`. All else is shared. */
static struct case_result move_case(const struct case_result *result, const char *from, const char *to,
                                    struct arena *arena)
{
    struct case_result copy = *result;
    copy.times = ARENA_NEW(arena, struct time_result, result->time_count);
    copy.viewer = move_path(result->viewer, from, to, arena);
    for (uint32_t i = 0; i < result->time_count; i++) {
        struct image_result *image = &copy.times[i].image;
        const char **const paths[] = {&image->golden, &image->actual, &image->difference, &image->heat,
                                      &image->displacement, &image->candidate};
        copy.times[i] = result->times[i];
        for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++)
            *paths[k] = move_path(*paths[k], from, to, arena);
    }
    return copy;
}

/* Takes away what is in the list already; the order stays. */
static void drop_repeated(const char **list, size_t *count)
{
    FREED size_t *first = names_group(list, *count);
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (first[i] == i)
            list[kept++] = list[i];
    *count = kept;
}

static void add(struct arena *arena, const char ***list, size_t *count, const char *name)
{
    *list = arena_room(arena, *list, *count, sizeof **list);
    (*list)[(*count)++] = name;
}

static void add_all(struct arena *arena, const char ***list, size_t *count, const char **names, size_t name_count)
{
    for (size_t i = 0; i < name_count; i++)
        add(arena, list, count, names[i]);
}

static int by_line(const void *a, const void *b)
{
    const struct case_result *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line) : strcmp(x->name, y->name);
}

/* Empty, with room for all cases. */
static struct results *create_for(const struct merge *merge, struct error *err)
{
    const struct results *first = merge->items[0];
    struct results *out = results_create(err);
    size_t cases = 0;
    if (!out)
        return NULL;
    for (size_t i = 0; i < merge->count; i++) {
        cases += merge->items[i]->case_count;
        out->strict = out->strict || merge->items[i]->strict;
        out->prune = out->prune ? out->prune : merge->items[i]->prune;
    }
    out->cases = ARENA_NEW(out->arena, struct case_result, cases);
    out->rigproof = first->rigproof;
    out->suite = first->suite;
    out->goldens = first->goldens;
    out->suite_hash = first->suite_hash;
    out->overrides = first->overrides;
    for (size_t i = 1; i < merge->count; i++) /* of two suites it is nobody's */
        if (!out->suite_hash || !merge->items[i]->suite_hash ||
            strcmp(out->suite_hash, merge->items[i]->suite_hash) != 0 ||
            !fingerprint_equal(&out->overrides, &merge->items[i]->overrides))
            out->suite_hash = NULL;
    for (size_t i = 0; i < merge->count && out->fingerprint.count == 0; i++) /* a shard without cases has none */
        out->fingerprint = merge->items[i]->fingerprint;
    if (merge->count == 1 && !merge->complete) {
        out->shard = first->shard;
        out->shard_count = first->shard_count;
        out->partition_count = first->partition_count;
        out->partition = first->partition;
    }
    return out;
}

static const char *shard_name(uint32_t shard, uint32_t of, struct arena *arena)
{
    return arena_printf(arena, "shard %u of %u", shard, of);
}

/* Returns whether a file is that shard, whose name is `own`, or one merged of it: then it does not say that it is
 * missing. */
static bool has_shard(const struct results *item, const char *own, const char *shard)
{
    return !NAMED(item->missing, item->missing_count, shard) && (item->shard == 0 || strcmp(own, shard) == 0);
}

/* The shards that none of the files has; of one that is asked for as such nobody wants the others. */
static void find_missing_shards(const struct merge *merge, struct results *out)
{
    const char **own = ARENA_NEW(out->arena, const char *, merge->count);
    size_t kept = 0;
    for (size_t i = 0; i < merge->count && out->shard == 0; i++) { /* first all shards that there should be */
        const struct results *item = merge->items[i];
        bool is_known = false;
        for (size_t e = 0; e < i; e++)
            is_known = is_known || merge->items[e]->shard_count == item->shard_count;
        own[i] = shard_name(item->shard, item->shard_count, out->arena);
        for (uint32_t k = is_known ? item->shard_count : 0; k < item->shard_count; k++)
            add(out->arena, &out->missing, &out->missing_count, shard_name(k + 1, item->shard_count, out->arena));
        add_all(out->arena, &out->missing, &out->missing_count, item->missing, item->missing_count);
    }
    drop_repeated(out->missing, &out->missing_count);
    for (size_t i = 0; i < out->missing_count; i++) {
        bool is_there = false;
        for (size_t m = 0; m < merge->count && !is_there; m++)
            is_there = has_shard(merge->items[m], own[m], out->missing[i]);
        if (!is_there)
            out->missing[kept++] = out->missing[i];
    }
    out->missing_count = kept;
}

/* The cases that some run was to do and none has done: those that a file says were not run, and those of shards that
 * are missing. */
static void find_not_run(const struct merge *merge, struct results *out)
{
    SCOPED(results_index) index = {0};
    size_t kept = 0;
    results_index_make(out, &index);
    for (size_t i = 0; i < merge->count; i++) {
        const struct results *item = merge->items[i];
        add_all(out->arena, &out->not_run, &out->not_run_count, item->not_run, item->not_run_count);
        for (size_t s = 0; s < item->partition_count && out->shard == 0; s++)
            add_all(out->arena, &out->not_run, &out->not_run_count, item->partition[s].names, item->partition[s].count);
    }
    for (size_t i = 0; i < out->not_run_count; i++)
        if (!results_index_find(&index, out->not_run[i]))
            out->not_run[kept++] = out->not_run[i];
    out->not_run_count = kept;
    drop_repeated(out->not_run, &out->not_run_count);
}

static bool same_partition(const struct results *a, const struct results *b)
{
    bool same = a->shard_count == b->shard_count && a->partition_count == b->partition_count;
    for (size_t s = 0; same && s < a->partition_count; s++) {
        same = a->partition[s].count == b->partition[s].count;
        for (size_t k = 0; same && k < a->partition[s].count; k++)
            same = strcmp(a->partition[s].names[k], b->partition[s].names[k]) == 0;
    }
    return same;
}

/* Returns whether an earlier file is the same shard, which is told of as such. */
static bool is_repeated_shard(const struct merge *merge, size_t index)
{
    const struct results *item = merge->items[index];
    for (size_t i = 0; i < index && item->shard > 0; i++)
        if (merge->items[i]->shard == item->shard && same_partition(merge->items[i], item))
            return true;
    return false;
}

/* Warns of what speaks against taking the files for one run. */
static void warn_of_strangers(const struct merge *merge, const struct results *out,
                              void (*warn)(const char *format, ...))
{
    const struct results *first = merge->items[0], *cut = NULL; /* the first that is a shard */
    bool same_version = true, same_renderer = true, same_cut = true;
    for (size_t i = 0; i < merge->count; i++) {
        const struct results *item = merge->items[i];
        cut = cut || item->shard == 0 ? cut : item;
        same_cut = same_cut && (item->shard == 0 || same_partition(cut, item));
        same_version = same_version && strcmp(first->rigproof, item->rigproof) == 0;
        same_renderer = same_renderer && (item->fingerprint.count == 0 ||
                                          fingerprint_equal(&out->fingerprint, &item->fingerprint));
        if (is_repeated_shard(merge, i))
            warn("shard %u of %u is in several files: the last one counts", item->shard, item->shard_count);
    }
    for (size_t i = 0; i < out->missing_count; i++)
        warn("%s is missing", out->missing[i]);
    if (!same_cut)
        warn("the shards are not of one partition: they were made of another suite, with another --filter, N or "
             "--balance");
    if (!same_version)
        warn("the runs were not by the same rigproof; the report names that of the first");
    if (!same_renderer)
        warn("the runs were not on the same renderer; the report names that of the first");
}

/* The cases of a file after those of the files before it: one that they have is replaced. Twice in this file stays
 * twice. */
static void add_cases(const struct results *item, const char *from, const char *to, struct results *out,
                      void (*warn)(const char *format, ...))
{
    SCOPED(results_index) earlier = {0};
    results_index_make(out, &earlier);
    for (size_t k = 0; k < item->case_count; k++) {
        struct case_result *place = results_index_find(&earlier, item->cases[k].name);
        if (place && warn)
            warn("the case `%s` is in several files: the last one counts", item->cases[k].name);
        place = place ? place : &out->cases[out->case_count++];
        *place = move_case(&item->cases[k], from, to, out->arena);
    }
}

struct results *merge_into(const struct merge *merge, const char *folder, void (*warn)(const char *format, ...),
                           struct error *err)
{
    struct results *out = create_for(merge, err);
    SCOPED(text) from = {0}, to = {0};
    bool good = out && path_real_folder(folder, &to, err);
    for (size_t i = 0; good && i < merge->count; i++) {
        from.size = 0;
        good = path_real_folder(merge->folders[i], &from, err);
        if (good)
            add_cases(merge->items[i], text_string(&from), text_string(&to), out,
                      is_repeated_shard(merge, i) ? NULL : warn);
    }
    if (!good) {
        results_free(out);
        return NULL;
    }
    bool has_lines = merge->count > 1; /* the order of cases: that of the suite, where every case has a line of it */
    for (size_t i = 0; i < out->case_count; i++)
        has_lines = has_lines && out->cases[i].line > 0;
    if (has_lines)
        sort_items(out->cases, out->case_count, sizeof *out->cases, by_line);
    for (size_t i = 0; i < merge->count; i++) {
        const struct results *item = merge->items[i];
        add_all(out->arena, &out->shader_warnings, &out->shader_warning_count, item->shader_warnings,
                item->shader_warning_count);
        add_all(out->arena, &out->obsolete, &out->obsolete_count, item->obsolete, item->obsolete_count);
    }
    drop_repeated(out->shader_warnings, &out->shader_warning_count);
    drop_repeated(out->obsolete, &out->obsolete_count);
    find_not_run(merge, out);
    find_missing_shards(merge, out);
    if (warn)
        warn_of_strangers(merge, out, warn);
    return out;
}
