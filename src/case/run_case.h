#pragma once

#include "case/comparison.h"
#include "golden/golden.h"
#include "pipeline/pipeline.h"

/* A model that a worker has imported; also one that could not be: what takes 30 s to time out does so once. */
struct model {
    struct scene *scene;
    const struct import_snapshot *snapshot;
    struct text import_json;  /* the bytes of import.json */
    struct gpu_model *gpu;    /* NULL until model_gpu() */
    struct source *files;     /* scene->files as they were: source_look() */
    char *candidate;          /* where this process has written import.json in the output folder; NULL */

    /* the cache's own */
    char *key;
    struct arena *arena;
    struct error failure;
    unsigned long used;
};

enum { MODEL_CACHE_SIZE = 4, SUBJECT_CACHE_SIZE = 8 };

/* The cases of one model import it once. A few stay; the one unused for longest goes. */
struct model_cache {
    struct model models[MODEL_CACHE_SIZE];
    unsigned long clock; /* counts uses */
    struct subject *subjects[SUBJECT_CACHE_SIZE]; /* programs under test, from the first case on that asks them */
};

/* The model, imported if need be. Owned by the cache, good until MODEL_CACHE_SIZE - 1 others were asked for. NULL
 * with err set. */
struct model *model_cache_get(struct model_cache *cache, const char *path, const struct settings *settings,
                              struct error *err);

/* Returns whether two cases share an import. */
bool model_is_same(const char *path, const struct settings *settings, const char *other_path,
                   const struct settings *other);

/* Drops the models of which a file is another one now, or elsewhere, and those that could not be imported. */
void model_cache_forget(struct model_cache *cache);

/* Its meshes and textures in GL's memory, uploaded as the settings say; owned by the model. NULL with err set. */
struct gpu_model *model_gpu(struct model *model, struct renderer *renderer, const struct settings *settings,
                            struct error *err);

/* The program, which may not run any more. Owned by the cache. */
struct subject *model_cache_subject(struct model_cache *cache, const struct subject_spec *spec);

/* Before the renderer goes. Ends the subjects. */
void model_cache_release(struct model_cache *cache);

/* When the candidates of a run are written to the output folder. */
enum keep { KEEP_FAILED, KEEP_ALL };

/* The frames of which a run leaves pictures. Without any there are no candidates either. */
enum pictures { PICTURES_FAILING, PICTURES_ALL, PICTURES_NONE, PICTURES_COUNT };
extern const char *const pictures_names[PICTURES_COUNT]; /* "failing", "all", "none" */

/* The times of a case with the poses of both sides. */
struct case_samples {
    const struct sample *items;
    size_t count;
};

/* For whom: `accept` takes candidates at the times that the settings choose now, whatever times the golden has. */
enum purpose { TO_CHECK, TO_ACCEPT };

struct case_options {
    const char *output;        /* folder of results and candidates */
    const char *suite_argument;/* the suite's path as typed, for commands to copy */
    const char *arguments;     /* what goes into such a command besides, quoted: " --goldens out/a", or "" */
    enum keep keep;
    enum purpose purpose;
    enum pictures pictures;
    size_t viewer_bytes;       /* of models in the report; 0: none */
    enum backend backend;
    const char *rigproof;      /* version */
    struct case_samples *samples; /* becomes what was compared, in the arena of the case; NULL */
};

/*
 * One case from model to verdict: import -> pose -> agree -> draw -> judge. Fills a result that points into `arena`,
 * the suite and the model cache. Files are written below options->output only.
 */
void run_case(const struct suite *suite, size_t index, const struct case_options *options, struct renderer *renderer,
              struct model_cache *cache, struct arena *arena, struct case_result *result);

/* The clip and the times that a run of the case would have, and its sources but for shaders, into the result;
 * nothing is drawn. False with err set. */
bool case_resolve(const struct suite *suite, size_t index, struct model_cache *cache, struct arena *arena,
                  struct case_result *result, struct error *err);

/* Returns whether it does not run though nothing is wrong, and why. */
bool case_skips(const struct suite_case *c, struct arena *arena, const char **why);

/* A JSON document with the cases that are chosen: docs/formats.md, "check --list --json". Imports their models. */
void suite_list_json(const struct suite *suite, const bool *chosen, struct text *out);

/* A result for a case that did not run to its end. */
void case_result_init(const struct suite_case *c, const struct case_options *options, struct arena *arena,
                      struct case_result *result);

/* "rigproof VERB SUITE OPTION VALUE ARGUMENTS", quoted for a shell: what repeats or accepts a case, or prunes. */
char *command_line(const struct case_options *options, struct arena *arena, const char *verb, const char *option,
                   const char *value);

/* Returns whether the scene has bones that hold no vertex: every skinning test of it would pass. */
bool holds_nothing(const struct scene *scene);

/* Returns whether no note of its kind and id comes before that one. */
bool note_is_first(const struct scene *scene, uint32_t note);

/* Returns whether that entry of a case's fingerprints is of the case alone, and not of the run. */
bool case_owns(const char *name);

