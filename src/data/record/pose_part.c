/* A pose with only what there is, from JSON. */
#include "data/record/pose_part.h"

#include <math.h>
#include <string.h>

#include "data/json_fields.h"

/* As it stands in the file. Lists of numbers have any length until they are taken over. */
struct numbers {
    const float *items;
    uint32_t count;
};

struct node_part {
    const char *name, *parent;
    bool has_parent;
    struct numbers t, r, s, local, global;
};

struct entry_part {
    const char *mesh, *bone;
    struct numbers matrix;
};

struct skin_part {
    const char *mesh;
    bool has_vertices;
    uint32_t vertices;
    struct numbers min, max, centroid;
    uint32_t position_count, normal_count;
    const vec3 *positions, *normals;
};

struct file_part {
    const char *format, *model, *clip, *space, *storage;
    bool has_clip, has_time;
    double time;
    uint32_t node_count, entry_count, skin_count, morph_count;
    struct node_part *nodes;
    struct entry_part *entries;
    struct skin_part *skins;
    struct morph_weights_snapshot *morphs;
};

// clang-format off
#define LIST(type, member, counter, table, ...)                                                                        \
    FIELD_LIST, FIELD_MEMBER(type, member), FIELD_COUNTER(type, counter), .fields = &(table), __VA_ARGS__
#define NUMBERS(type, member, ...) LIST(type, member.items, member.count, fields_of_float, .most = 16, __VA_ARGS__)

#define NODE(member) NUMBERS(struct node_part, member, .flags = FIELD_OPTIONAL)
static const struct field node_rows[] = {
    {"name", FIELD_TEXT, FIELD_MEMBER(struct node_part, name)},
    {"parent", FIELD_TEXT_OR_NULL, FIELD_MEMBER(struct node_part, parent), FIELD_COUNTER(struct node_part, has_parent),
     .flags = FIELD_OPTIONAL},
    {"t", NODE(t)}, {"r", NODE(r)}, {"s", NODE(s)}, {"local", NODE(local)}, {"global", NODE(global)},
};
static const struct fields node_fields = FIELDS(struct node_part, node_rows);

static const struct field entry_rows[] = {
    {"mesh", FIELD_TEXT, FIELD_MEMBER(struct entry_part, mesh), .flags = FIELD_OPTIONAL},
    {"bone", FIELD_TEXT, FIELD_MEMBER(struct entry_part, bone)},
    {"matrix", NUMBERS(struct entry_part, matrix)},
};
static const struct fields entry_fields = FIELDS(struct entry_part, entry_rows);

static const struct field point_rows[] = {{NULL, FIELD_FLOATS, .size = sizeof(vec3), .width = 3}};
static const struct fields point_fields = FIELDS(vec3, point_rows);

#define SKIN(member) NUMBERS(struct skin_part, member, .flags = FIELD_OPTIONAL)
static const struct field skin_rows[] = {
    {"mesh", FIELD_TEXT, FIELD_MEMBER(struct skin_part, mesh)},
    {"vertices", FIELD_COUNT, FIELD_MEMBER(struct skin_part, vertices), FIELD_COUNTER(struct skin_part, has_vertices),
     .flags = FIELD_OPTIONAL},
    {"min", SKIN(min)}, {"max", SKIN(max)}, {"centroid", SKIN(centroid)},
    {"positions", LIST(struct skin_part, positions, position_count, point_fields, .flags = FIELD_OPTIONAL)},
    {"normals", LIST(struct skin_part, normals, normal_count, point_fields, .flags = FIELD_OPTIONAL)},
};
static const struct fields skin_fields = FIELDS(struct skin_part, skin_rows);

static const struct field morph_rows[] = {
    {"mesh", FIELD_TEXT, FIELD_MEMBER(struct morph_weights_snapshot, mesh)},
    {"node", FIELD_TEXT, FIELD_MEMBER(struct morph_weights_snapshot, node)},
    {"weights", LIST(struct morph_weights_snapshot, weights, count, fields_of_float, .flags = 0)},
};
static const struct fields morph_fields = FIELDS(struct morph_weights_snapshot, morph_rows);

static const char *const formats[] = {POSE_FORMAT, POSE_PART_FORMAT};
enum { STORED_AS_3X4, STORED_AS_ROWS, STORED_AS_COLUMNS };
static const char *const storages[] = {"row-major 3x4, p' = M p", "row-major 4x4, p' = M p", "column-major 4x4, p' = M p"};

