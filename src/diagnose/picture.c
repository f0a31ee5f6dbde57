/* Mistakes that pictures alone show: the reference's picture is changed by each, and held against theirs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
      "blend premultiplied colours by (GL_ONE, GL_ONE_MINUS_SRC_ALPHA), straight ones by GL_SRC_ALPHA", PARAMETER_NONE,
      0, NULL},
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

/* A cause, and what it makes of a colour that is a multiple of a quarter. */
struct trial {
    const struct picture_cause *cause;
    double levels[4 * 255 + 1];
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

/* Makes of the reference at a pixel what the mistake would. */
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

/* Squares of what is left of a difference and of what there was, and the figures of an explanation. */
struct tally {
    double left, was, residual;
    uint32_t explained, broken;
};

/* Where theirs is as ours and ours is the background, which is cleared and not drawn, there is nothing to explain. */
static void try_run(const struct trial *trial, const struct image *ours, const struct image *theirs, uint32_t from,
                    uint32_t y, uint32_t count, struct tally *out)
{
    const uint8_t *a = pixel_at(ours, from, y), *b = pixel_at(theirs, from, y);
    for (uint32_t x = from; x < from + count; x++, a += 4, b += 4) {
        double changed[4], most = 0;
        int before = 0;
        if (memcmp(a, b, 4) == 0 && memcmp(a, ours->rgba, 4) == 0)
            continue;
        change_pixel(trial, ours, x, y, changed);
        for (int c = 0; c < 4; c++) {
            const double gap = fabs(changed[c] - b[c]);
            before = abs(a[c] - b[c]) > before ? abs(a[c] - b[c]) : before;
            most = gap > most ? gap : most;
        }
        out->was += (double)before * before;
        out->left += most > LEVELS ? most * most : 0;
        out->explained += before > LEVELS && most <= LEVELS;
        out->broken += before <= LEVELS && most > LEVELS;
        out->residual = most / 255 > out->residual ? most / 255 : out->residual;
    }
}

enum { RUNS_MOST = 1024 };

/* Runs of pixels that differ: all, or a random sample, those with the smallest hashes. */
struct sample {
    uint32_t count;
    uint64_t limit;
    struct {
        uint32_t x, y, hash;
    } runs[RUNS_MOST];
};

static void sample_add(struct sample *sample, uint32_t x, uint32_t y, uint32_t width)
{
    const uint32_t hash = (y * width + x) / IMAGE_RUN * 2654435761u;
    while (sample->count == RUNS_MOST && hash < sample->limit) {
        uint32_t kept = 0;
        sample->limit /= 2;
        for (uint32_t i = 0; i < sample->count; i++)
            if (sample->runs[i].hash < sample->limit)
                sample->runs[kept++] = sample->runs[i];
        sample->count = kept;
    }
    if (hash >= sample->limit)
        return;
    sample->runs[sample->count].x = x;
    sample->runs[sample->count].y = y;
    sample->runs[sample->count++].hash = hash;
}

static uint32_t run_length(const struct image *image, uint32_t x)
{
    return image->width - x < IMAGE_RUN ? image->width - x : IMAGE_RUN;
}

/* Squares of the differences, and into `out` how many and how large they are. */
static double measure_pictures(const struct image *ours, const struct image *theirs, struct sample *sample,
                               struct diagnosis *out)
{
    double was = 0;
    uint8_t largest = 0;
    for (uint32_t y = 0; y < ours->height; y++)
        for (uint32_t x = 0, count; x < ours->width; x += count) {
            uint8_t deltas[IMAGE_RUN];
            uint32_t squares = 0;
            count = run_length(ours, x);
            if (!image_deltas(pixel_at(ours, x, y), pixel_at(theirs, x, y), count, deltas))
                continue;
            sample_add(sample, x, y, ours->width);
            for (uint32_t i = 0; i < count; i++) {
                out->differ += deltas[i] > LEVELS;
                largest = deltas[i] > largest ? deltas[i] : largest;
                squares += (uint32_t)deltas[i] * deltas[i];
            }
            was += squares;
        }
    out->displacement = largest / 255.0;
    return was;
}

/* Returns how much of the difference, `was`, the mistake explains, 0 to 1. Ends early where it cannot be enough. */
static double try_picture(const struct trial *trial, const struct image *ours, const struct image *theirs, double was,
                          struct tally *tally)
{
    for (uint32_t y = 0; y < ours->height && 1 - tally->left / was >= trial->cause->enough; y++)
        try_run(trial, ours, theirs, 0, y, ours->width, tally);
    return fmax(1 - tally->left / was, 0);
}

static bool sample_refutes(const struct trial *trial, const struct image *ours, const struct image *theirs,
                           const struct sample *sample)
{
    struct tally tally = {0};
    for (uint32_t i = 0; i < sample->count; i++)
        try_run(trial, ours, theirs, sample->runs[i].x, sample->runs[i].y, run_length(ours, sample->runs[i].x), &tally);
    return 1 - tally.left / tally.was < 0.5;
}

struct diagnosis *diagnose_picture(const struct image *ours, const struct image *theirs, struct arena *arena)
{
    enum { COUNT = sizeof picture_causes / sizeof *picture_causes };
    struct diagnosis *out = ARENA_NEW(arena, struct diagnosis, 1);
    struct sample sample = {.limit = (uint64_t)1 << 32};
    *out = (struct diagnosis){.counts = "pixels", .first = CAUSE_DRAW, .is_finite = true, .tells = NAN};
    if (ours->width != theirs->width || ours->height != theirs->height)
        return out;
    out->compared = ours->width * ours->height;
    const double was = measure_pictures(ours, theirs, &sample, out);
    if (out->differ == 0)
        return out;
    out->explanations = ARENA_NEW(arena, struct explanation, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        struct trial trial;
        struct tally tally = {0};
        begin_trial(&trial, &picture_causes[i]);
        if (sample_refutes(&trial, ours, theirs, &sample) ||
            try_picture(&trial, ours, theirs, was, &tally) < picture_causes[i].enough)
            continue;
        out->explanations[out->full_count++] = (struct explanation){
            .explains = 1, .residual = tally.residual, .explained = tally.explained, .broken = tally.broken,
            .cause_count = 1, .causes = {picture_causes[i].cause},
        };
    }
    out->explanation_count = out->full_count;
    return out;
}
