#pragma once

#include "draw/renderer/frame_state.h"

/* What is known of a frame before it is drawn, from the palette and what bones hold: spares work, changes no pixel. */

/* The part of the picture outside of which nothing is drawn: the whole of it where that is not known (overlays, the
 * user's shaders, other than linear skinning, a mesh that reaches behind the camera). May be empty. */
struct rectangle frame_scissor(const struct frame *frame);

/*
 * 1 where no vertex of the instance, of any member of the crowd, is turned inside out by its bones, -1 where all are:
 * GL can leave the back of its triangles out then. 0 where they differ or that is not known.
 */
int frame_winding(const struct frame *frame, uint32_t instance);
