/* report --tolerance: what it makes of a run under other limits is what a run under these limits finds. */

#include "data/result/result.h"
#include "suite_runs.h"

#define WALKER FIXTURES "/walker/walker.glb"

/* What a case has besides its name, in the run that makes goldens and in the one that is judged; {} where it is the same. */
static const struct {
    const char *name, *common, *golden, *actual;
} cases[] = {
    {"equal", "model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75]", "", ""},
    {"posed", "model: " WALKER ", times: [0.25, 0.5]", ", blend: {walk: 0.7, wave: 0.3}",
     ", blend: {walk: 0.7001, wave: 0.2999}"},
    {"posed-more", "model: " WALKER ", times: [0.25]", ", blend: {walk: 0.7, wave: 0.3}",
     ", blend: {walk: 0.72, wave: 0.28}"},
    {"morphed", "model: " FIXTURES "/shapes/shapes.gltf, times: [0.5]", ", blend: {bend: 0.5, rest: 0.5}",
     ", blend: {bend: 0.501, rest: 0.499}"},
    {"known", "model: " WALKER ", times: [0.25], expect: fail, reason: known", ", blend: {walk: 0.7, wave: 0.3}",
     ", blend: {walk: 0.71, wave: 0.29}"},
    {"turned", "model: " STRIP ", clip: linear-rotation, times: [0.25]", ", camera: {yaw: 30}", ", camera: {yaw: 30.5}"},
    {"lighter", "model: " STRIP ", clip: linear-rotation, times: [0.25]", ", background: 808080ff", ", background: 858585ff"},
    {"agreeing", "agrees_with: posed, model: " WALKER, "", ", blend: {walk: 0.705, wave: 0.295}"},
    {"imported", "model: " TWINS ", times: [0.2]", "", ""},
    {"counted", "model: " STRIP ", influences: 8, clip: linear-rotation, times: [0.25]", "", ""},
    {"missing", "model: " STRIP ", clip: linear-rotation, times: [0.25]", NULL, ""},
    {"still", "model: " STRIP ", clip: single, times: [0.25, 0.75]", "", ""},
    {"other-clip", "model: " STRIP ", times: [0.25]", ", clip: linear-rotation", ", clip: linear-translation"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* All of them, since what a file does not name stays as it was; from the tightest to the widest, not in one order for all. */
static const char *const limits[] = {
    "{import: 0, shell: 0, skin: 0, agree: 0, influences: 0, keys: 0, pixels: {delta: 0, share: 0}}",
    "{import: 1e-5, shell: 1e-6, skin: 1e-7, agree: 1e-5, influences: 0, keys: 0, pixels: {delta: 2, share: 0}}",
    "{import: 1e-5, shell: 6e-5, skin: 1e-5, agree: 1e-3, influences: 0.1, keys: 1, pixels: {delta: 8, share: 0.0002}}",
    "{import: 1e-5, shell: 1e-4, skin: 1e-5, agree: 1e-5, influences: 0.01, keys: 2, pixels: {delta: 20, share: 0.5}}",
    "{import: 1e-5, shell: 3e-4, skin: 1e-5, agree: 0.1, influences: 0.06, keys: 2, pixels: {delta: 2, share: 1}}",
    "{import: 1, shell: 1, skin: 1, agree: 1, influences: 1, keys: 1000000, pixels: {delta: 255, share: 1}}",
};
enum { LIMITS = sizeof limits / sizeof limits[0] };

static void write_cases(const char *path, const char *tolerance, bool golden)
{
    SCOPED(text) text = {0};
    text_addf(&text, "version: 1\ngoldens: golden\ndefaults: {size: [48, 48], tolerance: %s}\ncases:\n", tolerance);
    for (int i = 0; i < CASES; i++) {
        const char *own = golden ? cases[i].golden : cases[i].actual;
        if (own && !(golden && strcmp(cases[i].name, "agreeing") == 0))
            text_addf(&text, "  - {name: %s, %s%s}\n", cases[i].name, cases[i].common, own);
    }
    spill(path, text_string(&text));
}

/* Poses of another blend call their clip by another name, which no limit allows: as far as this is concerned they are of one. */
static void rename_clips(void)
{
    static const struct {
        const char *file, *clip;
    } poses[] = {
        {"golden/posed/0.250.pose.json", "\"walk:0.7001+wave:0.2999\""},
        {"golden/posed/0.500.pose.json", "\"walk:0.7001+wave:0.2999\""},
        {"golden/posed-more/0.250.pose.json", "\"walk:0.72+wave:0.28\""},
        {"golden/morphed/0.500.pose.json", "\"bend:0.501+rest:0.499\""},
        {"golden/known/0.250.pose.json", "\"walk:0.71+wave:0.29\""},
    };
    for (size_t i = 0; i < sizeof poses / sizeof poses[0]; i++)
        tamper(poses[i].file, "clip", poses[i].clip);
    tamper(import_of("golden/imported"), "nodes[1].local[3]", "0.501"); /* which was 0.5 */
    /* One of 18 vertices had an influence more, and the rotation two keys more. */
    tamper(import_of("golden/counted"), "meshes[0].influences", "[0, 11, 7]");
    tamper(import_of("golden/counted"), "clips[4].channels[0].r",
           "{\"keys\": 5, \"first\": 0, \"last\": 2, \"interpolation\": \"linear\", \"mean\": [0.23570226, 0, 0.23570226, "
           "0.80473787], \"rms\": [0.40824828, 0, 0.40824828, 0.81649655]}");
}

/* One folder for all tests: the runs of the first are judged by the others. */
static int enter(void **state)
{
    if (scratch_enter(state) != 0)
        return -1;
    write_cases("golden.yaml", "{}", true);
    rigproof("accept", "golden.yaml", "--allow-outside", "--all", NULL);
    rename_clips();
    return 0;
}

/* "equal pass none, posed fail animate, ...": status and culprit of every case of a results.json. */
static const char *verdicts(const char *file)
{
    struct text text = {0};
    size_t size;
    const char *data = slurp(file, &size);
    RESULTS *results = assert_good(results_read(data, size, file, err));
    for (size_t i = 0; i < results->case_count; i++)
        text_addf(&text, "%s%s %s %s", i ? ", " : "", results->cases[i].name,
                  case_status_names[results->cases[i].status], stage_name(results->cases[i].stage));
    return keep(text.data);
}

static const char *run_under(const char *tolerance, const char *folder)
{
    write_cases("suite.yaml", tolerance, false);
    rigproof("check", "suite.yaml", "--allow-outside", "-o", folder, NULL);
    return at("%s/results.json", folder);
}

static const char *judge_under(const char *results, const char *tolerance)
{
    spill("limits.yaml", tolerance);
    const struct outcome *outcome = rigproof("report", results, "--tolerance", "limits.yaml", "-q", "--json", "again.json", NULL);
    assert_string_equal(outcome->err, "");
    return "again.json";
}

/* From each set of limits to each other. */
TEST(judging_again_is_running_again)
{
    const char *runs[LIMITS], *expected[LIMITS];
    size_t differing = 0;
    for (int i = 0; i < LIMITS; i++) {
        runs[i] = run_under(limits[i], at("run-%d", i));
        expected[i] = verdicts(runs[i]);
    }
    for (int from = 0; from < LIMITS; from++)
        for (int to = 0; to < LIMITS; to++) {
            const char *found = verdicts(judge_under(runs[from], limits[to]));
            if (strcmp(found, expected[to]) != 0)
                fail_msg("run under %s,\njudged under %s:\n%s, not\n%s", limits[from], limits[to], found, expected[to]);
            differing += strcmp(expected[from], expected[to]) != 0;
        }
    assert_true(differing > LIMITS * (LIMITS - 1) / 2);
}

/* "shell: 0.0031 (animate, palette), pixels: {share: 0.004} (draw); look at ..." without the stages and the risks. */
static const char *limits_of(const char *says)
{
    SCOPED(text) named = {0};
    for (; *says && *says != ';'; says++)
        if (strncmp(says, " (", 2) == 0)
            says += strcspn(says, ")");
        else
            text_add_bytes(&named, says, 1);
    return at("%s", text_string(&named));
}

/* The limits that a failing case says it passes from: with them it does, judged again and in a run; below it does not. */
TEST(named_limits_are_enough)
{
    static const char beginning[] = "would pass from ";
    const char *run = "run-1/results.json";
    int named = 0;
    for (int i = 0; i < CASES; i++) {
        const char *status = json_at(run, at("cases[%d].status", i));
        if (strcmp(status, "fail") != 0 && strcmp(status, "xfail") != 0)
            continue;
        const char *name = json_at(run, at("cases[%d].name", i));
        if (strcmp(name, "still") == 0)
            continue;
        const char *says = json_at(run, at("cases[%d].passes_from", i));
        if (strcmp(name, "other-clip") == 0) {
            assert_contains(says, "no tolerance lets it pass");
            continue;
        }
        assert_int_equal(strncmp(says, beginning, strlen(beginning)), 0);
        const char *said = limits_of(says + strlen(beginning));
        const char *enough = at(strstr(said, "skin") ? "{%s}" : "{skin: 1e-7, %s}", said);
        const char *expected = strcmp(status, "xfail") == 0 ? "unexpected-pass" : "pass";
        const char *again = judge_under(run, enough);
        if (strcmp(json_at(again, at("cases[%d].status", i)), expected) != 0)
            fail_msg("%s %s, and does not", name, says);
        named++;
    }
    assert_true(named >= 6);
}

TEST(limits_are_said)
{
    spill("limits.yaml", "tolerance:\n  shell: 0.01\n  pixels: {share: 1}\n");
    const struct outcome *outcome = rigproof("report", "run-1/results.json", "--tolerance", "limits.yaml", NULL);
    assert_contains(outcome->out, "Judged again under shell: 0.01, pixels.share: 1 (limits.yaml)\n");
    rigproof_refuses("none.yaml", "report", "run-1/results.json", "--tolerance", "none.yaml");
    spill("limits.yaml", "shel: 1\n");
    rigproof_refuses("shel", "report", "run-1/results.json", "--tolerance", "limits.yaml");
}

GROUP(enter, scratch_leave)
