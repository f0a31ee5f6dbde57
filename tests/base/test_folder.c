#define _GNU_SOURCE /* symlink */

/* Folders that are there, are not yet, or are held by another process. */
#include "cmocka_setup.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "run_binary.h"

static void locates(const char *path, const char *below_here)
{
    char here[PATH_MAX];
    struct text text = {0};
    assert_non_null(realpath(".", here));
    folder_locate(path, &text);
    const char *below = folder_below(text_string(&text), here);
    if (!below)
        fail_msg("%s is at %s, which is not below %s", path, text_string(&text), here);
    assert_string_equal(below, below_here);
    text_release(&text);
}

static void folders_are_located_whether_there_or_not(void **state)
{
    (void)state;
    mkdir("there", 0777);
    mkdir("there/deep", 0777);
    assert_int_equal(symlink("there/deep", "link"), 0);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    locates("", "");
    locates(".", "");
    locates("there", "there");
    locates("./there//", "there");
    locates("link", "there/deep");
    locates("link/..", "there");
    locates("link/../new", "there/new");
    locates("new", "new");
    locates("new/", "new");
    locates("new/more/../x/", "new/x");
    locates("there/../link/new", "there/deep/new");
    locates("dangling/x", "dangling/x");
}

static void below_is_by_parts_of_the_path(void **state)
{
    (void)state;
    assert_string_equal(folder_below("/a/b", "/a/b"), "");
    assert_string_equal(folder_below("/a/b/c/d", "/a/b"), "c/d");
    assert_string_equal(folder_below("/a", "/"), "a");
    assert_string_equal(folder_below("/", "/"), "");
    assert_null(folder_below("/a/bc", "/a/b"));
    assert_null(folder_below("/a", "/a/b"));
}

static void folders_are_made_with_their_parents(void **state)
{
    (void)state;
    struct error err = {0};
    assert_true(folder_make("a/b/c", &err) && folder_make("a/b/c", &err) && folder_make(".", &err));
    assert_true(exists("a/b/c/."));
    spill("file", "");
    assert_false(folder_make("file/a", &err));
    assert_string_equal(err.text, "cannot make the folder file/a: Not a directory");
}

/* Another process tries while this one holds the folder, and after it has let go. */
static int lock_in_child(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        struct error err = {0};
        int lock;
        _exit(folder_lock("here", &lock, &err) ? 0 : error_is_set(&err) ? 1 : 2);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

static void folder_is_held_until_it_is_let_go(void **state)
{
    (void)state;
    struct error err = {0};
    int lock;
    assert_false(folder_lock("here", &lock, &err));
    err = (struct error){0};
    assert_true(folder_make("here", &err) && folder_lock("here", &lock, &err));
    assert_int_equal(lock_in_child(), 1);
    close(lock);
    assert_int_equal(lock_in_child(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(folders_are_located_whether_there_or_not),
        cmocka_unit_test(below_is_by_parts_of_the_path),
        scratch_test(folders_are_made_with_their_parents),
        scratch_test(folder_is_held_until_it_is_let_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
