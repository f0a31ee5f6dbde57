/* The channels of a clip: whom they move, with which keys. */
#include <math.h>
#include <string.h>

#include "compare/import/import_keys.h"
#include "compare/format_number.h"

/* One grouping each over all channels of a clip. */
struct key_groupings {
    struct grouping counts, interpolation, values, lost, gained;
};

struct clip_pair {
    const struct import_context *context;
    const struct clip_snapshot *was;
    const struct clip_snapshot *now;
    double time_scale; /* 1, or how many times longer the clip is with all its keys */
    struct grouping gone, added, unmatched, repairs, targets;
    struct key_groupings keys[KEYS_KIND_COUNT];
};

/* ---- what a channel moves ---------------------------------------------------------------------------------------- */

static struct keys_setting setting_of(const struct clip_pair *pair, const char *node, enum keys_kind kind)
{
    const struct import_context *c = pair->context;
    int32_t index = name_find(&c->golden_nodes.names, node);
    int32_t parent = index == NO_INDEX ? NO_INDEX : c->golden_nodes.parents[index];
    double scale = parent == NO_INDEX ? 1.0 : affine_d_scale(&c->golden_nodes.node_to_scene[parent]);
    return (struct keys_setting){
        .context = c,
        .kind = kind,
        .time_scale = pair->time_scale,
        .duration = pair->was->duration,
        .parent_scale = scale > 0 ? scale : 1.0,
        .influence_radius = index == NO_INDEX ? c->radius : c->golden_nodes.influence_radius[index],
    };
}

static bool rest_of(const struct import_snapshot *import, const struct skeleton *skeleton, const char *node,
                    struct transform *out)
{
    int32_t index = name_find(&skeleton->names, node);
    return index != NO_INDEX && affine_to_transform(import->nodes[index].local_to_parent, out);
}

/* Whether these keys change nothing: `node` stands so at rest on the side that lacks them. */
static bool hold_the_rest(const struct clip_pair *pair, const struct keys_snapshot *keys, enum keys_kind kind,
                          const char *node, bool lacking_is_golden)
{
    const struct import_context *c = pair->context;
    struct keys_setting setting = setting_of(pair, node, kind);
    struct transform rest;
    return rest_of(lacking_is_golden ? c->golden : c->actual, lacking_is_golden ? &c->golden_nodes : &c->actual_nodes,
                   lacking_is_golden ? node : renamed(&c->node_names, node), &rest) &&
           keys_hold(&setting, keys, &rest);
}

static bool channel_holds_the_rest(const struct clip_pair *pair, const struct channel_snapshot *channel,
                                   bool lacking_is_golden)
{
    for (int k = 0; k < COMPONENT_COUNT; k++)
        if (channel->keys[k].count > 0 &&
            !hold_the_rest(pair, &channel->keys[k], (enum keys_kind)k, channel->node, lacking_is_golden))
            return false;
    return true;
}

/* ---- one channel ------------------------------------------------------------------------------------------------- */

static struct finding channel_finding(const char *node, bool benign)
{
    struct finding finding = import_finding(node);
    finding.benign = benign;
    return finding;
}

static const char *or_repair(const struct channel_snapshot *channel)
{
    return channel->is_repair ? "that a repair had put there " : "";
}

static void report_gone(struct clip_pair *pair, const struct channel_snapshot *channel)
{
    const struct import_context *c = pair->context;
    int32_t node = name_find(&c->golden_nodes.names, channel->node);
    if (node != NO_INDEX && c->nodes.to_actual[node] == NO_INDEX)
        return; /* so is the node, and that is told */
    bool benign = channel_holds_the_rest(pair, channel, false);
    struct finding finding = channel_finding(channel->node, benign);
    grouping_add(&pair->gone, &finding, NULL, "the channel of `%s` %sis gone from clip `%s`%s", channel->node,
             or_repair(channel), pair->was->name, benign ? "; it held what the node has at rest" : "");
}

