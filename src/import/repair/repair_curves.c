#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/fbx/fbx_animation.h"

/*
 * FBX animates by curves, of which Assimp hands over the values at their keys. The curves are read from the file again,
 * and the keys become cubic ones that follow them; only where the file's curves, with lines between their own keys,
 * give each value that Assimp has: then it is known what they mean.
 */

/* Seconds that Assimp allows keys to be outside the stack's range. */
static const double range_slack = 10000 / FBX_TICKS_PER_SECOND;

struct run {
    struct conversion *c;
    const struct fbx_file *file;
    struct clip *clip;
    struct fbx_animation animation;
    double start; /* seconds of the file at the clip's time 0 */
    struct follow_counts counts;
    uint32_t extended; /* curves that go on beyond their keys */
};

/* A component of a channel: what the file means, and what Assimp sees of it. */
struct part {
    enum component component;
    struct fbx_motion motion;
    struct bezier_curve curves[FBX_CURVES];
    double constants[FBX_CURVES];
    struct fbx_layer layers[FBX_LAYERS];
    double fallback[3]; /* what Assimp takes for an axis without a curve */
    double after[4];    /* motion.after as Assimp has it */
    struct keys *keys;
};

/*
 * The value at `time` with lines between the keys that Assimp takes: all, or with `range` those within the stack's, for
 * a rotation also the first of all. `fallback` when there is none.
 */
static double value_on_line(const struct run *range, const struct bezier_curve *curve, bool is_rotation, double time,
                            double fallback)
{
    uint32_t first = 0, end = curve->count;
    if (range && range->animation.has_range) {
        first = bezier_segment(curve, -range_slack);
        end = bezier_segment(curve, range->animation.stop - range->animation.start + range_slack);
    }
    const struct bezier_key *keys = curve->keys;
    const bool has_first = is_rotation && curve->count > 0 && (first > 0 || end == 0);
    if (first >= end)
        return has_first ? keys[0].value : fallback;
    if (has_first && time < keys[first].time)
        return bezier_on_lines(&(struct bezier_curve){2, (struct bezier_key[]){keys[0], keys[first]}}, time);
    return bezier_on_lines(&(struct bezier_curve){end - first, curve->keys + first}, time);
}

/* Returns whether each key of the component is what lines between the keys of the curves give; where there are layers
 * above the base Assimp's keys are of one or another. Sets the tolerance. */
static bool is_reproduced(const struct run *run, struct part *part)
{
    const double limit = 1e-4;
    const bool is_rotation = part->motion.is_rotation;
    const unsigned width = part->motion.width;
    struct fbx_motion theirs = part->motion;
    double worst = 0, largest = 0, range = 0;
    memcpy(theirs.after, part->after, sizeof theirs.after);
    for (uint32_t k = 0; k < part->keys->count; k++) {
        double axes[3], expected[4], key[4];
        for (int i = 0; i < 3; i++)
            axes[i] = value_on_line(run, &theirs.curves[i], is_rotation, part->keys->times[k], part->fallback[i]);
        fbx_motion_value(&theirs, axes, expected);
        for (unsigned i = 0; i < width; i++) {
            key[i] = (double)part->keys->values[(size_t)k * width + i];
            largest = fmax(largest, fabs(key[i]));
            range = fmax(range, fabs(key[i] - (double)part->keys->values[i]));
        }
        if (part->motion.layer_count == 0)
            worst = worse(worst, value_difference(expected, key, width, is_rotation));
        if (k > 0 && part->keys->times[k] < part->keys->times[k - 1])
            return false;
    }
    part->motion.tolerance = is_rotation ? 5e-7 : fmax(1e-6 * range, 2e-7 * largest);
    return worst <= (is_rotation ? limit : limit * largest + 1e-9);
}

static bool read_curve(const struct run *run, uint32_t element, struct bezier_curve *curve)
{
    if (!fbx_curve_read(run->file, element, curve))
        return false;
    for (uint32_t k = 0; k < curve->count; k++)
        curve->keys[k].time -= run->start;
    return true;
}

