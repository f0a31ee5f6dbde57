#include "palette/palette_stage.h"

#include <string.h>

#include "data/lanes.h"

/*
 * In a chain each node waits for its parent, so the parent's matrix is kept at hand when it is the node before, instead
 * of going through memory.
 */
void palette_globals(const struct scene *scene, struct pose *pose)
{
    struct lanes_affine global = {0};
    for (uint32_t i = 0; i < pose->node_count; i++) {
        int32_t parent = scene->nodes[i].parent;
        struct lanes_affine local = lanes_affine_load(pose->local_to_parent[i]);
        if (parent == NO_INDEX)
            global = local;
        else if ((uint32_t)parent + 1 == i)
            global = lanes_affine_mul(global, local);
        else
            global = lanes_affine_mul(lanes_affine_load(pose->node_to_scene[parent]), local);
        lanes_affine_store(global, pose->node_to_scene[i]);
    }
}

void palette_compute(const struct scene *scene, const struct pose *pose, enum palette_space space,
                     struct palette *palette)
{
    for (uint32_t i = 0; i < palette->count; i++) {
        const struct binding *binding = &scene->bindings[i];
        struct lanes_affine bone_to_scene = lanes_affine_load(pose->node_to_scene[binding->node]);
        struct lanes_affine mesh_to_bone = lanes_affine_load(binding->mesh_to_bone);
        lanes_affine_store(lanes_affine_mul(bone_to_scene, mesh_to_bone), palette->mesh_to_scene[i]);
    }
    if (palette->weight_count > 0)
        memcpy(palette->morph_weights, pose->morph_weights, palette->weight_count * sizeof *palette->morph_weights);
    if (space != SPACE_ROOT || scene->node_count == 0)
        return;
    mat4 inverse;
    affine_inverse(scene->nodes[0].local_to_parent, inverse);
    struct lanes_affine scene_to_root = lanes_affine_load(inverse);
    for (uint32_t i = 0; i < palette->count; i++) {
        float(*entry)[4] = palette->mesh_to_scene[i];
        lanes_affine_store(lanes_affine_mul(scene_to_root, lanes_affine_load(entry)), entry);
    }
}
