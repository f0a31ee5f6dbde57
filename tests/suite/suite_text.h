#pragma once

#include "run_binary.h"
#include "suite/suite_file.h"

/* Suites as texts, read from suite.yaml in the scratch folder. */

/* A scratch folder with models that a suite may name; nothing looks into them. */
static inline int enter_with_models(void **state)
{
    if (scratch_enter(state) != 0)
        return -1;
    spill("m.glb", "");
    spill("a.glb", "");
    spill("b.glb", "");
    if (mkdir("glsl", 0777) != 0)
        return -1;
    return 0;
}

#define SUITE_TEST(name) TEST_WITH(name, enter_with_models, scratch_leave)

static inline struct suite *read_good(const char *content)
{
    struct error err = {0};
    spill("suite.yaml", content);
    struct suite *suite = suite_read("suite.yaml", false, &err);
    if (!suite)
        fail_msg("%s\n%s", err.text, content);
    return suite;
}

/* Reading must fail with this and no other message. */
static inline void read_fails(const char *content, const char *message)
{
    struct error err = {0};
    spill("suite.yaml", content);
    struct suite *suite = suite_read("suite.yaml", false, &err);
    if (suite)
        fail_msg("was taken:\n%s", content);
    if (strcmp(err.text, message) != 0)
        fail_msg("says: %s\nnot:  %s\nof:\n%s", err.text, message, content);
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
}

/* Reading must be good, and the last case must have this problem and the others none. */
static inline void last_case_cannot_run(const char *content, const char *problem)
{
    struct suite *suite = read_good(content);
    for (size_t i = 0; i < suite->case_count; i++)
        if (i + 1 < suite->case_count)
            assert_null(suite->cases[i].problem);
        else if (!suite->cases[i].problem || strcmp(suite->cases[i].problem, problem) != 0)
            fail_msg("says: %s\nnot:  %s\nof:\n%s", suite->cases[i].problem ? suite->cases[i].problem : "nothing", problem,
                     content);
    suite_free(suite);
}

/* One case with these keys, which begin on line 5 in column 3. */
#define ONE_CASE "version: 1\ncases:\n- name: a\n  model: m.glb\n"
