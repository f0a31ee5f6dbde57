#pragma once

#include "base/text.h"
#include "import/scene/convert.h"
#include "import/gltf/gltf_file.h"

/*
 * gltf_rewrite() notes what the file holds that is not played or drawn, and appends it, as text or as GLB, as Assimp is
 * to read it; nothing when it may read the file itself, or the file cannot be read: Assimp says why. c->err is set
 * where it requires what is not honoured. The file in the conversion is rewritten, too, so that gltf_fix() finds what
 * Assimp has read.
 *
 *   gltf-integers       integers of vertices (weights; places and more of KHR_mesh_quantization) as floats
 *   gltf-inverse-bind   identities for skins that lack inverseBindMatrices, which glTF allows and on which Assimp
 *                       crashes, or that have fewer than joints
 *   shared-skin         a mesh for each skin that nodes give to a mesh they share
 *   gltf-pointers       channels of KHR_animation_pointer as ordinary ones, where they move what a clip can
 *   gltf-gaps           a scene where there is none, zeros where an accessor has no buffer view, buffers whose names
 *                       are percent-encoded
 */

/* Makes ordinary channels of those of pointers where it `plays` them. Returns how many; `lost` lists the others by
 * what they move. */
size_t gltf_resolve_pointers(const struct gltf_file *file, bool plays, json_t *lost);

/* The extensions of the file that are not, or not all, read and drawn: an object with their names, which the caller
 * releases. */
json_t *gltf_find_lost(const struct gltf_file *file);

/* The notes of gltf_rewrite(), once for the whole file. False with c->err set, as there. */
bool gltf_list_lost(struct conversion *c, const json_t *lost);

/* The id of the note that a file is glTF 1.0 and has what Assimp does not read of it. */
#define GLTF_VERSION_1 "gltf-1.0"

/* Returns whether a primitive's numbers are compressed in a way that this reader does not know. */
bool gltf_is_draco(const json_t *primitive);

/* Sets c->err to the required extensions that Assimp, which gave this message, cannot read, and what decodes them. */
void gltf_explain_refusal(struct conversion *c, const char *message);

/*
 * gltf_fix() puts back what Assimp lost on the way of a glTF 2.0 file.
 *
 *   gltf-interpolation  STEP and CUBICSPLINE of translations, rotations and scales, with the file's exact key times
 *   gltf-integers       keys and morph weights stored as integers
 *   gltf-morph          morph weights with CUBICSPLINE, with STEP, or negative; a node's own weights at rest
 *   gltf-materials      numbers of extensions that this Assimp does not read
 *   name-clash          channels and bones bound by index where a name is not unique
 *
 * The scene is what was converted, before anything was finished. What cannot be read again stays as Assimp has it, with
 * a warning "gltf-unread".
 */
enum {
    GLTF_FIXES = REPAIR_NAME_CLASH | REPAIR_GLTF_INTERPOLATION | REPAIR_GLTF_INTEGERS | REPAIR_GLTF_MORPH |
                 REPAIR_GLTF_MATERIALS
};

/* The primitives that a mesh of the scene was made from. */
struct gltf_mesh_use {
    const json_t *primitive; /* NULL when no node uses it */
    int32_t skin; /* GLTF_NONE for a rigid mesh, and one that nodes skin differently ("shared-skin" is off) */
};

/*
 * Says which node and mesh of the scene is which one of the file. Assimp keeps no index, but the shape of the node tree
 * and on each node the primitives of its mesh in order. The arrays are the scene's arena's.
 */
struct gltf_repair {
    struct conversion *c;
    struct gltf_file *file;
    unsigned effects; /* enum flag_effect: what Assimp was asked to rearrange */
    bool is_mapped;   /* false: nodes are not the file's, nothing is found by index, and the arrays mean nothing */
    uint32_t file_node_count;
    int32_t *scene_node;        /* [file_node_count] the first scene node made from it, or NO_INDEX */
    int32_t *file_node;         /* [scene->node_count] GLTF_NONE for the root that Assimp adds above several */
    struct gltf_mesh_use *uses; /* [scene->mesh_count] */
};

