/* init: the suite that models would have, which must then be one. */

#include "suite_runs.h"

BEFORE_EACH
{
    mkdir(".git", 0777); /* models beside the suite are in its tree */
    mkdir("models", 0777);
}

static void put(const char *fixture, const char *name)
{
    copy_file(at(FIXTURES "/%s", fixture), at("models/%s", name));
}

/* The suite is taken as it is: goldens can be accepted, and pass, without a note on stderr. */
static void assert_works(const char *suite, const char *expected)
{
    assert_string_equal(rigproof_good("accept", suite, "--missing")->err, "");
    assert_string_equal(rigproof_good("check", suite)->err, "");
    assert_statuses(expected);
}

/* Without a model named those here are taken, without a "./" before their names. */
SCRATCH_TEST(the_folder_here_is_the_default)
{
    put("pieces/body.glb", "body.glb");
    assert_contains(rigproof_good("init")->out, "models/body.glb: 4 bones, 0 clips\nsuite.yaml: 1 case\n");
    assert_works("suite.yaml", "body-rest pass");
    unlink("models/body.glb");
    rigproof_refuses("init: no model is in the folder `.`", "init", "-o", "other.yaml");
}

SCRATCH_TEST(a_folder_becomes_a_suite)
{
    put("walker/walker.fbx", "walker.fbx");
    put("walker/walker.glb", "walker.glb");
    put("pieces/body.glb", "body.glb");
    put("walker/truth/rest.obj", "prop.obj");
    spill("models/readme.txt", "no model");
    const struct outcome *run = rigproof_good("init", "models");
    assert_string_equal(run->err, "");
    assert_contains(run->out, "models/body.glb: 4 bones, 0 clips\nmodels/walker.glb: 30 bones, 3 clips: idle, walk, wave");
    assert_contains(run->out, "\nmodels/walker.fbx: 30 bones, 3 clips: rig|idle, rig|walk, rig|wave; repaired: fbx-");
    assert_contains(run->out, "; agrees with walker.glb\n"
                              "left out, without bones and clips (--static takes them): 1 model: models/prop.obj\n"
                              "suite.yaml: 7 cases\n\n"
                              "next\n"
                              "  rigproof accept suite.yaml --missing\n"
                              "  look at the pictures, goldens/*/*.png, before you commit them\n"
                              "  rigproof check suite.yaml\n"
                              "  (.gitignore leaves out/ out, where reports are written)\n");
    assert_string_equal(slurp(".gitignore", NULL), "out/\n");
    assert_string_equal(
        slurp("suite.yaml", NULL),
        "# What is tested: models, clips, times. `rigproof init` wrote it once, from here on it is yours.\n"
        "# Every key: formats.md of rigproof's docs, installed in share/doc/rigproof.\n"
        "version: 1\n"
        "goldens: goldens\n\n"
        "defaults:              # for every case that does not say otherwise\n"
        "  size: 256x256\n"
        "  times: {even: 5}     # of each clip, from its beginning to its end\n\n"
        "cases:\n"
        "  # body.glb: 4 bones, 0 clips\n"
        "  - name: body-rest\n    model: models/body.glb\n    clip: rest\n\n"
        "  # walker.glb: 30 bones, 3 clips\n"
        "  - name: walker-idle\n    model: models/walker.glb\n    clip: idle\n"
        "  - name: walker-walk\n    model: models/walker.glb\n    clip: walk\n"
        "  - name: walker-wave\n    model: models/walker.glb\n    clip: wave\n\n"
        "  # walker.fbx: 30 bones, 3 clips\n"
        "  - name: walker-fbx-idle\n    model: models/walker.fbx\n    clip: rig|idle\n"
        "    agrees_with: {case: walker-idle, unit: 0.01}\n"
        "  - name: walker-fbx-walk\n    model: models/walker.fbx\n    clip: rig|walk\n"
        "    agrees_with: {case: walker-walk, unit: 0.01}\n"
        "  - name: walker-fbx-wave\n    model: models/walker.fbx\n    clip: rig|wave\n"
        "    agrees_with: {case: walker-wave, unit: 0.01}\n\n"
        "# Left out, without bones and clips (--static takes them):\n#   models/prop.obj\n");
    assert_works("suite.yaml",
                 "body-rest pass, walker-idle pass, walker-walk pass, walker-wave pass, walker-fbx-idle pass, "
                 "walker-fbx-walk pass, walker-fbx-wave pass");
    rigproof_good("check", "suite.yaml", "--strict");
}

