/* Skinned vertices of the GPU against those of the CPU. */

#include "compare/compare.h"
#include "compare/require_findings.h"
#include "data/tiny_scene.h"

/* The tiny scene's triangle `body part`, twice; that of the call before is freed. Vertex 1 is held mostly by the tip, vertex 0 by the hip. */
struct two_skins {
    struct scene *scene;
    struct skinned cpu, gpu;
    struct findings findings;
    struct tolerance tolerance;
    double rounding, worst;
};

static struct two_skins two;

static void begin_with(uint32_t instance)
{
    scene_free(two.scene);
    two = (struct two_skins){.scene = tiny_scene(), .tolerance = tolerance_defaults};
    struct skinned *skins[] = {&two.cpu, &two.gpu};
    two.findings.arena = two.scene->arena;
    for (int i = 0; i < 2; i++) {
        *skins[i] = skinned_create(two.scene, two.scene->arena)[instance];
        memcpy(skins[i]->positions, two.scene->meshes[instance].positions, 3 * sizeof(vec3));
        memcpy(skins[i]->normals, two.scene->meshes[instance].normals, 3 * sizeof(vec3));
        skins[i]->tangents = ARENA_NEW(two.scene->arena, vec4, 3);
        for (int v = 0; v < 3; v++)
            memcpy(skins[i]->tangents[v], (vec4){1, 0, 0, v == 2 ? -1 : 1}, sizeof(vec4));
    }
}

static int set_up(void **state)
{
    begin_with(0);
    return 0;
}

#define SKIN_TEST(name) TEST_WITH(name, set_up, NULL)

static size_t compare_them(void)
{
    two.findings.tolerance = &two.tolerance;
    two.worst = compare_skin(two.scene, &two.cpu, &two.gpu, 2.0, two.rounding, 0.25, &two.findings);
    return two.findings.count;
}

static void finds_nothing(void)
{
    compare_them();
    assert_int_equal(two.findings.count, 0);
}

/* This alone, about a vertex whose bone it names. */
static const struct finding *finds(enum finding_code code, uint32_t vertex, const char *bone)
{
    compare_them();
    const struct finding *finding = require_only(&two.findings, code, bone);
    assert_int_equal(finding->stage, STAGE_SKIN);
    assert_int_equal(finding->index, vertex);
    assert_float_equal(finding->time, 0.25, 0);
    return finding;
}

SKIN_TEST(limit_is_of_the_radius)
{
    two.gpu.positions[2][2] += 1.9e-5f; /* of 2 */
    assert_int_equal(compare_them(), 0);
    assert_float_equal(two.worst, 0.95e-5, 1e-7);
    two.gpu.positions[2][2] += 0.2e-5f;
    assert_int_equal(compare_them(), 1);
    assert_float_equal(two.findings.items[0].displacement, 1.05e-5, 1e-7);
    assert_float_equal(two.findings.items[0].displacement, two.worst, 0);
}

SKIN_TEST(rounding_comes_on_top)
{
    two.rounding = 0.5e-5;
    two.gpu.positions[2][2] += 2.4e-5f; /* of 2e-5 + 0.5e-5 */
    assert_int_equal(compare_them(), 0);
    two.gpu.positions[2][2] += 0.2e-5f;
    assert_int_equal(compare_them(), 1);
    assert_float_equal(two.findings.items[0].displacement, 1.3e-5, 1e-7);
    begin_with(0);
    two.rounding = 1;
    two.tolerance.skin = 0; /* requires the same numbers */
    two.gpu.positions[2][2] += 1e-6f;
    assert_int_equal(compare_them(), 1);
}

SKIN_TEST(worst_vertex_and_its_bone_are_named)
{
    two.gpu.positions[1][0] += 0.5f;
    const struct finding *finding = finds(CODE_GPU_POSITION, 1, "tip \"x\"");
    assert_float_equal(two.worst, 0.25, 1e-7);
    assert_string_equal(finding->mesh, "body part");
    assert_float_equal(finding->distance, 0.5, 1e-7);
    assert_int_equal(finding->count, 1);
    begin_with(0);
    two.gpu.positions[1][0] += 0.25f;
    two.gpu.positions[2][0] += 0.5f;
    finding = finds(CODE_GPU_POSITION, 2, "tip \"x\"");
    assert_int_equal(finding->count, 2);
    assert_string_equal(finding->other, "tip \"x\"");
    begin_with(0);
    for (int v = 0; v < 3; v++)
        two.gpu.positions[v][0] += 0.5f;
    finding = finds(CODE_GPU_POSITION, 0, "hip, left");
    assert_int_equal(finding->count, 3);
    assert_string_equal(finding->other, "tip \"x\"");
}

