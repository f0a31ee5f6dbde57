/*
 * Reports for people and for CI servers are held letter by letter: examples/text.txt, github.txt and junit.txt hold
 * each report of a few runs, one after the other. A failing test leaves what it found beside the test's binary as
 * <file>.found.
 */

#include "base/file/file.h"
#include "data/sample_results.h"
#include "report/report.h"
#include "run_binary.h"

enum { SAMPLES = sizeof sample_cases / sizeof sample_cases[0], MANY = 3000 };

static struct case_result many[MANY];
static const char *shader_warnings[] = {"output `bloom` (vec4) of s/lit.frag, location 1, is not drawn",
                                        "uniform `<b>` (vec3) of s/lit.frag is not one that rigproof sets: it stays 0"};

/* The sample's case `kind`, so many times. */
static struct results repeated(size_t kind, size_t count)
{
    for (size_t i = 0; i < count; i++)
        many[i] = sample_cases[kind];
    return (struct results){.suite = "s.yaml", .cases = many, .case_count = count};
}

static void begin(struct text *out, const char *name)
{
    text_addf(out, "======== %s\n", name);
}

static void require_example(const struct text *found, const char *name)
{
    SCOPED(text) path = {0};
    SCOPED(blob) expected;
    text_addf(&path, "%s/%s", EXAMPLES, name);
    assert_true(file_read(text_string(&path), 1 << 20, &expected, ANY_ERROR));
    bool same = expected.size == found->size && memcmp(expected.data, found->data, found->size) == 0;
    if (!same) {
        path.size = 0;
        text_addf(&path, "%s.found", name);
        file_write(text_string(&path), found->data, found->size, ANY_ERROR);
        fail_msg("%s is not as %s has it: diff -u %s/%s %s", name, EXAMPLES, EXAMPLES, name, text_string(&path));
    }
}

static void add_text(const char *name, const struct results *results, struct report_text_options options, struct text *out)
{
    begin(out, name);
    options.folder = "out/check";
    report_text(results, &options, out);
}

static void add_case(const char *name, const struct case_result *result, struct text *out)
{
    begin(out, name);
    report_case_line(result, false, out);
    report_case_text(result, "", false, out);
}

TEST(text_is_as_pinned)
{
    static const char *not_run[] = {"a", "b"};
    static char names[50][8];
    struct results results = sample_results;
    SCOPED(text) out = {0};
    add_text("everything", &results, (struct report_text_options){0}, &out);
    results.strict = true;
    add_text("strict, two in full", &results, (struct report_text_options){.details = 2}, &out);
    add_text("lines were printed before", &results, (struct report_text_options){.details = 2, .has_lines = true}, &out);
    add_text("colour", &results, (struct report_text_options){.details = 1, .colour = true}, &out);
    results = sample_results;
    results.not_run = not_run;
    results.not_run_count = 2;
    results.case_count = 1;
    results.judged = "under shell: 0.01 (limits.yaml)";
    add_text("stopped, judged again", &results, (struct report_text_options){0}, &out);
    results = repeated(0, 1);
    add_text("good", &results, (struct report_text_options){0}, &out);
    results.case_count = 0;
    add_text("nothing", &results, (struct report_text_options){0}, &out);
    results = repeated(1, 3);
    many[2].stage = STAGE_IMPORT;
    add_text("one reason for several", &results, (struct report_text_options){.details = 1}, &out);
    results = repeated(1, 7);
    for (size_t i = 0; i < 7; i++) {
        snprintf(names[i], sizeof names[i], "w-%zu", i + 1);
        many[i].name = names[i];
        many[i].finding_count = many[i].bone_count = many[i].time_count = 0;
    }
    many[1].headline = "another reason";
    add_text("one reason for many", &results, (struct report_text_options){.details = 1}, &out);
    add_text("the same with lines before", &results, (struct report_text_options){.has_lines = true}, &out);
    results = repeated(3, 50);
    for (size_t i = 0; i < 50; i++) {
        snprintf(names[i], sizeof names[i], "new-%zu", i + 1);
        many[i].name = names[i];
    }
    many[0].accept = "rigproof accept s.yaml --filter new-1 --allow-outside";
    many[8].headline = "no golden for 0.250 s";
    add_text("many without a golden", &results, (struct report_text_options){0}, &out);
    add_text("the same, lines were printed before", &results, (struct report_text_options){.has_lines = true}, &out);
    results = repeated(0, 1);
    results.shader_warnings = shader_warnings;
    results.shader_warning_count = 2;
    add_text("shaders of the user's", &results, (struct report_text_options){0}, &out);
    require_example(&out, "text.txt");
}

