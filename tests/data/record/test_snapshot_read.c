/* import.json and pose.json read back: exactly what was written, and each thing that can be wrong in words. */
#include "cmocka_setup.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/record/snapshot.h"
#include "data/sample_snapshot.h"
#include "data/tiny_scene.h"

/* ---- round trips ----------------------------------------------------------------------------------------------- */

static void same_string(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_string_equal(a, b);
}

/* Bit by bit, but that -0 is written as 0. */
static void same_floats(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float zero = a[i] == 0.0f ? 0.0f : a[i];
        assert_memory_equal(&zero, &b[i], sizeof(float));
    }
}

static void same_matrix(const mat4 a, const mat4 b)
{
    float rows_a[12], rows_b[12];
    affine_rows(a, rows_a);
    affine_rows(b, rows_b);
    same_floats(rows_a, rows_b, 12);
    assert_true(b[0][3] == 0 && b[1][3] == 0 && b[2][3] == 0 && b[3][3] == 1);
}

static void same_mesh(const struct mesh_snapshot *a, const struct mesh_snapshot *b)
{
    same_string(a->name, b->name);
    same_string(a->material, b->material);
    assert_int_equal(a->node_count, b->node_count);
    for (uint32_t i = 0; i < a->node_count; i++)
        same_string(a->nodes[i], b->nodes[i]);
    assert_true(a->vertices == b->vertices && a->triangles == b->triangles && a->has_uvs == b->has_uvs);
    assert_true(a->morph_targets == b->morph_targets && a->influence_slots == b->influence_slots);
    same_floats(a->min, b->min, 3);
    same_floats(a->max, b->max, 3);
    assert_true(a->normals.width == b->normals.width && a->uvs.width == b->uvs.width);
    assert_int_equal(a->colors.width, b->colors.width);
    assert_true(a->positions.width == b->positions.width && a->faces.width == b->faces.width);
    same_floats(a->positions.moments, b->positions.moments, (size_t)MOMENTS * a->positions.width);
    same_floats(a->faces.moments, b->faces.moments, (size_t)MOMENTS * a->faces.width);
    same_floats(a->normals.moments, b->normals.moments, (size_t)MOMENTS * a->normals.width);
    same_floats(a->uvs.moments, b->uvs.moments, (size_t)MOMENTS * a->uvs.width);
    same_floats(a->colors.moments, b->colors.moments, (size_t)MOMENTS * a->colors.width);
    assert_int_equal(a->target_count, b->target_count);
    for (uint32_t i = 0; i < a->target_count; i++) {
        const struct target_snapshot *t = &a->targets[i], *u = &b->targets[i];
        same_string(t->name, u->name);
        assert_true(t->moved == u->moved && t->has_normals == u->has_normals);
        same_floats(&t->weight, &u->weight, 1);
        same_floats(&t->largest, &u->largest, 1);
        same_floats(t->mean, u->mean, 3);
        same_floats(t->normal, u->normal, 3);
    }
    for (uint32_t i = 0; i < a->influence_slots; i++)
        assert_int_equal(a->influences[i], b->influences[i]);
    assert_int_equal(a->bone_count, b->bone_count);
    for (uint32_t i = 0; i < a->bone_count; i++) {
        same_string(a->bones[i].bone, b->bones[i].bone);
        assert_int_equal(a->bones[i].weights, b->bones[i].weights);
        same_floats(&a->bones[i].sum, &b->bones[i].sum, 1);
        same_floats(a->bones[i].centroid, b->bones[i].centroid, 3);
        same_floats(&a->bones[i].influence_radius, &b->bones[i].influence_radius, 1);
        same_matrix(a->bones[i].mesh_to_bone, b->bones[i].mesh_to_bone);
        assert_int_equal(a->bones[i].follows_mesh_node, b->bones[i].follows_mesh_node);
    }
}

