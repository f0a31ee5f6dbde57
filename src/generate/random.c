/* Random legal rigs. */
#include "generate/random.h"

#include <math.h>
#include <string.h>

#include "data/vector.h"

const char *const rig_size_words[RIG_SIZES] = {"small", "medium", "large"};

/* The state is splitmix64's (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014). */
struct chance {
    uint64_t state;
    struct rig *rig;
    unsigned mix;
};

static uint64_t next(struct chance *c)
{
    uint64_t z = c->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* A whole number below `count`; a number between two, in steps of 1/1024; true one time of `of`. */
static uint32_t below(struct chance *c, uint32_t count)
{
    return (uint32_t)(next(c) % count);
}

static double between(struct chance *c, double low, double high)
{
    return low + (high - low) * below(c, 1025) / 1024;
}

static bool once_in(struct chance *c, uint32_t of)
{
    return below(c, of) == 0;
}

/* Three numbers, the last first: arguments of a call would be drawn in an order of the compiler's. */
static void draw_vector(struct chance *c, const double low[3], const double high[3], double out[3])
{
    for (int i = 3; i-- > 0;)
        out[i] = between(c, low[i], high[i]);
}

static bool has(struct chance *c, unsigned what, uint32_t once)
{
    const bool is = once_in(c, once); /* drawn in any case, so that a mix changes nothing else */
    return is && (c->mix & what);
}

static void turn_randomly(struct chance *c, uint32_t node)
{
    const double x = between(c, -1, 1), y = between(c, -1, 1), z = between(c, -1, 1);
    rig_turn(c->rig, node, x, y, z, between(c, 0.5, 2));
}

/* Bones hang on each other, mostly on the one before; some are no joints. */
static void add_bones(struct chance *c, uint32_t count)
{
    const uint32_t above = below(c, 3) + 1;
    for (uint32_t i = 0; i < above + count; i++) {
        const bool is_chain = i < above || !once_in(c, 3);
        const uint32_t parent = i == 0 ? 0 : is_chain ? i - 1 : above - 1 + below(c, i - above + 1);
        const char *name =
            has(c, RIG_MIX_NODES, 12) ? NULL : arena_printf(c->rig->arena, "%s%u", i < above ? "root" : "bone", i);
        rig_add_node(c->rig, name, i == 0 ? RIG_NONE : (int32_t)parent, 0, 0, 0);
        draw_vector(c, (const double[]){-0.5, 0.1, -0.5}, (const double[]){0.5, 1, 0.5},
                    c->rig->nodes[i].translation);
        turn_randomly(c, i);
        if (has(c, RIG_MIX_NODES, 8))
            draw_vector(c, (const double[]){0.75, 0.75, 0.75}, (const double[]){1.25, 1.25, 1.25},
                        c->rig->nodes[i].scale);
        if (has(c, RIG_MIX_NODES, 40))
            memcpy(c->rig->nodes[i].scale, (const double[]){-1, 1, 1}, sizeof c->rig->nodes[i].scale);
        c->rig->nodes[i].is_matrix = i < above && has(c, RIG_MIX_NODES, 4);
    }
    rig_add_skin(c->rig, above, count);
}

static void shuffle(struct chance *c, uint32_t *items, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t k = below(c, i), kept = items[k];
        items[k] = items[i - 1];
        items[i - 1] = kept;
    }
}

/* Each vertex on some of the joints with weights of any size. */
static void weigh(struct chance *c, struct rig_mesh *mesh, uint32_t joints)
{
    const uint32_t slots = 4 * mesh->sets;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        struct rig_vertex *vertex = &mesh->vertices[v];
        const uint32_t used = 1 + below(c, slots < joints ? slots : joints), first = below(c, joints);
        double sum = 0;
        for (uint32_t i = 0; i < RIG_INFLUENCES; i++) {
            vertex->joints[i] = i < used ? (first + i) % joints : 0;
            vertex->weights[i] = i < used ? between(c, 0.03125, 1) : 0;
            sum += vertex->weights[i];
        }
        for (uint32_t i = 0; i < used; i++)
            vertex->weights[i] /= sum;
    }
}

static void vary_mesh(struct chance *c, struct rig_mesh *mesh, uint32_t joints)
{
    static const enum rig_number weight_numbers[] = {RIG_FLOAT, RIG_U8, RIG_U16};
    mesh->sets = has(c, RIG_MIX_ATTRIBUTES, 3) ? 2 : 1;
    weigh(c, mesh, joints);
    if (has(c, RIG_MIX_ATTRIBUTES, 2))
        mesh->weight_number = weight_numbers[below(c, 3)];
    if (has(c, RIG_MIX_ATTRIBUTES, 2))
        mesh->joint_number = RIG_U16;
    mesh->is_interleaved = has(c, RIG_MIX_ATTRIBUTES, 4);
    mesh->is_sparse = !mesh->is_interleaved && has(c, RIG_MIX_ATTRIBUTES, 4);
    mesh->has_offsets = !mesh->is_interleaved && has(c, RIG_MIX_ATTRIBUTES, 4);
    mesh->index_number = has(c, RIG_MIX_ATTRIBUTES, 4) ? RIG_U32 : RIG_U16;
}

