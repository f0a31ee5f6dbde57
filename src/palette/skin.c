#include "palette/skin.h"

#include <math.h>
#include <string.h>

#include "data/affine.h"
#include "data/lanes.h"
#include "data/vector.h"

bool morph_is_active(const struct mesh *mesh, const float *weights)
{
    for (uint32_t t = 0; t < mesh->target_count; t++)
        if (weights[t] != 0.0f)
            return true;
    return false;
}

void morph_vertices(const struct mesh *mesh, const float *weights, uint32_t first, uint32_t count, vec3 *positions,
                    vec3 *normals)
{
    memcpy(positions, mesh->positions + first, count * sizeof *positions);
    memcpy(normals, mesh->normals + first, count * sizeof *normals);
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const struct morph_target *target = &mesh->targets[t];
        if (weights[t] == 0.0f)
            continue;
        for (uint32_t v = 0; v < count; v++)
            for (int k = 0; k < 3; k++) {
                positions[v][k] += weights[t] * target->position_deltas[first + v][k];
                if (target->normal_deltas)
                    normals[v][k] += weights[t] * target->normal_deltas[first + v][k];
            }
    }
    for (uint32_t v = 0; v < count; v++) { /* brought near 1 first, so that the square neither vanishes nor overflows */
        float *n = normals[v], size = fmaxf(fmaxf(fabsf(n[0]), fabsf(n[1])), fabsf(n[2]));
        for (int k = 0; k < 3 && size > 0.0f; k++)
            n[k] /= size;
        float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3 && size > 0.0f; k++)
            n[k] /= length;
    }
}

/*
 * Four vertices at once. Their matrices are blended one by one (each vertex has its own bones), then turned so that
 * the rest is computed in lanes of four vertices.
 */
enum {
    BATCH = 4,  /* vertices */
    CHUNK = 16, /* batches that are blended before they are transformed: two short loops run faster than a long one */
};

/* Elements of four matrices: element[column][row] holds one float per vertex. */
struct matrices {
    f32x4 element[4][4];
};

/* The blended matrices of vertices first..first + 3; past the last vertex it repeats. */
static void blend(const struct mesh *mesh, const mat4 *palette, uint32_t first, struct matrices *out)
{
    for (uint32_t lane = 0; lane < BATCH; lane++) {
        uint32_t v = first + lane < mesh->vertex_count ? first + lane : mesh->vertex_count - 1;
        f32x4 column[4] = {{0}, {0}, {0}, {0}};
        for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++) {
            f32x4 weight = lanes_splat(mesh->influences[i].weight);
            const float(*bone)[4] = (const float(*)[4])palette[mesh->influences[i].bone];
            for (int c = 0; c < 4; c++)
                column[c] += weight * lanes_load(bone[c]);
        }
        for (int c = 0; c < 4; c++)
            out->element[c][lane] = column[c];
    }
    for (int c = 0; c < 4; c++)
        lanes_transpose(out->element[c]);
}

/* x y z x | y z x y | z x y z  ->  x x x x | y y y y | z z z z; points past `count` repeat the last. */
static void load_points(const vec3 *points, uint32_t count, f32x4 out[3])
{
    vec3 padded[BATCH];
    for (uint32_t i = 0; i < BATCH && count < BATCH; i++)
        memcpy(padded[i], points[i < count ? i : count - 1], sizeof(vec3));
    const float *from = count < BATCH ? padded[0] : points[0];
    f32x4 a = lanes_load(from), b = lanes_load(from + 4), c = lanes_load(from + 8);
    f32x4 xy = LANES_SHUFFLE(b, c, 2, 3, 5, 6); /* x2 y2 x3 y3 */
    f32x4 yz = LANES_SHUFFLE(a, b, 1, 2, 4, 5); /* y0 z0 y1 z1 */
    out[0] = LANES_SHUFFLE(a, xy, 0, 3, 4, 6);
    out[1] = LANES_SHUFFLE(yz, xy, 0, 2, 5, 7);
    out[2] = LANES_SHUFFLE(yz, c, 1, 3, 4, 7);
}

