#pragma once

#include "base/text.h"
#include "data/affine_d.h"
#include "data/result/finding_codes.h"

/* The change of a matrix, in figures and in words. */

/* The mistakes that fit, as bits 1 << enum finding_why, from WHY_IDENTITY to WHY_BY_COLUMNS: a pure rotation that is
 * transposed is inverted too. A transposed one has kept its translation or lost it. `length`: a distance that counts
 * as nothing in the space that the matrix maps to. */
unsigned matrix_mistakes(const struct affine_d *golden, const struct affine_d *actual, double length);

/* The mistake that fits most of `count` changes, the first of equals; WHY_NONE when none fits any. */
enum finding_why matrix_mistake_of_most(const unsigned *mistakes, size_t count);

/* Now / was of two translations that point the same way, when only the translation changed; else 0. */
double matrix_translation_ratio(const struct affine_d *golden, const struct affine_d *actual, double length);

/* "90.0° about x, 3 cm along -y, scale +2 %": of a map itself, such as the change from one matrix to another. What is
 * below `length` (a length) and 1e-4 is left out; "nothing" when all is. */
void matrix_describe(const struct affine_d *m, double length, double unit_meters, struct text *out);

/* "x" or "-x": the axis of the rotation from `was` to `now`, in the space they map to; NULL: it is about another
 * one. */
const char *change_axis(const struct affine_d *was, const struct affine_d *now);