#define FILE_(member) FIELD_MEMBER(struct file_part, member)
static const struct field file_rows[] = {
    {"format", FIELD_WORD, FILE_(format), FIELD_WORDS(formats)},
    {"model", FIELD_TEXT, FILE_(model), .flags = FIELD_OPTIONAL},
    {"clip", FIELD_TEXT_OR_NULL, FILE_(clip), FIELD_COUNTER(struct file_part, has_clip), .flags = FIELD_OPTIONAL},
    {"time", FIELD_DOUBLE, FILE_(time), FIELD_COUNTER(struct file_part, has_time), .flags = FIELD_OPTIONAL},
    {"space", FIELD_WORD, FILE_(space), .words = space_words, .word_count = SPACE_WORDS, .flags = FIELD_OPTIONAL},
    {"matrices", FIELD_WORD, FILE_(storage), FIELD_WORDS(storages), .flags = FIELD_OPTIONAL},
    {"nodes", LIST(struct file_part, nodes, node_count, node_fields, .flags = FIELD_OPTIONAL)},
    {"morphs", LIST(struct file_part, morphs, morph_count, morph_fields, .flags = FIELD_OPTIONAL)},
    {"palette", LIST(struct file_part, entries, entry_count, entry_fields, .flags = FIELD_OPTIONAL)},
    {"skin", LIST(struct file_part, skins, skin_count, skin_fields, .flags = FIELD_OPTIONAL)},
};
// clang-format on
static const struct fields file_fields = FIELDS(struct file_part, file_rows);

/* What is being taken over. */
struct taking {
    const struct file_part *file;
    const char *name;
    bool is_by_columns; /* matrices of 16 numbers */
    struct error *err;
};

static bool is_near(float value, double wanted)
{
    return fabs((double)value - wanted) <= 1e-5;
}

/* Whether 16 numbers have their 0 0 0 1 where that storage has it. */
static bool has_last_row(const float *m, bool by_columns)
{
    const size_t first = by_columns ? 3 : 12, step = by_columns ? 4 : 1;
    return is_near(m[first], 0) && is_near(m[first + step], 0) && is_near(m[first + 2 * step], 0) && is_near(m[15], 1);
}

/* Columns, as most programs have them, unless a matrix says that it is not so. */
static bool find_storage(const struct file_part *file)
{
    bool is_by_columns = true;
    for (uint32_t i = 0; i < 2 * file->node_count + file->entry_count; i++) {
        const struct node_part *node = i < 2 * file->node_count ? &file->nodes[i / 2] : NULL;
        const struct numbers *m = !node ? &file->entries[i - 2 * file->node_count].matrix : i % 2 ? &node->global : &node->local;
        is_by_columns = is_by_columns && (m->count != 16 || has_last_row(m->items, true) || !has_last_row(m->items, false));
    }
    return is_by_columns;
}

static bool take_numbers(const struct taking *t, const struct numbers *from, const char *list, uint32_t i, const char *key,
                         uint32_t count, float *out)
{
    if (from->count != count)
        return error_set(t->err, "%s: %s[%u].%s: expected %u finite numbers, found %u", t->name, list, i, key, count, from->count);
    memcpy(out, from->items, count * sizeof *out);
    return true;
}

static bool take_matrix(const struct taking *t, const struct numbers *from, const char *list, uint32_t i, const char *key,
                        mat4 out)
{
    float rows[12];
    if (from->count != 12 && from->count != 16)
        return error_set(t->err, "%s: %s[%u].%s: expected 12 or 16 finite numbers, found %u", t->name, list, i, key, from->count);
    if (from->count == 16 && !t->file->storage && !has_last_row(from->items, t->is_by_columns))
        return error_set(t->err, "%s: %s[%u].%s: no last row 0 0 0 1, neither by rows nor by columns; \"matrices\" would say "
                         "how they are stored", t->name, list, i, key);
    for (size_t k = 0; k < 12; k++)
        rows[k] = from->items[from->count == 16 && t->is_by_columns ? k % 4 * 4 + k / 4 : k];
    affine_from_rows(rows, out);
    return true;
}

static bool take_node(const struct taking *t, uint32_t i, struct pose_node_snapshot *out)
{
    const struct node_part *node = &t->file->nodes[i];
    const struct {
        const char *key;
        const struct numbers *from;
        uint32_t count;
        float *to;
    } parts[COMPONENT_COUNT] = {{"t", &node->t, 3, out->local.translation},
                                {"r", &node->r, 4, out->local.rotation},
                                {"s", &node->s, 3, out->local.scale}};
    mat4 local;
    *out = (struct pose_node_snapshot){.name = node->name, .parent = node->parent, .parent_left_out = !node->has_parent};
    memcpy(out->node_to_scene, mat4_identity, sizeof(mat4));
    out->local = transform_identity;
    for (unsigned c = 0; c < COMPONENT_COUNT; c++)
        if (!parts[c].from->items)
            out->components_left_out |= 1u << c;
        else if (!take_numbers(t, parts[c].from, "nodes", i, parts[c].key, parts[c].count, parts[c].to))
            return false;
    const float *r = out->local.rotation;
    if (r[0] == 0 && r[1] == 0 && r[2] == 0 && r[3] == 0)
        return error_set(t->err, "%s: nodes[%u].r: node `%s` has [0, 0, 0, 0], which is no rotation; [0, 0, 0, 1] is the "
                         "identity", t->name, i, node->name);
    if (node->local.items && out->components_left_out == (1u << COMPONENT_COUNT) - 1) {
        if (!take_matrix(t, &node->local, "nodes", i, "local", local))
            return false;
        affine_to_transform(local, &out->local);
        out->components_left_out = 0;
    }
    if (out->components_left_out == (1u << COMPONENT_COUNT) - 1) {
        out->components_left_out = 0;
        out->left_out |= POSE_LOCAL;
    }
    if (!node->global.items)
        out->left_out |= POSE_GLOBAL;
    return !node->global.items || take_matrix(t, &node->global, "nodes", i, "global", out->node_to_scene);
}

