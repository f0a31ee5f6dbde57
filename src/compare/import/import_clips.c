/* Clips: which, how long; their channels: whom they move, with which keys. */
#include <math.h>
#include <string.h>

#include "compare/format_number.h"
#include "compare/import/import_compare.h"
#include "data/json_fields.h"

/* Names without an exporter's prefix: "rig|walk" is "walk". */
bool import_like_clip_name(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const char *was = c->golden->clips[golden].name, *now = c->actual->clips[actual].name;
    const char *was_bar = strrchr(was, '|'), *now_bar = strrchr(now, '|');
    return strcmp(was_bar ? was_bar + 1 : was, now_bar ? now_bar + 1 : now) == 0;
}

bool import_like_clip(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const struct clip_snapshot *g = &c->golden->clips[golden], *a = &c->actual->clips[actual];
    bool equal = g->channel_count == a->channel_count && g->morph_count == a->morph_count &&
                 fabs(g->duration - a->duration) <= 1e-4 * fmax(g->duration, a->duration);
    for (uint32_t i = 0; equal && i < g->channel_count; i++)
        for (int k = 0; k < COMPONENT_COUNT; k++)
            equal = equal && g->channels[i].keys[k].count == a->channels[i].keys[k].count;
    return equal;
}

/* "24 times longer", "0.02 % longer". */
static const char *describe_ratio(struct import_context *c, double ratio)
{
    if (fabs(ratio - 1.0) >= 0.01)
        return arena_string(c->arena, format_factor(ratio, "longer", "shorter").text);
    return arena_printf(c->arena, "%.2g %% %s", 100.0 * fabs(ratio - 1.0), ratio > 1.0 ? "longer" : "shorter");
}

/* Clips that all got longer by one factor are one change, which any of them that is played makes a failing one. */
static bool compare_all_lengths(struct import_context *c)
{
    const struct matching *matching = &c->matched[NOUN_CLIP];
    size_t count = matching->golden_count;
    double ratio = 0.0;
    bool is_played = false;
    for (size_t i = 0; i < count; i++) {
        int32_t other = matching->to_actual[i];
        double before = c->golden->clips[i].duration;
        if (other == NO_INDEX || !(before > 0.0))
            return false;
        double each = c->actual->clips[other].duration / before;
        ratio = i == 0 ? each : ratio;
        is_played = is_played || import_is_played(c, (int32_t)i, other);
        if (!(fabs(each - ratio) <= 1e-4 * ratio))
            return false;
    }
    struct finding finding = import_finding(NULL, NULL);
    c->scope.unplayed = !is_played;
    if (count < 2 || !(ratio > 0.0) || !import_beyond(c, &finding, fabs(ratio - 1.0)))
        return false;
    const char *which = count == 2 ? "both" : arena_printf(c->arena, "all %zu", count);
    import_change(c, CODE_CLIPS_LENGTH, &finding, arena_printf(c->arena, "%s clips are %s", which, describe_ratio(c, ratio)),
                  NULL);
    return true;
}

static void compare_length(struct import_context *c, size_t was, size_t now)
{
    const char *name = c->golden->clips[was].name;
    double before = c->golden->clips[was].duration, after = c->actual->clips[now].duration;
    double ratio = before > 0 && after > 0 ? after / before : 0;
    struct finding finding = import_finding(name, NULL);
    c->scope.unplayed = !import_is_played(c, (int32_t)was, (int32_t)now);
    if (!import_beyond(c, &finding, fabs(after - before) / fmax(before, 1e-3)))
        return;
    struct formatted_pair lasts = format_durations(after, before);
    const char *detail = arena_printf(c->arena, "%s, was %s", lasts.now, lasts.was), *says;
    if (ratio > 0 && (ratio >= 1.5 || ratio <= 1.0 / 1.5)) {
        says = arena_printf(c->arena, "is %s (%s)", describe_ratio(c, ratio), detail);
        detail = describe_ratio(c, ratio);
    } else {
        says = arena_printf(c->arena, "lasts %s", detail);
    }
    import_change(c, CODE_CLIP_LENGTH, &finding, says, detail);
}

