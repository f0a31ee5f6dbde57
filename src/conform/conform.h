#pragma once

#include "generate/generate.h"
#include "run/run_suite.h"

#define CONFORM_FORMAT "rigproof.conform/1"

/* Programs held against the truth of generated rigs: rules x programs. */

struct conform_options {
    /* [program_count] commands whose words are parted by blanks; "rigproof" is this program itself */
    const char *const *programs;
    size_t program_count;
    const char *self;      /* path of this program */
    const char *repair;    /* of this program itself; NULL: its default */
    const struct generate_options *rules; /* which rules; its folder is not looked at */
    uint32_t random_count; /* of random rigs besides; 0: none */
    const char *expect;    /* file of what is known to fail; NULL */
    double timeout;        /* seconds that a program may take for an answer */
    struct suite_run run;  /* jobs, limits, output folder, callbacks */
};

enum conform_status { CONFORM_SILENT, CONFORM_PASS, CONFORM_UNEXPECTED, CONFORM_KNOWN, CONFORM_FAIL, CONFORM_STATUSES };
extern const char *const conform_words[CONFORM_STATUSES]; /* as conform.json has them: "no-answer" */
enum conform_status conform_status(const struct case_result *result);

/* It passes, expected or not. */
bool conform_is_right(const struct case_result *result);

/* Says how one program did. */
struct conform_program {
    const char *command; /* as given */
    const char *name;    /* the same as the name of a folder */
    const char *subject; /* as it calls itself, with its version; else `name` */
    struct results *results;
    size_t counts[CONFORM_STATUSES]; /* of rigs */
};

/* Says how often a cause was named. */
struct conform_cause {
    const char *id;       /* "none": what nothing explains */
    const char *sentence; /* "" of that */
    size_t count;
};

struct scorecard {
    struct arena *arena;
    const struct conform_options *options;
    uint32_t rule_count, random_count; /* rigs */
    size_t program_count;
    struct conform_program *programs;
    bool is_good; /* nothing new fails, and nothing passes that is expected to fail */
};

/* Writes the rigs to DIR/rigs and asks each program; its reports are in DIR/NAME. False with err set. */
bool conform_run(const struct conform_options *options, int *interrupted, struct scorecard *out, struct error *err);
void conform_release(struct scorecard *card);

/* The causes of a program's failures, the most frequent first: [*count] in the card's arena. */
struct conform_cause *conform_causes(const struct scorecard *card, const struct conform_program *program,
                                     size_t *count);

void scorecard_json(const struct scorecard *card, struct text *out);
void scorecard_html(const struct scorecard *card, struct text *out);
void scorecard_text(const struct scorecard *card, bool is_quiet, struct text *out);

/* A file for --expect that lists all that fails: "NAME/RULE  # cause" a line. */
void scorecard_expect(const struct scorecard *card, struct text *out);
