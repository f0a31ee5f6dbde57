/* Costs of cases: counted by a run, or guessed from the suite and the model files. */

#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "pipeline/pipeline.h"
#include "suite/shard.h"

/*
 * Nanoseconds, fitted (non-negative least squares of the relative error) to the best of three measured runs of 437
 * cases on one core: the project's suite and a corpus of 265 real models. Nine of ten cases are predicted within a
 * factor of 2.1.
 */
static const uint64_t ns_case = 1600000, ns_pixel = 26, ns_vertex = 330, ns_transform = 9300;
static const uint64_t ns_import = 7200000, ns_byte = 19, ns_texel = 20, ns_key = 175;

static uint32_t microseconds(uint64_t ns)
{
    return ns / 1000 < UINT32_MAX ? (uint32_t)(ns / 1000) : UINT32_MAX;
}

uint32_t cost_of_case(const struct case_work *work)
{
    return microseconds(ns_case + ns_pixel * work->pixels + ns_vertex * work->vertices +
                        ns_transform * work->transforms);
}

uint32_t cost_of_import(const struct case_work *work)
{
    return microseconds(ns_import + ns_byte * work->file_bytes + ns_texel * work->texels + ns_key * work->keys);
}

uint64_t model_bytes(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

/* Nobody has opened the model yet. */
static struct case_work guess(const struct suite_case *c)
{
    enum { BYTES_PER_VERTEX = 160 }; /* textures and keys included: the median of 279 real models */
    const struct settings *s = &c->settings;
    struct case_work work = {.file_bytes = model_bytes(c->model_path), .frames = DEFAULT_SAMPLES};
    if (s->time_choice == TIMES_FRAMES)
        work.frames = settings_frame_count(s);
    else if (s->time_choice == TIMES_EVEN)
        work.frames = s->even;
    else if (s->time_count > 0 || s->samples > 0)
        work.frames = s->time_count > 0 ? s->time_count : s->samples;
    work.pixels = work.frames * s->width * s->height;
    work.vertices = work.frames * (work.file_bytes / BYTES_PER_VERTEX) * (1 + (crowd_size(s) ? crowd_size(s) : 1));
    return work;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns the median of those that are not 0; 0 where all are. Sorts them. */
static uint64_t median(uint64_t *values, size_t count)
{
    size_t unknown = 0;
    sort_items(values, count, sizeof *values, by_number);
    while (unknown < count && values[unknown] == 0)
        unknown++;
    return unknown < count ? values[unknown + (count - unknown) / 2] : 0;
}

/* Cases of one model have one number; where one of them knows what the import costs, the others do. */
static void number_models(const struct suite *suite, const size_t *indices, struct shard_case *cases, size_t count)
{
    FREED const char **keys = memory_new(count, sizeof *keys);
    FREED struct text *texts = memory_new(count, sizeof *texts);
    for (size_t i = 0; i < count; i++) {
        import_key(suite->cases[indices[i]].model_path, &suite->cases[indices[i]].settings, &texts[i]);
        keys[i] = text_string(&texts[i]);
    }
    FREED size_t *first = names_group(keys, count);
    for (size_t i = 0; i < count; i++) {
        struct shard_case *of = &cases[first[i]];
        cases[i].model = first[i];
        of->import_cost = of->import_cost > cases[i].import_cost ? of->import_cost : cases[i].import_cost;
    }
    for (size_t i = 0; i < count; i++) {
        cases[i].import_cost = cases[first[i]].import_cost;
        text_release(&texts[i]);
    }
}

/* A case costs what it did in earlier results; a new one costs the median, where there is one. */
static void recall(const struct results *earlier, struct shard_case *cases, size_t count)
{
    SCOPED(results_index) index = {0};
    FREED uint64_t *own = memory_new(count, sizeof *own), *imports = memory_new(count, sizeof *imports);
    FREED bool *is_known = memory_new(count, sizeof *is_known);
    results_index_make(earlier, &index);
    for (size_t i = 0; i < count; i++) {
        const struct case_result *before = results_index_find(&index, cases[i].name);
        is_known[i] = before && before->cost > 0;
        if (is_known[i]) {
            cases[i].cost = own[i] = before->cost;
            cases[i].import_cost = imports[i] = before->import_cost;
        }
    }
    const uint64_t new_case = median(own, count), new_model = median(imports, count);
    for (size_t i = 0; i < count && new_case > 0; i++)
        if (!is_known[i]) {
            cases[i].import_cost = new_model;
            cases[i].cost = new_case;
        }
}

size_t shard_costs(const struct suite *suite, const bool *selected, const struct results *earlier,
                   struct shard_case *cases, size_t *indices)
{
    size_t count = 0;
    for (size_t i = 0; i < suite->case_count; i++)
        if (selected[i]) {
            const struct case_work work = guess(&suite->cases[i]);
            cases[count] = (struct shard_case){suite->cases[i].name, 0, cost_of_import(&work), cost_of_case(&work)};
            indices[count++] = i;
        }
    if (earlier)
        recall(earlier, cases, count);
    number_models(suite, indices, cases, count);
    for (size_t i = 0; i < count; i++)
        if (suite->cases[indices[i]].skip || suite->cases[indices[i]].problem)
            cases[i].cost = cases[i].import_cost = 0;
    return count;
}

void shard_suite(const struct suite *suite, const bool *selected, const struct results *earlier, uint32_t shards,
                 uint32_t *shard_of)
{
    FREED size_t *indices = memory_new(suite->case_count, sizeof *indices);
    FREED struct shard_case *cases = memory_new(suite->case_count, sizeof *cases);
    FREED uint32_t *found = memory_new(suite->case_count, sizeof *found);
    const size_t count = shard_costs(suite, selected, earlier, cases, indices);
    shard_partition(cases, count, shards, found);
    memset(shard_of, 0, suite->case_count * sizeof *shard_of);
    for (size_t i = 0; i < count; i++)
        shard_of[indices[i]] = found[i];
}

void shard_list(const struct suite *suite, const uint32_t *shard_of, uint32_t shards, struct results *results)
{
    results->partition_count = shards;
    results->partition = ARENA_NEW(results->arena, struct shard_cases, shards);
    FREED size_t *room = memory_new(shards, sizeof *room);
    for (size_t i = 0; i < suite->case_count; i++)
        if (shard_of[i])
            room[shard_of[i] - 1]++;
    for (uint32_t k = 0; k < shards; k++)
        results->partition[k].names = ARENA_NEW(results->arena, const char *, room[k]);
    for (size_t i = 0; i < suite->case_count; i++)
        if (shard_of[i]) {
            struct shard_cases *of = &results->partition[shard_of[i] - 1];
            of->names[of->count++] = suite->cases[i].name;
        }
}
