/* Any import keeps to these: invariants of scenes, files that are broken, limits. Numbers are cli_expected's business. */
#include "import/import_fixture.h"

#include <sys/resource.h>

TEST(test_invariants)
{
    static const char *const names[] = {"walker/walker.glb", "walker/walker.fbx", "walker/walker.dae",
                                        "crowd/crowd.glb",   "pieces/steps.glb",  "broken/deep-nodes.gltf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        SCENE *scene = load(names[i]);
        assert_true(scene->material_count >= 1);
        assert_int_equal(scene->nodes[0].parent, NO_INDEX);
        for (uint32_t n = 1; n < scene->node_count; n++)
            assert_in_range(scene->nodes[n].parent, 0, n - 1);
        for (uint32_t c = 0; c < scene->clip_count; c++)
            for (uint32_t k = 1; k < scene->clips[c].channel_count; k++)
                assert_true(scene->clips[c].channels[k].node > scene->clips[c].channels[k - 1].node);
        for (uint32_t m = 0; m < scene->mesh_count; m++) {
            const struct mesh *mesh = &scene->meshes[m];
            for (uint32_t v = 0; v < mesh->vertex_count && mesh->bone_count > 0; v++) {
                float sum = 0;
                for (uint32_t k = mesh->influence_first[v]; k < mesh->influence_first[v + 1]; k++) {
                    sum += mesh->influences[k].weight;
                    assert_true(mesh->influences[k].weight > 0 && mesh->influences[k].bone < mesh->bone_count);
                    if (k > mesh->influence_first[v])
                        assert_true(mesh->influences[k].weight <= mesh->influences[k - 1].weight);
                }
                assert_float_equal(sum, 1.0f, 1e-5f);
            }
        }
    }
}

/* "arm" is a mesh node and a bone, which both meshes bind by different inverse bind matrices. */
TEST(test_names_and_offsets)
{
    SCENE *scene = load("twins/twins.gltf");
    const struct mesh *left = &scene->meshes[0], *right = &scene->meshes[1];
    assert_int_equal(left->bones[2].node, 5);
    assert_int_equal(right->bones[2].node, 5);
    assert_memory_not_equal(left->bones[2].mesh_to_bone, right->bones[2].mesh_to_bone, sizeof(mat4));
    assert_contains(note_of(scene, NOTE_REPAIR, "name-clash"), "\"arm\"");
    assert_true(scene->nodes[5].is_bone && !scene->nodes[1].is_bone);
    ANOTHER(scene, load_with("twins/twins.gltf", ALL_BUT(NAME_CLASH)));
    assert_int_equal(scene->meshes[0].bones[2].node, 1);
    assert_null(note_of(scene, NOTE_REPAIR, "name-clash"));
}