SCRATCH_TEST(nothing_is_overwritten)
{
    put("twins/twins.gltf", "twins.gltf");
    spill("suite.yaml", "mine");
    assert_int_equal(symlink("nowhere", "link.yaml"), 0);
    rigproof_refuses("suite.yaml is there already, and init overwrites nothing; --add adds to it, -o names another",
                     "init", "models");
    rigproof_fails(2, "init", "models", "-o", "link.yaml");
    assert_string_equal(slurp("suite.yaml", NULL), "mine");
    assert_false(exists("nowhere"));
    const struct outcome *printed = rigproof_good("init", "models", "-o", "-");
    assert_contains(printed->err, "1 case\n");
    rigproof_good("init", "models", "-o", "new/twins.yaml");
    assert_contains(slurp("new/twins.yaml", NULL), "goldens: twins-goldens\n", "model: ../models/twins.gltf\n");
    assert_contains(printed->out, "model: models/twins.gltf\n"); /* for a file in the working folder */
    assert_works("new/twins.yaml", "twins-turn pass");
    assert_true(exists("new/twins-goldens/twins-turn/recorded.json"));
}

SCRATCH_TEST(operands_mean_models)
{
    put("twins/twins.gltf", "twins.gltf");
    put("twins/twins.gltf", "deep/other.gltf");
    put("pieces/body.glb", "deep/body.glb");
    assert_contains(rigproof_good("init", "models/*.gltf", "-o", "-")->err, "suite: 1 case\n");
    assert_contains(rigproof_good("init", "models/**/*.gltf", "-o", "-")->err, "suite: 2 cases\n");
    assert_contains(rigproof_good("init", "./models", "models/deep", "models/twins.gltf", "-o", "-")->err,
                    "suite: 3 cases\n");
    rigproof_refuses("no file or folder `nothing`", "init", "nothing");
    rigproof_refuses("no model file matches `models/*.fbx`", "init", "models/*.fbx");
    rigproof_refuses("no model is in the folder `.git`", "init", ".git");
    rigproof_refuses("--times is even:N or keys", "init", "models", "--times", "0,1");
    assert_false(exists("suite.yaml"));
}

/* As a shell writes models and a star behind: more than a few hundred, of which most are something else. */
SCRATCH_TEST(a_glob_of_the_shell_means_its_models)
{
    put("twins/twins.gltf", "twins.gltf");
    put("twins/twins.gltf", "bend.xml"); /* Ogre's, or anything */
    spill("models/textures/bark.png", "a picture");
    for (int i = 0; i < 300; i++)
        spill(at("models/note-%03d.txt", i), "no model");
    assert_int_equal(system("'" RIGPROOF_BINARY "' init models/* >said 2>&1"), 0);
    const char *said = slurp("said", NULL);
    assert_contains(said, "left out, not models: 301 files: models/bend.xml, models/note-000.txt, ",
                    "left out, no model below: 1 folder: models/textures\n", "suite.yaml: 1 case\n");
    const struct outcome *none = rigproof_gives(2, "init", "models/note-000.txt", "models/textures", "-o", "b.yaml");
    assert_contains(none->out, "left out, not models: 1 file: models/note-000.txt\n");
    assert_contains(none->err, "init: nothing to test was found");
}

