#ifndef RIGPROOF_TESTS_CLI_POINTS_H
#define RIGPROOF_TESTS_CLI_POINTS_H

/* Vertices read from OBJ text, and how far two sets of points are from each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct points {
    double (*at)[3]; /* malloc'd */
    size_t count;
};

static inline void points_add(struct points *points, const double point[3])
{
    if ((points->count & (points->count - 1)) == 0)
        points->at = realloc(points->at, (points->count ? 2 * points->count : 1) * sizeof *points->at);
    memcpy(points->at[points->count++], point, sizeof *points->at);
}

/* The lines that start with `keyword` ("v", "vn") of an OBJ, those of the object called `object` only unless NULL. */
static inline struct points points_of_obj(const char *text, const char *keyword, const char *object)
{
    struct points points = {0};
    size_t length = strlen(keyword);
    int inside = object == NULL;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (object && strncmp(line, "o ", 2) == 0)
            inside = strcspn(line + 2, "\n") == strlen(object) && strncmp(line + 2, object, strlen(object)) == 0;
        if (!inside || strncmp(line, keyword, length) != 0 || line[length] != ' ')
            continue;
        double point[3];
        char *end = (char *)(line + length);
        for (int k = 0; k < 3; k++)
            point[k] = strtod(end, &end);
        points_add(&points, point);
    }
    return points;
}

static inline double points_distance(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static inline int points_by_x(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The distance of the nearest of `sorted` (by x). */
static inline double points_nearest(const struct points *sorted, const double point[3])
{
    size_t low = 0, high = sorted->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sorted->at[middle][0] < point[0])
            low = middle + 1;
        else
            high = middle;
    }
    double best = INFINITY;
    for (size_t i = low; i < sorted->count && sorted->at[i][0] - point[0] < best; i++)
        best = fmin(best, points_distance(sorted->at[i], point));
    for (size_t i = low; i-- > 0 && point[0] - sorted->at[i][0] < best;)
        best = fmin(best, points_distance(sorted->at[i], point));
    return best;
}

/* The largest distance of a point of either set to the other set. Sorts both. */
static inline double points_apart(struct points *a, struct points *b)
{
    double worst = 0;
    qsort(a->at, a->count, sizeof *a->at, points_by_x);
    qsort(b->at, b->count, sizeof *b->at, points_by_x);
    for (size_t i = 0; i < a->count; i++)
        worst = fmax(worst, points_nearest(b, a->at[i]));
    for (size_t i = 0; i < b->count; i++)
        worst = fmax(worst, points_nearest(a, b->at[i]));
    return a->count && b->count ? worst : INFINITY;
}

/* The longest side of the box around them. */
static inline double points_extent(const struct points *points)
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < points->count; i++) {
            least = fmin(least, points->at[i][k]);
            most = fmax(most, points->at[i][k]);
        }
        longest = fmax(longest, most - least);
    }
    return longest;
}

static inline void points_release(struct points *points)
{
    free(points->at);
    *points = (struct points){0};
}

#endif
