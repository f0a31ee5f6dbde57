/*
 * One case of a results.json, or what all cost, found by brackets and quotes alone: parsing all of a big run takes 30
 * times as long.
 */
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

/* The array of cases: at its bracket, or NULL. */
static const char *find_cases(const char *begin, const char *end)
{
    const char *at = skip_blanks(begin, end), *cases = NULL;
    while (!cases && at < end && (*at == '{' || *at == ',')) {
        at = skip_blanks(at + 1, end);
        cases = after_key(at, end, "cases");
        at = skip_item(at, end);
    }
    return cases && cases < end && *cases == '[' ? cases : NULL;
}

bool results_narrow(const void *data, size_t size, const char *name, struct text *out)
{
    const char *begin = data, *end = begin + size, *cases = find_cases(begin, end), *at = cases;
    const char *item = NULL, *next = NULL;
    const size_t length = strlen(name);
    if (!cases)
        return false;
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

/* Digits alone; 0 for anything else. */
static uint32_t read_cost(const char *at, const char *end)
{
    uint64_t value = 0;
    for (; at < end && *at >= '0' && *at <= '9' && value <= UINT32_MAX; at++)
        value = 10 * value + (uint64_t)(*at - '0');
    return value <= UINT32_MAX ? (uint32_t)value : 0;
}

static void read_costs(const char *at, const char *end, struct case_result *result, struct arena *arena)
{
    while (at < end && (*at == '{' || *at == ',')) {
        at = skip_blanks(at + 1, end);
        const char *name = after_key(at, end, "name"), *cost = after_key(at, end, "cost");
        const char *import_cost = after_key(at, end, "import_cost");
        at = skip_item(at, end);
        if (name && name < end && *name == '"' && skip_string(name, end) - name >= 2) /* such names have no escapes */
            result->name = arena_printf(arena, "%.*s", (int)(skip_string(name, end) - name - 2), name + 1);
        result->cost = cost ? read_cost(cost, end) : result->cost;
        result->import_cost = import_cost ? read_cost(import_cost, end) : result->import_cost;
    }
}

struct results *results_read_costs(const void *data, size_t size, struct error *err)
{
    const char *end = (const char *)data + size, *cases = find_cases(data, end);
    struct results *out = results_create(err);
    size_t count = 0;
    for (int pass = 0; out && pass < 2; pass++) {
        out->cases = pass ? ARENA_NEW(out->arena, struct case_result, count) : NULL;
        for (const char *at = cases; at && at < end && (*at == '[' || *at == ',');) {
            const char *start = skip_blanks(at + 1, end);
            at = skip_item(start, end);
            count += pass == 0;
            if (pass == 1)
                read_costs(start, at, &out->cases[out->case_count], out->arena);
            out->case_count += pass == 1 && out->cases[out->case_count].name;
        }
    }
    return out;
}
