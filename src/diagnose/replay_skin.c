/*
 * Skinned vertices by a way (palette/skin.h has the right one).
 */
#include <math.h>
#include <string.h>

#include "data/vector.h"
#include "diagnose/replay.h"

enum { INFLUENCES_MOST = 64 };

struct influences {
    uint32_t count;
    uint32_t bones[INFLUENCES_MOST];
    double weights[INFLUENCES_MOST];
};

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

/* By bone: the order in which an importer hands weights over, bone after bone. */
static void sort_by_bone(struct influences *in, bool with_weights)
{
    for (uint32_t i = 1; i < in->count; i++)
        for (uint32_t k = i; k > 0 && in->bones[k - 1] > in->bones[k]; k--) {
            uint32_t bone = in->bones[k];
            double weight = in->weights[k];
            in->bones[k] = in->bones[k - 1];
            in->bones[k - 1] = bone;
            if (with_weights) {
                in->weights[k] = in->weights[k - 1];
                in->weights[k - 1] = weight;
            }
        }
}

static void cut_to(struct influences *in, uint32_t most)
{
    in->count = in->count < most ? in->count : most;
}

/* As floats: in double 0.1f is more than 0.1. */
static void drop_small(struct influences *in, float limit)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < in->count; i++)
        if ((float)in->weights[i] > limit) {
            in->bones[kept] = in->bones[i];
            in->weights[kept++] = in->weights[i];
        }
    in->count = kept;
}

static void use_weights_wrongly(const struct way *way, struct influences *in, uint32_t limit, double all)
{
    double number = way->number[SWITCH_WEIGHTS];
    unsigned rule = way->at[SWITCH_WEIGHTS];
    switch (rule) {
    case WEIGHTS_FIRST_FOUR:
    case WEIGHTS_FIRST_FOUR_RESCALED:
        sort_by_bone(in, true);
        cut_to(in, 4);
        break;
    case WEIGHTS_SMALL:
    case WEIGHTS_SMALL_RESCALED:
        drop_small(in, (float)number);
        sort_by_bone(in, true);
        cut_to(in, 4);
        break;
    case WEIGHTS_NOT_RESCALED:
        cut_to(in, limit > 0 ? limit : 4);
        break;
    case WEIGHTS_BONES_MOST:
    case WEIGHTS_BONES_MOST_RESCALED:
        cut_to(in, limit > 0 ? limit : in->count);
        sort_by_bone(in, true);
        cut_to(in, (uint32_t)number);
        break;
    case WEIGHTS_MOST:
    case WEIGHTS_MOST_RESCALED:
        cut_to(in, (uint32_t)number);
        break;
    default:
        break;
    }
    if (rule == WEIGHTS_FIRST_FOUR_RESCALED || rule == WEIGHTS_SMALL_RESCALED || rule == WEIGHTS_MOST_RESCALED ||
        rule == WEIGHTS_BONES_MOST_RESCALED)
        scale_to(in, all);
}

/* Weights go to other slots than their ids. An empty slot has bone 0. */
static void shuffle(struct influences *in, unsigned rule, unsigned slots)
{
    double was[INFLUENCES_MOST];
    if (slots & SLOTS_BY_BONE)
        sort_by_bone(in, true);
    while (slots & SLOTS_FOUR && in->count < 4) {
        in->bones[in->count] = 0;
        in->weights[in->count++] = 0;
    }
    memcpy(was, in->weights, sizeof was);
    uint32_t n = in->count;
    for (uint32_t i = 0; i < n; i++)
        in->weights[i] = was[rule == WEIGHTS_REVERSED      ? n - 1 - i
                             : rule == WEIGHTS_TURNED      ? (i + 1) % n
                             : rule == WEIGHTS_TURNED_BACK ? (i + n - 1) % n
                             : n > 1 && i < 2              ? 1 - i
                                                           : i];
}

