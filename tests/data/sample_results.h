#pragma once

#include <math.h>

#include "data/result/result.h"

/* A run of a suite with a case of every status, for the tests of results.json and of the reports. */

/* A name as only a model of ill will has it: HTML, quotes, a terminal's escape, a line break, a workflow command. */
#define EVIL_NAME "<script>alert(1)</script>\"'&\x1b[31m\n::warning::x %0A ]]> ##[error]"

static const struct tolerance sample_tolerance = {
    .import = 1e-5, .shell = 1e-5, .skin = 1e-5, .agree = 1e-5, .framing = 1e-4, .influences = 0.001, .keys = 2, .pixel_delta = 8,
    .pixel_share = 0.0002};
static struct needed_tolerance sample_needed[] = {{TOLERANCE_SHELL, 0.0031, "of the model's radius hides a wrong limb"},
                                                  {TOLERANCE_KEYS, 2, NULL}};
static const char *sample_tags[] = {"walker", "fbx"};

static struct fingerprint_entry sample_run_entries[] = {{"renderer", "llvmpipe (LLVM 19.1.7, 256 bits)"},
                                                        {"mesa", "25.0.7"}};
static struct fingerprint_entry sample_golden_entries[] = {{"renderer", "llvmpipe (LLVM 15.0.6, 256 bits)"},
                                                           {"mesa", "22.3.6"}};

static struct image_bone sample_image_bones[] = {{"hand.L", "body", 301}, {"lower arm.L", "body", 120}};
static double sample_over_time[] = {0.0, 0.0341, NAN};
static double sample_evil_over_time[] = {1e-7, 0.002, 0.1 + 0.2};

static struct bone_result sample_bones[] = {
    {"hand.L", "body", STAGE_PALETTE, 0.0341, 0.0612, 4.1, 0.0605, 0.25, 0.25, sample_over_time, 3},
    {EVIL_NAME, NULL, STAGE_ANIMATE, 0.1 + 0.2, 5e-324, NAN, NAN, NAN, 0.5, sample_evil_over_time, 3},
};

static struct curve_sample_result sample_curve_samples[] = {
    {0.0, {0.5f, 1.0f, 0, 0, 0, 0, 1, 1, 1, 1}, {0.5f, 1.0f, 0, 0, 0, 0, 1, 1, 1, 1}},
    {0.25, {0.75f, 1.25f, 0, 0, 0, 0.6f, 0.8f, 1, 1, 1}, {0.75f, 1.5f, 0.1f, 0, 0, -0.6f, -0.8f, 1, 1, 1}},
};
static double sample_curve_keys[] = {0, 0.125};
static struct curve_point_result sample_curve_points[] = {
    {0.0, {0.5f, 1.0f, 0, 0, 0, 0, 1, 1, 1, 1}}, {0.125, {0.5f, 1.5f, 0, 0, 0, 0, 1, 1, 1, 1}},
    {0.25, {0.75f, 1.25f, 0, 0, 0, -0.6f, -0.8f, 1, 1, 1}},
};
static struct curve_line sample_curve_lines[] = {
    {"golden", 3, 2, sample_curve_points, sample_curve_keys}, {"actual", 3, 0, sample_curve_points, NULL}};
static const struct case_curve sample_curve = {EVIL_NAME, "global", 2, sample_curve_samples, 2, sample_curve_lines, EVIL_NAME};

static struct finding sample_findings[] = {
    {CODE_ENTRY, STAGE_PALETTE, false, "hand.L", "body", NULL, NULL, 0.25, 0.0341, 0.0612, 4.1, 0.0605, 0.25,
     "bone `hand.L` (mesh `body`) moves 3.41 % of the radius (0.0612 units), 4.1\xc2\xb0, at 0.250 s",
     TOLERANCE_SHELL, 0.0341, STAGE_NONE, false},
    {CODE_POSE_ENTRY, STAGE_PALETTE, false, EVIL_NAME, NULL, NULL, NULL, NAN, NAN, NAN, NAN, NAN, NAN, "bone `" EVIL_NAME "` is gone",
     .measure = INFINITY, .explained = STAGE_NONE},
    {CODE_ORDER, STAGE_IMPORT, true, NULL, NULL, NULL, NULL, NAN, NAN, NAN, NAN, NAN, NAN, "meshes came in another order", .measure = INFINITY,
     .explained = STAGE_NONE, .unverified = true},
    {CODE_FRAME, STAGE_DRAW, false, "hand.L", NULL, NULL, NULL, 0.25, 0.0205, NAN, NAN, NAN, NAN,
     "412 of 20113 pixels (2.05 %) differ by more than 8", TOLERANCE_PIXEL_SHARE, 0.0205, STAGE_PALETTE,
     false},
};

static const struct judge_facts sample_facts = {.compared = {true, true, true, true, true}};
static struct image_level sample_levels[] = {{2, 7}, {143, 412}};

static struct image_result sample_remaining = {
    .state = IMAGE_NOISE, .width = 320, .height = 240, .max_delta = 2, .foreground = 20113, .level_count = 1,
    .levels = sample_levels};

static struct time_result sample_times[] = {
    {"0.000", 0.0, {NAN, 0.0, 1e-7, 2e-7, 0.0}, {.state = IMAGE_SAME, .width = 320, .height = 240}},
    {"0.250", 0.25, {NAN, 0.0, 0.0341, 2.5e-7, 0.0205},
     {IMAGE_DIFFERS, 320, 240, "golden/walker-walk-fbx/0.250.png", "walker-walk-fbx/0.250.png",
      "walker-walk-fbx/0.250-difference.png", "walker-walk-fbx/0.250-heat.png", 143, 412, 20113, 0.0205,
      {101, 40, 33, 52}, 377, 0.42, 0.61, 2, sample_image_bones, 2, sample_levels, "palette", &sample_remaining,
      "walker-walk-fbx/0.250-displacement.png"}},
    {"0.500", 0.5, {NAN, NAN, NAN, NAN, NAN}, {.state = IMAGE_NONE}},
};

