#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "draw/frame/studio.h"

enum { RINGS = 3, PAIRS = 6 };

/* Says how far away neighbours are, as shares of the model's radius, and how much a ring counts. */
static const struct {
    float radius, weight;
} rings[RINGS] = {{0.022f, 0.75f}, {0.06f, 0.7f}, {0.15f, 0.55f}};

// clang-format off
/* Directions of half a circle, a sixth apart; every ring is turned by a third of that. */
static const float directions[RINGS * PAIRS][2] = {
    {1, 0},             {0.8660f, 0.5f},    {0.5f, 0.8660f},
    {0, 1},             {-0.5f, 0.8660f},   {-0.8660f, 0.5f},
    {0.9848f, 0.1736f}, {0.7660f, 0.6428f}, {0.3420f, 0.9397f},
    {-0.1736f, 0.9848f}, {-0.6428f, 0.7660f}, {-0.9397f, 0.3420f},
    {0.9397f, 0.3420f}, {0.6428f, 0.7660f}, {0.1736f, 0.9848f},
    {-0.3420f, 0.9397f}, {-0.7660f, 0.6428f}, {-0.9848f, 0.1736f},
};
// clang-format on

/* The radius of a ring is multiplied by these, so that no edge of it shows. */
static const float spread[PAIRS] = {0.75f, 1.2f, 0.9f, 1.35f, 0.65f, 1.05f};

/* Returns how far a neighbour stands out, -reach to reach; one far before it belongs to something else and says
 * nothing. */
static float standing_out(float here, float there, float reach)
{
    float by = here - there;
    by = by < -reach ? -reach : by;
    float fades = by > reach ? 2 * reach - by : by;
    return fades < 0 && by > 0 ? 0 : fades;
}

/* Adds what a pair of neighbours hides to a part of a row. */
static void add_pair(const struct distances *d, const float *row, uint32_t first, uint32_t end, ptrdiff_t offset,
                     float radius, float weight, float *hidden)
{
    for (uint32_t x = first; x < end; x++) {
        const float here = row[x], reach = radius * d->texel * (d->perspective ? here : 1);
        const float sum = standing_out(here, row[(ptrdiff_t)x + offset], reach) +
                          standing_out(here, row[(ptrdiff_t)x - offset], reach);
        const float part = (sum - 0.06f * reach) * (weight / reach);
        hidden[x] += part > 0 ? part : 0;
    }
}

static const float *row_of(const struct distances *d, uint32_t y)
{
    return d->at + (size_t)(y + d->margin) * (d->width + 2 * d->margin) + d->margin;
}

static void find_hidden(const struct distances *d, float *hidden)
{
    const ptrdiff_t stride = (ptrdiff_t)d->width + 2 * (ptrdiff_t)d->margin;
    for (uint32_t y = 0; y < d->height; y++) {
        uint32_t first = 0, end = d->width;
        while (first < end && row_of(d, y)[first] == INFINITY)
            first++;
        while (end > first && row_of(d, y)[end - 1] == INFINITY)
            end--;
        for (int i = 0; i < RINGS * PAIRS && first < end; i++) {
            const float radius =
                fminf(fmaxf(rings[i / PAIRS].radius * spread[i % PAIRS] * d->radius, 1.0f), (float)d->margin);
            const ptrdiff_t offset = lroundf(directions[i][0] * radius) + stride * lroundf(directions[i][1] * radius);
            add_pair(d, row_of(d, y), first, end, offset, radius, rings[i / PAIRS].weight / PAIRS,
                     hidden + (size_t)y * d->width);
        }
    }
}