TEST(test_no_tick_rate)
{
    SCENE *scene = load("ticks/ticks.x"), *raw = load_with("ticks/ticks.x", 0);
    assert_true(scene->clips[0].duration == 2.0 && raw->clips[0].duration == 50.0);
    assert_true(scene->clips[0].ticks_per_second == 0); /* as the file says */
    assert_int_equal(scene->meshes[0].triangle_count, 8); /* of four quads */
    assert_non_null(note_of(scene, NOTE_REPAIR, "tick-rate"));
    assert_non_null(note_of(raw, NOTE_WARNING, "tick-rate"));
    ANOTHER(scene, load("ticks/half.b3d"));
    assert_true(scene->clips[0].ticks_per_second == 2.5 && fabs(scene->clips[0].duration - 1.2) < 1e-9);
    static const char still[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"
                                "OFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0\n0 0 0\n0 0 10\n";
    ANOTHER(scene, import_text("still.bvh", still, ANY_ERROR)); /* frames of no time: Assimp divides 1 by it */
    assert_true(scene && scene->clips[0].ticks_per_second == 0);
}

TEST(test_none_reports_no_repair)
{
    static const char *const names[] = {"twins/twins.gltf",       "ticks/ticks.x",
                                        "walker/walker.fbx",      "limb/limb.dae",
                                        "broken/unweighted.gltf", "broken/unnormalised-weights.gltf",
                                        "strip/strip.gltf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        SCENE *scene = load_with(names[i], 0);
        for (uint32_t n = 0; n < scene->note_count; n++)
            assert_int_equal(scene->notes[n].kind, NOTE_WARNING);
    }
}

TEST(test_a_crash_is_a_result_and_the_next_import_works)
{
    struct import_options raw = import_defaults;
    raw.repairs = 0;
    assert_refused_as(import_scene(FIXTURES "/broken/no-inverse-bind.gltf", &raw, err),
                      "import of " FIXTURES "/broken/no-inverse-bind.gltf: crashed (SIGSEGV)");
    SCENE *scene = load("broken/zero-duration.gltf");
    assert_true(scene->clips[0].duration == 0);
    assert_int_equal(scene->clips[0].channels[0].keys[COMPONENT_ROTATION].count, 1);
}

/*
 * More imports than may wait, one that cannot be read and one that is not asked for: each is given once. From the third on
 * the children are told what the Assimp at hand does.
 */
TEST(test_imports_ahead)
{
    struct import_options other = import_defaults;
    other.repairs = 0;
    import_ahead(FIXTURES "/broken/empty.glb", &import_defaults);
    import_ahead(FIXTURES "/none.glb", &import_defaults);
    import_ahead(FIXTURES "/pieces/body.glb", &other);
    for (int i = 0; i < 20; i++)
        import_ahead(FIXTURES "/pieces/body.glb", &import_defaults);
    SCENE *alone = NULL;
    for (int i = 0; i < 20; i++) {
        struct scene *scene = load("pieces/body.glb");
        assert_true(!alone || scene->note_count == alone->note_count);
        assert_true(scene != alone);
        ANOTHER(alone, scene);
    }
    assert_refused(import_scene(FIXTURES "/none.glb", &import_defaults, err), "none.glb: No such file or directory");
    assert_refused(import_scene(FIXTURES "/broken/empty.glb", &import_defaults, err), "empty.glb: Assimp");
}

static void spill(const char *path, const char *content, size_t size)
{
    assert_good(file_write(path, content, size, err));
}

static void spill_refused(void)
{
    static const char collada[] = "<?xml version=\"1.0\"?>\n<COLLADA/>\n", nothing[] = "no model";
    static const char alone[] = "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], "
                                "\"nodes\": [{\"name\": \"a\", \"mesh\": 0}], \"buffers\": [{\"uri\": \"gone.bin\", "
                                "\"byteLength\": 36}], \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36}], \"accessors\": "
                                "[{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\"}], "
                                "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}]}";
    SCOPED(blob) model = {0};
    assert_true(file_read(FIXTURES "/walker/walker.glb", 1 << 24, &model, ANY_ERROR));
    spill("glb.fbx", (const char *)model.data, model.size);
    spill("cut.glb", (const char *)model.data, model.size - 1000);
    spill("collada", collada, sizeof collada - 1);
    spill("nothing", nothing, sizeof nothing - 1);
    spill("alone.gltf", alone, sizeof alone - 1);
}

TEST(test_refusals)
{
    static const struct {
        const char *path, *message;
    } files[] = {
        {"/nowhere/model.glb", "import of /nowhere/model.glb: No such file or directory"},
        {FIXTURES, "import of " FIXTURES ": it is a folder, not a model file"},
        {FIXTURES "/broken/empty.glb", "does not recognise it"},
        {FIXTURES "/broken/inf-keys.gltf",
         "clip \"bend\", node \"tip\", rotation: the value of key 0 is not a sensible number"},
        {FIXTURES "/walker/walker.png", "cannot read .png files: export the model as .glb, .fbx or .dae"},
        {FIXTURES "/walker/walkr.glb", "No such file or directory; did you mean " FIXTURES "/walker/walker.glb?"},
        {"glb.fbx", "import of glb.fbx: its content is that of a .glb file: rename it to glb.glb"},
        {"collada", "import of collada: its content is that of a .dae file: rename it to collada.dae"},
        {"nothing", "the file name has no extension that names the format: rename it, such as to nothing.glb"},
        {"alone.gltf", "put that file where the model names it, or export one .glb"},
        {"cut.glb", "the file is cut short: copy or export it again"},
    };
    spill_refused();
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct error err = {0};
        assert_null(import_scene(files[i].path, &import_defaults, &err));
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
        assert_contains(err.text, files[i].message);
    }
}

