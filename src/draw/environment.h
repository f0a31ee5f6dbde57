#ifndef RIGPROOF_DRAW_ENVIRONMENT_H
#define RIGPROOF_DRAW_ENVIRONMENT_H

#include <stddef.h>

#include "base/error.h"

/*
 * Mesa reads a part of its behaviour from the environment, once, when the first context is made. These rules make it
 * repeat itself on other machines. Drivers of other vendors ignore them.
 *
 * What is left to the user: LP_NUM_THREADS (pixels do not depend on it), MESA_SHADER_CACHE_DIR, where drivers lie.
 */

enum environment_action {
    ENVIRONMENT_SET,     /* to `value`, whatever it was */
    ENVIRONMENT_DEFAULT, /* to `value` unless the user has chosen one */
    ENVIRONMENT_UNSET,
};

struct environment_rule {
    const char *name;
    enum environment_action action;
    const char *value; /* NULL for ENVIRONMENT_UNSET */
    const char *why;
};

extern const struct environment_rule environment_rules[];
extern const size_t environment_rule_count;

/*
 * Applies the rules to this process; called by renderer_create() before a library of GL is opened. False with exit code
 * 3 when GALLIUM_DRIVER names something else than a software rasteriser (a name Mesa does not know crashes OSMesa).
 */
bool environment_apply(struct error *err);

/*
 * What the variable of a rule was before environment_apply() first changed it in this process: NULL when it was not
 * set, or was never changed.
 */
const char *environment_before(size_t rule);

#endif
