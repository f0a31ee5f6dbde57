/* Completion of command lines, as bash, zsh and fish do it with the scripts that rigproof prints. */

#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "run_binary.h"

#define SOURCES FIXTURES "/../tests/cli/"

/* For each line of stdin, whose words have tabs between, what bash offers for the last of them: it parts words at `=`
 * and `:`, too. */
static const char bash_driver[] = "source rigproof.bash\n"
                                  "while IFS= read -r line; do\n"
                                  "    parted=${line//:/$'\\t:\\t'}\n"
                                  "    COMP_LINE=${line//$'\\t'/ } COMP_POINT=${#COMP_LINE}\n"
                                  "    mapfile -t -d $'\\t' COMP_WORDS < <(printf '%s\\t' \"${parted//=/$'\\t=\\t'}\")\n"
                                  "    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                                  "    _rigproof\n"
                                  "    printf '%s| %s\\n' \"$line\" \"${COMPREPLY[*]}\"\n"
                                  "done\n";
static const char fish_driver[] = "source rigproof.fish\n"
                                  "while read line\n"
                                  "    set -l offers (complete -C \"$line\" | string replace -r '\\t.*' '')\n"
                                  "    echo \"$line| $offers\"\n"
                                  "end\n";

struct shell {
    const char *name;
    const char *command; /* with lines on stdin */
    char separator;      /* of words in a line */
};
static const struct shell shells[] = {
    {"bash", "bash --norc driver", '\t'},
    {"zsh", "zsh -f '" SOURCES "complete.zsh' \"$PWD\"", ' '},
    {"fish", "fish --no-config driver", ' '},
};
enum { BASH, ZSH, FISH, SHELLS };

/* The shell's answer to each of the lines, a line each. */
static const char *complete(const struct shell *shell, const char *lines)
{
    char command[1024], script[32];
    snprintf(script, sizeof script, "rigproof.%s", shell->name);
    spill(shell == &shells[ZSH] ? "_rigproof" : script, rigproof_good("help", "--completion", shell->name)->out);
    spill("driver", shell == &shells[FISH] ? fish_driver : bash_driver);
    spill("lines", lines);
    snprintf(command, sizeof command, "PATH=$(dirname '" RIGPROOF_BINARY "'):$PATH HOME=$PWD timeout 200 %s <lines >answers 2>errors",
             shell->command);
    int status = system(command);
    assert_string_equal(slurp("errors", NULL), "");
    assert_int_equal(status, 0);
    return slurp("answers", NULL);
}

static void spill_files(void)
{
    spill("models/fox.glb", "");
    spill("models/notes.txt", "");
    assert_int_equal(symlink(FIXTURES "/walker/walker.glb", "walker.glb"), 0);
    spill("suite.yaml", "version: 1\ngoldens: g\ncases:\n"
                        "  - {name: fox-walk, model: models/fox.glb, clip: walk, times: [0]}\n"
                        "  - {name: fox-run, model: models/fox.glb, clip: run, times: [0]}\n"
                        "  - {name: hare, model: models/fox.glb, clip: run, times: [0]}\n");
}