/* One case under way: what run_case.c, which has the order, and the other files here share. A stage adds findings
 * and fills the result. */

/* One time of the case: what was computed at it. In the run's arena. */
struct sample {
    double time;
    long frame;             /* its number, or the sample's where frames were not asked for */
    const char *label;
    struct pose pose;       /* copies: the pipeline goes on to the next time */
    struct palette palette;
    const struct pose_snapshot *snapshot;
    /* what `snapshot` is held against: its pose.json, or the reference; NULL: there is none, or nobody asked yet */
    const struct pose_snapshot *golden;
    struct bounds framed;   /* what the picture drawn last was framed by */
    const float *values;    /* of its vertices, on a scale of colours; NULL: those of the view */
    bool is_reframed;       /* the candidate's camera is not the golden's, with which it is compared */
    char pixels[17];        /* image_hash() of the frame that is compared; "" before it is drawn */
    /* against the reference: what of `snapshot` is the subject's, for the diagnosis; NULL */
    const struct pose_snapshot *theirs;
    /* `snapshot` with the vertices of the user's shader, where these are wrong; NULL */
    const struct pose_snapshot *shaded;
    const struct pose_snapshot *reference; /* of a subject's case: our own pose; `snapshot` is the subject's */
    struct blob picture;    /* the subject's PNG; empty where it gave none */
    struct text candidate;  /* the PNG of the frame, where it is known to be wanted; else it is drawn again */
};

/* The camera and bounds that a picture of a sample is drawn with. */
struct framing {
    struct camera camera;
    /* of one instance, at all times: the camera is made for them, and a crowd's places follow from them */
    struct bounds bounds;
    struct value_range range; /* of a view on a scale of colours, of all times */
};

/* The range of all poses of one side. */
struct extent {
    struct bounds bounds;
    struct value_range range; /* of a view on a scale of colours */
    bool is_known;            /* of the golden: its bounds are */
};

/* The vertices that GPUs skin, held against those of the CPU. */
struct gpu_skinning {
    struct skinned *captured; /* [instances x members], of one time */
    struct scene *rounded;    /* with the weights that they read as whole numbers; NULL: they do not */
    struct skinned *rounded_skinned;
    size_t compared;          /* times */
};

/* A program under test and its answers, as soon as it was asked. */
struct answers {
    struct subject *program;
    struct asking *asking;     /* case_subject.c: for more questions; NULL before the first */
    const char *name;          /* as it calls itself */
    const struct import_snapshot *import; /* against the reference; NULL: not given */
    unsigned not_given;        /* stages, as bits */
    const char *shows;         /* what pictures stand beside ours without being compared; NULL: none do */
};

struct case_run {
    /* what was asked, and with what it is done */
    const struct suite *suite;
    const struct suite_case *c;
    const struct case_options *options;
    struct renderer *renderer;
    struct model_cache *cache;
    struct arena *arena;       /* everything of this case */
    bool chooses_times;        /* by the settings, though the golden has its own */

    /* what was imported and read */
    bool reached_import;
    struct model *model;
    struct shader_set *shaders; /* of the case; NULL: ours */
    struct pipeline pipeline;
    struct golden golden;
    const struct import_snapshot *golden_import; /* NULL: absent */

    /* what was posed */
    struct sample *samples;
    size_t count;
    bool times_moved;          /* the settings would choose others than the golden's, which these are */
    struct extent extent, golden_extent;
    struct gpu_skinning gpu;
    struct answers theirs;

    /* what was compared */
    double moved; /* the largest displacement of a vertex from the golden's pose, at any time; NaN: nobody asked yet */
    bool has_blank;            /* a frame that shows nothing, or next to it, was found */
    struct comparison out; /* against the golden, or of a subject with the reference */
};

/*
 * The times of the case into run->samples, which are empty: those of the golden where the settings leave them to the
 * model (case_times.c), else by the settings. A benign finding says where these would be others now.
 */
bool case_times(struct case_run *run, struct error *err);

/* After all was compared: into the facts which times of the case were not, and which of the golden were not sampled. */
void case_check_times(struct case_run *run);

/* The extents of the poses: the golden's bounds as recorded (of a crowd) or of its poses, if all were read; the ranges
 * of a view's numbers, of the golden if all were read and these are what it needs. */
bool case_find_extents(struct case_run *run, struct error *err);

/* The framing of a sample: with `of_golden` the recorded one, where it is, else what the settings choose now. */
bool case_framing(const struct case_run *run, size_t index, bool of_golden, struct framing *out, struct error *err);

/*
 * The cameras that the settings choose against the recorded ones. What they would be for the golden's poses and is not
 * recorded so is a finding of its own; what follows from poses, which have findings of theirs, is a benign one.
 */
bool case_compare_framing(struct case_run *run, struct error *err);

/* Every time posed, skinned on both sides, compared with its pose.json and with the case it agrees with, remembered in
 * run->samples. */
bool case_pose(struct case_run *run, struct error *err);

