#ifndef RIGPROOF_CLI_HELP_H
#define RIGPROOF_CLI_HELP_H

#include "cli/command.h"

/* What people read of the tables of options, on stdout. */

/* `rigproof COMMAND --help`. */
void help_print(const struct command *command);

/* "pose" for SETTING_CLIP. */
const char *help_group_title(unsigned group);

/* The manual page rigproof(1) in roff's man macros: every command with its options. */
void manual_print(void);

#endif
