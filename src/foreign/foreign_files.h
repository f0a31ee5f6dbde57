#pragma once

#include "base/file/file.h"
#include "pipeline/pipeline.h"
#include "subject/resolve_answer.h"

/*
 * A file of numbers stands for the program that made them of a model. It is a pose with only what there is
 * (docs/formats.md), a raw palette, or an OBJ of the skinned vertices. It is an answer as a program under test gives
 * one (subject/subject.h), and brought into the scene's terms in the same way (subject/resolve_answer.h).
 */

/* As a command line has it: `path` or `raw`. */
struct foreign_source {
    const char *path;  /* a pose or an OBJ */
    const char *raw;   /* a raw palette */
    int layout;        /* enum storage, counted from STORAGE_COLUMNS on; -1: solved */
    const char *bones; /* file of names, a line for each matrix; NULL: the order of `inspect` */
};

/* The file in the scene's terms. */
struct foreign_reading {
    const struct pose_snapshot *pose;
    const struct pose_snapshot *held; /* what it is compared with: meshes of one name are one where it has fewer */
    const char *how;                  /* what was solved; NULL: nothing */
    bool is_converted;                /* a unit, axes or a place is solved */
    bool is_turned;                   /* these are a unit and axes, and no place */
};

struct foreign {
    const struct foreign_source *source;
    const char *name; /* of the file, for messages */
    struct arena *arena;
    struct subject_answer answer;
    const struct pose_snapshot *reference;   /* all of the scene's pose, which it is resolved with */
    const struct pose_snapshot *pose, *held; /* of the reading that counts; NULL until resolved */
    struct foreign_reading converted;        /* with unit, axes and space solved; zeros where nothing is */
    bool *has_vertices; /* [instances] that foreign_scene() put there; NULL: none */
};

/* Rows of a command's options for a source, and what they say together: `operand` is NULL or the file. False with
 * err set. */
#define FOREIGN_OPTIONS(source) \
    {"raw", "FILE", "a raw palette: little-endian float32, 16 or 12 numbers a matrix", 0, &value_text, \
     VALUE_OF((source).raw)}, \
    {"layout", "columns|rows|rows3x4", "of --raw: how a matrix lies there (default: solved)", 0, &value_word, \
     VALUE_OF((source).layout), .words = storage_words + STORAGE_COLUMNS, \
     .word_count = STORAGE_COUNT - STORAGE_COLUMNS}, \
    {"bones", "FILE", "of --raw: a bone's name a line, in its order (default: the order of inspect)", 0, &value_text, \
     VALUE_OF((source).bones)}
bool foreign_check_source(struct foreign_source *source, const char *operand, struct error *err);

/* Reads the file. False with err set: closed. */
bool foreign_open(struct foreign *foreign, const struct foreign_source *source, struct error *err);
void foreign_close(struct foreign *foreign);

/* The clip and time that a pose says, where the settings choose none. */
bool foreign_suggest(const struct foreign *foreign, struct settings *settings, struct error *err);

/*
 * Puts it into the scene's terms: the pipeline is posed at its time, and `reference` becomes what that gives, with all
 * stages and vertices. In `pose` nothing but storage and names is solved; how is said on stderr. False with err set.
 */
bool foreign_resolve(struct foreign *foreign, struct pipeline *pipeline, struct error *err);

/* From now on `pose` is the converted one, which there must be; its conventions are said on stderr. */
void foreign_convert(struct foreign *foreign);

/* The most that a normal is turned by, in degrees, where all vertices are where they belong, to the tolerance as a
 * share of the model's radius; 0 where one is not. */
double foreign_turned(const struct foreign *foreign, double tolerance);

/* Names the parts that are given: "the palette", "nodes and 12 of 24 palette entries". True where something is given
 * in part. */
bool foreign_describe(const struct foreign *foreign, struct text *out);

/*
 * Makes pipeline_pose() put it in place of the pose and palette; NULL: no longer. What is not given is the
 * reference's: nodes below one that moved move with it, and palette entries are made of the nodes; nodes whose entries
 * alone are given stand where these have them.
 */
void foreign_apply(const struct foreign *foreign, struct pipeline *pipeline);

/*
 * The scene with the skinned vertices that it gives in place of the scene's own; *out is NULL where it gives none. A
 * copy that shares all else, in the arena of `foreign`: to be drawn and not freed. From then on foreign_apply() leaves
 * these vertices where they are. False with err set where they are not as many as the scene's.
 */
bool foreign_scene(struct foreign *foreign, const struct scene *scene, struct scene **out, struct error *err);
