#include "import/gltf/gltf_vertices.h"

#include <stdlib.h>
#include <string.h>

#include "import/assimp/library_probe.h"
#include "import/gltf/gltf_accessor.h"

uint32_t gltf_first_use(const uint32_t *indices, uint32_t index_count, uint32_t vertex_count, uint32_t *order)
{
    bool *used = calloc((size_t)vertex_count + 1, sizeof *used);
    uint32_t count = 0;
    for (uint32_t i = 0; used && i < index_count; i++) {
        if (indices[i] >= vertex_count || used[indices[i]])
            continue;
        used[indices[i]] = true;
        order[count++] = indices[i];
    }
    free(used);
    return count;
}

/* What the order is found from. */
struct vertices {
    const struct mesh *mesh;
    uint32_t count;
    float *positions; /* [3 * count], or NULL when they are not floats and Assimp garbled them */
    uint32_t *order;  /* [count] */
};

static bool fits(const struct vertices *vertices, uint32_t count)
{
    if (count != vertices->mesh->vertex_count)
        return false;
    for (uint32_t v = 0; vertices->positions && v < count; v++)
        for (int i = 0; i < 3; i++)
            if (vertices->positions[3 * (size_t)vertices->order[v] + (size_t)i] !=
                vertices->mesh->positions[v][i])
                return false;
    return true;
}

static bool fits_in_place(const struct vertices *vertices)
{
    for (uint32_t v = 0; v < vertices->count; v++)
        vertices->order[v] = v;
    return fits(vertices, vertices->count);
}

static bool fits_by_use(const struct vertices *vertices, const uint32_t *indices, uint32_t index_count)
{
    return indices && fits(vertices, gltf_first_use(indices, index_count, vertices->count, vertices->order));
}

static bool read_vertices(struct gltf_file *file, const json_t *primitive, struct vertices *out,
                          struct error *err)
{
    struct gltf_accessor accessor;
    int32_t index = gltf_index(json_object_get(primitive, "attributes"), "POSITION");
    if (!gltf_accessor_find(file, index, &accessor, err))
        return false;
    out->count = accessor.count;
    out->order = calloc((size_t)out->count + 1, sizeof *out->order);
    if (accessor.component == GLTF_FLOAT && accessor.width == 3) {
        out->positions = calloc((size_t)3 * out->count + 1, sizeof *out->positions);
        return out->order && out->positions ? gltf_accessor_floats(file, &accessor, out->positions, err)
                                            : error_set(err, "out of memory");
    }
    return out->order || error_set(err, "out of memory");
}

/* The indices of the primitive: NULL and true when it has none. */
static bool read_indices(struct gltf_file *file, const json_t *primitive, uint32_t **indices, uint32_t *count,
                         struct error *err)
{
    struct gltf_accessor accessor;
    int32_t index = gltf_index(primitive, "indices");
    if (index == GLTF_NONE)
        return true;
    if (!gltf_accessor_find(file, index, &accessor, err))
        return false;
    if (accessor.width != 1)
        return error_set(err, "the indices are not SCALAR");
    *count = accessor.count;
    *indices = calloc((size_t)*count + 1, sizeof **indices);
    return *indices ? gltf_accessor_indices(file, &accessor, *indices, err) : error_set(err, "out of memory");
}

uint32_t *gltf_vertex_order(struct gltf_file *file, const json_t *primitive, const struct mesh *mesh,
                            uint32_t *vertex_count, struct error *err)
{
    struct vertices vertices = {.mesh = mesh};
    uint32_t *indices = NULL;
    uint32_t index_count = 0;
    bool good = read_vertices(file, primitive, &vertices, err) &&
                read_indices(file, primitive, &indices, &index_count, err);
    if (good && library_gltf()->orders_by_use)
        good = fits_by_use(&vertices, indices, index_count) || fits_in_place(&vertices);
    else if (good)
        good = fits_in_place(&vertices) || fits_by_use(&vertices, indices, index_count);
    if (!good) {
        error_set(err, "its %u vertices are not the file's %u in any order known of Assimp",
                  (unsigned)mesh->vertex_count, (unsigned)vertices.count);
        free(vertices.order);
        vertices.order = NULL;
    }
    free(vertices.positions);
    free(indices);
    *vertex_count = vertices.count;
    return vertices.order;
}