/* The vertices of times that case_pose() has left for while llvmpipe's threads draw, up to that number of times.
 * Their findings come after those of all poses; nobody sees that, for they are sorted by stages. */
bool case_compare_waiting(struct case_run *run, size_t count, struct error *err);

/*
 * After the verdict: where numbers differ from the golden's, the mistakes that turn this run's into them, into the
 * result; of a user's vertex shader those that turn the CPU's vertices into its own. Where all agrees nothing is done.
 */
void case_find_causes(struct case_run *run);

/* All skinned vertices of a pose, in the arena. */
bool gather_points(struct pipeline *pipeline, double time, struct arena *arena, struct point_set *out,
                   struct error *err);

/* The model's import against the golden's, where the case has one: into run->golden_import. A model whose bones hold
 * nothing is a finding. False with err set where the golden's cannot be read. */
bool case_check_import(struct case_run *run, struct error *err);

/* The files that candidates of the case are made of into the result: case_inputs(). */
void case_list_sources(struct case_run *run);

/* The clips that the case plays, by the names that they have in either, and all that is every clip's. */
void case_compare_import(struct case_run *run, const struct import_snapshot *golden,
                         const struct import_snapshot *actual);

/* The pipeline posed at a sample's time, whose pose and palette it becomes, among the run's bounds. As a file has it:
 * without vertices, or with all of them. NULL with err set. */
const struct pose_snapshot *case_pose_sample(struct case_run *run, size_t index, bool vertices, struct error *err);

/* In place of both for a case of a subject: it is asked at every time, and its answers and pictures are compared. */
bool case_subject_pose(struct case_run *run, struct error *err);
bool case_subject_draw(struct case_run *run, struct error *err);

/* Asks it for one more pose, at which the pipeline stands then: of the case's clip, or of what the pipeline plays. What
 * it gives, for the diagnosis; NULL: it gives none. */
const struct pose_snapshot *case_ask_more(struct case_run *run, struct pipeline *pipeline, double time);

/* Puts the numbers of the file that the case's key `truth` names ("rigproof.truth/1") in place of the references', by
 * the tree of the nodes. False with err set: it has no pose at a time, or a node or mesh that the reference lacks. */
bool case_take_truth(struct case_run *run, struct error *err);

/* Every frame drawn and compared with its golden. */
bool case_draw(struct case_run *run, struct error *err);

/* Draws one sample with case_framing(), also again for whoever needs its pixels. */
bool case_draw_sample(struct case_run *run, size_t index, bool of_golden, struct image *out,
                      struct frame_settings *frame_settings, struct error *err);

/* Returns what case_options.pictures asks for, in a run that makes a report: `accept` makes none. */
bool case_shows(const struct case_run *run, enum pictures pictures);

/* Shows a case that fails: the curve of its worst bone, and golden and actual at the first failing time as a page's
 * content, a file of its folder. What cannot be shown is said in the result. */
bool case_show_failure(struct case_run *run, struct error *err);

/* Copies the golden's pictures of a remembered verdict for the report, in the arena. One that cannot be copied is
 * left out. */
void case_show_golden(const struct suite *suite, const struct case_options *options, struct arena *arena,
                      struct case_result *result);

/* The picture of a sample, also of one that is not the run's. */
bool case_draw_as(struct case_run *run, const struct sample *sample, const struct frame_settings *frame_settings,
                  struct image *out, struct error *err);

/* The same, of which each pixel is the number of the binding seen there, from 1 on; 0: none. The caller's; NULL with
 * err set. */
uint32_t *case_draw_bindings(struct case_run *run, const struct sample *sample,
                             const struct frame_settings *frame_settings, struct error *err);

/* The sample with the other pose's matrices and morph weights; ours where it has none of that name. */
struct sample case_pose_as(struct case_run *run, const struct sample *sample, const struct pose_snapshot *ours,
                           const struct pose_snapshot *other);

/* The golden's pose of a sample, where there is one. False with err set where it cannot be read. */
bool case_read_pose(struct case_run *run, struct sample *sample, struct error *err);

/* The pipeline as it was at the sample. */
struct pipeline case_pipeline_at(const struct case_run *run, const struct sample *sample);

/* The same with the golden's pose, which it must have. */
struct sample case_golden_pose(struct case_run *run, const struct sample *sample);

/* Counts the changed pixels of each binding into the result. */
bool case_find_bones(struct case_run *run, const struct sample *sample, const struct frame_settings *frame_settings,
                     const struct image *golden, const struct image *actual, struct image_result *result,
                     struct error *err);

/* Fills `explained` and `remaining` of a picture that differs from a golden of its size. The numbers before are
 * compared. */
bool case_explain_picture(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                          const struct image *golden, const struct image *actual, struct error *err);

/* A file of the golden whose hash is not the recorded one; the first is what the verdict says. */
void case_mismatch(struct case_run *run, const char *label, const char *suffix);

/* Writes <output>/<case>/<label><suffix>: never through a link below <output>. */
bool case_output(const struct case_run *run, const char *label, const char *suffix, const void *data, size_t size,
                 struct error *err);
