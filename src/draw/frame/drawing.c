#include "draw/renderer/frame_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- pixels of what was read back -------------------------------------------------------------------------------- */

/* A pixel whose 2x2 samples are all empty is the background, one with all opaque their mean. False for any other. */
static bool resolve_uniform(uint64_t upper, uint64_t lower, const uint8_t background[4], uint8_t out[4])
{
    static const uint8_t opaque[8] = {0, 0, 0, 255, 0, 0, 0, 255};
    const uint64_t mask = pair_at(opaque);
    if ((upper | lower) == 0)
        memcpy(out, background, 4);
    if ((upper & lower & mask) != mask)
        return (upper | lower) == 0;
    const uint32_t mean = mean_of_block(upper, lower);
    memcpy(out, &mean, 4);
    return true;
}

/* Sums of samples stay under 2^27. A pixel that nothing was drawn to is a case of its own, as its alpha may be 0. */
void resolve_samples(const uint8_t *samples, uint32_t width, uint32_t height, unsigned factor,
                     const uint8_t background[4], uint8_t *out, size_t out_stride)
{
    const uint32_t full = 255 * factor * factor; /* the sum that means 1.0 */
    size_t stride = (size_t)width * factor * 4;
    for (uint32_t y = 0; y < height; y++, out += out_stride) {
        const uint8_t *lower = samples + (size_t)(height - 1 - y) * factor * stride, *upper = lower + stride;
        for (uint32_t x = 0; x < width; x++, lower += 4 * factor, upper += 4 * factor) {
            if (factor == 2 && resolve_uniform(pair_at(upper), pair_at(lower), background, out + 4 * (size_t)x))
                continue;
            uint32_t sum[4] = {lower[0], lower[1], lower[2], lower[3]};
            for (int c = 0; c < 4 && factor == 2; c++)
                sum[c] = (uint32_t)upper[c] + upper[c + 4] + lower[c] + lower[c + 4];
            uint32_t behind = (full - sum[3]) * background[3]; /* what the background adds: of 255 * full */
            uint32_t alpha = 255 * sum[3] + behind;            /* of 255 * full */
            uint8_t *pixel = out + 4 * (size_t)x;
            if (sum[3] == 0) {
                memcpy(pixel, background, 4);
                continue;
            }
            for (int c = 0; c < 3; c++) {
                uint32_t value = (255 * 255 * sum[c] + behind * background[c] + alpha / 2) / alpha;
                pixel[c] = (uint8_t)(value > 255 ? 255 : value);
            }
            pixel[3] = (uint8_t)((alpha + full / 2) / full);
        }
    }
}

void resolve_numbers(const uint8_t *samples, uint32_t width, uint32_t height, uint32_t *out, size_t out_stride)
{
    for (uint32_t y = 0; y < height; y++, out += out_stride) {
        const uint8_t *sample = samples + (size_t)(height - 1 - y) * width * 4;
        for (uint32_t x = 0; x < width; x++, sample += 4)
            out[x] = sample[0] | (uint32_t)sample[1] << 8 | (uint32_t)sample[2] << 16;
    }
}

/* ---- the drawing ------------------------------------------------------------------------------------------------- */

struct drawing *drawing_create(const struct frame *frame)
{
    const struct frame_settings *settings = frame->frame_settings;
    struct drawing *drawing = memory_new(1, sizeof *drawing);
    *drawing = (struct drawing){.renderer = frame->renderer, .width = settings->width, .height = settings->height,
                                .factor = frame->factor, .bindings = frame->bindings};
    memcpy(drawing->background, settings->background, 4);
    return drawing;
}

void drawing_drop(struct drawing *drawing)
{
    struct renderer *renderer = drawing->renderer;
    if (renderer->under_way == drawing)
        renderer->under_way = NULL;
    if (renderer->samples)
        free(drawing->samples);
    else
        renderer->samples = drawing->samples;
    image_release(&drawing->picture);
    free(drawing);
}

void drawing_put(struct drawing *drawing, const struct rectangle *part, const struct rectangle *box)
{
    drawing->part = *part;
    drawing->box = *box;
    drawing->is_read = false;
    drawing->renderer->under_way = drawing;
    gl->Flush();
}

bool drawing_read(struct drawing *drawing, struct error *err)
{
    struct renderer *renderer = drawing->renderer;
    if (drawing->part.width == 0 || drawing->is_read)
        return true;
    renderer->under_way = NULL;
    if (!gl_context_use(&renderer->context, err))
        return false;
    target_read(&renderer->target, &drawing->box, drawing->samples);
    drawing->is_read = true;
    return gl_check_errors("reading the picture", err);
}

/* The background. */
static bool begin_picture(struct drawing *drawing, struct error *err)
{
    uint32_t pixel;
    memcpy(&pixel, drawing->background, sizeof pixel);
    if (drawing->picture.rgba)
        return true;
    if (!image_create(&drawing->picture, drawing->width, drawing->height, err))
        return false;
    for (size_t i = 0; i < (size_t)drawing->width * drawing->height; i++)
        memcpy(drawing->picture.rgba + 4 * i, &pixel, sizeof pixel);
    return true;
}

bool drawing_take(struct drawing *drawing, struct error *err)
{
    const struct rectangle *part = &drawing->part;
    const size_t stride = drawing->width, first = part->y * stride + part->x;
    if (part->width == 0)
        return true;
    if (!drawing_read(drawing, err) || (!drawing->bindings && !begin_picture(drawing, err)))
        return false;
    if (drawing->bindings)
        resolve_numbers(drawing->samples, part->width, part->height, drawing->bindings + first, stride);
    else
        resolve_samples(drawing->samples, part->width, part->height, drawing->factor, drawing->background,
                        drawing->picture.rgba + first * 4, stride * 4);
    drawing->part.width = 0;
    return true;
}

bool drawing_end(struct drawing *drawing, struct image *out, struct error *err)
{
    struct renderer *renderer = drawing->renderer;
    const bool good = drawing_take(drawing, err) && begin_picture(drawing, err);
    snprintf(renderer->why_empty, sizeof renderer->why_empty, "%s", good && !drawing->shows ? drawing->why_empty : "");
    *out = (struct image){0};
    if (good) {
        *out = drawing->picture;
        drawing->picture = (struct image){0};
    }
    drawing_drop(drawing);
    return good;
}
