/* The variants in which the causes of the table are made. */
#include <string.h>

#include "diagnose/causes.h"
#include "diagnose/sample.h"

struct guess *guess_add(struct guess_list *list, enum cause_index cause, const char *detail, enum pipeline_switch at,
                        unsigned value, double number)
{
    if (list->count == list->capacity) {
        struct guess *grown = ARENA_NEW(list->arena, struct guess, list->capacity ? 2 * list->capacity : 256);
        if (list->count > 0)
            memcpy(grown, list->guesses, list->count * sizeof *grown);
        list->guesses = grown;
        list->capacity = list->capacity ? 2 * list->capacity : 256;
    }
    struct guess *guess = &list->guesses[list->count++];
    *guess = (struct guess){.cause = cause, .detail = detail};
    guess->variant.at[at] = (uint8_t)value;
    guess->variant.number[at] = number;
    return guess;
}

struct guess_row {
    enum cause_index cause;
    const char *detail;
    enum pipeline_switch at;
    unsigned value;
    double number;
};

/* Those that turn one switch to one value, in the order in which they are named where they are equal. */
static const struct guess_row rows[] = {
    {CAUSE_PARENT_ORDER, NULL, SWITCH_PARENT, PARENT_RIGHT, 0},
    {CAUSE_OFFSET_ORDER, NULL, SWITCH_PRODUCT, PRODUCT_REVERSED, 0},
    {CAUSE_OFFSET_MISSING, NULL, SWITCH_OFFSET, OFFSET_NONE, 0},
    {CAUSE_OFFSET_MISSING, "its translation", SWITCH_OFFSET, OFFSET_STILL, 0},
    {CAUSE_OFFSET_TRANSPOSED, NULL, SWITCH_OFFSET, OFFSET_TRANSPOSED, 0},
    {CAUSE_OFFSET_TRANSPOSED, "its upper 3x3", SWITCH_OFFSET, OFFSET_TURNED, 0},
    {CAUSE_OFFSET_TRANSPOSED, "without its translation", SWITCH_OFFSET, OFFSET_LINEAR, 0},
    {CAUSE_OFFSET_INVERTED, NULL, SWITCH_OFFSET, OFFSET_INVERTED, 0},
    {CAUSE_OFFSET_FIRST, NULL, SWITCH_OFFSET_OF, OFFSET_FIRST, 0},
    {CAUSE_OFFSET_LAST, NULL, SWITCH_OFFSET_OF, OFFSET_LAST, 0},
    {CAUSE_OFFSET_OTHER, "the next in the list", SWITCH_OFFSET_OF, OFFSET_SHIFTED, 1},
    {CAUSE_OFFSET_OTHER, "the one before in the list", SWITCH_OFFSET_OF, OFFSET_SHIFTED, -1},
    {CAUSE_REST_FOR_BIND, NULL, SWITCH_OFFSET, OFFSET_REST, 0},
    {CAUSE_REST_FOR_BIND, "with the mesh's node", SWITCH_OFFSET, OFFSET_REST_MESH, 0},
    {CAUSE_TRANSPOSED, "palette entries", SWITCH_PALETTE, MATRIX_TRANSPOSED, 0},
    {CAUSE_TRANSPOSED, "the upper 3x3 of palette entries", SWITCH_PALETTE, MATRIX_TURNED, 0},
    {CAUSE_TRANSPOSED, "palette entries, and positions get another w than 1", SWITCH_PALETTE, MATRIX_DIVIDED, 0},
    {CAUSE_TRANSPOSED, "vector x matrix, of positions alone", SWITCH_PALETTE, MATRIX_POSITION, 0},
    {CAUSE_TRANSPOSED, "vector x matrix, of positions alone, which get another w than 1", SWITCH_PALETTE,
     MATRIX_POSITION_DIVIDED, 0},
    {CAUSE_TRANSPOSED, "globals", SWITCH_GLOBAL, MATRIX_TRANSPOSED, 0},
    {CAUSE_TRANSPOSED, "the upper 3x3 of globals", SWITCH_GLOBAL, MATRIX_TURNED, 0},
    {CAUSE_TRANSPOSED, "local matrices", SWITCH_LOCAL, MATRIX_TRANSPOSED, 0},
    {CAUSE_TRANSPOSED, "the upper 3x3 of local matrices", SWITCH_LOCAL, MATRIX_TURNED, 0},
    {CAUSE_TRANSPOSED, "palette entries, without their translations", SWITCH_PALETTE, MATRIX_LINEAR, 0},
    {CAUSE_TRANSPOSED, "globals, without their translations", SWITCH_GLOBAL, MATRIX_LINEAR, 0},
    {CAUSE_TRANSPOSED, "local matrices, without their translations", SWITCH_LOCAL, MATRIX_LINEAR, 0},
    {CAUSE_ROOT_EXTRA, NULL, SWITCH_ROOT, ROOT_EXTRA, 0},
    {CAUSE_ROOT_MISSING, NULL, SWITCH_ROOT, ROOT_MISSING, 0},
    {CAUSE_ROOT_TWICE, NULL, SWITCH_ROOT, ROOT_TWICE, 0},
    {CAUSE_MESH_NODE, NULL, SWITCH_MESH_NODE, MESH_NODE_EXTRA, 0},
    {CAUSE_MESH_NODE, "its inverse", SWITCH_MESH_NODE, MESH_NODE_INVERSE, 0},
    {CAUSE_MESH_NODE, "on the right, as a bind shape matrix", SWITCH_MESH_NODE, MESH_NODE_BIND, 0},
    {CAUSE_MESH_NODE, "its inverse, on the right", SWITCH_MESH_NODE, MESH_NODE_BIND_INVERSE, 0},
    {CAUSE_MESH_NODE, "its local transform, below the node above the topmost bone", SWITCH_MESH_NODE, MESH_NODE_BELOW,
     0},
    {CAUSE_MESH_NODE, "into skinned vertices", SWITCH_PLACE, PLACE_MESH_NODE, 0},
    {CAUSE_MESH_NODE, "its local transform, into skinned vertices", SWITCH_PLACE, PLACE_MESH_LOCAL, 0},
    {CAUSE_MESH_NODE, "its inverse, into skinned vertices", SWITCH_PLACE, PLACE_MESH_NODE_INVERSE, 0},
    {CAUSE_ROOT_EXTRA, "into skinned vertices", SWITCH_PLACE, PLACE_ROOT_INVERSE, 0},
    {CAUSE_NOT_ANIMATED, NULL, SWITCH_CLIP, CLIP_REST, 0},
    {CAUSE_ONLY_ANIMATED, "nodes without a channel", SWITCH_NODES, NODES_ANIMATED, 0},
    {CAUSE_ONLY_ANIMATED, "nodes that are no bones", SWITCH_NODES, NODES_BONES, 0},
    {CAUSE_ONLY_ANIMATED, "nodes above the topmost bones", SWITCH_NODES, NODES_PARENTS, 0},
    {CAUSE_STALE_PARENT, "the rest pose", SWITCH_STALE, STALE_REST, 0},
    {CAUSE_STALE_PARENT, "none: parents are left out, or not there yet", SWITCH_STALE, STALE_IDENTITY, 0},
    {CAUSE_PIVOTS_DROPPED, NULL, SWITCH_PIVOTS, PIVOTS_DROPPED, 0},
    {CAUSE_PIVOTS_TWICE, "pivots that their channels hold too, as Assimp has them", SWITCH_PIVOTS, PIVOTS_KEPT, 0},
    {CAUSE_PIVOTS_TWICE, NULL, SWITCH_PIVOTS, PIVOTS_TWICE, 0},
    {CAUSE_JOINTS_BY_NAME, "the first of them", SWITCH_JOINT, JOINT_FIRST, 0},
    {CAUSE_JOINTS_BY_NAME, "the last of them", SWITCH_JOINT, JOINT_LAST, 0},
    {CAUSE_QUANTISED, "half floats", SWITCH_KEYS, KEYS_HALF, 0},
    {CAUSE_QUANTISED, "16 bits", SWITCH_KEYS, KEYS_BITS, 16},
    {CAUSE_QUANTISED, "10 bits", SWITCH_KEYS, KEYS_BITS, 10},
    {CAUSE_QUANTISED, "8 bits", SWITCH_KEYS, KEYS_BITS, 8},
    {CAUSE_STEP_AS_LINEAR, NULL, SWITCH_CURVES, CURVES_STEP_AS_LINEAR, 0},
    {CAUSE_LINEAR_AS_STEP, NULL, SWITCH_CURVES, CURVES_LINEAR_AS_STEP, 0},
    {CAUSE_LINEAR_AS_STEP, "the nearest key", SWITCH_CURVES, CURVES_NEAREST, 0},
    {CAUSE_CUBIC_AS_LINEAR, NULL, SWITCH_CURVES, CURVES_CUBIC_AS_LINEAR, 0},
    {CAUSE_CUBIC_AS_STEP, NULL, SWITCH_CURVES, CURVES_CUBIC_AS_STEP, 0},
    {CAUSE_LINEAR_AS_STEP, "the next key", SWITCH_CURVES, CURVES_NEXT, 0},
    {CAUSE_LINEAR_AS_STEP, "rotations alone", SWITCH_CURVES, CURVES_ROTATION_AS_STEP, 0},
    {CAUSE_LINEAR_AS_STEP, "translations alone", SWITCH_CURVES, CURVES_TRANSLATION_AS_STEP, 0},
    {CAUSE_TANGENTS, "not multiplied by the time between keys", SWITCH_TANGENTS, TANGENTS_RAW, 0},
    {CAUSE_TANGENTS, "taken as zero", SWITCH_TANGENTS, TANGENTS_DROPPED, 0},
    {CAUSE_TANGENTS, "in and out swapped", SWITCH_TANGENTS, TANGENTS_SWAPPED, 0},
    {CAUSE_TANGENTS, "multiplied by shares of the interval, not by its length", SWITCH_TANGENTS, TANGENTS_BY_U, 0},
    {CAUSE_TANGENTS, "multiplied by the share of the interval", SWITCH_TANGENTS, TANGENTS_BY_SHARE, 0},
    {CAUSE_TANGENTS, "tangents into keys with the other sign", SWITCH_TANGENTS, TANGENTS_NEGATED, 0},
    {CAUSE_TANGENTS, "out of a key and into the next exchanged", SWITCH_TANGENTS, TANGENTS_EXCHANGED, 0},
    {CAUSE_TANGENTS, "those into keys are read as keys", SWITCH_CURVES, CURVES_TANGENTS_AS_KEYS, 0},
    {CAUSE_EARLY, "the line through the first two keys goes on", SWITCH_EARLY, EARLY_LINE, 0},
    {CAUSE_EARLY, "the curve of the first two keys goes on", SWITCH_EARLY, EARLY_CURVE, 0},
    {CAUSE_EARLY, "it is blended from the identity at time 0", SWITCH_EARLY, EARLY_IDENTITY, 0},
    {CAUSE_EARLY, "it has the rest pose", SWITCH_EARLY, EARLY_REST, 0},
    {CAUSE_EARLY, "it has its last key", SWITCH_EARLY, EARLY_LAST, 0},
    {CAUSE_LATE, "it has its first key", SWITCH_LATE, LATE_FIRST, 0},
    {CAUSE_LATE, "the line through the last two keys goes on", SWITCH_LATE, LATE_LINE, 0},
    {CAUSE_LATE, "the curve of the last two keys goes on", SWITCH_LATE, LATE_CURVE, 0},
    {CAUSE_LATE, "the line through the first two keys goes on", SWITCH_LATE, LATE_FIRST_LINE, 0},
    {CAUSE_LATE, "it has the rest pose", SWITCH_LATE, LATE_REST, 0},
    {CAUSE_LATE, "its keys begin again", SWITCH_LATE, LATE_REPEAT, 0},
    {CAUSE_EASE, "u u (3 - 2 u)", SWITCH_EASE, EASE_SMOOTH, 0},
    {CAUSE_EASE, "u u u (u (6 u - 15) + 10)", SWITCH_EASE, EASE_SMOOTHER, 0},
    {CAUSE_EASE, "(1 - cos(pi u)) / 2", SWITCH_EASE, EASE_SINE, 0},
    {CAUSE_EASE, "u u", SWITCH_EASE, EASE_IN, 0},
    {CAUSE_EASE, "u (2 - u)", SWITCH_EASE, EASE_OUT, 0},
    {CAUSE_ADDITIVE, "rest x keyed", SWITCH_ADDITIVE, ADDITIVE_LEFT, 0},
    {CAUSE_ADDITIVE, "keyed x rest", SWITCH_ADDITIVE, ADDITIVE_RIGHT, 0},
    {CAUSE_ADDITIVE, "each component", SWITCH_ADDITIVE, ADDITIVE_PARTS, 0},
    {CAUSE_ADDITIVE, "translations alone", SWITCH_ADDITIVE, ADDITIVE_TRANSLATION, 0},
    {CAUSE_ADDITIVE, "rotations alone", SWITCH_ADDITIVE, ADDITIVE_ROTATION, 0},
    {CAUSE_ADDITIVE, "rotations alone, keyed x rest", SWITCH_ADDITIVE, ADDITIVE_ROTATION_RIGHT, 0},
    {CAUSE_COMPENSATED, "rotations and scales", SWITCH_COMPENSATE, COMPENSATE_TURN, 0},
    {CAUSE_COMPENSATED, "translations too", SWITCH_COMPENSATE, COMPENSATE_ALL, 0},
    {CAUSE_COMPENSATED, "nor that of any bone above", SWITCH_COMPENSATE, COMPENSATE_ABOVE, 0},
    {CAUSE_ROOT_OTHER, "the root as it is posed", SWITCH_ROOT, ROOT_NOW, 0},
    {CAUSE_ROOT_OTHER, "the topmost bone at rest", SWITCH_ROOT, ROOT_BONE, 0},
    {CAUSE_ROOT_OTHER, "the topmost bone as it is posed", SWITCH_ROOT, ROOT_BONE_NOW, 0},
    {CAUSE_ROOT_OTHER, "the node above the topmost bone", SWITCH_ROOT, ROOT_ABOVE, 0},
    {CAUSE_ROOT_OTHER, "the topmost node above the bone", SWITCH_ROOT, ROOT_TOP, 0},
    {CAUSE_ROOT_TWICE, "that of the topmost node above the bone", SWITCH_ROOT, ROOT_TOP_TWICE, 0},
    {CAUSE_NLERP, NULL, SWITCH_BLEND, BLEND_NLERP, 0},
    {CAUSE_NLERP, "where the dot product is 0.9995 or more", SWITCH_BLEND, BLEND_NLERP_NEAR, 0},
    {CAUSE_LONG_WAY, NULL, SWITCH_SIDE, SIDE_AS_STORED, 0},
    {CAUSE_LONG_WAY, "always", SWITCH_SIDE, SIDE_LONG, 0},
    {CAUSE_LONG_WAY, "by the angle of the shorter one", SWITCH_SIDE, SIDE_ANGLE, 0},
    {CAUSE_QUATERNION_ORDER, "w x y z read as x y z w", SWITCH_QUATERNION, QUATERNION_W_FIRST, 0},
    {CAUSE_QUATERNION_ORDER, "x y z w read as w x y z", SWITCH_QUATERNION, QUATERNION_W_LAST, 0},
    {CAUSE_CONJUGATED, NULL, SWITCH_QUATERNION, QUATERNION_CONJUGATED, 0},
    {CAUSE_QUATERNION_ORDER, "w x y z read as x y z w, of all nodes", SWITCH_QUATERNION, OF_ALL + QUATERNION_W_FIRST,
     0},
    {CAUSE_QUATERNION_ORDER, "x y z w read as w x y z, of all nodes", SWITCH_QUATERNION, OF_ALL + QUATERNION_W_LAST, 0},
    {CAUSE_CONJUGATED, "of all nodes", SWITCH_QUATERNION, OF_ALL + QUATERNION_CONJUGATED, 0},
    {CAUSE_QUATERNION_ORDER, "w x y z read as x y z w, of the rest pose", SWITCH_QUATERNION,
     OF_REST + QUATERNION_W_FIRST, 0},
    {CAUSE_QUATERNION_ORDER, "x y z w read as w x y z, of the rest pose", SWITCH_QUATERNION,
     OF_REST + QUATERNION_W_LAST, 0},
    {CAUSE_CONJUGATED, "of the rest pose", SWITCH_QUATERNION, OF_REST + QUATERNION_CONJUGATED, 0},
    {CAUSE_NOT_NORMALISED, "straight lines between keys", SWITCH_BLEND, BLEND_LERP, 0},
    {CAUSE_NOT_NORMALISED, "where the dot product is above 0.95", SWITCH_BLEND, BLEND_LERP_NEAR, 0},
    {CAUSE_NOT_NORMALISED, "cubic curves", SWITCH_NORMALISE, NORMALISE_NOT, 0},
    {CAUSE_MISSING_IDENTITY, NULL, SWITCH_MISSING, MISSING_IDENTITY, 0},
    {CAUSE_MISSING_ZERO, "translations", SWITCH_MISSING, MISSING_TRANSLATION, 0},
    {CAUSE_MISSING_ZERO, "translations and scales", SWITCH_MISSING,
     MISSING_AS_ZERO + MISSING_TRANSLATION + MISSING_SCALE, 0},
    {CAUSE_MISSING_IDENTITY, "rotations", SWITCH_MISSING, MISSING_ROTATION, 0},
    {CAUSE_MISSING_IDENTITY, "scales", SWITCH_MISSING, MISSING_SCALE, 0},
    {CAUSE_MISSING_ZERO, "scales", SWITCH_MISSING, MISSING_AS_ZERO + MISSING_SCALE, 0},
    {CAUSE_MISSING_IDENTITY, "of all nodes", SWITCH_MISSING, OF_ALL + MISSING_IDENTITY, 0},
    {CAUSE_MISSING_IDENTITY, "translations, of all nodes", SWITCH_MISSING, OF_ALL + MISSING_TRANSLATION, 0},
    {CAUSE_MISSING_IDENTITY, "rotations, of all nodes", SWITCH_MISSING, OF_ALL + MISSING_ROTATION, 0},
    {CAUSE_SINGLE_KEY, NULL, SWITCH_SINGLE, SINGLE_IGNORED, 0},
    {CAUSE_MATRIX_KEYS, NULL, SWITCH_CURVES, CURVES_MATRIX, 0},
    {CAUSE_MATRIX_KEYS, "of rotations", SWITCH_BLEND, BLEND_MATRIX, 0},
    {CAUSE_MATRIX_KEYS, "of rotations, whose quaternions are not normalised", SWITCH_BLEND, BLEND_MATRIX_CAST, 0},
    {CAUSE_TSR, "translation x scale x rotation", SWITCH_ORDER, ORDER_TSR, 0},
    {CAUSE_TSR, "scale x rotation x translation", SWITCH_ORDER, ORDER_SRT, 0},
    {CAUSE_TSR, "rotation x translation x scale", SWITCH_ORDER, ORDER_RTS, 0},
    {CAUSE_TSR, "scale x translation x rotation", SWITCH_ORDER, ORDER_STR, 0},
    {CAUSE_TSR, "rotation x scale x translation", SWITCH_ORDER, ORDER_RST, 0},
    {CAUSE_TSR, "scale x translation x rotation, of all nodes", SWITCH_ORDER, OF_ALL + ORDER_STR, 0},
    {CAUSE_TSR, "rotation x scale x translation, of all nodes", SWITCH_ORDER, OF_ALL + ORDER_RST, 0},
    {CAUSE_TSR, "translation x scale x rotation, of all nodes", SWITCH_ORDER, OF_ALL + ORDER_TSR, 0},
    {CAUSE_TSR, "scale x rotation x translation, of all nodes", SWITCH_ORDER, OF_ALL + ORDER_SRT, 0},
    {CAUSE_TSR, "rotation x translation x scale, of all nodes", SWITCH_ORDER, OF_ALL + ORDER_RTS, 0},
    {CAUSE_SCALE_DROPPED, "scales of all nodes are 1", SWITCH_SCALE, OF_ALL + SCALE_ONE, 0},
    {CAUSE_SCALE_DROPPED, "scales are 1", SWITCH_SCALE, SCALE_ONE, 0},
    {CAUSE_SCALE_DROPPED, "scales are the nodes' own", SWITCH_SCALE, SCALE_REST, 0},
    {CAUSE_TRANSLATION_DROPPED, "translations are the nodes' own", SWITCH_TRANSLATION, TRANSLATION_REST, 0},
    {CAUSE_TRANSLATION_DROPPED, "translations are zero", SWITCH_TRANSLATION, TRANSLATION_ZERO, 0},
    {CAUSE_TRANSLATION_DROPPED, "but the topmost bone's", SWITCH_TRANSLATION, TRANSLATION_ROOT_ONLY, 0},
    {CAUSE_TRANSLATION_DROPPED, "the topmost bone's alone", SWITCH_TRANSLATION, TRANSLATION_ROOT, 0},
    {CAUSE_TRANSLATION_DROPPED, "the topmost bone's alone, but y", SWITCH_TRANSLATION, TRANSLATION_ROOT_Y, 0},
    {CAUSE_TRANSLATION_DROPPED, "the topmost bone's alone, but z", SWITCH_TRANSLATION, TRANSLATION_ROOT_Z, 0},
    {CAUSE_ROTATION_DROPPED, "rotations are the nodes' own", SWITCH_ROTATION, ROTATION_REST, 0},
    {CAUSE_ROTATION_DROPPED, "rotations are the identity", SWITCH_ROTATION, ROTATION_IDENTITY, 0},
    {CAUSE_ROTATION_DROPPED, "rotations of all nodes are the identity", SWITCH_ROTATION, OF_ALL + ROTATION_IDENTITY, 0},
    {CAUSE_TRANSLATION_DROPPED, "translations of all nodes are zero", SWITCH_TRANSLATION, OF_ALL + TRANSLATION_ZERO,
     0},
    {CAUSE_NOT_DIVIDED, NULL, SWITCH_SUMS, SUMS_OF_FILE, 0},
    {CAUSE_NOT_RESCALED, NULL, SWITCH_KEEP, KEEP_NOT_RESCALED, 0},
    {CAUSE_NOT_DIVIDED, "and some are dropped", SWITCH_KEEP, KEEP_NOT_RESCALED, 0},
    {CAUSE_FIRST_FOUR, "not rescaled", SWITCH_KEEP, KEEP_FIRST_FOUR, 0},
    {CAUSE_FIRST_FOUR, "rescaled", SWITCH_KEEP, KEEP_FIRST_FOUR_RESCALED, 0},
    {CAUSE_SMALL_DROPPED, "up to 0.1, not rescaled", SWITCH_KEEP, KEEP_LARGE, 0.1},
    {CAUSE_SMALL_DROPPED, "up to 0.1, rescaled", SWITCH_KEEP, KEEP_LARGE_RESCALED, 0.1},
    {CAUSE_SMALL_DROPPED, "up to 0.1, the largest rescaled", SWITCH_KEEP, KEEP_LARGE_MOST, 0.1},
    {CAUSE_SMALL_DROPPED, "up to 0.05, not rescaled", SWITCH_KEEP, KEEP_LARGE, 0.05},
    {CAUSE_SMALL_DROPPED, "up to 0.05, rescaled", SWITCH_KEEP, KEEP_LARGE_RESCALED, 0.05},
    {CAUSE_SMALL_DROPPED, "up to 0.01, not rescaled", SWITCH_KEEP, KEEP_LARGE, 0.01},
    {CAUSE_SMALL_DROPPED, "up to 0.01, rescaled", SWITCH_KEEP, KEEP_LARGE_RESCALED, 0.01},
    {CAUSE_RESCALED, NULL, SWITCH_SUMS, SUMS_DIVIDED, 0},
    {CAUSE_IN_BYTES, "their sum is divided by", SWITCH_BYTES, BYTES_ROUNDED_RESCALED, 0},
    {CAUSE_IN_BYTES, "cut, and their sum divided by", SWITCH_BYTES, BYTES_CUT_RESCALED, 0},
    {CAUSE_IN_BYTES, "their sum is not divided by", SWITCH_BYTES, BYTES_ROUNDED, 0},
    {CAUSE_IN_BYTES, "cut, and their sum not divided by", SWITCH_BYTES, BYTES_CUT, 0},
    {CAUSE_BYTES_NOT_DIVIDED, NULL, SWITCH_BYTES, BYTES_TIMES_255, 0},
    {CAUSE_BYTES_NOT_DIVIDED, "rounded", SWITCH_BYTES, BYTES_ROUNDED_TIMES_255, 0},
    {CAUSE_BYTES_NOT_DIVIDED, "cut", SWITCH_BYTES, BYTES_CUT_TIMES_255, 0},
    {CAUSE_BYTES_NOT_DIVIDED, "but by 256", SWITCH_BYTES, BYTES_BY_256, 0},
    {CAUSE_IDS_AS_FLOATS, NULL, SWITCH_IDS, IDS_ZERO, 0},
    {CAUSE_IDS_AS_FLOATS, "the scene's", SWITCH_IDS, IDS_SCENE_ZERO, 0},
    {CAUSE_NEIGHBOUR, "the next vertex's", SWITCH_IDS, IDS_NEIGHBOUR, 1},
    {CAUSE_NEIGHBOUR, "the vertex's before", SWITCH_IDS, IDS_NEIGHBOUR, -1},
    {CAUSE_NOT_SKINNED, NULL, SWITCH_IDS, IDS_NONE, 0},
    {CAUSE_NOT_SKINNED, "they follow the mesh's node", SWITCH_IDS, IDS_NODE, 0},
    {CAUSE_IDS_AS_FLOATS, "ids are out of range, and vertices not skinned", SWITCH_IDS, IDS_NONE, 0},
    {CAUSE_NORMALS, NULL, SWITCH_NORMAL, NORMAL_BY_POSITION, 0},
    {CAUSE_NORMALS, "that of the last bone alone", SWITCH_NORMAL, NORMAL_BY_LAST, 0},
    {CAUSE_NORMALS_UNSKINNED, NULL, SWITCH_NORMAL, NORMAL_UNSKINNED, 0},
    {CAUSE_DUAL, NULL, SWITCH_BLENDING, BLENDING_DUAL, 0},
    {CAUSE_DUAL, "without scales", SWITCH_BLENDING, BLENDING_RIGID, 0},
    {CAUSE_DUAL, "of the rotations that columns of entries have, without scales", SWITCH_BLENDING, BLENDING_COLUMNS, 0},
    {CAUSE_DUAL, "palette entries are made of them, without scales", SWITCH_PALETTE, MATRIX_RIGID, 0},
    {CAUSE_LINEAR, NULL, SWITCH_BLENDING, BLENDING_LINEAR, 0},
    {CAUSE_MORPH_AFTER, NULL, SWITCH_MORPH, MORPH_AFTER, 0},
    {CAUSE_MORPH_DROPPED, NULL, SWITCH_MORPH, MORPH_NONE, 0},
};

