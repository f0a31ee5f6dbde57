#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "data/affine.h"
#include "data/image/color_scale.h"
#include "draw/frame/camera.h"
#include "draw/frame/studio.h"
#include "draw/overlay/overlays.h"

/* A surface that is drawn. */
struct item {
    uint32_t instance;
    const struct mesh *mesh;
    const struct material *material;
    const struct program *program;
    bool blended;
    double depth;  /* along the camera's view; blended ones are drawn by falling depth */
    bool mirrored; /* most of its matrices turn triangles inside out */
    int winding;   /* of a single-sided surface: mesh_winding() */
};

/* Fills in what the camera gives a frame: matrices, and the lights that move with it. */
static void set_viewpoint(struct frame *frame)
{
/* The lights of lit.frag as the camera sees them: to the right, up, towards it. Unit vectors. */
    static const float lights[4][3] = {{-0.4867f, 0.6489f, 0.5840f},  /* key */
                                       {0.7809f, 0.0976f, 0.6169f},   /* fill */
                                       {0.5571f, 0.4642f, -0.6886f},  /* rim */
                                       {0, 1, 0}};                    /* sky */
    const struct frame_settings *settings = frame->frame_settings;
    const struct bounds *box = &settings->framed;
    camera_matrices(&settings->camera, (float)settings->width / (float)settings->height, frame->view,
                    frame->projection);
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += (double)frame->projection[k][r] * frame->view[c][k];
            frame->scene_to_clip[c][r] = (float)sum;
        }
    for (int l = 0; l < 4; l++)
        for (int c = 0; c < 3; c++) {
            const float *column = frame->view[c], *light = lights[l];
            frame->directions[l][c] = column[0] * light[0] + column[1] * light[1] + column[2] * light[2];
        }
    studio_set_viewpoint(frame);
    double near = INFINITY, far = -INFINITY; /* depths along the camera's view */
    for (int corner = 0; corner < 8 && !bounds_is_empty(box) && bounds_radius(box) > 0; corner++) {
        double depth = -(double)frame->view[3][2];
        for (int i = 0; i < 3; i++)
            depth -= (double)frame->view[i][2] * (corner >> i & 1 ? box->max[i] : box->min[i]);
        near = fmin(near, depth);
        far = fmax(far, depth);
    }
    near = fmax(near, settings->camera.near_plane);
    if (!(far > near)) {
        near = settings->camera.near_plane;
        far = settings->camera.far_plane;
    }
    const struct color_scale *scale = legend_scale_of(settings->view);
    const bool is_fixed = scale && scale->values == VALUES_OF_SHADER;
    frame->range = !is_fixed                      ? settings->range
                   : settings->view == VIEW_DEPTH ? (struct value_range){(float)far, (float)near}
                                                  : scale->fixed;
    double by = 1 / (far - near); /* nearness = (far - depth) * by */
    for (int i = 0; i < 3; i++)
        frame->nearness[i] = (float)(frame->view[i][2] * by);
    frame->nearness[3] = (float)((far + frame->view[3][2]) * by);
}

/* Depth of the mean of an instance's vertices as the palette morphs and poses them. */
static double depth_of(const struct frame *frame, const struct item *item)
{
    const struct instance *instance = &frame->model->scene->instances[item->instance];
    const struct mesh *mesh = item->mesh;
    const float *weights = mesh->target_count ? frame->palette->morph_weights + instance->first_weight : NULL;
    const vec4 *view = (const vec4 *)frame->view;
    double sum[3] = {0}, depth = -(double)view[3][2];
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t count;
        const struct influence *influences = mesh_influences(mesh, v, &count);
        double p[3];
        for (int c = 0; c < 3; c++) {
            p[c] = mesh->positions[v][c];
            for (uint32_t t = 0; t < mesh->target_count; t++)
                p[c] += (double)weights[t] * mesh->targets[t].position_deltas[v][c];
        }
        for (uint32_t i = 0; i < count; i++) {
            const vec4 *m = frame->palette->mesh_to_scene[instance->first_binding + influences[i].bone];
            for (int r = 0; r < 3; r++)
                sum[r] += influences[i].weight * (m[0][r] * p[0] + m[1][r] * p[1] + m[2][r] * p[2] + m[3][r]);
        }
    }
    for (int i = 0; i < 3; i++)
        depth -= view[i][2] * sum[i] / (mesh->vertex_count ? mesh->vertex_count : 1);
    return isfinite(depth) ? depth : 0;
}

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->blended != y->blended)
        return x->blended ? 1 : -1;
    if (x->blended && x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    return x->instance < y->instance ? -1 : x->instance > y->instance;
}

