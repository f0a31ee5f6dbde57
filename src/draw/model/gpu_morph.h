#ifndef RIGPROOF_DRAW_GPU_MORPH_H
#define RIGPROOF_DRAW_GPU_MORPH_H

#include "draw/renderer.h"

/*
 * Morph targets in GL's memory, as shaders/morph.glsl reads them. The deltas of a mesh are a buffer texture that stays;
 * the weights of all instances are one that goes up with the palette: a first and a count for each instance, then the
 * targets whose weight is not 0.
 */

/* Of a mesh with targets: fills its morph_buffer and morph_texture. False with err set when GL cannot hold them. */
bool morph_upload_deltas(const struct renderer *renderer, const struct mesh *mesh, struct gpu_mesh *out,
                         struct error *err);

/* For the draws that follow. Does nothing for a scene without targets. */
bool morph_upload_weights(struct renderer *renderer, const struct scene *scene, const struct palette *palette,
                          struct error *err);

/* Binds the deltas and sets the uniforms of an instance. Does nothing for a mesh without targets. */
void morph_bind(const struct gpu_model *model, uint32_t instance, const struct program *program);

#endif
