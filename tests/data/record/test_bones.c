/* Who holds what: the tree of bones by hand. */

#include "data/record/bones.h"
#include "data/tiny_scene.h"
#include "run_binary.h"

static const struct bone_row *row_of(const struct bone_account *account, const char *name)
{
    for (uint32_t i = 0; i < account->row_count; i++)
        if (strcmp(account->rows[i].name, name) == 0)
            return &account->rows[i];
    return NULL;
}

static struct arena *arena_for(const struct scene *scene)
{
    return arena_require(snapshot_bytes(scene));
}

/* tiny.glb: vertex 0 on the hip, vertex 1 by a quarter, vertex 2 on the tip; the tip's offset takes 3 off y, the hip's 1. */
TEST(holds_are_counted)
{
    SCENE *scene = tiny_scene();
    SCOPED_ARENA arena = arena_for(scene);
    const struct bone_account *account = bones_gather(scene, arena);
    assert_int_equal(account->palette_count, 3);
    assert_int_equal(account->bone_count, 2);
    assert_int_equal(account->row_count, 4);
    const struct bone_row *hip = row_of(account, "hip, left"), *tip = row_of(account, "tip \"x\""),
                          *prop = row_of(account, "prop");
    assert_true(hip->is_bone && !hip->is_leaf && hip->depth == 1 && hip->hold_count == 1);
    assert_true(tip->is_bone && tip->is_leaf && tip->depth == 2 && tip->hold_count == 1);
    assert_true(!prop->is_bone && !prop->is_leaf && prop->hold_count == 1);
    assert_int_equal(row_of(account, "rig")->hold_count, 0);
    const struct bone_hold *hold = &hip->holds[0];
    assert_true(hold->palette == 0 && hold->vertices == 2);
    assert_string_equal(hold->mesh, "body part");
    assert_float_equal(hold->sum, 1.25, 1e-6);
    assert_float_equal(hold->largest, 1, 0);
    assert_float_equal(hold->share, 1.25 / 3, 1e-6);
    assert_float_equal(hold->influence_radius, sqrt(1 + 0.9 * 0.9), 1e-6); /* (1, 0.1, 0) seen from (0, 1, 0) */
    hold = &tip->holds[0];
    assert_true(hold->palette == 1 && hold->vertices == 2);
    assert_float_equal(hold->sum, 1.75, 1e-6);
    assert_float_equal(hold->influence_radius, sqrt(9 + 4), 1e-4); /* (0, 1e-5, -2) seen from (0, 3, 0) */
    hold = &prop->holds[0];
    assert_true(hold->palette == 2 && hold->vertices == 3);
    assert_float_equal(hold->share, 1, 0);
    assert_float_equal(hold->influence_radius, 2, 1e-6);
}

TEST(weights_of_a_mesh_are_checked)
{
    SCENE *scene = tiny_scene();
    SCOPED_ARENA arena = arena_for(scene);
    scene->meshes[0].influences[3].weight = 0.5f;
    const struct bone_account *account = bones_gather(scene, arena);
    const struct mesh_weights *body = &account->meshes[0];
    assert_true(body->vertices == 3 && body->bones == 2 && body->most_influences == 2 && body->influence_slots == 3);
    assert_int_equal(body->influences[1], 2);
    assert_int_equal(body->influences[2], 1);
    assert_float_equal(body->least_sum, 0.5, 0);
    assert_float_equal(body->largest_sum, 1, 0);
    assert_int_equal(account->meshes[1].bones, 0);
    SCOPED(text) text = {0};
    bones_write_text(scene, &text);
    assert_contains(text_string(&text), "influences per vertex:  1: 2  2: 1;  at most 2\n");
    assert_contains(text_string(&text), "weights of a vertex add up to: 0.5 to 1\n");
    assert_contains(text_string(&text), "prop: 3 vertices, rigid\n");
}

/* A bone without weights, an exporter's end node below it, and a node that has nothing to do with the skeleton. */
TEST(what_holds_nothing_is_marked)
{
    SCENE *scene = tiny_scene();
    SCOPED_ARENA arena = arena_for(scene);
    struct node *nodes = ARENA_NEW(scene->arena, struct node, 6);
    memcpy(nodes, scene->nodes, 4 * sizeof *nodes);
    nodes[4] = nodes[2];
    nodes[4].name = "tip_End";
    nodes[4].parent = 2;
    nodes[4].is_bone = false;
    nodes[5] = nodes[4];
    nodes[5].name = "lamp";
    nodes[5].parent = 0;
    scene->nodes = nodes;
    scene->node_count = 6;
    for (int i = 0; i < 4; i++)
        scene->meshes[0].influences[i].bone = 0;
    const struct bone_account *account = bones_gather(scene, arena);
    assert_int_equal(account->row_count, 5);
    assert_null(row_of(account, "lamp"));
    assert_true(row_of(account, "tip_End")->is_end && !row_of(account, "tip_End")->is_bone);
    assert_true(row_of(account, "tip \"x\"")->is_leaf && row_of(account, "tip \"x\"")->holds[0].vertices == 0);
    SCOPED(text) text = {0};
    bones_write_text(scene, &text);
    assert_contains(text_string(&text), "  leaf  no weights\n");
    assert_contains(text_string(&text), "      (tip_End)");
    assert_contains(text_string(&text), "  end\n");
}

TEST(text_is_a_tree_and_json_a_document)
{
    SCENE *scene = tiny_scene();
    struct text text = {0};
    bones_write_text(scene, &text);
    assert_string_equal(
        text_string(&text),
        "tiny.glb (Assimp 5.2.4)\n"
        "2 bones, 3 palette entries; nodes in parentheses are no bones\n"
        "\n"
        "  node         colour   palette  mesh       vertices         sum  largest    share       reach\n"
        "  (rig)\n"
        "    hip, left  #2c5cb2        0  body part         2       1.250   1.0000   41.67%      1.3454\n"
        "      tip \"x\"  #ae8e48        1  body part         2       1.750   1.0000   58.33%      3.6055  leaf\n"
        "    (prop)     #164b81        2  prop              3       3.000   1.0000  100.00%      2.0000\n"
        "\n"
        "meshes: 2\n"
        "  body part: 3 vertices, 2 bones\n"
        "      influences per vertex:  1: 2  2: 1;  at most 2\n"
        "      weights of a vertex add up to: 1\n"
        "  prop: 3 vertices, rigid\n");
    text_release(&text);
    bones_write_json(scene, &text);
    require_json(text.data, text.size);
    assert_contains(text_string(&text),
                    "{\"name\": \"tip \\\"x\\\"\", \"parent\": \"hip, left\", \"depth\": 2, \"bone\": true, "
                    "\"leaf\": true, \"end\": false, \"color\": \"#ae8e48\", "
                    "\"holds\": [{\"palette\": 1, \"mesh\": \"body part\", "
                    "\"vertices\": 2, \"sum\": 1.75, \"largest\": 1, ");
    assert_contains(text_string(&text), "{\"name\": \"prop\", \"vertices\": 3, \"bones\": 0}");
    text_release(&text);
}