static void report_added(struct clip_pair *pair, const struct channel_snapshot *channel)
{
    const struct import_context *c = pair->context;
    int32_t node = name_find(&c->actual_nodes.names, channel->node);
    if (node != NO_INDEX && c->nodes.to_golden[node] == NO_INDEX)
        return;
    bool benign = channel_holds_the_rest(pair, channel, true);
    struct finding finding = channel_finding(channel->node, benign);
    grouping_add(&pair->added, &finding, NULL, "clip `%s` has a channel of `%s` now%s%s", pair->was->name,
                 channel->node, channel->is_repair ? ", put there by a repair" : "",
                 benign ? "; it holds what the node has at rest" : "");
}

/* Keys that one side lacks. */
static void report_one_sided_keys(struct clip_pair *pair, const char *node, enum keys_kind kind,
                                const struct keys_snapshot *was, const struct keys_snapshot *now)
{
    bool gained = was->count == 0;
    bool benign = hold_the_rest(pair, gained ? now : was, kind, node, gained);
    struct finding finding = channel_finding(node, benign);
    if (gained)
        grouping_add(&pair->keys[kind].gained, &finding, NULL, "`%s` has %u %s key%s now (clip `%s`), had none%s", node,
                 now->count, keys_kind_name(kind), format_plural(now->count), pair->was->name,
                 benign ? "; the node stands so at rest" : "");
    else
        grouping_add(&pair->keys[kind].lost, &finding, NULL, "the %s keys of `%s` are gone (clip `%s`)%s",
                 keys_kind_name(kind), node, pair->was->name, benign ? "; the node stands so at rest" : "");
}

/* Different counts that come to the same: one value held by all keys. */
static bool hold_the_same_value(const struct keys_setting *setting, const struct keys_snapshot *was,
                                const struct keys_snapshot *now)
{
    struct transform held = transform_identity;
    float *values = setting->kind == KEYS_TRANSLATION ? held.translation
                    : setting->kind == KEYS_ROTATION  ? held.rotation
                                                      : held.scale;
    if (setting->kind == KEYS_WEIGHTS || was->width > KEYS_SNAPSHOT_WIDTH)
        return false;
    memcpy(values, was->mean, (setting->kind == KEYS_ROTATION ? 4 : 3) * sizeof *values);
    return keys_hold(setting, was, &held) && keys_hold(setting, now, &held);
}

static void compare_keys(struct clip_pair *pair, const char *node, enum keys_kind kind, const struct keys_snapshot *was,
                         const struct keys_snapshot *now)
{
    const struct import_context *c = pair->context;
    struct keys_setting setting = setting_of(pair, node, kind);
    struct finding finding = channel_finding(node, false);
    struct key_groupings *groupings = &pair->keys[kind];
    const char *name = keys_kind_name(kind), *detail = describe_keys(&setting, was, now);
    if (detail) {
        finding.benign = hold_the_same_value(&setting, was, now);
        grouping_add(&groupings->counts, &finding, detail, "%s keys of `%s` (clip `%s`): %s%s", name, node,
                     pair->was->name, detail, finding.benign ? "; they hold one value" : "");
        finding.benign = false;
    }
    if (strcmp(was->interpolation, now->interpolation) != 0) {
        detail = arena_printf(c->arena, "%s, were %s", now->interpolation, was->interpolation);
        grouping_add(&groupings->interpolation, &finding, detail, "%s keys of `%s` (clip `%s`) are %s", name, node,
                 pair->was->name, detail);
    }
    if (was->count == now->count && (detail = describe_values(&setting, was, now, &finding)))
        grouping_add(&groupings->values, &finding, detail, "values of the %s keys of `%s` (clip `%s`): %s", name, node,
                 pair->was->name, detail);
}

static void compare_component(struct clip_pair *pair, const char *node, enum keys_kind kind,
                              const struct keys_snapshot *was, const struct keys_snapshot *now)
{
    if (was->count > 0 && now->count > 0)
        compare_keys(pair, node, kind, was, now);
    else if (was->count > 0 || now->count > 0)
        report_one_sided_keys(pair, node, kind, was, now);
}

