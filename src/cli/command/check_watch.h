#pragma once

#include "base/error.h"

/* check --watch: runs the cases of the suite, which suite_command_open() has read, and again those that a changed file
 * concerns, until a signal ends it. The exit code of the last round. */
enum exit_code check_watch(const char *suite, struct error *err);
