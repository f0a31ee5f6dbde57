#pragma once

#include "data/scene/pose.h"

/*
 * Several local poses as one, by weight, node by node:
 * - Translation, scale and morph weights: the weighted mean.
 * - Rotation of exactly two: slerp at the second's share of the weight (K. Shoemake, "Animating rotation with
 *   quaternion
 *   curves", 1985), whose constant angular speed a cross-fade shows.
 * - Rotation of three and more: each quaternion turned to the side of the heaviest (q and -q are one rotation; of
 *   equally
 *   heavy ones the first), the weighted sum, normalised. Unlike slerp after slerp it does not depend on the order.
 * - Where all matrices are equal, that transform and its matrix (which may hold shear) are taken as they are.
 */
struct blend_input {
    const struct pose *pose;
    double weight; /* >= 0; those with 0 count for nothing, not even as one of two */
};

/*
 * Writes the local parts of every node and all morph weights. Weights count relative to their sum, which must not be 0;
 * where only one is not 0, the result is that pose bit by bit. `out` is none of the inputs. In double, rounded once.
 */
void blend_poses(const struct blend_input *inputs, uint32_t count, struct pose *out);

/*
 * An additive layer: what a clip does beyond a reference (its first frame, the rest pose or the bind pose), put on top
 * of a pose with a weight w, any number. Per node, local:
 * - rotation: base * delta^w with delta = reference^-1 * clip; delta^w is slerp from the identity, so along the
 *   shortest
 *   arc. The delta is applied first, in the bone's own axes: on top of the reference itself, w = 1 gives the clip.
 * - translation: base + w (clip - reference), in the parent's axes, as translations are.
 * - scale: base * (clip / reference)^w per axis. Where the quotient is not positive (a mirror, a zero) no power of it
 *   is
 *   a scale: base + w (clip - reference).
 * - morph weights: base + w (clip - reference).
 * Nodes whose clip and reference are equal stay as they are, bit by bit; so do all at w = 0.
 */
void additive_pose(const struct pose *reference, const struct pose *clip, double weight, struct pose *pose);

/*
 * Masks give a bone and all nodes below it to another clip. They may lie in each other: a node belongs to the nearest
 * mask at or above it, whatever the order in which they are listed. owners[node_count]: the mask that each node
 * belongs to, or NO_INDEX; to begin with, as set for the masks' bones, each of which is there once.
 */
void mask_spread(const struct scene *scene, int32_t *owners);

/* Copies the local parts of the mask's nodes, and the morph weights of the instances on them, bit by bit. */
void mask_apply(const struct scene *scene, const int32_t *owners, int32_t mask, const struct pose *from,
                struct pose *out);

/*
 * Holds a character where it is: removes the root's travel in the plane at right angles to the up axis, in scene space;
 * what it does along the up axis stays.
 *
 * The root is, of the nodes that a clip moves by translation, the one with most joints (scene_joints()) at and below
 * it: the topmost of a chain, and not the goal of a foot beside it; of equal ones the first. Keys less than 1e-5 of
 * the longest travel apart are one place. It has no bone above it that moves and holds vertices: a hand that slides on
 * its arm is no travel of the character, and held still in the scene it would come off.
 */
struct in_place {
    int32_t root; /* NO_INDEX: nothing travels */
    int up_axis;
    double home[3]; /* where the root is to stay, scene space */
};

int32_t in_place_root(const struct scene *scene, const struct clip *const *clips, uint32_t clip_count,
                      struct arena *arena);

/* Finds where the root is in the pose, scene space. */
void in_place_position(const struct scene *scene, const struct pose *pose, uint32_t root, double out[3]);

/* Moves the root to `home`, apart from the up axis. Left alone where its parents are flat. */
void in_place_hold(const struct in_place *in_place, const struct scene *scene, struct pose *pose);
