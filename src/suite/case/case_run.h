#ifndef RIGPROOF_SUITE_CASE_RUN_H
#define RIGPROOF_SUITE_CASE_RUN_H

#include "compare/compare.h"
#include "compare/judge.h"
#include "suite/case/model_cache.h"
#include "suite/file/suite_file.h"
#include "suite/golden/golden.h"
#include "suite/pipeline.h"

/*
 * One case under way: what its parts in case_*.c share. A part adds findings and fills the result; only run_case.c
 * knows their order.
 */

/* One time of the case: what was computed at it. In the run's arena. */
struct sample {
    double time;
    long frame;             /* its number, or the sample's where frames were not asked for */
    const char *label;
    struct pose pose;       /* copies: the pipeline goes on to the next time */
    struct palette palette;
    const struct pose_snapshot *snapshot;
    char pixels[17];        /* image_hash() of the frame; "" before it is drawn */
};

/* When the candidates of a run are written to the output folder. */
enum keep { KEEP_FAILED, KEEP_ALL };

struct run_options {
    const char *output;        /* folder of results and candidates */
    const char *suite_argument;/* the suite's path as typed, for commands to copy */
    const char *arguments;     /* what goes into such a command besides, quoted: " --goldens out/a", or "" */
    enum keep keep;
    enum backend backend;
    const char *rigproof;      /* version */
};

struct case_run {
    const struct suite *suite;
    const struct suite_case *c;
    const struct run_options *options;
    struct renderer *renderer;
    struct shader_set *shaders; /* of the case; NULL: ours */
    struct model_cache *cache;
    struct arena *arena;       /* everything of this case, the result included */
    struct model *model;
    bool stopped_in_import;    /* the model could not be read */
    bool is_blank;             /* some frame is */
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

/* case_import.c: import.json, and whether a bone holds anything. */
bool case_compare_import(struct case_run *run, struct error *err);

/* case_pose.c: every time posed, skinned on both sides, compared with its pose.json, remembered in run->samples. */
bool case_pose(struct case_run *run, struct error *err);

/* case_agree.c: the skinned vertices against those of the case it agrees with. */
bool case_agree(struct case_run *run, struct error *err);

/* case_draw.c: every frame drawn and compared with its golden. */
bool case_draw(struct case_run *run, struct error *err);

/* Draws one sample again, for whoever needs its pixels. */
bool case_draw_sample(struct case_run *run, size_t index, struct image *out, struct frame_settings *frame_settings,
                      struct error *err);

/* case_write.c: the candidates of this run into <output>/<case>/: what accept would make the golden. */
bool case_write(struct case_run *run, struct error *err);

/* case_record.c: what pixels depend on; the options as resolved. */
struct fingerprint case_fingerprint(const struct case_run *run);
struct fingerprint case_options(const struct case_run *run);

/* Assimp's file: two builds may call themselves the same. */
struct fingerprint case_library(struct arena *arena);

/* Whether that is of one case alone, and not of a run. */
bool case_owns(const char *name);

/* Adds the options, and the file of Assimp, that are not as recorded to the result's fingerprints, for people: they say why pictures differ. */
void case_print_options(struct case_run *run);

/* case_run.c: something that a golden lacks; the first is what the headline says. */
void case_missing(struct case_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* case_run.c: a file of the golden whose hash is not the recorded one; the first is what the verdict says. */
void case_mismatch(struct case_run *run, const char *label, const char *suffix);

/* Whether the bytes are those that recorded.json names, or it names none (NULL). */
bool case_is_as_recorded(const char *recorded, const struct blob *file);

/* Writes <output>/<case>/<label><suffix>: never through a link below <output>. */
bool case_output(const struct case_run *run, const char *label, const char *suffix, const void *data, size_t size,
                 struct error *err);

#endif
