#include "suite/suite_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "suite/suite_expand.h"
#include "options/clip_mix.h"
#include "pipeline/pipeline.h"

/* CASE_MEMORY: what a case may take beside what stands in the file: itself, a path for each of its files. */
enum { MOST_CASES = 100000, MEMORY = 1 << 30, CASE_MEMORY = 128 << 10 };

/* Each reader returns false with source.err set: "file:line:column: key: what". */
struct suite_reader {
    struct suite *suite;
    struct tree tree;
    struct suite_paths paths;
    struct value_source source;
    const struct tree_node *defaults; /* a mapping; NULL: none */
    const struct tree_node **mappings; /* [suite->case_count] of each case: those of its subjects have one */
    size_t room;                      /* for cases */
    size_t time_count;                /* times that all cases list together */
    bool reads_first;                 /* the keys BEFORE_OTHERS, and no others */
    const struct suite_reading *reading;
    const struct tree_node *list;     /* of cases, as written */
    struct text imported;             /* import_key() of the model that was imported last for its clips, */
    struct scene *scene;              /* which is this; NULL: */
    struct error failure;             /* why it could not be */
};

/* The key of a mapping that says which times to sample, but for `other`; NULL: none does. */
static const struct tree_node *time_key(const struct tree_node *mapping, const struct tree_node *other)
{
    static const char *const names[] = {"time", "times", "frames", "play"};
    for (size_t i = 0; i < mapping->count; i++)
        for (int k = 0; k < 4; k++)
            if (mapping->keys[i] != other && strcmp(mapping->keys[i]->text, names[k]) == 0)
                return mapping->keys[i];
    return NULL;
}

static bool count_times(struct suite_reader *reader, const struct tree_node *at, size_t count)
{
    enum { MOST_TIMES_OF_SUITE = 10000000 }; /* they are in memory at once */
    reader->source.key = NULL;
    reader->time_count += count;
    return reader->time_count <= MOST_TIMES_OF_SUITE ||
           value_fail(&reader->source, at, "the cases list more than %d times", MOST_TIMES_OF_SUITE);
}

static bool read_key(struct suite_reader *reader, struct suite_case *test, const struct tree_node *key,
                     const struct tree_node *value)
{
    struct value_source *source = &reader->source;
    struct settings *s = &test->settings;
    const struct setting *own = value_find(case_keys, CASE_KEYS, key->text, strlen(key->text));
    const struct setting *row = setting_find(key->text);
    if (own)
        return (own->group == BEFORE_OTHERS) != reader->reads_first || value_read(source, own, test, value);
    if (reader->reads_first)
        return true;
    if (!row) {
        FREED struct setting *all = memory_new(CASE_KEYS + setting_count, sizeof *all);
        memcpy(all, case_keys, sizeof case_keys);
        memcpy(all + CASE_KEYS, setting_table, setting_count * sizeof *all);
        value_unknown_key(source, key, all, CASE_KEYS + setting_count);
        return false;
    }
    source->key = row->name;
    if (row->not_in_suite)
        return value_fail(source, value, "%s", row->not_in_suite);
    if (!value_read(source, row, s, value))
        return false;
    if (s->upload_format.path == PALETTE_PATH_COUNT)
        return value_fail(source, value, "`all` is for rigproof render, not for a suite");
    if (strcmp(row->name, "time") != 0 && strcmp(row->name, "times") != 0)
        return true;
    return (s->times_are_a_range || settings_check_list(s, source, value)) && count_times(reader, value, s->time_count);
}

/*
 * The defaults hold for what the case does not say instead: parts of a tolerance and of a camera replace the default's
 * one by one; a blend and a clip or a transition exclude each other, and so do the keys of times.
 */
