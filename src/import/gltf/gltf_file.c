#include "import/gltf/gltf_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/utf8.h"

/* Beyond these a file is refused: of one file, of all buffers together, of numbers in an accessor. */
static const size_t file_limit = (size_t)1 << 30, buffers_limit = (size_t)1 << 31, accessor_limit = 1 << 27;

size_t gltf_count(const struct gltf_file *file, const char *array)
{
    return json_array_size(json_object_get(file->root, array));
}

json_t *gltf_item(const struct gltf_file *file, const char *array, int64_t index)
{
    json_t *item = index < 0 ? NULL : json_array_get(json_object_get(file->root, array), (size_t)index);
    return json_is_object(item) ? item : NULL;
}

static int32_t as_index(const json_t *value)
{
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : GLTF_NONE;
    return number >= 0 && number <= INT32_MAX ? (int32_t)number : GLTF_NONE;
}

int32_t gltf_index(const json_t *object, const char *key)
{
    return as_index(json_object_get(object, key));
}

int32_t gltf_index_at(const json_t *array, size_t index)
{
    return as_index(json_array_get(array, index));
}

bool gltf_size(const json_t *object, const char *key, size_t fallback, size_t *out)
{
    const json_t *value = json_object_get(object, key);
    *out = value ? (size_t)json_integer_value(value) : fallback;
    return !value || (json_is_integer(value) && json_integer_value(value) >= 0);
}

const char *gltf_string(const json_t *object, const char *key, const char *fallback)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : fallback;
}

bool gltf_is_version_2(const struct gltf_file *file)
{
    return gltf_string(json_object_get(file->root, "asset"), "version", "")[0] == '2';
}

const char *gltf_node_name(const struct gltf_file *file, int32_t node, char buffer[static 32])
{
    const char *name = gltf_string(gltf_item(file, "nodes", node), "name", "");
    if (name[0])
        return name;
    snprintf(buffer, 32, "nodes[%d]", node);
    return buffer;
}

bool gltf_names_agree(const char *in_file, const char *in_scene)
{
    enum { LONGEST = 1023 };
    for (size_t i = 0; i < LONGEST; i++) {
        bool replaced = in_file[i] == '?' && (unsigned char)in_scene[i] >= 0x80;
        if (in_file[i] != in_scene[i] && !replaced)
            return false;
        if (in_file[i] == '\0')
            return true;
    }
    return true;
}

/* Finds the first JSON and the first BIN chunk. A last chunk that is cut short is taken as far as it goes. */
static bool read_chunks(struct gltf_file *file, struct blob *json, struct error *err)
{
    enum { HEADER = 12, CHUNK_HEADER = 8, JSON_CHUNK = 0x4e4f534a, BIN_CHUNK = 0x004e4942 };
    struct blob *glb = &file->content;
    if (glb->size < HEADER + CHUNK_HEADER)
        return error_set(err, "the GLB header is cut short");
    uint32_t version = (uint32_t)little_endian(glb->data + 4, 4);
    if (version != 1 && version != 2)
        return error_set(err, "the GLB container has version %u, only 1 and 2 are known", version);
    for (size_t at = HEADER; at <= glb->size && glb->size - at >= CHUNK_HEADER;) {
        size_t size = (size_t)little_endian(glb->data + at, 4);
        uint64_t kind = little_endian(glb->data + at + 4, 4);
        at += CHUNK_HEADER;
        size = size < glb->size - at ? size : glb->size - at;
        struct blob *chunk = kind == JSON_CHUNK || (version == 1 && kind == 0) ? json
                             : kind == BIN_CHUNK                               ? &file->bin
                                                                               : NULL;
        if (chunk && !chunk->data)
            *chunk = (struct blob){glb->data + at, size};
        at += size + (4 - size % 4) % 4;
    }
    return json->data || error_set(err, "the GLB container has no JSON chunk");
}

