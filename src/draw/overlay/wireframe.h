#ifndef RIGPROOF_DRAW_WIREFRAME_H
#define RIGPROOF_DRAW_WIREFRAME_H

#include "data/pose/palette.h"
#include "draw/overlay/overlay_primitives.h"

/*
 * The edges of one instance's posed triangles, each once: `skinned` is what the vertex shader made of its vertices. The
 * canvas is tested. False when memory runs out.
 */
bool wireframe_primitives(struct canvas *canvas, const struct mesh *mesh, const struct skinned *skinned);

#endif
