#ifndef RIGPROOF_SUITE_SETTINGS_H
#define RIGPROOF_SUITE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "animate/tracks.h"
#include "data/pose/upload_format.h"
#include "data/pose/palette.h"
#include "data/image/frame_settings.h"
#include "draw/draw.h"
#include "import/import.h"

/*
 * How a model is to be imported, posed and drawn: every option the commands share, in one struct with one table. The
 * command line sets them by `--name VALUE`; a suite sets the same names as keys.
 */

enum { MAX_CLIP_FILES = 16, MAX_MIX_OPTIONS = 16 };

/* Which times to sample. */
enum time_choice {
    TIMES_LIST,   /* `times` */
    TIMES_FRAMES, /* first_frame..last_frame at fps */
    TIMES_AUTO,   /* first, last, keys and midpoints of the clip, at most `samples` */
    TIMES_PLAY,   /* the whole clip at fps, its end left out: it loops */
};

enum camera_kind { CAMERA_ORBIT, CAMERA_FREE, CAMERA_OF_FILE, CAMERA_SAVED };

/* Values of an option that may be repeated, in the order given; their form is checked (suite/setting/mix_options.h reads them). */
struct mix_option_list {
    const char *values[MAX_MIX_OPTIONS];
    size_t count;
};

struct settings {
    /* import */
    struct import_options import;
    const char *clips_from[MAX_CLIP_FILES];
    size_t clips_from_count;
    struct clip_options clip_options;
    uint32_t influences; /* most per vertex, 0 = all */

    /* pose */
    const char *clip; /* NULL: the first; "rest", "none": the rest pose; "bind": the bind pose */
    enum time_choice time_choice;
    unsigned time_choices; /* bits of all that were asked for: 1 << time_choice */
    double *times; /* owned; [time_count] */
    size_t time_count;
    long first_frame;
    long last_frame;
    double fps; /* 0: the file's frame rate where it has one (10 to 240 ticks per second), else 24 */
    uint32_t samples;
    bool samples_were_set;
    enum wrap wrap;
    enum palette_space space;
    bool every_upload_format;  /* --palette all: `render` tries each in turn */
    struct upload_format upload_format; /* `skinning` poses, the rest draws */
    struct mix_option_list blends;
    struct mix_option_list transitions;
    struct mix_option_list masks;
    struct mix_option_list additions;
    double rate;
    bool in_place;

    /* draw */
    uint32_t width;
    uint32_t height;
    uint8_t background[4];
    enum view view;
    const char *view_bone; /* of VIEW_BONE_WEIGHT */
    unsigned overlays;
    enum camera_kind camera_kind;
    const char *select;    /* the bone that the skeleton overlay marks; NULL for none */
    struct orbit orbit;
    struct free_camera free_camera;
    const char *camera_name;    /* of the model file's camera, or the path of the saved one; else NULL */
    struct camera saved_camera;
    int up_axis;             /* -1: the file's */
    enum profile profile;
    enum backend backend;
    const char *shaders;     /* folder of the user's shaders; NULL: ours */
    bool sheet;
    uint32_t crowd[2];       /* columns, rows; 0: one instance, no crowd */
    double crowd_phase;      /* seconds from one instance to the next; NaN: the clip's duration is spread over all */

    bool time_was_set;
    bool clip_was_set; /* by --clip or another option that names a clip to play */
};

/* Which commands an option belongs to. */
enum setting_group {
    SETTING_IMPORT = 1 << 0,
    SETTING_CLIP = 1 << 1, /* which clip, in which space */
    SETTING_TIME = 1 << 2, /* which times of it */
    SETTING_DRAW = 1 << 3,
};

struct setting {
    const char *name;       /* "clip": --clip on the command line, `clip:` in a suite */
    const char *value_name; /* "NAME|INDEX"; NULL: a flag that takes no value */
    const char *help;
    unsigned group;
    bool (*set)(struct settings *settings, const char *value, struct error *err);
};

extern const struct setting setting_table[];
extern const size_t setting_count;

/* The defaults of design: 512x512, opaque grey, first clip, time 0, 4 influences, all repairs. */
void settings_init(struct settings *settings);
void settings_release(struct settings *settings);

/* A finite number that is `length` characters of a text, all of them. */
bool settings_number(const char *text, size_t length, double *out);

/*
 * For a command line, where nobody means what does nothing: false with err set when times were chosen in two ways, when
 * --samples was given without --times auto, or --fps without frames to number, unless the rate counts otherwise (of a film, say).
 */
bool settings_check_times(const struct settings *settings, bool rate_counts, struct error *err);

/* The setting of that name, or NULL. */
const struct setting *setting_find(const char *name);

/* Whether a case of a suite may have a key of that name. */
bool setting_is_suite_key(const struct setting *setting);

#endif
