/* engine: other people's engines, to be put under test. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/names.h"
#include "base/process/program.h"
#include "base/screen.h"
#include "cli/command/suite_command.h"

/* Finds the folder, and says by the environment where its scripts are to install. NULL with err set. */
static const char *find_folder(struct error *err)
{
    static const char *const places[] = {"../share/rigproof/subjects", "../../subjects"}; /* of the program's folder */
    static struct text folder;
    char program[PATH_MAX + 1];
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    const ssize_t length = readlink("/proc/self/exe", program, PATH_MAX);
    SCOPED(text) own = {0}, script = {0}, target = {0};
    if (folder.size > 0)
        return text_string(&folder);
    program[length > 0 ? length : 0] = '\0';
    path_folder(program, &own);
    for (size_t i = 0; i < sizeof places / sizeof places[0] && folder.size == 0; i++) {
        script.size = 0;
        path_join(text_string(&own), places[i], &script);
        text_add(&script, "/three/install");
        if (!file_exists(text_string(&script)))
            continue;
        path_join(text_string(&own), places[i], &folder);
        if (i == 0 && (data || home)) {
            text_addf(&target, "%s%s/rigproof/engines", data ? data : home, data ? "" : "/.local/share");
            setenv("RIGPROOF_ENGINES", text_string(&target), 0);
        }
    }
    if (folder.size == 0)
        error_set(err, "there are no engines beside %s: they are in share/rigproof/subjects of a package", program);
    return folder.size > 0 ? text_string(&folder) : NULL;
}

/* Names in the alphabet's order, in the arena. NULL with err set where the folder is not found. */
static const char **engines_list(size_t *count, struct arena *arena, struct error *err)
{
    SCOPED(folder_names) found = {0};
    const char *folder = find_folder(err);
    *count = 0;
    if (!folder || !folder_list(folder, FOLDER_FOLDERS, &found, err))
        return NULL;
    const char **names = ARENA_NEW(arena, const char *, found.count);
    for (size_t i = 0; i < found.count; i++)
        if (file_exists(arena_printf(arena, "%s/%s/install", folder, found.names[i])))
            names[(*count)++] = arena_string(arena, found.names[i]);
    return names;
}

/* The first line of its README: "three.js r187". */
static const char *engine_title(const char *name, struct arena *arena)
{
    SCOPED(blob) file = {0};
    const char *folder = find_folder(ERROR_IGNORED), *title = name;
    if (folder && file_read(arena_printf(arena, "%s/%s/README.md", folder, name), 1 << 20, &file, ERROR_IGNORED) &&
        strncmp((const char *)file.data, "# ", 2) == 0)
        title =
            arena_printf(arena, "%.*s", (int)strcspn((const char *)file.data + 2, "\n"), (const char *)file.data + 2);
    return title;
}

/* The exit code of one of its scripts, which reads nothing; `is_quiet`: and prints nothing. */
static int run_script(const char *name, const char *script, bool is_quiet)
{
    SCOPED(text) path = {0};
    int reason;
    const char *folder = find_folder(ERROR_IGNORED);
    text_addf(&path, "%s/%s/%s", folder ? folder : "", name, script);
    const pid_t child = program_start(
        &(struct program_start){.argv = (const char *const[]){text_string(&path), NULL}, .in = -1,
                                .out = is_quiet ? -1 : STDOUT_FILENO, .said = is_quiet ? -1 : STDERR_FILENO}, &reason);
    const int status = child > 0 ? child_wait(child) : -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* One that is asked nothing ends well. */
static bool engine_is_installed(const char *name)
{
    return run_script(name, "run", true) == 0;
}

/* False with err set, the nearest name suggested. */
static bool check_name(const char *name, struct arena *arena, struct error *err)
{
    size_t count;
    const char **names = engines_list(&count, arena, err);
    if (names && NAMED(names, count, name))
        return true;
    const char *near = names ? name_nearest(name, names, count) : NULL;
    if (near)
        return error_set(err, "there is no engine `%s`; did you mean `%s`?", name, near);
    return error_set(err, "there is no engine `%s`; `rigproof engine` lists them", name);
}

/* Runs its script, which prints what it does. False with err set. */
static bool engine_install(const char *name, struct error *err)
{
    SCOPED_ARENA arena = arena_require(1 << 20);
    bool good = check_name(name, arena, err);
    if (good)
        good = run_script(name, "install", false) == 0 ||
               error_set(err, "%s was not installed: its script failed, %s/%s/install", name, find_folder(err), name);
    return good;
}

struct subject_spec *engine_find(const char *given, struct arena *arena, struct error *err)
{
    const size_t length = strcspn(given, ":");
    const char *name = arena_printf(arena, "%.*s", (int)length, given);
    struct subject_spec *spec = ARENA_NEW(arena, struct subject_spec, 1);
    const char **words = ARENA_NEW(arena, const char *, 3);
    if (!check_name(name, arena, err))
        return NULL;
    words[0] = arena_printf(arena, "%s/%s/run", find_folder(err), name);
    words[1] = given[length] ? arena_string(arena, given + length + 1) : NULL;
    *spec = (struct subject_spec){.name = given[length] ? words[1] : name, .command = words};
    if (words[1] || engine_is_installed(name))
        return spec;
    error_set(err, "%s is not installed: `rigproof engine install %s` does that", engine_title(name, arena), name);
    return NULL;
}

static bool only_names;

static const struct setting options[] = {
    {"names", NULL, "the names alone, a line each", 0, &value_flag, VALUE_OF(only_names)},
};

static void add_engine(const char *name, struct arena *arena, struct text *out)
{
    if (only_names)
        text_addf(out, "%s\n", name);
    else if (engine_is_installed(name))
        text_addf(out, "%-12s%-30sinstalled\n", name, engine_title(name, arena));
    else
        text_addf(out, "%-12s%-30srigproof engine install %s\n", name, engine_title(name, arena), name);
}

static bool list_engines(struct error *err)
{
    SCOPED_ARENA arena = arena_require(1 << 20);
    SCOPED(text) out = {0};
    size_t count;
    const char **names = engines_list(&count, arena, err);
    for (size_t i = 0; names && i < count; i++)
        add_engine(names[i], arena, &out);
    text_add(&out, names && !only_names ? "\nrigproof check --engine NAME asks one for every case.\n" : "");
    terminal_print(text_string(&out), stdout);
    return names != NULL;
}

static enum exit_code run_engine(const struct operands *operands, struct error *err)
{
    const bool installs = operands->count > 1 && strcmp(operands->items[0], "install") == 0;
    bool good = true;
    if (operands->count == 0)
        good = list_engines(err);
    else if (!installs)
        good = error_set(err, "engine: usage: rigproof engine, or rigproof engine install NAME...");
    for (size_t i = 1; good && i < operands->count; i++) {
        good = engine_install(operands->items[i], err);
        if (good)
            log_note("%s is installed: rigproof check --engine %s", operands->items[i], operands->items[i]);
    }
    return good ? EXIT_CODE_GOOD : EXIT_CODE_DIFFERS;
}

const struct command command_engine = {
    .name = "engine", .operands = "[install NAME...]",
    .summary = "engines that can be put under test: three.js, Babylon, Blender...",
    .about = "Lists the engines that `check --engine NAME` knows, or installs some: from npm into a folder of yours, "
             "or from the\n"
             "distribution's packages, for which it needs root or sudo. Nothing is installed unless this is typed.",
    COMMAND_OPTIONS(options), .operand_most = 16, .run = run_engine,
};
