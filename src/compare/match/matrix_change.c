#include "compare/match/matrix_change.h"

#include <math.h>

#include "base/format_number.h"
#include "data/vector.h"

/* Says how near two matrices must be for a mistake to be recognised. Coarser than any tolerance: this only names what
 * is known to differ. */
static const double alike = 1e-4;

static struct affine_d without_translation(const struct affine_d *m)
{
    struct affine_d out = *m;
    for (int k = 0; k < 3; k++)
        out.column[3][k] = 0.0;
    return out;
}

/* Says whether the matrix does nothing but scale, by one factor: its inverse is another unit rather than a mistake. */
static bool is_only_scale(const struct affine_d *m, double length)
{
    struct affine_d scale = affine_d_identity;
    for (int k = 0; k < 3; k++)
        scale.column[k][k] = m->column[0][0];
    return m->column[0][0] > 0 && affine_d_near(m, &scale, alike, length);
}

unsigned matrix_mistakes(const struct affine_d *golden, const struct affine_d *actual, double length)
{
    struct affine_d kept = *golden, by_rows, inverse;
    for (int i = 0; i < 12; i++) /* the four columns one after the other, read as three rows of four */
        by_rows.column[i % 4][i / 4] = golden->column[i / 3][i % 3];
    for (int i = 0; i < 9; i++)
        kept.column[i / 3][i % 3] = golden->column[i % 3][i / 3];
    /* Transposing all sixteen numbers moves the translation into the last row, where it is lost. */
    struct affine_d lost = affine_d_near(golden, &kept, 4 * alike, INFINITY) ? kept : without_translation(&kept);
    bool has_inverse = affine_d_inverse(golden, &inverse) && !is_only_scale(golden, length);
    const struct {
        enum finding_why why;
        struct affine_d target;
    } known[] = {
        {WHY_IDENTITY, affine_d_identity},
        {WHY_TRANSPOSED, kept},
        {WHY_TRANSPOSED, lost},
        {WHY_INVERSE, has_inverse ? inverse : *golden},
        {WHY_UNMOVED, without_translation(golden)},
        {WHY_BY_COLUMNS, by_rows},
    };
    unsigned mistakes = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) /* it is that now, and was far from it */
        if (affine_d_near(actual, &known[i].target, alike, length) &&
            !affine_d_near(golden, &known[i].target, 4 * alike, 4 * length))
            mistakes |= 1u << known[i].why;
    return mistakes;
}

enum finding_why matrix_mistake_of_most(const unsigned *mistakes, size_t count)
{
    enum finding_why of_most = WHY_NONE;
    size_t most = 0;
    for (int why = WHY_IDENTITY; why <= WHY_BY_COLUMNS; why++) {
        size_t fits = 0;
        for (size_t i = 0; i < count; i++)
            fits += mistakes[i] >> why & 1u;
        if (fits > most) {
            most = fits;
            of_most = (enum finding_why)why;
        }
    }
    return of_most;
}

double matrix_translation_ratio(const struct affine_d *golden, const struct affine_d *actual, double length)
{
    const double *was = golden->column[3], *now = actual->column[3], zero[3] = {0, 0, 0};
    double before = vector_distance(was, zero), after = vector_distance(now, zero);
    if (!affine_d_near(golden, actual, alike, INFINITY) || before < length || after < length)
        return 0;
    double ratio = after / before;
    const double scaled[3] = {ratio * was[0], ratio * was[1], ratio * was[2]};
    return fabs(ratio - 1.0) > 50 * alike && vector_distance(scaled, now) <= alike * after ? ratio : 0;
}

static void add_part(struct text *out, size_t *parts)
{
    text_add(out, (*parts)++ > 0 ? ", " : "");
}

/* "x", "-z", or "(0.1, 0.9, 0.4)". */
static void add_direction(struct text *out, const double v[3], double length, bool signs)
{
    for (int i = 0; i < 3; i++)
        if (fabs(v[i]) >= 0.99999 * length) {
            text_addf(out, "%s%c", signs && v[i] < 0 ? "-" : "", "xyz"[i]);
            return;
        }
    text_addf(out, "(%.2f, %.2f, %.2f)", v[0] / length, v[1] / length, v[2] / length);
}

