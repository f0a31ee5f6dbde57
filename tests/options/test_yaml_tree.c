/* YAML as nodes that know their place, and everything that is refused on the way. */

#include "base/text.h"
#include "run_binary.h"
#include "options/yaml_tree.h"

static struct arena *arena;

static int enter(void **state)
{
    arena = arena_create((size_t)1 << 30, ANY_ERROR);
    return arena ? scratch_enter(state) : -1;
}

static int leave(void **state)
{
    arena_destroy(arena);
    return scratch_leave(state);
}

static struct tree read_good(const char *content)
{
    struct tree tree;
    spill("t.yaml", content);
    assert_good(yaml_tree_read(&tree, "t.yaml", arena, err));
    return tree;
}

static void is_at(const struct tree_node *node, enum tree_kind kind, int line, int column)
{
    assert_non_null(node);
    assert_int_equal(node->kind, kind);
    assert_int_equal(node->line, line);
    assert_int_equal(node->column, column);
}

TEST_WITH(nodes_know_their_place, enter, leave)
{
    struct tree tree = read_good("# a comment\nname: x\nlist: [1, 'two', \"\\u00fc\"]\nüö: {a: b}\nempty:\n"
                                 "block:\n  - |\n    many\n    lines\n");
    is_at(tree.root, TREE_MAPPING, 2, 1);
    assert_int_equal(tree.root->count, 5);
    assert_string_equal(tree.root->keys[0]->text, "name"); /* in the file's order */
    assert_string_equal(tree.root->keys[4]->text, "block");
    is_at(tree_get(tree.root, "name", NULL), TREE_TEXT, 2, 7);
    const struct tree_node *list = tree_get(tree.root, "list", NULL), *key = NULL;
    is_at(list, TREE_LIST, 3, 7);
    assert_int_equal(list->count, 3);
    is_at(list->items[0], TREE_TEXT, 3, 8);
    is_at(list->items[1], TREE_TEXT, 3, 11);
    assert_string_equal(list->items[1]->text, "two");
    assert_string_equal(list->items[2]->text, "ü");
    const struct tree_node *inner = tree_get(tree.root, "üö", &key);
    is_at(key, TREE_TEXT, 4, 1);
    is_at(tree_get(inner, "a", NULL), TREE_TEXT, 4, 9); /* in characters, not in bytes */
    assert_string_equal(tree_get(tree.root, "empty", NULL)->text, "");
    const struct tree_node *block = tree_get(tree.root, "block", NULL);
    is_at(block->items[0], TREE_TEXT, 7, 5);
    assert_string_equal(block->items[0]->text, "many\nlines\n");
    assert_null(tree_get(tree.root, "nothing", &key));
    assert_null(key);
}

TEST_WITH(aliases_share_nodes, enter, leave)
{
    struct tree tree = read_good("a: &x [1, 2]\nb: *x\nc: &x word\nd: *x\n<<: *x\n");
    assert_ptr_equal(tree.root->items[0], tree.root->items[1]);
    assert_string_equal(tree.root->items[3]->text, "word"); /* the last definition counts */
    assert_string_equal(tree.root->keys[4]->text, "<<");    /* no merge key */
    assert_int_equal(tree.root->items[0]->weight, 3 * 64 + 2);
    assert_true(tree.root->weight > 2 * tree.root->items[0]->weight);
}

