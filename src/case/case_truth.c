/* The poses of a truth file in place of the reference's own numbers. */
#include <math.h>
#include <string.h>

#include <jansson.h>

#include "base/file/file.h"
#include "case/run_case.h"

enum { TRUTH_LIMIT = 256 << 20, TRUTH_MOST_POSES = 4096 };

/* Poses of a model that nobody imported. */
struct truth_file {
    const char *path;
    uint32_t pose_count;
    struct pose_snapshot **poses;
};

static bool read_poses(const json_t *document, struct arena *arena, struct truth_file *out, struct error *err)
{
    const char *format = json_string_value(json_object_get(document, "format"));
    const json_t *poses = json_object_get(document, "poses");
    if (!format || strcmp(format, "rigproof.truth/1") != 0 || json_array_size(poses) == 0 ||
        json_array_size(poses) > TRUTH_MOST_POSES)
        return error_set(err, "%s: not a file of rigproof.truth/1 with poses", out->path);
    out->poses = ARENA_NEW(arena, struct pose_snapshot *, json_array_size(poses));
    for (; out->pose_count < json_array_size(poses); out->pose_count++) {
        const char *name = arena_printf(arena, "%s: poses[%u]", out->path, out->pose_count);
        FREED char *pose = json_dumps(json_array_get(poses, out->pose_count), JSON_COMPACT);
        struct pose_snapshot *read = pose ? pose_snapshot_read(pose, strlen(pose), name, arena, err) : NULL;
        if (!read || !pose_snapshot_check_parents(read, name, err))
            return error_is_set(err) ? false : error_set(err, "%s is not a pose", name);
        out->poses[out->pose_count] = read;
    }
    return true;
}

static bool read_file(const char *path, struct arena *arena, struct truth_file *out, struct error *err)
{
    SCOPED(blob) file = {0};
    json_error_t why;
    *out = (struct truth_file){.path = path};
    if (!file_read(path, TRUTH_LIMIT, &file, err))
        return error_prefix(err, "truth");
    json_auto_t *document = json_loadb((const char *)file.data, file.size, JSON_REJECT_DUPLICATES, &why);
    return document ? read_poses(document, arena, out, err) : error_set(err, "%s:%d: %s", path, why.line, why.text);
}

struct tree_pairs {
    const struct pose_snapshot *truth, *ours;
    int32_t *parents;  /* [truth->node_count] */
    int32_t *our_parents;
    int32_t *ours_of;  /* [truth->node_count] */
    bool *is_taken;    /* [ours->node_count] */
};

static bool is_sibling_name(const struct tree_pairs *m, uint32_t node, const char *name)
{
    for (uint32_t i = 0; i < m->truth->node_count; i++)
        if (m->parents[i] == m->parents[node] && strcmp(m->truth->nodes[i].name, name) == 0)
            return true;
    return false;
}

/* Below that node of ours (or a root): of the same name, else the first whose name no sibling has, since importers
 * name what has no name. */
static int32_t find_below(const struct tree_pairs *m, uint32_t node, int32_t parent)
{
    const char *name = m->truth->nodes[node].name;
    for (int by_name = 1; by_name >= 0; by_name--)
        for (uint32_t i = 0; i < m->ours->node_count; i++)
            if (!m->is_taken[i] && m->our_parents[i] == parent &&
                (by_name ? strcmp(m->ours->nodes[i].name, name) == 0
                         : !is_sibling_name(m, node, m->ours->nodes[i].name)))
                return (int32_t)i;
    return NO_INDEX;
}

/* Importers put a root above several. */
static bool pair_nodes(struct tree_pairs *m, const char *path, struct error *err)
{
    uint32_t roots = 0;
    for (uint32_t i = 0; i < m->truth->node_count; i++)
        roots += m->parents[i] == NO_INDEX;
    for (uint32_t i = 0; i < m->truth->node_count; i++) {
        const int32_t parent = m->parents[i] != NO_INDEX ? m->ours_of[m->parents[i]] : roots > 1 ? 0 : NO_INDEX;
        m->ours_of[i] = find_below(m, i, parent);
        if (m->ours_of[i] == NO_INDEX && m->parents[i] == NO_INDEX && m->ours->node_count > 0)
            m->ours_of[i] = find_below(m, i, roots > 1 ? NO_INDEX : 0);
        if (m->ours_of[i] == NO_INDEX)
            return error_set(err, "%s: the node `%s` is not in the model as it was imported", path,
                             m->truth->nodes[i].name);
        m->is_taken[m->ours_of[i]] = true;
    }
    return true;
}

