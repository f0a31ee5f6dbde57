#pragma once

#include "data/result/result.h"

/*
 * The sentences of a verdict that judge_case() has just reached: texts of its findings, where nobody gave them one,
 * summaries of stages, headline, vacuity and what it would pass from. Nothing but reports reads them. Texts are in the
 * arena.
 */
void report_say(struct case_result *result, struct arena *arena);