/* The curves of x, y and z, and what an axis without one is. */
static bool read_axes(const struct run *run, const struct fbx_animated *animated, struct bezier_curve *curves,
                      double *constants)
{
    for (int i = 0; i < 3; i++) {
        fbx_property(run->file, animated->node, fbx_axes[i], 1, &constants[i]);
        if (animated->curves[i] && !read_curve(run, animated->curves[i], &curves[i]))
            return false;
    }
    return true;
}

/* Adds what layers above the base do to the component. */
static bool read_layers(const struct run *run, struct slice name, struct part *part)
{
    struct fbx_motion *motion = &part->motion;
    for (uint32_t l = 1; l < run->animation.layer_count; l++) {
        const struct fbx_animated *animated = fbx_animation_find(&run->animation, name, part->component, l);
        const struct fbx_layer *layer = &run->animation.layers[l];
        struct bezier_curve *curves = part->curves + motion->curve_count;
        double *constants = part->constants + motion->curve_count;
        if (!animated)
            continue;
        part->layers[motion->layer_count++] = *layer;
        motion->curve_count += 4;
        constants[3] = layer->weight;
        for (int i = 0; i < 3; i++)
            constants[i] = part->component == COMPONENT_SCALE;
        if (!read_axes(run, animated, curves, constants) ||
            (layer->weight_curve && !read_curve(run, layer->weight_curve, &curves[3])))
            return false;
    }
    return true;
}

/* `animated` is the lowest layer's. `whole`: the channel is the model's own, in which Assimp takes from the model what
 * is not animated. */
static bool read_part(const struct run *run, const struct fbx_animated *animated, bool whole, struct part *part)
{
    struct fbx_motion *motion = &part->motion;
    double order = 0;
    *motion = (struct fbx_motion){.width = component_width(part->component),
                                  .curve_count = 3,
                                  .curves = part->curves,
                                  .constants = part->constants,
                                  .divisor = 1,
                                  .is_rotation = part->component == COMPONENT_ROTATION,
                                  .is_scale = part->component == COMPONENT_SCALE,
                                  .layers = part->layers,
                                  .before = {0, 0, 0, 1},
                                  .after = {0, 0, 0, 1}};
    for (int i = 0; i < 3; i++)
        part->fallback[i] = part->constants[i] = part->component == COMPONENT_SCALE;
    fbx_property(run->file, animated->object, fbx_properties[part->component], 3, part->constants);
    if (whole)
        memcpy(part->fallback, part->constants, sizeof part->fallback);
    const struct fbx_animated *base = fbx_animation_find(&run->animation, animated->name, part->component, FBX_RESTING);
    base = animated->layer == 0 ? animated : base;
    if (base && !read_axes(run, base, part->curves, part->constants))
        return false;
    for (int i = 0; i < 2 && motion->is_rotation && whole; i++) { /* Assimp leaves out those below a limit */
        static const char *const fixed[2] = {"PreRotation", "PostRotation"};
        double d[3];
        if (fbx_property(run->file, animated->object, fixed[i], 3, d) && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > 1e-6)
            fbx_euler(d, 0, FBX_NOT_DERIVED, i == 0 ? motion->before : motion->after);
    }
    memcpy(part->after, motion->after, sizeof part->after);
    for (int i = 0; i < 3; i++) /* FBX means the inverse of this one, Assimp takes it as it is */
        motion->after[i] = -motion->after[i];
    fbx_property(run->file, animated->object, "RotationOrder", 1, &order);
    motion->order = order >= 0 && order < FBX_ORDERS ? (unsigned)order : FBX_ORDERS;
    return motion->order < FBX_ORDERS;
}

static void follow(struct run *run, struct keys *keys, const struct fbx_motion *motion, int kind)
{
    for (uint32_t i = 0; i < motion->curve_count; i++)
        run->extended += bezier_extend(&motion->curves[i], 0, run->clip->duration);
    struct arena *arena = run->c->repairs & REPAIR_FBX_CURVES ? run->c->scene->arena : NULL;
    fbx_follow(motion, run->clip->duration, keys, arena, &run->counts, kind);
}

