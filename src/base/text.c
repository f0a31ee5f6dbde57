#include "base/text.h"

#include <ctype.h>
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/utf8.h"

void text_release(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

static void reserve(struct text *text, size_t more)
{
    size_t need = text->size + more + 1;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < need)
        capacity *= 2;
    if (capacity > text->capacity)
        text->data = memory_grow(text->data, capacity, 1);
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

void text_addv(struct text *text, const char *format, va_list args)
{
    va_list copy;
    va_copy(copy, args);
    int n = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    assert(n >= 0);
    reserve(text, (size_t)n);
    vsnprintf(text->data + text->size, (size_t)n + 1, format, args);
    text->size += (size_t)n;
}

void text_addf(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_addv(text, format, args);
    va_end(args);
}

void text_add_float(struct text *text, float value)
{
    reserve(text, DECIMAL_CAPACITY);
    text->size += decimal_of_float(value, text->data + text->size);
}

void text_add_double(struct text *text, double value)
{
    char number[40];
    assert(isfinite(value));
    /* 15 digits give every shorter number as well, since %g leaves out zeros at the end; but not for subnormal numbers,
     * nor for large ones, which fewer digits write with an exponent. */
    const int first = fabs(value) < DBL_MIN ? 1 : fabs(value) < 1e6 ? DBL_DIG : FLT_DIG;
    for (int digits = first; value != 0.0 && digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value)
            break;
    }
    text_add(text, value == 0.0 ? "0" : number);
}

const char *text_string(const struct text *text)
{
    return text->size > 0 ? text->data : ""; /* what it had before it was emptied is still there */
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

static const char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool base64_decode(const char *text, size_t size, bool is_of_file, void *out, size_t *out_size)
{
    unsigned char *to = out;
    signed char value[256];
    unsigned bits = 0, held = 0;
    size_t count = 0;
    memset(value, -1, sizeof value);
    for (int i = 0; i < 64; i++)
        value[(unsigned char)base64_digits[i]] = (signed char)i;
    if (is_of_file) {
        value['-'] = 62;
        value['_'] = 63;
    }
    while (!is_of_file && size > 0 && text[size - 1] == '=')
        size--;
    for (size_t i = 0; i < size && !(is_of_file && text[i] == '='); i++) {
        const int digit = value[(unsigned char)text[i]];
        if (digit < 0 && !(is_of_file && text[i] && strchr("\n\r \t", text[i])))
            return false;
        if (digit < 0)
            continue;
        bits = (bits << 6 | (unsigned)digit) & 0xffffffu;
        held += 6;
        count++;
        if (held >= 8) {
            held -= 8;
            *to++ = (unsigned char)(bits >> held & 0xffu);
        }
    }
    *out_size = (size_t)(to - (unsigned char *)out);
    return is_of_file || count % 4 != 1;
}

void text_add_base64(struct text *text, const void *bytes, size_t size)
{
    const char *const digits = base64_digits;
    const unsigned char *data = bytes;
    for (size_t i = 0; i < size; i += 3) {
        size_t n = size - i < 3 ? size - i : 3;
        uint32_t bits = (uint32_t)data[i] << 16 | (n > 1 ? (uint32_t)data[i + 1] << 8 : 0) | (n > 2 ? data[i + 2] : 0);
        char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63], n > 1 ? digits[bits >> 6 & 63] : '=',
                        n > 2 ? digits[bits & 63] : '='};
        text_add_bytes(text, four, 4);
    }
}

/* The bracket of "##[" or "##vso[", a command for a build server. */
static bool ends_command(const char *begin, const char *s)
{
    if (*s != '[')
        return false;
    while (s > begin && ((s[-1] | 32) >= 'a' && (s[-1] | 32) <= 'z'))
        s--;
    return s - begin >= 2 && s[-1] == '#' && s[-2] == '#';
}

