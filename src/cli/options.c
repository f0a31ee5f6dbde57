#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/names.h"
#include "cli/command.h"
#include "cli/help.h"

static const struct option *find_option(const struct command *command, const char *name, size_t length)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (strlen(command->options[i].name) == length && strncmp(command->options[i].name, name, length) == 0)
            return &command->options[i];
    return NULL;
}

static bool takes_setting(const struct command *command, const struct setting *setting)
{
    return (setting->group & command->setting_groups) && !find_option(command, setting->name, strlen(setting->name));
}

const unsigned setting_groups[SETTING_GROUP_COUNT] = {SETTING_CLIP, SETTING_TIME, SETTING_DRAW, SETTING_IMPORT};

bool option_text(const struct command *command, size_t index, struct option_text *out)
{
    if (index < command->option_count) {
        const struct option *option = &command->options[index];
        *out = (struct option_text){option->letter, option->name, option->value_name, option->help, 0};
        return true;
    }
    index -= command->option_count;
    for (size_t g = 0; g < SETTING_GROUP_COUNT; g++)
        for (size_t i = 0; i < setting_count; i++) {
            const struct setting *setting = &setting_table[i];
            if (setting->group != setting_groups[g] || !takes_setting(command, setting) || index-- > 0)
                continue;
            *out = (struct option_text){'\0', setting->name, setting->value_name, setting->help, setting_groups[g]};
            return true;
        }
    return false;
}

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

static bool unknown_option(const struct command *command, const char *name, int length, struct error *err)
{
    const char *names[128];
    struct option_text option;
    size_t count = 0;
    char copy[64];
    snprintf(copy, sizeof copy, "%.*s", length, name);
    while (count < sizeof names / sizeof names[0] && option_text(command, count, &option))
        names[count++] = option.name;
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
static bool take_long(const struct command *command, struct walk *walk, struct error *err)
{
    const char *name = walk->argv[walk->at] + 2;
    size_t length = strcspn(name, "=");
    const char *attached = name[length] == '=' ? name + length + 1 : NULL;
    const struct option *option = find_option(command, name, length);
    const struct setting *setting = NULL;
    for (size_t i = 0; !option && !setting && i < setting_count; i++)
        if (takes_setting(command, &setting_table[i]) && strlen(setting_table[i].name) == length &&
            strncmp(setting_table[i].name, name, length) == 0)
            setting = &setting_table[i];
    if (!option && !setting)
        return unknown_option(command, name, (int)length, err);
    const char *full = option ? option->name : setting->name;
    bool flag = option ? option->kind == OPTION_FLAG : setting->value_name == NULL;
    if (flag && attached)
        return error_set(err, "--%s takes no value", full);
    const char *value = flag ? "" : next_value(walk, attached, full, err);
    if (!value)
        return false;
    return option ? set_option(option, value, err) : setting->set(command->settings, value, err);
}

static bool take_letter(const struct command *command, struct walk *walk, struct error *err)
{
    const char *text = walk->argv[walk->at];
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        if (option->letter != text[1])
            continue;
        if (option->kind == OPTION_FLAG && text[2] == '\0')
            return set_option(option, "", err);
        const char *value = next_value(walk, text[2] ? text + 2 : NULL, option->name, err);
        return value && set_option(option, value, err);
    }
    return error_set(err, "%s: no option %s; see rigproof %s --help", command->name, text, command->name);
}

static bool take_operand(const struct command *command, const char *text, struct option_list *operands, struct error *err)
{
    if (operands->count >= command->operand_most)
        return error_set(err, "%s: one operand too many: `%s`; usage: rigproof %s %s", command->name, text, command->name,
                         command->operands);
    operands->items[operands->count++] = text;
    return true;
}

enum parse_result options_parse(const struct command *command, int argc, char **argv, struct option_list *operands,
                                struct error *err)
{
    struct walk walk = {argc, argv, 1};
    bool only_operands = false;
    for (; walk.at < argc; walk.at++) {
        const char *text = argv[walk.at];
        bool good = true;
        if (only_operands || text[0] != '-' || text[1] == '\0')
            good = take_operand(command, text, operands, err);
        else if (strcmp(text, "--") == 0)
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
