#define _GNU_SOURCE /* dladdr */

#include "import/import.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <assimp/scene.h>
#include <assimp/version.h>

#include "import/convert.h"

/*
 * There is no version macro, and the number that the library reports lags behind its release now and then
 * (v5.2.5 says 5.2.4, v6.0.0 says 5.4.3). What a build needs to know is the size of aiQuatKey, which is in
 * its headers.
 */
enum { FIRST_WITH_LARGE_KEYS = 50403, LARGE_KEY = 32 };

static bool is_soname_6(void)
{
    Dl_info info;
    return dladdr((void *)(size_t)aiGetVersionMajor, &info) && info.dli_fname &&
           strstr(info.dli_fname, ".so.6");
}

unsigned library_version(void)
{
    unsigned version = aiGetVersionMajor() * 10000 + aiGetVersionMinor() * 100 + aiGetVersionPatch();
    return version == 50403 && is_soname_6() ? 60000 : version;
}

const char *import_library_version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "%u.%u.%u", aiGetVersionMajor(), aiGetVersionMinor(), aiGetVersionPatch());
    return text;
}

bool library_check_key(size_t built_size, unsigned version, struct error *err)
{
    bool built_large = built_size >= LARGE_KEY;
    bool runs_large = version >= FIRST_WITH_LARGE_KEYS;
    if (built_large == runs_large)
        return true;
    return error_set(
        err,
        "this rigproof was built for Assimp %s 5.4.3, but the library found is %s: rotations would be read "
        "as garbage; build rigproof again on this system, or install the Assimp it was built with",
        built_large ? "from" : "before", import_library_version());
}

bool import_check_library(struct error *err)
{
    return library_check_key(sizeof(struct aiQuatKey), library_version(), err);
}
