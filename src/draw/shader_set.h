#ifndef RIGPROOF_DRAW_SHADER_SET_H
#define RIGPROOF_DRAW_SHADER_SET_H

#include <stdbool.h>

/* Where the text of a shader file comes from. */

struct shader_file {
    const char *name;  /* "skin.vert" */
    const char *text;
};

/* The file of that name. False when there is none. */
bool shader_set_find(const char *name, struct shader_file *out);

#endif
