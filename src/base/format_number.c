#include "base/format_number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* `digits` digits that count, without an exponent between 1e-6 and 1e6. */
static struct formatted format_digits(double value, int digits, bool trim)
{
    struct formatted number;
    double magnitude = fabs(value);
    if (magnitude == 0.0 || !isfinite(magnitude)) {
        snprintf(number.text, sizeof number.text, "%g", magnitude); /* nothing has no sign */
    } else if (magnitude < 1e-6 || magnitude >= 1e6) {
        snprintf(number.text, sizeof number.text, "%.*g", digits, value);
    } else { /* the power of ten is that of the rounded number: 0.00999 is a hundredth with two digits */
        snprintf(number.text, sizeof number.text, "%.*e", digits - 1, value);
        int decimals = digits - 1 - (int)strtol(strchr(number.text, 'e') + 1, NULL, 10);
        snprintf(number.text, sizeof number.text, "%.*f", decimals > 0 ? decimals : 0, value);
    }
    if (trim && strchr(number.text, '.') && !strchr(number.text, 'e')) {
        char *end = number.text + strlen(number.text);
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.')
            end[-1] = '\0';
    }
    return number;
}

static __attribute__((format(printf, 1, 2))) struct formatted formatted(const char *format, ...)
{
    struct formatted out;
    va_list args;
    va_start(args, format);
    vsnprintf(out.text, sizeof out.text, format, args);
    va_end(args);
    return out;
}

struct formatted format_degrees(double degrees)
{
    if (fabs(degrees) >= 1.0)
        return formatted("%.1f°", degrees);
    return formatted("%s°", format_digits(degrees, 2, false).text);
}

struct formatted format_length(double length, double unit_meters)
{
    static const struct {
        double least, size;
        const char *name;
    } units[] = {{1e3, 1e3, "km"}, {1.0, 1.0, "m"}, {0.01, 0.01, "cm"}, {1e-4, 1e-3, "mm"}, {0, 1e-6, "µm"}};
    size_t unit = 0;
    if (!(unit_meters > 0) || length == 0.0)
        return formatted("%s units", format_digits(length, 3, unit_meters > 0).text);
    while (fabs(length) * unit_meters < 0.9995 * units[unit].least)
        unit++;
    return formatted("%s %s", format_digits(length * (unit_meters / units[unit].size), 3, true).text, units[unit].name);
}

struct formatted format_displacement(double displacement)
{
    bool is_share = displacement < 1.5;
    return formatted("%s %s the model's radius",
                     format_digits(is_share ? 100.0 * displacement : displacement, 2, true).text,
                     is_share ? "% of" : "times");
}

struct formatted format_seconds(double seconds)
{
    struct formatted number;
    int decimals = 3;
    do /* what a file says may be any number */
        number = formatted(fabs(seconds) < 1e15 ? "%.*f s" : "%.*g s", decimals, seconds);
    while (fabs(strtod(number.text, NULL) - seconds) > 1e-7 && ++decimals <= 6);
    return number;
}

struct formatted format_factor(double ratio, const char *greater, const char *smaller)
{
    return formatted("%s times %s", format_digits(ratio >= 1.0 ? ratio : 1.0 / ratio, 3, true).text,
                     ratio >= 1.0 ? greater : smaller);
}

struct formatted format_ratio(double ratio, double least, double most, const char *greater, const char *smaller)
{
    if (ratio > least && ratio < most)
        return formatted("%.2g %% %s", 100.0 * fabs(ratio - 1.0), ratio > 1.0 ? greater : smaller);
    return format_factor(ratio, greater, smaller);
}

struct formatted format_scale(double percent)
{
    if (percent < 100.0 && percent > -50.0)
        return formatted("scale %s%s %%", percent > 0 ? "+" : "", format_digits(percent, 2, true).text);
    return formatted("a scale of %s", format_digits(1.0 + percent / 100.0, 3, true).text);
}

enum { FEWEST_DIGITS = 3, MOST_DIGITS = 17 };

static struct formatted_pair format_pair(double now, double was, bool trim, const char *unit)
{
    struct formatted_pair pair;
    for (int digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
        struct formatted after = format_digits(now, digits, trim), before = format_digits(was, digits, trim);
        snprintf(pair.now, sizeof pair.now, "%.30s%s", after.text, unit);
        snprintf(pair.was, sizeof pair.was, "%.30s%s", before.text, unit);
        if (now == was || strcmp(pair.now, pair.was) != 0)
            break;
    }
    return pair;
}

struct formatted_pair format_numbers(double now, double was)
{
    return format_pair(now, was, true, "");
}

struct formatted_pair format_durations(double now, double was)
{
    return format_pair(now, was, false, " s");
}

static char *format_vector(const float *values, size_t count, int digits, struct arena *arena)
{
    struct text text = {0};
    for (size_t i = 0; i < count; i++)
        text_addf(&text, "%s%s", i ? ", " : "(", format_digits((double)values[i], digits, true).text);
    text_add(&text, ")");
    return arena_text(arena, &text);
}

void format_vectors(const float *now, const float *was, size_t count, struct arena *arena, const char **now_text,
                    const char **was_text)
{
    bool differ = memcmp(now, was, count * sizeof *now) != 0;
    for (int digits = FEWEST_DIGITS; digits <= 9; digits += 2) {
        *now_text = format_vector(now, count, digits, arena);
        *was_text = format_vector(was, count, digits, arena);
        if (!differ || strcmp(*now_text, *was_text) != 0)
            break;
    }
}

const char *format_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

void change_describe(double degrees, const char *axis, double translation, double scale_percent,
                     double influence_radius, double distance, double unit_meters, struct text *out)
{
    double least = distance / 20.0, radians = degrees * acos(-1.0) / 180.0;
    bool turned = degrees > 0 && !(radians * influence_radius < least);
    bool moved = translation > 0 && !(translation < least);
    bool scaled = fabs(scale_percent) > 0 && !(fabs(scale_percent) / 100.0 * influence_radius < least);
    if (turned)
        text_addf(out, "%s%s%s", format_degrees(degrees).text, axis && *axis ? " about " : "", axis ? axis : "");
    if (moved || !(turned || scaled))
        text_addf(out, "%s%s",
                  !turned  ? ""
                  : scaled ? ", "
                           : " and ",
                  format_length(moved ? translation : distance, unit_meters).text);
    if (scaled)
        text_addf(out, "%s%s",
                  turned && moved   ? ", "
                  : turned || moved ? " and "
                                    : "",
                  format_scale(scale_percent).text);
}
