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

static bool unknown_option(const struct command *command, const char *name, size_t length, struct error *err)
{
    enum { MOST = 128 };
    const char *names[MOST];
    char copy[64];
    size_t count = 0;
    for (const struct setting *o; count < MOST && (o = command_option(command, count)); count++)
        names[count] = o->name;
    snprintf(copy, sizeof copy, "%.*s", (int)length, name);
    const char *near = name_nearest(copy, names, count);
    if (near)
        return error_set(err, "%s: no option --%s; did you mean --%s?", command->name, copy, near);
    return error_set(err, "%s: no option --%s; see rigproof %s --help", command->name, copy, command->name);
}

/* One argument list being walked through. */
struct walk {
    int argc;
    char **argv;
    int at;
};

/* `attached`: what stands after "=" or the letter; NULL: the next argument is the value. */
static bool take_value(const struct command *command, struct walk *walk, const struct setting *option,
                       const char *attached, struct error *err)
{
    struct value_source source = {.err = err};
    struct tree_node value = {.kind = TREE_TEXT, .text = "true"};
    if (option->value_name) {
        if (!attached && walk->at + 1 >= walk->argc)
            return error_set(err, "--%s wants a value", option->name);
        value.text = attached ? attached : walk->argv[++walk->at];
    } else if (attached)
        return error_set(err, "--%s takes no value", option->name);
    return value_read(&source, option, command->settings, &value);
}

/* --name, --name VALUE or --name=VALUE. */
static bool take_long(const struct command *command, struct walk *walk, struct error *err)
{
    const char *name = walk->argv[walk->at] + 2;
    size_t length = strcspn(name, "=");
    const struct setting *option;
    for (size_t i = 0; (option = command_option(command, i)); i++)
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
            return take_value(command, walk, option, name[length] ? name + length + 1 : NULL, err);
    return unknown_option(command, name, length, err);
}

/* -x, -x VALUE or -xVALUE. */
static bool take_letter(const struct command *command, struct walk *walk, struct error *err)
{
    const char *text = walk->argv[walk->at];
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].letter == text[1])
            return take_value(command, walk, &command->options[i], text[2] ? text + 2 : NULL, err);
    return error_set(err, "%s: no option %s; see rigproof %s --help", command->name, text, command->name);
}

enum parse_result options_parse(const struct command *command, int argc, char **argv, struct option_list *operands,
                                struct error *err)
{
    struct walk walk = {argc, argv, 1};
    bool only_operands = false;
    for (; walk.at < argc; walk.at++) {
        const char *text = argv[walk.at];
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
            good = text[1] == '-' ? take_long(command, &walk, err) : take_letter(command, &walk, err);
        if (!good)
            return PARSE_ERROR;
    }
    if (operands->count >= command->operand_least)
        return PARSE_GO;
    error_set(err, "%s: something is missing; usage: rigproof %s %s", command->name, command->name, command->operands);
    return PARSE_ERROR;
}
