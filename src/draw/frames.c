#include <stdlib.h>
#include <string.h>

#include "draw/draw_list.h"
#include "draw/morph.h"
#include "draw/overlays.h"
#include "draw/resolve.h"
#include "draw/views.h"

/* Portable profile: 2x2 samples a pixel, see frame.c. */
enum { FACTOR = 2, LAYER_MEMORY = 64 << 20, BYTES_PER_SAMPLE = 8 /* colour and depth */ };

/* Frames of the sequence that are drawn at once. */
struct batch {
    size_t index; /* counted from the beginning of the part */
    size_t first;
    uint32_t count;
    const struct layered_target *target;
    struct viewpoint viewpoints[MOST_LAYERS];
    struct draw_list lists[MOST_LAYERS];
};

/*
 * A sequence being drawn. A part is what is uploaded together, several batches, which take turns with two targets: the
 * one is drawn to by llvmpipe's threads while the frames of the other are handed over.
 */
struct sequence {
    struct renderer *renderer;
    struct gpu_model *model;
    const struct frame_request *frames;
    size_t count;
    frame_taker *take;
    void *to;
    uint32_t layers; /* frames of a batch */
    struct batch batches[LAYERED_TARGETS];
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static struct draw_purpose purpose_of(const struct sequence *s)
{
    return (struct draw_purpose){.view = s->frames[0].shot.view, .layered = true};
}

/* ---- one batch --------------------------------------------------------------------------------------------- */

static bool prepare_batch(const struct sequence *s, struct batch *batch, struct error *err)
{
    const struct gl *gl = &s->renderer->context.gl;
    struct frame_uniforms uniforms[MOST_LAYERS] = {0};
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct frame_request *frame = &s->frames[batch->first + i];
        viewpoint_of(&frame->shot, &batch->viewpoints[i]);
        uniforms[i] = batch->viewpoints[i].uniforms;
        if (!draw_list_make(&batch->lists[i], s->model, frame->palette, &batch->viewpoints[i], purpose_of(s), err))
            return false;
    }
    if (!s->renderer->frame_block)
        gl->GenBuffers(1, &s->renderer->frame_block);
    gl->BindBuffer(GL_UNIFORM_BUFFER, s->renderer->frame_block);
    gl->BufferData(GL_UNIFORM_BUFFER, sizeof uniforms, uniforms, GL_STREAM_DRAW);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, FRAME_BLOCK, s->renderer->frame_block);
    return true;
}

static void use(const struct sequence *s, const struct batch *batch, const struct draw_item *item, uint32_t first)
{
    draw_use(s->model, item, &batch->viewpoints[first], purpose_of(s), batch->index);
    s->renderer->context.gl.Uniform1i(item->program->uniforms[UNIFORM_FIRST_FRAME], (GLint)first);
}

/* Which surface is the k-th from behind may differ from frame to frame: those that follow with the same go together. */
static void draw_blended_rank(const struct sequence *s, const struct batch *batch, uint32_t k)
{
    for (uint32_t first = 0, end; first < batch->count; first = end) {
        const struct draw_item *item = &batch->lists[first].items[k];
        for (end = first + 1; end < batch->count; end++) {
            const struct draw_item *other = &batch->lists[end].items[k];
            if (other->instance != item->instance || other->mirrored != item->mirrored)
                break;
        }
        use(s, batch, item, first);
        draw_blended(s->model, item, end - first);
    }
}

static void draw_surfaces(const struct sequence *s, const struct batch *batch)
{
    const struct gl *gl = &s->renderer->context.gl;
    const struct draw_list *list = &batch->lists[0];
    gl->BindFramebuffer(GL_FRAMEBUFFER, batch->target->framebuffer);
    gl->Viewport(0, 0, (GLsizei)batch->target->width, (GLsizei)batch->target->height);
    draw_begin(gl);
    for (uint32_t i = 0; i < list->opaque_count; i++) {
        use(s, batch, &list->items[i], 0);
        draw_opaque(s->model, &list->items[i], batch->count);
    }
    draw_begin_blended(gl);
    for (uint32_t k = list->opaque_count; k < list->count; k++)
        draw_blended_rank(s, batch, k);
}

/* What is over the picture belongs to one frame. */
static bool draw_overlays(const struct sequence *s, const struct frame_request *frame,
                          const struct viewpoint *viewpoint, struct error *err)
{
    struct marks marks = {0};
    const struct overlaid overlaid = {.renderer = s->renderer, .model = s->model, .palette = frame->palette,
                                      .pose = frame->pose, .shot = &frame->shot, .view = viewpoint->view,
                                      .scene_to_clip = viewpoint->uniforms.scene_to_clip};
    bool good = overlays_prepare(&overlaid, &marks, err) && overlays_draw(s->renderer, s->model->shaders, &marks, err);
    marks_release(&marks);
    return good;
}

static bool hand_over(const struct sequence *s, const struct batch *batch, uint32_t layer, struct error *err)
{
    const struct frame_request *frame = &s->frames[batch->first + layer];
    const struct shot *shot = &frame->shot;
    struct image image;
    layered_target_bind(batch->target, &s->renderer->context.gl, layer);
    if (!draw_overlays(s, frame, &batch->viewpoints[layer], err) || !image_create(&image, shot->width, shot->height, err))
        return false;
    layered_target_read(batch->target, &s->renderer->context.gl, s->renderer->samples);
    resolve_samples(s->renderer->samples, shot->width, shot->height, FACTOR, shot->background, image.rgba,
                    4 * (size_t)shot->width);
    if (!gl_check_errors(&s->renderer->context.gl, "drawing", err)) {
        image_release(&image);
        return false;
    }
    return s->take(s->to, batch->first + layer, &image, err);
}

