#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "draw/gl/environment.h"

/* The items are of this version; no clock is asked. */

struct item {
    const char *name;
    const char *text;
};

static const struct item exit_codes[] = {
    {"0", "All good."},
    {"1", "Something differs, is missing or failed."},
    {"2", "Wrong usage, an input that could not be read, or a limit that was reached."},
    {"3", "No usable GL context."},
    {"77", "Of report --case: the case was skipped."},
    {"86", "Out of memory."},
};

static const struct item environment[] = {
    {ENVIRONMENT_KEEP, "Names of variables of the list below, with commas between, that are left as they are after "
                       "all: for finding out what\n"
                       "another CPU would draw. Where GALLIUM_OVERRIDE_CPU_CAPS is kept, its value sse4.1 takes AVX "
                       "and the fused multiply-add\n"
                       "away; where LP_NATIVE_VECTOR_WIDTH is, its value 128 halves the vectors (128 or 256). While "
                       "such a variable is set,\n"
                       "Mesa's cache of compiled shaders is not used."},
    {"RIGPROOF_OSMESA_LIBRARY", "The library that --backend osmesa opens."},
    {"RIGPROOF_EGL_LIBRARY", "The library that --backend egl opens."},
    {"LP_NUM_THREADS, MESA_SHADER_CACHE_DIR",
     "Mesa's; left to the user. Workers of check rasterise with the cores that no other worker has."},
    {"CI", "Where it is set, `accept` and `review` write no golden without --force."},
    {"GITHUB_ACTIONS, GITHUB_STEP_SUMMARY, GITHUB_WORKSPACE",
     "On GitHub `check` writes annotations and the step's summary, and `report --annotate` does."},
    {"RIGPROOF_ACCEPT",
     "What a reader of this run's reports types to accept it, such as `gh run download 12 -n rigproof -D ci && "
     "rigproof accept\n"
     "--from ci`. It takes the place of the accept command of each case, with --filter CASE behind it."},
    {"NO_COLOR", "No colours on a terminal; half blocks of --show become characters."},
    {"TERM, COLORTERM, COLUMNS, TMUX, STY", "Of --show: which colours the terminal has, how wide it is where that "
                                            "cannot be asked, and whether tmux or GNU screen is in between."},
};

static const struct item files[] = {
    {"out/check/results.json, report.html, junit.xml", "What `check` writes, or where -o says."},
    {"GOLDENS/CASE/", "A case's golden: recorded.json, and <time>.pose.json and <time>.png for each time."},
    {"GOLDENS/imports/", "What was imported, a file for all cases of one model and the same import settings."},
};

static const char *const examples[] = {
    "rigproof init models",
    "rigproof accept suite.yaml --missing",
    "rigproof check suite.yaml",
    "rigproof check suite.yaml --watch",
    "rigproof review",
    "rigproof accept --from artifact.zip",
    "rigproof inspect fox.glb",
    "rigproof render fox.glb --clip walk --time 0.25 -o fox.png",
    "rigproof turntable fox.glb --clip walk --frames 48 --sheet -o 'turn_{frame:02}.png'",
    "rigproof render fox.glb --clip walk --film walk.apng",
    "rigproof sheet fox.glb -o clips.png",
    "rigproof sheet fox.glb --view 'weight:*' -o weights.png",
    "rigproof sheet fox.glb --before fox-old.glb --different -o before.png",
    "rigproof view fox.glb --clip walk -o fox.html",
    "rigproof render fox.glb --camera eye=1:1:3,target=0:1:0 --save-camera side.json -o side.png",
    "rigproof dump fox.glb --clip walk --time 0.25 --format json",
    "rigproof dump fox.glb --clip walk --frames 0..48 --format csv --stage global --bone 'foot*' --velocities -o "
    "feet.csv",
    "rigproof check golden/suite.yaml --filter 'fox-*'",
    "rigproof accept golden/suite.yaml --filter fox-walk",
    "rigproof check golden/suite.yaml --list",
    "rigproof report out/shard-1/results.json out/shard-2/results.json -o out/all",
    "rigproof diff out/assimp-5 out/assimp-6",
    "rigproof diff fox.fbx fox.glb",
    "rigproof diagnose fox.glb --clip walk --time 0.25 theirs.json",
    "rigproof inspect fox.glb --for webgl2",
    "rigproof doctor --json",
    "rigproof help render",
    "rigproof help --man check | man -l -",
    "rigproof help --completion bash >~/.local/share/bash-completion/completions/rigproof",
};

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

static void put_items(const struct item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(".TP\n.B ", items[i].name, "\n");
        put_line(items[i].text);
    }
}
#define PUT_ITEMS(items) put_items(items, sizeof(items) / sizeof(items)[0])

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

static void put_usage(const struct command *command)
{
    printf(".B rigproof %s\n", command->name);
    if (*command->operands)
        put("\\fI", command->operands, "\\fR ");
    puts("[options]");
}

/* A line of `.TH`, then NAME: "rigproof-check \- run cases, ..." */
static void put_title(const char *name, const char *summary)
{
    fputs(".TH ", stdout);
    for (const char *c = name; *c; c++)
        putchar(*c == '-' ? '-' : toupper((unsigned char)*c));
    puts(" 1 \"\" \"rigproof " RIGPROOF_VERSION "\" \"User Commands\"");
    put(".SH NAME\n", name, " \\- ");
    put_line(summary);
    puts(".SH SYNOPSIS");
}

