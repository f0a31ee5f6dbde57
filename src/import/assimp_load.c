#include "import/assimp_load.h"

#include <string.h>
#include <unistd.h>

#include <assimp/cimport.h>
#include <assimp/postprocess.h>

#include "base/file/file.h"
#include "import/assimp/assimp_files.h"
#include "import/convert.h"
#include "import/assimp/library_probe.h"
#include "import/repair/dae_clips.h"
#include "import/gltf/gltf_inverse_bind.h"
#include "import/gltf/gltf_fixes.h"
#include "import/gltf/gltf_repair.h"

/*
 * Triangles are all that is asked of Assimp unless --assimp-flags says more. Not ValidateDataStructure: it refuses files that are fine (all
 * MS3D from 6.0.5 on). Not JoinIdenticalVertices or LimitBoneWeights: the vertices and weights shall be the
 * file's. No properties either: with FBX_PRESERVE_PIVOTS off nodes with real pivots lose their animation, and
 * the axis matrix that FBX_IGNORE_UP_DIRECTION would hold back is taken off by our own repair, the same way
 * for every version.
 */
static const unsigned int post_processing = aiProcess_Triangulate;

/* Assimp catches what its importers throw and keeps the text. */
static void explain(const struct scene *scene, const char *message, struct error *err)
{
    const char *extension = scene->format;
    if (strstr(message, "bad_alloc"))
        memory_exhausted("%s", message);
    char dotted[20] = ".";
    strcat(dotted, extension);
    if (!extension[0])
        error_set(err, "the file name has no extension that names the format");
    if (!aiIsExtensionSupported(dotted))
        error_set(err, "Assimp %s cannot read .%s files", import_library_version(), extension);
    if (gltf_is_named(scene))
        gltf_explain_encoding(scene->path, message, err);
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

static const struct aiScene *read_model(const char *path, const struct text *content, uint32_t flags)
{
    struct model_file model = {path, content};
    struct aiFileIO files = assimp_files(&model);
    return aiImportFileEx(path, post_processing | flags, &files);
}

/* The file read again with one animation; NULL with `why` set. */
static const struct aiScene *read_joined(const char *path, const struct blob *file, uint32_t flags, struct error *why)
{
    struct text content = {0};
    const struct aiScene *joined = dae_join_animations(file, &content, why) ? read_model(path, &content, flags) : NULL;
    if (joined && joined->mNumAnimations != 1) {
        aiReleaseImport(joined);
        joined = NULL;
    }
    if (!joined)
        error_set(why, "Assimp does not read it with one animation");
    text_release(&content);
    return joined;
}

/* The clips of a COLLADA file that names none, put together as one: repair "dae-clips". */
static const struct aiScene *join_clips(struct scene *scene, const struct aiScene *source, uint32_t repairs, uint32_t flags)
{
    enum { LARGEST = 1 << 30 };
    struct blob file;
    struct error why = {0};
    unsigned count = source->mNumAnimations;
    if (strcmp(scene->format, "dae") != 0 || count < 2 || !file_read(scene->path, LARGEST, &file, &why))
        return source;
    if (!dae_names_clips(&file)) {
        bool wanted = repairs & REPAIR_DAE_CLIPS;
        const struct aiScene *joined = wanted ? read_joined(scene->path, &file, flags, &why) : NULL;
        if (joined) {
            scene_note(scene, NOTE_REPAIR, "dae-clips",
                       "the file names no clips: %u of Assimp's are one, as they play together", count);
            aiReleaseImport(source);
            source = joined;
        } else {
            scene_note(scene, NOTE_WARNING, "dae-clips",
                       "%u clips from a file that names none, which play together: %s", count,
                       wanted ? why.text : "the repair is off");
        }
    }
    blob_release(&file);
    return source;
}

struct scene *assimp_load(const char *path, uint32_t repairs, uint32_t flags, struct arena *arena, struct error *err)
{
    if (!library_check_key(sizeof(struct aiQuatKey), library_gltf()->key_size, err))
        return NULL;
    struct scene *scene = new_scene(path, arena);
    struct text content = {0};
    if (gltf_is_named(scene) && (repairs & REPAIR_GLTF_INVERSE_BIND))
        gltf_add_inverse_binds(scene, &content);
    const struct aiScene *source = read_model(path, &content, flags);
    text_release(&content);
    if (!source) {
        explain(scene, aiGetErrorString(), err);
        return NULL;
    }
    source = join_clips(scene, source, repairs, flags);
    struct conversion c = {.scene = scene, .source = source, .repairs = repairs, .flags = flags, .err = err};
    bool good = convert_scene(&c);
    if (!good && gltf_is_named(scene))
        gltf_explain_encoding(path, "", err);
    aiReleaseImport(source);
    return good ? scene : NULL;
}
