#ifndef RIGPROOF_CLI_DUMP_FILE_H
#define RIGPROOF_CLI_DUMP_FILE_H

#include "base/file/file_writer.h"
#include "data/record/record.h"
#include "suite/setting/value.h"

/* The forms that `dump` writes, what of the poses goes into them, and the file that poses go into one after the other. */

enum { DUMP_TEXT, DUMP_JSON, DUMP_JSONL, DUMP_CSV, DUMP_OBJ, DUMP_FORMAT_COUNT };
extern const char *const dump_format_names[DUMP_FORMAT_COUNT];

struct dump_format {
    unsigned stages;   /* enum pose_stage: what it shows by default; 0: it has no parts */
    bool has_vertices; /* knows --vertices */
    bool one_pose;     /* a file holds one pose */
    void (*write)(const struct pose_record *record, struct text *out);
};
extern const struct dump_format dump_formats[DUMP_FORMAT_COUNT];

/* What a file's ending asks for where nobody else does: "walk.csv" is csv; text for any other. */
int dump_format_of_file(const char *path);

extern const char *const dump_stage_names[4]; /* bit i of enum pose_stage */

/* What of the poses is to be dumped, as the command line says it. */
struct dump_choice {
    unsigned stages;          /* enum pose_stage; 0: not said */
    struct option_list bones; /* globs */
    bool velocities;
    bool vertices;
};

/*
 * What the choice means in that format; without the nodes and the velocities, which need a model. False with err set for
 * what cannot go together.
 */
bool dump_part_choose(const struct dump_choice *choice, int format, struct pose_part *out, struct error *err);

/*
 * Marks the nodes whose names one of the globs matches: malloc'd [node_count], the caller's; `*out` stays NULL without
 * globs. False with err set when a glob matches none.
 */
bool dump_part_nodes(const struct option_list *globs, const struct scene *scene, bool **out, struct error *err);

/*
 * A file of poses under way. Text and JSON lines follow one another, CSV gets one header, JSON becomes a list when
 * `several` are to come. Memory does not grow with their number.
 */
struct dump_file {
    int format;
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
