#include "options/clip_mix.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/text.h"

static const double most_seconds = 1e6, most_weight = 1000;

static const struct {
    char mark; /* between name and value, in a mapping between key and value */
    const char *form;
} forms[MIX_KIND_COUNT] = {
    [MIX_BLEND] = {':', "CLIP:WEIGHT with a weight from 0 to 1000"},
    [MIX_TRANSITION] = {'@', "CLIP@START..END (seconds, or frames as in 12f..18f)"},
    [MIX_MASK] = {'=', "BONE=CLIP or BONE=CLIP@OFFSET"},
    [MIX_ADD] = {':', "CLIP:WEIGHT, CLIP:WEIGHT@rest or CLIP:WEIGHT@bind with a weight from -1000 to 1000"},
};

static const char *const references[] = {[TO_FIRST_FRAME] = "", [TO_REST_POSE] = "@rest", [TO_BIND_POSE] = "@bind"};

static bool read_number(const char *text, size_t length, double most, double *out)
{
    return decimal_read(text, length, false, out) && fabs(*out) <= most;
}

static bool read_clip_time(const char *text, size_t length, struct clip_time *out)
{
    out->is_frames = length > 0 && text[length - 1] == 'f';
    return read_number(text, length - out->is_frames, most_seconds, &out->value);
}

/* Splits the text at a mark. Names may hold the mark and numbers never do, so the last one counts. */
static bool cut(struct slice all, char mark, struct slice *name, struct slice *value)
{
    for (size_t i = all.length; i > 1; i--)
        if (all.data[i - 1] == mark) {
            *name = (struct slice){all.data, i - 1};
            *value = (struct slice){all.data + i, all.length - i};
            return true;
        }
    return false;
}

/* By the option's kind; whether it has its form. `value` ends where its text does. */
static bool parse(struct mix_option *option, struct slice name, struct slice value)
{
    struct slice offset;
    const char *dots;
    option->clip = name;
    switch (option->kind) {
    case MIX_TRANSITION:
        dots = strstr(value.data, "..");
        return dots && read_clip_time(value.data, (size_t)(dots - value.data), &option->start) &&
               read_clip_time(dots + 2, strlen(dots + 2), &option->end);
    case MIX_MASK:
        option->bone = name;
        if (!cut(value, '@', &option->clip, &offset) || !read_clip_time(offset.data, offset.length, &option->start)) {
            option->clip = value;
            option->start = (struct clip_time){0};
        }
        return value.length > 0;
    case MIX_ADD:
        for (int i = TO_REST_POSE; i <= TO_BIND_POSE; i++) {
            size_t length = strlen(references[i]);
            if (value.length > length && strcmp(value.data + value.length - length, references[i]) == 0) {
                option->reference = (enum mix_reference)i;
                value.length -= length;
                break;
            }
        }
        return read_number(value.data, value.length, most_weight, &option->weight);
    default:
        return read_number(value.data, value.length, most_weight, &option->weight);
    }
}

static size_t count_of(const struct settings *s, enum mix_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < s->mix_count; i++)
        count += s->mix[i].kind == kind;
    return count;
}

static bool add(struct value_source *source, const struct tree_node *at, struct settings *s, enum mix_kind kind,
                const char *text, struct slice name, struct slice value)
{
    struct mix_option option = {.kind = kind, .text = text};
    if (name.length == 0 || !parse(&option, name, value))
        return value_fail(source, at, "`%s` is not %s", text, forms[kind].form);
    if (kind == MIX_BLEND && option.weight < 0)
        return value_fail(source, at, "`%s`: a weight cannot be negative", text);
    if (kind == MIX_TRANSITION && option.start.value < 0)
        return value_fail(source, at, "`%s` begins before the timeline does", text);
    if (option.start.is_frames == option.end.is_frames && kind == MIX_TRANSITION &&
        option.end.value < option.start.value)
        return value_fail(source, at, "`%s` ends before it begins", text);
    if (count_of(s, kind) == MAX_MIX_OPTIONS)
        return value_fail(source, at, "at most %d", MAX_MIX_OPTIONS);
    s->mix = memory_grow(s->mix, s->mix_count + 1, sizeof *s->mix);
    s->mix[s->mix_count++] = option;
    return true;
}

