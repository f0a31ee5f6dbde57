#include "data/record/bones.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "data/scene/bone_colors.h"
#include "data/vector.h"

static bool ends_in_end(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, "_end") == 0;
}

/* ---- which nodes ------------------------------------------------------------------------------------------------- */

/* What is known of every node. */
struct facts {
    uint32_t holds;      /* palette entries */
    bool bone_above;
    bool bone_below;
    bool shown;
    uint32_t depth;
};

static struct facts *learn(const struct scene *scene, struct arena *arena)
{
    struct facts *facts = ARENA_NEW(arena, struct facts, scene->node_count);
    for (uint32_t i = 0; i < scene->binding_count; i++)
        facts[scene->bindings[i].node].holds++;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        int32_t parent = scene->nodes[i].parent;
        facts[i].bone_above = parent != NO_INDEX && (facts[parent].bone_above || scene->nodes[parent].is_bone);
        facts[i].shown = scene->nodes[i].is_bone || facts[i].holds > 0 ||
                         (facts[i].bone_above && ends_in_end(scene->nodes[i].name));
    }
    for (uint32_t i = scene->node_count; i-- > 0;) {
        int32_t parent = scene->nodes[i].parent;
        if (parent == NO_INDEX)
            continue;
        facts[parent].shown = facts[parent].shown || facts[i].shown;
        facts[parent].bone_below = facts[parent].bone_below || facts[i].bone_below || scene->nodes[i].is_bone;
    }
    for (uint32_t i = 0; i < scene->node_count; i++)
        facts[i].depth = scene->nodes[i].parent == NO_INDEX ? 0 : facts[scene->nodes[i].parent].depth + 1;
    return facts;
}

/* ---- what they hold ---------------------------------------------------------------------------------------------- */

static float *largest_weights(const struct mesh *mesh, struct arena *arena)
{
    float *largest = ARENA_NEW(arena, float, mesh->bone_count);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++)
            largest[mesh->influences[i].bone] = fmaxf(largest[mesh->influences[i].bone], mesh->influences[i].weight);
    return largest;
}

static void hold_by_weights(const struct mesh *mesh, const struct mesh_snapshot *snapshot, struct bone_hold *holds,
                            struct arena *arena)
{
    const float *largest = largest_weights(mesh, arena);
    double all = 0.0;
    for (uint32_t b = 0; b < mesh->bone_count; b++)
        all += (double)snapshot->bones[b].sum;
    for (uint32_t b = 0; b < mesh->bone_count; b++) {
        holds[b].vertices = snapshot->bones[b].weights;
        holds[b].sum = snapshot->bones[b].sum;
        holds[b].largest = largest[b];
        holds[b].share = all > 0.0 ? (float)((double)holds[b].sum / all) : 0.0f;
        holds[b].influence_radius = snapshot->bones[b].influence_radius;
    }
}

static void hold_all(const struct mesh *mesh, struct bone_hold *hold)
{
    double farthest = 0.0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        farthest = fmax(farthest, vec3_length(mesh->positions[v]));
    hold->vertices = mesh->vertex_count;
    hold->sum = (float)mesh->vertex_count;
    hold->largest = hold->share = mesh->vertex_count ? 1.0f : 0.0f;
    hold->influence_radius = (float)fmin(farthest, (double)FLT_MAX);
}

/* One for each palette entry. */
static struct bone_hold *gather_holds(const struct scene *scene, const struct import_snapshot *snapshot,
                                      struct arena *arena)
{
    struct bone_hold *holds = ARENA_NEW(arena, struct bone_hold, scene->binding_count);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        struct bone_hold *first = holds + instance->first_binding;
        for (uint32_t b = 0; b < instance->binding_count; b++) {
            first[b].palette = instance->first_binding + b;
            first[b].mesh = snapshot->meshes[instance->mesh].name;
            first[b].label = mesh->label;
        }
        if (mesh->bone_count > 0)
            hold_by_weights(mesh, &snapshot->meshes[instance->mesh], first, arena);
        else
            hold_all(mesh, first);
    }
    return holds;
}

