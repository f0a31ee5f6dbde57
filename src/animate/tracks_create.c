
#include "base/sort.h"
#include "animate/tracks_layout.h"

static const uint32_t NO_GROUP = UINT32_MAX; /* sorts last */

/* One component of one animated node, on its way into a group. */
struct curve {
    const struct keys *keys; /* NULL: constant */
    enum extrapolation before;
    enum extrapolation after;
    uint32_t group;
    float constant[4];
};

/* An animated node: its place in a quad. */
struct slot {
    uint32_t node;
    struct curve curves[COMPONENT_COUNT];
};

/* In-tangent, value, out-tangent, or a value alone. */
static uint32_t vectors_per_key(const struct keys *keys)
{
    return keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
}

/* Rotations are unit quaternions, up to what the file's encoding lost; exact ones stay as they are, bit for bit. */
static void unit_rotation(const float q[4], float out[4])
{
    double square = 0;
    for (int i = 0; i < 4; i++)
        square += (double)q[i] * q[i];
    double scale = fabs(square - 1) > 1e-6 && square > 0 ? 1 / sqrt(square) : 1;
    for (int i = 0; i < 4; i++)
        out[i] = (float)(scale * q[i]);
}

/* One slot per node that the clip moves, in node order; of several channels of one node the last counts. */
static uint32_t collect_slots(const struct scene *scene, const struct clip *clip, struct slot *slots,
                              struct arena *arena)
{
    const struct channel **channel_of = ARENA_NEW(arena, const struct channel *, scene->node_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct channel *channel = &clip->channels[i];
        const struct keys *keys = channel->keys;
        if (channel->node != NO_INDEX && (keys[0].count > 0 || keys[1].count > 0 || keys[2].count > 0))
            channel_of[channel->node] = channel;
    }
    for (uint32_t n = 0; n < scene->node_count; n++) {
        if (!channel_of[n])
            continue;
        const struct channel *channel = channel_of[n];
        const struct transform *rest = &scene->nodes[n].rest;
        const float *constants[COMPONENT_COUNT] = {rest->translation, rest->rotation, rest->scale};
        slots[count].node = n;
        for (int c = 0; c < COMPONENT_COUNT; c++) {
            struct curve *curve = &slots[count].curves[c];
            const struct keys *keys = &channel->keys[c];
            const float *constant = constants[c];
            uint32_t width = component_width((enum component)c), vectors = vectors_per_key(keys);
            *curve = (struct curve){.before = channel->before, .after = channel->after, .group = NO_GROUP};
            if (keys->count > 0)
                constant = keys->values + vectors / 2 * width;
            memcpy(curve->constant, constant, width * sizeof(float));
            if (keys->count > 0 && c == COMPONENT_ROTATION)
                unit_rotation(curve->constant, curve->constant);
            for (size_t i = 0; i < (size_t)keys->count * vectors * width && keys->count > 1 && !curve->keys; i++) {
                bool is_value = i / width % vectors == vectors / 2;
                if (keys->values[i] != (is_value ? constant[i % width] : 0.0f)) /* else: one value, all tangents 0 */
                    curve->keys = keys;
            }
        }
        count++;
    }
    return count;
}

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

static void group_curves(struct tracks *tracks, struct slot *slots, uint32_t slot_count, struct arena *arena)
{
    struct curve **moving = ARENA_NEW(arena, struct curve *, (size_t)slot_count * COMPONENT_COUNT);
    uint32_t count = 0, groups = 0;
    for (uint32_t s = 0; s < slot_count; s++)
        for (int c = 0; c < COMPONENT_COUNT; c++)
            if (slots[s].curves[c].keys)
                moving[count++] = &slots[s].curves[c];
    sort_items(moving, count, sizeof *moving, compare_curves);
    for (uint32_t i = 0; i < count; i++) {
        groups += i == 0 || compare_curves(&moving[i - 1], &moving[i]) != 0;
        moving[i]->group = groups - 1;
    }
    tracks->group_count = groups;
    tracks->groups = ARENA_NEW(arena, struct group, groups);
    for (uint32_t i = 0; i < count; i++) {
        const struct curve *curve = moving[i];
        if (i == 0 || curve->group != moving[i - 1]->group)
            tracks->groups[curve->group] = (struct group){
                .timeline = timeline_create(curve->keys->times, curve->keys->count, arena),
                .interpolation = curve->keys->interpolation,
                .before = curve->before,
                .after = curve->after,
            };
    }
}

/* f32x4 of one key in the rows of a group: of a shared block's quad, or of a lane of a mixed one. */
static uint32_t vectors_of(const struct block *block)
{
    return block->key_vectors * (block->is_shared ? component_width(block->component) : 1);
}

/* The block of those lanes of a quad's component that one kernel can compute, and its place in the rows of its
 * groups. */
