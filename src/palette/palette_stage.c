#include "palette/palette_stage.h"

#include "data/lanes.h"

void palette_globals(const struct scene *scene, struct pose *pose)
{
    for (uint32_t i = 0; i < pose->node_count; i++) {
        int32_t parent = scene->nodes[i].parent;
        if (parent == NO_INDEX)
            memcpy(pose->node_to_scene[i], pose->local_to_parent[i], sizeof(mat4));
        else
            lanes_affine_mul(pose->node_to_scene[parent], pose->local_to_parent[i], pose->node_to_scene[i]);
    }
}

static void to_root_space(const struct scene *scene, struct palette *palette)
{
    mat4 scene_to_root;
    affine_inverse(scene->nodes[0].local_to_parent, scene_to_root);
    for (uint32_t i = 0; i < palette->count; i++)
        lanes_affine_mul(scene_to_root, palette->mesh_to_scene[i], palette->mesh_to_scene[i]);
}

void palette_compute(const struct scene *scene, const struct pose *pose, enum palette_space space,
                     struct palette *palette)
{
    for (uint32_t i = 0; i < palette->count; i++) {
        const struct binding *binding = &scene->bindings[i];
        lanes_affine_mul(pose->node_to_scene[binding->node], binding->mesh_to_bone, palette->mesh_to_scene[i]);
    }
    if (space == SPACE_ROOT && scene->node_count > 0)
        to_root_space(scene, palette);
}
