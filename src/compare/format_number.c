#include "compare/format_number.h"

#include "base/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- single numbers ---------------------------------------------------------------------------------------------- */

static void drop_trailing_zeros(char *number)
{
    if (!strchr(number, '.') || strchr(number, 'e'))
        return;
    char *end = number + strlen(number);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        end[-1] = '\0';
}

/* The power of ten of a number once it is rounded to so many digits: 0.00999 is a hundredth with two. */
static int power_of_ten(double value, int digits)
{
    char number[40];
    snprintf(number, sizeof number, "%.*e", digits - 1, value);
    return (int)strtol(strchr(number, 'e') + 1, NULL, 10);
}

/* `digits` digits that count, without an exponent between 1e-6 and 1e6. */
static void print_number(char *out, size_t size, double value, int digits, bool trim)
{
    double magnitude = fabs(value);
    if (magnitude == 0.0 || !isfinite(magnitude)) {
        snprintf(out, size, "%g", magnitude); /* nothing has no sign */
    } else if (magnitude < 1e-6 || magnitude >= 1e6) {
        snprintf(out, size, "%.*g", digits, value);
    } else {
        int decimals = digits - 1 - power_of_ten(value, digits);
        snprintf(out, size, "%.*f", decimals > 0 ? decimals : 0, value);
    }
    if (trim)
        drop_trailing_zeros(out);
}

struct formatted format_degrees(double degrees)
{
    struct formatted formatted;
    char number[40];
    if (fabs(degrees) >= 1.0)
        snprintf(number, sizeof number, "%.1f", degrees);
    else
        print_number(number, sizeof number, degrees, 2, false);
    snprintf(formatted.text, sizeof formatted.text, "%s°", number);
    return formatted;
}

static double metric_unit(double meters, const char **name)
{
    static const struct {
        double least, size;
        const char *name;
    } units[] = {{1e3, 1e3, "km"}, {1.0, 1.0, "m"}, {0.01, 0.01, "cm"}, {1e-4, 1e-3, "mm"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (meters >= 0.9995 * units[i].least) {
            *name = units[i].name;
            return units[i].size;
        }
    *name = "µm";
    return 1e-6;
}

struct formatted format_length(double length, double unit_meters)
{
    struct formatted formatted;
    char number[40];
    const char *name = "units";
    if (unit_meters > 0 && length != 0.0)
        length *= unit_meters / metric_unit(fabs(length) * unit_meters, &name);
    print_number(number, sizeof number, length, 3, unit_meters > 0);
    snprintf(formatted.text, sizeof formatted.text, "%s %s", number, name);
    return formatted;
}

struct formatted format_displacement(double displacement)
{
    struct formatted formatted;
    char number[40];
    bool is_share = displacement < 1.5;
    print_number(number, sizeof number, is_share ? 100.0 * displacement : displacement, 2, true);
    snprintf(formatted.text, sizeof formatted.text, "%s %s the model's radius", number, is_share ? "% of" : "times");
    return formatted;
}

struct formatted format_seconds(double seconds)
{
    struct formatted formatted;
    char number[40];
    int decimals = 3;
    do
        snprintf(number, sizeof number, "%.*f", decimals, seconds);
    while (fabs(strtod(number, NULL) - seconds) > 1e-7 && ++decimals <= 6);
    snprintf(formatted.text, sizeof formatted.text, "%s s", number);
    return formatted;
}

struct formatted format_factor(double ratio, const char *greater, const char *smaller)
{
    struct formatted formatted;
    char number[40];
    print_number(number, sizeof number, ratio >= 1.0 ? ratio : 1.0 / ratio, 3, true);
    snprintf(formatted.text, sizeof formatted.text, "%s times %s", number, ratio >= 1.0 ? greater : smaller);
    return formatted;
}

struct formatted format_scale(double percent)
{
    struct formatted formatted;
    char number[40];
    bool is_slight = percent < 100.0 && percent > -50.0;
    print_number(number, sizeof number, is_slight ? percent : 1.0 + percent / 100.0, is_slight ? 2 : 3, true);
    if (is_slight)
        snprintf(formatted.text, sizeof formatted.text, "scale %s%s %%", percent > 0 ? "+" : "", number);
    else
        snprintf(formatted.text, sizeof formatted.text, "a scale of %s", number);
    return formatted;
}

/* ---- now and before ---------------------------------------------------------------------------------------------- */

enum { FEWEST_DIGITS = 3, MOST_DIGITS = 17 };

static struct formatted_pair print_pair(double now, double was, bool trim)
{
    struct formatted_pair pair;
    for (int digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
        print_number(pair.now, sizeof pair.now, now, digits, trim);
        print_number(pair.was, sizeof pair.was, was, digits, trim);
        if (now == was || strcmp(pair.now, pair.was) != 0)
            break;
    }
    return pair;
}

struct formatted_pair format_numbers(double now, double was)
{
    return print_pair(now, was, true);
}

struct formatted_pair format_durations(double now, double was)
{
    struct formatted_pair pair = print_pair(now, was, false);
    strcat(pair.now, " s");
    strcat(pair.was, " s");
    return pair;
}

static char *print_vector(const float *values, size_t count, int digits, struct arena *arena)
{
    struct text text = {0};
    for (size_t i = 0; i < count; i++) {
        char number[40];
        print_number(number, sizeof number, (double)values[i], digits, true);
        text_addf(&text, "%s%s", i ? ", " : "(", number);
    }
    text_add(&text, ")");
    char *copy = arena_string(arena, text_string(&text));
    text_release(&text);
    return copy;
}

void format_vectors(const float *now, const float *was, size_t count, struct arena *arena, const char **now_text,
                    const char **was_text)
{
    bool differ = memcmp(now, was, count * sizeof *now) != 0;
    for (int digits = FEWEST_DIGITS; digits <= 9; digits += 2) {
        *now_text = print_vector(now, count, digits, arena);
        *was_text = print_vector(was, count, digits, arena);
        if (!differ || strcmp(*now_text, *was_text) != 0)
            break;
    }
}

const char *format_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

const char *format_mesh(const char *label, struct arena *arena)
{
    return name_quoted(label, '`', arena);
}