static bool read_defaults(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping)
{
    static const char *const excluding[][2] = {
        {"blend", "clip"}, {"blend", "transition"}, {"clip", "blend"}, {"transition", "blend"},
        {"clip", "clips"}, {"blend", "clips"}};
    const struct tree_node *defaults = reader->defaults;
    for (size_t i = 0; defaults && i < defaults->count; i++) {
        const struct tree_node *key = defaults->keys[i], alone = {.kind = TREE_MAPPING, .count = 1, .keys = &key};
        const bool adds = strcmp(key->text, "tolerance") == 0 || strcmp(key->text, "camera") == 0;
        bool is_replaced = time_key(&alone, NULL) ? time_key(mapping, NULL) != NULL
                                                  : !adds && tree_get(mapping, key->text, NULL);
        for (size_t k = 0; k < sizeof excluding / sizeof excluding[0]; k++)
            if (strcmp(key->text, excluding[k][0]) == 0 && tree_get(mapping, excluding[k][1], NULL))
                is_replaced = true;
        if (!is_replaced && !read_key(reader, test, key, defaults->items[i]))
            return false;
    }
    return true;
}

/* Keys of times say the same thing, and a mapping has no order in which the last word would count. */
static bool check_time_keys(struct suite_reader *reader, const struct tree_node *mapping)
{
    const struct tree_node *first = time_key(mapping, NULL);
    const struct tree_node *second = first ? time_key(mapping, first) : NULL;
    reader->source.key = NULL;
    return !second ||
           value_fail(&reader->source, second, "`%s` and `%s` exclude each other", first->text, second->text);
}

/* Everything but `agrees_with`, whose form alone is checked. */
static bool read_case(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping)
{
    struct settings *s = &test->settings;
    const struct tree_node *reason, *expect, *skip, *other;
    *test = (struct suite_case){.line = mapping->line, .mapping = mapping, .tolerance = tolerance_defaults};
    settings_init(s);
    reader->source.key = NULL;
    reader->source.absent = &test->problem;
    if (mapping->kind != TREE_MAPPING)
        return value_fail(&reader->source, mapping, "a case is a mapping with `name` and `model`");
    if (!check_time_keys(reader, mapping))
        return false;
    for (int round = 0; round < 2; round++) {
        reader->reads_first = round == 0;
        if (!read_defaults(reader, test, mapping))
            return false;
        for (size_t i = 0; i < mapping->count; i++)
            if (!read_key(reader, test, mapping->keys[i], mapping->items[i]))
                return false;
    }
    reader->source.key = NULL;
    if (!test->name || !test->model)
        return value_fail(&reader->source, mapping, "this case has no `%s`", test->name ? "model" : "name");
    if (test->all_clips && (tree_get(mapping, "clip", &other) || tree_get(mapping, "blend", &other)))
        return value_fail(&reader->source, other, "`clips` and `%s` exclude each other", other->text);
    if (!s->time_choices && !clip_mix_is_still(s))
        s->time_choice = TIMES_AUTO; /* one time of a clip shows little of it */
    tree_get(mapping, "reason", &reason);
    tree_get(mapping, "expect", &expect);
    tree_get(mapping, "skip", &skip);
    if (test->skip && !test->reason)
        return value_fail(&reader->source, skip, "`skip: true` needs a `reason`");
    if (test->expect_fail && !test->reason)
        return value_fail(&reader->source, expect, "`expect: fail` needs a `reason`");
    if (reason && !expect && !skip)
        return value_fail(&reader->source, reason, "a `reason` belongs to `skip: true` or `expect: fail`");
    if (!test->skip && !test->expect_fail)
        test->reason = NULL;
    if (test->agrees && test->subjects)
        return value_fail(&reader->source, mapping, "`agrees_with` and `subject` exclude each other");
    if (test->against && !test->subjects)
        return value_fail(&reader->source, mapping, "`against` belongs to a `subject`");
    if (test->agrees && (suite_not_asked(test) >> STAGE_SKIN & 1))
        return value_fail(&reader->source, mapping, "with `agrees_with` skin is compared, which `stages` leaves out");
    return clip_mix_check(s, &reader->source, mapping);
}

