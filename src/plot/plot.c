#include <math.h>
#include <string.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "plot/plot.h"
#include "report/escape.h"

/* In pixels. A curve's label stands at its end, behind a piece of its line. */
enum { LEFT = 76, HEAD = 46, PANEL = 250, ABOVE = 30, BELOW = 34, LINE = 18, LEAST_PLOT = 240, LEADER = 14, PIECE = 26,
       COLOURS = 20, DASHES = 5 };

/* Each colour is as far from all others as it goes, on its background (tests/plot/test_plot.c). */
EMBEDDED(plot_style);

static double power_of_ten(int exponent)
{
    double power = 1;
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--)
        power *= 10;
    return exponent < 0 ? 1 / power : power;
}

struct plot_ticks plot_ticks_find(double least, double most, uint32_t wanted)
{
    static const int factors[] = {1, 2, 5};
    int exponent = -30, factor = 0;
    double step = power_of_ten(exponent);
    while ((most - least) / step > wanted && exponent < 300) {
        exponent += factor == 2;
        factor = (factor + 1) % 3;
        step = factors[factor] * power_of_ten(exponent);
    }
    struct plot_ticks ticks = {.step = step, .decimals = exponent < 0 ? -exponent : 0};
    const double first = ceil(least / step - 1e-9);
    ticks.first = first * step;
    ticks.count = (uint32_t)(floor(most / step + 1e-9) - first) + 1;
    return ticks;
}

/* Data to pixels. */
struct scale {
    double least, most, from, to;
};

static double place(const struct scale *scale, double value)
{
    return scale->from + (value - scale->least) / (scale->most - scale->least) * (scale->to - scale->from);
}

static void add_tick_number(struct text *out, const struct plot_ticks *ticks, uint32_t i)
{
    double value = ticks->first + i * ticks->step;
    value = fabs(value) < ticks->step / 2 ? 0 : value;
    const bool is_plain = ticks->decimals <= 6 && fabs(value) < 1e7;
    text_addf(out, is_plain ? "%.*f" : "%.*g", is_plain ? ticks->decimals : 6, value);
}

/* All finite values of a panel; of nearly one value room around it, so that rounding is a flat line. */
static struct scale find_range(const struct plot_panel *panel)
{
    struct scale range = {.least = INFINITY, .most = -INFINITY};
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t i = 0; i < panel->series[s].count; i++)
            if (isfinite(panel->series[s].values[i])) {
                range.least = fmin(range.least, panel->series[s].values[i]);
                range.most = fmax(range.most, panel->series[s].values[i]);
            }
    if (range.least > range.most)
        range.least = range.most = 0;
    const double size = fmax(fabs(range.least), fabs(range.most)), span = range.most - range.least;
    const double room = span > 1e-5 * size && span > 1e-12 ? 0.06 * span : size > 1e-12 ? 0.1 * size : 1;
    range.least -= room;
    range.most += room;
    return range;
}

static void add_axes(struct text *out, const struct plot_panel *panel, const struct scale *x, const struct scale *y)
{
    const struct plot_ticks at = plot_ticks_find(x->least, x->most, 9);
    const struct plot_ticks values = plot_ticks_find(y->least, y->most, (uint32_t)fmax(6, (y->from - y->to) / 45));
    for (uint32_t i = 0; i < values.count; i++) {
        const double place_y = place(y, values.first + i * values.step);
        text_addf(out,
                  "<line class=\"grid\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/><text class=\"tick\" "
                  "x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">",
                  x->from, x->to, place_y, place_y, x->from - 8, place_y + 4);
        add_tick_number(out, &values, i);
        text_add(out, "</text>\n");
    }
    if (y->least < 0 && y->most > 0)
        text_addf(out, "<line class=\"zero\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/>\n", x->from, x->to,
                  place(y, 0), place(y, 0));
    for (uint32_t i = 0; i < at.count; i++) {
        const double place_x = place(x, at.first + i * at.step);
        text_addf(out,
                  "<line class=\"axis\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/><text class=\"tick\" "
                  "x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">",
                  place_x, place_x, y->from, y->from + 5, place_x, y->from + 18);
        add_tick_number(out, &at, i);
        text_add(out, i + 1 == at.count ? " s</text>\n" : "</text>\n");
    }
    text_addf(out, "<path class=\"axis\" d=\"M%.2f %.2fV%.2fH%.2f\"/>\n<text class=\"head\" x=\"%.2f\" y=\"%.2f\">",
              x->from, y->to, y->from, x->to, x->from, y->to - 10);
    escape_markup_line(panel->title, out);
    text_add(out, panel->unit[0] ? " (" : "");
    escape_markup_line(panel->unit, out);
    text_add(out, panel->unit[0] ? ")</text>\n" : "</text>\n");
}

