#ifndef RIGPROOF_IMPORT_GLTF_KEYS_H
#define RIGPROOF_IMPORT_GLTF_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/scene/scene.h"
#include "import/gltf/gltf_accessor.h"

/* The samplers of an animation, read from the file. */

struct gltf_sampler {
    struct gltf_accessor input;  /* key times, seconds */
    struct gltf_accessor output; /* values; CUBICSPLINE: in-tangent, value, out-tangent of each key */
    enum interpolation interpolation;
};

/*
 * Looks a sampler up. False with err set: not there, an accessor is missing or of no known type, the input is
 * not SCALAR, no keys, or fewer values than the keys need.
 */
bool gltf_sampler_find(const struct gltf_file *file, const json_t *animation, int32_t index,
                       struct gltf_sampler *out, struct error *err);

/* Whether times or values are stored as integers, which Assimp copies byte by byte into its floats. */
bool gltf_sampler_is_integer(const struct gltf_sampler *sampler);

/*
 * The keys of a sampler as the scene holds them, in the arena. Times are the file's floats, exactly. Values
 * are not checked: whoever finishes the clips checks all keys alike. `as` is the sampler's own interpolation,
 * or a simpler one: the values of a CUBICSPLINE without its tangents.
 *
 * *width: numbers of a value. 0 asks for as many as there are for each key (morph weights), and is set to
 * that. False with err set: unreadable, or the number of values is no multiple of the number of keys.
 */
bool gltf_keys_read(struct gltf_file *file, const struct gltf_sampler *sampler, enum interpolation as,
                    uint32_t *width, struct arena *arena, struct keys *out, struct error *err);

/*
 * Whether the importer's keys can be those of the sampler: as many (one or three values a key), and, unless
 * `count_only`, with the same values. Integers are not compared. `clamped`: negative numbers were made zero.
 */
bool gltf_keys_agree(struct gltf_file *file, const struct gltf_sampler *sampler, const struct keys *keys,
                     uint32_t width, bool count_only, bool clamped);

/*
 * A node's own translation, rotation or scale, as the file or the specification's default has it:
 * component_width() numbers. False when the node has a matrix instead.
 */
bool gltf_node_value(const struct gltf_file *file, int32_t node, enum component component,
                     float out[static 4]);

/* Whether a stored value, tangents aside, is negative; false when it cannot be read. */
bool gltf_sampler_has_negative(struct gltf_file *file, const struct gltf_sampler *sampler);

#endif
