/* A raw palette has neither names nor a layout: both are found. */
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "base/names.h"
#include "data/record/matching.h"
#include "foreign/foreign_files.h"

/* In which order a program may keep its matrices where it names none, the likelier first. */
enum order {
    ORDER_ALL,     /* the palette of `inspect` */
    ORDER_SKINNED, /* without rigid meshes */
    ORDER_FILE,    /* without bones that a repair added */
    ORDER_SCENE,   /* each bone once, where a mesh binds it first */
    ORDERS
};
static const char *const order_says[ORDERS] = {
    "the palette of inspect", "the palette of inspect without rigid meshes", "the bones of the file's meshes, in the order of inspect",
    "one list of bones for all meshes, in the order of inspect",
};

/* The bindings in that order. */
static uint32_t list_order(const struct scene *scene, enum order order, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->binding_count; i++) {
        const struct binding *binding = &scene->bindings[i];
        const struct instance *instance = &scene->instances[binding->instance];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        bool is_in = order == ORDER_ALL || mesh->bone_count > 0;
        if (order >= ORDER_FILE && is_in)
            is_in = !mesh->bones[i - instance->first_binding].follows_mesh_node;
        for (uint32_t k = 0; order == ORDER_SCENE && is_in && k < count; k++)
            is_in = scene->bindings[out[k]].node != binding->node;
        if (is_in)
            out[count++] = i;
    }
    return count;
}

/* A palette under one reading. */
struct reading {
    enum raw_layout layout;
    enum order order;      /* without names */
    uint32_t count;        /* matrices that mean something */
    uint32_t spare;        /* behind them, identities or zeros: an array of a shader that is longer than the palette */
    mat4 *matrices;
    bool *is_repeated;     /* [count] of names: there are more of its name */
    const int32_t *binding; /* [count] the first of the reference's entries that each is, or NO_INDEX */
    uint32_t broken;       /* without 0 0 0 1, or whose axes are far from orthogonal */
    double distance;       /* from the reference, over all numbers */
};

static bool is_spare(const mat4 matrix)
{
    bool is_zero = true, is_identity = true;
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 4; k++) {
            is_zero = is_zero && fabsf(matrix[c][k] - (c == 3 && k == 3 ? matrix[3][3] : 0.0f)) <= 0;
            is_identity = is_identity && fabsf(matrix[c][k] - mat4_identity[c][k]) <= 0;
        }
    return is_zero || is_identity;
}

/* False: that number of matrices is no list of this scene's bones. */
static bool find_order(const struct scene *scene, struct reading *reading, struct arena *arena)
{
    uint32_t *list = ARENA_NEW(arena, uint32_t, scene->binding_count);
    int32_t *binding = ARENA_NEW(arena, int32_t, scene->binding_count);
    uint32_t all = reading->count, used = all;
    while (used > 0 && is_spare(reading->matrices[used - 1]))
        used--;
    for (int exact = 1; exact >= 0; exact--)
        for (enum order order = ORDER_ALL; order < ORDERS; order++) {
            const uint32_t count = list_order(scene, order, list);
            if (count == 0 || (exact ? count != all : count > all || count < used))
                continue;
            for (uint32_t i = 0; i < count; i++)
                binding[i] = (int32_t)list[i];
            reading->order = order;
            reading->count = count;
            reading->spare = all - count;
            reading->binding = binding;
            return true;
        }
    return false;
}

