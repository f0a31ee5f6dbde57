#include "animate/tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "animate/tracks_layout.h"

static const uint32_t NO_GROUP = UINT32_MAX; /* sorts last */

/* One component of one animated node, on its way into a group. */
struct curve {
    const struct keys *keys; /* NULL: constant */
    enum component component;
    enum extrapolation before;
    enum extrapolation after;
    uint64_t hash; /* of the times */
    uint32_t group;
    float constant[4];
};

/* An animated node: its place in a quad. */
struct slot {
    uint32_t node;
    struct curve curves[COMPONENT_COUNT];
};

static uint32_t vectors_per_key(const struct keys *keys)
{
    return keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
}

/* The value of key `index`, tangents skipped. */
static const float *value_of(const struct keys *keys, enum component component, uint32_t index)
{
    uint32_t vectors = vectors_per_key(keys);
    return keys->values + ((size_t)index * vectors + vectors / 2) * component_width(component);
}

/* ---- which curves move --------------------------------------------------------------------------------------- */

static bool is_zero(const float *values, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        if (values[i] != 0.0f)
            return false;
    return true;
}

static bool is_constant(const struct keys *keys, enum component component)
{
    uint32_t width = component_width(component);
    const float *first = value_of(keys, component, 0);
    for (uint32_t k = 0; k < keys->count && keys->count > 1; k++) {
        const float *value = value_of(keys, component, k);
        for (uint32_t i = 0; i < width; i++)
            if (value[i] != first[i])
                return false;
        if (keys->interpolation == INTERPOLATE_CUBIC && !(is_zero(value - width, width) && is_zero(value + width, width)))
            return false;
    }
    return true;
}

/* Rotations are unit quaternions, up to what the file's encoding lost; those exact to float precision stay as they are. */
static void unit_rotation(const float q[4], float out[4])
{
    double square = 0;
    for (int i = 0; i < 4; i++)
        square += (double)q[i] * q[i];
    double scale = fabs(square - 1) > 1e-6 && square > 0 ? 1 / sqrt(square) : 1;
    for (int i = 0; i < 4; i++)
        out[i] = (float)(scale * q[i]);
}

static void rest_component(const struct transform *rest, enum component component, float out[4])
{
    const float *from[COMPONENT_COUNT] = {rest->translation, rest->rotation, rest->scale};
    memcpy(out, from[component], component_width(component) * sizeof *out);
}

static uint64_t hash_times(const double *times, uint32_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &times[i], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static void curve_init(struct curve *curve, const struct channel *channel, enum component component,
                       const struct transform *rest)
{
    const struct keys *keys = &channel->keys[component];
    *curve = (struct curve){.component = component, .group = NO_GROUP};
    rest_component(rest, component, curve->constant);
    if (keys->count == 0)
        return;
    memcpy(curve->constant, value_of(keys, component, 0), component_width(component) * sizeof(float));
    if (component == COMPONENT_ROTATION)
        unit_rotation(curve->constant, curve->constant);
    if (is_constant(keys, component))
        return;
    curve->keys = keys;
    curve->before = channel->before;
    curve->after = channel->after;
    curve->hash = hash_times(keys->times, keys->count);
}

static bool has_keys(const struct channel *channel)
{
    for (int c = 0; c < COMPONENT_COUNT; c++)
        if (channel->keys[c].count > 0)
            return true;
    return false;
}

/* One slot per node that the clip moves, in node order; of several channels of one node the last counts. */
static uint32_t collect_slots(const struct scene *scene, const struct clip *clip, struct slot *slots,
                              struct arena *arena)
{
    const struct channel **channel_of = ARENA_NEW(arena, const struct channel *, scene->node_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].node != NO_INDEX && has_keys(&clip->channels[i]))
            channel_of[clip->channels[i].node] = &clip->channels[i];
    for (uint32_t n = 0; n < scene->node_count; n++) {
        if (!channel_of[n])
            continue;
        slots[count].node = n;
        for (int c = 0; c < COMPONENT_COUNT; c++)
            curve_init(&slots[count].curves[c], channel_of[n], (enum component)c, &scene->nodes[n].rest);
        count++;
    }
    return count;
}

/* ---- groups -------------------------------------------------------------------------------------------------- */

#define COMPARE(a, b)                                                                                                  \
    if ((a) != (b))                                                                                                    \
        return (a) < (b) ? -1 : 1

static int compare_curves(const void *left, const void *right)
{
    const struct curve *a = *(const struct curve *const *)left, *b = *(const struct curve *const *)right;
    COMPARE(a->keys->interpolation, b->keys->interpolation);
    COMPARE(a->before, b->before);
    COMPARE(a->after, b->after);
    COMPARE(a->keys->count, b->keys->count);
    COMPARE(a->hash, b->hash);
    if (a->keys->times == b->keys->times)
        return 0;
    return memcmp(a->keys->times, b->keys->times, a->keys->count * sizeof(double));
}

