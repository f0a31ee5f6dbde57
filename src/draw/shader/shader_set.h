#ifndef RIGPROOF_DRAW_SHADER_SET_H
#define RIGPROOF_DRAW_SHADER_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

/*
 * Where the text of a shader file comes from: the files of shaders/ that are built in, or those of a user's folder, which
 * go before ours of the same name (shaders/README.md). A set is such a folder, NULL stands for ours alone.
 */

enum { SHADER_SET_FILES = 64, SHADER_FILE_BYTES = 256 << 10 };

struct shader_file {
    const char *name;  /* as #include has it: "skin.vert", "lib/noise.glsl" */
    const char *shown; /* as messages have it: with the user's folder in front */
    const char *text;
    bool is_users;
};

struct shader_set {
    const char *asked;         /* the folder as given */
    const char *folder;        /* the same for messages, without slashes at its end */
    struct shader_file *files; /* [count] those that take part */
    size_t count;
    struct arena *arena;       /* all of it lives there */
    struct text said;          /* warnings that were given, a line each */
    struct shader_set *next;   /* its owner's */
};

/*
 * Reads *.vert, *.frag and *.glsl of a folder, and what they include from below it. NULL with err set, exit code 2: no such
 * folder, nothing in it that takes the place of a file of ours, an #include that leads nowhere or out of it, a shader
 * that does not begin with #version, no text, too large. Warns of files that take no part.
 */
struct shader_set *shader_set_load(const char *folder, struct error *err);
void shader_set_release(struct shader_set *set); /* NULL is fine */

/* The file of that name in a set, else ours. False when there is none. */
bool shader_set_find(const struct shader_set *set, const char *name, struct shader_file *out);

/* The file that comes next after `name` in strcmp's order, of the set's and of ours; false at the end. */
bool shader_set_next(const struct shader_set *set, const char *name, struct shader_file *out);

/* A warning that is given once a set. */
void shader_set_warn(struct shader_set *set, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
