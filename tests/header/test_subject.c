
#include "run_binary.h"

#include <jansson.h>

/* The fixture, compiled as C99 and as C++11, is asked what rigproof asks, and what nobody should. */

static const char *const programs[] = {
    SUBJECT_C,
#ifdef SUBJECT_CXX
    SUBJECT_CXX,
#endif
};

#define PROGRAM_COUNT (sizeof programs / sizeof *programs)

/* Every answer, as a list. */
static json_t *ask(const char *program, const char *requests)
{
    char command[1024];
    json_t *answers = json_array();
    spill("requests", requests);
    snprintf(command, sizeof command, "'%s' --rigproof < requests > answers 2> errors", program);
    assert_int_equal(system(command), 0);
    char *text = slurp("answers", NULL);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        json_error_t error;
        json_t *answer = json_loads(line, JSON_REJECT_DUPLICATES, &error);
        if (!answer) {
            fail_msg("%s: %s", line, error.text);
        }
        json_array_append_new(answers, answer);
    }
    return answers;
}

static json_t *answer_at(json_t *answers, size_t i)
{
    assert_true(i < json_array_size(answers));
    return json_array_get(answers, i);
}

static const char *text_of(json_t *answer, const char *key)
{
    const char *text = json_string_value(json_object_get(answer, key));
    assert_non_null(text);
    return text;
}

#define POSE(clip, rest)                                                                                               \
    "{\"request\": \"pose\", \"id\": 1, \"model\": \"m\", \"clip\": " clip ", \"time\": 0.25" rest "}\n"

SCRATCH_TEST(test_hello)
{
    for (size_t p = 0; p < PROGRAM_COUNT; p++) {
        json_auto_t *answers = ask(programs[p], "{\"request\": \"hello\", \"protocol\": \"rigproof.subject/1\"}\n\r\n"
                                           "{\"protocol\": \"rigproof.subject/2\", \"request\": \"hello\"}\n");
        json_t *hello = answer_at(answers, 0);
        json_t *conventions = json_object_get(hello, "conventions");
        assert_string_equal(text_of(hello, "protocol"), "rigproof.subject/1");
        assert_string_equal(text_of(hello, "name"), "fixture");
        assert_string_equal(text_of(hello, "version"), "1.0");
        assert_int_equal(json_array_size(json_object_get(hello, "gives")), 4);
        assert_string_equal(text_of(conventions, "storage"), "columns");
        assert_true(json_real_value(json_object_get(conventions, "unit")) == 0.01);
        assert_string_equal(json_string_value(json_array_get(json_object_get(conventions, "axes"), 2)), "-y");
        assert_string_equal(text_of(json_object_get(conventions, "names"), "strip"), "rig:");
        assert_int_equal(json_array_size(answers), 2);
        assert_non_null(strstr(text_of(answer_at(answers, 1), "error"), "rigproof.subject/1"));
    }
}

SCRATCH_TEST(test_pose)
{
    for (size_t p = 0; p < PROGRAM_COUNT; p++) {
        json_auto_t *answers = ask(programs[p], POSE("\"a\\\"\\u00e9\\ud83d\\ude00\\n\"", ", \"clip_index\": 3")
                                               POSE("null", "") POSE("\"list\"", ", \"wants\": [\"palette\"]"));
        json_t *nodes = json_object_get(answer_at(answers, 0), "nodes");
        json_t *t = json_object_get(json_array_get(nodes, 0), "t");
        assert_string_equal(text_of(json_array_get(nodes, 0), "name"), "a\"\xc3\xa9\xf0\x9f\x98\x80\n");
        assert_true(json_number_value(json_array_get(t, 0)) == 0.25);
        assert_true(json_number_value(json_array_get(t, 2)) == 3);
        json_t *flat = json_object_get(answer_at(answers, 0), "palette");
        assert_string_equal(json_string_value(json_array_get(json_object_get(flat, "bones"), 1)), "b");
        /* 1.0 and 0.1 as little-endian floats at both ends of 128 bytes */
        const char *f32 = text_of(json_object_get(flat, "matrices"), "f32");
        assert_int_equal(strlen(f32), 172);
        assert_memory_equal(f32, "AACAPwAAAAAAAAAA", 16);
        assert_string_equal(f32 + 160, "AAAAAM3MzD0=");
        json_t *skin = json_array_get(json_object_get(answer_at(answers, 0), "skin"), 0);
        assert_int_equal(json_integer_value(json_object_get(skin, "vertices")), 2);
        assert_string_equal(text_of(json_object_get(skin, "positions"), "f32"), "AAAAAAAAAAAAAAAAAACAPwAAAMAAAAA/");
        /* the model is loaded once, the rest pose has no clip, and what is not wanted is not given */
        t = json_object_get(json_array_get(json_object_get(answer_at(answers, 1), "nodes"), 0), "t");
        assert_true(json_number_value(json_array_get(t, 1)) == 1);
        assert_true(json_number_value(json_array_get(t, 2)) == -1);
        assert_null(json_object_get(answer_at(answers, 2), "nodes"));
        assert_null(json_object_get(answer_at(answers, 2), "skin"));
        json_t *entry = json_array_get(json_object_get(answer_at(answers, 2), "palette"), 0);
        assert_string_equal(text_of(entry, "mesh"), "mesh");
        assert_int_equal(json_array_size(json_object_get(entry, "matrix")), 16);
    }
}

