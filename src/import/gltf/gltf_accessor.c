#include "import/gltf/gltf_file.h"

#include <stdlib.h>
#include <string.h>

#include "import/convert.h"

static const struct kind {
    enum gltf_component component;
    unsigned size;
    bool is_signed;
    double largest; /* what normalised integers are divided by */
} kinds[] = {{GLTF_BYTE, 1, true, 127},
             {GLTF_UNSIGNED_BYTE, 1, false, 255},
             {GLTF_SHORT, 2, true, 32767},
             {GLTF_UNSIGNED_SHORT, 2, false, 65535},
             {GLTF_UNSIGNED_INT, 4, false, 4294967295.0},
             {GLTF_FLOAT, 4, true, 1}};

static const struct kind *find_kind(int32_t component)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if ((int32_t)kinds[i].component == component)
            return &kinds[i];
    return NULL;
}

bool gltf_accessor_find(const struct gltf_file *file, int64_t index, struct gltf_accessor *out, struct error *err)
{
    static const struct {
        const char *name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}};
    const json_t *json = gltf_item(file, "accessors", index);
    if (!json)
        return error_set(err, "there is no accessor %lld", (long long)index);
    const char *type = gltf_string(json, "type", "");
    const struct kind *kind = find_kind(gltf_index(json, "componentType"));
    int32_t count = gltf_index(json, "count");
    *out = (struct gltf_accessor){.index = (int32_t)index,
                                  .component = kind ? kind->component : 0,
                                  .normalized = json_is_true(json_object_get(json, "normalized"))};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, type) == 0)
            out->width = types[i].width;
    if (!kind || out->width == 0 || count < 0)
        return error_set(err, "accessor %d has no known type", (int)index);
    if (strncmp(type, "MAT", 3) == 0 && kind->size < 4)
        return error_set(err, "accessor %d: matrices of small integers are not supported", (int)index);
    out->count = (uint32_t)count;
    if (out->count > GLTF_ACCESSOR_LIMIT / out->width)
        return error_set(err, "accessor %d has too many elements: %u", (int)index, (unsigned)out->count);
    return true;
}

/* ---- where the bytes are ----------------------------------------------------------------------------------------- */

struct elements {
    const unsigned char *data;
    size_t stride;
};

/* `count` elements of `size` bytes each at `offset` of a buffer view: all of them lie inside. */
static bool find_elements(struct gltf_file *file, int64_t view_index, size_t offset, size_t count, size_t size,
                          struct elements *out, struct error *err)
{
    const json_t *view = gltf_item(file, "bufferViews", view_index);
    if (!view)
        return error_set(err, "there is no buffer view %lld", (long long)view_index);
    const json_t *extensions = json_object_get(view, "extensions");
    if (json_object_get(extensions, "EXT_meshopt_compression") ||
        json_object_get(extensions, "KHR_meshopt_compression"))
        return error_set(err, "buffer view %d is compressed", (int)view_index);
    const struct blob *buffer = gltf_buffer(file, gltf_index(view, "buffer"), err);
    if (!buffer)
        return false;
    size_t start, length;
    bool good = gltf_size(view, "byteOffset", 0, &start) && gltf_size(view, "byteStride", 0, &out->stride) &&
                start <= buffer->size && gltf_size(view, "byteLength", buffer->size - start, &length) &&
                length <= buffer->size - start && offset <= length;
    out->stride = good && out->stride ? out->stride : size;
    if (good && count > 0)
        good = size <= length - offset && (count == 1 || out->stride <= (length - offset - size) / (count - 1));
    if (!good)
        return error_set(err, "an accessor reaches past buffer view %d", (int)view_index);
    out->data = buffer->data + start + offset;
    return true;
}

/* `count` elements under `key` of the sparse object ("indices", "values"). */
static bool find_sparse(struct gltf_file *file, const json_t *sparse, const char *key, size_t count, size_t size,
                        struct elements *out, struct error *err)
{
    const json_t *part = json_object_get(sparse, key);
    size_t offset;
    if (!gltf_size(part, "byteOffset", 0, &offset))
        return error_set(err, "the sparse %s have no valid offset", key);
    return find_elements(file, gltf_index(part, "bufferView"), offset, count, size, out, err);
}

/* ---- elements to numbers ----------------------------------------------------------------------------------------- */

