#define _POSIX_C_SOURCE 200809L /* fmemopen */

#include "import/assimp/assimp_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"

static FILE *stream_of(struct aiFile *file)
{
    return (FILE *)(void *)file->UserData;
}

static size_t read_file(struct aiFile *file, char *out, size_t size, size_t count)
{
    return fread(out, size, count, stream_of(file));
}

static size_t write_nothing(struct aiFile *file, const char *data, size_t size, size_t count)
{
    (void)file, (void)data, (void)size, (void)count;
    return 0;
}

static size_t tell(struct aiFile *file)
{
    long position = ftell(stream_of(file));
    return position < 0 ? 0 : (size_t)position;
}

static size_t size_of_file(struct aiFile *file)
{
    FILE *stream = stream_of(file);
    long here = ftell(stream);
    if (here < 0 || fseek(stream, 0, SEEK_END) != 0)
        return 0;
    long size = ftell(stream);
    fseek(stream, here, SEEK_SET);
    return size < 0 ? 0 : (size_t)size;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    static const int whence[] = {[aiOrigin_SET] = SEEK_SET, [aiOrigin_CUR] = SEEK_CUR, [aiOrigin_END] = SEEK_END};
    if ((unsigned)origin > aiOrigin_END)
        return aiReturn_FAILURE;
    return fseek(stream_of(file), (long)offset, whence[origin]) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static void flush(struct aiFile *file)
{
    (void)file;
}

static struct aiFile *open_file(struct aiFileIO *io, const char *path, const char *mode)
{
    const struct model_file *model = (const struct model_file *)(const void *)io->UserData;
    if (mode[0] != 'r' || strchr(mode, '+') || !path_is_in_model_tree(model->path, path))
        return NULL;
    bool replaced = model->content && model->content->size > 0 && strcmp(path, model->path) == 0;
    FILE *stream = replaced ? fmemopen(model->content->data, model->content->size, "rb") : fopen(path, "rb");
    struct aiFile *file = stream ? calloc(1, sizeof *file) : NULL;
    if (!file) {
        if (stream)
            fclose(stream);
        return NULL;
    }
    *file = (struct aiFile){
        .ReadProc = read_file,
        .WriteProc = write_nothing,
        .TellProc = tell,
        .FileSizeProc = size_of_file,
        .SeekProc = seek,
        .FlushProc = flush,
        .UserData = (aiUserData)(void *)stream,
    };
    return file;
}

static void close_file(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    if (!file)
        return;
    fclose(stream_of(file));
    free(file);
}

struct aiFileIO assimp_files(const struct model_file *model)
{
    return (struct aiFileIO){open_file, close_file, (aiUserData)(void *)(size_t)model};
}
