/* pose.json: a node, a palette entry or a mesh a line; whole, or with only what there is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "data/json_fields.h"
#include "data/record/pose_part.h"

#define LIST_OF(type, member, counter, table, ...)                                                                     \
    FIELD_LIST, FIELD_MEMBER(type, member), FIELD_COUNTER(type, counter), .fields = &(table), __VA_ARGS__

/* Of a part only some stages are written; a file has all that it is read for. */
static bool has_local(const void *node, const struct json_place *at)
{
    return at || !(((const struct pose_node_snapshot *)node)->left_out & POSE_LOCAL);
}

static bool has_global(const void *node, const struct json_place *at)
{
    return at || !(((const struct pose_node_snapshot *)node)->left_out & POSE_GLOBAL);
}

static void check_bounds(const struct json_place *at, const char *key, const void *owner)
{
    const struct skin_snapshot *skin = owner;
    for (int k = 0; k < 3; k++)
        if (skin->min[k] > skin->max[k])
            json_complain(at, "min", "is greater than %s", key);
}

static void check_rotation(const struct json_place *at, const char *key, const void *owner)
{
    const struct pose_node_snapshot *node = owner;
    const float *r = node->local.rotation;
    if (r[0] == 0 && r[1] == 0 && r[2] == 0 && r[3] == 0)
        json_complain(at, key, "node `%s` has [0, 0, 0, 0], which is no rotation; [0, 0, 0, 1] is the identity",
                      node->name);
}

static bool has_points(const void *skin, const struct json_place *at)
{
    return at || ((const struct skin_snapshot *)skin)->positions;
}

static bool has_nodes(const void *pose, const struct json_place *at)
{
    return at || (((const struct pose_snapshot *)pose)->left_out & POSE_NODES) != POSE_NODES;
}

static bool has_palette(const void *pose, const struct json_place *at)
{
    return at || !(((const struct pose_snapshot *)pose)->left_out & POSE_PALETTE);
}

static bool has_skin(const void *pose, const struct json_place *at)
{
    return at || !(((const struct pose_snapshot *)pose)->left_out & POSE_SKIN);
}

