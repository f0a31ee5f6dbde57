/* Palette entries by a variant. */
#include "diagnose/replay.h"

/* The binding `steps` on in its instance, around its end. */
static int32_t neighbour(const struct replay *replay, uint32_t binding, double steps)
{
    const struct instance *instance = replay_instance_of(replay, binding);
    int64_t count = instance->binding_count, at = (int64_t)binding - instance->first_binding + (int64_t)steps;
    return (int32_t)(instance->first_binding + (at % count + count) % count);
}

/* The binding whose offset the variant takes. */
static int32_t owner_of_offset(const struct replay *replay, uint32_t b)
{
    const struct variant *variant = replay_variant_at(replay, replay->scene->bindings[b].node);
    switch (variant->at[SWITCH_OFFSET_OF]) {
    case OFFSET_SHIFTED:
        return neighbour(replay, b, variant->number[SWITCH_OFFSET_OF]);
    case OFFSET_FIRST:
        return replay->first_of_bone[b];
    case OFFSET_LAST:
        return replay->last_of_bone[b];
    case OFFSET_LIST:
        return variant->list[b];
    case OFFSET_NUMBER:
        return (int32_t)variant->number[SWITCH_OFFSET_OF];
    default:
        return (int32_t)b;
    }
}

static struct matrix offset_of(struct replay *replay, uint32_t b)
{
    const struct binding *binding = &replay->scene->bindings[b];
    const struct variant *variant = replay_variant_at(replay, binding->node);
    uint32_t mesh_node = replay->scene->instances[binding->instance].node;
    int32_t owner = owner_of_offset(replay, b);
    struct matrix offset = owner == NO_INDEX ? matrix_identity : replay->offsets[owner];
    switch (variant->at[SWITCH_OFFSET]) {
    case OFFSET_NONE:
        return matrix_identity;
    case OFFSET_STILL:
        for (int i = 0; i < 3; i++)
            offset.at[3][i] = 0;
        return offset;
    case OFFSET_TRANSPOSED:
        return matrix_transposed(&offset);
    case OFFSET_TURNED:
        return replay_twisted(&offset, MATRIX_TURNED);
    case OFFSET_LINEAR:
        return replay_twisted(&offset, MATRIX_LINEAR);
    case OFFSET_INVERTED:
        return matrix_inverse(&offset);
    case OFFSET_REST:
        return matrix_inverse(&replay->rest[binding->node]);
    case OFFSET_REST_MESH:
        offset = matrix_inverse(&replay->rest[binding->node]);
        return matrix_mul(&offset, &replay->rest[mesh_node]);
    default:
        return offset;
    }
}

/* The topmost bone above a bone, of its own skeleton where a mesh has several. */
static uint32_t topmost_bone(const struct replay *replay, uint32_t bone)
{
    uint32_t top = bone;
    for (int32_t n = replay->scene->nodes[bone].parent; n != NO_INDEX; n = replay->scene->nodes[n].parent)
        top = replay->scene->nodes[n].is_bone ? (uint32_t)n : top;
    return top;
}

/* Returns what stands on the left of an entry in place of nothing, or of the inverse of the root's transform. */
static struct matrix root_inverse(struct replay *replay, unsigned rule, uint32_t bone)
{
    const uint32_t top = topmost_bone(replay, bone);
    uint32_t node = rule >= ROOT_BONE ? top : 0;
    if (rule == ROOT_ABOVE && replay->scene->nodes[top].parent != NO_INDEX)
        node = (uint32_t)replay->scene->nodes[top].parent;
    for (int32_t n = (int32_t)bone; rule >= ROOT_TOP && n > 0; n = replay->scene->nodes[n].parent)
        node = (uint32_t)n;
    const bool is_posed = rule == ROOT_NOW || rule == ROOT_BONE_NOW;
    const struct matrix m = is_posed ? replay_global_in(replay, &replay->now, node) : replay->rest[node];
    return matrix_inverse(&m);
}

/* Returns what the mesh's node multiplies an entry by. */
static struct matrix mesh_node_factor(struct replay *replay, unsigned rule, uint32_t mesh_node, uint32_t bone)
{
    struct matrix mesh = replay_global_in(replay, &replay->now, mesh_node);
    if (rule == MESH_NODE_INVERSE || rule == MESH_NODE_BIND_INVERSE)
        return matrix_inverse(&mesh);
    const int32_t above = replay->scene->nodes[topmost_bone(replay, bone)].parent;
    if (rule != MESH_NODE_BELOW || above == NO_INDEX)
        return mesh;
    const struct matrix local = replay_placed_local(replay, mesh_node);
    const struct matrix outer = replay_global_in(replay, &replay->now, (uint32_t)above);
    const struct matrix back = matrix_inverse(&outer);
    mesh = matrix_mul(&outer, &local);
    return matrix_mul(&mesh, &back);
}

