/* Accept writes, removes and refuses what it is to, and touches nothing else. */

#include "suite_runs.h"

/* Old and new pixels by their hashes: those of recorded.json. Another rasteriser's picture may show what is no longer right. */
VERDICT_TEST(only_what_failed_is_rewritten)
{
    char old[9] = "", now[9] = "";
    const char *good = contents("golden"), *twins = snapshot("golden/twins");
    memcpy(old, json_at("golden/strip/recorded.json", "frames[0].pixels"), 8);
    memcpy(now, json_at("golden/strip/recorded.json", "frames[1].pixels"), 8);
    copy_file("golden/strip/0.250.png", "golden/strip/0.750.png");
    unlink("golden/strip/0.750.pose.json");
    const struct outcome *outcome = accept_gives(0, NULL);
    assert_contains(outcome->out, "strip: draw: frame 0.750: ", at("\n  0.750.png: %s -> %s\n", old, now),
                    "\n  0.750.pose.json: new\n", "\naccepted 1 case (2 files)\n");
    assert_string_equal(contents("golden"), good);
    assert_string_equal(snapshot("golden/twins"), twins);
    unlink("golden/strip/0.750.png");
    assert_contains(accept_gives(0, NULL)->out, at("\n  0.750.png: none -> %s\n", now));
    tamper(import_of("golden/strip"), "unit_meters", "0.01");
    copy_file("golden/strip/0.250.png", "golden/strip/0.750_1.png");
    tint("golden/strip/0.750.png", 100, 90);
    outcome = accept_gives(0, NULL);
    assert_contains(outcome->out, at("\n  imports/%s: rewritten\n", json_at("golden/strip/recorded.json", "import_file")));
    assert_contains(outcome->out, "\n  0.750_1.png: not changed by this run, but accepted: check that it is still right\n");
    assert_same_files("golden/strip/0.750_1.png", "golden/strip/0.250.png");
}

VERDICT_TEST(dry_run_writes_no_golden)
{
    tint("golden/strip/0.250.png", 100, 90);
    copy_file("golden/twins/recorded.json", "golden/gone/recorded.json");
    const char *before = snapshot("golden");
    const struct outcome *outcome = accept_gives(0, "--dry-run", "--prune", NULL);
    assert_contains(outcome->out, "\nwould accept 1 case (2 files)\n", "obsolete, would be removed: gone\n");
    assert_string_equal(snapshot("golden"), before);
    write_suite(TWO_CASES "  - {name: more, model: " STRIP ", clip: mixed, times: [0, 0.3]}\n");
    assert_contains(accept_gives(0, "-n", NULL)->out, "more: no golden -> 5 new files\nwould accept 2 cases (7 files)\n");
    assert_string_equal(snapshot("golden"), before);
}

/* New cases are accepted while others wait for somebody to look at them. */
VERDICT_TEST(missing_are_accepted_by_themselves)
{
    tint("golden/strip/0.250.png", 100, 90);
    unlink("golden/twins/0.200.pose.json");
    write_suite(TWO_CASES "  - {name: more, model: " STRIP ", clip: mixed, times: [0, 0.3]}\n");
    const char *strip = snapshot("golden/strip");
    const struct outcome *outcome = accept_gives(0, "--missing", NULL);
    assert_contains(outcome->out, "\nmore: no golden -> 5 new files\naccepted 2 cases (6 files)\n");
    assert_string_equal(snapshot("golden/strip"), strip);
    check_gives(1, NULL);
    assert_statuses("strip fail, twins pass, more pass");
    accept_fails(2, "--missing", "--all", NULL);
}

/* A case that can have no golden is named, and the command fails: it would never have one, and nobody would know. */
VERDICT_TEST(what_cannot_have_a_golden_is_named)
{
    spill("broken.gltf", "{");
    tint("golden/strip/0.250.png", 100, 90);
    write_suite(TWO_CASES "  - {name: more, model: " STRIP ", clip: mixed, times: [0, 0.3]}\n"
                          "  - {name: blank, model: " STRIP ", clip: mixed, times: [0, 0.3], camera: {eye: [0, 0, 900], target: [0, 0, 1000]}}\n"
                          "  - {name: broken, model: broken.gltf}\n");
    const char *strip = snapshot("golden/strip");
    for (int round = 0; round < 2; round++) {
        const struct outcome *outcome = accept_gives(1, "--missing", NULL);
        assert_contains(outcome->out, "blank: not accepted, it tests nothing: ",
                        "broken: not accepted, it did not run to its end: ", ", 2 refused: ",
                        round == 0 ? "\naccepted 1 case" : "\naccepted 0 cases (0 files)");
    }
    assert_string_equal(snapshot("golden/strip"), strip);
    assert_true(exists("golden/more/recorded.json"));
    assert_false(exists("golden/blank") || exists("golden/broken"));
}

