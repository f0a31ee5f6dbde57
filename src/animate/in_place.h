#ifndef RIGPROOF_ANIMATE_IN_PLACE_H
#define RIGPROOF_ANIMATE_IN_PLACE_H

#include "data/pose.h"

/*
 * Holds a character where it is: removes the root's travel in the plane at right angles to the up axis, in scene space;
 * what it does along the up axis stays.
 *
 * The root is the topmost node (of equally high ones the first) that a clip moves by translation, its keys not all being
 * one place, and that is a bone or has one below it; in a scene without bones any node.
 */
struct in_place {
    int32_t root; /* NO_INDEX: nothing travels */
    int up_axis;
    double home[3]; /* where the root is to stay, scene space */
};

int32_t in_place_root(const struct scene *scene, const struct clip *const *clips, uint32_t clip_count);

/* Where the root is in the pose, scene space. */
void in_place_position(const struct scene *scene, const struct pose *pose, uint32_t root, double out[3]);

/*
 * Changes the root's local translation so that its place in scene space is that of `home`, apart from the up axis. Left
 * alone where it is there already, or where its parents are flat.
 */
void in_place_hold(const struct in_place *in_place, const struct scene *scene, struct pose *pose);

#endif
