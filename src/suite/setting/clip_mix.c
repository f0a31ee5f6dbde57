#include "suite/setting/clip_mix.h"

#include <string.h>

#include "base/text.h"
#include "suite/setting/mix_options.h"

/* A clip mix in the making. */
struct making {
    const struct settings *settings;
    const struct scene *scene;
    struct arena *arena;
    struct resolved_mix *out;
    double frame_rate;
    struct text words; /* the description */
};

double clip_mix_frame_rate(const struct settings *settings, const struct clip *clip)
{
    double rate = clip ? clip->ticks_per_second : 0.0;
    if (settings->fps > 0)
        return settings->fps;
    return rate >= 10.0 && rate <= 240.0 ? rate
                                         : 24.0; /* glTF and COLLADA count in milliseconds: that is no frame rate */
}

/* ---- names --------------------------------------------------------------------------------------------------- */

/* A pose is called as the settings call it. */
static const char *clip_name(const struct clip *clip, const char *name)
{
    return clip ? clip->name : name ? name : "rest";
}

static bool solve_bind(struct making *m, const struct pose **out, struct error *err)
{
    if (!m->out->bind) {
        struct bind_pose *bind = ARENA_NEW(m->arena, struct bind_pose, 1);
        if (!bind_pose_solve(m->scene, m->arena, bind, err))
            return false;
        m->out->bind = bind;
    }
    *out = &m->out->bind->pose;
    return true;
}

/* `rest` and `bind` are poses where no clip answers to that name, `none` is the rest pose always. */
static bool find_clip(struct making *m, const char *name, const struct clip **clip, const struct pose **still,
                      struct error *err)
{
    struct error ignored = {0};
    bool is_rest = strcmp(name, "rest") == 0, is_bind = strcmp(name, "bind") == 0;
    *clip = NULL;
    *still = NULL;
    if (strcmp(name, "none") == 0)
        return true;
    *clip = scene_find_clip(m->scene, name, is_rest || is_bind ? &ignored : err);
    return *clip || is_rest || (is_bind && solve_bind(m, still, err));
}

static const char *name_of(const struct making *m, struct words words)
{
    return arena_printf(m->arena, "%.*s", (int)words.length, words.text);
}

static double seconds_of(const struct making *m, struct clip_time clip_time)
{
    return clip_time.is_frames ? clip_time.value / m->frame_rate : clip_time.value;
}

/* ---- parts --------------------------------------------------------------------------------------------------- */

static bool add_first_clip(struct making *m, struct error *err)
{
    const char *name = m->settings->clip;
    struct mix_part *part = ARENA_NEW(m->arena, struct mix_part, m->settings->transitions.count + 1);
    part->weight = 1;
    m->out->clip_mix.parts = part;
    m->out->clip_mix.part_count = 1;
    if (name && !find_clip(m, name, &part->clip, &part->still, err))
        return false;
    if (!name)
        part->clip = m->scene->clip_count > 0 ? &m->scene->clips[0] : NULL;
    m->out->clip = part->clip;
    text_add(&m->words, clip_name(part->clip, name));
    return true;
}

static bool add_transitions(struct making *m, struct error *err)
{
    size_t count = m->settings->transitions.count;
    struct mix_part *parts = (struct mix_part *)m->out->clip_mix.parts;
    struct transition *transitions = ARENA_NEW(m->arena, struct transition, count);
    for (size_t i = 0; i < count; i++) {
        struct mix_option mix_option;
        if (!mix_option_read_transition(m->settings->transitions.values[i], &mix_option, err) ||
            !find_clip(m, name_of(m, mix_option.clip), &parts[i + 1].clip, &parts[i + 1].still, err))
            return false;
        transitions[i] = (struct transition){seconds_of(m, mix_option.start), seconds_of(m, mix_option.end)};
        parts[i + 1].weight = 1;
        text_addf(&m->words, " -> %s@", clip_name(parts[i + 1].clip, name_of(m, mix_option.clip)));
        text_add_double(&m->words, transitions[i].start);
        text_add(&m->words, "..");
        text_add_double(&m->words, transitions[i].end);
    }
    m->out->clip_mix.part_count += (uint32_t)count;
    m->out->clip_mix.transitions = transitions;
    m->out->clip_mix.transition_count = (uint32_t)count;
    return transition_check(transitions, (uint32_t)count, err) || error_prefix(err, "--transition");
}

