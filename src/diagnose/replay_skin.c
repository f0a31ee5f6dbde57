/*
 * Skinned vertices by a variant (palette/skin.h has the right one).
 */
#include <math.h>
#include <string.h>

#include "data/vector.h"
#include "diagnose/replay.h"
#include "palette/dual_quaternion.h"

static double sum_of(const struct influences *in)
{
    double sum = 0;
    for (uint32_t i = 0; i < in->count; i++)
        sum += in->weights[i];
    return sum;
}

static void scale_to(struct influences *in, double wanted)
{
    double sum = sum_of(in);
    for (uint32_t i = 0; i < in->count && sum > 0; i++)
        in->weights[i] *= wanted / sum;
}

static void move(struct influences *in, uint32_t from, uint32_t to)
{
    in->bones[to] = in->bones[from];
    in->weights[to] = in->weights[from];
}

/* By bone: the order in which an importer hands weights over, bone after bone; else the largest weights first. */
static void sort(struct influences *in, bool by_bone)
{
    for (uint32_t i = 1; i < in->count; i++)
        for (uint32_t k = i; k > 0 && (by_bone ? in->bones[k - 1] > in->bones[k] : in->weights[k - 1] < in->weights[k]);
             k--) {
            uint32_t bone = in->bones[k];
            double weight = in->weights[k];
            move(in, k - 1, k);
            in->bones[k - 1] = bone;
            in->weights[k - 1] = weight;
        }
}

static void cut_to(struct influences *in, uint32_t most)
{
    in->count = in->count < most ? in->count : most;
}

/* As they come: a slot is given to a larger one when all are full. */
static void keep_largest(struct influences *in, uint32_t most)
{
    for (uint32_t i = most; i < in->count; i++) {
        uint32_t least = 0;
        for (uint32_t k = 1; k < most; k++)
            if (in->weights[k] < in->weights[least] ||
                (in->weights[k] == in->weights[least] && in->bones[k] > in->bones[least]))
                least = k;
        if (in->weights[i] > in->weights[least])
            move(in, i, least);
    }
    cut_to(in, most);
}

/* As floats: in double 0.1f is more than 0.1. */
static void drop_small(struct influences *in, float limit)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < in->count; i++)
        if ((float)in->weights[i] > limit)
            move(in, i, kept++);
    in->count = kept;
}

/* `whole`: the sum that those have who rescale. */
static void keep(const struct variant *variant, struct influences *in, uint32_t most, double whole)
{
    unsigned rule = variant->at[SWITCH_KEEP];
    double was = sum_of(in);
    bool is_large = rule >= KEEP_LARGE && rule <= KEEP_LARGE_MOST;
    uint32_t count = in->count;
    if (is_large)
        drop_small(in, (float)variant->number[SWITCH_KEEP]);
    if (rule == KEEP_LARGE_MOST || rule >= KEEP_NOT_RESCALED || rule == 0)
        keep_largest(in, most);
    else
        cut_to(in, 4);
    if (rule == KEEP_FIRST_FOUR_RESCALED || rule == KEEP_LARGE_RESCALED || rule == KEEP_LARGE_MOST)
        scale_to(in, whole);
    else if ((rule == 0 || rule == KEEP_RESCALED) && in->count < count)
        scale_to(in, was);
}

/* Weights go to other slots than their ids. An empty slot has bone 0. */
static void shuffle(struct influences *in, unsigned rule, double whole)
{
    double was[INFLUENCES_MOST];
    struct influences sorted = *in;
    uint32_t n = in->count;
    memcpy(was, in->weights, sizeof was);
    sort(&sorted, false);
    for (uint32_t i = 0; i < n; i++)
        in->weights[i] = rule == SLOTS_SORTED ? sorted.weights[i]
                         : rule == SLOTS_SAME ? whole / n
                                              : was[rule == SLOTS_REVERSED      ? n - 1 - i
                                                    : rule == SLOTS_TURNED      ? (i + 1) % n
                                                    : rule == SLOTS_TURNED_BACK ? (i + n - 1) % n
                                                    : n > 1 && i < 2            ? 1 - i
                                                                                : i];
}

