#include "import/gltf/gltf_repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sort.h"

/* Writes anew what Assimp cannot read as it is meant, before it reads the file. */

struct gltf_file *gltf_of(struct conversion *c)
{
    struct error why = {0};
    if (!c->gltf) {
        c->gltf = ARENA_NEW(c->scene->arena, struct gltf_file, 1);
        c->problem = gltf_open(c->gltf, c->scene->path, &why) ? NULL : arena_string(c->scene->arena, why.text);
    }
    return c->problem ? NULL : c->gltf;
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

/* The JSON; of a GLB container with the BIN chunk where there is one. */
static void write_file(const struct gltf_file *file, struct text *out)
{
    FREED char *json = json_dumps(file->root, JSON_COMPACT);
    if (memcmp(file->content.data, "glTF", 4) == 0)
        gltf_add_container(out, json, file->bin.data, file->bin.size);
    else
        text_add(out, json);
}

/* Index of a buffer view that is a buffer of its own; NULL: of zeros. */
static int add_view(json_t *root, const float *numbers, size_t count)
{
    struct text bytes = {0}, uri = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        if (numbers)
            memcpy(&bits, &numbers[i], sizeof bits);
        add_little_endian(&bytes, bits, 4);
    }
    text_add(&uri, "data:application/octet-stream;base64,");
    text_add_base64(&uri, bytes.data, bytes.size);
    const json_int_t size = (json_int_t)bytes.size;
    int buffer = add_item(root, "buffers", json_pack("{s:I, s:s}", "byteLength", size, "uri", text_string(&uri)));
    text_release(&bytes);
    text_release(&uri);
    return add_item(root, "bufferViews", json_pack("{s:i, s:I}", "buffer", buffer, "byteLength", size));
}

/* Identity matrices, of which the first are others: `given_count` that are given. */
static int add_matrices(json_t *root, size_t count, const float *given, size_t given_count)
{
    float *numbers = memory_new(16 * count, sizeof *numbers);
    for (size_t i = 0; i < 16 * count; i += i % 16 == 15 ? 1 : 5)
        numbers[i] = 1;
    if (given)
        memcpy(numbers, given, 16 * given_count * sizeof *numbers);
    int view = add_view(root, numbers, 16 * count);
    free(numbers);
    return view;
}

bool gltf_is_draco(const json_t *primitive)
{
    return json_object_get(json_object_get(primitive, "extensions"), "KHR_draco_mesh_compression") != NULL;
}

/*
 * Accessors of integers among the attributes of vertices are given float ones of the same numbers, each once
 * (made[accessor] is the new one): Assimp knows that joints and colours may be integers, and copies others byte by
 * byte.
 */
enum { MOST_OF_NO_VIEW = 1 << 24 }; /* numbers of all accessors together that have no buffer view */
static size_t add_floats(struct gltf_file *file, json_t *attributes, int32_t *made, size_t *of_no_view)
{
    size_t count = 0;
    const char *name;
    json_t *value;
    json_object_foreach(attributes, name, value)
    {
        struct gltf_accessor accessor;
        struct error ignored = {0};
        int32_t index = gltf_index(attributes, name);
        if (name[0] == '_' || strncmp(name, "JOINTS", 6) == 0 || strncmp(name, "COLOR", 5) == 0 || index == GLTF_NONE ||
            (size_t)index >= file->accessor_count || !gltf_accessor_find(file, index, &accessor, &ignored) ||
            accessor.component == GLTF_FLOAT)
            continue;
        const json_t *json = gltf_item(file, "accessors", index);
        /* A buffer view bounds the numbers by the file's size; a sparse accessor may have none. */
        if (!json_object_get(json, "bufferView") &&
            (size_t)accessor.count * accessor.width > MOST_OF_NO_VIEW - *of_no_view)
            continue;
        if (!json_object_get(json, "bufferView") && !made[index])
            *of_no_view += (size_t)accessor.count * accessor.width;
        const float *numbers = made[index] ? NULL : gltf_floats(file, &accessor, &ignored);
        if (numbers) {
            int view = add_view(file->root, numbers, (size_t)accessor.count * accessor.width);
            made[index] =
                add_item(file->root, "accessors",
                         json_pack("{s:i, s:i, s:I, s:O}", "bufferView", view, "componentType", GLTF_FLOAT, "count",
                                   (json_int_t)accessor.count, "type", json_object_get(json, "type")));
        }
        if (made[index] == 0)
            continue;
        json_object_set_new(attributes, name,
                            json_integer(made[index])); /* the value of a key may change in the loop */
        count++;
    }
    return count;
}

