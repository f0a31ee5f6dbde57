/* Which cases run, in which shard, and how a suite is listed. */
#include "cmocka_setup.h"

#include <stdlib.h>

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
    struct text text = {0};
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
    text_release(&text);
    free(chosen);
}

static void filters_choose_and_exclude(void **state)
{
    static const struct {
        const char *filters[3];
        const char *names;
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
        {{"strip-lop"}, "suite.yaml: no case `strip-lop`; did you mean `strip-loop`?"},
        {{"*x*", "strp"}, "suite.yaml: no case `strp`; did you mean `strip`?"},
        {{"tag:quik"}, "suite.yaml: no case with the tag `quik`; did you mean `quick`?"},
        {{"*x*"}, "suite.yaml: none of its 4 cases matches; `rigproof check suite.yaml --list` shows them"},
        {{""}, "suite.yaml: none of its 4 cases matches; `rigproof check suite.yaml --list` shows them"},
    };
    struct suite *suite = read_good(SUITE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t count = 0;
        while (count < 3 && rows[i].filters[count])
            count++;
        chooses(suite, &(struct selection){.filters = rows[i].filters, .filter_count = count}, rows[i].names);
    }
    suite_free(suite);
}

static void names_to_keep(void **state)
{
    static const char *const names[] = {"strip-loop", "gone", "walker-walk"}, *const filters[] = {"walker-*"};
    struct suite *suite = read_good(SUITE);
    chooses(suite, &(struct selection){.only = names, .only_count = 3}, "walker-walk strip-loop");
    chooses(suite, &(struct selection){.only = names, .only_count = 3, .filters = filters, .filter_count = 1},
            "walker-walk");
    chooses(suite, &(struct selection){.only = names + 1, .only_count = 1},
            "suite.yaml: none of the cases that are to run again is in it");
    chooses(suite, &(struct selection){.only = names, .only_count = 0},
            "suite.yaml: none of the cases that are to run again is in it");
    suite_free(suite);
}

static struct suite *numbered_suite(int first, int last)
{
    struct text content = {0};
    text_add(&content, "version: 1\ncases:\n");
    for (int i = first; i <= last; i++)
        text_addf(&content, "- {name: case-%d, model: m.glb, tags: t%d}\n", i, i % 2);
    struct suite *suite = read_good(content.data);
    text_release(&content);
    return suite;
}

enum { SHARDS = 5, CASES = 200 };

/* The shard of each case, from 1; every case must be in exactly one. */
static void find_shards(const struct suite *suite, const struct selection *selection, unsigned *shards)
{
    bool chosen[CASES + 1];
    memset(shards, 0, suite->case_count * sizeof *shards);
    for (uint32_t k = 1; k <= SHARDS; k++) {
        struct error err = {0};
        struct selection part = *selection;
        part.shard = k;
        part.shard_count = SHARDS;
        suite_select(suite, &part, chosen, &err);
        assert_string_equal(err.text, "");
        for (size_t i = 0; i < suite->case_count; i++)
            if (chosen[i]) {
                assert_int_equal(shards[i], 0);
                shards[i] = k;
            }
    }
}

static void shards_are_all_and_disjoint(void **state)
{
    struct suite *suite = numbered_suite(1, CASES);
    unsigned shards[CASES + 1], counts[SHARDS + 1] = {0};
    find_shards(suite, &(struct selection){0}, shards);
    for (int i = 0; i < CASES; i++)
        counts[shards[i]]++;
    assert_int_equal(counts[0], 0);
    for (int k = 1; k <= SHARDS; k++)
        assert_in_range(counts[k], CASES / SHARDS / 2, CASES / SHARDS * 2);
    suite_free(suite);
}

static void a_case_stays_in_its_shard(void **state)
{
    struct suite *few = numbered_suite(2, CASES), *more = numbered_suite(1, CASES + 1);
    unsigned before[CASES + 1], after[CASES + 1], filtered[CASES + 1];
    const char *const filters[] = {"tag:t1"};
    find_shards(few, &(struct selection){0}, before);
    find_shards(more, &(struct selection){0}, after);
    assert_memory_equal(before, after + 1, (CASES - 1) * sizeof *before);
    find_shards(more, &(struct selection){.filters = filters, .filter_count = 1}, filtered);
    for (size_t i = 0; i < more->case_count; i++)
        assert_int_equal(filtered[i], i % 2 == 0 ? after[i] : 0);
    suite_free(few);
    suite_free(more);
}

/* By the hashes that FNV's authors publish: `a` af63dc4c8601ec8c, `foobar` 85944171f73967e8, halves folded. */
static void shards_are_by_fnv_1a(void **state)
{
    struct suite *suite = read_good("version: 1\ncases: [{name: a, model: m.glb}, {name: foobar, model: m.glb}]\n");
    const uint32_t grouped[] = {0xaf63dc4cu ^ 0x8601ec8cu, 0x85944171u ^ 0xf73967e8u};
    for (uint32_t count = 1; count < 100; count++)
        for (uint32_t k = 1; k <= count; k++) {
            bool chosen[2];
            struct error err = {0};
            suite_select(suite, &(struct selection){.shard = k, .shard_count = count}, chosen, &err);
            for (int i = 0; i < 2; i++)
                assert_int_equal(chosen[i], grouped[i] % count + 1 == k);
        }
    suite_free(suite);
}

static void an_empty_shard_is_no_error(void **state)
{
    struct suite *suite = read_good(SUITE);
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
            "suite.yaml: no case `strap`; did you mean `strip`?");
    suite_free(suite);
}

static void shards_are_parsed(void **state)
{
    static const char *const bad[] = {"",     "1",   "1/",    "/2",   "0/2",  "3/2",      "-1/2",          "1/0",
                                      "1/-2", "a/b", "1/2/3", " 1/2", "1/2 ", "1/100001", "1/99999999999", "+1/2",
                                      "1.0/2"};
    uint32_t shard = 0, count = 0;
    struct error err = {0};
    assert_true(shard_parse("2/5", &shard, &count, &err) && shard == 2 && count == 5);
    assert_true(shard_parse("100000/100000", &shard, &count, &err) && shard == 100000 && count == 100000);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error why = {0};
        char message[128];
        if (shard_parse(bad[i], &shard, &count, &why))
            fail_msg("`%s` was taken", bad[i]);
        snprintf(message, sizeof message, "--shard: `%s` is not I/N with I from 1 to N (N at most 100000)", bad[i]);
        assert_string_equal(why.text, message);
    }
}

static void a_line_per_case(void **state)
{
    struct suite *suite =
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
    suite_free(suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        suite_test(filters_choose_and_exclude),
        suite_test(names_to_keep),
        suite_test(shards_are_all_and_disjoint),
        suite_test(a_case_stays_in_its_shard),
        suite_test(shards_are_by_fnv_1a),
        suite_test(an_empty_shard_is_no_error),
        cmocka_unit_test(shards_are_parsed),
        suite_test(a_line_per_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
