/* A model whose keys change between accept and check: which key is named, and which cases fail. */

#include "suite_runs.h"

enum { LONG = 600, SHORT = 31, RATE = 30 };

/* What is not as it was when the goldens were made. */
struct edit {
    int turned,
        moved; /* a key of the long clip that turns by 12 degrees more, one of the short that comes 0.01 s later */
    double time_scale;
    bool has_uvs; /* the mesh */
    bool is_gone; /* the short clip */
};
static const struct edit none = {-1, -1, 1, false, false};

static void put(struct text *bytes, float value)
{
    text_add_bytes(bytes, &value, sizeof value);
}

static void put_clip(struct text *bytes, int count, const struct edit *edit)
{
    const double degree = acos(-1.0) / 180;
    bool is_long = count == LONG;
    for (int i = 0; i < count; i++)
        put(bytes, (float)(edit->time_scale * ((double)i / RATE + (!is_long && i == edit->moved ? 0.01 : 0.0))));
    for (int i = 0; i < count; i++) {
        double angle = degree * (30 * sin(0.1 * i) + (is_long && i == edit->turned ? 12 : 0));
        put(bytes, 0);
        put(bytes, 0);
        put(bytes, (float)sin(0.5 * angle));
        put(bytes, (float)cos(0.5 * angle));
    }
}

/* A triangle on the node `arm`, which the clips `wave` and `nod` turn. Little-endian, as all that runs this is. */
static void write_model(struct edit edit)
{
    static const float corners[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    SCOPED(text) bytes = {0}, out = {0};
    const int counts[] = {LONG, SHORT}, clips = edit.is_gone ? 1 : 2;
    for (int i = 0; i < 9; i++)
        put(&bytes, corners[i / 3][i % 3]);
    for (int i = 0; i < 2; i++)
        put_clip(&bytes, counts[i], &edit);
    text_addf(&out,
              "{\"asset\": {\"version\": \"2.0\"}, \"scenes\": [{\"nodes\": [0]}], \"scene\": 0,\n"
              "\"nodes\": [{\"name\": \"root\", \"children\": [1]}, {\"name\": \"arm\", \"mesh\": 0}],\n"
              "\"meshes\": [{\"name\": \"flag\", \"primitives\": [{\"attributes\": {\"POSITION\": 0%s}}]}],\n"
              "\"buffers\": [{\"byteLength\": %zu, \"uri\": \"data:application/octet-stream;base64,",
              edit.has_uvs ? ", \"TEXCOORD_0\": 5" : "", bytes.size);
    text_add_base64(&out, bytes.data, bytes.size);
    text_addf(&out,
              "\"}],\n\"bufferViews\": [{\"buffer\": 0, \"byteLength\": %zu}],\n\"accessors\": [{\"bufferView\": 0, "
              "\"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\", \"min\": [0, 0, 0], \"max\": [1, 2, 0]}",
              bytes.size);
    size_t at = 36;
    for (int i = 0; i < 2; i++) {
        double last = edit.time_scale * ((counts[i] - 1.0) / RATE);
        text_addf(&out,
                  ",\n{\"bufferView\": 0, \"byteOffset\": %zu, \"componentType\": 5126, \"count\": %d, \"type\": "
                  "\"SCALAR\", \"min\": [0], \"max\": [%.9g]}",
                  at, counts[i], last);
        at += 4 * (size_t)counts[i];
        text_addf(&out,
                  ",\n{\"bufferView\": 0, \"byteOffset\": %zu, \"componentType\": 5126, \"count\": %d, \"type\": "
                  "\"VEC4\"}",
                  at, counts[i]);
        at += 16 * (size_t)counts[i];
    }
    text_add(&out,
             ",\n{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC2\"}],\n\"animations\": [");
    for (int i = 0; i < clips; i++)
        text_addf(&out,
                  "%s{\"name\": \"%s\", \"channels\": [{\"sampler\": 0, \"target\": {\"node\": 1, \"path\": "
                  "\"rotation\"}}], \"samplers\": [{\"input\": %d, \"output\": %d}]}",
                  i ? ",\n" : "", i ? "nod" : "wave", 1 + 2 * i, 2 + 2 * i);
    text_add(&out, "]}\n");
    spill("flag.gltf", text_string(&out));
}

BEFORE_EACH
{
    write_model(none);
    write_accepted_suite("  - {name: long, model: flag.gltf, clip: wave, times: [0.5, 1]}\n"
                         "  - {name: short, model: flag.gltf, clip: nod, times: [0.6, 0.8]}\n"
                         "  - {name: first, model: flag.gltf, times: [0.5, 1]}\n"
                         "  - {name: masked, model: flag.gltf, clip: rest, mask: arm=nod, times: [0.6, 0.8]}\n"
                         "  - {name: added, model: flag.gltf, clip: wave, add: 'nod:0.5', times: [0.6, 0.8]}\n");
}

static void check_edit(struct edit edit, const char *expected)
{
    write_model(edit);
    check(NULL);
    assert_statuses(expected);
}

/* Of 600 keys one, in a block of 10; only those who play the clip mind. */
SCRATCH_TEST(a_key_among_600_is_found)
{
    struct edit edit = none;
    edit.turned = 303;
    check_edit(edit, "long fail, short pass, first fail, masked pass, added fail");
    assert_string_equal(result_of("long", "headline"),
                        "keys 301 to 310 of 600 of `arm`'s rotation in `wave` (10.000 to "
                        "10.300 s) changed by 1.2° on average; nothing visible changed");
    assert_string_equal(result_of("short", "stages.import.state"), "passed");
    assert_contains(result_of("short", "stages.import.summary"), "1.2° on average (not played by this case)");
}

SCRATCH_TEST(a_key_that_moved_is_found)
{
    struct edit edit = none;
    edit.moved = 7;
    check_edit(edit, "long pass, short fail, first pass, masked fail, added fail");
    assert_string_equal(result_of("short", "headline"),
                        "rotation keys of `arm` (clip `nod`): key 8 of 31 moved from 0.233 to 0.243 s; nothing visible changed");
}

SCRATCH_TEST(a_factor_of_all_times_is_found)
{
    struct edit edit = none;
    edit.time_scale = 1.2;
    check_edit(edit, "long fail, short fail, first fail, masked fail, added fail");
    assert_string_equal(result_of("short", "headline"), "both clips play 1.2 times slower; skin and pixels differ");
    assert_string_equal(result_of("short", "findings[0].stage"), "import");
    assert_string_equal(result_of("short", "findings[1].stage"), "animate"); /* nothing more of the import */
}

/* A clip that nobody plays any more is a note; who plays it fails. */
SCRATCH_TEST(a_clip_that_is_gone_is_for_who_plays_it)
{
    struct edit edit = none;
    edit.is_gone = true;
    check_edit(edit, "long pass, short error, first pass, masked error, added error");
    assert_string_equal(result_of("short", "stage"), "import");
    assert_contains(result_of("long", "stages.import.summary"), "clip `nod` is gone (not played by this case)");
}

/* A mesh is every case's: told once, with the names of the cases. */
SCRATCH_TEST(one_reason_is_told_once)
{
    struct edit edit = none;
    edit.has_uvs = true;
    write_model(edit);
    const struct outcome *outcome = check_gives(1, NULL);
    assert_statuses("long fail, short fail, first fail, masked fail, added fail");
    const char *together = strstr(outcome->out, "FAIL     5 cases: ");
    assert_non_null(together);
    assert_contains(together, "\n  - long, short, first, masked, added\n  long, in full:\n  model ");
    assert_null(strstr(together + 1, "FAIL "));
}
