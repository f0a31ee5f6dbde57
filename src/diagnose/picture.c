/* Mistakes that pictures alone show: the reference's picture is changed by each, and held against theirs. */
#include <math.h>
#include <stdlib.h>

#include "diagnose/diagnose.h"

enum { LEVELS = 2 }; /* of 255: rounding, once more than there was */

static double srgb_encode(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

static double srgb_decode(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

static const uint8_t *pixel_at(const struct image *image, int64_t x, int64_t y)
{
    x = x < 0 ? 0 : x >= image->width ? image->width - 1 : x;
    y = y < 0 ? 0 : y >= image->height ? image->height - 1 : y;
    return image->rgba + 4 * ((size_t)y * image->width + (size_t)x);
}

enum change { FLIP, MIRROR, ENCODE, DECODE, PREMULTIPLY, SHIFT };

static const struct picture_cause {
    struct cause cause;
    enum change change;
    int dx, dy;    /* of a shift, in half pixels */
    double enough; /* how much of the difference it has to explain */
} picture_causes[] = {
    {{"flipped", CAUSE_DRAW, "the picture stands on its head",
      "glReadPixels gives the last row first: turn the rows around once", PARAMETER_NONE, 0, NULL},
     FLIP, 0, 0, 0.999},
    {{"yaw-mirrored", CAUSE_DRAW, "the picture is mirrored left to right",
      "the camera's yaw has the other sign, or the projection another handedness", PARAMETER_NONE, 0, NULL},
     MIRROR, 0, 0, 0.999},
    {{"srgb-twice", CAUSE_DRAW, "colours are encoded as sRGB twice",
      "encode in the shader or by GL_FRAMEBUFFER_SRGB, not both", PARAMETER_NONE, 0, NULL},
     ENCODE, 0, 0, 0.999},
    {{"srgb-missing", CAUSE_DRAW, "colours are linear, not encoded as sRGB",
      "encode in the shader, or enable GL_FRAMEBUFFER_SRGB with an sRGB target", PARAMETER_NONE, 0, NULL},
     DECODE, 0, 0, 0.999},
    {{"premultiplied-twice", CAUSE_DRAW, "colours are multiplied by alpha twice",
      "blend premultiplied colours by (GL_ONE, GL_ONE_MINUS_SRC_ALPHA), straight ones by GL_SRC_ALPHA", PARAMETER_NONE, 0,
      NULL},
     PREMULTIPLY, 0, 0, 0.999},
#define HALF_PIXEL(dx, dy, where)                                                                                      \
    {{"half-pixel", CAUSE_DRAW, "the picture is shifted by half a pixel",                                              \
      "pixel centres are at .5: look at the viewport, the projection and the resolve", PARAMETER_NONE, 0, where},      \
     SHIFT, dx, dy, 0.6}
    HALF_PIXEL(1, 1, "left and up"),
    HALF_PIXEL(-1, 1, "right and up"),
    HALF_PIXEL(1, -1, "left and down"),
    HALF_PIXEL(-1, -1, "right and down"),
#undef HALF_PIXEL
};

/* A cause, what it makes of a colour that is a multiple of a quarter, and how far apart the pixels are that it is tried on. */
struct trial {
    const struct picture_cause *cause;
    double levels[4 * 255 + 1];
    int64_t step;
};

static void begin_trial(struct trial *trial, const struct picture_cause *cause)
{
    trial->cause = cause;
    for (int i = 0; i <= 4 * 255; i++) {
        double value = i / (4 * 255.0);
        trial->levels[i] = 255 * (cause->change == ENCODE   ? srgb_encode(value)
                                  : cause->change == DECODE ? srgb_decode(value)
                                                            : value);
    }
}

/* What the mistake makes of the reference at a pixel. */
static void change_pixel(const struct trial *trial, const struct image *image, int64_t x, int64_t y, double out[4])
{
    const struct picture_cause *tried = trial->cause;
    enum change change = tried->change;
    x = change == MIRROR ? (int64_t)image->width - 1 - x : x;
    y = change == FLIP ? (int64_t)image->height - 1 - y : y;
    const uint8_t *corners[4] = {pixel_at(image, x, y), pixel_at(image, x + tried->dx, y),
                                 pixel_at(image, x, y + tried->dy), pixel_at(image, x + tried->dx, y + tried->dy)};
    for (int c = 0; c < 4; c++) {
        const int sum = corners[0][c] + corners[1][c] + corners[2][c] + corners[3][c];
        out[c] = c == 3 ? 0.25 * sum : change == PREMULTIPLY ? 0.25 * sum * corners[0][3] / 255 : trial->levels[sum];
    }
}

/* Squares of what is left and of what there was. Where theirs is as ours and ours is the background, which is cleared and not
 * drawn, there is nothing to explain. */
static struct explanation try_picture(const struct trial *trial, const struct image *ours, const struct image *theirs)
{
    struct explanation out = {.cause_count = 1, .causes = {trial->cause->cause}};
    double left = 0, was = 0;
    for (int64_t y = 0; y < theirs->height; y += trial->step)
        for (int64_t x = 0; x < theirs->width; x += trial->step) {
            const uint8_t *a = pixel_at(ours, x, y), *b = pixel_at(theirs, x, y), *ground = ours->rgba;
            double changed[4], most = 0;
            int before = 0;
            bool is_ground = true;
            change_pixel(trial, ours, x, y, changed);
            for (int c = 0; c < 4; c++) {
                before = abs(a[c] - b[c]) > before ? abs(a[c] - b[c]) : before;
                most = fmax(most, fabs(changed[c] - b[c]));
                is_ground = is_ground && a[c] == ground[c];
            }
            if (before == 0 && is_ground)
                continue;
            was += (double)before * before;
            left += most > LEVELS ? most * most : 0;
            out.explained += before > LEVELS && most <= LEVELS;
            out.broken += before <= LEVELS && most > LEVELS;
            out.residual = fmax(out.residual, most / 255);
        }
    out.explains = was > 0 ? fmax(1 - left / was, 0) : 0;
    return out;
}

static int compare_explanations(const void *a, const void *b)
{
    const struct explanation *x = a, *y = b;
    return (x->explains < y->explains) - (x->explains > y->explains);
}

struct diagnosis *diagnose_picture(const struct image *ours, const struct image *theirs, struct arena *arena)
{
    enum { COUNT = sizeof picture_causes / sizeof *picture_causes, SMALL = 1 << 19 };
    struct diagnosis *out = ARENA_NEW(arena, struct diagnosis, 1);
    *out = (struct diagnosis){.counts = "pixels", .first = CAUSE_DRAW, .is_finite = true, .tells = NAN};
    if (ours->width != theirs->width || ours->height != theirs->height)
        return out;
    out->compared = ours->width * ours->height;
    for (size_t i = 0; i < out->compared; i++) {
        int most = 0;
        for (int c = 0; c < 4; c++) {
            int gap = abs(ours->rgba[4 * i + c] - theirs->rgba[4 * i + c]);
            most = gap > most ? gap : most;
        }
        out->differ += most > LEVELS;
        out->displacement = fmax(out->displacement, most / 255.0);
    }
    if (out->differ == 0)
        return out;
    out->explanations = ARENA_NEW(arena, struct explanation, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        struct trial trial = {.step = 1 + (int64_t)out->compared / SMALL};
        begin_trial(&trial, &picture_causes[i]);
        /* A sample of a large picture rules most causes out, so that few are tried on all of it. */
        if (trial.step > 1 && try_picture(&trial, ours, theirs).explains < 0.5)
            continue;
        trial.step = 1;
        struct explanation tried = try_picture(&trial, ours, theirs);
        bool is_full = tried.explains >= picture_causes[i].enough;
        tried.explains = is_full ? 1 : fmin(tried.explains, 0.9999);
        out->full_count += is_full;
        if (tried.explains >= 0.01)
            out->explanations[out->explanation_count++] = tried;
    }
    qsort(out->explanations, out->explanation_count, sizeof *out->explanations, compare_explanations);
    return out;
}
