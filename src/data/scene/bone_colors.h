#ifndef RIGPROOF_DATA_BONE_COLORS_H
#define RIGPROOF_DATA_BONE_COLORS_H

#include "data/scene/scene.h"

/*
 * The colours of the view `bones`: colors[node_count][3], bytes as they are in the picture. A node's colour comes from the
 * hash of its name, so it stays when other bones come and go, and in every model. No two nodes of a scene have the same:
 * where names or hashes meet, the later node is hashed on, and it alone depends on the other. Each has a channel of 110 or
 * more, and one below half of that: none is black, white or grey.
 */
void bone_colors(const struct scene *scene, uint8_t (*colors)[3]);

#endif
