#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* A glTF 2.0 document that is being made: its JSON, and the one buffer that its accessors lie in. */

struct json_t; /* jansson's */

/* Sections 3.6.2 and 3.6.2.2 of the specification. */
enum gltf_component {
    GLTF_BYTE = 5120,
    GLTF_UNSIGNED_BYTE = 5121,
    GLTF_SHORT = 5122,
    GLTF_UNSIGNED_SHORT = 5123,
    GLTF_UNSIGNED_INT = 5125,
    GLTF_FLOAT = 5126,
};

enum gltf_view_target { GLTF_NO_TARGET = 0, GLTF_ARRAY_BUFFER = 34962, GLTF_ELEMENT_ARRAY_BUFFER = 34963 };

enum { GLTF_NO_VIEW = -1 };

struct gltf_document {
    struct json_t *root, *accessors, *views;
    struct text bytes;
};

/* Numbers that become an accessor. */
struct gltf_column {
    const double *numbers; /* [count * width], integers as they are stored */
    uint32_t count;
    uint32_t width; /* of an element: of 4 numbers it is VEC4, which MAT2 becomes too */
    enum gltf_component component;
    bool is_normalised, has_range;
    enum gltf_view_target target; /* of its buffer view */
};

unsigned gltf_component_size(enum gltf_component component);

/* `root` is the document's from then on; NULL is an empty one. */
struct gltf_document gltf_document_create(struct json_t *root);
void gltf_document_release(struct gltf_document *document);

/* A view and an accessor of the column's own, at a multiple of four bytes; a vertex' numbers fill multiples of four
 * too. The numbers begin `skipped` bytes into the view. Returns the accessor. */
uint32_t gltf_add_column(struct gltf_document *document, const struct gltf_column *column, size_t skipped);

/* The steps of it: zeros up to a multiple of four bytes, of which the new size is returned; elements from `first` on;
 * a view over what was written from `offset` on, whose stride is not said where it is 0; an accessor. */
size_t gltf_align(struct gltf_document *document);
void gltf_add_elements(struct gltf_document *document, const struct gltf_column *column, size_t first, size_t count);
int32_t gltf_add_view(struct gltf_document *document, size_t offset, size_t stride, enum gltf_view_target target);
uint32_t gltf_add_accessor(struct gltf_document *document, const struct gltf_column *column, int32_t view,
                           size_t offset);

/* Puts accessors, views and the buffer into the root, its bytes in a data URI where `embeds`. */
void gltf_document_finish(struct gltf_document *document, bool embeds);

/* Appends a GLB: the JSON, and where `bin` is not NULL a chunk of its bytes. */
void gltf_add_container(struct text *out, const char *json, const void *bin, size_t size);
