#ifndef RIGPROOF_IMPORT_FBX_ANIMATION_H
#define RIGPROOF_IMPORT_FBX_ANIMATION_H

#include "data/scene/scene.h"
#include "import/fbx/fbx_file.h"

/* What an AnimationStack of an FBX file animates. Elements are indices into fbx_file.elements, 0 is none. */

/* A property of an object with its curves: of x, y and z, or the first one alone for a blend shape's DeformPercent. */
struct fbx_animated {
    struct fbx_text name; /* of the model */
    enum component component;
    uint32_t object;
    uint32_t curves[3];
    uint32_t node; /* the AnimationCurveNode */
};

struct fbx_animation {
    double start, stop;   /* seconds of the file's time: the stack's LocalStart and LocalStop */
    bool has_range;       /* false: both are 0, and Assimp takes all keys */
    uint32_t layer_count; /* those that animate something; the lists are of the first of them */
    uint32_t count;
    struct fbx_animated *list; /* Lcl Translation, Rotation, Scaling of models, by name, then by component */
    uint32_t shape_count;
    struct fbx_animated *shapes; /* DeformPercent of blend shape channels */
};

/*
 * The first AnimationStack of that name behind the element `*after`, which becomes the one that was found. The lists are
 * the caller's, to be given to fbx_animation_release(). False when there is none.
 */
bool fbx_animation_read(const struct fbx_file *file, const char *name, uint32_t *after, struct fbx_animation *out);
void fbx_animation_release(struct fbx_animation *animation);

/* The entry of a model and a component: NULL when it is not animated, or when several models of that name are. */
const struct fbx_animated *fbx_animation_find(const struct fbx_animation *animation, struct fbx_text name,
                                              enum component component);

#endif
