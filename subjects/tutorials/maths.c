#include <math.h>

#include "engine.h"

struct mat4 identity4(void)
{
    struct mat4 a = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    return a;
}

struct mat4 multiply(struct mat4 a, struct mat4 b)
{
    struct mat4 out;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            float sum = 0;
            for (int k = 0; k < 4; k++) {
                sum += a.m[4 * k + row] * b.m[4 * column + k];
            }
            out.m[4 * column + row] = sum;
        }
    }
    return out;
}

struct mat4 transpose(struct mat4 a)
{
    struct mat4 out;
    for (int i = 0; i < 16; i++) {
        out.m[i] = a.m[4 * (i % 4) + i / 4];
    }
    return out;
}

struct mat4 from_assimp(const struct aiMatrix4x4 *a)
{
    struct mat4 rows;
    memcpy(rows.m, &a->a1, sizeof rows.m);
    return transpose(rows);
}

struct mat4 inverse(struct mat4 a)
{
    struct mat4 rows = transpose(a);
    struct aiMatrix4x4 theirs;
    memcpy(&theirs.a1, rows.m, sizeof rows.m);
    aiMatrix4Inverse(&theirs);
    return from_assimp(&theirs);
}

struct aiVector3D apply(const struct mat4 *a, struct aiVector3D v, float w)
{
    const float *m = a->m;
    struct aiVector3D out = {m[0] * v.x + m[4] * v.y + m[8] * v.z + m[12] * w,
                             m[1] * v.x + m[5] * v.y + m[9] * v.z + m[13] * w,
                             m[2] * v.x + m[6] * v.y + m[10] * v.z + m[14] * w};
    return out;
}

static struct mat4 rotation(struct aiQuaternion q)
{
    struct mat4 a = identity4();
    a.m[0] = 1 - 2 * (q.y * q.y + q.z * q.z);
    a.m[1] = 2 * (q.x * q.y + q.w * q.z);
    a.m[2] = 2 * (q.x * q.z - q.w * q.y);
    a.m[4] = 2 * (q.x * q.y - q.w * q.z);
    a.m[5] = 1 - 2 * (q.x * q.x + q.z * q.z);
    a.m[6] = 2 * (q.y * q.z + q.w * q.x);
    a.m[8] = 2 * (q.x * q.z + q.w * q.y);
    a.m[9] = 2 * (q.y * q.z - q.w * q.x);
    a.m[10] = 1 - 2 * (q.x * q.x + q.y * q.y);
    return a;
}

struct mat4 compose(struct aiVector3D t, struct aiQuaternion r, struct aiVector3D s)
{
    struct mat4 translation = identity4(), scale = identity4();
    translation.m[12] = t.x, translation.m[13] = t.y, translation.m[14] = t.z;
    scale.m[0] = s.x, scale.m[5] = s.y, scale.m[10] = s.z;
    if (makes(SCALE_DROPPED)) {
        return multiply(translation, rotation(r));
    }
    if (makes(TSR_ORDER)) {
        return multiply(multiply(translation, scale), rotation(r));
    }
    return multiply(translation, multiply(rotation(r), scale));
}

struct aiQuaternion stored(struct aiQuaternion q)
{
    if (makes(QUATERNION_ORDER)) { /* w x y z taken for x y z w */
        struct aiQuaternion shifted = {.x = q.w, .y = q.x, .z = q.y, .w = q.z};
        return shifted;
    }
    if (makes(QUATERNION_CONJUGATED)) {
        q.x = -q.x, q.y = -q.y, q.z = -q.z;
    }
    return q;
}

struct aiVector3D blend(struct aiVector3D a, struct aiVector3D b, float u)
{
    u = makes(LINEAR_AS_STEP) ? 0 : u;
    struct aiVector3D out = {a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z)};
    return out;
}

struct aiQuaternion turn(struct aiQuaternion a, struct aiQuaternion b, float u)
{
    float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    float p = 1 - u, q = u;
    if (makes(LINEAR_AS_STEP)) {
        return a;
    }
    float sign = dot < 0 && !makes(LONG_WAY) ? -1.0f : 1.0f;
    float angle = acosf(fminf(fmaxf(sign * dot, -1), 1));
    if (!makes(NLERP) && !makes(QUATERNION_NOT_NORMALISED) && sinf(angle) > 1e-4f) {
        p = sinf((1 - u) * angle) / sinf(angle);
        q = sinf(u * angle) / sinf(angle);
    }
    q *= sign;
    struct aiQuaternion out = {
        .w = p * a.w + q * b.w, .x = p * a.x + q * b.x, .y = p * a.y + q * b.y, .z = p * a.z + q * b.z};
    float length = sqrtf(out.w * out.w + out.x * out.x + out.y * out.y + out.z * out.z);
    if (!makes(QUATERNION_NOT_NORMALISED) && length > 0) {
        out.w /= length, out.x /= length, out.y /= length, out.z /= length;
    }
    return out;
}

float share_of_line(double time, double before, double behind)
{
    return (float)(behind > before ? fmin((time - before) / (behind - before), 1) : 0);
}

float share(double time, double before, double behind)
{
    return fmaxf(share_of_line(time, before, behind), 0);
}
