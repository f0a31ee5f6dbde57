/* Skinned vertices: the GPU's against the CPU's, and two files' as point sets, whatever the order and number of
 * points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "compare/compare.h"
#include "data/affine_d.h"
#include "compare/match/matrix_change.h"
#include "compare/match/placement.h"
#include "compare/pose/pose_context.h"
#include "data/measure.h"
#include "data/vector.h"

/* The two meshes that are compared. */
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

/* Vertices that are beyond the tolerance in one respect. */
struct offenders {
    enum tolerance_key key;
    uint32_t count;
    uint32_t worst; /* the vertex */
    double off;
    double measure;
    uint32_t *by_bone; /* [bone_count of the mesh + 1] how many of them each bone holds most of */
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

/* About a vertex; of `offenders` when not NULL, with the bone that holds most of them. */
static struct finding skin_finding(const struct skin_pair *pair, enum finding_code code, uint32_t vertex,
                                   const struct offenders *offenders)
{
    struct finding finding = finding_of(code);
    finding.time = pair->time;
    finding.mesh = pair->mesh->label;
    finding.subject = bone_name(pair, binding_of(pair, vertex));
    finding.index = vertex;
    if (offenders) {
        finding.count = offenders->count;
        if (2 * offenders->by_bone[offenders->most] > offenders->count)
            finding.other = bone_name(pair, offenders->most);
        finding.displacement = 0; /* of a normal: no point moved */
        finding.tolerance = offenders->key;
        finding.measure = offenders->measure;
    }
    return finding;
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
    offenders->measure = worse(offenders->measure, measure);
    uint32_t bone = binding_of(pair, vertex), most = offenders->most, count = ++offenders->by_bone[bone];
    if (count > offenders->by_bone[most] || (count == offenders->by_bone[most] && bone < most))
        offenders->most = bone;
}

static double compare_positions(const struct skin_pair *pair)
{
    struct offenders offenders = {TOLERANCE_SKIN,
                                  .by_bone = ARENA_NEW(pair->findings->arena, uint32_t, pair->mesh->bone_count + 1)};
    uint32_t lost = 0, first_lost = 0;
    const double least = 1e-12; /* of a difference: a tolerance of 0 allows no rounding either */
    double largest = 0;
    for (uint32_t v = 0; v < pair->count; v++) {
        double gap = point_distance(pair->reference->positions[v], pair->gpu->positions[v]);
        if (!isfinite(gap)) {
            first_lost = lost++ == 0 ? v : first_lost;
            continue;
        }
        measure_vertex(pair, &offenders, v, gap, gap > 0 ? fmax((gap - pair->rounding) / pair->radius, least) : 0);
        largest = worse(largest, gap);
    }
    if (lost > 0) {
        struct finding finding = skin_finding(pair, CODE_GPU_NO_NUMBER, first_lost, NULL);
        finding.count = lost;
        finding.of = pair->count;
        findings_put(pair->findings, &finding);
    }
    if (offenders.count > 0) {
        struct finding finding = skin_finding(pair, CODE_GPU_POSITION, offenders.worst, &offenders);
        finding.distance = offenders.off;
        finding.displacement = offenders.off / pair->radius;
        findings_put(pair->findings, &finding);
    }
    return lost > 0 ? INFINITY : largest / pair->radius;
}

/* Normals or tangents: unit vectors, `stride` floats from one to the next. Where the reference has no direction,
 * anything goes. */
static void compare_directions(const struct skin_pair *pair, const char *noun, const float *was, const float *now,
                               size_t stride)
{
    const double length_limit = 1e-3; /* what normalize() leaves is below 1e-6 */
    uint32_t *by_bone = ARENA_NEW(pair->findings->arena, uint32_t, 2 * (pair->mesh->bone_count + 1));
    struct offenders lengths = {TOLERANCE_NONE, .by_bone = by_bone};
    struct offenders directions = {TOLERANCE_SKIN, .by_bone = by_bone + pair->mesh->bone_count + 1};
    if (!was || !now)
        return;
    for (uint32_t v = 0; v < pair->count; v++) {
        const float *expected = was + v * stride, *given = now + v * stride;
        double length = vec3_length(given), off = fabs(length - 1.0);
        if (vec3_length(expected) == 0)
            continue;
        measure_vertex(pair, &lengths, v, isfinite(off) ? off : INFINITY, off <= length_limit ? 0 : INFINITY);
        if (!(length > 0) || !isfinite(length))
            continue;
        if (point_distance(expected, given) <= 1e-4 * vec3_length(expected)) /* 0.006 degrees: far below a finding's */
            continue;
        double degrees = vector_degrees(expected, given);
        measure_vertex(pair, &directions, v, degrees, degrees <= NORMAL_DEGREES ? 0 : degrees / DEGREES_OF_TOLERANCE);
    }
    if (lengths.count > 0) {
        struct finding finding = skin_finding(pair, CODE_GPU_LENGTH, lengths.worst, &lengths);
        double length = vec3_length(now + lengths.worst * stride);
        finding.part = noun;
        finding.now = isfinite(length) ? length : -1;
        findings_put(pair->findings, &finding);
    }
    if (directions.count > 0) {
        struct finding finding = skin_finding(pair, CODE_GPU_DIRECTION, directions.worst, &directions);
        finding.part = noun;
        finding.degrees = directions.off;
        findings_put(pair->findings, &finding);
    }
}

/* On which side of the tangent the bitangent is. */
static void compare_bitangents(const struct skin_pair *pair)
{
    struct offenders sides = {TOLERANCE_NONE,
                              .by_bone = ARENA_NEW(pair->findings->arena, uint32_t, pair->mesh->bone_count + 1)};
    for (uint32_t v = 0; v < pair->count; v++) {
        const float *was = pair->reference->tangents[v], *now = pair->gpu->tangents[v];
        measure_vertex(pair, &sides, v, 1, was[3] == 0 || was[3] == now[3] ? 0 : INFINITY);
    }
    if (sides.count == 0)
        return;
    struct finding finding = skin_finding(pair, CODE_GPU_BITANGENT, sides.worst, &sides);
    finding.now = (double)pair->gpu->tangents[sides.worst][3];
    finding.was = (double)pair->reference->tangents[sides.worst][3];
    findings_put(pair->findings, &finding);
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
        .findings = findings,
    };
    findings->unit_meters = scene->unit_meters;
    if (was != now) {
        struct finding finding = skin_finding(&pair, CODE_GPU_COUNT, 0, NULL);
        finding.now = now;
        finding.was = was;
        findings_put(findings, &finding);
    }
    double largest = compare_positions(&pair);
    compare_directions(&pair, "normal", (const float *)reference->normals, (const float *)gpu->normals, 3);
    if (reference->tangents && gpu->tangents) {
        compare_directions(&pair, "tangent", (const float *)reference->tangents, (const float *)gpu->tangents, 4);
        compare_bitangents(&pair);
    }
    return was != now ? INFINITY : largest;
}

