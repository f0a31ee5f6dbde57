#define _POSIX_C_SOURCE 200809L

#include "suite/golden/snapshot_files.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/text.h"
#include "data/result/recorded.h"

size_t snapshot_label_length(const char *name)
{
    static const char digits[] = "0123456789";
    size_t n = name[0] == '-', whole = strspn(name + n, digits);
    n += whole;
    if (whole == 0 || name[n++] != '.')
        return 0;
    size_t decimals = strspn(name + n, digits);
    return decimals >= 3 && decimals <= 6 ? n + decimals : 0;
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

/* What follows the time may be a number: ".png", "_2.png", ".pose.json". */
bool snapshot_is_golden(const char *name)
{
    static const char *const whole[] = {"import.json", "recorded.json", NULL};
    static const char *const suffixes[] = {".png", ".pose.json", NULL};
    size_t length = snapshot_label_length(name);
    const char *suffix = name + length;
    if (*suffix == '_' && isdigit((unsigned char)suffix[1]))
        suffix += 1 + strspn(suffix + 1, "0123456789");
    return is_one_of(name, whole) || (length > 0 && is_one_of(suffix, suffixes));
}

static bool is_ours(const char *name)
{
    static const char *const differences[] = {".golden.png", ".difference.png", ".heat.png", NULL};
    size_t length = snapshot_label_length(name);
    return snapshot_is_golden(name) || (length > 0 && is_one_of(name + length, differences));
}

/* The name of one of these files or of a report, and what file_write() adds to it. */
static bool is_temporary(const char *name)
{
    static const char *const reports[] = {"results.json", "report.html", "junit.xml", NULL};
    char stem[256];
    const char *added = strstr(name, FILE_TEMPORARY);
    size_t length = added ? (size_t)(added - name) : sizeof stem;
    if (length >= sizeof stem || strlen(added) != strlen(FILE_TEMPORARY "XXXXXX"))
        return false;
    memcpy(stem, name, length);
    stem[length] = '\0';
    return is_ours(stem) || is_one_of(stem, reports) || recorded_is_import_name(stem);
}

bool snapshot_remove_file(const char *path, struct error *err)
{
    return unlink(path) == 0 || errno == ENOENT || error_set(err, "cannot remove %s: %s", path, strerror(errno));
}

static bool remove_files(const char *folder, bool temporaries_only, struct error *err)
{
    struct folder_names files;
    struct text path = {0};
    bool good = folder_list(folder, FOLDER_FILES, &files, err);
    for (size_t i = 0; good && i < files.count; i++)
        if (is_temporary(files.names[i]) || (!temporaries_only && is_ours(files.names[i]))) {
            path.size = 0;
            text_addf(&path, "%s/%s", folder, files.names[i]);
            good = snapshot_remove_file(text_string(&path), err);
        }
    text_release(&path);
    folder_names_release(&files);
    return good;
}

bool snapshot_remove_temporaries(const char *folder, struct error *err)
{
    return remove_files(folder, true, err);
}

bool snapshot_remove(const char *folder, struct error *err)
{
    bool good = remove_files(folder, false, err);
    rmdir(folder); /* fails when something else is in it */
    return good;
}

bool snapshot_is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}
