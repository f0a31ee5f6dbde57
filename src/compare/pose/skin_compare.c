/* The GPU's skinned vertices against the CPU's. */
#include <math.h>

#include "compare/compare.h"
#include "compare/match/affine_d.h"
#include "compare/format_number.h"
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
    struct findings *findings;
};

/* Vertices beyond a limit. */
struct offenders {
    uint32_t count;
    uint32_t worst; /* the vertex */
    double largest;
    uint32_t *by_bone; /* [binding_count] how many of them each bone holds most of */
};

/* ---- bones ------------------------------------------------------------------------------------------------------- */

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

/* In a sentence. */
static const char *mesh_of(const struct skin_pair *pair)
{
    return format_mesh(pair->mesh->label, pair->findings->arena);
}

static void add_offender(const struct skin_pair *pair, struct offenders *offenders, uint32_t vertex, double size)
{
    if (offenders->count++ == 0 || size > offenders->largest) {
        offenders->largest = size;
        offenders->worst = vertex;
    }
    offenders->by_bone[binding_of(pair, vertex)]++;
}

static struct offenders no_offenders(const struct skin_pair *pair)
{
    uint32_t bones = pair->mesh->bone_count > 0 ? pair->mesh->bone_count : 1;
    return (struct offenders){.by_bone = ARENA_NEW(pair->findings->arena, uint32_t, bones)};
}

/* "; so are 119 more, most of them `hand.L`'s": where the others are. */
static const char *describe_others(const struct skin_pair *pair, const struct offenders *offenders)
{
    uint32_t bones = pair->mesh->bone_count > 0 ? pair->mesh->bone_count : 1, most = 0;
    struct arena *arena = pair->findings->arena;
    if (offenders->count < 2)
        return "";
    for (uint32_t b = 1; b < bones; b++)
        most = offenders->by_bone[b] > offenders->by_bone[most] ? b : most;
    if (offenders->by_bone[most] == offenders->count)
        return arena_printf(arena, "; %u vertices are off, all of them held by `%s`", offenders->count,
                            bone_name(pair, most));
    if (2 * offenders->by_bone[most] > offenders->count)
        return arena_printf(arena, "; %u vertices are off, most of them held by `%s`", offenders->count,
                            bone_name(pair, most));
    return arena_printf(arena, "; %u vertices are off", offenders->count);
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

/* ---- positions --------------------------------------------------------------------------------------------------- */

static void report_not_finite(const struct skin_pair *pair, uint32_t count, uint32_t vertex)
{
    struct finding finding = skin_finding(pair, vertex);
    findings_add(pair->findings, &finding,
                 "%u of %u positions that the GPU gives of mesh %s %s at %s; vertex %u, held by `%s`, is the first",
                 count, pair->count, mesh_of(pair), count == 1 ? "is no number" : "are no numbers",
                 format_seconds(pair->time).text, vertex, finding.subject);
}

static void report_positions(const struct skin_pair *pair, const struct offenders *offenders)
{
    struct finding finding = skin_finding(pair, offenders->worst);
    double unit = pair->scene->unit_meters;
    finding.distance = offenders->largest;
    finding.displacement = offenders->largest / pair->radius;
    findings_add(pair->findings, &finding,
                 "the GPU puts vertex %u of mesh %s %s (%s) beside the CPU's at %s; `%s` holds most of it%s",
                 offenders->worst, mesh_of(pair), format_length(finding.distance, unit).text,
                 format_displacement(finding.displacement).text, format_seconds(pair->time).text, finding.subject,
                 describe_others(pair, offenders));
}

static double position_gap(const struct skin_pair *pair, uint32_t vertex)
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)pair->reference->positions[vertex][k];
        b[k] = (double)pair->gpu->positions[vertex][k];
    }
    return vector_distance(a, b);
}

static double compare_positions(const struct skin_pair *pair, const struct tolerance *tolerance)
{
    struct offenders offenders = no_offenders(pair);
    uint32_t lost = 0, first_lost = 0;
    double largest = 0;
    for (uint32_t v = 0; v < pair->count; v++) {
        if (!vec3_is_finite(pair->gpu->positions[v])) {
            first_lost = lost++ == 0 ? v : first_lost;
            continue;
        }
        double gap = position_gap(pair, v);
        largest = fmax(largest, gap);
        if (!(gap <= tolerance->skin * pair->radius + pair->rounding))
            add_offender(pair, &offenders, v, gap);
    }
    if (lost > 0)
        report_not_finite(pair, lost, first_lost);
    if (offenders.count > 0)
        report_positions(pair, &offenders);
    return lost > 0 ? INFINITY : largest / pair->radius;
}