/* [node_count] A run's own pose knows all indices; a file's may have names alone. */
static int32_t *list_parents(const struct pose_snapshot *pose, bool is_file, struct arena *arena)
{
    int32_t *parents = ARENA_NEW(arena, int32_t, pose->node_count);
    for (uint32_t i = 0; i < pose->node_count; i++) {
        const struct pose_node_snapshot *node = &pose->nodes[i];
        const int32_t index =
            !is_file || node->tells_index ? node->parent_index : snapshot_find_node(pose, 0, node->parent);
        parents[i] = node->parent && index >= 0 && (uint32_t)index < i ? index : NO_INDEX;
    }
    return parents;
}

/* The truth's entries of a mesh follow its nodes' order: of two nodes of one name the next is meant. */
static void set_palette(const struct tree_pairs *m, struct pose_snapshot *out, struct arena *arena)
{
    bool *is_set = ARENA_NEW(arena, bool, out->palette_count);
    uint32_t after = 0; /* the node of the entry before */
    for (uint32_t i = 0; i < m->truth->palette_count; i++) {
        const struct palette_snapshot *entry = &m->truth->palette[i];
        uint32_t node = i > 0 && strcmp(entry->mesh, entry[-1].mesh) == 0 ? after : 0;
        while (node < m->truth->node_count && strcmp(m->truth->nodes[node].name, entry->bone) != 0)
            node++;
        if (node == m->truth->node_count) {
            const int32_t first = snapshot_find_node(m->truth, 0, entry->bone);
            node = first >= 0 ? (uint32_t)first : 0;
        }
        after = node + 1;
        for (uint32_t k = 0; k < out->palette_count; k++)
            if (!is_set[k] && (int32_t)out->palette[k].node == m->ours_of[node] &&
                strcmp(out->palette[k].mesh, entry->mesh) == 0) {
                memcpy(out->palette[k].mesh_to_scene, entry->mesh_to_scene, sizeof(mat4));
                is_set[k] = true;
                break;
            }
    }
}

static bool set_skin(const struct pose_snapshot *truth, const char *path, struct pose_snapshot *out,
                     struct arena *arena, struct error *err)
{
    bool *is_set = ARENA_NEW(arena, bool, out->skin_count);
    for (uint32_t i = 0; i < truth->skin_count; i++) {
        const struct skin_snapshot *from = &truth->skin[i];
        uint32_t k = 0;
        while (k < out->skin_count && (is_set[k] || strcmp(out->skin[k].mesh, from->mesh) != 0))
            k++;
        if (k == out->skin_count || out->skin[k].vertices != from->vertices)
            return error_set(err, "%s: the mesh `%s` with its %u vertices is not in the model as it was imported", path,
                             from->mesh, from->vertices);
        const struct skin_snapshot was = out->skin[k];
        out->skin[k] = *from;
        out->skin[k].mesh = was.mesh;
        if (from->normal_count == 0) {
            out->skin[k].normals = was.normals;
            out->skin[k].normal_count = was.normal_count;
        }
        is_set[k] = true;
    }
    return true;
}

static bool apply(const struct truth_file *file, struct sample *sample, struct arena *arena, struct error *err)
{
    const struct pose_snapshot *truth = NULL, *ours = sample->reference;
    for (uint32_t i = 0; i < file->pose_count; i++)
        if (fabs(file->poses[i]->time - sample->time) <= 1e-9)
            truth = file->poses[i];
    if (!truth)
        return error_set(err, "%s: there is no pose at %s s", file->path, sample->label);
    struct tree_pairs m = {truth,
                               ours,
                               list_parents(truth, true, arena),
                               list_parents(ours, false, arena),
                               ARENA_NEW(arena, int32_t, truth->node_count),
                               ARENA_NEW(arena, bool, ours->node_count)};
    struct pose_snapshot *out = ARENA_COPY(arena, struct pose_snapshot, ours);
    if (!pair_nodes(&m, file->path, err))
        return false;
    out->nodes = ARENA_COPIES(arena, struct pose_node_snapshot, ours->nodes, ours->node_count);
    out->palette = ARENA_COPIES(arena, struct palette_snapshot, ours->palette, ours->palette_count);
    out->skin = ARENA_COPIES(arena, struct skin_snapshot, ours->skin, ours->skin_count);
    for (uint32_t i = 0; i < truth->node_count; i++) {
        struct pose_node_snapshot *node = &out->nodes[m.ours_of[i]];
        node->local = truth->nodes[i].local;
        memcpy(node->node_to_scene, truth->nodes[i].node_to_scene, sizeof(mat4));
    }
    set_palette(&m, out, arena);
    sample->reference = out;
    return set_skin(truth, file->path, out, arena, err);
}

bool case_take_truth(struct case_run *run, struct error *err)
{
    struct truth_file file;
    bool good = read_file(run->c->truth, run->arena, &file, err);
    for (size_t i = 0; good && i < run->count; i++)
        good = apply(&file, &run->samples[i], run->arena, err);
    return good;
}
