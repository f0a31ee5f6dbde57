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
    &command_inspect, &command_render,   &command_turntable, &command_dump,   &command_init,    &command_check,
    &command_accept,  &command_diff,     &command_diagnose,  &command_report, &command_doctor,  &command_subject,
};
const size_t command_count = sizeof commands / sizeof commands[0];

static void print_usage(FILE *out)
{
    fputs("usage: rigproof COMMAND ...\n\nRenders rigged models without a display, shows every stage's numbers, and compares them with goldens.\n\n", out);
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "  %-10s %-32s %s\n", commands[i]->name, commands[i]->operands, commands[i]->summary);
    fputs("\nrigproof COMMAND --help explains a command, rigproof help --man prints the manual page.\n"
          "Exit codes: 0 good, 1 something differs or failed, 2 wrong usage, unreadable input or a limit reached, 3 no usable GL context.\n", out);
}

const struct option_group option_groups[OPTION_GROUPS] = {
    {SETTING_CLIP, "pose"}, {SETTING_TIME, "times"}, {SETTING_DRAW, "picture"}, {SETTING_IMPORT, "import"}};

/* The options of a command: its own ones, then the settings it takes, group by group. NULL beyond the last. */
static const struct setting *command_option(const struct command *command, size_t index)
{
    if (index < command->option_count)
        return &command->options[index];
    index -= command->option_count;
    for (size_t g = 0; g < OPTION_GROUPS; g++)
        for (size_t i = 0; i < setting_count; i++) {
            const struct setting *setting = &setting_table[i];
            bool is_taken = setting->group == option_groups[g].group && (setting->group & command->setting_groups) &&
                            !value_find(command->options, command->option_count, setting->name, strlen(setting->name));
            if (is_taken && index-- == 0)
                return setting;
        }
    return NULL;
}

static void print_option(const struct setting *option)
{
    enum { COLUMN = 36 }; /* where explanations begin */
    char left[128], dash[8] = "    ";
    if (option->letter)
        snprintf(dash, sizeof dash, "-%c, ", option->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", dash, option->name, option->value_name ? " " : "",
             option->value_name ? option->value_name : "");
    printf("%-*s", COLUMN, left);
    if (strlen(left) >= COLUMN)
        printf("\n%*s", COLUMN, "");
    for (const char *c = option->help; *c; c++)
        if (*c == '\n')
            printf("\n%*s", COLUMN, "");
        else
            putchar(*c);
    putchar('\n');
}

/* `rigproof COMMAND --help`, on stdout. */
static void help_print(const struct command *command)
{
    const struct setting *option;
    const char *name, *what;
    printf("usage: rigproof %s%s%s [options]\n\n%s\n\noptions\n", command->name, *command->operands ? " " : "",
           command->operands, command->about);
    for (size_t i = 0; i < command->option_count; i++)
        print_option(&command->options[i]);
    print_option(&(struct setting){.name = "help", .letter = 'h', .help = "this text"});
    for (size_t i = command->option_count, g = OPTION_GROUPS; (option = command_option(command, i)); i++) {
        if (g == OPTION_GROUPS || option->group != option_groups[g].group) {
            for (g = 0; option->group != option_groups[g].group;)
                g++;
            printf("\n%s\n", option_groups[g].title);
        }
        print_option(option);
    }
    if (command->setting_groups & SETTING_IMPORT)
        printf("\nrepairs\n");
    for (unsigned i = 0; (command->setting_groups & SETTING_IMPORT) && repair_describe(i, &name, &what); i++)
        printf("  %-34s%s\n", name, what);
}

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
        if (is_long ? strlen(option->name) == length && strncmp(option->name, name, length) == 0 : option->letter == *name)
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
    if (option->value_name && !attached && *at + 1 >= argc)
        return error_set(err, "--%s needs a value", option->name);
    if (option->value_name)
        value.text = attached ? attached : argv[++*at];
    const char *before = i < MOST && !value_is_repeatable(option) ? given[i] : NULL;
    if (before && strcmp(before, value.text) != 0)
        return error_set(err, "--%s %s and --%s %s: only one of them may be given", option->name, before, option->name,
                         value.text);
    if (i < MOST)
        given[i] = value.text;
    return before || value_read(&source, option, command->settings, &value);
}

/* False when there is nothing to run: help was printed to stdout, or err is set. */
static bool parse(const struct command *command, int argc, char **argv, struct option_list *operands, struct error *err)
{
    bool only_operands = false, good = true;
    for (int at = 1; good && at < argc; at++) {
        const char *text = argv[at];
        if (!only_operands && strcmp(text, "--") == 0)
            only_operands = true;
        else if (!only_operands && (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)) {
            help_print(command);
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
        good = error_set(err, "%s: %.*s is missing; usage: rigproof %s %s", command->name, (int)strcspn(word, " ."), word,
                         command->name, command->operands);
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
                     : snprintf(line, sizeof line, "error: %s: not finished after %.6g s (--timeout)\n", limited_command,
                                command_limits.seconds);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
    _exit(EXIT_CODE_USAGE);
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
    static struct option_list operands;
    const struct command *command = NULL;
    enum exit_code code = EXIT_CODE_GOOD;
    if (wants_help && argc == 2)
        print_usage(stdout);
    else if (wants_help && strcmp(argv[2], "--man") == 0)
        manual_print();
    else {
        const char *names[sizeof commands / sizeof commands[0]], *name = argv[wants_help ? 2 : 1];
        for (size_t i = 0; i < command_count; i++) {
            names[i] = commands[i]->name;
            command = strcmp(names[i], name) == 0 ? commands[i] : command;
        }
        const char *near = name_nearest(name, names, command_count);
        if (!command && near)
            error_set(err, "unknown command `%s`; did you mean `%s`?", name, near);
        else if (!command)
            error_set(err, "unknown command `%s`; see rigproof --help", name);
        else if (wants_help) /* `help render` is `render --help` */
            help_print(command);
    }
    if (!command || wants_help)
        return EXIT_CODE_GOOD;
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
    return code;
}

int main(int argc, char **argv)
{
    struct error err = {0};
    /*
     * A standard stream that the caller closed gets a place holder: otherwise the next file that a library opens would be
     * number 1, and a picture for stdout would be written into it. Writing to a read-only stdout fails as it should.
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
    return (int)code;
}
