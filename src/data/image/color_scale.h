#pragma once

#include "data/image/frame_settings.h"
#include "data/scene/scene.h"

/* Views that show a number as a colour. Where it is computed for each vertex or triangle, shaders/values.frag and the
 * legend share a scale; else a view's shader has its colours itself, which the legend's are then kept as. */

enum { SCALE_COLORS = 7 };

/* Says where numbers come from. */
enum shown_values {
    VALUES_OF_WEIGHTS,   /* the vertex shader adds a vertex's weights up; a rigid mesh is held whole */
    VALUES_OF_VERTICES,  /* crowd_member.values, one for each vertex */
    VALUES_OF_TRIANGLES, /* one for each triangle */
    VALUES_OF_SHADER,    /* the view's own: the legend alone has the scale */
};

struct color_scale {
    const char *what;   /* above the legend: "displacement" */
    const char *unit;   /* behind the scene's: "/s"; NULL: a number without unit */
    enum shown_values values;
    bool diverges;      /* from a number that is as it should be, whose colour is nearly white */
    bool is_logarithm;  /* to the base 2: legend and range have the number itself */
    double middle;      /* as it should be, where it diverges */
    const uint8_t (*colors)[3]; /* [color_count] at even steps, sRGB-encoded; SCALE_COLORS where shaders read them */
    int color_count;
    bool is_stepped; /* a colour for each whole number from 0, the last also of all that are more; no colours between */
    struct value_range fixed; /* of VALUES_OF_SHADER */
};

/* NULL of a view whose colours are not of numbers computed for each vertex or triangle. */
const struct color_scale *color_scale_of(enum view view);

/* Also of views whose shaders have the colours; NULL of a view that shows no number. */
const struct color_scale *legend_scale_of(enum view view);

/* In place of a number that is none: a vertex not paired is grey, a triangle without area at rest magenta. */
#define NO_VALUE 1e30f

/* Returns what the shader has at the lower end, the middle and the upper end: of a logarithm that of the number. */
void color_scale_ends(const struct color_scale *scale, const struct value_range *range, float out[3]);

/* The colour of a part of the scale from 0 to 1, each 0..1; and the number there. */
void color_scale_at(const struct color_scale *scale, double part, float out[3]);
double color_scale_number(const struct color_scale *scale, const struct value_range *range, double part);

/* As people read it: three digits, and no exponent of a thousand to a million. */
int color_scale_write(double number, size_t room, char *out);

/* Returns how many numbers an instance has; and all of them, of which an instance's begin where those of the one before
 * end. */
size_t color_scale_count(const struct color_scale *scale, const struct scene *scene, uint32_t instance);
size_t color_scale_total(const struct color_scale *scale, const struct scene *scene);
