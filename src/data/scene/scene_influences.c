#include <string.h>

#include "base/names.h"
#include "data/scene/scene.h"

/* What limiting did to one mesh. */
struct dropped {
    uint32_t vertices;
    float worst; /* largest share of a vertex's weight that was dropped */
};

/* Keeps the first `limit` of a vertex's influences (they are sorted) and scales them to the former sum. */
static uint32_t keep_largest(const struct influence *in, uint32_t count, uint32_t limit, struct influence *out,
                             struct dropped *dropped)
{
    float all = 0.0f, kept = 0.0f;
    uint32_t n = count < limit ? count : limit;
    for (uint32_t i = 0; i < count; i++)
        all += in[i].weight;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = in[i];
        kept += in[i].weight;
    }
    if (n == count)
        return n;
    dropped->vertices++;
    if (all > 0.0f && 1.0f - kept / all > dropped->worst)
        dropped->worst = 1.0f - kept / all;
    for (uint32_t i = 0; i < n && kept > 0.0f; i++)
        out[i].weight = out[i].weight * (all / kept);
    return n;
}

static uint32_t largest_count(const struct mesh *mesh)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t n = mesh->influence_first[v + 1] - mesh->influence_first[v];
        most = n > most ? n : most;
    }
    return most;
}

static struct dropped limit_mesh(struct mesh *mesh, uint32_t limit, struct arena *arena)
{
    struct dropped dropped = {0};
    const uint32_t *first = mesh->influence_first;
    uint32_t *new_first = ARENA_NEW(arena, uint32_t, (size_t)mesh->vertex_count + 1);
    struct influence *kept = ARENA_NEW(arena, struct influence, (size_t)mesh->vertex_count * limit);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        new_first[v + 1] = new_first[v] + keep_largest(mesh->influences + first[v], first[v + 1] - first[v], limit,
                                                       kept + new_first[v], &dropped);
    mesh->influence_first = new_first;
    mesh->influences = kept;
    return dropped;
}

void scene_limit_influences(struct scene *scene, uint32_t limit)
{
    for (uint32_t i = 0; limit > 0 && i < scene->mesh_count; i++) {
        struct mesh *mesh = &scene->meshes[i];
        uint32_t most = mesh->bone_count > 0 ? largest_count(mesh) : 0;
        if (most <= limit)
            continue;
        struct dropped dropped = limit_mesh(mesh, limit, scene->arena);
        scene_note(scene, NOTE_WARNING, "influences-dropped",
                   "mesh %s: %u of %u vertices have more than %u influences (up to %u); the smallest were dropped, up to "
                   "%.3g%% of a vertex's weight (--influences all keeps them)",
                   name_quoted(mesh->label, '`', scene->arena), dropped.vertices, mesh->vertex_count, limit, most,
                   100.0 * (double)dropped.worst);
    }
}
