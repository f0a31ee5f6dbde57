#include "animate/in_place.h"

#include <math.h>

/* How far the farthest of the keys is from the first; of a rotation the nearer of q and -q, which are one. */
static double spread(const struct channel *channel, enum component component)
{
    const struct keys *keys = &channel->keys[component];
    uint32_t width = component_width(component), vectors = keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
    double farthest = 0;
    for (uint32_t k = 1; k < keys->count; k++) {
        const float *first = keys->values + vectors / 2 * width; /* a cubic value is between its tangents */
        const float *value = first + (size_t)k * vectors * width;
        double minus = 0, plus = 0;
        for (uint32_t i = 0; i < width; i++) {
            minus += ((double)first[i] - value[i]) * ((double)first[i] - value[i]);
            plus += ((double)first[i] + value[i]) * ((double)first[i] + value[i]);
        }
        farthest = fmax(farthest, sqrt(width == 4 ? fmin(minus, plus) : minus));
    }
    return farthest;
}

/*
 * travel[node_count]: how far the keys lead a node away from the first, in the parent's space. moves[node_count]: whether they
 * do, or turn or scale it. What a key that was computed may be beside another that was meant to be the same is no movement.
 */
static void measure_travel(const struct scene *scene, const struct clip *const *clips, uint32_t clip_count,
                           double *travel, bool *moves)
{
    static const double noise = 1e-5, noise_of_length = 1e-5; /* of rotations and scales; of the longest travel */
    double longest = 0;
    for (uint32_t c = 0; c < clip_count; c++)
        for (uint32_t i = 0; clips[c] && i < clips[c]->channel_count; i++) {
            const struct channel *channel = &clips[c]->channels[i];
            if (channel->node == NO_INDEX)
                continue;
            travel[channel->node] = fmax(travel[channel->node], spread(channel, COMPONENT_TRANSLATION));
            longest = fmax(longest, travel[channel->node]);
            if (spread(channel, COMPONENT_ROTATION) > noise || spread(channel, COMPONENT_SCALE) > noise)
                moves[channel->node] = true;
        }
    for (uint32_t n = 0; n < scene->node_count; n++) {
        if (travel[n] <= noise_of_length * longest)
            travel[n] = 0;
        moves[n] = moves[n] || travel[n] > 0;
    }
}

int32_t in_place_root(const struct scene *scene, const struct clip *const *clips, uint32_t clip_count,
                      struct arena *arena)
{
    double *travel = ARENA_NEW(arena, double, scene->node_count);
    bool *moves = ARENA_NEW(arena, bool, scene->node_count);
    bool *holds = ARENA_NEW(arena, bool, scene->node_count);           /* a bone with vertices of its own */
    bool *is_torn = ARENA_NEW(arena, bool, scene->node_count);         /* below one that moves: held it would come off */
    bool *joint = ARENA_NEW(arena, bool, scene->node_count);
    uint32_t *carries = ARENA_NEW(arena, uint32_t, scene->node_count); /* joints at and below the node */
    int32_t root = NO_INDEX;
    measure_travel(scene, clips, clip_count, travel, moves);
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const struct mesh *mesh = &scene->meshes[m];
        uint32_t count = mesh->influence_first ? mesh->influence_first[mesh->vertex_count] : 0;
        for (uint32_t i = 0; i < count; i++)
            holds[mesh->bones[mesh->influences[i].bone].node] = true;
    }
    scene_joints(scene, joint);
    for (uint32_t n = scene->node_count; n-- > 0;) {
        carries[n] += joint[n];
        if (scene->nodes[n].parent != NO_INDEX)
            carries[scene->nodes[n].parent] += carries[n];
    }
    for (uint32_t n = 0; n < scene->node_count; n++) {
        int32_t parent = scene->nodes[n].parent;
        is_torn[n] = parent != NO_INDEX && (is_torn[parent] || (moves[parent] && holds[parent]));
        if (travel[n] > 0 && !is_torn[n] && carries[n] > (root == NO_INDEX ? 0 : carries[root]))
            root = (int32_t)n;
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

void in_place_position(const struct scene *scene, const struct pose *pose, uint32_t root, double out[3])
{
    mat4 to_scene;
    const float *at = pose->local_to_parent[root][3];
    parent_to_scene(scene, pose, root, to_scene);
    for (int i = 0; i < 3; i++)
        out[i] = (double)to_scene[0][i] * at[0] + (double)to_scene[1][i] * at[1] + (double)to_scene[2][i] * at[2] +
                 to_scene[3][i];
}

void in_place_hold(const struct in_place *in_place, const struct scene *scene, struct pose *pose)
{
    mat4 to_scene, to_parent;
    double at[3], away[3];
    if (in_place->root == NO_INDEX)
        return;
    uint32_t root = (uint32_t)in_place->root;
    in_place_position(scene, pose, root, at);
    parent_to_scene(scene, pose, root, to_scene);
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
