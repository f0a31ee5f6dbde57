/* Maps and factors of materials, which are matched by name. */
#include <math.h>

#include "base/names.h"
#include "compare/import/import_compare.h"

/* Either is NULL where that side has no such map. A base colour whose map is not there lies plainly. */
static void compare_map(struct import_context *c, const struct map_snapshot *was, const struct map_snapshot *now,
                        bool has_base, const struct finding *finding)
{
    static const struct map_snapshot plain = {0};
    const struct map_snapshot *either = was ? was : now;
    c->scope.extra = either->name;
    if (either->texture ? was && now && now->texture : has_base)
        import_compare_fields(c, "maps", was ? was : &plain, now ? now : &plain, finding, 0);
    else if (either->texture)
        import_note(c, now ? CODE_MAP_NEW : CODE_MAP_GONE, finding->subject, NULL, "{now}", value_name(either->texture),
                    no_value);
}

static struct value value_of(const struct factor_snapshot *factor)
{
    return factor ? value_numbers(factor->values, factor->width) : value_words("the default");
}

static void compare_factor(struct import_context *c, const struct factor_snapshot *was,
                           const struct factor_snapshot *now, const struct finding *finding)
{
    struct finding changed = *finding;
    double measure = was && now && was->width == now->width ? 0.0 : INFINITY;
    for (uint32_t i = 0; isfinite(measure) && i < was->width; i++)
        measure = worse(measure, fabs((double)now->values[i] - (double)was->values[i]) /
                                     fmax(fabs((double)was->values[i]), 1.0));
    c->scope.extra = was ? was->name : now->name;
    if (import_beyond(c, &changed, measure))
        import_change(c, CODE_MATERIAL_FACTOR, &changed, "{now}, was {was}", value_of(now), value_of(was));
}

/* The rules of materials have compared the base colour and how it is drawn. */
void import_compare_material(struct import_context *c, size_t golden, size_t actual)
{
    const struct material_snapshot *g = &c->golden->materials[golden], *a = &c->actual->materials[actual];
    const struct finding finding = import_finding(g->name, NULL);
    bool has_base = g->base_texture && a->base_texture;
    for (uint32_t i = 0; i < g->map_count; i++)
        compare_map(c, &g->maps[i], NAMED(a->maps, a->map_count, g->maps[i].name), has_base, &finding);
    for (uint32_t i = 0; i < a->map_count; i++)
        if (!NAMED(g->maps, g->map_count, a->maps[i].name))
            compare_map(c, NULL, &a->maps[i], has_base, &finding);
    for (uint32_t i = 0; i < g->factor_count; i++)
        compare_factor(c, &g->factors[i], NAMED(a->factors, a->factor_count, g->factors[i].name), &finding);
    for (uint32_t i = 0; i < a->factor_count; i++)
        if (!NAMED(g->factors, g->factor_count, a->factors[i].name))
            compare_factor(c, NULL, &a->factors[i], &finding);
    c->scope.extra = NULL;
}