void import_compare_lengths(struct import_context *c)
{
    const struct matching *matching = &c->matched[NOUN_CLIP];
    bool is_common = compare_all_lengths(c);
    for (size_t i = 0; i < matching->golden_count && !is_common; i++)
        if (matching->to_actual[i] != NO_INDEX)
            compare_length(c, i, (size_t)matching->to_actual[i]);
    c->scope.unplayed = false;
}

/* From `sign` times `was`: the largest difference of a number. */
static double largest_gap(const float *was, const float *now, float sign, uint32_t width)
{
    double gap = 0;
    for (uint32_t i = 0; i < width; i++)
        gap = worse(gap, fabs((double)now[i] - (double)(sign * was[i])));
    return gap;
}

/* Of a quaternion, which turns as much with the other sign. */
static double gap_of_rotations(const float *was, const float *now)
{
    return fmin(largest_gap(was, now, 1.0f, 4), largest_gap(was, now, -1.0f, 4));
}

/* `was` NULL: from the origin. */
static double distance_of(const float *was, const float *now, uint32_t width)
{
    double squares = 0;
    for (uint32_t i = 0; i < width; i++) {
        double d = (double)now[i] - (was ? (double)was[i] : 0.0);
        squares += d * d;
    }
    return sqrt(squares);
}

/* Whether all keys have one value, as far as the statistics show, and it is that of `rest`. */
static bool keys_hold(const struct keys_pair *pair, const struct keys_snapshot *keys, const float *rest)
{
    const double slack = 1e-4;
    double length = pair->kind == KEYS_TRANSLATION ? pair->c->radius / fmax(pair->parent_scale, 1e-30) : 1.0;
    if (pair->kind == KEYS_WEIGHTS || keys->width == 0)
        return false;
    for (uint32_t i = 0; i < keys->width; i++)
        if (fabs((double)keys->rms[i] - fabs((double)keys->mean[i])) >
            slack * 1e-2 * fmax(length, (double)keys->rms[i]))
            return false;
    return (pair->kind == KEYS_ROTATION ? gap_of_rotations(rest, keys->mean)
                                        : largest_gap(rest, keys->mean, 1.0f, keys->width)) <= slack * length;
}

/* Whether these keys change nothing: the node stands so at rest on the side that lacks them. */
static bool hold_the_rest(const struct keys_pair *pair, const struct keys_snapshot *keys, bool golden_lacks)
{
    const struct import_context *c = pair->c;
    const struct import_snapshot *import = golden_lacks ? c->golden : c->actual;
    const struct skeleton *skeleton = golden_lacks ? &c->golden_nodes : &c->actual_nodes;
    struct transform rest;
    const float *const values[KEYS_KIND_COUNT] = {
        [KEYS_TRANSLATION] = rest.translation, [KEYS_ROTATION] = rest.rotation, [KEYS_SCALE] = rest.scale};
    int32_t node = name_find(&skeleton->names, golden_lacks ? pair->node : renamed(&c->renames[NOUN_NODE], pair->node));
    return node != NO_INDEX && affine_to_transform(import->nodes[node].local_to_parent, &rest) &&
           keys_hold(pair, keys, values[pair->kind]);
}

/* "12, were 25; first at 0.1 s, was 0 s". Fewer or more keys that all hold one value come to the same. */
static struct key_changes compare_counts(const struct keys_pair *pair, struct finding finding)
{
    struct import_context *c = pair->c;
    const struct keys_snapshot *was = pair->was, *now = pair->now;
    const double before[] = {was->first, was->last}, after[] = {now->first, now->last};
    double measure = 0.0;
    struct text text = {0};
    finding.benign = pair->kind != KEYS_WEIGHTS && keys_hold(pair, was, was->mean) && keys_hold(pair, now, was->mean);
    const struct key_changes keys = import_compare_keys(pair, finding.benign);
    if (was->count != now->count)
        text_addf(&text, "%u, were %u", now->count, was->count);
    if (keys.times) {
        text_addf(&text, "%s%s", text.size ? ": " : "", keys.times);
        measure = worse(measure, keys.time_gap);
    }
    for (int i = 0; i < 2 && !keys.times; i++) {
        double expected = before[i] * pair->time_scale, span = fmax(pair->duration * pair->time_scale, fabs(expected));
        double gap = fabs(after[i] - expected) / fmax(span, 1e-3);
        if (!import_beyond(c, &finding, gap))
            continue;
        struct formatted_pair times = format_numbers(after[i], before[i]);
        text_addf(&text, "%s%s at %s s, was %s s", text.size ? "; " : "", i ? "last" : "first", times.now, times.was);
        measure = worse(measure, gap);
    }
    const char *detail = import_text(c, &text);
    double more = fabs((double)now->count - (double)was->count);
    if (import_beyond_limit(c, &finding, TOLERANCE_KEYS, more) || import_beyond(c, &finding, measure))
        import_change(c, CODE_KEYS_COUNTS, &finding,
                      finding.benign ? arena_printf(c->arena, "%s; they hold one value", detail) : detail, detail);
    return keys;
}

