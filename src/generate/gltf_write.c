#include "generate/gltf_write.h"

#include <string.h>

#include <jansson.h>
#undef JSON_INLINE /* jansson's word for `inline`; here it is a layout */

#include "base/json.h"
#include "data/gltf_document.h"

enum { JUNK_BYTES = 12, MOST_ATTRIBUTES = 7 };

struct writer {
    const struct rig *rig;
    struct gltf_document document;
    uint32_t *node_at; /* [node_count] the node at each place of the file */
};

/* The values as they are stored. Integers are normalised, or as they are. */
static struct gltf_column column_of(const struct writer *w, const double *values, uint32_t count, uint32_t width,
                                    enum rig_number number, bool is_normalised)
{
    static const enum gltf_component components[RIG_NUMBERS] = {
        GLTF_FLOAT, GLTF_BYTE, GLTF_UNSIGNED_BYTE, GLTF_SHORT, GLTF_UNSIGNED_SHORT, GLTF_UNSIGNED_INT};
    double *numbers = ARENA_NEW(w->rig->arena, double, (size_t)count * width);
    for (size_t i = 0; i < (size_t)count * width; i++)
        numbers[i] = number == RIG_FLOAT || is_normalised ? rig_stored(values[i], number) : values[i];
    return (struct gltf_column){numbers, count, width, components[number],
                                .is_normalised = is_normalised && number != RIG_FLOAT};
}

/* The odd elements come from the sparse part; the base has others in their place, or with `is_alone` there is none
 * and the even elements, which must be zeros, are left to the reader. */
static uint32_t add_sparse(struct writer *w, const struct gltf_column *column, bool is_alone)
{
    struct gltf_document *document = &w->document;
    const uint32_t first = is_alone ? 0 : 1, step = is_alone ? 1 : 2;
    double *places = ARENA_NEW(w->rig->arena, double, column->count);
    const struct gltf_column indices = {places, (column->count - first + step - 1) / step, 1, GLTF_UNSIGNED_SHORT};
    const size_t element = column->width * gltf_component_size(column->component);
    const bool is_padded = column->target == GLTF_ARRAY_BUFFER && element % 4 > 0;
    size_t at = gltf_align(document);
    int32_t base = GLTF_NO_VIEW;
    for (uint32_t i = 0; !is_alone && i < column->count; i++) {
        gltf_add_elements(document, column, i % 2 == 1 ? i - 1 : i, 1);
        if (is_padded)
            gltf_align(document);
    }
    if (!is_alone)
        base = gltf_add_view(document, at, is_padded ? (element + 3) / 4 * 4 : 0, column->target);
    const uint32_t accessor = gltf_add_accessor(document, column, base, 0);
    for (uint32_t i = 0; i < indices.count; i++)
        places[i] = first + i * step;
    at = gltf_align(document);
    gltf_add_elements(document, &indices, 0, indices.count);
    const int32_t index_view = gltf_add_view(document, at, 0, GLTF_NO_TARGET);
    at = gltf_align(document);
    for (uint32_t i = first; i < column->count; i += step)
        gltf_add_elements(document, column, i, 1);
    const int32_t value_view = gltf_add_view(document, at, 0, GLTF_NO_TARGET);
    json_object_set_new(json_array_get(document->accessors, accessor), "sparse",
                        json_pack("{s:I, s:{s:i, s:i}, s:{s:i}}", "count", (json_int_t)indices.count, "indices",
                                  "bufferView", index_view, "componentType", GLTF_UNSIGNED_SHORT, "values",
                                  "bufferView", value_view));
    return accessor;
}

/* The attributes of vertices by their names. */
struct attributes {
    uint32_t count;
    const char *names[MOST_ATTRIBUTES];
    struct gltf_column columns[MOST_ATTRIBUTES];
};

static void list(struct attributes *attributes, const char *name, struct gltf_column column)
{
    column.target = GLTF_ARRAY_BUFFER;
    column.has_range = strcmp(name, "POSITION") == 0;
    attributes->names[attributes->count] = name;
    attributes->columns[attributes->count++] = column;
}

/* All columns in one view, vertex after vertex, each padded to four bytes. The accessors follow each other. */
static void add_interleaved(struct writer *w, const struct attributes *attributes, json_t *out)
{
    struct gltf_document *document = &w->document;
    const size_t offset = gltf_align(document), vertices = attributes->columns[0].count;
    size_t places[MOST_ATTRIBUTES];
    for (size_t i = 0; i < vertices; i++)
        for (uint32_t c = 0; c < attributes->count; c++) {
            places[c] = i == 0 ? gltf_align(document) - offset : places[c];
            gltf_add_elements(document, &attributes->columns[c], i, 1);
            gltf_align(document);
        }
    const int32_t view =
        gltf_add_view(document, offset, (document->bytes.size - offset) / vertices, GLTF_ARRAY_BUFFER);
    for (uint32_t c = 0; c < attributes->count; c++)
        json_object_set_new(out, attributes->names[c],
                            json_integer(gltf_add_accessor(document, &attributes->columns[c], view, places[c])));
}

