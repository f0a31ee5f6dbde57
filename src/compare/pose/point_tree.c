#include "compare/pose/point_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---------------------------------------------------------------------------------------------------- */

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

bool point_tree_create(struct point_tree *tree, double (*points)[3], size_t count)
{
    *tree = (struct point_tree){count, points, calloc(count + 1, 1)};
    if (tree->axes)
        build(tree, 0, count);
    return tree->axes != NULL;
}

void point_tree_release(struct point_tree *tree)
{
    free(tree->axes);
    *tree = (struct point_tree){0};
}

/* ---- searching --------------------------------------------------------------------------------------------------- */

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

double point_tree_nearest(const struct point_tree *tree, const double point[3], double enough)
{
    struct search search = {tree, point, INFINITY, enough * enough};
    visit(&search, 0, tree->count);
    return sqrt(search.best);
}
