#include "suite/file/suite_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "suite/file/suite_reader.h"

enum { MOST_CASES = 100000, MEMORY = 1 << 30 };

/* What a case may take beside what stands in the file: itself, a path for each of its files. */
enum { CASE_MEMORY = 128 << 10 };

/* Cases sorted by name, and of one name in the file's order. */
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

/* The times of the other case, unless this one has its own; `fps` and `samples` likewise. */
static bool adopt_times(struct suite_reader *reader, struct suite_case *test, const struct suite_case *other,
                        const struct tree_node *mapping)
{
    struct settings *s = &test->settings;
    const struct settings *from = &other->settings;
    if (suite_time_key(mapping, NULL))
        return true;
    if (!suite_count_times(reader, mapping, from->time_count))
        return false;
    s->times = memory_grow(s->times, from->time_count + 1, sizeof *s->times);
    if (from->time_count > 0)
        memcpy(s->times, from->times, from->time_count * sizeof *s->times);
    s->time_count = from->time_count;
    s->time_choice = from->time_choice;
    s->time_choices = from->time_choices;
    s->times_are_a_range = from->times_are_a_range;
    s->first_frame = from->first_frame;
    s->last_frame = from->last_frame;
    s->fps = tree_get(mapping, "fps", NULL) ? s->fps : from->fps;
    s->samples = tree_get(mapping, "samples", NULL) ? s->samples : from->samples;
    return true;
}

static bool resolve_agreement(struct suite_reader *reader, struct suite_case *test,
                              const struct suite_case *const *sorted, const struct tree_node *mapping)
{
    const struct suite *suite = reader->suite;
    const struct tree_node *at = tree_get(mapping, "agrees_with", NULL);
    const char *name = test->agreement.name;
    const struct suite_case *const *found = bsearch(name, sorted, suite->case_count, sizeof *sorted, name_against);
    if (at->kind == TREE_MAPPING)
        at = tree_get(at, "case", NULL);
    reader->source.key = "agrees_with";
    if (!found) {
        const char **names = ARENA_NEW(suite->arena, const char *, suite->case_count);
        for (size_t i = 0; i < suite->case_count; i++)
            names[i] = suite->cases[i].name;
        const char *near = name_nearest(name, names, suite->case_count);
        return value_fail(&reader->source, at, "no case `%s`%s%s%s", name, near ? "; did you mean `" : "",
                          near ? near : "", near ? "`?" : "");
    }
    if (*found == test)
        return value_fail(&reader->source, at, "a case cannot agree with itself");
    if ((*found)->agrees)
        return value_fail(&reader->source, at, "`%s` agrees with another case itself: name that one", name);
    test->agreement.other = (size_t)(*found - suite->cases);
    return adopt_times(reader, test, *found, mapping);
}

static bool resolve_names(struct suite_reader *reader, const struct tree_node *list)
{
    struct suite *suite = reader->suite;
    const struct suite_case **sorted = ARENA_NEW(suite->arena, const struct suite_case *, suite->case_count);
    const struct suite_case *first = NULL, *second = NULL; /* in the file, of one name */
    for (size_t i = 0; i < suite->case_count; i++)
        sorted[i] = &suite->cases[i];
    qsort(sorted, suite->case_count, sizeof *sorted, by_name);
    for (size_t i = 1; i < suite->case_count; i++)
        if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0 && (!second || sorted[i] < second)) {
            second = sorted[i];
            first = sorted[i - 1];
        }
    reader->source.key = "name";
    if (second)
        return value_fail(&reader->source, tree_get(list->items[second - suite->cases], "name", NULL),
                          "`%s` is the case of line %d already", second->name, first->line);
    for (size_t i = 0; i < suite->case_count; i++)
        if (suite->cases[i].agrees && !resolve_agreement(reader, &suite->cases[i], sorted, list->items[i]))
            return false;
    return true;
}

static bool read_cases(struct suite_reader *reader, const struct tree_node *list)
{
    struct suite *suite = reader->suite;
    struct value_source *source = &reader->source;
    source->key = "cases";
    if (list->kind != TREE_LIST || list->count == 0)
        return value_fail(source, list, "a list of cases is wanted here");
    if (list->count > MOST_CASES)
        return value_fail(source, list, "more than %d", MOST_CASES);
    suite->cases = ARENA_NEW(suite->arena, struct suite_case, list->count);
    size_t defaults = reader->defaults ? reader->defaults->weight : 0;
    source->key = "defaults";
    if (list->count * defaults > TREE_MOST_WEIGHT) /* each case reads them anew */
        return value_fail(source, reader->defaults, "too large for %zu cases", list->count);
    for (size_t i = 0; i < list->count; i++) {
        source->key = NULL;
        if (!arena_fits(suite->arena, 1, CASE_MEMORY + 2 * (defaults + list->items[i]->weight)))
            return value_fail(source, list->items[i], "the suite is too large");
        suite->case_count++;
        if (!suite_read_case(reader, &suite->cases[i], list->items[i]))
            return false;
    }
    return resolve_names(reader, list);
}

static bool read_all(struct suite_reader *reader)
{
    static const struct setting keys[] = {{"version"}, {"goldens"}, {"defaults"}, {"cases"}};
    enum { KEYS = sizeof keys / sizeof keys[0] };
    const struct tree_node *root = reader->tree.root, *values[KEYS];
    struct value_source *source = &reader->source;
    struct error why = {0};
    if (root->kind != TREE_MAPPING)
        return value_fail(source, root, "a suite is a mapping that begins with `version: 1`");
    for (size_t i = 0; i < KEYS; i++)
        values[i] = tree_get(root, keys[i].name, NULL);
    if (!values[0])
        return value_fail(source, root, "`version: 1` is missing");
    source->key = "version";
    const char *version = value_string(source, values[0]);
    if (!version || strcmp(version, "1") != 0)
        return version && value_fail(source, values[0], "`%s` is not 1, which is what this rigproof reads", version);
    for (size_t i = 0; i < root->count; i++)
        if (!value_find(keys, KEYS, root->keys[i]->text, strlen(root->keys[i]->text)))
            return value_unknown_key(source, root->keys[i], keys, KEYS);
    source->key = "goldens";
    const char *goldens = values[1] ? value_string(source, values[1]) : ".";
    if (!goldens)
        return false;
    reader->suite->goldens = suite_paths_folder(&reader->paths, goldens, reader->suite->arena, &why);
    if (!reader->suite->goldens)
        return value_fail(source, values[1] ? values[1] : root, "%s", why.text);
    reader->defaults = values[2];
    if (reader->defaults && !suite_check_defaults(reader))
        return false;
    source->key = NULL;
    return values[3] ? read_cases(reader, values[3]) : value_fail(source, root, "`cases` are missing");
}

struct suite *suite_read(const char *path, bool allow_outside, struct error *err)
{
    struct arena *arena = arena_create(MEMORY, err);
    if (!arena)
        return NULL;
    struct suite *suite = ARENA_NEW(arena, struct suite, 1);
    *suite = (struct suite){.arena = arena, .path = arena_string(arena, path)};
    struct suite_reader reader = {.suite = suite, .source = {.arena = arena, .err = err}};
    reader.source.tree = &reader.tree;
    reader.source.paths = &reader.paths;
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
