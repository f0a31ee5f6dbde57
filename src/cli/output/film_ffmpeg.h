#ifndef RIGPROOF_CLI_FILM_FFMPEG_H
#define RIGPROOF_CLI_FILM_FFMPEG_H

#include "base/process/pipe_to.h"
#include "cli/output/film.h"

/* Films that ffmpeg makes: its arguments and its input. */

enum film_format { FILM_APNG, FILM_MP4, FILM_WEBM, FILM_GIF };

/* Starts it; it writes to `output`, an existing file. False with err set, which says what to do without ffmpeg. */
bool film_ffmpeg_start(struct pipe_to *pipe, const struct film_settings *settings, enum film_format format,
                       const char *output, struct error *err);

/* Bytes of a raw frame as it wants it, from film_ffmpeg_frame(). */
size_t film_ffmpeg_frame_size(const struct film_settings *settings, enum film_format format);
void film_ffmpeg_frame(const struct film_settings *settings, enum film_format format, const struct image *frame,
                       uint8_t *out);

#endif
