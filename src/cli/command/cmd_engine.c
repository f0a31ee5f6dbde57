/* engine: other people's engines, to be put under test. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/screen.h"
#include "cli/command.h"
#include "cli/engines.h"

static bool list_engines(struct error *err)
{
    struct arena *arena = arena_require(1 << 20);
    struct text out = {0};
    size_t count;
    const char **names = engines_list(&count, arena, err);
    for (size_t i = 0; names && i < count; i++)
        text_addf(&out, "%-12s%-30s%s\n", names[i], engine_title(names[i], arena),
                  engine_is_installed(names[i]) ? "installed" : "rigproof engine install");
    text_add(&out, names ? "\nrigproof check SUITE.yaml --engine NAME asks one for every case.\n" : "");
    terminal_print(text_string(&out), stdout);
    text_release(&out);
    arena_destroy(arena);
    return names != NULL;
}

static enum exit_code run_engine(const struct operands *operands, struct error *err)
{
    const bool installs = operands->count > 1 && strcmp(operands->items[0], "install") == 0;
    bool good = true;
    if (operands->count == 0)
        good = list_engines(err);
    else if (!installs)
        good = error_set(err, "engine: usage: rigproof engine, or rigproof engine install NAME...");
    for (size_t i = 1; good && i < operands->count; i++) {
        good = engine_install(operands->items[i], err);
        if (good)
            log_note("%s is installed: rigproof check SUITE.yaml --engine %s", operands->items[i], operands->items[i]);
    }
    return good ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

const struct command command_engine = {
    .name = "engine", .operands = "[install NAME...]",
    .summary = "engines that can be put under test: three.js, Babylon, Blender...",
    .about = "Lists the engines that `check --engine NAME` knows, or installs some: from npm into a folder of yours, "
             "or from the\n"
             "distribution's packages, for which it needs root or sudo. Nothing is installed unless this is typed.",
    .operand_most = 16, .run = run_engine,
};
