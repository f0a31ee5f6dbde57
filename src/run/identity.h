#ifndef RIGPROOF_RUN_IDENTITY_H
#define RIGPROOF_RUN_IDENTITY_H

#include "draw/draw.h"

/*
 * What decides a verdict besides the suite and its files, a line each: the build of rigproof, of Assimp, Mesa and every
 * other library that is loaded once a context is open; the fingerprint of the renderer; the variables that Mesa and
 * glibc are given; the CPU, by which LLVM and libm choose their code. Found out in a child, which opens a context as a
 * worker does. Appended; false with err set where something of it cannot be told.
 */
bool identity_find(enum backend backend, struct text *out, struct error *err);

#endif
