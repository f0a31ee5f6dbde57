#pragma once

/* cmocka wants these before it, in this order (1.1 and 2.0). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef NDEBUG
#error "tests are not built with NDEBUG: asserts in the code under test are part of the test"
#endif

/* What cmocka and others call has parameters that most of these functions do not look at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/*
 * TEST(name) { ... } is a test of the program that holds it; TEST_WITH() has a setup and a teardown, or NULL. They run in the
 * order of their lines, between what GROUP() names. main() is in listed_tests.c.
 */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, setup, teardown)                                                                               \
    static void name(void **state);                                                                                    \
    AT_START(list_##name) { list_test(&(struct CMUnitTest){#name, name, setup, teardown, NULL}, __LINE__); }           \
    static void name(void **state)
#define GROUP(setup, teardown) AT_START(name_group) { list_group(setup, teardown); }

/* A function that runs before main(). */
#define AT_START(name) __attribute__((constructor)) static void name(void)

void list_test(const struct CMUnitTest *test, int line);
void list_group(CMFixtureFunction setup, CMFixtureFunction teardown);

/* The listed tests: all, or of `I/N` every N-th from the I-th, each a group of its own. main() where a program has none. */
int run_listed(int argc, char **argv);
