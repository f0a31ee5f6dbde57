#include "import/convert.h"

#include <string.h>

/*
 * Assimp binds bones and channels by name and takes the first node of that name in pre-order. glTF allows
 * several nodes of one name, and exporters like to call a mesh's node after the bone it hangs on: a bone is
 * hardly ever the node that carries a mesh.
 */
int32_t bind_node(struct conversion *c, const char *name)
{
    uint32_t at = first_named(c, name);
    uint32_t end = at;
    while (end < c->scene->node_count && strcmp(c->nodes_by_name[end].name, name) == 0)
        end++;
    if (end == at)
        return NO_INDEX;
    uint32_t first = c->nodes_by_name[at].node;
    if (end - at == 1 || !(c->repairs & REPAIR_NAME_CLASH))
        return (int32_t)first;
    for (uint32_t i = at; i < end; i++) {
        uint32_t node = c->nodes_by_name[i].node;
        if (c->nodes[node]->mNumMeshes > 0)
            continue;
        if (node != first)
            scene_note(c->scene, NOTE_REPAIR, "name-clash",
                       "%u nodes are called \"%s\": bones and channels of that name are bound to node %u, "
                       "which has no "
                       "mesh, instead of node %u",
                       end - at, name, node, first);
        return (int32_t)node;
    }
    return (int32_t)first;
}
