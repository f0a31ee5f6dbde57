/* Names of output files. */
#include "cmocka_setup.h"

#include <string.h>

#include "cli/output/template.h"
#include "run_binary.h"

static const struct template_values usual = {"a/b/walker.v2.glb", "rig|walk", 7, 0.25};

static void names_are(enum template_mode mode,
                      const struct template_values *values, const char *template, const char *expected)
{
    struct text out = {0};
    struct error err = {0};
    if (!template_expand(template, mode, values, &out, &err))
        fail_msg("%s: %s", template, err.text);
    assert_string_equal(text_string(&out), expected);
    text_release(&out);
}

static void placeholders_become_values(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"out.png", "out.png"}, {"", ""}, {"-", "-"}, {"{model}.png", "walker.v2.png"}, {"{clip}.png", "rig_walk.png"},
        {"{frame}.png", "7.png"}, {"{frame:04}.png", "0007.png"}, {"{frame:3}.png", "  7.png"}, {"{frame:1}", "7"},
        {"{time}.png", "0.250.png"}, {"d/{model}/{clip}_{frame:02}_{time}", "d/walker.v2/rig_walk_07_0.250"},
        {"open{brace", "open{brace"}, {"close}brace", "close}brace"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        names_are(TEMPLATE_NAME, &usual, cases[i][0], cases[i][1]);
}

static void times_have_three_to_six_decimals(void **state)
{
    (void)state;
    static const struct {
        double time;
        const char *text;
    } cases[] = {{0, "0.000"},         {1, "1.000"},         {0.1, "0.100"},         {1.0 / 24, "0.041667"},
                 {0.1234, "0.1234"},   {0.12345, "0.12345"}, {100.0625, "100.0625"}, {-0.5, "-0.500"},
                 {0.0000001, "0.000"}, {-0.0, "0.000"},      {-0.0000001, "0.000"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        names_are(TEMPLATE_NAME, &(struct template_values){"m", "c", 0, cases[i].time}, "{time}", cases[i].text);
}

static void negative_frames_are_padded(void **state)
{
    (void)state;
    names_are(TEMPLATE_NAME, &(struct template_values){"m", "c", -3, 0}, "{frame:04} {frame}", "-003 -3");
}

/* A clip's name comes out of a file: it must not lead anywhere. */
static void clip_names_are_harmless(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"..", "_."},
        {".", "_"},
        {"../../etc/passwd", "_._.._etc_passwd"},
        {".hidden", "_hidden"},
        {"a/b\\c:d*e?f\"g<h>i", "a_b_c_d_e_f_g_h_i"},
        {"tab\tand\nline", "tab_and_line"},
        {"{frame}", "_frame_"},
        {"two words", "two_words"},
        {"v1.2", "v1.2"},
        {"h\xc3\xbcpf", "h\xc3\xbcpf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        names_are(TEMPLATE_NAME, &(struct template_values){"m", cases[i][0], 0, 0}, "{clip}", cases[i][1]);
    names_are(TEMPLATE_NAME, &(struct template_values){"m", NULL, 0, 0}, "{clip}", "rest");
}

static void unknown_placeholders_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"{}",          "{frames}", "{Frame}",  "{frame:}", "{frame:x}",
                                        "{frame:100}", "{time:3}", "{modell}", "a{b}c"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text out = {0};
        struct error err = {0};
        assert_false(template_expand(cases[i], TEMPLATE_NAME, &usual, &out, &err));
        assert_contains(err.text, "{frame:04}");
        text_release(&out);
    }
}

static void some_templates_vary(void **state)
{
    (void)state;
    assert_true(template_varies("{frame}") && template_varies("a{frame:04}b") && template_varies("{time}"));
    assert_false(template_varies("a.png") || template_varies("{model}_{clip}") || template_varies("frame"));
}

static void sheets_have_a_name(void **state)
{
    (void)state;
    names_are(TEMPLATE_SHEET, &usual, "{model}_{frame:04}.png", "walker.v2_sheet.png");
    names_are(TEMPLATE_SHEET, &usual, "{time}.png", "sheet.png");
    names_are(TEMPLATE_SHEET, &usual, "one.png", "one.png");
}

static void film_is(const char *template, const char *expected)
{
    struct text out = {0};
    struct error err = {0};
    assert_int_equal(template_film_command(template, &usual, 24, &out, &err), expected != NULL);
    assert_string_equal(text_string(&out), expected ? expected : "");
    text_release(&out);
}

static void film_command_can_be_copied(void **state)
{
    (void)state;
    film_is("t_{frame:04}.png", "ffmpeg -framerate 24 -start_number 7 -i 't_%04d.png' -pix_fmt yuv420p film.mp4");
    film_is("t_{frame}.png", "ffmpeg -framerate 24 -start_number 7 -i 't_%d.png' -pix_fmt yuv420p film.mp4");
    film_is("it's {frame:02}.png",
            "ffmpeg -framerate 24 -start_number 7 -i 'it'\\''s %02d.png' -pix_fmt yuv420p film.mp4");
    film_is("100%_{frame}.png", "ffmpeg -framerate 24 -start_number 7 -i '100%%_%d.png' -pix_fmt yuv420p film.mp4");
    film_is("{time}.png", NULL);
    film_is("{frame}_{time}.png", NULL);
    film_is("one.png", NULL);
}

static struct template_values value_at(const void *context, size_t i)
{
    return ((const struct template_values *)context)[i];
}

static void equal_names_are_refused(void **state)
{
    (void)state;
    static const struct template_values values[] = {
        {"m", "c", 0, 0.5}, {"m", "c", 1, 0.25}, {"m", "c", 2, 0.25}, {"m", "c", 3, 0.2500001}, {"m", "c", 4, 0.5}};
    const struct template_values apart[] = {values[0], values[1], values[4]};
    const struct {
        const char *template;
        const struct template_values *values;
        size_t count;
        const char *says; /* NULL: they differ */
    } rows[] = {
        {"{frame}.png", values, 4, NULL},
        {"{time}.png", values, 2, NULL},
        {"one.png", values, 1, NULL},
        {"{time}.png", values, 3, "0.250.png"}, /* neither is like the first */
        {"{time}.png", values + 2, 2, "0.250"}, /* equal once they are written */
        {"{time}.png", apart, 3, "0.500.png"}, /* not neighbours */
        {"{bogus}.png", values, 4, "{bogus}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error err = {0};
        assert_int_equal(template_names_differ(rows[i].template, value_at, rows[i].values, rows[i].count, &err), !rows[i].says);
        assert_contains(err.text, rows[i].says ? rows[i].says : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placeholders_become_values),
        cmocka_unit_test(times_have_three_to_six_decimals),
        cmocka_unit_test(negative_frames_are_padded),
        cmocka_unit_test(clip_names_are_harmless),
        cmocka_unit_test(unknown_placeholders_are_refused),
        cmocka_unit_test(some_templates_vary),
        cmocka_unit_test(sheets_have_a_name),
        cmocka_unit_test(film_command_can_be_copied),
        cmocka_unit_test(equal_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