/* Bytes hold multiples of 1/255. Computed as floats, as engines do: 0.7f * 255 is 178.5 there, and less in double. */
static void weights_to_bytes(unsigned rule, struct influences *in)
{
    bool is_cut = rule == BYTES_CUT || rule == BYTES_CUT_RESCALED || rule == BYTES_CUT_TIMES_255;
    double was = sum_of(in), unit = rule >= BYTES_TIMES_255 ? 1 : 255;
    for (uint32_t i = 0; i < in->count; i++) {
        float bytes = (float)in->weights[i] * 255;
        bytes = rule == BYTES_TIMES_255 ? bytes : floorf(bytes + (is_cut ? 0 : 0.5f));
        in->weights[i] = (double)bytes / unit;
    }
    if (rule == BYTES_ROUNDED_RESCALED || rule == BYTES_CUT_RESCALED)
        scale_to(in, was);
}

/* `slot` of those that are used, SLOTS_LAST the last of them. */
static void leave_out(struct influences *in, uint32_t slot)
{
    if (slot >= SLOTS_BUT_ONE && in->count < 2)
        return;
    if (slot % SLOTS_BUT_ONE >= SLOTS_OF_BONES)
        sort_by_bone(in, true);
    slot %= SLOTS_OF_BONES;
    slot = slot == SLOTS_LAST ? in->count - 1 : slot;
    for (uint32_t i = slot + 1; i < in->count; i++) {
        in->bones[i - 1] = in->bones[i];
        in->weights[i - 1] = in->weights[i];
    }
    in->count -= in->count > 0 && slot < in->count;
}

static void change_weights(const struct way *way, struct influences *in)
{
    unsigned rule = way->at[SWITCH_WEIGHTS];
    double was = sum_of(in);
    if (rule == WEIGHTS_DIVIDED)
        scale_to(in, 1);
    for (uint32_t i = 0; i < in->count && rule == WEIGHTS_SAME; i++)
        in->weights[i] = was / in->count;
    if (rule == WEIGHTS_BY_ID)
        sort_by_bone(in, false);
    if (rule == WEIGHTS_WITHOUT || rule == WEIGHTS_WITHOUT_RESCALED)
        leave_out(in, (uint32_t)way->number[SWITCH_WEIGHTS]);
    if (rule == WEIGHTS_WITHOUT_RESCALED)
        scale_to(in, was);
    if (rule >= WEIGHTS_REVERSED && rule <= WEIGHTS_SWAPPED)
        shuffle(in, rule, (unsigned)way->number[SWITCH_WEIGHTS]);
    if (way->at[SWITCH_BYTES])
        weights_to_bytes(way->at[SWITCH_BYTES], in);
}

static bool influences_of(const struct replay *replay, const struct mesh *mesh, uint32_t vertex, struct influences *in)
{
    const struct way *way = &replay->way;
    struct influences out = {0};
    if (way->at[SWITCH_IDS] == IDS_NEIGHBOUR) {
        int64_t other = (int64_t)vertex + (int64_t)way->number[SWITCH_IDS];
        if (other < 0 || other >= mesh->vertex_count)
            return false;
        vertex = (uint32_t)other;
    }
    for (uint32_t i = mesh->influence_first[vertex]; i < mesh->influence_first[vertex + 1]; i++)
        if (out.count < INFLUENCES_MOST) {
            out.bones[out.count] = mesh->influences[i].bone;
            out.weights[out.count++] = (double)mesh->influences[i].weight;
        }
    uint32_t limit = replay->input->influences;
    double all = sum_of(&out);
    if (replay->input->sums_to_one && all > 0) {
        if (!way->at[SWITCH_SUMS])
            scale_to(&out, 1);
        all = 1;
    }
    if (way->at[SWITCH_WEIGHTS])
        use_weights_wrongly(way, &out, limit, all);
    if (limit > 0 && out.count > limit) {
        all = sum_of(&out);
        cut_to(&out, limit);
        scale_to(&out, all);
    }
    change_weights(way, &out);
    for (uint32_t i = 0; i < out.count && way->at[SWITCH_IDS] == IDS_ZERO; i++)
        out.bones[i] = 0;
    *in = out;
    return true;
}