static struct time_result sample_missing_times[] = {
    {"0.000", 0.0, {NAN, NAN, NAN, NAN, NAN},
     {.state = IMAGE_MISSING, .width = 320, .height = 240, .actual = "walker-new/0.000.png"}},
};

static struct case_result sample_cases[] = {
    {.name = "walker-walk", .line = 7, .model = "../fixtures/walker/walker.glb", .clip = "walk", .status = CASE_PASS,
     .stage = STAGE_NONE, .radius = 1.25,
     .stages = {{.state = STAGE_PASSED}, {.state = STAGE_PASSED}, {.state = STAGE_PASSED}, {.state = STAGE_PASSED},
                {.state = STAGE_PASSED}}},
    {.name = "walker-walk-fbx", .line = 12, .model = "../fixtures/walker/walker.fbx", .clip = "rig|walk",
     .tag_count = 2, .tags = sample_tags, .status = CASE_FAIL, .stage = STAGE_PALETTE,
     .headline = "palette diverges first: bone `hand.L` moves 3.41 % of the radius at 0.250 s", .radius = 1.7951,
     .tolerance = &sample_tolerance, .passes_from = "no tolerance lets it pass: bone `" EVIL_NAME "` is gone",
     .needed = sample_needed, .needed_count = 2,
     .facts = &sample_facts, .measured = {0, 0, 0, INFINITY, 2.5e-7, 0, 0.0205, [TOLERANCE_INFLUENCES] = 0.0004, [TOLERANCE_KEYS] = 1},
     .stages = {{STAGE_PASSED, NULL}, {STAGE_PASSED, NULL},
                {STAGE_DIFFERS,
                 "bone `hand.L` (mesh `body`) moves 3.41 % of the radius (0.0612 units), 4.1\xc2\xb0, at 0.250 s"},
                {STAGE_PASSED, NULL}, {STAGE_EXPLAINED, "412 of 20113 pixels (2.05 %) differ by more than 8", "palette"}},
     .finding_count = 4, .findings = sample_findings, .findings_left_out = 5, .time_count = 3, .times = sample_times,
     .bone_count = 2, .bones = sample_bones, .curve = &sample_curve, .viewer = "walker-walk-fbx/viewer.json",
     .viewer_note = "without textures", .golden = {2, sample_golden_entries}, .actual = {2, sample_run_entries},
     .repeat = "rigproof check suite.yaml --filter walker-walk-fbx",
     .accept = "rigproof accept suite.yaml --filter walker-walk-fbx"},
    {.name = "walker-wave", .line = 18, .model = "../fixtures/walker/walker.glb", .clip = "wave", .status = CASE_DRIFT,
     .stage = STAGE_NONE, .headline = "numbers agree, 12 pixels differ by one level; the goldens are of another renderer",
     .golden = {2, sample_golden_entries}, .actual = {2, sample_run_entries},
     .accept = "rigproof accept suite.yaml --filter walker-wave"},
    {.name = "walker-new", .line = 21, .model = "../fixtures/walker/walker.glb", .status = CASE_MISSING,
     .stage = STAGE_NONE, .headline = "there is no golden", .time_count = 1, .times = sample_missing_times,
     .accept = "rigproof accept suite.yaml --filter walker-new"},
    {.name = "no-such-clip", .line = 24, .model = "../fixtures/twins/twins.gltf", .status = CASE_ERROR,
     .stage = STAGE_NONE, .headline = "twins.gltf has no clip `" EVIL_NAME "`", .vacuous = true, .vacuity = EVIL_NAME},
    {.name = "deep", .line = 27, .model = "deep.gltf", .status = CASE_CRASH, .stage = STAGE_NONE,
     .headline = "import of deep.gltf: crashed (SIGSEGV)"},
    {.name = "endless", .line = 30, .model = "endless.x", .status = CASE_TIMEOUT, .stage = STAGE_NONE,
     .headline = "took more than 60 s"},
    {.name = "known-broken", .line = 33, .model = "pivots.fbx", .status = CASE_XFAIL, .reason = "assimp#5332",
     .stage = STAGE_IMPORT, .headline = "import: 3 nodes more", .stages = {{STAGE_DIFFERS, "3 nodes more"}}},
    {.name = "mended", .line = 36, .model = "steps.glb", .status = CASE_UNEXPECTED_PASS, .stage = STAGE_NONE,
     .reason = "assimp#3390"},
    {.name = "later", .line = 39, .model = "steps.glb", .status = CASE_SKIP, .stage = STAGE_NONE,
     .reason = "::error::" EVIL_NAME},
};

static const char *sample_obsolete[] = {"golden/old-case", "golden/walker-walk/0.125.png"};

static const struct results sample_results = {
    .rigproof = "0.1.0", .suite = "tests/suite.yaml", .goldens = "tests/golden", .shard = 2, .shard_count = 5,
    .fingerprint = {2, sample_run_entries}, .case_count = sizeof sample_cases / sizeof sample_cases[0],
    .cases = sample_cases, .obsolete_count = 2, .obsolete = sample_obsolete,
    .prune = "rigproof accept tests/suite.yaml --prune --goldens tests/golden",
};
