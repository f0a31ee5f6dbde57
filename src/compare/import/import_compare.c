/* Two imports compared: noun by noun, matched and walked over by the rules of their members. */
#include "compare/import/import_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/sort.h"
#include "data/json_fields.h"

static bool like_members(const void *context, size_t golden, size_t actual);

/* A list of import.json, of structs whose first member is their name. */
static const struct noun_table {
    const char *list;    /* its key */
    const char *context; /* the key of what distinguishes those of one name; NULL */
    enum finding_code gone, new;
    bool has_order;      /* in which they come: worth a word */
    bool (*alike[2])(const void *context, size_t golden, size_t actual); /* whether one may be the other, renamed */
    void (*compare)(struct import_context *c, size_t was, size_t now);
} nouns[NOUN_COUNT] = {
    [NOUN_NODE] = {"nodes", "parent"},
    [NOUN_TEXTURE] = {"textures", NULL, CODE_GONE, CODE_NEW, false, {import_like_texture}, import_compare_texture},
    [NOUN_MATERIAL] = {"materials", NULL, CODE_GONE, CODE_NEW, true, {like_members}, import_compare_material},
    [NOUN_MESH] = {"meshes", "material", CODE_GONE, CODE_NEW, true, {import_like_mesh}, import_compare_mesh},
    [NOUN_CLIP] = {"clips", NULL, CODE_GONE, CODE_NEW, true, {import_like_clip_name, import_like_clip}},
    [NOUN_CAMERA] = {"cameras", NULL, CODE_GONE, CODE_NEW, true, {like_members}},
    [NOUN_REPAIR] = {"repairs", "text", CODE_REPAIR_GONE, CODE_REPAIR_NEW},
    [NOUN_WARNING] = {"warnings", "text", CODE_WARNING_GONE, CODE_WARNING_NEW},
};

