#pragma once

#include "data/image/image.h"

/*
 * Words in pictures, by an outline font that is part of the program (DejaVu Sans): the same text gives the same pixels
 * on every machine, for nothing is hinted. A size is that of an em, in pixels. Texts are UTF-8, one line each; what is
 * not UTF-8 and what the font lacks is its box for that.
 */

/* Returns how far one line is below the one before. */
uint32_t words_line(uint32_t em);

/* Returns how wide the first `length` bytes are, in pixels. */
double words_width(const char *text, size_t length, uint32_t em);

/* Draws them with the top of their line at y; what leaves the picture is not drawn. */
void words_draw(struct image *image, const char *text, size_t length, uint32_t em, uint32_t x, uint32_t y,
                const uint8_t color[4]);

/* Says whether the font can show most of a text's characters. */
bool words_are_readable(const char *text);