/* Of a mesh whose vertices are given these make the rest. */
static bool take_skin(const struct taking *t, uint32_t i, struct skin_snapshot *out)
{
    const struct skin_part *skin = &t->file->skins[i];
    const struct skinned given = {.vertex_count = skin->position_count, .positions = (vec3 *)skin->positions};
    if (skin->positions) {
        *out = skin_summarise(&given);
        out->position_count = skin->position_count;
        out->positions = skin->positions;
        out->normals = skin->normals;
        out->normal_count = skin->normal_count;
    }
    out->mesh = skin->mesh;
    if (skin->normals && skin->normal_count != skin->position_count)
        return error_set(t->err, "%s: skin[%u].normals: expected one for each position, %u, found %u", t->name, i,
                         skin->position_count, skin->normal_count);
    if (skin->positions && (!skin->has_vertices || skin->vertices == skin->position_count))
        return true;
    if (!skin->has_vertices || skin->positions)
        return error_set(t->err, "%s: skin[%u]: expected positions, as many as vertices where it says that, or vertices, min, "
                         "max and centroid", t->name, i);
    out->vertices = skin->vertices;
    if (!take_numbers(t, &skin->min, "skin", i, "min", 3, out->min) ||
        !take_numbers(t, &skin->max, "skin", i, "max", 3, out->max) ||
        !take_numbers(t, &skin->centroid, "skin", i, "centroid", 3, out->centroid))
        return false;
    for (int k = 0; k < 3; k++)
        if (out->min[k] > out->max[k])
            return error_set(t->err, "%s: skin[%u].min: is greater than max", t->name, i);
    return true;
}

/* What no node gives is not given at all. */
static bool take_all(const struct taking *t, struct pose_snapshot *out, struct arena *arena)
{
    const struct file_part *file = t->file;
    unsigned nodes = POSE_NODES;
    bool good = true;
    out->nodes = ARENA_NEW(arena, struct pose_node_snapshot, file->node_count);
    out->palette = ARENA_NEW(arena, struct palette_snapshot, file->entry_count);
    out->skin = ARENA_NEW(arena, struct skin_snapshot, file->skin_count);
    for (; good && out->node_count < file->node_count; out->node_count++) {
        good = take_node(t, out->node_count, &out->nodes[out->node_count]);
        nodes &= out->nodes[out->node_count].left_out;
    }
    for (; good && out->palette_count < file->entry_count; out->palette_count++) {
        const struct entry_part *entry = &file->entries[out->palette_count];
        struct palette_snapshot *to = &out->palette[out->palette_count];
        to->mesh = entry->mesh;
        to->bone = entry->bone;
        good = take_matrix(t, &entry->matrix, "palette", out->palette_count, "matrix", to->mesh_to_scene);
    }
    for (; good && out->skin_count < file->skin_count; out->skin_count++)
        good = take_skin(t, out->skin_count, &out->skin[out->skin_count]);
    out->left_out = (file->nodes && file->node_count == 0 ? 0 : nodes) | (file->entries ? 0 : POSE_PALETTE) |
                    (file->skins ? 0 : POSE_SKIN);
    return good;
}

struct pose_snapshot *pose_part_read(const void *data, size_t size, const char *name, struct arena *arena, struct error *err)
{
    struct json_reader reader;
    struct file_part file = {0};
    struct pose_snapshot *pose = ARENA_NEW(arena, struct pose_snapshot, 1);
    if (json_reader_open(&reader, data, size, name, arena, err))
        fields_read(&reader.root, &file_fields, &file);
    json_reader_close(&reader);
    if (error_is_set(err))
        return NULL;
    const struct taking taking = {&file, name, file.storage ? file.storage == storages[STORED_AS_COLUMNS] : find_storage(&file), err};
    *pose = (struct pose_snapshot){.model = file.model, .clip = file.clip, .time = file.time, .space = file.space,
                                   .lacks_clip = !file.has_clip, .lacks_time = !file.has_time, .is_part = file.format == formats[1],
                                   .morph_count = file.morph_count, .morphs = file.morphs};
    if (!file.nodes && !file.entries && !file.skins) {
        error_set(err, "%s: nothing is given: expected any of \"nodes\", \"palette\" and \"skin\"", name);
        return NULL;
    }
    const bool good = take_all(&taking, pose, arena) && (pose->is_part || pose_snapshot_check_parents(pose, name, err));
    return good ? pose : NULL;
}
