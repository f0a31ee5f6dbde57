#include "generate/gltf_write.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/json.h"

enum { NO_TARGET = 0, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963, JUNK_BYTES = 12 };

static const struct {
    int code;
    unsigned size;
} numbers[RIG_NUMBERS] = {{5126, 4}, {5120, 1}, {5121, 1}, {5122, 2}, {5123, 2}, {5125, 4}};

struct view {
    size_t offset, length;
    unsigned stride; /* 0: not given */
    int target;
};

struct accessor {
    int32_t view; /* RIG_NONE: the accessor is all zeros but for its sparse part */
    size_t offset, count;
    enum rig_number number;
    const char *type;
    bool is_normalised, has_range;
    uint32_t width;
    double least[16], most[16];
    int32_t sparse_indices, sparse_values; /* views; RIG_NONE: not sparse */
    size_t sparse_count;
};

/* Values that become an accessor. */
struct column {
    const double *values; /* [count][width] */
    size_t count;
    uint32_t width;
    enum rig_number number;
    bool is_normalised, has_range;
    int target;
};

struct writer {
    const struct rig *rig;
    struct text bytes;
    uint32_t view_count, accessor_count;
    struct view *views;
    struct accessor *accessors;
    uint32_t *node_at; /* [node_count] the node at each place of the file */
    struct json_writer json;
};

static void align(struct writer *w)
{
    while (w->bytes.size % 4 != 0)
        text_add_bytes(&w->bytes, "", 1);
}

static void add_number(struct writer *w, double value, enum rig_number number, bool is_normalised)
{
    const double stored = number == RIG_FLOAT || is_normalised ? rig_stored(value, number) : value;
    uint32_t bits;
    if (number == RIG_FLOAT) {
        const float narrow = (float)stored;
        memcpy(&bits, &narrow, sizeof bits);
    } else
        bits = (uint32_t)(int64_t)stored;
    add_little_endian(&w->bytes, bits, numbers[number].size);
}

/* A view over what was written from `offset` on. */
static uint32_t add_view(struct writer *w, size_t offset, unsigned stride, int target)
{
    w->views = arena_room(w->rig->arena, w->views, w->view_count, sizeof *w->views);
    w->views[w->view_count] = (struct view){offset, w->bytes.size - offset, stride, target};
    return w->view_count++;
}

static const char *type_of(uint32_t width)
{
    return width == 1 ? "SCALAR" : width == 3 ? "VEC3" : width == 4 ? "VEC4" : "MAT4";
}

static uint32_t add_accessor(struct writer *w, const struct column *column, int32_t view, size_t offset)
{
    w->accessors = arena_room(w->rig->arena, w->accessors, w->accessor_count, sizeof *w->accessors);
    struct accessor *accessor = &w->accessors[w->accessor_count];
    *accessor = (struct accessor){.view = view, .offset = offset, .count = column->count, .number = column->number,
                                  .type = type_of(column->width), .is_normalised = column->is_normalised,
                                  .has_range = column->has_range, .width = column->width,
                                  .sparse_indices = RIG_NONE, .sparse_values = RIG_NONE};
    for (uint32_t i = 0; column->has_range && i < column->width; i++) {
        accessor->least[i] = accessor->most[i] = column->values[i];
        for (size_t k = 1; k < column->count; k++) {
            accessor->least[i] = fmin(accessor->least[i], column->values[k * column->width + i]);
            accessor->most[i] = fmax(accessor->most[i], column->values[k * column->width + i]);
        }
    }
    return w->accessor_count++;
}

static void add_values(struct writer *w, const struct column *column, const double *values, size_t count)
{
    for (size_t i = 0; i < count * column->width; i++)
        add_number(w, values[i], column->number, column->is_normalised);
}

/* A view and an accessor of their own; with `junk` the values begin that many bytes into the view. */
static uint32_t add_column(struct writer *w, const struct column *column, size_t junk)
{
    align(w);
    const size_t offset = w->bytes.size;
    for (size_t i = 0; i < junk; i++)
        text_add_bytes(&w->bytes, "\xA5", 1);
    add_values(w, column, column->values, column->count);
    return add_accessor(w, column, (int32_t)add_view(w, offset, 0, column->target), junk);
}