/* False with err set when a shader does not build; the items are to be freed in any case. */
static bool list_items(struct frame *frame, struct error *err)
{
    const struct gpu_model *model = frame->model;
    const struct scene *scene = model->scene;
    frame->items = memory_new(scene->instance_count, sizeof *frame->items);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct gpu_mesh *gpu = &model->meshes[instance->mesh];
        const struct material *material = &scene->materials[gpu->mesh->material];
        enum alpha_mode alpha = material->alpha_mode;
        if (alpha == ALPHA_BLEND && (frame->bindings || frame->frame_settings->view > VIEW_UNLIT))
            alpha = frame->bindings ? ALPHA_MASK : ALPHA_OPAQUE; /* numbers are not mixed */
        if (gpu->mesh->triangle_count == 0)
            continue;
        struct item item = {.instance = i, .mesh = gpu->mesh, .material = material, .blended = alpha == ALPHA_BLEND};
        item.winding = material->two_sided || item.blended ? 0 : frame_winding(frame, i);
        const enum program_kind kind = frame->bindings ? PROGRAM_IDENTITY : PROGRAM_PICTURE;
        struct program_key key = gpu_model_key(model, gpu, kind, &frame->crowd);
        key.view = frame->frame_settings->view;
        key.tangents = !frame->bindings && gpu->mesh->tangents && view_reads_tangents(key.view);
        key.alpha = alpha;
        key.textured = material->base_texture != NO_INDEX;
        key.two_sided = material->two_sided || item.winding != 0; /* then GL leaves the back out */
        studio_add_to_key(frame, gpu, &key);
        item.program = programs_get(&frame->renderer->programs, &key, err);
        if (!item.program || (item.program->contract &&
                              !contract_holds_bones(item.program->contract, gpu->mesh,
                                                    crowd_members(&frame->crowd), err)))
            return false;
        if (!frame->bindings && item.program->contract && *item.program->contract->unset)
            frame->unset = item.program->contract->unset;
        uint32_t mirrored = 0;
        for (uint32_t b = 0; item.blended && b < instance->binding_count; b++)
            mirrored += affine_determinant(frame->palette->mesh_to_scene[instance->first_binding + b]) < 0;
        item.mirrored = 2 * mirrored > instance->binding_count;
        item.depth = item.blended ? depth_of(frame, &item) : 0;
        frame->items[frame->item_count++] = item;
    }
    sort_items(frame->items, frame->item_count, sizeof *frame->items, compare_items);
    return true;
}

/* Sets what shaders/values.glsl and scale.glsl read of an instance; `program` is in use. */
static void bind_values(const struct frame *frame, uint32_t instance, const struct program *program)
{
    const struct color_scale *scale = frame->bindings ? NULL : color_scale_of(frame->frame_settings->view);
    const struct scene *scene = frame->model->scene;
    float colors[SCALE_COLORS][3], ends[3];
    size_t first = 0;
    if (!scale)
        return;
    for (uint32_t i = 0; i < instance; i++)
        first += color_scale_count(scale, scene, i);
    for (int i = 0; i < 3 * SCALE_COLORS; i++)
        colors[i / 3][i % 3] = (float)scale->colors[i / 3][i % 3] / 255.0f;
    gl->Uniform1i(program->uniforms[UNIFORM_FIRST_VALUE], (GLint)first);
    gl->Uniform1i(program->uniforms[UNIFORM_CROWD_VALUES], (GLint)color_scale_total(scale, scene));
    color_scale_ends(scale, &frame->frame_settings->range, ends);
    gl->Uniform3fv(program->uniforms[UNIFORM_VALUE_RANGE], 1, ends);
    gl->Uniform3fv(program->uniforms[UNIFORM_VALUE_COLORS], SCALE_COLORS, colors[0]);
}

