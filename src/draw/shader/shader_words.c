/* Finds what stands in a shader's text, its comments left out. */
#include <ctype.h>
#include <string.h>

#include "draw/shader/shader_text.h"

bool shader_has_word(const char *text, const char *word)
{
    static const char letters[] = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t length = strlen(word);
    for (const char *c = text; *c;) {
        const char *behind = shader_skip_comment(c);
        size_t size = behind == c ? strspn(c, letters) : 0;
        if (size == length && memcmp(c, word, length) == 0)
            return true;
        c = behind > c ? behind : c + (size ? size : 1);
    }
    return false;
}

struct text shader_plain_text(const char *text)
{
    struct text plain = {0};
    for (const char *c = text; *c;) {
        const char *behind = shader_skip_comment(c);
        if (behind == c && !strchr(" \t\r\n", *c))
            text_add_bytes(&plain, c, 1);
        c = behind > c ? behind : c + 1;
    }
    return plain;
}

bool shader_compares_minus_one(const char *text)
{
    static const char *const with_one[] = {"==-1", "!=-1", ">-1", "<=-1"}, *const with_zero[] = {"<0", ">=0"};
    SCOPED(text) plain = shader_plain_text(text);
    bool found = false;
    for (int i = 0; i < 4; i++)
        found = found || strstr(text_string(&plain), with_one[i]);
    for (int i = 0; i < 2; i++)
        for (const char *c = text_string(&plain); (c = strstr(c, with_zero[i])); c++) {
            const char *end = c + strlen(with_zero[i]), *name = c;
            while (name > plain.data && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
                name--;
            bool is_whole = !strchr(".0123456789xu", *end) || *end == '\0';
            bool is_index = c > plain.data && (c[-1] == ']' || c - name > 1 || (name > plain.data && name[-1] == '.'));
            found = found || (is_whole && is_index);
        }
    return found;
}
