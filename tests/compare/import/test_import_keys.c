/* Key by key: which key changed, when, by how much; and whose clip it is. Channels are those of `hips` in the clip `walk`. */
#include "compare/import_findings.h"

enum { MOST = SAMPLES_MOST };

static struct keys_snapshot *keys_of(struct import_snapshot *import, enum component component)
{
    return &import->clips[0].channels[0].keys[component];
}

/* On both sides: `count` keys from 0 to 1 s, sampled; key i turns by i degrees about x, is i cm to the right, and so on. */
static void sample(enum component component, uint32_t count, float each)
{
    for (int side = 0; side < 2; side++) {
        struct keys_snapshot *keys = keys_of(two.both[side], component);
        two.both[side]->samples = MOST;
        keys->count = count;
        keys->sample_count = 3 * sample_blocks(count, MOST);
        keys->samples = ARENA_NEW(two.arena, float, keys->sample_count);
        for (uint32_t i = 0; i < keys->sample_count; i += 3)
            keys->samples[i] = each * (float)(i / 3);
    }
}

static float *sample_of(enum component component, uint32_t i)
{
    return keys_of(two.actual, component)->samples + 3 * i;
}

/* The same times as numbers, of both sides; then of one key another. */
static void give_times(uint32_t count)
{
    for (int side = 0; side < 2; side++) {
        struct keys_snapshot *keys = keys_of(two.both[side], COMPONENT_ROTATION);
        keys->time_count = count;
        keys->times = ARENA_NEW(two.arena, float, count);
        for (uint32_t i = 0; i < count; i++)
            keys->times[i] = (float)i / (float)(count - 1);
    }
}

static float *time_of(uint32_t i)
{
    return keys_of(two.actual, COMPONENT_ROTATION)->times + i;
}

IMPORT_TEST(one_key_is_named)
{
    sample(COMPONENT_ROTATION, 25, 1);
    sample_of(COMPONENT_ROTATION, 6)[0] += 12;
    compare_them();
    const struct finding *f =
        require_text(&two.findings, "key 7 of 25 of `hips`'s rotation in `walk` (0.250 s) changed by 12.0°");
    double rounding = 0.01 * sqrt(3.0); /* of either side half a hundredth of a degree along each axis */
    assert_float_equal(f->degrees, 12, 1e-4);
    assert_float_equal(f->measure, 2 * sin(0.25 * (12 - rounding) * degree), 1e-7);
    assert_int_equal(f->tolerance, TOLERANCE_IMPORT);
    assert_float_equal(two.findings.measured[TOLERANCE_IMPORT], f->measure, 1e-12);
    assert_int_equal(two.findings.count, 1);
    begin_again();
    sample(COMPONENT_TRANSLATION, 25, 0.01f);
    sample_of(COMPONENT_TRANSLATION, 24)[2] += 0.03f;
    FINDS("key 25 of 25 of `hips`'s translation in `walk` (1.000 s) changed by 3 cm");
    sample(COMPONENT_SCALE, 2, 0.5f);
    keys_of(two.golden, COMPONENT_SCALE)->interpolation = keys_of(two.actual, COMPONENT_SCALE)->interpolation =
        "linear";
    keys_of(two.golden, COMPONENT_SCALE)->last = keys_of(two.actual, COMPONENT_SCALE)->last = 1;
    keys_of(two.golden, COMPONENT_SCALE)->width = keys_of(two.actual, COMPONENT_SCALE)->width = 3;
    sample_of(COMPONENT_SCALE, 1)[1] += 0.25f;
    FINDS("key 2 of 2 of `hips`'s scale in `walk` (1.000 s) changed by 0.25");
}

