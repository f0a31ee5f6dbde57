#define _XOPEN_SOURCE 700 /* symlink */

/* Paths as text. */
#include "cmocka_setup.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file/path.h"
#include "run_binary.h"

static void paths_are_joined(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *name, *joined;
    } cases[] = {
        {"", "a.png", "a.png"},          {".", "a.png", "a.png"},
        {"out", "a.png", "out/a.png"},   {"out/", "./a.png", "out/a.png"},
        {"out", "../golden/a", "golden/a"}, {"out", "../../golden/a", "../golden/a"},
        {"..", "../a", "../../a"},       {"a/b", "../../..", ".."},
        {"/out", "a", "/out/a"},         {"/out", "../../a", "/a"},
        {"/", "a", "/a"},                {"out", "/a/b", "/a/b"},
        {"out//x", "a//b/", "out/x/a/b"}, {"out", "..", "."},
        {"out", "", "out"},              {"a..", "..b/...", "a../..b/..."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = {0};
        text_add(&text, "x:");
        path_join(cases[i].folder, cases[i].name, &text);
        assert_string_equal(text_string(&text) + 2, cases[i].joined);
        text_release(&text);
    }
    static const char *const folders[][2] = {
        {"a.json", "."}, {"a/b.json", "a"}, {"/a.json", "/"}, {"../a/b/c", "../a/b"}};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        struct text text = {0};
        path_folder(folders[i][0], &text);
        assert_string_equal(text_string(&text), folders[i][1]);
        text_release(&text);
    }
}

static void absolute_paths_lead_to_each_other(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"/a/b", "/a/b", "."},   {"/a/b", "/a/bc/d", "../bc/d"}, {"/a/bc", "/a/b", "../b"}, {"/", "/a", "a"},
        {"/a/b", "/", "../.."},  {"/a", "/a/b/c.png", "b/c.png"}, {"/x/y", "/a/b", "../../a/b"}, {"/", "/", "."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = {0};
        path_relative(cases[i][0], cases[i][1], &text);
        assert_string_equal(text_string(&text), cases[i][2]);
        text_release(&text);
    }
}

static void leads(const char *from, const char *to, const char *expected)
{
    struct text text = {0};
    struct error err = {0};
    if (!path_between(from, to, &text, &err))
        fail_msg("%s", err.text);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void folders_lead_to_folders(void **state)
{
    (void)state;
    assert_int_equal(mkdir("a", 0777) + mkdir("a/b", 0777) + mkdir("ab", 0777) + symlink("a/b", "link"), 0);
    leads("a", "a", ".");
    leads("a", "a/b", "b");
    leads("a/b", "a", "..");
    leads("a/b", "ab", "../../ab");
    leads("a", "ab", "../ab"); /* "a" is no part of "ab" */
    leads(".", "a/b", "a/b");
    leads("link", "ab", "../../ab");
    leads("ab", "link", "../a/b");
    leads("/tmp", "/", "..");
    leads("/", "/tmp", "tmp");
    leads("/", "/", ".");
    struct text text = {0};
    struct error err = {0};
    spill("file", "x");
    assert_false(path_between(".", "nowhere", &text, &err));
    assert_contains(err.text, "cannot open the folder nowhere: ");
    err = (struct error){0};
    assert_false(path_between("file", ".", &text, &err));
    assert_string_equal(err.text, "file is no folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_joined),
        scratch_test(folders_lead_to_folders),
        cmocka_unit_test(absolute_paths_lead_to_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
