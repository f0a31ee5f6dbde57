#pragma once

#include "data/scene/scene.h"
#include "suite/suite_file.h"

/*
 * A case that stands for several: `model` with the signs of a glob, `clips: all`. Each of them is the same mapping with
 * another `name`, and `model` or `clip`; with `agrees_with` it agrees with the case whose name ends alike. What a name
 * ends in depends on its own file and clip alone, so that others may come and go.
 */

/* Mappings in the arena. */
struct expansion {
    const struct tree_node **mappings; /* NULL: the case stands for itself */
    size_t count;
};

/* A case for each model file; where none is found it stands for itself. False with the error set. */
bool suite_expand_model(struct value_source *source, const struct tree_node *mapping, struct expansion *out);

/* A case for each clip of the scene. False with err set: there are none, or too many. */
bool suite_expand_clips(const struct scene *scene, const struct tree_node *mapping, struct arena *arena,
                        struct expansion *out, struct error *err);

/*
 * A file that went, or a clip that an importer lost, would take its case along and the suite would stay green. What
 * has a golden (unless these do not count), or a case that it was to agree with, is missed instead. False with err
 * set.
 */
struct missed_case {
    const char *name;
    size_t like; /* a case of the same origin */
    const char *problem;
};
struct missed_cases {
    struct missed_case *items; /* malloc'd */
    size_t count;
};
bool suite_find_missed(const struct suite *suite, bool has_goldens, struct missed_cases *out, struct error *err);

/* Returns what `clip` must say to mean that clip: its name, or its number. */
const char *suite_clip_key(const struct scene *scene, uint32_t clip, struct arena *arena);

/* Returns whether a file found in a folder is a model, by its name: Assimp reads it, and it is neither another
 * model's nor anything else as a rule. */
bool suite_is_model(const char *path);

/* `stem`, "-" and `end` as the name of a case, at most 100 characters; the first of these that names[count] have
 * not, with "-2" and so on behind it. */
const char *suite_case_name(const char *stem, const char *end, const char *const *names, size_t count,
                            struct arena *arena);
