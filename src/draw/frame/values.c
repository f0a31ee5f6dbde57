#include "draw/frame/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/image/color_scale.h"

bool values_upload(const struct frame *frame, struct error *err)
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
    float *values = memory_new(count * members, sizeof *values);
    for (size_t m = 0; m < members; m++) {
        const float *from = frame->crowd.members[m].values;
        for (size_t i = 0; i < count; i++)
            values[m * count + i] = from ? from[i] : NO_VALUE;
    }
    buffer_texture_fill(&renderer->shown_values, &renderer->context.gl, UNIFORM_SHOWN_VALUES, GL_R32F, values,
                        count * members * sizeof *values);
    free(values);
    return true;
}

void values_bind(const struct frame *frame, uint32_t instance, const struct program *program)
{
    const struct color_scale *scale = frame->bindings ? NULL : color_scale_of(frame->frame_settings->view);
    const struct gl *gl = &frame->renderer->context.gl;
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