static void same_keys(const struct keys_snapshot *a, const struct keys_snapshot *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->width, b->width);
    assert_true(a->first == b->first && a->last == b->last);
    same_string(a->interpolation, b->interpolation);
    same_floats(a->mean, b->mean, a->width);
    same_floats(a->rms, b->rms, a->width);
}

static void same_clip(const struct clip_snapshot *a, const struct clip_snapshot *b)
{
    same_string(a->name, b->name);
    assert_true(a->duration == b->duration && a->ticks_per_second == b->ticks_per_second);
    assert_true(a->channel_count == b->channel_count && a->morph_count == b->morph_count);
    for (uint32_t i = 0; i < a->channel_count; i++) {
        same_string(a->channels[i].node, b->channels[i].node);
        assert_true(a->channels[i].unmatched == b->channels[i].unmatched);
        assert_true(a->channels[i].is_repair == b->channels[i].is_repair);
        for (int c = 0; c < COMPONENT_COUNT; c++)
            same_keys(&a->channels[i].keys[c], &b->channels[i].keys[c]);
    }
    for (uint32_t i = 0; i < a->morph_count; i++) {
        same_string(a->morphs[i].node, b->morphs[i].node);
        assert_int_equal(a->morphs[i].targets, b->morphs[i].targets);
        same_keys(&a->morphs[i].weights, &b->morphs[i].weights);
    }
}

static void same_surfaces(const struct import_snapshot *a, const struct import_snapshot *b)
{
    assert_true(a->material_count == b->material_count && a->texture_count == b->texture_count);
    for (uint32_t i = 0; i < a->material_count; i++) {
        same_string(a->materials[i].name, b->materials[i].name);
        same_floats(a->materials[i].base_color, b->materials[i].base_color, 4);
        same_string(a->materials[i].base_texture, b->materials[i].base_texture);
        same_string(a->materials[i].alpha, b->materials[i].alpha);
        same_string(a->materials[i].wrap[0], b->materials[i].wrap[0]);
        same_string(a->materials[i].wrap[1], b->materials[i].wrap[1]);
        same_floats(&a->materials[i].cutoff, &b->materials[i].cutoff, 1);
        assert_int_equal(a->materials[i].two_sided, b->materials[i].two_sided);
    }
    for (uint32_t i = 0; i < a->texture_count; i++) {
        same_string(a->textures[i].name, b->textures[i].name);
        assert_true(a->textures[i].width == b->textures[i].width && a->textures[i].height == b->textures[i].height);
        assert_int_equal(a->textures[i].missing, b->textures[i].missing);
        assert_int_equal(a->textures[i].has_moments, b->textures[i].has_moments);
        same_floats(a->textures[i].moments, b->textures[i].moments, sizeof a->textures[i].moments / sizeof(float));
    }
}

static void same_notes(const struct note_snapshot *a, const struct note_snapshot *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        same_string(a[i].id, b[i].id);
        same_string(a[i].text, b[i].text);
    }
}

static void same_import(const struct import_snapshot *a, const struct import_snapshot *b)
{
    same_string(a->model, b->model);
    same_string(a->up, b->up);
    assert_true(a->unit_meters == b->unit_meters);
    assert_true(a->node_count == b->node_count && a->mesh_count == b->mesh_count && a->clip_count == b->clip_count);
    for (uint32_t i = 0; i < a->node_count; i++) {
        same_string(a->nodes[i].name, b->nodes[i].name);
        same_string(a->nodes[i].parent, b->nodes[i].parent);
        assert_int_equal(a->nodes[i].is_bone, b->nodes[i].is_bone);
        same_matrix(a->nodes[i].local_to_parent, b->nodes[i].local_to_parent);
    }
    for (uint32_t i = 0; i < a->mesh_count; i++)
        same_mesh(&a->meshes[i], &b->meshes[i]);
    same_surfaces(a, b);
    for (uint32_t i = 0; i < a->clip_count; i++)
        same_clip(&a->clips[i], &b->clips[i]);
    assert_int_equal(a->camera_count, b->camera_count);
    for (uint32_t i = 0; i < a->camera_count; i++) {
        same_string(a->cameras[i].name, b->cameras[i].name);
        same_string(a->cameras[i].node, b->cameras[i].node);
        same_floats(&a->cameras[i].fov_y, &b->cameras[i].fov_y, 1);
        same_floats(&a->cameras[i].ortho_height, &b->cameras[i].ortho_height, 1);
    }
    assert_true(a->repair_count == b->repair_count && a->warning_count == b->warning_count);
    same_notes(a->repairs, b->repairs, a->repair_count);
    same_notes(a->warnings, b->warnings, a->warning_count);
}

