#pragma once

#include "data/result/result.h"
#include "suite/suite_file.h"

/*
 * A suite on several machines: which shard this process is, and which cases each shard has. Every shard computes the
 * whole partition, from the same inputs, so all arithmetic is in whole numbers and no order depends on memory or time.
 */

/* "2/5" -> 2 and 5. */
bool shard_parse(const char *text, uint32_t *shard, uint32_t *count, struct error *err);

/* The same from the environment of a batch system or CI server. *from is the variable it was in. False with err set
 * where there is none, or several say different things. */
bool shard_find(uint32_t *shard, uint32_t *count, const char **from, struct error *err);

/* The work of a case, in the numbers that its time depends on. */
struct case_work {
    uint64_t frames;
    uint64_t pixels;     /* of all frames */
    uint64_t vertices;   /* of all frames: those that the CPU skins, and those of all instances that are drawn */
    uint64_t transforms; /* of all frames: nodes and palette entries */
    uint64_t file_bytes; /* of the model: what an import of it costs */
    uint64_t texels;
    uint64_t keys;
};

/* Microseconds that one core is expected to take. No clock is asked: the same case costs the same on every machine. */
uint32_t cost_of_case(const struct case_work *work);
uint32_t cost_of_import(const struct case_work *work); /* paid once for all cases of a model that run in one process */

/* Returns the size of the file; 0 where it cannot be found. */
uint64_t model_bytes(const char *path);

/* A case that is to be assigned. */
struct shard_case {
    const char *name;
    size_t model;         /* a number below `count`: cases of one model share an import, */
    uint64_t import_cost; /* which each shard pays once */
    uint64_t cost;        /* its own */
};

/* shard_of[count]: 1 to `shards`. */
void shard_partition(const struct shard_case *cases, size_t count, uint32_t shards, uint32_t *shard_of);

/*
 * Puts what the cases that are selected are expected to cost into cases[suite->case_count], with their indices in the
 * suite. Returns how many they are. `earlier` as below.
 */
size_t shard_costs(const struct suite *suite, const bool *selected, const struct results *earlier,
                   struct shard_case *cases, size_t *indices);

/*
 * The partition of the cases that are selected (others: 0): by the costs that they had in earlier results, where a new
 * case costs the median; without such (NULL) by the model files' sizes, the times and the pixels.
 */
void shard_suite(const struct suite *suite, const bool *selected, const struct results *earlier, uint32_t shards,
                 uint32_t *shard_of);

/* The same as lists of names, into the results, which the suite must outlive. */
void shard_list(const struct suite *suite, const uint32_t *shard_of, uint32_t shards, struct results *results);
