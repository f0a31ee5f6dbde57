#include "import/convert.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/postprocess.h>

#include "data/vector.h"
#include "import/assimp/library.h"
#include "import/gltf/gltf_repair.h"

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

size_t decode_percent(const char *text, unsigned char *out)
{
    size_t size = 0;
    while (*text) {
        bool is_code = *text == '%' && isxdigit((unsigned char)text[1]) && isxdigit((unsigned char)text[2]);
        out[size++] =
            is_code ? (unsigned char)strtoul((char[]){text[1], text[2], '\0'}, NULL, 16) : (unsigned char)*text;
        text += is_code ? 3 : 1;
    }
    out[size] = '\0';
    return size;
}

size_t lower_bound(const void *key, const void *items, size_t count, size_t size,
                   int (*compare)(const void *, const void *))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare((const char *)items + middle * size, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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
static void convert_axes(struct conversion *c)
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

enum { LARGEST_READ_AGAIN = 1 << 28 };

bool read_again(const struct scene *scene, struct blob *out)
{
    return file_read(scene->path, LARGEST_READ_AGAIN, out, &(struct error){0});
}

const struct fbx_file *fbx_of(struct conversion *c)
{
    struct error err = {0};
    if (!c->content.data && !c->fbx_problem) {
        c->fbx_problem = file_read(c->scene->path, LARGEST_READ_AGAIN, &c->content, &err)
                             ? fbx_open(&c->fbx, c->content.data, c->content.size)
                             : arena_string(c->scene->arena, err.text);
        if (!c->fbx_problem && (c->repairs & REPAIR_FBX_ROTATION_SPACE))
            fbx_drop_rotation_space(&c->fbx, c->content.data);
    }
    return c->fbx_problem ? NULL : &c->fbx;
}

void conversion_release(struct conversion *c)
{
    fbx_close(&c->fbx);
    blob_release(&c->content);
}

/* What Assimp was asked for besides is a part of what the scene is. */
static void report_flags(struct conversion *c)
{
    struct text names = {0};
    assimp_flags_describe(c->flags, &names);
    if (c->flags)
        scene_note(c->scene, NOTE_WARNING, "assimp-flags",
                   "Assimp ran with %s: vertices, weights, meshes and nodes are what these made of the file's",
                   text_string(&names));
    if ((assimp_flags_effects(c->flags) & CHANGES_NODES) && is_format(c, "fbx") &&
        (c->repairs & (REPAIR_FBX_OFFSETS | REPAIR_FBX_GEOMETRIC | REPAIR_FBX_PIVOTS)))
        scene_note(c->scene, NOTE_WARNING, "assimp-flags",
                   "the repairs fbx-offsets, fbx-geometric and fbx-pivots are left out: optimize-graph takes away the "
                   "nodes they go by");
    text_release(&names);
}

bool convert_scene(struct conversion *c)
{
    convert_axes(c);
    report_flags(c);
    if (!convert_nodes(c))
        return false;
    convert_materials(c);
    if (!convert_meshes(c))
        return false;
    repair_fbx_shapes(c);
    if (!convert_clips(c))
        return false;
    convert_cameras(c);
    b3d_finish(c);
    repair_ogre_keys(c);
    gltf_fix(c);
    repair_dae(c);
    repair_fbx_curves(c);
    repair_fbx_root_axes(c);
    if (!(assimp_flags_effects(c->flags) & CHANGES_NODES)) {
        repair_fbx_offsets(c);
        repair_fbx_geometric(c);
        repair_fbx_pivots(c);
    }
    if (!finish_weights(c) || !finish_clips(c))
        return false;
    repair_mdl_durations(c);
    repair_mdl_root_axes(c);
    add_warnings(c);
    scene_bind(c->scene);
    return true;
}
