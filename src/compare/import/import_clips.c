/* Clips: which, how long; their channels: whom they move, with which keys. */
#include <math.h>
#include <string.h>

#include "base/format_number.h"
#include "compare/import/import_compare.h"

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
static const char *describe_ratio(struct import_context *c, double ratio, const char *greater, const char *smaller)
{
    return arena_string(c->arena, format_ratio(ratio, 0.99, 1.01, greater, smaller).text);
}

/* The keys of a clip come at this pace, as far as all of them agree. */
struct pace {
    double ratio;   /* how many times longer the clip lasts; 0 where that is not known */
    double scale;   /* how many times later the last key of all comes; 1 where that is not known */
    double last[2]; /* of the golden the last key of all, and when that comes now */
    uint32_t count, fitting; /* components with keys on both sides; those that end so many times later as the last */
    uint32_t keys[2]; /* of those before and now */
    bool is_speed;    /* the clip lasts longer or shorter because all keys come later or earlier by as much */
};

static struct matching match_channels(struct import_context *c, const struct clip_snapshot *was,
                                      const struct clip_snapshot *now)
{
    const struct match_list before = MATCH_NAMES(was->channels, was->channel_count, c->arena);
    const struct match_list after = MATCH_NAMES(now->channels, now->channel_count, c->arena);
    return import_match_by_node(c, &before, &after);
}

/* Pass 0 finds the last key of all, pass 1 whether each fits. */
static void add_keys(struct pace *pace, int pass, const struct keys_snapshot *was, const struct keys_snapshot *now)
{
    const double expected = pace->last[0] > 0 ? was->last * pace->last[1] / pace->last[0] : 0.0;
    if (was->count == 0 || now->count == 0)
        return;
    if (pass == 0 && was->last > pace->last[0])
        memcpy(pace->last, (const double[]){was->last, now->last}, sizeof pace->last);
    pace->count += pass;
    pace->fitting += pass == 1 && fabs(now->last - expected) <= 1e-3 * pace->last[1];
    pace->keys[0] += pass * was->count;
    pace->keys[1] += pass * now->count;
}

static struct pace measure_pace(struct import_context *c, const struct clip_snapshot *was,
                                const struct clip_snapshot *now)
{
    const struct matching channels = match_channels(c, was, now);
    struct pace pace = {.ratio = was->duration > 0 && now->duration > 0 ? now->duration / was->duration : 0};
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < was->channel_count; i++)
            for (int k = 0; k < COMPONENT_COUNT && channels.to_actual[i] != NO_INDEX; k++)
                add_keys(&pace, pass, &was->channels[i].keys[k], &now->channels[channels.to_actual[i]].keys[k]);
        for (uint32_t i = 0; i < was->morph_count && was->morph_count == now->morph_count; i++)
            add_keys(&pace, pass, &was->morphs[i].weights, &now->morphs[i].weights);
    }
    pace.scale = pace.last[0] > 0 && pace.last[1] > 0 ? pace.last[1] / pace.last[0] : 1.0;
    /* Else the last key alone moved, and the end with it; or those at the end are gone. */
    pace.is_speed = pace.ratio > 0 && fabs(pace.scale - pace.ratio) <= 1e-3 * pace.ratio &&
                    2 * pace.fitting >= pace.count && (pace.keys[0] == pace.keys[1] || !(pace.ratio < 1.0));
    return pace;
}

/*
 * Returns how many times later all keys come. A clip that is longer because time runs slower has its keys later by as
 * much, which is said of the clip; where its length stayed, it is said here. 1 where they do not agree.
 */
