/* import.json and pose.json read back: exactly what was written, what can be wrong in words, and with faults anywhere an error
 * or a value. tests/data/test_json_fields.c has what can be wrong with each type of member. */

#include "data/record/snapshot.h"
#include "data/sample_snapshot.h"
#include "data/tiny_scene.h"

/* What is read is written as it was: a member that reading drops, or takes for another, shows. */
static void comes_back(const struct kind *kind, const struct text *text)
{
    struct error err = {0};
    SCOPED_ARENA arena = arena_require(SAMPLE_CAPACITY);
    SCOPED(text) again = {0};
    assert_true(kind->read(text->data, text->size, arena, &err, &again));
    assert_string_equal(err.text, "");
    assert_string_equal(text_string(&again), text_string(text));
}

TEST(everything_comes_back)
{
    static const struct import_snapshot nothing = {.model = "", .up = "x"};
    static const struct pose_snapshot no_pose = {.model = "", .space = "scene"};
    SCENE *scene = tiny_scene();
    struct tiny_pose *tiny = tiny_pose(scene, NULL);
    const struct import_snapshot *imports[] = {&sample_import, &nothing, import_snapshot_gather(scene, scene->arena)};
    const struct pose_snapshot *poses[] = {&sample_pose, &no_pose, pose_snapshot_gather(&tiny->record, scene->arena)};
    for (int i = 0; i < 3; i++) {
        SCOPED(text) import = {0}, pose = {0};
        import_snapshot_write(imports[i], &import);
        pose_snapshot_write(poses[i], &pose);
        comes_back(&import_kind, &import);
        comes_back(&pose_kind, &pose);
    }
}

/* The short way takes nothing for the pose but what it is written as, and no file that cannot be read. */
TEST(a_pose_is_in_its_own_file_alone)
{
    SCENE *scene = tiny_scene();
    struct tiny_pose *tiny = tiny_pose(scene, NULL);
    struct pose_snapshot *pose = pose_snapshot_gather(&tiny->record, scene->arena);
    SCOPED(text) text = {0};
    pose_snapshot_write(pose, &text);
    assert_true(pose_snapshot_is_in(pose, text.data, text.size));
    assert_false(pose_snapshot_is_in(pose, text.data, text.size - 1));
    for (size_t i = 0; i < text.size; i++) {
        text.data[i] ^= 1;
        assert_false(pose_snapshot_is_in(pose, text.data, text.size));
        text.data[i] ^= 1;
    }
    float *const numbers[] = {&pose->nodes[0].local.translation[1], &pose->nodes[1].node_to_scene[3][2],
                              &pose->palette[0].mesh_to_scene[0][0], &pose->skin[0].centroid[2]};
    const float others[] = {NAN, INFINITY, 12345.5f};
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
            const float kept = *numbers[n];
            SCOPED(text) now = {0};
            *numbers[n] = others[k];
            pose_snapshot_write(pose, &now);
            assert_false(pose_snapshot_is_in(pose, text.data, text.size));
            assert_int_equal(pose_snapshot_is_in(pose, now.data, now.size), isfinite(others[k]) != 0);
            *numbers[n] = kept;
        }
    memset(pose->nodes[0].local.rotation, 0, sizeof pose->nodes[0].local.rotation);
    text.size = 0;
    pose_snapshot_write(pose, &text);
    assert_false(pose_snapshot_is_in(pose, text.data, text.size));
}

/* Velocities and vertices of a dump are kept, and checked like the rest. */
TEST(dumps_come_back)
{
    SCENE *scene = tiny_scene();
    struct tiny_pose *tiny = tiny_pose(scene, NULL);
    const struct motion motions[4] = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {0}}};
    const struct pose_part part = {.stages = POSE_STAGES, .local = motions, .global = motions, .vertices = true};
    SCOPED(text) text = {0};
    tiny->record.part = &part;
    pose_write_json(&tiny->record, &text);
    assert_non_null(strstr(text_string(&text), "\"angular_velocity\": [4, 5, 6]"));
    assert_non_null(strstr(text_string(&text), "\"normals\": [[0, 1, 0], "));
    comes_back(&pose_kind, &text);
}

/* The document with each `from` replaced by `to`; there must be one. */
static struct text changed(const struct kind *kind, const char *from, const char *to)
{
    struct text text = {0}, out = {0};
    kind->write(&text);
    const char *at = text_string(&text), *found = strstr(at, from);
    if (!found)
        fail_msg("no %s in %s", from, at);
    for (; found; at = found + strlen(from), found = strstr(at, from)) {
        text_add_bytes(&out, at, (size_t)(found - at));
        text_add(&out, to);
    }
    text_add(&out, at);
    text_release(&text);
    return out;
}

