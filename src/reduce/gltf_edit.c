#include "reduce/gltf_edit.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
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
    const int32_t number = gltf_index(object, name);
    return number < (int64_t)most ? number : -1;
}

json_t *edit_item(const struct gltf_edit *edit, const char *list, const json_t *owner, const char *key)
{
    return json_array_get(edit_list(edit->root, list), (size_t)gltf_index(owner, key));
}

uint32_t edit_count(const struct gltf_edit *edit, const char *list)
{
    return (uint32_t)json_array_size(edit_list(edit->root, list));
}

/* Returns what takes the place of a value, or NULL. */
static json_t *walk_on(json_t *value, const char *key, const char *rest, edit_visit *visit, void *context)
{
    if (!*rest)
        return value ? visit(value, key, context) : NULL;
    edit_walk(value, *rest == '/' ? rest + 1 : rest, visit, context);
    return NULL;
}

void edit_walk(json_t *value, const char *path, edit_visit *visit, void *context)
{
    const size_t length = strcspn(path, "/");
    const bool is_deep = strncmp(path, "**/", 3) == 0;
    const char *name, *rest = path + length;
    json_t *item, *new;
    void *next;
    size_t i;
    char glob[64];
    snprintf(glob, sizeof glob, "%.*s", (int)length, path);
    if (is_deep) {
        edit_walk(value, path + 3, visit, context);
        rest = path;
    }
    if (!strpbrk(glob, "*@")) {
        if ((new = walk_on(json_object_get(value, glob), glob, rest, visit, context)))
            json_object_set_new(value, glob, new);
        return;
    }
    json_object_foreach_safe(value, next, name, item)
        if (fnmatch(glob, name, FNM_EXTMATCH) == 0 && (new = walk_on(item, name, rest, visit, context)))
            json_object_set_new(value, name, new);
    json_array_foreach(value, i, item)
        if (strspn(glob, "*") == length && (new = walk_on(item, "", rest, visit, context)))
            json_array_set_new(value, i, new);
}

json_t *edit_leave_out(EDIT_UNUSED json_t *value, EDIT_UNUSED const char *key, EDIT_UNUSED void *context)
{
    return json_null();
}

struct gltf_column *edit_column(const struct gltf_edit *edit, const json_t *owner, const char *key)
{
    const int32_t index = edit_index(owner, key, edit->column_count);
    return index >= 0 ? &edit->columns[index] : NULL;
}

void edit_keep(const struct gltf_edit *edit, struct gltf_column *column, const bool *keeps, uint32_t each)
{
    const size_t block = (size_t)each * column->width;
    double *numbers = ARENA_NEW(edit->arena, double, (size_t)column->count * column->width);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < column->count / each; i++)
        if (keeps[i])
            memcpy(numbers + block * kept++, column->numbers + block * i, block * sizeof *numbers);
    column->numbers = numbers;
    column->count = kept * each;
}

/* ---- reading ---- */

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

const struct edit_accessors edit_accessors[EDIT_ACCESSORS] = {
    {"meshes/*/primitives/*/attributes/*", GLTF_ARRAY_BUFFER},
    {"meshes/*/primitives/*/indices", GLTF_ELEMENT_ARRAY_BUFFER},
    {"meshes/*/primitives/*/targets/*/*", GLTF_ARRAY_BUFFER},
    {"skins/*/inverseBindMatrices", GLTF_NO_TARGET},
    {"animations/*/channels/*/sampler/input", GLTF_NO_TARGET},
    {"animations/*/channels/*/sampler/output", GLTF_NO_TARGET},
};

/* A sampler in place of its number. */
static json_t *inline_sampler(json_t *value, EDIT_UNUSED const char *key, void *context)
{
    const json_t *sampler = json_array_get(context, (size_t)json_integer_value(value));
    return json_is_integer(value) && sampler ? json_deep_copy(sampler) : json_null();
}

/* A column of its own in place of an accessor that others name too. */
static json_t *own_column(json_t *value, EDIT_UNUSED const char *key, void *context)
{
    struct gltf_edit *edit = context;
    const json_int_t index = json_is_integer(value) ? json_integer_value(value) : -1;
    if (index < 0 || index >= (json_int_t)edit->column_count)
        return json_null();
    edit->columns = arena_room(edit->arena, edit->columns, edit->column_count, sizeof *edit->columns);
    edit->columns[edit->column_count] = edit->columns[index];
    return json_integer(edit->column_count++);
}

