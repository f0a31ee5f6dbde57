#pragma once

#include "compare/compare.h"
#include "options/settings.h"
#include "foreign/diagnosing.h"

/*
 * Two files, two case folders or two trees of them, compared as `check` compares a run with its goldens, A in the role
 * of the golden. Nothing is imported, posed or drawn.
 *   two PNGs, two pose.json, two import.json: one case;  two folders with a recorded.json, an import.json or poses:
 *   one case;
 *   two folders of such folders: a case for each name that either has. One case is called after B.
 */

struct diff_options {
    struct tolerance tolerance;
    const char *output; /* folder for pictures of what differs; NULL: none are written */
    bool figures;       /* pixelmatch and FLIP of pictures that differ: results.json alone has them */
    const char *rigproof;
    struct settings *settings; /* of models: what is played, how it is drawn; the times become what is the default */
    bool has_settings;               /* they are not the defaults, which is an error with anything else */
};

/* The caller's (results_free). NULL with err set: unreadable, not of one kind, or the output among what is compared.
 * `b` may be a pose where `a` is a model: diff_foreign(). Of a raw palette it is NULL. */
struct results *diff_paths(const char *a, const char *b, const struct foreign_source *raw,
                           const struct diff_options *options, struct error *err);

/*
 * Two model files, A's imports, poses and pictures in the role of goldens: a case for each clip that both have, at A's
 * times by the settings, or for what the settings play; a clip of one of them is a missing case. Pictures are drawn
 * with A's camera. Files of different formats are compared as skinned points in metres, y up: nothing else of them is
 * comparable. False with err set: a model that cannot be read, no usable GL context.
 */
bool diff_models(const char *const paths[2], const struct diff_options *options, struct results *results,
                 struct error *err);

extern const char diff_nothing[]; /* what is missing where nothing was compared */

/* The missing case of what one side alone has. */
void diff_one_sided(const char *name, const char *missing, const struct diff_options *options, struct arena *arena,
                    struct case_result *result);

/* A model and what another program makes of it, at one time: one case, with the causes of what differs. */
bool diff_foreign(const char *model, const struct foreign_source *source, const struct diff_options *options,
                  struct results *results, struct error *err);

/*
 * Opens the model and the file that another program made of it, poses the model at the file's one time, resolves and
 * diagnoses the file by the tolerance of a vertex, and hands all of it to `found`. `command` is for messages. False
 * with err set.
 */
typedef void foreign_found(void *context, const struct foreign *foreign, const struct pipeline *pipeline,
                           const struct diagnosing *diagnosing, struct error *err);
bool foreign_hold(const char *command, const char *model, const struct foreign_source *source,
                  struct settings *settings, double tolerance, foreign_found *found, void *context,
                  struct error *err);
