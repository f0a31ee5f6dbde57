#pragma once

#include "draw/draw.h"

/* Whether a backend draws, and draws the same twice: what `doctor` asks. */

enum { SELFTEST_FRAMES = 2 };

struct selftest_result {
    struct arena *arena;     /* owns all of it */
    enum backend backend;    /* as asked for */
    bool finished;           /* a context came up and all frames were drawn */
    const char *problem;     /* why not; "" */
    struct renderer_info info; /* texts are "" without a context */
    char hash[SELFTEST_FRAMES][17]; /* of the same frame */
    struct fingerprint fingerprint;
};

/*
 * Draws a built-in scene (a bent, textured, two-bone tube) twice, in a child process: a backend that crashes is a
 * result too, and two GL libraries never share a process. Freed by arena_destroy().
 */
const struct selftest_result *selftest_run(enum backend backend);
