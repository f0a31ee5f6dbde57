#include <stdlib.h>
#include <string.h>

#include "draw/draw_list.h"
#include "draw/morph.h"
#include "draw/overlays.h"
#include "draw/resolve.h"
#include "draw/views.h"

/* Portable profile: 2x2 samples a pixel, see frame.c. */
enum { FACTOR = 2, LAYER_MEMORY = 128 << 20, BYTES_PER_SAMPLE = 8 /* colour and depth */ };

/* A sequence being drawn. A batch is what one target holds; a part what is uploaded together, several batches. */
struct sequence {
    struct renderer *renderer;
    struct gpu_model *model;
    const struct frame_request *frames;
    size_t count;
    frame_taker *take;
    void *to;
    uint32_t layers; /* frames of a batch */
    struct viewpoint viewpoints[MOST_LAYERS]; /* of the batch at hand */
    struct draw_list lists[MOST_LAYERS];
};

/* Frames of the sequence: `batch` counts from the beginning of the part. */
struct batch {
    size_t index, first;
    uint32_t count;
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

static bool prepare_batch(struct sequence *s, const struct batch *batch, struct error *err)
{
    const struct gl *gl = &s->renderer->context.gl;
    struct frame_uniforms uniforms[MOST_LAYERS] = {0};
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct frame_request *frame = &s->frames[batch->first + i];
        viewpoint_of(&frame->shot, &s->viewpoints[i]);
        uniforms[i] = s->viewpoints[i].uniforms;
        if (!draw_list_make(&s->lists[i], s->model, frame->palette, &s->viewpoints[i], purpose_of(s), err))
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
    draw_use(s->model, item, &s->viewpoints[first], purpose_of(s), batch->index);
    s->renderer->context.gl.Uniform1i(item->program->uniforms[UNIFORM_FIRST_FRAME], (GLint)first);
}

/* Which surface is the k-th from behind may differ from frame to frame: those that follow with the same go together. */
static void draw_blended_rank(const struct sequence *s, const struct batch *batch, uint32_t k)
{
    for (uint32_t first = 0, end; first < batch->count; first = end) {
        const struct draw_item *item = &s->lists[first].items[k];
        for (end = first + 1; end < batch->count; end++) {
            const struct draw_item *other = &s->lists[end].items[k];
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
    const struct draw_list *list = &s->lists[0];
    gl->BindFramebuffer(GL_FRAMEBUFFER, s->renderer->layers.framebuffer);
    gl->Viewport(0, 0, (GLsizei)s->renderer->layers.width, (GLsizei)s->renderer->layers.height);
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
    bool good = overlays_prepare(&overlaid, &marks, err) && overlays_draw(s->renderer, &marks, err);
    marks_release(&marks);
    return good;
}

static bool hand_over(const struct sequence *s, const struct batch *batch, uint32_t layer, struct error *err)
{
    const struct frame_request *frame = &s->frames[batch->first + layer];
    const struct shot *shot = &frame->shot;
    struct image image;
    layered_target_bind(&s->renderer->layers, &s->renderer->context.gl, layer);
    if (!draw_overlays(s, frame, &s->viewpoints[layer], err) || !image_create(&image, shot->width, shot->height, err))
        return false;
    layered_target_read(&s->renderer->layers, &s->renderer->context.gl, s->renderer->samples);
    resolve_samples(s->renderer->samples, shot->width, shot->height, FACTOR, shot->background, image.rgba,
                    4 * (size_t)shot->width);
    if (!gl_check_errors(&s->renderer->context.gl, "drawing", err)) {
        image_release(&image);
        return false;
    }
    return s->take(s->to, batch->first + layer, &image, err);
}

static bool draw_batch(struct sequence *s, const struct batch *batch, struct error *err)
{
    memset(s->lists, 0, sizeof s->lists);
    bool good = prepare_batch(s, batch, err);
    if (good)
        draw_surfaces(s, batch);
    for (uint32_t layer = 0; good && layer < batch->count; layer++)
        good = hand_over(s, batch, layer, err);
    for (uint32_t i = 0; i < batch->count; i++)
        draw_list_release(&s->lists[i]);
    return good;
}

/* ---- the sequence ------------------------------------------------------------------------------------------ */

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
    for (size_t i = 0; good && i < count; i += s->layers) {
        struct batch batch = {.index = i / s->layers, .first = first + i,
                              .count = (uint32_t)smaller(s->layers, count - i)};
        good = draw_batch(s, &batch, err);
    }
    return good;
}

/* As many as the path and the memory for pixels hold, in batches of much the same size. */
static uint32_t choose_layers(const struct renderer *renderer, const struct gpu_model *model, const struct shot *shot,
                              size_t count)
{
    size_t each = (size_t)shot->width * shot->height * FACTOR * FACTOR * BYTES_PER_SAMPLE;
    size_t most = smaller(LAYER_MEMORY / each, MOST_LAYERS);
    most = smaller(most, palette_store_layers(&renderer->palette, model->scene, &model->feed));
    most = smaller(most, count);
    if (most < 2)
        return 1;
    size_t batches = (count + most - 1) / most;
    return (uint32_t)((count + batches - 1) / batches);
}

static size_t frames_of_part(const struct sequence *s)
{
    size_t most = smaller(palette_store_frames(&s->renderer->palette, s->model->scene, &s->model->feed),
                          morph_frames(s->renderer, s->model->scene));
    return most < s->layers ? s->layers : most / s->layers * s->layers;
}

static bool draw_layered(struct sequence *s, struct error *err)
{
    size_t part = frames_of_part(s);
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

static bool can_layer(const struct renderer *renderer, const struct shot *shot)
{
    return renderer->has_layers && shot->profile == PROFILE_PORTABLE && !(shot->overlays & OVERLAY_WIREFRAME) &&
           shot->width >= 1 && shot->width <= renderer->tile && shot->height >= 1 && shot->height <= renderer->tile;
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
        s->layers = can_layer(renderer, shot) ? choose_layers(renderer, model, shot, count) : 1;
        bool layered = s->layers > 1 && renderer_make_room(renderer, shot->width * FACTOR, shot->height * FACTOR, err) &&
                       layered_target_prepare(&renderer->layers, gl, shot->width * FACTOR, shot->height * FACTOR, s->layers);
        good = layered ? draw_layered(s, err) : draw_one_by_one(s, err);
    }
    free(s);
    return good;
}