static bool add_blends(struct making *m, struct error *err)
{
    size_t count = m->settings->blends.count;
    struct mix_part *parts = ARENA_NEW(m->arena, struct mix_part, count);
    for (size_t i = 0; i < count; i++) {
        struct mix_option mix_option;
        if (!mix_option_read_blend(m->settings->blends.values[i], &mix_option, err) ||
            !find_clip(m, name_of(m, mix_option.clip), &parts[i].clip, &parts[i].still, err))
            return false;
        parts[i].weight = mix_option.weight;
        text_addf(&m->words, "%s%s:", i ? "+" : "", clip_name(parts[i].clip, name_of(m, mix_option.clip)));
        text_add_double(&m->words, mix_option.weight);
    }
    m->out->clip_mix.parts = parts;
    m->out->clip_mix.part_count = (uint32_t)count;
    m->out->clip = parts[0].clip;
    return true;
}

static bool add_mask(struct making *m, const char *value, struct mix_mask *masks, size_t at, struct error *err)
{
    struct mix_option mix_option;
    if (!mix_option_read_mask(value, &mix_option, err) ||
        !find_clip(m, name_of(m, mix_option.clip), &masks[at].clip, &masks[at].still, err))
        return false;
    const char *bone = name_of(m, mix_option.bone);
    int32_t node = scene_find_bone(m->scene, bone, err);
    if (node == NO_INDEX)
        return error_prefix(err, "--mask");
    for (size_t i = 0; i < at; i++)
        if (masks[i].node == (uint32_t)node)
            return error_set(err, "--mask: two masks are for `%s`; it can play one clip only", bone);
    masks[at].node = (uint32_t)node;
    masks[at].offset = seconds_of(m, mix_option.start);
    text_addf(&m->words, ", %s=%s", bone, clip_name(masks[at].clip, name_of(m, mix_option.clip)));
    if (masks[at].offset != 0) {
        text_add(&m->words, "@");
        text_add_double(&m->words, masks[at].offset);
    }
    return true;
}

static bool add_masks(struct making *m, struct error *err)
{
    size_t count = m->settings->masks.count;
    struct mix_mask *masks = ARENA_NEW(m->arena, struct mix_mask, count);
    for (size_t i = 0; i < count; i++)
        if (!add_mask(m, m->settings->masks.values[i], masks, i, err))
            return false;
    m->out->clip_mix.masks = masks;
    m->out->clip_mix.mask_count = (uint32_t)count;
    return true;
}

static bool add_layers(struct making *m, struct error *err)
{
    size_t count = m->settings->additions.count;
    struct mix_layer *layers = ARENA_NEW(m->arena, struct mix_layer, count);
    for (size_t i = 0; i < count; i++) {
        struct mix_option mix_option;
        if (!mix_option_read_add(m->settings->additions.values[i], &mix_option, err) ||
            !find_clip(m, name_of(m, mix_option.clip), &layers[i].clip, &layers[i].still, err))
            return false;
        layers[i].weight = mix_option.weight;
        layers[i].is_to_pose = mix_option.reference != TO_FIRST_FRAME;
        if (mix_option.reference == TO_BIND_POSE && !solve_bind(m, &layers[i].reference, err))
            return false;
        text_addf(&m->words, ", add %s:", clip_name(layers[i].clip, name_of(m, mix_option.clip)));
        text_add_double(&m->words, mix_option.weight);
        text_add(&m->words, mix_option_references[mix_option.reference]);
    }
    m->out->clip_mix.layers = layers;
    m->out->clip_mix.layer_count = (uint32_t)count;
    return true;
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static bool add_all(struct making *m, struct error *err)
{
    bool good = m->settings->blends.count > 0 ? add_blends(m, err) : add_first_clip(m, err);
    m->frame_rate = clip_mix_frame_rate(m->settings, m->out->clip);
    return good && (m->settings->transitions.count == 0 || add_transitions(m, err)) && add_masks(m, err) &&
           add_layers(m, err);
}

static bool is_still(const struct clip_mix *clip_mix)
{
    return clip_mix->part_count == 1 && !clip_mix->parts[0].clip && clip_mix->mask_count == 0 &&
           clip_mix->layer_count == 0;
}

bool clip_mix_resolve(const struct settings *settings, const struct scene *scene, struct arena *arena,
               struct resolved_mix *out, struct error *err)
{
    struct making making = {.settings = settings, .scene = scene, .arena = arena, .out = out};
    *out = (struct resolved_mix){.clip_mix = {
                                         .wrap = settings->wrap,
                                         .rate = settings->rate,
                                         .is_in_place = settings->in_place,
                                         .up_axis = settings->up_axis >= 0 ? settings->up_axis : scene->up_axis,
                                     }};
    bool good = mix_option_check(settings, err) && add_all(&making, err);
    out->is_still = good && is_still(&out->clip_mix);
    if (good && (!out->is_still || out->clip_mix.parts[0].still))
        out->description = arena_string(arena, text_string(&making.words));
    text_release(&making.words);
    return good;
}
