#include "data/pose/upload_format.h"

#include <stddef.h>

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
