/* Vertices, triangles and attributes of meshes and pictures of textures are compared by their moments; morph
 * targets by their place: a pose has weights, not names. */
#include <math.h>
#include <string.h>

#include "compare/import/import_compare.h"

struct attribute_pair {
    struct import_context *c;
    const struct attribute_snapshot *was;
    const struct attribute_snapshot *now;
};

/* Moments of a component are as large as this: of the size of its values, or of 1 where those are small. */
static double size_of(const struct attribute_snapshot *attribute, uint32_t component)
{
    double largest = 1.0;
    for (uint32_t m = 0; m < MOMENTS; m++)
        largest = fmax(largest, fabs((double)attribute->moments[MOMENTS * component + m]));
    return largest;
}

/* Measures how far component `now` is from `sign` times component `was`, in units of the tolerance. */
static double component_gap(const struct attribute_pair *pair, uint32_t now, uint32_t was, double sign)
{
    double gap = 0.0;
    for (uint32_t m = 0; m < MOMENTS; m++)
        gap = worse(gap, fabs((double)pair->now->moments[MOMENTS * now + m] -
                              sign * (double)pair->was->moments[MOMENTS * was + m]));
    return gap / fmax(size_of(pair->was, was), size_of(pair->was, now));
}

static bool component_is(const struct attribute_pair *pair, uint32_t now, uint32_t was, double sign)
{
    return component_gap(pair, now, was, sign) <= pair->c->tolerance->import;
}

/* 1 - v has one less the mean; its other moments depend on where the vertices are. */
static bool is_flipped(const struct attribute_pair *pair, uint32_t component)
{
    double was = (double)pair->was->moments[MOMENTS * component], now = (double)pair->now->moments[MOMENTS * component];
    return fabs(now - (1.0 - was)) <= pair->c->tolerance->import * size_of(pair->was, component) &&
           !component_is(pair, component, component, 1.0);
}

