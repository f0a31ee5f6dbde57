/* The suite file: its own keys, defaults, agreement, and a message with line and column for everything else. */

#include "base/file/file.h"
#include "options/describe_settings.h"
#include "suite/suite_text.h"

/* ---- what is read ---------------------------------------------------------------------------------------------- */

SUITE_TEST(a_case_has_its_keys)
{
    READ_SUITE *suite =
        read_good("version: 1\n"
                  "goldens: refs\n"
                  "cases:\n"
                  "  - name: walk-1\n"
                  "    model: m.glb\n"
                  "    tags: [quick, Big.2_x]\n"
                  "    allow: [still, blank]\n"
                  "    timeout: 2.5\n"
                  "    assimp: 5.*\n"
                  "    expect: fail\n"
                  "    reason: |\n"
                  "      assimp#5332,\n"
                  "      \tnot ours\n"
                  "    tolerance: {import: 0.001, shell: 1.0e-4, skin: 0, agree: 1, pixels: {delta: 3, share: .5}}\n"
                  "  - {name: b, model: ./a.glb, skip: true, reason: slow, tags: one, allow: unskinned}\n");
    assert_string_equal(suite->path, "suite.yaml");
    assert_string_equal(suite->folder, ".");
    assert_string_equal(suite->goldens, "refs");
    assert_int_equal(suite->case_count, 2);
    const struct suite_case *a = &suite->cases[0], *b = &suite->cases[1];
    assert_string_equal(a->name, "walk-1");
    assert_int_equal(a->line, 4);
    assert_string_equal(a->model, "m.glb");
    assert_string_equal(a->model_path, "m.glb");
    assert_int_equal(a->tag_count, 2);
    assert_string_equal(a->tags[0], "quick");
    assert_string_equal(a->tags[1], "Big.2_x");
    assert_int_equal(a->allowed, ALLOW_STILL | ALLOW_BLANK);
    assert_true(a->timeout == 2.5);
    assert_string_equal(a->assimp, "5.*");
    assert_true(a->expect_fail && !a->skip && !a->agrees);
    assert_string_equal(a->reason, "assimp#5332, not ours");
    assert_true(a->tolerance.import == 1e-3 && a->tolerance.shell == 1e-4 && a->tolerance.skin == 0);
    assert_true(a->tolerance.agree == 1 && a->tolerance.pixel_delta == 3 && a->tolerance.pixel_share == 0.5);
    assert_int_equal(b->line, 15);
    assert_true(b->skip && !b->expect_fail);
    assert_string_equal(b->reason, "slow");
    assert_int_equal(b->tag_count, 1);
    assert_string_equal(b->tags[0], "one");
    assert_int_equal(b->allowed, ALLOW_UNSKINNED);
}

SUITE_TEST(a_case_needs_little)
{
    READ_SUITE *suite = read_good(ONE_CASE);
    const struct suite_case *a = &suite->cases[0];
    char text[2048];
    describe(&a->settings, text);
    assert_string_equal(suite->goldens, ".");
    assert_contains(text, "clip=(first) clips_from=0: influences=4 choice=2 times=0: ");
    assert_contains(text, "size=512x512 background=808080ff view=0 ");
    assert_true(a->tolerance.import == 1e-5 && a->tolerance.shell == 1e-5 && a->tolerance.skin == 1e-5);
    assert_true(a->tolerance.agree == 1e-5 && a->tolerance.pixel_delta == 8 && a->tolerance.pixel_share == 0.0002);
    assert_true(!a->expect_fail && !a->skip && !a->agrees && !a->reason && a->timeout == 0);
    assert_true(a->tag_count == 0 && a->allowed == 0);
}

SUITE_TEST(expecting_nothing_special_needs_no_reason)
{
    READ_SUITE *suite = read_good(ONE_CASE "  expect: pass\n  skip: false\n  reason: it was slow once\n");
    assert_true(!suite->cases[0].expect_fail && !suite->cases[0].skip);
    assert_null(suite->cases[0].reason);
}

