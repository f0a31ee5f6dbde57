#pragma once

/* A file that is part of the program: cmake/Embed.cmake writes tables of them at build time. */
struct embedded_file {
    const char *name; /* "skin.vert" */
    const char *text; /* NUL-terminated */
};

/* Declares a table, as rigproof_embed() makes it: `shader_source` has shader_sources[] and shader_source_count. */
#define EMBEDDED(table)                                                                                                \
    extern const struct embedded_file table##s[];                                                                      \
    extern const unsigned table##_count
