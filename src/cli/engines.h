#pragma once

#include "subject/subject.h"

/*
 * Engines that rigproof knows how to put under test: a folder each of `subjects`, with a script that installs the
 * engine and one that runs it. The folder is in share/rigproof of an installed rigproof, or that of the source
 * beside the build; the engines are then installed into $XDG_DATA_HOME/rigproof/engines, or build/engines.
 * RIGPROOF_ENGINES is another place for them.
 */

/* Names in the alphabet's order, in the arena. NULL with err set where the folder is not found. */
const char **engines_list(size_t *count, struct arena *arena, struct error *err);

/* The first line of its README: "three.js r187". */
const char *engine_title(const char *name, struct arena *arena);

bool engine_is_installed(const char *name);

/* Runs its script, which prints what it does. False with err set. */
bool engine_install(const char *name, struct error *err);

/* "three", or "tutorials:learnopengl" with what the engine's program is given. NULL with err set: not installed. */
struct subject_spec *engine_find(const char *given, struct arena *arena, struct error *err);
