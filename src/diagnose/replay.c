/*
 * Locals, globals and palette entries by a variant (palette/palette_stage.h has the right one).
 */
#include "diagnose/replay.h"

#include <string.h>

#include "data/vector.h"
#include "diagnose/sample.h"

const struct variant *replay_variant_at(const struct replay *replay, uint32_t node)
{
    const struct variant *const *of_node = replay->variant.of_node;
    return of_node && of_node[node] ? of_node[node] : &replay->variant;
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

static struct turned turned_by(const struct variant *variant, enum pipeline_switch at)
{
    struct turned out = {.there = at == SWITCH_LEFT && variant->left
                                      ? *variant->left
                                      : constant_of(variant->at[at], variant->number[at])};
    out.back = matrix_inverse(&out.there);
    return out;
}

/* Returns the axes of a variant; those of a node's own are made when they are asked for. */
static struct turned turned_of(const struct replay *replay, const struct variant *variant, enum pipeline_switch at)
{
    if (variant != &replay->variant)
        return turned_by(variant, at);
    return at == SWITCH_LEFT ? replay->left : at == SWITCH_CONJUGATE ? replay->conjugate : replay->local_axes;
}

/* The variant comes on top of what is known already. */
static void put_on(const struct variant *base, struct variant *variant)
{
    for (int i = 0; i < SWITCH_COUNT; i++)
        if (!variant->at[i]) {
            variant->at[i] = base->at[i];
            variant->number[i] = base->number[i];
        }
    variant->list = variant->list ? variant->list : base->list;
    variant->channels = variant->channels ? variant->channels : base->channels;
    variant->left = variant->left ? variant->left : base->left;
    variant->of_node = variant->of_node ? variant->of_node : base->of_node;
}

static const struct variant *const *put_nodes_on(struct replay *replay, const struct variant *base,
                                                 const struct variant *const *of_node)
{
    const uint32_t nodes = replay->scene->node_count;
    if (!replay->of_node) {
        replay->of_node = ARENA_NEW(replay->arena, const struct variant *, nodes);
        replay->of_node_on_base = ARENA_NEW(replay->arena, struct variant, nodes);
    }
    for (uint32_t n = 0; n < nodes; n++) {
        replay->of_node[n] = NULL;
        if (!of_node[n])
            continue;
        replay->of_node_on_base[n] = *of_node[n];
        put_on(base, &replay->of_node_on_base[n]);
        replay->of_node[n] = &replay->of_node_on_base[n];
    }
    return replay->of_node;
}

void replay_set(struct replay *replay, const struct variant *variant)
{
    const struct variant *base = replay->input->base;
    replay->variant = *variant;
    if (base)
        put_on(base, &replay->variant);
    if (base && variant->of_node)
        replay->variant.of_node = put_nodes_on(replay, base, variant->of_node);
    variant = &replay->variant;
    replay->now.seconds = variant->at[SWITCH_TIME] ? variant->number[SWITCH_TIME] : replay_seconds(replay);
    if (variant->at[SWITCH_CLIP] == CLIP_NUMBER && !variant->at[SWITCH_TIME]) {
        const struct clip *clip = &replay->scene->clips[(uint32_t)variant->number[SWITCH_CLIP]];
        replay->now.seconds = wrap_time(replay->input->time, clip->duration, replay->input->wrap);
    }
    replay->before.seconds = variant->number[SWITCH_STALE];
    /* the last one's: there is one frame before */
    for (uint32_t n = 0; n < replay->scene->node_count && variant->of_node; n++)
        if (variant->of_node[n] && variant->of_node[n]->at[SWITCH_STALE])
            replay->before.seconds = variant->of_node[n]->number[SWITCH_STALE];
    replay->now.stamp++;
    replay->before.stamp++;
    replay->left = turned_by(variant, SWITCH_LEFT);
    replay->conjugate = turned_by(variant, SWITCH_CONJUGATE);
    replay->local_axes = turned_by(variant, SWITCH_LOCAL_AXES);
    replay->mesh_axes = turned_by(variant, SWITCH_MESH_AXES);
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

static const struct clip *clip_played(const struct replay *replay, const struct variant *variant)
{
    if (variant->at[SWITCH_CLIP] == CLIP_NUMBER)
        return &replay->scene->clips[(uint32_t)variant->number[SWITCH_CLIP]];
    return variant->at[SWITCH_CLIP] == CLIP_REST ? NULL : replay->input->clip;
}

static bool is_pivot(const char *name)
{
    return strstr(name, "_$AssimpFbx$_") != NULL;
}

static void rest_local(const struct node *node, struct local_parts *out)
{
    *out = (struct local_parts){.matrix = matrix_from((const float(*)[4])node->local_to_parent)};
    for (int i = 0; i < 4; i++)
        out->rotation[i] = node->rest.rotation[i];
    for (int i = 0; i < 3; i++) {
        out->translation[i] = node->rest.translation[i];
        out->scale[i] = node->rest.scale[i];
    }
}

/* Makes a local of a mix of clips, whose channels nobody knows here. */
static void posed_local(const struct replay *replay, uint32_t n, struct local_parts *out)
{
    const struct pose *pose = replay->input->pose;
    struct node posed = replay->scene->nodes[n];
    bool is_keyed = memcmp(pose->local_to_parent[n], posed.local_to_parent, sizeof(mat4)) != 0;
    memcpy(posed.local_to_parent, pose->local_to_parent[n], sizeof(mat4));
    posed.rest = pose->local[n];
    rest_local(&posed, out);
    out->is_keyed = out->has_rotation = is_keyed;
    for (int i = 0; i < 3 && is_keyed && replay_variant_at(replay, n)->at[SWITCH_KEY_SCALE] == BY_FACTOR; i++)
        out->translation[i] *= replay_variant_at(replay, n)->number[SWITCH_KEY_SCALE];
    if (is_keyed)
        sample_compose(replay_variant_at(replay, n), &replay->scene->nodes[n], out);
}

static void drop_node(const struct replay *replay, uint32_t n, struct local_parts *local)
{
    const struct variant *variant = replay_variant_at(replay, n);
    bool is_animated = local->is_keyed, is_skipped = false;
    is_skipped = is_skipped || (variant->at[SWITCH_NODES] == NODES_ANIMATED && !is_animated);
    is_skipped = is_skipped || (variant->at[SWITCH_NODES] == NODES_BONES && !replay->is_bone[n]);
    if (variant->at[SWITCH_PIVOTS] && !is_animated && is_pivot(replay->scene->nodes[n].name)) {
        is_skipped = is_skipped || variant->at[SWITCH_PIVOTS] == PIVOTS_DROPPED;
        if (variant->at[SWITCH_PIVOTS] == PIVOTS_TWICE)
            local->matrix = matrix_mul(&local->matrix, &local->matrix);
    }
    if (is_skipped)
        *local = (struct local_parts){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .matrix = matrix_identity};
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

static const struct channel *channel_of(struct replay *replay, const struct variant *variant, const struct clip *clip,
                                        uint32_t n)
{
    const struct clip_channels *channels = channels_of(replay, clip);
    switch (variant->at[SWITCH_CHANNEL]) {
    case CHANNEL_BY_NAME:
        return channels->of_name[replay->first_of_name[n]];
    case CHANNEL_OF_NODE:
    case LOCAL_OF_NODE:
        return channels->of_node[(uint32_t)variant->number[SWITCH_CHANNEL]];
    case CHANNEL_LIST:
    case LOCAL_LIST:
        return channels->of_node[variant->channels[n]];
    default:
        return channels->of_node[n];
    }
}

/* Says if it does something to a node that no channel moves. The root that Assimp makes for several is not the file's,
 * so that nothing is done to it. */
static bool acts_on_rest(const struct replay *replay, const struct variant *variant, uint32_t n)
{
    static const uint8_t of_all[] = {SWITCH_QUATERNION, SWITCH_MISSING, SWITCH_ROTATION,
                                     SWITCH_TRANSLATION, SWITCH_SCALE, SWITCH_ORDER};
    bool acts = variant->at[SWITCH_KEY_SCALE] == REST_BY_FACTOR;
    for (size_t i = 0; i < sizeof of_all; i++)
        acts = acts || (variant->at[of_all[i]] & OF_ALL && variant->at[of_all[i]] != OF_ALL);
    return acts && (n > 0 || strcmp(replay->scene->nodes[0].name, "ROOT") != 0);
}

/* `given` stands for what the clip makes, or is NULL. */
static struct local_parts compute_local(struct replay *replay, double seconds, uint32_t n, const struct matrix *given)
{
    const struct variant *variant = replay_variant_at(replay, n);
    const struct clip *clip = clip_played(replay, variant);
    const uint32_t posed = variant->at[SWITCH_CHANNEL] == LOCAL_OF_NODE ? (uint32_t)variant->number[SWITCH_CHANNEL]
                           : variant->at[SWITCH_CHANNEL] == LOCAL_LIST  ? (uint32_t)variant->channels[n]
                                                                        : n;
    const struct node *node = &replay->scene->nodes[posed];
    struct node turned;
    struct local_parts local;
    if (variant->at[SWITCH_QUATERNION] > OF_REST) {
        turned = *node;
        sample_turn_rest(variant, &turned);
        node = &turned;
    }
    if (!clip && variant->at[SWITCH_CLIP] != CLIP_REST) {
        posed_local(replay, posed, &local);
    } else {
        rest_local(node, &local);
        const struct channel *channel = clip ? channel_of(replay, variant, clip, n) : NULL;
        local.is_topmost = clip && channels_of(replay, clip)->moves[n] == MOVES;
        if (variant != &replay->variant && variant->at[SWITCH_TIME])
            seconds = variant->number[SWITCH_TIME];
        if (channel && !(channel->is_repair && variant->at[SWITCH_PIVOTS] == PIVOTS_KEPT))
            sample_channel(variant, node, channel, &replay->scene->nodes[channel->node], seconds, &local);
        else if (acts_on_rest(replay, variant, n))
            sample_channel(variant, node, &(struct channel){.node = NO_INDEX}, node, seconds, &local);
    }
    if (given) {
        local.matrix = *given;
        for (int k = 0; k < 3; k++)
            local.scale[k] = vec3d_length(given->at[k]);
    }
    if (variant->at[SWITCH_NODES] || variant->at[SWITCH_PIVOTS])
        drop_node(replay, n, &local);
    local.matrix = replay_twisted(&local.matrix, variant->at[SWITCH_LOCAL]);
    if (variant->at[SWITCH_LOCAL_AXES]) {
        const struct turned axes = turned_of(replay, variant, SWITCH_LOCAL_AXES);
        local.matrix = matrix_mul(&axes.there, &local.matrix);
        local.matrix = matrix_mul(&local.matrix, &axes.back);
    }
    if (replay->components)
        local.matrix = sample_components(&local, replay->components);
    return local;
}

static const struct local_parts *local_in(struct replay *replay, struct frame *frame, uint32_t n)
{
    if (frame->local_stamps[n] != frame->stamp) {
        const bool is_given = replay->given.locals && !frame->is_stale;
        frame->locals[n] = compute_local(replay, frame->seconds, n, is_given ? replay->given.locals[n] : NULL);
        frame->local_stamps[n] = frame->stamp;
    }
    return &frame->locals[n];
}

const struct local_parts *replay_local(struct replay *replay, uint32_t node)
{
    return local_in(replay, &replay->now, node);
}

/* Each generation is a frame later than the one below it. */
static struct matrix late_chain(struct replay *replay, uint32_t n)
{
    struct matrix out = local_in(replay, &replay->now, n)->matrix;
    double seconds = replay->now.seconds;
    for (int32_t p = replay->scene->nodes[n].parent; p != NO_INDEX; p = replay->scene->nodes[p].parent) {
        seconds -= replay->variant.number[SWITCH_STALE];
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

/* The place is the parent's; rotation and scale are the local's, turned as the parent is. */
static struct matrix without_scale_above(const struct matrix *above, const struct matrix *local)
{
    const struct matrix turn = matrix_components(above, 1u << COMPONENT_ROTATION), at = matrix_mul(above, local);
    struct matrix out = matrix_mul(&turn, local);
    memcpy(out.at[3], at.at[3], sizeof out.at[3]);
    return out;
}

static struct matrix compute_global(struct replay *replay, struct frame *frame, uint32_t n)
{
    const struct variant *variant = replay_variant_at(replay, n);
    const struct matrix *local = &local_in(replay, frame, n)->matrix;
    struct matrix compensated;
    int32_t parent = replay->scene->nodes[n].parent;
    unsigned stale = frame->is_stale ? 0 : variant->at[SWITCH_STALE];
    struct matrix above;
    if (replay->given.globals && replay->given.globals[n] && !frame->is_stale)
        return *replay->given.globals[n];
    if (parent == NO_INDEX)
        return *local;
    const bool is_dropped =
        variant->at[SWITCH_NODES] == NODES_PARENTS && replay->is_bone[n] && !replay->is_bone[parent];
    if (stale == STALE_IDENTITY || is_dropped)
        return *local;
    if (variant->at[SWITCH_COMPENSATE] && variant->at[SWITCH_COMPENSATE] != COMPENSATE_ABOVE) {
        compensated =
            without_scale(local, local_in(replay, frame, (uint32_t)parent)->scale, variant->at[SWITCH_COMPENSATE]);
        local = &compensated;
    }
    if (stale == STALE_EACH)
        return late_chain(replay, n);
    if (stale == STALE_TWO) {
        above = local_in(replay, &replay->before, (uint32_t)parent)->matrix;
        return matrix_mul(&above, local);
    }
    above = stale == STALE_REST                  ? replay->rest[parent]
            : stale == STALE_TIME                ? replay_global_in(replay, &replay->before, (uint32_t)parent)
            : replay->forced && !frame->is_stale ? replay->forced[parent]
                                                 : frame->globals[parent];
    if (variant->at[SWITCH_COMPENSATE] == COMPENSATE_ABOVE)
        return without_scale_above(&above, local);
    return variant->at[SWITCH_PARENT] == PARENT_RIGHT ? matrix_mul(local, &above) : matrix_mul(&above, local);
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

struct matrix replay_placed(const struct replay *replay, const struct variant *variant, bool is_below, struct matrix m)
{
    if (variant->at[SWITCH_LEFT] && !is_below) {
        const struct turned left = turned_of(replay, variant, SWITCH_LEFT);
        m = matrix_mul(&left.there, &m);
    }
    if (variant->at[SWITCH_CONJUGATE]) {
        const struct turned conjugate = turned_of(replay, variant, SWITCH_CONJUGATE);
        m = matrix_mul(&conjugate.there, &m);
        m = matrix_mul(&m, &conjugate.back);
    }
    return m;
}

struct matrix replay_placed_local(struct replay *replay, uint32_t node)
{
    return replay_placed(replay, &replay->variant, replay->scene->nodes[node].parent != NO_INDEX,
                         replay_local(replay, node)->matrix);
}

uint32_t replay_joint_of(const struct replay *replay, uint32_t node)
{
    unsigned rule = replay_variant_at(replay, node)->at[SWITCH_JOINT];
    return rule == JOINT_FIRST  ? (uint32_t)replay->first_of_name[node]
           : rule == JOINT_LAST ? (uint32_t)replay->last_of_name[node]
                                : node;
}

struct matrix replay_global(struct replay *replay, uint32_t node)
{
    const struct variant *variant = replay_variant_at(replay, node);
    struct matrix global = replay_placed(replay, variant, false, replay_global_in(replay, &replay->now, node));
    return replay_twisted(&global, variant->at[SWITCH_GLOBAL]);
}
