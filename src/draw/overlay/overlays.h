#pragma once

#include "draw/renderer/frame_state.h"

/* Overlays are triangles in the picture's plane, made on the CPU: widths are in pixels, the same on every machine. */

/* A part of the picture, in whole pixels from its upper left corner, y down. */
struct box {
    int x, y, width, height;
};

/* Says where words and joints are, which names keep off; items are malloc'd. */
struct boxes {
    struct box *items;
    size_t count;
};
void take_place(struct boxes *taken, struct box box);

/* Says where primitives are made: the camera, the picture's size. */
struct canvas {
    mat4 scene_to_clip;
    float lift[4]; /* in clip space: what brings a point nearer, so that a surface does not hide its own overlay */
    float width, height; /* pixels */
    float unit;          /* pixels per nominal pixel: widths are made for a picture of 512 */
    bool tested;         /* points get their depth */
    struct primitives *primitives;
    struct boxes *taken; /* NULL: nothing has to keep off */
};

struct canvas canvas_create(const mat4 scene_to_clip, uint32_t width, uint32_t height, struct primitives *primitives);

typedef struct {
    float x, y; /* pixels, y up, origin in the middle */
    float z;    /* as primitive_vertex.z */
} point;

/* `half` is half the width in pixels; ends are square, without a cap. */
void add_line(struct canvas *canvas, point a, point b, float half, const float color[4]);
void add_disc(struct canvas *canvas, point at, float radius, const float color[4]);

/* In whole pixels from the picture's upper left corner, y down. */
void add_rectangle(struct canvas *canvas, int x, int y, int width, int height, const float color[4]);

/* The frame of words, dark enough for white ones on any picture, which is then taken. */
void add_panel(struct canvas *canvas, struct box box);

/* Words with a shadow. Pixels of the picture to one of the font: 1 below 512, else a 256th of its smaller side. */
void add_shadowed(struct canvas *canvas, const char *text, size_t length, int x, int y, int scale,
                  const float color[4]);
int label_scale(const struct canvas *canvas);

/* False when the point is not before the camera. */
bool project(const struct canvas *canvas, const vec3 p, point *out);
/* A segment's ends on the screen, cut at the near plane; false when nothing of it is before the camera. */
bool project_segment(const struct canvas *canvas, const vec3 from, const vec3 to, point *a, point *b);

/*
 * The skeleton: links from parent to child, then joints, then the selected node. Shown are the joints (scene_joints())
 * and the nodes between two of them. A leaf is drawn to its `_end` node where the file has one, with a small joint
 * there; else it gets a stub, which goes on in its link's direction by a third of its length at rest, and turns with
 * the bone. The link to an offset bone, one that does not begin where its parent ends, is dashed.
 */
void skeleton_primitives(struct canvas *canvas, const struct scene *scene, const struct pose *pose,
                         int32_t selected_node);

/*
 * The names of what skeleton_primitives() shows, each in a frame beside its joint, without what they all begin with
 * (struct name_prefix), cut on their left. The selected node's comes first, then parents before children. A name goes
 * to the nearest free place around its joint, with a line to it; where none is free it is left out, and how many are
 * is said in the lower right corner.
 */
void names_primitives(struct canvas *canvas, const struct scene *scene, const struct pose *pose, int32_t selected_node);

/*
 * Says where a bone ends, read off the rest pose, as a file says only where it begins: where its one child begins; of
 * several, where the one begins that goes straightest on in the direction from its parent; at the top, where there is
 * no such direction, the one with most nodes below it. Another child is offset when it begins elsewhere, by more than
 * 1/20 of the bone's length.
 */
struct bone_end {
    bool has_child; /* one that is shown */
    bool is_offset; /* from its parent's end */
    int32_t end;    /* of a leaf: its child whose name says that it is the end, itself not shown; else NO_INDEX */
    bool has_stub;  /* a leaf without an end, on a link */
    vec3 stub;      /* to where, in the bone's space */
};
void skeleton_ends(const struct scene *scene, const bool *shown, struct bone_end *ends); /* ends[node_count] */
bool skeleton_is_end(const char *name); /* "head_end", "Head_End", "EndSite_head" */
void skeleton_shown(const struct scene *scene, bool *shown); /* shown[node_count]: which nodes the overlay shows */

/* In the lower left corner: settings->legend, and above it the scale of colours from the range's first number to its
 * second; none of views without a scale. */
void legend_primitives(struct canvas *canvas, const struct frame_settings *settings, const struct value_range *range);

/*
 * Makes the overlays of a frame, in the order they are drawn (wireframe, bounds, axes, skeleton, label, legend,
 * names), and uploads them; none without overlays. Runs the vertex shader for the wireframe, so this goes before
 * anything of the frame is drawn. False with err set when a shader does not build.
 */
bool overlays_prepare(const struct frame *frame, struct primitives *primitives, struct error *err);

/* Draws them into the target; depth is what the model left there. */
void overlays_draw(const struct renderer *renderer, const struct primitives *primitives);

void primitives_release(struct primitives *primitives);