IMPORT_TEST(several_keys_are_told_by_the_worst)
{
    sample(COMPONENT_ROTATION, 25, 1);
    for (uint32_t i = 4; i < 8; i++)
        sample_of(COMPONENT_ROTATION, i)[1] += i == 5 ? 12 : 3;
    sample_of(COMPONENT_ROTATION, 20)[1] += 2;
    sample_of(COMPONENT_ROTATION, 24)[1] += 2;
    FINDS("keys 5 to 8 of 25 of `hips`'s rotation in `walk` (0.167 to 0.292 s) changed by up to 12.0°, most key 6 "
          "(0.208 s); 2 more keys changed");
    sample(COMPONENT_ROTATION, 25, 1);
    for (uint32_t i = 0; i < 25; i++)
        sample_of(COMPONENT_ROTATION, i)[0] += 5;
    FINDS("all 25 keys of `hips`'s rotation in `walk` changed by 5.0°");
}

/* 256 keys in blocks of 4, from key 33 on at 32/255 s. */
IMPORT_TEST(blocks_have_a_range)
{
    sample(COMPONENT_ROTATION, 256, 1);
    sample_of(COMPONENT_ROTATION, 8)[0] += 3;
    FINDS("keys 33 to 36 of 256 of `hips`'s rotation in `walk` (0.125 to 0.137 s) changed by 3.0° on average");
    sample(COMPONENT_ROTATION, 256, 1);
    sample_of(COMPONENT_ROTATION, 8)[0] += 3;
    sample_of(COMPONENT_ROTATION, 40)[0] += 2;
    FINDS(
        "keys 33 to 36 of 256 of `hips`'s rotation in `walk` (0.125 to 0.137 s) changed by 3.0° on average; some of 4 "
        "more changed");
    sample(COMPONENT_ROTATION, 255, 1); /* the last block has 3 */
    sample_of(COMPONENT_ROTATION, 63)[0] += 3;
    FINDS("keys 253 to 255 of 255 of `hips`'s rotation in `walk` (0.992 to 1.000 s) changed by 3.0° on average");
}

/* q and -q, which as axis and angle are half a turn about either end of an axis; and what rounding makes of a number. */
IMPORT_TEST(signs_and_rounding_are_no_change)
{
    sample(COMPONENT_ROTATION, 25, 180);
    for (uint32_t i = 1; i < 25; i += 2)
        sample_of(COMPONENT_ROTATION, i)[0] *= -1;
    FINDS_NOTHING();
    sample(COMPONENT_ROTATION, 25, 1);
    sample(COMPONENT_TRANSLATION, 25, 0.01f); /* over 0.24: to the ten-thousandth */
    sample_of(COMPONENT_ROTATION, 3)[0] += 0.01f;
    sample_of(COMPONENT_TRANSLATION, 3)[0] += 0.0001f;
    FINDS_NOTHING();
    sample(COMPONENT_ROTATION, 25, 1);
    sample(COMPONENT_TRANSLATION, 25, 0.01f);
    sample_of(COMPONENT_ROTATION, 3)[0] += 0.03f;
    sample_of(COMPONENT_TRANSLATION, 3)[0] += 0.001f;
    FINDS("key 4 of 25 of `hips`'s rotation in `walk` (0.125 s) changed by 0.030°",
          "key 4 of 25 of `hips`'s translation in `walk` (0.125 s) changed by 1 mm");
}

/* What is true of all keys is said instead; what a mean shows and no key does, besides. */
IMPORT_TEST(patterns_and_means_stay)
{
    sample(COMPONENT_TRANSLATION, 25, 0.01f);
    for (uint32_t i = 0; i < 75; i++)
        keys_of(two.actual, COMPONENT_TRANSLATION)->samples[i] *= 100;
    for (int k = 0; k < 3; k++) {
        keys_of(two.actual, COMPONENT_TRANSLATION)->mean[k] *= 100;
        keys_of(two.actual, COMPONENT_TRANSLATION)->rms[k] *= 100;
    }
    FINDS("values of the translation keys of `hips` (clip `walk`): 100 times larger");
    sample(COMPONENT_TRANSLATION, 25, 0.01f);
    keys_of(two.actual, COMPONENT_TRANSLATION)->mean[0] += 0.03f;
    FINDS("values of the translation keys of `hips` (clip `walk`): mean moved by 3 cm");
    sample(COMPONENT_TRANSLATION, 25, 0.01f);
    keys_of(two.actual, COMPONENT_TRANSLATION)->mean[0] += 0.03f;
    sample_of(COMPONENT_TRANSLATION, 2)[0] += 0.75f;
    FINDS("key 3 of 25 of `hips`'s translation in `walk` (0.083 s) changed by 75 cm");
}

