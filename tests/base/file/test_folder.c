/* Folders that two runs share, and that are listed; paths as text. */

#include <signal.h>
#include <sys/wait.h>

#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/text.h"
#include "run_binary.h"

SCRATCH_TEST(folders_are_made_with_their_parents)
{
    assert_true(folder_make("a/b/c", ANY_ERROR));
    assert_true(exists("a/b/c"));
    assert_true(folder_make("a/b/c", ANY_ERROR));
    assert_true(folder_make("a/b/d/", ANY_ERROR));
    assert_true(exists("a/b/d"));
    assert_true(folder_make(".", ANY_ERROR));
    assert_int_equal(symlink("a", "link"), 0);
    assert_true(folder_make("link", ANY_ERROR));
    assert_true(folder_make("link/e", ANY_ERROR));
    assert_true(exists("a/e"));
}

SCRATCH_TEST(making_is_refused_in_words)
{
    static const char *const cases[][2] = {{"plain", "a file has that name"}, {"plain/a", "Not a directory"},
                                           {"broken", "No such file"}, {"", "No such file"}};
    spill("plain", "");
    assert_int_equal(symlink("nowhere", "broken"), 0);
    for (int i = 0; i < 4; i++)
        assert_refused(folder_make(cases[i][0], err), "cannot make the folder", cases[i][1]);
    assert_string_equal(scratch_listing(), "broken plain");
}

