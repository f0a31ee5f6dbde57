#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/selftest.h"

static enum exit_code run_version(const struct operands *operands, struct error *err)
{
    (void)operands, (void)err;
    const struct selftest_result *gl = selftest_run(BACKEND_AUTO);
    printf("rigproof %s\nAssimp %s\n", RIGPROOF_VERSION, import_library_version());
    for (uint32_t i = 0; i < gl->fingerprint.count; i++)
        if (strcmp(gl->fingerprint.entries[i].name, "mesa") == 0)
            printf("Mesa %s (%s, %s)\n", gl->fingerprint.entries[i].value, gl->info.backend, gl->info.gl_renderer);
    if (!gl->finished)
        puts("Mesa: none that draws; see rigproof doctor");
    arena_destroy(gl->arena);
    return EXIT_CODE_GOOD;
}

const struct command command_version = {
    .name = "version", .operands = "",
    .summary = "versions of rigproof, Assimp and Mesa",
    .about = "Prints the versions of rigproof and of the libraries that it finds here. rigproof --version is one line without Mesa.",
    .run = run_version,
};
