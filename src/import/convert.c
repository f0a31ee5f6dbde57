#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/gltf_mend.h"

const char *copy_string(struct conversion *c, const struct aiString *string)
{
    size_t length = string->length < sizeof string->data ? string->length : sizeof string->data - 1;
    char *copy = ARENA_NEW(c->scene->arena, char, length + 1);
    memcpy(copy, string->data, length);
    return copy;
}

void copy_matrix(const struct aiMatrix4x4 *from, mat4 to)
{
    const float rows[12] = {from->a1, from->a2, from->a3, from->a4, from->b1, from->b2,
                            from->b3, from->b4, from->c1, from->c2, from->c3, from->c4};
    affine_from_rows(rows, to);
}

float srgb_to_linear(float s)
{
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

bool is_format(const struct conversion *c, const char *extension)
{
    return strcmp(c->scene->format, extension) == 0;
}

bool is_gltf(const struct conversion *c)
{
    return is_format(c, "gltf") || is_format(c, "glb");
}

void *scratch_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        _exit(ARENA_EXHAUSTED);
    return memory;
}

bool metadata_number(const struct aiScene *source, const char *key, double *value)
{
    const struct aiMetadata *metadata = source->mMetaData;
    for (unsigned i = 0; metadata && i < metadata->mNumProperties; i++) {
        const struct aiMetadataEntry *entry = &metadata->mValues[i];
        if (strcmp(metadata->mKeys[i].data, key) != 0 || !entry->mData)
            continue;
        switch (entry->mType) {
        case AI_INT32:
            *value = *(const int32_t *)entry->mData;
            return true;
        case AI_UINT64:
            *value = (double)*(const uint64_t *)entry->mData;
            return true;
        case AI_FLOAT:
            *value = (double)*(const float *)entry->mData;
            return true;
        case AI_DOUBLE:
            *value = *(const double *)entry->mData;
            return true;
        default:
            return false;
        }
    }
    return false;
}

/* FBX says its axes and its unit (in centimetres); COLLADA's are baked into the root: metres, Y up. */
static void convert_axes(struct conversion *c)
{
    double number;
    c->scene->up_axis = 1;
    c->scene->up_sign = 1;
    if (is_gltf(c) || is_format(c, "dae"))
        c->scene->unit_meters = 1.0;
    if (!is_format(c, "fbx"))
        return;
    if (metadata_number(c->source, "UpAxis", &number) && number >= 0 && number <= 2)
        c->scene->up_axis = (int)number;
    if (metadata_number(c->source, "UpAxisSign", &number))
        c->scene->up_sign = number < 0 ? -1 : 1;
    if (metadata_number(c->source, "UnitScaleFactor", &number) && number > 0 && isfinite(number))
        c->scene->unit_meters = 0.01 * number;
}

static bool mend_gltf(struct conversion *c)
{
    const uint32_t wanted =
        REPAIR_NAME_CLASH | REPAIR_GLTF_INTERPOLATION | REPAIR_GLTF_INTEGERS | REPAIR_GLTF_MORPH;
    if (is_gltf(c) && (c->repairs & wanted))
        return gltf_mend(c->scene, c->source, c->repairs, c->err);
    return true;
}

static void release(struct conversion *c)
{
    free(c->nodes);
    free(c->nodes_by_name);
    free(c->mesh_node);
    free(c->mesh_uv);
}

bool convert_scene(struct conversion *c)
{
    convert_axes(c);
    bool good = convert_nodes(c) && convert_materials(c) && convert_meshes(c) && check_weights_of_pose(c);
    if (good) {
        repair_fbx_shapes(c);
        good = convert_clips(c);
    }
    if (good) {
        convert_cameras(c);
        good = mend_gltf(c);
    }
    if (good) {
        repair_fbx_root_axes(c);
        repair_fbx_offsets(c);
        repair_fbx_pivots(c);
        good = finish_weights(c) && finish_clips(c);
        repair_mdl_durations(c);
    }
    if (good) {
        add_warnings(c);
        scene_bind(c->scene);
    }
    release(c);
    return good;
}