IMPORT_TEST(keys_that_move_in_time)
{
    sample(COMPONENT_ROTATION, 11, 1);
    give_times(11);
    *time_of(5) = 0.6f;
    FINDS("rotation keys of `hips` (clip `walk`): key 6 of 11 moved from 0.5 to 0.6 s");
    sample(COMPONENT_ROTATION, 11, 1);
    give_times(11);
    *time_of(4) = 0.45f;
    *time_of(5) = 0.58f;
    *time_of(6) = 0.61f;
    FINDS("rotation keys of `hips` (clip `walk`): 3 keys moved in time, the most from 0.5 to 0.58 s");
    sample(COMPONENT_ROTATION, 11, 1);
    give_times(11);
    for (uint32_t i = 0; i < 11; i++)
        *time_of(i) += 0.25f;
    keys_of(two.actual, COMPONENT_ROTATION)->first += 0.25;
    keys_of(two.actual, COMPONENT_ROTATION)->last += 0.25;
    FINDS("rotation keys of `hips` (clip `walk`): all 11 are 0.25 s later");
    sample(COMPONENT_ROTATION, 256, 1);
    give_times(64);
    *time_of(8) += 0.01f;
    FINDS("rotation keys of `hips` (clip `walk`): keys 33 to 36 of 256 (0.119 to 0.135 s) moved by 0.01 s on average");
    sample(COMPONENT_ROTATION, 11, 1); /* even on one side, as numbers on the other; to a ten-thousandth of a second */
    give_times(11);
    keys_of(two.golden, COMPONENT_ROTATION)->time_count = 0;
    *time_of(5) += 0.0001f;
    FINDS_NOTHING();
}

/* Takes keys away from one side: those for which `is_gone`. */
static void remove_keys(struct import_snapshot *import, uint32_t first, uint32_t each)
{
    struct keys_snapshot *keys = keys_of(import, COMPONENT_ROTATION);
    uint32_t left = 0;
    for (uint32_t i = 0; i < keys->count; i++) {
        if (i >= first && (i - first) % each == 0)
            continue;
        keys->times[left] = keys->times[i];
        memcpy(keys->samples + 3 * left++, keys->samples + 3 * i, 3 * sizeof(float));
    }
    keys->count = keys->time_count = left;
    keys->sample_count = 3 * left;
    keys->last = (double)keys->times[left - 1];
}

IMPORT_TEST(keys_that_come_and_go)
{
    sample(COMPONENT_ROTATION, 31, 1);
    give_times(31);
    remove_keys(two.actual, 16, 100);
    FINDS("rotation keys of `hips` (clip `walk`): 30, were 31: the key at 0.533 s is gone");
    sample(COMPONENT_ROTATION, 31, 1);
    give_times(31);
    remove_keys(two.golden, 30, 100);
    FINDS("rotation keys of `hips` (clip `walk`): 31, were 30: the key at 1.000 s is new");
    sample(COMPONENT_ROTATION, 31, 1);
    give_times(31);
    remove_keys(two.actual, 3, 5);
    sample_of(COMPONENT_ROTATION, 4)[0] += 12; /* which was the key after the one that is gone */
    FINDS("rotation keys of `hips` (clip `walk`): 25, were 31: 6 keys are gone, the first at 0.100 s",
          "key 6 of 31 of `hips`'s rotation in `walk` (0.167 s) changed by 12.0°");
    sample(COMPONENT_ROTATION, 31, 1); /* as many as before, and those between are what they were */
    give_times(31);
    remove_keys(two.actual, 3, 100);
    remove_keys(two.golden, 27, 100);
    FINDS("rotation keys of `hips` (clip `walk`): the key at 0.100 s is gone; the key at 0.900 s is new");
    sample(COMPONENT_ROTATION, 31, 1); /* keyed anew: no key is the one it was */
    give_times(31);
    remove_keys(two.actual, 0, 2);
    for (uint32_t i = 0; i < 14; i++)
        *time_of(i) += 0.01f;
    FINDS("rotation keys of `hips` (clip `walk`): 15, were 31; last at 0.967 s, was 1 s");
}