TEST(test_a_texture_that_cannot_be_read_is_a_checker)
{
    SCENE *scene = load("broken/missing-texture.gltf");
    const struct texture *texture = &scene->textures[0];
    assert_true(texture->missing && texture->width == 64 && texture->height == 64);
    assert_memory_not_equal(texture->rgba, texture->rgba + 4 * 8, 4);
}

TEST(test_weights)
{
    SCENE *scene = load("broken/unnormalised-weights.gltf");
    assert_contains(note_of(scene, NOTE_REPAIR, "normalise-weights"), "10 of 10 vertices added up to 0.5 to 2");
    ANOTHER(scene, load("broken/unweighted.gltf"));
    const struct mesh *mesh = &scene->meshes[0];
    const struct bone *extra = &mesh->bones[2];
    assert_int_equal(mesh->bone_count, 3);
    assert_true(extra->follows_mesh_node && affine_is_identity(extra->mesh_to_bone, 0));
    assert_string_equal(scene->nodes[extra->node].name, "ribbon");
    assert_false(scene->nodes[extra->node].is_bone);
    for (uint32_t v = 8; v < 10; v++) {
        const struct influence *influence = &mesh->influences[mesh->influence_first[v]];
        assert_int_equal(mesh->influence_first[v + 1] - mesh->influence_first[v], 1);
        assert_true(influence->bone == 2 && influence->weight == 1.0f);
    }
    ANOTHER(scene, load_with("broken/unweighted.gltf", 0));
    assert_int_equal(scene->meshes[0].bone_count, 2);
    assert_int_equal(scene->meshes[0].influence_first[10], scene->meshes[0].influence_first[8]);
    assert_non_null(note_of(scene, NOTE_WARNING, "unweighted"));
}

TEST(test_assimp_reads_nothing_outside_the_folder)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{"
        "\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
        "\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}]}";
    static const char positions[36] = {0}, *const uris[] = {"../outside.bin", "link.bin", "link.bin"};
    const TEMPORARY other = temporary_make("outside.bin", positions, sizeof positions);
    char path[256], link[256], text[1024];
    strcpy(path, beside(&other, "model/triangle.gltf"));
    strcpy(link, beside(&other, "model/link.bin"));
    for (int i = 0; i < 3; i++) {
        int size = snprintf(text, sizeof text, json, uris[i]);
        assert_true(file_make_parent(path, ANY_ERROR) && file_write(path, text, (size_t)size, ANY_ERROR));
        if (i == 1) /* a link that leads outside, then a file in its place */
            assert_int_equal(symlink(other.path, link), 0);
        if (i == 2)
            assert_true(unlink(link) == 0 && file_write(link, positions, sizeof positions, ANY_ERROR));
        SCENE *scene = import_scene(path, &import_defaults, ANY_ERROR);
        assert_int_equal(scene != NULL, i == 2);
        if (scene)
            assert_int_equal(scene->meshes[0].vertex_count, 3);
    }
}

/* The limit, not the machine's speed, decides; the scene alone is larger than its arena, so this holds under a sanitizer too,
 * which lifts the process's limit. */
TEST(test_too_little_time_or_memory)
{
    struct import_options options = import_defaults;
    options.timeout_seconds = 0.0001;
    assert_refused(import_scene(FIXTURES "/walker/walker.fbx", &options, err),
                   "/walker/walker.fbx: no result after 0.0001 s (--import-timeout)");
    options.timeout_seconds = 0;
    options.memory_mib = 1;
    assert_refused(import_scene(FIXTURES "/walker/walker.fbx", &options, err),
                   "/walker/walker.fbx: needs more than 1 MiB (--import-memory)");
}

/* Where the system gives less address space than the scene's arena reserves. */
TEST(test_too_little_address_space)
{
#ifdef RIGPROOF_SANITIZE
    skip(); /* its shadow alone is larger than the limit */
#endif
    struct rlimit before, little = {(rlim_t)2 << 30, (rlim_t)2 << 30};
    struct error err = {0};
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    little.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
    struct scene *scene = import_scene(FIXTURES "/pieces/body.glb", &import_defaults, &err);
    setrlimit(RLIMIT_AS, &before);
    assert_null(scene);
    assert_contains(err.text, "body.glb: cannot reserve 4096 MiB");
    assert_contains(err.text, "--import-memory 512");
}
