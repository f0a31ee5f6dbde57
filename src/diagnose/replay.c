/*
 * Locals, globals and palette entries by a way (palette/palette_stage.h has the right one).
 */
#include "diagnose/replay.h"

#include <string.h>

#include "data/vector.h"
#include "diagnose/sample.h"

const struct way *replay_way_at(const struct replay *replay, uint32_t node)
{
    const struct way *const *of_node = replay->way.of_node;
    return of_node && of_node[node] ? of_node[node] : &replay->way;
}

void replay_force_parents(struct replay *replay, const struct matrix *globals)
{
    replay->forced = globals;
    replay->now.stamp++;
    replay->before.stamp++;
}

void replay_keep_components(struct replay *replay, unsigned components)
{
    replay->components = components;
    replay->now.stamp++;
    replay->before.stamp++;
}

void replay_give(struct replay *replay, const struct given *given)
{
    replay->given = *given;
    replay->now.stamp++;
    replay->before.stamp++;
}

/* Finds the channels of nodes: the last of several counts, and one without keys moves nothing. */
static struct clip_channels *channels_of(struct replay *replay, const struct clip *clip)
{
    const struct scene *scene = replay->scene;
    uint32_t index = scene->clip_count;
    if (clip >= scene->clips && clip < scene->clips + scene->clip_count)
        index = (uint32_t)(clip - scene->clips);
    struct clip_channels *channels = &replay->channels[index];
    if (channels->of_node)
        return channels;
    channels->of_node = ARENA_NEW(replay->arena, const struct channel *, scene->node_count);
    channels->of_name = ARENA_NEW(replay->arena, const struct channel *, scene->node_count);
    channels->moves = ARENA_NEW(replay->arena, uint8_t, scene->node_count);
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct channel *channel = &clip->channels[i];
        if (channel->node == NO_INDEX)
            continue;
        const struct channel **named = &channels->of_name[replay->first_of_name[channel->node]];
        *named = *named ? *named : channel;
        for (int c = 0; c < COMPONENT_COUNT; c++)
            if (channel->keys[c].count > 0)
                channels->of_node[channel->node] = channel;
        channels->moves[channel->node] |= channel->keys[COMPONENT_TRANSLATION].count > 1 ? MOVES : 0;
    }
    for (uint32_t n = 0; n < scene->node_count; n++) {
        const int32_t parent = scene->nodes[n].parent;
        if (parent != NO_INDEX && channels->moves[parent])
            channels->moves[n] |= MOVES_WITH_PARENT;
    }
    return channels;
}

double replay_seconds(const struct replay *replay)
{
    const struct diagnosis_input *input = replay->input;
    return input->clip ? wrap_time(input->time, input->clip->duration, input->wrap) : 0;
}

static struct matrix constant_of(unsigned value, double number)
{
    struct matrix out = matrix_identity;
    if (value == UNIFORM)
        out.at[0][0] = out.at[1][1] = out.at[2][2] = number;
    else if (value >= AXES && value < UNIFORM)
        out = matrix_axes(value - AXES);
    return out;
}

static struct turned turned_by(const struct way *way, enum way_switch at)
{
    struct turned out = {.there =
                             at == SWITCH_LEFT && way->left ? *way->left : constant_of(way->at[at], way->number[at])};
    out.back = matrix_inverse(&out.there);
    return out;
}

/* Returns the axes of a way; those of a node's own are made when they are asked for. */
static struct turned turned_of(const struct replay *replay, const struct way *way, enum way_switch at)
{
    if (way != &replay->way)
        return turned_by(way, at);
    return at == SWITCH_LEFT ? replay->left : at == SWITCH_CONJUGATE ? replay->conjugate : replay->local_axes;
}

void replay_set(struct replay *replay, const struct way *way)
{
    const struct way *base = replay->input->base;
    replay->way = *way;
    for (int i = 0; i < SWITCH_COUNT && base; i++)
        if (!way->at[i]) {
            replay->way.at[i] = base->at[i];
            replay->way.number[i] = base->number[i];
        }
    replay->way.list = way->list || !base ? way->list : base->list;
    replay->way.channels = way->channels || !base ? way->channels : base->channels;
    replay->way.left = way->left || !base ? way->left : base->left;
    replay->way.of_node = way->of_node || !base ? way->of_node : base->of_node;
    way = &replay->way;
    replay->now.seconds = way->at[SWITCH_TIME] ? way->number[SWITCH_TIME] : replay_seconds(replay);
    if (way->at[SWITCH_CLIP] == CLIP_NUMBER && !way->at[SWITCH_TIME]) {
        const struct clip *clip = &replay->scene->clips[(uint32_t)way->number[SWITCH_CLIP]];
        replay->now.seconds = wrap_time(replay->input->time, clip->duration, replay->input->wrap);
    }
    replay->before.seconds = way->number[SWITCH_STALE];
    /* the last one's: there is one frame before */
    for (uint32_t n = 0; n < replay->scene->node_count && way->of_node; n++)
        if (way->of_node[n] && way->of_node[n]->at[SWITCH_STALE])
            replay->before.seconds = way->of_node[n]->number[SWITCH_STALE];
    replay->now.stamp++;
    replay->before.stamp++;
    replay->left = turned_by(way, SWITCH_LEFT);
    replay->conjugate = turned_by(way, SWITCH_CONJUGATE);
    replay->local_axes = turned_by(way, SWITCH_LOCAL_AXES);
    replay->mesh_axes = turned_by(way, SWITCH_MESH_AXES);
}

