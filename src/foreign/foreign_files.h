#pragma once

#include "base/file/file.h"
#include "data/record/pose_part.h"
#include "pipeline/pipeline.h"

/*
 * What another program makes of a model, without the program: a file of its numbers. A pose with only what there is
 * (data/record/pose_part.h), a raw palette, or an OBJ of the skinned vertices.
 */

/* As a command line has it: `path` or `raw`. */
struct foreign_source {
    const char *path;  /* a pose or an OBJ */
    const char *raw;   /* a raw palette */
    int layout;        /* enum raw_layout; -1: solved */
    const char *bones; /* file of names, a line for each matrix; NULL: the order of `inspect` */
};

struct foreign {
    const struct foreign_source *source;
    const char *name; /* of the file, for messages */
    struct arena *arena;
    struct blob bytes;                /* of a raw palette or an OBJ, until it is resolved */
    const char **names;               /* [name_count] of a raw palette; NULL */
    uint32_t name_count;
    const struct pose_snapshot *pose; /* NULL until resolved, but for a file that is a pose */
    const struct pose_snapshot *reference; /* that it was resolved with */
    bool *has_vertices; /* [instances] that foreign_scene() put there; NULL: none */
};

/* Rows of a command's options for a source, and what they say together: `operand` is NULL or THEIRS. False with err set. */
#define FOREIGN_OPTIONS(source) \
    {"raw", "FILE", "a raw palette: little-endian float32, 16 or 12 numbers a matrix", 0, &value_text, VALUE_OF((source).raw)}, \
    {"layout", "columns|rows|rows3x4", "of --raw: how a matrix lies there (default: solved)", 0, &value_word, \
     VALUE_OF((source).layout), VALUE_WORDS(raw_layout_names)}, \
    {"bones", "FILE", "of --raw: a bone's name a line, in its order (default: the order of inspect)", 0, &value_text, \
     VALUE_OF((source).bones)}
bool foreign_check_source(struct foreign_source *source, const char *operand, struct error *err);

/* Reads the file. False with err set: closed. */
bool foreign_open(struct foreign *theirs, const struct foreign_source *source, struct error *err);
void foreign_close(struct foreign *theirs);

/* The clip and time that a pose says, where the settings choose none. */
bool foreign_suggest(const struct foreign *theirs, struct settings *settings, struct error *err);

/*
 * Puts it into the scene's terms: the pipeline is posed at its time, and `reference` becomes what that gives, with all stages
 * and vertices. What had to be solved is said on stderr. False with err set.
 */
bool foreign_resolve(struct foreign *theirs, struct pipeline *pipeline, struct error *err);

/* What of it is given, in words: "the palette", "nodes and 12 of 24 palette entries". */
bool foreign_describe(const struct foreign *theirs, struct text *out);

/*
 * Makes pipeline_pose() put it in place of the pose and palette; NULL: no longer. What is not given is the reference's: nodes
 * below one that moved move with it, and palette entries are made of the nodes; nodes whose entries alone are given stand
 * where these have them.
 */
void foreign_apply(const struct foreign *theirs, struct pipeline *pipeline);

/*
 * The scene with the skinned vertices that it gives in place of the scene's own; *out is NULL where it gives none. A copy that
 * shares all else, in theirs' arena: to be drawn and not freed. From then on foreign_apply() leaves these vertices where they
 * are. False with err set where they are not as many as the scene's.
 */
bool foreign_scene(struct foreign *theirs, const struct scene *scene, struct scene **out, struct error *err);

/* Names as they are, else as an engine may have changed them (subject/resolve.h), in place of which come the model's; how is
 * said on stderr. Of a list, where NULL is no name, and of all nodes and entries of a pose. */
void foreign_match_names(const struct foreign *theirs, const char **names, uint32_t count);
void foreign_match_pose(const struct foreign *theirs, const struct pose_snapshot *pose);

/* Of a raw palette: the entries of `reference`, named; NULL with err set. */
struct pose_snapshot *raw_resolve(const struct foreign *theirs, const struct scene *scene, struct error *err);

/* Of an OBJ: the vertices of the scene's meshes, by name, else in order where their numbers are the scene's; NULL with err set. */
struct pose_snapshot *obj_resolve(const struct foreign *theirs, const struct scene *scene, struct error *err);
