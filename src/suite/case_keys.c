/* The keys of a case besides the settings, and of a file of tolerances. */
#include <ctype.h>
#include <string.h>

#include "suite/suite_file.h"

/* Says which letters a name may have: by `kind`. */
enum { NAME_OF_CASE, NAME_OF_TAG, GLOB_OF_VERSION };
static const struct {
    const char *allowed, *words;
} alphabets[] = {
    [NAME_OF_CASE] = {"abcdefghijklmnopqrstuvwxyz0123456789-",
                      "lower-case letters, digits and `-`: it names the golden's folder"},
    [NAME_OF_TAG] = {"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.",
                     "letters, digits, `-`, `_` and `.`"},
    [GLOB_OF_VERSION] = {"0123456789.*?[]-!", "digits, `.` and the signs of a glob, such as `5.*`"},
};

static bool read_name(struct value_source *source, void *target, const struct tree_node *value)
{
    enum { LONGEST_NAME = 100 };
    const char *text = value_string(source, value);
    if (!text)
        return false;
    if (strlen(text) > LONGEST_NAME)
        return value_fail(source, value, "longer than %d characters", LONGEST_NAME);
    *(const char **)target = text;
    return text[strspn(text, alphabets[source->row->kind].allowed)] == '\0' ||
           value_fail(source, value, "`%s` may only have %s", text, alphabets[source->row->kind].words);
}

static bool read_tags(struct value_source *source, void *target, const struct tree_node *value)
{
    struct suite_case *test = target;
    struct value_walk walk = {.value = value};
    test->tags = ARENA_NEW(source->arena, const char *, value->kind == TREE_LIST ? value->count : 1);
    for (test->tag_count = 0; value_next(source, &walk); test->tag_count++)
        if (!read_name(source, &test->tags[test->tag_count], walk.at))
            return false;
    return !walk.failed;
}

static bool read_model(struct value_source *source, void *target, const struct tree_node *value)
{
    struct suite_case *test = target;
    test->model = value_string(source, value);
    test->model_path = test->model ? value_file(source, value, test->model) : NULL;
    return test->model_path != NULL;
}

static bool read_truth(struct value_source *source, void *target, const struct tree_node *value)
{
    const char *text = value_string(source, value);
    return text && (*(const char **)target = value_file(source, value, text)) != NULL;
}

