/* Reading JSON of unknown origin: what is taken, and each complaint letter by letter. */
#include "cmocka_setup.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "data/json_read.h"

/* A document that is open for reading. */
struct opened {
    struct arena *arena;
    struct error err;
    struct json_reader reader;
};

static struct json_place *open_text(struct opened *opened, const char *text)
{
    *opened = (struct opened){0};
    opened->arena = arena_create((size_t)1 << 20, &opened->err);
    assert_non_null(opened->arena);
    json_reader_open(&opened->reader, text, strlen(text), "some.json", opened->arena, &opened->err);
    return &opened->reader.root;
}

static void release(struct opened *opened)
{
    json_reader_close(&opened->reader);
    arena_destroy(opened->arena);
}

/* Closes it; the first complaint must be that text, "" for none. */
static void close_text(struct opened *opened, const char *complaint)
{
    assert_string_equal(opened->err.text, complaint);
    assert_int_equal(opened->err.exit_code, *complaint ? EXIT_CODE_USAGE : EXIT_CODE_GOOD);
    release(opened);
}

static void good_values_are_taken(void **state)
{
    (void)state;
    static const char *const words[] = {"step", "linear", "cubic"};
    struct opened opened;
    uint32_t count = 0;
    float floats[3] = {0};
    const struct json_place *root = open_text(
        &opened, "{\"format\": \"f/1\", \"name\": \"H\\u00fcfte \\\"x\\\"\", \"none\": null, \"how\": \"cubic\",\n"
                 " \"yes\": true, \"no\": false, \"many\": 4294967295, \"three\": 3.0, \"big\": "
                 "100000000000000000000000, \"float\": 0.1,\n"
                 " \"double\": 0.1, \"floats\": [1, -2.5, 1e-45], \"inner\": {\"list\": [[7], [8]]}}");
    json_require_format(root, "f/1");
    assert_string_equal(json_read_string(root, "name"), "H\xc3\xbc"
                                                        "fte \"x\"");
    assert_null(json_read_string_or_null(root, "none"));
    assert_string_equal(json_read_string_or_null(root, "how"), "cubic");
    assert_int_equal(json_read_word(root, "how", words, 3), 2);
    assert_true(json_read_bool(root, "yes"));
    assert_false(json_read_bool(root, "no"));
    assert_true(json_has(root, "none"));
    assert_false(json_has(root, "nothing"));
    assert_int_equal(json_read_count(root, "many"), UINT32_MAX);
    assert_int_equal(json_read_count(root, "three"), 3);
    assert_true(json_read_float(root, "float") == 0.1f);
    assert_true(json_read_float(root, "big") == 1e23f); /* more than any integer of the machine */
    assert_true(json_read_double(root, "double") == 0.1);
    assert_true(isnan(json_read_double_or_nan(root, "none")));
    assert_true(json_read_double_or_nan(root, "double") == 0.1);
    json_read_floats(root, "floats", floats, 3);
    assert_true(floats[0] == 1.0f && floats[1] == -2.5f && floats[2] == FLT_TRUE_MIN);
    struct json_place inner = json_read_object(root, "inner");
    struct json_place list = json_read_array(&inner, "list", &count);
    assert_int_equal(count, 2);
    struct json_place item = json_item(&list, 1);
    struct json_place pair = json_read_array(&item, NULL, &count);
    assert_int_equal(count, 1);
    struct json_place number = json_item(&pair, 0);
    assert_true(json_read_double(&number, NULL) == 8.0);
    close_text(&opened, "");
}

static void a_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    struct opened opened;
    assert_true(json_read_bool(open_text(&opened, "\xef\xbb\xbf{\"k\": true}"), "k"));
    close_text(&opened, "");
}

/* ---- complaints ------------------------------------------------------------------------------------------------ */

/* What the parser says is not ours: only where, and of what. */
static void documents_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *where;
        const char *of_what;
    } cases[] = {
        {"", "some.json: no JSON, line 1, column 0: ", "end of file"},
        {"{\"a\":\n  NaN}", "some.json: no JSON, line 2, column 5: ", "NaN"},
        {"[1, Infinity]", "some.json: no JSON, line 1, column 12: ", "Infinity"},
        {"[1e400]", "some.json: no JSON, line 1, column 6: ", "1e400"},
        {"{\"a\": 1,\n \"a\": 1}", "some.json: no JSON, line 2, column 4: ", "duplicate"},
        {"{\"a\": 1", "some.json: no JSON, line 1, column 7: ", "end of file"},
        {"{} {}", "some.json: no JSON, line 1, column 4: ", "end of file expected"},
        {"[\"\xff\"]", "some.json: no JSON, line 1, column 2: ", "0xff"},
        {"[\"\\u0000\"]", "some.json: no JSON, line 1, column 9: ", "0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct opened opened;
        char where[64];
        open_text(&opened, cases[i].text);
        snprintf(where, strlen(cases[i].where) + 1, "%s", opened.err.text);
        assert_string_equal(where, cases[i].where);
        assert_non_null(strstr(opened.err.text, cases[i].of_what));
        release(&opened);
    }
}

