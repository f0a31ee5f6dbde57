/* Rules of animation samplers: interpolation, types of keys, what is before and after them. */
#include "generate/rules.h"

static const double two_keys[] = {0, 1}, uneven_keys[] = {0, 0.25, 1.25};

/* An arm whose lower bone has one channel. */
static struct rig_channel *add_channel(struct rig *rig, enum rig_path path, enum rig_curve curve, uint32_t count,
                                       const double *times, const double *values)
{
    rig_add_still_arm(rig);
    rig->shown_clip = 0;
    rig_add_clip(rig, "move");
    return rig_add_channel(rig, 0, ARM_LOWER, path, curve, count, times, values, 0);
}

static void linear_translation(struct rig *rig)
{
    add_channel(rig, RIG_TRANSLATION, RIG_LINEAR, 3, uneven_keys,
                (const double[]){0.1, 1, 0, 0.5, 0.7, 0.3, -0.3, 1.4, 0.6});
}

static void linear_scale(struct rig *rig)
{
    add_channel(rig, RIG_SCALE, RIG_LINEAR, 3, uneven_keys, (const double[]){1, 1, 1, 0.5, 1.5, 1.2, 2, 0.75, 0.6});
}

/* From no turn to one about (2, 3, 6) / 7, whose half angle has that sine and cosine; `sign` of all numbers of the
 * second key. */
static void turn(struct rig *rig, double sine, double cosine, double sign)
{
    const double s = sign * sine / 7;
    add_channel(rig, RIG_ROTATION, RIG_LINEAR, 2, two_keys,
                (const double[]){0, 0, 0, 1, 2 * s, 3 * s, 6 * s, sign * cosine});
}

static void slerp_5(struct rig *rig)
{
    turn(rig, 0.043619387365336, 0.999048221581858, 1);
}

static void slerp_90(struct rig *rig)
{
    turn(rig, 1, 1, 1);
}

static void slerp_179(struct rig *rig)
{
    turn(rig, 0.999961923064171, 0.008726535498374, 1);
}

static void slerp_negated(struct rig *rig)
{
    turn(rig, 0.6, 0.8, -1);
}

static void slerp_near(struct rig *rig)
{
    turn(rig, 1e-4, 1, 1);
    rig_scale(rig, ARM_LOWER, 40, 40, 40);
}

static void step_rotation(struct rig *rig)
{
    add_channel(rig, RIG_ROTATION, RIG_STEP, 3, uneven_keys, (const double[]){0, 0, 0, 1, 1, 2, 0, 4, -2, 1, 1, 3});
    rig_set_times(rig, 4, (const double[]){0, 0.2, 0.7, 1.2});
}

static void step_at_key(struct rig *rig)
{
    add_channel(rig, RIG_TRANSLATION, RIG_STEP, 3, (const double[]){0, 0.5, 1},
                (const double[]){0, 1, 0, 1, 1, 0, 0, 1, 1});
    rig_set_times(rig, 5, (const double[]){0, 0.4990234375, 0.5, 0.5009765625, 0.9});
}

static void cubic_translation(struct rig *rig)
{
    add_channel(rig, RIG_TRANSLATION, RIG_CUBIC, 2, two_keys,
                (const double[]){0, 0, 0, 0.1, 1, 0, 2, -1, 0.5, -1, 0.5, 1, 0.6, 1.2, 0.4, 0, 0, 0});
}

static void cubic_scale(struct rig *rig)
{
    add_channel(rig, RIG_SCALE, RIG_CUBIC, 2, two_keys,
                (const double[]){0, 0, 0, 1, 1, 1, 1, -1, 2, 2, 1, -1, 1.5, 0.8, 1.2, 0, 0, 0});
}

static void cubic_rotation(struct rig *rig)
{
    add_channel(rig, RIG_ROTATION, RIG_CUBIC, 2, two_keys,
                (const double[]){0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 0, 1, 0, 1, 2, -1, 0.6, 0, 0, 0.8, 0, 0, 0, 0});
}

static void cubic_uneven(struct rig *rig)
{
    add_channel(rig, RIG_TRANSLATION, RIG_CUBIC, 3, (const double[]){0, 0.25, 2.25},
                (const double[]){0,   0,   0,    0.1,  1,  0,   3, 0,   1,   1,    1, 1, 0.4, 1.2,
                                 0.2, 0.5, -0.5, 0.25, -1, 0.5, 1, 0.6, 0.9, -0.4, 0, 0, 0});
    rig_set_times(rig, 4, (const double[]){0.125, 0.25, 1, 1.75});
}

