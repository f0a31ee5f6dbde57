/* Skinned vertices as a model that can be drawn: they stand where they are seen, and their matrices are the
 * identity. */
#include <string.h>

#include "foreign/foreign_files.h"

/* Weights that sum up to 1, so that the identity moves nothing; a mesh with a vertex that nothing holds becomes
 * rigid. */
static void release_bones(struct mesh *mesh, struct arena *arena)
{
    const uint32_t count = mesh->bone_count > 0 ? mesh->influence_first[mesh->vertex_count] : 0;
    struct influence *influences = ARENA_NEW(arena, struct influence, count);
    for (uint32_t v = 0; v < mesh->vertex_count && mesh->bone_count > 0; v++) {
        const uint32_t first = mesh->influence_first[v], last = mesh->influence_first[v + 1];
        float sum = 0;
        for (uint32_t i = first; i < last; i++)
            sum += mesh->influences[i].weight;
        for (uint32_t i = first; i < last; i++)
            influences[i] = (struct influence){mesh->influences[i].bone, mesh->influences[i].weight / sum};
        if (!(sum > 0))
            mesh->bone_count = 0;
    }
    mesh->influences = mesh->bone_count > 0 ? influences : NULL;
    mesh->influence_first = mesh->bone_count > 0 ? mesh->influence_first : NULL;
}

/* One instance's mesh with these vertices. */
static void put_vertices(const struct skin_snapshot *skin, const struct skin_snapshot *ours, struct mesh *mesh,
                         struct arena *arena)
{
    mesh->positions = ARENA_COPIES(arena, vec3, skin->positions, mesh->vertex_count);
    mesh->normals = ARENA_COPIES(arena, vec3, skin->normals ? skin->normals : ours->normals, mesh->vertex_count);
    mesh->target_count = 0;
    release_bones(mesh, arena);
}

bool foreign_scene(struct foreign *foreign, const struct scene *scene, struct scene **out, struct error *err)
{
    struct arena *arena = foreign->arena;
    const struct pose_snapshot *reference = foreign->reference, *pose = foreign->pose;
    const int32_t *skin_of = pose_match(reference, pose, POSE_SKIN, arena).to_actual;
    struct scene *copy = ARENA_COPY(arena, struct scene, scene);
    *out = NULL;
    copy->meshes = ARENA_NEW(arena, struct mesh, scene->mesh_count + scene->instance_count);
    copy->instances = ARENA_COPIES(arena, struct instance, scene->instances, scene->instance_count);
    memcpy(copy->meshes, scene->meshes, scene->mesh_count * sizeof *scene->meshes);
    foreign->has_vertices = ARENA_NEW(arena, bool, scene->instance_count);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct skin_snapshot *skin = skin_of[i] != NO_INDEX ? &pose->skin[skin_of[i]] : NULL;
        struct mesh *mesh = &copy->meshes[copy->mesh_count];
        if (!skin || !skin->positions)
            continue;
        *mesh = scene->meshes[scene->instances[i].mesh];
        if (skin->position_count != mesh->vertex_count)
            return error_set(err, "%s has %u vertices of mesh %s, and the model %u: they can only be drawn one for one",
                             foreign->name, skin->position_count, mesh->quoted, mesh->vertex_count);
        put_vertices(skin, &reference->skin[i], mesh, arena);
        copy->instances[i].mesh = copy->mesh_count++;
        foreign->has_vertices[i] = true;
        *out = copy;
    }
    return true;
}
