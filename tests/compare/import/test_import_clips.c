/* Clips and channels of two imports. */
#include "compare/import_findings.h"

static struct channel_snapshot *channel(int i)
{
    return &two.actual->clips[0].channels[i];
}

/* All times of the first clip so many times later. */
static void stretch(struct clip_snapshot *clip, double factor)
{
    clip->duration *= factor;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int k = 0; k < COMPONENT_COUNT; k++) {
            clip->channels[i].keys[k].first *= factor;
            clip->channels[i].keys[k].last *= factor;
        }
}

IMPORT_TEST(lengths_and_ticks_in_words)
{
    stretch(&two.golden->clips[0], 25.0 / 24);
    stretch(&two.actual->clips[0], 25);
    FINDS("clip `walk` plays 24 times slower: it lasts 25.0 s, was 1.04 s");
    stretch(&two.actual->clips[0], 0.04);
    FINDS("clip `walk` plays 25 times faster: it lasts 0.0400 s, was 1.00 s");
    stretch(&two.actual->clips[0], 25.0 / 24);
    FINDS("clip `walk` plays 1.04 times slower: it lasts 1.04 s, was 1.00 s");
    two.actual->clips[0].duration = 0;
    FINDS("clip `walk` lasts 0 s, was 1.00 s");
    two.actual->clips[0].duration = 2;
    FINDS("clip `walk` is 2 times longer (2.00 s, was 1.00 s)");
    channel(0)->keys[1].first = 0.25;
    channel(0)->keys[1].last = 0.75;
    FINDS("rotation keys of `hips` (clip `walk`): first at 0.25 s, was 0 s; last at 0.75 s, was 1 s");
    stretch(&two.actual->clips[0], 2);
    channel(1)->keys[1].last = 1.5;
    FINDS("clip `walk` plays 2 times slower: it lasts 2.00 s, was 1.00 s",
          "rotation keys of `spine` (clip `walk`): last at 1.5 s, was 1 s");
    two.actual->clips[0].ticks_per_second = 24;
    FINDS("clip `walk` has 24 ticks per second, had 25");
    two.actual->clips[0].ticks_per_second = two.actual->clips[1].ticks_per_second = 0;
    FINDS("clip `walk` has 0 ticks per second, had 25", "clip `idle` has 0 ticks per second, had 25");
}

/* A clip that plays faster has all its keys earlier; one that is cut has fewer. */
IMPORT_TEST(a_clip_is_faster_or_cut)
{
    stretch(&two.actual->clips[0], 0.8);
    assert_int_equal(compare_them(), 1);
    assert_int_equal(two.findings.items[0].code, CODE_CLIP_SPEED);
    assert_float_equal(two.findings.items[0].measure, 0.2, 1e-9);
    begin_again();
    stretch(&two.actual->clips[0], 0.8);
    for (uint32_t i = 0; i < two.actual->clips[0].channel_count; i++)
        for (int k = 0; k < COMPONENT_COUNT; k++)
            channel((int)i)->keys[k].count = channel((int)i)->keys[k].count * 4 / 5;
    compare_them();
    assert_int_equal(two.findings.items[0].code, CODE_CLIP_CUT);
    require_text(&two.findings, "clip `walk` is cut: it lasts 0.800 s, was 1.00 s");
    for (size_t i = 1; i < two.findings.count; i++)
        assert_int_equal(two.findings.items[i].code, CODE_KEYS_COUNTS);
    begin_again();
    struct morph_snapshot was[] = {{"hips", 2, rig_keys(25, 2, 0.5f, 0.5f, 0, 1)}};
    struct morph_snapshot now[] = {{"hips", 2, rig_keys(25, 2, 0.5f, 0.5f, 0, 1)}};
    now[0].weights.last = 0.8;
    struct clip_snapshot *clips[] = {&two.golden->clips[0], &two.actual->clips[0]};
    for (int side = 0; side < 2; side++)
        *clips[side] = (struct clip_snapshot){.name = "walk", .duration = side ? 0.8 : 1, .ticks_per_second = 25,
                                              .morphs = side ? now : was, .morph_count = 1};
    compare_them();
    assert_int_equal(two.findings.count, 1);
    assert_int_equal(two.findings.items[0].code, CODE_CLIP_SPEED);
}

