#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

/*
 * An FBX file of version 7 read a second time, beside Assimp: binary or ASCII, and of it only the objects that animate
 * (Animation...), those that are animated (Model, Geometry, Deformer), their templates (ObjectType), and the
 * connections. Lengths and counts are checked against the bytes there are, and a value of the wrong type counts as not
 * there.
 */

/* Name: property, property { element ... } */
struct fbx_element {
    struct slice name;
    size_t properties; /* where the first one is in the file */
    size_t properties_end;
    uint32_t child, next; /* indices of elements; 0 is none */
};

struct fbx_object {
    int64_t id;
    uint32_t element;
};

/* C: "OO", child, parent, or "OP", child, parent, property */
struct fbx_connection {
    struct fbx_object end;    /* the child's or the parent's id, and the element C */
    int64_t other;            /* the id at the other end */
    struct slice property;    /* empty: the whole object */
};

struct fbx_file {
    const unsigned char *data;
    size_t size;
    bool is_binary;
    uint32_t version;
    uint32_t element_count;
    struct fbx_element *elements;
    uint32_t object_count;
    struct fbx_object *objects; /* by id */
    uint32_t connection_count;
    struct fbx_connection *by_child, *by_parent; /* by the id of that end, then as in the file */
};

/*
 * Reads the structure. `data` (followed by a NUL that is not counted) must outlive the struct, which the caller gives
 * to fbx_close() in any case. Returns NULL, or in words what is wrong with the file.
 */
const char *fbx_open(struct fbx_file *file, const unsigned char *data, size_t size);
void fbx_close(struct fbx_file *file);

/* The child of that name, or 0. Of element 0 these are the ones at the top. */
uint32_t fbx_child(const struct fbx_file *file, uint32_t element, const char *name);

/* The n-th property of an element; false when there is none of that kind. A string is also a letter without quotes. */
bool fbx_integer(const struct fbx_file *file, uint32_t element, unsigned n, int64_t *value);
bool fbx_number(const struct fbx_file *file, uint32_t element, unsigned n, double *value);
bool fbx_string(const struct fbx_file *file, uint32_t element, unsigned n, struct slice *value);

/* The list of numbers that an element consists of, freed by the caller; NULL when there is none, or it is broken. */
double *fbx_array(const struct fbx_file *file, uint32_t element, uint32_t *count);

/* Returns how many the file says there are. */
uint32_t fbx_array_length(const struct fbx_file *file, uint32_t element);

/* An object's name without its class: "hips" of "Model::hips". */
struct slice fbx_object_name(const struct fbx_file *file, uint32_t element);

/* The element of an object, or 0; `type` is the element's name, such as "Model". */
uint32_t fbx_find(const struct fbx_file *file, int64_t id, const char *type);

/* The element of the next object of that type, by id, from *place on, which moves behind it; 0: there is none. */
uint32_t fbx_next(const struct fbx_file *file, uint32_t *place, const char *type);

/* The first `count` numbers of a property: P: "Lcl Scaling", "", "", "", x, y, z. False when it is not there. */
bool fbx_property(const struct fbx_file *file, uint32_t object, const char *name, unsigned count, double *values);

/* A number of a model: its own, or the one that the file's template says, or `fallback`. */
double fbx_model_number(const struct fbx_file *file, uint32_t object, const char *name, double fallback);

/* The connections of an object at that end, as in the file (`list`: file->by_child or by_parent); *count of them. */
const struct fbx_connection *fbx_connections(const struct fbx_file *file, const struct fbx_connection *list, int64_t id,
                                             uint32_t *count);

/* Returns whether a chain of connections leads from an object over `types` (the last one is NULL) to an object of that
 * name. */
bool fbx_leads_to(const struct fbx_file *file, int64_t id, const char *const *types, struct slice name);
