/*
 * For tests/schemas.sh:
 *   snapshot_file print NAME    prints the sample of import.json or pose.json, which has every member there is
 *   snapshot_file read NAME     reads one from stdin; 0 when it can be read
 */
#include <stdio.h>
#include <string.h>

#include "data/sample_snapshot.h"

static int print(const struct kind *kind)
{
    SCOPED(text) text = {0};
    kind->write(&text);
    fputs(text_string(&text), stdout);
    return 0;
}

static int read_stdin(const struct kind *kind)
{
    char buffer[4096];
    struct error err = {0};
    struct text text = {0}, again = {0};
    struct arena *arena = arena_require((size_t)256 << 20);
    for (size_t n = 0; (n = fread(buffer, 1, sizeof buffer, stdin)) > 0;)
        text_add_bytes(&text, buffer, n);
    bool good = kind->read(text.data, text.size, arena, &err, &again);
    if (!good)
        fprintf(stderr, "%s\n", err.text);
    text_release(&text);
    text_release(&again);
    arena_destroy(arena);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct kind *const kinds[] = {&import_kind, &pose_kind};
    for (int i = 0; argc > 2 && i < 2; i++)
        if (strcmp(argv[2], kinds[i]->name) == 0)
            return strcmp(argv[1], "print") == 0 ? print(kinds[i]) : read_stdin(kinds[i]);
    fputs("usage: evidence_file print|read import.json|pose.json\n", stderr);
    return 2;
}