/* The limits alone, for `report --tolerance`: under their key or bare; what is not named stays. */
SUITE_TEST(tolerances_may_have_a_file)
{
    struct tolerance t = tolerance_defaults;
    spill("t.yaml", "tolerance: {shell: 0.25, pixels: {delta: 3}}\n");
    assert_true(suite_tolerance_read("t.yaml", &t, ANY_ERROR));
    assert_true(t.shell == 0.25 && t.pixel_delta == 3 && t.import == tolerance_defaults.import);
    spill("t.yaml", "skin: 0.5\n");
    assert_true(suite_tolerance_read("t.yaml", &t, ANY_ERROR));
    assert_true(t.skin == 0.5 && t.shell == 0.25);
    spill("t.yaml", "skin: 0.125\nshel: 0.5\n");
    assert_refused_as(suite_tolerance_read("t.yaml", &t, err), "t.yaml:2:1: unknown key `shel`; did you mean `shell`?");
    assert_true(t.skin == 0.5);
    spill("t.yaml", "[1]\n");
    assert_false(suite_tolerance_read("t.yaml", &t, ANY_ERROR));
    assert_false(suite_tolerance_read("none.yaml", &t, ANY_ERROR));
}

/* ---- defaults -------------------------------------------------------------------------------------------------- */

SUITE_TEST(defaults_come_first)
{
    READ_SUITE *suite = read_good("version: 1\n"
                                    "defaults:\n"
                                    "  size: 64x48\n"
                                    "  times: [0, 1]\n"
                                    "  clips-from: [a.glb, b.glb]\n"
                                    "  camera: {yaw: 5, pitch: 6}\n"
                                    "  tolerance: {shell: 0.01, pixels: {delta: 9, share: 0.25}}\n"
                                    "  tags: [x, y]\n"
                                    "  allow: [still, blank]\n"
                                    "  reason: all of them\n"
                                    "  timeout: 7\n"
                                    "cases:\n"
                                    "- {name: takes, model: m.glb, skip: true}\n"
                                    "- name: replaces\n"
                                    "  model: m.glb\n"
                                    "  frames: 0..3\n"
                                    "  clips-from: m.glb\n"
                                    "  camera: {pitch: 7, zoom: 2}\n"
                                    "  tolerance: {skin: 0.5, pixels: {share: 0.125}}\n"
                                    "  tags: z\n"
                                    "  allow: unskinned\n"
                                    "  timeout: 8\n"
                                    "- {name: file, model: m.glb, camera: 'file:Main', size: [1, 2]}\n");
    char text[2048];
    const struct suite_case *takes = &suite->cases[0], *replaces = &suite->cases[1];
    describe(&takes->settings, text);
    assert_contains(text, "clips_from=2:b.glb influences=4 choice=0 times=2:0;1; ");
    assert_contains(text, "size=64x48 ");
    assert_contains(text, "yaw=5 pitch=6 zoom=1 fov=30 camera=(orbit) ");
    assert_true(takes->tag_count == 2 && takes->allowed == (ALLOW_STILL | ALLOW_BLANK) && takes->timeout == 7);
    assert_string_equal(takes->reason, "all of them");
    describe(&replaces->settings, text);
    assert_contains(text, "clips_from=1:m.glb influences=4 choice=1 times=0: frames=0..3 ");
    assert_contains(text, "yaw=5 pitch=7 zoom=2 fov=30 camera=(orbit) ");
    assert_true(replaces->tolerance.shell == 0.01 && replaces->tolerance.skin == 0.5);
    assert_true(replaces->tolerance.pixel_delta == 9 && replaces->tolerance.pixel_share == 0.125);
    assert_true(replaces->tag_count == 1 && replaces->allowed == ALLOW_UNSKINNED && replaces->timeout == 8);
    assert_null(replaces->reason); /* nothing wants one */
    describe(&suite->cases[2].settings, text);
    assert_contains(text, "size=1x2 ");
    assert_contains(text, "camera=Main ");
}

