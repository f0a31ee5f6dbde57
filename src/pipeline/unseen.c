/* Motion that no sample shows. */
#include "pipeline/pipeline.h"

#include <math.h>

#include "base/names.h"
#include "data/measure.h"
#include "data/vector.h"

enum { TOLD = 4, KEYS_MOST = 4096 };

/* Says how far each node's translation, rotation and scale, then each morph weight, gets from the first pose, and when.
 * */
struct travel {
    double *most, *when;
    double extent; /* of translations */
};

static double gap_of(const float *a, const float *b, int width)
{
    double direct = 0, opposite = 0;
    for (int i = 0; i < width; i++) {
        direct = worse(direct, fabs((double)a[i] - (double)b[i]));
        opposite = worse(opposite, fabs((double)a[i] + (double)b[i]));
    }
    return width == 4 ? fmin(direct, opposite) : direct; /* a quaternion and its negative are one rotation */
}

static void note(struct travel *travel, size_t at, double gap, double time)
{
    travel->when[at] = gap > travel->most[at] ? time : travel->when[at];
    travel->most[at] = worse(travel->most[at], gap);
}

static bool follow(struct pipeline *p, const struct pose *first, const double *times, size_t count, struct travel *out,
                   struct error *err)
{
    const uint32_t nodes = first->node_count;
    for (size_t i = 0; i < count; i++) {
        if (!pipeline_pose(p, times[i], err))
            return false;
        for (uint32_t n = 0; n < nodes; n++) {
            const struct transform *was = &first->local[n], *now = &p->pose.local[n];
            note(out, 3 * (size_t)n, gap_of(was->translation, now->translation, 3) / out->extent, times[i]);
            note(out, 3 * (size_t)n + 1, gap_of(was->rotation, now->rotation, 4), times[i]);
            note(out, 3 * (size_t)n + 2, gap_of(was->scale, now->scale, 3), times[i]);
        }
        for (uint32_t w = 0; w < first->weight_count; w++)
            note(out, 3 * (size_t)nodes + w, gap_of(&first->morph_weights[w], &p->pose.morph_weights[w], 1), times[i]);
    }
    return true;
}

static void tell(const struct scene *scene, size_t at, struct text *out)
{
    static const char *const parts[] = {"translation", "rotation", "scale"};
    const size_t weights = 3 * (size_t)scene->node_count;
    const struct instance *instance = scene->instances;
    while (at >= weights && instance + 1 < scene->instances + scene->instance_count &&
           instance[1].first_weight <= at - weights)
        instance++;
    const size_t target = at >= weights ? at - weights - instance->first_weight : 0;
    const char *name = at >= weights ? scene->meshes[instance->mesh].targets[target].name : NULL;
    if (name && *name)
        name_quote(name, '`', out);
    else if (name)
        text_addf(out, "weight %zu", target);
    text_addf(out, "%s of ", name ? "" : parts[at % 3]);
    name_quote(scene->nodes[name ? instance->node : at / 3].name, '`', out);
}

bool pipeline_unseen(struct pipeline *p, const double *times, size_t count, struct unseen *out, struct error *err)
{
    const struct settings *own = p->settings;
    struct settings dense = *own;
    size_t slots = 3 * (size_t)p->scene->node_count + p->scene->weight_count, key_count = 0;
    FREED double *room = memory_new(4 * slots, sizeof *room), *keys = NULL;
    struct travel seen = {room, room + slots, 1e-30}, all = {room + 2 * slots, room + 3 * slots, 1e-30};
    out->count = out->what.size = 0;
    bool good = pipeline_pose(p, times[0], err);
    const struct pose first = pose_copy(&p->pose, p->scene, p->arena);
    for (uint32_t n = 0; n < first.node_count; n++)
        seen.extent = all.extent = fmax(seen.extent, vec3_length(first.local[n].translation));
    dense.time_choice = TIMES_AUTO;
    dense.samples = KEYS_MOST;
    p->settings = &dense;
    good = good && (keys = pipeline_times(p, &key_count, err)) && follow(p, &first, keys, key_count, &all, err);
    p->settings = own;
    good = good && follow(p, &first, times, count, &seen, err);
    for (size_t i = 0; good && i < slots; i++) {
        if (!(all.most[i] > 1e-4) || seen.most[i] > 0.01 * all.most[i])
            continue;
        out->time = out->count == 0 ? all.when[i] : out->time;
        if (out->count++ >= TOLD)
            continue;
        text_add(&out->what, out->count > 1 ? ", " : "");
        tell(p->scene, i, &out->what);
    }
    if (out->count > TOLD)
        text_addf(&out->what, " and %zu more", out->count - TOLD);
    return good;
}
