#ifndef RIGPROOF_ANIMATE_MORPHS_H
#define RIGPROOF_ANIMATE_MORPHS_H

#include "data/pose/pose.h"
#include "data/scene/scene.h"

/*
 * Writes the morph weights at `time` (seconds, already wrapped) of the instances on the nodes that the clip's morph
 * channels move into pose->morph_weights; other weights are left alone, so a pose that was reset once stays right while one
 * clip plays, and of several clips each can be sampled into a pose of its own and blended, weight by weight.
 *
 * Steps, lines and cubics are as in tracks_sample(); before the first key and after the last these hold. A weight may be any
 * number: nothing is clamped. Of a mesh with more targets than the channel the rest keep theirs; of two channels that
 * move one node the last counts. The result depends on clip and time alone, bit for bit.
 */
void morphs_sample(const struct scene *scene, const struct clip *clip, double time, struct pose *pose);

#endif