/* Reads the defaults for their errors alone. */
static bool check_defaults(struct suite_reader *reader)
{
    static const struct tree_node empty = {.kind = TREE_MAPPING};
    const struct tree_node *defaults = reader->defaults;
    struct suite_case nobody = {.tolerance = tolerance_defaults};
    reader->source.key = "defaults";
    reader->source.absent = &nobody.problem; /* each case's own */
    if (!value_is_mapping(&reader->source, defaults) || !check_time_keys(reader, defaults))
        return false;
    for (size_t i = 0; i < defaults->count; i++) {
        const char *name = defaults->keys[i]->text;
        const struct setting *key = value_find(case_keys, CASE_KEYS, name, strlen(name));
        if (key && key->group == ONLY_OF_CASE)
            return value_fail(&reader->source, defaults->keys[i], "`%s` belongs to a case, not to the defaults", name);
    }
    settings_init(&nobody.settings);
    bool good = read_defaults(reader, &nobody, &empty);
    settings_release(&nobody.settings);
    reader->time_count = 0; /* they count with the cases that take them */
    return good;
}

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

const struct suite_case *suite_find_case(const struct suite *suite, const char *name)
{
    const struct suite_case *const *found =
        bsearch(name, suite->by_name, suite->case_count, sizeof *suite->by_name, name_against);
    return found ? *found : NULL;
}

static const char *explain_missing(const struct suite *suite, const char *name)
{
    const char **names = ARENA_NEW(suite->arena, const char *, suite->case_count);
    for (size_t i = 0; i < suite->case_count; i++)
        names[i] = suite->cases[i].name;
    const char *near = name_nearest(name, names, suite->case_count);
    return near ? arena_printf(suite->arena, "no case `%s`; did you mean `%s`?", name, near)
                : arena_printf(suite->arena, "no case `%s`", name);
}

static bool resolve_agreement(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping)
{
    const struct suite *suite = reader->suite;
    const struct tree_node *at = tree_get(mapping, "agrees_with", NULL);
    const char *name = test->agreement.name;
    const struct suite_case *found = suite_find_case(suite, name);
    if (at->kind == TREE_MAPPING)
        at = tree_get(at, "case", NULL);
    reader->source.key = "agrees_with";
    reader->source.absent = &test->problem;
    const char *why = NULL;
    if (!found)
        why = explain_missing(suite, name);
    else if (found == test)
        why = "a case cannot agree with itself";
    else if (found->agrees)
        why = arena_printf(suite->arena, "`%s` agrees with another case itself: name that one", name);
    else if (found->problem)
        why = arena_printf(suite->arena, "`%s` cannot run: %s", name, found->problem);
    test->agreement.other = (size_t)((found ? found : test) - suite->cases);
    if (why)
        return value_absent(&reader->source, at, why);
    if (time_key(mapping, NULL))
        return true;
    /* The times of the other case, unless this one has its own; `fps` and `samples` likewise. */
    struct settings *s = &test->settings;
    const struct settings *from = &found->settings;
    if (!count_times(reader, mapping, from->time_count))
        return false;
    s->times = memory_grow(s->times, from->time_count + 1, sizeof *s->times);
    s->time_units = memory_grow(s->time_units, from->time_count + 1, 1);
    if (from->time_count > 0) {
        memcpy(s->times, from->times, from->time_count * sizeof *s->times);
        memcpy(s->time_units, from->time_units, from->time_count);
    }
    s->time_count = from->time_count;
    s->time_choice = from->time_choice;
    s->time_choices = from->time_choices;
    s->times_are_a_range = from->times_are_a_range;
    s->even = from->even;
    s->first_frame = from->first_frame;
    s->last_frame = from->last_frame;
    s->frame_step = from->frame_step;
    s->fps = tree_get(mapping, "fps", NULL) ? s->fps : from->fps;
    s->samples = tree_get(mapping, "samples", NULL) ? s->samples : from->samples;
    return true;
}

