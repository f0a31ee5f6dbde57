#include "animate/extrapolate.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "animate/curve.h"
#include "data/vector.h"

/* Beyond this many key intervals the fraction is gone from a double anyway. */
static const double max_intervals = 1e15;

static double bounded(double u)
{
    return fmin(fmax(u, -max_intervals), max_intervals);
}

void extrapolate_vector(const float from[3], const float to[3], double u, float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (float)(from[i] + bounded(u) * ((double)to[i] - from[i]));
}

/* q to the power of n, by repeated squaring. */
static void power(const double q[4], uint64_t n, double out[4])
{
    double square[4], result[4] = {0, 0, 0, 1};
    memcpy(square, q, sizeof square);
    for (; n; n >>= 1) {
        if (n & 1)
            quatd_mul(result, square, result);
        quatd_mul(square, square, square);
        quatd_normalise(square);
    }
    memcpy(out, result, sizeof result);
}

static void slerp_once(const double from[4], const double to[4], double u, float out[4])
{
    f32x4 a[4], b[4], between[4];
    for (int i = 0; i < 4; i++) {
        a[i] = lanes_splat((float)from[i]);
        b[i] = lanes_splat((float)to[i]);
    }
    curve_slerp(a, b, lanes_splat((float)u), between);
    for (int i = 0; i < 4; i++)
        out[i] = between[i][0];
}

/* Whole intervals as powers of the turn from one key to the next, the rest as a slerp: no trigonometry. */
void extrapolate_rotation(const float from[4], const float to[4], double u, float out[4])
{
    double a[4], b[4], turn[4], steps[4], next[4];
    double dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)from[i] * to[i];
    for (int i = 0; i < 4; i++) {
        a[i] = from[i];
        b[i] = dot < 0 ? -(double)to[i] : to[i];
    }
    quatd_normalise(a);
    quatd_normalise(b);
    double whole = floor(bounded(u));
    double back[4] = {-a[0], -a[1], -a[2], a[3]};
    quatd_mul(b, back, turn);
    if (whole < 0)
        power((double[4]){-turn[0], -turn[1], -turn[2], turn[3]}, (uint64_t)-whole, steps);
    else
        power(turn, (uint64_t)whole, steps);
    quatd_mul(steps, a, a);
    quatd_mul(turn, a, next);
    slerp_once(a, next, bounded(u) - whole, out);
}
