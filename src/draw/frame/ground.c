/* The ground of VIEW_STUDIO and the shadow on it. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "draw/frame/studio.h"

/* A square of the ground and what is above it, in axes a and b along it and up. */
struct square {
    int up, a, b;
    double sign; /* of up */
    double middle[2], half;
    double level, height; /* along up */
};

/* False: nothing is framed, or the camera does not see the ground from above. */
static bool place_square(const struct frame *frame, struct square *out)
{
    enum { MARGIN_PERCENT = 60 }; /* of the radius: how far a shadow may reach */
    const struct bounds *box = &frame->frame_settings->framed;
    const float *eye = frame->studio.eye, *up = frame->studio.rig[1];
    const double radius = bounds_is_empty(box) ? 0 : (double)bounds_radius(box);
    *out = (struct square){.up = up[0] != 0 ? 0 : up[1] != 0 ? 1 : 2};
    out->a = (out->up + 1) % 3;
    out->b = (out->up + 2) % 3;
    out->sign = up[out->up];
    const double low = out->sign > 0 ? box->min[out->up] : -(double)box->max[out->up];
    const double high = out->sign > 0 ? box->max[out->up] : -(double)box->min[out->up];
    if (!(radius > 0) || !isfinite(radius))
        return false;
    out->height = (high - low) * 1.02 + radius * 1e-3; /* what moves between two sampled times may stand out */
    out->level = low - radius * 1e-3;
    for (int i = 0; i < 2; i++) {
        const int axis = i == 0 ? out->a : out->b;
        out->middle[i] = 0.5 * ((double)box->min[axis] + (double)box->max[axis]);
        out->half = fmax(out->half, 0.5 * ((double)box->max[axis] - (double)box->min[axis]));
    }
    out->half += radius * MARGIN_PERCENT / 100;
    return out->sign * eye[out->up] > (eye[3] > 0 ? out->level : 1e-3);
}

/* Scene space -> clip space of the picture that is seen from below the ground. */
static void square_matrix(const struct square *square, mat4 out)
{
    memset(out, 0, sizeof(mat4));
    out[square->a][0] = (float)(1 / square->half);
    out[square->b][1] = (float)(1 / square->half);
    out[square->up][2] = (float)(2 * square->sign / square->height);
    out[3][0] = (float)(-square->middle[0] / square->half);
    out[3][1] = (float)(-square->middle[1] / square->half);
    out[3][2] = (float)(-2 * square->level / square->height - 1);
    out[3][3] = 1;
}

/* A mean over 2 radius + 1 rows; beyond the edges it is 0. */
static void blur_rows(const uint16_t *from, uint16_t *to, uint32_t radius)
{
    const uint64_t by = (1u << 24) / (2 * radius + 1);
    uint32_t sums[GROUND_SIZE] = {0};
    for (uint32_t y = 0; y < radius; y++)
        for (uint32_t x = 0; x < GROUND_SIZE; x++)
            sums[x] += from[y * GROUND_SIZE + x];
    for (uint32_t y = 0; y < GROUND_SIZE; y++) {
        const bool enters = y + radius < GROUND_SIZE, leaves = y >= radius;
        for (uint32_t x = 0; x < GROUND_SIZE && enters; x++)
            sums[x] += from[(y + radius) * GROUND_SIZE + x];
        for (uint32_t x = 0; x < GROUND_SIZE; x++)
            to[y * GROUND_SIZE + x] = (uint16_t)(sums[x] * by >> 24);
        for (uint32_t x = 0; x < GROUND_SIZE && leaves; x++)
            sums[x] -= from[(y - radius) * GROUND_SIZE + x];
    }
}

static void turn(const uint16_t *from, uint16_t *to)
{
    enum { BLOCK = 16 };
    for (uint32_t y = 0; y < GROUND_SIZE; y += BLOCK)
        for (uint32_t x = 0; x < GROUND_SIZE; x += BLOCK)
            for (uint32_t i = 0; i < BLOCK * BLOCK; i++)
                to[(x + i / BLOCK) * GROUND_SIZE + y + i % BLOCK] = from[(y + i % BLOCK) * GROUND_SIZE + x + i / BLOCK];
}

/* Three means along rows and columns each; `spare` is written over. */
static void blur(uint16_t *values, uint16_t *spare, uint32_t radius)
{
    for (int way = 0; way < 2 && radius > 0; way++) {
        blur_rows(values, spare, radius);
        blur_rows(spare, values, radius);
        blur_rows(values, spare, radius);
        turn(spare, values);
    }
}

/* The half of what a facet at some height throws on the ground lies within that height of its foot; so does that of a
 * Gaussian of 0.85 times it, which three means are. */