const struct matrix *replay_rest(const struct replay *replay, uint32_t node)
{
    return &replay->rest[node];
}

const struct instance *replay_instance_of(const struct replay *replay, uint32_t binding)
{
    return &replay->scene->instances[replay->scene->bindings[binding].instance];
}

uint32_t replay_list_length(const struct replay *replay, unsigned list, uint32_t binding)
{
    return list == LIST_MESH ? replay_instance_of(replay, binding)->binding_count : replay->bone_count;
}

uint32_t replay_place(const struct replay *replay, unsigned list, uint32_t binding)
{
    if (list == LIST_MESH)
        return binding - replay_instance_of(replay, binding)->first_binding;
    return replay->places[list][binding];
}

static const struct clip *clip_played(const struct replay *replay, const struct way *way)
{
    if (way->at[SWITCH_CLIP] == CLIP_NUMBER)
        return &replay->scene->clips[(uint32_t)way->number[SWITCH_CLIP]];
    return way->at[SWITCH_CLIP] == CLIP_REST ? NULL : replay->input->clip;
}

static bool is_pivot(const char *name)
{
    return strstr(name, "_$AssimpFbx$_") != NULL;
}

static void rest_local(const struct node *node, struct way_local *out)
{
    *out = (struct way_local){.matrix = matrix_from((const float(*)[4])node->local_to_parent)};
    for (int i = 0; i < 4; i++)
        out->rotation[i] = node->rest.rotation[i];
    for (int i = 0; i < 3; i++) {
        out->translation[i] = node->rest.translation[i];
        out->scale[i] = node->rest.scale[i];
    }
}

/* Makes a local of a mix of clips, whose channels nobody knows here. */
static void posed_local(const struct replay *replay, uint32_t n, struct way_local *out)
{
    const struct pose *pose = replay->input->pose;
    struct node posed = replay->scene->nodes[n];
    bool is_keyed = memcmp(pose->local_to_parent[n], posed.local_to_parent, sizeof(mat4)) != 0;
    memcpy(posed.local_to_parent, pose->local_to_parent[n], sizeof(mat4));
    posed.rest = pose->local[n];
    rest_local(&posed, out);
    out->is_keyed = out->has_rotation = is_keyed;
    for (int i = 0; i < 3 && is_keyed && replay_way_at(replay, n)->at[SWITCH_KEY_SCALE]; i++)
        out->translation[i] *= replay_way_at(replay, n)->number[SWITCH_KEY_SCALE];
    if (is_keyed)
        sample_compose(replay_way_at(replay, n), &replay->scene->nodes[n], out);
}

static void drop_node(const struct replay *replay, uint32_t n, struct way_local *local)
{
    const struct way *way = replay_way_at(replay, n);
    bool is_animated = local->is_keyed, is_skipped = false;
    is_skipped = is_skipped || (way->at[SWITCH_NODES] == NODES_ANIMATED && !is_animated);
    is_skipped = is_skipped || (way->at[SWITCH_NODES] == NODES_BONES && !replay->is_bone[n]);
    if (way->at[SWITCH_PIVOTS] && !is_animated && is_pivot(replay->scene->nodes[n].name)) {
        is_skipped = is_skipped || way->at[SWITCH_PIVOTS] == PIVOTS_DROPPED;
        if (way->at[SWITCH_PIVOTS] == PIVOTS_TWICE)
            local->matrix = matrix_mul(&local->matrix, &local->matrix);
    }
    if (is_skipped)
        *local = (struct way_local){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .matrix = matrix_identity};
}

