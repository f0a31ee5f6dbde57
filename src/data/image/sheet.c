#include "data/image/sheet.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/image/font.h"

enum { LINE = FONT_HEIGHT + 3, LONGEST = 512, RAMP = 64 };

struct sheet_row *sheet_add_row(struct sheet *sheet, char *title, char *facts, char *heading)
{
    sheet->rows = memory_grow(sheet->rows, sheet->row_count + 1, sizeof *sheet->rows);
    sheet->rows[sheet->row_count] = (struct sheet_row){title, facts, heading, sheet->tile_count, 0, false};
    return &sheet->rows[sheet->row_count++];
}

struct sheet_tile *sheet_add_tile(struct sheet *sheet, char *label)
{
    sheet->tiles = memory_grow(sheet->tiles, sheet->tile_count + 1, sizeof *sheet->tiles);
    sheet->tiles[sheet->tile_count] = (struct sheet_tile){.label = label};
    sheet->rows[sheet->row_count - 1].count++;
    return &sheet->tiles[sheet->tile_count++];
}

void sheet_add_legend(struct sheet *sheet, const struct sheet_legend *legend)
{
    if (sheet->legend_count < SHEET_LEGENDS)
        sheet->legends[sheet->legend_count++] = *legend;
    else
        free(legend->text);
}

void sheet_release(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->tile_count; i++) {
        image_release(&sheet->tiles[i].image);
        free(sheet->tiles[i].label);
    }
    for (size_t i = 0; i < sheet->row_count; i++) {
        free(sheet->rows[i].title);
        free(sheet->rows[i].facts);
        free(sheet->rows[i].heading);
    }
    for (size_t i = 0; i < sheet->legend_count; i++)
        free(sheet->legends[i].text);
    free(sheet->tiles);
    free(sheet->rows);
    *sheet = (struct sheet){0};
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* A line as the font has it, a glyph for each character. What is no ASCII is one `?`. */
struct line {
    char text[LONGEST];
    int length;
    int scale; /* pixels of the picture that a pixel of the font has */
};

static struct line read_line(const char *text, size_t size)
{
    struct line line = {.scale = 1};
    for (size_t i = 0; i < size && line.length < LONGEST; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) /* no continuation of a character in UTF-8 */
            line.text[line.length++] = text[i];
    return line;
}

/* As large as `scale` says, else as it fits; what is too long even so loses its middle: names differ at their ends. */
static struct line fit_line(const char *text, size_t size, int scale, uint32_t width)
{
    struct line line = read_line(text, size);
    line.scale = scale;
    while (line.scale > 1 && line.length * FONT_ADVANCE * line.scale > (int)width)
        line.scale--;
    const int most = (int)width / (FONT_ADVANCE * line.scale), tail = most > 2 ? (most - 2) / 2 : 0;
    if (line.length <= most)
        return line;
    if (most > 2) {
        memcpy(line.text + most - tail - 2, "..", 2);
        memmove(line.text + most - tail, line.text + line.length - tail, (size_t)tail);
    }
    line.length = most;
    return line;
}

static void fill(struct image *image, uint32_t x, uint32_t y, uint32_t width, uint32_t height, const uint8_t color[4])
{
    for (uint32_t row = y; row < y + height && row < image->height; row++)
        for (uint32_t column = x; column < x + width && column < image->width; column++)
            memcpy(image->rgba + 4 * ((size_t)row * image->width + column), color, 4);
}

static void write_line(struct image *image, const struct line *line, uint32_t x, uint32_t y, const uint8_t color[4])
{
    const uint32_t scale = (uint32_t)line->scale;
    for (int i = 0; i < line->length; i++)
        for (int row = 0; row < FONT_HEIGHT; row++)
            for (int column = 0; column < FONT_WIDTH; column++)
                if (font_covers(line->text[i], column, row))
                    fill(image, x + (uint32_t)(i * FONT_ADVANCE + column) * scale, y + (uint32_t)row * scale, scale,
                         scale, color);
}

/* The scale of the words below a tile: 1 up to 191 pixels of the tile's smaller side, 2 up to 383, ... */
static int word_scale(uint32_t width, uint32_t height)
{
    const uint32_t least = width < height ? width : height;
    return least >= 960 ? 6 : 1 + (int)(least / 192);
}

/* White or black, whichever is farther from the background, and a share of it. */
static void word_color(const uint8_t background[4], int percent, uint8_t out[4])
{
    const int light = (299 * background[0] + 587 * background[1] + 114 * background[2]) / 1000;
    const int word = light < 140 ? 255 : 0;
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)((percent * word + (100 - percent) * background[c]) / 100);
    out[3] = 255;
}