static void add_block(struct tracks *tracks, const struct slot *slots, uint32_t quad, enum component component,
                      uint32_t key_vectors)
{
    struct block block = {.quad = quad, .quad_count = 1, .component = component, .key_vectors = key_vectors};
    uint32_t count = 0, first = 0;
    block.is_shared = true;
    for (uint32_t lane = 0; lane < tracks->quads[quad].count; lane++) {
        const struct curve *curve = &slots[(size_t)quad * QUAD + lane].curves[component];
        if (!curve->keys || vectors_per_key(curve->keys) != key_vectors)
            continue;
        first = count++ == 0 ? lane : first;
        block.active[lane] = -1;
        block.lanes[lane].group = curve->group;
        block.is_shared = block.is_shared && curve->group == block.lanes[first].group;
    }
    if (count == 0)
        return;
    block.is_shared = block.is_shared && count > 1;
    block.is_full = count == QUAD;
    for (uint32_t lane = first; lane < QUAD; lane++) {
        struct group *group = &tracks->groups[block.lanes[lane].group];
        if (!block.active[lane] || (block.is_shared && lane > first))
            continue;
        block.lanes[lane].offset = group->stride;
        group->stride += vectors_of(&block);
    }
    for (uint32_t lane = 0; lane < QUAD; lane++)
        if (!block.active[lane] || block.is_shared)
            block.lanes[lane] = block.lanes[first];
    struct block *last = tracks->block_count > 0 ? &tracks->blocks[tracks->block_count - 1] : NULL;
    /* It may go on where the last ends, in quads and in the group's rows. */
    if (last && last->is_shared && last->is_full && block.is_shared && block.is_full && last->component == component &&
        last->key_vectors == key_vectors && last->quad + last->quad_count == quad &&
        last->lanes[0].group == block.lanes[0].group &&
        last->lanes[0].offset + last->quad_count * vectors_of(last) == block.lanes[0].offset)
        last->quad_count++;
    else
        tracks->blocks[tracks->block_count++] = block;
}

static void lay_out(struct tracks *tracks, const struct slot *slots, uint32_t slot_count, struct arena *arena)
{
    tracks->quad_count = (slot_count + QUAD - 1) / QUAD;
    tracks->quads = ARENA_NEW(arena, struct quad, tracks->quad_count);
    tracks->blocks = ARENA_NEW(arena, struct block, (size_t)tracks->quad_count * COMPONENT_COUNT * 2);
    for (int c = 0; c < COMPONENT_COUNT; c++)
        tracks->values[c] = ARENA_NEW(arena, f32x4, (size_t)tracks->quad_count * component_width((enum component)c));
    for (uint32_t i = 0; i < tracks->quad_count * QUAD; i++) { /* the lanes past the last node repeat the first */
        const struct slot *slot = &slots[i < slot_count ? i : i / QUAD * QUAD];
        struct quad *quad = &tracks->quads[i / QUAD];
        quad->nodes[i % QUAD] = slot->node;
        quad->count += i < slot_count;
        for (int c = 0; c < COMPONENT_COUNT; c++)
            for (uint32_t n = 0, width = component_width((enum component)c); n < width; n++)
                tracks->values[c][(size_t)(i / QUAD) * width + n][i % QUAD] = slot->curves[c].constant[n];
    }
    for (int c = 0; c < COMPONENT_COUNT; c++) /* by component, so that blocks join to runs */
        for (uint32_t q = 0; q < tracks->quad_count; q++) {
            add_block(tracks, slots, q, (enum component)c, 1);
            add_block(tracks, slots, q, (enum component)c, 3);
        }
    for (uint32_t g = 0; g < tracks->group_count; g++) {
        struct group *group = &tracks->groups[g];
        group->rows = ARENA_NEW(arena, f32x4, (size_t)group->timeline.count * group->stride);
    }
}

/*
 * The keys of one lane of the block's `run`-th quad. Unit rotations, each on the side of its predecessor: between two
 * keys the shortest arc, and no jump of sign.
 */
static void fill_lane(const struct tracks *tracks, const struct block *block, uint32_t run, uint32_t lane,
                      const struct keys *keys)
{
    const struct group *group = &tracks->groups[block->lanes[lane].group];
    uint32_t width = component_width(block->component), numbers = width * block->key_vectors;
    bool is_turned = block->component == COMPONENT_ROTATION && block->key_vectors == 1;
    float rotation[4] = {0}, previous[4] = {0};
    for (uint32_t k = 0; k < keys->count; k++) {
        const float *values = keys->values + (size_t)k * numbers;
        f32x4 *at = group->rows + (size_t)k * group->stride + block->lanes[lane].offset + run * vectors_of(block);
        if (is_turned) {
            double dot = 0;
            unit_rotation(values, rotation);
            for (int i = 0; i < 4; i++)
                dot += (double)rotation[i] * previous[i];
            for (int i = 0; i < 4 && dot < 0; i++)
                rotation[i] = -rotation[i];
            values = memcpy(previous, rotation, sizeof previous);
        }
        for (uint32_t i = 0; i < numbers; i++) {
            if (block->is_shared)
                at[i][lane] = values[i];
            else
                at[i / width][i % width] = values[i];
        }
    }
}

struct tracks *tracks_create(const struct scene *scene, const struct clip *clip, struct arena *arena)
{
    struct tracks *tracks = ARENA_NEW(arena, struct tracks, 1);
    struct slot *slots = ARENA_NEW(arena, struct slot, clip->channel_count);
    uint32_t slot_count = collect_slots(scene, clip, slots, arena);
    tracks->scene = scene;
    tracks->clip = clip;
    group_curves(tracks, slots, slot_count, arena);
    sort_items(slots, slot_count, sizeof *slots, compare_slots);
    lay_out(tracks, slots, slot_count, arena);
    for (uint32_t b = 0; b < tracks->block_count; b++) {
        const struct block *block = &tracks->blocks[b];
        for (uint32_t i = 0; i < block->quad_count * QUAD; i++) {
            const struct curve *curve = &slots[(size_t)block->quad * QUAD + i].curves[block->component];
            if (block->active[i % QUAD])
                fill_lane(tracks, block, i / QUAD, i % QUAD, curve->keys);
        }
    }
    return tracks;
}