SUITE_TEST(defaults_may_be_shared_by_an_alias)
{
    struct suite *suite = read_good("version: 1\ndefaults: {size: &s [7, 8]}\ncases:\n- &c {name: a, model: m.glb}\n"
                                    "- {name: b, model: m.glb, size: *s}\n");
    assert_int_equal(suite->cases[1].settings.width, 7);
    suite_free(suite);
    read_fails("version: 1\ncases:\n- &c {name: a, model: m.glb}\n- *c\n",
               "suite.yaml:3:13: name: `a` is the case of line 3 already");
}

/* ---- agreement ------------------------------------------------------------------------------------------------- */

#define OTHERS                                                                                                         \
    "version: 1\ncases:\n- {name: listed, model: m.glb, times: [1, 2], samples: 5}\n"                                  \
    "- {name: framed, model: m.glb, frames: 1..9, fps: 30}\n"                                                          \
    "- {name: ranged, model: m.glb, times: {from: 0, to: 1, fps: 2}}\n"

SUITE_TEST(agreement_has_a_frame)
{
    READ_SUITE *suite = read_good(OTHERS "- {name: word, model: m.glb, agrees_with: framed}\n"
                                        "- {name: full, model: m.glb, agrees_with: {up: z, unit: 0.01, case: listed}}\n"
                                        "- {name: part, model: m.glb, agrees_with: {case: later}}\n"
                                        "- {name: later, model: m.glb}\n");
    const struct suite_case *c = suite->cases;
    assert_true(c[3].agrees && c[4].agrees && c[5].agrees && !c[6].agrees && !c[0].agrees);
    assert_int_equal(c[3].agreement.other, 1);
    assert_true(c[3].agreement.frame.unit == 1 && c[3].agreement.frame.up_axis == 1);
    assert_int_equal(c[4].agreement.other, 0);
    assert_true(c[4].agreement.frame.unit == 0.01 && c[4].agreement.frame.up_axis == 2);
    assert_int_equal(c[5].agreement.other, 6);
}

SUITE_TEST(agreement_takes_the_times_of_the_other)
{
    READ_SUITE *suite = read_good(OTHERS "- {name: a, model: m.glb, agrees_with: listed}\n"
                                           "- {name: b, model: m.glb, agrees_with: framed, samples: 3}\n"
                                           "- {name: c, model: m.glb, agrees_with: framed, fps: 10}\n"
                                           "- {name: d, model: m.glb, agrees_with: ranged}\n"
                                           "- {name: e, model: m.glb, agrees_with: listed, times: [4]}\n"
                                           "- {name: f, model: m.glb, agrees_with: listed, times: auto}\n");
    static const char *const brings[] = {
        "choice=0 times=2:1;2; frames=0..0 fps=0 samples=5 ", "choice=1 times=0: frames=1..9 fps=30 samples=3 ",
        "choice=1 times=0: frames=1..9 fps=10 samples=9 ",    "choice=0 times=3:0;0.5;1; ",
        "choice=0 times=1:4; ",                               "choice=2 ",
    };
    for (int i = 0; i < 6; i++) {
        char text[2048];
        describe(&suite->cases[3 + i].settings, text);
        assert_contains(text, brings[i]);
        assert_int_equal(suite->cases[3 + i].settings.times_are_a_range, i == 3);
    }
}

SUITE_TEST(other_times_come_before_the_defaults)
{
    READ_SUITE *suite =
        read_good("version: 1\ndefaults: {times: [9]}\ncases:\n- {name: a, model: m.glb, agrees_with: b}\n"
                  "- {name: b, model: m.glb, times: [1, 2]}\n- {name: c, model: m.glb}\n");
    char text[2048];
    describe(&suite->cases[0].settings, text);
    assert_contains(text, "times=2:1;2; ");
    describe(&suite->cases[2].settings, text);
    assert_contains(text, "times=1:9; ");
}

/* ---- what is refused ------------------------------------------------------------------------------------------- */

#define CASES "version: 1\ncases:\n"

