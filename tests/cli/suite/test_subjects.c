/* Programs under test: run when asked to, held against the reference or a golden; what they do badly costs their case alone. */

#include "suite_runs.h"

/* A subject of shell: says hello, and then what the test wants; `count` lines later the same again. */
static void write_subject_giving(const char *gives, const char *name, const char *answers)
{
    spill(name,
          at("read line\n"
             "echo '{\"protocol\": \"rigproof.subject/1\", \"name\": \"odd\", \"version\": \"3\", \"gives\": [%s]}'\n"
             "while read line; do\n"
             "  id=${line#*\"id\\\": \"}; id=${id%%%%,*}\n"
             "  %s\n"
             "done\n",
             gives, answers));
}

static void write_subject(const char *name, const char *answers)
{
    write_subject_giving("\"nodes\", \"palette\", \"skin\"", name, answers);
}

/* suite.yaml with the subjects `self`, which is rigproof, and `odd`. */
static void write_subjects(const char *cases)
{
    spill("suite.yaml", at("version: 1\n"
                           "goldens: golden\n"
                           "subjects:\n"
                           "  self: {command: [%s, subject]}\n"
                           "  odd: {command: [sh, odd.sh], timeout: 2, memory: 200, env: {ODD: very}}\n"
                           "defaults: {size: [64, 64]}\n"
                           "cases:\n%s",
                           RIGPROOF_BINARY, cases));
}

#define STRIP_CASE "  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75], "
#define ODD_CASE STRIP_CASE "subject: odd}\n"

SCRATCH_TEST(nothing_runs_uninvited)
{
    write_subjects(ODD_CASE);
    write_subject("odd.sh", "touch ran");
    const struct outcome *outcome = check_fails(2, NULL);
    assert_contains(outcome->err, "case strip@odd runs the program sh, which nobody has agreed to: --allow-subjects");
    accept_fails(2, NULL);
    assert_false(exists("ran"));
    assert_contains(check_gives(0, "--list", NULL)->out, "strip@odd");
    write_subjects(STRIP_CASE "skip: true, reason: later, subject: odd}\n");
    check_gives(0, NULL);
}

SCRATCH_TEST(a_subject_is_held_against_the_reference)
{
    write_subjects(STRIP_CASE "subject: [self, odd]}\n");
    write_subject("odd.sh", "echo \"{\\\"id\\\": $id, \\\"error\\\": \\\"no such clip here, $ODD\\\"}\"");
    const struct outcome *outcome = check_gives(1, "--allow-subjects", NULL);
    assert_contains(outcome->out, "pass     strip@self  import, animate, palette and skin agree; draw: shown beside "
                                  "the reference, not compared\n");
    assert_contains(outcome->out, "ERROR    strip@odd  at 0.250 s: odd says: no such clip here, very\n");
    assert_contains(json_at("out/check/results.json", "cases[0].subject"), "rigproof ");
    assert_string_equal(json_at("out/check/results.json", "cases[1].subject"), "odd 3");
    assert_same_files("out/check/strip@self/0.250.golden.png", "out/check/strip@self/0.250.actual.png");
    assert_string_equal(json_at("out/check/results.json", "cases[0].times[0].image.state"), "shown");
    assert_contains(slurp("out/check/report.html", NULL), "\"strip@self/0.250.actual.png\": 1"); /* side by side on the page */
}

/* What is built lies somewhere else than the suite says. */
SCRATCH_TEST(a_subject_runs_another_program)
{
    write_subjects(STRIP_CASE "subject: self}\n" ODD_CASE);
    write_subject("odd.sh", "echo \"{\\\"id\\\": $id, \\\"error\\\": \\\"$0\\\"}\"");
    mkdir("built", 0777);
    assert_int_equal(symlink("/bin/sh", "built/shell"), 0);
    const struct outcome *outcome = check_gives(1, "--allow-subjects", "--program", "odd=built/shell", NULL);
    assert_contains(outcome->out, "pass     strip@self");
    assert_contains(outcome->out, "odd says: odd.sh"); /* the suite's argument */
    assert_contains(outcome->out, "--filter strip@odd --program odd=built/shell --allow-outside --allow-subjects");
    assert_contains(check_gives(1, "--allow-subjects", "--program", "odd=built/none", NULL)->out, "built/none");
    assert_contains(check_fails(2, "--program", "odd=built/shell", NULL)->err, "nobody has agreed to"); /* for the arguments are the suite's */
    assert_contains(check_fails(2, "--program", "even=built/shell", NULL)->err, "--program even=built/shell: the suite has no subject `even`");
    assert_contains(check_fails(2, "--program", "built/shell", NULL)->err, "expected NAME=PROGRAM");
    assert_contains(check_fails(2, "--program", "odd=", NULL)->err, "expected NAME=PROGRAM");
}