static void judge(struct reading *reading, const struct pose_snapshot *reference)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        const vec4 *m = (const vec4 *)reading->matrices[i];
        bool is_broken = fabsf(m[0][3]) + fabsf(m[1][3]) + fabsf(m[2][3]) > 1e-4f || fabsf(m[3][3] - 1) > 1e-4f;
        for (int a = 0; a < 3; a++) {
            const float *x = m[a], *y = m[(a + 1) % 3];
            double dot = 0, xx = 0, yy = 0;
            for (int k = 0; k < 3; k++) {
                dot += (double)x[k] * (double)y[k];
                xx += (double)x[k] * (double)x[k];
                yy += (double)y[k] * (double)y[k];
            }
            is_broken = is_broken || !(fabs(dot) <= 1e-2 * sqrt(xx * yy) + 1e-30);
        }
        reading->broken += is_broken;
        for (int k = 0; k < 16 && reading->binding[i] != NO_INDEX; k++) {
            const double gap = (double)m[k / 4][k % 4] - (double)reference->palette[reading->binding[i]].mesh_to_scene[k / 4][k % 4];
            reading->distance += isfinite(gap) ? fmin(gap * gap, 1e30) : 1e30;
        }
    }
}

/* By the names of a file: the k-th of a name is the k-th entry of that bone, and one alone is that of all meshes. False with err set where none of them is a bone's. */
static bool find_names(const struct foreign *theirs, struct reading *reading, struct error *err)
{
    const struct pose_snapshot *reference = theirs->reference;
    int32_t *binding = ARENA_NEW(theirs->arena, int32_t, theirs->name_count);
    const char **bones = ARENA_NEW(theirs->arena, const char *, reference->palette_count);
    uint32_t known = 0;
    const struct match_list ours = palette_names(reference, theirs->arena);
    struct match_list names = match_list_create(theirs->name_count, theirs->arena);
    for (uint32_t k = 0; k < reference->palette_count; k++)
        bones[k] = reference->palette[k].bone;
    for (uint32_t i = 0; i < theirs->name_count; i++)
        names.keys[i].name = theirs->names[i];
    const struct matching matching = match_by_name(&ours, &names, MATCH_PREFER_CONTEXT, theirs->arena);
    const struct name_index index = name_index_create(&names, theirs->arena);
    reading->is_repeated = ARENA_NEW(theirs->arena, bool, theirs->name_count);
    for (uint32_t i = 0; i < theirs->name_count; i++) {
        binding[i] = matching.to_golden[i];
        reading->is_repeated[i] = name_find(&index, names.keys[i].name) != (int32_t)i ||
                                  name_find_after(&index, names.keys[i].name, i) != NO_INDEX;
        known += binding[i] != NO_INDEX;
    }
    reading->binding = binding;
    if (known > 0)
        return true;
    const char *near = name_nearest(theirs->names[0], bones, reference->palette_count);
    return error_set(err, "%s: none of the %u names is a bone of %s%s%s%s", theirs->source->bones, theirs->name_count,
                     reference->model, near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "; rigproof inspect lists them");
}

static bool read_as(const struct foreign *theirs, const struct scene *scene, enum raw_layout layout, struct reading *out,
                    struct error *err)
{
    *out = (struct reading){.layout = layout, .count = raw_palette_count(theirs->bytes.size, layout)};
    if (out->count == 0 || (theirs->names && out->count != theirs->name_count))
        return false;
    out->matrices = ARENA_NEW(theirs->arena, mat4, out->count);
    raw_palette_take(theirs->bytes.data, out->count, layout, out->matrices);
    if (theirs->names ? !find_names(theirs, out, err) : !find_order(scene, out, theirs->arena))
        return false;
    judge(out, theirs->reference);
    return true;
}

static bool refuse(const struct foreign *theirs, const struct scene *scene, struct error *err)
{
    uint32_t *list = ARENA_NEW(theirs->arena, uint32_t, scene->binding_count);
    const int layout = theirs->source->layout >= 0 ? theirs->source->layout
                       : raw_palette_count(theirs->bytes.size, RAW_COLUMNS) > 0 ? RAW_COLUMNS : RAW_ROWS3X4;
    const uint32_t count = raw_palette_count(theirs->bytes.size, layout);
    if (error_is_set(err))
        return false;
    if (theirs->names)
        return error_set(err, "%s has %u matrices, but %s has %u names", theirs->name, count, theirs->source->bones, theirs->name_count);
    return error_set(err, "%s has %u matrices; the palette of %s has %u entries, of %u bones: --bones FILE would name them",
                     theirs->name, count, theirs->reference->model, list_order(scene, ORDER_ALL, list),
                     list_order(scene, ORDER_SCENE, list));
}

