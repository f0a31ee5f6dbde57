#pragma once

#include <stdint.h>

#include "base/text.h"

/*
 * Curves over time, as a picture and as a table. Names come from models and may hold anything: each format escapes
 * them. The same curves give the same bytes.
 */

struct plot_key {
    double time, value;
};

struct plot_series {
    const char *source; /* file, clip or program; "" where there is one alone */
    const char *bone;
    const char *mesh;    /* of a palette entry; NULL */
    const char *channel; /* "global.y" */
    uint32_t colour;     /* curves of one colour are of one bone and channel, */
    uint32_t dash;       /* and of another source each */
    size_t count;
    const double *times;  /* [count] seconds, ascending */
    const double *values; /* [count] NAN: not known then */
    size_t key_count;
    const struct plot_key *keys;
};

/* A panel shows what has one unit. */
struct plot_panel {
    const char *title; /* "global translation" */
    const char *unit;  /* "units"; "" */
    size_t series_count;
    struct plot_series *series;
};

struct plot {
    const char *title;
    uint32_t width; /* of the picture, pixels */
    size_t panel_count;
    struct plot_panel *panels;
};

enum { PLOT_LEAST_WIDTH = 480, PLOT_MOST_WIDTH = 8192, PLOT_WIDTH = 1000 };

/* One SVG file that needs nothing else: a panel below the other, with axes, keys and a label at each curve's end,
 * readable on light and dark; wider than asked for where labels would be cut. The bones' common prefix is in the
 * title alone. */
void plot_svg(const struct plot *plot, struct text *out);

/* "source,bone,mesh,channel,time,value,key" and a row for each known sample and each key, whose `key` is 1. */
void plot_csv(const struct plot *plot, struct text *out);

/* The ticks of an axis: whole multiples of 1, 2 or 5 times a power of ten, `wanted` of them or a few more. */
struct plot_ticks {
    double first, step; /* tick i stands at first + i * step */
    uint32_t count;
    int decimals;       /* that its numbers need */
};
struct plot_ticks plot_ticks_find(double least, double most, uint32_t wanted);
