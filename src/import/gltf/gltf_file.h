#ifndef RIGPROOF_IMPORT_GLTF_FILE_H
#define RIGPROOF_IMPORT_GLTF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"
#include "base/file/file.h"

/*
 * A glTF 2.0 file (.gltf or .glb) read a second time, beside Assimp. Nothing in it is believed: a value of
 * the wrong type counts as not there, an index is checked before use, and a buffer is only as long as its
 * bytes are. Buffers are read when first asked for.
 *
 * Lenient where Assimp is: binary or text goes by the first bytes, not by the file's name; a JSON chunk may
 * be padded with NULs; a name may hold bytes that are not UTF-8 (each becomes '?').
 */

/* Sizes beyond which a file is refused: of one file, and of all buffers together. */
#define GLTF_FILE_LIMIT ((size_t)1 << 30)
#define GLTF_BUFFERS_LIMIT ((size_t)1 << 31)

/* Keys that lead to an index that is not there, or is no index. */
enum { GLTF_NONE = -1 };

struct gltf_buffer {
    const unsigned char *data; /* NULL before it was asked for */
    size_t size;
    struct blob own; /* what has to be freed: `data` may also point into gltf_file.content */
};

struct gltf_file {
    char *path;
    struct blob content;
    json_t *root;             /* an object */
    const unsigned char *bin; /* the BIN chunk, into `content`; NULL when there is none */
    size_t bin_size;
    size_t buffer_count;
    struct gltf_buffer *buffers;
    size_t buffer_bytes; /* of all buffers read so far */
};

/*
 * Reads the file's JSON. The struct is the caller's, who calls gltf_close() in any case. False with err set:
 * not readable, too large, no JSON object, a broken container.
 */
bool gltf_open(struct gltf_file *file, const char *path, struct error *err);

/* Frees what the struct holds. A zeroed struct is fine. */
void gltf_close(struct gltf_file *file);

/* Whether asset.version says 2.x. */
bool gltf_is_version_2(const struct gltf_file *file);

/* The bytes of a buffer; they stay the file's. False with err set: no such buffer, not to be found, outside
 * the model's folder, not decodable, too large. */
bool gltf_buffer_read(struct gltf_file *file, int64_t index, const unsigned char **data, size_t *size,
                      struct error *err);

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Elements of an array at the top of the file ("nodes"): 0 when there is none. */
size_t gltf_count(const struct gltf_file *file, const char *array);

/* Element `index` of such an array; NULL when it is not there or no object. */
json_t *gltf_item(const struct gltf_file *file, const char *array, int64_t index);

/* A non-negative integer below 2^31 under `key`; GLTF_NONE when it is not there or anything else. */
int32_t gltf_index(const json_t *object, const char *key);

/* The same for an element of an array. */
int32_t gltf_index_at(const json_t *array, size_t index);

/* A byte count or offset: `fallback` when it is not there; false when it is no non-negative integer. */
bool gltf_size(const json_t *object, const char *key, size_t fallback, size_t *out);

/* A string, or `fallback`. */
const char *gltf_string(const json_t *object, const char *key, const char *fallback);

#endif
