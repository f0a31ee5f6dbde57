/* The keys of a case, and how defaults become part of it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "suite/file/suite_reader.h"
#include "suite/setting/mix_options.h"

enum { LONGEST_NAME = 100 };

/* ---- names, models, words -------------------------------------------------------------------------------------- */

static bool check_name(struct suite_reader *reader, const char *key, const struct tree_node *at, const char *allowed,
                       const char *words)
{
    size_t length = strlen(at->text);
    if (length > LONGEST_NAME)
        return suite_fail(reader, at, "%s: longer than %d characters", key, LONGEST_NAME);
    return strspn(at->text, allowed) == length ||
           suite_fail(reader, at, "%s: `%s` has more than %s", key, at->text, words);
}

static bool read_name(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    test->name = suite_text(reader, "name", value);
    return test->name && check_name(reader, "name", value, "abcdefghijklmnopqrstuvwxyz0123456789-",
                                    "lower-case letters, digits and `-`: it names the golden's folder");
}

static bool read_model(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    struct error why = {0};
    test->model = suite_text(reader, "model", value);
    if (!test->model)
        return false;
    test->model_path = suite_paths_file(&reader->paths, test->model, reader->suite->arena, &why);
    return test->model_path || suite_fail(reader, value, "model: %s", why.text);
}

static bool read_tags(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    struct value_list list;
    if (!suite_list_of(reader, "tags", &value, &list))
        return false;
    test->tags = ARENA_NEW(reader->suite->arena, const char *, list.count);
    for (test->tag_count = 0; test->tag_count < list.count; test->tag_count++) {
        const struct tree_node *at = list.items[test->tag_count];
        if (!suite_text(reader, "tags", at) ||
            !check_name(reader, "tags", at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.",
                        "letters, digits, `-`, `_` and `.`"))
            return false;
        test->tags[test->tag_count] = at->text;
    }
    return true;
}

static bool read_allow(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    static const char *const words[] = {"blank", "still", "unskinned"};
    static const enum allowance bits[] = {ALLOW_BLANK, ALLOW_STILL, ALLOW_UNSKINNED};
    struct value_list list;
    if (!suite_list_of(reader, "allow", &value, &list))
        return false;
    for (size_t i = 0; i < list.count; i++) {
        int word = suite_word(reader, "allow", list.items[i], words, 3);
        if (word < 0)
            return false;
        test->allowed |= bits[word];
    }
    return true;
}

static bool read_expect(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    static const char *const words[] = {"pass", "fail"};
    int word = suite_word(reader, "expect", value, words, 2);
    test->expect_fail = word == 1;
    return word >= 0;
}

static bool read_skip(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    return suite_bool(reader, "skip", value, &test->skip);
}

