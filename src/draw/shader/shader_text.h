#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "draw/draw.h"

/* A set is a user's folder, whose files go before the built-in ones of shaders/ of the same name; NULL: ours alone. */

enum { SHADER_SET_FILES = 64, SHADER_FILE_BYTES = 256 << 10 };

struct shader_file {
    const char *name;  /* as #include has it: "skin.vert", "lib/noise.glsl" */
    const char *shown; /* as messages have it: with the user's folder in front */
    const char *path;  /* to open; NULL: ours */
    const char *hash;  /* bytes_hash() of what was read there */
    const char *text;
    bool is_users;
    bool takes_part; /* while a set is read */
};

struct shader_set {
    const char *asked;         /* the folder as given */
    const char *folder;        /* the same for messages, without slashes at its end */
    struct shader_file *files; /* [count] those that take part */
    size_t count;
    struct arena *arena;       /* all of it lives there */
    struct shader_map map;     /* its texts live there too */
    struct text warnings;      /* that were given, a line each */
    bool holds_warnings;       /* they are not printed when they are given */
    struct shader_set *next;   /* its owner's */
};

/*
 * Reads *.vert, *.frag and *.glsl of a folder, and what they include from below it. NULL with err set, exit code 2: no
 * such folder, nothing in it that takes the place of a file of ours, an #include that leads nowhere or out of it, a
 * shader that does not begin with #version, no text, too large. Warns of files that take no part, without printing:
 * `holds_warnings`.
 */
struct shader_set *shader_set_load(const char *folder, struct error *err);
void shader_set_release(struct shader_set *set); /* NULL is fine */

/* The file of that name in a set, else ours. False when there is none. */
bool shader_set_find(const struct shader_set *set, const char *name, struct shader_file *out);

/* The file that comes next after `name` in strcmp's order, of the set's and of ours; false at the end. */
bool shader_set_next(const struct shader_set *set, const char *name, struct shader_file *out);

/* A warning that is given once a set, in one line. */
void shader_set_warn(struct shader_set *set, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* GLSL line by line. Our #include is a line of its own outside of comments; an #if around it is not looked at. */

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
    const char
        *behind_comment; /* where the comment ends that the line before began; before `next` where it began none */
};

/* The next line; false at the end. */
bool shader_next_line(struct shader_reader *reader, struct shader_line *line);

/*
 * Says whether a text compares something with -1, or with 0 as one compares an index: ids of bones then say by -1 that
 * a slot is not used. A loop's counter of one letter is not meant.
 */
bool shader_compares_minus_one(const char *text);

/* Behind a comment that begins here; the same place when none does. One that does not end ends with the text. */
const char *shader_skip_comment(const char *c);

/* A text without comments and blanks; the caller's. */
struct text shader_plain_text(const char *text);

/* Says whether an identifier stands in a text, as a whole and outside of comments. */
bool shader_has_word(const char *text, const char *word);

/*
 * A shader as GL gets it: the #version line of its file, the defines, the rest, in which the files that `#include
 * "name"` lines name stand in place of these: each once, where it is first mentioned. A file's number is the order of
 * first mention; the shader's own is 0. Its lines are told to GL as LINES_OF_FILE times that number and on, because
 * #line's own number of a file is lost in most of Mesa's messages (YYLLOC_DEFAULT in its glsl_parser.yy says source 0).
 */

enum { SHADER_FILES_MOST = 128, LINES_OF_FILE = 1000000 };

struct shader_text {
    struct shader_file files[SHADER_FILES_MOST]; /* by number */
    int file_count;
    bool has_users; /* any file of the user's */
    const char *defines; /* the caller's */
    struct text text;
};

/* Puts the shader of that name together; what it includes is there. `out->text` is the caller's, text_release(). */
void shader_text_assemble(const struct shader_set *set, const char *name, const char *defines, struct shader_text *out);

/* The user's file that a word stands in, else the shader's own; for messages. */
const struct shader_file *shader_text_find_word(const struct shader_text *shader, const char *word);

/* The same of a program: the vertex shader's, where a file of the user's has the word, else any fragment shader's. */
const struct shader_file *shader_text_file_of(const struct shader_text *vertex, const struct shader_text *fragment,
                                              const char *word);

/* Mesa's messages with file and line in place of what they begin with: "0:2000014(3): error" for line 14 of file 2. */
void shader_text_name_files(const struct shader_text *shader, const char *driver_log, struct text *out);

/* The defines, and each line of the files that messages name (of all, where none) behind its file's name and number. */
void shader_text_number_lines(const struct shader_text *shader, const char *messages, struct text *out);