/* `is_pattern`: what is said is true of all keys. */
static const char *compare_translations(const struct keys_pair *pair, struct finding *finding, bool *is_pattern)
{
    struct import_context *c = pair->c;
    const struct keys_snapshot *was = pair->was, *now = pair->now;
    double mean = pair->parent_scale * distance_of(was->mean, now->mean, was->width);
    double rms = pair->parent_scale * distance_of(was->rms, now->rms, was->width);
    double before = distance_of(NULL, was->rms, was->width), after = distance_of(NULL, now->rms, was->width);
    double ratio = before > 0 ? after / before : 0; /* how many times larger all values are */
    bool is_common = ratio > 1.2 || (ratio > 0 && ratio < 1.0 / 1.2);
    for (uint32_t i = 0; i < was->width; i++)
        is_common = is_common && fabs((double)now->mean[i] - ratio * (double)was->mean[i]) <= 1e-3 * after &&
                    fabs((double)now->rms[i] - ratio * (double)was->rms[i]) <= 1e-3 * after;
    finding->translation = worse(mean, rms);
    if (!import_displaced(c, finding, finding->translation))
        return NULL;
    *is_pattern = is_common;
    if (is_common)
        return arena_string(c->arena, format_factor(ratio, "larger", "smaller").text);
    return arena_printf(c->arena, "%s moved by %s", mean >= 0.1 * rms ? "mean" : "root mean square",
                        format_length(mean >= 0.1 * rms ? mean : rms, c->unit_meters).text);
}

/* Which of x, y, z changed sign against w, when every number kept its size: "inverted" when all did. Else NULL. */
static const char *describe_signs(struct import_context *c, const float *was, const float *now)
{
    char flipped[4] = "", *end = flipped;
    int kept = 0, sign = (double)now[3] * (double)was[3] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) {
        if (fabs(fabs((double)now[i]) - fabs((double)was[i])) > 1e-4)
            return NULL;
        if (fabs((double)was[i]) < 1e-3)
            continue;
        if ((double)now[i] * (double)was[i] * sign < 0)
            *end++ = "xyzw"[i];
        else if (i < 3)
            kept++;
    }
    if (end == flipped)
        return NULL;
    if (kept == 0)
        return "inverted";
    return arena_printf(c->arena, "mirrored: %c%s%.1s changed sign", flipped[0], flipped[1] ? " and " : "",
                        flipped + 1);
}

/*
 * q and -q are one rotation and importers differ in which they hand over. The root mean square has no sign; a mean that
 * is negated as a whole is equal. When only the means differ, some keys may have changed sign, which is benign; not when
 * each number kept its size and some changed sign: that is an inverted or mirrored rotation.
 */
