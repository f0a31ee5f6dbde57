#pragma once

#include <sys/types.h>

#include "base/file/file.h"
#include "data/image/frame_settings.h"
#include "data/record/snapshot.h"

/*
 * A program under test and the protocol that it speaks: docs/subjects.md. What it answers is hostile: everything is
 * checked, and whatever it does is an error of the case that asked.
 */

#define SUBJECT_PROTOCOL "rigproof.subject/1"

enum {
    SUBJECT_LINE_LIMIT = 64 << 20,
    SUBJECT_FILE_LIMIT = 256 << 20,
    SUBJECT_MOST_ITEMS = 65536,      /* nodes, palette entries, meshes */
    SUBJECT_MOST_VERTICES = 1 << 24, /* of a mesh */
    SUBJECT_LONGEST_NAME = 1024,
};

/* The parts that an answer may have. */
enum subject_part {
    SUBJECT_NODES = 1 << 0,
    SUBJECT_PALETTE = 1 << 1,
    SUBJECT_SKIN = 1 << 2,
    SUBJECT_PICTURE = 1 << 3,
    SUBJECT_IMPORT = 1 << 4,
    SUBJECT_ALL = SUBJECT_NODES | SUBJECT_PALETTE | SUBJECT_SKIN | SUBJECT_PICTURE | SUBJECT_IMPORT,
};
enum { SUBJECT_PARTS = 5 };
extern const char *const subject_part_words[SUBJECT_PARTS]; /* by bit */

/* A list of these words; others mean nothing. */
struct json_writer;
struct json_place;
void subject_write_words(struct json_writer *json, const char *key, unsigned parts);
unsigned subject_read_words(const struct json_place *at, const char *key);

/* Says how to start it. */
struct subject_spec {
    const char *name; /* in the suite */
    const char *const
        *command;       /* NULL-terminated; the first is looked for in PATH, or from `folder` on where it has a slash */
    const char *folder; /* to start it in */
    const char *const *env; /* "NAME=value", NULL-terminated; NULL: nothing besides ours */
    const char *strip;      /* what its names begin or end with besides the file's; NULL */
    double timeout;         /* seconds an answer may take; 0: 20 */
    double memory_mib;      /* of all its processes; 0: 4096 */
    bool compares_pictures; /* against the reference's, too; else they are shown beside */
    bool is_rigproof;       /* is told every setting of the case */
    bool is_strict;         /* nothing but storage and names is solved: what is not declared is as in the reference */
    /* is none, but a file of a program's numbers: what it does not list is not given, and not missing */
    bool is_file;
};

enum storage { STORAGE_UNKNOWN, STORAGE_COLUMNS, STORAGE_ROWS, STORAGE_ROWS3X4, STORAGE_COUNT };
enum { BONES_UNKNOWN, BONES_PER_MESH, BONES_PER_SKIN, BONES_OF_SCENE, BONES_WORDS };
extern const char *const storage_words[STORAGE_COUNT], *const bones_words[BONES_WORDS];

/* As declared; what is not is zero. */
struct subject_conventions {
    enum storage storage;
    bool has_space;
    enum palette_space space;
    double unit;
    bool has_axes;
    mat4 axes; /* from the file's axes to the subject's */
    int bones;
    const char *strip;
};

struct subject_hello {
    const char *name, *version; /* version: NULL when not given */
    unsigned gives;             /* enum subject_part */
    struct subject_conventions conventions;
};

/* Says how the last request ended. */
enum subject_end {
    SUBJECT_ANSWERED,
    SUBJECT_REFUSED, /* answered with an error: it goes on */
    SUBJECT_GARBAGE, /* no answer; from here on it is not running any more */
    SUBJECT_CRASHED,
    SUBJECT_TIMED_OUT,
    SUBJECT_NOT_STARTED,
};

struct subject {
    const struct subject_spec *spec; /* not owned */
    const char *folder;              /* for files of its answers; NULL before it was started */
    struct subject_hello hello;      /* valid while it runs */
    struct arena *arena;             /* of hello; NULL while it does not run */
    enum subject_end end;
    unsigned long requests;

    /* the process's own */
    pid_t pid; /* 0: not running */
    int in, out, said_fd;
    struct text received; /* of stdout, what was not taken yet */
    struct text said;     /* the end of its stderr */
};

struct subject_picture {
    const char *file; /* absolute: to be written there */
    uint32_t width, height, background[4];
    struct subject_camera {
        struct camera camera; /* its ortho_height is all of what is seen; 0 in perspective */
        mat4 view, projection;
    } seen;
    struct bounds framed; /* what the camera was made for */
    double frame;         /* its number in the sequence */
    bool has_bounds, has_background; /* once a request was read: it has these */
};

/* The line of a request, by one table for who asks and who is asked. */
struct subject_request {
    const char *request, *folder; /* "pose"; for files: subject_ask() sets these and the id */
    double id;
    const char *model; /* absolute path */
    const char *clip;  /* NULL: the rest pose */
    int32_t clip_index;
    double time;
    const char *wrap; /* "hold": what is beyond the clip's end holds its last pose; "loop" */
    unsigned wants;
    const struct subject_picture *picture; /* where it is wanted */
    const char *import_file;               /* absolute: its import.json is to be written there, where it is wanted */
    size_t setting_count;                  /* of the case, for another rigproof */
    const char *const (*settings)[2];      /* name and value, as on a command line; those of one name stand together */
};
extern const struct fields subject_request_fields; /* settings are written alone: who is asked knows their rows */

