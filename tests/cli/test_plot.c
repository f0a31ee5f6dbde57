/* plot: curves against closed forms, against dump, against a program under test; keys, clips, models. */

#include <sys/stat.h>

#include "suite_runs.h"

#define STRIP FIXTURES "/strip/strip.gltf"
#define WALKER FIXTURES "/walker/walker.glb"

/* The value of the row that begins so: "source,bone,mesh,channel,time". */
static double value_of(const char *csv, const char *row)
{
    for (const char *line = csv; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, row, strlen(row)) == 0 && line[strlen(row)] == ',')
            return strtod(line + strlen(row) + 1, NULL);
    fail_msg("no row %s in %s", row, csv);
    return NAN;
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        found++;
    return found;
}

/* The clip turns the tip about z by a quarter turn in the first half second (fixtures/README.md). */
SCRATCH_TEST(turns_are_the_clips)
{
    const char *csv = rigproof_good("plot", STRIP, "--bone", "tip", "--clip", "linear-rotation", "--channel",
                                    "local.euler,local.turn,global.rotation,global.angular.z", "--times", "0,0.125,0.25,0.375,0.5", "-f", "csv")->out;
    const double eighth = acos(-1.0) / 8;
    assert_float_equal(value_of(csv, ",tip,,local.euler.z,0.125"), 22.5, 1e-4);
    assert_float_equal(value_of(csv, ",tip,,local.euler.z,0.5"), 90, 1e-4);
    assert_float_equal(value_of(csv, ",tip,,local.euler.x,0.375"), 0, 1e-4);
    assert_float_equal(value_of(csv, ",tip,,local.turn,0.375"), 67.5, 1e-4);
    assert_float_equal(value_of(csv, ",tip,,global.rotation.z,0.25"), sin(eighth), 1e-6);
    assert_float_equal(value_of(csv, ",tip,,global.rotation.w,0.25"), cos(eighth), 1e-6);
    for (int i = 0; i < 5; i++) {
        static const char *const rows[] = {"0", "0.125", "0.25", "0.375", "0.5"};
        assert_float_equal(value_of(csv, at(",tip,,global.angular.z,%s", rows[i])), 180, 1e-3);
    }
}

SCRATCH_TEST(models_of_one_name_are_told_apart)
{
    assert_int_equal(mkdir("a", 0777), 0);
    assert_int_equal(mkdir("b", 0777), 0);
    copy_file(WALKER, "a/walker.glb");
    copy_file(WALKER, "b/walker.glb");
    const char *svg = rigproof_good("plot", "a/walker.glb", "b/walker.glb", "--clip", "walk", "--bone", "hand_L")->out;
    assert_contains(svg, "<title>a/walker.glb and b/walker.glb, walk</title>");
    assert_contains(svg, "hand_L, global.x (b/walker.glb)");
}

/* Of several parts of one channel, and of velocities, what dump has. */
SCRATCH_TEST(numbers_are_those_of_dump)
{
    const char *dump = rigproof_good("dump", WALKER, "--clip", "walk", "--bone", "hand_L", "--stage", "global", "--velocities",
                                     "--times", "0.1,0.2,0.3", "-f", "csv")->out;
    const char *csv = rigproof_good("plot", WALKER, "--clip", "walk", "--bone", "hand_L", "--channel",
                                    "global.translation", "--channel", "global.velocity.x,global.angular.y", "--times", "0.1,0.2,0.3", "-f", "csv")->out;
    const char *line = strstr(dump, "walker.glb,walk,0.2,global,,hand_L,");
    double numbers[28];
    assert_non_null(line);
    for (int i = 0; i < 7; i++)
        line = strchr(line, ',') + 1;
    for (int i = 0; i < 28; i++, line = strpbrk(line, ",\n") + 1)
        numbers[i] = strtod(line, NULL);
    assert_float_equal(value_of(csv, ",hand_L,,global.x,0.2"), numbers[0], 1e-6);
    assert_float_equal(value_of(csv, ",hand_L,,global.y,0.2"), numbers[1], 1e-6);
    assert_float_equal(value_of(csv, ",hand_L,,global.z,0.2"), numbers[2], 1e-6);
    assert_float_equal(value_of(csv, ",hand_L,,global.velocity.x,0.2"), numbers[22], 1e-5 * fabs(numbers[22]));
    assert_float_equal(value_of(csv, ",hand_L,,global.angular.y,0.2"), numbers[26], 1e-4 * fabs(numbers[26]));
}

