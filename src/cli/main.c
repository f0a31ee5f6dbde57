#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file_writer.h"
#include "base/log.h"
#include "base/names.h"
#include "cli/command.h"

const struct command *const commands[] = {
    &command_inspect, &command_render, &command_turntable, &command_dump,   &command_check,
    &command_accept,  &command_diff,   &command_report,    &command_doctor,
};
const size_t command_count = sizeof commands / sizeof commands[0];

static void print_usage(FILE *out)
{
    fputs("usage: rigproof COMMAND ...\n\nRenders rigged models without a display, shows every stage's numbers, and compares them with goldens.\n\n", out);
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "  %-10s %-32s %s\n", commands[i]->name, commands[i]->operands, commands[i]->summary);
    fputs("\nrigproof COMMAND --help explains a command, rigproof help --man prints the manual page.\n"
          "Exit codes: 0 good, 1 something differs or failed, 2 usage, unreadable input or a limit reached, 3 no usable GL context.\n", out);
}

/* NULL with err set where there is none. */
static const struct command *find_command(const char *name, struct error *err)
{
    const char *names[sizeof commands / sizeof commands[0]];
    for (size_t i = 0; i < command_count; i++) {
        names[i] = commands[i]->name;
        if (strcmp(names[i], name) == 0)
            return commands[i];
    }
    const char *near = name_nearest(name, names, command_count);
    if (near)
        error_set(err, "no command `%s`; did you mean `%s`?", name, near);
    else
        error_set(err, "no command `%s`; see rigproof --help", name);
    return NULL;
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

struct limits command_limits = {.seconds = 3600, .memory_mib = 8192};
static const char *limited_command;

/* Not by stdio: the thread that is stopped may hold its locks. */
static void end_command(enum limit limit)
{
    char line[256];
    int length = limit == LIMIT_MEMORY
                     ? snprintf(line, sizeof line, "error: %s: needs more than %.6g MiB (--memory)\n", limited_command,
                                command_limits.memory_mib)
                     : snprintf(line, sizeof line, "error: %s: not done after %.6g s (--timeout)\n", limited_command,
                                command_limits.seconds);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
    _exit(EXIT_CODE_USAGE);
}

static enum exit_code run_command(const struct command *command, int argc, char **argv, struct error *err)
{
    static struct option_list operands;
    enum exit_code code = EXIT_CODE_GOOD;
    if (command->settings)
        settings_init(command->settings);
    if (command->init)
        command->init();
    limited_command = command->name;
    if (options_parse(command, argc, argv, &operands, err) == PARSE_GO &&
        (!command->is_limited || limits_watch(&command_limits, end_command, err)))
        code = command->run(&operands, err);
    if (command->settings)
        settings_release(command->settings);
    return code;
}

static enum exit_code run(int argc, char **argv, struct error *err)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_CODE_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("rigproof %s (Assimp %s)\n", RIGPROOF_VERSION, import_library_version());
        return EXIT_CODE_GOOD;
    }
    bool wants_help = strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    const struct command *command = NULL;
    if (wants_help && argc == 2)
        print_usage(stdout);
    else if (wants_help && strcmp(argv[2], "--man") == 0)
        manual_print();
    else
        command = find_command(argv[wants_help ? 2 : 1], err);
    if (command && !wants_help)
        return run_command(command, argc - 1, argv + 1, err);
    if (command) /* `help render` is `render --help` */
        help_print(command);
    return EXIT_CODE_GOOD;
}

int main(int argc, char **argv)
{
    struct error err = {0};
    hold_standard_streams();
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
    return (int)code;
}
