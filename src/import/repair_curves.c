#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "import/fbx_animation.h"
#include "import/fbx_motion.h"

/*
 * FBX animates Euler angles by curves. Assimp hands over quaternions at the keys of the curves, translations and scales
 * there, and everybody interpolates these in lines and arcs. The curves are read from the file again, and become cubic
 * keys that follow them.
 *
 * A component is only touched when the file's curves, with lines between their keys, reproduce each key that Assimp has:
 * then it is known what they mean. Assimp's keys stay where they are in time.
 */

static const double same_time = 1e-9;
/* Seconds that Assimp allows keys to be outside the stack's range. */
static const double range_slack = 10000 / FBX_TICKS_PER_SECOND;

struct run {
    struct conversion *c;
    const struct fbx_file *file;
    struct clip *clip;
    struct fbx_animation animation;
    double start; /* seconds of the file at the clip's time 0 */
    uint32_t followed, added, unlike;
    double worst[COMPONENT_COUNT];
};

/* A component as Assimp sees it. */
struct part {
    struct fbx_motion motion;
    double fallback[3]; /* what Assimp takes for an axis without a curve */
    double after[4];    /* motion.after as Assimp has it */
    struct keys *keys;
    double tolerance;
};

static const double defaults[COMPONENT_COUNT] = {0, 0, 1};

/* ---- what Assimp made of the curves ------------------------------------------------------------------------------ */

/* The value between the keys that Assimp took: those in the stack's range, of a rotation the first one in any case. */
static double line_at(const struct run *run, const struct part *part, int axis, double time)
{
    const struct fbx_curve *curve = &part->motion.curves[axis];
    bool bounded = run->animation.has_range;
    uint32_t first = bounded ? fbx_curve_segment(curve, -range_slack) : 0;
    uint32_t end = bounded ? fbx_curve_segment(curve, run->animation.stop - run->animation.start + range_slack) : curve->count;
    bool keeps_first = first > 0 && curve->count > 0 && part->motion.component == COMPONENT_ROTATION;
    uint32_t at = fbx_curve_segment(curve, time + same_time);
    uint32_t after = at > first ? at : first, before = at < end ? at : end; /* `before` is one too large */
    bool has_after = after < end, has_before = before > first;
    if (!has_before && keeps_first && at > 0) {
        has_before = true;
        before = 1;
    }
    if (!has_before && !has_after)
        return keeps_first ? curve->keys[0].value : part->fallback[axis];
    const struct fbx_key *from = &curve->keys[has_before ? before - 1 : keeps_first ? 0 : after];
    const struct fbx_key *to = has_after ? &curve->keys[after] : from;
    double span = to->time - from->time;
    return span > 0 && has_before ? from->value + (to->value - from->value) * (time - from->time) / span : from->value;
}

static double difference(const double *a, const double *b, unsigned width)
{
    double direct = 0, opposite = 0;
    for (unsigned i = 0; i < width; i++) {
        direct = fmax(direct, fabs(a[i] - b[i]));
        opposite = fmax(opposite, fabs(a[i] + b[i]));
    }
    return width == 4 ? fmin(direct, opposite) : direct;
}

static void to_double(const float *from, unsigned width, double *to)
{
    for (unsigned i = 0; i < width; i++)
        to[i] = (double)from[i];
}

/* Whether each key is what lines between the keys of the curves give. Sets the tolerance. */
static bool is_reproduced(const struct run *run, struct part *part)
{
    const double rotation_limit = 1e-4, vector_limit = 1e-4;
    unsigned width = component_width(part->motion.component);
    struct fbx_motion assimp = part->motion;
    double worst = 0, largest = 0, range = 0;
    memcpy(assimp.after, part->after, sizeof assimp.after);
    for (uint32_t k = 0; k < part->keys->count; k++) {
        double axes[3], expected[4], key[4];
        for (int i = 0; i < 3; i++)
            axes[i] = line_at(run, part, i, part->keys->times[k]);
        fbx_motion_value(&assimp, axes, expected);
        to_double(part->keys->values + (size_t)k * width, width, key);
        worst = fmax(worst, difference(expected, key, width));
        for (unsigned i = 0; i < width; i++) {
            largest = fmax(largest, fabs(key[i]));
            range = fmax(range, fabs(key[i] - (double)part->keys->values[i]));
        }
        if (k > 0 && part->keys->times[k] < part->keys->times[k - 1])
            return false;
    }
    part->tolerance = width == 4 ? 5e-7 : fmax(1e-6 * range, 2e-7 * largest);
    return worst <= (width == 4 ? rotation_limit : vector_limit * largest + 1e-9);
}

