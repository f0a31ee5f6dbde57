/* The user's own shaders, as a user has them: what is said of faulty ones, what check says of wrong ones, and that the
 * examples in fixtures/shaders do what they are examples of. */
#include "cli/pictures.h"

#include <jansson.h>

#include "suite_runs.h"

#define EXAMPLES FIXTURES "/shaders"
#define SMALL "--size", "64x64", "-o", "out.png"

/* A copy of a file in which the first `old` is `new`. */
static void copy_edited(const char *from, const char *to, const char *old, const char *new)
{
    const char *text = slurp(from, NULL), *place = strstr(text, old);
    if (!place)
        fail_msg("%s has no `%s`", from, old);
    SCOPED(text) out = {0};
    text_add_bytes(&out, text, (size_t)(place - text));
    text_addf(&out, "%s%s", new, place + strlen(old));
    spill(to, text_string(&out));
}

/* Folder `mine` with an example's file, edited. */
static void edit_example(const char *example, const char *file, const char *old, const char *new)
{
    copy_edited(at(EXAMPLES "/%s/%s", example, file), at("mine/%s", file), old, new);
}

static void file_of_mine(const char *file, const char *content)
{
    spill(at("mine/%s", file), content);
}

/* The driver's message with the file's name, the lines with their numbers, and one line to end with. */
SCRATCH_TEST(compile_errors_show_the_source)
{
    edit_example("learnopengl", "skin.vert", "vec4 place = vec4(0.0);", "vec4 place = vec5(0.0);");
    const struct outcome *run = rigproof_gives(2, "render", WALKER, "--shaders", "mine", SMALL);
    assert_contains(run->err, "error: mine/skin.vert does not build:\nmine/skin.vert:", "\n#define RIGPROOF 1\n",
                    "\nmine/skin.vert:1     #version 330 core\n", "     vec4 place = vec5(0.0);\n",
                    "\nerror: shader mine/skin.vert does not compile: mine/skin.vert:");
    assert_string_equal(run->out, "");
    assert_string_equal(scratch_listing(), "mine");
    remove("mine/skin.vert"); /* in a file that is included, and in ours that includes one of theirs */
    file_of_mine("light.glsl", "\n\nvec3 light() { return none; }\n");
    file_of_mine("lit.frag", "#version 330 core\n#include \"surface.glsl\"\n#include \"light.glsl\"\n"
                             "void main() { write_linear(light(), 1.0); }\n");
    run = rigproof_gives(2, "render", WALKER, "--shaders", "mine", SMALL);
    assert_contains(run->err, "\nmine/light.glsl:3     vec3 light() { return none; }\n");
    assert_contains(run->err, "\nerror: shader mine/lit.frag does not compile: mine/light.glsl:3");
    assert_null(strstr(run->err, "surface.glsl:1 "));
}

SCRATCH_TEST(faults_are_one_line)
{
    rigproof_refuses("none-such", "render", WALKER, "--shaders", "none-such", SMALL);
    edit_example("learnopengl", "skin.vert", "MAX_BONES = 100", "MAX_BONES = 12");
    rigproof_refuses("error: mesh \"body-0\" has 30 bones, finalBonesMatrices of mine/skin.vert holds 12\n", "render",
                     WALKER, "--shaders", "mine", SMALL);
    rigproof_refuses("finalBonesMatrices of mine/skin.vert holds 12", "turntable", WALKER, "--shaders", "mine",
                     "--frames", "2", "-o", "{frame}.png");
    assert_string_equal(scratch_listing(), "mine");
}

