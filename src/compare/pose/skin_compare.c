/* The GPU's skinned vertices against the CPU's. */
#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/format_number.h"
#include "compare/match/affine_d.h"
#include "data/vector.h"

/* What is being compared. */
struct skin_pair {
    const struct scene *scene;
    const struct mesh *mesh;
    const struct instance *instance;
    const struct skinned *reference;
    const struct skinned *gpu;
    uint32_t count; /* vertices that both have */
    double radius;
    double rounding; /* what floats may be off */
    double time;
    const char *label, *when; /* of the mesh and of the time, in a sentence */
    struct findings *findings;
};

/* Vertices that are beyond the tolerance in one respect. */
struct offenders {
    enum tolerance_key key;
    uint32_t count;
    uint32_t worst; /* the vertex */
    double off;
    double measure;
    uint32_t *by_bone; /* [bone_count of the mesh, at least 1] how many of them each bone holds most of */
    uint32_t most;     /* the bone that holds most */
};

/* The binding, counted from the instance's first, that holds most of a vertex: influences are in descending order. */
static uint32_t binding_of(const struct skin_pair *pair, uint32_t vertex)
{
    const struct mesh *mesh = pair->mesh;
    bool held = mesh->influence_first && vertex < mesh->vertex_count &&
                mesh->influence_first[vertex + 1] > mesh->influence_first[vertex];
    return held ? mesh->influences[mesh->influence_first[vertex]].bone : 0;
}

static const char *bone_name(const struct skin_pair *pair, uint32_t binding)
{
    uint32_t node = pair->mesh->bone_count > 0 ? pair->mesh->bones[binding].node : pair->instance->node;
    return pair->scene->nodes[node].name;
}

static struct finding skin_finding(const struct skin_pair *pair, uint32_t vertex)
{
    struct finding finding = finding_none;
    finding.stage = STAGE_SKIN;
    finding.time = pair->time;
    finding.mesh = pair->mesh->label;
    finding.subject = bone_name(pair, binding_of(pair, vertex));
    return finding;
}

static struct offenders no_offenders(const struct skin_pair *pair, enum tolerance_key key)
{
    uint32_t bones = pair->mesh->bone_count > 0 ? pair->mesh->bone_count : 1;
    return (struct offenders){.key = key, .by_bone = ARENA_NEW(pair->findings->arena, uint32_t, bones)};
}

static void measure_vertex(const struct skin_pair *pair, struct offenders *offenders, uint32_t vertex, double off,
                           double measure)
{
    if (measure == 0 || !findings_measure(pair->findings, offenders->key, measure))
        return;
    if (offenders->count++ == 0 || off > offenders->off) {
        offenders->off = off;
        offenders->worst = vertex;
    }
    offenders->measure = fmax(offenders->measure, measure);
    uint32_t bone = binding_of(pair, vertex), most = offenders->most, count = ++offenders->by_bone[bone];
    if (count > offenders->by_bone[most] || (count == offenders->by_bone[most] && bone < most))
        offenders->most = bone;
}

static struct finding offenders_finding(const struct skin_pair *pair, const struct offenders *offenders)
{
    struct finding finding = skin_finding(pair, offenders->worst);
    finding.displacement = 0; /* of a normal: no point moved */
    finding.tolerance = offenders->key;
    finding.measure = offenders->measure;
    return finding;
}

/* "; 119 vertices are off, most of them held by `hand.L`": where the others are. */
static const char *describe_others(const struct skin_pair *pair, const struct offenders *offenders)
{
    uint32_t count = offenders->count, held = offenders->by_bone[offenders->most];
    struct arena *arena = pair->findings->arena;
    if (count < 2)
        return "";
    if (2 * held <= count)
        return arena_printf(arena, "; %u vertices are off", count);
    return arena_printf(arena, "; %u vertices are off, %s of them held by `%s`", count, held == count ? "all" : "most",
                        bone_name(pair, offenders->most));
}

