#pragma once

#include "cli/sheet/sheet_maker.h"

/* A model of a sheet and what is shown of it. */

enum side { SIDE_AFTER, SIDE_BEFORE, SIDE_DIFFERENCE };

/* One combination of choices, at all its times. */
struct take {
    const struct sheet_choice *choices[AXIS_COUNT]; /* NULL: of axes that have none */
    const char *plays;
    double seconds;
    double *times; /* malloc'd */
    size_t count;
    double rate;        /* frames a second of a film */
    struct bounds held; /* --close: of what the bone holds, at all times, as placed; empty: framed as the others */
    float turn;         /* degrees on top of the orbit's, from where most of that is seen */
};

/* Tiles of one camera show this at all their times, from -1 to 1 in the picture that frames the model's sphere. */
struct fit {
    float min[2], max[2];
};

/* A tile of the model, in the order of the sheet's. */
struct plan {
    const struct take *take;
    size_t time;
    enum side side;
    size_t row;
};

struct shown_model {
    struct sheet_maker *maker;
    const char *path;
    struct arena *arena;
    struct scene *scene;
    struct gpu_model *gpu;
    struct sheet_before before;
    struct sheet_axes axes;
    struct take *takes;
    size_t take_count;
    struct plan *plans;
    size_t plan_count, first_tile;
    struct bounds bounds;
    struct fit *fits; /* [axes.count[AXIS_CAMERA]]; empty: the camera stays as it is */
    struct value_range ranges[VIEW_COUNT]; /* of all tiles of a view: least 0 and most 0 where it has none */
    const char *scales[VIEW_COUNT];        /* what these numbers are; NULL: tiles of that view have none */
    bool is_skeleton;                      /* without triangles, and no overlay is asked for */
};

/* A take that is played: the command line's settings with its own, and a pipeline by them. */
struct open_take {
    struct settings settings;
    struct pipeline pipeline;
};

/* False with err set: it is closed. close_take() is fine with what is closed, or all zero. */
bool open_take(const struct shown_model *model, const struct take *take, struct open_take *out, struct error *err);
void close_take(struct open_take *open);

/* All combinations, clips outermost and steps innermost, with their times; bounds and ranges at all of them. */
bool make_takes(struct shown_model *model, struct error *err);

/* The settings' orbit; of a tile with --close around what the bone holds, which then fills half of the tile or more. */
struct orbit take_orbit(const struct shown_model *model, const struct take *take, const struct settings *settings);

/* Moves and zooms the camera of such an orbit so that what its tiles show fills them. */
void take_fit(const struct shown_model *model, const struct take *take, const struct settings *settings,
              struct camera *camera);
