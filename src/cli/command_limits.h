#ifndef RIGPROOF_CLI_COMMAND_LIMITS_H
#define RIGPROOF_CLI_COMMAND_LIMITS_H

#include "base/process/process.h"
#include "cli/options.h"

/*
 * The limits of a command that does its work in its own process, as rows of its option table. The defaults are far from
 * what honest use takes: a sheet of eight 4K frames 1 GiB and 17 s.
 */
extern struct limits command_limits; /* 3600 s, 8192 MiB until the options say otherwise */
#define COMMAND_LIMIT_OPTIONS \
    {"timeout", '\0', OPTION_NUMBER, &command_limits.seconds, "S", "seconds the command may take (default 3600; 0: any)"}, \
    {"memory", '\0', OPTION_NUMBER, &command_limits.memory_mib, "MIB", "memory the command may take (default 8192; 0: any)"}

/* From now on. At a limit the process ends with exit code 2 and a sentence. False with err set when it cannot be watched. */
bool command_limit(const char *command, struct error *err);

#endif
