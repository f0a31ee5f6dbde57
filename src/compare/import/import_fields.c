/* Members of an import that are compared one by one: a rule each, walked by the field tables that write import.json. */
#include <math.h>
#include <string.h>

#include "compare/import/import_compare.h"
#include "data/json_fields.h"

/* A member that is compared: what is said when it differs, and how much it may. */
struct rule {
    enum ruled of;
    const char *key; /* of its row in the field table */
    enum finding_code code;
    const char
        *phrases[3];    /* of a flag: false now, true now; of what may be absent: none now, none before, another; of an
                             * array: of each item; else the first. NULL: "{n}, was {w}" */
    const char *detail; /* for several; NULL: the phrase */
    double least;       /* a number is relative to itself, or to this where that is more; 0: it is absolute */
    double factor;      /* a number is said times this; 0: 1 */
    bool is_name;       /* of another noun, which may have another name now */
    enum noun noun;
    bool joins; /* the sentence of the rule before, where there is one */
};

#define NAME_OF(which) .is_name = true, .noun = (which)
#define DEGREES .factor = 57.29577951308232

// clang-format off
static const struct rule rules[] = {
    {RULES_IMPORT, "up", CODE_UP_AXIS},
    {RULES_MESH, "vertices", CODE_MESH_COUNTS, {"{n} vertices, were {w}"}},
    {RULES_MESH, "triangles", CODE_MESH_COUNTS, {"{n} triangles, were {w}"}, .joins = true},
    {RULES_MESH, "uvs", CODE_MESH_UVS, {"are lost", "are new"}},
    {RULES_MESH, "morph_targets", CODE_MESH_TARGETS, {"{n} morph target{p}, were {w}"}, "{n}, were {w}"},
    {RULES_MESH, "material", CODE_MESH_MATERIAL, {NULL}, NAME_OF(NOUN_MATERIAL)},
    {RULES_BONE, "follows_mesh_node", CODE_BONE_STANDS_IN,
     {"in the file now: it held vertices without weights",
          "not in the file any more: it holds vertices without weights"}},
    {RULES_TARGET, "name", CODE_TARGET_NAME, {"is {n} now"}},
    {RULES_TARGET, "moved", CODE_TARGET_MOVED, {"moves {n} vertices, were {w}"}, "{n}, were {w}"},
    {RULES_TARGET, "weight", CODE_TARGET_WEIGHT},
    {RULES_TARGET, "normal", CODE_TARGET_NORMALS,
     {"lost its normals", "has normals now", "changes normals by {n} on average, was {w}"}},
    {RULES_MATERIAL, "base_color", CODE_MATERIAL_COLOR, .least = 1},
    {RULES_MATERIAL, "base_texture", CODE_MATERIAL_TEXTURE, {"gone, was {w}", "{n}, had none", "{n}, was {w}"},
     NAME_OF(NOUN_TEXTURE)},
    {RULES_MATERIAL, "wrap", CODE_MATERIAL_WRAP, {"{n} along u, was {w}", "{n} along v, was {w}"}},
    {RULES_MATERIAL, "alpha", CODE_MATERIAL_ALPHA},
    {RULES_MATERIAL, "cutoff", CODE_MATERIAL_ALPHA, {"cut out at an alpha of {n}, was at {w}"}},
    {RULES_MATERIAL, "two_sided", CODE_MATERIAL_SIDES, {"one-sided now", "two-sided now"}},
    {RULES_MATERIAL, "unlit", CODE_MATERIAL_UNLIT, {"lit now", "unlit now"}},
    {RULES_MAP, "texture", CODE_MAP_TEXTURE, {NULL}, NAME_OF(NOUN_TEXTURE)},
    {RULES_MAP, "wrap", CODE_MAP_TEXTURE, {"{n} along u, was {w}", "{n} along v, was {w}"}},
    {RULES_MAP, "strength", CODE_MAP_CHANGED, {"the strength {n}, had {w}"}, .least = 1},
    {RULES_MAP, "uv", CODE_MAP_CHANGED, {"the UV set {n}, had {w}"}},
    {RULES_MAP, "offset", CODE_MAP_CHANGED, {"the UV offset {n}, had {w}"}, .least = 1},
    {RULES_MAP, "scale", CODE_MAP_CHANGED, {"the UV scale {n}, had {w}"}, .least = 1},
    {RULES_MAP, "rotation", CODE_MAP_CHANGED, {"a UV rotation of {n}°, had {w}°"}, .least = 1, DEGREES},
    {RULES_MAP, "min_filter", CODE_MAP_CHANGED, {"the min filter {n}, had {w}"}},
    {RULES_MAP, "mag_filter", CODE_MAP_CHANGED, {"the mag filter {n}, had {w}"}},
    {RULES_CLIP, "ticks_per_second", CODE_CLIP_TICKS, {"{n} ticks per second, had {w}"}, .least = 1e-3},
    {RULES_CHANNEL, "unmatched", CODE_CHANNEL_UNMATCHED, {"finds its node now", "no longer finds its node"}},
    {RULES_CHANNEL, "repair", CODE_CHANNEL_REPAIR,
     {"in the file now, a repair had put it there", "put there by a repair now"}},
    {RULES_MORPH, "targets", CODE_MORPH_TARGETS, {"{n}, had {w}"}},
    {RULES_KEYS, "interpolation", CODE_KEYS_INTERPOLATION, {"{n}, were {w}"}},
    {RULES_CAMERA, "node", CODE_CAMERA_CHANGE,
     {"hangs on no node now, was on {w}", "hangs on {n} now, was on no node", "hangs on {n} now, was on {w}"},
     NAME_OF(NOUN_NODE)},
    {RULES_CAMERA, "fov_y", CODE_CAMERA_CHANGE, {"has a vertical field of view of {n}°, had {w}°"}, DEGREES},
    {RULES_CAMERA, "ortho_height", CODE_CAMERA_CHANGE, {"sees a height of {n} units, was {w}"}, .factor = 2,
         .least = 1e-3},
    {RULES_NOTE, "text", CODE_NOTE_TEXT, {"{n}; it said: {w}"}},
};
// clang-format on

