/* A file of poses: what of it is given, as an answer, and as a pose. */
#include <string.h>

#include "data/json_fields.h"
#include "subject/resolving.h"

// clang-format off
static const char *const formats[] = {POSE_FORMAT, POSE_PART_FORMAT};
static const char *const storages[] = {"row-major 3x4, p' = M p", "row-major 4x4, p' = M p",
    "column-major 4x4, p' = M p"};
static const enum storage stored_as[] = {STORAGE_ROWS3X4, STORAGE_ROWS, STORAGE_COLUMNS};

/* The members of a file besides nodes, palette and skin. */
struct head {
    const char *format, *storage;
    bool has_clip, has_time;
    struct pose_snapshot pose;
};

#define HEAD(member) FIELD_MEMBER(struct head, member)
static const struct field head_rows[] = {
    {"format", FIELD_WORD, HEAD(format), FIELD_WORDS(formats)},
    {"model", FIELD_TEXT, HEAD(pose.model), .flags = FIELD_OPTIONAL},
    {"clip", FIELD_TEXT_OR_NULL, HEAD(pose.clip), FIELD_COUNTER(struct head, has_clip), .flags = FIELD_OPTIONAL},
    {"time", FIELD_DOUBLE, HEAD(pose.time), FIELD_COUNTER(struct head, has_time), .flags = FIELD_OPTIONAL},
    {"space", FIELD_WORD, HEAD(pose.space), .words = space_words, .word_count = SPACE_WORDS, .flags = FIELD_OPTIONAL},
    {"matrices", FIELD_WORD, HEAD(storage), FIELD_WORDS(storages), .flags = FIELD_OPTIONAL},
    {"morphs", FIELD_LIST, HEAD(pose.morphs), FIELD_COUNTER(struct head, pose.morph_count),
     .fields = &morph_weights_fields, .flags = FIELD_OPTIONAL},
};
// clang-format on
static const struct fields head_fields = FIELDS(struct head, head_rows);

const struct pose_snapshot subject_no_head = {.lacks_clip = true, .lacks_time = true, .is_part = true};

bool subject_read_file(const void *data, size_t size, const char *name, struct arena *arena, struct subject_answer *out,
                       struct error *err)
{
    struct json_reader reader;
    struct head head = {0};
    *out = (struct subject_answer){0};
    if (json_reader_open(&reader, data, size, name, arena, err)) {
        fields_read(&reader.root, &head_fields, &head);
        for (int i = 0; i < SUBJECT_PARTS; i++)
            out->has |= json_has(&reader.root, subject_part_words[i]) ? 1u << i : 0;
        out->has &= SUBJECT_NODES | SUBJECT_PALETTE | SUBJECT_SKIN;
        if (!error_is_set(err) && !out->has)
            error_set(err, "%s: nothing is given: expected any of \"nodes\", \"palette\" and \"skin\"", name);
        subject_read_parts(&reader.root, NULL, out);
    }
    json_reader_close(&reader);
    for (size_t i = 0; i < sizeof storages / sizeof *storages; i++)
        out->storage = head.storage == storages[i] ? stored_as[i] : out->storage;
    out->head = head.pose;
    out->head.lacks_clip = !head.has_clip;
    out->head.lacks_time = !head.has_time;
    out->head.is_part = head.format == formats[1];
    return !error_is_set(err);
}

/* The numbers of a file that is held against another one, where nothing but the storage is solved. */
struct stored_pose {
    const struct subject_answer *answer;
    enum storage storage;
    const char *name;
    struct error *err;
};

static bool read_matrix(const struct stored_pose *t, const struct raw_matrix *raw, const char *list, uint32_t i,
                        const char *key, mat4 out)
{
    struct affine_d matrix;
    const bool is_affine = raw_matrix_read(raw, t->storage, &matrix);
    affine_d_to(&matrix, out);
    return is_affine || t->answer->storage != STORAGE_UNKNOWN ||
           error_set(t->err,
                     "%s: %s[%u].%s: no last row 0 0 0 1, neither by rows nor by columns; \"matrices\" would say how "
                     "they are stored",
                     t->name, list, i, key);
}

static bool read_node(const struct stored_pose *t, uint32_t i, struct pose_node_snapshot *out)
{
    const struct subject_node *node = &t->answer->nodes[i];
    const unsigned all = (1u << COMPONENT_COUNT) - 1;
    *out =
        (struct pose_node_snapshot){.name = node->name, .parent = node->parent, .parent_left_out = !node->has_parent};
    memcpy(out->node_to_scene, mat4_identity, sizeof(mat4));
    out->local = node->transform;
    out->components_left_out = node->components ? all & ~node->components : 0;
    if (node->local.count > 0 && !node->components) {
        mat4 local;
        if (!read_matrix(t, &node->local, "nodes", i, "local", local))
            return false;
        affine_to_transform(local, &out->local);
    }
    out->left_out =
        (node->components || node->local.count > 0 ? 0 : POSE_LOCAL) | (node->global.count > 0 ? 0 : POSE_GLOBAL);
    return node->global.count == 0 || read_matrix(t, &node->global, "nodes", i, "global", out->node_to_scene);
}

struct pose_snapshot *subject_read_pose(const void *data, size_t size, const char *name, struct arena *arena,
                                        struct error *err)
{
    struct subject_answer answer;
    struct pose_snapshot *pose = ARENA_NEW(arena, struct pose_snapshot, 1);
    unsigned nodes = POSE_NODES;
    if (!subject_read_file(data, size, name, arena, &answer, err))
        return NULL;
    const struct stored_pose stored = {
        &answer, answer.storage ? answer.storage : raw_matrix_find_storage(&answer), name, err};
    *pose = answer.head;
    pose->nodes = ARENA_NEW(arena, struct pose_node_snapshot, answer.node_count);
    pose->palette = ARENA_NEW(arena, struct palette_snapshot, answer.entry_count);
    for (bool good = true; good && pose->node_count < answer.node_count; pose->node_count++) {
        good = read_node(&stored, pose->node_count, &pose->nodes[pose->node_count]);
        nodes &= pose->nodes[pose->node_count].left_out;
    }
    for (bool good = true; good && pose->palette_count < answer.entry_count; pose->palette_count++) {
        const struct subject_entry *entry = &answer.entries[pose->palette_count];
        struct palette_snapshot *to = &pose->palette[pose->palette_count];
        to->mesh = entry->mesh;
        to->bone = entry->bone;
        good = read_matrix(&stored, &entry->matrix, "palette", pose->palette_count, "matrix", to->mesh_to_scene);
    }
    for (uint32_t i = 0; i < answer.skin_count && !error_is_set(err); i++)
        if (!answer.skin[i].mesh)
            error_set(err, "%s: skin[%u].mesh: expected a string, found nothing", name, i);
    pose->skin_count = answer.skin_count;
    pose->skin = answer.skin;
    pose->left_out = (answer.has & SUBJECT_NODES && answer.node_count == 0 ? 0 : nodes) |
                     (answer.has & SUBJECT_PALETTE ? 0 : POSE_PALETTE) | (answer.has & SUBJECT_SKIN ? 0 : POSE_SKIN);
    const bool good = !error_is_set(err) && (pose->is_part || pose_snapshot_check_parents(pose, name, err));
    return good ? pose : NULL;
}
