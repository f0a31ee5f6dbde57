#include "draw/frame/draw_list.h"

#include <math.h>
#include <stdlib.h>

#include "data/affine.h"

static enum alpha_mode alpha_for(struct draw_purpose purpose, const struct material *material)
{
    if (material->alpha_mode != ALPHA_BLEND)
        return material->alpha_mode;
    if (purpose.identity)
        return ALPHA_MASK;
    return purpose.view <= VIEW_UNLIT ? ALPHA_BLEND : ALPHA_OPAQUE; /* numbers are not mixed */
}

static const struct mesh *mesh_of(const struct gpu_model *model, uint32_t instance)
{
    return &model->scene->meshes[model->scene->instances[instance].mesh];
}

static const struct material *material_of(const struct gpu_model *model, uint32_t instance)
{
    return &model->scene->materials[mesh_of(model, instance)->material];
}

static const struct program *program_of(const struct gpu_model *model, uint32_t instance, struct draw_purpose purpose,
                                        struct error *err)
{
    const struct material *material = material_of(model, instance);
    const struct gpu_mesh *mesh = &model->meshes[model->scene->instances[instance].mesh];
    const struct program_key key = {
        .shaders = model->shaders,
        .kind = purpose.identity ? PROGRAM_IDENTITY : PROGRAM_PICTURE,
        .upload_format = model->upload_format,
        .view = purpose.view,
        .influences = mesh->influences,
        .morphs = mesh->mesh->target_count > 0,
        .alpha = alpha_for(purpose, material),
        .textured = material->base_texture != NO_INDEX,
        .two_sided = material->two_sided,
    };
    return programs_get(&model->renderer->programs, &model->renderer->context.gl, &key, err);
}

static double depth_of(const struct gpu_model *model, const struct palette *palette, uint32_t instance,
                       const vec4 *view)
{
    double c[3], depth = -(double)view[3][2];
    gpu_model_centroid(model, palette, instance, c);
    for (int i = 0; i < 3; i++)
        depth -= view[i][2] * c[i];
    return isfinite(depth) ? depth : 0;
}

static bool is_mirrored(const struct gpu_model *model, const struct palette *palette, uint32_t instance)
{
    const struct instance *where = &model->scene->instances[instance];
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

static bool add_instances(struct draw_list *list, const struct gpu_model *model, struct draw_purpose purpose,
                          bool blended, struct error *err)
{
    for (uint32_t i = 0; i < model->scene->instance_count; i++) {
        bool blends = alpha_for(purpose, material_of(model, i)) == ALPHA_BLEND;
        if (blends != blended || mesh_of(model, i)->triangle_count == 0)
            continue;
        struct draw_item *item = &list->items[list->count++];
        item->instance = i;
        item->program = program_of(model, i, purpose, err);
        if (!item->program)
            return false;
    }
    return true;
}

bool draw_list_make(struct draw_list *list, const struct gpu_model *model, const struct palette *palette,
                    const struct viewpoint *viewpoint, struct draw_purpose purpose, struct error *err)
{
    *list = (struct draw_list){.items = calloc(model->scene->instance_count + 1u, sizeof *list->items)};
    if (!list->items)
        return error_set_code(err, EXIT_CODE_DIFFERS, "drawing: out of memory");
    if (!add_instances(list, model, purpose, false, err))
        return false;
    list->opaque_count = list->count;
    if (!add_instances(list, model, purpose, true, err))
        return false;
    for (uint32_t i = list->opaque_count; i < list->count; i++) {
        struct draw_item *item = &list->items[i];
        item->depth = depth_of(model, palette, item->instance, viewpoint->view);
        item->mirrored = is_mirrored(model, palette, item->instance);
    }
    qsort(list->items + list->opaque_count, list->count - list->opaque_count, sizeof *list->items, compare_depth);
    return true;
}

void draw_list_release(struct draw_list *list)
{
    free(list->items);
    *list = (struct draw_list){0};
}

/* ---- drawing ----------------------------------------------------------------------------------------------- */

void draw_begin(const struct gl *gl)
{
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthFunc(GL_LESS);
    gl->DepthMask(GL_TRUE);
    gl->Disable(GL_BLEND);
    gl->Disable(GL_CULL_FACE); /* surface.glsl discards what is not to be seen: mirrored bones turn the winding */
    gl->ClearColor(0, 0, 0, 0);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void draw_begin_blended(const struct gl *gl)
{
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA); /* premultiplied, alpha included */
    gl->DepthMask(GL_FALSE);
}

void draw_use(const struct gpu_model *model, const struct draw_item *item, const struct viewpoint *viewpoint,
              struct draw_purpose purpose)
{
    const struct gl *gl = &model->renderer->context.gl;
    gl->UseProgram(item->program->id);
    viewpoint_set(viewpoint, gl, item->program);
    gpu_model_bind(model, item->instance, item->program);
    if (purpose.identity && material_of(model, item->instance)->alpha_mode == ALPHA_BLEND)
        gl->Uniform1f(item->program->uniforms[UNIFORM_ALPHA_CUTOFF], 1.0f / 255);
}

void draw_opaque(const struct gpu_model *model, const struct draw_item *item)
{
    GLsizei indices = (GLsizei)(3 * mesh_of(model, item->instance)->triangle_count);
    model->renderer->context.gl.DrawElements(GL_TRIANGLES, indices, GL_UNSIGNED_INT, NULL);
}

/* The far side of a blended surface first, then the near one; each triangle is in one of the two. */
void draw_blended(const struct gpu_model *model, const struct draw_item *item)
{
    const struct gl *gl = &model->renderer->context.gl;
    gl->Enable(GL_CULL_FACE);
    gl->CullFace(item->mirrored ? GL_BACK : GL_FRONT);
    draw_opaque(model, item);
    gl->CullFace(item->mirrored ? GL_FRONT : GL_BACK);
    draw_opaque(model, item);
    gl->Disable(GL_CULL_FACE);
}