/* One line, however it is written. */
static bool read_reason(struct value_source *source, void *target, const struct tree_node *value)
{
    const char *text = value_string(source, value);
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

static bool read_subjects(struct value_source *source, void *target, const struct tree_node *value)
{
    struct suite_case *test = target;
    struct value_walk walk = {.value = value};
    struct option_list *list = test->subjects = ARENA_NEW(source->arena, struct option_list, 1);
    while (value_next(source, &walk))
        if (list->count == OPTION_LIST_MOST || !(list->items[list->count++] = value_string(source, walk.at)))
            return value_fail(source, value, "more than %d", OPTION_LIST_MOST);
    return !walk.failed;
}

static const struct value_type value_subjects = {read_subjects, NULL, FORM_TEXT | FORM_LIST};
static const struct value_type value_name = {read_name, NULL, FORM_TEXT};
static const struct value_type value_tags = {read_tags, NULL, FORM_TEXT | FORM_LIST};
static const struct value_type value_model = {read_model, NULL, FORM_TEXT};
static const struct value_type value_truth = {read_truth, NULL, FORM_TEXT};
static const struct value_type value_reason = {read_reason, NULL, FORM_TEXT};

#define DOUBLE &value_number
#define COUNT &value_count
#define ROW(member, type, key, standard, largest, flags)                                                               \
    {key, NULL, NULL, 0, type, VALUE_IN(struct tolerance, member), .most = largest},
static const struct setting pixel_limits[] = {PIXEL_TOLERANCES(ROW)};
static const struct setting limits[] = {
    TOLERANCES(ROW){"pixels", NULL, NULL, 0, &value_fields, 0, 0, NULL, VALUE_FIELDS(pixel_limits)},
};
#undef ROW

/*
 * Says how strict a case is: which stages it compares, and how far they may be off. What an optimiser of glTF leaves
 * alone is what these measure: nodes that moved nothing go, keys between which nothing happens, digits of positions. A
 * thousandth of the radius is 1 mm of a person, and is sane still (MEASURES of data/result/verdict.h).
 */
enum { BIT_ANIMATE = 1 << STAGE_ANIMATE, BIT_SKIN = 1 << STAGE_SKIN, BIT_DRAW = 1 << STAGE_DRAW };
static const struct {
    unsigned stages; /* 0: all */
    double shell, share;
} strictness[] = {
    [COMPARE_EXACT] = {0, 1e-5, 0.0002},
    [COMPARE_RIG] = {BIT_ANIMATE | BIT_SKIN, 5e-4, 0.0002},
    [COMPARE_VISIBLE] = {BIT_SKIN | BIT_DRAW, 5e-4, 0.01},
};
const char *const compare_names[COMPARE_COUNT] = {"exact", "rig", "visible"};

static bool read_compare(struct value_source *source, void *target, const struct tree_node *value)
{
    struct suite_case *test = target;
    int chosen = 0;
    const struct setting *row = source->row;
    const struct setting word = {.size = sizeof chosen, .words = compare_names, .word_count = COMPARE_COUNT};
    source->row = &word;
    const bool good = value_word.read(source, &chosen, value);
    source->row = row;
    test->tolerance = tolerance_defaults;
    test->tolerance.shell = strictness[chosen].shell;
    test->tolerance.pixel_share = strictness[chosen].share;
    test->stages = strictness[chosen].stages;
    return good;
}

static const struct value_type value_compare = {read_compare, NULL, FORM_WORD};

static const struct setting agreement_keys[] = {
    {"case", NULL, NULL, 0, &value_text, VALUE_IN(struct agreement, name)},
    {"unit", NULL, NULL, 0, &value_number, VALUE_IN(struct agreement, frame.unit), .least = 1e-9, .most = 1e9},
    {"up", NULL, NULL, 0, &value_word, VALUE_IN(struct agreement, frame.up_axis), .words = up_words,
     .word_count = 3},
};

static bool read_agreement(struct value_source *source, void *target, const struct tree_node *value)
{
    struct suite_case *test = target;
    test->agreement = (struct agreement){.frame = {1, 1}, .other_frame = {1, 1}};
    test->agrees = true;
    if (value->kind == TREE_TEXT)
        return (test->agreement.name = value_string(source, value)) != NULL;
    return value_read_fields(source, source->row->fields, source->row->field_count, &test->agreement, value) &&
           (test->agreement.name || value_fail(source, value, "`case` is missing"));
}

static const struct value_type value_agreement = {read_agreement, NULL, FORM_TEXT | FORM_MAPPING};

static const char *const allowances[] = {"blank", "still", "unskinned"}; /* bit i of enum allowance */
static const char *const expectations[] = {"pass", "fail"};
static const char *const all_word[] = {"all"};
static const int all_value[] = {true};
static const char *const opponents[] = {"reference", "golden"}; /* bits of `against` */

#define MEMBER(member) VALUE_IN(struct suite_case, member)
#define ALL 0, sizeof(struct suite_case), NULL
const struct setting case_keys[CASE_KEYS] = {
    {"name", NULL, NULL, ONLY_OF_CASE, &value_name, MEMBER(name), .kind = NAME_OF_CASE},
    {"model", NULL, NULL, ONLY_OF_CASE, &value_model, ALL},
    {"clips", NULL, NULL, ONLY_OF_CASE, &value_word, MEMBER(all_clips), VALUE_WORDS(all_word), .values = all_value},
    {"compare", NULL, NULL, BEFORE_OTHERS, &value_compare, ALL, .words = compare_names, .word_count = COMPARE_COUNT},
    {"tolerance", NULL, NULL, 0, &value_fields, MEMBER(tolerance), VALUE_FIELDS(limits)},
    {"expect", NULL, NULL, ONLY_OF_CASE, &value_word, MEMBER(expect_fail), VALUE_WORDS(expectations)},
    {"skip", NULL, NULL, ONLY_OF_CASE, &value_flag, MEMBER(skip)},
    {"reason", NULL, NULL, 0, &value_reason, MEMBER(reason)},
    {"tags", NULL, NULL, 0, &value_tags, ALL, .kind = NAME_OF_TAG},
    {"allow", NULL, NULL, 0, &value_bits, MEMBER(allowed), VALUE_WORDS(allowances)},
    {"stages", NULL, NULL, 0, &value_bits, MEMBER(stages), .words = stage_names + 1, .word_count = STAGE_COUNT},
    {"timeout", NULL, NULL, 0, &value_number, MEMBER(timeout), .least = 0.001, .most = 86400},
    {"assimp", NULL, NULL, 0, &value_name, MEMBER(assimp), .kind = GLOB_OF_VERSION},
    {"agrees_with", NULL, NULL, ONLY_OF_CASE, &value_agreement, ALL, VALUE_FIELDS(agreement_keys)},
    {"subject", NULL, NULL, 0, &value_subjects, ALL},
    {"against", NULL, NULL, 0, &value_bits, MEMBER(against), VALUE_WORDS(opponents)},
    {"truth", NULL, NULL, ONLY_OF_CASE, &value_truth, MEMBER(truth)},
};

bool suite_tolerance_read(const char *path, struct tolerance *tolerance, struct error *err)
{
    const struct setting row = {"tolerance", NULL, NULL, 0, &value_fields, 0, 0, NULL, VALUE_FIELDS(limits)};
    SCOPED_ARENA arena = arena_create(TREE_MOST_MEMORY, err);
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
    return good;
}
