/* Ticks of an axis by hand; what a picture and a table make of names and of values that are not known. */
#include "cmocka_setup.h"

#include <math.h>
#include <string.h>

#include "plot/plot.h"
#include "run_binary.h"

static void ticks_are_round(void **state)
{
    static const struct {
        double least, most, first, step;
        uint32_t wanted, count;
        int decimals;
    } cases[] = {
        {0, 1, 0, 0.2, 6, 6, 1},           {0, 2, 0, 0.5, 6, 5, 1},    {-1.04, 1.04, -1, 0.5, 6, 5, 1},
        {0.0861, 0.4563, 0.1, 0.1, 6, 4, 1}, {1000, 9000, 2000, 2000, 6, 4, 0}, {0, 37, 0, 5, 9, 8, 0},
        {-3e-4, -1e-4, -3e-4, 5e-5, 6, 5, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct plot_ticks ticks = plot_ticks_find(cases[i].least, cases[i].most, cases[i].wanted);
        assert_float_equal(ticks.step / cases[i].step, 1, 1e-9);
        assert_float_equal(ticks.first, cases[i].first, 1e-9 * cases[i].step);
        assert_int_equal(ticks.count, cases[i].count);
        assert_int_equal(ticks.decimals, cases[i].decimals);
    }
}

static const double times[] = {0, 1, 2, 3, 4}, values[] = {0, 1, NAN, 3, 4};
static const struct plot_key keys[] = {{1, 1}};
static struct plot_series series[] = {
    {.source = "a,\"b\"", .bone = "<script>alert(1)</script>&\"'\x1b[31m", .mesh = "m", .channel = "global.y", .count = 5,
     .times = times, .values = values, .key_count = 1, .keys = keys},
};
static struct plot_panel panel = {"global.y", "units", 1, series};
static const struct plot plot = {"<b>title</b>", 800, 1, &panel};

static void names_are_escaped(void **state)
{
    struct text svg = {0}, csv = {0};
    plot_svg(&plot, &svg);
    assert_null(strstr(svg.data, "<script"));
    assert_null(strstr(svg.data, "<b>"));
    assert_null(strchr(svg.data, '\x1b'));
    assert_contains(svg.data, "&lt;script&gt;alert(1)&lt;/script&gt;&amp;");
    assert_contains(svg.data, "<title>&lt;b&gt;title&lt;/b&gt;</title>");
    plot_csv(&plot, &csv);
    assert_string_equal(csv.data, "source,bone,mesh,channel,time,value,key\n"
                                  "\"a,\"\"b\"\"\",\"<script>alert(1)</script>&\"\"'\\u001b[31m\",m,global.y,0,0,0\n"
                                  "\"a,\"\"b\"\"\",\"<script>alert(1)</script>&\"\"'\\u001b[31m\",m,global.y,1,1,0\n"
                                  "\"a,\"\"b\"\"\",\"<script>alert(1)</script>&\"\"'\\u001b[31m\",m,global.y,3,3,0\n"
                                  "\"a,\"\"b\"\"\",\"<script>alert(1)</script>&\"\"'\\u001b[31m\",m,global.y,4,4,0\n"
                                  "\"a,\"\"b\"\"\",\"<script>alert(1)</script>&\"\"'\\u001b[31m\",m,global.y,1,1,1\n");
    text_release(&svg);
    text_release(&csv);
}

/* From 76 to 550 over 0..4 s; from 4.24 down to -0.24 over 186 pixels: a curve in two parts. */
static void a_gap_stays_one(void **state)
{
    struct text svg = {0};
    plot_svg(&plot, &svg);
    assert_contains(svg.data, "d=\"M76.00 252.04L194.50 210.52M431.50 127.48L550.00 85.96\"");
    assert_contains(svg.data, "<circle class=\"key c0\" cx=\"194.50\" cy=\"210.52\" r=\"2.5\"/>");
    assert_contains(svg.data, "prefers-color-scheme:dark");
    text_release(&svg);
}

static void nothing_is_a_picture_too(void **state)
{
    struct text svg = {0};
    struct plot_series none = series[0];
    none.count = none.key_count = 0;
    plot_svg(&(struct plot){"", 800, 1, &(struct plot_panel){"", "", 1, &none}}, &svg);
    assert_null(strstr(svg.data, "nan"));
    assert_null(strstr(svg.data, "inf"));
    text_release(&svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_round),
        cmocka_unit_test(names_are_escaped),
        cmocka_unit_test(a_gap_stays_one),
        cmocka_unit_test(nothing_is_a_picture_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
