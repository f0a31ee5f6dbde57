/* Whatever a subject answers is understood, or refused in one line; and nothing else happens. */

#include "base/arena.h"
#include "run_binary.h"
#include "subject_pose.h"

static struct arena *arena;

/* The files that an answer may name lie in own/. */
static int setup(void **state)
{
    static const char good[] =
        "\x93NUMPY\1\0\x37\0{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}\0\0\0\0\0\0\x80?\0\0\0@";
    struct made m;
    arena = arena_require((size_t)1 << 30);
    if (scratch_enter(state) != 0)
        return -1;
    made_pose(&m, 0);
    spill_bytes("own.f32", m.normals, sizeof m.normals);
    spill_bytes("own/n.f32", m.normals, sizeof m.normals);
    spill_bytes("own/odd.f32", m.normals, 7);
    spill_bytes("own/good.npy", good, sizeof good - 1);
    spill_bytes("own/bad.npy", "\x93NUMPX", 6);
    spill_bytes("own/short.npy", good, 30);
    spill_bytes("own/long.npy", "\x93NUMPY\2\0\xff\xff\xff\xff", 12);
    shell("mkdir own/sub && mkfifo own/fifo.f32 && ln -s n.f32 own/link.f32");
    return 0;
}

static int teardown(void **state)
{
    arena_destroy(arena);
    return scratch_leave(state);
}

/* An answer as it should be. */
static void write_good(struct text *out)
{
    struct made m;
    float rows[12];
    made_pose(&m, 0);
    text_add(out, "{\"id\": 7, \"nodes\": [");
    for (int i = 0; i < POSE_NODES_COUNT; i++) {
        text_addf(out, "%s{\"name\": \"%s\", \"t\": [%g, %g, %g], \"r\": [0, 0, 0, 1], \"s\": [1, 1, 1], \"global\": [",
                  i ? ", " : "", m.nodes[i].name, (double)m.nodes[i].local.translation[0],
                  (double)m.nodes[i].local.translation[1], (double)m.nodes[i].local.translation[2]);
        affine_rows(m.nodes[i].node_to_scene, rows);
        for (int k = 0; k < 12; k++)
            text_addf(out, "%s%g", k ? ", " : "", (double)rows[k]);
        text_addf(out, i ? "], \"parent\": \"%s\"}" : "]}", m.nodes[i].parent);
    }
    text_add(out, "], \"palette\": [");
    for (int i = 0; i < POSE_ENTRIES; i++) {
        text_addf(out, "%s{\"mesh\": \"%s\", \"bone\": \"%s\", \"matrix\": {\"f32\": \"", i ? ", " : "",
                  m.palette[i].mesh, m.palette[i].bone);
        text_add_base64(out, m.palette[i].mesh_to_scene, sizeof(mat4)); /* columns */
        text_add(out, "\"}}");
    }
    text_add(out, "], \"skin\": [{\"mesh\": \"body\", \"positions\": {\"f32\": \"");
    text_add_base64(out, m.positions, sizeof m.positions);
    text_add(out, "\"}, \"normals\": {\"file\": \"n.f32\"}}]}");
}

/* Says if it was understood; else what is wrong is one line that begins with the subject's name. */
static bool understands(const struct text *line)
{
    struct subject_spec spec = {.name = "engine"};
    struct subject subject = {.spec = &spec};
    struct subject_solution solution = {0};
    struct subject_answer answer;
    struct resolved out;
    struct made m;
    struct error err = {0};
    bool refused = false;
    arena_destroy(arena);
    arena = arena_require((size_t)1 << 28);
    made_pose(&m, 0);
    bool good = subject_read_answer(line, "engine", 7, "own", arena, &answer, &refused, &err);
    if (good)
        good = subject_resolve(&subject, &answer, &m.pose, &m.import, &solution, arena, &out, &err);
    assert_int_equal(good, !error_is_set(&err));
    if (!good && (strncmp(err.text, "engine", 6) != 0 || strpbrk(err.text, "\n\r\033")))
        fail_msg("`%s`", err.text);
    for (uint32_t i = 0; good && i < out.pose->node_count; i++)
        assert_non_null(out.pose->nodes[i].name);
    return good;
}

static bool says(const char *line)
{
    SCOPED(text) text = {0};
    text_add(&text, line);
    return understands(&text);
}

static uint64_t state_of = 0x9e3779b97f4a7c15u;

static uint32_t draw(uint32_t count)
{
    state_of ^= state_of >> 12;
    state_of ^= state_of << 25;
    state_of ^= state_of >> 27;
    return (uint32_t)((state_of * 0x2545f4914f6cdd1du) >> 33) % count;
}