static void change_slots(const struct variant *variant, struct influences *in)
{
    unsigned rule = variant->at[SWITCH_SLOTS], number = (unsigned)variant->number[SWITCH_SLOTS], slot = number & SLOT;
    double whole = sum_of(in);
    if (number & SLOTS_BY_SIZE)
        sort(in, false);
    while (number & SLOTS_FOUR && in->count < 4) {
        in->bones[in->count] = 0;
        in->weights[in->count++] = 0;
    }
    if (rule < SLOTS_FIRST) {
        shuffle(in, rule, whole);
    } else if (rule <= SLOTS_FIRST_RESCALED) {
        cut_to(in, slot);
    } else if (in->count > 1 || !(number & SLOTS_BUT_ONE)) {
        slot = slot == SLOT_LAST && in->count > 0 ? in->count - 1 : slot;
        for (uint32_t i = slot + 1; i < in->count; i++)
            move(in, i, i - 1);
        in->count -= slot < in->count;
    }
    if (rule == SLOTS_FIRST_RESCALED || rule == SLOTS_WITHOUT_RESCALED)
        scale_to(in, whole);
}

/* Bytes hold multiples of 1/255. Computed as floats, as engines do: 0.7f * 255 is 178.5 there, and less in double. */
static void weights_to_bytes(unsigned rule, unsigned ties, struct influences *in, double whole)
{
    static const double slacks[TIES_COUNT] = {0, 2e-5, -2e-5};
    for (uint32_t i = 0; i < in->count && rule == BYTES_BY_256; i++)
        in->weights[i] *= 255 / 256.0;
    if (rule == BYTES_BY_256)
        return;
    bool is_cut = rule == BYTES_CUT || rule == BYTES_CUT_RESCALED || rule == BYTES_CUT_TIMES_255;
    for (uint32_t i = 0; i < in->count; i++) {
        double bytes = (double)((float)in->weights[i] * 255);
        bytes = rule == BYTES_TIMES_255 ? bytes : floor(bytes + (is_cut ? 0 : 0.5) + slacks[ties]);
        in->weights[i] = bytes / (rule >= BYTES_TIMES_255 ? 1 : 255);
    }
    if (rule == BYTES_ROUNDED_RESCALED || rule == BYTES_CUT_RESCALED)
        scale_to(in, whole);
}

bool replay_turn_ties(struct replay *replay)
{
    replay->ties = (replay->ties + 1) % TIES_COUNT;
    return replay->variant.at[SWITCH_BYTES] != 0;
}

static void read_by_bone(const struct mesh *mesh, uint32_t vertex, struct influences *out)
{
    for (uint32_t i = mesh->influence_first[vertex]; i < mesh->influence_first[vertex + 1]; i++)
        if (out->count < INFLUENCES_MOST) {
            out->bones[out->count] = mesh->influences[i].bone;
            out->weights[out->count++] = (double)mesh->influences[i].weight;
        }
    sort(out, true);
}

/* As the file has them: a bone that is there twice has its weight in the first place. */
static void read_slots(const struct mesh *mesh, uint32_t vertex, struct influences *out)
{
    const uint32_t *slots = mesh->slots + (size_t)vertex * mesh->slot_count;
    for (uint32_t i = 0; i < mesh->slot_count && i < INFLUENCES_MOST; i++) {
        out->bones[i] = slots[i];
        out->weights[i] = 0;
        for (uint32_t k = mesh->influence_first[vertex]; k < mesh->influence_first[vertex + 1]; k++)
            out->weights[i] += mesh->influences[k].bone == slots[i] ? (double)mesh->influences[k].weight : 0;
        for (uint32_t k = 0; k < i; k++)
            out->weights[i] = slots[k] == slots[i] ? 0 : out->weights[i];
        out->count++;
    }
}

bool replay_influences(const struct replay *replay, const struct mesh *mesh, uint32_t vertex, struct influences *out)
{
    const struct variant *variant = &replay->variant;
    uint32_t limit = replay->input->influences;
    *out = (struct influences){0};
    if (variant->at[SWITCH_IDS] == IDS_NEIGHBOUR) {
        int64_t other = (int64_t)vertex + (int64_t)variant->number[SWITCH_IDS];
        if (other < 0 || other >= mesh->vertex_count)
            return false;
        vertex = (uint32_t)other;
    }
    if (variant->at[SWITCH_SLOTS_OF] && mesh->slots)
        read_slots(mesh, vertex, out);
    else
        read_by_bone(mesh, vertex, out);
    bool is_divided = replay->input->sums_to_one ? variant->at[SWITCH_SUMS] != SUMS_OF_FILE
                                                 : variant->at[SWITCH_SUMS] == SUMS_DIVIDED;
    if (is_divided)
        scale_to(out, 1);
    double whole = replay->input->sums_to_one ? 1 : sum_of(out);
    keep(variant, out, limit > 0 ? limit : variant->at[SWITCH_KEEP] ? 4 : INFLUENCES_MOST, whole);
    if (variant->at[SWITCH_SLOTS])
        change_slots(variant, out);
    if (variant->at[SWITCH_BYTES])
        weights_to_bytes(variant->at[SWITCH_BYTES], replay->ties, out, whole);
    for (uint32_t i = 0; i < out->count && variant->at[SWITCH_IDS] == IDS_ZERO; i++)
        out->bones[i] = 0;
    return true;
}

