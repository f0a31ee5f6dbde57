#include "animate/in_place.h"

#include <string.h>

static bool changes_place(const struct channel *channel)
{
    const struct keys *keys = &channel->keys[COMPONENT_TRANSLATION];
    uint32_t parts = keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1; /* the value is in the middle */
    const float *first = keys->values + (size_t)(parts / 2) * 3;
    for (uint32_t k = 1; k < keys->count; k++)
        if (memcmp(first, first + (size_t)k * parts * 3, 3 * sizeof(float)) != 0)
            return true;
    return false;
}

static uint32_t depth_of(const struct scene *scene, uint32_t node)
{
    uint32_t depth = 0;
    for (int32_t n = scene->nodes[node].parent; n != NO_INDEX; n = scene->nodes[n].parent)
        depth++;
    return depth;
}

static bool is_at_or_above(const struct scene *scene, uint32_t node, uint32_t other)
{
    int32_t n = (int32_t)other;
    while (n > (int32_t)node) /* parents have smaller indices */
        n = scene->nodes[n].parent;
    return n == (int32_t)node;
}

static bool carries_bones(const struct scene *scene, uint32_t node)
{
    bool has_bones = false;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        has_bones = has_bones || scene->nodes[n].is_bone;
        if (scene->nodes[n].is_bone && is_at_or_above(scene, node, n))
            return true;
    }
    return !has_bones;
}

static bool is_higher(const struct scene *scene, uint32_t node, int32_t than)
{
    if (than == NO_INDEX)
        return true;
    uint32_t a = depth_of(scene, node), b = depth_of(scene, (uint32_t)than);
    return a < b || (a == b && (int32_t)node < than);
}

int32_t in_place_root(const struct scene *scene, const struct clip *const *clips, uint32_t clip_count)
{
    int32_t root = NO_INDEX;
    for (uint32_t c = 0; c < clip_count; c++)
        for (uint32_t i = 0; clips[c] && i < clips[c]->channel_count; i++) {
            const struct channel *channel = &clips[c]->channels[i];
            if (channel->node != NO_INDEX && changes_place(channel) &&
                is_higher(scene, (uint32_t)channel->node, root) && carries_bones(scene, (uint32_t)channel->node))
                root = channel->node;
        }
    return root;
}

/* From the space that the node's translation is in to the scene's. */
static void parent_to_scene(const struct scene *scene, const struct pose *pose, uint32_t node, mat4 out)
{
    affine_from_transform(&transform_identity, out);
    for (int32_t n = scene->nodes[node].parent; n != NO_INDEX; n = scene->nodes[n].parent)
        affine_mul(pose->local_to_parent[n], out, out);
}

static void place(const mat4 matrix, const float point[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (double)matrix[0][i] * point[0] + (double)matrix[1][i] * point[1] + (double)matrix[2][i] * point[2] +
                 matrix[3][i];
}

void in_place_position(const struct scene *scene, const struct pose *pose, uint32_t root, double out[3])
{
    mat4 matrix;
    parent_to_scene(scene, pose, root, matrix);
    place(matrix, pose->local_to_parent[root][3], out);
}

void in_place_hold(const struct in_place *in_place, const struct scene *scene, struct pose *pose)
{
    mat4 to_scene, to_parent;
    double at[3], away[3];
    if (in_place->root == NO_INDEX)
        return;
    uint32_t root = (uint32_t)in_place->root;
    parent_to_scene(scene, pose, root, to_scene);
    place(to_scene, pose->local_to_parent[root][3], at);
    for (int i = 0; i < 3; i++)
        away[i] = i == in_place->up_axis ? 0 : at[i] - in_place->home[i];
    if ((away[0] == 0 && away[1] == 0 && away[2] == 0) || !affine_inverse(to_scene, to_parent))
        return;
    for (int i = 0; i < 3; i++) {
        double back = to_parent[0][i] * away[0] + to_parent[1][i] * away[1] + to_parent[2][i] * away[2];
        pose->local[root].translation[i] = (float)(pose->local_to_parent[root][3][i] - back);
        pose->local_to_parent[root][3][i] = pose->local[root].translation[i];
    }
}