SCRATCH_TEST(a_broken_model_is_a_line)
{
    put("broken/truncated.glb", "a.glb");
    put("twins/twins.gltf", "b.gltf");
    const struct outcome *run = rigproof("init", "models", NULL);
    assert_int_equal(run->status, 1);
    assert_contains(run->err, "error: import of models/a.glb: ");
    assert_int_equal(count_lines(run->err), 1);
    assert_contains(run->out, "models/b.gltf: 4 bones");
    assert_works("suite.yaml", "b-turn pass");
    unlink("models/b.gltf");
    assert_contains(rigproof("init", "models", "-o", "none.yaml", NULL)->err, "nothing to test was found");
    assert_false(exists("none.yaml"));
}

/* Else the first goldens would be of a checker, and nobody was told. */
SCRATCH_TEST(a_texture_that_is_not_there_is_told)
{
    put("broken/missing-texture.gltf", "bare.gltf");
    const struct outcome *run = rigproof_good("init", "models", "--static");
    assert_contains(run->err, "warning: models/bare.gltf: texture \"", "cannot be read, a checker stands for it: ");
}

SCRATCH_TEST(a_repair_is_named_once)
{
    const char *text = slurp(FIXTURES "/broken/joint-out-of-range.gltf", NULL), *at_meshes = strstr(text, "\"primitives\": [") + 15;
    const char *primitive = "{\"attributes\": {\"POSITION\": 0, \"JOINTS_0\": 3, \"WEIGHTS_0\": 4}, \"indices\": 5},";
    spill("models/two.gltf", at("%.*s%s%s", (int)(at_meshes - text), text, primitive, at_meshes));
    assert_contains(rigproof_good("init", "models")->out, "1 clip: bend; repaired: normalise-weights, unweighted\n");
}

/* Between keys FBX goes along Euler angles and glTF along arcs; another animation has goldens of its own, whatever its name. */
SCRATCH_TEST(only_what_agrees_agrees)
{
    put("walker/walker.glb", "walker.glb");
    put("walker/walker.fbx", "walker.fbx");
    put("walker/walker.glb", "x.glb");
    put("twins/twins.gltf", "x.gltf");
    put("broken/no-inverse-bind.glb", "moved.glb");
    put("broken/no-inverse-bind.gltf", "moved.gltf");
    put("broken/no-inverse-bind.glb", "same.glb");
    put("broken/no-inverse-bind.gltf", "same.gltf");
    tamper("models/moved.gltf", "nodes[2].translation", "[0.5, 2, 0]");
    const struct outcome *run = rigproof_good("init", "models", "--times", "even:11", "--size", "64x64");
    const char *suite = slurp("suite.yaml", NULL);
    assert_contains(suite, "    agrees_with: {case: walker-walk, unit: 0.01}\n    tolerance: {agree: 0.001}    # of "
                           "the radius; it was 0.0004:");
    assert_contains(suite, "  - name: x-gltf-turn\n    model: models/x.gltf\n    clip: turn\n");
    assert_null(strstr(suite, "agrees_with: x-"));
    assert_contains(
        suite, "  - name: same-gltf-bend\n    model: models/same.gltf\n    clip: bend\n    agrees_with: same-bend\n");
    assert_null(strstr(suite, "agrees_with: moved-"));
    assert_contains(run->out, "; 0 of 1 agree with moved.glb, others are up to 0.");
    rigproof_good("accept", "suite.yaml", "--missing");
    rigproof_good("check", "suite.yaml");
}

/* Models without anything that moves, without meshes, and static ones where they are asked for. */
SCRATCH_TEST(each_case_tests_something)
{
    put("strip/strip.gltf", "strip.gltf");
    put("pieces/steps.glb", "steps.glb");
    put("walker/truth/rest.obj", "prop.obj");
    rigproof_good("init", "models", "--static", "--size", "64x48", "--times", "even:3");
    const char *suite = slurp("suite.yaml", NULL);
    assert_contains(suite, "  size: 64x48\n  times: {even: 3} ", "clip: single\n    allow: still ",
                    "- name: steps\n    model: models/steps.glb\n    clip: steps\n    times: [0.000, 0.250, 0.500, 1.000] ",
                    "- name: prop-rest\n");
    rigproof_good("accept", "suite.yaml", "--missing");
    rigproof_good("check", "suite.yaml");
    rigproof_good("init", "models/steps.glb", "--times", "keys", "-o", "keys.yaml");
    assert_contains(slurp("keys.yaml", NULL), "  times: auto ");
    assert_works("keys.yaml", "steps pass");
}

