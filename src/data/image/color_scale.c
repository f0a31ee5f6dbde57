#include "data/image/color_scale.h"

#include <math.h>
#include <stdio.h>

/* Lightness grows evenly, so that it is read without the hue too. */
static const uint8_t growing[SCALE_COLORS][3] = {{40, 26, 82},   {50, 68, 142},   {34, 112, 152}, {32, 154, 138},
                                                 {92, 192, 98}, {180, 220, 62}, {252, 236, 92}};
static const uint8_t diverging[SCALE_COLORS][3] = {{22, 60, 142},    {66, 126, 200},  {160, 200, 230}, {238, 238, 234},
                                                   {244, 186, 148}, {214, 98, 72}, {138, 18, 38}};

/* Those of weights.frag, influences.frag and depth.frag. */
static const uint8_t weights[5][3] = {{0, 0, 255}, {0, 255, 255}, {0, 255, 0}, {255, 255, 0}, {255, 0, 0}};
static const uint8_t influences[10][3] = {{255, 0, 255},  {40, 60, 160},  {0, 150, 220}, {0, 190, 120},
                                          {140, 210, 40}, {250, 220, 40}, {250, 150, 30}, {230, 80, 40},
                                          {150, 20, 40},  {255, 255, 255}};
static const uint8_t nearness[2][3] = {{0, 0, 0}, {255, 255, 255}};

static const struct color_scale scales[VIEW_COUNT] = {
    [VIEW_WEIGHT_SUM] = {"sum of weights", NULL, VALUES_OF_WEIGHTS, true, false, 1, diverging, SCALE_COLORS},
    [VIEW_DISPLACEMENT] = {"displacement", "", VALUES_OF_VERTICES, false, false, 0, growing, SCALE_COLORS},
    [VIEW_STRETCH] = {"area / rest area", NULL, VALUES_OF_TRIANGLES, true, true, 1, diverging, SCALE_COLORS},
    [VIEW_SPEED] = {"speed", "/s", VALUES_OF_VERTICES, false, false, 0, growing, SCALE_COLORS},
    [VIEW_WEIGHTS] = {"largest weight", NULL, VALUES_OF_SHADER, .colors = weights, .color_count = 5, .fixed = {0, 1}},
    [VIEW_BONE_WEIGHT] = {"weight", NULL, VALUES_OF_SHADER, .colors = weights, .color_count = 5, .fixed = {0, 1}},
    [VIEW_INFLUENCES] = {"bones a vertex", NULL, VALUES_OF_SHADER, .colors = influences, .color_count = 10,
                         .is_stepped = true, .fixed = {0, 9}},
    [VIEW_DEPTH] = {"depth", "", VALUES_OF_SHADER, .colors = nearness, .color_count = 2},
};

const struct color_scale *legend_scale_of(enum view view)
{
    return scales[view].what ? &scales[view] : NULL;
}

const struct color_scale *color_scale_of(enum view view)
{
    return scales[view].what && scales[view].values != VALUES_OF_SHADER ? &scales[view] : NULL;
}

void color_scale_ends(const struct color_scale *scale, const struct value_range *range, float out[3])
{
    const double least = (double)range->least, most = (double)range->most;
    const double ends[3] = {least, scale->diverges ? scale->middle : 0.5 * (least + most), most};
    for (int i = 0; i < 3; i++)
        out[i] = (float)(scale->is_logarithm ? log2(ends[i]) : ends[i]);
}

void color_scale_at(const struct color_scale *scale, double part, float out[3])
{
    const int last = scale->color_count - 1;
    const double within = fmin(fmax(part, 0), 1), at = scale->is_stepped ? floor(within * (last + 1)) : within * last;
    const int below = (int)fmin(floor(at), last - 1);
    for (int c = 0; c < 3; c++) {
        const double from = scale->colors[below][c], to = scale->colors[below + 1][c];
        out[c] = (float)((from + fmin(at - below, 1) * (to - from)) / 255);
    }
}

double color_scale_number(const struct color_scale *scale, const struct value_range *range, double part)
{
    float ends[3];
    color_scale_ends(scale, range, ends);
    const int lower = part < 0.5 ? 0 : 1;
    const double number = (double)ends[lower] + (2 * part - lower) * ((double)ends[lower + 1] - (double)ends[lower]);
    return scale->is_logarithm ? exp2(number) : number;
}

int color_scale_write(double number, size_t room, char *out)
{
    const bool is_long = fabs(number) >= 1000 && fabs(number) < 1e6;
    return is_long ? snprintf(out, room, "%.0f", number) : snprintf(out, room, "%.3g", number);
}

size_t color_scale_count(const struct color_scale *scale, const struct scene *scene, uint32_t instance)
{
    const struct mesh *mesh = &scene->meshes[scene->instances[instance].mesh];
    return scale->values == VALUES_OF_VERTICES    ? mesh->vertex_count
           : scale->values == VALUES_OF_TRIANGLES ? mesh->triangle_count
                                                  : 0;
}

size_t color_scale_total(const struct color_scale *scale, const struct scene *scene)
{
    size_t total = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        total += color_scale_count(scale, scene, i);
    return total;
}
