#include "import/scene/convert.h"

#include <math.h>
#include <string.h>

#include <assimp/postprocess.h>

#include "data/vector.h"

const char *copy_name(struct conversion *c, struct slice name)
{
    enum { LONGEST = 1000 };
    return arena_printf(c->scene->arena, "%.*s", (int)(name.length < LONGEST ? name.length : LONGEST),
                        name.length ? name.data : "");
}

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

bool copy_vector(const struct aiVector3D *from, vec3 to)
{
    const vec3 vector = {from->x, from->y, from->z};
    bool good = vec3_is_finite(vector);
    if (good)
        memcpy(to, vector, sizeof vector);
    return good;
}

const struct aiMetadataEntry *metadata_of(const struct conversion *c, const char *key)
{
    const struct aiMetadata *metadata = c->source->mMetaData;
    for (unsigned i = 0; metadata && i < metadata->mNumProperties; i++)
        if (strcmp(metadata->mKeys[i].data, key) == 0 && metadata->mValues[i].mData)
            return &metadata->mValues[i];
    return NULL;
}

bool is_format(const struct conversion *c, const char *extension)
{
    return strcmp(c->scene->format, extension) == 0;
}

bool is_gltf(const struct conversion *c)
{
    return scene_is_gltf(c->scene);
}

/* False when it is not there or not a number. */
static bool metadata_number(const struct conversion *c, const char *key, double *value)
{
    const struct aiMetadataEntry *entry = metadata_of(c, key);
    if (entry && entry->mType == AI_INT32)
        *value = *(const int32_t *)entry->mData;
    else if (entry && entry->mType == AI_UINT64)
        *value = (double)*(const uint64_t *)entry->mData;
    else if (entry && entry->mType == AI_FLOAT)
        *value = (double)*(const float *)entry->mData;
    else if (entry && entry->mType == AI_DOUBLE)
        *value = *(const double *)entry->mData;
    else
        return false;
    return true;
}

/* FBX says its axes and its unit (in centimetres); COLLADA's are baked into the root: metres, Y up. */
void convert_axes(struct conversion *c)
{
    double number;
    c->scene->up_axis = 1;
    c->scene->up_sign = 1;
    if (is_gltf(c) || is_format(c, "dae"))
        c->scene->unit_meters = 1.0;
    if (!is_format(c, "fbx"))
        return;
    if (metadata_number(c, "UpAxis", &number) && number >= 0 && number <= 2)
        c->scene->up_axis = (int)number;
    if (metadata_number(c, "UpAxisSign", &number))
        c->scene->up_sign = number < 0 ? -1 : 1;
    if (metadata_number(c, "UnitScaleFactor", &number) && number > 0 && isfinite(number))
        c->scene->unit_meters = c->flags & aiProcess_GlobalScale ? 1.0 : 0.01 * number;
}

const struct blob *bytes_of(struct conversion *c)
{
    enum { LARGEST = 1 << 28 };
    struct error why = {0};
    if (!c->content.data && !c->problem && !file_read(c->scene->path, LARGEST, &c->content, &why))
        c->problem = arena_string(c->scene->arena, why.text);
    return c->content.data ? &c->content : NULL;
}

void list_name(struct text *list, size_t index, size_t most, const char *quote, struct slice name)
{
    enum { LONGEST = 96 };
    const int length = (int)(name.length < LONGEST ? name.length : LONGEST);
    if (index < most)
        text_addf(list, "%s%s%.*s%s", index ? ", " : "", quote, length, name.length ? name.data : "", quote);
    else if (index == most)
        text_add(list, ", ...");
}