static const char *compare_rotations(const struct keys_pair *pair, struct finding *finding, bool *is_pattern)
{
    struct import_context *c = pair->c;
    const struct keys_snapshot *was = pair->was, *now = pair->now;
    double rms = largest_gap(was->rms, now->rms, 1.0f, 4), mean = gap_of_rotations(was->mean, now->mean);
    bool is_rms = import_beyond(c, finding, isfinite(mean) ? rms : mean);
    const char *signs = is_rms ? NULL : describe_signs(c, was->mean, now->mean);
    *is_pattern = signs != NULL;
    finding->benign = !is_rms && !signs;
    if (!import_beyond(c, finding, worse(rms, mean)))
        return NULL;
    double before = distance_of(NULL, was->mean, 4), after = distance_of(NULL, now->mean, 4), minus = 0, plus = 0;
    for (int i = 0; before > 0 && after > 0 && i < 4; i++) { /* the rotations that the means are nearest to */
        double x = (double)was->mean[i] / before, y = (double)now->mean[i] / after;
        minus += (x - y) * (x - y);
        plus += (x + y) * (x + y);
    }
    finding->degrees = 4.0 * asin(fmin(1.0, 0.5 * sqrt(fmin(minus, plus)))) * 180.0 / acos(-1.0);
    finding->distance = 2.0 * sin(finding->degrees * acos(-1.0) / 360.0) * pair->influence_radius;
    finding->displacement = finding->distance / c->radius;
    if (is_rms)
        return finding->degrees >= 1e-3
                   ? arena_printf(c->arena, "mean turned by %s", format_degrees(finding->degrees).text)
                   : arena_printf(c->arena, "root mean square moved by %.2g", rms);
    return signs ? signs : "some may have changed sign, which is the same rotation";
}

static const char *compare_numbers(const struct keys_pair *pair, struct finding *finding, bool *is_pattern)
{
    struct import_context *c = pair->c;
    const struct keys_snapshot *was = pair->was, *now = pair->now;
    double size = fmax(1.0, distance_of(NULL, was->rms, was->width));
    double mean = largest_gap(was->mean, now->mean, 1.0f, was->width) / size;
    double rms = largest_gap(was->rms, now->rms, 1.0f, was->width) / size;
    bool is_mean = import_beyond(c, finding, mean);
    *is_pattern = false;
    const char *before, *after;
    if (!import_beyond(c, finding, worse(mean, rms)))
        return NULL;
    format_vectors(is_mean ? now->mean : now->rms, is_mean ? was->mean : was->rms, was->width, c->arena, &after,
                   &before);
    return arena_printf(c->arena, "%s %s, was %s", is_mean ? "mean" : "root mean square", after, before);
}

static const struct rule keys_rules[] = {
    {CODE_KEYS_INTERPOLATION, RULE_WORD, FIELD_MEMBER(struct keys_snapshot, interpolation), {"{n}, were {w}"}},
};

/* Values of keys: what is true of all, else which changed, else what the statistics show. */
static void compare_values(const struct keys_pair *pair, const struct key_changes *keys, struct finding finding)
{
    static const char *(*const compare[KEYS_KIND_COUNT])(const struct keys_pair *pair, struct finding *finding,
                                                         bool *is_pattern) = {
        NULL, compare_translations, compare_rotations, compare_numbers, compare_numbers};
    struct import_context *c = pair->c;
    const struct keys_snapshot *was = pair->was, *now = pair->now;
    bool is_same = memcmp(was->mean, now->mean, sizeof was->mean) == 0 && memcmp(was->rms, now->rms, sizeof was->rms) == 0;
    bool is_pattern = false;
    const char *detail = NULL;
    if (was->count == now->count && was->width > 0 && was->width == now->width && !is_same)
        detail = compare[pair->kind](pair, &finding, &is_pattern);
    if (keys->says && !(detail && is_pattern)) {
        struct change *change = import_change(c, CODE_KEYS_CHANGED, &keys->finding, keys->says, keys->detail);
        bool is_each = was->count <= c->golden->samples && strcmp(was->interpolation, "cubic") != 0;
        change->most = is_each ? keys->finding.distance : NAN; /* between keys nothing moves more than they do */
    } else if (detail) {
        import_change(c, CODE_KEYS_VALUES, &finding, detail, detail);
    }
}

/* Keys on both sides, or on one. */
static void compare_component(const struct keys_pair *pair)
{
    struct import_context *c = pair->c;
    const struct keys_snapshot *was = pair->was, *now = pair->now;
    struct finding finding = import_finding(pair->node, NULL);
    bool gained = was->count == 0;
    c->scope.keys = pair->kind;
    if (was->count > 0 && now->count > 0) {
        struct key_changes keys = compare_counts(pair, finding);
        COMPARE_MEMBERS(c, keys_rules, was, now, &finding, 0);
        compare_values(pair, &keys, finding);
    } else if (was->count > 0 || now->count > 0) {
        finding.benign = hold_the_rest(pair, gained ? now : was, gained);
        struct change *change = import_change(c, gained ? CODE_KEYS_GAINED : CODE_KEYS_LOST, &finding,
                                              finding.benign ? "; the node stands so at rest" : NULL, NULL);
        change->count = now->count;
        change->now = arena_printf(c->arena, "%u", now->count);
    }
    c->scope.keys = KEYS_NONE;
}

