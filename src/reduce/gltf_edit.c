#include "reduce/gltf_edit.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "import/gltf/gltf_file.h"

enum { LARGEST_IMAGE = 64 << 20 };

json_t *edit_list(const json_t *object, const char *name)
{
    static json_t *empty;
    json_t *list = json_object_get(object, name);
    if (!empty)
        empty = json_array();
    return json_is_array(list) ? list : empty;
}

int32_t edit_index(const json_t *object, const char *name, uint32_t most)
{
    const json_t *value = json_object_get(object, name);
    const json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    return number >= 0 && number < (json_int_t)most ? (int32_t)number : -1;
}

bool cut_takes_next(struct cut *cut)
{
    const uint32_t at = cut->at++;
    return at >= cut->first && at - cut->first < cut->count;
}

void edit_leave_out(json_t *owner, const char *key, uint32_t least, struct cut *cut)
{
    json_t *old = edit_list(owner, key), *new = json_array(), *item;
    size_t i;
    json_array_foreach(old, i, item)
        if (!cut_takes_next(cut))
            json_array_append(new, item);
    if (json_array_size(new) >= least && json_array_size(new) < json_array_size(old))
        json_object_set(owner, key, new);
    json_decref(new);
}

void edit_keep_items(json_t *owner, const char *key, const bool *keeps, uint32_t count)
{
    json_t *old = edit_list(owner, key), *new = json_array();
    for (size_t i = 0; i < json_array_size(old) && i < count; i++)
        if (keeps[i])
            json_array_append(new, json_array_get(old, i));
    if (json_array_size(new) > 0)
        json_object_set(owner, key, new);
    else
        json_object_del(owner, key);
    json_decref(new);
}

void edit_strip(json_t *value, const char *glob)
{
    const char *name;
    json_t *member;
    void *next;
    size_t i;
    json_object_foreach_safe(value, next, name, member) {
        if (fnmatch(glob, name, 0) == 0)
            json_object_del(value, name);
        else
            edit_strip(member, glob);
    }
    json_array_foreach(value, i, member)
        edit_strip(member, glob);
}

struct gltf_column *edit_values(const struct gltf_edit *edit, const json_t *owner, const char *key)
{
    const int32_t index = edit_index(owner, key, edit->accessor_count);
    return index >= 0 ? &edit->accessors[index] : NULL;
}

void edit_keep(struct gltf_edit *edit, struct gltf_column *values, const bool *keeps, uint32_t each)
{
    const size_t block = (size_t)each * values->width;
    double *numbers = ARENA_NEW(edit->arena, double, (size_t)values->count * values->width);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < values->count / each; i++)
        if (keeps[i])
            memcpy(numbers + block * kept++, values->numbers + block * i, block * sizeof *numbers);
    values->numbers = numbers;
    values->count = kept * each;
}

struct gltf_column *edit_own(struct gltf_edit *edit, json_t *owner, const char *key)
{
    const struct gltf_column *values = edit_values(edit, owner, key);
    if (!values)
        return NULL;
    struct gltf_column *grown = ARENA_NEW(edit->arena, struct gltf_column, edit->accessor_count + 1);
    memcpy(grown, edit->accessors, edit->accessor_count * sizeof *grown);
    grown[edit->accessor_count] = *values;
    edit->accessors = grown;
    json_object_set_new(owner, key, json_integer(edit->accessor_count));
    return &grown[edit->accessor_count++];
}