SCRATCH_TEST(a_look_is_drawn_in_every_command)
{
    file_of_mine("lit.frag", "#version 330 core\nout vec4 pixel;\nvoid main() { pixel = vec4(1.0, 0.5, 0.0, 1.0); }\n");
    rigproof_good("render", WALKER, "--time", "0.2", "--size", "64x64", "--shaders", "mine", "-o", "one.png");
    rigproof_good("render", WALKER, "--time", "0.1,0.2", "--size", "64x64", "--shaders", "mine", "-o", "{time}.png");
    rigproof_good("turntable", WALKER, "--time", "0.2", "--size", "64x64", "--frames", "2", "--shaders", "mine", "-o", "t{frame}.png");
    static const char *const pictures[] = {"one.png", "0.100.png", "0.200.png", "t0.png", "t1.png"};
    for (int i = 0; i < 5; i++) {
        SCOPED(image) image = read_picture(pictures[i]);
        static const uint8_t orange[4] = {255, 128, 0, 255};
        size_t all = (size_t)image.width * image.height, others = count_others(&image, orange);
        if (others > all - 100)
            fail_msg("%s: %zu of %zu pixels are not orange", pictures[i], others, all);
    }
    rigproof_good("render", WALKER, "--time", "0.2", "--size", "64x64", "--view", "unlit", "--shaders", "mine", "-o", "theirs.png");
    rigproof_good("render", WALKER, "--time", "0.2", "--size", "64x64", "--view", "unlit", "-o", "ours.png");
    assert_same_files("theirs.png", "ours.png");
}

/* The example of shaders/README.md, cut out of it. */
SCRATCH_TEST(the_contracts_example_works)
{
    char *source = strstr(slurp(FIXTURES "/../shaders/README.md", NULL), "```glsl\n");
    assert_non_null(source);
    *strstr(source + 8, "```") = '\0';
    file_of_mine("skin.vert", source + 8);
    file_of_mine("unlit.frag", "#version 330 core\nout vec4 pixel;\nvoid main() { pixel = vec4(1.0); }\n");
    assert_string_equal(rigproof_good("render", WALKER, "--view", "unlit", "--shaders", "mine", SMALL)->err, "");
    SCOPED(image) image = read_picture("out.png");
    static const uint8_t white[4] = {255, 255, 255, 255};
    assert_true(count_others(&image, white) < 64 * 64 - 100);
}

#define WALK(shaders) "  - {name: walk, model: " WALKER ", clip: walk, times: [0.23], shaders: " shaders "}\n"

SCRATCH_TEST(wrong_skinning_is_the_stage_skin)
{
    static const struct {
        const char *old, *new;
    } faults[] = {
        {"blended += weights[3]", "blended += 0.0"},                                 /* the fourth weight */
        {"mat4 blended = weights[0] * gBones[bone_ids[0]]",
         "mat4 blended = weights[0] * transpose(gBones[bone_ids[0]])"},              /* rows for columns */
        {"gBones[bone_ids[1]]", "gBones[bone_ids[1] + 1u]"},                         /* another bone */
        {NULL, NULL},
    };
    write_accepted_suite(WALK(EXAMPLES "/ogldev"));
    check_gives(0, NULL);
    write_suite(WALK("mine"));
    for (int i = 0; faults[i].new; i++) {
        edit_example("ogldev", "skin.vert", faults[i].old, faults[i].new);
        check_gives(1, NULL);
        result_is("walk", "status", "fail", "stage", "skin");
        assert_contains(result_of("walk", "headline"), "the GPU puts vertex ");
    }
}

/* The last check's only case: one explanation of one cause, with that in its detail, or with NULL none. */
static void require_cause(const char *cause, const char *detail)
{
    json_t *root = json_load_file("out/check/results.json", 0, NULL), *one = json_array_get(json_object_get(root, "cases"), 0);
    json_t *all = json_object_get(one, "causes"), *causes = json_object_get(json_array_get(all, 0), "causes"), *first = json_array_get(causes, 0);
    const char *id = json_string_value(json_object_get(first, "id")), *words = json_string_value(json_object_get(first, "detail"));
    if (json_array_size(all) != (cause ? 1 : 0) || json_array_size(causes) != (cause ? 1 : 0) || (cause && strcmp(id, cause) != 0) ||
        (cause && !strstr(words ? words : "", detail)))
        fail_msg("%zu explanations, not %s (%s): %s (%s)", json_array_size(all), cause, detail, id, words);
    assert_null(json_object_get(one, "causes_of_golden"));
    json_decref(root);
}

