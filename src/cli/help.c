#include "cli/help.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN = 36 }; /* where explanations begin */

const char *help_group_title(unsigned group)
{
    switch (group) {
    case SETTING_CLIP: return "pose";
    case SETTING_TIME: return "times";
    case SETTING_DRAW: return "picture";
    default: return "import";
    }
}

static void print_option(const struct option_text *option)
{
    char left[128];
    char dash[8] = "    ";
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

static void print_repairs(void)
{
    const char *name, *what;
    printf("\nrepairs\n");
    for (unsigned i = 0; repair_describe(i, &name, &what); i++)
        printf("  %-34s%s\n", name, what);
}

void help_print(const struct command *command)
{
    struct option_text option;
    size_t i = 0;
    printf("usage: rigproof %s%s%s [options]\n\n%s\n\noptions\n", command->name, *command->operands ? " " : "",
           command->operands, command->about);
    for (; option_text(command, i, &option) && !option.group; i++)
        print_option(&option);
    print_option(&(struct option_text){'h', "help", NULL, "this text", 0});
    for (unsigned group = 0; option_text(command, i, &option); i++) {
        if (option.group != group)
            printf("\n%s\n", help_group_title(option.group));
        group = option.group;
        print_option(&option);
    }
    if (command->setting_groups & SETTING_IMPORT)
        print_repairs();
}