/* Build servers cut blanks off, in Unicode's sense, before they look for a command. */
static bool begins_command(const char *line, const char *s)
{
    while (line < s && (*line == ' ' || *line == '\t' || (unsigned char)*line >= 0x80))
        line++;
    return line == s && s[0] == ':' && s[1] == ':';
}

enum style { STYLE_NAME, STYLE_LINES, STYLE_JSON };

static void add_escaped(struct text *text, const char *value, enum style style)
{
    const char *line = value;
    for (const char *s = value; *s;) {
        size_t plain = 0; /* characters that need no look: nearly all of nearly every name */
        while (s[plain] >= ' ' && s[plain] < 0x7f && !(s[plain] == ':' || s[plain] == '[' || s[plain] == '"' ||
                                                       s[plain] == '\\'))
            plain++;
        text_add_bytes(text, s, plain);
        s += plain;
        if (*s == '\0')
            break;
        size_t n = utf8_length(s);
        uint32_t point = n ? utf8_code_point(s, n) : 0;
        bool is_sign = style == STYLE_JSON ? *s == '"' || *s == '\\' : begins_command(line, s);
        bool is_harmful = is_sign || utf8_is_hidden(point) || ends_command(line, s);
        if (style == STYLE_LINES && *s == '\n')
            line = s + 1;
        if (n == 0)
            text_add(text, UTF8_REPLACEMENT);
        else if (style == STYLE_LINES && s[0] == '\r' && s[1] == '\n')
            ; /* the line's end follows */
        else if ((style == STYLE_LINES && (*s == '\n' || *s == '\t')) || !is_harmful)
            text_add_bytes(text, s, n);
        else if (point == '"' || point == '\\')
            text_addf(text, "\\%c", (char)point);
        else if (point == '\n' || point == '\t' || (point == '\r' && style != STYLE_JSON))
            text_addf(text, "\\%c", point == '\n' ? 'n' : point == '\r' ? 'r' : 't');
        else
            text_addf(text, "\\u%04x", (unsigned)point);
        s += n ? n : 1;
    }
}

void text_add_name(struct text *text, const char *name)
{
    add_escaped(text, name, STYLE_NAME);
}

void text_add_named(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (const char *at = format; *at; at++) {
        const size_t plain = strcspn(at, "%");
        text_add_bytes(text, at, plain);
        at += plain;
        if (!*at)
            break;
        if (*++at == 's')
            text_add_name(text, va_arg(args, const char *));
        else if (*at == 'u')
            text_addf(text, "%u", va_arg(args, unsigned));
        else if (assert(at[0] == 'z' && at[1] == 'u'), at++)
            text_addf(text, "%zu", va_arg(args, size_t));
    }
    va_end(args);
}

void text_add_lines(struct text *text, const char *lines)
{
    add_escaped(text, lines, STYLE_LINES);
}

void text_add_quoted(struct text *text, const char *value)
{
    text_add(text, "\"");
    add_escaped(text, value, STYLE_JSON);
    text_add(text, "\"");
}

void text_add_csv(struct text *text, const char *value)
{
    SCOPED(text) name = {0};
    text_add_name(&name, value);
    const bool is_formula = *value && strchr("=+-@", *value),
               is_plain = !is_formula && !strpbrk(text_string(&name), ",\"");
    text_add(text, is_formula ? "\"'" : is_plain ? "" : "\"");
    for (const char *c = text_string(&name); *c; c++)
        text_add_bytes(text, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    text_add(text, is_plain ? "" : "\"");
}

size_t decode_percent(const char *text, unsigned char *out)
{
    size_t size = 0;
    while (*text) {
        bool is_code = *text == '%' && isxdigit((unsigned char)text[1]) && isxdigit((unsigned char)text[2]);
        out[size++] =
            is_code ? (unsigned char)strtoul((char[]){text[1], text[2], '\0'}, NULL, 16) : (unsigned char)*text;
        text += is_code ? 3 : 1;
    }
    out[size] = '\0';
    return size;
}
