/* Reading JSON of unknown origin: what is taken, and each complaint letter by letter. */
#include "cmocka_setup.h"

#include <float.h>

#include "data/json_fields.h"

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

/* Rows read this; each has the key "k". */
struct value {
    const char *text;
    int word;
    bool flag;
    uint32_t count;
    float number, floats[2];
    double real;
};

enum as {
    STRING, STRING_OR_NULL, WORD, ONLY_WORD, BOOL, COUNT, FLOAT, DOUBLE, DOUBLE_OR_NULL, FLOATS, TABLE_KINDS,
    FORMAT = TABLE_KINDS, OBJECT, ARRAY, ITEMS, MEMORY,
};

static void read_by_table(enum as as, const struct json_place *at, struct value *out)
{
    static const char *const words[] = {"mask", "blend"}, *const only[] = {"this"};
    static const struct field rows[TABLE_KINDS] = {
        [STRING] = {"k", FIELD_TEXT, FIELD_MEMBER(struct value, text)},
        [STRING_OR_NULL] = {"k", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct value, text)},
        [WORD] = {"k", FIELD_ENUM, FIELD_MEMBER(struct value, word), FIELD_WORDS(words)},
        [ONLY_WORD] = {"k", FIELD_CONSTANT, FIELD_WORDS(only)},
        [BOOL] = {"k", FIELD_BOOL, FIELD_MEMBER(struct value, flag)},
        [COUNT] = {"k", FIELD_COUNT, FIELD_MEMBER(struct value, count)},
        [FLOAT] = {"k", FIELD_FLOAT, FIELD_MEMBER(struct value, number)},
        [DOUBLE] = {"k", FIELD_DOUBLE, FIELD_MEMBER(struct value, real)},
        [DOUBLE_OR_NULL] = {"k", FIELD_DOUBLE_OR_NULL, FIELD_MEMBER(struct value, real)},
        [FLOATS] = {"k", FIELD_FLOATS, FIELD_MEMBER(struct value, floats), .width = 2},
    };
    *out = (struct value){.text = "not read"};
    fields_read(at, &(struct fields){&rows[as], 1, sizeof *out, JSON_LINES}, out);
}

/* The value of "k" in a document without a complaint; a text stays until the next. */
static struct value value_of(enum as as, const char *json)
{
    static char text[64];
    struct opened opened;
    struct value value;
    read_by_table(as, open_text(&opened, json), &value);
    snprintf(text, sizeof text, "%s", value.text ? value.text : "NULL");
    value.text = text;
    close_text(&opened, "");
    return value;
}

TEST(good_values_are_taken)
{
    assert_string_equal(value_of(STRING, "{\"k\": \"H\\u00fcfte \\\"x\\\"\"}").text, "H\xc3\xbc" "fte \"x\"");
    assert_string_equal(value_of(STRING_OR_NULL, "{\"k\": null}").text, "NULL");
    assert_string_equal(value_of(STRING_OR_NULL, "{\"k\": \"x\"}").text, "x");
    assert_int_equal(value_of(WORD, "{\"k\": \"blend\"}").word, 1);
    assert_true(value_of(BOOL, "\xef\xbb\xbf{\"k\": true}").flag); /* a byte order mark is skipped */
    assert_false(value_of(BOOL, "{\"k\": false}").flag);
    assert_int_equal(value_of(COUNT, "{\"k\": 4294967295}").count, UINT32_MAX);
    assert_int_equal(value_of(COUNT, "{\"k\": 3.0}").count, 3);
    assert_true(value_of(FLOAT, "{\"k\": 0.1}").number == 0.1f);
    assert_true(value_of(FLOAT, "{\"k\": 100000000000000000000000}").number == 1e23f); /* more than any integer holds */
    assert_true(value_of(DOUBLE, "{\"k\": 0.1}").real == 0.1);
    assert_true(isnan(value_of(DOUBLE_OR_NULL, "{\"k\": null}").real));
    assert_true(value_of(DOUBLE_OR_NULL, "{\"k\": 0.1}").real == 0.1);
    struct value pair = value_of(FLOATS, "{\"k\": [-2.5, 1e-45]}");
    assert_true(pair.floats[0] == -2.5f && pair.floats[1] == FLT_TRUE_MIN);
}

