#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "data/scene/upload_format.h"
#include "data/result/fingerprint.h"
#include "data/image/image.h"
#include "data/image/frame_settings.h"

/*
 * Palette and its morph weights -> pixels, in an offscreen software context of Mesa. The only stage that knows GL.
 *
 *     struct renderer *renderer = renderer_create(BACKEND_AUTO, &err);
 *     struct gpu_model *model = gpu_model_create(renderer, scene, &err);
 *     draw_crowd(renderer, model, &crowd, &frame_settings, &image, &err);   as often as needed
 *     gpu_model_destroy(model);                                             before its renderer and its scene
 *     renderer_destroy(renderer);
 *
 * A renderer belongs to one thread at a time. A process may have several; each call makes its own context current.
 * RIGPROOF_OSMESA_LIBRARY and RIGPROOF_EGL_LIBRARY name the library file to open instead of the usual ones.
 *
* A picture is the same elsewhere (PROFILE_PORTABLE) by: the environment of environment.h; 2x2 supersampling into
 * linear RGBA8, resolved in integers; sRGB in the shaders; mipmaps of our own (renderer.h); tiles of 2048 pixels.
 */

enum backend {
    BACKEND_AUTO, /* osmesa when it gives a context, else egl */
    BACKEND_OSMESA,
    BACKEND_EGL,
};

struct renderer; /* a context, its programs and targets */
struct gpu_model; /* a scene's meshes and textures in GL's memory */
struct shader_set; /* GLSL files of the user's in place of ours; NULL stands for ours */

/* One of many instances of the model in a picture, each in a pose of its own. */
struct crowd_member {
    const struct palette *palette;
    const struct pose *pose; /* node_to_scene, in the palette's space, for the skeleton overlay; NULL without one */
    vec3 place;              /* added to what the palette makes, in its space */
    const float *values; /* [color_scale_total()] of a view that shows such (data/image/color_scale.h); NULL: grey */
};

/* All of them are drawn by one call for each of the scene's instances: gl_InstanceID tells them apart
 * (shaders/palette.glsl). */
struct crowd {
    uint32_t count; /* 0: the first member alone, without its place: an ordinary picture */
    const struct crowd_member *members;
    double time;    /* seconds, for shaders of the user's that ask for it */
};

/* An ordinary picture has one. */
static inline uint32_t crowd_members(const struct crowd *crowd)
{
    return crowd->count ? crowd->count : 1;
}

/*
 * Applies environment.h, opens the library, makes a core 3.3 context that is current on this thread and compiles a
 * shader. NULL with err set, exit code 3, when there is no GL to be had: the message says what was tried and what to
 * install.
 */
struct renderer *renderer_create(enum backend backend, struct error *err);
void renderer_destroy(struct renderer *renderer); /* NULL is fine */

/* Between pictures: frees programs that were not used lately. Mesa takes a megabyte for each, two if it compiled it. */
void renderer_trim(struct renderer *renderer);

/* Instead of renderer_destroy() where _exit() is next: only waits for Mesa to write its shader cache. */
void renderer_leave(struct renderer *renderer);

/* Says whether Mesa's shader cache on the disk is still empty. To be called before the first renderer of a run. */
bool shader_cache_is_empty(void);

/* Appends the folder in which Mesa keeps compiled shaders, native code that it runs as it is. False: it keeps none. */
bool shader_cache_folder(struct text *out);

/* Waits, 0.1 s at most, while Mesa's threads write compiled shaders into its cache. */
void shader_cache_await(void);

/* Says whether a file of a folder of shaders has that in it, in upper or lower case. */
bool shader_folder_mentions(const char *folder, const char *word);

/* The map says what names in the user's shaders stand for, where their words do not. Both texts are the caller's. */
enum { SHADER_MAP_MOST = 32 };
struct shader_map {
    size_t count;
    struct shader_map_entry {
        const char *name;  /* as the shader has it: "a_joints", "scene.tint" */
        const char *value; /* "bones", "time", a uniform of shaders/README.md, or numbers: "1:0:0" */
    } entries[SHADER_MAP_MOST];
};

/* Says whether that is something a shader can be given. False with err set: what there is. */
bool shader_map_check(const char *value, struct error *err);

/*
 * The shaders in a folder with a map (NULL: none), read once, owned by the renderer; NULL of NULL. False, exit code 2:
 * see shader/shader_text.h.
 */
bool renderer_shaders(struct renderer *renderer, const char *folder, const struct shader_map *map,
                      struct shader_set **out, struct error *err);

/* The i-th file of the folder that takes part, to open, and the bytes_hash() of what was read; NULL past the end. */
const char *shader_set_path(const struct shader_set *set, size_t i, const char **hash);

/*
* Says of the last picture drawn with the user's shaders why it may be empty, "the uniform `tint` (vec3) of my/lit.frag
 * stays 0". NULL: something was drawn, no uniform stayed 0, or the camera does not look at the middle of what it
 * frames.
 */
const char *renderer_why_empty(const struct renderer *renderer);

/*
* Warnings of shaders are printed at once, each warning once a folder. After renderer_hold_warnings() it is not;
 * it is to be asked for, a line each, in the order in which they were given.
 */
void renderer_hold_warnings(struct renderer *renderer);
void renderer_warnings(const struct renderer *renderer, struct text *out);

