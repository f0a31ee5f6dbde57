/* Cases that nothing stands for any more, though they were there: see suite_expand.h. */
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/memory.h"
#include "base/sort.h"
#include "suite/suite_expand.h"

static void add(struct missed_cases *out, const char *name, size_t like, const char *problem)
{
    out->items = memory_room(out->items, out->count, sizeof *out->items);
    out->items[out->count++] = (struct missed_case){name, like, problem};
}

/* The case's, or of a case whose own problem is that its clips are not known. */
static bool is_explained(const struct suite *suite, const char *const *sorted, const char *name)
{
    if (bsearch(&name, sorted, suite->case_count, sizeof *sorted, compare_strings))
        return true;
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct suite_case *c = &suite->cases[i];
        const size_t length = strlen(c->name);
        if (c->all_clips && strncmp(c->name, name, length) == 0 && name[length] == '-')
            return true;
    }
    return false;
}

/* A case of the origin that the name begins with, of several the longest; case_count: none. */
static size_t find_like(const struct suite *suite, const char *name)
{
    size_t like = suite->case_count, longest = 0;
    for (size_t i = 0; i < suite->case_count; i++) {
        const char *origin = suite->cases[i].origin;
        size_t length = origin ? strlen(origin) : 0;
        if (length > longest && strncmp(origin, name, length) == 0 && name[length] == '-') {
            longest = length;
            like = i;
        }
    }
    return like;
}

static bool miss_goldens(const struct suite *suite, const char *const *sorted, struct missed_cases *out,
                         struct error *err)
{
    SCOPED(folder_names) goldens = {0};
    struct arena *arena = suite->arena;
    if (!folder_list(suite->goldens, FOLDER_FOLDERS, &goldens, err))
        return false;
    for (size_t i = 0; i < goldens.count; i++) {
        const char *name = goldens.names[i];
        size_t like = is_explained(suite, sorted, name) ? suite->case_count : find_like(suite, name);
        if (like == suite->case_count || !file_exists(arena_printf(arena, "%s/%s/recorded.json", suite->goldens, name)))
            continue;
        const struct suite_case *c = &suite->cases[like];
        add(out, arena_string(arena, name), like,
            arena_printf(arena,
                         "its golden is there, but `%s` of line %d stands for no such clip or file any more: "
                         "is it lost? If it may be, `accept --prune` removes the golden",
                         c->origin, c->line));
    }
    return true;
}

/* `walker-fbx` agrees with `walker`, and for `walker-walk` there is no `walker-fbx-walk`. */
static void miss_twins(const struct suite *suite, const char *const *sorted, size_t at, struct missed_cases *out)
{
    const struct suite_case *c = &suite->cases[at];
    const char *end = c->name + strlen(c->origin);
    const size_t whole = strlen(c->agreement.name), length = whole > strlen(end) ? whole - strlen(end) : 0;
    for (size_t i = 0; length > 0 && i < suite->case_count; i++) {
        const struct suite_case *other = &suite->cases[i];
        if (!other->origin || strlen(other->origin) != length || strncmp(other->origin, c->agreement.name, length) != 0)
            continue;
        const char *name = arena_printf(suite->arena, "%s%s", c->origin, other->name + length);
        if (!is_explained(suite, sorted, name))
            add(out, name, at,
                arena_printf(suite->arena,
                             "there is `%s`, but `%s` of line %d stands for no such clip or file: is it lost?",
                             other->name, c->origin, c->line));
    }
}

bool suite_find_missed(const struct suite *suite, bool has_goldens, struct missed_cases *out, struct error *err)
{
    const char **sorted = ARENA_NEW(suite->arena, const char *, suite->case_count);
    bool is_needed = false;
    *out = (struct missed_cases){0};
    for (size_t i = 0; i < suite->case_count; i++) {
        sorted[i] = suite->cases[i].name;
        is_needed = is_needed || suite->cases[i].origin;
    }
    if (!is_needed)
        return true;
    sort_items(sorted, suite->case_count, sizeof *sorted, compare_strings);
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct suite_case *c = &suite->cases[i];
        bool is_first = c->origin && (i == 0 || !c[-1].origin || strcmp(c[-1].origin, c->origin) != 0);
        if (is_first && c->agrees)
            miss_twins(suite, sorted, i, out);
    }
    return !has_goldens || miss_goldens(suite, sorted, out, err);
}
