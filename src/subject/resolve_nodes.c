/* The nodes of an answer. */
#include <string.h>

#include "subject/resolving.h"

/* The nodes of one side. */
struct tree {
    struct match_list names;
    int32_t *parents;
    uint64_t *shapes; /* a hash of what is below each, whatever the order of children is */
};

/* Returns the parent by its number, else the node of that name, of several the nearest before; else NO_INDEX. */
static int32_t find_parent(const struct resolving *work, uint32_t node)
{
    const char *parent = work->answer->nodes[node].parent;
    int32_t found = work->answer->nodes[node].parent_index;
    found = found != NO_INDEX ? found : name_find_before(&work->nodes, parent, node);
    return found != NO_INDEX ? found : name_find_after(&work->nodes, parent, node);
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
    for (int k = 0; k < COMPONENT_COUNT; k++)
        if (!(node->components >> k & 1))
            component_set(&out, k, component_of(from, k));
    return out;
}

static bool read_local(struct resolving *work, uint32_t theirs, struct affine_d *out)
{
    const struct subject_node *node = &work->answer->nodes[theirs];
    const struct transform transform = transform_of(work, theirs);
    if (node->local.count > 0)
        return resolving_matrix(work, &node->local, &work->unit_and_axes, "local", node->name, out);
    *out = affine_d_from_transform(&transform);
    *out = map_undo(&work->unit_and_axes, out, &work->unit_and_axes);
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
static bool set_local(struct resolving *work, const int32_t *parents, uint32_t ours, int32_t our_parent,
                      struct transform *out)
{
    const int32_t theirs = work->node_of[ours];
    const struct subject_node *node = &work->answer->nodes[theirs];
    struct affine_d local;
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
    if (!read_local(work, (uint32_t)theirs, &local))
        return false;
    local = map_undo(&frame->right, &local, &frame->right);
    affine_d_to(&local, matrix);
    return affine_to_transform(matrix, out);
}

/* Returns where they have one of ours; one that they lack follows its parent, or stands where ours does. */
static struct affine_d place_node(const struct resolving *work, uint32_t ours, const struct affine_d *theirs)
{
    const struct pose_node_snapshot *from = &work->reference->nodes[ours];
    const int32_t parent = from->parent_index;
    struct affine_d back;
    if (theirs) {
        struct affine_d global = *theirs;
        if (work->solution->turns && affine_d_inverse(&work->solution->turns[ours], &back))
            global = affine_d_mul(&global, &back);
        return map_undo(&work->solution->nodes.left, &global, &work->solution->nodes.right);
    }
    const struct affine_d rest = affine_d_from_transform(&from->local);
    return parent != NO_INDEX && work->has_node[parent] ? affine_d_mul(&work->node_now[parent], &rest)
                                                        : affine_d_from(from->node_to_scene);
}

/* Ours, with what they have of them. Bones that they lack are left out; nodes that are none follow their parents. */
static bool fill_nodes(struct resolving *work, const int32_t *parents)
{
    const struct pose_snapshot *reference = work->reference;
    const bool is_file = work->subject->spec->is_file;
    struct pose_snapshot *pose = work->out->pose;
    pose->nodes = ARENA_NEW(work->arena, struct pose_node_snapshot, reference->node_count);
    pose->node_count = 0;
    for (uint32_t i = 0; i < reference->node_count && !error_is_set(work->err); i++) {
        struct pose_node_snapshot node = reference->nodes[i];
        const int32_t parent = node.parent_index, theirs = work->node_of[i];
        const struct subject_node *given = theirs == NO_INDEX ? NULL : &work->answer->nodes[theirs];
        const bool has_global = given && work->has_global[theirs],
                   has = has_global || (given && is_file && has_local(given)),
                   must_have = is_file || i >= work->import->node_count || work->import->nodes[i].is_bone;
        if (!has && must_have && !is_file)
            continue;
        work->node_now[i] = place_node(work, i, has_global ? &work->globals[theirs] : NULL);
        work->has_node[i] = true;
        if (!has && must_have)
            continue;
        affine_d_to(&work->node_now[i], node.node_to_scene);
        if (is_file) {
            node.left_out = (has_local(given) ? 0 : POSE_LOCAL) | (given->global.count > 0 ? 0 : POSE_GLOBAL);
            pose->left_out &= ~(POSE_NODES & ~node.left_out);
            resolving_keep_row(work, &given->global, node.node_to_scene);
        }
        if (has && !set_local(work, parents, i, parent, &node.local)) {
            struct affine_d back, derived = work->node_now[i];
            mat4 local;
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

/* `order` has parents first; NULL: the list itself has. */
static void find_shapes(struct tree *tree, const uint32_t *order, struct arena *arena)
{
    tree->shapes = ARENA_NEW(arena, uint64_t, tree->names.count);
    for (size_t i = tree->names.count; i-- > 0;) {
        const size_t n = order ? order[i] : i;
        uint64_t own = (tree->shapes[n] + 1) * 0x9e3779b97f4a7c15u;
        own ^= own >> 29;
        if (tree->parents[n] != NO_INDEX)
            tree->shapes[tree->parents[n]] += own * own;
    }
}

struct trees {
    const struct tree *ours, *theirs;
    bool is_named; /* most are matched by name: only what the file has no name for is not */
};

/* Import numbers what has no name. */
static bool is_unnamed(const struct match_key *node)
{
    return strncmp(node->name, "nodes[", 6) == 0;
}

static bool are_alike(const void *context, size_t ours, size_t theirs)
{
    const struct trees *trees = context;
    return trees->ours->shapes[ours] == trees->theirs->shapes[theirs] &&
           (!trees->is_named || is_unnamed(&trees->ours->names.keys[ours]));
}

/* Parents without a root that only one side has, above all: what looks like the other's root is one. */
static const int32_t *drop_root(const struct tree *tree, const struct tree *other, struct arena *arena)
{
    const int32_t *parents = tree->parents;
    int32_t *out = ARENA_NEW(arena, int32_t, tree->names.count);
    for (size_t i = 0; i < tree->names.count; i++) {
        out[i] = parents[i];
        for (size_t k = 0; k < other->names.count && parents[i] != NO_INDEX && parents[parents[i]] == NO_INDEX; k++)
            if (other->parents[k] == NO_INDEX && other->shapes[k] == tree->shapes[i])
                out[i] = NO_INDEX;
    }
    return out;
}

static struct matching match_trees(const struct tree *ours, const int32_t *our_parents, const struct tree *theirs,
                                   const int32_t *their_parents, const struct pairing *pairing, struct arena *arena)
{
    const struct node_list lists[] = {{&ours->names, our_parents}, {&theirs->names, their_parents}};
    return match_nodes(&lists[0], &lists[1], pairing, arena);
}

/* By name from the roots down; where names do not tell most of them, by their place in the tree. */
static struct matching match(struct resolving *work, struct tree *ours, struct tree *theirs, const uint32_t *order)
{
    struct arena *arena = work->arena;
    const size_t count = ours->names.count, their_count = theirs->names.count;
    size_t named = 0, unnamed = 0;
    uint32_t placed = 0;
    struct matching found = match_trees(ours, ours->parents, theirs, theirs->parents, NULL, arena);
    for (size_t i = 0; i < count; i++) {
        named += found.to_actual[i] != NO_INDEX;
        unnamed += found.to_actual[i] == NO_INDEX && is_unnamed(&ours->names.keys[i]);
    }
    const bool is_part = work->subject->spec->is_file && (2 * named >= their_count || 2 * their_count < count);
    if (is_part || (2 * named >= count && unnamed == 0)) /* a file of a few nodes has no tree */
        return found;
    find_shapes(ours, NULL, arena);
    find_shapes(theirs, order, arena);
    const struct trees trees = {ours, theirs, 2 * named >= count};
    found = match_trees(ours, drop_root(ours, theirs, arena), theirs, drop_root(theirs, ours, arena),
                        &(struct pairing){are_alike, &trees}, arena);
    for (size_t i = 0; i < count; i++)
        placed += found.to_actual[i] != NO_INDEX &&
                  strcmp(theirs->names.keys[found.to_actual[i]].name, ours->names.keys[i].name) != 0;
    if (placed > 0)
        resolving_note(work, NOTE_NAMES, "%u nodes are matched by their place in the tree", placed);
    return found;
}

/* Takes the parents that a file does not say from the reference. */
static void infer_parents(const struct resolving *work, int32_t *parents)
{
    for (uint32_t i = 0; i < work->answer->node_count; i++) {
        const int32_t ours = work->ours_of[i],
                      above = ours == NO_INDEX ? NO_INDEX : work->reference->nodes[ours].parent_index;
        if (work->subject->spec->is_file && parents[i] == NO_INDEX && !work->answer->nodes[i].has_parent &&
            above != NO_INDEX)
            parents[i] = work->node_of[above];
    }
}

/* Finds which of theirs is which of ours; returns their parents, or NULL with the error set. */
static const int32_t *find_nodes(struct resolving *work)
{
    const struct pose_snapshot *reference = work->reference;
    const struct subject_answer *answer = work->answer;
    struct arena *arena = work->arena;
    struct tree ours = {pose_names(reference, POSE_NODES, arena), ARENA_NEW(arena, int32_t, reference->node_count)};
    struct tree theirs = {match_list_create(answer->node_count, arena), ARENA_NEW(arena, int32_t, answer->node_count)};
    uint32_t *order = ARENA_NEW(arena, uint32_t, answer->node_count);
    const char **names = ARENA_NEW(arena, const char *, answer->node_count);
    for (uint32_t i = 0; i < answer->node_count; i++)
        theirs.names.keys[i].name = names[i] = answer->nodes[i].name;
    work->nodes = name_index_create(&theirs.names, arena);
    for (uint32_t i = 0; i < answer->node_count; i++)
        theirs.parents[i] = find_parent(work, i);
    for (uint32_t i = 0; i < reference->node_count; i++)
        ours.parents[i] = reference->nodes[i].parent_index;
    if (!find_order(work, theirs.parents, order))
        return NULL;
    resolving_rename(work, &ours.names, &theirs.names, true);
    for (uint32_t i = 0; i < answer->node_count; i++)
        if (theirs.parents[i] != NO_INDEX)
            theirs.names.keys[i].context = theirs.names.keys[theirs.parents[i]].name;
    const struct matching found = match(work, &ours, &theirs, order);
    work->node_of = found.to_actual;
    work->ours_of = found.to_golden;
    infer_parents(work, theirs.parents);
    if (!find_order(work, theirs.parents, order) || !find_globals(work, theirs.parents, order) ||
        !resolving_known(work, "nodes", &ours.names, work->node_of, answer->node_count,
                         answer->node_count > 0 ? names[0] : NULL))
        return NULL;
    resolving_leave_out(work, "nodes", names, work->ours_of, answer->node_count);
    return theirs.parents;
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
    struct subject_solution *solution = work->solution;
    struct frame_pairs pairs = resolving_pairs(work, false, reference->node_count);
    const uint32_t before = pairs.count;
    uint32_t *nodes = ARENA_NEW(work->arena, uint32_t, reference->node_count);
    const int32_t *parents = find_nodes(work);
    if (!parents)
        return false;
    for (uint32_t i = 0; i < reference->node_count; i++)
        if (work->node_of[i] != NO_INDEX && work->has_global[work->node_of[i]]) {
            const struct affine_d ours = affine_d_from(reference->nodes[i].node_to_scene);
            nodes[pairs.count - before] = i;
            frame_pair(&pairs, &work->globals[work->node_of[i]], &ours);
        }
    if (!resolving_solve(work, &pairs, &solution->nodes))
        return false;
    if (work->answer->node_count == 0)
        work->out->pose->left_out &= ~(unsigned)POSE_NODES;
    const struct frame_pairs now = {pairs.theirs + before, pairs.ours + before, pairs.count - before, work->extent};
    if (frame_leaves_some(&now, &solution->nodes) || resolving_is_mistake(work, &solution->nodes, "nodes"))
        solution->nodes = frame_converting(&solution->nodes);
    solve_turns(work, &now, nodes);
    work->out->given |= SUBJECT_NODES;
    return fill_nodes(work, parents);
}