/* Keys of a turn stored as integers; none of their numbers is negative, so that unsigned types hold them. */
static void integer_keys(struct rig *rig, enum rig_number number)
{
    add_channel(rig, RIG_ROTATION, RIG_LINEAR, 3, uneven_keys, (const double[]){0, 0, 0, 1, 2, 3, 6, 7, 12, 4, 3, 0})
        ->number = number;
}

static void rotation_i8(struct rig *rig)
{
    integer_keys(rig, RIG_I8);
}

static void rotation_u8(struct rig *rig)
{
    integer_keys(rig, RIG_U8);
}

static void rotation_i16(struct rig *rig)
{
    integer_keys(rig, RIG_I16);
}

static void rotation_u16(struct rig *rig)
{
    integer_keys(rig, RIG_U16);
}

static void weights_as(struct rig *rig, enum rig_number number)
{
    rig_add_still_arm(rig);
    rig->shown_clip = 0;
    rig_add_targets(rig, 0, 2, false);
    rig_add_clip(rig, "move");
    rig_add_channel(rig, 0, ARM_BODY, RIG_WEIGHTS, RIG_LINEAR, 2, two_keys, (const double[]){0.2, 1, 0.9, 0.1}, 2)
        ->number = number;
}

static void weights_u8(struct rig *rig)
{
    weights_as(rig, RIG_U8);
}

static void weights_i16(struct rig *rig)
{
    weights_as(rig, RIG_I16);
}

static void one_key(struct rig *rig)
{
    add_channel(rig, RIG_TRANSLATION, RIG_LINEAR, 1, two_keys, (const double[]){0.5, 1.5, -0.5});
    rig_add_turn(rig, 0, ARM_UPPER, 1, 2, 0, 5);
}

static void late_keys(struct rig *rig)
{
    add_channel(rig, RIG_TRANSLATION, RIG_LINEAR, 2, (const double[]){0.5, 1.5},
                (const double[]){0.8, 1, 0, -0.4, 1.6, 0.5});
    rig_set_times(rig, 4, (const double[]){0, 0.25, 0.75, 1.4});
}

static void different_times(struct rig *rig)
{
    add_channel(rig, RIG_TRANSLATION, RIG_LINEAR, 3, uneven_keys,
                (const double[]){0.1, 1, 0, 0.5, 0.7, 0.3, -0.3, 1.4, 0.6});
    rig_add_turn(rig, 0, ARM_LOWER, 3, 1, 2, 4);
    rig_add_channel(rig, 0, ARM_HAND, RIG_SCALE, RIG_LINEAR, 2, (const double[]){0.4, 0.7},
                    (const double[]){1, 1, 1, 2, 0.5, 1}, 0);
    rig_set_times(rig, 5, (const double[]){0, 0.3, 0.55, 1.1, 1.2});
}

static void after_last(struct rig *rig)
{
    different_times(rig);
    rig_set_times(rig, 3, (const double[]){0.9, 1.1, 1.2});
}

static void at_end(struct rig *rig)
{
    rig_add_arm(rig);
    rig_set_times(rig, 2, (const double[]){0.5, 1});
}

static void second_clip(struct rig *rig)
{
    rig_add_arm(rig);
    rig->shown_clip = (int32_t)rig_add_clip(rig, "wave");
    rig_add_turn(rig, 1, ARM_UPPER, 1, -3, 2, 5);
}

static void same_clip_names(struct rig *rig)
{
    second_clip(rig);
    rig->clips[1] = "move";
}

static void unnamed_clip(struct rig *rig)
{
    rig_add_arm(rig);
    rig->clips[0] = NULL;
}

static void sparse_keys(struct rig *rig)
{
    add_channel(rig, RIG_TRANSLATION, RIG_LINEAR, 4, (const double[]){0, 0.4, 0.8, 1.2},
                (const double[]){0.1, 1, 0, 0.5, 0.7, 0.3, -0.3, 1.4, 0.6, 0.9, 0.8, -0.2})->is_sparse = true;
}

static void near_keys(struct rig *rig)
{
    add_channel(rig, RIG_TRANSLATION, RIG_LINEAR, 3, (const double[]){0, 0.5, 0.50048828125},
                (const double[]){0, 1, 0, 1, 1, 0, 0, 1, 1});
    rig_set_times(rig, 4, (const double[]){0, 0.25, 0.5, 0.500244140625});
}