/* Returns whether the scale of a model is 0 or mirrors on an axis, once at least. */
static bool is_flat(const struct run *run, const struct fbx_animated *animated, const struct fbx_animated *scale)
{
    double rest[3] = {1, 1, 1};
    bool found = false;
    fbx_property(run->file, animated->object, fbx_properties[COMPONENT_SCALE], 3, rest);
    for (int i = 0; i < 3; i++) {
        struct bezier_curve curve = {.keys = NULL};
        if (!scale || !scale->curves[i] || !read_curve(run, scale->curves[i], &curve))
            found = found || rest[i] <= 0;
        for (uint32_t k = 0; k < curve.count; k++)
            found = found || curve.keys[k].value <= 0;
        free(curve.keys);
    }
    return found;
}

static const struct fbx_animated *find_lowest(const struct run *run, struct slice name, enum component component)
{
    const struct fbx_animated *animated = NULL;
    for (uint32_t l = 0; l < run->animation.layer_count && !animated; l++)
        animated = fbx_animation_find(&run->animation, name, component, l);
    return animated;
}

/*
 * A model's own channel has keys of all components where it has some of one. Assimp takes them from a matrix, so that
 * where a scale is 0 or mirrors, rotation and scale are not the file's: these are followed unseen.
 */
static void follow_channel(struct run *run, struct channel *channel)
{
    static const char mark[] = "_$AssimpFbx$_";
    static const char *const names[COMPONENT_COUNT] = {"Translation", "Rotation", "Scaling"};
    const char *pivot = strstr(channel->node_name, mark);
    struct slice name = {channel->node_name, pivot ? (size_t)(pivot - channel->node_name) : strlen(channel->node_name)};
    const struct fbx_animated *lowest[COMPONENT_COUNT], *any = NULL;
    for (int i = 0; i < COMPONENT_COUNT; i++) {
        lowest[i] = find_lowest(run, name, (enum component)i);
        any = any ? any : lowest[i];
    }
    const bool flat = !pivot && any && is_flat(run, any, lowest[COMPONENT_SCALE]);
    for (int i = 0; i < COMPONENT_COUNT; i++) {
        const bool unseen = flat && i != COMPONENT_TRANSLATION;
        const struct fbx_animated still = {.name = name, .kind = i, .object = any ? any->object : 0};
        const struct fbx_animated *animated = lowest[i] || !unseen ? lowest[i] : &still;
        struct part part = {.component = (enum component)i, .keys = &channel->keys[i]};
        if ((pivot && strcmp(pivot + sizeof mark - 1, names[i]) != 0) || part.keys->count == 0 ||
            (!animated && part.keys->count == 1))
            continue;
        if (!animated)
            run->counts.unlike += pivot != NULL;
        else if (!read_part(run, animated, !pivot, &part) || !read_layers(run, name, &part) ||
                 !(is_reproduced(run, &part) || unseen))
            run->counts.unlike++;
        else
            follow(run, part.keys, &part.motion, i);
        for (int k = 0; k < FBX_CURVES; k++)
            free(part.curves[k].keys);
    }
}

/* Returns whether the weights of a target are what lines between the keys of the curve give. */
static bool is_curve_of(const struct bezier_curve *curve, const struct keys *keys, uint32_t target, uint32_t width)
{
    for (uint32_t k = 0; k < keys->count; k++)
        if (fabs(value_on_line(NULL, curve, false, keys->times[k], 0) / 100 -
                 (double)keys->values[(size_t)k * width + target]) > 1e-5)
            return false;
    return true;
}

/* Gives the targets the curves of the model's blend shapes, each the first one that fits. False when one has none. */
static bool find_curves(const struct run *run, struct slice name, const struct morph_channel *morph,
                        struct bezier_curve *curves)
{
    static const char *const chain[] = {"Deformer", "Geometry", "Model", NULL};
    const struct keys *keys = &morph->keys;
    const uint32_t width = morph->target_count;
    for (uint32_t s = 0; s < run->animation.shape_count; s++) {
        const struct fbx_animated *shape = &run->animation.shapes[s];
        int64_t id;
        struct bezier_curve curve;
        uint32_t t = 0;
        if (!fbx_integer(run->file, shape->object, 0, &id) || !fbx_leads_to(run->file, id, chain, name))
            continue;
        if (shape->layer > 0 || !read_curve(run, shape->curves[0], &curve))
            return false;
        while (t < width && (curves[t].count > 0 || !is_curve_of(&curve, keys, t, width)))
            t++;
        if (t < width)
            curves[t] = curve;
        else
            free(curve.keys);
    }
    for (size_t i = 0; i < (size_t)keys->count * width; i++) /* others rest */
        if (curves[i % width].count == 0 && keys->values[i] != keys->values[i % width])
            return false;
    return true;
}

