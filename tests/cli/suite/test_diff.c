/* diff of two files, folders and trees. */

#include "cli/pictures.h"
#include "suite_runs.h"

#define diff(...) rigproof("diff", __VA_ARGS__, NULL)
#define diff_gives(status, ...) run_gives(status, diff(__VA_ARGS__))

static void draw(const char *time, const char *size, const char *path)
{
    rigproof_good("render", STRIP, "--clip", "linear-rotation", "--time", time, "--size", size, "-o", path);
}

SCRATCH_TEST(same_pictures_are_good)
{
    draw("0.25", "64x64", "a.png");
    copy_file("a.png", "b.png");
    assert_contains(diff_gives(0, "a.png", "b.png")->out, "1 case, all good\n");
    diff_gives(0, "a.png", "a.png");
    tint("b.png", 30, 2);
    const struct outcome *outcome = diff_gives(0, "a.png", "b.png", "--json");
    assert_string_equal(said(outcome, "cases[0].times[0].image.state"), "noise");
    tint("b.png", 30, 6);
    tint("b.png", 3, 90);
    outcome = diff_gives(0, "a.png", "b.png", "--json");
    assert_string_equal(said(outcome, "cases[0].times[0].image.state"), "tolerated");
    diff_gives(1, "a.png", "b.png", "--delta", "3");
    diff_gives(1, "a.png", "b.png", "--share", "0");
    diff_gives(0, "a.png", "b.png", "--delta", "255");
}

static void turn_over(const char *path)
{
    SCOPED(image) image = read_picture(path);
    for (uint32_t y = 0; y < image.height / 2; y++)
        for (uint32_t i = 0; i < 4 * image.width; i++) {
            uint8_t *a = image.rgba + 4 * (size_t)image.width * y + i;
            uint8_t *b = image.rgba + 4 * (size_t)image.width * (image.height - 1 - y) + i;
            uint8_t kept = *a;
            *a = *b;
            *b = kept;
        }
    assert_true(image_write_png(&image, path, PNG_OUTPUT, ANY_ERROR));
}

/* Where no numbers are, or those that are agree, the picture shows the mistake. */
SCRATCH_TEST(a_mistake_of_drawing_is_named)
{
    draw("0.25", "64x64", "a.png");
    copy_file("a.png", "b.png");
    turn_over("b.png");
    const struct outcome *outcome = diff_gives(1, "a.png", "b.png", "-o", "out");
    assert_contains(outcome->out, "cause      flipped (draw): ", "of full brightness");
    assert_string_equal(json_at("out/results.json", "cases[0].causes[0].causes[0].id"), "flipped");
    spill("suite.yaml", "version: 1\ngoldens: golden\ncases:\n  - {name: strip, model: " STRIP
                        ", clip: linear-rotation, times: [0.25, 0.75], size: [64, 64]}\n");
    accept_gives(0, "--missing", "-o", "out", NULL);
    turn_over("golden/strip/0.250.png");
    assert_contains(check_gives(1, "-o", "out", NULL)->out, "flipped (draw): ");
    tint("golden/strip/0.750.png", 300, 90); /* which that does not explain */
    assert_null(strstr(check_gives(1, "-o", "out", NULL)->out, "flipped"));
}

SCRATCH_TEST(other_pictures_differ)
{
    draw("0.25", "64x64", "a.png");
    draw("0.75", "64x64", "b.png");
    const struct outcome *outcome = diff_gives(1, "a.png", "b.png", "--json");
    assert_string_equal(said(outcome, "cases[0].stage"), "draw");
    assert_contains(said(outcome, "cases[0].headline"), "frame b: ");
    draw("0.25", "48x64", "b.png");
    assert_contains(diff_gives(1, "a.png", "b.png")->out, "frame b is 48x64, its golden is 64x64");
    assert_string_equal(scratch_listing(), "a.png b.png");
}

