#include "animate/curve.h"

#include "data/vector.h"

/* Whole intervals as powers of the turn from one key to the next, the rest as a slerp: no trigonometry. */
void extrapolate_rotation(const float from[4], const float to[4], double u, float out[4])
{
    double a[4], b[4], turn[4], next[4], square[4], steps[4] = {0, 0, 0, 1}, dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)from[i] * to[i];
    for (int i = 0; i < 4; i++) {
        a[i] = from[i];
        b[i] = dot < 0 ? -(double)to[i] : to[i];
    }
    quatd_normalise(a);
    quatd_normalise(b);
    quatd_mul(b, (double[]){-a[0], -a[1], -a[2], a[3]}, turn);
    u = fmin(fmax(u, -1e15), 1e15); /* beyond so many intervals the fraction is gone from a double anyway */
    double whole = floor(u), side = whole < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        square[i] = i < 3 ? side * turn[i] : turn[i];
    for (uint64_t n = (uint64_t)fabs(whole); n; n >>= 1) {
        if (n & 1)
            quatd_mul(steps, square, steps);
        quatd_mul(square, square, square);
        quatd_normalise(square);
    }
    quatd_mul(steps, a, a);
    quatd_mul(turn, a, next);
    f32x4 lanes[3][4];
    for (int i = 0; i < 4; i++) {
        lanes[0][i] = lanes_splat((float)a[i]);
        lanes[1][i] = lanes_splat((float)next[i]);
    }
    curve_slerp(lanes[0], lanes[1], lanes_splat((float)(u - whole)), lanes[2]);
    for (int i = 0; i < 4; i++)
        out[i] = lanes[2][i][0];
}
