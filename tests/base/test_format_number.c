/* Numbers as people say them. */
#include "cmocka_setup.h"

#include "base/format_number.h"

TEST(degrees_keep_what_counts)
{
    assert_string_equal(format_degrees(12).text, "12.0°");
    assert_string_equal(format_degrees(179.96).text, "180.0°");
    assert_string_equal(format_degrees(3.24).text, "3.2°");
    assert_string_equal(format_degrees(0.251).text, "0.25°");
    assert_string_equal(format_degrees(0.0012).text, "0.0012°");
    assert_string_equal(format_degrees(-90).text, "-90.0°");
}

TEST(lengths_have_the_unit_a_person_would_take)
{
    assert_string_equal(format_length(0.03, 1).text, "3 cm");
    assert_string_equal(format_length(0.0123, 1).text, "1.23 cm");
    assert_string_equal(format_length(0.0041, 1).text, "4.1 mm");
    assert_string_equal(format_length(0.9999, 1).text, "1 m");
    assert_string_equal(format_length(1.25, 1).text, "1.25 m");
    assert_string_equal(format_length(2500, 1).text, "2.5 km");
    assert_string_equal(format_length(0.00295e-3, 1).text, "2.95 µm");
    assert_string_equal(format_length(0.12e-3, 1).text, "0.12 mm");
    assert_string_equal(format_length(3e-8, 1).text, "0.03 µm");
    assert_string_equal(format_length(3, 0.01).text, "3 cm");
    assert_string_equal(format_length(0, 1).text, "0 units");
    assert_string_equal(format_length(3, 0).text, "3.00 units");
    assert_string_equal(format_length(0.03, 0).text, "0.0300 units");
    assert_string_equal(format_length(123.4, 0).text, "123 units");
    assert_string_equal(format_length(0.0000123, 0).text, "0.0000123 units");
    assert_string_equal(format_length(1e-9, 0).text, "1e-09 units");
    assert_string_equal(format_length(1.5e9, 0).text, "1.5e+09 units");
}

TEST(shares_times_and_factors)
{
    assert_string_equal(format_displacement(0.009).text, "0.9 % of the model's radius");
    assert_string_equal(format_displacement(0.000012).text, "0.0012 % of the model's radius");
    assert_string_equal(format_displacement(1).text, "100 % of the model's radius");
    assert_string_equal(format_displacement(12).text, "12 times the model's radius");
    assert_string_equal(format_seconds(0.25).text, "0.250 s");
    assert_string_equal(format_seconds(1.0 / 24).text, "0.041667 s");
    assert_string_equal(format_seconds(0).text, "0.000 s");
    assert_string_equal(format_seconds(-1e308).text, "-1e+308 s"); /* of a pose.json, say */
    assert_string_equal(format_factor(24, "longer", "shorter").text, "24 times longer");
    assert_string_equal(format_factor(1.0 / 3, "longer", "shorter").text, "3 times shorter");
    assert_string_equal(format_factor(0.01, "larger", "smaller").text, "100 times smaller");
    assert_string_equal(format_scale(2).text, "scale +2 %");
    assert_string_equal(format_scale(-0.04).text, "scale -0.04 %");
    assert_string_equal(format_scale(9900).text, "a scale of 100");
    assert_string_equal(format_scale(-99).text, "a scale of 0.01");
    assert_string_equal(format_scale(-100).text, "a scale of 0");
}

TEST(pairs_differ_when_they_do)
{
    struct formatted_pair p = format_numbers(12.5, 30.1);
    assert_string_equal(p.now, "12.5");
    assert_string_equal(p.was, "30.1");
    p = format_numbers(1.0400001, 1.04);
    assert_string_equal(p.now, "1.0400001");
    assert_string_equal(p.was, "1.04");
    p = format_durations(25, 1.0416);
    assert_string_equal(p.now, "25.0 s");
    assert_string_equal(p.was, "1.04 s");
    p = format_durations(0, 1);
    assert_string_equal(p.now, "0 s");
    p = format_numbers(1, 1);
    assert_string_equal(p.now, p.was);
}

TEST(vectors_differ_when_they_do)
{
    SCOPED_ARENA arena = arena_create((size_t)1 << 20, ANY_ERROR);
    static const float a[] = {0.8f, 0.1f, 1}, b[] = {0.8f, 0.10001f, 1}, third[] = {1.0f / 3, 0, -2};
    const char *now, *was;
    format_vectors(a, b, 3, arena, &now, &was);
    assert_string_equal(now, "(0.8, 0.1, 1)");
    assert_string_equal(was, "(0.8, 0.10001, 1)");
    format_vectors(third, third, 3, arena, &now, &was);
    assert_string_equal(now, "(0.333, 0, -2)");
    assert_string_equal(was, now);
}
