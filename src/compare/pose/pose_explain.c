/*
 * The import brings about some of a pose's differences. A number that both sides take from their import as it is (where
 * a node rests, keys that hold one value, an offset matrix) is held against it on both sides: it follows where both are
 * what their imports give. What keys in motion give cannot be recomputed from their statistics: there the import must
 * have said that these keys differ, by as much, or how long their clip is.
 */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "compare/pose/pose_context.h"

bool pose_follows(const struct pose_context *c, double gap, double distance)
{
    const double rounding = 1e-3; /* of what it is off */
    return gap <= fmax(tolerance_defaults.shell * c->radius, rounding * distance);
}

bool pose_import_says_of(const struct pose_context *c, enum fault_subject about, const char *name)
{
    for (size_t i = 0; i < c->findings->fault_count; i++) {
        const struct import_fault *fault = &c->findings->faults[i];
        if (fault->about == about && !fault->unseen && fault->name && strcmp(fault->name, name) == 0)
            return true;
    }
    return false;
}

static const struct node_snapshot *find_node(const struct import_snapshot *import, const char *name, uint32_t guess)
{
    const bool is_there = guess < import->node_count && strcmp(import->nodes[guess].name, name) == 0;
    return is_there ? &import->nodes[guess] : NAMED(import->nodes, import->node_count, name);
}

static size_t count_nodes(const struct import_snapshot *import, const char *name)
{
    size_t count = 0;
    for (uint32_t i = 0; i < import->node_count; i++)
        count += strcmp(import->nodes[i].name, name) == 0;
    return count;
}

const struct clip_snapshot *pose_find_clip(const struct import_snapshot *import, const char *name)
{
    return NAMED(import->clips, import->clip_count, name);
}

/*
 * Returns how far the changes of these keys that the import speaks of move what hangs on the node at most, scene units:
 * those of the node in the clip, or of the clip itself. `clip` NULL: in any clip; `keys` -1: any. INFINITY: not known;
 * 0: it speaks of none.
 */
static double speaks_of(const struct pose_context *c, const char *clip, const char *node, int keys)
{
    double most = 0;
    for (size_t i = 0; i < c->findings->fault_count; i++) {
        const struct import_fault *fault = &c->findings->faults[i];
        bool is_clip = fault->about == FAULT_CLIP && (!fault->name || !clip || strcmp(fault->name, clip) == 0);
        bool is_channel = fault->about == FAULT_CHANNEL && strcmp(fault->name, node) == 0 &&
                          (!clip || strcmp(fault->clip, clip) == 0) &&
                          (keys < 0 || fault->keys < 0 || fault->keys == keys);
        if (is_clip || is_channel)
            most = fmax(most, is_clip ? INFINITY : fault->most);
    }
    return most;
}

/* The components of the node's local transform that do not move in the clip (NULL: none does). */
static bool take_still(const struct import_snapshot *import, const struct clip_snapshot *clip, const char *name,
                       uint32_t guess, struct transform *out, bool still[COMPONENT_COUNT])
{
    const struct node_snapshot *node = find_node(import, name, guess);
    struct transform rest;
    if (!node)
        return false;
    affine_to_transform(node->local_to_parent, &rest);
    for (int k = 0; k < COMPONENT_COUNT; k++) {
        const struct keys_snapshot *keys = NULL;
        for (uint32_t i = 0; clip && i < clip->channel_count && !keys; i++)
            if (strcmp(clip->channels[i].node, name) == 0 && clip->channels[i].keys[k].count > 0)
                keys = &clip->channels[i].keys[k];
        still[k] = true;
        /* All keys are alike where the spread is nil; a small one is lost in its rounding, and samples show it. */
        for (uint32_t i = 0; keys && i < component_width(k); i++)
            still[k] = still[k] && keys->sample_count == 0 &&
                       fabsf(keys->rms[i] - fabsf(keys->mean[i])) <= 1e-6f * fabsf(keys->mean[i]);
        if (still[k])
            component_set(out, k, keys ? keys->mean : component_of(&rest, k));
    }
    return true;
}