/* Each struct is there in the tables of import.json. */
static const char *const paths[][3] = {
    [RULES_IMPORT] = {NULL},
    [RULES_MESH] = {"meshes"},
    [RULES_BONE] = {"meshes", "bones"},
    [RULES_TARGET] = {"meshes", "targets"},
    [RULES_MATERIAL] = {"materials"},
    [RULES_MAP] = {"materials", "maps"},
    [RULES_CLIP] = {"clips"},
    [RULES_CHANNEL] = {"clips", "channels"},
    [RULES_MORPH] = {"clips", "morphs"},
    [RULES_KEYS] = {"clips", "channels", "t"},
    [RULES_CAMERA] = {"cameras"},
    [RULES_NOTE] = {"repairs"},
};

/* The words of import.json are said so. */
static const char *word_in_prose(const char *word)
{
    static const char *const words[][2] = {{"repeat", "repeated"},
                                           {"clamp", "clamped"},
                                           {"mirror", "mirrored"},
                                           {"mask", "cut out by alpha"},
                                           {"blend", "blended by alpha"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i][0]) == 0)
            return words[i][1];
    return word;
}

static bool is_text(const struct field *row)
{
    return row->type == FIELD_TEXT || row->type == FIELD_TEXT_OR_NULL || row->type == FIELD_WORD;
}

static const char *text_at(const void *member)
{
    const char *text;
    memcpy(&text, member, sizeof text);
    return text;
}

static double number_at(const struct field *row, const void *member, uint32_t i)
{
    return row->type == FIELD_DOUBLE ? *(const double *)member : (double)((const float *)member)[i];
}

/* Measures how far a member is from what it was: 0 where it is the same or one side does not know, INFINITY where
 * no tolerance allows it. */
static double measure_member(const struct import_context *c, const struct rule *rule, const struct field *row,
                             const void *was, const void *now)
{
    double measure = 0.0;
    if (rule->is_name)
        return same_name(&c->renames[rule->noun], text_at(was), text_at(now)) ? 0.0 : INFINITY;
    if (is_text(row))
        return text_at(was) && text_at(now) && strcmp(text_at(was), text_at(now)) != 0 ? INFINITY : 0.0;
    if (row->type == FIELD_BOOL || row->type == FIELD_COUNT)
        return memcmp(was, now, row->size) != 0 ? INFINITY : 0.0;
    for (uint32_t i = 0; i == 0 || i < row->width; i++) {
        double before = number_at(row, was, i), gap = fabs(number_at(row, now, i) - before);
        measure = worse(measure, rule->least > 0 ? gap / fmax(fabs(before), rule->least) : gap);
    }
    return measure;
}