struct matrix replay_twisted(const struct matrix *m, unsigned rule)
{
    if (rule == MATRIX_RIGID)
        return matrix_components(m, 1u << COMPONENT_ROTATION | 1u << COMPONENT_TRANSLATION);
    struct matrix out = rule ? matrix_transposed(m) : *m;
    for (int i = 0; i < 4 && (rule == MATRIX_TURNED || rule == MATRIX_LINEAR); i++) {
        out.at[3][i] = rule == MATRIX_TURNED ? m->at[3][i] : i == 3;
        out.at[i][3] = m->at[i][3];
    }
    return out;
}

static const struct channel *channel_of(struct replay *replay, const struct way *way, const struct clip *clip,
                                        uint32_t n)
{
    const struct clip_channels *channels = channels_of(replay, clip);
    switch (way->at[SWITCH_CHANNEL]) {
    case CHANNEL_BY_NAME:
        return channels->of_name[replay->first_of_name[n]];
    case CHANNEL_OF_NODE:
    case LOCAL_OF_NODE:
        return channels->of_node[(uint32_t)way->number[SWITCH_CHANNEL]];
    case CHANNEL_LIST:
    case LOCAL_LIST:
        return channels->of_node[way->channels[n]];
    default:
        return channels->of_node[n];
    }
}

/* `given` stands for what the clip makes, or is NULL. */
static struct way_local compute_local(struct replay *replay, double seconds, uint32_t n, const struct matrix *given)
{
    const struct way *way = replay_way_at(replay, n);
    const struct clip *clip = clip_played(replay, way);
    const uint32_t posed = way->at[SWITCH_CHANNEL] == LOCAL_OF_NODE ? (uint32_t)way->number[SWITCH_CHANNEL]
                           : way->at[SWITCH_CHANNEL] == LOCAL_LIST  ? (uint32_t)way->channels[n]
                                                                    : n;
    const struct node *node = &replay->scene->nodes[posed];
    struct node turned;
    struct way_local local;
    if (way->at[SWITCH_QUATERNION] > OF_REST) {
        turned = *node;
        sample_turn_rest(way, &turned);
        node = &turned;
    }
    if (!clip && way->at[SWITCH_CLIP] != CLIP_REST) {
        posed_local(replay, posed, &local);
    } else {
        rest_local(node, &local);
        const struct channel *channel = clip ? channel_of(replay, way, clip, n) : NULL;
        local.is_topmost = clip && channels_of(replay, clip)->moves[n] == MOVES;
        if (way != &replay->way && way->at[SWITCH_TIME])
            seconds = way->number[SWITCH_TIME];
        if (channel && !(channel->is_repair && way->at[SWITCH_PIVOTS] == PIVOTS_KEPT))
            sample_channel(way, node, channel, seconds, &local);
        else if ((way->at[SWITCH_QUATERNION] > OF_ALL && way->at[SWITCH_QUATERNION] < OF_REST) ||
                 way->at[SWITCH_SCALE] > OF_ALL || way->at[SWITCH_ORDER] > OF_ALL)
            sample_compose(way, node, &local);
    }
    if (given) {
        local.matrix = *given;
        for (int k = 0; k < 3; k++)
            local.scale[k] = vec3d_length(given->at[k]);
    }
    if (way->at[SWITCH_NODES] || way->at[SWITCH_PIVOTS])
        drop_node(replay, n, &local);
    local.matrix = replay_twisted(&local.matrix, way->at[SWITCH_LOCAL]);
    if (way->at[SWITCH_LOCAL_AXES]) {
        const struct turned axes = turned_of(replay, way, SWITCH_LOCAL_AXES);
        local.matrix = matrix_mul(&axes.there, &local.matrix);
        local.matrix = matrix_mul(&local.matrix, &axes.back);
    }
    if (replay->components)
        local.matrix = matrix_components(&local.matrix, replay->components);
    return local;
}

static const struct way_local *local_in(struct replay *replay, struct frame *frame, uint32_t n)
{
    if (frame->local_stamps[n] != frame->stamp) {
        const bool is_given = replay->given.locals && !frame->is_stale;
        frame->locals[n] = compute_local(replay, frame->seconds, n, is_given ? replay->given.locals[n] : NULL);
        frame->local_stamps[n] = frame->stamp;
    }
    return &frame->locals[n];
}

const struct way_local *replay_local(struct replay *replay, uint32_t node)
{
    return local_in(replay, &replay->now, node);
}

/* Each generation is a frame later than the one below it. */
static struct matrix late_chain(struct replay *replay, uint32_t n)
{
    struct matrix out = local_in(replay, &replay->now, n)->matrix;
    double seconds = replay->now.seconds;
    for (int32_t p = replay->scene->nodes[n].parent; p != NO_INDEX; p = replay->scene->nodes[p].parent) {
        seconds -= replay->way.number[SWITCH_STALE];
        struct matrix local = compute_local(replay, seconds, (uint32_t)p, NULL).matrix;
        out = matrix_mul(&local, &out);
    }
    return out;
}