static struct name_prefix find_prefix(const struct plot *plot)
{
    struct name_prefix prefix = {0};
    for (size_t p = 0; p < plot->panel_count; p++)
        for (size_t s = 0; s < plot->panels[p].series_count; s++)
            name_prefix_add(&prefix, plot->panels[p].series[s].bone);
    return prefix;
}

/* "tail_2 of body, global.y (walk)"; as a label, which has a prefix, without what its panel and its plot have said. */
static void add_name(struct text *out, const struct plot_series *series, const struct plot_panel *panel,
                     const struct name_prefix *prefix)
{
    bool has_channels = false;
    for (size_t i = 0; i < panel->series_count; i++)
        has_channels = has_channels || strcmp(panel->series[i].channel, series->channel) != 0;
    text_add_name(out, prefix ? name_without(prefix, series->bone) : series->bone);
    if (series->mesh) {
        text_add(out, " of ");
        text_add_name(out, series->mesh);
    }
    if (has_channels || !prefix)
        text_addf(out, ", %s", series->channel);
    if (series->source[0]) {
        text_add(out, " (");
        text_add_name(out, series->source);
        text_add(out, ")");
    }
}

static void add_escaped_name(struct text *out, const struct plot_series *series, const struct plot_panel *panel,
                             const struct name_prefix *prefix)
{
    SCOPED(text) name = {0};
    add_name(&name, series, panel, prefix);
    escape_markup_line(text_string(&name), out);
}

/* Returns what a label takes at most in ems, in any face that a viewer may have for sans-serif: it is never cut. */
static double measure(const char *label)
{
    double width = 0;
    for (; *label; label++) {
        const unsigned char letter = (unsigned char)*label;
        if (letter >= 0x80)
            width += letter >= 0xC0 ? 1 : 0;
        else
            width += strchr("fijlrtI.,:;'|!()[]{} ", letter) ? 0.42
                     : strchr("mwMW@%", letter)              ? 1.0
                     : letter >= 'A' && letter <= 'Z'        ? 0.79
                                                             : 0.65;
    }
    return width;
}

/* Measures the width of the column of labels. */
static double measure_labels(const struct plot *plot, const struct name_prefix *prefix)
{
    enum { FONT = 12, MARGIN = 12 };
    double most = 0;
    for (size_t p = 0; p < plot->panel_count; p++)
        for (size_t s = 0; s < plot->panels[p].series_count; s++) {
            SCOPED(text) name = {0};
            add_name(&name, &plot->panels[p].series[s], &plot->panels[p], prefix);
            most = fmax(most, measure(text_string(&name)));
        }
    return ceil(LEADER + PIECE + 6 + FONT * most + MARGIN);
}

static void add_class(struct text *out, const struct plot_series *series, bool is_pale)
{
    text_addf(out, "c%u", (unsigned)(series->colour % COLOURS));
    if (series->dash > 0)
        text_addf(out, " d%u", 1 + (unsigned)((series->dash - 1) % (DASHES - 1)));
    text_add(out, is_pale ? " pale" : "");
}

