#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/camera.h"
#include "draw/overlays.h"
#include "draw/resolve.h"
#include "draw/views.h"

struct draw_item {
    uint32_t instance;
    double depth;  /* along the camera's view; blended ones are drawn by falling depth */
    bool mirrored; /* most of its matrices turn triangles inside out */
    const struct program *program;
};

/* What is the same for all tiles of a frame. */
struct frame {
    struct renderer *renderer;
    struct gpu_model *model;
    const struct shot *shot;
    struct image *picture;   /* what is made: this ... */
    uint32_t *bindings;      /* ... or this: draw_bone_identity */
    mat4 view;
    mat4 scene_to_clip;
    unsigned factor;         /* supersamples a pixel, along an edge */
    int samples;             /* multisamples a framebuffer pixel */
    struct draw_item *items; /* opaque ones in the scene's order, then the blended ones */
    uint32_t opaque_count;
    uint32_t item_count;
    float nearness[4];       /* of the view `depth` */
    struct marks marks;
};

/* ---- what to draw ------------------------------------------------------------------------------------------ */

static enum alpha_mode alpha_in_frame(const struct frame *frame, const struct material *material)
{
    if (material->alpha_mode != ALPHA_BLEND)
        return material->alpha_mode;
    if (frame->bindings)
        return ALPHA_MASK;
    return frame->shot->view <= VIEW_UNLIT ? ALPHA_BLEND : ALPHA_OPAQUE; /* numbers are not mixed */
}

static const struct material *material_of(const struct gpu_model *model, uint32_t instance)
{
    const struct scene *scene = model->scene;
    return &scene->materials[scene->meshes[scene->instances[instance].mesh].material];
}

static const struct program *program_of(struct frame *frame, uint32_t instance, struct error *err)
{
    const struct material *material = material_of(frame->model, instance);
    const struct gpu_mesh *mesh = &frame->model->meshes[frame->model->scene->instances[instance].mesh];
    const struct program_key key = {
        .shaders = frame->model->shaders,
        .kind = frame->bindings ? PROGRAM_IDENTITY : PROGRAM_PICTURE,
        .feed = frame->model->feed,
        .view = frame->shot->view,
        .influences = mesh->influences,
        .morphs = mesh->mesh->target_count > 0,
        .alpha = alpha_in_frame(frame, material),
        .textured = material->base_texture != NO_INDEX,
        .two_sided = material->two_sided,
    };
    return programs_get(&frame->renderer->programs, &frame->renderer->context.gl, &key, err);
}

static double depth_of(const struct frame *frame, const struct palette *palette, uint32_t instance)
{
    double c[3], depth = -(double)frame->view[3][2];
    gpu_model_centroid(frame->model, palette, instance, c);
    for (int i = 0; i < 3; i++)
        depth -= frame->view[i][2] * c[i];
    return isfinite(depth) ? depth : 0;
}

static bool is_mirrored(const struct frame *frame, const struct palette *palette, uint32_t instance)
{
    const struct instance *where = &frame->model->scene->instances[instance];
    uint32_t mirrored = 0;
    for (uint32_t b = 0; b < where->binding_count; b++)
        mirrored += affine_determinant(palette->mesh_to_scene[where->first_binding + b]) < 0;
    return 2 * mirrored > where->binding_count;
}

static int compare_depth(const void *a, const void *b)
{
    const struct draw_item *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    return x->instance < y->instance ? -1 : x->instance > y->instance;
}

static bool list_items(struct frame *frame, const struct palette *palette, struct error *err)
{
    const struct scene *scene = frame->model->scene;
    frame->items = calloc(scene->instance_count + 1u, sizeof *frame->items);
    if (!frame->items)
        return error_set_code(err, EXIT_CODE_DIFFERS, "drawing: out of memory");
    for (int blended = 0; blended < 2; blended++) {
        for (uint32_t i = 0; i < scene->instance_count; i++) {
            bool blends = alpha_in_frame(frame, material_of(frame->model, i)) == ALPHA_BLEND;
            if (blends != (blended == 1) || scene->meshes[scene->instances[i].mesh].triangle_count == 0)
                continue;
            struct draw_item *item = &frame->items[frame->item_count++];
            item->instance = i;
            item->depth = depth_of(frame, palette, i);
            item->mirrored = is_mirrored(frame, palette, i);
            item->program = program_of(frame, i, err);
            if (!item->program)
                return false;
        }
        if (!blended)
            frame->opaque_count = frame->item_count;
    }
    qsort(frame->items + frame->opaque_count, frame->item_count - frame->opaque_count, sizeof *frame->items,
          compare_depth);
    return true;
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
    uint32_t below = frame->shot->height - tile->y - tile->height;
    GLint factor = (GLint)frame->factor;
    frame->renderer->context.gl.Viewport(-(GLint)tile->x * factor, -(GLint)below * factor,
                                         (GLsizei)frame->shot->width * factor, (GLsizei)frame->shot->height * factor);
}