/* The bind pose is not always the rest pose, nor rigid. */
static void bind(struct chance *c, struct rig_skin *skin)
{
    if (has(c, RIG_MIX_SKINS, 2))
        shuffle(c, skin->joints, skin->joint_count);
    rig_bind(c->rig, skin);
    if (has(c, RIG_MIX_SKINS, 6))
        for (uint32_t i = 0; i < 12 * skin->joint_count; i++)
            skin->inverse_bind[i / 12].column[i / 3 % 4][i % 3] *= i % 3 == 1 ? 1.25 : 0.9375;
    if (has(c, RIG_MIX_SKINS, 3))
        skin->skeleton = 0;
}

static void add_tubes(struct chance *c)
{
    struct rig *rig = c->rig;
    const uint32_t tubes = 1 + has(c, RIG_MIX_SKINS, 3), joints = rig->skins[0].joint_count,
                   first = rig->skins[0].joints[0];
    for (uint32_t i = 0; i < tubes; i++) {
        if (i > 0)
            rig_add_skin(rig, first + joints / 2, joints - joints / 2);
        bind(c, &rig->skins[i]);
        const uint32_t node = rig_add_tube(rig, i > 0 ? "coat" : "body", i, RIG_NONE);
        vary_mesh(c, &rig->meshes[i], rig->skins[i].joint_count);
        if (has(c, RIG_MIX_SKINS, 4))
            turn_randomly(c, node);
        if (has(c, RIG_MIX_MORPHS, 3)) {
            const bool has_normals = once_in(c, 2); /* drawn first, whatever the compiler */
            rig_add_targets(rig, i, 1 + below(c, 5), has_normals);
            rig->meshes[i].weight_count = rig->meshes[i].target_count;
            for (uint32_t t = 0; t < rig->meshes[i].target_count; t++)
                rig->meshes[i].weights[t] = between(c, 0, 1);
        }
    }
    for (uint32_t i = 0; has(c, RIG_MIX_SKINS, 3) && i < first + joints; i++) /* the rest pose becomes another one */
        if (once_in(c, 2))
            turn_randomly(c, i);
}

/* Random values of a path; tangents are small, so that a rotation never passes through zero. */
static double random_value(struct chance *c, enum rig_path path, uint32_t i, bool is_tangent)
{
    if (is_tangent)
        return between(c, -0.25, 0.25);
    if (path == RIG_ROTATION)
        return i == 3 ? between(c, 0.5, 2) : between(c, -1, 1);
    return path == RIG_SCALE     ? between(c, 0.75, 1.25)
           : path == RIG_WEIGHTS ? between(c, 0, 1)
                                 : between(c, -0.5, 1);
}

static void add_random_channel(struct chance *c, uint32_t clip, uint32_t node, enum rig_path path, uint32_t width)
{
    enum { MOST_KEYS = 6 };
    const enum rig_curve curve = has(c, RIG_MIX_SAMPLERS, 2) ? (enum rig_curve)below(c, 3) : RIG_LINEAR;
    const uint32_t least = curve == RIG_CUBIC ? 2 : 1, keys = least + below(c, MOST_KEYS - least + 1);
    const uint32_t parts = curve == RIG_CUBIC ? 3 : 1;
    double times[MOST_KEYS], values[MOST_KEYS * 3 * RIG_TARGETS],
        time = has(c, RIG_MIX_SAMPLERS, 4) ? between(c, 0, 0.5) : 0;
    double *value = values;
    for (uint32_t k = 0; k < keys; k++) {
        times[k] = time;
        time += between(c, 0.0625, 0.5);
        for (uint32_t part = 0; part < parts; part++, value += width) {
            for (uint32_t i = 0; i < width; i++)
                value[i] = random_value(c, path, i, parts == 3 && part != 1);
            if (path == RIG_ROTATION && (parts == 1 || part == 1))
                quatd_normalise(value);
            for (uint32_t i = 0; path == RIG_ROTATION && parts == 1 && once_in(c, 4) && i < width; i++)
                value[i] = -value[i];
        }
    }
    struct rig_channel *channel = rig_add_channel(c->rig, clip, (int32_t)node, path, curve, keys, times, values, width);
    channel->is_sparse = keys > 1 && curve != RIG_CUBIC && path != RIG_WEIGHTS && has(c, RIG_MIX_SAMPLERS, 12);
}

/* A clip of glTF has a channel at least, and a node with a matrix may have none: the first joint gives its matrix up
 * where all have one. */
