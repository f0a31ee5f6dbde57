/* import.json of a scene made by hand, letter by letter, and what the readable account says. */

#include "data/record/bones.h"
#include "data/tiny_scene.h"
#include "run_binary.h"

/* By hand: the centre of the bounds is (0.5, 0.05, -1), half their diagonal 1.1191515; all normals are (0, 1, 0). */
/* Positions as seen from there; the one triangle's normal is (-0.2, 2, 0.00001) by its length, its centre the mean position. */
#define POSITIONS                                                                                                      \
    "    \"position\": [-0.14892197, 0.19960117, 0.019958496, 0.13306713, -0.014889717, 0.019958496, "                                      \
    "0.0019960403, 0.013303757, 0.2978449, 0.13306713, 0.013303757, 0.7984028]"
#define FACES                                                                                                      \
    "    \"face\": [-0.09950352, 0.0148181915, 0.0014820099, -0.029636383, 0.9950371, -0.14818287, "                                      \
    "-0.0148153305, 0.2963667, 4.7683716e-06, -9.536743e-07, 0, 1.9073486e-06]"
#define NORMALS "    \"normal\": [0, 0, 0, 0, 1, -0.14892197, -0.014889717, 0.2978449, 0, 0, 0, 0]"
#define UVS "    \"uv\": [0.5, 0.07446098, 0.0074472427, 0.14892197, 0.083333015, -0.03723049, -0.0037221909, -0.07446098]"

#define SURFACE "   \"vertices\": 3,\n   \"triangles\": 1,\n   \"min\": [0, 0, -2],\n   \"max\": [1, 0.1, 0],\n"

static const char expected[] =
    "{\n"
    " \"format\": \"rigproof.import/1\",\n"
    " \"model\": \"tiny.glb\",\n"
    " \"up\": \"-z\",\n"
    " \"unit_meters\": 0.01,\n"
    " \"nodes\": [\n"
    "  {\"name\": \"rig\", \"parent\": null, \"bone\": false, \"local\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]},\n"
    "  {\"name\": \"hip, left\", \"parent\": \"rig\", \"bone\": true, \"local\": [1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, "
    "0]},\n"
    "  {\"name\": \"tip \\\"x\\\"\", \"parent\": \"hip, left\", \"bone\": true, \"local\": [-1, 0, 0, 0, 0, -1, 0, 2, "
    "0, 0, 1, 0]},\n"
    "  {\"name\": \"prop\", \"parent\": \"rig\", \"bone\": false, \"local\": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0]}\n"
    " ],\n"
    " \"meshes\": [\n"
    "  {\n"
    "   \"name\": \"body part\",\n"
    "   \"nodes\": [\"rig\"],\n"
    "   \"material\": \"clay\",\n" SURFACE "   \"uvs\": true,\n"
    "   \"morph_targets\": 0,\n"
    "   \"moments\": {\n" POSITIONS ",\n" FACES ",\n" NORMALS ",\n" UVS "\n   },\n"
    "   \"influences\": [0, 2, 1],\n"
    "   \"bones\": [\n"
    "    {\"bone\": \"hip, left\", \"weights\": 2, \"sum\": 1.25, \"centroid\": [0.2, 0.02, 0], "
    "\"reach\": 1.3453624, \"offset\": [1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0]},\n"
    "    {\"bone\": \"tip \\\"x\\\"\", \"weights\": 2, \"sum\": 1.75, \"centroid\": [0.42857143, 0.04286286, "
    "-1.1428572], "
    "\"reach\": 3.605543, \"offset\": [1, 0, 0, 0, 0, 1, 0, -3, 0, 0, 1, 0]}\n"
    "   ]\n"
    "  },\n"
    "  {\n"
    "   \"name\": \"prop\",\n"
    "   \"nodes\": [\"prop\"],\n"
    "   \"material\": \"clay\",\n" SURFACE "   \"uvs\": false,\n"
    "   \"morph_targets\": 0,\n"
    "   \"moments\": {\n" POSITIONS ",\n" FACES ",\n" NORMALS "\n   }\n"
    "  }\n"
    " ],\n"
    " \"materials\": [\n"
    "  {\"name\": \"clay\", \"base_color\": [0.5, 0.25, 1, 1], \"base_texture\": null, \"alpha\": \"opaque\", "
    "\"two_sided\": false, \"maps\": []}\n"
    " ],\n"
    " \"textures\": [],\n"
    " \"samples\": 64,\n"
    " \"clips\": [\n"
    "  {\n"
    "   \"name\": \"rig|walk\",\n"
    "   \"duration\": 0.5,\n"
    "   \"ticks_per_second\": 24,\n"
    "   \"channels\": [\n"
    "    {\n"
    "     \"node\": \"hip, left\",\n"
    "     \"t\": {\"keys\": 2, \"first\": 0, \"last\": 0.5, \"interpolation\": \"linear\", \"mean\": [0, 2, 0], "
    "\"rms\": [0, 2.236068, 0], \"samples\": [0, 1, 0, 0, 3, 0]}\n"
    "    }\n"
    "   ],\n"
    "   \"morphs\": []\n"
    "  }\n"
    " ],\n"
    " \"cameras\": [],\n"
    " \"repairs\": [\n"
    "  {\"id\": \"tick-rate\", \"text\": \"one clip\"}\n"
    " ],\n"
    " \"warnings\": [\n"
    "  {\"id\": \"texture\", \"text\": \"no \\\"skin.png\\\"\"}\n"
    " ]\n"
    "}\n";

