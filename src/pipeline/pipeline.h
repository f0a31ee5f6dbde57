#pragma once

#include "data/record/record.h"
#include "options/settings.h"

struct player;    /* animate/player.h */
struct bind_pose; /* data/scene/bind_pose.h */
struct view_values; /* pipeline/view_values.h */

/*
 * The pipeline on one screen: import -> animate -> palette -> skin or draw, for one model and what it plays.
 * Open once, pose at any number of times, close.
 */
struct pipeline {
    const struct settings *settings; /* not owned; must outlive the pipeline */
    struct scene *scene;
    struct arena *arena;     /* what follows lives in it */
    const struct clip *clip; /* the first that plays, whose frame rate counts; NULL: a pose */
    const char *plays;       /* in words, as clip_mix.h has it: "walk"; NULL: the rest pose and nothing else */
    bool is_still;           /* the rest or the bind pose alone */
    const struct bind_pose *bind; /* NULL where it is not asked for */
    struct player *player;
    struct pose pose;
    struct palette palette;
    struct skinned *skinned; /* [scene->instance_count] */
    struct joint *joints;    /* [palette.count], for dual quaternions; NULL for linear skinning */
    double time;             /* of the last pipeline_pose(), as asked for */
    long frame;              /* its number, for the label; the caller's to set */
    int32_t shown_node;      /* the bones that the settings name, or NO_INDEX */
    int32_t selected_node;
    int32_t target_node;   /* what the camera goes around, or NO_INDEX, */
    vec3 target;           /* and where it is at the first time, */
    bool has_target;       /* once that was posed: pipeline_hold_target() */
    int up_axis, up_sign;  /* of the picture: the settings', else the scene's */
    mat4 place;            /* puts the model where --place says: from the palette's space to the picture's */
    bool is_placed;        /* false: that is the identity */
    struct view_values *values; /* NULL of a view that shows none */
    struct pipeline *parts;  /* several models in one: their scenes as one, posed and placed by each; NULL: one model */
    uint32_t part_count;
    /* Puts other numbers in place of the pose and palette that pipeline_pose() computed; NULL: these stay. */
    void (*override)(const void *numbers, struct pipeline *pipeline);
    const void *numbers;
};

/* An arena for what nobody counts before: only touched pages count. Ends the process where there is too little. */
struct arena *create_large_arena(void);

/* Imports the model and clip files, picks the clip. Warnings go to stderr. False with err set (exit code 2): closed. */
bool pipeline_open(struct pipeline *pipeline, const char *model, const struct settings *settings, struct error *err);
void pipeline_close(struct pipeline *pipeline);

/* Prints the warnings of a scene's import. */
void pipeline_warn(const struct scene *scene);

/* Notes which pose was shown, where the options do not say it or may be read in two ways. */
void pipeline_note_pose(const struct pipeline *pipeline);

/* Returns how a model is to be imported for what is done with it: views and shaders that need more than others. */
struct import_options import_needed(const struct settings *settings);

/* Appends what two cases must have in common to share an import, and a worker: the path and settings of the import. */
void import_key(const char *path, const struct settings *settings, struct text *out);

/* The model with the clips of --clips-from. With `wants_clips` a file of which none is taken over is an error. */
struct scene *import_with_clips(const char *model, const struct settings *settings, bool wants_clips,
                                struct error *err);

/*
 * The same in two steps, for many cases of one model: the import, and a pipeline on a scene that stays the caller's and
 * must outlive it. Settings of the group import, and `influences`, count for the first step only.
 */
struct scene *pipeline_import(const char *model, const struct settings *settings, struct error *err);
void pipeline_import_ahead(const char *model, const struct settings *settings); /* import_ahead() of the model */
bool pipeline_begin(struct pipeline *pipeline, struct scene *scene, const struct settings *settings, struct error *err);
void pipeline_end(struct pipeline *pipeline);

/* Local pose, globals and palette at a time. False with err set when a number is not finite: that is never written. */
bool pipeline_pose(struct pipeline *pipeline, double time, struct error *err);

/* Skins every instance on the CPU from the last pose; adds these vertices, in the palette's space, else the nodes. */
void pipeline_skin(struct pipeline *pipeline);
void pipeline_add_bounds(const struct pipeline *pipeline, struct bounds *out);

/* The same over times, each posed and skinned; of a crowd all at one place. The first is the camera's target's. */
bool pipeline_bounds(struct pipeline *pipeline, const double *times, size_t count, struct bounds *out,
                     struct error *err);

/* The last pose with all that was computed from it, for the writers of data/record/record.h. */
struct pose_record pipeline_record(const struct pipeline *pipeline);

/* The times to sample, by the settings and the clip: malloc'd, the caller's. NULL with err set when there are none. And
 * the frame number of the i-th, which is its index where frames were not asked for. */
double *pipeline_times(const struct pipeline *pipeline, size_t *count, struct error *err);
long pipeline_frame_number(const struct pipeline *pipeline, size_t i);

/* Sorts times and keeps one of those that are nearer than a microsecond. Returns how many are left. */
size_t times_merge(double *times, size_t count);

/* The i-th of the settings' times in seconds, be it given in these, in frames or as a part of what plays; else 0. */
double pipeline_time(const struct pipeline *pipeline, size_t i);

/* Says which of the times are beyond what plays, and what is shown there; appends nothing where none is: "time 5 s is
 * beyond the end of `walk` (0.7 s): it is wrapped to 0.1 s". pipeline_note_times() says it on stderr. */