static void put_settings(const struct command *command)
{
    const struct setting *option;
    const char *title = NULL;
    for (size_t i = command->option_count; (option = command_option(command, i)); i++) {
        if (option_title(command, i) != title)
            printf(".SS %s\n", title = option_title(command, i));
        put_option(option);
    }
}

/* Puts the names that --repair and --assimp-flags may have. */
static void put_import_names(void)
{
    const char *name, *what;
    puts(".SS repairs");
    for (unsigned i = 0; repair_describe(i, &name, &what); i++)
        put_items(&(struct item){name, what}, 1);
    struct text steps = {0};
    assimp_flags_describe(UINT32_MAX, &steps);
    puts(".SS steps of \\-\\-assimp\\-flags");
    for (const char *step = strtok(steps.data, ","); step; step = strtok(NULL, ","))
        put("", step, ",\n");
    put_line("and for several at once `realtime-fast`, `realtime-quality`, `realtime-max-quality`.");
    text_release(&steps);
}

/* Those of a command, or of NULL all. */
static void put_examples(const struct command *command)
{
    char begin[64];
    int length = snprintf(begin, sizeof begin, "rigproof %s ", command ? command->name : "");
    const char *before = ".SH EXAMPLES\n.nf\n", *after = "";
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        if (!command || strncmp(examples[i], begin, (size_t)length) == 0) {
            put(before, examples[i], "\n");
            before = "", after = ".fi\n";
        }
    fputs(after, stdout);
}

static void put_see_also(const struct command *command)
{
    puts(command ? ".SH SEE ALSO\n.BR rigproof (1)," : ".SH SEE ALSO");
    for (size_t i = 0; i < command_count; i++)
        if (commands[i] != command) {
            put(".BR rigproof\\-", commands[i]->name, " (1),\n");
        }
    puts(".BR ffmpeg (1),\n.BR assimp (1)\n.PP\nIn share/doc/rigproof guides/first-suite.md is where to begin,\n"
         "formats.md has the keys of suites and files, shaders/README.md what shaders are given.");
}

static void put_environment(void)
{
    puts(".SH ENVIRONMENT");
    PUT_ITEMS(environment);
    puts(".PP\nSo that Mesa draws the same everywhere, rigproof changes these before the first GL call:");
    for (size_t i = 0; i < environment_rule_count; i++) {
        const struct environment_rule *rule = &environment_rules[i];
        printf(".TP\n.B %s\n", rule->name);
        put(rule->value ? "Set to " : "Unset", rule->value ? rule->value : "",
            rule->action == ENVIRONMENT_DEFAULT ? " unless it is set: " : ": ");
        put_line(rule->why);
    }
}

static void put_command_page(const struct command *command)
{
    char name[64];
    snprintf(name, sizeof name, "rigproof-%s", command->name);
    put_title(name, command->summary);
    put_usage(command);
    puts(".SH DESCRIPTION");
    put_line(command->about);
    puts(".SH OPTIONS");
    for (size_t k = 0; k < command->option_count; k++)
        put_option(&command->options[k]);
    put_option(&(struct setting){.name = "help", .letter = 'h', .help = "explain the command"});
    put_settings(command);
    if (command->setting_groups & SETTING_IMPORT)
        put_import_names();
    puts(".SH EXIT STATUS");
    PUT_ITEMS(exit_codes);
    put_examples(command);
    put_see_also(command);
}

static void put_overview(void)
{
    put_title("rigproof", "headless render and regression-test harness for skeletal animation");
    for (size_t i = 0; i < command_count; i++) {
        fputs(i ? ".br\n" : "", stdout);
        put_usage(commands[i]);
    }
    puts(".br\n.B rigproof \\-\\-version");
    puts(".SH DESCRIPTION\nrigproof imports a rigged model with Assimp, interpolates its keyframes, computes the "
         "bone\\-matrix palette and\n"
         "skins the model with GLSL in an offscreen Mesa context. Every stage can be looked at, as a picture, a posed "
         "mesh, a table\n"
         "or JSON, and is compared with golden files.\n.PP\nEach command has a page of its own, and\n.B rigproof help\n"
         "\\fICOMMAND\\fR lists its options.\n.SH COMMANDS");
    for (size_t i = 0; i < command_count; i++) {
        put(".TP\n.BR rigproof\\-", commands[i]->name, " (1)\n");
        put_line(commands[i]->summary);
    }
    const char *mark = "";
    puts(".SH SETTINGS\nHow a model is imported, posed and drawn is said by options that several commands share.\n"
         "A suite has keys of the same names for its cases, but for");
    for (size_t i = 0; i < setting_count; i++)
        if (setting_table[i].not_in_suite) {
            fputs(mark, stdout);
            put(".B \\-\\-", setting_table[i].name, "");
            mark = ",\n";
        }
    puts("\n.SH EXIT STATUS");
    PUT_ITEMS(exit_codes);
    put_environment();
    puts(".SH FILES");
    PUT_ITEMS(files);
    put_examples(NULL);
    put_see_also(NULL);
}

void manual_print(const struct command *command)
{
    command ? put_command_page(command) : put_overview();
}