static const struct {
    const char *content;
    const char *message; /* after "suite.yaml:" */
} refused[] = {
    {"- a\n", "1:1: a suite is a mapping that begins with `version: 1`"},
    {"cases: []\n", "1:1: `version: 1` is missing"},
    {"version: 2\ncase: []\n", "1:10: version: version 2 is unknown; this rigproof reads version 1"},
    {"version: [1]\n", "1:10: version: expected one value, found a list"},
    {"version:\n", "1:9: version: the value is missing"},
    {"version: 1\ncase: []\n", "2:1: unknown key `case`; did you mean `cases`?"},
    {"version: 1\nsomething: []\n", "2:1: unknown key `something`; there are: version, goldens, subjects, defaults, cases"},
    {"version: 1\n", "1:1: `cases` are missing"},
    {"version: 1\ncases: []\n", "2:8: cases: expected a list of cases"},
    {"version: 1\ngoldens: m.glb\n", "2:10: goldens: `m.glb` is not a folder"},
    {"version: 1\ndefaults: [a]\n", "2:11: defaults: expected a mapping (key: value)"},
    {"version: 1\ndefaults: {name: a}\n", "2:12: `name` belongs to a case, not to the defaults"},
    {"version: 1\ndefaults: {agrees_with: a}\n", "2:12: `agrees_with` belongs to a case, not to the defaults"},
    {"version: 1\ndefaults: {size: 3}\n", "2:18: size: `3` is not WxH from 1x1 to 8192x8192"},
    {"version: 1\ndefaults: {time: 0, times: 1}\n", "2:21: `time` and `times` exclude each other"},
    {CASES "- a\n", "3:3: a case is a mapping with `name` and `model`"},
    {CASES "- {name: a}\n", "3:3: this case has no `model`"},
    {CASES "- {model: m.glb}\n", "3:3: this case has no `name`"},
    {CASES "- {name: A, model: m.glb}\n",
     "3:10: name: `A` may only have lower-case letters, digits and `-`: it names the golden's folder"},
    {CASES "- {name: ../x, model: m.glb}\n",
     "3:10: name: `../x` may only have lower-case letters, digits and `-`: it names the golden's folder"},
    {CASES "- {name: [a], model: m.glb}\n", "3:10: name: expected one value, found a list"},
    {CASES "- {name: '', model: m.glb}\n", "3:10: name: the value is missing"},
    {CASES "- {name: a, model: m.glb}\n- {name: b, model: m.glb}\n- name: a\n  model: m.glb\n",
     "5:9: name: `a` is the case of line 3 already"},
    {CASES
     "- {name: b, model: m.glb}\n- {name: a, model: m.glb}\n- {name: b, model: m.glb}\n- {name: a, model: m.glb}\n",
     "5:10: name: `b` is the case of line 3 already"},
    {ONE_CASE "  time_s: 1\n", "5:3: unknown key `time_s`; did you mean `times`?"},
    {ONE_CASE "  <<: {size: 1x1}\n",
     "5:3: unknown key `<<`; there are: name, model, clips, compare, tolerance, expect, skip, reason, tags, "
     "allow, stages, timeout, assimp, agrees_with, subject, against, truth, clip, blend, transition, mask, add, rate, in-place, clips-from, clips-scale, clips-prefix, time, times, frames, play, fps, samples, wrap, space, repair, assimp-flags, "
     "influences, skinning, import-timeout, import-memory, size, background, view, overlay, range, select, camera, place, up, palette, palette-format, weights, shaders, shader-map, "
     "profile, backend, crowd, crowd-phase, sheet"},
    {ONE_CASE "  name: b\n", "5:3: `name` is there twice: `a` on line 3, `b` here"},
    {ONE_CASE "  tags: []\n", "5:9: tags: the list is empty"},
    {ONE_CASE "  tags: [a, b c]\n", "5:13: tags: `b c` may only have letters, digits, `-`, `_` and `.`"},
    {ONE_CASE "  tags: {a: b}\n", "5:9: tags: expected one value, found a mapping"},
    {ONE_CASE "  assimp: five\n", "5:11: assimp: `five` may only have digits, `.` and the signs of a glob, such as `5.*`"},
    {ONE_CASE "  timeout: 0\n", "5:12: timeout: `0` is not a number from 0.001 to 86400"},
    {ONE_CASE "  expect: fial\n", "5:11: expect: no `fial`; did you mean `fail`? There are: pass, fail"},
    {ONE_CASE "  expect: fail\n", "5:3: `expect: fail` needs a `reason`"},
    {ONE_CASE "  skip: true\n", "5:3: `skip: true` needs a `reason`"},
    {ONE_CASE "  skip: yes\n", "5:9: skip: `yes` is neither `true` nor `false`"},
    {ONE_CASE "  skip: true\n  reason: \"\\n\"\n", "6:11: reason: the value is missing"},
    {ONE_CASE "  reason: just so\n", "5:3: a `reason` belongs to `skip: true` or `expect: fail`"},
    {ONE_CASE "  tolerance: 1\n", "5:14: tolerance: expected a mapping (key: value)"},
    {ONE_CASE "  tolerance: {shel: 1}\n", "5:15: unknown key `shel`; did you mean `shell`?"},
    {ONE_CASE "  tolerance: {shell: -1}\n", "5:22: tolerance.shell: `-1` is not a number from 0 to 1"},
    {ONE_CASE "  tolerance: {import: nan}\n", "5:23: tolerance.import: `nan` is not a number from 0 to 1"},
    {ONE_CASE "  tolerance: {pixels: {delta: 1.5}}\n",
     "5:31: tolerance.pixels.delta: `1.5` is not a whole number from 0 to 255"},
    {ONE_CASE "  tolerance: {pixels: {delta: 256}}\n",
     "5:31: tolerance.pixels.delta: `256` is not a whole number from 0 to 255"},
    {ONE_CASE "  agrees_with: bb\n  stages: [palette, draw]\n",
     "3:3: with `agrees_with` skin is compared, which `stages` leaves out"},
    {ONE_CASE "  stages: [palete]\n", "5:12: stages: no `palete`; did you mean `palette`? There are: import, animate, palette, skin, draw"},
    {ONE_CASE "  stages: []\n", "5:11: stages: the list is empty"},
    {ONE_CASE "  tolerance: {keys: 1.5}\n", "5:21: tolerance.keys: `1.5` is not a whole number from 0 to 1000000"},
    {ONE_CASE "  tolerance: {influences: 2}\n", "5:27: tolerance.influences: `2` is not a number from 0 to 1"},
    {ONE_CASE "  agrees_with: [b]\n", "5:16: agrees_with: expected a mapping (key: value)"},
    {ONE_CASE "  agrees_with:\n", "5:15: agrees_with: the value is missing"},
    {ONE_CASE "  agrees_with: {unit: 1}\n", "5:16: agrees_with: `case` is missing"},
    {ONE_CASE "  agrees_with: {case: b, unit: -1}\n",
     "5:32: agrees_with.unit: `-1` is not a number from 1e-09 to 1e+09"},
    {ONE_CASE "  agrees_with: {case: b, up: w}\n", "5:30: agrees_with.up: no `w`; there are: x, y, z"},
};