static void add_curve(struct text *out, const struct plot_panel *panel, const struct plot_series *series, bool is_pale,
                      const struct scale *x, const struct scale *y)
{
    bool is_open = false;
    double before = NAN;
    text_add(out, "<path class=\"");
    add_class(out, series, is_pale);
    text_add(out, "\" d=\"");
    for (size_t i = 0; i < series->count; i++) {
        const double value = series->values[i], after = i + 1 < series->count ? series->values[i + 1] : NAN;
        const bool is_flat = is_open && !isnan(value) && !(value < before || value > before) &&
                             !(value < after || value > after) && !isnan(after);
        before = value;
        if (is_flat) /* the line goes on */
            continue;
        if (isfinite(value))
            text_addf(out, "%s%.2f %.2f", is_open ? "L" : "M", place(x, series->times[i]), place(y, value));
        is_open = isfinite(value);
    }
    text_add(out, "\"><title>");
    add_escaped_name(out, series, panel, NULL);
    text_add(out, "</title></path>\n");
    const bool is_dense = (double)series->key_count * 5 > x->to - x->from;
    for (size_t i = 0; i < series->key_count; i++) {
        const struct plot_key *key = &series->keys[i];
        if (key->time < x->least || key->time > x->most || !isfinite(key->value))
            continue;
        text_addf(out, "<circle class=\"key c%u\" cx=\"%.2f\" cy=\"%.2f\" r=\"%s\"/>\n",
                  (unsigned)(series->colour % COLOURS), place(x, key->time), place(y, key->value),
                  is_dense ? "1.3" : "2.5");
    }
}

/* From where the curve ends to its label, which stands as near as those of other curves let it. */
static void add_label(struct text *out, const struct plot_panel *panel, const struct plot_series *series, bool is_pale,
                      const struct name_prefix *prefix, double x, double end, double y)
{
    text_add(out, "<g><path class=\"");
    add_class(out, series, is_pale);
    text_addf(out, "\" d=\"M%.2f %.2fH%.2f\"/>", x + LEADER, y, x + LEADER + PIECE);
    text_addf(out, "<path class=\"leader c%u\" d=\"M%.2f %.2fL%.2f %.2f\"/>", (unsigned)(series->colour % COLOURS), x,
              end, x + LEADER, y);
    text_addf(out, "<text x=\"%.2f\" y=\"%.2f\">", x + LEADER + PIECE + 6, y + 4);
    add_escaped_name(out, series, panel, prefix);
    text_add(out, "<title>");
    add_escaped_name(out, series, panel, NULL);
    text_add(out, "</title></text></g>\n");
}

/* A curve ends at its last value that is known. */
static double end_of(const struct plot_series *series, const struct scale *y)
{
    for (size_t i = series->count; i > 0; i--)
        if (isfinite(series->values[i - 1]))
            return place(y, series->values[i - 1]);
    return y->from;
}

struct label {
    double end, y;
    size_t series;
};

static int by_end(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    return x->end != y->end ? (x->end > y->end) - (x->end < y->end) : (x->series > y->series) - (x->series < y->series);
}

/* In the order of their ends, a line apart; what is too low for the panel moves up. */
static void place_labels(struct label *labels, size_t count, const struct scale *y)
{
    sort_items(labels, count, sizeof *labels, by_end);
    for (size_t i = 0; i < count; i++)
        labels[i].y = fmax(labels[i].end, i > 0 ? labels[i - 1].y + LINE : y->to);
    double lowest = y->from;
    for (size_t i = count; i > 0; i--, lowest -= LINE)
        labels[i - 1].y = fmin(labels[i - 1].y, lowest);
}

static double panel_height(const struct plot_panel *panel)
{
    return fmax(PANEL, ABOVE + BELOW + LINE * (double)panel->series_count);
}

