#pragma once

/* cmocka wants these before it, in this order (1.1 and 2.0). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Nearly every test wants these. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

#ifdef NDEBUG
#error "tests are not built with NDEBUG: asserts in the code under test are part of the test"
#endif

/* What cmocka and others call has parameters that most of these functions do not look at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Ends a test that cannot be made here, and says why. */
#define skip_because(...)                                                                                              \
    do {                                                                                                               \
        print_message("skipped: " __VA_ARGS__);                                                                        \
        print_message("\n");                                                                                           \
        skip();                                                                                                        \
    } while (0)

/* Calls what is handed `err`, and fails with its message where nothing comes back. */
#define assert_good(call)                                                                                              \
    ({                                                                                                                 \
        struct error err_ = {0}, *err = &err_;                                                                         \
        __typeof__(call) good_ = (call);                                                                               \
        if (!good_)                                                                                                    \
            fail_msg("%s: %s", #call, err_.text);                                                                      \
        good_;                                                                                                         \
    })

/* Calls what is handed `err`, and fails unless nothing comes back and all of these are in its message, or are it. */
#define assert_refused(call, ...) refused_because(call, holds_all(err_.text, (const char *const[]){__VA_ARGS__, NULL}), #__VA_ARGS__)
#define assert_refused_as(call, message) refused_because(call, strcmp(err_.text, message) == 0, #message)
#define refused_because(call, is_said, wanted)                                                                         \
    ({                                                                                                                 \
        struct error err_ = {0}, *err = &err_;                                                                         \
        if ((call) || !(is_said))                                                                                      \
            fail_msg("%s: \"%s\", where %s is expected", #call, err_.text, wanted);                                    \
    })
static inline bool holds_all(const char *text, const char *const *parts)
{
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            return false;
    return true;
}

/* Calls what is handed `out`, an empty text, and fails unless that is written. */
#define assert_writes(call, expected)                                                                                  \
    ({                                                                                                                 \
        SCOPED(text) text_ = {0};                                                                                      \
        struct text *out = &text_;                                                                                     \
        (call);                                                                                                        \
        assert_string_equal(text_string(out), expected);                                                               \
    })

/* Fails unless these numbers are found, each as near as that: ASSERT_NUMBERS(box, 0, 1, 2, 3). */
static inline void require_numbers(const float *found, const float *wanted, size_t count, double tolerance,
                                   const char *file, int line)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)found[i] - (double)wanted[i]) <= tolerance)) {
            print_error("[%zu] is %.9g, not %.9g\n", i, (double)found[i], (double)wanted[i]);
            _fail(file, line);
        }
}
#define ASSERT_NEAR(...) require_numbers(__VA_ARGS__, __FILE__, __LINE__) /* found, wanted, count, tolerance */
#define ASSERT_NUMBERS(found, tolerance, ...)                                                                          \
    ASSERT_NEAR(found, ((const float[]){__VA_ARGS__}), sizeof((const float[]){__VA_ARGS__}) / sizeof(float), tolerance)

/* A copy in memory of its very size, so that a sanitizer sees what is read beyond it; freed by free(). */
static inline void *exact_copy(const void *data, size_t size)
{
    void *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    return size > 0 ? memcpy(copy, data, size) : copy;
}

/* For a call whose error nobody looks at. */
#define ANY_ERROR (&(struct error){0})

/* Pointers whose release runs where their block ends, as SCOPED() of base/memory.h has it of values:
 * SCENE *scene = tiny_scene(); */
#define POINTER_RELEASED_BY(type, release)                                                                             \
    struct type;                                                                                                       \
    void release(struct type *);                                                                                       \
    static inline void drop_##type##_at(struct type **it) { release(*it); }
POINTER_RELEASED_BY(scene, scene_free)
POINTER_RELEASED_BY(suite, suite_free)
POINTER_RELEASED_BY(results, results_free)
#define RELEASED_BY(function) __attribute__((cleanup(function)))
#define SCENE RELEASED_BY(drop_scene_at) struct scene
/* ANOTHER(scene, load(...)): it goes, and its name is another one's. */
#define ANOTHER(scene, ...) (scene_free(scene), scene = (__VA_ARGS__))
#define READ_SUITE RELEASED_BY(drop_suite_at) struct suite
#define RESULTS RELEASED_BY(drop_results_at) struct results

/*
 * TEST(name) { ... } is a test of the program that holds it; TEST_WITH() has a setup and a teardown, or NULL. They run in
 * the order of their lines, between what GROUP() names. main() is in listed_tests.c.
 */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, setup, teardown)                                                                               \
    static void name(void **state);                                                                                    \
    AT_START(list_##name) { list_test(&(struct CMUnitTest){#name, name, setup, teardown, NULL}, __LINE__); }           \
    static void name(void **state)
#define GROUP(setup, teardown) AT_START(name_group) { list_group(setup, teardown); }

/* A program's `name`, which all its tests share; `open` makes it, and NULL fails them. */
#define GROUP_VALUE(type, name, open, close)                                                                           \
    static type *name;                                                                                                 \
    static int open_##name(void **state) { return (name = (open)) ? 0 : -1; }                                          \
    static int close_##name(void **state) { return close(name), 0; }                                                   \
    GROUP(open_##name, close_##name)

/* A program's `arena`, of that many bytes. */
#define GROUP_ARENA(size) GROUP_VALUE(struct arena, arena, arena_require(size), arena_destroy)

/* A function that runs before main(). */
#define AT_START(name) __attribute__((constructor)) static void name(void)

void list_test(const struct CMUnitTest *test, int line);
void list_group(CMFixtureFunction setup, CMFixtureFunction teardown);

/* The listed tests: all, or of `I/N` every N-th from the I-th, each a group of its own. main() where a program has none. */
int run_listed(int argc, char **argv);
