#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/vector.h"

struct place {
    vec3 position;
    uint32_t vertex;
};

static int by_position(const void *a, const void *b)
{
    const struct place *x = a;
    const struct place *y = b;
    for (int i = 0; i < 3; i++)
        if (x->position[i] != y->position[i])
            return x->position[i] < y->position[i] ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* For every vertex the first one at the same place. */
static uint32_t *find_twins(const struct mesh *mesh)
{
    struct place *places = scratch_alloc(mesh->vertex_count, sizeof *places);
    uint32_t *twins = scratch_alloc(mesh->vertex_count, sizeof *twins);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        memcpy(places[v].position, mesh->positions[v], sizeof places[v].position);
        places[v].vertex = v;
    }
    qsort(places, mesh->vertex_count, sizeof *places, by_position);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        bool same = i > 0;
        for (int k = 0; same && k < 3; k++)
            same = places[i].position[k] == places[i - 1].position[k];
        twins[places[i].vertex] = same ? twins[places[i - 1].vertex] : places[i].vertex;
    }
    free(places);
    return twins;
}

/* Twice the area times the unit normal; in double, for coordinates may be large. */
static void face_normal(const struct mesh *mesh, const uint32_t corners[3], double out[3])
{
    double a[3];
    double b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = (double)mesh->positions[corners[1]][i] - (double)mesh->positions[corners[0]][i];
        b[i] = (double)mesh->positions[corners[2]][i] - (double)mesh->positions[corners[0]][i];
    }
    vec3d_cross(a, b, out);
}

void compute_normals(struct mesh *mesh)
{
    uint32_t *twins = find_twins(mesh);
    double(*sums)[3] = scratch_alloc(mesh->vertex_count, sizeof *sums);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double normal[3];
        face_normal(mesh, &mesh->indices[3 * t], normal);
        for (int corner = 0; corner < 3; corner++)
            for (int i = 0; i < 3; i++)
                sums[twins[mesh->indices[3 * t + (uint32_t)corner]]][i] += normal[i];
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const double *sum = sums[twins[v]];
        double length = vec3d_length(sum);
        for (int i = 0; i < 3; i++)
            mesh->normals[v][i] = length > 0 && isfinite(length) ? (float)(sum[i] / length) : 0.0f;
    }
    free(sums);
    free(twins);
}