static void same_pose(const struct pose_snapshot *a, const struct pose_snapshot *b)
{
    same_string(a->model, b->model);
    same_string(a->clip, b->clip);
    same_string(a->space, b->space);
    assert_true(a->time == b->time && a->node_count == b->node_count);
    assert_true(a->palette_count == b->palette_count && a->skin_count == b->skin_count);
    for (uint32_t i = 0; i < a->node_count; i++) {
        same_string(a->nodes[i].name, b->nodes[i].name);
        same_string(a->nodes[i].parent, b->nodes[i].parent);
        same_floats(a->nodes[i].local.translation, b->nodes[i].local.translation, 3);
        same_floats(a->nodes[i].local.rotation, b->nodes[i].local.rotation, 4);
        same_floats(a->nodes[i].local.scale, b->nodes[i].local.scale, 3);
        same_matrix(a->nodes[i].node_to_scene, b->nodes[i].node_to_scene);
    }
    assert_int_equal(a->morph_count, b->morph_count);
    for (uint32_t i = 0; i < a->morph_count; i++) {
        same_string(a->morphs[i].mesh, b->morphs[i].mesh);
        same_string(a->morphs[i].node, b->morphs[i].node);
        assert_int_equal(a->morphs[i].count, b->morphs[i].count);
        same_floats(a->morphs[i].weights, b->morphs[i].weights, a->morphs[i].count);
    }
    for (uint32_t i = 0; i < a->palette_count; i++) {
        same_string(a->palette[i].mesh, b->palette[i].mesh);
        same_string(a->palette[i].bone, b->palette[i].bone);
        same_matrix(a->palette[i].mesh_to_scene, b->palette[i].mesh_to_scene);
    }
    for (uint32_t i = 0; i < a->skin_count; i++) {
        same_string(a->skin[i].mesh, b->skin[i].mesh);
        assert_int_equal(a->skin[i].vertices, b->skin[i].vertices);
        same_floats(a->skin[i].min, b->skin[i].min, 3);
        same_floats(a->skin[i].max, b->skin[i].max, 3);
        same_floats(a->skin[i].centroid, b->skin[i].centroid, 3);
    }
}

static void import_comes_back(const struct import_snapshot *snapshot)
{
    struct error err = {0};
    struct arena *arena = arena_require(SAMPLE_CAPACITY);
    struct text text = {0}, again = {0};
    import_snapshot_write(snapshot, &text);
    const struct import_snapshot *back = import_snapshot_read(text.data, text.size, "import.json", arena, &err);
    assert_string_equal(err.text, "");
    same_import(snapshot, back);
    import_snapshot_write(back, &again);
    assert_string_equal(text_string(&again), text_string(&text));
    text_release(&text);
    text_release(&again);
    arena_destroy(arena);
}

static void pose_comes_back(const struct pose_snapshot *snapshot)
{
    struct error err = {0};
    struct arena *arena = arena_require(SAMPLE_CAPACITY);
    struct text text = {0}, again = {0};
    pose_snapshot_write(snapshot, &text);
    const struct pose_snapshot *back = pose_snapshot_read(text.data, text.size, "pose.json", arena, &err);
    assert_string_equal(err.text, "");
    same_pose(snapshot, back);
    pose_snapshot_write(back, &again);
    assert_string_equal(text_string(&again), text_string(&text));
    text_release(&text);
    text_release(&again);
    arena_destroy(arena);
}

