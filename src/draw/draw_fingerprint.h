#ifndef RIGPROOF_DRAW_DRAW_FINGERPRINT_H
#define RIGPROOF_DRAW_DRAW_FINGERPRINT_H

#include "base/arena.h"
#include "data/result/fingerprint.h"
#include "draw/shader/shader_set.h"

/*
 * renderer_fingerprint() without a renderer: out of GL's strings, the CPU this runs on and the environment as it is.
 * What cannot be read out of a string is "unknown".
 */
void fingerprint_fill(const char *gl_version, const char *gl_renderer, const struct shader_set *shaders, struct arena *arena,
                      struct fingerprint *out);

#endif
