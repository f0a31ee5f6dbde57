#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* An import can be asked for repairs of Assimp's faults, and for steps of Assimp's own. */

// clang-format off
/* Assimp's known faults that can be repaired, a row each: REPAIR_..., the name that a user gives, what it repairs. */
#define REPAIRS(X) \
    X(FBX_PIVOTS, "fbx-pivots", \
      "static pivot nodes above a channel that already holds them (FBX, Assimp 5.1.0 to 5.4.3)") \
    X(NAME_CLASH, "name-clash", "bones and channels bound to another node of the same name (a mesh's; in FBX any)") \
    X(GLTF_INTERPOLATION, "gltf-interpolation", "STEP and CUBICSPLINE lost by Assimp before 6.0.5") \
    X(GLTF_INTEGERS, "gltf-integers", "integers of vertices, weights, rotations and morph weights copied bytewise") \
    X(GLTF_MORPH, "gltf-morph", \
      "cubic morph weights mis-sliced, negative ones clamped, those of a node at rest left out") \
    X(NORMALISE_WEIGHTS, "normalise-weights", "weights of a vertex that do not add up to 1") \
    X(UNWEIGHTED, "unweighted", "vertices without weights, which follow the mesh node") \
    X(FBX_OFFSETS, "fbx-offsets", \
      "bone offsets that Assimp 5.4.0 to 5.4.3 gets wrong, and those of meshes that have moved since they were bound") \
    X(FBX_ROOT_AXES, "fbx-root-axes", "the axis matrix that Assimp 5.4 and later put on an FBX root") \
    X(TICK_RATE, "tick-rate", \
      "clips without a tick rate: 60 ticks a second of B3D, 4800 of X whose keys fit that, else 25") \
    X(FBX_SHAPES, "fbx-shapes", \
      "blend shapes of FBX that rest at full weight, or are left out as they have no normals") \
    X(MDL_DURATIONS, "mdl-durations", "clips of Half-Life's MDL that last a second for every frame") \
    X(MDL_PARENTS, "mdl-parents", "bones of Half-Life's MDL that Assimp before 5.4 lists without their parents") \
    X(DAE_CLIPS, "dae-clips", "the clips of a COLLADA file, which Assimp leaves out, or splits where it names none") \
    X(GLTF_INVERSE_BIND, "gltf-inverse-bind", \
      "skins without inverseBindMatrices, on which Assimp crashes: the identity for each joint") \
    X(MDL_ROOT_AXES, "mdl-root-axes", \
      "the root of Half-Life's MDL, which Assimp 5.4 and later turns as if it were Quake's") \
    X(FBX_CURVES, "fbx-curves", \
      "straight lines that Assimp plays between the keys of an FBX file's curves; curves that it loses") \
    X(GLTF_MATERIALS, "gltf-materials", \
      "specular, emissive strength and anisotropy of glTF's extensions, left out by Assimp before 5.3 or 6") \
    X(SHARED_SKIN, "shared-skin", \
      "nodes of glTF that share a skinned mesh, of which Assimp keeps one") \
    X(DAE_CURVES, "dae-curves", \
      "straight lines that Assimp plays between the keys of COLLADA's BEZIER, HERMITE and STEP curves and of angles") \
    X(FBX_GEOMETRIC, "fbx-geometric", \
      "the geometric transform of a skinned mesh, left out by Assimp before 5.4, and of a bone, taken for the bone's") \
    X(FBX_NUMBERS, "fbx-numbers", \
      "numbers of more than 31 characters in ASCII FBX, which Assimp takes for 0; indices to what is not there") \
    X(B3D_MESHES, "b3d-meshes", \
      "bones and clips of a B3D file with several meshes, or with meshes that are not at the origin") \
    X(OGRE_KEYS, "ogre-keys", "translations of keys of Ogre, which are in the parent's space and not in the bone's") \
    X(GLTF_POINTERS, "gltf-pointers", \
      "channels of glTF's KHR_animation_pointer that move a node or its morph weights, left out by Assimp") \
    X(GLTF_GAPS, "gltf-gaps", \
      "glTF files without a scene, accessors without a buffer view, buffers with encoded names, which Assimp refuses") \
    X(DAE_INSTANCES, "dae-instances", \
      "nested nodes, joints, second skeletons, weights and morphed meshes of COLLADA that Assimp loses or mistakes") \
    X(FBX_ROTATION_SPACE, "fbx-rotation-space", \
      "pre- and post-rotations and orders of axes of FBX that the model says do not count") \
    X(FBX_INHERIT_TYPE, "fbx-inherit-type", \
      "models of FBX that leave out their parent's scale, or take it over axis by axis (InheritType)") \
    X(GAME_KEYS, "game-keys", \
      "keys of B3D that count from 1, of X that are no unit quaternions or of a frame around one without a name, " \
      "of MS3D that move in the joint's space")
// clang-format on

#define REPAIR_PLACE(id, name, what) REPAIR_PLACE_OF_##id,
#define REPAIR_BIT(id, name, what) REPAIR_##id = 1 << REPAIR_PLACE_OF_##id,
enum { REPAIRS(REPAIR_PLACE) REPAIR_COUNT };
enum repair { REPAIRS(REPAIR_BIT) REPAIR_ALL = (1 << REPAIR_COUNT) - 1 };

/* "all", "none" or names with commas between -> bits. False with err set (nearest name suggested). */
bool repair_parse(const char *text, uint32_t *repairs, struct error *err);

/* The i-th repair's name and what it repairs, in one line; false past the end. */
bool repair_describe(unsigned index, const char **name, const char **what);

/* "none" or names of Assimp's post-processing steps -> bits. False with err set: an unknown name, or a refused one. */
bool assimp_flags_parse(const char *text, uint32_t *flags, struct error *err);

/* The steps' names with commas between, "none". Appended. */
void assimp_flags_describe(uint32_t flags, struct text *out);

/* The changes of Assimp's steps that keep a repair from finding something in the file by index;
 * assimp_flags_effects(): all steps'. */
enum flag_effect {
    CHANGES_VERTICES = 1 << 0,
    CHANGES_WEIGHTS = 1 << 1,
    CHANGES_MESHES = 1 << 2,
    CHANGES_NODES = 1 << 3,
    CHANGES_KEYS = 1 << 4,
};
unsigned assimp_flags_effects(uint32_t flags);