/* Reports and pictures where -o says, also beside the pictures themselves. */
SCRATCH_TEST(reports_go_into_a_folder)
{
    draw("0.25", "64x64", "a.png");
    draw("0.75", "64x64", "b.png");
    const char *a = snapshot(".");
    const struct outcome *outcome = diff_gives(1, "a.png", "b.png", "-o", "out/diff");
    assert_contains(outcome->out, "report     out/diff/report.html\n", "    difference  out/diff/b/b.difference.png\n");
    assert_int_equal(count_differences("out/diff/b/b.golden.png", "a.png"), 0);
    assert_int_equal(count_differences("out/diff/b/b.png", "b.png"), 0);
    assert_string_equal(statuses("out/diff/results.json"), "b.png against a.png fail");
    assert_true(exists("out/diff/junit.xml") && exists("out/diff/b/b.heat.png"));
    require_json(slurp("out/diff/results.json", NULL), strlen(slurp("out/diff/results.json", NULL)));
    outcome = diff_gives(1, "a.png", "b.png", "-o", "both", "--json");
    assert_string_equal(outcome->out, slurp("both/results.json", NULL));
    shell("rm -r both out");
    assert_string_equal(snapshot("."), a);
    diff_gives(1, "a.png", "b.png", "-o", ".");
    assert_string_equal(scratch_listing(), "a.png b b.png junit.xml report.html results.json");
    draw("0.75", "48x64", "b.png");
    diff_gives(1, "a.png", "b.png", "-o", "sizes");
    assert_true(exists("sizes/b/b.golden.png") && exists("sizes/b/b.png"));
}

static void dump(const char *time, const char *path)
{
    rigproof_good("dump", STRIP, "--clip", "linear-rotation", "--time", time, "--json", "-o", path);
}

SCRATCH_TEST(poses_are_compared)
{
    dump("0.25", "a.json");
    dump("0.25", "b.json");
    diff_gives(0, "a.json", "b.json");
    int tip = index_of("b.json", "nodes", "name", "tip");
    tamper("b.json", at("nodes[%d].t[1]", tip), "3"); /* was 2: a unit */
    const struct outcome *outcome = diff_gives(1, "a.json", "b.json", "--json");
    said_is(outcome, "cases[0].stage", "animate", "cases[0].findings[0].subject", "tip",
            "cases[0].findings[0].translation", "1", "cases[0].times[0].label", "0.250");
    assert_contains(diff_gives(1, "a.json", "b.json")->out, "`tip`");
    dump("0.25", "b.json");
    tamper("b.json", "palette[1].matrix[3]", "3");
    assert_string_equal(said(diff_gives(1, "a.json", "b.json", "--json"), "cases[0].stage"), "palette");
    diff_gives(0, "a.json", "b.json", "--shell", "1");
    dump("0.3", "b.json");
    diff_gives(1, "a.json", "b.json");
}

/* Another engine may write this: nodes alone, in any order of keys, numbers as it likes, keys of its own. */
#define ENGINES_POSE(turn)                                                                                             \
    "{\"nodes\": [{\"s\": [1, 1.0, 1e0], \"r\": [0, 0, 0, 1], \"t\": [1, 0, 0], \"parent\": null, \"name\": "          \
    "\"rig\",\n"                                                                                                       \
    " \"global\": [1,0,0,1, 0,1,0,0, 0,0,1,0]},\n"                                                                     \
    " {\"name\": \"base\", \"parent\": \"rig\", \"t\": [0,0,0], \"r\": [0,0,0,-1], \"s\": [1,1,1], \"global\": "       \
    "[1,0,0,1, 0,1,0,0, 0,0,1,0]},\n"                                                                                  \
    " {\"name\": \"tip\", \"parent\": \"base\", \"t\": [0,2,0], \"r\": " turn ", \"s\": [1,1,1],\n"                    \
    "  \"global\": [0.70710678,-0.70710678,0,1, 0.70710678,0.70710678,0,2, 0,0,1,0]},\n"                               \
    " {\"name\": \"strip\", \"parent\": \"rig\", \"t\": [0,0,0], \"r\": [0,0,0,1], \"s\": [1,1,1], \"global\": "       \
    "[1,0,0,1, 0,1,0,0, 0,0,1,0]}],\n"                                                                                 \
    " \"engine\": \"ours 1.0\", \"space\": \"scene\", \"matrices\": \"row-major 3x4, p' = M p\", \"time\": 0.25,\n"    \
    " \"clip\": \"linear-rotation\", \"model\": \"strip.gltf\", \"format\": \"rigproof.pose/1\"}\n"

