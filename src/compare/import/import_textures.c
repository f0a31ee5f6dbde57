/* Textures: who is there, how large, and roughly what they show. */
#include <math.h>

#include "compare/import/import_context.h"
#include "compare/format_number.h"

/*
 * How much a moment may differ, which is a quarter of a level of 8 bits: decoders of JPEG do not agree on every pixel, and
 * pixels are the draw stage's.
 */
static const double moment_limit = 1.0 / 1024;

struct texture_groupings {
    struct grouping missing, size, picture;
};

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

/* Whether channel `now` is channel `was`, seen with these signs along x and y. */
static bool channel_is(const struct texture_snapshot *g, const struct texture_snapshot *a, int was, int now, double x,
                       double y)
{
    const double signs[TEXTURE_MOMENTS] = {1.0, x, y};
    for (int m = 0; m < TEXTURE_MOMENTS; m++) {
        double before = (double)g->moments[TEXTURE_MOMENTS * was + m], after = (double)a->moments[TEXTURE_MOMENTS * now + m];
        if (!(fabs(after - signs[m] * before) <= moment_limit))
            return false;
    }
    return true;
}

static bool picture_is(const struct texture_snapshot *g, const struct texture_snapshot *a, double x, double y)
{
    for (int channel = 0; channel < 4; channel++)
        if (!channel_is(g, a, channel, channel, x, y))
            return false;
    return true;
}

bool import_same_picture(const struct texture_snapshot *golden, const struct texture_snapshot *actual)
{
    return !golden->has_moments || !actual->has_moments || picture_is(golden, actual, 1, 1);
}

static bool is_red_for_blue(const struct texture_snapshot *g, const struct texture_snapshot *a)
{
    return channel_is(g, a, 0, 2, 1, 1) && channel_is(g, a, 1, 1, 1, 1) && channel_is(g, a, 2, 0, 1, 1) &&
           channel_is(g, a, 3, 3, 1, 1);
}

static void take_means(const struct texture_snapshot *texture, float out[4])
{
    for (int channel = 0; channel < 4; channel++)
        out[channel] = texture->moments[TEXTURE_MOMENTS * channel];
}

/* "is upside down", "shows another picture: its mean colour is (1, 0, 0, 1), was (0.5, 0.4, 0.1, 1)". */
static const char *describe_picture(const struct import_context *c, const struct texture_snapshot *g,
                                    const struct texture_snapshot *a)
{
    float was[4], now[4];
    const char *before, *after;
    if (picture_is(g, a, 1, -1))
        return "is upside down";
    if (picture_is(g, a, -1, 1))
        return "is mirrored";
    if (is_red_for_blue(g, a))
        return "has red for blue";
    take_means(g, was);
    take_means(a, now);
    format_vectors(now, was, 4, c->arena, &after, &before);
    return arena_printf(c->arena, "shows another picture: its mean colour is %s, was %s", after, before);
}

/* ---- one texture ------------------------------------------------------------------------------------------------- */

static void compare_texture(const struct import_context *c, const struct texture_snapshot *was,
                            const struct texture_snapshot *now, struct texture_groupings *groupings)
{
    struct finding finding = import_finding(was->name);
    if (was->missing != now->missing) {
        grouping_add(&groupings->missing, &finding, now->missing ? "they cannot be read" : "they can be read now",
                 now->missing ? "texture `%s` cannot be read: a checker stands in for it"
                              : "texture `%s` can be read now: a checker stood in for it",
                 was->name);
    } else if (was->width != now->width || was->height != now->height) {
        grouping_add(&groupings->size, &finding,
                 arena_printf(c->arena, "%ux%u, were %ux%u", now->width, now->height, was->width, was->height),
                 "texture `%s` is %ux%u, was %ux%u", was->name, now->width, now->height, was->width, was->height);
    } else if (!import_same_picture(was, now)) {
        const char *says = describe_picture(c, was, now);
        grouping_add(&groupings->picture, &finding, says, "texture `%s` %s", was->name, says);
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

struct match_list import_list_textures(const struct import_snapshot *import, struct arena *arena)
{
    struct match_list list = match_list_create(import->texture_count, arena);
    for (uint32_t i = 0; i < import->texture_count; i++)
        list.keys[i] = (struct match_key){import->textures[i].name, NULL};
    return list;
}

void import_compare_textures(const struct import_context *c)
{
    struct match_list golden = import_list_textures(c->golden, c->arena),
                      actual = import_list_textures(c->actual, c->arena);
    struct texture_groupings groupings = {
        grouping_begin(c->out, "", " textures changed"),
        grouping_begin(c->out, "sizes of ", " textures changed"),
        grouping_begin(c->out, "pictures of ", " textures changed"),
    };
    report_matching(c, &c->textures, &golden, &actual, "texture", "textures");
    for (size_t i = 0; i < golden.count; i++)
        if (c->textures.to_actual[i] != NO_INDEX)
            compare_texture(c, &c->golden->textures[i], &c->actual->textures[c->textures.to_actual[i]], &groupings);
    grouping_end(&groupings.missing);
    grouping_end(&groupings.size);
    grouping_end(&groupings.picture);
}