SKIN_TEST(rigid_meshes_are_named_by_their_node)
{
    begin_with(1);
    two.scene->unit_meters = 0.01;
    two.gpu.positions[0][1] = 3;
    assert_float_equal(finds(CODE_GPU_POSITION, 0, "prop")->distance, 3, 1e-6);
    assert_float_equal(two.findings.unit_meters, 0.01, 0);
}

SKIN_TEST(meshes_of_one_name_are_numbered)
{
    begin_with(1);
    two.scene->meshes[0].name = "prop";
    scene_label_meshes(two.scene);
    two.gpu.positions[0][1] = 3;
    compare_them();
    assert_string_equal(two.findings.items[0].mesh, "prop #1");
}

SKIN_TEST(normals_are_compared_by_their_angle)
{
    two.gpu.normals[0][0] = (float)sin(0.09 * 3.14159265358979 / 180);
    finds_nothing();
    begin_with(0);
    memcpy(two.gpu.normals[0], (vec3){0.6f, 0.8f, 0}, sizeof(vec3));
    assert_int_equal(compare_them(), 1);
    assert_float_equal(two.findings.items[0].degrees, acos(0.8) * 180 / 3.14159265358979, 1e-4);
    assert_float_equal(two.worst, 0, 0);
    assert_string_equal(require_only(&two.findings, CODE_GPU_DIRECTION, "hip, left")->part, "normal");
    begin_with(0);
    memset(two.cpu.normals[0], 0, sizeof(vec3)); /* where the file's normal is zero there is no angle */
    finds_nothing();
}

SKIN_TEST(normals_must_be_unit_vectors)
{
    static const float wrong[] = {0, NAN, INFINITY, 3, 0.9f};
    static const double lengths[] = {0, -1, -1, 3, 0.9};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        begin_with(0);
        for (int k = 0; k < 3; k++)
            two.gpu.normals[1][k] *= wrong[i];
        assert_float_equal(finds(CODE_GPU_LENGTH, 1, NULL)->now, lengths[i], 1e-6);
    }
    begin_with(0);
    memcpy(two.gpu.normals[0], (vec3){0, 1.0005f, 0}, sizeof(vec3));
    finds_nothing();
    begin_with(0);
    memcpy(two.gpu.normals[0], (vec3){2.4f, 1.8f, 0}, sizeof(vec3)); /* turned besides */
    assert_int_equal(compare_them(), 2);
    assert_float_equal(two.findings.items[1].degrees, acos(0.6) * 180 / 3.14159265358979, 1e-4);
    begin_with(0);
    memset(two.cpu.normals[0], 0, sizeof(vec3));
    two.gpu.normals[0][0] = NAN; /* normalize() of what the file has */
    finds_nothing();
}

SKIN_TEST(what_is_no_number_is_said)
{
    two.gpu.positions[1][2] = NAN;
    two.gpu.positions[2][0] = INFINITY;
    const struct finding *lost = finds(CODE_GPU_NO_NUMBER, 1, "tip \"x\"");
    assert_true(isinf(two.worst) && lost->count == 2 && lost->of == 3);
    begin_with(0);
    two.cpu.positions[1][2] = NAN;
    compare_them();
    assert_true(isinf(two.worst));
    assert_int_equal(two.findings.count, 1);
}

SKIN_TEST(other_counts_are_said)
{
    two.gpu.vertex_count = 2;
    const struct finding *count = finds(CODE_GPU_COUNT, 0, NULL);
    assert_true(isinf(two.worst) && count->now == 2 && count->was == 3);
    begin_with(0);
    two.gpu.vertex_count = two.cpu.vertex_count = 0;
    finds_nothing();
}

SKIN_TEST(tangents_are_compared_with_their_sign)
{
    memcpy(two.gpu.tangents[0], (vec4){0.6f, 0.8f, 0, 1}, sizeof(vec4));
    const struct finding *turned = finds(CODE_GPU_DIRECTION, 0, "hip, left");
    assert_string_equal(turned->part, "tangent");
    assert_float_equal(turned->degrees, 53.1, 0.05);
    begin_with(0);
    two.gpu.tangents[1][0] = 0.9f;
    assert_float_equal(finds(CODE_GPU_LENGTH, 1, NULL)->now, 0.9, 1e-6);
    begin_with(0);
    two.gpu.tangents[2][3] = 1;
    const struct finding *side = finds(CODE_GPU_BITANGENT, 2, NULL);
    assert_true(side->now == 1 && side->was == -1);
    begin_with(0);
    memset(two.cpu.tangents[0], 0, sizeof(vec4)); /* nothing is left of it: anything goes */
    two.gpu.tangents[0][1] = NAN;
    finds_nothing();
    begin_with(0);
    two.gpu.tangents[0][0] = 0;
    two.gpu.tangents = NULL; /* a user's shader */
    finds_nothing();
}
