/* A commit may have put these where they are, as git itself writes its index. */

#include "base/file/git_index.h"
#include "run_binary.h"

static bool git(const char *commands)
{
    char script[1024];
    snprintf(script, sizeof script, "exec >log 2>&1; set -e; export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b "
                                    "GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; %s", commands);
    return system(script) == 0;
}

static int enter(void **state)
{
    int failed = scratch_enter(state);
    if (!git("git --version")) {
        print_message("skipped: no git\n");
        return failed;
    }
    assert_true(git("git init -q r; cd r; mkdir -p a/b .cache build scripts; touch a/b/one a/two .cache-not scripts/build .cache/mine build/x; "
                    "git add a .cache-not scripts"));
    return failed;
}

static bool is_alone(const char *root, const char *below)
{
    struct error err = {0};
    bool good = git_leaves_alone(root, below, &err);
    assert_int_equal(good, !error_is_set(&err));
    return good;
}

static void require_rows(const char *root)
{
    static const struct {
        const char *below;
        bool is_alone;
    } rows[] = {{"a", false}, {"a/b", false}, {"a/b/one", false}, {"a/c", true}, {"a/t", true}, {".cache", true}, {".cache/new", true},
                {"build", true}, {"scripts/build", false}, {"", false}, {".cache-not", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_alone(root, rows[i].below) != rows[i].is_alone)
            fail_msg("%s: `%s`", root, rows[i].below);
}

TEST_WITH(as_git_writes_it, enter, scratch_leave)
{
    if (!exists("r"))
        return;
    require_rows("r");
    assert_true(git("cd r; git commit -qm 1; git add -N .cache/mine; git update-index --skip-worktree a/two")); /* version 3 */
    assert_false(is_alone("r", ".cache"));
    assert_true(git("cd r; git rm -q --cached .cache/mine; git worktree add -q ../w")); /* .git is a file */
    require_rows("w");
    if (git("git init -q --object-format=sha256 s; cd s; cp -r ../r/a ../r/.cache-not ../r/scripts .; git add a .cache-not scripts"))
        require_rows("s");
    assert_true(git("git init -q sub; cd sub; touch x; git add x; git commit -qm 1; cd ../r; git -c protocol.file.allow=always submodule -q add ../sub deep/sub"));
    assert_false(is_alone("r", "deep/sub/cache")); /* what is in a submodule is a commit's, too */
    assert_true(is_alone("r", "deep/other"));
}

TEST_WITH(what_cannot_be_told_is_refused, enter, scratch_leave)
{
    static const char *const breaks[] = {"cd r; git update-index --index-version 4", "cd r; git update-index --split-index; git add build",
                                         "truncate -s 100 r/.git/index", "truncate -s 1 r/.git/index",
                                         "printf DIRC >r/.git/index; head -c 500 /dev/zero | tr '\\0' x >>r/.git/index"};
    for (size_t i = 0; exists("r/.git/index") && i < sizeof breaks / sizeof *breaks; i++) {
        assert_true(git("cp r/.git/index saved"));
        assert_true(git(breaks[i]));
        if (is_alone("r", ".cache"))
            fail_msg("%s", breaks[i]);
        assert_true(git("cp saved r/.git/index"));
    }
    assert_int_equal(system("mkdir -p new/.git"), 0); /* nothing was added yet */
    assert_true(is_alone("new", ""));
}