/* A case that is taken out of a suite must not keep the others from running. */
SUITE_TEST(broken_agreements_are_the_cases_problem)
{
    last_case_cannot_run("version: 1\ncases:\n- {name: bb, model: m.glb}\n- {name: a, model: m.glb, agrees_with: b}\n",
                         "suite.yaml:4:40: agrees_with: no case `b`; did you mean `bb`?");
    last_case_cannot_run(ONE_CASE "  agrees_with: somebody-else\n", "suite.yaml:5:16: agrees_with: no case `somebody-else`");
    last_case_cannot_run(ONE_CASE "  agrees_with: a\n", "suite.yaml:5:16: agrees_with: a case cannot agree with itself");
    last_case_cannot_run("version: 1\ncases:\n- {name: c, model: m.glb}\n- {name: b, model: m.glb, agrees_with: c}\n"
                         "- {name: a, model: m.glb, agrees_with: {case: b}}\n",
                         "suite.yaml:5:47: agrees_with: `b` agrees with another case itself: name that one");
    READ_SUITE *suite = read_good("version: 1\ncases:\n- {name: b, model: none.glb}\n- {name: a, model: m.glb, agrees_with: b}\n");
    assert_string_equal(suite->cases[1].problem,
                        "suite.yaml:4:40: agrees_with: `b` cannot run: suite.yaml:3:20: model: there is no file `none.glb` "
                        "(seen from the suite's folder)");
}