/* Those of a target lie one after another. */
static json_t *add_attributes(struct writer *w, const struct rig_mesh *mesh, const struct attributes *attributes,
                              bool is_target)
{
    const bool is_interleaved = mesh->is_interleaved && !is_target,
               is_alone = is_target ? mesh->has_sparse_targets : mesh->is_sparse_alone,
               is_sparse = is_alone || (mesh->is_sparse && !is_target);
    const size_t junk = mesh->has_offsets && !is_target ? JUNK_BYTES : 0;
    json_t *out = json_object();
    if (is_interleaved)
        add_interleaved(w, attributes, out);
    for (uint32_t i = 0; !is_interleaved && i < attributes->count; i++) {
        const struct gltf_column *column = &attributes->columns[i];
        json_object_set_new(out, attributes->names[i],
                            json_integer(is_sparse && i == 0 ? add_sparse(w, column, is_alone)
                                                             : gltf_add_column(&w->document, column, junk)));
    }
    return out;
}

/* Numbers of all vertices that lie as far into each as in the first. */
static struct gltf_column gather(const struct writer *w, const struct rig_mesh *mesh, const double *of_first,
                                 uint32_t width, enum rig_number number)
{
    double *values = ARENA_NEW(w->rig->arena, double, (size_t)mesh->vertex_count * width);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        memcpy(values + (size_t)v * width, (const char *)of_first + v * sizeof(struct rig_vertex),
               width * sizeof *values);
    return column_of(w, values, mesh->vertex_count, width, number, true);
}

/* Indices as they are: the four of a vertex lie `stride` numbers behind those of the vertex before. */
static struct gltf_column gather_indices(const struct writer *w, const uint32_t *first, size_t stride, uint32_t count,
                                         uint32_t width, enum rig_number number)
{
    double *values = ARENA_NEW(w->rig->arena, double, (size_t)count * width);
    for (size_t i = 0; i < (size_t)count * width; i++)
        values[i] = first[i / width * stride + i % width];
    return column_of(w, values, count, width, number, false);
}

static json_t *write_attributes(struct writer *w, const struct rig_mesh *mesh)
{
    static const char *const joints[] = {"JOINTS_0", "JOINTS_1"}, *const weights[] = {"WEIGHTS_0", "WEIGHTS_1"};
    const struct rig_vertex *first = mesh->vertices;
    struct attributes attributes = {0};
    list(&attributes, "POSITION", gather(w, mesh, first->positions[0], 3, mesh->position_number));
    if (mesh->has_normals)
        list(&attributes, "NORMAL", gather(w, mesh, first->normals[0], 3, RIG_FLOAT));
    if (mesh->has_tangents)
        list(&attributes, "TANGENT", gather(w, mesh, first->tangent, 4, RIG_FLOAT));
    for (uint32_t set = 0; set < mesh->sets; set++) {
        list(&attributes, joints[set],
             gather_indices(w, first->joints + 4 * set, sizeof *first / sizeof(uint32_t), mesh->vertex_count, 4,
                            mesh->joint_number));
        list(&attributes, weights[set], gather(w, mesh, first->weights + 4 * set, 4, mesh->weight_number));
    }
    return add_attributes(w, mesh, &attributes, false);
}

static json_t *write_targets(struct writer *w, const struct rig_mesh *mesh)
{
    json_t *targets = mesh->target_count > 0 ? json_array() : NULL;
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        struct attributes attributes = {0};
        list(&attributes, "POSITION", gather(w, mesh, mesh->vertices->positions[1 + t], 3, mesh->position_number));
        if (mesh->has_target_normals)
            list(&attributes, "NORMAL", gather(w, mesh, mesh->vertices->normals[1 + t], 3, RIG_FLOAT));
        json_array_append_new(targets, add_attributes(w, mesh, &attributes, true));
    }
    return targets;
}

static json_t *write_indices(struct writer *w, const struct rig_mesh *mesh)
{
    struct gltf_column column = gather_indices(w, mesh->indices, 1, mesh->index_count, 1, mesh->index_number);
    column.target = GLTF_ELEMENT_ARRAY_BUFFER;
    return mesh->index_count > 0 ? json_integer(gltf_add_column(&w->document, &column, 0)) : NULL;
}

