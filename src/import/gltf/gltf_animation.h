#ifndef RIGPROOF_IMPORT_GLTF_ANIMATION_H
#define RIGPROOF_IMPORT_GLTF_ANIMATION_H

#include "data/scene/scene.h"
#include "import/gltf/gltf_file.h"

/* ---- the samplers of an animation -------------------------------------------------------------------------------- */

struct gltf_sampler {
    struct gltf_accessor input;  /* key times, seconds */
    struct gltf_accessor output; /* values; CUBICSPLINE: in-tangent, value, out-tangent of each key */
    enum interpolation interpolation;
};

/*
 * Looks a sampler up. False with err set: not there, an accessor is missing or of no known type, the input is not SCALAR,
 * no keys, or fewer values than the keys need.
 */
bool gltf_sampler_find(const struct gltf_file *file, const json_t *animation, int32_t index, struct gltf_sampler *out,
                       struct error *err);

/* Whether times or values are stored as integers, which Assimp copies byte by byte into its floats. */
bool gltf_sampler_is_integer(const struct gltf_sampler *sampler);

/*
 * The keys of a sampler as the scene holds them, in the arena. Times are the file's floats, exactly. Values are not
 * checked: whoever finishes the clips checks all keys alike. `as` is the sampler's own interpolation, or a simpler one: the
 * values of a CUBICSPLINE without its tangents.
 *
 * *width: numbers of a value. 0 asks for as many as there are for each key (morph weights), and is set to that. False with
 * err set: unreadable, or the number of values is no multiple of the number of keys.
 */
bool gltf_keys_read(struct gltf_file *file, const struct gltf_sampler *sampler, enum interpolation as, uint32_t *width,
                    struct arena *arena, struct keys *out, struct error *err);

/*
 * Whether the importer's keys can be those of the sampler: as many (one or three values a key), and, unless `count_only`,
 * with the same values. Integers are not compared. `clamped`: negative numbers were made zero.
 */
bool gltf_keys_agree(struct gltf_file *file, const struct gltf_sampler *sampler, const struct keys *keys, uint32_t width,
                     bool count_only, bool clamped);

/* Whether a stored value, tangents aside, is negative; false when it cannot be read. */
bool gltf_sampler_has_negative(struct gltf_file *file, const struct gltf_sampler *sampler);

/*
 * A node's own translation, rotation or scale, as the file or the specification's default has it: component_width()
 * numbers. False when the node has a matrix instead.
 */
bool gltf_node_value(const struct gltf_file *file, int32_t node, enum component component, float out[static 4]);

/* ---- what an animation moves, node by node ----------------------------------------------------------------------- */

/* After the components of a transform. */
enum { GLTF_WEIGHTS = COMPONENT_COUNT, GLTF_PATH_COUNT };

/* A node, and which channel of the clip Assimp made of what moves it. */
struct gltf_target {
    int32_t node;                      /* of the file */
    int32_t samplers[GLTF_PATH_COUNT]; /* of the animation, by enum component, then GLTF_WEIGHTS; GLTF_NONE: not moved */
    int32_t channel;                   /* of the clip; GLTF_NONE when none is certain */
    int32_t morph;                     /* of the clip's morphs; GLTF_NONE likewise */
};

struct gltf_targets {
    size_t count;
    struct gltf_target *items;
    size_t orphans; /* channels of the file that name no node or no property known to glTF 2.0: to be ignored, but Assimp
                     * takes them for translations and such of a node they do not name */
};

/*
 * The targets of an animation, in the arena, matched with the clip's channels: Assimp makes one for each node, in the order
 * of a hash table, and names the node but does not number it; where several have one name their keys decide.
 */
struct gltf_targets gltf_targets_find(struct gltf_file *file, const json_t *animation, const struct clip *clip,
                                      struct arena *arena);

#endif
