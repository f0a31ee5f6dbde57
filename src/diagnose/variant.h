#pragma once

#include "diagnose/diagnose.h"

/*
 * A variant of the pipeline from clip and time to skinned vertices: the right one, or one with mistakes in it. Every
 * place where a mistake can be made is a switch; 0 is right.
 */

enum pipeline_switch {
    SWITCH_CLIP,         /* what plays */
    SWITCH_TIME,         /* AT_SECONDS: number, clip time */
    SWITCH_RESAMPLE,     /* AT_RATE: keys are replaced by samples at that rate, number a second */
    SWITCH_KEYS,         /* how exactly keys are kept: KEYS_BITS: number of bits */
    SWITCH_CURVES,       /* how is interpolated */
    SWITCH_TANGENTS,     /* of cubic curves */
    SWITCH_EARLY,        /* before a component's first key */
    SWITCH_LATE,         /* after a component's last key */
    SWITCH_EASE,         /* of the share of the way between two keys */
    SWITCH_BLEND,        /* of two rotations */
    SWITCH_SIDE,         /* q or -q */
    SWITCH_NORMALISE,    /* of cubic rotations */
    SWITCH_QUATERNION,   /* the order of its numbers */
    SWITCH_MISSING,      /* a component that a channel lacks */
    SWITCH_SINGLE,       /* a component of one key */
    SWITCH_FILLED,       /* a component of one key that is the rest pose's: an importer may have put it there */
    SWITCH_ROTATION,     /* of what is keyed */
    SWITCH_TRANSLATION,
    SWITCH_SCALE,
    SWITCH_ADDITIVE,     /* what is keyed comes on top of the rest pose */
    SWITCH_KEY_SCALE,    /* BY_FACTOR: keyed translations are multiplied by number; REST_BY_FACTOR: all others are */
    SWITCH_KEY_AXES,     /* a change of axes of keys alone: of those that number says */
    SWITCH_ORDER,        /* of translation, rotation, scale */
    SWITCH_LOCAL,        /* MATRIX_... of local matrices */
    SWITCH_LOCAL_AXES,   /* a change of units or axes of local matrices alone: vertices and offsets keep theirs */
    SWITCH_PIVOTS,       /* nodes `..._$AssimpFbx$_...` that no channel moves */
    SWITCH_NODES,        /* which nodes count */
    SWITCH_PARENT,
    SWITCH_COMPENSATE,   /* the parent's scale is taken out again */
    SWITCH_STALE,        /* which of the parent's globals */
    SWITCH_LEFT,         /* a constant on the left of all */
    SWITCH_CONJUGATE,    /* a change of units or axes: C M C^-1 */
    SWITCH_GLOBAL,       /* MATRIX_... of globals */
    SWITCH_JOINT,        /* which node a bone's name means */
    SWITCH_CHANNEL,      /* which channel moves a node */
    SWITCH_OFFSET_OF,    /* whose */
    SWITCH_OFFSET,
    SWITCH_OFFSET_SCALE, /* BY_FACTOR: offsets' translations are multiplied by number */
    SWITCH_PRODUCT,      /* of global and offset */
    SWITCH_ROOT,         /* inverse root transform */
    SWITCH_MESH_NODE,
    SWITCH_PALETTE,      /* MATRIX_... of palette entries */
    SWITCH_INDEX,        /* whose entry */
    SWITCH_SKIN,         /* the first of those that vertices alone show: */
    SWITCH_LIST = SWITCH_SKIN, /* in which order bones are counted */
    SWITCH_CUT,          /* bones from `number` on */
    SWITCH_SUMS,         /* of a vertex's weights, where the reference divides by them */
    SWITCH_KEEP,         /* which influences of a vertex are kept */
    SWITCH_SLOTS_OF,     /* in whose order they come */
    SWITCH_SLOTS,        /* what becomes of those, in the order in which they come */
    SWITCH_BYTES,        /* weights as bytes */
    SWITCH_IDS,
    SWITCH_MESH_AXES,    /* a change of axes of the mesh's vertices alone */
    SWITCH_NORMAL,
    SWITCH_MORPH,
    SWITCH_BLENDING,     /* of a vertex's matrices */
    SWITCH_PLACE,        /* what skinned vertices are multiplied by */
    SWITCH_COUNT
};