bool gltf_edit_open(const char *path, struct arena *arena, struct gltf_edit *out, struct error *err)
{
    static const char *const rebuilt[] = {"accessors", "bufferViews", "buffers"};
    char extension[16];
    struct gltf_file file;
    size_t i;
    json_t *animation;
    *out = (struct gltf_edit){.arena = arena, .clip = -1};
    path_extension(path, extension);
    if (strcmp(extension, "gltf") != 0 && strcmp(extension, "glb") != 0 && strcmp(extension, "vrm") != 0)
        return error_set(err, "%s: only glTF and GLB can be reduced, and this is .%s", path, extension);
    bool good = gltf_open(&file, path, err) && embed_images(&file, err) &&
                (!is_encoded(file.root) ||
                 error_set(err, "it uses KHR_draco_mesh_compression; decode it with a tool such as `npx "
                                "@gltf-transform/cli copy IN OUT`"));
    for (i = 0; good && i < file.accessor_count; i++) {
        out->columns = arena_room(arena, out->columns, i, sizeof *out->columns);
        good = read_accessor(&file, i, arena, &out->columns[out->column_count++], err);
    }
    if (good)
        out->root = json_incref(file.root);
    for (i = 0; good && i < sizeof rebuilt / sizeof rebuilt[0]; i++)
        json_object_del(out->root, rebuilt[i]);
    json_array_foreach(edit_list(out->root, "animations"), i, animation) {
        edit_walk(animation, "channels/*/sampler", inline_sampler, json_object_get(animation, "samplers"));
        json_object_del(animation, "samplers");
    }
    for (i = 0; i < EDIT_ACCESSORS; i++)
        edit_walk(out->root, edit_accessors[i].path, own_column, out);
    gltf_close(&file);
    return good || error_prefix(err, "%s", path);
}

struct gltf_edit gltf_edit_copy(const struct gltf_edit *edit)
{
    struct gltf_edit copy = *edit;
    copy.root = json_deep_copy(edit->root);
    copy.columns = ARENA_COPIES(edit->arena, struct gltf_column, edit->columns, edit->column_count);
    return copy;
}

void gltf_edit_release(struct gltf_edit *edit)
{
    json_decref(edit->root);
    edit->root = NULL;
}

/* ---- writing ---- */

struct writing {
    struct gltf_edit edit;         /* a copy, changed on the way */
    struct gltf_document document; /* whose root is the edit's */
    struct gltf_column *written;   /* [accessors] */
    enum gltf_view_target target;  /* of what is written now */
    bool is_quantised;
};

static bool is_equal(const struct gltf_column *a, const struct gltf_column *b)
{
    return a->count == b->count && a->width == b->width && a->component == b->component && a->target == b->target &&
           a->is_normalised == b->is_normalised && a->has_range == b->has_range &&
           memcmp(a->numbers, b->numbers, (size_t)a->count * a->width * sizeof *a->numbers) == 0;
}

/* The number of an accessor; equal numbers have one. */
static json_t *write_column(json_t *value, const char *key, void *context)
{
    struct writing *w = context;
    struct gltf_column column = w->edit.columns[json_integer_value(value)];
    const uint32_t count = (uint32_t)json_array_size(w->document.accessors);
    const bool is_position = strcmp(key, "POSITION") == 0;
    column.target = w->target;
    column.has_range = is_position || strcmp(key, "input") == 0;
    w->is_quantised = w->is_quantised || (w->target == GLTF_ARRAY_BUFFER && column.component != GLTF_FLOAT &&
                                          (is_position || strcmp(key, "NORMAL") == 0 || strcmp(key, "TANGENT") == 0));
    for (uint32_t i = 0; i < count; i++)
        if (is_equal(&w->written[i], &column))
            return json_integer(i);
    w->written = arena_room(w->edit.arena, w->written, count, sizeof column);
    w->written[count] = column;
    return json_integer(gltf_add_column(&w->document, &column, 0));
}

/* Integers of vertices need their extension, and it is not required without them, whatever has been left out. */
static void set_extension(json_t *root, const char *list, const char *name, bool is_used)
{
    size_t i;
    json_t *item, *names = json_copy(edit_list(root, list));
    json_array_foreach(names, i, item)
        if (json_is_string(item) && strcmp(json_string_value(item), name) == 0)
            json_array_remove(names, i--);
    if (is_used)
        json_array_append_new(names, json_string(name));
    json_object_set_new(root, list, names);
    if (json_array_size(names) == 0)
        json_object_del(root, list);
}

/* A sampler becomes the last of a list, and its number takes its place. */
static json_t *list_sampler(json_t *value, EDIT_UNUSED const char *key, void *context)
{
    json_array_append(context, value);
    return json_integer((json_int_t)json_array_size(context) - 1);
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

bool gltf_edit_write(const struct gltf_edit *edit, struct text *out)
{
    struct writing w = {.edit = gltf_edit_copy(edit)};
    json_t *root = w.edit.root, *animation;
    size_t i;
    const bool good = is_legal(&w.edit);
    w.document = gltf_document_create(root);
    for (i = 0; good && i < EDIT_ACCESSORS; i++) {
        w.target = edit_accessors[i].target;
        edit_walk(root, edit_accessors[i].path, write_column, &w);
    }
    json_array_foreach(edit_list(root, "animations"), i, animation) {
        json_t *samplers = json_array();
        edit_walk(animation, "channels/*/sampler", list_sampler, samplers);
        json_object_set_new(animation, "samplers", samplers);
    }
    set_extension(root, "extensionsUsed", "KHR_mesh_quantization", w.is_quantised);
    set_extension(root, "extensionsRequired", "KHR_mesh_quantization", w.is_quantised);
    gltf_document_finish(&w.document, true);
    FREED char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (good && text)
        text_addf(out, "%s\n", text);
    gltf_document_release(&w.document);
    return good;
}
