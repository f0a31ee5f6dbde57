/* Libraries that are opened when they are needed: by the first file that there is, with every function or not at all. */
#include "cmocka_setup.h"

#include "base/shared_library.h"

static struct {
    double (*cosine)(double angle);
    double (*root)(double number);
} mathematics;

static const char *const names[] = {"cos", "sqrt", NULL};

TEST(the_first_file_that_is_there_is_opened)
{
    static const char *const files[] = {"libm.so.6", "/nowhere/libm.so.6:libm.so.6", "libnone.so.1:libm.so.6:/x"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct error err = {0};
        mathematics.cosine = mathematics.root = NULL;
        assert_true(library_open(files[i], names, &mathematics, &err));
        assert_false(error_is_set(&err));
        assert_true(mathematics.cosine(0) == 1 && mathematics.root(49) == 7);
    }
}

TEST(what_is_missing_is_named)
{
    static const char *const other[] = {"cos", "not_a_function", NULL};
    assert_refused(library_open("libnone.so.1:/nowhere/libnone.so", names, &mathematics, err), "libnone.so.1");
    assert_refused_as(library_open("libm.so.6:/x", other, &mathematics, err), "libm.so.6 has no not_a_function");
}
