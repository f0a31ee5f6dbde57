/* What may differ from machine to machine must not fail the project's own suite, which passes as it is. */

#include "suite_runs.h"

#define SUITE FIXTURES "/../golden/suite.yaml"

/* A part of the suite passes; without `may_drift` every pixel is the golden's or within the noise of one machine. */
static void passes(const char *const *environment, const char *backend, const char *shard, bool may_drift)
{
    const struct run_options options = {.environment = environment};
    const struct outcome *outcome =
        run_gives(0, rigproof_with(&options, "check", SUITE, "--backend", backend, "--shard", shard, NULL));
    assert_true(count_lines(outcome->out) > 50);
    if (!may_drift && strstr(statuses("out/check/results.json"), " drift"))
        fail_msg("drift with %s: %s", environment ? environment[0] : backend, outcome->out);
}

/* Where goldens are from another machine's renderer everything may drift, which shows nothing. */
static bool own_suite_drifts(void)
{
    assert_true(count_lines(rigproof_good("check", SUITE)->out) > 100);
    assert_string_equal(json_at("out/check/results.json", "obsolete"), "[]");
    return strstr(statuses("out/check/results.json"), " drift") != NULL;
}

/* The first that is there was taken already. */
SCRATCH_TEST(backends_and_threads_do_not_matter)
{
    static const char *const backends[] = {"osmesa", "egl"};
    bool may_drift = own_suite_drifts(), is_first = true;
    for (int i = 0; i < 2; i++)
        if (has_backend(backends[i])) {
            if (!is_first)
                passes(NULL, backends[i], "1/2", may_drift);
            is_first = false;
        }
    passes((const char *const[]){"LP_NUM_THREADS=2", NULL}, "auto", "2/2", may_drift);
}

/* As on arm64. Mesa keeps no shaders of another CPU, so that this takes long: half of the suite. */
SCRATCH_TEST(width_of_vectors_is_no_failure)
{
    static const char *const narrow[] = {"LP_NATIVE_VECTOR_WIDTH=128", "RIGPROOF_KEEP_ENVIRONMENT=LP_NATIVE_VECTOR_WIDTH", NULL};
    passes(narrow, "auto", "1/2", true);
}

/* A CPU without AVX and without fused multiply-add: the other half. */
SCRATCH_TEST(older_cpu_is_no_failure)
{
    static const char *const older[] = {"GALLIUM_OVERRIDE_CPU_CAPS=sse4.1",
                                        "RIGPROOF_KEEP_ENVIRONMENT=GALLIUM_OVERRIDE_CPU_CAPS", NULL};
    passes(older, "auto", "2/2", true);
}

/* A character that stands 1,700 m from the origin: floats round there by more than 1e-5 of its radius, on the CPU too. */
SCRATCH_TEST(far_from_the_origin_is_no_failure)
{
    copy_file(STRIP, "far.gltf");
    tamper("far.gltf", "nodes[0].translation", "[1000, 1300, -400]");
    write_suite("  - {name: linear, model: far.gltf, clip: mixed, times: [0.4, 1.25]}\n"
                "  - {name: dual, model: far.gltf, clip: mixed, times: [0.4, 1.25], skinning: dual-quaternion}\n"
                "  - {name: trs, model: far.gltf, clip: linear-rotation, times: [0.4, 1.25], palette-format: trs}\n");
    accept_gives(0, NULL);
    check_gives(0, NULL);
    assert_statuses("linear pass, dual pass, trs pass");
}
