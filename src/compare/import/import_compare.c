/* Two imports compared: noun by noun, matched and walked over by the tables of their members. */
#include "compare/import/import_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "compare/compare.h"
#include "compare/format_number.h"
#include "data/json_fields.h"

static const char *text_of(const void *member)
{
    const char *text;
    memcpy(&text, member, sizeof text);
    return text;
}

static double number_of(const struct rule *rule, const void *member)
{
    return rule->size == sizeof(float) ? (double)*(const float *)member : *(const double *)member;
}

/* How a word of the rule's list is told. */
static const char *told_word(const struct rule *rule, const char *word)
{
    for (int i = 0; rule->words && i < 3; i++)
        if (strcmp(word, rule->words[i]) == 0)
            return rule->told_as[i];
    return word;
}

/* How far a member is from what it was: 0 where it is the same or one side does not know, INFINITY where no tolerance
 * allows it. */
static double measure_member(const struct import_context *c, const struct rule *rule, const void *was, const void *now)
{
    double measure = 0.0;
    switch (rule->type) {
    case RULE_COUNT:
    case RULE_FLAG:
        return memcmp(was, now, rule->size) != 0 ? INFINITY : 0.0;
    case RULE_WORD:
        return text_of(was) && text_of(now) && strcmp(text_of(was), text_of(now)) != 0 ? INFINITY : 0.0;
    case RULE_NAME:
        return same_name(&c->renames[rule->noun], text_of(was), text_of(now)) ? 0.0 : INFINITY;
    case RULE_NUMBER:
        measure = fabs(number_of(rule, now) - number_of(rule, was));
        return rule->least > 0 ? measure / fmax(fabs(number_of(rule, was)), rule->least) : measure;
    case RULE_FLOATS:
        for (uint32_t i = 0; i < rule->width; i++) {
            double before = (double)((const float *)was)[i], after = (double)((const float *)now)[i];
            measure = worse(measure, fabs(after - before) / (rule->least > 0 ? fmax(fabs(before), rule->least) : 1.0));
        }
    }
    return measure;
}

/* The texts of a member now and before; returns which of the rule's words are said. */
static int tell_member(struct import_context *c, const struct rule *rule, const void *was, const void *now,
                       struct change *change)
{
    double factor = rule->factor > 0 ? rule->factor : 1.0;
    struct formatted_pair pair;
    switch (rule->type) {
    case RULE_COUNT:
        change->count = *(const uint32_t *)now;
        change->now = arena_printf(c->arena, "%u", *(const uint32_t *)now);
        change->was = arena_printf(c->arena, "%u", *(const uint32_t *)was);
        break;
    case RULE_FLAG:
        return *(const bool *)now;
    case RULE_WORD:
        change->now = told_word(rule, text_of(now));
        change->was = told_word(rule, text_of(was));
        break;
    case RULE_NAME:
        change->now = text_of(now);
        change->was = text_of(was);
        return !change->now ? 0 : !change->was ? 1 : 2;
    case RULE_NUMBER:
        pair = format_numbers(factor * number_of(rule, now), factor * number_of(rule, was));
        change->now = arena_string(c->arena, pair.now);
        change->was = arena_string(c->arena, pair.was);
        break;
    case RULE_FLOATS:
        format_vectors(now, was, rule->width, c->arena, &change->now, &change->was);
        break;
    }
    return 0;
}

void import_compare_members(struct import_context *c, const struct rule *rules, size_t count, const void *was,
                            const void *now, const struct finding *finding, uint32_t index)
{
    struct change *last = NULL;
    bool found = false;
    for (const struct rule *rule = rules; rule < rules + count; rule++) {
        const void *before = (const char *)was + rule->offset, *after = (const char *)now + rule->offset;
        struct change change = {.kind = rule->kind, .finding = *finding, .scope = c->scope, .index = index};
        if (!rule->joins)
            last = NULL;
        found = rule->otherwise && found;
        if (found || !import_beyond(c, &change.finding, measure_member(c, rule, before, after)))
            continue;
        int which = tell_member(c, rule, before, after, &change);
        const char *says = import_expand(c, rule->says[which], &change);
        const char *detail = rule->detail[which] ? import_expand(c, rule->detail[which], &change) : says;
        found = true;
        if (last) {
            last->says = arena_printf(c->arena, "%s; %s", last->says, says);
            last->detail = arena_printf(c->arena, "%s; %s", last->detail, detail);
            last->finding.measure = worse(last->finding.measure, change.finding.measure);
            continue;
        }
        last = import_change(c, rule->kind, &change.finding, says, detail);
        last->index = index;
    }
}

