#ifndef RIGPROOF_SUITE_RUN_CASE_H
#define RIGPROOF_SUITE_RUN_CASE_H

#include "compare/compare.h"
#include "suite/golden/golden.h"
#include "suite/pipeline.h"

/* A model that a worker has imported; also one that could not be: what takes 30 s to time out does so once. */
struct model {
    struct scene *scene;
    const struct import_snapshot *snapshot;
    struct text import_json;  /* the bytes of import.json */
    struct gpu_model *gpu;    /* NULL until model_gpu() */

    /* the cache's own */
    char *key;
    struct arena *arena;
    struct error failure;
    unsigned long used;
};

enum { MODEL_CACHE_SIZE = 4 };

/* The cases of one model import it once. A few stay; the one unused for longest goes. */
struct model_cache {
    struct model models[MODEL_CACHE_SIZE];
    unsigned long clock; /* counts uses */
};

/* Appends what two cases must have in common to share an import, and a worker: the path and settings of the import. */
void model_key(const char *path, const struct settings *settings, struct text *out);

/* The model, imported if need be. Owned by the cache, good until MODEL_CACHE_SIZE - 1 others were asked for. NULL with err set. */
struct model *model_cache_get(struct model_cache *cache, const char *path, const struct settings *settings,
                              struct error *err);

/* Its meshes and textures in GL's memory, uploaded as the settings say; owned by the model. NULL with err set. */
struct gpu_model *model_gpu(struct model *model, struct renderer *renderer, const struct settings *settings,
                            struct error *err);

/* Before the renderer goes. */
void model_cache_release(struct model_cache *cache);

/* When the candidates of a run are written to the output folder. */
enum keep { KEEP_FAILED, KEEP_ALL };

struct case_options {
    const char *output;        /* folder of results and candidates */
    const char *suite_argument;/* the suite's path as typed, for commands to copy */
    const char *arguments;     /* what goes into such a command besides, quoted: " --goldens out/a", or "" */
    enum keep keep;
    enum backend backend;
    const char *rigproof;      /* version */
};

/*
 * One case from model to verdict: import -> pose -> agree -> draw -> judge. Fills a result that points into `arena`, the
 * suite and the model cache. Files are written below options->output only.
 */
void run_case(const struct suite *suite, size_t index, const struct case_options *options, struct renderer *renderer,
              struct model_cache *cache, struct arena *arena, struct case_result *result);

/* A result for a case that did not run to its end. */
void case_result_init(const struct suite_case *c, const struct case_options *options, struct arena *arena,
                      struct case_result *result);

/* "rigproof VERB SUITE OPTION VALUE ARGUMENTS", quoted for a shell: what repeats or accepts a case, or prunes. */
char *command_line(const struct case_options *options, struct arena *arena, const char *verb, const char *option,
                   const char *value);

/* Whether that entry of a case's fingerprints is of the case alone, and not of the run. */
bool case_owns(const char *name);

/* One case under way: what run_case.c, which has the order, and case_stages.c share. A stage adds findings and fills the result. */

/* One time of the case: what was computed at it. In the run's arena. */
struct sample {
    double time;
    long frame;             /* its number, or the sample's where frames were not asked for */
    const char *label;
    struct pose pose;       /* copies: the pipeline goes on to the next time */
    struct palette palette;
    const struct pose_snapshot *snapshot;
    const struct pose_snapshot *golden; /* of its pose.json; NULL */
    char pixels[17];        /* image_hash() of the frame; "" before it is drawn */
};

struct case_run {
    const struct suite *suite;
    const struct suite_case *c;
    const struct case_options *options;
    struct renderer *renderer;
    struct shader_set *shaders; /* of the case; NULL: ours */
    struct model_cache *cache;
    struct arena *arena;       /* everything of this case */
    struct model *model;
    struct pipeline pipeline;
    struct golden golden;
    const struct import_snapshot *golden_import; /* NULL: absent */
    struct sample *samples;
    size_t count;
    struct bounds bounds;      /* of all samples */
    struct findings findings;
    struct judge_facts facts;
    struct case_result *result;
};

/* Every time posed, skinned on both sides, compared with its pose.json, remembered in run->samples. */
bool case_pose(struct case_run *run, struct error *err);

/* The skinned vertices against those of the case it agrees with. */
bool case_agree(struct case_run *run, struct error *err);

/* Every frame drawn and compared with its golden. */
bool case_draw(struct case_run *run, struct error *err);

/* Draws one sample, also again for whoever needs its pixels. */
bool case_draw_sample(struct case_run *run, size_t index, struct image *out, struct frame_settings *frame_settings,
                      struct error *err);

/* The picture of a sample, also of one that is not the run's, or with `out` NULL the numbers of the bindings seen in it. */
bool case_draw_as(struct case_run *run, const struct sample *sample, const struct frame_settings *frame_settings,
                  struct image *out, uint32_t *bindings, struct error *err);

/* Counts the changed pixels of each binding into the result. */
bool case_find_bones(struct case_run *run, const struct sample *sample, const struct frame_settings *frame_settings,
                     const struct image *golden, const struct image *actual, struct image_result *result,
                     struct error *err);

/* Fills `explained` and `remaining` of a picture that differs from a golden of its size. The numbers before are compared. */
bool case_explain_picture(struct case_run *run, size_t index, const struct frame_settings *frame_settings,
                          const struct image *golden, const struct image *actual, struct error *err);

/*
 * A file of the golden. Where it is not there, `missing`, in the run's arena, is what the headline says; the
 * first counts. A hash that is not the recorded one (NULL: none) is a mismatch. GOLDEN_UNREADABLE with err set.
 */
enum golden_part case_read_golden(struct case_run *run, const char *label, const char *suffix, const char *recorded,
                                  const char *missing, struct blob *out, struct error *err);

/* A file of the golden whose hash is not the recorded one; the first is what the verdict says. */
void case_mismatch(struct case_run *run, const char *label, const char *suffix);

/* Writes <output>/<case>/<label><suffix>: never through a link below <output>. */
bool case_output(const struct case_run *run, const char *label, const char *suffix, const void *data, size_t size,
                 struct error *err);

#endif
