/* The keys of a case, and how defaults become part of it. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/sort.h"
#include "suite/file/suite_reader.h"
#include "suite/setting/clip_mix.h"

/* Which letters a name may have: by `kind`. */
enum { NAME_OF_CASE, NAME_OF_TAG, GLOB_OF_VERSION };
static const struct {
    const char *allowed, *words;
} alphabets[] = {
    [NAME_OF_CASE] = {"abcdefghijklmnopqrstuvwxyz0123456789-",
                      "lower-case letters, digits and `-`: it names the golden's folder"},
    [NAME_OF_TAG] = {"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.",
                     "letters, digits, `-`, `_` and `.`"},
    [GLOB_OF_VERSION] = {"0123456789.*?[]-!", "what a glob on a version has, such as `5.*`"},
};

static bool read_name(struct value_source *source, const struct setting *row, void *target,
                      const struct tree_node *value)
{
    enum { LONGEST_NAME = 100 };
    const char *text = value_string(source, value);
    if (!text)
        return false;
    if (strlen(text) > LONGEST_NAME)
        return value_fail(source, value, "longer than %d characters", LONGEST_NAME);
    *(const char **)target = text;
    return text[strspn(text, alphabets[row->kind].allowed)] == '\0' ||
           value_fail(source, value, "`%s` has more than %s", text, alphabets[row->kind].words);
}

static bool read_tags(struct value_source *source, const struct setting *row, void *target,
                      const struct tree_node *value)
{
    struct suite_case *test = target;
    struct value_walk walk = {.value = value};
    test->tags = ARENA_NEW(source->arena, const char *, value->kind == TREE_LIST ? value->count : 1);
    for (test->tag_count = 0; value_next(source, &walk); test->tag_count++)
        if (!read_name(source, row, &test->tags[test->tag_count], walk.at))
            return false;
    return !walk.failed;
}

static bool read_model(struct value_source *source, const struct setting *row, void *target,
                       const struct tree_node *value)
{
    struct suite_case *test = target;
    (void)row;
    test->model = value_string(source, value);
    test->model_path = test->model ? value_file(source, value, test->model) : NULL;
    return test->model_path != NULL;
}

/* One line, however it is written. */
static bool read_reason(struct value_source *source, const struct setting *row, void *target,
                        const struct tree_node *value)
{
    const char *text = value_string(source, value);
    (void)row;
    if (!text)
        return false;
    char *line = arena_string(source->arena, text), *end = line;
    for (const char *c = text; *c; c++) {
        bool blank = isspace((unsigned char)*c) || iscntrl((unsigned char)*c);
        if (!blank || (end > line && end[-1] != ' '))
            *end++ = blank ? ' ' : *c;
    }
    end -= end > line && end[-1] == ' ';
    *end = '\0';
    *(const char **)target = line;
    return *line || value_fail(source, value, "the value is missing");
}

static const struct value_type value_name = {read_name, NULL, FORM_TEXT};
static const struct value_type value_tags = {read_tags, NULL, FORM_TEXT | FORM_LIST};
static const struct value_type value_model = {read_model, NULL, FORM_TEXT};
static const struct value_type value_reason = {read_reason, NULL, FORM_TEXT};

#define LIMIT(member) &value_number, VALUE_IN(struct tolerance, member), .most = 1
static const struct setting pixel_limits[] = {
    {"delta", NULL, NULL, 0, &value_count, VALUE_IN(struct tolerance, pixel_delta), .most = 255},
    {"share", NULL, NULL, 0, LIMIT(pixel_share)},
};
static const struct setting limits[] = {
    {"import", NULL, NULL, 0, LIMIT(import)},
    {"shell", NULL, NULL, 0, LIMIT(shell)},
    {"skin", NULL, NULL, 0, LIMIT(skin)},
    {"agree", NULL, NULL, 0, LIMIT(agree)},
    {"pixels", NULL, NULL, 0, &value_fields, 0, 0, NULL, VALUE_FIELDS(pixel_limits)},
};

static const char *const axes[] = {"x", "y", "z"};
static const struct setting agreement_keys[] = {
    {"case", NULL, NULL, 0, &value_text, VALUE_IN(struct agreement, name)},
    {"unit", NULL, NULL, 0, &value_number, VALUE_IN(struct agreement, frame.unit), .least = 1e-9, .most = 1e9},
    {"up", NULL, NULL, 0, &value_word, VALUE_IN(struct agreement, frame.up_axis), VALUE_WORDS(axes)},
};

static bool read_agreement(struct value_source *source, const struct setting *row, void *target,
                           const struct tree_node *value)
{
    struct suite_case *test = target;
    const struct setting fields = {.fields = row->fields, .field_count = row->field_count};
    test->agreement = (struct agreement){.frame = {.unit = 1, .up_axis = 1}};
    test->agrees = true;
    if (value->kind == TREE_TEXT)
        return (test->agreement.name = value_string(source, value)) != NULL;
    return value_fields.read(source, &fields, &test->agreement, value) &&
           (test->agreement.name || value_fail(source, value, "`case` is missing"));
}