// clang-format off
#define MESH(member) FIELD_MEMBER(struct mesh_snapshot, member)
static const struct rule mesh_rules[] = {
    {CODE_MESH_COUNTS, RULE_COUNT, MESH(vertices), {"{n} vertices, were {w}"}},
    {CODE_MESH_COUNTS, RULE_COUNT, MESH(triangles), {"{n} triangles, were {w}"}, .joins = true},
    {CODE_MESH_UVS, RULE_FLAG, MESH(has_uvs), {"lost its texture coordinates", "has texture coordinates now"},
     {"they are lost", "there are some now"}},
    {CODE_MESH_TARGETS, RULE_COUNT, MESH(morph_targets), {"{n} morph target{p}, were {w}"}, {"{n}, were {w}"}},
    {CODE_MESH_MATERIAL, RULE_NAME, MESH(material), {"", "", "`{n}` now, had `{w}`"}, {"", "", "`{n}`, was `{w}`"},
     .noun = NOUN_MATERIAL},
};

static const char *const wraps_told[] = {"repeated", "clamped", "mirrored"};
static const char *const alphas_told[] = {"opaque", "cut out by alpha", "blended by alpha"};
#define MATERIAL(member) FIELD_MEMBER(struct material_snapshot, member)
static const struct rule material_rules[] = {
    {CODE_MATERIAL_COLOR, RULE_FLOATS, MATERIAL(base_color), {"{n}, was {w}"}, .width = 4, .least = 1},
    {CODE_MATERIAL_TEXTURE, RULE_NAME, MATERIAL(base_texture),
     {"lost its texture `{w}`", "has the texture `{n}` now", "has the texture `{n}` now, had `{w}`"},
     {"lost", "some now, had none", "`{n}`, was `{w}`"}, .noun = NOUN_TEXTURE},
    {CODE_MATERIAL_WRAP, RULE_WORD, MATERIAL(wrap[0]), {"{n} along u, was {w}"}, .words = wrap_words, .told_as = wraps_told},
    {CODE_MATERIAL_WRAP, RULE_WORD, MATERIAL(wrap[1]), {"{n} along v, was {w}"}, .words = wrap_words, .told_as = wraps_told},
    {CODE_MATERIAL_ALPHA, RULE_WORD, MATERIAL(alpha), {"{n} now, was {w}"}, {"{n}, was {w}"}, .words = alpha_words,
     .told_as = alphas_told},
    {CODE_MATERIAL_ALPHA, RULE_NUMBER, MATERIAL(cutoff), {"cut out at an alpha of {n}, was at {w}"}, {"cut at {n}, was {w}"},
     .otherwise = true},
    {CODE_MATERIAL_SIDES, RULE_FLAG, MATERIAL(two_sided), {"one-sided now", "two-sided now"},
     {"one now, were two", "two now, was one"}},
};

static const struct rule clip_rules[] = {
    {CODE_CLIP_TICKS, RULE_NUMBER, FIELD_MEMBER(struct clip_snapshot, ticks_per_second), {"{n} ticks per second, had {w}"},
     {"{n}, were {w}"}, .least = 1e-3},
};

#define CAMERA(member) FIELD_MEMBER(struct camera_snapshot, member)
static const struct rule camera_rules[] = {
    {CODE_CAMERA_CHANGE, RULE_NAME, CAMERA(node),
     {"hangs on no node now, was on `{w}`", "hangs on `{n}` now, was on no node", "hangs on `{n}` now, was on `{w}`"},
     .noun = NOUN_NODE},
    {CODE_CAMERA_CHANGE, RULE_NUMBER, CAMERA(fov_y), {"has a vertical field of view of {n}°, had {w}°"},
     .factor = 57.29577951308232},
    {CODE_CAMERA_CHANGE, RULE_NUMBER, CAMERA(ortho_height), {"sees a height of {n} units, was {w}"}, .factor = 2, .least = 1e-3},
};

static const struct rule note_rules[] = {
    {CODE_NOTE_TEXT, RULE_WORD, FIELD_MEMBER(struct note_snapshot, text), {"{n}; it said: {w}"}},
};
// clang-format on