/* Members of objects, NULL of what is not there: some numbers, an index, a list. */
static json_t *floats(const double *values, size_t count)
{
    json_t *out = count > 0 ? json_array() : NULL;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(out, json_real((double)(float)values[i]));
    return out;
}

static json_t *floats_unless(const double *values, const double *standard, size_t count)
{
    return floats(values, memcmp(values, standard, count * sizeof *values) != 0 ? count : 0);
}

static json_t *number(int32_t index)
{
    return index >= 0 ? json_integer(index) : NULL;
}

static json_t *items_of(json_t *list)
{
    if (json_array_size(list) > 0)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *write_mesh(struct writer *w, uint32_t index)
{
    const struct rig_mesh *mesh = &w->rig->meshes[index];
    json_t *attributes = write_attributes(w, mesh), *indices = write_indices(w, mesh),
           *targets = write_targets(w, mesh);
    return json_pack("{s:s, s:[{s:o, s:o*, s:o*}], s:o*}", "name", mesh->name, "primitives", "attributes", attributes,
                     "indices", indices, "targets", targets, "weights", floats(mesh->weights, mesh->weight_count));
}

/* Sixteen numbers column by column. */
static void columns_of(const struct affine_d *m, double out[16])
{
    for (int i = 0; i < 16; i++)
        out[i] = i % 4 < 3 ? m->column[i / 4][i % 4] : i / 15;
}

static json_t *write_node(struct writer *w, uint32_t place)
{
    static const double none[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1};
    const struct rig *rig = w->rig;
    const uint32_t index = w->node_at[place];
    const struct rig_node *node = &rig->nodes[index];
    const struct affine_d local = rig_local(node);
    const bool is_trs = !node->is_matrix;
    json_t *children = json_array();
    double columns[16];
    columns_of(&local, columns);
    for (uint32_t i = index + 1; i < rig->node_count; i++)
        if (rig->nodes[i].parent == (int32_t)index)
            json_array_append_new(children, json_integer(rig->nodes[i].place));
    return json_pack("{s:s*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*}", "name", node->name, "children",
                     items_of(children), "matrix", floats(columns, is_trs ? 0 : 16), "translation",
                     is_trs ? floats_unless(node->translation, none, 3) : NULL, "rotation",
                     is_trs ? floats_unless(node->rotation, none, 4) : NULL, "scale",
                     is_trs ? floats_unless(node->scale, one, 3) : NULL, "mesh", number(node->mesh), "skin",
                     number(node->skin), "weights", floats(node->weights, node->weight_count));
}

static json_t *write_scene(struct writer *w, uint32_t scene)
{
    json_t *nodes = json_array();
    for (uint32_t i = 0; i < w->rig->node_count; i++)
        if (w->rig->nodes[i].parent < 0 && w->rig->nodes[i].scene == (int32_t)scene)
            json_array_append_new(nodes, json_integer(w->rig->nodes[i].place));
    return json_pack("{s:o}", "nodes", nodes);
}

static json_t *write_skin(struct writer *w, uint32_t index)
{
    const struct rig_skin *skin = &w->rig->skins[index];
    const struct rig_node *nodes = w->rig->nodes;
    json_t *joints = json_array();
    double *columns = ARENA_NEW(w->rig->arena, double, 16 * (size_t)skin->joint_count);
    for (uint32_t k = 0; k < skin->joint_count; k++) {
        json_array_append_new(joints, json_integer(nodes[skin->joints[k]].place));
        if (skin->inverse_bind)
            columns_of(&skin->inverse_bind[k], columns + 16 * (size_t)k);
    }
    const struct gltf_column column = column_of(w, columns, skin->joint_count, 16, RIG_FLOAT, false);
    return json_pack("{s:s, s:o, s:o*, s:o*}", "name", skin->name, "joints", joints, "skeleton",
                     number(skin->skeleton >= 0 ? (int32_t)nodes[skin->skeleton].place : RIG_NONE),
                     "inverseBindMatrices",
                     number(skin->inverse_bind ? (int32_t)gltf_add_column(&w->document, &column, 0) : RIG_NONE));
}

static json_t *write_sampler(struct writer *w, const struct rig_channel *channel)
{
    static const char *const curves[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    const uint32_t values = channel->key_count * (channel->curve == RIG_CUBIC ? 3 : 1);
    const uint32_t parts = channel->path == RIG_WEIGHTS ? channel->width : 1; /* weights are scalars, one each */
    struct gltf_column times = column_of(w, channel->times, channel->key_count, 1, RIG_FLOAT, false);
    const struct gltf_column output =
        column_of(w, channel->values, values * parts, channel->width / parts, channel->number, true);
    times.has_range = true;
    const int input = (int)gltf_add_column(&w->document, &times, 0);
    return json_pack(
        "{s:i, s:s, s:i}", "input", input, "interpolation", curves[channel->curve], "output",
        (int)(channel->is_sparse ? add_sparse(w, &output, false) : gltf_add_column(&w->document, &output, 0)));
}

static json_t *write_channel(const struct writer *w, const struct rig_channel *channel, size_t sampler)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    return json_pack("{s:I, s:{s:o*, s:s}}", "sampler", (json_int_t)sampler, "target", "node",
                     number(channel->node >= 0 ? (int32_t)w->rig->nodes[channel->node].place : RIG_NONE), "path",
                     paths[channel->path]);
}

static json_t *write_animation(struct writer *w, uint32_t clip)
{
    json_t *samplers = json_array(), *channels = json_array();
    for (uint32_t i = 0; i < w->rig->channel_count; i++)
        if (w->rig->channels[i].clip == clip) {
            json_array_append_new(channels, write_channel(w, &w->rig->channels[i], json_array_size(samplers)));
            json_array_append_new(samplers, write_sampler(w, &w->rig->channels[i]));
        }
    return json_pack("{s:s*, s:o, s:o}", "name", w->rig->clips[clip], "samplers", samplers, "channels", channels);
}

static void write_list(struct writer *w, const char *key, uint32_t count, json_t *(*write)(struct writer *, uint32_t))
{
    json_t *items = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(items, write(w, i));
    if ((items = items_of(items)))
        json_object_set_new(w->document.root, key, items);
}

/* As text of which the outer `levels` are spread over lines. */
static void print(struct json_writer *out, const char *key, const json_t *value, int levels)
{
    const enum json_layout layout = levels > 0 ? JSON_LINES : JSON_INLINE;
    const char *name;
    json_t *item;
    size_t i;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        json_open_object(out, key, layout);
        json_object_foreach((json_t *)value, name, item)
            print(out, name, item, levels - 1);
        json_close(out);
        break;
    case JSON_ARRAY:
        json_open_array(out, key, layout);
        json_array_foreach(value, i, item)
            print(out, NULL, item, levels - 1);
        json_close(out);
        break;
    case JSON_STRING:
        json_add_string(out, key, json_string_value(value));
        break;
    case JSON_INTEGER:
        json_add_int(out, key, json_integer_value(value));
        break;
    case JSON_REAL:
        json_add_float(out, key, (float)json_real_value(value));
        break;
    default:
        json_add_bool(out, key, json_is_true(value));
    }
}

