/* Vertices, triangles, normals, texture coordinates and colours of meshes, by their moments. */
#include <math.h>
#include <string.h>

#include "compare/import/import_context.h"
#include "compare/format_number.h"

struct attribute_pair {
    const struct import_context *context;
    const struct attribute_snapshot *was;
    const struct attribute_snapshot *now;
};

/* How much a component's moments may differ: they are of the size of its values, or of 1 where those are small. */
static double limit_of(const struct attribute_pair *pair, uint32_t component)
{
    double largest = 1.0;
    for (int m = 0; m < MOMENTS; m++)
        largest = fmax(largest, fabs((double)pair->was->moments[MOMENTS * component + (uint32_t)m]));
    return pair->context->tolerance->import * largest;
}

/* Whether component `now` is `sign` times component `was`. */
static bool component_is(const struct attribute_pair *pair, uint32_t now, uint32_t was, double sign)
{
    double limit = fmax(limit_of(pair, was), limit_of(pair, now));
    for (uint32_t m = 0; m < MOMENTS; m++)
        if (!(fabs((double)pair->now->moments[MOMENTS * now + m] -
                   sign * (double)pair->was->moments[MOMENTS * was + m]) <= limit))
            return false;
    return true;
}

static bool all_components_are(const struct attribute_pair *pair, double sign)
{
    for (uint32_t k = 0; k < pair->was->width; k++)
        if (!component_is(pair, k, k, sign))
            return false;
    return true;
}

/* 1 - v has one less the mean; its other moments depend on where the vertices are. */
static bool is_flipped(const struct attribute_pair *pair, uint32_t component)
{
    double was = (double)pair->was->moments[MOMENTS * component], now = (double)pair->now->moments[MOMENTS * component];
    return fabs(now - (1.0 - was)) <= limit_of(pair, component) && !component_is(pair, component, component, 1.0);
}

/* Mistakes that have a name; NULL. */
static const char *explain_normals(const struct attribute_pair *pair)
{
    return all_components_are(pair, -1.0) ? "point the other way" : NULL;
}

static const char *explain_faces(const struct attribute_pair *pair)
{
    return all_components_are(pair, -1.0) ? "are wound the other way" : "join other vertices";
}

static const char *explain_uvs(const struct attribute_pair *pair)
{
    bool u = component_is(pair, 0, 0, 1.0), v = component_is(pair, 1, 1, 1.0);
    if (!u && !v && component_is(pair, 0, 1, 1.0) && component_is(pair, 1, 0, 1.0))
        return "are exchanged, u for v";
    if (u && is_flipped(pair, 1))
        return "are upside down: v is 1 - v now";
    return v && is_flipped(pair, 0) ? "are mirrored: u is 1 - u now" : NULL;
}

static const char *explain_colors(const struct attribute_pair *pair)
{
    bool ends = component_is(pair, 0, 2, 1.0) && component_is(pair, 2, 0, 1.0);
    return ends && component_is(pair, 1, 1, 1.0) ? "are exchanged, red for blue" : NULL;
}

static void take_means(const struct attribute_snapshot *attribute, float out[ATTRIBUTE_SNAPSHOT_WIDTH])
{
    for (uint32_t k = 0; k < attribute->width; k++)
        out[k] = attribute->moments[MOMENTS * k];
}

/* "have another mean: (0, 1, 0), was (0, 0.9, 0)", or the same mean at other places. */
static const char *describe(const struct attribute_pair *pair)
{
    float was[ATTRIBUTE_SNAPSHOT_WIDTH] = {0}, now[ATTRIBUTE_SNAPSHOT_WIDTH] = {0};
    const char *before, *after;
    bool same_means = true;
    take_means(pair->was, was);
    take_means(pair->now, now);
    for (uint32_t k = 0; k < pair->was->width; k++)
        same_means = same_means && fabs((double)was[k] - (double)now[k]) <= limit_of(pair, k);
    if (same_means)
        return "lie in another way over the mesh";
    format_vectors(now, was, pair->was->width, pair->context->arena, &after, &before);
    return arena_printf(pair->context->arena, "have another mean: %s, was %s", after, before);
}

static struct finding mesh_finding(const struct import_context *c, const struct mesh_snapshot *golden)
{
    struct finding finding = import_finding(mesh_label(c, golden));
    finding.mesh = finding.subject;
    return finding;
}

static void compare_attribute(const struct attribute_pair *pair, const struct mesh_snapshot *mesh, const char *noun,
                              const char *(*explain)(const struct attribute_pair *), struct grouping *grouping)
{
    struct finding finding = mesh_finding(pair->context, mesh);
    if (pair->was->width == 0 || pair->was->width != pair->now->width || all_components_are(pair, 1.0))
        return;
    const char *says = explain(pair);
    if (!says)
        says = describe(pair);
    grouping_add(grouping, &finding, says, "%s of mesh %s %s", noun, mesh_text(pair->context, mesh), says);
}

