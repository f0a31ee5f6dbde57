/* The import.json that cases of one model share: what is written and what is compared. */

#include "suite_runs.h"

#define PAIR                                                                                                           \
    "  - {name: a, model: " STRIP ", clip: linear-rotation, times: [0.25]}\n"                                          \
    "  - {name: b, model: " STRIP ", clip: linear-rotation, times: [0.75]}\n"
#define OTHERS                                                                                                         \
    "  - {name: one, model: " STRIP ", clip: linear-rotation, times: [0.25], influences: 1}\n"                         \
    "  - {name: twins, model: " TWINS ", times: [0.2]}\n"

BEFORE_EACH
{
    write_accepted_suite(PAIR OTHERS);
}

static const char *file_of(const char *name)
{
    return json_at(at("golden/%s/recorded.json", name), "import_file");
}

SCRATCH_TEST(model_and_settings_are_a_file)
{
    assert_string_equal(file_of("a"), file_of("b"));
    assert_string_not_equal(file_of("a"), file_of("one"));
    assert_int_equal(strncmp(file_of("one"), "strip.gltf-", strlen("strip.gltf-")), 0);
    shell("test $(ls golden/imports | wc -l) = 3 && ! ls golden/*/import.json 2>/dev/null");
    rigproof_good("inspect", STRIP, "--json", "-o", "inspected");
    assert_same_files("inspected", import_of("golden/a"));
    check_gives(0, NULL);
}

SCRATCH_TEST(accepting_it_for_one_case_is_for_all)
{
    const char *good = contents("golden"), *b = snapshot("golden/b");
    tamper(import_of("golden/a"), "meshes[0].vertices", "7");
    check_gives(1, NULL);
    assert_statuses("a fail, b fail, one pass, twins pass");
    assert_contains(accept_gives(0, "-n", NULL)->out, "would accept 1 case (1 file), 1 unchanged\n");
    const struct outcome *outcome = accept_gives(0, "--filter", "a", NULL);
    assert_contains(outcome->out, at("\n  imports/%s: rewritten, the golden also of b\naccepted 1 case (1 file)\n", file_of("a")));
    check_gives(0, NULL);
    assert_string_equal(contents("golden"), good);
    assert_string_equal(snapshot("golden/b"), b);
}

/* Another comment in the GLSL is another fingerprint, and no other golden. */
SCRATCH_TEST(fingerprint_alone_is_not_written)
{
    tamper("golden/a/recorded.json", "fingerprint.shaders", "\"0000000000000000\"");
    shell("sed -i 's/\"shaders\": \"[0-9a-f]\\{16\\}\"/\"shaders\": \"0000000000000000\"/' golden/b/recorded.json");
    const char *b = snapshot("golden/b");
    tamper(import_of("golden/b"), "meshes[0].vertices", "7");
    accept_gives(0, NULL);
    assert_string_equal(snapshot("golden/b"), b);
    check_gives(0, NULL);
    accept_gives(0, "--all", NULL);
    assert_string_not_equal(snapshot("golden/b"), b);
}

SCRATCH_TEST(missing_cases_do_not_change_it)
{
    tamper(import_of("golden/a"), "meshes[0].vertices", "7");
    const char *before = snapshot("golden");
    write_suite(PAIR OTHERS "  - {name: c, model: " STRIP ", clip: linear-rotation, times: [0.5]}\n");
    assert_contains(accept_gives(1, "--missing", NULL)->out, "c: not accepted, the import that it shares with other cases differs");
    assert_string_equal(snapshot("golden"), before);
    accept_gives(0, NULL);
    check_gives(0, NULL);
}

