#include "base/process/program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/text.h"

static bool may_run(const char *path)
{
    return file_exists(path) && access(path, X_OK) == 0;
}

bool program_exists(const char *name)
{
    const char *folders = getenv("PATH");
    struct text path = {0};
    bool found = strchr(name, '/') && may_run(name);
    for (const char *at = folders ? folders : ""; *name && !strchr(name, '/') && *at && !found;) {
        const size_t length = strcspn(at, ":");
        path.size = 0;
        text_addf(&path, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? at : ".", name);
        found = may_run(text_string(&path));
        at += length + (at[length] == ':');
    }
    text_release(&path);
    return found;
}