IMPORT_TEST(clips_that_come_and_go)
{
    two.actual->clip_count = 1;
    FINDS("clip `idle` is gone");
    two.golden->clip_count = 1;
    FINDS("clip `idle` is new");
    two.actual->clips[0].name = "rig|walk";
    two.actual->clips[0].channel_count = 1;
    FINDS("clip `walk` is named `rig|walk` now", "the channel of `spine` is gone from clip `walk`");
    two.actual->clips[1].name = "rest"; /* 24 rotation keys tell it from the other */
    FINDS("clip `idle` is named `rest` now");
    struct clip_snapshot keep = two.actual->clips[0];
    two.actual->clips[0] = two.actual->clips[1];
    two.actual->clips[1] = keep;
    FINDS("~the first clip is `idle` now, was `walk`: a run that names no clip plays another one now");
    two.golden->clips++;
    two.golden->clip_count = 1;
    FINDS("clip `walk` is new", "~the first clip is `walk` now, was `idle`: a run that names no clip plays another one now");
}

IMPORT_TEST(channels_that_come_and_go)
{
    two.actual->clips[0].channel_count = 1;
    two.actual->clips[0].channels[0].unmatched = true;
    FINDS("the channel of `spine` is gone from clip `walk`",
          "the channel of `hips` (clip `walk`) no longer finds its node");
    two.golden->clips[0].channel_count = 1;
    two.golden->clips[0].channels[0].unmatched = true;
    FINDS("clip `walk` has a channel of `spine` now", "the channel of `hips` (clip `walk`) finds its node now");
    /* The node that is gone takes its channel with it. */
    two.golden->mesh_count = two.actual->mesh_count = 0;
    two.actual->node_count = 2;
    two.actual->clips[0].channel_count = two.actual->clips[1].channel_count = 1;
    FINDS("node `spine` is gone, with 2 nodes below it");
}

IMPORT_TEST(keys_in_words)
{
    channel(0)->keys[1].count = 12;
    channel(0)->keys[0].interpolation = "step";
    channel(1)->keys[0] = (struct keys_snapshot){0};
    FINDS("rotation keys of `hips` (clip `walk`): 12, were 25",
          "translation keys of `hips` (clip `walk`) are step, were linear",
          "the translation keys of `spine` are gone (clip `walk`)");
    channel(0)->keys[2] = rig_keys(2, 3, 2, 1, 1, 0);
    FINDS("`hips` has 2 scale keys now (clip `walk`), had none");
}

/* A clip of many channels that lost what STEP means. */
IMPORT_TEST(one_change_of_many_channels_is_told_once)
{
    enum { COUNT = 40 };
    for (int side = 0; side < 2; side++) {
        struct channel_snapshot *channels = ARENA_NEW(two.arena, struct channel_snapshot, COUNT);
        for (int i = 0; i < COUNT; i++) {
            channels[i] = two.both[side]->clips[0].channels[0];
            channels[i].node = arena_printf(two.arena, "n%d", i);
            channels[i].unmatched = true;
            channels[i].keys[1].interpolation = side ? "linear" : "step";
        }
        two.both[side]->clips[0].channels = channels;
        two.both[side]->clips[0].channel_count = COUNT;
    }
    for (int i = 0; i < 5; i++)
        two.actual->clips[0].channels[i].keys[0].count = 0;
    FINDS("rotation keys of 40 channels of clip `walk` are interpolated in another way: linear, were step (`n0`, `n1`, "
          "`n2` "
          "and 37 more)",
          "the translation keys of `n0` are gone (clip `walk`)", "the translation keys of `n1` are gone (clip `walk`)",
          "the translation keys of `n2` are gone (clip `walk`)", "the translation keys of `n3` are gone (clip `walk`)",
          "the translation keys of `n4` are gone (clip `walk`)");
}

/* Keys that all hold one value. */
static struct keys_snapshot holding(uint32_t count, uint32_t width, float a, float b, float c, float d)
{
    return (struct keys_snapshot){.count = count,
                                  .first = 0,
                                  .last = 1,
                                  .interpolation = "linear",
                                  .width = width,
                                  .mean = {a, b, c, d},
                                  .rms = {fabsf(a), fabsf(b), fabsf(c), fabsf(d)}};
}

