/*
 * The two suites of the project: golden/suite.yaml, which passes, and tests/must-fail/suite.yaml, which holds one case for
 * every status and every stage that is to be found.
 */
#include "cmocka_setup.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "run_binary.h"

#define ROOT FIXTURES "/.."

/* What must be found of a case of tests/must-fail. */
struct verdict {
    const char *name;
    const char *status;
    const char *stage;
    bool vacuous;
    const char *says; /* in the headline */
};

static const struct verdict verdicts[] = {
    {"fail-import", "fail", "import", false, "node `ribbon` is gone"},
    {"fail-animate", "fail", "animate", false, "local transform of `tip`"},
    {"fail-palette", "fail", "palette", false, "`tip`"},
    {"fail-draw", "fail", "draw", false, "of the foreground differs"},
    {"fail-skin", "fail", "skin", false, "the GPU puts vertex"},
    {"fail-other-motion", "fail", "skin", false, "skinned points"},
    {"fail-other-unit", "fail", "skin", false, "another unit?"},
    {"fail-blank", "fail", "draw", true, "blank"},
    {"fail-still", "fail", "animate", true, "does not move"},
    {"fail-unskinned", "fail", "import", true, "nothing is skinned"},
    {"missing", "missing", "none", false, "no golden"},
    {"error-truncated", "error", "import", false, "truncated.glb"},
    {"error-not-finite", "error", "import", false, "not a sensible number"},
    {"error-no-such-clip", "error", "none", false, "no clip `run`"},
    {"timeout", "timeout", "none", false, "0.001 s"},
    {"xfail", "xfail", "animate", false, ""},
    {"xfail-error", "xfail", "import", false, ""},
    {"unexpected-pass", "unexpected-pass", "none", false, "take `expect: fail` out"},
    {"skip", "skip", "none", false, ""},
};
enum { VERDICTS = sizeof verdicts / sizeof verdicts[0] };

static const char *member(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static json_t *results(void)
{
    size_t size;
    const char *text = slurp("out/results.json", &size);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    assert_string_equal(member(root, "format"), "rigproof.results/1");
    return root;
}

/* The goldens say what one version of Assimp makes of the fixtures; others name and split things otherwise. */
static bool is_recorded_importer(const json_t *root)
{
    size_t size;
    const char *text = slurp(ROOT "/golden/walker-walk/recorded.json", &size);
    json_t *recorded = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(recorded);
    const char *was = member(json_object_get(recorded, "fingerprint"), "assimp");
    const char *now = member(json_object_get(root, "fingerprint"), "assimp");
    bool same = strcmp(was, now) == 0;
    if (!same)
        print_message("skipped: the goldens are of Assimp %s, this is %s\n", was, now);
    json_decref(recorded);
    return same;
}

static void own_suite_passes(void **state)
{
    (void)state;
    const struct outcome *outcome = rigproof("check", ROOT "/golden/suite.yaml", "-o", "out", "--allow-outside", NULL);
    json_t *root = results(), *cases = json_object_get(root, "cases"), *one;
    size_t i;
    assert_true(json_array_size(cases) >= 50);
    if (!is_recorded_importer(root)) {
        json_decref(root);
        return;
    }
    demand_status(outcome, 0, __FILE__, __LINE__);
    json_array_foreach(cases, i, one)
        if (strcmp(member(one, "status"), "pass") != 0 && strcmp(member(one, "status"), "drift") != 0)
            fail_msg("%s: %s", member(one, "name"), member(one, "status"));
    assert_int_equal(json_array_size(json_object_get(root, "obsolete")), 0);
    json_decref(root);
}

static void is_as_demanded(const json_t *one, const struct verdict *want)
{
    const char *headline = member(one, "headline");
    assert_string_equal(member(one, "name"), want->name);
    if (strcmp(member(one, "status"), want->status) != 0 || strcmp(member(one, "stage"), want->stage) != 0 ||
        json_is_true(json_object_get(one, "vacuous")) != want->vacuous || !strstr(headline, want->says))
        fail_msg("%s: %s, stage %s, %s: %s", want->name, member(one, "status"), member(one, "stage"),
                 json_is_true(json_object_get(one, "vacuous")) ? "vacuous" : "not vacuous", headline);
}

static void what_must_fail_fails_as_it_must(void **state)
{
    (void)state;
    const struct outcome *outcome =
        rigproof("check", ROOT "/tests/must-fail/suite.yaml", "-o", "out", "--allow-outside", NULL);
    demand_status(outcome, 1, __FILE__, __LINE__);
    json_t *root = results(), *cases = json_object_get(root, "cases");
    assert_int_equal(json_array_size(cases), VERDICTS);
    for (size_t i = 0; i < VERDICTS && is_recorded_importer(root); i++)
        is_as_demanded(json_array_get(cases, i), &verdicts[i]);
    json_decref(root);
}

/* The golden folders of both suites after a check are what they were before. */
static void check_writes_no_golden(void **state)
{
    (void)state;
    size_t before_size, after_size;
    const char *path = ROOT "/tests/must-fail/golden/fail-draw/recorded.json";
    const char *before = slurp(path, &before_size);
    rigproof("check", ROOT "/tests/must-fail/suite.yaml", "-o", "out", "--allow-outside", "--filter", "fail-draw",
             "--filter", "missing", NULL);
    const char *after = slurp(path, &after_size);
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, before_size);
    assert_false(exists(ROOT "/tests/must-fail/golden/missing"));
    assert_true(exists("out/missing/import.json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(own_suite_passes),
        scratch_test(what_must_fail_fails_as_it_must),
        scratch_test(check_writes_no_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
