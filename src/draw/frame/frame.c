#include <stdlib.h>

#include "draw/frame/draw_list.h"
#include "draw/frame/resolve.h"
#include "draw/frame/views.h"
#include "draw/overlay/overlays.h"

/* What is the same for all tiles of a frame. */
struct frame {
    struct renderer *renderer;
    struct gpu_model *model;
    const struct frame_settings *frame_settings;
    struct image *picture;   /* what is made: this ... */
    uint32_t *bindings;      /* ... or this: draw_bone_identity */
    struct viewpoint viewpoint;
    unsigned factor;         /* supersamples a pixel, along an edge */
    int samples;             /* multisamples a framebuffer pixel */
    struct draw_list list;
    struct primitives primitives;
};

static struct draw_purpose purpose_of(const struct frame *frame)
{
    return (struct draw_purpose){.view = frame->frame_settings->view, .identity = frame->bindings != NULL};
}

/* ---- one tile ---------------------------------------------------------------------------------------------- */

/* A rectangle of the image in pixels, y down. */
struct tile {
    uint32_t x, y, width, height;
};

/*
 * The viewport is the whole image's, shifted so that the tile comes to lie in the framebuffer: projection and clipping
 * are the same for every tile, and triangles meet at the seams.
 */
static void set_viewport(const struct frame *frame, const struct tile *tile)
{
    uint32_t below = frame->frame_settings->height - tile->y - tile->height;
    GLint factor = (GLint)frame->factor;
    frame->renderer->context.gl.Viewport(-(GLint)tile->x * factor, -(GLint)below * factor,
                                         (GLsizei)frame->frame_settings->width * factor,
                                         (GLsizei)frame->frame_settings->height * factor);
}

static void draw_surfaces(const struct frame *frame)
{
    const struct draw_list *list = &frame->list;
    draw_begin(&frame->renderer->context.gl);
    for (uint32_t i = 0; i < list->opaque_count; i++) {
        draw_use(frame->model, &list->items[i], &frame->viewpoint, purpose_of(frame));
        draw_opaque(frame->model, &list->items[i]);
    }
    draw_begin_blended(&frame->renderer->context.gl);
    for (uint32_t i = list->opaque_count; i < list->count; i++) {
        draw_use(frame->model, &list->items[i], &frame->viewpoint, purpose_of(frame));
        draw_blended(frame->model, &list->items[i]);
    }
}

static void keep_tile(const struct frame *frame, const struct tile *tile)
{
    const uint8_t *samples = frame->renderer->samples;
    size_t stride = frame->frame_settings->width, first = tile->y * stride + tile->x;
    if (frame->bindings)
        resolve_numbers(samples, tile->width, tile->height, frame->bindings + first, stride);
    else
        resolve_samples(samples, tile->width, tile->height, frame->factor, frame->frame_settings->background,
                        frame->picture->rgba + first * 4, stride * 4);
}

static bool draw_tile(const struct frame *frame, const struct tile *tile, struct error *err)
{
    struct renderer *renderer = frame->renderer;
    const struct gl *gl = &renderer->context.gl;
    gl->BindFramebuffer(GL_FRAMEBUFFER, renderer->target.framebuffer);
    set_viewport(frame, tile);
    draw_surfaces(frame);
    if (!overlays_draw(renderer, frame->model->shaders, &frame->primitives, err))
        return false;
    target_read(&renderer->target, gl, tile->width * frame->factor, tile->height * frame->factor, renderer->samples);
    keep_tile(frame, tile);
    return true;
}

/* ---- a frame ----------------------------------------------------------------------------------------------- */

