/* Names of output files. */

#include "cli/output/template.h"
#include "run_binary.h"

#define USUAL {"a/b/walker.v2.glb", "rig|walk", 7, 0.25}
#define TIME(seconds) {"m", "c", 0, seconds}
#define CLIP(name) {"m", name, 0, 0} /* out of a file: it must not lead anywhere */

TEST(placeholders_become_values)
{
    static const struct {
        struct template_values values;
        const char *template, *expected;
        enum template_mode mode;
    } cases[] = {
        {USUAL, "out.png", "out.png"}, {USUAL, "", ""}, {USUAL, "-", "-"}, {USUAL, "{model}.png", "walker.v2.png"},
        {USUAL, "{clip}.png", "rig_walk.png"}, {USUAL, "{frame}.png", "7.png"}, {USUAL, "{frame:04}.png", "0007.png"},
        {USUAL, "{frame:3}.png", "  7.png"}, {USUAL, "{frame:1}", "7"}, {USUAL, "{time}.png", "0.250.png"},
        {USUAL, "d/{model}/{clip}_{frame:02}_{time}", "d/walker.v2/rig_walk_07_0.250"},
        {USUAL, "open{brace", "open{brace"}, {USUAL, "close}brace", "close}brace"},
        {{"m", "c", -3, 0}, "{frame:04} {frame}", "-003 -3"},
        {USUAL, "{model}_{frame:04}.png", "walker.v2_sheet.png", TEMPLATE_SHEET},
        {USUAL, "{time}.png", "sheet.png", TEMPLATE_SHEET}, {USUAL, "one.png", "one.png", TEMPLATE_SHEET},
        {TIME(0), "{time}", "0.000"}, {TIME(1), "{time}", "1.000"}, {TIME(0.1), "{time}", "0.100"},
        {TIME(1.0 / 24), "{time}", "0.041667"}, {TIME(0.1234), "{time}", "0.1234"}, {TIME(-0.5), "{time}", "-0.500"},
        {TIME(100.0625), "{time}", "100.0625"}, {TIME(0.0000001), "{time}", "0.000"}, {TIME(-0.0), "{time}", "0.000"},
        {TIME(-0.0000001), "{time}", "0.000"},
        {CLIP(NULL), "{clip}", "rest"}, {CLIP(".."), "{clip}", "_."}, {CLIP("."), "{clip}", "_"},
        {CLIP("../../etc/passwd"), "{clip}", "_._.._etc_passwd"}, {CLIP(".hidden"), "{clip}", "_hidden"},
        {CLIP("a/b\\c:d*e?f\"g<h>i"), "{clip}", "a_b_c_d_e_f_g_h_i"}, {CLIP("tab\tand\nline"), "{clip}", "tab_and_line"},
        {CLIP("{frame}"), "{clip}", "_frame_"}, {CLIP("two words"), "{clip}", "two_words"},
        {CLIP("v1.2"), "{clip}", "v1.2"}, {CLIP("h\xc3\xbcpf"), "{clip}", "h\xc3\xbcpf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SCOPED(text) out = {0};
        struct error err = {0};
        if (!template_expand(cases[i].template, cases[i].mode, &cases[i].values, &out, &err))
            fail_msg("%s: %s", cases[i].template, err.text);
        assert_string_equal(text_string(&out), cases[i].expected);
    }
}

static const struct template_values usual = USUAL;

TEST(unknown_placeholders_are_refused)
{
    static const char *const cases[] = {"{}",          "{frames}", "{Frame}",  "{frame:}", "{frame:x}",
                                        "{frame:100}", "{time:3}", "{modell}", "a{b}c"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SCOPED(text) out = {0};
        assert_refused(template_expand(cases[i], TEMPLATE_NAME, &usual, &out, err), "{frame:04}");
    }
}

static void film_is(const char *template, const char *expected)
{
    assert_writes(assert_int_equal(template_film_command(template, &usual, 24, out, ANY_ERROR), expected != NULL),
                  expected ? expected : "");
}

TEST(film_command_can_be_copied)
{
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

TEST(equal_names_are_refused)
{
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