/* Draws an item, of a blended one the far side first, then the near one; each triangle is in one of the two. */
static void draw_item(const struct frame *frame, const struct item *item)
{
    const GLint *at = item->program->uniforms;
    gl->UseProgram(item->program->id);
    struct input_values values = {.time = (float)frame->crowd.time};
    memcpy(values.projection, frame->projection, sizeof(mat4));
    memcpy(values.view, frame->view, sizeof(mat4));
    memcpy(values.scene_to_clip, frame->scene_to_clip, sizeof(mat4));
    gl->UniformMatrix4fv(at[UNIFORM_SCENE_TO_CLIP], 1, GL_FALSE, frame->scene_to_clip[0]);
    for (int i = 0; i < 4; i++)
        gl->Uniform3fv(at[UNIFORM_KEY_DIRECTION + i], 1, frame->directions[i]);
    gl->Uniform4fv(at[UNIFORM_NEARNESS], 1, frame->nearness);
    bind_values(frame, item->instance, item->program);
    studio_set_uniforms(frame, item->program);
    gpu_model_bind(frame->model, item->instance, item->program, &values);
    if (frame->bindings && item->material->alpha_mode == ALPHA_BLEND)
        gl->Uniform1f(at[UNIFORM_ALPHA_CUTOFF], 1.0f / 255);
    if (item->blended || item->winding)
        gl->Enable(GL_CULL_FACE);
    for (int side = item->blended ? 0 : 1; side < 2; side++) {
        gl->CullFace((item->mirrored || item->winding < 0) == (side == 0) ? GL_BACK : GL_FRONT);
        gl->DrawElementsInstanced(GL_TRIANGLES, (GLsizei)(3 * item->mesh->triangle_count), GL_UNSIGNED_INT, NULL,
                                  (GLsizei)crowd_members(&frame->crowd));
    }
    gl->Disable(GL_CULL_FACE); /* where bones turn the winding, surface.glsl discards what is not to be seen */
}

static void draw_surfaces(const struct frame *frame)
{
    uint32_t i = 0;
    ground_draw(frame);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthFunc(GL_LESS);
    gl->DepthMask(GL_TRUE);
    gl->Disable(GL_BLEND);
    for (; i < frame->item_count && !frame->items[i].blended; i++)
        draw_item(frame, &frame->items[i]);
    gl->Enable(GL_BLEND); /* overlays are blended too */
    gl->BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA); /* premultiplied, alpha included */
    gl->DepthMask(GL_FALSE);
    for (; i < frame->item_count; i++)
        draw_item(frame, &frame->items[i]);
}

