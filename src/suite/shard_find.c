/* Says which shard this process is: as it was told, or as the engine that started it says in its environment. */
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "suite/shard.h"

enum { MOST_SHARDS = 100000 };

/*
 * Variables of job arrays and parallel jobs, each by its manual: sbatch(1), "INPUT ENVIRONMENT VARIABLES"; qsub(1) of
 * Grid Engine; AWS Batch "job environment variables"; GitLab "predefined variables"; CircleCI "built-in environment
 * variables"; Buildkite "environment variables"; Bitbucket "variables and secrets"; Semaphore "environment variables";
 * Azure "predefined variables"; Cloud Run "execute jobs"; qsub(1) of OpenPBS; Kubernetes "indexed Job"; parallel(1).
 */
struct engine {
    const char *index;
    const char *count; /* NULL: it says not of how many, unless by `last` */
    uint32_t first;    /* the lowest index, where no variable says it: */
    const char *lowest, *last, *step;
};

static const struct engine engines[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0, "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
     "SLURM_ARRAY_TASK_STEP"},
    {"SGE_TASK_ID", NULL, 0, "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"},
    {"AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", 0},
    {"CI_NODE_INDEX", "CI_NODE_TOTAL", 1}, /* GitLab */
    {"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},
    {"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0},
    {"BITBUCKET_PARALLEL_STEP", "BITBUCKET_PARALLEL_STEP_COUNT", 0},
    {"SEMAPHORE_JOB_INDEX", "SEMAPHORE_JOB_COUNT", 1},
    {"SYSTEM_JOBPOSITIONINPHASE", "SYSTEM_TOTALJOBSINPHASE", 1}, /* Azure Pipelines */
    {"CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT", 0},
    {"PBS_ARRAY_INDEX"},
    {"JOB_COMPLETION_INDEX"}, /* Kubernetes */
    {"PARALLEL_SEQ"},         /* GNU parallel */
};

bool shard_parse(const char *text, uint32_t *shard, uint32_t *count, struct error *err)
{
    const char *slash = strchr(text, '/');
    double part = 0, parts = 0;
    if (!slash || !decimal_read(text, (size_t)(slash - text), true, &part) ||
        !decimal_read(slash + 1, strlen(slash + 1), true, &parts) || part < 1 || part > parts || parts > MOST_SHARDS)
        return error_set(err, "--shard: `%s` is not I/N with I from 1 to N (N at most %d), nor `auto`", text,
                         MOST_SHARDS);
    *shard = (uint32_t)part;
    *count = (uint32_t)parts;
    return true;
}

/* NULL: not set. Grid Engine says "undefined" in what is no array. */
static const char *look_up(const char *name)
{
    const char *value = name ? getenv(name) : NULL;
    return value && *value && strcmp(value, "undefined") != 0 ? value : NULL;
}

/* A variable that is not set leaves the number as it is. */
static bool read_number(const char *name, double *out, struct error *err)
{
    const char *value = look_up(name);
    return !value || (decimal_read(value, strlen(value), true, out) && *out >= 0 && *out <= UINT32_MAX) ||
           error_set(err, "--shard auto: %s is `%s`, not a whole number", name, value);
}

/* `parts` stays 0 where the engine does not say of how many. */
static bool ask(const struct engine *engine, double *part, double *parts, struct error *err)
{
    double index = 0, lowest = engine->first, last = -1, step = 1, count = 0;
    if (!read_number(engine->index, &index, err) || !read_number(engine->lowest, &lowest, err) ||
        !read_number(engine->last, &last, err) || !read_number(engine->step, &step, err) ||
        !read_number(engine->count, &count, err))
        return false;
    const double spanned = last >= lowest && step >= 1 ? (double)(uint64_t)((last - lowest) / step) + 1 : 0;
    count = engine->count ? count : spanned;
    *part = step >= 1 ? (index - lowest) / step + 1 : 0;
    *parts = count;
    if (count > 0 && (*part < 1 || *part > count || *part != (double)(uint32_t)*part || count > MOST_SHARDS))
        return error_set(err, "--shard auto: %s is %g, which is not one of %g from %g on", engine->index, index, count,
                         lowest);
    if (count > 0 && spanned > 0 && spanned != count)
        return error_set(err,
                         "--shard auto: %s is %g of %g tasks between %g and %g: an array with gaps is no partition; "
                         "RIGPROOF_SHARD=I/N says which shard it is",
                         engine->index, index, count, lowest, last);
    return true;
}

bool shard_find(uint32_t *shard, uint32_t *count, const char **from, struct error *err)
{
    const char *own = look_up("RIGPROOF_SHARD"), *partial = NULL;
    double part, parts;
    *from = NULL;
    *count = 0;
    if (own) {
        *from = "RIGPROOF_SHARD";
        return shard_parse(own, shard, count, err) || error_prefix(err, "RIGPROOF_SHARD");
    }
    for (const struct engine *engine = engines; engine < engines + sizeof engines / sizeof *engines; engine++) {
        if (!look_up(engine->index))
            continue;
        if (!ask(engine, &part, &parts, err))
            return false;
        if (parts == 0 && !partial)
            partial = engine->index;
        if (parts == 0 ||
            (parts == 1 && *count > 0)) /* 1 of 1: a job that is not parallel, which another may be within */
            continue;
        if (*count > 1 && (*count != (uint32_t)parts || *shard != (uint32_t)part))
            return error_set(err, "--shard auto: by %s it is %u/%u, by %s %g/%g; RIGPROOF_SHARD=I/N decides", *from,
                             *shard, *count, engine->index, part, parts);
        *from = *count > 1 ? *from : engine->index;
        *shard = (uint32_t)part;
        *count = (uint32_t)parts;
    }
    if (!*from && partial)
        return error_set(err, "--shard auto: %s does not say of how many; --shard I/N or RIGPROOF_SHARD=I/N does",
                         partial);
    return *from ||
           error_set(err,
                     "--shard auto: neither RIGPROOF_SHARD=I/N nor an engine's variable is set (SLURM_ARRAY_TASK_ID, "
                     "CI_NODE_INDEX ...: docs/guides/big-suites.md has them all)");
}