/* A case's own replace the defaults'. */
/* Whatever the order of keys, `compare` is changed by those that say more; a case's own takes the place of the defaults'. */
SUITE_TEST(strictness_has_names)
{
    READ_SUITE *suite = read_good("version: 1\ndefaults: {stages: draw, compare: rig, tolerance: {keys: 1}}\ncases:\n"
                                    "- {name: a, model: m.glb}\n- {name: b, model: m.glb, compare: visible, stages: skin}\n"
                                    "- {name: c, model: m.glb, tolerance: {shell: 0.001}, compare: exact}\n");
    assert_int_equal(suite->cases[0].stages, 1 << STAGE_DRAW);
    assert_float_equal(suite->cases[0].tolerance.shell, 5e-4, 0);
    assert_int_equal(suite->cases[0].tolerance.keys, 1);
    assert_int_equal(suite->cases[1].stages, 1 << STAGE_SKIN);
    assert_float_equal(suite->cases[1].tolerance.pixel_share, 0.01, 0);
    assert_float_equal(suite->cases[2].tolerance.shell, 0.001, 0);
    assert_float_equal(suite->cases[2].tolerance.pixel_share, 0.0002, 0);
    suite_free(suite);
    suite = read_good("version: 1\ncases:\n- {name: a, model: m.glb, compare: rig}\n- {name: b, model: m.glb, compare: visible}\n");
    assert_int_equal(suite->cases[0].stages, 1 << STAGE_ANIMATE | 1 << STAGE_SKIN);
    assert_int_equal(suite->cases[1].stages, 1 << STAGE_SKIN | 1 << STAGE_DRAW);
}

SUITE_TEST(stages_are_asked_for)
{
    SCOPED(text) written = {0};
    READ_SUITE *suite = read_good("version: 1\ndefaults: {stages: [palette, draw]}\ncases:\n- {name: a, model: m.glb}\n"
                                    "- {name: b, model: m.glb, stages: import}\n");
    assert_int_equal(suite_not_asked(&suite->cases[0]), 1 << STAGE_IMPORT | 1 << STAGE_ANIMATE | 1 << STAGE_SKIN);
    assert_int_equal(suite_not_asked(&suite->cases[1]), 0x1e);
    suite_stages_write(suite->cases[0].stages, &written);
    assert_string_equal(text_string(&written), "palette,draw");
    suite_free(suite);
    suite = read_good(ONE_CASE "  tolerance: {keys: 2, influences: 0.001}\n");
    assert_int_equal(suite_not_asked(&suite->cases[0]), 0);
    assert_true(suite->cases[0].tolerance.keys == 2 && suite->cases[0].tolerance.influences == 0.001);
}

SUITE_TEST(refusals_name_the_place)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char message[1024];
        snprintf(message, sizeof message, "suite.yaml:%s", refused[i].message);
        read_fails(refused[i].content, message);
    }
}

SUITE_TEST(names_have_a_limit)
{
    static const char digits[] =
        "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
        "890123456789";
    SCOPED(text) content = {0};
    text_addf(&content, CASES "- {name: %.100s, model: m.glb}\n", digits);
    suite_free(read_good(content.data));
    content.size = 0;
    text_addf(&content, CASES "- {name: %.100s0, model: m.glb}\n", digits);
    read_fails(content.data, "suite.yaml:3:10: name: longer than 100 characters");
    content.size = 0;
    text_addf(&content, ONE_CASE "  tags: [x, %.100sx]\n", digits);
    read_fails(content.data, "suite.yaml:5:13: tags: longer than 100 characters");
}

SUITE_TEST(cases_have_a_limit)
{
    SCOPED(text) content = {0};
    text_add(&content, CASES);
    for (int i = 0; i <= 100000; i++)
        text_add(&content, "- a\n");
    read_fails(content.data, "suite.yaml:3:1: cases: more than 100000");
}

