/* Names of a subject against those of the file. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/record/matching.h"
#include "data/scene/scene.h"
#include "subject/resolve_answer.h"

/* How names that only one side has are made alike, the surest first. */
enum likeness { SANITISED, STRIPPED, WITHOUT_NAMESPACE, WITHOUT_PATH, WITHOUT_AFFIX, LIKENESSES };

/* Text that names of one side begin or end with, and those of the other do not. */
struct affix {
    const char *text;
    size_t size;
    bool is_end, is_ours;
};

struct renaming {
    struct match_list ours, theirs; /* what only one side has, each name once */
    int32_t *meant;                 /* [theirs.count] ours, or NO_INDEX */
    bool *taken;                    /* [ours.count] */
    const char *strip;
    struct affix affix;
    struct arena *arena;
};

static struct match_list list_of(const char *const *names, uint32_t count, struct arena *arena)
{
    struct match_list list = match_list_create(count, arena);
    for (uint32_t i = 0; i < count; i++)
        list.keys[i].name = names[i] ? names[i] : "";
    return list;
}

static struct match_list only_here(const struct match_list *list, const struct name_index *here,
                                   const struct name_index *others, struct arena *arena)
{
    struct match_list out = match_list_create(list->count, arena);
    out.count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->keys[i].name;
        if (*name && name_find(here, name) == (int32_t)i && name_find(others, name) == NO_INDEX)
            out.keys[out.count++].name = name;
    }
    return out;
}

/* In place: without the affix, where the name has it and more. */
static bool cut(char *name, const char *affix, size_t size, bool at_end)
{
    size_t length = strlen(name);
    if (length <= size || size == 0 || memcmp(at_end ? name + length - size : name, affix, size) != 0)
        return false;
    memmove(name, at_end ? name : name + size, length - size);
    name[length - size] = '\0';
    return true;
}

static const char *make_key(const struct renaming *r, const char *name, enum likeness likeness, bool is_ours)
{
    char *key = arena_string(r->arena, name), *to = key;
    const char *colon = strrchr(key, ':'), *bar = strrchr(key, '|'), *last = colon > bar ? colon : bar;
    const char *slash = strrchr(key, '/');
    if (likeness == STRIPPED && !is_ours && !cut(key, r->strip, strlen(r->strip), false))
        cut(key, r->strip, strlen(r->strip), true);
    else if (likeness == WITHOUT_NAMESPACE && last && last[1])
        memmove(key, last + 1, strlen(last + 1) + 1);
    else if (likeness == WITHOUT_PATH && slash && slash[1])
        memmove(key, slash + 1, strlen(slash + 1) + 1);
    else if (likeness == WITHOUT_AFFIX && r->affix.is_ours == is_ours)
        cut(key, r->affix.text, r->affix.size, r->affix.is_end);
    for (const char *c = key; *c; c++)
        if (!strchr("[].:/", *c))
            *to++ = *c == ' ' || *c == '\t' ? '_' : *c;
    *to = '\0';
    return key;
}

/* Matches names that are not matched yet; returns how many are now. */
static uint32_t match_alike(struct renaming *r, enum likeness likeness)
{
    struct match_list ours = match_list_create(r->ours.count, r->arena);
    struct match_list theirs = match_list_create(r->theirs.count, r->arena);
    uint32_t count = 0;
    for (size_t i = 0; i < ours.count; i++) /* a name is not empty: what is taken matches nothing */
        ours.keys[i].name = r->taken[i] ? "\1" : make_key(r, r->ours.keys[i].name, likeness, true);
    for (size_t i = 0; i < theirs.count; i++)
        theirs.keys[i].name = r->meant[i] != NO_INDEX ? "\2" : make_key(r, r->theirs.keys[i].name, likeness, false);
    const struct matching found = match_by_name(&ours, &theirs, MATCH_PREFER_CONTEXT, r->arena);
    for (size_t i = 0; i < theirs.count; i++)
        if (found.to_golden[i] != NO_INDEX) {
            r->meant[i] = found.to_golden[i];
            r->taken[found.to_golden[i]] = true;
            count++;
        }
    return count;
}

/* Finds what stands before or behind the shorter name in the longer one. */
static bool find_affix(const char *ours, const char *theirs, struct affix *out)
{
    const size_t a = strlen(ours), b = strlen(theirs), size = a > b ? a - b : b - a;
    const char *longer = a > b ? ours : theirs, *shorter = a > b ? theirs : ours;
    const bool ends = a != b && strcmp(longer + size, shorter) == 0;
    const bool begins = a != b && !ends && strncmp(longer, shorter, strlen(shorter)) == 0;
    *out = (struct affix){ends ? longer : longer + strlen(shorter), size, begins, a > b};
    return ends || begins;
}

/* How many names the affix would match. */
static uint32_t count_affix(const struct renaming *r, const struct affix *affix, const struct name_index *others)
{
    const struct match_list *list = affix->is_ours ? &r->ours : &r->theirs;
    char name[2048];
    uint32_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const size_t length = strlen(list->keys[i].name);
        if (length >= sizeof name || (affix->is_ours ? r->taken[i] : r->meant[i] != NO_INDEX))
            continue;
        memcpy(name, list->keys[i].name, length + 1);
        count += cut(name, affix->text, affix->size, affix->is_end) && name_find(others, name) != NO_INDEX;
    }
    return count;
}

