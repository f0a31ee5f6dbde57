/* `rigproof generate` as a user runs it, and `check` of a program against the truth that it wrote. */

#include "run_binary.h"

SCRATCH_TEST(rules_are_chosen_and_listed)
{
    rigproof_good("generate", "--rule", "skins-one-*", "-o", "rigs");
    assert_true(exists("rigs/skins-one-joint.gltf") && exists("rigs/skins-one-joint.truth.json") && exists("rigs/suite.yaml"));
    assert_false(exists("rigs/nodes-trs.gltf"));
    const struct outcome *list = rigproof_good("generate", "--list");
    assert_true(count_lines(list->out) >= 80);
    assert_contains(list->out, "skins-one-joint");
    list = rigproof_good("generate", "--list", "--rule", "skins-one-joint,nodes-t*");
    assert_int_equal(count_lines(list->out), 3);
    rigproof_good("generate", "--rule", "none", "--seed", "1", "--count", "1", "-o", "plain");
    assert_true(exists("plain/random-1-1.gltf"));
}

SCRATCH_TEST(a_seed_is_a_seed)
{
    rigproof_good("generate", "--seed", "4", "--count", "2", "--glb", "-o", "a");
    rigproof_good("generate", "--seed", "4", "--count", "2", "--glb", "-o", "b");
    rigproof_good("generate", "--seed", "5", "--count", "2", "--glb", "-o", "c");
    assert_same_files("a/random-4-2.glb", "b/random-4-2.glb");
    assert_same_files("a/random-4-2.truth.json", "b/random-4-2.truth.json");
    assert_false(files_equal("a/random-4-2.glb", "c/random-5-2.glb"));
}

SCRATCH_TEST(wrong_options_are_one_line)
{
    rigproof_fails(2, "generate");
    rigproof_fails(2, "generate", "--rule", "nothing-*", "-o", "rigs");
    rigproof_fails(2, "generate", "--rule", "skins-*,nothing-*", "--seed", "1", "-o", "rigs");
    rigproof_fails(2, "generate", "--seed", "-1", "-o", "rigs");
    spill("file", "");
    rigproof_fails(2, "generate", "-o", "file/below");
}

/* rigproof itself agrees with the truth; a truth that is another file's does not fit. */
SCRATCH_TEST(a_program_is_held_against_the_truth)
{
    rigproof_good("generate", "--rule", "samplers-step-*", "-o", "rigs");
    const char *self = "'" RIGPROOF_BINARY "' subject";
    rigproof_good("check", "rigs/suite.yaml", "--subject", self, "-o", "good", "--pictures", "none");
    rigproof_good("generate", "--rule", "samplers-slerp-90", "-o", "other");
    char *truth = slurp("other/samplers-slerp-90.truth.json", NULL);
    spill("rigs/samplers-step-rotation.truth.json", truth);
    const struct outcome *bad =
        run_gives(1, rigproof("check", "rigs/suite.yaml", "--subject", self, "-o", "bad", "--pictures", "none", NULL));
    assert_contains(bad->out, "there is no pose at 0.200 s");
    spill("rigs/samplers-step-rotation.truth.json", "{\"format\": \"rigproof.truth/2\"}");
    bad = rigproof_gives(1, "check", "rigs/suite.yaml", "--subject", self, "-o", "bad", "--pictures", "none");
    assert_contains(bad->out, "not a file of rigproof.truth/1");
}