static bool like_camera(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const struct camera_snapshot *g = &c->golden->cameras[golden], *a = &c->actual->cameras[actual];
    return same_name(&c->renames[NOUN_NODE], g->node, a->node) && fabs((double)g->fov_y - (double)a->fov_y) <= 1e-4 &&
           fabs((double)g->ortho_height - (double)a->ortho_height) <= 1e-4 * fabs((double)g->ortho_height);
}

// clang-format off
#define IMPORT_LIST(list, counter, type)                                                                               \
    offsetof(struct import_snapshot, list), offsetof(struct import_snapshot, counter), sizeof(struct type)
#define RULES(table) .rules = (table), .rule_count = sizeof(table) / sizeof *(table)
#define CONTEXT(type, member) .has_context = true, .context_at = offsetof(struct type, member)

/* Structs whose first member is their name. */
static const struct noun_table {
    size_t list, counter, size;
    bool has_context;
    size_t context_at; /* what tells those of one name apart */
    bool has_order;  /* in which they come: worth a word */
    bool (*alike[2])(const void *context, size_t golden, size_t actual); /* whether one may be the other, renamed */
    const struct rule *rules;
    size_t rule_count;
    void (*compare)(struct import_context *c, size_t was, size_t now);
} nouns[NOUN_COUNT] = {
    [NOUN_NODE] = {IMPORT_LIST(nodes, node_count, node_snapshot), CONTEXT(node_snapshot, parent)},
    [NOUN_TEXTURE] = {IMPORT_LIST(textures, texture_count, texture_snapshot), .alike = {import_like_texture},
                      .compare = import_compare_texture},
    [NOUN_MATERIAL] = {IMPORT_LIST(materials, material_count, material_snapshot), .alike = {import_like_material},
                       RULES(material_rules), .compare = import_compare_material, .has_order = true},
    [NOUN_MESH] = {IMPORT_LIST(meshes, mesh_count, mesh_snapshot), CONTEXT(mesh_snapshot, material),
                   .alike = {import_like_mesh}, RULES(mesh_rules), .compare = import_compare_mesh,
                   .has_order = true},
    [NOUN_CLIP] = {IMPORT_LIST(clips, clip_count, clip_snapshot), .alike = {import_like_clip_name, import_like_clip},
                   RULES(clip_rules), .has_order = true},
    [NOUN_CAMERA] = {IMPORT_LIST(cameras, camera_count, camera_snapshot), .alike = {like_camera}, RULES(camera_rules),
                     .has_order = true},
    [NOUN_REPAIR] = {IMPORT_LIST(repairs, repair_count, note_snapshot), CONTEXT(note_snapshot, text), RULES(note_rules)},
    [NOUN_WARNING] = {IMPORT_LIST(warnings, warning_count, note_snapshot), CONTEXT(note_snapshot, text), RULES(note_rules)},
};
// clang-format on

static int compare_renames(const void *a, const void *b)
{
    return strcmp(((const struct rename *)a)->was, ((const struct rename *)b)->was);
}

const char *renamed(const struct renames *renames, const char *name)
{
    const struct rename wanted = {.was = name}, *found = NULL;
    if (name && renames->count > 0)
        found = bsearch(&wanted, renames->items, renames->count, sizeof wanted, compare_renames);
    return found ? found->now : name;
}

bool same_name(const struct renames *renames, const char *golden, const char *actual)
{
    if (!golden || !actual)
        return golden == actual;
    return strcmp(golden, actual) == 0 || strcmp(renamed(renames, golden), actual) == 0;
}

const char *mesh_label(const struct import_context *c, const struct mesh_snapshot *golden)
{
    return c->was[NOUN_MESH].keys[golden - c->golden->meshes].label;
}

static const char *item_of(const struct noun_table *noun, const struct import_snapshot *import, size_t i)
{
    const char *items;
    memcpy(&items, (const char *)import + noun->list, sizeof items);
    return items + i * noun->size;
}

static struct match_list list_of(const struct import_context *c, const struct noun_table *noun,
                                 const struct import_snapshot *import)
{
    uint32_t count;
    memcpy(&count, (const char *)import + noun->counter, sizeof count);
    struct match_list list = match_list_create(count, c->arena);
    const char **labels = noun == &nouns[NOUN_MESH] ? import_label_meshes(import, c->arena) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        const char *item = item_of(noun, import, i);
        list.keys[i] = (struct match_key){text_of(item), noun->has_context ? text_of(item + noun->context_at) : NULL,
                                          labels ? labels[i] : text_of(item)};
    }
    return list;
}

