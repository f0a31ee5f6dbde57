#define _XOPEN_SOURCE 700 /* strdup */

#include "suite/run/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/path.h"

enum { MOST_BYTES = 1 << 30 };

/* ---- reading --------------------------------------------------------------------------------------------------- */

static struct results *read_results(const char *path, struct error *err)
{
    struct blob file;
    if (!file_read(path, MOST_BYTES, &file, err))
        return NULL;
    struct results *results = results_read(file.data, file.size, path, err);
    blob_release(&file);
    return results;
}

/* "suite.yaml" and "./suite.yaml" are one. */
static bool is_same_path(const char *a, const char *b)
{
    struct text x = {0}, y = {0};
    path_join("", a, &x);
    path_join("", b, &y);
    bool same = strcmp(text_string(&x), text_string(&y)) == 0;
    text_release(&x);
    text_release(&y);
    return same;
}

static bool read_one(struct merge *merge, const char *path, struct error *err)
{
    struct text folder = {0};
    size_t i = merge->count;
    merge->items[i] = read_results(path, err);
    if (!merge->items[i])
        return false;
    merge->count++;
    path_folder(path, &folder);
    merge->folders[i] = strdup(text_string(&folder));
    text_release(&folder);
    if (!merge->folders[i])
        return error_set(err, "out of memory");
    return is_same_path(merge->items[0]->suite, merge->items[i]->suite) ||
           error_set(err, "%s is of the suite %s, not of %s: results of one suite can be merged", path,
                     merge->items[i]->suite, merge->items[0]->suite);
}

bool merge_open(struct merge *merge, const char *const *paths, size_t count, struct error *err)
{
    *merge = (struct merge){0};
    merge->items = calloc(count, sizeof *merge->items);
    merge->folders = calloc(count, sizeof *merge->folders);
    if (!merge->items || !merge->folders)
        return error_set(err, "out of memory for %zu files", count);
    for (size_t i = 0; i < count; i++)
        if (!read_one(merge, paths[i], err))
            return false;
    return true;
}

void merge_release(struct merge *merge)
{
    for (size_t i = 0; i < merge->count; i++) {
        results_free(merge->items[i]);
        free(merge->folders[i]);
    }
    free(merge->items);
    free(merge->folders);
    *merge = (struct merge){0};
}

/* ---- pictures -------------------------------------------------------------------------------------------------- */

/* From where a path leads, and where the new one is to start: absolute folders. */
struct move {
    const char *from;
    const char *to;
    struct arena *arena;
};

static const char *move_path(const struct move *move, const char *path)
{
    if (!path)
        return NULL;
    struct text whole = {0}, relative = {0};
    path_join(move->from, path, &whole);
    path_relative(move->to, text_string(&whole), &relative);
    const char *copy = arena_string(move->arena, text_string(&relative));
    text_release(&whole);
    text_release(&relative);
    return copy;
}

/* The case's times with paths as seen from elsewhere; all else is shared. */
static struct case_result move_case(const struct move *move, const struct case_result *result)
{
    struct case_result copy = *result;
    copy.times = ARENA_NEW(move->arena, struct time_result, result->time_count);
    for (uint32_t i = 0; i < result->time_count; i++) {
        struct image_result *image = &copy.times[i].image;
        copy.times[i] = result->times[i];
        image->golden = move_path(move, image->golden);
        image->actual = move_path(move, image->actual);
        image->difference = move_path(move, image->difference);
        image->heat = move_path(move, image->heat);
    }
    return copy;
}

/* ---- merging --------------------------------------------------------------------------------------------------- */

typedef void (*warning)(const char *format, ...);

static void take_cases(const struct results *from, const struct move *move, struct results *out, warning warn)
{
    size_t before = out->case_count;
    for (size_t i = 0; i < from->case_count; i++) {
        const struct case_result moved = move_case(move, &from->cases[i]);
        struct results earlier = {.case_count = before, .cases = out->cases};
        struct case_result *place = results_find(&earlier, moved.name);
        if (place && warn)
            warn("the case `%s` is in several files: the last one counts", moved.name);
        *(place ? place : &out->cases[out->case_count++]) = moved;
    }
}

static bool is_listed(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

static void take_obsolete(const struct results *from, struct results *out)
{
    for (size_t i = 0; i < from->obsolete_count; i++)
        if (!is_listed(out->obsolete, out->obsolete_count, from->obsolete[i]))
            out->obsolete[out->obsolete_count++] = from->obsolete[i];
}

/* Unless another run has done it. */
static void take_not_run(const struct results *from, struct results *out)
{
    for (size_t i = 0; i < from->not_run_count; i++)
        if (!results_find(out, from->not_run[i]) && !is_listed(out->not_run, out->not_run_count, from->not_run[i]))
            out->not_run[out->not_run_count++] = from->not_run[i];
}

static int by_line(const void *a, const void *b)
{
    const struct case_result *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line) : strcmp(x->name, y->name);
}

