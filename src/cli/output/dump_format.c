#include "cli/output/dump_format.h"

#include <string.h>

#include "base/file/file.h"
#include "base/names.h"

enum { PIECE = 1 << 18 }; /* bytes that are written at once */

static const struct dump_format formats[] = {
    {"text", POSE_LOCAL | POSE_PALETTE, false, false, pose_write_text},
    {"json", POSE_STAGES, true, false, pose_write_json},
    {"jsonl", POSE_STAGES, true, false, pose_write_json_line},
    {"csv", POSE_LOCAL | POSE_GLOBAL | POSE_PALETTE, true, false, pose_write_csv},
    {"obj", 0, false, true, pose_write_obj},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

const struct dump_format *dump_format_find(const char *name, struct error *err)
{
    const char *names[FORMATS];
    for (size_t i = 0; i < FORMATS; i++) {
        names[i] = formats[i].name;
        if (strcmp(name, formats[i].name) == 0)
            return &formats[i];
    }
    const char *near = name_nearest(name, names, FORMATS);
    if (near)
        error_set(err, "--format: no `%s`; did you mean `%s`? There are: text, json, jsonl, csv, obj", name, near);
    else
        error_set(err, "--format: no `%s`; there are: text, json, jsonl, csv, obj", name);
    return NULL;
}

const char *dump_format_of_file(const char *path)
{
    const char *ending = strrchr(path_base(path), '.');
    for (size_t i = 0; ending && i < FORMATS; i++)
        if (strcmp(ending + 1, formats[i].name) == 0)
            return formats[i].name;
    return "text";
}

bool dump_file_open(struct dump_file *file, const char *path, struct error *err)
{
    file->poses = 0;
    file->text.size = 0;
    if (file->format->write == pose_write_csv)
        pose_write_csv_header(file->part, &file->text);
    else if (file->format->write == pose_write_json && file->several)
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
    bool is_list = file->format->write == pose_write_json && file->several;
    if (is_list && file->poses > 0)
        text_add(&file->text, ",\n");
    file->format->write(record, &file->text);
    if (is_list)
        file->text.size--; /* the line break after the document */
    file->poses++;
    return file->text.size < PIECE || flush(file, err);
}

bool dump_file_close(struct dump_file *file, bool keep, struct error *err)
{
    if (file->format->write == pose_write_json && file->several)
        text_add(&file->text, "\n]\n");
    bool good = !keep || flush(file, err);
    good = file_writer_close(&file->writer, keep && good, err);
    text_release(&file->text);
    return good;
}