/* One line, however it is written. */
static bool read_reason(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    const char *text = suite_text(reader, "reason", value);
    if (!text)
        return false;
    char *line = ARENA_NEW(reader->suite->arena, char, strlen(text) + 1);
    size_t length = 0;
    for (const char *c = text; *c; c++) {
        bool blank = isspace((unsigned char)*c) || iscntrl((unsigned char)*c);
        if (!blank || (length > 0 && line[length - 1] != ' '))
            line[length++] = blank ? ' ' : *c;
    }
    while (length > 0 && line[length - 1] == ' ')
        line[--length] = '\0';
    test->reason = line;
    return length > 0 || suite_fail(reader, value, "reason: the value is missing");
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */

static bool read_tolerance(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    struct tolerance *t = &test->tolerance;
    double delta = t->pixel_delta;
    const struct number_field pixels[] = {
        {.name = "delta", .most = 255, .whole = true, .target = &delta},
        {.name = "share", .most = 1, .target = &t->pixel_share},
    };
    const struct number_field fields[] = {
        {.name = "import", .most = 1, .target = &t->import}, {.name = "shell", .most = 1, .target = &t->shell},
        {.name = "skin", .most = 1, .target = &t->skin},     {.name = "agree", .most = 1, .target = &t->agree},
        {.name = "pixels", .inside = pixels, .inside_count = 2},
    };
    bool good = suite_numbers(reader, "tolerance", value, fields, sizeof fields / sizeof fields[0]);
    t->pixel_delta = (int)delta;
    return good;
}

static bool read_assimp(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    test->assimp = suite_text(reader, "assimp", value);
    return test->assimp &&
           check_name(reader, "assimp", value, "0123456789.*?[]-!", "what a glob on a version has, such as `5.*`");
}

static bool read_timeout(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    const struct number_field seconds = {.least = 0.001, .most = 86400, .target = &test->timeout};
    return suite_number(reader, "timeout", value, &seconds);
}

static bool read_agreement(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value)
{
    static const char *const keys[] = {"case", "unit", "up"};
    static const char *const axes[] = {"x", "y", "z"};
    struct point_frame *frame = &test->agreement.frame;
    const struct number_field unit = {.least = 1e-9, .most = 1e9, .target = &frame->unit};
    *frame = (struct point_frame){.unit = 1, .up_axis = 1};
    test->agrees = true;
    if (value->kind == TREE_TEXT)
        return suite_text(reader, "agrees_with", value) != NULL;
    if (!suite_is_mapping(reader, "agrees_with", value))
        return false;
    for (size_t i = 0; i < value->count; i++) {
        const struct tree_node *key = value->keys[i], *item = value->items[i];
        bool good = false;
        if (strcmp(key->text, "case") == 0)
            good = suite_text(reader, "agrees_with.case", item);
        else if (strcmp(key->text, "unit") == 0)
            good = suite_number(reader, "agrees_with.unit", item, &unit);
        else if (strcmp(key->text, "up") == 0)
            good = (frame->up_axis = suite_word(reader, "agrees_with.up", item, axes, 3)) >= 0;
        else
            suite_fail_unknown(reader, key, "unknown key", key->text, keys, 3);
        if (!good)
            return false;
    }
    return tree_get(value, "case", NULL) || suite_fail(reader, value, "agrees_with: `case` is missing");
}

/* ---- the table of keys ----------------------------------------------------------------------------------------- */

static const struct case_key {
    const char *name;
    bool only_of_case; /* makes no sense as a default */
    bool merges;       /* the case's parts replace the default's one by one */
    bool (*read)(struct suite_reader *reader, struct suite_case *test, const struct tree_node *value);
} case_keys[] = {
    {"name", true, false, read_name},
    {"model", true, false, read_model},
    {"tolerance", false, true, read_tolerance},
    {"expect", true, false, read_expect},
    {"skip", true, false, read_skip},
    {"reason", false, false, read_reason},
    {"tags", false, false, read_tags},
    {"allow", false, false, read_allow},
    {"timeout", false, false, read_timeout},
    {"assimp", false, false, read_assimp},
    {"agrees_with", true, false, read_agreement},
};

enum { CASE_KEY_COUNT = sizeof case_keys / sizeof case_keys[0], MOST_NAMES = 128 };

static const struct case_key *find_key(const char *name)
{
    for (size_t i = 0; i < CASE_KEY_COUNT; i++)
        if (strcmp(case_keys[i].name, name) == 0)
            return &case_keys[i];
    return NULL;
}

static bool fail_unknown(struct suite_reader *reader, const struct tree_node *key)
{
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < CASE_KEY_COUNT; i++)
        names[count++] = case_keys[i].name;
    for (size_t i = 0; i < setting_count && count < MOST_NAMES; i++)
        names[count++] = setting_table[i].name;
    return suite_fail_unknown(reader, key, "unknown key", key->text, names, count);
}

/* A key of earlier versions, whatever it holds. */
static bool skip_instancing(struct suite_reader *reader, const struct tree_node *key)
{
    if (!reader->noted_instancing)
        log_note("%s:%d: instancing: does nothing any more; the line can go", reader->tree.path, key->line);
    reader->noted_instancing = true;
    return true;
}

static bool read_key(struct suite_reader *reader, struct suite_case *test, const struct tree_node *key,
                     const struct tree_node *value)
{
    const struct case_key *found = find_key(key->text);
    const struct setting *setting = found ? NULL : setting_find(key->text);
    if (found)
        return found->read(reader, test, value);
    if (strcmp(key->text, "instancing") == 0)
        return skip_instancing(reader, key);
    return setting ? suite_read_setting(reader, test, setting, value) : fail_unknown(reader, key);
}

/* ---- defaults and the case ------------------------------------------------------------------------------------- */

/* A blend and a clip or a transition exclude each other: what the case says replaces the other of the defaults. */
static bool excludes_base(const char *name, const struct tree_node *mapping)
{
    if (strcmp(name, "blend") == 0)
        return tree_get(mapping, "clip", NULL) || tree_get(mapping, "transition", NULL);
    return (strcmp(name, "clip") == 0 || strcmp(name, "transition") == 0) && tree_get(mapping, "blend", NULL);
}

static bool is_replaced(const char *name, const struct tree_node *mapping)
{
    const struct case_key *key = find_key(name);
    if ((key && key->merges) || strcmp(name, "camera") == 0)
        return false;
    if (excludes_base(name, mapping))
        return true;
    return suite_is_time_key(name) ? suite_has_time_key(mapping) : tree_get(mapping, name, NULL) != NULL;
}

