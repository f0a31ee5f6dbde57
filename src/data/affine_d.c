#include "data/affine_d.h"

#include <math.h>
#include <string.h>

#include "data/vector.h"

const struct affine_d affine_d_identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};

struct affine_d affine_d_from(const mat4 matrix)
{
    struct affine_d m;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            m.column[i][k] = (double)matrix[i][k];
    return m;
}

struct affine_d affine_d_from_transform(const struct transform *transform)
{
    mat4 matrix;
    affine_from_transform(transform, matrix);
    return affine_d_from(matrix);
}

void affine_d_to(const struct affine_d *m, mat4 out)
{
    memcpy(out, mat4_identity, sizeof(mat4));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] = (float)m->column[i][k];
}

struct affine_d affine_d_mul(const struct affine_d *a, const struct affine_d *b)
{
    struct affine_d m;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            m.column[i][k] = a->column[0][k] * b->column[i][0] + a->column[1][k] * b->column[i][1] +
                             a->column[2][k] * b->column[i][2] + (i == 3 ? a->column[3][k] : 0.0);
    return m;
}

bool affine_d_inverse(const struct affine_d *m, struct affine_d *out)
{
    double rows[3][3];
    *out = affine_d_identity;
    for (int i = 0; i < 3; i++)
        vec3d_cross(m->column[(i + 1) % 3], m->column[(i + 2) % 3], rows[i]);
    double det = vec3d_dot(rows[0], m->column[0]);
    double volume = affine_d_axis(m, 0) * affine_d_axis(m, 1) * affine_d_axis(m, 2);
    if (!isfinite(volume) || !(fabs(det) > 1e-12 * volume))
        return false;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            out->column[k][i] = rows[i][k] / det;
        out->column[3][i] = -vec3d_dot(rows[i], m->column[3]) / det;
    }
    return true;
}

void affine_d_point(const struct affine_d *m, const double point[3], double out[3])
{
    double result[3];
    for (int k = 0; k < 3; k++)
        result[k] =
            m->column[0][k] * point[0] + m->column[1][k] * point[1] + m->column[2][k] * point[2] + m->column[3][k];
    memcpy(out, result, sizeof result);
}

double vector_distance(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

double point_distance(const vec3 a, const vec3 b)
{
    return vector_distance((const double[]){a[0], a[1], a[2]}, (const double[]){b[0], b[1], b[2]});
}

double affine_d_gap(const struct affine_d *a, const struct affine_d *b, const double point[3])
{
    double in_a[3], in_b[3];
    affine_d_point(a, point, in_a);
    affine_d_point(b, point, in_b);
    return vector_distance(in_a, in_b);
}

double affine_d_axis(const struct affine_d *m, int i)
{
    return vec3d_length(m->column[i]);
}

double affine_d_scale(const struct affine_d *m)
{
    return fmax(fmax(affine_d_axis(m, 0), affine_d_axis(m, 1)), affine_d_axis(m, 2));
}

bool affine_d_near(const struct affine_d *a, const struct affine_d *b, double epsilon, double length)
{
    double scale = fmax(affine_d_scale(a), affine_d_scale(b));
    for (int i = 0; i < 3; i++)
        if (!(vector_distance(a->column[i], b->column[i]) <= epsilon * scale))
            return false;
    return vector_distance(a->column[3], b->column[3]) <= length;
}

double affine_d_degrees(const struct affine_d *a, const struct affine_d *b)
{
    double squares = 0;
    for (int i = 0; i < 3; i++) {
        double in_a = affine_d_axis(a, i), in_b = affine_d_axis(b, i);
        for (int k = 0; !(in_a <= 0 || in_b <= 0) && k < 3; k++) {
            double d = a->column[i][k] / in_a - b->column[i][k] / in_b;
            squares += d * d;
        }
    }
    return 2.0 * asin(fmin(1.0, sqrt(squares / 8.0))) * 180.0 / acos(-1.0);
}

double affine_d_scale_percent(const struct affine_d *was, const struct affine_d *now)
{
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        double before = affine_d_axis(was, i), after = affine_d_axis(now, i);
        double percent = before > 0 ? 100.0 * (after / before - 1.0) : after > 0 ? 100.0 : 0.0;
        if (fabs(percent) > fabs(worst))
            worst = percent;
    }
    return worst;
}

double vector_degrees(const vec3 a, const vec3 b)
{
    double length = vec3_length(a), other = vec3_length(b), squares = 0;
    for (int k = 0; k < 3 && !(length <= 0 || other <= 0); k++) {
        double gap = (double)a[k] / length - (double)b[k] / other;
        squares += gap * gap;
    }
    return 2.0 * asin(fmin(1.0, 0.5 * sqrt(squares))) * 180.0 / acos(-1.0);
}
