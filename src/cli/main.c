#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/names.h"
#include "base/temporaries.h"
#include "cli/command.h"
#include "import/import.h"

const struct command command_table[] = {
    {"inspect", "MODEL", "what is in the file: nodes, bones, clips, influences, repairs, warnings", cmd_inspect},
    {"render", "MODEL -o OUT.png", "one frame, or a sequence: -o 'walk_{frame:04}.png'", cmd_render},
    {"turntable", "MODEL -o 'turn_{frame:04}.png'", "a full circle around the model", cmd_turntable},
    {"dump", "MODEL --time T", "palette and pose at a timestamp or many: text, json, jsonl, csv or obj", cmd_dump},
    {"check", "SUITE.yaml", "run cases, compare every stage with its golden, report", cmd_check},
    {"accept", "SUITE.yaml", "make the current results the goldens", cmd_accept},
    {"diff", "A B", "two PNGs, two pose files, two case folders or two trees of goldens", cmd_diff},
    {"report", "RESULTS.json...", "the reports of a run anew, or of its shards together", cmd_report},
    {"doctor", "", "GL backend, renderer, versions, determinism self-test", cmd_doctor},
};
const unsigned command_count = sizeof command_table / sizeof command_table[0];

static void print_usage(FILE *out)
{
    fputs("usage: rigproof COMMAND ...\n\nRenders rigged models without a display, shows every stage's numbers, and compares them with goldens.\n\n", out);
    for (unsigned i = 0; i < command_count; i++)
        fprintf(out, "  %-10s %-32s %s\n", command_table[i].name, command_table[i].operands, command_table[i].summary);
    fputs("\nrigproof COMMAND --help explains a command. Exit codes: 0 good, 1 something differs or failed,\n"
          "2 usage, unreadable input or a limit reached, 3 no usable GL context.\n", out);
}

static const struct command *find_command(const char *name)
{
    for (unsigned i = 0; i < command_count; i++)
        if (strcmp(command_table[i].name, name) == 0)
            return &command_table[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[sizeof command_table / sizeof command_table[0]];
    for (unsigned i = 0; i < command_count; i++)
        names[i] = command_table[i].name;
    const char *near = name_nearest(name, names, command_count);
    if (near)
        log_error("no command `%s`; did you mean `%s`?", name, near);
    else
        log_error("no command `%s`; see rigproof --help", name);
    return EXIT_CODE_USAGE;
}

/*
 * A standard stream that the caller closed gets a place holder: otherwise the next file that a library opens would be
 * number 1, and a picture for stdout would be written into it. Writing to a read-only stdout fails as it should.
 */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd < 3; fd++)
        while (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 1 ? O_RDONLY : O_RDWR) >= 0)
            ;
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    temporaries_catch_signals();
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_CODE_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("rigproof %s (Assimp %s)\n", RIGPROOF_VERSION, import_library_version());
        return EXIT_CODE_GOOD;
    }
    bool wants_help = strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (wants_help && argc == 2) {
        print_usage(stdout);
        return EXIT_CODE_GOOD;
    }
    char help_option[] = "--help";
    char *help_of[] = {argv[0], wants_help ? argv[2] : NULL, help_option, NULL};
    if (wants_help) { /* `help render` is `render --help` */
        argv = help_of;
        argc = 3;
    }
    const struct command *command = find_command(argv[1]);
    if (!command)
        return unknown_command(argv[1]);
    struct error err = {0};
    enum exit_code code = command->run(argc - 1, argv + 1, &err);
    if (error_is_set(&err)) {
        log_error("%s", err.text);
        code = err.exit_code;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (!error_is_set(&err))
            log_error("cannot write to stdout");
        return EXIT_CODE_USAGE;
    }
    return (int)code;
}
