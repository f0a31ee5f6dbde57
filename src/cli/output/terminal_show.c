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

static const uint8_t *pixel_at(const struct image *image, uint32_t x, uint32_t y)
{
    return image->rgba + 4 * ((size_t)y * image->width + x);
}

static bool is_seen(const uint8_t *pixel)
{
    return pixel[3] >= 128;
}

/* ---- size -------------------------------------------------------------------------------------------------------- */

static bool fit(const struct image *image, uint32_t width, uint32_t height, struct image *out, struct error *err)
{
    uint64_t w = image->width, h = image->height;
    if (w > width) {
        h = (h * width + w / 2) / w;
        w = width;
    }
    if (height > 0 && h > height) {
        w = ((uint64_t)image->width * height + image->height / 2) / image->height;
        h = height;
    }
    w = w ? w : 1;
    h = h ? h : 1;
    if (!image_create(out, (uint32_t)w, (uint32_t)h, err))
        return false;
    for (uint64_t y = 0; y < h; y++)
        for (uint64_t x = 0; x < w; x++)
            image_mean(image, (uint32_t)(x * image->width / w), (uint32_t)((x + 1) * image->width / w),
                       (uint32_t)(y * image->height / h), (uint32_t)((y + 1) * image->height / h),
                       out->rgba + 4 * (y * w + x));
    return true;
}

/* ---- half blocks ------------------------------------------------------------------------------------------------- */

/* Returns the nearest of xterm's 256 colours: 16 to 231 are a cube of six levels, from 232 on greys. */
static unsigned nearest_of_256(const uint8_t *p)
{
    static const int levels[] = {0, 95, 135, 175, 215, 255};
    int cube = 0, far[2] = {0};
    const int sum = p[0] + p[1] + p[2], step = (sum / 3 - 3) / 10, grey = step < 0 ? 0 : step > 23 ? 23 : step;
    for (int c = 0; c < 3; c++) {
        int best = 0;
        for (int i = 1; i < 6; i++)
            best = abs(levels[i] - p[c]) < abs(levels[best] - p[c]) ? i : best;
        cube = 6 * cube + best;
        far[0] += (levels[best] - p[c]) * (levels[best] - p[c]);
        far[1] += (8 + 10 * grey - p[c]) * (8 + 10 * grey - p[c]);
    }
    return (unsigned)(far[1] < far[0] ? 232 + grey : 16 + cube);
}

/* Adds the colour of the character's foreground (3) or background (4). */
static void add_color(int ground, const uint8_t *pixel, enum terminal_colors colors, struct text *out)
{
    if (!pixel)
        text_addf(out, "\x1b[%d9m", ground);
    else if (colors == COLORS_256)
        text_addf(out, "\x1b[%d8;5;%um", ground, nearest_of_256(pixel));
    else
        text_addf(out, "\x1b[%d8;2;%u;%u;%um", ground, pixel[0], pixel[1], pixel[2]);
}

static bool is_same(const uint8_t *a, const uint8_t *b)
{
    return a == b || (a && b && memcmp(a, b, 3) == 0);
}

static void add_shade(const uint8_t *upper, const uint8_t *lower, struct text *out)
{
    static const char ramp[] = " .:-=+*#%@"; /* on a dark ground; `upper` is there */
    const uint8_t *halves[] = {upper, lower};
    unsigned sum = 0;
    for (int i = 0; i < 2; i++)
        sum += halves[i] && is_seen(halves[i]) ? 2126u * halves[i][0] + 7152u * halves[i][1] + 722u * halves[i][2] : 0;
    text_add_bytes(out, &ramp[sum * (sizeof ramp - 2) / (2 * 255 * 10000u)], 1);
}

static void add_line(const struct image *image, uint32_t y, enum terminal_colors colors, struct text *out)
{
    const uint8_t *front = NULL, *back = NULL; /* the terminal's own */
    for (uint32_t x = 0; x < image->width; x++) {
        const uint8_t *upper = pixel_at(image, x, y), *lower = y + 1 < image->height ? pixel_at(image, x, y + 1) : NULL;
        if (colors == COLORS_NONE) {
            add_shade(upper, lower, out);
            continue;
        }
        upper = is_seen(upper) ? upper : NULL;
        lower = lower && is_seen(lower) ? lower : NULL;
        const uint8_t *ink = upper ? upper : lower, *ground = upper ? lower : NULL;
        if (ink && !is_same(ink, front))
            add_color(3, front = ink, colors, out);
        if (!is_same(ground, back))
            add_color(4, back = ground, colors, out);
        text_add(out, upper ? "\u2580" : lower ? "\u2584" : " ");
    }
    text_add(out, front || back ? "\x1b[0m\n" : "\n");
}

/*
 * Shows a picture as half blocks: a character is one pixel wide and two high (U+2580); without colours it is one of
 * ASCII, by the brightness of both. A picture that is larger than the terminal is made smaller by the mean of what each
 * pixel covers. A pixel that is less than half opaque stays the terminal's background, the rest counts as opaque.
 */
static bool show_blocks(const struct terminal_show *show, const struct image *image, struct error *err)
{
    SCOPED(image) fitted = {0};
    SCOPED(text) out = {0};
    if (!fit(image, show->columns, 2 * show->rows, &fitted, err))
        return false;
    for (uint32_t y = 0; y < fitted.height; y += 2)
        add_line(&fitted, y, show->colors, &out);
    fwrite(out.data, 1, out.size, stdout);
    return true;
}

/* ---- the terminal ------------------------------------------------------------------------------------------------ */

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
                                  "with colours (or sixel, kitty), or -o OUT.png");
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

/* The rows below are made first, so that nothing scrolls before the place that is kept is gone back to. */
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

/* False with `is_missing` where there is no chafa; otherwise with an error. */
static bool show_by_chafa(const struct terminal_show *show, const struct image *image, bool *is_missing,
                          struct error *err)
{
    static const char *const formats[] = {[SHOW_SIXEL] = "--format=sixel", [SHOW_KITTY] = "--format=kitty"};
    const char *arguments[6] = {"chafa", "--animate=off"};
    SCOPED(text) png = {0}, size = {0};
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
