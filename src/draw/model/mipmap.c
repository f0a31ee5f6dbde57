#include "draw/renderer.h"

uint32_t mipmap_half(uint32_t size)
{
    return size > 1 ? size / 2 : 1;
}

/* The texels [first, end) that texel `i` of `half` covers, of `size`. */
static void covered(uint32_t i, uint32_t size, uint32_t half, uint32_t *first, uint32_t *end)
{
    *first = (uint32_t)((uint64_t)i * size / half);
    *end = (uint32_t)(((uint64_t)(i + 1) * size + half - 1) / half);
}

void mipmap_reduce(const uint8_t *in, uint32_t width, uint32_t height, uint8_t *out)
{
    uint32_t half_width = mipmap_half(width), half_height = mipmap_half(height);
    for (uint32_t y = 0; y < half_height; y++) {
        uint32_t top, bottom;
        covered(y, height, half_height, &top, &bottom);
        for (uint32_t x = 0; x < half_width; x++, out += 4) {
            uint32_t left, right;
            covered(x, width, half_width, &left, &right);
            uint32_t sum[4] = {0}, count = (bottom - top) * (right - left);
            for (uint32_t v = top; v < bottom; v++)
                for (uint32_t u = left; u < right; u++)
                    for (int c = 0; c < 4; c++)
                        sum[c] += in[((uint64_t)v * width + u) * 4 + (uint64_t)c];
            for (int c = 0; c < 4; c++)
                out[c] = (uint8_t)((sum[c] + count / 2) / count);
        }
    }
}