// clang-format off
static const struct rule channel_rules[] = {
    {CODE_CHANNEL_UNMATCHED, RULE_FLAG, FIELD_MEMBER(struct channel_snapshot, unmatched),
     {"finds its node now", "no longer finds its node"}, {"now", "no longer"}},
    {CODE_CHANNEL_REPAIR, RULE_FLAG, FIELD_MEMBER(struct channel_snapshot, is_repair),
     {"in the file now, a repair had put it there", "put there by a repair now"}, {"from the file now", "by a repair now"}},
};
static const struct rule morph_rules[] = {
    {CODE_MORPH_TARGETS, RULE_COUNT, FIELD_MEMBER(struct morph_snapshot, targets), {"{n} morph targets of {s}, had {w}"},
     {"{n}, were {w}"}},
};
// clang-format on

static struct keys_pair pair_of(struct import_context *c, const char *node, double duration, double time_scale)
{
    int32_t index = name_find(&c->golden_nodes.names, node);
    int32_t parent = index == NO_INDEX ? NO_INDEX : c->golden_nodes.parents[index];
    double scale = parent == NO_INDEX ? 1.0 : affine_d_scale(&c->golden_nodes.node_to_scene[parent]);
    return (struct keys_pair){
        .c = c,
        .node = node,
        .duration = duration,
        .time_scale = time_scale,
        .parent_scale = scale > 0 ? scale : 1.0,
        .influence_radius = index == NO_INDEX ? c->radius : c->golden_nodes.influence_radius[index],
    };
}

/* A channel that only one side has. That of a node which only that side has is told by the node. */
static void find_one_sided(struct import_context *c, const struct channel_snapshot *channel, struct keys_pair pair,
                           bool golden_lacks)
{
    struct finding finding = import_finding(channel->node, NULL);
    const struct skeleton *skeleton = golden_lacks ? &c->actual_nodes : &c->golden_nodes;
    const struct matching *nodes = &c->matched[NOUN_NODE];
    int32_t node = name_find(&skeleton->names, channel->node);
    if (node != NO_INDEX && (golden_lacks ? nodes->to_golden : nodes->to_actual)[node] == NO_INDEX)
        return;
    finding.benign = true;
    for (int k = 0; k < COMPONENT_COUNT; k++) {
        pair.kind = KEYS_TRANSLATION + k;
        finding.benign =
            finding.benign && (channel->keys[k].count == 0 || hold_the_rest(&pair, &channel->keys[k], golden_lacks));
    }
    const char *says = golden_lacks
                           ? arena_printf(c->arena, "%s%s", channel->is_repair ? ", put there by a repair" : "",
                                          finding.benign ? "; it holds what the node has at rest" : "")
                           : arena_printf(c->arena, "%sis gone from clip `%s`%s",
                                          channel->is_repair ? "that a repair had put there " : "", c->scope.clip,
                                          finding.benign ? "; it held what the node has at rest" : "");
    import_change(c, golden_lacks ? CODE_CHANNEL_NEW : CODE_CHANNEL_GONE, &finding, says, NULL);
}

static void compare_morphs(struct import_context *c, const struct clip_snapshot *was, const struct clip_snapshot *now,
                           double time_scale)
{
    struct matching matching = import_match_by_node(c, was->morphs, was->morph_count, now->morphs, now->morph_count,
                                                    sizeof(struct morph_snapshot));
    import_find_unmatched(c, matching.to_actual, was->morphs, was->morph_count, sizeof *was->morphs,
                          CODE_MORPH_GONE, NULL);
    import_find_unmatched(c, matching.to_golden, now->morphs, now->morph_count, sizeof *now->morphs,
                          CODE_MORPH_NEW, NULL);
    for (uint32_t i = 0; i < was->morph_count; i++) {
        const struct morph_snapshot *before = &was->morphs[i];
        struct finding finding = import_finding(before->node, NULL);
        struct keys_pair pair = pair_of(c, before->node, was->duration, time_scale);
        if (matching.to_actual[i] == NO_INDEX)
            continue;
        const struct morph_snapshot *after = &now->morphs[matching.to_actual[i]];
        COMPARE_MEMBERS(c, morph_rules, before, after, &finding, i);
        pair.kind = KEYS_WEIGHTS;
        pair.was = &before->weights;
        pair.now = &after->weights;
        compare_component(&pair);
    }
}