/* To y up: z up is (x, z, -y), x up is (-y, x, z). */
static const int turned_axes[3][3] = {{1, 0, 2}, {0, 1, 2}, {0, 2, 1}};
static const double turned_signs[3][3] = {{-1, 1, 1}, {1, 1, 1}, {1, 1, -1}};

/* A point set in the common frame: y up, one unit. It is a balanced k-d tree without pointers, so that nothing
 * deepens it. */
struct cloud {
    struct point_frame frame;
    size_t count;        /* of different places */
    double (*points)[3]; /* the middle one of a range splits it, along the axis in `axes` */
    unsigned char *axes;
    size_t lost; /* points that are no numbers */
    struct box box;
};

/* Moves the point that would be at `place` if sorted there: Hoare's selection. Sorted input and equal points stay
 * fast. */
static void select_point(double (*points)[3], ptrdiff_t count, ptrdiff_t place, int axis)
{
    ptrdiff_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = points[place][axis], keep[3];
        ptrdiff_t i = low, k = high;
        while (i <= k) {
            while (points[i][axis] < pivot)
                i++;
            while (points[k][axis] > pivot)
                k--;
            if (i > k)
                break;
            memcpy(keep, points[i], sizeof keep);
            memcpy(points[i++], points[k], sizeof keep);
            memcpy(points[k--], keep, sizeof keep);
        }
        low = k < place ? i : low;
        high = place < i ? k : high;
    }
}

static void build_tree(struct cloud *cloud, size_t first, size_t count)
{
    while (count > 1) {
        struct box box = box_empty;
        size_t middle = count / 2;
        int axis = 0;
        for (size_t i = first; i < first + count; i++)
            box_add(&box, cloud->points[i]);
        for (int k = 1; k < 3; k++)
            axis = box.max[k] - box.min[k] > box.max[axis] - box.min[axis] ? k : axis;
        select_point(cloud->points + first, (ptrdiff_t)count, (ptrdiff_t)middle, axis);
        cloud->axes[first + middle] = (unsigned char)axis;
        build_tree(cloud, first, middle);
        first += middle + 1;
        count -= middle + 1;
    }
}

/* The least of `best` and the squared distances to the points of a range; one below `enough` ends the search:
 * who looks for the largest of many distances need not know more. */
static double search(const struct cloud *to, const double point[3], double best, double enough, size_t first,
                     size_t count)
{
    while (count > 0 && best > enough) {
        size_t middle = first + count / 2, below = count / 2, above = count - below - 1;
        const double *here = to->points[middle];
        double x = point[0] - here[0], y = point[1] - here[1], z = point[2] - here[2];
        double side = point[to->axes[middle]] - here[to->axes[middle]];
        best = fmin(best, x * x + y * y + z * z);
        best = side < 0 ? search(to, point, best, enough, first, below)
                        : search(to, point, best, enough, middle + 1, above);
        if (side * side >= best)
            break;
        first = side < 0 ? middle + 1 : first;
        count = side < 0 ? above : below;
    }
    return best;
}