VERDICT_TEST(drift_is_accepted_with_all_only)
{
    const char *good = contents("golden");
    tamper("golden/strip/recorded.json", "fingerprint.mesa", "\"21.0.0\"");
    tint("golden/strip/0.250.png", 20, 1);
    check_gives(0, NULL);
    assert_statuses("strip drift, twins pass");
    assert_string_equal(accept_gives(0, NULL)->out, "nothing to accept\n");
    assert_contains(accept_gives(0, "--all", NULL)->out, "accepted 1 case (2 files), 1 unchanged\n");
    assert_string_equal(contents("golden"), good);
}

/* Another build of Assimp is no reason to write a golden again, and is named where a picture differs. */
VERDICT_TEST(another_assimp_is_told_only)
{
    assert_int_equal(system("sed -i 's/\"assimp-build-id\": \"[0-9a-z]*\"/\"assimp-build-id\": \"00\"/' golden/strip/recorded.json && "
                            "grep -q '\"assimp-build-id\": \"00\"' golden/strip/recorded.json"), 0);
    check_gives(0, NULL);
    assert_statuses("strip pass, twins pass");
    const char *before = snapshot("golden");
    assert_contains(accept_gives(0, "--all", NULL)->out, "accepted 0 cases (0 files), 2 unchanged\n");
    assert_string_equal(snapshot("golden"), before);
    tint("golden/strip/0.250.png", 100, 90);
    assert_contains(check_gives(1, NULL)->out, "assimp-build-id");
}

VERDICT_TEST(goldens_go_elsewhere)
{
    const char *before = snapshot("golden");
    accept_gives(0, "--goldens", "deep/other", NULL);
    assert_string_equal(snapshot("golden"), before);
    assert_string_equal(contents("deep/other"), contents("golden"));
    check_gives(0, "--goldens", "deep/other", NULL);
    const struct outcome *outcome = check_gives(1, "--goldens", "it's empty", NULL);
    assert_contains(outcome->out, "accept     rigproof accept suite.yaml --filter strip --goldens 'it'\\''s empty' --allow-outside\n");
    assert_int_equal(system(at("PATH='%.*s':$PATH; rigproof accept suite.yaml --filter strip --goldens 'it'\\''s empty' --allow-outside "
                               ">printed", (int)(strrchr(RIGPROOF_BINARY, '/') - RIGPROOF_BINARY), RIGPROOF_BINARY)), 0);
    assert_true(exists("it's empty/strip/recorded.json"));
    assert_false(exists("it's empty/twins"));
}

/* What the case that agrees is held against is another case: it has no golden, whatever lies there. */
VERDICT_TEST(agreeing_case_has_no_golden)
{
    write_suite(TWO_CASES "  - {name: same, model: " STRIP ", clip: linear-rotation, agrees_with: strip}\n"
                "  - {name: other, model: " STRIP ", clip: step-rotation, agrees_with: strip}\n");
    check_gives(1, NULL);
    assert_statuses("strip pass, twins pass, same pass, other fail");
    const char *before = snapshot("golden");
    assert_contains(accept_gives(0, "--all", NULL)->out, "accepted 0 cases (0 files), 2 unchanged\n");
    assert_string_equal(snapshot("golden"), before);
    copy_folder("golden/twins", "golden/same");
    assert_contains(check_gives(1, NULL)->out, "No case uses these goldens:\n  - same\n");
    assert_statuses("strip pass, twins pass, same pass, other fail");
}

static const struct outcome *accept_where(const char *variable, const char *option)
{
    const struct run_options options = {.environment = (const char *const[]){variable, NULL}};
    return rigproof_with(&options, "accept", "suite.yaml", "--allow-outside", option, NULL);
}

