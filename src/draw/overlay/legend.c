#include "draw/overlay/overlays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/image/color_scale.h"
#include "data/image/font.h"

enum { MARGIN = 4, PADDING = 3, BAR_WIDTH = 8, TICK = 3, LINE = FONT_HEIGHT + 3, MOST_TICKS = 5, LONGEST_NUMBER = 16 };

/* In pixels of the font, which are `scale` pixels of the picture. */
struct layout {
    int scale;
    int lines;          /* of the words below the bar */
    int bar, ticks;     /* the bar's height; how many numbers stand beside it, */
    int every;          /* of which one in so many is written */
    int width, words;   /* of the bar with its numbers; of the words */
    int height;         /* of all */
};

/* Returns where on the bar the number of a tick is. */
static double part_of(const struct color_scale *scale, const struct layout *l, int tick)
{
    return scale->is_stepped ? (tick + 0.5) / l->ticks : (double)tick / (l->ticks - 1);
}

static int write_tick(const struct color_scale *scale, const struct value_range *range, const struct layout *l,
                      int tick, char out[LONGEST_NUMBER])
{
    if (scale->is_stepped)
        return snprintf(out, LONGEST_NUMBER, "%d%s", tick, tick + 1 == l->ticks ? "+" : "");
    return color_scale_write(color_scale_number(scale, range, part_of(scale, l, tick)), LONGEST_NUMBER, out);
}

/* As much as fits: fewer numbers beside a shorter bar. */
static struct layout lay_out(const struct canvas *canvas, const struct color_scale *scale,
                             const struct value_range *range, const char *words)
{
    struct layout l = {.scale = label_scale(canvas), .every = 1};
    const int room = (int)canvas->height / l.scale - 2 * (MARGIN + PADDING);
    int longest = 0;
    for (const char *c = words; *c; c++)
        l.lines += c == words || c[-1] == '\n';
    const int most = room - l.lines * LINE - FONT_HEIGHT;
    l.bar = 2 * room / 5 > 128 ? 128 : 2 * room / 5 < 44 ? 44 : 2 * room / 5;
    l.bar = l.bar > most ? most : l.bar;
    l.ticks = scale->is_stepped ? scale->color_count : l.bar < (MOST_TICKS - 1) * LINE ? 3 : MOST_TICKS;
    while (scale->is_stepped && l.bar > 0 && l.bar * l.every < l.ticks * (FONT_HEIGHT + 1))
        l.every++;
    for (int i = 0; i < l.ticks; i++) {
        char number[LONGEST_NUMBER];
        const int length = write_tick(scale, range, &l, i, number);
        longest = length > longest ? length : longest;
    }
    l.width = BAR_WIDTH + TICK + 2 + longest * FONT_ADVANCE + 2 * PADDING;
    for (const char *line = words; *line;) {
        const size_t length = strcspn(line, "\n");
        const int width = (int)length * FONT_ADVANCE - 1 + 2 * PADDING;
        l.words = width > l.words ? width : l.words;
        line += length + (line[length] == '\n');
    }
    l.height = l.lines * LINE + FONT_HEIGHT + l.bar + 2 * PADDING;
    return l;
}

/* The words stand below: what is drawn stands in the middle. */
void legend_primitives(struct canvas *canvas, const struct frame_settings *settings, const struct value_range *range)
{
    static const float white[4] = {1, 1, 1, 1};
    const struct color_scale *scale = legend_scale_of(settings->view);
    if (!scale)
        return;
    const struct layout l = lay_out(canvas, scale, range, settings->legend);
    const int s = l.scale, left = (MARGIN + PADDING) * s, top = (int)canvas->height - (MARGIN + l.height) * s;
    const int bar = top + (PADDING + FONT_HEIGHT / 2) * s;
    if (l.bar < 2 * LINE)
        return;
    const int words = (int)canvas->height - (MARGIN + l.lines * LINE) * s; /* their frame is wider than the bar's */
    add_panel(canvas, (struct box){left - PADDING * s, top, l.width * s, words - top});
    if (l.lines > 0)
        add_panel(canvas, (struct box){left - PADDING * s, words, l.words * s, l.lines * LINE * s});
    for (int row = 0; row < l.bar * s; row++) {
        float color[4] = {0, 0, 0, 1};
        color_scale_at(scale, 1 - (row + 0.5) / (l.bar * s), color);
        add_rectangle(canvas, left, bar + row, BAR_WIDTH * s, 1, color);
    }
    for (int i = 0; i < l.ticks; i += l.every) {
        const int at = bar + (int)lround((1 - part_of(scale, &l, i)) * (l.bar - 1)) * s;
        char number[LONGEST_NUMBER];
        const int length = write_tick(scale, range, &l, i, number);
        add_rectangle(canvas, left + BAR_WIDTH * s, at, TICK * s, s, white);
        add_shadowed(canvas, number, (size_t)length, left + (BAR_WIDTH + TICK + 2) * s, at - FONT_HEIGHT / 2 * s, s,
                     white);
    }
    int y = words;
    for (const char *line = settings->legend; *line; y += LINE * s) {
        const size_t length = strcspn(line, "\n");
        add_shadowed(canvas, line, length, left, y, s, white);
        line += length + (line[length] == '\n');
    }
}