/* What is read, and where the numbers go: one of the two. */
struct reading {
    struct gltf_file *file;
    const struct gltf_accessor *accessor;
    const struct kind *kind;
    float *floats;
    uint32_t *indices;
};

static float read_float(const struct reading *r, uint32_t bits)
{
    float plain;
    if (r->kind->component == GLTF_FLOAT) {
        memcpy(&plain, &bits, sizeof plain);
        return plain;
    }
    double value = bits;
    if (r->kind->is_signed)
        value = r->kind->size == 1 ? (int8_t)bits : (int16_t)bits;
    if (!r->accessor->normalized)
        return (float)value;
    return (float)(value < -r->kind->largest ? -1.0 : value / r->kind->largest);
}

static void store(const struct reading *r, const unsigned char *element, size_t index)
{
    const uint32_t width = r->accessor->width;
    for (uint32_t c = 0; c < width; c++) {
        uint32_t bits = (uint32_t)little_endian(element + c * r->kind->size, r->kind->size);
        if (r->floats)
            r->floats[index * width + c] = read_float(r, bits);
        else
            r->indices[index * width + c] = bits;
    }
}

static bool read_sparse(const struct reading *r, const json_t *sparse, struct error *err)
{
    const uint32_t elements = r->accessor->count;
    int32_t count = gltf_index(sparse, "count");
    int32_t component = gltf_index(json_object_get(sparse, "indices"), "componentType");
    const struct kind *kind = find_kind(component);
    struct elements at, values;
    if (count < 0 || (uint32_t)count > elements)
        return error_set(err, "an accessor has %d sparse values for %u elements", (int)count, (unsigned)elements);
    if (!kind || kind->is_signed)
        return error_set(err, "sparse indices have the component type %d", (int)component);
    if (!find_sparse(r->file, sparse, "indices", (size_t)count, kind->size, &at, err) ||
        !find_sparse(r->file, sparse, "values", (size_t)count, (size_t)r->accessor->width * r->kind->size, &values,
                     err))
        return false;
    for (size_t i = 0; i < (size_t)count; i++) {
        uint32_t index = (uint32_t)little_endian(at.data + i * at.stride, kind->size);
        if (index >= elements)
            return error_set(err, "sparse index %u is out of range, there are %u elements", (unsigned)index,
                             (unsigned)elements);
        store(r, values.data + i * values.stride, index);
    }
    return true;
}

static bool read_all(const struct reading *r, struct error *err)
{
    const json_t *json = gltf_item(r->file, "accessors", r->accessor->index);
    const json_t *sparse = json_object_get(json, "sparse");
    struct elements elements;
    size_t offset;
    if (json_object_get(json, "bufferView")) {
        if (!gltf_size(json, "byteOffset", 0, &offset))
            return error_set(err, "an accessor has no valid offset");
        if (!find_elements(r->file, gltf_index(json, "bufferView"), offset, r->accessor->count,
                           (size_t)r->accessor->width * r->kind->size, &elements, err))
            return false;
        for (size_t i = 0; i < r->accessor->count; i++)
            store(r, elements.data + i * elements.stride, i);
    }
    return !json_is_object(sparse) || read_sparse(r, sparse, err);
}

const float *gltf_floats(struct gltf_file *file, const struct gltf_accessor *accessor, struct error *err)
{
    float *numbers = file->floats[accessor->index];
    if (!numbers) {
        numbers = memory_new((size_t)accessor->count * accessor->width, sizeof *numbers);
        if (!read_all(&(struct reading){file, accessor, find_kind(accessor->component), numbers}, err)) {
            free(numbers);
            numbers = NULL;
        }
    }
    return file->floats[accessor->index] = numbers;
}

const uint32_t *gltf_indices(struct gltf_file *file, const struct gltf_accessor *accessor, struct error *err)
{
    const struct kind *kind = find_kind(accessor->component);
    uint32_t *numbers = file->indices[accessor->index];
    if (kind->is_signed)
        error_set(err, "an accessor of indices has the component type %d", (int)accessor->component);
    if (!numbers && !kind->is_signed) {
        numbers = memory_new((size_t)accessor->count * accessor->width, sizeof *numbers);
        if (!read_all(&(struct reading){file, accessor, kind, NULL, numbers}, err)) {
            free(numbers);
            numbers = NULL;
        }
    }
    return file->indices[accessor->index] = numbers;
}
