/* Which cases of a suite run. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/sort.h"
#include "suite/file/suite_file.h"

/* ---- shards ---------------------------------------------------------------------------------------------------- */

bool shard_parse(const char *text, uint32_t *shard, uint32_t *count, struct error *err)
{
    enum { MOST = 100000 };
    unsigned long numbers[2] = {0, 0};
    const char *at = text;
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        size_t digits = strspn(at, "0123456789");
        good = digits > 0 && digits <= 6 && at[digits] == (i == 0 ? '/' : '\0');
        numbers[i] = good ? strtoul(at, NULL, 10) : 0;
        at += digits + 1;
    }
    if (!good || numbers[0] < 1 || numbers[0] > numbers[1] || numbers[1] > MOST)
        return error_set(err, "--shard: `%s` is not I/N with I from 1 to N (N at most %d)", text, MOST);
    *shard = (uint32_t)numbers[0];
    *count = (uint32_t)numbers[1];
    return true;
}

/* FNV-1a, 64 bits folded to 32 as its authors advise (www.isthe.com/chongo/tech/comp/fnv). Frozen: CI splits by it. */
static uint32_t name_hash(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return (uint32_t)(hash >> 32 ^ hash);
}

static bool is_in_shard(const struct suite_case *test, const struct selection *selection)
{
    return selection->shard == 0 || name_hash(test->name) % selection->shard_count == selection->shard - 1;
}

/* ---- filters --------------------------------------------------------------------------------------------------- */

static const char *tag_glob(const char *filter)
{
    return strncmp(filter, "tag:", 4) == 0 ? filter + 4 : NULL;
}

static bool matches(const struct suite_case *test, const char *filter)
{
    const char *glob = tag_glob(filter);
    if (!glob)
        return fnmatch(filter, test->name, 0) == 0;
    for (size_t i = 0; i < test->tag_count; i++)
        if (fnmatch(glob, test->tags[i], 0) == 0)
            return true;
    return false;
}

/* One of the filters that choose, if there are any, and none that excludes. */
static bool passes(const struct suite_case *test, const struct selection *selection)
{
    bool some_choose = false, chosen = false;
    for (size_t i = 0; i < selection->filter_count; i++) {
        const char *filter = selection->filters[i];
        bool excludes = filter[0] == '!';
        some_choose = some_choose || !excludes;
        if (matches(test, filter + excludes)) {
            if (excludes)
                return false;
            chosen = true;
        }
    }
    return chosen || !some_choose;
}

/* ---- names to keep --------------------------------------------------------------------------------------------- */

static const char **sorted_names(const struct selection *selection, struct error *err)
{
    const char **names = malloc((selection->only_count + 1) * sizeof *names);
    if (!names) {
        error_set(err, "out of memory for %zu names", selection->only_count);
        return NULL;
    }
    if (selection->only_count > 0) {
        memcpy(names, selection->only, selection->only_count * sizeof *names);
        qsort(names, selection->only_count, sizeof *names, compare_strings);
    }
    return names;
}

/* ---- an empty selection ---------------------------------------------------------------------------------------- */

static void keep_nearer(const char *name, const char *candidate, const char **best)
{
    const char *both[] = {*best ? *best : candidate, candidate};
    const char *near = name_nearest(name, both, 2);
    if (near)
        *best = near;
}

/* The name of a case, or of a tag, that may have been meant. */
static const char *find_near(const struct suite *suite, const char *name, bool is_tag)
{
    const char *best = NULL;
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct suite_case *test = &suite->cases[i];
        if (!is_tag)
            keep_nearer(name, test->name, &best);
        for (size_t k = 0; is_tag && k < test->tag_count; k++)
            keep_nearer(name, test->tags[k], &best);
    }
    return best;
}

/* Helps where a filter was meant to be a name and is none. */
static bool fail_empty(const struct suite *suite, const struct selection *selection, struct error *err)
{
    for (size_t i = 0; i < selection->filter_count; i++) {
        const char *filter = selection->filters[i], *tag = tag_glob(filter);
        if (filter[0] == '!' || strpbrk(filter, "*?["))
            continue;
        const char *near = find_near(suite, tag ? tag : filter, tag != NULL);
        if (near)
            return error_set(err, "%s: no case %s`%s`; did you mean `%s`?", suite->path, tag ? "with the tag " : "",
                             tag ? tag : filter, near);
    }
    if (selection->only && selection->filter_count == 0)
        return error_set(err, "%s: none of the cases that are to run again is in it", suite->path);
    return error_set(err, "%s: none of its %zu cases is chosen; rigproof check --list shows them", suite->path,
                     suite->case_count);
}

size_t suite_select(const struct suite *suite, const struct selection *selection, bool *chosen, struct error *err)
{
    size_t before = 0, count = 0;
    const char **only = selection->only ? sorted_names(selection, err) : NULL;
    if (selection->only && !only)
        return 0;
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct suite_case *test = &suite->cases[i];
        bool kept = !only || bsearch(&test->name, only, selection->only_count, sizeof *only, compare_strings);
        chosen[i] = kept && passes(test, selection);
        before += chosen[i];
        chosen[i] = chosen[i] && is_in_shard(test, selection);
        count += chosen[i];
    }
    free(only);
    if (before == 0)
        fail_empty(suite, selection, err);
    return count;
}
