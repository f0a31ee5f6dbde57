#pragma once

#include "data/image/image.h"

/*
 * A sequence as a film, by the extension of its file:
 *
 *     .apng          of our own making (data/image/image.h); no tool is needed, the same frames give the same bytes
 *     .mp4           H.264, yuv420p, BT.709. It has no alpha: what is transparent is laid over the background's colour.
 *                    Sizes are even: an odd one gets a column, a row, of that colour to the right, below
 *     .webm          VP9, with alpha where the background is transparent
 *     .gif           a palette of the whole film; pixels are there or not; at most 50 frames a second; for ever
 *
 * The last three are made by `ffmpeg`, which reads raw frames from us. The film takes its place when it is complete.
 */

struct film_settings {
    const char *path;
    uint32_t width, height;
    uint32_t count;         /* frames */
    double fps;
    const uint8_t *background; /* [4] sRGB, straight alpha; must outlive the film */
};

struct film;

/* Before anything is drawn. NULL with err set: an unknown extension, no ffmpeg, nothing can be written there. */
struct film *film_open(const struct film_settings *settings, struct error *err);

/* The next frame, of the settings' size. False with err set. */
bool film_add(struct film *film, const struct image *frame, struct error *err);

/* Completes the film after `count` frames, and frees it. False with err set; no file is left then. */
bool film_close(struct film *film, struct error *err);

/* Leaves nothing behind. NULL is fine. */
void film_abandon(struct film *film);