// clang-format off
#define NODE(member) FIELD_MEMBER(struct pose_node_snapshot, member)
#define MOTION(key, motion, velocity)                                                                                  \
    {key, FIELD_FLOATS, NODE(motion.velocity), FIELD_COUNTER(struct pose_node_snapshot, has_##motion), .width = 3,     \
     .flags = FIELD_OMITTED}
static const struct field node_rows[] = {
    {"name", FIELD_TEXT, NODE(name)},
    {"parent", FIELD_TEXT_OR_NULL, NODE(parent)},
    {"parent_index", FIELD_COUNT, NODE(parent_index), FIELD_COUNTER(struct pose_node_snapshot, tells_index),
     .flags = FIELD_OMITTED},
    {"t", FIELD_FLOATS, NODE(local.translation), .width = 3, .when = has_local},
    {"r", FIELD_FLOATS, NODE(local.rotation), .width = 4, .when = has_local, .check = check_rotation},
    {"s", FIELD_FLOATS, NODE(local.scale), .width = 3, .when = has_local},
    {"global", FIELD_AFFINE, NODE(node_to_scene), .when = has_global},
    MOTION("local_velocity", local_motion, linear),
    MOTION("local_angular_velocity", local_motion, angular),
    MOTION("velocity", motion, linear),
    MOTION("angular_velocity", motion, angular),
};
static const struct fields nodes = FIELDS(struct pose_node_snapshot, node_rows);

static const struct field morph_rows[] = {
    {"mesh", FIELD_TEXT, FIELD_MEMBER(struct morph_weights_snapshot, mesh)},
    {"node", FIELD_TEXT, FIELD_MEMBER(struct morph_weights_snapshot, node)},
    {"weights", LIST_OF(struct morph_weights_snapshot, weights, count, fields_of_float)},
};
static const struct fields morphs = FIELDS(struct morph_weights_snapshot, morph_rows);

static const struct field palette_rows[] = {
    {"mesh", FIELD_TEXT, FIELD_MEMBER(struct palette_snapshot, mesh)},
    {"bone", FIELD_TEXT, FIELD_MEMBER(struct palette_snapshot, bone)},
    {"matrix", FIELD_AFFINE, FIELD_MEMBER(struct palette_snapshot, mesh_to_scene)},
};
static const struct fields palette = FIELDS(struct palette_snapshot, palette_rows);

static const struct field point_rows[] = {{NULL, FIELD_FLOATS, .size = sizeof(vec3), .width = 3}};
static const struct fields points = FIELDS(vec3, point_rows);

#define POINTS .flags = FIELD_OPTIONAL, .when = has_points
#define SKIN(member) FIELD_MEMBER(struct skin_snapshot, member)
static const struct field skin_rows[] = {
    {"mesh", FIELD_TEXT, SKIN(mesh)},
    {"vertices", FIELD_COUNT, SKIN(vertices)},
    {"min", FIELD_FLOATS, SKIN(min), .width = 3},
    {"max", FIELD_FLOATS, SKIN(max), .width = 3, .check = check_bounds},
    {"centroid", FIELD_FLOATS, SKIN(centroid), .width = 3},
    {"positions", LIST_OF(struct skin_snapshot, positions, position_count, points, POINTS)},
    {"normals", LIST_OF(struct skin_snapshot, normals, normal_count, points, POINTS)},
};
static const struct fields skins = FIELDS(struct skin_snapshot, skin_rows);

static const char *const matrices[] = {"row-major 3x4, p' = M p"};

#define POSE(member) FIELD_MEMBER(struct pose_snapshot, member)
#define LINES_OF(member, counter, table, ...)                                                                          \
    LIST_OF(struct pose_snapshot, member, counter, table, .layout = JSON_LINES, __VA_ARGS__)
static const struct field pose_rows[] = {
    {"model", FIELD_TEXT, POSE(model)},
    {"clip", FIELD_TEXT_OR_NULL, POSE(clip)},
    {"time", FIELD_DOUBLE, POSE(time)},
    {"space", FIELD_WORD, POSE(space), .words = space_words, .word_count = SPACE_WORDS},
    {"matrices", FIELD_CONSTANT, FIELD_WORDS(matrices)},
    {"nodes", LINES_OF(nodes, node_count, nodes, .when = has_nodes)},
    {"morphs", LINES_OF(morphs, morph_count, morphs, .flags = FIELD_OMITTED)},
    {"palette", LINES_OF(palette, palette_count, palette, .flags = FIELD_OPTIONAL, .when = has_palette)},
    {"skin", LINES_OF(skin, skin_count, skins, .flags = FIELD_OPTIONAL, .when = has_skin)},
};
static const struct fields poses = FIELDS(struct pose_snapshot, pose_rows, JSON_LINES);
// clang-format on

void pose_snapshot_write(const struct pose_snapshot *snapshot, struct text *out)
{
    fields_write_document(POSE_FORMAT, &poses, JSON_LINES, snapshot, out);
}

bool pose_snapshot_is_in(const struct pose_snapshot *snapshot, const void *data, size_t size)
{
    struct text text = {0};
    bool same = fields_write_document(POSE_FORMAT, &poses, JSON_LINES, snapshot, &text) && text.size == size &&
                memcmp(text.data, data, size) == 0;
    for (uint32_t i = 0; same && i < snapshot->node_count; i++) { /* what check_rotation() complains of */
        const float *r = snapshot->nodes[i].local.rotation;
        same = r[0] != 0 || r[1] != 0 || r[2] != 0 || r[3] != 0;
    }
    text_release(&text);
    return same;
}

/* In time that does not grow with the square of the nodes' number. */
bool pose_snapshot_check_parents(const struct pose_snapshot *pose, const char *name, struct error *err)
{
    const char **names = memory_new(pose->node_count, sizeof *names);
    bool good = true;
    for (uint32_t i = 0; i < pose->node_count; i++)
        names[i] = pose->nodes[i].name;
    if (pose->node_count > 1)
        qsort(names, pose->node_count, sizeof *names, compare_strings);
    for (uint32_t i = 0; good && i < pose->node_count; i++) {
        const struct pose_node_snapshot *node = &pose->nodes[i];
        good = !node->parent || bsearch(&node->parent, names, pose->node_count, sizeof *names, compare_strings) ||
               error_set(err, "%s: nodes[%u].parent: node `%s` has the parent `%s`, and no node is called so", name, i,
                         node->name, node->parent);
    }
    free(names);
    return good;
}

struct pose_snapshot *pose_snapshot_read(const void *data, size_t size, const char *name, struct arena *arena,
                                         struct error *err)
{
    struct pose_snapshot *pose = fields_read_document(data, size, name, POSE_FORMAT, &poses, arena, err);
    return pose && pose_snapshot_check_parents(pose, name, err) ? pose : NULL;
}

/* What has not every node with all its numbers says so by its format. */
static void write_record(const struct pose_record *record, enum json_layout layout, struct text *out)
{
    const struct pose_part *part = record->part;
    bool is_whole = !part || (!part->nodes && (part->stages & POSE_NODES) == POSE_NODES);
    struct arena *arena = arena_require(snapshot_bytes(record->scene));
    fields_write_document(is_whole ? POSE_FORMAT : POSE_PART_FORMAT, &poses, layout,
                          pose_snapshot_gather(record, arena), out);
    arena_destroy(arena);
}

void pose_write_json(const struct pose_record *record, struct text *out)
{
    write_record(record, JSON_LINES, out);
}

void pose_write_json_line(const struct pose_record *record, struct text *out)
{
    write_record(record, JSON_INLINE, out);
}

/* A pose with only what there is, as it stands in the file. The checks of whole poses want the snapshots first. */
struct numbers {
    const float *items;
    uint32_t count;
};

struct node_part {
    struct pose_node_snapshot node;
    bool has_parent, has[COMPONENT_COUNT];
    struct numbers local, global;
};

struct entry_part {
    struct palette_snapshot entry;
    struct numbers matrix;
};

struct skin_part {
    struct skin_snapshot skin;
    bool has_vertices, has[3];
};

struct file_part {
    struct pose_snapshot pose;
    const char *format, *storage;
    bool has_clip, has_time;
    uint32_t node_count, entry_count, skin_count;
    struct node_part *nodes;
    struct entry_part *entries;
    struct skin_part *skins;
};

// clang-format off
#define NUMBERS(type, member, ...) LIST_OF(type, member.items, member.count, fields_of_float, .most = 16, __VA_ARGS__)
#define GIVEN(type, member, is_given, ...)                                                                             \
    FIELD_MEMBER(type, member), FIELD_COUNTER(type, is_given), .flags = FIELD_OPTIONAL, __VA_ARGS__

#define NODE_PART(member, ...) GIVEN(struct node_part, node.member, __VA_ARGS__)
static const struct field node_part_rows[] = {
    {"name", FIELD_TEXT, FIELD_MEMBER(struct node_part, node.name)},
    {"parent", FIELD_TEXT_OR_NULL, NODE_PART(parent, has_parent)},
    {"t", FIELD_FLOATS, NODE_PART(local.translation, has[COMPONENT_TRANSLATION], .width = 3)},
    {"r", FIELD_FLOATS, NODE_PART(local.rotation, has[COMPONENT_ROTATION], .width = 4, .check = check_rotation)},
    {"s", FIELD_FLOATS, NODE_PART(local.scale, has[COMPONENT_SCALE], .width = 3)},
    {"local", NUMBERS(struct node_part, local, .flags = FIELD_OPTIONAL)},
    {"global", NUMBERS(struct node_part, global, .flags = FIELD_OPTIONAL)},
};
static const struct fields node_parts = FIELDS(struct node_part, node_part_rows);

static const struct field entry_part_rows[] = {
    {"mesh", FIELD_TEXT, FIELD_MEMBER(struct entry_part, entry.mesh), .flags = FIELD_OPTIONAL},
    {"bone", FIELD_TEXT, FIELD_MEMBER(struct entry_part, entry.bone)},
    {"matrix", NUMBERS(struct entry_part, matrix)},
};
static const struct fields entry_parts = FIELDS(struct entry_part, entry_part_rows);

#define SKIN_PART(member, ...) GIVEN(struct skin_part, skin.member, __VA_ARGS__)
#define PART_POINTS(list, counter)                                                                                     \
    LIST_OF(struct skin_part, skin.list, skin.counter, points, .flags = FIELD_OPTIONAL)
static const struct field skin_part_rows[] = {
    {"mesh", FIELD_TEXT, FIELD_MEMBER(struct skin_part, skin.mesh)},
    {"vertices", FIELD_COUNT, SKIN_PART(vertices, has_vertices)},
    {"min", FIELD_FLOATS, SKIN_PART(min, has[0], .width = 3)},
    {"max", FIELD_FLOATS, SKIN_PART(max, has[1], .width = 3)},
    {"centroid", FIELD_FLOATS, SKIN_PART(centroid, has[2], .width = 3)},
    {"positions", PART_POINTS(positions, position_count)},
    {"normals", PART_POINTS(normals, normal_count)},
};
static const struct fields skin_parts = FIELDS(struct skin_part, skin_part_rows);

static const char *const formats[] = {POSE_FORMAT, POSE_PART_FORMAT};
enum { STORED_AS_3X4, STORED_AS_ROWS, STORED_AS_COLUMNS };
static const char *const storages[] = {"row-major 3x4, p' = M p", "row-major 4x4, p' = M p",
                                       "column-major 4x4, p' = M p"};

#define FILE_PART(member) FIELD_MEMBER(struct file_part, member)
#define PART_LIST(list, counter, table) LIST_OF(struct file_part, list, counter, table, .flags = FIELD_OPTIONAL)
static const struct field file_part_rows[] = {
    {"format", FIELD_WORD, FILE_PART(format), FIELD_WORDS(formats)},
    {"model", FIELD_TEXT, FILE_PART(pose.model), .flags = FIELD_OPTIONAL},
    {"clip", FIELD_TEXT_OR_NULL, GIVEN(struct file_part, pose.clip, has_clip)},
    {"time", FIELD_DOUBLE, GIVEN(struct file_part, pose.time, has_time)},
    {"space", FIELD_WORD, FILE_PART(pose.space), FIELD_WORDS(space_words), .flags = FIELD_OPTIONAL},
    {"matrices", FIELD_WORD, FILE_PART(storage), FIELD_WORDS(storages), .flags = FIELD_OPTIONAL},
    {"nodes", PART_LIST(nodes, node_count, node_parts)},
    {"morphs", PART_LIST(pose.morphs, pose.morph_count, morphs)},
    {"palette", PART_LIST(entries, entry_count, entry_parts)},
    {"skin", PART_LIST(skins, skin_count, skin_parts)},
};
// clang-format on
static const struct fields file_parts = FIELDS(struct file_part, file_part_rows);

/* What is read, on its way into a pose. */
struct reading {
    const struct file_part *file;
    const char *name;
    bool is_by_columns; /* matrices of 16 numbers */
    struct error *err;
};

static bool is_near(float value, double wanted)
{
    return fabs((double)value - wanted) <= 1e-5;
}

/* Says whether 16 numbers have their 0 0 0 1 where that storage has it. */
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
        const struct numbers *m = !node   ? &file->entries[i - 2 * file->node_count].matrix
                                  : i % 2 ? &node->global
                                          : &node->local;
        is_by_columns =
            is_by_columns && (m->count != 16 || has_last_row(m->items, true) || !has_last_row(m->items, false));
    }
    return is_by_columns;
}

