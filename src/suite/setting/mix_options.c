#include "suite/setting/mix_options.h"

#include <math.h>
#include <string.h>

static const double most_seconds = 1e6, most_weight = 1000, least_rate = 0.001, most_rate = 1000;

/* ---- parts of a text ----------------------------------------------------------------------------------------- */

static bool read_number(const char *text, size_t length, double most, double *out)
{
    return settings_number(text, length, out) && fabs(*out) <= most;
}

static bool read_clip_time(const char *text, size_t length, struct clip_time *out)
{
    out->is_frames = length > 0 && text[length - 1] == 'f';
    return read_number(text, length - out->is_frames, most_seconds, &out->value);
}

/* Names may hold the mark, numbers never do: the last one counts. */
static const char *last_mark(struct words words, char mark)
{
    for (size_t i = words.length; i > 0; i--)
        if (words.text[i - 1] == mark)
            return words.text + i - 1;
    return NULL;
}

static struct words all_of(const char *text)
{
    return (struct words){text, strlen(text)};
}

static struct words before(struct words words, const char *mark)
{
    return (struct words){words.text, (size_t)(mark - words.text)};
}

static struct words after(struct words words, const char *mark)
{
    return (struct words){mark + 1, words.length - (size_t)(mark + 1 - words.text)};
}

/* CLIP:WEIGHT */
static bool read_weighted(struct words words, struct mix_option *out)
{
    const char *colon = last_mark(words, ':');
    if (!colon || colon == words.text)
        return false;
    out->clip = before(words, colon);
    struct words weight = after(words, colon);
    return read_number(weight.text, weight.length, most_weight, &out->weight);
}

/* ---- values -------------------------------------------------------------------------------------------------- */

bool mix_option_read_blend(const char *value, struct mix_option *out, struct error *err)
{
    *out = (struct mix_option){0};
    if (!read_weighted(all_of(value), out))
        return error_set(err, "--blend: `%s` is not CLIP:WEIGHT with a weight from 0 to %g", value, most_weight);
    if (out->weight < 0)
        return error_set(err, "--blend: `%s`: a weight is not negative", value);
    return true;
}

bool mix_option_read_transition(const char *value, struct mix_option *out, struct error *err)
{
    *out = (struct mix_option){0};
    struct words all = all_of(value);
    const char *at = last_mark(all, '@');
    bool good = at && at > value;
    if (good) {
        struct words range = after(all, at);
        const char *dots = strstr(range.text, "..");
        out->clip = before(all, at);
        good = dots && read_clip_time(range.text, (size_t)(dots - range.text), &out->start) &&
               read_clip_time(dots + 2, strlen(dots + 2), &out->end);
    }
    if (!good)
        return error_set(err, "--transition: `%s` is not CLIP@START..END (seconds, or frames as in 12f..18f)", value);
    if (out->start.value < 0)
        return error_set(err, "--transition: `%s` begins before the timeline does", value);
    if (out->start.is_frames == out->end.is_frames && out->end.value < out->start.value)
        return error_set(err, "--transition: `%s` ends before it begins", value);
    return true;
}

bool mix_option_read_mask(const char *value, struct mix_option *out, struct error *err)
{
    *out = (struct mix_option){0};
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || equals[1] == '\0')
        return error_set(err, "--mask: `%s` is not BONE=CLIP or BONE=CLIP@OFFSET", value);
    out->bone = before(all_of(value), equals);
    out->clip = after(all_of(value), equals);
    const char *at = last_mark(out->clip, '@');
    struct words offset = at ? after(out->clip, at) : (struct words){"", 0};
    if (at && at > out->clip.text && read_clip_time(offset.text, offset.length, &out->start))
        out->clip = before(out->clip, at);
    else
        out->start = (struct clip_time){0};
    return true;
}

const char *const mix_option_references[3] = {"", "@rest", "@bind"};

bool mix_option_read_add(const char *value, struct mix_option *out, struct error *err)
{
    *out = (struct mix_option){0};
    struct words words = all_of(value);
    for (int i = TO_REST_POSE; i <= TO_BIND_POSE; i++) {
        size_t length = strlen(mix_option_references[i]);
        if (strlen(value) <= length || strcmp(value + strlen(value) - length, mix_option_references[i]) != 0)
            continue;
        out->reference = (enum reference)i;
        words.length -= length;
    }
    return read_weighted(words, out) ||
           error_set(
               err, "--add: `%s` is not CLIP:WEIGHT, CLIP:WEIGHT@rest or CLIP:WEIGHT@bind with a weight from -%g to %g",
               value, most_weight, most_weight);
}

