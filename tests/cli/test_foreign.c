/* Files of other programs: poses with only what there is, raw palettes; compared and drawn. */

#include <jansson.h>

#include "cli/foreign_files.h"
#include "data/image/image.h"
#include "suite_runs.h"

static const char *const stages[] = {"local", "global", "palette", "skin"};
static const char *const compared[] = {"animate", "palette", "palette", "skin"}; /* which the part decides */
enum { STAGES = sizeof stages / sizeof stages[0] };

static const char *state_of(const struct outcome *outcome, const char *stage)
{
    const char *path = at("cases[0].stages.%s.state", stage);
    return said(outcome, path);
}

/* Nothing but one stage, on either side: that is compared, the rest is said not to be given. */
SCRATCH_TEST(parts_are_compared)
{
    spill_json("whole.json", own_pose("0.25", NULL));
    for (size_t i = 0; i < STAGES; i++) {
        spill_json("part.json", own_pose("0.25", stages[i]));
        spill_json("late.json", own_pose("0.3", stages[i]));
        const struct outcome *outcome = rigproof_gives(0, "diff", "whole.json", "part.json", "--json");
        for (size_t k = 0; k < STAGES; k++)
            assert_string_equal(state_of(outcome, compared[k]), strcmp(compared[k], compared[i]) == 0 ? "passed" : "not-compared");
        assert_contains(outcome->out, "not given by theirs");
        assert_contains(rigproof_good("diff", "part.json", "whole.json", "--json")->out, "not in the golden");
        outcome = rigproof_gives(1, "diff", "whole.json", "late.json", "--json");
        assert_string_not_equal(state_of(outcome, compared[i]), "passed");
        assert_contains(said(outcome, "cases[0].headline"), "the pose is at 0.300 s, was at 0.250 s");
    }
}

/* Only rotations of one bone: its translation and scale, and all else, are the other side's. */
SCRATCH_TEST(components_may_be_missing)
{
    static const char other[] =
        "{\"format\": \"rigproof.pose-part/1\", \"nodes\": [{\"name\": \"hips\", \"r\": [0, 0, 0, 1]}]}";
    json_t *pose = own_pose("0.25", "local"), *nodes = json_object_get(pose, "nodes"), *node;
    size_t i;
    spill_json("whole.json", own_pose("0.25", NULL));
    json_array_foreach(nodes, i, node) {
        json_object_del(node, "t");
        json_object_del(node, "s");
        json_object_del(node, "parent");
    }
    json_object_del(pose, "time");
    spill_json("rotations.json", pose);
    assert_string_equal(state_of(rigproof_good("diff", "whole.json", "rotations.json", "--json"), "animate"), "passed");
    spill("hips.json", other);
    const struct outcome *outcome = rigproof_gives(1, "diff", "whole.json", "hips.json", "--json");
    said_is(outcome, "cases[0].findings[0].subject", "hips", "cases[0].findings[0].translation", "0");
    assert_string_equal(state_of(outcome, "palette"), "not-compared"); /* what is below moves with it */
    assert_null(strstr(outcome->out, "is missing"));
}

/* Where only globals are given, what follows its parent is not off by itself. */
SCRATCH_TEST(globals_alone_name_the_topmost)
{
    json_t *pose = own_pose("0.25", "global"), *nodes = json_object_get(pose, "nodes"), *node;
    size_t i;
    double to[3] = {0.5, 0, 0};
    spill_json("whole.json", own_pose("0.25", NULL));
    json_array_foreach(nodes, i, node) { /* all but the root stands elsewhere, in one piece */
        json_t *global = json_object_get(node, "global");
        for (size_t k = 0; json_string_value(json_object_get(node, "parent")) && k < 3; k++)
            json_array_set_new(global, 4 * k + 3, json_real(json_number_value(json_array_get(global, 4 * k + 3)) + to[k]));
    }
    spill_json("moved.json", pose);
    const struct outcome *outcome = rigproof_gives(1, "diff", "whole.json", "moved.json", "--json");
    assert_string_equal(said(outcome, "cases[0].stage"), "palette");
    assert_null(strstr(outcome->out, "is off by 0.500 units (58 % of the model's radius) at 0.250 s and"));
    assert_null(strstr(outcome->out, "\"subject\": \"hips\""));
}

