#include "import/assimp_load.h"

#include <string.h>
#include <unistd.h>

#include <assimp/cimport.h>
#include <assimp/postprocess.h>

#include "base/file.h"
#include "import/assimp_files.h"
#include "import/convert.h"
#include "import/library_probe.h"

/*
 * Triangles are all that is asked of Assimp unless --assimp-flags says more. Not ValidateDataStructure: it refuses files that are fine (all
 * MS3D from 6.0.5 on). Not JoinIdenticalVertices or LimitBoneWeights: the vertices and weights shall be the
 * file's. No properties either: with FBX_PRESERVE_PIVOTS off nodes with real pivots lose their animation, and
 * the axis matrix that FBX_IGNORE_UP_DIRECTION would hold back is taken off by our own repair, the same way
 * for every version.
 */
static const unsigned int post_processing = aiProcess_Triangulate;

/* Assimp catches what its importers throw and keeps the text. */
static void explain(const char *extension, const char *message, struct error *err)
{
    if (strstr(message, "bad_alloc"))
        _exit(ARENA_EXHAUSTED);
    char dotted[20] = ".";
    strcat(dotted, extension);
    if (!extension[0])
        error_set(err, "the file name has no extension to tell the format by");
    if (!aiIsExtensionSupported(dotted))
        error_set(err, "Assimp %s cannot read .%s files", import_library_version(), extension);
    if (strstr(message, "No suitable reader"))
        error_set(err, "Assimp %s does not recognise it as a .%s file: empty, damaged, or of another kind",
                  import_library_version(), extension);
    if (strstr(message, "old format version"))
        error_set(err, "Assimp %s cannot read FBX from before 2011: save it anew with a program of today, or convert it",
                  import_library_version());
    error_set(err, "%s", message[0] ? message : "Assimp gives no reason");
}

static struct scene *new_scene(const char *path, struct arena *arena)
{
    char extension[16];
    path_extension(path, extension);
    struct scene *scene = ARENA_NEW(arena, struct scene, 1);
    scene->arena = arena;
    scene->path = arena_string(arena, path);
    scene->format = arena_string(arena, extension);
    scene->assimp_version = arena_string(arena, import_library_version());
    return scene;
}

struct scene *assimp_load(const char *path, uint32_t repairs, uint32_t flags, struct arena *arena, struct error *err)
{
    if (!library_check_key(sizeof(struct aiQuatKey), library_gltf()->key_size, err))
        return NULL;
    struct scene *scene = new_scene(path, arena);
    struct aiFileIO files = assimp_files(path);
    const struct aiScene *source = aiImportFileEx(path, post_processing | flags, &files);
    if (!source) {
        explain(scene->format, aiGetErrorString(), err);
        return NULL;
    }
    struct conversion c = {.scene = scene, .source = source, .repairs = repairs, .flags = flags, .err = err};
    bool good = convert_scene(&c);
    aiReleaseImport(source);
    return good ? scene : NULL;
}
