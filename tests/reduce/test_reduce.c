/* The smallest file that still shows the same: by a program, another rigproof's repairs, or any command. */

#include <jansson.h>

#include "run_binary.h"

#define SLOW "'" RIGPROOF_BINARY "' subject --influences all --rate 0.5"

static size_t count_of(const json_t *root, const char *name)
{
    return json_array_size(json_object_get(root, name));
}

/* The report about the rule's own rig, which is made and reduced to small.gltf for that subject. */
static const char *reduced_rule(const char *rule, const char *subject)
{
    rigproof_good("generate", "--rule", rule, "-o", "rigs");
    rigproof_good("reduce", at("rigs/%s.gltf", rule), "--subject", subject, "--answer-timeout", "60", "-o", "small.gltf");
    return slurp("small.md", NULL);
}

/* A clip at half its speed: of a rig one node, one channel and two keys are left. */
SCRATCH_TEST(what_differs_is_kept_and_nothing_else)
{
    size_t before, after;
    rigproof_good("generate", "--rule", "samplers-cubic-uneven", "-o", "rigs");
    slurp("rigs/samplers-cubic-uneven.gltf", &before);
    rigproof_good("reduce", "rigs/samplers-cubic-uneven.gltf", "--subject", SLOW, "--answer-timeout", "60", "-o", "small.gltf");
    const char *file = slurp("small.gltf", &after);
    json_auto_t *root = read_json(file, after);
    assert_true(after < before / 3);
    assert_true(count_of(root, "nodes") <= 3);
    assert_int_equal(count_of(root, "meshes"), 0);
    const json_t *clip = json_array_get(json_object_get(root, "animations"), 0);
    assert_int_equal(count_of(clip, "channels"), 1);
    const char *report = slurp("small.md", &after);
    assert_contains(report, "# rigproof"); /* with its version: the program that is reported on */
    assert_contains(report, "time runs at another rate; yours is ours at 0.8750 s: 0.5 times as fast (time-scale)");
    assert_null(strstr(report, "specification")); /* no rule speaks of speed */
    assert_contains(report, "Found by the rule `samplers-cubic-uneven` (glTF 2.0, C.5 Cubic Spline Interpolation): tangents");
    assert_contains(report, "| expected | seen |\n|---|---|---|\n| translation of `a` | ");
    assert_contains(report, "model      small.gltf, clip"); /* the file that is reported on, not a candidate */
}

/* rigproof with something changed in each request q, or in each answer a. */
static void write_wrapper(const char *path, const char *of_request, const char *of_answer)
{
    char text[1200];
    snprintf(text, sizeof text,
             "#!/usr/bin/env python3\n"
             "import json, subprocess, sys\n"
             "p = subprocess.Popen(['" RIGPROOF_BINARY "', 'subject', '--influences', 'all'], stdin=subprocess.PIPE,\n"
             "                     stdout=subprocess.PIPE, text=True)\n"
             "for line in sys.stdin:\n"
             "    q = json.loads(line)\n"
             "    %s\n"
             "    print(json.dumps(q), file=p.stdin, flush=True)\n"
             "    a = json.loads(p.stdout.readline())\n"
             "    %s\n"
             "    print(json.dumps(a), flush=True)\n",
             of_request, of_answer);
    spill(path, text);
    chmod(path, 0755);
}

/* An engine that finds joints by name takes others where several have one. */
SCRATCH_TEST(the_broken_rule_is_named)
{
    rigproof_good("generate", "--rule", "nodes-same-names", "-o", "rigs");
    rigproof_good("reduce", "rigs/nodes-same-names.gltf", "--subject", RIGPROOF_BINARY " subject --influences all --repair none",
                  "--answer-timeout", "60", "-o", "small.gltf");
    const char *report = slurp("small.md", NULL);
    const char *rule = strstr(report, "3.3 Indices and Names: names need not be unique: joints and channels find nodes by index");
    assert_non_null(rule);
    assert_null(strstr(rule + 1, "3.3 Indices and Names: ")); /* once, whatever causes break it */
    assert_contains(report, "with Assimp ");
}

