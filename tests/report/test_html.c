/* The page as text: one file, nothing from elsewhere, everything escaped. What it does is tests/html.sh's. */

#include <jansson.h>

#include "base/file/file.h"
#include "data/image/image.h"
#include "data/sample_results.h"
#include "report/report.h"
#include "run_binary.h"

static struct text page_of(const struct results *results, const char *folder)
{
    struct text text = {0};
    report_html(results, folder, NULL, &text);
    return text;
}

static size_t count_parts(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

/* The content of the element with that id, in memory of its own. */
static json_t *json_of(const struct text *page, const char *id)
{
    SCOPED(text) open = {0};
    json_error_t why;
    text_addf(&open, "<script type=\"application/json\" id=\"%s\">", id);
    const char *start = strstr(text_string(page), text_string(&open));
    assert_non_null(start);
    start += open.size;
    json_t *json = json_loadb(start, (size_t)(strstr(start, "</script>") - start), JSON_REJECT_DUPLICATES, &why);
    if (!json)
        fail_msg("%s: line %d: %s", id, why.line, why.text);
    return json;
}

TEST(page_is_closed_to_the_world)
{
    SCOPED(text) page = page_of(&sample_results, "nowhere");
    assert_contains(text_string(&page), "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                                        "img-src 'self' file: data: blob:; style-src 'nonce-rigproof'; script-src 'nonce-rigproof'; "
                                        "base-uri 'none'; form-action 'none'\"");
    static const char *const forbidden[] = {"=\"http", "='http", "src=\"", "href=\"/", "url(", "@import", "fetch(",
                                            "XMLHttpRequest", "innerHTML", "outerHTML", "insertAdjacentHTML",
                                            "document.write", "eval(", "{{"};
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        if (strstr(text_string(&page), forbidden[i]))
            fail_msg("the page has %s", forbidden[i]);
}

/* Elements as the parser sees them: as many ends as beginnings, and no more of them than our own. */
TEST(no_name_becomes_markup)
{
    SCOPED(text) page = page_of(&sample_results, "nowhere");
    struct results nothing = {.suite = "</title><script>x", .rigproof = "", .goldens = ""};
    SCOPED(text) empty = page_of(&nothing, "nowhere");
    assert_int_equal(count_parts(text_string(&page), "<script"), count_parts(text_string(&empty), "<script"));
    assert_int_equal(count_parts(text_string(&page), "</script>"), count_parts(text_string(&page), "<script"));
    assert_null(strstr(text_string(&page), "<script>"));
    assert_contains(text_string(&empty), "<title>0 cases, all good - &lt;/title&gt;&lt;script&gt;x</title>");
    assert_contains(text_string(&page), "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e");
    assert_contains(text_string(&page), "&lt;script&gt;alert(1)&lt;/script&gt;");
}

TEST(results_are_in_it)
{
    SCOPED(text) page = page_of(&sample_results, "nowhere");
    json_auto_t *results = json_of(&page, "results");
    json_t *cases = json_object_get(results, "cases");
    assert_int_equal(json_array_size(cases), sample_results.case_count);
    json_t *bone = json_array_get(json_object_get(json_array_get(cases, 1), "bones"), 1);
    assert_string_equal(json_string_value(json_object_get(bone, "bone")), EVIL_NAME);
    assert_contains(text_string(&page), "<title>6 of 10 cases fail - tests/suite.yaml</title>");
}

static void write_png(const char *path, uint8_t red)
{
    SCOPED(image) image;
    assert_true(image_create(&image, 2, 1, ANY_ERROR) && file_make_parent(path, ANY_ERROR));
    for (int i = 0; i < 8; i++)
        image.rgba[i] = i % 4 == 0 ? red : 255;
    assert_true(image_write_png(&image, path, PNG_OUTPUT, ANY_ERROR));
}

static json_t *number_of(json_t *index, const char *path)
{
    return json_object_get(json_object_get(index, "number"), path);
}

static const char *reason_of(json_t *index, const char *path)
{
    return json_string_value(json_object_get(json_object_get(index, "missing"), path));
}

SCRATCH_TEST(pictures_of_failing_cases_are_in_it)
{
    write_png("out/golden/walker-walk-fbx/0.250.png", 10);
    write_png("out/walker-walk-fbx/0.250.png", 20);
    spill("out/walker-walk-fbx/0.250-heat.png", "no PNG at all");
    SCOPED(text) page = page_of(&sample_results, "out");
    json_auto_t *index = json_of(&page, "picture-index");
    assert_int_equal(json_integer_value(number_of(index, "golden/walker-walk-fbx/0.250.png")), 0);
    assert_int_equal(json_integer_value(number_of(index, "walker-walk-fbx/0.250.png")), 1);
    assert_string_equal(reason_of(index, "walker-walk-fbx/0.250-heat.png"),
                        "out/walker-walk-fbx/0.250-heat.png is not a PNG");
    assert_contains(reason_of(index, "walker-new/0.000.png"), "cannot open out/walker-new/0.000.png: ");
    assert_null(reason_of(index, "walker-walk-fbx/0.250-difference.png")); /* the page makes it */
    assert_contains(text_string(&page), "<script type=\"text/plain\" id=\"picture-0\">iVBORw0KGgo");
    assert_contains(text_string(&page), "<script type=\"text/plain\" id=\"picture-1\">iVBORw0KGgo");
}

/* What base64 gives for the three lengths of an end; by RFC 4648, section 10: "f", "fo", "foo". */
SCRATCH_TEST(base64_ends_as_it_should)
{
    static const char signature[] = "\x89PNG\r\n\x1a\n"; /* 8 bytes: with 1, 2, 3 more 9, 10, 11 */
    static const char *const ends[][2] = {
        {"f", "iVBORw0KGgpm<"}, {"fo", "iVBORw0KGgpmbw==<"}, {"foo", "iVBORw0KGgpmb28=<"}};
    assert_true(file_make_parent("walker-new/0.000.png", ANY_ERROR));
    for (int i = 0; i < 3; i++) {
        SCOPED(text) file = {0};
        text_addf(&file, "%s%s", signature, ends[i][0]);
        spill("walker-new/0.000.png", text_string(&file));
        SCOPED(text) page = page_of(&sample_results, ".");
        assert_contains(text_string(&page), ends[i][1]);
    }
}

/* A picture that passes is not worth its bytes; noise is, when the case fails for another reason. */
SCRATCH_TEST(only_wanted_pictures_are_in_it)
{
    struct time_result time = {.label = "0.000", .image = {.state = IMAGE_SAME, .actual = "a.png"}};
    struct case_result result = {
        .name = "c", .model = "m", .status = CASE_PASS, .stage = STAGE_NONE, .time_count = 1, .times = &time};
    struct results results = {.suite = "s", .rigproof = "", .goldens = "", .cases = &result, .case_count = 1};
    static const struct {
        enum image_state state;
        enum case_status status;
        int pictures;
    } cases[] = {
        {IMAGE_SAME, CASE_FAIL, 0},       {IMAGE_NOISE, CASE_PASS, 0},     {IMAGE_NOISE, CASE_FAIL, 1},
        {IMAGE_TOLERATED, CASE_DRIFT, 0}, {IMAGE_TOLERATED, CASE_FAIL, 1}, {IMAGE_DIFFERS, CASE_XFAIL, 1},
        {IMAGE_MISSING, CASE_MISSING, 1}, {IMAGE_NONE, CASE_FAIL, 0},       {IMAGE_SHOWN, CASE_FAIL, 1},
    };
    write_png("a.png", 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        time.image.state = cases[i].state;
        result.status = cases[i].status;
        SCOPED(text) page = page_of(&results, ".");
        assert_int_equal(count_parts(text_string(&page), "<script type=\"text/plain\""), cases[i].pictures);
    }
}
