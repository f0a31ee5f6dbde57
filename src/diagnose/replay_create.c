#include <string.h>

#include "data/record/matching.h"
#include "diagnose/replay.h"

static void collect_names(struct replay *replay)
{
    const struct scene *scene = replay->scene;
    struct match_list names = match_list_create(scene->node_count, replay->arena);
    for (uint32_t n = 0; n < scene->node_count; n++)
        names.keys[n].name = scene->nodes[n].name;
    const struct name_index index = name_index_create(&names, replay->arena);
    for (uint32_t n = 0; n < scene->node_count; n++) {
        replay->first_of_name[n] = name_find(&index, scene->nodes[n].name);
        replay->last_of_name[n] = name_find_before(&index, scene->nodes[n].name, scene->node_count);
    }
}

static bool is_rigid(const struct scene *scene, const struct binding *binding)
{
    return scene->meshes[scene->instances[binding->instance].mesh].bone_count == 0;
}

/* All meshes share a bone of the file that has a node of its name; without such a node it stays with the root. */
static bool is_shared(const struct scene *scene, uint32_t b, bool are_lost)
{
    const struct instance *instance = &scene->instances[scene->bindings[b].instance];
    const struct mesh *mesh = &scene->meshes[instance->mesh];
    return mesh->bone_count > 0 && !mesh->bones[b - instance->first_binding].follows_mesh_node &&
           (scene->bindings[b].node > 0 || !are_lost);
}

/* An engine that keeps one offset for each bone of the scene has that of the first or of the last mesh. */
static void collect_owners(struct replay *replay)
{
    const struct scene *scene = replay->scene;
    const bool are_lost = scene_find_note(scene, "bone-without-node") != NULL;
    int32_t *first = ARENA_NEW(replay->arena, int32_t, scene->node_count);
    int32_t *last = ARENA_NEW(replay->arena, int32_t, scene->node_count);
    memset(first, 0xff, scene->node_count * sizeof *first);
    for (uint32_t b = 0; b < scene->binding_count; b++)
        if (is_shared(scene, b, are_lost)) {
            const uint32_t node = scene->bindings[b].node;
            first[node] = first[node] == NO_INDEX ? (int32_t)b : first[node];
            last[node] = (int32_t)b;
        }
    for (uint32_t b = 0; b < scene->binding_count; b++) {
        const bool shared = is_shared(scene, b, are_lost);
        replay->first_of_bone[b] = shared ? first[scene->bindings[b].node] : (int32_t)b;
        replay->last_of_bone[b] = shared ? last[scene->bindings[b].node] : (int32_t)b;
    }
}

/* Lists of bones; nodes that carry rigid meshes stand behind them. */
static void collect_bones(struct replay *replay)
{
    const struct scene *scene = replay->scene;
    int32_t *first = ARENA_NEW(replay->arena, int32_t, scene->node_count);
    uint32_t *places = ARENA_NEW(replay->arena, uint32_t, scene->node_count), in_hierarchy = 0, listed = 0;
    memset(first, 0xff, scene->node_count * sizeof *first);
    for (uint32_t i = 0; i < 2 * scene->binding_count; i++) {
        uint32_t b = i % scene->binding_count, node = scene->bindings[b].node;
        if (is_rigid(scene, &scene->bindings[b]) != (i >= scene->binding_count))
            continue;
        if (first[node] == NO_INDEX) {
            first[node] = (int32_t)b;
            places[node] = listed;
            replay->at_place[LIST_SCENE][listed++] = (int32_t)b;
        }
        replay->bone_count = i < scene->binding_count ? listed : replay->bone_count;
    }
    for (uint32_t b = 0; b < scene->binding_count; b++) {
        uint32_t node = scene->bindings[b].node;
        replay->offsets[b] = matrix_from(scene->bindings[b].mesh_to_bone);
        replay->is_bone[node] = replay->is_bone[node] || !is_rigid(scene, &scene->bindings[b]);
        replay->places[LIST_SCENE][b] = places[node];
    }
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (first[n] != NO_INDEX && places[n] < replay->bone_count) {
            replay->at_place[LIST_HIERARCHY][in_hierarchy] = first[n];
            places[n] = in_hierarchy++;
        }
    for (uint32_t b = 0; b < scene->binding_count; b++)
        replay->places[LIST_HIERARCHY][b] = places[scene->bindings[b].node];
}

static struct frame frame_create(uint32_t nodes, struct arena *arena)
{
    return (struct frame){.local_stamps = ARENA_NEW(arena, uint32_t, nodes),
                          .global_stamps = ARENA_NEW(arena, uint32_t, nodes),
                          .locals = ARENA_NEW(arena, struct local_parts, nodes),
                          .globals = ARENA_NEW(arena, struct matrix, nodes)};
}

struct replay *replay_create(const struct diagnosis_input *input, struct arena *arena)
{
    struct replay *replay = ARENA_NEW(arena, struct replay, 1);
    const struct scene *scene = input->scene;
    uint32_t nodes = scene->node_count, bindings = scene->binding_count;
    replay->input = input;
    replay->scene = scene;
    replay->arena = arena;
    replay->now = frame_create(nodes, arena);
    replay->before = frame_create(nodes, arena);
    replay->before.is_stale = true;
    replay->channels = ARENA_NEW(arena, struct clip_channels, scene->clip_count + 1u);
    replay->rest = ARENA_NEW(arena, struct matrix, nodes);
    replay->offsets = ARENA_NEW(arena, struct matrix, bindings);
    for (int list = 0; list < LIST_COUNT; list++) {
        replay->places[list] = ARENA_NEW(arena, uint32_t, bindings);
        replay->at_place[list] = ARENA_NEW(arena, int32_t, bindings);
    }
    replay->first_of_bone = ARENA_NEW(arena, int32_t, bindings);
    replay->last_of_bone = ARENA_NEW(arena, int32_t, bindings);
    replay->first_of_name = ARENA_NEW(arena, int32_t, nodes);
    replay->last_of_name = ARENA_NEW(arena, int32_t, nodes);
    replay->chain = ARENA_NEW(arena, uint32_t, nodes);
    replay->is_bone = ARENA_NEW(arena, bool, nodes);
    replay->entry_stamps = ARENA_NEW(arena, uint32_t, bindings);
    replay->entries = ARENA_NEW(arena, struct matrix, bindings);
    replay->is_said = ARENA_NEW(arena, bool, bindings);
    for (uint32_t n = 0; n < nodes; n++) {
        struct matrix local = matrix_from((const float(*)[4])scene->nodes[n].local_to_parent);
        int32_t parent = scene->nodes[n].parent;
        replay->rest[n] = parent == NO_INDEX ? local : matrix_mul(&replay->rest[parent], &local);
    }
    collect_names(replay);
    collect_bones(replay);
    collect_owners(replay);
    replay_set(replay, &(struct variant){.list = NULL});
    return replay;
}