/* A random place gets something from this list, or loses or doubles what is there. */
static void change(struct text *line)
{
    static const char *const pieces[] = {
        "NaN", "1e999", "-1e308", "4294967296", "null", "[]", "{}", "[[", "\"", "\\u0000", "\\ud800", "\xff\xfe", "0", "1e38", "]", "}",
        "true", "\"f32\"", "\"file\": \"../../etc/passwd\"", "\"file\": \"/etc/passwd\"", "\"file\": \"n.f32\"", "\"id\": 7,",
        "\033[2J", "\"parent\": \"rig:head\",", "[0,0,0,0,0,0,0,0,0,0,0,0]", "12345678901234567890", "-", ",", ":", "\"rig:root\"",
    };
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    const uint32_t at = draw((uint32_t)line->size), most = (uint32_t)line->size - at;
    const uint32_t length = 1 + draw(most < 40 ? most : 40);
    struct text out = {0};
    text_add_bytes(&out, line->data, at);
    switch (draw(5)) {
    case 0:
        break; /* lost */
    case 1:
        text_add_bytes(&out, line->data + at, length);
        text_add_bytes(&out, line->data + at, length);
        break;
    case 2:
        text_add(&out, pieces[draw(PIECES)]);
        break;
    case 3:
        text_add_bytes(&out, line->data + at, length);
        out.data[at] = (char)draw(256);
        break;
    default:
        text_add(&out, pieces[draw(PIECES)]);
        text_add_bytes(&out, line->data + at, length);
    }
    text_add_bytes(&out, line->data + at + length, line->size - at - length);
    if (draw(50) == 0)
        out.size = at;
    text_release(line);
    *line = out;
}

TEST(thousands_of_changed_answers_do_no_harm)
{
    int understood = 0;
    for (int i = 0; i < 4000; i++) {
        SCOPED(text) line = {0};
        write_good(&line);
        for (uint32_t k = 0, count = 1 + draw(3); k < count && line.size > 0; k++)
            change(&line);
        understood += understands(&line);
    }
    assert_in_range(understood, 100, 3500); /* many are harmless: a name, a digit */
}

/* A digit, a name, a member changed inside the values, so that most pass the parser and meet what understands them. */
TEST(thousands_of_changed_numbers_do_no_harm)
{
    static const char *const numbers[] = {"1e38", "-1e38", "0", "1e-38", "3.4028235e38", "-0", "1e20"};
    for (int i = 0; i < 2000; i++) {
        SCOPED(text) line = {0}, out = {0};
        write_good(&line);
        for (size_t k = 0; k < line.size; k++) {
            const bool begins = k > 0 && strchr("[ ", line.data[k - 1]) && strchr("-0123456789", line.data[k]);
            if (begins && draw(20) == 0) {
                text_add(&out, numbers[draw(7)]);
                k += strspn(line.data + k, "-0123456789.e+") - 1;
            } else {
                text_add_bytes(&out, line.data + k, 1);
            }
        }
        understands(&out);
    }
}

TEST(lies_are_refused)
{
    SCOPED(text) good = {0};
    write_good(&good);
    assert_true(understands(&good));
    assert_true(says("{\"id\": 7}"));
    assert_true(says("{\"id\": 7, \"nodes\": null, \"unknown\": [1]}"));
    assert_false(says("{\"id\": 8}"));
    assert_false(says("{\"id\": \"7\"}"));
    assert_false(says("[]"));
    assert_false(says(""));
    assert_false(says("Loading Fox.glb..."));
    assert_false(says("{\"id\": 7, \"error\": \"no clip\"}"));
    assert_false(says("{\"id\": 7, \"nodes\": [{\"name\": \"a\", \"r\": [0, 0, 0, 0]}]}"));
    assert_false(says("{\"id\": 7, \"nodes\": [{\"name\": \"rig:root\", \"parent\": \"rig:hips\", \"t\": [0, 0, 0]}, "
                      "{\"name\": \"rig:hips\", \"parent\": \"rig:root\", \"t\": [0, 0, 0]}]}"));
    assert_false(says("{\"id\": 7, \"palette\": {\"matrices\": [1, 2, 3]}}"));
    assert_false(says("{\"id\": 7, \"palette\": {\"matrices\": {\"f32\": \"AAAA\"}}}"));
    assert_false(says("{\"id\": 7, \"palette\": {\"matrices\": {\"f32\": \"????\"}}}"));
    assert_false(says(
        "{\"id\": 7, \"palette\": {\"matrices\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], \"bones\": [\"a\", \"b\"]}}"));
    assert_true(says("{\"id\": 7, \"palette\": {\"matrices\": [1,0,0,0,0,1,0,0,0,0,1,0, 1,0,0,0,0,1,0,0,0,0,1,0, "
                     "1,0,0,0,0,1,0,0,0,0,1,0, 1,0,0,0,0,1,0,0,0,0,1,0]}}")); /* 4 of 12 numbers, not 3 of 16 */
    assert_false(says("{\"id\": 7, \"skin\": [{\"mesh\": \"body\", \"vertices\": 3}]}"));
    assert_false(says("{\"id\": 7, \"skin\": [{\"mesh\": \"body\", \"positions\": [1, 2, 3, 4]}]}"));
    assert_false(says(
        "{\"id\": 7, \"skin\": [{\"mesh\": \"body\", \"positions\": [1, 2, 3], \"normals\": [0, 0, 1, 0, 0, 1]}]}"));
    assert_false(says("{\"id\": 7, \"skin\": [{\"mesh\": \"body\", \"positions\": [1, 2, 1e39]}]}"));
}