static void follow_weights(struct run *run, struct morph_channel *morph)
{
    const char *star = strrchr(morph->node_name, '*');
    const struct slice name = {morph->node_name, star ? (size_t)(star - morph->node_name) : 0};
    const uint32_t width = morph->target_count;
    if (morph->keys.count < 2 || width == 0)
        return;
    FREED struct bezier_curve *curves = memory_new(width, sizeof *curves);
    FREED double *rest = memory_new(width, sizeof *rest);
    for (uint32_t t = 0; t < width; t++)
        rest[t] = (double)morph->keys.values[t];
    if (find_curves(run, name, morph, curves))
        follow(run, &morph->keys, &(struct fbx_motion){width, width, curves, rest, 100, 1e-6}, FBX_WEIGHT);
    else
        run->counts.unlike++;
    for (uint32_t t = 0; t < width; t++)
        free(curves[t].keys);
}

/* Returns whether a curve goes on beyond its keys, within the clip, as something else than its first or last value. */
static bool goes_on(const struct run *run, uint32_t element)
{
    const double slack = 1e-4;
    struct bezier_curve curve;
    if (!element || !read_curve(run, element, &curve))
        return false;
    const bool found =
        bezier_shape(&curve) != 0 && bezier_extend(&curve, fmin(slack, curve.keys[0].time),
                                                   fmax(run->clip->duration - slack, curve.keys[curve.count - 1].time));
    free(curve.keys);
    return found;
}

static void note_extrapolation(const struct run *run)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < 3 * run->animation.count; k++)
        count += goes_on(run, run->animation.list[k / 3].curves[k % 3]);
    for (uint32_t k = 0; k < run->animation.shape_count; k++)
        count += goes_on(run, run->animation.shapes[k].curves[0]);
    if (count == 0)
        return;
    const bool fixed = run->extended >= count && (run->c->repairs & REPAIR_FBX_CURVES);
    repaired_or_warn(run->c, fixed, "fbx-extrapolation",
                     "clip \"%s\": curves that go on before their first or after their last key (repeated, mirrored, "
                     "sloped): Assimp holds the key's value there%s",
                     run->clip->name, fixed ? ", they go on now" : "");
}

static void note_layers(const struct run *run)
{
    const uint32_t above = run->animation.layer_count - 1;
    const bool fixed = (run->c->repairs & REPAIR_FBX_CURVES) && run->counts.unlike == 0;
    if (run->animation.layer_count > 1)
        repaired_or_warn(run->c, fixed, "fbx-layers",
                         "clip \"%s\": %u animation layer%s above the base layer: Assimp does not add layers up%s",
                         run->clip->name, above, above > 1 ? "s" : "", fixed ? ", they are put on each other now" : "");
}

/* Returns whether a curve has two values, or its one value is not the model's own; or the constant of an axis without
 * a curve is not. */
static bool moves(const struct run *run, const struct fbx_animated *animated)
{
    const double as_it_rests = 4e-4; /* Assimp leaves out what is nearer */
    double rest[3];
    for (int i = 0; i < 3; i++)
        rest[i] = animated->kind == COMPONENT_SCALE;
    fbx_property(run->file, animated->object, fbx_properties[animated->kind], 3, rest);
    bool found = false;
    for (int i = 0; i < 3 && !found; i++) {
        struct bezier_curve curve;
        double constant = rest[i];
        fbx_property(run->file, animated->node, fbx_axes[i], 1, &constant);
        if (!animated->curves[i])
            found = fabs(constant - rest[i]) > as_it_rests;
        if (!animated->curves[i] || !read_curve(run, animated->curves[i], &curve))
            continue;
        for (uint32_t k = 0; k < curve.count && !found; k++)
            found = k > 0 ? fabs(curve.keys[k].value - curve.keys[0].value) > 1e-5 * (1 + fabs(rest[i]))
                          : fabs(curve.keys[0].value - rest[i]) > as_it_rests;
        free(curve.keys);
    }
    return found;
}

