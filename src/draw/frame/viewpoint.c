#include "draw/frame/viewpoint.h"

#include "draw/frame/camera.h"
#include "draw/frame/views.h"

/* The lights of lit.frag as the camera sees them: to the right, up, towards it. Unit vectors. */
static const float key_light[3] = {-0.4867f, 0.6489f, 0.5840f};
static const float fill_light[3] = {0.7809f, 0.0976f, 0.6169f};
static const float rim_light[3] = {0.5571f, 0.4642f, -0.6886f};
static const float sky_light[3] = {0, 1, 0};

static void turn_into_scene(const vec4 *view, const float light[3], float out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = view[c][0] * light[0] + view[c][1] * light[1] + view[c][2] * light[2];
}

static void multiply(const vec4 *projection, const vec4 *view, mat4 out)
{
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += (double)projection[k][r] * view[c][k];
            out[c][r] = (float)sum;
        }
}

void viewpoint_of(const struct frame_settings *frame_settings, struct viewpoint *out)
{
    mat4 projection;
    camera_matrices(&frame_settings->camera, (float)frame_settings->width / (float)frame_settings->height, out->view,
                    projection);
    multiply(projection, out->view, out->scene_to_clip);
    turn_into_scene(out->view, key_light, out->key_direction);
    turn_into_scene(out->view, fill_light, out->fill_direction);
    turn_into_scene(out->view, rim_light, out->rim_direction);
    turn_into_scene(out->view, sky_light, out->sky_direction);
    views_nearness(frame_settings, out->view, out->nearness);
}

void viewpoint_set(const struct viewpoint *viewpoint, const struct gl *gl, const struct program *program)
{
    const GLint *at = program->uniforms;
    gl->UniformMatrix4fv(at[UNIFORM_SCENE_TO_CLIP], 1, GL_FALSE, viewpoint->scene_to_clip[0]);
    gl->Uniform3fv(at[UNIFORM_KEY_DIRECTION], 1, viewpoint->key_direction);
    gl->Uniform3fv(at[UNIFORM_FILL_DIRECTION], 1, viewpoint->fill_direction);
    gl->Uniform3fv(at[UNIFORM_RIM_DIRECTION], 1, viewpoint->rim_direction);
    gl->Uniform3fv(at[UNIFORM_SKY_DIRECTION], 1, viewpoint->sky_direction);
    gl->Uniform4fv(at[UNIFORM_NEARNESS], 1, viewpoint->nearness);
}