/* An item of a list has a line, of an animation each sampler and channel. */
static void print_document(const json_t *root, struct text *out)
{
    struct json_writer json = {.text = out};
    const char *key;
    json_t *value;
    json_open_object(&json, NULL, JSON_LINES);
    json_object_foreach((json_t *)root, key, value)
        print(&json, key, value, strcmp(key, "animations") == 0 ? 3 : json_is_array(value));
    json_close(&json);
}

static void write_document(struct writer *w, bool is_binary)
{
    const struct rig *rig = w->rig;
    json_t *root = json_pack("{s:{s:s, s:s}}", "asset", "version", "2.0", "generator", "rigproof generate");
    w->document = gltf_document_create(root);
    w->node_at = ARENA_NEW(rig->arena, uint32_t, rig->node_count);
    for (uint32_t i = 0; i < rig->node_count; i++)
        w->node_at[rig->nodes[i].place] = i;
    for (uint32_t i = 0; i < rig->mesh_count; i++)
        if (rig->meshes[i].position_number != RIG_FLOAT) {
            json_object_set_new(root, "extensionsUsed", json_pack("[s]", "KHR_mesh_quantization"));
            json_object_set_new(root, "extensionsRequired", json_pack("[s]", "KHR_mesh_quantization"));
        }
    if (rig->scene >= 0)
        json_object_set_new(root, "scene", json_integer(rig->scene));
    write_list(w, "scenes", rig->scene_count, write_scene);
    write_list(w, "nodes", rig->node_count, write_node);
    write_list(w, "meshes", rig->mesh_count, write_mesh);
    write_list(w, "skins", rig->skin_count, write_skin);
    write_list(w, "animations", rig->clip_count, write_animation);
    gltf_align(&w->document);
    gltf_document_finish(&w->document, !is_binary);
}

void gltf_write(const struct rig *rig, bool is_binary, struct text *out)
{
    SCOPED(text) json = {0};
    struct writer w = {.rig = rig};
    write_document(&w, is_binary);
    print_document(w.document.root, is_binary ? &json : out);
    if (is_binary)
        gltf_add_container(out, text_string(&json), w.document.bytes.data, w.document.bytes.size);
    gltf_document_release(&w.document);
}