/* Returns how many attributes of primitives and of their morph targets were integers. */
static size_t widen_integers(struct gltf_file *file)
{
    int32_t *made = memory_new(file->accessor_count, sizeof *made);
    size_t count = 0, of_no_view = 0, m, p, t;
    json_t *meshes = json_object_get(file->root, "meshes"), *mesh, *primitive, *target;
    json_array_foreach(meshes, m, mesh)
    {
        json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
        {
            if (gltf_is_draco(primitive))
                continue;
            count += add_floats(file, json_object_get(primitive, "attributes"), made, &of_no_view);
            json_array_foreach(json_object_get(primitive, "targets"), t, target)
            {
                count += add_floats(file, target, made, &of_no_view);
            }
        }
    }
    free(made);
    return count;
}

enum { MOST_JOINTS = 1 << 16 };

static void set_inverse_binds(struct gltf_file *file, json_t *skin, int view, size_t count)
{
    json_t *accessor = json_pack("{s:i, s:i, s:I, s:s}", "bufferView", view, "componentType", GLTF_FLOAT, "count",
                                 (json_int_t)count, "type", "MAT4");
    json_object_set_new(skin, "inverseBindMatrices", json_integer(add_item(file->root, "accessors", accessor)));
}

/* Returns how many skins lacked them. */
static size_t add_inverse_binds(struct gltf_file *file)
{
    size_t count = 0, most = 1, index;
    json_t *skin, *skins = json_object_get(file->root, "skins");
    int view = 0;
    for (int pass = 0; pass < 2; pass++) { /* first how large the largest is */
        if (pass == 1 && count > 0)
            view = add_matrices(file->root, most, NULL, 0);
        json_array_foreach(skins, index, skin)
        {
            size_t joints = json_array_size(json_object_get(skin, "joints"));
            if (!json_is_object(skin) || json_object_get(skin, "inverseBindMatrices") || joints > MOST_JOINTS)
                continue;
            count += pass == 0;
            most = joints > most ? joints : most;
            if (pass == 1)
                set_inverse_binds(file, skin, view, joints ? joints : 1);
        }
    }
    return count;
}

/* Returns how many skins had fewer than joints. */
static size_t complete_inverse_binds(struct gltf_file *file)
{
    size_t count = 0, index;
    json_t *skin;
    json_array_foreach(json_object_get(file->root, "skins"), index, skin)
    {
        struct gltf_accessor accessor;
        struct error ignored = {0};
        const size_t joints = json_array_size(json_object_get(skin, "joints"));
        const int32_t binds = gltf_index(skin, "inverseBindMatrices");
        if (binds == GLTF_NONE || (size_t)binds >= file->accessor_count || joints > MOST_JOINTS ||
            !gltf_accessor_find(file, binds, &accessor, &ignored) || accessor.width != 16 || accessor.count >= joints)
            continue;
        const float *given = gltf_floats(file, &accessor, &ignored);
        if (!given)
            continue;
        set_inverse_binds(file, skin, add_matrices(file->root, joints, given, accessor.count), joints);
        count++;
    }
    return count;
}

/* Assimp mixes the fallback of specular-glossiness with it: its base colour, and where there is no diffuse texture
 * its own. */
static size_t drop_fallbacks(struct gltf_file *file)
{
    static const char name[] = "KHR_materials_pbrSpecularGlossiness";
    size_t i, count = 0;
    json_t *material;
    json_array_foreach(json_object_get(file->root, "materials"), i, material)
    {
        if (json_object_get(json_object_get(material, "extensions"), name))
            count += json_object_del(material, "pbrMetallicRoughness") == 0;
    }
    if (count > 0) /* Assimp reads only extensions that are listed */
        add_item(file->root, "extensionsUsed", json_string(name));
    return count;
}

/* Accessors without a buffer view are zeros, which Assimp refuses; in a file with Draco's primitives they are
 * decoded. */
