/* docs/formats.md describes the suite file as it is read. */

#include "base/file/file.h"
#include "run_binary.h"
#include "suite/suite_file.h"

static const char *const own_keys[] = {"version", "goldens",   "defaults", "cases",  "name",   "model",
                                       "clips", "tags",    "tolerance", "expect",   "skip",   "reason", "agrees_with",
                                       "allow",   "timeout",   "assimp",   "import", "shell",  "skin",
                                       "agree",   "pixels",    "case",     "unit",   "up"};

/* The section on suites, cut out. */
static char *section(void)
{
    char *begin = strstr(slurp(FIXTURES "/../docs/formats.md", NULL), "\n## Suite file\n");
    assert_non_null(begin);
    char *end = strstr(begin + 4, "\n## ");
    if (end)
        *end = '\0';
    return begin;
}

SCRATCH_TEST(every_key_is_described)
{
    const char *text = section();
    char row[64];
    for (size_t i = 0; i < sizeof own_keys / sizeof own_keys[0]; i++) {
        snprintf(row, sizeof row, "\n| `%s` | ", own_keys[i]);
        assert_contains(text, row);
    }
    for (size_t i = 0; i < setting_count; i++) {
        bool refused = strcmp(setting_table[i].name, "backend") == 0 || strcmp(setting_table[i].name, "sheet") == 0;
        snprintf(row, sizeof row, refused ? "`%s`" : "\n| `%s` | ", setting_table[i].name);
        assert_contains(text, row);
    }
}

SCRATCH_TEST(the_example_is_read)
{
    struct error err = {0};
    char *example = strstr(section(), "```yaml\n");
    assert_non_null(example);
    example += strlen("```yaml\n");
    *strstr(example, "```") = '\0';
    assert_true(file_make_parent(".git/x", &err) && file_make_parent("golden/x", &err) &&
                file_make_parent("fixtures/walker/x", &err) && file_make_parent("fixtures/broken/x", &err));
    spill("fixtures/walker/walker.glb", "");
    spill("fixtures/walker/walker.fbx", "");
    spill("fixtures/broken/cyclic-nodes.gltf", "");
    spill("golden/suite.yaml", example);
    READ_SUITE *suite = suite_read("golden/suite.yaml", false, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(suite->case_count, 6);
    assert_int_equal(suite->cases[1].settings.time_choice, TIMES_AUTO);
    assert_true(suite->cases[1].settings.orbit.yaw == -140 && suite->cases[1].settings.orbit.pitch == 10);
    assert_int_equal(suite->cases[2].settings.time_count, 25);
    assert_int_equal(suite->cases[3].settings.time_count, 3);
}
