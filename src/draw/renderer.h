#ifndef RIGPROOF_DRAW_RENDERER_H
#define RIGPROOF_DRAW_RENDERER_H

#include "draw/draw.h"
#include "draw/gl/backend.h"
#include "draw/gl/target.h"
#include "draw/shader/palette_store.h"
#include "draw/shader/programs.h"

/* What is behind the opaque types of draw.h; for this folder and its tests. */

struct renderer {
    struct gl_context context;
    struct renderer_info info;
    struct programs programs;
    struct shader_set *shaders; /* the user's, those read so far */
    struct target target;
    uint32_t tile;             /* edge of the largest square drawn at once, in pixels of the image */
    uint8_t *samples;          /* malloc'd: what is read back of a tile; [samples_size] */
    size_t samples_size;
    struct palette_store palette;
    GLuint weight_buffer;      /* active morph weights of every instance; 0 before there were any */
    GLuint weight_texture;
    GLuint binding_colors_buffer; /* 0 until a view needs it */
    GLuint binding_colors_texture;
    GLuint overlay_array;
    GLuint overlay_buffer;
};

enum { RENDERER_TILE = 2048 };

/* For tests: draws in tiles of another size. */
void renderer_set_tile(struct renderer *renderer, uint32_t pixels);

struct gpu_mesh {
    const struct mesh *mesh;
    enum influence_form influences;
    enum weight_format weights;
    unsigned bone_bits;       /* of an index in the attributes: 8, 16 or 32, as the mesh's bones need */
    bool signed_bones;        /* unused slots are -1, as the user's shader has it; else they repeat the first bone */
    GLuint vertex_array;
    GLuint vertices;
    GLuint indices;
    GLuint influence_buffer;  /* 0 unless INFLUENCES_LISTED */
    GLuint influence_texture;
    GLuint morph_buffer;      /* 0 without morph targets */
    GLuint morph_texture;
    float (*bone_sums)[4];    /* [max(bone_count, 1)]: sum of weight * position, sum of weights; then for each morph
                                 target as many: sum of weight * delta */
};

struct gpu_model {
    struct renderer *renderer;
    const struct scene *scene;
    struct upload_format upload_format;
    struct shader_set *shaders; /* of the renderer; NULL: ours */
    struct gpu_mesh *meshes;  /* [scene->mesh_count] */
    GLuint *textures;         /* [scene->texture_count] */
};

/* Uploads the palette for the draws of this model that follow. */
bool gpu_model_upload_palette(struct gpu_model *model, const struct palette *palette, struct error *err);

/* Fills bone_sums. False when out of memory. */
bool gpu_mesh_sum_bones(struct gpu_mesh *mesh);

/* Mean of an instance's vertices as the palette morphs and poses them. */
void gpu_model_centroid(const struct gpu_model *model, const struct palette *palette, uint32_t instance, double out[3]);

/* Binds mesh and material and sets the uniforms that belong to an instance; `program` is in use. */
void gpu_model_bind(const struct gpu_model *model, uint32_t instance, const struct program *program);

#endif