bool gltf_open(struct gltf_file *file, const char *path, struct error *err)
{
    static const unsigned char mark[3] = {0xef, 0xbb, 0xbf};
    *file = (struct gltf_file){.path = path};
    if (!file_read(path, file_limit, &file->content, err))
        return false;
    struct blob json = {0};
    json_error_t why;
    if (file->content.size < 4 || memcmp(file->content.data, "glTF", 4) != 0)
        json = file->content;
    else if (!read_chunks(file, &json, err))
        return false;
    if (json.size >= 3 && memcmp(json.data, mark, 3) == 0)
        json = (struct blob){json.data + 3, json.size - 3};
    json.size = strnlen((const char *)json.data, json.size);
    for (size_t at = 0; at < json.size;) { /* old exporters write names in other encodings, which jansson refuses */
        size_t length = utf8_length((const char *)json.data + at);
        bool is_bad = length == 0 || length > json.size - at;
        if (is_bad)
            json.data[at] = '?';
        at += is_bad ? 1 : length;
    }
    file->root = json_loadb((const char *)json.data, json.size, JSON_ALLOW_NUL, &why);
    if (!file->root)
        return error_set(err, "its JSON is broken: %s (line %d)", why.text, why.line);
    if (!json_is_object(file->root))
        return error_set(err, "its JSON is not an object");
    gltf_make_room(file);
    return true;
}

static void *with_zeros(void *list, size_t before, size_t count, size_t size)
{
    char *longer = memory_grow(list, count + 1, size);
    memset(longer + before * size, 0, (count - before) * size);
    return longer;
}

void gltf_make_room(struct gltf_file *file)
{
    const size_t buffers = gltf_count(file, "buffers"), accessors = gltf_count(file, "accessors");
    file->buffers = with_zeros(file->buffers, file->buffer_count, buffers, sizeof *file->buffers);
    file->floats = with_zeros(file->floats, file->accessor_count, accessors, sizeof *file->floats);
    file->indices = with_zeros(file->indices, file->accessor_count, accessors, sizeof *file->indices);
    file->buffer_count = buffers;
    file->accessor_count = accessors;
}

void gltf_close(struct gltf_file *file)
{
    for (size_t i = 0; i < file->buffer_count; i++)
        if (file->buffers[i].data != file->bin.data)
            blob_release(&file->buffers[i]);
    for (size_t i = 0; i < file->accessor_count; i++) {
        free(file->floats[i]);
        free(file->indices[i]);
    }
    free(file->buffers);
    free(file->floats);
    free(file->indices);
    json_decref(file->root);
    blob_release(&file->content);
    *file = (struct gltf_file){0};
}

/* "data:...;base64,...", also in the URL-safe alphabet, or "data:...,..." with the bytes percent-encoded. */
static bool decode_data(const char *uri, struct blob *out)
{
    static const char mark[] = ";base64";
    const size_t length = sizeof mark - 1;
    const char *comma = strchr(uri, ',');
    if (!comma)
        return false;
    out->data = memory_new(strlen(comma), 1); /* neither encoding makes anything longer */
    if ((size_t)(comma - uri) < strlen("data:") + length || strncasecmp(comma - length, mark, length) != 0) {
        out->size = decode_percent(comma + 1, out->data);
        return true;
    }
    return base64_decode(comma + 1, strlen(comma + 1), true, out->data, &out->size);
}

/* Tries the name decoded, as the specification has it, then as it stands, as Assimp does. */
bool gltf_read_beside(const char *model, const char *uri, size_t limit, struct blob *out, struct error *err)
{
    bool outside = false;
    char *path = NULL, *name = memory_new(strlen(uri) + 1, 1);
    bool found = decode_percent(uri, (unsigned char *)name) == strlen(name) &&
                 path_inside_model_tree(model, name, &path, &outside);
    free(name);
    if (!found && !outside)
        found = path_inside_model_tree(model, uri, &path, &outside);
    bool good = found && file_read(path, limit, out, err);
    free(path);
    if (outside)
        return error_set(err, "the file %s is outside the model's folder", uri);
    return good || error_set(err, "the file %s cannot be found", uri);
}

static bool load_buffer(struct gltf_file *file, int64_t index, struct blob *buffer, struct error *err)
{
    size_t limit = buffers_limit - file->buffer_bytes;
    const char *uri = gltf_string(gltf_item(file, "buffers", index), "uri", NULL);
    if (!uri && index == 0 && file->bin.data) {
        *buffer = file->bin;
        return true;
    }
    if (!uri)
        return error_set(err, "buffer %d has no data", (int)index);
    if (strncasecmp(uri, "data:", 5) == 0) {
        if (!decode_data(uri, buffer))
            return error_set(err, "the data URI of buffer %d cannot be decoded", (int)index);
    } else if (!gltf_read_beside(file->path, uri, limit < file_limit ? limit : file_limit, buffer, err)) {
        return false;
    }
    if (buffer->size > limit)
        return error_set(err, "the buffers are too large: the limit is %zu MiB", buffers_limit >> 20);
    file->buffer_bytes += buffer->size;
    return true;
}

