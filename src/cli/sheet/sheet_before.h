#pragma once

#include "cli/output/sequence.h"
#include "cli/sheet/sheet_axes.h"
#include "subject/subject.h"

/* Says who draws the tiles on the left: ours of another file, or another rigproof, asked as a subject. */
struct sheet_before {
    struct subject *subject;   /* NULL: another file's */
    struct renderer *renderer; /* not owned */
    struct scene *scene;
    struct gpu_model *gpu;
    const char *model;    /* for the subject */
    struct bounds bounds; /* of the other file, at all times */
    bool is_alone;        /* framed by these, as its size or its up axis is another */
};

/* For one model of the request, of which `settings` import the other file. The arena must outlive it. False with err
 * set: closed. */
bool sheet_before_open(struct sheet_before *before, const struct sheet_request *request, const char *model,
                       const struct settings *settings, struct late_renderer *late, struct arena *arena,
                       struct error *err);
void sheet_before_close(struct sheet_before *before); /* all zero is fine */

/* Adds where the other file's model is at these times; nothing where it does not play that, or of another build. */
void sheet_before_measure(struct sheet_before *before, const struct settings *settings, const double *times,
                          size_t count);

/* One camera for both, by the bounds of both, which become these; but where the other is more than twice as large,
 * or half, or its up axis is another, each is framed on its own. */
void sheet_before_frame(struct sheet_before *before, const struct scene *shown, struct bounds *bounds);

/* Draws the pose that the pipeline has made last, by its settings, over there with its camera. */
bool sheet_before_draw(struct sheet_before *before, const struct pipeline *shown, const struct bounds *bounds,
                       const struct camera *camera, struct image *out, struct error *err);
