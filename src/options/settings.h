#pragma once

#include <stdint.h>

#include "animate/tracks.h"
#include "draw/draw.h"
#include "import/import.h"
#include "options/value.h"

/*
 * Says how a model is to be imported, posed and drawn: every option the commands share. The command line sets them by
 * `--name VALUE`, a suite by keys of the same names. A new setting is a member here and a row in the table.
 */

enum { MAX_CLIP_FILES = 16, MAX_MIX_OPTIONS = 16, MAX_TIMES = 100000, MAX_SECONDS = 1000000 };

/* Says which times to sample. */
enum time_choice {
    TIMES_LIST,   /* `times` */
    TIMES_FRAMES, /* first_frame..last_frame at fps, every frame_step-th */
    TIMES_AUTO,   /* first, last, keys and midpoints of the clip, at most `samples` */
    TIMES_PLAY,   /* the whole clip at fps, its end left out: it loops */
    TIMES_EVEN,   /* `even` times from the clip's beginning to its end, both included; one: its middle */
};

enum { DEFAULT_SAMPLES = 9 };

enum camera_kind { CAMERA_ORBIT, CAMERA_FREE, CAMERA_OF_FILE, CAMERA_SAVED };

/* The point that an orbit goes around and a free camera looks at, where it is not the middle of the bounds. */
enum camera_aim { AIM_AT_BOUNDS, AIM_AT_POINT, AIM_AT_BONE };

/* When the bone is where the camera looks: at the first of the times, at each, at rest. */
enum camera_follow { FOLLOW_FIRST, FOLLOW_EVERY, FOLLOW_REST };

/* Says where the model is put in the scene: scaled, then turned, then moved. `scale` 0: it stays as it is. */
struct model_place {
    float turn[3]; /* degrees around x, then y, then z, */
    float turn_up; /* and around the up axis */
    float scale;
    float move[3];
};

/* An option that puts several clips together; each may be given MAX_MIX_OPTIONS times. */
enum mix_kind { MIX_BLEND, MIX_TRANSITION, MIX_MASK, MIX_ADD, MIX_KIND_COUNT };

/* Seconds, or frames ("30f"). */
struct clip_time {
    double value;
    bool is_frames;
};

/* Names are looked up with the scene: clip_mix_resolve(). */
struct mix_option {
    enum mix_kind kind;
    const char *text;  /* all of it, as on a command line: "walk:0.7" */
    struct slice bone; /* of a mask */
    struct slice clip;
    double weight; /* of a blend or an additive layer */
    /* what an additive layer is the difference to */
    enum mix_reference { TO_FIRST_FRAME, TO_REST_POSE, TO_BIND_POSE } reference;
    struct clip_time start; /* of a transition; of a mask its offset */
    struct clip_time end;
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
    unsigned time_choices; /* bits of all that were asked for: 1 << time_choice; 0: none was */
    double *times; /* owned; [time_count] */
    /* owned; [time_count] 's', of a command line also 'f', frames, and '%', of what plays; NULL: all seconds */
    char *time_units;
    size_t time_count;
    bool times_are_a_range; /* `times: {from, to, fps}` */
    long first_frame;
    long last_frame;
    long frame_step;
    double fps; /* 0: the file's frame rate where it has one (10 to 240 ticks per second), else 24 */
    uint32_t samples; /* 0: DEFAULT_SAMPLES */
    uint32_t even;    /* of TIMES_EVEN */
    enum wrap wrap;
    enum palette_space space;
    /* `skinning` poses, the rest draws; path PALETTE_PATH_COUNT: `render` tries each in turn */
    struct upload_format upload_format;
    struct mix_option *mix; /* owned; [mix_count], in the order given */
    size_t mix_count;
    double rate;
    bool in_place;

    /* draw */
    uint32_t width; /* and after it: */
    uint32_t height;
    uint8_t background[4];
    enum view view;
    const char *view_bone; /* of VIEW_BONE_WEIGHT */
    bool view_is_chosen;   /* else a command may have a default of its own */
    unsigned overlays; /* OVERLAYS_OF_VIEW where none were chosen: settings_overlays() */
    struct value_range range; /* of a view on a scale of colours; NaN: found in what is shown */
    enum camera_kind camera_kind;
    const char *select;    /* the bone that the skeleton overlay marks; NULL for none */
    struct orbit orbit;
    float eye[3], camera_up[3]; /* of a free camera, whose other numbers are the orbit's, */
    bool has_eye, has_up;       /* where they are given */
    enum camera_aim aim;
    struct slice aim_bone;
    enum camera_follow follow;
    float pan[2];               /* of an orbit or a free camera: camera_pan() */
    struct model_place place;
    const char *camera_name;    /* of the model file's camera, or the path of the saved one; else NULL */
    struct camera saved_camera;
    int up_axis;             /* -1: the file's */
    enum profile profile;
    enum backend backend;
    const char *shaders;     /* folder of the user's shaders; NULL: ours */
    struct shader_map shader_map;
    char *shader_map_text;   /* owned: its names, where a command line gave them */
    bool sheet;
    uint32_t crowd[2];       /* columns, rows; 0: one instance, no crowd */
    double crowd_phase;      /* seconds from one instance to the next; NaN: the clip's duration is spread over all */
};