/* The numbers as they are stored: normalised ones are multiplied by what makes 1 of them. */
static bool read_accessor(struct gltf_file *file, size_t index, struct arena *arena, struct gltf_column *out,
                          struct error *err)
{
    struct gltf_accessor accessor;
    if (!gltf_accessor_find(file, (int64_t)index, &accessor, err))
        return false;
    const size_t count = (size_t)accessor.count * accessor.width;
    const bool is_whole = accessor.component == GLTF_UNSIGNED_INT;
    const uint32_t *whole = is_whole ? gltf_indices(file, &accessor, err) : NULL;
    const float *floats = is_whole ? NULL : gltf_floats(file, &accessor, err);
    const double one = !accessor.normalized                            ? 0
                       : accessor.component == GLTF_BYTE               ? 127
                       : accessor.component == GLTF_UNSIGNED_BYTE      ? 255
                       : accessor.component == GLTF_SHORT              ? 32767
                                                                       : 65535;
    if ((!whole && !floats) || (!arena_fits(arena, count, sizeof(double)) &&
                                !error_set(err, "accessors[%zu] is too large", index)))
        return false;
    double *numbers = ARENA_NEW(arena, double, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = whole ? (double)whole[i] : one > 0 ? rint((double)floats[i] * one) : (double)floats[i];
    *out = (struct gltf_column){numbers, accessor.count, accessor.width, accessor.component,
                                .is_normalised = accessor.normalized};
    return true;
}

const char edit_smallest_image[] =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCM"
    "mQAAAABJRU5ErkJggg==";

static void embed_image(json_t *image, const void *bytes, size_t size)
{
    struct text uri = {0};
    const bool is_jpeg = size > 2 && memcmp(bytes, "\xff\xd8", 2) == 0;
    text_addf(&uri, "data:%s;base64,", gltf_string(image, "mimeType", is_jpeg ? "image/jpeg" : "image/png"));
    text_add_base64(&uri, bytes, size);
    json_object_set_new(image, "uri", json_string(text_string(&uri)));
    json_object_del(image, "bufferView");
    json_object_del(image, "mimeType");
    text_release(&uri);
}

/* Images that lie in buffer views, which are not kept, or beside the file become data URIs; of what is not there the
 * smallest image takes the place. */
static bool embed_images(struct gltf_file *file, struct error *err)
{
    size_t i, offset, size;
    json_t *image;
    json_array_foreach(edit_list(file->root, "images"), i, image) {
        const json_t *view = gltf_item(file, "bufferViews", gltf_index(image, "bufferView"));
        const struct blob *buffer = view ? gltf_buffer(file, gltf_index(view, "buffer"), err) : NULL;
        const char *uri = gltf_string(image, "uri", "data:");
        struct blob beside = {0};
        if (view && !buffer)
            return false;
        if (view && (!gltf_size(view, "byteOffset", 0, &offset) || !gltf_size(view, "byteLength", 0, &size) ||
                     offset > buffer->size || size > buffer->size - offset))
            return error_set(err, "images[%zu] reaches past its buffer", i);
        if (view)
            embed_image(image, buffer->data + offset, size);
        else if (strncmp(uri, "data:", 5) == 0)
            continue;
        else if (gltf_read_beside(file->path, uri, LARGEST_IMAGE, &beside, ERROR_IGNORED))
            embed_image(image, beside.data, beside.size);
        else
            json_object_set_new(image, "uri", json_string(edit_smallest_image));
        blob_release(&beside);
    }
    return true;
}

/* Their numbers are not in accessors. */
static bool is_encoded(const json_t *root)
{
    size_t i;
    json_t *name;
    bool is = false;
    json_array_foreach(edit_list(root, "extensionsUsed"), i, name)
        is = is || (json_is_string(name) && strcmp(json_string_value(name), "KHR_draco_mesh_compression") == 0);
    return is;
}

bool gltf_edit_open(const char *path, struct arena *arena, struct gltf_edit *out, struct error *err)
{
    static const char *const rebuilt[] = {"accessors", "bufferViews", "buffers"};
    char extension[16];
    struct gltf_file file;
    *out = (struct gltf_edit){.arena = arena, .clip = -1};
    path_extension(path, extension);
    if (strcmp(extension, "gltf") != 0 && strcmp(extension, "glb") != 0 && strcmp(extension, "vrm") != 0)
        return error_set(err, "%s: only glTF and GLB can be reduced, and this is .%s", path, extension);
    bool good = gltf_open(&file, path, err) && embed_images(&file, err) &&
                (!is_encoded(file.root) ||
                 error_set(err, "it uses KHR_draco_mesh_compression; decode it with a tool such as `npx "
                                "@gltf-transform/cli copy IN OUT`"));
    out->accessors = ARENA_NEW(arena, struct gltf_column, good ? file.accessor_count : 0);
    for (size_t i = 0; good && i < file.accessor_count; i++)
        good = read_accessor(&file, i, arena, &out->accessors[out->accessor_count++], err);
    if (good)
        out->root = json_incref(file.root);
    for (size_t i = 0; good && i < sizeof rebuilt / sizeof rebuilt[0]; i++)
        json_object_del(out->root, rebuilt[i]);
    gltf_close(&file);
    return good || error_prefix(err, "%s", path);
}

struct gltf_edit gltf_edit_copy(const struct gltf_edit *edit)
{
    struct gltf_edit copy = *edit;
    copy.root = json_deep_copy(edit->root);
    copy.accessors = ARENA_COPIES(edit->arena, struct gltf_column, edit->accessors, edit->accessor_count);
    return copy;
}

void gltf_edit_release(struct gltf_edit *edit)
{
    json_decref(edit->root);
    edit->root = NULL;
}

/* ---- writing: what is reached keeps its order and gets a new number ---- */

struct writing {
    struct gltf_edit edit; /* a copy, changed on the way */
    struct gltf_document document; /* whose root is the edit's */
    int32_t *accessor_at; /* [accessor_count] new numbers, -1: not written yet */
    bool is_quantised;
};

/* Replaces the accessor that a member names by its new number. */
static void write_accessor(struct writing *w, json_t *owner, const char *key, enum gltf_view_target target,
                           bool has_range)
{
    const int32_t index = edit_index(owner, key, w->edit.accessor_count);
    if (index < 0) {
        json_object_del(owner, key);
        return;
    }
    struct gltf_column column = w->edit.accessors[index];
    column.target = target;
    column.has_range = has_range;
    if (w->accessor_at[index] < 0)
        w->accessor_at[index] = (int32_t)gltf_add_column(&w->document, &column, 0);
    json_object_set_new(owner, key, json_integer(w->accessor_at[index]));
}

static void write_attributes(struct writing *w, json_t *attributes)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(attributes, next, key, value) {
        const int32_t index = edit_index(attributes, key, w->edit.accessor_count);
        w->is_quantised = w->is_quantised || (index >= 0 && w->edit.accessors[index].component != GLTF_FLOAT &&
                                              (strcmp(key, "POSITION") == 0 || strcmp(key, "NORMAL") == 0 ||
                                               strcmp(key, "TANGENT") == 0));
        write_accessor(w, attributes, key, GLTF_ARRAY_BUFFER, strcmp(key, "POSITION") == 0);
    }
}