/* Where the mistake is no cause of the table, none is named. */
SCRATCH_TEST(mistakes_of_a_shader_are_named)
{
    static const struct {
        const char *old, *new, *cause, *detail;
    } faults[] = {
        {"blended += weights[2] * gBones[bone_ids[2]];\n    blended += weights[3] * gBones[bone_ids[3]];", "", "influence-dropped",
         "the first 2 "},
        {"(blended * vec4(position, 1.0))", "(vec4(position, 1.0) * blended)", "transposed", "vector x matrix, of positions alone"},
        {"mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * n", "m * n", "normal-by-position-matrix", ""},
        {"in vec4 weights;", "in uvec4 a_weights;\n#define weights vec4(a_weights)", "byte-weights-not-divided", ""},
        {"gBones[bone_ids[0]]", "gBones[bone_ids[1]]", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        write_suite(WALK("mine"));
        edit_example("ogldev", "skin.vert", faults[i].old, faults[i].new);
        check_gives(1, NULL);
        require_cause(faults[i].cause, faults[i].detail);
    }
    write_suite(WALK("{dir: " EXAMPLES "/printed-learnopengl-normals, outputs: {Normal: normal}}"));
    check_gives(1, NULL);
    require_cause("normal-by-position-matrix", "that of the last bone alone");
    write_suite(WALK("{dir: " EXAMPLES "/printed-ogldev, outputs: {Normal0: normal}}"));
    check_gives(1, NULL);
    require_cause("normal-by-position-matrix", "");
}

/* As large as the picture shows it: nothing, noise, a change. */
SCRATCH_TEST(a_changed_look_is_the_stage_draw)
{
    static const struct {
        const char *old, *new, *status;
        int exit_code;
    } edits[] = {
        {"// A look", "// The look", "pass", 0},
        {"? 0.6 :", "? 0.602 :", "drift", 0},
        {"? 0.6 :", "? 0.3 :", "fail", 1},
    };
    write_accepted_suite(WALK(EXAMPLES "/toon"));
    assert_string_equal(json_at("golden/walk/recorded.json", "options.shaders"), "toon");
    write_suite(WALK("mine"));
    for (int i = 0; i < 3; i++) {
        edit_example("toon", "lit.frag", edits[i].old, edits[i].new);
        check_gives(edits[i].exit_code, NULL);
        assert_string_equal(result_of("walk", "status"), edits[i].status);
    }
    result_is("walk", "stage", "draw", "stages.skin.state", "passed");
}

/* A folder is seen from the suite's; a case may go back to ours; one worker draws all of them. */
SCRATCH_TEST(cases_have_their_own)
{
    file_of_mine("lit.frag", "#version 330 core\nout vec4 pixel;\nvoid main() { pixel = vec4(1.0, 0.0, 0.0, 1.0); }\n");
    spill("blue/lit.frag", "#version 330 core\nout vec4 pixel;\nvoid main() { pixel = vec4(0.0, 0.0, 1.0, 1.0); }\n");
    spill("suite.yaml", "version: 1\ngoldens: golden\ndefaults: {size: [64, 64], times: [0.5], shaders: mine}\ncases:\n"
                        "  - {name: red, model: " STRIP ", clip: linear-rotation}\n"
                        "  - {name: blue, model: " STRIP ", clip: linear-rotation, shaders: blue}\n"
                        "  - {name: ours, model: " STRIP ", clip: linear-rotation, shaders: none}\n"
                        "  - {name: red-again, model: " STRIP ", clip: linear-rotation}\n");
    accept_gives(0, "-j", "1", NULL);
    rigproof_good("render", STRIP, "--clip", "linear-rotation", "--times", "0.5", "--size", "64x64", "-o", "ours.png");
    static const uint8_t colors[2][4] = {{255, 0, 0, 255}, {0, 0, 255, 255}};
    for (int i = 0; i < 2; i++) {
        SCOPED(image) image = read_picture(i ? "golden/blue/0.500.png" : "golden/red/0.500.png");
        assert_true(count_others(&image, colors[i]) < 64 * 64 - 50);
    }
    assert_same_files("golden/red/0.500.png", "golden/red-again/0.500.png");
    rigproof_good("diff", "golden/ours/0.500.png", "ours.png");
    assert_string_equal(json_at("golden/red/recorded.json", "options.shaders"), "mine");
    assert_string_equal(json_at("golden/ours/recorded.json", "options.shaders"), "none");
    assert_string_not_equal(json_at("golden/red/recorded.json", "fingerprint.shaders"),
                            json_at("golden/ours/recorded.json", "fingerprint.shaders"));
    check_gives(0, "-j", "1", NULL);
    assert_statuses("red pass, blue pass, ours pass, red-again pass");
    size_t size; /* the run's fingerprint is of what all cases have in common */
    char *results = slurp("out/check/results.json", &size);
    *strstr(results, "\"cases\"") = '\0';
    assert_contains(results, "\"renderer\"");
    assert_null(strstr(results, "\"shaders\""));
}

SCRATCH_TEST(faults_are_a_cases_error)
{
    file_of_mine("lit.frag", "#version 330 core\nvoid main() { nothing(); }\n");
    write_suite("  - {name: bad, model: " STRIP ", times: [0.5], shaders: mine}\n"
                "  - {name: good, model: " STRIP ", times: [0.5], shaders: " EXAMPLES "/toon}\n");
    accept_gives(1, NULL);
    check_gives(1, NULL);
    assert_string_equal(result_of("bad", "status"), "error");
    assert_contains(result_of("bad", "headline"), "shader mine/lit.frag does not compile: mine/lit.frag:2");
    assert_string_equal(result_of("good", "status"), "pass");
    write_suite("  - {name: bad, model: " STRIP ", times: [0.5], shaders: mines}\n");
    check_gives(1, NULL);
    assert_contains(result_of("bad", "headline"), "shaders: cannot open the folder mines");
    spill("sub/suite.yaml", "version: 1\ncases:\n  - {name: a, model: x.gltf, shaders: /usr}\n");
    spill("sub/x.gltf", "{}");
    rigproof_refuses("shaders: `/usr` is outside of ", "check", "sub/suite.yaml");
}

/* Once a run, whoever ran what: in results.json and in each report. */
SCRATCH_TEST(what_is_not_set_is_told_once)
{
    static const char *const jobs[] = {"1", "4"};
    static const char tint[] = "uniform `tint` (vec3) of mine/lit.frag is not one that rigproof sets: it stays 0";
    const char *results[2];
    file_of_mine("lit.frag", "#version 330 core\nuniform vec3 tint;\nuniform sampler2D noise;\nout vec4 pixel;\n"
                             "void main() { pixel = vec4(tint + 0.5 * texture(noise, vec2(0)).xyz, 1.0); }\n");
    write_suite("  - {name: a, model: " STRIP ", clip: linear-rotation, times: [0.5], shaders: mine}\n"
                "  - {name: b, model: " WALKER ", clip: walk, times: [0.5], shaders: mine}\n"
                "  - {name: c, model: " STRIP ", clip: linear-scale, times: [0.5], shaders: mine}\n");
    const struct outcome *accepted = accept_gives(0, NULL);
    assert_int_equal(count_lines(accepted->err), 2);
    assert_contains(accepted->err, tint);
    for (int i = 0; i < 2; i++) {
        const struct outcome *outcome = check_gives(0, "-j", jobs[i], NULL);
        assert_string_equal(outcome->err, "");
        assert_contains(outcome->out, "Your shaders:\n", tint);
        assert_null(strstr(strstr(outcome->out, tint) + 1, tint));
        results[i] = slurp("out/check/results.json", NULL);
        assert_contains(slurp("out/check/junit.xml", NULL), "shader-warning");
        assert_contains(slurp("out/check/report.html", NULL), tint);
    }
    assert_string_equal(results[0], results[1]);
    static const char list[] =
        "\"shader_warnings\": [\n"
        "  \"uniform `noise` (sampler2D) of mine/lit.frag is not one that rigproof sets: it reads mid-grey\",\n"
        "  \"uniform `tint` (vec3) of mine/lit.frag is not one that rigproof sets: it stays 0\"\n ],";
    assert_contains(results[0], list);
    rigproof_good("report", "out/check/results.json", "out/check/results.json", "-o", "merged");
    assert_contains(slurp("merged/results.json", NULL), list);
}

/* Maps that are neutral where they are mid-grey: the picture is ours. */
SCRATCH_TEST(samplers_of_an_engine_are_neutral)
{
    rigproof_good("render", WALKER, "--time", "0.2", "--size", "64x64", "--view", "unlit", "-o", "ours.png");
    const struct outcome *outcome = rigproof_good("render", WALKER, "--time", "0.2", "--size", "64x64", "--view", "unlit",
                                                  "--shaders", EXAMPLES "/detail", "-o", "theirs.png");
    assert_int_equal(count_lines(outcome->err), 3); /* two samplers, an output */
    rigproof_good("diff", "ours.png", "theirs.png");
}

#define MAPPED EXAMPLES "/mapped"

/* What names stand for is said on the command line or in a suite, to the same effect; without it nothing is to be seen. */
SCRATCH_TEST(maps_are_the_same_in_suites)
{
    write_suite("  - name: mapped\n    model: " STRIP "\n    clip: linear-rotation\n    times: [0.5]\n    view: unlit\n    shaders:\n"
                "      dir: " MAPPED "\n      attributes: {slot_a: bones, slot_b: weights, slot_c: position}\n"
                "      uniforms: {pose_now: bones, lens: view_projection, beat: time, tint: [0.9, 0.6, 0.2]}\n");
    accept_gives(0, NULL);
    check_gives(0, NULL);
    assert_string_equal(json_at("golden/mapped/recorded.json", "options.shader-map"),
                        "slot_a=bones,slot_b=weights,slot_c=position,pose_now=bones,lens=view_projection,beat=time,tint=0.9:0.6:0.2");
    rigproof_good("render", STRIP, "--clip", "linear-rotation", "--time", "0.5", "--size", "64x64", "--view", "unlit", "--shaders", MAPPED,
                  "--shader-map", "slot_a=bones,slot_b=weights,slot_c=position,pose_now=bones,lens=view_projection,beat=time,tint=0.9:0.6:0.2",
                  "-o", "mine.png");
    rigproof_good("diff", "golden/mapped/0.500.png", "mine.png");
}

/* Of a camera that stays 0: told by name in render, without a picture, and in check. */
SCRATCH_TEST(an_empty_picture_is_a_failure)
{
    static const char why[] = "the uniform `my_eye` (mat4) of mine/skin.vert stays 0";
    file_of_mine("skin.vert", "#version 330 core\nin vec3 aPos;\nuniform mat4 my_eye;\nvoid main() { gl_Position = my_eye * vec4(aPos, 1.0); }\n");
    const struct outcome *run = rigproof_gives(1, "render", WALKER, "--view", "unlit", "--shaders", "mine", SMALL);
    assert_contains(run->err, "error: the picture at 0 s is empty: ", why);
    assert_string_equal(scratch_listing(), "mine");
    rigproof_good("render", WALKER, "--view", "unlit", "--shaders", "mine", "--shader-map", "my_eye=view_projection", SMALL);
    write_suite("  - {name: blank, model: " STRIP ", clip: linear-rotation, times: [0.5], stages: [draw], view: unlit, shaders: mine}\n");
    check_gives(1, NULL);
    assert_contains(slurp("out/check/results.json", NULL), why);
    file_of_mine("lit.frag", "#version 330 core\nuniform float opacity;\nout vec4 c;\nvoid main() { c = opacity * vec4(1.0); }\n");
    assert_int_equal(remove("mine/skin.vert"), 0); /* what is 0 in all channels is not seen */
    run = rigproof_gives(1, "render", WALKER, "--shaders", "mine", SMALL);
    assert_contains(run->err, "the uniform `opacity` (float) of mine/lit.frag stays 0");
}

SCRATCH_TEST(maps_that_say_nothing_are_refused)
{
    static const char *const options[][2] = {
        {"x", "--shader-map: `x` is not NAME=WHAT, as in a_joints=bones or u_tint=1:0:0"},
        {"x=bone", "--shader-map: `bone` is nothing that a shader is given; there are: position, normal, "},
        {"x=time,x=1", "--shader-map: `x` is there twice"},
    };
    static const char *const suites[][2] = {
        {"{uniforms: {a: time}}", "shaders: `dir` is missing"},
        {"{dir: mine, uniforms: {a: [1, b]}}", "`1:b` is nothing that a shader is given"},
        {"{dir: mine, uniforms: [1]}", "shaders.uniforms"},
        {"{dir: mine, tints: {}}", "unknown key `tints`"},
    };
    file_of_mine("lit.frag", "#version 330 core\nout vec4 pixel;\nvoid main() { pixel = vec4(1.0); }\n");
    for (int i = 0; i < 3; i++)
        rigproof_refuses(options[i][1], "render", WALKER, "--shaders", "mine", "--shader-map", options[i][0], SMALL);
    for (int i = 0; i < 4; i++) {
        spill("x.gltf", "{}");
        write_suite(at("  - {name: a, model: x.gltf, shaders: %s}\n", suites[i][0]));
        rigproof_refuses(suites[i][1], "check", "suite.yaml");
    }
}

/* golden/suite.yaml, with shaders for all cases that have none of their own. */
static void write_project_suite(const char *example)
{
    assert_int_equal(system(at("sed -e 's#\\.\\./fixtures/#" FIXTURES "/#g; s#goldens: \\.$#goldens: " FIXTURES "/../golden#' "
                               "-e 's#saved: #saved: " FIXTURES "/../golden/#; s#\\.\\./tests/#" FIXTURES "/../tests/#g' "
                               "-e 's#^defaults:$#&\\n  shaders: " EXAMPLES "/%s#' '" FIXTURES "'/../golden/suite.yaml >suite.yaml",
                               example)), 0);
}

/* Says if one of the words, with blanks between, stands in the name. */
static bool is_excepted(const char *name, const char *words)
{
    char word[64];
    for (const char *c = words; *c; c += strcspn(c, " "), c += *c == ' ') {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(c, " "), c);
        if (strstr(name, word))
            return true;
    }
    return false;
}