static void add_scales(struct guess_list *list)
{
    static const double factors[] = {100, 0.01, 1000, 0.001, 2.54, 1 / 2.54, 39.3700787, 0.0254, 0.3048, 10, 0.1};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        static const struct {
            enum pipeline_switch at;
            unsigned value;
            const char *what;
        } places[] = {
            {SWITCH_CONJUGATE, UNIFORM, "all lengths"},         {SWITCH_LEFT, UNIFORM, "a scale at the root"},
            {SWITCH_KEY_SCALE, BY_FACTOR, "translation keys"},  {SWITCH_LOCAL_AXES, UNIFORM, "nodes and keys"},
            {SWITCH_MESH_AXES, UNIFORM, "the mesh's vertices"}, {SWITCH_OFFSET_SCALE, BY_FACTOR, "offset matrices"},
            {SWITCH_KEY_SCALE, REST_BY_FACTOR, "translations without keys"}};
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            const char *detail = arena_printf(list->arena, "%s times %.6g", places[k].what, factors[i]);
            guess_set(guess_add(list, CAUSE_UNIT_SCALE, detail, places[k].at, places[k].value, factors[i]),
                      PARAMETER_FACTOR, factors[i]);
        }
    }
}

/* "x z -y": where the new axes come from. */
static const char *axes_text(const struct matrix *axes, struct arena *arena)
{
    const char *text = "";
    for (int row = 0; row < 3; row++)
        for (int c = 0; c < 3; c++)
            if (axes->at[c][row] != 0)
                text = arena_printf(arena, "%s%s%s%c", text, row ? " " : "", axes->at[c][row] < 0 ? "-" : "", 'x' + c);
    return text;
}

