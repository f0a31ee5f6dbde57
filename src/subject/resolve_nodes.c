/* The nodes of an answer. */
#include <stdio.h>
#include <string.h>

#include "data/record/matching.h"
#include "subject/resolving.h"

/* parent[i]: the one that is told by its number; else the node of that name, of several the nearest before;
 * NO_INDEX. */
static int32_t *find_parents(const struct resolving *work, const struct match_list *names)
{
    const struct name_index index = name_index_create(names, work->arena);
    int32_t *parents = ARENA_NEW(work->arena, int32_t, names->count);
    for (uint32_t i = 0; i < names->count; i++) {
        const char *parent = work->answer->nodes[i].parent;
        parents[i] = work->answer->nodes[i].parent_index;
        if (parents[i] == NO_INDEX)
            parents[i] = name_find_before(&index, parent, i);
        if (parents[i] == NO_INDEX)
            parents[i] = name_find_after(&index, parent, i);
    }
    return parents;
}

static bool has_local(const struct subject_node *node)
{
    return node->local.count > 0 || node->components;
}

/* As it came; what a file does not give of it is the reference's. */
static struct transform transform_of(const struct resolving *work, uint32_t theirs)
{
    const struct subject_node *node = &work->answer->nodes[theirs];
    const int32_t ours = work->ours_of[theirs];
    struct transform out = node->transform;
    if (!work->subject->spec->is_file || ours == NO_INDEX)
        return out;
    const struct transform *from = &work->reference->nodes[ours].local;
    if (!(node->components >> COMPONENT_TRANSLATION & 1))
        memcpy(out.translation, from->translation, sizeof out.translation);
    if (!(node->components >> COMPONENT_ROTATION & 1))
        memcpy(out.rotation, from->rotation, sizeof out.rotation);
    if (!(node->components >> COMPONENT_SCALE & 1))
        memcpy(out.scale, from->scale, sizeof out.scale);
    return out;
}

static bool read_local(struct resolving *work, uint32_t theirs, struct affine_d *out)
{
    const struct subject_node *node = &work->answer->nodes[theirs];
    const struct transform transform = transform_of(work, theirs);
    struct affine_d back;
    if (node->local.count > 0)
        return resolving_matrix(work, &node->local, &work->unit_and_axes, "local", node->name, out);
    affine_d_inverse(&work->unit_and_axes, &back);
    *out = affine_d_from_transform(&transform);
    *out = affine_d_mul(&back, out);
    *out = affine_d_mul(out, &work->unit_and_axes);
    return true;
}

/* An order in which parents come first. False with the error set where there is none. */
static bool find_order(struct resolving *work, const int32_t *parents, uint32_t *order)
{
    enum { UNSEEN, IN_CHAIN, DONE };
    const struct subject_answer *answer = work->answer;
    uint8_t *state = ARENA_NEW(work->arena, uint8_t, answer->node_count);
    uint32_t *chain = ARENA_NEW(work->arena, uint32_t, answer->node_count);
    for (uint32_t i = 0, done = 0; i < answer->node_count; i++) {
        uint32_t length = 0;
        for (int32_t at = (int32_t)i; at != NO_INDEX && state[at] != DONE; at = parents[at]) {
            if (state[at] == IN_CHAIN)
                return error_set(work->err, "%s: node `%s` is among its own ancestors", work->subject->spec->name,
                                 answer->nodes[at].name);
            state[at] = IN_CHAIN;
            chain[length++] = (uint32_t)at;
        }
        while (length > 0)
            state[order[done++] = chain[--length]] = DONE;
    }
    return true;
}

/* Finds globals; one that is not given is the product of the locals above. */
static bool find_globals(struct resolving *work, const int32_t *parents, const uint32_t *order)
{
    const uint32_t count = work->answer->node_count;
    work->globals = ARENA_NEW(work->arena, struct affine_d, count);
    work->has_global = ARENA_NEW(work->arena, bool, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t n = order[i];
        const struct subject_node *node = &work->answer->nodes[n];
        const int32_t above = parents[n];
        struct affine_d local;
        work->has_global[n] =
            node->global.count > 0 || (has_local(node) && (above == NO_INDEX || work->has_global[above]));
        if (node->global.count > 0) {
            if (!resolving_matrix(work, &node->global, &work->unit_and_axes, "global", node->name, &work->globals[n]))
                return false;
        } else if (work->has_global[n]) {
            if (!read_local(work, n, &local))
                return false;
            work->globals[n] = above == NO_INDEX ? local : affine_d_mul(&work->globals[above], &local);
        }
    }
    return true;
}

/* A local transform is theirs where both have it under one parent; the frame's left factor is above all of these. A
 * file need not say what is above. */
