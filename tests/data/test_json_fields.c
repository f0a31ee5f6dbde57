/* Structs written and read by a table of their members: the bytes, what comes back, and each thing that can be wrong. */
#include "cmocka_setup.h"

#include <math.h>
#include <string.h>

#include "data/json_fields.h"

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

static void members_are_written_in_their_order(void **state)
{
    (void)state;
    struct text text = {0};
    fields_write_document("animal/1", &animals, JSON_LINES, &fox, &text);
    assert_string_equal(text_string(&text), fox_text);
    text_release(&text);
    fields_write_document("animal/1", &animals, JSON_INLINE, &dog, &text);
    assert_string_equal(text_string(&text), dog_text);
    text_release(&text);
}

/* Written again it is the same text, which has every member. */
static void what_was_written_is_read(void **state)
{
    (void)state;
    const struct animal *both[] = {&fox, &dog};
    for (int i = 0; i < 2; i++) {
        struct error err = {0};
        struct arena *arena = arena_require(1 << 16);
        struct text text = {0}, again = {0};
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
        text_release(&text);
        text_release(&again);
        arena_destroy(arena);
    }
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *complaint;
    } changes[] = {
        {"\"hairs\": 5000000000, ", "", ""},
        {"\"hairs\": 5000000000", "\"hairs\": 1", ""},
        {"animal/1", "animal/2", "a.json: format: \"animal/1\" is wanted, found \"animal/2\""},
        {"\"wild\"", "\"mild\"", "a.json: mood: one of \"none\", \"calm\", \"wild\" is wanted, found another string"},
        {"y up", "z up", "a.json: axes: \"y up\" is wanted, found another string"},
        {"\"teeth\": 42", "\"teeth\": 100", "a.json: teeth: at most 99 is wanted, found 100"},
        {"\"teeth\": 42", "\"teeth\": 13", "a.json: teeth: brings bad luck"},
        {"\"mass\": 5.5, ", "", "a.json: mass: a number is wanted, there is none"},
        {"\"weight\": 0.1", "\"weight\": null", ""},
        {"\"height\": 2", "\"height\": -2", "a.json: height: a number that is not negative is wanted"},
        {"[1, 2, 3, 4]", "[1, 2, 3]", "a.json: fur: 4 finite numbers are wanted, there are 3"},
        {"{\"name\": \"left\", \"length\": 2}", "3", "a.json: wing: an object is wanted, found a number"},
        {"\"wing\"", "\"fin\"", "a.json: wing: an object is wanted, there is none"},
        {"\"length\": 4", "\"length\": \"4\"", "a.json: legs[1].length: a number is wanted, found a string"},
        {"\"legs\": [", "\"legs\": [1, ", "a.json: legs[0]: an object is wanted, found a number"},
        {"\"legs\": [", "\"legs\": [1, 2, 3, ", "a.json: legs: at most 4 items are wanted, there are 5"},
        {"[\"a\", \"b\"]", "[\"a\", null]", "a.json: names[1]: a string is wanted, found null"},
        {"[5, 6]", "[5]", "a.json: box: 2 items are wanted, there are 1"},
        {"[5, 6]", "[5, -1]", "a.json: box[1]: a whole number from 0 to 4294967295 is wanted, found -1"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct error err = {0};
        struct arena *arena = arena_require(1 << 16);
        struct text plain = {0}, text = {0};
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
        text_release(&plain);
        text_release(&text);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_written_in_their_order),
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