static void add_axes(struct guess_list *list)
{
    static const struct {
        const char *what;
        enum pipeline_switch at;
        double number;
        bool is_alone; /* too many to be tried beside others */
    } places[] = {{"the scene is", SWITCH_LEFT, 0, false},
                  {"vertices and matrices are", SWITCH_CONJUGATE, 0, true},
                  {"local matrices are", SWITCH_LOCAL_AXES, 0, false},
                  {"keys are", SWITCH_KEY_AXES, KEYS_ALL, false},
                  {"keys of translation are", SWITCH_KEY_AXES, KEYS_TRANSLATION, true},
                  {"keys of rotation are", SWITCH_KEY_AXES, KEYS_ROTATION, true},
                  {"the mesh's vertices are", SWITCH_MESH_AXES, 0, true}};
    for (uint32_t i = 1; i < SIGNED_PERMUTATIONS; i++) {
        struct matrix axes = matrix_axes(i);
        bool is_mirror = i < 8 && matrix_determinant(&axes) < 0;
        enum cause_index cause = is_mirror ? CAUSE_MIRRORED : CAUSE_AXES_SWAPPED;
        const char *text = axes_text(&axes, list->arena);
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            struct guess *guess =
                guess_add(list, cause, arena_printf(list->arena, "%s seen as (%s)", places[k].what, text), places[k].at,
                          AXES + i, places[k].number);
            const bool is_up = axes.at[0][0] == 1 && matrix_determinant(&axes) > 0; /* z for y, or y for z */
            const bool is_common = (is_mirror || is_up) && places[k].at == SWITCH_KEY_AXES;
            guess->is_alone =
                (places[k].is_alone && !is_common) || (matrix_determinant(&axes) < 0 && !is_mirror && i != 8);
        }
    }
}