static void compare_channel(struct clip_pair *pair, const struct channel_snapshot *was,
                            const struct channel_snapshot *now)
{
    struct finding finding = channel_finding(was->node, false);
    if (was->unmatched != now->unmatched)
        grouping_add(&pair->unmatched, &finding, now->unmatched ? "no longer" : "now",
                 "the channel of `%s` (clip `%s`) %s its node%s", was->node, pair->was->name,
                 now->unmatched ? "no longer finds" : "finds", now->unmatched ? "" : " now");
    for (int k = 0; k < COMPONENT_COUNT; k++)
        compare_component(pair, was->node, (enum keys_kind)k, &was->keys[k], &now->keys[k]);
    finding.benign = true;
    if (was->is_repair != now->is_repair)
        grouping_add(&pair->repairs, &finding, now->is_repair ? "by a repair now" : "from the file now",
                 now->is_repair ? "the channel of `%s` (clip `%s`) is put there by a repair now"
                                : "the channel of `%s` (clip `%s`) is in the file now, a repair had put it there",
                 was->node, pair->was->name);
}

/* ---- all channels ------------------------------------------------------------------------------------------------ */

static void compare_channels(struct clip_pair *pair)
{
    const struct import_context *c = pair->context;
    struct match_list was = match_list_create(pair->was->channel_count, c->arena);
    struct match_list now = match_list_create(pair->now->channel_count, c->arena);
    for (size_t i = 0; i < was.count; i++)
        was.keys[i] = (struct match_key){renamed(&c->node_names, pair->was->channels[i].node), NULL};
    for (size_t i = 0; i < now.count; i++)
        now.keys[i] = (struct match_key){pair->now->channels[i].node, NULL};
    struct matching matching = match_by_name(&was, &now, MATCH_PREFER_CONTEXT, c->arena);
    for (size_t i = 0; i < was.count; i++)
        if (matching.to_actual[i] == NO_INDEX)
            report_gone(pair, &pair->was->channels[i]);
        else
            compare_channel(pair, &pair->was->channels[i], &pair->now->channels[matching.to_actual[i]]);
    for (size_t i = 0; i < now.count; i++)
        if (matching.to_golden[i] == NO_INDEX)
            report_added(pair, &pair->now->channels[i]);
}

static void compare_morphs(struct clip_pair *pair)
{
    const struct import_context *c = pair->context;
    struct match_list was = match_list_create(pair->was->morph_count, c->arena);
    struct match_list now = match_list_create(pair->now->morph_count, c->arena);
    for (size_t i = 0; i < was.count; i++)
        was.keys[i] = (struct match_key){renamed(&c->node_names, pair->was->morphs[i].node), NULL};
    for (size_t i = 0; i < now.count; i++)
        now.keys[i] = (struct match_key){pair->now->morphs[i].node, NULL};
    struct matching matching = match_by_name(&was, &now, MATCH_PREFER_CONTEXT, c->arena);
    for (size_t i = 0; i < was.count; i++) {
        const struct morph_snapshot *before = &pair->was->morphs[i];
        struct finding finding = channel_finding(before->node, false);
        if (matching.to_actual[i] == NO_INDEX) {
            grouping_add(&pair->gone, &finding, NULL, "the morph weights of `%s` are gone from clip `%s`", before->node,
                     pair->was->name);
            continue;
        }
        const struct morph_snapshot *after = &pair->now->morphs[matching.to_actual[i]];
        if (before->targets != after->targets)
            grouping_add(&pair->targets, &finding,
                         arena_printf(c->arena, "%u, were %u", after->targets, before->targets),
                         "clip `%s` has weights of %u morph targets of `%s`, had %u", pair->was->name, after->targets,
                         before->node, before->targets);
        compare_component(pair, before->node, KEYS_WEIGHTS, &before->weights, &after->weights);
    }
    for (size_t i = 0; i < now.count; i++) {
        struct finding finding = channel_finding(pair->now->morphs[i].node, false);
        if (matching.to_golden[i] == NO_INDEX)
            grouping_add(&pair->added, &finding, NULL, "clip `%s` has morph weights of `%s` now", pair->was->name,
                     finding.subject);
    }
}

