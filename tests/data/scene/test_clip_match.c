/* How the nodes of a file that clips are taken from are found in another one: by a prefix, in another unit. */
#include "cmocka_setup.h"

#include <string.h>

#include "scene_builder.h"

static const char *const bones[] = {"root", "hip", "spine", "arm", "hand"};
enum { BONES = sizeof bones / sizeof bones[0] };

/* A chain; each bone but the root rests (0, length, 0) from its parent, and a clip moves all of them by (0, length, 0) too. */
static struct scene *chain(const char *prefix, float length)
{
    static const double times[] = {0, 1};
    struct scene *scene = builder_scene(BONES);
    for (uint32_t i = 0; i < BONES; i++) {
        struct transform rest = transform_identity;
        rest.translation[1] = i > 0 ? length : 0;
        builder_rest(scene, i, rest);
        scene->nodes[i].name = arena_printf(scene->arena, "%s%s", i > 0 ? prefix : "", bones[i]);
    }
    struct clip *clip = builder_clip(scene, 1);
    const float values[] = {0, length, 0, 0, 2 * length, 0};
    for (uint32_t i = 0; i < BONES; i++)
        builder_keys(scene, &clip->channels[i], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 2, times, values);
    return scene;
}

static const char *note_text(const struct scene *scene, const char *id)
{
    const char *found = NULL;
    for (uint32_t i = 0; i < scene->note_count; i++)
        if (strcmp(scene->notes[i].id, id) == 0)
            found = scene->notes[i].text;
    return found;
}

static void assert_contains(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("\"%s\" does not contain \"%s\"", text ? text : "(nothing)", part);
}

/* Channel i moves node i: (0, y, 0) to (0, 2 y, 0). */
static void adopted_clip_moves(struct scene *scene, struct scene *other, struct clip_options options, float y)
{
    scene_adopt_clips(scene, other, &options);
    scene_free(other);
    const struct clip *clip = &scene->clips[1];
    for (uint32_t i = 0; i < BONES; i++) {
        assert_int_equal(clip->channels[i].node, i);
        assert_float_equal(clip->channels[i].keys[COMPONENT_TRANSLATION].values[1], y, 1e-6 * y);
        assert_float_equal(clip->channels[i].keys[COMPONENT_TRANSLATION].values[4], 2 * y, 2e-6 * y);
    }
}

