/* B3D, Ogre, X, SMD, IRR and .blend: what is mended, what is told. Debian 13's Assimp reads no B3D:
 * what needs it is skipped. */
#include "import/import_fixture.h"

#include "import/scene/convert.h"
#include "scene_builder.h"

static void number(struct text *out, uint32_t value)
{
    text_add_bytes(out, (const char[]){(char)value, (char)(value >> 8), (char)(value >> 16), (char)(value >> 24)}, 4);
}

static size_t begin(struct text *out, const char *tag)
{
    text_add_bytes(out, tag, 4);
    number(out, 0);
    return out->size;
}

static void end(struct text *out, size_t at)
{
    const uint32_t size = (uint32_t)(out->size - at);
    for (size_t i = 0; i < 4; i++)
        out->data[at - 4 + i] = (char)(size >> 8 * i);
}

static size_t begin_node(struct text *out, const char *name)
{
    static const float numbers[10] = {0, 0, 0, 1, 1, 1, 1, 0, 0, 0};
    const size_t at = begin(out, "NODE");
    text_add_bytes(out, name, strlen(name) + 1);
    text_add_bytes(out, numbers, sizeof numbers);
    return at;
}

static void add_triangle(struct text *out, uint32_t layout)
{
    static const float points[3][7] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const size_t mesh = begin(out, "MESH");
    number(out, UINT32_MAX);
    const size_t vertices = begin(out, "VRTS");
    number(out, layout);
    number(out, 0);
    number(out, 0);
    for (int i = 0; i < 3; i++)
        text_add_bytes(out, points[i], layout & 2 ? sizeof points[i] : 3 * sizeof(float));
    end(out, vertices);
    const size_t triangles = begin(out, "TRIS");
    number(out, UINT32_MAX);
    for (uint32_t i = 0; i < 3; i++)
        number(out, i);
    end(out, triangles);
    end(out, mesh);
}

/* The first vertex follows the node that it stands in. */
static void add_bone(struct text *out)
{
    static const float weight = 0.125f;
    const size_t bone = begin(out, "BONE");
    number(out, 0);
    text_add_bytes(out, &weight, sizeof weight);
    end(out, bone);
}

/* A triangle whose first vertex follows `bones` bones. */
static void add_root(struct text *out, uint32_t bones, uint32_t layout)
{
    const size_t root = begin_node(out, "root");
    add_triangle(out, layout);
    for (uint32_t i = 0; i < bones; i++) {
        const size_t node = begin_node(out, "bone");
        add_bone(out);
        end(out, node);
    }
    end(out, root);
}

/* The warning about a file of so many roots; or there is none. */
static void left_out(uint32_t roots, uint32_t bones, uint32_t layout, const char *said)
{
    SCOPED(text) file = {0}, out = {0};
    const size_t whole = begin(&file, "BB3D");
    number(&file, 1);
    for (uint32_t i = 0; i < roots; i++)
        add_root(&file, bones, i == 0 ? 0 : layout);
    end(&file, whole);
    const TEMPORARY copy = temporary_make("a.b3d", file.data, file.size);
    SCENE *scene = builder_scene(1);
    scene->path = copy.path;
    struct conversion c = {.scene = scene};
    b3d_rewrite(&c, &out);
    conversion_release(&c);
    assert_told(note_of(scene, NOTE_WARNING, "b3d-left-out"), said);
    assert_null(out.data);
}

TEST(what_is_not_read_is_told)
{
    left_out(1, 4, 0, NULL);
    left_out(1, 6, 0, "2 influences of a vertex beyond the first four");
    left_out(1, 255, 0, "251 influences");
    left_out(2, 0, 0, "2 root nodes: only the first is read");
    left_out(2, 0, 2, "colours");
}

TEST(brushes_may_name_textures_that_are_not_there)
{
    static const float numbers[5] = {0.25f, 0.5f, 0.75f, 1, 0};
    SCOPED(text) file = {0};
    if (!import_knows("a.b3d"))
        skip();
    const size_t whole = begin(&file, "BB3D");
    number(&file, 1);
    const size_t brushes = begin(&file, "BRUS");
    number(&file, 2); /* textures of a brush: the first of none, and none */
    text_add_bytes(&file, "skin", 5);
    text_add_bytes(&file, numbers, sizeof numbers);
    for (size_t i = 0; i < 4; i++)
        number(&file, i < 3 ? 0 : UINT32_MAX);
    end(&file, brushes);
    add_root(&file, 1, 0);
    end(&file, whole);
    SCENE *scene = import_bytes("a.b3d", file.data, file.size, REPAIR_ALL);
    assert_contains(note_of(scene, NOTE_REPAIR, "b3d-meshes"), "1 textures of brushes are not in the file");
    assert_string_equal(scene->nodes[1].name, "bone");
    assert_string_equal(scene->materials[0].name, "skin");
}

