#include "cli/output/terminal_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/decimal.h"
#include "base/log.h"
#include "base/process/pipe_to.h"
#include "base/screen.h"

const char *const terminal_show_words[3] = {"sixel", "kitty", "blocks"};
const int terminal_show_values[4] = {SHOW_SIXEL, SHOW_KITTY, SHOW_BLOCKS, SHOW_AUTO};

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

/* NO_COLOR is of colours that are escape sequences, and a dumb terminal has none. */
static enum terminal_colors find_colors(void)
{
    const char *term = variable("TERM"), *colors = variable("COLORTERM");
    if (*variable("NO_COLOR") || strcmp(term, "dumb") == 0)
        return COLORS_NONE;
    const bool has_all = strcmp(colors, "truecolor") == 0 || strcmp(colors, "24bit") == 0 || strstr(term, "direct") ||
                         strstr(term, "kitty") || *term == '\0';
    return has_all ? COLORS_24_BIT : COLORS_256;
}

static void find_size(struct terminal_show *show)
{
    enum { MOST = 10000 };
    const char *columns = variable("COLUMNS");
    const struct terminal_size size = terminal_size(stdout);
    double number;
    if (size.columns > 0) {
        show->columns = size.columns;
        show->rows = size.rows > 2 ? size.rows - 1 : size.rows; /* a line for what is typed next */
        return;
    }
    bool is_good = decimal_read(columns, strlen(columns), true, &number) && number >= 1 && number <= MOST;
    show->columns = is_good ? (uint32_t)number : 80;
}

bool terminal_show_begin(enum terminal_kind kind, bool has_outputs, struct terminal_show *out, struct error *err)
{
    *out = (struct terminal_show){.kind = kind, .is_terminal = isatty(STDOUT_FILENO)};
    if (kind == SHOW_NOT)
        return true;
    if (kind == SHOW_AUTO && !out->is_terminal) {
        out->kind = SHOW_NOT;
        if (!has_outputs)
            return error_set(err, "--show: standard output is no terminal; name what to write, --show=blocks for a log "
                                  "with colours (or sixel, "
                                  "kitty), or -o OUT.png");
        log_note(
            "--show: standard output is no terminal, so nothing is shown; --show=blocks writes there all the same");
        return true;
    }
    out->colors = find_colors();
    find_size(out);
    if (kind == SHOW_AUTO && out->colors == COLORS_NONE)
        out->kind = SHOW_BLOCKS;
    return true;
}

/* Waits until the picture's time has come, by a clock that begins with the first. */
static void wait_for_turn(struct terminal_show *show)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    const double now = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec, left = show->due - now;
    if (show->has_shown && left > 0 && left < 60) {
        const struct timespec pause = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};
        nanosleep(&pause, NULL);
    }
    show->due = (show->has_shown && left > 0 ? show->due : now) + 1 / show->fps;
}

/* The rows below are made first, so that nothing scrolls between the place that is kept and the one that is gone
 * back to. */
static void go_back(struct terminal_show *show)
{
    const bool is_first = !show->has_shown;
    for (uint32_t i = 0; is_first && i < show->rows; i++)
        putchar('\n');
    if (is_first)
        printf("\x1b[%uA\r\x1b" "7", show->rows);
    else
        printf("\x1b" "8");
}

static bool show_blocks(const struct terminal_show *show, const struct image *image, struct error *err)
{
    struct text out = {0};
    const bool good = terminal_image_blocks(image, show->columns, show->rows, show->colors, &out, err);
    fwrite(out.data, 1, good ? out.size : 0, stdout);
    text_release(&out);
    return good;
}

/* False with `is_missing` where there is no chafa; otherwise with an error. */
static bool show_by_chafa(const struct terminal_show *show, const struct image *image, bool *is_missing,
                          struct error *err)
{
    static const char *const formats[] = {[SHOW_SIXEL] = "--format=sixel", [SHOW_KITTY] = "--format=kitty"};
    const char *arguments[6] = {"chafa", "--animate=off"};
    struct text png = {0}, size = {0};
    struct pipe_to chafa;
    int count = 2;
    text_addf(&size, show->rows > 0 ? "--size=%ux%u" : "--size=%u", show->columns, show->rows);
    arguments[count++] = text_string(&size);
    if (show->kind != SHOW_AUTO)
        arguments[count++] = formats[show->kind];
    arguments[count++] = "-";
    *is_missing = false;
    bool good = image_encode_png(image, PNG_OUTPUT, &png, err) &&
                pipe_to_start(&chafa, arguments, true, is_missing, err) && !*is_missing;
    if (good) {
        const bool was_read = pipe_to_write(&chafa, png.data, png.size);
        good = pipe_to_finish(&chafa, err) && (was_read || error_set(err, "chafa stopped reading"));
    }
    if (good && show->kind == SHOW_SIXEL) /* the one after which chafa leaves the cursor in the picture's last row */
        putchar('\n');
    text_release(&png);
    text_release(&size);
    return good;
}

bool terminal_show_image(struct terminal_show *show, const struct image *image, struct error *err)
{
    bool is_missing = show->kind == SHOW_BLOCKS, good = false;
    if (show->fps > 0 && show->is_terminal) {
        wait_for_turn(show);
        go_back(show);
    }
    fflush(stdout); /* before chafa writes there */
    if (show->kind != SHOW_BLOCKS)
        good = show_by_chafa(show, image, &is_missing, err);
    if (is_missing && show->kind == SHOW_AUTO)
        show->kind = SHOW_BLOCKS;
    if (is_missing)
        good = show->kind == SHOW_BLOCKS
                   ? show_blocks(show, image, err)
                   : error_set(err, "there is no chafa in PATH, which makes sixels and kitty's pictures: install it "
                                    "(Debian, Ubuntu, Fedora, Homebrew: the package chafa), or use --show=blocks");
    if (good && (fflush(stdout) != 0 || ferror(stdout)))
        good = error_set(err, "cannot write to standard output");
    show->has_shown = true;
    return good || error_prefix(err, "--show");
}
