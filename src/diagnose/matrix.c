#include <math.h>

#include "data/affine.h"
#include "data/vector.h"
#include "diagnose/variant.h"

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

struct matrix matrix_from_parts(const double t[3], const double q[4], const double s[3], unsigned order)
{
    struct matrix translation = matrix_identity, rotation = matrix_identity, scale = matrix_identity;
    double columns[3][3];
    quaternion_columns(q, columns);
    for (int i = 0; i < 3; i++) {
        memcpy(rotation.at[i], columns[i], sizeof columns[i]);
        translation.at[3][i] = t[i];
        scale.at[i][i] = s[i];
    }
    const struct matrix *orders[6][3] = {{&translation, &rotation, &scale}, {&translation, &scale, &rotation},
                                         {&scale, &rotation, &translation}, {&rotation, &translation, &scale},
                                         {&scale, &translation, &rotation}, {&rotation, &scale, &translation}};
    struct matrix first = matrix_mul(orders[order][0], orders[order][1]);
    return matrix_mul(&first, orders[order][2]);
}

struct matrix transform_components(const struct transform *transform, unsigned components)
{
    struct transform parts = *transform;
    mat4 matrix;
    if (!(components & 1u << COMPONENT_TRANSLATION))
        memcpy(parts.translation, transform_identity.translation, sizeof parts.translation);
    if (!(components & 1u << COMPONENT_ROTATION))
        memcpy(parts.rotation, transform_identity.rotation, sizeof parts.rotation);
    if (!(components & 1u << COMPONENT_SCALE))
        memcpy(parts.scale, transform_identity.scale, sizeof parts.scale);
    affine_from_transform(&parts, matrix);
    return matrix_from((const float(*)[4])matrix);
}

struct matrix matrix_components(const struct matrix *m, unsigned components)
{
    struct transform parts;
    mat4 stored;
    for (int i = 0; i < 16; i++)
        stored[i / 4][i % 4] = (float)m->at[i / 4][i % 4];
    affine_to_transform(stored, &parts);
    return transform_components(&parts, components);
}

struct matrix matrix_axes(uint32_t permutation)
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct matrix out = {.at[3][3] = 1};
    for (uint32_t row = 0; row < 3; row++) /* row i of the result is where axis orders[i] goes */
        out.at[orders[permutation / 8 % 6][row]][row] = permutation >> row & 1 ? -1 : 1;
    return out;
}

void quaternion_columns(const double q[4], double out[3][3])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double columns[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                                  {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                                  {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(out, columns, sizeof columns);
}

void quaternion_cast(const double c[3][3], double out[4])
{
    static const double signs[4][3] = {{1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, 1, 1}};
    double squares[4];
    int largest = 0;
    for (int i = 0; i < 4; i++) {
        squares[i] = 1 + signs[i][0] * c[0][0] + signs[i][1] * c[1][1] + signs[i][2] * c[2][2];
        largest = squares[i] > squares[largest] ? i : largest;
    }
    const double xy = c[0][1] + c[1][0], xz = c[0][2] + c[2][0], yz = c[1][2] + c[2][1];
    const double wx = c[1][2] - c[2][1], wy = c[2][0] - c[0][2], wz = c[0][1] - c[1][0];
    const double rows[4][4] = {
        {squares[0], xy, xz, wx}, {xy, squares[1], yz, wy}, {xz, yz, squares[2], wz}, {wx, wy, wz, squares[3]}};
    for (int i = 0; i < 4; i++)
        out[i] = rows[largest][i] / (2 * sqrt(squares[largest]));
}

static bool is_right(const struct variant *variant)
{
    bool is = !variant->of_node;
    for (int i = 0; i < SWITCH_COUNT; i++)
        is = is && !variant->at[i];
    return is;
}

bool variant_join(const struct variant *a, const struct variant *b, struct variant *out)
{
    const bool is_one = is_right(a) || is_right(b);
    const struct variant first = is_right(a) ? *b : *a; /* `out` may be `a` */
    *out = first;
    if (is_one)
        return true;
    a = &first;
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
    return !(a->list && b->list) && !a->of_node && !b->of_node;
}