/* An import says in the words of its notes which mesh they are of: "mesh \"body\" #1 ...". NULL: it names none. */
static const char *find_mesh_of_note(const struct import_context *c, const struct match_list *meshes, const char *note)
{
    const char *found = NULL;
    for (size_t i = 0; i < meshes->count; i++) {
        const char *label = meshes->keys[i].label;
        if (strstr(note, name_quoted(label, '"', c->arena)) && (!found || strlen(label) > strlen(found)))
            found = label;
    }
    return found;
}

/* What only one side has. Notes explain what changed; they are no change of their own. */
static void find_one_sided(struct import_context *c, const struct match_list *list, const int32_t *matched,
                           const struct match_list *others, enum finding_code kind)
{
    bool is_note = c->scope.noun == NOUN_REPAIR || c->scope.noun == NOUN_WARNING, is_gone = kind == CODE_GONE;
    const char *state = c->scope.noun == NOUN_REPAIR ? "is no longer needed" : "is gone";
    struct name_index names = name_index_create(others, c->arena);
    for (size_t i = 0; i < list->count; i++) {
        const char *label = list->keys[i].label, *note = list->keys[i].context;
        struct finding finding = import_finding(label, c->scope.noun == NOUN_MESH ? label : NULL);
        if (matched[i] != NO_INDEX)
            continue;
        if (is_note)
            finding.mesh = find_mesh_of_note(c, is_gone ? &c->was[NOUN_MESH] : &c->now[NOUN_MESH], note);
        if (c->scope.noun == NOUN_CLIP)
            c->scope.unplayed = !import_is_played(c, is_gone ? (int32_t)i : NO_INDEX, is_gone ? NO_INDEX : (int32_t)i);
        bool is_pointer = !is_gone && strcmp(label, "lfs-pointer") == 0;
        enum finding_code note_code = c->scope.noun == NOUN_REPAIR ? (is_gone ? CODE_REPAIR_GONE : CODE_REPAIR_NEW)
                                      : is_gone                    ? CODE_WARNING_GONE
                                      : is_pointer                 ? CODE_WARNING_LFS
                                                                   : CODE_WARNING_NEW;
        if (is_note)
            import_change(c, note_code, &finding,
                          is_gone ? arena_printf(c->arena, "%s; it said: %s", state, note) : note, NULL);
        else
            import_change(c, kind, &finding, NULL, NULL)->was =
                label == list->keys[i].name && name_find(&names, label) != NO_INDEX ? "one more " : NULL;
    }
    c->scope.unplayed = false;
}

bool import_is_played(const struct import_context *c, int32_t golden, int32_t actual)
{
    return !c->use || (golden != NO_INDEX && c->use->golden[golden]) || (actual != NO_INDEX && c->use->actual[actual]);
}

static void compare_noun(struct import_context *c, enum noun n)
{
    const struct noun_table *noun = &nouns[n];
    const struct matching *matching = &c->matched[n];
    const struct match_list *was = &c->was[n], *now = &c->now[n];
    const struct renames *renames = &c->renames[n];
    size_t earlier, later;
    c->scope = (struct scope){.noun = n};
    if (n == NOUN_NODE) {
        import_compare_nodes(c);
    } else {
        find_one_sided(c, was, matching->to_actual, now, CODE_GONE);
        find_one_sided(c, now, matching->to_golden, was, CODE_NEW);
    }
    const char *prefixes = import_describe_prefixes(renames, c->arena);
    c->scope.extra = prefixes ? "" : " changed";
    for (size_t i = 0; i < renames->count && n != NOUN_REPAIR && n != NOUN_WARNING; i++) {
        struct finding finding = import_finding(renames->items[i].was, NULL);
        const char *name = arena_printf(c->arena, "`%s` now", renames->items[i].now);
        int32_t at = (int32_t)renames->items[i].at;
        c->scope.unplayed = n == NOUN_CLIP && !import_is_played(c, at, matching->to_actual[at]);
        import_change(c, CODE_RENAMED, &finding, name, prefixes ? prefixes : name);
    }
    c->scope.extra = NULL;
    for (size_t i = 0; i < matching->golden_count; i++) {
        struct finding finding = import_finding(was->keys[i].label, n == NOUN_MESH ? was->keys[i].label : NULL);
        if (matching->to_actual[i] == NO_INDEX)
            continue;
        size_t other = (size_t)matching->to_actual[i];
        c->scope.unplayed = n == NOUN_CLIP && !import_is_played(c, (int32_t)i, (int32_t)other);
        import_compare_members(c, noun->rules, noun->rule_count, item_of(noun, c->golden, i),
                               item_of(noun, c->actual, other), &finding, 0);
        if (noun->compare)
            noun->compare(c, i, other);
    }
    c->scope.unplayed = false;
    if (n == NOUN_CLIP)
        import_compare_lengths(c);
    if (n == NOUN_CLIP && was->count > 0 && now->count > 0 && matching->to_actual[0] != 0) {
        struct finding finding = import_finding(was->keys[0].name, NULL);
        import_change(c, CODE_FIRST_CLIP, &finding,
                      arena_printf(c->arena, "`%s` now, was `%s`", now->keys[0].name, finding.subject), NULL);
    } else if (noun->has_order && matching_out_of_order(matching, &earlier, &later)) {
        struct finding finding = import_finding(was->keys[later].name, NULL);
        const char *says = arena_printf(c->arena, "`%s` before `%s`", finding.subject, was->keys[earlier].name);
        import_change(c, CODE_ORDER, &finding, says, NULL)->was = "the ";
    }
    import_say(c);
}

