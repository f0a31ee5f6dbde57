#ifndef RIGPROOF_CLI_COMMAND_H
#define RIGPROOF_CLI_COMMAND_H

#include "base/error.h"
#include "cli/options.h"

/*
 * One cmd_*.c per command: what it is called and takes, as data for the parser, --help and the manual, and what runs it.
 * What its options set are variables of that file: a process runs one command.
 */
struct command {
    const char *name;
    const char *operands; /* "MODEL -o OUT.png" for the usage line */
    const char *summary;  /* one line for the list of commands */
    const char *about;    /* a sentence or a few, '\n' between lines */
    const struct option *options; /* come before settings of the same name */
    size_t option_count;
    unsigned setting_groups; /* enum setting_group */
    struct settings *settings; /* what they set; NULL without groups */
    size_t operand_least;
    size_t operand_most; /* up to OPTION_LIST_MOST */
    /* argv[0] is the command's name. Returns the exit code; on failure err is set and main prints it. */
    enum exit_code (*run)(int argc, char **argv, struct error *err);
};

extern const struct command *const commands[];
extern const size_t command_count;

extern const struct command command_inspect;
extern const struct command command_render;
extern const struct command command_turntable;
extern const struct command command_dump;
extern const struct command command_report;
extern const struct command command_check;
extern const struct command command_accept;
extern const struct command command_diff;
extern const struct command command_doctor;

#endif