/* The truth says which clip shows it. */
SCRATCH_TEST(the_clip_of_the_rig_is_looked_at)
{
    assert_contains(reduced_rule("samplers-second-clip", SLOW), "clip `wave`");
}

/* A palette entry that is elsewhere: both poses are beside the report. */
SCRATCH_TEST(both_poses_are_shown)
{
    write_wrapper("moves", "pass", "[e['matrix'].__setitem__(3, 5) for e in a.get('palette', []) if e['bone'] == 'lower' or len(e['bone']) == 1]");
    const char *report = reduced_rule("skins-joint-order", "./moves");
    assert_contains(report, "](<small.reference.png>) ![the program's pose](<small.theirs.png>)");
    assert_contains(report, "row x of the palette matrix of `");
    assert_contains(report, ") breaks a rule: JOINTS_n count in skin.joints, whose order is its own\n"); /* unexplained */
    assert_contains(report, "3.7.3.3 Skinned Mesh Attributes (rule `skins-joint-order`).\n");
    assert_true(exists("small.reference.png") && exists("small.theirs.png"));
    assert_false(files_equal("small.reference.png", "small.theirs.png"));
}

/* A program that begins again at the end does not stand still, though at that time alone it seems so. */
SCRATCH_TEST(the_mistake_of_the_rule_is_kept)
{
    write_wrapper("loops", "q['time'] = q.get('time', 0) % 1", "pass");
    const char *report = reduced_rule("samplers-at-end", "./loops");
    assert_contains(report, "time = duration shows the first frame (loop-rule)");
    assert_contains(report, "a clip shows that key, not the first (rule `samplers-at-end`)");
}

/* At keys and half way between two of them this program is right, and these are the clip's own times. */
SCRATCH_TEST(a_mistake_between_the_keys_is_found)
{
    write_wrapper("late", "q['time'] = q.get('time', 0) + (0 if q.get('time', 0) % 0.25 < 1e-6 else 0.0625)", "pass");
    rigproof_good("generate", "--rule", "samplers-slerp-90", "-o", "rigs");
    spill("alone.gltf", slurp("rigs/samplers-slerp-90.gltf", NULL));
    rigproof_good("reduce", "alone.gltf", "--subject", "./late", "--answer-timeout", "60", "-o", "small.gltf");
    assert_contains(slurp("small.md", NULL), "(time-shift)");
    assert_false(exists("small.theirs.png")); /* a node without a mesh that turns looks alike in both */
    assert_contains(slurp("small.md", NULL), " --time 0."); /* which shows it again */
}

SCRATCH_TEST(a_command_decides)
{
    rigproof_good("generate", "--seed", "3", "--count", "1", "--size", "small", "--glb", "-o", "rigs");
    rigproof_good("reduce", "rigs/random-3-1.glb", "--test", "grep -q WEIGHTS_0 {}", "-o", "small.gltf");
    size_t size;
    const char *file = slurp("small.gltf", &size);
    json_auto_t *root = read_json(file, size);
    assert_non_null(strstr(file, "WEIGHTS_0"));
    assert_int_equal(count_of(root, "meshes"), 1);
    assert_int_equal(count_of(root, "animations"), 0);
    const json_t *skin = json_array_get(json_object_get(root, "skins"), 0);
    assert_true(skin == NULL || count_of(skin, "joints") == 1);
}

/* Candidates have no buffer views but their own. */
SCRATCH_TEST(an_image_in_a_buffer_view_stays)
{
    spill("image.gltf", "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{}],"
                        "\"images\":[{\"bufferView\":0,\"mimeType\":\"image/png\"}],"
                        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":3,\"byteLength\":3}],"
                        "\"buffers\":[{\"byteLength\":6,\"uri\":\"data:;base64,AAAAYWJj\"}]}");
    rigproof_good("reduce", "image.gltf", "--test", "grep -q image/png;base64,YWJj {}", "-o", "small.gltf");
    assert_contains(slurp("small.gltf", NULL), "data:image/png;base64,YWJj");
}

