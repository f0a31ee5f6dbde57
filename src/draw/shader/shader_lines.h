#ifndef RIGPROOF_DRAW_SHADER_LINES_H
#define RIGPROOF_DRAW_SHADER_LINES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * GLSL line by line. GLSL has no #include; ours is a line of its own, `#include "name"`, outside of comments. What is
 * around it, an #if say, is not looked at.
 */

enum { SHADER_NAME_MOST = 255 };

enum shader_line_kind {
    SHADER_LINE_PLAIN,
    SHADER_LINE_INCLUDE,
    SHADER_LINE_BAD_INCLUDE, /* no name in quotes, or something behind it */
};

struct shader_line {
    const char *text; /* with its end of line, which the last one may lack */
    size_t size;
    int number;
    enum shader_line_kind kind;
    char name[SHADER_NAME_MOST + 1]; /* of SHADER_LINE_INCLUDE */
};

struct shader_reader {
    const char *next;
    int number; /* of the line that comes next */
    bool in_comment;
};

/* The next line; false at the end. */
bool shader_next_line(struct shader_reader *reader, struct shader_line *line);

/* Whether an identifier stands in a text, as a whole and outside of comments. */
bool shader_has_word(const char *text, const char *word);

#endif
