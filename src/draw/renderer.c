#include "draw/renderer.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

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
    info->is_software = strstr(info->gl_renderer, "llvmpipe") || strstr(info->gl_renderer, "softpipe");
    if (!info->is_software)
        log_warning("%s draws on \"%s\", which is no software rasteriser: its pixels are its own", info->backend,
                    info->gl_renderer);
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
    const struct gl *gl = &renderer->context.gl;
    fill_info(renderer);
    palette_store_create(&renderer->palette, gl);
    renderer->programs.limits = renderer->palette.limits;
    gl->GenVertexArrays(1, &renderer->overlay_array);
    gl->GenBuffers(1, &renderer->overlay_buffer);
    /* Others are built when they are needed; one now, so that a driver that cannot is found out here. */
    const struct program_key usual = {.view = VIEW_LIT, .influences = INFLUENCES_4, .two_sided = true};
    if (!programs_get(&renderer->programs, gl, &usual, err)) {
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

void renderer_destroy(struct renderer *renderer)
{
    if (!renderer)
        return;
    struct error ignored = {0};
    const struct gl *gl = &renderer->context.gl;
    if (gl_context_use(&renderer->context, &ignored)) {
        programs_release(&renderer->programs, gl);
        target_release(&renderer->target, gl);
        palette_store_release(&renderer->palette, gl);
        buffer_texture_release(&renderer->binding_colors, gl);
        buffer_texture_release(&renderer->morph_weights, gl);
        gl->DeleteVertexArrays(1, &renderer->overlay_array);
        gl->DeleteBuffers(1, &renderer->overlay_buffer);
    }
    gl_context_close(&renderer->context);
    for (struct shader_set *set = renderer->shaders, *next; set; set = next) {
        next = set->next;
        shader_set_release(set);
    }
    free(renderer->samples);
    free(renderer);
}

const struct renderer_info *renderer_info(const struct renderer *renderer)
{
    return &renderer->info;
}
