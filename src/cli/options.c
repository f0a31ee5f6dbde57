/* The command line of a command: its own options, the settings it takes, its operands; and --help. */
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "cli/command.h"

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

/* ---- help ------------------------------------------------------------------------------------------------------ */

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

/* ---- parsing --------------------------------------------------------------------------------------------------- */

/* argv[*at] is --name, --name VALUE, --name=VALUE, -x, -x VALUE or -xVALUE. */
static bool take(const struct command *command, int argc, char **argv, int *at, struct error *err)
{
    enum { MOST = 128 };
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
            return error_set(err, "%s: no option --%s; did you mean --%s?", command->name, copy, near);
        return error_set(err, "%s: no option %s%s; see rigproof %s --help", command->name, is_long ? "--" : "",
                         is_long ? copy : argv[*at], command->name);
    }
    if (!option->value_name && attached)
        return error_set(err, "--%s takes no value", option->name);
    if (option->value_name && !attached && *at + 1 >= argc)
        return error_set(err, "--%s wants a value", option->name);
    if (option->value_name)
        value.text = attached ? attached : argv[++*at];
    return value_read(&source, option, command->settings, &value);
}

enum parse_result options_parse(const struct command *command, int argc, char **argv, struct option_list *operands,
                                struct error *err)
{
    bool only_operands = false;
    for (int at = 1; at < argc; at++) {
        const char *text = argv[at];
        bool good = true;
        if (only_operands || text[0] != '-' || text[1] == '\0') {
            if (operands->count >= command->operand_most)
                good = error_set(err, "%s: one operand too many: `%s`; usage: rigproof %s %s", command->name, text,
                                 command->name, command->operands);
            else
                operands->items[operands->count++] = text;
        } else if (strcmp(text, "--") == 0)
            only_operands = true;
        else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            help_print(command);
            return PARSE_HELP;
        } else
            good = take(command, argc, argv, &at, err);
        if (!good)
            return PARSE_ERROR;
    }
    if (operands->count >= command->operand_least)
        return PARSE_GO;
    error_set(err, "%s: something is missing; usage: rigproof %s %s", command->name, command->name, command->operands);
    return PARSE_ERROR;
}
