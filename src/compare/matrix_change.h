#ifndef RIGPROOF_COMPARE_MATRIX_CHANGE_H
#define RIGPROOF_COMPARE_MATRIX_CHANGE_H

#include "base/text.h"
#include "compare/daffine.h"

/* What became of a matrix, in figures and in words. */

enum matrix_pattern {
    MATRIX_OTHER,      /* none of these */
    MATRIX_IDENTITY,   /* it is the identity now */
    MATRIX_TRANSPOSED, /* rows and columns were taken for each other; the translation is kept, or lost */
    MATRIX_INVERSE,    /* it is what undoes it now */
    MATRIX_UNMOVED,    /* its translation is lost, the rest is as it was */
    MATRIX_PATTERN_COUNT
};

/* `length`: a distance that counts as nothing in the space that the matrix maps to. The golden is not one of these
 * already, and differs from the actual. */
enum matrix_pattern matrix_pattern(const struct daffine *golden, const struct daffine *actual, double length);

/* "is transposed", "are transposed": the predicate of a sentence. */
const char *matrix_pattern_says(enum matrix_pattern pattern, bool many);

/*
 * Now / was of two translations that point the same way, when only the translation changed: "100 times longer". 0 when
 * it is anything else.
 */
double matrix_translation_ratio(const struct daffine *golden, const struct daffine *actual, double length);

/* "90.0° about x, 3 cm along -y, scale +2 %": of a map itself, such as the change from one matrix to another. What is
 * below `length` (a length) and 1e-4 is left out; "nothing" when all is. */
void matrix_describe(const struct daffine *m, double length, double unit_meters, struct text *out);

/* The parts of a change that matter for it: "12.0° and 3.00 units", "scale +2 %". Parts that move a point at `reach` by
 * less than a twentieth of `distance` are left out. Negative or NAN figures are too. */
void change_describe(double degrees, double translation, double scale_percent, double reach, double distance,
                     double unit_meters, struct text *out);

#endif