/* Turned by 45 degrees about z: sin and cos of 22.5 degrees. */
SCRATCH_TEST(pose_written_by_hand_is_compared)
{
    dump("0.25", "ours.json");
    spill("theirs.json", ENGINES_POSE("[0, 0, 0.38268343, 0.92387953]"));
    diff_gives(0, "theirs.json", "ours.json");
    assert_string_equal(said(diff("ours.json", "theirs.json", "--json"), "cases[0].stages.animate.state"), "passed");
    spill("theirs.json", ENGINES_POSE("[0, 0, -0.38268343, 0.92387953]"));
    const struct outcome *outcome = diff_gives(1, "ours.json", "theirs.json", "--json");
    assert_string_equal(said(outcome, "cases[0].stage"), "animate");
    assert_contains(said(outcome, "cases[0].headline"), "`tip`");
    spill("theirs.json", ENGINES_POSE("[0, 0, 0.38268343]"));
    assert_contains(run_fails(2, diff("ours.json", "theirs.json"))->err, "theirs.json: nodes[2].r: ");
}

/* Every vertex and normal where both have them, else boxes; whose fault it is, where a model says what the palette makes. */
SCRATCH_TEST(skins_are_compared)
{
    dump("0.25", "a.json");
    dump("0.25", "b.json");
    tamper("b.json", "skin[0].max[1]", "5");
    const struct outcome *outcome = diff_gives(1, "a.json", "b.json", "--json");
    said_is(outcome, "cases[0].stage", "skin", "cases[0].stages.palette.state", "passed");
    assert_contains(said(outcome, "cases[0].headline"), "the box of skinned mesh `strip-mesh` is off by");
    diff_gives(0, "a.json", "b.json", "--shell", "1", "-o", "out/diff");
    spill("strict.yaml", "shell: 0.01\n"); /* judged again as it would have been judged */
    outcome = rigproof_gives(1, "report", "out/diff/results.json", "--tolerance", "strict.yaml", "-o", "out/strict");
    assert_string_equal(json_at("out/strict/results.json", "cases[0].stage"), "skin");
    assert_contains(json_at("out/strict/results.json", "cases[0].headline"), "skinned meshes differ by up to ");
    assert_contains(json_at("out/strict/results.json", "cases[0].passes_from"), "would pass from shell: 0.");
    spill("loose.yaml", "shell: 1\n");
    rigproof_good("report", "out/strict/results.json", "--tolerance", "loose.yaml");
    dump("0.25", "b.json");
    tamper("b.json", "skin[0].vertices", "19");
    assert_string_equal(said(diff_gives(1, "a.json", "b.json", "--json"), "cases[0].stage"), "skin");
    const char *const sides[] = {"a.json", "b.json"};
    for (int i = 0; i < 2; i++)
        rigproof_good("dump", STRIP, "--clip", "linear-rotation", "--time", "0.25", "--json", "--vertices", "-o", sides[i]);
    diff_gives(0, "a.json", "b.json");
    dump("0.25", "c.json");
    assert_contains(diff_gives(0, "a.json", "c.json")->out,
                    "animate, palette and skin agree; not compared: import, draw; only the golden has vertices of mesh "
                    "`strip-mesh`: boxes and centroids are compared\n");
    tamper("b.json", "skin[0].positions[7][2]", "0.5"); /* flat at z = 0 */
    outcome = diff_gives(1, "a.json", "b.json", "--json");
    assert_contains(said(outcome, "cases[0].headline"), "vertex 7 of mesh `strip-mesh` is off by 0.500 units");
    rigproof_good("dump", STRIP, "--clip", "linear-rotation", "--time", "0.25", "--json", "--vertices", "-o", "b.json");
    tamper("b.json", "skin[0].normals[3]", "[0, 1, 0]");
    outcome = diff_gives(1, "a.json", "b.json", "--json");
    assert_contains(said(outcome, "cases[0].headline"), "the normal of vertex 3 of mesh `strip-mesh` is off by 90");
}

