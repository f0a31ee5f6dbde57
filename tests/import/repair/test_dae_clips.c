/* COLLADA animations that play together. What comes of them in numbers is cli_expected's business (fixtures/limb). */
#include "import/import_fixture.h"

#include "import/convert.h"

#define CHANNEL(id, target) "<sampler id=\"" id "\"/><channel source=\"#" id "\" target=\"" target "\"/>"
#define LIBRARY(text) "<COLLADA><library_animations>" text "</library_animations></COLLADA>"

static struct blob as_file(const char *text)
{
    return (struct blob){(unsigned char *)(size_t)text, strlen(text)};
}

static void becomes(const char *text, const char *expected)
{
    struct blob file = as_file(text);
    struct text out = {0};
    struct error err = {0};
    if (!dae_join_animations(&file, &out, &err))
        fail_msg("%s: %s", text, err.text);
    assert_string_equal(text_string(&out), expected);
    text_release(&out);
}

static void is_left(const char *text, const char *why)
{
    struct blob file = as_file(text);
    struct text out = {0};
    struct error err = {0};
    if (dae_join_animations(&file, &out, &err))
        fail_msg("%s was joined", text);
    assert_contains(err.text, why);
    text_release(&out);
}

static void channels_come_into_one_animation(void **state)
{
    (void)state;
    becomes(LIBRARY("<animation id=\"a\" name=\"x>y\">" CHANNEL("s", "hip/move.X") "</animation>\n<animation>" CHANNEL(
                "t", "hip/move.Y") "</animation>"),
            LIBRARY("<animation id=\"a\" name=\"x>y\">" CHANNEL("s", "hip/move.X") "\n" CHANNEL(
                "t", "hip/move.Y") "</animation>"));
    becomes(LIBRARY("<animation/><animation id='a'><animation id='b'>" CHANNEL(
                "s", "a/m") "</animation></animation><animation\n/>"),
            LIBRARY("<animation id='a'>" CHANNEL("s", "a/m") "</animation>"));
}

static void what_is_no_tag_stays(void **state)
{
    (void)state;
    static const char other[] = "<?xml version='1.0'?><!DOCTYPE x><!-- <animation> </library_animations> -->"
                                "<extra><![CDATA[<animation>]]></extra><animation name='not in the library'/>";
    char text[512], expected[512];
    snprintf(text, sizeof text,
             "%s<library_animations><!-- <animation> "
             "--><animation>1</animation><animation>2</animation></library_animations>",
             other);
    snprintf(expected, sizeof expected,
             "%s<library_animations><!-- <animation> --><animation>12</animation></library_animations>", other);
    becomes(text, expected);
}

static void meaning_may_not_change(void **state)
{
    (void)state;
#define TWO(a, b) LIBRARY("<animation>" a "</animation><animation>" b "</animation>")
    is_left(TWO(CHANNEL("s", "hip/move.X"), CHANNEL("s", "hip/move.Y")), "two samplers have the id \"s\"");
    is_left(TWO(CHANNEL("s", "hip/move.X"), CHANNEL("t", "hip/move.X")), "two channels move \"hip/move.X\"");
    is_left(TWO(CHANNEL("s", "hip/move.X"), CHANNEL("t", "hip/move")), "two channels move \"hip/move\"");
    is_left(TWO(CHANNEL("s", "hip/m(3)(0)"), CHANNEL("t", "hip/m")), "two channels move \"hip/m\"");
    is_left(TWO(CHANNEL("s", "hip/move.X"), CHANNEL("t", "leg-morph-weights(0)")), "moves no node");
    is_left(TWO("<sampler/>", ""), "a sampler has no id");
    is_left(TWO("<channel source=\"#target='hip/m'\"/>", ""), "a channel has no target");
    is_left(LIBRARY("") LIBRARY(""), "more than one <library_animations>");
    is_left("<COLLADA/>", "no <library_animations>");
    is_left("", "no <library_animations>");
    becomes(TWO(CHANNEL("s", "hip/move"), CHANNEL("t", "hip/move2.X")),
            LIBRARY("<animation>" CHANNEL("s", "hip/move") CHANNEL("t", "hip/move2.X") "</animation>"));
}

static void cut_files_end(void **state)
{
    (void)state;
    static const char whole[] =
        LIBRARY("<animation a='1' b=\"2\">" CHANNEL("s", "hip/move.X") "<!-- c --><![CDATA[d]]></animation>");
    for (size_t length = 0; length < sizeof whole; length++) {
        char text[sizeof whole];
        struct text out = {0};
        struct error ignored = {0};
        snprintf(text, sizeof text, "%.*s", (int)length, whole);
        struct blob file = as_file(text);
        dae_join_animations(&file, &out, &ignored);
        assert_false(dae_names_clips(&file));
        text_release(&out);
    }
}

static void clips_are_seen(void **state)
{
    (void)state;
    struct blob none = as_file("<library_animation_clips/><!-- <animation_clip> --><animation_clips/>");
    struct blob one = as_file("<library_animation_clips><animation_clip id='a'/></library_animation_clips>");
    assert_false(dae_names_clips(&none));
    assert_true(dae_names_clips(&one));
}

static void clips_that_cannot_be_joined_are_told(void **state)
{
    (void)state;
    struct blob file;
    struct error err = {0};
    assert_true(file_read(FIXTURES "/limb/limb.dae", 1 << 20, &file, &err));
    char *at = strstr((char *)file.data, "target=\"knee/rotateZ.ANGLE\"");
    assert_non_null(at);
    *strchr(at, 'Z') = 'Y';
    struct scene *scene = import_text("a.dae", (const char *)file.data, &err);
    blob_release(&file);
    if (!scene)
        fail_msg("%s", err.text);
    assert_int_equal(scene->clip_count, 3);
    assert_contains(note_of(scene, NOTE_WARNING, "dae-clips"),
                    "3 clips from a file that names none, which play together: two channels move");
    scene_free(scene);
    scene = load_with("limb/limb.dae", 0);
    assert_int_equal(scene->clip_count, 3);
    assert_contains(note_of(scene, NOTE_WARNING, "dae-clips"), "the repair is off");
    scene_free(scene);
    scene = load("limb/limb.dae");
    assert_int_equal(scene->clip_count, 1);
    assert_contains(note_of(scene, NOTE_REPAIR, "dae-clips"), "3 of Assimp's are one");
    scene_free(scene);
    scene = load("walker/walker.dae"); /* Assimp puts this one together itself */
    assert_null(note_of(scene, NOTE_REPAIR, "dae-clips"));
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_come_into_one_animation),
        cmocka_unit_test(what_is_no_tag_stays),
        cmocka_unit_test(meaning_may_not_change),
        cmocka_unit_test(cut_files_end),
        cmocka_unit_test(clips_are_seen),
        cmocka_unit_test(clips_that_cannot_be_joined_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
