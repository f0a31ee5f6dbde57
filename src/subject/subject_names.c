/* Names of a subject against those of the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "subject/conventions.h"

/* How names are made alike, the surest first. */
enum likeness { AS_THEY_ARE, SANITISED, STRIPPED, WITHOUT_NAMESPACE, WITHOUT_AFFIX, LIKENESSES };

struct affix {
    const char *text; /* NULL: none */
    size_t size;
    bool is_end;  /* else names begin with it */
    bool is_ours; /* else theirs have it */
};

struct keyed {
    char *key;
    uint32_t index;
};

struct names {
    const char *const *ours, *const *theirs;
    uint32_t our_count, their_count;
    const char *strip;
    struct affix affix;
    int32_t *match;
    bool *taken; /* [their_count] */
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* In place: without the affix, where the name has it and more. */
static void cut(char *name, const char *affix, size_t size, bool at_end)
{
    size_t length = strlen(name);
    if (length <= size || size == 0)
        return;
    if (at_end && memcmp(name + length - size, affix, size) == 0)
        name[length - size] = '\0';
    else if (!at_end && memcmp(name, affix, size) == 0)
        memmove(name, name + size, length - size + 1);
}

static char *make_key(const struct names *names, const char *name, enum likeness likeness, bool is_ours)
{
    char *key = memory_string(name), *to = key;
    if (likeness == STRIPPED && !is_ours) {
        size_t before = strlen(key);
        cut(key, names->strip, strlen(names->strip), false);
        if (strlen(key) == before)
            cut(key, names->strip, strlen(names->strip), true);
    }
    if (likeness == WITHOUT_NAMESPACE) {
        const char *colon = strrchr(key, ':'), *bar = strrchr(key, '|'), *last = colon > bar ? colon : bar;
        if (last && last[1])
            memmove(key, last + 1, strlen(last + 1) + 1);
    }
    if (likeness == WITHOUT_AFFIX && names->affix.is_ours == is_ours)
        cut(key, names->affix.text, names->affix.size, names->affix.is_end);
    for (const char *c = key; likeness != AS_THEY_ARE && *c; c++)
        if (!strchr("[].:/", *c))
            *to++ = *c == ' ' || *c == '\t' ? '_' : *c;
    if (likeness != AS_THEY_ARE)
        *to = '\0';
    return key;
}

/* Matches what is not matched yet; returns how many. Without `keeps` they are only counted. */
static uint32_t match_by(struct names *names, enum likeness likeness, bool keeps)
{
    struct keyed *keys = memory_new(names->their_count, sizeof *keys);
    bool *taken = memory_new(names->their_count, sizeof *taken);
    uint32_t count = 0, matched = 0;
    memcpy(taken, names->taken, names->their_count * sizeof *taken);
    for (uint32_t i = 0; i < names->their_count; i++)
        if (!taken[i] && names->theirs[i])
            keys[count++] = (struct keyed){make_key(names, names->theirs[i], likeness, false), i};
    if (count > 1)
        qsort(keys, count, sizeof *keys, by_key);
    for (uint32_t i = 0; i < names->our_count; i++) {
        uint32_t low = 0, high = count;
        if (names->match[i] != NO_INDEX || !names->ours[i])
            continue;
        char *key = make_key(names, names->ours[i], likeness, true);
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (strcmp(keys[middle].key, key) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        while (low < count && taken[keys[low].index] && strcmp(keys[low].key, key) == 0)
            low++;
        if (low < count && strcmp(keys[low].key, key) == 0) {
            taken[keys[low].index] = true;
            matched++;
            if (keeps)
                names->match[i] = (int32_t)keys[low].index;
        }
        free(key);
    }
    if (keeps)
        memcpy(names->taken, taken, names->their_count * sizeof *taken);
    for (uint32_t i = 0; i < count; i++)
        free(keys[i].key);
    free(keys);
    free(taken);
    return matched;
}

/* What is before or behind the shorter name in the longer one. */
static bool find_affix(const char *ours, const char *theirs, struct affix *out)
{
    const size_t a = strlen(ours), b = strlen(theirs), size = a > b ? a - b : b - a;
    const char *longer = a > b ? ours : theirs, *shorter = a > b ? theirs : ours;
    const bool ends = a != b && a > 0 && b > 0 && strcmp(longer + size, shorter) == 0;
    const bool begins = !ends && a != b && a > 0 && b > 0 && strncmp(longer, shorter, strlen(shorter)) == 0;
    *out = (struct affix){ends ? longer : longer + strlen(shorter), size, begins, a > b};
    return ends || begins;
}

/* The affix by which most of what is left matches; tried with some of our names. */
static bool choose_affix(struct names *names)
{
    enum { TRIED = 16, MOST_TRIALS = 256, MOST_NAMES = 8192 };
    struct affix best = {0};
    uint32_t most = 0, left = 0, tried = 0, trials = 0;
    for (uint32_t i = 0; i < names->our_count; i++)
        left += names->match[i] == NO_INDEX && names->ours[i];
    if (names->our_count > MOST_NAMES || names->their_count > MOST_NAMES)
        return false;
    for (uint32_t i = 0; i < names->our_count && tried < TRIED && most < left; i++) {
        if (names->match[i] != NO_INDEX || !names->ours[i])
            continue;
        tried++;
        for (uint32_t k = 0; k < names->their_count && trials < MOST_TRIALS; k++) {
            if (names->taken[k] || !names->theirs[k] || !find_affix(names->ours[i], names->theirs[k], &names->affix))
                continue;
            trials++;
            uint32_t count = match_by(names, WITHOUT_AFFIX, false);
            if (count > most) {
                most = count;
                best = names->affix;
            }
        }
    }
    names->affix = best;
    return most > 1 && 2 * most > left;
}

void subject_match_names(const char *const *ours, uint32_t our_count, const char *const *theirs, uint32_t their_count,
                         const char *strip, int32_t *match, struct text *how)
{
    struct names names = {ours,  theirs, our_count, their_count,
                          strip, {0},    match,     memory_new(their_count, sizeof(bool))};
    uint32_t left = our_count, found[LIKENESSES] = {0};
    for (uint32_t i = 0; i < our_count; i++)
        match[i] = NO_INDEX;
    for (int likeness = AS_THEY_ARE; likeness < LIKENESSES && left > 0; likeness++) {
        if ((likeness == STRIPPED && !strip) || (likeness == WITHOUT_AFFIX && !choose_affix(&names)))
            continue;
        found[likeness] = match_by(&names, (enum likeness)likeness, true);
        left -= found[likeness];
    }
    const char *between = "";
    static const char *const words[LIKENESSES] = {[SANITISED] = "without [ ] . : / and blanks",
                                                  [STRIPPED] = "as declared",
                                                  [WITHOUT_NAMESPACE] = "without their namespace"};
    for (int likeness = SANITISED; likeness < LIKENESSES; likeness++) {
        if (found[likeness] == 0)
            continue;
        text_addf(how, "%s%u %s matched ", between, found[likeness], found[likeness] == 1 ? "name is" : "names are");
        if (likeness == WITHOUT_AFFIX)
            text_addf(how, "without `%.*s`", (int)(names.affix.size < 60 ? names.affix.size : 60), names.affix.text);
        else
            text_add(how, words[likeness]);
        between = ", ";
    }
    free(names.taken);
}
