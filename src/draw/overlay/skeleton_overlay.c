#include "draw/overlay/skeleton_overlay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which nodes ------------------------------------------------------------------------------------------- */

bool skeleton_shown(const struct scene *scene, bool *shown)
{
    uint32_t count = scene->node_count;
    bool *above = calloc(count + 1u, 1); /* a bone is an ancestor */
    bool *below = calloc(count + 1u, 1); /* a bone is a descendant */
    if (above && below) {
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
    bool good = above && below;
    free(above);
    free(below);
    return good;
}

/* ---- the skeleton ------------------------------------------------------------------------------------------ */

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

static void origin_of(const struct skeleton *s, uint32_t node, vec3 out)
{
    memcpy(out, s->pose->node_to_scene[node][3], sizeof(vec3));
}

/* From the parent's joint on, the dash first. */
static void add_dashes(struct canvas *canvas, point a, point b, float half, const float color[4])
{
    enum { MOST = 2000 }; /* what is longer reaches far out of the picture */
    float dash = dash_length * canvas->unit, step = dash + dash_gap * canvas->unit;
    float length = hypotf(b.x - a.x, b.y - a.y);
    int count = length < MOST * step ? (int)(length / step) + 1 : 0;
    for (int i = 0; i < count; i++) {
        float from = (float)i * step / length, to = ((float)i * step + dash) / length;
        to = to < 1 ? to : 1;
        point p = {a.x + from * (b.x - a.x), a.y + from * (b.y - a.y), a.z};
        point q = {a.x + to * (b.x - a.x), a.y + to * (b.y - a.y), a.z};
        add_line(canvas, p, q, half, color);
    }
}

static void add_link(struct canvas *canvas, const vec3 from, const vec3 to, bool dashed, float half,
                     const float color[4])
{
    point a, b;
    if (!project_segment(canvas, from, to, &a, &b))
        return;
    if (dashed)
        add_dashes(canvas, a, b, half, color);
    else
        add_line(canvas, a, b, half, color);
}

/* The link from the parent, and a leaf's stub or its end. */
static void add_links(struct canvas *canvas, const struct skeleton *s, float half, const float color[4])
{
    for (uint32_t n = 0; n < s->scene->node_count; n++) {
        const struct bone_end *end = &s->ends[n];
        int32_t parent = skeleton_parent(s->scene, s->shown, n);
        vec3 from, to, tail;
        origin_of(s, n, to);
        if (end->end != NO_INDEX) {
            origin_of(s, (uint32_t)end->end, tail);
            add_link(canvas, to, tail, false, half, color);
        }
        if (end->has_stub) {
            affine_point(s->pose->node_to_scene[n], end->stub, tail);
            add_link(canvas, to, tail, false, half, color);
        }
        if (parent == NO_INDEX)
            continue;
        origin_of(s, (uint32_t)parent, from);
        add_link(canvas, from, to, end->is_offset, half, color);
    }
}

static void add_joint(struct canvas *canvas, const struct skeleton *s, uint32_t node, float radius,
                      const float color[4])
{
    vec3 origin;
    point at;
    origin_of(s, node, origin);
    if (project(canvas, origin, &at))
        add_disc(canvas, at, radius, color);
}

/* Length of the node's link on the screen, or `otherwise`. */
static float link_length(const struct canvas *canvas, const struct skeleton *s, uint32_t node, float otherwise)
{
    int32_t parent = skeleton_parent(s->scene, s->shown, node);
    vec3 from, to;
    point a, b;
    if (parent == NO_INDEX)
        return otherwise;
    origin_of(s, (uint32_t)parent, from);
    origin_of(s, node, to);
    if (!project(canvas, from, &a) || !project(canvas, to, &b))
        return otherwise;
    return hypotf(b.x - a.x, b.y - a.y);
}

/* Joints of short links are smaller, down to half, so that a hand is not one blot. */
static float joint_size(const struct canvas *canvas, const struct skeleton *s, uint32_t node)
{
    float full = joint_radius * canvas->unit;
    float fitting = 0.4f * link_length(canvas, s, node, 1e6f);
    return fitting < 0.5f * full ? 0.5f * full : fitting < full ? fitting : full;
}

static void add_joints(struct canvas *canvas, const struct skeleton *s, float wider, const float color[4])
{
    for (uint32_t n = 0; n < s->scene->node_count; n++) {
        if (s->shown[n])
            add_joint(canvas, s, n, joint_size(canvas, s, n) + wider * canvas->unit, color);
        if (s->ends[n].end != NO_INDEX)
            add_joint(canvas, s, (uint32_t)s->ends[n].end, (0.5f * joint_radius + wider) * canvas->unit, color);
    }
}

static void add_skeleton(struct canvas *canvas, const struct skeleton *s, int32_t selected)
{
    add_links(canvas, s, (link_half + rim) * canvas->unit, rim_color);
    add_links(canvas, s, link_half * canvas->unit, link_color);
    add_joints(canvas, s, rim, rim_color);
    add_joints(canvas, s, 0, joint_color);
    if (selected < 0 || (uint32_t)selected >= s->scene->node_count)
        return;
    add_joint(canvas, s, (uint32_t)selected, (selected_radius + rim) * canvas->unit, rim_color);
    add_joint(canvas, s, (uint32_t)selected, selected_radius * canvas->unit, selected_color);
}

bool skeleton_primitives(const struct scene *scene, const struct pose *pose, const mat4 scene_to_clip,
                    uint32_t width, uint32_t height, int32_t selected_node, struct primitives *primitives)
{
    bool *shown = calloc(scene->node_count + 1u, 1);
    struct bone_end *ends = calloc(scene->node_count + 1u, sizeof *ends);
    bool good = shown && ends && skeleton_shown(scene, shown) && skeleton_ends(scene, shown, ends);
    if (good) {
        struct canvas canvas = canvas_create(scene_to_clip, width, height, primitives);
        struct skeleton skeleton = {scene, pose, shown, ends};
        add_skeleton(&canvas, &skeleton, selected_node);
        good = !canvas.failed;
    }
    free(shown);
    free(ends);
    return good;
}
