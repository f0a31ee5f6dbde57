/* The JSON writer: layout for git diff, escaping, numbers; jansson reads it back. */
#include "cmocka_setup.h"

#include <math.h>

#include "base/json.h"
#include "run_binary.h"

static void layout_is_one_element_a_line(void **state)
{
    (void)state;
    struct text text = {0};
    struct json_writer j = {.text = &text};
    json_open_object(&j, NULL, JSON_LINES);
    json_add_string(&j, "format", "x/1");
    json_open_array(&j, "nodes", JSON_LINES);
    for (int i = 0; i < 2; i++) {
        json_open_object(&j, NULL, JSON_INLINE);
        json_add_int(&j, "i", i);
        json_add_floats(&j, "t", (float[]){0.1f, -0.0f, 1e-5f}, 3);
        json_close(&j);
    }
    json_close(&j);
    json_open_array(&j, "none", JSON_LINES);
    json_close(&j);
    json_open_object(&j, "flat", JSON_INLINE);
    json_close(&j);
    json_close(&j);
    assert_int_equal(j.depth, 0);
    assert_string_equal(text_string(&text), "{\n"
                                            " \"format\": \"x/1\",\n"
                                            " \"nodes\": [\n"
                                            "  {\"i\": 0, \"t\": [0.1, 0, 1e-05]},\n"
                                            "  {\"i\": 1, \"t\": [0.1, 0, 1e-05]}\n"
                                            " ],\n"
                                            " \"none\": [],\n"
                                            " \"flat\": {}\n"
                                            "}\n");
    text_release(&text);
}

static void values_have_their_form(void **state)
{
    (void)state;
    struct text text = {0};
    struct json_writer j = {.text = &text};
    json_open_array(&j, NULL, JSON_INLINE);
    json_add_bool(&j, NULL, true);
    json_add_bool(&j, NULL, false);
    json_add_int(&j, NULL, -9223372036854775807LL);
    json_add_float(&j, NULL, 0.5f);
    json_add_double(&j, NULL, 1.0 / 24);
    json_add_string(&j, NULL, NULL);
    json_add_float(&j, NULL, NAN);
    json_add_double(&j, NULL, -INFINITY);
    json_add_floats(&j, NULL, (float[]){INFINITY, 1}, 2);
    json_add_floats(&j, NULL, NULL, 0);
    json_close(&j);
    assert_string_equal(text_string(&text),
                        "[true, false, -9223372036854775807, 0.5, 0.041666666666666664, null, null, "
                        "null, [null, 1], []]\n");
    text_release(&text);
}

#define REPLACED "\xef\xbf\xbd"

static void strings_are_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *raw;
        const char *quoted;
    } cases[] = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"line\nand\ttab\r", "\"line\\nand\\ttab\\u000d\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"h\xc3\xbc" "fte", "\"h\xc3\xbc" "fte\""},
        {"\xf0\x9f\xa6\x8a", "\"\xf0\x9f\xa6\x8a\""},     /* a fox */
        {"\xc2\x9b\xe2\x80\xa8\xe2\x80\xae", "\"\\u009b\\u2028\\u202e\""},
        {"a##vso[b] ##[c] [d]", "\"a##vso\\u005bb] ##\\u005bc] [d]\""},
        {"\xff", "\"" REPLACED "\""},
        {"a\xc3", "\"a" REPLACED "\""},                   /* cut short */
        {"\xc3(", "\"" REPLACED "(\""},
        {"\xc0\xaf", "\"" REPLACED REPLACED "\""},        /* overlong */
        {"\xe0\x80\x80", "\"" REPLACED REPLACED REPLACED "\""},
        {"\xed\xa0\x80", "\"" REPLACED REPLACED REPLACED "\""}, /* a surrogate */
        {"\xf0\x80\x80\x80", "\"" REPLACED REPLACED REPLACED REPLACED "\""},
        {"\xf4\x90\x80\x80", "\"" REPLACED REPLACED REPLACED REPLACED "\""}, /* past U+10FFFF */
        {"\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = {0};
        text_add_quoted(&text, cases[i].raw);
        assert_string_equal(text_string(&text), cases[i].quoted);
        text_release(&text);
    }
}

static void any_bytes_make_valid_json(void **state)
{
    (void)state;
    for (int a = 1; a < 256; a++)
        for (int b = 0; b < 256; b += 5) {
            char raw[5] = {(char)a, (char)b, (char)0xbf, (char)a, 0};
            struct text text = {0};
            struct json_writer j = {.text = &text};
            json_open_object(&j, NULL, JSON_LINES);
            json_add_string(&j, raw, raw);
            json_close(&j);
            require_json(text.data, text.size);
            text_release(&text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout_is_one_element_a_line),
        cmocka_unit_test(values_have_their_form),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(any_bytes_make_valid_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
