#ifndef RIGPROOF_ANIMATE_IN_PLACE_H
#define RIGPROOF_ANIMATE_IN_PLACE_H

#include "data/pose/pose.h"

/*
 * Holds a character where it is: removes the root's travel in the plane at right angles to the up axis, in scene space;
 * what it does along the up axis stays.
 *
 * The root is, of the nodes that a clip moves by translation, the one with most joints (scene_joints()) at and below it:
 * the topmost of a chain, and not the goal of a foot beside it; of equal ones the first. Keys less than 1e-5 of the longest
 * travel apart are one place. It has no bone above it that moves and holds vertices: a hand that slides on its arm is
 * no travel of the character, and held still in the scene it would come off.
 */
struct in_place {
    int32_t root; /* NO_INDEX: nothing travels */
    int up_axis;
    double home[3]; /* where the root is to stay, scene space */
};

int32_t in_place_root(const struct scene *scene, const struct clip *const *clips, uint32_t clip_count,
                      struct arena *arena);

/* Where the root is in the pose, scene space. */
void in_place_position(const struct scene *scene, const struct pose *pose, uint32_t root, double out[3]);

/* Moves the root to `home`, apart from the up axis. Left alone where its parents are flat. */
void in_place_hold(const struct in_place *in_place, const struct scene *scene, struct pose *pose);

#endif