/* The id of the warnings about what could not be read again. */
#define GLTF_UNREAD "gltf-unread"

/* The scene node of a file node; NO_INDEX when it is not in the scene, or not known. */
int32_t gltf_scene_node(const struct gltf_repair *repair, int32_t file_node);

/* The parts of gltf_fix(): clips, bones bound to the joint the file means, notes, warnings. */
void gltf_fix_clips(const struct gltf_repair *repair);
void gltf_fix_joints(const struct gltf_repair *repair);
void gltf_check(const struct gltf_repair *repair);

struct gltf_sampler {
    struct gltf_accessor input;  /* key times, seconds */
    struct gltf_accessor output; /* values; CUBICSPLINE: in-tangent, value, out-tangent of each key */
    enum interpolation interpolation;
};

/* False with err set: not there, an accessor of no known type, the input not SCALAR, no keys or too few values. */
bool gltf_sampler_find(const struct gltf_file *file, const json_t *animation, int32_t index, struct gltf_sampler *out,
                       struct error *err);

/* Returns whether times or values are stored as integers, which Assimp copies byte by byte into its floats. */
bool gltf_sampler_is_integer(const struct gltf_sampler *sampler);

/*
 * The keys of a sampler as the scene holds them, in the arena, not checked. `as`: the sampler's own interpolation, or a
 * simpler one (a CUBICSPLINE without its tangents). *width: numbers of a value; 0 is set to as many as there are for
 * each key (morph weights). False with err set: unreadable, or the values are no multiple of the keys.
 */
bool gltf_keys_read(struct gltf_file *file, const struct gltf_sampler *sampler, enum interpolation as, uint32_t *width,
                    struct arena *arena, struct keys *out, struct error *err);

/* Returns whether the importer's keys can be the sampler's: as many, and unless `count_only` or stored as integers
 * of the same values. `clamped`: they are morph weights, `width` of them a key, and negative ones were made zero. */
bool gltf_keys_agree(struct gltf_file *file, const struct gltf_sampler *sampler, const struct keys *keys,
                     uint32_t width, bool count_only, bool clamped);

/* Returns whether a stored value, tangents aside, is negative; false when it cannot be read. */
bool gltf_sampler_has_negative(struct gltf_file *file, const struct gltf_sampler *sampler);

/* A node's own value, or the specification's default: component_width() numbers. False when the node has a matrix. */
bool gltf_node_value(const struct gltf_file *file, int32_t node, enum component component, float out[static 4]);

/* After the components of a transform. */
enum { GLTF_WEIGHTS = COMPONENT_COUNT, GLTF_PATH_COUNT };
extern const char *const gltf_paths[GLTF_PATH_COUNT]; /* as channels call them: "translation" */

/* A node that an animation moves, and which channel of the clip Assimp made of that. */
struct gltf_target {
    int32_t node;                      /* of the file */
    int32_t samplers[GLTF_PATH_COUNT]; /* of the animation; GLTF_NONE: not moved */
    int32_t channel, morph;            /* of the clip's channels and morphs; GLTF_NONE when none is certain */
};

struct gltf_targets {
    size_t count;
    struct gltf_target *items;
    size_t orphans; /* channels of no node or no known property, which Assimp takes for those of some node */
    size_t doubled;  /* channels of what an earlier channel moves, too */
    size_t matrices; /* channels of the transform of a node that has a matrix */
};

/*
 * The targets of an animation, in the arena, matched with the clip's channels: Assimp makes one for each node, in the
 * order of a hash table, and names the node but does not number it; where several have one name their keys decide.
 */
struct gltf_targets gltf_targets_find(struct gltf_file *file, const json_t *animation, const struct clip *clip,
                                      struct arena *arena);
