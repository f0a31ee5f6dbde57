#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file_writer.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/process/process.h"
#include "cli/command.h"

const struct command *const commands[] = {
#define X(name) &command_##name,
    COMMANDS(X)
#undef X
};
const size_t command_count = sizeof commands / sizeof commands[0];

/* argv[*at] is --name, --name VALUE, --name=VALUE, -x, -x VALUE or -xVALUE. */
static bool take(const struct command *command, int argc, char **argv, int *at, struct error *err)
{
    enum { MOST = 128 };
    static const char *given[MOST];
    const char *names[MOST];
    const bool is_long = argv[*at][1] == '-';
    const char *name = argv[*at] + 1 + is_long;
    const size_t length = is_long ? strcspn(name, "=") : 1;
    const char *attached = name[length] ? name + length + is_long : NULL;
    struct value_source source = {.err = err};
    struct tree_node value = {.kind = TREE_TEXT, .text = "true"};
    const struct setting *option;
    size_t i = 0;
    for (; (option = command_option(command, i)); i++) {
        if (is_long ? strlen(option->name) == length && strncmp(option->name, name, length) == 0
                    : option->letter == *name)
            break;
        names[i < MOST ? i : MOST - 1] = option->name;
    }
    if (!option) {
        char copy[64];
        snprintf(copy, sizeof copy, "%.*s", (int)length, name);
        const char *near = is_long ? name_nearest(copy, names, i < MOST ? i : MOST) : NULL;
        if (near)
            return error_set(err, "%s: unknown option --%s; did you mean --%s?", command->name, copy, near);
        return error_set(err, "%s: unknown option %s%s; see rigproof %s --help", command->name, is_long ? "--" : "",
                         is_long ? copy : argv[*at], command->name);
    }
    if (!option->value_name && attached)
        return error_set(err, "--%s takes no value", option->name);
    const bool may_stand_alone = option_may_stand_alone(option);
    if (option->value_name && !attached && !may_stand_alone && *at + 1 >= argc)
        return error_set(err, "--%s needs a value", option->name);
    if (option->value_name)
        value.text = attached ? attached : may_stand_alone ? option->also : argv[++*at];
    const char *before = i < MOST && !value_is_repeatable(option) ? given[i] : NULL;
    if (before && strcmp(before, value.text) != 0)
        return error_set(err, "--%s %s and --%s %s: only one of them may be given", option->name, before, option->name,
                         value.text);
    if (i < MOST)
        given[i] = value.text;
    return before || value_read(&source, option, command->settings, &value);
}

/* False when there is nothing to run: help was printed to stdout, or err is set. */
static bool parse(const struct command *command, int argc, char **argv, struct operands *operands, struct error *err)
{
    bool only_operands = false, good = true;
    for (int at = 1; good && at < argc; at++) {
        const char *text = argv[at];
        if (!only_operands && strcmp(text, "--") == 0)
            only_operands = true;
        else if (!only_operands && (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)) {
            help_print(command, at + 1 < argc && strcmp(argv[at + 1], "all") == 0);
            return false;
        } else if (!only_operands && text[0] == '-' && text[1] != '\0')
            good = take(command, argc, argv, &at, err);
        else if (operands->count < command->operand_most)
            operands->items[operands->count++] = text;
        else
            good = error_set(err, "%s: unexpected argument `%s`; usage: rigproof %s %s", command->name, text,
                             command->name, command->operands);
    }
    if (good && operands->count < command->operand_least) { /* the first words of the usage are the operands */
        const char *word = command->operands;
        for (size_t i = 0; i < operands->count; i++)
            word = strchr(word, ' ') + 1;
        good = error_set(err, "%s: %.*s is missing; usage: rigproof %s %s", command->name, (int)strcspn(word, " ."),
                         word, command->name, command->operands);
    }
    return good;
}

struct limits command_limits = {.seconds = 3600, .memory_mib = 8192};
static const char *limited_command;

/* Not by stdio: the thread that is stopped may hold its locks. */
static void end_command(enum limit limit)
{
    char line[256];
    int length = limit == LIMIT_MEMORY
                     ? snprintf(line, sizeof line, "error: %s: needs more than %.6g MiB (--memory)\n", limited_command,
                                command_limits.memory_mib)
                     : snprintf(line, sizeof line, "error: %s: not finished after %.6g s (--timeout)\n",
                                limited_command, command_limits.seconds);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
    _exit(EXIT_CODE_USAGE);
}

static enum exit_code run(int argc, char **argv, struct error *err)
{
    if (argc < 2) {
        help_usage(stderr);
        return EXIT_CODE_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("rigproof %s (Assimp %s)\n", RIGPROOF_VERSION, import_library_version());
        return EXIT_CODE_GOOD;
    }
    enum exit_code code = EXIT_CODE_GOOD;
    bool wants_help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    const struct command *command = wants_help ? &command_help : command_find(argv[1], err);
    if (!command)
        return EXIT_CODE_USAGE;
    struct operands operands = {memory_new((size_t)argc, sizeof *operands.items), 0};
    if (command->settings)
        settings_init(command->settings);
    if (command->init)
        command->init();
    limited_command = command->name;
    if (parse(command, argc - 1, argv + 1, &operands, err) &&
        (!command->is_limited || limits_watch(&command_limits, end_command, err)))
        code = command->run(&operands, err);
    if (command->settings)
        settings_release(command->settings);
    free(operands.items);
    return code;
}

int main(int argc, char **argv)
{
    struct error err = {0};
    memory_exit_with(EXIT_CODE_USAGE);
    /*
     * A standard stream that the caller closed gets a place holder: otherwise the next file that a library opens would
     * be number 1, and a picture for stdout would be written into it. Writing to a read-only stdout fails as it
     * should.
     */
    for (int fd = 0; fd < 3; fd++)
        while (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 1 ? O_RDONLY : O_RDWR) >= 0)
            ;
    temporaries_catch_signals();
    enum exit_code code = run(argc, argv, &err);
    if (error_is_set(&err)) {
        log_error("%s", err.text);
        code = err.exit_code;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (!error_is_set(&err))
            log_error("cannot write to stdout");
        return EXIT_CODE_USAGE;
    }
#ifndef RIGPROOF_SANITIZE /* leaks are looked for at the end */
    child_end((int)code); /* unmapping Mesa and LLVM in good order takes as long as a small picture */
#endif
    return (int)code;
}