/* Keys that hold one value have no samples. */
IMPORT_TEST(keys_that_held_still_are_named_too)
{
    sample(COMPONENT_ROTATION, 25, 0);
    struct keys_snapshot *was = keys_of(two.golden, COMPONENT_ROTATION), *now = keys_of(two.actual, COMPONENT_ROTATION);
    was->sample_count = 0;
    for (int k = 0; k < 4; k++)
        was->mean[k] = was->rms[k] = now->mean[k] = now->rms[k] = k == 3;
    sample_of(COMPONENT_ROTATION, 6)[2] = 40;
    FINDS("key 7 of 25 of `hips`'s rotation in `walk` (0.250 s) changed by 40.0°");
}

IMPORT_TEST(files_that_do_not_fit_are_compared_by_statistics)
{
    for (int kind = 0; kind < 4; kind++) {
        sample(COMPONENT_ROTATION, 256, 1);
        sample_of(COMPONENT_ROTATION, 8)[0] += 30;
        if (kind < 2)
            (kind == 0 ? two.golden : two.actual)->samples = 0; /* an older file */
        else if (kind == 2)
            two.actual->samples = 32; /* other blocks, and no keys to make them from */
        else
            keys_of(two.actual, COMPONENT_ROTATION)->sample_count = 6; /* a file that says otherwise elsewhere */
        FINDS_NOTHING();
    }
}

/* A run makes the golden's blocks of its keys, whatever its own are; two runs need none. */
IMPORT_TEST(a_run_has_the_blocks_of_the_golden)
{
    enum { COUNT = 128 };
    static double times[COUNT];
    static float values[2][COUNT][3];
    for (int of_runs = 0; of_runs < 2; of_runs++) {
        struct keys keys[2];
        for (int side = 0; side < 2; side++) {
            struct import_snapshot *import = side ? two.actual : two.golden;
            struct keys_snapshot *to = keys_of(import, COMPONENT_TRANSLATION);
            for (uint32_t i = 0; i < COUNT; i++) {
                times[i] = i / 127.0;
                values[side][i][1] = 0.01f * (float)i;
            }
            values[1][57][0] = 0.4f; /* of keys 57 to 60 the second */
            keys[side] = (struct keys){COUNT, times, values[side][0], INTERPOLATE_LINEAR};
            import->samples = side ? 64 : 32;
            to->count = COUNT;
            to->source = side || of_runs ? &keys[side] : NULL;
            keys_sample(&keys[side], 3, false, import->samples, two.arena, to);
        }
        if (of_runs)
            FINDS("key 58 of 128 of `hips`'s translation in `walk` (0.449 s) changed by 40 cm");
        else
            FINDS("keys 57 to 60 of 128 of `hips`'s translation in `walk` (0.441 to 0.465 s) changed by 10 cm on "
                  "average");
    }
}

static double random_number(void) /* from -1 to 1 */
{
    static uint64_t seed = 7;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 40) / (double)(1 << 23) - 1.0;
}