/* `last`: the entry of its last bone. */
static bool blend(struct replay *replay, uint32_t instance_index, uint32_t vertex, struct matrix *out, struct matrix *last)
{
    const struct instance *instance = &replay->scene->instances[instance_index];
    const struct mesh *mesh = &replay->scene->meshes[instance->mesh];
    if (replay->way.at[SWITCH_IDS] == IDS_NONE) {
        *out = matrix_identity;
        return true;
    }
    *last = matrix_identity;
    if (mesh->bone_count == 0) {
        const bool is_there = replay_entry(replay, instance->first_binding, out);
        *last = is_there ? *out : *last;
        return is_there;
    }
    struct influences in;
    if (!influences_of(replay, mesh, vertex, &in))
        return false;
    *out = (struct matrix){{{0}}};
    for (uint32_t i = 0; i < in.count; i++) {
        struct matrix entry;
        unsigned ids = in.bones[i] > 0 ? replay->way.at[SWITCH_IDS] : 0;
        if (ids == IDS_BUT_ZERO_RAW) {
            *out = matrix_identity;
            return true;
        }
        if (ids == IDS_BUT_ZERO_DROPPED)
            continue;
        uint32_t binding = replay->way.at[SWITCH_IDS] == IDS_SCENE_ZERO ? 0 : instance->first_binding + in.bones[i];
        if (replay->way.at[SWITCH_CUT] == CUT_RAW && replay->ids[binding] >= replay->way.number[SWITCH_CUT]) {
            *out = matrix_identity;
            return true;
        }
        if (!replay_entry(replay, binding, &entry))
            return false;
        *last = entry;
        for (int k = 0; k < 16; k++)
            out->at[k / 4][k % 4] += in.weights[i] * entry.at[k / 4][k % 4];
    }
    return true;
}

static void turn_normal(const struct way *way, const struct matrix *m, const double normal[3], double out[3])
{
    double sign = matrix_determinant(m) < 0 ? -1 : 1, length;
    unsigned rule = way->at[SWITCH_NORMAL];
    double cofactors[3][3];
    for (int i = 0; i < 3; i++)
        vec3d_cross(m->at[(i + 1) % 3], m->at[(i + 2) % 3], cofactors[i]);
    for (int k = 0; k < 3; k++) {
        out[k] = 0;
        for (int i = 0; i < 3; i++)
            out[k] += (rule == NORMAL_BY_POSITION || rule == NORMAL_BY_LAST ? m->at[i][k] : sign * cofactors[i][k]) * normal[i];
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

bool replay_vertex(struct replay *replay, uint32_t instance_index, uint32_t vertex, double position[3],
                   double normal[3])
{
    const struct instance *instance = &replay->scene->instances[instance_index];
    const struct mesh *mesh = &replay->scene->meshes[instance->mesh];
    double p[3], n[3], moved[3] = {0}, turned[3] = {0};
    unsigned rule = replay->way.at[SWITCH_MORPH];
    struct matrix m, last = matrix_identity;
    if (!blend(replay, instance_index, vertex, &m, &last))
        return false;
    for (int k = 0; k < 3; k++) {
        p[k] = (double)mesh->positions[vertex][k];
        n[k] = (double)mesh->normals[vertex][k];
    }
    if (rule != MORPH_NONE)
        morph(replay, instance, vertex, rule == MORPH_AFTER ? moved : p, rule == MORPH_AFTER ? turned : n);
    if (replay->way.at[SWITCH_CONJUGATE]) { /* vertices, too, are in the other units or axes */
        turn(&replay->conjugate, p);
        turn(&replay->conjugate, n);
    }
    for (int k = 0; k < 3; k++)
        position[k] = m.at[0][k] * p[0] + m.at[1][k] * p[1] + m.at[2][k] * p[2] + m.at[3][k] + moved[k];
    const unsigned palette = replay->way.at[SWITCH_PALETTE];
    if (palette == MATRIX_DIVIDED || palette == MATRIX_POSITION_DIVIDED) {
        const double w = m.at[0][3] * p[0] + m.at[1][3] * p[1] + m.at[2][3] * p[2] + m.at[3][3];
        for (int k = 0; k < 3; k++)
            position[k] /= w;
    }
    if (palette == MATRIX_POSITION || palette == MATRIX_POSITION_DIVIDED) /* back: the sum of transposed matrices is the sum's */
        m = matrix_transposed(&m);
    turn_normal(&replay->way, replay->way.at[SWITCH_NORMAL] == NORMAL_BY_LAST ? &last : &m, n, normal);
    for (int k = 0; k < 3; k++)
        normal[k] += turned[k];
    return true;
}