static bool read_matrix(const struct reading *r, const struct numbers *from, const char *list, uint32_t i,
                        const char *key, mat4 out)
{
    float rows[12];
    if (from->count != 12 && from->count != 16)
        return error_set(r->err, "%s: %s[%u].%s: expected 12 or 16 finite numbers, found %u", r->name, list, i, key,
                         from->count);
    if (from->count == 16 && !r->file->storage && !has_last_row(from->items, r->is_by_columns))
        return error_set(r->err,
                         "%s: %s[%u].%s: no last row 0 0 0 1, neither by rows nor by columns; \"matrices\" would say "
                         "how they are stored",
                         r->name, list, i, key);
    for (size_t k = 0; k < 12; k++)
        rows[k] = from->items[from->count == 16 && r->is_by_columns ? k % 4 * 4 + k / 4 : k];
    affine_from_rows(rows, out);
    return true;
}

static bool read_node(const struct reading *r, uint32_t i, struct pose_node_snapshot *out)
{
    enum { ALL = (1 << COMPONENT_COUNT) - 1 };
    const struct node_part *part = &r->file->nodes[i];
    mat4 local;
    *out = part->node;
    out->parent_left_out = !part->has_parent;
    for (int c = 0; c < COMPONENT_COUNT; c++)
        out->components_left_out |= part->has[c] ? 0 : 1u << c;
    if (!part->has[COMPONENT_ROTATION])
        memcpy(out->local.rotation, transform_identity.rotation, sizeof(vec4));
    if (!part->has[COMPONENT_SCALE])
        memcpy(out->local.scale, transform_identity.scale, sizeof(vec3));
    if (out->components_left_out == ALL) {
        out->components_left_out = 0;
        out->left_out = part->local.items ? 0 : POSE_LOCAL;
        if (part->local.items && !read_matrix(r, &part->local, "nodes", i, "local", local))
            return false;
        if (part->local.items)
            affine_to_transform(local, &out->local);
    }
    memcpy(out->node_to_scene, mat4_identity, sizeof(mat4));
    out->left_out |= part->global.items ? 0 : POSE_GLOBAL;
    return !part->global.items || read_matrix(r, &part->global, "nodes", i, "global", out->node_to_scene);
}

