/* Cases that stand for several: `clips: all`, globs in `model`; and what becomes red when a clip or a file comes or goes. */

#include "suite_runs.h"

/* morph.gltf has three clips; both are copies that a test may change. */
BEFORE_EACH
{
    copy_file(FIXTURES "/strip/morph.gltf", "models/deep/morph.gltf");
    copy_file(TWINS, "models/twins.gltf");
}

#define ALL_CLIPS "  - {name: morph, model: models/deep/morph.gltf, clips: all, times: {even: 3}, tags: soft}\n"
#define ALL_FILES "  - {name: all, model: 'models/**/*.gltf', clips: all, times: {even: 3}}\n"

/* The first words of the lines. */
static const char *names_of(const char *list)
{
    struct text all = {0};
    for (const char *line = list; *line; line += strcspn(line, "\n") + 1)
        text_addf(&all, "%s%.*s", all.size ? " " : "", (int)strcspn(line, " \n"), line);
    return keep(all.data ? all.data : strdup(""));
}

#define assert_listed(expected, ...) assert_string_equal(names_of(check_gives(0, "--list", __VA_ARGS__)->out), expected)

SCRATCH_TEST(a_case_is_one_for_each_clip)
{
    write_suite(ALL_CLIPS);
    assert_listed("morph-linear-weights morph-cubic-weights morph-step-weights", NULL);
    assert_contains(check_gives(0, "--list", NULL)->out, "cubic-weights   even:3  soft");
    assert_listed("morph-cubic-weights", "--filter", "morph-cubic*", NULL);
    assert_listed("morph-linear-weights morph-cubic-weights morph-step-weights", "--filter", "morph", NULL);
    assert_listed("morph-linear-weights morph-cubic-weights", "--filter", "tag:soft", "--filter", "!*step*", NULL);
    accept_gives(0, "--missing", NULL);
    check_gives(0, NULL);
    assert_statuses("morph-linear-weights pass, morph-cubic-weights pass, morph-step-weights pass");
    assert_string_equal(result_of("morph-step-weights", "times[1].time"), "1"); /* the clip lasts 2 s */
}

SCRATCH_TEST(a_case_is_one_for_each_file)
{
    write_suite(ALL_FILES "  - {name: any, model: models/*.*, times: [0]}\n");
    assert_listed("all-deep-morph-linear-weights all-deep-morph-cubic-weights all-deep-morph-step-weights "
                  "all-twins-turn any-twins-gltf",
                  NULL);
    spill("models/[x].gltf", slurp(TWINS, NULL)); /* such names are names where there is such a file */
    write_suite("  - {name: odd, model: 'models/[x].gltf', times: [0]}\n");
    assert_listed("odd", NULL);
}

SCRATCH_TEST(a_clip_that_comes_lacks_its_golden)
{
    write_suite(ALL_CLIPS);
    accept_gives(0, "--missing", "--filter", "!*step*", NULL);
    check_gives(1, NULL);
    assert_statuses("morph-linear-weights pass, morph-cubic-weights pass, morph-step-weights missing");
    assert_contains(result_of("morph-step-weights", "headline"),
                    "no golden: it is new among what `morph` of line 5 stands for");
}

SCRATCH_TEST(a_clip_that_goes_is_missed)
{
    write_suite(ALL_CLIPS);
    accept_gives(0, "--missing", NULL);
    tamper("models/deep/morph.gltf", "animations[2].name", "\"other\"");
    check_gives(1, NULL);
    assert_string_equal(result_of("morph-other", "status"), "missing");
    assert_string_equal(result_of("morph-step-weights", "status"), "error");
    assert_contains(result_of("morph-step-weights", "headline"),
                    "its golden is there, but `morph` of line 5 stands for no such clip or file");
    check_gives(1, "--filter", "morph-step*", NULL); /* also alone */
    check_gives(0, "--filter", "morph-linear*", NULL);
    accept("--missing", NULL);
    assert_contains(accept_gives(0, "--prune", NULL)->out, "obsolete, removed: morph-step-weights\n");
    check_gives(0, NULL);
    assert_statuses("morph-linear-weights pass, morph-cubic-weights pass, morph-other pass");
}

SCRATCH_TEST(a_file_that_goes_is_missed)
{
    write_suite("  - {name: all, model: 'models/**/*.gltf', times: {even: 3}}\n");
    accept_gives(0, "--missing", NULL);
    assert_int_equal(unlink("models/twins.gltf"), 0);
    check_gives(1, NULL);
    assert_statuses("all-deep-morph pass, all-twins error");
    assert_contains(check("--goldens", "elsewhere", NULL)->out,
                    "all-deep-morph"); /* goldens that are not asked miss nothing */
    assert_statuses("all-deep-morph missing");
}