SCRATCH_TEST(a_wrong_palette_is_found_and_told_from_what_is_not_given)
{
    write_subjects(ODD_CASE);
    write_subject("odd.sh", "echo \"{\\\"id\\\": $id, \\\"palette\\\": [{\\\"bone\\\": \\\"root\\\", \\\"matrix\\\": "
                            "[1,0,0,9,0,1,0,0,0,0,1,0]}, "
                            "{\\\"bone\\\": \\\"tip\\\", \\\"matrix\\\": [1,0,0,0,0,1,0,0,0,0,1,0]}]}\"");
    const struct outcome *outcome = check_gives(1, "--allow-subjects", NULL);
    assert_contains(outcome->out, "\n  animate    not compared: not given by odd\n  palette    DIFFERS",
                    "  skin       not compared: not given by odd\n",
                    "  draw       not compared: not given by odd; its matrices are drawn beside the reference\n");
    assert_string_equal(json_at("out/check/results.json", "cases[0].times[0].image.state"), "shown");
    assert_false(files_equal("out/check/strip@odd/0.250.golden.png", "out/check/strip@odd/0.250.actual.png"));
}

/* rigproof as a subject, of whose requests a script of sed changes the time. */
static void write_subject_of_time(const char *script)
{
    spill("odd.sh", at("sed -u '%s' | '%s' subject\n", script, RIGPROOF_BINARY));
}

/* The case has one time, at which many a cause would do the same: the subject is asked for more. */
SCRATCH_TEST(causes_are_held_against_poses_that_the_case_has_not)
{
    write_subjects("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25], subject: odd}\n");
    write_subject_of_time("s/\"time\": 0.25,/\"time\": 0,/"); /* all other times are right */
    assert_null(strstr(check_gives(1, "--allow-subjects", NULL)->out, "cause:"));
    write_subject_of_time("s/\"time\": [0-9.]*,/\"time\": 0,/");
    const struct outcome *outcome = check_gives(1, "--allow-subjects", NULL);
    assert_contains(outcome->out, "cause      not-animated");
    assert_null(strstr(outcome->out, "linear-as-step"));
}

/* Its name and version, and how its numbers were understood. */
SCRATCH_TEST(every_report_names_the_subject)
{
    static const char told[] = "conventions of odd: matrices are stored as columns";
    write_subjects(STRIP_CASE "subject: [self, odd]}\n");
    write_subject("odd.sh",
                  "echo \"{\\\"id\\\": $id, \\\"palette\\\": [{\\\"bone\\\": \\\"root\\\", \\\"matrix\\\": "
                  "[1,0,0,0,0,1,0,0,0,0,1,0,9,0,0,1]}, "
                  "{\\\"bone\\\": \\\"tip\\\", \\\"matrix\\\": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}\"");
    const struct outcome *outcome =
        run_gives(1, rigproof_with(&on_github, "check", "suite.yaml", "--allow-subjects", "--allow-outside", NULL));
    assert_contains(outcome->out, ",title=strip@odd%3A fail at palette (odd 3)::", told, "; subject rigproof ");
    assert_contains(slurp("summary.md", NULL), "<td>strip@odd (odd 3)</td>");
    assert_contains(slurp("out/check/junit.xml", NULL), "<property name=\"subject\" value=\"odd 3\"/>");
    assert_contains(slurp("out/check/junit.xml", NULL), "<property name=\"subject\" value=\"rigproof ");
    assert_contains(slurp("out/check/report.html", NULL), told);
    assert_string_equal(json_at("out/check/results.json", "cases[1].subject"), "odd 3");
}