/* ---- normals ----------------------------------------------------------------------------------------------------- */

/* How far a length may be from 1: what normalize() leaves is below 1e-6. */
static const double length_limit = 1e-3;

/* Of two directions, whatever their lengths: 2 asin(|a - b| / 2) of the unit vectors, exact for small angles. */
static double normal_degrees(const vec3 a, const vec3 b)
{
    double squares = 0, length_a = vec3_length(a), length_b = vec3_length(b);
    for (int k = 0; k < 3; k++) {
        double gap = (double)a[k] / length_a - (double)b[k] / length_b;
        squares += gap * gap;
    }
    return 2.0 * asin(fmin(1.0, 0.5 * sqrt(squares))) * 180.0 / acos(-1.0);
}

static void report_lengths(const struct skin_pair *pair, const struct offenders *offenders)
{
    struct finding finding = skin_finding(pair, offenders->worst);
    double length = vec3_length(pair->gpu->normals[offenders->worst]);
    finding.displacement = 0; /* no point moved */
    findings_add(pair->findings, &finding,
                 "the GPU gives vertex %u of mesh %s a normal %s at %s, where a unit vector is wanted; `%s` holds most "
                 "of it%s",
                 offenders->worst, mesh_of(pair),
                 isfinite(length) ? arena_printf(pair->findings->arena, "of length %.3g", length) : "that is no number",
                 format_seconds(pair->time).text, finding.subject, describe_others(pair, offenders));
}

static void report_directions(const struct skin_pair *pair, const struct offenders *offenders)
{
    struct finding finding = skin_finding(pair, offenders->worst);
    finding.degrees = offenders->largest;
    finding.displacement = 0; /* no point moved */
    findings_add(
        pair->findings, &finding,
        "the GPU turns the normal of vertex %u of mesh %s by %s against the CPU's at %s; `%s` holds most of it%s",
        offenders->worst, mesh_of(pair), format_degrees(offenders->largest).text, format_seconds(pair->time).text,
        finding.subject, describe_others(pair, offenders));
}

/* Where the reference has no direction, anything goes. */
static void compare_normals(const struct skin_pair *pair, const struct tolerance *tolerance)
{
    const double limit = fmax(0.1, 1000.0 * tolerance->skin); /* degrees */
    struct offenders lengths = no_offenders(pair), directions = no_offenders(pair);
    if (!pair->reference->normals || !pair->gpu->normals)
        return;
    for (uint32_t v = 0; v < pair->count; v++) {
        double length = vec3_length(pair->gpu->normals[v]), off = fabs(length - 1.0);
        if (vec3_length(pair->reference->normals[v]) == 0)
            continue;
        if (!(off <= length_limit))
            add_offender(pair, &lengths, v, isfinite(off) ? off : INFINITY);
        if (!(length > 0) || !isfinite(length))
            continue;
        double degrees = normal_degrees(pair->reference->normals[v], pair->gpu->normals[v]);
        if (!(degrees <= limit))
            add_offender(pair, &directions, v, degrees);
    }
    if (lengths.count > 0)
        report_lengths(pair, &lengths);
    if (directions.count > 0)
        report_directions(pair, &directions);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

double compare_skin(const struct scene *scene, const struct skinned *reference, const struct skinned *gpu,
                    double radius, double rounding, double time, const struct tolerance *tolerance,
                    struct findings *findings)
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
        .rounding = tolerance->skin > 0 ? rounding : 0,
        .time = time,
        .findings = findings,
    };
    if (was != now) {
        struct finding finding = skin_finding(&pair, 0);
        findings_add(findings, &finding, "the GPU gives %u vertices of mesh %s at %s, the CPU %u", now,
                     mesh_of(&pair), format_seconds(time).text, was);
    }
    double largest = compare_positions(&pair, tolerance);
    compare_normals(&pair, tolerance);
    return was != now ? INFINITY : largest;
}