static size_t add_zeros(struct gltf_file *file)
{
    size_t count = 0, numbers = 0;
    const json_t *meshes = json_object_get(file->root, "meshes"), *primitives;
    for (size_t m = 0; m < json_array_size(meshes); m++) {
        primitives = json_object_get(json_array_get(meshes, m), "primitives");
        for (size_t p = 0; p < json_array_size(primitives); p++)
            if (gltf_is_draco(json_array_get(primitives, p)))
                return 0;
    }
    for (size_t i = 0; i < file->accessor_count; i++) {
        struct gltf_accessor accessor;
        struct error ignored = {0};
        json_t *json = gltf_item(file, "accessors", (int64_t)i);
        if (!json || json_object_get(json, "bufferView") || json_object_get(json, "sparse") ||
            !gltf_accessor_find(file, (int64_t)i, &accessor, &ignored) ||
            accessor.count > (MOST_OF_NO_VIEW - numbers) / accessor.width)
            continue;
        const size_t more = (size_t)accessor.count * accessor.width;
        json_object_set_new(json, "bufferView", json_integer(add_view(file->root, NULL, more)));
        numbers += more;
        count++;
    }
    return count;
}

/* Names of buffers that are percent-encoded, which Assimp takes as they stand. */
static size_t decode_names(struct gltf_file *file)
{
    size_t count = 0, i;
    json_t *buffer;
    json_array_foreach(json_object_get(file->root, "buffers"), i, buffer)
    {
        const char *uri = gltf_string(buffer, "uri", "");
        char *name = memory_new(strlen(uri) + 1, 1), *path = NULL;
        bool outside = false;
        if (strncasecmp(uri, "data:", 5) != 0 && strchr(uri, '%') &&
            decode_percent(uri, (unsigned char *)name) == strlen(name) &&
            path_inside_model_tree(file->path, name, &path, &outside) && file_exists(path)) {
            json_object_set_new(buffer, "uri", json_string(name));
            count++;
        }
        free(path);
        free(name);
    }
    return count;
}

static size_t add_scene(const struct gltf_file *file)
{
    const int32_t index = gltf_index(file->root, "scene");
    const size_t count = gltf_count(file, "nodes");
    if (count == 0 || gltf_item(file, "scenes", index == GLTF_NONE ? 0 : index))
        return 0;
    bool *is_child = memory_new(count + 1, sizeof *is_child);
    json_t *roots = json_array();
    for (size_t n = 0; n < count; n++) {
        const json_t *children = json_object_get(gltf_item(file, "nodes", (int64_t)n), "children");
        for (size_t i = 0; i < json_array_size(children); i++)
            if (gltf_item(file, "nodes", gltf_index_at(children, i)))
                is_child[gltf_index_at(children, i)] = true;
    }
    for (size_t n = 0; n < count; n++)
        if (!is_child[n])
            json_array_append_new(roots, json_integer((json_int_t)n));
    json_object_set_new(file->root, "scenes", json_pack("[{s:o}]", "nodes", roots));
    json_object_set_new(file->root, "scene", json_integer(0));
    free(is_child);
    return 1;
}

/* A node that shows a mesh; its skin, or GLTF_NONE. */
struct use {
    int32_t mesh, skin, node;
};

