#include "animate/mask.h"

#include "animate/blend.h"

static int32_t mask_at(uint32_t node, const uint32_t *bones, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (bones[i] == node)
            return (int32_t)i;
    return NO_INDEX;
}

void mask_owners(const struct scene *scene, const uint32_t *bones, uint32_t count, int32_t *owners)
{
    for (uint32_t n = 0; n < scene->node_count; n++) { /* parents first */
        int32_t parent = scene->nodes[n].parent;
        owners[n] = mask_at(n, bones, count);
        if (owners[n] == NO_INDEX && parent != NO_INDEX)
            owners[n] = owners[parent];
    }
}

void mask_apply(const int32_t *owners, int32_t mask, const struct pose *from, struct pose *out)
{
    for (uint32_t n = 0; n < out->node_count; n++)
        if (owners[n] == mask)
            blend_copy_node(from, n, out);
}

void mask_apply_morphs(const int32_t *owners, int32_t mask, const struct scene *scene, const struct pose *from,
                       struct pose *out)
{
    for (uint32_t i = 0; i < scene->instance_count && out->weight_count > 0; i++) {
        const struct instance *instance = &scene->instances[i];
        uint32_t count = owners[instance->node] == mask ? scene->meshes[instance->mesh].target_count : 0;
        for (uint32_t t = 0; t < count; t++)
            out->morph_weights[instance->first_weight + t] = from->morph_weights[instance->first_weight + t];
    }
}