bool sheet_write_tile(struct image *out, uint32_t width, uint32_t height, const uint8_t background[4], const char *text,
                      struct error *err)
{
    const int scale = word_scale(width, height);
    const uint32_t margin = (uint32_t)(4 * scale), step = (uint32_t)(LINE * scale);
    const size_t most = width > 2 * margin ? (width - 2 * margin) / (uint32_t)(FONT_ADVANCE * scale) : 0;
    uint8_t color[4];
    if (!image_create(out, width, height, err))
        return false;
    word_color(background, 70, color);
    fill(out, 0, 0, width, height, background);
    for (uint32_t y = margin; *text && most > 0 && y + step < height; y += step) {
        size_t size = strlen(text), end = size < most ? size : most;
        while (size > most && end > 0 && text[end] != ' ') /* broken at a blank where there is one */
            end--;
        end = end ? end : most;
        struct line line = read_line(text, end);
        line.scale = scale;
        write_line(out, &line, margin, y, color);
        text += end;
        text += *text == ' ';
    }
    return true;
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

/* Where everything is. One walk measures and draws, so that both agree. */
struct layout {
    const struct sheet *sheet;
    struct image *out; /* NULL: nothing is drawn */
    uint32_t columns;
    uint64_t width, y;
    int scale; /* of the words below tiles; headings have it too, titles one more */
    uint8_t bright[4], dim[4];
};

static uint32_t find_columns(size_t count, uint32_t width, uint32_t height)
{
    double least = 1e30;
    uint32_t best = 1;
    for (uint32_t columns = 1; columns <= count; columns++) {
        /* Long strips and holes are both bad: the least sum of the two wins, and of two as good the wider. */
        uint32_t rows = (uint32_t)((count + columns - 1) / columns);
        double holes = (double)columns * rows / (double)count - 1.0;
        double stretch = fabs(log((double)columns * width / ((double)rows * height)));
        if (holes + stretch < least + 1e-9) {
            least = holes + stretch;
            best = columns;
        }
    }
    return best;
}

static uint32_t choose_columns(const struct sheet *sheet)
{
    size_t longest = 1, rows = 0;
    for (size_t i = 0; i < sheet->row_count; i++) {
        longest = sheet->rows[i].count > longest ? sheet->rows[i].count : longest;
        rows += sheet->rows[i].count > 0;
    }
    if (sheet->columns > 0)
        return sheet->columns < longest ? sheet->columns : (uint32_t)longest;
    if (rows == 1)
        return find_columns(longest, sheet->width, sheet->height);
    return longest < SHEET_COLUMNS ? (uint32_t)longest : SHEET_COLUMNS;
}

static void put_words(struct layout *l, const char *text, int scale, const uint8_t color[4])
{
    const uint32_t gap = l->sheet->gap;
    if (!text || !l->sheet->has_words)
        return;
    if (l->out) {
        const struct line line = fit_line(text, strlen(text), scale, (uint32_t)l->width - 2 * gap);
        write_line(l->out, &line, gap, (uint32_t)l->y + (uint32_t)(scale - line.scale) * FONT_HEIGHT, color);
    }
    l->y += (uint64_t)(LINE * scale);
}

static uint32_t count_lines(const char *text)
{
    uint32_t lines = text ? 1 : 0;
    for (; text && *text; text++)
        lines += *text == '\n';
    return lines;
}

static void put_label(const struct layout *l, const char *text, uint32_t x, uint32_t y)
{
    const uint8_t *color = l->bright;
    for (; text && *text; y += (uint32_t)(LINE * l->scale), color = l->dim) {
        const size_t size = strcspn(text, "\n");
        const struct line line = fit_line(text, size, l->scale, l->sheet->width);
        write_line(l->out, &line, x, y, color);
        text += size + (text[size] == '\n');
    }
}

/* The tiles first..first + count of one line, and the words below them. */
static void put_tiles(struct layout *l, size_t first, size_t count)
{
    const struct sheet *sheet = l->sheet;
    uint32_t lines = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sheet_tile *tile = &sheet->tiles[first + i];
        const uint32_t has = sheet->has_words ? count_lines(tile->label) : 0;
        const uint32_t x = sheet->gap + (uint32_t)i * (sheet->width + sheet->gap), y = (uint32_t)l->y;
        lines = has > lines ? has : lines;
        if (l->out && tile->image.rgba)
            image_blit(l->out, &tile->image, x, y);
        if (l->out && has)
            put_label(l, tile->label, x, y + sheet->height + (uint32_t)(3 * l->scale));
        if (l->out)
            image_release(&sheet->tiles[first + i].image);
    }
    l->y += sheet->height + (lines ? (uint64_t)(3 + LINE * (int)lines) * (uint64_t)l->scale : 0) + sheet->gap;
}