static void keep_one_movable(struct rig *rig)
{
    int32_t first = -1;
    for (uint32_t i = rig->node_count; i-- > 0;) {
        if (rig->nodes[i].skin < 0 && !rig->nodes[i].is_matrix)
            return;
        first = rig->nodes[i].skin < 0 ? (int32_t)i : first;
    }
    if (first >= 0)
        rig->nodes[first].is_matrix = false;
}

static void add_random_clip(struct chance *c, const char *name)
{
    struct rig *rig = c->rig;
    const uint32_t first_channel = rig->channel_count;
    keep_one_movable(rig);
    const uint32_t clip = rig_add_clip(rig, name);
    for (uint32_t i = 0; i < rig->node_count; i++) {
        if (rig->nodes[i].is_matrix || rig->nodes[i].skin >= 0)
            continue;
        if (!once_in(c, 4) || i == 0)
            add_random_channel(c, clip, i, RIG_ROTATION, 4);
        if (once_in(c, 4) || i == 0)
            add_random_channel(c, clip, i, RIG_TRANSLATION, 3);
        if (has(c, RIG_MIX_CHANNELS, 6))
            add_random_channel(c, clip, i, RIG_SCALE, 3);
    }
    for (uint32_t i = 0; i < rig->node_count; i++)
        if (rig->nodes[i].skin >= 0 && rig->meshes[rig->nodes[i].mesh].target_count > 0 && once_in(c, 2))
            add_random_channel(c, clip, i, RIG_WEIGHTS, rig->meshes[rig->nodes[i].mesh].target_count);
    for (uint32_t i = 0; i < rig->node_count && rig->channel_count == first_channel; i++)
        if (!rig->nodes[i].is_matrix && rig->nodes[i].skin < 0)
            add_random_channel(c, clip, i, RIG_ROTATION, 4);
}

/* Varies how numbers are stored. Bytes are too coarse for keys of rotations, which must be of unit length. */
static void vary_numbers(struct chance *c)
{
    static const enum rig_number numbers[] = {RIG_I16, RIG_I8};
    struct rig *rig = c->rig;
    for (uint32_t i = 0; i < rig->node_count; i++) {
        const enum rig_number number = numbers[below(c, 2)];
        const bool is_quantised = has(c, RIG_MIX_ATTRIBUTES, 4), is_sparse = has(c, RIG_MIX_MORPHS, 3);
        if (rig->nodes[i].skin >= 0 && is_quantised)
            rig_quantise(rig, i, number);
        if (rig->nodes[i].skin >= 0 && rig->meshes[rig->nodes[i].mesh].target_count > 0)
            rig->meshes[rig->nodes[i].mesh].has_sparse_targets = is_sparse;
    }
    for (uint32_t i = 0; i < rig->channel_count; i++) {
        struct rig_channel *channel = &rig->channels[i];
        const enum rig_number number = numbers[channel->path == RIG_WEIGHTS ? below(c, 2) : 0];
        if (has(c, RIG_MIX_SAMPLERS, 6) && (channel->path == RIG_ROTATION || channel->path == RIG_WEIGHTS))
            channel->number = number;
    }
}

/* The time of the last key of the shown clip, at least a quarter of a second. */
static double duration_of(const struct rig *rig)
{
    double last = 0.25;
    for (uint32_t i = 0; i < rig->channel_count; i++)
        if ((int32_t)rig->channels[i].clip == rig->shown_clip)
            last = fmax(last, rig->channels[i].times[rig->channels[i].key_count - 1]);
    return last;
}

void rig_random(const char *name, uint64_t seed, uint32_t number, enum rig_size size, unsigned mix, struct arena *arena,
                struct rig *out)
{
    static const uint32_t least[RIG_SIZES] = {2, 8, 40}, most[RIG_SIZES] = {6, 30, 120};
    struct chance c = {seed * 0x2545F4914F6CDD1Du + number, out, mix};
    next(&c);
    rig_begin(out, name, arena);
    add_bones(&c, least[size] + below(&c, most[size] - least[size] + 1));
    add_tubes(&c);
    uint32_t *places = ARENA_NEW(arena, uint32_t, out->node_count);
    for (uint32_t i = 0; i < out->node_count; i++)
        places[i] = i;
    if (has(&c, RIG_MIX_NODES, 2))
        shuffle(&c, places, out->node_count);
    for (uint32_t i = 0; i < out->node_count; i++)
        out->nodes[i].place = places[i];
    add_random_clip(&c, "move");
    if (has(&c, RIG_MIX_SAMPLERS, 3)) {
        add_random_clip(&c, "other");
        out->shown_clip = (int32_t)below(&c, 2);
    }
    vary_numbers(&c);
    rig_settle(out);
    const double end = duration_of(out);
    rig_set_times(out, 5, (const double[]){0, floor(0.21 * end * 1024) / 1024, floor(0.5 * end * 1024) / 1024,
                                          floor(0.83 * end * 1024) / 1024, floor(0.97 * end * 1024) / 1024});
}