/* What the parser says is not ours: only where, and of what. */
TEST(documents_that_are_none)
{
    static const struct {
        const char *text, *where, *of_what;
    } cases[] = {
        {"", "some.json: not valid JSON, line 1, column 0: ", "end of file"},
        {"{\"a\":\n  NaN}", "some.json: not valid JSON, line 2, column 5: ", "NaN"},
        {"[1, Infinity]", "some.json: not valid JSON, line 1, column 12: ", "Infinity"},
        {"[1e400]", "some.json: not valid JSON, line 1, column 6: ", "1e400"},
        {"{\"a\": 1,\n \"a\": 1}", "some.json: not valid JSON, line 2, column 4: ", "duplicate"},
        {"{\"a\": 1", "some.json: not valid JSON, line 1, column 7: ", "end of file"},
        {"{} {}", "some.json: not valid JSON, line 1, column 4: ", "end of file expected"},
        {"[\"\xff\"]", "some.json: not valid JSON, line 1, column 2: ", "0xff"},
        {"[\"\\u0000\"]", "some.json: not valid JSON, line 1, column 9: ", "0"},
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

static void read_as(enum as as, const struct json_place *at)
{
    struct value value;
    uint32_t count = UINT32_MAX;
    struct json_place array, inner;
    if (as < TABLE_KINDS) {
        read_by_table(as, at, &value);
    } else if (as == FORMAT) {
        json_require_format(at, "f/1");
    } else if (as == OBJECT) {
        inner = json_read_object(at, "k");
        assert_string_equal(json_read_string(&inner, "inner"), "");
    } else if (as == MEMORY) { /* more than the arena of open_text() holds */
        inner = json_read_object(at, "k");
        assert_non_null(JSON_NEW(&inner, double, &count));
        assert_int_equal(count, 0);
    } else {
        array = json_read_array(at, "k", &count);
        for (uint32_t i = 0; i < count; i++) {
            struct json_place item = json_item(&array, i);
            inner = json_read_object(&item, "o");
            read_by_table(BOOL, &inner, &value);
        }
        assert_true(as == ITEMS || count == 0);
    }
}

TEST(each_complaint_names_place_and_wish)
{
    static const struct {
        const char *text;
        enum as as;
        const char *complaint;
    } cases[] = {
        {"[]", STRING, "expected an object, found an array"},
        {"{}", STRING, "k: expected a string, found nothing"},
        {"{\"k\": null}", STRING, "k: expected a string, found null"},
        {"{\"k\": 1}", STRING_OR_NULL, "k: expected a string or null, found a number"},
        {"{\"k\": true}", WORD, "k: expected a string, found true"},
        {"{\"k\": \"Mask\"}", WORD, "k: expected one of \"mask\", \"blend\", found another string"},
        {"{\"k\": 1}", BOOL, "k: expected true or false, found a number"},
        {"{\"k\": false}", COUNT, "k: expected a whole number from 0 to 4294967295, found false"},
        {"{\"k\": -1}", COUNT, "k: expected a whole number from 0 to 4294967295, found -1"},
        {"{\"k\": 1.5}", COUNT, "k: expected a whole number from 0 to 4294967295, found 1.5"},
        {"{\"k\": 4294967296}", COUNT, "k: expected a whole number from 0 to 4294967295, found 4.2949673e+09"},
        {"{\"k\": \"1\"}", FLOAT, "k: expected a number, found a string"},
        {"{\"k\": 1e39}", FLOAT, "k: expected a number that a float holds, found 1e+39"},
        {"{\"k\": {}}", DOUBLE, "k: expected a number, found an object"},
        {"{\"k\": \"nan\"}", DOUBLE_OR_NULL, "k: expected a number or null, found a string"},
        {"{\"k\": 1}", FLOATS, "k: expected 2 finite numbers, found a number"},
        {"{\"k\": [1]}", FLOATS, "k: expected 2 finite numbers, found 1"},
        {"{\"k\": [1, null]}", FLOATS, "k: expected 2 finite numbers, but [1] is null"},
        {"{\"k\": [-1e39, 0]}", FLOATS, "k: expected 2 finite numbers, but [0] is -1e+39: more than a float holds"},
        {"{\"k\": []}", OBJECT, "k: expected an object, found an array"},
        {"{\"k\": {}}", ARRAY, "k: expected an array, found an object"},
        {"{}", FORMAT, "format: expected \"f/1\", found nothing"},
        {"{\"format\": \"f/2\"}", FORMAT, "format: expected \"f/1\", found \"f/2\""},
        {"{\"format\": \"0123456789012345678901234567890123456789012345678901234567890\"}", FORMAT,
         "format: expected \"f/1\", found a long string"},
        {"{\"k\": [{\"o\": {\"k\": true}}, {\"o\": {}}, 1]}", ITEMS,
         "k[1].o.k: expected true or false, found nothing"},
        {"{\"k\": [1]}", ITEMS, "k[0]: expected an object, found a number"},
        {"{\"k\": \"that\"}", ONLY_WORD, "k: expected \"this\", found another string"},
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

TEST(first_complaint_stays_and_ends_all)
{
    struct opened opened;
    uint32_t count = 5;
    struct value value;
    const struct json_place *root = open_text(&opened, "{\"s\": \"text\", \"l\": [1], \"k\": 1}");
    assert_string_equal(json_read_string(root, "first"), "");
    json_read_count(root, "second");
    assert_string_equal(json_read_string(root, "s"), "");
    assert_false(json_has(root, "s"));
    json_read_array(root, "l", &count);
    assert_int_equal(count, 0);
    read_by_table(DOUBLE, root, &value);
    assert_true(value.real == 0.0);
    close_text(&opened, "some.json: first: expected a string, found nothing");
}

static void comes_back(float value)
{
    SCOPED(text) text = {0};
    struct json_writer json = {.text = &text};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_float(&json, "k", value);
    json_close(&json);
    float back = value_of(FLOAT, text_string(&text)).number;
    assert_memory_equal(&back, &value, sizeof value);
}

TEST(floats_come_back_bit_by_bit)
{
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

enum mood { MOOD_NONE = -1, MOOD_CALM, MOOD_WILD };
static const char *const moods[] = {"none", "calm", "wild"};
static const char *const kinds[] = {"dog", "fox"};
static const char *const axes[] = {"y up"};

struct leg {
    const char *name;
    float length;
};

struct animal {
    const char *name, *owner, *kind;
    enum mood mood;
    bool tame;
    uint32_t teeth;
    size_t hairs;
    float mass;
    double age, weight, height;
    vec3 eye;
    uint32_t fur_width;
    float fur[4];
    mat4 place;
    struct leg tail, *wing;
    uint32_t leg_count;
    struct leg *legs;
    size_t name_count;
    const char **names;
    uint32_t box[2];
    bool is_told;
    float told;
    int twice;
};

static const struct field leg_rows[] = {
    {"name", FIELD_TEXT, FIELD_MEMBER(struct leg, name)},
    {"length", FIELD_FLOAT, FIELD_MEMBER(struct leg, length)},
};
static const struct fields legs = FIELDS(struct leg, leg_rows);

static bool is_fox(const void *owner, const struct json_place *at)
{
    (void)at;
    return strcmp(((const struct animal *)owner)->kind, "fox") == 0;
}

static void check_teeth(const struct json_place *at, const char *key, const void *owner)
{
    if (((const struct animal *)owner)->teeth == 13)
        json_complain(at, key, "brings bad luck");
}

static void write_twice(struct json_writer *json, const char *key, const void *owner)
{
    json_add_int(json, key, 2 * ((const struct animal *)owner)->twice);
}

static void read_twice(const struct json_place *at, const char *key, void *owner)
{
    ((struct animal *)owner)->twice = (int)json_read_count(at, key) / 2;
}

// clang-format off
#define OF(member) FIELD_MEMBER(struct animal, member)
#define COUNTED(member) FIELD_COUNTER(struct animal, member)
static const struct field animal_rows[] = {
    {"name", FIELD_TEXT, OF(name)},
    {"owner", FIELD_TEXT_OR_NULL, OF(owner)},
    {"kind", FIELD_WORD, OF(kind), FIELD_WORDS(kinds)},
    {"mood", FIELD_ENUM, OF(mood), FIELD_WORDS(moods), .first_word = MOOD_NONE},
    {"axes", FIELD_CONSTANT, FIELD_WORDS(axes)},
    {"tame", FIELD_BOOL, OF(tame), .flags = FIELD_OMITTED},
    {"teeth", FIELD_COUNT, OF(teeth), .most = 99, .check = check_teeth},
    {"hairs", FIELD_COUNT, OF(hairs), .flags = FIELD_OPTIONAL},
    {"mass", FIELD_FLOAT, OF(mass), .when = is_fox},
    {"age", FIELD_DOUBLE, OF(age)},
    {"weight", FIELD_DOUBLE_OR_NULL, OF(weight)},
    {"height", FIELD_SIZE_OR_NULL, OF(height)},
    {"eye", FIELD_FLOATS, OF(eye), .width = 3},
    {"fur", FIELD_FLOATS, OF(fur), COUNTED(fur_width), .width = 2, .depth = 2, .flags = FIELD_OMITTED},
    {"place", FIELD_AFFINE, OF(place)},
    {"tail", FIELD_OBJECT, OF(tail), .fields = &legs},
    {"wing", FIELD_POINTER, OF(wing), .fields = &legs},
    {"legs", FIELD_LIST, OF(legs), COUNTED(leg_count), .fields = &legs, .layout = JSON_LINES, .most = 4},
    {"names", FIELD_LIST, OF(names), COUNTED(name_count), .fields = &fields_of_text, .flags = FIELD_OMITTED},
    {"box", FIELD_ARRAY, OF(box), .width = 2, .fields = &fields_of_count},
    {"told", FIELD_FLOAT, OF(told), COUNTED(is_told), .flags = FIELD_OMITTED},
    {"twice", FIELD_CUSTOM, OF(twice), .write = write_twice, .read = read_twice},
};
static const struct fields animals = FIELDS(struct animal, animal_rows, JSON_LINES);

static const struct animal fox = {
    "Reinecke", "nobody", "fox", MOOD_WILD, true, 42, 5000000000, 5.5f, 3, 0.1, 2, {1, 2, 3}, 2, {1, 2, 3, 4},
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {7, 8, 9, 1}}, {"tail", 1}, &(struct leg){"left", 2},
    2, (struct leg[]){{"fore", 3}, {"hind", 4}}, 2, (const char *[]){"a", "b"}, {5, 6}, true, 0, 21};
static const struct animal dog = {.name = "", .kind = "dog", .mood = MOOD_NONE, .weight = NAN, .height = NAN,
                                  .place = {{0}, {0}, {0}, {0, 0, 0, 1}}, .tail = {"", 0}};

static const char fox_text[] =
    "{\n \"format\": \"animal/1\",\n \"name\": \"Reinecke\",\n \"owner\": \"nobody\",\n \"kind\": \"fox\",\n"
    " \"mood\": \"wild\",\n \"axes\": \"y up\",\n \"tame\": true,\n \"teeth\": 42,\n \"hairs\": 5000000000,\n \"mass\": 5.5,\n"
    " \"age\": 3,\n \"weight\": 0.1,\n \"height\": 2,\n \"eye\": [1, 2, 3],\n \"fur\": [1, 2, 3, 4],\n"
    " \"place\": [1, 0, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9],\n \"tail\": {\"name\": \"tail\", \"length\": 1},\n"
    " \"wing\": {\"name\": \"left\", \"length\": 2},\n"
    " \"legs\": [\n  {\"name\": \"fore\", \"length\": 3},\n  {\"name\": \"hind\", \"length\": 4}\n ],\n"
    " \"names\": [\"a\", \"b\"],\n \"box\": [5, 6],\n \"told\": 0,\n \"twice\": 42\n}\n";
static const char dog_text[] =
    "{\"format\": \"animal/1\", \"name\": \"\", \"owner\": null, \"kind\": \"dog\", \"mood\": \"none\", \"axes\": \"y up\", "
    "\"teeth\": 0, \"hairs\": 0, \"age\": 0, \"weight\": null, \"height\": null, \"eye\": [0, 0, 0], "
    "\"place\": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], \"tail\": {\"name\": \"\", \"length\": 0}, \"wing\": null, \"legs\": [], "
    "\"box\": [0, 0], \"twice\": 0}\n";
// clang-format on

TEST(members_are_written_in_their_order)
{
    struct text text = {0};
    fields_write_document("animal/1", &animals, JSON_LINES, &fox, &text);
    assert_string_equal(text_string(&text), fox_text);
    text_release(&text);
    fields_write_document("animal/1", &animals, JSON_INLINE, &dog, &text);
    assert_string_equal(text_string(&text), dog_text);
    text_release(&text);
}

/* Written again it is the same text, which has every member. */
TEST(what_was_written_is_read)
{
    const struct animal *both[] = {&fox, &dog};
    for (int i = 0; i < 2; i++) {
        struct error err = {0};
        SCOPED_ARENA arena = arena_require(1 << 16);
        SCOPED(text) text = {0}, again = {0};
        struct animal written = *both[i];
        written.hairs = 12; /* 5000000000 is more than a count of a file may be */
        fields_write_document("animal/1", &animals, JSON_LINES, &written, &text);
        const struct animal *back =
            fields_read_document(text.data, text.size, "a.json", "animal/1", &animals, arena, &err);
        assert_string_equal(err.text, "");
        assert_true(back->mood == written.mood && back->fur_width == written.fur_width &&
                    back->is_told == written.is_told);
        assert_ptr_equal(back->kind, written.kind == fox.kind ? kinds[1] : kinds[0]);
        fields_write_document("animal/1", &animals, JSON_LINES, back, &again);
        assert_string_equal(text_string(&again), text_string(&text));
    }
}

TEST(what_is_wrong_is_told)
{
    static const struct {
        const char *from, *to, *complaint;
    } changes[] = {
        {"\"hairs\": 5000000000, ", "", ""},
        {"\"hairs\": 5000000000", "\"hairs\": 1", ""},
        {"animal/1", "animal/2", "a.json: format: expected \"animal/1\", found \"animal/2\""},
        {"\"wild\"", "\"mild\"", "a.json: mood: expected one of \"none\", \"calm\", \"wild\", found another string"},
        {"\"teeth\": 42", "\"teeth\": 100", "a.json: teeth: expected at most 99, found 100"},
        {"\"teeth\": 42", "\"teeth\": 13", "a.json: teeth: brings bad luck"},
        {"\"weight\": 0.1", "\"weight\": null", ""},
        {"\"height\": 2", "\"height\": -2", "a.json: height: expected a number that is not negative, found -2"},
        {"{\"name\": \"left\", \"length\": 2}", "3", "a.json: wing: expected an object, found a number"},
        {"\"wing\"", "\"fin\"", "a.json: wing: expected an object, found nothing"},
        {"\"length\": 4", "\"length\": \"4\"", "a.json: legs[1].length: expected a number, found a string"},
        {"\"legs\": [", "\"legs\": [1, ", "a.json: legs[0]: expected an object, found a number"},
        {"\"legs\": [", "\"legs\": [1, 2, 3, ", "a.json: legs: expected at most 4 items, found 5"},
        {"[\"a\", \"b\"]", "[\"a\", null]", "a.json: names[1]: expected a string, found null"},
        {"[5, 6]", "[5]", "a.json: box: expected 2 items, found 1"},
        {"[5, 6]", "[5, -1]", "a.json: box[1]: expected a whole number from 0 to 4294967295, found -1"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct error err = {0};
        SCOPED_ARENA arena = arena_require(1 << 16);
        SCOPED(text) plain = {0}, text = {0};
        fields_write_document("animal/1", &animals, JSON_INLINE, &fox, &plain);
        const char *found = strstr(text_string(&plain), changes[i].from);
        assert_non_null(found);
        text_add_bytes(&text, plain.data, (size_t)(found - plain.data));
        text_add(&text, changes[i].to);
        text_add(&text, found + strlen(changes[i].from));
        if (i > 1) { /* what would be wrong first */
            char *hairs = strstr(text.data, "5000000000");
            if (hairs)
                memcpy(hairs, "        17", 10);
        }
        const void *back = fields_read_document(text.data, text.size, "a.json", "animal/1", &animals, arena, &err);
        assert_string_equal(err.text, changes[i].complaint);
        assert_int_equal(back != NULL, changes[i].complaint[0] == '\0');
    }
}
