#include "data/record/snapshot.h"
#include "viewer/packer.h"

static const char *const extrapolations[] = {"hold", "hold", "linear", "repeat"}; /* enum extrapolation */

static void pack_keys(struct packer *packer, const char *key, const struct keys *keys, uint32_t width,
                      enum exactness exactness)
{
    const uint32_t vectors = keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
    if (keys->count == 0)
        return;
    json_open_object(&packer->json, key, JSON_INLINE);
    json_add_string(&packer->json, "interpolation", interpolation_words[keys->interpolation]);
    pack_times(packer, "times", keys->times, keys->count);
    pack_floats(packer, "values", keys->values, (size_t)keys->count * vectors * width, width,
                vectors == 3 ? EXACT : exactness);
    json_close(&packer->json);
}

/* As the file has it: raw keys, and of several channels of a node all. */
void pack_clip(struct packer *packer, const struct clip *clip)
{
    static const char *const names[COMPONENT_COUNT] = {"translation", "rotation", "scale"};
    struct json_writer *json = &packer->json;
    json_open_object(json, NULL, JSON_LINES);
    json_add_string(json, "name", clip->name);
    json_add_double(json, "duration", clip->duration);
    json_open_array(json, "channels", JSON_LINES);
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        const struct channel *channel = &clip->channels[c];
        if (channel->node == NO_INDEX)
            continue;
        json_open_object(json, NULL, JSON_INLINE);
        json_add_int(json, "node", channel->node);
        json_add_string(json, "before", extrapolations[channel->before]);
        json_add_string(json, "after", extrapolations[channel->after]);
        for (enum component k = 0; k < COMPONENT_COUNT; k++)
            pack_keys(packer, names[k], &channel->keys[k], component_width(k),
                      k == COMPONENT_ROTATION ? OF_UNIT16 : OF_RANGE);
        json_close(json);
    }
    json_close(json);
    json_open_array(json, "morphs", JSON_LINES);
    for (uint32_t m = 0; m < clip->morph_count; m++) {
        const struct morph_channel *morph = &clip->morphs[m];
        if (morph->node == NO_INDEX)
            continue;
        json_open_object(json, NULL, JSON_INLINE);
        json_add_int(json, "node", morph->node);
        json_add_int(json, "targets", morph->target_count);
        pack_keys(packer, "weights", &morph->keys, morph->target_count, EXACT);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}
