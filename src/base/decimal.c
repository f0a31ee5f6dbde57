#include "base/decimal.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double power_of_ten[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30,
};

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
    if (scientific) {
        *at++ = 'e';
        *at++ = '-';
        *at++ = (char)('0' + -exponent / 10);
        *at++ = (char)('0' + -exponent % 10);
    }
    return (size_t)(at - out);
}

static double float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/*
 * A double holds a product with a power of ten to some 2e-16 of it. 0 where that does not tell to which side the last
 * digit is rounded, or whether the decimal reads back.
 */
static size_t by_doubles(float magnitude, char *out)
{
    double value = magnitude;
    uint32_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    double low = (value + float_of(bits - 1)) / 2; /* halfway to the next float */
    double high = (value + float_of(bits + 1)) / 2;
    int binary = (int)(bits >> 23) - 127;
    int exponent = (int)(binary * 0.30102999566398120 + 64) - 64; /* of the first digit; one too low at most */
    exponent += value * power_of_ten[8 - exponent] >= 1e9;
    for (int digits = FLT_DIG;; digits++) {
        double power = power_of_ten[digits - 1 - exponent], scaled = value * power, least = low * power,
               most = high * power;
        double whole = (double)(int64_t)scaled, rest = scaled - whole, number = whole + (rest > 0.5);
        if (fabs(rest - 0.5) < 1e-6 || fabs(number - least) < 1e-15 * scaled || fabs(number - most) < 1e-15 * scaled)
            return 0;
        if (digits < FLT_DECIMAL_DIG && (number < least || number > most))
            continue;
        bool carried = number >= power_of_ten[digits]; /* 9.9999999 has become 10 */
        return write_digits((uint64_t)number, exponent + carried, out);
    }
}

size_t decimal_of_float(float value, char out[static DECIMAL_CAPACITY])
{
    float magnitude = fabsf(value);
    size_t sign = value < 0.0f, length = 0;
    assert(isfinite(value));
    out[0] = sign ? '-' : '0';
    if (magnitude >= 1e-21f && magnitude < 1e6f)
        length = by_doubles(magnitude, out + sign);
    if (length > 0) {
        length += sign;
    } else if (magnitude > 0.0f) {
        for (int digits = magnitude < FLT_MIN ? 1 : FLT_DIG; digits <= FLT_DECIMAL_DIG; digits++) {
            length = (size_t)snprintf(out, DECIMAL_CAPACITY, "%.*g", digits, (double)value);
            if (strtof(out, NULL) == value)
                break;
        }
    } else {
        length = 1;
    }
    out[length] = '\0';
    return length;
}

bool decimal_read(const char *text, size_t length, bool whole, double *out)
{
    char copy[64], *end;
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (copy[0] == '+' || strspn(copy, whole ? "-0123456789" : "-+.eE0123456789") != length)
        return false;
    double number = strtod(copy, &end);
    if (end != copy + length || !isfinite(number))
        return false;
    *out = number;
    return true;
}
