#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "import/dae/dae_animation.h"

/*
 * COLLADA 1.4.1, chapter 5, <library_animation_clips>: a clip is a range of time of the animations that it instances,
 * and a file without clips is one. Assimp before 5.4 knows no clips and makes one of each <animation>, or puts them
 * together by their number of channels; it lets a sampler serve one channel only, and takes a channel that means no
 * node for another one's. So clips are made of the file itself.
 */

/* The element that a target means: "node/transform.X", "node/joint/transform", "weights(0)". */
static uint32_t find_target(const struct dae_file *file, struct slice target, struct slice *member)
{
    const char *const end = target.data + target.length, *at = target.data;
    uint32_t e = 0;
    while (at < end) {
        const char *slash = memchr(at, '/', (size_t)(end - at)), *stop = slash ? slash : end;
        for (const char *mark = at; !slash && mark < stop; mark++)
            if (*mark == '(' || (*mark == '.' && e != 0)) /* an id may have dots */
                stop = mark;
        const struct slice name = {at, (size_t)(stop - at)};
        uint32_t found = e == 0 ? dae_find(file, name, "node") : 0;
        for (uint32_t i = e + 1; e != 0 && i < file->count && dae_is_below(file, i, e) && !found; i++)
            found = slices_are_one(dae_attribute(file, i, "sid"), name) ? i : 0;
        *member = (struct slice){stop, slash ? 0 : (size_t)(end - stop)};
        if (found == 0)
            return 0;
        e = found;
        at = slash ? slash + 1 : end;
    }
    return e;
}

static bool is_transform(const struct dae_file *file, uint32_t e)
{
    static const char *const names[] = {"translate", "rotate", "scale", "matrix"};
    for (int i = 0; i < 4; i++)
        if (dae_is(file, e, names[i]))
            return dae_is(file, file->elements[e].parent, "node");
    return false;
}

static int by_node(const void *a, const void *b)
{
    const struct dae_move *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->channel > y->channel) - (x->channel < y->channel);
}

/* The channels of the animations that are `in`, those of a node beside each other; freed by the caller. */
static struct dae_move *find_moves(const struct dae_file *file, const bool *in, size_t *count)
{
    struct dae_move *moves = memory_new(file->count, sizeof *moves);
    *count = 0;
    for (uint32_t e = 0; (e = dae_following(file, e, "channel")) != 0;) {
        struct dae_move *move = &moves[*count];
        if (!in[e] || !dae_is(file, file->elements[e].parent, "animation"))
            continue;
        *move = (struct dae_move){.channel = e, .sampler = dae_reference(file, e, "source", "sampler")};
        move->target = find_target(file, dae_attribute(file, e, "target"), &move->member);
        move->node = move->target && is_transform(file, move->target) ? file->elements[move->target].parent : 0;
        ++*count;
    }
    sort_items(moves, *count, sizeof *moves, by_node);
    return moves;
}

/* The channels that a clip plays, and those that it does not. */
struct making {
    const struct dae_file *file;
    struct conversion *c;
    double start;
    struct follow_counts counts;
    struct text lost; /* targets of channels that are not played */
    uint32_t lost_count;
};

static void lose(struct making *m, const struct dae_move *move)
{
    enum { LISTED = 4 };
    list_name(&m->lost, m->lost_count++, LISTED, "\"", dae_attribute(m->file, move->channel, "target"));
}

/* The channels of a node are those of all places where it is instanced, which Assimp calls alike. */
static void add_channels(struct making *m, const struct dae_move *moves, size_t count, struct clip *clip)
{
    const struct conversion *c = m->c;
    struct slice name = m->file->elements[moves[0].node].id;
    name = name.length ? name : dae_attribute(m->file, moves[0].node, "sid");
    struct channel channel = {.node_name = copy_name(m->c, name)};
    size_t places;
    const struct named_node *nodes = nodes_named(c, channel.node_name, &places);
    for (size_t i = 0; i < count && places == 0; i++)
        lose(m, &moves[i]);
    if (places == 0 || !dae_channel_make(m->file, moves, count, m->start, c->repairs & REPAIR_DAE_CURVES,
                                         c->scene->arena, &channel, &m->counts))
        return;
    for (size_t i = 0; i < places && clip->channel_count < c->scene->node_count; i++) { /* ids may not be unique */
        channel.node = (int32_t)nodes[i].node;
        clip->channels[clip->channel_count++] = channel;
    }
}

/* The clip of the animations that are `in`. Its name, start and end are there already; an end of NAN is the last
 * key's. */
static void make_clip(const struct dae_file *file, struct conversion *c, const bool *in, double start,
                      struct clip *clip)
{
    static const char *const unlike[] = {
        "the curves of", "nodes are not played as the file means them (BSPLINE, CARDINAL, an axis that turns, a matrix "
                         "with curves, or broken numbers): straight lines between their keys"};
    struct making m = {.file = file, .c = c, .start = start};
    size_t count;
    FREED struct dae_move *moves = find_moves(file, in, &count);
    clip->ticks_per_second = 1000; /* as Assimp has it */
    clip->channels = ARENA_NEW(c->scene->arena, struct channel, c->scene->node_count);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && moves[end].node == moves[i].node;)
            end++;
        if (moves[i].node != 0)
            add_channels(&m, moves + i, end - i, clip);
    }
    for (size_t i = 0; i < count && moves[i].node == 0; i++)
        lose(&m, &moves[i]);
    const double last = fmax(clip_last_key(clip), 0);
    clip->duration = isnan(clip->duration) ? last : fmin(fmax(clip->duration, 0), 1e9);
    follow_tell(&m.counts, c->scene, clip, "dae-curves", c->repairs & REPAIR_DAE_CURVES, unlike);
    if (m.lost_count > 0)
        warn(c, "dae-channels", "clip \"%s\": %u channels move what is not played: %s", clip->name, m.lost_count,
             text_string(&m.lost));
    text_release(&m.lost);
}

