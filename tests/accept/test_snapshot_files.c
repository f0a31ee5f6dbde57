/* Which names in a case's folder are ours. */

#include "run_binary.h"
#include "golden/golden.h"

TEST(names_of_goldens)
{
    static const char *const ours[] = {"import.json",     "recorded.json", "0.000.png",
                                       "0.250.pose.json", "-0.100.png",    "12.041667.pose.json",
                                       "0.250_1.png",     "0.2500.png",    "0.250_12.png"};
    static const char *const others[] = {
        "", "import.json.orig", "recorded", "0.25.png", "0.2500000.png", "0,250.png", ".250.png", "0.250", "0.250.PNG",
        "0.250.png.x", "0.250_.png", "0.250_a.png", "0.250.golden.png", "0.250.difference.png", "0.250.json", "a0.250.png",
        "--0.250.png", "+0.250.png", "0.250 .png", "cover.png", "results.json"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (!snapshot_is_golden(ours[i]))
            fail_msg("%s is no golden's", ours[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (snapshot_is_golden(others[i]))
            fail_msg("%s is a golden's", others[i]);
    assert_int_equal(snapshot_label_length("0.250.png"), 5);
    assert_int_equal(snapshot_label_length("-12.041667.pose.json"), 10);
}

SCRATCH_TEST(only_ours_is_removed)
{
    static const char *const ours[] = {"import.json",          "recorded.json",   "0.250.png",
                                       "0.250_1.png",          "0.250.pose.json", "0.250.golden.png",
                                       "0.250.difference.png", "0.250.heat.png"};
    char path[64];
    mkdir("a", 0777);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
            snprintf(path, sizeof path, "a/%s", ours[i]);
            spill(path, "");
        }
        if (round == 0) {
            spill("a/notes.txt", "kept");
            mkdir("a/0.250.png.d", 0777);
        } else {
            unlink("a/notes.txt");
            rmdir("a/0.250.png.d");
        }
        assert_true(snapshot_remove("a", SNAPSHOT_WHOLE, ANY_ERROR));
        assert_int_equal(chdir(round == 0 ? "a" : "."), 0);
        assert_string_equal(scratch_listing(), round == 0 ? "0.250.png.d notes.txt" : "");
        assert_int_equal(chdir(round == 0 ? ".." : "."), 0);
    }
    assert_true(snapshot_remove("nothing", SNAPSHOT_WHOLE, ANY_ERROR) && snapshot_remove_file("nothing", ANY_ERROR));
}

/* Files stay that file_write() leaves when it is killed, and nothing that only looks alike. */
SCRATCH_TEST(only_temporaries_are_removed)
{
    static const char *const left[] = {"import.json.new-a1B2c3",  "0.250.png.new-zzzzzz",   "0.250.heat.png.new-000000", "walker.glb-0123456789abcdef.import.json.new-a1B2c3",
                                       "results.json.new-ABCDEF", "report.html.new-ABCDEF", "junit.xml.new-ABCDEF"};
    static const char *const others[] = {
        "0.250.png",   "0.250.png.backup", "0.250.png.new-a1B2c", "0.250.png.new-a1B2c3x",
        "import.json", "notes.new-a1B2c3", "results.json"};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        spill(left[i], "");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        spill(others[i], "");
    assert_true(snapshot_remove(".", SNAPSHOT_TEMPORARIES, ANY_ERROR) &&
                snapshot_remove("nothing", SNAPSHOT_TEMPORARIES, ANY_ERROR));
    assert_string_equal(scratch_listing(),
                        "0.250.png 0.250.png.backup 0.250.png.new-a1B2c 0.250.png.new-a1B2c3x import.json "
                        "notes.new-a1B2c3 results.json");
    spill("import.json.new-a1B2c3", "");
    assert_true(snapshot_remove(".", SNAPSHOT_WHOLE, ANY_ERROR));
    assert_false(exists("import.json.new-a1B2c3"));
}
