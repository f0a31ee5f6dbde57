/* Rules of animation samplers: interpolation, types of keys, what is before and after them. */
#include "generate/rules.h"

static const double one_key[] = {0}, two_keys[] = {0, 1}, three_keys[] = {0, 0.5, 1}, uneven_keys[] = {0, 0.25, 1.25},
                    cubic_keys[] = {0, 0.25, 2.25}, late_keys[] = {0.5, 1.5}, inner_keys[] = {0.4, 0.7},
                    four_keys[] = {0, 0.4, 0.8, 1.2}, near_keys[] = {0, 0.5, 0.50048828125}, long_keys[] = {0, 64, 600};

/* An arm whose lower bone has one channel. */
#define MOVED(path, curve, keys, ...) STILL_ARM, CLIP("move"), KEYS(ARM_LOWER, path, curve, keys, __VA_ARGS__)

/* From no turn to one about (2, 3, 6) / 7, whose half angle has that sine and cosine; `sign` of all numbers of the
 * second key. */
#define ARC(sine, cosine, sign) \
    MOVED(RIG_ROTATION, RIG_LINEAR, two_keys, 0, 0, 0, 1, 2 * ((sign) * (sine) / 7.0), 3 * ((sign) * (sine) / 7.0), \
          6 * ((sign) * (sine) / 7.0), (sign) * (cosine))

/* Keys of a turn stored as integers; none of their numbers is negative, so that unsigned types hold them. */
#define INTEGER_KEYS(type) \
    MOVED(RIG_ROTATION, RIG_LINEAR, uneven_keys, 0, 0, 0, 1, 2, 3, 6, 7, 12, 4, 3, 0), CHANNEL(number, type)
#define INTEGER_WEIGHTS(type) \
    STILL_ARM, TARGETS(2, false), CLIP("move"), \
        KEYS(ARM_BODY, RIG_WEIGHTS, RIG_LINEAR, two_keys, 0.2, 1, 0.9, 0.1), CHANNEL(number, type)

#define SLIDE MOVED(RIG_TRANSLATION, RIG_LINEAR, uneven_keys, 0.1, 1, 0, 0.5, 0.7, 0.3, -0.3, 1.4, 0.6)
#define THREE_CHANNELS \
    SLIDE, MOVES(ARM_LOWER, 3, 1, 2, 4), KEYS(ARM_HAND, RIG_SCALE, RIG_LINEAR, inner_keys, 1, 1, 1, 2, 0.5, 1)

