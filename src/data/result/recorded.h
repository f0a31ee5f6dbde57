#pragma once

#include "data/result/result.h"
#include "data/image/frame_settings.h"

/*
 * recorded.json, "rigproof.recorded/1": under what circumstances a golden was made, and what its pictures hash to.
 * Where a PNG still has the hash of bytes noted here, its pixels have the hash noted here too: comparing needs no
 * decoding. Hashes of the poses beside it say whether the golden is of one run.
 */

struct recorded_frame {
    const char *label;    /* "0.250": the picture is <label>.png */
    double time;          /* seconds */
    const char *pixels;   /* image_hash() */
    const char *png;      /* bytes_hash() of the file */
    const char *pose;     /* bytes_hash() of <label>.pose.json; NULL: not recorded */
    struct camera camera; /* as resolved: what the frame is compared with is drawn with it */
    bool has_camera;      /* frames of early builds lack it */
};

struct recorded {
    struct fingerprint fingerprint;
    struct fingerprint options; /* how it was posed and drawn, as resolved: names of options and their values */
    const char *import_file; /* the import.json that cases of one model and import settings share */
    struct fingerprint library; /* Assimp's file; for people: no verdict depends on it. Empty: not recorded */
    /* The bounds of one instance of a crowd at all times, min and max, by which places and camera were chosen.
     * Without a crowd they are those of the skin in the pose.json files. */
    float bounds[6];
    bool has_bounds;
    uint32_t frame_count;
    struct recorded_frame *frames; /* at the times that were sampled, in their order */
};

void recorded_write(const struct recorded *recorded, struct text *out);

/* Into the arena. False with err set; `name` is for messages. */
bool recorded_read(const void *data, size_t size, const char *name, struct arena *arena, struct recorded *out,
                   struct error *err);

/* Reads the import_file alone of a file that is as recorded_write() writes it, into the arena: thirty times as fast
 * as reading all of it. False for any other file. */
bool recorded_peek(const void *data, size_t size, struct arena *arena, const char **import_file);

#define RECORDED_IMPORT_SUFFIX ".import.json"

/* Returns whether a shared import.json may be called so: a plain file's name with that suffix. */
bool recorded_is_import_name(const char *name);

/*
 * Says if two files that recorded_write() wrote are the same bytes but for the member `library` and, where told so, the
 * fingerprint: what is left is the golden.
 */
bool recorded_same(const void *a, size_t a_size, const void *b, size_t b_size, bool but_for_fingerprint);

/* The frame of that label, or NULL. */
const struct recorded_frame *recorded_find(const struct recorded *recorded, const char *label);
