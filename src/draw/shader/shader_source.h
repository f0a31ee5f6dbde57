#ifndef RIGPROOF_DRAW_SHADER_SOURCE_H
#define RIGPROOF_DRAW_SHADER_SOURCE_H

/* The files of shaders/, embedded at build time (cmake/Embed.cmake writes the table). */
struct shader_source {
    const char *name; /* "skin.vert" */
    const char *text; /* NUL-terminated */
};

extern const struct shader_source shader_sources[];
extern const unsigned shader_source_count;

#endif
