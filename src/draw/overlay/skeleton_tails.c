/* Where bones end: files say where a bone begins, and no more. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cglm/vec3.h>

#include "draw/overlay/skeleton_overlay.h"

int32_t skeleton_parent(const struct scene *scene, const bool *shown, uint32_t node)
{
    int32_t parent = scene->nodes[node].parent;
    return shown[node] && parent != NO_INDEX && shown[parent] ? parent : NO_INDEX;
}

bool skeleton_is_end(const char *name)
{
    static const char suffix[] = "_end", prefix[] = "EndSite"; /* the second: Assimp's in BVH files */
    size_t length = strlen(name), count = sizeof suffix - 1;
    if (strncmp(name, prefix, sizeof prefix - 1) == 0)
        return true;
    for (size_t i = 0; i < count; i++)
        if (length <= count || tolower((unsigned char)name[length - count + i]) != suffix[i])
            return false;
    return true;
}

/* The tail of a bone among its children, while they are looked through. */
struct choice {
    int32_t child; /* NO_INDEX: none yet */
    float score;
};

struct tails {
    const struct scene *scene;
    const bool *shown;
    mat4 *rest;        /* node -> scene, at rest */
    uint32_t *below;   /* shown nodes, itself included */
    struct choice *choices;
};

/* How well the child carries its parent on: the cosine of the bend, or at the top the size of what hangs on it. */
static float score_of(const struct tails *t, uint32_t child, uint32_t parent)
{
    int32_t before = skeleton_parent(t->scene, t->shown, parent);
    float *at = t->rest[parent][3], *next = t->rest[child][3];
    float length = glm_vec3_distance(next, at), last = before == NO_INDEX ? 0 : glm_vec3_distance(at, t->rest[before][3]);
    float cosine = 0;
    if (!(length > 0))
        return -2;
    if (!(last > 0))
        return (float)t->below[child];
    for (int i = 0; i < 3; i++)
        cosine += (next[i] - at[i]) / length * ((at[i] - t->rest[before][3][i]) / last);
    return cosine;
}

static void choose_tails(struct tails *t)
{
    for (uint32_t n = 0; n < t->scene->node_count; n++)
        t->choices[n].child = NO_INDEX;
    for (uint32_t n = 0; n < t->scene->node_count; n++) {
        int32_t parent = skeleton_parent(t->scene, t->shown, n);
        if (parent == NO_INDEX)
            continue;
        struct choice *choice = &t->choices[parent];
        float score = score_of(t, n, (uint32_t)parent);
        if (choice->child == NO_INDEX || score > choice->score)
            *choice = (struct choice){(int32_t)n, score};
    }
}

static void mark_offsets(const struct tails *t, struct bone_end *ends)
{
    static const float near = 0.05f; /* of the bone's length: it counts as the same place */
    for (uint32_t n = 0; n < t->scene->node_count; n++) {
        int32_t parent = skeleton_parent(t->scene, t->shown, n);
        if (parent == NO_INDEX)
            continue;
        float *tail = t->rest[t->choices[parent].child][3];
        ends[n].is_offset = glm_vec3_distance(t->rest[n][3], tail) > near * glm_vec3_distance(tail, t->rest[parent][3]);
        ends[parent].has_child = true;
    }
}

static void find_ends(const struct tails *t, struct bone_end *ends)
{
    for (uint32_t n = 0; n < t->scene->node_count; n++)
        ends[n].end = NO_INDEX;
    for (uint32_t n = t->scene->node_count; n-- > 1;) {
        int32_t parent = t->scene->nodes[n].parent;
        if (!t->shown[n] && t->shown[parent] && !ends[parent].has_child && skeleton_is_end(t->scene->nodes[n].name))
            ends[parent].end = (int32_t)n;
    }
}

static void find_stubs(const struct tails *t, struct bone_end *ends)
{
    for (uint32_t n = 0; n < t->scene->node_count; n++) {
        int32_t parent = skeleton_parent(t->scene, t->shown, n);
        mat4 to_bone;
        vec3 tail;
        if (parent == NO_INDEX || ends[n].has_child || ends[n].end != NO_INDEX ||
            skeleton_is_end(t->scene->nodes[n].name) || !affine_inverse(t->rest[n], to_bone))
            continue;
        const float *from = t->rest[parent][3], *to = t->rest[n][3];
        for (int i = 0; i < 3; i++)
            tail[i] = to[i] + (to[i] - from[i]) / 3;
        affine_point(to_bone, tail, ends[n].stub);
        ends[n].has_stub = true;
    }
}

static void rest_and_below(struct tails *t)
{
    const struct scene *scene = t->scene;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        int32_t parent = scene->nodes[n].parent;
        if (parent == NO_INDEX)
            memcpy(t->rest[n], scene->nodes[n].local_to_parent, sizeof(mat4));
        else
            affine_mul(t->rest[parent], scene->nodes[n].local_to_parent, t->rest[n]);
    }
    for (uint32_t n = scene->node_count; n-- > 0;) {
        int32_t parent = scene->nodes[n].parent;
        t->below[n] += t->shown[n];
        if (parent != NO_INDEX)
            t->below[parent] += t->below[n];
    }
}

bool skeleton_ends(const struct scene *scene, const bool *shown, struct bone_end *ends)
{
    size_t count = scene->node_count + 1u;
    struct tails t = {
        .scene = scene, .shown = shown, .rest = calloc(count, sizeof *t.rest),
        .below = calloc(count, sizeof *t.below), .choices = calloc(count, sizeof *t.choices)};
    bool good = t.rest && t.below && t.choices;
    if (good) {
        memset(ends, 0, scene->node_count * sizeof *ends);
        rest_and_below(&t);
        choose_tails(&t);
        mark_offsets(&t, ends);
        find_ends(&t, ends);
        find_stubs(&t, ends);
    }
    free(t.rest);
    free(t.below);
    free(t.choices);
    return good;
}