/* One value; a list of them; a mapping, {walk: 0.7, wave: 0.3} for walk:0.7 and wave:0.3, or a list of such. */
static bool read_mix(struct value_source *source, void *target, const struct tree_node *value)
{
    const enum mix_kind kind = (enum mix_kind)source->row->kind;
    const char mark = forms[kind].mark;
    bool good = true;
    if (value->kind == TREE_TEXT) {
        const char *text = value_string(source, value);
        struct slice name = {0}, rest = {0};
        const bool is_mask = text && kind == MIX_MASK;
        const struct slice quoted = is_mask ? value_quoted_name(text, strlen(text), mark) : (struct slice){NULL, 0};
        const char *sign = quoted.data ? quoted.data + quoted.length + 1 : is_mask ? strchr(text, mark) : NULL;
        if (sign && *sign) { /* the first one; mask_in() tries the others where the scene has no such bone */
            name = quoted.data ? quoted : (struct slice){text, (size_t)(sign - text)};
            rest = slice_of(sign + 1);
        } else if (text && kind != MIX_MASK)
            cut(slice_of(text), mark, &name, &rest);
        return text && add(source, value, target, kind, text, name, rest);
    }
    if (value->count == 0)
        return value_fail(source, value, "there is nothing in it");
    for (size_t i = 0; good && i < value->count; i++) {
        const struct tree_node *item = value->items[i];
        if (value->kind == TREE_LIST) {
            good = item->kind != TREE_LIST ? read_mix(source, target, item)
                                           : value_fail(source, item, "a list in a list");
            continue;
        }
        const char *name = value->keys[i]->text, *rest = value_string(source, item);
        const struct slice all = slice_of(name);
        SCOPED(text) text = {0};
        value_add_name(all, kind == MIX_MASK && strchr(name, mark), &text); /* as it is read back */
        text_addf(&text, "%c%s", mark, rest ? rest : "");
        good = rest &&
               add(source, item, target, kind, arena_string(source->arena, text_string(&text)), all, slice_of(rest));
    }
    return good;
}

static void write_options(const struct settings *s, enum mix_kind kind, const char *first, const char *next,
                          struct text *out)
{
    for (size_t i = 0; i < s->mix_count; i++)
        if (s->mix[i].kind == kind) {
            text_addf(out, "%s%s", first, s->mix[i].text);
            first = next;
        }
}

static void write_mix(const struct setting *row, const void *target, struct text *out)
{
    size_t start = out->size;
    write_options(target, (enum mix_kind)row->kind, "", ",", out);
    if (out->size == start)
        text_add(out, "none");
}

const struct value_type value_mix = {read_mix, write_mix, FORM_TEXT | FORM_LIST | FORM_MAPPING | FORM_REPEATED};

void clip_mix_write(const struct settings *s, struct text *out)
{
    size_t start = out->size;
    write_options(s, MIX_BLEND, "", "+", out);
    if (out->size == start)
        text_add(out, s->clip ? s->clip : "(first)");
    write_options(s, MIX_TRANSITION, " -> ", " -> ", out);
    write_options(s, MIX_MASK, ", ", ", ", out);
    write_options(s, MIX_ADD, ", add ", ", add ", out);
}

bool clip_mix_check(const struct settings *s, struct value_source *source, const struct tree_node *at)
{
    double sum = 0;
    if (count_of(s, MIX_BLEND) == 0)
        return true;
    source->key = "blend";
    if (s->clip)
        return value_fail(
            source, at, "a blend names all its clips: leave `clip` out, and give `%s` a weight in the blend", s->clip);
    if (count_of(s, MIX_TRANSITION) > 0)
        return value_fail(source, at, "a `transition` leads from a `clip`, not from a blend; use one or the other");
    for (size_t i = 0; i < s->mix_count; i++)
        sum += s->mix[i].kind == MIX_BLEND ? s->mix[i].weight : 0;
    return sum > 0 || value_fail(source, at, "all weights are 0");
}

bool clip_mix_is_still(const struct settings *s)
{
    return s->clip && s->mix_count == 0 &&
           (strcmp(s->clip, "none") == 0 || strcmp(s->clip, "rest") == 0 || strcmp(s->clip, "bind") == 0);
}

