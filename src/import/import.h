#ifndef RIGPROOF_IMPORT_IMPORT_H
#define RIGPROOF_IMPORT_IMPORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "data/scene/scene.h"

/*
 * Model file -> scene. The only stage that knows Assimp, ticks and file formats. A model file is hostile until parsed: Assimp
 * runs in a child process with limits on time and memory, and what comes out of it is checked before it goes into the scene.
 */

/* Assimp's known faults that can be repaired. Bit i is the i-th row of the table in import_options.c. */
enum repair {
    REPAIR_FBX_PIVOTS = 1 << 0,         /* static pivot nodes above a channel that already holds them */
    REPAIR_NAME_CLASH = 1 << 1,         /* bones and channels bound to a mesh node of the same name */
    REPAIR_GLTF_INTERPOLATION = 1 << 2, /* STEP and CUBICSPLINE lost before Assimp 6.0.5 */
    REPAIR_GLTF_INTEGERS = 1 << 3,      /* normalised integer weights, rotations, morph weights copied bytewise */
    REPAIR_GLTF_MORPH = 1 << 4,         /* cubic morph weights mis-sliced, negative ones clamped, a node's left out */
    REPAIR_NORMALISE_WEIGHTS = 1 << 5,  /* weight sums other than 1 */
    REPAIR_UNWEIGHTED = 1 << 6,         /* vertices without weights follow the mesh node */
    REPAIR_FBX_OFFSETS = 1 << 7,        /* bone offsets wrong in Assimp 5.4.0 to 5.4.3 */
    REPAIR_FBX_ROOT_AXES = 1 << 8,      /* the axis matrix that Assimp 5.4 and later put on an FBX root */
    REPAIR_TICK_RATE = 1 << 9,          /* 0 ticks per second means 25, or the format's own */
    REPAIR_FBX_SHAPES = 1 << 10,        /* blend shapes at rest at full weight */
    REPAIR_MDL_DURATIONS = 1 << 11,     /* frames of a Half-Life MDL taken for seconds */
    REPAIR_MDL_PARENTS = 1 << 12,       /* bones of a Half-Life MDL listed flat, before Assimp 5.4 */
    REPAIR_DAE_CLIPS = 1 << 13,         /* a COLLADA file's clips, which Assimp leaves out or splits */
    REPAIR_GLTF_INVERSE_BIND = 1 << 14, /* a skin without inverse bind matrices, which crashes Assimp */
    REPAIR_MDL_ROOT_AXES = 1 << 15,     /* the root of a Half-Life MDL turned as Quake's, from Assimp 5.4 on */
    REPAIR_FBX_CURVES = 1 << 16,        /* straight lines between the keys of FBX curves */
    REPAIR_GLTF_MATERIALS = 1 << 17,    /* numbers of materials' extensions that Assimp before 5.3 or 6 leaves out */
    REPAIR_SHARED_SKIN = 1 << 18,       /* nodes that share a mesh and skin it differently, of which Assimp keeps one */
    REPAIR_DAE_CURVES = 1 << 19,        /* straight lines between the keys of COLLADA's curves */
    REPAIR_FBX_GEOMETRIC = 1 << 20,     /* the geometric transform of a skinned mesh, left out before Assimp 5.4 */
    REPAIR_FBX_NUMBERS = 1 << 21,       /* numbers of more than 31 characters in an ASCII FBX file, taken for 0 */
    REPAIR_B3D_MESHES = 1 << 22,        /* bones, clips and brushes of a B3D file with several meshes */
    REPAIR_OGRE_KEYS = 1 << 23,         /* translations of Ogre's keys turned as if they were in the bone's space */
    REPAIR_GLTF_POINTERS = 1 << 24,     /* channels of KHR_animation_pointer that move what a clip can */
    REPAIR_GLTF_GAPS = 1 << 25,         /* no scene, accessors without a buffer view */
    REPAIR_DAE_INSTANCES = 1 << 26,     /* nodes, joints and skins of COLLADA that Assimp leaves out or takes for others */
    REPAIR_FBX_ROTATION_SPACE = 1 << 27, /* pre- and post-rotations and orders of FBX that do not count */
    REPAIR_ALL = (1 << 28) - 1,
};

struct import_options {
    uint32_t repairs;       /* enum repair */
    double timeout_seconds; /* 0 = none */
    size_t memory_mib;      /* also the size of the scene's arena */
    uint32_t assimp_flags;  /* aiProcess_ bits of assimp_flags_parse(), besides the triangulation that is always done */
    bool surfaces; /* what surface_of() and its maps need: their pixels, mesh.more_uvs, mesh.tangents where a normal map is */
    bool tangents; /* mesh.tangents wherever there are texture coordinates: of a normal map with `surfaces`, else the base's */
};

/* All repairs, 30 s, 4096 MiB. */
extern const struct import_options import_defaults;

/*
 * Imports a file. The scene is the caller's (scene_free). NULL with err set:
 *   "import of X: <what Assimp or we say>", "import of X: crashed (SIGSEGV)", "import of X: no result after 30 s
 *   (--import-timeout)", "import of X: needs more than 4096 MiB (--import-memory)".
 */
struct scene *import_scene(const char *path, const struct import_options *options, struct error *err);

/* Work that the caller does, once, while the child of the next import runs. Not done where there is no child. */
void import_meanwhile(void (*work)(void *context), void *context);

/* Whether Assimp reads files of that name's extension. */
bool import_knows(const char *path);

/* "all", "none" or names with commas between -> bits. False with err set (nearest name suggested). */
bool repair_parse(const char *text, uint32_t *repairs, struct error *err);

/* The i-th repair's name and what it repairs, in one line; false past the end. */
bool repair_describe(unsigned index, const char **name, const char **what);

/* "none" or names of Assimp's post-processing steps -> bits. False with err set: an unknown name, or a refused one. */
bool assimp_flags_parse(const char *text, uint32_t *flags, struct error *err);

/* The steps' names with commas between, "none". Appended. */
void assimp_flags_describe(uint32_t flags, struct text *out);

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
 * Whether this build can read with the Assimp that is loaded (aiQuatKey grew from 24 to 32 bytes in 5.4.3), found by reading
 * a small file in a child process. False with err set, saying what to do. import_scene() asks it itself.
 */
bool import_check_library(struct error *err);

#endif