IMPORT_TEST(keys_that_change_nothing_are_benign)
{
    two.golden->clips[0].channels[0].keys[2] = holding(25, 3, 1, 1, 1, 0);
    FINDS("~the scale keys of `hips` are gone (clip `walk`); the node stands so at rest");
    channel(0)->keys[2] = holding(1, 3, 1, 1, 1, 0);
    FINDS("~`hips` has 1 scale key now (clip `walk`), had none; the node stands so at rest");
    channel(0)->keys[2] = holding(1, 3, 1, 1.01f, 1, 0);
    FINDS("`hips` has 1 scale key now (clip `walk`), had none");
    struct channel_snapshot *spine = &two.golden->clips[0].channels[1];
    two.actual->clips[0].channel_count = 1;
    spine->keys[0] = holding(25, 3, 0, 0.5f, 0, 0);
    spine->keys[1] = holding(25, 4, -(float)sin(10 * degree), 0, 0, -(float)cos(10 * degree));
    spine->is_repair = true;
    FINDS("~the channel of `spine` that a repair had put there is gone from clip `walk`; it held what the node "
          "has at rest");
    two.golden->clips[0].channels[0].keys[0] = holding(25, 3, 0, 3, 0, 0);
    channel(0)->keys[0] = holding(1, 3, 0, 3, 0, 0);
    channel(0)->keys[0].last = 0;
    FINDS("~translation keys of `hips` (clip `walk`): 1, were 25; last at 0 s, was 1 s; they hold one value");
    two.golden->clips[0].channels[0].is_repair = true;
    FINDS("~the channel of `hips` (clip `walk`) is in the file now, a repair had put it there");
}

static void flip_signs(struct keys_snapshot *keys, const char *which)
{
    for (const char *c = which; *c; c++)
        keys->mean[strchr("xyzw", *c) - "xyzw"] *= -1;
}

IMPORT_TEST(rotations_in_words)
{
    flip_signs(&channel(0)->keys[1], "xyzw");
    FINDS_NOTHING();
    flip_signs(&channel(0)->keys[1], "xyz");
    flip_signs(&channel(1)->keys[1], "yz");
    FINDS("values of the rotation keys of `hips` (clip `walk`): inverted",
          "values of the rotation keys of `spine` (clip `walk`): mirrored: y and z changed sign");
    channel(0)->keys[1].mean[3] *= 0.5f;
    FINDS("~values of the rotation keys of `hips` (clip `walk`): some may have changed sign, which is the same rotation");
}

/* Two clips that hold a node at two angles: the means differ by what is between them. */
IMPORT_TEST(turned_means_have_the_angle)
{
    struct keys_snapshot *was = &two.golden->clips[0].channels[0].keys[1], *now = &channel(0)->keys[1];
    quaternion(0, 20, was->mean);
    quaternion(0, 32, now->mean);
    quaternion(0, 20, was->rms);
    quaternion(0, 32, now->rms);
    compare_them();
    const struct finding *f =
        require_text(&two.findings, "values of the rotation keys of `hips` (clip `walk`): mean turned by 12.0°");
    assert_float_equal(f->degrees, 12, 1e-4);
}

IMPORT_TEST(translations_and_scales_in_words)
{
    channel(0)->keys[0].mean[0] += 0.03f;
    channel(1)->keys[0].rms[0] += 0.04f;
    FINDS("values of the translation keys of `hips` (clip `walk`): mean moved by 3 cm",
          "values of the translation keys of `spine` (clip `walk`): root mean square moved by 4 cm");
    for (int k = 0; k < 3; k++) {
        channel(0)->keys[0].mean[k] *= 100;
        channel(0)->keys[0].rms[k] *= 100;
    }
    FINDS("values of the translation keys of `hips` (clip `walk`): 100 times larger");
    two.golden->clips[0].channels[0].keys[2] = rig_keys(25, 3, 1, 1, 1, 0);
    channel(0)->keys[2] = rig_keys(25, 3, 1, 1.25f, 1, 0);
    FINDS("values of the scale keys of `hips` (clip `walk`): mean (1, 1.25, 1), was (1, 1, 1)");
}

IMPORT_TEST(morphs_in_words)
{
    struct morph_snapshot was[] = {{"hips", 2, rig_keys(25, 2, 0.5f, 0.5f, 0, 0)},
                                   {"spine", 7, rig_keys(25, 0, 0, 0, 0, 0)}};
    struct morph_snapshot now[] = {{"hips", 3, rig_keys(12, 2, 0.5f, 0.5f, 0, 0)},
                                   {"rig", 7, rig_keys(25, 0, 0, 0, 0, 0)}};
    two.golden->clips[0].morphs = was;
    two.actual->clips[0].morphs = now;
    two.golden->clips[0].morph_count = two.actual->clips[0].morph_count = 2;
    FINDS("morph targets of `hips` in clip `walk`: 3, had 2",
          "morph weight keys of `hips` (clip `walk`): 12, were 25",
          "the morph weights of `spine` are gone from clip `walk`", "clip `walk` has morph weights of `rig` now");
}