/* Matrices as they came: 12 or 16 numbers. */
struct raw_matrix {
    uint32_t count; /* 0: not given */
    float numbers[16];
};

struct subject_node {
    const char *name, *parent; /* NULL: a root, or not known */
    bool has_parent;           /* NULL was given: a root */
    int32_t parent_index;      /* of this answer's; NO_INDEX: not given */
    unsigned components;       /* of the transform that are given, 1 << enum component; the others are the identity's */
    struct transform transform;
    struct raw_matrix local, global;
};

struct subject_entry {
    const char *mesh, *bone; /* NULL: not given */
    struct raw_matrix matrix;
};

/* An answer whose numbers are checked one by one but not understood yet. It is in the arena of who asked. */
struct subject_answer {
    unsigned has; /* enum subject_part */
    uint32_t node_count, entry_count, skin_count;
    struct subject_node *nodes;
    struct subject_entry *entries;
    struct skin_snapshot *skin;
    const char *picture, *import; /* the files that it says it has written */

    /* Only a file has these. */
    enum storage storage;      /* of its matrices; unknown: not declared */
    struct pose_snapshot head; /* what it says about its pose besides numbers; NULL: not given */
};

/* Not started yet. */
struct subject *subject_create(const struct subject_spec *spec);

/* Ends the process, with all that it started. NULL is fine. */
void subject_destroy(struct subject *subject);

/* Starts it, unless it runs, and asks for its name. False with err set. */
bool subject_greet(struct subject *subject, struct error *err);

/* One request, one answer; starts it first where it does not run. False with err set, one line that begins with its
 * name and ends with the last of its stderr where it did not answer; `end` says how. */
bool subject_ask(struct subject *subject, struct subject_request *request, struct arena *arena,
                 struct subject_answer *out, struct error *err);

/* A line as it was received, without its end. `name` is for messages; files are below `folder`. False with err set;
 * *refused: it is an error that the subject says itself. */
bool subject_read_hello(const struct text *line, const char *name, struct arena *arena, struct subject_hello *out,
                        struct error *err);
bool subject_read_answer(const struct text *line, const char *name, unsigned long id, const char *folder,
                         struct arena *arena, struct subject_answer *out, bool *refused, struct error *err);

/*
 * A pose of either format, "rigproof.pose/1" or "rigproof.pose-part/1", with any of nodes, palette and skin, as an
 * answer; and without a model to hold it against, as a pose. What is not given is marked there in `left_out`,
 * `components_left_out`, `parent_left_out`, `lacks_clip`, `lacks_time`, and by NULL: model, space, an entry's mesh.
 * False and NULL with err set, which names the file and the place.
 */
bool subject_read_file(const void *data, size_t size, const char *name, struct arena *arena, struct subject_answer *out,
                       struct error *err);
struct pose_snapshot *subject_read_pose(const void *data, size_t size, const char *name, struct arena *arena,
                                        struct error *err);

/* A palette of float32, little-endian, without a header; and names of bones, a line each, unless `names_name` is
 * NULL. */
struct raw_file {
    struct blob bytes, names;
    const char *name, *names_name; /* for messages */
    enum storage storage;          /* unknown: solved */
};
bool subject_read_raw(const struct raw_file *file, struct arena *arena, struct subject_answer *out, struct error *err);

/* The vertices and normals of a Wavefront OBJ, an object or group a mesh; its bytes are cut into lines. */
bool subject_read_obj(struct blob *bytes, const char *name, struct arena *arena, struct subject_answer *out,
                      struct error *err);

/* Nodes, palette and skin from the object at the place, as far as `has` says; files of arrays are below `folder`. */
void subject_read_parts(const struct json_place *at, const char *folder, struct subject_answer *out);

/* Entries of `width` numbers each, with those bones unless these are NULL. */
void subject_set_palette(const float *numbers, size_t width, uint32_t count, const char *const *bones,
                          struct arena *arena, struct subject_answer *out);

/* Returns how many numbers a matrix of a palette has, 12 or 16, of so many matrices (NULL: not known); 0: neither. */
size_t subject_palette_width(const float *numbers, size_t count, enum storage storage, const uint32_t *matrices);

/* The head of a file that says nothing about its pose. */
extern const struct pose_snapshot subject_no_head;

/* Reads little-endian numbers of 4 or 8 bytes as floats; returns which is the first that is not finite, or `count`. */
size_t subject_read_floats(const unsigned char *bytes, size_t count, size_t width, float *out);

/* A mesh of vertices, which it refers to; normals: NULL, or as many. */
struct skin_snapshot subject_skin(const char *mesh, const vec3 *positions, const vec3 *normals, uint32_t count);

/* An ARRAY of the protocol: numbers, base64 or a file. NULL with the reader's error set; *count is how many. */
const float *subject_read_array(const struct json_place *at, const char *key, const char *folder, size_t most,
                                size_t *count);

/* The process, without a word of the protocol: starts it; a line out and a line in; ends it. */
bool subject_start(struct subject *subject, struct error *err);
bool subject_exchange(struct subject *subject, const struct text *request, struct text *line, struct error *err);
void subject_kill(struct subject *subject);