static bool resolve_names(struct suite_reader *reader)
{
    struct suite *suite = reader->suite;
    const struct suite_case **sorted = suite->by_name =
        ARENA_NEW(suite->arena, const struct suite_case *, suite->case_count);
    const struct suite_case *first = NULL, *second = NULL; /* in the file, of one name */
    for (size_t i = 0; i < suite->case_count; i++)
        sorted[i] = &suite->cases[i];
    sort_items(sorted, suite->case_count, sizeof *sorted, by_name);
    for (size_t i = 1; i < suite->case_count; i++)
        if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0 && (!second || sorted[i] < second)) {
            second = sorted[i];
            first = sorted[i - 1];
        }
    reader->source.key = "name";
    if (second)
        return value_fail(&reader->source, tree_get(reader->mappings[second - suite->cases], "name", NULL),
                          "`%s` is the case of line %d already", second->name, first->line);
    for (size_t i = 0; i < suite->case_count; i++)
        if (suite->cases[i].agrees && !resolve_agreement(reader, &suite->cases[i], reader->mappings[i]))
            return false;
    return true;
}

/* For so many cases. What was read moves. */
static void make_room(struct suite_reader *reader, size_t count)
{
    struct suite *suite = reader->suite;
    if (count <= reader->room)
        return;
    const struct suite_case *cases = suite->cases;
    const struct tree_node **mappings = reader->mappings;
    reader->room = count > 2 * reader->room ? count : 2 * reader->room;
    suite->cases = ARENA_NEW(suite->arena, struct suite_case, reader->room);
    reader->mappings = ARENA_NEW(suite->arena, const struct tree_node *, reader->room);
    if (suite->case_count > 0) {
        memcpy(suite->cases, cases, suite->case_count * sizeof *cases);
        memcpy(reader->mappings, mappings, suite->case_count * sizeof *mappings);
    }
}

/* A case with subjects is one for each of them, and for what it is held against; `count` becomes how many. */
static bool choose_variant(struct suite_reader *reader, struct suite_case *test, size_t variant, size_t *count,
                           const struct tree_node *mapping)
{
    enum { REFERENCE = 1, GOLDEN = 2 };
    struct error why = {0};
    const unsigned against = test->against ? test->against : REFERENCE;
    const size_t both = against == (REFERENCE | GOLDEN) ? 2 : 1;
    if (!test->subjects)
        return true;
    const struct tree_node *at = tree_get(mapping, "subject", NULL);
    *count = test->subjects->count * both;
    test->subject = suite_find_subject(reader->suite, test->subjects->items[variant / both], &why);
    test->against_golden = both == 2 ? variant % 2 == 1 : against == GOLDEN;
    reader->source.key = "subject";
    if (!test->subject)
        return value_fail(&reader->source, at ? at : mapping, "%s", why.text);
    test->name = arena_printf(reader->suite->arena, "%s@%s%s", test->name, test->subject->name,
                              test->against_golden ? "@golden" : "");
    suite_check_subject(test);
    return true;
}

/* Returns whether a case as written agrees with this one, or with one that it stands for. */
static bool is_agreed_with(const struct suite_reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->list->count; i++) {
        const struct tree_node *item = reader->list->items[i];
        const struct tree_node *with = item->kind == TREE_MAPPING ? tree_get(item, "agrees_with", NULL) : NULL;
        with = with && with->kind == TREE_MAPPING ? tree_get(with, "case", NULL) : with;
        if (with && with->kind == TREE_TEXT && strncmp(with->text, name, strlen(name)) == 0)
            return true;
    }
    return false;
}

