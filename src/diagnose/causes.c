/* The table of causes, and their forms. */
#include "diagnose/causes.h"

#include <math.h>
#include <string.h>

const char *const cause_stage_names[CAUSE_STAGES] = {"import", "animate", "palette", "skin", "draw"};

/* Of several that explain all, the earlier one is named first. */
const struct cause_row cause_table[CAUSE_COUNT] = {
    [CAUSE_UNIT_SCALE] = {"unit-scale", CAUSE_IMPORT, "lengths are in another unit",
                          "convert once: vertices, offsets, nodes and keys together, or none of them"},
    [CAUSE_AXES_SWAPPED] = {"axes-swapped", CAUSE_IMPORT, "axes are turned or swapped",
                            "leave the file's axes alone, or turn the whole scene by one matrix at its root"},
    [CAUSE_MIRRORED] = {"mirrored", CAUSE_IMPORT, "one axis is mirrored",
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
    [CAUSE_OFFSET_INVERTED] = {"offset-inverted", CAUSE_IMPORT, "the inverse of the offset matrix is used",
                               "aiBone::mOffsetMatrix and glTF's inverseBindMatrices go from mesh to bone already: do not "
                               "invert them"},
    [CAUSE_OFFSET_OTHER] = {"offset-of-other-bone", CAUSE_IMPORT, "bones have the offset matrices of other bones",
                            "keep an offset with the bone's own name or joint: glTF's k-th inverse bind matrix is for "
                            "joints[k] of that skin"},
    [CAUSE_OFFSET_FIRST] = {"offset-first-of-scene", CAUSE_IMPORT,
                            "a bone has one offset for the whole scene: that of the first mesh that binds it",
                            "LearnOpenGL's m_BoneInfoMap is by name: make it one per mesh, as each mesh has its own offsets"},
    [CAUSE_OFFSET_LAST] = {"offset-last-of-scene", CAUSE_IMPORT,
                           "a bone has one offset for the whole scene: that of the last mesh that binds it",
                           "ogldev's m_BoneNameToIndexMap is one for the scene: keep offsets per mesh"},
    [CAUSE_REST_FOR_BIND] = {"rest-for-bind", CAUSE_IMPORT, "the inverse of the rest pose is taken for the offset matrix",
                             "the file has offset matrices of its own; its rest pose need not be the bind pose"},
    [CAUSE_BONES_CUT] = {"bones-cut", CAUSE_IMPORT, "bones beyond a limit are left out",
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
    [CAUSE_TIME_SCALE] = {"time-scale", CAUSE_ANIMATE, "time runs at another rate",
                          "ticks = seconds * ticksPerSecond, a double, 25 where the file says 0; LearnOpenGL keeps it in an "
                          "int, which cuts 29.97 to 29; glTF has seconds"},
    [CAUSE_TIME_SHIFT] = {"time-shift", CAUSE_ANIMATE, "the clip is sampled at another time",
                          "sample at the time that is asked for; a clip's first key need not be at 0"},
    [CAUSE_TIME_ROUNDED] = {"time-rounded", CAUSE_ANIMATE, "time is rounded to whole frames",
                            "interpolate between keys: a frame number is no time"},
    [CAUSE_LOOP_RULE] = {"loop-rule", CAUSE_ANIMATE, "the clip's end is another rule",
                         "fmod (LearnOpenGL, ogldev, the thesis) shows the first frame at time = duration; hold the last one "
                         "there, or wrap only beyond it"},
    [CAUSE_EARLY] = {"before-first-key", CAUSE_ANIMATE, "a component is not held before its first key",
                     "clamp the share of the way between two keys to 0 and 1, as the thesis does; LearnOpenGL does not, and the "
                     "palette article blends from the identity"},
    [CAUSE_OTHER_CLIP] = {"other-clip", CAUSE_ANIMATE, "another clip plays",
                          "LearnOpenGL and ogldev take mAnimations[0]: choose by name; importers list clips in different orders"},
    [CAUSE_BACKWARDS] = {"backwards", CAUSE_ANIMATE, "the clip plays backwards", "time grows: duration - time was sampled"},
    [CAUSE_NOT_ANIMATED] = {"not-animated", CAUSE_ANIMATE, "the rest pose is shown, no clip plays",
                            "look whether channels find their nodes by name, and whether time advances (UpdateAnimation of "
                            "LearnOpenGL, BoneTransform of ogldev)"},
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
    [CAUSE_MISSING_IDENTITY] = {"missing-component-identity", CAUSE_ANIMATE,
                                "a component without keys is the identity instead of the node's own",
                                "take translation, rotation and scale of the node's rest transform where the channel has no keys"},
    [CAUSE_MISSING_ZERO] = {"missing-component-zero", CAUSE_ANIMATE,
                            "a component without keys is zero instead of the node's own",
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
    [CAUSE_PARENT_ORDER] = {"parent-order", CAUSE_PALETTE, "the parent is multiplied on the wrong side (local x parent)",
                            "ogldev: GlobalTransformation = ParentTransform * NodeTransformation; LearnOpenGL: "
                            "parentTransform * nodeTransform"},
    [CAUSE_STALE_PARENT] = {"stale-parent", CAUSE_PALETTE, "a bone uses its parent's global of another frame",
                            "compute parents before children, in every frame"},
    [CAUSE_OFFSET_ORDER] = {"offset-order", CAUSE_PALETTE, "the offset matrix is multiplied on the wrong side (offset x global)",
                            "LearnOpenGL: globalTransformation * offset; ogldev: GlobalTransformation * OffsetMatrix"},
    [CAUSE_ROOT_EXTRA] = {"root-inverse-extra", CAUSE_PALETTE, "the inverse of the root transform is multiplied too",
                          "ogldev multiplies by m_GlobalInverseTransform; the others do not: then the mesh is in the root's space"},
    [CAUSE_ROOT_MISSING] = {"root-inverse-missing", CAUSE_PALETTE, "the inverse of the root transform is left out",
                            "ogldev: m_GlobalInverseTransform * GlobalTransformation * OffsetMatrix"},
    [CAUSE_ROOT_TWICE] = {"root-inverse-twice", CAUSE_PALETTE, "the inverse of the root transform is multiplied twice",
                          "ogldev: m_GlobalInverseTransform once, on the left"},
    [CAUSE_MESH_NODE] = {"mesh-node-extra", CAUSE_PALETTE, "the mesh's own node is multiplied into a skinned mesh's palette",
                         "glTF 2.0 section 3.7.3.2: the node that a skinned mesh hangs on has no part in where it is"},
    [CAUSE_TRANSPOSED] = {"transposed", CAUSE_PALETTE, "matrices are transposed",
                          "aiMatrix4x4 has rows, glm and GLSL columns: transpose once, or glUniformMatrix4fv with GL_TRUE, not both"},
    [CAUSE_ONLY_ANIMATED] = {"only-animated-nodes", CAUSE_PALETTE, "nodes without a channel or a bone are left out",
                             "ogldev: where FindNodeAnim finds nothing, NodeTransformation is the node's mTransformation"},
    [CAUSE_INDEX_SHIFT] = {"index-shift", CAUSE_PALETTE, "palette entries stand some places off",
                           "bone ids count from 0, per mesh or per scene as the palette does"},
    [CAUSE_INDEX_PERMUTED] = {"index-permuted", CAUSE_PALETTE, "palette entries are those of other bones",
                              "the palette's order is that of the bone ids in the vertices: glTF's skin.joints, Assimp's "
                              "mBones, or the map that gave the ids"},
    [CAUSE_INFLUENCE_DROPPED] = {"influence-dropped", CAUSE_SKIN, "not all influences of a vertex are added",
                                 "the shader's loop goes over all of them; attributes are vec4 of ids and of weights"},
    [CAUSE_IDS_AS_FLOATS] = {"ids-as-floats", CAUSE_SKIN, "every vertex follows bone 0",
                             "integer ids need glVertexAttribIPointer, not glVertexAttribPointer"},
    [CAUSE_NOT_SKINNED] = {"not-skinned", CAUSE_SKIN, "vertices are where the mesh has them, not skinned",
                           "look whether bones reach the shader, and whether ids are -1 or 100 and more, which LearnOpenGL skips"},
    [CAUSE_NEIGHBOUR] = {"neighbour-vertex", CAUSE_SKIN, "a vertex has its neighbour's ids and weights",
                         "check the base vertex, the stride and the offset of the attributes"},
    [CAUSE_NOT_DIVIDED] = {"weights-not-divided", CAUSE_SKIN, "the file's weights do not add up to 1 and are not divided by their sum",
                           "the glTF article divides the position by the sum of the weights; or rescale them at import"},
    [CAUSE_BYTES_NOT_DIVIDED] = {"byte-weights-not-divided", CAUSE_SKIN, "byte weights are not divided by 255",
                                 "the palette article divides by 255 in the shader; glVertexAttribPointer does it with GL_TRUE"},
    [CAUSE_NORMALS] = {"normal-by-position-matrix", CAUSE_SKIN, "normals are turned by the matrix of positions",
                       "under a scale that is not uniform normals need the inverse transpose; mat3 of the bones is not enough"},
    [CAUSE_NORMALS_UNSKINNED] = {"normal-not-skinned", CAUSE_SKIN, "normals are those of the mesh, not skinned",
                                 "LearnOpenGL computes localNormal and does not use it: hand it on"},
    [CAUSE_MORPH_AFTER] = {"morph-after-bones", CAUSE_SKIN, "morph targets are added after the bones",
                           "glTF 2.0 section 3.7.2.2: morph first, in mesh space, then skin"},
    [CAUSE_MORPH_DROPPED] = {"morph-dropped", CAUSE_SKIN, "morph targets are left out",
                             "add weight x delta of each target before skinning"},
};

struct form *form_add(struct form_list *list, enum cause_index cause, const char *detail, enum way_switch at,
                      unsigned value, double number)
{
    if (list->count == list->capacity) {
        struct form *grown = ARENA_NEW(list->arena, struct form, list->capacity ? 2 * list->capacity : 256);
        if (list->count > 0)
            memcpy(grown, list->forms, list->count * sizeof *grown);
        list->forms = grown;
        list->capacity = list->capacity ? 2 * list->capacity : 256;
    }
    struct form *form = &list->forms[list->count++];
    *form = (struct form){.cause = cause, .detail = detail};
    form->way.at[at] = (uint8_t)value;
    form->way.number[at] = number;
    return form;
}

struct form_row {
    enum cause_index cause;
    const char *detail;
    enum way_switch at;
    unsigned value;
    double number;
};

/* Those that turn one switch to one value, in the order in which they are named where they are equal. */
static const struct form_row rows[] = {
    {CAUSE_PARENT_ORDER, NULL, SWITCH_PARENT, PARENT_RIGHT, 0},
    {CAUSE_OFFSET_ORDER, NULL, SWITCH_PRODUCT, PRODUCT_REVERSED, 0},
    {CAUSE_OFFSET_MISSING, NULL, SWITCH_OFFSET, OFFSET_NONE, 0},
    {CAUSE_OFFSET_TRANSPOSED, NULL, SWITCH_OFFSET, OFFSET_TRANSPOSED, 0},
    {CAUSE_OFFSET_TRANSPOSED, "its upper 3x3", SWITCH_OFFSET, OFFSET_TURNED, 0},
    {CAUSE_OFFSET_INVERTED, NULL, SWITCH_OFFSET, OFFSET_INVERTED, 0},
    {CAUSE_OFFSET_FIRST, NULL, SWITCH_OFFSET, OFFSET_FIRST, 0},
    {CAUSE_OFFSET_LAST, NULL, SWITCH_OFFSET, OFFSET_LAST, 0},
    {CAUSE_OFFSET_OTHER, "the next in the list", SWITCH_OFFSET, OFFSET_SHIFTED, 1},
    {CAUSE_OFFSET_OTHER, "the one before in the list", SWITCH_OFFSET, OFFSET_SHIFTED, -1},
    {CAUSE_REST_FOR_BIND, NULL, SWITCH_OFFSET, OFFSET_REST, 0},
    {CAUSE_REST_FOR_BIND, "with the mesh's node", SWITCH_OFFSET, OFFSET_REST_MESH, 0},
    {CAUSE_TRANSPOSED, "palette entries", SWITCH_PALETTE, MATRIX_TRANSPOSED, 0},
    {CAUSE_TRANSPOSED, "the upper 3x3 of palette entries", SWITCH_PALETTE, MATRIX_TURNED, 0},
    {CAUSE_TRANSPOSED, "palette entries, and positions get another w than 1", SWITCH_PALETTE, MATRIX_DIVIDED, 0},
    {CAUSE_TRANSPOSED, "vector x matrix, of positions alone", SWITCH_PALETTE, MATRIX_POSITION, 0},
    {CAUSE_TRANSPOSED, "vector x matrix, of positions alone, which get another w than 1", SWITCH_PALETTE, MATRIX_POSITION_DIVIDED, 0},
    {CAUSE_TRANSPOSED, "globals", SWITCH_GLOBAL, MATRIX_TRANSPOSED, 0},
    {CAUSE_TRANSPOSED, "the upper 3x3 of globals", SWITCH_GLOBAL, MATRIX_TURNED, 0},
    {CAUSE_TRANSPOSED, "local matrices", SWITCH_LOCAL, MATRIX_TRANSPOSED, 0},
    {CAUSE_TRANSPOSED, "the upper 3x3 of local matrices", SWITCH_LOCAL, MATRIX_TURNED, 0},
    {CAUSE_ROOT_EXTRA, NULL, SWITCH_ROOT, ROOT_EXTRA, 0},
    {CAUSE_ROOT_MISSING, NULL, SWITCH_ROOT, ROOT_MISSING, 0},
    {CAUSE_ROOT_TWICE, NULL, SWITCH_ROOT, ROOT_TWICE, 0},
    {CAUSE_MESH_NODE, NULL, SWITCH_MESH_NODE, MESH_NODE_EXTRA, 0},
    {CAUSE_MESH_NODE, "its inverse", SWITCH_MESH_NODE, MESH_NODE_INVERSE, 0},
    {CAUSE_NOT_ANIMATED, NULL, SWITCH_CLIP, CLIP_REST, 0},
    {CAUSE_ONLY_ANIMATED, "nodes without a channel", SWITCH_NODES, NODES_ANIMATED, 0},
    {CAUSE_ONLY_ANIMATED, "nodes that are no bones", SWITCH_NODES, NODES_BONES, 0},
    {CAUSE_STALE_PARENT, "the rest pose", SWITCH_STALE, STALE_REST, 0},
    {CAUSE_STALE_PARENT, "none: parents are left out, or not there yet", SWITCH_STALE, STALE_IDENTITY, 0},
    {CAUSE_PIVOTS_DROPPED, NULL, SWITCH_PIVOTS, PIVOTS_DROPPED, 0},
    {CAUSE_PIVOTS_TWICE, "pivots that their channels hold too, as Assimp has them", SWITCH_PIVOTS, PIVOTS_KEPT, 0},
    {CAUSE_PIVOTS_TWICE, NULL, SWITCH_PIVOTS, PIVOTS_TWICE, 0},
    {CAUSE_JOINTS_BY_NAME, "the first of them", SWITCH_JOINT, JOINT_FIRST, 0},
    {CAUSE_JOINTS_BY_NAME, "the last of them", SWITCH_JOINT, JOINT_LAST, 0},
    {CAUSE_STEP_AS_LINEAR, NULL, SWITCH_CURVES, CURVES_STEP_AS_LINEAR, 0},
    {CAUSE_LINEAR_AS_STEP, NULL, SWITCH_CURVES, CURVES_LINEAR_AS_STEP, 0},
    {CAUSE_LINEAR_AS_STEP, "the nearest key", SWITCH_CURVES, CURVES_NEAREST, 0},
    {CAUSE_CUBIC_AS_LINEAR, NULL, SWITCH_CURVES, CURVES_CUBIC_AS_LINEAR, 0},
    {CAUSE_CUBIC_AS_STEP, NULL, SWITCH_CURVES, CURVES_CUBIC_AS_STEP, 0},
    {CAUSE_TANGENTS, "not multiplied by the time between keys", SWITCH_TANGENTS, TANGENTS_RAW, 0},
    {CAUSE_TANGENTS, "taken as zero", SWITCH_TANGENTS, TANGENTS_DROPPED, 0},
    {CAUSE_TANGENTS, "in and out swapped", SWITCH_TANGENTS, TANGENTS_SWAPPED, 0},
    {CAUSE_TANGENTS, "multiplied by the share of the interval", SWITCH_TANGENTS, TANGENTS_BY_U, 0},
    {CAUSE_EARLY, "the line through the first two keys goes on", SWITCH_EARLY, EARLY_LINE, 0},
    {CAUSE_EARLY, "it is blended from the identity at time 0", SWITCH_EARLY, EARLY_IDENTITY, 0},
    {CAUSE_NLERP, NULL, SWITCH_BLEND, BLEND_NLERP, 0},
    {CAUSE_NLERP, "where the dot product is 0.9995 or more", SWITCH_BLEND, BLEND_NLERP_NEAR, 0},
    {CAUSE_LONG_WAY, NULL, SWITCH_SIDE, SIDE_AS_STORED, 0},
    {CAUSE_LONG_WAY, "always", SWITCH_SIDE, SIDE_LONG, 0},
    {CAUSE_QUATERNION_ORDER, "w x y z read as x y z w", SWITCH_QUATERNION, QUATERNION_W_FIRST, 0},
    {CAUSE_QUATERNION_ORDER, "x y z w read as w x y z", SWITCH_QUATERNION, QUATERNION_W_LAST, 0},
    {CAUSE_CONJUGATED, NULL, SWITCH_QUATERNION, QUATERNION_CONJUGATED, 0},
    {CAUSE_NOT_NORMALISED, "straight lines between keys", SWITCH_BLEND, BLEND_LERP, 0},
    {CAUSE_NOT_NORMALISED, "where the dot product is above 0.95", SWITCH_BLEND, BLEND_LERP_NEAR, 0},
    {CAUSE_NOT_NORMALISED, "cubic curves", SWITCH_NORMALISE, NORMALISE_NOT, 0},
    {CAUSE_MISSING_IDENTITY, NULL, SWITCH_MISSING, MISSING_IDENTITY, 0},
    {CAUSE_MISSING_ZERO, "translations", SWITCH_MISSING, MISSING_ZERO_TRANSLATION, 0},
    {CAUSE_MISSING_ZERO, "translations and scales", SWITCH_MISSING, MISSING_ZERO, 0},
    {CAUSE_SINGLE_KEY, NULL, SWITCH_SINGLE, SINGLE_IGNORED, 0},
    {CAUSE_MATRIX_KEYS, NULL, SWITCH_CURVES, CURVES_MATRIX, 0},
    {CAUSE_TSR, "translation x scale x rotation", SWITCH_ORDER, ORDER_TSR, 0},
    {CAUSE_TSR, "scale x rotation x translation", SWITCH_ORDER, ORDER_SRT, 0},
    {CAUSE_TSR, "rotation x translation x scale", SWITCH_ORDER, ORDER_RTS, 0},
    {CAUSE_SCALE_DROPPED, "scales are 1", SWITCH_SCALE, SCALE_ONE, 0},
    {CAUSE_SCALE_DROPPED, "scales are the nodes' own", SWITCH_SCALE, SCALE_REST, 0},
    {CAUSE_TRANSLATION_DROPPED, "translations are the nodes' own", SWITCH_TRANSLATION, TRANSLATION_REST, 0},
    {CAUSE_TRANSLATION_DROPPED, "translations are zero", SWITCH_TRANSLATION, TRANSLATION_ZERO, 0},
    {CAUSE_TRANSLATION_DROPPED, "but the topmost bone's", SWITCH_TRANSLATION, TRANSLATION_ROOT_ONLY, 0},
    {CAUSE_NOT_DIVIDED, NULL, SWITCH_SUMS, SUMS_OF_FILE, 0},
    {CAUSE_NOT_RESCALED, NULL, SWITCH_KEEP, KEEP_NOT_RESCALED, 0},
    {CAUSE_NOT_DIVIDED, "and some are dropped", SWITCH_KEEP, KEEP_NOT_RESCALED, 0},
    {CAUSE_FIRST_FOUR, "not rescaled", SWITCH_KEEP, KEEP_FIRST_FOUR, 0},
    {CAUSE_FIRST_FOUR, "rescaled", SWITCH_KEEP, KEEP_FIRST_FOUR_RESCALED, 0},
    {CAUSE_SMALL_DROPPED, "up to 0.1, not rescaled", SWITCH_KEEP, KEEP_LARGE, 0.1},
    {CAUSE_SMALL_DROPPED, "up to 0.1, rescaled", SWITCH_KEEP, KEEP_LARGE_RESCALED, 0.1},
    {CAUSE_SMALL_DROPPED, "up to 0.1, the largest rescaled", SWITCH_KEEP, KEEP_LARGE_MOST, 0.1},
    {CAUSE_SMALL_DROPPED, "up to 0.05, not rescaled", SWITCH_KEEP, KEEP_LARGE, 0.05},
    {CAUSE_SMALL_DROPPED, "up to 0.05, rescaled", SWITCH_KEEP, KEEP_LARGE_RESCALED, 0.05},
    {CAUSE_SMALL_DROPPED, "up to 0.01, not rescaled", SWITCH_KEEP, KEEP_LARGE, 0.01},
    {CAUSE_SMALL_DROPPED, "up to 0.01, rescaled", SWITCH_KEEP, KEEP_LARGE_RESCALED, 0.01},
    {CAUSE_RESCALED, NULL, SWITCH_SUMS, SUMS_DIVIDED, 0},
    {CAUSE_IN_BYTES, "their sum is divided by", SWITCH_BYTES, BYTES_ROUNDED_RESCALED, 0},
    {CAUSE_IN_BYTES, "cut, and their sum divided by", SWITCH_BYTES, BYTES_CUT_RESCALED, 0},
    {CAUSE_IN_BYTES, "their sum is not divided by", SWITCH_BYTES, BYTES_ROUNDED, 0},
    {CAUSE_IN_BYTES, "cut, and their sum not divided by", SWITCH_BYTES, BYTES_CUT, 0},
    {CAUSE_BYTES_NOT_DIVIDED, NULL, SWITCH_BYTES, BYTES_TIMES_255, 0},
    {CAUSE_BYTES_NOT_DIVIDED, "rounded", SWITCH_BYTES, BYTES_ROUNDED_TIMES_255, 0},
    {CAUSE_BYTES_NOT_DIVIDED, "cut", SWITCH_BYTES, BYTES_CUT_TIMES_255, 0},
    {CAUSE_IDS_AS_FLOATS, NULL, SWITCH_IDS, IDS_ZERO, 0},
    {CAUSE_IDS_AS_FLOATS, "the scene's", SWITCH_IDS, IDS_SCENE_ZERO, 0},
    {CAUSE_NEIGHBOUR, "the next vertex's", SWITCH_IDS, IDS_NEIGHBOUR, 1},
    {CAUSE_NEIGHBOUR, "the vertex's before", SWITCH_IDS, IDS_NEIGHBOUR, -1},
    {CAUSE_NOT_SKINNED, NULL, SWITCH_IDS, IDS_NONE, 0},
    {CAUSE_IDS_AS_FLOATS, "ids are out of range, and vertices not skinned", SWITCH_IDS, IDS_NONE, 0},
    {CAUSE_NORMALS, NULL, SWITCH_NORMAL, NORMAL_BY_POSITION, 0},
    {CAUSE_NORMALS, "that of the last bone alone", SWITCH_NORMAL, NORMAL_BY_LAST, 0},
    {CAUSE_NORMALS_UNSKINNED, NULL, SWITCH_NORMAL, NORMAL_UNSKINNED, 0},
    {CAUSE_MORPH_AFTER, NULL, SWITCH_MORPH, MORPH_AFTER, 0},
    {CAUSE_MORPH_DROPPED, NULL, SWITCH_MORPH, MORPH_NONE, 0},
};

static void add_scales(struct form_list *list)
{
    static const double factors[] = {100, 0.01, 1000, 0.001, 2.54, 1 / 2.54, 39.3700787, 0.0254, 0.3048, 10, 0.1};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        static const struct {
            enum way_switch at;
            unsigned value;
            const char *what;
        } places[] = {{SWITCH_CONJUGATE, UNIFORM, "all lengths"},
                      {SWITCH_LEFT, UNIFORM, "a scale at the root"},
                      {SWITCH_KEY_SCALE, BY_FACTOR, "translation keys"},
                      {SWITCH_LOCAL_AXES, UNIFORM, "nodes and keys"},
                      {SWITCH_OFFSET_SCALE, BY_FACTOR, "offset matrices"}};
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            const char *detail = arena_printf(list->arena, "%s times %.6g", places[k].what, factors[i]);
            struct form *form = form_add(list, CAUSE_UNIT_SCALE, detail, places[k].at, places[k].value, factors[i]);
            form->kind = PARAMETER_FACTOR;
            form->parameter = factors[i];
        }
    }
}

/* "x z -y": where the new axes come from. */
static const char *axes_text(const struct matrix *axes, struct arena *arena)
{
    char text[16] = "";
    for (int row = 0; row < 3; row++)
        for (int c = 0; c < 3; c++)
            if (axes->at[c][row] != 0) {
                char one[8] = {row ? ' ' : 0};
                size_t at = row ? 1 : 0;
                if (axes->at[c][row] < 0)
                    one[at++] = '-';
                one[at] = (char)('x' + c);
                strcat(text, one);
            }
    return arena_string(arena, text);
}

static void add_axes(struct form_list *list)
{
    for (uint32_t i = 1; i < SIGNED_PERMUTATIONS; i++) {
        struct matrix axes = matrix_axes(i);
        bool is_mirror = i < 8 && matrix_determinant(&axes) < 0;
        enum cause_index cause = is_mirror ? CAUSE_MIRRORED : CAUSE_AXES_SWAPPED;
        const char *text = axes_text(&axes, list->arena);
        form_add(list, cause, arena_printf(list->arena, "the scene is seen as (%s)", text), SWITCH_LEFT, AXES + i, 0);
        form_add(list, cause, arena_printf(list->arena, "vertices and matrices are seen as (%s)", text), SWITCH_CONJUGATE,
                 AXES + i, 0);
        form_add(list, cause, arena_printf(list->arena, "local matrices are seen as (%s)", text), SWITCH_LOCAL_AXES,
                 AXES + i, 0);
        list->forms[list->count - 1].is_alone = list->forms[list->count - 2].is_alone = true;
        list->forms[list->count - 3].is_alone = matrix_determinant(&axes) < 0 && !is_mirror && i != 8;
    }
}

/* Engines that look for two keys have none where there is one. */
static void add_singles(struct form_list *list)
{
    static const struct {
        enum cause_index cause;
        unsigned value;
        const char *detail;
    } rules[] = {{CAUSE_MISSING_IDENTITY, MISSING_IDENTITY, "one key counts as none"},
                 {CAUSE_MISSING_ZERO, MISSING_ZERO_TRANSLATION, "translations; one key counts as none"},
                 {CAUSE_MISSING_ZERO, MISSING_ZERO, "translations and scales; one key counts as none"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct form *form = form_add(list, rules[i].cause, rules[i].detail, SWITCH_MISSING, rules[i].value, 0);
        form->way.at[SWITCH_SINGLE] = SINGLE_IGNORED;
    }
}

static const char *const list_names[LIST_COUNT] = {"one list for the scene", "a mesh's list", "the hierarchy's order"};
static const char *const cut_names[] = {"entries are the identity", "entries are zero", "vertices are not skinned",
                                        "vertices are divided by the sum of their other weights"};

static struct form *add_listed(struct form_list *forms, enum cause_index cause, const char *what, unsigned list,
                               enum way_switch at, unsigned value, double number)
{
    const char *detail = arena_printf(forms->arena, "%s, in %s", what, list_names[list]);
    struct form *form = form_add(forms, cause, detail, at, value, number);
    form->way.at[SWITCH_LIST] = (uint8_t)list;
    return form;
}

void form_add_cuts(struct form_list *forms, unsigned list, double bones)
{
    for (unsigned rule = CUT_IDENTITY; rule <= CUT_DIVIDED; rule++) {
        const char *what = arena_printf(forms->arena, "from bone %g on %s", bones, cut_names[rule - 1]);
        struct form *form = add_listed(forms, CAUSE_BONES_CUT, what, list, SWITCH_CUT, rule, bones);
        form->kind = PARAMETER_COUNT;
        form->parameter = bones;
    }
}

/* Mistakes with the number of a bone, which engines count in one order or another. */
static void add_lists(struct form_list *forms)
{
    static const double limits[] = {100, 128, 64, 85, 32, 50, 60, 256, 75, 150};
    for (unsigned list = 0; list < LIST_COUNT; list++) {
        for (int places = 1; places >= -1; places -= 2)
            add_listed(forms, CAUSE_INDEX_SHIFT, places > 0 ? "1 place on" : "1 place back", list, SWITCH_INDEX, INDEX_SHIFTED,
                       places);
        add_listed(forms, CAUSE_INDEX_PERMUTED, "in reverse", list, SWITCH_INDEX, INDEX_REVERSED, 0);
        for (unsigned rule = CUT_ZERO; rule <= CUT_DIVIDED; rule++)
            add_listed(forms, CAUSE_IDS_AS_FLOATS,
                       arena_printf(forms->arena, "ids but 0 are out of range: %s", cut_names[rule - 1]), list, SWITCH_CUT,
                       rule, 1);
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
            form_add_cuts(forms, list, limits[i]);
    }
}

/* What becomes of influences once they are in their slots, in the order in which they come or by size. */
static void add_slots(struct form_list *list)
{
    static const char *const orders[] = {"as they come", "by size"}, *const rescaled[] = {"not rescaled", "rescaled"};
    static const char *const how[] = {"sorted without their bones", "all the same", "in reverse", "a slot on", "a slot back",
                                      "the first two swapped"};
    static const char *const which[] = {"first", "second", "third", "fourth", "last"};
    struct arena *arena = list->arena;
    for (unsigned order = 0; order < 2; order++) {
        unsigned by = order * SLOTS_BY_SIZE;
        for (unsigned rule = SLOTS_SORTED; rule <= SLOTS_SWAPPED; rule++)
            for (unsigned four = 0; four < (rule < SLOTS_REVERSED ? 1 : 2); four++)
                form_add(list, CAUSE_SHUFFLED,
                         arena_printf(arena, "%s, %s%s", how[rule - SLOTS_SORTED], orders[order], four ? ", of four slots" : ""),
                         SWITCH_SLOTS, rule, by + four * SLOTS_FOUR);
        for (unsigned k = 0; k < 2; k++) {
            for (unsigned most = 3; most > 0; most--) {
                const char *detail = arena_printf(arena, "the first %u %s are, %s", most, orders[order], rescaled[k]);
                struct form *form =
                    form_add(list, CAUSE_INFLUENCE_DROPPED, detail, SWITCH_SLOTS, SLOTS_FIRST + k, by + most);
                form->kind = PARAMETER_COUNT;
                form->parameter = most;
            }
            for (unsigned slot = 0; slot < 10; slot++) {
                unsigned place = slot % 5, number = place == 4 ? SLOT_LAST : place;
                const char *detail = arena_printf(arena, "the %s %s is left out%s, %s", which[place], orders[order],
                                                  slot < 5 ? "" : ", but not an only one", rescaled[k]);
                form_add(list, CAUSE_INFLUENCE_DROPPED, detail, SWITCH_SLOTS, SLOTS_WITHOUT + k,
                         by + number + (slot < 5 ? 0 : SLOTS_BUT_ONE));
            }
        }
    }
}

/* Influences that are chosen by weights which the file leaves with another sum than 1, and bytes that the shader divides by
 * their sum, or ought to. */
static void add_sums(struct form_list *list)
{
    for (uint32_t i = 0, count = list->count; i < count; i++) {
        struct form form = list->forms[i];
        bool is_bytes = form.way.at[SWITCH_BYTES];
        if (!form.way.at[SWITCH_KEEP] && !is_bytes)
            continue;
        if (is_bytes)
            form.way.at[SWITCH_KEEP] = KEEP_NOT_RESCALED;
        form.way.at[SWITCH_SUMS] = SUMS_OF_FILE;
        form.detail = arena_printf(list->arena, "%s%sof the file's own sums", form.detail ? form.detail : "",
                                   form.detail ? ", " : "");
        *form_add(list, form.cause, NULL, SWITCH_SUMS, SUMS_OF_FILE, 0) = form;
    }
}

/* What the file, the scene and the time asked before have numbers for. */
static void add_numbers(const struct diagnosis_input *input, struct form_list *list)
{
    static const double rates[] = {15, 24, 25, 30, 60, 12, 10};
    double ticks = input->clip && input->clip->ticks_per_second > 0 ? input->clip->ticks_per_second : 25;
    for (size_t i = 0; i < sizeof rates / sizeof *rates && input->clip; i++) {
        const char *detail = arena_printf(list->arena, "at %g a second", rates[i]);
        struct form *form = form_add(list, CAUSE_RESAMPLED, detail, SWITCH_RESAMPLE, AT_RATE, rates[i]);
        form->kind = PARAMETER_RATE;
        form->parameter = rates[i];
    }
    const double frames[] = {1 / ticks, 1.0 / 24, 1.0 / 25, 1.0 / 30, 1.0 / 60};
    double now = input->clip ? wrap_time(input->time, input->clip->duration, input->wrap) : 0;
    double before = input->clip && isfinite(input->previous_time)
                        ? wrap_time(input->previous_time, input->clip->duration, input->wrap)
                        : NAN;
    for (size_t i = 0; i < sizeof frames / sizeof *frames && input->clip; i++) {
        const char *detail = arena_printf(list->arena, "%.4g s before", frames[i]);
        form_add(list, CAUSE_STALE_PARENT, detail, SWITCH_STALE, STALE_TIME, now - frames[i]);
        detail = arena_printf(list->arena, "%.4g s before, a generation", frames[i]);
        form_add(list, CAUSE_STALE_PARENT, detail, SWITCH_STALE, STALE_EACH, frames[i]);
    }
    if (isfinite(before)) {
        form_add(list, CAUSE_STALE_PARENT, "that of the time asked for before", SWITCH_STALE, STALE_TIME, before);
        form_add(list, CAUSE_STALE_PARENT, "a time asked for before, a generation", SWITCH_STALE, STALE_EACH, now - before);
        form_add(list, CAUSE_STALE_PARENT, "that of the time asked for before, with none above it", SWITCH_STALE,
                 STALE_TWO, before);
    }
    for (uint32_t c = 0; c < input->scene->clip_count && c < 64; c++)
        if (&input->scene->clips[c] != input->clip) {
            const char *detail = arena_printf(list->arena, "`%s`", input->scene->clips[c].name);
            form_add(list, CAUSE_OTHER_CLIP, detail, SWITCH_CLIP, CLIP_NUMBER, c);
        }
}

struct form_list forms_create(const struct diagnosis_input *input, struct arena *arena)
{
    struct form_list list = {.arena = arena};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct form_row *row = &rows[i];
        struct form *form = form_add(&list, row->cause, row->detail, row->at, row->value, row->number);
        if (row->number != 0) {
            form->kind = row->at == SWITCH_KEEP ? PARAMETER_FACTOR : PARAMETER_COUNT;
            form->parameter = row->number;
        }
    }
    if (input->sums_to_one)
        add_sums(&list);
    if (input->clip)
        forms_add_times(input, &list);
    add_singles(&list);
    add_lists(&list);
    add_slots(&list);
    add_numbers(input, &list);
    add_scales(&list);
    add_axes(&list);
    return list;
}
