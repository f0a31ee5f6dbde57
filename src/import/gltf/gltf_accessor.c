#include "import/gltf/gltf_accessor.h"

#include <string.h>

static size_t component_size(enum gltf_component component)
{
    switch (component) {
    case GLTF_BYTE:
    case GLTF_UNSIGNED_BYTE:
        return 1;
    case GLTF_SHORT:
    case GLTF_UNSIGNED_SHORT:
        return 2;
    case GLTF_UNSIGNED_INT:
    case GLTF_FLOAT:
        return 4;
    }
    return 0;
}

static uint32_t type_width(const char *type)
{
    static const struct {
        const char *name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].width;
    return 0;
}

bool gltf_accessor_find(const struct gltf_file *file, int64_t index, struct gltf_accessor *out,
                        struct error *err)
{
    const json_t *json = gltf_item(file, "accessors", index);
    if (!json)
        return error_set(err, "there is no accessor %lld", (long long)index);
    int32_t component = gltf_index(json, "componentType");
    int32_t count = gltf_index(json, "count");
    const char *type = gltf_string(json, "type", "");
    *out = (struct gltf_accessor){
        .count = count > 0 ? (uint32_t)count : 0,
        .width = type_width(type),
        .component = component,
        .normalized = json_is_true(json_object_get(json, "normalized")),
        .json = json,
    };
    size_t size = component > 0 ? component_size(out->component) : 0;
    if (size == 0 || out->width == 0 || count < 0)
        return error_set(err, "accessor %d has no known type", (int)index);
    if (strncmp(type, "MAT", 3) == 0 && size < 4)
        return error_set(err, "accessor %d: matrices of small integers are not supported", (int)index);
    if (out->count > GLTF_ACCESSOR_LIMIT / out->width)
        return error_set(err, "accessor %d has too many elements: %u", (int)index, (unsigned)out->count);
    return true;
}

/* ---- where the bytes are ----------------------------------------------------------------------------------------- */

struct elements {
    const unsigned char *data;
    size_t stride;
};

/*
 * `count` elements of `size` bytes at `offset` in a buffer view, all of it inside the view and the buffer.
 * Assimp wants no room behind the last element's own bytes either.
 */
static bool find_elements(struct gltf_file *file, int64_t view_index, size_t offset, size_t count,
                          size_t size, struct elements *out, struct error *err)
{
    const json_t *view = gltf_item(file, "bufferViews", view_index);
    if (!view)
        return error_set(err, "there is no buffer view %lld", (long long)view_index);
    const json_t *extensions = json_object_get(view, "extensions");
    if (json_object_get(extensions, "EXT_meshopt_compression") ||
        json_object_get(extensions, "KHR_meshopt_compression"))
        return error_set(err, "buffer view %d is compressed", (int)view_index);
    const unsigned char *data;
    size_t buffer_size;
    if (!gltf_buffer_read(file, gltf_index(view, "buffer"), &data, &buffer_size, err))
        return false;
    size_t start;
    size_t length;
    bool good = gltf_size(view, "byteOffset", 0, &start) && gltf_size(view, "byteStride", 0, &out->stride) &&
                start <= buffer_size && gltf_size(view, "byteLength", buffer_size - start, &length) &&
                length <= buffer_size - start && offset <= length;
    out->stride = good && out->stride ? out->stride : size;
    if (good && count > 0)
        good = size <= length - offset &&
               (count - 1 == 0 || out->stride <= (length - offset - size) / (count - 1));
    if (!good)
        return error_set(err, "an accessor reaches past buffer view %d", (int)view_index);
    out->data = data + start + offset;
    return true;
}

static uint32_t read_unsigned(const unsigned char *bytes, size_t size)
{
    uint32_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint32_t)bytes[i] << 8 * i;
    return value;
}

static float read_float(const unsigned char *bytes, const struct gltf_accessor *accessor)
{
    uint32_t bits = read_unsigned(bytes, component_size(accessor->component));
    double value = bits;
    double largest = 4294967295.0;
    float plain;
    switch (accessor->component) {
    case GLTF_FLOAT:
        memcpy(&plain, &bits, sizeof plain);
        return plain;
    case GLTF_BYTE:
        value = (int8_t)bits;
        largest = 127;
        break;
    case GLTF_UNSIGNED_BYTE:
        largest = 255;
        break;
    case GLTF_SHORT:
        value = (int16_t)bits;
        largest = 32767;
        break;
    case GLTF_UNSIGNED_SHORT:
        largest = 65535;
        break;
    case GLTF_UNSIGNED_INT:
        break;
    }
    if (!accessor->normalized)
        return (float)value;
    return (float)(value < -largest ? -1.0 : value / largest);
}

