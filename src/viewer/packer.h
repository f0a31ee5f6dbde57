#pragma once

#include "base/json.h"
#include "viewer/viewer.h"

/*
 * Numbers of a content: all in one run of bytes, little-endian, which the JSON has as base64 at its end. In its place
 * in the JSON an array is [type, first byte, count], and of a quantised one [type, first byte, count, offset, step]
 * more: number i is offset[i % width] + step[i % width] * (what is there).
 */
struct packer {
    struct json_writer json;
    struct text bytes;
    enum viewer_form form;
    uint32_t most_texels; /* of a texture's width and height: a larger one is halved until it fits */
    const struct scene *first; /* the first model, while the second is packed: textures that it has too are its; NULL */
    const double *times; /* of the keys before: channels mostly have the same */
    uint32_t time_count;
    size_t times_at;
};

enum exactness {
    EXACT,
    OF_RANGE, /* quantised: 16 bits over the range of each of the `width` */
    OF_UNIT8, /* quantised: 8 bits over -1..1 */
    OF_UNIT16,
};

void pack_floats(struct packer *packer, const char *key, const float *values, size_t count, uint32_t width,
                 enum exactness exactness);
void pack_times(struct packer *packer, const char *key, const double *times, uint32_t count);
/* In as few bytes as the largest of them needs. */
void pack_indices(struct packer *packer, const char *key, const uint32_t *values, size_t count);
/* The upper three rows of each, row by row; from the first to the next it is `stride` bytes. */
void pack_matrices(struct packer *packer, const char *key, const void *first, size_t stride, size_t count);

/* Nodes, meshes, materials, textures, clips, as an element of the list `models`. */
void pack_scene(struct packer *packer, const struct scene *scene, bool has_clips);

void pack_mesh(struct packer *packer, const struct mesh *mesh);
void pack_clip(struct packer *packer, const struct clip *clip);