/* Mistakes that have a name; NULL. */
static const char *explain(const struct attribute_pair *pair, enum finding_code kind)
{
    static const struct {
        enum finding_code kind;
        uint32_t count, from[3]; /* which component was each of the first */
        double sign;
        const char *says;
    } mistakes[] = {
        {CODE_MESH_NORMALS, 3, {0, 1, 2}, -1.0, "point the other way"},
        {CODE_MESH_TANGENTS, 3, {0, 1, 2}, -1.0, "point the other way"},
        {CODE_MESH_FACES, 3, {0, 1, 2}, -1.0, "are wound the other way"},
        {CODE_MESH_FACES, 0, {0}, 0.0, "join other vertices"},
        {CODE_MESH_COLORS, 3, {2, 1, 0}, 1.0, "are exchanged, red for blue"},
        {CODE_MESH_UV_VALUES, 2, {1, 0}, 1.0, "are exchanged, u for v"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        uint32_t k = 0;
        while (mistakes[i].kind == kind && k < mistakes[i].count &&
               component_is(pair, k, mistakes[i].from[k], mistakes[i].sign))
            k++;
        if (mistakes[i].kind == kind && k == mistakes[i].count)
            return mistakes[i].says;
    }
    if (kind == CODE_MESH_UV_VALUES && component_is(pair, 0, 0, 1.0) && is_flipped(pair, 1))
        return "are upside down: v is 1 - v now";
    if (kind == CODE_MESH_UV_VALUES && component_is(pair, 1, 1, 1.0) && is_flipped(pair, 0))
        return "are mirrored: u is 1 - u now";
    return NULL;
}

/* True when they differ. */
static bool compare_attribute(struct import_context *c, enum finding_code kind, const struct attribute_snapshot *was,
                              const struct attribute_snapshot *now, double half_diagonal, struct finding finding)
{
    const struct attribute_pair pair = {c, was, now};
    float mean_was[ATTRIBUTE_SNAPSHOT_WIDTH] = {0}, mean_now[ATTRIBUTE_SNAPSHOT_WIDTH] = {0};
    const char *phrase;
    double gap = 0.0, mean_gap = 0.0;
    for (uint32_t k = 0; k < was->width && was->width == now->width; k++) {
        mean_was[k] = was->moments[MOMENTS * k];
        mean_now[k] = now->moments[MOMENTS * k];
        mean_gap = worse(mean_gap, fabs((double)mean_was[k] - (double)mean_now[k]) / size_of(was, k));
        gap = worse(gap, component_gap(&pair, k, k, 1.0));
    }
    if (was->width == 0 || was->width != now->width || !import_beyond(c, &finding, gap))
        return false;
    double moved = point_distance(mean_was, mean_now);
    if (kind == CODE_MESH_VERTICES) {
        phrase = moved > c->tolerance->import ? "moved, their mean by {now}" : "moved";
        import_change(c, kind, &finding, phrase, value_length(moved * half_diagonal), no_value);
        return true;
    }
    phrase = explain(&pair, kind);
    if (!phrase)
        phrase = mean_gap <= c->tolerance->import ? "are distributed over the mesh in another way"
                                                  : "have another mean: {now}, was {was}";
    import_change(c, kind, &finding, phrase, value_numbers(mean_now, was->width), value_numbers(mean_was, was->width));
    return true;
}

static void compare_targets(struct import_context *c, const struct mesh_snapshot *golden,
                            const struct mesh_snapshot *actual, double scale)
{
    for (uint32_t t = 0; t < golden->target_count && t < actual->target_count; t++) {
        const struct target_snapshot *was = &golden->targets[t], *now = &actual->targets[t];
        struct finding finding = import_finding(was->name, mesh_label(c, golden));
        import_compare_fields(c, "targets", was, now, &finding, t);
        double longest_was = scale * (double)was->largest, longest_now = scale * (double)now->largest;
        bool is_longer = import_displaced(c, &finding, fabs(longest_now - longest_was));
        if (!import_displaced(c, &finding, worse(finding.distance, scale * point_distance(was->mean, now->mean))))
            continue;
        struct change *change = import_change(c, CODE_TARGET_DELTAS, &finding,
                                              is_longer ? "up to {now}, was {was}" : "{now} on average, was {was}",
                                              is_longer ? value_length(longest_now) : value_numbers(now->mean, 3),
                                              is_longer ? value_length(longest_was) : value_numbers(was->mean, 3));
        change->says.index = t;
    }
}

void import_compare_attributes(struct import_context *c, size_t golden, size_t actual)
{
    const struct mesh_snapshot *was = &c->golden->meshes[golden], *now = &c->actual->meshes[actual];
    const char *label = mesh_label(c, was);
    struct finding finding = import_finding(label, label);
    double half = 0.5 * point_distance(was->min, was->max), size = 0;
    bool is_comparable = was->vertices == now->vertices;
    compare_targets(c, was, now, c->mesh_scale[golden]);
    if (was->normals.width == 0 || now->normals.width == 0)
        return;
    if (!was->colors.width != !now->colors.width)
        import_note(c, CODE_MESH_HAS_COLORS, label, label, was->colors.width ? "are lost" : "are new", no_value,
                    no_value);
    /* Moments are of the vertices seen from their bounds: of others they cannot be the same. */
    for (int k = 0; k < 3; k++)
        size = fmax(size, (double)was->max[k] - (double)was->min[k]);
    for (int k = 0; k < 3; k++)
        if (fabs((double)was->min[k] - (double)now->min[k]) > 10.0 * c->tolerance->import * size ||
            fabs((double)was->max[k] - (double)now->max[k]) > 10.0 * c->tolerance->import * size)
            is_comparable = false;
    /* Where vertices moved, all else that depends on places differs too. */
    if (!is_comparable || compare_attribute(c, CODE_MESH_VERTICES, &was->positions, &now->positions, half, finding))
        return;
    if (was->triangles == now->triangles)
        compare_attribute(c, CODE_MESH_FACES, &was->faces, &now->faces, half, finding);
    compare_attribute(c, CODE_MESH_NORMALS, &was->normals, &now->normals, half, finding);
    compare_attribute(c, CODE_MESH_UV_VALUES, &was->uvs, &now->uvs, half, finding);
    compare_attribute(c, CODE_MESH_COLORS, &was->colors, &now->colors, half, finding);
    compare_attribute(c, CODE_MESH_TANGENTS, &was->tangents, &now->tangents, half, finding);
}

/*
 * Says whether each channel is the one that `channels` names, seen with these signs along x and y. A moment may differ
 * by a quarter of a level of 8 bits: decoders of JPEG do not agree on every pixel, and pixels are the draw stage's.
 * Also true where one side has none.
 */
static bool picture_is(const struct texture_snapshot *g, const struct texture_snapshot *a, const char channels[4],
                       double x, double y)
{
    const double limit = 1.0 / 1024, signs[TEXTURE_MOMENTS] = {1.0, x, y};
    bool is_known = g->has_moments && a->has_moments;
    for (int channel = 0; is_known && channel < 4; channel++)
        for (int m = 0; m < TEXTURE_MOMENTS; m++) {
            double before = (double)g->moments[TEXTURE_MOMENTS * channel + m];
            double after = (double)a->moments[TEXTURE_MOMENTS * (channels[channel] - '0') + m];
            if (!(fabs(after - signs[m] * before) <= limit))
                return false;
        }
    return true;
}

bool import_like_texture(const void *context, size_t golden, size_t actual)
{
    const struct import_context *c = context;
    const struct texture_snapshot *g = &c->golden->textures[golden], *a = &c->actual->textures[actual];
    return g->width == a->width && g->height == a->height && g->missing == a->missing &&
           picture_is(g, a, "0123", 1, 1) && (!g->hash || !a->hash || strcmp(g->hash, a->hash) == 0);
}

/* The importer said this of it: "cannot be read, a checker stands for it: it is a Git LFS pointer: ...". */
static const char *why_missing(const struct import_context *c, const char *texture)
{
    const char *begin = arena_printf(c->arena, "texture \"%s\" ", texture);
    for (uint32_t i = 0; i < c->actual->warning_count; i++)
        if (strncmp(c->actual->warnings[i].text, begin, strlen(begin)) == 0)
            return c->actual->warnings[i].text + strlen(begin);
    return "cannot be read";
}

/* "128x64". */
static struct value value_of_size(const struct import_context *c, const struct texture_snapshot *texture)
{
    return value_words(arena_printf(c->arena, "%ux%u", texture->width, texture->height));
}

void import_compare_texture(struct import_context *c, size_t golden, size_t actual)
{
    const struct texture_snapshot *was = &c->golden->textures[golden], *now = &c->actual->textures[actual];
    float mean_was[4], mean_now[4];
    for (int channel = 0; channel < 4; channel++) {
        mean_was[channel] = was->moments[TEXTURE_MOMENTS * channel];
        mean_now[channel] = now->moments[TEXTURE_MOMENTS * channel];
    }
    if (was->missing != now->missing)
        import_note(c, CODE_TEXTURE_MISSING, was->name, NULL, now->missing ? "{now}" : "can be read now",
                    value_words(why_missing(c, now->name)), no_value);
    else if (was->width != now->width || was->height != now->height)
        import_note(c, CODE_TEXTURE_SIZE, was->name, NULL, "{now}, was {was}", value_of_size(c, now),
                    value_of_size(c, was));
    else if (was->hash && now->hash && strcmp(was->hash, now->hash) != 0)
        import_note(c, CODE_TEXTURE_PICTURE, was->name, NULL, "is another file: its bytes changed", no_value, no_value);
    else if (!picture_is(was, now, "0123", 1, 1))
        import_note(c, CODE_TEXTURE_PICTURE, was->name, NULL,
                    picture_is(was, now, "0123", 1, -1)   ? "is upside down"
                    : picture_is(was, now, "0123", -1, 1) ? "is mirrored"
                    : picture_is(was, now, "2103", 1, 1)
                        ? "has red for blue"
                        : "shows another picture: its mean colour is {now}, was {was}",
                    value_numbers(mean_now, 4), value_numbers(mean_was, 4));
}