/* By dual quaternions (palette/dual_quaternion.h), with all scales 1 where the variant has none. */
static bool blend_joints(struct replay *replay, uint32_t first_binding, const struct influences *in, struct matrix *out)
{
    const unsigned rule = replay->variant.at[SWITCH_BLENDING];
    struct joint joints[INFLUENCES_MOST], blended;
    struct influence influences[INFLUENCES_MOST];
    for (uint32_t i = 0; i < in->count; i++) {
        struct matrix entry;
        mat4 plain;
        if (!replay_entry(replay, first_binding + in->bones[i], &entry))
            return false;
        if (rule == BLENDING_COLUMNS)
            entry = matrix_components(&entry, 1u << COMPONENT_ROTATION | 1u << COMPONENT_TRANSLATION);
        for (int k = 0; k < 16; k++)
            plain[k / 4][k % 4] = (float)entry.at[k / 4][k % 4];
        joint_from_affine(plain, &joints[i]);
        influences[i] = (struct influence){.bone = i, .weight = (float)in->weights[i]};
    }
    if (!joint_blend(joints, influences, in->count, &blended))
        return false;
    for (int k = 0; k < 9 && (rule == BLENDING_RIGID || rule == BLENDING_COLUMNS); k++)
        blended.stretch[k / 3][k % 3] = k % 4 == 0;
    double columns[3][3];
    joint_columns(&blended, columns);
    *out = matrix_identity;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            out->at[c][r] = columns[c][r];
    for (int r = 0; r < 3; r++)
        out->at[3][r] = blended.translation[r];
    return true;
}

/* `last`: the entry of its last bone, by size. */
static bool blend(struct replay *replay, uint32_t instance_index, uint32_t vertex, struct matrix *out,
                  struct matrix *last)
{
    const struct instance *instance = &replay->scene->instances[instance_index];
    const struct mesh *mesh = &replay->scene->meshes[instance->mesh];
    unsigned ids = replay->variant.at[SWITCH_IDS], cut = replay->variant.at[SWITCH_CUT];
    struct influences in;
    double sum = 0, least = INFINITY;
    *out = matrix_identity;
    if (ids == IDS_NONE)
        return true;
    *last = matrix_identity;
    if (ids == IDS_NODE) {
        *out = *last = replay_global(replay, instance->node);
        return true;
    }
    if (mesh->bone_count == 0) {
        bool is_there = replay_entry(replay, instance->first_binding, out);
        *last = *out;
        return is_there;
    }
    if (!replay_influences(replay, mesh, vertex, &in))
        return false;
    struct matrix blended = {{{0}}};
    for (uint32_t i = 0; i < in.count; i++) {
        struct matrix entry;
        uint32_t binding = ids == IDS_SCENE_ZERO ? 0 : instance->first_binding + in.bones[i];
        bool is_cut = cut >= CUT_RAW && replay_is_cut(replay, binding);
        if (is_cut && cut == CUT_RAW)
            return true;
        if (is_cut)
            continue;
        if (!replay_entry(replay, binding, &entry))
            return false;
        sum += in.weights[i];
        if (in.weights[i] <= least) {
            least = in.weights[i];
            *last = entry;
        }
        for (int k = 0; k < 16; k++)
            blended.at[k / 4][k % 4] += in.weights[i] * entry.at[k / 4][k % 4];
    }
    for (int k = 0; k < 16 && cut == CUT_DIVIDED && sum > 0; k++)
        blended.at[k / 4][k % 4] /= sum;
    const unsigned blending = replay->variant.at[SWITCH_BLENDING];
    if (blending != BLENDING_LINEAR && (blending || replay->input->is_dual))
        return blend_joints(replay, ids == IDS_SCENE_ZERO ? 0 : instance->first_binding, &in, out);
    *out = blended;
    return true;
}

static void turn_normal(const struct variant *variant, const struct matrix *m, const double normal[3], double out[3])
{
    double sign = matrix_determinant(m) < 0 ? -1 : 1, length;
    unsigned rule = variant->at[SWITCH_NORMAL];
    double cofactors[3][3];
    for (int i = 0; i < 3; i++)
        vec3d_cross(m->at[(i + 1) % 3], m->at[(i + 2) % 3], cofactors[i]);
    for (int k = 0; k < 3; k++) {
        out[k] = 0;
        for (int i = 0; i < 3; i++)
            out[k] += (rule == NORMAL_BY_POSITION || rule == NORMAL_BY_LAST ? m->at[i][k] : sign * cofactors[i][k]) *
                      normal[i];
        if (rule == NORMAL_UNSKINNED)
            out[k] = normal[k];
    }
    length = vec3d_length(out);
    for (int k = 0; k < 3 && length > 0; k++)
        out[k] /= length;
}