/*
 * How many times later all keys come. A clip that is longer because time runs slower has its keys later by as much, which is told
 * of the clip; where its length stayed, it is told here. 1 where they do not agree.
 */
static double scale_of_times(struct import_context *c, const struct clip_snapshot *was, const struct clip_snapshot *now,
                             const struct matching *channels)
{
    double last[] = {0, 0}, ratio = was->duration > 0 ? now->duration / was->duration : 1.0;
    uint32_t count = 0, fitting = 0;
    for (int pass = 0; pass < 2; pass++) /* the last of all, then whether each fits */
        for (uint32_t i = 0; i < was->channel_count; i++)
            for (int k = 0; k < COMPONENT_COUNT && channels->to_actual[i] != NO_INDEX; k++) {
                const struct keys_snapshot *before = &was->channels[i].keys[k];
                const struct keys_snapshot *after = &now->channels[channels->to_actual[i]].keys[k];
                if (before->count == 0 || after->count == 0)
                    continue;
                if (pass == 0 && before->last > last[0]) {
                    last[0] = before->last;
                    last[1] = after->last;
                }
                double expected = last[0] > 0 ? before->last * last[1] / last[0] : 0.0;
                count += pass == 1;
                fitting += pass == 1 && fabs(after->last - expected) <= 1e-3 * last[1];
            }
    double scale = last[0] > 0 && last[1] > 0 ? last[1] / last[0] : 1.0;
    if (fabs(scale - ratio) <= 1e-3 * ratio && 2 * fitting >= count) /* else the last key alone moved, and the end with it */
        return ratio;
    if (count < 2 || fitting < count || fabs(scale - 1.0) <= 1e-3)
        return 1.0;
    struct finding finding = import_finding(was->name, NULL);
    struct formatted_pair times = format_numbers(last[1], last[0]);
    const char *factor = arena_string(c->arena, format_factor(scale, "later", "earlier").text);
    if (import_beyond(c, &finding, fabs(scale - 1.0)))
        import_change(c, CODE_CLIP_TIMES, &finding,
                      arena_printf(c->arena, "%s: the last at %s s, was %s s", factor, times.now, times.was), factor);
    return scale;
}

void import_compare_channels(struct import_context *c, size_t golden, size_t actual)
{
    const struct clip_snapshot *was = &c->golden->clips[golden], *now = &c->actual->clips[actual];
    struct matching matching = import_match_by_node(c, was->channels, was->channel_count, now->channels,
                                                    now->channel_count, sizeof(struct channel_snapshot));
    c->scope = (struct scope){.noun = NOUN_CLIP, .clip = was->name,
                              .unplayed = !import_is_played(c, (int32_t)golden, (int32_t)actual)};
    double time_scale = scale_of_times(c, was, now, &matching);
    for (uint32_t i = 0; i < was->channel_count; i++) {
        const struct channel_snapshot *before = &was->channels[i];
        struct finding finding = import_finding(before->node, NULL);
        struct keys_pair pair = pair_of(c, before->node, was->duration, time_scale);
        if (matching.to_actual[i] == NO_INDEX) {
            find_one_sided(c, before, pair, false);
            continue;
        }
        const struct channel_snapshot *after = &now->channels[matching.to_actual[i]];
        COMPARE_MEMBERS(c, channel_rules, before, after, &finding, i);
        for (int k = 0; k < COMPONENT_COUNT; k++) {
            pair.kind = KEYS_TRANSLATION + k;
            pair.was = &before->keys[k];
            pair.now = &after->keys[k];
            compare_component(&pair);
        }
    }
    for (uint32_t i = 0; i < now->channel_count; i++)
        if (matching.to_golden[i] == NO_INDEX)
            find_one_sided(c, &now->channels[i], pair_of(c, now->channels[i].node, was->duration, time_scale), true);
    compare_morphs(c, was, now, time_scale);
    import_say(c);
}
