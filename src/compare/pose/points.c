/* Point sets of two files that must be the same, whatever the order and number of their points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/format_number.h"
#include "compare/match/placement.h"

/* ---- a k-d tree -------------------------------------------------------------------------------------------------- */

/* Balanced and without pointers, so that it takes no more room than its points and nothing deepens it. */
struct point_tree {
    size_t count;
    double (*points)[3]; /* the middle one of a range splits it, along the axis in `axes` */
    unsigned char *axes;
};

static void swap_points(double a[3], double b[3])
{
    double keep[3];
    memcpy(keep, a, sizeof keep);
    memcpy(a, b, sizeof keep);
    memcpy(b, keep, sizeof keep);
}

/* The middle of three, put first: sorted input and many equal points stay fast. */
static void choose_pivot(double (*points)[3], size_t count, int axis)
{
    double a = points[0][axis], b = points[count / 2][axis], c = points[count - 1][axis];
    size_t middle = (a < b) == (b < c) ? count / 2 : (a < b) == (c < a) ? 0 : count - 1;
    swap_points(points[0], points[middle]);
}

/* Moves the point that would be at `place` if sorted there: Hoare's selection. */
static void select_point(double (*points)[3], size_t count, size_t place, int axis)
{
    while (count > 1) {
        choose_pivot(points, count, axis);
        double pivot = points[0][axis];
        size_t low = 0, high = count;
        for (;;) {
            while (points[low][axis] < pivot)
                low++;
            do
                high--;
            while (points[high][axis] > pivot);
            if (low >= high)
                break;
            swap_points(points[low++], points[high]);
        }
        size_t left = high + 1; /* points[0..high] are at most the pivot, the others at least */
        if (place < left) {
            count = left;
        } else {
            points += left;
            count -= left;
            place -= left;
        }
    }
}

static int widest_axis(double (*points)[3], size_t count)
{
    int widest = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, points[i][axis]);
            high = fmax(high, points[i][axis]);
        }
        if (high - low > most) {
            most = high - low;
            widest = axis;
        }
    }
    return widest;
}

static void build(struct point_tree *tree, size_t first, size_t count)
{
    while (count > 1) {
        size_t middle = count / 2;
        int axis = widest_axis(tree->points + first, count);
        select_point(tree->points + first, count, middle, axis);
        tree->axes[first + middle] = (unsigned char)axis;
        build(tree, first, middle);
        first += middle + 1;
        count -= middle + 1;
    }
}

struct search {
    const struct point_tree *tree;
    const double *point;
    double best; /* squares */
    double enough;
};

static double squared_distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void visit(struct search *search, size_t first, size_t count)
{
    while (count > 0 && search->best > search->enough) {
        size_t middle = first + count / 2;
        const double *here = search->tree->points[middle];
        int axis = search->tree->axes[middle];
        double side = search->point[axis] - here[axis];
        size_t below = count / 2, above = count - below - 1;
        search->best = fmin(search->best, squared_distance(search->point, here));
        if (side < 0) {
            visit(search, first, below);
            first = middle + 1;
            count = above;
        } else {
            visit(search, middle + 1, above);
            count = below;
        }
        if (side * side >= search->best)
            return;
    }
}

/* The distance to the nearest point; INFINITY without any. One as near as `enough` ends the search: who looks for the largest
 * of many distances need not know more. */
static double nearest(const struct point_tree *tree, const double point[3], double enough)
{
    struct search search = {tree, point, INFINITY, enough * enough};
    visit(&search, 0, tree->count);
    return sqrt(search.best);
}

/* ---- clouds ------------------------------------------------------------------------------------------------------ */

/* A point set in the common frame: y up, one unit. */
struct cloud {
    const struct point_frame *frame;
    const char *name; /* "the golden", "this file" */
    double (*points)[3];
    size_t count; /* of different places */
    size_t lost;  /* points that are no numbers */
    struct box box;
    struct point_tree tree;
};

/* The farthest point of either from the other. */
struct farthest {
    double distance;
    double point[3];
    const struct cloud *of;
};

static double unit_of(const struct point_frame *frame)
{
    return frame->unit > 0 ? frame->unit : 1.0;
}

