#ifndef RIGPROOF_CLI_SUITE_COMMAND_H
#define RIGPROOF_CLI_SUITE_COMMAND_H

#include "suite/setting/settings.h"
#include "suite/run/run_suite.h"

/* What `check` and `accept` have in common: options, the suite read, the cases chosen, the run. */

struct suite_command {
    /* options */
    const char *output;
    const char *goldens;        /* in place of the suite's */
    const char *repair;         /* in place of every case's */
    const char *backend;
    struct option_list filters;
    const char *shard;
    long jobs;
    double timeout;
    double memory;              /* MiB of a worker */
    bool rerun_failed;
    bool fail_fast;
    bool allow_outside;
    bool strict;

    /* made from them */
    const char *suite_path;
    struct suite *suite;
    bool *chosen;
    size_t chosen_count;
    struct selection selection;
    struct text arguments;      /* overrides, for commands to copy */
    struct results *last;       /* of the last run, for --rerun-failed */
    struct suite_run run;
};

/* Defaults: output out/check, as many jobs as there are cores, 120 s a case, 4096 MiB a worker. */
void suite_command_init(struct suite_command *command);

/*
 * Reads the suite, applies the overrides, chooses the cases. False with err set (exit code 2). Release it in
 * either case.
 */
bool suite_command_open(struct suite_command *command, const char *suite_path, struct error *err);
void suite_command_release(struct suite_command *command);

/* Locks the output folder and runs the chosen cases: run_suite(). */
struct results *suite_command_run(struct suite_command *command, int *interrupted, struct error *err);

#endif