/* Unblended colours are written whatever their alpha; in the target it is where something was drawn: 1 where opaque. */
static void cover(const struct frame *frame)
{
    gl->Disable(GL_BLEND);
    gl->DepthFunc(GL_EQUAL);
    gl->ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    gl->Enable(GL_COLOR_LOGIC_OP);
    gl->LogicOp(GL_SET);
    for (uint32_t i = 0; i < frame->item_count && !frame->items[i].blended; i++)
        if (frame->items[i].program->contract && frame->items[i].program->contract->writes_alpha)
            draw_item(frame, &frame->items[i]);
    gl->Disable(GL_COLOR_LOGIC_OP);
    gl->ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl->DepthFunc(GL_LESS);
    gl->Enable(GL_BLEND);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Both from a picture's upper left corner. */
static struct rectangle common(const struct rectangle *a, const struct rectangle *b)
{
    const uint32_t x = a->x > b->x ? a->x : b->x, y = a->y > b->y ? a->y : b->y;
    const uint32_t right = smaller(a->x + a->width, b->x + b->width),
                   lower = smaller(a->y + a->height, b->y + b->height);
    return (struct rectangle){x, y, right > x ? right - x : 0, lower > y ? lower - y : 0};
}

/* Draws the part of a tile within the scissor rectangle. Its viewport is the whole image's, shifted so that the tile
 * comes to lie in the framebuffer: projection and clipping are the same for every tile and part, and triangles meet at
 * the seams. */
static bool draw_part(const struct frame *frame, const struct rectangle *tile, const struct rectangle *part,
                      struct error *err)
{
    struct renderer *renderer = frame->renderer;
    struct drawing *drawing = frame->drawing;
    const struct frame_settings *settings = frame->frame_settings;
    const uint32_t factor = frame->factor;
    const uint32_t below = settings->height - tile->y - tile->height; /* of the tile in the image, the part in it */
    const uint32_t above = tile->y + tile->height - part->y - part->height;
    const struct rectangle box = {(part->x - tile->x) * factor, above * factor, part->width * factor,
                                  part->height * factor};
    if (!drawing_take(drawing, err))
        return false;
    target_clear(&renderer->target, &box);
    gl->BindFramebuffer(GL_FRAMEBUFFER, renderer->target.framebuffer);
    gl->Viewport(-(GLint)(tile->x * factor), -(GLint)(below * factor), (GLsizei)(settings->width * factor),
                 (GLsizei)(settings->height * factor));
    gl->Scissor((GLint)box.x, (GLint)box.y, (GLsizei)box.width, (GLsizei)box.height);
    gl->Enable(GL_SCISSOR_TEST);
    studio_set_tile(frame, tile->x * factor, below * factor);
    draw_surfaces(frame);
    if (frame->unset && !drawing->shows) {
        target_read(&renderer->target, &box, drawing->samples);
        for (size_t i = 0; i < (size_t)box.width * box.height && !drawing->shows; i++)
            drawing->shows = memcmp(drawing->samples + 4 * i, "\0\0\0", 4) != 0;
        gl->BindFramebuffer(GL_FRAMEBUFFER, renderer->target.framebuffer);
    }
    if (!frame->bindings)
        cover(frame);
    overlays_draw(renderer, &frame->primitives);
    gl->Disable(GL_SCISSOR_TEST);
    drawing_put(drawing, part, &box);
    return true;
}

static bool draw_tiles(const struct frame *frame, struct error *err)
{
    struct renderer *renderer = frame->renderer;
    const struct frame_settings *settings = frame->frame_settings;
    const struct rectangle whole = {0, 0, settings->width, settings->height}, scissor = frame_scissor(frame);
    const uint32_t edge = renderer->tile, factor = frame->factor;
    uint32_t most_width = smaller(settings->width, edge) * factor,
             most_height = smaller(settings->height, edge) * factor;
    if (!target_prepare(&renderer->target, most_width, most_height, frame->samples, err))
        return false;
    frame->drawing->samples = memory_grow(renderer->samples, (size_t)most_width * most_height, 4);
    renderer->samples = NULL;
    if (frame->bindings)
        memset(frame->bindings, 0, (size_t)whole.width * whole.height * sizeof *frame->bindings);
    for (uint32_t y = 0; y < whole.height; y += edge)
        for (uint32_t x = 0; x < whole.width; x += edge) {
            const struct rectangle square = {x, y, edge, edge}, tile = common(&square, &whole),
                                   part = common(&tile, &scissor);
            if (part.width > 0 && part.height > 0 && !draw_part(frame, &tile, &part, err))
                return false;
        }
    return gl_check_errors("drawing", err);
}

/* The members from the farthest to the nearest place, for blended surfaces; malloc'd. */
static struct crowd_member *back_to_front(const struct frame *frame)
{
    const vec4 *view = (const vec4 *)frame->view;
    uint32_t count = frame->crowd.count;
    struct crowd_member *sorted = memory_new(count, sizeof *sorted);
    for (uint32_t m = 0; m < count; m++) {
        struct crowd_member member = frame->crowd.members[m];
        uint32_t at = m; /* the view's z falls with the distance */
        float z = view[0][2] * member.place[0] + view[1][2] * member.place[1] + view[2][2] * member.place[2];
        for (; at > 0; at--) {
            const float *other = sorted[at - 1].place;
            if (!(view[0][2] * other[0] + view[1][2] * other[1] + view[2][2] * other[2] > z))
                break;
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = member;
    }
    return sorted;
}

/* Uploads what shaders/values.glsl reads: numbers of all of the crowd. False with err set: GL does not hold as many. */
static bool upload_values(const struct frame *frame, struct error *err)
{
    const struct color_scale *scale = frame->bindings ? NULL : color_scale_of(frame->frame_settings->view);
    struct renderer *renderer = frame->renderer;
    const uint32_t members = crowd_members(&frame->crowd);
    const size_t count = scale ? color_scale_total(scale, frame->model->scene) : 0;
    if (count == 0)
        return true;
    if (count * members > (size_t)renderer->info.max_texture_buffer)
        return error_set_code(err, EXIT_CODE_DIFFERS, "view %s: %zu numbers, GL holds %d in a buffer",
                              view_names[frame->frame_settings->view], count * members,
                              renderer->info.max_texture_buffer);
    FREED float *values = memory_new(count * members, sizeof *values);
    for (size_t m = 0; m < members; m++) {
        const float *from = frame->crowd.members[m].values;
        for (size_t i = 0; i < count; i++)
            values[m * count + i] = from ? from[i] : NO_VALUE;
    }
    buffer_texture_fill(&renderer->shown_values, UNIFORM_SHOWN_VALUES, GL_R32F, values,
                        count * members * sizeof *values);
    return true;
}

/* Overlays run shaders of their own, so they are made before anything is drawn. */
static bool draw(struct frame *frame, struct error *err)
{
    struct renderer *renderer = frame->renderer;
    const struct frame_settings *settings = frame->frame_settings;
    if (settings->width < 1 || settings->width > FRAME_MAX_SIZE || settings->height < 1 ||
        settings->height > FRAME_MAX_SIZE)
        return error_set(err, "size %ux%u: each side must be 1 to %d pixels", settings->width, settings->height,
                         FRAME_MAX_SIZE);
    if (!gpu_model_check_crowd(frame->model, &frame->crowd, err) || !gl_context_use(&renderer->context, err) ||
        (renderer->under_way && !drawing_read(renderer->under_way, err)))
        return false;
    gl_clear_errors(); /* so that those found are of this frame */
    set_viewpoint(frame);
    FREED struct crowd_member *sorted = back_to_front(frame);
    if (frame->crowd.count > 0)
        frame->crowd.members = sorted;
    frame->palette = frame->crowd.members->palette;
    if (!frame->bindings && (settings->view == VIEW_BONES || settings->view == VIEW_BONE_WEIGHT)) {
        const struct scene *scene = frame->model->scene;
        FREED uint8_t(*of_nodes)[3] = memory_new(scene->node_count, sizeof *of_nodes);
        FREED float(*colors)[4] = memory_new(scene->binding_count, sizeof *colors);
        bone_colors(scene, of_nodes);
        for (uint32_t b = 0; b < scene->binding_count; b++) {
            uint32_t node = scene->bindings[b].node;
            for (int c = 0; c < 3; c++)
                colors[b][c] = (float)of_nodes[node][c] / 255.0f;
            colors[b][3] = settings->shown_node >= 0 && (uint32_t)settings->shown_node == node;
        }
        buffer_texture_fill(&renderer->binding_colors, UNIFORM_BINDING_COLORS, GL_RGBA32F, colors,
                            scene->binding_count * sizeof *colors);
    }
    bool good = upload_values(frame, err) && (frame->bindings || overlays_prepare(frame, &frame->primitives, err)) &&
                gpu_model_upload_crowd(frame->model, &frame->crowd, err) && list_items(frame, err) &&
                ground_prepare(frame, err) && ambient_occlusion_prepare(frame, err) && draw_tiles(frame, err);
    free(frame->items);
    primitives_release(&frame->primitives);
    return good;
}

/* Says whether the middle of what the camera frames is in the picture: otherwise it looks elsewhere. */
static bool looks_at_model(const struct frame *frame)
{
    const struct bounds *box = &frame->frame_settings->framed;
    float clip[4];
    if (bounds_is_empty(box))
        return true;
    for (int r = 0; r < 4; r++) {
        clip[r] = frame->scene_to_clip[3][r];
        for (int c = 0; c < 3; c++)
            clip[r] += frame->scene_to_clip[c][r] * 0.5f * (box->min[c] + box->max[c]);
    }
    return fabsf(clip[0]) <= clip[3] && fabsf(clip[1]) <= clip[3] && fabsf(clip[2]) <= clip[3];
}

struct drawing *draw_crowd_begin(struct renderer *renderer, struct gpu_model *model, const struct crowd *crowd,
                                 const struct frame_settings *frame_settings, struct error *err)
{
    enum { MULTISAMPLES = 4 };
    const bool multisample = frame_settings->profile == PROFILE_NATIVE && renderer->info.max_samples >= MULTISAMPLES;
    struct frame frame = {.renderer = renderer,
                          .model = model,
                          .crowd = *crowd,
                          .frame_settings = frame_settings,
                          .factor = multisample ? 1 : 2,
                          .samples = multisample ? MULTISAMPLES : 1};
    frame.drawing = drawing_create(&frame);
    if (draw(&frame, err)) {
        if (frame.unset && looks_at_model(&frame))
            snprintf(frame.drawing->why_empty, sizeof frame.drawing->why_empty, "%s stays 0", frame.unset);
        return frame.drawing;
    }
    drawing_drop(frame.drawing);
    return NULL;
}

bool draw_crowd(struct renderer *renderer, struct gpu_model *model, const struct crowd *crowd,
                const struct frame_settings *frame_settings, struct image *out, struct error *err)
{
    *out = (struct image){0};
    struct drawing *drawing = draw_crowd_begin(renderer, model, crowd, frame_settings, err);
    return drawing && drawing_end(drawing, out, err);
}

bool draw_crowd_identity(struct renderer *renderer, struct gpu_model *model, const struct crowd *crowd,
                         const struct frame_settings *frame_settings, uint32_t *out, struct error *err)
{
    enum { MOST_BINDINGS = (1 << 24) - 1 };
    struct shader_set *shaders = model->shaders;
    const struct upload_format upload_format = model->upload_format;
    struct frame frame = {.renderer = renderer,
                          .model = model,
                          .crowd = *crowd,
                          .frame_settings = frame_settings,
                          .bindings = out,
                          .factor = 1,
                          .samples = 1};
    if (model->scene->binding_count > MOST_BINDINGS)
        return error_set_code(err, EXIT_CODE_DIFFERS, "bone identity: %u bindings, the limit is %d",
                              model->scene->binding_count, MOST_BINDINGS);
    frame.drawing = drawing_create(&frame);
    bool good = (!shaders || gpu_model_set_upload(model, &upload_format, NULL, err)) && draw(&frame, err) &&
                drawing_take(frame.drawing, err);
    drawing_drop(frame.drawing);
    return (!shaders || gpu_model_set_upload(model, &upload_format, shaders, err)) && good;
}