/* Reads the changed document; what it says must be `complaint`, "" when it can be read. */
static void reads(const struct kind *kind, const char *from, const char *to, const char *complaint)
{
    struct error err = {0};
    SCOPED_ARENA arena = arena_require(SAMPLE_CAPACITY);
    SCOPED(text) text = changed(kind, from, to), again = {0}, wanted = {0};
    bool good = kind->read(text.data, text.size, arena, &err, &again);
    if (*complaint)
        text_addf(&wanted, "%s: %s", kind->name, complaint);
    assert_string_equal(err.text, text_string(&wanted));
    assert_int_equal(good, *complaint == '\0');
}

TEST(engines_may_leave_out_and_add)
{
    static const char nodes_only[] =
        "{\"matrices\": \"row-major 3x4, p' = M p\", \"time\": 0, \"clip\": null, \"model\": \"x\", "
        "\"space\": \"scene\", \"engine\": {\"version\": [1, 2]}, \"format\": \"rigproof.pose/1\", \"nodes\": []}";
    struct error err = {0};
    SCOPED_ARENA arena = arena_require(SAMPLE_CAPACITY);
    const struct pose_snapshot *snapshot = pose_snapshot_read(nodes_only, strlen(nodes_only), "pose.json", arena, &err);
    assert_string_equal(err.text, "");
    assert_true(snapshot->palette_count == 0 && snapshot->skin_count == 0);
    static const char *const of_imports[][2] = {
        {"\"reach\"", "\"breadth\""}, {"\"moments\"", "\"seconds\""}, {"\"wrap\"", "\"warp\""}, {"\"maps\"", "\"mats\""},
        {"\"factors\"", "\"actors\""}, {"\"hash\"", "\"dash\""}, {"\"cameras\"", "\"eyes\""}, {"\"repairs\"", "\"mends\""},
        {"\"warnings\"", "\"doubts\""}, {"\"follows_mesh_node\": true", "\"follows_mesh_node\": false"}};
    for (size_t i = 0; i < sizeof of_imports / sizeof of_imports[0]; i++)
        reads(&import_kind, of_imports[i][0], of_imports[i][1], "");
    reads(&pose_kind, "\"palette\"", "\"matrix_palette\"", "");
    reads(&pose_kind, "\"skin\"", "\"hide\"", "");
}

struct change {
    const char *from, *to, *complaint;
};