/* Integers of vertices need their extension, whatever has been left out. */
static void write_extension(json_t *root, const char *list, const char *name)
{
    size_t i;
    json_t *item;
    if (!json_is_array(json_object_get(root, list)))
        json_object_set_new(root, list, json_array());
    json_array_foreach(json_object_get(root, list), i, item)
        if (json_is_string(item) && strcmp(json_string_value(item), name) == 0)
            return;
    json_array_append_new(json_object_get(root, list), json_string(name));
}

static void write_geometry(struct writing *w)
{
    size_t i, k, t;
    json_t *mesh, *primitive, *target, *skin;
    json_array_foreach(edit_list(w->edit.root, "meshes"), i, mesh)
        json_array_foreach(edit_list(mesh, "primitives"), k, primitive) {
            write_attributes(w, json_object_get(primitive, "attributes"));
            if (json_object_get(primitive, "indices"))
                write_accessor(w, primitive, "indices", GLTF_ELEMENT_ARRAY_BUFFER, false);
            json_array_foreach(edit_list(primitive, "targets"), t, target)
                write_attributes(w, target);
        }
    json_array_foreach(edit_list(w->edit.root, "skins"), i, skin)
        if (json_object_get(skin, "inverseBindMatrices"))
            write_accessor(w, skin, "inverseBindMatrices", GLTF_NO_TARGET, false);
}

static void write_animations(struct writing *w)
{
    size_t i, k;
    json_t *animation, *sampler;
    json_array_foreach(edit_list(w->edit.root, "animations"), i, animation)
        json_array_foreach(edit_list(animation, "samplers"), k, sampler) {
            write_accessor(w, sampler, "input", GLTF_NO_TARGET, true);
            write_accessor(w, sampler, "output", GLTF_NO_TARGET, false);
        }
}

