#pragma once

#include <math.h>

/* The larger of two measures of how wrong something is. One that is no number is infinitely wrong: fmax() and `>`
 * would leave it out, as if it agreed. */
static inline double worse(double a, double b)
{
    return a >= b ? a : b > a ? b : (double)INFINITY;
}
