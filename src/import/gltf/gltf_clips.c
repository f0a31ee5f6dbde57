#include "import/gltf/gltf_repair.h"

#include <math.h>
#include <string.h>

/* The corrections of a clip, by their notes; those of the same `what` stand together in one. */
enum fix {
    CUBIC,
    STEP,
    TIMES,
    RESTS,
    INTEGERS,
    MORPH_CUBIC,
    MORPH_STEP,
    MORPH_INTEGERS,
    MORPH_NEGATIVE,
    BOUND,
    ORPHANS,
    FIXES
};

static const char interpolated[] = "interpolation of components taken from the file";
static const char morphs[] = "morph channels read from the file";

static const struct {
    const char *id, *what;
    const char *one, *many;
} fixes[FIXES] = {
    [CUBIC] = {"gltf-interpolation", interpolated, "CUBICSPLINE", "CUBICSPLINE"},
    [STEP] = {"gltf-interpolation", interpolated, "STEP", "STEP"},
    [TIMES] = {"gltf-interpolation", "key times that Assimp rounds to float milliseconds read from the file",
               "component", "components"},
    [RESTS] = {"gltf-interpolation", "rest value taken from the node, where Assimp mixes up a mirror", "component",
               "components"},
    [INTEGERS] = {"gltf-integers", "keys stored as integers read from the file", "component", "components"},
    [MORPH_CUBIC] = {"gltf-morph", morphs, "CUBICSPLINE", "CUBICSPLINE"},
    [MORPH_STEP] = {"gltf-morph", morphs, "STEP", "STEP"},
    [MORPH_INTEGERS] = {"gltf-morph", morphs, "stored as integers", "stored as integers"},
    [MORPH_NEGATIVE] = {"gltf-morph", morphs, "with negative weights", "with negative weights"},
    [BOUND] = {"name-clash", "bound to the node that the file names by index", "channel", "channels"},
    [ORPHANS] = {"name-clash", "keys of channels that name no node taken off", "component", "components"},
};

/* One clip under repair. */
struct work {
    const struct gltf_repair *repair;
    struct gltf_file *file;
    struct scene *scene;
    const json_t *animation;
    struct clip *clip;
    uint32_t repairs; /* orphans' keys go with "name-clash", rest values of a mirror with "gltf-interpolation" */
    bool has_orphans; /* see gltf_targets */
    bool times_changed;
    uint32_t counts[FIXES];
    uint32_t unmatched; /* nodes whose channel cannot be told apart */
    uint32_t unread;    /* components that needed reading again, but could not be */
    struct error why;   /* of the first of them */
};

/* Returns whether Assimp's float milliseconds are off by more than 1e-5 of what is between two keys. */
static bool is_rounded(struct work *work, const struct gltf_sampler *sampler, const struct keys *keys)
{
    const float *seconds =
        keys->count == sampler->input.count ? gltf_floats(work->file, &sampler->input, ERROR_IGNORED) : NULL;
    for (uint32_t k = 1; seconds && k < keys->count; k++) {
        const double span = (double)seconds[k] - (double)seconds[k - 1];
        for (uint32_t i = k - 1; i <= k; i++)
            if (span > 0 && fabs(keys->times[i] - (double)seconds[i]) > 1e-5 * span)
                return true;
    }
    return false;
}

/*
 * The keys are read again when they are stored as integers, when their times were rounded, or are another channel's.
 * STEP always: a key a rounding error late is the step before it, and Assimp rounds times to float milliseconds.
 * CUBICSPLINE only where the tangents were lost, for its curve is continuous. False with `why` set when they cannot be.
 */
static bool fix_component(struct work *work, int32_t sampler_index, enum component component, struct keys *keys,
                          struct error *why)
{
    struct gltf_sampler sampler;
    uint32_t width = component_width(component);
    if (!gltf_sampler_find(work->file, work->animation, sampler_index, &sampler, why))
        return false;
    const enum interpolation given = keys->interpolation;
    const bool is_integer = gltf_sampler_is_integer(&sampler), exact = (work->repairs & REPAIR_GLTF_INTERPOLATION);
    const bool orphan = work->has_orphans && (work->repairs & REPAIR_NAME_CLASH) &&
                        !gltf_keys_agree(work->file, &sampler, keys, width, false, false);
    const bool rounded = exact && is_rounded(work, &sampler, keys);
    if (!orphan && !rounded && !(is_integer && (work->repairs & REPAIR_GLTF_INTEGERS)) &&
        !(exact && (sampler.interpolation == INTERPOLATE_STEP || sampler.interpolation != given)))
        return true;
    /* The file's interpolation, or with the repair off what the importer made of it. */
    const enum interpolation as = exact || given == INTERPOLATE_CUBIC ? sampler.interpolation : given;
    if (!gltf_keys_read(work->file, &sampler, as, &width, work->scene->arena, keys, why))
        return false;
    work->times_changed = true;
    work->counts[ORPHANS] += orphan;
    work->counts[INTEGERS] += is_integer;
    work->counts[STEP] += as == INTERPOLATE_STEP && exact;
    work->counts[CUBIC] += as == INTERPOLATE_CUBIC && as != given;
    work->counts[TIMES] += rounded;
    return true;
}

