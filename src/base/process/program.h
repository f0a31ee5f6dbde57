#pragma once

#include <stdbool.h>

/* True when a shell here would start a program by that name: a file that may be run, or one of PATH. */
bool program_exists(const char *name);
