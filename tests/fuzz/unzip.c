/* A ZIP, into a folder that is empty each time: nothing is written anywhere else. */
#include "base/file/unzip.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0}, ignored = {0};
    struct folder_names names;
    target_file("in.zip", data, size);
    mkdir("out", 0700);
    unzip("in.zip", "out", &err);
    folder_remove("out");
    bool good = folder_list(".", FOLDER_FILES, &names, &ignored) && names.count == 1 && !file_exists("../x");
    folder_names_release(&names);
    if (!good)
        __builtin_trap();
    return 0;
}
