/*
 * Cases to shards, so that all are done at about the same time. This is the scheduling of jobs with setup times on
 * equal machines: the setup is the import of a model, which each shard with a case of it pays once. Greedy, the
 * longest first (R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969), but a case stays with its model as
 * long as that shard has less than its fair share.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "suite/shard.h"

struct order {
    const struct shard_case *of;
    uint64_t group_cost; /* of the longest case of its model */
    const char *group;   /* the name of that case: of two, the first */
};

static int by_length(const struct shard_case *a, const struct shard_case *b)
{
    return a->cost != b->cost ? (a->cost < b->cost ? 1 : -1) : strcmp(a->name, b->name);
}

static int by_model(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    return x->of->model != y->of->model ? (x->of->model > y->of->model ? 1 : -1) : by_length(x->of, y->of);
}

/* The model with the longest case first, and of a model the longest case. */
static int by_group(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    int order = x->group_cost != y->group_cost ? (x->group_cost < y->group_cost ? 1 : -1) : strcmp(x->group, y->group);
    return order ? order : by_length(x->of, y->of);
}

static void sort(const struct shard_case *cases, size_t count, struct order *sorted)
{
    for (size_t i = 0; i < count; i++)
        sorted[i].of = &cases[i];
    sort_items(sorted, count, sizeof *sorted, by_model);
    for (size_t i = 0; i < count; i++) {
        const bool same = i > 0 && sorted[i].of->model == sorted[i - 1].of->model;
        sorted[i].group_cost = same ? sorted[i - 1].group_cost : sorted[i].of->cost + sorted[i].of->import_cost;
        sorted[i].group = same ? sorted[i - 1].group : sorted[i].of->name;
    }
    sort_items(sorted, count, sizeof *sorted, by_group);
}

/* Returns what a shard would have if cases could be cut in pieces; longer cases have a shard of their own. */
static uint64_t fair_share(const struct order *sorted, size_t count, uint32_t shards)
{
    uint64_t rest = 0;
    for (size_t i = 0; i < count; i++)
        rest += sorted[i].of->cost +
                (i == 0 || sorted[i].of->model != sorted[i - 1].of->model ? sorted[i].of->import_cost : 0);
    for (size_t i = 0; i < count && shards > 1 && sorted[i].of->cost > rest / shards; i++) {
        rest -= sorted[i].of->cost;
        shards--;
    }
    return rest / shards;
}

/* One assignment, into shard_of; the largest load. A case stays with its model in a shard up to the limit. */
static uint64_t assign(const struct order *sorted, const struct shard_case *cases, size_t count, uint32_t shards,
                       uint64_t limit, uint32_t *shard_of)
{
    struct {
        uint64_t load;
        size_t model; /* 1 + that of the last case: those of a model come one after the other */
    } *all = memory_new(shards, sizeof *all);
    size_t empty = shards;
    uint64_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        const struct shard_case *c = sorted[i].of;
        uint32_t best = shards;
        uint64_t best_load = UINT64_MAX;
        for (uint32_t k = 0; k < shards; k++) {
            const bool has_model = all[k].model == c->model + 1;
            const uint64_t load = all[k].load + c->cost + (has_model ? 0 : c->import_cost);
            if (count - i <= empty && all[k].model > 0) /* one each for those that have none */
                continue;
            if (best == shards || load < best_load || (has_model && load <= limit)) {
                best = k;
                best_load = load;
            }
            if (has_model && load <= limit)
                break;
        }
        empty -= all[best].model == 0;
        all[best].load = best_load;
        all[best].model = c->model + 1;
        shard_of[c - cases] = best + 1;
        largest = best_load > largest ? best_load : largest;
    }
    free(all);
    return largest;
}

/* Trials show how much more than its fair share a shard should take of a model, so that fewer shards import it. */
void shard_partition(const struct shard_case *cases, size_t count, uint32_t shards, uint32_t *shard_of)
{
    enum { STEPS = 32 }; /* up to twice the fair share */
    FREED struct order *sorted = memory_new(count, sizeof *sorted);
    FREED uint32_t *tried = memory_new(count, sizeof *tried);
    uint64_t best = UINT64_MAX;
    sort(cases, count, sorted);
    shards = shards < count ? shards : (uint32_t)count; /* the others stay empty */
    const uint64_t fair = count > 0 ? fair_share(sorted, count, shards) : 0;
    for (uint64_t step = 0; step <= STEPS && count > 0; step++) {
        const uint64_t largest = assign(sorted, cases, count, shards, fair + fair * step / STEPS, tried);
        if (largest < best) {
            best = largest;
            memcpy(shard_of, tried, count * sizeof *tried);
        }
    }
}
