/* Names of a subject against those of the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "subject/resolving.h"

/* Says how names that only one side has are made alike, the surest first. */
enum likeness { SANITISED, STRIPPED, WITHOUT_NAMESPACE, WITHOUT_PATH, WITHOUT_AFFIX, LIKENESSES };

/* Text that names of one side begin or end with, and those of the other do not. */
struct affix {
    const char *text;
    size_t size;
    bool is_end, is_ours;
};

struct renaming {
    struct match_list ours, theirs; /* what only one side has and is not matched yet, each name once */
    struct match_list meant;        /* theirs that are matched, with ours as their context */
    const char *strip;
    struct affix affix;
    struct arena *arena;
};

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

static void drop_matched(struct match_list *list, const int32_t *matched)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (matched[i] == NO_INDEX)
            list->keys[count++] = list->keys[i];
    list->count = count;
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

static struct match_list make_keys(const struct renaming *r, enum likeness likeness, bool are_ours)
{
    const struct match_list *names = are_ours ? &r->ours : &r->theirs;
    struct match_list keys = match_list_create(names->count, r->arena);
    for (size_t i = 0; i < keys.count; i++)
        keys.keys[i].name = make_key(r, names->keys[i].name, likeness, are_ours);
    return keys;
}

/* Matches names that are not matched yet; returns how many are now. */
static size_t match_alike(struct renaming *r, enum likeness likeness)
{
    const size_t before = r->meant.count;
    const struct match_list ours = make_keys(r, likeness, true), theirs = make_keys(r, likeness, false);
    const struct matching found = match_by_name(&ours, &theirs, MATCH_PREFER_CONTEXT, r->arena);
    for (size_t i = 0; i < theirs.count; i++)
        if (found.to_golden[i] != NO_INDEX)
            r->meant.keys[r->meant.count++] =
                (struct match_key){r->theirs.keys[i].name, r->ours.keys[found.to_golden[i]].name};
    drop_matched(&r->ours, found.to_actual);
    drop_matched(&r->theirs, found.to_golden);
    return r->meant.count - before;
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

/* Returns how many names the affix would match. */
static size_t count_affix(const struct renaming *r, const struct affix *affix, const struct name_index *others)
{
    const struct match_list *list = affix->is_ours ? &r->ours : &r->theirs;
    char name[2048];
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (snprintf(name, sizeof name, "%s", list->keys[i].name) < (int)sizeof name)
            count += cut(name, affix->text, affix->size, affix->is_end) && name_find(others, name) != NO_INDEX;
    return count;
}

/* The affix by which most of what is left matches; tried with some of our names. */
static bool choose_affix(struct renaming *r)
{
    enum { TRIED = 16, MOST_TRIALS = 256, MOST_NAMES = 8192 };
    const struct name_index ours = name_index_create(&r->ours, r->arena);
    const struct name_index theirs = name_index_create(&r->theirs, r->arena);
    const size_t left = r->ours.count <= MOST_NAMES && r->theirs.count <= MOST_NAMES ? r->ours.count : 0;
    size_t most = 0, trials = 0;
    struct affix affix;
    for (size_t i = 0; i < left && i < TRIED && most < left; i++)
        for (size_t k = 0; k < r->theirs.count && trials < MOST_TRIALS; k++) {
            if (!find_affix(r->ours.keys[i].name, r->theirs.keys[k].name, &affix))
                continue;
            trials++;
            const size_t count = count_affix(r, &affix, affix.is_ours ? &theirs : &ours);
            if (count > most) {
                most = count;
                r->affix = affix;
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
static bool match_numbers(const struct match_list *ours, struct match_list *theirs, struct arena *arena)
{
    const char **meant = ARENA_NEW(arena, const char *, theirs->count);
    bool is_bare = true, has_zero = false;
    uint32_t count = 0;
    for (size_t i = 0; i < theirs->count; i++) {
        if (!*theirs->keys[i].name)
            continue;
        const long number = number_of(theirs->keys[i].name, &is_bare);
        if (number < 0 || number >= (long)ours->count)
            return false;
        has_zero = has_zero || number == 0;
        meant[i] = ours->keys[number].name;
        count++;
    }
    if (count == 0 || !(is_bare || has_zero))
        return false;
    for (size_t i = 0; i < theirs->count; i++)
        theirs->keys[i].name = meant[i] ? meant[i] : "";
    return true;
}

/* Matches by one likeness after another, and appends how. */
static void match_strangers(struct renaming *r, struct text *how)
{
    static const char *const words[LIKENESSES] = {[SANITISED] = "without [ ] . : / and blanks",
                                                  [STRIPPED] = "as declared",
                                                  [WITHOUT_NAMESPACE] = "without their namespace",
                                                  [WITHOUT_PATH] = "without their path"};
    for (enum likeness likeness = SANITISED; likeness < LIKENESSES; likeness++) {
        if (r->ours.count == 0 || r->theirs.count == 0 || (likeness == STRIPPED && !r->strip) ||
            (likeness == WITHOUT_AFFIX && !choose_affix(r)))
            continue;
        const size_t found = match_alike(r, likeness);
        if (found > 0)
            text_addf(how, "%s%zu %s matched ", how->size > 0 ? ", " : "", found, found == 1 ? "name is" : "names are");
        if (found > 0 && likeness == WITHOUT_AFFIX)
            text_addf(how, "without `%.*s`", (int)(r->affix.size < 60 ? r->affix.size : 60), r->affix.text);
        else if (found > 0)
            text_add(how, words[likeness]);
    }
}

void resolving_rename(struct resolving *work, const struct match_list *ours, struct match_list *theirs, bool are_bones)
{
    struct arena *arena = work->arena;
    const struct name_index our_names = name_index_create(ours, arena), names = name_index_create(theirs, arena);
    struct renaming r = {.ours = only_here(ours, &our_names, &names, arena),
                         .theirs = only_here(theirs, &names, &our_names, arena),
                         .meant = match_list_create(theirs->count, arena),
                         .strip = are_bones ? work->strip : NULL,
                         .arena = arena};
    SCOPED(text) how = {0};
    bool is_strange = r.ours.count > 0 && r.theirs.count > 0;
    for (size_t i = 0; i < theirs->count && is_strange; i++)
        is_strange = !*theirs->keys[i].name || name_find(&our_names, theirs->keys[i].name) == NO_INDEX;
    r.meant.count = 0;
    if (is_strange && match_numbers(ours, theirs, arena))
        text_add(&how, "names are places in the list of the file");
    else
        match_strangers(&r, &how);
    const struct name_index meant = name_index_create(&r.meant, arena);
    for (size_t i = 0; i < theirs->count && r.meant.count > 0; i++) {
        const int32_t k = name_find(&meant, theirs->keys[i].name);
        theirs->keys[i].name = k != NO_INDEX ? r.meant.keys[k].context : theirs->keys[i].name;
    }
    if (are_bones && how.size > 0)
        resolving_note(work, NOTE_NAMES, "%s", text_string(&how));
}