SCRATCH_TEST(storage_is_found)
{
    static const char columns[] = "{\"format\": \"rigproof.pose-part/1\", \"palette\": ["
                                  "{\"bone\": \"b\", \"matrix\": [1,0,0,0, 0,1,0,0, 0,0,1,0, 4,5,6,1]}]}";
    static const char rows[] = "{\"format\": \"rigproof.pose-part/1\", \"palette\": ["
                               "{\"bone\": \"b\", \"matrix\": [1,0,0,4, 0,1,0,5, 0,0,1,6, 0,0,0,1]}]}";
    static const char three[] = "{\"format\": \"rigproof.pose-part/1\", \"palette\": ["
                                "{\"bone\": \"b\", \"matrix\": [1,0,0,4, 0,1,0,5, 0,0,1,6]}]}";
    static const char neither[] = "{\"format\": \"rigproof.pose-part/1\", \"palette\": ["
                                  "{\"bone\": \"b\", \"matrix\": [1,0,0,4, 0,1,0,5, 0,0,1,6, 7,0,0,1]}]}";
    spill("columns.json", columns);
    spill("rows.json", rows);
    spill("three.json", three);
    spill("neither.json", neither);
    rigproof_good("diff", "three.json", "columns.json");
    rigproof_good("diff", "three.json", "rows.json");
    rigproof_refuses("neither.json: palette[0].matrix: no last row 0 0 0 1, neither by rows nor by columns", "diff",
                     "three.json", "neither.json");
}

SCRATCH_TEST(broken_parts_are_told)
{
#define PART(content) "{\"format\": \"rigproof.pose-part/1\", " content "}"
    static const struct {
        const char *content, *complaint;
    } broken[] = {
        {PART("\"nodes\": [{\"name\": \"a\", \"t\": [1, 2]}]"), "nodes[0].t: expected 3 numbers, found 2"},
        {PART("\"nodes\": [{\"name\": \"a\", \"r\": [0, 0, 0, 0]}]"), "nodes[0].r: a quaternion of length 0 is no rotation"},
        {PART("\"nodes\": [{\"name\": \"a\", \"global\": [1]}]"), "nodes[0].global: expected 12 or 16 numbers, found 1"},
        {PART("\"nodes\": [{\"t\": [1, 2, 3]}]"), "nodes[0].name: expected a string, found nothing"},
        {PART("\"palette\": [{\"bone\": \"a\"}]"), "palette[0].matrix: missing"},
        {PART("\"palette\": [{\"bone\": \"a\", \"matrix\": [1e99]}]"), "palette[0].matrix: number 0 is none, or is not finite"},
        {PART("\"skin\": [{\"mesh\": \"a\"}]"), "skin[0].vertices: expected"},
        {PART("\"skin\": [{\"mesh\": \"a\", \"vertices\": 2, \"positions\": [[1, 2, 3]]}]"), "skin[0].vertices: there are 1 positions"},
        {PART("\"skin\": [{\"mesh\": \"a\", \"positions\": [[1, 2, 3]], \"normals\": []}]"), "skin[0].normals: 0 normals of 1 positions"},
        {PART("\"time\": 1"), "nothing is given"},
    };
    spill_json("whole.json", own_pose("0.25", NULL));
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        spill("broken.json", broken[i].content);
        rigproof_refuses(broken[i].complaint, "diff", "whole.json", "broken.json");
    }
}

#define AT WALKER, "--clip", "walk", "--time", "0.25"

SCRATCH_TEST(layouts_are_found)
{
    static const char *const names[] = {"columns", "rows", "rows3x4"};
    json_auto_t *palette = own_pose("0.25", "palette");
    const size_t all = json_array_size(json_object_get(palette, "palette"));
    for (int form = FORM_COLUMNS; form <= FORM_ROWS3X4; form++) {
        spill_raw("raw.f32", "bones.txt", palette, form, all);
        const char *line = at("raw.f32: matrices are stored as %s", names[form]);
        const char *said_of_it = rigproof_good("diff", AT, "--raw", "raw.f32")->err;
        assert_int_equal(strstr(said_of_it, line) != NULL, form != FORM_ROWS3X4); /* 12 numbers are rows */
        rigproof_good("diff", AT, "--raw", "raw.f32", "--layout", names[form], "--bones", "bones.txt");
        spill_raw("raw.f32", "bones.txt", palette, form, 3);
        rigproof_good("diff", AT, "--raw", "raw.f32", "--bones", "bones.txt");
    }
}