SCRATCH_TEST(test_errors)
{
    static const struct {
        const char *request, *says;
    } rows[] = {
        {POSE("\"nan\"", ""), "not a number"},
        {POSE("\"silent\"", ""), "did not say why"},
        {POSE("7", ""), "neither a name"},
        {POSE("\"a\\u0000\"", ""), "neither a name"},
        {POSE("\"a\\ud800\"", ""), "neither a name"},
        {POSE("\"a\\u12\"", ""), "neither a name"},
        {"{\"request\": \"pose\", \"id\": 1}\n", "no model"},
        {"{\"request\": \"pose\", \"id\": 1, \"model\": \"m\", \"time\": \"x\"}\n", "time"},
        {"{\"request\": \"pose\", \"id\": 1, \"model\": \"absent\"}\n", "absent: no such \"file\""},
        {"{\"request\": \"dance\", \"id\": 1}\n", "another protocol"},
        {"{\"id\": 1}\n", "another protocol"},
    };
    for (size_t p = 0; p < PROGRAM_COUNT; p++) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            json_auto_t *answers = ask(programs[p], rows[i].request);
            assert_int_equal(json_integer_value(json_object_get(answer_at(answers, 0), "id")), 1);
            if (!strstr(text_of(answer_at(answers, 0), "error"), rows[i].says)) {
                fail_msg("%s: %s", rows[i].request, text_of(answer_at(answers, 0), "error"));
            }
            assert_null(json_object_get(answer_at(answers, 0), "nodes"));
        }
    }
}

/* Every prefix of a request, and a request with every byte spoilt: an answer each, and the next request is served. */
SCRATCH_TEST(test_garbage)
{
    static const char request[] =
        "{\"request\": \"pose\", \"id\": [1, {\"a\": \"\\u00e9\"}], \"model\": \"m\", \"clip\": \"\\ud83d\\ude00\", "
        "\"time\": 1e-1, \"wants\": [\"nodes\"], \"picture\": {\"camera\": {\"eye\": [1, 2]}}}";
    const size_t size = sizeof request - 1;
    char *all = keep(calloc(2 * size + 2, size + 2));
    char *out = all;
    for (size_t i = 1; i < size; i++) {
        memcpy(out, request, i);
        out[i] = '\n';
        out += i + 1;
    }
    for (size_t i = 0; i < size; i++) {
        memcpy(out, request, size);
        out[i] = "\"\\{}[]:,u0"[i % 10];
        out[size] = '\n';
        out += size + 1;
    }
    sprintf(out, "%s\n", request);
    for (size_t p = 0; p < PROGRAM_COUNT; p++) {
        json_auto_t *answers = ask(programs[p], all);
        assert_int_equal(json_array_size(answers), 2 * size);
        json_t *nodes = json_object_get(answer_at(answers, 2 * size - 1), "nodes");
        assert_string_equal(text_of(json_array_get(nodes, 0), "name"), "\xf0\x9f\x98\x80");
        assert_non_null(text_of(answer_at(answers, 10), "error"));
    }
}

SCRATCH_TEST(test_picture)
{
    for (size_t p = 0; p < PROGRAM_COUNT; p++) {
        json_auto_t *answers =
            ask(programs[p],
                POSE("\"list\"", ", \"wants\": [\"picture\"], \"picture\": {\"file\": \"out.png\", \"width\": 2, "
                                 "\"height\": 3, \"camera\": {\"view\": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1], "
                                 "\"projection\": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}}"));
        assert_string_equal(text_of(answer_at(answers, 0), "picture"), "out.png");
        const char *png = slurp("out.png", NULL);
        assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    }
}

/* In any locale: with a comma as decimal sign, numbers are still JSON. */
SCRATCH_TEST(test_file)
{
    char command[1024];
    char where[512];
    const bool german = german_locale(where);
    snprintf(command, sizeof command, "env '%s' %s '%s' --pose some/where/m.glb list 0.5 > theirs.json 2> errors",
             strchr(where, '=') ? where : "UNUSED=", german ? "LC_ALL=de_DE.UTF-8" : "LC_ALL=C", programs[0]);
    assert_int_equal(system(command), 0);
    size_t size;
    const char *text = slurp("theirs.json", &size);
    json_auto_t *part = read_json(text, size);
    assert_string_equal(text_of(part, "format"), "rigproof.pose-part/1");
    assert_string_equal(text_of(part, "model"), "m.glb");
    assert_string_equal(text_of(part, "clip"), "list");
    assert_true(json_real_value(json_object_get(part, "time")) == 0.5);
    assert_string_equal(text_of(part, "matrices"), "column-major 4x4, p' = M p");
    json_t *points = json_object_get(json_array_get(json_object_get(part, "skin"), 0), "positions");
    assert_true(json_number_value(json_array_get(json_array_get(points, 1), 1)) == -2);
    assert_int_equal(json_array_size(json_object_get(part, "palette")), 1);
    /* what the engine printed is on stderr */
    assert_contains(slurp("errors", &size), "loading some/where/m.glb");
    snprintf(command, sizeof command, "'%s' --other", programs[0]);
    assert_int_equal(system(command), 7 << 8);
}
