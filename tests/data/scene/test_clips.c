/* Which clip a name means, and clips that come from another file. */

#include "data/record/record.h"
#include "data/tiny_scene.h"
#include "run_binary.h"
#include "scene_builder.h"

static struct scene *scene_with_clips(const char *const *names, uint32_t count)
{
    struct scene *scene = tiny_scene();
    scene->clip_count = count;
    scene->clips = ARENA_NEW(scene->arena, struct clip, count);
    for (uint32_t i = 0; i < count; i++)
        scene->clips[i].name = names[i];
    return scene;
}

static const char *const six[] = {"rig|idle", "rig|walk", "walk", "Armature|rig|jump", "2", "odd|"};

struct meaning {
    const char *asked;
    int index; /* -1: none */
};

static void means(struct scene *scene, const struct meaning *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct error err = {0};
        const struct clip *clip = scene_find_clip(scene, cases[i].asked, &err);
        int index = clip ? (int)(clip - scene->clips) : -1;
        if (index != cases[i].index)
            fail_msg("`%s` means clip %d, not %d", cases[i].asked, index, cases[i].index);
        assert_int_equal(error_is_set(&err), clip == NULL);
    }
    scene_free(scene);
}

TEST(names_prefixes_and_numbers)
{
    static const struct meaning cases[] = {
        {"rig|idle", 0}, {"idle", 0}, {"rig|walk", 1}, {"walk", 2} /* exact before prefix */,
        {"jump", 3}, {"rig|jump", 3}, {"g|jump", -1}, {"rig", -1}, {"2", 4} /* a name before a number */,
        {"0", 0}, {"5", 5}, {"6", -1}, {"-1", -1}, {"1x", -1}, {"", -1}, {"IDLE", -1},
        {"odd|", 5}, {"99999999999999999999999", -1}, {" 1", -1}, {"cube|walk", 2}, {"a|ns:walk", 2} /* of another exporter */,
        {"cube|idle", -1} /* is not rig|idle */, {"rig|0", -1}, {"walk|", -1},
    };
    means(scene_with_clips(six, 6), cases, sizeof cases / sizeof cases[0]);
}

/* Blender, Maya and FBX importers make these of a clip called `walk` or `run`. */
TEST(exporters_prefixes_are_known)
{
    static const char *const names[] = {"Armature|rig|walk|BaseLayer", "ns:rig:run", "Take 001|sit", "rig|mixamo.com|Layer0",
                                        "BaseLayer", "Robot_Dance", "rig|2", "lone|Base Layer", "odd:"};
    static const struct meaning cases[] = {
        {"walk", 0}, {"rig|walk", 0}, {"Armature|rig|walk", 0}, {"walk|BaseLayer", 0}, {"run", 1}, {"rig:run", 1},
        {"sit", 2}, {"mixamo.com", 3}, {"BaseLayer", 4} /* the exact name before the end of another */,
        {"Dance", -1}, {"2", 6} /* a name before a number */, {"lone", 7}, {"odd", -1}, {"odd:", 8}, {"Armature", -1},
        {"alk", -1}, {"Layer0", 3}, {"rig", -1},
    };
    means(scene_with_clips(names, 9), cases, sizeof cases / sizeof cases[0]);
}

static void is_refused(const struct scene *scene, const char *name, const char *const says[3], const char *not)
{
    struct error err = {0};
    assert_null(scene_find_clip(scene, name, &err));
    for (int i = 0; i < 3 && says[i]; i++)
        assert_contains(err.text, says[i]);
    assert_null(strstr(err.text, not));
}

/* And one name twice is the first, as ever. */
TEST(ambiguous_short_names_are_refused)
{
    static const char *const names[] = {"rig|walk", "cube|walk", "rig|sit", "rig|sit", "rig|run", "run"};
    struct scene *scene = scene_with_clips(names, 6);
    is_refused(scene, "walk",
               (const char *[3]){"several clips answer to `walk`", ": rig|walk (0), cube|walk (1)"}, "sit");
    means(scene, (const struct meaning[]){{"cube|walk", 1}, {"sit", 2}, {"run", 5}}, 3);
}

TEST(missing_clip_is_explained)
{
    static const char *const many[15] = {"take", "take", "take", "take", "take", "take", "take", "take",
                                         "take", "take", "take", "take", "take", "take", "take"};
    SCENE *scene = scene_with_clips(six, 6);
    is_refused(scene, "idel",
               (const char *[3]){"some/folder/tiny.glb has no clip `idel`", "did you mean `idle`?",
                                 "rig|idle, rig|walk, walk"}, "several");
    is_refused(scene, "somersault", (const char *[3]){"rig|idle"}, "did you mean");
    scene->clip_count = 0;
    is_refused(scene, "walk", (const char *[3]){"no clips at all"}, "did you mean");
    ANOTHER(scene, scene_with_clips(many, 15));
    is_refused(scene, "somersault", (const char *[3]){"and 3 more"}, "did you mean");
}