/* The odd elements come from the sparse part; the base has others in their place, or with `is_alone` there is none
 * and the even elements, which must be zeros, are left to the reader. */
static uint32_t add_sparse(struct writer *w, const struct column *column, bool is_alone)
{
    const size_t offset = (align(w), w->bytes.size);
    const double *values = column->values;
    const uint32_t width = column->width;
    int32_t base = RIG_NONE;
    for (size_t i = 0; !is_alone && i < column->count; i++)
        add_values(w, column, values + (i % 2 == 1 ? i - 1 : i) * width, 1);
    if (!is_alone)
        base = (int32_t)add_view(w, offset, 0, column->target);
    const uint32_t index = add_accessor(w, column, base, 0);
    struct accessor *accessor = &w->accessors[index];
    accessor->sparse_count = is_alone ? column->count : column->count / 2;
    const size_t first = is_alone ? 0 : 1, step = is_alone ? 1 : 2;
    align(w);
    size_t at = w->bytes.size;
    for (size_t i = first; i < column->count; i += step)
        add_number(w, (double)i, RIG_U16, false);
    accessor->sparse_indices = (int32_t)add_view(w, at, 0, NO_TARGET);
    align(w);
    at = w->bytes.size;
    for (size_t i = first; i < column->count; i += step)
        add_values(w, column, values + i * width, 1);
    accessor->sparse_values = (int32_t)add_view(w, at, 0, NO_TARGET);
    return index;
}

/* All columns in one view, vertex after vertex, each padded to four bytes. The accessors follow each other; the
 * first one's index. */
static uint32_t add_interleaved(struct writer *w, const struct column *columns, uint32_t count)
{
    align(w);
    const size_t offset = w->bytes.size;
    const uint32_t view = w->view_count, first = w->accessor_count;
    size_t places[16];
    for (size_t i = 0; i < columns[0].count; i++)
        for (uint32_t c = 0; c < count; c++) {
            align(w);
            places[c] = i == 0 ? w->bytes.size - offset : places[c];
            add_values(w, &columns[c], columns[c].values + i * columns[c].width, 1);
        }
    align(w);
    add_view(w, offset, (unsigned)((w->bytes.size - offset) / columns[0].count), ARRAY_BUFFER);
    for (uint32_t c = 0; c < count; c++)
        add_accessor(w, &columns[c], (int32_t)view, places[c]);
    return first;
}

static void add_floats(struct json_writer *json, const char *key, const double *values, size_t count)
{
    json_open_array(json, key, JSON_INLINE);
    for (size_t i = 0; i < count; i++)
        json_add_float(json, NULL, (float)values[i]);
    json_close(json);
}

static void add_indices(struct json_writer *json, const char *key, const uint32_t *values, size_t count)
{
    json_open_array(json, key, JSON_INLINE);
    for (size_t i = 0; i < count; i++)
        json_add_int(json, NULL, values[i]);
    json_close(json);
}

static void write_transform(struct json_writer *json, const struct rig_node *node)
{
    static const double none[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1};
    double m[12], columns[16] = {[15] = 1};
    if (node->is_matrix) {
        rig_local_matrix(node, m);
        for (int i = 0; i < 12; i++)
            columns[i % 4 * 4 + i / 4] = m[i];
        add_floats(json, "matrix", columns, 16);
        return;
    }
    if (memcmp(node->translation, none, sizeof node->translation) != 0)
        add_floats(json, "translation", node->translation, 3);
    if (memcmp(node->rotation, none, sizeof node->rotation) != 0)
        add_floats(json, "rotation", node->rotation, 4);
    if (memcmp(node->scale, one, sizeof node->scale) != 0)
        add_floats(json, "scale", node->scale, 3);
}

