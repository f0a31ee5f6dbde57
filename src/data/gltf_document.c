#include "data/gltf_document.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "base/bytes.h"

unsigned gltf_component_size(enum gltf_component component)
{
    return component <= GLTF_UNSIGNED_BYTE ? 1 : component <= GLTF_UNSIGNED_SHORT ? 2 : 4;
}

struct gltf_document gltf_document_create(json_t *root)
{
    return (struct gltf_document){root ? root : json_object(), json_array(), json_array(), {0}};
}

void gltf_document_release(struct gltf_document *document)
{
    json_decref(document->root);
    json_decref(document->accessors);
    json_decref(document->views);
    text_release(&document->bytes);
}

size_t gltf_align(struct gltf_document *document)
{
    text_add_bytes(&document->bytes, "\0\0\0", (4 - document->bytes.size % 4) % 4);
    return document->bytes.size;
}

void gltf_add_elements(struct gltf_document *document, const struct gltf_column *column, size_t first, size_t count)
{
    for (size_t i = first * column->width; i < (first + count) * column->width; i++) {
        const float real = (float)column->numbers[i];
        uint32_t bits;
        memcpy(&bits, &real, sizeof bits);
        bits = column->component == GLTF_FLOAT ? bits : (uint32_t)(int64_t)column->numbers[i];
        add_little_endian(&document->bytes, bits, gltf_component_size(column->component));
    }
}

int32_t gltf_add_view(struct gltf_document *document, size_t offset, size_t stride, enum gltf_view_target target)
{
    json_t *view = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)offset, "byteLength",
                             (json_int_t)(document->bytes.size - offset));
    if (stride > 0)
        json_object_set_new(view, "byteStride", json_integer((json_int_t)stride));
    if (target != GLTF_NO_TARGET)
        json_object_set_new(view, "target", json_integer(target));
    json_array_append_new(document->views, view);
    return (int32_t)json_array_size(document->views) - 1;
}

static json_t *range_of(const struct gltf_column *column, bool is_most)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < column->width; k++) {
        double limit = column->count > 0 ? column->numbers[k] : 0;
        for (uint32_t i = 1; i < column->count; i++) {
            const double value = column->numbers[(size_t)i * column->width + k];
            limit = is_most ? fmax(limit, value) : fmin(limit, value);
        }
        json_array_append_new(list, column->component == GLTF_FLOAT ? json_real(limit)
                                                                    : json_integer((json_int_t)limit));
    }
    return list;
}

uint32_t gltf_add_accessor(struct gltf_document *document, const struct gltf_column *column, int32_t view,
                           size_t offset)
{
    static const char *const types[] = {
        [1] = "SCALAR", [2] = "VEC2", [3] = "VEC3", [4] = "VEC4", [9] = "MAT3", [16] = "MAT4"};
    json_t *accessor = json_object();
    if (view >= 0)
        json_object_set_new(accessor, "bufferView", json_integer(view));
    if (offset > 0)
        json_object_set_new(accessor, "byteOffset", json_integer((json_int_t)offset));
    json_object_set_new(accessor, "componentType", json_integer(column->component));
    if (column->is_normalised)
        json_object_set_new(accessor, "normalized", json_true());
    json_object_set_new(accessor, "count", json_integer((json_int_t)column->count));
    json_object_set_new(accessor, "type", json_string(types[column->width]));
    if (column->has_range) {
        json_object_set_new(accessor, "min", range_of(column, false));
        json_object_set_new(accessor, "max", range_of(column, true));
    }
    json_array_append_new(document->accessors, accessor);
    return (uint32_t)json_array_size(document->accessors) - 1;
}

uint32_t gltf_add_column(struct gltf_document *document, const struct gltf_column *column, size_t skipped)
{
    const size_t offset = gltf_align(document), element = column->width * gltf_component_size(column->component);
    const size_t padding = column->target == GLTF_ARRAY_BUFFER ? (4 - element % 4) % 4 : 0;
    for (size_t i = 0; i < skipped; i++)
        text_add_bytes(&document->bytes, "\xA5", 1);
    for (uint32_t i = 0; i < column->count; i++) {
        gltf_add_elements(document, column, i, 1);
        text_add_bytes(&document->bytes, "\0\0\0", padding);
    }
    const int32_t view = gltf_add_view(document, offset, padding > 0 ? element + padding : 0, column->target);
    return gltf_add_accessor(document, column, view, skipped);
}

void gltf_document_finish(struct gltf_document *document, bool embeds)
{
    SCOPED(text) uri = {0};
    if (json_array_size(document->accessors) == 0)
        return;
    json_object_set(document->root, "accessors", document->accessors);
    json_object_set(document->root, "bufferViews", document->views);
    if (embeds) {
        text_add(&uri, "data:application/octet-stream;base64,");
        text_add_base64(&uri, document->bytes.data, document->bytes.size);
    }
    json_object_set_new(document->root, "buffers",
                        json_pack("[{s:I, s:s*}]", "byteLength", (json_int_t)document->bytes.size, "uri",
                                  embeds ? text_string(&uri) : NULL));
}

static void add_chunk(struct text *out, const char kind[4], const void *data, size_t size, const char padding[3])
{
    const size_t more = (4 - size % 4) % 4;
    add_little_endian(out, size + more, 4);
    text_add_bytes(out, kind, 4);
    text_add_bytes(out, data, size);
    text_add_bytes(out, padding, more);
}

void gltf_add_container(struct text *out, const char *json, const void *bin, size_t size)
{
    const size_t before = out->size;
    text_add_bytes(out, "glTF\2\0\0\0\0\0\0\0", 12);
    add_chunk(out, "JSON", json, strlen(json), "   ");
    if (bin)
        add_chunk(out, "BIN", bin, size, "\0\0");
    put_little_endian(out->data + before + 8, out->size - before, 4);
}
