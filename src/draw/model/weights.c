/* What a mesh gives GL in another form: weights as bytes, textures of half the size. */
#include "draw/renderer.h"

#include <math.h>
#include <stdlib.h>

/* 255 times the weight, 0 to 255. */
static double share_of(const struct influence *influence)
{
    return 255.0 * fmin(fmax((double)influence->weight, 0.0), 1.0);
}

/* The influence whose byte is farthest below its share. */
static uint32_t largest_remainder(const struct influence *influences, uint32_t count, const uint8_t *bytes)
{
    uint32_t largest = 0;
    for (uint32_t i = 1; i < count; i++)
        if (share_of(&influences[i]) - bytes[i] > share_of(&influences[largest]) - bytes[largest])
            largest = i;
    return largest;
}

void weights_to_bytes(const struct influence *influences, uint32_t count, uint8_t *bytes)
{
    double sum = 0;
    long missing = 0;
    for (uint32_t i = 0; i < count; i++) {
        double share = share_of(&influences[i]);
        bytes[i] = (uint8_t)share;
        missing -= bytes[i];
        sum += share;
    }
    for (missing += lround(sum); missing > 0; missing--)
        bytes[largest_remainder(influences, count, bytes)]++;
}

struct influence *weights_rounded(const struct mesh *mesh)
{
    uint32_t total = mesh->influence_first[mesh->vertex_count];
    struct influence *rounded = malloc((total + 1u) * sizeof *rounded);
    uint8_t *bytes = malloc(total + 1u);
    if (rounded && bytes) {
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            uint32_t first = mesh->influence_first[v];
            weights_to_bytes(mesh->influences + first, mesh->influence_first[v + 1] - first, bytes + first);
        }
        for (uint32_t i = 0; i < total; i++)
            rounded[i] = (struct influence){mesh->influences[i].bone, (float)bytes[i] / 255.0f};
    } else {
        free(rounded);
        rounded = NULL;
    }
    free(bytes);
    return rounded;
}
