/* Which shard a process is, and which cases it has. */

#include "base/text.h"
#include "report/publish.h"
#include "suite/shard.h"
#include "suite/suite_text.h"

/* ---- which shard ------------------------------------------------------------------------------------------------ */

TEST(shards_are_parsed)
{
    static const char *const bad[] = {"",     "1",   "1/",    "/2",   "0/2",  "3/2",      "-1/2",          "1/0",
                                      "1/-2", "a/b", "1/2/3", " 1/2", "1/2 ", "1/100001", "1/99999999999", "+1/2",
                                      "1.0/2"};
    uint32_t shard = 0, count = 0;
    assert_true(shard_parse("2/5", &shard, &count, ANY_ERROR) && shard == 2 && count == 5);
    assert_true(shard_parse("100000/100000", &shard, &count, ANY_ERROR) && shard == 100000 && count == 100000);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error why = {0};
        if (shard_parse(bad[i], &shard, &count, &why))
            fail_msg("`%s` was taken", bad[i]);
        assert_non_null(strstr(why.text, "is not I/N with I from 1 to N (N at most 100000)"));
    }
}

/* The environments are as the engines' manuals give them: base, step and all. */
TEST(an_engine_says_which_shard_it_is)
{
    static const struct {
        const char *set[6]; /* NAME=VALUE */
        uint32_t shard, count; /* 0: an error, with these words: */
        const char *words;     /* else the variable that it was in */
    } rows[] = {
        {{"RIGPROOF_SHARD=2/5"}, 2, 5, "RIGPROOF_SHARD"},
        {{"RIGPROOF_SHARD=2/5", "CI_NODE_INDEX=1", "CI_NODE_TOTAL=3"}, 2, 5, "RIGPROOF_SHARD"},
        {{"RIGPROOF_SHARD=2"}, 0, 0, "RIGPROOF_SHARD"},
        {{"SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_COUNT=8", "SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_MAX=8",
          "SLURM_ARRAY_TASK_STEP=1"}, 3, 8, "SLURM_ARRAY_TASK_ID"},
        {{"SLURM_ARRAY_TASK_ID=0", "SLURM_ARRAY_TASK_COUNT=8", "SLURM_ARRAY_TASK_MIN=0", "SLURM_ARRAY_TASK_MAX=7"}, 1, 8,
         "SLURM_ARRAY_TASK_ID"},
        {{"SLURM_ARRAY_TASK_ID=14", "SLURM_ARRAY_TASK_COUNT=3", "SLURM_ARRAY_TASK_MIN=10", "SLURM_ARRAY_TASK_MAX=14",
          "SLURM_ARRAY_TASK_STEP=2"}, 3, 3, "SLURM_ARRAY_TASK_ID"},
        {{"SLURM_ARRAY_TASK_ID=13", "SLURM_ARRAY_TASK_COUNT=3", "SLURM_ARRAY_TASK_MIN=10", "SLURM_ARRAY_TASK_MAX=14",
          "SLURM_ARRAY_TASK_STEP=2"}, 0, 0, "SLURM_ARRAY_TASK_ID is 13"},
        {{"SLURM_ARRAY_TASK_ID=7", "SLURM_ARRAY_TASK_COUNT=3", "SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_MAX=7",
          "SLURM_ARRAY_TASK_STEP=1"}, 0, 0, "is not one of 3"},
        {{"SLURM_ARRAY_TASK_ID=2", "SLURM_ARRAY_TASK_COUNT=3", "SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_MAX=7",
          "SLURM_ARRAY_TASK_STEP=1"}, 0, 0, "an array with gaps"},
        {{"SGE_TASK_ID=5", "SGE_TASK_FIRST=1", "SGE_TASK_LAST=8", "SGE_TASK_STEPSIZE=2"}, 3, 4, "SGE_TASK_ID"},
        {{"SGE_TASK_ID=undefined", "SGE_TASK_FIRST=undefined", "SGE_TASK_LAST=undefined"}, 0, 0, "neither RIGPROOF_SHARD"},
        {{"AWS_BATCH_JOB_ARRAY_INDEX=0", "AWS_BATCH_JOB_ARRAY_SIZE=4"}, 1, 4, "AWS_BATCH_JOB_ARRAY_INDEX"},
        {{"CI_NODE_INDEX=4", "CI_NODE_TOTAL=4"}, 4, 4, "CI_NODE_INDEX"},
        {{"CI_NODE_INDEX=0", "CI_NODE_TOTAL=4"}, 0, 0, "CI_NODE_INDEX is 0"},
        {{"CI_NODE_INDEX=1", "CI_NODE_TOTAL=four"}, 0, 0, "CI_NODE_TOTAL is `four`, not a whole number"},
        {{"CI_NODE_TOTAL=1"}, 0, 0, "neither RIGPROOF_SHARD"}, /* GitLab, a job that is not parallel */
        {{"CIRCLE_NODE_INDEX=3", "CIRCLE_NODE_TOTAL=4"}, 4, 4, "CIRCLE_NODE_INDEX"},
        {{"CIRCLE_NODE_INDEX=4", "CIRCLE_NODE_TOTAL=4"}, 0, 0, "CIRCLE_NODE_INDEX is 4"},
        {{"BUILDKITE_PARALLEL_JOB=1", "BUILDKITE_PARALLEL_JOB_COUNT=2"}, 2, 2, "BUILDKITE_PARALLEL_JOB"},
        {{"BITBUCKET_PARALLEL_STEP=1", "BITBUCKET_PARALLEL_STEP_COUNT=2"}, 2, 2, "BITBUCKET_PARALLEL_STEP"},
        {{"SEMAPHORE_JOB_INDEX=1", "SEMAPHORE_JOB_COUNT=2"}, 1, 2, "SEMAPHORE_JOB_INDEX"},
        {{"SYSTEM_JOBPOSITIONINPHASE=2", "SYSTEM_TOTALJOBSINPHASE=2"}, 2, 2, "SYSTEM_JOBPOSITIONINPHASE"},
        {{"CLOUD_RUN_TASK_INDEX=0", "CLOUD_RUN_TASK_COUNT=9"}, 1, 9, "CLOUD_RUN_TASK_INDEX"},
        {{"PBS_ARRAY_INDEX=2"}, 0, 0, "PBS_ARRAY_INDEX does not say of how many"},
        {{"PARALLEL_SEQ=2"}, 0, 0, "PARALLEL_SEQ does not say of how many"},
        {{"PARALLEL_SEQ=2", "CI_NODE_INDEX=3", "CI_NODE_TOTAL=4"}, 3, 4, "CI_NODE_INDEX"},
        {{"CI_NODE_INDEX=3", "CI_NODE_TOTAL=4", "CIRCLE_NODE_INDEX=0", "CIRCLE_NODE_TOTAL=1"}, 3, 4, "CI_NODE_INDEX"},
        {{"AWS_BATCH_JOB_ARRAY_INDEX=0", "AWS_BATCH_JOB_ARRAY_SIZE=1", "CI_NODE_INDEX=3", "CI_NODE_TOTAL=4"}, 3, 4, "CI_NODE_INDEX"},
        {{"CI_NODE_INDEX=3", "CI_NODE_TOTAL=4", "CIRCLE_NODE_INDEX=0", "CIRCLE_NODE_TOTAL=2"}, 0, 0,
         "by CI_NODE_INDEX it is 3/4, by CIRCLE_NODE_INDEX 1/2"},
        {{"CI_NODE_INDEX=3", "CI_NODE_TOTAL=4", "CIRCLE_NODE_INDEX=2", "CIRCLE_NODE_TOTAL=4"}, 3, 4, "CI_NODE_INDEX"},
        {{NULL}, 0, 0, "neither RIGPROOF_SHARD"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t shard = 0, count = 0;
        const char *from = NULL;
        struct error err = {0};
        char name[64];
        clearenv();
        for (int k = 0; k < 6 && rows[i].set[k]; k++) {
            const char *value = strchr(rows[i].set[k], '=');
            snprintf(name, sizeof name, "%.*s", (int)(value - rows[i].set[k]), rows[i].set[k]);
            setenv(name, value + 1, 1);
        }
        bool good = shard_find(&shard, &count, &from, &err);
        const char *said = good ? from : err.text;
        if (good != (rows[i].count > 0) || (good && (shard != rows[i].shard || count != rows[i].count)) ||
            !strstr(said, rows[i].words))
            fail_msg("%s ...: %u/%u, %s", rows[i].set[0] ? rows[i].set[0] : "nothing", shard, count, said);
    }
}

/* ---- which cases ------------------------------------------------------------------------------------------------ */

enum { MOST = 300, MOST_SHARDS = 20 };

struct sums {
    uint64_t loads[MOST_SHARDS + 1], largest, all, longest, imports_paid, import_costs;
    size_t counts[MOST_SHARDS + 1], used;
};

/* Adds up what each shard has to do. All is counted anew, with no more than the cases and their shards. */
static struct sums add_up(const struct shard_case *cases, size_t count, uint32_t shards, const uint32_t *shard_of)
{
    static bool paid[MOST_SHARDS + 1][MOST], known[MOST];
    struct sums sums = {0};
    memset(paid, 0, sizeof paid);
    memset(known, 0, sizeof known);
    for (size_t i = 0; i < count; i++) {
        const uint32_t k = shard_of[i];
        const size_t model = cases[i].model;
        assert_in_range(k, 1, shards);
        const uint64_t import_cost = paid[k][model] ? 0 : cases[i].import_cost;
        sums.loads[k] += cases[i].cost + import_cost;
        sums.imports_paid += import_cost;
        sums.import_costs += known[model] ? 0 : cases[i].import_cost;
        paid[k][model] = known[model] = true;
        sums.all += cases[i].cost;
        sums.used += sums.counts[k]++ == 0;
        if (cases[i].cost + cases[i].import_cost > sums.longest)
            sums.longest = cases[i].cost + cases[i].import_cost;
    }
    for (uint32_t k = 1; k <= shards; k++)
        sums.largest = sums.loads[k] > sums.largest ? sums.loads[k] : sums.largest;
    return sums;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u; /* Numerical Recipes */
    return *state >> 8;
}

static size_t make_cases(uint32_t seed, struct shard_case *cases, char (*names)[16])
{
    uint32_t state = seed;
    const size_t count = 1 + next_random(&state) % MOST, models = 1 + next_random(&state) % count;
    const uint32_t most_import = 1 + next_random(&state) % 5000, most_cost = 1 + next_random(&state) % 5000;
    uint64_t import_costs[MOST];
    for (size_t m = 0; m < models; m++)
        import_costs[m] = next_random(&state) % most_import;
    for (size_t i = 0; i < count; i++) {
        const size_t model = next_random(&state) % models;
        snprintf(names[i], sizeof names[i], "case-%zu", i);
        cases[i] = (struct shard_case){names[i], model, import_costs[model], 1 + next_random(&state) % most_cost};
        if (next_random(&state) % 20 == 0)
            cases[i].cost *= 30;
    }
    return count;
}

/*
 * No shard has more than the least that is possible (an equal part of all, or the longest case with its import) and one case:
 * what Graham proves of the longest first, with room for imports that several shards pay.
 */
TEST(shards_end_at_about_the_same_time)
{
    struct shard_case cases[MOST];
    char names[MOST][16];
    uint32_t shard_of[MOST];
    double sum = 0;
    size_t rounds = 0;
    for (uint32_t seed = 1; seed <= 2000; seed++) {
        const size_t count = make_cases(seed, cases, names);
        const uint32_t shards = 1 + seed % MOST_SHARDS;
        shard_partition(cases, count, shards, shard_of);
        const struct sums sums = add_up(cases, count, shards, shard_of);
        const uint64_t part = (sums.all + sums.import_costs) / shards, least = part > sums.longest ? part : sums.longest;
        if (sums.largest > part + 2 * sums.longest)
            fail_msg("seed %u: %zu cases, %u shards: the largest has %llu, of %llu that are possible", seed, count, shards,
                     (unsigned long long)sums.largest, (unsigned long long)least);
        if (count >= shards && sums.used < shards)
            fail_msg("seed %u: %zu cases, %u shards: only %zu have any", seed, count, shards, sums.used);
        sum += (double)sums.largest / (double)least;
        rounds++;
    }
    if (sum / (double)rounds > 1.06)
        fail_msg("on average the largest shard has %.2f times the least that is possible", sum / (double)rounds);
}

/* The order in which a suite has its cases, and the numbers of its models, are no reason to move one. */
TEST(the_same_inputs_give_the_same_shards)
{
    struct shard_case cases[MOST], mixed[MOST];
    char names[MOST][16];
    uint32_t shard_of[MOST], mixed_shard_of[MOST];
    for (uint32_t seed = 1; seed <= 200; seed++) {
        const size_t count = make_cases(seed, cases, names);
        for (size_t i = 0; i < count; i++) {
            mixed[i] = cases[count - 1 - i];
            mixed[i].model = count - 1 - mixed[i].model;
        }
        shard_partition(cases, count, 7, shard_of);
        shard_partition(mixed, count, 7, mixed_shard_of);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(shard_of[i], mixed_shard_of[count - 1 - i]);
    }
}

TEST(three_cases_of_a_model_fill_three_shards)
{
    const struct shard_case cases[] = {{"a", 0, 10, 30}, {"b", 0, 10, 30}, {"c", 0, 10, 30}};
    uint32_t shard_of[3];
    shard_partition(cases, 3, 3, shard_of);
    assert_int_equal(add_up(cases, 3, 3, shard_of).largest, 40);
    shard_partition(cases, 3, 5, shard_of); /* two have nothing */
    assert_int_equal(add_up(cases, 3, 5, shard_of).largest, 40);
}

/* Four models of 25 equal cases: each of four shards has one model, and no import is paid twice. */
TEST(cases_stay_with_their_model)
{
    struct shard_case cases[100];
    char names[100][16];
    uint32_t shard_of[100];
    for (size_t i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], "case-%zu", i);
        cases[i] = (struct shard_case){names[i], i % 4, 50, 3};
    }
    shard_partition(cases, 100, 4, shard_of);
    const struct sums sums = add_up(cases, 100, 4, shard_of);
    assert_int_equal(sums.imports_paid, 200);
    assert_int_equal(sums.largest, 125);
    shard_partition(cases, 100, 8, shard_of);
    assert_in_range(add_up(cases, 100, 8, shard_of).largest, 87, 93); /* 50 and half of 75 */
}