static void measure_golden(struct import_context *c)
{
    struct box meshes = box_empty, nodes_at = box_empty;
    c->mesh_scale = ARENA_NEW(c->arena, double, c->golden->mesh_count);
    for (uint32_t i = 0; i < c->golden->mesh_count; i++) {
        const struct mesh_snapshot *mesh = &c->golden->meshes[i];
        /* Where it stands at rest: by its first bone, or by the node it hangs on. */
        const char *name = mesh->bone_count > 0 ? mesh->bones[0].bone : mesh->node_count > 0 ? mesh->nodes[0] : NULL;
        int32_t node = name_find(&c->golden_nodes.names, name);
        struct affine_d to_scene = node == NO_INDEX ? affine_d_identity : c->golden_nodes.node_to_scene[node];
        if (node != NO_INDEX && mesh->bone_count > 0) {
            struct affine_d offset = affine_d_from(mesh->bones[0].mesh_to_bone);
            to_scene = affine_d_mul(&to_scene, &offset);
        }
        c->mesh_scale[i] = affine_d_scale(&to_scene);
        for (int corner = 0; mesh->vertices > 0 && corner < 8; corner++) {
            double point[3];
            for (int k = 0; k < 3; k++)
                point[k] = (double)(corner >> k & 1 ? mesh->max[k] : mesh->min[k]);
            affine_d_point(&to_scene, point, point);
            box_add(&meshes, point);
        }
    }
    for (uint32_t i = 0; i < c->golden->node_count; i++)
        box_add(&nodes_at, c->golden_nodes.node_to_scene[i].column[3]);
    c->radius = box_radius(&meshes) > 0 ? box_radius(&meshes) : box_radius(&nodes_at) > 0 ? box_radius(&nodes_at) : 1.0;
    skeleton_measure(&c->golden_nodes, 0.03 * c->radius);
}

static void compare_head(struct import_context *c)
{
    static const struct rule rules[] = {
        {CODE_UP_AXIS, RULE_WORD, FIELD_MEMBER(struct import_snapshot, up), {"{n}, was {w}"}}};
    double was = c->golden->unit_meters, now = c->actual->unit_meters;
    struct finding finding = import_finding(NULL, NULL);
    struct formatted_pair unit = format_numbers(now, was);
    COMPARE_MEMBERS(c, rules, c->golden, c->actual, &finding, 0);
    if (!import_beyond(c, &finding, was > 0 && now > 0 ? fabs(now / was - 1.0) : was > 0 || now > 0 ? INFINITY : 0.0))
        return;
    const char *says = !(now > 0) ? arena_printf(c->arena, "the file's unit is not known any more, was %s m", unit.was)
                       : !(was > 0) ? arena_printf(c->arena, "the file's unit is known now: %s m", unit.now)
                                    : arena_printf(c->arena, "one unit is %s m, was %s m", unit.now, unit.was);
    import_change(c, CODE_UNIT, &finding, says, NULL);
}