/* All that is left out is in the suite, whose names may hold what YAML may not: U+FFFF, U+FEFF. Ogre's XML is a model. */
SCRATCH_TEST(names_are_written_as_yaml_reads_them)
{
    enum { PROPS = 12 };
    put("walker/walker.glb", "a\xef\xbf\xbf" "b\xef\xbb\xbf.glb");
    spill("models/ogre.mesh.xml", "<mesh/>");
    for (int i = 0; i < PROPS; i++)
        put("walker/truth/rest.obj", at("prop-%d.obj", i));
    assert_contains(rigproof_gives(1, "init", "models")->err, "models/ogre.mesh.xml");
    const char *suite = slurp("suite.yaml", NULL);
    assert_contains(suite, "model: \"models/a\\uffffb\\ufeff.glb\"\n");
    assert_contains(suite, "\n# Left out, without bones and clips (--static takes them):\n#   models/prop-0.obj\n");
    assert_contains(suite, "\n#   models/prop-11.obj\n");
    rigproof_good("check", "suite.yaml", "--list");
}

/* A triangle whose targets pulse between the eighths of a second that five even times are, each at a time of its own: 3/16, say. */
static void put_pulses(uint32_t targets)
{
    enum { KEYS = 33 };
    float values[9 + 9 + KEYS + KEYS * 24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0, 0, 0.5f, 0, 0, 0.5f};
    SCOPED(text) gltf = {0};
    for (int k = 0; k < KEYS; k++)
        values[18 + k] = (float)k / 32;
    for (uint32_t t = 0; t < targets; t++)
        values[18 + KEYS + (size_t)(1 + t + t / 7) * targets + t] = 1; /* not at 0, 8, 16, 24, 32 */
    spill_bytes("models/pulses.bin", values, sizeof(float) * (18 + KEYS + KEYS * targets));
    text_addf(&gltf, "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], "
              "\"nodes\": [{\"name\": \"face\", \"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"targets\": [");
    for (uint32_t t = 0; t < targets; t++)
        text_addf(&gltf, "%s{\"POSITION\": 1}", t ? ", " : "");
    text_addf(&gltf, "]}]}], \"animations\": [{\"name\": \"pulse\", \"samplers\": [{\"input\": 2, \"output\": 3}], \"channels\": [{\"sampler\": 0, "
              "\"target\": {\"node\": 0, \"path\": \"weights\"}}]}], \"buffers\": [{\"uri\": \"pulses.bin\", \"byteLength\": %u}], \"bufferViews\": [{\"buffer\": 0, "
              "\"byteLength\": 36}, {\"buffer\": 0, \"byteOffset\": 36, \"byteLength\": 36}, {\"buffer\": 0, \"byteOffset\": 72, \"byteLength\": %u}, {\"buffer\": 0, "
              "\"byteOffset\": %u, \"byteLength\": %u}], \"accessors\": [", 72 + 4 * (KEYS + KEYS * targets), 4 * KEYS, 72 + 4 * KEYS, 4 * KEYS * targets);
    text_addf(&gltf, "{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\", \"min\": [0, 0, 0], \"max\": [1, 1, 0]}, "
              "{\"bufferView\": 1, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\", \"min\": [0, 0, 0.5], \"max\": [0, 0, 0.5]}, "
              "{\"bufferView\": 2, \"componentType\": 5126, \"count\": %u, \"type\": \"SCALAR\", \"min\": [0], \"max\": [1]}, "
              "{\"bufferView\": 3, \"componentType\": 5126, \"count\": %u, \"type\": \"SCALAR\"}]}", KEYS, KEYS * targets);
    spill("models/pulses.gltf", text_string(&gltf));
}

