#pragma once

#include <string.h>

#include "data/scene/surface.h"
#include "draw/shader/programs.h"

/* The structs behind the opaque types of draw.h; for this folder and its tests. */

/* The model drawn as depths, and what was made of them (draw/frame/studio.h). */
struct depth_map {
    struct target target;
    uint32_t *depths; /* malloc'd; [height][width] bottom row first, 0 to 2^24 - 1; NO_DEPTH: nothing is there */
    GLuint made;               /* the texture, a byte a pixel */
    float offset[2], scale[2]; /* of a map of the picture: texels = offset + scale * samples of the tile under way */
};

struct renderer {
    struct gl_context context;
    struct renderer_info info;
    struct programs programs;
    struct shader_set *shaders; /* the user's, those read so far */
    bool holds_warnings;        /* of shaders: renderer_warnings() has them, nobody prints them */
    char why_empty[256];        /* of the last picture; renderer_why_empty() */
    struct target target;
    struct depth_map ground, depths; /* of VIEW_STUDIO: the model as the ground sees it, and the camera */
    uint32_t tile;             /* edge of the largest square drawn at once, in pixels of the image; tests have others */
    bool draws_all;            /* culling.c spares nothing; tests hold pictures against this */
    uint8_t *samples;          /* malloc'd: what the next drawing reads a tile into; NULL: one has it */
    struct drawing *under_way; /* whose last part is in the target still; NULL */
    struct palette_store palette;
    struct buffer_texture morph_weights;  /* active ones of every instance */
    struct buffer_texture binding_colors; /* of views that need them */
    struct buffer_texture shown_values;
    GLuint overlay_array;
    GLuint overlay_buffer;
};

enum { RENDERER_TILE = 2048 };

/*
 * Boxes in mesh space of the vertices that each bone holds (a rigid mesh has one), and of each morph target's deltas. A
 * vertex whose weights sum up to 1 lies between the places that its bones take it to: all is within the boxes as the
 * bones take them.
 */
struct mesh_boxes {
    struct bounds *bones;  /* [bone_count]; malloc'd, as the next */
    struct bounds *deltas; /* [target_count] */
    bool known;            /* the weights of every vertex sum up to 1 */
};
struct mesh_boxes mesh_boxes_create(const struct mesh *mesh);
void mesh_boxes_release(struct mesh_boxes *boxes);

struct gpu_mesh {
    const struct mesh *mesh;
    enum influence_form influences;
    enum weight_format weights;
    size_t bone_size;         /* of an index in the attributes: 1, 2 or 4 bytes, as the mesh's bones need */
    struct influence_inputs inputs; /* as the user's shader has them; all zero: ours */
    struct attribute_array {
        GLint components;     /* 0: the mesh has none */
        GLenum type;
        size_t offset;
    } arrays[ATTRIBUTE_COUNT];
    unsigned pointed;         /* number of the contract whose locations the vertex array has; 0: ours */
    GLuint vertex_array;
    GLuint vertices;
    GLuint indices;
    struct buffer_texture influence_list; /* of INFLUENCES_LISTED */
    struct buffer_texture morph_deltas;   /* of a mesh with targets */
    struct mesh_boxes boxes;
};

struct gpu_model {
    struct renderer *renderer;
    const struct scene *scene;
    struct upload_format upload_format;
    struct shader_set *shaders; /* of the renderer; NULL: ours */
    struct gpu_mesh *meshes;  /* [scene->mesh_count] */
    GLuint *textures;         /* [scene->texture_count] */
    struct surface *surfaces; /* [scene->material_count] */
};

/* Into the buffers that the mesh has, weights and bones as told; again where it was done before. */
void gpu_mesh_upload_influences(struct gpu_mesh *mesh, enum weight_format weights,
                                const struct influence_inputs *inputs);

/* Points the vertex array, of GL_ARRAY_BUFFER, at the locations where a program reads its attributes (NULL: ours). */
void gpu_mesh_point(struct gpu_mesh *mesh, const struct contract *contract);