/* Of a mesh whose vertices are given these make the rest. */
static bool read_skin(const struct reading *r, uint32_t i, struct skin_snapshot *out)
{
    const struct skin_part *part = &r->file->skins[i];
    const struct skin_snapshot *skin = &part->skin;
    const struct skinned given = {.vertex_count = skin->position_count, .positions = (vec3 *)skin->positions};
    *out = *skin;
    if (skin->normals && skin->normal_count != skin->position_count)
        return error_set(r->err, "%s: skin[%u].normals: expected one for each position, %u, found %u", r->name, i,
                         skin->position_count, skin->normal_count);
    if (skin->positions ? part->has_vertices && skin->vertices != skin->position_count
                        : !part->has_vertices || !part->has[0] || !part->has[1] || !part->has[2])
        return error_set(r->err,
                         "%s: skin[%u]: expected positions, as many as vertices where it says that, or vertices, min, "
                         "max and centroid",
                         r->name, i);
    if (skin->positions) {
        const struct skin_snapshot summary = skin_summarise(&given);
        out->vertices = skin->position_count;
        memcpy(out->min, summary.min, sizeof(vec3));
        memcpy(out->max, summary.max, sizeof(vec3));
        memcpy(out->centroid, summary.centroid, sizeof(vec3));
    }
    for (int k = 0; k < 3; k++)
        if (out->min[k] > out->max[k])
            return error_set(r->err, "%s: skin[%u].min: is greater than max", r->name, i);
    return true;
}

