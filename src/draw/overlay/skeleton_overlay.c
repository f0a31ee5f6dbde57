#include "draw/overlay/overlays.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include <cglm/vec3.h>

#include "base/memory.h"

void skeleton_shown(const struct scene *scene, bool *shown)
{
    uint32_t count = scene->node_count;
    FREED bool *above = memory_new(count, 1); /* a bone is an ancestor */
    FREED bool *below = memory_new(count, 1); /* a bone is a descendant */
    scene_joints(scene, shown);
    for (uint32_t n = 0; n < count; n++) {
        int32_t parent = scene->nodes[n].parent;
        above[n] = parent != NO_INDEX && (above[parent] || shown[parent]);
    }
    for (uint32_t n = count; n-- > 0;) {
        int32_t parent = scene->nodes[n].parent;
        if (parent != NO_INDEX)
            below[parent] = below[parent] || below[n] || shown[n];
    }
    for (uint32_t n = 0; n < count; n++)
        shown[n] = shown[n] || (above[n] && below[n]);
}

/* The parent that a node is linked to, both of them shown, or NO_INDEX. */
static int32_t skeleton_parent(const struct scene *scene, const bool *shown, uint32_t node)
{
    int32_t parent = scene->nodes[node].parent;
    return shown[node] && parent != NO_INDEX && shown[parent] ? parent : NO_INDEX;
}

bool skeleton_is_end(const char *name)
{
    static const char suffix[] = "_end", prefix[] = "EndSite"; /* the second: Assimp's in BVH files */
    size_t length = strlen(name), count = sizeof suffix - 1;
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ||
           (length > count && strcasecmp(name + length - count, suffix) == 0);
}

/* Returns how well a child carries its parent on: the cosine of the bend, or at the top the size of what hangs on it.
 * */
static float score_of(const mat4 *rest, const uint32_t *below, uint32_t child, uint32_t parent, int32_t before)
{
    const float *next = rest[child][3], *at = rest[parent][3], *from = before == NO_INDEX ? at : rest[before][3];
    float length = glm_vec3_distance((float *)next, (float *)at), last = glm_vec3_distance((float *)at, (float *)from);
    float cosine = 0;
    if (!(length > 0))
        return -2;
    if (!(last > 0))
        return (float)below[child];
    for (int i = 0; i < 3; i++)
        cosine += (next[i] - at[i]) / length * ((at[i] - from[i]) / last);
    return cosine;
}

void skeleton_ends(const struct scene *scene, const bool *shown, struct bone_end *ends)
{
    static const float near = 0.05f; /* of the bone's length: it counts as the same place */
    FREED mat4 *rest = memory_new(scene->node_count, sizeof *rest);       /* node -> scene */
    FREED uint32_t *below = memory_new(scene->node_count, sizeof *below); /* shown nodes that hang on it, itself too */
    FREED int32_t *tails = memory_new(scene->node_count, sizeof *tails);  /* the child that it ends at */
    FREED float *scores = memory_new(scene->node_count, sizeof *scores);  /* of that child */
    for (uint32_t n = 0; n < scene->node_count; n++) {
        int32_t parent = scene->nodes[n].parent;
        affine_mul(parent == NO_INDEX ? mat4_identity : rest[parent], scene->nodes[n].local_to_parent, rest[n]);
        ends[n] = (struct bone_end){.end = NO_INDEX};
        tails[n] = NO_INDEX;
    }
    for (uint32_t n = scene->node_count; n-- > 0;) {
        int32_t parent = scene->nodes[n].parent;
        below[n] += shown[n];
        if (parent != NO_INDEX)
            below[parent] += below[n];
    }
    for (uint32_t n = 0; n < scene->node_count; n++) {
        int32_t parent = skeleton_parent(scene, shown, n);
        if (parent == NO_INDEX)
            continue;
        float score = score_of((const mat4 *)rest, below, n, (uint32_t)parent,
                               skeleton_parent(scene, shown, (uint32_t)parent));
        if (tails[parent] == NO_INDEX || score > scores[parent]) {
            tails[parent] = (int32_t)n;
            scores[parent] = score;
        }
        ends[parent].has_child = true;
    }
    for (uint32_t n = scene->node_count; n-- > 1;) {
        int32_t parent = scene->nodes[n].parent;
        if (!shown[n] && shown[parent] && !ends[parent].has_child && skeleton_is_end(scene->nodes[n].name))
            ends[parent].end = (int32_t)n;
    }
    for (uint32_t n = 0; n < scene->node_count; n++) {
        int32_t parent = skeleton_parent(scene, shown, n);
        mat4 to_bone;
        vec3 stub;
        if (parent == NO_INDEX)
            continue;
        float *tail = rest[tails[parent]][3], *from = rest[parent][3], *to = rest[n][3];
        ends[n].is_offset = glm_vec3_distance(to, tail) > near * glm_vec3_distance(tail, from);
        if (ends[n].has_child || ends[n].end != NO_INDEX || skeleton_is_end(scene->nodes[n].name) ||
            !affine_inverse(rest[n], to_bone))
            continue;
        for (int i = 0; i < 3; i++)
            stub[i] = to[i] + (to[i] - from[i]) / 3;
        affine_point(to_bone, stub, ends[n].stub);
        ends[n].has_stub = true;
    }
}

