#include "cli/output/dump_file.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/memory.h"
#include "base/names.h"

enum { PIECE = 1 << 18 }; /* bytes that are written at once */

const char *const dump_format_names[DUMP_FORMAT_COUNT] = {"text", "json", "jsonl", "csv", "obj"};
const struct dump_format dump_formats[DUMP_FORMAT_COUNT] = {
    [DUMP_TEXT] = {POSE_LOCAL | POSE_PALETTE, false, false, pose_write_text},
    [DUMP_JSON] = {POSE_STAGES, true, false, pose_write_json},
    [DUMP_JSONL] = {POSE_STAGES, true, false, pose_write_json_line},
    [DUMP_CSV] = {POSE_LOCAL | POSE_GLOBAL | POSE_PALETTE, true, false, pose_write_csv},
    [DUMP_OBJ] = {0, false, true, pose_write_obj},
};
const char *const dump_stage_names[4] = {"local", "global", "palette", "skin"};

int dump_format_of_file(const char *path)
{
    const char *ending = strrchr(path_base(path), '.');
    for (int i = 0; ending && i < DUMP_FORMAT_COUNT; i++)
        if (strcmp(ending + 1, dump_format_names[i]) == 0)
            return i;
    return DUMP_TEXT;
}

/* ---- what of the poses ------------------------------------------------------------------------------------------- */

bool dump_part_choose(const struct dump_choice *choice, int format, struct pose_part *out, struct error *err)
{
    const char *name = dump_format_names[format];
    unsigned stages = choice->stages;
    bool any = stages || choice->bones.count || choice->velocities || choice->vertices;
    if (any && dump_formats[format].stages == 0)
        return error_set(err, "--format %s: it is the whole mesh; --stage, --bone, --velocities and --vertices are for the "
                         "other formats", name);
    if (choice->vertices && !dump_formats[format].has_vertices)
        return error_set(err, "--vertices: --format csv, json and jsonl can hold them, %s does not", name);
    if (stages == 0) {
        stages = dump_formats[format].stages;
        if (choice->bones.count)
            stages &= ~(unsigned)POSE_SKIN; /* who asks for a bone does not ask for meshes */
        else if (choice->vertices)
            stages = format == DUMP_CSV ? POSE_SKIN : stages | POSE_SKIN;
    }
    *out = (struct pose_part){.stages = stages, .vertices = choice->vertices};
    if (format == DUMP_CSV && (stages & POSE_SKIN) && stages != POSE_SKIN)
        return error_set(err, "--stage skin: as CSV it has other columns than the rest; dump it into a file of its own");
    if (choice->vertices && !(stages & POSE_SKIN))
        return error_set(err, "--vertices are those of the stage skin: add --stage skin");
    if (choice->velocities && !(stages & POSE_NODES))
        return error_set(err, "--velocities are those of nodes: add --stage local or --stage global");
    if (choice->bones.count && stages == POSE_SKIN)
        return error_set(err, "--bone: the stage skin is of whole meshes");
    return true;
}

/* ---- bones ------------------------------------------------------------------------------------------------------- */

/* A glob that matches none: the nearest name to its letters. */
static bool fail_bone(const char *glob, const struct scene *scene, struct error *err)
{
    char letters[128];
    size_t count = 0;
    const char **names = memory_new(scene->node_count, sizeof *names), *model = path_base(scene->path);
    for (const char *c = glob; *c && count + 1 < sizeof letters; c++)
        if (!strchr("*?[]", *c))
            letters[count++] = *c;
    letters[count] = '\0';
    for (uint32_t i = 0; i < scene->node_count; i++)
        names[i] = scene->nodes[i].name;
    const char *near = name_nearest(letters, names, scene->node_count);
    free(names);
    if (near)
        return error_set(err, "--bone: no node of %s is called `%s`; did you mean `%s`?", model, glob, near);
    return error_set(err, "--bone: no node of %s is called `%s`; rigproof inspect lists them", model, glob);
}

bool dump_part_nodes(const struct option_list *globs, const struct scene *scene, bool **out, struct error *err)
{
    bool *chosen = *out = globs->count ? memory_new(scene->node_count, sizeof *chosen) : NULL;
    for (size_t i = 0; i < globs->count; i++) {
        const char *glob = globs->items[i];
        bool any = false;
        for (uint32_t n = 0; n < scene->node_count; n++)
            if (strcmp(glob, scene->nodes[n].name) == 0 || fnmatch(glob, scene->nodes[n].name, 0) == 0)
                any = chosen[n] = true;
        if (!any)
            return fail_bone(glob, scene, err);
    }
    return true;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static bool is_list(const struct dump_file *file)
{
    return file->format == DUMP_JSON && file->several;
}

bool dump_file_open(struct dump_file *file, const char *path, struct error *err)
{
    file->poses = 0;
    file->text.size = 0;
    if (file->format == DUMP_CSV)
        pose_write_csv_header(file->part, &file->text);
    else if (is_list(file))
        text_add(&file->text, "[\n");
    return (strcmp(path, "-") == 0 || file_make_parent(path, err)) && file_writer_open(&file->writer, path, err);
}

static bool flush(struct dump_file *file, struct error *err)
{
    bool good = file_writer_add(&file->writer, file->text.data, file->text.size, err);
    file->text.size = 0;
    return good;
}

bool dump_file_add(struct dump_file *file, const struct pose_record *record, struct error *err)
{
    if (is_list(file) && file->poses > 0)
        text_add(&file->text, ",\n");
    dump_formats[file->format].write(record, &file->text);
    if (is_list(file))
        file->text.size--; /* the line break after the document */
    file->poses++;
    return file->text.size < PIECE || flush(file, err);
}

bool dump_file_close(struct dump_file *file, bool keep, struct error *err)
{
    if (is_list(file))
        text_add(&file->text, "\n]\n");
    bool good = !keep || flush(file, err);
    good = file_writer_close(&file->writer, keep && good, err);
    text_release(&file->text);
    return good;
}
