#ifndef RIGPROOF_SUITE_CASE_RUN_H
#define RIGPROOF_SUITE_CASE_RUN_H

#include "compare/compare.h"
#include "suite/case/run_case.h"
#include "suite/golden/golden.h"
#include "suite/pipeline.h"

/* One case under way: what its parts in case_*.c share. A part adds findings and fills the result; run_case.c has their order. */

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

struct case_run {
    const struct suite *suite;
    const struct suite_case *c;
    const struct run_options *options;
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

/* case_pose.c: every time posed, skinned on both sides, compared with its pose.json, remembered in run->samples. */
bool case_pose(struct case_run *run, struct error *err);

/* The skinned vertices against those of the case it agrees with. */
bool case_agree(struct case_run *run, struct error *err);

/* case_draw.c: every frame drawn and compared with its golden. */
bool case_draw(struct case_run *run, struct error *err);

/* Draws one sample, also again for whoever needs its pixels. */
bool case_draw_sample(struct case_run *run, size_t index, struct image *out, struct frame_settings *frame_settings,
                      struct error *err);

/*
 * run_case.c: a file of the golden. Where it is not there, `missing`, in the run's arena, is what the headline says; the
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