/* Whether the file is older than maps, which the other has. */
static bool lacks_maps(const struct import_snapshot *import, const struct import_snapshot *other)
{
    return import->material_count > 0 && !import->materials[0].maps && other->material_count > 0 && other->materials[0].maps;
}

static void say_not_compared(struct findings *out, const char *where)
{
    const struct finding finding = finding_of(CODE_MAPS_NOT_COMPARED);
    findings_add(out, &finding, "maps and factors of materials: not in %s", where);
}

/* Of an import whose other side is older than maps: without their textures, which come after those of base colours. */
static struct import_snapshot without_maps(const struct import_snapshot *import, const struct import_snapshot *other)
{
    struct import_snapshot out = *import;
    bool is_older = lacks_maps(other, import), is_base = false;
    while (is_older && out.texture_count > 0 && !is_base) {
        for (uint32_t i = 0; i < out.material_count; i++) {
            const char *base = out.materials[i].base_texture;
            is_base = is_base || (base && strcmp(base, out.textures[out.texture_count - 1].name) == 0);
        }
        out.texture_count -= !is_base;
    }
    return out;
}

void compare_import(const struct import_snapshot *golden, const struct import_snapshot *actual,
                    const struct tolerance *tolerance, struct findings *out)
{
    compare_used_import(golden, actual, NULL, tolerance, out);
}

void compare_used_import(const struct import_snapshot *golden_file, const struct import_snapshot *actual_file,
                         const struct clip_use *use, const struct tolerance *tolerance, struct findings *out)
{
    const struct import_snapshot golden_cut = without_maps(golden_file, actual_file), *golden = &golden_cut;
    const struct import_snapshot actual_cut = without_maps(actual_file, golden_file), *actual = &actual_cut;
    static const enum noun order[] = {NOUN_NODE,    NOUN_CLIP,   NOUN_MESH,   NOUN_MATERIAL,
                                      NOUN_TEXTURE, NOUN_CAMERA, NOUN_REPAIR, NOUN_WARNING};
    struct import_context c = {
        .golden = golden,
        .actual = actual,
        .use = use,
        .tolerance = tolerance,
        .out = out,
        .arena = out->arena,
        .unit_meters = golden->unit_meters > 0 ? golden->unit_meters : 0.0,
        .golden_nodes = skeleton_of_import(golden, out->arena),
        .actual_nodes = skeleton_of_import(actual, out->arena),
    };
    if (lacks_maps(golden_file, actual_file))
        say_not_compared(out, "the golden, which is older: `accept --all` records them");
    else if (lacks_maps(actual_file, golden_file))
        say_not_compared(out, "theirs, which is older");
    measure_golden(&c);
    compare_head(&c);
    import_say(&c);
    for (int n = 0; n < NOUN_COUNT; n++) {
        const struct match_list was = list_of(&c, &nouns[n], golden), now = list_of(&c, &nouns[n], actual);
        struct matching *matching = &c.matched[n];
        struct renames *renames = &c.renames[n];
        c.was[n] = was;
        c.now[n] = now;
        for (size_t i = 0; i < was.count && n == NOUN_MESH; i++)
            was.keys[i].context = renamed(&c.renames[NOUN_MATERIAL], was.keys[i].context);
        *matching = n == NOUN_NODE ? import_match_nodes(&c) : match_by_name(&was, &now, MATCH_PREFER_CONTEXT, c.arena);
        for (int i = 0; i < 2 && nouns[n].alike[i]; i++)
            match_renamed(matching, nouns[n].alike[i], &c);
        renames->items = ARENA_NEW(c.arena, struct rename, was.count);
        for (size_t i = 0; i < was.count; i++) {
            int32_t other = matching->to_actual[i];
            if (other != NO_INDEX && strcmp(was.keys[i].name, now.keys[other].name) != 0)
                renames->items[renames->count++] = (struct rename){was.keys[i].name, now.keys[other].name, i};
        }
        qsort(renames->items, renames->count, sizeof *renames->items, compare_renames);
    }
    import_place_meshes(&c);
    for (int i = 0; i < NOUN_COUNT; i++) {
        compare_noun(&c, order[i]);
        for (size_t clip = 0; order[i] == NOUN_CLIP && clip < golden->clip_count; clip++)
            if (c.matched[NOUN_CLIP].to_actual[clip] != NO_INDEX)
                import_compare_channels(&c, clip, (size_t)c.matched[NOUN_CLIP].to_actual[clip]);
    }
}
