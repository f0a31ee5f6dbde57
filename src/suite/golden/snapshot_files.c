#define _POSIX_C_SOURCE 200809L

#include "suite/golden/snapshot_files.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/text.h"
#include "data/result/recorded.h"

size_t snapshot_label_length(const char *name)
{
    size_t n = name[0] == '-', whole, decimals;
    for (whole = 0; isdigit((unsigned char)name[n]); n++)
        whole++;
    if (whole == 0 || name[n++] != '.')
        return 0;
    for (decimals = 0; isdigit((unsigned char)name[n]); n++)
        decimals++;
    return decimals >= 3 && decimals <= 6 ? n : 0;
}

/* Whether the rest of such a name is a golden's: ".png", "_2.png", ".pose.json". */
static bool is_golden_suffix(const char *suffix)
{
    if (*suffix == '_' && isdigit((unsigned char)suffix[1]))
        for (suffix++; isdigit((unsigned char)*suffix);)
            suffix++;
    return strcmp(suffix, ".png") == 0 || strcmp(suffix, ".pose.json") == 0;
}

bool snapshot_is_golden(const char *name)
{
    size_t length = snapshot_label_length(name);
    return strcmp(name, "import.json") == 0 || strcmp(name, "recorded.json") == 0 ||
           (length > 0 && is_golden_suffix(name + length));
}

static bool is_difference(const char *name)
{
    size_t length = snapshot_label_length(name);
    const char *suffix = name + length;
    return length > 0 && (strcmp(suffix, ".golden.png") == 0 || strcmp(suffix, ".difference.png") == 0 ||
                          strcmp(suffix, ".heat.png") == 0);
}

static bool is_report(const char *name)
{
    return strcmp(name, "results.json") == 0 || strcmp(name, "report.html") == 0 || strcmp(name, "junit.xml") == 0;
}

static bool is_ours(const char *name)
{
    return snapshot_is_golden(name) || is_difference(name);
}

/* The name of one of these files, and what file_write() adds to it. */
static bool is_temporary(const char *name)
{
    char stem[256];
    const char *added = strstr(name, FILE_TEMPORARY);
    size_t length = added ? (size_t)(added - name) : sizeof stem;
    if (length >= sizeof stem || strlen(added) != strlen(FILE_TEMPORARY "XXXXXX"))
        return false;
    memcpy(stem, name, length);
    stem[length] = '\0';
    return is_ours(stem) || is_report(stem) || recorded_is_import_name(stem);
}

bool snapshot_remove_file(const char *path, struct error *err)
{
    return unlink(path) == 0 || errno == ENOENT || error_set(err, "cannot remove %s: %s", path, strerror(errno));
}

static bool remove_files(const char *folder, bool temporaries_only, struct error *err)
{
    struct folder_names files;
    bool good = folder_list(folder, FOLDER_FILES, &files, err);
    for (size_t i = 0; good && i < files.count; i++) {
        struct text path = {0};
        text_addf(&path, "%s/%s", folder, files.names[i]);
        if (is_temporary(files.names[i]) || (!temporaries_only && is_ours(files.names[i])))
            good = snapshot_remove_file(text_string(&path), err);
        text_release(&path);
    }
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
