#pragma once

#include <sys/types.h>

#include "data/image/frame_settings.h"
#include "data/record/snapshot.h"

/*
 * A program under test and the protocol that it speaks: docs/subjects.md. What it answers is hostile: everything is checked,
 * and whatever it does is an error of the case that asked.
 */

#define SUBJECT_PROTOCOL "rigproof.subject/1"

enum {
    SUBJECT_LINE_LIMIT = 64 << 20,
    SUBJECT_FILE_LIMIT = 256 << 20,
    SUBJECT_MOST_ITEMS = 65536,      /* nodes, palette entries, meshes */
    SUBJECT_MOST_VERTICES = 1 << 24, /* of a mesh */
    SUBJECT_LONGEST_NAME = 1024,
};

/* What an answer may have. */
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

/* How to start it. */
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

/* How the last request ended. */
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
    uint32_t width, height;
    uint8_t background[4];
    struct camera camera;
    mat4 view, projection;
    struct bounds framed; /* what the camera was made for */
    long frame;           /* its number in the sequence */
};

struct subject_request {
    const char *model; /* absolute path */
    const char *clip;  /* NULL: the rest pose */
    int32_t clip_index;
    double time;
    bool holds; /* what is beyond the clip's end holds its last pose; else it loops */
    unsigned wants;
    const struct subject_picture *picture; /* where it is wanted */
    const char *import_file;               /* absolute: its import.json is to be written there, where it is wanted */
    size_t setting_count;                  /* of the case, for another rigproof */
    const char *const (*settings)[2];      /* name and value, as on a command line; those of one name stand together */
};

/* Matrices as they came: 12 or 16 numbers. */
struct raw_matrix {
    uint32_t count; /* 0: not given */
    float numbers[16];
};

struct subject_node {
    const char *name, *parent; /* NULL: a root, or not known */
    int32_t parent_index;      /* of this answer's; NO_INDEX: not given */
    bool has_transform;
    struct transform transform;
    struct raw_matrix local, global;
};

struct subject_entry {
    const char *mesh, *bone; /* NULL: not given */
    struct raw_matrix matrix;
};

/* What it said, checked one by one but not understood yet. In the arena of who asked. */
struct subject_answer {
    unsigned has; /* enum subject_part */
    uint32_t node_count, entry_count, skin_count;
    struct subject_node *nodes;
    struct subject_entry *entries;
    struct skin_snapshot *skin;
    const char *picture, *import; /* the files that it says it has written */
};

/* Not started yet. */
struct subject *subject_create(const struct subject_spec *spec);

/* Ends the process, with all that it started. NULL is fine. */
void subject_destroy(struct subject *subject);

/* Starts it, unless it runs, and asks for its name. False with err set. */
bool subject_greet(struct subject *subject, struct error *err);

/* One request, one answer; starts it first where it does not run. False with err set, one line that begins with its name
 * and ends with the last of its stderr where it did not answer; `end` says how. */
bool subject_ask(struct subject *subject, const struct subject_request *request, struct arena *arena,
                 struct subject_answer *out, struct error *err);

/* A line as it was received, without its end. `name` is for messages; files are below `folder`. False with err set; *refused:
 * it is an error that the subject says itself. */
bool subject_read_hello(const struct text *line, const char *name, struct arena *arena, struct subject_hello *out,
                        struct error *err);
bool subject_read_answer(const struct text *line, const char *name, unsigned long id, const char *folder,
                         struct arena *arena, struct subject_answer *out, bool *refused, struct error *err);

/* An ARRAY of the protocol: numbers, base64 or a file. NULL with the reader's error set; *count is how many. */
struct json_place;
const float *subject_read_array(const struct json_place *at, const char *key, const char *folder, size_t most,
                                size_t *count);

/* The process, without a word of the protocol: starts it; a line out and a line in; ends it. */
bool subject_start(struct subject *subject, struct error *err);
bool subject_exchange(struct subject *subject, const struct text *request, struct text *line, struct error *err);
void subject_kill(struct subject *subject);
