/* Folders that two runs share, that are listed, and that are removed without reaching out of them. */
#define _GNU_SOURCE

#include "cmocka_setup.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/process.h"
#include "base/text.h"
#include "run_binary.h"

/* ---- making -------------------------------------------------------------------------------------------------- */

static void folders_are_made_with_their_parents(void **state)
{
    (void)state;
    struct error err = {0};
    assert_true(folder_make("a/b/c", &err));
    assert_true(exists("a/b/c"));
    assert_true(folder_make("a/b/c", &err));
    assert_true(folder_make("a/b/d/", &err));
    assert_true(exists("a/b/d"));
    assert_true(folder_make(".", &err));
    assert_int_equal(symlink("a", "link"), 0);
    assert_true(folder_make("link", &err));
    assert_true(folder_make("link/e", &err));
    assert_true(exists("a/e"));
}

static void refuses_to_make(const char *path, const char *why)
{
    struct error err = {0};
    assert_false(folder_make(path, &err));
    assert_contains(err.text, "cannot make the folder");
    assert_contains(err.text, why);
}

static void making_is_refused_in_words(void **state)
{
    (void)state;
    spill("plain", "");
    assert_int_equal(symlink("nowhere", "broken"), 0);
    refuses_to_make("plain", "a file has that name");
    refuses_to_make("plain/a", "Not a directory");
    refuses_to_make("broken", "No such file");
    refuses_to_make("", "No such file");
    assert_string_equal(scratch_listing(), "broken plain");
}

/* ---- the lock ------------------------------------------------------------------------------------------------ */

/* A process that holds the lock of `out` until it is killed. */
static pid_t start_holder(void)
{
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct error err = {0};
        char held = folder_lock("out", &err) >= 0;
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

static void one_run_holds_a_folder(void **state)
{
    (void)state;
    struct error err = {0};
    mkdir("out", 0777);
    mkdir("other", 0777);
    pid_t holder = start_holder();
    assert_int_equal(folder_lock("out", &err), -1);
    assert_string_equal(err.text, "another run is writing into out; wait for it or use -o");
    err = (struct error){0};
    int other = folder_lock("other", &err);
    assert_true(other >= 0);
    folder_unlock(other);
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
    int lock = folder_lock("out", &err); /* it went with the process */
    assert_true(lock >= 0);
    assert_int_equal(folder_lock("out", &err), -1);
    folder_unlock(lock);
    err = (struct error){0};
    lock = folder_lock("out", &err);
    assert_true(lock >= 0);
    folder_unlock(lock);
    folder_unlock(-1);
    assert_false(error_is_set(&err));
}

/* A process that was forked meanwhile holds the same file open; it must not keep the lock. */
static void unlocking_holds_for_forked_processes(void **state)
{
    (void)state;
    struct error err = {0};
    mkdir("out", 0777);
    int lock = folder_lock("out", &err);
    pid_t forked = fork();
    if (forked == 0)
        for (;;)
            pause();
    folder_unlock(lock);
    lock = folder_lock("out", &err);
    kill(forked, SIGKILL);
    waitpid(forked, NULL, 0);
    assert_true(lock >= 0);
    folder_unlock(lock);
}

static void locking_is_refused_in_words(void **state)
{
    (void)state;
    struct error err = {0};
    assert_int_equal(folder_lock("missing", &err), -1);
    assert_string_equal(err.text, "cannot make missing/.lock: No such file or directory");
    mkdir("out", 0777);
    assert_int_equal(symlink("../precious", "out/.lock"), 0);
    err = (struct error){0};
    assert_int_equal(folder_lock("out", &err), -1);
    assert_contains(err.text, "cannot make out/.lock");
    assert_false(exists("precious"));
}

/* ---- removing ------------------------------------------------------------------------------------------------ */

static void make_tree(void)
{
    mkdir("root", 0777);
    mkdir("root/case", 0777);
    mkdir("root/case/deep", 0777);
    mkdir("root/kept", 0777);
    mkdir("precious", 0777);
    spill("root/case/a.png", "");
    spill("root/case/.hidden", "");
    spill("root/case/deep/b.png", "");
    spill("root/kept/c.png", "");
    spill("precious/d.png", "");
    assert_int_equal(symlink("../../precious", "root/case/link"), 0);
    assert_int_equal(symlink("../../precious/d.png", "root/case/deep/file-link"), 0);
    assert_int_equal(symlink("../precious", "root/out"), 0);
    assert_int_equal(symlink("nowhere", "root/case/broken"), 0);
}

static void tree_is_removed_and_nothing_else(void **state)
{
    (void)state;
    struct error err = {0};
    struct stat st;
    make_tree();
    assert_true(folder_remove_tree("root", "case", &err));
    assert_int_equal(lstat("root/case", &st), -1);
    assert_true(exists("root/kept/c.png"));
    assert_true(exists("precious/d.png"));
    assert_true(folder_remove_tree("root", "out", &err)); /* the link, not what it leads to */
    assert_int_equal(lstat("root/out", &st), -1);
    assert_true(exists("precious/d.png"));
    assert_true(folder_remove_tree("root", "kept//c.png", &err));
    assert_false(exists("root/kept/c.png"));
    assert_true(folder_remove_tree("root", "kept/", &err));
    assert_false(exists("root/kept"));
    assert_true(folder_remove_tree("root", "kept", &err)); /* nothing there */
    assert_true(folder_remove_tree("root", "missing/kept", &err));
    assert_true(folder_remove_tree("missing", "kept", &err));
    assert_false(error_is_set(&err));
}

static void refuses_to_remove(const char *path, const char *why)
{
    struct error err = {0};
    if (folder_remove_tree("root", path, &err))
        fail_msg("`%s` was removed", path);
    assert_contains(err.text, "cannot remove");
    assert_contains(err.text, why);
}

static void what_is_outside_is_not_removed(void **state)
{
    (void)state;
    static const char *const outside[] = {"",          ".",           "/",          "..",       "./", "../precious",
                                          "case/../../precious", "case/..", "../root", "case/."};
    make_tree();
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        refuses_to_remove(outside[i], "not inside the folder root");
    char *absolute = realpath("precious", NULL);
    refuses_to_remove(absolute, "not inside the folder root");
    free(absolute);
    refuses_to_remove("out/d.png", "root/out/d.png"); /* through a link */
    refuses_to_remove("case/link/d.png", "root/case/link/d.png");
    refuses_to_remove("kept/c.png/x", "Not a directory");
    assert_true(exists("precious/d.png"));
    assert_true(exists("root/case/a.png"));
    assert_true(exists("root/kept/c.png"));
}

enum { MOUNT_SKIPPED = 77 };

/* With a disk in the tree, which nobody but this child sees. */
static int remove_around_mount(void *context)
{
    (void)context;
    struct error err = {0};
    mkdir("root", 0777);
    mkdir("root/disk", 0777);
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "root/disk", "tmpfs", 0, "size=64k") != 0)
        return MOUNT_SKIPPED;
    if (!file_write("root/disk/precious", "x", 1, &err))
        return 1;
    if (folder_remove_tree("root", "disk", &err) || !strstr(err.text, "cannot remove root/disk"))
        return 2;
    return file_exists("root/disk/precious") ? 0 : 3;
}

