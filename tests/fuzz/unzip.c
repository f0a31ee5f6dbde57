/* A ZIP, into a folder that is empty each time: nothing is written anywhere else. */
#include "base/file/unzip.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "target.h"

static bool has_files(const char *folder, size_t count)
{
    SCOPED(folder_names) names = {0};
    return folder_list(folder, FOLDER_FILES, &names, ERROR_IGNORED) && names.count == count;
}

/* The folder is two below the target's own: what a broken reader writes beside it stays in there, and is seen. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target_file("in.zip", data, size);
    mkdir("below", 0700);
    mkdir("below/out", 0700);
    unzip("in.zip", "below/out", ERROR_IGNORED);
    folder_remove("below/out");
    if (!has_files(".", 1) || !has_files("below", 0))
        __builtin_trap();
    return 0;
}
