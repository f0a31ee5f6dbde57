#ifndef RIGPROOF_DATA_PNG_DECODE_H
#define RIGPROOF_DATA_PNG_DECODE_H

#include "data/image/image.h"

/*
 * PNGs as renderers write them: 8 bits a channel, grey or RGB, with or without alpha, not interlaced, no colour that is
 * transparent. False for all others and for what is broken in any way, which stb_image reads, or says what is wrong; what both
 * read is the same. Several times as fast: one buffer holds the inflated rows and then the pixels.
 */
bool png_decode(struct image *image, const uint8_t *data, size_t size);

/* Appends such a PNG without all that says nothing of its pixels (texts, times, colour profiles, which browsers apply). False
 * for others, and where a checksum is wrong. */
bool png_copy(const uint8_t *data, size_t size, struct text *out);

#endif