double clip_mix_frame_rate(const struct settings *settings, const struct clip *clip)
{
    double rate = clip ? clip->ticks_per_second : 0.0;
    if (settings->fps > 0)
        return settings->fps;
    /* glTF and COLLADA count in milliseconds: that is no frame rate */
    return rate >= 10.0 && rate <= 240.0 ? rate : 24.0;
}

/* A clip mix in the making. */
struct making {
    const struct settings *settings;
    const struct scene *scene;
    struct arena *arena;
    struct resolved_mix *out;
    double frame_rate;
    struct text words; /* the description */
    struct mix_part *parts;
    struct transition *transitions;
    struct mix_mask *masks;
    struct mix_layer *layers;
};

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

/*
 * Finds what a name stands for: a clip, else a pose: `still`, or where that is NULL too the rest pose. `rest` and
 * `bind` are poses where no clip answers to that name, `none` is the rest pose always. `*name` becomes the clip's in
 * the scene.
 */
static bool find_clip(struct making *m, const char **name, struct mix_part *out, struct error *err)
{
    bool is_rest = strcmp(*name, "rest") == 0, is_bind = strcmp(*name, "bind") == 0;
    *out = (struct mix_part){.weight = 1};
    if (strcmp(*name, "none") == 0)
        return true;
    out->clip = scene_find_clip(m->scene, *name, is_rest || is_bind ? ERROR_IGNORED : err);
    if (out->clip)
        *name = out->clip->name;
    return out->clip || is_rest || (is_bind && solve_bind(m, &out->still, err));
}

static bool has_node(const struct scene *scene, struct slice name)
{
    SCOPED(text) text = {0};
    text_add_bytes(&text, name.data, name.length);
    return scene_find_node(scene, text_string(&text)) != NO_INDEX;
}

/* Names may hold the sign of a mask: the first one counts before which a bone of the scene stands. */
static struct mix_option mask_in(const struct scene *scene, const struct mix_option *option)
{
    struct mix_option tried = *option;
    if (option->kind != MIX_MASK || has_node(scene, option->bone))
        return tried;
    for (const char *sign = strchr(option->text, '='); sign; sign = strchr(sign + 1, '=')) {
        const struct slice bone = {option->text, (size_t)(sign - option->text)}, clip = slice_of(sign + 1);
        if (has_node(scene, bone) && parse(&tried, bone, clip))
            return tried;
    }
    return *option;
}

static void mark(const struct scene *scene, const char *name, bool *plays)
{
    const struct clip *clip = strcmp(name, "none") == 0 ? NULL : scene_find_clip(scene, name, ERROR_IGNORED);
    if (clip)
        plays[clip - scene->clips] = true;
}

void clip_mix_mark(const struct settings *settings, const struct scene *scene, bool *plays)
{
    SCOPED(text) name = {0};
    for (size_t i = 0; i < settings->mix_count; i++) {
        const struct mix_option option = mask_in(scene, &settings->mix[i]);
        name.size = 0;
        text_add_bytes(&name, option.clip.data, option.clip.length);
        mark(scene, text_string(&name), plays);
    }
    if (settings->clip)
        mark(scene, settings->clip, plays);
    else if (scene->clip_count > 0 && count_of(settings, MIX_BLEND) == 0)
        plays[0] = true; /* who names none plays the first */
}