static void everything_comes_back(void **state)
{
    (void)state;
    static const struct import_snapshot nothing = {.model = "", .up = "x"};
    static const struct pose_snapshot no_pose = {.model = "", .space = "scene"};
    struct scene *scene = tiny_scene();
    struct tiny_pose tiny = tiny_pose(scene);
    struct pose_record record = tiny_record(scene, &tiny, NULL);
    import_comes_back(&sample_import);
    import_comes_back(&nothing);
    import_comes_back(import_snapshot_gather(scene, scene->arena));
    pose_comes_back(&sample_pose);
    pose_comes_back(&no_pose);
    pose_comes_back(pose_snapshot_gather(&record, scene->arena));
    scene_free(scene);
}

/* ---- other people's files -------------------------------------------------------------------------------------- */

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
    struct arena *arena = arena_require(SAMPLE_CAPACITY);
    struct text text = changed(kind, from, to), again = {0}, wanted = {0};
    bool good = kind->read(text.data, text.size, arena, &err, &again);
    if (*complaint)
        text_addf(&wanted, "%s: %s", kind->name, complaint);
    assert_string_equal(err.text, text_string(&wanted));
    assert_int_equal(good, *complaint == '\0');
    text_release(&text);
    text_release(&again);
    text_release(&wanted);
    arena_destroy(arena);
}

static void engines_may_leave_out_and_add(void **state)
{
    (void)state;
    static const char nodes_only[] =
        "{\"matrices\": \"row-major 3x4, p' = M p\", \"time\": 0, \"clip\": null, \"model\": \"x\", "
        "\"space\": \"scene\", \"engine\": {\"version\": [1, 2]}, \"format\": \"rigproof.pose/1\", \"nodes\": []}";
    struct error err = {0};
    struct arena *arena = arena_require(SAMPLE_CAPACITY);
    const struct pose_snapshot *snapshot = pose_snapshot_read(nodes_only, strlen(nodes_only), "pose.json", arena, &err);
    assert_string_equal(err.text, "");
    assert_true(snapshot->palette_count == 0 && snapshot->skin_count == 0);
    arena_destroy(arena);
    reads(&import_kind, "\"reach\"", "\"breadth\"", "");
    reads(&import_kind, "\"moments\"", "\"seconds\"", "");
    reads(&import_kind, "\"wrap\"", "\"warp\"", "");
    reads(&import_kind, "\"cameras\"", "\"eyes\"", "");
    reads(&import_kind, "\"repairs\"", "\"mends\"", "");
    reads(&import_kind, "\"warnings\"", "\"doubts\"", "");
    reads(&import_kind, "\"follows_mesh_node\": true", "\"follows_mesh_node\": false", "");
    reads(&pose_kind, "\"palette\"", "\"matrix_palette\"", "");
    reads(&pose_kind, "\"skin\"", "\"hide\"", "");
}

struct change {
    const char *from;
    const char *to;
    const char *complaint;
};

