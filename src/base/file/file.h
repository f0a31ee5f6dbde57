#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"

/* A whole file in memory. */
struct blob {
    unsigned char *data; /* followed by a NUL that is not counted, so that text can be parsed in place */
    size_t size;
};

void blob_release(struct blob *blob);

/* Reads a file of at most `limit` bytes. False with err set: not there, no file, too large, unreadable, of Git LFS. */
bool file_read(const char *path, size_t limit, struct blob *out, struct error *err);

/*
 * Writes a file so that a reader sees the old content or the whole new one: into a temporary beside it, fsync, rename.
 * The folder must exist. Links are followed; what is no file (/dev/null, a pipe) is written to in place, "-" is stdout.
 */
bool file_write(const char *path, const void *data, size_t size, struct error *err);

/* All of it to a descriptor. False with errno set. */
bool write_all(int fd, const void *data, size_t size);

/* Between the file's name and six letters and digits in the temporary's name: a process that is killed leaves it. */
#define FILE_TEMPORARY ".new-"

/* Makes the folder of a file path, and its parents. */
bool file_make_parent(const char *path, struct error *err);

/* Says whether `path` is a readable regular file. */
bool file_exists(const char *path);

/* This is said of a file in whose place Git LFS has put a pointer: a text of less than 1 KiB which names the content
 * that `git lfs pull` brings. */
#define LFS_POINTER "is a Git LFS pointer: run `git lfs pull`"
bool file_is_lfs_pointer(const char *path);

/* The part after the last '/'. Points into `path`. */
const char *path_base(const char *path);

/* The shortest end of the path that is no end of another one in `all`, by which a reader tells them apart:
 * "old/hero.glb", "new/hero.glb", or "hero.glb" alone. Points into `path`. */
const char *path_distinct(const char *path, const char *const *all, size_t count);

/* Length of the base name without its extension: "a/walker.glb" -> 6. */
size_t path_stem_length(const char *path);

/* The extension in lower case without its dot, at most 15 characters; "" when there is none. */
void path_extension(const char *path, char out[16]);
bool path_has_extension(const char *path, const char *one, const char *other);

/* The model's path where files beside it are looked for: as given, or of a link where it leads. The caller's. */
char *path_beside_links(const char *model_path);

/*
 * Resolves `name`, as written in a model file, against the folder of `model_path`. True when that is a regular file
 * inside that folder's tree, links resolved; `out` then holds the path (freed by the caller). *outside: it leads out of
 * there.
 */
bool path_inside_model_tree(const char *model_path, const char *name, char **out, bool *outside);

/* The same against a folder. */
bool path_inside_folder(const char *folder, const char *name, char **out, bool *outside);

/* Says whether `path` (against the working folder) is a file in the tree of the model's folder, links resolved. */
bool path_is_in_model_tree(const char *model_path, const char *path);

/* Says whether a name leads out of its folder, by its text alone: it is absolute or begins with ".." once joined. */
bool path_leads_out(const char *name);
