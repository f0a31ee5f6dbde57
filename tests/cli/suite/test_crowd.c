/* --crowd as a user asks for it, and what check says of an instance that is wrong. */
#include "cli/pictures.h"

#include "suite_runs.h"

#define SMALL "--size", "64x48", "--clip", "linear-rotation"

SCRATCH_TEST(a_crowd_of_one_is_the_model)
{
    rigproof_good("render", STRIP, SMALL, "--time", "0.25", "-o", "model.png");
    rigproof_good("render", STRIP, SMALL, "--time", "0.25", "--crowd", "1x1", "-o", "one.png");
    assert_same_files("model.png", "one.png");
    rigproof_good("render", STRIP, SMALL, "--time", "0.25", "--crowd", "3x2", "--crowd-phase", "0", "-o", "alike.png");
    rigproof_good("render", STRIP, SMALL, "--time", "0.25", "--crowd", "3x2", "-o", "spread.png");
    assert_false(files_equal("alike.png", "spread.png"));
    assert_false(files_equal("model.png", "alike.png"));
    rigproof_good("turntable", STRIP, SMALL, "--crowd", "2x1", "--frames", "2", "-o", "turn_{frame}.png");
    assert_false(files_equal("turn_0.png", "turn_1.png"));
}

SCRATCH_TEST(what_is_no_crowd_is_refused)
{
    rigproof_refuses("--crowd: 1600 instances need ", "render", WALKER, "--crowd", "40x40", "--palette", "uniform",
                     "-o", "a.png");
    rigproof_refuses("skin.vert does not put the instances in their places", "render", STRIP, "--crowd", "2x1",
                     "--shaders", FIXTURES "/shaders/ogldev", "-o", "a.png");
    rigproof_refuses("take --crowd away", "render", STRIP, "--crowd", "2x1", "--palette", "all");
    assert_string_equal(scratch_listing(), "");
}

/* One of three that a shader moves: the stage is skin, and the instance is named. */
SCRATCH_TEST(check_compares_every_instance)
{
    static const char faulty[] = "    if (gl_InstanceID == 1)\n        skinned_position.x += 0.1;\n    gl_Position =";
    const char *text = slurp(FIXTURES "/../shaders/skin.vert", NULL), *place = strstr(text, "    gl_Position =");
    SCOPED(text) shader = {0};
    text_add_bytes(&shader, text, (size_t)(place - text));
    text_addf(&shader, "%s%s", faulty, place + strlen("    gl_Position ="));
    spill("mine/skin.vert", text_string(&shader));
    write_accepted_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25], crowd: 3x1}\n");
    check_gives(0, NULL);
    assert_statuses("strip pass");
    json_is("golden/strip/recorded.json", "options.crowd", "3x1", "options.crowd-phase", "spread");
    write_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25], crowd: 3x1, crowd-phase: 0.1}\n");
    check_gives(1, NULL);
    assert_string_equal(result_of("strip", "stage"), "draw");
    write_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25], crowd: 3x1, shaders: mine}\n");
    check_gives(1, NULL);
    assert_string_equal(result_of("strip", "stage"), "skin");
    assert_contains(result_of("strip", "headline"), "instance 2 of the crowd");
}
