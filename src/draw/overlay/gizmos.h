#ifndef RIGPROOF_DRAW_GIZMOS_H
#define RIGPROOF_DRAW_GIZMOS_H

#include "data/bounds.h"
#include "draw/overlay/overlay_primitives.h"

/* Overlays that show the scene's space rather than the model, and words. */

/* The twelve edges of the box; `opacity` 0 to 1. */
void bounds_primitives(struct canvas *canvas, const struct bounds *bounds, float opacity);

/* Arrows along +x (red), +y (green), +z (blue) from the origin, each with its letter. */
void axes_primitives(struct canvas *canvas, float length);

/* How many picture pixels a pixel of the font is: 1 below 512, else a 256th of the picture's smaller side. */
int label_scale(uint32_t width, uint32_t height);

/*
 * Text in the upper left corner, white with a black shadow one font pixel to the lower right; lines are parted by '\n',
 * each is cut to the picture's width, with ".." where something is missing.
 */
void label_primitives(struct canvas *canvas, const char *text);

#endif
