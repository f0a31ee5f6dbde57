/* COLLADA's curves as they are read beside Assimp. What comes of them in numbers is cli_expected's business. */
#include "import/import_fixture.h"

#include "data/affine.h"
#include "import/dae/dae_file.h"

static struct blob fixture(void)
{
    struct blob file;
    assert_true(file_read(FIXTURES "/curves/curves.dae", 1 << 20, &file, ANY_ERROR));
    return file;
}

TEST(the_file_is_read)
{
    SCOPED(blob) blob = fixture();
    struct dae_file file;
    dae_file_read(&blob, &file);
    const uint32_t base = dae_find(&file, slice_of("base"), "node");
    static const char *const names[] = {"translate", "translate", "rotate", "rotate", "rotate", "translate"};
    uint32_t e = file.elements[base].child;
    assert_true(base != 0 && dae_is(&file, base, "node"));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++, e = file.elements[e].next)
        assert_true(dae_is(&file, e, names[i]));
    uint32_t channel = 0;
    while (!slice_is(dae_attribute(&file, channel, "target"), "base/turnZ.ANGLE"))
        assert_true((channel = dae_following(&file, channel, "channel")) != 0);
    const uint32_t sampler = dae_reference(&file, channel, "source", "sampler");
    assert_true(dae_is(&file, sampler, "sampler") && dae_is_below(&file, sampler, file.elements[channel].parent));
    struct dae_source tangents = dae_source_of(&file, dae_input(&file, sampler, "OUT_TANGENT"));
    assert_int_equal(tangents.count, 3);
    assert_int_equal(tangents.stride, 2);
    double *numbers = dae_source_numbers(&tangents);
    assert_non_null(numbers);
    assert_true(numbers[0] == 0.75 && numbers[2] == 1.45 && numbers[3] == 60);
    free(numbers);
    assert_int_equal(dae_find(&file, slice_of("bas"), "node"), 0);
    assert_int_equal(dae_next(&file, base, "source"), 0);
    dae_file_close(&file);
}

TEST(comments_hold_no_elements)
{
    static char text[] = "\xef\xbb\xbf<?xml version='1.0' encoding='utf-8'?><!DOCTYPE r><r><a id='1' t='>\xe4>'>"
                         "<!-- <b> </a> --><![CDATA[<b>]]><c id='2'/></a><d/></r>";
    struct blob blob = {(unsigned char *)text, sizeof text - 1};
    struct dae_file file;
    dae_file_read(&blob, &file);
    assert_null(file.problem);
    assert_int_equal(file.count, 5);
    assert_true(dae_is(&file, 2, "a") && dae_is(&file, 3, "c") && dae_is(&file, 4, "d"));
    assert_true(file.elements[3].parent == 2 && file.elements[4].parent == 1);
    assert_true(slice_is(dae_attribute(&file, 2, "t"), ">\xe4>") && dae_find(&file, slice_of("2"), "c") == 3);
    assert_true(slice_is(dae_inside(&file, 3), "") && file.elements[3].end == file.elements[3].inside);
    dae_file_close(&file);
}