/* ---- the clip ---------------------------------------------------------------------------------------------------- */

static double last_key(const struct clip_snapshot *clip)
{
    double last = -INFINITY;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int k = 0; k < COMPONENT_COUNT; k++)
            if (clip->channels[i].keys[k].count > 0)
                last = fmax(last, clip->channels[i].keys[k].last);
    return last;
}

/* A clip that is longer because time runs slower has its keys later by as much: told once, of the clip. */
static double time_scale_of(const struct clip_snapshot *was, const struct clip_snapshot *now)
{
    double before = last_key(was), after = last_key(now);
    double ratio = was->duration > 0 ? now->duration / was->duration : 1.0;
    bool keys_too = before > 0 && isfinite(before) && fabs(after - ratio * before) <= 1e-3 * ratio * before;
    return ratio > 0 && keys_too ? ratio : 1.0;
}

static void begin_groupings(struct clip_pair *pair)
{
    struct findings *out = pair->context->out;
    struct arena *arena = pair->context->arena;
    const char *clip = pair->was->name;
    pair->gone = grouping_begin(out, "", arena_printf(arena, " channels of clip `%s` are gone", clip));
    pair->added = grouping_begin(out, "", arena_printf(arena, " channels of clip `%s` are new", clip));
    pair->unmatched = grouping_begin(out, "", arena_printf(arena, " channels of clip `%s` find their nodes", clip));
    pair->repairs = grouping_begin(out, "", arena_printf(arena, " channels of clip `%s` come from elsewhere", clip));
    pair->targets = grouping_begin(out, "morph targets of ", arena_printf(arena, " nodes changed (clip `%s`)", clip));
    for (int k = 0; k < KEYS_KIND_COUNT; k++) {
        const char *name = keys_kind_name((enum keys_kind)k);
        const char *keys_of = arena_printf(arena, "%s keys of ", name);
        const char *changed = arena_printf(arena, " channels of clip `%s` changed", clip);
        pair->keys[k].counts = grouping_begin(out, keys_of, changed);
        pair->keys[k].interpolation = grouping_begin(
            out, keys_of, arena_printf(arena, " channels of clip `%s` are interpolated in another way", clip));
        pair->keys[k].values = grouping_begin(out, arena_printf(arena, "values of the %s keys of ", name), changed);
        pair->keys[k].lost = grouping_begin(out, arena_printf(arena, "the %s keys of ", name),
                                        arena_printf(arena, " channels of clip `%s` are gone", clip));
        pair->keys[k].gained =
            grouping_begin(out, "", arena_printf(arena, " channels of clip `%s` have %s keys now", clip, name));
    }
}

static void end_groupings(struct clip_pair *pair)
{
    struct grouping *first[] = {&pair->gone, &pair->added, &pair->unmatched, &pair->targets};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        grouping_end(first[i]);
    for (int k = 0; k < KEYS_KIND_COUNT; k++) {
        struct key_groupings *keys = &pair->keys[k];
        struct grouping *all[] = {&keys->lost, &keys->gained, &keys->interpolation, &keys->counts, &keys->values};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            grouping_end(all[i]);
    }
    grouping_end(&pair->repairs);
}

void import_compare_channels(const struct import_context *c, const struct clip_snapshot *golden,
                             const struct clip_snapshot *actual)
{
    struct clip_pair pair = {.context = c, .was = golden, .now = actual, .time_scale = time_scale_of(golden, actual)};
    begin_groupings(&pair);
    compare_channels(&pair);
    compare_morphs(&pair);
    end_groupings(&pair);
}
