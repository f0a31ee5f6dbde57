/* help: what a command takes, its manual page, and what completes command lines in a shell. */
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/screen.h"
#include "cli/command.h"

static bool manual;
static int shell = -1;
static const char *const shells[] = {"bash", "fish", "zsh"}; /* in the order of completions[] */

/* Groups of settings in the order in which help and manual have them. */
static const struct {
    unsigned group;
    const char *title;
} groups[] = {{SETTING_CLIP, "pose"}, {SETTING_TIME, "times"}, {SETTING_DRAW, "picture"}, {SETTING_IMPORT, "import"}};
enum { GROUPS = sizeof groups / sizeof groups[0] };

const struct setting *command_option(const struct command *command, size_t index)
{
    if (index < command->option_count)
        return &command->options[index];
    index -= command->option_count;
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < setting_count; i++) {
            const struct setting *setting = &setting_table[i];
            bool is_taken = setting->group == groups[g].group && (setting->group & command->setting_groups) &&
                            !value_find(command->options, command->option_count, setting->name, strlen(setting->name));
            if (is_taken && index-- == 0)
                return setting;
        }
    return NULL;
}

const char *option_title(const struct command *command, size_t index)
{
    const char *title = NULL;
    for (size_t g = 0; index >= command->option_count && g < GROUPS; g++)
        title = command_option(command, index)->group == groups[g].group ? groups[g].title : title;
    return title;
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

/* A screen, where the terminal does not say what it has. */
enum { SCREEN_ROWS = 24, SCREEN_COLUMNS = 80, LEAST_COLUMNS = 40 };

static void print(const char *text, FILE *out)
{
    const unsigned columns = terminal_size(out).columns;
    SCOPED(text) wrapped = {0};
    text_add_wrapped(&wrapped, text, columns >= LEAST_COLUMNS ? columns : SCREEN_COLUMNS, 0);
    fputs(text_string(&wrapped), out);
}

void help_usage(FILE *out)
{
    SCOPED(text) text = {0};
    text_add(&text, "usage: rigproof COMMAND ...  (COMMAND --help explains one, --help all: all)\n");
    for (size_t i = 0; i < command_count; i++)
        text_addf(&text, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    print(text_string(&text), out);
}

/* Lines of the source are of no concern here. */
static void add_joined(struct text *out, const char *lines)
{
    for (const char *c = lines; *c; c++)
        text_add_bytes(out, *c == '\n' ? " " : c, 1);
}

size_t help_brief_length(const char *help)
{
    size_t end = strcspn(help, ";(");
    return end - (end > 0 && help[end - 1] == ' ');
}

/* "  -o, --output OUT.png      what it is". A brief explanation is the beginning of the whole that fits a line. */
static void add_option(struct text *out, const struct setting *option, bool is_brief)
{
    enum { COLUMN = 30, BRIEF = SCREEN_COLUMNS - COLUMN }; /* where explanations begin */
    const char *value = option->value_name ? option->value_name : "";
    SCOPED(text) left = {0}, help = {0};
    if (option->letter)
        text_addf(&left, "  -%c, ", option->letter);
    text_addf(&left, "%s--%s%s", option->letter ? "" : "      ", option->name,
              option->value_name && !option_may_stand_alone(option) ? " " : "");
    const size_t room = left.size < COLUMN - 6 ? COLUMN - 6 - left.size : 0;
    if (is_brief && strlen(value) > room + 4)
        text_addf(&left, "%.*s...", (int)room, value);
    else
        text_add(&left, value);
    text_addf(out, "%-*s", COLUMN, text_string(&left));
    if (left.size >= COLUMN)
        text_addf(out, "\n%*s", COLUMN, "");
    add_joined(&help, option->help);
    size_t length = is_brief ? help_brief_length(help.data) : help.size, part = 0;
    for (size_t i = 0; is_brief && length > BRIEF && i <= BRIEF; i++) /* up to where a part ends, else whole words */
        part = strchr(",:", help.data[i]) && help.data[i + 1] == ' ' ? i : part;
    for (size_t i = 0; is_brief && length > BRIEF && part == 0 && i <= BRIEF - 4; i++)
        length = help.data[i + 1] == ' ' && i + 5 > BRIEF - 12 ? i + 1 : length;
    text_addf(out, "%.*s\n", (int)(part > 0 ? part : length), help.data);
}

static const struct setting help_option = {
    .name = "help", .letter = 'h', .help = "this text; --help all explains every option"};

/* With all of what is said about it, or the first sentence. */
static void add_usage(struct text *out, const struct command *command, bool is_whole)
{
    const char *end = is_whole ? NULL : strpbrk(command->about, ".");
    while (end && end[1] != ' ' && end[1] != '\n')
        end = strpbrk(end + 1, ".");
    text_addf(out, "usage: rigproof %s%s%s [options]\n\n", command->name, *command->operands ? " " : "",
              command->operands);
    const size_t start = out->size;
    add_joined(out, command->about);
    if (end) {
        out->size = start + (size_t)(end - command->about) + 1;
        out->data[out->size] = '\0';
    }
    text_add(out, "\n\n");
}

static void add_whole(struct text *out, const struct command *command)
{
    const struct setting *option;
    const char *name, *what, *title = NULL;
    add_usage(out, command, true);
    text_add(out, "options\n");
    for (size_t i = 0; i < command->option_count; i++)
        add_option(out, &command->options[i], false);
    add_option(out, &help_option, false);
    for (size_t i = command->option_count; (option = command_option(command, i)); i++) {
        if (option_title(command, i) != title)
            text_addf(out, "\n%s\n", title = option_title(command, i));
        add_option(out, option, false);
    }
    if (command->setting_groups & SETTING_IMPORT)
        text_add(out, "\nrepairs\n");
    for (unsigned i = 0; (command->setting_groups & SETTING_IMPORT) && repair_describe(i, &name, &what); i++)
        text_addf(out, "  %-27s %s\n", name, what);
}

/* The first options with what they do, the others by name, group by group. */
static void add_part(struct text *out, const struct command *command, size_t explained)
{
    const struct setting *option;
    const char *title = NULL;
    add_usage(out, command, false);
    for (size_t i = 0; i < explained; i++)
        add_option(out, &command->options[i], true);
    if (explained == command->option_count)
        add_option(out, &help_option, true);
    for (size_t i = explained; (option = command_option(command, i)); i++) {
        const char *before = title;
        title = option_title(command, i) ? option_title(command, i) : "others";
        if (before != title)
            text_addf(out, "%s  %-9s", before ? "\n" : "", title);
        text_addf(out, " --%s", option->name);
    }
    text_addf(out, title ? "\n\nrigproof %s --help all explains them all.\n" : "", command->name);
}

/* As many options are explained as fit a screen. */
static void add_screen(struct text *out, const struct command *command)
{
    size_t lines = SCREEN_ROWS + 1;
    for (size_t explained = command->option_count + 1; lines > SCREEN_ROWS && explained-- > 0;) {
        SCOPED(text) part = {0};
        out->size = lines = 0;
        add_part(&part, command, explained);
        text_add_wrapped(out, text_string(&part), SCREEN_COLUMNS, 0);
        for (const char *c = out->data; *c; c++)
            lines += *c == '\n';
    }
}

void help_print(const struct command *command, bool is_whole)
{
    SCOPED(text) text = {0};
    (is_whole ? add_whole : add_screen)(&text, command);
    print(text_string(&text), stdout);
}

static void help_print_all(void)
{
    help_usage(stdout);
    print("rigproof help --man prints the manual page. Exit codes: 0 good, 1 something differs or failed, 2 wrong "
          "usage, unreadable input or a limit reached, 3 no usable GL context.\n",
          stdout);
    for (size_t i = 0; i < command_count; i++) {
        puts("");
        help_print(commands[i], true);
    }
}

static const struct setting options[] = {
    {"man", NULL, "the manual page of rigproof, or that of the command: rigproof help --man check | man -l -", 0,
     &value_flag, VALUE_OF(manual)},
    {"completion", "bash|fish|zsh", "a script that completes command lines in that shell", 0,
     &value_word, VALUE_OF(shell), VALUE_WORDS(shells)},
};

static enum exit_code run_help(const struct operands *operands, struct error *err)
{
    const bool is_whole = operands->count > 0 && strcmp(operands->items[operands->count - 1], "all") == 0;
    const struct command *command = operands->count > is_whole ? command_find(operands->items[0], err) : NULL;
    if (error_is_set(err))
        return EXIT_CODE_USAGE;
    if (operands->count == 2 && !is_whole)
        error_set(err, "help: `%s` is not `all`, which explains every option", operands->items[1]);
    else if (shell >= 0 && (manual || operands->count > 0))
        error_set(err, "help: --completion is for all commands: leave the others out");
    else if (shell >= 0)
        completion_print((unsigned)shell);
    else if (manual)
        manual_print(command);
    else if (command)
        help_print(command, is_whole);
    else if (is_whole)
        help_print_all();
    else
        help_usage(stdout);
    return EXIT_CODE_GOOD;
}

const struct command command_help = {
    .name = "help", .operands = "[COMMAND] [all]", .summary = "explain a command; the manual; completions for shells",
    .about = "Explains a command as its --help does, in a screen or with `all` every option, or lists the commands. "
             "With --man it is\na manual page in roff, with --completion a script for a shell, which packages install "
             "where the shell looks for it.",
    COMMAND_OPTIONS(options), .operand_most = 2, .run = run_help,
};
