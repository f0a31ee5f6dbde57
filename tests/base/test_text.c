/* Numbers as the shortest text that reads back, a text that grows, names of others in it, UTF-8. */

#include <float.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/json.h"
#include "base/names.h"
#include "base/screen.h"
#include "base/text.h"
#include "base/utf8.h"
#include "run_binary.h"

TEST(doubles_are_short)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0"}, {-0.0, "0"}, {0.1, "0.1"}, {1.0 / 24, "0.041666666666666664"}, {0.25, "0.25"}, {1e-5, "1e-05"},
        {1e300, "1e+300"}, {0.1 + 0.2, "0.30000000000000004"}, {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_TRUE_MIN, "5e-324"}, {-1.5, "-1.5"}, {123456789.0, "123456789"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_writes(text_add_double(out, cases[i].value), cases[i].text);
}

/* xorshift: the same patterns on every run. */
static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Says in so many words what text_add_float() stands for. */
static void expected_float(float value, char out[static 32])
{
    for (int digits = fabsf(value) < FLT_MIN ? 1 : FLT_DIG; digits <= FLT_DECIMAL_DIG; digits++) {
        snprintf(out, 32, "%.*g", digits, (double)value);
        if (strtof(out, NULL) == value)
            break;
    }
    if (value == 0.0f)
        strcpy(out, "0");
}

