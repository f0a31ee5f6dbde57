#pragma once

#include "base/arena.h"
#include "options/settings.h"

/* Another rigproof is sent these with a request (subject.h), as names and values of a command line: settings that
 * are not the defaults, but those that the request has of its own. */
struct sent_settings {
    const char *(*items)[2]; /* [count] name, value; those of one name together. NULL: nothing is sent */
    size_t count;
};

/* In the arena, which `settings` need not outlive. */
struct sent_settings settings_sent(const struct settings *settings, struct arena *arena);

/* It is asked for one time after the other, and cannot find the range of all: once, behind those. */
void settings_send_range(struct sent_settings *sent, const struct value_range *range, struct arena *arena);
