/* What a material has besides its base colour: textures and numbers, matched by name. */
#include <math.h>
#include <string.h>

#include "compare/format_number.h"
#include "compare/import/import_compare.h"
#include "data/json_fields.h"

// clang-format off
static const char *const wraps_told[] = {"repeated", "clamped", "mirrored"};
#define MAP(member) FIELD_MEMBER(struct map_snapshot, member)
#define WRAP(axis, direction)                                                                                          \
    {CODE_MAP_TEXTURE, RULE_WORD, MAP(wrap[axis]), {"{n} along " direction ", was {w}"}, .words = wrap_words, .told_as = wraps_told}
static const struct rule map_rules[] = {
    {CODE_MAP_TEXTURE, RULE_NAME, MAP(texture), {"", "", "`{n}`, was `{w}`"}, .noun = NOUN_TEXTURE},
    WRAP(0, "u"),
    WRAP(1, "v"),
    {CODE_MAP_CHANGED, RULE_NUMBER, MAP(strength), {"the strength {n}, had {w}"}, .least = 1},
    {CODE_MAP_CHANGED, RULE_COUNT, MAP(uv), {"the UV set {n}, had {w}"}},
    {CODE_MAP_CHANGED, RULE_FLOATS, MAP(offset), {"the UV offset {n}, had {w}"}, .width = 2, .least = 1},
    {CODE_MAP_CHANGED, RULE_FLOATS, MAP(scale), {"the UV scale {n}, had {w}"}, .width = 2, .least = 1},
    {CODE_MAP_CHANGED, RULE_NUMBER, MAP(rotation), {"a UV rotation of {n}°, had {w}°"}, .least = 1, .factor = 57.29577951308232},
    {CODE_MAP_CHANGED, RULE_WORD, MAP(filter[0]), {"the min filter {n}, had {w}"}},
    {CODE_MAP_CHANGED, RULE_WORD, MAP(filter[1]), {"the mag filter {n}, had {w}"}},
};
static const struct rule unlit_rules[] = {
    {CODE_MATERIAL_UNLIT, RULE_FLAG, FIELD_MEMBER(struct material_snapshot, unlit), {"lit now", "unlit now"}},
};
// clang-format on

/* With its defaults said. A base colour whose map is not there lies plainly. */
static struct map_snapshot filled(const struct map_snapshot *map)
{
    struct map_snapshot out = map ? *map : (struct map_snapshot){0};
    out.strength = out.has_strength ? out.strength : 1;
    for (int k = 0; k < 2; k++) {
        out.wrap[k] = out.wrap[k] ? out.wrap[k] : "repeat";
        out.filter[k] = out.filter[k] ? out.filter[k] : "none";
        out.scale[k] = out.is_scaled ? out.scale[k] : 1;
    }
    return out;
}

/* A material's maps or factors begin with their name. */
static const void *find_named(const void *items, uint32_t count, size_t size, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *item = (const char *)items + i * size, *own;
        memcpy(&own, item, sizeof own);
        if (strcmp(own, name) == 0)
            return item;
    }
    return NULL;
}

/* One pointer for all materials' maps or factors of a name: changes are told together by it. */
static const char *shared_name(struct import_context *c, const char *name)
{
    for (size_t i = 0; i < c->name_count; i++)
        if (strcmp(c->names[i], name) == 0)
            return c->names[i];
    if (c->name_count < sizeof c->names / sizeof *c->names)
        c->names[c->name_count++] = name;
    return name;
}

/* Either is NULL where that side has no such map. */
static void compare_map(struct import_context *c, const struct map_snapshot *was, const struct map_snapshot *now,
                        bool has_base, const struct finding *finding)
{
    const struct map_snapshot *either = was ? was : now;
    const struct map_snapshot before = filled(was), after = filled(now);
    struct finding one_sided = *finding;
    c->scope.extra = shared_name(c, either->name);
    if (either->texture ? was && now && now->texture : has_base) {
        COMPARE_MEMBERS(c, map_rules, &before, &after, finding, 0);
    } else if (either->texture && import_beyond(c, &one_sided, INFINITY)) {
        const char *texture = arena_printf(c->arena, "`%s`", either->texture);
        import_change(c, now ? CODE_MAP_NEW : CODE_MAP_GONE, &one_sided, texture, texture);
    }
}

static void compare_factor(struct import_context *c, const struct factor_snapshot *was,
                           const struct factor_snapshot *now, const struct finding *finding)
{
    struct finding changed = *finding;
    double measure = was && now && was->width == now->width ? 0.0 : INFINITY;
    const char *before, *after;
    for (uint32_t i = 0; isfinite(measure) && i < was->width; i++)
        measure = worse(measure,
                       fabs((double)now->values[i] - (double)was->values[i]) / fmax(fabs((double)was->values[i]), 1.0));
    if (!import_beyond(c, &changed, measure))
        return;
    const struct factor_snapshot *last = now ? now : was, *first = was ? was : now;
    c->scope.extra = shared_name(c, first->name);
    if (first->width == 1 && last->width == 1) {
        struct formatted_pair pair = format_numbers((double)last->values[0], (double)first->values[0]);
        after = arena_string(c->arena, pair.now);
        before = arena_string(c->arena, pair.was);
    } else {
        format_vectors(last->values, first->values, last->width < first->width ? last->width : first->width, c->arena,
                       &after, &before);
    }
    const char *says = arena_printf(c->arena, "%s, was %s", now ? after : "the default", was ? before : "the default");
    import_change(c, CODE_MATERIAL_FACTOR, &changed, says, says);
}

/* The walker has compared the base colour and how it is drawn. */
void import_compare_material(struct import_context *c, size_t golden, size_t actual)
{
    const struct material_snapshot *g = &c->golden->materials[golden], *a = &c->actual->materials[actual];
    const struct finding finding = import_finding(g->name, NULL);
    bool has_base = g->base_texture && a->base_texture;
    if (!g->maps || !a->maps)
        return;
    COMPARE_MEMBERS(c, unlit_rules, g, a, &finding, 0);
    for (uint32_t i = 0; i < g->map_count; i++)
        compare_map(c, &g->maps[i], find_named(a->maps, a->map_count, sizeof *a->maps, g->maps[i].name), has_base,
                    &finding);
    for (uint32_t i = 0; i < a->map_count; i++)
        if (!find_named(g->maps, g->map_count, sizeof *g->maps, a->maps[i].name))
            compare_map(c, NULL, &a->maps[i], has_base, &finding);
    for (uint32_t i = 0; i < g->factor_count; i++)
        compare_factor(c, &g->factors[i],
                       find_named(a->factors, a->factor_count, sizeof *a->factors, g->factors[i].name), &finding);
    for (uint32_t i = 0; i < a->factor_count; i++)
        if (!find_named(g->factors, g->factor_count, sizeof *g->factors, a->factors[i].name))
            compare_factor(c, NULL, &a->factors[i], &finding);
    c->scope.extra = NULL;
}