static void broken_poses_are_told(void **state)
{
    (void)state;
    static const struct change changes[] = {
        {"rigproof.pose/1", "rigproof.pose/2", "format: \"rigproof.pose/1\" is wanted, found \"rigproof.pose/2\""},
        {"rigproof.pose/1", "rigproof.import/1", "format: \"rigproof.pose/1\" is wanted, found \"rigproof.import/1\""},
        {"\"format\"", "\"Format\"", "format: \"rigproof.pose/1\" is wanted, there is none"},
        {"\"model\": \"tiny.glb\"", "\"model\": null", "model: a string is wanted, found null"},
        {"\"clip\"", "\"klip\"", "clip: a string or null is wanted, there is none"},
        {"\"time\": 0.333", "\"time\": \"1\", \"x\": 0.333", "time: a number is wanted, found a string"},
        {"\"root\"", "\"world\"", "space: one of \"scene\", \"root\" is wanted, found another string"},
        {"row-major", "column-major", "matrices: \"row-major 3x4, p' = M p\" is wanted, found another string"},
        {"\"nodes\"", "\"bones\"", "nodes: an array is wanted, there is none"},
        {"\"nodes\": [", "\"nodes\": {}, \"x\": [", "nodes: an array is wanted, found an object"},
        {"\"nodes\": [", "\"nodes\": [[], ", "nodes[0]: an object is wanted, found an array"},
        {"\"parent\": \"nowhere\"", "\"parent\": 0", "nodes[1].parent: a string or null is wanted, found a number"},
        {"\"name\": \"tip\", ", "", "nodes[1].name: a string is wanted, there is none"},
        {"\"t\": [0, 0, 0]", "\"t\": [0, 0]", "nodes[1].t: 3 finite numbers are wanted, there are 2"},
        {"\"r\": [0, 0, 0, 0]", "\"r\": [0, 0, 0]", "nodes[1].r: 4 finite numbers are wanted, there are 3"},
        {"\"s\": [0, 0, 0]", "\"s\": 1", "nodes[1].s: 3 finite numbers are wanted, found a number"},
        {"\"global\": [0, 0, 0, ", "\"global\": [0, 0, ",
         "nodes[1].global: 12 finite numbers are wanted, there are 11"},
        {"\"global\": [0, 0, 0, ", "\"global\": [0, null, 0, ",
         "nodes[1].global: 12 finite numbers are wanted, [1] is null"},
        {"\"global\": [0, 0, 0, ", "\"global\": [0, 0, 1e39, ",
         "nodes[1].global: 12 finite numbers are wanted, [2] is 1e+39: more than a float holds"},
        {"\"palette\": [", "\"palette\": [{}, ", "palette[0].mesh: a string is wanted, there is none"},
        {"\"bone\": \"tip\"", "\"bone\": 3", "palette[0].bone: a string is wanted, found a number"},
        {"\"matrix\"", "\"m\"", "palette[0].matrix: 12 finite numbers are wanted, there is none"},
        {"\"vertices\": 3", "\"vertices\": -3",
         "skin[0].vertices: a whole number from 0 to 4294967295 is wanted, found -3"},
        {"\"min\": [-3", "\"min\": [3", ""},
        {"\"min\": [-3.4028235e+38, 0", "\"min\": [0, 1", "skin[0].min: is greater than max"},
        {"\"centroid\"", "\"center\"", "skin[0].centroid: 3 finite numbers are wanted, there is none"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        reads(&pose_kind, changes[i].from, changes[i].to, changes[i].complaint);
}

#define SOME_COUNT "a whole number from 0 to 4294967295 is wanted"
#define WORDS_OF_UP "\"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\""

static void broken_imports_are_told(void **state)
{
    (void)state;
    static const struct change changes[] = {
        {"rigproof.import/1", "rigproof.pose/1", "format: \"rigproof.import/1\" is wanted, found \"rigproof.pose/1\""},
        {"\"-z\"", "\"+z\"", "up: one of " WORDS_OF_UP " is wanted, found another string"},
        {"\"unit_meters\": 0.0254", "\"unit_meters\": null", "unit_meters: a number is wanted, found null"},
        {"\"bone\": false", "\"bone\": 0", "nodes[0].bone: true or false is wanted, found a number"},
        {"\"local\": [0, 0, ", "\"local\": [0, ", "nodes[1].local: 12 finite numbers are wanted, there are 11"},
        {"\"meshes\"", "\"mesh\"", "meshes: an array is wanted, there is none"},
        {"[\"rig\", \"rig\"]", "[\"rig\", 1]", "meshes[0].nodes[1]: a string is wanted, found a number"},
        {"[1, 0, 2]", "[1, 0.5, 2]", "meshes[0].influences[1]: " SOME_COUNT ", found 0.5"},
        {"\"normal\": [", "\"normal\": [0, ", "meshes[0].moments.normal: 12 finite numbers are wanted, there are 13"},
        {"[\"repeat\", \"mirror\"]", "[\"repeat\"]", "materials[1].wrap: 2 items are wanted, there are 1"},
        {"\"mirror\"", "\"mirrored\"",
         "materials[1].wrap[1]: one of \"repeat\", \"clamp\", \"mirror\" is wanted, found another string"},
        {"\"influences\"", "\"bindings\"", "meshes[0].influences: an array is wanted, there is none"},
        {"\"bones\"", "\"joints\"", "meshes[0].bones: an array is wanted, there is none"},
        {"\"weights\": 0", "\"weights\": true", "meshes[0].bones[1].weights: " SOME_COUNT ", found true"},
        {"\"reach\": 0", "\"reach\": -1", "meshes[0].bones[1].reach: is a distance, found -1"},
        {"\"follows_mesh_node\": true", "\"follows_mesh_node\": null",
         "meshes[0].bones[0].follows_mesh_node: true or false is wanted, found null"},
        {"\"alpha\": \"mask\"", "\"alpha\": \"cut\"",
         "materials[1].alpha: one of \"opaque\", \"mask\", \"blend\" is wanted, found another string"},
        {"\"cutoff\"", "\"limit\"", "materials[1].cutoff: a number is wanted, there is none"},
        {"\"base_texture\": null", "\"base_texture\": -1",
         "materials[0].base_texture: a string or null is wanted, found a number"},
        {"\"height\"", "\"h\"", "textures[0].height: " SOME_COUNT ", there is none"},
        {"\"ticks_per_second\": 0", "\"ticks_per_second\": {}",
         "clips[0].ticks_per_second: a number is wanted, found an object"},
        {"\"t\": {\"keys\": 2", "\"t\": {\"keys\": 0", "clips[0].channels[0].t.keys: at least one is wanted"},
        {"\"r\": {", "\"r\": 1, \"x\": {", "clips[0].channels[0].r: an object is wanted, found a number"},
        {"\"cubic\"", "\"bezier\"",
         "clips[0].channels[0].t.interpolation: one of \"step\", \"linear\", \"cubic\" is wanted, found another "
         "string"},
        {"\"mean\": [0.5, 1]", "\"mean\": [0.5]",
         "clips[0].morphs[0].weights.mean: 2 finite numbers are wanted, there are 1"},
        {"\"fov_y\": 0.7", "\"fov_y\": 1e39", "cameras[0].fov_y: a number that a float holds is wanted, found 1e+39"},
        {"\"warnings\": [", "\"warnings\": [1, ", "warnings[0]: an object is wanted, found a number"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        reads(&import_kind, changes[i].from, changes[i].to, changes[i].complaint);
}

/* What the parser itself refuses: the place is a line and a column. */
static void no_json_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *complaint;
    } changes[] = {
        {"\"t\": [0, 0, 0]", "\"t\": [0, NaN, 0]", "pose.json: no JSON, line 10, column "},
        {"\"t\": [0, 0, 0]", "\"t\": [0, Infinity, 0]", "pose.json: no JSON, line 10, column "},
        {"\"t\": [0, 0, 0]", "\"t\": [0, 1e400, 0]", "pose.json: no JSON, line 10, column "},
        {"\"clip\":", "\"model\":", "pose.json: no JSON, line 4, column "},
        {"{\n \"format\"", "format", "pose.json: no JSON, line 1, column "},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct error err = {0};
        struct arena *arena = arena_require(SAMPLE_CAPACITY);
        struct text text = changed(&pose_kind, changes[i].from, changes[i].to), again = {0};
        assert_false(read_pose(text.data, text.size, arena, &err, &again));
        assert_memory_equal(err.text, changes[i].complaint, strlen(changes[i].complaint));
        text_release(&text);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_back), cmocka_unit_test(engines_may_leave_out_and_add),
        cmocka_unit_test(broken_poses_are_told), cmocka_unit_test(broken_imports_are_told),
        cmocka_unit_test(no_json_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
