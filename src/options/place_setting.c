/*
 * Where the model is put, on a command line or in a suite: turn=D (degrees around the up axis) or turn=X:Y:Z (around
 * x, then y, then z), scale=F, move=X:Y:Z; or a mapping of these parts, {turn: 90, scale: 2, move: [0, 1, 0]}. Parts
 * that are not named stay as they were.
 */
#include <string.h>

#include "options/settings.h"

static bool read_turn(struct value_source *source, void *target, const struct tree_node *value)
{
    struct model_place *place = target;
    const bool is_one = value->kind == TREE_TEXT && !strchr(value->text, ':');
    const struct setting *row = source->row;
    const struct setting part = {
        .size = is_one ? sizeof place->turn_up : sizeof place->turn, .least = -row->most, .most = row->most};
    const struct model_place was = *place;
    *place = (struct model_place){.scale = was.scale};
    memcpy(place->move, was.move, sizeof was.move);
    source->row = &part;
    bool good =
        is_one ? value_number.read(source, &place->turn_up, value) : value_vector.read(source, place->turn, value);
    source->row = row;
    return good;
}

static const struct value_type value_turn = {read_turn, NULL, FORM_TEXT | FORM_NUMBER | FORM_LIST};

#define PART(member) VALUE_IN(struct settings, place.member)
const struct setting place_parts[PLACE_PARTS] = {
    {"turn", NULL, NULL, 0, &value_turn, VALUE_IN(struct settings, place), .most = 36000},
    {"scale", NULL, NULL, 0, &value_number, PART(scale), .least = 1e-6, .most = 1e6},
    {"move", NULL, NULL, 0, &value_vector, PART(move), .most = 1e9},
};

static bool read_place(struct value_source *source, void *target, const struct tree_node *value)
{
    unsigned ignored;
    if (value->kind == TREE_MAPPING && value->count == 0)
        return value_fail(source, value, "the mapping is empty");
    if (value->kind == TREE_MAPPING)
        return value_read_fields(source, place_parts, PLACE_PARTS, target, value);
    return settings_read_parts(source, place_parts, PLACE_PARTS, target, value, 0,
                               "turn=D or turn=X:Y:Z (degrees), scale= or move=X:Y:Z", &ignored);
}

/* Writes the value that --place would want; "none" where it changes nothing. */
static void write_place(const struct setting *row, const void *target, struct text *out)
{
    const struct model_place *place = &((const struct settings *)target)->place;
    const size_t start = out->size;
    const float zero[3] = {0};
    (void)row;
    if (place->turn_up != 0) {
        text_add(out, "turn=");
        text_add_float(out, place->turn_up);
    } else if (memcmp(place->turn, zero, sizeof zero) != 0) {
        text_add(out, "turn=");
        value_vector.write(&place_parts[2], place->turn, out); /* as long */
    }
    if (place->scale != 0 && place->scale != 1) {
        text_addf(out, "%sscale=", out->size > start ? "," : "");
        text_add_float(out, place->scale);
    }
    if (memcmp(place->move, zero, sizeof zero) != 0) {
        text_addf(out, "%smove=", out->size > start ? "," : "");
        value_vector.write(&place_parts[2], place->move, out);
    }
    if (out->size == start)
        text_add(out, "none");
}

const struct value_type value_place = {read_place, write_place, FORM_TEXT | FORM_MAPPING};
