/* Which nodes are joints, and finding one by the name that someone typed. */
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "data/scene/scene.h"

static int32_t find_by_name(const struct scene *scene, const char *name)
{
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (scene->nodes[n].is_bone && strcmp(scene->nodes[n].name, name) == 0)
            return (int32_t)n;
    return scene_find_node(scene, name);
}

/* The nearest bone's name, or the nearest node's where no bone's is near. */
static const char *nearest(const struct scene *scene, const char *name)
{
    const char **names = calloc(scene->node_count + 1u, sizeof *names);
    size_t count = 0;
    if (!names)
        return NULL;
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (scene->nodes[n].is_bone)
            names[count++] = scene->nodes[n].name;
    const char *near = name_nearest(name, names, count);
    for (count = 0; !near && count < scene->node_count; count++)
        names[count] = scene->nodes[count].name;
    if (!near)
        near = name_nearest(name, names, count);
    free(names);
    return near;
}

int32_t scene_find_bone(const struct scene *scene, const char *name, struct error *err)
{
    int32_t found = find_by_name(scene, name);
    if (found != NO_INDEX)
        return found;
    const char *near = nearest(scene, name);
    if (near)
        error_set(err, "%s has no bone `%s`; did you mean `%s`? `rigproof inspect` lists them", scene->path, name, near);
    else
        error_set(err, "%s has no bone `%s`; `rigproof inspect` lists them", scene->path, name);
    return NO_INDEX;
}

/* ---- joints -------------------------------------------------------------------------------------------------- */

static bool mark_bones(const struct scene *scene, bool *joint)
{
    bool any = false;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        joint[n] = scene->nodes[n].is_bone;
        any = any || joint[n];
    }
    return any;
}

static bool mark_carriers(const struct scene *scene, bool *joint)
{
    for (uint32_t b = 0; b < scene->binding_count; b++)
        joint[scene->bindings[b].node] = true;
    return scene->binding_count > 0;
}

static bool mark_animated(const struct scene *scene, bool *joint)
{
    bool any = false;
    for (uint32_t c = 0; c < scene->clip_count; c++)
        for (uint32_t i = 0; i < scene->clips[c].channel_count; i++)
            if (scene->clips[c].channels[i].node != NO_INDEX)
                any = joint[scene->clips[c].channels[i].node] = true;
    return any;
}

void scene_joints(const struct scene *scene, bool *joint)
{
    if (mark_bones(scene, joint) || mark_carriers(scene, joint) || mark_animated(scene, joint))
        return;
    for (uint32_t n = 0; n < scene->node_count; n++)
        joint[n] = true;
}
