/* What a name that someone typed means in a scene: a node, a bone, a clip. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "data/scene/scene.h"

int32_t scene_find_node(const struct scene *scene, const char *name)
{
    return scene_find_node_behind(scene, "", name);
}

int32_t scene_find_node_behind(const struct scene *scene, const char *prefix, const char *name)
{
    size_t length = strlen(prefix);
    int32_t found = NO_INDEX;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        if (strncmp(scene->nodes[n].name, prefix, length) != 0 || strcmp(scene->nodes[n].name + length, name) != 0)
            continue;
        if (scene->nodes[n].is_bone)
            return (int32_t)n;
        found = found == NO_INDEX ? (int32_t)n : found;
    }
    return found;
}

int32_t scene_find_bone(const struct scene *scene, const char *name, struct error *err)
{
    const char *near[2] = {0}; /* bone, node */
    int32_t found = scene_find_node(scene, name);
    if (found != NO_INDEX)
        return found;
    for (uint32_t n = 0; n < scene->node_count; n++) {
        const char **best = &near[!scene->nodes[n].is_bone], *candidate = scene->nodes[n].name;
        if (name_nearest(name, &candidate, 1) && (!*best || name_distance(name, candidate) < name_distance(name, *best)))
            *best = candidate;
    }
    if (near[0] || near[1])
        error_set(err, "%s has no bone `%s`; did you mean `%s`? `rigproof inspect` lists them", scene->path, name,
                  near[0] ? near[0] : near[1]);
    else
        error_set(err, "%s has no bone `%s`; `rigproof inspect` lists them", scene->path, name);
    return NO_INDEX;
}

/*
 * Exporters put before a clip's name what it moves: Blender's FBX `rig|walk`, once more at each trip through FBX
 * (`Armature|rig|walk`), Maya's name spaces `rig:walk`; and FBX importers put the layer behind it, `rig|walk|BaseLayer`.
 * Other signs, `Robot_Walk`, `animation.model.walk`, are parts of names as often as not.
 */
static const char *next_part(const char *name)
{
    const char *sign = strpbrk(name, "|:");
    return sign && sign[1] ? sign + 1 : NULL;
}

static bool answers_to(const char *clip, const char *name)
{
    static const char *const layers[] = {"BaseLayer", "Base Layer", "Layer0"};
    const char *bar = strrchr(clip, '|'), *end = clip + strlen(clip); /* of the name without the layer */
    for (size_t i = 0; bar && bar > clip && i < sizeof layers / sizeof layers[0]; i++)
        if (strcmp(bar + 1, layers[i]) == 0)
            end = bar;
    size_t length = strlen(name);
    for (const char *part = clip; part && length > 0; part = next_part(part))
        if (strcmp(part, name) == 0 || (part + length == end && strncmp(part, name, length) == 0))
            return true;
    return false;
}

static const struct clip *find_exact(const struct scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->clip_count; i++)
        if (strcmp(scene->clips[i].name, name) == 0)
            return &scene->clips[i];
    return NULL;
}

/* Lists a dozen names, or fewer when they are long: one line has to hold them. The nearest is that of all names and short forms. */
static void explain(const struct scene *scene, const char *name, bool is_ambiguous, struct error *err)
{
    enum { LISTED = 12, LONGEST = 500 };
    uint32_t listed = 0, more = 0;
    struct text list = {0};
    const char *near = NULL;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const char *clip = scene->clips[i].name;
        for (const char *part = clip; part; part = next_part(part))
            if (name_nearest(name, &part, 1) && (!near || name_distance(name, part) < name_distance(name, near)))
                near = part;
        if (is_ambiguous && !answers_to(clip, name))
            continue;
        if (more > 0 || listed == LISTED || list.size + strlen(clip) > LONGEST) {
            more++;
            continue;
        }
        text_addf(&list, "%s%s", listed++ ? ", " : "", clip);
        if (is_ambiguous)
            text_addf(&list, " (%u)", i);
    }
    if (more > 0)
        text_addf(&list, "%s%u more", listed ? " and " : "", more);
    if (is_ambiguous)
        error_set(err, "%s: several clips answer to `%s`; give the whole name or the number: %s", scene->path, name,
                  text_string(&list));
    else if (scene->clip_count == 0)
        error_set(err, "%s has no clip `%s`: it has no clips at all", scene->path, name);
    else if (near)
        error_set(err, "%s has no clip `%s`; did you mean `%s`? It has: %s", scene->path, name, near, text_string(&list));
    else
        error_set(err, "%s has no clip `%s`; it has: %s", scene->path, name, text_string(&list));
    text_release(&list);
}

const struct clip *scene_find_clip(const struct scene *scene, const char *name, struct error *err)
{
    const struct clip *found = find_exact(scene, name);
    if (found)
        return found;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const struct clip *clip = &scene->clips[i];
        if (!answers_to(clip->name, name))
            continue;
        if (found && strcmp(clip->name, found->name) != 0) { /* of one name: one answer, the first */
            explain(scene, name, true, err);
            return NULL;
        }
        found = found ? found : clip;
    }
    /* The other way: `walk` of this file is what another exporter calls `rig|walk`. */
    for (const char *part = next_part(name); part && !found; part = next_part(part))
        found = find_exact(scene, part);
    if (!found && isdigit((unsigned char)name[0])) {
        char *end = NULL;
        unsigned long index = strtoul(name, &end, 10);
        found = *end == '\0' && index < scene->clip_count ? &scene->clips[index] : NULL;
    }
    if (!found)
        explain(scene, name, false, err);
    return found;
}
