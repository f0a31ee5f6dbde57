#include "compare/daffine.h"

#include <math.h>
#include <string.h>

#include "data/vector.h"

const struct daffine daffine_identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};

struct daffine daffine_from(const mat4 matrix)
{
    struct daffine m;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            m.column[i][k] = (double)matrix[i][k];
    return m;
}

struct daffine daffine_from_transform(const struct transform *transform)
{
    mat4 matrix;
    affine_from_transform(transform, matrix);
    return daffine_from(matrix);
}

struct daffine daffine_mul(const struct daffine *a, const struct daffine *b)
{
    struct daffine m;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            m.column[i][k] = a->column[0][k] * b->column[i][0] + a->column[1][k] * b->column[i][1] +
                             a->column[2][k] * b->column[i][2] + (i == 3 ? a->column[3][k] : 0.0);
    return m;
}

bool daffine_inverse(const struct daffine *m, struct daffine *out)
{
    double rows[3][3];
    *out = daffine_identity;
    for (int i = 0; i < 3; i++)
        vec3d_cross(m->column[(i + 1) % 3], m->column[(i + 2) % 3], rows[i]);
    double det = vec3d_dot(rows[0], m->column[0]);
    double volume = daffine_axis(m, 0) * daffine_axis(m, 1) * daffine_axis(m, 2);
    if (!isfinite(volume) || !(fabs(det) > 1e-12 * volume))
        return false;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            out->column[k][i] = rows[i][k] / det;
        out->column[3][i] = -vec3d_dot(rows[i], m->column[3]) / det;
    }
    return true;
}

void daffine_point(const struct daffine *m, const double point[3], double out[3])
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

double daffine_gap(const struct daffine *a, const struct daffine *b, const double point[3])
{
    double in_a[3], in_b[3];
    daffine_point(a, point, in_a);
    daffine_point(b, point, in_b);
    return vector_distance(in_a, in_b);
}

double daffine_axis(const struct daffine *m, int i)
{
    return vec3d_length(m->column[i]);
}

double daffine_scale(const struct daffine *m)
{
    return fmax(fmax(daffine_axis(m, 0), daffine_axis(m, 1)), daffine_axis(m, 2));
}

bool daffine_near(const struct daffine *a, const struct daffine *b, double epsilon, double length)
{
    double scale = fmax(daffine_scale(a), daffine_scale(b));
    for (int i = 0; i < 3; i++)
        if (!(vector_distance(a->column[i], b->column[i]) <= epsilon * scale))
            return false;
    return vector_distance(a->column[3], b->column[3]) <= length;
}

double daffine_degrees(const struct daffine *a, const struct daffine *b)
{
    double squares = 0;
    for (int i = 0; i < 3; i++) {
        double in_a = daffine_axis(a, i), in_b = daffine_axis(b, i);
        for (int k = 0; in_a > 0 && in_b > 0 && k < 3; k++) {
            double d = a->column[i][k] / in_a - b->column[i][k] / in_b;
            squares += d * d;
        }
    }
    return 2.0 * asin(fmin(1.0, sqrt(squares / 8.0))) * 180.0 / acos(-1.0);
}

double daffine_scale_percent(const struct daffine *was, const struct daffine *now)
{
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        double before = daffine_axis(was, i), after = daffine_axis(now, i);
        double percent = before > 0 ? 100.0 * (after / before - 1.0) : after > 0 ? 100.0 : 0.0;
        if (fabs(percent) > fabs(worst))
            worst = percent;
    }
    return worst;
}