static struct matrix plain_entry(struct replay *replay, uint32_t b)
{
    const struct binding *binding = &replay->scene->bindings[b];
    const struct variant *variant = replay_variant_at(replay, binding->node);
    const struct instance *instance = &replay->scene->instances[binding->instance];
    bool is_rigid = replay->scene->meshes[instance->mesh].bone_count == 0;
    struct frame *frame = variant->at[SWITCH_STALE] == STALE_ENTRY ? &replay->before : &replay->now;
    uint32_t joint = is_rigid ? binding->node : replay_joint_of(replay, binding->node);
    struct matrix global = replay_global_in(replay, frame, joint);
    struct matrix entry = global;
    int roots = replay->input->space == SPACE_ROOT;
    unsigned root = variant->at[SWITCH_ROOT], mesh_node = variant->at[SWITCH_MESH_NODE];
    if (replay->given.entries && replay->given.entries[b]) {
        entry = replay_placed(replay, variant, false, *replay->given.entries[b]);
        return replay_twisted(&entry, variant->at[SWITCH_PALETTE]);
    }
    roots = root == ROOT_TWICE || root == ROOT_TOP_TWICE ? 2 : root == ROOT_MISSING ? 0 : root ? 1 : roots;
    if (variant->at[SWITCH_GLOBAL]) /* a palette is made of what the globals are */
        global = entry = replay_twisted(&global, variant->at[SWITCH_GLOBAL]);
    if (!is_rigid) {
        struct matrix offset = offset_of(replay, b);
        for (int i = 0; i < 3 && variant->at[SWITCH_OFFSET_SCALE]; i++)
            offset.at[3][i] *= variant->number[SWITCH_OFFSET_SCALE];
        entry = variant->at[SWITCH_PRODUCT] ? matrix_mul(&offset, &global) : matrix_mul(&global, &offset);
    }
    for (int i = 0; i < roots; i++) {
        struct matrix inverse = root_inverse(replay, root, binding->node);
        entry = matrix_mul(&inverse, &entry);
    }
    if (mesh_node && !is_rigid) {
        const struct matrix mesh = mesh_node_factor(replay, mesh_node, instance->node, binding->node);
        const bool is_bind = mesh_node == MESH_NODE_BIND || mesh_node == MESH_NODE_BIND_INVERSE;
        entry = is_bind ? matrix_mul(&entry, &mesh) : matrix_mul(&mesh, &entry);
    }
    entry = replay_placed(replay, variant, false, entry);
    return replay_twisted(&entry, variant->at[SWITCH_PALETTE]);
}

/* Returns the binding whose entry stands at the place of this one's. */
static int32_t place_of(const struct replay *replay, uint32_t binding)
{
    const struct variant *variant = &replay->variant;
    unsigned list = variant->at[SWITCH_LIST];
    int64_t length = replay_list_length(replay, list, binding), place = replay_place(replay, list, binding);
    if (variant->at[SWITCH_INDEX] == INDEX_LIST)
        return variant->list[binding];
    if (place >= length) /* what carries a rigid mesh is no bone */
        return (int32_t)binding;
    place = variant->at[SWITCH_INDEX] == INDEX_REVERSED ? length - 1 - place
                                                        : place + (int64_t)variant->number[SWITCH_INDEX];
    if (variant->at[SWITCH_INDEX] == INDEX_TURNED)
        place = (place + length) % length;
    else if (variant->at[SWITCH_INDEX] == INDEX_CLAMPED)
        place = place < 0 ? 0 : place < length ? place : length - 1;
    if (place < 0 || place >= length)
        return NO_INDEX;
    return list == LIST_MESH ? (int32_t)(replay_instance_of(replay, binding)->first_binding + place)
                             : replay->at_place[list][place];
}

bool replay_is_cut(const struct replay *replay, uint32_t binding)
{
    return replay_place(replay, replay->variant.at[SWITCH_LIST], binding) >= replay->variant.number[SWITCH_CUT];
}

static bool compute_entry(struct replay *replay, uint32_t binding, struct matrix *out)
{
    const struct variant *variant = &replay->variant;
    int32_t from = variant->at[SWITCH_INDEX] ? place_of(replay, binding) : (int32_t)binding;
    if (from == NO_INDEX)
        return false;
    if (variant->at[SWITCH_CUT] && replay_is_cut(replay, (uint32_t)from)) {
        if (variant->at[SWITCH_CUT] >= CUT_RAW)
            return false;
        *out = variant->at[SWITCH_CUT] == CUT_IDENTITY ? matrix_identity : (struct matrix){{{0}}};
        return true;
    }
    if (variant->at[SWITCH_OFFSET_OF] == OFFSET_LIST && variant->list[binding] == NO_INDEX)
        return false;
    *out = plain_entry(replay, (uint32_t)from);
    return true;
}

bool replay_entry(struct replay *replay, uint32_t binding, struct matrix *out)
{
    if (replay->entry_stamps[binding] != replay->now.stamp) {
        replay->is_said[binding] = compute_entry(replay, binding, &replay->entries[binding]);
        replay->entry_stamps[binding] = replay->now.stamp;
    }
    *out = replay->entries[binding];
    return replay->is_said[binding];
}
