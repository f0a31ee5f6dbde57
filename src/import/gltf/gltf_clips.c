#include "import/gltf/gltf_repair.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "import/assimp/assimp_flags.h"
#include "import/gltf/gltf_keys.h"
#include "import/gltf/gltf_targets.h"
#include "import/import.h"

/* What was done to one clip, for one note each. */
struct tally {
    uint32_t cubic;       /* components that got their tangents */
    uint32_t step;        /* components that became STEP */
    uint32_t integers;    /* components whose times or values are integers */
    uint32_t morph_cubic; /* morph channels by what was wrong */
    uint32_t morph_step;
    uint32_t morph_negative;
    uint32_t morph_integers;
    uint32_t orphans;    /* components that held the keys of a channel that names no node */
    uint32_t rests;     /* components without keys of their own that were filled in wrongly */
    uint32_t bound;     /* channels bound to another node than the importer's */
    uint32_t unmatched; /* channels that cannot be told apart */
    uint32_t unread;    /* components that needed reading again, but could not be */
    struct error why;   /* of the first of them */
};

/* One clip under repair. */
struct work {
    const struct gltf_repair *repair;
    const json_t *animation;
    struct clip *clip;
    bool has_orphans; /* see gltf_targets */
    struct tally tally;
    bool times_changed;
};

static bool enabled(const struct work *work, uint32_t which)
{
    return (work->repair->repairs & which) != 0;
}

static void give_up(struct work *work, const struct error *why)
{
    if (work->tally.unread++ == 0)
        work->tally.why = *why;
}

/* ---- components of a transform ----------------------------------------------------------------------------------- */

/* The interpolation the component shall have: the file's, or with the repair off what the importer made of
 * it. */
static enum interpolation wanted_interpolation(const struct work *work, const struct gltf_sampler *sampler,
                                               const struct keys *keys)
{
    return enabled(work, REPAIR_GLTF_INTERPOLATION) ? sampler->interpolation : keys->interpolation;
}

/*
 * Whether the keys have to be read again. STEP always: a key a rounding error late is the step before it, and
 * Assimp rounds times to float milliseconds. CUBICSPLINE only where the tangents were lost, for its curve is
 * continuous.
 */
static bool needs_reading(const struct work *work, const struct gltf_sampler *sampler,
                          const struct keys *keys)
{
    if (enabled(work, REPAIR_GLTF_INTEGERS) && gltf_sampler_is_integer(sampler))
        return true;
    if (!enabled(work, REPAIR_GLTF_INTERPOLATION))
        return false;
    return sampler->interpolation == INTERPOLATE_STEP || sampler->interpolation != keys->interpolation;
}

/* Whether the keys are another channel's, one that names no node. */
static bool holds_orphan(const struct work *work, const struct gltf_sampler *sampler, const struct keys *keys,
                        uint32_t width)
{
    return work->has_orphans && enabled(work, GLTF_REPAIR_ORPHANS) &&
           !gltf_keys_agree(work->repair->file, sampler, keys, width, false, false);
}

static void fix_component(struct work *work, int32_t sampler_index, enum component component,
                           struct keys *keys)
{
    struct error why = {0};
    struct gltf_sampler sampler;
    if (!gltf_sampler_find(work->repair->file, work->animation, sampler_index, &sampler, &why)) {
        give_up(work, &why);
        return;
    }
    uint32_t width = component_width(component);
    bool orphan = holds_orphan(work, &sampler, keys, width);
    if (!orphan && !needs_reading(work, &sampler, keys))
        return;
    enum interpolation as = wanted_interpolation(work, &sampler, keys);
    bool lost = as != keys->interpolation;
    if (!gltf_keys_read(work->repair->file, &sampler, as, &width, work->repair->scene->arena, keys, &why)) {
        give_up(work, &why);
        return;
    }
    work->times_changed = true;
    work->tally.orphans += orphan;
    work->tally.integers += gltf_sampler_is_integer(&sampler);
    work->tally.step += as == INTERPOLATE_STEP && enabled(work, REPAIR_GLTF_INTERPOLATION);
    work->tally.cubic += as == INTERPOLATE_CUBIC && lost;
}

static bool same_value(const float *a, const float *b, enum component component)
{
    float same = 0;
    float opposite = 0; /* a quaternion and its negative are one rotation */
    for (uint32_t i = 0; i < component_width(component); i++) {
        float scale = 1 + fabsf(a[i]);
        same = fmaxf(same, fabsf(a[i] - b[i]) / scale);
        opposite = fmaxf(opposite, fabsf(a[i] + b[i]) / scale);
    }
    return same <= 1e-5f || (component == COMPONENT_ROTATION && opposite <= 1e-5f);
}

/*
 * A component that the file does not move. Assimp fills in one key, which shall be the node's own value; more
 * keys are an orphan channel's.
 */