/* Angles about three axes, in each of their orders. */
static void add_angles(struct guess_list *list)
{
    static const char *const orders[EULER_ORDERS] = {"z y x", "x y z", "y x z", "z x y", "y z x", "x z y"};
    for (unsigned rule = 0; rule < 2 * EULER_ORDERS; rule++)
        guess_add(list, CAUSE_EULER,
                  arena_printf(list->arena, "R = R%.1s R%.1s R%.1s%s", orders[rule % EULER_ORDERS],
                               orders[rule % EULER_ORDERS] + 2, orders[rule % EULER_ORDERS] + 4,
                               rule < EULER_ORDERS ? "" : ", the nearer way around each axis"),
                  SWITCH_BLEND, BLEND_EULER + rule, 0);
}

static const char *const list_names[LIST_COUNT] = {"one list for the scene", "a mesh's list", "the hierarchy's order"};
static const char *const cut_names[] = {"entries are the identity", "entries are zero", "vertices are not skinned",
                                        "vertices are divided by the sum of their other weights"};

static struct guess *add_listed(struct guess_list *guesses, enum cause_index cause, const char *what, unsigned list,
                                enum pipeline_switch at, unsigned value, double number)
{
    const char *detail = arena_printf(guesses->arena, "%s, in %s", what, list_names[list]);
    struct guess *guess = guess_add(guesses, cause, detail, at, value, number);
    guess->variant.at[SWITCH_LIST] = (uint8_t)list;
    return guess;
}