/* ---- what is not reached goes ---- */

/* Keeps those of the list that are wanted; `number` becomes their new numbers, or -1. */
static void keep(json_t *root, const char *name, const bool *wanted, int32_t *number)
{
    const uint32_t count = (uint32_t)json_array_size(edit_list(root, name));
    int32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        number[i] = wanted[i] ? kept++ : -1;
    edit_keep_items(root, name, wanted, count);
}

static void reach(const json_t *nodes, const json_t *list, bool *wanted)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_int_t node = json_integer_value(json_array_get(list, i));
        if (node < 0 || node >= (json_int_t)json_array_size(nodes) || wanted[node])
            continue;
        wanted[node] = true;
        reach(nodes, edit_list(json_array_get(nodes, (size_t)node), "children"), wanted);
    }
}

static void renumber(json_t *object, const char *key, const int32_t *number, uint32_t most)
{
    const int32_t index = edit_index(object, key, most);
    if (index >= 0 && number[index] >= 0)
        json_object_set_new(object, key, json_integer(number[index]));
    else
        json_object_del(object, key);
}

static void renumber_list(json_t *object, const char *key, const int32_t *number, uint32_t most)
{
    json_t *new = json_array(), *item;
    size_t i;
    json_array_foreach(edit_list(object, key), i, item) {
        const json_int_t index = json_integer_value(item);
        if (index >= 0 && index < (json_int_t)most && number[index] >= 0)
            json_array_append_new(new, json_integer(number[index]));
    }
    json_object_set_new(object, key, new);
    if (json_array_size(new) == 0)
        json_object_del(object, key);
}

/* Meshes or skins that kept nodes name. */
static void keep_named(json_t *root, const char *list, const char *key, struct arena *arena)
{
    size_t i;
    json_t *node;
    const uint32_t count = (uint32_t)json_array_size(edit_list(root, list));
    bool *wanted = ARENA_NEW(arena, bool, count + 1);
    int32_t *number = ARENA_NEW(arena, int32_t, count + 1);
    json_array_foreach(edit_list(root, "nodes"), i, node)
        if (edit_index(node, key, count) >= 0)
            wanted[edit_index(node, key, count)] = true;
    keep(root, list, wanted, number);
    json_array_foreach(edit_list(root, "nodes"), i, node)
        renumber(node, key, number, count);
}

/* Weights of a node that shows nothing. */
static bool is_without_mesh(const json_t *root, const json_t *target)
{
    const json_t *nodes = edit_list(root, "nodes");
    const int32_t node = edit_index(target, "node", (uint32_t)json_array_size(nodes));
    const char *path = json_string_value(json_object_get(target, "path"));
    return path && strcmp(path, "weights") == 0 && node >= 0 &&
           !json_object_get(json_array_get(nodes, (size_t)node), "mesh");
}

/* Only the scene that is shown, and what it reaches; a sampler for each channel. */
static void collect(struct gltf_edit *edit)
{
    size_t i, k;
    json_t *root = edit->root, *node, *skin, *animation, *channel;
    const uint32_t count = (uint32_t)json_array_size(edit_list(root, "nodes"));
    const int32_t shown = edit_index(root, "scene", (uint32_t)json_array_size(edit_list(root, "scenes")));
    json_t *scene = json_deep_copy(json_array_get(edit_list(root, "scenes"), shown >= 0 ? (size_t)shown : 0));
    bool *wanted = ARENA_NEW(edit->arena, bool, count + 1);
    int32_t *number = ARENA_NEW(edit->arena, int32_t, count + 1);
    reach(edit_list(root, "nodes"), edit_list(scene, "nodes"), wanted);
    keep(root, "nodes", wanted, number);
    renumber_list(scene, "nodes", number, count);
    json_object_set_new(root, "scenes", json_pack("[o]", scene));
    json_object_set_new(root, "scene", json_integer(0));
    json_array_foreach(edit_list(root, "nodes"), i, node)
        renumber_list(node, "children", number, count);
    json_array_foreach(edit_list(root, "skins"), i, skin) {
        renumber_list(skin, "joints", number, count);
        renumber(skin, "skeleton", number, count);
    }
    keep_named(root, "meshes", "mesh", edit->arena);
    keep_named(root, "skins", "skin", edit->arena);
    json_array_foreach(edit_list(root, "animations"), i, animation) {
        json_t *channels = json_array(), *samplers = json_array(), *old = edit_list(animation, "samplers");
        json_array_foreach(edit_list(animation, "channels"), k, channel) {
            json_t *target = json_object_get(channel, "target");
            const bool had = json_object_get(target, "node") != NULL;
            const int32_t sampler = edit_index(channel, "sampler", (uint32_t)json_array_size(old));
            renumber(target, "node", number, count);
            if (sampler < 0 || (had && !json_object_get(target, "node")) || is_without_mesh(root, target))
                continue;
            json_object_set_new(channel, "sampler", json_integer((json_int_t)json_array_size(samplers)));
            json_array_append_new(samplers, json_deep_copy(json_array_get(old, (size_t)sampler)));
            json_array_append(channels, channel);
        }
        json_object_set_new(animation, "channels", channels);
        json_object_set_new(animation, "samplers", samplers);
    }
}