TEST(cases_are_as_pinned)
{
    SCOPED(text) out = {0};
    struct bone_result bones[8];
    struct case_result result = sample_cases[1];
    result.headline = NULL;
    for (int i = 0; i < 8; i++)
        bones[i] = sample_bones[0];
    bones[7].displacement = 1e-5;
    bones[0].scale_percent = 8e-6;
    result.bones = bones;
    result.bone_count = 8;
    add_case("many bones, of which one is within the limit and one is not scaled but for rounding", &result, &out);
    result = (struct case_result){
        .name = "still", .model = "m.gltf", .status = CASE_FAIL, .stage = STAGE_ANIMATE, .vacuous = true,
        .headline = "clip `a` does not move anything",
        .stages = {{.state = STAGE_NOT_COMPARED},
                   {STAGE_DIFFERS, "clip `a` does not move anything"},
                   {.state = STAGE_NOT_COMPARED},
                   {.state = STAGE_PASSED},
                   {.state = STAGE_NOT_COMPARED}},
    };
    add_case("it tests nothing", &result, &out);
    result.vacuous = false;
    result.vacuity = result.headline;
    result.status = CASE_ERROR;
    add_case("failed at a stage", &result, &out);
    struct finding findings[] = {sample_findings[0], sample_findings[0], sample_findings[0], sample_findings[3]};
    findings[0].stage = STAGE_IMPORT;
    findings[0].text = "node `toe` moved";
    findings[1].text = "bone `thumb` is off";
    findings[2].text = "bone `hand` is off too";
    result = (struct case_result){
        .name = "two", .model = "m.gltf", .status = CASE_FAIL, .stage = STAGE_IMPORT, .finding_count = 4, .findings = findings,
        .headline = "node `toe` moved; and on its own: palette: bone `thumb` is off",
        .stages = {{STAGE_DIFFERS, "node `toe` moved"},
                   {STAGE_EXPLAINED, "local transform of `toe` is off", "import"},
                   {STAGE_DIFFERS, "bone `thumb` is off"},
                   {.state = STAGE_PASSED},
                   {STAGE_UNVERIFIED, "412 pixels differ"}},
    };
    add_case("two stages differ on their own", &result, &out);
    require_example(&out, "cases.txt");
}

