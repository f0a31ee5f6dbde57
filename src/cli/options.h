#ifndef RIGPROOF_CLI_OPTIONS_H
#define RIGPROOF_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "suite/settings.h"

/*
 * The command line of one command: its own options, the groups of settings it takes, its operands. The help text comes
 * from the same tables.
 */

enum option_kind {
    OPTION_FLAG,   /* bool * */
    OPTION_TEXT,   /* const char ** */
    OPTION_COUNT,  /* long *, 1 to 100000 */
    OPTION_NUMBER, /* double *, least to most; 0 to 1e6 where both are 0 */
    OPTION_LIST,   /* struct option_list *: may be given several times */
};

enum { OPTION_LIST_MOST = 256 };

struct option_list {
    const char *items[OPTION_LIST_MOST];
    size_t count;
};

struct option {
    const char *name; /* without the dashes */
    char letter;      /* '\0' for none */
    enum option_kind kind;
    void *target;
    const char *value_name;
    const char *help;
    double least; /* of an OPTION_NUMBER */
    double most;
};

enum { MAX_OPERANDS = 256 };

struct command_line {
    const char *command;  /* "render" */
    const char *operands; /* "MODEL -o OUT.png" for the usage line */
    const char *about;    /* a sentence or a few for --help */
    const struct option *options; /* come before settings of the same name */
    size_t option_count;
    unsigned setting_groups; /* enum setting_group */
    struct settings *settings;
    size_t operand_least;
    size_t operand_most;
    /* results */
    const char *operand[MAX_OPERANDS];
    size_t operand_count;
};

enum parse_result { PARSE_GO, PARSE_HELP, PARSE_ERROR };

/*
 * Parses argv[1..]. PARSE_HELP: the help was printed to stdout, exit with 0. PARSE_ERROR: err is set (exit code 2); an
 * unknown option names its nearest neighbour.
 */
enum parse_result options_parse(struct command_line *line, int argc, char **argv, struct error *err);

#endif
