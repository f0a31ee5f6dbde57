#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "import/fbx/fbx_file.h"

/*
 * FBX blend shapes at rest. Assimp gives a shape that is alone in its channel the weight 1, whatever the file says, so
 * a face at rest would smile, frown and blink at once. The file's DeformPercent is searched for by the channel's name,
 * which exporters give the shape too; a shape whose channel is not found rests at 0.
 */

struct shape_channel {
    struct fbx_text name;
    double percent;
};

static bool has_uneven_weights(const struct fbx_file *file, uint32_t channel)
{
    uint32_t list = fbx_child(file, channel, "FullWeights"), count = 0;
    double *weights = list ? fbx_array(file, list, &count) : NULL;
    bool is_uneven = false;
    for (uint32_t i = 0; weights && i < count; i++)
        is_uneven = is_uneven || !(fabs(weights[i] - 100.0) < 1e-3);
    free(weights);
    return is_uneven;
}

/* The channels of the file, freed by the caller. */
static struct shape_channel *read_channels(struct conversion *c, const struct fbx_file *file, uint32_t *count)
{
    struct shape_channel *channels = scratch_alloc(file->object_count, sizeof *channels);
    *count = 0;
    for (uint32_t i = 0; i < file->object_count; i++) {
        uint32_t element = file->objects[i].element;
        struct fbx_text type;
        if (!fbx_string(file, element, 2, &type) || !fbx_is(type, "BlendShapeChannel"))
            continue;
        struct shape_channel *channel = &channels[(*count)++];
        *channel = (struct shape_channel){.name = fbx_object_name(file, element)};
        if (!fbx_number(file, fbx_child(file, element, "DeformPercent"), 0, &channel->percent) ||
            fabs(channel->percent) > 1e6)
            channel->percent = 0;
        if (has_uneven_weights(file, element))
            scene_note(c->scene, NOTE_WARNING, "fbx-full-weights",
                       "blend shape \"%.*s\" has a weight of its own for each vertex, or shapes on the way "
                       "(FullWeights): Assimp ignores that",
                       (int)(channel->name.length < 256 ? channel->name.length : 256), channel->name.data);
    }
    return channels;
}

/* Assimp 5.3 and later put the channel's name and a dot before the shape's. */
static bool is_of(const struct morph_target *target, const struct shape_channel *channel)
{
    size_t length = channel->name.length;
    return strlen(target->name) >= length && memcmp(target->name, channel->name.data, length) == 0 &&
           (target->name[length] == '\0' || target->name[length] == '.');
}

/* Of several channels it is the one with the longest name: blink.L is not blink's. */
static float weight_at_rest(const struct morph_target *target, const struct shape_channel *channels, uint32_t count)
{
    const struct shape_channel *best = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (is_of(target, &channels[i]) && (!best || channels[i].name.length >= best->name.length))
            best = &channels[i];
    return best ? (float)(best->percent / 100.0) : 0.0f;
}

static uint32_t count_targets(const struct scene *scene)
{
    uint32_t count = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++)
        count += scene->meshes[m].target_count;
    return count;
}

static void set_weights(struct conversion *c, const struct blob *blob)
{
    struct fbx_file file = {.data = NULL};
    uint32_t count = 0;
    struct shape_channel *channels = NULL;
    if (blob->data && !fbx_open(&file, blob->data, blob->size))
        channels = read_channels(c, &file, &count);
    for (uint32_t m = 0; m < c->scene->mesh_count && (c->repairs & REPAIR_FBX_SHAPES); m++)
        for (uint32_t t = 0; t < c->scene->meshes[m].target_count; t++) {
            struct morph_target *target = &c->scene->meshes[m].targets[t];
            target->default_weight = weight_at_rest(target, channels, count);
        }
    free(channels);
    fbx_close(&file);
}

void repair_fbx_shapes(struct conversion *c)
{
    enum { LARGEST = 1 << 28 };
    struct blob file;
    struct error ignored = {0};
    uint32_t count = is_format(c, "fbx") ? count_targets(c->scene) : 0;
    if (count == 0)
        return;
    if (c->repairs & REPAIR_FBX_SHAPES)
        scene_note(c->scene, NOTE_REPAIR, "fbx-shapes", "%u blend shape%s at rest as the file says, not at full weight",
                   count, count > 1 ? "s" : "");
    if (!file_read(c->scene->path, LARGEST, &file, &ignored))
        file = (struct blob){.data = NULL};
    set_weights(c, &file);
    blob_release(&file);
}
