#include <math.h>

#include "data/vector.h"
#include "diagnose/way.h"

const struct matrix matrix_identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

struct matrix matrix_mul(const struct matrix *a, const struct matrix *b)
{
    struct matrix out;
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            out.at[c][r] = a->at[0][r] * b->at[c][0] + a->at[1][r] * b->at[c][1] + a->at[2][r] * b->at[c][2] +
                           a->at[3][r] * b->at[c][3];
    return out;
}

struct matrix matrix_transposed(const struct matrix *m)
{
    struct matrix out;
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            out.at[c][r] = m->at[r][c];
    return out;
}

double matrix_determinant(const struct matrix *m)
{
    double cross[3];
    vec3d_cross(m->at[1], m->at[2], cross);
    return vec3d_dot(m->at[0], cross);
}

struct matrix matrix_inverse(const struct matrix *m)
{
    struct matrix out = matrix_identity;
    double determinant = matrix_determinant(m);
    for (int i = 0; i < 3; i++) {
        double row[3];
        vec3d_cross(m->at[(i + 1) % 3], m->at[(i + 2) % 3], row);
        for (int k = 0; k < 3; k++)
            out.at[k][i] = determinant != 0 ? row[k] / determinant : NAN;
    }
    for (int r = 0; r < 3; r++)
        out.at[3][r] = -(out.at[0][r] * m->at[3][0] + out.at[1][r] * m->at[3][1] + out.at[2][r] * m->at[3][2]);
    return out;
}

struct matrix matrix_from(const float (*m)[4])
{
    struct matrix out;
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            out.at[c][r] = m[c][r];
    return out;
}

struct matrix matrix_axes(uint32_t permutation)
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct matrix out = {.at[3][3] = 1};
    for (uint32_t row = 0; row < 3; row++) /* row i of the result is where axis orders[i] goes */
        out.at[orders[permutation / 8 % 6][row]][row] = permutation >> row & 1 ? -1 : 1;
    return out;
}

bool way_join(const struct way *a, const struct way *b, struct way *out)
{
    *out = *a;
    for (int i = 0; i < SWITCH_COUNT; i++) {
        if (a->at[i] && b->at[i] && i != SWITCH_FILLED)
            return false;
        if (b->at[i]) {
            out->at[i] = b->at[i];
            out->number[i] = b->number[i];
        }
    }
    out->list = a->list ? a->list : b->list;
    out->left = a->left ? a->left : b->left;
    out->channels = a->channels ? a->channels : b->channels;
    return !(a->list && b->list);
}