static bool read_defaults(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping)
{
    const struct tree_node *defaults = reader->defaults;
    for (size_t i = 0; defaults && i < defaults->count; i++)
        if (!is_replaced(defaults->keys[i]->text, mapping) &&
            !read_key(reader, test, defaults->keys[i], defaults->items[i]))
            return false;
    return true;
}

/* `time`, `times`, `frames` and `play` say the same thing, and a mapping has no order in which the last word would count. */
static bool check_time_keys(struct suite_reader *reader, const struct tree_node *mapping)
{
    const char *first = NULL;
    for (size_t i = 0; i < mapping->count; i++) {
        const char *name = mapping->keys[i]->text;
        if (suite_is_time_key(name) && first)
            return suite_fail(reader, mapping->keys[i], "`%s` and `%s` exclude each other", first, name);
        if (suite_is_time_key(name))
            first = name;
    }
    return true;
}

/* A reason belongs to something that wants one, and that to a reason. */
static bool check_reason(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping)
{
    const struct tree_node *reason_key, *expect_key, *skip_key;
    tree_get(mapping, "reason", &reason_key);
    tree_get(mapping, "expect", &expect_key);
    tree_get(mapping, "skip", &skip_key);
    bool wanted = test->skip || test->expect_fail;
    if (wanted && !test->reason)
        return suite_fail(reader, test->skip ? skip_key : expect_key, "%s wants a `reason`",
                          test->skip ? "`skip: true`" : "`expect: fail`");
    if (reason_key && !expect_key && !skip_key)
        return suite_fail(reader, reason_key, "a `reason` belongs to `skip: true` or `expect: fail`");
    if (!wanted)
        test->reason = NULL;
    return true;
}

static bool check_mix_options(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping)
{
    struct error why = {0};
    return mix_option_check(&test->settings, &why) ||
           suite_fail(reader, mapping, "%s", why.text + (strncmp(why.text, "--", 2) == 0 ? 2 : 0));
}

static void init_case(struct suite_case *test, int line)
{
    *test = (struct suite_case){.line = line, .tolerance = tolerance_defaults};
    settings_init(&test->settings);
}

/* One time of a clip shows little of it. */
static void choose_times(struct suite_case *test)
{
    struct settings *s = &test->settings;
    if (!s->time_was_set && !mix_option_is_still(s))
        s->time_choice = TIMES_AUTO;
}

bool suite_read_case(struct suite_reader *reader, struct suite_case *test, const struct tree_node *mapping)
{
    init_case(test, mapping->line);
    if (mapping->kind != TREE_MAPPING)
        return suite_fail(reader, mapping, "a case is a mapping with `name` and `model`");
    if (!check_time_keys(reader, mapping) || !read_defaults(reader, test, mapping))
        return false;
    for (size_t i = 0; i < mapping->count; i++)
        if (!read_key(reader, test, mapping->keys[i], mapping->items[i]))
            return false;
    if (!test->name || !test->model)
        return suite_fail(reader, mapping, "this case has no `%s`", test->name ? "model" : "name");
    choose_times(test);
    return check_mix_options(reader, test, mapping) && check_reason(reader, test, mapping);
}

bool suite_check_defaults(struct suite_reader *reader)
{
    static const struct tree_node empty = {.kind = TREE_MAPPING};
    const struct tree_node *defaults = reader->defaults;
    struct suite_case nobody;
    if (!suite_is_mapping(reader, "defaults", defaults) || !check_time_keys(reader, defaults))
        return false;
    for (size_t i = 0; i < defaults->count; i++) {
        const struct case_key *key = find_key(defaults->keys[i]->text);
        if (key && key->only_of_case)
            return suite_fail(reader, defaults->keys[i], "`%s` belongs to a case, not to the defaults", key->name);
    }
    init_case(&nobody, 0);
    bool good = read_defaults(reader, &nobody, &empty);
    settings_release(&nobody.settings);
    reader->time_count = 0; /* they count with the cases that take them */
    return good;
}

bool suite_tolerance_read(const char *path, struct tolerance *tolerance, struct error *err)
{
    struct arena *arena = arena_create(TREE_MOST_MEMORY, err);
    struct suite_reader reader = {.err = err};
    struct suite_case test = {.tolerance = *tolerance};
    bool good = arena && yaml_tree_read(&reader.tree, path, arena, err);
    if (good) {
        const struct tree_node *root = reader.tree.root;
        const struct tree_node *inside = root->kind == TREE_MAPPING ? tree_get(root, "tolerance", NULL) : NULL;
        good = read_tolerance(&reader, &test, inside && root->count == 1 ? inside : root);
    }
    if (good)
        *tolerance = test.tolerance;
    arena_destroy(arena);
    return good;
}
