#pragma once

#include <stdio.h>

#include "base/log.h"
#include "base/process/process.h"
#include "options/settings.h"

struct operands {
    const char **items;
    size_t count;
};

/*
 * One cmd_*.c per command: what it is called and takes, as data for the parser, --help and the manual, and what runs
 * it. What its options set are variables of that file: a process runs one command.
 */
struct command {
    const char *name;
    const char *operands; /* "MODEL -o OUT.png" for the usage line */
    const char *summary;  /* one line for the list of commands */
    const char *about;    /* a sentence or a few, '\n' between lines */
    const struct setting *options; /* its own; come before settings of the same name */
    size_t option_count;
    unsigned setting_groups; /* enum setting_group */
    struct settings *settings; /* what they set, made and released by main; NULL without groups */
    size_t operand_least;
    size_t operand_most; /* SIZE_MAX: any number */
    bool is_limited;     /* by COMMAND_LIMIT_OPTIONS */
    void (*init)(void);  /* defaults that are no constants; NULL: none */
    /* Returns the exit code; on failure err is set and main prints it. */
    enum exit_code (*run)(const struct operands *operands, struct error *err);
};

#define RUN_FOLDER "out/check" /* the output of a run, where nobody names another */

#define COMMAND_OPTIONS(array) .options = (array), .option_count = sizeof(array) / sizeof(array)[0]

/*
 * The limits of a command that does its work in its own process, as rows of its option table. The defaults are far from
 * what honest use takes: a sheet of eight 4K frames 1 GiB and 17 s.
 */
extern struct limits command_limits; /* 3600 s, 8192 MiB until the options say otherwise */
#define COMMAND_LIMIT_OPTIONS \
    {"timeout", "S", "seconds the command may take (default 3600; 0: no limit)", 0, &value_number, \
     VALUE_OF(command_limits.seconds), .most = 1e6}, \
    {"memory", "MIB", "memory the command may take (default 8192; 0: no limit)", 0, &value_number, \
     VALUE_OF(command_limits.memory_mib), .most = 1e6}

/* A row of commands that say more than their results. */
#define COMMAND_QUIET_OPTION \
    {"quiet", NULL, "print errors and what fails, nothing else: no notes, no warnings, no progress", 0, &value_flag, \
     VALUE_OF(log_is_quiet), .letter = 'q'}

extern const struct command *const commands[];
extern const size_t command_count;

/* All, in the order of the list of commands. */
#define COMMANDS(X)                                                                                                    \
    X(init) X(accept) X(check) X(review) X(report) X(diff) X(inspect) X(view) X(render) X(turntable) X(sheet) X(plot)  \
    X(dump) X(diagnose) X(engine) X(generate) X(conform) X(reduce) X(doctor) X(subject) X(help) X(version)
#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

/* NULL with err set, the nearest name suggested. */
const struct command *command_find(const char *name, struct error *err);

/* The options of a command: its own ones, then the settings it takes, group by group. NULL beyond the last. */
const struct setting *command_option(const struct command *command, size_t index);

/* Returns whether a value may follow after a `=` and need not: `also` stands for none. Its usage is "[=A|B]". */
static inline bool option_may_stand_alone(const struct setting *option)
{
    return option->value_name && option->value_name[0] == '[' && option->also;
}

/* The title of the group of settings that the option is in: "pose" for SETTING_CLIP. NULL of the command's own. */
const char *option_title(const struct command *command, size_t index);

/* `rigproof --help`, and `rigproof COMMAND --help` on stdout: what fits a screen, or with `is_whole` every option. */
void help_usage(FILE *out);
void help_print(const struct command *command, bool is_whole);

/* Returns how much of an option's explanation says what it is, in a few words. */
size_t help_brief_length(const char *help);

/* The manual page rigproof-COMMAND(1) in roff's man macros, on stdout; without a command rigproof(1). */
void manual_print(const struct command *command);

/* Prints the script that completes command lines in a shell, of completions[] in completion.c. */
void completion_print(unsigned shell);