#define BALANCED                                                                                                       \
    "version: 1\ncases:\n"                                                                                             \
    "- {name: a, model: m.glb}\n- {name: b, model: m.glb}\n- {name: c, model: n.glb}\n- {name: d, model: n.glb}\n"   \
    "- {name: e, model: n.glb}\n- {name: off, model: n.glb, skip: true, reason: r}\n"

/* By hand: new ones cost the median 30, so a has 90, and the four others 30 each. */
SUITE_TEST(costs_of_an_earlier_run_are_taken)
{
    struct case_result before[] = {{.name = "gone", .cost = 9000}, {.name = "off", .cost = 0}, {.name = "a", .cost = 90},
                                   {.name = "c", .cost = 10}, {.name = "d", .cost = 10}};
    const struct results earlier = {.case_count = 5, .cases = before};
    READ_SUITE *suite = read_good(BALANCED);
    const bool all[] = {true, true, true, true, true, true};
    uint32_t shard_of[6];
    for (size_t i = 0; i < suite->case_count; i++)
        suite->cases[i].problem = NULL; /* there are no models */
    shard_suite(suite, all, &earlier, 2, shard_of);
    for (int i = 1; i < 5; i++) /* 90 against 10 + 10 + 10 + 10 */
        assert_int_equal(shard_of[i], 3 - shard_of[0]);
    before[2].cost = 10; /* all cost the same: three and two */
    shard_suite(suite, all, &earlier, 2, shard_of);
    unsigned ones = 0;
    for (int i = 0; i < 5; i++)
        ones += shard_of[i] == 1;
    assert_in_range(ones, 2, 3);
    assert_in_range(shard_of[5], 1, 2);
}

