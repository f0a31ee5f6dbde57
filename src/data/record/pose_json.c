/* pose.json: a node, a palette entry or a mesh a line. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "data/json_fields.h"
#include "data/record/snapshot.h"

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

// clang-format off
/* A file of a part has only some stages; a whole one has all that it is read for. */
#define UNLESS(type, stages) .left_out = offsetof(type, left_out), .left_out_bits = (stages)

#define NODE(member) FIELD_MEMBER(struct pose_node_snapshot, member)
#define MOTION(key, motion, velocity)                                                                                  \
    {key, FIELD_FLOATS, NODE(motion.velocity), FIELD_COUNTER(struct pose_node_snapshot, has_##motion), .width = 3,     \
     .flags = FIELD_OMITTED}
static const struct fields nodes = FIELD_TABLE(struct pose_node_snapshot, JSON_INLINE,
    {"name", FIELD_TEXT, NODE(name)},
    {"parent", FIELD_TEXT_OR_NULL, NODE(parent)},
    {"parent_index", FIELD_COUNT, NODE(parent_index), FIELD_COUNTER(struct pose_node_snapshot, tells_index), .flags =
     FIELD_OMITTED},
    {"t", FIELD_FLOATS, NODE(local.translation), .width = 3, UNLESS(struct pose_node_snapshot, POSE_LOCAL)},
    {"r", FIELD_FLOATS, NODE(local.rotation), .width = 4, .check = check_rotation,
     UNLESS(struct pose_node_snapshot, POSE_LOCAL)},
    {"s", FIELD_FLOATS, NODE(local.scale), .width = 3, UNLESS(struct pose_node_snapshot, POSE_LOCAL)},
    {"global", FIELD_AFFINE, NODE(node_to_scene), UNLESS(struct pose_node_snapshot, POSE_GLOBAL)},
    MOTION("local_velocity", local_motion, linear),
    MOTION("local_angular_velocity", local_motion, angular),
    MOTION("velocity", motion, linear),
    MOTION("angular_velocity", motion, angular),
);

const struct fields morph_weights_fields = FIELD_TABLE(struct morph_weights_snapshot, JSON_INLINE,
    {"mesh", FIELD_TEXT, FIELD_MEMBER(struct morph_weights_snapshot, mesh)},
    {"node", FIELD_TEXT, FIELD_MEMBER(struct morph_weights_snapshot, node)},
    {"weights", FIELD_ITEMS(struct morph_weights_snapshot, weights, count, fields_of_float)},
);

static const struct fields palette = FIELD_TABLE(struct palette_snapshot, JSON_INLINE,
    {"mesh", FIELD_TEXT, FIELD_MEMBER(struct palette_snapshot, mesh)},
    {"bone", FIELD_TEXT, FIELD_MEMBER(struct palette_snapshot, bone)},
    {"matrix", FIELD_AFFINE, FIELD_MEMBER(struct palette_snapshot, mesh_to_scene)},
);

static const struct fields points = FIELD_TABLE(vec3, JSON_INLINE,
    {NULL, FIELD_FLOATS, .size = sizeof(vec3), .width = 3},
);

#define POINTS .flags = FIELD_OPTIONAL, .when = has_points
#define SKIN(member) FIELD_MEMBER(struct skin_snapshot, member)
static const struct fields skins = FIELD_TABLE(struct skin_snapshot, JSON_INLINE,
    {"mesh", FIELD_TEXT, SKIN(mesh)},
    {"vertices", FIELD_COUNT, SKIN(vertices)},
    {"min", FIELD_FLOATS, SKIN(min), .width = 3},
    {"max", FIELD_FLOATS, SKIN(max), .width = 3, .check = check_bounds},
    {"centroid", FIELD_FLOATS, SKIN(centroid), .width = 3},
    {"positions", FIELD_ITEMS(struct skin_snapshot, positions, position_count, points, POINTS)},
    {"normals", FIELD_ITEMS(struct skin_snapshot, normals, normal_count, points, POINTS)},
);

static const char *const matrices[] = {"row-major 3x4, p' = M p"};

#define POSE(member) FIELD_MEMBER(struct pose_snapshot, member)
#define LINES_OF(member, counter, table, ...)                                                                          \
    FIELD_ITEMS(struct pose_snapshot, member, counter, table, .layout = JSON_LINES, __VA_ARGS__)
static const struct fields poses = FIELD_TABLE(struct pose_snapshot, JSON_LINES,
    {"model", FIELD_TEXT, POSE(model)},
    {"clip", FIELD_TEXT_OR_NULL, POSE(clip)},
    {"time", FIELD_DOUBLE, POSE(time)},
    {"space", FIELD_WORD, POSE(space), .words = space_words, .word_count = SPACE_WORDS},
    {"matrices", FIELD_CONSTANT, FIELD_WORDS(matrices)},
    {"nodes", LINES_OF(nodes, node_count, nodes, UNLESS(struct pose_snapshot, POSE_NODES))},
    {"morphs", LINES_OF(morphs, morph_count, morph_weights_fields, .flags = FIELD_OMITTED)},
    {"palette", LINES_OF(palette, palette_count, palette, .flags = FIELD_OPTIONAL,
                         UNLESS(struct pose_snapshot, POSE_PALETTE))},
    {"skin", LINES_OF(skin, skin_count, skins, .flags = FIELD_OPTIONAL, UNLESS(struct pose_snapshot, POSE_SKIN))},
);
// clang-format on

void pose_snapshot_write(const struct pose_snapshot *snapshot, struct text *out)
{
    fields_write_document(POSE_FORMAT, &poses, JSON_LINES, snapshot, out);
}

bool pose_snapshot_is_in(const struct pose_snapshot *snapshot, const void *data, size_t size)
{
    SCOPED(text) text = {0};
    bool same = fields_write_document(POSE_FORMAT, &poses, JSON_LINES, snapshot, &text) && text.size == size &&
                memcmp(text.data, data, size) == 0;
    for (uint32_t i = 0; same && i < snapshot->node_count; i++) { /* what check_rotation() complains of */
        const float *r = snapshot->nodes[i].local.rotation;
        same = r[0] != 0 || r[1] != 0 || r[2] != 0 || r[3] != 0;
    }
    return same;
}

/* In time that does not grow with the square of the nodes' number. */
bool pose_snapshot_check_parents(const struct pose_snapshot *pose, const char *name, struct error *err)
{
    FREED const char **names = memory_new(pose->node_count, sizeof *names);
    bool good = true;
    for (uint32_t i = 0; i < pose->node_count; i++)
        names[i] = pose->nodes[i].name;
    sort_items(names, pose->node_count, sizeof *names, compare_strings);
    for (uint32_t i = 0; good && i < pose->node_count; i++) {
        const struct pose_node_snapshot *node = &pose->nodes[i];
        good = !node->parent || bsearch(&node->parent, names, pose->node_count, sizeof *names, compare_strings) ||
               error_set(err, "%s: nodes[%u].parent: node `%s` has the parent `%s`, and no node is called so", name, i,
                         node->name, node->parent);
    }
    return good;
}

struct pose_snapshot *pose_snapshot_read(const void *data, size_t size, const char *name, struct arena *arena,
                                         struct error *err)
{
    struct pose_snapshot *pose = fields_read_document(data, size, name, POSE_FORMAT, &poses, arena, err);
    return pose && pose_snapshot_check_parents(pose, name, err) ? pose : NULL;
}

/* A record that has not every node with all its numbers says so by its format. */
static void write_record(const struct pose_record *record, enum json_layout layout, struct text *out)
{
    const struct pose_part *part = record->part;
    bool is_whole = !part || (!part->nodes && (part->stages & POSE_NODES) == POSE_NODES);
    SCOPED_ARENA arena = arena_require(snapshot_bytes(record->scene));
    fields_write_document(is_whole ? POSE_FORMAT : POSE_PART_FORMAT, &poses, layout,
                          pose_snapshot_gather(record, arena), out);
}

void pose_write_json(const struct pose_record *record, struct text *out)
{
    write_record(record, JSON_LINES, out);
}

void pose_write_json_line(const struct pose_record *record, struct text *out)
{
    write_record(record, JSON_INLINE, out);
}