SCRATCH_TEST(folders_are_located_whether_there_or_not)
{
    static const char *const cases[][2] = {
        {"", ""},           {".", ""},                 {"there", "there"},         {"./there//", "there"},
        {"new", "new"},     {"link/..", "there"},      {"link", "there/deep"},     {"link/../new", "there/new"},
        {"new/", "new"},    {"new/more/../x/", "new/x"}, {"dangling/x", "nowhere/x"},
        {"there/../link/new", "there/deep/new"},
    };
    char *here = keep(realpath(".", NULL));
    assert_int_equal(mkdir("there", 0777) + mkdir("there/deep", 0777), 0);
    assert_int_equal(symlink("there/deep", "link") + symlink("nowhere", "dangling"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SCOPED(text) text = {0};
        folder_locate(cases[i][0], &text);
        const char *below = folder_below(text_string(&text), here);
        assert_non_null(below);
        assert_string_equal(below, cases[i][1]);
    }
}

TEST(below_is_by_parts_of_the_path)
{
    assert_string_equal(folder_below("/a/b", "/a/b"), "");
    assert_string_equal(folder_below("/a/b/c/d", "/a/b"), "c/d");
    assert_string_equal(folder_below("/a", "/"), "a");
    assert_string_equal(folder_below("/", "/"), "");
    assert_null(folder_below("/a/bc", "/a/b"));
    assert_null(folder_below("/a", "/a/b"));
}

/* A process that holds the lock of `out` until it is killed. */
static pid_t start_holder(void)
{
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char held = folder_lock("out", ANY_ERROR) >= 0;
        if (write(ends[1], &held, 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(byte, 1);
    return pid;
}

SCRATCH_TEST(one_run_holds_a_folder)
{
    mkdir("out", 0777);
    mkdir("other", 0777);
    pid_t holder = start_holder();
    assert_refused_as(folder_lock("out", err) >= 0, "another run is writing into out; wait for it or use -o");
    int other = folder_lock("other", ANY_ERROR);
    assert_true(other >= 0);
    folder_unlock(other);
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
    struct error err = {0};
    int lock = folder_lock("out", &err); /* it went with the process */
    assert_true(lock >= 0);
    assert_int_equal(folder_lock("out", ANY_ERROR), -1);
    folder_unlock(lock);
    lock = folder_lock("out", &err);
    assert_true(lock >= 0);
    folder_unlock(lock);
    folder_unlock(-1);
    assert_false(error_is_set(&err));
}

/* A process that was forked meanwhile holds the same file open; it must not keep the lock. */
SCRATCH_TEST(unlocking_holds_for_forked_processes)
{
    mkdir("out", 0777);
    int lock = folder_lock("out", ANY_ERROR);
    pid_t forked = fork();
    while (forked == 0)
        pause();
    folder_unlock(lock);
    lock = folder_lock("out", ANY_ERROR);
    kill(forked, SIGKILL);
    waitpid(forked, NULL, 0);
    assert_true(lock >= 0);
    folder_unlock(lock);
}

SCRATCH_TEST(locking_is_refused_in_words)
{
    assert_refused_as(folder_lock("missing", err) >= 0, "cannot make missing/.lock: No such file or directory");
    mkdir("out", 0777);
    assert_int_equal(symlink("../precious", "out/.lock"), 0);
    assert_refused(folder_lock("out", err) >= 0, "cannot make out/.lock");
    assert_false(exists("precious"));
}

static void assert_names(const char *path, enum folder_kind kind, const char *expected)
{
    struct folder_names names;
    SCOPED(text) line = {0};
    assert_true(folder_list(path, kind, &names, ANY_ERROR));
    for (size_t i = 0; i < names.count; i++)
        text_addf(&line, "%s%s", i ? " " : "", names.names[i]);
    assert_string_equal(text_string(&line), expected);
    folder_names_release(&names);
    assert_int_equal(names.count, 0);
}

SCRATCH_TEST(names_are_sorted_by_kind)
{
    static const char *const files[] = {"in/b", "in/B", "in/a", "in/10", "in/9", "in/c.png", "in/\xc3\xa4", "in/.lock"};
    static const char *const folders[] = {"in/folder", "in/Another", "in/.git"};
    struct folder_names names;
    mkdir("in", 0777);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        spill(files[i], "");
    for (int i = 0; i < 3; i++)
        mkdir(folders[i], 0777);
    mkfifo("in/pipe", 0666);
    assert_int_equal(symlink("folder", "in/to-folder") + symlink("a", "in/to-file"), 0);
    assert_int_equal(symlink("nowhere", "in/broken"), 0);
    assert_names("in", FOLDER_FILES, "10 9 B a b c.png to-file \xc3\xa4");
    assert_names("in", FOLDER_FOLDERS, "Another folder to-folder");
    assert_names("in/folder", FOLDER_FILES, "");
    assert_names("missing", FOLDER_FILES, "");
    assert_names("missing/too", FOLDER_FOLDERS, "");
    assert_refused_as(folder_list("in/a", FOLDER_FILES, &names, err), "cannot read the folder in/a: Not a directory");
    folder_names_release(&names);
}

TEST(paths_are_joined)
{
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
        SCOPED(text) text = {0};
        text_add(&text, "x:");
        path_join(cases[i].folder, cases[i].name, &text);
        assert_string_equal(text_string(&text) + 2, cases[i].joined);
    }
    static const char *const folders[][2] = {
        {"a.json", "."}, {"a/b.json", "a"}, {"/a.json", "/"}, {"../a/b/c", "../a/b"}};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        assert_writes(path_folder(folders[i][0], out), folders[i][1]);
}

TEST(absolute_paths_lead_to_each_other)
{
    static const char *const cases[][3] = {
        {"/a/b", "/a/b", "."},   {"/a/b", "/a/bc/d", "../bc/d"}, {"/a/bc", "/a/b", "../b"}, {"/", "/a", "a"},
        {"/a/b", "/", "../.."},  {"/a", "/a/b/c.png", "b/c.png"}, {"/x/y", "/a/b", "../../a/b"}, {"/", "/", "."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_writes(path_relative(cases[i][0], cases[i][1], out), cases[i][2]);
}

static void leads(const char *from, const char *to, const char *expected)
{
    assert_writes(assert_good(path_between(from, to, out, err)), expected);
}

SCRATCH_TEST(folders_lead_to_folders)
{
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
    spill("file", "x");
    assert_refused(path_between(".", "nowhere", &text, err), "cannot open the folder nowhere: ");
    assert_refused_as(path_between("file", ".", &text, err), "file is not a folder");
}

/* As bash has them with globstar and without dotglob. */
SCRATCH_TEST(patterns_mean_files)
{
    static const char *const files[] = {"m/a.glb", "m/b.fbx", "m/.c.glb", "m/in/a.glb", "m/in/deep/d.glb", "m/.git/e.glb", "top.glb"};
    static const char *const cases[][2] = {
        {"*.glb", "top.glb"}, {"m/*", "m/a.glb m/b.fbx"}, {"m/?.g[kl]b", "m/a.glb"}, {"*/a.*", "m/a.glb"},
        {"m/**", "m/a.glb m/b.fbx m/in/a.glb m/in/deep/d.glb"}, {"**/a.glb", "m/a.glb m/in/a.glb"}, {"**/**/top.glb", "top.glb"},
        {"m/**/deep/*.glb", "m/in/deep/d.glb"}, {"m/loop/**/a.glb", "m/loop/a.glb m/loop/in/a.glb"}, {"./m/*.fbx", "./m/b.fbx"},
        {"m/in/../*.fbx", "m/in/../b.fbx"}, {"none/*", ""}, {"top.glb/*", NULL}, {"m/a.glb", "m/a.glb"}, {"m", ""}, {"", ""},
    };
    mkdir("m", 0777);
    mkdir("m/in", 0777);
    mkdir("m/in/deep", 0777);
    mkdir("m/.git", 0777);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        spill(files[i], "");
    assert_int_equal(symlink(".", "m/loop"), 0); /* `**` would not end in it */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct folder_names names;
        SCOPED(text) all = {0};
        bool good = folder_glob(".", cases[i][0], &names, ANY_ERROR);
        assert_true(good == (cases[i][1] != NULL));
        for (size_t k = 0; k < names.count; k++)
            text_addf(&all, "%s%s", k ? " " : "", names.names[k]);
        if (good && strcmp(text_string(&all), cases[i][1]) != 0)
            fail_msg("%s means: %s", cases[i][0], text_string(&all));
        folder_names_release(&names);
    }
    struct folder_names names;
    assert_true(folder_glob("m/in", "*/*.glb", &names, ANY_ERROR)); /* seen from there */
    assert_string_equal(names.names[0], "deep/d.glb");
    folder_names_release(&names);
    char *absolute = keep(realpath("m", NULL));
    SCOPED(text) pattern = {0};
    text_addf(&pattern, "%s/*.fbx", absolute);
    assert_true(folder_glob("m", text_string(&pattern), &names, ANY_ERROR));
    assert_int_equal(names.count, 1);
    assert_contains(names.names[0], "/m/b.fbx");
    folder_names_release(&names);
}

SCRATCH_TEST(what_was_meant_is_suggested)
{
    static const char *const cases[][2] = {{"modls/fox.glb", "models/fox.glb"}, {"models/fx.glb", "models/fox.glb"}, {"modls/*.glb", "models/*.glb"},
                                           {"suit.yaml", "suite.yaml"},         {"models/x*.glb", ""},                {"models/fox.glb", ""},
                                           {"elsewhere/fox.glb", ""},           {"", ""}};
    mkdir("models", 0777);
    spill("models/fox.glb", "");
    spill("suite.yaml", "");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_writes(assert_int_equal(folder_suggest(cases[i][0], out), *cases[i][1] != '\0'), cases[i][1]);
}
