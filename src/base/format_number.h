#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"

/* Numbers as text: three digits that count, no exponents where they can be helped, and never "1.04, was 1.04".
 * Structs by value, whose `text` can be given to printf at once. */

struct formatted {
    char text[64];
};

/* Two values of one thing, with so many digits that they differ (when they do). */
struct formatted_pair {
    char now[40];
    char was[40];
};

/* "12.0°", "0.25°", "0.00031°". */
struct formatted format_degrees(double degrees);

/* "3 cm", "1.25 m" where the unit is known (`unit_meters` > 0), else "0.03 units". Of a length in scene units. */
struct formatted format_length(double length, double unit_meters);

/* "0.9 % of the model's radius", "12 times the model's radius". */
struct formatted format_displacement(double displacement);

/* "0.250 s": a time of a pose, as in the names of golden files. */
struct formatted format_seconds(double seconds);

/* "24 times longer", "3.5 times shorter": of a ratio now / was that is positive and not near 1. */
struct formatted format_factor(double ratio, const char *greater, const char *smaller);

/* "0.02 % longer" where the ratio is between `least` and `most`, else the same. */
struct formatted format_ratio(double ratio, double least, double most, const char *greater, const char *smaller);

/* "scale +2 %", "scale -0.04 %"; "a scale of 100" where it is that much. */
struct formatted format_scale(double percent);

/* Numbers without trailing zeros ("12.5", "30.1"); durations keep three digits ("25.0 s", "1.04 s"). */
struct formatted_pair format_numbers(double now, double was);
struct formatted_pair format_durations(double now, double was);

/* "(0.8, 0.1, 0.1)" with so many digits that both lists differ. Texts are in the arena. */
void format_vectors(const float *now, const float *was, size_t count, struct arena *arena, const char **now_text,
                    const char **was_text);

/* "" or "s". */
const char *format_plural(size_t count);

/* The parts of a change that matter for it: "12.0° and 3.00 units", "scale +2 %". Parts that move a point at
 * `influence_radius` by less than a twentieth of `distance` are left out. The degrees are about `axis`, unless that
 * is NULL. */
void change_describe(double degrees, const char *axis, double translation, double scale_percent,
                     double influence_radius, double distance, double unit_meters, struct text *out);
