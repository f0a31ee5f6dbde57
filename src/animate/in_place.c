#include "animate/in_place.h"

#include <math.h>

/* ---- which node travels -------------------------------------------------------------------------------------- */

/* What a key that was computed may be beside another that was meant to be the same: no movement. */
static const double noise = 1e-5, noise_of_length = 1e-5; /* of rotations and scales; of the longest travel */

struct search {
    const struct scene *scene;
    double *travel;    /* [node_count] how far the keys lead away from the first, in the parent's space */
    bool *moves;       /* [node_count] */
    bool *holds;       /* [node_count] a bone with vertices of its own */
    uint32_t *carries; /* [node_count] joints at and below the node */
};

/* Of a rotation the nearer of q and -q, which are one. */
static double distance(const float *a, const float *b, uint32_t width)
{
    double minus = 0, plus = 0;
    for (uint32_t i = 0; i < width; i++) {
        minus += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
        plus += ((double)a[i] + b[i]) * ((double)a[i] + b[i]);
    }
    return sqrt(width == 4 ? fmin(minus, plus) : minus);
}

/* How far the farthest of the keys is from the first. */
static double spread(const struct channel *channel, enum component component)
{
    const struct keys *keys = &channel->keys[component];
    if (keys->count == 0)
        return 0; /* and there are no values */
    uint32_t width = component_width(component);
    size_t stride = (size_t)width * (keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1);
    const float *first = keys->values + (stride > width ? width : 0); /* a cubic value is between its tangents */
    double farthest = 0;
    for (uint32_t k = 1; k < keys->count; k++)
        farthest = fmax(farthest, distance(first, first + k * stride, width));
    return farthest;
}

static void add_clip(struct search *s, const struct clip *clip)
{
    for (uint32_t i = 0; clip && i < clip->channel_count; i++) {
        const struct channel *channel = &clip->channels[i];
        if (channel->node == NO_INDEX)
            continue;
        double *travel = &s->travel[channel->node];
        *travel = fmax(*travel, spread(channel, COMPONENT_TRANSLATION));
        if (spread(channel, COMPONENT_ROTATION) > noise || spread(channel, COMPONENT_SCALE) > noise)
            s->moves[channel->node] = true;
    }
}

static void drop_noise(struct search *s)
{
    double longest = 0;
    for (uint32_t n = 0; n < s->scene->node_count; n++)
        longest = fmax(longest, s->travel[n]);
    for (uint32_t n = 0; n < s->scene->node_count; n++) {
        if (s->travel[n] <= noise_of_length * longest)
            s->travel[n] = 0;
        s->moves[n] = s->moves[n] || s->travel[n] > 0;
    }
}

static void count_joints(struct search *s, bool *joint)
{
    const struct scene *scene = s->scene;
    scene_joints(scene, joint);
    for (uint32_t n = scene->node_count; n-- > 0;) {
        s->carries[n] += joint[n];
        if (scene->nodes[n].parent != NO_INDEX)
            s->carries[scene->nodes[n].parent] += s->carries[n];
    }
}

static void mark_holders(struct search *s)
{
    for (uint32_t m = 0; m < s->scene->mesh_count; m++) {
        const struct mesh *mesh = &s->scene->meshes[m];
        uint32_t count = mesh->influence_first ? mesh->influence_first[mesh->vertex_count] : 0;
        for (uint32_t i = 0; i < count; i++)
            s->holds[mesh->bones[mesh->influences[i].bone].node] = true;
    }
}

/* Below a bone that moves vertices of its own a node cannot be held without being torn off it. */
static int32_t choose(const struct search *s, bool *is_torn)
{
    int32_t root = NO_INDEX;
    for (uint32_t n = 0; n < s->scene->node_count; n++) {
        int32_t parent = s->scene->nodes[n].parent;
        is_torn[n] = parent != NO_INDEX && (is_torn[parent] || (s->moves[parent] && s->holds[parent]));
        if (s->travel[n] > 0 && !is_torn[n] && s->carries[n] > (root == NO_INDEX ? 0 : s->carries[root]))
            root = (int32_t)n;
    }
    return root;
}

int32_t in_place_root(const struct scene *scene, const struct clip *const *clips, uint32_t clip_count,
                      struct arena *arena)
{
    struct search search = {
        .scene = scene,
        .travel = ARENA_NEW(arena, double, scene->node_count),
        .moves = ARENA_NEW(arena, bool, scene->node_count),
        .holds = ARENA_NEW(arena, bool, scene->node_count),
        .carries = ARENA_NEW(arena, uint32_t, scene->node_count),
    };
    for (uint32_t c = 0; c < clip_count; c++)
        add_clip(&search, clips[c]);
    drop_noise(&search);
    count_joints(&search, ARENA_NEW(arena, bool, scene->node_count));
    mark_holders(&search);
    return choose(&search, ARENA_NEW(arena, bool, scene->node_count));
}

/* ---- holding it ---------------------------------------------------------------------------------------------- */

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