static bool is_played(const struct clip *clip, const char *model)
{
    for (uint32_t k = 0; clip && k < clip->channel_count; k++)
        if (strcmp(clip->channels[k].node_name, model) == 0 || is_pivot_of(clip->channels[k].node_name, model))
            return true;
    return false;
}

/* Warns of models that the file moves and Assimp has no channel of; without a clip of all that it moves. */
static void note_lost(const struct run *run, const char *clip)
{
    enum { LISTED = 8 };
    SCOPED(text) names = {0};
    uint32_t lost = 0;
    struct slice last = {NULL, 0};
    for (uint32_t i = 0; i < run->animation.count; i++) {
        const struct fbx_animated *animated = &run->animation.list[i];
        const char *name = copy_name(run->c, animated->name);
        size_t nodes; /* none of a model that hangs on nothing */
        nodes_named(run->c, name, &nodes);
        const bool rests = animated->layer == FBX_RESTING && !find_lowest(run, animated->name, animated->kind);
        const bool played = !rests && is_played(run->clip, name);
        if (nodes == 0 || slices_are_one(animated->name, last) || played || !moves(run, animated))
            continue;
        last = animated->name;
        list_name(&names, lost++, LISTED, "\"", slice_of(fbx_name_of(run->c, name)));
    }
    if (lost > 0)
        warn(run->c, "fbx-curves", "clip \"%s\": %u models that the file moves have no keys in what Assimp reads: %s",
             clip, lost, text_string(&names));
}

/* The same of stacks that are no clip for Assimp. */
static void note_lost_clips(struct conversion *c, const struct fbx_file *file)
{
    for (uint32_t i = 0, e; (e = fbx_next(file, &i, "AnimationStack")) != 0;) {
        const char *name = copy_name(c, fbx_object_name(file, e));
        struct run run = {.c = c, .file = file};
        uint32_t stack = 0;
        bool is_clip = false;
        for (uint32_t k = 0; k < c->source->mNumAnimations && !is_clip; k++)
            is_clip = strcmp(c->source->mAnimations[k]->mName.data, name) == 0;
        if (is_clip || !fbx_animation_read(file, name, &stack, &run.animation))
            continue;
        note_lost(&run, name);
        fbx_animation_release(&run.animation);
    }
}

void repair_fbx_curves(struct conversion *c)
{
    static const char *const unlike[] = {
        "the keys of", "components of channels are not what the file's curves give: straight lines between them"};
    uint32_t stack = 0;
    const struct fbx_file *file = fbx_of(c);
    if (!file && c->scene->clip_count > 0)
        warn(c, "fbx-curves", "the file's curves cannot be read: %s", c->problem);
    for (uint32_t i = 0; i < c->scene->clip_count && file; i++) {
        struct clip *clip = &c->scene->clips[i];
        struct run run = {.c = c, .file = file, .clip = clip};
        if (!fbx_animation_read(file, c->source->mAnimations[i]->mName.data, &stack, &run.animation))
            continue;
        run.start = INFINITY; /* Assimp's time 0 is the range's start, or where there is none the first key */
        for (uint32_t k = 0; k < 3 * run.animation.count && !run.animation.has_range; k++) {
            struct bezier_curve curve;
            if (!fbx_curve_read(file, run.animation.list[k / 3].curves[k % 3], &curve))
                continue;
            run.start = fmin(run.start, curve.keys[0].time);
            free(curve.keys);
        }
        if (!isfinite(run.start))
            run.start = run.animation.start;
        for (uint32_t k = 0; k < clip->channel_count; k++)
            follow_channel(&run, &clip->channels[k]);
        for (uint32_t k = 0; k < clip->morph_count; k++)
            follow_weights(&run, &clip->morphs[k]);
        note_lost(&run, clip->name);
        note_layers(&run);
        note_extrapolation(&run);
        follow_tell(&run.counts, c->scene, clip, "fbx-curves", c->repairs & REPAIR_FBX_CURVES, unlike);
        fbx_animation_release(&run.animation);
    }
    if (file)
        note_lost_clips(c, file);
}