static bool take_local(struct resolving *work, const int32_t *parents, uint32_t ours, int32_t our_parent,
                       struct transform *out)
{
    const int32_t theirs = work->node_of[ours];
    const struct subject_node *node = &work->answer->nodes[theirs];
    struct affine_d local, back;
    mat4 matrix;
    const struct frame *frame = &work->solution->nodes;
    const bool is_below =
        our_parent != NO_INDEX && parents[theirs] != NO_INDEX && work->node_of[our_parent] == parents[theirs];
    if (!has_local(node) || work->solution->turns || !(is_below || (work->subject->spec->is_file && !frame->is_solved)))
        return false;
    const bool is_plain = memcmp(&frame->right, &affine_d_identity, sizeof affine_d_identity) == 0 &&
                          memcmp(&work->unit_and_axes, &affine_d_identity, sizeof affine_d_identity) == 0;
    if (node->local.count == 0 && is_plain) { /* as it came, to the last bit */
        *out = transform_of(work, (uint32_t)theirs);
        return true;
    }
    if (!read_local(work, (uint32_t)theirs, &local) || !affine_d_inverse(&frame->right, &back))
        return false;
    local = affine_d_mul(&back, &local);
    local = affine_d_mul(&local, &frame->right);
    affine_d_to(&local, matrix);
    return affine_to_transform(matrix, out);
}

static bool must_have(const struct resolving *work, uint32_t node)
{
    return work->subject->spec->is_file || node >= work->import->node_count || work->import->nodes[node].is_bone;
}

/* Ours, with what they have of them. Bones that they lack are left out; nodes that are none follow their parents. */
static bool fill_nodes(struct resolving *work, const int32_t *parents)
{
    const struct pose_snapshot *reference = work->reference;
    struct pose_snapshot *pose = work->out->pose;
    pose->nodes = ARENA_NEW(work->arena, struct pose_node_snapshot, reference->node_count);
    pose->node_count = 0;
    for (uint32_t i = 0; i < reference->node_count && !error_is_set(work->err); i++) {
        const struct pose_node_snapshot *from = &reference->nodes[i];
        const int32_t parent = from->parent_index, theirs = work->node_of[i];
        struct pose_node_snapshot node = *from;
        mat4 local;
        const struct subject_node *given = theirs == NO_INDEX ? NULL : &work->answer->nodes[theirs];
        const bool has_global = given && work->has_global[theirs],
                   has = has_global || (given && work->subject->spec->is_file && has_local(given));
        struct affine_d back, rest = affine_d_from_transform(&from->local);
        if (!has && must_have(work, i) && !work->subject->spec->is_file)
            continue;
        if (has_global) {
            struct affine_d global = work->globals[theirs];
            if (work->solution->turns && affine_d_inverse(&work->solution->turns[i], &back))
                global = affine_d_mul(&global, &back);
            work->node_now[i] = frame_undo(&work->solution->nodes, &global);
        }
        if (!has_global && parent != NO_INDEX && work->has_node[parent])
            work->node_now[i] = affine_d_mul(&work->node_now[parent], &rest);
        else if (!has_global)
            work->node_now[i] = affine_d_from(from->node_to_scene);
        work->has_node[i] = true;
        if (!has && must_have(work, i))
            continue;
        affine_d_to(&work->node_now[i], node.node_to_scene);
        if (work->subject->spec->is_file) {
            node.left_out = (has_local(given) ? 0 : POSE_LOCAL) | (given->global.count > 0 ? 0 : POSE_GLOBAL);
            work->out->pose->left_out &= ~(POSE_NODES & ~node.left_out);
            resolving_keep_row(work, &given->global, node.node_to_scene);
        }
        if (has && !take_local(work, parents, i, parent, &node.local)) {
            struct affine_d derived = work->node_now[i];
            if (parent != NO_INDEX && work->has_node[parent] && affine_d_inverse(&work->node_now[parent], &back))
                derived = affine_d_mul(&back, &derived);
            affine_d_to(&derived, local);
            affine_to_transform(local, &node.local);
            work->out->locals_derived = work->out->locals_derived || parent != NO_INDEX;
        }
        pose->nodes[pose->node_count++] = node;
    }
    return !error_is_set(work->err);
}

/* Hashes each subtree, whatever the order of children is. `order` has parents first. */
static uint64_t *find_shapes(const int32_t *parents, const uint32_t *order, uint32_t count, struct arena *arena)
{
    uint64_t *shapes = ARENA_NEW(arena, uint64_t, count);
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t n = order[i];
        uint64_t own = (shapes[n] + 1) * 0x9e3779b97f4a7c15u;
        own ^= own >> 29;
        if (parents[n] != NO_INDEX)
            shapes[parents[n]] += own * own;
    }
    return shapes;
}

struct shapes {
    const uint64_t *ours, *theirs;
    const struct pose_node_snapshot *nodes; /* ours */
    bool is_named;                          /* most are matched by name: only what the file has no name for is not */
};