/* Says which commands an option belongs to. */
enum setting_group {
    SETTING_IMPORT = 1 << 0,
    SETTING_CLIP = 1 << 1, /* which clip, in which space */
    SETTING_TIME = 1 << 2, /* which times of it */
    SETTING_DRAW = 1 << 3,
};

/* The parts of a run that depend on a setting, in `scope` of its row. A verdict depends on all that a suite says. */
enum setting_scope {
    SCOPE_IMPORT = 1 << 0,  /* what is imported: a model is imported anew, a golden has another import.json */
    SCOPE_FRAMING = 1 << 1, /* where the camera stands */
    SCOPE_SENT = 1 << 2,    /* what another rigproof under test answers: it is sent with a request */
};

/* Goldens are older than the settings from here on: these are recorded where they are not the default. */
enum { RECORDED_WHERE_GIVEN = 22, RECORDED_COUNT = 30 };

extern const struct setting setting_table[]; /* of struct settings */
extern const size_t setting_count;

enum { CAMERA_PARTS = 14, PLACE_PARTS = 3, SHADER_PARTS = 4 };
extern const struct setting camera_parts[CAMERA_PARTS]; /* of struct settings: the fields of `camera` */
extern const struct setting place_parts[PLACE_PARTS];   /* and of `place` */

extern const struct setting shader_parts[SHADER_PARTS]; /* of struct settings: the fields of `shaders` */

/* The defaults: 512x512, opaque grey, first clip, time 0, 4 influences, all repairs. */
void settings_init(struct settings *settings);
void settings_release(struct settings *settings);

/* The setting of that name, or NULL. */
const struct setting *setting_find(const char *name);

/* As `--name value` on a command line, "true" for a flag. The text must outlive the settings. */
bool settings_set(struct settings *settings, const char *name, const char *value, struct error *err);

/* Shows, where no overlays were chosen, the legend of any view that has one, for pictures that are looked at alone. */
void settings_show_legend(struct settings *settings);

/* The overlays of the settings; where none were chosen the legend of a view of computed numbers. */
#define OVERLAYS_OF_VIEW (1u << 31)
unsigned settings_overlays(const struct settings *settings);

/* A setting as recorded.json has it, appended: a word, a number, "none". */
void settings_write(const struct settings *settings, const char *name, struct text *out);

/* The next setting of the scope, from `*row` on, that is not the default (of overlays also one that is chosen): its
 * row is the one before `*row`, its value is in `value`. False at the end. */
bool settings_next_changed(const struct settings *settings, unsigned scope, size_t *row, struct text *value);

/* Returns whether a clip was named, by --clip or another option: otherwise the first plays because nobody chose. */
bool settings_name_clip(const struct settings *settings);

/* Reads PART=VALUE,PART=VALUE into the settings; `said` gets the groups of the parts. What is none of them, or of a
 * group of `excluded`, is not `expected`: an error that says so. */
bool settings_read_parts(struct value_source *source, const struct setting *parts, size_t count,
                         struct settings *settings, const struct tree_node *value, unsigned excluded,
                         const char *expected, unsigned *said);

/* The view of a command that has its own, where the user names none and no shaders, which are one of `lit`. */
void settings_prefer_view(struct settings *settings, enum view view);

/* For a command line: false with err set where times were chosen in two ways, or --samples or, unless the rate
 * counts otherwise (of a film, say), --fps does nothing. */
bool settings_check_times(const struct settings *settings, bool rate_counts, struct error *err);

/* Returns how many frames first_frame..last_frame are, by the step. */
size_t settings_frame_count(const struct settings *settings);

/* Goldens are named after their time, to the microsecond: neither out of reach nor twice. */
bool settings_check_list(const struct settings *settings, struct value_source *source, const struct tree_node *at);

/* Types whose target is all of the settings; of a mix `kind` is enum mix_kind. */
extern const struct value_type value_times, value_camera, value_place, value_mix, value_shaders, value_shader_map;