/* Describes the context, for `doctor` and fingerprints. Owned by the renderer. */
struct renderer_info {
    const char *backend;      /* "osmesa", "egl" */
    const char *library;      /* file that was opened */
    const char *gl_version;   /* GL_VERSION */
    const char *glsl_version;
    const char *gl_renderer;  /* GL_RENDERER: "llvmpipe (LLVM 15.0.6, 256 bits)" */
    const char *gl_vendor;
    int max_texture_buffer;   /* texels */
    int max_samples;
};
const struct renderer_info *renderer_info(const struct renderer *renderer);

/*
* Lists what pixels depend on besides scene and frame settings, as names and values in the arena, in this order, or
 * "unknown":
 *     renderer (llvmpipe, softpipe, other), mesa (22.3.6), llvm (15.0.6), vector_bits (256),
 *     architecture (x86_64, aarch64, else as `uname -m` has it),
 *     fma (yes, no: whether llvmpipe fuses multiply and add on this CPU),
 *     shaders (XXH3 over the shaders in effect, ours but for those in place of them, 16 hex digits)
 */
void renderer_fingerprint(const struct renderer_info *info, const struct shader_set *shaders, struct arena *arena,
                          struct fingerprint *out);

/* Uploads a scene; it must outlive the model. NULL with err set when a mesh or texture is larger than GL allows. */
struct gpu_model *gpu_model_create(struct renderer *renderer, const struct scene *scene, struct error *err);
/*
 * The upload format and shaders of the draws and captures that follow; a new model has the default, with our shaders.
 * False with err set, exit code 2, and nothing changed, when GL does not hold the scene's bones that way, or the user's
 * vertex shader does not build or cannot take a mesh. Where upload_format_needs_similarity(), draws fail (exit code 2)
 * on a palette that is none.
 */
bool gpu_model_set_upload(struct gpu_model *model, const struct upload_format *upload_format,
                          struct shader_set *shaders, struct error *err);
/*
 * Says whether the user's vertex shader reads weights as whole numbers: they are bytes then, whatever the upload
 * format; and the scene with such weights, which lives in the arena and shares the rest with the scene itself.
 */
bool gpu_model_rounds_weights(const struct gpu_model *model);
struct scene *gpu_model_rounded_scene(const struct gpu_model *model, struct arena *arena);
void gpu_model_destroy(struct gpu_model *model); /* NULL is fine */

/*
 * Draws one picture; `out` is the caller's (image_release). False with err set: size not in 1..8192, GL does not hold
 * the palettes of all of the crowd, a vertex shader of the user's does not build or does not place them (exit code 2),
 * GL ran out of memory, a shader of ours does not build (1).
 *
 * Opaque and masked surfaces first, in the scene's order; then blended ones back to front by the depth of their posed
 * centre, of a crowd the farthest member first, of each the far side before the near one, without writing depth.
 * Single-sided surfaces seen from behind are left out; mirrored bones are allowed for.
 * Numbers in the palette that are not finite do no harm: what they move is missing or somewhere.
 */
bool draw_crowd(struct renderer *renderer, struct gpu_model *model, const struct crowd *crowd,
                const struct frame_settings *frame_settings, struct image *out, struct error *err);

/*
 * The same in two steps. In between llvmpipe's threads rasterise, while the caller does what takes its time: captures
 * vertices, or ends the drawing that it began before; whatever else is drawn waits for it. NULL with err set. Each is
 * ended or dropped, once.
 */
struct drawing;
struct drawing *draw_crowd_begin(struct renderer *renderer, struct gpu_model *model, const struct crowd *crowd,
                                 const struct frame_settings *frame_settings, struct error *err);
bool drawing_end(struct drawing *drawing, struct image *out, struct error *err);
void drawing_drop(struct drawing *drawing);

/*
 * Draws which binding holds what is seen, so that a change in a picture can be attributed to a bone (of a crowd: not
 * whose). out[height][width], first row on top: 1 + index into scene->bindings for the front-most surface at the
 * pixel's centre, 0 for nothing. Camera, size, culling of single-sided surfaces and the cuts of masked ones are the
 * picture's of the same frame settings; its view, background, overlays and profile play no part, nor do the user's
 * shaders.
 *
 * A triangle belongs to one binding: that with the largest weight (the first of equals) at its last vertex, which is
 * GL's provoking one; so the border between two bones may be off by a triangle. Blended surfaces count as opaque where
 * their alpha is 1/255 or more. A triangle whose last vertex has no influence is 0.
 * False with err set as draw_crowd(), and with 2^24 bindings or more; `out` then holds anything.
 */
bool draw_crowd_identity(struct renderer *renderer, struct gpu_model *model, const struct crowd *crowd,
                         const struct frame_settings *frame_settings, uint32_t *out, struct error *err);

/*
 * Runs the vertex shader alone and captures what it computed by transform feedback: skinned positions (with the place),
 * normals and tangents of one instance of the scene, out->instance, for every member: out[crowd->count], as
 * skin_scene() wants them. For comparison with palette/skin.h. A vertex shader of the user's without outputs of ours
 * gives gl_Position, under matrices that leave it in scene space, and an output that the map calls a normal,
 * normalised; without one `normals` becomes NULL. Of one that does not hand on tangents these become NULL: nothing of
 * the user's need do it. False with err set, exit code 2, when it hands on none of these.
 */
bool draw_crowd_capture(struct renderer *renderer, struct gpu_model *model, const struct crowd *crowd,
                        struct skinned *out, struct error *err);

/*
 * Says whether its library can be opened here. It stays open, so asking before a fork() spares every child the loading
 * of Mesa and LLVM, two thirds of what renderer_create() takes.
 */
bool backend_is_present(enum backend backend);