static double gap_of(const struct transform *a, const struct transform *b, const struct affine_d *around,
                     const double (*points)[3])
{
    struct affine_d first = affine_d_from_transform(a), second = affine_d_from_transform(b);
    double gap = 0;
    first = affine_d_mul(around, &first);
    second = affine_d_mul(around, &second);
    for (int p = 0; p < 6; p++)
        gap = worse(gap, affine_d_gap(&first, &second, points[p]));
    return gap;
}

/* It stands where it stood, and its parent is another node, or the import moved that: the local is seen from
 * elsewhere. */
static bool is_seen_from_elsewhere(const struct pose_context *c, const struct pose_difference *d,
                                   const double (*points)[3])
{
    const char *was = c->golden->nodes[d->was].parent, *now = c->actual->nodes[d->now].parent;
    const int32_t parent = c->golden_nodes.parents[d->was];
    double gap = 0;
    if (names_equal(was, now) && (parent == NO_INDEX || !c->nodes[parent].by_import))
        return false;
    for (int p = 0; p < 6; p++)
        gap = worse(gap, affine_d_gap(&c->golden_nodes.node_to_scene[d->was], &c->actual_nodes.node_to_scene[d->now],
                                      points[p]));
    return pose_follows(c, gap, d->error.distance);
}

bool pose_import_explains_local(const struct pose_context *c, struct pose_difference *d, const struct affine_d *around,
                                const double (*points)[3])
{
    const struct pose_node_snapshot *was = &c->golden->nodes[d->was], *now = &c->actual->nodes[d->now];
    const char *name = c->golden->clip;
    const double posed_wider = 10; /* a pose may reach farther than the rest pose, by which the import measures */
    if (!c->actual_import)
        return false;
    if (pose_import_says_of(c, FAULT_BONE, was->name) || /* channels go by names, as bones do */
        is_seen_from_elsewhere(c, d, points))
        return true;
    const struct clip_snapshot *clip_was = pose_find_clip(c->import, name);
    const struct clip_snapshot *clip_now = pose_find_clip(c->actual_import, name);
    if (name && !clip_was) { /* several clips mixed, or the bind pose */
        d->unverified = speaks_of(c, NULL, was->name, -1) == 0;
        return !d->unverified;
    }
    if (name && !clip_now)
        return true; /* the clip is gone */
    const struct node_snapshot *node_was = find_node(c->import, was->name, d->was);
    const struct node_snapshot *node_now = find_node(c->actual_import, now->name, d->now);
    if (node_was && node_now && node_was->parent && node_now->parent &&
        strcmp(node_was->parent, node_now->parent) != 0) {
        d->unverified = true; /* locals of other parents */
        return false;
    }
    struct transform expected_was = was->local, expected_now = now->local;
    bool still_was[COMPONENT_COUNT], still_now[COMPONENT_COUNT];
    if (!take_still(c->import, clip_was, was->name, d->was, &expected_was, still_was) ||
        !take_still(c->actual_import, clip_now, now->name, d->now, &expected_now, still_now) ||
        !pose_follows(c, gap_of(&was->local, &expected_was, around, points), d->error.distance) ||
        !pose_follows(c, gap_of(&now->local, &expected_now, around, points), d->error.distance))
        return false;
    for (int k = 0; k < COMPONENT_COUNT; k++) { /* what is left to keys in motion */
        struct transform moved = was->local;
        component_set(&moved, k, component_of(&now->local, k));
        double gap = gap_of(&was->local, &moved, around, points);
        if (!(still_was[k] && still_now[k]) && gap > posed_wider * speaks_of(c, name, was->name, k) &&
            !pose_follows(c, gap, d->error.distance))
            return false;
    }
    return true;
}

/* Morph weights that nothing moves rest at those that may be the node's own (glTF), which import.json does not have. */
bool pose_import_explains_morph(const struct pose_context *c, struct pose_difference *d)
{
    const struct morph_weights_snapshot *was = &c->golden->morphs[d->was];
    const struct clip_snapshot *clip = c->actual_import ? pose_find_clip(c->import, c->golden->clip) : NULL;
    bool is_animated = c->golden->clip && !clip; /* by several clips, maybe */
    for (uint32_t i = 0; clip && i < clip->morph_count; i++)
        is_animated = is_animated || strcmp(clip->morphs[i].node, was->node) == 0;
    if (!c->actual_import)
        return false;
    if (c->golden->clip && speaks_of(c, clip ? clip->name : NULL, was->node, 3) > 0)
        return true;
    d->unverified = !is_animated && !pose_import_says_of(c, FAULT_MESH, was->mesh);
    return !is_animated && !d->unverified;
}

