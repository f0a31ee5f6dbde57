#ifndef ENGINE_H
#define ENGINE_H

#include <assimp/scene.h>

/* Plays one clip of one model: global matrices of the nodes, and from these the palette of bones. */

enum { ENGINE_MOST_NODES = 256 };

struct engine {
    const struct aiScene *scene;
    const struct aiNode *nodes[ENGINE_MOST_NODES]; /* parents first */
    int parents[ENGINE_MOST_NODES];                /* -1: the root */
    struct aiMatrix4x4 globals[ENGINE_MOST_NODES];
    int node_count;
};

/* NULL where it cannot be read: aiGetErrorString() says why. */
const struct aiScene *engine_load(struct engine *engine, const char *path);

/* NULL: no clip is called so. */
const struct aiAnimation *engine_clip(const struct engine *engine, const char *name);

/* Fills `globals`; without a clip the rest pose. */
void engine_pose(struct engine *engine, const struct aiAnimation *clip, double seconds);

/* Mesh space to scene space: what the vertex shader is given. */
struct aiMatrix4x4 engine_bone(const struct engine *engine, const struct aiBone *bone);

#endif