static const struct value_type value_agreement = {read_agreement, NULL, FORM_TEXT | FORM_MAPPING};

static const char *const allowances[] = {"blank", "still", "unskinned"}; /* bit i of enum allowance */
static const char *const expectations[] = {"pass", "fail"};

#define MEMBER(member) VALUE_IN(struct suite_case, member)
#define ALL 0, sizeof(struct suite_case), NULL
const struct setting case_keys[CASE_KEYS] = {
    {"name", NULL, NULL, ONLY_OF_CASE, &value_name, MEMBER(name), .kind = NAME_OF_CASE},
    {"model", NULL, NULL, ONLY_OF_CASE, &value_model, ALL},
    {"tolerance", NULL, NULL, 0, &value_fields, MEMBER(tolerance), VALUE_FIELDS(limits)},
    {"expect", NULL, NULL, ONLY_OF_CASE, &value_word, MEMBER(expect_fail), VALUE_WORDS(expectations)},
    {"skip", NULL, NULL, ONLY_OF_CASE, &value_flag, MEMBER(skip)},
    {"reason", NULL, NULL, 0, &value_reason, MEMBER(reason)},
    {"tags", NULL, NULL, 0, &value_tags, ALL, .kind = NAME_OF_TAG},
    {"allow", NULL, NULL, 0, &value_bits, MEMBER(allowed), VALUE_WORDS(allowances)},
    {"timeout", NULL, NULL, 0, &value_number, MEMBER(timeout), .least = 0.001, .most = 86400},
    {"assimp", NULL, NULL, 0, &value_name, MEMBER(assimp), .kind = GLOB_OF_VERSION},
    {"agrees_with", NULL, NULL, ONLY_OF_CASE, &value_agreement, ALL, VALUE_FIELDS(agreement_keys)},
};

const struct tree_node *suite_time_key(const struct tree_node *mapping, const struct tree_node *other)
{
    static const char *const names[] = {"time", "times", "frames", "play"};
    for (size_t i = 0; i < mapping->count; i++)
        for (int k = 0; k < 4; k++)
            if (mapping->keys[i] != other && strcmp(mapping->keys[i]->text, names[k]) == 0)
                return mapping->keys[i];
    return NULL;
}

bool suite_count_times(struct suite_reader *reader, const struct tree_node *at, size_t count)
{
    enum { MOST_TIMES_OF_SUITE = 10000000 }; /* they are in memory at once */
    reader->source.key = NULL;
    reader->time_count += count;
    return reader->time_count <= MOST_TIMES_OF_SUITE ||
           value_fail(&reader->source, at, "the cases list more than %d times", MOST_TIMES_OF_SUITE);
}

/* Goldens are named after their time, to the microsecond: neither out of reach nor twice. */
static bool check_times(struct suite_reader *reader, const struct tree_node *at, const struct settings *settings)
{
    static const double same_time = 1e-6;
    const size_t count = settings->time_count;
    if (count > MAX_TIMES)
        return value_fail(&reader->source, at, "more than %d times", MAX_TIMES);
    double *sorted = memory_new(count, sizeof *sorted);
    struct text number = {0};
    bool good = true;
    for (size_t i = 0; i < count; i++)
        sorted[i] = settings->times[i];
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    for (size_t i = 0; i < count && good; i++) {
        good = fabs(sorted[i]) <= MAX_SECONDS && (i == 0 || sorted[i] - sorted[i - 1] >= same_time);
        if (good)
            continue;
        text_add_double(&number, sorted[i]);
        value_fail(&reader->source, at, "%s %s", text_string(&number),
                   fabs(sorted[i]) > MAX_SECONDS ? "is more than 1000000 seconds"
                                                 : "is there twice, or times are nearer than a microsecond");
    }
    text_release(&number);
    free(sorted);
    return good;
}