/* What another compiler makes of a last bit is no change, wherever it lies to what is rounded; signs of q are none either. */
IMPORT_TEST(last_bits_are_no_change)
{
    enum { MOST_KEYS = 300 };
    static double times[2][MOST_KEYS];
    static float values[2][MOST_KEYS][4];
    for (int round = 0; round < 300; round++) {
        enum component component = round % 3 == 0 ? COMPONENT_ROTATION : COMPONENT_TRANSLATION;
        uint32_t count = 2 + (uint32_t)(149 * (1 + random_number())), width = component == COMPONENT_ROTATION ? 4 : 3;
        double size = pow(10, 2 * random_number()), place = size * pow(10, 2 * random_number());
        double far_apart = round % 2 ? 1.0 : 0.01, at[4];
        struct keys keys[2];
        for (uint32_t i = 0; i < count; i++) {
            double time = i > 0 ? times[0][i - 1] + 0.05 * (1.2 + random_number()) : 0.0, length = 0;
            for (uint32_t k = 0; k < 4; k++) {
                at[k] = component == COMPONENT_ROTATION ? far_apart * random_number() + (k == 3) * 0.2
                                                        : place + size * random_number();
                length += at[k] * at[k];
            }
            double sign = random_number() < 0 ? -1 : 1;
            for (uint32_t side = 0; side < 2; side++) {
                float *value = &values[side][0][0] + i * width;
                times[side][i] = time * (1 + 1e-7 * random_number());
                for (uint32_t k = 0; k < width; k++)
                    value[k] = (float)(component == COMPONENT_ROTATION
                                           ? (side ? sign : 1) * at[k] / sqrt(length) + 1e-7 * random_number()
                                           : at[k] * (1 + 1e-7 * random_number()));
            }
        }
        for (int side = 0; side < 2; side++) {
            struct import_snapshot *import = side ? two.actual : two.golden;
            struct keys_snapshot *to = keys_of(import, component);
            keys[side] = (struct keys){count, times[side], values[side][0], INTERPOLATE_LINEAR};
            import->clips[0].duration = to->last = times[0][count - 1];
            import->samples = 48;
            to->count = count;
            to->first = times[0][0];
            keys_sample(&keys[side], width, component == COMPONENT_ROTATION, 48, two.arena, to);
        }
        FINDS_NOTHING();
    }
}

/* All times of a clip so many times later. */
static void stretch(struct clip_snapshot *clip, double duration, double keys)
{
    clip->duration *= duration;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int k = 0; k < COMPONENT_COUNT; k++) {
            struct keys_snapshot *each = &clip->channels[i].keys[k];
            each->last *= keys;
            for (uint32_t n = 0; n < each->time_count; n++)
                each->times[n] *= (float)keys;
        }
}

IMPORT_TEST(one_factor_for_all_times_is_one_sentence)
{
    sample(COMPONENT_ROTATION, 11, 1);
    give_times(11);
    for (uint32_t i = 0; i < two.actual->clip_count; i++)
        stretch(&two.actual->clips[i], 1.2, 1.2);
    FINDS("both clips play 1.2 times slower");
    struct clip_snapshot clips[2][7];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 7; i++) {
            clips[side][i] = two.both[side]->clips[i == 0];
            clips[side][i].name = arena_printf(two.arena, "c%d", i);
            clips[side][i].duration = 1 + i;
            clips[side][i].channel_count = 0;
            stretch(&clips[side][i], side ? 1.0 / 24 : 1, 1);
        }
        two.both[side]->clips = clips[side];
        two.both[side]->clip_count = 7;
    }
    FINDS("all 7 clips are 24 times shorter");
    stretch(&two.actual->clips[0], 1.0005, 1.0005);
    stretch(&two.actual->clips[1], 1.0005, 1.0005);
    FINDS("both clips play 0.05 % slower");
    stretch(&two.actual->clips[0], 1, 2); /* the clip is as long as it was */
    FINDS("all keys of clip `walk` come 2 times later: the last at 2 s, was 1 s");
    /* The last key of one component alone, and the end with it. */
    two.actual->clips[0].duration = two.actual->clips[0].channels[0].keys[1].last = 1.25;
    FINDS("clip `walk` lasts 1.25 s, was 1.00 s", "rotation keys of `hips` (clip `walk`): last at 1.25 s, was 1 s");
}