TEST(broken_poses_are_told)
{
    static const struct change changes[] = {
        {"rigproof.pose/1", "rigproof.pose/2", "format: expected \"rigproof.pose/1\", found \"rigproof.pose/2\""},
        {"\"format\"", "\"Format\"", "format: expected \"rigproof.pose/1\", found nothing"},
        {"\"clip\"", "\"klip\"", "clip: expected a string or null, found nothing"},
        {"\"root\"", "\"world\"", "space: expected one of \"scene\", \"root\", found another string"},
        {"row-major", "column-major", "matrices: expected \"row-major 3x4, p' = M p\", found another string"},
        {"\"nodes\": [", "\"nodes\": [[], ", "nodes[0]: expected an object, found an array"},
        {"\"parent\": \"rig\"", "\"parent\": 0", "nodes[1].parent: expected a string or null, found a number"},
        {"\"parent\": \"rig\"", "\"parent\": \"rag\"",
         "nodes[1].parent: node `tip` has the parent `rag`, and no node is called so"},
        {"\"r\": [0, 0, 0, 1]", "\"r\": [0, 0, 0, 0]",
         "nodes[1].r: node `tip` has [0, 0, 0, 0], which is no rotation; [0, 0, 0, 1] is the identity"},
        {"\"t\": [0, 0, 0]", "\"t\": [0, 0]", "nodes[1].t: expected 3 finite numbers, found 2"},
        {"\"global\": [0, 0, 0, ", "\"global\": [0, 0, 1e39, ",
         "nodes[1].global: expected 12 finite numbers, but [2] is 1e+39: more than a float holds"},
        {"\"palette\": [", "\"palette\": [{}, ", "palette[0].mesh: expected a string, found nothing"},
        {"\"matrix\"", "\"m\"", "palette[0].matrix: expected 12 finite numbers, found nothing"},
        {"\"vertices\": 3", "\"vertices\": -3",
         "skin[0].vertices: expected a whole number from 0 to 4294967295, found -3"},
        {"\"min\": [-3", "\"min\": [3", ""},
        {"\"min\": [-3.4028235e+38, 0", "\"min\": [0, 1", "skin[0].min: is greater than max"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        reads(&pose_kind, changes[i].from, changes[i].to, changes[i].complaint);
}

#define SOME_COUNT "expected a whole number from 0 to 4294967295"
#define WORDS_OF_UP "\"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\""

TEST(broken_imports_are_told)
{
    static const struct change changes[] = {
        {"rigproof.import/1", "rigproof.pose/1", "format: expected \"rigproof.import/1\", found \"rigproof.pose/1\""},
        {"\"-z\"", "\"+z\"", "up: expected one of " WORDS_OF_UP ", found another string"},
        {"\"local\": [0, 0, ", "\"local\": [0, ", "nodes[1].local: expected 12 finite numbers, found 11"},
        {"[\"rig\", \"rig\"]", "[\"rig\", 1]", "meshes[0].nodes[1]: expected a string, found a number"},
        {"[1, 0, 2]", "[1, 0.5, 2]", "meshes[0].influences[1]: " SOME_COUNT ", found 0.5"},
        {"\"normal\": [", "\"normal\": [0, ", "meshes[0].moments.normal: expected 12 finite numbers, found 13"},
        {"[\"repeat\", \"mirror\"]", "[\"repeat\"]", "materials[1].wrap: expected 2 items, found 1"},
        {"\"mirror\"", "\"mirrored\"",
         "materials[1].wrap[1]: expected one of \"repeat\", \"clamp\", \"mirror\", found another string"},
        {"\"texture\": ", "\"texture\": 1, \"was\": ", "materials[1].maps[0].texture: expected a string, found a number"},
        {"\"factor\": ", "\"actor\": ", "materials[1].factors[0].factor: expected a string, found nothing"},
        {"\"value\": [0.1]", "\"value\": []", "materials[1].factors[1].value: expected at least one number"},
        {"\"value\": [0.1]", "\"value\": [1, 2, 3, 4, 5]", "materials[1].factors[1].value: expected at most 4 items, found 5"},
        {"\"value\": [0.1]", "\"value\": [1e39]", "materials[1].factors[1].value[0]: expected a number that a float holds, found 1e+39"},
        {"\"influences\"", "\"bindings\"", "meshes[0].influences: expected an array, found nothing"},
        {"\"bones\"", "\"joints\"", "meshes[0].bones: expected an array, found nothing"},
        {"\"reach\": 0", "\"reach\": -1", "meshes[0].bones[1].reach: must not be negative, found -1"},
        {"\"cutoff\"", "\"limit\"", "materials[1].cutoff: expected a number, found nothing"},
        {"\"t\": {\"keys\": 2", "\"t\": {\"keys\": 0", "clips[0].channels[0].t.keys: expected at least one"},
        {"\"cubic\"", "\"bezier\"",
         "clips[0].channels[0].t.interpolation: expected one of \"step\", \"linear\", \"cubic\", found another "
         "string"},
        {"\"mean\": [0.5, 1]", "\"mean\": [0.5]",
         "clips[0].morphs[0].weights.mean: expected 2 finite numbers, found 1"},
        {"\"warnings\": [", "\"warnings\": [1, ", "warnings[0]: expected an object, found a number"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        reads(&import_kind, changes[i].from, changes[i].to, changes[i].complaint);
}

/* Reads bytes of which nothing is known: a value that can be written and read again, or an error. */
static void survives(const struct kind *kind, const char *bytes, size_t size)
{
    SCOPED_ARENA arena = arena_require(SAMPLE_CAPACITY);
    struct error err = {0};
    SCOPED(text) again = {0}, third = {0};
    FREED char *copy = exact_copy(bytes, size);
    bool good = kind->read(copy, size, arena, &err, &again);
    assert_int_equal(good, !error_is_set(&err));
    if (good) {
        assert_true(kind->read(again.data, again.size, arena, &err, &third));
        assert_string_equal(text_string(&third), text_string(&again));
    } else {
        assert_memory_equal(err.text, kind->name, strlen(kind->name));
    }
}

static void flip_anywhere(const struct kind *kind)
{
    static const char likely[] = "0123456789-+.eE\"\\,:[]{}ntf \xff";
    uint32_t random = 12345;
    SCOPED(text) text = {0};
    kind->write(&text);
    for (int i = 0; i < 4000; i++) {
        random = random * 1664525u + 1013904223u;
        size_t at = (random >> 8) % text.size;
        char before = text.data[at];
        text.data[at] = i % 2 ? likely[(random >> 4) % (sizeof likely - 1)] : (char)(before ^ (1 << (random >> 29)));
        survives(kind, text.data, text.size);
        if (i % 7) /* sometimes it stays, for faults that meet */
            text.data[at] = before;
        else if (i % 70 == 0) {
            text.size = 0;
            kind->write(&text);
        }
    }
}

TEST(a_cut_document_is_an_error_or_a_value)
{
    const struct kind *const both[] = {&import_kind, &pose_kind};
    for (int i = 0; i < 2; i++) {
        SCOPED(text) text = {0};
        both[i]->write(&text);
        for (size_t size = 0; size <= text.size; size++)
            survives(both[i], text.data, size);
    }
}

TEST(a_flipped_byte_is_an_error_or_a_value)
{
    flip_anywhere(&import_kind);
    flip_anywhere(&pose_kind);
}
