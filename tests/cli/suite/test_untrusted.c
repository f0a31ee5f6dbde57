/* Models, suites, shaders and links of somebody who means ill: what a pull request may hold. */

#include <signal.h>
#include <time.h>

#include "base/utf8.h"
#include "suite_runs.h"

static const char suite_of_strip[] =
    "version: 1\ngoldens: golden\ndefaults: {size: [32, 32]}\ncases:\n"
    "  - {name: strip, model: strip.gltf, clip: linear-rotation, times: [0.25]}\n";

/* A repository with a suite, and folders beside it that are somebody's. */
static int enter_repository(void **state)
{
    if (scratch_enter(state) != 0)
        return -1;
    shell("mkdir -p repository/.git elsewhere");
    copy_file(STRIP, "repository/strip.gltf");
    spill("repository/suite.yaml", suite_of_strip);
    return chdir("repository");
}

#define REPOSITORY_TEST(name) TEST_WITH(name, enter_repository, scratch_leave)

static void assert_nothing_elsewhere(void)
{
    assert_string_equal(contents("../elsewhere"), "");
}

REPOSITORY_TEST(reports_do_not_go_through_links)
{
    static const char *const reports[] = {"results.json", "report.html", "junit.xml"};
    mkdir("out", 0777);
    mkdir("out/check", 0777);
    for (size_t i = 0; i < 3; i++) {
        const char *path = at("out/check/%s", reports[i]);
        assert_int_equal(symlink("../../../elsewhere/stolen", path), 0);
        rigproof_refuses(at("%s is a link", path), "check", "suite.yaml");
        rigproof_refuses(at("%s is a link", path), "accept", "suite.yaml");
        unlink(path);
    }
    assert_nothing_elsewhere();
}

/* A link that leads nowhere yet is none of the files that an earlier run left: it is still there when the case is written. */
REPOSITORY_TEST(pictures_do_not_go_through_links)
{
    shell("mkdir -p out/check/strip");
    spill("out/check/.lock", "");
    assert_int_equal(symlink("../../../../elsewhere/stolen.png", "out/check/strip/0.250.png"), 0);
    rigproof_gives(1, "check", "suite.yaml");
    assert_statuses("strip error");
    assert_contains(result_of("strip", "headline"), "out/check/strip/0.250.png is a link");
    assert_nothing_elsewhere();
}

/* Inside the repository a link may be of a commit, and whoever means it says so. */
REPOSITORY_TEST(output_does_not_go_over_links)
{
    static const char *const links[][2] = {{"out", "../elsewhere"}, {"out", "build"}, {"out/check", "../../elsewhere"}, {"out/check", "nowhere"}};
    mkdir("build", 0777);
    for (size_t i = 0; i < 4; i++) {
        mkdir("out", 0777);
        if (i < 2)
            rmdir("out");
        assert_int_equal(symlink(links[i][1], links[i][0]), 0);
        rigproof_refuses("is a link, which a commit may have put into ", "check", "suite.yaml");
        rigproof_refuses(at("%s is a link", links[i][0]), "check", "suite.yaml", "-o", "out/check");
        rigproof_refuses("is a link", "accept", "suite.yaml");
        unlink(links[i][0]);
    }
    assert_nothing_elsewhere();
    rmdir("out");
    assert_int_equal(symlink("../elsewhere", "out"), 0);
    spill("results.json", "{}");
    for (int i = 0; i < 4; i++) {
        static const char *const options[] = {"-o", "--html", "--junit", "--json"};
        rigproof_refuses("is a link", "report", "results.json", options[i], "out/a");
    }
    assert_nothing_elsewhere();
    rigproof_gives(1, "check", "suite.yaml", "--allow-outside");
    rigproof_gives(1, "check", "suite.yaml", "-o", "../elsewhere/of-its-own");
    assert_true(exists("../elsewhere/check/junit.xml") && exists("../elsewhere/of-its-own/junit.xml"));
}