static double find_time_scale(struct import_context *c, const struct clip_snapshot *was, const struct pace *pace)
{
    struct finding finding = import_finding(was->name, NULL);
    bool is_cut = pace->ratio < 1.0 && pace->keys[1] < pace->keys[0];
    if (pace->is_speed)
        return pace->ratio;
    if (pace->count < 2 || pace->fitting < pace->count || fabs(pace->scale - 1.0) <= 1e-3 || is_cut)
        return 1.0;
    if (import_beyond(c, &finding, fabs(pace->scale - 1.0)))
        import_change(c, CODE_CLIP_TIMES, &finding, "the last at {now} s, was {was} s", value_number(pace->last[1]),
                      value_number(pace->last[0]))
            ->says.by = value_words(describe_ratio(c, pace->scale, "later", "earlier"));
    return pace->scale;
}

/* Clips that all got longer by one factor are one change, which any of them that is played makes a failing one. */
static bool compare_all_lengths(struct import_context *c, const struct pace *paces)
{
    const struct matching *matching = &c->matched[NOUN_CLIP];
    const size_t count = matching->golden_count;
    bool is_played = false, is_speed = true;
    for (size_t i = 0; i < count; i++) {
        if (!(paces[i].ratio > 0) || !(fabs(paces[i].ratio - paces[0].ratio) <= 1e-4 * paces[0].ratio))
            return false;
        is_played = is_played || import_is_played(c, (int32_t)i, matching->to_actual[i]);
        is_speed = is_speed && paces[i].is_speed && paces[i].count > 0;
    }
    struct finding finding = import_finding(NULL, NULL);
    c->scope.unplayed = !is_played;
    if (count < 2 || !import_beyond(c, &finding, fabs(paces[0].ratio - 1.0)))
        return false;
    const char *which = count == 2 ? "both" : arena_printf(c->arena, "all %zu", count);
    const char *how = is_speed ? describe_ratio(c, paces[0].ratio, "slower", "faster")
                               : describe_ratio(c, paces[0].ratio, "longer", "shorter");
    import_change(c, CODE_CLIPS_LENGTH, &finding, "", value_words(which), no_value)->says.by =
        value_words(arena_printf(c->arena, "%s %s", is_speed ? "play" : "are", how));
    return true;
}

static void compare_length(struct import_context *c, const struct clip_snapshot *was, const struct clip_snapshot *now,
                           const struct pace *pace)
{
    struct finding finding = import_finding(was->name, NULL);
    enum finding_code code = CODE_CLIP_LENGTH;
    const char *phrase = "lasts {now}, was {was}", *detail = "{now}, was {was}", *how = "";
    if (!import_beyond(c, &finding, fabs(now->duration - was->duration) / fmax(was->duration, 1e-3)))
        return;
    if (pace->is_speed && pace->count > 0) {
        code = CODE_CLIP_SPEED;
        how = describe_ratio(c, pace->ratio, "slower", "faster");
        phrase = "plays {by}: it lasts {now}, was {was}";
        detail = "{by}";
    } else if (now->duration < was->duration && pace->keys[1] < pace->keys[0]) {
        code = CODE_CLIP_CUT;
        phrase = detail;
    } else if (pace->ratio >= 1.5 || (pace->ratio > 0 && pace->ratio <= 1.0 / 1.5)) {
        how = describe_ratio(c, pace->ratio, "longer", "shorter");
        phrase = "is {by} ({now}, was {was})";
        detail = "{by}";
    }
    struct change *change =
        import_change(c, code, &finding, phrase, value_seconds(now->duration), value_seconds(was->duration));
    change->says.detail = detail;
    change->says.by = value_words(how);
}

