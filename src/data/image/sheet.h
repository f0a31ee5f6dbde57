#pragma once

#include "data/image/image.h"

/* A sheet: pictures of one size in rows, with words above and below them, all of it data. Same sheet, same pixels. */

struct sheet_tile {
    struct image image; /* of the sheet's tile size; the sheet's to release */
    char *label;        /* below it, malloc'd; lines parted by '\n'; NULL: none */
};

/* Rows that are longer than the sheet's columns go on below. */
struct sheet_row {
    char *title;         /* large, above it and those that follow; NULL: none. Malloc'd as the others */
    char *facts;         /* below the title */
    char *heading;       /* above its tiles */
    size_t first, count; /* into tiles; may be none */
    bool is_hidden;
};

/* At the end of the sheet: a sentence, and unless `ramp` is NULL the colours from one word to the other behind it. */
struct sheet_legend {
    char *text;
    const uint8_t (*ramp)[3]; /* [ramp_count], at even steps; not the sheet's */
    size_t ramp_count;
    char from[16], to[16];
};

enum { SHEET_LEGENDS = 8 };

struct sheet {
    uint32_t width, height; /* of a tile */
    uint32_t columns; /* 0: as many as the longest row has, at most SHEET_COLUMNS; of a single row near to square */
    uint32_t gap;
    uint8_t page[4]; /* the colour around tiles, sRGB, straight alpha; words are white or black on it */
    bool has_words;  /* else the tiles alone */
    size_t tile_count, row_count, legend_count;
    struct sheet_tile *tiles;
    struct sheet_row *rows;
    struct sheet_legend legends[SHEET_LEGENDS];
};

enum { SHEET_COLUMNS = 12 };

/* A row that takes the tiles which are added next; the texts become the sheet's. */
struct sheet_row *sheet_add_row(struct sheet *sheet, char *title, char *facts, char *heading);
struct sheet_tile *sheet_add_tile(struct sheet *sheet, char *label);
void sheet_add_legend(struct sheet *sheet, const struct sheet_legend *legend);

/* Says whether a PNG can hold it, and how large it is (`size` may be NULL), which needs no pictures yet. */
bool sheet_fits(const struct sheet *sheet, uint32_t size[2], struct error *err);

/*
 * The picture of it; `out` is the caller's. Words get smaller, and then lose their left, where there is no
 * room; their size is that of a tile. A tile's picture is let go once it is drawn.
 */
bool sheet_draw(struct sheet *sheet, struct image *out, struct error *err);

void sheet_release(struct sheet *sheet);

/* A picture that says a sentence: of a tile that cannot be drawn. */
bool sheet_write_tile(struct image *out, uint32_t width, uint32_t height, const uint8_t background[4], const char *text,
                      struct error *err);
