#pragma once

#include "data/record/snapshot.h"
#include "generate/rig.h"

#define TRUTH_FORMAT "rigproof.truth/1"

/*
 * The pose of a settled rig by the glTF 2.0 specification alone, in double precision until it is rounded into the
 * snapshot: nodes of the shown scene, parents first, the palette of each mesh in the order of the nodes, and all
 * vertices with their normals. A node without a name is called "node N" by its place in the file. `clip` RIG_NONE: the
 * rest pose. In the rig's arena.
 */
struct pose_snapshot *truth_pose(const struct rig *rig, const char *model, int32_t clip, double time);

/* "rigproof.truth/1": the poses of the rig's shown clip at its times. */
void truth_write(const struct rig *rig, const char *model, struct text *out);
