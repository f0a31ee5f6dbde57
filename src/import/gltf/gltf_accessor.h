#ifndef RIGPROOF_IMPORT_GLTF_ACCESSOR_H
#define RIGPROOF_IMPORT_GLTF_ACCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "import/gltf/gltf_file.h"

/*
 * Accessors of a glTF 2.0 file, sections 3.6.2 and 3.6.2.2 of the specification: strides, sparse values,
 * normalised integers, zeros where there is no buffer view.
 */

enum gltf_component {
    GLTF_BYTE = 5120,
    GLTF_UNSIGNED_BYTE = 5121,
    GLTF_SHORT = 5122,
    GLTF_UNSIGNED_SHORT = 5123,
    GLTF_UNSIGNED_INT = 5125,
    GLTF_FLOAT = 5126,
};

/* Components (count times width) beyond which an accessor is refused. */
enum { GLTF_ACCESSOR_LIMIT = 1 << 27 };

struct gltf_accessor {
    uint32_t count;
    uint32_t width; /* components of an element: SCALAR 1, VEC2 2, VEC3 3, VEC4 and MAT2 4, MAT3 9, MAT4 16 */
    enum gltf_component component;
    bool normalized;
    const json_t *json; /* the file's */
};

/* Looks an accessor up and checks all but its data. False with err set: not there, unknown type, too many
 * elements. */
bool gltf_accessor_find(const struct gltf_file *file, int64_t index, struct gltf_accessor *out,
                        struct error *err);

/*
 * The elements as float: out[count * width], the caller's. Normalised integers become c/127, c/255, c/32767,
 * c/65535, signed ones at least -1; other integers stay the number they are. Nothing is said about NaN and
 * infinity. False with err set: it reaches past its buffer view or its buffer, a sparse index is out of
 * range, the data is compressed.
 */
bool gltf_accessor_floats(struct gltf_file *file, const struct gltf_accessor *accessor, float *out,
                          struct error *err);

/* The elements of an accessor of unsigned integers as they are: out[count * width]. False as above, or when
 * the components are of another kind. */
bool gltf_accessor_indices(struct gltf_file *file, const struct gltf_accessor *accessor, uint32_t *out,
                           struct error *err);

#endif