enum { /* values, by switch; a comment speaks of those below it, in their order */
    CLIP_REST = 1, CLIP_NUMBER,
    AT_SECONDS = 1,
    AT_RATE = 1,
    BY_FACTOR = 1, REST_BY_FACTOR,
    /* half floats; rotations of so many bits with a sign, others of so many in the range of their channel */
    KEYS_HALF = 1, KEYS_BITS,
    CURVES_STEP_AS_LINEAR = 1, CURVES_LINEAR_AS_STEP, CURVES_NEAREST, CURVES_CUBIC_AS_LINEAR, CURVES_CUBIC_AS_STEP,
    /* of the keys' matrices; straight lines, whatever the file has */
    CURVES_MATRIX, CURVES_LINEAR,
    /* the first of the three of a cubic key, and linear */
    CURVES_TANGENTS_AS_KEYS,
    CURVES_NEXT, CURVES_ROTATION_AS_STEP, CURVES_TRANSLATION_AS_STEP,
    /* the last: out by 1 - u, in by u */
    TANGENTS_RAW = 1, TANGENTS_DROPPED, TANGENTS_SWAPPED, TANGENTS_BY_U, TANGENTS_NEGATED,
    /* those of the other end of the interval, not those of the same key; both by u */
    TANGENTS_EXCHANGED, TANGENTS_BY_SHARE,
    /* of the first two keys; blended from the identity at time 0; as without keys */
    EARLY_LINE = 1, EARLY_IDENTITY, EARLY_REST,
    /* the last key */
    EARLY_LAST, EARLY_CURVE,
    /* of the last two keys; of the first two; as without keys; the keys again */
    LATE_LINE = 1, LATE_FIRST_LINE, LATE_REST, LATE_REPEAT,
    /* the first key */
    LATE_FIRST, LATE_CURVE,
    EASE_SMOOTH = 1, EASE_SMOOTHER, EASE_SINE, EASE_IN, EASE_OUT,
    BLEND_NLERP = 1, BLEND_NLERP_NEAR, BLEND_LERP_NEAR, BLEND_LERP,
    /* number by number of rotation matrices, and a quaternion of that again; one that is not normalised */
    BLEND_MATRIX, BLEND_MATRIX_CAST,
    /* and those after it: of angles, in an order of axes; from there on the nearer way around each */
    BLEND_EULER, EULER_ORDERS = 6,
    /* as stored, by the angle of the shorter way */
    SIDE_AS_STORED = 1, SIDE_LONG, SIDE_ANGLE,
    NORMALISE_NOT = 1,
    QUATERNION_W_FIRST = 1, QUATERNION_W_LAST, QUATERNION_CONJUGATED,
    /* the identity's or, with the last, zero: bits by enum component */
    MISSING_TRANSLATION = 1, MISSING_ROTATION = 2, MISSING_SCALE = 4, MISSING_IDENTITY = 7, MISSING_AS_ZERO = 16,
    SINGLE_IGNORED = 1,
    FILLED_IGNORED = 1,
    ROTATION_REST = 1, ROTATION_IDENTITY,
    /* all but the topmost that is keyed */
    TRANSLATION_REST = 1, TRANSLATION_ZERO, TRANSLATION_ROOT_ONLY,
    /* of the topmost alone; all of it but y, or z */
    TRANSLATION_ROOT, TRANSLATION_ROOT_Y, TRANSLATION_ROOT_Z,
    SCALE_ONE = 1, SCALE_REST,
    ORDER_TSR = 1, ORDER_SRT, ORDER_RTS, ORDER_STR, ORDER_RST,
    /* added to QUATERNION_, MISSING_, ROTATION_, TRANSLATION_, SCALE_ or ORDER_: of all nodes, keyed or not */
    OF_ALL = 8,
    /* added to QUATERNION_: of the rest pose, and of no keys */
    OF_REST = 16,
    KEYS_ALL = 0, KEYS_TRANSLATION, KEYS_ROTATION,
    /* rest x keyed; keyed x rest; each component on its own; one of them alone */
    ADDITIVE_LEFT = 1, ADDITIVE_RIGHT, ADDITIVE_PARTS, ADDITIVE_TRANSLATION, ADDITIVE_ROTATION, ADDITIVE_ROTATION_RIGHT,
    /* of rotation and scale, as Maya has it; of the translation too */
    COMPENSATE_TURN = 1, COMPENSATE_ALL,
    /* of rotation and scale all that is above, as it comes down */
    COMPENSATE_ABOVE,
    /* all sixteen numbers; the upper 3x3 */
    MATRIX_TRANSPOSED = 1, MATRIX_TURNED,
    /* the upper 3x3, without the translation: all sixteen where three rows are kept */
    MATRIX_LINEAR,
    /* all sixteen, and vertices are divided by the w that they get, as a picture's are; normals are right; both */
    MATRIX_DIVIDED, MATRIX_POSITION, MATRIX_POSITION_DIVIDED,
    /* without scale and shear, as it comes back from a rotation and a translation */
    MATRIX_RIGID,
    /* those that a repair holds at the identity */
    PIVOTS_DROPPED = 1, PIVOTS_TWICE, PIVOTS_KEPT,
    /* the third: as parents of bones */
    NODES_ANIMATED = 1, NODES_BONES, NODES_PARENTS,
    PARENT_RIGHT = 1,
    /* at number seconds of the clip; each generation number seconds more; the parent at number seconds and none
     * above it */
    STALE_REST = 1, STALE_IDENTITY, STALE_TIME, STALE_EACH, STALE_TWO,
    /* not the parent, but the bone's own in its palette entries, at number seconds */
    STALE_ENTRY,
    /* AXES + one of SIGNED_PERMUTATIONS; a scale of number; `left` of SWITCH_LEFT */
    AXES = 1, UNIFORM = 100, LEFT_MATRIX,
    JOINT_FIRST = 1, JOINT_LAST,
    /* the first of a name, all nodes of that name; that of node `number`; `channels` */
    CHANNEL_BY_NAME = 1, CHANNEL_OF_NODE, CHANNEL_LIST,
    /* likewise all of another node's local transform, also what is not keyed */
    LOCAL_OF_NODE, LOCAL_LIST,
    /* that of binding `number` */
    OFFSET_SHIFTED = 1, OFFSET_FIRST, OFFSET_LAST, OFFSET_LIST, OFFSET_NUMBER,
    /* the last: without its translation */
    OFFSET_NONE = 1, OFFSET_TRANSPOSED, OFFSET_TURNED, OFFSET_LINEAR, OFFSET_INVERTED, OFFSET_REST, OFFSET_REST_MESH,
    OFFSET_STILL,
    PRODUCT_REVERSED = 1,
    ROOT_EXTRA = 1, ROOT_MISSING, ROOT_TWICE,
    /* inverse of the root as it is posed; of the topmost bone at rest, and posed; of the node above that */
    ROOT_NOW, ROOT_BONE, ROOT_BONE_NOW, ROOT_ABOVE,
    /* of the topmost node above the bone but the scene's own root, at rest; twice */
    ROOT_TOP, ROOT_TOP_TWICE,
    /* on the left; on the right, as a bind shape */
    MESH_NODE_EXTRA = 1, MESH_NODE_INVERSE, MESH_NODE_BIND, MESH_NODE_BIND_INVERSE,
    /* its local transform on the left of the skeleton, below the node above that */
    MESH_NODE_BELOW,
    /* by number, with nothing at an end, or around it, or the last there once more */
    INDEX_SHIFTED = 1, INDEX_TURNED, INDEX_CLAMPED, INDEX_REVERSED, INDEX_LIST,
    /* one for the scene, as meshes bind them; each mesh's own; one, as nodes come */
    LIST_SCENE = 0, LIST_MESH, LIST_HIERARCHY, LIST_COUNT,
    /* a vertex with such a bone stays where the mesh has it; is divided by the sum of the weights that are left */
    CUT_IDENTITY = 1, CUT_ZERO, CUT_RAW, CUT_DIVIDED,
    SUMS_OF_FILE = 1, SUMS_DIVIDED,
    /* above number, of those the first four */
    KEEP_FIRST_FOUR = 1, KEEP_FIRST_FOUR_RESCALED, KEEP_LARGE, KEEP_LARGE_RESCALED,
    /* the largest four of those, rescaled; the largest; to the sum of all */
    KEEP_LARGE_MOST, KEEP_NOT_RESCALED, KEEP_RESCALED,
    /* weights; ids stay */
    SLOTS_SORTED = 1, SLOTS_SAME, SLOTS_REVERSED, SLOTS_TURNED, SLOTS_TURNED_BACK, SLOTS_SWAPPED,
    /* so many; all but one: number is */
    SLOTS_FIRST, SLOTS_FIRST_RESCALED, SLOTS_WITHOUT, SLOTS_WITHOUT_RESCALED,
    /* empty ones, too; an only one stays */
    /* influences come as the file has them, also those without a weight, not bone after bone */
    SLOTS_OF_FILE = 1,
    SLOT = 15, SLOT_LAST = 15, SLOTS_BY_SIZE = 16, SLOTS_FOUR = 32, SLOTS_BUT_ONE = 64,
    BYTES_ROUNDED = 1, BYTES_ROUNDED_RESCALED, BYTES_CUT, BYTES_CUT_RESCALED, BYTES_TIMES_255, BYTES_ROUNDED_TIMES_255,
    /* divided by 256 */
    BYTES_CUT_TIMES_255, BYTES_BY_256,
    IDS_ZERO = 1, IDS_NEIGHBOUR, IDS_NONE, IDS_SCENE_ZERO,
    /* none: the mesh's node moves them */
    IDS_NODE,
    NORMAL_BY_POSITION = 1, NORMAL_UNSKINNED, NORMAL_BY_LAST,
    MORPH_AFTER = 1, MORPH_NONE,
    /* dual quaternions; without scales; matrices */
    BLENDING_DUAL = 1, BLENDING_RIGID, BLENDING_LINEAR,
    /* without scales, of rotations by the columns of entries and not by their polar decomposition */
    BLENDING_COLUMNS,
    PLACE_MESH_NODE = 1, PLACE_MESH_NODE_INVERSE, PLACE_MESH_LOCAL, PLACE_ROOT_INVERSE,
};