/* Cases of one model stand together, so that the last one is enough. NULL with err set. */
static const struct scene *import_for_clips(struct suite_reader *reader, const struct suite_case *test,
                                            struct error *err)
{
    struct text key = {0};
    import_key(test->model_path, &test->settings, &key);
    if (strcmp(text_string(&key), text_string(&reader->imported)) != 0) {
        scene_free(reader->scene);
        reader->failure = (struct error){0};
        reader->scene = pipeline_import(test->model_path, &test->settings, &reader->failure);
        text_release(&reader->imported);
        reader->imported = key;
    } else {
        text_release(&key);
    }
    *err = reader->failure;
    return reader->scene;
}

/* A mapping is a case, one for each of its subjects, and with `clips: all` all that again for each clip. */
static bool read_mapping(struct suite_reader *reader, const struct tree_node *mapping, const char *origin)
{
    struct suite *suite = reader->suite;
    const size_t defaults = reader->defaults ? reader->defaults->weight : 0;
    for (size_t variant = 0, count = 1; variant < count; variant++) {
        reader->source.key = NULL;
        if (suite->case_count == MOST_CASES ||
            !arena_fits(suite->arena, 1, CASE_MEMORY + 2 * (defaults + mapping->weight)))
            return value_fail(&reader->source, mapping, "the suite is too large");
        make_room(reader, suite->case_count + 1);
        reader->mappings[suite->case_count] = mapping;
        struct suite_case *test = &suite->cases[suite->case_count++];
        if (!read_case(reader, test, mapping))
            return false;
        test->origin = origin;
        const struct selection *selection = reader->reading->selection;
        struct expansion clips = {0};
        struct error why = {0};
        const bool is_one = !test->all_clips || test->problem ||
                            (selection && !suite_may_choose(test, selection) && !is_agreed_with(reader, test->name));
        const struct scene *scene = is_one ? NULL : import_for_clips(reader, test, &why);
        if (scene && suite_expand_clips(scene, mapping, suite->arena, &clips, &why)) {
            const char *written = origin ? origin : test->name;
            settings_release(&test->settings);
            suite->case_count--;
            for (size_t i = 0; i < clips.count; i++)
                if (!read_mapping(reader, clips.mappings[i], written))
                    return false;
            return true;
        }
        test->problem = is_one ? test->problem : arena_string(suite->arena, why.text);
        if (!choose_variant(reader, test, variant, &count, mapping))
            return false;
    }
    return true;
}

/* In the places of those that are missed, cases that cannot run. */
static bool add_missed(struct suite_reader *reader)
{
    struct suite *suite = reader->suite;
    struct missed_cases missed;
    struct error why = {0};
    if (!suite_find_missed(suite, !reader->reading->has_no_goldens, &missed, &why))
        return value_fail(&reader->source, reader->list, "%s", why.text);
    for (size_t i = 0; i < missed.count && suite->case_count < MOST_CASES; i++) {
        const struct missed_case *m = &missed.items[i];
        make_room(reader, suite->case_count + 1);
        const struct suite_case *like = &suite->cases[m->like];
        reader->mappings[suite->case_count] = reader->mappings[m->like];
        struct suite_case *gone = &suite->cases[suite->case_count++];
        *gone = (struct suite_case){
            .name = m->name, .line = like->line, .origin = like->origin, .is_gone = true, .problem = m->problem,
            .model = like->model, .model_path = like->model_path, .tolerance = like->tolerance, .skip = like->skip,
            .reason = like->reason, .tags = like->tags, .tag_count = like->tag_count, .assimp = like->assimp};
        settings_init(&gone->settings);
    }
    free(missed.items);
    return true;
}

