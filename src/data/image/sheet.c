#include "data/image/sheet.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "data/image/words.h"

enum { RAMP = 64 };

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

enum { LEAST_EM = 9, CAPTION_EM = 11, MOST_EM = 56 };
static const char ellipsis[] = "\xe2\x80\xa6";

/* A line as it fits: without its beginning where that is too long, and with an ellipsis there. */
struct line {
    const char *text;
    size_t length;
    uint32_t em;
    bool is_cut;
};

static size_t character_size(const char *text, size_t most)
{
    const size_t size = utf8_length(text);
    return size > 0 && size <= most ? size : 1;
}

static double line_width(const struct line *line)
{
    return words_width(line->text, line->length, line->em) +
           (line->is_cut ? words_width(ellipsis, strlen(ellipsis), line->em) : 0);
}

/* As large as `em` says, else as it fits; what is too long even so loses its left: names differ at their ends. */
static struct line fit_line(const char *text, size_t length, uint32_t em, double width)
{
    struct line line = {.text = text, .length = length, .em = em};
    double ems = words_width(text, length, 1);
    while (line.em > LEAST_EM && ems * line.em > width)
        line.em--;
    line.is_cut = ems * line.em > width;
    ems += line.is_cut ? words_width(ellipsis, strlen(ellipsis), 1) : 0;
    while (line.length > 0 && ems * line.em > width) {
        const size_t step = character_size(line.text, line.length);
        ems -= words_width(line.text, step, 1);
        line.text += step;
        line.length -= step;
    }
    return line;
}

static void fill(struct image *image, uint32_t x, uint32_t y, uint32_t width, uint32_t height, const uint8_t color[4])
{
    for (uint32_t row = y; row < y + height && row < image->height; row++)
        for (uint32_t column = x; column < x + width && column < image->width; column++)
            memcpy(image->rgba + 4 * ((size_t)row * image->width + column), color, 4);
}

/* Smaller words stand on the same line as those of `em`. */
static void write_line(struct image *image, const struct line *line, uint32_t em, uint32_t x, uint32_t y,
                       const uint8_t color[4])
{
    const uint32_t top = y + em - line->em;
    if (line->is_cut)
        words_draw(image, ellipsis, strlen(ellipsis), line->em, x, top, color);
    words_draw(image, line->text, line->length, line->em,
               x + (line->is_cut ? (uint32_t)lround(words_width(ellipsis, strlen(ellipsis), line->em)) : 0), top,
               color);
}

