#ifndef RIGPROOF_ANIMATE_ADDITIVE_H
#define RIGPROOF_ANIMATE_ADDITIVE_H

#include "data/pose/pose.h"

/*
 * An additive layer: what a clip does beyond a reference (its first frame, the rest pose or the bind pose), put on top of a pose with a
 * weight w, any number. Per node, local:
 * - rotation: base * delta^w with delta = reference^-1 * clip; delta^w is slerp from the identity, so along the shortest
 *   arc. The delta is applied first, in the bone's own axes: on top of the reference itself, w = 1 gives the clip.
 * - translation: base + w (clip - reference), in the parent's axes, as translations are.
 * - scale: base * (clip / reference)^w per axis. Where the quotient is not positive (a mirror, a zero) no power of it is
 *   a scale: base + w (clip - reference).
 * - morph weights: base + w (clip - reference).
 * Nodes whose clip and reference are equal stay as they are, bit by bit; so do all at w = 0.
 */
void additive_pose(const struct pose *reference, const struct pose *clip, double weight, struct pose *pose);

#endif