/* The lights of lit.frag as the camera sees them: to the right, up, towards it. Unit vectors. */
static const struct {
    enum uniform uniform;
    float direction[3];
} light_rig[] = {
    {UNIFORM_KEY_DIRECTION, {-0.4867f, 0.6489f, 0.5840f}},
    {UNIFORM_FILL_DIRECTION, {0.7809f, 0.0976f, 0.6169f}},
    {UNIFORM_RIM_DIRECTION, {0.5571f, 0.4642f, -0.6886f}},
    {UNIFORM_SKY_DIRECTION, {0, 1, 0}},
};

static void set_lights(const struct frame *frame, const GLint *uniforms)
{
    for (size_t i = 0; i < sizeof light_rig / sizeof light_rig[0]; i++) {
        const float *d = light_rig[i].direction;
        float in_scene[3];
        for (int c = 0; c < 3; c++)
            in_scene[c] = frame->view[c][0] * d[0] + frame->view[c][1] * d[1] + frame->view[c][2] * d[2];
        frame->renderer->context.gl.Uniform3fv(uniforms[light_rig[i].uniform], 1, in_scene);
    }
}

static void draw_triangles(const struct frame *frame, const struct draw_item *item)
{
    const struct scene *scene = frame->model->scene;
    uint32_t triangles = scene->meshes[scene->instances[item->instance].mesh].triangle_count;
    frame->renderer->context.gl.DrawElements(GL_TRIANGLES, (GLsizei)(3 * triangles), GL_UNSIGNED_INT, NULL);
}

/* The far side of a blended surface first, then the near one; each triangle is in one of the two. */
static void draw_far_then_near(const struct frame *frame, const struct draw_item *item)
{
    const struct gl *gl = &frame->renderer->context.gl;
    gl->Enable(GL_CULL_FACE);
    gl->CullFace(item->mirrored ? GL_BACK : GL_FRONT);
    draw_triangles(frame, item);
    gl->CullFace(item->mirrored ? GL_FRONT : GL_BACK);
    draw_triangles(frame, item);
    gl->Disable(GL_CULL_FACE);
}

static void use_item(const struct frame *frame, const struct draw_item *item)
{
    const struct gl *gl = &frame->renderer->context.gl;
    const GLint *uniforms = item->program->uniforms;
    gl->UseProgram(item->program->id);
    gl->UniformMatrix4fv(uniforms[UNIFORM_SCENE_TO_CLIP], 1, GL_FALSE, frame->scene_to_clip[0]);
    gl->Uniform4fv(uniforms[UNIFORM_NEARNESS], 1, frame->nearness);
    set_lights(frame, uniforms);
    gpu_model_bind(frame->model, item->instance, item->program);
    if (frame->bindings && material_of(frame->model, item->instance)->alpha_mode == ALPHA_BLEND)
        gl->Uniform1f(uniforms[UNIFORM_ALPHA_CUTOFF], 1.0f / 255);
}

static void draw_items(const struct frame *frame)
{
    const struct gl *gl = &frame->renderer->context.gl;
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthFunc(GL_LESS);
    gl->DepthMask(GL_TRUE);
    gl->Disable(GL_BLEND);
    gl->Disable(GL_CULL_FACE); /* surface.glsl discards what is not to be seen: mirrored bones turn the winding */
    gl->ClearColor(0, 0, 0, 0);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (uint32_t i = 0; i < frame->opaque_count; i++) {
        use_item(frame, &frame->items[i]);
        draw_triangles(frame, &frame->items[i]);
    }
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA); /* premultiplied, alpha included */
    gl->DepthMask(GL_FALSE);
    for (uint32_t i = frame->opaque_count; i < frame->item_count; i++) {
        use_item(frame, &frame->items[i]);
        draw_far_then_near(frame, &frame->items[i]);
    }
}

static void keep_tile(const struct frame *frame, const struct tile *tile)
{
    const uint8_t *samples = frame->renderer->samples;
    size_t stride = frame->shot->width, first = tile->y * stride + tile->x;
    if (frame->bindings)
        resolve_numbers(samples, tile->width, tile->height, frame->bindings + first, stride);
    else
        resolve_samples(samples, tile->width, tile->height, frame->factor, frame->shot->background,
                        frame->picture->rgba + first * 4, stride * 4);
}

static bool draw_tile(const struct frame *frame, const struct tile *tile, struct error *err)
{
    struct renderer *renderer = frame->renderer;
    const struct gl *gl = &renderer->context.gl;
    gl->BindFramebuffer(GL_FRAMEBUFFER, renderer->target.framebuffer);
    set_viewport(frame, tile);
    draw_items(frame);
    if (!overlays_draw(renderer, frame->model->shaders, &frame->marks, err))
        return false;
    target_read(&renderer->target, gl, tile->width * frame->factor, tile->height * frame->factor, renderer->samples);
    keep_tile(frame, tile);
    return true;
}

/* ---- a frame ----------------------------------------------------------------------------------------------- */

static void set_camera(struct frame *frame)
{
    mat4 projection;
    camera_matrices(&frame->shot->camera, (float)frame->shot->width / (float)frame->shot->height, frame->view,
                    projection);
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += (double)projection[k][r] * frame->view[c][k];
            frame->scene_to_clip[c][r] = (float)sum;
        }
}

