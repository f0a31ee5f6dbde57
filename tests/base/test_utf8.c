/* Which bytes are UTF-8, and what stands for those that are not. */
#include "cmocka_setup.h"

#include <string.h>

#include "base/utf8.h"

static void sequences_have_their_length(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {
        {"", 1},
        {"a", 1},
        {"\x7f", 1},
        {"\xc3\xbc", 2},         /* U+00FC */
        {"\xe2\x82\xac", 3},     /* U+20AC */
        {"\xf0\x9f\xa6\xb4", 4}, /* U+1F9B4 */
        {"\xf4\x8f\xbf\xbf", 4}, /* U+10FFFF, the last */
        {"\xf4\x90\x80\x80", 0}, /* beyond */
        {"\xed\xa0\x80", 0},     /* a surrogate */
        {"\xc0\x80", 0},         /* overlong */
        {"\xe0\x9f\xbf", 0},     /* overlong */
        {"\xf0\x8f\xbf\xbf", 0}, /* overlong */
        {"\x80", 0},
        {"\xff", 0},
        {"\xe2\x82", 0}, /* cut */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(utf8_length(cases[i].bytes), cases[i].length);
}

static void only_bad_bytes_are_replaced(void **state)
{
    (void)state;
    static const char good[] = "H\xc3\xbc"
                               "fte";
    struct arena *arena = arena_require(1 << 16);
    assert_null(utf8_fix(NULL, arena));
    assert_ptr_equal(utf8_fix(good, arena), good);
    assert_string_equal(utf8_fix("\xff\xc3\xbc\xe2\x82", arena), "\xef\xbf\xbd\xc3\xbc\xef\xbf\xbd\xef\xbf\xbd");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_have_their_length),
        cmocka_unit_test(only_bad_bytes_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
