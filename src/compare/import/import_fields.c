/* Members of an import that are compared one by one: a rule each, walked by the field tables that write import.json. */
#include <math.h>
#include <string.h>

#include "compare/import/import_compare.h"
#include "data/json_fields.h"

/* A member that is compared: what is said when it differs, and how much it may. */
struct rule {
    const char *list; /* of import.json, that holds the structs; "t" the keys of any component, "" the import */
    const char *key;  /* of its row in the field table */
    enum finding_code code;
    /* Phrases of a flag: false now, true now; of what may be absent: none now, none before, another; of an array: of
     * each item; else the first. NULL: "{now}, was {was}". */
    const char *phrases[3];
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
    {"", "up", CODE_UP_AXIS},
    {"meshes", "vertices", CODE_MESH_COUNTS, {"{now} vertices, were {was}"}},
    {"meshes", "triangles", CODE_MESH_COUNTS, {"{now} triangles, were {was}"}, .joins = true},
    {"meshes", "uvs", CODE_MESH_UVS, {"are lost", "are new"}},
    {"meshes", "morph_targets", CODE_MESH_TARGETS, {"{now} morph target{s}, were {was}"}, "{now}, were {was}"},
    {"meshes", "material", CODE_MESH_MATERIAL, {NULL}, NAME_OF(NOUN_MATERIAL)},
    {"bones", "follows_mesh_node", CODE_BONE_STANDS_IN,
     {"in the file now: it held vertices without weights",
      "not in the file any more: it holds vertices without weights"}},
    {"targets", "name", CODE_TARGET_NAME, {"is {now} now"}},
    {"targets", "moved", CODE_TARGET_MOVED, {"moves {now} vertices, were {was}"}, "{now}, were {was}"},
    {"targets", "weight", CODE_TARGET_WEIGHT},
    {"targets", "normal", CODE_TARGET_NORMALS,
     {"lost its normals", "has normals now", "changes normals by {now} on average, was {was}"}},
    {"materials", "base_color", CODE_MATERIAL_COLOR, .least = 1},
    {"materials", "base_texture", CODE_MATERIAL_TEXTURE, {"gone, was {was}", "{now}, had none", "{now}, was {was}"},
     NAME_OF(NOUN_TEXTURE)},
    {"materials", "wrap", CODE_MATERIAL_WRAP, {"{now} along u, was {was}", "{now} along v, was {was}"}},
    {"materials", "alpha", CODE_MATERIAL_ALPHA},
    {"materials", "cutoff", CODE_MATERIAL_ALPHA, {"cut out at an alpha of {now}, was at {was}"}},
    {"materials", "two_sided", CODE_MATERIAL_SIDES, {"one-sided now", "two-sided now"}},
    {"materials", "unlit", CODE_MATERIAL_UNLIT, {"lit now", "unlit now"}},
    {"maps", "texture", CODE_MAP_TEXTURE, {NULL}, NAME_OF(NOUN_TEXTURE)},
    {"maps", "wrap", CODE_MAP_TEXTURE, {"{now} along u, was {was}", "{now} along v, was {was}"}},
    {"maps", "strength", CODE_MAP_CHANGED, {"the strength {now}, had {was}"}, .least = 1},
    {"maps", "uv", CODE_MAP_CHANGED, {"the UV set {now}, had {was}"}},
    {"maps", "offset", CODE_MAP_CHANGED, {"the UV offset {now}, had {was}"}, .least = 1},
    {"maps", "scale", CODE_MAP_CHANGED, {"the UV scale {now}, had {was}"}, .least = 1},
    {"maps", "rotation", CODE_MAP_CHANGED, {"a UV rotation of {now}°, had {was}°"}, .least = 1, DEGREES},
    {"maps", "min_filter", CODE_MAP_CHANGED, {"the min filter {now}, had {was}"}},
    {"maps", "mag_filter", CODE_MAP_CHANGED, {"the mag filter {now}, had {was}"}},
    {"clips", "ticks_per_second", CODE_CLIP_TICKS, {"{now} ticks per second, had {was}"}, .least = 1e-3},
    {"channels", "unmatched", CODE_CHANNEL_UNMATCHED, {"finds its node now", "no longer finds its node"}},
    {"channels", "repair", CODE_CHANNEL_REPAIR,
     {"in the file now, a repair had put it there", "put there by a repair now"}},
    {"morphs", "targets", CODE_MORPH_TARGETS, {"{now}, had {was}"}},
    {"t", "interpolation", CODE_KEYS_INTERPOLATION, {"{now}, were {was}"}},
    {"cameras", "node", CODE_CAMERA_CHANGE,
     {"hangs on no node now, was on {was}", "hangs on {now} now, was on no node", "hangs on {now} now, was on {was}"},
     NAME_OF(NOUN_NODE)},
    {"cameras", "fov_y", CODE_CAMERA_CHANGE, {"has a vertical field of view of {now}°, had {was}°"}, DEGREES},
    {"cameras", "ortho_height", CODE_CAMERA_CHANGE, {"sees a height of {now} units, was {was}"}, .factor = 2,
         .least = 1e-3},
    {"repairs", "text", CODE_NOTE_TEXT, {"{now}; it said: {was}"}},
};
// clang-format on

