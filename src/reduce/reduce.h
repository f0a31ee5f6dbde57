#pragma once

#include "base/error.h"
#include "draw/draw.h"

/* The smallest glTF that still shows what a model shows. */

struct reduce_options {
    const char *model;
    const char *subject;  /* a command; or */
    const char *against;  /* another rigproof; or */
    const char *test;     /* a command with {} in place of the file, which exits with 0 where it shows the same */
    const char *clip;     /* name or number; NULL: the first; "none": the rest pose */
    double time;          /* seconds; NaN: the worst of those that `times: auto` chooses */
    double budget;        /* seconds */
    double answer_timeout; /* seconds of an answer, or of the test command */
    const char *output;   /* the file; its report is beside it, .md in place of its ending */
    const char *rigproof; /* version */
};

struct reduce_result {
    size_t size_before, size_after;
    uint32_t tried;
    bool was_stopped; /* by a signal or the budget: the smallest so far was written */
};

/* False with err set, nothing written: the model cannot be read, or shows nothing at the start. */
bool reduce_run(const struct reduce_options *options, struct reduce_result *out, struct error *err);
