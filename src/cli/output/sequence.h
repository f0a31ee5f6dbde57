#pragma once

#include "cli/output/film.h"
#include "cli/output/template.h"
#include "cli/output/terminal_show.h"
#include "cli/output/viewer_page.h"
#include "data/image/sheet.h"
#include "foreign/reference_pose.h"
#include "pipeline/pipeline.h"

/* Frames of one model that are drawn and written: what render and turntable have in common. */

/* A renderer that Mesa starts while the first model is read, or at the latest when something is to be drawn. */
struct late_renderer {
    enum backend backend;
    struct renderer *renderer;
    struct error why_not; /* why there is none */
};
void late_renderer_open(void *late); /* for import_meanwhile(); once it has failed it does no more */

/* The scene in GL's memory, uploaded as the settings say. NULL with err set. */
struct gpu_model *late_renderer_upload(struct late_renderer *late, const struct settings *settings,
                                       const struct scene *scene, struct error *err);

/* False with err set where the picture that was drawn last is empty, and why is known. */
bool late_renderer_drew(const struct late_renderer *late, double time, struct error *err);

/* Frames go there; each may be NULL, not both of the first where nothing is shown. */
struct sequence_outputs {
    const char *pictures; /* template */
    const char *film;
    const char *camera; /* the first frame's */
    enum terminal_kind show;
    const char *against; /* what displacement and stretch are from; NULL: the bind pose */
};

/* A sequence under way. */
struct sequence {
    const char *command, *model;
    const struct group *group; /* several models in one picture, `model` the first; NULL: one */
    struct settings *settings; /* of the command line */
    struct sequence_outputs *outputs;
    bool beside; /* with the model's own pose at the left of foreign */
    struct pipeline pipeline;
    const char *clip; /* {clip}; NULL: what plays */
    size_t clips;     /* how many are drawn, each a sequence */
    double *times;    /* malloc'd; [count] of the frames, the caller's */
    size_t count;
    double turn; /* degrees that the camera goes around in all of them */
    double fps; /* of the film, or of the one that the printed ffmpeg line makes */
    struct late_renderer late;
    struct gpu_model *gpu_model;
    struct scene *own_scene, *foreign_scene; /* the other one where foreign has vertices of its own; else NULL */
    struct gpu_model *their_model;         /* of that */
    struct bounds bounds;
    bool writes_frames;
    struct film *film;  /* NULL: none */
    struct text film_path;
    struct sheet sheet; /* without tiles where none is wanted */
    struct foreign foreign;
    struct reference_pose against;
    struct terminal_show show;
    bool moves; /* what is shown: one picture in place of the other */
};

#define AGAINST_OPTION {"against", "FILE", \
    "of --view displacement and stretch: from this model, which plays the same, or from this pose.json or OBJ " \
                        "(default from the bind pose)", 0, &value_text, VALUE_OF(outputs.against)}

/* Writes the camera where `path` says, which becomes NULL: later frames and clips are not asked for. */
bool sequence_save_camera(const char **path, const struct camera *camera, struct error *err);

/* Says where frames are shown; one in place of the other where they move. `example` is for the message. */
bool sequence_open_outputs(struct sequence *sequence, bool moves, const char *example, struct error *err);

/* Calls `run` with a pipeline, with --clip all one for every clip. Mesa starts while the model is read. */
void sequence_run_clips(struct sequence *sequence, bool (*run)(struct sequence *, struct error *), struct error *err);

/*
 * Draws every frame; writes them, the film, the contact sheet and the camera; prints the ffmpeg line when frames were
 * written and no film. Checks names, camera, sizes and film before the first frame is drawn. `asked` are the times
 * that were asked for.
 */
bool sequence_draw(struct sequence *sequence, const double *asked, size_t asked_count, struct error *err);
