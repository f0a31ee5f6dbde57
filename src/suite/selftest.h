#ifndef RIGPROOF_SUITE_SELFTEST_H
#define RIGPROOF_SUITE_SELFTEST_H

#include <stdbool.h>

#include "draw/draw.h"

/* Whether a backend draws, and draws the same twice: what `doctor` asks. */

enum { SELFTEST_FRAMES = 2, SELFTEST_ENTRIES = 8 };

/* An entry of renderer_fingerprint(). */
struct selftest_entry {
    char name[16];
    char value[48];
};

struct selftest_result {
    bool present;  /* the library can be opened */
    bool finished; /* a context came up and all frames were drawn */
    char problem[512]; /* why not */
    char library[256];
    char gl_version[128];
    char glsl_version[128];
    char gl_renderer[128];
    char gl_vendor[128];
    int max_texture_buffer;
    int max_samples;
    char hash[SELFTEST_FRAMES][17]; /* of the same frame */
    uint32_t entry_count;
    struct selftest_entry entries[SELFTEST_ENTRIES];
};

/*
 * Draws a built-in scene (a bent, textured, two-bone tube) twice, in a child process: a backend that crashes is a
 * result too, and two GL libraries never share a process.
 */
void selftest_run(enum backend backend, struct selftest_result *result);

#endif
