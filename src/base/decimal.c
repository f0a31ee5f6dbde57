#include "base/decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { MOST_POWER = 30 }; /* 4 * 2^24 * 10^30 is below 2^127 */

static wide power_of_ten(int exponent)
{
    static const uint64_t powers[] = {
        1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
        1000000000000, 10000000000000, 100000000000000, 1000000000000000,
    };
    return exponent <= 15 ? powers[exponent] : (wide)powers[15] * powers[exponent - 15];
}

/* A float as mantissa * 2^-shift, with what rounds to it: from 4 * mantissa - below to 4 * mantissa + 2, in quarters. */
struct parts {
    uint64_t mantissa;
    int shift;
    int below;
    bool ends_count; /* halfway cases go to the even mantissa */
};

static struct parts take_apart(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 23 & 0xff);
    uint32_t fraction = bits & 0x7fffff;
    return (struct parts){
        .mantissa = fraction | 0x800000,
        .shift = 150 - exponent,
        .below = fraction == 0 ? 1 : 2, /* below a power of two floats are twice as dense */
        .ends_count = fraction % 2 == 0,
    };
}

/* The whole number nearest to value * 10^power, halves to even. */
static uint64_t scaled(const struct parts *parts, int power)
{
    wide product = parts->mantissa * power_of_ten(power);
    wide half = (wide)1 << (parts->shift - 1);
    wide remainder = product & ((half << 1) - 1);
    uint64_t whole = (uint64_t)(product >> parts->shift);
    return whole + (remainder > half || (remainder == half && whole % 2 == 1));
}

/* Whether number / 10^power rounds to the float. */
static bool reads_back(const struct parts *parts, uint64_t number, int power)
{
    wide ten = power_of_ten(power);
    wide quarters = (wide)number << (parts->shift + 2);
    wide low = (4 * parts->mantissa - (uint64_t)parts->below) * ten;
    wide high = (4 * parts->mantissa + 2) * ten;
    return parts->ends_count ? quarters >= low && quarters <= high : quarters > low && quarters < high;
}

/* Position of the first digit: 0 for 1.5, -2 for 0.05. */
static int decimal_exponent(const struct parts *parts)
{
    int guess = (int)floor((23 - parts->shift) * 0.30102999566398120); /* of the power of two; one too low at most */
    int power = 8 - guess;
    return (uint64_t)(parts->mantissa * power_of_ten(power) >> parts->shift) >= 1000000000 ? guess + 1 : guess;
}

static size_t write_exponent(int exponent, char *out)
{
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    out[0] = 'e';
    out[1] = exponent < 0 ? '-' : '+';
    out[2] = (char)('0' + size / 10);
    out[3] = (char)('0' + size % 10);
    return 4;
}

/* As %g does: with an exponent below 1e-4, without trailing zeros. `exponent` is that of the first digit, at most 5. */
static size_t write_digits(uint64_t number, int exponent, char *out)
{
    char digits[24];
    int count = 0;
    char *at = out;
    while (number % 10 == 0)
        number /= 10;
    for (; number > 0; number /= 10)
        digits[sizeof digits - (size_t)++count] = (char)('0' + number % 10);
    const char *first = digits + sizeof digits - count;
    bool scientific = exponent < -4;
    int before = scientific ? 1 : exponent + 1; /* digits before the point */
    if (before <= 0) {
        *at++ = '0';
        *at++ = '.';
        for (int i = before; i < 0; i++)
            *at++ = '0';
    }
    for (int i = 0; i < count || i < before; i++) {
        if (i == before && i > 0)
            *at++ = '.';
        *at++ = i < count ? first[i] : '0';
    }
    if (scientific)
        at += write_exponent(exponent, at);
    return (size_t)(at - out);
}

static size_t by_integers(float magnitude, char *out)
{
    struct parts parts = take_apart(magnitude);
    int exponent = decimal_exponent(&parts);
    for (int digits = FLT_DIG;; digits++) {
        int power = digits - 1 - exponent;
        uint64_t number = scaled(&parts, power);
        if (digits < FLT_DECIMAL_DIG && !reads_back(&parts, number, power))
            continue;
        bool carried = number == (uint64_t)power_of_ten(digits); /* 9.9999999 has become 10 */
        return write_digits(number, exponent + carried, out);
    }
}

static size_t by_printf(float value, char *out)
{
    int length = 0;
    for (int digits = fabsf(value) < FLT_MIN ? 1 : FLT_DIG; digits <= FLT_DECIMAL_DIG; digits++) {
        length = snprintf(out, DECIMAL_CAPACITY, "%.*g", digits, (double)value);
        if (strtof(out, NULL) == value)
            break;
    }
    return (size_t)length;
}

size_t decimal_of_float(float value, char out[static DECIMAL_CAPACITY])
{
    float magnitude = fabsf(value);
    size_t sign = value < 0.0f;
    size_t length = 1;
    out[0] = sign ? '-' : '0';
    if (magnitude >= 1e-21f && magnitude < 1e6f)
        length = sign + by_integers(magnitude, out + sign);
    else if (magnitude > 0.0f)
        length = by_printf(value, out);
    out[length] = '\0';
    return length;
}

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

/* Where a number ends that begins here; the same place when none does. */
static const char *end_of_number(const char *text, bool whole)
{
    const char *s = text + (*text == '-');
    size_t digits = digits_at(s), decimals = 0;
    s += digits;
    if (!whole && *s == '.') {
        decimals = digits_at(s + 1);
        s += 1 + decimals;
    }
    if (digits + decimals == 0)
        return text;
    if (!whole && (*s == 'e' || *s == 'E')) {
        size_t sign = s[1] == '-' || s[1] == '+', exponent = digits_at(s + 1 + sign);
        s += exponent ? 1 + sign + exponent : 0;
    }
    return s;
}

bool decimal_read(const char *text, size_t length, bool whole, double *out)
{
    char copy[64];
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (end_of_number(copy, whole) != copy + length)
        return false;
    *out = strtod(copy, NULL);
    return isfinite(*out);
}