static bool read_key(struct suite_reader *reader, struct suite_case *test, const struct tree_node *key,
                     const struct tree_node *value)
{
    struct value_source *source = &reader->source;
    struct settings *s = &test->settings;
    const struct setting *own = value_find(case_keys, CASE_KEYS, key->text, strlen(key->text));
    const struct setting *row = setting_find(key->text);
    if (own)
        return value_read(source, own, test, value);
    if (!row && strcmp(key->text, "instancing") == 0) { /* a key of earlier versions, whatever it holds */
        if (!reader->noted_instancing)
            log_note("%s:%d: instancing: does nothing any more; the line can go", reader->tree.path, key->line);
        return reader->noted_instancing = true;
    }
    if (!row) {
        struct setting *all = memory_new(CASE_KEYS + setting_count, sizeof *all);
        memcpy(all, case_keys, sizeof case_keys);
        memcpy(all + CASE_KEYS, setting_table, setting_count * sizeof *all);
        value_unknown_key(source, key, all, CASE_KEYS + setting_count);
        free(all);
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
    return (s->times_are_a_range || check_times(reader, value, s)) && suite_count_times(reader, value, s->time_count);
}

/*
 * Whether the case says it instead: parts of a tolerance and of a camera replace the default's one by one; a blend and a
 * clip or a transition exclude each other, and so do the keys of times.
 */
static bool is_replaced(const struct tree_node *key, const struct tree_node *mapping)
{
    const char *name = key->text;
    const struct tree_node alone = {.kind = TREE_MAPPING, .count = 1, .keys = &key};
    if (strcmp(name, "tolerance") == 0 || strcmp(name, "camera") == 0)
        return false;
    if (strcmp(name, "blend") == 0 && (tree_get(mapping, "clip", NULL) || tree_get(mapping, "transition", NULL)))
        return true;
    if ((strcmp(name, "clip") == 0 || strcmp(name, "transition") == 0) && tree_get(mapping, "blend", NULL))
        return true;
    return suite_time_key(&alone, NULL) ? suite_time_key(mapping, NULL) != NULL : tree_get(mapping, name, NULL) != NULL;
}

static bool read_defaults(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping)
{
    const struct tree_node *defaults = reader->defaults;
    for (size_t i = 0; defaults && i < defaults->count; i++)
        if (!is_replaced(defaults->keys[i], mapping) && !read_key(reader, test, defaults->keys[i], defaults->items[i]))
            return false;
    return true;
}

/* Keys of times say the same thing, and a mapping has no order in which the last word would count. */
static bool check_time_keys(struct suite_reader *reader, const struct tree_node *mapping)
{
    const struct tree_node *first = suite_time_key(mapping, NULL);
    const struct tree_node *second = first ? suite_time_key(mapping, first) : NULL;
    reader->source.key = NULL;
    return !second || value_fail(&reader->source, second, "`%s` and `%s` exclude each other", first->text, second->text);
}

/* A reason belongs to something that wants one, and that to a reason. */
static bool check_reason(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping)
{
    const struct tree_node *reason_key, *expect_key, *skip_key;
    bool wanted = test->skip || test->expect_fail;
    tree_get(mapping, "reason", &reason_key);
    tree_get(mapping, "expect", &expect_key);
    tree_get(mapping, "skip", &skip_key);
    if (wanted && !test->reason)
        return value_fail(&reader->source, test->skip ? skip_key : expect_key, "%s wants a `reason`",
                          test->skip ? "`skip: true`" : "`expect: fail`");
    if (reason_key && !expect_key && !skip_key)
        return value_fail(&reader->source, reason_key, "a `reason` belongs to `skip: true` or `expect: fail`");
    if (!wanted)
        test->reason = NULL;
    return true;
}

bool suite_read_case(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping)
{
    struct settings *s = &test->settings;
    *test = (struct suite_case){.line = mapping->line, .tolerance = tolerance_defaults};
    settings_init(s);
    reader->source.key = NULL;
    if (mapping->kind != TREE_MAPPING)
        return value_fail(&reader->source, mapping, "a case is a mapping with `name` and `model`");
    if (!check_time_keys(reader, mapping) || !read_defaults(reader, test, mapping))
        return false;
    for (size_t i = 0; i < mapping->count; i++)
        if (!read_key(reader, test, mapping->keys[i], mapping->items[i]))
            return false;
    reader->source.key = NULL;
    if (!test->name || !test->model)
        return value_fail(&reader->source, mapping, "this case has no `%s`", test->name ? "model" : "name");
    if (!s->time_choices && !clip_mix_is_still(s))
        s->time_choice = TIMES_AUTO; /* one time of a clip shows little of it */
    return check_reason(reader, test, mapping) && clip_mix_check(s, &reader->source, mapping);
}

bool suite_check_defaults(struct suite_reader *reader)
{
    static const struct tree_node empty = {.kind = TREE_MAPPING};
    const struct tree_node *defaults = reader->defaults;
    struct suite_case nobody = {.tolerance = tolerance_defaults};
    reader->source.key = "defaults";
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

bool suite_tolerance_read(const char *path, struct tolerance *tolerance, struct error *err)
{
    const struct setting row = {"tolerance", NULL, NULL, 0, &value_fields, 0, 0, NULL, VALUE_FIELDS(limits)};
    struct arena *arena = arena_create(TREE_MOST_MEMORY, err);
    struct tolerance read = *tolerance;
    struct tree tree;
    struct value_source source = {.tree = &tree, .arena = arena, .err = err};
    bool good = arena && yaml_tree_read(&tree, path, arena, err);
    if (good) {
        const struct tree_node *inside = tree.root->kind == TREE_MAPPING ? tree_get(tree.root, row.name, NULL) : NULL;
        good = value_read(&source, &row, &read, inside && tree.root->count == 1 ? inside : tree.root);
    }
    if (good)
        *tolerance = read;
    arena_destroy(arena);
    return good;
}