/* Mesa runs what is in its cache, and --cache believes it: neither may be of a commit. */
REPOSITORY_TEST(caches_are_not_of_a_commit)
{
    if (system("git --version >log 2>&1 && rmdir .git && git init -q") != 0) {
        print_message("skipped: no git\n");
        return;
    }
    rigproof_gives(0, "accept", "suite.yaml");
    assert_int_equal(system("mkdir -p theirs/mesa_shader_cache theirs/rigproof ours && head -c 32 /dev/zero >theirs/rigproof/cache-key && "
                            "chmod 600 theirs/rigproof/cache-key && echo x >theirs/mesa_shader_cache/x && git add theirs && ln -s ours link"), 0);
    const char *here = at("%s/repository", scratch_path());
    static const struct {
        const char *folder, *why;
    } rows[] = {{"theirs", "git tracks it"}, {"theirs/mesa_shader_cache", "git tracks it"}, {"link", "link is a link"},
                {"link/deep", "link is a link"}, {"ours", NULL}, {"new", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const environments[][2] = {{at("MESA_SHADER_CACHE_DIR=%s/%s", here, rows[i].folder), NULL},
                                               {at("XDG_STATE_HOME=%s/%s", here, rows[i].folder), NULL}};
        const struct outcome *runs[] = {
            rigproof("check", "suite.yaml", "--cache", rows[i].folder, NULL),
            rigproof_with(&(struct run_options){.environment = environments[0]}, "check", "suite.yaml", NULL),
            rigproof_with(&(struct run_options){.environment = environments[1]}, "check", "suite.yaml", "--cache", "../elsewhere", NULL)};
        for (int k = 0; k < (i == 1 ? 2 : 3) && rows[i].why; k++) /* no key is below that one */
            assert_contains(run_fails(2, runs[k])->err, rows[i].why);
        for (int k = 0; k < 3 && !rows[i].why; k++)
            run_gives(0, runs[k]);
    }
    assert_false(exists("theirs/index"));
}

REPOSITORY_TEST(diff_and_report_do_not_go_through_links)
{
    rigproof_gives(0, "accept", "suite.yaml");
    copy_folder("golden", "other");
    tint("other/strip/0.250.png", 100, 90);
    mkdir("d", 0777);
    assert_int_equal(symlink("../../elsewhere", "d/strip"), 0);
    assert_contains(rigproof("diff", "golden", "other", "-o", "d", NULL)->err, "d/strip is a link");
    unlink("d/strip");
    assert_int_equal(symlink("../../elsewhere/stolen", "d/report.html"), 0);
    assert_contains(rigproof("diff", "golden", "other", "-o", "d", NULL)->err, "d/report.html is a link");
    rigproof_gives(0, "check", "suite.yaml");
    assert_contains(rigproof("report", "out/check/results.json", "-o", "d", NULL)->err, "d/report.html is a link");
    assert_nothing_elsewhere();
}

/* A whole name is the person's own; the names of a sequence nobody has looked at. */
REPOSITORY_TEST(sequences_do_not_go_through_links)
{
    assert_int_equal(symlink("../elsewhere/a.png", "f_1.png"), 0);
    assert_int_equal(symlink("../elsewhere/a.csv", "f_1.csv"), 0);
    const struct outcome *outcome =
        rigproof("render", "strip.gltf", "--size", "16x16", "--frames", "0..2", "-o", "f_{frame}.png", NULL);
    assert_contains(run_gives(2, outcome)->err, "f_1.png is a link");
    outcome = rigproof("dump", "strip.gltf", "--frames", "0..2", "-o", "f_{frame}.csv", NULL);
    assert_contains(run_gives(2, outcome)->err, "f_1.csv is a link");
    assert_nothing_elsewhere();
    rigproof_good("dump", "strip.gltf", "--time", "0", "-o", "f_1.csv");
    assert_true(exists("../elsewhere/a.csv"));
}

/* In JSON; every name of the model begins with one of them, so that each is the first of a line somewhere. */
#define BREAKS "\\n::stop-commands::x\\r\\n##[error]y\\u001b[2J\\u009b2J\\u0085z\\u2028a\\u202eb##vso[task.setvariable]"
#define BEGINS "::stop-commands::x " BREAKS

static void add_replaced(struct text *out, const char *source, const char *const (*pairs)[2], size_t count)
{
    for (const char *c = source; *c;) {
        size_t i = 0;
        while (i < count && strncmp(c, pairs[i][0], strlen(pairs[i][0])) != 0)
            i++;
        text_add_bytes(out, i < count ? pairs[i][1] : c, i < count ? strlen(pairs[i][1]) : 1);
        c += i < count ? strlen(pairs[i][0]) : 1;
    }
}

static void write_model(const char *path, const char *source)
{
    static const char *const pairs[][2] = {
        {"\"name\": \"rig\"", "\"name\": \"" BEGINS "r\""},
        {"\"name\": \"base\"", "\"name\": \"" BREAKS "b\""},
        {"\"name\": \"tip\"", "\"name\": \" " BEGINS "t\""},
        {"\"name\": \"strip\"", "\"name\": \"" BEGINS "s\""},
        {"\"name\": \"paper\"", "\"name\": \"" BREAKS "p\""},
        {"\"name\": \"strip-mesh\"", "\"name\": \"" BEGINS "m\""},
        {"\"name\": \"linear-rotation\"", "\"name\": \"" BEGINS "l\""},
        {"\"name\": \"stand\"", "\"name\": \"" BEGINS "st\""},
        {"\"name\": \"grid\"", "\"name\": \"" BEGINS "g\""},
        {"\"name\": \"grid-mesh\"", "\"name\": \"" BREAKS "g\""},
        {"\"name\": \"linear-weights\"", "\"name\": \"" BREAKS "lw\""},
        {"[\"bulge\"", "[\"" BEGINS "bu\""},
    };
    SCOPED(text) model = {0};
    add_replaced(&model, slurp(source, NULL), pairs, sizeof pairs / sizeof pairs[0]);
    spill(path, text_string(&model));
}

/* As a build server reads a log: blanks are cut off, "::" begins a command, "##[" and "##vso[" do anywhere. */
static void assert_harmless(const char *what, const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line + strspn(line, " \t"), "::", 2) == 0)
            fail_msg("%s: a command: %.60s", what, line);
    if (strstr(text, "##[") || strstr(text, "##vso["))
        fail_msg("%s: ##[", what);
    for (const char *c = text; *c;) {
        size_t n = utf8_length(c);
        if (n == 0 || (*c != '\n' && *c != '\t' && utf8_is_hidden(utf8_code_point(c, n))))
            fail_msg("%s: byte %02x at %.40s", what, (unsigned char)*c, c);
        c += n;
    }
}