static void fix_rest(struct work *work, int32_t node, enum component component, struct keys *keys)
{
    struct arena *arena = work->repair->scene->arena;
    float value[4];
    if (keys->count == 0 || !gltf_node_value(work->repair->file, node, component, value))
        return;
    bool orphan = keys->count > 1 && work->has_orphans;
    if (!orphan && (keys->count > 1 || same_value(value, keys->values, component)))
        return;
    if (!enabled(work, orphan ? GLTF_REPAIR_ORPHANS : GLTF_REPAIR_RESTS))
        return;
    float *values = ARENA_NEW(arena, float, 4);
    memcpy(values, value, sizeof value);
    *keys = (struct keys){1, ARENA_NEW(arena, double, 1), values, INTERPOLATE_LINEAR};
    work->tally.orphans += orphan;
    work->tally.rests += !orphan;
    work->times_changed = true;
}

/* Keys of a channel that the file does not have. */
static void drop_orphans(struct work *work, struct channel *channel)
{
    for (int k = 0; k < COMPONENT_COUNT && enabled(work, GLTF_REPAIR_ORPHANS); k++) {
        if (channel->keys[k].count <= 1)
            continue;
        channel->keys[k].count = 0;
        work->tally.orphans++;
        work->times_changed = true;
    }
}

/* ---- morph weights ----------------------------------------------------------------------------------------------- */

/* Counts what is wrong with a morph channel among what may be repaired; false when nothing is. */
static bool count_morph_faults(struct work *work, const struct gltf_sampler *sampler, struct tally *faults)
{
    bool morph = enabled(work, REPAIR_GLTF_MORPH);
    faults->morph_cubic = morph && sampler->interpolation == INTERPOLATE_CUBIC;
    faults->morph_step =
        (morph || enabled(work, REPAIR_GLTF_INTERPOLATION)) && sampler->interpolation == INTERPOLATE_STEP;
    faults->morph_integers =
        (morph || enabled(work, REPAIR_GLTF_INTEGERS)) && gltf_sampler_is_integer(sampler);
    faults->morph_negative = morph && gltf_sampler_has_negative(work->repair->file, sampler);
    return faults->morph_cubic || faults->morph_step || faults->morph_integers || faults->morph_negative;
}

static bool read_morph(struct work *work, const struct gltf_sampler *sampler, struct morph_channel *morph,
                       struct error *why)
{
    bool as_stored = enabled(work, REPAIR_GLTF_MORPH) || sampler->interpolation != INTERPOLATE_CUBIC;
    enum interpolation as = as_stored ? sampler->interpolation : INTERPOLATE_LINEAR;
    struct keys keys;
    uint32_t width = 0;
    if (!gltf_keys_read(work->repair->file, sampler, as, &width, work->repair->scene->arena, &keys, why))
        return false;
    if (morph->target_count != 0 && width != morph->target_count)
        return error_set(why, "node \"%s\" has %u morph targets, but %u weights a key", morph->node_name,
                         (unsigned)morph->target_count, (unsigned)width);
    morph->target_count = width;
    morph->keys = keys;
    return true;
}

static void fix_morph(struct work *work, int32_t sampler_index, struct morph_channel *morph)
{
    struct error why = {0};
    struct gltf_sampler sampler;
    struct tally faults = {0};
    if (!gltf_sampler_find(work->repair->file, work->animation, sampler_index, &sampler, &why)) {
        give_up(work, &why);
        return;
    }
    if (!count_morph_faults(work, &sampler, &faults))
        return;
    if (!read_morph(work, &sampler, morph, &why)) {
        give_up(work, &why);
        return;
    }
    work->times_changed = true;
    work->tally.morph_cubic += faults.morph_cubic;
    work->tally.morph_step += faults.morph_step;
    work->tally.morph_integers += faults.morph_integers;
    work->tally.morph_negative += faults.morph_negative;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* The scene node of a file node; NO_INDEX when it is not in the scene, or not known. */
static int32_t scene_node(const struct gltf_repair *repair, int32_t file_node)
{
    return repair->map && file_node >= 0 && (uint32_t)file_node < repair->map->file_node_count
               ? repair->map->scene_node[file_node]
               : NO_INDEX;
}

/* The importer binds by name, and the name may be another node's too. */
static void bind(struct work *work, const struct gltf_target *target, int32_t *node)
{
    int32_t right = scene_node(work->repair, target->node);
    if (!enabled(work, REPAIR_NAME_CLASH) || right == NO_INDEX || right == *node)
        return;
    *node = right;
    work->tally.bound++;
}

/* ---- a clip ------------------------------------------------------------------------------------------------------ */

static void fix_target(struct work *work, const struct gltf_target *target)
{
    bool moves = false;
    struct channel *channel = target->channel == GLTF_NONE ? NULL : &work->clip->channels[target->channel];
    for (int k = 0; k < COMPONENT_COUNT; k++) {
        bool moved = target->samplers[k] != GLTF_NONE;
        moves = moves || moved;
        if (moved && channel)
            fix_component(work, target->samplers[k], (enum component)k, &channel->keys[k]);
        else if (channel)
            fix_rest(work, target->node, (enum component)k, &channel->keys[k]);
    }
    if (channel)
        bind(work, target, &channel->node);
    else
        work->tally.unmatched += moves;
    if (target->morph != GLTF_NONE) {
        struct morph_channel *morph = &work->clip->morphs[target->morph];
        bind(work, target, &morph->node);
        fix_morph(work, target->samplers[GLTF_WEIGHTS], morph);
    }
}

static double last_time(const struct keys *keys, double so_far)
{
    for (uint32_t i = 0; i < keys->count; i++)
        so_far = keys->times[i] > so_far ? keys->times[i] : so_far;
    return so_far;
}

/* A clip ends with its last key, which a rounding error must not leave outside. */
static void measure(struct clip *clip)
{
    double end = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int k = 0; k < COMPONENT_COUNT; k++)
            end = last_time(&clip->channels[i].keys[k], end);
    for (uint32_t i = 0; i < clip->morph_count; i++)
        end = last_time(&clip->morphs[i].keys, end);
    clip->duration = end;
}

