/* Ticks of an axis by hand; what a picture and a table make of names and of values that are not known. */

#include "plot/plot.h"
#include "run_binary.h"

TEST(ticks_are_round)
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

TEST(names_are_escaped)
{
    SCOPED(text) svg = {0}, csv = {0};
    plot_svg(&plot, &svg);
    assert_lacks(svg.data, "<script", "<b>");
    assert_null(strchr(svg.data, '\x1b'));
    assert_contains(svg.data, "&lt;script&gt;alert(1)&lt;/script&gt;&amp;", "<title>&lt;b&gt;title&lt;/b&gt;</title>");
    plot_csv(&plot, &csv);
    assert_string_equal(csv.data, "source,bone,mesh,channel,time,value,key\n"
                                  "\"a,\"\"b\"\"\",\"<script>alert(1)</script>&\"\"'\\u001b[31m\",m,global.y,0,0,0\n"
                                  "\"a,\"\"b\"\"\",\"<script>alert(1)</script>&\"\"'\\u001b[31m\",m,global.y,1,1,0\n"
                                  "\"a,\"\"b\"\"\",\"<script>alert(1)</script>&\"\"'\\u001b[31m\",m,global.y,3,3,0\n"
                                  "\"a,\"\"b\"\"\",\"<script>alert(1)</script>&\"\"'\\u001b[31m\",m,global.y,4,4,0\n"
                                  "\"a,\"\"b\"\"\",\"<script>alert(1)</script>&\"\"'\\u001b[31m\",m,global.y,1,1,1\n");
}

/* From 76 on over 0..4 s; from 4.24 down to -0.24 over 186 pixels: a curve in two parts. */
TEST(a_gap_stays_one)
{
    SCOPED(text) svg = {0};
    plot_svg(&plot, &svg);
    const char *curve = strstr(svg.data, "d=\"M76.00 252.04L");
    assert_non_null(curve);
    const char *gap = strchr(curve + 4, 'M');
    assert_true(gap && gap < strchr(curve + 3, '"'));
    assert_contains(svg.data, "<circle class=\"key c0\"", "prefers-color-scheme:dark");
}

/* Twenty curves that end at one place: no label is over another or beside the picture, and each has a colour of its own. */
TEST(labels_are_whole_and_apart)
{
    enum { CURVES = 20 };
    static char names[CURVES][64];
    struct plot_series many[CURVES];
    SCOPED(text) svg = {0};
    double places[CURVES], width, x;
    for (int i = 0; i < CURVES; i++) {
        snprintf(names[i], sizeof names[i], "mixamorig:RightForeArmTwistedAroundMagnificently%02d", i);
        many[i] = series[0];
        many[i].bone = names[i];
        many[i].colour = (uint32_t)i;
    }
    many[0].bone = "rig"; /* a node without the prefix has no part in it */
    plot_svg(&(struct plot){"title", 480, 1, &(struct plot_panel){"global.y", "units", CURVES, many}}, &svg);
    assert_int_equal(sscanf(strstr(svg.data, "width=\""), "width=\"%lf", &width), 1);
    const char *at = svg.data;
    for (int i = 0; i < CURVES; i++) {
        at = strstr(at, "<text x=\"");
        assert_non_null(at);
        assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\">", &x, &places[i]), 2);
        at += 9;
        assert_memory_equal(strchr(at, '>') + 1, i == 0 ? "rig " : "Righ", 4);
        assert_true(x + 0.6 * 12 * strlen("RightForeArmTwistedAroundMagnificently00") < width);
        assert_true(i == 0 || places[i] >= places[i - 1] + 17.99);
    }
    assert_contains(svg.data, "title (bones without their mixamorig:)</text>");
}

/* Colours of the light and of the dark set differ: no two within 50 of 442 in red, green and blue, and none is hard to
 * see. */
TEST(colours_are_distinct)
{
    SCOPED(text) svg = {0};
    plot_svg(&plot, &svg);
    const char *at = svg.data;
    int colours[40][3];
    for (int i = 0; i < 40; i++) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, ".c%d{color:#", i % 20);
        at = strstr(at, wanted);
        assert_non_null(at);
        assert_int_equal(sscanf(at + strlen(wanted), "%2x%2x%2x", (unsigned *)&colours[i][0], (unsigned *)&colours[i][1],
                                (unsigned *)&colours[i][2]), 3);
        for (int k = i / 20 * 20; k < i; k++)
            assert_true(hypot(hypot(colours[i][0] - colours[k][0], colours[i][1] - colours[k][1]),
                              colours[i][2] - colours[k][2]) > 50);
    }
}

TEST(nothing_is_a_picture_too)
{
    SCOPED(text) svg = {0};
    struct plot_series none = series[0];
    none.count = none.key_count = 0;
    plot_svg(&(struct plot){"", 800, 1, &(struct plot_panel){"", "", 1, &none}}, &svg);
    assert_lacks(svg.data, "nan", "inf");
}