/* The table of what the list holds, wherever it is. */
static const struct fields *find_table(const struct fields *fields, const char *list)
{
    const struct fields *found = *list ? NULL : fields;
    for (size_t i = 0; i < fields->count && !found; i++)
        if (fields->rows[i].key && fields->rows[i].fields)
            found = strcmp(fields->rows[i].key, list) == 0 ? fields->rows[i].fields
                                                           : find_table(fields->rows[i].fields, list);
    return found;
}

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
        return !text_at(member)                                      ? no_value
               : rule->is_name || strcmp(rule->list, "targets") == 0 ? value_name(text_at(member))
                                                                     : value_words(word_in_prose(text_at(member)));
    if (row->type == FIELD_BOOL)
        return no_value;
    if (row->type == FIELD_COUNT)
        return value_count(*(const uint32_t *)member);
    return row->width > 1 ? value_numbers(member, row->width)
                          : value_number((rule->factor > 0 ? rule->factor : 1.0) * number_at(row, member, 0));
}

/* A member of a pair of structs that has a rule: of an array one item. next_member() goes from one to the next. */
struct member {
    const char *list;
    const struct fields *fields;
    const void *structs_was, *structs_now;
    const struct rule *rule; /* NULL before the first */
    uint32_t item;
    const struct field *row;
    const char *was, *now;
    bool has_was, has_now; /* where it may be absent */
};

static struct member members_of(const char *list, const void *was, const void *now)
{
    return (struct member){list, find_table(&import_snapshot_fields, list), was, now};
}

/* Finds the next that both structs have. */
static bool next_member(struct member *m)
{
    const struct field *row = m->rule ? fields_find(m->fields, m->rule->key) : NULL;
    const bool is_within = row && row->type == FIELD_ARRAY && m->item + 1 < row->width;
    m->item = is_within ? m->item + 1 : 0;
    for (m->rule = !m->rule ? rules : is_within ? m->rule : m->rule + 1;; m->rule++) {
        if (m->rule == rules + sizeof rules / sizeof *rules)
            return false;
        row = strcmp(m->rule->list, m->list) == 0 ? fields_find(m->fields, m->rule->key) : NULL;
        if (row && (!row->when || (row->when(m->structs_was, NULL) && row->when(m->structs_now, NULL))))
            break;
    }
    bool may_lack = row->flags & FIELD_OMITTED && row->counter_size > 0 && !row->standard;
    m->was = field_value(row, m->structs_was);
    m->now = field_value(row, m->structs_now);
    m->has_was = m->rule->is_name ? text_at(m->was) != NULL : !may_lack || !field_is_absent(row, m->structs_was);
    m->has_now = m->rule->is_name ? text_at(m->now) != NULL : !may_lack || !field_is_absent(row, m->structs_now);
    m->row = row->type == FIELD_ARRAY ? row->fields->rows : row;
    m->was += row->type == FIELD_ARRAY ? m->item * row->fields->size : 0;
    m->now += row->type == FIELD_ARRAY ? m->item * row->fields->size : 0;
    return true;
}

static double measure(const struct import_context *c, const struct member *m)
{
    return m->has_was != m->has_now ? INFINITY : measure_member(c, m->rule, m->row, m->was, m->now);
}

/* Chooses the phrase by a flag, by what is absent, or by the place in an array. */
static const char *choose_phrase(const struct member *m)
{
    size_t which = m->row->type == FIELD_BOOL ? *(const bool *)m->now
                   : !m->rule->phrases[2]     ? m->item
                   : !m->has_now              ? 0
                   : !m->has_was              ? 1
                                              : 2;
    return m->rule->phrases[which] ? m->rule->phrases[which] : "{now}, was {was}";
}

void import_compare_fields(struct import_context *c, const char *list, const void *was, const void *now,
                           const struct finding *finding, uint32_t index)
{
    struct member m = members_of(list, was, now);
    for (bool found = false; next_member(&m);) {
        struct finding differs = *finding;
        bool joins = m.rule->joins && found;
        found = import_beyond(c, &differs, measure(c, &m));
        const struct value is = value_of(m.rule, m.row, m.now), before = value_of(m.rule, m.row, m.was);
        if (found && joins) { /* all that joins is as far off */
            import_change_also(c, choose_phrase(&m), is, before);
        } else if (found) {
            struct change *change = import_change(c, m.rule->code, &differs, choose_phrase(&m), is, before);
            change->says.index = index;
            change->says.detail = m.rule->detail;
        }
    }
}

bool import_are_alike(const struct import_context *c, const char *list, const void *was, const void *now)
{
    struct member m = members_of(list, was, now);
    while (next_member(&m))
        if (!(measure(c, &m) <= 1e-4))
            return false;
    return true;
}
