/* Options of the import: names of repairs, steps that Assimp takes after the import and what they do to repairs; the library. */
#include "import/import_fixture.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "import/assimp/library.h"

static struct scene *load_flags(const char *name, const char *flags)
{
    char path[1024];
    struct import_options options = import_defaults;
    snprintf(path, sizeof path, "%s/%s", FIXTURES, name);
    assert_true(assimp_flags_parse(flags, &options.assimp_flags, ANY_ERROR));
    return assert_good(import_scene(path, &options, err));
}

TEST(test_names_become_bits)
{
    static const struct {
        const char *text;
        uint32_t flags;
        const char *described;
    } rows[] = {
        {"none", 0, "none"},
        {"join-identical", aiProcess_JoinIdenticalVertices, "join-identical"},
        {"limit-weights,join-identical", aiProcess_JoinIdenticalVertices | aiProcess_LimitBoneWeights,
         "join-identical,limit-weights"},
        {"realtime-fast", aiProcessPreset_TargetRealtime_Fast & ~aiProcess_Triangulate,
         "calc-tangents,join-identical,gen-normals,sort-by-ptype,gen-uv-coords"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t flags = 77;
        SCOPED(text) names = {0};
        assert_true(assimp_flags_parse(rows[i].text, &flags, ANY_ERROR));
        assert_int_equal(flags, rows[i].flags);
        assimp_flags_describe(flags, &names);
        assert_string_equal(text_string(&names), rows[i].described);
    }
}

/*
 * What is read again from the file by an index does not fit what was rearranged, and is left out; steps that leave out what is
 * not used do not look like faults of the file.
 */
TEST(test_what_steps_do_to_repairs)
{
    static const struct {
        const char *file, *flags, *id, *text; /* NULL: there is no such warning */
    } rows[] = {{"walker/walker.glb", "sort-by-ptype", "gltf-unread", "--assimp-flags has rearranged"},
                {"walker/walker.fbx", "optimize-graph", "assimp-flags", "Assimp ran with optimize-graph:"},
                {"walker/walker.fbx", "none", "assimp-flags", NULL},
                {"walker/walker.glb", "limit-weights", "gltf-joints", NULL},
                {"walker/walker.glb", "find-invalid-data", "gltf-unread", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCENE *scene = load_flags(rows[i].file, rows[i].flags);
        assert_told(note_of(scene, NOTE_WARNING, rows[i].id), rows[i].text);
    }
}

/* Also: the steps are taken. FBX comes with a vertex a corner. */
TEST(test_a_scaled_file_says_metres)
{
    SCENE *plain = load("walker/walker.fbx");
    SCENE *scaled = load_flags("walker/walker.fbx", "global-scale,join-identical");
    const struct mesh *before = &plain->meshes[0], *after = &scaled->meshes[0];
    double ratio = (double)after->positions[after->indices[0]][1] / (double)before->positions[before->indices[0]][1];
    assert_true(fabs(ratio * scaled->unit_meters / plain->unit_meters - 1) < 0.01);
    assert_int_equal(before->vertex_count, 5276);
    assert_in_range(after->vertex_count, 1000, 2000);
    assert_int_equal(after->triangle_count, before->triangle_count);
}

TEST(test_every_repair_is_its_own_bit)
{
    const char *name, *what;
    uint32_t bits;
    unsigned count = 0;
    for (; repair_describe(count, &name, &what); count++) {
        assert_true(repair_parse(name, &bits, ANY_ERROR) && bits == 1u << count);
        assert_true(what[0] != '\0');
    }
    assert_int_equal((1u << count) - 1, REPAIR_ALL);
    assert_false(repair_describe(1000, &name, &what));
    assert_true(repair_parse("all", &bits, ANY_ERROR) && bits == REPAIR_ALL);
    assert_true(repair_parse("none", &bits, ANY_ERROR) && bits == 0);
    assert_true(repair_parse("tick-rate,unweighted", &bits, ANY_ERROR) &&
                bits == (REPAIR_TICK_RATE | REPAIR_UNWEIGHTED));
}

TEST(test_wrong_lists)
{
    static const struct {
        bool (*parse)(const char *text, uint32_t *bits, struct error *err);
        const char *text, *message;
    } wrong[] = {
        {repair_parse, "fbx-pivot", "unknown repair \"fbx-pivot\"; did you mean \"fbx-pivots\"?"},
        {repair_parse, "tick-rate,normalize-weights", "did you mean \"normalise-weights\"?"},
        {repair_parse, "", "empty name"},
        {repair_parse, "tick-rate,", "empty name"},
        {repair_parse, ",tick-rate", "empty name"},
        {repair_parse, "all,tick-rate", "\"all\" cannot be combined"},
        {repair_parse, "tick-rate,none", "\"none\" cannot be combined"},
        {repair_parse, "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq",
         "unknown repair"},
        {assimp_flags_parse, "pre-transform", "takes the skeleton and the clips away"},
        {assimp_flags_parse, "join-identical,make-left-handed", "right-handed"},
        {assimp_flags_parse, "flip-uvs", "upside down"},
        {assimp_flags_parse, "join-identicl", "did you mean `join-identical`?"},
        {assimp_flags_parse, "", "unknown step ``"},
        {assimp_flags_parse, "none,validate", "`none` cannot be combined"},
        {assimp_flags_parse, "gen-normals,gen-smooth-normals", "exclude each other"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct error err = {0};
        uint32_t bits = 77;
        assert_false(wrong[i].parse(wrong[i].text, &bits, &err));
        assert_int_equal(bits, 77);
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
        assert_contains(err.text, wrong[i].message);
    }
}

/* aiQuatKey: 24 bytes up to 5.4.2, 32 from 5.4.3 on; libassimp.so.5 is the name of both. */
TEST(test_keys_of_another_size_are_refused)
{
    static const struct {
        size_t built, found;
        bool readable;
    } pairs[] = {{24, 24, true}, {32, 32, true}, {24, 32, false}, {32, 24, false}, {24, 0, true}, {32, 0, true}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct error err = {0};
        assert_int_equal(library_check_key(pairs[i].built, pairs[i].found, &err), pairs[i].readable);
        assert_int_equal(error_is_set(&err), !pairs[i].readable);
        if (!pairs[i].readable)
            assert_contains(err.text, "build rigproof again");
    }
}

/*
 * What releases do, as far as their version is true: 5.4.3 is also what v6.0.0 and the commits between call themselves.
 * The files that are tried must be readable, or nothing is known.
 */
TEST(test_ways_of_this_library)
{
    unsigned major, minor, patch;
    assert_true(import_check_library(ANY_ERROR));
    assert_int_equal(sscanf(import_library_version(), "%u.%u.%u", &major, &minor, &patch), 3);
    unsigned version = major * 10000 + minor * 100 + patch;
    assert_int_equal(library_gltf()->key_size, sizeof(struct aiQuatKey));
    assert_int_equal(library_gltf()->multiplies_angle, version < 50300);
    assert_int_equal(library_fbx()->turns_root, version >= 50400);
    assert_int_not_equal(library_fbx()->offsets, FBX_OFFSETS_UNKNOWN);
    if (version != 50403)
        assert_int_equal(library_fbx()->offsets, version < 50400   ? FBX_OFFSETS_BOUND
                                                 : version < 60000 ? FBX_OFFSETS_OF_PARENT
                                                                   : FBX_OFFSETS_OF_MESH);
}
