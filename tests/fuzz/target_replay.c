/*
 * Runs a target on the files of folders, once each: what fuzzing found stays found, with any compiler. Arguments: the
 * folders, absolute, because a target may change the working folder.
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/memory.h"
#include "target.h"

#ifdef ADDRESS_SANITIZER
enum { SECONDS = 10 };
#else
enum { SECONDS = 2 };
#endif
enum { INPUT_MAX = 1 << 26 };

/* Ends the process when it takes more of the processor from here on; a machine that is busy otherwise does not count. */
static void limit_time(int seconds)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

static void run(const char *path)
{
    struct error err = {0};
    struct blob blob;
    fprintf(stderr, "%s\n", path);
    if (!file_read(path, INPUT_MAX, &blob, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    uint8_t *exact = malloc(blob.size + !blob.size); /* without the blob's NUL at the end */
    for (size_t i = 0; exact && i < blob.size; i++)
        exact[i] = blob.data[i];
    limit_time(SECONDS);
    LLVMFuzzerTestOneInput(exact, blob.size);
    limit_time(0);
    free(exact);
    blob_release(&blob);
}

static size_t run_folder(const char *folder)
{
    struct error err = {0};
    struct folder_names names;
    if (!folder_list(folder, FOLDER_FILES, &names, &err))
        fprintf(stderr, "%s\n", err.text);
    for (size_t i = 0; i < names.count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, names.names[i]);
        run(path);
    }
    size_t count = names.count;
    folder_names_release(&names);
    return count;
}

int main(int argc, char **argv)
{
    size_t count = 0;
#ifndef ADDRESS_SANITIZER
    setrlimit(RLIMIT_DATA, &(struct rlimit){512 << 20, 512 << 20}); /* arenas are shared mappings and do not count */
#endif
    for (int i = 1; i < argc; i++)
        count += run_folder(argv[i]);
    fprintf(stderr, "%zu inputs\n", count);
    return count == 0; /* that is no test */
}
