/* A suite reaches what is in its repository and nothing else, whatever links say. */

#include <limits.h>

#include "base/file/file.h"
#include "base/text.h"
#include "run_binary.h"
#include "suite/suite_file.h"

/* outside.glb, repo/.git, repo/models/m.glb, repo/tests/suite.yaml and repo/tests/near.glb */
BEFORE_EACH
{
    bool good = file_make_parent("repo/.git/x", ANY_ERROR) && file_make_parent("repo/models/x", ANY_ERROR) &&
                file_make_parent("repo/tests/x", ANY_ERROR);
    spill("outside.glb", "");
    spill("repo/models/m.glb", "");
    spill("repo/tests/near.glb", "");
    assert_true(good);
}

static char here[PATH_MAX];

static const char *scratch(void)
{
    assert_non_null(realpath(".", here));
    return here;
}

static struct suite *read_case(const char *path, bool allow_outside, const char *keys, struct error *err)
{
    SCOPED(text) content = {0};
    text_addf(&content, "version: 1\n%s\n", keys);
    spill(path, content.data);
    return suite_read(path, allow_outside, err);
}

static void takes(const char *path, bool allow_outside, const char *keys, const char *model_path, const char *goldens)
{
    READ_SUITE *suite = assert_good(read_case(path, allow_outside, keys, err));
    assert_string_equal(suite->cases[0].model_path, model_path);
    assert_string_equal(suite->goldens, goldens);
}

/* The message, with the scratch folder written as HERE. */
static void refuses(const char *path, const char *keys, const char *message)
{
    struct error err = {0};
    struct suite *suite = read_case(path, false, keys, &err);
    assert_null(suite);
    SCOPED(text) text = {0};
    const char *folder = scratch(), *at = strstr(err.text, folder);
    text_addf(&text, "%.*s%s%s", at ? (int)(at - err.text) : 1024, err.text, at ? "HERE" : "",
              at ? at + strlen(folder) : "");
    assert_string_equal(text_string(&text), message);
}

#define CASE(model) "cases: [{name: a, model: " model "}]"

SCRATCH_TEST(paths_are_seen_from_the_suite)
{
    const char *suite = "repo/tests/suite.yaml";
    takes(suite, false, CASE("near.glb"), "repo/tests/near.glb", "repo/tests");
    takes(suite, false, CASE("../models/m.glb"), "repo/models/m.glb", "repo/tests");
    takes(suite, false, "goldens: ../golden//\n" CASE("./near.glb"), "repo/tests/near.glb", "repo/tests/../golden");
    takes(suite, false, "goldens: not/yet\n" CASE("near.glb"), "repo/tests/near.glb", "repo/tests/not/yet");
    assert_int_equal(chdir("repo/tests"), 0);
    takes("suite.yaml", false, "goldens: ../golden\n" CASE("../models/m.glb"), "../models/m.glb", "../golden");
    takes("../tests/suite.yaml", false, CASE("near.glb"), "../tests/near.glb", "../tests");
    assert_int_equal(chdir("../.."), 0);
    char absolute[2 * PATH_MAX], keys[2 * PATH_MAX];
    snprintf(absolute, sizeof absolute, "%s/repo/models/m.glb", scratch());
    snprintf(keys, sizeof keys, "cases: [{name: a, model: %s}]", absolute);
    takes(suite, false, keys, absolute, "repo/tests");
}

#define OUTSIDE_REPO " is outside of HERE/repo, the suite's repository; --allow-outside permits it"

SCRATCH_TEST(nothing_outside_is_opened)
{
    const char *suite = "repo/tests/suite.yaml";
    refuses(suite, CASE("../../outside.glb"), "repo/tests/suite.yaml:2:26: model: `../../outside.glb`" OUTSIDE_REPO);
    refuses(suite, CASE("/etc/passwd"), "repo/tests/suite.yaml:2:26: model: `/etc/passwd`" OUTSIDE_REPO);
    assert_int_equal(mkdir("repo2", 0777), 0); /* beside is not inside */
    spill("repo2/m.glb", "");
    refuses(suite, CASE("../../repo2/m.glb"), "repo/tests/suite.yaml:2:26: model: `../../repo2/m.glb`" OUTSIDE_REPO);
    refuses(suite, "cases:\n- {name: a, model: near.glb, clips-from: [near.glb, ../../outside.glb]}",
            "repo/tests/suite.yaml:3:53: clips-from: `../../outside.glb`" OUTSIDE_REPO);
    refuses(suite, "goldens: ../../golden\n" CASE("near.glb"),
            "repo/tests/suite.yaml:2:10: goldens: `../../golden`" OUTSIDE_REPO);
    refuses(suite, "goldens: /tmp\n" CASE("near.glb"), "repo/tests/suite.yaml:2:10: goldens: `/tmp`" OUTSIDE_REPO);
    takes(suite, true, "goldens: ../../golden\n" CASE("../../outside.glb"), "outside.glb",
          "repo/tests/../../golden");
}

