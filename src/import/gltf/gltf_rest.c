/* Morph weights at rest that a node has for itself; Assimp reads those of the mesh only. */
#include <math.h>

#include "import/gltf/gltf_repair.h"

/* As many finite numbers as the mesh has targets, or NULL. */
static const float *read_weights(const json_t *list, uint32_t count, struct arena *arena)
{
    if (count == 0 || json_array_size(list) != count)
        return NULL;
    float *weights = ARENA_NEW(arena, float, count);
    for (uint32_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(list, i);
        weights[i] = (float)json_number_value(number);
        if (!json_is_number(number) || !(fabsf(weights[i]) <= 1e9f))
            return NULL;
    }
    return weights;
}

void gltf_fix_rest(const struct gltf_repair *repair)
{
    struct scene *scene = repair->scene;
    if (!repair->map || !(repair->repairs & REPAIR_GLTF_MORPH))
        return;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        struct instance *instance = &scene->instances[i];
        const json_t *node = gltf_item(repair->file, "nodes", repair->map->file_node[instance->node]);
        const json_t *list = json_object_get(node, "weights");
        instance->weights = read_weights(list, scene->meshes[instance->mesh].target_count, scene->arena);
        if (instance->weights)
            scene_note(scene, NOTE_REPAIR, "gltf-morph", "node \"%s\": its own morph weights at rest read from the file",
                       scene->nodes[instance->node].name);
    }
}