/* The mean over a few neighbours, along rows or columns, that are on the same surface. */
static void blur(const struct distances *d, bool columns, const float *from, float *to)
{
    enum { REACH = 4 };
    const long step = columns ? (long)d->width : 1, depth_step = columns ? (long)(d->width + 2 * d->margin) : 1;
    for (uint32_t y = 0; y < d->height; y++) {
        const float *row = row_of(d, y);
        for (uint32_t x = 0; x < d->width; x++) {
            const long at = columns ? y : x, most = columns ? d->height : d->width, here = (long)y * (long)d->width + x;
            const float near = 4 * d->texel * (d->perspective ? row[x] : 1);
            float sum = 0, count = 0;
            for (long k = -REACH; k <= REACH && row[x] < INFINITY; k++) {
                const bool is_same = at + k >= 0 && at + k < most &&
                                     fabsf(row[(long)x + k * depth_step] - row[x]) <= near * (float)(labs(k) + 1);
                sum += is_same ? from[here + k * step] : 0;
                count += is_same ? 1.0f : 0;
            }
            to[here] = count > 0 ? sum / count : 0;
        }
    }
}

void ambient_occlusion(const struct distances *d, uint8_t *light)
{
    const size_t count = (size_t)d->width * d->height;
    FREED float *hidden = memory_new(count, sizeof *hidden), *blurred = memory_new(count, sizeof *blurred);
    find_hidden(d, hidden);
    blur(d, false, hidden, blurred);
    blur(d, true, blurred, hidden);
    for (size_t i = 0; i < count; i++)
        light[i] = (uint8_t)(255 / (1 + 2.2f * hidden[i]) + 0.5f);
}

bool ambient_occlusion_prepare(struct frame *frame, struct error *err)
{
    const struct frame_settings *settings = frame->frame_settings;
    struct depth_map *map = &frame->renderer->depths;
    const vec4 *p = (const vec4 *)frame->projection;
    const double largest = fmax(settings->width, settings->height), by = fmin(OCCLUSION_SIZE / largest, 1);
    const double model = bounds_is_empty(&settings->framed) ? 0 : (double)bounds_radius(&settings->framed);
    struct distances d = {.width = (uint32_t)ceil(settings->width * by),
                          .height = (uint32_t)ceil(settings->height * by),
                          .perspective = settings->camera.fov_y > 0};
    double middle = d.perspective ? -(double)frame->view[3][2] : 1; /* how far away the model's is */
    if (frame->bindings || settings->view != VIEW_STUDIO)
        return true;
    for (int i = 0; d.perspective && i < 3; i++)
        middle -= (double)frame->view[i][2] * 0.5 * ((double)settings->framed.min[i] + (double)settings->framed.max[i]);
    d.texel = (float)(2 / ((double)p[1][1] * d.height));
    d.radius = middle > 0 ? (float)(model / (middle * (double)d.texel)) : 0;
    d.margin =
        (uint32_t)fmin(fmax(ceil((double)d.radius * (double)rings[RINGS - 1].radius * 1.35), 1), OCCLUSION_SIZE / 8);
    if (!depth_map_draw(frame, map, d.width, d.height, frame->scene_to_clip, DEPTH_OF_OPAQUE, err))
        return false;
    const uint32_t stride = d.width + 2 * d.margin;
    FREED float *at = memory_new((size_t)stride * (d.height + 2 * d.margin), sizeof *at);
    FREED uint8_t *light = memory_new((size_t)d.width * d.height, 1);
    for (size_t i = 0; i < (size_t)stride * (d.height + 2 * d.margin); i++)
        at[i] = INFINITY;
    for (uint32_t y = 0; y < d.height; y++)
        for (uint32_t x = 0; x < d.width; x++) {
            const uint32_t depth = map->depths[y * d.width + x];
            const double z = 2.0 * depth / NO_DEPTH - 1;
            if (depth != NO_DEPTH)
                at[(size_t)(y + d.margin) * stride + d.margin + x] =
                    (float)-(((double)p[3][2] - z * (double)p[3][3]) / (z * (double)p[2][3] - (double)p[2][2]));
        }
    d.at = at;
    ambient_occlusion(&d, light);
    depth_map_upload(map, UNIFORM_AMBIENT_OCCLUSION, light);
    map->scale[0] = (float)((double)d.width / settings->width / frame->factor);
    map->scale[1] = (float)((double)d.height / settings->height / frame->factor);
    return true;
}
