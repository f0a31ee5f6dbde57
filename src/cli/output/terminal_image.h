#pragma once

#include "base/text.h"
#include "data/image/image.h"

enum terminal_colors { COLORS_NONE, COLORS_256, COLORS_24_BIT };

/*
 * Adds a picture as half blocks: a character is one pixel wide and two high (U+2580); without colours it is one of
 * ASCII, by the brightness of both. A picture that is larger than so many columns and rows (0: any number of rows) is
 * made smaller by the mean of what each pixel covers. A pixel that is less than half opaque stays the terminal's
 * background, the rest counts as opaque. Same pixels, same bytes.
 */
bool terminal_image_blocks(const struct image *image, uint32_t columns, uint32_t rows, enum terminal_colors colors,
                           struct text *out, struct error *err);