/* By line in the suite where every case has one: that is the suite's order, and shards take cases from all over it. */
static void sort_cases(struct results *results)
{
    for (size_t i = 0; i < results->case_count; i++)
        if (results->cases[i].line == 0)
            return;
    if (results->case_count > 1)
        qsort(results->cases, results->case_count, sizeof *results->cases, by_line);
}

/* ---- what is to be said ---------------------------------------------------------------------------------------- */

static bool has_shard(const struct merge *merge, uint32_t shard)
{
    for (size_t i = 0; i < merge->count; i++)
        if (merge->items[i]->shard == shard)
            return true;
    return false;
}

/* The number of shards of the run; 0 when a file holds all of a suite. */
static uint32_t count_shards(const struct merge *merge)
{
    uint32_t most = 0;
    for (size_t i = 0; i < merge->count; i++) {
        if (merge->items[i]->shard == 0)
            return 0;
        if (merge->items[i]->shard_count > most)
            most = merge->items[i]->shard_count;
    }
    return most;
}

static void warn_of_shards(const struct merge *merge, warning warn)
{
    uint32_t shards = count_shards(merge);
    size_t missing = 0;
    for (uint32_t shard = 1; shard <= shards && missing < 8; shard++)
        if (!has_shard(merge, shard)) {
            missing++;
            warn("shard %u of %u is missing", shard, shards);
        }
}

static void warn_of_renderers(const struct merge *merge, warning warn)
{
    for (size_t i = 1; i < merge->count; i++)
        if (!fingerprint_equal(&merge->items[0]->fingerprint, &merge->items[i]->fingerprint)) {
            warn("the runs were not on the same renderer; the report names that of the first");
            return;
        }
}

bool merge_is_complete(const struct merge *merge)
{
    uint32_t shards = merge->count > 1 ? count_shards(merge) : 0;
    for (uint32_t shard = 1; shard <= shards; shard++)
        if (!has_shard(merge, shard))
            return false;
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

/* Empty, with room for all. */
static struct results *create_for(const struct merge *merge, struct error *err)
{
    const struct results *first = merge->items[0];
    struct results *out = results_create(err);
    size_t cases = 0, obsolete = 0, not_run = 0;
    if (!out)
        return NULL;
    for (size_t i = 0; i < merge->count; i++) {
        cases += merge->items[i]->case_count;
        obsolete += merge->items[i]->obsolete_count;
        not_run += merge->items[i]->not_run_count;
        out->strict = out->strict || merge->items[i]->strict;
        out->prune = out->prune ? out->prune : merge->items[i]->prune;
    }
    out->cases = ARENA_NEW(out->arena, struct case_result, cases);
    out->obsolete = ARENA_NEW(out->arena, const char *, obsolete);
    out->not_run = ARENA_NEW(out->arena, const char *, not_run);
    out->rigproof = first->rigproof;
    out->suite = first->suite;
    out->goldens = first->goldens;
    out->fingerprint = first->fingerprint;
    out->shard = merge->count == 1 ? first->shard : 0;
    out->shard_count = merge->count == 1 ? first->shard_count : 0;
    return out;
}

static bool take_file(const struct merge *merge, size_t i, const char *to, struct results *out, warning warn,
                      struct error *err)
{
    struct text from = {0};
    bool good = path_real_folder(merge->folders[i], &from, err);
    if (good) {
        const struct move move = {.from = text_string(&from), .to = to, .arena = out->arena};
        take_cases(merge->items[i], &move, out, warn);
        take_obsolete(merge->items[i], out);
    }
    text_release(&from);
    return good;
}

struct results *merge_into(const struct merge *merge, const char *folder, void (*warn)(const char *format, ...),
                           struct error *err)
{
    struct results *out = create_for(merge, err);
    struct text to = {0};
    bool good = out && path_real_folder(folder, &to, err);
    for (size_t i = 0; good && i < merge->count; i++)
        good = take_file(merge, i, text_string(&to), out, warn, err);
    text_release(&to);
    if (!good) {
        results_free(out);
        return NULL;
    }
    for (size_t i = 0; i < merge->count; i++)
        take_not_run(merge->items[i], out);
    if (merge->count > 1)
        sort_cases(out);
    if (warn && merge->count > 1) {
        warn_of_shards(merge, warn);
        warn_of_renderers(merge, warn);
    }
    return out;
}