/* The clip `late` has keys of translation at 0.5 and 1.5 s; without times it is sampled 60 times a second and at the keys. */
SCRATCH_TEST(keys_are_marked)
{
    const char *csv = rigproof_good("plot", STRIP, "--bone", "tip", "--clip", "late", "--channel", "local.x", "-f", "csv")->out;
    assert_int_equal(count(csv, ",1\n"), 2);
    assert_contains(csv, ",tip,,local.x,0.5,");
    assert_true(count(csv, ",0\n") >= 91);
    const char *svg = rigproof_good("plot", STRIP, "--bone", "tip", "--clip", "late", "--channel", "local.x")->out;
    assert_int_equal(count(svg, "<circle class=\"key"), 2);
    assert_string_equal(svg, rigproof_good("plot", STRIP, "--bone", "tip", "--clip", "late", "--channel", "local.x")->out);
}

SCRATCH_TEST(clips_and_models_are_told_apart)
{
    const char *csv = rigproof_good("plot", WALKER, FIXTURES "/walker/walker.fbx", "--bone", "hand?L", "--channel", "global.y",
                                    "--clip", "1", "--times", "0.25,0.5", "-f", "csv")->out;
    assert_float_equal(100 * value_of(csv, "walker.glb walk,hand_L,,global.y,0.25"),
                       value_of(csv, "walker.fbx rig|walk,hand_L,,global.y,0.25"), 1e-3); /* in centimetres */
    csv = rigproof_good("plot", WALKER, "--bone", "hand_*", "--channel", "palette.y", "--clip", "walk", "--clip", "wave", "--times", "0.25", "-f", "csv")->out;
    assert_int_equal(count(csv, "walk,hand_L,"), count(csv, "wave,hand_R,"));
    assert_true(count(csv, "walk,hand_L,") > 0);
    csv = rigproof_good("plot", STRIP, "--bone", "tip", "--channel", "local.scale.x", "--clip", "all", "--times", "0.25", "-f", "csv")->out;
    assert_int_equal(count(csv, ",local.scale.x,0.25,"), 13);
}

SCRATCH_TEST(a_subject_is_beside_the_reference)
{
    const char *csv = rigproof_good("plot", WALKER, "--bone", "hand_L", "--channel", "local.x,global.y,palette.z", "--clip", "walk",
                                    "--subject", "'" RIGPROOF_BINARY "' \"subject\"", "--times", "0.25,0.5", "-f", "csv")->out;
    assert_int_equal(count(csv, "\nrigproof,hand_L"), 2 * 4); /* two meshes have an entry */
    assert_float_equal(value_of(csv, "rigproof,hand_L,,global.y,0.25"), value_of(csv, "reference,hand_L,,global.y,0.25"), 1e-6);
    assert_float_equal(value_of(csv, "rigproof,hand_L,,local.x,0.5"), value_of(csv, "reference,hand_L,,local.x,0.5"), 1e-6);
    rigproof_fails(2, "plot", WALKER, "--bone", "hand_L", "--subject", "false");
}

SCRATCH_TEST(what_is_not_there_is_said)
{
    rigproof_refuses("did you mean `hand_L`?", "plot", WALKER, "--bone", "hand_l");
    rigproof_refuses("--channel global.w", "plot", WALKER, "--bone", "hand_L", "--channel", "global.w");
    rigproof_refuses("--channel global.scale.w", "plot", WALKER, "--bone", "hand_L", "--channel", "global.scale.w");
    rigproof_refuses("--bone is missing", "plot", WALKER);
    rigproof_refuses("no palette entry", "plot", STRIP, "--bone", "rig", "--channel", "palette.x");
    rigproof_refuses("nothing plays", "plot", STRIP, "--bone", "tip", "--clip", "none");
    rigproof_refuses("more than 400", "plot", WALKER, "--bone", "*", "--clip", "all", "--channel",
                     "global.rotation,local.rotation,palette.rotation");
}
