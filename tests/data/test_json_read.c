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
    /* a byte order mark is skipped */
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

/* How the member "k" is read; what is no such thing gives nothing. */
enum as {
    STRING, STRING_OR_NULL, WORD, ONLY_WORD, BOOL, COUNT, FLOAT, DOUBLE, DOUBLE_OR_NAN, FLOATS, OBJECT, ARRAY, FORMAT,
    ITEMS, BOX, MEMORY,
};

static void read_as(enum as as, const struct json_place *at)
{
    static const char *const words[] = {"mask", "blend"}, *const only[] = {"this"};
    float floats[3];
    vec3 max;
    uint32_t count = UINT32_MAX;
    struct json_place array, inner;
    switch (as) {
    case STRING:
        assert_string_equal(json_read_string(at, "k"), "");
        break;
    case STRING_OR_NULL:
        assert_string_equal(json_read_string_or_null(at, "k"), "");
        break;
    case WORD:
        assert_int_equal(json_read_word(at, "k", words, 2), 0);
        break;
    case ONLY_WORD:
        assert_int_equal(json_read_word(at, "k", only, 1), 0);
        break;
    case BOOL:
        assert_false(json_read_bool(at, "k"));
        break;
    case COUNT:
        assert_int_equal(json_read_count(at, "k"), 0);
        break;
    case FLOAT:
        assert_true(json_read_float(at, "k") == 0.0f);
        break;
    case DOUBLE:
        assert_true(json_read_double(at, "k") == 0.0);
        break;
    case DOUBLE_OR_NAN:
        assert_true(json_read_double_or_nan(at, "k") == 0.0);
        break;
    case FLOATS:
        json_read_floats(at, "k", floats, 2);
        break;
    case OBJECT:
        inner = json_read_object(at, "k");
        assert_string_equal(json_read_string(&inner, "inner"), "");
        break;
    case ARRAY:
        json_read_array(at, "k", &count);
        assert_int_equal(count, 0);
        break;
    case FORMAT:
        json_require_format(at, "f/1");
        break;
    case ITEMS:
        array = json_read_array(at, "k", &count);
        for (uint32_t i = 0; i < count; i++) {
            struct json_place item = json_item(&array, i);
            inner = json_read_object(&item, "o");
            json_read_bool(&inner, "b");
        }
        break;
    case BOX:
        json_read_box(at, floats, max);
        break;
    case MEMORY: /* more than the arena of open_text() holds */
        inner = json_read_object(at, "k");
        assert_non_null(JSON_NEW(&inner, double, &count));
        assert_int_equal(count, 0);
        break;
    }
}

static void each_complaint_names_place_and_wish(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum as as;
        const char *complaint;
    } cases[] = {
        {"[]", STRING, "an object is wanted, found an array"},
        {"{}", STRING, "k: a string is wanted, there is none"},
        {"{\"k\": null}", STRING, "k: a string is wanted, found null"},
        {"{\"k\": 1}", STRING_OR_NULL, "k: a string or null is wanted, found a number"},
        {"{\"k\": true}", WORD, "k: a string is wanted, found true"},
        {"{\"k\": \"Mask\"}", WORD, "k: one of \"mask\", \"blend\" is wanted, found another string"},
        {"{\"k\": 1}", BOOL, "k: true or false is wanted, found a number"},
        {"{\"k\": false}", COUNT, "k: a whole number from 0 to 4294967295 is wanted, found false"},
        {"{\"k\": -1}", COUNT, "k: a whole number from 0 to 4294967295 is wanted, found -1"},
        {"{\"k\": 1.5}", COUNT, "k: a whole number from 0 to 4294967295 is wanted, found 1.5"},
        {"{\"k\": 4294967296}", COUNT, "k: a whole number from 0 to 4294967295 is wanted, found 4.2949673e+09"},
        {"{\"k\": \"1\"}", FLOAT, "k: a number is wanted, found a string"},
        {"{\"k\": 1e39}", FLOAT, "k: a number that a float holds is wanted, found 1e+39"},
        {"{\"k\": {}}", DOUBLE, "k: a number is wanted, found an object"},
        {"{\"k\": \"nan\"}", DOUBLE_OR_NAN, "k: a number or null is wanted, found a string"},
        {"{\"k\": 1}", FLOATS, "k: 2 finite numbers are wanted, found a number"},
        {"{\"k\": [1]}", FLOATS, "k: 2 finite numbers are wanted, there are 1"},
        {"{\"k\": [1, null]}", FLOATS, "k: 2 finite numbers are wanted, [1] is null"},
        {"{\"k\": [-1e39, 0]}", FLOATS, "k: 2 finite numbers are wanted, [0] is -1e+39: more than a float holds"},
        {"{\"k\": []}", OBJECT, "k: an object is wanted, found an array"},
        {"{\"k\": {}}", ARRAY, "k: an array is wanted, found an object"},
        {"{}", FORMAT, "format: \"f/1\" is wanted, there is none"},
        {"{\"format\": \"f/2\"}", FORMAT, "format: \"f/1\" is wanted, found \"f/2\""},
        {"{\"format\": \"0123456789012345678901234567890123456789012345678901234567890\"}", FORMAT,
         "format: \"f/1\" is wanted, found a long string"},
        {"{\"k\": [{\"o\": {\"b\": true}}, {\"o\": {}}, 1]}", ITEMS,
         "k[1].o.b: true or false is wanted, there is none"},
        {"{\"k\": [1]}", ITEMS, "k[0]: an object is wanted, found a number"},
        {"{\"k\": \"that\"}", ONLY_WORD, "k: \"this\" is wanted, found another string"},
        {"{\"min\": [0, 1, 0], \"max\": [1, 0.5, 1]}", BOX, "min: is greater than max"},
        {"{\"k\": {}}", MEMORY, "k: more than fits in memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct opened opened;
        char complaint[256];
        read_as(cases[i].as, open_text(&opened, cases[i].text));
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

static void comes_back(float value)
{
    struct text text = {0};
    struct json_writer json = {.text = &text};
    struct opened opened;
    json_open_object(&json, NULL, JSON_LINES);
    json_add_float(&json, "k", value);
    json_close(&json);
    const struct json_place *root = open_text(&opened, text_string(&text));
    float back = json_read_float(root, "k");
    assert_memory_equal(&back, &value, sizeof value);
    close_text(&opened, "");
    text_release(&text);
}

static void floats_come_back_bit_by_bit(void **state)
{
    (void)state;
    static const float values[] = {0.0f, FLT_MAX, -FLT_MAX, FLT_MIN, FLT_TRUE_MIN, 16777216.0f};
    static const char decimal[] = "7.038531e-26"; /* the nearest double is halfway between two floats */
    uint32_t random = 1;
    float right = strtof(decimal, NULL); /* which rounds once */
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        comes_back(values[i]);
    for (int i = 0; i < 2000; i++) {
        float value = 0.0f;
        random = random * 1664525u + 1013904223u;
        memcpy(&value, &random, sizeof value);
        if (isfinite(value))
            comes_back(value);
    }
    assert_true((float)strtod(decimal, NULL) != right);
    comes_back(right);
    comes_back(-right);
    comes_back((float)strtod(decimal, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_values_are_taken),
        cmocka_unit_test(documents_that_are_none),
        cmocka_unit_test(each_complaint_names_place_and_wish),
        cmocka_unit_test(first_complaint_stays_and_ends_all),
        cmocka_unit_test(floats_come_back_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
