#ifndef RIGPROOF_DRAW_DRAW_H
#define RIGPROOF_DRAW_DRAW_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "data/image.h"
#include "data/palette.h"
#include "data/pose.h"
#include "data/shot.h"

/*
 * Palette -> pixels, in an offscreen software context of Mesa. The only stage that knows GL.
 *
 *     struct renderer *renderer = renderer_create(BACKEND_AUTO, &err);
 *     struct gpu_model *model = gpu_model_create(renderer, scene, &err);
 *     draw_frame(renderer, model, &palette, &pose, &shot, &image, &err);
 */

enum backend {
    BACKEND_AUTO, /* osmesa when libOSMesa is there, else egl */
    BACKEND_OSMESA,
    BACKEND_EGL,
};

struct renderer; /* a context, its programs and targets */
struct gpu_model; /* a scene's meshes and textures in GL's memory */

/*
 * Sets the environment that makes Mesa repeat itself (see environment.h), opens the library, makes a core 3.3 context
 * that is current on this thread, checks version and rasteriser and compiles the shaders. NULL with err set and exit
 * code 3 when there is no GL to be had: the message says what was tried and what to install.
 */
struct renderer *renderer_create(enum backend backend, struct error *err);
void renderer_destroy(struct renderer *renderer); /* NULL is fine */

/* What the context is, for `doctor` and fingerprints. Owned by the renderer. */
struct renderer_info {
    const char *backend;      /* "osmesa", "egl" */
    const char *library;      /* file that was opened */
    const char *gl_version;   /* GL_VERSION */
    const char *glsl_version;
    const char *gl_renderer;  /* GL_RENDERER: "llvmpipe (LLVM 15.0.6, 256 bits)" */
    const char *gl_vendor;
    int max_texture_buffer;   /* texels */
    int max_uniform_components;
    int max_samples;
    bool is_software;         /* llvmpipe or softpipe; else a warning was logged */
};
const struct renderer_info *renderer_info(const struct renderer *renderer);

/* Uploads a scene; it must outlive the model. NULL with err set when a mesh or texture is larger than GL allows. */
struct gpu_model *gpu_model_create(struct renderer *renderer, const struct scene *scene, struct error *err);
void gpu_model_destroy(struct gpu_model *model); /* NULL is fine */

/*
 * Draws one frame. `pose` is only used for the skeleton overlay (node_to_scene must be filled, in the same space as
 * the palette). The image is the caller's (image_release). False with err set: size not in 1..8192 or GL ran out of
 * memory.
 */
bool draw_frame(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                const struct pose *pose, const struct shot *shot, struct image *out, struct error *err);

/*
 * Runs the vertex shader alone and captures what it computed by transform feedback: skinned positions and normals of
 * one instance, for comparison with palette/skin.h. `out` as skin_instance() wants it.
 */
bool draw_capture(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                  struct skinned *out, struct error *err);

/* "auto", "osmesa", "egl". */
bool backend_parse(const char *text, enum backend *backend, struct error *err);

/* Which backends' libraries can be opened here; does not make a context. */
bool backend_is_present(enum backend backend);

#endif