/* Groups first, so that neighbours share them; then node order, so that a pose is written in order. */
static int compare_slots(const void *left, const void *right)
{
    const struct slot *a = left, *b = right;
    for (int c = 0; c < COMPONENT_COUNT; c++)
        COMPARE(a->curves[c].group, b->curves[c].group);
    COMPARE(a->node, b->node);
    return 0;
}

#undef COMPARE

static void start_group(struct tracks *tracks, const struct curve *curve, struct arena *arena)
{
    tracks->groups[tracks->group_count++] = (struct group){
        .timeline = timeline_create(curve->keys->times, curve->keys->count, arena),
        .interpolation = curve->keys->interpolation,
        .before = curve->before,
        .after = curve->after,
    };
}

static void group_curves(struct tracks *tracks, struct slot *slots, uint32_t slot_count, struct arena *arena)
{
    struct curve **moving = ARENA_NEW(arena, struct curve *, (size_t)slot_count * COMPONENT_COUNT);
    uint32_t count = 0, groups = 0;
    for (uint32_t s = 0; s < slot_count; s++)
        for (int c = 0; c < COMPONENT_COUNT; c++)
            if (slots[s].curves[c].keys)
                moving[count++] = &slots[s].curves[c];
    qsort(moving, count, sizeof *moving, compare_curves);
    for (uint32_t i = 0; i < count; i++)
        groups += i == 0 || compare_curves(&moving[i - 1], &moving[i]) != 0;
    tracks->groups = ARENA_NEW(arena, struct group, groups);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || compare_curves(&moving[i - 1], &moving[i]) != 0)
            start_group(tracks, moving[i], arena);
        moving[i]->group = tracks->group_count - 1;
    }
}

/* ---- blocks -------------------------------------------------------------------------------------------------- */

/* The lanes of one component of a quad that one block can compute: of one kind of kernel. */
struct lane_set {
    uint32_t count;
    uint32_t lanes[QUAD];
    bool is_one_group;
};

static struct lane_set lanes_of(const struct slot *slots, uint32_t count, enum component component, bool is_cubic)
{
    struct lane_set set = {.is_one_group = true};
    for (uint32_t i = 0; i < count; i++) {
        const struct curve *curve = &slots[i].curves[component];
        if (!curve->keys || (curve->keys->interpolation == INTERPOLATE_CUBIC) != is_cubic)
            continue;
        set.lanes[set.count++] = i;
        set.is_one_group = set.is_one_group && curve->group == slots[set.lanes[0]].curves[component].group;
    }
    return set;
}

/* f32x4 of one key of a shared block's quad. */
static uint32_t shared_vectors(const struct block *block)
{
    return (block->is_cubic ? 3 : 1) * component_width(block->component);
}

/* Gives the block its place in the rows of its groups. */
static void place_lanes(struct tracks *tracks, struct block *block, const struct slot *own, const struct lane_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t lane = set->lanes[i];
        uint32_t index = own[lane].curves[block->component].group;
        block->active[lane] = -1;
        block->lanes[lane] = (struct lane){index, tracks->groups[index].stride};
        if (!block->is_shared)
            tracks->groups[index].stride += block->is_cubic ? 3 : 1;
    }
    for (uint32_t lane = 0; lane < QUAD; lane++)
        if (!block->active[lane])
            block->lanes[lane] = block->lanes[set->lanes[0]];
    if (block->is_shared)
        tracks->groups[block->lanes[0].group].stride += shared_vectors(block);
}

/* Whether `next` goes on where `block` ends, in quads and in the group's rows. */
static bool continues(const struct block *block, const struct block *next)
{
    return block->is_shared && block->is_full && next->is_shared && next->is_full &&
           block->component == next->component && block->is_cubic == next->is_cubic &&
           block->quad + block->quad_count == next->quad && block->lanes[0].group == next->lanes[0].group &&
           block->lanes[0].offset + block->quad_count * shared_vectors(block) == next->lanes[0].offset;
}

static void add_block(struct tracks *tracks, const struct slot *slots, uint32_t quad, enum component component,
                      bool is_cubic)
{
    const struct slot *own = slots + (size_t)quad * QUAD;
    struct lane_set set = lanes_of(own, tracks->quads[quad].count, component, is_cubic);
    if (set.count == 0)
        return;
    struct block block = {.quad = quad, .quad_count = 1, .component = component, .is_cubic = is_cubic};
    block.is_shared = set.is_one_group && set.count > 1;
    block.is_full = set.count == QUAD;
    place_lanes(tracks, &block, own, &set);
    if (tracks->block_count > 0 && continues(&tracks->blocks[tracks->block_count - 1], &block))
        tracks->blocks[tracks->block_count - 1].quad_count++;
    else
        tracks->blocks[tracks->block_count++] = block;
}

