#ifndef RIGPROOF_CLI_DUMP_FORMAT_H
#define RIGPROOF_CLI_DUMP_FORMAT_H

#include "base/file/file_writer.h"
#include "data/record/record.h"

/* The forms that `dump` writes, and the file that poses go into one after the other. */
struct dump_format {
    const char *name;
    unsigned stages;  /* enum pose_stage: what it shows by default; 0: it has no parts */
    bool has_vertices; /* knows --vertices */
    bool one_pose;     /* a file holds one pose */
    void (*write)(const struct pose_record *record, struct text *out);
};

/* NULL with err set when there is none of that name; the nearest is suggested. */
const struct dump_format *dump_format_find(const char *name, struct error *err);

/* What a file's ending asks for where nobody else does: "walk.csv" is csv; text for any other. */
const char *dump_format_of_file(const char *path);

/*
 * A file of poses under way. Text and JSON lines follow one another, CSV gets one header, JSON becomes a list when
 * `several` are to come. Memory does not grow with their number.
 */
struct dump_file {
    const struct dump_format *format;
    const struct pose_part *part;
    bool several;
    size_t poses; /* written so far */
    struct text text;
    struct file_writer writer;
};

/* Makes the folder too. "-" is stdout. False with err set; the file is then closed. */
bool dump_file_open(struct dump_file *file, const char *path, struct error *err);

bool dump_file_add(struct dump_file *file, const struct pose_record *record, struct error *err);

/* Ends the file, or takes it away unless `keep`. Whether it is there now. */
bool dump_file_close(struct dump_file *file, bool keep, struct error *err);

#endif
