/* Which cases run, in which shard, and how a suite is listed. */

#include "base/text.h"
#include "suite/suite_text.h"

#define SUITE                                                                                                          \
    "version: 1\ncases:\n"                                                                                             \
    "- {name: walker-walk, model: m.glb, tags: [quick, glb]}\n"                                                        \
    "- {name: walker-idle, model: m.glb, tags: slow}\n"                                                                \
    "- {name: strip, model: m.glb, tags: [quick]}\n"                                                                   \
    "- {name: strip-loop, model: m.glb}\n"

/* The chosen names, with blanks between, or the message. */
static void chooses(const struct suite *suite, const struct selection *selection, const char *names)
{
    struct error err = {0};
    bool *chosen = calloc(suite->case_count, sizeof *chosen);
    SCOPED(text) text = {0};
    size_t count = suite_select(suite, selection, chosen, &err), counted = 0;
    for (size_t i = 0; i < suite->case_count; i++)
        if (chosen[i])
            text_addf(&text, "%s%s", counted++ ? " " : "", suite->cases[i].name);
    assert_int_equal(count, counted);
    if (error_is_set(&err)) {
        assert_int_equal(count, 0);
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
        text_add(&text, err.text);
    }
    assert_string_equal(text_string(&text), names);
    free(chosen);
}

SUITE_TEST(filters_choose_and_exclude)
{
    static const struct {
        const char *filters[3], *names;
    } rows[] = {
        {{NULL}, "walker-walk walker-idle strip strip-loop"},
        {{"strip"}, "strip"},
        {{"strip", "walker-[hi]*"}, "walker-idle strip"},
        {{"!strip*", "!*-idle"}, "walker-walk"},
        {{"walker-*", "!*-idle"}, "walker-walk"},
        {{"tag:quick"}, "walker-walk strip"},
        {{"tag:?lb", "tag:slow"}, "walker-walk walker-idle"},
        {{"!tag:quick"}, "walker-idle strip-loop"},
        {{"tag:quick", "!strip"}, "walker-walk"},
        {{"tag:*", "strip-loop"}, "walker-walk walker-idle strip strip-loop"},
        {{"strip-lop"}, "suite.yaml: no case matches `strip-lop`; did you mean `strip-loop`?"},
        {{"*x*", "strp"}, "suite.yaml: no case matches `strp`; did you mean `strip`?"},
        {{"tag:quik"}, "suite.yaml: no case matches `tag:quik`; did you mean `tag:quick`?"},
        {{"idle"}, "suite.yaml: no case matches `idle`; did you mean `*idle*`?"},
        {{"wlaker*"}, "suite.yaml: no case matches `wlaker*`; did you mean `walker*`?"},
        {{"*x*"}, "suite.yaml: none of its 4 cases matches; `rigproof check suite.yaml --list` shows them"},
        {{""}, "suite.yaml: none of its 4 cases matches; `rigproof check suite.yaml --list` shows them"},
    };
    READ_SUITE *suite = read_good(SUITE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t count = 0;
        while (count < 3 && rows[i].filters[count])
            count++;
        chooses(suite, &(struct selection){.filters = rows[i].filters, .filter_count = count}, rows[i].names);
    }
}

SUITE_TEST(names_to_keep)
{
    static const char *const names[] = {"strip-loop", "gone", "walker-walk"}, *const filters[] = {"walker-*"};
    READ_SUITE *suite = read_good(SUITE);
    chooses(suite, &(struct selection){.only = names, .only_count = 3}, "walker-walk strip-loop");
    chooses(suite, &(struct selection){.only = names, .only_count = 3, .filters = filters, .filter_count = 1},
            "walker-walk");
    chooses(suite, &(struct selection){.only = names + 1, .only_count = 1},
            "suite.yaml: none of the cases that are to run again is in it");
    chooses(suite, &(struct selection){.only = names, .only_count = 0},
            "suite.yaml: none of the cases that are to run again is in it");
}

/* Shards are of what the filters choose; what failed before is of the shard it was in. */
SUITE_TEST(shards_are_of_what_is_chosen)
{
    static const char *const filters[] = {"walker-*"}, *const only[] = {"walker-idle"};
    READ_SUITE *suite = read_good(SUITE);
    uint32_t shard_of[4];
    struct selection selection = {.filters = filters, .filter_count = 1, .shard = 2, .shard_count = 2, .shard_of = shard_of};
    bool chosen[4];
    assert_int_equal(suite_select(suite, &selection, chosen, ANY_ERROR), 1);
    assert_true(shard_of[0] != shard_of[1] && shard_of[0] + shard_of[1] == 3);
    assert_true(shard_of[2] == 0 && shard_of[3] == 0);
    selection.only = only;
    selection.only_count = 1;
    for (selection.shard = 1; selection.shard <= 2; selection.shard++)
        assert_int_equal(suite_select(suite, &selection, chosen, ANY_ERROR), selection.shard == shard_of[1]);
}

SUITE_TEST(an_empty_shard_is_no_error)
{
    READ_SUITE *suite = read_good(SUITE);
    const char *const filters[] = {"strip"}, *const none[] = {"strap"};
    int empty = 0;
    for (uint32_t k = 1; k <= 3; k++) {
        bool chosen[4];
        struct error err = {0};
        struct selection selection = {.filters = filters, .filter_count = 1, .shard = k, .shard_count = 3};
        empty += suite_select(suite, &selection, chosen, &err) == 0;
        assert_false(error_is_set(&err));
    }
    assert_int_equal(empty, 2);
    chooses(suite, &(struct selection){.filters = none, .filter_count = 1, .shard = 1, .shard_count = 3},
            "suite.yaml: no case matches `strap`; did you mean `strip`?");
}

SUITE_TEST(a_line_per_case)
{
    READ_SUITE *suite =
        read_good("version: 1\ncases:\n"
                  "- {name: a, model: m.glb, clip: \"l\xc3\xa4\\x1bft\", times: [0, 1], tags: [x, y]}\n"
                  "- {name: long-name, model: ./m.glb, skip: true, reason: too slow}\n"
                  "- {name: b, model: m.glb, clip: none, expect: fail, reason: \"#1\"}\n"
                  "- {name: c, model: m.glb, frames: 0..9, agrees_with: a, skip: true, reason: r}\n"
                  "- {name: d, model: m.glb, clip: run, times: {to: 1, fps: 24}, agrees_with: b, assimp: 5.*}\n");
    struct text out = {0};
    suite_list(suite, NULL, &out);
    assert_string_equal(text_string(&out), "a          m.glb    l\xc3\xa4\\u001bft  2 times   x,y\n"
                                           "long-name  ./m.glb  (first)     auto      -    skip: too slow\n"
                                           "b          m.glb    none        1 time    -    expect fail: #1\n"
                                           "c          m.glb    (first)     10 times  -    agrees with a; skip: r\n"
                                           "d          m.glb    run         25 times  -    agrees with b; Assimp 5.* only\n");
    text_release(&out);
    suite_list(suite, (const bool[]){false, false, true, false, false}, &out);
    assert_string_equal(text_string(&out), "b  m.glb  none  1 time  -  expect fail: #1\n");
    text_release(&out);
}
