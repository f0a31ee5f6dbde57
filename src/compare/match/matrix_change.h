#pragma once

#include "base/text.h"
#include "data/affine_d.h"

/* The change of a matrix, in figures and in words. */

enum matrix_pattern {
    MATRIX_IDENTITY,    /* it is the identity now */
    MATRIX_TRANSPOSED,  /* rows and columns were taken for each other; the translation is kept, or lost */
    MATRIX_INVERSE,     /* it is what undoes it now */
    MATRIX_UNMOVED,     /* its translation is lost, the rest is as it was */
    MATRIX_BY_COLUMNS,  /* its columns were written where its rows belong: all twelve numbers are another's */
    MATRIX_PATTERN_COUNT
};

/* The patterns that fit, as bits 1 << pattern: a pure rotation that is transposed is inverted too. `length`: a distance
 * that counts as nothing in the space that the matrix maps to. */
unsigned matrix_patterns(const struct affine_d *golden, const struct affine_d *actual, double length);

/* The pattern that fits most of `count` changes, the first of equals; MATRIX_PATTERN_COUNT when none fits any. */
enum matrix_pattern matrix_pattern_of_most(const unsigned *patterns, size_t count);

/* "is transposed", "are transposed": the predicate of a sentence. */
const char *matrix_pattern_says(enum matrix_pattern pattern, bool many);

/* Now / was of two translations that point the same way, when only the translation changed; else 0. */
double matrix_translation_ratio(const struct affine_d *golden, const struct affine_d *actual, double length);

/* "90.0° about x, 3 cm along -y, scale +2 %": of a map itself, such as the change from one matrix to another. What is
 * below `length` (a length) and 1e-4 is left out; "nothing" when all is. */
void matrix_describe(const struct affine_d *m, double length, double unit_meters, struct text *out);

/* "x" or "-x": the axis of the rotation from `was` to `now`, in the space they map to; NULL: it is about another
 * one. */
const char *change_axis(const struct affine_d *was, const struct affine_d *now);