static const struct {
    const char *content, *message;
} refused[] = {
    {"", "t.yaml:1:1: the file is empty"},
    {"# only a comment\n\n", "t.yaml:1:1: the file is empty"},
    {"a: 1\n---\nb: 2\n", "t.yaml:2:1: a second document begins; a suite is one"},
    {"a: 1\nb: 2\na: 3\n", "t.yaml:3:1: `a` is there twice: `1` on line 1, `3` here"},
    {"a: 1\n\"\\x61\": 2\n", "t.yaml:2:1: `a` is there twice: `1` on line 1, `2` here"},
    {"a: 1\nb: 2\na: [3]\n", "t.yaml:3:1: `a` is there twice, also on line 1"},
    {"? [a, b]\n: 1\n", "t.yaml:1:3: a key must be a word"},
    {"a: &x 1\nb: &y {*x : 2, 1: 3}\n", "t.yaml:2:16: `1` is there twice: `2` on line 1, `3` here"},
    {"a: !!str 5\n", "t.yaml:1:4: the tag `tag:yaml.org,2002:str` is not supported"},
    {"a: !list [1]\n", "t.yaml:1:4: the tag `!list` is not supported"},
    {"a: !map {b: 1}\n", "t.yaml:1:4: the tag `!map` is not supported"},
    {"a: \"x\\0y\"\n", "t.yaml:1:4: a text with a NUL character"},
    {"a: *x\n", "t.yaml:1:4: no anchor `x` comes before this alias"},
    {"a: &x [1, *x]\n", "t.yaml:1:11: the alias `x` is inside of what it stands for"},
    {"a: [1, 2\n",
     "t.yaml:2:1: not YAML: did not find expected ',' or ']' while parsing a flow sequence that begins on line 1"},
    {"a: [1, 2}\n", "t.yaml:1:9: not YAML: did not find expected ',' or ']' while parsing a flow sequence"},
    {"a: 1\n b: 2\n", "t.yaml:2:3: not YAML: mapping values are not allowed in this context"},
    {"a:\n\t- 1\n",
     "t.yaml:2:1: not YAML: a tab; indent with blanks"},
    {"a: 1\nüx: \x01\n", "t.yaml:2:5: not YAML: control characters are not allowed"},
    {"a: 1\nb: \xff\n", "t.yaml:2:4: not YAML: invalid leading UTF-8 octet"},
};

TEST_WITH(refusals_name_the_place, enter, leave)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct error err = {0};
        struct tree tree;
        spill("t.yaml", refused[i].content);
        if (yaml_tree_read(&tree, "t.yaml", arena, &err))
            fail_msg("was taken: %s", refused[i].content);
        assert_string_equal(err.text, refused[i].message);
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    }
}

/* Frees the content. */
static void fails(char *content, const char *part)
{
    struct tree tree;
    spill("t.yaml", content);
    free(content);
    assert_refused(yaml_tree_read(&tree, "t.yaml", arena, err), part);
}

/* before, number, after; as often as wanted. */
static char *repeat(const char *before, const char *after, int count)
{
    struct text text = {0};
    for (int i = 0; i < count; i++)
        text_addf(&text, "%s%d%s", before, i, after);
    return text.data;
}

static char *nested(int depth)
{
    struct text text = {0};
    for (int i = 0; i < 2 * depth; i++)
        text_add(&text, i < depth ? "[" : "]");
    return text.data;
}

static void counts(char *content, size_t count)
{
    assert_int_equal(read_good(content).root->count, count);
    free(content);
}

TEST_WITH(limits_hold, enter, leave)
{
    fails(nested(33), "t.yaml:1:33: nested too deeply");
    fails(nested(100000), "t.yaml:1:33: nested too deeply");
    fails(repeat("k", ": 1\n", 257), "t.yaml:257:1: more than 256 keys");
    fails(repeat("- &a", " x\n", 1001), "t.yaml:1001:3: more than 1000 anchors");
    counts(nested(32), 1);
    counts(repeat("k", ": 1\n", 256), 256);
    counts(repeat("- &a", " x\n", 1000), 1000);
}

/* Each level is ten times the one above; the second alias of the seventh goes over 213 MiB. */
TEST_WITH(aliases_cannot_blow_up, enter, leave)
{
    struct text text = {0};
    text_add(&text, "- &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 8; i++) {
        text_addf(&text, "- &a%d [*a%d", i, i - 1);
        for (int k = 1; k < 10; k++)
            text_addf(&text, ", *a%d", i - 1);
        text_add(&text, "]\n");
    }
    fails(text.data, "t.yaml:7:13: the file, or what its aliases make of it, is too large");
    assert_true(arena->used < 1 << 20);
}

TEST_WITH(a_file_has_a_size_limit, enter, leave)
{
    enum { SIZE = (16 << 20) + 1 };
    for (int more = 0; more < 2; more++) {
        char *content = calloc(SIZE + 1, 1);
        assert_non_null(content);
        memset(content, ' ', SIZE - 1 + more);
        fails(content, more ? "t.yaml is too large" : "t.yaml:1:1: the file is empty");
    }
    struct tree tree;
    assert_refused_as(yaml_tree_read(&tree, "nothing.yaml", arena, err),
                      "cannot open nothing.yaml: No such file or directory");
}

TEST_WITH(a_tree_fits_its_memory, enter, leave)
{
    SCOPED(text) text = {0};
    text_add(&text, "[");
    while (text.size < (size_t)6 << 20)
        text_add(&text, "a,[],{b: c},");
    text_add(&text, "]");
    read_good(text.data);
    assert_true(arena->used < TREE_MOST_MEMORY);
}