SCRATCH_TEST(morph_weights_are_compared)
{
    const char *const sides[] = {"a.json", "b.json"};
    for (int i = 0; i < 2; i++)
        rigproof_good("dump", FIXTURES "/shapes/shapes.gltf", "--time", "0.3", "--json", "-o", sides[i]);
    diff_gives(0, "a.json", "b.json");
    tamper("b.json", "morphs[0].weights[0]", "0.9");
    assert_string_equal(said(diff_gives(1, "a.json", "b.json", "--json"), "cases[0].stage"), "animate");
    tamper("b.json", "morphs", "[]");
    const struct outcome *outcome = diff_gives(0, "a.json", "b.json");
    assert_contains(outcome->out, "; morph weights: not given by theirs\n", "1 case, all good as far as compared\n");
}

/* In every report. */
SCRATCH_TEST(what_was_not_compared_is_said)
{
    dump("0.25", "ours.json");
    spill("theirs.json", ENGINES_POSE("[0, 0, 0.38268343, 0.92387953]"));
    static const char sentence[] = "animate agrees; palette, skin: not given by theirs; not compared: import, draw";
    const struct outcome *outcome = diff_gives(0, "ours.json", "theirs.json", "-o", "out/diff");
    assert_contains(outcome->out, "  theirs.json against ours.json: animate agrees; palette, skin: not given by theirs; not "
                                  "compared: import, draw\n");
    assert_contains(outcome->out, "1 case, all good as far as compared\n");
    assert_contains(slurp("out/diff/junit.xml", NULL), sentence);
    assert_contains(slurp("out/diff/report.html", NULL), sentence);
    assert_string_equal(json_at("out/diff/results.json", "cases[0].stages.skin.state"), "not-compared");
    assert_string_equal(json_at("out/diff/results.json", "cases[0].stages.skin.summary"), "not given by theirs");
    assert_contains(rigproof_good("report", "out/diff/results.json")->out, sentence);
    spill("tolerance.yaml", "shell: 0.1\n");
    assert_contains(rigproof_good("report", "out/diff/results.json", "--tolerance", "tolerance.yaml")->out, sentence);
    assert_contains(diff_gives(0, "theirs.json", "ours.json")->out, "; palette, skin: not in the golden;");
    rigproof_good("dump", STRIP, "--clip", "linear-rotation", "--time", "0.25", "--json", "-o", "theirs.json");
    assert_contains(diff_gives(0, "ours.json", "theirs.json")->out, "1 case, all good\n");
}

SCRATCH_TEST(a_stage_compared_at_some_times_only_is_missing)
{
    dump("0.25", "ours/0.250.pose.json");
    dump("0.75", "ours/0.750.pose.json");
    copy_file("ours/0.750.pose.json", "theirs/0.750.pose.json");
    spill("theirs/0.250.pose.json", ENGINES_POSE("[0, 0, 0.38268343, 0.92387953]"));
    assert_contains(diff_gives(1, "ours", "theirs")->out, "palette: not given by theirs at some of the times");
    rigproof_good("inspect", STRIP, "--json", "-o", "import/import.json");
    assert_int_equal(unlink("theirs/0.250.pose.json") | unlink("theirs/0.750.pose.json"), 0);
    copy_file("import/import.json", "theirs/import.json");
    copy_file("import/import.json", "ours/import.json");
    unlink("ours/0.250.pose.json");
    unlink("ours/0.750.pose.json");
    diff_gives(0, "ours", "theirs");
}

SCRATCH_TEST(imports_are_compared)
{
    if (assimp_needs_no_repair())
        return;
    rigproof_good("inspect", STRIP, "--json", "-o", "a.json");
    rigproof_good("inspect", STRIP, "--json", "--repair", "none", "-o", "b.json");
    diff_gives(0, "a.json", "a.json");
    const struct outcome *outcome = diff_gives(1, "a.json", "b.json", "--json");
    assert_string_equal(said(outcome, "cases[0].stage"), "import");
    assert_contains(said(outcome, "cases[0].headline"), "step");
    copy_file("a.json", "b.json");
    tamper("b.json", "meshes[0].max[1]", "4.001");
    diff_gives(1, "a.json", "b.json");
    diff_gives(0, "a.json", "b.json", "--import", "0.01");
}