static int by_mesh_and_skin(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    int order = (x->mesh > y->mesh) - (x->mesh < y->mesh);
    order = order ? order : (x->skin > y->skin) - (x->skin < y->skin);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

/* Another mesh of the same primitives and the same name, as Assimp calls it. */
static int add_copy(json_t *root, const json_t *mesh, int32_t index)
{
    char name[32];
    json_t *copy = json_copy((json_t *)mesh); /* jansson's parameter is not const; nothing is changed */
    snprintf(name, sizeof name, "meshes[%d]", (int)index);
    if (gltf_string(copy, "name", "")[0] == '\0')
        json_object_set_new(copy, "name", json_string(name));
    return add_item(root, "meshes", copy);
}

/*
 * Nodes may share a mesh and give it a skin each, or none, and each node has morph weights of its own: a mesh of Assimp
 * has the bones of one skin, and is drawn once where it has bones. Returns how many meshes were added.
 */
enum { MOST_COPIES = 4096 };
static size_t split_meshes(struct gltf_file *file)
{
    const size_t node_count = gltf_count(file, "nodes");
    size_t count = 0, added = 0;
    struct use *uses = memory_new(node_count, sizeof *uses);
    for (size_t n = 0; n < node_count; n++) {
        const json_t *node = gltf_item(file, "nodes", (int64_t)n);
        struct use use = {gltf_index(node, "mesh"), gltf_index(node, "skin"), (int32_t)n};
        use.skin = gltf_item(file, "skins", use.skin) ? use.skin : GLTF_NONE;
        if (gltf_item(file, "meshes", use.mesh))
            uses[count++] = use;
    }
    sort_items(uses, count, sizeof *uses, by_mesh_and_skin);
    int32_t mesh = GLTF_NONE;
    for (size_t i = 0; i < count && added < MOST_COPIES; i++) {
        const struct use *use = &uses[i];
        if (i == 0 || use->mesh != use[-1].mesh) {
            mesh = use->mesh;
        } else if (use->skin != GLTF_NONE) { /* rigid nodes, which come first, may share */
            mesh = add_copy(file->root, gltf_item(file, "meshes", use->mesh), use->mesh);
            added++;
        }
        if (mesh != use->mesh)
            json_object_set_new(gltf_item(file, "nodes", use->node), "mesh", json_integer(mesh));
    }
    free(uses);
    return added;
}

enum { POINTERS, FALLBACKS, SCENE, NAMES, ZEROS, INTEGERS, FEWER, SKINS, MESHES, REWRITES };

/* The changes to a file of version 2, each with its note: how often it was done stands between the two parts of the
 * sentence. */
static const struct {
    uint32_t repair;
    const char *id;
    size_t (*rewrite)(struct gltf_file *file); /* NULL: gltf_rewrite() itself does it */
    const char *before, *after, *after_one;    /* after_one: in place of `after` behind 1 */
} rewrites[REWRITES] = {
    [POINTERS] = {REPAIR_GLTF_POINTERS, "gltf-pointers", NULL,
                  "channels of KHR_animation_pointer that move a node, which Assimp does not read: ", ""},
    [FALLBACKS] = {REPAIR_GLTF_MATERIALS, "gltf-materials", drop_fallbacks,
                   "materials with specular-glossiness and a fallback, which Assimp mixes, without the fallback: ", ""},
    [SCENE] = {REPAIR_GLTF_GAPS, "gltf-gaps", NULL, "no scene: all root nodes are drawn: ", ""},
    [NAMES] = {REPAIR_GLTF_GAPS, "gltf-gaps", decode_names,
               "names of buffers that are percent-encoded, which Assimp does not decode: ", ""},
    [ZEROS] = {REPAIR_GLTF_GAPS, "gltf-gaps", add_zeros,
               "accessors without a buffer view, which Assimp refuses, as zeros: ", ""},
    [INTEGERS] = {REPAIR_GLTF_INTEGERS, "gltf-integers", widen_integers, "",
                  " attributes of vertices are integers, which Assimp takes for floats: it is given floats"},
    [FEWER] = {REPAIR_GLTF_INVERSE_BIND, "gltf-inverse-bind", complete_inverse_binds,
               "skins with fewer inverse bind matrices than joints, behind which Assimp reads on; identities are "
               "added: ",
               ""},
    [SKINS] = {REPAIR_GLTF_INVERSE_BIND, "gltf-inverse-bind", add_inverse_binds, "",
               " skins have no inverseBindMatrices, on which Assimp crashes: it is given the identity for each joint",
               " skin has no inverseBindMatrices, on which Assimp crashes: it is given the identity for each joint"},
    [MESHES] = {REPAIR_SHARED_SKIN, "shared-skin", split_meshes,
                "nodes share meshes that are skinned, of which Assimp keeps one: ", " meshes added",
                " mesh added"},
};

void gltf_rewrite(struct conversion *c, struct text *out)
{
    struct gltf_file *file = gltf_of(c);
    size_t counts[REWRITES] = {0};
    if (!file)
        return;
    const bool is_version_2 = gltf_is_version_2(file);
    json_t *lost = gltf_find_lost(file);
    if (is_version_2) {
        counts[POINTERS] = gltf_resolve_pointers(file, c->repairs & REPAIR_GLTF_POINTERS, lost);
        counts[SCENE] = c->repairs & REPAIR_GLTF_GAPS ? add_scene(file) : 0;
    }
    bool is_changed = is_version_2 && json_object_get(lost, "KHR_animation_pointer");
    const bool good = gltf_list_lost(c, lost) && is_version_2;
    for (int i = 0; i < REWRITES && good; i++) {
        if (rewrites[i].rewrite && (c->repairs & rewrites[i].repair))
            counts[i] = rewrites[i].rewrite(file);
        gltf_make_room(file);
        if (counts[i] > 0)
            repaired(c, rewrites[i].id, "%s%zu%s", rewrites[i].before, counts[i],
                     counts[i] == 1 && rewrites[i].after_one ? rewrites[i].after_one : rewrites[i].after);
        is_changed = is_changed || counts[i] > 0;
    }
    if (counts[MESHES] == MOST_COPIES)
        warn(c, "shared-skin", "more meshes than that are shared by nodes with skins");
    if (is_changed)
        write_file(file, out);
    json_decref(lost);
}
