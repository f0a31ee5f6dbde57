#include "draw/frame/drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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
    drawing->renderer->context.gl.Flush();
}

bool drawing_read(struct drawing *drawing, struct error *err)
{
    struct renderer *renderer = drawing->renderer;
    const struct gl *gl = &renderer->context.gl;
    if (drawing->part.width == 0 || drawing->is_read)
        return true;
    renderer->under_way = NULL;
    if (!gl_context_use(&renderer->context, err))
        return false;
    target_read(&renderer->target, gl, &drawing->box, drawing->samples);
    drawing->is_read = true;
    return gl_check_errors(gl, "reading the picture", err);
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