/* GitHub's runner takes a line that begins with "::", after blanks, for a command. */
TEST(no_line_begins_with_a_name)
{
    struct results results = sample_results;
    struct case_result cases[SAMPLES];
    struct bone_result bone = sample_bones[0];
    const char *obsolete[] = {"::error::x"};
    struct fingerprint_entry entries[] = {{"::error::x", "::error::y"}};
    SCOPED(text) text = {0};
    memcpy(cases, sample_cases, sizeof cases);
    bone.bone = bone.mesh = "::error::x";
    for (size_t i = 0; i < results.case_count; i++) {
        cases[i].headline = cases[i].model = cases[i].clip = cases[i].reason = cases[i].passes_from = "::error::x";
        cases[i].bones = &bone;
        cases[i].bone_count = 1;
        cases[i].golden = (struct fingerprint){1, entries};
    }
    results.cases = cases;
    results.obsolete = obsolete;
    results.obsolete_count = 1;
    report_text(&results, &(struct report_text_options){.folder = "out"}, &text);
    for (const char *line = text.data; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        assert_true(strncmp(line + strspn(line, " \t"), "::", 2) != 0);
}

TEST(junit_is_as_pinned)
{
    SCOPED(text) out = {0};
    struct results results = sample_results;
    report_junit(&results, "out/check", &out);
    results.strict = true;
    results.case_count = 3;
    results.judged = "under shell: 0.01 (limits.yaml)";
    report_junit(&results, "out/check", &out);
    report_junit(&(struct results){.suite = "a.b/suite", .shader_warnings = shader_warnings, .shader_warning_count = 2}, "",
                 &out);
    require_example(&out, "junit.txt");
}

TEST(github_is_as_pinned)
{
    SCOPED(text) out = {0};
    struct results results = sample_results;
    begin(&out, "annotations");
    report_github_annotations(&results, "repo/tests/suite.yaml", &out);
    begin(&out, "summary");
    report_github_summary(&results, "out/check", "gh run download 12 -n a&b -D ci && rigproof accept --from ci", &out);
    results.case_count = 1;
    results.obsolete_count = 0;
    results.judged = "under shell: 0.01 (limits.yaml)";
    begin(&out, "a good run: no annotations");
    report_github_annotations(&results, "repo/tests/suite.yaml", &out);
    report_github_summary(&results, "out/check", NULL, &out);
    results = repeated(1, 14);
    begin(&out, "more than ten: GitHub shows no more");
    report_github_annotations(&results, "s.yaml", &out);
    results = repeated(3, 2);
    many[1] = sample_cases[4];
    many[1].headline = "a\n\n# b\n\n</table>[x](y)";
    many[0].stage = STAGE_IMPORT;
    many[0].bones = sample_bones;
    many[0].bone_count = 2;
    begin(&out, "what broke before what is missing; an empty line would end the table; the bone that an import moves");
    report_github_annotations(&results, "s.yaml", &out);
    report_github_summary(&results, "out", NULL, &out);
    results = (struct results){.suite = "s.yaml", .shader_warnings = shader_warnings, .shader_warning_count = 2};
    begin(&out, "shaders of the user's");
    report_github_annotations(&results, "s.yaml", &out);
    require_example(&out, "github.txt");
}

TEST(annotations_and_summaries_have_limits)
{
    for (size_t count = 9; count < 13; count++) {
        struct results results = repeated(1, count);
        SCOPED(text) text = {0};
        report_github_annotations(&results, "s.yaml", &text);
        assert_int_equal(count_lines(text_string(&text)), count < 10 ? count : 10);
    }
    struct results results = repeated(1, MANY);
    SCOPED(text) text = {0};
    report_github_summary(&results, "out", NULL, &text);
    assert_true(text.size < 1 << 20);
    assert_contains(text_string(&text), "<tr><td colspan=\"6\">and 2800 more</td></tr>\n");
}

/* In a case's lines and its table; a bone whose name is the prefix alone keeps it. */
TEST(bones_are_without_their_prefix)
{
    struct bone_result bones[] = {{.bone = "rig:hand", .stage = STAGE_PALETTE, .displacement = 0.5},
                                  {.bone = "rig:", .stage = STAGE_PALETTE, .displacement = 0.4}};
    struct case_result result = {.name = "a", .model = "man.glb", .status = CASE_FAIL, .stage = STAGE_PALETTE, .bones = bones, .bone_count = 2};
    SCOPED(text) out = {0};
    result.stages[STAGE_PALETTE].state = STAGE_DIFFERS;
    result.stages[STAGE_SKIN] = (struct stage_result){.state = STAGE_EXPLAINED, .summary = "bone `rig:hand` (mesh `body`) is off"};
    report_case_body(&result, "", false, &out);
    assert_non_null(strstr(text_string(&out), "  model      man.glb\n  bones      without their \"rig:\"\n"));
    assert_non_null(strstr(text_string(&out), "explained by palette: bone `hand` (mesh `body`) is off\n"));
    assert_non_null(strstr(text_string(&out), "  `hand`\n"));
    assert_non_null(strstr(text_string(&out), "  `rig:`\n"));
    out.size = 0;
    report_case_brief(&result, "", false, &out);
    assert_non_null(strstr(text_string(&out), "  bones      without their \"rig:\"\n"));
    assert_non_null(strstr(text_string(&out), "bone `hand` (mesh `body`) is off\n"));
    out.size = 0;
    result.bone_count = 1;
    report_case_body(&result, "", false, &out);
    assert_null(strstr(text_string(&out), "without their"));
    assert_non_null(strstr(text_string(&out), "`rig:hand` (mesh"));
}
