/* What the statistics of normals, texture coordinates and colours make of a change, in words; and bones with namesakes. */
#include "cmocka_setup.h"

#include <string.h>

#include "compare/compare.h"
#include "compare/import_context.h"

/* Three vertices: normals up, texture coordinates whose v has the mean 0.25, red. */
static const struct mesh_evidence mesh = {
    .name = "body", .material = "skin", .vertices = 3, .triangles = 1, .min = {0, 0, 0}, .max = {1, 2, 1}, .has_uvs = true,
    .normals = {3, {0, 0.5f, 0, 0, 1, 0.25f, 0, 0, 0, 0, 0, 0.5f}},
    .uvs = {2, {0.5f, 0.25f, 0, 0, 0.25f, 0, 0.5f, 0}},
    .colors = {4, {1, 0, 0, 0, [12] = 1, 0, 0, 0}},
};

static struct findings compare(const struct mesh_evidence *was, const struct mesh_evidence *now, struct arena *arena)
{
    static struct material_evidence skin = {.name = "skin", .alpha = "opaque"};
    const struct import_evidence golden = {.model = "a", .up = "y", .mesh_count = 1, .meshes = (struct mesh_evidence *)was,
                                           .material_count = 1, .materials = &skin};
    struct import_evidence actual = golden;
    struct findings findings = {.arena = arena};
    actual.meshes = (struct mesh_evidence *)now;
    struct import_context context = import_context_create(&golden, &actual, &tolerance_defaults, &findings);
    import_match_materials(&context);
    import_match_meshes(&context);
    import_compare_surfaces(&context);
    return findings;
}

static void expect(const struct mesh_evidence *was, const struct mesh_evidence *now, const char *text)
{
    struct error err = {0};
    struct arena *arena = arena_create(1 << 20, &err);
    struct findings findings = compare(was, now, arena);
    assert_int_equal(findings.count, text ? 1 : 0);
    if (text) {
        assert_string_equal(findings.items[0].text, text);
        assert_int_equal(findings.items[0].stage, STAGE_IMPORT);
        assert_false(findings.items[0].benign);
    }
    arena_destroy(arena);
}

static void equal_surfaces_say_nothing(void **state)
{
    (void)state;
    struct mesh_evidence now = mesh;
    expect(&mesh, &now, NULL);
    now.uvs.moments[4] += 0.9e-5f;
    expect(&mesh, &now, NULL);
    now.uvs.moments[4] += 0.2e-5f;
    expect(&mesh, &now, "texture coordinates of mesh `body` differ: on average (0.5, 0.25001), were (0.5, 0.25)");
}

static void normals_are_lost_or_turned(void **state)
{
    (void)state;
    struct mesh_evidence now = mesh;
    for (int m = 0; m < 12; m++)
        now.normals.moments[m] = -mesh.normals.moments[m];
    expect(&mesh, &now, "normals of mesh `body` point the other way");
    memset(now.normals.moments, 0, sizeof now.normals.moments);
    expect(&mesh, &now, "normals of mesh `body` are lost");
}

static void a_flip_of_v_has_a_name(void **state)
{
    (void)state;
    struct mesh_evidence now = mesh;
    memcpy(&now.uvs.moments[4], ((const float[]){0.75f, 0.125f, -0.5f, 0}), 4 * sizeof(float));
    expect(&mesh, &now, "texture coordinates of mesh `body` are upside down: v is 1 - v");
    now = mesh;
    memcpy(now.uvs.moments, ((const float[]){0.5f, -0.25f, 0, 0}), 4 * sizeof(float)); /* the mean stays one half */
    expect(&mesh, &now, "texture coordinates of mesh `body` are mirrored: u is 1 - u");
}

static void colours_belong_to_other_vertices(void **state)
{
    (void)state;
    struct mesh_evidence now = mesh;
    now.colors.moments[1] = 0.5f;
    expect(&mesh, &now, "vertex colours of mesh `body` belong to other vertices: their mean is the same");
    now.colors = (struct attribute_evidence){0};
    expect(&mesh, &now, "vertex colours of mesh `body` are lost");
    expect(&now, &mesh, "vertex colours of mesh `body` are there now, were not");
}

static void what_is_not_known_is_not_compared(void **state)
{
    (void)state;
    struct mesh_evidence now = mesh, other = mesh;
    now.normals = now.colors = (struct attribute_evidence){0}; /* a file without moments */
    expect(&now, &mesh, NULL);
    other.vertices = 4; /* told by its count */
    other.uvs.moments[0] = 0;
    expect(&mesh, &other, NULL);
    other = mesh;
    other.max[0] = 1.5f; /* told by its bounds */
    other.uvs.moments[0] = 0;
    expect(&mesh, &other, NULL);
}

/* stage / arm, the node of a mesh, and stage / rig / arm, the bone; `swapped`: the importer took the other one. */
static struct import_evidence two_arms(bool swapped, struct arena *arena)
{
    static const char *const names[] = {"stage", "arm", "rig", "arm"}, *const parents[] = {NULL, "stage", "stage", "rig"};
    struct node_evidence *nodes = ARENA_NEW(arena, struct node_evidence, 4);
    for (int i = 0; i < 4; i++) {
        nodes[i] = (struct node_evidence){.name = names[i], .parent = parents[i], .is_bone = i == (swapped ? 1 : 3)};
        memcpy(nodes[i].local_to_parent, (mat4){{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}, sizeof(mat4));
    }
    return (struct import_evidence){.model = "a", .up = "y", .node_count = 4, .nodes = nodes};
}

static void another_node_of_the_name_is_the_bone(void **state)
{
    (void)state;
    struct error err = {0};
    struct arena *arena = arena_create(1 << 20, &err);
    struct findings findings = {.arena = arena};
    const struct import_evidence golden = two_arms(false, arena), swapped = two_arms(true, arena);
    compare_import(&golden, &golden, &tolerance_defaults, &findings);
    assert_int_equal(findings.count, 0);
    compare_import(&golden, &swapped, &tolerance_defaults, &findings);
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.items[0].text, "bone `arm` is the node under `stage` now, was the one under `rig`");
    assert_int_equal(findings_culprit(&findings), STAGE_IMPORT);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_surfaces_say_nothing),      cmocka_unit_test(normals_are_lost_or_turned),
        cmocka_unit_test(a_flip_of_v_has_a_name),          cmocka_unit_test(colours_belong_to_other_vertices),
        cmocka_unit_test(what_is_not_known_is_not_compared),
        cmocka_unit_test(another_node_of_the_name_is_the_bone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