/* Says if a clip moves is asked of its keys, and each of its channels is seen to move, or the suite names it. */
SCRATCH_TEST(what_moves_between_the_times_is_seen)
{
    put_pulses(8);
    rigproof_good("init", "models");
    const char *suite = slurp("suite.yaml", NULL);
    assert_null(strstr(suite, "allow: still"));
    assert_contains(suite, "    times: [0.000, 0.03125, 0.0625, 0.09375, 0.125, 0.15625, 0.1875, 0.21875, 0.250, 0.28125, 0.500, "
                           "0.750, 1.000]    # some move between");
    assert_null(strstr(suite, "not seen to move"));
    assert_works("suite.yaml", "pulses-pulse pass");
    unlink("suite.yaml");
    put_pulses(14);
    rigproof_good("init", "models");
    assert_contains(slurp("suite.yaml", NULL), "    # at these times is not seen to move: weight 11 of `face`, weight 12 of `face`, "
                                               "weight 13 of `face`\n");
    spill("still.yaml", "version: 1\ngoldens: other\ncases:\n  - {name: pulses, model: models/pulses.gltf, times: {even: 5}}\n");
    rigproof_gives(1, "accept", "still.yaml", "--missing");
    rigproof_gives(1, "check", "still.yaml");
    assert_contains(result_of("pulses", "vacuity"), "nothing moves at these times: all 5 samples of clip `pulse` are the same, but its keys "
                                                    "move (weight 0 of `face`, ");
    assert_contains(result_of("pulses", "vacuity"), " and 10 more); choose other times, such as 0.03125 s");
}

#define ODD "R\u00fcbe: 1 #2.gltf"

SCRATCH_TEST(names_are_made_of_files_and_clips)
{
    put("twins/twins.gltf", "fox/scene.gltf");
    put("twins/twins.gltf", "hen/scene.gltf");
    put("strip/morph.gltf", ODD);
    tamper("models/" ODD, "animations[0].name", "\"none\"");
    tamper("models/" ODD, "animations[1].name", "\"- *a: \\\"b\\\" #c\\n\"");
    tamper("models/" ODD, "animations[2].name", "\"null\"");
    rigproof_good("init", "models");
    const char *suite = slurp("suite.yaml", NULL);
    assert_contains(suite, "- name: fox-scene-turn\n", "- name: hen-scene-turn\n",
                    "- name: r-be-1-2-none\n    model: \"models/R\xc3\xbc" "be: 1 #2.gltf\"\n    clip: \"0\"\n",
                    "- name: r-be-1-2-b-c\n", "clip: \"null\"\n");
    assert_works("suite.yaml",
                 "r-be-1-2-none pass, r-be-1-2-b-c pass, r-be-1-2-null pass, fox-scene-turn pass, hen-scene-turn pass");
    assert_string_equal(result_of("r-be-1-2-none", "clip"), "none");
}

/* A suite in another repository than its models: the commands say what permits that. */
SCRATCH_TEST(models_elsewhere_are_allowed_outside)
{
    put("twins/twins.gltf", "twins.gltf");
    shell("mkdir -p repo/.git");
    const struct outcome *run = rigproof_good("init", "models", "-o", "repo/it is.yaml");
    assert_contains(run->out, "  rigproof accept 'repo/it is.yaml' --missing --allow-outside\n");
    assert_contains(run->out, "  rigproof check 'repo/it is.yaml' --allow-outside\n");
    rigproof_good("accept", "repo/it is.yaml", "--missing", "--allow-outside");
    assert_true(exists("repo/it is-goldens/twins-turn/recorded.json"));
}

/* Behind what is there, with names of their own and at the times of the defaults; what is there already is left
 * alone. */