/* The local transform with the inverse of its parent's scale before it. */
static struct matrix without_scale(const struct matrix *local, const double scale[3], unsigned rule)
{
    struct matrix out = *local;
    for (int c = 0; c < (rule == COMPENSATE_ALL ? 4 : 3); c++)
        for (int r = 0; r < 3; r++)
            out.at[c][r] /= scale[r];
    return out;
}

static struct matrix compute_global(struct replay *replay, struct frame *frame, uint32_t n)
{
    const struct way *way = replay_way_at(replay, n);
    const struct matrix *local = &local_in(replay, frame, n)->matrix;
    struct matrix compensated;
    int32_t parent = replay->scene->nodes[n].parent;
    unsigned stale = frame->is_stale ? 0 : way->at[SWITCH_STALE];
    struct matrix above;
    if (replay->given.globals && replay->given.globals[n] && !frame->is_stale)
        return *replay->given.globals[n];
    if (parent == NO_INDEX)
        return *local;
    const bool is_dropped = way->at[SWITCH_NODES] == NODES_PARENTS && replay->is_bone[n] && !replay->is_bone[parent];
    if (stale == STALE_IDENTITY || is_dropped)
        return *local;
    if (way->at[SWITCH_COMPENSATE]) {
        compensated =
            without_scale(local, local_in(replay, frame, (uint32_t)parent)->scale, way->at[SWITCH_COMPENSATE]);
        local = &compensated;
    }
    if (stale == STALE_EACH)
        return late_chain(replay, n);
    if (stale == STALE_TWO) {
        above = local_in(replay, &replay->before, (uint32_t)parent)->matrix;
        return matrix_mul(&above, local);
    }
    above = stale == STALE_REST   ? replay->rest[parent]
            : stale == STALE_TIME ? replay_global_in(replay, &replay->before, (uint32_t)parent)
            : replay->forced && !frame->is_stale ? replay->forced[parent]
                                                 : frame->globals[parent];
    return way->at[SWITCH_PARENT] == PARENT_RIGHT ? matrix_mul(local, &above) : matrix_mul(&above, local);
}

struct matrix replay_global_in(struct replay *replay, struct frame *frame, uint32_t node)
{
    uint32_t depth = 0, *chain = replay->chain;
    int32_t n = (int32_t)node;
    if (frame->is_stale) { /* a walk within a walk: topological order does without the path */
        for (uint32_t i = 0; i <= node; i++)
            if (frame->global_stamps[i] != frame->stamp) {
                frame->globals[i] = compute_global(replay, frame, i);
                frame->global_stamps[i] = frame->stamp;
            }
        return frame->globals[node];
    }
    while (n != NO_INDEX && frame->global_stamps[n] != frame->stamp) {
        chain[depth++] = (uint32_t)n;
        n = replay->forced ? NO_INDEX : replay->scene->nodes[n].parent;
    }
    while (depth > 0) {
        uint32_t i = chain[--depth];
        frame->globals[i] = compute_global(replay, frame, i);
        frame->global_stamps[i] = frame->stamp;
    }
    return frame->globals[node];
}

struct matrix replay_placed(const struct replay *replay, const struct way *way, bool is_below, struct matrix m)
{
    if (way->at[SWITCH_LEFT] && !is_below) {
        const struct turned left = turned_of(replay, way, SWITCH_LEFT);
        m = matrix_mul(&left.there, &m);
    }
    if (way->at[SWITCH_CONJUGATE]) {
        const struct turned conjugate = turned_of(replay, way, SWITCH_CONJUGATE);
        m = matrix_mul(&conjugate.there, &m);
        m = matrix_mul(&m, &conjugate.back);
    }
    return m;
}

struct matrix replay_placed_local(struct replay *replay, uint32_t node)
{
    return replay_placed(replay, &replay->way, replay->scene->nodes[node].parent != NO_INDEX,
                  replay_local(replay, node)->matrix);
}

uint32_t replay_joint_of(const struct replay *replay, uint32_t node)
{
    unsigned rule = replay_way_at(replay, node)->at[SWITCH_JOINT];
    return rule == JOINT_FIRST  ? (uint32_t)replay->first_of_name[node]
           : rule == JOINT_LAST ? (uint32_t)replay->last_of_name[node]
                                : node;
}

struct matrix replay_global(struct replay *replay, uint32_t node)
{
    const struct way *way = replay_way_at(replay, node);
    struct matrix global = replay_placed(replay, way, false, replay_global_in(replay, &replay->now, node));
    return replay_twisted(&global, way->at[SWITCH_GLOBAL]);
}
