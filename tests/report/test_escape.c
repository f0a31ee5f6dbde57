/* Text of unknown origin, for each place it may go to. */
#include "cmocka_setup.h"

#include "report/escape.h"

typedef void (*escape)(const char *value, struct text *out);

static void becomes(escape function, const char *value, const char *expected)
{
    SCOPED(text) text = {0};
    function(value, &text);
    assert_string_equal(text_string(&text), expected);
}

#define FFFD "\xef\xbf\xbd"

TEST(markup_has_entities)
{
    becomes(escape_markup, "<a b=\"c\" d='e'>&</a>", "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;&lt;/a&gt;");
    becomes(escape_markup, "]]>", "]]&gt;");
    becomes(escape_markup, "a\n\tb\r\x01\x0b\x1f\x7f", "a\n\tb" FFFD FFFD FFFD FFFD FFFD);
    becomes(escape_markup, "\xef\xbf\xbe\xef\xbf\xbf\xed\xa0\x80",
            FFFD FFFD FFFD FFFD FFFD); /* U+FFFE, U+FFFF, half a pair */
    becomes(escape_markup, "\xf0\x9f\xa6\x8a", "\xf0\x9f\xa6\x8a");
}

TEST(scripts_cannot_be_left)
{
    becomes(escape_script, "{\"a\": \"</script><!--&\"}", "{\"a\": \"\\u003c/script\\u003e\\u003c!--\\u0026\"}");
    becomes(escape_script, "\"\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xa7\"", "\"\\u2028\\u2029\xe2\x80\xa7\"");
    becomes(escape_script, "", "");
    becomes(escape_script, "<", "\\u003c");
}

/* As GitHub's toolkit does: https://github.com/actions/toolkit, packages/core/src/command.ts */
TEST(workflow_commands_stay_one)
{
    becomes(escape_workflow_data, "50 %\r\n::error::x, y", "50 %25%0D%0A::error::x, y");
    becomes(escape_workflow_property, "50 %\r\na:b,c", "50 %25%0D%0Aa%3Ab%2Cc");
    becomes(escape_workflow_data, "%0A\x1b[1m", "%250A" FFFD "[1m");
}

TEST(shells_get_one_word)
{
    becomes(escape_shell, "golden/suite.yaml", "golden/suite.yaml");
    becomes(escape_shell, "my suite.yaml", "'my suite.yaml'");
    becomes(escape_shell, "it's $(here)", "'it'\\''s $(here)'");
    becomes(escape_shell, "", "''");
    becomes(escape_shell, "a;b", "'a;b'");
}