/* Results of other cases say nothing: sizes do. */
SUITE_TEST(unknown_costs_are_guessed)
{
    struct case_result before[] = {{.name = "gone", .cost = 9000}};
    const struct results earlier = {.case_count = 1, .cases = before};
    READ_SUITE *suite = read_good("version: 1\ndefaults: {times: [0]}\ncases:\n- {name: a, model: m.glb, size: [10, 10]}\n"
                                    "- {name: b, model: m.glb, size: [1000, 1000]}\n");
    const bool all[] = {true, true};
    struct shard_case cases[2];
    size_t indices[2];
    suite->cases[0].problem = suite->cases[1].problem = NULL; /* there is no model */
    assert_int_equal(shard_costs(suite, all, &earlier, cases, indices), 2);
    assert_int_equal(cases[0].cost, 1600 + 2); /* docs/formats.md: a case, and 26 ms a million pixels */
    assert_int_equal(cases[1].cost, 1600 + 26000);
    assert_int_equal(cases[0].import_cost, 7200);
    assert_int_equal(cases[0].model, cases[1].model);
}

/* Each file says how many there should be; one is lacking. Held against each other one by one they took 2 GiB. */
TEST(many_shards_are_merged)
{
    enum { SHARDS = 400, LACKING = 300 };
    struct results *items[SHARDS];
    const char *folders[SHARDS];
    struct merge merge = {.items = items, .folders = folders};
    for (uint32_t i = 1; i <= SHARDS; i++)
        if (i != LACKING) {
            struct results *item = results_create(ANY_ERROR);
            item->shard = i;
            item->shard_count = SHARDS;
            folders[merge.count] = ".";
            items[merge.count++] = item;
        }
    RESULTS *out = merge_into(&merge, ".", NULL, ANY_ERROR);
    assert_int_equal(out->missing_count, 1);
    assert_string_equal(out->missing[0], "shard 300 of 400");
    const char *lacking[] = {"shard 300 of 400", "shard 7 of 400"}; /* beside a merged file that has the 300th, and not the seventh */
    struct results *merged = results_create(ANY_ERROR);
    merged->missing = lacking + 1;
    merged->missing_count = 1;
    folders[merge.count] = ".";
    items[merge.count++] = merged;
    RESULTS *both = merge_into(&merge, ".", NULL, ANY_ERROR);
    assert_int_equal(both->missing_count, 0);
    merged->missing = lacking;
    RESULTS *none = merge_into(&merge, ".", NULL, ANY_ERROR);
    assert_int_equal(none->missing_count, 1);
    for (size_t i = 0; i < merge.count; i++)
        results_free(items[i]);
}

/* 1000 pictures of 100 pixels, 5 vertices and 2 transforms; an import of 1 MB: the table of docs/formats.md by hand. */
TEST(costs_are_those_of_the_table)
{
    const struct case_work work = {.frames = 1000, .pixels = 100000, .vertices = 5000, .transforms = 2000,
                                   .file_bytes = 1000000, .texels = 10000, .keys = 2000};
    assert_int_equal(cost_of_case(&work), 1600 + 2600 + 1650 + 18600);
    assert_int_equal(cost_of_import(&work), 7200 + 19000 + 200 + 350);
    assert_int_equal(cost_of_case(&(struct case_work){.pixels = UINT64_MAX / 100}), UINT32_MAX);
}
