#include "base/file/git_index.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/path.h"

/* gitformat-index(5) */
enum { HEAD = 12, STAT = 40, FLAGS = 2, EXTENDED = 0x40, LONGEST_NAME = 0xfff, LARGEST = 1 << 30 };

static unsigned long number(const unsigned char *at)
{
    return (unsigned long)at[0] << 24 | (unsigned long)at[1] << 16 | (unsigned long)at[2] << 8 | at[3];
}

static bool is_at_or_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return *folder == '\0' || (strncmp(path, folder, length) == 0 && strchr("/", path[length]));
}

/* Walks over the entries, with object names of that many bytes. False where these cannot be what is there. A folder
 * below an entry is in a submodule. */
static bool find(const struct blob *index, size_t hash, const char *below, bool *found)
{
    const unsigned long version = index->size > HEAD + hash ? number(index->data + 4) : 0;
    size_t at = HEAD;
    if (version < 2 || version > 3 || memcmp(index->data, "DIRC", 4) != 0)
        return false;
    for (unsigned long left = number(index->data + 8); left > 0; left--) {
        const unsigned char *entry = index->data + at, *flags = entry + STAT + hash;
        if (index->size - at < STAT + hash + FLAGS + 2 + hash)
            return false;
        const char *name = (const char *)flags + FLAGS + (flags[0] & EXTENDED ? 2 : 0);
        const size_t length = strlen(name), said = (flags[0] << 8 | flags[1]) & LONGEST_NAME; /* a blob ends in NUL */
        at = (size_t)((const unsigned char *)name - index->data) + length;
        at += 8 - (at - (size_t)(entry - index->data)) % 8;
        if (length == 0 || (said < LONGEST_NAME && length != said) || at > index->size - hash)
            return false;
        *found = *found || is_at_or_below(name, below) || is_at_or_below(below, name);
    }
    return index->size - at < 4 || memcmp(index->data + at, "link", 4) != 0;
}

bool git_leaves_alone(const char *root, const char *below, struct error *err)
{
    SCOPED(text) path = {0}, folder = {0};
    SCOPED(blob) index = {0};
    struct stat st;
    bool found = false;
    text_addf(&folder, "%s/.git", root);
    if (stat(folder.data, &st) == 0 && S_ISREG(st.st_mode) && file_read(folder.data, LARGEST, &index, err) &&
        strncmp((const char *)index.data, "gitdir: ", 8) == 0) {
        folder.size = 0;
        index.data[strcspn((const char *)index.data, "\n")] = '\0';
        path_join(root, (const char *)index.data + 8, &folder);
    }
    blob_release(&index);
    text_addf(&path, "%s/index", folder.data);
    const bool exists = file_exists(path.data);
    bool good = !error_is_set(err) && (!exists || file_read(path.data, LARGEST, &index, err));
    if (good && exists && !find(&index, 20, below, &found) && !(found = false) && !find(&index, 32, below, &found))
        good = error_set(err, "%s cannot be read: nobody knows whether a commit has put something there", path.data);
    return good && (!found || error_set(err, "git tracks it: a commit has put something there"));
}
