#ifndef RIGPROOF_IMPORT_GLTF_FIXES_H
#define RIGPROOF_IMPORT_GLTF_FIXES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "data/scene/scene.h"

struct aiScene;

/* Whether the file's name ends as a glTF file's does. */
bool gltf_is_named(const struct scene *scene);

/*
 * Reads a glTF 2.0 file a second time and puts back what Assimp lost on the way. Any other scene is left
 * alone.
 *
 *   gltf-interpolation  STEP and CUBICSPLINE of translations, rotations and scales, with the file's exact key times
 *   gltf-integers       keys, morph weights and vertex weights stored as integers
 *   gltf-morph          morph weights with CUBICSPLINE, with STEP, or negative; a node's own weights at rest
 *   name-clash          channels and bones bound by index where a name is not unique
 *
 * `scene` is what was converted from `source`, before anything was finished: nodes[] is the aiNode tree in
 * pre-order, meshes[i] is mMeshes[i], bones of a mesh in order, clips[i] is mAnimations[i]; keys and weights
 * as Assimp gave them, NaN included. After it the caller checks, sorts and normalises keys and weights, and
 * calls scene_bind(). Where keys were read again the clip's duration is the time of its last key.
 *
 * Each repair that changed a clip or a mesh adds a note with the repair's name. What cannot be read again
 * stays as Assimp has it, and a warning "gltf-unread" says why; that is no error. False with err set only
 * when the file's weights are wrong themselves: a joint that the skin does not have, a weight that is not
 * finite.
 *
 * `repairs`: enum repair of import/import.h; the others are ignored. New arrays are in the scene's arena.
 */
bool gltf_fix(struct scene *scene, const struct aiScene *source, uint32_t repairs, unsigned effects,
               struct error *err);

#endif
