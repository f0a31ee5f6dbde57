#include "data/record/import_moments.h"

#include <float.h>
#include <math.h>

#include "data/vector.h"

/* ---- shared ------------------------------------------------------------------------------------------------------ */

/* Where a mesh is seen from: the centre of its bounds, with half their diagonal for a unit. */
struct view {
    double centre[3];
    double half;
};

static struct view view_of(const struct bounds *bounds)
{
    struct view view;
    double diagonal = 0.0;
    for (int k = 0; k < 3; k++) {
        double size = (double)bounds->max[k] - (double)bounds->min[k];
        view.centre[k] = 0.5 * ((double)bounds->min[k] + (double)bounds->max[k]);
        diagonal += size * size;
    }
    view.half = diagonal > 0.0 ? 0.5 * sqrt(diagonal) : 1.0;
    return view;
}

static double seen(const struct view *view, double coordinate, int axis)
{
    return (coordinate - view->centre[axis]) / view->half;
}

static float rounded(double mean)
{
    double value = rint(mean * 0x1p20) * 0x1p-20;
    return (float)fmin(fmax(value + 0.0, -(double)FLT_MAX), (double)FLT_MAX);
}

/* ---- vertices ---------------------------------------------------------------------------------------------------- */

/* The mean of the attribute's products with one factor a vertex: 1, or the position along an axis. */
static float attribute_moment(const struct mesh *mesh, const float *values, uint32_t width, const struct view *view,
                              int axis)
{
    double sum = 0.0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double factor = axis < 0 ? 1.0 : seen(view, (double)mesh->positions[v][axis], axis);
        sum += (double)values[(size_t)v * width] * factor;
    }
    return rounded(sum / mesh->vertex_count);
}

static void add_attribute(const struct mesh *mesh, const void *values, uint32_t width, const struct view *view,
                          struct attribute_snapshot *out)
{
    if (!values || mesh->vertex_count == 0)
        return;
    out->width = width;
    for (uint32_t c = 0; c < width; c++)
        for (int m = 0; m < MOMENTS; m++)
            out->moments[MOMENTS * c + (uint32_t)m] = attribute_moment(mesh, (const float *)values + c, width, view, m - 1);
}

static float position_moment(const struct mesh *mesh, const struct view *view, int component, int axis)
{
    double sum = 0.0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double factor = axis < 0 ? 1.0 : seen(view, (double)mesh->positions[v][axis], axis);
        sum += seen(view, (double)mesh->positions[v][component], component) * factor;
    }
    return rounded(sum / mesh->vertex_count);
}

static void add_positions(const struct mesh *mesh, const struct view *view, struct attribute_snapshot *out)
{
    if (mesh->vertex_count == 0)
        return;
    out->width = 3;
    for (int c = 0; c < 3; c++)
        for (int m = 0; m < MOMENTS; m++)
            out->moments[MOMENTS * c + m] = position_moment(mesh, view, c, m - 1);
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

/* Twice its area along its normal, and its centre, both as seen. */
static void see_triangle(const struct mesh *mesh, const struct view *view, uint32_t triangle, double normal[3],
                         double centre[3])
{
    double corner[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            corner[i][k] = seen(view, (double)mesh->positions[mesh->indices[3 * (size_t)triangle + (size_t)i]][k], k);
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        normal[k] = (corner[1][a] - corner[0][a]) * (corner[2][b] - corner[0][b]) -
                    (corner[1][b] - corner[0][b]) * (corner[2][a] - corner[0][a]);
        centre[k] = (corner[0][k] + corner[1][k] + corner[2][k]) / 3.0;
    }
}

static void add_faces(const struct mesh *mesh, const struct view *view, struct attribute_snapshot *out)
{
    double sums[3][MOMENTS] = {{0}}, area = 0.0, normal[3], centre[3];
    if (mesh->triangle_count == 0)
        return;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        see_triangle(mesh, view, t, normal, centre);
        area += vec3d_length(normal);
        for (int c = 0; c < 3; c++)
            for (int m = 0; m < MOMENTS; m++)
                sums[c][m] += normal[c] * (m == 0 ? 1.0 : centre[m - 1]);
    }
    out->width = 3;
    for (int c = 0; c < 3; c++)
        for (int m = 0; m < MOMENTS; m++)
            out->moments[MOMENTS * c + m] = area > 0.0 ? rounded(sums[c][m] / area) : 0.0f;
}

/* ---- all of a mesh ------------------------------------------------------------------------------------------------ */

void moments_of_mesh(const struct mesh *mesh, const struct bounds *bounds, struct mesh_snapshot *out)
{
    struct view view = view_of(bounds);
    add_positions(mesh, &view, &out->positions);
    add_faces(mesh, &view, &out->faces);
    add_attribute(mesh, mesh->normals, 3, &view, &out->normals);
    add_attribute(mesh, mesh->uvs, 2, &view, &out->uvs);
    add_attribute(mesh, mesh->colors, 4, &view, &out->colors);
}

/* ---- textures ---------------------------------------------------------------------------------------------------- */

/* -1 at the middle of the first pixel, 1 at that of the last. */
static double along(uint32_t i, uint32_t count)
{
    return count > 1 ? 2.0 * i / (count - 1) - 1.0 : 0.0;
}

/* A row's sums of a channel, and of its products with the column: exact, they are integers below 2^53. */
struct row_sums {
    uint64_t values[4];
    uint64_t by_column[4];
};

static struct row_sums sum_row(const uint8_t *row, uint32_t width)
{
    struct row_sums sums = {{0}, {0}};
    for (uint32_t x = 0; x < width; x++)
        for (int c = 0; c < 4; c++) {
            sums.values[c] += row[4 * (size_t)x + (size_t)c];
            sums.by_column[c] += (uint64_t)x * row[4 * (size_t)x + (size_t)c];
        }
    return sums;
}

void moments_of_texture(const struct texture *texture, struct texture_snapshot *out)
{
    double sums[4][TEXTURE_MOMENTS] = {{0}};
    if (texture->missing || !texture->rgba || texture->width == 0 || texture->height == 0)
        return;
    for (uint32_t y = 0; y < texture->height; y++) {
        struct row_sums row = sum_row(texture->rgba + 4 * (size_t)y * texture->width, texture->width);
        for (int c = 0; c < 4; c++) {
            double value = (double)row.values[c], last = texture->width > 1 ? texture->width - 1.0 : 1.0;
            sums[c][0] += value;
            sums[c][1] += texture->width > 1 ? 2.0 * (double)row.by_column[c] / last - value : 0.0;
            sums[c][2] += value * along(y, texture->height);
        }
    }
    out->has_moments = true;
    double scale = 1.0 / (255.0 * texture->width * texture->height);
    for (int c = 0; c < 4; c++)
        for (int m = 0; m < TEXTURE_MOMENTS; m++)
            out->moments[TEXTURE_MOMENTS * c + m] = rounded(sums[c][m] * scale);
}
