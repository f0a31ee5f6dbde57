#include "data/affine.h"

#include <math.h>
#include <string.h>

#include <cglm/mat4.h>

#include "data/lanes.h"
#include "data/vector.h"

const mat4 mat4_identity = GLM_MAT4_IDENTITY_INIT;
const struct transform transform_identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};

void affine_mul(const mat4 a, const mat4 b, mat4 out)
{
    lanes_affine_store(lanes_affine_mul(lanes_affine_load(a), lanes_affine_load(b)), out);
}

void affine_from_transform(const struct transform *transform, mat4 out)
{
    const float *r = transform->rotation, x = r[0], y = r[1], z = r[2], w = r[3];
    const float sx = transform->scale[0], sy = transform->scale[1], sz = transform->scale[2];
    float x2 = x + x, y2 = y + y, z2 = z + z;
    float xx = x * x2, xy = x * y2, xz = x * z2, yy = y * y2, yz = y * z2, zz = z * z2;
    float wx = w * x2, wy = w * y2, wz = w * z2;
    out[0][0] = (1.0f - (yy + zz)) * sx;
    out[0][1] = (xy + wz) * sx;
    out[0][2] = (xz - wy) * sx;
    out[0][3] = 0.0f;
    out[1][0] = (xy - wz) * sy;
    out[1][1] = (1.0f - (xx + zz)) * sy;
    out[1][2] = (yz + wx) * sy;
    out[1][3] = 0.0f;
    out[2][0] = (xz + wy) * sz;
    out[2][1] = (yz - wx) * sz;
    out[2][2] = (1.0f - (xx + yy)) * sz;
    out[2][3] = 0.0f;
    out[3][0] = transform->translation[0];
    out[3][1] = transform->translation[1];
    out[3][2] = transform->translation[2];
    out[3][3] = 1.0f;
}

/* Each row of `ways` is the quaternion times four times one of its numbers: one that is 1/2 or larger. */
void quaternion_from_columns(double c[3][3], double out[4])
{
    double squares[4] = {1 + c[0][0] - c[1][1] - c[2][2], 1 - c[0][0] + c[1][1] - c[2][2],
                         1 - c[0][0] - c[1][1] + c[2][2], 1 + c[0][0] + c[1][1] + c[2][2]};
    double xy = c[0][1] + c[1][0], xz = c[0][2] + c[2][0], yz = c[1][2] + c[2][1];
    double wx = c[1][2] - c[2][1], wy = c[2][0] - c[0][2], wz = c[0][1] - c[1][0];
    const double ways[4][4] = {
        {squares[0], xy, xz, wx}, {xy, squares[1], yz, wy}, {xz, yz, squares[2], wz}, {wx, wy, wz, squares[3]}};
    int way = 3;
    for (int i = 0; i < 3 && !(squares[3] > 1); i++)
        if (way == 3 || squares[i] > squares[way])
            way = i;
    memcpy(out, ways[way], sizeof ways[way]);
    quatd_normalise(out);
}

/* Zero columns of a flat matrix are replaced by what completes the frame, so that the rotation stays defined. */
static void complete_frame(double c[3][3], bool zero[3])
{
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        if (!zero[i])
            continue;
        zero[i] = false;
        if (zero[next] && zero[last])
            c[i][i] = 1.0;
        else if (!zero[next] && !zero[last])
            vec3d_cross(c[next], c[last], c[i]);
        const double *a = zero[next] ? c[last] : c[next]; /* what is at right angles to it, as near to an axis as may
                                                             be */
        int axis = fabs(a[i]) > 0.9 ? next : i;
        for (int k = 0; k < 3 && zero[next] != zero[last]; k++)
            c[i][k] = ((k == axis ? 1.0 : 0.0) - a[axis] * a[k]) / sqrt(1.0 - a[axis] * a[axis]);
        double length = vec3d_length(c[i]);
        for (int k = 0; k < 3 && length > 0; k++)
            c[i][k] /= length;
    }
}