/* ---- elements to numbers ----------------------------------------------------------------------------------------- */

/* Where the numbers go: one of the two. */
struct sink {
    float *floats;
    uint32_t *indices;
};

static void store(const struct gltf_accessor *accessor, const unsigned char *element, size_t index,
                  struct sink out)
{
    size_t size = component_size(accessor->component);
    for (uint32_t c = 0; c < accessor->width; c++) {
        if (out.floats)
            out.floats[index * accessor->width + c] = read_float(element + c * size, accessor);
        else
            out.indices[index * accessor->width + c] = read_unsigned(element + c * size, size);
    }
}

static void clear(const struct gltf_accessor *accessor, struct sink out)
{
    size_t n = (size_t)accessor->count * accessor->width;
    if (out.floats && n > 0)
        memset(out.floats, 0, n * sizeof *out.floats);
    else if (n > 0)
        memset(out.indices, 0, n * sizeof *out.indices);
}

/* `count` elements under `key` of the sparse object ("indices", "values"). */
static bool find_sparse(struct gltf_file *file, const json_t *sparse, const char *key, size_t count,
                        size_t size, struct elements *out, struct error *err)
{
    const json_t *part = json_object_get(sparse, key);
    size_t offset;
    if (!gltf_size(part, "byteOffset", 0, &offset))
        return error_set(err, "the sparse %s have no valid offset", key);
    return find_elements(file, gltf_index(part, "bufferView"), offset, count, size, out, err);
}

static bool read_sparse(struct gltf_file *file, const struct gltf_accessor *accessor, const json_t *sparse,
                        struct sink out, struct error *err)
{
    int32_t count = gltf_index(sparse, "count");
    int32_t kind = gltf_index(json_object_get(sparse, "indices"), "componentType");
    if (count < 0 || (uint32_t)count > accessor->count)
        return error_set(err, "an accessor has %d sparse values for %u elements", (int)count,
                         (unsigned)accessor->count);
    if (kind != GLTF_UNSIGNED_BYTE && kind != GLTF_UNSIGNED_SHORT && kind != GLTF_UNSIGNED_INT)
        return error_set(err, "sparse indices have the component type %d", (int)kind);
    size_t index_size = component_size((enum gltf_component)kind);
    struct elements at;
    struct elements values;
    if (!find_sparse(file, sparse, "indices", (size_t)count, index_size, &at, err) ||
        !find_sparse(file, sparse, "values", (size_t)count,
                     accessor->width * component_size(accessor->component), &values, err))
        return false;
    for (size_t i = 0; i < (size_t)count; i++) {
        uint32_t index = read_unsigned(at.data + i * at.stride, index_size);
        if (index >= accessor->count)
            return error_set(err, "sparse index %u is out of range, there are %u elements", (unsigned)index,
                             (unsigned)accessor->count);
        store(accessor, values.data + i * values.stride, index, out);
    }
    return true;
}

static bool read_all(struct gltf_file *file, const struct gltf_accessor *accessor, struct sink out,
                     struct error *err)
{
    size_t size = accessor->width * component_size(accessor->component);
    if (!json_object_get(accessor->json, "bufferView")) {
        clear(accessor, out);
    } else {
        size_t offset;
        struct elements elements;
        if (!gltf_size(accessor->json, "byteOffset", 0, &offset))
            return error_set(err, "an accessor has no valid offset");
        if (!find_elements(file, gltf_index(accessor->json, "bufferView"), offset, accessor->count, size,
                           &elements, err))
            return false;
        for (size_t i = 0; i < accessor->count; i++)
            store(accessor, elements.data + i * elements.stride, i, out);
    }
    const json_t *sparse = json_object_get(accessor->json, "sparse");
    return !json_is_object(sparse) || read_sparse(file, accessor, sparse, out, err);
}

bool gltf_accessor_floats(struct gltf_file *file, const struct gltf_accessor *accessor, float *out,
                          struct error *err)
{
    return read_all(file, accessor, (struct sink){.floats = out}, err);
}

bool gltf_accessor_indices(struct gltf_file *file, const struct gltf_accessor *accessor, uint32_t *out,
                           struct error *err)
{
    enum gltf_component component = accessor->component;
    if (component != GLTF_UNSIGNED_BYTE && component != GLTF_UNSIGNED_SHORT && component != GLTF_UNSIGNED_INT)
        return error_set(err, "an accessor of indices has the component type %d", (int)component);
    return read_all(file, accessor, (struct sink){.indices = out}, err);
}
