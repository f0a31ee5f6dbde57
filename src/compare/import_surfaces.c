/* Normals, texture coordinates and colours of meshes whose shape is the same. */
#include <math.h>
#include <string.h>

#include "compare/import_context.h"
#include "compare/phrase.h"

static float mean_of(const struct attribute_evidence *attribute, uint32_t component)
{
    return attribute->moments[MOMENTS * component];
}

/* Moments are products with a position of length 1 at most: they grow with the attribute alone. */
static bool have_equal_moments(const struct attribute_evidence *was, const struct attribute_evidence *now, uint32_t component,
                               double tolerance)
{
    for (uint32_t m = MOMENTS * component; m < MOMENTS * (component + 1); m++)
        if (!(fabs((double)now->moments[m] - (double)was->moments[m]) <= tolerance * fmax(1.0, fabs((double)was->moments[m]))))
            return false;
    return true;
}

static bool are_equal(const struct attribute_evidence *was, const struct attribute_evidence *now, double tolerance)
{
    for (uint32_t c = 0; c < was->width; c++)
        if (!have_equal_moments(was, now, c, tolerance))
            return false;
    return true;
}

static bool is_zero(const struct attribute_evidence *attribute)
{
    for (uint32_t m = 0; m < MOMENTS * attribute->width; m++)
        if (attribute->moments[m] != 0.0f)
            return false;
    return true;
}

static bool is_negated(const struct attribute_evidence *was, const struct attribute_evidence *now, double tolerance)
{
    struct attribute_evidence turned = *was;
    for (uint32_t m = 0; m < MOMENTS * was->width; m++)
        turned.moments[m] = -turned.moments[m];
    return are_equal(&turned, now, tolerance);
}

/* x became 1 - x. Of its products with the position no more can be said than that they changed: they depend on where
 * the vertices stand. */
static bool is_flipped(const struct attribute_evidence *was, const struct attribute_evidence *now, uint32_t component,
                       double tolerance)
{
    double mean = 1.0 - (double)mean_of(was, component);
    return fabs((double)mean_of(now, component) - mean) <= tolerance * fmax(1.0, fabs(mean)) &&
           !have_equal_moments(was, now, component, tolerance);
}

static const char *describe_normals(const struct attribute_evidence *was, const struct attribute_evidence *now, double tolerance)
{
    if (is_zero(now))
        return "are lost";
    return is_negated(was, now, tolerance) ? "point the other way" : NULL;
}

static const char *describe_uvs(const struct attribute_evidence *was, const struct attribute_evidence *now, double tolerance)
{
    bool u = have_equal_moments(was, now, 0, tolerance), v = have_equal_moments(was, now, 1, tolerance);
    if (u && is_flipped(was, now, 1, tolerance))
        return "are upside down: v is 1 - v";
    if (v && is_flipped(was, now, 0, tolerance))
        return "are mirrored: u is 1 - u";
    return NULL;
}

static const char *describe_means(const struct attribute_evidence *was, const struct attribute_evidence *now, struct arena *arena)
{
    float before[ATTRIBUTE_EVIDENCE_WIDTH], after[ATTRIBUTE_EVIDENCE_WIDTH];
    const char *was_text, *now_text;
    for (uint32_t c = 0; c < was->width; c++) {
        before[c] = mean_of(was, c);
        after[c] = mean_of(now, c);
    }
    if (memcmp(before, after, was->width * sizeof(float)) == 0)
        return "belong to other vertices: their mean is the same";
    phrase_vectors(after, before, was->width, arena, &now_text, &was_text);
    return arena_printf(arena, "differ: on average %s, were %s", now_text, was_text);
}

static void compare_attribute(const struct import_context *c, struct fold *fold, const char *name, const char *mesh,
                              const struct attribute_evidence *was, const struct attribute_evidence *now)
{
    struct finding finding = import_finding(mesh);
    const char *what = NULL;
    finding.mesh = mesh;
    if (was->width != now->width)
        what = now->width == 0 ? "are lost" : "are there now, were not";
    else if (are_equal(was, now, c->tolerance->import))
        return;
    else if (was->width == 3)
        what = describe_normals(was, now, c->tolerance->import);
    else if (was->width == 2)
        what = describe_uvs(was, now, c->tolerance->import);
    if (!what)
        what = describe_means(was, now, c->arena);
    fold_add(fold, &finding, what, "%s of mesh `%s` %s", name, mesh, what);
}

/*
 * Statistics of other vertices, or of a mesh that was moved, say nothing new: counts or bounds differ then. Every mesh
 * has normals: without them the file does not say.
 */
static bool can_be_compared(const struct import_context *c, const struct mesh_evidence *was, const struct mesh_evidence *now)
{
    double length = 0.0;
    if (was->vertices != now->vertices || was->normals.width == 0 || now->normals.width == 0)
        return false;
    for (int k = 0; k < 3; k++)
        length = fmax(length, fmax(fabs((double)was->min[k]), fabs((double)was->max[k])));
    for (int k = 0; k < 3; k++)
        if (!(fabs((double)was->min[k] - (double)now->min[k]) <= c->tolerance->import * length) ||
            !(fabs((double)was->max[k] - (double)now->max[k]) <= c->tolerance->import * length))
            return false;
    return true;
}

void import_compare_surfaces(const struct import_context *c)
{
    struct fold normals = fold_begin(c->out, "normals of ", " meshes"), uvs = fold_begin(c->out, "texture coordinates of ", " meshes"),
                colors = fold_begin(c->out, "vertex colours of ", " meshes");
    normals.details_are_predicates = uvs.details_are_predicates = colors.details_are_predicates = true;
    for (size_t i = 0; i < c->golden->mesh_count; i++) {
        int32_t other = c->meshes.to_actual[i];
        if (other == NO_INDEX)
            continue;
        const struct mesh_evidence *was = &c->golden->meshes[i], *now = &c->actual->meshes[other];
        if (!can_be_compared(c, was, now))
            continue;
        compare_attribute(c, &normals, "normals", was->name, &was->normals, &now->normals);
        if (was->has_uvs == now->has_uvs) /* else it was told */
            compare_attribute(c, &uvs, "texture coordinates", was->name, &was->uvs, &now->uvs);
        compare_attribute(c, &colors, "vertex colours", was->name, &was->colors, &now->colors);
    }
    fold_end(&normals);
    fold_end(&uvs);
    fold_end(&colors);
}