static void add_panel(struct text *out, const struct plot_panel *panel, const struct name_prefix *prefix, double top,
                      struct scale x)
{
    struct scale y = find_range(panel);
    FREED struct label *labels = memory_new(panel->series_count, sizeof *labels);
    uint32_t sources = 0;
    y.from = top + panel_height(panel) - BELOW;
    y.to = top + ABOVE;
    add_axes(out, panel, &x, &y);
    for (size_t i = 0; i < panel->series_count; i++) {
        sources = panel->series[i].dash > sources ? panel->series[i].dash : sources;
        labels[i] = (struct label){.end = end_of(&panel->series[i], &y), .series = i};
    }
    place_labels(labels, panel->series_count, &y);
    for (size_t i = 0; i < panel->series_count; i++) {
        const struct plot_series *series = &panel->series[i], *named = &panel->series[labels[i].series];
        /* wide, so that what agrees is seen on it */
        add_curve(out, panel, series, sources > 0 && series->dash == 0, &x, &y);
        add_label(out, panel, named, sources > 0 && named->dash == 0, prefix, x.to, labels[i].end, labels[i].y);
    }
}

void plot_svg(const struct plot *plot, struct text *out)
{
    struct scale x = {.least = INFINITY, .most = -INFINITY};
    const struct name_prefix prefix = find_prefix(plot);
    const double labels = measure_labels(plot, &prefix), width = fmax(plot->width, LEFT + LEAST_PLOT + labels);
    double height = HEAD;
    for (size_t p = 0; p < plot->panel_count; p++) {
        height += panel_height(&plot->panels[p]);
        for (size_t s = 0; s < plot->panels[p].series_count; s++) {
            const struct plot_series *series = &plot->panels[p].series[s];
            x.least = series->count ? fmin(x.least, series->times[0]) : x.least;
            x.most = series->count ? fmax(x.most, series->times[series->count - 1]) : x.most;
        }
    }
    if (!(x.least < x.most)) { /* one time, or none */
        x.least = isfinite(x.least) ? x.least - 0.5 : 0;
        x.most = x.least + 1;
    }
    text_addf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
              "role=\"img\">\n<title>",
              width, height, width, height);
    x.from = LEFT;
    x.to = width - labels;
    escape_markup_line(plot->title, out);
    text_add(out, "</title>\n<style>");
    for (const char *line = plot_styles[0].text; *line; line += strcspn(line, "\n") + 1)
        text_add_bytes(out, line, strcspn(line, "\n"));
    text_addf(out,
              "</style>\n<rect class=\"page\" width=\"%.0f\" height=\"%.0f\"/>\n<text class=\"title\" x=\"%d\" "
              "y=\"26\">",
              width, height, LEFT);
    escape_markup_line(plot->title, out);
    if (name_prefix_length(&prefix) > 0) {
        SCOPED(text) said = {0};
        text_add_bytes(&said, prefix.of, name_prefix_length(&prefix));
        text_add(out, " (bones without their ");
        escape_markup_line(text_string(&said), out);
        text_add(out, ")");
    }
    text_add(out, "</text>\n");
    double top = HEAD;
    for (size_t p = 0; p < plot->panel_count; p++) {
        add_panel(out, &plot->panels[p], &prefix, top, x);
        top += panel_height(&plot->panels[p]);
    }
    text_add(out, "</svg>\n");
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void add_field(struct text *out, const char *value)
{
    text_add_csv(out, value);
    text_add(out, ",");
}

static void add_row(struct text *out, const struct plot_series *series, double time, double value, bool is_key)
{
    if (isnan(value))
        return;
    add_field(out, series->source);
    add_field(out, series->bone);
    add_field(out, series->mesh ? series->mesh : "");
    add_field(out, series->channel);
    text_add_double(out, time);
    text_add(out, ",");
    text_add_float(out, (float)value); /* what poses are made of; in double the last digits are libm's */
    text_add(out, is_key ? ",1\n" : ",0\n");
}

void plot_csv(const struct plot *plot, struct text *out)
{
    text_add(out, "source,bone,mesh,channel,time,value,key\n");
    for (size_t p = 0; p < plot->panel_count; p++)
        for (size_t s = 0; s < plot->panels[p].series_count; s++) {
            const struct plot_series *series = &plot->panels[p].series[s];
            for (size_t i = 0; i < series->count; i++)
                add_row(out, series, series->times[i], series->values[i], false);
            for (size_t i = 0; i < series->key_count; i++)
                add_row(out, series, series->keys[i].time, series->keys[i].value, true);
        }
}
