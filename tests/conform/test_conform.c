/* The scorecard: what it counts, what --expect knows, what its files say. */

#include <jansson.h>

#include "run_binary.h"

/* A subject whose clips play half as fast, whatever Assimp is there. */
#define SLOW "'" RIGPROOF_BINARY "' subject --influences all --rate 0.5"

/* Reads conform.json, which `root` is released by. */
static json_t *first_program(const struct outcome *outcome, json_t **root_out)
{
    json_t *root = *root_out = read_json(outcome->out, outcome->out_size);
    assert_string_equal(json_string_value(json_object_get(root, "format")), "rigproof.conform/1");
    return json_array_get(json_object_get(root, "programs"), 0);
}

static const json_t *find_rig(const json_t *program, const char *name)
{
    size_t i;
    json_t *rig;
    json_array_foreach(json_object_get(program, "rigs"), i, rig)
        if (strcmp(json_string_value(json_object_get(rig, "rig")), name) == 0)
            return rig;
    fail_msg("no rig %s", name);
    return NULL;
}

SCRATCH_TEST(rigproof_itself_is_right)
{
    json_t *root;
    const json_t *program = first_program(rigproof_good("conform", "rigproof", "--rule", "samplers-c*", "--rule", "skins-one-*",
                                                        "--random", "3", "--json", "-o", "out"), &root);
    assert_int_equal(json_integer_value(json_object_get(program, "passes")), 11);
    assert_int_equal(json_integer_value(json_object_get(program, "fails")), 0);
    json_decref(root);
    assert_true(exists("out/conform.html") && exists("out/conform.json") && exists("out/rigproof/junit.xml"));
}

SCRATCH_TEST(what_a_program_gets_wrong_is_found)
{
    const struct outcome *outcome = rigproof_gives(1, "conform", SLOW, "--rule", "samplers-cubic-t*", "--rule",
                                                   "nodes-rest-pose", "--json", "-o", "out");
    json_t *root;
    const json_t *program = first_program(outcome, &root), *rig = find_rig(program, "samplers-cubic-translation");
    assert_string_equal(json_string_value(json_object_get(rig, "status")), "fail");
    assert_string_equal(json_string_value(json_object_get(rig, "stage")), "animate");
    assert_true(json_array_size(json_object_get(rig, "causes")) > 0);
    assert_contains(json_string_value(json_object_get(rig, "verdict")), "of the model's radius: time-scale");
    assert_string_equal(json_string_value(json_object_get(find_rig(program, "nodes-rest-pose"), "status")), "pass");
    json_decref(root);
    const char *page = slurp("out/conform.html", NULL);
    assert_contains(page, "\"rig\": \"samplers-cubic-translation\"");
    assert_contains(page, "<noscript><pre>rigproof"); /* the text, where scripts do not run */
    assert_null(strstr(page, "{{"));
}

SCRATCH_TEST(what_is_known_fails_nothing)
{
    rigproof_gives(1, "conform", SLOW, "--rule", "samplers-cubic-t*", "--write-expect", "known.txt", "-o", "out");
    const struct outcome *known = rigproof_good("conform", SLOW, "--rule", "samplers-cubic-t*", "--expect", "known.txt", "-o", "out");
    assert_contains(known->out, "all known");
    assert_contains(slurp("known.txt", NULL), "of the model's radius: time-scale");
    spill("all.txt", "# everything\nsamplers-*\n");
    const struct outcome *passes =
        rigproof_gives(1, "conform", "rigproof", "--rule", "samplers-cubic-t*", "--expect", "all.txt", "-o", "out");
    assert_contains(passes->out, "unexpected-pass");
}

SCRATCH_TEST(wrong_use_is_one_line)
{
    rigproof_fails(2, "conform");
    rigproof_fails(2, "conform", "rigproof", "--rule", "none", "-o", "out");
    rigproof_fails(2, "conform", "rigproof", "--rule", "skins-*,nothing-*", "--random", "1", "-o", "untouched");
    assert_false(exists("untouched"));
    rigproof_fails(2, "conform", "rigproof", "--expect", "not-there.txt", "-o", "out");
    spill("file", "");
    rigproof_fails(2, "conform", "rigproof", "-o", "file/below");
}
