/* One case of a results.json, found by brackets and quotes alone: parsing all of a big run takes 30 times as long. */
#include <string.h>

#include "data/result/result.h"

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/* Behind a string that begins at `at`. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : end;
}

/* From the beginning of a value, or of a key and its value, to the comma or bracket behind it. */
static const char *skip_item(const char *at, const char *end)
{
    for (size_t depth = 0; at < end; at = *at == '"' ? skip_string(at, end) : at + 1) {
        bool closes = *at == '}' || *at == ']';
        if (depth == 0 && (closes || *at == ','))
            break;
        depth += *at == '{' || *at == '[';
        depth -= closes;
    }
    return at;
}

/* Behind `"word" :`, where that stands at `at`; else NULL. */
static const char *after_key(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(end - at) < size + 2 || *at != '"' || memcmp(at + 1, word, size) != 0 || at[size + 1] != '"')
        return NULL;
    at = skip_blanks(at + size + 2, end);
    return at < end && *at == ':' ? skip_blanks(at + 1, end) : NULL;
}

bool results_narrow(const void *data, size_t size, const char *name, struct text *out)
{
    const char *begin = data, *end = begin + size, *at = skip_blanks(begin, end), *cases = NULL, *item = NULL,
               *next = NULL;
    const size_t length = strlen(name);
    while (!cases && at < end && (*at == '{' || *at == ',')) {
        at = skip_blanks(at + 1, end);
        cases = after_key(at, end, "cases");
        at = skip_item(at, end);
    }
    if (!cases || cases == end || *cases != '[')
        return false;
    at = cases;
    while (at < end && (*at == '[' || *at == ',')) {
        const char *start = skip_blanks(at + 1, end);
        const char *word = start < end && *start == '{' ? after_key(skip_blanks(start + 1, end), end, "name") : NULL;
        at = skip_item(start, end);
        if (!item && word && (size_t)(end - word) > length + 1 && *word == '"' && memcmp(word + 1, name, length) == 0 &&
            word[length + 1] == '"') {
            item = start;
            next = at;
        }
    }
    if (!item || at == end || *at != ']')
        return false;
    text_add_bytes(out, begin, (size_t)(cases + 1 - begin));
    text_add_bytes(out, item, (size_t)(next - item));
    text_add_bytes(out, at, (size_t)(end - at));
    return true;
}
