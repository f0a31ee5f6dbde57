/* Where output goes, and that a failure leaves the old file and nothing else. */
#define _GNU_SOURCE

#include "cli/pictures.h"

#include <sys/stat.h>
#include <unistd.h>

/* The three commands that write files, as arguments up to the name. */
static const struct {
    const char *command;
    const char *option[4];
} writers[] = {
    {"render", {"--size", "16x16", "-o", NULL}},
    {"dump", {"--format", "json", "-o", NULL}},
    {"inspect", {"--repair", "all", "-o", NULL}},
};
enum { WRITERS = sizeof writers / sizeof writers[0], NOBODY = 65534 };

static const struct outcome *write_to(const struct run_options *options, int w, const char *path)
{
    const char *const *o = writers[w].option;
    return rigproof_with(options, writers[w].command, WALKER, o[0], o[1], o[2], path, NULL);
}

static const struct run_options plain = {0};

static void missing_folders_are_made(void **state)
{
    (void)state;
    for (int w = 0; w < WRITERS; w++) {
        require_status(write_to(&plain, w, "a/b/c/out"), 0, __FILE__, __LINE__);
        assert_true(exists("a/b/c/out"));
        unlink("a/b/c/out");
        require_status(write_to(&plain, w, "./out"), 0, __FILE__, __LINE__);
        assert_string_equal(scratch_listing(), "a out");
    }
}

static void old_file_is_replaced(void **state)
{
    (void)state;
    for (int w = 0; w < WRITERS; w++) {
        spill("out", "old");
        require_status(write_to(&plain, w, "out"), 0, __FILE__, __LINE__);
        assert_string_not_equal(slurp("out", NULL), "old");
        assert_string_equal(scratch_listing(), "out");
    }
}

/* The disk is full: a file may have 100 bytes. */
static void full_disk_keeps_the_old_file(void **state)
{
    (void)state;
    for (int w = 0; w < WRITERS; w++) {
        spill("out", "old");
        const struct outcome *outcome = write_to(&(struct run_options){.file_size_limit = 100}, w, "out");
        require_error(outcome, 2, __FILE__, __LINE__);
        assert_contains(outcome->err, "cannot write out: ");
        assert_string_equal(slurp("out", NULL), "old");
        assert_string_equal(scratch_listing(), "out");
    }
}

static void read_only_folder_keeps_the_old_file(void **state)
{
    (void)state;
    mkdir("locked", 0777);
    spill("locked/out", "old");
    chmod("locked/out", 0666);
    chmod("locked", 0555);
    for (int w = 0; w < WRITERS; w++) {
        const struct outcome *outcome = write_to(&(struct run_options){.user = NOBODY}, w, "locked/out");
        if (outcome->status == 127) {
            print_message("skipped: an ordinary user may not run %s here\n", RIGPROOF_BINARY);
            skip();
        }
        require_error(outcome, 2, __FILE__, __LINE__);
        assert_contains(outcome->err, "Permission denied");
        assert_string_equal(slurp("locked/out", NULL), "old");
        outcome = write_to(&(struct run_options){.user = NOBODY}, w, "locked/new/out");
        require_error(outcome, 2, __FILE__, __LINE__);
        assert_contains(outcome->err, "cannot make the folder locked/new");
    }
    assert_string_equal(scratch_listing(), "locked");
}

static void impossible_places_are_refused(void **state)
{
    (void)state;
    spill("file", "old");
    mkdir("folder", 0777);
    for (int w = 0; w < WRITERS; w++) {
        require_error(write_to(&plain, w, "file/out"), 2, __FILE__, __LINE__);
        require_error(write_to(&plain, w, "folder"), 2, __FILE__, __LINE__);
        require_error(write_to(&plain, w, ""), 2, __FILE__, __LINE__);
    }
    assert_string_equal(slurp("file", NULL), "old");
    assert_string_equal(scratch_listing(), "file folder");
}

static void stdout_that_fails_is_an_error(void **state)
{
    (void)state;
    for (int w = 0; w < WRITERS; w++) {
        const struct outcome *full = write_to(&(struct run_options){.output = "/dev/full"}, w, "-");
        require_error(full, 2, __FILE__, __LINE__);
        assert_contains(full->err, "stdout");
        require_error(write_to(&(struct run_options){.closed_output = true}, w, "-"), 2, __FILE__, __LINE__);
    }
    static const char *const texts[][2] = {{"render", "--help"}, {"help", "render"}, {"help", "--man"}, {"--version", NULL}};
    const struct run_options full = {.output = "/dev/full"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        require_error(rigproof_with(&full, texts[i][0], texts[i][1], NULL), 2, __FILE__, __LINE__);
    assert_int_not_equal(rigproof_with(&full, "doctor", NULL)->status, 0);
}

/* As root, a rename would put a file in place of the device. A link stands for it here. */
static void devices_stay_devices(void **state)
{
    (void)state;
    struct stat st;
    assert_int_equal(symlink("/dev/null", "null"), 0);
    for (int w = 0; w < WRITERS; w++)
        require_status(write_to(&plain, w, "null"), 0, __FILE__, __LINE__);
    assert_int_equal(lstat("null", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_string_equal(scratch_listing(), "null");
}

static void failed_pose_writes_nothing(void **state)
{
    (void)state;
    spill("out.json", "old");
    rigproof_fails(2, "dump", WALKER, "--clip", "nobody", "-o", "out.json");
    rigproof_fails(2, "dump", FIXTURES "/broken/inf-keys.gltf", "-o", "out.json");
    assert_string_equal(slurp("out.json", NULL), "old");
    assert_string_equal(scratch_listing(), "out.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(missing_folders_are_made),
        scratch_test(old_file_is_replaced),
        scratch_test(full_disk_keeps_the_old_file),
        scratch_test(read_only_folder_keeps_the_old_file),
        scratch_test(impossible_places_are_refused),
        scratch_test(stdout_that_fails_is_an_error),
        scratch_test(devices_stay_devices),
        scratch_test(failed_pose_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