/* The size of the words below a tile. */
static uint32_t word_size(uint32_t width, uint32_t height)
{
    const uint32_t em = (width < height ? width : height) / 18;
    return em < CAPTION_EM ? CAPTION_EM : em > MOST_EM ? MOST_EM : em;
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

/* Returns how much of a sentence fits on a line: up to a blank where there is one. */
static size_t break_line(const char *text, uint32_t em, double width)
{
    size_t fits = 0, blank = 0;
    double taken = 0;
    while (text[fits]) {
        const size_t size = character_size(text + fits, SIZE_MAX);
        blank = text[fits] == ' ' ? fits : blank;
        taken += words_width(text + fits, size, em);
        if (taken > width)
            return text[fits] != ' ' && blank > 0 ? blank : fits;
        fits += size;
    }
    return fits;
}

bool sheet_write_tile(struct image *out, uint32_t width, uint32_t height, const uint8_t background[4], const char *text,
                      struct error *err)
{
    const uint32_t em = word_size(width, height), margin = em / 2, step = words_line(em);
    uint8_t color[4];
    if (!image_create(out, width, height, err))
        return false;
    word_color(background, 70, color);
    fill(out, 0, 0, width, height, background);
    for (uint32_t y = margin; *text && y + step < height; y += step) {
        const size_t length = break_line(text, em, (double)width - 2.0 * margin);
        if (length == 0)
            break;
        words_draw(out, text, length, em, margin, y, color);
        text += length;
        text += *text == ' ';
    }
    return true;
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

/* Says where everything is. One walk measures and draws, so that both agree. */
struct layout {
    const struct sheet *sheet;
    struct image *out; /* NULL: nothing is drawn */
    uint32_t columns;
    uint64_t width, y;
    uint32_t em; /* of the words below tiles; headings have it too, titles half as much again */
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

/* A heading, smaller or cut where it is too long. */
static void put_words(struct layout *l, const char *text, uint32_t em, const uint8_t color[4])
{
    const uint32_t gap = l->sheet->gap;
    if (!text || !l->sheet->has_words)
        return;
    if (l->out) {
        const struct line line = fit_line(text, strlen(text), em, (double)l->width - 2.0 * gap);
        write_line(l->out, &line, em, gap, (uint32_t)l->y, color);
    }
    l->y += words_line(em);
}

/* A sentence, on a few lines where it takes them. */
static void put_facts(struct layout *l, const char *text)
{
    enum { MOST = 6 };
    for (int line = 1; text && *text && l->sheet->has_words; line++) {
        const size_t length = break_line(text, l->em, (double)l->width - 2.0 * l->sheet->gap);
        if (length == 0 || line == MOST) {
            put_words(l, text, l->em, l->dim);
            break;
        }
        if (l->out)
            words_draw(l->out, text, length, l->em, l->sheet->gap, (uint32_t)l->y, l->dim);
        l->y += words_line(l->em);
        text += length + (text[length] == ' ');
    }
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
    for (; text && *text; y += words_line(l->em), color = l->dim) {
        const size_t size = strcspn(text, "\n");
        const struct line line = fit_line(text, size, l->em, l->sheet->width);
        write_line(l->out, &line, l->em, x, y, color);
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
            put_label(l, tile->label, x, y + sheet->height + l->em / 4);
        if (l->out)
            image_release(&sheet->tiles[first + i].image);
    }
    l->y += sheet->height + (lines ? l->em / 4 + lines * words_line(l->em) : 0) + sheet->gap;
}

/* The colour at a share of a ramp. */
static void ramp_color(const struct sheet_legend *legend, double share, uint8_t color[4])
{
    const double at = share * (double)(legend->ramp_count - 1);
    const size_t below = at < (double)(legend->ramp_count - 1) ? (size_t)at : legend->ramp_count - 2;
    const uint8_t *from = legend->ramp[below], *to = legend->ramp[below + 1];
    for (int c = 0; c < 3; c++)
        color[c] = (uint8_t)(from[c] + (at - (double)below) * (to[c] - from[c]) + 0.5);
    color[3] = 255;
}

/* The sentence, and behind it or, where there is no room, below it the ramp between its ends. */
static void put_legend(struct layout *l, const struct sheet_legend *legend)
{
    const uint32_t gap = l->sheet->gap, step = l->em / 8 > 0 ? l->em / 8 : 1, space = l->em / 2;
    const double room = (double)l->width - 2.0 * gap;
    const struct line text = fit_line(legend->text, strlen(legend->text), l->em, room);
    const struct line from = fit_line(legend->from, strlen(legend->from), l->em, room);
    const struct line to = fit_line(legend->to, strlen(legend->to), l->em, room);
    const double ramp = line_width(&from) + line_width(&to) + RAMP * step + 2.0 * space;
    uint32_t x = gap;
    if (l->out)
        write_line(l->out, &text, l->em, x, (uint32_t)l->y, l->dim);
    x += (uint32_t)lround(line_width(&text)) + space;
    if (legend->ramp && x - gap + ramp > room) {
        x = gap;
        l->y += words_line(l->em);
    }
    if (legend->ramp && l->out) {
        write_line(l->out, &from, l->em, x, (uint32_t)l->y, l->dim);
        x += (uint32_t)lround(line_width(&from)) + space;
        for (uint32_t k = 0; k < RAMP; k++, x += step) {
            uint8_t color[4];
            ramp_color(legend, (double)k / (RAMP - 1), color);
            fill(l->out, x, (uint32_t)l->y + l->em / 4, step, l->em - l->em / 4, color);
        }
        write_line(l->out, &to, l->em, x + space, (uint32_t)l->y, l->dim);
    }
    l->y += words_line(l->em);
}

/* Fills width and, as y, the height of it all. */
static void lay_out(struct layout *l)
{
    const struct sheet *sheet = l->sheet;
    bool is_below_words = false;
    l->columns = choose_columns(sheet);
    l->width = (uint64_t)l->columns * (sheet->width + sheet->gap) + sheet->gap;
    l->y = sheet->gap;
    l->em = word_size(sheet->width, sheet->height);
    word_color(sheet->page, 100, l->bright);
    word_color(sheet->page, 70, l->dim);
    for (size_t i = 0; i < sheet->row_count; i++) {
        const struct sheet_row *row = &sheet->rows[i];
        if (row->is_hidden)
            continue;
        l->y += i > 0 && sheet->has_words && (row->title || row->heading) ? sheet->gap : 0;
        put_words(l, row->title, l->em + l->em / 2, l->bright);
        put_facts(l, row->facts);
        put_words(l, row->heading, l->em, l->bright);
        is_below_words = sheet->has_words && (row->heading || row->facts || row->title || is_below_words);
        l->y += row->count > 0 && is_below_words ? l->em / 4 : 0;
        is_below_words = is_below_words && row->count == 0;
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