/* What is no whole XML, or could unfold, has no elements, and is said why. */
TEST(hostile_files_are_refused)
{
    static const struct {
        char text[96];
        size_t size; /* 0: the text's */
        const char *problem;
    } rows[] = {
        {"<a><b></a></b>", 0, "mismatched tag"},
        {"<a><b/>", 0, "no element found"},
        {"", 0, "no element found"},
        {"<a/><b/>", 0, "junk after document element"},
        {"<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;&b;'>]><a>&c;</a>", 0, "it declares a document type of its own"},
        {"<\0a\0/\0>", 8, "it is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct blob blob = {(unsigned char *)(size_t)rows[i].text, rows[i].size ? rows[i].size : strlen(rows[i].text)};
        struct dae_file file;
        dae_file_read(&blob, &file);
        if (!file.problem || strcmp(file.problem, rows[i].problem) != 0 || file.count != 1)
            fail_msg("%zu: %s, %u elements", i, file.problem ? file.problem : "(read)", file.count);
        assert_int_equal(dae_child(&file, 0, "a") + dae_following(&file, 0, "a"), 0);
        dae_file_close(&file);
    }
}

/* `unlike` nodes keep straight lines, and that is said where these are not what is meant; the others follow. */
TEST(what_cannot_be_followed_is_told)
{
    static const struct {
        struct change change;
        int unlike;
    } rows[] = {
        {{"BEZIER", "BEZIER"}, 0},
        {{">BEZIER BEZIER BEZIER<", ">BEZIER BSPLINE BEZIER<"}, 1},
        {{">HERMITE HERMITE HERMITE<", ">HERMITE CARDINAL HERMITE<"}, 1},
        {{">HERMITE HERMITE HERMITE<", ">HERMITE HERMITE CARDINAL<"}, 0}, /* behind the last key */
        {{"semantic=\"IN_TANGENT\"", "semantic=\"OTHER\""}, 3},                            /* of all that need them */
        {{"<input semantic=\"INTERPOLATION\" source=\"#base-turnY-ANGLE-how\"/>", ""}, 0}, /* linear */
        {{">0.75 0 1.45 60 2.5 0<", ">0.75 0 1.45 nan 2.5 0<"}, 1},
        {{"#base-turnZ-ANGLE-1-array\" count=\"3\" stride=\"2\"", "#base-turnZ-ANGLE-1-array\" count=\"3\" stride=\"0\""}, 1},
        {{"#base-turnZ-ANGLE-1-array\" count=\"3\"", "#base-turnZ-ANGLE-1-array\" count=\"4000000000\""}, 1},
        {{"#base-turnZ-ANGLE-1-array\" count=\"3\"", "#base-turnZ-ANGLE-1-array\" count=\"2\""}, 1},
        {{"target=\"base/turnY.ANGLE\"", "target=\"base/turnY.X\""}, 1},     /* an axis */
        {{"target=\"base/turnY.ANGLE\"", "target=\"base/turnZ.ANGLE\""}, 1}, /* twice */
        {{"<translate sid=\"pivot\">", "<lookat>0 0 0 0 0 -1 0 1 0</lookat><translate sid=\"pivot\">"}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCENE *scene = import_changed(FIXTURES "/curves/curves.dae", &rows[i].change, 1, REPAIR_ALL);
        const char *note = note_of(scene, NOTE_WARNING, "dae-curves"), *number = note ? strstr(note, "curves of ") : NULL;
        if ((number ? atoi(number + strlen("curves of ")) : 0) != rows[i].unlike)
            fail_msg("%zu: %d expected: %s", i, rows[i].unlike, note ? note : "(no note)");
        if (rows[i].unlike < 3)
            assert_non_null(note_of(scene, NOTE_REPAIR, "dae-curves"));
    }
}

TEST(the_repair_can_be_off)
{
    SCENE *scene = load_with("curves/curves.dae", ALL_BUT(DAE_CURVES));
    assert_contains(note_of(scene, NOTE_WARNING, "dae-curves"), "up to 1.78 units, 59.5 degrees, 1.5 of a scale off");
    assert_int_equal(scene->clips[0].channels[1].keys[COMPONENT_TRANSLATION].interpolation, INTERPOLATE_LINEAR);
}

/* Whole matrices, linear: nothing to follow, and nothing to tell. Nor of lines whose node stands otherwise. */
TEST(lines_are_left)
{
    SCOPED(blob) file;
    assert_true(file_read(FIXTURES "/limb/limb.dae", 1 << 20, &file, ANY_ERROR));
    char *at = strstr((char *)file.data, "<node id=\"hip\"");
    assert_non_null(at);
    at = strstr(at, "<rotate sid=\"rotateZ\">0 0 1 0");
    assert_non_null(at);
    memcpy(at, "<scale>1 1 -1</scale><!--    ", 29);
    at = strstr(at, "</rotate>");
    memcpy(at, "      -->", strlen("</rotate>"));
    SCENE *mirrored = assert_good(import_text("a.dae", (const char *)file.data, err)), *scene = load("walker/walker.dae");
    assert_null(note_of(mirrored, NOTE_WARNING, "dae-curves"));
    assert_null(note_of(scene, NOTE_REPAIR, "dae-curves"));
    assert_null(note_of(scene, NOTE_WARNING, "dae-curves"));
}

#define LIBRARY FIXTURES "/library/library.dae"

/* What the file has and is not played or drawn is named; nothing is where all is. */
TEST(what_is_lost_is_told)
{
    static const struct {
        struct change change;
        const char *id, *says;
    } rows[] = {
        {{0}, "dae-channels", NULL},
        {{0}, "dae-lost", NULL},
        {{0}, "shared-skin", NULL}, /* each arm has bones of its own */
        {{0}, "dae-morph", "\"leaf-morph\" is not played"},
        {{"left/move.X", "sun/color.R"}, "dae-channels", "1 channels move what is not played: \"sun/color.R\""},
        {{"left/move.X", "leaf-weights(0)"}, "dae-channels", "\"leaf-weights(0)\""},
        {{"left/move.X", "kit/move.X"}, "dae-channels", "\"kit/move.X\""},
        {{"instance_animation url=\"#nod\"", "instance_animation url=\"b.dae#nod\""}, "dae-channels",
         "1 animations of clips are not in the file, and 2 channels are in no clip"},
        {{"url=\"#flag\"", "url=\"b.dae#flag\""}, "dae-lost", "instance_node \"b.dae#flag\" is left out"},
        {{"url=\"#flag-mesh\"", "url=\"#flags\""}, "dae-lost", "instance_geometry \"#flags\" is left out"},
        {{"arm-places-array\" count=\"15\"", "arm-places-array\" count=\"3\""}, "dae-lost",
         "source \"arm-places\" are not those of its 15 numbers"},
        {{"arm-places-array\" count=\"5\"", "arm-places-array\" count=\"6\""}, "dae-lost", "of its 15 numbers"},
        {{"<translate>0 0 -3</translate>", "<skew>0 1 0 0 0 1 0</skew>"}, "dae-lost", "a <skew> of node \"leaf\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCENE *scene = import_changed(LIBRARY, &rows[i].change, rows[i].change.mark != NULL, REPAIR_ALL);
        assert_told(note_of(scene, NOTE_WARNING, rows[i].id), rows[i].says);
        assert_int_equal(scene->clip_count, 2);
    }
}

/* Joints have sids, which two skeletons share; an id no joint needs to have. */
TEST(joints_need_no_ids)
{
    static const struct change edits[] = {{"id=\"right-upper\" ", ""},
                                           {"id=\"right-lower\" ", ""},
                                           {"<skeleton>#right-upper", "<skeleton>#right"}};
    SCENE *scene = import_changed(LIBRARY, edits, sizeof edits / sizeof edits[0], REPAIR_ALL);
    for (uint32_t i = 0, arms = 0; i < scene->instance_count || arms < 2; i++) {
        assert_true(i < scene->instance_count);
        const struct mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        const bool is_right = strcmp(scene->nodes[scene->instances[i].node].name, "right-arm") == 0;
        if (mesh->bone_count != 2)
            continue;
        const struct node *upper = &scene->nodes[mesh->bones[0].node];
        assert_string_equal(scene->nodes[upper->parent].name, is_right ? "right" : "left");
        arms++;
    }
}

#define SOURCE(id, array, count, items, stride, param, numbers)                                                        \
    "<source id='" id "'><" array " id='" id "-a' count='" count "'>" numbers "</" array "><technique_common>"         \
    "<accessor source='#" id "-a' count='" items "' stride='" stride "'>" param "</accessor></technique_common>"       \
    "</source>"
#define XYZ "<param name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/>"

/* A triangle whose first vertex alone has a bone; its bind shape is turned about x, and 5 up z. */
static const char half_skinned[] =
    "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><library_geometries>"
    "<geometry id='leaf'><mesh>" SOURCE("places", "float_array", "9", "3", "3", XYZ, "0 0 0 1 0 0 0 1 0")
    "<vertices id='corners'><input semantic='POSITION' source='#places'/></vertices><triangles count='1'>"
    "<input semantic='VERTEX' source='#corners' offset='0'/><p>0 1 2</p></triangles></mesh></geometry>"
    "</library_geometries><library_controllers><controller id='rig'><skin source='#leaf'>"
    "<bind_shape_matrix>1 0 0 0 0 0 -1 0 0 1 0 5 0 0 0 1</bind_shape_matrix>"
    SOURCE("names", "Name_array", "1", "1", "1", "<param name='JOINT' type='name'/>", "stem")
    SOURCE("binds", "float_array", "16", "1", "16", "<param name='TRANSFORM' type='float4x4'/>",
           "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1")
    SOURCE("shares", "float_array", "1", "1", "1", "<param name='WEIGHT' type='float'/>", "1")
    "<joints><input semantic='JOINT' source='#names'/><input semantic='INV_BIND_MATRIX' source='#binds'/></joints>"
    "<vertex_weights count='3'><input semantic='JOINT' source='#names' offset='0'/>"
    "<input semantic='WEIGHT' source='#shares' offset='1'/><vcount>1 0 0</vcount><v>0 0</v></vertex_weights></skin>"
    "</controller></library_controllers><library_visual_scenes><visual_scene id='all'>"
    "<node id='stem' sid='stem' type='JOINT'/><node id='group'><translate>0 2 0</translate><node id='shape'>"
    "<translate>1 0 0</translate><instance_controller url='#rig'><skeleton>#stem</skeleton></instance_controller>"
    "</node></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#all'/></scene></COLLADA>";

/* Vertices without weights are where the bind shape has them, wherever the node of the mesh is. */
TEST(the_bind_shape_holds_vertices_without_weights)
{
    struct error err = {0};
    SCENE *scene = import_text("a.dae", half_skinned, &err);
    if (!scene)
        fail_msg("%s", err.text);
    assert_int_equal(scene->mesh_count, 1);
    const struct mesh *mesh = &scene->meshes[0];
    assert_int_equal(mesh->bone_count, 2);
    assert_true(mesh->bones[1].follows_mesh_node);
    assert_string_equal(scene->nodes[mesh->bones[1].node].name, "shape");
    float rows[12];
    affine_rows(mesh->bones[1].mesh_to_bone, rows);
    ASSERT_NEAR(rows, (float[]){1, 0, 0, -1, 0, 0, -1, -2, 0, 1, 0, 5}, 12, 1e-6f);
    affine_rows(mesh->bones[0].mesh_to_bone, rows);
    ASSERT_NEAR(rows, (float[]){1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 5}, 12, 1e-6f);
    assert_null(note_of(scene, NOTE_WARNING, "dae-lost"));
}

/* Assimp takes the three rows above. */
TEST(a_last_row_of_a_matrix_is_told)
{
    static const char plain[] = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", odd[] = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 2 1";
    struct error err = {0};
    SCOPED(text) text = {0};
    text_add(&text, half_skinned);
    memcpy(strstr(text.data, plain), odd, sizeof odd - 1);
    SCENE *scene = import_text("a.dae", text_string(&text), &err);
    if (!scene)
        fail_msg("%s", err.text);
    assert_contains(note_of(scene, NOTE_WARNING, "dae-lost"), "the last row of 1 inverse bind matrices of \"binds\"");
}

/* What an array says of its length, and an accessor of what it takes, is held against the numbers that are there. */
TEST(counts_do_not_lie)
{
    static const struct change edits[] = {{"arm-places-array\" count=\"15\"", "arm-places-array\" count=\"3\""},
                                           {"arm-places-array\" count=\"5\"", "arm-places-array\" count=\"9\""}};
    SCENE *scene = import_changed(LIBRARY, edits, sizeof edits / sizeof edits[0], REPAIR_ALL);
    SCENE *whole = load("library/library.dae");
    assert_int_equal(scene->mesh_count, whole->mesh_count);
    for (uint32_t m = 0; m < whole->mesh_count; m++)
        assert_memory_equal(scene->meshes[m].positions, whole->meshes[m].positions,
                            whole->meshes[m].vertex_count * sizeof *whole->meshes[m].positions);
}

/* Assimp makes a mesh of the nodes where a file has none, of each node that is not where its parent is. */
TEST(a_mesh_of_nodes_is_told)
{
    static const struct change edits[] = {{"<instance_controller url=\"#arm-skin\">", "<extra>"},
                                           {"</instance_controller>", "</extra>"},
                                           {"<instance_node url=\"#flag\"/>", ""},
                                           {"<instance_controller url=\"#leaf-morph\"/>", ""}};
    SCENE *scene = import_changed(LIBRARY, edits, sizeof edits / sizeof edits[0], REPAIR_ALL);
    SCENE *whole = load("library/library.dae");
    assert_int_equal(scene->mesh_count, 1);
    assert_true(scene->meshes[0].bone_count < scene->node_count);
    assert_non_null(note_of(scene, NOTE_WARNING, "no-mesh"));
    assert_null(note_of(whole, NOTE_WARNING, "no-mesh"));
}
