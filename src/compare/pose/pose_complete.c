/* Poses with only what there is, made comparable. */
#include <string.h>

#include "compare/compare.h"
#include "compare/match/skeleton.h"
#include "data/vector.h"

/* One for each mesh of the reference that the bone is in. Theirs may name a bone any number of times: what that
 * would multiply is cut. */
static void spread_entries(struct pose_snapshot *pose, const struct pose_snapshot *reference, struct arena *arena)
{
    const struct match_list theirs = palette_names(reference, arena);
    const struct name_index index = name_index_create(&theirs, arena);
    uint32_t count = 0, room = 2 * pose->palette_count + reference->palette_count;
    struct palette_snapshot *entries = ARENA_NEW(arena, struct palette_snapshot, room);
    for (uint32_t i = 0; i < pose->palette_count && count < room; i++) {
        int32_t k = pose->palette[i].mesh ? NO_INDEX : name_find(&index, pose->palette[i].bone);
        do {
            entries[count] = pose->palette[i];
            if (!entries[count].mesh)
                entries[count].mesh = k == NO_INDEX ? "" : reference->palette[k].mesh;
            count++;
            k = k == NO_INDEX ? k : name_find_after(&index, pose->palette[i].bone, (size_t)k);
        } while (k != NO_INDEX && count < room);
    }
    pose->palette = entries;
    pose->palette_count = count;
}

const struct pose_snapshot *pose_fill(const struct pose_snapshot *pose, const struct pose_snapshot *reference,
                                      struct arena *arena)
{
    bool lacks_mesh = false, lacks = pose->lacks_clip || pose->lacks_time || !pose->model || !pose->space;
    for (uint32_t i = 0; i < pose->palette_count && !lacks_mesh; i++)
        lacks_mesh = !pose->palette[i].mesh;
    for (uint32_t i = 0; i < pose->node_count && !lacks; i++)
        lacks = pose->nodes[i].parent_left_out || pose->nodes[i].components_left_out;
    if (!lacks && !lacks_mesh)
        return pose;
    struct pose_snapshot *out = ARENA_COPY(arena, struct pose_snapshot, pose);
    out->model = pose->model ? pose->model : reference->model;
    out->space = pose->space ? pose->space : reference->space ? reference->space : space_words[SPACE_SCENE];
    if (pose->lacks_clip)
        out->clip = reference->clip;
    if (pose->lacks_time)
        out->time = reference->time;
    out->nodes = ARENA_NEW(arena, struct pose_node_snapshot, pose->node_count);
    const int32_t *to_reference = pose_match(reference, pose, POSE_NODES, arena).to_golden;
    for (uint32_t i = 0; i < pose->node_count; i++) {
        struct pose_node_snapshot *node = &out->nodes[i];
        const int32_t k = to_reference[i];
        *node = pose->nodes[i];
        if (node->parent_left_out)
            node->parent = k == NO_INDEX ? NULL : reference->nodes[k].parent;
        const struct transform *from = k == NO_INDEX ? &transform_identity : &reference->nodes[k].local;
        for (int component = 0; component < COMPONENT_COUNT; component++)
            if (node->components_left_out & 1u << component)
                component_set(&node->local, component, component_of(from, component));
    }
    if (lacks_mesh)
        spread_entries(out, reference, arena);
    return out;
}

/* Nodes stand in the reference's order, where the pose does not list all, and then come those that are its own. */
static const int32_t *add_nodes(struct pose_snapshot *out, const struct pose_snapshot *reference, struct arena *arena)
{
    const struct matching matching = pose_match(reference, out, POSE_NODES, arena);
    const size_t reference_count = matching.golden_count, count_given = matching.actual_count;
    const bool lists_all = !out->is_part && (out->left_out & POSE_NODES) != POSE_NODES;
    int32_t *from = ARENA_NEW(arena, int32_t, reference_count + count_given);
    struct pose_node_snapshot *nodes = ARENA_NEW(arena, struct pose_node_snapshot, reference_count + count_given);
    uint32_t count = 0;
    for (size_t i = 0; i < reference_count && !lists_all; i++) {
        const int32_t own = matching.to_actual[i];
        nodes[count] = own == NO_INDEX ? reference->nodes[i] : out->nodes[own];
        if (own == NO_INDEX)
            nodes[count].left_out = POSE_NODES;
        from[count++] = (int32_t)i;
    }
    for (size_t i = 0; i < count_given; i++)
        if (lists_all || matching.to_golden[i] == NO_INDEX) {
            nodes[count] = out->nodes[i];
            from[count++] = matching.to_golden[i];
        }
    out->nodes = nodes;
    out->node_count = count;
    return from;
}

/* Returns whether it is the reference's, but for rounding: which holds shear that a transform does not. */
static bool is_same_local(const struct transform *a, const struct transform *b)
{
    struct affine_d x = affine_d_from_transform(a), y = affine_d_from_transform(b);
    return affine_d_near(&x, &y, 1e-6, 1e-6 * (1e-3 + vec3d_length(x.column[3])));
}

