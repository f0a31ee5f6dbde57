#ifndef RIGPROOF_DRAW_SKELETON_OVERLAY_H
#define RIGPROOF_DRAW_SKELETON_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "data/pose/pose.h"
#include "data/image/frame_settings.h"
#include "draw/overlay/overlay_primitives.h"

/*
 * The skeleton overlay as triangles, made on the CPU in a fixed order: links from parent to child, then joints, then
 * the selected node. Shown are the joints (scene_joints(): the bones, or what comes nearest to them) and the nodes between
 * two joints.
 *
 * A leaf is drawn to its `_end` node where the file has one, with a small joint there; else it gets a stub, which goes on
 * in its link's direction by a third of its length at rest, and turns with the bone. The link to an offset bone, one that does not begin where its parent
 * ends, is dashed. Joints of short links are smaller. What is behind the camera's near plane is cut off.
 */

/*
 * Appends the skeleton's triangles. Widths are in pixels of the image: a link is 2 to 3 wide with a dark rim of 1.
 * False when memory runs out.
 */
bool skeleton_primitives(const struct scene *scene, const struct pose *pose, const mat4 scene_to_clip,
                    uint32_t width, uint32_t height, int32_t selected_node, struct primitives *primitives);

/*
 * Where a bone ends. A file says only where it begins, so this is read off the rest pose: a bone ends where its one child
 * begins; of several, where the one begins that goes straightest on in the direction from its parent; at the top, where
 * there is no such direction, the one with most nodes below it. Another child is offset when it begins elsewhere, by more
 * than 1/20 of the bone's length.
 */
struct bone_end {
    bool has_child; /* one that is shown */
    bool is_offset; /* from its parent's end */
    int32_t end;    /* of a leaf: its child whose name says that it is the end, itself not shown; else NO_INDEX */
    bool has_stub;  /* a leaf without an end, on a link */
    vec3 stub;      /* to where, in the bone's space */
};

/* ends[node_count]. False when memory runs out. */
bool skeleton_ends(const struct scene *scene, const bool *shown, struct bone_end *ends);

/* The parent that a node is linked to, both of them shown, or NO_INDEX. */
int32_t skeleton_parent(const struct scene *scene, const bool *shown, uint32_t node);

/* "head_end", "Head_End", "EndSite_head". */
bool skeleton_is_end(const char *name);

/* shown[node_count]: which nodes the overlay shows. False when memory runs out. */
bool skeleton_shown(const struct scene *scene, bool *shown);

#endif