/* The lines of `inspect` say how to get at those that their name does not mean. */
TEST(inspect_numbers_duplicate_names)
{
    static const char *const names[] = {"sit", "walk", "sit", "sit"};
    SCENE *scene = scene_with_clips(names, 4);
    SCOPED(text) text = {0};
    scene_write_text(scene, &text);
    assert_contains(text_string(&text), "\n  sit: 0 s");
    assert_contains(text_string(&text), "\n  walk: 0 s");
    assert_contains(text_string(&text), "\n  sit (--clip 2): 0 s");
    assert_contains(text_string(&text), "\n  sit (--clip 3): 0 s");
}

/* A hundred clips with long names: the line ends with how many there are more, and the nearest is still named. */
TEST(hundred_clips_are_a_short_list)
{
    char names[100][80];
    const char *pointers[100];
    for (int i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], "Armature|a take of the character with a very long name, number %02d", i);
        pointers[i] = names[i];
    }
    pointers[97] = "Armature|jump";
    SCENE *scene = scene_with_clips(pointers, 100);
    struct error err = {0};
    assert_null(scene_find_clip(scene, "jmup", &err));
    assert_contains(err.text, "did you mean `jump`? It has: Armature|a take");
    assert_contains(err.text, " and 93 more");
    assert_true(strlen(err.text) < 700);
    err = (struct error){0};
    assert_null(scene_find_clip(scene, "Armatuer|jump", &err));
    assert_contains(err.text, "did you mean `Armature|jump`?");
}

/* Channels for two bones, a node that is missing here and one that a repair made; cubic keys and morph weights. */
static struct scene *donor(void)
{
    static const double times[] = {0, 1};
    static const float rotations[] = {0, 0, 0, 1, 0, 0, 1, 0};
    static const float cubic[] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2, 2, 0, 0, 0};
    static const float weights[] = {0.25f, 0.75f, 0.5f, 0.5f};
    struct scene *scene = tiny_scene();
    scene->path = "other/moves.glb";
    struct clip *clip = &scene->clips[0];
    clip->name = "dance";
    clip->duration = 1;
    clip->channel_count = 4;
    clip->channels = ARENA_NEW(scene->arena, struct channel, 4);
    clip->channels[0] = (struct channel){.node_name = "tip \"x\"", .node = 2};
    clip->channels[0].keys[COMPONENT_ROTATION] = (struct keys){2, times, rotations, INTERPOLATE_LINEAR};
    clip->channels[0].keys[COMPONENT_TRANSLATION] = (struct keys){2, times, cubic, INTERPOLATE_CUBIC};
    clip->channels[1] = (struct channel){.node_name = "lantern", .node = 0, .after = EXTRAPOLATE_REPEAT};
    clip->channels[2] = (struct channel){.node_name = "pivot", .node = 0, .is_repair = true};
    clip->channels[3] = (struct channel){.node_name = "hip, left", .node = 3};
    clip->morph_count = 1;
    clip->morphs = ARENA_NEW(scene->arena, struct morph_channel, 1);
    clip->morphs[0] = (struct morph_channel){"prop", 0, 2, {2, times, weights, INTERPOLATE_LINEAR}};
    return scene;
}

TEST(clips_are_copied_and_bound_by_name)
{
    struct scene *scene = tiny_scene(), *other = donor();
    scene->nodes[0].name = "tip \"x\""; /* a bone is meant before a node of its name */
    scene_adopt_clips(scene, other, &(struct clip_options){0});
    scene_free(other); /* from here on, all must be in our own arena */
    assert_int_equal(scene->clip_count, 2);
    assert_string_equal(scene->clips[0].name, "rig|walk");
    const struct clip *clip = &scene->clips[1];
    assert_string_equal(clip->name, "dance");
    assert_float_equal(clip->duration, 1, 0);
    assert_int_equal(clip->channels[0].node, 2);
    assert_int_equal(clip->channels[1].node, NO_INDEX);
    assert_int_equal(clip->channels[1].after, EXTRAPOLATE_REPEAT);
    assert_int_equal(clip->channels[2].node, NO_INDEX);
    assert_int_equal(clip->channels[3].node, 1); /* the other file's node numbers mean nothing here */
    assert_int_equal(clip->morphs[0].node, 3);
    assert_float_equal(clip->channels[0].keys[COMPONENT_ROTATION].values[6], 1, 0);
    assert_float_equal(clip->channels[0].keys[COMPONENT_TRANSLATION].values[13], 2, 0);
    assert_float_equal(clip->channels[0].keys[COMPONENT_TRANSLATION].times[1], 1, 0);
    assert_float_equal(clip->morphs[0].keys.values[3], 0.5, 0);
    assert_string_equal(clip->channels[0].node_name, "tip \"x\"");
    assert_int_equal(scene->note_count, 1);
    assert_string_equal(scene->notes[0].id, "unmatched-channels");
    assert_contains(scene->notes[0].text, "`dance` of moves.glb");
    assert_contains(scene->notes[0].text, "lantern");
    assert_null(strstr(scene->notes[0].text, "pivot")); /* a repair's own channel is nobody's loss */
    scene_free(scene);
}

