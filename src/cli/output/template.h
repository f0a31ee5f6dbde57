#pragma once

#include "base/error.h"
#include "base/text.h"

/* Names of output files: "walk_{frame:04}.png". */

struct template_values {
    const char *model; /* path; its base name without extension is {model} */
    const char *clip;  /* {clip}; NULL is "rest"; what means something in a path becomes '_' */
    long frame;        /* {frame}, {frame:04} */
    double time;       /* {time}, 3 decimals or more if needed, at most 6 */
};

/* {frame} and {time} come out so: as they are; "sheet", of the contact sheet; as ffmpeg's pattern. */
enum template_mode { TEMPLATE_NAME, TEMPLATE_SHEET, TEMPLATE_FFMPEG };

/* Appends a clip's name as a part of a file's: what means something in a path becomes '_'. */
void template_add_clip(const char *name, struct text *out);

/* Appends the expanded name. False with err set for a placeholder that does not exist. */
bool template_expand(const char *template, enum template_mode mode, const struct template_values *values,
                     struct text *out, struct error *err);

/* False with err set when a name cannot be made, or when two of the `count` names would be one file. */
bool template_names_differ(const char *template, struct template_values (*values_of)(const void *context, size_t i),
                           const void *context, size_t count, struct error *err);

/* The one of these words that the name ends in, behind a dot, else `otherwise`. */
int template_format(const char *template, const char *const *words, int count, int otherwise);

/* Returns whether names differ from frame to frame: it has {frame} or {time}. */
bool template_varies(const char *template);

/* Pictures are PNG: false with err set for a name that ends as another format's. NULL is fine. */
bool template_check_picture(const char *template, struct error *err);

/* As template_expand(), with the folder made. Whoever names a file by its whole name may mean a link; of a sequence,
 * of which nobody has looked at each name, a link is an error. */
bool template_open(const char *template, enum template_mode mode, const struct template_values *values,
                   struct text *path, struct error *err);

/* The ffmpeg command that makes a film of the sequence, for people to copy; false when the template has no {frame}. */
bool template_film_command(const char *template, const struct template_values *first, double fps, struct text *out,
                           struct error *err);
