/*
 * A script for bash, fish or zsh. Its table is made of the commands' options, a line each: command, names, what their
 * values are, explanation, with tabs between. The values are
 *
 *     flag                 there is none
 *     words WORD...        one of these; `list WORD...` several with commas between
 *     files EXTENSION...   a file that ends so, without extensions any
 *     folders
 *     cases                names of cases of the suite on the command line, else of the one here
 *     engines              names that `rigproof engine` lists
 *     clips, bones         names of the model on the command line
 *     none                 a number, a time, a name: nothing to offer
 *
 * Operands have the name `*`, a command itself `-`.
 */
#include "cli/command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/text.h"

/* A script for each shell, with a line @TABLE@ where the table of commands belongs. */
EMBEDDED(completion);

/* The meanings of words in usages, the first that fits; the others are numbers, times and names within models. */
static const struct {
    const char *word;
    const char *values;
} placeholders[] = {
    {"NAME...]", "engines"},
    {"MODEL", "files b3d bvh blend dae fbx glb gltf iqm irr irrmesh lwo md2 md3 md5anim md5mesh mdl ms3d ogex smd vrm "
              "x x3d xml"},
    {"SUITE", "files yaml yml"},
    {"RESULTS", "files json"},
    {"A", "files"},
    {"THEIRS", "files"},
    {"FILE", "files"},
    {"OUT", "files"},
    {"RIGPROOF", "files"},
    {"ZIP", "files zip"},
    {"DIR", "folders"},
};

static void add_word(struct text *words, const char *word, size_t length)
{
    text_add(words, " ");
    text_add_bytes(words, word, length);
}

/* Says if a word may be typed: it has no capitals, which stand for something, and no dot of a file's extension. */
static bool is_word(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!islower((unsigned char)text[i]) && !isdigit((unsigned char)text[i]) && text[i] != '-')
            return false;
    return length > 0;
}

/* The words that an option's value may be, each after a blank: of its row, else those that its usage lists. */
static void add_words(const struct setting *option, struct text *words)
{
    const char *name, *what;
    for (size_t i = 0; i < option->word_count; i++)
        if (is_word(option->words[i], strlen(option->words[i])) && strcmp(option->words[i], "weight") != 0)
            add_word(words, option->words[i], strlen(option->words[i]));
    if (strcmp(option->name, "view") == 0)
        text_add(words, " weight:"); /* and a bone of the model, which scripts know by this word */
    if (option->word_count > 0 && option->also)
        add_word(words, option->also, strlen(option->also));
    for (const char *part = option->value_name; option->word_count == 0 && *part;) {
        size_t length = strcspn(part, "|,[=:");
        if (is_word(part, length) && strchr("|,[:", part[length])) /* `even:N` begins with a word */
            add_word(words, part, length + (part[length] == ':'));
        part += length;
        part += strspn(part, "|,[=:");
    }
    for (unsigned i = 0; strcmp(option->name, "repair") == 0 && repair_describe(i, &name, &what); i++)
        add_word(words, name, strlen(name));
    if (strcmp(option->name, "assimp-flags") == 0) {
        size_t start = words->size;
        text_add(words, ",");
        assimp_flags_describe(UINT32_MAX, words);
        text_add(words, ",realtime-fast,realtime-quality,realtime-max-quality");
        for (char *c = words->data + start; c < words->data + words->size; c++)
            *c = *c == ',' ? ' ' : *c;
    }
}

static const char *find_placeholder(const char *usage, const char *without)
{
    for (size_t i = 0; i < sizeof placeholders / sizeof placeholders[0]; i++)
        for (const char *at = usage; *at && strncmp(at, " -", 2) != 0; at++) {
            size_t length = strlen(placeholders[i].word);
            const bool begins =
                (at == usage || !isalpha((unsigned char)at[-1])) && strncmp(at, placeholders[i].word, length) == 0;
            const bool is_range =
                begins && strncmp(at + length, "..", 2) == 0 && isupper((unsigned char)at[length + 2]);
            if (begins && !is_range && !isupper((unsigned char)at[length]))
                return placeholders[i].values;
        }
    return without;
}

static void add_values(const struct setting *option, struct text *out)
{
    SCOPED(text) words = {0};
    if (!option->value_name || option_may_stand_alone(option)) {
        text_add(out, "flag");
        return;
    }
    add_words(option, &words);
    const size_t length = strcspn(option->value_name, "|:@=[");
    if (strcmp(option->name, "filter") == 0)
        text_add(out, "cases");
    else if (strcmp(option->name, "engine") == 0)
        text_add(out, "engines");
    else if (words.size == 0 &&
             (strcmp(option->name, "clip") == 0 || (length == 4 && strncmp(option->value_name, "CLIP", length) == 0)))
        text_add(out, "clips");
    else if (strcmp(option->name, "bone") == 0 || (length == 4 && strncmp(option->value_name, "BONE", length) == 0))
        text_add(out, "bones");
    else if (words.size > 0)
        text_addf(out, "%s%s", strchr(option->value_name, ',') ? "list" : "words", text_string(&words));
    else
        text_add(out, find_placeholder(option->value_name, "none"));
}

/* A line of the table, between the single quotes of a shell. The explanation is cut where its first part ends. */
static void add_line(struct text *out, const char *command, char letter, const char *name, const char *values,
                     const char *help)
{
    text_addf(out, "%s\t", command);
    if (letter)
        text_addf(out, "-%c,", letter);
    text_addf(out, "%s%s\t%s\t", *name == '*' || *name == '-' ? "" : "--", name, values);
    for (size_t i = 0, end = help_brief_length(help); i < end; i++)
        if (help[i] == '\'')
            text_add(out, "'\\''");
        else
            text_add_bytes(out, help[i] == '\n' ? " " : &help[i], 1);
    text_add(out, "\n");
}

static void add_command(struct text *out, const struct command *command)
{
    const struct setting *option;
    SCOPED(text) values = {0};
    add_line(out, command->name, 0, "-", "flag", command->summary);
    if (command == &command_help) {
        text_add(&values, "words");
        for (size_t i = 0; i < command_count; i++)
            add_word(&values, commands[i]->name, strlen(commands[i]->name));
    }
    if (command->operand_most > 0)
        add_line(out, command->name, 0, "*",
                 values.size ? text_string(&values) : find_placeholder(command->operands, "files"), command->operands);
    for (size_t i = 0; (option = command_option(command, i)); i++) {
        values.size = 0;
        add_values(option, &values);
        add_line(out, command->name, option->letter, option->name, text_string(&values), option->help);
    }
    add_line(out, command->name, 'h', "help", "flag", "explain the command");
}

void completion_print(unsigned shell)
{
    static const char mark[] = "@TABLE@\n";
    SCOPED(text) table = {0};
    const char *script = completions[shell].text, *at = strstr(script, mark);
    for (size_t i = 0; i < command_count; i++)
        add_command(&table, commands[i]);
    printf("%.*s%s%s", (int)(at - script), script, text_string(&table), at + strlen(mark));
}
