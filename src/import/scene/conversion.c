#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    return memory_new(count, size);
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