const struct blob *gltf_buffer(struct gltf_file *file, int64_t index, struct error *err)
{
    if (index < 0 || (uint64_t)index >= file->buffer_count) {
        error_set(err, "there is no buffer %lld", (long long)index);
        return NULL;
    }
    struct blob *buffer = &file->buffers[index];
    if (!buffer->data && !load_buffer(file, index, buffer, err)) {
        blob_release(buffer);
        return NULL;
    }
    return buffer;
}

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
    if (out->count > accessor_limit / out->width)
        return error_set(err, "accessor %d has too many elements: %u", (int)index, out->count);
    return true;
}

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

/* The accessor that is read, and where the numbers go: one of the two. */
struct reading {
    struct gltf_file *file;
    const struct gltf_accessor *accessor;
    const struct kind *kind;
    float *floats;
    uint32_t *indices;
};

static void store(const struct reading *r, const unsigned char *element, size_t index)
{
    const struct kind *kind = r->kind;
    for (uint32_t c = 0; c < r->accessor->width; c++) {
        const size_t at = index * r->accessor->width + c;
        uint32_t bits = (uint32_t)little_endian(element + c * kind->size, kind->size);
        double value = bits;
        if (r->indices) {
            r->indices[at] = bits;
        } else if (kind->component == GLTF_FLOAT) {
            memcpy(&r->floats[at], &bits, sizeof bits);
        } else {
            if (kind->is_signed)
                value = kind->size == 1 ? (int8_t)bits : (int16_t)bits;
            if (r->accessor->normalized)
                value = value < -kind->largest ? -1.0 : value / kind->largest;
            r->floats[at] = (float)value;
        }
    }
}

static bool read_sparse(const struct reading *r, const json_t *sparse, struct error *err)
{
    static const char *const names[2] = {"indices", "values"};
    const uint32_t elements = r->accessor->count;
    int32_t count = gltf_index(sparse, "count");
    int32_t component = gltf_index(json_object_get(sparse, "indices"), "componentType");
    const struct kind *kind = find_kind(component);
    struct elements lists[2];
    if (count < 0 || (uint32_t)count > elements)
        return error_set(err, "an accessor has %d sparse values for %u elements", count, elements);
    if (!kind || kind->is_signed)
        return error_set(err, "sparse indices have the component type %d", component);
    for (int i = 0; i < 2; i++) {
        const json_t *list = json_object_get(sparse, names[i]);
        size_t offset, size = i == 0 ? kind->size : (size_t)r->accessor->width * r->kind->size;
        if (!gltf_size(list, "byteOffset", 0, &offset))
            return error_set(err, "the sparse %s have no valid offset", names[i]);
        if (!find_elements(r->file, gltf_index(list, "bufferView"), offset, (size_t)count, size, &lists[i], err))
            return false;
    }
    for (size_t i = 0; i < (size_t)count; i++) {
        uint32_t index = (uint32_t)little_endian(lists[0].data + i * lists[0].stride, kind->size);
        if (index >= elements)
            return error_set(err, "sparse index %u is out of range, there are %u elements", (unsigned)index, elements);
        store(r, lists[1].data + i * lists[1].stride, index);
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

/* All of an accessor, from malloc; NULL with err set. */
static void *read_new(struct reading *r, bool as_indices, struct error *err)
{
    void *numbers = memory_new((size_t)r->accessor->count * r->accessor->width, sizeof(uint32_t));
    r->indices = as_indices ? numbers : NULL;
    r->floats = as_indices ? NULL : numbers;
    if (read_all(r, err))
        return numbers;
    free(numbers);
    return NULL;
}

const float *gltf_floats(struct gltf_file *file, const struct gltf_accessor *accessor, struct error *err)
{
    float **numbers = &file->floats[accessor->index];
    if (!*numbers)
        *numbers = read_new(&(struct reading){file, accessor, find_kind(accessor->component)}, false, err);
    return *numbers;
}

const uint32_t *gltf_indices(struct gltf_file *file, const struct gltf_accessor *accessor, struct error *err)
{
    const struct kind *kind = find_kind(accessor->component);
    uint32_t **numbers = &file->indices[accessor->index];
    if (kind->is_signed)
        error_set(err, "an accessor of indices has the component type %d", (int)accessor->component);
    else if (!*numbers)
        *numbers = read_new(&(struct reading){file, accessor, kind}, true, err);
    return *numbers;
}