/* ", 3 CUBICSPLINE" and so on, for those that are not 0. */
static void add_count(struct text *text, uint32_t count, const char *what)
{
    if (count > 0)
        text_addf(text, "%s%u %s", text->size ? ", " : "", (unsigned)count, what);
}

static void note(const struct work *work, const char *id, const char *what, struct text *counts)
{
    if (counts->size > 0)
        scene_note(work->repair->scene, NOTE_REPAIR, id, "clip \"%s\": %s: %s", work->clip->name, what,
                   text_string(counts));
    text_release(counts);
}

static void report(const struct work *work)
{
    const struct tally *tally = &work->tally;
    struct scene *scene = work->repair->scene;
    struct text counts = {0};
    add_count(&counts, tally->cubic, "CUBICSPLINE");
    add_count(&counts, tally->step, "STEP");
    note(work, "gltf-interpolation", "interpolation of components taken from the file", &counts);
    add_count(&counts, tally->rests, tally->rests == 1 ? "component" : "components");
    note(work, "gltf-interpolation", "rest value taken from the node, where Assimp mixes up a mirror",
         &counts);
    add_count(&counts, tally->integers, tally->integers == 1 ? "component" : "components");
    note(work, "gltf-integers", "keys stored as integers read from the file", &counts);
    add_count(&counts, tally->morph_cubic, "CUBICSPLINE");
    add_count(&counts, tally->morph_step, "STEP");
    add_count(&counts, tally->morph_integers, "stored as integers");
    add_count(&counts, tally->morph_negative, "with negative weights");
    note(work, enabled(work, REPAIR_GLTF_MORPH) ? "gltf-morph" : "gltf-interpolation",
         "morph channels read from the file", &counts);
    add_count(&counts, tally->bound, tally->bound == 1 ? "channel" : "channels");
    note(work, "name-clash", "bound to the node that the file names by index", &counts);
    add_count(&counts, tally->orphans, tally->orphans == 1 ? "component" : "components");
    note(work, "name-clash", "keys of channels that name no node taken off", &counts);
    if (tally->unread > 0)
        scene_note(scene, NOTE_WARNING, GLTF_UNREAD,
                   "clip \"%s\": %u components could not be read from the file again: %s", work->clip->name,
                   (unsigned)tally->unread, tally->why.text);
    if (tally->unmatched > 0 && !(work->repair->effects & CHANGES_KEYS)) /* which leaves one key of equal ones */
        scene_note(
            scene, NOTE_WARNING, GLTF_UNREAD,
            "clip \"%s\": %u nodes that the file moves have no channel of their own in what Assimp read",
            work->clip->name, (unsigned)tally->unmatched);
}

static void fix_clip(const struct gltf_repair *repair, uint32_t index)
{
    struct work work = {
        .repair = repair,
        .animation = gltf_item(repair->file, "animations", index),
        .clip = &repair->scene->clips[index],
    };
    struct gltf_targets targets;
    struct error why = {0};
    if (!gltf_targets_find(repair->file, work.animation, work.clip, &targets, &why)) {
        scene_note(repair->scene, NOTE_WARNING, GLTF_UNREAD, "clip \"%s\": %s", work.clip->name, why.text);
        gltf_targets_release(&targets);
        return;
    }
    work.has_orphans = targets.orphans > 0;
    for (size_t i = 0; i < targets.count; i++)
        fix_target(&work, &targets.items[i]);
    for (uint32_t i = 0; work.has_orphans && i < work.clip->channel_count; i++)
        if (targets.unclaimed[i])
            drop_orphans(&work, &work.clip->channels[i]);
    gltf_targets_release(&targets);
    if (work.times_changed)
        measure(work.clip);
    report(&work);
}

void gltf_fix_clips(const struct gltf_repair *repair)
{
    struct scene *scene = repair->scene;
    if (gltf_count(repair->file, "animations") != scene->clip_count) {
        scene_note(scene, NOTE_WARNING, GLTF_UNREAD, "the file has %zu animations, but Assimp read %u",
                   gltf_count(repair->file, "animations"), (unsigned)scene->clip_count);
        return;
    }
    for (uint32_t i = 0; i < scene->clip_count; i++)
        fix_clip(repair, i);
}
