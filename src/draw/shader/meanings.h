#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "draw/draw.h"

/* Names in a user's shaders get their meanings from a map of theirs, else from words of tutorials and engines. */

/* A uniform, or a member of a block, is set to one of these each time something is drawn. */
enum meaning {
    MEANING_NONE = -1,
    MEANING_PROJECTION, /* the camera's space -> clip space */
    MEANING_VIEW,       /* scene space -> the camera's */
    MEANING_MODEL,      /* the identity: matrices of bones lead to scene space */
    MEANING_VIEW_PROJECTION,
    MEANING_MODEL_VIEW,
    MEANING_MODEL_VIEW_PROJECTION,
    MEANING_NORMAL_MATRIX,   /* the model's: the identity */
    MEANING_CAMERA_POSITION, /* in scene space */
    MEANING_TIME,            /* seconds */
    MEANING_BONE_COUNT,      /* of the instance: from one instance of a crowd to the next */
    MEANING_BONES,           /* mesh space -> scene space, of the instance */
    MEANING_TEXTURE,         /* base_texture */
    MEANING_VALUES,          /* numbers of the map */
    MEANING_COUNT,
};

/* By enum attribute of programs.h: the name that ours have, and words of other programs for it. */
extern const struct attribute_row {
    const char *name, *words;
} attribute_rows[];

/* The enum attribute of that name, or ATTRIBUTE_COUNT. */
int attribute_by_name(const char *name);

/* The enum attribute of programs.h that the words of a name say ("aPos", "vertex_position", "Position"); -1: none. */
int attribute_by_words(const char *name);

/* The meaning that the words of a name's last part say: "uViewMatrix", "scene.worldToCamera", "animation.palette". */
enum meaning meaning_by_words(const char *name);

/* Says whether a uniform of `count` elements of that type, "mat4", can have that meaning. */
bool meaning_fits(enum meaning meaning, const char *type, uint32_t count);

/* As a map has it: "model_view"; of MEANING_VALUES none. */
enum meaning meaning_by_name(const char *name);

/* Says whether an output of a vertex shader is taken for ours, by the map, else by its words: "Normal0" as "normal". */
bool output_means(const char *name, const struct shader_map *map, const char *ours);

/* Returns what the map says of a name, "bones" or "1:0:0"; NULL: nothing. */
const char *shader_map_find(const struct shader_map *map, const char *name);

/* "1", "1:0:0": up to 16 numbers; 0: these are none. */
int shader_map_numbers(const char *text, float out[static 16]);
