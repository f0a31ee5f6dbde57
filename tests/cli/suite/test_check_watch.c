/* check --watch, as somebody uses it who edits a shader. */

#include <signal.h>
#include <time.h>

#include "suite_runs.h"

#define LIT "shaders/lit.frag"

static struct background *run;
static size_t at_out, at_err; /* what was read of its output */

static const char *await_out(const char *part)
{
    return rigproof_says(run, run->out, &at_out, part);
}

/* Waits until it has printed nothing for a second: what one command writes may come as several changes. */
static void await_quiet(void)
{
    for (size_t before = 0; (at_out = strlen(rigproof_said(run->out))) != before; before = at_out)
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
}

BEFORE_EACH
{
    copy_file(STRIP, "strip.gltf");
    copy_file(FIXTURES "/shaders/toon/lit.frag", LIT);
    write_accepted_suite("  - {name: strip, model: strip.gltf, clip: linear-rotation, times: [0.25], shaders: shaders, view: lit}\n"
                         "  - {name: back, model: strip.gltf, clip: linear-rotation, times: [0.5], shaders: shaders, influences: all, view: lit}\n"
                         "  - {name: twins, model: " TWINS ", times: [0.2]}\n");
    at_out = at_err = 0;
    run = rigproof_start(&(struct run_options){0}, "check", "suite.yaml", "--allow-outside", "--watch", NULL);
    await_out("green      3 cases, all good (3 ran");
    await_out("ctrl-C ends it\n");
}

static void ends_with(int status)
{
    kill(run->pid, SIGINT);
    run_gives(status, rigproof_await(run));
}

/* By writing, and by renaming as editors do: red with the sentence, green again, and twins never run. */
SCRATCH_TEST(an_edited_shader)
{
    const char *good = slurp(LIT, NULL);
    char *bad = keep(strdup(good));
    memcpy(strstr(bad, "= dot("), "=-dot(", 6);
    spill(LIT, bad);
    assert_string_equal(await_out("changed    shaders/lit.frag\n"), "\n");
    const char *lines = await_out("red        2 of 3 cases fail");
    assert_contains(lines, "FAIL     strip  frame 0.250: ", "FAIL     back  frame 0.500: ");
    await_out("(2 ran");
    spill("shaders/.lit.frag.swp", good);
    rename("shaders/.lit.frag.swp", LIT);
    await_out("changed    shaders/lit.frag\n");
    assert_string_equal(await_out("green      3 cases, all good (2 ran"), "");
    ends_with(0);
}

/* What the compiler says stands there once, though two cases draw with it in two ways. */
SCRATCH_TEST(a_shader_that_does_not_compile)
{
    char *bad = keep(strdup(slurp(LIT, NULL)));
    memcpy(strstr(bad, "s.alpha)"), "s.alphx)", 8);
    spill(LIT, bad);
    assert_contains(await_out("red        2 of 3 cases fail"), "ERROR    strip  shader shaders/lit.frag does not compile: shaders/lit.frag:14");
    const char *said = rigproof_said(run->err), *first = strstr(said, "lit.frag does not build");
    assert_non_null(first);
    assert_null(strstr(first + 1, "lit.frag does not build"));
    spill(LIT, slurp(FIXTURES "/shaders/toon/lit.frag", NULL));
    await_out("green      3 cases, all good (2 ran");
    spill(LIT, bad);
    await_out("red        2 of 3 cases fail");
    assert_non_null(strstr(strstr(rigproof_said(run->err), "lit.frag does not build") + 1, "lit.frag does not build"));
    ends_with(1);
}

SCRATCH_TEST(a_suite_with_a_mistake)
{
    const char *good = slurp("suite.yaml", NULL);
    spill("suite.yaml", at("%s  - {name: [\n", good));
    rigproof_says(run, run->err, &at_err, "the suite stays as it was");
    spill(LIT, at("%s\n// the old suite is still watched\n", slurp(LIT, NULL)));
    await_out("(2 ran");
    spill("suite.yaml", at("%s  - {name: more, model: strip.gltf, clip: mixed, times: [0.1]}\n", good));
    await_out("red        1 of 4 cases fails: 1 missing; 3 pass (4 ran");
    accept_gives(0, "--missing", "-o", "other", NULL);
    await_out("green      4 cases, all good (1 ran");
    ends_with(0);
}

SCRATCH_TEST(a_model_that_is_gone_for_a_moment)
{
    rename("strip.gltf", "strip.old");
    rigproof_says(run, run->err, &at_err, "strip.gltf is not there now: waiting for it");
    rename("strip.old", "strip.gltf");
    await_out("green      3 cases, all good (2 ran");
    unlink("strip.gltf");
    await_out("red        2 of 3 cases fail: 2 error");
    copy_file(STRIP, "strip.gltf");
    await_out("green      3 cases, all good (2 ran");
    ends_with(0);
}

/* A glob stands for what is there: another file is another case, and one that changed is run alone. */
SCRATCH_TEST(a_folder_of_models)
{
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
SCRATCH_TEST(the_page_loads_itself_again)
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
