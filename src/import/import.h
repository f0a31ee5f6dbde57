#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "data/scene/scene.h"
#include "import/assimp/library.h"
#include "import/assimp/options.h"

/*
 * Model file -> scene. The only stage that knows Assimp, ticks and file formats. A model file is hostile until parsed:
 * Assimp runs in a child process with limits on time and memory, and what comes out of it is checked before it goes
 * into the scene.
 */

struct import_options {
    uint32_t repairs;       /* enum repair */
    double timeout_seconds; /* 0 = none */
    size_t memory_mib;      /* also the size of the scene's arena */
    uint32_t assimp_flags;  /* aiProcess_ bits of assimp_flags_parse(), besides the triangulation that is always done */
    bool surfaces; /* what surface_of() and its maps need: their pixels, mesh.more_uvs, mesh.tangents where a normal
                      map is */
    bool tangents; /* mesh.tangents wherever there are texture coordinates: of a normal map with `surfaces`, else the
                      base's */
};

/* All repairs, 30 s, 4096 MiB. */
extern const struct import_options import_defaults;

/* Reads a file into a scene in the arena. In the import's child only: may crash, hang, exit MEMORY_EXHAUSTED. NULL
 * with err set. */
struct scene *assimp_load(const char *path, const struct import_options *options, struct arena *arena,
                          struct error *err);

/*
 * Imports a file. The scene is the caller's (scene_free). NULL with err set:
 *   "import of X: <what Assimp or we say>", "import of X: crashed (SIGSEGV)", "import of X: no result after 30 s
 *   (--import-timeout)", "import of X: needs more than 4096 MiB (--import-memory)".
 */
struct scene *import_scene(const char *path, const struct import_options *options, struct error *err);

/*
 * Starts the import of a file that the caller is about to ask for, while it is busy with another: import_scene() with
 * the same arguments gives its scene, or its error. The file is read now. At most 16 wait so; more are left to
 * import_scene().
 */
void import_ahead(const char *path, const struct import_options *options);

/* Work that the caller does, once, while the child of the next import runs. Not done where there is no child. */
void import_meanwhile(void (*work)(void *context), void *context);

/* Returns whether Assimp reads files of that name's extension. */
bool import_knows(const char *path);
