#ifndef RIGPROOF_DRAW_SKELETON_H
#define RIGPROOF_DRAW_SKELETON_H

#include <stdbool.h>
#include <stddef.h>

#include "data/pose.h"
#include "data/shot.h"

/*
 * The skeleton overlay as triangles, made on the CPU in a fixed order: links from parent to child, then joints, then
 * the selected node. Shown are the nodes that are bones and those between two bones; in a model without bones, the
 * nodes that carry meshes and those between them. A leaf gets a stub that goes on in its link's direction by a third
 * of its length. Joints of short links are smaller. What is behind the camera's near plane is cut off.
 */

struct mark_vertex {
    float x, y;       /* clip space, -1..1 inside the picture */
    float color[4];   /* sRGB-encoded, straight alpha */
};

struct marks {
    struct mark_vertex *vertices; /* malloc'd; three a triangle */
    size_t count;
    size_t capacity;
};

/*
 * Appends the skeleton's triangles. Widths are in pixels of the image: a link is 2 to 3 wide with a dark rim of 1.
 * False when memory runs out.
 */
bool skeleton_marks(const struct scene *scene, const struct pose *pose, const mat4 scene_to_clip,
                    uint32_t width, uint32_t height, int32_t selected_node, struct marks *marks);

void marks_release(struct marks *marks);

/* shown[node_count]: which nodes the overlay shows. False when memory runs out. */
bool skeleton_shown(const struct scene *scene, bool *shown);

#endif