/* Mesh space to palette space as a side's own import and own globals give it. */
static bool own_entry(const struct pose_snapshot *pose, const struct import_snapshot *import,
                      const struct radius_table *table, const struct affine_d *global,
                      const struct palette_snapshot *entry, struct affine_d *out)
{
    const vec4 *offset = radius_table_find_offset(table, entry->bone, entry->mesh);
    if (!offset)
        return false;
    struct affine_d mesh_to_bone = affine_d_from(offset), scene_to_root;
    *out = affine_d_mul(global, &mesh_to_bone);
    if (strcmp(pose->space, space_words[SPACE_SCENE]) == 0)
        return true;
    struct affine_d root = import->node_count > 0 ? affine_d_from(import->nodes[0].local_to_parent) : affine_d_identity;
    if (!affine_d_inverse(&root, &scene_to_root))
        return false;
    *out = affine_d_mul(&scene_to_root, out);
    return true;
}

bool pose_import_explains_entry(const struct pose_context *c, const struct entry_pair *pair,
                                const struct palette_snapshot *now, int32_t other, double distance)
{
    struct affine_d expected_was, expected_now;
    if (pose_import_says_of(c, FAULT_BONE, now->bone))
        return true;
    if (!c->actual_import || other == NO_INDEX ||
        !own_entry(c->golden, c->import, &c->radii, &c->golden_nodes.node_to_scene[pair->node], pair->was,
                   &expected_was) ||
        !own_entry(c->actual, c->actual_import, &c->actual_radii, &c->actual_nodes.node_to_scene[other], now,
                   &expected_now))
        return false;
    double gap_was = 0, gap_now = 0;
    for (int i = 0; i < pair->point_count; i++) {
        gap_was = worse(gap_was, affine_d_gap(&expected_was, &pair->mesh_was, pair->points[i]));
        gap_now = worse(gap_now, affine_d_gap(&expected_now, &pair->mesh_now, pair->points[i]));
    }
    return pose_follows(c, gap_was, distance) && pose_follows(c, gap_now, distance);
}

/* Returns whether a mesh has the bone, or hangs on the node of that name. */
static bool binds(const struct import_snapshot *import, const struct radius_table *table, const char *bone,
                  const char *mesh)
{
    return import && radius_table_find_offset(table, bone, mesh);
}

static uint32_t count_targets(const struct import_snapshot *import, const char *mesh)
{
    const struct mesh_snapshot *found = NAMED(import->meshes, import->mesh_count, mesh);
    return found ? found->morph_targets : 0;
}

bool pose_import_explains_one_sided(const struct pose_context *c, enum difference_kind kind, const char *name,
                                    const char *context)
{
    const struct import_snapshot *golden = c->import, *actual = c->actual_import;
    if (!actual)
        return false;
    if (kind == DIFFERS_ENTRY)
        return binds(golden, &c->radii, name, context) != binds(actual, &c->actual_radii, name, context);
    if (kind == DIFFERS_MORPH)
        return (count_targets(golden, name) > 0) != (count_targets(actual, name) > 0);
    return count_nodes(golden, name) != count_nodes(actual, name);
}

bool pose_import_explains_parent(const struct pose_context *c, uint32_t was, uint32_t now)
{
    const struct pose_node_snapshot *golden = &c->golden->nodes[was], *actual = &c->actual->nodes[now];
    const struct node_snapshot *before = c->actual_import ? find_node(c->import, golden->name, was) : NULL;
    const struct node_snapshot *after = before ? find_node(c->actual_import, actual->name, now) : NULL;
    return after && !names_equal(before->parent, actual->parent) && names_equal(before->parent, golden->parent) &&
           names_equal(after->parent, actual->parent);
}
