#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { DECIMAL_CAPACITY = 32 };

/*
 * The shortest decimal of 6 digits or more that reads back to the same finite float, and then without its trailing
 * zeros: letter by letter what printf's %.6g, %.7g, %.8g or %.9g give, the first that reads back, in the C locale. -0
 * is 0. Denormal numbers hold fewer digits, so there it begins at %.1g.
 *
 * Magnitudes from 1e-21 to 1e6 are worked out in doubles, many times as fast as printf, to which the rest and what is
 * near to two decimals is left. Returns the length.
 */
size_t decimal_of_float(float value, char out[static DECIMAL_CAPACITY]);

/*
 * A finite number that a person wrote, all `length` characters of the text: digits, perhaps with a '-' in front, a
 * point and an exponent. Nothing else that strtod() takes: no blanks, '+', hexadecimal, "nan". `whole`: digits and '-'
 * alone.
 */
bool decimal_read(const char *text, size_t length, bool whole, double *out);