static void turn(const struct matrix *m, double v[3])
{
    const double was[3] = {v[0], v[1], v[2]};
    for (int k = 0; k < 3; k++)
        v[k] = m->at[0][k] * was[0] + m->at[1][k] * was[1] + m->at[2][k] * was[2];
}

/* Sum of the targets' weighted deltas. Morph weights are the reference's: no mistake of theirs is replayed. */
static void morph(const struct replay *replay, const struct instance *instance, uint32_t vertex, double position[3],
                  double normal[3])
{
    const struct mesh *mesh = &replay->scene->meshes[instance->mesh];
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        double weight = (double)replay->input->pose->morph_weights[instance->first_weight + t];
        for (int k = 0; k < 3; k++) {
            position[k] += weight * mesh->targets[t].position_deltas[vertex][k];
            if (mesh->targets[t].normal_deltas)
                normal[k] += weight * mesh->targets[t].normal_deltas[vertex][k];
        }
    }
}

/* A matrix that skinned vertices are multiplied by besides. */
static void place(struct replay *replay, const struct instance *instance, double position[3], double normal[3])
{
    const unsigned how = replay->variant.at[SWITCH_PLACE];
    const double was[3] = {position[0], position[1], position[2]}, turned[3] = {normal[0], normal[1], normal[2]};
    if (how == 0 || replay->scene->meshes[instance->mesh].bone_count == 0)
        return;
    struct matrix map = how == PLACE_ROOT_INVERSE ? replay->rest[0]
                        : how == PLACE_MESH_LOCAL ? replay_placed_local(replay, instance->node)
                                                  : replay_global(replay, instance->node);
    if (how == PLACE_ROOT_INVERSE || how == PLACE_MESH_NODE_INVERSE)
        map = matrix_inverse(&map);
    for (int k = 0; k < 3; k++)
        position[k] = map.at[0][k] * was[0] + map.at[1][k] * was[1] + map.at[2][k] * was[2] + map.at[3][k];
    turn_normal(&replay->variant, &map, turned, normal);
}

bool replay_vertex(struct replay *replay, uint32_t instance_index, uint32_t vertex, double position[3],
                   double normal[3])
{
    const struct instance *instance = &replay->scene->instances[instance_index];
    const struct mesh *mesh = &replay->scene->meshes[instance->mesh];
    double p[3], n[3], moved[3] = {0}, turned[3] = {0};
    unsigned rule = replay->variant.at[SWITCH_MORPH];
    struct matrix m, last = matrix_identity;
    if (!blend(replay, instance_index, vertex, &m, &last))
        return false;
    for (int k = 0; k < 3; k++) {
        p[k] = (double)mesh->positions[vertex][k];
        n[k] = (double)mesh->normals[vertex][k];
    }
    if (rule != MORPH_NONE)
        morph(replay, instance, vertex, rule == MORPH_AFTER ? moved : p, rule == MORPH_AFTER ? turned : n);
    if (replay->variant.at[SWITCH_CONJUGATE]) { /* vertices, too, are in the other units or axes */
        turn(&replay->conjugate.there, p);
        turn(&replay->conjugate.there, n);
    }
    if (replay->variant.at[SWITCH_MESH_AXES]) {
        turn(&replay->mesh_axes.there, p);
        turn(&replay->mesh_axes.there, n);
    }
    for (int k = 0; k < 3; k++)
        position[k] = m.at[0][k] * p[0] + m.at[1][k] * p[1] + m.at[2][k] * p[2] + m.at[3][k] + moved[k];
    const unsigned palette = replay->variant.at[SWITCH_PALETTE];
    if (palette == MATRIX_DIVIDED || palette == MATRIX_POSITION_DIVIDED) {
        const double w = m.at[0][3] * p[0] + m.at[1][3] * p[1] + m.at[2][3] * p[2] + m.at[3][3];
        for (int k = 0; k < 3; k++)
            position[k] /= w;
    }
    if (palette == MATRIX_POSITION ||
        palette == MATRIX_POSITION_DIVIDED) /* back: the sum of transposed matrices is the sum's */
        m = matrix_transposed(&m);
    turn_normal(&replay->variant, replay->variant.at[SWITCH_NORMAL] == NORMAL_BY_LAST ? &last : &m, n, normal);
    for (int k = 0; k < 3; k++)
        normal[k] += turned[k];
    place(replay, instance, position, normal);
    return true;
}
