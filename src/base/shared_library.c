#include "base/shared_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool library_open(const char *files, const char *const *names, void *functions, struct error *err)
{
    struct error first = {0}; /* what the system lacks of its own */
    char file[4096];
    void *library = NULL;
    for (const char *c = files; !library && *c; c += strcspn(c, ":") + (c[strcspn(c, ":")] != '\0')) {
        snprintf(file, sizeof file, "%.*s", (int)strcspn(c, ":"), c);
        library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            error_set(&first, "%s", dlerror());
    }
    if (!library)
        return error_set(err, "%s", first.text);
    for (size_t i = 0; names[i]; i++) {
        void *function = dlsym(library, names[i]);
        if (!function)
            return error_set(err, "%s has no %s", file, names[i]);
        memcpy((char *)functions + i * sizeof function, &function, sizeof function);
    }
    return true;
}