static void says_nothing_harmful(const struct outcome *outcome)
{
    assert_harmless(outcome->command, outcome->out);
    assert_harmless(outcome->command, outcome->err);
}

static const char evil_file[] = "\n::stop-commands::\x1b[2J\xe2\x80\xae##[error].gltf";

SCRATCH_TEST(names_are_no_commands)
{
    static const char *const lines[][8] = {
        {"inspect", evil_file},
        {"inspect", evil_file, "--bones"},
        {"dump", evil_file, "--clip", "1"},
        {"dump", evil_file, "--format", "csv"},
        {"dump", evil_file, "--format", "obj"},
        {"dump", evil_file, "--clip", "no such"},
        {"dump", evil_file, "--bone", "no\n::such"},
        {"render", evil_file, "--palette", "all", "--size", "16x16"},
        {"render", evil_file, "-o", "{clip}.png", "--clip", "4", "--size", "16x16", },
        {"render", "\n::stop-commands::"},
        {"\n::stop-commands::"},
        {"check", evil_file},
        {"diff", evil_file, evil_file},
        {"report", evil_file},
    };
    write_model(evil_file, STRIP);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        says_nothing_harmful(rigproof(lines[i][0], lines[i][1], lines[i][2], lines[i][3], lines[i][4], lines[i][5],
                                      lines[i][6], lines[i][7], NULL));
    write_model(evil_file, FIXTURES "/strip/morph.gltf");
    says_nothing_harmful(rigproof_good("inspect", evil_file));
    says_nothing_harmful(rigproof_good("dump", evil_file));
    says_nothing_harmful(rigproof_good("dump", evil_file, "--format", "csv"));
}

/* For programs a name is what it is. */
SCRATCH_TEST(json_has_names_as_they_are)
{
    write_model("m.gltf", STRIP);
    rigproof_good("inspect", "m.gltf", "--json", "-o", "import.json");
    assert_string_equal(json_at("import.json", "nodes[0].name"),
                        "::stop-commands::x \n::stop-commands::x\r\n##[error]y\x1b[2J\xc2\x9b" "2J\xc2\x85z\xe2\x80\xa8"
                        "a\xe2\x80\xae" "b##vso[task.setvariable]r");
    const struct outcome *dump = rigproof_good("dump", "m.gltf", "--format", "json");
    assert_contains(dump->out, "\"name\": \"::stop-commands::x \\n::stop");
    says_nothing_harmful(dump);
    says_nothing_harmful(rigproof_good("inspect", "m.gltf", "--json"));
    says_nothing_harmful(rigproof_good("inspect", "m.gltf", "--bones", "--json"));
    says_nothing_harmful(rigproof_good("dump", "m.gltf", "--format", "jsonl"));
}

/* A case of such a model that fails at every stage, in all reports. */
SCRATCH_TEST(reports_are_no_commands)
{
    write_model("m.gltf", STRIP);
    write_suite("  - {name: a, model: m.gltf, clip: 4, times: [0.25, 0.75]}\n");
    accept_gives(0, NULL);
    tamper(import_of("golden/a"), "nodes[2].local[3]", "5");
    tamper(import_of("golden/a"), "materials[0].base_color[0]", "0.25");
    tamper("golden/a/0.250.pose.json", "nodes[2].t[0]", "3");
    tint("golden/a/0.250.png", 100, 90);
    says_nothing_harmful(check_gives(1, NULL));
    says_nothing_harmful(check_gives(0, "--list", NULL));
    says_nothing_harmful(accept("--dry-run", NULL));
    assert_harmless("junit.xml", slurp("out/check/junit.xml", NULL));
    const struct outcome *outcome = rigproof_with(&on_github, "check", "suite.yaml", "--allow-outside", NULL);
    const char *command = strstr(outcome->out, "\n::error file=suite.yaml");
    assert_non_null(command);
    assert_int_equal(count_lines(command + 1), 1); /* ours is the only one, and nothing follows it */
    assert_null(strstr(outcome->out, "\n::stop"));
    assert_harmless("summary", slurp("summary.md", NULL));
}