static void write_nodes(struct writer *w)
{
    const struct rig *rig = w->rig;
    struct json_writer *json = &w->json;
    uint32_t *children = ARENA_NEW(rig->arena, uint32_t, rig->node_count);
    json_open_array(json, "nodes", JSON_LINES);
    for (uint32_t place = 0; place < rig->node_count; place++) {
        const uint32_t index = w->node_at[place];
        const struct rig_node *node = &rig->nodes[index];
        size_t count = 0;
        for (uint32_t i = index + 1; i < rig->node_count; i++)
            if (rig->nodes[i].parent == (int32_t)index)
                children[count++] = rig->nodes[i].place;
        json_open_object(json, NULL, JSON_INLINE);
        if (node->name)
            json_add_string(json, "name", node->name);
        if (count > 0)
            add_indices(json, "children", children, count);
        write_transform(json, node);
        if (node->mesh >= 0)
            json_add_int(json, "mesh", node->mesh);
        if (node->skin >= 0)
            json_add_int(json, "skin", node->skin);
        if (node->weight_count > 0)
            add_floats(json, "weights", node->weights, node->weight_count);
        json_close(json);
    }
    json_close(json);
}

static void write_scenes(struct writer *w)
{
    struct json_writer *json = &w->json;
    if (w->rig->scene >= 0)
        json_add_int(json, "scene", w->rig->scene);
    json_open_array(json, "scenes", JSON_LINES);
    for (uint32_t scene = 0; scene < w->rig->scene_count; scene++) {
        json_open_object(json, NULL, JSON_INLINE);
        json_open_array(json, "nodes", JSON_INLINE);
        for (uint32_t i = 0; i < w->rig->node_count; i++)
            if (w->rig->nodes[i].parent < 0 && w->rig->nodes[i].scene == (int32_t)scene)
                json_add_int(json, NULL, w->rig->nodes[i].place);
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

/* Numbers of all vertices that lie `offset` doubles into each, from the same place on. */
static double *gather(const struct writer *w, const struct rig_mesh *mesh, const double *of_first, uint32_t width)
{
    double *values = ARENA_NEW(w->rig->arena, double, (size_t)mesh->vertex_count * width);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        memcpy(values + (size_t)v * width, (const char *)of_first + v * sizeof(struct rig_vertex),
               width * sizeof *values);
    return values;
}

static double *gather_joints(const struct writer *w, const struct rig_mesh *mesh, uint32_t set)
{
    double *values = ARENA_NEW(w->rig->arena, double, (size_t)mesh->vertex_count * 4);
    for (uint32_t i = 0; i < 4 * mesh->vertex_count; i++)
        values[i] = mesh->vertices[i / 4].joints[4 * set + i % 4];
    return values;
}

/* The attributes of a mesh, at most seven, with their names. */
static uint32_t list_attributes(const struct writer *w, const struct rig_mesh *mesh, struct column *columns,
                                const char **names)
{
    static const char *const joints[] = {"JOINTS_0", "JOINTS_1"}, *const weights[] = {"WEIGHTS_0", "WEIGHTS_1"};
    const struct rig_vertex *first = mesh->vertices;
    const size_t count = mesh->vertex_count;
    uint32_t used = 0;
    names[used] = "POSITION";
    columns[used++] =
        (struct column){gather(w, mesh, first->position, 3), count, 3, RIG_FLOAT, false, true, ARRAY_BUFFER};
    if (mesh->has_normals) {
        names[used] = "NORMAL";
        columns[used++] =
            (struct column){gather(w, mesh, first->normal, 3), count, 3, RIG_FLOAT, false, false, ARRAY_BUFFER};
    }
    if (mesh->has_tangents) {
        names[used] = "TANGENT";
        columns[used++] =
            (struct column){gather(w, mesh, first->tangent, 4), count, 4, RIG_FLOAT, false, false, ARRAY_BUFFER};
    }
    for (uint32_t set = 0; set < mesh->sets; set++) {
        names[used] = joints[set];
        columns[used++] =
            (struct column){gather_joints(w, mesh, set), count, 4, mesh->joint_number, false, false, ARRAY_BUFFER};
        names[used] = weights[set];
        columns[used++] = (struct column){gather(w, mesh, first->weights + 4 * set, 4), count, 4, mesh->weight_number,
                                          mesh->weight_number != RIG_FLOAT, false, ARRAY_BUFFER};
    }
    return used;
}

static void write_attributes(struct writer *w, const struct rig_mesh *mesh)
{
    struct column columns[8];
    const char *names[8];
    const uint32_t count = list_attributes(w, mesh, columns, names);
    const uint32_t first = mesh->is_interleaved ? add_interleaved(w, columns, count) : 0;
    json_open_object(&w->json, "attributes", JSON_INLINE);
    for (uint32_t i = 0; i < count; i++) {
        const bool is_sparse = i == 0 && (mesh->is_sparse || mesh->is_sparse_alone);
        json_add_int(&w->json, names[i],
                     mesh->is_interleaved ? first + i
                     : is_sparse          ? add_sparse(w, &columns[i], mesh->is_sparse_alone)
                                          : add_column(w, &columns[i], mesh->has_offsets ? JUNK_BYTES : 0));
    }
    json_close(&w->json);
}

static void write_targets(struct writer *w, const struct rig_mesh *mesh)
{
    if (mesh->target_count == 0)
        return;
    json_open_array(&w->json, "targets", JSON_INLINE);
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const struct rig_vertex *first = mesh->vertices;
        const struct column positions = {
            gather(w, mesh, first->target_position[t], 3), mesh->vertex_count, 3, RIG_FLOAT, false, true, ARRAY_BUFFER};
        const struct column normals = {gather(w, mesh, first->target_normal[t], 3), mesh->vertex_count, 3, RIG_FLOAT,
                                       false, false, ARRAY_BUFFER};
        json_open_object(&w->json, NULL, JSON_INLINE);
        json_add_int(&w->json, "POSITION", add_column(w, &positions, 0));
        if (mesh->has_target_normals)
            json_add_int(&w->json, "NORMAL", add_column(w, &normals, 0));
        json_close(&w->json);
    }
    json_close(&w->json);
}

static uint32_t add_triangles(struct writer *w, const struct rig_mesh *mesh)
{
    double *values = ARENA_NEW(w->rig->arena, double, mesh->index_count);
    for (uint32_t i = 0; i < mesh->index_count; i++)
        values[i] = mesh->indices[i];
    return add_column(
        w, &(struct column){values, mesh->index_count, 1, mesh->index_number, false, false, ELEMENT_ARRAY_BUFFER}, 0);
}

static void write_meshes(struct writer *w)
{
    struct json_writer *json = &w->json;
    if (w->rig->mesh_count == 0)
        return;
    json_open_array(json, "meshes", JSON_LINES);
    for (uint32_t i = 0; i < w->rig->mesh_count; i++) {
        const struct rig_mesh *mesh = &w->rig->meshes[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", mesh->name);
        json_open_array(json, "primitives", JSON_INLINE);
        json_open_object(json, NULL, JSON_INLINE);
        write_attributes(w, mesh);
        if (mesh->index_count > 0)
            json_add_int(json, "indices", add_triangles(w, mesh));
        write_targets(w, mesh);
        json_close(json);
        json_close(json);
        if (mesh->weight_count > 0)
            add_floats(json, "weights", mesh->weights, mesh->weight_count);
        json_close(json);
    }
    json_close(json);
}

static uint32_t add_inverse_bind(struct writer *w, const struct rig_skin *skin)
{
    double *columns = ARENA_NEW(w->rig->arena, double, 16 * (size_t)skin->joint_count);
    for (uint32_t k = 0; k < skin->joint_count; k++) {
        for (int i = 0; i < 12; i++)
            columns[16 * k + (uint32_t)(i % 4 * 4 + i / 4)] = skin->inverse_bind[k][i];
        columns[16 * k + 15] = 1;
    }
    return add_column(w, &(struct column){columns, skin->joint_count, 16, RIG_FLOAT, false, false, NO_TARGET}, 0);
}

static void write_skins(struct writer *w)
{
    struct json_writer *json = &w->json;
    if (w->rig->skin_count == 0)
        return;
    json_open_array(json, "skins", JSON_LINES);
    for (uint32_t i = 0; i < w->rig->skin_count; i++) {
        const struct rig_skin *skin = &w->rig->skins[i];
        uint32_t *joints = ARENA_NEW(w->rig->arena, uint32_t, skin->joint_count);
        for (uint32_t k = 0; k < skin->joint_count; k++)
            joints[k] = w->rig->nodes[skin->joints[k]].place;
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", skin->name);
        add_indices(json, "joints", joints, skin->joint_count);
        if (skin->skeleton >= 0)
            json_add_int(json, "skeleton", w->rig->nodes[skin->skeleton].place);
        if (skin->inverse_bind)
            json_add_int(json, "inverseBindMatrices", add_inverse_bind(w, skin));
        json_close(json);
    }
    json_close(json);
}

static void write_sampler(struct writer *w, const struct rig_channel *channel)
{
    static const char *const curves[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    const size_t values = (size_t)channel->key_count * (channel->curve == RIG_CUBIC ? 3 : 1);
    const bool is_weights = channel->path == RIG_WEIGHTS;
    const struct column times = {channel->times, channel->key_count, 1, RIG_FLOAT, false, true, NO_TARGET};
    const struct column output = {channel->values, is_weights ? values * channel->width : values,
                                  is_weights ? 1 : channel->width, channel->number, channel->number != RIG_FLOAT, false,
                                  NO_TARGET};
    json_open_object(&w->json, NULL, JSON_INLINE);
    json_add_int(&w->json, "input", add_column(w, &times, 0));
    json_add_string(&w->json, "interpolation", curves[channel->curve]);
    json_add_int(&w->json, "output", channel->is_sparse ? add_sparse(w, &output, false) : add_column(w, &output, 0));
    json_close(&w->json);
}

static void write_channel(struct writer *w, const struct rig_channel *channel, uint32_t sampler)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    struct json_writer *json = &w->json;
    json_open_object(json, NULL, JSON_INLINE);
    json_add_int(json, "sampler", sampler);
    json_open_object(json, "target", JSON_INLINE);
    if (channel->node >= 0)
        json_add_int(json, "node", w->rig->nodes[channel->node].place);
    json_add_string(json, "path", paths[channel->path]);
    json_close(json);
    json_close(json);
}

static void write_animations(struct writer *w)
{
    struct json_writer *json = &w->json;
    if (w->rig->clip_count == 0)
        return;
    json_open_array(json, "animations", JSON_LINES);
    for (uint32_t clip = 0; clip < w->rig->clip_count; clip++) {
        uint32_t sampler = 0;
        json_open_object(json, NULL, JSON_LINES);
        if (w->rig->clips[clip])
            json_add_string(json, "name", w->rig->clips[clip]);
        json_open_array(json, "samplers", JSON_LINES);
        for (uint32_t i = 0; i < w->rig->channel_count; i++)
            if (w->rig->channels[i].clip == clip)
                write_sampler(w, &w->rig->channels[i]);
        json_close(json);
        json_open_array(json, "channels", JSON_LINES);
        for (uint32_t i = 0; i < w->rig->channel_count; i++)
            if (w->rig->channels[i].clip == clip)
                write_channel(w, &w->rig->channels[i], sampler++);
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void write_sparse(struct json_writer *json, const struct accessor *accessor)
{
    json_open_object(json, "sparse", JSON_INLINE);
    json_add_int(json, "count", (long long)accessor->sparse_count);
    json_open_object(json, "indices", JSON_INLINE);
    json_add_int(json, "bufferView", accessor->sparse_indices);
    json_add_int(json, "componentType", numbers[RIG_U16].code);
    json_close(json);
    json_open_object(json, "values", JSON_INLINE);
    json_add_int(json, "bufferView", accessor->sparse_values);
    json_close(json);
    json_close(json);
}

static void write_accessors(struct writer *w)
{
    struct json_writer *json = &w->json;
    if (w->accessor_count == 0)
        return;
    json_open_array(json, "accessors", JSON_LINES);
    for (uint32_t i = 0; i < w->accessor_count; i++) {
        const struct accessor *accessor = &w->accessors[i];
        json_open_object(json, NULL, JSON_INLINE);
        if (accessor->view >= 0)
            json_add_int(json, "bufferView", accessor->view);
        if (accessor->offset > 0)
            json_add_int(json, "byteOffset", (long long)accessor->offset);
        json_add_int(json, "componentType", numbers[accessor->number].code);
        if (accessor->is_normalised)
            json_add_bool(json, "normalized", true);
        json_add_int(json, "count", (long long)accessor->count);
        json_add_string(json, "type", accessor->type);
        if (accessor->has_range) {
            add_floats(json, "min", accessor->least, accessor->width);
            add_floats(json, "max", accessor->most, accessor->width);
        }
        if (accessor->sparse_values >= 0)
            write_sparse(json, accessor);
        json_close(json);
    }
    json_close(json);
    json_open_array(json, "bufferViews", JSON_LINES);
    for (uint32_t i = 0; i < w->view_count; i++) {
        json_open_object(json, NULL, JSON_INLINE);
        json_add_int(json, "buffer", 0);
        json_add_int(json, "byteOffset", (long long)w->views[i].offset);
        json_add_int(json, "byteLength", (long long)w->views[i].length);
        if (w->views[i].stride > 0)
            json_add_int(json, "byteStride", w->views[i].stride);
        if (w->views[i].target != NO_TARGET)
            json_add_int(json, "target", w->views[i].target);
        json_close(json);
    }
    json_close(json);
}

static void write_buffer(struct writer *w, bool is_binary)
{
    if (w->bytes.size == 0)
        return;
    json_open_array(&w->json, "buffers", JSON_LINES);
    json_open_object(&w->json, NULL, JSON_INLINE);
    json_add_int(&w->json, "byteLength", (long long)w->bytes.size);
    if (!is_binary) {
        struct text uri = {0};
        text_add(&uri, "data:application/octet-stream;base64,");
        text_add_base64(&uri, w->bytes.data, w->bytes.size);
        json_add_string(&w->json, "uri", text_string(&uri));
        text_release(&uri);
    }
    json_close(&w->json);
    json_close(&w->json);
}

static void write_document(struct writer *w, bool is_binary)
{
    json_open_object(&w->json, NULL, JSON_LINES);
    json_open_object(&w->json, "asset", JSON_INLINE);
    json_add_string(&w->json, "version", "2.0");
    json_add_string(&w->json, "generator", "rigproof generate");
    json_close(&w->json);
    write_scenes(w);
    write_nodes(w);
    write_meshes(w);
    write_skins(w);
    write_animations(w);
    write_accessors(w);
    align(w);
    write_buffer(w, is_binary);
    json_close(&w->json);
}

static void add_chunk(struct text *out, const struct text *chunk, const char *type, char padding)
{
    const size_t padded = (chunk->size + 3) / 4 * 4;
    add_little_endian(out, padded, 4);
    text_add_bytes(out, type, 4);
    text_add_bytes(out, chunk->data, chunk->size);
    for (size_t i = chunk->size; i < padded; i++)
        text_add_bytes(out, &padding, 1);
}

void gltf_write(const struct rig *rig, bool is_binary, struct text *out)
{
    struct text document = {0};
    struct writer w = {.rig = rig, .node_at = ARENA_NEW(rig->arena, uint32_t, rig->node_count), .json.text = &document};
    for (uint32_t i = 0; i < rig->node_count; i++)
        w.node_at[rig->nodes[i].place] = i;
    write_document(&w, is_binary);
    if (is_binary) {
        const size_t header = 12, before = out->size;
        text_add_bytes(out, "glTF\2\0\0\0\0\0\0\0", header);
        add_chunk(out, &document, "JSON", ' ');
        if (w.bytes.size > 0)
            add_chunk(out, &w.bytes, "BIN", '\0');
        put_little_endian(out->data + before + 8, out->size - before, 4);
    } else
        text_add_bytes(out, document.data, document.size);
    text_release(&document);
    text_release(&w.bytes);
}
