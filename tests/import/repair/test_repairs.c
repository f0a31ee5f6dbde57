#include "import/import_fixture.h"

static uint32_t parsed(const char *text)
{
    uint32_t bits = 0xdead;
    struct error err = {0};
    if (!repair_parse(text, &bits, &err))
        fail_msg("%s", err.text);
    return bits;
}

static void test_lists(void **state)
{
    (void)state;
    assert_int_equal(parsed("all"), REPAIR_ALL);
    assert_int_equal(parsed("none"), 0);
    assert_int_equal(parsed("fbx-pivots"), REPAIR_FBX_PIVOTS);
    assert_int_equal(parsed("tick-rate,unweighted"), REPAIR_TICK_RATE | REPAIR_UNWEIGHTED);
}

static void test_every_name_is_its_own_bit(void **state)
{
    (void)state;
    const char *name;
    const char *what;
    uint32_t all = 0;
    unsigned count = 0;
    for (; repair_describe(count, &name, &what); count++) {
        assert_int_equal(parsed(name), 1u << count);
        assert_true(what[0] != '\0');
        all |= 1u << count;
    }
    assert_int_equal(all, REPAIR_ALL);
    assert_false(repair_describe(count, &name, &what));
    assert_false(repair_describe(1000, &name, &what));
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } wrong[] = {
        {"fbx-pivot", "unknown repair \"fbx-pivot\"; did you mean \"fbx-pivots\"?"},
        {"tick-rate,normalize-weights", "did you mean \"normalise-weights\"?"},
        {"", "empty name"},
        {"tick-rate,", "empty name"},
        {",tick-rate", "empty name"},
        {"all,tick-rate", "\"all\" cannot be combined"},
        {"tick-rate,none", "\"none\" cannot be combined"},
        {"qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq",
         "unknown repair"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct error err = {0};
        uint32_t bits = 77;
        assert_false(repair_parse(wrong[i].text, &bits, &err));
        assert_int_equal(bits, 77);
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
        assert_contains(err.text, wrong[i].message);
    }
}

static void test_none_reports_no_repair(void **state)
{
    (void)state;
    static const char *const names[] = {"twins/twins.gltf", "ticks/ticks.x", "walker/walker.fbx",
                                        "broken/unweighted.gltf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct scene *scene = load_with(names[i], 0);
        for (uint32_t n = 0; n < scene->note_count; n++)
            assert_int_equal(scene->notes[n].kind, NOTE_WARNING);
        scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_every_name_is_its_own_bit),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_none_reports_no_repair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
