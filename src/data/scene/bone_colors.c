#include "data/scene/bone_colors.h"

#include <stdlib.h>

#include "base/memory.h"

/*
 * From the hash FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/; low bits mixed with high ones, which vary more. Hue, saturation
 * and value in whole numbers: six ramps around the circle, each 256 steps.
 */
static void color_of_name(const char *name, uint32_t attempt, uint8_t out[3])
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
    hash = (hash ^ attempt) * 0x100000001b3u;
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9u;
    hash ^= hash >> 32;
    uint32_t hue = (uint32_t)(hash % (6 * 256));
    uint32_t most = 110 + (uint32_t)(hash >> 16) % 146;                    /* of 255 */
    uint32_t least = most * (uint32_t)((hash >> 32) % 128) / 256;          /* below half of it */
    uint32_t ramp = hue % 256, sector = hue / 256;
    uint32_t between = least + (most - least) * (sector % 2 ? 255 - ramp : ramp) / 255;
    const uint32_t levels[6][3] = {{most, between, least}, {between, most, least}, {least, most, between},
                                   {least, between, most}, {between, least, most}, {most, least, between}};
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)levels[sector][c];
}

void bone_colors(const struct scene *scene, uint8_t (*colors)[3])
{
    enum { ALL = 1 << 24, MOST_ATTEMPTS = 1000 }; /* a scene of a million nodes may run out of colours */
    uint8_t *taken = memory_new(ALL / 8, 1); /* a bit a colour */
    for (uint32_t n = 0; n < scene->node_count; n++) {
        uint32_t number = 0;
        for (uint32_t attempt = 0;
             attempt == 0 || ((taken[number / 8] >> number % 8 & 1) && attempt < MOST_ATTEMPTS); attempt++) {
            color_of_name(scene->nodes[n].name, attempt, colors[n]);
            number = colors[n][0] | (uint32_t)colors[n][1] << 8 | (uint32_t)colors[n][2] << 16;
        }
        taken[number / 8] |= (uint8_t)(1u << number % 8);
    }
    free(taken);
}