void pipeline_tell_outside(const struct pipeline *pipeline, const double *times, size_t count, struct text *out);
void pipeline_note_times(const struct pipeline *pipeline, const double *times, size_t count);

/* Seconds until all has been played once. 0 for the rest and the bind pose. */
double pipeline_duration(const struct pipeline *pipeline);

/*
 * Frames a second: the settings', else the file's where it has one (10 to 240 ticks per second), else 24; and of a
 * film of `count` frames: one that plays a whole clip lasts exactly as long as that.
 */
double pipeline_frame_rate(const struct pipeline *pipeline);
double pipeline_film_rate(const struct pipeline *pipeline, size_t count);

/* The camera for the last pose: `orbit` around `bounds`, or the settings' free, saved or file's camera. */
bool pipeline_camera(const struct pipeline *pipeline, const struct bounds *bounds, const struct orbit *orbit,
                     struct camera *out, struct error *err);

/* The last pose is that of the first time: a camera that does not follow stays there. */
void pipeline_hold_target(struct pipeline *pipeline);

/*
 * --place: the matrix, and what is put there: bounds, as the box around the box, and a pose with its palette, copied
 * into the arena. What is drawn is placed, and nothing before: a pose keeps the file's numbers.
 */
void place_matrix(const struct pipeline *pipeline, mat4 out);
struct bounds place_bounds(const struct pipeline *pipeline, const struct bounds *bounds);
void place_pose(const struct pipeline *pipeline, struct palette *palette, struct pose *pose);
void place_member(const struct pipeline *pipeline, struct arena *arena, struct crowd_member *member);

/* Sets a model's upload format and shaders as the settings say: before it is drawn, and when the settings change. */
bool pipeline_set_upload(const struct settings *settings, struct renderer *renderer, struct gpu_model *model,
                         struct error *err);

/* Frame settings for the last pose, by the settings, with the camera that was made for those bounds. */
struct frame_settings pipeline_frame_settings(const struct pipeline *pipeline, const struct bounds *bounds,
                                              const struct camera *camera);

/*
 * Some things move by the keys of what plays, and are where they are at the first time at all chosen times: a case at
 * these times never sees it move. Asked at every key and between each two. Less than 1e-4 is rounding of files; of a
 * motion a hundredth must be seen.
 */
struct unseen {
    size_t count;
    double time;      /* when the first of them is farthest from where it begins */
    struct text what; /* "rotation of `jaw`, `smile` of `face` and 3 more" */
};

/* Leaves the pipeline at the last time. False with err set where one cannot be posed. `out->what` is the caller's. */
bool pipeline_unseen(struct pipeline *pipeline, const double *times, size_t count, struct unseen *out,
                     struct error *err);

/*
 * --crowd COLUMNSxROWS: that many instances of the model in one picture, on a grid on the ground, around where the
 * model stands. Instance k, from 0, column by column and then row by row away from the front, plays k * --crowd-phase
 * seconds later than the first; by default the clip's duration is spread over all. A cell is 1.2 times what `one`
 * reaches along its axis, or half of what it reaches along the other, or of its radius, where that is more; `one` are
 * the bounds of all instances at all times as if each stood where the model does, before --place.
 */

/*
 * Several models in one picture: makes a pipeline of the one that is open, of models[0], and of the others, which it
 * opens. Times, camera and up axis are the first's. False with err set: all are ended, and models[0]'s scene stays the
 * caller's.
 */
struct group {
    const char *const *models; /* [count] */
    uint32_t count;
    struct option_list clips, places; /* --clip and --place of each; one clip alone is all models' */
};
bool group_open(struct pipeline *pipeline, const struct group *group, struct error *err);
bool group_pose(struct pipeline *pipeline, double time, struct error *err); /* as pipeline_pose() */

/* Returns how many instances; 0: no crowd is asked for. */
uint32_t crowd_size(const struct settings *settings);

/* The time of an instance where the first has `time`. */
double crowd_time(const struct pipeline *pipeline, double time, uint32_t instance);

/* The bounds of all of them as the picture shows them; without a crowd and --place `one` again. */
struct bounds crowd_bounds(const struct pipeline *pipeline, const struct bounds *one);

/* Finds where an instance stands; without a crowd where the model does, which is zero. */
void crowd_cell(const struct pipeline *pipeline, const struct bounds *one, uint32_t instance, vec3 out);

/* The members that a picture at a time shows: the crowd, or without one its first member. It is not to be copied. */
struct posed_crowd {
    struct crowd crowd;
    struct crowd_member *members; /* the same as in `crowd` */
    const struct palette **palettes; /* theirs before --place */
    struct crowd_member first;
    const struct palette *first_palette;
    struct arena *arena; /* of the crowd's or placed poses; NULL without */
};

/* Poses all, without values, and puts them where --place says; the pipeline is left at `time`. Without a crowd it is
 * `first`, whose pose and palette must live on. */
bool crowd_pose(struct posed_crowd *out, struct pipeline *pipeline, double time, const struct bounds *one,
                const struct crowd_member *first, struct error *err);
void crowd_release(struct posed_crowd *crowd);

/* Draws the last pose, which is of that time, with its crowd and its values, seen by a camera made for those bounds. */
bool pipeline_draw(struct pipeline *pipeline, struct renderer *renderer, struct gpu_model *model, double time,
                   const struct bounds *bounds, const struct camera *camera, struct image *out, struct error *err);

/* Skins a member on the CPU into the pipeline's `skinned`, adds its bounds, and moves it to its place. */
void crowd_skin(struct pipeline *pipeline, const struct posed_crowd *crowd, uint32_t member, struct bounds *bounds);