/* Sets in[] for all that is within the animations that a clip instances. Returns how many instances are not in the
 * file. */
static uint32_t mark_animations(const struct dae_file *file, uint32_t clip, bool *in, bool *in_any)
{
    uint32_t lost = 0;
    memset(in, 0, file->count * sizeof *in);
    for (uint32_t e = dae_child(file, clip, "instance_animation"); e != 0;
         e = dae_next(file, e, "instance_animation")) {
        uint32_t animation = dae_reference(file, e, "url", "animation");
        lost += animation == 0;
        for (uint32_t i = animation; i != 0 && i < file->count && dae_is_below(file, i, animation); i++)
            in[i] = in_any[i] = true;
    }
    return lost;
}

static double seconds(const struct dae_file *file, uint32_t element, const char *name, double fallback)
{
    struct slice text = dae_attribute(file, element, name);
    double value = text.length ? strtod(text.data, NULL) : fallback; /* ends at the quote */
    return isfinite(value) && fabs(value) < 1e9 ? value : fallback;
}

/* The clips that the file names. */
static void make_named(const struct dae_file *file, struct conversion *c, bool *in)
{
    struct scene *scene = c->scene;
    FREED bool *in_any = memory_new(file->count, sizeof *in_any);
    uint32_t lost = 0, outside = 0, count = 0;
    for (uint32_t e = 0; (e = dae_following(file, e, "animation_clip")) != 0;)
        count++;
    scene->clips = ARENA_NEW(scene->arena, struct clip, count);
    for (uint32_t e = 0; (e = dae_following(file, e, "animation_clip")) != 0;) {
        struct clip *clip = &scene->clips[scene->clip_count];
        struct slice name = dae_attribute(file, e, "name");
        name = name.length ? name : file->elements[e].id;
        const double start = seconds(file, e, "start", 0), end = seconds(file, e, "end", NAN);
        clip->name = name.length ? copy_name(c, name) : arena_printf(scene->arena, "clip %u", scene->clip_count);
        clip->duration = end - start;
        lost += mark_animations(file, e, in, in_any);
        make_clip(file, c, in, start, clip);
        scene->clip_count++;
    }
    for (uint32_t e = 0; (e = dae_following(file, e, "channel")) != 0;)
        outside += !in_any[e];
    repaired(c, "dae-clips", "%u clips as the file names them, which Assimp %s does not do", count,
             scene->assimp_version);
    if (lost + outside > 0)
        warn(c, "dae-channels",
             "%u animations of clips are not in the file, and %u channels are in no clip: they are not played", lost,
             outside);
}

/* Assimp calls its one animation by where it is; several put together are as if all were in the first of them. */
static const char *only_name(const struct dae_file *file, struct conversion *c)
{
    uint32_t first = dae_following(file, dae_following(file, 0, "library_animations"), "animation");
    uint32_t channel = dae_following(file, 0, "channel");
    struct slice name = first ? dae_attribute(file, first, "name") : (struct slice){NULL, 0};
    name = name.length ? name : slice_of("animation");
    if (c->source->mNumAnimations == 1)
        return copy_string(c, &c->source->mAnimations[0]->mName);
    const int length = (int)(name.length < 500 ? name.length : 500);
    return dae_following(file, channel, "channel")
               ? arena_printf(c->scene->arena, "%.*s_%.*s", length, name.data, length, name.data)
               : arena_printf(c->scene->arena, "%.*s", length, name.data);
}

static void make_clips(const struct dae_file *file, struct conversion *c)
{
    struct scene *scene = c->scene;
    const unsigned before = c->source->mNumAnimations;
    const bool is_named = dae_following(file, 0, "animation_clip") != 0;
    if (!(c->repairs & REPAIR_DAE_CLIPS)) {
        if (is_named || before > 1)
            warn(c, "dae-clips", "%u clips are Assimp's, not the file's: the repair is off", before);
        return;
    }
    FREED bool *in = memory_new(file->count, sizeof *in);
    scene->clip_count = 0;
    if (is_named) {
        make_named(file, c, in);
    } else if (dae_following(file, 0, "channel")) {
        memset(in, true, file->count * sizeof *in);
        scene->clips = ARENA_NEW(scene->arena, struct clip, 1);
        scene->clips[0] = (struct clip){.name = only_name(file, c), .duration = NAN};
        make_clip(file, c, in, 0, &scene->clips[0]);
        scene->clip_count = scene->clips[0].channel_count > 0;
        if (before > 1)
            repaired(c, "dae-clips", "the file names no clips: %u of Assimp's are one, as they play together", before);
    }
}

void repair_dae(struct conversion *c)
{
    const struct dae_file *file = dae_of(c);
    if (file && !file->problem)
        make_clips(file, c);
    else if (file)
        warn(c, "dae-curves", "the file's curves cannot be read: %s", file->problem);
}
