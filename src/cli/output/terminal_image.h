#ifndef RIGPROOF_CLI_TERMINAL_IMAGE_H
#define RIGPROOF_CLI_TERMINAL_IMAGE_H

#include "base/text.h"
#include "data/image/image.h"

/*
 * Pictures as a terminal takes them. Same pixels, same bytes. What is less than half opaque stays the terminal's background; the
 * rest counts as opaque.
 */

/* The picture made smaller until it is at most so wide and high (0: as it likes), by the mean of what each pixel covers. Never larger. */
bool terminal_image_fit(const struct image *image, uint32_t width, uint32_t height, struct image *out, struct error *err);

/* Sixels (DEC STD 070), with at most 255 colours of the picture's own, by median cut. */
void terminal_image_sixel(const struct image *image, struct text *out);

/* Kitty's graphics protocol: a PNG in base64, shown over so many columns and rows. In tmux as a text for the terminal around it. */
bool terminal_image_kitty(const struct image *image, uint32_t columns, uint32_t rows, bool in_tmux, struct text *out, struct error *err);

/* A character a pixel wide and two high, U+2580; without colours one of ASCII, by the brightness of both. */
enum terminal_colors { COLORS_NONE, COLORS_256, COLORS_24_BIT };
void terminal_image_blocks(const struct image *image, enum terminal_colors colors, struct text *out);

#endif
