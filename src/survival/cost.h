#ifndef RIGPROOF_SURVIVAL_COST_H
#define RIGPROOF_SURVIVAL_COST_H

#include "survival/variants.h"

/* How far a variant is from the model, at worst over the sampled times of all clips; without a clip, of the rest pose. */
struct cost {
    double units;   /* largest displacement of a vertex; INFINITY where a position is no number */
    double degrees; /* largest angle of a normal, of a variant that blends them */
    const char *clip;
    double time;
    const char *bone; /* that holds most of the vertex; NULL: none does */
};

/*
 * costs[count]. Times of a clip are 0, its end, and the middles of 16 even parts; of many clips, variants or vertices
 * fewer parts, 3 at least. Returns the model's radius at rest; 0 where there is no mesh, and then all costs are 0.
 */
double measure_costs(const struct scene *scene, const struct variant *const *variants, uint32_t count,
                     struct arena *arena, struct cost *costs);

#endif
