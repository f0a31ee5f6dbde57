#include "draw/renderer.h"

#include <string.h>

/* Of the sums of a pixel's samples. Everything stays under 2^27. */
static void resolve_pixel(const uint32_t sum[4], uint32_t count, const uint8_t background[4], uint8_t out[4])
{
    uint32_t full = 255 * count;                       /* the sum that means 1.0 */
    uint32_t behind = (full - sum[3]) * background[3]; /* what the background adds: of 255 * full */
    uint32_t alpha = 255 * sum[3] + behind;            /* of 255 * full */
    if (sum[3] == 0) {
        memcpy(out, background, 4);
    } else if (sum[3] == full) {
        for (int c = 0; c < 4; c++)
            out[c] = (uint8_t)((sum[c] + count / 2) / count);
    } else {
        for (int c = 0; c < 3; c++) {
            uint32_t value = (255 * 255 * sum[c] + behind * background[c] + alpha / 2) / alpha;
            out[c] = (uint8_t)(value > 255 ? 255 : value);
        }
        out[3] = (uint8_t)((alpha + full / 2) / full);
    }
}

void resolve_samples(const uint8_t *samples, uint32_t width, uint32_t height, unsigned factor,
                     const uint8_t background[4], uint8_t *out, size_t out_stride)
{
    size_t stride = (size_t)width * factor * 4;
    for (uint32_t y = 0; y < height; y++, out += out_stride) {
        const uint8_t *lower = samples + (size_t)(height - 1 - y) * factor * stride, *upper = lower + stride;
        for (uint32_t x = 0; x < width; x++, lower += 4 * factor, upper += 4 * factor) {
            uint32_t sum[4] = {lower[0], lower[1], lower[2], lower[3]};
            for (int c = 0; c < 4 && factor == 2; c++)
                sum[c] = (uint32_t)upper[c] + upper[c + 4] + lower[c] + lower[c + 4];
            resolve_pixel(sum, factor * factor, background, out + 4 * (size_t)x);
        }
    }
}

void resolve_numbers(const uint8_t *samples, uint32_t width, uint32_t height, uint32_t *out, size_t out_stride)
{
    for (uint32_t y = 0; y < height; y++, out += out_stride) {
        const uint8_t *sample = samples + (size_t)(height - 1 - y) * width * 4;
        for (uint32_t x = 0; x < width; x++, sample += 4)
            out[x] = sample[0] | (uint32_t)sample[1] << 8 | (uint32_t)sample[2] << 16;
    }
}
