#pragma once

#include "data/result/result.h"

/* The sentence of a code. Words in braces stand for what the finding has, see report/finding_sentences.c. */
struct finding_template {
    const char *one, *many; /* `many`: of a finding that speaks of several things, or of some of many */
    unsigned flags;
};
enum {
    MESHES = 1,     /* lists of several name the meshes, not the subjects */
    PREDICATES = 2, /* what several have in common goes on with their sentence */
};
extern const struct finding_template finding_templates[FINDING_CODE_COUNT];

/* Words that stand for templates. */
extern const struct finding_phrase {
    const char *word, *template;
} finding_phrases[]; /* to the one without a word */

/* The sentence of a finding in the arena. `result` is the case's, of which pictures are spoken; NULL: of an import. */
const char *finding_sentence(const struct finding *finding, const struct case_result *result, double unit_meters,
                             struct arena *arena);

/*
 * The sentences of a verdict that judge_case() has just reached: texts of its findings, where nobody gave them one,
 * summaries of stages, headline, vacuity and what it would pass from. Nothing but reports reads them. Texts are in the
 * arena.
 */
void report_say(struct case_result *result, struct arena *arena);
