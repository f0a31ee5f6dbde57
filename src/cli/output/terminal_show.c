#define _DEFAULT_SOURCE /* isatty, nanosleep */

#include "cli/output/terminal_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/decimal.h"
#include "base/log.h"
#include "cli/output/terminal_query.h"

const char *const terminal_kind_words[3] = {"sixel", "kitty", "blocks"};
const int terminal_kind_values[4] = {SHOW_SIXEL, SHOW_KITTY, SHOW_BLOCKS, SHOW_AUTO};

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_one_of(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

/* NO_COLOR is of colours that are escape sequences, and a dumb terminal has none. */
static enum terminal_colors find_colors(void)
{
    static const char *const all[] = {"truecolor", "24bit"};
    const char *term = variable("TERM");
    if (*variable("NO_COLOR") || strcmp(term, "dumb") == 0)
        return COLORS_NONE;
    const bool is_known = is_one_of(variable("COLORTERM"), all, 2) || strstr(term, "direct") || strstr(term, "kitty") || *term == '\0';
    return is_known ? COLORS_24_BIT : COLORS_256;
}

static void find_size(struct terminal_show *show)
{
    enum { LIKELY_WIDTH = 8, LIKELY_HEIGHT = 16, MOST = 10000 };
    const char *columns = variable("COLUMNS");
    struct winsize size = {0};
    double number;
    if (show->is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        show->columns = size.ws_col;
        show->rows = size.ws_row;
    } else {
        bool is_good = decimal_read(columns, strlen(columns), true, &number) && number >= 1 && number <= MOST;
        show->columns = is_good ? (uint32_t)number : 80;
    }
    const bool has_pixels = size.ws_col > 0 && size.ws_row > 0 && size.ws_xpixel >= size.ws_col && size.ws_ypixel >= size.ws_row;
    show->cell_width = has_pixels ? size.ws_xpixel / size.ws_col : LIKELY_WIDTH;
    show->cell_height = has_pixels ? size.ws_ypixel / size.ws_row : LIKELY_HEIGHT;
}

/* What shows text alone is not asked; GNU screen, and tmux but for sixels, keep pictures from the terminal around them. */
static void ask(struct terminal_show *show)
{
    enum { PATIENCE = 500 }; /* milliseconds: a terminal at the other end of a slow line */
    static const char *const text_alone[] = {"", "dumb", "linux", "cons25", "vt100", "vt220"};
    const char *term = variable("TERM");
    show->kind = SHOW_BLOCKS;
    if (is_one_of(term, text_alone, sizeof text_alone / sizeof text_alone[0]) || *variable("STY"))
        return;
    const bool is_within = show->in_tmux || begins(term, "screen");
    const struct terminal_answers answers = terminal_ask(!is_within, PATIENCE);
    if (answers.cell_width > 0) {
        show->cell_width = answers.cell_width;
        show->cell_height = answers.cell_height;
    }
    show->kind = answers.knows_kitty ? SHOW_KITTY : answers.knows_sixel ? SHOW_SIXEL : SHOW_BLOCKS;
}

bool terminal_show_begin(enum terminal_kind kind, bool has_outputs, struct terminal_show *out, struct error *err)
{
    *out = (struct terminal_show){.kind = kind, .is_terminal = isatty(STDOUT_FILENO), .in_tmux = *variable("TMUX") != '\0'};
    if (kind == SHOW_NOT)
        return true;
    if (kind == SHOW_AUTO && !out->is_terminal) {
        out->kind = SHOW_NOT;
        if (!has_outputs)
            return error_set(err, "--show: standard output is no terminal; name what to write, --show=blocks for a log with colours (or sixel, "
                             "kitty), or -o OUT.png");
        log_note("--show: standard output is no terminal, so nothing is shown; --show=blocks writes there all the same");
        return true;
    }
    out->colors = find_colors();
    find_size(out);
    if (kind == SHOW_AUTO)
        ask(out);
    return true;
}

/* Waits until the picture's time has come, by a clock that begins with the first. */
static void wait_for_turn(struct terminal_show *show)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    const double now = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec, left = show->due - now;
    if (show->shown_rows > 0 && left > 0 && left < 60) {
        const struct timespec pause = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};
        nanosleep(&pause, NULL);
    }
    show->due = (show->shown_rows > 0 && left > 0 ? show->due : now) + 1 / show->fps;
}

bool terminal_show_image(struct terminal_show *show, const struct image *image, struct error *err)
{
    const bool is_blocks = show->kind == SHOW_BLOCKS, moves = show->fps > 0 && show->is_terminal;
    const uint32_t cell[2] = {is_blocks ? 1 : show->cell_width, is_blocks ? 2 : show->cell_height};
    const uint32_t rows = show->rows > 2 ? show->rows - 1 : show->rows; /* a line for what is typed next */
    struct text out = {0};
    struct image fitted;
    if (!terminal_image_fit(image, show->columns * cell[0], rows * cell[1], &fitted, err))
        return error_prefix(err, "--show");
    const uint32_t used[2] = {(fitted.width + cell[0] - 1) / cell[0], (fitted.height + cell[1] - 1) / cell[1]};
    bool good = true;
    if (moves)
        wait_for_turn(show);
    if (moves && show->shown_rows > 0)
        text_addf(&out, "\x1b[%uA\r", show->shown_rows);
    if (is_blocks)
        terminal_image_blocks(&fitted, show->colors, &out);
    else if (show->kind == SHOW_SIXEL)
        terminal_image_sixel(&fitted, &out);
    else
        good = terminal_image_kitty(&fitted, used[0], used[1], show->in_tmux, &out, err);
    text_add(&out, is_blocks ? "" : "\n");
    if (good && (fwrite(out.data, 1, out.size, stdout) != out.size || fflush(stdout) != 0))
        good = error_set(err, "--show: cannot write to standard output");
    show->shown_rows = used[1];
    text_release(&out);
    image_release(&fitted);
    return good;
}
