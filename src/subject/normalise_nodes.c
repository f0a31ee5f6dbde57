/* The nodes of an answer. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "subject/normalise.h"

struct name_row {
    const char *name;
    uint32_t index;
};

static int by_name(const void *a, const void *b)
{
    const struct name_row *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* parent[i]: the first node of that name; NO_INDEX, also where the name is empty and could be any. */
static int32_t *find_parents(const struct normalising *work)
{
    const uint32_t count = work->answer->node_count;
    const struct subject_node *nodes = work->answer->nodes;
    struct name_row *rows = memory_new(count, sizeof *rows);
    int32_t *parents = ARENA_NEW(work->arena, int32_t, count);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = (struct name_row){nodes[i].name, i};
    if (count > 1)
        qsort(rows, count, sizeof *rows, by_name);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t low = 0, high = count;
        const bool is_told = nodes[i].parent && nodes[i].parent[0];
        parents[i] = NO_INDEX;
        while (is_told && low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (strcmp(rows[middle].name, nodes[i].parent) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        if (is_told && low < count && strcmp(rows[low].name, nodes[i].parent) == 0 && rows[low].index != i)
            parents[i] = (int32_t)rows[low].index;
    }
    free(rows);
    return parents;
}

static bool read_local(struct normalising *work, const struct subject_node *node, struct map *out)
{
    mat4 matrix;
    if (node->local.count > 0)
        return normalising_matrix(work, &node->local, "local", node->name, out);
    affine_from_transform(&node->transform, matrix);
    *out = map_from(matrix);
    return true;
}

/* What is not given as such is the product of the locals above. */
static bool find_globals(struct normalising *work, const int32_t *parents)
{
    enum { UNSEEN, IN_CHAIN, DONE };
    const struct subject_answer *answer = work->answer;
    uint8_t *state = ARENA_NEW(work->arena, uint8_t, answer->node_count);
    uint32_t *chain = ARENA_NEW(work->arena, uint32_t, answer->node_count);
    work->globals = ARENA_NEW(work->arena, struct map, answer->node_count);
    work->has_global = ARENA_NEW(work->arena, bool, answer->node_count);
    for (uint32_t i = 0; i < answer->node_count; i++) {
        uint32_t length = 0;
        for (int32_t at = (int32_t)i; at != NO_INDEX && state[at] != DONE; at = parents[at]) {
            if (state[at] == IN_CHAIN)
                return error_set(work->err, "%s: node `%s` is among its own ancestors", work->subject->spec->name,
                                 answer->nodes[at].name);
            state[at] = IN_CHAIN;
            chain[length++] = (uint32_t)at;
        }
        while (length > 0) {
            const uint32_t n = chain[--length];
            const struct subject_node *node = &answer->nodes[n];
            const bool has_local = node->local.count > 0 || node->has_transform;
            struct map local;
            state[n] = DONE;
            work->has_global[n] =
                node->global.count > 0 || (has_local && (parents[n] == NO_INDEX || work->has_global[parents[n]]));
            if (!work->has_global[n])
                continue;
            if (node->global.count > 0) {
                if (!normalising_matrix(work, &node->global, "global", node->name, &work->globals[n]))
                    return false;
            } else if (!read_local(work, node, &local)) {
                return false;
            } else {
                work->globals[n] = parents[n] == NO_INDEX ? local : map_mul(&work->globals[parents[n]], &local);
            }
        }
    }
    return true;
}

/* A local transform is theirs where both have it under one parent; the frame's left factor is above all of these. */
static bool take_local(struct normalising *work, const int32_t *parents, uint32_t ours, int32_t our_parent,
                       struct transform *out)
{
    const int32_t theirs = work->node_of[ours];
    const struct subject_node *node = &work->answer->nodes[theirs];
    struct map local, back;
    mat4 matrix;
    if ((node->local.count == 0 && !node->has_transform) || our_parent == NO_INDEX || parents[theirs] == NO_INDEX ||
        work->node_of[our_parent] != parents[theirs])
        return false;
    const struct frame *frame = &work->solution->nodes;
    const bool is_plain = memcmp(&frame->right, &map_identity, sizeof map_identity) == 0;
    if (node->local.count == 0 && is_plain) { /* as it came, to the last bit */
        *out = node->transform;
        return true;
    }
    if (!read_local(work, node, &local) || !map_inverse(&frame->right, &back))
        return false;
    local = map_mul(&back, &local);
    local = map_mul(&local, &frame->right);
    map_to(&local, matrix);
    return affine_to_transform(matrix, out);
}

static bool must_have(const struct normalising *work, uint32_t node)
{
    return node >= work->import->node_count || work->import->nodes[node].is_bone;
}

/* Ours, with what they have of them. Bones that they lack are left out; nodes that are none follow their parents. */
static bool fill_nodes(struct normalising *work, const int32_t *parents)
{
    const struct pose_snapshot *reference = work->reference;
    struct pose_snapshot *pose = work->out->pose;
    pose->nodes = ARENA_NEW(work->arena, struct pose_node_snapshot, reference->node_count);
    pose->node_count = 0;
    for (uint32_t i = 0; i < reference->node_count && !error_is_set(work->err); i++) {
        const struct pose_node_snapshot *from = &reference->nodes[i];
        const int32_t parent = normalising_find(reference, from->parent, i), theirs = work->node_of[i];
        struct pose_node_snapshot node = *from;
        mat4 local;
        const bool has = theirs != NO_INDEX && work->has_global[theirs];
        if (!has && must_have(work, i))
            continue;
        struct map back, rest;
        affine_from_transform(&from->local, local);
        rest = map_from(local);
        if (has)
            work->node_now[i] = frame_undo(&work->solution->nodes, &work->globals[theirs]);
        else if (parent != NO_INDEX && work->has_node[parent])
            work->node_now[i] = map_mul(&work->node_now[parent], &rest);
        else
            work->node_now[i] = map_from(from->node_to_scene);
        work->has_node[i] = true;
        map_to(&work->node_now[i], node.node_to_scene);
        if (has && !take_local(work, parents, i, parent, &node.local)) {
            struct map derived = work->node_now[i];
            if (parent != NO_INDEX && work->has_node[parent] && map_inverse(&work->node_now[parent], &back))
                derived = map_mul(&back, &derived);
            map_to(&derived, local);
            affine_to_transform(local, &node.local);
            work->out->locals_derived = work->out->locals_derived || parent != NO_INDEX;
        }
        pose->nodes[pose->node_count++] = node;
    }
    return !error_is_set(work->err);
}

/* rigproof's own, for a node that the file gives no name: nodes[3]. */
static bool is_nameless(const char *name)
{
    int end = 0;
    return sscanf(name, "nodes[%*u]%n", &end) == 0 && end > 0 && name[end] == '\0';
}

static bool keeps_parents(const struct normalising *work, const int32_t *parents)
{
    for (uint32_t i = 0; i < work->reference->node_count; i++) {
        const int32_t theirs = work->node_of[i];
        const int32_t parent = normalising_find(work->reference, work->reference->nodes[i].parent, i);
        if (theirs != NO_INDEX && parent != NO_INDEX && parents[theirs] != NO_INDEX &&
            work->node_of[parent] != NO_INDEX && work->node_of[parent] != parents[theirs])
            return false;
    }
    return true;
}

/*
 * Engines call nodes without a name what they like. Where these alone are left, and as many of theirs (but for a root of
 * their own or of ours), they are alike by their place in the tree. How many were matched.
 */
static uint32_t match_by_place(struct normalising *work, const int32_t *parents)
{
    const struct pose_snapshot *reference = work->reference;
    const uint32_t count = work->answer->node_count;
    uint32_t *ours = ARENA_NEW(work->arena, uint32_t, reference->node_count), our_count = 0;
    uint32_t *theirs = ARENA_NEW(work->arena, uint32_t, count), their_count = 0;
    bool *taken = ARENA_NEW(work->arena, bool, count);
    for (uint32_t i = 0; i < reference->node_count; i++) {
        if (work->node_of[i] != NO_INDEX)
            taken[work->node_of[i]] = true;
        else if (is_nameless(reference->nodes[i].name))
            ours[our_count++] = i;
        else
            return 0;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!taken[i])
            theirs[their_count++] = i;
    const uint32_t least = our_count < their_count ? our_count : their_count;
    if (least == 0 || our_count + their_count > 2 * least + 1)
        return 0;
    for (uint32_t i = 0; i < least; i++)
        work->node_of[ours[our_count - least + i]] = (int32_t)theirs[their_count - least + i];
    const bool is_tree = keeps_parents(work, parents);
    for (uint32_t i = 0; i < least; i++) {
        const uint32_t node = ours[our_count - least + i];
        if (is_tree)
            work->place_of[work->node_of[node]] = (int32_t)node;
        else
            work->node_of[node] = NO_INDEX;
    }
    return is_tree ? least : 0;
}

static void match_nodes(struct normalising *work, const int32_t *parents)
{
    const struct pose_snapshot *reference = work->reference;
    const char **ours = ARENA_NEW(work->arena, const char *, reference->node_count);
    const char **theirs = ARENA_NEW(work->arena, const char *, work->answer->node_count);
    struct text how = {0};
    for (uint32_t i = 0; i < reference->node_count; i++)
        ours[i] = reference->nodes[i].name;
    for (uint32_t i = 0; i < work->answer->node_count; i++)
        theirs[i] = work->answer->nodes[i].name;
    subject_match_names(ours, reference->node_count, theirs, work->answer->node_count, work->strip, work->node_of,
                        &how);
    const uint32_t placed = match_by_place(work, parents);
    if (placed > 0)
        text_addf(&how, "%s%u %s matched by place in the tree", how.size > 0 ? ", " : "", placed,
                  placed == 1 ? "node without a name is" : "nodes without a name are");
    if (how.size > 0)
        snprintf(work->solution->names, sizeof work->solution->names, "%s", text_string(&how));
    text_release(&how);
}

bool normalise_nodes(struct normalising *work)
{
    const struct pose_snapshot *reference = work->reference;
    const int32_t *parents = find_parents(work);
    struct map *theirs = ARENA_NEW(work->arena, struct map, reference->node_count);
    struct map *ours = ARENA_NEW(work->arena, struct map, reference->node_count);
    uint32_t count = 0;
    if (!find_globals(work, parents))
        return false;
    match_nodes(work, parents);
    for (uint32_t i = 0; i < reference->node_count; i++)
        if (work->node_of[i] != NO_INDEX && work->has_global[work->node_of[i]]) {
            theirs[count] = work->globals[work->node_of[i]];
            ours[count++] = map_from(reference->nodes[i].node_to_scene);
        }
    if (count == 0 && reference->node_count > 0)
        return error_set(
            work->err,
            "%s: none of its %u nodes is called like one of the model's %u (its first is `%s`, the model's `%s`)",
            work->subject->spec->name, work->answer->node_count, reference->node_count,
            work->answer->node_count > 0 ? work->answer->nodes[0].name : "", reference->nodes[0].name);
    normalising_solve(work, theirs, ours, count, &work->solution->nodes);
    work->out->given |= SUBJECT_NODES;
    return fill_nodes(work, parents);
}
