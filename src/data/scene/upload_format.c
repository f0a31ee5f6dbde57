#include "data/scene/upload_format.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "data/affine.h"
#include "data/measure.h"
#include "data/vector.h"

const char *const palette_path_names[PALETTE_PATH_COUNT] = {
    [PALETTE_TBO] = "tbo", [PALETTE_UNIFORM] = "uniform", [PALETTE_UBO] = "ubo", [PALETTE_SSBO] = "ssbo"};
const char *const palette_format_names[PALETTE_FORMAT_COUNT] = {
    [PALETTE_MAT3X4] = "mat3x4", [PALETTE_MAT4] = "mat4", [PALETTE_TRS] = "trs"};
const char *const weight_format_names[WEIGHT_FORMAT_COUNT] = {[WEIGHTS_FLOAT] = "float", [WEIGHTS_UNORM8] = "unorm8"};
const char *const skinning_names[SKINNING_COUNT] = {
    [SKINNING_LINEAR] = "linear", [SKINNING_DUAL_QUATERNION] = "dual-quaternion"};

uint32_t palette_format_rows(enum palette_format format)
{
    return format == PALETTE_MAT3X4 ? 3 : format == PALETTE_MAT4 ? 4 : 2;
}

const char *upload_format_needs_similarity(const struct upload_format *upload_format)
{
    return upload_format->format == PALETTE_TRS ? "--palette-format trs" : NULL;
}

bool similarity_from_affine(const mat4 matrix, struct similarity *out, const char **why)
{
    double lengths[3], columns[3][3], q[4], square = 0, worst = 0;
    bool uniform = true;
    *out = (struct similarity){.rotation = {0, 0, 0, 1}};
    memcpy(out->translation, matrix[3], sizeof out->translation);
    for (int i = 0; i < 3; i++) {
        lengths[i] = vec3_length(matrix[i]);
        square += lengths[i] * lengths[i];
    }
    double scale = sqrt(square / 3);
    out->scale = (float)scale;
    if (!(scale > 0))
        return true;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            columns[i][k] = (double)matrix[i][k] / scale;
    quaternion_from_columns(columns, q);
    for (int i = 0; i < 4; i++)
        out->rotation[i] = (float)(q[3] < 0 ? -q[i] : q[i]);
    struct transform turn = transform_identity;
    mat4 exact;
    memcpy(turn.rotation, out->rotation, sizeof turn.rotation);
    affine_from_transform(&turn, exact);
    for (int i = 0; i < 3; i++) {
        uniform = uniform && fabs(lengths[i] / scale - 1) <= SIMILARITY_TOLERANCE;
        for (int k = 0; k < 3; k++)
            worst = worse(worst, fabs(columns[i][k] - (double)exact[i][k]));
    }
    if (worst <= SIMILARITY_TOLERANCE)
        return true;
    *why = affine_determinant(matrix) < 0 ? "is mirrored" : uniform ? "has shear" : "has a scale that is not uniform";
    return false;
}

bool palette_check_similar(const struct scene *scene, const struct palette *palette, const char *what,
                           struct error *err)
{
    struct similarity ignored;
    for (uint32_t i = 0; i < palette->count; i++) {
        const char *why = NULL;
        const struct binding *binding = &scene->bindings[i];
        if (similarity_from_affine(palette->mesh_to_scene[i], &ignored, &why))
            continue;
        SCOPED(text) scales = {0};
        for (int k = 0; k < 3; k++) {
            text_add(&scales, k ? " " : "");
            text_add_float(&scales, (float)vec3_length(palette->mesh_to_scene[i][k]));
        }
        return error_set(err,
                         "%s holds only rotation, translation and uniform scale, but the matrix of bone \"%s\" of mesh "
                         "%s %s (scale %s; more than 1e-5 off)",
                         what, scene->nodes[binding->node].name,
                         scene->meshes[scene->instances[binding->instance].mesh].quoted, why, text_string(&scales));
    }
    return true;
}

/* 255 times the weight, 0 to 255. */
static double share_of(const struct influence *influence)
{
    return 255.0 * fmin(fmax((double)influence->weight, 0.0), 1.0);
}

void weights_to_bytes(const struct influence *influences, uint32_t count, uint8_t *bytes)
{
    double sum = 0;
    long missing = 0;
    for (uint32_t i = 0; i < count; i++) {
        double share = share_of(&influences[i]);
        bytes[i] = (uint8_t)share;
        missing -= bytes[i];
        sum += share;
    }
    for (missing += lround(sum); missing > 0; missing--) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < count; i++)
            if (share_of(&influences[i]) - bytes[i] > share_of(&influences[largest]) - bytes[largest])
                largest = i;
        bytes[largest]++;
    }
}