static void long_clip(struct rig *rig)
{
    add_channel(rig, RIG_TRANSLATION, RIG_LINEAR, 3, (const double[]){0, 64, 600},
                (const double[]){0, 1, 0, 1, 1, 0, 0, 1, 1});
    rig_set_times(rig, 4, (const double[]){0, 32.5, 100, 599});
}

#define LINEAR "C.3 Linear Interpolation"
#define SPHERICAL "C.4 Spherical Linear Interpolation"
#define STEP "C.2 Step Interpolation"
#define CUBIC "C.5 Cubic Spline Interpolation"
#define ANIMATIONS "3.11 Animations"
static const struct rule list[] = {
    {"samplers-linear-translation", "translations are interpolated linearly between the two keys around the time",
     LINEAR, linear_translation},
    {"samplers-linear-scale", "scales are interpolated linearly", LINEAR, linear_scale},
    {"samplers-slerp-5", "rotations 5 degrees apart are interpolated along the arc", SPHERICAL, slerp_5},
    {"samplers-slerp-90", "rotations 90 degrees apart are interpolated along the arc at an even speed", SPHERICAL,
     slerp_90},
    {"samplers-slerp-179", "rotations 179 degrees apart are interpolated along the arc at an even speed", SPHERICAL,
     slerp_179},
    {"samplers-slerp-negated", "q and -q are one rotation: interpolation takes the shorter arc", SPHERICAL,
     slerp_negated},
    {"samplers-slerp-near", "rotations that are nearly equal are interpolated, and of unit length", SPHERICAL,
     slerp_near},
    {"samplers-step-rotation", "STEP holds the value of a key until the next one", STEP, step_rotation},
    {"samplers-step-at-key", "at the very time of a key STEP has that key's value", STEP, step_at_key},
    {"samplers-cubic-translation", "CUBICSPLINE goes by in-tangent, value and out-tangent of its keys", CUBIC,
     cubic_translation},
    {"samplers-cubic-rotation", "rotations of CUBICSPLINE are normalised after they are interpolated", CUBIC,
     cubic_rotation},
    {"samplers-cubic-scale", "scales may be CUBICSPLINE", CUBIC, cubic_scale},
    {"samplers-cubic-uneven", "tangents of CUBICSPLINE are multiplied by the time between the two keys", CUBIC,
     cubic_uneven},
    {"samplers-rotation-i8", "keys of rotations may be normalised bytes: each is divided by 127", ANIMATIONS,
     rotation_i8},
    {"samplers-rotation-u8", "keys of rotations may be normalised unsigned bytes: each is divided by 255", ANIMATIONS,
     rotation_u8},
    {"samplers-rotation-i16", "keys of rotations may be normalised shorts: each is divided by 32767", ANIMATIONS,
     rotation_i16},
    {"samplers-rotation-u16", "keys of rotations may be normalised unsigned shorts: each is divided by 65535",
     ANIMATIONS, rotation_u16},
    {"samplers-weights-u8", "keys of weights may be normalised unsigned bytes", ANIMATIONS, weights_u8},
    {"samplers-weights-i16", "keys of weights may be normalised shorts", ANIMATIONS, weights_i16},
    {"samplers-one-key", "one key holds at all times", ANIMATIONS, one_key},
    {"samplers-late-keys", "before the first key a channel has that key's value", ANIMATIONS, late_keys},
    {"samplers-different-times", "every channel of a clip has times of its own", ANIMATIONS, different_times},
    {"samplers-after-last", "after the last key a channel has that key's value while others go on", ANIMATIONS,
     after_last},
    {"samplers-at-end", "at the time of the last key a clip shows that key, not the first", ANIMATIONS, at_end},
    {"samplers-second-clip", "a file may have several animations, each of which plays alone", ANIMATIONS, second_clip},
    {"samplers-same-clip-names", "two animations may have one name", "3.3 Indices and Names", same_clip_names},
    {"samplers-unnamed-clip", "an animation needs no name", "3.3 Indices and Names", unnamed_clip},
    {"samplers-sparse-keys", "accessors of keys may be sparse", "3.6.2.3 Sparse Accessors", sparse_keys},
    {"samplers-near-keys", "keys may be half a millisecond apart", ANIMATIONS, near_keys},
    {"samplers-long-clip", "a clip may last 600 seconds", ANIMATIONS, long_clip},
};
const struct rule_group rules_of_samplers = {list, sizeof list / sizeof list[0]};