/* As three.js and exporters change them. */
SCRATCH_TEST(names_of_engines_are_matched)
{
    json_t *pose = own_pose("0.25", "palette"), *entry;
    size_t i;
    json_array_foreach(json_object_get(pose, "palette"), i, entry) {
        const char *name = at("mixamorig:%s", json_string_value(json_object_get(entry, "bone")));
        json_object_set_new(entry, "bone", json_string(name));
    }
    spill_raw("raw.f32", "bones.txt", pose, FORM_COLUMNS, 1000);
    spill_json("named.json", pose);
    assert_contains(rigproof_good("diff", AT, "named.json")->err, "named.json: 30 names are matched without ");
    assert_contains(rigproof_good("diff", AT, "--raw", "raw.f32", "--bones", "bones.txt")->err, "30 names are matched");
}

/* The array of a shader is longer than what is in it. */
SCRATCH_TEST(spare_matrices_are_left_out)
{
    json_t *palette = own_pose("0.25", "palette"), *list = json_object_get(palette, "palette");
    const size_t all = json_array_size(list);
    while (json_array_size(list) < 100)
        json_array_append_new(list, json_pack("{s:s, s:[i,i,i,i,i,i,i,i,i,i,i,i]}", "bone", "", "matrix", 1, 0, 0, 0, 0, 1, 0, 0,
                                              0, 0, 1, 0));
    spill_raw("raw.f32", NULL, palette, FORM_COLUMNS, 100);
    const char *line = at("%zu more matrices are the identity or zero", 100 - all);
    assert_contains(rigproof_good("diff", AT, "--raw", "raw.f32")->err, line);
    json_decref(palette);
}

SCRATCH_TEST(lies_of_raw_palettes_are_told)
{
    json_auto_t *palette = own_pose("0.25", "palette");
    size_t size;
    spill_raw("raw.f32", "bones.txt", palette, FORM_COLUMNS, 1000);
    char *bytes = slurp("raw.f32", &size);
    spill("empty.f32", "");
    rigproof_refuses("0 bytes are no palette", "diff", AT, "--raw", "empty.f32");
    spill("odd.f32", "0123456");
    rigproof_refuses("7 bytes are no palette", "diff", AT, "--raw", "odd.f32");
    rigproof_refuses("raw.f32: line 1 is no text", "diff", AT, "--raw", "raw.f32", "--bones", "raw.f32");
    spill("few.txt", "hips\n");
    rigproof_refuses("but few.txt has 1 names", "diff", AT, "--raw", "raw.f32", "--bones", "few.txt");
    spill_raw("some.f32", NULL, palette, FORM_COLUMNS, 7);
    rigproof_refuses("some.f32: its palette has 7 matrices without names", "diff", AT, "--raw", "some.f32");
    spill_raw("one.f32", NULL, palette, FORM_COLUMNS, 1);
    spill("wrong.txt", "hip\n");
    rigproof_refuses("did you mean `hips`?", "diff", AT, "--raw", "one.f32", "--bones", "wrong.txt");
    memcpy(bytes + 64 + 20, "\x00\x00\xc0\x7f", 4);
    FILE *file = fopen("nan.f32", "wb");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    assert_contains(rigproof_fails(2, "diff", AT, "--raw", "nan.f32", "--layout", "columns")->err, "nan.f32: matrix 1 is not finite: it holds a NaN");
}

/* A part completed from the model is the model's own picture again. */
SCRATCH_TEST(parts_are_drawn)
{
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "0.3", "--size", "64x64", "-o", "own.png");
    for (size_t i = 0; i < STAGES - 1; i++) {
        spill_json("part.json", own_pose("0.3", stages[i])); /* which says clip and time */
        assert_contains(rigproof_good("render", WALKER, "--pose", "part.json", "--size", "64x64", "-o", "part.png")->err,
                        "the rest is the model's own");
        assert_same_files("own.png", "part.png");
    }
    json_auto_t *palette = own_pose("0.3", "palette");
    spill_raw("raw.f32", NULL, palette, FORM_ROWS, 1000);
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "0.3", "--raw", "raw.f32", "--size", "64x64", "-o", "raw.png");
    assert_same_files("own.png", "raw.png");
    rigproof_refuses("--beside is for --pose and --raw", "render", WALKER, "--beside", "-o", "x.png");
    rigproof_refuses("is one picture", "render", WALKER, "--pose", "part.json", "--sheet", "-o", "x.png");
}

