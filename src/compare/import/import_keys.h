#ifndef RIGPROOF_COMPARE_IMPORT_KEYS_H
#define RIGPROOF_COMPARE_IMPORT_KEYS_H

#include "compare/import/import_context.h"

/* The keys of one component, as statistics. */

enum keys_kind { KEYS_TRANSLATION, KEYS_ROTATION, KEYS_SCALE, KEYS_WEIGHTS, KEYS_KIND_COUNT };

/* "translation", "rotation", "scale", "morph weight": before "keys". */
const char *keys_kind_name(enum keys_kind kind);

/* What surrounds the keys that are compared. */
struct keys_setting {
    const struct import_context *context;
    enum keys_kind kind;
    double time_scale;    /* of the clip: 1, or how many times longer it is now, keys and all */
    double duration;      /* of the golden's clip */
    double parent_scale;  /* translations -> scene units */
    double influence_radius;         /* scene units: of the node, for rotations */
};

/* "12, were 25; first at 0.1 s, was 0 s": counts and times. NULL when they agree. */
const char *describe_keys(const struct keys_setting *setting, const struct keys_snapshot *was,
                          const struct keys_snapshot *now);

/*
 * "mean moved by 3 cm", "inverted": the values of as many keys. NULL when they agree. Fills the figures.
 *
 * Rotations: q and -q are one rotation and importers differ in which they hand over. The root mean square has no sign
 * and is compared as it is; a mean that is negated as a whole is equal. When only the means differ, some keys may have
 * changed sign: `finding->benign` is set then, the poses show it. Not when each number kept its size and some changed
 * sign: that is an inverted or mirrored rotation.
 */
const char *describe_values(const struct keys_setting *setting, const struct keys_snapshot *was,
                            const struct keys_snapshot *now, struct finding *finding);

/* Whether all keys have one value, as far as the statistics show, and it is `rest`'s. */
bool keys_hold(const struct keys_setting *setting, const struct keys_snapshot *keys, const struct transform *rest);

#endif