/* ---- weights of a mesh ------------------------------------------------------------------------------------------- */

static void gather_mesh(const struct mesh *mesh, const struct mesh_snapshot *snapshot, struct mesh_weights *out)
{
    *out = (struct mesh_weights){
        .name = snapshot->name, .label = mesh->label, .vertices = mesh->vertex_count, .bones = mesh->bone_count};
    if (mesh->bone_count == 0)
        return;
    out->influence_slots = snapshot->influence_slots;
    out->influences = snapshot->influences;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double sum = 0.0;
        uint32_t first = mesh->influence_first[v], end = mesh->influence_first[v + 1];
        for (uint32_t i = first; i < end; i++)
            sum += (double)mesh->influences[i].weight;
        out->most_influences = end - first > out->most_influences ? end - first : out->most_influences;
        out->least_sum = v == 0 ? (float)sum : fminf(out->least_sum, (float)sum);
        out->largest_sum = v == 0 ? (float)sum : fmaxf(out->largest_sum, (float)sum);
    }
}

/* ---- colours ----------------------------------------------------------------------------------------------------- */

/* As the view `bones` has them; none of them when memory runs out. */
static void gather_colors(const struct scene *scene, struct bone_account *account, struct arena *arena)
{
    uint8_t(*colors)[3] = arena_alloc(arena, scene->node_count, sizeof *colors);
    if (!bone_colors(scene, colors))
        return;
    for (uint32_t i = 0; i < account->row_count; i++) {
        struct bone_row *row = &account->rows[i];
        const uint8_t *color = colors[row->node];
        if (row->hold_count > 0)
            snprintf(row->color, sizeof row->color, "#%02x%02x%02x", color[0], color[1], color[2]);
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void gather_row(const struct scene *scene, const struct import_snapshot *snapshot, const struct facts *facts,
                       uint32_t i, struct bone_row *row, struct arena *arena)
{
    *row = (struct bone_row){
        .node = i,
        .depth = facts[i].depth,
        .name = snapshot->nodes[i].name,
        .parent = snapshot->nodes[i].parent,
        .is_bone = scene->nodes[i].is_bone,
        .is_leaf = scene->nodes[i].is_bone && !facts[i].bone_below,
        .is_end = ends_in_end(scene->nodes[i].name),
        .holds = ARENA_NEW(arena, struct bone_hold, facts[i].holds),
    };
}

struct bone_account *bones_gather(const struct scene *scene, struct arena *arena)
{
    struct bone_account *out = ARENA_NEW(arena, struct bone_account, 1);
    const struct import_snapshot *snapshot = import_snapshot_gather(scene, arena);
    const struct facts *facts = learn(scene, arena);
    const struct bone_hold *holds = gather_holds(scene, snapshot, arena);
    uint32_t *row_of = ARENA_NEW(arena, uint32_t, scene->node_count);
    out->model = snapshot->model;
    out->assimp_version = scene->assimp_version;
    out->palette_count = scene->binding_count;
    out->rows = ARENA_NEW(arena, struct bone_row, scene->node_count);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (!facts[i].shown)
            continue;
        row_of[i] = out->row_count;
        out->bone_count += scene->nodes[i].is_bone;
        gather_row(scene, snapshot, facts, i, &out->rows[out->row_count++], arena);
    }
    for (uint32_t i = 0; i < scene->binding_count; i++) {
        struct bone_row *row = &out->rows[row_of[scene->bindings[i].node]];
        row->holds[row->hold_count++] = holds[i];
    }
    gather_colors(scene, out, arena);
    out->mesh_count = scene->mesh_count;
    out->meshes = ARENA_NEW(arena, struct mesh_weights, scene->mesh_count);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        gather_mesh(&scene->meshes[i], &snapshot->meshes[i], &out->meshes[i]);
    return out;
}