static const float link_color[4] = {0.96f, 0.97f, 0.98f, 0.95f};
static const float joint_color[4] = {1.0f, 0.69f, 0.13f, 1.0f};
static const float selected_color[4] = {1.0f, 0.16f, 0.46f, 1.0f};
static const float rim_color[4] = {0.08f, 0.09f, 0.11f, 0.8f};

/* Half widths and radii in pixels of a picture 512 pixels wide. */
static const float link_half = 1.1f, joint_radius = 2.6f, selected_radius = 4.6f, rim = 0.9f;
static const float dash_length = 5.0f, dash_gap = 4.0f;

struct skeleton {
    const struct scene *scene;
    const struct pose *pose;
    const bool *shown;
    const struct bone_end *ends;
};

/* Dashes from the parent's joint on, the dash first. */
static void add_link(struct canvas *canvas, const vec3 from, const vec3 to, bool dashed, float half,
                     const float color[4])
{
    enum { MOST = 2000 }; /* what is longer reaches far out of the picture */
    float dash = dash_length * canvas->unit, step = dash + dash_gap * canvas->unit;
    point a, b;
    if (!project_segment(canvas, from, to, &a, &b))
        return;
    if (!dashed)
        add_line(canvas, a, b, half, color);
    float length = hypotf(b.x - a.x, b.y - a.y);
    int count = dashed && length < MOST * step ? (int)(length / step) + 1 : 0;
    for (int i = 0; i < count; i++) {
        float first = (float)i * step / length, last = fminf(1, ((float)i * step + dash) / length);
        point p = {a.x + first * (b.x - a.x), a.y + first * (b.y - a.y), a.z};
        point q = {a.x + last * (b.x - a.x), a.y + last * (b.y - a.y), a.z};
        add_line(canvas, p, q, half, color);
    }
}

/* The link from the parent, and a leaf's stub or its end. */
static void add_links(struct canvas *canvas, const struct skeleton *s, float half, const float color[4])
{
    for (uint32_t n = 0; n < s->scene->node_count; n++) {
        const struct bone_end *end = &s->ends[n];
        int32_t parent = skeleton_parent(s->scene, s->shown, n);
        const float *to = s->pose->node_to_scene[n][3];
        vec3 tail;
        if (end->end != NO_INDEX)
            add_link(canvas, to, s->pose->node_to_scene[end->end][3], false, half, color);
        if (end->has_stub) {
            affine_point(s->pose->node_to_scene[n], end->stub, tail);
            add_link(canvas, to, tail, false, half, color);
        }
        if (parent == NO_INDEX)
            continue;
        const float *from = s->pose->node_to_scene[parent][3];
        add_link(canvas, from, to, end->is_offset, half, color);
    }
}

static void add_joint(struct canvas *canvas, const struct skeleton *s, uint32_t node, float radius,
                      const float color[4])
{
    point at;
    if (project(canvas, s->pose->node_to_scene[node][3], &at))
        add_disc(canvas, at, radius, color);
}

/* Joints of short links are smaller, down to half, so that a hand is not one blot. */
static void add_joints(struct canvas *canvas, const struct skeleton *s, float wider, const float color[4])
{
    for (uint32_t n = 0; n < s->scene->node_count; n++) {
        int32_t parent = skeleton_parent(s->scene, s->shown, n);
        float full = joint_radius * canvas->unit, radius = full;
        point a, b;
        if (parent != NO_INDEX && project(canvas, s->pose->node_to_scene[parent][3], &a) &&
            project(canvas, s->pose->node_to_scene[n][3], &b))
            radius = fminf(full, fmaxf(0.5f * full, 0.4f * hypotf(b.x - a.x, b.y - a.y)));
        if (s->shown[n])
            add_joint(canvas, s, n, radius + wider * canvas->unit, color);
        if (s->ends[n].end != NO_INDEX)
            add_joint(canvas, s, (uint32_t)s->ends[n].end, (0.5f * joint_radius + wider) * canvas->unit, color);
    }
}

void skeleton_primitives(struct canvas *canvas, const struct scene *scene, const struct pose *pose,
                         int32_t selected_node)
{
    FREED bool *shown = memory_new(scene->node_count, 1);
    FREED struct bone_end *ends = memory_new(scene->node_count, sizeof *ends);
    const struct skeleton skeleton = {scene, pose, shown, ends};
    skeleton_shown(scene, shown);
    skeleton_ends(scene, shown, ends);
    add_links(canvas, &skeleton, (link_half + rim) * canvas->unit, rim_color);
    add_links(canvas, &skeleton, link_half * canvas->unit, link_color);
    add_joints(canvas, &skeleton, rim, rim_color);
    add_joints(canvas, &skeleton, 0, joint_color);
    if (selected_node >= 0) {
        add_joint(canvas, &skeleton, (uint32_t)selected_node, (selected_radius + rim) * canvas->unit, rim_color);
        add_joint(canvas, &skeleton, (uint32_t)selected_node, selected_radius * canvas->unit, selected_color);
    }
}
