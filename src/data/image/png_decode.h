#pragma once

#include "data/image/image.h"

/*
 * PNGs as renderers write them: 8 bits a channel, grey or RGB, with or without alpha, not interlaced, without tRNS.
 * False for every other file and for a broken one: stb_image then reads it or says what is wrong. Both give the same
 * pixels. Several times as fast: one buffer holds the inflated rows and then the pixels.
 */
bool png_decode(struct image *image, const uint8_t *data, size_t size);

/* Appends such a PNG without chunks that are not needed for its pixels (texts, times, colour profiles, which browsers
 * apply). False for other files, and where a checksum is wrong. */
bool png_copy(const uint8_t *data, size_t size, struct text *out);
