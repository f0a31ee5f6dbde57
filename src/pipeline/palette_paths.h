#pragma once

#include "base/text.h"
#include "pipeline/pipeline.h"

/*
 * Every upload format, tried on one model: `rigproof render MODEL --palette all`. Each combination of path, format,
 * weights and skinning draws the times given. One that cannot hold the model says why, and is no failure. Vertices are
 * held against the CPU reference of its skinning, relative to the model's radius: 1e-5, what floats may be off
 * (palette/skin.h), and with bytes as weights what their rounding may move a vertex by, twice that with dual
 * quaternions, whose path is an arc. Pixels are held against its skinning's default, tbo mat3x4 float: none may differ
 * where weights are floats and matrices are sent whole, mat3x4 or mat4.
 */
struct path_result {
    struct upload_format upload_format;
    bool holds;
    char why[256];           /* it does not hold */
    double worst;            /* displacement, relative to the radius; the worst of all times */
    double limit;            /* at that time */
    bool beyond;             /* above its limit at any time */
    bool pixels_must_equal;
    unsigned long pixels;    /* that differ, of all times together */
};

enum { PATH_COMBINATIONS = PALETTE_PATH_COUNT * PALETTE_FORMAT_COUNT * WEIGHT_FORMAT_COUNT * SKINNING_COUNT };

/* At all times, the plainest first. False with err set when something other than a combination failed. */
bool palette_paths_try(struct pipeline *pipeline, const double *times, size_t count,
                       struct path_result results[PATH_COMBINATIONS], struct error *err);

/* Beyond its limit, or pixels differ that must not. */
bool palette_path_fails(const struct path_result *result);

/* The table, a line a combination, and how many of them hold. Returns how many fail. */
int palette_paths_write(const struct pipeline *pipeline, size_t times, const struct path_result *results,
                        struct text *out);
