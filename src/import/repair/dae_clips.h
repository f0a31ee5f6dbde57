#ifndef RIGPROOF_IMPORT_DAE_CLIPS_H
#define RIGPROOF_IMPORT_DAE_CLIPS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/file/file.h"
#include "base/text.h"

/*
 * COLLADA 1.4.1, chapter 5, <library_animation_clips>: a file without clips is one animation, all of
 * <library_animations> at once. Assimp makes a clip of each <animation> that has channels, unless every one of them
 * has a single channel and the same length.
 */

/* Whether the file has an <animation_clip>. */
bool dae_names_clips(const struct blob *file);

/*
 * Appends the file with the channels of all <animation> elements in the first one of them, as Assimp has to read it
 * to play them together. False with err set where that could change what a channel means: two <library_animations>,
 * two samplers of one id, two channels on one value, a channel on something else than a node's transform.
 */
bool dae_join_animations(const struct blob *file, struct text *out, struct error *err);

#endif
