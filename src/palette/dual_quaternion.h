#pragma once

#include "data/scene/pose.h"

/*
 * The CPU reference of dual quaternion skinning (Kavan, Collins, Zara, O'Sullivan: Skinning with Dual Quaternions, I3D
 * 2007), in double. A palette's matrix is taken apart,
 *   M = T R S     T translation, R rotation, S = R^T M what is left: scale and shear, and a mirror too
 * and blended in two phases, the stretches linearly, then the rigid parts as dual quaternions:
 *   p'       = sum(w S) p / sum(w)
 *   q + e d  = sum(w s (R + e T R / 2)) / |sum(w s R)|      s = -1 where R's quaternion has a negative dot product with
 *                                                           that of the largest weight (the first of equals), else 1
 *   position = q p' q* + 2 vector(d q*)
 *   normal   = q normalise(inverse_transpose(sum(w S)) n) q*
 *   tangent  as in linear skinning (palette/skin.h), of t' = q sum(w S) t q*
 * p and n are morphed first (palette/skin.h). With one influence this is M p, whatever M is. The weights' sum plays no
 * part; a vertex without influences collapses to the origin, as in linear skinning.
 *
 * R is the orthogonal factor of the polar decomposition, nearest to M of all rotations (of a mirrored M: its negative),
 * by ROTATION_STEPS of Newton's iteration X <- (X + X^-T) / 2 (Higham 1986) from M over the root mean square of its
 * columns' lengths; a flat matrix, which has no inverse, is taken as it is at that step. From the quaternion's largest
 * component on, so it is defined whatever came of X. The vertex shader (shaders/skinning.glsl) does the same in float.
 */
enum { ROTATION_STEPS = 8 };

/* A matrix taken apart: p' = rotate(rotation, stretch p) + translation. */
struct joint {
    double rotation[4]; /* unit quaternion x, y, z, w */
    double translation[3];
    double stretch[3][3]; /* columns */
};

void joint_from_affine(const mat4 matrix, struct joint *out);

/* The joint of blended influences, whose bones are places in `joints`; false when there is none. */
bool joint_blend(const struct joint *joints, const struct influence *influences, uint32_t count, struct joint *out);

/* A joint as a matrix of columns: p' = columns p + translation. */
void joint_columns(const struct joint *joint, double columns[3][3]);

/* Skins all as skin_scene() does: out[scene->instance_count]. `joints` is room for [palette->count]. */
void skin_scene_dual_quaternion(const struct scene *scene, const struct palette *palette, struct joint *joints,
                                struct skinned *out);
