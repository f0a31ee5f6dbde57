#include "import/import.h"

#include <stdio.h>

#include <assimp/scene.h>
#include <assimp/version.h>

#include "base/process/process.h"
#include "import/assimp/library_probe.h"
#include "import/convert.h"

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
        "this rigproof was built for Assimp %s 5.4.3, but the library found, which calls itself %s, is not: rotations would "
        "be read as garbage; build rigproof again on this system, or install the Assimp it was built with",
        built_size > found_size ? "from" : "before", import_library_version());
}

/* In the child's and the caller's memory. */
static int check_in_child(void *context)
{
    struct error *err = context;
    return library_check_key(sizeof(struct aiQuatKey), library_gltf()->key_size, err) ? 0 : 1;
}

bool import_check_library(struct error *err)
{
    struct arena *arena = arena_create(1 << 16, err);
    if (!arena)
        return false;
    struct error *found = ARENA_NEW(arena, struct error, 1);
    struct child_result result = child_run(check_in_child, found, &(struct child_limits){.seconds = 30});
    if (error_is_set(found))
        *err = *found;
    else if (result.end != CHILD_EXITED || result.status != 0)
        error_set(err, "Assimp %s does not survive reading a small glTF file", import_library_version());
    arena_destroy(arena);
    return !error_is_set(err);
}