/* Nodes and constants; the lanes past the last node repeat the first. */
static void fill_quad(struct tracks *tracks, uint32_t index, const struct slot *slots, uint32_t count)
{
    struct quad *quad = &tracks->quads[index];
    quad->count = count;
    for (uint32_t i = 0; i < QUAD; i++) {
        const struct slot *slot = &slots[i < count ? i : 0];
        quad->nodes[i] = slot->node;
        for (int c = 0; c < COMPONENT_COUNT; c++) {
            uint32_t width = component_width((enum component)c);
            for (uint32_t n = 0; n < width; n++)
                tracks->values[c][(size_t)index * width + n][i] = slot->curves[c].constant[n];
        }
    }
}

static void lay_out(struct tracks *tracks, const struct slot *slots, uint32_t slot_count, struct arena *arena)
{
    tracks->quad_count = (slot_count + QUAD - 1) / QUAD;
    tracks->quads = ARENA_NEW(arena, struct quad, tracks->quad_count);
    tracks->blocks = ARENA_NEW(arena, struct block, (size_t)tracks->quad_count * COMPONENT_COUNT * 2);
    for (int c = 0; c < COMPONENT_COUNT; c++)
        tracks->values[c] = ARENA_NEW(arena, f32x4, (size_t)tracks->quad_count * component_width((enum component)c));
    for (uint32_t q = 0; q < tracks->quad_count; q++) {
        uint32_t left = slot_count - q * QUAD;
        fill_quad(tracks, q, slots + (size_t)q * QUAD, left < QUAD ? left : QUAD);
    }
    for (int c = 0; c < COMPONENT_COUNT; c++) /* by component, so that blocks join to runs */
        for (uint32_t q = 0; q < tracks->quad_count; q++) {
            add_block(tracks, slots, q, (enum component)c, false);
            add_block(tracks, slots, q, (enum component)c, true);
        }
    for (uint32_t g = 0; g < tracks->group_count; g++) {
        struct group *group = &tracks->groups[g];
        group->rows = ARENA_NEW(arena, f32x4, (size_t)group->timeline.count * group->stride);
    }
}

/* ---- keys ---------------------------------------------------------------------------------------------------- */

/* Unit rotations, each on the side of its predecessor: between two keys the shortest arc, and no jump of sign. */
static void aligned_rotation(const float value[4], const float *previous, float out[4])
{
    double dot = 0;
    unit_rotation(value, out);
    for (int i = 0; i < 4 && previous; i++)
        dot += (double)out[i] * previous[i];
    for (int i = 0; i < 4 && dot < 0; i++)
        out[i] = -out[i];
}

static void write_key(const struct block *block, uint32_t lane, uint32_t width, const float *values, f32x4 *at)
{
    for (uint32_t vector = 0; vector < (block->is_cubic ? 3u : 1u); vector++)
        for (uint32_t i = 0; i < width; i++) {
            if (block->is_shared)
                at[vector * width + i][lane] = values[vector * width + i];
            else
                at[vector][i] = values[vector * width + i];
        }
}

/* The keys of one lane of the block's `run`-th quad. */
static void fill_lane(const struct tracks *tracks, const struct block *block, uint32_t run, uint32_t lane,
                      const struct curve *curve)
{
    const struct group *group = &tracks->groups[curve->group];
    const struct keys *keys = curve->keys;
    uint32_t width = component_width(curve->component);
    uint32_t offset = block->lanes[lane].offset + run * shared_vectors(block);
    bool is_turned = curve->component == COMPONENT_ROTATION && !block->is_cubic;
    float rotation[2][4];
    for (uint32_t k = 0; k < keys->count; k++) {
        const float *values = keys->values + (size_t)k * width * vectors_per_key(keys);
        if (is_turned) {
            aligned_rotation(values, k > 0 ? rotation[(k + 1) % 2] : NULL, rotation[k % 2]);
            values = rotation[k % 2];
        }
        write_key(block, lane, width, values, group->rows + (size_t)k * group->stride + offset);
    }
}

static void fill_block(const struct tracks *tracks, const struct block *block, const struct slot *slots)
{
    for (uint32_t run = 0; run < block->quad_count; run++)
        for (uint32_t lane = 0; lane < QUAD; lane++)
            if (block->active[lane])
                fill_lane(tracks, block, run, lane,
                          &slots[(size_t)(block->quad + run) * QUAD + lane].curves[block->component]);
}

struct tracks *tracks_create(const struct scene *scene, const struct clip *clip, struct arena *arena)
{
    struct tracks *tracks = ARENA_NEW(arena, struct tracks, 1);
    struct slot *slots = ARENA_NEW(arena, struct slot, clip->channel_count);
    uint32_t slot_count = collect_slots(scene, clip, slots, arena);
    group_curves(tracks, slots, slot_count, arena);
    qsort(slots, slot_count, sizeof *slots, compare_slots);
    lay_out(tracks, slots, slot_count, arena);
    for (uint32_t b = 0; b < tracks->block_count; b++)
        fill_block(tracks, &tracks->blocks[b], slots);
    return tracks;
}