static void is_written_as_expected(uint32_t bits, struct text *text)
{
    char expected[32];
    float value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
        return;
    text->size = 0;
    text_add_float(text, value);
    expected_float(value, expected);
    if (strcmp(text_string(text), expected) != 0 || strlen(expected) != text->size)
        fail_msg("%a was written as %s, not %s", (double)value, text_string(text), expected);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Powers of two and of ten with their neighbours, where digits carry and intervals are lopsided; whole numbers; noise. */
TEST(floats_are_those_of_printf)
{
    SCOPED(text) text = {0};
    uint64_t seed = 2463534242u;
    for (uint32_t exponent = 0; exponent < 255; exponent++)
        for (uint32_t k = 0; k < 400; k++)
            is_written_as_expected((exponent << 23) + k - (exponent > 0 ? 200 : 0), &text);
    for (int exponent = -45; exponent < 39; exponent++) {
        char power[16];
        snprintf(power, sizeof power, "-1e%d", exponent);
        for (uint32_t k = 0; k < 2000; k++)
            is_written_as_expected(bits_of(strtof(power, NULL)) + k - (exponent > -40 ? 1000 : 0), &text);
    }
    for (int i = 0; i < 300000; i++) {
        uint64_t random = next_random(&seed);
        is_written_as_expected((uint32_t)(random >> 16), &text);
        is_written_as_expected(((uint32_t)random & 0x807fffff) | (57 + (uint32_t)(random >> 40) % 90) << 23, &text);
        is_written_as_expected(bits_of((float)((random >> 20) % 2000000) * 1e-6f), &text);
        is_written_as_expected(bits_of((float)((int)((random >> 20) % 2000000) - 1000000)), &text);
    }
}

TEST(random_doubles_read_back)
{
    uint64_t seed = 2463534242u;
    SCOPED(text) text = {0};
    for (int tested = 0; tested < 100000; tested++) {
        uint64_t bits = next_random(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        text.size = 0;
        text_add_double(&text, value);
        if (strtod(text_string(&text), NULL) != value)
            fail_msg("%a was written as %s", value, text_string(&text));
    }
}

TEST(text_grows)
{
    struct text text = {0};
    assert_string_equal(text_string(&text), "");
    text_add(&text, "");
    assert_string_equal(text_string(&text), "");
    for (int i = 0; i < 10000; i++)
        text_addf(&text, "%05d,", i);
    assert_int_equal(text.size, 60000);
    assert_int_equal(strlen(text.data), 60000);
    assert_int_equal(strncmp(text.data, "00000,00001,", 12), 0);
    assert_string_equal(text.data + 59994, "09999,");
    text_release(&text);
    assert_null(text.data);
    text_add_bytes(&text, "a\0b", 3);
    text_add(&text, "c");
    assert_int_equal(text.size, 4);
    assert_memory_equal(text.data, "a\0bc", 5);
    text.size = 0;
    assert_string_equal(text_string(&text), "");
    text_release(&text);
}

/* ---- names of others --------------------------------------------------------------------------------------------- */

static void becomes(void (*add)(struct text *, const char *), const char *value, const char *expected)
{
    SCOPED(text) once = {0}, twice = {0};
    add(&once, value);
    assert_string_equal(text_string(&once), expected);
    add(&twice, text_string(&once));
    assert_string_equal(text_string(&twice), expected);
}

#define FFFD "\xef\xbf\xbd"

/* What is between the names stays as it is. */
TEST(names_stand_among_numbers)
{
    SCOPED(text) text = {0};
    text_add_named(&text, "\n  %s: %u of %zu, %s", "a\nb", 3u, (size_t)5, "##[error]");
    assert_string_equal("\n  a\\nb: 3 of 5, ##\\u005berror]", text_string(&text));
}

TEST(names_stay_on_their_line)
{
    becomes(text_add_name, "", "");
    becomes(text_add_name, "hand.L, 4.1\xc2\xb0 \xe6\x89\x8b C:\\n", "hand.L, 4.1\xc2\xb0 \xe6\x89\x8b C:\\n");
    becomes(text_add_name, "\x1b[31mred\a\r\n\t\x7f", "\\u001b[31mred\\u0007\\r\\n\\t\\u007f");
    becomes(text_add_name, "\xc2\x9b" "31m\xc2\x85", "\\u009b31m\\u0085"); /* CSI and NEL as one character */
    becomes(text_add_name, "a\xff\xc3(", "a" FFFD FFFD "(");
    becomes(text_add_name, "\xe2\x80\xae" "evil\xe2\x81\xa6\xd8\x9c\xe2\x80\xa8", "\\u202eevil\\u2066\\u061c\\u2028");
}

TEST(names_are_no_commands)
{
    becomes(text_add_name, "::stop-commands::x", "\\u003a:stop-commands::x");
    becomes(text_add_name, " \xc2\xa0::x", " \xc2\xa0\\u003a:x");
    becomes(text_add_name, ":::x", "\\u003a::x");
    becomes(text_add_name, "Model::hips:x", "Model::hips:x");
    becomes(text_add_name, "##[error]x #[y [##", "##\\u005berror]x #[y [##");
    becomes(text_add_name, "a##vso[task.x]##teamcity[b]", "a##vso\\u005btask.x]##teamcity\\u005bb]");
    becomes(text_add_name, "##a1[0]", "##a1[0]");
}

TEST(lines_stay_lines)
{
    becomes(text_add_lines, "a\r\n\tb\n\n", "a\n\tb\n\n");
    becomes(text_add_lines, "a\rb\n ::c\n\t::d::e", "a\\rb\n \\u003a:c\n\t\\u003a:d::e");
    becomes(text_add_lines, "x\n##[y]\x1b\xe2\x80\xa9", "x\n##\\u005by]\\u001b\\u2029");
}

/* ---- UTF-8 ------------------------------------------------------------------------------------------------------- */

TEST(only_bad_bytes_are_replaced)
{
    static const char good[] = "H\xc3\xbc"
                               "fte";
    SCOPED_ARENA arena = arena_require(1 << 16);
    assert_null(utf8_fix(NULL, arena));
    assert_ptr_equal(utf8_fix(good, arena), good);
    assert_string_equal(utf8_fix("\xff\xc3\xbc\xe2\x82", arena), "\xef\xbf\xbd\xc3\xbc\xef\xbf\xbd\xef\xbf\xbd");
}

/* ---- numbers of people ------------------------------------------------------------------------------------------- */

TEST(numbers_are_digits)
{
    static const char *const good[] = {"5", "-5", "0.5", ".5", "5.", "1e-05", "1E+3", "007"};
    static const char *const bad[] = {"",     " 5",  "5 ",   "+5",  "0x10", "nan",  "inf", "-inf", "1e", "1e400", ".",
                                      "-",    "--5", "5.5.", "1,5", "e5",   "\t1", "1f",  "-.",   "infinity", "\xd9\xa5"};
    double number;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(decimal_read(good[i], strlen(good[i]), false, &number));
        assert_true(number == strtod(good[i], NULL));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (decimal_read(bad[i], strlen(bad[i]), false, &number))
            fail_msg("`%s` was taken", bad[i]);
    assert_true(decimal_read("12x", 2, true, &number) && number == 12);
    assert_true(decimal_read("-7", 2, true, &number) && number == -7);
    assert_false(decimal_read("1e3", 3, true, &number) || decimal_read("5.0", 3, true, &number) ||
                 decimal_read("5.", 2, true, &number));
}

/* ---- errors travel up: the first message stays, callers put what they know in front ------------------------------ */

TEST(first_message_is_kept)
{
    struct error err = {0};
    assert_false(error_is_set(&err));
    assert_false(error_set(&err, "bone `%s`: %d", "hips", 7));
    assert_true(error_is_set(&err));
    assert_string_equal(err.text, "bone `hips`: 7");
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    assert_false(error_set(&err, "second"));
    assert_false(error_set_code(&err, EXIT_CODE_DIFFERS, "third"));
    assert_string_equal(err.text, "bone `hips`: 7");
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
}

TEST(prefixes_go_in_front_on_the_one_line)
{
    struct error err = {0};
    error_set_code(&err, EXIT_CODE_DIFFERS, "line one\nline two\ttab\x1b[31m\x7f\n");
    assert_string_equal(err.text, "line one\\nline two\\ttab\\u001b[31m\\u007f");
    assert_false(error_prefix(&err, "clip %d", 3));
    error_prefix(&err, "::stop-commands::x\nfile");
    assert_string_equal(err.text, "\\u003a:stop-commands::x\\nfile: clip 3: line one\\nline two\\ttab\\u001b[31m\\u007f");
    assert_int_equal(err.exit_code, EXIT_CODE_DIFFERS);
}

TEST(long_messages_are_cut)
{
    struct error err = {0};
    char many[3000];
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    error_set(&err, "%s", many);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    error_prefix(&err, "front");
    assert_int_equal(strncmp(err.text, "front: xxx", 10), 0);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    error_prefix(&err, "%s", many);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_true(error_is_set(&err));
    err = (struct error){0};
    error_set(&err, "no such file");
    error_prefix(&err, "%s", many); /* the reason stays */
    assert_non_null(strstr(err.text, "xxx: no such file"));
}

/* ---- names that are mistyped, and several things of one name ----------------------------------------------------- */

TEST(distances_by_hand)
{
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},        {"", "abc", 3},          {"walk", "walk", 0},  {"walk", "WALK", 0},     {"walk", "wlak", 1},
        {"walk", "walks", 1}, {"walk", "wak", 1},    {"walk", "talk", 1},  {"kitten", "sitting", 3}, {"ca", "abc", 3},
        {"render", "redner", 1}, {"idle", "wave", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(name_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(name_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
    char a[100], b[100];
    memset(a, 'a', sizeof a - 1);
    memset(b, 'a', sizeof b - 1);
    a[99] = b[99] = '\0';
    assert_int_equal(name_distance(a, b), 99); /* too long to be looked at */
    a[64] = b[64] = '\0';
    b[10] = 'b';
    assert_int_equal(name_distance(a, b), 1);
}

TEST(nearest_is_what_was_meant)
{
    static const char *const commands[] = {"inspect", "render", "turntable", "dump", "doctor"};
    static const struct {
        const char *typed, *meant;
    } cases[] = {
        {"rendr", "render"},     {"redner", "render"}, {"RENDER", "render"}, {"turntabel", "turntable"},
        {"inspekt", "inspect"},  {"dum", "dump"},      {"docter", "doctor"}, {"frobnicate", NULL},
        {"x", NULL},             {"", NULL},           {"inspection", "inspect"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *near = name_nearest(cases[i].typed, commands, 5);
        assert_string_equal(near ? near : "", cases[i].meant ? cases[i].meant : "");
    }
    assert_null(name_nearest("render", commands, 0));
    static const char *const short_ones[] = {"z", "up"};
    assert_null(name_nearest("", short_ones, 2)); /* nothing is not nearly anything */
    assert_null(name_nearest("w", short_ones, 2));
    assert_string_equal(name_nearest("u", short_ones, 2), "up");
    assert_string_equal(name_nearest("UP", short_ones, 2), "up");
    assert_null(name_nearest("foo", (const char *const[]){"root"}, 1)); /* two of three letters are others */
    static const char *const times[] = {"times", "time", "timer"};
    assert_string_equal(name_nearest("time", times, 3), "time");
    assert_string_equal(name_nearest("timr", times, 3), "time");
}

TEST(signs_between_words_count_little)
{
    static const char *const bones[] = {"mixamorig:LeftFoot", "foot_L", "hand.L"};
    assert_string_equal(name_nearest("fotL", bones, 3), "foot_L");
    assert_string_equal(name_nearest("hand_l", bones, 3), "hand.L");
    assert_string_equal(name_nearest("mixamorig_leftfoot", bones, 3), "mixamorig:LeftFoot");
    assert_null(name_nearest("head", bones, 3));
}

TEST(patterns_are_guessed)
{
    static const char *const names[] = {"walker-walk", "walker-idle", "strip"};
    static const struct {
        const char *pattern, *meant;
    } cases[] = {{"stripp", "strip"}, {"idle", "*idle*"}, {"wlaker*", "walker*"}, {"str*", "*str*"}, {"*x*", ""}, {"", ""}, {"*", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_writes(assert_int_equal(glob_suggest(cases[i].pattern, names, 3, out), *cases[i].meant != '\0'),
                      cases[i].meant);
    }
}

/* At blanks, below the value of a label; commands, escape sequences and words that are too long stay whole. */
TEST(lines_are_wrapped)
{
    static const struct {
        const char *text, *wrapped;
    } cases[] = {
        {"a short line\n", "a short line\n"},
        {"warning: there are many words in it\n", "warning: there are\n  many words in it\n"},
        {"  skin   one two three four\nnext\n", "  skin   one two\n         three four\nnext\n"},
        {"  repeat   rigproof check suite.yaml --filter a\n", "  repeat   rigproof check suite.yaml --filter a\n"},
        {"rigproof works here: it draws by itself.\n", "rigproof works here:\n  it draws by\n  itself.\n"}, /* no command */
        {"\x1b[31mFAIL\x1b[0m  one two three four", "\x1b[31mFAIL\x1b[0m  one two three\n      four"},
        {"out/check/a-very-long-name/0.000.png is it", "out/check/a-very-long-name/0.000.png\n  is it"},
        {"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4 b", "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4 b"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SCOPED(text) out = {0};
        text_add_wrapped(&out, cases[i].text, 20, 2);
        assert_string_equal(text_string(&out), cases[i].wrapped);
        out.size = 0;
        text_add_wrapped(&out, cases[i].text, 0, 2);
        assert_string_equal(*cases[i].text ? text_string(&out) : "", cases[i].text);
    }
}

TEST(names_become_slugs)
{
    static const struct {
        const char *name, *slug;
        size_t most;
    } cases[] = {{"walk", "walk", 100}, {"rig|Walk 2", "rig-walk-2", 100}, {"--a__b..", "a-b", 100}, {"", "", 100},
                 {"\xe8\xb5\xb0", "", 100}, {"L\xc3\xa4uft", "l-uft", 100}, {"abc def", "abc", 4}, {"../../x", "x", 100}};
    SCOPED_ARENA arena = arena_require(1 << 16);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(name_slug(cases[i].name, cases[i].most, arena), cases[i].slug);
}

TEST(bones_leave_out_their_prefix)
{
    static const char *const bones[] = {"Armature", "mixamorig:LeftArm", "mixamorig:LeftHand", "mixamorig:LeftHand"};
    struct name_prefix prefix = {0};
    name_prefix_add(&prefix, bones[3]);
    name_prefix_add(&prefix, bones[3]);
    assert_int_equal(name_prefix_length(&prefix), 0); /* of one name */
    assert_string_equal(name_without(&prefix, bones[3]), bones[3]);
    for (int i = 0; i < 4; i++)
        name_prefix_add(&prefix, bones[i]);
    assert_int_equal(name_prefix_length(&prefix), strlen("mixamorig:"));
    assert_string_equal(name_without(&prefix, bones[1]), "LeftArm");
    assert_string_equal(name_without(&prefix, "mixamorig:"), "mixamorig:");
    assert_string_equal(name_without(&prefix, bones[0]), bones[0]);
    name_prefix_add(&prefix, "rig|body");
    assert_int_equal(name_prefix_length(&prefix), 0);
}

TEST(a_thing_is_found_by_its_name)
{
    const struct {
        const char *name;
        int value;
    } things[] = {{"head", 1}, {NULL, 2}, {"body", 3}, {"body", 4}};
    const char *const words[] = {"left", "right"};
    assert_int_equal(NAMED(things, 4, "body")->value, 3);
    assert_null(NAMED(things, 2, "body"));
    assert_null(NAMED(things, 4, NULL));
    assert_null(NAMED(things, 0, "head"));
    assert_ptr_equal(NAMED(words, 2, "right"), &words[1]);
}

TEST(things_of_one_name_are_numbered)
{
    SCOPED_ARENA arena = arena_require((size_t)1 << 16);
    const char *names[] = {"body", "head", "body", "body", ""};
    static const char *const numbered[] = {"body #0", "head", "body #1", "body #2", ""};
    static const char *const quoted[] = {"`body` #0", "`head`", "`body` #1", "`body` #2", "``"};
    names_number(names, 5, arena);
    for (int i = 0; i < 5; i++) {
        SCOPED(text) text = {0};
        assert_string_equal(names[i], numbered[i]);
        name_quote(names[i], '`', &text);
        assert_string_equal(text_string(&text), quoted[i]);
    }
    names_number(names, 0, arena);
}

TEST(layout_is_one_element_a_line)
{
    SCOPED(text) text = {0};
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
}

TEST(values_have_their_form)
{
    SCOPED(text) text = {0};
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
}

TEST(strings_are_escaped)
{
    static const struct {
        const char *raw, *quoted;
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
        {"\xff", "\"" FFFD "\""},
        {"a\xc3", "\"a" FFFD "\""},                   /* cut short */
        {"\xc3(", "\"" FFFD "(\""},
        {"\xc0\xaf", "\"" FFFD FFFD "\""},        /* overlong */
        {"\xe0\x80\x80", "\"" FFFD FFFD FFFD "\""},
        {"\xed\xa0\x80", "\"" FFFD FFFD FFFD "\""}, /* a surrogate */
        {"\xf0\x80\x80\x80", "\"" FFFD FFFD FFFD FFFD "\""},
        {"\xf4\x90\x80\x80", "\"" FFFD FFFD FFFD FFFD "\""}, /* past U+10FFFF */
        {"\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_writes(text_add_quoted(out, cases[i].raw), cases[i].quoted);
}

TEST(any_bytes_make_valid_json)
{
    for (int a = 1; a < 256; a++)
        for (int b = 0; b < 256; b += 5) {
            char raw[5] = {(char)a, (char)b, (char)0xbf, (char)a, 0};
            SCOPED(text) text = {0};
            struct json_writer j = {.text = &text};
            json_open_object(&j, NULL, JSON_LINES);
            json_add_string(&j, raw, raw);
            json_close(&j);
            require_json(text.data, text.size);
        }
}

/* RFC 4648, section 10; and what a model file may have besides. */
TEST(base64_goes_there_and_back)
{
    static const struct {
        const char *bytes, *text;
    } rows[] = {{"", ""},         {"f", "Zg=="},         {"fo", "Zm8="},        {"foo", "Zm9v"},
                {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    static const char *const wrong[] = {"Z", "Zm9vY", "Zm=v", "Zm 9v", "Zm9_", "*"};
    char out[16];
    size_t size;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct text text = {0};
        text_add_base64(&text, rows[i].bytes, strlen(rows[i].bytes));
        assert_string_equal(text_string(&text), rows[i].text);
        text_release(&text);
        for (int is_of_file = 0; is_of_file < 2; is_of_file++) {
            assert_true(base64_decode(rows[i].text, strlen(rows[i].text), is_of_file, out, &size));
            assert_int_equal(size, strlen(rows[i].bytes));
            assert_memory_equal(out, rows[i].bytes, size);
        }
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(base64_decode(wrong[i], strlen(wrong[i]), false, out, &size));
    assert_true(base64_decode("_-\r\n A=", 8, true, out, &size));
    assert_int_equal(size, 2);
    assert_memory_equal(out, "\xff\xe0", 2);
    assert_false(base64_decode("Zm*v", 4, true, out, &size));
}

/* A spreadsheet takes what begins so for a formula. */
TEST(fields_of_csv_are_no_formulas)
{
    static const char *const fields[][2] = {{"=1+1", "\"'=1+1\""}, {"+a", "\"'+a\""}, {"-a,b", "\"'-a,b\""}, {"@a\"", "\"'@a\"\"\""},
                                            {"a=b", "a=b"}, {"a-b", "a-b"}, {"", ""}, {"a,b", "\"a,b\""}, {"\"", "\"\"\"\""}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        assert_writes(text_add_csv(out, fields[i][0]), fields[i][1]);
}