/* Each case reads the defaults: 50 KiB would be 80 million tags. */
SUITE_TEST(defaults_of_many_cases_have_a_limit)
{
    SCOPED(text) content = {0};
    text_add(&content, "version: 1\ndefaults:\n  tags: [a");
    for (int i = 1; i < 16000; i++)
        text_add(&content, ",a");
    text_add(&content, "]\ncases:\n- &c {name: x, model: m.glb}\n");
    for (int i = 1; i < 5000; i++)
        text_add(&content, "- *c\n");
    read_fails(content.data, "suite.yaml:3:3: defaults: too large for 5000 cases");
}

/* ---- files that end somewhere ---------------------------------------------------------------------------------- */

static const char whole[] = "version: 1\n"
                            "goldens: .\n"
                            "defaults: {size: &s [32, 16], tolerance: {shell: 1.0e-5, pixels: {delta: 8}}}\n"
                            "cases:\n"
                            "  - name: a  # comment\n"
                            "    model: m.glb\n"
                            "    times: {from: 0, to: 0.5, fps: 4}\n"
                            "    camera: {yaw: 30, pitch: \"10\"}\n"
                            "    clips-from: [a.glb, 'b.glb']\n"
                            "  - {name: b, model: m.glb, size: *s, agrees_with: {case: a, unit: 0.01, up: z}}\n"
                            "  - name: c\n"
                            "    model: m.glb\n"
                            "    skip: true\n"
                            "    reason: >\n"
                            "      s\xc3\xa4mtlich\n";

/* Read or refused, with a message in one line, and nothing leaks. */
static void try(const char *content, size_t size, size_t *good)
{
    struct error err = {0};
    assert_true(file_write("cut.yaml", content, size, ANY_ERROR));
    READ_SUITE *suite = suite_read("cut.yaml", false, &err);
    assert_true((suite != NULL) == (err.text[0] == '\0'));
    if (!suite)
        assert_memory_equal(err.text, "cut.yaml:", 9);
    *good += suite != NULL;
}

SUITE_TEST(a_file_may_be_cut_or_wrong_anywhere)
{
    static const char bytes[] = "\0\n\t :-,[]{}*&!|>'\"%@#?~\xff\xc3";
    char copy[sizeof whole];
    size_t good = 0;
    for (size_t size = 0; size < sizeof whole; size++)
        try(whole, size, &good);
    assert_in_range(good, 10, sizeof whole / 2);
    for (size_t at = 0; at + 1 < sizeof whole; at++) {
        memcpy(copy, whole, sizeof whole);
        copy[at] = bytes[at * 7 % (sizeof bytes - 1)];
        try(copy, sizeof whole - 1, &good);
    }
}

/* The models are no models: whoever imports one for its clips knows that. */
SUITE_TEST(filters_spare_imports)
{
    static const struct {
        const char *filter;
        bool is_read[3];
    } rows[] = {{"*", {1, 1, 1}}, {"walk", {1, 0, 0}}, {"walk-run", {1, 0, 0}}, {"w*", {1, 0, 0}}, {"wal?-*", {1, 0, 0}},
                {"run", {0, 1, 0}}, {"tag:slow", {0, 0, 1}}, {"!walk*", {0, 1, 1}}, {"[rt]*", {1, 1, 1}}, {"walker", {1, 0, 0}}};
    spill("suite.yaml", "version: 1\ncases:\n"
                        "- {name: walk, model: m.glb, clips: all}\n"
                        "- {name: run, model: a.glb, clips: all}\n"
                        "- {name: turn, model: b.glb, clips: all, tags: slow}\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct selection selection = {.filters = &rows[i].filter, .filter_count = 1};
        READ_SUITE *suite =
            assert_good(suite_open("suite.yaml", &(struct suite_reading){.selection = &selection}, err));
        for (size_t k = 0; k < suite->case_count; k++) {
            assert_true(suite->cases[k].all_clips);
            if ((suite->cases[k].problem != NULL) != rows[i].is_read[k])
                fail_msg("%s: %s is %s", rows[i].filter, suite->cases[k].name, rows[i].is_read[k] ? "spared" : "read");
        }
    }
}