static void as_string(const struct json_place *at)
{
    assert_string_equal(json_read_string(at, "k"), "");
}

static void as_string_or_null(const struct json_place *at)
{
    assert_string_equal(json_read_string_or_null(at, "k"), "");
}

static void as_word(const struct json_place *at)
{
    static const char *const words[] = {"mask", "blend"};
    assert_int_equal(json_read_word(at, "k", words, 2), 0);
}

static void as_bool(const struct json_place *at)
{
    assert_false(json_read_bool(at, "k"));
}

static void as_count(const struct json_place *at)
{
    assert_int_equal(json_read_count(at, "k"), 0);
}

static void as_float(const struct json_place *at)
{
    assert_true(json_read_float(at, "k") == 0.0f);
}

static void as_double(const struct json_place *at)
{
    assert_true(json_read_double(at, "k") == 0.0);
}

static void as_double_or_nan(const struct json_place *at)
{
    assert_true(json_read_double_or_nan(at, "k") == 0.0);
}

static void as_floats(const struct json_place *at)
{
    float floats[2];
    json_read_floats(at, "k", floats, 2);
}

static void as_object(const struct json_place *at)
{
    struct json_place object = json_read_object(at, "k");
    assert_string_equal(json_read_string(&object, "inner"), "");
}

static void as_array(const struct json_place *at)
{
    uint32_t count = 5;
    json_read_array(at, "k", &count);
    assert_int_equal(count, 0);
}

static void as_format(const struct json_place *at)
{
    json_require_format(at, "f/1");
}

static void as_items(const struct json_place *at)
{
    uint32_t count = 0;
    struct json_place array = json_read_array(at, "k", &count);
    for (uint32_t i = 0; i < count; i++) {
        struct json_place item = json_item(&array, i);
        struct json_place inner = json_read_object(&item, "o");
        json_read_bool(&inner, "b");
    }
}

static void as_only_word(const struct json_place *at)
{
    static const char *const words[] = {"this"};
    assert_int_equal(json_read_word(at, "k", words, 1), 0);
}

static void as_box(const struct json_place *at)
{
    vec3 min, max;
    json_read_box(at, min, max);
}

/* More than the arena of open_text() holds. */
static void as_memory(const struct json_place *at)
{
    struct json_place object = json_read_object(at, "k");
    uint32_t count = UINT32_MAX;
    assert_non_null(JSON_NEW(&object, double, &count));
    assert_int_equal(count, 0);
}

