#pragma once

#include "diagnose/variant.h"

/* The mistakes that have a name. A cause has several guesses: the variants in which it is made. */

enum cause_index {
    CAUSE_UNIT_SCALE, CAUSE_AXES_SWAPPED, CAUSE_MIRRORED, CAUSE_PIVOTS_DROPPED, CAUSE_PIVOTS_TWICE,
    CAUSE_OFFSET_MISSING, CAUSE_OFFSET_TRANSPOSED, CAUSE_OFFSET_INVERTED, CAUSE_OFFSET_OTHER, CAUSE_OFFSET_FIRST,
    CAUSE_OFFSET_LAST, CAUSE_REST_FOR_BIND, CAUSE_BONES_CUT, CAUSE_JOINTS_BY_NAME, CAUSE_FIRST_FOUR,
    CAUSE_SMALL_DROPPED, CAUSE_NOT_RESCALED, CAUSE_RESCALED, CAUSE_IN_BYTES, CAUSE_SHUFFLED, CAUSE_RESAMPLED,
    CAUSE_QUANTISED, CAUSE_TIME_SCALE, CAUSE_TIME_SHIFT, CAUSE_TIME_ROUNDED, CAUSE_LOOP_RULE, CAUSE_FIRST_KEY,
    CAUSE_EARLY, CAUSE_LATE, CAUSE_OTHER_CLIP, CAUSE_BACKWARDS, CAUSE_NOT_ANIMATED, CAUSE_CHANNEL_OTHER,
    CAUSE_STALE_BONE, CAUSE_ADDITIVE, CAUSE_EASE, CAUSE_EULER, CAUSE_STEP_AS_LINEAR, CAUSE_LINEAR_AS_STEP,
    CAUSE_CUBIC_AS_LINEAR, CAUSE_CUBIC_AS_STEP, CAUSE_TANGENTS, CAUSE_NLERP, CAUSE_LONG_WAY, CAUSE_QUATERNION_ORDER,
    CAUSE_CONJUGATED, CAUSE_NOT_NORMALISED, CAUSE_MISSING_IDENTITY, CAUSE_MISSING_ZERO, CAUSE_SINGLE_KEY,
    CAUSE_MATRIX_KEYS, CAUSE_TSR, CAUSE_SCALE_DROPPED, CAUSE_TRANSLATION_DROPPED, CAUSE_ROTATION_DROPPED,
    CAUSE_PARENT_ORDER, CAUSE_STALE_PARENT, CAUSE_COMPENSATED, CAUSE_OFFSET_ORDER, CAUSE_ROOT_EXTRA, CAUSE_ROOT_MISSING,
    CAUSE_ROOT_TWICE, CAUSE_ROOT_OTHER, CAUSE_CAMERA, CAUSE_MESH_NODE, CAUSE_TRANSPOSED, CAUSE_ONLY_ANIMATED,
    CAUSE_INDEX_SHIFT, CAUSE_INDEX_PERMUTED, CAUSE_INFLUENCE_DROPPED, CAUSE_IDS_AS_FLOATS, CAUSE_NOT_SKINNED,
    CAUSE_NEIGHBOUR, CAUSE_NOT_DIVIDED, CAUSE_BYTES_NOT_DIVIDED, CAUSE_NORMALS, CAUSE_NORMALS_UNSKINNED, CAUSE_DUAL,
    CAUSE_LINEAR, CAUSE_MORPH_AFTER, CAUSE_MORPH_DROPPED, CAUSE_COUNT,
};

struct cause_row {
    const char *id;
    enum cause_stage stage;
    const char *sentence;
    const char *remedy;
};

extern const struct cause_row cause_table[CAUSE_COUNT];

struct guess {
    enum cause_index cause;
    const char *detail; /* or NULL */
    struct variant variant;
    enum parameter_kind kind;
    double parameter;
    bool is_alone; /* not tried in pairs */
    bool is_loose; /* made to measure: a matrix or a list that may fit what is another mistake */
};

struct guess_list {
    struct guess *guesses;
    uint32_t count, capacity;
    struct arena *arena;
};

/* A guess with one switch turned, for more to be set. */
struct guess *guess_add(struct guess_list *list, enum cause_index cause, const char *detail, enum pipeline_switch at,
                      unsigned value, double number);

/* The number that is told of it. */
static inline void guess_set(struct guess *guess, enum parameter_kind kind, double parameter)
{
    guess->kind = kind;
    guess->parameter = parameter;
}

/* Bones from that number on are left out, in a list of LIST_. */
void guess_add_cuts(struct guess_list *guesses, unsigned list, double bones);

/* All that need nothing of theirs; the same list in the same order at every time of the input. */
struct guess_list guesses_create(const struct diagnosis_input *input, struct arena *arena);

/* Those that sample at another time: part of the above. */
void guesses_add_times(const struct diagnosis_input *input, struct guess_list *list);

/* Adds guesses whose numbers come from the file, the scene and the time asked before. */
void guesses_add_numbers(const struct diagnosis_input *input, struct guess_list *list);

/* "yours is ours at 0.3417 s: 1 frame late (24 a second)". */
const char *time_detail(double seconds, double reference, const char *why, struct arena *arena);
