#pragma once

#include <stdint.h>
#include <string.h>

/* Two neighbouring samples, or texels, as one number. Byte order does not matter: a mask is loaded the same way,
 * channels are treated alike. */
static inline uint64_t pair_at(const uint8_t *samples)
{
    uint64_t pair;
    memcpy(&pair, samples, sizeof pair);
    return pair;
}

/* The mean of a block of 2x2, halves upwards, to be copied to where its four bytes belong. */
static inline uint32_t mean_of_block(uint64_t upper, uint64_t lower)
{
    const uint64_t even = 0x00ff00ff00ff00ff;
    uint64_t sums[2] = {(upper & even) + (lower & even), (upper >> 8 & even) + (lower >> 8 & even)};
    uint32_t means[2];
    for (int i = 0; i < 2; i++) /* the half of 32 bits is the second sample's: two channels of 16 */
        means[i] = (((uint32_t)sums[i] + (uint32_t)(sums[i] >> 32) + 0x00020002) >> 2) & 0x00ff00ff;
    return means[0] | means[1] << 8;
}