static void each_complaint_names_place_and_wish(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        void (*read)(const struct json_place *at);
        const char *complaint;
    } cases[] = {
        {"[]", as_string, "an object is wanted, found an array"},
        {"{}", as_string, "k: a string is wanted, there is none"},
        {"{\"k\": null}", as_string, "k: a string is wanted, found null"},
        {"{\"k\": 1}", as_string_or_null, "k: a string or null is wanted, found a number"},
        {"{\"k\": true}", as_word, "k: a string is wanted, found true"},
        {"{\"k\": \"Mask\"}", as_word, "k: one of \"mask\", \"blend\" is wanted, found another string"},
        {"{\"k\": 1}", as_bool, "k: true or false is wanted, found a number"},
        {"{\"k\": false}", as_count, "k: a whole number from 0 to 4294967295 is wanted, found false"},
        {"{\"k\": -1}", as_count, "k: a whole number from 0 to 4294967295 is wanted, found -1"},
        {"{\"k\": 1.5}", as_count, "k: a whole number from 0 to 4294967295 is wanted, found 1.5"},
        {"{\"k\": 4294967296}", as_count, "k: a whole number from 0 to 4294967295 is wanted, found 4.2949673e+09"},
        {"{\"k\": \"1\"}", as_float, "k: a number is wanted, found a string"},
        {"{\"k\": 1e39}", as_float, "k: a number that a float holds is wanted, found 1e+39"},
        {"{\"k\": {}}", as_double, "k: a number is wanted, found an object"},
        {"{\"k\": \"nan\"}", as_double_or_nan, "k: a number or null is wanted, found a string"},
        {"{\"k\": 1}", as_floats, "k: 2 finite numbers are wanted, found a number"},
        {"{\"k\": [1]}", as_floats, "k: 2 finite numbers are wanted, there are 1"},
        {"{\"k\": [1, null]}", as_floats, "k: 2 finite numbers are wanted, [1] is null"},
        {"{\"k\": [-1e39, 0]}", as_floats, "k: 2 finite numbers are wanted, [0] is -1e+39: more than a float holds"},
        {"{\"k\": []}", as_object, "k: an object is wanted, found an array"},
        {"{\"k\": {}}", as_array, "k: an array is wanted, found an object"},
        {"{}", as_format, "format: \"f/1\" is wanted, there is none"},
        {"{\"format\": \"f/2\"}", as_format, "format: \"f/1\" is wanted, found \"f/2\""},
        {"{\"format\": \"0123456789012345678901234567890123456789012345678901234567890\"}", as_format,
         "format: \"f/1\" is wanted, found a long string"},
        {"{\"k\": [{\"o\": {\"b\": true}}, {\"o\": {}}, 1]}", as_items,
         "k[1].o.b: true or false is wanted, there is none"},
        {"{\"k\": [1]}", as_items, "k[0]: an object is wanted, found a number"},
        {"{\"k\": \"that\"}", as_only_word, "k: \"this\" is wanted, found another string"},
        {"{\"min\": [0, 1, 0], \"max\": [1, 0.5, 1]}", as_box, "min: is greater than max"},
        {"{\"k\": {}}", as_memory, "k: more than fits in memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct opened opened;
        char complaint[256];
        cases[i].read(open_text(&opened, cases[i].text));
        snprintf(complaint, sizeof complaint, "some.json: %s", cases[i].complaint);
        close_text(&opened, complaint);
    }
}

static void first_complaint_stays_and_ends_all(void **state)
{
    (void)state;
    struct opened opened;
    uint32_t count = 5;
    float floats[2] = {1, 1};
    const struct json_place *root = open_text(&opened, "{\"s\": \"text\", \"l\": [1], \"n\": 1, \"f\": [2, 3]}");
    json_read_bool(root, "first");
    json_read_bool(root, "second");
    assert_string_equal(json_read_string(root, "s"), "");
    assert_false(json_has(root, "s"));
    json_read_array(root, "l", &count);
    assert_int_equal(count, 0);
    assert_true(json_read_double(root, "n") == 0.0);
    json_read_floats(root, "f", floats, 2);
    assert_true(floats[0] == 0.0f && floats[1] == 0.0f);
    close_text(&opened, "some.json: first: true or false is wanted, there is none");
}

/* ---- floats ---------------------------------------------------------------------------------------------------- */

static uint32_t bits_of(float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void comes_back(float value)
{
    struct text text = {0};
    struct json_writer json = {.text = &text};
    struct opened opened;
    json_open_object(&json, NULL, JSON_LINES);
    json_add_float(&json, "k", value);
    json_close(&json);
    const struct json_place *root = open_text(&opened, text_string(&text));
    assert_int_equal(bits_of(json_read_float(root, "k")), bits_of(value));
    close_text(&opened, "");
    text_release(&text);
}

static void floats_come_back_bit_by_bit(void **state)
{
    (void)state;
    uint32_t random = 1;
    comes_back(0.0f);
    comes_back(FLT_MAX);
    comes_back(-FLT_MAX);
    comes_back(FLT_MIN);
    comes_back(FLT_TRUE_MIN);
    comes_back(16777216.0f);
    for (int i = 0; i < 2000; i++) {
        float value = 0.0f;
        random = random * 1664525u + 1013904223u;
        memcpy(&value, &random, sizeof value);
        if (isfinite(value))
            comes_back(value);
    }
}

/* The double nearest to this decimal is halfway between two floats; strtof rounds once and is right. */
static void a_decimal_is_rounded_once(void **state)
{
    (void)state;
    static const char decimal[] = "7.038531e-26";
    float right = strtof(decimal, NULL);
    assert_true((float)strtod(decimal, NULL) != right);
    comes_back(right);
    comes_back(-right);
    comes_back((float)strtod(decimal, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_values_are_taken),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
        cmocka_unit_test(documents_that_are_none),
        cmocka_unit_test(each_complaint_names_place_and_wish),
        cmocka_unit_test(first_complaint_stays_and_ends_all),
        cmocka_unit_test(floats_come_back_bit_by_bit),
        cmocka_unit_test(a_decimal_is_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