static bool read_cases(struct suite_reader *reader, const struct tree_node *list)
{
    struct value_source *source = &reader->source;
    source->key = "cases";
    if (list->kind != TREE_LIST || list->count == 0)
        return value_fail(source, list, "expected a list of cases");
    if (list->count > MOST_CASES)
        return value_fail(source, list, "more than %d", MOST_CASES);
    size_t defaults = reader->defaults ? reader->defaults->weight : 0;
    source->key = "defaults";
    if (list->count * defaults > TREE_MOST_WEIGHT) /* each case reads them anew */
        return value_fail(source, reader->defaults, "too large for %zu cases", list->count);
    make_room(reader, list->count);
    reader->list = list;
    for (size_t i = 0; i < list->count; i++) {
        const struct tree_node *item = list->items[i];
        struct expansion files;
        if (!suite_expand_model(source, item, &files))
            return false;
        for (size_t k = 0; k < files.count; k++)
            if (!read_mapping(reader, files.mappings[k], tree_get(item, "name", NULL)->text))
                return false;
        if (!files.mappings && !read_mapping(reader, item, NULL))
            return false;
    }
    return add_missed(reader) && resolve_names(reader);
}

static bool read_all(struct suite_reader *reader)
{
    static const struct setting keys[] = {{"version"}, {"goldens"}, {"subjects"}, {"defaults"}, {"cases"}};
    enum { VERSION, GOLDENS, SUBJECTS, DEFAULTS, CASES, KEYS };
    const struct tree_node *root = reader->tree.root, *values[KEYS];
    struct value_source *source = &reader->source;
    struct error why = {0};
    if (root->kind != TREE_MAPPING)
        return value_fail(source, root, "a suite is a mapping that begins with `version: 1`");
    for (size_t i = 0; i < KEYS; i++)
        values[i] = tree_get(root, keys[i].name, NULL);
    if (!values[VERSION])
        return value_fail(source, root, "`version: 1` is missing");
    source->key = "version";
    const char *version = value_string(source, values[VERSION]);
    if (!version || strcmp(version, "1") != 0)
        return version &&
               value_fail(source, values[VERSION], "version %s is unknown; this rigproof reads version 1", version);
    for (size_t i = 0; i < root->count; i++)
        if (!value_find(keys, KEYS, root->keys[i]->text, strlen(root->keys[i]->text)))
            return value_unknown_key(source, root->keys[i], keys, KEYS);
    source->key = "goldens";
    const char *goldens = values[GOLDENS] ? value_string(source, values[GOLDENS]) : ".";
    if (!goldens)
        return false;
    reader->suite->goldens = suite_paths_folder(&reader->paths, goldens, reader->suite->arena, &why);
    if (!reader->suite->goldens)
        return value_fail(source, values[GOLDENS] ? values[GOLDENS] : root, "%s", why.text);
    if (reader->reading->goldens)
        reader->suite->goldens = reader->reading->goldens;
    if (values[SUBJECTS] && !suite_read_subjects(source, values[SUBJECTS], reader->suite))
        return false;
    reader->defaults = reader->suite->defaults = values[DEFAULTS];
    if (reader->defaults && !check_defaults(reader))
        return false;
    source->key = NULL;
    return values[CASES] ? read_cases(reader, values[CASES]) : value_fail(source, root, "`cases` are missing");
}

struct suite *suite_read(const char *path, bool allow_outside, struct error *err)
{
    return suite_open(path, &(struct suite_reading){.allow_outside = allow_outside}, err);
}

struct suite *suite_open(const char *path, const struct suite_reading *reading, struct error *err)
{
    struct arena *arena = arena_create(MEMORY, err);
    if (!arena)
        return NULL;
    struct suite *suite = ARENA_NEW(arena, struct suite, 1);
    *suite = (struct suite){.arena = arena, .path = arena_string(arena, path)};
    struct suite_reader reader = {.suite = suite, .source = {.arena = arena, .err = err}, .reading = reading};
    reader.source.tree = &reader.tree;
    reader.source.paths = &reader.paths;
    bool good = yaml_tree_read(&reader.tree, suite->path, arena, err) &&
                suite_paths_open(&reader.paths, path, reading->allow_outside, arena, err) && read_all(&reader);
    scene_free(reader.scene);
    text_release(&reader.imported);
    suite->folder = reader.paths.folder;
    suite->hash = arena_string(arena, reader.tree.hash);
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
