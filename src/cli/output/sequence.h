#ifndef RIGPROOF_CLI_SEQUENCE_H
#define RIGPROOF_CLI_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "suite/pipeline.h"

/* What `render` and `turntable` share: draw a list of frames of one model and write them. */

struct sequence_frame {
    long number;      /* {frame} */
    double time;      /* seconds */
    float extra_yaw;  /* degrees on top of the orbit's */
};

struct sequence {
    const char *command;  /* for the progress bar */
    const char *model;
    const char *output;   /* template; NULL: no pictures */
    const char *film;     /* file; NULL: none */
    const char *camera;   /* file for the first frame's camera; NULL: none */
    const struct sequence_frame *frames;
    size_t count;
    double fps;           /* of the film, or of the one that the printed ffmpeg line makes */
};

/*
 * Draws every frame; writes them, the film, the contact sheet when settings.sheet asks for it, and the camera; prints the
 * ffmpeg line when frames were written and no film. Checks names, camera, sizes and film before the first frame is drawn.
 */
bool sequence_run(const struct sequence *sequence, struct pipeline *pipeline, struct error *err);

#endif
