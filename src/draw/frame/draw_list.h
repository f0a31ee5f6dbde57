#ifndef RIGPROOF_DRAW_DRAW_LIST_H
#define RIGPROOF_DRAW_DRAW_LIST_H

#include "draw/frame/viewpoint.h"
#include "draw/renderer.h"

/* The surfaces of a frame in the order they are drawn, and drawing one of them. */

struct draw_item {
    uint32_t instance;
    double depth;  /* along the camera's view; blended ones are drawn by falling depth */
    bool mirrored; /* most of its matrices turn triangles inside out */
    const struct program *program;
};

struct draw_list {
    struct draw_item *items; /* malloc'd; opaque and masked ones in the scene's order, then the blended ones */
    uint32_t opaque_count;
    uint32_t count;
};

/* For what: the picture of a view, or the numbers of bindings. */
struct draw_purpose {
    enum view view;
    bool identity;
};

/* False with err set when memory runs out or a shader does not build; release it in any case. */
bool draw_list_make(struct draw_list *list, const struct gpu_model *model, const struct palette *palette,
                    const struct viewpoint *viewpoint, struct draw_purpose purpose, struct error *err);
void draw_list_release(struct draw_list *list);

/* Clears the framebuffer that is bound and sets GL to opaque and masked surfaces. */
void draw_begin(const struct gl *gl);
/* Sets GL to blended ones, which overlays are too. */
void draw_begin_blended(const struct gl *gl);

/* Uses the item's program with the frame's uniforms. */
void draw_use(const struct gpu_model *model, const struct draw_item *item, const struct viewpoint *viewpoint,
              struct draw_purpose purpose);

/* The item's triangles, whose program is in use; of a blended one both sides. */
void draw_opaque(const struct gpu_model *model, const struct draw_item *item);
void draw_blended(const struct gpu_model *model, const struct draw_item *item);

#endif