VERDICT_TEST(case_folders_are_compared)
{
    copy_folder("golden", "other");
    diff_gives(0, "golden/strip", "other/strip");
    tint("other/strip/0.250.png", 20, 1);
    assert_string_equal(said(diff_gives(0, "golden", "other", "--json"), "cases[0].status"), "pass");
    tamper("other/strip/recorded.json", "fingerprint.mesa", "\"21.0.0\"");
    assert_string_equal(said(diff_gives(0, "golden", "other", "--json"), "cases[0].status"), "drift");
    copy_file("golden/strip/0.250.png", "other/strip/0.250.png");
    assert_contains(diff_gives(0, "golden/strip/", "./other/strip/.", "--json")->out,
                    "\"name\": \"./other/strip/. against golden/strip/\",");
    copy_file("golden/strip/0.250.png", "other/strip/0.750.png");
    const struct outcome *outcome = diff_gives(1, "golden/strip", "other/strip", "--json");
    said_is(outcome, "cases[0].stage", "draw", "cases[0].times[0].image.state", "same",
            "cases[0].times[1].image.state", "differs");
    tamper("other/strip/0.750.pose.json", "palette[0].matrix[7]", "1");
    diff_gives(1, "golden/strip", "other/strip", "-o", "out/diff");
    assert_string_equal(json_at("out/diff/results.json", "cases[0].stages.palette.state"), "differs");
    assert_string_equal(json_at("out/diff/results.json", "cases[0].stages.draw.state"), "unverified");
    assert_true(exists("out/diff/strip/0.750.heat.png"));
    unlink("other/strip/0.750.pose.json");
    unlink("golden/strip/0.750.pose.json"); /* the pictures count without */
    assert_string_equal(said(diff_gives(1, "golden/strip", "other/strip", "--json"), "cases[0].stage"), "draw");
}

VERDICT_TEST(what_one_side_lacks_is_missing)
{
    copy_folder("golden", "other");
    unlink("other/strip/0.750.png");
    assert_contains(diff_gives(1, "golden/strip", "other/strip")->out, "0.750.png is only in golden/strip");
    shell("rm -r golden/twins");
    assert_contains(diff_gives(1, "golden", "other")->out, "MISSING  twins: ", "2 of 2 cases fail: 2 missing\n");
    mkdir("nothing", 0777);
    mkdir("nothing/here", 0777);
    assert_contains(run_fails(2, diff("nothing", "nothing"))->err, "holds a case folder");
}

/* An engine writes poses and nothing else: that it has no import and no pictures is no difference, a time that lacks is. */
VERDICT_TEST(folders_of_poses_alone_are_compared)
{
    copy_file("golden/strip/0.250.pose.json", "engine/strip/0.250.pose.json");
    assert_contains(diff_gives(1, "golden/strip", "engine/strip")->out, "0.750.pose.json is only in golden/strip");
    copy_file("golden/strip/0.750.pose.json", "engine/strip/0.750.pose.json");
    const struct outcome *outcome = diff_gives(0, "golden/strip", "engine/strip");
    assert_contains(outcome->out, "  engine/strip against golden/strip: animate, palette and skin agree; import, draw: not given by theirs\n");
    assert_contains(outcome->out, "1 case, all good as far as compared\n");
    assert_contains(diff_gives(0, "engine/strip", "golden/strip")->out, "; import, draw: not in the golden\n");
    tamper("engine/strip/0.750.pose.json", at("nodes[%d].t[0]", index_of("engine/strip/0.750.pose.json", "nodes", "name", "tip")), "0.5");
    outcome = diff_gives(1, "golden", "engine");
    assert_contains(outcome->out, "engine against golden\n",
                    "FAIL     strip: local transform of `tip` is off by 50 cm at 0.750 s",
                    "\nMISSING  twins: only in `golden`\n", "2 of 2 cases fail: 1 fail, 1 missing\n");
    assert_null(strstr(outcome->out, "another setup"));
}

/* "inf" and "nan" are numbers to strtod(), and results.json holds none of them. */
VERDICT_TEST(poses_may_be_named_after_anything)
{
    copy_file("golden/strip/0.250.pose.json", "a/infantry.pose.json");
    copy_file("golden/strip/0.250.pose.json", "b/nancy.pose.json");
    diff_gives(1, "a", "b", "-o", "out/diff");
    rigproof_gives(1, "report", "out/diff/results.json");
}

