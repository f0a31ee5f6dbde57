#define _GNU_SOURCE /* mkdtemp */

#include "import/gltf_temporary.h"

#include "import/gltf/gltf_vertices.h"

static void test_first_use(void **state)
{
    (void)state;
    uint32_t order[6];
    const uint32_t indices[] = {4, 0, 4, 2, 9, 0, 5};
    assert_int_equal(gltf_first_use(indices, 7, 6, order), 4);
    const uint32_t expected[] = {4, 0, 2, 5};
    assert_memory_equal(order, expected, sizeof expected);
    assert_int_equal(gltf_first_use(indices, 0, 6, order), 0);
}

/* Four vertices at x = 0, 1, 2, 3; the triangle 3 1 0 leaves vertex 2 out. */
static const char model[] =
    "{\"buffers\":[{\"uri\":\"data:;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAQAAAAAAAAAAAAABAQAAAAAAAAAAAAwEA\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":3}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]}";

static uint32_t *order_of(vec3 *positions, uint32_t count, struct error *err)
{
    struct gltf_file file;
    assert_true(open_text(&file, model, err));
    const json_t *primitive = json_array_get(json_object_get(gltf_item(&file, "meshes", 0), "primitives"), 0);
    struct mesh mesh = {.vertex_count = count, .positions = positions};
    uint32_t vertices;
    uint32_t *order = gltf_vertex_order(&file, primitive, &mesh, &vertices, err);
    if (order)
        assert_int_equal(vertices, 4);
    gltf_close(&file);
    return order;
}

/* Both rules are told apart by what the mesh holds, whatever the library's version. */
static void test_both_orders(void **state)
{
    (void)state;
    struct error err = {0};
    vec3 in_place[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    uint32_t *order = order_of(in_place, 4, &err);
    assert_non_null(order);
    assert_memory_equal(order, ((const uint32_t[]){0, 1, 2, 3}), 4 * sizeof *order);
    free(order);
    vec3 by_use[] = {{3, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    order = order_of(by_use, 3, &err);
    assert_non_null(order);
    assert_memory_equal(order, ((const uint32_t[]){3, 1, 0}), 3 * sizeof *order);
    free(order);
}

static void test_neither(void **state)
{
    (void)state;
    struct error err = {0};
    vec3 other[] = {{3, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    assert_null(order_of(other, 4, &err));
    assert_says(&err, "its 4 vertices are not the file's 4");
    struct error why = {0};
    assert_null(order_of(other, 2, &why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_use),
        cmocka_unit_test(test_both_orders),
        cmocka_unit_test(test_neither),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
