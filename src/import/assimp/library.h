#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Says how the Assimp that is loaded reads files, found in the import process by letting it read two small ones, once a
 * process: v6.0.0 and every commit since 5.4.3 call themselves 5.4.3. Where it cannot read them everything is 0:
 * unknown, not faulty.
 */

struct gltf_traits {
    size_t key_size;       /* bytes of an aiQuatKey: 24 up to 5.4.2, then 32; 0: unknown */
    bool multiplies_angle; /* a camera's horizontal angle is the vertical one times the aspect ratio, before 5.3.0 */
};

/* The ways in which Assimp makes a bone's offset. */
enum fbx_offsets {
    FBX_OFFSETS_UNKNOWN,
    FBX_OFFSETS_BOUND,     /* the file's own matrix, without the geometric transform: before 5.4.0 */
    FBX_OFFSETS_OF_PARENT, /* the local matrix of the mesh's parent, which is wrong: from 5.4.0 */
    FBX_OFFSETS_OF_MESH,   /* where the mesh is now: commits after 5.4.3, 6.0.0 and later */
};

struct fbx_traits {
    enum fbx_offsets offsets;
    bool turns_root; /* the file's axes are a matrix on the root, from 5.4.0 */
};

const struct gltf_traits *library_gltf(void);
const struct fbx_traits *library_fbx(void);

/* Lets a child, which no model file has touched, find out both, so that the imports started from now on need not: for a
 * process that imports many files. */
void library_learn(void);

/* Decides for import_check_library(): aiQuatKey's size in the headers of the build and in the library, 0: unknown. */
bool library_check_key(size_t built_size, size_t found_size, struct error *err);

/* The Assimp found at run time, as it calls itself: "5.2.4". It may not be true: see import_library_file(). */
const char *import_library_version(void);

/* The file of the Assimp found at run time; NULL what it does not have. Lives as long as the program. */
struct library_file {
    const char *name;     /* of the file, links resolved, without folders: "libassimp.so.5.2.4" */
    const char *soname;   /* "libassimp.so.5" */
    const char *build_id; /* of the GNU build-id note, in hexadecimal */
};
const struct library_file *import_library_file(void);

/*
 * Says if this build can read with the Assimp that is loaded (aiQuatKey grew from 24 to 32 bytes in 5.4.3), found by
 * reading a small file in a child process. False with err set, saying what to do. import_scene() asks it itself.
 */
bool import_check_library(struct error *err);
