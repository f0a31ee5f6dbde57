#define _DEFAULT_SOURCE /* flock */

#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

bool folder_make(const char *path, struct error *err)
{
    struct text inside = {0};
    text_addf(&inside, "%s/x", path);
    bool good = file_make_parent(text_string(&inside), err);
    text_release(&inside);
    return good;
}

bool folder_lock(const char *path, int *lock, struct error *err)
{
    struct text file = {0};
    text_addf(&file, "%s/.lock", path);
    *lock = open(text_string(&file), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int reason = errno;
    text_release(&file);
    if (*lock < 0)
        return error_set(err, "cannot write into %s: %s", path, strerror(reason));
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    close(*lock);
    *lock = -1;
    return error_set(err, "another run is writing into %s: wait for it, or choose another folder with -o", path);
}