void guess_add_cuts(struct guess_list *guesses, unsigned list, double bones)
{
    for (unsigned rule = CUT_IDENTITY; rule <= CUT_DIVIDED; rule++) {
        const char *what = arena_printf(guesses->arena, "from bone %g on %s", bones, cut_names[rule - 1]);
        guess_set(add_listed(guesses, CAUSE_BONES_CUT, what, list, SWITCH_CUT, rule, bones), PARAMETER_COUNT, bones);
    }
}

/* Mistakes with the number of a bone, which engines count in one order or another. */
static void add_lists(struct guess_list *guesses)
{
    static const double limits[] = {100, 128, 64, 85, 32, 50, 60, 256, 75, 150};
    for (unsigned list = 0; list < LIST_COUNT; list++) {
        for (unsigned rule = INDEX_SHIFTED; rule <= INDEX_CLAMPED; rule++)
            for (int places = 1; places >= -1; places -= 2)
                add_listed(guesses, CAUSE_INDEX_SHIFT, places > 0 ? "1 place on" : "1 place back", list, SWITCH_INDEX,
                           rule, places);
        add_listed(guesses, CAUSE_INDEX_PERMUTED, "in reverse", list, SWITCH_INDEX, INDEX_REVERSED, 0);
        for (unsigned rule = CUT_ZERO; rule <= CUT_DIVIDED; rule++)
            add_listed(guesses, CAUSE_IDS_AS_FLOATS,
                       arena_printf(guesses->arena, "ids but 0 are out of range: %s", cut_names[rule - 1]), list,
                       SWITCH_CUT, rule, 1);
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
            guess_add_cuts(guesses, list, limits[i]);
    }
}

