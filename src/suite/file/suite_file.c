#include "suite/file/suite_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "suite/file/suite_reader.h"

enum { MOST_CASES = 100000, MEMORY = 1 << 30 };

/* What a case may take beside what stands in the file: itself, a path for each of its files. */
enum { CASE_MEMORY = 128 << 10 };

/* ---- agreement ------------------------------------------------------------------------------------------------- */

/* Cases sorted by name, and of one name in the file's order. */
struct name_index {
    size_t count;
    const struct suite_case **cases;
};

static int by_name(const void *a, const void *b)
{
    const struct suite_case *x = *(const struct suite_case *const *)a, *y = *(const struct suite_case *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

static int name_against(const void *name, const void *b)
{
    return strcmp(name, (*(const struct suite_case *const *)b)->name);
}

static struct name_index index_names(const struct suite *suite)
{
    struct name_index index = {.count = suite->case_count};
    index.cases = ARENA_NEW(suite->arena, const struct suite_case *, index.count);
    for (size_t i = 0; i < index.count; i++)
        index.cases[i] = &suite->cases[i];
    qsort(index.cases, index.count, sizeof *index.cases, by_name);
    return index;
}

/* The first in the file that takes a name a second time. */
static bool check_names(struct suite_reader *reader, const struct name_index *index, const struct tree_node *list)
{
    const struct suite_case *second = NULL, *first = NULL;
    for (size_t i = 1; i < index->count; i++)
        if (strcmp(index->cases[i]->name, index->cases[i - 1]->name) == 0 && (!second || index->cases[i] < second)) {
            second = index->cases[i];
            first = index->cases[i - 1];
        }
    if (!second)
        return true;
    const struct tree_node *mapping = list->items[second - reader->suite->cases];
    return suite_fail(reader, tree_get(mapping, "name", NULL), "name: `%s` is the case of line %d already",
                      second->name, first->line);
}

static bool fail_no_case(struct suite_reader *reader, const struct tree_node *at)
{
    const struct suite *suite = reader->suite;
    const char **names = ARENA_NEW(suite->arena, const char *, suite->case_count);
    for (size_t i = 0; i < suite->case_count; i++)
        names[i] = suite->cases[i].name;
    const char *near = name_nearest(at->text, names, suite->case_count);
    if (near)
        return suite_fail(reader, at, "agrees_with: no case `%s`; did you mean `%s`?", at->text, near);
    return suite_fail(reader, at, "agrees_with: no case `%s`", at->text);
}

/* The times of the other case, unless this one has its own; `fps` and `samples` likewise. */
static bool adopt_times(struct suite_reader *reader, struct suite_case *test, const struct suite_case *other,
                        const struct tree_node *mapping)
{
    struct settings *s = &test->settings;
    const struct settings *from = &other->settings;
    if (suite_has_time_key(mapping))
        return true;
    if (!suite_count_times(reader, mapping, from->time_count))
        return false;
    free(s->times);
    s->times = NULL;
    s->time_count = 0;
    if (from->time_count > 0 && !(s->times = malloc(from->time_count * sizeof *s->times)))
        return suite_fail(reader, mapping, "out of memory");
    if (from->time_count > 0)
        memcpy(s->times, from->times, from->time_count * sizeof *s->times);
    s->time_count = from->time_count;
    s->time_choice = from->time_choice;
    s->time_was_set = from->time_was_set;
    s->first_frame = from->first_frame;
    s->last_frame = from->last_frame;
    if (!tree_get(mapping, "fps", NULL))
        s->fps = from->fps;
    if (!tree_get(mapping, "samples", NULL))
        s->samples = from->samples;
    test->times_are_a_range = other->times_are_a_range;
    return true;
}

static bool resolve_agreement(struct suite_reader *reader, struct suite_case *test, const struct name_index *index,
                              const struct tree_node *mapping)
{
    const struct tree_node *at = tree_get(mapping, "agrees_with", NULL);
    if (at->kind == TREE_MAPPING)
        at = tree_get(at, "case", NULL);
    const struct suite_case **found = bsearch(at->text, index->cases, index->count, sizeof *index->cases, name_against);
    if (!found)
        return fail_no_case(reader, at);
    const struct suite_case *other = *found;
    if (other == test)
        return suite_fail(reader, at, "agrees_with: a case cannot agree with itself");
    if (other->agrees)
        return suite_fail(reader, at, "agrees_with: `%s` agrees with another case itself: name that one", other->name);
    test->agreement.other = (size_t)(other - reader->suite->cases);
    return adopt_times(reader, test, other, mapping);
}

static bool resolve_names(struct suite_reader *reader, const struct tree_node *list)
{
    struct suite *suite = reader->suite;
    struct name_index index = index_names(suite);
    if (!check_names(reader, &index, list))
        return false;
    for (size_t i = 0; i < suite->case_count; i++)
        if (suite->cases[i].agrees && !resolve_agreement(reader, &suite->cases[i], &index, list->items[i]))
            return false;
    return true;
}

/* ---- the file -------------------------------------------------------------------------------------------------- */

static bool read_cases(struct suite_reader *reader, const struct tree_node *list)
{
    struct suite *suite = reader->suite;
    if (list->kind != TREE_LIST || list->count == 0)
        return suite_fail(reader, list, "cases: a list of cases is wanted here");
    if (list->count > MOST_CASES)
        return suite_fail(reader, list, "cases: more than %d", MOST_CASES);
    suite->cases = ARENA_NEW(suite->arena, struct suite_case, list->count);
    size_t defaults = reader->defaults ? reader->defaults->weight : 0;
    if (list->count * defaults > TREE_MOST_WEIGHT) /* each case reads them anew */
        return suite_fail(reader, reader->defaults, "defaults: too large for %zu cases", list->count);
    for (size_t i = 0; i < list->count; i++) {
        if (!arena_fits(suite->arena, 1, CASE_MEMORY + 2 * (defaults + list->items[i]->weight)))
            return suite_fail(reader, list->items[i], "the suite is too large");
        suite->case_count++;
        if (!suite_read_case(reader, &suite->cases[i], list->items[i]))
            return false;
    }
    return resolve_names(reader, list);
}

static bool read_version(struct suite_reader *reader)
{
    const struct tree_node *value = tree_get(reader->tree.root, "version", NULL);
    if (!value)
        return suite_fail(reader, reader->tree.root, "`version: 1` is missing");
    const char *text = suite_text(reader, "version", value);
    return text && (strcmp(text, "1") == 0 ||
                    suite_fail(reader, value, "version: `%s` is not 1, which is what this rigproof reads", text));
}

static bool read_goldens(struct suite_reader *reader)
{
    const struct tree_node *value = tree_get(reader->tree.root, "goldens", NULL);
    const char *name = value ? suite_text(reader, "goldens", value) : ".";
    struct error why = {0};
    if (!name)
        return false;
    reader->suite->goldens = suite_paths_folder(&reader->paths, name, reader->suite->arena, &why);
    return reader->suite->goldens || suite_fail(reader, value ? value : reader->tree.root, "goldens: %s", why.text);
}

static bool check_keys(struct suite_reader *reader)
{
    static const char *const keys[] = {"version", "goldens", "defaults", "cases"};
    enum { COUNT = sizeof keys / sizeof keys[0] };
    const struct tree_node *root = reader->tree.root;
    for (size_t i = 0; i < root->count; i++) {
        size_t k = 0;
        while (k < COUNT && strcmp(keys[k], root->keys[i]->text) != 0)
            k++;
        if (k == COUNT)
            return suite_fail_unknown(reader, root->keys[i], "unknown key", root->keys[i]->text, keys, COUNT);
    }
    return true;
}

static bool read_all(struct suite_reader *reader)
{
    const struct tree_node *root = reader->tree.root;
    if (root->kind != TREE_MAPPING)
        return suite_fail(reader, root, "a suite is a mapping that begins with `version: 1`");
    if (!read_version(reader) || !check_keys(reader) || !read_goldens(reader))
        return false;
    reader->defaults = tree_get(root, "defaults", NULL);
    if (reader->defaults && !suite_check_defaults(reader))
        return false;
    const struct tree_node *cases = tree_get(root, "cases", NULL);
    return cases ? read_cases(reader, cases) : suite_fail(reader, root, "`cases` are missing");
}

struct suite *suite_read(const char *path, bool allow_outside, struct error *err)
{
    struct arena *arena = arena_create(MEMORY, err);
    if (!arena)
        return NULL;
    struct suite *suite = ARENA_NEW(arena, struct suite, 1);
    *suite = (struct suite){.arena = arena, .path = arena_string(arena, path)};
    struct suite_reader reader = {.suite = suite, .err = err};
    bool good = yaml_tree_read(&reader.tree, suite->path, arena, err) &&
                suite_paths_open(&reader.paths, path, allow_outside, arena, err) && read_all(&reader);
    suite->folder = reader.paths.folder;
    if (good)
        return suite;
    suite_free(suite);
    return NULL;
}

void suite_free(struct suite *suite)
{
    for (size_t i = 0; suite && i < suite->case_count; i++)
        settings_release(&suite->cases[i].settings);
    arena_destroy(suite ? suite->arena : NULL);
}
