/* Cases that cannot run beside those that can; stages that a case asks for; Git LFS pointers; lists for programs. */

#include "suite_runs.h"

#define POINTER                                                                                                        \
    "version https://git-lfs.github.com/spec/v1\n"                                                                     \
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
#define IS_POINTER "is a Git LFS pointer: run `git lfs pull`"

/* A model of two files, with a texture in a third; the bytes are those of a triangle. */
static void write_textured(void)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}; /* cut short */
    static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    spill_bytes("model.bin", points, sizeof points);
    spill_bytes("model.png", png, sizeof png);
    spill("model.gltf",
          "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"uri\": \"model.bin\", \"byteLength\": 36}],\n"
          "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36}],\n"
          "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\", \"min\": [0, 0, 0], \"max\": [1, 1, 0]}],\n"
          "\"images\": [{\"uri\": \"model.png\"}], \"textures\": [{\"source\": 0}],\n"
          "\"materials\": [{\"pbrMetallicRoughness\": {\"baseColorTexture\": {\"index\": 0}}}],\n"
          "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"material\": 0}]}],\n"
          "\"nodes\": [{\"mesh\": 0}], \"scenes\": [{\"nodes\": [0]}], \"scene\": 0}\n");
}

SCRATCH_TEST(pointers_are_recognised_everywhere)
{
    static const char *const files[] = {"model.glb", "model.fbx", "model.obj", "model.md5mesh"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        spill(files[i], POINTER);
        assert_string_equal(rigproof_fails(2, "inspect", files[i])->err, at("error: %s " IS_POINTER "\n", files[i]));
    }
    write_textured();
    assert_null(strstr(rigproof_good("inspect", "model.gltf")->out, "LFS"));
    spill("model.png", POINTER);
    assert_contains(rigproof_good("inspect", "model.gltf")->out, "texture \"model.png\" cannot be read, a checker stands for it: it " IS_POINTER);
    spill("model.bin", POINTER);
    rigproof_refuses("model.bin " IS_POINTER, "inspect", "model.gltf");
    spill("side.obj", "mtllib side.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    spill("side.mtl", POINTER);
    assert_contains(rigproof_good("inspect", "side.obj")->out, "lfs-pointer: side.mtl " IS_POINTER);
    spill("suite.yaml", POINTER);
    assert_contains(check_fails(2, NULL)->err, "suite.yaml " IS_POINTER);
    spill("out.json", POINTER);
    rigproof_refuses("out.json " IS_POINTER, "report", "out.json");
    rigproof_refuses("out.json " IS_POINTER, "render", "side.obj", "--camera", "@out.json", "-o", "a.png");
    /* As long as one is, and not one. */
    spill("model.obj", "# version https://git-lfs.github.com/spec/v1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    rigproof_good("inspect", "model.obj");
}

SCRATCH_TEST(pointers_in_goldens_are_the_cases_error)
{
    static const char *const files[] = {"0.200.png", "0.200.pose.json", "recorded.json"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_accepted_suite(TWO_CASES);
        const char *path = at("golden/twins/%s", files[i]);
        spill(path, POINTER);
        check_gives(1, NULL);
        assert_statuses("strip pass, twins error");
        assert_contains(result_of("twins", "headline"), at("%s " IS_POINTER, path));
        copy_folder("golden/strip", "golden/twins"); /* to be accepted anew */
        unlink(path);
    }
}

/* A picture or a material that is one after the golden was made. */
SCRATCH_TEST(pointers_beside_a_model_are_the_reason)
{
    write_textured();
    rigproof_good("render", STRIP, "--size", "16x16", "-o", "model.png");
    spill("side.obj", "mtllib side.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n");
    spill("side.mtl", "newmtl red\nKd 1 0 0\n");
    write_accepted_suite("  - {name: textured, model: model.gltf, clip: none}\n  - {name: side, model: side.obj, clip: none}\n");
    spill("model.png", POINTER);
    spill("side.mtl", POINTER);
    check_gives(1, NULL);
    assert_contains(result_of("textured", "headline"), "texture `model.png` cannot be read, a checker stands for it: it " IS_POINTER);
    assert_contains(result_of("side", "headline"), "(warning `lfs-pointer` is new: side.mtl " IS_POINTER ")");
}

/* What is wrong with one case is told of that case; the others run, are reported, and can be accepted. */
SCRATCH_TEST(a_case_that_cannot_run_stops_no_other)
{
    write_suite("  - {name: gone, model: none.glb}\n"
                "  - {name: clips, model: " STRIP ", clips-from: none.glb}\n"
                "  - {name: camera, model: " STRIP ", camera: {saved: none.json}}\n"
                "  - {name: alone, model: " STRIP ", agrees_with: nobody}\n"
                "  - {name: follows, model: " STRIP ", agrees_with: gone}\n"
                "  - {name: known, model: none.glb, expect: fail, reason: not made yet}\n" TWO_CASES);
    const struct outcome *outcome = accept_gives(1, NULL);
    assert_contains(outcome->out, "gone: not accepted, it did not run to its end: ", "accepted 2 cases");
    outcome = check_gives(1, NULL);
    assert_statuses("gone error, clips error, camera error, alone error, follows error, known xfail, strip pass, twins pass");
    assert_contains(result_of("gone", "headline"), "model: there is no file `none.glb`");
    assert_contains(result_of("alone", "headline"), "agrees_with: no case `nobody`");
    assert_contains(result_of("follows", "headline"), "agrees_with: `gone` cannot run: ");
    assert_contains(slurp("out/check/junit.xml", NULL), "none.glb");
    assert_contains(slurp("out/check/report.html", NULL), "none.glb");
    outcome = check_gives(0, "--list", NULL);
    assert_contains(outcome->out, "cannot run: suite.yaml:");
    check_gives(0, "--filter", "strip", NULL);
    mkdir("golden/lost", 0777); /* what is left of a golden is missing, not an error of the run */
    check_gives(1, NULL);
}

/* Outside of the repository nothing is looked for, whether it is there or not. */
SCRATCH_TEST(what_is_outside_is_refused_as_before)
{
    write_suite("  - {name: a, model: " STRIP "}\n");
    rigproof_refuses("is outside of", "check", "suite.yaml");
}

/* Nothing is on the picture, which says nothing of a case that asks for no picture. */
SCRATCH_TEST(who_asks_for_no_picture_gets_none_drawn)
{
    static const char cases[] = "  - {name: away, model: " STRIP ", clip: linear-rotation, times: [0, 0.25], stages: [palette, skin], "
                                "camera: {eye: [0, 0, 9], target: [0, 0, 99]}}\n";
    write_accepted_suite(cases);
    check_gives(0, NULL);
    result_is("away", "stages.skin.state", "passed", "stages.draw.summary", "not asked for");
    check_gives(1, "--stages", "palette,draw", NULL);
    assert_string_equal(result_of("away", "stage"), "draw");
}

/* A node of the golden's import and a bone of its poses are off: two owners, two verdicts. */
SCRATCH_TEST(stages_limit_a_case)
{
    write_accepted_suite("  - {name: all, model: " STRIP ", clip: linear-rotation, times: [0.25]}\n"
                         "  - {name: importer, model: " STRIP ", clip: linear-rotation, times: [0.25], stages: import}\n"
                         "  - {name: artist, model: " STRIP ", clip: linear-rotation, times: [0.25], stages: [palette, draw]}\n"
                         "  - {name: shader, model: " STRIP ", clip: linear-rotation, times: [0.25], stages: draw}\n");
    assert_contains(contents("golden/shader"), "0.250.pose.json"); /* goldens are whole */
    tamper(import_of("golden/all"), "meshes[0].vertices", "17");
    check_gives(1, NULL);
    assert_statuses("all fail, importer fail, artist pass, shader pass");
    result_is("artist", "stages.import.summary", "not asked for", "stages.palette.state", "passed");
    assert_string_equal(result_of("importer", "stages.draw.state"), "not-compared");
    for (int i = 0; i < 4; i++) {
        static const char *const names[] = {"all", "importer", "artist", "shader"};
        tamper(at("golden/%s/0.250.pose.json", names[i]), "palette[1].matrix[3]", "9");
    }
    check_gives(1, NULL);
    assert_statuses("all fail, importer fail, artist fail, shader pass");
    result_is("artist", "stage", "palette", "stages.animate.state", "not-compared");
    check_gives(0, "--stages", "animate,draw", NULL);
    assert_string_equal(result_of("all", "stages.palette.summary"), "not asked for");
    assert_contains(result_of("all", "repeat"), " --stages animate,draw");
    check_gives(1, "--stages", "palette", "--filter", "shader", NULL);
}

SCRATCH_TEST(lists_are_for_programs)
{
    write_suite("  - {name: turn, model: " STRIP ", clip: 4, times: auto, samples: 3, tags: [x]}\n"
                "  - {name: gone, model: none.glb, stages: [draw]}\n"
                "  - {name: later, model: none.glb, skip: true, reason: slow}\n"
                "  - {name: same, model: " STRIP ", clip: 4, agrees_with: turn}\n");
    assert_contains(check_fails(2, "--json", NULL)->err, "add --list");
    const struct outcome *outcome = check_gives(0, "--list", "--json", NULL);
    said_is(outcome, "format", "rigproof.list/1", "cases[0].clip", "linear-rotation", "cases[0].times", "[0,0.5,2]",
            "cases[0].settings.size", "64x64", "cases[0].golden", "golden/turn", "cases[0].has_golden", "false");
    assert_contains(said(outcome, "cases[1].error"), "there is no file `none.glb`");
    said_is(outcome, "cases[1].stages", "[\"draw\"]", "cases[2].skip", "slow", "cases[2].error", "null",
            "cases[3].agrees_with", "turn", "cases[3].times", "[0,0.5,2]");
    accept("--filter", "turn", NULL);
    said_is(check_gives(0, "--list", "--json", "--filter", "turn", NULL), "cases[0].has_golden", "true");
}

/* A case is told of them, and is none the worse for it. */
SCRATCH_TEST(times_beyond_the_clip_are_a_note)
{
    write_accepted_suite("  - {name: a, model: " STRIP ", clip: linear-rotation, times: [0.25, 5]}\n");
    assert_contains(check_gives(0, NULL)->out, "pass     a  of 2 times 5 s is beyond the end of `linear-rotation` (2 s)");
    result_is("a", "findings[0].benign", "true",
              "findings[0].text", "of 2 times 5 s is beyond the end of `linear-rotation` (2 s): it is wrapped to 1 s");
}