static void store_points(const f32x4 from[3], vec3 *points, uint32_t count)
{
    f32x4 xy_low = LANES_SHUFFLE(from[0], from[1], 0, 4, 1, 5);  /* x0 y0 x1 y1 */
    f32x4 xy_high = LANES_SHUFFLE(from[0], from[1], 2, 6, 3, 7); /* x2 y2 x3 y3 */
    f32x4 zx = LANES_SHUFFLE(from[2], from[0], 0, 2, 5, 7);      /* z0 z2 x1 x3 */
    f32x4 yz = LANES_SHUFFLE(from[1], from[2], 1, 3, 5, 7);      /* y1 y3 z1 z3 */
    vec3 batch[BATCH];
    float *to = count < BATCH ? batch[0] : points[0];
    lanes_store(to, LANES_SHUFFLE(xy_low, zx, 0, 1, 4, 6));
    lanes_store(to + 4, LANES_SHUFFLE(yz, xy_high, 0, 2, 4, 5));
    f32x4 z2x3 = LANES_SHUFFLE(zx, zx, 1, 3, 5, 7);
    lanes_store(to + 8, LANES_SHUFFLE(z2x3, yz, 0, 1, 5, 7));
    if (count < BATCH)
        memcpy(points, batch, count * sizeof(vec3));
}

