/*
 * Runs a target on the files of a folder, once each: what fuzzing found stays found, with any compiler. Arguments: the folder.
 */
#define _XOPEN_SOURCE 700 /* realpath */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/path.h"
#include "base/sanitizer.h"
#include "target.h"

enum { SECONDS = 10, INPUT_MAX = 1 << 26 };

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
    alarm(SECONDS); /* a hang ends the process */
    LLVMFuzzerTestOneInput(exact, blob.size);
    alarm(0);
    free(exact);
    blob_release(&blob);
}

int main(int argc, char **argv)
{
    struct error err = {0};
    struct folder_names names;
    char *folder = argc == 2 ? realpath(argv[1], NULL) : NULL; /* a target may change the working folder */
    if (!folder || !folder_list(folder, FOLDER_FILES, &names, &err) || names.count == 0) {
        fprintf(stderr, "usage: replay FOLDER-WITH-INPUTS\n");
        return 2;
    }
#ifndef ADDRESS_SANITIZER
    setrlimit(RLIMIT_DATA, &(struct rlimit){512 << 20, 512 << 20}); /* arenas are shared mappings and do not count */
#endif
    for (size_t i = 0; i < names.count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, names.names[i]);
        run(path);
    }
    folder_names_release(&names);
    free(folder);
    return 0;
}