VERDICT_TEST(build_server_does_not_decide)
{
    tint("golden/strip/0.250.png", 100, 90);
    const char *before = snapshot("golden");
    assert_contains(run_fails(2, accept_where("CI=true", NULL))->err, "--force");
    assert_contains(run_fails(2, accept_where("CI=1", "--dry-run"))->err, "CI=1");
    assert_string_equal(snapshot("golden"), before);
    run_gives(0, accept_where("CI=false", "--dry-run"));
    run_gives(0, accept_where("CI=", "--dry-run"));
    run_gives(0, accept_where("CI=true", "--force"));
    check_gives(0, NULL);
}

VERDICT_TEST(goldens_are_of_llvmpipe)
{
    const char *before = snapshot("golden");
    const struct outcome *outcome = accept_where("GALLIUM_DRIVER=softpipe", "--all");
    if (outcome->status == 3)
        skip_because("no softpipe");
    assert_contains(run_fails(2, outcome)->err, "softpipe");
    assert_string_equal(snapshot("golden"), before);
    run_fails(3, accept_where("GALLIUM_DRIVER=zink", "--all"));
    assert_string_equal(snapshot("golden"), before);
}

VERDICT_TEST(links_are_followed_where_it_is_allowed)
{
    assert_int_equal(rename("golden/twins", "twins-elsewhere"), 0);
    assert_int_equal(symlink("../twins-elsewhere", "golden/twins"), 0);
    copy_file("golden/strip/0.750.png", "picture");
    tint("picture", 100, 90);
    tint("twins-elsewhere/0.200.png", 100, 90);
    unlink("golden/strip/0.750.png");
    assert_int_equal(symlink("../../picture", "golden/strip/0.750.png"), 0);
    copy_file("picture", "tinted");
    const char *elsewhere = contents("twins-elsewhere");
    const struct outcome *outcome =
        run_gives(0, rigproof("accept", "suite.yaml", "--allow-outside", NULL)); /* follows them */
    assert_contains(outcome->out, "accepted 2 cases (3 files)\n");
    assert_string_not_equal(contents("twins-elsewhere"), elsewhere);
    assert_false(files_equal("picture", "tinted"));
}

/* A repository of its own: without --allow-outside the models must be in it. */
static void lay_out_repository(void)
{
    copy_file(STRIP, "repository/strip.gltf");
    spill("repository/suite.yaml", "version: 1\ngoldens: golden\ndefaults: {size: [64, 64], clip: linear-rotation, "
                                   "times: [0.25]}\ncases:\n  - {name: a, model: strip.gltf}\n"
                                   "  - {name: b, model: strip.gltf}\n  - {name: c, model: strip.gltf}\n");
    mkdir("repository/golden", 0777);
    mkdir("elsewhere", 0777);
}

SCRATCH_TEST(links_out_of_the_goldens_are_refused)
{
    lay_out_repository();
    mkdir("repository/golden/b", 0777);
    assert_int_equal(symlink("../../elsewhere", "repository/golden/a"), 0);
    assert_int_equal(symlink("../../../elsewhere/new.png", "repository/golden/b/0.250.png"), 0);
    const struct outcome *outcome = rigproof_gives(1, "accept", "repository/suite.yaml");
    assert_contains(outcome->out, "a: not accepted, links are not followed: repository/golden/a leads out of the goldens, to ");
    assert_contains(outcome->out, "/elsewhere; --allow-outside permits it\n");
    assert_contains(outcome->out, "c: no golden -> 4 new files\naccepted 1 case (4 files), 2 refused: mend those cases or leave them out, and accept again\n");
    assert_string_equal(contents("elsewhere"), "");
    unlink("repository/golden/b/0.250.png");
    assert_int_equal(symlink("../c/0.250.png", "repository/golden/b/0.250.png"), 0);
    outcome = rigproof_gives(0, "accept", "repository/suite.yaml", "--filter", "b");
    assert_contains(outcome->out, "accepted 1 case (2 files)\n");
    unlink("repository/golden/a");
    assert_int_equal(symlink("../../nowhere", "repository/golden/a"), 0);
    outcome = rigproof_gives(1, "accept", "repository/suite.yaml");
    assert_contains(outcome->out, "a: not accepted, links are not followed: repository/golden/a is a link that leads nowhere\n");
    assert_false(exists("nowhere"));
}

