#ifndef RIGPROOF_CLI_OPTIONS_H
#define RIGPROOF_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "suite/setting/settings.h"

/* The command line of one command (cli/command.h): its own options, the groups of settings it takes, its operands. */

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

struct command;

/* Groups of settings in the order in which help and manual have them. */
enum { SETTING_GROUP_COUNT = 4 };
extern const unsigned setting_groups[SETTING_GROUP_COUNT]; /* enum setting_group */

/*
 * The options of a command as data: `index` counts from 0 through its own ones, then the settings it takes, group by group.
 * False beyond the last.
 */
struct option_text {
    char letter;
    const char *name;
    const char *value_name;
    const char *help;  /* '\n' between its lines */
    unsigned group;    /* enum setting_group; 0: the command's own */
};
bool option_text(const struct command *command, size_t index, struct option_text *out);

enum parse_result { PARSE_GO, PARSE_HELP, PARSE_ERROR };

/*
 * Parses argv[1..]. PARSE_HELP: the help was printed to stdout, exit with 0. PARSE_ERROR: err is set (exit code 2); an
 * unknown option names its nearest neighbour.
 */
enum parse_result options_parse(const struct command *command, int argc, char **argv, struct option_list *operands,
                                struct error *err);

#endif