/* What is drawn is not waited for. */
static bool start_batch(const struct sequence *s, struct batch *batch, struct error *err)
{
    bool good = prepare_batch(s, batch, err);
    if (good)
        draw_surfaces(s, batch);
    for (uint32_t i = 0; i < batch->count; i++)
        draw_list_release(&batch->lists[i]);
    return good;
}

static bool finish_batch(const struct sequence *s, const struct batch *batch, struct error *err)
{
    bool good = true;
    for (uint32_t layer = 0; good && layer < batch->count; layer++)
        good = hand_over(s, batch, layer, err);
    return good;
}

/* ---- the sequence ------------------------------------------------------------------------------------------ */

static bool draw_batches(struct sequence *s, size_t first, size_t count, struct error *err)
{
    const struct batch *before = NULL;
    bool good = true;
    for (size_t i = 0; good && i * s->layers < count; i++) {
        struct batch *batch = &s->batches[i % LAYERED_TARGETS];
        batch->index = i;
        batch->first = first + i * s->layers;
        batch->count = (uint32_t)smaller(s->layers, count - i * s->layers);
        batch->target = &s->renderer->layers[i % LAYERED_TARGETS];
        good = start_batch(s, batch, err) && (!before || finish_batch(s, before, err));
        before = batch;
    }
    return good && finish_batch(s, before, err);
}

static bool draw_part(struct sequence *s, size_t first, size_t count, struct error *err)
{
    const struct palette **palettes = calloc(count, sizeof *palettes);
    if (!palettes)
        return error_set_code(err, EXIT_CODE_DIFFERS, "a sequence of %zu frames: out of memory", count);
    for (size_t i = 0; i < count; i++)
        palettes[i] = s->frames[first + i].palette;
    bool good = views_prepare(s->renderer, s->model->scene, &s->frames[0].shot, err) &&
                gpu_model_upload_palettes(s->model, palettes, count, s->layers, err);
    free(palettes);
    return good && draw_batches(s, first, count, err);
}

/* Frames whose palettes and weights can be uploaded together. */
static size_t most_uploaded(const struct renderer *renderer, const struct gpu_model *model)
{
    return smaller(palette_store_frames(&renderer->palette, model->scene, &model->feed),
                   morph_frames(renderer, model->scene));
}

/* As many as the path and the memory for pixels hold, in batches of much the same size. */
static uint32_t choose_layers(const struct renderer *renderer, const struct gpu_model *model, const struct shot *shot,
                              size_t count)
{
    size_t each = (size_t)shot->width * shot->height * FACTOR * FACTOR * BYTES_PER_SAMPLE;
    size_t most = smaller(LAYER_MEMORY / each, MOST_LAYERS);
    most = smaller(most, palette_store_layers(&renderer->palette, model->scene, &model->feed));
    most = smaller(most, smaller(most_uploaded(renderer, model), count));
    if (most < 2)
        return 1;
    size_t batches = (count + most - 1) / most;
    return (uint32_t)((count + batches - 1) / batches);
}

static bool draw_layered(struct sequence *s, struct error *err)
{
    size_t part = most_uploaded(s->renderer, s->model) / s->layers * s->layers; /* a batch at least: choose_layers() */
    bool good = true;
    for (size_t first = 0; good && first < s->count; first += part)
        good = draw_part(s, first, smaller(part, s->count - first), err);
    return good;
}

static bool draw_one_by_one(const struct sequence *s, struct error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct frame_request *frame = &s->frames[i];
        struct image image;
        if (!draw_frame(s->renderer, s->model, frame->palette, frame->pose, &frame->shot, &image, err) ||
            !s->take(s->to, i, &image, err))
            return false;
    }
    return true;
}

/* The user's shaders know of one frame. */
static bool can_layer(const struct renderer *renderer, const struct gpu_model *model, const struct shot *shot)
{
    return renderer->has_layers && !model->shaders && shot->profile == PROFILE_PORTABLE && !(shot->overlays & OVERLAY_WIREFRAME) &&
           shot->width >= 1 && shot->width <= renderer->tile && shot->height >= 1 && shot->height <= renderer->tile;
}

static bool prepare_targets(struct renderer *renderer, const struct shot *shot, uint32_t layers)
{
    const struct gl *gl = &renderer->context.gl;
    struct error ignored = {0};
    uint32_t width = shot->width * FACTOR, height = shot->height * FACTOR;
    bool good = renderer_make_room(renderer, width, height, &ignored);
    for (int i = 0; i < LAYERED_TARGETS; i++)
        good = good && layered_target_prepare(&renderer->layers[i], gl, width, height, layers);
    return good;
}

bool draw_frames(struct renderer *renderer, struct gpu_model *model, const struct frame_request *frames, size_t count,
                 frame_taker *take, void *to, struct error *err)
{
    if (count == 0)
        return true;
    const struct shot *shot = &frames[0].shot;
    struct sequence *s = calloc(1, sizeof *s);
    if (!s)
        return error_set_code(err, EXIT_CODE_DIFFERS, "a sequence of %zu frames: out of memory", count);
    *s = (struct sequence){.renderer = renderer, .model = model, .frames = frames, .count = count, .take = take, .to = to};
    bool good = gl_context_use(&renderer->context, err);
    if (good) {
        const struct gl *gl = &renderer->context.gl;
        gl_clear_errors(gl);
        s->layers = can_layer(renderer, model, shot) ? choose_layers(renderer, model, shot, count) : 1;
        good = s->layers > 1 && prepare_targets(renderer, shot, s->layers) ? draw_layered(s, err) : draw_one_by_one(s, err);
    }
    free(s);
    return good;
}
