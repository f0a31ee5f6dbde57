/* JUnit XML: what CI servers make of it. */
#include "cmocka_setup.h"

#include "data/sample_results.h"
#include "report/report.h"
#include "report/xml_check.h"
#include "run_binary.h"


static void holds(const struct text *text, const char *part)
{
    assert_contains(text_string(text), part);
}

static struct text junit(const struct results *results)
{
    struct text text = {0};
    report_junit(results, "out/check", &text);
    const char *fault = xml_fault(text_string(&text));
    if (fault)
        fail_msg("%s", fault);
    return text;
}

/* The check itself must be able to fail. */
static void broken_xml_is_seen(void **state)
{
    (void)state;
    static const char *const broken[] = {"<a>", "<a></b>", "<a>&</a>", "<a>&nbsp;</a>", "<a>\x01</a>", "<a b=c/>",
                                         "<a b=\"<\"/>", "<a", "</a>", "<a>\x1b[1m</a>"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct text text = {0};
        text_addf(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s", broken[i]);
        if (!xml_fault(text_string(&text)))
            fail_msg("%s is said to be well-formed", broken[i]);
        text_release(&text);
    }
    assert_null(xml_fault("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b=\"&lt;\">&#39;<c/></a>\n"));
}

static void every_case_is_a_test_case(void **state)
{
    (void)state;
    struct text text = junit(&sample_results);
    holds(&text, "<testsuites name=\"rigproof\" tests=\"10\" failures=\"3\" errors=\"3\" skipped=\"2\">\n"
                 " <testsuite name=\"tests/suite.yaml\" tests=\"10\" failures=\"3\" errors=\"3\" skipped=\"2\">\n"
                 "  <testcase name=\"walker-walk\" classname=\"tests/suite\" file=\"tests/suite.yaml\" line=\"7\"/>\n");
    size_t cases = 0;
    for (const char *at = text.data; (at = strstr(at, "<testcase ")); at++)
        cases++;
    assert_int_equal(cases, 10);
    text_release(&text);
}

static void verdicts_are_elements(void **state)
{
    (void)state;
    struct text text = junit(&sample_results);
    holds(&text, "<failure message=\"palette diverges first: bone `hand.L` moves 3.41 % of the radius at 0.250 s\" "
                 "type=\"palette\">FAIL     walker-walk-fbx: palette diverges");
    holds(&text, "  repeat     rigproof check suite.yaml --filter walker-walk-fbx\n");
    holds(&text, "<failure message=\"there is no golden\" type=\"missing\">");
    holds(&text, "<error message=\"import of deep.gltf: crashed (SIGSEGV)\" type=\"crash\">");
    holds(&text, "<error message=\"took more than 60 s\" type=\"timeout\">");
    holds(&text, "<skipped message=\"fails as expected: assimp#5332\"/>");
    holds(&text, "<failure message=\"passes, although it is expected to fail: assimp#3390\" type=\"unexpected-pass\">");
    holds(&text, "<skipped message=\"skipped: ::error::&lt;script&gt;");
    holds(&text, "<system-out>drift    walker-wave  numbers agree");
    text_release(&text);
}

static void pictures_are_attachments(void **state)
{
    (void)state;
    struct text text = junit(&sample_results);
    holds(&text, "<system-out>[[ATTACHMENT|out/check/golden/walker-walk-fbx/0.250.png]]\n"
                 "[[ATTACHMENT|out/check/walker-walk-fbx/0.250.png]]\n"
                 "[[ATTACHMENT|out/check/walker-walk-fbx/0.250-difference.png]]\n"
                 "[[ATTACHMENT|out/check/walker-walk-fbx/0.250-heat.png]]\n</system-out>");
    text_release(&text);
}

static void names_of_ill_will_stay_text(void **state)
{
    (void)state;
    struct text text = junit(&sample_results);
    holds(&text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\\u001b[31m\\n::warning::x %0A ]]&gt;");
    assert_null(strstr(text_string(&text), "<script"));
    assert_null(strstr(text_string(&text), "]]>"));
    text_release(&text);
}

static void strict_drift_is_a_failure(void **state)
{
    (void)state;
    struct results strict = sample_results;
    strict.strict = true;
    struct text text = junit(&strict);
    holds(&text, "failures=\"4\"");
    holds(&text, "type=\"drift\"");
    text_release(&text);
}

static void nothing_is_a_suite_too(void **state)
{
    (void)state;
    struct results empty = {.suite = "a.b/suite"};
    struct text text = junit(&empty);
    holds(&text, "<testsuite name=\"a.b/suite\" tests=\"0\"");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_xml_is_seen),
        cmocka_unit_test(every_case_is_a_test_case),
        cmocka_unit_test(verdicts_are_elements),
        cmocka_unit_test(pictures_are_attachments),
        cmocka_unit_test(names_of_ill_will_stay_text),
        cmocka_unit_test(strict_drift_is_a_failure),
        cmocka_unit_test(nothing_is_a_suite_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
