#pragma once

#include "case/run_case.h"
#include "reduce/reduce.h"

/* The first explanation becomes the one that is about the rule whose rig the model is, where several explain all. */
void reduce_prefer_rule(const char *model, struct case_result *result);

/* These are the words for what a reduced file shows, made of a case that fails. */
struct reduce_evidence {
    struct text title;   /* one sentence, and the rule that is broken */
    struct text numbers; /* a table of what is expected and what was seen; empty where there is none */
    struct text verdict; /* the case as `check` prints it */
};
void reduce_evidence_release(struct reduce_evidence *evidence);

/* The numbers of the first time at which the stage differs. */
void reduce_evidence_see(struct reduce_evidence *evidence, enum stage stage, const struct case_samples *samples);

/* Title and verdict. `model` is the file that was to be reduced, which may be the rig of a rule. */
void reduce_evidence_judge(struct reduce_evidence *evidence, const char *model, struct case_result *result);

/* The report beside the file, whose text is `file`. */
struct reduce_report {
    const struct reduce_options *options;
    const struct reduce_result *sizes;
    const struct reduce_evidence *evidence;
    const char *file;
    const char *clip;     /* as --clip has it; NULL: the default */
    double time;          /* NaN: not known */
    bool has_pictures;
};
/* Pictures of a case, and what they are called beside the file. */
enum { REDUCE_PICTURES = 2 };
extern const struct reduce_picture {
    const char *of_case, *name, *what;
} reduce_pictures[REDUCE_PICTURES];
void reduce_report_write(const struct reduce_report *report, struct text *out);
