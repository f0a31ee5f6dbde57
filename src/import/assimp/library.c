#include "import/assimp/library.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <assimp/version.h>

#include "base/arena.h"
#include "base/build_id.h"
#include "base/embedded.h"
#include "base/file/file.h"
#include "base/process/process.h"

/* probe.gltf: a triangle, a turn with keys at 0 and 1 s, a camera twice as wide as high. probe.fbx: Z up; a mesh at
 * (0, 2, 0) below a node at (1, 0, 0), with a geometric translation of (0, 0, 4), bound at (8, 0, 0) to a bone at
 * the origin: the translation of the bone's offset says which of them it was made of. */
EMBEDDED(probe);
enum { PROBE_FBX, PROBE_GLTF };

static const struct aiScene *read_probe(int probe)
{
    return aiImportFileFromMemory(probes[probe].text, (unsigned)strlen(probes[probe].text), 0,
                                  strrchr(probes[probe].name, '.') + 1);
}

/* The facts that were found out about the library. */
static struct traits {
    bool gltf_asked, fbx_asked;
    struct gltf_traits gltf;
    struct fbx_traits fbx;
} known;

const struct gltf_traits *library_gltf(void)
{
    struct gltf_traits *traits = &known.gltf;
    const struct aiScene *scene = known.gltf_asked ? NULL : read_probe(PROBE_GLTF);
    known.gltf_asked = true;
    if (!scene)
        return traits;
    /* Bytes from a rotation key to the next one, found by the second key's time. The two keys are at least 48 bytes. */
    const struct aiAnimation *clip = scene->mNumAnimations > 0 ? scene->mAnimations[0] : NULL;
    const bool has_keys = clip && clip->mNumChannels > 0 && clip->mChannels[0]->mNumRotationKeys == 2;
    for (size_t size = 24; size <= 40 && has_keys && traits->key_size == 0; size += 4) {
        const double second = 1000.0; /* in milliseconds, as all glTF clips */
        double time;
        memcpy(&time, (const char *)clip->mChannels[0]->mRotationKeys + size, sizeof time);
        traits->key_size = time == second ? size : 0;
    }
    traits->multiplies_angle = scene->mNumCameras > 0 && scene->mCameras[0]->mHorizontalFOV == 2.0f;
    aiReleaseImport(scene);
    return traits;
}

static bool is_translation(const struct aiMatrix4x4 *m, float x, float y, float z)
{
    const float limit = 1e-4f;
    return fabsf(m->a4 - x) < limit && fabsf(m->b4 - y) < limit && fabsf(m->c4 - z) < limit;
}

const struct fbx_traits *library_fbx(void)
{
    struct fbx_traits *traits = &known.fbx;
    const struct aiScene *scene = known.fbx_asked ? NULL : read_probe(PROBE_FBX);
    known.fbx_asked = true;
    if (!scene)
        return traits;
    if (scene->mNumMeshes > 0 && scene->mMeshes[0]->mNumBones > 0) {
        const struct aiMatrix4x4 *offset = &scene->mMeshes[0]->mBones[0]->mOffsetMatrix;
        traits->offsets = is_translation(offset, 8, 0, 0)   ? FBX_OFFSETS_BOUND
                          : is_translation(offset, 1, 2, 4) ? FBX_OFFSETS_OF_MESH
                          : is_translation(offset, 1, 0, 0) ? FBX_OFFSETS_OF_PARENT
                                                            : FBX_OFFSETS_UNKNOWN;
    }
    traits->turns_root = fabsf(scene->mRootNode->mTransformation.b2 - 1.0f) > 0.5f;
    aiReleaseImport(scene);
    return traits;
}

static int learn(void *context)
{
    library_gltf();
    library_fbx();
    *(struct traits *)context = known;
    return 0;
}

void library_learn(void)
{
    /* without memory each import asks by itself */
    SCOPED_ARENA arena = known.gltf_asked ? NULL : arena_create(1 << 16, ERROR_IGNORED);
    if (!arena)
        return;
    struct traits *learnt = ARENA_NEW(arena, struct traits, 1);
    const struct child_result result = child_run(learn, learnt, &(struct child_limits){.seconds = 30});
    if (result.end == CHILD_EXITED && result.status == 0)
        known = *learnt;
}

const char *import_library_version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "%u.%u.%u", aiGetVersionMajor(), aiGetVersionMinor(), aiGetVersionPatch());
    return text;
}

bool library_check_key(size_t built_size, size_t found_size, struct error *err)
{
    if (found_size == 0 || built_size == found_size)
        return true;
    return error_set(
        err,
        "this rigproof was built for Assimp %s, but the library found, which calls itself %s, is %s: "
        "rotations would be read as garbage; build rigproof again on this system, or install the Assimp it "
        "was built with",
        built_size > found_size ? "5.4.3 or later" : "5.4.2 or earlier", import_library_version(),
        built_size > found_size ? "older" : "newer");
}

/* In the child's and the caller's memory. */
static int check_in_child(void *context)
{
    struct error *err = context;
    return library_check_key(sizeof(struct aiQuatKey), library_gltf()->key_size, err) ? 0 : 1;
}

bool import_check_library(struct error *err)
{
    SCOPED_ARENA arena = arena_create(1 << 16, err);
    if (!arena)
        return false;
    struct error *found = ARENA_NEW(arena, struct error, 1);
    struct child_result result = child_run(check_in_child, found, &(struct child_limits){.seconds = 30});
    if (error_is_set(found))
        *err = *found;
    else if (result.end != CHILD_EXITED || result.status != 0)
        error_set(err, "Assimp %s crashes or hangs on a small glTF file: install another build of it",
                  import_library_version());
    return !error_is_set(err);
}

static struct library_file found;
static char name[PATH_MAX], soname[256], build_id[BUILD_ID_TEXT];

/* The dynamic section. Of its addresses the loader of glibc has added where the object lies, others have not. */
static void read_soname(ElfW(Addr) base, const ElfW(Dyn) * dynamic)
{
    ElfW(Addr) strings = 0, offset = 0;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_STRTAB)
            strings = dynamic->d_un.d_ptr < base ? base + dynamic->d_un.d_ptr : dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_SONAME)
            offset = dynamic->d_un.d_val;
    }
    if (strings == 0 || offset == 0)
        return;
    snprintf(soname, sizeof soname, "%s", (const char *)(uintptr_t)(strings + offset));
    found.soname = soname;
}

const struct library_file *import_library_file(void)
{
    static bool asked;
    char path[PATH_MAX];
    Dl_info object;
    /* The function's address may be that of its entry in this program; this is the one in the library. */
    void *function = dlsym(RTLD_DEFAULT, "aiGetVersionMajor");
    if (asked || dladdr(function ? function : (void *)(uintptr_t)aiGetVersionMajor, &object) == 0)
        return &found;
    asked = true;
    const ElfW(Ehdr) *header = object.dli_fbase;
    const ElfW(Phdr) *segments = (const void *)((const char *)object.dli_fbase + header->e_phoff);
    ElfW(Addr) base = (ElfW(Addr))(uintptr_t)object.dli_fbase; /* of addresses: 0 in a program at fixed ones */
    if (header->e_type != ET_DYN)
        base = 0;
    if (build_id_find(base, segments, header->e_phnum, build_id))
        found.build_id = build_id;
    for (int i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_DYNAMIC)
            read_soname(base, (const void *)(uintptr_t)(base + segments[i].p_vaddr));
    if (found.soname && realpath(object.dli_fname, path)) { /* a program that Assimp is linked into has none */
        snprintf(name, sizeof name, "%s", path_base(path));
        found.name = name;
    }
    return &found;
}