/* One value for all vertices of what has no array: white, no texture, wholly bound to bone 0; unknown ones 0 0 0 1. */
void gpu_mesh_set_constants(const struct gpu_mesh *mesh, const struct contract *contract);

/* Returns what a program for a mesh must do with its vertices; surface and view are the caller's to add. */
struct program_key gpu_model_key(const struct gpu_model *model, const struct gpu_mesh *mesh, enum program_kind kind,
                                 const struct crowd *crowd);

/* False, exit code 2: the upload format needs similarities, a palette is none. Of the crowd in the caller's order. */
bool gpu_model_check_crowd(const struct gpu_model *model, const struct crowd *crowd, struct error *err);

/* Uploads checked palettes and morph weights for the draws that follow. False, exit code 2: GL does not hold them. */
bool gpu_model_upload_crowd(struct gpu_model *model, const struct crowd *crowd, struct error *err);

/* Binds mesh and material and sets the uniforms that belong to an instance; `program` is in use. */
void gpu_model_bind(const struct gpu_model *model, uint32_t instance, const struct program *program,
                    const struct input_values *values);

/* A copy of all of a mesh's influences whose weights are such bytes over 255; malloc'd. */
struct influence *weights_rounded(const struct mesh *mesh);

/*
 * Mipmaps in integers, because what glGenerateMipmap does is the driver's business. Every texel of the next level is
 * the mean, rounded halves up, of the texels it covers (2x2; up to 3 along an odd side), of the bytes as they are.
 * `in` is [height][width][4]; `out` of half the size each way, rounded down, at least 1; not overlapping.
 */
void mipmap_reduce(const uint8_t *in, uint32_t width, uint32_t height, uint8_t *out);

/*
 * Samples -> pixels, in integers, so that every machine rounds alike. `samples` is what GL reads back: 8-bit,
 * sRGB-encoded, alpha premultiplied, last row first, [height * factor][width * factor][4], factor 1 or 2. `out` gets
 * `height` rows from the top, straight alpha, `out_stride` bytes apart. A pixel is the mean of its samples (encoded
 * values, as they are), laid over the background: alpha  = a + (1 - a) * background alpha colour = (c + (1 - a) *
 * background alpha * background colour) / alpha with a and c the means; each result is rounded once, halves up. A pixel
 * that nothing was drawn to is the background's bytes, and an opaque one the mean of its samples.
 */
void resolve_samples(const uint8_t *samples, uint32_t width, uint32_t height, unsigned factor,
                     const uint8_t background[4], uint8_t *out, size_t out_stride);

/* The same for samples that are numbers (bones.frag), one a pixel, red the lowest byte. `out_stride` is in elements. */
void resolve_numbers(const uint8_t *samples, uint32_t width, uint32_t height, uint32_t *out, size_t out_stride);

/* Two neighbouring samples, or texels, as one number. Byte order does not matter: a mask is loaded the same way,
 * channels are treated alike. */
static inline uint64_t pair_at(const uint8_t *samples)
{
    uint64_t pair;
    memcpy(&pair, samples, sizeof pair);
    return pair;
}

/* The mean of a block of 2x2, halves upwards, to be copied to where its four bytes belong. */
static inline uint32_t mean_of_block(uint64_t upper, uint64_t lower)
{
    const uint64_t even = 0x00ff00ff00ff00ff;
    uint64_t sums[2] = {(upper & even) + (lower & even), (upper >> 8 & even) + (lower >> 8 & even)};
    uint32_t means[2];
    for (int i = 0; i < 2; i++) /* the half of 32 bits is the second sample's: two channels of 16 */
        means[i] = (((uint32_t)sums[i] + (uint32_t)(sums[i] >> 32) + 0x00020002) >> 2) & 0x00ff00ff;
    return means[0] | means[1] << 8;
}
