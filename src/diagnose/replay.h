#pragma once

#include "diagnose/variant.h"

/* All nodes at one time of the clip; what has another stamp was not computed yet. */
struct frame {
    double seconds;
    bool is_stale; /* the globals of the time before */
    uint32_t stamp;
    uint32_t *local_stamps, *global_stamps;
    struct local_parts *locals;
    struct matrix *globals;
};

enum { MOVES = 1, MOVES_WITH_PARENT = 2 };

struct clip_channels {
    const struct channel **of_node; /* [node_count] or NULL where none moves it; NULL: not looked up yet */
    const struct channel **of_name; /* [node_count] the first that moves a node of that name, by the first of these */
    uint8_t *moves; /* [node_count] bits: MOVES, its translation is moved; MOVES_WITH_PARENT, one's above it is */
};

/* A change of axes or units and its inverse. */
struct turned {
    struct matrix there, back;
};

struct replay {
    const struct diagnosis_input *input;
    const struct scene *scene;
    struct arena *arena;
    struct variant variant;
    /* [node_count] those of `variant` on top of the input's base; NULL: not asked for */
    const struct variant **of_node;
    struct variant *of_node_on_base;
    struct frame now, before;
    const struct matrix *forced;    /* [node_count] globals that parents have, or NULL */
    struct given given;
    unsigned components;            /* that locals hold, by bits; 0: all */
    struct clip_channels *channels; /* [clip_count + 1]: the last is input->clip's, which need not be the scene's */
    struct matrix *rest;            /* [node_count] globals */
    struct matrix *offsets;         /* [binding_count] */
    unsigned ties;                  /* below TIES_COUNT */
    uint32_t *places[LIST_COUNT];   /* [binding_count] of its bone in a list */
    int32_t *at_place[LIST_COUNT];  /* [bone_count] its first binding; of LIST_MESH neither is used */
    uint32_t bone_count;
    int32_t *first_of_bone, *last_of_bone; /* [binding_count] the first and the last binding of its node in the scene */
    int32_t *first_of_name, *last_of_name; /* [node_count] nodes of that name */
    uint32_t *chain;                /* [node_count] a path to the root */
    bool *is_bone;                  /* [node_count] of a skinned mesh */
    uint32_t *entry_stamps;         /* [binding_count] as those of frames */
    struct matrix *entries;
    bool *is_said;
    struct turned left, conjugate, local_axes, mesh_axes; /* of `variant` */
};

/* Returns whether the variant has no room for it. */
bool replay_is_cut(const struct replay *replay, uint32_t binding);

/* A node, and the entries that follow it, may have mistakes of their own: that variant, or the replay's. */
const struct variant *replay_variant_at(const struct replay *replay, uint32_t node);

const struct instance *replay_instance_of(const struct replay *replay, uint32_t binding);
uint32_t replay_joint_of(const struct replay *replay, uint32_t node); /* the node that a bone's name means */
struct matrix replay_twisted(const struct matrix *m, unsigned rule);  /* MATRIX_... */

/* Applies what is common to globals and entries, and to locals, of which only the topmost ones stand to the right of a
 * constant. */
struct matrix replay_placed(const struct replay *replay, const struct variant *variant, bool is_below, struct matrix m);

/* A global from the nearest that is known downwards; not placed. */
struct matrix replay_global_in(struct replay *replay, struct frame *frame, uint32_t node);