void import_compare_lengths(struct import_context *c)
{
    const struct matching *matching = &c->matched[NOUN_CLIP];
    struct pace *paces = ARENA_NEW(c->arena, struct pace, matching->golden_count);
    c->time_scale = ARENA_NEW(c->arena, double, matching->golden_count);
    for (size_t i = 0; i < matching->golden_count; i++)
        if (matching->to_actual[i] != NO_INDEX)
            paces[i] = measure_pace(c, &c->golden->clips[i], &c->actual->clips[matching->to_actual[i]]);
    bool is_common = compare_all_lengths(c, paces);
    for (size_t i = 0; i < matching->golden_count; i++) {
        if (matching->to_actual[i] == NO_INDEX)
            continue;
        c->scope.unplayed = !import_is_played(c, (int32_t)i, matching->to_actual[i]);
        if (!is_common)
            compare_length(c, &c->golden->clips[i], &c->actual->clips[matching->to_actual[i]], &paces[i]);
        c->time_scale[i] = find_time_scale(c, &c->golden->clips[i], &paces[i]);
    }
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

/* A quaternion turns as much with the other sign. */
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

/* Says whether all keys have one value, as far as the statistics show, and it is that of `rest`. */
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

/* Says whether these keys change nothing: the node stands so at rest on the side that lacks them. */
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
    finding.benign = pair->kind != KEYS_WEIGHTS && keys_hold(pair, was, was->mean) && keys_hold(pair, now, was->mean);
    const struct key_changes keys = import_compare_keys(pair, finding.benign);
    double measure = keys.times ? worse(0.0, keys.time_gap) : 0.0, more = fabs((double)now->count - (double)was->count);
    bool moved[2] = {false, false};
    for (int i = 0; i < 2 && !keys.times; i++) {
        double expected = before[i] * pair->time_scale, span = fmax(pair->duration * pair->time_scale, fabs(expected));
        double gap = fabs(after[i] - expected) / fmax(span, 1e-3);
        moved[i] = import_beyond(c, &finding, gap);
        measure = moved[i] ? worse(measure, gap) : measure;
    }
    if (!import_beyond_limit(c, &finding, TOLERANCE_KEYS, more) && !import_beyond(c, &finding, measure))
        return keys;
    const char *phrase = !keys.times ? "" : more > 0 ? "{now}, were {was}: {by}" : "{by}";
    struct value counts[2] = {value_count(now->count), value_count(was->count)};
    struct change *change = import_change(c, CODE_KEYS_COUNTS, &finding, phrase, counts[0], counts[1]);
    change->says.by = value_words(keys.times);
    change->says.extra = finding.benign ? "; they hold one value" : NULL;
    if (!keys.times && more > 0)
        import_change_also(c, "{now}, were {was}", counts[0], counts[1]);
    for (int i = 0; i < 2; i++)
        if (moved[i])
            import_change_also(c, i ? "last at {now} s, was {was} s" : "first at {now} s, was {was} s",
                               value_number(after[i]), value_number(before[i]));
    return keys;
}

static void compare_translations(const struct keys_pair *pair, struct finding *finding, struct import_change *out,
                                 bool *is_pattern)
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
        return;
    bool is_mean = mean >= 0.1 * rms;
    *is_pattern = is_common;
    out->phrase = is_common ? "{now}" : is_mean ? "mean moved by {now}" : "root mean square moved by {now}";
    out->now = value_length(is_mean ? mean : rms);
    if (is_common)
        out->now = value_words(describe_ratio(c, ratio, "larger", "smaller"));
}

/* Says which of x, y, z changed sign against w, when every number kept its size: "inverted" when all did. Else NULL. */
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
 * q and -q are one rotation and importers differ in which they hand over. The root mean square has no sign; a mean
 * that is negated as a whole is equal. When only the means differ, some keys may have changed sign, which is benign;
 * not when each number kept its size and some changed sign: that is an inverted or mirrored rotation.
 */