static void mounted_disk_is_not_removed(void **state)
{
    (void)state;
    struct child_result result = child_run(remove_around_mount, NULL, &(struct child_limits){.seconds = 20});
    assert_int_equal(result.end, CHILD_EXITED);
    if (result.status == MOUNT_SKIPPED) {
        print_message("skipped: only root can mount a disk\n");
        skip();
    }
    assert_int_equal(result.status, 0);
}

/* A tree too deep to be ours is refused, not followed until the stack or the descriptors end. */
static void very_deep_tree_is_refused(void **state)
{
    (void)state;
    struct error err = {0};
    struct text path = {0};
    text_add(&path, "root/a");
    for (int i = 0; i < 100; i++)
        text_add(&path, "/a");
    assert_true(folder_make(text_string(&path), &err));
    refuses_to_remove("a", "File name too long");
    path.data[strlen("root/") + 2 * 50 - 1] = '\0'; /* the lower half, then the upper */
    assert_true(folder_remove_tree("root", text_string(&path) + strlen("root/"), &err));
    text_release(&path);
    assert_true(folder_remove_tree("root", "a", &err));
}

/* ---- listing ------------------------------------------------------------------------------------------------- */

static void assert_names(const char *path, enum folder_kind kind, const char *expected)
{
    struct error err = {0};
    struct folder_names names;
    struct text line = {0};
    assert_true(folder_list(path, kind, &names, &err));
    for (size_t i = 0; i < names.count; i++)
        text_addf(&line, "%s%s", i ? " " : "", names.names[i]);
    assert_string_equal(text_string(&line), expected);
    text_release(&line);
    folder_names_release(&names);
    assert_int_equal(names.count, 0);
}

static void names_are_sorted_by_kind(void **state)
{
    (void)state;
    static const char *const files[] = {"b", "B", "a", "10", "9", "c.png", "\xc3\xa4"};
    mkdir("in", 0777);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[32];
        snprintf(path, sizeof path, "in/%s", files[i]);
        spill(path, "");
    }
    mkdir("in/folder", 0777);
    mkdir("in/Another", 0777);
    mkdir("in/.git", 0777);
    mkfifo("in/pipe", 0666);
    spill("in/.lock", "");
    assert_int_equal(symlink("folder", "in/to-folder"), 0);
    assert_int_equal(symlink("a", "in/to-file"), 0);
    assert_int_equal(symlink("nowhere", "in/broken"), 0);
    assert_names("in", FOLDER_FILES, "10 9 B a b c.png to-file \xc3\xa4");
    assert_names("in", FOLDER_FOLDERS, "Another folder to-folder");
    assert_names("in/folder", FOLDER_FILES, "");
    assert_names("missing", FOLDER_FILES, "");
    assert_names("missing/too", FOLDER_FOLDERS, "");
}

static void file_is_not_listed(void **state)
{
    (void)state;
    struct error err = {0};
    struct folder_names names;
    spill("plain", "");
    assert_false(folder_list("plain", FOLDER_FILES, &names, &err));
    assert_string_equal(err.text, "cannot read the folder plain: Not a directory");
    folder_names_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(folders_are_made_with_their_parents),
        scratch_test(making_is_refused_in_words),
        scratch_test(one_run_holds_a_folder),
        scratch_test(unlocking_holds_for_forked_processes),
        scratch_test(locking_is_refused_in_words),
        scratch_test(tree_is_removed_and_nothing_else),
        scratch_test(what_is_outside_is_not_removed),
        scratch_test(mounted_disk_is_not_removed),
        scratch_test(very_deep_tree_is_refused),
        scratch_test(names_are_sorted_by_kind),
        scratch_test(file_is_not_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
