#include "palette/dual_quaternion.h"

#include <math.h>
#include <string.h>

#include "data/vector.h"
#include "palette/skin.h"

/* m[i] is column i; so are those of the cofactors, the inverse transpose times the determinant. */
static double cofactors(double m[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        vec3d_cross(m[(i + 1) % 3], m[(i + 2) % 3], out[i]);
    return vec3d_dot(m[0], out[0]);
}

static void multiply(double m[3][3], const vec3 p, double out[3])
{
    for (int r = 0; r < 3; r++)
        out[r] = m[0][r] * p[0] + m[1][r] * p[1] + m[2][r] * p[2];
}

/* v + 2 u x (u x v + w v) with q = (u, w). `out` may be `v`. */
static void rotate(const double q[4], const double v[3], double out[3])
{
    double first[3], second[3];
    vec3d_cross(q, v, first);
    for (int i = 0; i < 3; i++)
        first[i] += q[3] * v[i];
    vec3d_cross(q, first, second);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + 2 * second[i];
}

void joint_from_affine(const mat4 matrix, struct joint *out)
{
    static const double FLAT = 1e-6;
    double columns[3][3], x[3][3], square = 0, c[3][3];
    const double inverse_sign[4] = {-1, -1, -1, 1};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            columns[i][k] = matrix[i][k];
            square += columns[i][k] * columns[i][k];
        }
    double by = square > 0 ? 1 / sqrt(square / 3) : 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            x[i][k] = by * columns[i][k];
    double det = cofactors(x, c);
    for (int step = 0; step < ROTATION_STEPS && fabs(det) > FLAT; step++) { /* X <- (X + X^-T) / 2 */
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                x[i][k] = 0.5 * (x[i][k] + c[i][k] / det);
        det = cofactors(x, c);
    }
    double sign = det < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            x[i][k] *= sign;
    quaternion_from_columns(x, out->rotation);
    double back[4];
    for (int i = 0; i < 4; i++)
        back[i] = inverse_sign[i] * out->rotation[i];
    for (int i = 0; i < 3; i++) {
        rotate(back, columns[i], out->stretch[i]);
        out->translation[i] = matrix[3][i];
    }
}

bool joint_blend(const struct joint *joints, const struct influence *influences, uint32_t count, struct joint *out)
{
    double dual[2][4] = {{0}}, sum = 0, length = 0, turned[3];
    *out = (struct joint){0};
    uint32_t largest = 0;
    for (uint32_t i = 1; i < count; i++)
        if (influences[i].weight > influences[largest].weight)
            largest = i;
    const double *lead = count ? joints[influences[largest].bone].rotation : NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct joint *joint = &joints[influences[i].bone];
        double weight = influences[i].weight, along = 0;
        for (int k = 0; k < 4; k++)
            along += lead[k] * joint->rotation[k];
        /* q + e t q / 2: the real part, then the dual */
        const double *q = joint->rotation, *t = joint->translation, by = along < 0 ? -weight : weight;
        vec3d_cross(t, q, turned);
        for (int k = 0; k < 4; k++)
            dual[0][k] += by * q[k];
        for (int k = 0; k < 3; k++)
            dual[1][k] += by * 0.5 * (t[k] * q[3] + turned[k]);
        dual[1][3] -= by * 0.5 * vec3d_dot(t, q);
        for (int k = 0; k < 9; k++)
            out->stretch[k / 3][k % 3] += weight * joint->stretch[k / 3][k % 3];
        sum += weight;
    }
    for (int k = 0; k < 4; k++)
        length += dual[0][k] * dual[0][k];
    if (!(length > 0) || sum == 0)
        return false;
    length = sqrt(length);
    for (int k = 0; k < 9; k++)
        out->stretch[k / 3][k % 3] /= sum;
    for (int k = 0; k < 8; k++)
        dual[k / 4][k % 4] /= length;
    memcpy(out->rotation, dual[0], sizeof out->rotation);
    vec3d_cross(dual[0], dual[1], turned);
    for (int i = 0; i < 3; i++)
        out->translation[i] = 2 * (dual[0][3] * dual[1][i] - dual[1][3] * dual[0][i] + turned[i]);
    return true;
}

void joint_columns(const struct joint *joint, double columns[3][3])
{
    for (int i = 0; i < 3; i++)
        rotate(joint->rotation, joint->stretch[i], columns[i]);
}

static void skin_joints(const struct scene *scene, const struct joint *all, const float *morph_weights,
                          struct skinned *out)
{
    const struct instance *instance = &scene->instances[out->instance];
    const struct mesh *mesh = &scene->meshes[instance->mesh];
    const struct joint *joints = all + instance->first_binding;
    const float *weights = mesh->target_count ? morph_weights + instance->first_weight : NULL;
    bool is_morphed = morph_is_active(mesh, weights);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        struct joint joint;
        uint32_t count;
        const struct influence *influences = mesh_influences(mesh, v, &count);
        bool held = joint_blend(joints, influences, count, &joint);
        vec3 morphed[2];
        memcpy(morphed[0], mesh->positions[v], sizeof(vec3));
        memcpy(morphed[1], mesh->normals[v], sizeof(vec3));
        if (is_morphed)
            morph_vertices(mesh, weights, v, 1, &morphed[0], &morphed[1]);
        double cofactor[3][3], p[3], n[3], sign = cofactors(joint.stretch, cofactor) < 0 ? -1 : 1;
        multiply(joint.stretch, morphed[0], p);
        rotate(joint.rotation, p, p);
        multiply(cofactor, morphed[1], n);
        rotate(joint.rotation, n, n);
        double square = vec3d_dot(n, n), by = square > 0 ? sign / sqrt(square) : 0;
        for (int i = 0; i < 3; i++) {
            out->positions[v][i] = held ? (float)(p[i] + joint.translation[i]) : 0;
            out->normals[v][i] = held ? (float)(by * n[i]) : 0;
        }
        if (!mesh->tangents || !out->tangents)
            continue;
        double size = 0;
        for (int i = 0; i < 9; i++)
            size = fmax(size, fabs(joint.stretch[i / 3][i % 3]));
        multiply(joint.stretch, mesh->tangents[v], p);
        rotate(joint.rotation, p, p);
        skin_tangent(p, held ? size : INFINITY, out->normals[v], (float)sign * mesh->tangents[v][3], out->tangents[v]);
    }
}

void skin_scene_dual_quaternion(const struct scene *scene, const struct palette *palette, struct joint *joints,
                                struct skinned *out)
{
    for (uint32_t i = 0; i < palette->count; i++)
        joint_from_affine(palette->mesh_to_scene[i], &joints[i]);
    for (uint32_t i = 0; i < scene->instance_count; i++)
        skin_joints(scene, joints, palette->morph_weights, &out[i]);
}
