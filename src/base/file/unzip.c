#include "base/file/unzip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zip.h>

#include "base/file/file.h"
#include "base/shared_library.h"
#include "base/text.h"

/* libzip brings OpenSSL along. */
#define FUNCTIONS(X)                                                                                                   \
    X(open) X(discard) X(get_num_entries) X(stat_index) X(file_get_external_attributes) X(fopen_index) X(fread)        \
    X(fclose) X(strerror) X(error_init_with_code) X(error_strerror) X(error_fini)

static struct {
#define X(name) __typeof__(zip_##name) *name;
    FUNCTIONS(X)
#undef X
} libzip;

struct unpacking {
    zip_t *zip;
    const char *folder;
    uint64_t left; /* bytes that may still come */
    struct error *err;
};

/* Sets an error of the archive, whose names may hold anything. */
static bool refuse(struct unpacking *all, const char *name, const char *why)
{
    SCOPED(text) shown = {0};
    text_add_name(&shown, name);
    error_set(all->err, "%s: %s", text_string(&shown), why);
    return false;
}

/* Parts between single slashes, none of them "." or "..", nor what another system takes for a way elsewhere. */
static bool is_below(const char *name)
{
    const char *part = name;
    if (strpbrk(name, "\\:") || !*name)
        return false;
    for (; *part; part += *part == '/') {
        size_t length = strcspn(part, "/");
        if (length == 0 || strncmp(part, "..", length > 2 ? 3 : length) == 0)
            return false;
        part += length;
    }
    return true;
}

/* The system that made the archive says what an entry is: under Unix by its mode, elsewhere by a slash at its end. */
static bool is_plain(zip_t *zip, uint64_t index)
{
    zip_uint8_t system;
    zip_uint32_t attributes;
    if (libzip.file_get_external_attributes(zip, index, 0, &system, &attributes) != 0 || system != ZIP_OPSYS_UNIX)
        return true;
    const mode_t kind = (mode_t)(attributes >> 16) & S_IFMT;
    return kind == 0 || kind == S_IFREG || kind == S_IFDIR;
}

static bool write_entry(struct unpacking *all, zip_file_t *entry, int fd, const char *name)
{
    char piece[1 << 16];
    for (zip_int64_t size; (size = libzip.fread(entry, piece, sizeof piece)) != 0;) {
        if (size < 0)
            return refuse(all, name, "it is damaged");
        if ((uint64_t)size > all->left)
            return refuse(all, name, "the archive holds more than it should: it may be made to fill the disk");
        all->left -= (uint64_t)size;
        if (!write_all(fd, piece, (size_t)size))
            return error_set(all->err, "cannot unpack %s: %s", name, strerror(errno));
    }
    return true;
}

static bool unpack(struct unpacking *all, uint64_t index)
{
    zip_stat_t about;
    SCOPED(text) path = {0};
    if (libzip.stat_index(all->zip, index, 0, &about) != 0 || !(about.valid & ZIP_STAT_NAME))
        return error_set(all->err, "entry %llu is damaged", (unsigned long long)index);
    const char *name = about.name;
    const bool is_folder = *name && name[strlen(name) - 1] == '/';
    if (!is_below(name))
        return refuse(all, name, "it leads out of the archive");
    if (!is_plain(all->zip, index))
        return refuse(all, name, "it is a link, or no file at all");
    if ((about.valid & ZIP_STAT_ENCRYPTION_METHOD) && about.encryption_method != ZIP_EM_NONE)
        return refuse(all, name, "it is encrypted");
    text_addf(&path, "%s/%s", all->folder, name);
    if (is_folder || !file_make_parent(text_string(&path), all->err)) /* files bring their folders along */
        return !error_is_set(all->err);
    int fd = open(text_string(&path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return refuse(all, name, errno == EEXIST ? "it is there twice" : strerror(errno));
    zip_file_t *entry = libzip.fopen_index(all->zip, index, 0);
    bool good = entry ? write_entry(all, entry, fd, name) : refuse(all, name, libzip.strerror(all->zip));
    if (entry)
        libzip.fclose(entry);
    return close(fd) == 0 && good;
}

bool unzip(const char *path, const char *folder, struct error *err)
{
#define X(name) "zip_" #name,
    static const char *const names[] = {FUNCTIONS(X) NULL};
#undef X
    struct stat status;
    int code = 0;
    if (!library_open(ZIP_FILES, names, &libzip, err))
        return error_prefix(err, "%s", path);
    struct unpacking all = {.folder = folder, .err = err, .zip = libzip.open(path, ZIP_RDONLY, &code)};
    if (!all.zip || stat(path, &status) != 0) {
        zip_error_t why;
        libzip.error_init_with_code(&why, code);
        error_set(err, "%s: %s", path, libzip.error_strerror(&why));
        libzip.error_fini(&why);
        return false;
    }
    const uint64_t most = (uint64_t)UNZIP_MOST_MIB << 20, little = (uint64_t)UNZIP_LITTLE_MIB << 20;
    const uint64_t grown =
        (uint64_t)status.st_size < most / UNZIP_MOST_RATIO ? (uint64_t)status.st_size * UNZIP_MOST_RATIO : most;
    const zip_int64_t count = libzip.get_num_entries(all.zip, 0);
    all.left = grown > little ? grown : little;
    bool good = count <= UNZIP_MOST_FILES || error_set(err, "more than %d files", UNZIP_MOST_FILES);
    for (zip_int64_t i = 0; good && i < count; i++)
        good = unpack(&all, (uint64_t)i);
    libzip.discard(all.zip);
    return good || error_prefix(err, "%s", path);
}
