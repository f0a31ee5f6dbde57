#define _POSIX_C_SOURCE 200809L

#include "cli/command_limits.h"

#include <stdio.h>
#include <unistd.h>

static const char *limited_command;
struct limits command_limits = {.seconds = 3600, .memory_mib = 8192};

/* Not by stdio: the thread that is stopped may hold its locks. */
static void end_command(enum limit limit)
{
    char line[256];
    int length = limit == LIMIT_MEMORY
                     ? snprintf(line, sizeof line, "error: %s: needs more than %.6g MiB (--memory)\n", limited_command,
                                command_limits.memory_mib)
                     : snprintf(line, sizeof line, "error: %s: not done after %.6g s (--timeout)\n", limited_command,
                                command_limits.seconds);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
    _exit(EXIT_CODE_USAGE);
}

bool command_limit(const char *command, struct error *err)
{
    limited_command = command;
    return limits_watch(&command_limits, end_command, err);
}
