#define _POSIX_C_SOURCE 200809L /* lstat */

#include "suite/golden/golden.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "suite/golden/shared_import.h"

enum { GOLDEN_FILE_LIMIT = 1 << 30 };

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A link that leads nowhere, or what may not be looked at, is there: no golden that is yet to be made. */
static bool is_there(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

char *golden_path(const struct golden *golden, const char *label, const char *suffix)
{
    struct text path = {0};
    if (golden->shared_import && strcmp(label, "import") == 0)
        text_add(&path, golden->shared_import);
    else
        text_addf(&path, "%s/%s%s", golden->folder, label, suffix);
    return path.data;
}

enum golden_part golden_read(const struct golden *golden, const char *label, const char *suffix, struct blob *out,
                             struct error *err)
{
    char *path = golden_path(golden, label, suffix);
    enum golden_part part = GOLDEN_ABSENT;
    if (golden->exists && is_there(path))
        part = file_read(path, GOLDEN_FILE_LIMIT, out, err) ? GOLDEN_READ : GOLDEN_UNREADABLE;
    free(path);
    return part;
}

bool golden_open(struct golden *golden, const char *goldens, const char *name, struct arena *arena, struct error *err)
{
    struct text folder = {0};
    struct blob file;
    text_addf(&folder, "%s/%s", goldens, name);
    *golden = (struct golden){.folder = folder.data, .exists = is_folder(folder.data)};
    enum golden_part part = golden_read(golden, "recorded", ".json", &file, err);
    if (part != GOLDEN_READ)
        return part == GOLDEN_ABSENT;
    char *path = golden_path(golden, "recorded", ".json");
    golden->has_recorded = recorded_read(file.data, file.size, path, arena, &golden->recorded, err);
    free(path);
    blob_release(&file);
    if (golden->has_recorded && golden->recorded.import_file)
        golden->shared_import = shared_import_path(goldens, golden->recorded.import_file);
    return golden->has_recorded;
}

void golden_close(struct golden *golden)
{
    free(golden->folder);
    free(golden->shared_import);
    *golden = (struct golden){0};
}