const char *renamed(const struct renames *renames, const char *name)
{
    const struct rename *found = NULL;
    if (name && renames->count > 0) /* `was` is their first member */
        found = bsearch(&name, renames->items, renames->count, sizeof *found, compare_strings);
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

static const struct field *row_of(enum noun noun)
{
    return fields_find(&import_snapshot_fields, nouns[noun].list);
}

static const char *item_of(enum noun noun, const struct import_snapshot *import, size_t i)
{
    const struct field *row = row_of(noun);
    return text_at((const char *)import + row->offset) + i * row->fields->size;
}

/* Says whether the members that have rules are alike. */
static bool like_members(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const enum noun noun = c->scope.noun;
    return import_are_alike(c, nouns[noun].list, item_of(noun, c->golden, golden), item_of(noun, c->actual, actual));
}

static struct match_list list_of(const struct import_context *c, enum noun noun, const struct import_snapshot *import)
{
    const struct field *row = row_of(noun);
    const char *context = nouns[noun].context;
    uint32_t count;
    memcpy(&count, (const char *)import + row->counter, sizeof count);
    struct match_list list = match_list_create(count, c->arena);
    const char **labels = noun == NOUN_MESH ? import_label_meshes(import, c->arena) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        const char *item = item_of(noun, import, i);
        list.keys[i] = (struct match_key){text_at(item),
                                          context ? text_at(item + fields_find(row->fields, context)->offset) : NULL,
                                          labels ? labels[i] : text_at(item)};
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

/* Notes explain what changed; they are no change of their own. */
void import_find_one_sided(struct import_context *c, const struct match_list *was, const struct match_list *now,
                           const struct matching *matching, enum finding_code gone, enum finding_code new,
                           const char *mesh)
{
    const bool is_note = gone == CODE_REPAIR_GONE || gone == CODE_WARNING_GONE, is_noun = gone == CODE_GONE;
    for (int is_new = 0; is_new < 2; is_new++) {
        const struct match_list *list = is_new ? now : was;
        const struct name_index others =
            is_noun ? name_index_create(is_new ? was : now, c->arena) : (struct name_index){0};
        for (size_t i = 0; i < list->count; i++) {
            const struct match_key *key = &list->keys[i];
            const char *label = key->label ? key->label : key->name;
            enum finding_code code = is_new ? new : gone;
            if ((is_new ? matching->to_golden : matching->to_actual)[i] != NO_INDEX)
                continue;
            if (is_noun && c->scope.noun == NOUN_CLIP)
                c->scope.unplayed =
                    !import_is_played(c, is_new ? NO_INDEX : (int32_t)i, is_new ? (int32_t)i : NO_INDEX);
            if (code == CODE_WARNING_NEW && strcmp(label, "lfs-pointer") == 0)
                code = CODE_WARNING_LFS;
            mesh = is_note ? find_mesh_of_note(c, &(is_new ? c->now : c->was)[NOUN_MESH], key->context)
                   : is_noun && c->scope.noun == NOUN_MESH ? label
                                                           : mesh;
            struct change *change =
                import_note(c, code, label, mesh, "", is_note ? value_words(key->context) : no_value, no_value);
            if (is_noun && label == key->name && name_find(&others, label) != NO_INDEX)
                change->says.by = value_words("one more ");
        }
    }
    c->scope.unplayed = !is_noun && c->scope.unplayed;
}

bool import_is_played(const struct import_context *c, int32_t golden, int32_t actual)
{
    return !c->use || (golden != NO_INDEX && c->use->golden[golden]) || (actual != NO_INDEX && c->use->actual[actual]);
}

static void find_renames(struct import_context *c, enum noun n)
{
    const struct renames *renames = &c->renames[n];
    const char *prefixes = import_describe_prefixes(renames, c->arena);
    c->scope.extra = prefixes ? "" : " changed";
    for (size_t i = 0; i < renames->count && n != NOUN_REPAIR && n != NOUN_WARNING; i++) {
        const struct rename *rename = &renames->items[i];
        c->scope.unplayed =
            n == NOUN_CLIP && !import_is_played(c, (int32_t)rename->at, c->matched[n].to_actual[rename->at]);
        struct change *change =
            import_note(c, CODE_RENAMED, rename->was, NULL, "{now} now", value_name(rename->now), no_value);
        change->says.by = value_words(prefixes);
        change->says.detail = prefixes ? "{by}" : NULL;
    }
    c->scope.extra = NULL;
}

static void find_order(struct import_context *c, enum noun n)
{
    const struct match_list *was = &c->was[n], *now = &c->now[n];
    size_t earlier, later;
    c->scope.unplayed = false;
    if (n == NOUN_CLIP && was->count > 0 && now->count > 0 && c->matched[n].to_actual[0] != 0)
        import_note(c, CODE_FIRST_CLIP, was->keys[0].name, NULL, "", value_name(now->keys[0].name), no_value);
    else if (nouns[n].has_order && matching_out_of_order(&c->matched[n], &earlier, &later))
        import_note(c, CODE_ORDER, was->keys[later].name, NULL, "", value_name(was->keys[earlier].name), no_value)
            ->says.by = value_words("the ");
}

static void compare_noun(struct import_context *c, enum noun n)
{
    const struct matching *matching = &c->matched[n];
    c->scope = (struct scope){.noun = n};
    if (n == NOUN_NODE)
        import_compare_nodes(c);
    else
        import_find_one_sided(c, &c->was[n], &c->now[n], matching, nouns[n].gone, nouns[n].new, NULL);
    find_renames(c, n);
    for (size_t i = 0; i < matching->golden_count; i++) {
        const char *label = c->was[n].keys[i].label;
        struct finding finding = import_finding(label, n == NOUN_MESH ? label : NULL);
        if (matching->to_actual[i] == NO_INDEX)
            continue;
        size_t other = (size_t)matching->to_actual[i];
        c->scope.unplayed = n == NOUN_CLIP && !import_is_played(c, (int32_t)i, (int32_t)other);
        import_compare_fields(c, n == NOUN_WARNING ? "repairs" : nouns[n].list, item_of(n, c->golden, i),
                              item_of(n, c->actual, other), &finding, 0);
        if (nouns[n].compare)
            nouns[n].compare(c, i, other);
    }
    if (n == NOUN_CLIP)
        import_compare_lengths(c);
    find_order(c, n);
    import_say(c);
    for (size_t i = 0; n == NOUN_CLIP && i < matching->golden_count; i++)
        if (matching->to_actual[i] != NO_INDEX)
            import_compare_channels(c, i, (size_t)matching->to_actual[i]);
}

static void measure_golden(struct import_context *c)
{
    struct box meshes = box_empty, nodes_at = box_empty;
    c->mesh_scale = ARENA_NEW(c->arena, double, c->golden->mesh_count);
    for (uint32_t i = 0; i < c->golden->mesh_count; i++) {
        const struct mesh_snapshot *mesh = &c->golden->meshes[i];
        /* It stands there at rest: by its first bone, or by the node it hangs on. */
        const char *name = mesh->bone_count > 0 ? mesh->bones[0].bone : mesh->node_count > 0 ? mesh->nodes[0] : NULL;
        int32_t node = name_find(&c->golden_nodes.names, name);
        struct affine_d to_scene = node == NO_INDEX ? affine_d_identity : c->golden_nodes.node_to_scene[node];
        if (node != NO_INDEX && mesh->bone_count > 0) {
            struct affine_d offset = affine_d_from(mesh->bones[0].mesh_to_bone);
            to_scene = affine_d_mul(&to_scene, &offset);
        }
        c->mesh_scale[i] = affine_d_scale(&to_scene);
        const struct box bounds = box_of(mesh->min, mesh->max);
        for (int corner = 0; mesh->vertices > 0 && corner < 8; corner++) {
            double point[3];
            box_corner(&bounds, corner, point);
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
    double was = c->golden->unit_meters, now = c->actual->unit_meters;
    struct finding finding = import_finding(NULL, NULL);
    import_compare_fields(c, "", c->golden, c->actual, &finding, 0);
    if (import_beyond(c, &finding, was > 0 && now > 0 ? fabs(now / was - 1.0) : was > 0 || now > 0 ? INFINITY : 0.0))
        import_change(c, CODE_UNIT, &finding,
                      !(now > 0)   ? "the file's unit is not known any more, was {was} m"
                      : !(was > 0) ? "the file's unit is known now: {now} m"
                                   : "one unit is {now} m, was {was} m",
                      value_number(now), value_number(was));
    import_say(c);
}

static void match_noun(struct import_context *c, enum noun n)
{
    struct match_list *was = &c->was[n], *now = &c->now[n];
    struct matching *matching = &c->matched[n];
    struct renames *renames = &c->renames[n];
    c->scope.noun = n;
    *was = list_of(c, n, c->golden);
    *now = list_of(c, n, c->actual);
    for (size_t i = 0; i < was->count && n == NOUN_MESH; i++)
        was->keys[i].context = renamed(&c->renames[NOUN_MATERIAL], was->keys[i].context);
    *matching = n == NOUN_NODE ? import_match_nodes(c) : match_by_name(was, now, MATCH_PREFER_CONTEXT, c->arena);
    for (int i = 0; i < 2 && nouns[n].alike[i]; i++)
        match_renamed(matching, nouns[n].alike[i], c);
    renames->items = ARENA_NEW(c->arena, struct rename, was->count);
    for (size_t i = 0; i < was->count; i++) {
        int32_t other = matching->to_actual[i];
        if (other != NO_INDEX && strcmp(was->keys[i].name, now->keys[other].name) != 0)
            renames->items[renames->count++] = (struct rename){was->keys[i].name, now->keys[other].name, i};
    }
    sort_items(renames->items, renames->count, sizeof *renames->items, compare_strings);
}

void compare_import(const struct import_snapshot *golden, const struct import_snapshot *actual,
                    const struct clip_use *use, const struct tolerance *tolerance, struct findings *out)
{
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
    measure_golden(&c);
    compare_head(&c);
    for (int n = 0; n < NOUN_COUNT; n++)
        match_noun(&c, n);
    import_place_meshes(&c);
    for (int i = 0; i < NOUN_COUNT; i++)
        compare_noun(&c, order[i]);
}
