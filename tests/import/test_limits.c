#include "import_fixture.h"

#include <sys/resource.h>

/* Far too little time for half a megabyte of FBX: the limit, not the machine's speed, decides. */
static void test_too_little_time(void **state)
{
    (void)state;
    struct import_options options = import_defaults;
    options.timeout_seconds = 0.0001;
    struct error err = {0};
    assert_null(import_scene(FIXTURES "/walker/walker.fbx", &options, &err));
    assert_string_equal(err.text, "import of " FIXTURES
                                  "/walker/walker.fbx: no result after 0.0001 s (--import-timeout)");
}

/* The scene alone is larger than its arena, so this holds under a sanitizer too, which lifts the process's
 * limit. */
static void test_too_little_memory(void **state)
{
    (void)state;
    struct import_options options = import_defaults;
    options.memory_mib = 1;
    struct error err = {0};
    assert_null(import_scene(FIXTURES "/walker/walker.fbx", &options, &err));
    assert_string_equal(err.text,
                        "import of " FIXTURES "/walker/walker.fbx: needs more than 1 MiB (--import-memory)");
}

/* Where the system gives less address space than the scene's arena reserves. */
static void test_too_little_address_space(void **state)
{
    (void)state;
#ifdef RIGPROOF_SANITIZE
    skip(); /* its shadow alone is larger than the limit */
#endif
    struct rlimit before, little = {(rlim_t)2 << 30, (rlim_t)2 << 30};
    struct error err = {0};
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    little.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
    struct scene *scene = import_scene(FIXTURES "/pieces/body.glb", &import_defaults, &err);
    setrlimit(RLIMIT_AS, &before);
    assert_null(scene);
    assert_contains(err.text, "body.glb: cannot reserve 4096 MiB");
    assert_contains(err.text, "--import-memory 512");
}

static void test_no_time_limit(void **state)
{
    (void)state;
    struct import_options options = import_defaults;
    options.timeout_seconds = 0;
    struct error err = {0};
    struct scene *scene = import_scene(FIXTURES "/pieces/body.glb", &options, &err);
    assert_non_null(scene);
    scene_free(scene);
}

/* Two scenes at once, and each is freed on its own. */
static void test_scenes_do_not_share_memory(void **state)
{
    (void)state;
    struct scene *one = load("pieces/body.glb");
    struct scene *two = load("pieces/body.glb");
    assert_ptr_not_equal(one->arena, two->arena);
    scene_free(one);
    assert_string_equal(two->nodes[0].name[0] ? two->format : "", "glb");
    scene_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_little_time),
        cmocka_unit_test(test_too_little_memory),
        cmocka_unit_test(test_too_little_address_space),
        cmocka_unit_test(test_no_time_limit),
        cmocka_unit_test(test_scenes_do_not_share_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