/* Every node is a bone, as in a mesh that Assimp makes of a skeleton without one. */
TEST(a_mesh_on_a_bone_is_the_file_s)
{
    SCOPED(text) file = {0};
    if (!import_knows("a.b3d"))
        skip();
    const size_t whole = begin(&file, "BB3D");
    number(&file, 1);
    const size_t root = begin_node(&file, "root");
    add_triangle(&file, 0);
    add_bone(&file);
    end(&file, root);
    end(&file, whole);
    SCENE *scene = import_bytes("a.b3d", file.data, file.size, REPAIR_ALL);
    assert_true(scene->meshes[0].bone_count > 0 && scene->node_count == 1);
    assert_null(note_of(scene, NOTE_WARNING, "no-mesh"));
}

TEST(each_mesh_has_its_own)
{
    if (!import_knows("a.b3d"))
        skip();
    SCENE *scene = load("brood/brood.b3d");
    for (uint32_t m = 0; m < 2; m++) {
        const struct mesh *mesh = &scene->meshes[m];
        assert_int_equal(mesh->bone_count, 2);
        assert_int_equal(mesh->material, m);
        assert_int_equal(mesh->bones[1].node, 3 + 3 * m);
    }
    assert_string_equal(scene->nodes[6].name, "tip");
    assert_string_equal(scene->clips[0].channels[1].node_name, "tip");
    assert_int_equal(scene->clips[0].channels[1].node, 6);
    assert_true(scene->clips[0].duration == 1.0); /* 60 frames */
    assert_contains(note_of(scene, NOTE_REPAIR, "b3d-meshes"), "of 2 meshes");
    assert_null(note_of(scene, NOTE_REPAIR, "normalise-weights"));
    ANOTHER(scene, load_with("brood/brood.b3d", ALL_BUT(B3D_MESHES)));
    assert_contains(note_of(scene, NOTE_WARNING, "b3d-meshes"), "2 meshes, 2 ANIM");
    assert_int_equal(scene->clip_count, 0);
}

TEST(cut_files_end)
{
    SCOPED(blob) file;
    assert_true(file_read(FIXTURES "/brood/brood.b3d", 1 << 20, &file, ANY_ERROR));
    for (size_t size = 0; size < file.size; size += 1 + size / 64) {
        const TEMPORARY copy = temporary_make("a.b3d", file.data, size);
        SCENE *scene = builder_scene(1);
        SCOPED(text) out = {0};
        scene->path = copy.path;
        struct conversion c = {.scene = scene, .repairs = REPAIR_ALL};
        b3d_rewrite(&c, &out);
        assert_false(c.is_numbered || out.size);
        conversion_release(&c);
    }
}

/* ticks.x with keys at other ticks. */
static void x_lasts(const char *const ticks[3], const char *rate, double seconds)
{
    const struct change changes[] = {{"   10;16;", ticks[0]}, {"   25;16;", ticks[1]}, {"   50;16;", ticks[2]}};
    SCENE *scene = import_changed(FIXTURES "/ticks/ticks.x", changes, 3, REPAIR_ALL);
    assert_contains(note_of(scene, NOTE_REPAIR, "tick-rate"), rate);
    assert_true(scene->clips[0].duration == seconds);
}

TEST(ticks_of_x_are_4800_where_keys_fit)
{
    x_lasts((const char *const[]){"160;16;", "1200;16;", "9600;16;"}, ": 4800 are taken", 2.0);
    x_lasts((const char *const[]){"30;16;", "1200;16;", "9600;16;"}, ": 25 are taken", 384.0); /* closer than 1/120 s */
    x_lasts((const char *const[]){"100;16;", "200;16;", "400;16;"}, ": 25 are taken", 16.0);   /* over in a tenth of a second */
}

TEST(rates_of_smd_are_told)
{
#define SMD(time)                                                                                                      \
    "version 1\nnodes\n0 \"a\" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\ntime " time "\n0 1 0 0 0 0 0\nend\n"
    SCENE *scene = import_text("a.smd", SMD("5"), ANY_ERROR);
    assert_contains(note_of(scene, NOTE_WARNING, "tick-rate"), "Assimp's 25 frames a second");
    ANOTHER(scene, import_text("a.smd", SMD("0"), ANY_ERROR));
    assert_null(scene ? note_of(scene, NOTE_WARNING, "tick-rate") : NULL);
}

