#ifndef RIGPROOF_DRAW_WIREFRAME_H
#define RIGPROOF_DRAW_WIREFRAME_H

#include "data/palette.h"
#include "draw/marks.h"

/*
 * The edges of one instance's posed triangles, each once: `skinned` is what the vertex shader made of its vertices. The
 * canvas is tested. False when memory runs out.
 */
bool wireframe_marks(struct canvas *canvas, const struct mesh *mesh, const struct skinned *skinned);

#endif
