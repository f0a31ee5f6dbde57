/* Which thing is which: names, duplicate names, renames, order. */
#include "cmocka_setup.h"

#include "data/record/matching.h"
#include "data/scene/scene.h"

GROUP_ARENA((size_t)64 << 20)

/* "a b/x c": names with their contexts. */
static struct match_list list(const char *words)
{
    struct match_list out = match_list_create(strlen(words) + 1, arena);
    char *copy = arena_string(arena, words);
    out.count = 0;
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        char *slash = strchr(word, '/');
        if (slash)
            *slash = '\0';
        out.keys[out.count++] = (struct match_key){word, slash ? slash + 1 : NULL};
    }
    return out;
}

static struct matching matched(const char *golden, const char *actual, enum match_rule rule)
{
    struct match_list g = list(golden), a = list(actual);
    return match_by_name(&g, &a, rule, arena);
}

static void require(const struct matching *m, const int *to_actual)
{
    for (size_t i = 0; i < m->golden_count; i++) {
        assert_int_equal(m->to_actual[i], to_actual[i]);
        if (to_actual[i] >= 0)
            assert_int_equal(m->to_golden[to_actual[i]], i);
    }
    for (size_t i = 0; i < m->actual_count; i++)
        if (m->to_golden[i] >= 0)
            assert_int_equal(m->to_actual[m->to_golden[i]], i);
}

TEST(names_match_in_any_order)
{
    struct matching m = matched("a b c d", "d x b a", MATCH_PREFER_CONTEXT);
    require(&m, (int[]){3, 2, -1, 0});
    assert_int_equal(m.to_golden[1], NO_INDEX);
    m = matched("a a b a", "b a a", MATCH_PREFER_CONTEXT);
    require(&m, (int[]){1, 2, 0, -1});
    m = matched("a/x a/y", "a/y a/x", MATCH_PREFER_CONTEXT);
    require(&m, (int[]){1, 0});
    m = matched("a/x a/y", "a/y a/z", MATCH_PREFER_CONTEXT);
    require(&m, (int[]){1, 0});
    m = matched("a/x a/y", "a/y a/z", MATCH_NEED_CONTEXT);
    require(&m, (int[]){-1, 0});
    m = matched("", "", MATCH_PREFER_CONTEXT);
    size_t a, b;
    assert_false(matching_out_of_order(&m, &a, &b));
    m = matched("a", "", MATCH_PREFER_CONTEXT);
    require(&m, (int[]){-1});
    m = matched("", "a", MATCH_NEED_CONTEXT);
    assert_int_equal(m.to_golden[0], NO_INDEX);
    size_t earlier = 99, later = 99;
    m = matched("a b c d", "x a c d y", MATCH_PREFER_CONTEXT);
    assert_false(matching_out_of_order(&m, &earlier, &later));
    m = matched("a b c d", "a d b c", MATCH_PREFER_CONTEXT);
    assert_true(matching_out_of_order(&m, &earlier, &later));
    assert_int_equal(earlier, 2);
    assert_int_equal(later, 3);
}

static bool same_first_letter(const void *context, size_t golden, size_t actual)
{
    const struct match_list *lists = context;
    return lists[0].keys[golden].name[0] == lists[1].keys[actual].name[0];
}

TEST(renames_need_exactly_one_candidate)
{
    struct match_list lists[2] = {list("a1 b1 b2 c1 d1 same"), list("same a9 b9 c8 c9 e9")};
    struct matching m = match_by_name(&lists[0], &lists[1], MATCH_PREFER_CONTEXT, arena);
    match_renamed(&m, same_first_letter, lists);
    require(&m, (int[]){1, -1, -1, -1, -1, 0}); /* b: two to one, c: one to two, d: none */
}

TEST(random_lists_agree_with_plain_search)
{
    enum { MOST = 60 };
    uint32_t random = 1;
    for (int round = 0; round < 300; round++) {
        struct match_list lists[2];
        for (int side = 0; side < 2; side++) {
            random = random * 1664525u + 1013904223u;
            lists[side] = match_list_create((random >> 8) % MOST, arena);
            for (size_t i = 0; i < lists[side].count; i++) {
                random = random * 1664525u + 1013904223u;
                lists[side].keys[i].name = arena_printf(arena, "n%u", (random >> 8) % 20);
            }
        }
        struct matching m = match_by_name(&lists[0], &lists[1], MATCH_PREFER_CONTEXT, arena);
        bool taken[MOST] = {false};
        for (size_t g = 0; g < lists[0].count; g++) { /* the first free duplicate */
            int32_t expected = NO_INDEX;
            for (size_t a = 0; a < lists[1].count && expected == NO_INDEX; a++)
                if (!taken[a] && strcmp(lists[0].keys[g].name, lists[1].keys[a].name) == 0)
                    expected = (int32_t)a;
            if (expected != NO_INDEX)
                taken[expected] = true;
            assert_int_equal(m.to_actual[g], expected);
        }
    }
}

TEST(index_finds_the_first_and_the_last_before)
{
    struct match_list names = list("b a c a b a");
    struct name_index index = name_index_create(&names, arena);
    assert_int_equal(name_find(&index, "a"), 1);
    assert_int_equal(name_find(&index, "b"), 0);
    assert_int_equal(name_find(&index, "d"), NO_INDEX);
    assert_int_equal(name_find(&index, ""), NO_INDEX);
    assert_int_equal(name_find(&index, NULL), NO_INDEX);
    assert_int_equal(name_find_before(&index, "a", 5), 3);
    assert_int_equal(name_find_before(&index, "a", 1), NO_INDEX);
    assert_int_equal(name_find_before(&index, "a", 99), 5);
    struct match_list none = list("");
    index = name_index_create(&none, arena);
    assert_int_equal(name_find(&index, "a"), NO_INDEX);
}
