#include <math.h>
#include <string.h>

#include "plot/plot.h"
#include "report/escape.h"

/* In pixels. The legend stands at the right, a line a curve. */
enum {
    LEFT = 76,
    LEGEND = 250,
    HEAD = 46,
    PANEL = 250,
    ABOVE = 30,
    BELOW = 34,
    LINE = 18,
    COLOURS = 10,
    DASHES = 5,
    LONGEST_NAME = 34
};

static const char style[] =
    "text{font:12px system-ui,sans-serif;fill:#1b2127}.title{font-size:15px;font-weight:600}.head{font-weight:600}"
    ".tick{fill:#5a6570;font-size:11px}.page{fill:#fff}.grid{stroke:#e2e5e9}.axis{stroke:#9aa5b1}.zero{stroke:#9aa5b1}"
    "path,.sample{fill:none;stroke-width:1.6;stroke-linejoin:round}.pale{stroke-width:5;opacity:.35}.key{stroke:none}"
    ".d1{stroke-dasharray:7 4}.d2{stroke-dasharray:2 3}.d3{stroke-dasharray:9 3 2 3}.d4{stroke-dasharray:14 5}";
static const char *const light[COLOURS] = {"#2159a5", "#c2410c", "#1a7340", "#8250c8", "#b42318",
                                           "#0f766e", "#8a5800", "#ad1a72", "#4d6b00", "#5a6570"};
static const char *const dark[COLOURS] = {"#79b0f5", "#f59b6a", "#66c78a", "#c4a1ec", "#ff8a80",
                                          "#4fc3b5", "#e3b24c", "#f58ac6", "#b4d455", "#b8c2cc"};
static const char dark_style[] = "text{fill:#e2e6ea}.tick{fill:#9aa5b1}.page{fill:#1b1f24}.grid{stroke:#343b44}"
                                 ".axis,.zero{stroke:#7a8591}";

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

static void add_colours(struct text *out, const char *const *colours)
{
    for (int i = 0; i < COLOURS; i++)
        text_addf(out, ".c%d{stroke:%s}.c%d.key{fill:%s}", i, colours[i], i, colours[i]);
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

/* "tail_2 of body, global.y (walk)", for the legend cut to its width. */
static void add_name(struct text *out, const struct plot_series *series, const struct plot_panel *panel, bool is_short)
{
    struct text name = {0};
    bool has_channels = false;
    for (size_t i = 0; i < panel->series_count; i++)
        has_channels = has_channels || strcmp(panel->series[i].channel, series->channel) != 0;
    text_add_name(&name, series->bone);
    if (series->mesh) {
        text_add(&name, " of ");
        text_add_name(&name, series->mesh);
    }
    if (has_channels || !is_short)
        text_addf(&name, ", %s", series->channel);
    if (series->source[0]) {
        text_add(&name, " (");
        text_add_name(&name, series->source);
        text_add(&name, ")");
    }
    size_t end = name.size, letters = 0;
    for (size_t i = 0; is_short && i < name.size && end == name.size; i++)
        if ((name.data[i] & 0xC0) != 0x80 && letters++ == LONGEST_NAME)
            end = i;
    if (end < name.size)
        name.data[end] = 0; /* never within a letter */
    escape_markup_line(text_string(&name), out);
    text_add(out, end < name.size ? "\xE2\x80\xA6" : "");
    text_release(&name);
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
    add_name(out, series, panel, false);
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

static void add_legend(struct text *out, const struct plot_panel *panel, const struct plot_series *series, bool is_pale,
                       double x, double y)
{
    text_add(out, "<g><path class=\"");
    add_class(out, series, is_pale);
    text_addf(out, "\" d=\"M%.2f %.2fH%.2f\"/><text x=\"%.2f\" y=\"%.2f\">", x, y - 4, x + 26, x + 33, y);
    add_name(out, series, panel, true);
    text_add(out, "<title>");
    add_name(out, series, panel, false);
    text_add(out, "</title></text></g>\n");
}

static double panel_height(const struct plot_panel *panel)
{
    return fmax(PANEL, ABOVE + BELOW + LINE * (double)panel->series_count);
}

static void add_panel(struct text *out, const struct plot *plot, const struct plot_panel *panel, double top,
                      struct scale x)
{
    struct scale y = find_range(panel);
    uint32_t sources = 0;
    x.from = LEFT;
    x.to = plot->width - LEGEND;
    y.from = top + panel_height(panel) - BELOW;
    y.to = top + ABOVE;
    add_axes(out, panel, &x, &y);
    for (size_t i = 0; i < panel->series_count; i++)
        sources = panel->series[i].dash > sources ? panel->series[i].dash : sources;
    for (size_t i = 0; i < panel->series_count; i++) {
        const struct plot_series *series = &panel->series[i];
        const bool is_pale = sources > 0 && series->dash == 0; /* wide, so that what agrees with it is seen on it */
        add_curve(out, panel, series, is_pale, &x, &y);
        add_legend(out, panel, series, is_pale, x.to + 20, y.to + 10 + LINE * (double)i);
    }
}

void plot_svg(const struct plot *plot, struct text *out)
{
    struct scale x = {.least = INFINITY, .most = -INFINITY};
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
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%.0f\" viewBox=\"0 0 %u %.0f\" "
              "role=\"img\">\n<title>",
              plot->width, height, plot->width, height);
    escape_markup_line(plot->title, out);
    text_addf(out, "</title>\n<style>%s", style);
    add_colours(out, light);
    text_addf(out, "@media (prefers-color-scheme:dark){%s", dark_style);
    add_colours(out, dark);
    text_addf(
        out, "}</style>\n<rect class=\"page\" width=\"%u\" height=\"%.0f\"/>\n<text class=\"title\" x=\"%d\" y=\"26\">",
        plot->width, height, LEFT);
    escape_markup_line(plot->title, out);
    text_add(out, "</text>\n");
    double top = HEAD;
    for (size_t p = 0; p < plot->panel_count; p++) {
        add_panel(out, plot, &plot->panels[p], top, x);
        top += panel_height(&plot->panels[p]);
    }
    text_add(out, "</svg>\n");
}