static uint32_t radius_of(double height)
{
    const double sigma = 0.85 * height;
    return (uint32_t)fmin(fmax(sqrt(sigma * sigma + 0.0625) - 0.25, 0.0) + 0.5, GROUND_SIZE / 3.0);
}

void ground_shadow(const uint16_t *heights, double most, uint8_t *shadow)
{
    enum { COUNT = GROUND_SIZE * GROUND_SIZE, FULL = 65535 };
    static const double slices[] = {0.5, 1.3, 3, 6.5, 14, 30}; /* heights in texels */
    FREED uint16_t *hidden = memory_new(COUNT, 2), *slice = memory_new(COUNT, 2), *spare = memory_new(COUNT, 2);
    for (size_t s = 0; s < sizeof slices / sizeof slices[0]; s++) {
        const uint32_t middle = (uint32_t)fmin(slices[s] / most * FULL, FULL / 2), radius = radius_of(slices[s]);
        for (uint32_t i = 0; i < COUNT; i++) { /* what hangs down to this height, a part of what to half as much more */
            const int64_t below = (int64_t)middle + middle / 2 - heights[i], fades = middle / 2 + 1;
            slice[i] = heights[i] == NO_HEIGHT || below <= 0 ? 0
                       : below >= fades                      ? FULL
                                                             : (uint16_t)(below * FULL / fades);
        }
        blur(slice, spare, radius);
        for (uint32_t i = 0; i < COUNT; i++)
            hidden[i] = slice[i] > hidden[i] ? slice[i] : hidden[i];
    }
    blur(hidden, spare, 1);
    for (uint32_t y = 0; y < GROUND_SIZE; y++)
        for (uint32_t x = 0; x < GROUND_SIZE; x++) { /* the sky that is left, as screens encode it; 0 at the edges */
            const double strength = 0.92, left = 1 - strength * hidden[y * GROUND_SIZE + x] / FULL;
            const double u = (x + 0.5) / (GROUND_SIZE / 2) - 1, v = (y + 0.5) / (GROUND_SIZE / 2) - 1;
            const double fades = fmin(fmax(1.0 - (u * u + v * v), 0.0) * 1.5, 1.0);
            shadow[y * GROUND_SIZE + x] = (uint8_t)(255 * (1 - sqrt(left)) * fades + 0.5);
        }
}

bool ground_prepare(struct frame *frame, struct error *err)
{
    enum { COUNT = GROUND_SIZE * GROUND_SIZE };
    struct renderer *renderer = frame->renderer;
    mat4 from_below;
    const struct program_key key = {.shaders = frame->model->shaders, .kind = PROGRAM_GROUND};
    struct square square;
    if (frame->bindings || frame->frame_settings->view != VIEW_STUDIO || !place_square(frame, &square))
        return true;
    const struct program *program = programs_get(&renderer->programs, &key, err);
    square_matrix(&square, from_below);
    if (!program || !depth_map_draw(frame, &renderer->ground, GROUND_SIZE, GROUND_SIZE, from_below, DEPTH_OF_ALL, err))
        return false;
    FREED uint8_t *shadow = memory_new(COUNT, 1);
    FREED uint16_t *heights = memory_new(COUNT, sizeof *heights);
    for (uint32_t i = 0; i < COUNT; i++)
        heights[i] = (uint16_t)(renderer->ground.depths[i] >> 8);
    ground_shadow(heights, square.height / (2 * square.half) * GROUND_SIZE, shadow);
    depth_map_upload(&renderer->ground, UNIFORM_SHADOW_TEXTURE, shadow);
    for (int i = 0; i < 4; i++) {
        float *corner = frame->studio.corners[i];
        corner[square.a] = (float)(square.middle[0] + (i & 1 ? square.half : -square.half));
        corner[square.b] = (float)(square.middle[1] + (i & 2 ? square.half : -square.half));
        corner[square.up] = (float)(square.sign * square.level);
    }
    frame->studio.ground = program;
    return true;
}

void ground_draw(const struct frame *frame)
{
    const struct program *program = frame->studio.ground;
    if (!program)
        return;
    gl->UseProgram(program->id);
    gl->BindVertexArray(frame->renderer->overlay_array);
    gl->ActiveTexture(GL_TEXTURE0 + UNIFORM_SHADOW_TEXTURE);
    gl->BindTexture(GL_TEXTURE_2D, frame->renderer->ground.made);
    gl->UniformMatrix4fv(program->uniforms[UNIFORM_SCENE_TO_CLIP], 1, GL_FALSE, frame->scene_to_clip[0]);
    gl->Uniform3fv(program->uniforms[UNIFORM_GROUND_CORNERS], 4, frame->studio.corners[0]);
    gl->Disable(GL_DEPTH_TEST);
    gl->Disable(GL_BLEND); /* nothing is there yet */
    gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
