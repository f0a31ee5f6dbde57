#include "base/utf8.h"

size_t utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    size_t n = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] >= 0x90))
        return 0;
    return n;
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

size_t utf8_count(const char *s)
{
    size_t count = 0;
    while (*s) {
        size_t n = utf8_length(s);
        s += n ? n : 1;
        count++;
    }
    return count;
}