/* Axis times sine and the cosine of the angle, from a matrix whose axes have unit length. */
static double rotation_angle(const struct affine_d *m, double axis[3])
{
    double trace = m->column[0][0] + m->column[1][1] + m->column[2][2];
    axis[0] = m->column[1][2] - m->column[2][1];
    axis[1] = m->column[2][0] - m->column[0][2];
    axis[2] = m->column[0][1] - m->column[1][0];
    double sine = vec3d_length(axis);
    if (sine < 1e-6 && trace < 0) { /* half a turn: the axis is the longest column of R + 1 */
        int longest = 0;
        for (int i = 1; i < 3; i++)
            longest = m->column[i][i] > m->column[longest][longest] ? i : longest;
        for (int k = 0; k < 3; k++)
            axis[k] = m->column[longest][k] + (k == longest ? 1.0 : 0.0);
    }
    return atan2(sine, trace - 1.0) * 180.0 / acos(-1.0);
}

static void add_rotation(struct text *out, const struct affine_d *unit, size_t *parts)
{
    double axis[3];
    double degrees = rotation_angle(unit, axis), length = vec3d_length(axis);
    if (degrees < 0.01 || !(length > 0))
        return;
    int main_axis = fabs(axis[1]) > fabs(axis[0]) ? 1 : 0;
    main_axis = fabs(axis[2]) > fabs(axis[main_axis]) ? 2 : main_axis;
    double sign = axis[main_axis] < 0 && degrees < 179.99 ? -1.0 : 1.0;
    if (axis[main_axis] < 0)
        for (int k = 0; k < 3; k++)
            axis[k] = -axis[k];
    add_part(out, parts);
    text_addf(out, "%s about ", format_degrees(sign * degrees).text);
    add_direction(out, axis, length, false);
}

void matrix_describe(const struct affine_d *m, double length, double unit_meters, struct text *out)
{
    struct affine_d unit = *m;
    double scale[3], normal[3];
    const double zero[3] = {0, 0, 0};
    size_t parts = 0;
    for (int i = 0; i < 3; i++) {
        scale[i] = affine_d_axis(m, i);
        for (int k = 0; k < 3; k++)
            unit.column[i][k] = scale[i] > 0 ? m->column[i][k] / scale[i] : k == i;
    }
    vec3d_cross(unit.column[1], unit.column[2], normal);
    if (vec3d_dot(unit.column[0], normal) < 0) { /* mirrored: along that axis which leaves the least rotation */
        int axis = 0;
        for (int i = 1; i < 3; i++)
            axis = unit.column[i][i] < unit.column[axis][axis] ? i : axis;
        for (int k = 0; k < 3; k++)
            unit.column[axis][k] = -unit.column[axis][k];
        add_part(out, &parts);
        text_addf(out, "mirrored along %c", "xyz"[axis]);
    }
    add_rotation(out, &unit, &parts);
    double distance = vector_distance(m->column[3], zero);
    if (distance > length) {
        add_part(out, &parts);
        text_addf(out, "%s along ", format_length(distance, unit_meters).text);
        add_direction(out, m->column[3], distance, true);
    }
    double least = fmin(scale[0], fmin(scale[1], scale[2])), most = fmax(scale[0], fmax(scale[1], scale[2]));
    if (fabs(most - 1.0) >= alike || fabs(least - 1.0) >= alike) {
        add_part(out, &parts);
        if (most - least > alike * most)
            text_addf(out, "scale (%.4g, %.4g, %.4g)", scale[0], scale[1], scale[2]);
        else if (most >= 2.0 || (most <= 0.5 && most > 0))
            text_add(out, format_factor(most, "larger", "smaller").text);
        else
            text_add(out, format_scale(100.0 * (most - 1.0)).text);
    }
    if (parts == 0)
        text_add(out, "nothing");
}

const char *change_axis(const struct affine_d *was, const struct affine_d *now)
{
    static const char *const axes[3][2] = {{"x", "-x"}, {"y", "-y"}, {"z", "-z"}};
    struct affine_d inverse, change;
    double axis[3];
    if (!affine_d_inverse(was, &inverse))
        return NULL;
    change = affine_d_mul(now, &inverse);
    if (affine_d_degrees(&change, &affine_d_identity) < 0.1)
        return NULL;
    rotation_angle(&change, axis);
    double length = vec3d_length(axis);
    for (int i = 0; i < 3; i++)
        if (fabs(axis[i]) > 0.99999 * length)
            return axes[i][axis[i] < 0];
    return NULL;
}