/* Adds what becomes of influences once they are in their slots, in the order in which they come or by size. */
static void add_slots(struct guess_list *list)
{
    static const char *const orders[] = {" as they come", ""} /* by size */, *const rescaled[] = {"not rescaled",
                                                                                                  "rescaled"};
    static const char *const how[] = {
        "sorted without their bones", "all the same", "in reverse", "a slot on", "a slot back",
        "the first two swapped"};
    static const char *const which[] = {"first", "second", "third", "fourth", "last"};
    struct arena *arena = list->arena;
    for (unsigned order = 0; order < 2; order++) {
        unsigned by = order * SLOTS_BY_SIZE;
        for (unsigned rule = SLOTS_SORTED; rule <= SLOTS_SWAPPED; rule++)
            for (unsigned four = 0; four < (rule < SLOTS_REVERSED ? 1 : 2); four++)
                guess_add(list, CAUSE_SHUFFLED,
                          arena_printf(arena, "%s%s%s", how[rule - SLOTS_SORTED], orders[order],
                                       four ? ", of four slots" : ""),
                          SWITCH_SLOTS, rule, by + four * SLOTS_FOUR);
        for (unsigned k = 0; k < 2; k++) {
            for (unsigned most = 3; most > 0; most--) {
                const char *detail = arena_printf(arena, "the first %u%s are, %s", most, orders[order], rescaled[k]);
                guess_set(guess_add(list, CAUSE_INFLUENCE_DROPPED, detail, SWITCH_SLOTS, SLOTS_FIRST + k, by + most),
                          PARAMETER_COUNT, most);
            }
            for (unsigned slot = 0; slot < 10; slot++) {
                unsigned place = slot % 5, number = place == 4 ? SLOT_LAST : place;
                const char *detail = arena_printf(arena, "the %s%s is left out%s, %s", which[place], orders[order],
                                                  slot < 5 ? "" : ", but not an only one", rescaled[k]);
                guess_add(list, CAUSE_INFLUENCE_DROPPED, detail, SWITCH_SLOTS, SLOTS_WITHOUT + k,
                          by + number + (slot < 5 ? 0 : SLOTS_BUT_ONE));
            }
        }
    }
}

