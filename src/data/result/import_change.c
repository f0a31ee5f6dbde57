#include "data/result/import_change.h"

#include <string.h>

#include "base/format_number.h"

const char *const noun_words[NOUN_COUNT][2] = {
    {"node", "nodes"}, {"texture", "textures"}, {"material", "materials"}, {"mesh", "meshes"},
    {"clip", "clips"}, {"camera", "cameras"},   {"repair", "repairs"},     {"warning", "warnings"}};

struct value value_numbers(const float *numbers, uint32_t width)
{
    struct value value = {VALUE_NUMBERS, .number = (double)numbers[0], .width = width};
    memcpy(value.vector, numbers, width * sizeof *numbers);
    return value;
}

/* "(0.8, 0.1, 0.1)" */
static const char *vector_of(const struct value *now, const struct value *was, bool is_now, struct arena *arena)
{
    const uint32_t width = now->width == 0 || (was->width > 0 && was->width < now->width) ? was->width : now->width;
    const char *vectors[2];
    format_vectors(now->vector, was->vector, width, arena, &vectors[1], &vectors[0]);
    return vectors[is_now];
}

void import_change_add(const struct import_change *change, enum change_value which, struct arena *arena,
                       struct text *out)
{
    const struct value *now = which == CHANGE_BY ? &change->by : &change->now;
    const struct value *was = which == CHANGE_BY ? &no_value : &change->was, *value = which == CHANGE_WAS ? was : now;
    struct formatted_pair pair;
    switch (value->unit) {
    case VALUE_NONE: return;
    case VALUE_NAME: text_addf(out, "`%s`", value->text); return;
    case VALUE_WORDS: text_add(out, value->text ? value->text : ""); return;
    case VALUE_COUNT: text_addf(out, "%.0f", value->number); return;
    case VALUE_LENGTH: text_add(out, format_length(value->number, change->unit_meters).text); return;
    case VALUE_SECONDS: pair = format_durations(now->number, was->number); break;
    case VALUE_NUMBERS: pair = format_numbers(now->number, was->number); break;
    }
    if (value->unit == VALUE_NUMBERS && (now->width > 1 || was->width > 1))
        text_add(out, vector_of(now, was, which != CHANGE_WAS, arena));
    else
        text_add(out, which == CHANGE_WAS ? pair.was : pair.now);
}
