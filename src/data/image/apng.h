#ifndef RIGPROOF_DATA_APNG_H
#define RIGPROOF_DATA_APNG_H

#include "data/image/image.h"

/*
 * An animated PNG, as the third edition of the PNG specification has it (acTL, fcTL, fdAT): plays for ever, and where
 * animation is not known it is a PNG of the first frame. Same frames, same bytes.
 *
 * The first frame is whole; of each further one only the rectangle that changed is kept, at least one pixel, put in
 * place of what was there (blend SOURCE, dispose NONE). Frames have one duration.
 */
struct apng {
    struct text bytes;         /* complete after the last frame */
    uint32_t frame_count;      /* that were announced */
    uint32_t added;
    uint32_t sequence;         /* number of the next fcTL or fdAT */
    uint16_t delay_numerator;  /* seconds a frame */
    uint16_t delay_denominator;
    struct image shown;        /* the frame before */
};

/* frame_count at least 1, fps above 0. */
void apng_begin(struct apng *apng, uint32_t frame_count, double fps);

/* Appends a frame; all have the size of the first. False with err set. No more than were announced. */
bool apng_add(struct apng *apng, const struct image *frame, struct error *err);

/* Frees what it holds. */
void apng_release(struct apng *apng);

/* 1/fps as a fraction of 16 bits each: the best of its continued fraction, above 0. */
void apng_delay(double fps, uint16_t *numerator, uint16_t *denominator);

#endif
