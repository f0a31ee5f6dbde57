#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

void text_release(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

static void reserve(struct text *text, size_t more)
{
    size_t need = text->size + more + 1;
    if (need <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < need)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (!data) {
        fprintf(stderr, "error: out of memory: a text of %zu bytes\n", capacity);
        abort();
    }
    text->data = data;
    text->capacity = capacity;
}

void text_add_bytes(struct text *text, const void *bytes, size_t size)
{
    reserve(text, size);
    if (size > 0)
        memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void text_add(struct text *text, const char *string)
{
    text_add_bytes(text, string, strlen(string));
}

void text_addf(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0)
        return;
    reserve(text, (size_t)n);
    va_start(args, format);
    vsnprintf(text->data + text->size, (size_t)n + 1, format, args);
    va_end(args);
    text->size += (size_t)n;
}

void text_add_float(struct text *text, float value)
{
    reserve(text, DECIMAL_ROOM);
    text->size += decimal_of_float(value, text->data + text->size);
}

void text_add_double(struct text *text, double value)
{
    char number[40];
    for (int digits = fabs(value) < DBL_MIN ? 1 : FLT_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value)
            break;
    }
    text_add(text, value == 0.0 ? "0" : number);
}

const char *text_string(const struct text *text)
{
    return text->data ? text->data : "";
}

void text_add_seconds(struct text *text, double seconds)
{
    char digits[400];
    snprintf(digits, sizeof digits, "%.6f", fabs(seconds) < 5e-7 ? 0.0 : seconds);
    size_t n = strlen(digits);
    while (digits[n - 1] == '0' && digits[n - 4] != '.') /* three decimals stay */
        digits[--n] = '\0';
    text_add(text, digits);
}

void text_add_base64(struct text *text, const void *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *data = bytes;
    for (size_t i = 0; i < size; i += 3) {
        size_t n = size - i < 3 ? size - i : 3;
        uint32_t bits = (uint32_t)data[i] << 16 | (n > 1 ? (uint32_t)data[i + 1] << 8 : 0) | (n > 2 ? data[i + 2] : 0);
        char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63], n > 1 ? digits[bits >> 6 & 63] : '=',
                        n > 2 ? digits[bits & 63] : '='};
        text_add_bytes(text, four, 4);
    }
}

void text_tame(char *string, char kept)
{
    for (char *c = string; *c; c++)
        if (((unsigned char)*c < 0x20 || *c == 0x7f) && *c != kept)
            *c = ' ';
}
