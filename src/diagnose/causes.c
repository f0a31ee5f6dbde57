/* The table of causes. */
#include "diagnose/causes.h"

const char *const cause_stage_names[CAUSE_STAGES] = {"import", "animate", "palette", "skin", "draw"};

/* Among several that explain all, the earlier one is named first. */
const struct cause_row cause_table[CAUSE_COUNT] = {
    [CAUSE_UNIT_SCALE] = {"unit-scale", CAUSE_IMPORT, "lengths are in another unit",
                          "convert once: vertices, offsets, nodes and keys together, or none of them"},
    [CAUSE_AXES_SWAPPED] = {"axes-swapped", CAUSE_IMPORT, "axes are turned or swapped",
                            "leave the file's axes alone, or turn the whole scene by one matrix at its root"},
    [CAUSE_MIRRORED] =
        {"mirrored", CAUSE_IMPORT, "one axis is mirrored",
         "a change of handedness concerns vertices, offsets, nodes and keys alike, and turns faces around"},
    [CAUSE_PIVOTS_DROPPED] = {"pivots-dropped", CAUSE_IMPORT, "FBX pivots (nodes `..._$AssimpFbx$_...`) are left out",
                              "walk all nodes of the hierarchy, also those that no channel and no bone names"},
    [CAUSE_PIVOTS_TWICE] = {"pivots-twice", CAUSE_IMPORT, "FBX pivots (nodes `..._$AssimpFbx$_...`) are applied twice",
                            "a pivot node is in the hierarchy already: do not add it to its bone's transform"},
    [CAUSE_OFFSET_MISSING] = {"offset-missing", CAUSE_IMPORT, "the offset (inverse bind) matrix is left out",
                              "LearnOpenGL: finalBonesMatrices[i] = globalTransformation * offset; ogldev: "
                              "GlobalInverseTransform * GlobalTransformation * OffsetMatrix"},
    [CAUSE_OFFSET_TRANSPOSED] = {"offset-transposed", CAUSE_IMPORT, "the offset matrix is transposed",
                                 "Assimp stores rows and glm columns: transpose aiBone::mOffsetMatrix once when it is "
                                 "copied; glTF's inverseBindMatrices are columns already"},
    [CAUSE_OFFSET_INVERTED] =
        {"offset-inverted", CAUSE_IMPORT, "the inverse of the offset matrix is used",
         "aiBone::mOffsetMatrix and glTF's inverseBindMatrices go from mesh to bone already: do not "
         "invert them"},
    [CAUSE_OFFSET_OTHER] = {"offset-of-other-bone", CAUSE_IMPORT, "bones have the offset matrices of other bones",
                            "keep an offset with the bone's own name or joint: glTF's k-th inverse bind matrix is for "
                            "joints[k] of that skin"},
    [CAUSE_OFFSET_FIRST] =
        {"offset-first-of-scene", CAUSE_IMPORT,
         "a bone has one offset for the whole scene: that of the first mesh that binds it",
         "LearnOpenGL's m_BoneInfoMap is by name: make it one per mesh, as each mesh has its own offsets"},
    [CAUSE_OFFSET_LAST] = {"offset-last-of-scene", CAUSE_IMPORT,
                           "a bone has one offset for the whole scene: that of the last mesh that binds it",
                           "ogldev's m_BoneNameToIndexMap is one for the scene: keep offsets per mesh"},
    [CAUSE_REST_FOR_BIND] = {"rest-for-bind", CAUSE_IMPORT,
                             "the inverse of the rest pose is taken for the offset matrix",
                             "the file has offset matrices of its own; its rest pose need not be the bind pose"},
    [CAUSE_BONES_CUT] =
        {"bones-cut", CAUSE_IMPORT, "bones beyond a limit are left out",
         "MAX_BONES of LearnOpenGL and ogldev is 100, that of the palette article 128: make the array as "
         "large as the model needs, or a texture buffer"},
    [CAUSE_JOINTS_BY_NAME] = {"joints-by-name", CAUSE_IMPORT, "bones are found by name where several nodes have it",
                              "glTF's joints and Assimp's aiBone::mNode are nodes: keep the index, not the name"},
    [CAUSE_FIRST_FOUR] = {"weights-first-four", CAUSE_IMPORT,
                          "of more than four influences the first that come are kept, not the largest",
                          "LearnOpenGL's SetVertexBoneData fills free slots: sort by weight first and rescale; or "
                          "aiProcess_LimitBoneWeights"},
    [CAUSE_SMALL_DROPPED] = {"weights-small-dropped", CAUSE_IMPORT, "small weights are dropped",
                             "the thesis drops weights up to 0.1: keep the four largest and rescale them"},
    [CAUSE_NOT_RESCALED] = {"weights-not-rescaled", CAUSE_IMPORT, "weights are dropped and the rest is not rescaled",
                            "divide the weights that are kept by their sum"},
    [CAUSE_RESCALED] = {"weights-rescaled", CAUSE_IMPORT, "weights are rescaled that do not add up to 1 in the file",
                        "use the file's weights as they are, or fix the file"},
    [CAUSE_IN_BYTES] = {"weights-in-bytes", CAUSE_IMPORT, "weights are rounded to bytes",
                        "a byte holds 1/255: divide the position by the sum of the weights, or keep floats or 16 bits"},
    [CAUSE_SHUFFLED] = {"weights-shuffled", CAUSE_IMPORT, "weights belong to other bones of the same vertex",
                        "sort bone ids and weights together"},
    [CAUSE_RESAMPLED] = {"resampled", CAUSE_IMPORT, "the clip was resampled",
                         "import with the file's own keys, or at a higher rate"},
    [CAUSE_QUANTISED] = {"keys-quantised", CAUSE_IMPORT, "keys are rounded to few bits",
                         "keep keys as floats, or allow for it: --tolerance says by how much poses may drift"},
    [CAUSE_TIME_SCALE] =
        {"time-scale", CAUSE_ANIMATE, "time runs at another rate",
         "ticks = seconds * ticksPerSecond, a double, 25 where the file says 0; LearnOpenGL keeps it in an "
         "int, which cuts 29.97 to 29; glTF has seconds"},
    [CAUSE_TIME_SHIFT] = {"time-shift", CAUSE_ANIMATE, "the clip is sampled at another time",
                          "sample at the time that is asked for; a clip's first key need not be at 0"},
    [CAUSE_TIME_ROUNDED] = {"time-rounded", CAUSE_ANIMATE, "time is rounded to whole frames",
                            "interpolate between keys: a frame number is no time"},
    [CAUSE_LOOP_RULE] =
        {"loop-rule", CAUSE_ANIMATE, "the clip's end is another rule",
         "fmod (LearnOpenGL, ogldev, the thesis) shows the first frame at time = duration; hold the last one "
         "there, or wrap only beyond it"},
    [CAUSE_FIRST_KEY] = {"time-from-first-key", CAUSE_ANIMATE, "time counts from the clip's first key",
                         "a clip's time 0 is 0, also where its first key comes later (glTF 2.0 section 3.11)"},
    [CAUSE_EARLY] =
        {"before-first-key", CAUSE_ANIMATE, "a component is not held before its first key",
         "clamp the share of the way between two keys to 0 and 1, as the thesis does; LearnOpenGL does not, and the "
         "palette article blends from the identity"},
    [CAUSE_LATE] = {"after-last-key", CAUSE_ANIMATE, "a component is not held after its last key",
                    "a channel that ends before the clip keeps its last value: clamp the share of the way between two "
                    "keys to 0 and 1"},
    [CAUSE_OTHER_CLIP] =
        {"other-clip", CAUSE_ANIMATE, "another clip plays",
         "LearnOpenGL and ogldev take mAnimations[0]: choose by name; importers list clips in different orders"},
    [CAUSE_BACKWARDS] = {"backwards", CAUSE_ANIMATE, "the clip plays backwards",
                         "time grows: duration - time was sampled"},
    [CAUSE_NOT_ANIMATED] =
        {"not-animated", CAUSE_ANIMATE, "the rest pose is shown, no clip plays",
         "look whether channels find their nodes by name, and whether time advances (UpdateAnimation of "
         "LearnOpenGL, BoneTransform of ogldev)"},
    [CAUSE_CHANNEL_OTHER] = {"channel-of-other-bone", CAUSE_ANIMATE, "a bone is moved by the channel of another bone",
                             "find a channel's bone by the node that the file names, not by its place in a list"},
    [CAUSE_STALE_BONE] = {"stale-bone", CAUSE_ANIMATE, "a bone is at another time than the others",
                          "update all bones of a frame, also those that are culled, cached or far away"},
    [CAUSE_ADDITIVE] =
        {"additive-on-rest", CAUSE_ANIMATE, "what is keyed is added to the rest pose",
         "keys replace a node's translation, rotation and scale; only additive clips come on top of them"},
    [CAUSE_EASE] = {"ease-between-keys", CAUSE_ANIMATE, "the way between two keys is eased",
                    "linear keys are mixed by (time - before) / (after - before), without a curve on it"},
    [CAUSE_EULER] = {"euler-interpolated", CAUSE_ANIMATE, "rotations are interpolated as Euler angles",
                     "slerp quaternions; angles about three axes take another arc between the same two keys"},
    [CAUSE_STEP_AS_LINEAR] = {"step-as-linear", CAUSE_ANIMATE, "step keys are interpolated",
                              "the value of a step key holds until the next key"},
    [CAUSE_LINEAR_AS_STEP] = {"linear-as-step", CAUSE_ANIMATE, "keys are not interpolated",
                              "mix between the key before and the one after by (time - before) / (after - before)"},
    [CAUSE_CUBIC_AS_LINEAR] = {"cubic-as-linear", CAUSE_ANIMATE, "cubic curves are taken for straight lines",
                               "glTF 2.0 appendix C: CUBICSPLINE has in-tangent, value, out-tangent a key"},
    [CAUSE_CUBIC_AS_STEP] = {"cubic-as-step", CAUSE_ANIMATE, "cubic curves hold each key",
                             "glTF 2.0 appendix C: CUBICSPLINE has in-tangent, value, out-tangent a key"},
    [CAUSE_TANGENTS] = {"tangents-wrong", CAUSE_ANIMATE, "tangents of cubic curves are used wrongly",
                        "glTF 2.0 appendix C: tangents are multiplied by the time between the two keys; out of the key "
                        "before, into the key after"},
    [CAUSE_NLERP] = {"nlerp", CAUSE_ANIMATE, "rotations are interpolated as straight lines (nlerp)",
                     "glm::slerp, aiQuaternion::Interpolate: slerp along the shorter arc, then normalise"},
    [CAUSE_LONG_WAY] = {"long-way", CAUSE_ANIMATE, "rotations go the long way round",
                        "negate one quaternion where the dot product is negative; glm::slerp does, glm::mix does not"},
    [CAUSE_QUATERNION_ORDER] = {"quaternion-order", CAUSE_ANIMATE, "quaternions are read in another order",
                                "glTF has x y z w; aiQuaternion and glm's constructor w x y z"},
    [CAUSE_CONJUGATED] = {"quaternion-conjugated", CAUSE_ANIMATE, "rotations are turned the other way",
                          "a quaternion's conjugate, or a transposed rotation matrix: check mat4_cast and row order"},
    [CAUSE_NOT_NORMALISED] = {"quaternion-not-normalised", CAUSE_ANIMATE,
                              "interpolated quaternions are not normalised before the matrix is made",
                              "glm::normalize after every interpolation, cubic ones too"},
    [CAUSE_MISSING_IDENTITY] =
        {"missing-component-identity", CAUSE_ANIMATE,
         "a component without keys is the identity instead of the node's own",
         "take translation, rotation and scale of the node's rest transform where the channel has no keys"},
    [CAUSE_MISSING_ZERO] =
        {"missing-component-zero", CAUSE_ANIMATE, "a component without keys is zero instead of the node's own",
         "take translation, rotation and scale of the node's rest transform where the channel has no keys"},
    [CAUSE_SINGLE_KEY] = {"single-key-ignored", CAUSE_ANIMATE, "a component with one key is ignored",
                          "one key holds at all times"},
    [CAUSE_MATRIX_KEYS] = {"matrix-interpolated", CAUSE_ANIMATE, "matrices are interpolated number by number",
                           "take matrices apart and interpolate translation, rotation (slerp) and scale"},
    [CAUSE_TSR] = {"tsr-order", CAUSE_ANIMATE, "translation, rotation and scale are multiplied in another order",
                   "LearnOpenGL: translation * rotation * scale; ogldev: TranslationM * RotationM * ScalingM"},
    [CAUSE_SCALE_DROPPED] = {"scale-dropped", CAUSE_ANIMATE, "scale keys are not used",
                             "translation * rotation * scale: all three"},
    [CAUSE_TRANSLATION_DROPPED] = {"translation-dropped", CAUSE_ANIMATE, "translation keys are not used",
                                   "translation * rotation * scale: all three"},
    [CAUSE_ROTATION_DROPPED] = {"rotation-dropped", CAUSE_ANIMATE, "rotation keys are not used",
                                "translation * rotation * scale: all three"},
    [CAUSE_PARENT_ORDER] = {"parent-order", CAUSE_PALETTE,
                            "the parent is multiplied on the wrong side (local x parent)",
                            "ogldev: GlobalTransformation = ParentTransform * NodeTransformation; LearnOpenGL: "
                            "parentTransform * nodeTransform"},
    [CAUSE_STALE_PARENT] = {"stale-parent", CAUSE_PALETTE, "a bone uses its parent's global of another frame",
                            "compute parents before children, in every frame"},
    [CAUSE_COMPENSATED] =
        {"scale-compensated", CAUSE_PALETTE, "a bone does not inherit its parent's scale",
         "Maya's segment scale compensation is for files that ask for it; glTF's and Assimp's nodes inherit all"},
    [CAUSE_OFFSET_ORDER] = {"offset-order", CAUSE_PALETTE,
                            "the offset matrix is multiplied on the wrong side (offset x global)",
                            "LearnOpenGL: globalTransformation * offset; ogldev: GlobalTransformation * OffsetMatrix"},
    [CAUSE_ROOT_EXTRA] =
        {"root-inverse-extra", CAUSE_PALETTE, "the inverse of the root transform is multiplied too",
         "ogldev multiplies by m_GlobalInverseTransform; the others do not: then the mesh is in the root's space"},
    [CAUSE_ROOT_MISSING] = {"root-inverse-missing", CAUSE_PALETTE, "the inverse of the root transform is left out",
                            "ogldev: m_GlobalInverseTransform * GlobalTransformation * OffsetMatrix"},
    [CAUSE_ROOT_TWICE] = {"root-inverse-twice", CAUSE_PALETTE, "the inverse of the root transform is multiplied twice",
                          "ogldev: m_GlobalInverseTransform once, on the left"},
    [CAUSE_ROOT_OTHER] =
        {"root-inverse-other", CAUSE_PALETTE, "the inverse of another node's transform is multiplied as the root's",
         "ogldev: m_GlobalInverseTransform is the inverse of the scene's root at rest, of no bone and of no pose"},
    [CAUSE_CAMERA] =
        {"camera-space", CAUSE_PALETTE, "a constant matrix stands on the left of all, as a view or a world matrix",
         "palette entries go from mesh to model space: multiply by model, view and projection in the shader, once"},
    [CAUSE_MESH_NODE] = {"mesh-node-extra", CAUSE_PALETTE,
                         "the mesh's own node is multiplied into a skinned mesh's palette",
                         "glTF 2.0 section 3.7.3.2: the node that a skinned mesh hangs on has no part in where it is"},
    [CAUSE_TRANSPOSED] =
        {"transposed", CAUSE_PALETTE, "matrices are transposed",
         "aiMatrix4x4 has rows, glm and GLSL columns: transpose once, or glUniformMatrix4fv with GL_TRUE, not both"},
    [CAUSE_ONLY_ANIMATED] =
        {"only-animated-nodes", CAUSE_PALETTE, "nodes without a channel or a bone are left out",
         "ogldev: where FindNodeAnim finds nothing, NodeTransformation is the node's mTransformation"},
    [CAUSE_INDEX_SHIFT] = {"index-shift", CAUSE_PALETTE, "palette entries stand some places off",
                           "bone ids count from 0, per mesh or per scene as the palette does"},
    [CAUSE_INDEX_PERMUTED] =
        {"index-permuted", CAUSE_PALETTE, "palette entries are those of other bones",
         "the palette's order is that of the bone ids in the vertices: glTF's skin.joints, Assimp's "
         "mBones, or the map that gave the ids"},
    [CAUSE_INFLUENCE_DROPPED] = {"influence-dropped", CAUSE_SKIN, "not all influences of a vertex are added",
                                 "the shader's loop goes over all of them; attributes are vec4 of ids and of weights"},
    [CAUSE_IDS_AS_FLOATS] = {"ids-as-floats", CAUSE_SKIN, "every vertex follows bone 0",
                             "integer ids need glVertexAttribIPointer, not glVertexAttribPointer"},
    [CAUSE_NOT_SKINNED] =
        {"not-skinned", CAUSE_SKIN, "vertices are where the mesh has them, not skinned",
         "look whether bones reach the shader, and whether ids are -1 or 100 and more, which LearnOpenGL skips"},
    [CAUSE_NEIGHBOUR] = {"neighbour-vertex", CAUSE_SKIN, "a vertex has its neighbour's ids and weights",
                         "check the base vertex, the stride and the offset of the attributes"},
    [CAUSE_NOT_DIVIDED] =
        {"weights-not-divided", CAUSE_SKIN, "the file's weights do not add up to 1 and are not divided by their sum",
         "the glTF article divides the position by the sum of the weights; or rescale them at import"},
    [CAUSE_BYTES_NOT_DIVIDED] =
        {"byte-weights-not-divided", CAUSE_SKIN, "byte weights are not divided by 255",
         "the palette article divides by 255 in the shader; glVertexAttribPointer does it with GL_TRUE"},
    [CAUSE_NORMALS] =
        {"normal-by-position-matrix", CAUSE_SKIN, "normals are turned by the matrix of positions",
         "under a scale that is not uniform normals need the inverse transpose; mat3 of the bones is not enough"},
    [CAUSE_NORMALS_UNSKINNED] = {"normal-not-skinned", CAUSE_SKIN, "normals are those of the mesh, not skinned",
                                 "LearnOpenGL computes localNormal and does not use it: hand it on"},
    [CAUSE_DUAL] = {"dual-quaternion", CAUSE_SKIN, "vertices are skinned by dual quaternions, not by blended matrices",
                    "compare with --skinning dual-quaternion, or blend matrices"},
    [CAUSE_LINEAR] = {"linear-skinning", CAUSE_SKIN,
                      "vertices are skinned by blended matrices, not by dual quaternions",
                      "compare with --skinning linear, or blend dual quaternions"},
    [CAUSE_MORPH_AFTER] = {"morph-after-bones", CAUSE_SKIN, "morph targets are added after the bones",
                           "glTF 2.0 section 3.7.2.2: morph first, in mesh space, then skin"},
    [CAUSE_MORPH_DROPPED] = {"morph-dropped", CAUSE_SKIN, "morph targets are left out",
                             "add weight x delta of each target before skinning"},
};
