#pragma once

#include "diagnose/causes.h"
#include "diagnose/evidence.h"

/* Mistakes with a number or a list in them that theirs alone knows. */

enum { PROBES_MOST = 8 };
struct probes {
    uint32_t count;
    uint32_t units[PROBES_MOST];
};

/* Units that tell much: topmost, worst, least, and such as agree. */
struct probes probes_choose(const struct evidence *evidence);

/* The clip time at which the variant is theirs, on a grid of `steps` and then as exactly as can be. False where there
 * is none: `nearest` (or NULL) is what comes nearest then, where some time does. */
bool fit_time(const struct evidence *evidence, struct replay *replay, const struct probes *probes,
              const struct variant *variant, const struct clip *clip, uint32_t steps, double *seconds,
              double *nearest);

/* Adds guesses: a factor of lengths, another time, another clip's time, lists of entries and of offsets. Of vertices
 * whose palette is known only what may come after it. */
void fit_guesses(const struct evidence *evidence, struct replay *replay, const struct probes *probes, bool of_vertices,
               struct guess_list *list);

/* Adds guesses that may be theirs together with a variant: the same factors, the matrix on the left, a limit of bones,
 * a time that no rule leads to. */
void fit_beside(const struct evidence *evidence, struct replay *replay, const struct probes *probes,
                const struct variant *variant, struct guess_list *list);

/* The same, one kind each: whose entries or offsets stand where, of entries that are given; the same from vertices
 * alone, of which offsets are looked for unless `of_vertices`. */
void fit_list(const struct evidence *evidence, struct replay *replay, bool is_offset, struct guess_list *list);
void fit_solved(const struct evidence *evidence, struct replay *replay, bool of_vertices, struct guess_list *list);

/* Least squares: a symmetric system of `size`, with three columns on the right. Of the palette that made vertices there
 * are four numbers a bone of a row of its matrix. */
struct system {
    uint32_t size;
    double *a;        /* [size * size] */
    double (*b)[3];   /* [size] */
    double *diagonal; /* [size] before it is solved */
};

/* Adds an equation of some of the unknowns: their places and factors. */
void system_add(struct system *system, uint32_t count, const uint32_t *at, const double *row, const double theirs[3]);

/* In place, by L D L^T; what depends on what was before it is left at zero, and its diagonal is zero then. */
void system_solve(struct system *system);
