/* Makes pixels of what was read back. */
#include <string.h>

#include "draw/renderer/samples.h"
#include "draw/renderer/renderer.h"

/* A pixel whose 2x2 samples are all empty is the background, one with all opaque their mean. False for any other. */
static bool resolve_uniform(uint64_t upper, uint64_t lower, const uint8_t background[4], uint8_t out[4])
{
    static const uint8_t opaque[8] = {0, 0, 0, 255, 0, 0, 0, 255};
    const uint64_t mask = pair_at(opaque);
    if ((upper | lower) == 0)
        memcpy(out, background, 4);
    if ((upper & lower & mask) != mask)
        return (upper | lower) == 0;
    const uint32_t mean = mean_of_block(upper, lower);
    memcpy(out, &mean, 4);
    return true;
}

/* Sums of samples stay under 2^27. A pixel that nothing was drawn to is a case of its own, as its alpha may be 0. */
void resolve_samples(const uint8_t *samples, uint32_t width, uint32_t height, unsigned factor,
                     const uint8_t background[4], uint8_t *out, size_t out_stride)
{
    const uint32_t full = 255 * factor * factor; /* the sum that means 1.0 */
    size_t stride = (size_t)width * factor * 4;
    for (uint32_t y = 0; y < height; y++, out += out_stride) {
        const uint8_t *lower = samples + (size_t)(height - 1 - y) * factor * stride, *upper = lower + stride;
        for (uint32_t x = 0; x < width; x++, lower += 4 * factor, upper += 4 * factor) {
            if (factor == 2 && resolve_uniform(pair_at(upper), pair_at(lower), background, out + 4 * (size_t)x))
                continue;
            uint32_t sum[4] = {lower[0], lower[1], lower[2], lower[3]};
            for (int c = 0; c < 4 && factor == 2; c++)
                sum[c] = (uint32_t)upper[c] + upper[c + 4] + lower[c] + lower[c + 4];
            uint32_t behind = (full - sum[3]) * background[3]; /* what the background adds: of 255 * full */
            uint32_t alpha = 255 * sum[3] + behind;            /* of 255 * full */
            uint8_t *pixel = out + 4 * (size_t)x;
            if (sum[3] == 0) {
                memcpy(pixel, background, 4);
                continue;
            }
            for (int c = 0; c < 3; c++) {
                uint32_t value = (255 * 255 * sum[c] + behind * background[c] + alpha / 2) / alpha;
                pixel[c] = (uint8_t)(value > 255 ? 255 : value);
            }
            pixel[3] = (uint8_t)((alpha + full / 2) / full);
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
