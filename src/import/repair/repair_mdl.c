#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/*
 * Assimp makes the duration of Half-Life's sequences the number of frames times the frame rate, in ticks that are
 * frames: a walk of 26 frames at 30 a second, which takes 25 / 30 s, would last 26 s. The keys are right, one for every
 * frame.
 */
double mdl_duration(const struct clip *clip)
{
    double last = clip_last_key(clip), frames = last * clip->ticks_per_second + 1;
    return last >= 0 && fabs(clip->duration - frames) < 1e-6 * frames ? last : clip->duration;
}

void repair_mdl_durations(struct conversion *c)
{
    for (uint32_t i = 0; i < c->scene->clip_count; i++) {
        struct clip *clip = &c->scene->clips[i];
        double duration = mdl_duration(clip);
        if (duration == clip->duration)
            continue;
        repaired(c, "mdl-durations", "clip \"%s\" lasts %.6g s, to its last frame, where Assimp says %.6g s",
                 clip->name, duration, clip->duration);
        clip->duration = duration;
    }
}

/* Compares pointers to places in the order, by the address of the node there. */
static int by_address(const void *a, const void *b)
{
    const struct placed_node *x = *(const struct placed_node *const *)a, *y = *(const struct placed_node *const *)b;
    return (x->node > y->node) - (x->node < y->node);
}

/* The tree of `parents` in pre-order, children in the order they had. Returns how many nodes the root reaches. */
static uint32_t walk(const struct placed_node *order, const int32_t *parents, uint32_t count, struct placed_node *out)
{
    struct links {
        int32_t child, sibling, place;
    } *links = memory_new(count, sizeof *links); /* the first child, the next sibling, where it is now */
    uint32_t reached = 0;
    for (uint32_t i = 0; i < count; i++)
        links[i].child = links[i].sibling = NO_INDEX;
    for (uint32_t i = count; i-- > 1;) {
        links[i].sibling = links[parents[i]].child;
        links[parents[i]].child = (int32_t)i;
    }
    for (int32_t i = 0; i != NO_INDEX;) {
        links[i].place = (int32_t)reached;
        out[reached++] = (struct placed_node){order[i].node, i > 0 ? links[parents[i]].place : NO_INDEX};
        if (links[i].child != NO_INDEX) {
            i = links[i].child;
            continue;
        }
        while (i > 0 && links[i].sibling == NO_INDEX)
            i = parents[i];
        i = i > 0 ? links[i].sibling : NO_INDEX;
    }
    free(links);
    return reached;
}

/*
 * Before 5.4 Assimp lists every bone as a child of <MDL_bones>, with a matrix that is relative to the parent in
 * mParent. A bone without one has the root there, which is above <MDL_bones>: it stays where it is listed.
 */
uint32_t mdl_parents(struct placed_node *order, uint32_t count)
{
    FREED int32_t *parents = memory_new(count, sizeof *parents);
    FREED struct placed_node *sorted = memory_new(count, sizeof *sorted);
    FREED const struct placed_node **by_node = memory_new(count, sizeof *by_node);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < count; i++)
        by_node[i] = &order[i];
    sort_items(by_node, count, sizeof *by_node, by_address);
    for (uint32_t i = 0; i < count; i++) {
        const struct placed_node *key = &(struct placed_node){.node = order[i].node->mParent};
        const struct placed_node **found = i > 0 ? bsearch(&key, by_node, count, sizeof key, by_address) : NULL;
        int32_t named = found ? (int32_t)(*found - order) : NO_INDEX, above = order[i].parent;
        while (above != NO_INDEX && above != named)
            above = order[above].parent;
        bool moves = named != NO_INDEX && above == NO_INDEX; /* it does not hang below the one named */
        parents[i] = moves ? named : order[i].parent;
        moved += moves;
    }
    if (moved > 0 && walk(order, parents, count, sorted) == count)
        memcpy(order, sorted, count * sizeof *sorted);
    else
        moved = 0;
    return moved;
}

/*
 * Half-Life has x ahead, y to the left, z up. Assimp makes y the up axis by a matrix on the root, from 5.4 on by
 * Quake's, which looks another way: its own one needs a property that is off unless set.
 */
void repair_mdl_root_axes(struct conversion *c)
{
    static const mat4 quake = {{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}};
    static const mat4 half_life = {{0, 0, -1, 0}, {-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}};
    struct node *root = &c->scene->nodes[0];
    if (strcmp(root->name, "<MDL_root>") != 0 || scene_find_node(c->scene, "<MDL_bones>") == NO_INDEX ||
        memcmp(root->local_to_parent, quake, sizeof quake) != 0)
        return;
    memcpy(root->local_to_parent, half_life, sizeof half_life);
    affine_to_transform(root->local_to_parent, &root->rest);
    repaired(c, "mdl-root-axes", "the root looks along -z, as Assimp before 5.4 has it, not as Assimp %s turns it",
             c->scene->assimp_version);
}
