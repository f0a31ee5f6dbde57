#ifndef RIGPROOF_COMPARE_POINT_TREE_H
#define RIGPROOF_COMPARE_POINT_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include <cglm/types.h>

/* A k-d tree over points: balanced and without pointers, so that it takes no more room and nothing deepens it. */
struct point_tree {
    size_t count;
    double (*points)[3]; /* the middle one of a range splits it, along the axis in `axes` */
    unsigned char *axes;
};

/* Takes the points over into the tree's order; they stay the caller's. O(n log n). False when out of memory. */
bool point_tree_create(struct point_tree *tree, double (*points)[3], size_t count);
void point_tree_release(struct point_tree *tree);

/*
 * The distance from `point` to the nearest of the tree; INFINITY when it is empty. As soon as one is as near as
 * `enough`, that one's distance is given: who looks for the largest of many need not know more.
 */
double point_tree_nearest(const struct point_tree *tree, const double point[3], double enough);

#endif