static void compare_rotations(const struct keys_pair *pair, struct finding *finding, struct import_change *out,
                              bool *is_pattern)
{
    struct import_context *c = pair->c;
    const struct keys_snapshot *was = pair->was, *now = pair->now;
    double rms = largest_gap(was->rms, now->rms, 1.0f, 4), mean = gap_of_rotations(was->mean, now->mean);
    bool is_rms = import_beyond(c, finding, isfinite(mean) ? rms : mean);
    const char *signs = is_rms ? NULL : describe_signs(c, was->mean, now->mean);
    finding->benign = !is_rms && !signs;
    if (!import_beyond(c, finding, worse(rms, mean)))
        return;
    double before = distance_of(NULL, was->mean, 4), after = distance_of(NULL, now->mean, 4), minus = 0, plus = 0;
    for (int i = 0; before > 0 && after > 0 && i < 4; i++) { /* the rotations that the means are nearest to */
        double x = (double)was->mean[i] / before, y = (double)now->mean[i] / after;
        minus += (x - y) * (x - y);
        plus += (x + y) * (x + y);
    }
    finding->degrees = 4.0 * asin(fmin(1.0, 0.5 * sqrt(fmin(minus, plus)))) * 180.0 / acos(-1.0);
    finding->distance = 2.0 * sin(finding->degrees * acos(-1.0) / 360.0) * pair->influence_radius;
    finding->displacement = finding->distance / c->radius;
    bool is_turned = is_rms && finding->degrees >= 1e-3;
    *is_pattern = signs != NULL;
    out->phrase = is_turned ? "mean turned by {now}"
                  : is_rms  ? "root mean square moved by {now}"
                  : signs   ? "{now}"
                            : "some may have changed sign, which is the same rotation";
    out->now = value_words(is_turned ? arena_string(c->arena, format_degrees(finding->degrees).text)
                           : is_rms  ? arena_printf(c->arena, "%.2g", rms)
                                     : signs);
}

static void compare_numbers(const struct keys_pair *pair, struct finding *finding, struct import_change *out,
                            bool *is_pattern)
{
    const struct keys_snapshot *was = pair->was, *now = pair->now;
    double size = fmax(1.0, distance_of(NULL, was->rms, was->width));
    double mean = largest_gap(was->mean, now->mean, 1.0f, was->width) / size;
    double rms = largest_gap(was->rms, now->rms, 1.0f, was->width) / size;
    bool is_mean = import_beyond(pair->c, finding, mean);
    if (!import_beyond(pair->c, finding, worse(mean, rms)))
        return;
    *is_pattern = false;
    out->phrase = is_mean ? "mean {now}, was {was}" : "root mean square {now}, was {was}";
    out->now = value_numbers(is_mean ? now->mean : now->rms, was->width);
    out->was = value_numbers(is_mean ? was->mean : was->rms, was->width);
}

/* Values of keys: what is true of all, else which changed, else what the statistics show. */
static void compare_values(const struct keys_pair *pair, const struct key_changes *keys, struct finding finding)
{
    static void (*const compare[KEYS_KIND_COUNT])(const struct keys_pair *pair, struct finding *finding,
                                                  struct import_change *out, bool *is_pattern) = {
        NULL, compare_translations, compare_rotations, compare_numbers, compare_numbers};
    struct import_context *c = pair->c;
    const struct keys_snapshot *was = pair->was, *now = pair->now;
    bool is_same =
        memcmp(was->mean, now->mean, sizeof was->mean) == 0 && memcmp(was->rms, now->rms, sizeof was->rms) == 0;
    struct import_change whole = {.phrase = NULL};
    bool is_pattern = false;
    if (was->count == now->count && was->width > 0 && was->width == now->width && !is_same)
        compare[pair->kind](pair, &finding, &whole, &is_pattern);
    if (keys->which && !(whole.phrase && is_pattern)) {
        struct change *change =
            import_change(c, CODE_KEYS_CHANGED, &keys->finding, "", value_words(keys->which), value_words(keys->when));
        bool is_each = was->count <= c->golden->samples && strcmp(was->interpolation, "cubic") != 0;
        change->says.by = value_words(keys->by);
        change->says.detail = "{now}{was} by {by}";
        change->most = is_each ? keys->finding.distance : NAN; /* between keys nothing moves more than they do */
    } else if (whole.phrase) {
        import_change(c, CODE_KEYS_VALUES, &finding, whole.phrase, whole.now, whole.was);
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
        import_compare_fields(c, "t", was, now, &finding, 0);
        compare_values(pair, &keys, finding);
    } else if (was->count > 0 || now->count > 0) {
        finding.benign = hold_the_rest(pair, gained ? now : was, gained);
        import_change(c, gained ? CODE_KEYS_GAINED : CODE_KEYS_LOST, &finding,
                      finding.benign ? "; the node stands so at rest" : "", value_count(now->count), no_value);
    }
    c->scope.keys = KEYS_NONE;
}

