#include "target.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[4096];
jmp_buf *target_exhausted;

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
    (void)status, (void)type, (void)ftw;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void require(int good, const char *what)
{
    if (good)
        return;
    perror(what);
    abort();
}

void target_file(const char *name, const void *data, size_t size)
{
    static int made;
    if (!made++) {
        const char *parent = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/rigproof-fuzz-XXXXXX", parent ? parent : "/tmp");
        require(mkdtemp(folder) != NULL && chdir(folder) == 0, folder);
        atexit(remove_folder);
    }
    FILE *file = fopen(name, "wb");
    require(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, name);
}

char *target_string(const uint8_t *data, size_t size)
{
    char *string = malloc(size + 1);
    require(string != NULL, "malloc");
    if (size > 0)
        memcpy(string, data, size);
    string[size] = '\0';
    return string;
}

struct arena *target_arena(void)
{
    return arena_require((size_t)256 << 20);
}

void target_require_equal(struct text *a, struct text *b)
{
    if (a->size != b->size || (a->size > 0 && memcmp(a->data, b->data, a->size) != 0)) {
        fprintf(stderr, "what was read is not what was written:\n%s\n----\n%s\n", text_string(a), text_string(b));
        abort();
    }
    text_release(a);
    text_release(b);
}

/* Linked with --wrap=_exit: an exhausted arena would end the process without a trace. */
_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__exit(int status)
{
    if (target_exhausted && status == MEMORY_EXHAUSTED)
        longjmp(*target_exhausted, 1);
    fprintf(stderr, "_exit(%d)\n", status);
    abort();
}
