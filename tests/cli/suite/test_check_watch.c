/* check --watch, as somebody uses it who edits a shader. */

#include <signal.h>
#include <time.h>

#include "suite_runs.h"

#define LIT "shaders/lit.frag"

static struct background *run;
static size_t at_out, at_err; /* what was read of its output */

/* All that it printed by now. */
static const char *printed(FILE *stream)
{
    enum { MOST = 1 << 20 };
    char *text = keep(calloc(MOST, 1));
    ssize_t size = pread(fileno(stream), text, MOST - 1, 0);
    assert_true(size >= 0);
    return text;
}

/* Waits until it has printed that after what was awaited before; what was printed in between. */
static const char *await(FILE *stream, size_t *from, const char *part)
{
    for (int i = 0; i < 6000; i++) {
        const char *text = printed(stream), *found = strlen(text) >= *from ? strstr(text + *from, part) : NULL;
        if (found) {
            char *between = keep(strndup(text + *from, (size_t)(found - text) - *from));
            *from = (size_t)(found - text) + strlen(part);
            return between;
        }
        if (kill(run->pid, 0) != 0)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    fail_msg("`%s` was not printed: %s%s", part, printed(run->out) + at_out, printed(run->err));
    return NULL;
}

static const char *await_out(const char *part)
{
    return await(run->out, &at_out, part);
}

/* Waits until it has printed nothing for a second: what one command writes may come as several changes. */
static void await_quiet(void)
{
    for (size_t before = 0, now = strlen(printed(run->out)); now != before; now = strlen(printed(run->out))) {
        before = now;
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    }
    at_out = strlen(printed(run->out));
}

static int enter(void **state)
{
    int failed = verdict_enter(state);
    copy_file(STRIP, "strip.gltf");
    mkdir("shaders", 0777);
    copy_file(FIXTURES "/shaders/toon/lit.frag", LIT);
    write_suite("  - {name: strip, model: strip.gltf, clip: linear-rotation, times: [0.25], shaders: shaders, view: lit}\n"
                "  - {name: back, model: strip.gltf, clip: linear-rotation, times: [0.5], shaders: shaders, influences: all, view: lit}\n"
                "  - {name: twins, model: " TWINS ", times: [0.2]}\n");
    accept_gives(0, NULL);
    at_out = at_err = 0;
    run = rigproof_start(&(struct run_options){0}, "check", "suite.yaml", "--allow-outside", "--watch", NULL);
    await_out("green      3 cases, all good (3 ran");
    await_out("ctrl-C ends it\n");
    return failed;
}

static void ends_with(int status)
{
    kill(run->pid, SIGINT);
    run_gives(status, rigproof_await(run));
}

#define WATCH_TEST(name) TEST_WITH(name, enter, scratch_leave)

/* By writing, and by renaming as editors do: red with the sentence, green again, and twins never run. */
WATCH_TEST(an_edited_shader)
{
    const char *good = slurp(LIT, NULL);
    char *bad = keep(strdup(good));
    memcpy(strstr(bad, "= dot("), "=-dot(", 6);
    spill(LIT, bad);
    assert_string_equal(await_out("changed    shaders/lit.frag\n"), "\n");
    const char *lines = await_out("red        2 of 3 cases fail");
    assert_contains(lines, "FAIL     strip  frame 0.250: ");
    assert_contains(lines, "FAIL     back  frame 0.500: ");
    await_out("(2 ran");
    spill("shaders/.lit.frag.swp", good);
    rename("shaders/.lit.frag.swp", LIT);
    await_out("changed    shaders/lit.frag\n");
    assert_string_equal(await_out("green      3 cases, all good (2 ran"), "");
    ends_with(0);
}

/* What the compiler says stands there once, though two cases draw with it in two ways. */
WATCH_TEST(a_shader_that_does_not_compile)
{
    char *bad = keep(strdup(slurp(LIT, NULL)));
    memcpy(strstr(bad, "s.alpha)"), "s.alphx)", 8);
    spill(LIT, bad);
    assert_contains(await_out("red        2 of 3 cases fail"), "ERROR    strip  shader shaders/lit.frag does not compile: shaders/lit.frag:14");
    const char *said = printed(run->err), *first = strstr(said, "lit.frag does not build");
    assert_non_null(first);
    assert_null(strstr(first + 1, "lit.frag does not build"));
    spill(LIT, slurp(FIXTURES "/shaders/toon/lit.frag", NULL));
    await_out("green      3 cases, all good (2 ran");
    spill(LIT, bad);
    await_out("red        2 of 3 cases fail");
    assert_non_null(strstr(strstr(printed(run->err), "lit.frag does not build") + 1, "lit.frag does not build"));
    ends_with(1);
}

WATCH_TEST(a_suite_with_a_mistake)
{
    const char *good = slurp("suite.yaml", NULL);
    spill("suite.yaml", at("%s  - {name: [\n", good));
    await(run->err, &at_err, "the suite stays as it was");
    spill(LIT, at("%s\n// the old suite is still watched\n", slurp(LIT, NULL)));
    await_out("(2 ran");
    spill("suite.yaml", at("%s  - {name: more, model: strip.gltf, clip: mixed, times: [0.1]}\n", good));
    await_out("red        1 of 4 cases fails: 1 missing; 3 pass (4 ran");
    accept_gives(0, "--missing", "-o", "other", NULL);
    await_out("green      4 cases, all good (1 ran");
    ends_with(0);
}

WATCH_TEST(a_model_that_is_gone_for_a_moment)
{
    rename("strip.gltf", "strip.old");
    await(run->err, &at_err, "strip.gltf is not there now: waiting for it");
    rename("strip.old", "strip.gltf");
    await_out("green      3 cases, all good (2 ran");
    unlink("strip.gltf");
    await_out("red        2 of 3 cases fail: 2 error");
    copy_file(STRIP, "strip.gltf");
    await_out("green      3 cases, all good (2 ran");
    ends_with(0);
}

/* A glob stands for what is there: another file is another case, and one that changed is run alone. */
WATCH_TEST(a_folder_of_models)
{
    mkdir("models", 0777);
    copy_file(STRIP, "models/a.gltf");
    copy_file(STRIP, "models/b.gltf");
    write_suite("  - {name: all, model: 'models/*.gltf', clip: linear-rotation, times: [0.25]}\n");
    await_out("red        2 of 2 cases fail: 2 missing (2 ran");
    accept_gives(0, "-o", "other", NULL);
    await_out("green      2 cases, all good");
    await_quiet();
    copy_file(STRIP, "models/a.gltf");
    assert_contains(await_out("green      2 cases, all good (1 ran"), "changed    models/a.gltf\n");
    copy_file(STRIP, "models/c.gltf");
    assert_contains(await_out("red        1 of 3 cases fails: 1 missing; 2 pass (3 ran"), "MISSING  all-c");
    ends_with(1);
}

/* The page asks run.js for another run; only that of --watch does. */
WATCH_TEST(the_page_loads_itself_again)
{
    const char *before = slurp("out/check/run.js", NULL);
    assert_non_null(strstr(slurp("out/check/report.html", NULL), "run.js?"));
    assert_int_equal(strncmp(before, "rigproofRun('", 13), 0);
    tint("golden/twins/0.200.png", 100, 90);
    await_out("red        1 of 3 cases fails");
    assert_string_not_equal(slurp("out/check/run.js", NULL), before);
    assert_statuses("strip pass, back pass, twins fail");
    ends_with(1);
    assert_false(exists("out/check/run.js"));
    check_gives(1, NULL);
    assert_null(strstr(slurp("out/check/report.html", NULL), "run.js?"));
    check_fails(2, "--watch", "--list", NULL);
    check_fails(2, "--watch", "--rerun-failed", NULL);
}