static struct value value_of(const struct rule *rule, const struct field *row, const void *member)
{
    if (is_text(row))
        return !text_at(member)                            ? no_value
               : rule->is_name || rule->of == RULES_TARGET ? value_name(text_at(member))
                                                           : value_words(word_in_prose(text_at(member)));
    if (row->type == FIELD_BOOL)
        return no_value;
    if (row->type == FIELD_COUNT)
        return value_count(*(const uint32_t *)member);
    return row->width > 1 ? value_numbers(member, row->width)
                          : value_number((rule->factor > 0 ? rule->factor : 1.0) * number_at(row, member, 0));
}

/* Chooses the phrase: by a flag, by what is absent, or by the place in an array. */
static const char *choose_phrase(const struct rule *rule, const struct field *row, const void *now, bool has_was,
                                 bool has_now, uint32_t item)
{
    size_t which = row->type == FIELD_BOOL ? *(const bool *)now
                   : !rule->phrases[2]     ? item
                   : !has_now              ? 0
                   : !has_was              ? 1
                                           : 2;
    return rule->phrases[which] ? rule->phrases[which] : "{n}, was {w}";
}

/* Adds to `last` what joins it. Returns the change, or NULL where there is none. */
static struct change *compare_member(struct import_context *c, const struct rule *rule, const struct field *row,
                                     const void *was, const void *now, uint32_t item, const struct change *pattern,
                                     struct change *last)
{
    struct finding finding = pattern->finding;
    bool is_own = rule->is_name || (row->flags & FIELD_OMITTED && row->counter_size > 0 && !row->standard);
    const char *before = field_value(row, was), *after = field_value(row, now);
    bool has_was = rule->is_name ? text_at(before) != NULL : !field_is_absent(row, was);
    bool has_now = rule->is_name ? text_at(after) != NULL : !field_is_absent(row, now);
    const struct field *member = row->type == FIELD_ARRAY ? row->fields->rows : row;
    before += row->type == FIELD_ARRAY ? item * row->fields->size : 0;
    after += row->type == FIELD_ARRAY ? item * row->fields->size : 0;
    double measure = is_own && has_was != has_now ? INFINITY : measure_member(c, rule, member, before, after);
    if (!import_beyond(c, &finding, measure))
        return NULL;
    const char *phrase = choose_phrase(rule, member, after, has_was, has_now, item);
    struct change *change =
        import_change(c, rule->code, &finding, phrase, value_of(rule, member, after), value_of(rule, member, before));
    change->index = pattern->index;
    change->detail = rule->detail;
    if (!rule->joins || !last)
        return change;
    struct change *joined = ARENA_NEW(c->arena, struct change, 1);
    *joined = *change;
    c->change_count--;
    last = change - 1;
    last->also = joined;
    last->finding.measure = worse(last->finding.measure, joined->finding.measure);
    return last;
}

void import_compare_fields(struct import_context *c, enum ruled ruled, const void *was, const void *now,
                           const struct finding *finding, uint32_t index)
{
    const struct fields *fields = &import_snapshot_fields;
    const struct change pattern = {.finding = *finding, .index = index};
    struct change *last = NULL;
    for (int i = 0; i < 3 && paths[ruled][i]; i++)
        fields = fields_find(fields, paths[ruled][i])->fields;
    for (const struct rule *rule = rules; rule < rules + sizeof rules / sizeof *rules; rule++) {
        if (rule->of != ruled)
            continue;
        const struct field *row = fields_find(fields, rule->key);
        if (row->when && (!row->when(was, NULL) || !row->when(now, NULL)))
            continue;
        for (uint32_t item = 0; item < (row->type == FIELD_ARRAY ? row->width : 1); item++)
            last = compare_member(c, rule, row, was, now, item, &pattern, last);
    }
}
