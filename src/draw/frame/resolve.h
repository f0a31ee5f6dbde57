#ifndef RIGPROOF_DRAW_RESOLVE_H
#define RIGPROOF_DRAW_RESOLVE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Samples -> pixels, in integers, so that every machine rounds alike.
 *
 * `samples` is what GL reads back: 8-bit, sRGB-encoded, alpha premultiplied, drawn over nothing, last row first,
 * [height * factor][width * factor][4]. `out` gets `height` rows from the top, straight alpha, `out_stride` bytes
 * apart.
 *
 * A pixel is the mean of its factor x factor samples (encoded values, as they are), laid over the background:
 *     alpha  = a + (1 - a) * background alpha
 *     colour = (c + (1 - a) * background alpha * background colour) / alpha
 * with a and c the means; each result is rounded once, halves up. A pixel that nothing was drawn to is the background's
 * bytes, and an opaque one the mean of its samples.
 *
 * factor is 1 or 2.
 */
void resolve_samples(const uint8_t *samples, uint32_t width, uint32_t height, unsigned factor,
                     const uint8_t background[4], uint8_t *out, size_t out_stride);

/*
 * The same for samples that are numbers (bones.frag), one a pixel: red is the lowest byte, green the next, blue the
 * highest. `out_stride` is in elements.
 */
void resolve_numbers(const uint8_t *samples, uint32_t width, uint32_t height, uint32_t *out, size_t out_stride);

#endif
