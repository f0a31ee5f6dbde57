/* What may differ from machine to machine must not fail the project's own suite. */
#include "cmocka_setup.h"

#include <stdio.h>
#include <string.h>

#include "suite_runs.h"

#define SUITE FIXTURES "/../golden/suite.yaml"

/* Statuses that are to be seen: without `drift` every pixel must be the golden's or within the noise of one machine. */
static void passes(const char *const *environment, const char *backend, bool may_drift)
{
    const struct run_options options = {.environment = environment};
    const struct outcome *outcome =
        require_status(rigproof_with(&options, "check", SUITE, "--backend", backend, NULL), 0, __FILE__, __LINE__);
    assert_true(count_lines(outcome->out) > 50);
    if (!may_drift && strstr(outcome->out, "drift "))
        fail_msg("drift with %s: %s", environment ? environment[0] : backend, outcome->out);
}

/* Whether the goldens are from here: what drifts in any case shows nothing. */
static bool drifts_anyway(void)
{
    return strstr(rigproof_good("check", SUITE)->out, "drift ") != NULL;
}

static void backends_do_not_matter(void **state)
{
    (void)state;
    static const char *const backends[] = {"osmesa", "egl"};
    bool may_drift = drifts_anyway();
    for (int i = 0; i < 2; i++)
        if (has_backend(backends[i]))
            passes(NULL, backends[i], may_drift);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static const char *const threads[] = {"LP_NUM_THREADS=0", "LP_NUM_THREADS=1", "LP_NUM_THREADS=2"};
    bool may_drift = drifts_anyway();
    for (int i = 0; i < 3; i++)
        passes((const char *const[]){threads[i], NULL}, "auto", may_drift);
}

/* Mesa keeps no shaders of another CPU, so that this takes long: half of the suite. */
static void half_passes(const char *const *environment, const char *shard)
{
    const struct run_options options = {.environment = environment};
    const struct outcome *outcome =
        require_status(rigproof_with(&options, "check", SUITE, "--shard", shard, NULL), 0, __FILE__, __LINE__);
    assert_true(count_lines(outcome->out) > 50);
}

/* As on arm64. */
static const char *const narrow[] = {"LP_NATIVE_VECTOR_WIDTH=128", "RIGPROOF_KEEP_ENVIRONMENT=LP_NATIVE_VECTOR_WIDTH", NULL};

static void width_of_vectors_is_no_failure(void **state)
{
    (void)state;
    half_passes(narrow, "1/2");
}

static void width_of_vectors_is_no_failure_2(void **state)
{
    (void)state;
    half_passes(narrow, "2/2");
}

/* A CPU without AVX and without fused multiply-add. */
static const char *const older[] = {"GALLIUM_OVERRIDE_CPU_CAPS=sse4.1",
                                    "RIGPROOF_KEEP_ENVIRONMENT=GALLIUM_OVERRIDE_CPU_CAPS", NULL};

static void older_cpu_is_no_failure(void **state)
{
    (void)state;
    half_passes(older, "1/2");
}

static void older_cpu_is_no_failure_2(void **state)
{
    (void)state;
    half_passes(older, "2/2");
}

/* A character that stands 1,700 m from the origin: floats round there by more than 1e-5 of its radius, on the CPU too. */
static void far_from_the_origin_is_no_failure(void **state)
{
    (void)state;
    copy_file(STRIP, "far.gltf");
    tamper("far.gltf", "nodes[0].translation", "[1000, 1300, -400]");
    write_suite("  - {name: linear, model: far.gltf, clip: mixed, times: [0.4, 1.25]}\n"
                "  - {name: dual, model: far.gltf, clip: mixed, times: [0.4, 1.25], skinning: dual-quaternion}\n"
                "  - {name: trs, model: far.gltf, clip: linear-rotation, times: [0.4, 1.25], palette-format: trs}\n");
    accept_gives(0, NULL);
    check_gives(0, NULL);
    assert_statuses("linear pass, dual pass, trs pass");
}

/* Each runs the whole suite several times: `test_cli_false_alarm I/N` is every N-th of them from the I-th. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        scratch_test(backends_do_not_matter),
        scratch_test(threads_do_not_matter),
        scratch_test(width_of_vectors_is_no_failure),
        scratch_test(width_of_vectors_is_no_failure_2),
        scratch_test(older_cpu_is_no_failure),
        scratch_test(older_cpu_is_no_failure_2),
        scratch_test(far_from_the_origin_is_no_failure),
    };
    int part = 1, parts = 1, failed = 0;
    if (argc > 1 && (sscanf(argv[1], "%d/%d", &part, &parts) != 2 || part < 1 || part > parts))
        return 2;
    for (size_t i = (size_t)part - 1; i < sizeof tests / sizeof tests[0]; i += (size_t)parts) {
        cmocka_set_test_filter(tests[i].name);
        failed += cmocka_run_group_tests(tests, NULL, NULL);
    }
    return failed;
}
