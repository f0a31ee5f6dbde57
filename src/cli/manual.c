#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "cli/command.h"
#include "draw/gl/environment.h"

/*
 * The manual's files, already in roff: what a page of a command and the overview say, in which lines @PIECE@ stand for
 * what is made of the tables of commands and options. Items are of this version; no clock is asked.
 */
EMBEDDED(manual);
enum { PAGE_OF_COMMAND, OVERVIEW, EXIT_STATUS, EXAMPLES, SEE_ALSO };

/*
 * A text in roff's alphabet, not to be taken for a request, between what is roff already; `word` is set in bold. Lines
 * of a paragraph are broken where they get long.
 */
static void put_text(const char *before, const char *text, const char *after, bool breaks)
{
    enum { LONG = 60 };
    bool bold = false;
    fputs(before, stdout);
    for (const char *c = text, *line = text; *c; c++) {
        const bool breaks_here = *c == '\n' || (*c == ' ' && breaks && c - line >= LONG);
        if (*c == '.' && c == line)
            fputs("\\&", stdout);
        if (breaks_here)
            line = c + 1;
        switch (breaks_here ? '\n' : *c) {
        case '-': fputs("\\-", stdout); break;
        case '\\': fputs("\\e", stdout); break;
        case '\'': fputs("\\(aq", stdout); break;
        case '^': fputs("\\(ha", stdout); break;
        case '~': fputs("\\(ti", stdout); break;
        case '\n': putchar(breaks ? '\n' : ' '); break;
        case '`': fputs((bold = !bold) ? "\\fB" : "\\fR", stdout); break;
        default: putchar(*c);
        }
    }
    fputs(after, stdout);
}

static void put(const char *before, const char *text, const char *after)
{
    put_text(before, text, after, false);
}

static void put_line(const char *text)
{
    put_text("", text, "\n", true);
}

static void put_item(const char *name, const char *text)
{
    put(".TP\n.B ", name, "\n");
    put_line(text);
}

static void put_option(const struct setting *option)
{
    fputs(".TP\n", stdout);
    if (option->letter)
        printf("\\fB\\-%c\\fR, ", option->letter);
    put("\\fB\\-\\-", option->name, "\\fR");
    if (option->value_name)
        put(option_may_stand_alone(option) ? "\\fI" : " \\fI", option->value_name, "\\fR");
    put_text("\n", option->help, "\n", true);
}

/* ---- pieces, of a command or, where it is NULL, of the overview -------------------------------------------------- */

/* A line of `.TH`, then NAME: "rigproof-check \- run cases, ..." */
static void put_title(const struct command *command)
{
    char name[64] = "rigproof";
    if (command)
        snprintf(name, sizeof name, "rigproof-%s", command->name);
    fputs(".TH ", stdout);
    for (const char *c = name; *c; c++)
        putchar(*c == '-' ? '-' : toupper((unsigned char)*c));
    puts(" 1 \"\" \"rigproof " RIGPROOF_VERSION "\" \"User Commands\"");
    put(".SH NAME\n", name, " \\- ");
    put_line(command ? command->summary : "headless render and regression-test harness for skeletal animation");
    puts(".SH SYNOPSIS");
}

static void put_usage(const struct command *command)
{
    printf(".B rigproof %s\n", command->name);
    if (*command->operands)
        put("\\fI", command->operands, "\\fR ");
    puts("[options]");
}

static void put_usages(const struct command *command)
{
    (void)command;
    for (size_t i = 0; i < command_count; i++) {
        fputs(i ? ".br\n" : "", stdout);
        put_usage(commands[i]);
    }
}

static void put_about(const struct command *command)
{
    put_line(command->about);
}

/* The names that --repair and --assimp-flags may have. */
static void put_import_names(void)
{
    const char *name, *what;
    puts(".SS repairs");
    for (unsigned i = 0; repair_describe(i, &name, &what); i++)
        put_item(name, what);
    SCOPED(text) steps = {0};
    assimp_flags_describe(UINT32_MAX, &steps);
    puts(".SS steps of \\-\\-assimp\\-flags");
    for (const char *step = strtok(steps.data, ","); step; step = strtok(NULL, ","))
        put("", step, ",\n");
    put_line("and for several at once `realtime-fast`, `realtime-quality`, `realtime-max-quality`.");
}

