#include "data/image/frame_settings.h"

const char *const view_names[VIEW_COUNT] = {
    [VIEW_LIT] = "lit",     [VIEW_UNLIT] = "unlit", [VIEW_NORMALS] = "normals", [VIEW_WEIGHTS] = "weights",
    [VIEW_BONES] = "bones", [VIEW_DEPTH] = "depth", [VIEW_UV] = "uv",           [VIEW_INFLUENCES] = "influences",
    [VIEW_BONE_WEIGHT] = "weight:BONE",
};

const char *const overlay_names[OVERLAY_COUNT] = {"skeleton", "wireframe", "bounds", "axes", "label"};