static bool check_finite(const struct foreign *theirs, const struct reading *reading, struct error *err)
{
    for (uint32_t i = 0; i < reading->count; i++)
        for (int k = 0; k < 16; k++)
            if (!isfinite(reading->matrices[i][k / 4][k % 4]))
                return error_set(err, "%s: matrix %u (bone `%s`) is not finite: %s", theirs->name, i,
                                 theirs->names ? theirs->names[i] : theirs->reference->palette[reading->binding[i]].bone,
                                 isnan(reading->matrices[i][k / 4][k % 4]) ? "it holds a NaN" : "it holds an infinity");
    return true;
}

/* What had to be found out. */
static void tell(const struct foreign *theirs, const struct reading *reading)
{
    struct text unknown = {0};
    uint32_t count = 0;
    if (theirs->source->layout < 0)
        log_note("%s: --layout %s fits best", theirs->name, raw_layout_names[reading->layout]);
    if (!theirs->names && reading->order != ORDER_ALL)
        log_note("%s: %u matrices are %s", theirs->name, reading->count, order_says[reading->order]);
    if (reading->spare > 0)
        log_note("%s: %u more matrices are the identity or zero, and left out", theirs->name, reading->spare);
    for (uint32_t i = 0; theirs->names && i < reading->count; i++)
        if (reading->binding[i] == NO_INDEX && count++ < 3)
            text_addf(&unknown, "%s`%s`", unknown.size > 0 ? ", " : "", theirs->names[i]);
    if (count > 0)
        log_warning("%s: %u of %u names are no bones of the model, and left out: %s%s", theirs->source->bones, count,
                    theirs->name_count, text_string(&unknown), count > 3 ? ", ..." : "");
    text_release(&unknown);
}

struct pose_snapshot *raw_resolve(const struct foreign *theirs, const struct scene *scene, struct error *err)
{
    struct reading best = {0}, reading;
    const struct pose_snapshot *reference = theirs->reference;
    for (enum raw_layout layout = 0; layout < RAW_LAYOUTS && !error_is_set(err); layout++) {
        if (theirs->source->layout >= 0 && theirs->source->layout != (int)layout)
            continue;
        if (read_as(theirs, scene, layout, &reading, err) &&
            (!best.matrices || reading.broken < best.broken ||
             (reading.broken == best.broken && reading.distance < best.distance)))
            best = reading;
    }
    if (!best.matrices || error_is_set(err)) {
        refuse(theirs, scene, err);
        return NULL;
    }
    if (!check_finite(theirs, &best, err))
        return NULL;
    struct pose_snapshot *pose = ARENA_NEW(theirs->arena, struct pose_snapshot, 1);
    pose->left_out = POSE_STAGES & ~(unsigned)POSE_PALETTE;
    pose->lacks_clip = pose->lacks_time = pose->is_part = true;
    pose->palette = ARENA_NEW(theirs->arena, struct palette_snapshot, best.count);
    for (uint32_t i = 0; i < best.count; i++) {
        const int32_t k = best.binding[i];
        if (k == NO_INDEX)
            continue;
        struct palette_snapshot *entry = &pose->palette[pose->palette_count++];
        entry->bone = reference->palette[k].bone;
        entry->mesh = (best.is_repeated ? !best.is_repeated[i] : best.order == ORDER_SCENE) ? NULL : reference->palette[k].mesh;
        memcpy(entry->mesh_to_scene, best.matrices[i], sizeof(mat4));
    }
    tell(theirs, &best);
    return pose;
}