/* The value at `time` in lines and arcs between Assimp's keys. */
static void assimp_value(const struct keys *keys, double time, unsigned width, double *value)
{
    uint32_t low = 0, high = keys->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (keys->times[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t a = low > 0 ? low - 1 : 0, b = low < keys->count ? low : a;
    double from[4], to[4], span = keys->times[b] - keys->times[a], dot = 0;
    double u = span > 0 ? fmin(fmax((time - keys->times[a]) / span, 0), 1) : 0, share[2] = {1 - u, u};
    to_double(keys->values + (size_t)a * width, width, from);
    to_double(keys->values + (size_t)b * width, width, to);
    for (unsigned i = 0; i < width && width == 4; i++)
        dot += from[i] * to[i];
    double angle = acos(fmin(fabs(dot), 1));
    if (width == 4 && angle > 1e-6) {
        share[0] = sin((1 - u) * angle) / sin(angle);
        share[1] = sin(u * angle) / sin(angle) * (dot < 0 ? -1 : 1);
    } else if (dot < 0) {
        share[1] = -u;
    }
    for (unsigned i = 0; i < width; i++)
        value[i] = share[0] * from[i] + share[1] * to[i];
}

/* ---- what the file means ----------------------------------------------------------------------------------------- */

/* Assimp leaves out rotations below this, squared. */
static bool has_angle(const double degrees[3])
{
    return degrees[0] * degrees[0] + degrees[1] * degrees[1] + degrees[2] * degrees[2] > 1e-6;
}

/* A channel of the model itself holds pre- and post-rotation. Assimp does not invert the latter, as FBX means it. */
static void set_fixed_rotations(const struct run *run, uint32_t model, struct part *part)
{
    double degrees[3];
    if (fbx_property(run->file, model, "PreRotation", 3, degrees) && has_angle(degrees))
        fbx_euler(degrees, 0, part->motion.before);
    if (!fbx_property(run->file, model, "PostRotation", 3, degrees) || !has_angle(degrees))
        return;
    fbx_euler(degrees, 0, part->after);
    for (int i = 0; i < 4; i++)
        part->motion.after[i] = i < 3 ? -part->after[i] : part->after[i];
}

/* `whole`: the channel is the model's own, which has what is not animated from the model. */
static bool read_part(const struct run *run, const struct fbx_animated *animated, bool whole, struct part *part)
{
    static const char *const names[COMPONENT_COUNT] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
    static const char *const axes[3] = {"d|X", "d|Y", "d|Z"};
    static const double identity[4] = {0, 0, 0, 1};
    struct fbx_motion *motion = &part->motion;
    double order = 0;
    memcpy(motion->before, identity, sizeof identity);
    memcpy(motion->after, identity, sizeof identity);
    memcpy(part->after, identity, sizeof identity);
    fbx_property(run->file, animated->object, "RotationOrder", 1, &order);
    for (int i = 0; i < 3; i++)
        part->fallback[i] = motion->constants[i] = defaults[motion->component];
    fbx_property(run->file, animated->object, names[motion->component], 3, motion->constants);
    if (whole)
        memcpy(part->fallback, motion->constants, sizeof part->fallback);
    for (int i = 0; i < 3; i++) {
        fbx_property(run->file, animated->node, axes[i], 1, &motion->constants[i]);
        if (animated->curves[i] && !fbx_curve_read(run->file, animated->curves[i], &motion->curves[i]))
            return false;
        for (uint32_t k = 0; k < motion->curves[i].count; k++)
            motion->curves[i].keys[k].time -= run->start;
    }
    if (motion->component == COMPONENT_ROTATION && whole)
        set_fixed_rotations(run, animated->object, part);
    motion->order = order >= 0 && order < FBX_ORDERS ? (unsigned)order : FBX_ORDERS;
    return motion->order < FBX_ORDERS;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Assimp's times, those of the file's keys within the clip, and its ends where curves go on beyond them. */
static double *find_knots(const struct run *run, const struct part *part, uint32_t *count)
{
    const struct keys *keys = part->keys;
    size_t most = (size_t)keys->count + 2;
    for (int i = 0; i < 3; i++)
        most += part->motion.curves[i].count;
    double *knots = scratch_alloc(most, sizeof *knots);
    uint32_t all = keys->count;
    memcpy(knots, keys->times, all * sizeof *knots);
    for (int i = 0; i < 3; i++) {
        const struct fbx_curve *curve = &part->motion.curves[i];
        for (uint32_t k = 0; k < curve->count; k++)
            if (curve->keys[k].time >= 0 && curve->keys[k].time <= run->clip->duration)
                knots[all++] = curve->keys[k].time;
    }
    for (int end = 0; end < 2; end++) {
        double time = end ? run->clip->duration : 0;
        bool beyond = false;
        for (int i = 0; i < 3; i++) {
            const struct fbx_curve *curve = &part->motion.curves[i];
            uint32_t segment = fbx_curve_segment(curve, time);
            beyond = beyond || (segment > 0 && segment < curve->count);
        }
        if (beyond)
            knots[all++] = time;
    }
    qsort(knots, all, sizeof *knots, by_time);
    *count = 0;
    for (uint32_t k = 0; k < all; k++)
        if (*count == 0 || knots[k] - knots[*count - 1] > same_time)
            knots[(*count)++] = knots[k];
    return knots;
}

/* How far Assimp's lines are from the motion at and between the keys of the fit. */
static double largest_error(const struct part *part, const struct fbx_fit *fit)
{
    unsigned width = component_width(part->motion.component);
    double worst = 0;
    for (uint32_t k = 0; k + 1 < fit->count; k++) {
        double span = fit->times[k + 1] - fit->times[k], middle = fit->times[k] + 0.5 * span;
        for (int i = 0; i < 4 && span > 0; i++) {
            double time = fit->times[k] + 0.25 * i * span, value[4], slope[4], theirs[4];
            fbx_motion_evaluate(&part->motion, middle, time, value, slope);
            assimp_value(part->keys, time, width, theirs);
            worst = fmax(worst, difference(value, theirs, width));
        }
    }
    return worst;
}

/* ---- the clip ---------------------------------------------------------------------------------------------------- */

static struct keys copy_keys(struct conversion *c, const struct fbx_fit *fit, unsigned width)
{
    double *times = ARENA_NEW(c->scene->arena, double, fit->count);
    float *values = ARENA_NEW(c->scene->arena, float, (size_t)3 * width * fit->count);
    memcpy(times, fit->times, fit->count * sizeof *times);
    memcpy(values, fit->values, (size_t)3 * width * fit->count * sizeof *values);
    return (struct keys){fit->count, times, values, INTERPOLATE_CUBIC};
}

static void follow(struct run *run, struct part *part)
{
    const double worth = 4; /* tolerances: less is left as it is */
    uint32_t count;
    struct fbx_fit fit;
    double *knots = find_knots(run, part, &count);
    if (fbx_fit(&part->motion, knots, count, part->tolerance, &fit)) {
        double error = largest_error(part, &fit);
        if (error > worth * part->tolerance) {
            run->followed++;
            run->added += fit.count > part->keys->count ? fit.count - part->keys->count : 0;
            double *worst = &run->worst[part->motion.component];
            *worst = fmax(*worst, error);
            if (run->c->repairs & REPAIR_FBX_CURVES)
                *part->keys = copy_keys(run->c, &fit, component_width(part->motion.component));
        }
    } else {
        run->unlike++;
    }
    free(knots);
    free(fit.times);
    free(fit.values);
}

static void follow_component(struct run *run, struct channel *channel, struct fbx_text name, enum component component,
                             bool whole)
{
    const struct fbx_animated *animated = fbx_animation_find(&run->animation, name, component);
    struct part part = {.motion = {.component = component}, .keys = &channel->keys[component]};
    if (part.keys->count == 0 || (!animated && part.keys->count == 1))
        return;
    if (!animated) /* a channel of the model itself has as many keys as the component with the most of them */
        run->unlike += !whole;
    else if (!read_part(run, animated, whole, &part) || !is_reproduced(run, &part))
        run->unlike++;
    else
        follow(run, &part);
    for (int i = 0; i < 3; i++)
        free(part.motion.curves[i].keys);
}

static void follow_channel(struct run *run, struct channel *channel)
{
    static const char mark[] = "_$AssimpFbx$_";
    static const char *const names[COMPONENT_COUNT] = {"Translation", "Rotation", "Scaling"};
    const char *pivot = strstr(channel->node_name, mark);
    struct fbx_text name = {channel->node_name, pivot ? (size_t)(pivot - channel->node_name) : strlen(channel->node_name)};
    for (int i = 0; i < COMPONENT_COUNT; i++)
        if (!pivot || strcmp(pivot + sizeof mark - 1, names[i]) == 0)
            follow_component(run, channel, name, (enum component)i, !pivot);
}

/* Assimp's time 0 is the range's start, or where there is none the first key. */
static double find_start(const struct run *run)
{
    const struct fbx_animation *animation = &run->animation;
    double first = INFINITY;
    for (uint32_t i = 0; i < animation->count && !animation->has_range; i++)
        for (int axis = 0; axis < 3; axis++) {
            struct fbx_curve curve;
            if (!animation->list[i].curves[axis] ||
                !fbx_curve_read(run->file, animation->list[i].curves[axis], &curve))
                continue;
            first = fmin(first, curve.keys[0].time);
            free(curve.keys);
        }
    return isfinite(first) ? first : animation->start;
}

static void note(const struct run *run)
{
    const double degrees = 360 / 3.14159265358979323846; /* a quaternion's number is half an angle */
    bool mends = run->c->repairs & REPAIR_FBX_CURVES;
    if (run->followed > 0)
        scene_note(run->c->scene, mends ? NOTE_REPAIR : NOTE_WARNING, "fbx-curves",
                   "clip \"%s\": between its keys Assimp's lines are up to %.3g degrees, %.3g units and a scale of %.3g "
                   "off the file's curves, in %u components of channels%s",
                   run->clip->name, run->worst[COMPONENT_ROTATION] * degrees, run->worst[COMPONENT_TRANSLATION],
                   run->worst[COMPONENT_SCALE], run->followed,
                   mends ? arena_printf(run->c->scene->arena, ": these follow the curves, with %u keys added", run->added)
                         : "");
    if (run->unlike > 0)
        scene_note(run->c->scene, NOTE_WARNING, "fbx-curves",
                   "clip \"%s\": the keys of %u components of channels are not what the file's curves give: Assimp's "
                   "lines between them stay",
                   run->clip->name, run->unlike);
}

static void follow_clip(struct conversion *c, const struct fbx_file *file, uint32_t index, uint32_t *stack)
{
    struct run run = {.c = c, .file = file, .clip = &c->scene->clips[index]};
    if (!fbx_animation_read(file, c->source->mAnimations[index]->mName.data, stack, &run.animation))
        return;
    run.start = find_start(&run);
    if (run.animation.layer_count == 1) { /* of several layers Assimp mixes the keys, which is another warning's */
        for (uint32_t i = 0; i < run.clip->channel_count; i++)
            follow_channel(&run, &run.clip->channels[i]);
        note(&run);
    }
    fbx_animation_release(&run.animation);
}

void repair_fbx_curves(struct conversion *c)
{
    enum { LARGEST = 1 << 28 };
    struct blob blob;
    struct fbx_file file;
    struct error err = {0};
    if (!is_format(c, "fbx") || c->scene->clip_count == 0)
        return;
    if (!file_read(c->scene->path, LARGEST, &blob, &err)) {
        scene_note(c->scene, NOTE_WARNING, "fbx-curves", "the file's curves cannot be read: %s", err.text);
        return;
    }
    const char *problem = fbx_open(&file, blob.data, blob.size);
    if (problem)
        scene_note(c->scene, NOTE_WARNING, "fbx-curves", "the file's curves cannot be read: %s", problem);
    uint32_t stack = 0;
    for (uint32_t i = 0; i < c->scene->clip_count && !problem; i++)
        follow_clip(c, &file, i, &stack);
    fbx_close(&file);
    blob_release(&blob);
}