enum { SIGNED_PERMUTATIONS = 48 };

/* Column-major, column vectors; the last row is anything. */
struct matrix {
    double at[4][4];
};
extern const struct matrix matrix_identity;
struct matrix matrix_mul(const struct matrix *a, const struct matrix *b);
struct matrix matrix_transposed(const struct matrix *m);
struct matrix matrix_inverse(const struct matrix *m); /* of an affine one; of a flat one NaN */
struct matrix matrix_from(const float (*m)[4]);
struct matrix matrix_axes(uint32_t permutation); /* below SIGNED_PERMUTATIONS; 0 is the identity */
double matrix_determinant(const struct matrix *m);
/* Its translation, rotation or scale alone, or several of them (bits by enum component); shear is lost. */
enum { COMPONENTS_ALL = (1 << COMPONENT_COUNT) - 1 };
struct matrix matrix_components(const struct matrix *m, unsigned components);
/* The product of translation, rotation and scale in one of their orders (ORDER_, 0: as it should be). */
struct matrix matrix_from_parts(const double t[3], const double q[4], const double s[3], unsigned order);
struct matrix transform_components(const struct transform *transform, unsigned components);

/* The columns of a quaternion's rotation; of any length, as engines have them. And the quaternion of columns by its
 * largest number: no unit quaternion where they are no rotation. */
