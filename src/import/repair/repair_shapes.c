#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * FBX blend shapes at rest. Assimp gives a shape that is alone in its channel the weight 1, whatever the file says, so
 * a face at rest would smile, frown and blink at once. The file's DeformPercent is searched for by the channel's name,
 * which exporters give the shape too; a shape whose channel is not found rests at 0.
 */

struct shape_channel {
    struct fbx_text name;
    double percent;
};

static void warn_uneven_weights(struct conversion *c, const struct fbx_file *file, uint32_t channel,
                                struct fbx_text name)
{
    uint32_t list = fbx_child(file, channel, "FullWeights"), count = 0, uneven = 0;
    double *weights = list ? fbx_array(file, list, &count) : NULL;
    for (uint32_t i = 0; weights && i < count; i++)
        uneven += !(fabs(weights[i] - 100.0) < 1e-3);
    free(weights);
    if (uneven > 0)
        scene_note(c->scene, NOTE_WARNING, "fbx-full-weights",
                   "blend shape \"%.*s\" has a weight of its own for each vertex, or shapes on the way (FullWeights): "
                   "Assimp ignores that",
                   (int)(name.length < 256 ? name.length : 256), name.data);
}

/* The channels of the file, freed by the caller. */
static struct shape_channel *read_channels(struct conversion *c, const struct fbx_file *file, uint32_t *count)
{
    struct shape_channel *channels = memory_new(file->object_count, sizeof *channels);
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
        warn_uneven_weights(c, file, element, channel->name);
    }
    return channels;
}

/* Assimp 5.3 and later put the channel's name and a dot before the shape's. Of several channels it is the one with the
 * longest name: blink.L is not blink's. */
static float weight_at_rest(const char *target, const struct shape_channel *channels, uint32_t count)
{
    const struct shape_channel *best = NULL;
    for (uint32_t i = 0; i < count; i++) {
        struct fbx_text name = channels[i].name;
        if (strlen(target) >= name.length && memcmp(target, name.data, name.length) == 0 &&
            (target[name.length] == '\0' || target[name.length] == '.') && (!best || name.length >= best->name.length))
            best = &channels[i];
    }
    return best ? (float)(best->percent / 100.0) : 0.0f;
}

void repair_fbx_shapes(struct conversion *c)
{
    uint32_t targets = 0, count = 0;
    for (uint32_t m = 0; m < c->scene->mesh_count && is_format(c, "fbx"); m++)
        targets += c->scene->meshes[m].target_count;
    if (targets == 0)
        return;
    if (c->repairs & REPAIR_FBX_SHAPES)
        scene_note(c->scene, NOTE_REPAIR, "fbx-shapes", "%u blend shape%s at rest as the file says, not at full weight",
                   targets, targets > 1 ? "s" : "");
    const struct fbx_file *file = fbx_of(c);
    struct shape_channel *channels = file ? read_channels(c, file, &count) : NULL;
    for (uint32_t m = 0; m < c->scene->mesh_count && (c->repairs & REPAIR_FBX_SHAPES); m++)
        for (uint32_t t = 0; t < c->scene->meshes[m].target_count; t++) {
            struct morph_target *target = &c->scene->meshes[m].targets[t];
            target->default_weight = weight_at_rest(target->name, channels, count);
        }
    free(channels);
}
