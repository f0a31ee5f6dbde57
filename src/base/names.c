#include "base/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

void *named_find(const void *items, size_t count, size_t size, const char *name)
{
    for (const char *item = items; name && count-- > 0; item += size)
        if (names_equal(*(const char *const *)item, name))
            return (void *)item;
    return NULL;
}

/* By name, those of one name in their order. */
static int by_name(const void *a, const void *b)
{
    const char *const *x = *(const char *const *const *)a, *const *y = *(const char *const *const *)b;
    int order = strcmp(*x, *y);
    return order != 0 ? order : (x > y) - (x < y);
}

size_t *names_group(const char *const *names, size_t count)
{
    size_t *first = memory_new(count, sizeof *first);
    FREED const char *const **sorted = memory_new(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &names[i];
    sort_items(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 0, begin = 0; i < count; i++) {
        begin = strcmp(*sorted[begin], *sorted[i]) == 0 ? begin : i;
        first[sorted[i] - names] = (size_t)(sorted[begin] - names);
    }
    return first;
}

void names_number(const char **names, size_t count, struct arena *arena)
{
    FREED size_t *first = names_group(names, count), *size = memory_new(count, sizeof *size);
    FREED size_t *next = memory_new(count, sizeof *next);
    for (size_t i = 0; i < count; i++)
        size[first[i]]++;
    for (size_t i = 0; i < count; i++)
        if (size[first[i]] > 1)
            names[i] = arena_printf(arena, "%s #%zu", names[i], next[first[i]]++);
}

void name_prefix_add(struct name_prefix *prefix, const char *name)
{
    size_t same = 0;
    if (!strpbrk(name, ":|"))
        return;
    prefix->length = prefix->of ? prefix->length : strlen(name);
    prefix->of = prefix->of ? prefix->of : name;
    prefix->are_several = prefix->are_several || strcmp(prefix->of, name) != 0;
    while (same < prefix->length && name[same] == prefix->of[same])
        same++;
    prefix->length = same;
}

size_t name_prefix_length(const struct name_prefix *prefix)
{
    size_t length = prefix->are_several ? prefix->length : 0;
    while (length > 0 && prefix->of[length - 1] != ':' && prefix->of[length - 1] != '|')
        length--;
    return length;
}

const char *name_without(const struct name_prefix *prefix, const char *name)
{
    const size_t length = name_prefix_length(prefix);
    return length > 0 && strncmp(name, prefix->of, length) == 0 && name[length] ? name + length : name;
}

void name_quote(const char *name, char quote, struct text *out)
{
    size_t length = strlen(name), digits = 0;
    while (digits < length && isdigit((unsigned char)name[length - 1 - digits]))
        digits++;
    bool is_numbered = digits > 0 && length > digits + 2 && strncmp(name + length - digits - 2, " #", 2) == 0;
    size_t quoted = is_numbered ? length - digits - 2 : length;
    text_addf(out, "%c%.*s%c%s", quote, (int)quoted, name, quote, name + quoted);
}

const char *name_quoted(const char *name, char quote, struct arena *arena)
{
    struct text text = {0};
    name_quote(name, quote, &text);
    return arena_text(arena, &text);
}

char *name_slug(const char *name, size_t most, struct arena *arena)
{
    char *slug = arena_string(arena, name), *end = slug;
    for (const char *c = name; *c && (size_t)(end - slug) < most; c++)
        if (isalnum((unsigned char)*c) && (unsigned char)*c < 0x80)
            *end++ = (char)tolower((unsigned char)*c);
        else if (end > slug && end[-1] != '-')
            *end++ = '-';
    end -= end > slug && end[-1] == '-';
    *end = '\0';
    return slug;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t name_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    size_t rows[3][LONGEST + 1];
    size_t na = strlen(a);
    size_t nb = strlen(b);
    if (na > LONGEST || nb > LONGEST)
        return na > nb ? na : nb;
    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3];
        const size_t *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            int ca = tolower((unsigned char)a[i - 1]);
            int cb = tolower((unsigned char)b[j - 1]);
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) && cb == tolower((unsigned char)a[i - 2]))
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

enum { LONGEST_GUESSED = 64 };

/* Letters and digits alone; of other alphabets all. */
static void squeeze(const char *name, char out[static LONGEST_GUESSED + 1])
{
    size_t length = 0;
    for (const char *c = name; *c && length < LONGEST_GUESSED; c++)
        if (isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80)
            out[length++] = *c;
    out[length] = '\0';
}

const char *name_nearest(const char *name, const char *const *candidates, size_t count)
{
    char squeezed[2][LONGEST_GUESSED + 1];
    squeeze(name, squeezed[0]);
    const char *best = NULL;
    size_t length = strlen(name),
           best_distance = (length + 3) / 4 + 1; /* one slip in four letters, begun ones included */
    for (size_t i = 0; i < count; i++) {
        size_t d = name_distance(name, candidates[i]), other = strlen(candidates[i]);
        squeeze(candidates[i], squeezed[1]);
        if (*squeezed[0] && *squeezed[1] && other <= LONGEST_GUESSED)
            d = least(d, name_distance(squeezed[0], squeezed[1]));
        bool shares_a_letter = d < (length > other ? length : other);
        if (d < best_distance && shares_a_letter) {
            best_distance = d;
            best = candidates[i];
        }
    }
    return best;
}

/* Copies the text before the first sign between words: "walker" of "walker-walk", "mixamorig" of "mixamorig:Hips". */
static const char *first_word(const char *name, char out[static LONGEST_GUESSED + 1])
{
    snprintf(out, LONGEST_GUESSED + 1, "%.*s", (int)strcspn(name, "-_.:|/@ "), name);
    return out;
}

bool glob_suggest(const char *pattern, const char *const *candidates, size_t count, struct text *out)
{
    char letters[2 * LONGEST_GUESSED], word[LONGEST_GUESSED + 1];
    size_t length = 0, part = count, beginning = count;
    for (const char *c = pattern; *c && length + 1 < sizeof letters; c++)
        if (!strchr("*?[]!\\", *c))
            letters[length++] = *c;
    letters[length] = '\0';
    const char *near = length > 0 ? name_nearest(letters, candidates, count) : NULL;
    for (size_t i = count; i-- > 0 && length > 0;) {
        const char *beginning_of = first_word(candidates[i], word);
        part = strcasestr(candidates[i], letters) ? i : part;
        beginning = strlen(word) < strlen(candidates[i]) && name_nearest(letters, &beginning_of, 1) ? i : beginning;
    }
    if (near)
        text_add(out, near);
    else if (part < count)
        text_addf(out, "*%.*s*", (int)length, strcasestr(candidates[part], letters));
    else if (beginning < count)
        text_addf(out, "%s*", first_word(candidates[beginning], word));
    return near || part < count || beginning < count;
}