TEST(json_says_what_was_imported)
{
    SCENE *scene = tiny_scene();
    SCOPED(text) text = {0};
    scene->up_axis = 2;
    scene->up_sign = -1;
    scene->unit_meters = 0.01;
    scene_note(scene, NOTE_WARNING, "texture", "no \"skin.png\"");
    scene_note(scene, NOTE_REPAIR, "tick-rate", "one clip");
    scene_write_json(scene, &text);
    assert_string_equal(text_string(&text), expected);
}

TEST(cubic_statistics_leave_tangents_out)
{
    static const float cubic[] = {100, 100, 100, 1, 2, 3, 100, 100, 100, -7, -7, -7, 3, 4, 5, 9, 9, 9};
    SCENE *scene = tiny_scene();
    SCOPED(text) text = {0};
    struct keys *keys = &scene->clips[0].channels[0].keys[COMPONENT_TRANSLATION];
    keys->values = cubic;
    keys->interpolation = INTERPOLATE_CUBIC;
    scene->clips[0].channels[0].node = NO_INDEX;
    scene->clips[0].channels[0].is_repair = true;
    scene_write_json(scene, &text);
    assert_contains(text_string(&text), "     \"unmatched\": true,\n     \"repair\": true,\n");
    assert_contains(text_string(&text), "\"interpolation\": \"cubic\", \"mean\": [2, 3, 4], \"rms\": [2.236068, 3.1622777, ");
    require_json(text.data, text.size);
}

TEST(account_names_everything)
{
    static const char *const parts[] = {
        "tiny.glb (Assimp 5.2.4)", "up axis y, unit not stated", "nodes: 4, of which 2 bones (*)",
        "      tip \"x\" *\n", "    prop  [mesh prop]", "body part: 3 vertices, 1 triangles, material clay, 2 bones",
        "influences per vertex:  1: 2  2: 1", "prop: 3 vertices, 1 triangles, material clay, rigid",
        "clay: base colour 0.5 0.25 1 1", "rig|walk: 0.5 s, 24 ticks per second, 1 channel, 2 keys",
        "hip, left:  T: 2 linear [0..0.5 s]", "repairs: none", "warnings: none",
    };
    SCENE *scene = tiny_scene();
    struct text text = {0};
    scene_write_text(scene, &text);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_contains(text_string(&text), parts[i]);
    text_release(&text);
    scene->clips[0].ticks_per_second = 0;
    scene->clips[0].duration = 25.0 / 24; /* as printed it is nearer than a millionth: --time takes it for the end */
    scene_note(scene, NOTE_WARNING, "texture", "gone");
    scene_write_text(scene, &text);
    assert_contains(text_string(&text), "rig|walk: 1.041667 s,");
    assert_contains(text_string(&text), "0 ticks per second, ");
    assert_contains(text_string(&text), "texture: gone");
    text_release(&text);
}

/* Names that would break a table's lines, or tell a terminal what to do. */
TEST(names_cannot_leave_their_line)
{
    SCENE *scene = tiny_scene();
    SCOPED(text) text = {0};
    scene->nodes[1].name = "esc\x1b[31m\x7f";
    scene->clips[0].name = "\rwalk\x9";
    scene_note(scene, NOTE_WARNING, "texture", "first\nsecond \x1b[2J");
    assert_string_equal(scene->notes[scene->note_count - 1].text, "first\\nsecond \\u001b[2J");
    text_add(&text, "\x1b"); /* what stood there before is not ours */
    scene_write_text(scene, &text);
    bones_write_text(scene, &text);
    assert_contains(text_string(&text), "esc\\u001b[31m\\u007f");
    assert_contains(text_string(&text), " \\rwalk\\t: ");
    for (size_t i = 1; i < text.size; i++)
        assert_true((unsigned char)text.data[i] >= 0x20 || text.data[i] == '\n');
    assert_true(text.data[0] == '\x1b' && !strchr(text.data, 0x7f));
}