static int compare_places(const void *a, const void *b)
{
    const double *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* Makes a cloud of each place once: a mesh that collapsed to one would make every search visit all of it. */
static struct cloud cloud_create(const struct point_set *set, const struct point_frame *frame)
{
    struct cloud cloud = {.frame = *frame, .box = box_empty};
    size_t finite = 0;
    cloud.frame.unit = frame->unit > 0 ? frame->unit : 1.0;
    cloud.points = memory_new(set->count, sizeof *cloud.points);
    cloud.axes = memory_new(set->count, 1);
    for (size_t i = 0; i < set->count; i++) {
        const float *p = set->points[i];
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            continue;
        for (int k = 0; k < 3; k++)
            cloud.points[finite][k] =
                cloud.frame.unit * turned_signs[frame->up_axis][k] * (double)p[turned_axes[frame->up_axis][k]];
        box_add(&cloud.box, cloud.points[finite++]);
    }
    cloud.lost = set->count - finite;
    sort_items(cloud.points, finite, sizeof *cloud.points, compare_places);
    for (size_t i = 0; i < finite; i++)
        if (i == 0 || compare_places(cloud.points[cloud.count - 1], cloud.points[i]) != 0)
            memmove(cloud.points[cloud.count++], cloud.points[i], sizeof *cloud.points);
    build_tree(&cloud, 0, cloud.count);
    return cloud;
}

/* Returns how far the farthest point of one is from the other, at least `farthest`: points that are nearer need no
 * exact distance. */
static double search_farthest(const struct cloud *from, const struct cloud *to, double farthest)
{
    for (size_t i = 0; i < from->count; i++)
        farthest = fmax(farthest, sqrt(search(to, from->points[i], INFINITY, farthest * farthest, 0, to->count)));
    return farthest;
}

static bool all_near(const struct cloud *from, const struct cloud *to, const struct placement *placement,
                     void (*place)(const struct placement *, const double[3], double[3]), double limit)
{
    for (size_t i = 0; i < from->count; i++) {
        double point[3];
        place(placement, from->points[i], point);
        if (sqrt(search(to, point, INFINITY, limit * limit, 0, to->count)) > limit)
            return false;
    }
    return true;
}

/* Or that one set is the other as a whole, but larger, turned or moved. */
static void report_farthest(const struct cloud *golden, const struct cloud *actual, double farthest,
                            struct finding finding, struct findings *findings)
{
    struct placement placement;
    finding.distance = farthest / golden->frame.unit;
    finding.tolerance = TOLERANCE_AGREE;
    double coarse = 1e-3 * box_radius(&actual->box);
    for (int turn = 0; turn < TURN_COUNT && finding.code == CODE_POINTS; turn++) {
        if (!placement_of_boxes(&golden->box, &actual->box, turn, &placement) || placement_parts(&placement) == 0 ||
            !all_near(golden, actual, &placement, placement_apply, coarse) ||
            !all_near(actual, golden, &placement, placement_undo, coarse / placement.scale))
            continue;
        const struct affine_d rotation = placement_rotation(turn % (TURN_COUNT / 2));
        finding.code = CODE_POINTS_PLACED;
        finding.now = placement.scale != 1.0 ? placement.scale : 0;
        finding.part = turn >= TURN_COUNT / 2 ? "mirrored along x" : NULL;
        finding.degrees = affine_d_degrees(&affine_d_identity, &rotation);
        finding.axis = change_axis(&affine_d_identity, &rotation);
        finding.translation = vec3d_length(placement.shift) / golden->frame.unit;
    }
    findings_put(findings, &finding);
}

double compare_points(const struct point_set *golden_set, const struct point_frame *golden_frame,
                      const struct point_set *actual_set, const struct point_frame *actual_frame, double time,
                      struct findings *findings)
{
    struct cloud clouds[] = {cloud_create(golden_set, golden_frame), cloud_create(actual_set, actual_frame)};
    const struct cloud *golden = &clouds[0], *actual = &clouds[1];
    double farthest = 0;
    struct finding finding = finding_of(CODE_POINTS);
    finding.time = time;
    for (int i = 0; i < 2; i++) {
        struct finding unusable = finding;
        unusable.code = clouds[i].lost > 0 ? CODE_POINTS_LOST : CODE_POINTS_MISSING;
        unusable.part = i == 0 ? "the golden" : "this file";
        unusable.count = (uint32_t)clouds[i].lost;
        if (clouds[i].lost > 0 || (clouds[i].count == 0 && clouds[1 - i].count > 0))
            findings_put(findings, &unusable);
    }
    if (golden->lost + actual->lost == 0 && (golden->count == 0) == (actual->count == 0)) {
        farthest = search_farthest(actual, golden, search_farthest(golden, actual, 0));
        finding.measure = farthest / fmax(box_radius(&golden->box), 1e-9 * golden->frame.unit);
        finding.displacement = finding.measure;
        if (findings_measure(findings, TOLERANCE_AGREE, finding.measure))
            report_farthest(golden, actual, farthest, finding, findings);
    }
    for (int i = 0; i < 2; i++) {
        free(clouds[i].points);
        free(clouds[i].axes);
    }
    return finding.measure;
}