/* Crash, hang, garbage, flood, memory: each case is over, with the last words; the others go on. */
SCRATCH_TEST(what_it_does_badly_costs_its_case)
{
    static const struct {
        const char *answers, *says;
    } tries[] = {
        {"echo loading >&2; kill -SEGV $$",
         "CRASH    strip@odd0  odd0: crashed (SIGSEGV); its stderr ends with: loading"},
        {"exit 3", "CRASH    strip@odd1  odd1: ended with exit code 3 before it had answered"},
        {"sleep 60", "TIMEOUT  strip@odd2  odd2: gave no answer within 0.7 s"},
        {"echo Loading model", "ERROR    strip@odd3  odd3: answered `Loading model`, which is no JSON object"},
        {"exec cat /dev/zero", "ERROR    strip@odd4  odd4: answered with a line of more than 64 MiB"},
        {"yes >&2", "TIMEOUT  strip@odd5  odd5: gave no answer within 0.7 s"},
        {"echo \"{\\\"id\\\": 99}\"", "ERROR    strip@odd6  odd6: the answer's id is not 1, the request's"},
        {"echo \"{\\\"id\\\": $id}\"", "ERROR    strip@odd7  odd7: gives none of nodes, palette, skin and picture"},
        {"echo \"{\\\"id\\\": $id, \\\"palette\\\": [{\\\"bone\\\": \\\"tip\\\", \\\"matrix\\\": [NaN]}]}\"",
         "ERROR    strip@odd8  odd8: not valid JSON"},
        {"exec tail /dev/zero", "CRASH    strip@odd9  odd9: took more than 200 MiB of memory"},
        {"printf '{\"id\": %s}\\n{\"id\": %s}\\n' $id $id; sleep 60",
         "ERROR    strip@odd10  odd10: answered with more than one line"},
        {"printf '{\"id\": '; sleep 60", "TIMEOUT  strip@odd11  odd11: gave no answer within 0.7 s"},
        {"sleep 60 & exit 3", "CRASH    strip@odd12  odd12: ended with exit code 3 before it had answered"},
        {"exec >&-; sleep 60", "CRASH    strip@odd13  odd13: closed its stdout before it had answered"},
        {"echo \"{\\\"id\\\": $id, \\\"palette\\\": []}\"", "ERROR    strip@odd14  at 0.250 s: odd14: its palette is empty"},
        {"echo \"{\\\"id\\\": $id, \\\"skin\\\": []}\"", "ERROR    strip@odd15  at 0.250 s: odd15: none of its 0 skinned meshes"},
        {"echo \"{\\\"id\\\": $id, \\\"skin\\\": [{\\\"mesh\\\": \\\"a\\\", \\\"positions\\\": {\\\"file\\\": \\\"../x.f32\\\"}}]}\"",
         "ERROR    strip@odd16  odd16: skin[0].positions: `../x.f32` is no file's bare name"},
    };
    enum { COUNT = sizeof tries / sizeof tries[0] };
    SCOPED(text) suite = {0}, names = {0};
    for (int i = 0; i < COUNT; i++) {
        const char *timeout = strncmp(tries[i].says, "TIMEOUT", 7) == 0 ? "0.7" : "20";
        write_subject(at("odd%d.sh", i), tries[i].answers);
        text_addf(&suite, "  odd%d: {command: [sh, odd%d.sh], timeout: %s, memory: 200}\n", i, i, timeout);
        text_addf(&names, "odd%d, ", i);
    }
    spill("suite.yaml", at("version: 1\nsubjects:\n%s  self: {command: [" RIGPROOF_BINARY ", subject]}\ncases:\n" STRIP_CASE "subject: [%sself]}\n",
                           text_string(&suite), text_string(&names)));
    const struct outcome *outcome = check_gives(1, "--allow-subjects", "-j", "2", NULL);
    for (int i = 0; i < COUNT; i++)
        assert_contains(outcome->out, tries[i].says);
    assert_contains(outcome->out, "pass     strip@self");
}

SCRATCH_TEST(what_cannot_start_says_so)
{
    write_subjects(ODD_CASE);
    assert_contains(check_fails(2, "--subject", "./no-such-engine --x", NULL)->err,
                    "error: there is no program `./no-such-engine` to be asked: name its file, or one that is on PATH\n");
    assert_contains(check_fails(2, "--against", "no-such-rigproof", NULL)->err, "there is no program `no-such-rigproof`");
    write_subject("odd.sh", "true");
    assert_contains(check_gives(1, "--subject", "true", NULL)->out,
                    "true: ended with exit code 0 before it had answered");
}

/* The same answer is accepted, and another one differs from it. */
SCRATCH_TEST(a_subject_has_goldens_of_its_own)
{
    write_subjects(STRIP_CASE "subject: self, against: [reference, golden]}\n");
    assert_contains(check_gives(1, "--allow-subjects", NULL)->out, "MISSING  strip@self@golden  no golden");
    accept_gives(0, "--allow-subjects", NULL);
    const char *before = contents("golden");
    assert_contains(check_gives(0, "--allow-subjects", NULL)->out,
                    "pass     strip@self@golden  animate, palette, skin and draw agree; import: not given by rigproof");
    assert_string_equal(contents("golden"), before);
    tamper("golden/strip@self@golden/0.250.pose.json", "palette[1].matrix[3]", "0.5");
    const struct outcome *outcome = check_gives(1, "--allow-subjects", NULL);
    assert_contains(outcome->out, "pass     strip@self ", "FAIL     strip@self@golden  bone `");
}

