#pragma once

#include "cli/command.h"

/*
 * Prints the script that completes rigproof's command line in a shell: bash, fish, zsh. Its table is made of the
 * commands' options, a line each: command, names, what their values are, explanation, with tabs between. The values are
 *
 *     flag                 there is none
 *     words WORD...        one of these; `list WORD...` several with commas between
 *     files EXTENSION...   a file that ends so, without extensions any
 *     folders
 *     cases                names of cases of the suite on the command line
 *     clips, bones         names of the model on the command line
 *     none                 a number, a time, a name: nothing to offer
 *
 * Operands have the name `*`, a command itself `-`.
 */
void completion_print(unsigned shell);
