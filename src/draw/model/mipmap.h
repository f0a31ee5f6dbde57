#ifndef RIGPROOF_DRAW_MIPMAP_H
#define RIGPROOF_DRAW_MIPMAP_H

#include <stdint.h>

/*
 * Mipmaps in integers, because what glGenerateMipmap does is the driver's business. Every texel of the next level is
 * the mean, rounded halves up, of the texels it covers (2x2; up to 3 along an odd side), of the bytes as they are.
 */

/* Size of the level below: half, rounded down, at least 1. */
uint32_t mipmap_half(uint32_t size);

/* `in` is [height][width][4]; `out` [mipmap_half(height)][mipmap_half(width)][4], not overlapping. */
void mipmap_reduce(const uint8_t *in, uint32_t width, uint32_t height, uint8_t *out);

#endif
