#include "animate/morphs.h"

#include <math.h>

#include "animate/timeline.h"

/* Where a time stands among the keys: weights of two neighbouring keys' values and tangents. */
struct span {
    uint32_t key;
    double from, to;
    double out_tangent, in_tangent; /* the interval included */
};

static struct span find_span(const struct keys *keys, double time)
{
    bool is_step = keys->interpolation == INTERPOLATE_STEP;
    uint32_t passed = keys_count_until(keys, is_step ? time + fabs(time) * TIMELINE_SLACK : time);
    struct span span = {.key = passed > 0 ? passed - 1 : 0, .from = 1};
    if (passed == 0 || passed == keys->count || is_step || time == keys->times[span.key])
        return span;
    double interval = keys->times[passed] - keys->times[span.key];
    double u = (time - keys->times[span.key]) / interval, v = 1 - u;
    span.from = v;
    span.to = u;
    if (keys->interpolation == INTERPOLATE_CUBIC) { /* glTF 2.0, appendix C */
        span.from = (1 + 2 * u) * v * v;
        span.out_tangent = u * v * v * interval;
        span.to = u * u * (3 - 2 * u);
        span.in_tangent = -u * u * v * interval;
    }
    return span;
}

/* Weight `target` at the place of `span`. A key's own weight is exact. */
static float evaluate(const struct morph_channel *channel, const struct span *span, uint32_t target)
{
    const struct keys *keys = &channel->keys;
    size_t width = channel->target_count;
    bool is_cubic = keys->interpolation == INTERPOLATE_CUBIC;
    const float *from = keys->values + span->key * width * (is_cubic ? 3 : 1) + target;
    if (span->from == 1.0)
        return is_cubic ? from[width] : from[0];
    if (!is_cubic) {
        double start = (double)from[0];
        return (float)(start + span->to * ((double)from[width] - start));
    }
    const float *to = from + 3 * width;
    return (float)(span->from * (double)from[width] + span->out_tangent * (double)from[2 * width] +
                   span->to * (double)to[width] + span->in_tangent * (double)to[0]);
}

static void sample_instance(const struct scene *scene, const struct instance *instance,
                            const struct morph_channel *channel, const struct span *span, struct pose *pose)
{
    uint32_t targets = scene->meshes[instance->mesh].target_count;
    for (uint32_t t = 0; t < targets && t < channel->target_count; t++)
        pose->morph_weights[instance->first_weight + t] = evaluate(channel, span, t);
}

void morphs_sample(const struct scene *scene, const struct clip *clip, double time, struct pose *pose)
{
    for (uint32_t c = 0; c < clip->morph_count && pose->weight_count > 0; c++) {
        const struct morph_channel *channel = &clip->morphs[c];
        if (channel->node == NO_INDEX || channel->keys.count == 0)
            continue;
        struct span span = find_span(&channel->keys, time);
        for (uint32_t i = 0; i < scene->instance_count; i++)
            if (scene->instances[i].node == (uint32_t)channel->node)
                sample_instance(scene, &scene->instances[i], channel, &span, pose);
    }
}