static struct keys_pair pair_of(struct import_context *c, const char *node, double duration, double time_scale)
{
    int32_t index = name_find(&c->golden_nodes.names, node);
    int32_t parent = index == NO_INDEX ? NO_INDEX : c->golden_nodes.parents[index];
    double scale = parent == NO_INDEX ? 1.0 : affine_d_scale(&c->golden_nodes.node_to_scene[parent]);
    return (struct keys_pair){
        .c = c, .node = node, .duration = duration, .time_scale = time_scale,
        .parent_scale = scale > 0 ? scale : 1.0,
        .influence_radius = index == NO_INDEX ? c->radius : c->golden_nodes.influence_radius[index],
    };
}

/* A channel that only one side has. That of a node which only that side has is said by the node. */
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
    const char *repair = !channel->is_repair ? ""
                         : golden_lacks      ? ", put there by a repair"
                                             : "that a repair had put there ";
    const char *rest = !finding.benign ? ""
                       : golden_lacks  ? "; it holds what the node has at rest"
                                       : "; it held what the node has at rest";
    import_change(c, golden_lacks ? CODE_CHANNEL_NEW : CODE_CHANNEL_GONE, &finding, "", value_words(repair),
                  value_words(rest));
}

static void compare_morphs(struct import_context *c, const struct clip_snapshot *was, const struct clip_snapshot *now,
                           double time_scale)
{
    const struct match_list morphs = MATCH_NAMES(was->morphs, was->morph_count, c->arena);
    const struct match_list others = MATCH_NAMES(now->morphs, now->morph_count, c->arena);
    const struct matching matching = import_match_by_node(c, &morphs, &others);
    import_find_one_sided(c, &morphs, &others, &matching, CODE_MORPH_GONE, CODE_MORPH_NEW, NULL);
    for (uint32_t i = 0; i < was->morph_count; i++) {
        const struct morph_snapshot *before = &was->morphs[i];
        struct finding finding = import_finding(before->node, NULL);
        struct keys_pair pair = pair_of(c, before->node, was->duration, time_scale);
        if (matching.to_actual[i] == NO_INDEX)
            continue;
        const struct morph_snapshot *after = &now->morphs[matching.to_actual[i]];
        import_compare_fields(c, "morphs", before, after, &finding, i);
        pair.kind = KEYS_WEIGHTS;
        pair.was = &before->weights;
        pair.now = &after->weights;
        compare_component(&pair);
    }
}

void import_compare_channels(struct import_context *c, size_t golden, size_t actual)
{
    const struct clip_snapshot *was = &c->golden->clips[golden], *now = &c->actual->clips[actual];
    const struct matching matching = match_channels(c, was, now);
    c->scope = (struct scope){
        .noun = NOUN_CLIP, .clip = was->name, .unplayed = !import_is_played(c, (int32_t)golden, (int32_t)actual)};
    double time_scale = c->time_scale[golden];
    for (uint32_t i = 0; i < was->channel_count; i++) {
        const struct channel_snapshot *before = &was->channels[i];
        struct finding finding = import_finding(before->node, NULL);
        struct keys_pair pair = pair_of(c, before->node, was->duration, time_scale);
        if (matching.to_actual[i] == NO_INDEX) {
            find_one_sided(c, before, pair, false);
            continue;
        }
        const struct channel_snapshot *after = &now->channels[matching.to_actual[i]];
        import_compare_fields(c, "channels", before, after, &finding, i);
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
