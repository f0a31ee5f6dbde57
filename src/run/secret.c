#include "run/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/path.h"
#include "base/shared_library.h"
#include "options/suite_paths.h"

static struct {
    __typeof__(sodium_init) *init;
    __typeof__(crypto_generichash) *hash;
} sodium;

/* False with errno set, or with err. */
static bool read_key(const char *path, struct secret *secret, struct error *err)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? false : error_set(err, "cannot open the key %s: %s", path, strerror(errno));
    bool good = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 077) == 0 &&
                read(fd, secret->bytes, SECRET_BYTES) == SECRET_BYTES && st.st_size == SECRET_BYTES;
    close(fd);
    return good || error_set(err,
                             "%s is not a key that is yours alone (32 bytes, mode 600): remove it, and what was "
                             "remembered by it is run again",
                             path);
}

/* Whole and on the disk before it has its name; who comes second takes the first one's. */
static bool make_key(const char *path, struct error *err)
{
    struct secret secret;
    SCOPED(text) temporary = {0}, folder = {0};
    text_addf(&temporary, "%s.new-XXXXXX", path);
    path_folder(path, &folder);
    int fd = file_make_parent(path, err) ? mkstemp(temporary.data) : -1, parent = -1;
    bool good = fd >= 0 && getrandom(secret.bytes, sizeof secret.bytes, 0) == sizeof secret.bytes &&
                write_all(fd, secret.bytes, sizeof secret.bytes) && fsync(fd) == 0 &&
                (link(temporary.data, path) == 0 || errno == EEXIST) &&
                (parent = open(folder.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0 && fsync(parent) == 0;
    if (!good)
        error_set(err, "cannot make the key %s: %s (RIGPROOF_CACHE_KEY may be one)", path, strerror(errno));
    if (fd >= 0) {
        unlink(temporary.data);
        close(fd);
    }
    if (parent >= 0)
        close(parent);
    return good;
}

bool secret_find(struct secret *secret, const char *inside, struct error *err)
{
    static const char *const names[] = {"sodium_init", "crypto_generichash", NULL};
    const char *given = getenv("RIGPROOF_CACHE_KEY"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    SCOPED(text) path = {0};
    if (!sodium.hash && (!library_open(SODIUM_FILES, names, &sodium, err) || sodium.init() < 0))
        return error_set(err, "libsodium does not start");
    if (given && *given) {
        sodium.hash(secret->bytes, SECRET_BYTES, (const unsigned char *)given, strlen(given), NULL, 0);
        return strlen(given) >= SECRET_LEAST ||
               error_set(err, "RIGPROOF_CACHE_KEY has less than %d characters", SECRET_LEAST);
    }
    if (state && *state == '/')
        text_addf(&path, "%s/rigproof/cache-key", state);
    else if (home && *home == '/')
        text_addf(&path, "%s/.local/state/rigproof/cache-key", home);
    else
        return error_set(err, "there is no home folder to keep a key in: set RIGPROOF_CACHE_KEY");
    bool good = suite_paths_are_own(inside, path.data, true, err) || error_prefix(err, "the key %s", path.data);
    return good && (read_key(path.data, secret, err) ||
                    (!error_is_set(err) && make_key(path.data, err) && read_key(path.data, secret, err)));
}

void secret_hash(const struct secret *secret, const void *data, size_t size, char out[static SECRET_HASH + 1])
{
    unsigned char hash[SECRET_BYTES];
    sodium.hash(hash, sizeof hash, data, size, secret->bytes, sizeof secret->bytes);
    for (size_t i = 0; i < sizeof hash; i++)
        snprintf(out + 2 * i, 3, "%02x", hash[i]);
}
