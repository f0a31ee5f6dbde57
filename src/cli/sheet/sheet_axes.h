#pragma once

#include "base/arena.h"
#include "base/names.h"
#include "options/settings.h"

/*
 * Tiles of a sheet differ by axes, each with its choices. Tiles are all combinations, the first axis outermost. The
 * last axis that varies makes the columns; what else varies makes the rows.
 */
enum sheet_axis { AXIS_MODEL, AXIS_CLIP, AXIS_VIEW, AXIS_CAMERA, AXIS_TIME, AXIS_STEP, AXIS_SIDE, AXIS_COUNT };

/* Settings that a tile has besides the command line's, as on one; and what its label says of them. */
struct sheet_choice {
    const char *label;
    const char *set[2][2]; /* name, value; NULL: none */
};

/* The sheet that was asked for. */
struct sheet_request {
    const struct settings *settings;
    const char *const *models;
    size_t model_count;
    struct option_list clips; /* names or globs, or `all`; none: the settings say what plays */
    struct option_list views; /* names, weight:GLOB; none: the settings' */
    struct option_list cameras;
    const char *sweep[2];    /* clips; NULL: none */
    size_t steps;            /* of the sweep */
    size_t most;             /* clips or bones */
    const char *before;      /* another file, */
    const char *build;       /* or another rigproof, which draws the tiles on the left; NULL: neither */
    bool is_film;            /* times are played, not laid out */
    bool is_close;           /* tiles of a bone's weights are framed on what it holds */
    bool has_default_times;  /* nobody said which: a clip that does not move has one */
    bool only_different;     /* rows of before and after that are not the same */
    bool varies[AXIS_COUNT]; /* sheet_request_complete() */
};

/* Defaults, where nothing was said: all clips at six times, unless views, cameras or models vary; then what render
 * would show. A film plays whole clips. Fills `varies`. `settings` are those of the request. */
void sheet_request_complete(struct sheet_request *request, struct settings *settings);

/* The axis of columns; AXIS_TIME where nothing varies. */
enum sheet_axis sheet_column_axis(const struct sheet_request *request);

struct sheet_axes {
    struct sheet_choice *choices[AXIS_COUNT]; /* of clips, views, cameras, steps; those of times are each clip's own */
    size_t count[AXIS_COUNT];                 /* at least 1 of these */
    size_t left_out[AXIS_COUNT];              /* beyond request->most */
    struct name_prefix bones;                 /* of the scene's bones, where views are of bones: labels leave it out */
};

/* Those of one model, in the arena. False with err set: a clip or a bone that is not there. */
bool sheet_axes_make(const struct sheet_request *request, const struct scene *scene, struct arena *arena,
                     struct sheet_axes *out, struct error *err);
