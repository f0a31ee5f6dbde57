#define _POSIX_C_SOURCE 200809L /* strnlen, strncasecmp */

#include "import/gltf/gltf_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "import/convert.h"

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
    snprintf(buffer, 32, "nodes[%d]", (int)node);
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

/* ---- the container and its JSON ---------------------------------------------------------------------------------- */

/* Finds the first JSON and the first BIN chunk. A last chunk that is cut short is taken as far as it goes. */
static bool read_chunks(struct gltf_file *file, struct blob *json, struct error *err)
{
    enum { HEADER = 12, CHUNK_HEADER = 8, JSON_CHUNK = 0x4e4f534a, BIN_CHUNK = 0x004e4942 };
    struct blob *glb = &file->content;
    if (glb->size < HEADER + CHUNK_HEADER)
        return error_set(err, "the GLB header is cut short");
    uint32_t version = (uint32_t)little_endian(glb->data + 4, 4);
    if (version != 2)
        return error_set(err, "the GLB container has version %u, only 2 is known", (unsigned)version);
    for (size_t at = HEADER; at <= glb->size && glb->size - at >= CHUNK_HEADER;) {
        size_t size = (size_t)little_endian(glb->data + at, 4);
        uint64_t kind = little_endian(glb->data + at + 4, 4);
        at += CHUNK_HEADER;
        size = size < glb->size - at ? size : glb->size - at;
        struct blob *chunk = kind == JSON_CHUNK ? json : kind == BIN_CHUNK ? &file->bin : NULL;
        if (chunk && !chunk->data)
            *chunk = (struct blob){glb->data + at, size};
        at += size + (4 - size % 4) % 4;
    }
    return json->data || error_set(err, "the GLB container has no JSON chunk");
}

static bool parse(struct gltf_file *file, struct blob json, struct error *err)
{
    static const unsigned char mark[3] = {0xef, 0xbb, 0xbf};
    json_error_t why;
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
    return json_is_object(file->root) || error_set(err, "its JSON is no object");
}

bool gltf_open(struct gltf_file *file, const char *path, struct error *err)
{
    *file = (struct gltf_file){.path = path};
    if (!file_read(path, GLTF_FILE_LIMIT, &file->content, err))
        return false;
    struct blob json = {0};
    bool is_glb = file->content.size >= 4 && memcmp(file->content.data, "glTF", 4) == 0;
    if (is_glb && !read_chunks(file, &json, err))
        return false;
    if (!parse(file, is_glb ? json : file->content, err))
        return false;
    file->buffer_count = gltf_count(file, "buffers");
    file->buffers = memory_new(file->buffer_count, sizeof *file->buffers);
    file->accessor_count = gltf_count(file, "accessors");
    file->floats = memory_new(file->accessor_count, sizeof *file->floats);
    file->indices = memory_new(file->accessor_count, sizeof *file->indices);
    return true;
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

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* Also in the URL-safe alphabet. False when a character is not of either. */
static bool decode_base64(const char *text, struct blob *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    signed char value[256];
    unsigned bits = 0, held = 0;
    memset(value, -1, sizeof value);
    for (int i = 0; i < 64; i++)
        value[(unsigned char)digits[i]] = (signed char)i;
    value['-'] = 62;
    value['_'] = 63;
    for (; *text && *text != '='; text++) {
        int digit = value[(unsigned char)*text];
        if (digit < 0 && !strchr("\n\r \t", *text))
            return false;
        if (digit < 0)
            continue;
        bits = (bits << 6 | (unsigned)digit) & 0xffffffu;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out->data[out->size++] = (unsigned char)(bits >> held & 0xffu);
        }
    }
    return true;
}

/* "data:...;base64,..." or "data:...,..." with the bytes percent-encoded. */
static bool decode_data(const char *uri, struct blob *out)
{
    static const char mark[] = ";base64";
    const size_t length = sizeof mark - 1;
    const char *comma = strchr(uri, ',');
    if (!comma)
        return false;
    out->data = memory_new(strlen(comma), 1); /* neither encoding makes anything longer */
    if ((size_t)(comma - uri) >= strlen("data:") + length && strncasecmp(comma - length, mark, length) == 0)
        return decode_base64(comma + 1, out);
    out->size = decode_percent(comma + 1, out->data);
    return true;
}

/* Tries the name decoded, as the specification has it, then as it stands, as Assimp does. */
static bool read_beside(const char *model, const char *uri, size_t limit, struct blob *out, struct error *err)
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
        return error_set(err, "the buffer %s is outside the model's folder", uri);
    return good || error_set(err, "the buffer %s cannot be found", uri);
}

static bool load_buffer(struct gltf_file *file, int64_t index, struct blob *buffer, struct error *err)
{
    size_t limit = GLTF_BUFFERS_LIMIT - file->buffer_bytes;
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
    } else if (!read_beside(file->path, uri, limit < GLTF_FILE_LIMIT ? limit : GLTF_FILE_LIMIT, buffer, err)) {
        return false;
    }
    if (buffer->size > limit)
        return error_set(err, "the buffers are too large: the limit is %zu MiB", GLTF_BUFFERS_LIMIT >> 20);
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