/* An image beside the file is taken into it, as small as can be; of one that is not there nothing but that is kept. */
SCRATCH_TEST(an_image_beside_the_file_is_small)
{
    static const char model[] = "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{}],"
                                "\"images\":[{\"uri\":\"here.png\"},{\"uri\":\"gone.png\"}],"
                                "\"textures\":[{\"source\":0},{\"source\":1}],\"materials\":[{\"normalTexture\":{\"index\":0}}]}";
    spill("image.gltf", model);
    spill("here.png", "abc");
    rigproof_good("reduce", "image.gltf", "--test", "grep -q image/png;base64,YWJj {}", "-o", "whole.gltf");
    rigproof_good("reduce", "image.gltf", "--test", "grep -q image/png {}", "-o", "small.gltf");
    assert_null(strstr(slurp("small.gltf", NULL), "YWJj"));
    assert_contains(slurp("small.gltf", NULL), "data:image/png;base64,iVBOR");
    rigproof_good("reduce", "image.gltf", "--test", "grep -q normal {}", "-o", "small.gltf");
    assert_null(strstr(slurp("small.gltf", NULL), "images")); /* a texture may do without */
    rigproof_good("reduce", "image.gltf", "--test", "grep -q materials {}", "-o", "small.gltf");
    assert_null(strstr(slurp("small.gltf", NULL), "textures")); /* and nobody names one that is gone */
    assert_null(strstr(slurp("small.gltf", NULL), "normalTexture"));
}

SCRATCH_TEST(buffers_beside_the_file_are_embedded)
{
    spill("numbers.bin", "abcdefghijkl");
    spill("buffer.gltf", "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
                         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],"
                         "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}],"
                         "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],"
                         "\"buffers\":[{\"byteLength\":12,\"uri\":\"numbers.bin\"}]}");
    rigproof_good("reduce", "buffer.gltf", "--test", "grep -q YWJjZGVmZ2hpamts {}", "-o", "small.gltf");
    assert_null(strstr(slurp("small.gltf", NULL), "numbers.bin"));
    remove("numbers.bin");
    assert_contains(rigproof_fails(2, "reduce", "buffer.gltf", "--test", "true", "-o", "none.gltf")->err,
                    "the file numbers.bin cannot be found");
}

/* Eight influences become one, and then one set of them is enough. */
SCRATCH_TEST(influences_go)
{
    rigproof_good("generate", "--rule", "attributes-eight-influences", "-o", "rigs");
    rigproof_good("reduce", "rigs/attributes-eight-influences.gltf", "--test", "grep -q WEIGHTS_0 {}", "-o", "small.gltf");
    assert_null(strstr(slurp("small.gltf", NULL), "JOINTS_1"));
    assert_null(strstr(slurp("small.gltf", NULL), "WEIGHTS_1"));
}

/* The node above which there is none. */
static json_int_t root_of(const json_t *nodes, json_int_t node)
{
    size_t i, k;
    json_t *above, *child;
    json_array_foreach(nodes, i, above)
        json_array_foreach(json_object_get(above, "children"), k, child)
            if (json_integer_value(child) == node)
                return root_of(nodes, (json_int_t)i);
    return node;
}

/* The smallest file with two joints would have two roots, that with integers no extension. */
SCRATCH_TEST(what_is_left_is_legal)
{
    rigproof_good("generate", "--rule", "skins-joint-order,attributes-positions-i16", "-o", "rigs");
    rigproof_good("reduce", "rigs/skins-joint-order.gltf", "--test", "grep -q joints.:\\[[0-9],[0-9] {}", "-o", "small.gltf");
    size_t size;
    const char *file = slurp("small.gltf", &size);
    json_auto_t *root = read_json(file, size);
    const json_t *joints = json_object_get(json_array_get(json_object_get(root, "skins"), 0), "joints"),
                 *nodes = json_object_get(root, "nodes");
    assert_int_equal(json_array_size(joints), 2);
    assert_int_equal(root_of(nodes, json_integer_value(json_array_get(joints, 0))),
                     root_of(nodes, json_integer_value(json_array_get(joints, 1))));
    rigproof_good("reduce", "rigs/attributes-positions-i16.gltf", "--test", "grep -q 5122 {}", "-o", "small.gltf");
    assert_contains(slurp("small.gltf", NULL), "\"extensionsRequired\":[\"KHR_mesh_quantization\"]");
    rigproof_good("reduce", "rigs/attributes-positions-i16.gltf", "--test", "grep -q nodes {}", "-o", "small.gltf");
    assert_null(strstr(slurp("small.gltf", NULL), "KHR_mesh_quantization")); /* which is not required without them */
}