static double compare_positions(const struct skin_pair *pair)
{
    struct offenders offenders = no_offenders(pair, TOLERANCE_SKIN);
    uint32_t lost = 0, first_lost = 0;
    const double least = 1e-12; /* of a difference: a tolerance of 0 allows no rounding either */
    double largest = 0, unit = pair->scene->unit_meters;
    for (uint32_t v = 0; v < pair->count; v++) {
        if (!vec3_is_finite(pair->gpu->positions[v])) {
            first_lost = lost++ == 0 ? v : first_lost;
            continue;
        }
        double a[3], b[3];
        for (int k = 0; k < 3; k++) {
            a[k] = (double)pair->reference->positions[v][k];
            b[k] = (double)pair->gpu->positions[v][k];
        }
        double gap = vector_distance(a, b);
        measure_vertex(pair, &offenders, v, gap, gap > 0 ? fmax((gap - pair->rounding) / pair->radius, least) : 0);
        largest = fmax(largest, gap);
    }
    if (lost > 0) {
        struct finding finding = skin_finding(pair, first_lost);
        findings_add(pair->findings, &finding,
                     "%u of %u positions that the GPU gives of mesh %s %s at %s; vertex %u, held by `%s`, is the first",
                     lost, pair->count, pair->label, lost == 1 ? "is no number" : "are no numbers", pair->when, first_lost,
                     finding.subject);
    }
    if (offenders.count > 0) {
        struct finding finding = offenders_finding(pair, &offenders);
        finding.distance = offenders.off;
        finding.displacement = offenders.off / pair->radius;
        findings_add(pair->findings, &finding,
                     "the GPU puts vertex %u of mesh %s %s (%s) beside the CPU's at %s; `%s` holds most of it%s",
                     offenders.worst, pair->label, format_length(finding.distance, unit).text,
                     format_displacement(finding.displacement).text, pair->when, finding.subject,
                     describe_others(pair, &offenders));
    }
    return lost > 0 ? INFINITY : largest / pair->radius;
}

/* Where the reference has no direction, anything goes. The angle of two directions, whatever their lengths, is 2 asin(|a - b| / 2)
 * of the unit vectors, exact for small angles. */
static void compare_normals(const struct skin_pair *pair)
{
    const double length_limit = 1e-3; /* what normalize() leaves is below 1e-6 */
    const double degrees_limit = 0.1, degrees_of_tolerance = 1000.0;
    struct offenders lengths = no_offenders(pair, TOLERANCE_NONE), directions = no_offenders(pair, TOLERANCE_SKIN);
    if (!pair->reference->normals || !pair->gpu->normals)
        return;
    for (uint32_t v = 0; v < pair->count; v++) {
        const float *was = pair->reference->normals[v], *now = pair->gpu->normals[v];
        double was_length = vec3_length(was), length = vec3_length(now), off = fabs(length - 1.0), squares = 0;
        if (was_length == 0)
            continue;
        measure_vertex(pair, &lengths, v, isfinite(off) ? off : INFINITY, off <= length_limit ? 0 : INFINITY);
        if (!(length > 0) || !isfinite(length))
            continue;
        for (int k = 0; k < 3; k++) {
            double gap = (double)was[k] / was_length - (double)now[k] / length;
            squares += gap * gap;
        }
        double degrees = 2.0 * asin(fmin(1.0, 0.5 * sqrt(squares))) * 180.0 / acos(-1.0);
        measure_vertex(pair, &directions, v, degrees, degrees <= degrees_limit ? 0 : degrees / degrees_of_tolerance);
    }
    if (lengths.count > 0) {
        struct finding finding = offenders_finding(pair, &lengths);
        double length = vec3_length(pair->gpu->normals[lengths.worst]);
        findings_add(pair->findings, &finding,
                     "the GPU gives vertex %u of mesh %s a normal %s at %s, where a unit vector is wanted; `%s` holds "
                     "most of it%s",
                     lengths.worst, pair->label,
                     isfinite(length) ? arena_printf(pair->findings->arena, "of length %.3g", length)
                                      : "that is no number",
                     pair->when, finding.subject, describe_others(pair, &lengths));
    }
    if (directions.count > 0) {
        struct finding finding = offenders_finding(pair, &directions);
        finding.degrees = directions.off;
        findings_add(
            pair->findings, &finding,
            "the GPU turns the normal of vertex %u of mesh %s by %s against the CPU's at %s; `%s` holds most of it%s",
            directions.worst, pair->label, format_degrees(directions.off).text, pair->when, finding.subject,
            describe_others(pair, &directions));
    }
}

double compare_skin(const struct scene *scene, const struct skinned *reference, const struct skinned *gpu,
                    double radius, double rounding, double time, struct findings *findings)
{
    const struct instance *instance = &scene->instances[reference->instance];
    uint32_t was = reference->vertex_count, now = gpu->vertex_count;
    struct skin_pair pair = {
        .scene = scene,
        .mesh = &scene->meshes[instance->mesh],
        .instance = instance,
        .reference = reference,
        .gpu = gpu,
        .count = was < now ? was : now,
        .radius = radius > 0 ? radius : 1e-9,
        .rounding = rounding,
        .time = time,
        .label = format_mesh(scene->meshes[instance->mesh].label, findings->arena),
        .when = arena_string(findings->arena, format_seconds(time).text),
        .findings = findings,
    };
    if (was != now) {
        struct finding finding = skin_finding(&pair, 0);
        findings_add(findings, &finding, "the GPU gives %u vertices of mesh %s at %s, the CPU %u", now,
                     pair.label, pair.when, was);
    }
    double largest = compare_positions(&pair);
    compare_normals(&pair);
    return was != now ? INFINITY : largest;
}