SCRATCH_TEST(twins_agree_clip_by_clip)
{
    copy_file("models/deep/morph.gltf", "models/deep/copy.gltf");
    write_suite(ALL_CLIPS "  - {name: copy, model: models/deep/copy.gltf, clips: all, agrees_with: morph}\n");
    accept_gives(0, "--missing", NULL);
    check_gives(0, NULL);
    assert_string_equal(result_of("copy-cubic-weights", "status"), "pass");
    check_gives(0, "--filter", "copy-cubic*", NULL); /* what it agrees with is read, though nobody chose it */
    tamper("models/deep/copy.gltf", "animations[1].name", "\"other\"");
    check_gives(1, NULL);
    assert_contains(result_of("copy-cubic-weights", "headline"),
                    "there is `morph-cubic-weights`, but `copy` of line 6 stands for no such clip");
    assert_contains(result_of("copy-other", "headline"), "no case `morph-other`");
}

SCRATCH_TEST(what_cannot_be_read_is_a_case_alone)
{
    write_suite(ALL_CLIPS "  - {name: broken, model: " FIXTURES "/broken/truncated.glb, clips: all}\n"
                          "  - {name: bare, model: " FIXTURES "/pieces/body.glb, clips: all}\n"
                          "  - {name: nothing, model: 'models/*.fbx'}\n");
    accept("--missing", NULL);
    check_gives(1, NULL);
    assert_statuses("morph-linear-weights pass, morph-cubic-weights pass, morph-step-weights pass, broken error, bare "
                    "error, nothing error");
    assert_contains(result_of("broken", "headline"), "truncated.glb: ");
    assert_contains(result_of("bare", "headline"), "body.glb has no clips");
    assert_contains(result_of("nothing", "headline"), "there is no file `models/*.fbx`");
    check_gives(0, "--filter", "morph", NULL);
}

SCRATCH_TEST(refusals_name_the_place)
{
    static const char *const cases[][2] = {
        {ALL_CLIPS "  - {name: morph-cubic-weights, model: models/twins.gltf}\n",
         "suite.yaml:6:12: name: `morph-cubic-weights` is the case of line 5 already"},
        {"  - {name: a, model: models/twins.gltf, clips: all, clip: turn}\n",
         "suite.yaml:5:53: `clips` and `clip` exclude each other"},
        {"  - {name: a, model: models/twins.gltf, clips: some}\n", "suite.yaml:5:48: clips: no `some`; there are: all"},
        {"  - {name: a, model: 'models/*/../*.gltf'}\n",
         "suite.yaml:5:22: model: `models/*/../*.gltf`: `..` does not go with `*`"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_suite(cases[i][0]);
        assert_contains(check_fails(2, NULL)->err, cases[i][1]);
    }
    shell("mkdir -p repo/.git");
    spill("repo/suite.yaml", "version: 1\ncases:\n  - {name: a, model: '../models/*.gltf'}\n");
    rigproof_refuses("suite.yaml:3:22: model: `../models/` is outside of ", "check", "repo/suite.yaml");
}

/* A clip that lasts longer would be sampled at times that have no golden: the golden's are compared while it differs. */
SCRATCH_TEST(even_times_are_those_of_the_golden)
{
    if (assimp_needs_no_repair())
        skip();
    write_suite("  - {name: ticks, model: " FIXTURES "/ticks/ticks.x, times: {even: 3}}\n");
    accept_gives(0, "--missing", NULL);
    check_gives(1, "--repair", "none", NULL);
    result_is("ticks", "status", "fail", "times[2].time", "2", "times[2].image.state", "differs");
    write_suite("  - {name: ticks, model: " FIXTURES
                "/ticks/ticks.x, times: {even: 2}}\n"); /* other times that were asked for */
    check("--repair", "none", NULL);
    assert_string_equal(result_of("ticks", "times[1].time"), "50");
}

SCRATCH_TEST(names_stay_names)
{
    tamper("models/deep/morph.gltf", "animations[0].name", "\"Armature|Run Fast\"");
    tamper("models/deep/morph.gltf", "animations[1].name", "\"run--fast\"");
    tamper("models/deep/morph.gltf", "animations[2].name", "\"\xe8\xb5\xb0\"");
    write_suite(ALL_CLIPS);
    assert_listed("morph-run-fast morph-run-fast-2 morph-clip", NULL);
    accept_gives(0, "--missing", NULL);
    check_gives(0, NULL);
    assert_string_equal(result_of("morph-run-fast-2", "clip"), "run--fast");
}
