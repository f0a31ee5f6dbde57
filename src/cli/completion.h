#ifndef RIGPROOF_CLI_COMPLETION_H
#define RIGPROOF_CLI_COMPLETION_H

#include "cli/command.h"

/* The files of cli/completion/, embedded at build time (cmake/Embed.cmake writes the table): a script for each shell. */
struct completion {
    const char *name; /* "rigproof.bash" */
    const char *text; /* with a line @TABLE@ where the table of commands belongs */
};
extern const struct completion completions[];
extern const unsigned completion_count;

/*
 * Prints the script that completes rigproof's command line in a shell, 0 to completion_count - 1. Its table is made of the
 * commands' options, a line each: command, names, what their values are, explanation, with tabs between. The values are
 *
 *     flag                 there is none
 *     words WORD...        one of these; `list WORD...` several with commas between
 *     files EXTENSION...   a file that ends so, without extensions any
 *     folders
 *     cases                names of cases of the suite on the command line
 *     none                 a number, a time, a name: nothing to offer
 *
 * Operands have the name `*`, a command itself `-`.
 */
void completion_print(unsigned shell);

#endif
