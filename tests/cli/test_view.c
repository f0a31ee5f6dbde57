/* view, and films that are pages: what is written, what is refused. The page itself is used in tests/html/viewer.py. */

#include "run_binary.h"

#define WALKER FIXTURES "/walker/walker.glb"

/* The same bytes each time, whole, and a policy that lets nothing be asked for. */
SCRATCH_TEST(a_page_is_written)
{
    size_t size;
    const struct outcome *done = rigproof_good("view", WALKER, "--clip", "walk", "-o", "a.html");
    assert_string_equal(done->out, "");
    assert_string_equal(done->err, "");
    rigproof_good("view", WALKER, "--clip", "walk", "-o", "folder/b.html");
    assert_same_files("a.html", "folder/b.html");
    const char *page = slurp("a.html", &size);
    assert_int_equal(strlen(page), size);
    assert_contains(page, "default-src 'none'", "\"clip\": \"walk\"", "\"view\": \"studio\"", "data:image/png;base64,");
    static const char namespace_of_svg[] = "http://www.w3.org/2000/svg"; /* a name, which nobody asks a server for */
    for (const char *at = strstr(page, "http:"); at; at = strstr(at + 1, "http:"))
        assert_memory_equal(at, namespace_of_svg, sizeof namespace_of_svg - 1);
    assert_null(strstr(page, "https:"));
    assert_contains(rigproof_good("view", WALKER, "-o", "-")->out, "</html>");
}

SCRATCH_TEST(options_are_where_it_begins)
{
    rigproof_good("view", WALKER, "--clip", "wave", "--time", "0.25", "--view", "weight:head", "--overlay", "skeleton,axes", "--camera",
                  "yaw=90,pitch=5,zoom=1,fov=0", "-o", "a.html");
    const char *page = slurp("a.html", NULL);
    assert_contains(page, "\"clip\": \"wave\",\n  \"time\": 0.25");
    assert_contains(page, "\"view\": \"weight\",\n  \"overlays\": [\"skeleton\", \"axes\"],\n  \"select\": \"head\"");
    assert_contains(page, "\"orbit\": [90, 5, 1, 0, 0]");
    rigproof_good("view", WALKER, "--clip", "walk", "--camera", "target=hand_L,follow=1", "-o", "b.html");
    page = slurp("b.html", NULL);
    assert_contains(page, "\"select\": \"hand_L\",\n  \"follows\": true");
}

SCRATCH_TEST(two_are_compared)
{
    rigproof_good("dump", WALKER, "--clip", "walk", "--time", "0.25", "--stage", "palette", "--json", "-o", "pose.json");
    rigproof_good("view", WALKER, "pose.json", "-o", "pose.html", "--quiet");
    const char *page = slurp("pose.html", NULL);
    assert_contains(page, "\"label\": \"pose.json\",\n   \"model\": 0");
    assert_contains(page, "\"clip\": \"walk\",\n  \"time\": 0.25"); /* as the pose says */
    rigproof_good("view", WALKER, FIXTURES "/walker/walker.fbx", "-o", "two.html", "--quiet");
    page = slurp("two.html", NULL);
    assert_contains(page, "\"label\": \"walker.fbx\",\n   \"model\": 1");
    rigproof_good("view", WALKER, WALKER, "-o", "same.html", "--quiet");
    assert_contains(slurp("same.html", NULL), "\"label\": \"walker.glb\",\n   \"model\": 1");
}

SCRATCH_TEST(a_film_is_a_page)
{
    const struct outcome *done = rigproof_good("turntable", WALKER, "--frames", "3", "--film", "turn.html");
    assert_contains(done->err, "film: turn.html, 3 frames");
    assert_contains(slurp("turn.html", NULL), "\"film\": {");
    assert_string_equal(scratch_listing(), "turn.html");
    rigproof_refuses("one model", "render", WALKER, "--film", "a.html", "--crowd", "2x1");
}

SCRATCH_TEST(a_limit_is_kept)
{
    size_t whole, small;
    rigproof_good("view", WALKER, "-o", "whole.html");
    assert_contains(rigproof_good("view", WALKER, "--most", "0.3", "-o", "small.html")->err, "without textures");
    slurp("whole.html", &whole);
    slurp("small.html", &small);
    assert_true(small < whole);
    rigproof_refuses("MiB", "view", WALKER, "--most", "0.01", "-o", "none.html");
    assert_false(exists("none.html"));
}

SCRATCH_TEST(what_a_page_cannot_show_is_refused)
{
    rigproof_refuses("-o OUT.html", "view", WALKER);
    rigproof_refuses("--crowd", "view", WALKER, "-o", "a.html", "--crowd", "2x2");
    rigproof_refuses("--skinning", "view", WALKER, "-o", "a.html", "--skinning", "dual-quaternion");
    rigproof_refuses("--space", "view", WALKER, "-o", "a.html", "--space", "root");
    rigproof_refuses("--place", "view", WALKER, "-o", "a.html", "--place", "scale=2");
    rigproof_refuses("none.glb", "view", "none.glb", "-o", "a.html");
    assert_string_equal(scratch_listing(), "");
}