TEST(keys_of_ogre_off_are_told)
{
    SCENE *scene = load_with("crane/crane.mesh.xml", 0);
    assert_contains(note_of(scene, NOTE_WARNING, "ogre-keys"), "up to 0.558 off");
    assert_null(note_of(scene, NOTE_WARNING, "ogre-skeleton"));
    ANOTHER(scene, load("ticks/ticks.x"));
    assert_null(note_of(scene, NOTE_REPAIR, "ogre-keys"));
}

/* The warning of that id about a file that holds no more than what it is looked for; or there is none. */
static void told(const char *format, const void *data, size_t size, const char *id, const char *said)
{
    const TEMPORARY copy = temporary_make("a", data, size);
    SCENE *scene = builder_scene(1);
    struct conversion c = {.scene = scene};
    scene->path = copy.path;
    scene->format = format;
    scene->assimp_version = "5";
    add_warnings(&c);
    conversion_release(&c);
    if (said)
        assert_contains(note_of(scene, NOTE_WARNING, id), said);
    else
        assert_int_equal(scene->note_count, 0);
}

#define TOLD(format, text, id, said) told(format, text, sizeof text - 1, id, said)
#define NODE(type, file) "<node type=\"" type "\"><attributes><string name=\"Name\" value=\"n\"/>" \
                         "<string name=\"Mesh\" value=\"" file "\"/></attributes></node>"
#define OGRE "\0\20[MeshSerializer_v1.8]\n\0\60\23\0\0\0\0"

/* What gzip makes of a file with an object and an armature. */
#define PACKED_BLEND \
    "\037\213\010\000\000\000\000\000\002\003\163\362\161\365\163\161\015\212\057\063\062\261\360\167\142" \
    "\140\140\141\140\140\050\050\051\322\053\116\311\113\314\317\113\325\113\111\054\111\164\014\142\000" \
    "\003\144\161\000\130\174\106\053\070\000\000\000"

#define ENVELOPE(first, second, ends)                                                                                  \
    "{ Envelope\n  2\n  Key 0 0 " first " 0 0 0 0 0 0\n  Key 1 2.5 " second " 0 0 0 0 0 0\n  Behaviors " ends "\n}\n"

TEST(what_a_file_holds_besides_is_told)
{
    TOLD("irr", "<irr_scene>" NODE("light", "") "</irr_scene>", NULL, NULL);
    TOLD("irr", "<irr_scene>" NODE("cube", "") "</irr_scene>", "irr-nodes", "draw: 1, of which Assimp 5 makes 0 meshes");
    TOLD("irr", "<irr_scene>" NODE("mesh", "a.x") NODE("mesh", "a.x") NODE("animatedMesh", "b.md2") "</irr_scene>",
         "irr-nodes", "draw: 3, of which Assimp 5 makes 0 meshes. Give the models that it names: a.x, b.md2");
    TOLD("xml", "<mesh><submeshes/></mesh>", NULL, NULL);
    TOLD("xml", "<mesh><poses><pose target=\"mesh\"/></poses></mesh>", "ogre-vertices", "has poses (morph targets), which");
    TOLD("xml", "<mesh><animations/></mesh>", "ogre-vertices", "has animations of vertices, which");
    TOLD("mesh", OGRE "\0\100\6\0\0\0" "\0\240\6\0\0\0", NULL, NULL);
    TOLD("mesh", OGRE "\0\100\6\0\0\0" "\0\300\6\0\0\0", "ogre-vertices", "poses");
    TOLD("mesh", OGRE "\0\320\6\0\0\0", "ogre-vertices", "animations");
    TOLD("xml", "<mesh><skeletonlink name=\"a.skeleton\"/></mesh>", "ogre-skeleton", "its skeleton \"a.skeleton\" is not");
    TOLD("mesh", OGRE "\0\140\10\0\0\0b\n", "ogre-skeleton", "its skeleton \"b\" is not beside it");
    TOLD("mesh", OGRE "\0\140\10\0\0\0bb", NULL, NULL); /* a name without an end */
    TOLD("mesh", OGRE "\0\100\0\0\0\0", NULL, NULL); /* a size that is none */
    TOLD("blend", "BLENDER_v248OB\0\0\4\0\0\0ptr.sdnaone.AR\0\0", NULL, NULL);
    TOLD("blend", "BLENDER_v248OB\0\0\4\0\0\0ptr.sdnaone.dataAR\0\0\0\0\0\0ptr.sdnaone.KE\0\0\0\0\0\0ptr.sdnaone.",
         "blend-rig", "armatures of the file: 1, actions: 0, sets of shape keys: 1");
    TOLD("blend", "BLENDER-V280AC\0\0\0\0\0\0pointer.sdnaone.", "blend-rig", "actions: 1");
    TOLD("blend", "BLEND", NULL, NULL);
    TOLD("blend", PACKED_BLEND, "blend-rig", "armatures of the file: 1, actions: 0, sets of shape keys: 0");
    TOLD("blend", "\37\213\10\0\0\0\0\0\2\3not packed\20\0\0\0", NULL, NULL);
    TOLD("lws", "LWSC\n2\nObjectMotion (unnamed)\n  2\n  1\n  0 0 2 0 0 0\n  1\n  4 0 2 0 0 0\nEndFrame 2\n", NULL, NULL);
    TOLD("lws", "LWSC\n2\nBoneMotion\n  2\n  2\n  0 0 2 0 0 0\n  2 .5 2 0 0 0\n  1\n  4 0 2 0 0 0\n", "lws-version",
         "of version 2, of which Assimp 5 misreads the keys");
    TOLD("lws", "LWSC\n1\nObjectMotion\n  9\n  1\n  0 0 0 0 0 0 1 1 1\n  0 0 0 0 0\nEndBehavior 1\n", "lws-version",
         "of version 1");
    TOLD("lws", ENVELOPE("0", "3", "1 1"), NULL, NULL);
    TOLD("lws", ENVELOPE("0", "4", "1 1"), "lws-envelopes", "straight: 1, envelopes that go on behind their last key: 0");
    TOLD("lws", ENVELOPE("3", "3", "1 2") ENVELOPE("0", "0", "0 1"), "lws-envelopes",
         "straight: 1, envelopes that go on behind their last key: 1");
    TOLD("lws", "{ Envelope\n  1\n  Key 0 0 0 0 0 0 0 0 0\n  Behaviors 2 2\n}\n", NULL, NULL);
}