/* Adds a guess that turns one more switch. */
static void add_more(struct guess_list *list, const struct guess *guess, const char *what, enum pipeline_switch at,
                     unsigned value)
{
    const char *detail = guess->detail ? arena_printf(list->arena, "%s, %s", guess->detail, what) : what;
    struct guess *more = guess_add(list, guess->cause, NULL, at, value, 0);
    *more = *guess;
    more->detail = detail;
    more->variant.at[at] = (uint8_t)value;
}

/* Engines that look for two keys have none where there is one. */
static void add_singles(struct guess_list *list)
{
    for (uint32_t i = 0, count = list->count; i < count; i++) {
        const struct guess guess = list->guesses[i];
        if (guess.variant.at[SWITCH_MISSING])
            add_more(list, &guess, "one key counts as none", SWITCH_SINGLE, SINGLE_IGNORED);
    }
}

static bool has_slots(const struct scene *scene)
{
    bool has = false;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        has = has || scene->meshes[i].slots;
    return has;
}

/* Adds what becomes of influences as they come in the file, for programs that read it without an importer that lists
 * them bone after bone. */
static void add_file_slots(struct guess_list *list)
{
    for (uint32_t i = 0, count = list->count; i < count; i++) {
        struct guess guess = list->guesses[i];
        const unsigned rule = guess.variant.at[SWITCH_KEEP], number = (unsigned)guess.variant.number[SWITCH_SLOTS];
        const bool is_slot = guess.variant.at[SWITCH_SLOTS] && !(number & (SLOTS_BY_SIZE | SLOTS_FOUR));
        if (!is_slot && !(rule >= KEEP_FIRST_FOUR && rule <= KEEP_LARGE_RESCALED))
            continue;
        add_more(list, &guess, "in the order of the file", SWITCH_SLOTS_OF, SLOTS_OF_FILE);
    }
}

