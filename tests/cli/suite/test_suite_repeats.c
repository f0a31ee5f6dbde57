/* The same suite gives the same bytes: results and goldens, in any locale and with any variables for Mesa. */

#include "cli/pictures.h"
#include "suite_runs.h"

/* What a plain run gives, made by enter(): golden/ with a change, out/check. */
BEFORE_EACH
{
    write_accepted_suite(TWO_CASES "  - {name: walker, model: " WALKER ", clip: walk, times: [0.23]}\n");
    copy_folder("golden", "accepted");
    tamper("golden/strip/0.750.pose.json", "palette[0].matrix[7]", "0.125");
    tint("golden/twins/0.200.png", 100, 90);
    check_gives(1, NULL);
    copy_folder("out/check", "expected");
}

/* check and accept with these variables, NULL-terminated, and a number of workers give what a plain run gave. */
static void gives_the_same(const char *const *environment, const char *jobs)
{
    const struct run_options options = {.environment = environment};
    run_gives(1, rigproof_with(&options, "check", "suite.yaml", "--allow-outside", "-j", jobs, NULL));
    if (strcmp(contents("out/check"), contents("expected")) != 0)
        fail_msg("%s changes results: %s\nnot: %s", environment[0], contents("out/check"), contents("expected"));
    run_gives(0, rigproof_with(&options, "accept", "suite.yaml", "--allow-outside", "--goldens", "again", "-j", jobs, NULL));
    if (strcmp(contents("again"), contents("accepted")) != 0)
        fail_msg("%s changes goldens", environment[0]);
    shell("rm -r again");
}

SCRATCH_TEST(variables_do_not_matter)
{
    static const char *const hostile[][4] = {
        {"GALLIVM_PERF=no_quad_lod", "LP_PERF=no_depth", "LP_NATIVE_VECTOR_WIDTH=128", NULL},
        {"LP_NATIVE_VECTOR_WIDTH=512", "GALLIUM_NOSSE=1", "GALLIUM_OVERRIDE_CPU_CAPS=nosse", NULL},
        {"MESA_GL_VERSION_OVERRIDE=2.1", "LIBGL_ALWAYS_SOFTWARE=0", "MESA_LOADER_DRIVER_OVERRIDE=zink", NULL},
        {"DISPLAY=:99", "EGL_PLATFORM=x11", "DRAW_USE_LLVM=0", NULL},
        {"MESA_SHADER_CACHE_DISABLE=true", "COLUMNS=40", "TZ=Asia/Tokyo", NULL},
        {"MESA_SHADER_CACHE_DIR=/nowhere/to/be/found", "LP_NUM_THREADS=2", NULL},
    };
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++)
        gives_the_same(hostile[i], i % 2 ? "1" : "4");
}

SCRATCH_TEST(locale_does_not_matter)
{
    char path[512];
    if (!german_locale(path))
        skip_because("no de_DE.UTF-8, and localedef cannot make it");
    gives_the_same((const char *const[]){"LC_ALL=de_DE.UTF-8", path, NULL}, "2");
}