bool affine_to_transform(const mat4 matrix, struct transform *out)
{
    double c[3][3], q[4];
    bool zero[3], exact = true;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            c[i][k] = matrix[i][k];
        double length = vec3d_length(c[i]);
        zero[i] = !(length > 1e-30);
        exact = exact && !zero[i];
        out->scale[i] = (float)length;
        out->translation[i] = matrix[3][i];
        for (int k = 0; k < 3; k++)
            c[i][k] = zero[i] ? 0.0 : c[i][k] / length;
    }
    complete_frame(c, zero);
    double normal[3];
    vec3d_cross(c[1], c[2], normal);
    if (vec3d_dot(c[0], normal) < 0) {
        out->scale[0] = -out->scale[0];
        for (int k = 0; k < 3; k++)
            c[0][k] = -c[0][k];
    }
    quaternion_from_columns(c, q);
    for (int i = 0; i < 4; i++)
        out->rotation[i] = (float)q[i];
    for (int i = 0; i < 3; i++)
        exact = exact && !(fabs(vec3d_dot(c[i], c[(i + 1) % 3])) > 1e-4); /* no shear */
    return exact;
}

/* Cofactors of the upper 3x3: cofactor[i] is the cross product of the other two columns. The determinant. */
static double cofactors(const mat4 m, double out[3][3])
{
    for (int i = 0; i < 3; i++) {
        const float *a = m[(i + 1) % 3], *b = m[(i + 2) % 3];
        out[i][0] = (double)a[1] * b[2] - (double)a[2] * b[1];
        out[i][1] = (double)a[2] * b[0] - (double)a[0] * b[2];
        out[i][2] = (double)a[0] * b[1] - (double)a[1] * b[0];
    }
    return out[0][0] * m[0][0] + out[0][1] * m[0][1] + out[0][2] * m[0][2];
}

bool affine_inverse(const mat4 matrix, mat4 out)
{
    double c[3][3], det = cofactors(matrix, c);
    mat4 result = GLM_MAT4_IDENTITY_INIT;
    for (int i = 0; i < 3; i++) { /* row i of the inverse is cofactor column i over the determinant */
        for (int k = 0; k < 3; k++)
            result[k][i] = (float)(c[i][k] / det);
        result[3][i] = (float)(-(c[i][0] * matrix[3][0] + c[i][1] * matrix[3][1] + c[i][2] * matrix[3][2]) / det);
    }
    bool good = isfinite(det) && det != 0.0 && affine_is_finite(result);
    memcpy(out, good ? result : mat4_identity, sizeof result);
    return good;
}

float affine_determinant(const mat4 matrix)
{
    double c[3][3];
    return (float)cofactors(matrix, c);
}

void affine_point(const mat4 matrix, const vec3 point, vec3 out)
{
    vec3 result;
    for (int i = 0; i < 3; i++)
        result[i] = matrix[0][i] * point[0] + matrix[1][i] * point[1] + matrix[2][i] * point[2] + matrix[3][i];
    memcpy(out, result, sizeof result);
}

bool affine_is_finite(const mat4 matrix)
{
    bool finite = true;
    for (int i = 0; i < 16; i++)
        finite = finite && isfinite(matrix[i / 4][i % 4]);
    return finite;
}

bool affine_is_identity(const mat4 matrix, float epsilon)
{
    bool same = true;
    for (int i = 0; i < 16; i++)
        same = same && fabsf(matrix[i / 4][i % 4] - mat4_identity[i / 4][i % 4]) <= epsilon;
    return same;
}

void affine_rows(const mat4 matrix, float out[static 12])
{
    for (int row = 0; row < 3; row++)
        for (int col = 0; col < 4; col++)
            out[4 * row + col] = matrix[col][row];
}

void affine_from_rows(const float rows[static 12], mat4 out)
{
    for (int col = 0; col < 4; col++) {
        for (int row = 0; row < 3; row++)
            out[col][row] = rows[4 * row + col];
        out[col][3] = col == 3 ? 1.0f : 0.0f;
    }
}