/* Of six targets one stays, and of its weights one key. */
SCRATCH_TEST(a_target_goes_with_its_weights)
{
    rigproof_good("generate", "--rule", "morphs-six-targets", "-o", "rigs");
    rigproof_good("reduce", "rigs/morphs-six-targets.gltf", "--test", "grep -q targets.*path.:.weights {}", "-o", "small.gltf");
    size_t size;
    const char *file = slurp("small.gltf", &size);
    json_auto_t *root = read_json(file, size);
    const json_t *primitive = json_array_get(json_object_get(json_array_get(json_object_get(root, "meshes"), 0), "primitives"), 0),
                 *sampler = json_array_get(json_object_get(json_array_get(json_object_get(root, "animations"), 0), "samplers"), 0),
                 *output = json_array_get(json_object_get(root, "accessors"),
                                          (size_t)json_integer_value(json_object_get(sampler, "output")));
    assert_int_equal(json_array_size(json_object_get(primitive, "targets")), 1);
    assert_int_equal(json_integer_value(json_object_get(output, "count")), 1);
}

SCRATCH_TEST(what_cannot_be_reduced_is_one_line)
{
    rigproof_good("generate", "--rule", "nodes-trs", "-o", "rigs");
    rigproof_fails(2, "reduce", "rigs/nodes-trs.gltf", "-o", "a.gltf");
    rigproof_fails(2, "reduce", "rigs/nodes-trs.gltf", "--subject", "x", "--test", "true", "-o", "a.gltf");
    rigproof_fails(2, "reduce", "rigs/nodes-trs.gltf", "--test", "true");
    rigproof_fails(2, "reduce", "rigs/nodes-trs.gltf", "--test", "false", "-o", "a.gltf");
    rigproof_fails(2, "reduce", "rigs/nodes-trs.gltf", "--test", "true", "--clip", "none-such", "-o", "a.gltf");
    rigproof_fails(2, "reduce", FIXTURES "/walker/walker.fbx", "--test", "true", "-o", "a.gltf");
    spill("broken.gltf", "{\"accessors\": [{\"count\": 1000000, \"componentType\": 5126, \"type\": \"VEC3\", \"bufferView\": 7}]}");
    rigproof_fails(2, "reduce", "broken.gltf", "--test", "true", "-o", "a.gltf");
    spill("encoded.gltf", "{\"extensionsUsed\": [\"KHR_draco_mesh_compression\"]}");
    assert_contains(rigproof_fails(2, "reduce", "encoded.gltf", "--test", "true", "-o", "a.gltf")->err, "decode it");
    spill("file", "");
    assert_contains(rigproof_fails(2, "reduce", "rigs/nodes-trs.gltf", "--test", "true", "-o", "file/a.gltf")->err, "cannot write");
    assert_false(exists("a.gltf"));
    const struct outcome *agrees = rigproof_fails(2, "reduce", "rigs/nodes-trs.gltf", "--subject", "'" RIGPROOF_BINARY "' subject", "-o", "a.gltf");
    assert_contains(agrees->err, "it shows no difference to be reduced: the program agrees");
    agrees = rigproof_fails(2, "reduce", "rigs/nodes-trs.gltf", "--subject", "false", "-o", "a.gltf");
    assert_contains(agrees->err, "ended with exit code 1 before it had answered");
}