/* What each shell must offer; `not`: what it must not. */
static const struct {
    const char *line, *offers, *not;
} examples[] = {
    {"rigproof ch", "check", "render"},
    {"rigproof help re", "render report", "check"},
    {"rigproof help --completion ", "bash fish zsh", "check"},
    {"rigproof check --rerun", "--rerun-failed", "--list"},
    {"rigproof check --backend ", "auto osmesa egl", "models"},
    {"rigproof render --view no", "normals", "lit"},
    {"rigproof check --stages import,dr", "draw", "palette"},
    {"rigproof render --repair fbx-p", "fbx-pivots", "tick-rate"},
    {"rigproof dump --assimp-flags join", "join-identical", "triangulate"},
    {"rigproof inspect models/", "fox.glb", "notes.txt"},
    {"rigproof dump models/fox.glb -o models/", "notes.txt", "--"},
    {"rigproof check su", "suite.yaml", "models"},
    {"rigproof check -o ", "models", "suite.yaml"},
    {"rigproof check suite.yaml --filter fox", "fox-walk fox-run", "hare"},
    {"rigproof check --filter fox", "fox-walk fox-run", "hare"}, /* of the suite here */
    {"rigproof check --engine t", "three tutorials", "blender"},
    {"rigproof engine install b", "babylon blender", "three"},
    {"rigproof render --size ", "", "models"},
    {"rigproof render walker.glb --view wei", "weights weight:", "lit"},
    {"rigproof render walker.glb --view weight:fore", "forearm_L forearm_R", "hand_L"},
    {"rigproof render walker.glb --view=weight:fore", "forearm_L forearm_R", "hand_L"},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static void run_examples(const struct shell *shell)
{
    SCOPED(text) lines = {0};
    const char *find = at("command -v %s >/dev/null", shell->name);
    if (system(find) != 0)
        skip();
    spill_files();
    for (size_t i = 0; i < EXAMPLES; i++) {
        for (const char *c = examples[i].line; *c; c++)
            text_addf(&lines, "%c", *c == ' ' ? shell->separator : *c);
        text_add(&lines, "\n");
    }
    char *answers = keep(strdup(complete(shell, text_string(&lines))));
    for (size_t i = 0; i < EXAMPLES; i++) {
        char *answer = strsep(&answers, "\n"), *offers = keep(strdup(examples[i].offers)), *word;
        assert_non_null(answer);
        answer = strrchr(answer, '|');
        assert_non_null(answer);
        while ((word = strsep(&offers, " ")))
            if (!strstr(answer, word))
                fail_msg("%s offers for `%s`%s, not %s", shell->name, examples[i].line, answer + 1, word);
        if (strstr(answer, examples[i].not))
            fail_msg("%s offers for `%s`%s", shell->name, examples[i].line, answer + 1);
    }
}

SCRATCH_TEST(bash_completes)
{
    run_examples(&shells[BASH]);
}

SCRATCH_TEST(zsh_completes)
{
    run_examples(&shells[ZSH]);
}

SCRATCH_TEST(fish_completes)
{
    run_examples(&shells[FISH]);
}

/* Numbers, times, and names within models and suites: what an option's value may be where nothing can be offered. */
static const char *const free_values[] = {
    "A..B[:STEP]", "CLIP,CLIP|CLIP:WEIGHT", "PIXELS", "MB", "COMMAND", "SPACE.CHANNEL,...",
    "A..B",   "BONE",       "BONE=CLIP[@OFFSET]", "CLIP:WEIGHT", "CLIP:WEIGHT[@rest|@bind]", "CLIP@START..END",
    "D",      "F",          "I/N",                "L",           "LEVELS",                   "MIB",
    "N",      "NAME=WHAT,...", "NAME=PROGRAM", "NAME|COMMAND",    "NAME|INDEX",  "PREFIX",                   "R",
    "RRGGBB[AA]", "S",      "T",                  "T[,T...]",    "WxH",                      "COLUMNSxROWS",
    "yaw=D,pitch=D,zoom=Z,fov=D", "turn=D,scale=F,move=X:Y:Z",
};

static bool is_free(const char *command, const char *value)
{
    static const char *const without_cases[] = {"dump", "plot", "generate", "conform"}; /* globs of bones and of rules */
    for (size_t i = 0; strcmp(value, "GLOB") == 0 && i < sizeof without_cases / sizeof without_cases[0]; i++)
        if (strcmp(command, without_cases[i]) == 0)
            return true;
    if (strcmp(value, "NAME") == 0) /* else an engine's */
        return strcmp(command, "report") == 0;
    for (size_t i = 0; i < sizeof free_values / sizeof free_values[0]; i++)
        if (strcmp(free_values[i], value) == 0)
            return true;
    return false;
}

struct option {
    char command[32], name[64], value[64];
};

/* Of all commands, as --help lists them. */
static size_t list_options(struct option *options, size_t most)
{
    size_t count = 0;
    for (const char *line = rigproof_good("--help")->out; line; line = strchr(line, '\n'), line += line != NULL) {
        char command[32] = "";
        if (strncmp(line, "  ", 2) != 0 || sscanf(line, "  %31[a-z]", command) != 1)
            continue;
        for (const char *at = rigproof_good(command, "--help", "all")->out; at; at = strchr(at, '\n'), at += at != NULL) {
            struct option *option = &options[count];
            *option = (struct option){0};
            if (strncmp(at, "  ", 2) != 0 || strcspn(at, "\n") < 8 || strncmp(at + 6, "--", 2) != 0)
                continue;
            assert_true(count < most);
            strcpy(option->command, command);
            sscanf(at + 6, "%63[-a-z]", option->name);
            const char *value = at + 6 + strlen(option->name);
            if (value[0] == ' ' && value[1] != ' ')
                sscanf(value, " %63[^ \n]", option->value);
            count++;
        }
    }
    return count;
}

SCRATCH_TEST(every_option_is_completed)
{
    enum { MOST = 1000 };
    struct option *options = keep(calloc(MOST, sizeof *options));
    SCOPED(text) lines = {0};
    size_t count = list_options(options, MOST);
    assert_true(count > 200);
    spill_files();
    for (size_t i = 0; i < count; i++) {
        const bool cases = strcmp(options[i].name, "--filter") == 0;
        text_addf(&lines, "rigproof\t%s\t%s\n", options[i].command, options[i].name);
        if (*options[i].value)
            text_addf(&lines, "rigproof\t%s\t%s%s\t\n",
                      options[i].command, cases ? "suite.yaml\t" : "", options[i].name);
    }
    char *answers = keep(strdup(complete(&shells[BASH], text_string(&lines))));
    for (size_t i = 0; i < count; i++) {
        const struct option *o = &options[i];
        const char *name = strrchr(strsep(&answers, "\n"), '|') + 1;
        const char *value = *o->value ? strrchr(strsep(&answers, "\n"), '|') + 1 : "";
        if (!strstr(name, o->name))
            fail_msg("rigproof %s: bash offers%s for %s", o->command, name, o->name);
        if (*o->value && strlen(value) < 2 && !is_free(o->command, o->value))
            fail_msg("rigproof %s %s %s: bash offers nothing for its value", o->command, o->name, o->value);
        if (is_free(o->command, o->value) && strlen(value) > 1)
            fail_msg("rigproof %s %s %s: bash offers%s", o->command, o->name, o->value, value);
        /* The usage's own words: `auto|osmesa|egl`. */
        char *words = keep(strdup(o->value)), *word;
        while (!strchr(o->value, '=') && !strchr(o->value, '[') && (word = strsep(&words, "|,"))) {
            word[strcspn(word, ":")] = '\0';
            if (islower((unsigned char)word[0]) && !strstr(value, word))
                fail_msg("rigproof %s %s: bash offers%s, not %s", o->command, o->name, value, word);
        }
    }
}

/* Clips and bones of the model that is there; colons part words in bash alone. */
SCRATCH_TEST(names_of_models_are_completed)
{
    static const char *const lines[][2] = {{"rigproof render walker.glb --clip w", "walk wave"},
                                           {"rigproof dump walker.glb --bone foot", "foot_L foot_R"},
                                           {"rigproof plot walker.glb --bone hea", "head"},
                                           {"rigproof render walker.glb --blend id", "idle"}};
    size_t size;
    char *model = slurp(FIXTURES "/walker/walker.glb", &size);
    FILE *file = fopen("walker.glb", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(model, 1, size, file), size);
    fclose(file);
    for (int s = 0; s < SHELLS; s++) {
        const char *find = at("command -v %s >/dev/null", shells[s].name);
        for (size_t i = 0; i < sizeof lines / sizeof lines[0] && system(find) == 0; i++) {
            char line[128], *c = line;
            snprintf(line, sizeof line, "%s\n", lines[i][0]);
            for (; (c = strchr(c, ' ')); c++)
                *c = shells[s].separator;
            assert_contains(strrchr(complete(&shells[s], line), '|'), lines[i][1]);
        }
    }
}

/* A pull request may bring a suite: what is in it must not be run, nor typed. */
SCRATCH_TEST(names_of_cases_are_no_commands)
{
    spill("suite.yaml", "version: 1\ngoldens: g\ncases:\n"
                        "  - {name: fox-walk, model: a.glb, clip: walk, times: [0]}\n"
                        "  - {name: \"fox$(touch hacked)\", model: a.glb, clip: walk, times: [0]}\n"
                        "  - {name: \"fox;touch\", model: a.glb, clip: walk, times: [0]}\n");
    const char *answer = complete(&shells[BASH], "rigproof\tcheck\tsuite.yaml\t--filter\tfox\n");
    assert_false(exists("hacked"));
    assert_null(strstr(answer, "touch"));
}

/* zsh evaluates what it is given to call; the name of a file is none of it, however it was typed. */
SCRATCH_TEST(names_of_suites_are_no_commands)
{
    if (system("zsh --version >/dev/null 2>&1") != 0)
        skip();
    spill("a$(touch hacked).yaml", "version: 1\ngoldens: g\ncases:\n  - {name: fox-walk, model: a.glb, clip: walk, times: [0]}\n");
    const char *answer = complete(&shells[ZSH], "rigproof check a\\$\\(touch\\ hacked\\).yaml --filter fox\n"
                                                "rigproof check 'a$(touch hacked).yaml' --filter fox\n");
    assert_false(exists("hacked"));
    assert_contains(answer, "fox-walk");
}