/* What the contract of each leaves out: dual quaternions, views of weights, bones and numbers, normal maps; and what it is too narrow for. */
#define ALL_LEAVE_OUT "tangents dual view-weight view-bones view-influences-sheaf view-displacement view-stretch view-speed studio-emboss"
#define TUTORIALS_LEAVE_OUT ALL_LEAVE_OUT " morph shapes crowd view-depth-near sheaf-8 sheaf-all"

/* Positions and normals agree with the CPU, pixels with those of our own shaders, or nearly. */
static void passes_the_projects_suite(const char *example, const char *leaves_out)
{
    write_project_suite(example);
    check_gives(1, "-f", "!strip-*", "-f", "!walker-[abmrt]*", "-f", "!*-agrees", "-f", "!mended-*", "-f", "!fbx-*", NULL);
    for (const char *c = statuses("out/check/results.json"); *c; c += strcspn(c, ","), c += strspn(c, ", ")) {
        char name[128], status[32];
        assert_int_equal(sscanf(c, "%127s %31[a-z-]", name, status), 2);
        bool agrees = strcmp(status, "pass") == 0 || strcmp(status, "drift") == 0;
        bool excepted = is_excepted(name, leaves_out) && strncmp(name, "shaders-", 8) != 0;
        if (strcmp(status, "skip") != 0 && agrees == excepted)
            fail_msg("%s: case %s: %s", example, name, status);
    }
}

SCRATCH_TEST(learnopengl_passes)
{
    passes_the_projects_suite("learnopengl", TUTORIALS_LEAVE_OUT);
}

SCRATCH_TEST(ogldev_passes)
{
    passes_the_projects_suite("ogldev", TUTORIALS_LEAVE_OUT " view-influences");
}

SCRATCH_TEST(engine_passes)
{
    passes_the_projects_suite("engine", ALL_LEAVE_OUT " view-influences");
}