/* A process that was killed while it wrote has left this. */
VERDICT_TEST(temporaries_are_cleared)
{
    const char *good = contents("golden");
    spill("golden/strip/import.json.backup", "mine");
    spill("golden/strip/notes.new-a1B2c3", "mine");
    const char *mine = contents("golden");
    spill("golden/strip/0.250.png.new-a1B2c3", "x");
    spill("golden/strip/import.json.new-zzzzzz", "x");
    spill("out/check/results.json.new-zzzzzz", "x");
    spill("out/check/strip/0.250.golden.png.new-zzzzzz", "x");
    check_gives(0, NULL);
    assert_false(exists("out/check/results.json.new-zzzzzz") || exists("out/check/strip"));
    assert_true(exists("golden/strip/import.json.new-zzzzzz"));
    accept_gives(0, "--all", NULL);
    assert_string_equal(contents("golden"), mine);
    assert_string_not_equal(mine, good);
}

static void lay_out_obsolete(void)
{
    copy_folder("golden/twins", "golden/gone");                          /* no case */
    spill("golden/gone/notes.txt", "kept");
    copy_folder("golden/twins", "golden/left");
    copy_file("golden/strip/0.250.png", "golden/strip/0.500.png");       /* no time of the case */
    copy_file("golden/strip/0.250.png", "golden/strip/0.500_1.png");
    copy_file("golden/strip/0.250.png", "golden/strip/0.041667.png");
    copy_file("golden/strip/0.250.pose.json", "golden/strip/-0.100.pose.json");
    copy_file("golden/strip/0.250.png", "golden/strip/0.250_1.png");     /* a time of the case */
    spill("golden/strip/README.md", "kept");
    spill("golden/strip/0.500.psd", "kept");
    spill("golden/strip/0.500.png.orig", "kept");
    spill("golden/strip/cover.png", "kept");
    mkdir("golden/strip/0.500.pose.json", 0777);
    mkdir("golden/foreign", 0777);                                       /* no golden */
    spill("golden/foreign/0.250.png", "kept");
    spill("golden/foreign/import.json", "{}");
    mkdir("golden/theirs", 0777);                                        /* a recorded.json of something else */
    spill("golden/theirs/recorded.json", "{\"takes\": 3}");
    spill("golden/theirs/import.json", "{}");
    copy_file("golden/twins/recorded.json", "golden/.hidden/recorded.json");
    spill("golden/README.md", "kept");
    assert_int_equal(symlink("twins", "golden/alias"), 0);
}

VERDICT_TEST(prune_removes_what_check_lists_and_nothing_else)
{
    static const char *const removed[] = {
        "golden/left", "golden/gone/recorded.json", "golden/gone/0.200.png",
        "golden/gone/0.200.pose.json", "golden/strip/0.500.png", "golden/strip/0.500_1.png", "golden/strip/0.041667.png",
        "golden/strip/-0.100.pose.json",
    };
    lay_out_obsolete();
    check_gives(0, NULL);
    assert_string_equal(json_at("out/check/results.json", "obsolete"),
                        "[\"gone\",\"left\",\"strip/-0.100.pose.json\",\"strip/0.041667.png\",\"strip/0.500.png\",\"strip/0.500_1.png\"]");
    assert_string_equal(json_at("out/check/results.json", "prune"), "rigproof accept suite.yaml --prune --allow-outside");
    check_gives(0, "--filter", "strip", NULL);
    assert_string_equal(json_at("out/check/results.json", "obsolete"), "[]"); /* not all of the suite was run */
    const struct outcome *outcome = accept_gives(0, "--prune", NULL);
    assert_contains(outcome->out, "obsolete, removed: gone\nobsolete, removed: left\nobsolete, removed: strip/-0.100.pose.json\n");
    const char *pruned = contents("golden");
    shell("rm -r golden");
    accept_gives(0, NULL);
    lay_out_obsolete();
    for (size_t i = 0; i < sizeof removed / sizeof removed[0]; i++) /* by hand */
        shell("rm -r %s", removed[i]);
    assert_string_equal(pruned, contents("golden"));
}

VERDICT_TEST(case_that_did_not_run_keeps_its_goldens)
{
    const char *before = snapshot("golden");
    write_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75], timeout: 0.001}\n"
                "  - {name: twins, model: " TWINS ", skip: true, reason: later}\n");
    accept_gives(1, "--prune", NULL);
    assert_string_equal(snapshot("golden"), before);
    write_suite("  - {name: strip, model: " FIXTURES "/broken/truncated.glb, times: [0.25]}\n"
                "  - {name: twins, model: " TWINS ", clip: nobody}\n");
    accept_gives(1, "--prune", NULL);
    assert_string_equal(snapshot("golden"), before);
}
