#ifndef RIGPROOF_CLI_TERMINAL_SHOW_H
#define RIGPROOF_CLI_TERMINAL_SHOW_H

#include "cli/output/terminal_image.h"

/* --show: pictures on the terminal. */

enum terminal_kind { SHOW_NOT, SHOW_AUTO, SHOW_SIXEL, SHOW_KITTY, SHOW_BLOCKS };

/* The option's row, for an enum terminal_kind. */
extern const char *const terminal_kind_words[3];
extern const int terminal_kind_values[4]; /* the last where no kind is said */
#define TERMINAL_SHOW_OPTION(variable) \
    {"show", "[=sixel|kitty|blocks]", "shows the picture on the terminal, with -o or instead: by kitty's protocol or sixels where it has\n" \
     "one of them, else by half blocks", 0, &value_word, VALUE_OF(variable), VALUE_WORDS(terminal_kind_words), \
     .values = terminal_kind_values, .also = "auto"}

struct terminal_show {
    enum terminal_kind kind; /* SHOW_NOT: nothing is shown */
    bool is_terminal;        /* standard output */
    bool in_tmux;
    enum terminal_colors colors;
    uint32_t columns, rows;  /* rows 0: as many as there are */
    uint32_t cell_width, cell_height;
    double fps;              /* pictures come one in place of the other, so many a second; 0: one below the other */
    uint32_t shown_rows;     /* of the picture before */
    double due;              /* when the next is, on a clock of its own */
};

/*
 * What to show with. SHOW_AUTO asks the terminal, for half a second at most: kitty's protocol, else sixels, else half blocks.
 * Where standard output is no terminal it is an error, or with other outputs a note; a kind that is named is written all the same.
 */
bool terminal_show_begin(enum terminal_kind kind, bool has_outputs, struct terminal_show *out, struct error *err);

/* Writes a picture, made smaller where it does not fit. */
bool terminal_show_image(struct terminal_show *show, const struct image *image, struct error *err);

#endif
