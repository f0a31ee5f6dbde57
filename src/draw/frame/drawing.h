#pragma once

#include "draw/renderer/frame_state.h"

/* Where what is drawn goes, part by part: from the target to samples, from these into the picture. */
struct drawing {
    struct renderer *renderer;
    uint32_t width, height;
    unsigned factor;
    uint8_t background[4];
    struct image picture;  /* as soon as a part is in it */
    uint32_t *bindings;    /* in its place; the caller's */
    struct rectangle part; /* of the picture, that was drawn last; no width: it has been taken */
    struct rectangle box;  /* the same in the target */
    uint8_t *samples;      /* malloc'd: what is read back of it */
    bool is_read;
    bool shows;            /* a surface of the user's shaders has left something */
    char why_empty[256];   /* if not: renderer_why_empty(); "" */
};

struct drawing *drawing_create(const struct frame *frame);

/* The part was drawn; GL begins to rasterise. The one before must have been taken. */
void drawing_put(struct drawing *drawing, const struct rectangle *part, const struct rectangle *box);

/* Waits for the part that was drawn last, if there is one, and reads it; the second also puts it where it belongs. */
bool drawing_read(struct drawing *drawing, struct error *err);
bool drawing_take(struct drawing *drawing, struct error *err);