#define LINEAR "C.3 Linear Interpolation"
#define SPHERICAL "C.4 Spherical Linear Interpolation"
#define STEP "C.2 Step Interpolation"
#define CUBIC "C.5 Cubic Spline Interpolation"
#define ANIMATIONS "3.11 Animations"
static const struct rule list[] = {
    {"samplers-linear-translation", "translations are interpolated linearly between the two keys around the time",
     LINEAR, {SLIDE}},
    {"samplers-linear-scale", "scales are interpolated linearly", LINEAR,
     {MOVED(RIG_SCALE, RIG_LINEAR, uneven_keys, 1, 1, 1, 0.5, 1.5, 1.2, 2, 0.75, 0.6)}},
    {"samplers-slerp-5", "rotations 5 degrees apart are interpolated along the arc", SPHERICAL,
     {ARC(0.043619387365336, 0.999048221581858, 1)}},
    {"samplers-slerp-90", "rotations 90 degrees apart are interpolated along the arc at an even speed", SPHERICAL,
     {ARC(1, 1, 1)}},
    {"samplers-slerp-179", "rotations 179 degrees apart are interpolated along the arc at an even speed", SPHERICAL,
     {ARC(0.999961923064171, 0.008726535498374, 1)}},
    {"samplers-slerp-negated", "q and -q are one rotation: interpolation takes the shorter arc", SPHERICAL,
     {ARC(0.6, 0.8, -1)}},
    {"samplers-slerp-near", "rotations that are nearly equal are interpolated, and of unit length", SPHERICAL,
     {ARC(1e-4, 1, 1), SCALE(ARM_LOWER, 40, 40, 40)}},
    {"samplers-step-rotation", "STEP holds the value of a key until the next one", STEP,
     {MOVED(RIG_ROTATION, RIG_STEP, uneven_keys, 0, 0, 0, 1, 1, 2, 0, 4, -2, 1, 1, 3), TIMES(0, 0.2, 0.7, 1.2)}},
    {"samplers-step-at-key", "at the very time of a key STEP has that key's value", STEP,
     {MOVED(RIG_TRANSLATION, RIG_STEP, three_keys, 0, 1, 0, 1, 1, 0, 0, 1, 1),
      TIMES(0, 0.4990234375, 0.5, 0.5009765625, 0.9)}},
    {"samplers-cubic-translation", "CUBICSPLINE goes by in-tangent, value and out-tangent of its keys", CUBIC,
     {MOVED(RIG_TRANSLATION, RIG_CUBIC, two_keys, 0, 0, 0, 0.1, 1, 0, 2, -1, 0.5, -1, 0.5, 1, 0.6, 1.2, 0.4, 0, 0, 0)}},
    {"samplers-cubic-rotation", "rotations of CUBICSPLINE are normalised after they are interpolated", CUBIC,
     {MOVED(RIG_ROTATION, RIG_CUBIC, two_keys, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 0, 1, 0, 1, 2, -1, 0.6, 0, 0, 0.8, 0, 0, 0,
            0)}},
    {"samplers-cubic-scale", "scales may be CUBICSPLINE", CUBIC,
     {MOVED(RIG_SCALE, RIG_CUBIC, two_keys, 0, 0, 0, 1, 1, 1, 1, -1, 2, 2, 1, -1, 1.5, 0.8, 1.2, 0, 0, 0)}},
    {"samplers-cubic-uneven", "tangents of CUBICSPLINE are multiplied by the time between the two keys", CUBIC,
     {MOVED(RIG_TRANSLATION, RIG_CUBIC, cubic_keys, 0, 0, 0, 0.1, 1, 0, 3, 0, 1, 1, 1, 1, 0.4, 1.2, 0.2, 0.5, -0.5,
            0.25, -1, 0.5, 1, 0.6, 0.9, -0.4, 0, 0, 0),
      TIMES(0.125, 0.25, 1, 1.75)}},
    {"samplers-rotation-i8", "keys of rotations may be normalised bytes: each is divided by 127", ANIMATIONS,
     {INTEGER_KEYS(RIG_I8)}},
    {"samplers-rotation-u8", "keys of rotations may be normalised unsigned bytes: each is divided by 255", ANIMATIONS,
     {INTEGER_KEYS(RIG_U8)}},
    {"samplers-rotation-i16", "keys of rotations may be normalised shorts: each is divided by 32767", ANIMATIONS,
     {INTEGER_KEYS(RIG_I16)}},
    {"samplers-rotation-u16", "keys of rotations may be normalised unsigned shorts: each is divided by 65535",
     ANIMATIONS, {INTEGER_KEYS(RIG_U16)}},
    {"samplers-cubic-rotation-i8",
     "values and tangents of CUBICSPLINE may be normalised bytes, and are interpolated as stored", CUBIC,
     {MOVED(RIG_ROTATION, RIG_CUBIC, two_keys, 0, 0, 0, 0, 0, 0, 0, 1, 0.5, 0.2, 0, 0.1, 0.1, 0.5, -0.2, 0, 0.55, 0.18,
            0.37, 0.73, 0, 0, 0, 0),
      CHANNEL(number, RIG_I8)}},
    {"samplers-cubic-weights-i16", "CUBICSPLINE of weights may be normalised shorts", CUBIC,
     {STILL_ARM, TARGETS(2, false), CLIP("move"),
      KEYS(ARM_BODY, RIG_WEIGHTS, RIG_CUBIC, two_keys, 0, 0, 0.2, 0.75, 1, -1, -0.5, 0.5, 1, 0, 0, 0),
      CHANNEL(number, RIG_I16)}},
    {"samplers-step-rotation-i16", "STEP of rotations may be normalised shorts", STEP,
     {MOVED(RIG_ROTATION, RIG_STEP, uneven_keys, 0, 0, 0, 1, 2, 3, 6, 7, 12, 4, 3, 0), CHANNEL(number, RIG_I16),
      TIMES(0, 0.2, 0.7, 1.2)}},
    {"samplers-weights-u8", "keys of weights may be normalised unsigned bytes", ANIMATIONS, {INTEGER_WEIGHTS(RIG_U8)}},
    {"samplers-weights-i16", "keys of weights may be normalised shorts", ANIMATIONS, {INTEGER_WEIGHTS(RIG_I16)}},
    {"samplers-one-key", "one key holds at all times", ANIMATIONS,
     {MOVED(RIG_TRANSLATION, RIG_LINEAR, one_key, 0.5, 1.5, -0.5), MOVES(ARM_UPPER, 1, 2, 0, 5)}},
    {"samplers-late-keys", "before the first key a channel has that key's value", ANIMATIONS,
     {MOVED(RIG_TRANSLATION, RIG_LINEAR, late_keys, 0.8, 1, 0, -0.4, 1.6, 0.5), TIMES(0, 0.25, 0.75, 1.4)}},
    {"samplers-different-times", "every channel of a clip has times of its own", ANIMATIONS,
     {THREE_CHANNELS, TIMES(0, 0.3, 0.55, 1.1, 1.2)}},
    {"samplers-after-last", "after the last key a channel has that key's value while others go on", ANIMATIONS,
     {THREE_CHANNELS, TIMES(0.9, 1.1, 1.2)}},
    {"samplers-at-end", "at the time of the last key a clip shows that key, not the first", ANIMATIONS,
     {ARM, TIMES(0.5, 1)}},
    {"samplers-second-clip", "a file may have several animations, each of which plays alone", ANIMATIONS,
     {ARM, CLIP("wave"), MOVES(ARM_UPPER, 1, -3, 2, 5)}},
    {"samplers-same-clip-names", "two animations may have one name", "3.3 Indices and Names",
     {ARM, CLIP("move"), MOVES(ARM_UPPER, 1, -3, 2, 5)}},
    {"samplers-unnamed-clip", "an animation needs no name", "3.3 Indices and Names",
     {STILL_ARM, CLIP(NULL), MOVES(ARM_LOWER, 3, 1, 2, 4)}},
    {"samplers-sparse-keys", "accessors of keys may be sparse", "3.6.2.3 Sparse Accessors",
     {MOVED(RIG_TRANSLATION, RIG_LINEAR, four_keys, 0.1, 1, 0, 0.5, 0.7, 0.3, -0.3, 1.4, 0.6, 0.9, 0.8, -0.2),
      CHANNEL(is_sparse, true)}},
    {"samplers-near-keys", "keys may be half a millisecond apart", ANIMATIONS,
     {MOVED(RIG_TRANSLATION, RIG_LINEAR, near_keys, 0, 1, 0, 1, 1, 0, 0, 1, 1), TIMES(0, 0.25, 0.5, 0.500244140625)}},
    {"samplers-long-clip", "a clip may last 600 seconds", ANIMATIONS,
     {MOVED(RIG_TRANSLATION, RIG_LINEAR, long_keys, 0, 1, 0, 1, 1, 0, 0, 1, 1), TIMES(0, 32.5, 100, 599)}},
};
const struct rule_group rules_of_samplers = {list, sizeof list / sizeof list[0]};