static const bool no_clip[8], first_clip[8] = {true}, second_clip[8] = {false, true};

static void finds_in_case(const bool *was, const bool *now, size_t count, const char *const *texts)
{
    compare_import(two.golden, two.actual, &(struct clip_use){was, now}, &tolerance_defaults, &two.findings);
    say_them(&two.findings);
    require_findings(&two.findings, STAGE_IMPORT, count, texts);
    bool fails = false;
    for (size_t i = 0; i < two.findings.count; i++)
        fails = fails || !two.findings.items[i].benign;
    assert_true(fails || two.findings.measured[TOLERANCE_IMPORT] <= tolerance_defaults.import);
    begin_again();
}

#define FINDS_IN_CASE(was, now, ...)                                                                                   \
    finds_in_case((was), (now), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),                           \
                  (const char *const[]){__VA_ARGS__})

IMPORT_TEST(clips_that_a_case_does_not_play_are_notes)
{
    sample(COMPONENT_ROTATION, 25, 1);
    sample_of(COMPONENT_ROTATION, 6)[0] += 12;
    FINDS_IN_CASE(first_clip, first_clip, "key 7 of 25 of `hips`'s rotation in `walk` (0.250 s) changed by 12.0°");
    sample(COMPONENT_ROTATION, 25, 1);
    sample_of(COMPONENT_ROTATION, 6)[0] += 12;
    FINDS_IN_CASE(second_clip, second_clip,
                  "~key 7 of 25 of `hips`'s rotation in `walk` (0.250 s) changed by 12.0° (not played by this case)");
    two.actual->clips[0].duration = 2;
    two.actual->clips[0].ticks_per_second = 30;
    two.actual->clips[0].channels[1].keys[0].interpolation = "step";
    two.actual->clips[0].channel_count = 2;
    FINDS_IN_CASE(second_clip, second_clip,
                  "~clip `walk` is 2 times longer (2.00 s, was 1.00 s) (not played by this case)",
                  "~clip `walk` has 30 ticks per second, had 25 (not played by this case)",
                  "~translation keys of `spine` (clip `walk`) are step, were linear (not played by this case)");
    two.actual->clip_count = 1;
    FINDS_IN_CASE(first_clip, first_clip, "~clip `idle` is gone (not played by this case)");
    two.actual->clip_count = 1;
    FINDS_IN_CASE(second_clip, no_clip, "clip `idle` is gone");
    two.golden->clip_count = 1;
    FINDS_IN_CASE(first_clip, first_clip, "~clip `idle` is new (not played by this case)");
    two.actual->clips[1].name = "rig|idle";
    FINDS_IN_CASE(first_clip, first_clip, "~clip `idle` is named `rig|idle` now (not played by this case)");
    two.actual->clips[1].name = "rig|idle";
    FINDS_IN_CASE(no_clip, second_clip, "clip `idle` is named `rig|idle` now");
    for (uint32_t i = 0; i < 2; i++)
        stretch(&two.actual->clips[i], 1.2, 1.2);
    FINDS_IN_CASE(second_clip, second_clip, "both clips play 1.2 times slower");
    for (uint32_t i = 0; i < 2; i++)
        stretch(&two.actual->clips[i], 1.2, 1.2);
    FINDS_IN_CASE(no_clip, no_clip, "~both clips play 1.2 times slower (not played by this case)");
    /* The skeleton, the meshes and the materials are every case's. */
    two.actual->meshes[0].material = "paint";
    two.actual->materials[0].name = "paint";
    two.actual->materials[0].base_texture = NULL;
    two.actual->meshes[0].vertices++;
    FINDS_IN_CASE(no_clip, no_clip, "material `skin` is gone", "material `paint` is new",
                  "the material of mesh `body` is `paint`, was `skin`", "mesh `body`: 2001 vertices, were 2000");
}
