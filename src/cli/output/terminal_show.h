#pragma once

#include "data/image/image.h"
#include "options/value.h"

/* --show: pictures on the terminal, made by the program chafa or, without it, by half blocks of ours. */

enum terminal_colors { COLORS_NONE, COLORS_256, COLORS_24_BIT };
enum terminal_kind { SHOW_NOT, SHOW_AUTO, SHOW_SIXEL, SHOW_KITTY, SHOW_BLOCKS };

/* A row of commands that have it: `variable` is an enum terminal_kind. */
extern const char *const terminal_show_words[3];
extern const int terminal_show_values[4]; /* the last where none is said */
#define TERMINAL_SHOW_OPTION(variable) \
    {"show", "[=sixel|kitty|blocks]", "shows the pictures on the terminal, with -o or instead: as chafa thinks best " \
     "where it is\n" \
     "installed, else by half blocks", 0, &value_word, VALUE_OF(variable), VALUE_WORDS(terminal_show_words), \
     .values = terminal_show_values, .also = "auto"}

struct terminal_show {
    enum terminal_kind kind; /* SHOW_NOT: nothing is shown */
    bool is_terminal;        /* standard output */
    enum terminal_colors colors;
    uint32_t columns, rows;  /* rows 0: as many as there are */
    double fps;              /* pictures come one in place of the other, so many a second; 0: one below the other */
    bool has_shown;
    double due;              /* when the next is, on a clock of its own */
};

/*
 * Finds what to show with. Where standard output is no terminal SHOW_AUTO is an error, or with other outputs a note; a
 * kind that is named is written all the same.
 */
bool terminal_show_begin(enum terminal_kind kind, bool has_outputs, struct terminal_show *out, struct error *err);

/* Writes a picture, made smaller where it does not fit. A kind that only chafa makes is an error without it. */
bool terminal_show_image(struct terminal_show *show, const struct image *image, struct error *err);
