/* help: what a command takes, its manual page, and what completes command lines in a shell. */
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "cli/command.h"
#include "cli/completion.h"

static bool manual;
static int shell = -1;
static const char *const shells[] = {"bash", "fish", "zsh"}; /* in the order of completions[] */

const struct option_group option_groups[OPTION_GROUPS] = {
    {SETTING_CLIP, "pose"}, {SETTING_TIME, "times"}, {SETTING_DRAW, "picture"}, {SETTING_IMPORT, "import"}};

const struct setting *command_option(const struct command *command, size_t index)
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

const struct command *command_find(const char *name, struct error *err)
{
    enum { MOST = 64 };
    const char *names[MOST];
    for (size_t i = 0; i < command_count && i < MOST; i++) {
        names[i] = commands[i]->name;
        if (strcmp(names[i], name) == 0)
            return commands[i];
    }
    const char *near = name_nearest(name, names, command_count);
    if (near)
        error_set(err, "unknown command `%s`; did you mean `%s`?", name, near);
    else
        error_set(err, "unknown command `%s`; see rigproof --help", name);
    return NULL;
}

void help_usage(FILE *out)
{
    fputs("usage: rigproof COMMAND ...\n\nRenders rigged models without a display, shows every stage's numbers, and compares them with goldens.\n\n", out);
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "  %-10s %-32s %s\n", commands[i]->name, commands[i]->operands, commands[i]->summary);
    fputs("\nrigproof COMMAND --help explains a command, rigproof help --man prints the manual page.\n"
          "Exit codes: 0 good, 1 something differs or failed, 2 wrong usage, unreadable input or a limit reached, 3 no usable GL context.\n", out);
}

static void print_option(const struct setting *option)
{
    enum { COLUMN = 36 }; /* where explanations begin */
    char left[128], dash[8] = "    ";
    if (option->letter)
        snprintf(dash, sizeof dash, "-%c, ", option->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", dash, option->name,
             option->value_name && !option_may_stand_alone(option) ? " " : "",
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

void help_print(const struct command *command)
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

static const struct setting options[] = {
    {"man", NULL, "the manual page of rigproof, or that of the command: rigproof help --man check | man -l -", 0,
     &value_flag, VALUE_OF(manual)},
    {"completion", "bash|fish|zsh", "a script that completes command lines in that shell", 0,
     &value_word, VALUE_OF(shell), VALUE_WORDS(shells)},
};

static enum exit_code run_help(const struct operands *operands, struct error *err)
{
    const struct command *command = operands->count > 0 ? command_find(operands->items[0], err) : NULL;
    if (error_is_set(err))
        return EXIT_CODE_USAGE;
    if (shell >= 0 && (manual || command))
        error_set(err, "help: --completion is for all commands: leave the others out");
    else if (shell >= 0)
        completion_print((unsigned)shell);
    else if (manual)
        manual_print(command);
    else if (command)
        help_print(command);
    else
        help_usage(stdout);
    return EXIT_CODE_GOOD;
}

const struct command command_help = {
    .name = "help", .operands = "[COMMAND]",
    .summary = "explain a command; the manual; completions for shells",
    .about = "Explains a command as its --help does, or lists all. With --man it is a manual page in roff, with --completion\n"
             "a script for a shell, which packages install where the shell looks for it.",
    COMMAND_OPTIONS(options), .operand_most = 1, .run = run_help,
};