/* Turns the up axis to y: z up is (x, z, -y), x up is (-y, x, z). */
static void to_common(const struct point_frame *frame, const vec3 point, double out[3])
{
    static const int axes[3][3] = {{1, 0, 2}, {0, 1, 2}, {0, 2, 1}};
    static const double signs[3][3] = {{-1, 1, 1}, {1, 1, 1}, {1, 1, -1}};
    for (int k = 0; k < 3; k++)
        out[k] = unit_of(frame) * signs[frame->up_axis][k] * (double)point[axes[frame->up_axis][k]];
}

static void from_common(const struct point_frame *frame, const double point[3], float out[3])
{
    static const int axes[3][3] = {{1, 0, 2}, {0, 1, 2}, {0, 2, 1}};
    static const double signs[3][3] = {{-1, 1, 1}, {1, 1, 1}, {1, 1, -1}};
    for (int k = 0; k < 3; k++)
        out[axes[frame->up_axis][k]] = (float)(signs[frame->up_axis][k] * point[k] / unit_of(frame));
}

static int compare_places(const void *a, const void *b)
{
    const double *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* Each place once: a mesh that collapsed to one would make every search visit all of it. */
static void drop_equal_places(struct cloud *cloud)
{
    size_t count = 0;
    qsort(cloud->points, cloud->count, sizeof *cloud->points, compare_places);
    for (size_t i = 0; i < cloud->count; i++)
        if (i == 0 || compare_places(cloud->points[count - 1], cloud->points[i]) != 0)
            memmove(cloud->points[count++], cloud->points[i], sizeof *cloud->points);
    cloud->count = count;
}

static bool cloud_create(struct cloud *cloud, const struct point_set *set, const struct point_frame *frame,
                         const char *name)
{
    *cloud = (struct cloud){.frame = frame, .name = name, .box = box_empty};
    cloud->points = malloc((set->count + 1) * sizeof *cloud->points);
    for (size_t i = 0; cloud->points && i < set->count; i++) {
        const float *p = set->points[i];
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
            cloud->lost++;
            continue;
        }
        to_common(frame, p, cloud->points[cloud->count]);
        box_add(&cloud->box, cloud->points[cloud->count++]);
    }
    if (cloud->points)
        drop_equal_places(cloud);
    cloud->tree = (struct point_tree){cloud->count, cloud->points, calloc(cloud->count + 1, 1)};
    if (!cloud->points || !cloud->tree.axes)
        return false;
    build(&cloud->tree, 0, cloud->count);
    return true;
}

static void cloud_release(struct cloud *cloud)
{
    free(cloud->tree.axes);
    free(cloud->points);
}

/* Points that are nearer than the farthest so far need no exact distance. */
static void search_farthest(const struct cloud *from, const struct cloud *to, struct farthest *out)
{
    for (size_t i = 0; i < from->count; i++) {
        double distance = nearest(&to->tree, from->points[i], out->distance);
        if (distance <= out->distance)
            continue;
        out->distance = distance;
        out->of = from;
        for (int k = 0; k < 3; k++)
            out->point[k] = from->points[i][k];
    }
}

/* ---- what the difference is -------------------------------------------------------------------------------------- */

static bool all_near(const struct cloud *from, const struct cloud *to, const struct placement *placement,
                     void (*place)(const struct placement *, const double[3], double[3]), double limit)
{
    for (size_t i = 0; i < from->count; i++) {
        double point[3];
        place(placement, from->points[i], point);
        if (nearest(&to->tree, point, limit) > limit)
            return false;
    }
    return true;
}

/* Whether one set is the other as a whole, but larger, turned or moved. */
static bool find_placement(const struct cloud *golden, const struct cloud *actual, struct placement *out)
{
    double coarse = 1e-3 * box_radius(&actual->box);
    for (int turn = 0; turn < TURN_COUNT; turn++)
        if (placement_of_boxes(&golden->box, &actual->box, turn, out) && placement_parts(out) > 0 &&
            all_near(golden, actual, out, placement_apply, coarse) &&
            all_near(actual, golden, out, placement_undo, coarse / out->scale))
            return true;
    return false;
}