void quaternion_columns(const double q[4], double out[3][3]);
void quaternion_cast(const double c[3][3], double out[4]);

struct variant {
    uint8_t at[SWITCH_COUNT];
    double number[SWITCH_COUNT];
    /* of OFFSET_LIST or INDEX_LIST: [binding_count] the binding whose it is, NO_INDEX: not known */
    const int32_t *list;
    const int32_t *channels;   /* of CHANNEL_LIST, LOCAL_LIST: [node_count] the node whose it is */
    const struct matrix *left; /* of LEFT_MATRIX */
    /* [node_count] what a node and its entries do instead, NULL: as all; or NULL */
    const struct variant *const *of_node;
};

/* `out` may be `a`. False where both turn one switch, or one of them does something else at some nodes and the other is
 * not right. */
bool variant_join(const struct variant *a, const struct variant *b, struct variant *out);

/* Translation, rotation, scale as keyed, and what became of them. */
struct local_parts {
    double translation[3], rotation[4], scale[3];
    struct matrix matrix;
    bool is_keyed, has_rotation, is_topmost; /* by a channel: anything, a rotation; a translation, and no node above */
};

/* A replay of one variant after another. Nothing is computed before it is asked for. */
struct replay;
struct replay *replay_create(const struct diagnosis_input *input, struct arena *arena);
void replay_set(struct replay *replay, const struct variant *variant);

