#pragma once

#include "pipeline/pipeline.h"
#include "viewer/viewer.h"

/* Returns whether a film of that name is such a page: it ends in .html. */
bool viewer_page_is_wanted(const char *path);

/*
 * A page of the pipeline's model begins with this: what plays, the camera and views of the settings, the bounds of what
 * was sampled. One side: the model and its clips. What is no clip of the file's own (a blend, a layer, the bind pose)
 * becomes one more clip, sampled at the pipeline's frame rate. The scene that holds it and the content live in the
 * pipeline's arena.
 */
bool viewer_content_of(struct pipeline *pipeline, const struct bounds *bounds, struct viewer_content *out,
                       struct error *err);

/* Writes the page; "-" is stdout. `most_bytes`: what does not fit is left out, and said; 0: all of it. */
bool viewer_page_write(const struct viewer_content *content, size_t most_bytes, const char *path, struct error *err);

/* The degrees of the i-th of `count` frames on top of the orbit's yaw, of a sequence that goes around by `turn`. */
static inline float frame_yaw(double turn, size_t i, size_t count)
{
    return (float)(turn * ((double)i / (double)count));
}

/* A film as such a page: the pipeline's model with the camera of each frame. */
bool viewer_page_film(struct pipeline *pipeline, const struct bounds *bounds, const double *times, size_t count,
                      double turn, double fps, const char *path, struct error *err);
