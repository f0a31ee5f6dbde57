#include "base/file/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/path.h"
#include "base/memory.h"

enum { LFS_POINTER_BYTES = 1024 };

void blob_release(struct blob *blob)
{
    free(blob->data);
    *blob = (struct blob){0};
}

bool write_all(int fd, const void *data, size_t size)
{
    for (const char *bytes = data; size > 0;) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno != EINTR)
            return false;
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* False with errno set. */
static bool read_all(int fd, struct blob *out)
{
    size_t done = 0;
    ssize_t n = 1;
    while (done < out->size && n != 0) {
        n = read(fd, out->data + done, out->size - done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    out->size = done; /* a file that shrank meanwhile is what it is now */
    out->data[done] = '\0';
    return true;
}

static bool read_any(const char *path, size_t limit, struct blob *out, struct error *err)
{
    *out = (struct blob){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer must not be waited for */
    if (fd < 0)
        return error_set(err, "cannot open %s: %s", path, strerror(errno));
    struct stat st;
    bool good = false;
    if (fstat(fd, &st) != 0)
        error_set(err, "cannot read %s: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        error_set(err, "%s is %s, not a file", path, S_ISDIR(st.st_mode) ? "a folder" : "a pipe or a device");
    else if ((unsigned long long)st.st_size > limit)
        error_set(err, "%s is too large: %lld MiB, the limit is %zu MiB", path, (long long)st.st_size >> 20,
                  limit >> 20);
    else {
        out->size = (size_t)st.st_size;
        out->data = memory_unset(out->size + 1);
        good = read_all(fd, out) || error_set(err, "cannot read %s: %s", path, strerror(errno));
    }
    close(fd);
    if (!good)
        blob_release(out);
    return good;
}

static bool is_lfs_pointer(const struct blob *file)
{
    static const char mark[] = "version https://git-lfs.github.com/spec/v1";
    return file->size >= sizeof mark - 1 && file->size < LFS_POINTER_BYTES &&
           memcmp(file->data, mark, sizeof mark - 1) == 0;
}

bool file_read(const char *path, size_t limit, struct blob *out, struct error *err)
{
    if (!read_any(path, limit, out, err))
        return false;
    if (!is_lfs_pointer(out))
        return true;
    blob_release(out);
    return error_set(err, "%s " LFS_POINTER, path);
}

bool file_is_lfs_pointer(const char *path)
{
    SCOPED(blob) file = {0};
    return read_any(path, LFS_POINTER_BYTES, &file, ERROR_IGNORED) && is_lfs_pointer(&file);
}

bool file_make_parent(const char *path, struct error *err)
{
    FREED char *copy = memory_string(path);
    char *slash;
    int failure = 0;
    while ((slash = strrchr(copy, '/')) && slash > copy) { /* up to one that is there: a deep one is as a rule */
        *slash = '\0';
        failure = mkdir(copy, 0777) != 0 && errno != EEXIST ? errno : 0;
        if (failure != ENOENT)
            break;
    }
    for (size_t end = strlen(copy), all = strlen(path); failure == 0 || failure == ENOENT; end = strlen(copy)) {
        copy[end] = path[end];
        if (strlen(copy) == all)
            break;
        failure = mkdir(copy, 0777) != 0 && errno != EEXIST ? errno : 0;
        if (failure == ENOENT)
            break;
    }
    return failure == 0 || error_set(err, "cannot make the folder %s: %s", copy, strerror(failure));
}

bool file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK) == 0;
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool ends_with(const char *path, const char *end)
{
    const size_t length = strlen(path), part = strlen(end);
    const char *at = path + (part <= length ? length - part : 0);
    return strcmp(at, end) == 0 && (at == path || at[-1] == '/');
}

const char *path_distinct(const char *path, const char *const *all, size_t count)
{
    const char *end = path_base(path);
    for (size_t i = 0; i < count; i++)
        while (strcmp(all[i], path) != 0 && end > path && ends_with(all[i], end))
            for (end--; end > path && end[-1] != '/';)
                end--;
    return end;
}

size_t path_stem_length(const char *path)
{
    const char *base = path_base(path);
    const char *dot = strrchr(base, '.');
    return dot && dot != base ? (size_t)(dot - base) : strlen(base);
}

void path_extension(const char *path, char out[16])
{
    const char *dot = strrchr(path_base(path), '.');
    size_t n = 0;
    for (const char *c = dot ? dot + 1 : ""; *c && n < 15; c++)
        out[n++] = (char)tolower((unsigned char)*c);
    out[n] = '\0';
}

bool path_has_extension(const char *path, const char *one, const char *other)
{
    char extension[16];
    path_extension(path, extension);
    return strcmp(extension, one) == 0 || strcmp(extension, other) == 0;
}

/* The real folder of the model, with its trailing slash. */
static bool model_folder(const char *model_path, char folder[static PATH_MAX])
{
    if (!realpath(model_path, folder))
        return false;
    folder[path_base(folder) - folder] = '\0';
    return true;
}

bool path_leads_out(const char *name)
{
    SCOPED(text) path = {0};
    path_join("", name, &path);
    return name[0] == '/' || strcmp(path.data, "..") == 0 || strncmp(path.data, "../", 3) == 0;
}

bool path_inside_folder(const char *folder, const char *name, char **out, bool *outside)
{
    char root[PATH_MAX + 1], joined[2 * PATH_MAX], real[PATH_MAX];
    *out = NULL;
    *outside = false;
    if (name[0] == '\0' || strlen(name) >= PATH_MAX || !realpath(folder, root))
        return false;
    if (strcmp(root, "/") != 0)
        strcat(root, "/");
    snprintf(joined, sizeof joined, "%s%s", name[0] == '/' ? "" : root, name);
    bool exists = realpath(joined, real) != NULL;
    *outside = exists ? strncmp(real, root, strlen(root)) != 0 : path_leads_out(name);
    if (!exists || *outside || !file_exists(real))
        return false;
    *out = memory_string(real);
    return true;
}

bool path_inside_model_tree(const char *model_path, const char *name, char **out, bool *outside)
{
    char folder[PATH_MAX];
    *out = NULL;
    *outside = false;
    return model_folder(model_path, folder) && path_inside_folder(folder, name, out, outside);
}

char *path_beside_links(const char *model_path)
{
    struct stat st;
    char *real = lstat(model_path, &st) == 0 && S_ISLNK(st.st_mode) ? realpath(model_path, NULL) : NULL;
    return real ? real : memory_string(model_path);
}

bool path_is_in_model_tree(const char *model_path, const char *path)
{
    char folder[PATH_MAX];
    char real[PATH_MAX];
    return model_folder(model_path, folder) && realpath(path, real) && strncmp(real, folder, strlen(folder)) == 0;
}
