/* Prints the sample of import.json or pose.json, which has every member, for tests/schemas.sh. */
#include <stdio.h>
#include <string.h>

#include "data/sample_evidence.h"

int main(int argc, char **argv)
{
    static const struct kind *const kinds[] = {&import_kind, &pose_kind};
    for (int i = 0; argc > 1 && i < 2; i++) {
        struct text text = {0};
        if (strcmp(argv[1], kinds[i]->name) != 0)
            continue;
        kinds[i]->write(&text);
        fputs(text_string(&text), stdout);
        text_release(&text);
        return 0;
    }
    fputs("usage: print_evidence import.json | pose.json\n", stderr);
    return 2;
}