/* --against needs no goldens, plays every case and compares every stage. */
SCRATCH_TEST(another_rigproof_agrees_with_itself)
{
    write_suite(TWO_CASES "  - {name: crowd, model: " STRIP
                          ", clip: linear-rotation, crowd: [2, 2], crowd-phase: 0.25}\n"
                          "  - {name: root, model: " STRIP
                          ", clip: linear-rotation, times: [0.25], space: root, influences: 1, view: bones}\n"
                          "  - {name: blend, model: " STRIP
                          ", blend: {linear-rotation: 0.4, linear-scale: 0.6}, times: [0.25], rate: -1}\n"
                          "  - {name: mask, model: " STRIP
                          ", clip: linear-scale, mask: {tip: linear-rotation}, times: [0.5], in-place: true}\n"
                          "  - {name: bind, model: " STRIP ", clip: bind}\n");
    const struct outcome *outcome = check_gives(0, "--against", RIGPROOF_BINARY, NULL);
    assert_contains(outcome->out, "7 cases, all good\n");
    assert_lacks(outcome->out, "skip", "not given");
    check_fails(2, "--against", RIGPROOF_BINARY, "--subject", "true", NULL);
}

/* It says which conventions it has: where its importer makes the model a hundred times larger, that is no unit of its own. */
SCRATCH_TEST(another_rigproof_is_taken_at_its_word)
{
    copy_file(STRIP, "large.gltf");
    tamper("large.gltf", "nodes[0]",
           "{\"name\": \"rig\", \"translation\": [1, 0, 0], \"scale\": [100, 100, 100], \"children\": [1, 3]}");
    spill("other", at("#!/bin/sh\nsed -u 's#[^\"]*/strip.gltf#%s/large.gltf#' | '" RIGPROOF_BINARY "' subject\n", scratch_path()));
    chmod("other", 0755);
    write_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25]}\n");
    assert_contains(check_gives(1, "--against", "./other", NULL)->out, "FAIL     strip: local transform of node `rig`");
}

/* An importer of its own: what it made of the model is compared, and explains what follows. */
SCRATCH_TEST(a_subject_gives_its_import)
{
    spill("odd.sh", "exec '" RIGPROOF_BINARY "' subject --repair none\n");
    write_subjects("  - {name: ticks, model: " FIXTURES "/ticks/ticks.x, times: [0.5], subject: odd}\n");
    const struct outcome *outcome = check_gives(1, "--allow-subjects", NULL);
    assert_contains(outcome->out, "FAIL     ticks@odd: clip `bend` plays 25 times slower", "\n  import     DIFFERS\n",
                    "\n  animate    differs, explained by import");

    write_subject_giving("\"import\"", "odd.sh", "echo \"{\\\"id\\\": $id, \\\"import\\\": \\\"/etc/passwd\\\"}\"");
    assert_contains(check_gives(1, "--allow-subjects", NULL)->out,
                    "odd: its import is not the file that was asked for");
}

/* An engine of subjects/ is asked like any subject; one that is not there says what installs it. rigproof stands for it here. */
SCRATCH_TEST(engines_are_known_by_name)
{
    const struct run_options options = {.environment = (const char *const[]){"RIGPROOF_ENGINES=engines", NULL}};
    write_suite(TWO_CASES);
    const struct outcome *list = run_gives(0, rigproof_with(&options, "engine", NULL));
    assert_contains(list->out, "three       three.js", "rigproof engine install three\n");
    const struct outcome *none =
        run_fails(2, rigproof_with(&options, "check", "suite.yaml", "--allow-outside", "--engine", "three", NULL));
    assert_contains(none->err, "is not installed: `rigproof engine install three` does that");
    none = run_fails(2, rigproof_with(&options, "check", "suite.yaml", "--allow-outside", "--engine", "thre", NULL));
    assert_contains(none->err, "did you mean `three`?");
    rigproof_refuses("usage: rigproof engine", "engine", "instal", "three");
    spill("engines/tutorials/subject", "#!/bin/sh\nexec '" RIGPROOF_BINARY "' subject\n");
    chmod("engines/tutorials/subject", 0777);
    const struct outcome *run = run_gives(
        0, rigproof_with(&options, "check", "suite.yaml", "--allow-outside", "--engine", "tutorials:thesis", NULL));
    assert_contains(run->out, "2 cases, all good");
    assert_statuses("strip pass, twins pass");
}

SCRATCH_TEST(suites_are_checked)
{
    static const struct {
        const char *cases, *says;
    } tries[] = {
        {STRIP_CASE "subject: mein}\n", "the suite has no subject `mein`"},
        {STRIP_CASE "subject: selff}\n", "did you mean `self`?"},
        {STRIP_CASE "against: golden}\n", "`against` belongs to a `subject`"},
        {STRIP_CASE "subject: self, agrees_with: x}\n", "`agrees_with` and `subject` exclude each other"},
        {STRIP_CASE "subject: [self, self]}\n", "`strip@self` is the case of line"},
    };
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        write_subjects(tries[i].cases);
        assert_contains(check_fails(2, "--allow-subjects", NULL)->err, tries[i].says);
    }
}