/* Animations without channels are not legal. */
static void drop_empty_clips(struct gltf_edit *edit)
{
    const size_t count = json_array_size(edit_list(edit->root, "animations"));
    bool *wanted = ARENA_NEW(edit->arena, bool, count + 1);
    int32_t *number = ARENA_NEW(edit->arena, int32_t, count + 1);
    for (size_t i = 0; i < count; i++)
        wanted[i] = json_array_size(edit_list(json_array_get(edit_list(edit->root, "animations"), i), "channels")) > 0;
    keep(edit->root, "animations", wanted, number);
    edit->clip = edit->clip >= 0 && edit->clip < (int32_t)count ? number[edit->clip] : -1;
}

/* A skin has a joint at least, and its joints one root. */
static bool is_legal(const struct gltf_edit *edit)
{
    size_t i, k;
    json_t *node, *child, *skin, *joint;
    const uint32_t count = (uint32_t)json_array_size(edit_list(edit->root, "nodes"));
    uint32_t *parent = ARENA_NEW(edit->arena, uint32_t, count + 1); /* plus one; 0: it is a root */
    json_array_foreach(edit_list(edit->root, "nodes"), i, node)
        json_array_foreach(edit_list(node, "children"), k, child)
            if ((uint64_t)json_integer_value(child) < count)
                parent[json_integer_value(child)] = (uint32_t)i + 1;
    json_array_foreach(edit_list(edit->root, "skins"), i, skin) {
        uint32_t common = count;
        json_array_foreach(edit_list(skin, "joints"), k, joint) {
            uint32_t root = (uint32_t)json_integer_value(joint);
            for (uint32_t steps = 0; root < count && parent[root] > 0 && steps < count; steps++)
                root = parent[root] - 1;
            if (root >= count || (k > 0 && root != common))
                return false;
            common = root;
        }
        if (common == count)
            return false;
    }
    return true;
}

void gltf_edit_prune(struct gltf_edit *edit)
{
    collect(edit);
    drop_empty_clips(edit);
}

bool gltf_edit_write(const struct gltf_edit *edit, struct text *out)
{
    struct writing w = {.edit = gltf_edit_copy(edit),
                        .accessor_at = ARENA_NEW(edit->arena, int32_t, edit->accessor_count + 1)};
    for (uint32_t i = 0; i < edit->accessor_count; i++)
        w.accessor_at[i] = -1;
    w.document = gltf_document_create(w.edit.root);
    write_geometry(&w);
    write_animations(&w);
    if (w.is_quantised) {
        write_extension(w.edit.root, "extensionsUsed", "KHR_mesh_quantization");
        write_extension(w.edit.root, "extensionsRequired", "KHR_mesh_quantization");
    }
    gltf_document_finish(&w.document, true);
    const bool good = is_legal(&w.edit);
    char *text = json_dumps(w.edit.root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (good && text)
        text_addf(out, "%s\n", text);
    free(text);
    gltf_document_release(&w.document);
    return good;
}
