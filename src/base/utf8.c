#include "base/utf8.h"

#include "base/text.h"

size_t utf8_length(const char *s)
{
    const unsigned char *b = (const unsigned char *)s;
    if (b[0] < 0x80)
        return 1;
    size_t n = b[0] >= 0xc2 && b[0] < 0xe0 ? 2 : b[0] >= 0xe0 && b[0] < 0xf0 ? 3 : b[0] >= 0xf0 && b[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((b[i] & 0xc0) != 0x80)
            return 0;
    if ((b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xed && b[1] >= 0xa0) || (b[0] == 0xf0 && b[1] < 0x90) ||
        (b[0] == 0xf4 && b[1] >= 0x90))
        return 0;
    return n;
}

const char *utf8_fix(const char *string, struct arena *arena)
{
    const char *s = string;
    struct text fixed = {0};
    while (s && *s && utf8_length(s) > 0)
        s += utf8_length(s);
    if (!s || *s == '\0')
        return string;
    for (s = string; *s; s += utf8_length(s) ? utf8_length(s) : 1) {
        if (utf8_length(s) > 0)
            text_add_bytes(&fixed, s, utf8_length(s));
        else
            text_add(&fixed, UTF8_REPLACEMENT);
    }
    return arena_text(arena, &fixed);
}

uint32_t utf8_code_point(const char *text, size_t length)
{
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const unsigned char *s = (const unsigned char *)text;
    uint32_t point = s[0] & first_bits[length];
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (s[i] & 0x3fu);
    return point;
}

bool utf8_is_hidden(uint32_t point)
{
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x2028 && point <= 0x202e) ||
           (point >= 0x2066 && point <= 0x2069) || point == 0x200e || point == 0x200f || point == 0x061c ||
           point == 0xfeff || point == 0xfffe || point == 0xffff;
}

size_t utf8_count(const char *s)
{
    size_t count = 0;
    for (; *s; s += utf8_length(s) ? utf8_length(s) : 1)
        count++;
    return count;
}