/* Import numbers what has no name. */
static bool is_unnamed(const struct pose_node_snapshot *node)
{
    return strncmp(node->name, "nodes[", 6) == 0;
}

static bool are_alike(const void *context, size_t ours, size_t theirs)
{
    const struct shapes *shapes = context;
    return shapes->ours[ours] == shapes->theirs[theirs] && (!shapes->is_named || is_unnamed(&shapes->nodes[ours]));
}

/* Parents without a root that only one side has, above all: what looks like the other's root is one. */
static const int32_t *drop_root(const int32_t *parents, uint32_t count, const uint64_t *shapes, const int32_t *others,
                                uint32_t other_count, const uint64_t *other_shapes, struct arena *arena)
{
    int32_t *out = ARENA_NEW(arena, int32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = parents[i];
        for (uint32_t k = 0; k < other_count && parents[i] != NO_INDEX && parents[parents[i]] == NO_INDEX; k++)
            if (others[k] == NO_INDEX && other_shapes[k] == shapes[i])
                out[i] = NO_INDEX;
    }
    return out;
}

/* By name from the roots down; where names do not tell most of them, by their place in the tree. */
static struct matching match(struct resolving *work, const int32_t *parents, const uint32_t *order,
                             struct match_list *theirs)
{
    const struct pose_snapshot *reference = work->reference;
    struct arena *arena = work->arena;
    struct match_list ours = match_list_create(reference->node_count, arena);
    int32_t *our_parents = ARENA_NEW(arena, int32_t, ours.count);
    uint32_t *our_order = ARENA_NEW(arena, uint32_t, ours.count), named = 0, unnamed = 0, placed = 0;
    for (uint32_t i = 0; i < ours.count; i++) {
        our_parents[i] = reference->nodes[i].parent_index;
        our_order[i] = i;
        ours.keys[i] = (struct match_key){reference->nodes[i].name, reference->nodes[i].parent, NULL};
    }
    for (uint32_t i = 0; i < theirs->count; i++)
        theirs->keys[i].context = parents[i] == NO_INDEX ? NULL : theirs->keys[parents[i]].name;
    const struct node_list list = {&ours, our_parents}, others = {theirs, parents};
    struct matching found = match_nodes(&list, &others, NULL, arena);
    for (uint32_t i = 0; i < ours.count; i++) {
        named += found.to_actual[i] != NO_INDEX;
        unnamed += found.to_actual[i] == NO_INDEX && is_unnamed(&reference->nodes[i]);
    }
    const bool is_part = work->subject->spec->is_file && (2 * named >= theirs->count || 2 * theirs->count < ours.count);
    if (is_part || (2 * named >= ours.count && unnamed == 0)) /* a file of a few nodes has no tree */
        return found;
    const struct shapes shapes = {find_shapes(our_parents, our_order, reference->node_count, arena),
                                  find_shapes(parents, order, work->answer->node_count, arena), reference->nodes,
                                  2 * named >= ours.count};
    const uint32_t count = work->answer->node_count;
    const struct node_list below = {
        &ours, drop_root(our_parents, reference->node_count, shapes.ours, parents, count, shapes.theirs, arena)};
    const struct node_list theirs_below = {
        theirs, drop_root(parents, count, shapes.theirs, our_parents, reference->node_count, shapes.ours, arena)};
    found = match_nodes(&below, &theirs_below, &(struct pairing){are_alike, &shapes}, arena);
    for (uint32_t i = 0; i < ours.count; i++)
        placed +=
            found.to_actual[i] != NO_INDEX && strcmp(theirs->keys[found.to_actual[i]].name, ours.keys[i].name) != 0;
    if (placed > 0)
        snprintf(work->solution->names, sizeof work->solution->names, "%u nodes are matched by their place in the tree",
                 placed);
    return found;
}

/* Takes the parents that a file does not say from the reference. */
static void infer_parents(const struct resolving *work, int32_t *parents)
{
    for (uint32_t i = 0; i < work->answer->node_count; i++) {
        const struct subject_node *node = &work->answer->nodes[i];
        const int32_t ours = work->ours_of[i],
                      above = ours == NO_INDEX ? NO_INDEX : work->reference->nodes[ours].parent_index;
        if (work->subject->spec->is_file && parents[i] == NO_INDEX && !node->has_parent && above != NO_INDEX)
            parents[i] = work->node_of[above];
    }
}