/* From now on a node's parent has that global, [node_count], so that each node is computed on its own; NULL: the
 * replay's. */
void replay_force_parents(struct replay *replay, const struct matrix *globals);

/* Theirs, in place of what the variant makes now of a node or a binding; NULL: the variant's. Each list may be NULL. */
struct given {
    const struct matrix *const *locals, *const *globals; /* [node_count] */
    const struct matrix *const *entries;                 /* [binding_count] */
};
void replay_give(struct replay *replay, const struct given *given);

/* Locals hold these components alone from now on. */
void replay_keep_components(struct replay *replay, unsigned components);

/* The reference's clip time: wrapped. */
double replay_seconds(const struct replay *replay);

const struct local_parts *replay_local(struct replay *replay, uint32_t node);
struct matrix replay_placed_local(struct replay *replay, uint32_t node); /* with a change of units or axes in it */
struct matrix replay_global(struct replay *replay, uint32_t node);

/* False where the variant does not say. */
bool replay_entry(struct replay *replay, uint32_t binding, struct matrix *out);

/* Weights half-way between two bytes are rounded otherwise from now on, for whose sums were rounded otherwise: as
 * they are, up, down. False: there are no bytes. */
enum { TIES_COUNT = 3 };
bool replay_turn_ties(struct replay *replay);

enum { INFLUENCES_MOST = 64 };
struct influences {
    uint32_t count;
    uint32_t bones[INFLUENCES_MOST];
    double weights[INFLUENCES_MOST];
};

/* The influences of a vertex, bone after bone unless the variant orders them; false where the variant does not say. */
bool replay_influences(const struct replay *replay, const struct mesh *mesh, uint32_t vertex, struct influences *out);

/* A vertex of an instance; false where the variant does not say. */
bool replay_vertex(struct replay *replay, uint32_t instance, uint32_t vertex, double position[3], double normal[3]);

/* Returns how long a list of bones is, for one of the mesh's, and where a binding's bone stands in it. */
uint32_t replay_list_length(const struct replay *replay, unsigned list, uint32_t binding);
uint32_t replay_place(const struct replay *replay, unsigned list, uint32_t binding);

/* At rest, by the right variant. */
const struct matrix *replay_rest(const struct replay *replay, uint32_t node);
