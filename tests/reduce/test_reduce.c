/* The smallest file that still shows the same: by a program, another rigproof's repairs, or any command. */

#include <jansson.h>

#include "run_binary.h"

#define SLOW "'" RIGPROOF_BINARY "' subject --influences all --rate 0.5"

static size_t count_of(const json_t *root, const char *name)
{
    return json_array_size(json_object_get(root, name));
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
    assert_contains(report, "time-scale");
    assert_contains(report, "model      small.gltf, clip"); /* the file that is reported on, not a candidate */
}

/* An engine that finds joints by name takes others where several have one: both poses are beside the report. */
SCRATCH_TEST(both_poses_are_shown)
{
    rigproof_good("generate", "--rule", "nodes-same-names", "-o", "rigs");
    rigproof_good("reduce", "rigs/nodes-same-names.gltf", "--subject", RIGPROOF_BINARY " subject --influences all --repair none",
                  "--answer-timeout", "60", "-o", "small.gltf");
    assert_contains(slurp("small.md", NULL), "](<small.reference.png>) ![the program's pose](<small.theirs.png>)");
    assert_true(exists("small.reference.png") && exists("small.theirs.png"));
}

SCRATCH_TEST(a_command_decides)
{
    size_t size;
    rigproof_good("generate", "--seed", "3", "--count", "1", "--size", "small", "--glb", "-o", "rigs");
    rigproof_good("reduce", "rigs/random-3-1.glb", "--test", "grep -q WEIGHTS_0 {}", "-o", "small.gltf");
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
    rigproof_good("reduce", "image.gltf", "--test", "grep -q image/png {}", "-o", "small.gltf");
    assert_contains(slurp("small.gltf", NULL), "data:image/png;base64,YWJj");
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
    size_t size;
    rigproof_good("generate", "--rule", "skins-joint-order,attributes-positions-i16", "-o", "rigs");
    rigproof_good("reduce", "rigs/skins-joint-order.gltf", "--test", "grep -q joints.:\\[[0-9],[0-9] {}", "-o", "small.gltf");
    const char *file = slurp("small.gltf", &size);
    json_auto_t *root = read_json(file, size);
    const json_t *joints = json_object_get(json_array_get(json_object_get(root, "skins"), 0), "joints"),
                 *nodes = json_object_get(root, "nodes");
    assert_int_equal(json_array_size(joints), 2);
    assert_int_equal(root_of(nodes, json_integer_value(json_array_get(joints, 0))),
                     root_of(nodes, json_integer_value(json_array_get(joints, 1))));
    rigproof_good("reduce", "rigs/attributes-positions-i16.gltf", "--test", "grep -q 5122 {}", "-o", "small.gltf");
    assert_contains(slurp("small.gltf", &size), "\"extensionsRequired\":[\"KHR_mesh_quantization\"]");
}

/* Of six targets one stays, and of its weights one key. */
SCRATCH_TEST(a_target_goes_with_its_weights)
{
    size_t size;
    rigproof_good("generate", "--rule", "morphs-six-targets", "-o", "rigs");
    rigproof_good("reduce", "rigs/morphs-six-targets.gltf", "--test", "grep -q targets.*path.:.weights {}", "-o", "small.gltf");
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
