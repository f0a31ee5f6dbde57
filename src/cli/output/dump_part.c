#include "cli/output/dump_part.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/names.h"

static const char *const stage_words[] = {"local", "global", "palette", "skin"}; /* bit i of enum pose_stage */
enum { STAGE_WORDS = sizeof stage_words / sizeof stage_words[0] };

static bool add_stage(const char *word, size_t length, unsigned *stages, struct error *err)
{
    char copy[32] = "";
    memcpy(copy, word, length < sizeof copy ? length : sizeof copy - 1);
    for (unsigned i = 0; i < STAGE_WORDS; i++)
        if (strcmp(copy, stage_words[i]) == 0) {
            *stages |= 1u << i;
            return true;
        }
    const char *near = name_nearest(copy, stage_words, STAGE_WORDS);
    if (near)
        return error_set(err, "--stage: no `%s`; did you mean `%s`? There are: local, global, palette, skin", copy, near);
    return error_set(err, "--stage: no `%s`; there are: local, global, palette, skin", copy);
}

static bool parse_stages(const struct option_list *list, unsigned *stages, struct error *err)
{
    for (size_t i = 0; i < list->count; i++)
        for (const char *word = list->items[i];; word++) {
            size_t length = strcspn(word, ",");
            if (!add_stage(word, length, stages, err))
                return false;
            word += length;
            if (*word == '\0')
                break;
        }
    return true;
}

static bool check_format(const struct dump_choice *choice, const struct dump_format *format, struct error *err)
{
    bool any = choice->stages.count || choice->bones.count || choice->velocities || choice->vertices;
    if (any && format->stages == 0)
        return error_set(err, "--format %s: it is the whole mesh; --stage, --bone, --velocities and --vertices are for the "
                         "other formats", format->name);
    if (choice->vertices && !format->has_vertices)
        return error_set(err, "--vertices: --format csv, json and jsonl can hold them, %s does not", format->name);
    return true;
}

static bool check_stages(const struct dump_choice *choice, const struct dump_format *format, unsigned stages, struct error *err)
{
    if (format->write == pose_write_csv && (stages & POSE_SKIN) && stages != POSE_SKIN)
        return error_set(err, "--stage skin: as CSV it has other columns than the rest; dump it into a file of its own");
    if (choice->vertices && !(stages & POSE_SKIN))
        return error_set(err, "--vertices are those of the stage skin: add --stage skin");
    if (choice->velocities && !(stages & POSE_NODES))
        return error_set(err, "--velocities are those of nodes: add --stage local or --stage global");
    if (choice->bones.count && stages == POSE_SKIN)
        return error_set(err, "--bone: the stage skin is of whole meshes");
    return true;
}

bool dump_part_parse(const struct dump_choice *choice, const struct dump_format *format, struct pose_part *out,
                     struct error *err)
{
    unsigned stages = 0;
    if (!check_format(choice, format, err) || !parse_stages(&choice->stages, &stages, err))
        return false;
    if (stages == 0) {
        stages = format->stages;
        if (choice->bones.count)
            stages &= ~(unsigned)POSE_SKIN; /* who asks for a bone does not ask for meshes */
        else if (choice->vertices && format->write == pose_write_csv)
            stages = POSE_SKIN;
        else if (choice->vertices)
            stages |= POSE_SKIN;
    }
    *out = (struct pose_part){.stages = stages, .vertices = choice->vertices};
    return check_stages(choice, format, stages, err);
}

/* ---- bones ------------------------------------------------------------------------------------------------------- */

/* The glob's letters without what is none of them, for the nearest name. */
static const char *explain_near(const char *glob, const struct scene *scene)
{
    char letters[128];
    size_t count = 0;
    const char **names = calloc(scene->node_count + 1, sizeof *names);
    for (const char *c = glob; *c && count + 1 < sizeof letters; c++)
        if (!strchr("*?[]", *c))
            letters[count++] = *c;
    letters[count] = '\0';
    for (uint32_t i = 0; names && i < scene->node_count; i++)
        names[i] = scene->nodes[i].name;
    const char *near = names ? name_nearest(letters, names, scene->node_count) : NULL;
    free(names);
    return near;
}

static bool choose(const char *glob, const struct scene *scene, bool *chosen, struct error *err)
{
    bool any = false;
    for (uint32_t i = 0; i < scene->node_count; i++)
        if (strcmp(glob, scene->nodes[i].name) == 0 || fnmatch(glob, scene->nodes[i].name, 0) == 0)
            any = chosen[i] = true;
    if (any)
        return true;
    const char *near = explain_near(glob, scene);
    const char *model = path_base(scene->path);
    if (near)
        return error_set(err, "--bone: no node of %s is called `%s`; did you mean `%s`?", model, glob, near);
    return error_set(err, "--bone: no node of %s is called `%s`; rigproof inspect lists them", model, glob);
}

bool dump_part_nodes(const struct option_list *globs, const struct scene *scene, bool **out, struct error *err)
{
    *out = NULL;
    if (globs->count == 0)
        return true;
    bool *chosen = calloc(scene->node_count + 1, sizeof *chosen);
    if (!chosen)
        return error_set(err, "out of memory for %u nodes", scene->node_count);
    for (size_t i = 0; i < globs->count; i++)
        if (!choose(globs->items[i], scene, chosen, err)) {
            free(chosen);
            return false;
        }
    *out = chosen;
    return true;
}