SCRATCH_TEST(links_are_resolved)
{
    const char *suite = "repo/tests/suite.yaml";
    assert_int_equal(symlink("../../outside.glb", "repo/tests/out.glb"), 0);
    assert_int_equal(symlink("../models", "repo/tests/in"), 0);
    assert_int_equal(symlink("../..", "repo/tests/up"), 0);
    assert_int_equal(symlink("../../later", "repo/tests/dangling"), 0);
    refuses(suite, CASE("out.glb"), "repo/tests/suite.yaml:2:26: model: `out.glb`" OUTSIDE_REPO);
    refuses(suite, CASE("up/outside.glb"), "repo/tests/suite.yaml:2:26: model: `up/outside.glb`" OUTSIDE_REPO);
    takes(suite, false, CASE("in/m.glb"), "repo/tests/in/m.glb", "repo/tests");
    takes(suite, false, CASE("in/../models/m.glb"), "repo/tests/in/../models/m.glb", "repo/tests"); /* not in tests */
    takes(suite, false, "goldens: in/new\n" CASE("near.glb"), "repo/tests/near.glb", "repo/tests/in/new");
    refuses(suite, "goldens: up/golden\n" CASE("near.glb"),
            "repo/tests/suite.yaml:2:10: goldens: `up/golden`" OUTSIDE_REPO);
    refuses(suite, "goldens: dangling\n" CASE("near.glb"),
            "repo/tests/suite.yaml:2:10: goldens: `repo/tests/dangling` is a link that leads nowhere");
    refuses(suite, "goldens: dangling/a/b\n" CASE("near.glb"),
            "repo/tests/suite.yaml:2:10: goldens: `repo/tests/dangling` is a link that leads nowhere");
    refuses(
        suite, "goldens: new/../../../x\n" CASE("near.glb"),
        "repo/tests/suite.yaml:2:10: goldens: `repo/tests/new/../../../x` leads up from a folder that does not exist");
}

/* The suite may itself be a link: what counts is where it stands. */
SCRATCH_TEST(a_linked_suite_stands_where_its_link_is)
{
    spill("real.yaml", "version: 1\n" CASE("near.glb") "\n");
    assert_int_equal(symlink("../../real.yaml", "repo/tests/link.yaml"), 0);
    READ_SUITE *suite = assert_good(suite_read("repo/tests/link.yaml", false, err));
    assert_string_equal(suite->cases[0].model_path, "repo/tests/near.glb");
}

/* As in an unpacked archive: where one stands counts if the suite is below it, else the suite's own folder. */
SCRATCH_TEST(without_a_repository_the_folder_counts)
{
    const char *suite = "repo/tests/suite.yaml";
    assert_int_equal(rmdir("repo/.git"), 0);
    takes(suite, false, CASE("near.glb"), "repo/tests/near.glb", "repo/tests");
    takes(suite, false, CASE("../models/m.glb"), "repo/models/m.glb", "repo/tests");
    refuses(suite, CASE("/etc/passwd"),
            "repo/tests/suite.yaml:2:26: model: `/etc/passwd` is outside of HERE, the working directory (no .git is above "
            "the suite); --allow-outside permits it");
    assert_int_equal(chdir("repo/models"), 0);
    takes("../tests/suite.yaml", false, CASE("near.glb"), "../tests/near.glb", "../tests");
    assert_refused(read_case("../tests/suite.yaml", false, CASE("../models/m.glb"), err),
                   "repo/tests, the suite's folder (no .git is above it); --allow-outside permits it");
    assert_int_equal(chdir("../.."), 0);
    spill("repo/.git", "gitdir: elsewhere\n"); /* a worktree's is a file */
    takes(suite, false, CASE("../models/m.glb"), "repo/models/m.glb", "repo/tests");
    spill("repo/tests/.git", "");
    refuses(
        suite, CASE("../models/m.glb"),
        "repo/tests/suite.yaml:2:26: model: `../models/m.glb` is outside of HERE/repo/tests, the suite's repository; "
        "--allow-outside permits it");
}

static void cannot_run(const char *path, const char *keys, const char *problem)
{
    READ_SUITE *suite = assert_good(read_case(path, false, keys, err));
    assert_string_equal(suite->cases[0].problem, problem);
}

SCRATCH_TEST(what_is_no_file_is_the_cases_problem)
{
    const char *suite = "repo/tests/suite.yaml";
    assert_int_equal(mkfifo("repo/tests/pipe", 0666), 0);
    cannot_run(suite, CASE("nothing.glb"),
            "repo/tests/suite.yaml:2:26: model: there is no file `nothing.glb` (seen from the suite's folder)");
    cannot_run(suite, CASE("."), "repo/tests/suite.yaml:2:26: model: `.` is not a file that can be read");
    cannot_run(suite, CASE("pipe"), "repo/tests/suite.yaml:2:26: model: `pipe` is not a file that can be read");
    cannot_run(suite, CASE("near.glb/x"), "repo/tests/suite.yaml:2:26: model: `near.glb/x`: Not a directory");
    refuses(suite, CASE("[near.glb]"), "repo/tests/suite.yaml:2:26: model: expected one value, found a list");
    refuses(suite, "goldens: near.glb\n" CASE("near.glb"),
            "repo/tests/suite.yaml:2:10: goldens: `near.glb` is not a folder");
    SCOPED(text) keys = {0};
    text_add(&keys, "goldens: ");
    for (int i = 0; i < 1000; i++)
        text_add(&keys, "long/");
    text_add(&keys, "\n" CASE("near.glb"));
    refuses(suite, keys.data, "repo/tests/suite.yaml:2:10: goldens: the path is too long");
    refuses(suite, "goldens: near.glb/x\n" CASE("near.glb"),
            "repo/tests/suite.yaml:2:10: goldens: `repo/tests/near.glb/x`: Not a directory");
}