static bool find_nodes(struct resolving *work, int32_t **parents)
{
    const struct pose_snapshot *reference = work->reference;
    const uint32_t count = work->answer->node_count;
    struct match_list theirs = match_list_create(count, work->arena);
    const char **ours = ARENA_NEW(work->arena, const char *, reference->node_count);
    const char **names = ARENA_NEW(work->arena, const char *, count);
    uint32_t *order = ARENA_NEW(work->arena, uint32_t, count);
    struct text how = {0};
    for (uint32_t i = 0; i < reference->node_count; i++)
        ours[i] = reference->nodes[i].name;
    for (uint32_t i = 0; i < count; i++)
        theirs.keys[i].name = names[i] = work->answer->nodes[i].name;
    *parents = find_parents(work, &theirs);
    if (!find_order(work, *parents, order))
        return false;
    subject_rename(ours, reference->node_count, names, count, work->strip, work->arena, &how);
    if (how.size > 0)
        snprintf(work->solution->names, sizeof work->solution->names, "%s", text_string(&how));
    text_release(&how);
    for (uint32_t i = 0; i < count; i++)
        theirs.keys[i].name = names[i];
    const struct matching found = match(work, *parents, order, &theirs);
    work->node_of = found.to_actual;
    work->ours_of = found.to_golden;
    infer_parents(work, *parents);
    return find_order(work, *parents, order) && find_globals(work, *parents, order);
}

/*
 * Nodes may have axes of their own: all of them, where no frame explains the rest pose but their places; some of them,
 * where palette or vertices show that nothing hangs on it. Looked for once, as frames are.
 */
static void solve_turns(struct resolving *work, const struct frame_pairs *pairs, const uint32_t *nodes)
{
    struct subject_solution *s = work->solution;
    struct frame frame = s->nodes;
    uint32_t turned = 0;
    if (s->turns_known || work->subject->spec->is_strict || pairs->count < 2)
        return;
    const bool holds = frame.is_known || frame_holds(pairs, &frame);
    if (!holds && !work->reference->clip)
        frame_solve_places(pairs, &frame);
    if (!holds && !frame.is_known)
        return;
    s->turns_known = true;
    if (holds && !(work->answer->has & (SUBJECT_PALETTE | SUBJECT_SKIN)))
        return;
    struct affine_d *turns = ARENA_NEW(work->arena, struct affine_d, work->reference->node_count);
    for (uint32_t i = 0; i < work->reference->node_count; i++)
        turns[i] = affine_d_identity;
    for (uint32_t i = 0; i < pairs->count; i++)
        turned += frame_turn(&frame, &pairs->theirs[i], &pairs->ours[i], work->extent, &turns[nodes[i]]);
    if (turned == 0 || (!holds && 4 * turned < 3 * pairs->count))
        return;
    s->nodes = holds ? s->nodes : frame;
    s->turns = turns;
    s->turn_count = turned;
}

bool resolve_nodes(struct resolving *work)
{
    const struct pose_snapshot *reference = work->reference;
    int32_t *parents;
    uint32_t known = 0;
    const char **names = ARENA_NEW(work->arena, const char *, work->answer->node_count);
    struct frame_pairs pairs = {ARENA_NEW(work->arena, struct affine_d, reference->node_count),
                                ARENA_NEW(work->arena, struct affine_d, reference->node_count), 0, work->extent};
    uint32_t *nodes = ARENA_NEW(work->arena, uint32_t, reference->node_count);
    if (!find_nodes(work, &parents))
        return false;
    for (uint32_t i = 0; i < reference->node_count; i++)
        if (work->node_of[i] != NO_INDEX && work->has_global[work->node_of[i]]) {
            pairs.theirs[pairs.count] = work->globals[work->node_of[i]];
            nodes[pairs.count] = i;
            pairs.ours[pairs.count++] = affine_d_from(reference->nodes[i].node_to_scene);
        }
    for (uint32_t i = 0; i < work->answer->node_count; i++) {
        names[i] = work->answer->nodes[i].name;
        known += work->ours_of[i] != NO_INDEX;
    }
    if (known == 0 && reference->node_count > 0 && !(work->subject->spec->is_file && work->answer->node_count == 0))
        return error_set(
            work->err,
            "%s: none of its %u nodes is called like one of the model's %u (its first is `%.60s`, the model's `%.60s`)",
            work->subject->spec->name, work->answer->node_count, reference->node_count,
            work->answer->node_count > 0 ? work->answer->nodes[0].name : "", reference->nodes[0].name);
    resolving_leave_out(work, "nodes", names, work->ours_of, work->answer->node_count);
    if (!resolving_solve(work, &pairs, &work->solution->nodes))
        return false;
    if (work->answer->node_count == 0)
        work->out->pose->left_out &= ~(unsigned)POSE_NODES;
    if (frame_leaves_some(&pairs, &work->solution->nodes) ||
        resolving_is_mistake(work, &work->solution->nodes, "nodes"))
        work->solution->nodes = frame_converting(&work->solution->nodes);
    solve_turns(work, &pairs, nodes);
    work->out->given |= SUBJECT_NODES;
    return fill_nodes(work, parents);
}
