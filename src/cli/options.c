#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/names.h"

/* ---- help ---------------------------------------------------------------------------------------------------- */

static void print_option(char letter, const char *name, const char *value_name, const char *help)
{
    enum { COLUMN = 36 };
    char left[128];
    char dash[8] = "    ";
    if (letter)
        snprintf(dash, sizeof dash, "-%c, ", letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", dash, name, value_name ? " " : "", value_name ? value_name : "");
    if (strlen(left) >= COLUMN)
        printf("%s\n%*s%s\n", left, COLUMN, "", help);
    else
        printf("%-*s%s\n", COLUMN, left, help);
}

static const struct option *find_option(const struct command_line *line, const char *name, size_t length)
{
    for (size_t i = 0; i < line->option_count; i++)
        if (strlen(line->options[i].name) == length && strncmp(line->options[i].name, name, length) == 0)
            return &line->options[i];
    return NULL;
}

static bool takes_setting(const struct command_line *line, const struct setting *setting)
{
    return (setting->group & line->setting_groups) && !find_option(line, setting->name, strlen(setting->name));
}

static void print_settings(const struct command_line *line, unsigned group, const char *title)
{
    if (!(line->setting_groups & group))
        return;
    printf("\n%s\n", title);
    for (size_t i = 0; i < setting_count; i++)
        if ((setting_table[i].group & group) && takes_setting(line, &setting_table[i]))
            print_option('\0', setting_table[i].name, setting_table[i].value_name, setting_table[i].help);
}

static void print_repairs(void)
{
    const char *name, *what;
    printf("\nrepairs\n");
    for (unsigned i = 0; repair_describe(i, &name, &what); i++)
        printf("  %-34s%s\n", name, what);
}

static void print_help(const struct command_line *line)
{
    printf("usage: rigproof %s %s [options]\n\n%s\n\noptions\n", line->command, line->operands, line->about);
    for (size_t i = 0; i < line->option_count; i++)
        print_option(line->options[i].letter, line->options[i].name, line->options[i].value_name, line->options[i].help);
    print_option('h', "help", NULL, "this text");
    print_settings(line, SETTING_CLIP, "pose");
    print_settings(line, SETTING_TIME, "times");
    print_settings(line, SETTING_DRAW, "picture");
    print_settings(line, SETTING_IMPORT, "import");
    if (line->setting_groups & SETTING_IMPORT)
        print_repairs();
}

/* ---- parsing ------------------------------------------------------------------------------------------------- */

static bool set_number(const struct option *option, const char *value, struct error *err)
{
    double number = 0;
    bool whole = option->kind == OPTION_COUNT;
    bool has_range = option->least != 0 || option->most != 0;
    double least = option->kind == OPTION_COUNT ? 1 : option->least;
    double most = option->kind == OPTION_COUNT ? 100000 : has_range ? option->most : 1e6;
    if (!decimal_read(value, strlen(value), whole, &number) || number < least || number > most)
        return error_set(err, "--%s: `%s` is not a%s number from %.6g to %.6g", option->name, value,
                         whole ? " whole" : "", least, most);
    if (option->kind == OPTION_COUNT)
        *(long *)option->target = (long)number;
    else
        *(double *)option->target = number;
    return true;
}

static bool add_to_list(const struct option *option, const char *value, struct error *err)
{
    struct option_list *list = option->target;
    if (list->count == OPTION_LIST_MOST)
        return error_set(err, "--%s: at most %d of them", option->name, OPTION_LIST_MOST);
    list->items[list->count++] = value;
    return true;
}

static bool set_option(const struct option *option, const char *value, struct error *err)
{
    if (option->kind == OPTION_FLAG)
        *(bool *)option->target = true;
    else if (option->kind == OPTION_TEXT)
        *(const char **)option->target = value;
    else if (option->kind == OPTION_LIST)
        return add_to_list(option, value, err);
    else
        return set_number(option, value, err);
    return true;
}

static bool unknown_option(const struct command_line *line, const char *name, int length, struct error *err)
{
    const char *names[64];
    size_t count = 0;
    char copy[64];
    snprintf(copy, sizeof copy, "%.*s", length, name);
    for (size_t i = 0; i < line->option_count && count < 64; i++)
        names[count++] = line->options[i].name;
    for (size_t i = 0; i < setting_count && count < 64; i++)
        if (takes_setting(line, &setting_table[i]))
            names[count++] = setting_table[i].name;
    const char *near = name_nearest(copy, names, count);
    if (near)
        return error_set(err, "%s: no option --%s; did you mean --%s?", line->command, copy, near);
    return error_set(err, "%s: no option --%s; see rigproof %s --help", line->command, copy, line->command);
}

/* One argument list being walked through. */
struct walk {
    int argc;
    char **argv;
    int at;
};

static const char *next_value(struct walk *walk, const char *attached, const char *name, struct error *err)
{
    if (attached)
        return attached;
    if (walk->at + 1 < walk->argc)
        return walk->argv[++walk->at];
    error_set(err, "--%s wants a value", name);
    return NULL;
}

/* --name, --name VALUE or --name=VALUE. */
static bool take_long(struct command_line *line, struct walk *walk, struct error *err)
{
    const char *name = walk->argv[walk->at] + 2;
    size_t length = strcspn(name, "=");
    const char *attached = name[length] == '=' ? name + length + 1 : NULL;
    const struct option *option = find_option(line, name, length);
    const struct setting *setting = NULL;
    for (size_t i = 0; !option && !setting && i < setting_count; i++)
        if (takes_setting(line, &setting_table[i]) && strlen(setting_table[i].name) == length &&
            strncmp(setting_table[i].name, name, length) == 0)
            setting = &setting_table[i];
    if (!option && !setting)
        return unknown_option(line, name, (int)length, err);
    const char *full = option ? option->name : setting->name;
    bool flag = option ? option->kind == OPTION_FLAG : setting->value_name == NULL;
    if (flag && attached)
        return error_set(err, "--%s takes no value", full);
    const char *value = flag ? "" : next_value(walk, attached, full, err);
    if (!value)
        return false;
    return option ? set_option(option, value, err) : setting->set(line->settings, value, err);
}

static bool take_letter(struct command_line *line, struct walk *walk, struct error *err)
{
    const char *text = walk->argv[walk->at];
    for (size_t i = 0; i < line->option_count; i++) {
        const struct option *option = &line->options[i];
        if (option->letter != text[1])
            continue;
        if (option->kind == OPTION_FLAG && text[2] == '\0')
            return set_option(option, "", err);
        const char *value = next_value(walk, text[2] ? text + 2 : NULL, option->name, err);
        return value && set_option(option, value, err);
    }
    return error_set(err, "%s: no option %s; see rigproof %s --help", line->command, text, line->command);
}

static bool take_operand(struct command_line *line, const char *text, struct error *err)
{
    if (line->operand_count >= line->operand_most)
        return error_set(err, "%s: one operand too many: `%s`; usage: rigproof %s %s", line->command, text, line->command,
                         line->operands);
    line->operand[line->operand_count++] = text;
    return true;
}

enum parse_result options_parse(struct command_line *line, int argc, char **argv, struct error *err)
{
    struct walk walk = {argc, argv, 1};
    bool only_operands = false;
    for (; walk.at < argc; walk.at++) {
        const char *text = argv[walk.at];
        bool good = true;
        if (only_operands || text[0] != '-' || text[1] == '\0')
            good = take_operand(line, text, err);
        else if (strcmp(text, "--") == 0)
            only_operands = true;
        else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            print_help(line);
            return PARSE_HELP;
        } else
            good = text[1] == '-' ? take_long(line, &walk, err) : take_letter(line, &walk, err);
        if (!good)
            return PARSE_ERROR;
    }
    if (line->operand_count >= line->operand_least)
        return PARSE_GO;
    error_set(err, "%s: something is missing; usage: rigproof %s %s", line->command, line->command, line->operands);
    return PARSE_ERROR;
}
