/* Finding a bone by the name that someone typed. */
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "data/scene.h"

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
