#include "draw/renderer.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static bool is_software(const char *name)
{
    return strstr(name, "llvmpipe") || strstr(name, "softpipe");
}

static void fill_info(struct renderer *renderer)
{
    const struct gl *gl = &renderer->context.gl;
    struct renderer_info *info = &renderer->info;
    info->backend = renderer->context.ops->name;
    info->library = renderer->context.library_path;
    info->gl_version = (const char *)gl->GetString(GL_VERSION);
    info->glsl_version = (const char *)gl->GetString(GL_SHADING_LANGUAGE_VERSION);
    info->gl_renderer = (const char *)gl->GetString(GL_RENDERER);
    info->gl_vendor = (const char *)gl->GetString(GL_VENDOR);
    gl->GetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &info->max_texture_buffer);
    gl->GetIntegerv(GL_MAX_VERTEX_UNIFORM_COMPONENTS, &info->max_uniform_components);
    gl->GetIntegerv(GL_MAX_SAMPLES, &info->max_samples);
    info->is_software = is_software(info->gl_renderer);
    if (!info->is_software)
        log_warning("%s draws on \"%s\", which is no software rasteriser: its pixels are its own", info->backend,
                    info->gl_renderer);
}

static void make_buffers(struct renderer *renderer)
{
    const struct gl *gl = &renderer->context.gl;
    palette_store_create(&renderer->palette, gl);
    renderer->programs.limits = renderer->palette.limits;
    gl->GenVertexArrays(1, &renderer->overlay_array);
    gl->GenBuffers(1, &renderer->overlay_buffer);
}

struct renderer *renderer_create(enum backend backend, struct error *err)
{
    struct renderer *renderer = calloc(1, sizeof *renderer);
    if (!renderer) {
        error_set_code(err, EXIT_CODE_NO_GL, "out of memory");
        return NULL;
    }
    renderer->tile = RENDERER_TILE;
    if (!gl_context_open(&renderer->context, backend, err)) {
        free(renderer);
        return NULL;
    }
    fill_info(renderer);
    make_buffers(renderer);
    /* Others are built when they are needed; one now, so that a driver that cannot is found out here. */
    const struct program_key usual = {.view = VIEW_LIT, .influences = INFLUENCES_4, .two_sided = true};
    if (!programs_get(&renderer->programs, &renderer->context.gl, &usual, err)) {
        err->exit_code = EXIT_CODE_NO_GL;
        renderer_destroy(renderer);
        return NULL;
    }
    return renderer;
}

bool renderer_shaders(struct renderer *renderer, const char *folder, struct shader_set **out, struct error *err)
{
    *out = NULL;
    for (struct shader_set *set = renderer->shaders; folder && set; set = set->next)
        if (strcmp(set->asked, folder) == 0) {
            *out = set;
            return true;
        }
    if (folder && (*out = shader_set_load(folder, err))) {
        (*out)->next = renderer->shaders;
        renderer->shaders = *out;
    }
    return !folder || *out;
}

static void release_shaders(struct renderer *renderer)
{
    for (struct shader_set *set = renderer->shaders, *next; set; set = next) {
        next = set->next;
        shader_set_release(set);
    }
}

static void release_gl(struct renderer *renderer)
{
    const struct gl *gl = &renderer->context.gl;
    const GLuint buffers[] = {renderer->overlay_buffer, renderer->binding_colors_buffer, renderer->weight_buffer};
    programs_release(&renderer->programs, gl);
    target_release(&renderer->target, gl);
    palette_store_release(&renderer->palette, gl);
    gl->DeleteTextures(1, &renderer->binding_colors_texture);
    gl->DeleteTextures(1, &renderer->weight_texture);
    gl->DeleteVertexArrays(1, &renderer->overlay_array);
    gl->DeleteBuffers(3, buffers);
}

void renderer_destroy(struct renderer *renderer)
{
    if (!renderer)
        return;
    struct error ignored = {0};
    if (gl_context_use(&renderer->context, &ignored))
        release_gl(renderer);
    gl_context_close(&renderer->context);
    release_shaders(renderer);
    free(renderer->samples);
    free(renderer);
}

const struct renderer_info *renderer_info(const struct renderer *renderer)
{
    return &renderer->info;
}

void renderer_set_tile(struct renderer *renderer, uint32_t pixels)
{
    renderer->tile = pixels;
}
