/* What is equal to its golden is found out without decoding the picture and reading the pose. What is not quite equal
 * is not. */

#include "suite_runs.h"

SCRATCH_TEST(whatever_differs_is_found)
{
    static const struct {
        const char *command; /* in golden/strip */
        bool tells_hash;
        const char *says;
    } changes[] = {
        {"cp 0.750.png 0.250.png", false, "0.250.png of the golden does not match its hash"},
        {"cp 0.750.png 0.250.png", true, "frame 0.250: "},
        {"truncate -s -100 0.250.png", false, "golden/strip/0.250.png is not a picture that can be read"},
        {"cp 0.750.pose.json 0.250.pose.json", false, "0.250.pose.json of the golden does not match its hash"},
        {"truncate -s -3 0.250.pose.json", false, "golden/strip/0.250.pose.json: not valid JSON"},
    };
    write_accepted_suite("  - {name: strip, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75],\n"
                         "     tolerance: {pixels: {delta: 0, share: 0}}}\n");
    rename("golden", "kept");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        shell("rm -rf golden && cp -r kept golden && cd golden/strip && %s", changes[i].command);
        if (changes[i].tells_hash)
            record_hashes("golden/strip");
        assert_contains(check_gives(1, NULL)->out, changes[i].says);
    }
    shell("rm -rf golden && cp -r kept golden");
    tint("golden/strip/0.250.png", 1, 3);
    assert_contains(check_gives(1, NULL)->out, "1 of 658 px, by up to 3 levels");
    tamper("golden/strip/0.250.pose.json", "palette[0].matrix[3]", "7.5e-04");
    assert_contains(check_gives(1, NULL)->out, "bone `base` (mesh `strip-mesh`) is off by");
}
