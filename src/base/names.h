#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

/* Says whether two names are the same, of which either may be NULL. */
static inline bool names_equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The one of that name among things that begin with theirs: strings, or structs whose first member it is. Of several
 * the first; NULL where there is none, or no name. */
#define NAMED(items, count, name) ((__typeof__(&(items)[0]))named_find((items), (count), sizeof *(items), (name)))
void *named_find(const void *items, size_t count, size_t size, const char *name);

/* For each of names[count] the index of the first that is the same; the caller frees it. */
size_t *names_group(const char *const *names, size_t count);

/* Numbers things of one name in names[count]: "body #0", "body #1" in their order; new texts are in the arena. */
void names_number(const char **names, size_t count, struct arena *arena);

/* Such a name in a sentence, between two of `quote`: "`body` #1", "`body`". name_quoted() makes it in the arena. */
void name_quote(const char *name, char quote, struct text *out);
const char *name_quoted(const char *name, char quote, struct arena *arena);

/*
 * The names of bones may begin with the same word, up to a colon or a bar: "mixamorig:". People read it once and the
 * names without it. All zero before the first name_prefix_add(), which looks at names with a colon or a bar alone.
 */
struct name_prefix {
    const char *of; /* the first such name, which is the caller's */
    size_t length;  /* that all have in common so far */
    bool are_several;
};
void name_prefix_add(struct name_prefix *prefix, const char *name);

/* The length of the prefix; 0: there is none, or it is of one name alone. */
size_t name_prefix_length(const struct name_prefix *prefix);

/* The name without it; what does not begin with it, or is nothing else, stays. */
const char *name_without(const struct name_prefix *prefix, const char *name);

/* Lower-case letters and digits, with one `-` between what is parted by anything else: "rig|Walk 2" is "rig-walk-2"; at
 * most `most` characters. "" where nothing is left. In the arena. */
char *name_slug(const char *name, size_t most, struct arena *arena);

/* Optimal string alignment distance (insert, delete, replace, swap of neighbours), letter case ignored. */
size_t name_distance(const char *a, const char *b);

/* The candidate nearest to `name`; NULL: none is near enough to be meant. Blanks and signs in it count little. */
const char *name_nearest(const char *name, const char *const *candidates, size_t count);

/*
 * Appends the name that was probably meant by one, or by a glob, that matches no candidate: the nearest of them,
 * `PART*` where some begin nearly so, `*PART*` where it is a part of some. False: nothing is near.
 */
bool glob_suggest(const char *pattern, const char *const *candidates, size_t count, struct text *out);
