/* Disks that are full, folders that may only be read. */

#include <errno.h>
#include <sched.h>
#include <sys/mount.h>

#include "suite_runs.h"

/* rigproof as an ordinary user. */
static const struct run_options other = {.user = 65534};
#define other_check(...) rigproof_with(&other, "check", "suite.yaml", "--allow-outside", "-o", __VA_ARGS__, NULL)
#define other_accept(...) rigproof_with(&other, "accept", "suite.yaml", "--allow-outside", "-o", __VA_ARGS__, NULL)

/* Mounts it on `small`, for this process and what it starts. */
static void mount_small_disk(void)
{
    mkdir("small", 0777);
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", "small", "tmpfs", 0, "size=128k") != 0) {
        print_message("skipped: a small disk cannot be mounted here: %s\n", strerror(errno));
        skip();
    }
}

static int leave_small_disk(void **state)
{
    umount2("small", MNT_DETACH);
    return scratch_leave(state);
}

#define SMALL_DISK_TEST(name) TEST_WITH(name, scratch_enter, leave_small_disk)

/* Leaves that many KiB of it. */
static void fill_small_disk(long kib)
{
    FILE *stream = fopen("small/filler", "w");
    assert_non_null(stream);
    setvbuf(stream, NULL, _IONBF, 0);
    while (fwrite("", 1, 1, stream) == 1)
        ;
    long size = ftell(stream);
    fclose(stream);
    assert_int_equal(truncate("small/filler", size - kib * 1024), 0);
}

SMALL_DISK_TEST(check_on_a_full_disk_says_so)
{
    write_suite("  - {name: walker, model: " FIXTURES "/walker/walker.glb, clip: walk, times: [0, 0.25]}\n" TWO_CASES);
    accept_gives(0, "--filter", "strip", NULL);
    const char *before = snapshot("golden");
    mount_small_disk();
    const struct outcome *outcome = check_gives(2, "-o", "small/out", "-j", "1", NULL);
    assert_contains(outcome->out, "ERROR    walker  cannot write small/out/walker/", "No space left on device",
                    "pass     strip\n");
    assert_contains(outcome->err, "error: cannot write small/out/");
    assert_int_equal(count_lines(outcome->err), 1);
    assert_null(strstr(outcome->out, "report.html"));
    assert_string_equal(snapshot("golden"), before);
}

/* The golden is the old one or the new one, whatever space there is. */
SMALL_DISK_TEST(accept_on_a_full_disk_leaves_the_old_or_the_new)
{
    static const char *const files[] = {"0.250.pose.json", "0.250.png", "0.750.pose.json", "0.750.png", "recorded.json"};
    enum { FILES = sizeof files / sizeof files[0] };
    int whole = 0, old = 0;
    write_accepted_suite("  - {name: strip, model: " FIXTURES
                         "/strip/morph.gltf, times: [0.25, 0.75], allow: still}\n");
    write_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75], size: [768, 768]}\n");
    accept_gives(0, "--goldens", "new", NULL);
    mount_small_disk();
    for (long kib = 0; kib <= 80; kib += 40) {
        int fresh = 0;
        copy_folder("golden", "small/golden");
        fill_small_disk(kib);
        const struct outcome *outcome = accept("--goldens", "small/golden", NULL);
        if (outcome->status != 0)
            assert_contains(run_gives(2, outcome)->err, "error: cannot write small/golden/strip/",
                            "No space left on device");
        for (int i = 0; i < FILES; i++) {
            const char *path = at("small/golden/strip/%s", files[i]);
            bool is_new = files_equal(path, at("new/strip/%s", files[i]));
            if (!is_new && !files_equal(path, at("golden/strip/%s", files[i])))
                fail_msg("with %ld KiB %s is neither old nor new", kib, path);
            fresh += is_new;
        }
        assert_int_equal(fresh == FILES, outcome->status == 0);
        whole += fresh == FILES;
        old += fresh == 0;
        assert_string_equal(json_at("small/golden/strip/recorded.json", "format"), "rigproof.recorded/1");
        unlink("small/filler");
        assert_null(strstr(contents("small/golden"), "json.")); /* temporaries */
        assert_null(strstr(contents("small/golden"), "png."));
        check_gives(fresh < FILES, "--goldens", "small/golden", NULL);
    }
    assert_true(whole > 0 && old > 0 && whole + old == 3);
}

/* The same where no file may be larger than some bytes. */
VERDICT_TEST(accept_of_too_large_files_leaves_the_old)
{
    tamper(import_of("golden/strip"), "unit_meters", "0.01");
    tint("golden/twins/0.200.png", 100, 90);
    const char *before = snapshot("golden");
    const struct run_options limited = {.file_size_limit = 700};
    const struct outcome *outcome = rigproof_with(&limited, "accept", "suite.yaml", "--allow-outside", NULL);
    assert_int_not_equal(outcome->status, 0);
    assert_contains(outcome->out, "File too large");
    assert_string_equal(snapshot("golden"), before);
    outcome = rigproof_with(&limited, "check", "suite.yaml", "--allow-outside", NULL);
    assert_int_equal(outcome->status, 2);
    assert_contains(outcome->err, "cannot write out/check/results.json: File too large");
    assert_string_equal(snapshot("golden"), before);
}

VERDICT_TEST(goldens_may_be_read_only)
{
    chmod("golden/strip", 0555);
    chmod("golden/twins", 0555);
    chmod("golden", 0555);
    const struct outcome *outcome = other_check("theirs");
    if (outcome->status == 127)
        skip_because("an ordinary user may not run %s here", RIGPROOF_BINARY);
    run_gives(0, outcome);
    assert_string_equal(statuses("theirs/results.json"), "strip pass, twins pass");
    write_suite("  - {name: strip, model: " STRIP ", clip: step-rotation, times: [0.25, 0.75]}\n"
                "  - {name: more, model: " TWINS ", times: [0.2]}\n");
    const char *before = snapshot("golden");
    outcome = other_accept("theirs");
    assert_int_equal(outcome->status, 2);
    assert_contains(outcome->err, "error: cannot write golden/strip/recorded.json: Permission denied\n");
    outcome = other_accept("theirs", "--filter", "more");
    assert_int_equal(outcome->status, 2);
    assert_contains(outcome->err, "error: cannot make the folder golden/more: Permission denied\n");
    outcome = run_gives(0, other_accept("theirs", "--prune", "--dry-run"));
    assert_string_equal(snapshot("golden"), before);
}

VERDICT_TEST(output_may_not_be_writable)
{
    chmod("out/check", 0555);
    const struct outcome *outcome = other_check("out/check/new");
    chmod("out/check", 0755);
    if (outcome->status == 127)
        skip();
    run_fails(2, outcome);
    assert_contains(outcome->err, "error: cannot write results to out/check/new (-o names another folder): cannot make the folder ");
    assert_contains(outcome->err, "Permission denied");
}

/* A golden that may not be read is no golden that is missing. */
VERDICT_TEST(golden_may_not_be_readable)
{
    chmod("golden/strip/0.250.png", 0);
    const struct outcome *outcome = other_check("theirs");
    if (outcome->status == 127)
        skip();
    run_gives(1, outcome);
    assert_string_equal(statuses("theirs/results.json"), "strip error, twins pass");
    assert_contains(outcome->out, "ERROR    strip  cannot open golden/strip/0.250.png: Permission denied\n");
    chmod("golden/strip/0.250.png", 0644);
    chmod("golden/strip", 0);
    outcome = run_gives(1, other_check("theirs"));
    assert_string_equal(statuses("theirs/results.json"), "strip error, twins pass");
    chmod("golden/strip", 0777);
}
