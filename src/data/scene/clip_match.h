#ifndef RIGPROOF_DATA_CLIP_MATCH_H
#define RIGPROOF_DATA_CLIP_MATCH_H

#include "data/scene/scene.h"

/* How the nodes of a file that clips are taken from correspond to those of a scene. */
struct clip_match {
    const char *prefix; /* in the scene's arena; NULL: names are the same */
    bool adds;          /* the scene's names have it; else those of the clips */
    double scale;       /* of translations: from the file's unit to the scene's */
};

/*
 * What `options` say, or else what fits. A prefix: the one with which every channel of every clip has a node, needed
 * by half of them or more, and by three where it ends in a letter or digit. A scale: the median ratio of the distances
 * at which bones rest from those above them, where at least two bones can be compared, three quarters of the ratios
 * are within 5 % of it, and it is not within 5 % of 1. What is applied, and what was seen and is not, becomes a
 * warning note of the scene.
 */
struct clip_match clip_match_find(struct scene *scene, const struct scene *other, const struct clip_options *options);

/*
 * The node that a name of the other file means: of several nodes with that name a bone before a node that is none.
 * NO_INDEX when there is none.
 */
int32_t clip_match_node(const struct scene *scene, const struct clip_match *match, const char *name);

#endif
