#ifndef RIGPROOF_OPTIONS_TOLD_SETTINGS_H
#define RIGPROOF_OPTIONS_TOLD_SETTINGS_H

#include "base/arena.h"
#include "options/settings.h"

/* What another rigproof is told with a request (subject.h), as names and values of a command line: settings that are not the
 * defaults, but those that the request has of its own. */
struct told_settings {
    const char *(*items)[2]; /* [count] name, value; those of one name together. NULL: nothing is told */
    size_t count;
};

/* In the arena, which `settings` need not outlive. */
struct told_settings settings_tell(const struct settings *settings, struct arena *arena);

/* It is asked for one time after the other, and cannot find the range of all: once, behind those. */
void settings_tell_range(struct told_settings *told, const struct value_range *range, struct arena *arena);

#endif