/* Files: those of the folder, and none beside. */
TEST(files_stay_in_their_folder)
{
    const char *const names[] = {"n.f32", "good.npy", "../own.f32", at("%s/own.f32", scratch_path()), "../n.f32", "/etc/passwd",
                                 "link.f32", "none.f32", "..", "", "sub", "n.txt", "fifo.f32", "odd.f32", "bad.npy", "short.npy", "long.npy"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool is_read = says(at("{\"id\": 7, \"skin\": [{\"mesh\": \"body\", \"positions\": {\"file\": \"%s\"}}]}", names[i]));
        if (is_read != (i < 2))
            fail_msg("%s was %sread", names[i], is_read ? "" : "not ");
    }
}

/* Deep, wide and long: what a parser or a list may fall over. */
TEST(floods_are_refused)
{
    SCOPED(text) line = {0};
    text_add(&line, "{\"id\": 7, \"x\": ");
    for (int i = 0; i < 100000; i++)
        text_add(&line, "[");
    assert_false(understands(&line));
    line.size = 0;
    text_add(&line, "{\"id\": 7, \"nodes\": [");
    for (int i = 0; i < SUBJECT_MOST_ITEMS + 1; i++)
        text_add(&line, i ? ",{\"name\":\"\"}" : "{\"name\":\"\"}");
    text_add(&line, "]}");
    assert_false(understands(&line));
    line.size = 0;
    text_add(&line, "{\"id\": 7, \"nodes\": [");
    for (int i = 0; i < SUBJECT_MOST_ITEMS - 1; i++) /* all of one name, in one chain of parents */
        text_add(&line, i ? ",{\"name\":\"rig:hips\",\"parent\":\"rig:hips\",\"t\":[1,0,0]}"
                          : "{\"name\":\"rig:hips\",\"t\":[1,0,0]}");
    text_add(&line, "]}");
    assert_true(understands(&line));
    line.size = 0;
    text_add(&line, "{\"id\": 7, \"nodes\": [{\"name\": \"");
    for (int i = 0; i < SUBJECT_LONGEST_NAME + 1; i++)
        text_add(&line, "a");
    text_add(&line, "\"}]}");
    assert_false(understands(&line));
}

TEST(hello_is_checked)
{
    static const struct {
        const char *line;
        bool good;
    } tries[] = {
        {"{\"protocol\": \"rigproof.subject/1\", \"name\": \"e\"}", true},
        {"{\"protocol\": \"rigproof.subject/1\", \"name\": \"e\", \"version\": null, \"gives\": [\"palette\", "
         "\"smell\"]}",
         true},
        {"{\"protocol\": \"rigproof.subject/1\", \"name\": \"e\", \"conventions\": {\"storage\": \"rows\", \"unit\": "
         "0.01, "
         "\"axes\": [\"x\", \"z\", \"-y\"], \"names\": {\"strip\": \"a:\"}, \"space\": \"root\", \"bones\": "
         "\"scene\"}}",
         true},
        {"{\"protocol\": \"rigproof.subject/2\", \"name\": \"e\"}", false},
        {"{\"protocol\": \"rigproof.subject/1\"}", false},
        {"{\"protocol\": \"rigproof.subject/1\", \"name\": \"\"}", false},
        {"{\"protocol\": \"rigproof.subject/1\", \"name\": \"e\", \"conventions\": {\"unit\": 0}}", false},
        {"{\"protocol\": \"rigproof.subject/1\", \"name\": \"e\", \"conventions\": {\"unit\": \"cm\"}}", false},
        {"{\"protocol\": \"rigproof.subject/1\", \"name\": \"e\", \"conventions\": {\"axes\": [\"x\", \"x\", \"y\"]}}",
         false},
        {"{\"protocol\": \"rigproof.subject/1\", \"name\": \"e\", \"conventions\": {\"axes\": []}}", false},
        {"{\"protocol\": \"rigproof.subject/1\", \"name\": \"e\", \"conventions\": {\"axes\": [\"\", \"\", \"\"]}}",
         false},
        {"{\"protocol\": \"rigproof.subject/1\", \"name\": \"e\", \"conventions\": {\"storage\": \"diagonal\"}}",
         false},
        {"hello", false},
    };
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        SCOPED(text) line = {0};
        struct error err = {0};
        struct subject_hello hello;
        text_add(&line, tries[i].line);
        arena_destroy(arena);
        arena = arena_require((size_t)1 << 28);
        if (subject_read_hello(&line, "engine", arena, &hello, &err) != tries[i].good)
            fail_msg("%s: %s", tries[i].line, err.text);
    }
}

GROUP(setup, teardown)