/* Assimp reads for ever what it takes for a number and is none, and a file without its last brace. */
TEST(materials_of_ogre_are_read_to_their_end)
{
    static const char mesh[] =
        "<mesh><submeshes><submesh material=\"m\" usesharedvertices=\"false\"><faces count=\"1\">"
        "<face v1=\"0\" v2=\"1\" v3=\"2\"/></faces><geometry vertexcount=\"3\"><vertexbuffer positions=\"true\">"
        "<vertex><position x=\"0\" y=\"0\" z=\"0\"/></vertex><vertex><position x=\"1\" y=\"0\" z=\"0\"/></vertex>"
        "<vertex><position x=\"0\" y=\"1\" z=\"0\"/></vertex></vertexbuffer></geometry></submesh></submeshes></mesh>";
    static const char *const materials[] = {
        "material m\n{\n technique\n {\n  pass\n  {\n   ambient $dark\n   diffuse vertexcolour\r\n"
        "   emissive 0.5 0.25 0 1\n  }\n }\n}\n",
        "material m\n{\n technique\n {\n  pass\n  {\n   diffuse 1 1 1 1\n   emissive 0.5 0.25 0",
    };
    for (int i = 0; i < 2; i++) {
        struct temporary model = temporary_make("a.mesh.xml", mesh, sizeof mesh - 1);
        struct error err = {0};
        char path[160];
        struct import_options options = import_defaults;
        options.timeout_seconds = 20;
        options.surfaces = true;
        snprintf(path, sizeof path, "%s/a.material", model.folder);
        assert_true(file_write(path, materials[i], strlen(materials[i]), &err));
        SCENE *scene = import_scene(model.path, &options, &err);
        if (!scene)
            fail_msg("%d: %s", i, err.text);
        const struct material *material = &scene->materials[scene->meshes[0].material];
        assert_string_equal(material->name, "m");
        ASSERT_NEAR(material->base_color, (float[]){1, 1, 1}, 3, 1e-6f);
        unlink(path);
        temporary_remove(&model);
    }
}

TEST(what_is_refused_has_a_way_out)
{
    struct error err = {0};
    assert_null(import_text("a.blend", "BLENDER-v306", &err));
    assert_contains(err.text, "cannot read this .blend file: export the model as .glb from Blender (it says: ");
    err = (struct error){0};
    assert_null(import_text("a.x", "xof 0303txt 0032\nAnimationSet a {\n}\n", &err));
    assert_contains(err.text, "export them with their model");
}

TEST(text_in_utf16_is_refused_with_what_to_do)
{
    static const char bytes[] = "\377\376<\0i\0r\0r\0_\0s\0c\0e\0n\0e\0>\0<\0b\0>\0";
    const TEMPORARY copy = temporary_make("a.irr", bytes, sizeof bytes - 1);
    assert_refused(import_scene(copy.path, &import_defaults, err), "UTF-16");
}