/* Skinned vertices are drawn where they stand, whatever the matrices are; all of them or not at all. */
SCRATCH_TEST(vertices_are_drawn)
{
    json_t *skin, *mesh, *positions, *item;
    size_t i;
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "0.3", "--size", "64x64", "-o", "own.png", "--save-camera", "at.json");
    rigproof_good("dump", WALKER, "--clip", "walk", "--time", "0.3", "--stage", "skin", "--vertices", "--json", "-o", "skin.json");
    assert_contains(rigproof_good("render", WALKER, "--pose", "skin.json", "--size", "64x64", "-o", "skin.png")->err,
                    "skin.json gives skinned meshes; the rest is the model's own");
    rigproof_good("diff", "own.png", "skin.png");
    skin = json_load_file("skin.json", 0, NULL);
    assert_non_null(skin);
    json_array_foreach(json_object_get(skin, "skin"), i, mesh) {
        positions = json_object_get(mesh, "positions");
        for (size_t v = 0; v < json_array_size(positions); v++) {
            item = json_array_get(positions, v);
            json_array_set_new(item, 0, json_real(json_number_value(json_array_get(item, 0)) + 0.2));
        }
        json_object_del(mesh, "min");
        json_object_del(mesh, "max");
        json_object_del(mesh, "centroid");
    }
    spill_json("moved.json", json_deep_copy(skin));
    rigproof_good("render", WALKER, "--pose", "moved.json", "--size", "64x64", "-o", "moved.png", "--camera", "@at.json");
    rigproof_gives(1, "diff", "own.png", "moved.png");
    mesh = json_array_get(json_object_get(skin, "skin"), 0);
    json_array_remove(json_object_get(mesh, "positions"), 0);
    json_array_remove(json_object_get(mesh, "normals"), 0);
    json_object_del(mesh, "vertices");
    spill_json("few.json", skin);
    rigproof_refuses("they can only be drawn one for one", "render", WALKER, "--pose", "few.json", "-o", "x.png");
}

/* Local transforms of another time: what keeps its own below what moved goes with it. */
SCRATCH_TEST(what_is_below_goes_with_it)
{
    json_t *part = own_pose("0.3", "local");
    json_object_del(part, "time");
    spill_json("part.json", part);
    rigproof_good("render", WALKER, "--clip", "walk", "--time", "0.3", "--size", "128x128", "-o", "own.png", "--save-camera", "at.json");
    rigproof_good("render", AT, "--pose", "part.json", "--size", "128x128", "-o", "part.png", "--camera", "@at.json");
    rigproof_good("diff", "own.png", "part.png");
}

/* The camera frames both, so the halves of one pose are one picture, and of two they are not. */
SCRATCH_TEST(theirs_is_drawn_beside_the_own)
{
    struct image both;
    for (int same = 0; same < 2; same++) {
        json_t *part = own_pose(same ? "0.25" : "0.5", "palette");
        json_object_del(part, "time");
        spill_json("part.json", part);
        rigproof_good("render", AT, "--pose", "part.json", "--beside", "--size", "64x64", "-o", "both.png");
        assert_true(image_read(&both, "both.png", ANY_ERROR));
        assert_int_equal(both.height, 64 + 2 * 4);
        assert_int_equal(both.width, 2 * 64 + 3 * 4);
        bool equal = true;
        for (uint32_t y = 0; y < both.height; y++)
            equal = equal && memcmp(both.rgba + 4 * (both.width * y + 4), both.rgba + 4 * (both.width * y + 4 + 64 + 4), 4 * 64) == 0;
        assert_int_equal(equal, same);
        image_release(&both);
    }
}

/* A skin's list of names is of skinned meshes, whatever the node of a rigid mesh is called. */
SCRATCH_TEST(a_list_of_names_is_a_skins)
{
    char *model = slurp(FIXTURES "/shapes/shapes.gltf", NULL);
    for (char *name = model; (name = strstr(name, "\"left\"")) != NULL;)
        memcpy(name, "\"high\"", 6);
    spill("named.gltf", model);
    const struct outcome *outcome =
        rigproof_gives(0, "dump", "named.gltf", "--clip", "bend", "--time", "0.21", "--json", "--stage", "palette");
    json_t *pose = read_json(outcome->out, outcome->out_size), *palette = json_object_get(pose, "palette");
    for (size_t i = json_array_size(palette); i-- > 0;)
        if (strcmp(json_string_value(json_object_get(json_array_get(palette, i), "mesh")), "arm-mesh") != 0)
            json_array_remove(palette, i);
    assert_int_equal(json_array_size(palette), 2);
    spill_raw("raw.f32", "bones.txt", pose, FORM_COLUMNS, 2);
    rigproof_good("diagnose", "named.gltf", "--clip", "bend", "--time", "0.21", "--raw", "raw.f32", "--bones", "bones.txt");
    json_decref(pose);
}