/* Beside the palette. What runs shaders of its own does so here, before anything is drawn. */
static bool prepare_extras(struct frame *frame, const struct palette *palette, const struct pose *pose,
                           struct error *err)
{
    const struct overlaid overlaid = {.renderer = frame->renderer,
                                      .model = frame->model,
                                      .palette = palette,
                                      .pose = pose,
                                      .frame_settings = frame->frame_settings,
                                      .view = frame->viewpoint.view,
                                      .scene_to_clip = frame->viewpoint.scene_to_clip};
    if (frame->bindings)
        return true;
    return overlays_prepare(&overlaid, &frame->primitives, err) &&
           views_prepare(frame->renderer, frame->model->scene, frame->frame_settings, err);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Room for what is read back of a tile. */
static bool make_room(struct renderer *renderer, uint32_t width, uint32_t height, struct error *err)
{
    size_t size = (size_t)width * height * 4;
    if (size <= renderer->samples_size)
        return true;
    free(renderer->samples);
    renderer->samples = malloc(size);
    renderer->samples_size = renderer->samples ? size : 0;
    return renderer->samples ||
           error_set_code(err, EXIT_CODE_DIFFERS, "reading back %ux%u pixels: out of memory", width, height);
}

static bool prepare_target(const struct frame *frame, struct error *err)
{
    struct renderer *renderer = frame->renderer;
    uint32_t width = smaller(frame->frame_settings->width, renderer->tile) * frame->factor;
    uint32_t height = smaller(frame->frame_settings->height, renderer->tile) * frame->factor;
    return make_room(renderer, width, height, err) &&
           target_prepare(&renderer->target, &renderer->context.gl, width, height, frame->samples, err);
}

static bool draw_tiles(const struct frame *frame, struct error *err)
{
    const struct frame_settings *frame_settings = frame->frame_settings;
    uint32_t edge = frame->renderer->tile;
    for (uint32_t y = 0; y < frame_settings->height; y += edge)
        for (uint32_t x = 0; x < frame_settings->width; x += edge) {
            struct tile tile = {x, y, smaller(edge, frame_settings->width - x),
                                smaller(edge, frame_settings->height - y)};
            if (!draw_tile(frame, &tile, err))
                return false;
        }
    return gl_check_errors(&frame->renderer->context.gl, "drawing", err);
}

static void choose_sampling(struct frame *frame)
{
    enum { MULTISAMPLES = 4 };
    bool multisample =
        frame->frame_settings->profile == PROFILE_NATIVE && frame->renderer->info.max_samples >= MULTISAMPLES;
    frame->factor = multisample ? 1 : 2;
    frame->samples = multisample ? MULTISAMPLES : 1;
}

static bool check_size(const struct frame_settings *frame_settings, struct error *err)
{
    if (frame_settings->width >= 1 && frame_settings->width <= FRAME_MAX_SIZE && frame_settings->height >= 1 &&
        frame_settings->height <= FRAME_MAX_SIZE)
        return true;
    return error_set(err, "size %ux%u: each side must be 1 to %d pixels", frame_settings->width, frame_settings->height,
                     FRAME_MAX_SIZE);
}

/* Size, context; what was noted by GL before is forgotten. */
static bool begin(struct renderer *renderer, const struct frame_settings *frame_settings, struct error *err)
{
    if (!check_size(frame_settings, err) || !gl_context_use(&renderer->context, err))
        return false;
    gl_clear_errors(&renderer->context.gl);
    return true;
}

static bool draw(struct frame *frame, const struct palette *palette, const struct pose *pose, struct error *err)
{
    viewpoint_of(frame->frame_settings, &frame->viewpoint);
    bool good = prepare_extras(frame, palette, pose, err) && gpu_model_upload_palette(frame->model, palette, err) &&
                draw_list_make(&frame->list, frame->model, palette, &frame->viewpoint, purpose_of(frame), err) &&
                prepare_target(frame, err) && draw_tiles(frame, err);
    draw_list_release(&frame->list);
    primitives_release(&frame->primitives);
    return good;
}

bool draw_frame(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                const struct pose *pose, const struct frame_settings *frame_settings, struct image *out,
                struct error *err)
{
    *out = (struct image){0};
    if (!begin(renderer, frame_settings, err))
        return false;
    struct frame frame = {.renderer = renderer, .model = model, .frame_settings = frame_settings, .picture = out};
    choose_sampling(&frame);
    bool good =
        image_create(out, frame_settings->width, frame_settings->height, err) && draw(&frame, palette, pose, err);
    if (!good)
        image_release(out);
    return good;
}

static bool draw_identity(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                          const struct frame_settings *frame_settings, uint32_t *out, struct error *err)
{
    enum { MOST_BINDINGS = (1 << 24) - 1 };
    if (!begin(renderer, frame_settings, err))
        return false;
    if (model->scene->binding_count > MOST_BINDINGS)
        return error_set_code(err, EXIT_CODE_DIFFERS, "bone identity: %u bindings, the limit is %d",
                              model->scene->binding_count, MOST_BINDINGS);
    struct frame frame = {.renderer = renderer,
                          .model = model,
                          .frame_settings = frame_settings,
                          .bindings = out,
                          .factor = 1,
                          .samples = 1};
    return draw(&frame, palette, NULL, err);
}

bool draw_bone_identity(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                        const struct frame_settings *frame_settings, uint32_t *out, struct error *err)
{
    struct shader_set *shaders = model->shaders;
    if (!shaders)
        return draw_identity(renderer, model, palette, frame_settings, out, err);
    const struct upload_format upload_format = model->upload_format;
    bool good = gpu_model_set_upload(model, &upload_format, NULL, err) &&
                draw_identity(renderer, model, palette, frame_settings, out, err);
    return gpu_model_set_upload(model, &upload_format, shaders, err) && good;
}
