/* A golden as it was, to take an acceptance back. */
#include <stdlib.h>
#include <string.h>

#include "base/file/file_batch.h"
#include "base/file/folder.h"
#include "accept/candidates.h"

struct golden_backup {
    struct text goldens, folder;
    bool had_folder;
    size_t count;
    struct backup_file {
        char *path;
        struct blob content; /* without data: it was not there */
    } * files;
};

static bool add(struct golden_backup *backup, const char *path, struct error *err)
{
    struct backup_file *file = &backup->files[backup->count++];
    file->path = memory_string(path);
    return !file_exists(path) || file_read(path, GOLDEN_FILE_LIMIT, &file->content, err);
}

struct golden_backup *golden_backup_make(const struct suite *suite, const struct suite_case *c, struct error *err)
{
    struct golden_backup *backup = memory_new(1, sizeof *backup);
    struct folder_names files;
    struct text path = {0};
    text_add(&backup->goldens, suite->goldens);
    text_addf(&backup->folder, "%s/%s", suite->goldens, c->name);
    bool good = folder_list(text_string(&backup->folder), FOLDER_FILES, &files, err);
    backup->had_folder = files.count > 0;
    backup->files = memory_new(files.count + 1, sizeof *backup->files);
    for (size_t i = 0; good && i < files.count; i++) {
        path.size = 0;
        text_addf(&path, "%s/%s", text_string(&backup->folder), files.names[i]);
        good = !snapshot_is_golden(files.names[i]) || add(backup, text_string(&path), err);
    }
    path.size = 0;
    text_addf(&path, "%s/" SHARED_IMPORTS "/%s", suite->goldens, shared_import_name(suite, c, suite->arena));
    good = good && add(backup, text_string(&path), err);
    folder_names_release(&files);
    text_release(&path);
    if (good)
        return backup;
    golden_backup_free(backup);
    return NULL;
}

static bool has_path(const struct golden_backup *backup, const char *path)
{
    for (size_t i = 0; i < backup->count; i++)
        if (strcmp(backup->files[i].path, path) == 0)
            return true;
    return false;
}

/* What was there is written, what was not goes: in this order each file of a golden that is there is whole. */
bool golden_backup_restore(const struct golden_backup *backup, struct error *err)
{
    const char *folder = text_string(&backup->folder), *goldens = text_string(&backup->goldens);
    struct folder_names files = {0};
    struct file_batch batch = {0};
    struct text path = {0};
    int lock = goldens_lock(goldens, err);
    bool good = lock >= 0 && folder_list(folder, FOLDER_FILES, &files, err);
    for (size_t i = 0; good && i < backup->count; i++) {
        const struct backup_file *file = &backup->files[i];
        if (!file->content.data)
            file_batch_remove(&batch, file->path);
        else
            good = file_batch_add(&batch, file->path, file->content.data, file->content.size, err);
    }
    for (size_t i = 0; good && i < files.count; i++) {
        path.size = 0;
        text_addf(&path, "%s/%s", folder, files.names[i]);
        if (snapshot_is_golden(files.names[i]) && !has_path(backup, text_string(&path)))
            file_batch_remove(&batch, text_string(&path));
    }
    good = good && file_batch_commit(&batch, err);
    if (good && !backup->had_folder)
        good = snapshot_remove(folder, SNAPSHOT_WHOLE, err); /* nothing is left but the folder */
    file_batch_release(&batch);
    folder_names_release(&files);
    text_release(&path);
    folder_unlock(lock);
    return good;
}

void golden_backup_free(struct golden_backup *backup)
{
    if (!backup)
        return;
    for (size_t i = 0; i < backup->count; i++) {
        free(backup->files[i].path);
        blob_release(&backup->files[i].content);
    }
    free(backup->files);
    text_release(&backup->goldens);
    text_release(&backup->folder);
    free(backup);
}
