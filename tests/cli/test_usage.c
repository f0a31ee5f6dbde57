/* Help, mistakes in the command line, and the exit codes that go with them. */
#include "cmocka_setup.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "run_binary.h"
#include "suite/setting/settings.h"

#define WALKER FIXTURES "/walker/walker.glb"

static const struct {
    const char *name;
    unsigned groups;
    const char *own; /* an option that only this command has, or has in another form */
} commands[] = {
    {"inspect", SETTING_IMPORT, "--json"},
    {"render", SETTING_IMPORT | SETTING_CLIP | SETTING_TIME | SETTING_DRAW, "-o, --output OUT.png"},
    {"turntable", SETTING_IMPORT | SETTING_CLIP | SETTING_DRAW, "--frames N"},
    {"dump", SETTING_IMPORT | SETTING_CLIP | SETTING_TIME, "--format text|json|jsonl|csv|obj"},
    {"doctor", 0, "--json"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void help_lists_every_option(void **state)
{
    (void)state;
    for (int c = 0; c < COMMANDS; c++) {
        const struct outcome *help = rigproof_good(commands[c].name, "--help");
        assert_string_equal(help->err, "");
        assert_contains(help->out, "usage: rigproof ");
        assert_contains(help->out, commands[c].name);
        assert_contains(help->out, commands[c].own);
        for (size_t i = 0; i < setting_count; i++) {
            char option[64];
            snprintf(option, sizeof option, " --%s ", setting_table[i].name);
            bool listed = strstr(help->out, option) != NULL;
            if (strcmp(commands[c].name, "turntable") == 0 && setting_table[i].group == SETTING_TIME)
                continue; /* it has a --time, --frames and --fps of its own */
            if (listed != ((setting_table[i].group & commands[c].groups) != 0))
                fail_msg("%s --help %s%s", commands[c].name, listed ? "lists" : "does not list", option);
            if (listed) { /* the first line of what it says */
                char line[256];
                snprintf(line, sizeof line, "%.*s\n", (int)strcspn(setting_table[i].help, "\n"), setting_table[i].help);
                assert_contains(help->out, line);
            }
        }
        assert_string_equal(rigproof_good("help", commands[c].name)->out, help->out);
        assert_string_equal(rigproof_good(commands[c].name, "-h")->out, help->out);
    }
}

static void program_help_lists_every_command(void **state)
{
    (void)state;
    const struct outcome *help = rigproof_good("--help");
    for (int c = 0; c < COMMANDS; c++)
        assert_contains(help->out, commands[c].name);
    assert_string_equal(rigproof_good("help")->out, help->out);
    assert_string_equal(rigproof_good("-h")->out, help->out);
    const struct outcome *none = require_status(rigproof(NULL, NULL), 2, __FILE__, __LINE__);
    assert_string_equal(none->out, "");
    assert_contains(none->err, "usage: rigproof");
}

static void version_says_both(void **state)
{
    (void)state;
    const struct outcome *version = rigproof_good("--version");
    assert_int_equal(strncmp(version->out, "rigproof ", 9), 0);
    assert_contains(version->out, "(Assimp ");
    assert_int_equal(count_lines(version->out), 1);
}

static void mistyped_commands_are_guessed(void **state)
{
    (void)state;
    assert_contains(rigproof_fails(2, "rendr")->err, "did you mean `render`?");
    assert_contains(rigproof_fails(2, "turntabel", "x.glb")->err, "did you mean `turntable`?");
    assert_contains(rigproof_fails(2, "help", "dmup")->err, "did you mean `dump`?");
    assert_contains(rigproof_fails(2, "frobnicate")->err, "rigproof --help");
    rigproof_fails(2, "");
}

static void mistyped_options_are_guessed(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"render", "--siez", "did you mean --size?"},
        {"render", "--backgruond=ff0000", "did you mean --background?"},
        {"dump", "--tiem=1", "did you mean --time?"},
        {"dump", "--fromat", "did you mean --format?"},
        {"inspect", "--jsno", "did you mean --json?"},
        {"turntable", "--frame", "did you mean --frames?"},
        {"doctor", "--jsonn", "did you mean --json?"},
        {"inspect", "--clip-from", "did you mean --clips-from?"},
        {"render", "--frobnicate", "see rigproof render --help"},
        {"inspect", "--size", "no option --size"},
        {"dump", "--camera", "no option --camera"},
        {"render", "-x", "no option -x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_contains(rigproof_fails(2, cases[i][0], cases[i][1], WALKER)->err, cases[i][2]);
}

static void what_is_missing_or_too_much_is_said(void **state)
{
    (void)state;
    assert_contains(rigproof_fails(2, "inspect")->err, "usage: rigproof inspect MODEL");
    assert_contains(rigproof_fails(2, "inspect", WALKER, "b.glb")->err, "`b.glb`");
    assert_contains(rigproof_fails(2, "render", WALKER)->err, "-o");
    assert_contains(rigproof_fails(2, "turntable", WALKER)->err, "-o");
    assert_contains(rigproof_fails(2, "dump", WALKER, "--time")->err, "--time wants a value");
    assert_contains(rigproof_fails(2, "render", WALKER, "-o")->err, "wants a value");
    assert_contains(rigproof_fails(2, "inspect", WALKER, "--json=yes")->err, "--json takes no value");
    assert_contains(rigproof_fails(2, "doctor", "something")->err, "`something`");
    assert_string_equal(scratch_listing(), "");
}

static void bad_values_name_the_option(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"render", "--size", "640"},      {"render", "--background", "red"},    {"dump", "--time", "soon"},
        {"dump", "--frames", "5"},        {"dump", "--format", "jsno"},         {"turntable", "--frames", "0"},
        {"turntable", "--frames", "1.5"}, {"turntable", "--loops", "-1"},       {"turntable", "--fps", "x"},
        {"turntable", "--pitch", "nan"},  {"dump", "--space", "world"},         {"inspect", "--repair", "fbx"},
        {"render", "--backend", "glx"},   {"inspect", "--import-timeout", "0"}, {"inspect", "--import-memory", "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_contains(rigproof_fails(2, cases[i][0], cases[i][1], cases[i][2], WALKER, "-o", "x.png")->err,
                        cases[i][1]);
    assert_contains(rigproof_fails(2, "dump", "--format", "jsno", WALKER)->err, "`json`");
    assert_string_equal(scratch_listing(), "");
}

/* What would do nothing was meant to do something; a film of listed times has a rate, too. */
static void options_without_effect_are_refused(void **state)
{
    (void)state;
    assert_contains(rigproof_fails(2, "dump", WALKER, "--fps", "24")->err, "--fps is the rate of --frames");
    assert_contains(rigproof_fails(2, "dump", WALKER, "--time", "0.5", "--frames", "0..3")->err,
                    "--time and --frames: only one of them may be given");
    assert_contains(rigproof_fails(2, "render", WALKER, "--play", "--times", "auto", "-o", "a{frame}.png")->err,
                    "--play and --times auto: only one of them may be given");
    rigproof_good("dump", WALKER, "--time", "0.5", "--times", "0.25"); /* the same way twice: the last counts */
    assert_contains(rigproof_fails(2, "dump", WALKER, "--fps", "24", "--times", "auto")->err, "--fps");
    assert_contains(rigproof_fails(2, "render", WALKER, "--fps", "24", "--time", "0.5", "-o", "a.png")->err, "--fps");
    assert_contains(rigproof_fails(2, "dump", WALKER, "--samples", "3", "--time", "0,1")->err, "add --times auto");
    assert_contains(rigproof_fails(2, "render", WALKER, "--samples", "3", "-o", "a.png")->err, "add --times auto");
    rigproof_good("dump", WALKER, "--samples", "3", "--times", "auto", "-o", "a.txt");
    rigproof_good("dump", WALKER, "--fps", "12", "--frames", "0..1", "-o", "a.txt");
    rigproof_good("render", WALKER, "--fps", "12", "--time", "0,0.5", "--size", "16x16", "-o", "{frame}.png");
    assert_string_equal(scratch_listing(), "0.png 1.png a.txt");
}

static void options_are_taken_in_every_form(void **state)
{
    (void)state;
    const char *expected = rigproof_good("dump", WALKER, "--time", "0.5", "--format", "json")->out;
    assert_string_equal(rigproof_good("dump", "--time=0.5", "--format=json", WALKER)->out, expected);
    assert_string_equal(rigproof_good("dump", "-f", "json", "--time", "0.5", "--", WALKER)->out, expected);
    assert_string_equal(rigproof_good("dump", "-fjson", WALKER, "--time", "9", "--time", "0.5")->out, expected);
    assert_string_equal(rigproof_good("dump", "--json", WALKER, "--time", "0.5")->out, expected);
    rigproof_good("dump", WALKER, "--json", "--time", "0.5", "-oout.json");
    assert_string_equal(slurp("out.json", NULL), expected);
    assert_contains(rigproof_fails(2, "inspect", "--", "--json")->err, "--json: "); /* a file of that name */
}

static void unreadable_models_are_refused(void **state)
{
    (void)state;
    mkdir("folder.glb", 0777);
    mkfifo("pipe.glb", 0666);
    static const char *const cases[][2] = {{"missing.glb", "No such file"},
                                           {"folder.glb", "not a file"},
                                           {"pipe.glb", "not a file"},
                                           {"", "No such file"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_contains(rigproof_fails(2, "inspect", cases[i][0])->err, cases[i][1]);
        assert_contains(rigproof_fails(2, "dump", cases[i][0], "-o", "x.txt")->err, cases[i][0]);
        assert_contains(rigproof_fails(2, "render", cases[i][0], "-o", "x.png")->err, cases[i][0]);
    }
    assert_contains(rigproof_fails(2, "dump", WALKER, "--clips-from", "missing.glb")->err, "missing.glb");
    assert_string_equal(scratch_listing(), "folder.glb pipe.glb");
}

static void missing_clip_and_camera_are_explained(void **state)
{
    (void)state;
    const char *err = rigproof_fails(2, "dump", WALKER, "--clip", "wakl")->err;
    assert_contains(err, "did you mean `walk`?");
    assert_contains(err, "idle, walk, wave");
    assert_contains(rigproof_fails(2, "render", WALKER, "--clip", "7", "-o", "x.png")->err, "no clip `7`");
    assert_contains(rigproof_fails(2, "render", WALKER, "--camera", "file:Main", "-o", "x.png")->err,
                    "no camera `Main`");
    assert_contains(rigproof_fails(2, "dump", FIXTURES "/pieces/body.glb", "--clip", "walk")->err, "no clips at all");
    assert_contains(rigproof_fails(2, "dump", WALKER, "--clips-from", FIXTURES "/pieces/body.glb")->err, "no clips");
    assert_contains(rigproof_fails(2, "dump", FIXTURES "/strip/strip.gltf", "--clips-from", WALKER)->err,
                    "--clips-from");
    assert_string_equal(scratch_listing(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(help_lists_every_option),
        scratch_test(program_help_lists_every_command),
        scratch_test(version_says_both),
        scratch_test(mistyped_commands_are_guessed),
        scratch_test(mistyped_options_are_guessed),
        scratch_test(what_is_missing_or_too_much_is_said),
        scratch_test(bad_values_name_the_option),
        scratch_test(options_without_effect_are_refused),
        scratch_test(options_are_taken_in_every_form),
        scratch_test(unreadable_models_are_refused),
        scratch_test(missing_clip_and_camera_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
