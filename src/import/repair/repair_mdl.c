#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Half-Life's MDL: what its sequences last, how its bones hang together, which way is up. */

/* ---- mdl-durations ----------------------------------------------------------------------------------------------- */

/*
 * Assimp makes a sequence's duration its number of frames times its frame rate, in ticks that are frames:
 * a walk of 26 frames at 30 a second, which takes 25 / 30 s, would last 26 s and stand still for most of them. The keys
 * are right, one for every frame.
 */

static double last_key(const struct clip *clip)
{
    double last = -1;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int k = 0; k < COMPONENT_COUNT; k++) {
            const struct keys *keys = &clip->channels[i].keys[k];
            if (keys->count > 0)
                last = fmax(last, keys->times[keys->count - 1]);
        }
    return last;
}

double mdl_duration(const struct clip *clip)
{
    double last = last_key(clip), frames = last * clip->ticks_per_second + 1;
    return last >= 0 && fabs(clip->duration - frames) < 1e-6 * frames ? last : clip->duration;
}

void repair_mdl_durations(struct conversion *c)
{
    for (uint32_t i = 0; is_format(c, "mdl") && i < c->scene->clip_count; i++) {
        struct clip *clip = &c->scene->clips[i];
        double duration = mdl_duration(clip);
        if (duration == clip->duration || !(c->repairs & REPAIR_MDL_DURATIONS))
            continue;
        scene_note(c->scene, NOTE_REPAIR, "mdl-durations",
                   "clip \"%s\" lasts %.6g s, to its last frame, where Assimp says %.6g s", clip->name, duration, clip->duration);
        clip->duration = duration;
    }
}

/* ---- mdl-parents ------------------------------------------------------------------------------------------------- */

/*
 * Before 5.4 Assimp lists every bone as a child of <MDL_bones>, with a matrix that is relative to the bone's parent.
 * The parent is in mParent. A bone without one has the root there, which is above <MDL_bones>: it stays where it is
 * listed.
 */

struct address {
    const struct aiNode *node;
    int32_t index;
};

static int by_address(const void *a, const void *b)
{
    const struct address *x = a, *y = b;
    return (x->node > y->node) - (x->node < y->node);
}

static int32_t index_of(const struct address *addresses, uint32_t count, const struct aiNode *node)
{
    struct address key = {node, 0};
    const struct address *found = bsearch(&key, addresses, count, sizeof key, by_address);
    return found ? found->index : NO_INDEX;
}

static bool is_above(const struct placed_node *order, int32_t above, int32_t node)
{
    while (node != NO_INDEX && node != above)
        node = order[node].parent;
    return node != NO_INDEX;
}

/* parents[count] by mParent. Returns how many differ from those in `order`. */
static uint32_t true_parents(const struct placed_node *order, uint32_t count, int32_t *parents)
{
    struct address *addresses = scratch_alloc(count, sizeof *addresses);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < count; i++)
        addresses[i] = (struct address){order[i].node, (int32_t)i};
    qsort(addresses, count, sizeof *addresses, by_address);
    for (uint32_t i = 0; i < count; i++) {
        int32_t named = i > 0 ? index_of(addresses, count, order[i].node->mParent) : NO_INDEX;
        bool moves = named != NO_INDEX && !is_above(order, named, order[i].parent);
        parents[i] = moves ? named : order[i].parent;
        moved += moves;
    }
    free(addresses);
    return moved;
}

/* The tree of `parents` in pre-order, children in the order they had. Returns how many nodes the root reaches. */
static uint32_t walk(const struct placed_node *order, const int32_t *parents, uint32_t count, struct placed_node *out)
{
    int32_t *links = scratch_alloc(4 * (size_t)count, sizeof *links); /* first child, next sibling, stack, new place */
    int32_t *child = links, *sibling = links + count, *stack = links + 2 * (size_t)count,
            *place = links + 3 * (size_t)count;
    uint32_t reached = 0, height = 0;
    for (uint32_t i = 0; i < count; i++)
        child[i] = sibling[i] = NO_INDEX;
    for (uint32_t i = count; i-- > 1;) {
        sibling[i] = child[parents[i]];
        child[parents[i]] = (int32_t)i;
    }
    stack[height++] = 0;
    while (height > 0) {
        int32_t i = stack[--height];
        place[i] = (int32_t)reached;
        out[reached++] = (struct placed_node){order[i].node, i > 0 ? place[parents[i]] : NO_INDEX};
        if (i > 0 && sibling[i] != NO_INDEX)
            stack[height++] = sibling[i];
        if (child[i] != NO_INDEX)
            stack[height++] = child[i];
    }
    free(links);
    return reached;
}

uint32_t mdl_parents(struct placed_node *order, uint32_t count)
{
    int32_t *parents = scratch_alloc(count, sizeof *parents);
    struct placed_node *sorted = scratch_alloc(count, sizeof *sorted);
    uint32_t moved = true_parents(order, count, parents);
    if (moved > 0 && walk(order, parents, count, sorted) == count)
        memcpy(order, sorted, count * sizeof *sorted);
    else
        moved = 0;
    free(parents);
    free(sorted);
    return moved;
}

/* ---- mdl-root-axes ----------------------------------------------------------------------------------------------- */

/*
 * Half-Life has x ahead, y to the left, z up. Assimp makes y the up axis by a matrix on the root, from 5.4 on by
 * Quake's, which looks another way: its own one needs a property that is off unless set.
 */
void repair_mdl_root_axes(struct conversion *c)
{
    static const mat4 quake = {{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}};
    static const mat4 half_life = {{0, 0, -1, 0}, {-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}};
    struct node *root = &c->scene->nodes[0];
    if (!is_format(c, "mdl") || !(c->repairs & REPAIR_MDL_ROOT_AXES) || strcmp(root->name, "<MDL_root>") != 0 ||
        scene_find_node(c->scene, "<MDL_bones>") == NO_INDEX || memcmp(root->local_to_parent, quake, sizeof quake) != 0)
        return;
    memcpy(root->local_to_parent, half_life, sizeof half_life);
    affine_to_transform(root->local_to_parent, &root->rest);
    scene_note(c->scene, NOTE_REPAIR, "mdl-root-axes",
               "the root looks along -z, as Assimp before 5.4 has it, not as Assimp %s turns it",
               c->scene->assimp_version);
}
