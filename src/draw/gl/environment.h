#pragma once

#include <stddef.h>

#include "base/error.h"

/* Mesa reads the environment once, for the first context. These rules make it repeat itself on other machines. */

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
 * Names variables, with commas between, whose rules are left out, for finding out what another CPU would draw; while
 * one is set, Mesa's cache of compiled shaders is left alone. GALLIUM_OVERRIDE_CPU_CAPS=sse4.1: no AVX and no fused
 * multiply-add; LP_NATIVE_VECTOR_WIDTH=128: as on arm64.
 */
#define ENVIRONMENT_KEEP "RIGPROOF_KEEP_ENVIRONMENT"

/*
 * Applies the rules to this process; called by renderer_create() before a library of GL is opened. False with exit code
 * 3 when GALLIUM_DRIVER names something else than a software rasteriser (a name Mesa does not know crashes OSMesa),
 * ENVIRONMENT_KEEP names a variable without a rule, or a vector width that is kept is neither 128 nor 256.
 */
bool environment_apply(struct error *err);

/* Returns the value that a rule's variable had before environment_apply() first changed it; NULL: not set, or never
 * changed. */
const char *environment_before(size_t rule);

/* Says whether ENVIRONMENT_KEEP named the rule's variable when environment_apply() last read it. */
bool environment_is_kept(size_t rule);