SCRATCH_TEST(what_no_case_names_is_obsolete)
{
    const char *one = import_of("golden/one"), *twins = import_of("golden/twins");
    write_suite(PAIR "  - {name: new, model: " TWINS ", times: [0.1]}\n");
    accept_gives(0, "--prune", "-n", NULL);
    assert_true(exists(one));
    accept_gives(0, "--prune", NULL); /* what `new` needs stays */
    assert_false(exists("golden/one") || exists(one));
    assert_true(exists(twins));
    spill("golden/imports/x.import.json", "");
    spill("golden/imports/README.md", "kept");
    assert_string_equal((check_gives(0, NULL), json_at("out/check/results.json", "obsolete")), "[\"imports/x.import.json\"]");
    accept_gives(0, "--prune", NULL);
    assert_false(exists("golden/imports/x.import.json"));
    assert_true(exists("golden/imports/README.md"));
    check_gives(0, NULL);
    spill("golden/a/recorded.json", "{"); /* may have named any */
    spill("golden/imports/x.import.json", "");
    check_gives(1, NULL);
    assert_string_equal(json_at("out/check/results.json", "obsolete"), "[]");
}

SCRATCH_TEST(models_of_one_name_are_apart)
{
    copy_file(STRIP, "x/m.gltf");
    copy_file(TWINS, "y/m.gltf");
    copy_file(STRIP, "x/.;$(touch bad)`\n\x1b\xc3\xa9.gltf");
    write_accepted_suite("  - {name: a, model: x/m.gltf, clip: 0, allow: still}\n  - {name: b, model: y/m.gltf, clip: 0, allow: still}\n"
                         "  - {name: c, model: \"x/.;$(touch bad)`\\n\\e\\u00e9.gltf\", clip: 0, allow: still}\n");
    check_gives(0, NULL);
    assert_string_not_equal(file_of("a"), file_of("b"));
    assert_int_equal(strncmp(file_of("c"), "____touch_bad______.gltf-", 16), 0);
    assert_int_equal(strspn(file_of("c"), "abcdefghijklmnopqrstuvwxyz0123456789_.-"), strlen(file_of("c")));
}

SCRATCH_TEST(named_file_stays_in_its_folder)
{
    static const char *const names[] = {"\"../../x.import.json\"", "\"/etc/passwd\"", "\".import.json\"", "\"x.json\"", "7"};
    spill("x.import.json", "{}");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        tamper("golden/a/recorded.json", "import_file", names[i]);
        check_gives(1, NULL);
        assert_statuses("a error, b pass, one pass, twins pass");
        assert_contains(result_of("a", "headline"), "import_file");
    }
}

SCRATCH_TEST(links_out_are_refused)
{
    assert_int_equal(rename("golden/imports", "elsewhere"), 0);
    assert_int_equal(symlink("../elsewhere", "golden/imports"), 0);
    copy_file(STRIP, "s.gltf");
    spill("suite.yaml", "version: 1\ngoldens: golden\ncases:\n  - {name: n, model: s.gltf, clip: linear-rotation, times: [0.25]}\n");
    const char *before = contents("elsewhere");
    assert_contains(rigproof_gives(1, "accept", "suite.yaml")->out,
                    "n: not accepted, links are not followed: golden/imports/");
    assert_string_equal(contents("elsewhere"), before);
}

SCRATCH_TEST(diff_finds_it)
{
    copy_folder("golden", "other");
    rigproof_good("diff", "golden", "other");
    rigproof_good("diff", "golden/a", "other/a/");
    tamper(import_of("other/a"), "meshes[0].vertices", "7");
    assert_contains(rigproof_gives(1, "diff", "golden/a", "other/a")->out, "vertices");
    mkdir("alone", 0777);
    copy_folder("golden/a", "alone/a");
    assert_contains(rigproof_gives(1, "diff", "golden/a", "alone/a")->out, "import.json is only in golden/a");
    copy_file(import_of("golden/a"), "alone/a/import.json");
    rigproof_good("diff", "golden/a", "alone/a");
    check_gives(1, "--goldens", "third", NULL);
    rigproof_good("diff", "out/check", "golden"); /* snapshot has its own */
}
