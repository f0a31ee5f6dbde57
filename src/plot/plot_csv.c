#include <math.h>

#include "plot/plot.h"

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