const struct pose_snapshot *pose_complete(const struct pose_snapshot *pose, const struct pose_snapshot *reference,
                                          struct arena *arena)
{
    bool lacks = pose->is_part || pose->left_out & POSE_NODES;
    for (uint32_t i = 0; i < pose->node_count && !lacks; i++)
        lacks = pose->nodes[i].left_out != 0;
    if (!lacks)
        return pose;
    struct pose_snapshot *out = ARENA_COPY(arena, struct pose_snapshot, pose);
    const int32_t *from = add_nodes(out, reference, arena);
    const struct skeleton theirs = skeleton_of_pose(reference, arena);
    struct skeleton own = skeleton_of_pose(out, arena);
    bool *moved = ARENA_NEW(arena, bool, out->node_count);
    for (uint32_t i = 0; i < out->node_count; i++) {
        struct pose_node_snapshot *node = &out->nodes[i];
        const int32_t above = own.parents[i], k = from[i], k_above = k == NO_INDEX ? NO_INDEX : theirs.parents[k];
        const bool has_local = !(node->left_out & POSE_LOCAL);
        const bool follows = k != NO_INDEX && (!has_local || is_same_local(&node->local, &reference->nodes[k].local));
        struct affine_d to_above, local;
        if (!has_local && k != NO_INDEX)
            node->local = reference->nodes[k].local;
        if (!(node->left_out & POSE_GLOBAL)) {
            moved[i] =
                k == NO_INDEX || memcmp(node->node_to_scene, reference->nodes[k].node_to_scene, sizeof(mat4)) != 0;
            continue;
        }
        moved[i] = !follows || (above != NO_INDEX && moved[above]);
        if (!moved[i]) {
            memcpy(node->node_to_scene, reference->nodes[k].node_to_scene, sizeof(mat4));
            own.node_to_scene[i] = theirs.node_to_scene[k];
            continue;
        }
        local = affine_d_from_transform(&node->local);
        if (follows && k_above != NO_INDEX && affine_d_inverse(&theirs.node_to_scene[k_above], &to_above))
            local = affine_d_mul(&to_above, &theirs.node_to_scene[k]);
        own.node_to_scene[i] = above == NO_INDEX ? local : affine_d_mul(&own.node_to_scene[above], &local);
        affine_d_to(&own.node_to_scene[i], node->node_to_scene);
    }
    return out;
}

const struct pose_snapshot *pose_restrict(const struct pose_snapshot *pose, const struct pose_snapshot *part,
                                          struct arena *arena)
{
    if (!part->is_part)
        return pose;
    struct pose_snapshot *out = ARENA_COPY(arena, struct pose_snapshot, pose);
    const struct match_list entries = pose_names(pose, POSE_PALETTE, arena);
    const struct match_list part_entries = pose_names(part, POSE_PALETTE, arena);
    const struct matching by_entry = match_by_name(&entries, &part_entries, MATCH_NEED_CONTEXT, arena);
    const struct matching by_skin = pose_match(pose, part, POSE_SKIN, arena);
    out->palette_count = out->skin_count = 0;
    out->palette = ARENA_NEW(arena, struct palette_snapshot, pose->palette_count);
    out->skin = ARENA_NEW(arena, struct skin_snapshot, pose->skin_count);
    for (uint32_t i = 0; i < pose->palette_count; i++)
        if (part->left_out & POSE_PALETTE || by_entry.to_actual[i] != NO_INDEX)
            out->palette[out->palette_count++] = pose->palette[i];
    for (uint32_t i = 0; i < pose->skin_count; i++)
        if (part->left_out & POSE_SKIN || by_skin.to_actual[i] != NO_INDEX)
            out->skin[out->skin_count++] = pose->skin[i];
    return out;
}

static bool has_renamed_meshes(const struct findings *findings)
{
    for (size_t i = 0; i < findings->fault_count; i++)
        if (findings->faults[i].now)
            return true;
    return false;
}

/* A copy of the list whose items' names of meshes, at that place in them, are the golden's. */
static void *rename_meshes(const void *list, size_t count, size_t size, size_t place, const struct findings *findings)
{
    char *copy = arena_alloc(findings->arena, count, size);
    if (count > 0)
        memcpy(copy, list, count * size);
    for (size_t i = 0; i < count; i++) {
        const char *mesh;
        memcpy(&mesh, copy + i * size + place, sizeof mesh);
        mesh = findings_old_mesh(findings, mesh);
        memcpy(copy + i * size + place, &mesh, sizeof mesh);
    }
    return copy;
}

#define RENAME(list, count, type, member)                                                                              \
    rename_meshes(list, count, sizeof(struct type), offsetof(struct type, member), findings)

const struct pose_snapshot *pose_name_as_golden(const struct pose_snapshot *pose, const struct findings *findings)
{
    if (!has_renamed_meshes(findings))
        return pose;
    struct pose_snapshot *out = ARENA_COPY(findings->arena, struct pose_snapshot, pose);
    out->palette = RENAME(pose->palette, pose->palette_count, palette_snapshot, mesh);
    out->skin = RENAME(pose->skin, pose->skin_count, skin_snapshot, mesh);
    out->morphs = RENAME(pose->morphs, pose->morph_count, morph_weights_snapshot, mesh);
    return out;
}

const struct import_snapshot *import_name_as_golden(const struct import_snapshot *import,
                                                    const struct findings *findings)
{
    if (!import || !has_renamed_meshes(findings))
        return import;
    struct import_snapshot *out = ARENA_COPY(findings->arena, struct import_snapshot, import);
    out->meshes = RENAME(import->meshes, import->mesh_count, mesh_snapshot, name);
    return out;
}