/* The affix by which most of what is left matches; tried with some of our names. */
static bool choose_affix(struct renaming *r)
{
    enum { TRIED = 16, MOST_TRIALS = 256, MOST_NAMES = 8192 };
    const struct name_index ours = name_index_create(&r->ours, r->arena);
    const struct name_index theirs = name_index_create(&r->theirs, r->arena);
    uint32_t most = 0, left = 0, tried = 0, trials = 0;
    struct affix affix;
    for (size_t i = 0; i < r->ours.count; i++)
        left += !r->taken[i];
    if (r->ours.count > MOST_NAMES || r->theirs.count > MOST_NAMES)
        return false;
    for (size_t i = 0; i < r->ours.count && tried < TRIED && most < left; i++) {
        if (r->taken[i])
            continue;
        tried++;
        for (size_t k = 0; k < r->theirs.count && trials < MOST_TRIALS; k++) {
            if (r->meant[k] != NO_INDEX || !find_affix(r->ours.keys[i].name, r->theirs.keys[k].name, &affix))
                continue;
            trials++;
            uint32_t count = count_affix(r, &affix, affix.is_ours ? &theirs : &ours);
            if (count > most) {
                most = count;
                r->affix = affix;
            }
        }
    }
    return most > 1 && 2 * most > left;
}

/* The number that the name is, alone or behind a word for what it counts; -1: it is none. */
static long number_of(const char *name, bool *is_bare)
{
    static const char *const words[] = {"nodes[",  "nodes",  "node",  "bones[", "bones", "bone",
                                        "joints[", "joints", "joint", "#",      "["};
    char *end;
    const char *at = name;
    for (size_t i = 0; i < sizeof words / sizeof *words && at == name; i++)
        if (strncasecmp(name, words[i], strlen(words[i])) == 0)
            at += strlen(words[i]);
    at += at != name && (*at == '_' || *at == ' ' || *at == '.' || *at == '-');
    *is_bare = *is_bare && at == name;
    if (*at < '0' || *at > '9')
        return -1;
    const long number = strtol(at, &end, 10);
    return end[*end == ']'] == '\0' && number < INT32_MAX ? number : -1;
}

/* Where all of theirs are numbers: places in our list. Behind a word they count from 0, or may mean something else. */
static bool match_numbers(const char *const *ours, uint32_t our_count, const char **theirs, uint32_t their_count,
                          struct arena *arena)
{
    const char **meant = ARENA_NEW(arena, const char *, their_count);
    bool is_bare = true, has_zero = false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < their_count; i++) {
        if (!theirs[i] || !*theirs[i])
            continue;
        const long number = number_of(theirs[i], &is_bare);
        if (number < 0 || number >= (long)our_count)
            return false;
        has_zero = has_zero || number == 0;
        meant[i] = ours[number];
        count++;
    }
    if (count == 0 || !(is_bare || has_zero))
        return false;
    for (uint32_t i = 0; i < their_count; i++)
        theirs[i] = meant[i] ? meant[i] : theirs[i];
    return true;
}

void subject_rename(const char *const *ours, uint32_t our_count, const char **theirs, uint32_t their_count,
                    const char *strip, struct arena *arena, struct text *how)
{
    static const char *const words[LIKENESSES] = {[SANITISED] = "without [ ] . : / and blanks",
                                                  [STRIPPED] = "as declared",
                                                  [WITHOUT_NAMESPACE] = "without their namespace",
                                                  [WITHOUT_PATH] = "without their path"};
    const struct match_list all_ours = list_of(ours, our_count, arena), all = list_of(theirs, their_count, arena);
    const struct name_index our_names = name_index_create(&all_ours, arena), names = name_index_create(&all, arena);
    struct renaming r = {.ours = only_here(&all_ours, &our_names, &names, arena),
                         .theirs = only_here(&all, &names, &our_names, arena),
                         .strip = strip,
                         .arena = arena};
    size_t left = r.ours.count < r.theirs.count ? r.ours.count : r.theirs.count;
    if (left == 0)
        return;
    bool is_strange = true;
    for (uint32_t i = 0; i < their_count && is_strange; i++)
        is_strange = !theirs[i] || name_find(&our_names, theirs[i]) == NO_INDEX;
    if (is_strange && match_numbers(ours, our_count, theirs, their_count, arena)) {
        if (how)
            text_add(how, "names are places in the list of the file");
        return;
    }
    r.taken = ARENA_NEW(arena, bool, r.ours.count);
    r.meant = ARENA_NEW(arena, int32_t, r.theirs.count);
    for (size_t i = 0; i < r.theirs.count; i++)
        r.meant[i] = NO_INDEX;
    for (enum likeness likeness = SANITISED; likeness < LIKENESSES && left > 0; likeness++) {
        if ((likeness == STRIPPED && !strip) || (likeness == WITHOUT_AFFIX && !choose_affix(&r)))
            continue;
        const uint32_t found = match_alike(&r, likeness);
        left -= found;
        if (found > 0 && how)
            text_addf(how, "%s%u %s matched ", how->size > 0 ? ", " : "", found, found == 1 ? "name is" : "names are");
        if (found > 0 && how && likeness == WITHOUT_AFFIX)
            text_addf(how, "without `%.*s`", (int)(r.affix.size < 60 ? r.affix.size : 60), r.affix.text);
        else if (found > 0 && how)
            text_add(how, words[likeness]);
    }
    const struct name_index strange = name_index_create(&r.theirs, arena);
    for (uint32_t i = 0; i < their_count; i++) {
        const int32_t k = theirs[i] ? name_find(&strange, theirs[i]) : NO_INDEX;
        if (k != NO_INDEX && r.meant[k] != NO_INDEX)
            theirs[i] = r.ours.keys[r.meant[k]].name;
    }
}