static const char *hint(const struct placement *placement)
{
    if (placement->scale > 1.5 || placement->scale < 1.0 / 1.5)
        return placement->turn ? ": another unit and other axes?" : ": another unit?";
    return placement->turn ? ": other axes?" : "";
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static struct finding points_finding(double time)
{
    struct finding finding = finding_none;
    finding.stage = STAGE_SKIN;
    finding.time = time;
    return finding;
}

static void report_farthest(const struct cloud *golden, const struct cloud *actual, const struct farthest *farthest,
                          double radius, double time, struct findings *findings)
{
    struct finding finding = points_finding(time);
    finding.distance = farthest->distance / unit_of(golden->frame);
    finding.displacement = finding.measure = farthest->distance / radius;
    finding.tolerance = TOLERANCE_AGREE;
    struct placement placement;
    struct text words = {0};
    float where[3];
    const char *point, *same;
    const char *when = arena_string(findings->arena, format_seconds(time).text);
    if (find_placement(golden, actual, &placement)) {
        for (int k = 0; k < 3; k++)
            placement.shift[k] /= unit_of(golden->frame);
        placement_describe(&placement, 0.0, &words);
        findings_add(findings, &finding, "compared with the golden's, all skinned points are %s at %s%s",
                     text_string(&words), when, hint(&placement));
        text_release(&words);
        return;
    }
    from_common(farthest->of->frame, farthest->point, where);
    format_vectors(where, where, 3, findings->arena, &point, &same);
    findings_add(findings, &finding,
                 "skinned points are up to %s (%s) away from the golden's at %s: the farthest is %s of %s",
                 format_length(finding.distance, 0.0).text, format_displacement(finding.displacement).text, when, point,
                 farthest->of->name);
}

/* Sets that cannot be compared. */
static bool report_unusable(const struct cloud *golden, const struct cloud *actual, double time,
                          struct findings *findings)
{
    const struct cloud *clouds[] = {golden, actual};
    struct finding finding = points_finding(time);
    for (int i = 0; i < 2; i++) {
        if (clouds[i]->lost > 0)
            findings_add(findings, &finding, "%zu skinned point%s of %s %s at %s", clouds[i]->lost,
                         format_plural(clouds[i]->lost), clouds[i]->name,
                         clouds[i]->lost == 1 ? "is no number" : "are no numbers", format_seconds(time).text);
        if (clouds[i]->count == 0 && clouds[1 - i]->count > 0)
            findings_add(findings, &finding, "%s has no skinned points at %s", clouds[i]->name,
                         format_seconds(time).text);
    }
    return golden->lost + actual->lost > 0 || golden->count == 0 || actual->count == 0;
}

static double compare_clouds(const struct cloud *golden, const struct cloud *actual, double time,
                             struct findings *findings)
{
    struct farthest farthest = {.of = golden};
    if (report_unusable(golden, actual, time, findings))
        return golden->lost + actual->lost == 0 && golden->count == actual->count ? 0.0 : INFINITY;
    double radius = fmax(box_radius(&golden->box), 1e-9 * unit_of(golden->frame));
    search_farthest(golden, actual, &farthest);
    search_farthest(actual, golden, &farthest);
    if (findings_measure(findings, TOLERANCE_AGREE, farthest.distance / radius))
        report_farthest(golden, actual, &farthest, radius, time, findings);
    return farthest.distance / radius;
}

double compare_points(const struct point_set *golden, const struct point_frame *golden_frame,
                      const struct point_set *actual, const struct point_frame *actual_frame, double time,
                      struct findings *findings)
{
    struct cloud was = {0}, now = {0};
    double worst = INFINITY;
    if (cloud_create(&was, golden, golden_frame, "the golden") &&
        cloud_create(&now, actual, actual_frame, "this file")) {
        worst = compare_clouds(&was, &now, time, findings);
    } else {
        struct finding finding = points_finding(time);
        findings_add(findings, &finding, "skinned points are not compared: out of memory for %zu points",
                     golden->count + actual->count);
    }
    cloud_release(&was);
    cloud_release(&now);
    return worst;
}