VERDICT_TEST(only_alike_things_are_compared)
{
    const char *const things[] = {"golden/strip/0.250.png", "golden/strip/0.250.pose.json",
                                         import_of("golden/strip"), "golden/strip", "golden"};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            if (i != k)
                assert_contains(run_fails(2, diff(things[i], things[k], "-o", "made"))->err, ", but ");
    assert_string_equal(scratch_listing(), "golden out suite.yaml");
}

/* By the document's own "format", whatever a node is called. */
SCRATCH_TEST(kinds_are_told_by_the_format)
{
    copy_file(STRIP, "s.gltf");
    tamper("s.gltf", "nodes[0].name", "\"rigproof.pose/1\"");
    rigproof_good("inspect", "s.gltf", "--json", "-o", "a.json");
    copy_file("a.json", "b.json");
    diff_gives(0, "a.json", "b.json");
    tamper("b.json", "meshes[0].vertices", "7");
    assert_contains(diff_gives(1, "a.json", "b.json")->out, "import     DIFFERS");
}

SCRATCH_TEST(unreadable_things_are_refused)
{
    static const char *const broken[] = {"", "{", "{\"format\": \"rigproof.pose/1\"}", "\x89PNG\r\n",
                                         "{\"format\": \"rigproof.import/1\"}"};
    spill("suite.yaml", "");
    run_fails(2, diff("missing.png", "suite.yaml"));
    run_fails(2, diff("suite.yaml", "suite.yaml"));
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        spill("a", broken[i]);
        assert_contains(run_fails(2, diff("a", "a"))->err, "a");
    }
    write_accepted_suite(TWO_CASES);
    copy_folder("golden", "other");
    spill("other/strip/0.250.pose.json", "{");
    assert_contains(run_fails(2, diff("golden", "other"))->err, "other/strip/0.250.pose.json");
    copy_file("golden/strip/0.250.pose.json", "other/strip/0.250.pose.json");
    spill("other/strip/0.250.png", "no picture");
    assert_contains(run_fails(2, diff("golden", "other"))->err, "other/strip/0.250.png");
    rigproof_fails(2, "diff", "golden");
    rigproof_fails(2, "diff", "golden", "other", "more");
    rigproof_refuses("did you mean --delta?", "diff", "golden", "other", "--detla", "3");
}

/* The pictures of a difference have the names of goldens: they must not be written over them. */
VERDICT_TEST(output_among_what_is_compared_is_refused)
{
    copy_folder("golden", "other");
    tint("other/strip/0.250.png", 100, 90);
    const char *golden = snapshot("golden"), *other = snapshot("other");
    static const char *const trees[] = {"golden", "other", "golden/strip", "./other/twins/more"};
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++)
        assert_contains(run_fails(2, diff("golden", "other", "-o", trees[i]))->err, "choose another");
    static const char *const cases[] = {"golden", "other", "golden/strip", "other/strip/deeper"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_contains(run_fails(2, diff("golden/strip", "other/strip", "-o", cases[i]))->err, "choose another");
    assert_string_equal(snapshot("golden"), golden);
    assert_string_equal(snapshot("other"), other);
    assert_int_equal(chdir("golden/strip"), 0);
    diff_gives(1, ".", "../../other/strip", "-o", "../../out/diff");
    assert_int_equal(chdir("../.."), 0);
    assert_true(exists("out/diff/strip/0.250.heat.png"));
    assert_string_equal(snapshot("golden"), golden);
}

#define WALKER_IN FIXTURES "/walker/walker"
#define SMALL "--size", "64x64", "--time", "0.25"

SCRATCH_TEST(models_are_compared_clip_by_clip)
{
    const struct outcome *outcome = diff_gives(0, WALKER_IN ".glb", WALKER_IN ".glb", "--size", "64x64", "--samples", "3");
    assert_contains(outcome->out, "3 cases, all good\n");
    assert_string_equal(scratch_listing(), "");
    outcome = diff_gives(0, WALKER_IN ".glb", WALKER_IN ".glb", "--clip", "walk", SMALL, "-o", "out/diff");
    assert_string_equal(statuses("out/diff/results.json"), "walk pass");
    json_is("out/diff/results.json", "cases[0].times[0].label", "0.250", "cases[0].stages.draw.state", "passed");
    const char *said = strstr(outcome->out, "walker.glb against ");
    assert_true(said && !strstr(said + 1, "walker.glb against ")); /* once */
    assert_contains(outcome->out, "1 case, all good\n");
}