/* The driver speaks of the user's source, and shows it. */
SCRATCH_TEST(shaders_are_no_commands)
{
    static const char evil_shader[] = "shaders/\n::stop-commands::\x1b[2J\xc2\x9b##[error].glsl";
    spill(evil_shader, "float x;\n");
    spill("shaders/lit.frag", "#version 330 core\n\xe2\x80\xa8::stop-commands::x \xc2\x9b" "2J\x1b[2J ##[error]\xe2\x80\xae\r\n"
                              "::stop-commands::y\n\tout vec4 c;\nvoid main() { c = vec4(nothing); }\n");
    const struct outcome *outcome = rigproof("render", STRIP, "--shaders", "shaders", "--size", "16x16", "-o", "a.png", NULL);
    says_nothing_harmful(run_gives(2, outcome));
    assert_contains(outcome->err, "is not used", "\\u001b[2J", "\tout vec4 c;\n");
}

/* 8^9 numbers to add: 25 GB for the driver. */
static void write_macro_bomb(void)
{
    SCOPED(text) source = {0};
    text_add(&source, "#version 330 core\n#define a0 0.+0.+0.+0.+0.+0.+0.+0.+\n");
    for (int i = 1; i < 9; i++) {
        text_addf(&source, "#define a%d", i);
        for (int k = 0; k < 8; k++)
            text_addf(&source, " a%d", i - 1);
        text_add(&source, "\n");
    }
    text_add(&source, "out vec4 c;\nvoid main(){c=vec4(a8 0.);}\n");
    spill("bomb/lit.frag", text_string(&source));
}

SCRATCH_TEST(memory_of_a_worker_has_a_limit)
{
    write_macro_bomb();
    write_suite(TWO_CASES "  - {name: bomb, model: " STRIP ", shaders: bomb, times: [0]}\n"
                          "  - {name: step, model: " STRIP ", clip: step-rotation, times: [0.25]}\n");
    const struct outcome *outcome = check_gives(1, "--memory", "900", "-j", "1", NULL);
    assert_statuses("strip missing, twins missing, bomb crash, step missing");
    assert_contains(outcome->out, "CRASH    bomb  needs more than 900 MiB (--memory)\n");
}

SCRATCH_TEST(a_command_has_limits)
{
    write_macro_bomb();
    const struct outcome *outcome = rigproof_fails(2, "render", STRIP, "--shaders", "bomb", "-o", "a.png", "--memory", "900");
    assert_string_equal(outcome->err, "error: render: needs more than 900 MiB (--memory)\n");
    outcome = rigproof_fails(2, "render", STRIP, "--shaders", "bomb", "-o", "a.png", "--timeout", "0.5");
    assert_string_equal(outcome->err, "error: render: not finished after 0.5 s (--timeout)\n");
    outcome = rigproof_fails(2, "dump", STRIP, "--frames", "0..99999", "--fps", "100000", "-o", "a.csv", "--timeout", "0.2");
    assert_string_equal(outcome->err, "error: dump: not finished after 0.2 s (--timeout)\n");
    outcome = rigproof_fails(2, "turntable", STRIP, "--film", "a.apng", "--frames", "100000", "--timeout", "0.5");
    assert_contains(outcome->err, "error: turntable: not finished after");
    rigproof_refuses("needs more than 1 MiB", "inspect", STRIP, "--memory", "1");
    rigproof_refuses("needs more than 1 MiB", "diff", FIXTURES, FIXTURES, "--memory", "1");
    assert_string_equal(scratch_listing(), "bomb");
}

static bool has_temporary(void)
{
    return strstr(scratch_listing(), ".new-") != NULL;
}

SCRATCH_TEST(a_stopped_command_leaves_nothing)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    static const char *const names[] = {"SIGINT", "SIGTERM", "SIGHUP"};
    for (int i = 0; i < 3; i++) {
        struct background *run =
            rigproof_start(&(struct run_options){0}, "dump", STRIP, "--frames", "0..99999", "-o", "a.csv", NULL);
        while (!has_temporary() && !exists("a.csv"))
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        kill(run->pid, stops[i]);
        assert_contains(run_gives(128 + stops[i], rigproof_await(run))->err, at("error: stopped by %s; ", names[i]));
        assert_string_equal(scratch_listing(), "");
    }
}