/* ---- setters ------------------------------------------------------------------------------------------------- */

static bool keep(struct settings *settings, struct mix_option_list *list, const char *value, const char *what,
                 struct error *err)
{
    if (list->count == MAX_MIX_OPTIONS)
        return error_set(err, "%s: at most %d", what, MAX_MIX_OPTIONS);
    list->values[list->count++] = value;
    settings->clip_was_set = true;
    return true;
}

bool mix_option_set_blend(struct settings *s, const char *value, struct error *err)
{
    struct mix_option mix_option;
    return mix_option_read_blend(value, &mix_option, err) && keep(s, &s->blends, value, "--blend", err);
}

bool mix_option_set_transition(struct settings *s, const char *value, struct error *err)
{
    struct mix_option mix_option;
    return mix_option_read_transition(value, &mix_option, err) && keep(s, &s->transitions, value, "--transition", err);
}

bool mix_option_set_mask(struct settings *s, const char *value, struct error *err)
{
    struct mix_option mix_option;
    return mix_option_read_mask(value, &mix_option, err) && keep(s, &s->masks, value, "--mask", err);
}

bool mix_option_set_add(struct settings *s, const char *value, struct error *err)
{
    struct mix_option mix_option;
    return mix_option_read_add(value, &mix_option, err) && keep(s, &s->additions, value, "--add", err);
}

bool mix_option_set_rate(struct settings *s, const char *value, struct error *err)
{
    double rate = 0;
    if (!read_number(value, strlen(value), most_rate, &rate) || fabs(rate) < least_rate)
        return error_set(err, "--rate: `%s` is not a number from %g to %g, or the same below 0 to play backwards",
                         value, least_rate, most_rate);
    s->rate = rate;
    return true;
}

bool mix_option_set_in_place(struct settings *s, const char *value, struct error *err)
{
    (void)value;
    (void)err;
    s->in_place = true;
    return true;
}

/* ---- all together -------------------------------------------------------------------------------------------- */

bool mix_option_has_frames(const struct settings *s)
{
    struct mix_option mix_option;
    struct error ignored = {0};
    for (size_t i = 0; i < s->transitions.count; i++)
        if (mix_option_read_transition(s->transitions.values[i], &mix_option, &ignored) &&
            (mix_option.start.is_frames || mix_option.end.is_frames))
            return true;
    for (size_t i = 0; i < s->masks.count; i++)
        if (mix_option_read_mask(s->masks.values[i], &mix_option, &ignored) && mix_option.start.is_frames)
            return true;
    return false;
}

bool mix_option_check(const struct settings *s, struct error *err)
{
    double sum = 0;
    if (s->blends.count == 0)
        return true;
    if (s->clip)
        return error_set(err,
                         "--blend: it names all its clips, so `clip` has no place beside it: give `%s` a weight "
                         "of its own in the blend",
                         s->clip);
    if (s->transitions.count > 0)
        return error_set(err, "--blend: a `transition` leads from a `clip`, not from a blend; use one or the other");
    for (size_t i = 0; i < s->blends.count; i++) {
        struct mix_option blend;
        if (!mix_option_read_blend(s->blends.values[i], &blend, err))
            return false;
        sum += blend.weight;
    }
    return sum > 0 || error_set(err, "--blend: all weights are 0");
}

bool mix_option_is_still(const struct settings *s)
{
    bool is_pose =
        s->clip && (strcmp(s->clip, "none") == 0 || strcmp(s->clip, "rest") == 0 || strcmp(s->clip, "bind") == 0);
    return is_pose && s->transitions.count == 0 && s->masks.count == 0 && s->additions.count == 0;
}

static void write_values(const struct mix_option_list *list, const char *first, const char *next, struct text *out)
{
    for (size_t i = 0; i < list->count; i++)
        text_addf(out, "%s%s", i ? next : first, list->values[i]);
}

void mix_option_write(const struct settings *s, struct text *out)
{
    if (s->blends.count == 0)
        text_add(out, s->clip ? s->clip : "(first)");
    write_values(&s->blends, "", "+", out);
    write_values(&s->transitions, " -> ", " -> ", out);
    write_values(&s->masks, ", ", ", ", out);
    write_values(&s->additions, ", add ", ", add ", out);
}

void mix_option_write_list(const struct mix_option_list *list, struct text *out)
{
    if (list->count == 0)
        text_add(out, "none");
    write_values(list, "", ",", out);
}