static bool add_option(struct making *m, const struct mix_option *given, struct error *err)
{
    const struct mix_option split = mask_in(m->scene, given), *option = &split;
    struct clip_mix *mix = &m->out->clip_mix;
    const char *name = arena_printf(m->arena, "%.*s", (int)option->clip.length, option->clip.data);
    const char *bone = arena_printf(m->arena, "%.*s", (int)option->bone.length, option->bone.data);
    const double start = option->start.value / (option->start.is_frames ? m->frame_rate : 1);
    const double end = option->end.value / (option->end.is_frames ? m->frame_rate : 1);
    struct mix_part part;
    struct mix_layer *layer;
    int32_t node;
    if (!find_clip(m, &name, &part, err))
        return false;
    switch (option->kind) {
    case MIX_MASK:
        node = scene_find_bone(m->scene, bone, err);
        if (node == NO_INDEX)
            return error_prefix(err, "--mask");
        for (size_t i = 0; i < mix->mask_count; i++)
            if (m->masks[i].node == (uint32_t)node)
                return error_set(err, "--mask: two masks are for `%s`; it can play one clip only", bone);
        m->masks[mix->mask_count++] = (struct mix_mask){(uint32_t)node, part.clip, start, part.still};
        text_addf(&m->words, ", %s=%s", bone, name);
        text_add(&m->words, start != 0 ? "@" : "");
        if (start != 0)
            text_add_double(&m->words, start);
        return true;
    case MIX_ADD:
        layer = &m->layers[mix->layer_count++];
        *layer = (struct mix_layer){.clip = part.clip, .still = part.still, .weight = option->weight,
                                    .is_to_pose = option->reference != TO_FIRST_FRAME};
        text_addf(&m->words, ", add %s:", name);
        text_add_double(&m->words, option->weight);
        text_add(&m->words, references[option->reference]);
        return option->reference != TO_BIND_POSE || solve_bind(m, &layer->reference, err);
    case MIX_BLEND:
        part.weight = option->weight;
        text_addf(&m->words, "%s%s:", mix->part_count ? "+" : "", name);
        text_add_double(&m->words, option->weight);
        break;
    default: /* a transition */
        m->transitions[mix->transition_count++] = (struct transition){start, end};
        text_addf(&m->words, " -> %s@", name);
        text_add_double(&m->words, start);
        text_add(&m->words, "..");
        text_add_double(&m->words, end);
    }
    m->parts[mix->part_count++] = part;
    return true;
}

static bool add_all(struct making *m, enum mix_kind kind, struct error *err)
{
    for (size_t i = 0; i < m->settings->mix_count; i++)
        if (m->settings->mix[i].kind == kind && !add_option(m, &m->settings->mix[i], err))
            return false;
    return true;
}

static bool resolve(struct making *m, struct error *err)
{
    struct clip_mix *mix = &m->out->clip_mix;
    const size_t count = m->settings->mix_count + 1;
    mix->parts = m->parts = ARENA_NEW(m->arena, struct mix_part, count);
    mix->transitions = m->transitions = ARENA_NEW(m->arena, struct transition, count);
    mix->masks = m->masks = ARENA_NEW(m->arena, struct mix_mask, count);
    mix->layers = m->layers = ARENA_NEW(m->arena, struct mix_layer, count);
    if (!clip_mix_check(m->settings, &(struct value_source){.err = err}, NULL) || !add_all(m, MIX_BLEND, err))
        return false;
    if (mix->part_count == 0) { /* where nothing is blended: one clip, or the first */
        const struct clip *first = m->scene->clip_count > 0 ? &m->scene->clips[0] : NULL;
        const char *name = m->settings->clip ? m->settings->clip : first ? first->name : "rest";
        m->parts[0] = (struct mix_part){.clip = first, .weight = 1};
        if (m->settings->clip && !find_clip(m, &name, &m->parts[0], err))
            return false;
        mix->part_count = 1;
        text_add(&m->words, name);
    }
    m->out->clip = mix->parts[0].clip;
    m->frame_rate = clip_mix_frame_rate(m->settings, m->out->clip);
    if (!add_all(m, MIX_TRANSITION, err))
        return false;
    if (!transition_check(mix->transitions, mix->transition_count, err))
        return error_prefix(err, "--transition");
    return add_all(m, MIX_MASK, err) && add_all(m, MIX_ADD, err);
}

bool clip_mix_resolve(const struct settings *settings, const struct scene *scene, struct arena *arena,
                      struct resolved_mix *out, struct error *err)
{
    struct making making = {.settings = settings, .scene = scene, .arena = arena, .out = out};
    struct clip_mix *mix = &out->clip_mix;
    *out = (struct resolved_mix){0};
    *mix = (struct clip_mix){.wrap = settings->wrap, .rate = settings->rate, .is_in_place = settings->in_place,
                             .up_axis = settings->up_axis >= 0 ? settings->up_axis : scene->up_axis};
    bool good = resolve(&making, err);
    out->is_still =
        good && mix->part_count == 1 && !mix->parts[0].clip && mix->mask_count == 0 && mix->layer_count == 0;
    if (good && (!out->is_still || mix->parts[0].still))
        out->description = arena_string(arena, text_string(&making.words));
    text_release(&making.words);
    return good;
}