/* What is done unasked, and what contradicts what is asked for, is noted; nothing else is. */
static void units_and_prefixes_are_fitted(void **state)
{
    (void)state;
    static const struct {
        const char *our_prefix, *their_prefix;
        float our_length, their_length;
        struct clip_options options;
        float moved;
        const char *note, *says;
    } rows[] = {
        {"", "", 0.25f, 0.25f, {0}, 0.25f, NULL, NULL},
        {"", "", 0.25f, 0.2501f, {0}, 0.2501f, NULL, NULL},
        {"", "", 0.25f, 0.26f, {0}, 0.26f, NULL, NULL},
        {"", "", 0.37f, 37, {0}, 0.37f, "clips-scale", "multiplied by 0.01, for the model's bones rest 0.01 times as far"},
        {"", "", 37, 0.37f, {0}, 37, "clips-scale", "multiplied by 100"},
        {"", "", 0.25f, 25, {.scale = 1}, 25, "clips-scale",
         "rest 0.01 times as far from their parents, and translations are multiplied by 1"},
        {"", "", 0.25f, 25, {.scale = 0.01}, 0.25f, NULL, NULL},
        {"", "", 0.25f, 0.25f, {.scale = 2}, 0.5f, "clips-scale", "rest 1 times as far"},
        {"", "", 0, 25, {0}, 25, NULL, NULL}, /* bones that lie on their parents tell nothing */
        {"", "rig_", 1, 1, {0}, 1, "clips-prefix", "`rig_` is taken off the clips' names"},
        {"", "mixamorig:", 1, 1, {0}, 1, "clips-prefix", "`mixamorig:` is taken off the clips' names"},
        {"", "Bip01 ", 1, 1, {0}, 1, "clips-prefix", "`Bip01 ` is taken off the clips' names"},
        {"", "mixamorig", 1, 1, {0}, 1, "clips-prefix", "`mixamorig` is taken off the clips' names"},
        {"rig_", "", 1, 1, {0}, 1, "clips-prefix", "`rig_` is taken off the model's names"},
        {"mixamorig", "", 1, 1, {0}, 1, "clips-prefix", "`mixamorig` is taken off the model's names"},
        {"rig_", "", 1, 1, {.prefix = "rig_"}, 1, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene *scene = chain(rows[i].our_prefix, rows[i].our_length);
        adopted_clip_moves(scene, chain(rows[i].their_prefix, rows[i].their_length), rows[i].options, rows[i].moved);
        assert_int_equal(scene->note_count, rows[i].note != NULL);
        if (rows[i].note)
            assert_contains(note_text(scene, rows[i].note), rows[i].says);
        scene_free(scene);
    }
}

/* Other proportions are no other unit. */
static void spread_is_told_and_nothing_scaled(void **state)
{
    (void)state;
    static const float near[BONES] = {0, 1.0f, 1.3f, 0.9f, 1.2f}, far[BONES] = {0, 80, 100, 140, 300};
    struct scene *scene = chain("", 1), *other = chain("", 1);
    for (uint32_t i = 0; i < BONES; i++)
        other->nodes[i].local_to_parent[3][1] = near[i];
    adopted_clip_moves(scene, other, (struct clip_options){0}, 1);
    assert_int_equal(scene->note_count, 0);
    scene_free(scene);
    scene = chain("", 1);
    other = chain("", 1);
    for (uint32_t i = 0; i < BONES; i++)
        scene->nodes[i].local_to_parent[3][1] = far[i];
    adopted_clip_moves(scene, other, (struct clip_options){0}, 1);
    assert_contains(
        note_text(scene, "clips-scale"),
        "140 times as far from their parents in the median, with much spread, and translations are multiplied by 1");
    scene_free(scene);
}

/* What an importer puts between two bones is passed over. */
static void pivots_are_passed_over(void **state)
{
    (void)state;
    struct scene *scene = chain("", 0.37f), *other = chain("", 18.5f), *longer = builder_scene(2 * BONES - 1);
    longer->nodes[0] = other->nodes[0];
    for (uint32_t i = 1; i < BONES; i++) { /* half of the way each */
        longer->nodes[2 * i - 1].rest = longer->nodes[2 * i].rest = other->nodes[i].rest;
        affine_from_transform(&other->nodes[i].rest, longer->nodes[2 * i - 1].local_to_parent);
        affine_from_transform(&other->nodes[i].rest, longer->nodes[2 * i].local_to_parent);
        longer->nodes[2 * i - 1].name = "pivot";
        longer->nodes[2 * i].name = other->nodes[i].name;
    }
    longer->clip_count = 1;
    longer->clips = other->clips;
    adopted_clip_moves(scene, longer, (struct clip_options){0}, 0.185f);
    assert_contains(note_text(scene, "clips-scale"), "multiplied by 0.01");
    scene_free(other);
    scene_free(scene);
}

static void bones_with_other_parents_tell_nothing(void **state)
{
    (void)state;
    struct scene *scene = chain("", 0.25f);
    for (uint32_t i = 2; i < BONES; i++)
        scene->nodes[i].parent = 0;
    scene->nodes[1].local_to_parent[3][1] = 25;
    adopted_clip_moves(scene, chain("", 25), (struct clip_options){0}, 25);
    assert_int_equal(scene->note_count, 0);
    scene_free(scene);
}

static void a_prefix_that_is_given_counts(void **state)
{
    (void)state;
    struct scene *scene = chain("", 1), *other = chain("rig_", 1);
    other->clips[0].channels[BONES - 1].node_name = "rig_lantern";
    scene_adopt_clips(scene, other, &(struct clip_options){.prefix = "rig_"});
    assert_int_equal(scene->clips[1].channels[BONES - 2].node, BONES - 2);
    assert_int_equal(scene->clips[1].channels[BONES - 1].node, NO_INDEX);
    assert_null(note_text(scene, "clips-prefix"));
    assert_contains(note_text(scene, "unmatched-channels"), "rig_lantern");
    scene_free(other);
    scene_free(scene);
}

/* Where not all fit, nothing is guessed; the option that helps is named. */
static void a_prefix_that_fits_some_is_offered(void **state)
{
    (void)state;
    struct scene *scene = chain("", 1), *other = chain("rig_", 1);
    other->clips[0].channels[BONES - 1].node_name = "rig_lantern";
    scene_adopt_clips(scene, other, &(struct clip_options){0});
    assert_int_equal(scene->clips[1].channels[1].node, NO_INDEX);
    assert_contains(note_text(scene, "clips-prefix"), "4 of 5 channels would have a node with --clips-prefix 'rig_'");
    scene_free(other);
    scene_free(scene);
}

/* `left` or `left_` before `arm` is no prefix when it is all there is. */
static void a_part_of_a_name_is_no_prefix(void **state)
{
    (void)state;
    static const char *const names[] = {"leftarm", "left_arm"};
    for (int i = 0; i < 2; i++) {
        struct scene *scene = chain("", 1), *other = chain("", 1);
        other->clips[0].channels[3].node_name = names[i];
        scene_adopt_clips(scene, other, &(struct clip_options){0});
        assert_int_equal(scene->clips[1].channels[3].node, NO_INDEX);
        assert_null(note_text(scene, "clips-prefix"));
        scene_free(other);
        scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_and_prefixes_are_fitted),
        cmocka_unit_test(spread_is_told_and_nothing_scaled),
        cmocka_unit_test(pivots_are_passed_over),
        cmocka_unit_test(bones_with_other_parents_tell_nothing),
        cmocka_unit_test(a_prefix_that_is_given_counts),
        cmocka_unit_test(a_prefix_that_fits_some_is_offered),
        cmocka_unit_test(a_part_of_a_name_is_no_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
