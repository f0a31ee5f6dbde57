#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"
#include "base/file/file.h"
#include "data/gltf_document.h"

/*
 * A glTF 2.0 file (.gltf or .glb) read a second time, beside Assimp, and as leniently: a value of the wrong type counts
 * as not there, a JSON chunk may be padded with NULs, a byte that is not UTF-8 becomes '?', base64 may have line breaks
 * and lack padding. Buffers and accessors are read when first asked for, and stay the file's.
 */

/* Keys that lead to an index that is not there, or is no index. */
enum { GLTF_NONE = -1 };

struct gltf_file {
    const char *path; /* the caller's */
    struct blob content;
    json_t *root;    /* an object */
    struct blob bin; /* the BIN chunk, into `content`; without data when there is none */
    size_t buffer_count;
    struct blob *buffers; /* without data before they were asked for; the first may be `bin` */
    size_t buffer_bytes;  /* of all buffers read so far */
    size_t accessor_count;
    float **floats; /* of accessors; NULL before they were asked for */
    uint32_t **indices;
};

/* `path` must outlive the struct, which gltf_close() releases in any case. False with err set: not readable or no
 * glTF. */
bool gltf_open(struct gltf_file *file, const char *path, struct error *err);

/* Makes room for the buffers and accessors that were added to the root. */
void gltf_make_room(struct gltf_file *file);
void gltf_close(struct gltf_file *file);

/* Returns whether asset.version says 2.x. */
bool gltf_is_version_2(const struct gltf_file *file);

/* NULL with err set: no such buffer, not to be found, outside the model's folder, not decodable, too large. */
const struct blob *gltf_buffer(struct gltf_file *file, int64_t index, struct error *err);

/* A file that the model names by a relative URI, of `limit` bytes at most; the caller's. False with err set: not to be
 * found, outside the model's folder. */
bool gltf_read_beside(const char *model, const char *uri, size_t limit, struct blob *out, struct error *err);

/* An array at the top of the file ("nodes"): its length, and an element, NULL when it is not there or no object. */
size_t gltf_count(const struct gltf_file *file, const char *array);
json_t *gltf_item(const struct gltf_file *file, const char *array, int64_t index);

/* A non-negative integer below 2^31; GLTF_NONE when it is not there or anything else. */
int32_t gltf_index(const json_t *object, const char *key);
int32_t gltf_index_at(const json_t *array, size_t index);

/* A byte count or offset: `fallback` when it is not there; false when it is no non-negative integer. */
bool gltf_size(const json_t *object, const char *key, size_t fallback, size_t *out);

const char *gltf_string(const json_t *object, const char *key, const char *fallback);

/* The name Assimp gives a node of the file: its own, or "nodes[7]". Points into the file or the buffer. */
const char *gltf_node_name(const struct gltf_file *file, int32_t node, char buffer[static 32]);

/* Returns whether a name of the file is the one Assimp has: cut off at its length limit, bytes that are no UTF-8
 * being '?' here. */
bool gltf_names_agree(const char *in_file, const char *in_scene);

struct gltf_accessor {
    int32_t index;
    uint32_t count;
    uint32_t width; /* components of an element: SCALAR 1, VEC2 2, VEC3 3, VEC4 and MAT2 4, MAT3 9, MAT4 16 */
    enum gltf_component component;
    bool normalized;
};

/* Looks an accessor up and checks all but its data. False with err set: not there, unknown type, too many elements. */
bool gltf_accessor_find(const struct gltf_file *file, int64_t index, struct gltf_accessor *out, struct error *err);

/*
 * The elements as float: [count * width]; normalised integers c become c/127, c/255, c/32767, c/65535, at least -1.
 * Sparse values count; without a buffer view there are zeros; NaN may be among them. NULL with err set: it reaches past
 * its buffer view or its buffer, a sparse index is out of range, the data is compressed.
 */
const float *gltf_floats(struct gltf_file *file, const struct gltf_accessor *accessor, struct error *err);

/* The elements of an accessor of unsigned integers as they are. NULL as above, or when they are of another kind. */
const uint32_t *gltf_indices(struct gltf_file *file, const struct gltf_accessor *accessor, struct error *err);