SCRATCH_TEST(cases_are_added)
{
    put("walker/walker.glb", "walker.glb");
    put("pieces/body.glb", "body.glb");
    const char *before = "version: 1\ngoldens: goldens\ndefaults: {times: [0, 0.5], compare: rig}\ncases:\n"
                         "    - name: body-rest\n      model: models/walker.glb\n      clip: walk # mine\n";
    spill("suite.yaml", before);
    rigproof_refuses("leave these options out", "init", "models", "--add", "--size", "64x64");
    const struct outcome *run = rigproof_good("init", "--add", "models");
    assert_contains(run->out, "left out, in suite.yaml already: 1 model: models/walker.glb\n");
    assert_contains(run->out, "suite.yaml: 1 more case\n");
    const char *after = slurp("suite.yaml", NULL);
    assert_int_equal(strncmp(after, before, strlen(before)), 0);
    assert_string_equal(after + strlen(before), "\n    # body.glb: 4 bones, 0 clips\n    - name: body-rest-2\n"
                                                "      model: models/body.glb\n      clip: rest\n");
    rigproof_good("accept", "--missing");
    rigproof_good("check");
    assert_statuses("body-rest pass, body-rest-2 pass");
    const struct outcome *again = rigproof_gives(2, "init", "--add", "models");
    assert_contains(again->err, "there is nothing to add: suite.yaml has these models already");
    assert_string_equal(slurp("suite.yaml", NULL), after);
}

/* Where nothing can stand behind the cases, they are printed and nothing is written. */
SCRATCH_TEST(an_odd_suite_is_left_alone)
{
    static const char *const odd[] = {"cases: [{name: a, model: models/body.glb, clip: rest}]\nversion: 1\n",
                                      "version: 1\ncases: [{name: a, model: models/body.glb, clip: rest}]\n"};
    put("walker/walker.glb", "walker.glb");
    put("pieces/body.glb", "body.glb");
    for (size_t i = 0; i < 2; i++) {
        spill("suite.yaml", odd[i]);
        const struct outcome *run = rigproof_gives(2, "init", "--add", "models");
        assert_contains(run->err, "no cases can be added at its end");
        assert_contains(run->out, "- name: walker-walk\n    model: models/walker.glb\n");
        assert_string_equal(slurp("suite.yaml", NULL), odd[i]);
    }
}

SCRATCH_TEST(reports_are_ignored_by_git)
{
    put("pieces/body.glb", "body.glb");
    spill(".gitignore", "build/\n");
    assert_contains(rigproof_good("init", "models")->out, "\n  echo out/ >>.gitignore ");
    assert_string_equal(slurp(".gitignore", NULL), "build/\n");
    spill(".gitignore", "build/\n/out\n");
    assert_null(strstr(rigproof_good("init", "models", "-o", "b.yaml")->out, "gitignore"));
    remove(".gitignore");
    rmdir(".git");
    rigproof_good("init", "models", "-o", "c.yaml");
    assert_false(exists(".gitignore"));
}

SCRATCH_TEST(strictness_is_a_default)
{
    put("walker/walker.glb", "walker.glb");
    rigproof_good("init", "models", "--compare", "rig");
    assert_contains(slurp("suite.yaml", NULL), "\n  compare: rig         # what skeleton and skin do");
    assert_works("suite.yaml", "walker-idle pass, walker-walk pass, walker-wave pass");
    assert_contains(rigproof_good("check", "suite.yaml")->out, "import, palette, draw: not asked for");
}

/* Files that Assimp reads by other names, and one of whose joints it reads nothing. */
SCRATCH_TEST(formats_are_seen)
{
    put("crane/crane.mesh.xml", "crane.mesh.xml");
    put("crane/crane.skeleton.xml", "crane.skeleton.xml");
    assert_contains(rigproof_good("init", "models")->out, "models/crane.mesh.xml: 2 bones, 1 clip: swing");
    rigproof_refuses("did you mean `models/*.xml`?", "init", "modles/*.xml", "-o", "b.yaml");
    rigproof_refuses("did you mean `models/crane.mesh.xml`?", "init", "models/crane.msh.xml", "-o", "b.yaml");
}