/* A component that the file does not move has one key, the node's own value; more are an orphan channel's. */
static void fix_rest(struct work *work, int32_t node, enum component component, struct keys *keys)
{
    float value[4];
    if (keys->count == 0 || !gltf_node_value(work->file, node, component, value))
        return;
    float same = 0, opposite = 0; /* a quaternion and its negative are one rotation */
    for (uint32_t i = 0; i < component_width(component); i++) {
        float scale = 1 + fabsf(value[i]);
        same = fmaxf(same, fabsf(value[i] - keys->values[i]) / scale);
        opposite = fmaxf(opposite, fabsf(value[i] + keys->values[i]) / scale);
    }
    bool is_same = same <= 1e-5f || (component == COMPONENT_ROTATION && opposite <= 1e-5f);
    bool orphan = keys->count > 1 && work->has_orphans;
    if ((!orphan && (keys->count > 1 || is_same)) ||
        !(work->repairs & (orphan ? REPAIR_NAME_CLASH : REPAIR_GLTF_INTERPOLATION)))
        return;
    float *values = ARENA_COPIES(work->scene->arena, float, value, 4);
    *keys = (struct keys){1, ARENA_NEW(work->scene->arena, double, 1), values, INTERPOLATE_LINEAR};
    work->counts[orphan ? ORPHANS : RESTS]++;
    work->times_changed = true;
}

static bool fix_morph(struct work *work, int32_t sampler_index, struct morph_channel *morph, struct error *why)
{
    struct gltf_sampler sampler;
    struct keys keys;
    uint32_t width = 0;
    if (!gltf_sampler_find(work->file, work->animation, sampler_index, &sampler, why))
        return false;
    const bool all = (work->repairs & REPAIR_GLTF_MORPH), cubic = sampler.interpolation == INTERPOLATE_CUBIC;
    const bool faults[] = {
        all && cubic,
        (all || (work->repairs & REPAIR_GLTF_INTERPOLATION)) && sampler.interpolation == INTERPOLATE_STEP,
        (all || (work->repairs & REPAIR_GLTF_INTEGERS)) && gltf_sampler_is_integer(&sampler),
        all && gltf_sampler_has_negative(work->file, &sampler),
    };
    const bool rounded = (work->repairs & REPAIR_GLTF_INTERPOLATION) && is_rounded(work, &sampler, &morph->keys);
    if (!faults[0] && !faults[1] && !faults[2] && !faults[3] && !rounded)
        return true;
    enum interpolation as = cubic && !all ? INTERPOLATE_LINEAR : sampler.interpolation;
    if (!gltf_keys_read(work->file, &sampler, as, &width, work->scene->arena, &keys, why))
        return false;
    if (morph->target_count != 0 && width != morph->target_count)
        return error_set(why, "node \"%s\" has %u morph targets, but %u weights a key", morph->node_name,
                         morph->target_count, width);
    morph->target_count = width;
    morph->keys = keys;
    work->times_changed = true;
    work->counts[TIMES] += rounded;
    for (int i = 0; i < 4; i++)
        work->counts[MORPH_CUBIC + i] += faults[i];
    return true;
}

/* The importer binds by name, and the name may be another node's too. */
static void bind(struct work *work, const struct gltf_target *target, int32_t *node)
{
    int32_t right = gltf_scene_node(work->repair, target->node);
    if (!(work->repairs & REPAIR_NAME_CLASH) || right == NO_INDEX || right == *node)
        return;
    *node = right;
    work->counts[BOUND]++;
}

