/* Several models in one picture: one scene of all of theirs, with the pose of each at its place. */
#include <string.h>

#include "palette/dual_quaternion.h"
#include "pipeline/pipeline.h"

static void *joined(struct arena *arena, const void *items, uint32_t *count, const void *more, uint32_t more_count,
                    size_t size)
{
    char *all = arena_alloc(arena, (size_t)*count + more_count, size);
    if (*count > 0)
        memcpy(all, items, *count * size);
    if (more_count > 0)
        memcpy(all + *count * size, more, more_count * size);
    *count += more_count;
    return all;
}

#define JOIN(items, count)                                                                                             \
    all->items = joined(all->arena, all->items, &all->count, scene->items, scene->count, sizeof *all->items)
#define COPY(items, count) items = joined(all->arena, NULL, &(uint32_t){0}, items, count, sizeof *items)
#define SHIFT(index, by) index += (index) == NO_INDEX ? 0 : (int32_t)(by)

/* Its nodes, meshes, materials and textures are counted on from those before; its root stands where it is placed. */
static void add_scene(struct scene *all, const struct scene *scene, const mat4 place)
{
    const struct scene before = *all;
    JOIN(nodes, node_count);
    JOIN(meshes, mesh_count);
    JOIN(instances, instance_count);
    JOIN(materials, material_count);
    JOIN(textures, texture_count);
    struct node *root = &all->nodes[before.node_count];
    affine_mul(place, root->local_to_parent, root->local_to_parent);
    for (struct node *node = root + 1; node < all->nodes + all->node_count; node++)
        node->parent += (int32_t)before.node_count;
    for (struct mesh *mesh = all->meshes + before.mesh_count; mesh < all->meshes + all->mesh_count; mesh++) {
        mesh->material += before.material_count;
        COPY(mesh->bones, mesh->bone_count);
        for (uint32_t b = 0; b < mesh->bone_count; b++)
            mesh->bones[b].node += before.node_count;
    }
    for (uint32_t i = before.instance_count; i < all->instance_count; i++) {
        all->instances[i].mesh += before.mesh_count;
        all->instances[i].node += before.node_count;
    }
    for (struct material *of = all->materials + before.material_count; of < all->materials + all->material_count;
         of++) {
        SHIFT(of->base_texture, before.texture_count);
        COPY(of->maps, of->map_count);
        for (uint32_t i = 0; i < of->map_count; i++)
            SHIFT(of->maps[i].texture, before.texture_count);
    }
}

/* As the first is played and drawn, but for what is its own. */
static bool open_part(struct pipeline *p, const struct group *group, uint32_t k, struct error *err)
{
    struct settings *own = ARENA_NEW(p->arena, struct settings, 1);
    *own = *p->settings;
    own->place = (struct model_place){0};
    own->clip = k < group->clips.count ? group->clips.items[k] : group->clips.count > 1 ? NULL : own->clip;
    if ((k < group->places.count && !settings_set(own, "place", group->places.items[k], err)) ||
        !pipeline_open(&p->parts[k], group->models[k], own, err))
        return false;
    const char *format = p->parts[k].scene->format, *first = p->parts[0].scene->format;
    p->part_count++;
    return own->view != VIEW_STUDIO || strcmp(format, first) == 0 || /* the way that maps lie is a format's */
           error_set(err, "--view studio: %s is .%s, and the first model .%s: use --view lit", group->models[k], format,
                     first);
}

bool group_open(struct pipeline *p, const struct group *group, struct error *err)
{
    const struct pipeline first = *p;
    struct scene *all = ARENA_NEW(first.arena, struct scene, 1);
    *all = (struct scene){.arena = first.arena, .path = first.scene->path, .format = first.scene->format,
                          .up_axis = first.scene->up_axis, .up_sign = first.scene->up_sign};
    p->parts = ARENA_NEW(p->arena, struct pipeline, group->count);
    p->parts[p->part_count++] = first;
    while (p->part_count < group->count)
        if (!open_part(p, group, p->part_count, err)) {
            pipeline_end(p);
            return false;
        }
    for (uint32_t k = 0; k < p->part_count; k++)
        add_scene(all, p->parts[k].scene, p->parts[k].place);
    scene_bind(all);
    scene_label_meshes(all);
    p->scene = all;
    p->pose = pose_create(all, p->arena);
    p->palette = palette_create(all, p->arena);
    p->skinned = skinned_create(all, p->arena);
    p->joints = p->joints ? ARENA_NEW(p->arena, struct joint, p->palette.count) : NULL;
    p->is_placed = false;
    memcpy(p->place, mat4_identity, sizeof(mat4));
    for (uint32_t k = 0, nodes = 0, bindings = 0, weights = 0; k < p->part_count; k++) { /* each writes into all's */
        struct pipeline *part = &p->parts[k];
        part->pose.node_to_scene = p->pose.node_to_scene + nodes;
        part->palette.mesh_to_scene = p->palette.mesh_to_scene + bindings;
        part->palette.morph_weights = p->palette.morph_weights + weights;
        nodes += part->pose.node_count;
        bindings += part->palette.count;
        weights += part->palette.weight_count;
    }
    return true;
}

bool group_pose(struct pipeline *p, double time, struct error *err)
{
    for (uint32_t k = 0; k < p->part_count; k++) {
        if (!pipeline_pose(&p->parts[k], time, err))
            return false;
        place_pose(&p->parts[k], &p->parts[k].palette, &p->parts[k].pose);
    }
    return true;
}