static double half_diagonal(const struct mesh_snapshot *mesh)
{
    const double min[3] = {(double)mesh->min[0], (double)mesh->min[1], (double)mesh->min[2]};
    const double max[3] = {(double)mesh->max[0], (double)mesh->max[1], (double)mesh->max[2]};
    return 0.5 * vector_distance(min, max);
}

/* "moved, their mean by 1.2 cm". What else is told by places is told by it: true when they differ. */
static bool compare_positions(const struct import_context *c, const struct mesh_snapshot *was,
                              const struct mesh_snapshot *now, struct grouping *grouping)
{
    const struct attribute_pair pair = {c, &was->positions, &now->positions};
    struct finding finding = mesh_finding(c, was);
    double square = 0.0;
    if (was->positions.width == 0 || now->positions.width == 0 || all_components_are(&pair, 1.0))
        return false;
    for (uint32_t k = 0; k < 3; k++) {
        double change = (double)now->positions.moments[MOMENTS * k] - (double)was->positions.moments[MOMENTS * k];
        square += change * change;
    }
    double moved = sqrt(square) * half_diagonal(was);
    const char *says =
        square > c->tolerance->import * c->tolerance->import
            ? arena_printf(c->arena, "moved, their mean by %s", format_length(moved, c->unit_meters).text)
            : "moved";
    grouping_add(grouping, &finding, says, "vertices of mesh %s %s", mesh_text(c, was), says);
    return true;
}

static void compare_colors_at_all(const struct import_context *c, const struct mesh_snapshot *was,
                                  const struct mesh_snapshot *now, struct grouping *grouping)
{
    struct finding finding = mesh_finding(c, was);
    if (!was->colors.width != !now->colors.width)
        grouping_add(grouping, &finding, was->colors.width ? "are lost" : "are new", "mesh %s %s", mesh_text(c, was),
                 was->colors.width ? "lost its vertex colours" : "has vertex colours now");
}

/* Moments are of the vertices seen from their bounds: of others they cannot be the same. */
static bool are_comparable(const struct import_context *c, const struct mesh_snapshot *was,
                           const struct mesh_snapshot *now)
{
    double size = 0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, (double)was->max[k] - (double)was->min[k]);
    for (int k = 0; k < 3; k++)
        if (fabs((double)was->min[k] - (double)now->min[k]) > 10.0 * c->tolerance->import * size ||
            fabs((double)was->max[k] - (double)now->max[k]) > 10.0 * c->tolerance->import * size)
            return false;
    return was->vertices == now->vertices && was->normals.width > 0 && now->normals.width > 0;
}

void import_compare_attributes(const struct import_context *c)
{
    struct grouping vertices = grouping_begin(c->out, "vertices of ", " meshes");
    struct grouping faces = grouping_begin(c->out, "triangles of ", " meshes");
    struct grouping normals = grouping_begin(c->out, "normals of ", " meshes");
    struct grouping uvs = grouping_begin(c->out, "texture coordinates of ", " meshes");
    struct grouping colors = grouping_begin(c->out, "colours of ", " meshes");
    vertices.details_are_predicates = faces.details_are_predicates = true;
    vertices.names_meshes = faces.names_meshes = normals.names_meshes = uvs.names_meshes = colors.names_meshes = true;
    normals.details_are_predicates = uvs.details_are_predicates = colors.details_are_predicates = true;
    for (size_t i = 0; i < c->meshes.golden_count; i++) {
        if (c->meshes.to_actual[i] == NO_INDEX)
            continue;
        const struct mesh_snapshot *was = &c->golden->meshes[i], *now = &c->actual->meshes[c->meshes.to_actual[i]];
        if (was->normals.width > 0 && now->normals.width > 0)
            compare_colors_at_all(c, was, now, &colors);
        if (!are_comparable(c, was, now) || compare_positions(c, was, now, &vertices))
            continue;
        if (was->triangles == now->triangles)
            compare_attribute(&(struct attribute_pair){c, &was->faces, &now->faces}, was, "triangles",
                              explain_faces, &faces);
        compare_attribute(&(struct attribute_pair){c, &was->normals, &now->normals}, was, "normals",
                          explain_normals, &normals);
        compare_attribute(&(struct attribute_pair){c, &was->uvs, &now->uvs}, was, "texture coordinates",
                          explain_uvs, &uvs);
        compare_attribute(&(struct attribute_pair){c, &was->colors, &now->colors}, was, "colours", explain_colors,
                          &colors);
    }
    grouping_end(&vertices);
    grouping_end(&faces);
    grouping_end(&normals);
    grouping_end(&uvs);
    grouping_end(&colors);
}
