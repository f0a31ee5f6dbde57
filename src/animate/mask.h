#ifndef RIGPROOF_ANIMATE_MASK_H
#define RIGPROOF_ANIMATE_MASK_H

#include "data/pose/pose.h"

/*
 * Masks give a bone and all nodes below it to another clip. Masks may lie in each other: a node belongs to the nearest
 * mask at or above it, whatever the order in which they are listed.
 */

/* Writes for every node which of the masks it belongs to, or NO_INDEX. `bones` are nodes, each there once. */
void mask_owners(const struct scene *scene, const uint32_t *bones, uint32_t count, int32_t *owners);

/* Copies the local parts of the mask's nodes, bit by bit. */
void mask_apply(const int32_t *owners, int32_t mask, const struct pose *from, struct pose *out);

/* Likewise the morph weights of the instances on the mask's nodes. */
void mask_apply_morphs(const int32_t *owners, int32_t mask, const struct scene *scene, const struct pose *from,
                       struct pose *out);

#endif