/* Influences that are chosen by weights which the file leaves with another sum than 1, and bytes that the shader
 * divides by their sum, or ought to. */
static void add_sums(struct guess_list *list)
{
    for (uint32_t i = 0, count = list->count; i < count; i++) {
        struct guess guess = list->guesses[i];
        bool is_bytes = guess.variant.at[SWITCH_BYTES];
        if (!guess.variant.at[SWITCH_KEEP] && !is_bytes)
            continue;
        if (is_bytes)
            guess.variant.at[SWITCH_KEEP] = KEEP_NOT_RESCALED;
        add_more(list, &guess, "of the file's own sums", SWITCH_SUMS, SUMS_OF_FILE);
    }
}

static bool has_filled(const struct diagnosis_input *input)
{
    bool has = false;
    for (uint32_t i = 0; input->clip && i < input->clip->channel_count && !has; i++) {
        const struct channel *channel = &input->clip->channels[i];
        for (int c = 0; c < COMPONENT_COUNT && channel->node != NO_INDEX; c++)
            has = has || sample_is_filled(&input->scene->nodes[channel->node], channel, (enum component)c);
    }
    return has;
}

/* Adds guesses of keys for programs that read the file without an importer that fills it up. */
static void add_unfilled(struct guess_list *list)
{
    static const uint8_t of_keys[] = {SWITCH_ADDITIVE, SWITCH_KEY_SCALE, SWITCH_TRANSLATION,
                                      SWITCH_ROTATION, SWITCH_SCALE,     SWITCH_QUATERNION};
    for (uint32_t i = 0, count = list->count; i < count; i++) {
        struct guess guess = list->guesses[i];
        bool is = guess.variant.at[SWITCH_KEY_AXES] || guess.variant.at[SWITCH_MISSING] ||
                  guess.variant.at[SWITCH_QUATERNION] > OF_REST;
        for (size_t k = 0; k < sizeof of_keys; k++)
            is = is || (guess.variant.at[of_keys[k]] > 0 && guess.variant.at[of_keys[k]] < OF_ALL);
        if (!is)
            continue;
        add_more(list, &guess, "where the file has keys", SWITCH_FILLED, FILLED_IGNORED);
    }
}

struct guess_list guesses_create(const struct diagnosis_input *input, struct arena *arena)
{
    struct guess_list list = {.arena = arena};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct guess_row *row = &rows[i];
        struct guess *guess = guess_add(&list, row->cause, row->detail, row->at, row->value, row->number);
        guess->is_alone = row->cause == CAUSE_QUANTISED;
        if (row->number != 0)
            guess_set(guess, row->at == SWITCH_KEEP ? PARAMETER_FACTOR : PARAMETER_COUNT, row->number);
    }
    if (input->sums_to_one)
        add_sums(&list);
    if (input->clip)
        guesses_add_times(input, &list);
    add_singles(&list);
    add_angles(&list);
    add_lists(&list);
    add_slots(&list);
    if (has_slots(input->scene))
        add_file_slots(&list);
    guesses_add_numbers(input, &list);
    add_scales(&list);
    add_axes(&list);
    if (has_filled(input))
        add_unfilled(&list);
    return list;
}