TEST(clip_that_moves_nothing_is_left_out)
{
    SCENE *scene = tiny_scene(), *other = donor();
    for (uint32_t i = 0; i < other->clips[0].channel_count; i++)
        other->clips[0].channels[i].node_name = "nobody";
    scene_adopt_clips(scene, other, &(struct clip_options){0});
    assert_int_equal(scene->clip_count, 1);
    assert_int_equal(scene->note_count, 1);
    assert_string_equal(scene->notes[0].id, "unmatched-clip");
    assert_contains(scene->notes[0].text, "dance");
}

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
TEST(units_and_prefixes_are_fitted)
{
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
        SCENE *scene = chain(rows[i].our_prefix, rows[i].our_length);
        adopted_clip_moves(scene, chain(rows[i].their_prefix, rows[i].their_length), rows[i].options, rows[i].moved);
        assert_int_equal(scene->note_count, rows[i].note != NULL);
        if (rows[i].note)
            assert_contains(note_text(scene, rows[i].note), rows[i].says);
    }
}

/* Other proportions are no other unit. */
TEST(spread_is_told_and_nothing_scaled)
{
    static const struct {
        float ours[BONES], theirs[BONES]; /* how far bones rest from their parents */
        const char *says;
    } rows[] = {
        {{0, 1, 1, 1, 1}, {0, 1.0f, 1.3f, 0.9f, 1.2f}, NULL},
        {{0, 80, 100, 140, 300}, {0, 1, 1, 1, 1},
         "140 times as far from their parents in the median, with much spread, and translations are multiplied by 1"},
        {{0, 1, 1, 1, 1}, {0, 80, 100, 140, 300}, "0.01 times as far from their parents in the median, with much spread"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        SCENE *scene = chain("", 1);
        struct scene *other = chain("", 1);
        for (uint32_t i = 0; i < BONES; i++) {
            scene->nodes[i].local_to_parent[3][1] = rows[r].ours[i];
            other->nodes[i].local_to_parent[3][1] = rows[r].theirs[i];
        }
        adopted_clip_moves(scene, other, (struct clip_options){0}, 1);
        assert_int_equal(scene->note_count, rows[r].says != NULL);
        if (rows[r].says)
            assert_contains(note_text(scene, "clips-scale"), rows[r].says);
    }
}

/* What an importer puts between two bones is passed over. */
TEST(pivots_are_passed_over)
{
    SCENE *scene = chain("", 0.37f), *other = chain("", 18.5f);
    struct scene *longer = builder_scene(2 * BONES - 1);
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
}

static const float lying[4] = {0.70710678f, 0, 0, 0.70710678f}; /* by 90 degrees about x */

/* A chain whose clip turns every bone, too, and whose root and hip rest as said. */
static struct scene *turning(const float *root, const float *hip)
{
    static const double times[] = {0};
    static const float still[] = {0, 0, 0, 1};
    struct scene *scene = chain("", 1);
    for (uint32_t i = 0; i < BONES; i++) {
        struct transform rest = scene->nodes[i].rest;
        memcpy(rest.rotation, i == 0 && root ? root : i == 1 && hip ? hip : still, sizeof still);
        builder_rest(scene, i, rest);
        scene->nodes[i].is_bone = i > 0;
        if (i > 0)
            builder_keys(scene, &scene->clips[0].channels[i], COMPONENT_ROTATION, INTERPOLATE_LINEAR, 1, times,
                         i == 1 && hip ? hip : still);
        else
            scene->clips[0].channels[0].keys[COMPONENT_TRANSLATION].count = 0;
    }
    return scene;
}

/* The hip's keys after the clips of `other` were adopted by `scene`, and what was said of it. */
static void hip_is(struct scene *scene, struct scene *other, const float rotation[4], const float translation[3],
                   const char *id, const char *said)
{
    scene_adopt_clips(scene, other, &(struct clip_options){0});
    const struct keys *keys = scene->clips[1].channels[1].keys;
    ASSERT_NEAR(keys[COMPONENT_ROTATION].values, rotation, 4, 1e-6);
    ASSERT_NEAR(keys[COMPONENT_TRANSLATION].values, translation, 3, 1e-6);
    assert_float_equal(scene->clips[1].channels[2].keys[COMPONENT_TRANSLATION].values[1], 1, 0);
    assert_int_equal(scene->note_count, id != NULL);
    if (id)
        assert_contains(note_text(scene, id), said);
    scene_free(scene);
    scene_free(other);
}

TEST(what_lies_down_is_turned)
{
    static const float back[4] = {-0.70710678f, 0, 0, 0.70710678f}, none[4] = {0, 0, 0, 1}, up[3] = {0, 1, 0};
    static const float tilted[4] = {0.258819f, 0, 0, 0.9659258f}; /* 30 degrees */
    hip_is(turning(NULL, NULL), turning(NULL, NULL), none, up, NULL, NULL);
    hip_is(turning(back, lying), turning(back, lying), lying, up, NULL, NULL);
    hip_is(turning(back, lying), turning(NULL, NULL), lying, (const float[3]){0, 0, 1}, "clips-turn", "by 90 degrees");
    hip_is(turning(NULL, NULL), turning(back, lying), none, (const float[3]){0, 0, -1}, "clips-turn", "by 90 degrees");
    hip_is(turning(NULL, NULL), turning(NULL, tilted), tilted, up, NULL, NULL); /* a pose */
}

TEST(bones_along_other_axes_are_told)
{
    static const float none[4] = {0, 0, 0, 1}, up[3] = {0, 1, 0};
    static const float skew[4] = {0.4617486f, 0.1912656f, 0, 0.8660254f}; /* 60 degrees, about no axis of its parent */
    struct scene *scene = turning(NULL, NULL), *other = turning(NULL, NULL);
    other->nodes[2].local_to_parent[3][1] = -1; /* the spine stands down from the hip */
    hip_is(scene, other, none, up, "clips-rest", "(degrees: spine 180; as a whole at hip 0)");
    hip_is(turning(NULL, NULL), turning(NULL, skew), skew, up, "clips-rest", "(degrees: hip 60)");
    scene = turning(NULL, NULL), other = turning(NULL, lying);
    for (uint32_t i = 2; i < BONES; i++) { /* bent in each bone: a pose, not other axes */
        struct transform rest = other->nodes[i].rest;
        memcpy(rest.rotation, lying, sizeof lying);
        builder_rest(other, i, rest);
    }
    hip_is(scene, other, lying, up, "clips-rest", "hip 90");
}

TEST(bones_with_other_parents_tell_nothing)
{
    SCENE *scene = chain("", 0.25f);
    for (uint32_t i = 2; i < BONES; i++)
        scene->nodes[i].parent = 0;
    scene->nodes[1].local_to_parent[3][1] = 25;
    adopted_clip_moves(scene, chain("", 25), (struct clip_options){0}, 25);
    assert_int_equal(scene->note_count, 0);
}

/* Where not all fit, nothing is guessed, the option that helps is named; given, it counts. `left` or `left_` before `arm` is
 * no prefix when it is all there is. */
TEST(a_prefix_is_not_guessed_where_it_does_not_fit_all)
{
    static const struct {
        const char *prefix;   /* of the clips' bones */
        const char *name;     /* of the channel of the last bone */
        const char *given;
        bool is_matched;      /* the others */
        const char *note, *says;
    } rows[] = {
        {"rig_", "rig_lantern", "rig_", true, "unmatched-channels", "rig_lantern"},
        {"rig_", "rig_lantern", NULL, false, "clips-prefix", "4 of 5 channels would have a node with --clips-prefix 'rig_'"},
        {"", "lefthand", NULL, true, "unmatched-channels", "lefthand"},
        {"", "left_hand", NULL, true, "unmatched-channels", "left_hand"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCENE *scene = chain("", 1), *other = chain(rows[i].prefix, 1);
        other->clips[0].channels[BONES - 1].node_name = rows[i].name;
        scene_adopt_clips(scene, other, &(struct clip_options){.prefix = rows[i].given});
        assert_int_equal(scene->clips[1].channels[BONES - 2].node, rows[i].is_matched ? BONES - 2 : NO_INDEX);
        assert_int_equal(scene->clips[1].channels[BONES - 1].node, NO_INDEX);
        assert_int_equal(note_text(scene, "clips-prefix") != NULL, !rows[i].is_matched);
        assert_contains(note_text(scene, rows[i].note), rows[i].says);
    }
}
