#pragma once

#include <stdbool.h>

#include "data/scene/scene.h"

enum { KEY_COUNT = 600 };

static const double key_rate = 30.0; /* keys a second: a baked clip of 20 s */

/*
 * A skeleton of chains of ten bones that hang on one another, every bone bound once, with a clip of KEY_COUNT linear
 * keys in every component of every bone. `own_times`: no two components have their keys at the same times, as in
 * clips that were reduced curve by curve. Freed by scene_free().
 */
struct scene *rig_synthetic(uint32_t bone_count, bool own_times);

/* A mesh of `vertex_count` vertices, four influences each, on bones that are near one another. */
void rig_add_vertices(struct scene *scene, uint32_t vertex_count);

/*
 * A scene of the nodes of `scene` whose every node is a bone bound once, with the clip resampled to KEY_COUNT keys in
 * every component of every node.
 */
struct scene *rig_densified(const struct scene *scene, const struct clip *clip);
