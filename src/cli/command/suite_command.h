#pragma once

#include "cli/command.h"
#include "run/run_suite.h"

/* Code that check and accept share: a suite is read, its cases are chosen and run. */

/* The values of the options, and what is made of them; most goes into the run as it is. */
struct suite_command {
    const char *goldens; /* in place of the suite's */
    const char *repair;  /* in place of every case's */
    const char *backend;
    struct option_list filters, programs;
    const char *shard, *balance;
    unsigned stages; /* in place of every case's; 0: none were named */
    bool rerun_failed, allow_outside, allow_subjects, strict, list, json;
    const char *subject; /* all cases on it: of the suite, or a command */
    const char *against; /* the same: another rigproof */
    const char *engine;  /* the same: one that `rigproof engine` lists */
    struct suite *suite;
    bool *chosen;
    struct selection selection;
    struct text arguments; /* overrides, for commands to copy */
    struct results *last;  /* of the last run, for --rerun-failed */
    struct results *balance_by;
    struct suite_run run;
};
extern struct suite_command suite_command;

void suite_command_init(void);

/* The suite that is meant: the named one, or suite.yaml in the named folder or here. NULL with err set: it is none,
 * and what may have been meant is said. `command` is for messages. */
const char *suite_command_find(const char *command, const char *named, struct error *err);

/* Reads the suite and chooses cases that may run. False with err set. What was opened before is not released. */
bool suite_command_open(const char *path, struct error *err);

/* Locks the output folder until the process ends, since reports are written under the lock too; runs the cases. */
struct results *suite_command_run(int *interrupted, struct error *err);

/*
 * Engines that rigproof knows how to put under test: a folder each of `subjects`, with a script that installs the
 * engine and one that runs it. The folder is in share/rigproof of an installed rigproof, or that of the source
 * beside the build; the engines are then installed into $XDG_DATA_HOME/rigproof/engines, or build/engines.
 * RIGPROOF_ENGINES is another place for them. `given` is "three", or "tutorials:learnopengl" with what the engine's
 * program is given. NULL with err set: there is none, or it is not installed.
 */
struct subject_spec *engine_find(const char *given, struct arena *arena, struct error *err);

/* A person decides on goldens: false with err set where CI is set and nothing forces it. `name` is the command's. */
bool suite_command_may_accept(const char *name, bool force, struct error *err);

/* Says how cases are shown while a run goes on, each on a line of stdout; `context` of suite_run.finished. */
struct show {
    bool failing_only;
    bool failing_later; /* in full, at the end of the run */
    bool strict; /* what counts as failing */
    bool colour;
    bool causes; /* below the line */
};
void suite_command_show(void *show, const struct case_result *result);

/* check --watch: runs the open suite, and again what a changed file concerns. The exit code of the last round. */
enum exit_code check_watch(struct error *err);

/* Releases all that was opened. */
void suite_command_release(void);

/* Options of both commands, whose help has these early, */
#define SUITE_CHOICE_OPTIONS \
    {"filter", "GLOB", "cases whose name matches, or tag:GLOB; !GLOB leaves out (repeatable)", 0, \
     &value_texts, VALUE_OF(suite_command.filters), .letter = 'f'}, \
    {"jobs", "N", "worker processes (default the cores)", 0, \
     &value_count, VALUE_OF(suite_command.run.jobs), .letter = 'j', .least = 1, .most = 100000}

/* and these last. */
#define SUITE_OPTIONS \
    {"timeout", "S", "seconds a case may take (default 120; 0: no limit)", 0, &value_number, \
     VALUE_OF(suite_command.run.timeout), .most = 1e6}, \
    {"memory", "MIB", "memory a worker process may take (default 4096; 0: no limit)", 0, &value_number, \
     VALUE_OF(suite_command.run.memory_mib), .most = 1e6}, \
    {"goldens", "DIR", "goldens in place of the suite's", 0, &value_text, VALUE_OF(suite_command.goldens)}, \
    {"repair", "all|none|NAME,...", "repairs in place of every case's", 0, &value_text, \
     VALUE_OF(suite_command.repair)}, \
    {"backend", "auto|osmesa|egl", "how to get a GL context (default auto)", 0, &value_text, \
     VALUE_OF(suite_command.backend)}, \
    {"stages", "STAGE,...", \
     "compare these alone, in place of what the cases say: import, animate, palette, skin, draw", 0, &value_bits, \
     VALUE_OF(suite_command.stages), .words = stage_names + 1, .word_count = STAGE_COUNT}, \
    {"program", "NAME=PROGRAM", \
     "what the suite's subject NAME runs in place of its program, with its arguments (repeatable)", 0, &value_texts, \
     VALUE_OF(suite_command.programs)}, \
    {"allow-outside", NULL, "let the suite name files outside its repository, and goldens be links that lead there", \
     0, &value_flag, VALUE_OF(suite_command.allow_outside)}, \
    {"allow-subjects", NULL, "let the suite run the programs that it puts under test", 0, &value_flag, \
     VALUE_OF(suite_command.allow_subjects)}, \
    COMMAND_QUIET_OPTION
