#include "draw/overlay/wireframe.h"

#include <stdlib.h>

static const float edge_color[4] = {0.06f, 0.07f, 0.09f, 1.0f};
static const float edge_half = 0.4f; /* pixels of a picture 512 wide */

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Both ends of every edge in one number, sorted: the same edge of two triangles stands side by side. */
static uint64_t *list_edges(const struct mesh *mesh, size_t *count)
{
    *count = 3 * (size_t)mesh->triangle_count;
    uint64_t *edges = calloc(*count + 1, sizeof *edges);
    for (size_t i = 0; edges && i < *count; i++) {
        uint64_t a = mesh->indices[i], b = mesh->indices[i % 3 == 2 ? i - 2 : i + 1];
        edges[i] = a < b ? a << 32 | b : b << 32 | a;
    }
    if (edges)
        qsort(edges, *count, sizeof *edges, ascending);
    return edges;
}

bool wireframe_primitives(struct canvas *canvas, const struct mesh *mesh, const struct skinned *skinned)
{
    size_t count;
    uint64_t *edges = list_edges(mesh, &count);
    if (!edges)
        return false;
    for (size_t i = 0; i < count && !canvas->failed; i++) {
        point a, b;
        if (i > 0 && edges[i] == edges[i - 1])
            continue;
        const float *from = skinned->positions[edges[i] >> 32], *to = skinned->positions[edges[i] & 0xffffffffu];
        if (project_segment(canvas, from, to, &a, &b))
            add_line(canvas, a, b, edge_half * canvas->unit, edge_color);
    }
    free(edges);
    return !canvas->failed;
}
