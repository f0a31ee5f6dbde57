#define _POSIX_C_SOURCE 200809L /* strdup */

#include "import/gltf/gltf_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "import/gltf/gltf_uri.h"

/* ---- values ------------------------------------------------------------------------------------------------------ */

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
    *out = fallback;
    if (!value)
        return true;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *out = (size_t)json_integer_value(value);
    return true;
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

/* ---- the container ----------------------------------------------------------------------------------------------- */

enum { GLB_HEADER = 12, GLB_CHUNK_HEADER = 8 };
static const uint32_t chunk_json = 0x4e4f534a;
static const uint32_t chunk_bin = 0x004e4942;

static uint32_t little_endian(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

struct span {
    unsigned char *data;
    size_t size;
};

/* Finds the first JSON and the first BIN chunk. A last chunk that is cut short is taken as far as it goes. */
static bool read_chunks(struct gltf_file *file, struct span *json, struct error *err)
{
    struct blob *glb = &file->content;
    if (glb->size < GLB_HEADER + GLB_CHUNK_HEADER)
        return error_set(err, "the GLB header is cut short");
    if (little_endian(glb->data + 4) != 2)
        return error_set(err, "the GLB container has version %u, only 2 is known",
                         (unsigned)little_endian(glb->data + 4));
    for (size_t at = GLB_HEADER; glb->size - at >= GLB_CHUNK_HEADER;) {
        size_t size = little_endian(glb->data + at);
        uint32_t kind = little_endian(glb->data + at + 4);
        at += GLB_CHUNK_HEADER;
        size = size < glb->size - at ? size : glb->size - at;
        if (kind == chunk_json && !json->data)
            *json = (struct span){glb->data + at, size};
        else if (kind == chunk_bin && !file->bin) {
            file->bin = glb->data + at;
            file->bin_size = size;
        }
        at += size + (4 - size % 4) % 4;
        if (at > glb->size)
            break;
    }
    return json->data || error_set(err, "the GLB container has no JSON chunk");
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* Old exporters write names in other encodings; Assimp does not mind, jansson does. */
static void replace_bad_utf8(struct span json)
{
    for (size_t at = 0; at < json.size;) {
        size_t length = utf8_length((const char *)json.data + at);
        bool is_bad = length == 0 || length > json.size - at;
        if (is_bad)
            json.data[at] = '?';
        at += is_bad ? 1 : length;
    }
}

static bool parse(struct gltf_file *file, struct span json, struct error *err)
{
    static const unsigned char mark[3] = {0xef, 0xbb, 0xbf};
    if (json.size >= 3 && memcmp(json.data, mark, 3) == 0)
        json = (struct span){json.data + 3, json.size - 3};
    const unsigned char *nul = memchr(json.data, '\0', json.size);
    if (nul)
        json.size = (size_t)(nul - json.data);
    replace_bad_utf8(json);
    json_error_t why;
    file->root = json_loadb((const char *)json.data, json.size, JSON_ALLOW_NUL, &why);
    if (!file->root)
        return error_set(err, "its JSON is broken: %s (line %d)", why.text, why.line);
    return json_is_object(file->root) || error_set(err, "its JSON is no object");
}

bool gltf_open(struct gltf_file *file, const char *path, struct error *err)
{
    *file = (struct gltf_file){0};
    file->path = strdup(path);
    if (!file->path)
        return error_set(err, "out of memory");
    if (!file_read(path, GLTF_FILE_LIMIT, &file->content, err))
        return false;
    struct span json = {0};
    if (file->content.size >= 4 && memcmp(file->content.data, "glTF", 4) == 0) {
        if (!read_chunks(file, &json, err))
            return false;
    } else {
        json = (struct span){file->content.data, file->content.size};
    }
    if (!parse(file, json, err))
        return false;
    file->buffer_count = gltf_count(file, "buffers");
    file->buffers = calloc(file->buffer_count ? file->buffer_count : 1, sizeof *file->buffers);
    return file->buffers || error_set(err, "out of memory");
}

void gltf_close(struct gltf_file *file)
{
    for (size_t i = 0; file->buffers && i < file->buffer_count; i++)
        blob_release(&file->buffers[i].own);
    free(file->buffers);
    json_decref(file->root);
    blob_release(&file->content);
    free(file->path);
    *file = (struct gltf_file){0};
}

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* Tries the name decoded, as the specification has it, then as it stands, as Assimp does. */
static bool read_beside(struct gltf_file *file, const char *uri, size_t limit, struct blob *out,
                        struct error *err)
{
    bool outside = false;
    char *path = NULL;
    char *name = gltf_uri_name(uri);
    bool found = name && path_inside_model_tree(file->path, name, &path, &outside);
    free(name);
    if (!found && !outside) {
        free(path);
        found = path_inside_model_tree(file->path, uri, &path, &outside);
    }
    bool good = found && file_read(path, limit, out, err);
    free(path);
    if (outside)
        return error_set(err, "the buffer %s is outside the model's folder", uri);
    return good || error_set(err, "the buffer %s cannot be found", uri);
}

static bool load_buffer(struct gltf_file *file, int64_t index, struct gltf_buffer *buffer, struct error *err)
{
    size_t limit = GLTF_BUFFERS_LIMIT - file->buffer_bytes;
    const json_t *item = gltf_item(file, "buffers", index);
    const char *uri = gltf_string(item, "uri", NULL);
    if (!uri && index == 0 && file->bin) {
        buffer->data = file->bin;
        buffer->size = file->bin_size;
        return true;
    }
    if (!uri)
        return error_set(err, "buffer %d has no data", (int)index);
    if (!gltf_uri_is_data(uri)) {
        if (!read_beside(file, uri, limit < GLTF_FILE_LIMIT ? limit : GLTF_FILE_LIMIT, &buffer->own, err))
            return false;
    } else if (!gltf_uri_data(uri, &buffer->own)) {
        return error_set(err, "the data URI of buffer %d cannot be decoded", (int)index);
    }
    if (buffer->own.size > limit)
        return error_set(err, "the buffers are too large: the limit is %zu MiB", GLTF_BUFFERS_LIMIT >> 20);
    buffer->data = buffer->own.data;
    buffer->size = buffer->own.size;
    file->buffer_bytes += buffer->size;
    return true;
}

bool gltf_buffer_read(struct gltf_file *file, int64_t index, const unsigned char **data, size_t *size,
                      struct error *err)
{
    if (index < 0 || (uint64_t)index >= file->buffer_count)
        return error_set(err, "there is no buffer %lld", (long long)index);
    struct gltf_buffer *buffer = &file->buffers[index];
    if (!buffer->data && !load_buffer(file, index, buffer, err)) {
        blob_release(&buffer->own);
        return false;
    }
    *data = buffer->data;
    *size = buffer->size;
    return true;
}