static void cross(const f32x4 a[3], const f32x4 b[3], f32x4 out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static f32x4 dot(const f32x4 a[3], const f32x4 b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The batch whose first vertex is `first`, from there on at rest: the mesh's own, or morphed copies. */
static void transform_batch(const vec3 *positions, const vec3 *normals, const struct matrices *matrices, uint32_t first,
                            struct skinned *out)
{
    uint32_t count = smaller(out->vertex_count - first, BATCH);
    f32x4 position[3], normal[3], moved[3];
    load_points(positions, count, position);
    load_points(normals, count, normal);
    const f32x4(*m)[4] = matrices->element;
    for (int r = 0; r < 3; r++)
        moved[r] = m[0][r] * position[0] + m[1][r] * position[1] + m[2][r] * position[2] + m[3][r];
    store_points(moved, out->positions + first, count);
    f32x4 yz[3], zx[3], xy[3]; /* cofactors of the blended matrices times the sign of their determinants, applied */
    cross(m[1], m[2], yz);
    cross(m[2], m[0], zx);
    cross(m[0], m[1], xy);
    f32x4 sign = lanes_select(dot(m[0], yz) < 0.0f, lanes_splat(-1.0f), lanes_splat(1.0f));
    for (int i = 0; i < 3; i++)
        moved[i] = sign * (yz[i] * normal[0] + zx[i] * normal[1] + xy[i] * normal[2]);
    /* Brought near 1 by a power of two first, so that no scale is lost in the square. Zero stays zero. */
    f32x4 largest = lanes_max(lanes_max(lanes_abs(moved[0]), lanes_abs(moved[1])), lanes_abs(moved[2]));
    f32x4 near_one = (f32x4)(0x7f000000 - ((i32x4)largest & 0x7f800000));
    for (int i = 0; i < 3; i++)
        moved[i] *= near_one;
    f32x4 square = dot(moved, moved);
    f32x4 scale = 1.0f / lanes_sqrt(lanes_select(square == 0.0f, lanes_splat(1.0f), square));
    for (int i = 0; i < 3; i++)
        moved[i] *= scale;
    store_points(moved, out->normals + first, count);
}

void skin_tangent(const double moved[3], double size, const vec3 normal, float sign, vec4 out)
{
    static const double LEAST = 1e-3, LEAST_ACROSS = 1e-2;
    double along = 0, across[3], length = vec3d_length(moved);
    for (int i = 0; i < 3; i++)
        along += moved[i] * (double)normal[i];
    for (int i = 0; i < 3; i++)
        across[i] = moved[i] - along * (double)normal[i];
    double left = vec3d_length(across);
    bool is_there = fabsf(sign) > 0.5f && length > LEAST * size && left > LEAST_ACROSS * length;
    for (int i = 0; i < 3; i++)
        out[i] = is_there ? (float)(across[i] / left) : 0;
    out[3] = is_there ? sign : 0;
}

/* The batch whose normals are skinned. */
static void turn_tangents(const vec4 *tangents, const struct matrices *matrices, uint32_t first, struct skinned *out)
{
    const f32x4(*m)[4] = matrices->element;
    for (uint32_t lane = 0; lane < smaller(out->vertex_count - first, BATCH); lane++) {
        const float *tangent = tangents[first + lane];
        double columns[3][3], moved[3], yz[3], size = 0;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                columns[c][r] = (double)m[c][r][lane];
                size = fmax(size, fabs(columns[c][r]));
            }
        for (int r = 0; r < 3; r++)
            moved[r] = columns[0][r] * (double)tangent[0] + columns[1][r] * (double)tangent[1] +
                       columns[2][r] * (double)tangent[2];
        vec3d_cross(columns[1], columns[2], yz);
        float sign = vec3d_dot(columns[0], yz) < 0 ? -tangent[3] : tangent[3];
        skin_tangent(moved, size, out->normals[first + lane], sign, out->tangents[first + lane]);
    }
}

static void skin_instance(const struct scene *scene, const struct palette *palette, struct skinned *out)
{
    const struct instance *instance = &scene->instances[out->instance];
    const struct mesh *mesh = &scene->meshes[instance->mesh];
    const mat4 *own = (const mat4 *)palette->mesh_to_scene + instance->first_binding;
    const float *weights = mesh->target_count ? palette->morph_weights + instance->first_weight : NULL;
    struct matrices matrices[CHUNK];
    vec3 positions[CHUNK * BATCH], normals[CHUNK * BATCH];
    bool is_rigid = mesh->bone_count == 0, is_morphed = morph_is_active(mesh, weights);
    for (uint32_t i = 0; i < CHUNK * 16 && is_rigid; i++)
        matrices[i / 16].element[i / 4 % 4][i % 4] = lanes_splat(own[0][i / 4 % 4][i % 4]);
    for (uint32_t start = 0; start < mesh->vertex_count; start += CHUNK * BATCH) {
        uint32_t batches = smaller((mesh->vertex_count - start + BATCH - 1) / BATCH, CHUNK);
        const vec3 *rest = (const vec3 *)mesh->positions + start, *rest_normals = (const vec3 *)mesh->normals + start;
        if (is_morphed) {
            morph_vertices(mesh, weights, start, smaller(mesh->vertex_count - start, CHUNK * BATCH), positions,
                           normals);
            rest = (const vec3 *)positions;
            rest_normals = (const vec3 *)normals;
        }
        for (uint32_t i = 0; i < batches && !is_rigid; i++)
            blend(mesh, own, start + i * BATCH, &matrices[i]);
        for (uint32_t i = 0; i < batches; i++)
            transform_batch(rest + i * BATCH, rest_normals + i * BATCH, &matrices[i], start + i * BATCH, out);
        for (uint32_t i = 0; i < batches && mesh->tangents && out->tangents; i++)
            turn_tangents((const vec4 *)mesh->tangents, &matrices[i], start + i * BATCH, out);
    }
}

void skin_scene(const struct scene *scene, const struct palette *palette, struct skinned *out)
{
    for (uint32_t i = 0; i < scene->instance_count; i++)
        skin_instance(scene, palette, &out[i]);
}

double skin_rounding(const struct scene *scene, const struct palette *palette, enum palette_format format)
{
    static const double ROUNDING = 1e-6;
    double most = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        const mat4 *own = (const mat4 *)palette->mesh_to_scene + instance->first_binding;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            uint32_t count;
            const struct influence *influences = mesh_influences(mesh, v, &count);
            for (uint32_t k = 0; k < count; k++) {
                const vec4 *matrix = own[influences[k].bone];
                vec3 point, turned;
                affine_point(matrix, mesh->positions[v], point);
                for (int c = 0; c < 3; c++)
                    turned[c] = point[c] - matrix[3][c];
                double length = vec3_length(turned);
                double trs = format == PALETTE_TRS ? 3 * SIMILARITY_TOLERANCE * length : 0;
                most = fmax(most, ROUNDING * (length + vec3_length(matrix[3])) + trs);
            }
        }
    }
    return isfinite(most) ? most : 0;
}