/* What no node gives is not given at all. */
static bool read_lists(const struct reading *r, struct pose_snapshot *out, struct arena *arena)
{
    const struct file_part *file = r->file;
    unsigned lacking = POSE_NODES;
    bool good = true;
    out->nodes = ARENA_NEW(arena, struct pose_node_snapshot, file->node_count);
    out->palette = ARENA_NEW(arena, struct palette_snapshot, file->entry_count);
    out->skin = ARENA_NEW(arena, struct skin_snapshot, file->skin_count);
    for (uint32_t i = 0; good && i < file->node_count; i++) {
        good = read_node(r, i, &out->nodes[i]);
        lacking &= out->nodes[i].left_out;
    }
    for (uint32_t i = 0; good && i < file->entry_count; i++) {
        out->palette[i] = file->entries[i].entry;
        good = read_matrix(r, &file->entries[i].matrix, "palette", i, "matrix", out->palette[i].mesh_to_scene);
    }
    for (uint32_t i = 0; good && i < file->skin_count; i++)
        good = read_skin(r, i, &out->skin[i]);
    out->node_count = file->node_count;
    out->palette_count = file->entry_count;
    out->skin_count = file->skin_count;
    out->left_out = (file->nodes && file->node_count == 0 ? 0 : lacking) | (file->entries ? 0 : POSE_PALETTE) |
                    (file->skins ? 0 : POSE_SKIN);
    return good;
}

struct pose_snapshot *pose_part_read(const void *data, size_t size, const char *name, struct arena *arena,
                                     struct error *err)
{
    struct json_reader reader;
    struct file_part file = {.format = NULL};
    struct pose_snapshot *pose = ARENA_NEW(arena, struct pose_snapshot, 1);
    if (json_reader_open(&reader, data, size, name, arena, err))
        fields_read(&reader.root, &file_parts, &file);
    json_reader_close(&reader);
    if (error_is_set(err))
        return NULL;
    const bool by_columns = file.storage ? file.storage == storages[STORED_AS_COLUMNS] : find_storage(&file);
    const struct reading reading = {&file, name, by_columns, err};
    *pose = file.pose;
    pose->lacks_clip = !file.has_clip;
    pose->lacks_time = !file.has_time;
    pose->is_part = file.format == formats[1];
    if (!file.nodes && !file.entries && !file.skins) {
        error_set(err, "%s: nothing is given: expected any of \"nodes\", \"palette\" and \"skin\"", name);
        return NULL;
    }
    const bool good =
        read_lists(&reading, pose, arena) && (pose->is_part || pose_snapshot_check_parents(pose, name, err));
    return good ? pose : NULL;
}
