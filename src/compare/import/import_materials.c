/* Materials. */
#include <math.h>
#include <string.h>

#include "compare/import/import_context.h"
#include "compare/format_number.h"

static struct match_list list_materials(const struct import_snapshot *import, struct arena *arena)
{
    struct match_list list = match_list_create(import->material_count, arena);
    for (uint32_t i = 0; i < import->material_count; i++)
        list.keys[i] = (struct match_key){import->materials[i].name, NULL};
    return list;
}

/* ---- matching ---------------------------------------------------------------------------------------------------- */

static bool are_alike_textures(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const struct texture_snapshot *g = &c->golden->textures[golden], *a = &c->actual->textures[actual];
    return g->width == a->width && g->height == a->height && g->missing == a->missing && import_same_picture(g, a);
}

/* Colours are numbers from 0 to 1, so their tolerance needs no scale. */
static bool have_equal_colors(const struct material_snapshot *g, const struct material_snapshot *a, double tolerance)
{
    for (int k = 0; k < 4; k++) {
        double was = (double)g->base_color[k], now = (double)a->base_color[k];
        if (!(fabs(was - now) <= tolerance * fmax(1.0, fabs(was))))
            return false;
    }
    return true;
}

static bool are_alike_materials(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const struct material_snapshot *g = &c->golden->materials[golden], *a = &c->actual->materials[actual];
    return have_equal_colors(g, a, 1e-4) && same_name(&c->texture_names, g->base_texture, a->base_texture) &&
           strcmp(g->alpha, a->alpha) == 0 && g->two_sided == a->two_sided;
}

void import_match_materials(struct import_context *c)
{
    struct match_list golden = import_list_textures(c->golden, c->arena), actual = import_list_textures(c->actual, c->arena);
    c->textures = match_by_name(&golden, &actual, MATCH_PREFER_CONTEXT, c->arena);
    match_renamed(&c->textures, are_alike_textures, c);
    c->texture_names = renames_of(&c->textures, &golden, &actual, c->arena);
    golden = list_materials(c->golden, c->arena);
    actual = list_materials(c->actual, c->arena);
    c->materials = match_by_name(&golden, &actual, MATCH_PREFER_CONTEXT, c->arena);
    match_renamed(&c->materials, are_alike_materials, c);
    c->material_names = renames_of(&c->materials, &golden, &actual, c->arena);
}

/* ---- materials --------------------------------------------------------------------------------------------------- */

struct material_groupings {
    struct grouping color, texture, wrap, alpha, sides;
};

static void compare_textures_of(const struct import_context *c, struct material_groupings *groupings,
                                const struct material_snapshot *was, const struct material_snapshot *now)
{
    struct finding finding = import_finding(was->name);
    if (same_name(&c->texture_names, was->base_texture, now->base_texture))
        return;
    if (!now->base_texture)
        grouping_add(&groupings->texture, &finding, "lost", "material `%s` lost its texture `%s`", was->name,
                 was->base_texture);
    else if (!was->base_texture)
        grouping_add(&groupings->texture, &finding, "some now, had none", "material `%s` has the texture `%s` now",
                     was->name, now->base_texture);
    else
        grouping_add(&groupings->texture, &finding,
                 arena_printf(c->arena, "`%s`, was `%s`", now->base_texture, was->base_texture),
                 "material `%s` has the texture `%s` now, had `%s`", was->name, now->base_texture, was->base_texture);
}

/* "clamped", "repeated", "mirrored". */
static const char *wrap_says(const char *wrap)
{
    if (strcmp(wrap, wrap_words[WRAP_CLAMP]) == 0)
        return "clamped";
    return strcmp(wrap, wrap_words[WRAP_MIRROR]) == 0 ? "mirrored" : "repeated";
}

/* Older files do not have it. */
static void compare_wraps(const struct import_context *c, struct material_groupings *groupings,
                          const struct material_snapshot *was, const struct material_snapshot *now)
{
    struct finding finding = import_finding(was->name);
    for (int k = 0; k < 2; k++) {
        if (!was->wrap[k] || !now->wrap[k] || strcmp(was->wrap[k], now->wrap[k]) == 0)
            continue;
        const char *detail =
            arena_printf(c->arena, "%s along %c, was %s", wrap_says(now->wrap[k]), "uv"[k], wrap_says(was->wrap[k]));
        grouping_add(&groupings->wrap, &finding, detail, "the texture of material `%s` is %s", was->name, detail);
    }
}

static const char *alpha_says(const char *alpha)
{
    if (strcmp(alpha, "mask") == 0)
        return "cut out by alpha";
    return strcmp(alpha, "blend") == 0 ? "blended by alpha" : alpha;
}

static void compare_material(const struct import_context *c, struct material_groupings *groupings,
                             const struct material_snapshot *was, const struct material_snapshot *now)
{
    struct finding finding = import_finding(was->name);
    const char *before, *after;
    if (!have_equal_colors(was, now, c->tolerance->import)) {
        format_vectors(now->base_color, was->base_color, 4, c->arena, &after, &before);
        grouping_add(&groupings->color, &finding, arena_printf(c->arena, "%s, was %s", after, before),
                 "base colour of material `%s` is %s, was %s", was->name, after, before);
    }
    compare_textures_of(c, groupings, was, now);
    compare_wraps(c, groupings, was, now);
    if (strcmp(was->alpha, now->alpha) != 0) {
        grouping_add(&groupings->alpha, &finding,
                 arena_printf(c->arena, "%s, was %s", alpha_says(now->alpha), alpha_says(was->alpha)),
                 "material `%s` is %s now, was %s", was->name, alpha_says(now->alpha), alpha_says(was->alpha));
    } else if (fabs((double)was->cutoff - (double)now->cutoff) > c->tolerance->import) {
        struct formatted_pair cutoff = format_numbers((double)now->cutoff, (double)was->cutoff);
        grouping_add(&groupings->alpha, &finding, arena_printf(c->arena, "cut at %s, was %s", cutoff.now, cutoff.was),
                 "alpha of material `%s` is cut at %s, was at %s", was->name, cutoff.now, cutoff.was);
    }
    if (was->two_sided != now->two_sided)
        grouping_add(&groupings->sides, &finding, now->two_sided ? "two now, was one" : "one now, were two",
                 "material `%s` is %s-sided now", was->name, now->two_sided ? "two" : "one");
}

static void compare_materials(const struct import_context *c)
{
    struct match_list golden = list_materials(c->golden, c->arena), actual = list_materials(c->actual, c->arena);
    struct material_groupings groupings = {
        grouping_begin(c->out, "base colours of ", " materials changed"),
        grouping_begin(c->out, "textures of ", " materials changed"),
        grouping_begin(c->out, "wrapping of the textures of ", " materials changed"),
        grouping_begin(c->out, "alpha of ", " materials changed"),
        grouping_begin(c->out, "sides of ", " materials changed"),
    };
    report_matching(c, &c->materials, &golden, &actual, "material", "materials");
    for (size_t i = 0; i < golden.count; i++)
        if (c->materials.to_actual[i] != NO_INDEX)
            compare_material(c, &groupings, &c->golden->materials[i], &c->actual->materials[c->materials.to_actual[i]]);
    grouping_end(&groupings.color);
    grouping_end(&groupings.texture);
    grouping_end(&groupings.wrap);
    grouping_end(&groupings.alpha);
    grouping_end(&groupings.sides);
    report_order(c, &c->materials, &golden, "materials");
}

void import_compare_materials(const struct import_context *c)
{
    compare_materials(c);
    import_compare_textures(c);
}
