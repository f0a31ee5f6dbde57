/* Help and the manual page, mistakes in the command line, where output goes, and the exit codes that go with them. */

#include "cli/pictures.h"

#include <ctype.h>

#include "options/settings.h"

static const struct {
    const char *name;
    unsigned groups;
    const char *own; /* an option that only this command has, or has in another form */
} commands[] = {
    {"inspect", SETTING_IMPORT, "--json"},
    {"render", SETTING_IMPORT | SETTING_CLIP | SETTING_TIME | SETTING_DRAW, "-o, --output OUT.png"},
    {"turntable", SETTING_IMPORT | SETTING_CLIP | SETTING_DRAW, "--frames N"},
    {"sheet", SETTING_IMPORT | SETTING_CLIP | SETTING_TIME | SETTING_DRAW, "--before FILE"},
    {"dump", SETTING_IMPORT | SETTING_CLIP | SETTING_TIME, "--format text|json|jsonl|csv|obj"},
    {"doctor", 0, "--json"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static bool is_of_sheet(const char *name)
{
    return strcmp(name, "clip") == 0 || strcmp(name, "blend") == 0 || strcmp(name, "view") == 0 || strcmp(name, "camera") == 0;
}

/* Words of a text one after the other, however its lines are broken. */
static char *joined(const char *text)
{
    char *out = keep(malloc(strlen(text) + 2)), *end = out;
    for (const char *c = text; *c; c++)
        if (!isspace((unsigned char)*c))
            *end++ = *c;
        else if (end > out && end[-1] != ' ')
            *end++ = ' ';
    *end = '\0';
    return out;
}

SCRATCH_TEST(help_lists_every_option)
{
    for (int c = 0; c < COMMANDS; c++) {
        const struct outcome *help = rigproof_good(commands[c].name, "--help", "all");
        const char *words = joined(help->out);
        assert_string_equal(help->err, "");
        assert_contains(help->out, "usage: rigproof ", commands[c].name, commands[c].own);
        for (size_t i = 0; i < setting_count; i++) {
            const char *option = at(" --%s ", setting_table[i].name);
            bool listed = strstr(words, option) != NULL;
            if (strcmp(commands[c].name, "turntable") == 0 && setting_table[i].group == SETTING_TIME)
                continue; /* it has a --time, --frames and --fps of its own */
            if (strcmp(commands[c].name, "sheet") == 0 && is_of_sheet(setting_table[i].name))
                continue; /* several of each */
            if (strcmp(commands[c].name, "render") == 0 &&
                (strcmp(setting_table[i].name, "clip") == 0 || strcmp(setting_table[i].name, "place") == 0))
                continue; /* for each model */
            if (listed != ((setting_table[i].group & commands[c].groups) != 0))
                fail_msg("%s --help all %s%s", commands[c].name, listed ? "lists" : "does not list", option);
            if (listed)
                assert_contains(words, joined(setting_table[i].help));
        }
        assert_string_equal(rigproof_good("help", commands[c].name, "all")->out, help->out);
        assert_contains(rigproof_good("--help", "all")->out, help->out);
    }
    rigproof_refuses("`some` is not `all`", "help", "render", "some");
}

/* A terminal's usual size; every option is there by its name. */
SCRATCH_TEST(help_fits_a_screen)
{
    enum { ROWS = 24, COLUMNS = 80 };
    char *list = keep(strdup(rigproof_good("--help")->out)), *line;
    const char *const order[] = {"init", "accept", "check", "review"};
    size_t count = 0;
    assert_true(count_lines(list) <= ROWS);
    while ((line = strsep(&list, "\n"))) {
        char name[32];
        assert_true(strlen(line) <= COLUMNS);
        if (strncmp(line, "  ", 2) != 0 || sscanf(line, "  %31[a-z]", name) != 1)
            continue;
        if (count < 4)
            assert_string_equal(name, order[count]);
        count++;
        const struct outcome *brief = rigproof_good(name, "--help"), *whole = rigproof_good(name, "--help", "all");
        if (count_lines(brief->out) > ROWS)
            fail_msg("rigproof %s --help has %zu lines", name, count_lines(brief->out));
        for (const char *at = brief->out; *at; at += strcspn(at, "\n") + 1)
            assert_true(strcspn(at, "\n") <= COLUMNS);
        for (const char *at = whole->out; (at = strstr(at, "\n      --")); at++) {
            char option[64];
            sscanf(at, "\n      %63[-a-z]", option);
            if (!strstr(brief->out, option))
                fail_msg("rigproof %s --help does not name %s", name, option);
        }
        assert_string_equal(rigproof_good("help", name)->out, brief->out);
        assert_string_equal(rigproof_good(name, "-h")->out, brief->out);
    }
    assert_true(count > 15);
}

SCRATCH_TEST(the_program_says_what_it_is)
{
    const struct outcome *help = rigproof_good("--help");
    for (int c = 0; c < COMMANDS; c++)
        assert_contains(help->out, commands[c].name);
    assert_string_equal(rigproof_good("help")->out, help->out);
    assert_string_equal(rigproof_good("-h")->out, help->out);
    const struct outcome *none = run_gives(2, rigproof(NULL, NULL));
    assert_string_equal(none->out, "");
    assert_contains(none->err, "usage: rigproof");
    const struct outcome *version = rigproof_good("--version");
    assert_int_equal(strncmp(version->out, "rigproof ", 9), 0);
    assert_contains(version->out, "(Assimp ");
    assert_int_equal(count_lines(version->out), 1);
    const struct outcome *versions = rigproof_good("version");
    assert_int_equal(strncmp(versions->out, "rigproof ", 9), 0);
    assert_contains(versions->out, "\nAssimp ", "\nMesa");
}

SCRATCH_TEST(mistyped_words_are_guessed)
{
    static const char *const cases[][3] = {
        {"rendr", WALKER, "did you mean `render`?"},
        {"frobnicate", WALKER, "rigproof --help"},
        {"", WALKER, "unknown command ``"},
        {"render", "--siez", "did you mean --size?"},
        {"render", "--backgruond=ff0000", "did you mean --background?"},
        {"turntable", "--frame", "did you mean --frames?"},
        {"doctor", "--jsonn", "did you mean --json?"},
        {"render", "--frobnicate", "see rigproof render --help"},
        {"inspect", "--size", "unknown option --size"},
        {"render", "-x", "unknown option -x"},
        {"help", "--completion=tcsh", "there are: bash, fish, zsh"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        rigproof_refuses(cases[i][2], cases[i][0], cases[i][1], WALKER);
    rigproof_refuses("did you mean `dump`?", "help", "dmup");
    rigproof_refuses("leave the others out", "help", "dump", "--completion", "bash");
}

SCRATCH_TEST(what_is_missing_or_too_much_is_said)
{
    rigproof_refuses("usage: rigproof inspect MODEL", "inspect");
    rigproof_refuses("`b.glb`", "dump", WALKER, "b.glb");
    rigproof_refuses("-o", "render", WALKER);
    rigproof_refuses("-o", "turntable", WALKER);
    rigproof_refuses("--time needs a value", "dump", WALKER, "--time");
    rigproof_refuses("needs a value", "render", WALKER, "-o");
    rigproof_refuses("--json takes no value", "inspect", WALKER, "--json=yes");
    rigproof_refuses("`something`", "doctor", "something");
    assert_string_equal(scratch_listing(), "");
}

SCRATCH_TEST(bad_values_name_the_option)
{
    static const char *const cases[][3] = {
        {"render", "--size", "640"},      {"turntable", "--frames", "0"}, {"turntable", "--frames", "1.5"},
        {"turntable", "--loops", "-1"},   {"turntable", "--fps", "x"},    {"turntable", "--pitch", "nan"},
        {"turntable", "--time", "0.1,x"}, {"inspect", "--timeout", "x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        rigproof_refuses(cases[i][1], cases[i][0], cases[i][1], cases[i][2], WALKER, "-o", "x.png");
    rigproof_refuses("`json`", "dump", "--format", "jsno", WALKER);
    assert_string_equal(scratch_listing(), "");
}

/* What would do nothing was meant to do something; a film of listed times has a rate, too. */
SCRATCH_TEST(options_without_effect_are_refused)
{
    rigproof_refuses("--fps is the rate of --frames", "dump", WALKER, "--fps", "24");
    rigproof_refuses("--time and --frames: only one of them may be given", "dump", WALKER, "--time", "0.5", "--frames",
                     "0..3");
    rigproof_refuses("--play and --times auto: only one of them may be given", "render", WALKER, "--play", "--times",
                     "auto", "-o", "a{frame}.png");
    rigproof_refuses("0.25 comes after another --time or --times: only one of them may be given", "dump", WALKER,
                     "--time", "0.5", "--times", "0.25");
    rigproof_refuses("--fps", "dump", WALKER, "--fps", "24", "--times", "auto");
    rigproof_refuses("--fps", "render", WALKER, "--fps", "24", "--time", "0.5", "-o", "a.png");
    rigproof_refuses("add --times auto", "dump", WALKER, "--samples", "3", "--time", "0,1");
    rigproof_refuses("add --times auto", "render", WALKER, "--samples", "3", "-o", "a.png");
    rigproof_good("dump", WALKER, "--samples", "3", "--times", "auto", "-o", "a.txt");
    rigproof_good("dump", WALKER, "--fps", "12", "--frames", "0..1", "-o", "a.txt");
    rigproof_good("render", WALKER, "--fps", "12", "--time", "0,0.5", "--size", "16x16", "-o", "{frame}.png");
    assert_string_equal(scratch_listing(), "0.png 1.png a.txt");
}

/* Nobody means the first of two values, nor the second for certain. What may be repeated, is. */
SCRATCH_TEST(a_second_value_is_refused)
{
    static const char *const given[][4] = {{"--clip", "walk", "--clip", "wave"},     {"--size", "8x8", "--size", "9x9"},
                                           {"--camera", "yaw=1", "--camera", "fov=2"}, {"--rate", "1", "--rate", "1.0"}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        const char *const *g = given[i];
        const char *message = at("error: %s %s and %s %s: only one of them may be given", g[0], g[1], g[2], g[3]);
        rigproof_refuses(message, "render", WALKER, g[0], g[1], g[2], g[3], "-o", "a.png");
    }
    rigproof_refuses("--output a and --output b: only one of them may be given", "dump", WALKER, "-o", "a",
                     "--output=b");
    rigproof_good("dump", WALKER, "--clip", "walk", "--clip=walk", "--json", "--stage", "local", "--stage", "palette", "--add",
                  "wave:1", "--add", "wave:0.5", "-o", "a.json");
    assert_string_equal(scratch_listing(), "a.json");
}

#define STRIP FIXTURES "/strip/strip.gltf"

/* The clip lasts 2 s. */
SCRATCH_TEST(times_beyond_the_clip_are_told)
{
    const char *says = rigproof_good("render", STRIP, "--clip", "linear-rotation", "--time", "2.5", "--size", "16x16", "-o", "a.png")->err;
    assert_contains(says, "warning: time 2.5 s is beyond the end of `linear-rotation` (2 s): it is wrapped to 0.5 s");
    says = rigproof_good("dump", STRIP, "--clip", "linear-rotation", "--times", "-0.5,1,5", "-o", "a.txt")->err;
    assert_contains(says, "warning: 2 of 3 times, the first -0.5 s, are outside of `linear-rotation` (2 s): they are wrapped");
    says = rigproof_good("dump", STRIP, "--clip", "linear-rotation", "--time", "-0.5", "--wrap", "clamp", "-o", "a.txt")->err;
    assert_contains(says, "warning: time -0.5 s is before the beginning of `linear-rotation` (2 s): the beginning is shown");
    says = rigproof_good("turntable", STRIP, "--clip", "linear-rotation", "--time", "3", "--frames", "1", "--size", "8x8", "-o", "b.png")->err;
    assert_contains(says, "it is wrapped to 1 s");
    assert_null(strstr(rigproof_good("dump", STRIP, "--clip", "linear-rotation", "--times", "0,2", "-o", "a.txt")->err, "outside"));
    assert_null(strstr(rigproof_good("dump", STRIP, "--clip", "none", "--time", "9", "-o", "a.txt")->err, "beyond"));
}

SCRATCH_TEST(options_are_taken_in_every_form)
{
    const char *expected = rigproof_good("dump", WALKER, "--time", "0.5", "--format", "json")->out;
    assert_string_equal(rigproof_good("dump", "--time=0.5", "--format=json", WALKER)->out, expected);
    assert_string_equal(rigproof_good("dump", "-f", "json", "--time", "0.5", "--", WALKER)->out, expected);
    assert_string_equal(rigproof_good("dump", "-fjson", WALKER, "--time", "0.5", "--time=0.5")->out, expected);
    assert_string_equal(rigproof_good("dump", "--json", WALKER, "--time", "0.5")->out, expected);
    rigproof_good("dump", WALKER, "--json", "--time", "0.5", "-oout.json");
    assert_string_equal(slurp("out.json", NULL), expected);
    rigproof_refuses("--json: ", "inspect", "--", "--json"); /* a file of that name */
}

SCRATCH_TEST(unreadable_models_are_refused)
{
    mkdir("folder.glb", 0777);
    mkfifo("pipe.glb", 0666);
    static const char *const cases[][2] = {{"missing.glb", "No such file"},
                                           {"folder.glb", "it is a folder, not a model file"},
                                           {"pipe.glb", "it is not a regular file"},
                                           {"", "No such file"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rigproof_refuses(cases[i][1], "inspect", cases[i][0]);
        rigproof_refuses(cases[i][0], "dump", cases[i][0], "-o", "x.txt");
        rigproof_refuses(cases[i][0], "render", cases[i][0], "-o", "x.png");
    }
    rigproof_refuses("missing.glb", "dump", WALKER, "--clips-from", "missing.glb");
    assert_string_equal(scratch_listing(), "folder.glb pipe.glb");
}

SCRATCH_TEST(missing_clip_and_camera_are_explained)
{
    const char *err = rigproof_fails(2, "dump", WALKER, "--clip", "wakl")->err;
    assert_contains(err, "did you mean `walk`?", "idle, walk, wave");
    rigproof_refuses("no clip `7`", "render", WALKER, "--clip", "7", "-o", "x.png");
    rigproof_refuses("no camera `Main`", "render", WALKER, "--camera", "file:Main", "-o", "x.png");
    rigproof_refuses("no clips at all", "dump", FIXTURES "/pieces/body.glb", "--clip", "walk");
    rigproof_refuses("no clips", "dump", WALKER, "--clips-from", FIXTURES "/pieces/body.glb");
    rigproof_refuses("--clips-from", "dump", FIXTURES "/strip/strip.gltf", "--clips-from", WALKER);
    assert_string_equal(scratch_listing(), "");
}

/* ---- the manual page ------------------------------------------------------------------------------------------------- */

static const char *page(void)
{
    return rigproof_good("help", "--man")->out;
}

/* "\\fB\\-\\-dry\\-run\\fR" for "--dry-run". */
static bool has_option(const char *manual, const char *option, size_t length)
{
    SCOPED(text) roff = {0};
    text_add(&roff, "\\fB");
    for (size_t i = 0; i < length; i++)
        text_addf(&roff, "%s%c", option[i] == '-' ? "\\" : "", option[i]);
    text_add(&roff, "\\fR");
    bool has = strstr(manual, text_string(&roff)) != NULL;
    return has;
}

static size_t check_command(const char *command)
{
    const char *manual = rigproof_good("help", "--man", command)->out;
    enum { COLUMN = 6 }; /* of "--all" in a line of options, whether it has a letter or not */
    size_t found = 0;
    for (const char *line = rigproof_good(command, "--help", "all")->out; line; line = strchr(line, '\n'), line += line != NULL) {
        const char *option = strncmp(line, "  ", 2) == 0 && strcspn(line, "\n") > COLUMN ? line + COLUMN : "";
        size_t length = strspn(option, "-abcdefghijklmnopqrstuvwxyz");
        if (strncmp(option, "--", 2) != 0 || strncmp(line, "  -h", 4) == 0)
            continue;
        found++;
        if (!has_option(manual, option, length))
            fail_msg("%.*s of %s is not in the manual", (int)length, option, command);
    }
    return found;
}

SCRATCH_TEST(manual_has_every_option_of_every_command)
{
    size_t count = 0, options = 0;
    for (const char *line = rigproof_good("--help")->out; line; line = strchr(line, '\n'), line += line != NULL) {
        char name[32] = "";
        if (sscanf(line, "  %31[a-z]", name) != 1 || strncmp(line, "  ", 2) != 0)
            continue;
        count++;
        options += check_command(name);
        assert_contains(page(), at(".TP\n.BR rigproof\\-%s (1)\n", name));
    }
    assert_true(count >= 13);
    assert_true(options > 150);
}

static void check_sections(const char *text, const char *const *sections)
{
    for (; *sections; sections++) {
        const char *heading = at("\n.SH %s\n", *sections);
        text = strstr(text, heading);
        if (!text)
            fail_msg("%s is not where it belongs", *sections);
    }
}

SCRATCH_TEST(manual_has_its_sections_in_order)
{
    static const char *const all[] = {"NAME",        "SYNOPSIS", "DESCRIPTION", "COMMANDS", "SETTINGS",
                                      "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO", NULL};
    static const char *const one[] = {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO", NULL};
    const char *check = rigproof_good("help", "--man", "check")->out;
    check_sections(page(), all);
    check_sections(check, one);
    assert_contains(check, "rigproof\\-check \\- run cases", "\nrigproof check golden/suite.yaml");
    assert_null(strstr(check, "rigproof render")); /* examples of its own */
    assert_contains(page(), "A suite has keys of the same names for its cases, but for\n.B \\-\\-shader\\-map,\n.B \\-\\-backend,\n.B \\-\\-sheet\n");
}

static bool is_installed(const char *program)
{
    const char *command = at("command -v %s >/dev/null", program);
    return system(command) == 0;
}

SCRATCH_TEST(manual_renders_without_warnings)
{
    static const char *const pages[] = {NULL, "check", "render", "help", "subject"}; /* of each kind */
    size_t size = 0;
    if (!is_installed("groff") && !is_installed("mandoc"))
        skip();
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        spill("page.1", rigproof_good("help", "--man", pages[i])->out);
        if (is_installed("groff")) {
            shell("groff -man -ww -Tascii page.1 >page.txt 2>warnings.txt");
            assert_string_equal(slurp("warnings.txt", NULL), "");
            slurp("page.txt", &size);
            assert_true(size > 2000);
        }
        if (is_installed("mandoc"))
            shell("mandoc -T lint -W warning page.1");
    }
}

/* ---- output: a failure leaves the old file and nothing else ---------------------------------------------------------- */

/* The three commands that write files, as arguments up to the name. */
static const struct {
    const char *command, *option[4];
} writers[] = {
    {"render", {"--size", "16x16", "-o", NULL}},
    {"dump", {"--format", "json", "-o", NULL}},
    {"inspect", {"--repair", "all", "-o", NULL}},
};
enum { WRITERS = sizeof writers / sizeof writers[0], NOBODY = 65534 };

static const struct outcome *write_to(const struct run_options *options, int w, const char *path)
{
    const char *const *o = writers[w].option;
    return rigproof_with(options, writers[w].command, WALKER, o[0], o[1], o[2], path, NULL);
}

static const struct run_options plain = {0};

SCRATCH_TEST(missing_folders_are_made_and_old_files_replaced)
{
    for (int w = 0; w < WRITERS; w++) {
        run_gives(0, write_to(&plain, w, "a/b/c/out"));
        assert_true(exists("a/b/c/out"));
        unlink("a/b/c/out");
        spill("out", "old");
        run_gives(0, write_to(&plain, w, "./out"));
        assert_string_not_equal(slurp("out", NULL), "old");
        assert_string_equal(scratch_listing(), "a out");
    }
}

/* The disk is full: a file may have 100 bytes. */
SCRATCH_TEST(full_disk_keeps_the_old_file)
{
    for (int w = 0; w < WRITERS; w++) {
        spill("out", "old");
        const struct outcome *outcome = run_fails(2, write_to(&(struct run_options){.file_size_limit = 100}, w, "out"));
        assert_contains(outcome->err, "cannot write out: ");
        assert_string_equal(slurp("out", NULL), "old");
        assert_string_equal(scratch_listing(), "out");
    }
}

SCRATCH_TEST(read_only_folder_keeps_the_old_file)
{
    spill("locked/out", "old");
    chmod("locked/out", 0666);
    chmod("locked", 0555);
    for (int w = 0; w < WRITERS; w++) {
        const struct outcome *outcome = write_to(&(struct run_options){.user = NOBODY}, w, "locked/out");
        if (outcome->status == 127)
            skip_because("an ordinary user may not run %s here", RIGPROOF_BINARY);
        run_fails(2, outcome);
        assert_contains(outcome->err, "Permission denied");
        assert_string_equal(slurp("locked/out", NULL), "old");
        outcome = run_fails(2, write_to(&(struct run_options){.user = NOBODY}, w, "locked/new/out"));
        assert_contains(outcome->err, "cannot make the folder locked/new");
    }
    assert_string_equal(scratch_listing(), "locked");
}

SCRATCH_TEST(impossible_places_are_refused)
{
    spill("file", "old");
    mkdir("folder", 0777);
    for (int w = 0; w < WRITERS; w++) {
        run_fails(2, write_to(&plain, w, "file/out"));
        run_fails(2, write_to(&plain, w, "folder"));
        run_fails(2, write_to(&plain, w, ""));
    }
    assert_string_equal(slurp("file", NULL), "old");
    assert_string_equal(scratch_listing(), "file folder");
}

SCRATCH_TEST(stdout_that_fails_is_an_error)
{
    for (int w = 0; w < WRITERS; w++) {
        assert_contains(run_fails(2, write_to(&(struct run_options){.output = "/dev/full"}, w, "-"))->err, "stdout");
        run_fails(2, write_to(&(struct run_options){.closed_output = true}, w, "-"));
    }
    static const char *const texts[][2] = {{"render", "--help"}, {"help", "render"}, {"help", "--man"}, {"help", "--completion=bash"}, {"--version", NULL}};
    const struct run_options full = {.output = "/dev/full"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        run_fails(2, rigproof_with(&full, texts[i][0], texts[i][1], NULL));
    assert_int_not_equal(rigproof_with(&full, "doctor", NULL)->status, 0);
}

/* As root, a rename would put a file in place of the device. A link stands for it here. */
SCRATCH_TEST(devices_stay_devices)
{
    struct stat st;
    assert_int_equal(symlink("/dev/null", "null"), 0);
    for (int w = 0; w < WRITERS; w++)
        run_gives(0, write_to(&plain, w, "null"));
    assert_int_equal(lstat("null", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_string_equal(scratch_listing(), "null");
}

/* glibc's loader lists what it would load, and runs nothing; others run the program. What `review` and ZIPs need comes
 * later. */
SCRATCH_TEST(costly_libraries_are_not_loaded)
{
    setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
    const struct outcome *list = rigproof_good("--version");
    unsetenv("LD_TRACE_LOADED_OBJECTS");
    assert_lacks(list->out, "libmicrohttpd", "libzip", "libGL");
}