/* An artist makes changes: a clip is gone, another bone stands elsewhere. */
SCRATCH_TEST(a_changed_model_differs)
{
    copy_file(STRIP, "old.gltf");
    copy_file(STRIP, "new.gltf");
    diff_gives(0, "old.gltf", "new.gltf", SMALL);
    int clip = index_of("new.gltf", "animations", "name", "linear-rotation");
    tamper("new.gltf", at("animations[%d].name", clip), "\"renamed\"");
    const struct outcome *outcome = run_gives(1, diff("old.gltf", "new.gltf", SMALL, "-o", "out/diff"));
    assert_contains(outcome->out, "clip `linear-rotation` is only in old.gltf", "clip `renamed` is only in new.gltf");
    assert_null(strstr(outcome->out, "another setup"));
    copy_file(STRIP, "new.gltf");
    int tip = index_of("new.gltf", "nodes", "name", "tip");
    tamper("new.gltf", at("nodes[%d].translation", tip), "[0, 2.5, 0]");
    shell("mkdir -p out/diff/.golden/linear-rotation"); /* a run that was killed left this */
    spill("out/diff/.golden/linear-rotation/0.250.png", "half a picture");
    outcome = diff_gives(1, "old.gltf", "new.gltf", "--clip", "linear-rotation", SMALL, "-o", "out/diff");
    json_is("out/diff/results.json", "cases[0].stage", "import", "cases[0].times[0].image.state", "differs");
    assert_true(exists("out/diff/linear-rotation/0.250.golden.png") && exists("out/diff/linear-rotation/0.250.png"));
    assert_true(exists("out/diff/report.html") && !exists("out/diff/linear-rotation/golden"));
    json_is("out/diff/results.json", "cases[0].repeat", "null", "cases[0].accept", "null");
    assert_int_equal(system("ls -A out/diff | grep -q golden"), 256); /* the temporary folder is gone */
}

/* Centimetres and metres, one up axis and another. */
SCRATCH_TEST(models_of_two_formats_agree_as_points)
{
    const struct outcome *outcome =
        diff_gives(0, WALKER_IN ".glb", WALKER_IN ".fbx", "--clip", "walk", SMALL, "--agree", "1e-3");
    assert_contains(outcome->out, "walk: skin agrees; import, animate, palette, draw: the files are of different formats, glb and fbx\n");
    assert_contains(outcome->out, "1 case, all good as far as compared\n");
    outcome = diff_gives(1, STRIP, WALKER_IN ".dae", "--clip", "none", SMALL, "--agree", "1e-3", "--json");
    assert_string_equal(said(outcome, "cases[0].stage"), "skin");
}

SCRATCH_TEST(models_are_refused)
{
    write_accepted_suite("  - {name: linear-rotation, model: " STRIP ", clip: linear-rotation, times: [0.25]}\n");
    const char *golden = snapshot("golden");
    assert_contains(run_fails(2, diff(STRIP, STRIP, "--clip", "linear-rotation", "-o", "golden"))->err,
                    "was not written by a run");
    assert_string_equal(snapshot("golden"), golden);
    assert_contains(run_fails(2, diff(STRIP, STRIP, "--clip", "nobody"))->err, "has no clip `nobody`");
    assert_contains(run_fails(2, diff(STRIP, STRIP, "--time", "1", "--frames", "0..3"))->err, "only one of them");
    spill("broken.glb", "no model");
    assert_contains(run_fails(2, diff(STRIP, "broken.glb"))->err, "broken.glb");
    dump("0.25", "a.json");
    assert_contains(run_fails(2, diff("a.json", "a.json", "--clip", "walk"))->err, "two models");
    assert_contains(run_fails(2, diff("a.json", STRIP))->err, "a.json is a pose.json, but ");
}
