#ifndef RIGPROOF_DATA_PNG_H
#define RIGPROOF_DATA_PNG_H

#include "data/image/image.h"

/* The parts of a PNG file, for pictures (image.h) and films (apng.h): RGBA of 8 bits, rows filtered by "sub". */

struct rectangle {
    uint32_t x, y, width, height;
};

void png_put(uint8_t *out, uint32_t value, int bytes); /* the highest first */

/* The signature and the header. */
void png_begin(struct text *out, uint32_t width, uint32_t height);

/* A chunk whose data is in two parts; either may be empty. */
void png_add_chunk(struct text *out, const char *type, const uint8_t *head, size_t head_size, const uint8_t *data,
                   size_t data_size);

/* The compressed pixels of a part of the image, freed by free(). Same pixels, same bytes. */
uint8_t *png_compress(const struct image *image, const struct rectangle *part, enum png_effort effort, size_t *size);

#endif