static void fix_target(struct work *work, const struct gltf_target *target)
{
    bool moves = false;
    struct channel *channel = target->channel == GLTF_NONE ? NULL : &work->clip->channels[target->channel];
    struct morph_channel *morph = target->morph == GLTF_NONE ? NULL : &work->clip->morphs[target->morph];
    for (int k = 0; k < GLTF_PATH_COUNT; k++) {
        const int32_t sampler = target->samplers[k];
        struct error why = {0};
        bool good = true;
        moves = moves || (k < COMPONENT_COUNT && sampler != GLTF_NONE);
        if (k == GLTF_WEIGHTS)
            good = !morph || fix_morph(work, sampler, morph, &why);
        else if (channel && sampler != GLTF_NONE)
            good = fix_component(work, sampler, (enum component)k, &channel->keys[k], &why);
        else if (channel)
            fix_rest(work, target->node, (enum component)k, &channel->keys[k]);
        if (!good && work->unread++ == 0)
            work->why = why;
    }
    if (channel)
        bind(work, target, &channel->node);
    if (morph)
        bind(work, target, &morph->node);
    work->unmatched += moves && !channel;
}

/* Warns of what the specification does not allow, so that another program may play it otherwise. */
static void warn_of_channels(const struct work *work, const struct gltf_targets *targets)
{
    if (targets->doubled > 0)
        warn(work, "gltf-channels", "clip \"%s\": channels of what an earlier channel moves: %zu; the last one counts",
             work->clip->name, targets->doubled);
    if (targets->matrices > 0)
        warn(work, "gltf-channels",
             "clip \"%s\": channels of nodes that have a matrix, which glTF does not allow: %zu; they take the place "
             "of its translation, rotation and scale",
             work->clip->name, targets->matrices);
}

static void report(const struct work *work)
{
    struct text list = {0};
    for (int i = 0; i < FIXES; i++) {
        bool is_last = i + 1 == FIXES || strcmp(fixes[i + 1].what, fixes[i].what) != 0;
        bool is_partial = fixes[i].what == morphs && !(work->repairs & REPAIR_GLTF_MORPH);
        if (work->counts[i] > 0)
            text_addf(&list, "%s%u %s", list.size ? ", " : "", work->counts[i],
                      work->counts[i] == 1 ? fixes[i].one : fixes[i].many);
        if (is_last && list.size > 0)
            repaired(work, is_partial ? "gltf-interpolation" : fixes[i].id, "clip \"%s\": %s: %s", work->clip->name,
                     fixes[i].what, text_string(&list));
        if (is_last)
            text_release(&list);
    }
    if (work->unread > 0)
        warn(work, GLTF_UNREAD, "clip \"%s\": %u components could not be read from the file again: %s",
             work->clip->name, work->unread, work->why.text);
    if (work->unmatched > 0 && !(work->repair->effects & CHANGES_KEYS)) /* which leaves one key of equal ones */
        warn(work, GLTF_UNREAD,
             "clip \"%s\": %u nodes that the file moves have no channel of their own in what Assimp read",
             work->clip->name, work->unmatched);
}

void gltf_fix_clips(const struct gltf_repair *repair)
{
    struct scene *scene = repair->c->scene;
    const size_t count = gltf_count(repair->file, "animations");
    if (count != scene->clip_count)
        scene_note(scene, NOTE_WARNING, GLTF_UNREAD, "the file has %zu animations, but Assimp read %u", count,
                   scene->clip_count);
    for (uint32_t i = 0; i < scene->clip_count && count == scene->clip_count; i++) {
        struct work work = {repair,           repair->file,      scene, gltf_item(repair->file, "animations", i),
                            &scene->clips[i], repair->c->repairs};
        struct gltf_targets targets = gltf_targets_find(repair->file, work.animation, work.clip, scene->arena);
        work.has_orphans = targets.orphans > 0;
        for (size_t k = 0; k < targets.count; k++)
            fix_target(&work, &targets.items[k]);
        bool *claimed = ARENA_NEW(scene->arena, bool, work.clip->channel_count);
        for (size_t k = 0; k < targets.count; k++)
            if (targets.items[k].channel != GLTF_NONE)
                claimed[targets.items[k].channel] = true;
        const bool drops = work.has_orphans && (work.repairs & REPAIR_NAME_CLASH); /* channels not of the file */
        for (uint32_t k = 0; k < work.clip->channel_count * COMPONENT_COUNT && drops; k++) {
            struct keys *keys = &work.clip->channels[k / COMPONENT_COUNT].keys[k % COMPONENT_COUNT];
            if (claimed[k / COMPONENT_COUNT] || keys->count <= 1)
                continue;
            keys->count = 0;
            work.counts[ORPHANS]++;
            work.times_changed = true;
        }
        if (work.times_changed) /* a clip ends with its last key, which a rounding error must not leave outside */
            work.clip->duration = fmax(clip_last_key(work.clip), 0);
        report(&work);
        warn_of_channels(&work, &targets);
    }
}