static void put_options(const struct command *command)
{
    const struct setting *option;
    const char *title = NULL;
    for (size_t i = 0; i < command->option_count; i++)
        put_option(&command->options[i]);
    put_option(&(struct setting){.name = "help", .letter = 'h', .help = "explain the command"});
    for (size_t i = command->option_count; (option = command_option(command, i)); i++) {
        if (option_title(command, i) != title)
            printf(".SS %s\n", title = option_title(command, i));
        put_option(option);
    }
    if (command->setting_groups & SETTING_IMPORT)
        put_import_names();
}

static void put_commands(const struct command *command)
{
    (void)command;
    for (size_t i = 0; i < command_count; i++) {
        put(".TP\n.BR rigproof\\-", commands[i]->name, " (1)\n");
        put_line(commands[i]->summary);
    }
}

static void put_settings_of_no_suite(const struct command *command)
{
    const char *mark = "";
    (void)command;
    for (size_t i = 0; i < setting_count; i++)
        if (setting_table[i].not_in_suite) {
            fputs(mark, stdout);
            put(".B \\-\\-", setting_table[i].name, "");
            mark = ",\n";
        }
    puts("");
}

static void put_exit_status(const struct command *command)
{
    (void)command;
    fputs(manuals[EXIT_STATUS].text, stdout);
}

static void put_variables(const struct command *command)
{
    (void)command;
    for (size_t i = 0; i < environment_rule_count; i++) {
        const struct environment_rule *rule = &environment_rules[i];
        printf(".TP\n.B %s\n", rule->name);
        put(rule->value ? "Set to " : "Unset", rule->value ? rule->value : "",
            rule->action == ENVIRONMENT_DEFAULT ? " unless it is set: " : ": ");
        put_line(rule->why);
    }
}

static void put_examples(const struct command *command)
{
    char begin[64];
    const int length = snprintf(begin, sizeof begin, "rigproof %s ", command ? command->name : "");
    const char *before = ".SH EXAMPLES\n.nf\n", *after = "";
    for (const char *line = manuals[EXAMPLES].text, *next; *line; line = next) {
        next = strchr(line, '\n') + 1;
        if (command && strncmp(line, begin, (size_t)length) != 0)
            continue;
        printf("%s%.*s", before, (int)(next - line), line);
        before = "", after = ".fi\n";
    }
    fputs(after, stdout);
}

static void put_see_also(const struct command *command)
{
    puts(command ? ".SH SEE ALSO\n.BR rigproof (1)," : ".SH SEE ALSO");
    for (size_t i = 0; i < command_count; i++)
        if (commands[i] != command)
            put(".BR rigproof\\-", commands[i]->name, " (1),\n");
    fputs(manuals[SEE_ALSO].text, stdout);
}

static const struct {
    const char *line;
    void (*put)(const struct command *command);
} pieces[] = {
    {"@TITLE@\n", put_title},
    {"@USAGE@\n", put_usage},
    {"@USAGES@\n", put_usages},
    {"@ABOUT@\n", put_about},
    {"@OPTIONS@\n", put_options},
    {"@COMMANDS@\n", put_commands},
    {"@SETTINGS OF NO SUITE@\n", put_settings_of_no_suite},
    {"@EXIT STATUS@\n", put_exit_status},
    {"@VARIABLES OF MESA@\n", put_variables},
    {"@EXAMPLES@\n", put_examples},
    {"@SEE ALSO@\n", put_see_also},
};
enum { PIECES = sizeof pieces / sizeof pieces[0] };

void manual_print(const struct command *command)
{
    for (const char *line = manuals[command ? PAGE_OF_COMMAND : OVERVIEW].text, *next; *line; line = next) {
        size_t i = 0;
        next = strchr(line, '\n') + 1;
        while (i < PIECES && strncmp(line, pieces[i].line, (size_t)(next - line)) != 0)
            i++;
        if (i < PIECES)
            pieces[i].put(command);
        else
            fwrite(line, 1, (size_t)(next - line), stdout);
    }
}
