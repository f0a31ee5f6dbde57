#include "import/import_fixture.h"

#include "import/assimp/library_probe.h"
#include "import/convert.h"

static void test_the_library_of_this_build_is_readable(void **state)
{
    (void)state;
    struct error err = {0};
    assert_true(import_check_library(&err));
    assert_false(error_is_set(&err));
}

/* aiQuatKey: 24 bytes up to 5.4.2, 32 from 5.4.3 on; libassimp.so.5 is the name of both. */
static void test_keys_of_another_size_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t built;
        size_t found;
        bool readable;
    } pairs[] = {{24, 24, true}, {32, 32, true}, {24, 32, false}, {32, 24, false}, {24, 0, true}, {32, 0, true}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct error err = {0};
        assert_int_equal(library_check_key(pairs[i].built, pairs[i].found, &err), pairs[i].readable);
        assert_int_equal(error_is_set(&err), !pairs[i].readable);
        if (!pairs[i].readable)
            assert_contains(err.text, "build rigproof again");
    }
}

/*
 * What releases do, as far as their version is true: 5.4.3 is also what v6.0.0 and the commits between call themselves.
 * The files that are tried must be readable, or nothing is known.
 */
static void test_ways_of_this_library(void **state)
{
    (void)state;
    unsigned major, minor, patch;
    assert_int_equal(sscanf(import_library_version(), "%u.%u.%u", &major, &minor, &patch), 3);
    unsigned version = major * 10000 + minor * 100 + patch;
    assert_int_equal(library_gltf()->key_size, sizeof(struct aiQuatKey));
    assert_int_equal(library_gltf()->orders_by_use, version >= 50300);
    assert_int_equal(library_gltf()->multiplies_angle, version < 50300);
    assert_int_equal(library_fbx()->turns_root, version >= 50400);
    assert_int_not_equal(library_fbx()->offsets, FBX_OFFSETS_UNKNOWN);
    if (version != 50403)
        assert_int_equal(library_fbx()->offsets, version < 50400   ? FBX_OFFSETS_BOUND
                                                 : version < 60000 ? FBX_OFFSETS_OF_PARENT
                                                                   : FBX_OFFSETS_OF_MESH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_library_of_this_build_is_readable),
        cmocka_unit_test(test_keys_of_another_size_are_refused),
        cmocka_unit_test(test_ways_of_this_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
