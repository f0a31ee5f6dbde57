#include "import/gltf/gltf_repair.h"

#include <stdlib.h>
#include <string.h>

enum { MATRIX_BYTES = 64, MOST_JOINTS = 1 << 16 };

static bool lacks_matrices(const json_t *skin)
{
    return json_is_object(skin) && !json_object_get(skin, "inverseBindMatrices") &&
           json_array_size(json_object_get(skin, "joints")) <= MOST_JOINTS;
}

/* Index of `item`, which this takes, at the end of a list of the root; the list is made when it is not there. */
static int add_item(json_t *root, const char *list, json_t *item)
{
    json_t *items = json_object_get(root, list);
    if (!json_is_array(items)) {
        json_object_set_new(root, list, json_array());
        items = json_object_get(root, list);
    }
    json_array_append_new(items, item);
    return (int)json_array_size(items) - 1;
}

/* A buffer view of `count` identity matrices, in a buffer of its own. */
static int add_identities(json_t *root, size_t count)
{
    static const unsigned char one[4] = {0, 0, 0x80, 0x3f};
    struct text bytes = {0}, uri = {0};
    for (size_t i = 0; i < 16 * count; i++)
        text_add_bytes(&bytes, i % 16 % 5 == 0 ? one : (const unsigned char[4]){0}, 4);
    text_add(&uri, "data:application/octet-stream;base64,");
    text_add_base64(&uri, bytes.data, bytes.size);
    int buffer = add_item(root, "buffers",
                          json_pack("{s:I, s:s}", "byteLength", (json_int_t)bytes.size, "uri", text_string(&uri)));
    text_release(&bytes);
    text_release(&uri);
    return add_item(root, "bufferViews",
                    json_pack("{s:i, s:I}", "buffer", buffer, "byteLength", (json_int_t)(count * MATRIX_BYTES)));
}

static void add_u32(struct text *out, size_t value)
{
    for (int shift = 0; shift < 32; shift += 8)
        text_add_bytes(out, &(unsigned char){(unsigned char)(value >> shift)}, 1);
}

/* The JSON, with the BIN chunk in a GLB container where there is one or the file was one. */
static void write_file(const struct gltf_file *file, struct text *out)
{
    const struct blob *bin = &file->bin;
    char *json = json_dumps(file->root, JSON_COMPACT);
    size_t size = json ? strlen(json) : 0, padded = size + (4 - size % 4) % 4;
    size_t bin_padded = bin->size + (4 - bin->size % 4) % 4;
    bool is_glb = memcmp(file->content.data, "glTF", 4) == 0;
    if (is_glb) {
        text_add(out, "glTF");
        add_u32(out, 2);
        add_u32(out, 20 + padded + (bin->data ? 8 + bin_padded : 0));
        add_u32(out, padded);
        text_add(out, "JSON");
    }
    text_add(out, json ? json : "");
    if (is_glb)
        text_add_bytes(out, "   ", padded - size);
    if (is_glb && bin->data) {
        add_u32(out, bin_padded);
        text_add_bytes(out, "BIN\0", 4);
        text_add_bytes(out, bin->data, bin->size);
        text_add_bytes(out, "\0\0\0", bin_padded - bin->size);
    }
    free(json);
}

bool gltf_add_inverse_binds(struct scene *scene, struct text *out)
{
    struct gltf_file file;
    struct error ignored = {0};
    size_t count = 0, most = 1, index;
    json_t *skin;
    bool good = gltf_open(&file, scene->path, &ignored) && gltf_is_version_2(&file);
    json_t *skins = good ? json_object_get(file.root, "skins") : NULL;
    json_array_foreach(skins, index, skin)
    {
        size_t joints = json_array_size(json_object_get(skin, "joints"));
        count += lacks_matrices(skin);
        most = lacks_matrices(skin) && joints > most ? joints : most;
    }
    int view = count > 0 ? add_identities(file.root, most) : 0;
    json_array_foreach(skins, index, skin)
    {
        size_t joints = json_array_size(json_object_get(skin, "joints"));
        if (!lacks_matrices(skin))
            continue;
        json_t *accessor = json_pack("{s:i, s:i, s:I, s:s}", "bufferView", view, "componentType", GLTF_FLOAT, "count",
                                     (json_int_t)(joints ? joints : 1), "type", "MAT4");
        json_object_set_new(skin, "inverseBindMatrices", json_integer(add_item(file.root, "accessors", accessor)));
    }
    if (count > 0) {
        write_file(&file, out);
        scene_note(
            scene, NOTE_REPAIR, "gltf-inverse-bind",
            "%zu skin%s no inverseBindMatrices, on which Assimp crashes: it is given the identity for each joint",
            count, count > 1 ? "s have" : " has");
    }
    gltf_close(&file);
    return count > 0;
}