/* Beside the palette. What runs shaders of its own does so here, before anything is drawn. */
static bool prepare_extras(struct frame *frame, const struct palette *palette, const struct pose *pose,
                           struct error *err)
{
    const struct overlaid overlaid = {.renderer = frame->renderer, .model = frame->model, .palette = palette,
                                      .pose = pose, .shot = frame->shot, .view = frame->view,
                                      .scene_to_clip = frame->scene_to_clip};
    if (frame->bindings)
        return true;
    views_nearness(frame->shot, frame->view, frame->nearness);
    return overlays_prepare(&overlaid, &frame->marks, err) &&
           views_prepare(frame->renderer, frame->model->scene, frame->shot, err);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool prepare_target(const struct frame *frame, struct error *err)
{
    struct renderer *renderer = frame->renderer;
    uint32_t width = smaller(frame->shot->width, renderer->tile) * frame->factor;
    uint32_t height = smaller(frame->shot->height, renderer->tile) * frame->factor;
    size_t size = (size_t)width * height * 4;
    if (size > renderer->samples_size) {
        free(renderer->samples);
        renderer->samples = malloc(size);
        renderer->samples_size = renderer->samples ? size : 0;
        if (!renderer->samples)
            return error_set_code(err, EXIT_CODE_DIFFERS, "reading back %ux%u pixels: out of memory", width, height);
    }
    return target_prepare(&renderer->target, &renderer->context.gl, width, height, frame->samples, err);
}

static bool draw_tiles(const struct frame *frame, struct error *err)
{
    const struct shot *shot = frame->shot;
    uint32_t edge = frame->renderer->tile;
    for (uint32_t y = 0; y < shot->height; y += edge)
        for (uint32_t x = 0; x < shot->width; x += edge) {
            struct tile tile = {x, y, smaller(edge, shot->width - x), smaller(edge, shot->height - y)};
            if (!draw_tile(frame, &tile, err))
                return false;
        }
    return gl_check_errors(&frame->renderer->context.gl, "drawing", err);
}

static void choose_sampling(struct frame *frame)
{
    enum { MULTISAMPLES = 4 };
    bool multisample =
        frame->shot->profile == PROFILE_NATIVE && frame->renderer->info.max_samples >= MULTISAMPLES;
    frame->factor = multisample ? 1 : 2;
    frame->samples = multisample ? MULTISAMPLES : 1;
}

static bool check_size(const struct shot *shot, struct error *err)
{
    if (shot->width >= 1 && shot->width <= SHOT_MAX_SIZE && shot->height >= 1 && shot->height <= SHOT_MAX_SIZE)
        return true;
    return error_set(err, "size %ux%u: each side must be 1 to %d pixels", shot->width, shot->height, SHOT_MAX_SIZE);
}

/* Size, context; what was noted by GL before is forgotten. */
static bool begin(struct renderer *renderer, const struct shot *shot, struct error *err)
{
    if (!check_size(shot, err) || !gl_context_use(&renderer->context, err))
        return false;
    gl_clear_errors(&renderer->context.gl);
    return true;
}

static bool draw(struct frame *frame, const struct palette *palette, const struct pose *pose, struct error *err)
{
    set_camera(frame);
    bool good = prepare_extras(frame, palette, pose, err) && gpu_model_upload_palette(frame->model, palette, err) &&
                list_items(frame, palette, err) && prepare_target(frame, err) && draw_tiles(frame, err);
    free(frame->items);
    marks_release(&frame->marks);
    return good;
}

bool draw_frame(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                const struct pose *pose, const struct shot *shot, struct image *out, struct error *err)
{
    *out = (struct image){0};
    if (!begin(renderer, shot, err))
        return false;
    struct frame frame = {.renderer = renderer, .model = model, .shot = shot, .picture = out};
    choose_sampling(&frame);
    bool good = image_create(out, shot->width, shot->height, err) && draw(&frame, palette, pose, err);
    if (!good)
        image_release(out);
    return good;
}

static bool draw_identity(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                          const struct shot *shot, uint32_t *out, struct error *err)
{
    enum { MOST_BINDINGS = (1 << 24) - 1 };
    if (!begin(renderer, shot, err))
        return false;
    if (model->scene->binding_count > MOST_BINDINGS)
        return error_set_code(err, EXIT_CODE_DIFFERS, "bone identity: %u bindings, it can tell %d apart",
                              model->scene->binding_count, MOST_BINDINGS);
    struct frame frame = {
        .renderer = renderer, .model = model, .shot = shot, .bindings = out, .factor = 1, .samples = 1};
    return draw(&frame, palette, NULL, err);
}

bool draw_bone_identity(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                        const struct shot *shot, uint32_t *out, struct error *err)
{
    struct shader_set *shaders = model->shaders;
    if (!shaders)
        return draw_identity(renderer, model, palette, shot, out, err);
    const struct feed feed = model->feed;
    bool good = gpu_model_feed(model, &feed, NULL, err) && draw_identity(renderer, model, palette, shot, out, err);
    return gpu_model_feed(model, &feed, shaders, err) && good;
}
