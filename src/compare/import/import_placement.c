/* Meshes that are larger, turned or moved as a whole. */
#include <math.h>
#include <string.h>

#include "compare/import/import_context.h"

struct mesh_pair {
    const struct import_context *context;
    const struct mesh_snapshot *was;
    const struct mesh_snapshot *now;
    struct matching bones;
};

static struct matching match_bones(const struct import_context *c, const struct mesh_snapshot *was,
                                   const struct mesh_snapshot *now)
{
    struct match_list golden = match_list_create(was->bone_count, c->arena);
    struct match_list actual = match_list_create(now->bone_count, c->arena);
    for (size_t i = 0; i < golden.count; i++)
        golden.keys[i] = (struct match_key){renamed(&c->node_names, was->bones[i].bone), NULL};
    for (size_t i = 0; i < actual.count; i++)
        actual.keys[i] = (struct match_key){now->bones[i].bone, NULL};
    return match_by_name(&golden, &actual, MATCH_PREFER_CONTEXT, c->arena);
}

/* How many weighted centres of bones are where the placement takes them, and how many are not. */
static void count_centres(const struct mesh_pair *pair, const struct placement *placement, size_t *there,
                          size_t *elsewhere)
{
    struct box box = mesh_box(pair->now);
    *there = *elsewhere = 0;
    for (size_t i = 0; i < pair->bones.golden_count; i++) {
        double was[3], now[3];
        if (pair->bones.to_actual[i] == NO_INDEX)
            continue;
        const struct bone_snapshot *golden = &pair->was->bones[i];
        const struct bone_snapshot *actual = &pair->now->bones[pair->bones.to_actual[i]];
        for (int k = 0; k < 3; k++) {
            was[k] = (double)golden->centroid[k];
            now[k] = (double)actual->centroid[k];
        }
        placement_apply(placement, was, was);
        if (golden->sum > 0 && actual->sum > 0)
            *(vector_distance(was, now) <= 1e-3 * box_radius(&box) ? there : elsewhere) += 1;
    }
}

/* Of the placements that the bounds allow, one that most of the bones agree with; else the simplest. */
static struct mesh_placement place_mesh(const struct mesh_pair *pair)
{
    struct box was = mesh_box(pair->was), now = mesh_box(pair->now);
    struct mesh_placement best = {0};
    for (int turn = 0; turn < TURN_COUNT; turn++) {
        struct mesh_placement found = {.found = true};
        size_t there, elsewhere;
        if (!placement_of_boxes(&was, &now, turn, &found.placement))
            continue;
        count_centres(pair, &found.placement, &there, &elsewhere);
        found.holds_centres = there > elsewhere;
        bool is_simpler = placement_parts(&found.placement) < placement_parts(&best.placement);
        if (!best.found || found.holds_centres > best.holds_centres ||
            (found.holds_centres == best.holds_centres && is_simpler))
            best = found;
    }
    return best;
}

void import_place_meshes(struct import_context *c)
{
    c->placements = ARENA_NEW(c->arena, struct mesh_placement, c->golden->mesh_count);
    for (size_t i = 0; i < c->meshes.golden_count; i++) {
        int32_t other = c->meshes.to_actual[i];
        if (other == NO_INDEX)
            continue;
        struct mesh_pair pair = {.context = c, .was = &c->golden->meshes[i], .now = &c->actual->meshes[other]};
        if (memcmp(pair.was->min, pair.now->min, sizeof(vec3)) == 0 &&
            memcmp(pair.was->max, pair.now->max, sizeof(vec3)) == 0)
            continue;
        pair.bones = match_bones(c, pair.was, pair.now);
        c->placements[i] = place_mesh(&pair);
    }
}