static void put_legend(struct layout *l, const struct sheet_legend *legend)
{
    const uint32_t gap = l->sheet->gap;
    struct line words[3];
    uint32_t x = gap;
    const char *const texts[] = {legend->text, legend->from, legend->to};
    for (int i = 0; i < 3 && l->out; i++) {
        if (!texts[i] || x + gap >= l->width || (i > 0 && !legend->ramp))
            continue;
        words[i] = fit_line(texts[i], strlen(texts[i]), l->scale, (uint32_t)l->width - x - gap);
        write_line(l->out, &words[i], x, (uint32_t)l->y, l->dim);
        x += (uint32_t)((words[i].length + 1) * FONT_ADVANCE * words[i].scale);
        for (uint32_t k = 0; i == 1 && k < RAMP; k++, x += (uint32_t)l->scale) {
            uint8_t color[4] = {0, 0, 0, 255};
            const double at = (double)k / (RAMP - 1) * (double)(legend->ramp_count - 1);
            const size_t below = at < (double)(legend->ramp_count - 1) ? (size_t)at : legend->ramp_count - 2;
            for (int c = 0; c < 3; c++)
                color[c] =
                    (uint8_t)(legend->ramp[below][c] +
                              (at - (double)below) * (legend->ramp[below + 1][c] - legend->ramp[below][c]) + 0.5);
            fill(l->out, x, (uint32_t)l->y, (uint32_t)l->scale, (uint32_t)(FONT_HEIGHT * l->scale), color);
        }
        x += i == 1 ? (uint32_t)(FONT_ADVANCE * l->scale) : 0;
    }
    l->y += (uint64_t)(LINE * l->scale);
}

/* Fills width and, as y, the height of it all. */
static void lay_out(struct layout *l)
{
    const struct sheet *sheet = l->sheet;
    l->columns = choose_columns(sheet);
    l->width = (uint64_t)l->columns * (sheet->width + sheet->gap) + sheet->gap;
    l->y = sheet->gap;
    l->scale = word_scale(sheet->width, sheet->height);
    word_color(sheet->page, 100, l->bright);
    word_color(sheet->page, 70, l->dim);
    for (size_t i = 0; i < sheet->row_count; i++) {
        const struct sheet_row *row = &sheet->rows[i];
        if (row->is_hidden)
            continue;
        l->y += i > 0 && sheet->has_words && (row->title || row->heading) ? sheet->gap : 0;
        put_words(l, row->title, l->scale + 1, l->bright);
        put_words(l, row->facts, l->scale, l->dim);
        put_words(l, row->heading, l->scale, l->bright);
        for (size_t at = 0; at < row->count; at += l->columns)
            put_tiles(l, row->first + at, row->count - at < l->columns ? row->count - at : l->columns);
    }
    for (size_t i = 0; sheet->has_words && i < sheet->legend_count; i++)
        put_legend(l, &sheet->legends[i]);
    l->y += sheet->has_words && sheet->legend_count > 0 ? sheet->gap : 0;
}

bool sheet_fits(const struct sheet *sheet, uint32_t size[2], struct error *err)
{
    struct layout l = {.sheet = sheet};
    lay_out(&l);
    if (size) {
        size[0] = (uint32_t)l.width;
        size[1] = (uint32_t)l.y;
    }
    if (l.width < INT_MAX / 8 && l.y < INT_MAX && (l.width * 4 + 1) * l.y <= INT_MAX) /* the PNG writer counts so */
        return true;
    return error_set(err, "a sheet of %zu tiles of %ux%u would be %llux%llu: make the tiles smaller (--size) or fewer",
                     sheet->tile_count, sheet->width, sheet->height, (unsigned long long)l.width,
                     (unsigned long long)l.y);
}

bool sheet_draw(struct sheet *sheet, struct image *out, struct error *err)
{
    struct layout l = {.sheet = sheet, .out = out};
    uint32_t size[2];
    if (!sheet_fits(sheet, size, err) || !image_create(out, size[0], size[1], err))
        return false;
    fill(out, 0, 0, out->width, out->height, sheet->page);
    lay_out(&l);
    return true;
}
